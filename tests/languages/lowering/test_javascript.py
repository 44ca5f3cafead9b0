import pytest
from tests.languages.lowering.dependences import Pairs, calls, control, data, names

# Each program stands with what decides what, and what gives its value to what, by lines from 1.
PROGRAMS: dict[str, tuple[str, Pairs, Pairs]] = {
    "if and else": (
        """let x = 1;
if (x > 0) {
  x = 2;
} else {
  x = 3;
}
console.log(x);""",
        {(2, 3), (2, 5)},
        {(1, 2), (3, 7), (5, 7)},
    ),
    "for with continue and break": (
        """let s = 0;
for (let i = 0; i < 9; i++) {
  if (i == 3) continue;
  if (i == 7)
    break;
  s += i;
}
console.log(s);""",
        {(2, 3), (3, 2), (3, 4), (4, 2), (4, 5), (4, 6)},
        {(1, 6), (1, 8), (2, 3), (2, 4), (2, 6), (6, 8)},
    ),
    "labelled continue": (
        """outer:
for (const a of rows) {
  for (const b of a) {
    if (b)
      continue outer;
    f(b);
  }
  g(a);
}""",
        {(2, 3), (3, 4), (4, 5), (4, 6), (4, 3), (3, 8)},
        {(2, 3), (2, 8), (3, 4), (3, 6)},
    ),
    "do while": (
        """let i = 0;
do {
  i++;
} while (i < 3);
f(i);""",
        {(4, 3)},
        {(1, 3), (3, 4), (3, 5)},
    ),
    "for in, and for without a condition": (
        """for (k in o) {
  f(k);
}
for (;;) {
  if (g()) break;
  h();
}""",
        {(1, 2), (5, 6)},
        {(1, 2)},
    ),
    "var belongs to the function, let to the block": (
        """function f(c) {
  var a = 1;
  let b = 2;
  if (c) {
    var a = 3;
    let b = 4;
    g(b);
  }
  return a + b;
}""",
        {(4, 5), (4, 6), (4, 7)},
        {(1, 4), (2, 9), (3, 9), (5, 9), (6, 7)},
    ),
    "switch falls through": (
        """switch (x) {
  case 1:
    a = 1;
  case 2:
    b = 2;
    break;
  case f():
    c = 3;
    break;
  default:
    d = 4;
}
g(a, b, c, d);""",
        {(1, 3), (1, 5), (1, 6), (1, 7), (7, 8), (7, 9), (7, 11)},
        {(3, 13), (5, 13), (8, 13), (11, 13)},
    ),
    "conditional, && and ?? run only what they need": (
        """const a = p
  ? f()
  : g();
const b = q
  && h();
const c = r
  ?? k();
use(a, b, c);""",
        {(1, 2), (1, 3), (4, 5), (6, 7)},
        {(2, 1), (3, 1), (5, 4), (7, 6), (1, 8), (4, 8), (6, 8)},
    ),
    "logical assignment": (
        """let a = f();
a ||=
  g();
let o = {};
o.x ??=
  h();
use(a, o.x);""",
        {(2, 3), (5, 6)},
        {(1, 2), (3, 2), (2, 7), (1, 7), (4, 5), (6, 5), (5, 7), (4, 7)},
    ),
    "optional chain": (
        """a
  ?.b.c(
    f());
g();""",
        {(1, 3)},
        {(3, 1)},
    ),
    "try, catch without a name, finally": (
        """let r = 0;
try {
  r = f();
  g();
} catch {
  r = 2;
} finally {
  h(r);
}
k(r);""",
        {(3, 4), (3, 6), (4, 6)},
        {(3, 8), (6, 8), (3, 10), (6, 10)},
    ),
    "throw and catch with a name": (
        """try {
  if (bad)
    throw e1;
  ok();
} catch (e) {
  log(e);
}""",
        {(2, 3), (2, 4), (2, 5), (2, 6), (4, 5), (4, 6)},
        {(5, 6)},
    ),
    "destructuring with defaults and rest": (
        """const o = f();
const {a, b: c = 1, ...rest} = o;
const [d, , e] = g();
use(a);
use(c);
use(rest, d, e);""",
        set(),
        {(1, 2), (2, 4), (2, 5), (2, 6), (3, 6)},
    ),
    "swap": (
        """let a = 1;
let b = 2;
[a, b] = [b, a];
f(a);
g(b);""",
        set(),
        {(1, 3), (2, 3), (3, 4), (3, 5)},
    ),
    "closure that writes a captured variable": (
        """let n = 0;
const inc = () => { n++; };
inc();
console.log(n);""",
        set(),
        {(1, 3), (1, 4), (2, 3), (3, 4)},
    ),
    "objects share what they reach": (
        """const a = [];
const b = a;
b.push(1);
console.log(a);
const n = a.length;""",
        set(),
        {(1, 2), (2, 3), (1, 4), (3, 4), (1, 5), (3, 5)},
    ),
    "a function that gets the elements": (
        """const rows = [{n: 0}];
rows.forEach(r => { r.n = 5; });
console.log(rows[0].n);""",
        set(),
        {(1, 2), (1, 3), (2, 3)},
    ),
    "delete, and members": (
        """const o = {x: 1};
o.y = 2;
delete o.x;
f(o.x);
g(o.y);""",
        set(),
        {(1, 2), (1, 3), (1, 4), (3, 4), (1, 5), (2, 5)},
    ),
    "generator and await": (
        """async function* f(xs) {
  for await (const x of xs) {
    const y = await g(x);
    yield y;
  }
}""",
        {(2, 3), (2, 4)},
        {(1, 2), (2, 3), (3, 4)},
    ),
    "template and comma": (
        """let a = 1, b = 2;
const s = `${a} and ${b}`;
let c = (f(a), g(b));
use(s, c);""",
        set(),
        {(1, 2), (1, 3), (2, 4), (3, 4)},
    ),
    "after return nothing runs": (
        """function f(x) {
  return x;
  x = 2;
}""",
        set(),
        {(1, 2)},
    ),
    "a loop for ever": (
        """while (true) {
  f();
}
g();""",
        set(),
        set(),
    ),
    "unparsable part": (
        """let a = 1;
let b = = a;
if (a) {
  f(b);
}""",
        {(3, 4)},
        {(1, 2), (1, 3), (2, 4)},
    ),
    "elements of JSX": (
        """const n = f();
const e = <p id={n}>{g(n)}</p>;
use(e);""",
        set(),
        {(1, 2), (2, 3)},
    ),
}


@pytest.mark.parametrize("what", PROGRAMS)
def test_what_decides(what: str) -> None:
    text, expected, _ = PROGRAMS[what]
    assert control(text, "javascript") == expected


@pytest.mark.parametrize("what", PROGRAMS)
def test_what_gives_values(what: str) -> None:
    text, _, expected = PROGRAMS[what]
    assert data(text, "javascript") == expected


CLASS = """class Counter extends Base {
  #n = 0;
  static made = 0;
  constructor(start) { super(start); this.#n = start; }
  get value() { return this.#n; }
  add(k) { this.#n += k; return this; }
  later() { return () => this.#n; }
  static make(k) { Counter.made++; return new Counter(k); }
}
const c = Counter.make(3);
c.add(4);
console.log(c.later()());"""


def test_methods_share_the_fields_of_their_class() -> None:
    found = data(CLASS, "javascript")
    assert {(2, 5), (2, 11), (10, 11), (11, 12)} <= found
    assert calls(CLASS, "javascript") >= {
        (8, "constructor"),
        (10, "make"),
        (11, "add"),
        (12, "later"),
    }


def test_functions_in_objects_are_called_by_their_keys() -> None:
    text = """const o = { f(x) { return x; }, g: (x) => x, h: function (x) { return x; } };
o.f(1);
o.g(2);
o.h(3);
T.prototype.go = function () {};
t.go();"""
    assert calls(text, "javascript") == {(2, "f"), (3, "g"), (4, "h"), (6, "go")}


def test_a_function_that_constructs() -> None:
    text = """function T(x) { this.x = x; }
T.prototype.get = function () { return this.x; };
const t = new T(3);
t.get();"""
    assert calls(text, "javascript") == {(3, "T"), (4, "get")}
    assert (3, 4) in data(text, "javascript")


def test_function_below_its_call_and_one_in_a_block() -> None:
    text = """f(1);
function f(x) { return g(x); }
{
  const h = () => k();
  const k = () => 2;
  h();
}
const g = function fact(n) { return n ? n * fact(n - 1) : 1; };"""
    assert calls(text, "javascript") == {(1, "f"), (2, "fact"), (4, "k"), (6, "h"), (8, "fact")}


def test_operators_have_the_names_of_all_languages() -> None:
    found = names("f(a === b, -c, !d, typeof e, g[0], {x}, [y], `z${z}`);", "javascript")
    wanted = "== neg ! typeof 0 index dict list format f"
    assert found == wanted.split()


@pytest.mark.parametrize("pattern", ["{message = d}", "{a: {b = d}}", "[d2 = d]"])
def test_the_defaults_of_what_is_caught_are_read(pattern: str) -> None:
    text = f"let d = f();\ntry {{ g(); }}\ncatch ({pattern}) {{ h(); }}\n"
    assert (1, 3) in data(text, "javascript")
