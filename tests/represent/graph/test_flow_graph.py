from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codekin import Source, semantic_graph
from codekin.represent.flow.control_flow import control_flow
from codekin.represent.graph.flow_graph import branch_labels, flow_graph, labelled_part
from codekin.represent.graph.parts import EdgeKind

LOOP = """\
def f(n):
    total = 0
    while n > 0:
        if n % 2:
            total += n
        else:
            total -= 1
        n = n - 1
    return total
"""


def _flow(text, language="python"):
    source = Source(text, language)
    return flow_graph(source.flow_ir, language=language, text=source.data)


def _steps(graph, labels):
    lines = graph.lines.tolist()
    names = ["exit" if node.label == "exit" else lines[node.index] for node in graph.nodes()]
    return {
        (names[e.source], names[e.target], labels.get((e.source, e.target), ""))
        for e in graph.edges()
        if e.kind is EdgeKind.CONTROL
    }


def test_statements_follow_each_other_by_the_outcomes_of_tests():
    graph, labels = _flow(LOOP)
    assert _steps(graph, labels) == {
        (1, 1, ""),
        (1, 2, ""),
        (2, 3, ""),
        (3, 4, "true"),
        (3, 9, "false"),
        (4, 5, "true"),
        (4, 7, "false"),
        (5, 8, ""),
        (7, 8, ""),
        (8, 3, ""),
        (9, "exit", ""),
    }


def test_an_exception_leads_to_its_handler():
    graph, labels = _flow("def f():\n    try:\n        g()\n    except E:\n        h()\n")
    assert "raised" in {word for _, _, word in _steps(graph, labels)}


@pytest.mark.parametrize("text", ["", "\n", "# only a comment\n", "x = (", "def f(:\n"])
def test_any_text_has_control_flow(text):
    graph, labels = _flow(text)
    edges = set(zip(graph.source.tolist(), graph.target.tolist(), strict=True))
    assert set(labels) <= edges


STATEMENTS = ["if a:", "while b:", "f()", "return", "break", "x = 1"]


def _reached(source, target, start):
    after = {}
    for one, other in zip(source.tolist(), target.tolist(), strict=True):
        after.setdefault(one, []).append(other)
    seen, waiting = set(start), list(start)
    while waiting:
        fresh = set(after.get(waiting.pop(), [])) - seen
        seen |= fresh
        waiting += fresh
    return seen


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(STATEMENTS), max_size=9), st.integers(0, 3))
def test_a_statement_is_reached_if_its_operations_are(kinds, dedent):
    depth, lines = 0, ["def g():"]
    for number, kind in enumerate(kinds):
        lines.append("    " * (depth + 1) + kind)
        depth = depth + 1 if kind.endswith(":") else max(0, depth - (number % 4 == dedent))
    lines.append("    " * (depth + 1) + "done()")
    source = Source("\n".join(lines), "python")
    ir, (graph, _) = source.flow_ir, _flow(source.text)
    flow = control_flow(ir)
    operations = _reached(flow.source, flow.target, flow.entries.tolist())
    spans = {(int(ir.start[i]), int(ir.statement[i])) for i in operations if i < len(ir)}
    wanted = {statement for _, statement in spans if statement >= 0}
    nodes = _reached(graph.source, graph.target, [0])
    assert {int(graph.statement[node]) for node in nodes} - {-1} >= wanted - {int(ir.statement[0])}
    unreached = set(ir.statement.tolist()) - wanted - {-1}
    assert not unreached & {int(graph.statement[node]) for node in nodes}


def test_control_edges_are_labelled_in_graphs_of_operations_and_statements():
    source = Source(LOOP, "python")
    for granularity in ("operation", "statement"):
        graph = semantic_graph(source, granularity=granularity)
        labels = branch_labels(graph, source.flow_ir)
        lines = graph.lines.tolist()
        said = {(lines[one], lines[other]): word for (one, other), word in labels.items()}
        assert said[4, 5] == "true"
        assert said[4, 7] == "false"
        assert said[3, 8] == "true"
        assert (3, 9) not in said


def test_labels_follow_a_part_of_a_graph():
    source = Source(LOOP + "\ndef g():\n    return 1\n", "python")
    graph, labels = flow_graph(source.flow_ir, language="python", text=source.data)
    part, words = labelled_part(graph, labels, graph.of_function("f"))
    assert _steps(part, words) == {s for s in _steps(graph, labels) if s[0] != 11 and s[0] != 12}
    assert labelled_part(graph, labels, graph.of_function("g"))[1] == {}
