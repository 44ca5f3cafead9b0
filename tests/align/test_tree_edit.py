"""Tree edit distance against other implementations, definitions and its own promises."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from codekin.align.tree_edit import (
    DEFAULT_STEPS,
    TreeEdit,
    tree_edit_distance,
    tree_edit_mapping,
)

Tree = tuple[list[int], list[int]]
Costs = dict[str, Any]

UNIT: Costs = {"delete": 1.0, "insert": 1.0, "rename": 1.0}


# Shapes: parents in preorder for about n nodes, at least one.


def chain(n: int) -> list[int]:
    return list(range(-1, max(n, 1) - 1))


def star(n: int) -> list[int]:
    return [-1] + [0] * (n - 1)


def right_comb(n: int) -> list[int]:
    parents = [-1]
    spine = 0
    while len(parents) + 2 <= n:
        parents += [spine, spine]
        spine = len(parents) - 1
    return parents


def left_comb(n: int) -> list[int]:
    depth = (n - 1) // 2
    return chain(depth + 1) + list(range(depth - 1, -1, -1))


def zigzag(n: int) -> list[int]:
    parents = [-1]
    later: list[int] = []
    spine = 0
    while len(parents) + len(later) + 2 <= n:
        if len(later) * 4 < len(parents):
            later.append(spine)
        else:
            parents.append(spine)
        parents.append(spine)
        spine = len(parents) - 1
    return parents + later[::-1]


def full_binary(n: int) -> list[int]:
    parents: list[int] = []

    def grow(size: int, parent: int) -> None:
        index = len(parents)
        parents.append(parent)
        for part in (size // 2, size - 1 - size // 2):
            if part > 0:
                grow(part, index)

    grow(max(n, 1), -1)
    return parents


def climbing(climbs: list[int]) -> list[int]:
    """Hang each node below the one before it, or below an ancestor so many levels up."""
    parents = [-1]
    for climb in climbs:
        parent = len(parents) - 1
        for _ in range(climb):
            parent = max(parents[parent], 0)
        parents.append(parent)
    return parents


SHAPES: list[Callable[[int], list[int]]] = [
    chain,
    star,
    left_comb,
    right_comb,
    zigzag,
    full_binary,
]


def random_tree(rng: random.Random, n: int, labels: int = 4, climb: int = 2) -> Tree:
    parents = climbing([rng.randrange(climb + 1) for _ in range(n - 1)])
    return [rng.randrange(labels) for _ in parents], parents


def shaped(rng: random.Random, shape: Callable[[int], list[int]], n: int) -> Tree:
    parents = shape(n)
    return [rng.randrange(3) for _ in parents], parents


@st.composite
def trees(draw: st.DrawFn, most: int) -> Tree:
    if draw(st.booleans()):
        parents = climbing(draw(st.lists(st.integers(0, 4), max_size=most - 1)))
    else:
        parents = draw(st.sampled_from(SHAPES))(draw(st.integers(1, most)))
    n = len(parents)
    return draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)), parents


def costs() -> st.SearchStrategy[Costs]:
    cost = st.one_of(
        st.integers(0, 5).map(float),
        st.sampled_from([0.1, 0.25, 1.5, 1 / 3, 1000.0, 40000.0]),
        st.floats(0, 10, allow_subnormal=False),
    )
    return st.one_of(
        st.just(UNIT), st.fixed_dictionaries({"delete": cost, "insert": cost, "rename": cost})
    )


# Independent implementations.


def children_of(tree: Tree) -> list[list[int]]:
    children: list[list[int]] = [[] for _ in tree[0]]
    for node, parent in enumerate(tree[1]):
        if parent >= 0:
            children[parent].append(node)
    return children


def by_definition(tree1: Tree, tree2: Tree, delete: float, insert: float, rename: float) -> float:
    """Memoised recursion over all forests, from the definition."""

    def nested(tree: Tree) -> tuple[Any, ...]:
        children = children_of(tree)
        built: dict[int, tuple[Any, ...]] = {}
        for node in range(len(tree[0]) - 1, -1, -1):
            built[node] = (tree[0][node], tuple(built[c] for c in children[node]))
        return (built[0],) if built else ()

    def size(forest: tuple[Any, ...]) -> int:
        return sum(1 + size(below) for _, below in forest)

    @cache
    def distance(f: tuple[Any, ...], g: tuple[Any, ...]) -> float:
        if not f or not g:
            return size(f) * delete + size(g) * insert
        (x, below_x), (y, below_y) = f[-1], g[-1]
        return min(
            distance(f[:-1] + below_x, g) + delete,
            distance(f, g[:-1] + below_y) + insert,
            distance(f[:-1], g[:-1]) + distance(below_x, below_y) + (rename if x != y else 0),
        )

    return distance(nested(tree1), nested(tree2))


class Node:
    """A node as the other packages want it."""

    def __init__(self, name: int) -> None:
        self.name = name
        self.children: list[Node] = []


def linked(tree: Tree) -> Node:
    nodes = [Node(label) for label in tree[0]]
    for node, parent in enumerate(tree[1]):
        if parent >= 0:
            nodes[parent].children.append(nodes[node])
    return nodes[0]


def by_zss(tree1: Tree, tree2: Tree, delete: float, insert: float, rename: float) -> float:
    zss = pytest.importorskip("zss")
    return float(
        zss.distance(
            linked(tree1),
            linked(tree2),
            get_children=lambda node: node.children,
            insert_cost=lambda node: insert,
            remove_cost=lambda node: delete,
            update_cost=lambda x, y: rename if x.name != y.name else 0,
        )
    )


def by_apted(tree1: Tree, tree2: Tree, delete: float, insert: float, rename: float) -> float:
    apted = pytest.importorskip("apted")

    class Config(apted.Config):  # type: ignore[misc, name-defined]
        def rename(self, x: Node, y: Node) -> float:
            return rename if x.name != y.name else 0

        def delete(self, x: Node) -> float:
            return delete

        def insert(self, y: Node) -> float:
            return insert

    return float(apted.APTED(linked(tree1), linked(tree2), Config()).compute_edit_distance())


def checked_cost(tree1: Tree, tree2: Tree, pairs: list[tuple[int, int]], paid: Costs) -> float:
    """Cost of a mapping, after checking that it is one."""
    assert len({i for i, _ in pairs}) == len(pairs) == len({j for _, j in pairs})
    end1, end2 = subtree_ends(tree1), subtree_ends(tree2)
    for at, (i, j) in enumerate(pairs):
        for x, y in pairs[at + 1 :]:
            assert i < x and j < y
            assert (x < end1[i]) == (y < end2[j])
    renamed = sum(tree1[0][i] != tree2[0][j] for i, j in pairs)
    deleted, inserted = len(tree1[0]) - len(pairs), len(tree2[0]) - len(pairs)
    return float(deleted * paid["delete"] + inserted * paid["insert"] + renamed * paid["rename"])


def subtree_ends(tree: Tree) -> list[int]:
    ends = list(range(1, len(tree[0]) + 1))
    for node in range(len(ends) - 1, 0, -1):
        parent = tree[1][node]
        ends[parent] = max(ends[parent], ends[node])
    return ends


def exact(tree1: Tree, tree2: Tree, **paid: Any) -> float:
    edit = tree_edit_distance(tree1, tree2, **paid)
    assert edit.exact and edit.lower == edit.upper == edit.distance
    return edit.distance


# Exact distances.


@settings(max_examples=300, deadline=None)
@given(trees(7), trees(7), costs())
@example(
    tree1=([0, 0, 0, 0, 0], [-1, 0, 1, 1, 0]),
    tree2=([1, 0, 0, 0, 0], [-1, 0, 1, 1, 0]),
    paid={"delete": 0.0, "insert": 40000.0, "rename": 1e-05},
)
def test_equals_the_definition(tree1: Tree, tree2: Tree, paid: Costs) -> None:
    # Sums of small and large costs are rounded like the large ones.
    rounding = max(1e-12, 1e-14 * max(paid.values()))
    true = by_definition(tree1, tree2, **paid)
    assert exact(tree1, tree2, **paid) == pytest.approx(true, abs=rounding)


@settings(max_examples=100, deadline=None)
@given(trees(24), trees(24), costs())
def test_equals_zss(tree1: Tree, tree2: Tree, paid: Costs) -> None:
    assert exact(tree1, tree2, **paid) == pytest.approx(by_zss(tree1, tree2, **paid), abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(trees(24), trees(24))
def test_equals_apted(tree1: Tree, tree2: Tree) -> None:
    assert exact(tree1, tree2) == by_apted(tree1, tree2, **UNIT)


@pytest.mark.parametrize("shape1", SHAPES)
@pytest.mark.parametrize("shape2", SHAPES)
def test_larger_shapes_equal_apted(
    shape1: Callable[[int], list[int]], shape2: Callable[[int], list[int]]
) -> None:
    # Large enough for the optimal strategy to be searched and for heavy paths.
    rng = random.Random(f"{shape1.__name__} {shape2.__name__}")
    tree1, tree2 = shaped(rng, shape1, 61), shaped(rng, shape2, 48)
    assert exact(tree1, tree2) == by_apted(tree1, tree2, **UNIT)


@pytest.mark.parametrize("seed", range(6))
def test_larger_random_trees_equal_zss(seed: int) -> None:
    rng = random.Random(seed)
    tree1, tree2 = random_tree(rng, 70), random_tree(rng, 50, climb=1 + seed % 4)
    paid = {"delete": 2.0, "insert": 3.0, "rename": float(seed)}
    assert exact(tree1, tree2, **paid) == by_zss(tree1, tree2, **paid)


def test_every_cell_type_agrees() -> None:
    rng = random.Random(5)
    tree1, tree2 = random_tree(rng, 45), shaped(rng, zigzag, 55)
    unit = exact(tree1, tree2)
    for factor in (1.0, 0.25, 1000.0, 7.1e8, 1 / 3, 1e-30, 1e140):
        paid = {"delete": factor, "insert": factor, "rename": factor}
        assert exact(tree1, tree2, **paid) == pytest.approx(factor * unit, rel=1e-12)
    # One cost apart from the others keeps the units from being cut down.
    paid = {"delete": 9973.0, "insert": 9967.0, "rename": 9949.0}
    assert exact(tree1, tree2, **paid) == by_zss(tree1, tree2, **paid)


@settings(max_examples=100, deadline=None)
@given(trees(60), trees(60), costs())
def test_swapping_trees_and_costs_changes_nothing(tree1: Tree, tree2: Tree, paid: Costs) -> None:
    swapped = {**paid, "delete": paid["insert"], "insert": paid["delete"]}
    assert exact(tree1, tree2, **paid) == pytest.approx(exact(tree2, tree1, **swapped), abs=1e-9)


@settings(max_examples=100, deadline=None)
@given(trees(60), costs())
def test_equal_trees_have_distance_zero(tree: Tree, paid: Costs) -> None:
    assert exact(tree, tree, **paid) == 0


@settings(max_examples=100, deadline=None)
@given(trees(30), trees(30), trees(30))
def test_triangle_inequality(tree1: Tree, tree2: Tree, tree3: Tree) -> None:
    assert exact(tree1, tree3) <= exact(tree1, tree2) + exact(tree2, tree3)


@settings(max_examples=100, deadline=None)
@given(trees(12), trees(6), trees(6), trees(12), costs())
def test_shared_children_are_cut_exactly(
    head: Tree, tree1: Tree, tree2: Tree, tail: Tree, paid: Costs
) -> None:
    def joined(*parts: Tree) -> Tree:
        labels, parents = [0], [-1]
        for part in parts:
            offset = len(labels)
            labels += part[0]
            parents += [offset + p if p >= 0 else 0 for p in part[1]]
        return labels, parents

    whole1, whole2 = joined(head, tree1, tail), joined(head, tree2, tree1, tail)
    expected = by_zss(whole1, whole2, **paid)
    assert exact(whole1, whole2, **paid) == pytest.approx(expected, abs=1e-9)
    mapping = tree_edit_mapping(whole1, whole2, **paid)
    assert checked_cost(whole1, whole2, mapping.pairs, paid) == pytest.approx(expected, abs=1e-9)


def test_empty_trees() -> None:
    empty: Tree = ([], [])
    tree: Tree = ([4, 5, 6], [-1, 0, 0])
    assert exact(empty, empty) == 0
    assert exact(tree, empty, delete=2.5) == 7.5
    assert exact(empty, tree, delete=2.5, insert=0.1) == pytest.approx(0.3)
    assert tree_edit_mapping(empty, tree).pairs == []


def test_a_dear_rename_is_never_used() -> None:
    tree1: Tree = ([1, 2], [-1, 0])
    tree2: Tree = ([1, 3], [-1, 0])
    assert exact(tree1, tree2, rename=5) == 2
    assert tree_edit_mapping(tree1, tree2, rename=5).pairs == [(0, 0)]
    assert exact(tree1, tree2, delete=0, insert=0) == 0


# Mappings.


@settings(max_examples=200, deadline=None)
@given(trees(40), trees(40), costs())
def test_mapping_is_valid_and_costs_the_distance(tree1: Tree, tree2: Tree, paid: Costs) -> None:
    mapping = tree_edit_mapping(tree1, tree2, **paid)
    distance = exact(tree1, tree2, **paid)
    assert mapping.edit.exact and mapping.edit.distance == distance
    assert mapping.pairs == sorted(mapping.pairs)
    assert checked_cost(tree1, tree2, mapping.pairs, paid) == pytest.approx(distance, abs=1e-9)


# Budgets.


@settings(max_examples=300, deadline=None)
@given(trees(40), trees(40), costs(), st.floats(0, 6), st.booleans())
def test_bounds_enclose_the_distance(
    tree1: Tree, tree2: Tree, paid: Costs, share: float, starved: bool
) -> None:
    distance = exact(tree1, tree2, **paid)
    limits: dict[str, Any] = {"steps": int(share * len(tree1[0]) * len(tree2[0]))}
    if starved:
        limits["memory"] = limits["steps"]
    edit = tree_edit_distance(tree1, tree2, **paid, **limits)
    slack = 1e-9 * (1 + distance)
    assert edit.lower - slack <= distance <= edit.upper + slack
    assert edit.lower <= edit.upper and edit.exact == (edit.lower == edit.upper)
    mapping = tree_edit_mapping(tree1, tree2, **paid, **limits)
    cost = checked_cost(tree1, tree2, mapping.pairs, paid)
    assert cost == pytest.approx(mapping.edit.upper, abs=1e-9)


@settings(max_examples=100, deadline=None)
@given(trees(7), trees(7), costs(), st.lists(st.integers(0, 400), min_size=1, max_size=4))
def test_intervals_over_budgets(tree1: Tree, tree2: Tree, paid: Costs, budgets: list[int]) -> None:
    true = by_definition(tree1, tree2, **paid)
    nodes = len(tree1[0]) + len(tree2[0])
    slack = 1e-9 * (1 + true)
    last = 0.0, math.inf
    for steps in (0, 1, *sorted(budgets), DEFAULT_STEPS):
        edit = tree_edit_distance(tree1, tree2, **paid, steps=steps)
        assert edit == tree_edit_distance(tree1, tree2, **paid, steps=steps)
        assert edit.lower - slack <= true <= edit.upper + slack
        assert edit.exact == (edit.lower == edit.upper)
        assert edit.steps <= max(steps, nodes)
        assert last[0] <= edit.lower + slack and edit.upper <= last[1] + slack
        last = edit.lower, edit.upper
    assert edit.exact


@pytest.mark.parametrize("steps", [0, 4_000_000])
def test_bounds_of_trees_beyond_the_budget(steps: int) -> None:
    rng = random.Random(steps)
    tree1 = shaped(rng, zigzag, 1001)
    tree2 = ([label if rng.random() < 0.9 else 3 for label in tree1[0]], tree1[1])
    edit = tree_edit_distance(tree1, tree2, steps=steps)
    changed = sum(x != y for x, y in zip(tree1[0], tree2[0], strict=True))
    assert edit.lower <= changed
    assert edit.upper == changed, "equal shapes are matched node by node"


def test_steps_are_a_sharp_budget() -> None:
    rng = random.Random(3)
    tree1, tree2 = random_tree(rng, 150), random_tree(rng, 130)
    full = tree_edit_distance(tree1, tree2)
    assert tree_edit_distance(tree1, tree2, steps=full.steps) == full
    assert not tree_edit_distance(tree1, tree2, steps=full.steps - 1).exact


def test_huge_trees_beyond_the_budget_take_linear_time() -> None:
    rng = random.Random(1)
    tree1 = random_tree(rng, 200_000, labels=50)
    tree2 = (list(tree1[0]), list(tree1[1]))
    for at in rng.sample(range(200_000), 100):
        tree2[0][at] = 77
    mapping = tree_edit_mapping(tree1, tree2, steps=1_000_000)
    assert mapping.edit.lower == 100 == mapping.edit.upper
    assert mapping.edit.exact


# Scale and threads.


@pytest.mark.parametrize("shape", [chain, left_comb, right_comb])
def test_deep_trees(shape: Callable[[int], list[int]]) -> None:
    rng = random.Random(2)
    n = 10_000 if shape is chain else 4_000
    tree1, tree2 = shaped(rng, shape, n), shaped(rng, shape, n - 500)
    edit = tree_edit_distance(tree1, tree2)
    assert edit.exact and 250 <= edit.distance <= n


def test_a_deep_chain_against_itself_and_one_change() -> None:
    labels = list(range(100_000))
    tree: Tree = (labels, chain(100_000))
    assert exact(tree, tree) == 0
    changed: Tree = ([*labels[:99_990], -1, *labels[99_991:]], tree[1])
    assert exact(tree, changed) == 1
    assert len(tree_edit_mapping(tree, changed).pairs) == 100_000


def test_threads_agree() -> None:
    rng = random.Random(9)
    pairs = [(shaped(rng, rng.choice(SHAPES), 150), random_tree(rng, 120)) for _ in range(20)]
    alone = [tree_edit_distance(*pair) for pair in pairs]
    with ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(lambda: [tree_edit_distance(*p) for p in pairs]) for _ in range(2)]
        assert [run.result() for run in runs] == [alone, alone]


# Input.


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (([1], [0]), r"parents\[0\]"),
        (([1, 2], [-1, -1]), "second root"),
        (([1, 2], [-1, 1]), "before its child"),
        (([1, 2], [-1, 7]), "before its child"),
        (([1, 2], [-1, -7]), "second root"),
        (([1, 2, 3, 4], [-1, 0, 0, 1]), "preorder"),
        (([1, 2], [-1]), "length"),
        (([], [-1]), "length"),
        (([1, 2], [-1, 1 << 40]), "range"),
    ],
)
def test_bad_trees_are_rejected(tree: Tree, message: str) -> None:
    good: Tree = ([1], [-1])
    with pytest.raises(ValueError, match=message):
        tree_edit_distance(tree, good)
    with pytest.raises(ValueError, match=message):
        tree_edit_mapping(good, tree)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(-3, 12), max_size=12))
def test_garbage_parents_never_crash(parents: list[int]) -> None:
    tree: Tree = ([0] * len(parents), parents)
    try:
        edit = tree_edit_distance(tree, ([0], [-1]))
    except ValueError:
        return
    assert edit.distance == abs(len(parents) - 1)


@pytest.mark.parametrize("bad", [-1.0, float("nan"), float("inf"), 1e200])
@pytest.mark.parametrize("which", ["delete", "insert", "rename"])
def test_bad_costs_are_rejected(which: str, bad: float) -> None:
    tree: Tree = ([1], [-1])
    paid: Costs = {which: bad}
    with pytest.raises(ValueError, match="costs"):
        tree_edit_distance(tree, tree, **paid)


def test_bad_limits_are_rejected() -> None:
    tree: Tree = ([1], [-1])
    with pytest.raises(ValueError, match="steps"):
        tree_edit_distance(tree, tree, steps=-1)
    with pytest.raises(ValueError, match="memory"):
        tree_edit_distance(tree, tree, memory=-1)


@pytest.mark.parametrize("labels", [[1.5], [[1]], ["x"], [None]])
def test_labels_must_be_integers(labels: Any) -> None:
    with pytest.raises(TypeError):
        tree_edit_distance((labels, [-1]), ([1], [-1]))


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"])
def test_integer_arrays_of_any_kind(dtype: str) -> None:
    labels = np.array([1, 0, 2, 0, 3, 0], dtype)[::2]
    parents = np.array([-1, 0, 0], "i8")
    assert tree_edit_distance((labels, parents), ([1, 2, 4], [-1, 0, 0])).distance == 1


def test_result_is_a_plain_value() -> None:
    edit = tree_edit_distance(([1], [-1]), ([2], [-1]))
    assert edit == TreeEdit(1.0, 1.0, True, edit.steps)
    assert edit.distance == 1.0
