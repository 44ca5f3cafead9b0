from __future__ import annotations

from pathlib import Path

import pytest

import codekin
from codekin import CodekinError, Source, semantic_graph
from codekin.represent.graph.parts import EdgeKind
from codekin.represent.graph.semantic_graph import SemanticGraph

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples" / "graphs"


def _edges(graph: SemanticGraph, kind: EdgeKind) -> set[tuple[str, str]]:
    """Edges by the code at their ends; an entry is named by its label."""
    names = [node.text or node.label for node in graph.nodes()]
    return {(names[e.source], names[e.target]) for e in graph.edges() if e.kind is kind}


def test_paper_data_flow():
    """Figure 3: z comes from x in the one, from y in the other."""
    graph = semantic_graph(Source.from_file(EXAMPLES / "data_flow.py"), granularity="statement")
    data = _edges(graph, EdgeKind.DATA)
    assert {("x = 1", "z = x + 1"), ("y = x + 1", "z = y + 1")} <= data
    assert ("x = 1", "z = y + 1") not in data
    first, second = (graph.functions.index(name) for name in ("code1", "code2"))
    shapes = [
        sorted(
            (int(graph.lines[e.source]) - line, int(graph.lines[e.target]) - line)
            for e in graph.edges()
            if graph.function[e.source] == function and e.kind is EdgeKind.DATA
        )
        for function, line in ((first, 1), (second, 8))
    ]
    assert shapes[0] != shapes[1]


def test_paper_control_flow():
    """Figure 4: whether data is saved depends on the test before, which may return."""
    graph = semantic_graph(Source.from_file(EXAMPLES / "control_flow.py"))
    control = _edges(graph, EdgeKind.CONTROL)
    assert ("data is None", "save(data)") in control
    assert ("entry:process_data", "save(data)") not in control
    assert ("entry:process_data", "data is None") in control


def test_paper_call_flow():
    """Figure 5: the recursive call leads back to the entry, and that is a cycle."""
    graph = semantic_graph(Source.from_file(EXAMPLES / "call_flow.py"))
    assert _edges(graph, EdgeKind.CALL) == {("recursion(x.next)", "entry:recursion")}
    reached, todo = set(), [n.index for n in graph.nodes() if n.label == "entry:recursion"]
    entry = todo[0]
    while todo:
        for after in graph.successors(todo.pop()):
            if after not in reached:
                reached.add(after)
                todo.append(after)
    assert entry in reached


def test_a_source_remembers_its_graphs():
    source = Source("x = f(1)\n", "python")
    assert semantic_graph(source) is semantic_graph(source)
    assert semantic_graph(source, literals=True) is not semantic_graph(source)
    assert codekin.semantic_graph("x = f(1)\n", "python") == semantic_graph(source)


def test_text_may_be_anything():
    for text in ("", "\n", "def f(:", "}{", "x = \ud800", "é = 名 + 1"):
        graph = semantic_graph(text, "python")
        assert graph.labels[0] == "root"
        assert len(graph) >= 1


def test_wrong_words_are_refused():
    with pytest.raises(CodekinError, match="preset='x' is not one of joern"):
        semantic_graph("x", "python", preset="x")
    with pytest.raises(CodekinError, match="no option 'color'"):
        semantic_graph("x", "python", color=True)
    with pytest.raises(CodekinError, match="granularity='file' is not one of operation, statement"):
        semantic_graph("x", "python", granularity="file")


def test_a_test_of_a_constant_decides_nothing_unless_asked_for():
    text = "while True:\n    f()\n"
    folded = _edges(semantic_graph(text, "python", literals=True), EdgeKind.CONTROL)
    kept = _edges(semantic_graph(text, "python", literals=True, fold=False), EdgeKind.CONTROL)
    assert ("True", "f()") not in folded
    assert ("True", "f()") in kept


def test_functions_that_call_each_other_with_parts_of_their_parameters():
    text = """\
def even(node):
    node.mark = 0
    if node.next:
        odd(node.next.next, node)

def odd(node, last):
    last.next = node.left
    even(node.left.right)
    odd(node.next, last.next)
"""
    graph = semantic_graph(text, "python")
    assert _edges(graph, EdgeKind.CALL) == {
        ("odd(node.next.next, node)", "entry:odd"),
        ("even(node.left.right)", "entry:even"),
        ("odd(node.next, last.next)", "entry:odd"),
    }


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
