import re

import pytest

from codekin import Source
from codekin.rewrite import rewrite


def orders(code, language, pattern):
    """The orders in which names appear after each of many seeds; the first is the original."""
    found = {tuple(re.findall(pattern, code))}
    for seed in range(20):
        changed = rewrite(Source(code, language), "functions", seed)
        if changed is not None:
            assert sorted(changed) == sorted(code)  # nothing is lost
            found.add(tuple(re.findall(pattern, changed)))
    return found


def test_python_functions_move_with_their_comments():
    code = (
        "import os\n# of f\ndef f(): return 1  # behind f\n\n# of g\n# more\ndef g(a=1):\n"
        "    return f()\n    # end of g\ndef h(x: int, *f) -> int:\n    return 3\nprint(h(1))"
    )
    found = orders(code, "python", r"def (\w)")
    assert len(found) > 3
    changed = rewrite(Source(code, "python"), "functions", 1)
    assert "# of g\n# more\ndef g" in changed
    assert "def f(): return 1  # behind f\n" in changed
    assert changed.startswith("import os\n")
    assert changed.endswith("\nprint(h(1))")


@pytest.mark.parametrize(
    "code",
    [
        "def f(): pass\nx = f()\ndef g(): pass\n",  # code between
        "@d\ndef f(): pass\ndef g(): pass\n",  # a decorator runs
        "def f(): pass\ndef g(a=f): pass\n",  # a default needs the other
        "def f(): pass\ndef g() -> f: pass\n",  # an annotation does
        "def f(a=n()): pass\ndef g(a=n()): pass\n",  # calls in the heads
        "def f(): return 1\ndef f(): return 2\n",  # the last one holds
        "def f(): pass\ndef g(): pass\nprint(list(globals()))\n",  # the order is seen
        "if x:\n    def f(): pass\nelse:\n    def g(): pass\n",
    ],
)
def test_python_functions_that_stay(code):
    assert orders(code, "python", r"def (\w)") == {tuple(re.findall(r"def (\w)", code))}


def test_python_methods():
    code = "class A:\n    x = 1\n    def f(self): pass\n\n    def g(self): pass\n    y = 2\n"
    assert orders(code, "python", r"\b([fgxy])\b") == {tuple("xfgy"), tuple("xgfy")}


def test_c_functions_keep_behind_what_they_call():
    code = "int a() { return 1; }\nint b() { return a(); }\nint c() { return 2; }\n"
    found = orders(code, "c", r"int (\w)")
    assert found == {tuple("abc"), tuple("acb"), tuple("cab")}


@pytest.mark.parametrize(
    "head",
    ["int& a(int x)", "const int *a(int x)", "int N::a(int x) const", "int (*a(int x))(int)"],
)
def test_names_of_c_functions(head):
    code = f"{head} {{ return y; }}\nint b() {{ return a(1); }}\n"
    for seed in range(8):
        assert rewrite(Source(code, "cpp"), "functions", seed) is None
        free = rewrite(Source(code.replace("a(1)", "1"), "cpp"), "functions", seed)
        assert free is None or free.startswith("int b")
    assert free is not None


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("c", "int f() { return 1; }\nint x;\nint g() { return x; }\n"),
        ("c", "int f() { return 1; }\n#define N 2\nint g() { return N; }\n"),
        ("c", "#define F f()\nint f() { return 1; }\nint g() { return F; }\n"),
        ("typescript", "class A { @d f() { } g() { } }\n"),
        ("c", "int f() {\n#undef N\nreturn 1; }\nint g() { return N; }\n"),
        ("c", "int f() { return __LINE__; }\nint g() { return 1; }\n"),
        ("cpp", "bool operator<(A a, A b) { return 0; }\nbool g(A a, A b) { return a < b; }\n"),
        (
            "cpp",
            "int f(int a) { return 1; }\nint g() { return f(2L); }\nint f(long a) { return 2; }\n",
        ),
        ("cpp", "template <class T> T f(T a) { return a; }\nint g() { return f(1); }\n"),
        ("javascript", "const f = () => 1;\ng(f);\nconst h = () => 2;\n"),
        ("javascript", "const f = () => 1, k = 2;\nconst h = () => 2;\n"),
        ("javascript", "const f = (() => 1)();\nconst h = () => 2;\n"),
        ("javascript", "function f() { return 1; }\nfunction f() { return 2; }\n"),
        ("javascript", "class A { get x() { return 1; } set x(v) { } }\n"),
        ("javascript", "class A { [f()]() { } [g()]() { } }\n"),
    ],
)
def test_functions_that_stay(language, code):
    for seed in range(8):
        assert rewrite(Source(code, language), "functions", seed) is None


def test_java_methods_move_past_fields():
    code = (
        "class A {\n  int f() { return 1; }\n  int x = 1;\n"
        "  /** doc */\n  int g() { return 2; }\n}\n"
    )
    assert orders(code, "java", r"int (\w)") == {tuple("fxg"), tuple("gxf")}
    assert "/** doc */\n  int g" in rewrite(Source(code, "java"), "functions", 0)


def test_javascript_functions_are_hoisted():
    code = "f();\nfunction f() { g(); }\nlet x = 1;\nasync function g() { return x; }\n"
    assert orders(code, "javascript", r"function (\w)") == {tuple("fg"), tuple("gf")}


def test_javascript_without_semicolons():
    safe = "const f = () => { g() }\nconst h = () => 2\nf()\n"
    assert orders(safe, "javascript", r"const (\w)") == {tuple("fh"), tuple("hf")}
    # Moved to the end, f would be called by the bracket that follows.
    unsafe = "const f = () => { g() }\nconst h = () => 2;\n(h)()\n"
    for seed in range(8):
        assert rewrite(Source(unsafe, "javascript"), "functions", seed) is None


def test_a_comment_swallows_nothing():
    code = "int f() { return 1; } // c\nint g() { return 2; } int h() { return 3; }\n"
    for seed in range(8):
        changed = rewrite(Source(code, "c"), "functions", seed)
        assert changed is None or len(Source(changed, "c").tokens) == len(Source(code, "c").tokens)


def test_nested_functions_of_functions_that_move():
    code = "def f():\n    def a(): pass\n    def b(): pass\n    return a, b\ndef g(): pass\n"
    assert len(orders(code, "python", r"def (\w)")) >= 2
