import re

import pytest
from tests.rewrite.moved_code import apart

from codekin.rewrite.fresh_names import WORDS

_NAME = re.compile(rf"(?<![a-z])(?:{'|'.join(WORDS)})\(")


def outlined(code, language="python"):
    """Every text that a seed makes, with the name of the new function replaced by NEW."""
    found = apart(code, language, "outline")
    texts = found if isinstance(found, set) else {found}
    plain = set()
    for text in texts:
        plain.add(text and _NAME.sub("NEW(", text))
    return plain


def test_python_function():
    code = "def f(a, b):\n    c = a * 2\n    d = [c, b, a]\n    return d\n"
    assert outlined(code) == {
        "def f(a, b):\n    c = a * 2\n    d = _NEW(a, b, c)\n    return d\n"
        "\n\ndef _NEW(a, b, c):\n    d = [c, b, a]\n    return d\n",
        "def f(a, b):\n    d = _NEW(a, b)\n    return d\n"
        "\n\ndef _NEW(a, b):\n    c = a * 2\n    d = [c, b, a]\n    return d\n",
        "def f(a, b):\n    c = a * 2\n    return _NEW(a, b, c)\n"
        "\n\ndef _NEW(a, b, c):\n    d = [c, b, a]\n    return d\n",
    } | {text for text in outlined(code) if "c = _NEW(a)" in text}


def test_python_method_calls_a_function_of_the_module():
    code = "class A:\n    def f(self, b):\n        self.x = b * 2\n        return self.x\n"
    assert outlined(code) == {
        "def _NEW(self, b):\n    self.x = b * 2\n\n\n"
        "class A:\n    def f(self, b):\n        _NEW(self, b)\n        return self.x\n"
    }


@pytest.mark.parametrize(
    "body",
    [
        "    for x in b:\n        if x:\n            break\n",
        "    yield [b, b, b]\n    b += 1\n",
        "    import os\n    print(os.sep, b)\n    b += 1\n",
        "    global c\n    c = [b, b, b]\n    b += 1\n",
        "    c = lambda: [b, b, b]\n    b += 1\n",
        "    c = locals()\n    return [b, c]\n",
        "    g = (x for x in [b, b])\n    b += 1\n",
        "    if b:\n        return b\n    b += 1\n",
        "    return f(b - 1, b, b)\n    b += 1\n",  # recursion
        "    c = open(b, 'w', 1)\n    b += 1\n",
        '    """Doc of f and more."""\n    b += 1\n',
        "    del b[0][1][2]\n    b += 1\n",
        "    c, d = b, b + 1\n    return c + d\n",  # two results
        "    with b as c:\n        d = 1\n    return d\n",
    ],
)
def test_python_statements_that_stay(body):
    found = outlined(f"def f(b):\n{body}")
    assert found == {None}


def test_python_values_that_may_be_missing():
    code = "def f(b):\n    if b:\n        c = b\n    if b:\n        print(c, c, c)\n    b = 1\n"
    for text in outlined(code):
        assert text is None or "c)" not in text.split("NEW", 1)[1].split("\n")[0]


def test_a_value_of_the_turn_before():
    code = "def f(b):\n    for x in b:\n        if x:\n            kept = x\n"
    code += "        else:\n            print(kept)\n"
    assert outlined(code) == {None}
    assert outlined(code.replace("if x:", "if x + 1 + 2:").replace("kept)", "x)")) != {None}


def test_a_handler_sees_what_was_done():
    code = "def f(b):\n    n = 0\n    try:\n        n += b + 1\n        n += 1 / b\n"
    code += "    except E:\n        return n\n"
    assert outlined(code) == {None}


def test_c_function_comes_first():
    code = "int k;\n\n// about f\nint f(int n) {\n    int m = n * n + 1;\n    return m;\n}\n"
    assert outlined(code, "c") == {
        "int k;\n\nstatic int NEW(int n) {\n    int m = n * n + 1;\n    return m;\n}\n\n"
        "// about f\nint f(int n) {\n    int m = NEW(n);\n    return m;\n}\n"
    }


def test_c_arrays_are_passed_as_they_are_declared():
    code = "int f(void)\n{\n    int a[2][3] = {0};\n    a[1][2] = a[0][1] + 1;\n    return 0;\n}\n"
    assert (
        "static void NEW(int a[2][3])\n{\n    a[1][2] = a[0][1] + 1;\n}\n\n"
        "int f(void)\n{\n    int a[2][3] = {0};\n    NEW(a);\n    return 0;\n}\n"
    ) in outlined(code, "c")


def test_loop_variables_without_a_value_are_declared_again():
    code = (
        "int f(int n) {\n    int i, s = n;\n    for (i = 0; i < n; i++) s += i;\n    return s;\n}\n"
    )
    assert (
        "static int NEW(int n, int s) {\n    int i;\n    for (i = 0; i < n; i++) s += i;\n"
        "    return s;\n}\n\nint f(int n) {\n    int i, s = n;\n    s = NEW(n, s);\n"
        "    return s;\n}\n"
    ) in outlined(code, "c")


def test_the_variable_of_a_loop_is_kept():
    code = "void f(int n) {\n    for (int i = 0; i < n; i++) {\n        n = n / i;\n"
    code += "        g(i);\n        i -= 1;\n    }\n}\n"
    for text in outlined(code, "c"):
        new = text.partition("void f")[0]
        assert "i -= 1" not in new or "return i;" in new


def test_java_keeps_exceptions_and_static():
    code = "class A {\n    static int f(int n) throws E {\n        int m = g(n) + 1;\n"
    code += "        return m;\n    }\n}\n"
    assert outlined(code, "java") == {
        "class A {\n    static int f(int n) throws E {\n        int m = NEW(n);\n"
        "        return m;\n    }\n\n"
        "    private static int NEW(int n) throws E {\n        int m = g(n) + 1;\n"
        "        return m;\n    }\n}\n"
    }


def test_cpp_changes_variables_by_reference():
    code = "int f(int n) {\n    g(n, n + 1);\n    return n;\n}\n"
    assert outlined(code, "cpp") == {
        "static void NEW(int &n) {\n    g(n, n + 1);\n}\n\n"
        "int f(int n) {\n    NEW(n);\n    return n;\n}\n"
    }


@pytest.mark.parametrize(
    ("language", "body"),
    [
        ("c", "int a[n];\n  a[0] = n + n + 1;\n  return a[0];"),
        ("c", "int m = n;\n  if (sizeof(m) > n + 1) goto end;\n  end: return m;"),
        ("c", "int *p = &n, q = 1;\n  n = *p + *p + 1;\n  return n;"),
        ("c", "static int m = 0;\n  m = m + n + 1;\n  return m;"),
        ("c", "struct s { int x; } m;\n  m.x = n + n + 1;\n  return m.x;"),
        ("c", "va_list m;\n  va_start(m, n);\n  n = va_arg(m, int);\n  return n;"),
        ("c", "int m = 1;\n#ifdef X\n  m = m + n + 1;\n#endif\n  return m;"),
        ("cpp", "auto m = h(n);\n  m = m + n + 1;\n  return m;"),
        ("cpp", "auto [p, q] = h(n);\n  p = q + n + 1;\n  return p;"),
        ("cpp", "auto m = [&] { n = n + 1; };\n  m();\n  return n;"),
        ("java", "var m = h(n);\n  m = m + n + 1;\n  return m;"),
        ("java", "if (n > 0) {\n    while (true) { n = h(n + 1); }\n  }\n  throw new E();"),
        ("java", "class B { }\n  B m = new B();\n  return n;"),
        ("java", "int m;\n  try {\n    m = h(n) + 1;\n  } catch (E e) { m = 1; }\n  return m;"),
        ("javascript", "this.x = n + n + 1;\n  return n;"),
        ("javascript", "'use strict';\n  n = n + n + 1;\n  return n;"),
        ("javascript", "const m = arguments[0] + n;\n  return m;"),
        ("javascript", "const h = () => n;\n  n = n + n + 1;\n  return h();"),
    ],
)
def test_statements_that_stay(language, body):
    head = "function f(n)" if language == "javascript" else "int f(int n)"
    code = f"{head} {{\n  {body}\n}}\n"
    assert outlined(f"class A {{\n{code}}}\n" if language == "java" else code, language) == {None}
