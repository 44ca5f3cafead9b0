"""Java: what each construct makes depend on what, by line."""

import pytest
from tests.languages.lowering.dependences import calls, control, data, names

from codekin.languages.java import JAVA
from codekin.represent.flow.flow_ir import FunctionKind
from codekin.source import Source

LANGUAGE = "java"


def test_for_while_do() -> None:
    text = """int s = 0;
for (int i = 0; i < n; i++)
    s += i;
while (s > 3)
    s /= 2;
do {
    s++;
} while (s < 9);
print(s);
"""
    assert control(text, LANGUAGE) == {(2, 3), (4, 5), (8, 7)}
    assert data(text, LANGUAGE) == {
        (1, 3),
        (2, 3),
        (1, 4),
        (3, 4),
        (5, 4),
        (1, 5),
        (3, 5),
        (1, 7),
        (3, 7),
        (5, 7),
        (7, 8),
        (7, 9),
    }


def test_labels() -> None:
    text = """outer:
for (int i = 0; i < n; i++) {
    for (int x : row(i)) {
        if (x < 0)
            continue outer;
        if (x > 9)
            break outer;
        use(x);
    }
    next(i);
}
"""
    assert control(text, LANGUAGE) == {
        (2, 3),
        (3, 4),
        (4, 5),
        (4, 6),
        (6, 7),
        (6, 8),
        (6, 3),
        (3, 10),
        (4, 2),
        (3, 2),
    }
    assert data(text, LANGUAGE) == {(2, 3), (2, 10), (3, 4), (3, 6), (3, 8)}


def test_switch_with_fall_through() -> None:
    text = """switch (k) {
    case 1:
    case 2:
        a();
    case 3:
        b();
        break;
    default:
        c();
}
d();
"""
    assert control(text, LANGUAGE) == {(1, 4), (1, 6), (1, 7), (1, 9)}


def test_arrow_switch_and_switch_expressions() -> None:
    text = """int a = 1;
int r = switch (k) {
    case 1, 2 -> a;
    case 3 -> {
        log();
        yield f(a);
    }
    case null, default -> throw new E();
};
use(r);
"""
    assert control(text, LANGUAGE) == {(2, 5), (2, 6), (2, 8), (2, 10)}
    assert data(text, LANGUAGE) == {(1, 2), (1, 6), (6, 2), (2, 10)}


def test_patterns() -> None:
    text = """if (o instanceof String s && s.length() > 1)
    use(s);
if (!(o instanceof Point(int x, int y)))
    return;
use(x + y);
switch (o) {
    case Integer i when i > 3 ->
        use(i);
    case Point(int p, var q) ->
        use(p + q);
    default ->
        none();
}
"""
    assert control(text, LANGUAGE) == {(1, 2), (3, 4), (7, 8), (7, 9), (9, 10), (9, 12)} | {
        (3, line) for line in (5, 6, 7)
    }
    assert data(text, LANGUAGE) == {(1, 2), (3, 5), (7, 8), (9, 10)}


def test_try_catch_finally() -> None:
    text = """int x = 0;
try (Reader r = open(p)) {
    x = r.read();
} catch (IOException | RuntimeException e) {
    log(e);
} finally {
    done();
}
use(x);
"""
    assert control(text, LANGUAGE) >= {(2, 3), (2, 4), (2, 5), (3, 4), (3, 5)}
    assert data(text, LANGUAGE) == {(2, 3), (4, 5), (1, 9), (3, 9)}


def test_throw_leaves_the_method() -> None:
    text = """int f(int n) {
    if (n < 0)
        throw new IllegalArgumentException();
    return n;
}
"""
    assert control(text, LANGUAGE) == {(2, 3), (2, 4)}
    assert data(text, LANGUAGE) == {(1, 2), (1, 4)}


COUNTER = """class Counter {
    private int count = 0;
    static int made;
    Counter() {
        this(1);
    }
    Counter(int start) {
        this.count = start;
        made++;
    }
    void add(int k) {
        count += k;
    }
    int get() {
        return this.count;
    }
    static int twice(int k) {
        return 2 * k;
    }
    public static void main(String[] args) {
        Counter c = new Counter();
        c.add(3);
        System.out.println(c.get());
        System.out.println(Counter.made + twice(2));
    }
}
"""


def test_fields_constructors_and_static_methods() -> None:
    assert calls(COUNTER, LANGUAGE) == {
        (5, "Counter"),
        (21, "Counter"),
        (22, "add"),
        (23, "get"),
        (24, "twice"),
    }
    # The field's first value stands beside what the constructor may have made of it.
    assert data(COUNTER, LANGUAGE) == {
        (2, 22),
        (2, 23),
        (7, 8),
        (11, 12),
        (17, 18),
        (21, 22),
        (21, 23),
        (22, 23),
        (21, 24),
    }
    ir = Source(COUNTER, LANGUAGE).flow_ir
    functions = ir.function_name, ir.function_kind
    kinds = {ir.string(n): FunctionKind(k) for n, k in zip(*functions, strict=True)}
    assert kinds["twice"] is kinds["main"] is FunctionKind.STATIC
    assert kinds["Counter"] is FunctionKind.CONSTRUCTOR
    assert kinds["add"] is FunctionKind.METHOD


def test_overloads_by_number_of_arguments() -> None:
    text = """class A {
    void f(int a) {}
    void f(int a, int b) {}
    void g(int... xs) {}
    void run() {
        f(1);
        g();
        g(1, 2, 3);
        f();
    }
}
"""
    assert calls(text, LANGUAGE) == {(6, "f"), (7, "g"), (8, "g")}


def test_inheritance_and_super() -> None:
    text = """class A {
    int n;
    A(int n) { this.n = n; }
    int area() { return 0; }
}
class B extends A {
    B() {
        super(2);
        n++;
    }
    int area() { return n; }
    static int of(A a) {
        return a.area();
    }
}
"""
    assert calls(text, LANGUAGE) == {(8, "A"), (13, "area")}
    assert data(text, LANGUAGE) == {(8, 9), (12, 13)}


def test_lambdas_capture() -> None:
    text = """int[] n = {0};
Runnable r = () -> {
    n[0]++;
};
r.run();
use(n);
"""
    assert data(text, LANGUAGE) == {(1, 5), (2, 5), (5, 6), (1, 6)}


def test_anonymous_classes_capture() -> None:
    text = """void f(List<Integer> seen) {
    int k = g();
    Visitor v = new Visitor() {
        public void visit(int x) {
            seen.add(x + k);
        }
    };
    walk(v);
    use(seen);
}
"""
    assert data(text, LANGUAGE) >= {(2, 4), (4, 3), (3, 8), (4, 9), (1, 9)}


def test_records_and_enumerations() -> None:
    text = """record P(int a, int b) {
    P {
        if (a < 0) throw new E();
    }
    int sum() { return a + b; }
}
enum Color {
    RED(1),
    GREEN(2);
    final int code;
    Color(int code) { this.code = code; }
}
class Main {
    static int run() {
        P p = new P(1, 2);
        return p.sum() + Color.RED.code;
    }
}
"""
    assert calls(text, LANGUAGE) == {(8, "Color"), (9, "Color"), (15, "P"), (16, "sum")}
    assert data(text, LANGUAGE) >= {(15, 16)}


def test_outer_fields_from_inner_classes() -> None:
    text = """class Outer {
    int n;
    class Inner {
        int n;
        void set(int v) {
            Outer.this.n = v;
            use(n);
            use(Outer.this.n);
        }
    }
}
"""
    assert data(text, LANGUAGE) == {(5, 6), (6, 8)}


def test_ternary_and_short_circuit() -> None:
    text = "x = a\n    ? f()\n    : g();\nif (p\n    || q())\n    use(x);\n"
    assert control(text, LANGUAGE) == {(1, 2), (1, 3), (4, 5), (4, 6)}
    assert data(text, LANGUAGE) == {(2, 1), (3, 1), (5, 4), (1, 6)}


def test_assertions_and_synchronized() -> None:
    text = "assert n > 0 : n;\nsynchronized (lock) {\n    n = 1;\n}\nuse(n);\n"
    assert control(text, LANGUAGE) == {(1, 3), (1, 5)}
    assert data(text, LANGUAGE) == {(3, 5)}


def test_exit_ends() -> None:
    assert control("if (bad)\n    System.exit(1);\nuse();\n", LANGUAGE) == {(1, 2), (1, 3)}


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("int a = 1;\nint b = a;\na = 2;\nuse(b);", {2}),
        ("int[] a = {1};\nint[] b = a;\nb[0] = 2;\nuse(a);", {1, 3}),
        ("int[][] m = new int[2][2];\nm[0][1] = 3;\nuse(m);", {1, 2}),
        ("int t[] = {1};\nint u[] = t;\nu[0]++;\nuse(t);", {1, 3}),
        (
            "List<Integer> l = new ArrayList<>();\nl.add(1);\nCollections.sort(l);\nuse(l);",
            {1, 2, 3},
        ),
        ("int[] a = {2, 1};\nArrays.sort(a);\nArrays.fill(a, 0);\nuse(a);", {1, 2, 3}),
        ("StringBuilder s = new StringBuilder();\ns.append(1).append(2);\nuse(s);", {1, 2}),
        ('String s = "a";\ns.trim();\nuse(s);', {1}),
        ("Scanner s = new Scanner(System.in);\nint a = s.nextInt();\nint b = s.nextInt();", {1, 2}),
        ("BigInteger b = f();\nb.add(c);\nuse(b);", {1}),
        ("Map<Integer, List<Integer>> m = f();\nm.get(1).add(2);\nuse(m);", {1, 2}),
        ("var b = f();\nvar c = (Object) b;\nuse(c);", {2}),
        ("int n = Integer.parseInt(s);\nint m = Integer.parseInt(t);", set()),
        ("int a = 1;\na += 2;\nuse(a);", {2}),
        ('String s = """\n  text""";\nint n = 1;\nuse(s);', {1}),
        ("for (Foo f : list)\n  f.set(1);\nuse(list);", {2}),
    ],
)
def test_what_the_last_line_uses(text: str, last: set[int]) -> None:
    end = text.count("\n") + 1
    assert {a for a, b in data(text, LANGUAGE) if b == end} == last


def test_own_functions_go_before_the_librarys() -> None:
    text = """class A {
    static void swap(int[] a, int i) { a[i] = a[0]; }
    static int sort(int[] a) { return a[0]; }
    static void run(int[] a) {
        sort(a);
        swap(a, 1);
        use(a);
    }
}
"""
    found = data(text, LANGUAGE)
    assert (6, 7) in found
    assert (5, 7) not in found


def test_what_cannot_be_parsed_leaves_the_rest_right() -> None:
    text = "int a = 1;\nint b = = a;\nuse(a);\nint c = 2;\nuse(c);\n"
    found = data(text, LANGUAGE)
    assert found >= {(1, 3), (4, 5)}
    assert (1, 5) not in found


def test_names_are_those_of_other_languages() -> None:
    assert names("x = -y + (int) a[i];", LANGUAGE) == ["neg", "index", "+", "="]
    assert names("if (!done) return;", LANGUAGE) == ["!", "return"]


def test_every_kind_of_node_is_decided() -> None:
    grammar = Source("", LANGUAGE).grammar
    kinds = {kind for kind, numbers in grammar.kind_numbers.items() if grammar.named[numbers[0]]}
    hidden = {"ERROR", "expression", "primary_expression", "statement", "declaration"}
    undecided = {kind for kind in kinds if not kind.startswith("_")} - set(JAVA.lowering.rules)
    assert undecided - hidden == set()


def test_the_example_of_the_documentation() -> None:
    text = """static int first(Scanner in, int[] seen) {
    outer:
    while (in.hasNext()) {
        int k = in.nextInt();
        switch (k) {
            case 0:
                break outer;
            case 1:
                seen[0]++;
            default:
                seen[k]++;
        }
    }
    return seen[0];
}
"""
    assert control(text, LANGUAGE) == {(3, 4), (3, 5), (5, 7), (5, 9), (5, 11), (5, 3)}
    stored = {(9, 11), (11, 9), (9, 14), (11, 14)}
    scanned = {(1, 3), (1, 4), (4, 3), (4, 5), (4, 11)}
    assert data(text, LANGUAGE) == stored | scanned | {(1, 9), (1, 11), (1, 14)}
