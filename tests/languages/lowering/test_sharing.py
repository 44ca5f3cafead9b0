"""What two names share: changes through one reach uses through the other, and only those."""

import pytest
from tests.languages.lowering.dependences import data

from codekin import semantic_graph

SHARED = {
    "either of two lists": (
        "python",
        "def f(a, b, k):\n  c = a if k else b\n  c.append(3)\n  return b\n",
        (3, 4),
    ),
    "a default list": (
        "python",
        "def f(a, b):\n  c = a or b\n  c.append(3)\n  return b\n",
        (3, 4),
    ),
    "either of two addresses": (
        "c",
        "int f(int k) {\n int x = 1, y = 2;\n int *p = k ? &x : &y;\n *p = 3;\n return y;\n}\n",
        (4, 5),
    ),
    "addresses in an initialiser": (
        "c",
        "int f(void) {\n struct B p = {1, &s};\n struct B q = {2, &s};\n q.o->y = 3;\n"
        " return p.o->y;\n}\n",
        (4, 5),
    ),
    "parts that a function given away changes": (
        "javascript",
        "function f(m) {\n  m.forEach(v => v.push(5));\n  return m;\n}\n",
        (2, 3),
    ),
    "a list that grows in place": (
        "python",
        "def f(a):\n  c = a\n  c += [3]\n  return a\n",
        (3, 4),
    ),
    "a method with a name of its own": (
        "python",
        "def f(out, x):\n  add = out.append\n  add(x)\n  return out\n",
        (3, 4),
    ),
    "values of a map": (
        "java",
        "class A { Object f(Map<String, List<Integer>> m) {\n for (List<Integer> l : m.values())\n"
        "  l.add(4);\n return m;\n}}\n",
        (3, 4),
    ),
    "a view of a map": (
        "java",
        "class A { Object f(Map<String, Integer> m, String x) {\n m.keySet().remove(x);\n"
        " return m;\n}}\n",
        (2, 3),
    ),
}

APART = {
    "a slice is a new list": (
        "python",
        "def f(a):\n  b = a[:]\n  b.append(3)\n  return a\n",
        (3, 4),
    ),
    "a list does not keep what sorts it": (
        "java",
        "class A { int f(List<Integer> xs) {\n int[] c = new int[1];\n"
        " xs.forEach(x -> c[0] += x);\n int k = xs.size();\n return c[0];\n}}\n",
        (4, 5),
    ),
}


@pytest.mark.parametrize("name", SHARED)
def test_a_change_reaches_what_is_shared(name: str):
    language, text, pair = SHARED[name]
    assert pair in data(text, language)


@pytest.mark.parametrize("name", APART)
def test_a_change_reaches_nothing_else(name: str):
    language, text, pair = APART[name]
    assert pair not in data(text, language)


def test_yield_outside_of_a_switch_is_an_operation():
    graph = semantic_graph("class A { void f() { yield k; } }", "java")
    assert "yield" in graph.labels


def test_a_graph_that_a_source_keeps_cannot_be_changed():
    graph = semantic_graph("x = 1", "python")
    with pytest.raises(ValueError, match="read-only"):
        graph.label[0] = 1


def test_functions_of_the_text_keep_their_names():
    text = "def add(a, b):\n    return a\n\nadd(1, 2)\nnames.add(3)\n"
    labels = {node.label for node in semantic_graph(text, "python").nodes()}
    assert {"call:add", "call:append"} <= labels
