"""Graph edit distances by hand and beside networkx, on cases of the kinds that its suite has."""

from __future__ import annotations

from typing import Any

import networkx
import pytest

from codekin.align.graph_edit import graph_edit_distance

Graph = tuple[str, list[tuple[int, int]]]
EMPTY: Graph = ("", [])
ONE: Graph = ("a", [])
LOOP: Graph = ("a", [(0, 0)])
PATH: Graph = ("aaaa", [(0, 1), (1, 2), (2, 3)])
CYCLE: Graph = ("aaaa", [(0, 1), (1, 2), (2, 3), (3, 0)])
OTHER_WAY: Graph = ("aaaa", [(0, 1), (1, 2), (2, 3), (0, 3)])
STAR: Graph = ("aaaa", [(0, 1), (0, 2), (0, 3)])
DIAMOND: Graph = ("aaaa", [(0, 1), (0, 2), (1, 3), (2, 3)])
LABELLED: Graph = ("abcd", [(0, 1), (1, 2), (1, 3)])
LONGER: Graph = ("abcde", [(0, 1), (1, 2), (2, 3), (2, 4)])
BOTH_WAYS: Graph = ("ab", [(0, 1), (1, 0)])

BY_HAND = [
    (EMPTY, EMPTY, 0),
    (EMPTY, ONE, 1),
    (ONE, LOOP, 1),
    (EMPTY, PATH, 7),
    (PATH, CYCLE, 1),
    (CYCLE, OTHER_WAY, 2),
    (PATH, STAR, 4),
    (OTHER_WAY, DIAMOND, 2),
    (LABELLED, LONGER, 4),
    (("a", []), ("b", []), 2),
    (("ab", [(0, 1)]), ("ab", [(1, 0)]), 2),
    (BOTH_WAYS, ("ab", [(0, 1)]), 1),
]


def by_networkx(one: Graph, other: Graph) -> float:
    """Where nodes of different labels cost 2 to be matched, as one deleted and one inserted."""

    def built(graph: Graph) -> Any:
        made = networkx.DiGraph()
        made.add_nodes_from((i, {"label": label}) for i, label in enumerate(graph[0]))
        made.add_edges_from(graph[1])
        return made

    def substitution(first: Any, second: Any) -> int:
        return 0 if first["label"] == second["label"] else 10

    found = networkx.graph_edit_distance(built(one), built(other), node_subst_cost=substitution)
    return float(found)


@pytest.mark.parametrize(("one", "other", "distance"), BY_HAND)
def test_known_distances(one: Graph, other: Graph, distance: int) -> None:
    for first, second in ((one, other), (other, one)):
        edit = graph_edit_distance(*first, *second)
        assert edit.exact and edit.distance == distance
        assert graph_edit_distance(*first, *first).distance == 0
    assert by_networkx(one, other) == distance


def test_roots_are_matched_whatever_it_costs() -> None:
    free = graph_edit_distance(*STAR, *STAR)
    assert free.distance == 0
    rooted = graph_edit_distance(*STAR, *STAR, fixed=[(0, 1)])
    assert rooted.exact and rooted.distance == 6
    leaves = graph_edit_distance(*STAR, *STAR, fixed=[(1, 2)])
    assert leaves.distance == 0
    with pytest.raises(ValueError, match="nodes of both graphs"):
        graph_edit_distance(*STAR, *STAR, fixed=[(9, 0)])


def test_a_budget_in_place_of_a_timeout() -> None:
    edit = graph_edit_distance(*STAR, *PATH, steps=0)
    assert edit.lower <= 4 <= edit.upper
    with pytest.raises(ValueError, match="negative"):
        graph_edit_distance(*STAR, *PATH, steps=-1)
