"""Refined nodes: equal for code that does the same, different where one operation differs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codekin import semantic_graph
from codekin.represent.graph.refinement import refined_nodes


def refined(text, language="python", **parameters):
    return refined_nodes(semantic_graph(text, language, labels="operator+literal"), **parameters)


def alike(first, second, language="python", **parameters):
    one, other = (refined(text, language, **parameters) for text in (first, second))
    return np.array_equal(one, other)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("y = a - 1 - i", "y = a - i - 1"),
        ("y = a + b * 2", "z = 2 * c + d"),
        ("p = f(a)\nq = b + 1\n", "q = b + 1\np = f(a)\n"),
        (
            "def f(a, b):\n    c = a * b\n    return c\n",
            "def g(x, y):\n    z = x * y\n    return z\n",
        ),
    ],
)
def test_order_and_names_do_not_matter(first, second):
    assert alike(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("y = a - 1 + i", "y = a - 1 - i"),
        ("y = a * (b + c)", "y = a * b + c"),
        ("a[0] = x * 2\na[1] = x + 3\n", "a[1] = x * 2\na[0] = x + 3\n"),
        ("p = f(a)\nq = p + 1\n", "q = p + 1\np = f(a)\n"),
        ("y = a and b and f(c)", "y = f(c) and a and b"),  # f may not run
        ("if a:\n    f(b)\ng(b)\n", "if a:\n    g(b)\nf(b)\n"),
    ],
)
def test_operations_and_what_they_depend_on_matter(first, second):
    assert not alike(first, second)


def test_more_rounds_look_farther():
    near, far = "x = f(g(h(1)))\ny = f(g(h(2)))\n", "x = f(g(h(2)))\ny = f(g(h(1)))\n"
    assert alike(near, far)
    crossed = "a = 1\nb = 2\nf(p(q(a)))\nk(p(q(b)))\n", "a = 1\nb = 2\nk(p(q(a)))\nf(p(q(b)))\n"
    assert alike(*crossed, rounds=1)
    assert not alike(*crossed, rounds=4)


@settings(max_examples=30, deadline=None)
@given(st.permutations(["p = f(a)", "q = g(b)", "r = a + b", "s = [a, 1]", "t = -b"]))
def test_independent_statements_may_come_in_any_order(lines):
    assert alike("\n".join(lines), "\n".join(sorted(lines)))


@pytest.mark.parametrize("text", ["", "x", "(", "while 1: x = x + x + x"])
def test_any_text_has_nodes(text):
    found = refined(text)
    assert len(found) >= 1 and (np.diff(found.astype(object)) >= 0).all()
