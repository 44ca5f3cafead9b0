"""Exits as nodes: what reaches the end of a function."""

from __future__ import annotations

import codekin


def test_exits_take_what_reaches_them() -> None:
    text = "def f(x):\n    y = 1\n    y = x\n    return y\n"
    graph = codekin.semantic_graph(text, "python", exits=True)
    [end] = [node for node in graph.nodes() if node.kind == "exit"]
    reaching = [graph.node(edge.source).line for edge in graph.edges() if edge.target == end.index]
    assert end.function == "f"
    assert reaching == [1, 3, 4]  # the parameter, the second assignment, the return


def test_graphs_without_exits_are_the_same_otherwise() -> None:
    text = "def f(x):\n    return x\n\nprint(f(2))\n"
    plain = codekin.semantic_graph(text, "python")
    graph = codekin.semantic_graph(text, "python", exits=True)
    count = len(plain)
    assert graph.kind[:count].tolist() == plain.kind.tolist()
    kept = graph.target < count
    assert graph.source[kept].tolist() == plain.source.tolist()
    assert graph.target[kept].tolist() == plain.target.tolist()
    assert (graph.edge_kind[~kept] == 0).all()


def test_exits_of_statements() -> None:
    graph = codekin.semantic_graph("x = 1\n", "python", granularity="statement", exits=True)
    assert [node.kind for node in graph.nodes()] == ["root", "entry", "assign", "exit"]


def test_entries_by_data() -> None:
    text = "def f(x):\n    if x > 1:\n        g()\n"
    graph = codekin.semantic_graph(text, "python", entry="data")
    entry = next(n.index for n in graph.nodes() if n.kind == "entry" and n.function == "f")
    kinds = {edge.kind.name for edge in graph.edges() if edge.source == entry}
    assert kinds == {"DATA"}
    assert len(graph.successors(entry)) == 3


def test_what_a_hidden_constant_decides_hangs_on_what_is_above_it() -> None:
    text = "if x > 1:\n    while True:\n        f()\n        if g():\n            break\n"
    graph = codekin.semantic_graph(text, "python", fold=False)
    [call] = [node.index for node in graph.nodes() if node.label == "call:f"]
    deciding = {graph.node(e.source).line for e in graph.edges() if e.target == call}
    assert deciding == {1, 4}
