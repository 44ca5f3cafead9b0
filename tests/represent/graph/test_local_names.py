from __future__ import annotations

import pytest

from codekin import semantic_graph

CASES = {
    "python": (
        "def f(cb):\n    h = lambda x: x + 1\n    def inner(z):\n        return z\n"
        "    return cb(h(1)) + inner(2) + len(cb)\ng = lambda x: x\ng(1)\n",
        ["call", "call", "call:g", "call:inner", "call:len"],
        ["entry:<lambda>", "entry:<module>", "entry:f", "entry:g", "entry:inner"],
    ),
    "javascript": (
        "const top = (x) => x + 1;\nfunction g(cb) {\n  const loc = (y) => y * 2;\n"
        "  return cb(loc(3)) + top(2) + known(1);\n}\n",
        ["call", "call", "call:known", "call:top"],
        ["entry:<lambda>", "entry:<module>", "entry:g", "entry:top"],
    ),
    "cpp": (
        "int g(int (*cb)(int)) { auto add = [](int a) { return a + 1; }; return cb(add(2)); }",
        ["call", "call"],
        ["entry:<lambda>", "entry:g"],
    ),
    "java": (
        "class A { void m() { F half = x -> x / 2; int y = half.apply(3); go(y); } }",
        ["call:apply", "call:go"],
        ["entry:<lambda>", "entry:m"],
    ),
    "go": (
        "package p\nfunc f(cb func(int) int) int {\n\th := func(x int) int { return x + 1 }\n"
        "\treturn cb(h(1))\n}\n",
        ["call", "call"],
        ["entry:<lambda>", "entry:f"],
    ),
    "rust": (
        "fn f(cb: fn(i32) -> i32) -> i32 { let h = |x| x + 1; cb(h(1)) }",
        ["call", "call"],
        ["entry:<lambda>", "entry:f"],
    ),
}


@pytest.mark.parametrize("language", CASES)
def test_what_a_local_variable_holds_has_no_name_of_its_own(language):
    text, calls, entries = CASES[language]
    labels = sorted(node.label for node in semantic_graph(text, language).nodes())
    assert [label for label in labels if label.startswith("call")] == calls
    assert [label for label in labels if label.startswith("entry")] == entries


def test_an_imported_function_keeps_its_name_where_it_is_called():
    text = "const { save } = require('x');\nfunction f(a) {\n  return save(a);\n}\n"
    labels = [node.label for node in semantic_graph(text, "javascript").nodes()]
    assert "call:save" in labels


ARGUMENTS_OF_THE_NAME = {
    "java": "class A { int f(int max) { max = Math.max(max, 1); return max; } }",
    "cpp": "int f(int max) { max = std::max(max, 1); return max; }",
    "javascript": "function f(max) { max = Math.max(max, 1); return max; }",
    "rust": "fn f(max: i32) -> i32 { let max = std::cmp::max(max, 1); max }",
}


@pytest.mark.parametrize("language", ARGUMENTS_OF_THE_NAME)
def test_a_call_with_an_argument_of_its_name_keeps_it(language):
    graph = semantic_graph(ARGUMENTS_OF_THE_NAME[language], language)
    assert "call:max" in [node.label for node in graph.nodes()]


def test_what_a_method_calls_through_a_variable_has_no_name():
    text = "class A:\n    def m(self, op):\n        return op(1)\n"
    assert "call:op" not in [node.label for node in semantic_graph(text, "python").nodes()]


def test_what_calls_a_variable_that_is_its_argument_too_has_no_name():
    labels = [n.label for n in semantic_graph("def f(g):\n    return g(g)\n", "python").nodes()]
    assert "call" in labels
    assert "call:g" not in labels
