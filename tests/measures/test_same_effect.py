"""Whether one piece of code can take the place of another: forms, names and limits."""

from __future__ import annotations

import pytest

from codekin import Source
from codekin.measures.same_effect import do_alike


def alike(piece, reference, language="python"):
    return do_alike(Source(piece, language), Source(reference, language))


def test_helpers_may_have_other_names_and_what_others_call_may_not():
    reference = "def area(r):\n    return square(r) * 3\ndef square(x):\n    return x * x\n"
    assert alike(reference.replace("square", "power"), reference)
    assert not alike(reference.replace("area", "surface"), reference)
    assert alike(reference.replace("(r)", "(radius)"), reference)


def test_methods_belong_to_the_same_type():
    reference = "class Shop { int price(int n) { return n * 2; } }"
    assert alike("class Shop { int price(int k) { return 2 * k; } }", reference, "java")
    assert not alike(reference.replace("Shop", "Store"), reference, "java")


def test_names_that_no_operation_has_must_not_be_missing():
    """Fields are not operations, so only their names tell them apart."""
    reference = "class A { int count; int f() { return 1; } }"
    assert not alike(reference.replace("count", "total"), reference, "java")
    assert alike(f"import java.util.List;\n{reference}", reference, "java")
    assert not alike("x\n", "y\n")


@pytest.mark.parametrize(
    ("piece", "reference"),
    [
        ("x = f(2)\n", "x = f(3)\n"),
        ("x = f('a')\n", "x = f('b')\n"),
        ("x = (f(1)\n", "x = (f(1)\n"),  # neither parses
        ("x = f(1)\n", "x = g(1)\n"),
    ],
)
def test_other_values_and_broken_code_are_not_alike(piece, reference):
    assert not alike(piece, reference)


@pytest.mark.parametrize(
    ("language", "piece", "reference"),
    [
        ("python", "f(a, key=b)\n", "f(a, start=b)\n"),
        ("python", "f(*a)\n", "f(a)\n"),
        ("python", "async def f(a):\n    return a\n", "def f(a):\n    return a\n"),
        ("python", "x = a is 2\n", "x = a == 2\n"),
        (
            "python",
            "try: f()\nexcept A: g()\nexcept B: h()\n",
            "try: f()\nexcept B: g()\nexcept A: h()\n",
        ),
        ("javascript", "f({x: a});", "f({y: a});"),
        ("javascript", "f(a === b);", "f(a == b);"),
        ("javascript", "f(`a ${b}`);", "f(`c ${b}`);"),
        (
            "java",
            "class A { int f(Deque<Integer> d) { return d.poll(); } }",
            "class A { int f(Deque<Integer> d) { return d.pollLast(); } }",
        ),
        (
            "java",
            "class A { int f(double a) { return (int) a; } }",
            "class A { int f(double a) { return (long) a; } }",
        ),
        (
            "java",
            "class A { int f(int a) { switch (a) { case 1: return 2; case 2: return 3; } } }",
            "class A { int f(int a) { switch (a) { case 2: return 2; case 1: return 3; } } }",
        ),
        (
            "rust",
            "fn f(n: i32) { for i in 0..n { g(i); } }",
            "fn f(n: i32) { for i in 0..=n { g(i); } }",
        ),
    ],
)
def test_what_graphs_do_not_know_must_be_written_alike(language, piece, reference):
    assert not alike(piece, reference, language)
    assert alike(reference, reference, language)


@pytest.mark.parametrize(
    ("language", "piece", "reference"),
    [
        ("java", "class A { long f(int n) { int r = n; return r; } }", "int r/long r"),
        ("java", "class A { long f(int n) { return n * n; } }", "return n/return (long) n"),
        ("java", "class A { void f(int i) { g((char) 'A' + i); } }", "'A' + i/('A' + i)"),
        ("c", "void f() { char s[9], a[9]; int i, j; g(s, a, i, j); }", ", a[9]; int/; int a[9],"),
        ("c", "int f(int n) { int k = 0; while (n--) k += n; return k; }", "n--/--n"),
        ("c", "int f(int n) { if (n++) return 1; return n; }", "n++/++n"),
        ("python", "def f(s, n):\n    return s[n:] + s[:n]\n", "s[n:] + s[:n]/s[:n] + s[n:]"),
        (
            "python",
            "def f(a):\n    from math import ceil, floor\n    return ceil(a) if a else floor(a)\n",
            "ceil(a) if a else floor(a)/floor(a) if a else ceil(a)",
        ),
        (
            "python",
            "def f(a, b):\n    for x in b:\n        a.append(x)\n        g(a[-1])\n",
            "a.append(x)\n        g(a[-1])/g(a[-1])\n        a.append(x)",
        ),
        (
            "java",
            "class A { void f(int[] d) { for (int i : d) { d[i]++; g(d[i]); } } }",
            "d[i]++; g(d[i]);/g(d[i]); d[i]++;",
        ),
    ],
)
def test_real_bugs_are_noticed(language, piece, reference):
    """Each stands for bugs of contests that once went unnoticed."""
    before, after = reference.split("/")
    assert piece.count(before) == 1
    assert not alike(piece, piece.replace(before, after), language)
    assert alike(piece, piece, language)


def test_temporary_variables_may_have_types_that_the_other_text_names_elsewhere():
    reference = "class A { long f(long a, int b) { return a * b + 1; } }"
    temporary = "class A { long f(long a, int b) { long t = a * b; return t + 1; } }"
    assert alike(temporary, reference, "java")
    assert alike(reference, temporary, "java")
    assert not alike(temporary.replace("long t", "short t"), reference, "java")


def test_reading_comes_before_or_after_a_change_in_one_branch_only():
    """Which branch is written first does not matter."""
    change, read = "        a[1] = 2\n", "        b = a[0]\n"
    reference = f"def f(a, b):\n    if b == 1:\n{change}    else:\n{read}    return b\n"
    turned = f"def f(a, b):\n    if b != 1:\n{read}    else:\n{change}    return b\n"
    assert alike(turned, reference)


def test_more_may_be_imported_but_not_less():
    reference = "import heapq\ndef f(a):\n    return heapq.nlargest(3, a)\n"
    candidate = f"from typing import List\n{reference}"
    assert alike(candidate, reference)
    assert not alike(reference, candidate)
    renamed = "from heapq import {} as best\ndef f(a):\n    return best(3, a)\n"
    assert not alike(renamed.format("nlargest"), renamed.format("nsmallest"))


JAVA_TESTS = "int f(Object a) {{ return a instanceof {} ? 1 : a instanceof {} ? 2 : 3; }}"
JAVASCRIPT_FIELDS = "function f(a, b) {{ return {{{}: a, {}: b}}; }}"
EXCHANGED = [
    ("python", "def f(x, a, b):\n    return clip(x, {}=a, {}=b)\n", "low", "high"),
    ("python", "def f(xs, key):\n    return g(sorted(xs, {}=key), {}=key)\n", "key", "reverse"),
    ("javascript", JAVASCRIPT_FIELDS, "x", "y"),
    ("java", "int f({} a, {} b) {{ return g(a - b); }}", "int", "long"),
    ("java", JAVA_TESTS, "First", "Second"),
    ("java", "long f() {{ return g({}.MAX_VALUE, {}.MAX_VALUE); }}", "Integer", "Long"),
    ("cpp", "double f({} a, {} b) {{ return a - b; }}", "int", "unsigned"),
    ("c", "double f({} a, {} b) {{ return a - b; }}", "unsigned long", "short"),
]


@pytest.mark.parametrize(("language", "text", "one", "other"), EXCHANGED)
def test_what_graphs_do_not_know_keeps_its_place(language, text, one, other):
    reference, exchanged = text.format(one, other), text.format(other, one)
    assert alike(reference, reference, language)
    assert not alike(exchanged, reference, language)


def test_docstrings_do_not_count():
    reference = 'def f(a):\n    """Double."""\n    return a * 2\n'
    assert alike("def f(a):\n    return 2 * a\n", reference)


def test_names_that_are_local_in_one_text_do_not_count():
    """As that of the function here, which the other text calls a variable, too."""
    reference = "def total(a):\n    total = sum(a)\n    return total\n"
    assert alike("def total(a):\n    found = sum(a)\n    return found\n", reference)


def test_characters_are_not_strings():
    reference = 'void f(string s) { s += "2"; }'
    assert alike(
        reference.replace("string s", "string text").replace("s +=", "text +="), reference, "cpp"
    )
    assert not alike(reference.replace('"', "'"), reference, "cpp")
    assert alike("x = 'a'\n", 'x = "a"\n')


def test_nothing_is_told_of_very_long_code_and_of_languages_without_graphs():
    long = "x = f(1)\n" * 1200
    assert not alike(long, long)
    assert not alike("puts 1\n", "puts 1\n", "ruby")
