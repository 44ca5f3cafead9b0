import pytest
from tests.rewrite.moved_code import apart


def inlined(code, language="python"):
    return apart(code, language, "inline")


@pytest.mark.parametrize(
    ("called", "caller"),
    [
        ("@memo\ndef g(a):\n    return a + 1\n", "    return g(b) * 2\n"),
        ("async def g(a):\n    return a + 1\n", "    return g(b)\n"),
        ("def g(a):\n    yield a\n", "    x = g(b)\n    return list(x)\n"),
        ("def g(a):\n    if a:\n        return 1\n    return 2\n", "    return g(b) * 2\n"),
        ("def g(a):\n    return a + g(a - 1)\n", "    return g(b) * 2\n"),
        ("def g(a, c=2):\n    return a + c\n", "    return g(b) * 2\n"),
        ("def g(*a):\n    return a\n", "    return g(b)\n"),
        ("def g(a, **c):\n    return c\n", "    return g(b)\n"),
        ("def g(a):\n    return a + 1\n", "    return g(*b)\n"),
        ("def g(a):\n    return a + 1\n", "    return g(a=b)\n"),
        ("def g(a):\n    return a + b\n", "    return g(b)\n"),  # another b
        ("def g(a):\n    return lambda: a + 1\n", "    return g(b)\n"),
        ("def g(a):\n    global b\n    b = a\n", "    g(b)\n"),
        ("def g(a):\n    import os\n    return os.sep + a\n", "    x = g(b)\n    return x\n"),
        ("def g(a):\n    f = open(a, 'w')\n    f.write(a)\n", "    g(b)\n    return b\n"),
        ("def g(a):\n    return f'{a=}'\n", "    return g(b)\n"),
        ("def g(a):\n    return a + 1\ng = h(g)\n", "    return g(b) * 2\n"),
        ("def g(a):\n    return a + 1\n", "    return map(g, b)\n"),
        ("def g(a):\n    return a + 1\n", "    return lambda b: g(b)\n"),
        ("def g(a):\n    return a * a\n", "    return b and g(next(b))\n"),  # called only if needed
        ("def g(a):\n    n = a + 1\n    return n\n", "    while g(b) < 3:\n        b += 1\n"),
        ("def g(a):\n    n = a + 1\n    return n\n", "    return h() + g(b)\n"),
        ("def g(a):\n    return a + 1\n", "    return locals(), g(b)\n"),
    ],
)
def test_python_calls_that_stay(called, caller):
    assert inlined(f"{called}\n\ndef f(b):\n{caller}") is None


@pytest.mark.parametrize(
    ("called", "caller", "found"),
    [
        ("return a * a", "return g(b) + 1", ["return (b * b) + 1"]),
        ("return a * a", "return -g(b)", ["return -(b * b)"]),
        ("return a * a", "return g(next(b))", ["a = next(b)", "return a * a"]),
        ("return a[0]", "return g(h(b)) + 1", ["return h(b)[0] + 1"]),
        ("return x(a)", "return g(b)", ["return x(b)"]),
        ("print(a)", "g(b)", ["print(b)"]),
        ("a += 1\n    return a", "b = g(b)", ["a = b", "a += 1", "b = a"]),
    ],
)
def test_python_calls(called, caller, found):
    code = f"def g(a):\n    {called}\n\n\ndef f(b):\n    {caller}\n"
    assert inlined(code) == code.replace(caller, "\n    ".join(found))


def test_private_functions_go_with_their_last_call():
    code = "def _g(a):\n    return a * a\n\n\ndef f(b):\n    return _g(b)\n"
    assert inlined(code) == "def f(b):\n    return b * b\n"
    assert inlined(code + "\n\nkept = _g\n") is None
    java = "class A {\n    // a comment\n    private static int g(int a) {\n        return a * 2;\n"
    java += "    }\n\n    static int f(int b) {\n        return g(b) + 1;\n    }\n}\n"
    assert inlined(java, "java") == (
        "class A {\n    static int f(int b) {\n        return (b * 2) + 1;\n    }\n}\n"
    )


def test_names_that_clash_are_new():
    code = "def g(a):\n    n = a + 1\n    return n * n\n\n\n"
    code += "def f(n):\n    m = g(n)\n    return m + n\n"
    for text in inlined(code):
        space = {}
        exec(text, space)
        assert space["f"](2) == 11
        assert "n = n" not in {line.strip()[:5] for line in text.splitlines()}


@pytest.mark.parametrize(
    ("language", "called", "caller"),
    [
        ("c", "int g(int a) { static int n; n += a; return n; }", "return g(b);"),
        ("c", "int g(int a) { return a + b; }", "return g(b);"),
        ("c", "#define g(a) 1\nint h(int a) { return a; }", "return g(b);"),
        ("c", "int g(char a[10]) { return sizeof(a); }", "char c[10]; return g(c) + b;"),
        ("c", "int g(int a) { if (a) return 1; return 2; }", "return g(b);"),
        ("c", "int g(int a) { x: return a; }", "return g(b);"),
        ("c", "int g(int a) { return __LINE__ + a; }", "return g(b);"),
        ("cpp", "int g(int a) { return a; }\nint g(long a) { return 2; }", "return g(b);"),
        ("cpp", "template <class T> int g(T a) { return a + 1; }", "return g(b);"),
        ("cpp", "struct S { int g(int a) { return a + 1; } } s;", "return s.g(b);"),
        ("cpp", "auto g(int a) { return a + 1; }", "return g(b);"),
        ("java", "int g(int a) { return a + 1; }", "return g(b);"),  # may be overridden
        ("java", "private static <T> T g(T a) { return a; }", "return g(b);"),
        ("java", "private static int g(int... a) { return 1; }", "return g(b);"),
        (
            "java",
            "private static Object g(Object a) { return a.hashCode(); }",
            "return (int) g(b);",
        ),
        ("java", "private static int g(int a) throws Exception { return a + 1; }", "return g(b);"),
        ("java", "private static synchronized int g(int a) { return a + 1; }", "return g(b);"),
        ("javascript", "function g(a) { return this.x + a; }", "return g(b);"),
        ("javascript", "function g(a) { return arguments.length + a; }", "return g(b);"),
        ("javascript", "function g(a = 1) { return a + 1; }", "return g(b);"),
        ("javascript", "function* g(a) { return a + 1; }", "return g(b);"),
        ("javascript", "async function g(a) { return a + 1; }", "return g(b);"),
    ],
)
def test_calls_that_stay(language, called, caller):
    head = "function f(b)" if language == "javascript" else "int f(int b)"
    code = f"{called}\n{head} {{\n  {caller}\n}}\n"
    assert inlined(f"class A {{\n{code}}}\n" if language == "java" else code, language) is None


@pytest.mark.parametrize(
    ("language", "called", "caller", "found"),
    [
        ("c", "int g(int a) { return a / 2; }", "return g(2.5) * b;",
         "return (((int) 2.5) / 2) * b;"),
        ("c", "int g(double a) { return a + 0.5; }", "return g(1.5);",
         "return ((int) (1.5 + 0.5));"),
        ("c", "int g(int a) { return a + 1; }", "return g(b) * 2;", "return (b + 1) * 2;"),
        # In C, operands are evaluated in any order: h comes first.
        ("c", "int n;\nint g(int a) { return a + n; }", "return g(h(b));",
         "int a = h(b);\n  return a + n;"),
        ("cpp", "void g(int& a) {\n  a++;\n}", "g(b);\n  return b;", "b++;\n  return b;"),
        ("cpp", "char g(int a) { return a + 1; }", "return g(b);", "return ((char) (b + 1));"),
        ("java", "static long g(long a) { return a * 2; }", "return (int) g(b);",
         "return (int) (((long) b) * 2);"),
        ("java", "static double g(int a) { return a / 2; }", "return (int) g(b);",
         "return (int) ((double) (b / 2));"),
        ("javascript", "function g(a) { return a + 1; }", "return g(b) * 2;",
         "return (b + 1) * 2;"),
    ],
)  # fmt: skip
def test_conversions_are_kept(language, called, caller, found):
    head = "function f(b)" if language == "javascript" else "int f(int b)"
    code = f"{called}\n{head} {{\n  {caller}\n}}\n"
    if language == "java":
        code = f"class A {{\n{code}}}\n"
    assert inlined(code, language) == code.replace(caller, found)
