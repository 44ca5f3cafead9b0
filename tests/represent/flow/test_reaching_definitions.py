"""Reaching definitions against a fixpoint over sets, and at scale."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codekin import _native

Triple = tuple[int, int, int]


@dataclass(frozen=True)
class Case:
    """Nodes with edges (source, target, kind), and for each node uses and (definition, strong)."""

    nodes: int
    edges: tuple[tuple[int, int, int], ...]
    entries: tuple[int, ...]
    uses: tuple[tuple[int, ...], ...]
    definitions: tuple[tuple[tuple[int, bool], ...], ...]


def found(case: Case, limit: int = 2_000_000) -> tuple[list[Triple], bool]:
    columns = np.array(case.edges, dtype=np.int32).reshape(-1, 3).T.copy()
    nothing = np.empty(0, dtype=np.int32)
    definition, use, location, complete = _native.reaching_definitions(
        case.nodes,
        columns[0],
        columns[1],
        columns[2].astype(np.uint8),
        np.array(case.entries, dtype=np.int32),
        nothing,
        -1,
        _offsets(case.uses),
        np.array([u for uses in case.uses for u in uses], dtype=np.int32),
        _offsets(case.definitions),
        np.array([d for ds in case.definitions for d, _ in ds], dtype=np.int32),
        np.array([s for ds in case.definitions for _, s in ds], dtype=np.uint8),
        limit,
    )
    return list(zip(definition.tolist(), use.tolist(), location.tolist(), strict=True)), complete


def _offsets(lists: tuple[tuple[object, ...], ...]) -> np.ndarray:
    return np.cumsum([0, *map(len, lists)]).astype(np.int32)


def by_sets(case: Case) -> list[Triple]:
    """The textbook: sets of (definition, location) at every node, until nothing changes."""
    edges = {(s, t) for s, t, kind in case.edges if kind <= 3}
    reached = set(case.entries)
    while more := {t for s, t in edges if s in reached} - reached:
        reached |= more
    edges = {(s, t) for s, t in edges if s in reached or t not in reached}
    after: list[set[tuple[int, int]]] = [set() for _ in range(case.nodes)]
    before: list[set[tuple[int, int]]] = [set() for _ in range(case.nodes)]
    changed = True
    while changed:
        changed = False
        for node in range(case.nodes):
            before[node] = {d for s, t in edges if t == node for d in after[s]}
            killed = {location for location, strong in case.definitions[node] if strong}
            kept = {(d, location) for d, location in before[node] if location not in killed}
            now = kept | {(node, location) for location, _ in case.definitions[node]}
            changed |= now != after[node]
            after[node] = now
    return sorted(
        {(d, n, loc) for n in range(case.nodes) for d, loc in before[n] if loc in case.uses[n]}
    )


@st.composite
def cases(draw: st.DrawFn, least: int = 1, locations: int = 4) -> Case:
    location = st.integers(0, locations - 1)
    nodes = draw(st.integers(least, 2 * least + 10))
    node = st.integers(0, nodes - 1)
    chain = [(i, i + 1, 0) for i in range(nodes - 1) if draw(st.booleans())]
    edges = draw(st.lists(st.tuples(node, node, st.integers(0, 4)), max_size=nodes * 2))
    uses = draw(st.lists(st.lists(location, max_size=3), min_size=nodes, max_size=nodes))
    some = st.lists(st.tuples(location, st.booleans()), max_size=2)
    definitions = draw(st.lists(some, min_size=nodes, max_size=nodes))
    return Case(
        nodes,
        (*chain, *edges),
        tuple(draw(st.lists(node, max_size=2))),
        tuple(map(tuple, uses)),
        tuple(map(tuple, definitions)),
    )


@settings(max_examples=600, deadline=None)
@given(cases())
def test_agrees_with_sets(case: Case) -> None:
    assert found(case) == (by_sets(case), True)


@settings(max_examples=60, deadline=None)
@given(cases(30, 2))
def test_agrees_with_sets_where_many_ways_meet(case: Case) -> None:
    assert found(case) == (by_sets(case), True)


@settings(max_examples=100, deadline=None)
@given(cases(), st.integers(0, 10))
def test_the_limit_gives_a_part_and_says_so(case: Case, limit: int) -> None:
    pairs, complete = found(case, limit)
    everything = by_sets(case)
    assert set(pairs) <= set(everything)
    assert len(pairs) <= limit
    assert pairs == everything if complete else pairs == sorted(pairs)
    assert found(case, limit) == (pairs, complete)


def straight(*steps: tuple[tuple[int, ...], tuple[tuple[int, bool], ...]], **more: object) -> Case:
    edges = tuple((i, i + 1, 0) for i in range(len(steps) - 1))
    uses, definitions = zip(*steps, strict=True)
    case = Case(len(steps), edges, (0,), tuple(uses), tuple(definitions))
    return Case(**{**case.__dict__, **more})


def test_a_strong_definition_kills_and_a_weak_one_does_not() -> None:
    define, maybe, use = ((), ((0, True),)), ((), ((0, False),)), ((0,), ())
    assert found(straight(define, define, use))[0] == [(1, 2, 0)]
    assert found(straight(define, maybe, use))[0] == [(0, 2, 0), (1, 2, 0)]


def test_an_operation_sees_its_own_definition_only_around_a_loop() -> None:
    step = ((0,), ((0, True),))
    assert found(straight(step))[0] == []
    assert found(straight(step, edges=((0, 0, 1),)))[0] == [(0, 0, 0)]
    assert found(straight(step, edges=((0, 0, 4),)))[0] == []


def test_code_after_a_jump_pairs_with_itself_only() -> None:
    define, use = ((), ((0, True),)), ((0,), ())
    steps = (define, define, use, use)
    case = straight(*steps, edges=((0, 3, 0), (1, 2, 0), (2, 3, 0)))
    assert found(case)[0] == [(0, 3, 0), (1, 2, 0)]


def test_what_the_late_entries_are_entered_from() -> None:
    empty = np.empty(0, dtype=np.int32)
    one = np.array([0, 0, 0], dtype=np.int32)
    arguments = (empty, empty, empty.astype(np.uint8), one[:1])
    effects = (
        np.array([0, 0, 1], dtype=np.int32),
        one[:1],
        np.array([0, 1, 1], dtype=np.int32),
        one[:1],
        np.ones(1, dtype=np.uint8),
        10,
    )
    late = np.array([1], dtype=np.int32)
    pairs = _native.reaching_definitions(2, *arguments, late, 0, *effects)
    assert [array.tolist() for array in pairs[:3]] == [[0], [1], [0]]
    assert not len(_native.reaching_definitions(2, *arguments, late, -1, *effects)[0])


def test_wrong_arrays_are_refused() -> None:
    with pytest.raises(ValueError, match=r"target\[0\] is 5; expected a number from 0 to 1"):
        found(Case(2, ((0, 5, 0),), (0,), ((), ()), ((), ())))
    with pytest.raises(ValueError, match=r"use\[0\] is -1; expected a number from 0"):
        found(Case(2, ((0, 1, 0),), (0,), ((-1,), ()), ((), ())))


def branches(count: int, *, variables: int, update: bool) -> Case:
    """``if c: x_i = x_i + 1`` (or ``x_i = 1``) again and again, and a use of all at the end."""
    edges: list[tuple[int, int, int]] = []
    uses: list[tuple[int, ...]] = [()]
    definitions: list[tuple[tuple[int, bool], ...]] = [tuple((v, True) for v in range(variables))]
    for i in range(count):
        test = 1 + 2 * i
        edges += [(test - 1, test, 0), (test, test + 1, 1), (test, test + 2, 2)]
        uses += [(), (i % variables,) if update else ()]
        definitions += [(), ((i % variables, True),)]
    edges.append((2 * count, 2 * count + 1, 0))
    uses.append(tuple(range(variables)))
    definitions.append(())
    return Case(2 * count + 2, tuple(edges), (0,), tuple(uses), tuple(definitions))


def nested_loops(depth: int) -> Case:
    """Loops in loops, each with a variable of its own: set before, used and changed at its end."""
    edges = [(i, i + 1, 0) for i in range(2 * depth)]
    edges += [(2 * depth - i, i + 1, 1) for i in range(depth)]
    uses = [(2 * depth - i,) if i > depth else () for i in range(2 * depth + 1)]
    definitions = [((i if i < depth else 2 * depth - i, True),) for i in range(2 * depth + 1)]
    return Case(2 * depth + 1, tuple(edges), (0,), tuple(uses), tuple(definitions))


@pytest.mark.parametrize(
    ("case", "pairs"),
    [
        (branches(5000, variables=1, update=False), 5001),
        (branches(5000, variables=5000, update=False), 10000),
        (branches(5000, variables=5000, update=True), 15000),
        (branches(1000, variables=1, update=True), 1000 * 1001 // 2 + 1001),
        (nested_loops(5000), 10000),
    ],
    ids=["one variable", "many variables", "many updates", "one update", "nested loops"],
)
def test_large_functions(case: Case, pairs: int) -> None:
    begin = time.perf_counter()
    triples, complete = found(case)
    assert time.perf_counter() - begin < 5
    assert (len(triples), complete) == (pairs, True)


def test_quadratic_pairs_stop_at_the_limit() -> None:
    triples, complete = found(branches(5000, variables=1, update=True), 100_000)
    assert (len(triples), complete) == (100_000, False)
