import re

import pytest

from codekin import Source
from codekin.rewrite import rewrite

PYTHON = {
    "shadowing": """
x = 1
def f(x):
    def g():
        return x + 1
    return [x for x in range(x)], g()
result = f(3), x
""",
    "closures and nonlocal": """
def outer():
    count = 0
    def inner(step):
        nonlocal count
        count += step
        return count
    inner(2)
    return inner(3), count
result = outer()
""",
    "global": """
total = 0
def add(n):
    global total
    total += n
add(4)
result = total
""",
    "comprehension reads the outer name first": """
n = [3, 4]
def f():
    return [n for n in n]
result = f(), n
""",
    "defaults are evaluated outside": """
a = 5
def f(a, b=a):
    a += 1
    return a, b
result = f(1)
""",
    "nested default": """
def f(a):
    def g(b, a=a):
        return a + b
    return g(1)
result = f(2)
""",
    "keyword calls": """
def f(first, second, third=3):
    first = first + 1
    return first - second * third
result = f(second=2, first=5)
""",
    "keyword only": """
def f(*values, start=0, **rest):
    for value in values:
        start += value
    return start, sorted(rest)
result = f(1, 2, start=5, extra=1)
""",
    "f-strings": """
def f(name, width):
    text = 'ab'
    return f"{name!r:>{width}} {text} {name=} {{text}}"
result = f("q", 6)
""",
    "lambda and walrus": """
def f(values):
    pairs = [last := v * 2 for v in values]
    key = lambda v, k=len(values): -v * k
    return pairs, last, sorted(values, key=key)
result = f([1, 3, 2])
""",
    "class in a function": """
def f(size):
    scale = 2
    class Box:
        size = 7
        def get(self, other):
            return self.size * other
        double = scale * 2
    return Box().get(size), Box.double, Box.size
result = f(3)
""",
    "attributes": """
class A:
    x = 1
    def __init__(self, x):
        self.x = x
        y = x
        self.y = y
    def m(self):
        x = self.x
        return x + A.x
result = A(4).m(), A(2).y
""",
    "exceptions, with, del, unpacking": """
import contextlib
@contextlib.contextmanager
def opened(value):
    yield value
def f(data):
    out = []
    with opened(data) as handle, opened((1, 2)) as (p, q):
        first, *rest = handle
        (a, [b, c]), d = ((first, [p, q]), rest)
        out.append((a, b, c, d))
    try:
        raise ValueError(first)
    except (TypeError, ValueError) as error:
        out.append(str(error))
    del rest
    for i, (k, v) in enumerate({'x': 1}.items()):
        out.append((i, k, v))
    else:
        i = 9
    i: int = i + 1
    return out, i
result = f([1, 2, 3])
""",
    "match": """
def f(command):
    match command:
        case [action, *others]:
            return action, others
        case {"k": value, **rest}:
            return value, rest
        case str() as word:
            return word
    return None
result = f(["a", 1]), f({"k": 1, "z": 2}), f("w")
""",
    "imports": """
def f(x):
    import math as m, os.path
    from functools import reduce
    y = m.floor(x)
    return reduce(lambda p, q: p + q, [y, y]), os.path.basename("a/b")
result = f(2.5)
""",
    "free before bound in a sibling": """
x = 10
def f():
    def g():
        return x
    def h():
        x = 1
        return x
    return g(), h()
result = f()
""",
    "locals are seen": """
def f(a):
    b = a
    return sorted(locals())
def g(c):
    d = c
    return eval("c + d")
def h(e):
    return e
result = f(1), g(2), h(3)
""",
    "splat calls": """
def f(a, b):
    c = a - b
    return c
result = f(**{"a": 1, "b": 2})
""",
    "decorated": """
import functools
def by_name(function):
    @functools.wraps(function)
    def call(value):
        return function(**{"item": value})
    return call
@by_name
def f(item):
    return item * 2
result = f(4)
""",
    "async": """
import asyncio
async def f(n):
    out = []
    async def g(k):
        return k + n
    out += [await g(i) for i in range(n)]
    return out
result = asyncio.run(f(3))
""",
    "arguments by strings": """
import threading
out = []
def f(item, other):
    kept = item, other
    out.append(kept)
thread = threading.Thread(target=f, args=(1,), kwargs={"other": 2})
thread.start()
thread.join()
result = out
""",
    "unicode": """
def größe(länge, 幅):
    Fläche = länge * 幅
    return f"{Fläche}"
result = größe(2, 3)
""",
    "mangled": """
class A:
    def f(self, __x):
        __y = __x + 1
        return __y
result = A().f(2)
""",
}


PYTHON["examples in docstrings"] = '''
def f(item, other):
    """
    >>> f(item = 1, other=2)
    -1
    """
    return item - other
import doctest
result = [
    doctest.DocTestRunner(verbose=False).run(test).failed
    for test in doctest.DocTestFinder().find(f, "f", globs={"f": f}, module=False)
]
'''
PYTHON["frames"] = """
import sys
def seen():
    return sorted(sys._getframe(1).f_locals)
def f(item):
    return seen()
result = f(1)
"""


PYTHON["names in queries"] = """
def f(table, limit):
    kept = table.query("size > @limit")
    return kept
def pytest_addoption(parser):
    parser.addoption("--x")
result = f.__name__
"""


def outcome(code):
    space = {}
    exec(code, space)
    return space["result"]


@pytest.mark.parametrize("name", PYTHON)
@pytest.mark.parametrize("seed", range(3))
def test_python_does_the_same(name, seed):
    code = PYTHON[name]
    assert not Source(code, "python").problems
    changed = rewrite(Source(code, "python"), "locals", seed)
    if changed is not None:
        assert outcome(changed) == outcome(code)


def words(text):
    return set(re.findall(r"[^\W\d]\w*", text))


def kept(code, language):
    """The words of a text that are still there, and those that have gone."""
    changed = rewrite(Source(code, language), "locals", 1)
    after = words(changed) if changed is not None else words(code)
    return words(code) & after, words(code) - after


@pytest.mark.parametrize(
    ("name", "gone", "stays"),
    [
        ("shadowing", set(), {"x", "f", "g", "result"}),
        ("closures and nonlocal", {"count", "step"}, {"outer", "inner"}),
        ("global", {"n"}, {"total", "add"}),
        ("keyword calls", set(), {"first", "second"}),
        ("keyword only", {"values", "value", "rest"}, {"start"}),
        ("f-strings", {"width"}, {"name", "text"}),
        ("class in a function", {"other"}, {"size", "Box", "double", "self"}),
        ("imports", {"y", "p", "q"}, {"m", "os", "reduce"}),
        ("locals are seen", {"e"}, {"a", "b", "c", "d"}),
        ("decorated", set(), {"item"}),
        ("arguments by strings", {"item", "kept"}, {"other"}),
        ("unicode", {"länge", "幅", "Fläche"}, {"größe"}),
        ("mangled", set(), {"__x", "__y"}),
        ("names in queries", {"table", "kept"}, {"limit", "parser"}),
    ],
)
def test_python_leaves_alone(name, gone, stays):
    left, lost = kept(PYTHON[name], "python")
    assert gone <= lost
    assert stays <= left


def renamed(code, language):
    """The changed text with new names written as v1, v2, ... in the order of appearance."""
    changed = rewrite(Source(code, language), "locals", 5)
    if changed is None:
        return None
    fresh = [w for w in re.findall(r"[^\W\d]\w*", changed) if w not in words(code)]
    for number, word in enumerate(dict.fromkeys(fresh), 1):
        changed = re.sub(rf"\b{word}\b", f"v{number}", changed)
    return changed


JAVASCRIPT = [
    (
        "function f(a = x) { var x = 2; return a + x; }",
        "function f(v1 = x) { var x = 2; return v1 + x; }",
    ),
    (
        "function f(a, g = (b = a) => { var a = b; return a; }) { return g(); }",
        "function f(v1, v2 = (v3 = v1) => { var v1 = v3; return v1; }) { return v2(); }",
    ),
    (
        "function f() { class A { static { var x = 1; } } return x; }",
        None,
    ),
    (
        "function f({ b = () => 1 }) { let a = (() => 1), c; c = class {}; console.log(a, b, c); }",
        None,
    ),
    (
        "function f(a) { const g = () => a; return g.name; }",
        "function f(v1) { const g = () => v1; return g.name; }",
    ),
    ("const f = (x) => ({ x });", "const f = (v1) => ({ x: v1 });"),
    (
        "function f({ a, b: c, d = 1 }, [e]) { return a + c + d + e; }",
        "function f({ a: v1, b: v2, d: v3 = 1 }, [v4]) { return v1 + v2 + v3 + v4; }",
    ),
    (
        "function f() { var o; ({ x, y: o } = g()); }",
        "function f() { var v1; ({ x, y: v1 } = g()); }",
    ),
    (
        "function f(a) { if (a) { var b = 1; } return b; }",
        "function f(v1) { if (v1) { var v2 = 1; } return v2; }",
    ),
    # The free x of the inner function is the global one, so no x changes.
    (
        "function f() { { let x = 1; g(x); } return x; }",
        None,
    ),
    ("function f(x, y = x) { return y.x; }", "function f(v1, v2 = v1) { return v2.x; }"),
    ("function f(a) { return eval('a'); }", None),
    ("function f(a) { with (a) { b; } }", None),
    ("const f = (a) => `${a} a`;", "const f = (v1) => `${v1} a`;"),
    (
        "class A { m(a) { this.a = a; return { a: a, m: this.m }; } }",
        "class A { m(v1) { this.a = v1; return { a: v1, m: this.m }; } }",
    ),
    (
        "function f(a) { lab: for (const b of a) { for (let c in b) { continue lab; } } }",
        "function f(v1) { lab: for (const v2 of v1) { for (let v3 in v2) { continue lab; } } }",
    ),
    (
        "function f() { try { g(); } catch (e) { h(e); } }",
        "function f() { try { g(); } catch (v1) { h(v1); } }",
    ),
    (
        "function f() { function g(a) { return a; } return g(1); }",
        "function f() { function g(v1) { return v1; } return g(1); }",
    ),
]
JAVA = [
    (
        "record R(int a, int b) { R(int a, int b) { int c = a; this.a = c; this.b = b; } }",
        "record R(int a, int b) { R(int a, int b) { int v1 = a; this.a = v1; this.b = b; } }",
    ),
    ("record R(int... a) { R(int... a) { this.a = a; } }", None),
    (
        "class A { void f() { try (R r = g(); R q = h()) { r.x(q); } catch (E e) { r.y(e); }}}",
        "class A { void f() { try (R r = g(); R v1 = h()) { r.x(v1); } catch (E v2) { r.y(v2); }}}",
    ),
    (
        "class A { void f() { try (R r = g()) { r.x(); } finally { r.y(); } } }",
        None,
    ),
    (
        "class A { void m(@P int a, final int b) { f(a, b); } }",
        "class A { void m(@P int a, final int v1) { f(a, v1); } }",
    ),
    (
        "class A { int x; int m(int x) { this.x = x; return x; } int n() { return x; } }",
        "class A { int x; int m(int v1) { this.x = v1; return v1; } int n() { return x; } }",
    ),
    # The first x of the method is the field.
    ("class A { int x; int m() { x = 1; int x = 2; return x; } }", None),
    (
        "class A { void m(int a) { f(b -> b + a, (c, d) -> c.a(d)); } }",
        "class A { void m(int v1) { f(v2 -> v2 + v1, (v3, v4) -> v3.a(v4)); } }",
    ),
    # A field of the class around may have the name.
    ("class A { void m(int a) { new B() { int n() { return a; } }; } }", None),
    (
        "class A { void m(Object o) { if (o instanceof B b) { b.c(); } } }",
        "class A { void m(Object v1) { if (v1 instanceof B b) { b.c(); } } }",
    ),
    (
        "class A { void m(int[] a) { l: for (int b : a) { "
        "try (R r = n(b)) { break l; } catch (E e) { e.f(); } } } }",
        "class A { void m(int[] v1) { l: for (int v2 : v1) { "
        "try (R v3 = n(v2)) { break l; } catch (E v4) { v4.f(); } } } }",
    ),
    ("record P(int a, int b) { P { if (a < 0) throw new E(); } }", None),
    (
        "class A { int m(int a) { return a + this.a + A.a(a) + a(); } }",
        "class A { int m(int v1) { return v1 + this.a + A.a(v1) + a(); } }",
    ),
]
C = [
    (
        "#if X\n#define S(x) #x\n#else\n#define S(x) g(x)\n#endif\nint f(int a) { return S(a); }\n",
        None,
    ),
    (
        "#define G(s, f) ((s).f)\n"
        "int f(int a, int b) { struct n x = { .a = b }; return G(x, a); }\n",
        "#define G(s, f) ((s).f)\n"
        "int f(int a, int v1) { struct n v2 = { .a = v1 }; return G(v2, a); }\n",
    ),
    (
        "#define P(a, b) a##b\n#define Q(a, b) P(a, b)\n"
        "int f(int c) { int xy = c; return Q(x, y); }\nint g(int c) { return c; }\n",
        "#define P(a, b) a##b\n#define Q(a, b) P(a, b)\n"
        "int f(int c) { int xy = c; return Q(x, y); }\nint g(int v1) { return v1; }\n",
    ),
    (
        "#define S(x) #x\n#define T(y) S(y)\n#define U T\n"
        "void f(int a, int b, int c) { g(T(a), U(h(b)), c); }\n",
        "#define S(x) #x\n#define T(y) S(y)\n#define U T\n"
        "void f(int a, int b, int v1) { g(T(a), U(h(b)), v1); }\n",
    ),
    (
        'int f(int a) { int b; asm("mov %[in], %0" : "=r"(b) : [in] "r"(a)); return b; }',
        'int f(int v1) { int v2; asm("mov %[in], %0" : "=r"(v2) : [in] "r"(v1)); return v2; }',
    ),
    (
        "int f(int n, int m) {\n#pragma omp parallel private(m)\n  return n + m; }\n",
        "int f(int v1, int m) {\n#pragma omp parallel private(m)\n  return v1 + m; }\n",
    ),
    (
        "struct s { int a; }; int f(struct s *a) { return a->a; }",
        "struct s { int a; }; int f(struct s *v1) { return v1->a; }",
    ),
    (
        "#define TWICE (n * 2)\nint f(int n, int m) { return TWICE + m; }\n",
        "#define TWICE (n * 2)\nint f(int n, int v1) { return TWICE + v1; }\n",
    ),
    (
        "#define SHOW(x) puts(#x)\nint f(int a, int b) { SHOW(a); return b; }\n",
        "#define SHOW(x) puts(#x)\nint f(int a, int v1) { SHOW(a); return v1; }\n",
    ),
    (
        "int g(int a); int f(int (*cb)(int a), int b[]) { extern int e; return cb(b[0]) + e; }",
        "int g(int a); int f(int (*v1)(int a), int v2[]) { extern int e; return v1(v2[0]) + e; }",
    ),
    (
        "struct node *f(struct node *node) { goto end; end: return node; }",
        "struct node *f(struct node *v1) { goto end; end: return v1; }",
    ),
    (
        "int x; int f(void) { int y = x; int x = y; return x; }",
        "int x; int f(void) { int v1 = x; int x = v1; return x; }",
    ),
    (
        "int f(int n) { int a[n], *p = a; return sizeof(a) / sizeof *p; }",
        "int f(int v1) { int v2[v1], *v3 = v2; return sizeof(v2) / sizeof *v3; }",
    ),
    (
        "struct s { int x; }; struct s f(int x) { return (struct s) { .x = x }; }",
        "struct s { int x; }; struct s f(int v1) { return (struct s) { .x = v1 }; }",
    ),
]
CPP = [
    (
        "void f(int a, int b, int c) { std::vector<int> v(a & b); g(a, b, c); }",
        "void f(int a, int b, int v1) { std::vector<int> v(a & b); g(a, b, v1); }",
    ),
    (
        "int f(int n) { vector<int> v(n); for (auto& [a, b] : m) v[a] = b; return v[0]; }",
        "int f(int v1) { vector<int> v2(v1); for (auto& [v3, v4] : m) v2[v3] = v4; return v2[0]; }",
    ),
    (
        "struct A { int x; A(int x, int y) : x(x), z{y} { } int z; };",
        "struct A { int x; A(int v1, int v2) : x(v1), z{v2} { } int z; };",
    ),
    (
        "void f(int a, int b) { auto g = [a, &b](int c) { return a + b + c; }; g(a); }",
        "void f(int v1, int v2) { auto v3 = [v1, &v2](int v4) { return v1 + v2 + v4; }; v3(v1); }",
    ),
    # The range is the member, which the loop variable hides only in the body.
    ("struct A { vector<int> s; void f() { for (auto s : s) g(s); } };", None),
    (
        "int f(int a, int b, int c, int d) { return a < b && c > (d); }",
        "int f(int v1, int v2, int v3, int v4) { return v1 < v2 && v3 > (v4); }",
    ),
    (
        "void f(int n) { if (auto it = m.find(n); it != m.end()) g(it->n, std::n, ns::it); }",
        "void f(int v1) { if (auto v2 = m.find(v1); v2 != m.end()) g(v2->n, std::n, ns::it); }",
    ),
    (
        "template <int N> int f(int a) { Foo g(); return g() + N + a; }",
        "template <int N> int f(int v1) { Foo g(); return g() + N + v1; }",
    ),
    (
        "void f() { try { } catch (const E& e) { e.what(); } }",
        "void f() { try { } catch (const E& v1) { v1.what(); } }",
    ),
    ("void f(int a) { struct L { int a; int g() { return a; } }; }", None),
]


@pytest.mark.parametrize(
    ("language", "code", "expected"),
    [
        (language, *case)
        for language, cases in (("javascript", JAVASCRIPT), ("java", JAVA), ("c", C), ("cpp", CPP))
        for case in cases
    ],
)
def test_renamed(language, code, expected):
    assert not Source(code, language).problems
    assert renamed(code, language) == expected


def test_typescript_rides_on_javascript():
    code = "class A { constructor(private a: number, b: string) { f(a, b); } }"
    assert renamed(code, "typescript") == code.replace("b", "v1").replace("numv1er", "number")


def test_new_names_are_new():
    from codekin.rewrite.fresh_names import WORDS

    text = "def f({0}):\n    return {0}\n".format(", ".join(WORDS))
    changed = rewrite(
        Source(text.replace("return ", "return (").rstrip() + ")\n", "python"), "locals"
    )
    assert changed is not None
    assert not words(changed) & set(WORDS)
