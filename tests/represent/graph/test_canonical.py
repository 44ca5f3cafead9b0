from __future__ import annotations

import pytest

from codekin import Source, semantic_graph
from codekin.represent.graph.canonical import canonical_graph


def features(text: str, language: str = "c") -> list[list[int]]:
    graph = semantic_graph(Source(text, language), labels="operator+literal")
    return [sorted(bag.features.tolist()) for bag in canonical_graph(graph).bags()]


PROGRAM = """
int f(int n, int *a) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] != 3) s += a[i];
        else s -= 2;
    }
    return s;
}
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("i < n", "n > i"),
        ("i++", "i += 1"),
        ("i++", "i = i + 1"),
        ("i++", "++i"),
        ("s -= 2", "s = s - 2"),
        ("int s = 0;", "int t = 0; int s = t;"),
        (
            "if (a[i] != 3) s += a[i];\n        else s -= 2;",
            "if (a[i] == 3) s -= 2; else s += a[i];",
        ),
        ("a[i] != 3", "!(a[i] == 3)"),
    ],
)
def test_rewrites_that_keep_the_meaning_keep_the_features(before, after):
    text = PROGRAM.replace(before, after)
    assert text != PROGRAM
    assert features(text) == features(PROGRAM)


@pytest.mark.parametrize(
    ("before", "after"),
    [("s += a[i]", "s *= a[i]"), ("!= 3", "!= 4"), ("i++", "i += 2"), ("i < n", "i == n")],
)
def test_other_operations_have_other_features(before, after):
    assert features(PROGRAM.replace(before, after)) != features(PROGRAM)


def test_languages_meet():
    python = "def f(n):\n    i = 0\n    while i < n:\n        i += 1\n    return i\n"
    java = "class A { static int f(int n) { int i = 0; while (n > i) { i++; } return i; } }"
    assert features(python, "python") == features(java, "java")


@pytest.mark.parametrize("text", ["", ";", "int f(){}", "a = b; b = a;", "}{ ((", "x = 1"])
def test_small_and_broken_code_has_features(text):
    assert len(features(text)) == 4
    assert len({len(family) for family in features(text)}) == 1


def test_copies_in_a_loop_end():
    text = "int f(int a,int b){ while(a<b){ int t=a; a=b; b=t; } return a; }"
    assert features(text)[0]


def test_many_copies_take_no_quadratic_time():
    copies = "".join(f"if (c) x = y; else y = x; g({i});\n" for i in range(400))
    text = "int f(int c) { int x = 0, y = 1; while (c) {" + copies + "} return x; }"
    assert features(text)[0]
