import pytest

from codekin import Source
from codekin.rewrite import BREAKING, rewrite


def mutants(code, language, change):
    """Every text that a mutation makes of another, over many seeds."""
    return {rewrite(Source(code, language), change, seed) for seed in range(40)}


@pytest.mark.parametrize(
    ("language", "code", "expected"),
    [
        ("python", "x = a + b\n", {"x = a - b\n"}),
        ("python", "x = a < b <= c\n", {"x = a <= b <= c\n", "x = a < b < c\n"}),
        ("python", "x = a not in b\n", {"x = a in b\n"}),
        ("python", "x = a is b or c\n", {"x = a is not b or c\n", "x = a is b and c\n"}),
        ("python", "x //= 2\n", {"x *= 2\n"}),
        ("python", "x = 's' + y\n", {None}),
        ("python", "def f(*a, **b): pass\n", {None}),
        (
            "java",
            "class A { int x = b++ * 2; }",
            {"class A { int x = b-- * 2; }", "class A { int x = b++ / 2; }"},
        ),
        ("javascript", "x = a === b;", {"x = a !== b;"}),
        ("c", "int f(int a) { return a && !a; }", {"int f(int a) { return a || !a; }"}),
        ("cpp", "void f() { cout << a; }", {None}),
        ("cpp", "vector<int> f(A& a, A&& b);", {None}),
    ],
)
def test_operator(language, code, expected):
    assert mutants(code, language, "operator") == expected


@pytest.mark.parametrize(
    ("language", "code", "expected"),
    [
        ("python", "x = 5\n", {"x = 4\n", "x = 6\n"}),
        ("python", "x = 0\n", {"x = 1\n"}),
        ("python", "x = 1.5\n", {"x = 0.5\n", "x = 2.5\n"}),
        ("python", "x = True\n", {"x = False\n"}),
        ("python", "x = f'a{b}'\n", {"x = f'ax{b}'\n"}),
        ("python", "'''Doc.'''\nx = ''\n", {None}),
        ("python", "x = 0x1f\n", {None}),
        (
            "java",
            "class A { long a = 7L; }",
            {"class A { long a = 6L; }", "class A { long a = 8L; }"},
        ),
        ("java", "class A { char a = 'z'; }", {"class A { char a = 'a'; }"}),
        ("c", '#include "a.h"\nchar *s = "\\x41";\n', {None}),
        ("c", 'char *s = "ab";\n', {'char *s = "abx";\n'}),
        ("javascript", "'use strict'; import a from 'b';", {None}),
    ],
)
def test_constant(language, code, expected):
    assert mutants(code, language, "constant") == expected


@pytest.mark.parametrize(
    ("language", "code", "expected"),
    [
        ("python", "x = 1 if a else 2\n", {"x = 1 if not (a) else 2\n"}),
        (
            "python",
            "if a: b()\nelif c and d: e()\n",
            {"if not (a): b()\nelif c and d: e()\n", "if a: b()\nelif not (c and d): e()\n"},
        ),
        ("java", "class A { void f() { while (true) { } } }", {None}),
        ("java", "class A { int x = a ? 1 : 2; }", {"class A { int x = !(a) ? 1 : 2; }"}),
        ("cpp", "void f() { if (auto a = g()) h(); }", {None}),
        (
            "c",
            "void f(int a) { do a--; while (a > 1); }",
            {"void f(int a) { do a--; while (!(a > 1)); }"},
        ),
    ],
)
def test_condition(language, code, expected):
    assert mutants(code, language, "condition") == expected


@pytest.mark.parametrize(
    ("language", "code", "expected"),
    [
        (
            "python",
            "def f():\n    'Doc.'\n    x = 1\n    g(x)\n",
            {"def f():\n    'Doc.'\n    x = 1\n"},
        ),
        ("python", "for i in a:\n    g(i)\n", {"for i in a:\n    pass\n"}),
        ("python", "if a: g(); h()\n", {"if a: pass; h()\n", "if a: g(); pass\n"}),
        ("python", "x = 1\n", {"pass\n"}),
        (
            "java",
            "class A { void f() { int a = 1; g(a); } }",
            {"class A { void f() { int a = 1;  } }"},
        ),
        ("c", "void f(int a) { if (a) g(); }", {"void f(int a) { if (a) ; }"}),
        ("javascript", "function f() { return 1; }", {"function f() {  }"}),
    ],
)
def test_statement(language, code, expected):
    assert mutants(code, language, "statement") == expected


@pytest.mark.parametrize(
    ("language", "code", "expected"),
    [
        ("python", "f(a, b)\n", {"f(b, a)\n"}),
        ("python", "f(a, b=1, *c)\nx = a - b\n", {"f(a, b=1, *c)\nx = b - a\n"}),
        ("python", "f(a, a)\n", {None}),
        ("python", "x = (a + 1) - b * c\n", {"x = (b * c) - (a + 1)\n"}),
        ("java", "class A { int x = f(a, g(b)); }", {"class A { int x = f(g(b), a); }"}),
        ("javascript", "f(a, ...b); g(1 < 2)", {"f(a, ...b); g(2 < 1)"}),
    ],
)
def test_argument(language, code, expected):
    assert mutants(code, language, "argument") == expected


@pytest.mark.parametrize("change", BREAKING)
def test_one_place_changes(change):
    code = "def f(a, b):\n    if a < b:\n        g(a, 1)\n        h(b, 2)\n    return a - b\n"
    before = Source(code, "python").tokens.texts
    for text in mutants(code, "python", change):
        after = Source(text, "python").tokens.texts
        assert after != before
