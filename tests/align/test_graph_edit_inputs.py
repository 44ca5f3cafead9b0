"""What the graph edit distance takes, and what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from tests.align.graph_edit_oracles import by_highs
from tests.align.labelled_graphs import Case, Graph, cases

from codekin import semantic_graph
from codekin.align.graph_edit import graph_edit_distance


@given(cases(5))
def test_arrays_and_sequences_are_the_same(case: Case) -> None:
    whole = case.measure()
    edges1, edges2 = (
        np.array(graph.edges, dtype=np.int32).reshape(-1, 3) for graph in (case.graph1, case.graph2)
    )
    names1, names2 = ([f"n{x}" for x in g.labels] for g in (case.graph1, case.graph2))
    options: dict[str, Any] = {
        "fixed": list(case.fixed),
        "forbidden": np.array(case.forbidden, dtype=np.int64).reshape(-1, 2).tolist(),
        "typed": case.typed,
    }
    assert graph_edit_distance(names1, edges1, names2, edges2, **options) == whole
    if not case.typed:
        plain1, plain2 = edges1[:, :2], [tuple(edge) for edge in edges2[:, :2].tolist()]
        assert graph_edit_distance(names1, plain1, names2, plain2, **options) == whole


PROGRAMS = [
    "def f(a):\n    for x in a:\n        print(x + 1)\n    return len(a)\n",
    "def f(a, b):\n    while a < b:\n        a = a + 1\n    return f(a, len(b))\n",
    "print(1)\n",
    "",
]


@pytest.mark.parametrize("typed", [False, True])
@pytest.mark.parametrize("text1", PROGRAMS)
@pytest.mark.parametrize("text2", PROGRAMS)
def test_semantic_graphs_are_measured_as_they_are(text1: str, text2: str, typed: bool) -> None:
    graph1, graph2 = semantic_graph(text1, "python"), semantic_graph(text2, "python")
    plain1, plain2 = (
        Graph(
            tuple(graph.labels[at] for at in graph.label.tolist()),
            tuple(
                zip(
                    graph.source.tolist(),
                    graph.target.tolist(),
                    graph.edge_kind.tolist(),
                    strict=True,
                )
            ),
        )
        for graph in (graph1, graph2)
    )
    case = Case(plain1, plain2, typed=typed)
    edit = graph_edit_distance(graph1, graph2, typed=typed)
    assert edit == case.measure()
    assert edit.exact and edit.distance == by_highs(case)
    assert (0, 0) in edit.mapping, "the roots match"


ONE = (["a", "b"], [(0, 1)])


@pytest.mark.parametrize(
    ("graph1", "options"),
    [
        ((["a", "b"], [(0, 2)]), {}),
        ((["a", "b"], [(-1, 0)]), {}),
        ((["a", "b"], [(0, 2**40)]), {}),
        (([], [(0, 0)]), {}),
        ((["a", "b"], [(0,)]), {}),
        ((["a", "b"], [(0, 1, 2, 3)]), {}),
        (ONE, {"fixed": [(0, 1)]}),
        (ONE, {"fixed": [(0, 2)]}),
        (ONE, {"fixed": [(-1, 0)]}),
        (ONE, {"fixed": [(0, 0), (0, 0)]}),
        ((["a", "a"], []), {"fixed": [(0, 0), (1, 0)]}),
        (ONE, {"fixed": [(0, 0)], "forbidden": [(0, 0)]}),
        (ONE, {"forbidden": [(0, 2)]}),
        (ONE, {"forbidden": [(0, -1)]}),
        ((["a", "b"], np.array([[-(2**63), 0]])), {}),
        (ONE, {"fixed": [(2**40, 0)]}),
        (ONE, {"forbidden": [(0, 2**40)]}),
        (ONE, {"steps": -1}),
        (ONE, {"steps": -(2**70)}),
    ],
)
def test_what_cannot_be_is_refused(graph1: tuple[Any, Any], options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"^(edge|fixed|forbidden|steps)"):
        graph_edit_distance(*graph1, *ONE, **options)


@pytest.mark.parametrize(
    ("graph1", "options"),
    [
        ((["a", "b"], [(0, "x")]), {}),
        ((["a", "b"], [(0, 0.5)]), {}),
        ((["a", "b"], [(0, None)]), {}),
        ((["a", ["b"]], [(0, 1)]), {}),
        ((["a", "b"], 3), {}),
        ((3, []), {}),
        (ONE, {"steps": "many"}),
        (ONE, {"steps": 1.5}),
        (ONE, {"fixed": [("a", "a")]}),
        (ONE, {"fixed": 3}),
    ],
)
def test_what_is_of_another_type_is_refused(
    graph1: tuple[Any, Any], options: dict[str, Any]
) -> None:
    with pytest.raises((TypeError, ValueError)) as refused:
        graph_edit_distance(*graph1, *ONE, **options)
    assert "incompatible function arguments" not in str(refused.value)


@pytest.mark.parametrize("name", ["node_costs", "edge_costs"])
@pytest.mark.parametrize(
    ("cost", "error", "told"),
    [
        (0.5, TypeError, "must be a whole number, not 0.5; multiply all costs"),
        ("1", TypeError, "must be a whole number, not '1'"),
        (-1, ValueError, "must be from 0 to 1,000,000, not -1"),
        (1_000_001, ValueError, "must be from 0 to 1,000,000, not 1,000,001"),
        (2**70, ValueError, "must be from 0 to 1,000,000"),
    ],
)
def test_costs_that_cannot_be_are_refused(
    name: str, cost: Any, error: type[Exception], told: str
) -> None:
    thing = {"node_costs": "a", "edge_costs": 0}[name]
    for costs in ({thing: cost}, lambda _: cost):
        options: dict[str, Any] = {name: costs}
        with pytest.raises(error, match=rf"^{name}: the cost of {thing!r} {told}"):
            graph_edit_distance(*ONE, *ONE, **options)


def test_costs_of_another_form_are_refused() -> None:
    with pytest.raises(TypeError, match="node_costs must be a mapping or a function, not int"):
        graph_edit_distance(*ONE, *ONE, node_costs=3)  # type: ignore[call-overload]


def test_costs_of_semantic_graphs_go_by_label_and_kind() -> None:
    graph1, graph2 = (semantic_graph(text, "python") for text in PROGRAMS[:2])
    plain = [
        ([graph.labels[at] for at in graph.label.tolist()], _edges(graph))
        for graph in (graph1, graph2)
    ]
    costs: dict[str, Any] = {"node_costs": len, "edge_costs": {np.uint8(1): np.int64(3)}}
    for typed in (False, True):
        edit = graph_edit_distance(graph1, graph2, typed=typed, **costs)
        assert edit == graph_edit_distance(*plain[0], *plain[1], typed=typed, **costs)
        assert edit.exact and edit.distance > graph_edit_distance(graph1, graph2).distance


def _edges(graph: Any) -> list[tuple[int, ...]]:
    ends = (graph.source.tolist(), graph.target.tolist(), graph.edge_kind.tolist())
    return list(zip(*ends, strict=True))


def test_what_is_no_graph_is_refused_in_words() -> None:
    with pytest.raises(TypeError, match=r"a graph is needed, not str; .* semantic_graph"):
        graph_edit_distance("def f(): pass", "def g(): pass")  # type: ignore[call-overload]


def test_more_steps_than_can_be_counted() -> None:
    assert graph_edit_distance(*ONE, *ONE, steps=2**70).exact
