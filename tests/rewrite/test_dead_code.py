import pytest

from codekin import Source
from codekin.rewrite import rewrite


def results(code, language):
    return [rewrite(Source(code, language), "dead-code", seed) for seed in range(12)]


def test_python_behind_the_docstring():
    code = 'def f(a):\n    """Doc.\n    more"""\n    global g\n    g = a\n    return a + 1\n'
    for changed in results(code, "python"):
        space = {}
        exec(changed, space)
        assert space["f"](2) == 3
        assert space["f"].__doc__ == "Doc.\n    more"


def test_python_with_a_docstring_alone():
    for changed in results('def f():\n    """Doc."""', "python"):
        space = {}
        exec(changed, space)
        assert space["f"]() is None
        assert space["f"].__doc__ == "Doc."


@pytest.mark.parametrize(
    "code",
    [
        "def f(): return 1\n",
        "def f(a):\n    return locals()\n",
        "x = 1\n",
        "class A:\n    x = 1\n",
        "def f():\n    return g.__code__\n",
    ],
)
def test_python_without_a_place(code):
    assert set(results(code, "python")) == {None}


def test_java_calls_the_other_constructor_first():
    code = "class A extends B {\n  A(int a) {\n    super(a);\n    x = a;\n  }\n}\n"
    for changed in results(code, "java"):
        assert changed.split("{\n")[2].lstrip().startswith("super(a);")
        assert changed.index("super(a);") < changed.index("=")


def test_directives_of_javascript_come_first():
    code = "function f() { 'use strict'; return this; }\n"
    for changed in results(code, "javascript"):
        assert changed.startswith("function f() { 'use strict';\n")


def test_expressions_and_constants_have_no_body():
    assert set(results("const f = (a) => a;\n", "javascript")) == {None}
    assert set(results("constexpr int f(int a) { return a; }\n", "cpp")) == {None}
    assert set(results("interface A { int f(); }\n", "java")) == {None}


def test_a_comment_behind_the_brace():
    for changed in results("int f(int a) { // first\n  return a; }\n", "c"):
        assert "\n  // first\n" in changed
