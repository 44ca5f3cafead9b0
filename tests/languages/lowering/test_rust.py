import pytest
from tests.languages.lowering.dependences import Pairs, calls, control, data, names

# Functions: line 1 is the head.
PROGRAMS: dict[str, tuple[str, Pairs, Pairs]] = {
    "shadowing makes another variable": (
        """fn f(a: i32) {
    let x = a;
    let g = || x + 1;
    let x = g();
    {
        let x = 5;
        p(x);
    }
    p(x);
}""",
        set(),
        {(1, 2), (2, 4), (3, 4), (4, 9), (6, 7)},
    ),
    "patterns of let": (
        """fn f(t: (i32, i32)) {
    let (mut a, b) = t;
    let P { x, y: z, .. } = g();
    a += b;
    p(a, x, z);
}""",
        set(),
        {(1, 2), (2, 4), (3, 5), (4, 5)},
    ),
    "let else": (
        """fn f(o: Option<i32>) -> i32 {
    let Some(x) = o else {
        return 0;
    };
    x
}""",
        {(2, 3), (2, 5)},
        {(1, 2), (2, 5)},
    ),
    "if let, with more conditions": (
        """fn f(o: Option<i32>, k: i32) {
    if let Some(x) = o
        && x > k {
        p(x);
    } else {
        q();
    }
}""",
        {(2, 3), (2, 4), (2, 6)},
        {(1, 2), (1, 3), (2, 3), (2, 4), (3, 2)},
    ),
    "while let": (
        """fn f(mut s: Vec<i32>) {
    let mut n = 0;
    while let Some(x) = s.pop() {
        n += x;
    }
    p(n);
}""",
        {(3, 4)},
        {(1, 3), (2, 4), (2, 6), (3, 4), (4, 6)},
    ),
    "match with guards and bindings": (
        """fn f(v: Option<i32>, k: i32) -> i32 {
    match v {
        Some(n @ 1..=5)
            if n > k =>
            g(n),
        Some(m) | Other(m) => m,
        None => return 0,
        _ => h(),
    }
}""",
        # The value is given back in line 2, unless `return` came before.
        {(3, 4), (4, 5), (3, 6), (4, 6), (6, 7), (6, 8), (2, 7), (2, 8), (4, 2), (6, 2)},
        {(1, 2), (1, 3), (1, 4), (1, 6), (3, 4), (3, 5)} | {(3, 2), (4, 2), (5, 2), (6, 2), (8, 2)},
    ),
    "match on constants": (
        """fn f(x: i32) {
    let s = match x {
        0 => a(),
        Colour::Red | MAX => b(),
        _ => c(),
    };
    p(s);
}""",
        {(2, 3), (2, 4), (2, 5)},
        {(1, 2), (3, 2), (4, 2), (5, 2), (2, 7)},
    ),
    "loop with a value": (
        """fn f(mut n: i32) {
    let r = loop {
        n += 1;
        if n > 9 {
            break n * 2;
        }
    };
    p(r);
}""",
        {(4, 3)},
        {(1, 3), (3, 4), (3, 5), (5, 2), (2, 8)},
    ),
    "labelled loops and blocks": (
        """fn f(rows: Vec<Vec<i32>>) {
    'outer: for r in rows {
        for x in r {
            if x == 0 {
                continue 'outer;
            }
            p(x);
        }
        q();
    }
    let v = 'b: {
        if c() {
            break 'b 1;
        }
        2
    };
    p(v);
}""",
        {(2, 3), (3, 4), (4, 5), (4, 7), (4, 3), (3, 9), (12, 13), (12, 15)},
        {(1, 2), (2, 3), (3, 4), (3, 7), (13, 11), (15, 11), (11, 17)},
    ),
    "if and block as values": (
        """fn f(a: bool, b: i32) -> i32 {
    let x = if a {
        b
    } else {
        g()
    };
    let y = {
        let t = x;
        t + 1
    };
    if y > 0 { x } else { y }
}""",
        {(2, 5)},
        {(1, 2), (5, 2), (2, 8), (8, 9), (9, 7), (7, 11), (2, 11)},
    ),
    "question mark": (
        """fn f() -> Option<i32> {
    let a = g()?;
    let b = h(a)?;
    Some(b)
}""",
        {(2, 3), (3, 4)},
        {(2, 3), (3, 4)},
    ),
    "mutable references": (
        """fn f() {
    let mut x = 1;
    set(&mut x);
    p(x);
    let r = &mut x;
    *r += 1;
    p(x);
}
fn set(n: &mut i32) {
    *n = 2;
}""",
        set(),
        {(2, 3), (2, 4), (3, 4), (2, 5), (3, 5), (5, 6), (2, 6), (3, 6), (2, 7), (3, 7), (6, 7)}
        | {(9, 10)},
    ),
    "parts by reference": (
        """fn f() {
    let mut v = vec![1, 2];
    for x in v.iter_mut() {
        *x += 1;
    }
    p(v[0]);
    v.push(3);
    let e = &mut v[1];
    *e = 4;
    p(&v);
    let mut m = HashMap::new();
    *m.entry(1).or_insert(0) += 2;
    p(m);
}""",
        {(3, 4)},
        {(2, 3), (3, 4), (4, 3), (2, 6), (4, 6), (2, 7), (4, 7), (2, 8), (4, 8), (7, 8)}
        | {(8, 9), (2, 10), (4, 10), (7, 10), (9, 10), (11, 12), (11, 13), (12, 13)},
    ),
    "iterators": (
        """fn f(mut v: Vec<i32>) {
    v.iter_mut().for_each(|x| *x += 1);
    p(v[0]);
    let w: Vec<i32> = v.iter().map(|x| x * 2).collect();
    p(w);
}""",
        set(),
        {(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (4, 5)},
    ),
    "macros": (
        """fn f(a: i32) {
    let s = S { n: a };
    println!("{} {}", s.n + 1, g(a));
    println!("{a} {0:?}", s);
    let t = format!("{}", a);
    let v = vec![a; 3];
    assert_eq!(v.len(), t.len());
}""",
        set(),
        {(1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (2, 3), (2, 4), (5, 7), (6, 7)},
    ),
    "panic ends": (
        """fn f(x: i32) {
    if x < 0 {
        panic!("no {}", x);
    }
    p(x);
}""",
        {(2, 3), (2, 5)},
        {(1, 2), (1, 3), (1, 5)},
    ),
    "swap": (
        """fn f(mut a: i32, mut b: i32) {
    std::mem::swap(&mut a, &mut b);
    p(a);
    (a, b) = (b, a);
    p(b);
}""",
        set(),
        {(1, 2), (1, 3), (2, 3), (1, 4), (2, 4), (4, 5)},
    ),
    "closure that writes a captured variable": (
        """fn f(v: Vec<i32>) {
    let mut n = 0;
    v.iter().for_each(|x| n += x);
    p(n);
}""",
        set(),
        {(1, 3), (2, 3), (2, 4), (3, 4)},
    ),
    "unparsable part": (
        """fn f() {
    let a = 1;
    let b = = a;
    if a > 0 {
        p(b);
    }
}""",
        {(4, 5)},
        {(2, 3), (2, 4), (3, 5)},
    ),
}


@pytest.mark.parametrize("what", PROGRAMS)
def test_what_decides(what: str) -> None:
    text, expected, _ = PROGRAMS[what]
    assert control(text, "rust") == expected


@pytest.mark.parametrize("what", PROGRAMS)
def test_what_gives_values(what: str) -> None:
    text, _, expected = PROGRAMS[what]
    assert data(text, "rust") == expected


METHODS = """struct Stack { items: Vec<i32>, n: usize }
impl Stack {
    const START: usize = 0;
    fn new() -> Self { Stack { items: Vec::new(), n: Self::START } }
    fn push(&mut self, x: i32) { self.items.push(x); self.n += 1; }
    fn top(&self) -> i32 { self.items[self.n - 1] }
}
trait Shape { fn area(&self) -> i32; fn twice(&self) -> i32 { 2 * self.area() } }
impl Shape for Stack { fn area(&self) -> i32 { self.top() } }
fn main() {
    let mut s = Stack::new();
    s.push(1);
    println!("{}", s.top());
    println!("{}", s.twice());
}"""


def test_methods_change_the_fields_of_their_struct() -> None:
    assert calls(METHODS, "rust") >= {
        (8, "area"),
        (9, "top"),
        (11, "new"),
        (12, "push"),
        (13, "top"),
        (14, "twice"),
    }
    assert {(11, 12), (11, 13), (12, 13)} <= data(METHODS, "rust")


def test_implicit_return_only_where_there_is_a_result() -> None:
    assert "return" not in names("fn f() { g() }", "rust")
    assert names("fn f() -> i32 { g() }", "rust") == ["g", "return"]
    assert names("fn f() -> i32 { g(); }", "rust") == ["g"]
    assert "return" in names("fn f() { let h = |x| { x }; }", "rust")


def test_statics_and_constants() -> None:
    text = """const N: i32 = 3;
static mut G: i32 = 0;
fn f() -> i32 { N + unsafe { G } }"""
    assert data(text, "rust") == {(1, 3), (2, 3)}


def test_operators_have_the_names_of_all_languages() -> None:
    text = "fn f() { p(!a, -b, *c, [d], (e, g), h[0], i as u8, S { x }, 0..n) }"
    assert [n for n in names(text, "rust") if not n.isdigit()] == (
        ["!", "neg", "deref", "list", "tuple", "index", "cast", "new", "range", "p"]
    )
