from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.represent.hand_made import HALF, MODULE, TEXT, K, flow_ir, little_graph, pairs

from codekin import CodekinError
from codekin.represent.flow.flow_ir import OperationKind
from codekin.represent.graph.parts import EdgeKind, GraphOptions
from codekin.represent.graph.semantic_graph import SemanticGraph, assemble

_KINDS = [kind for kind in OperationKind if kind > K.PARAMETER]


def _labelled(graph: SemanticGraph, kind: EdgeKind) -> list[tuple[str, str]]:
    names = [f"{node.label}@{node.line}" for node in graph.nodes()]
    return [(names[e.source], names[e.target]) for e in graph.edges() if e.kind is kind]


def test_nodes_are_the_root_then_operations_by_function():
    graph = little_graph()
    assert [node.label for node in graph.nodes()] == [
        *("root", "entry:<module>", "=", ">", "call:half", "call:len", "+", "="),
        *("entry:half", "param", "//", "return"),
    ]
    assert graph.kind[0] == 255
    assert graph.function.tolist() == [-1] + 7 * [0] + 4 * [1]
    assert graph.functions == ("<module>", "half")
    assert graph.node(4).text == "half(total)"
    assert graph.node(4).line == 5
    assert graph.node(0).function is None
    assert len(graph) == 12
    assert repr(graph) == "<SemanticGraph python 12 nodes 22 edges>"


def test_edges_by_kind():
    graph = little_graph()
    assert _labelled(graph, EdgeKind.CALL) == [("call:half@5", "entry:half@2")]
    assert _labelled(graph, EdgeKind.ROOT) == [
        ("root@0", "entry:<module>@1"),
        ("root@0", "entry:half@2"),
    ]
    assert (">@4", ">@4") in _labelled(graph, EdgeKind.CONTROL)
    assert ("=@5", ">@4") in _labelled(graph, EdgeKind.DATA)
    assert graph.successors(2) == [3, 4]
    assert graph.successors(11) == []


def test_constants_and_their_edges_are_there_only_when_asked_for():
    without, with_them = little_graph(), little_graph(literals=True)
    assert "constant" not in without.labels
    assert len(with_them) == len(without) + 2
    assert len(with_them.source) == len(without.source) + 2
    values = little_graph(labels="operator+literal")
    assert values.options.literals
    assert ("10@1", "=@1") in _labelled(values, EdgeKind.DATA)
    assert ("2@3", "//@3") in _labelled(values, EdgeKind.DATA)


def test_self_loops_can_be_left_out():
    kept, dropped = little_graph(), little_graph(self_loops=False)
    assert len(kept.source) - len(dropped.source) == 1
    assert not (dropped.source == dropped.target).any()


def test_statements_merge_their_operations():
    graph = little_graph(granularity="statement", literals=True)
    assert [(node.label, node.text) for node in graph.nodes() if node.text] == [
        ("=", "total = 10"),
        (">", "total > limit"),
        ("=", "total = half(total) + len(words)"),
        ("param", "n):"),
        ("return", "return n // 2\n"),
    ]
    assert ("=@5", ">@4") in _labelled(graph, EdgeKind.DATA)
    assert ("=@5", "entry:half@2") in _labelled(graph, EdgeKind.CALL)
    assert not (graph.source == graph.target).any()


def test_top_level_code_that_does_nothing_has_no_entry():
    ir = flow_ir([MODULE[:2], HALF])
    none = pairs([])
    graph = assemble(ir, none, none, none, text=TEXT.encode())
    assert [node.label for node in graph.nodes()][:2] == ["root", "entry:half"]
    assert _labelled(graph, EdgeKind.ROOT) == [("root@0", "entry:half@2")]
    kept = assemble(ir, none, none, none, GraphOptions(literals=True), text=TEXT.encode())
    assert kept.node(1).label == "entry:<module>"


def test_a_text_without_operations_is_a_root():
    none = pairs([])
    graph = assemble(flow_ir([[(K.ENTRY, "<module>", "", -1)]], ""), none, none, none)
    assert len(graph) == 1
    assert list(graph.edges()) == []
    assert graph.successors(0) == []
    for granularity in ("operation", "statement"):
        options = GraphOptions(granularity=granularity)
        assert len(assemble(flow_ir([[(K.ENTRY, "", "", -1)]], ""), none, none, none, options)) == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"granularity": "line"}, "granularity='line' is not one of operation, statement"),
        ({"labels": "none"}, "labels='none' is not one of operator, operator\\+literal"),
        ({"unknown": None}, "unknown=None is not one of receiver"),
        ({"literals": 1}, "literals=1 is neither True nor False"),
        ({"colour": "red"}, "no option 'colour'; it has granularity"),
    ],
)
def test_wrong_options_are_refused(options, said):
    with pytest.raises(CodekinError, match=said):
        GraphOptions.of(**options)


def _edges_one_by_one(
    ir_kinds: list[int], functions: list[int], parts: dict[EdgeKind, list[tuple[int, int]]]
) -> Iterator[tuple[int, int, int]]:
    """The edges of a graph, found one pair at a time."""
    node, nodes = {}, 1
    for operation, kind in enumerate(ir_kinds):
        if kind != K.CONSTANT:
            node[operation] = nodes
            nodes += 1
    for kind, listed in parts.items():
        for source, target in listed:
            end = functions.index(target) if kind is EdgeKind.CALL else target
            if source in node and end in node:
                yield node[source], node[end], int(kind)


@given(st.data())
def test_assembly_agrees_with_one_pair_at_a_time(data):
    sizes = data.draw(st.lists(st.integers(1, 6), min_size=1, max_size=4))
    functions = [
        [(K.ENTRY, f"f{number}", "", -1)]
        + [(data.draw(st.sampled_from(_KINDS)), "x", "", 0) for _ in range(size)]
        for number, size in enumerate(sizes)
    ]
    functions[0].append((K.ASSIGN, "=", "", 0))  # so that the top-level code does something
    kinds = [int(step[0]) for function in functions for step in function]
    owner = [number for number, function in enumerate(functions) for _ in function]
    place = st.integers(0, len(kinds) - 1)
    parts = {
        EdgeKind.DATA: data.draw(st.lists(st.tuples(place, place), max_size=20)),
        EdgeKind.CONTROL: data.draw(st.lists(st.tuples(place, place), max_size=20)),
        EdgeKind.CALL: data.draw(
            st.lists(st.tuples(place, st.integers(0, len(functions) - 1)), max_size=5)
        ),
    }
    graph = assemble(
        flow_ir(functions, ""),
        pairs(parts[EdgeKind.CONTROL]),
        pairs(parts[EdgeKind.DATA]),
        pairs(parts[EdgeKind.CALL]),
    )
    entries = [(0, int(n), 3) for n in np.flatnonzero(graph.kind == K.ENTRY)]
    expected = sorted({*_edges_one_by_one(kinds, owner, parts), *entries})
    found = [(e.source, e.target, int(e.kind)) for e in graph.edges()]
    assert found == expected
    assert len(entries) == len(functions)
    assert SemanticGraph.from_json(json.dumps(graph.to_json())).to_json() == graph.to_json()


@given(st.lists(st.tuples(st.sampled_from(_KINDS), st.integers(-1, 3)), min_size=1), st.data())
def test_statements_agree_with_merging_one_by_one(steps, data):
    functions = [[(K.ENTRY, "", "", -1), *((kind, "x", "", one) for kind, one in steps)]] * 2
    place = st.integers(0, 2 * len(steps) + 1)
    found = data.draw(st.lists(st.tuples(place, place), max_size=30))
    ir, some, none = flow_ir(functions, ""), pairs(found), pairs([])
    fine = assemble(ir, none, some, none, GraphOptions(literals=True))
    coarse = fine.by_statement()
    groups: dict[tuple[int, int, int], list[int]] = {}
    for node in range(len(fine)):
        single = node if fine.statement[node] < 0 else -1
        key = (int(fine.function[node]), int(fine.statement[node]), single)
        groups.setdefault(key, []).append(node)
    named = {
        max(members, key=lambda node: (fine.kind[node] != K.CONSTANT, node)): members
        for members in groups.values()
    }
    order = sorted(named)
    merged = {old: new for new, name in enumerate(order) for old in named[name]}
    assert coarse.kind.tolist() == [fine.kind[name] for name in order]
    assert [(e.source, e.target, e.kind) for e in coarse.edges()] == sorted(
        {
            (merged[e.source], merged[e.target], e.kind)
            for e in fine.edges()
            if merged[e.source] != merged[e.target]
        }
    )
    assert coarse.by_statement() is coarse
