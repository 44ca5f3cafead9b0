"""Tree edit distances by hand and beside apted, on cases of the kinds that its own suite has."""

from __future__ import annotations

from typing import Any

import pytest
from apted import APTED, PerEditOperationConfig
from apted.helpers import Tree
from pytest import approx

from codekin.align.tree_edit import FlatTree, tree_edit_distance, tree_edit_mapping

# Trees in apted's brackets, and the distance at costs of 1.
BY_HAND = [
    ("{a}", "{a}", 0),
    ("{a}", "{b}", 1),
    ("{}", "{a}", 1),
    ("{a{b}}", "{a}", 1),
    ("{a{b}{c}}", "{a{c}{b}}", 2),
    ("{a{b{c}}}", "{a{c{b}}}", 2),
    ("{a{b}{c}}", "{a{b{c}}}", 2),
    ("{a{b}{c}{d}}", "{a{x{b}{c}{d}}}", 1),
    ("{a{b{c{d{e}}}}}", "{a{b}{c}{d}{e}}", 6),
    ("{a{a{a}}}", "{a{a}{a}}", 2),
    ("{f{d{a}{c{b}}}{e}}", "{f{c{d{a}{b}}}{e}}", 2),
    ("{é{数}{ }}", "{é{数}}", 1),
]
PAIRS = [(one, other) for one, other, _ in BY_HAND]
COSTS = [(1.0, 1.0, 1.0), (0.4, 0.4, 0.6), (1.0, 0.8, 1.0), (2.0, 1.0, 5.0), (1.0, 1.0, 0.0)]


def flat(text: str) -> FlatTree:
    """Labels and parents of apted's tree, in preorder."""
    labels: list[int] = []
    parents: list[int] = []
    stack: list[tuple[Any, int]] = [(Tree.from_text(text), -1)]
    while stack:
        node, parent = stack.pop()
        place = len(labels)
        labels.append(hash(node.name) % 2**31)
        parents.append(parent)
        stack += [(child, place) for child in reversed(node.children)]
    return labels, parents


@pytest.mark.parametrize(("one", "other", "distance"), BY_HAND)
def test_known_distances(one: str, other: str, distance: int) -> None:
    for first, second in ((one, other), (other, one)):
        edit = tree_edit_distance(flat(first), flat(second))
        assert edit.exact and edit.distance == distance
        assert APTED(Tree.from_text(first), Tree.from_text(second)).compute_edit_distance() == (
            distance
        )


@pytest.mark.parametrize("costs", COSTS)
def test_one_cost_for_each_operation(costs: tuple[float, float, float]) -> None:
    delete, insert, rename = costs
    for one, other in PAIRS:
        trees = Tree.from_text(one), Tree.from_text(other)
        expected = APTED(*trees, PerEditOperationConfig(*costs)).compute_edit_distance()
        paid = {"delete": delete, "insert": insert, "rename": rename}
        assert tree_edit_distance(flat(one), flat(other), **paid).distance == approx(expected)


@pytest.mark.parametrize(("one", "other", "distance"), BY_HAND)
def test_a_mapping_costs_the_distance(one: str, other: str, distance: int) -> None:
    first, second = flat(one), flat(other)
    pairs = tree_edit_mapping(first, second).pairs
    renamed = sum(first[0][i] != second[0][j] for i, j in pairs)
    assert len(first[0]) + len(second[0]) - 2 * len(pairs) + renamed == distance
