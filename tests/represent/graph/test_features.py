"""Features against a slow counterpart: dictionaries of tuples that say what a feature is."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin import Source, _native, semantic_graph
from codekin.represent.graph.features import (
    MAX_OCCURRENCES,
    Bag,
    Family,
    ProgramParts,
    families_of,
    feature_bags,
    feature_set,
    graph_names,
    operation_words,
    token_names,
)

DATA, CONTROL = 0, 1


def parts(text: str, language: str = "python") -> ProgramParts:
    source = Source(text, language)
    graph = semantic_graph(source, labels="operator+literal")
    return ProgramParts(language, source.tokens, graph, source.flow_ir)


@st.composite
def graphs(draw):
    size = draw(st.integers(1, 8))
    labels = draw(st.lists(st.sampled_from([3, 5, 7, 2**63]), min_size=size, max_size=size))
    node = st.integers(0, size - 1)
    edges = draw(st.sets(st.tuples(node, node, st.integers(0, 3)), max_size=20))
    return labels, sorted(edges)


def described(labels, edges):
    """For each family what every node looks like, as tuples."""
    names = [[], [], [], []]
    for node, label in enumerate(labels):
        givers = sorted(labels[s] for s, t, k in edges if t == node and k == DATA)
        takers = sorted(labels[t] for s, t, k in edges if s == node and k == DATA)
        deciders = sorted({labels[s] for s, t, k in edges if t == node and k == CONTROL})
        for family, around in enumerate(([], givers, takers, deciders)):
            names[family].append((label, *around))
    return names


def kernel(labels, edges):
    table = np.array(edges, dtype=np.int64).reshape(-1, 3)
    return _native.graph_features(
        np.array(labels, dtype=np.uint64),
        table[:, 0].astype(np.int32),
        table[:, 1].astype(np.int32),
        table[:, 2].astype(np.uint8),
    )


@given(graphs(), graphs())
def test_features_are_equal_where_their_descriptions_are(first, second):
    for found, other, names, others in zip(
        kernel(*first), kernel(*second), described(*first), described(*second), strict=True
    ):
        every = dict(zip(found.tolist() + other.tolist(), names + others, strict=True))
        assert len(every) == len(set(names + others))
        assert [every[f] for f in found.tolist()] == names
        assert [every[f] for f in other.tolist()] == others


@given(graphs(), st.randoms(use_true_random=False))
def test_the_order_of_nodes_and_edges_does_not_matter(graph, chance):
    labels, edges = graph
    place = list(range(len(labels)))
    chance.shuffle(place)
    moved = [labels[place.index(i)] for i in range(len(labels))]
    other = [(place[s], place[t], k) for s, t, k in edges]
    chance.shuffle(other)
    for one, two in zip(kernel(labels, edges), kernel(moved, other), strict=True):
        assert sorted(one.tolist()) == sorted(two.tolist())


def test_edges_must_lie_between_nodes():
    for edge in ((0, 1, 0), (-1, 0, 0)):
        with pytest.raises(ValueError, match=r"(source|target)\[0\] is -?1; expected a number"):
            kernel([3], [edge])


bags = st.lists(
    st.tuples(st.sampled_from(list(Family)), st.lists(st.integers(1, 5), max_size=30)), max_size=4
)


def as_bags(given_bags):
    return [Bag(family, np.array(numbers, dtype=np.uint64)) for family, numbers in given_bags]


def counted(given_bags):
    counts = Counter((family, n) for family, numbers in given_bags for n in numbers)
    return {key: min(count, MAX_OCCURRENCES) for key, count in counts.items()}


@given(bags, bags)
def test_what_sets_share_is_what_bags_share(first, second):
    one, ordinals = feature_set(as_bags(first))
    other, _ = feature_set(as_bags(second))
    assert (np.diff(one.astype(object)) > 0).all()
    a, b = counted(first), counted(second)
    assert len(np.intersect1d(one, other)) == sum(min(a[key], b.get(key, 0)) for key in a)
    expected = Counter((family, k) for (family, _), n in a.items() for k in range(1, n + 1))
    assert Counter(zip(families_of(one).tolist(), ordinals.tolist(), strict=True)) == expected


@given(st.lists(st.integers(1, 4), max_size=30))
def test_features_in_order_are_those_of_the_set(numbers):
    features = np.array(numbers, dtype=np.uint64)
    numbered = _native.numbered_features(2, features)
    found, _ = feature_set([Bag(Family.OUTPUTS, features)])
    seen = Counter()
    for number, feature in zip(numbers, numbered.tolist(), strict=True):
        seen[number] += 1
        assert (feature in set(found.tolist())) == (seen[number] <= MAX_OCCURRENCES)
    assert len(set(numbered.tolist())) == len(numbers)


def test_wrong_arguments_of_the_kernels_are_refused():
    one = np.ones(1, dtype=np.uint64)
    with pytest.raises(ValueError, match="family must be from 0 to 15"):
        _native.feature_set([(16, one)], 8)
    with pytest.raises(ValueError, match="most must be from 1 to 255"):
        _native.feature_set([(0, one)], 0)
    with pytest.raises(ValueError, match="family must be from 0 to 15"):
        _native.numbered_features(-1, one)


def test_features_of_a_program_have_names_in_the_same_order():
    program = parts("def f(x):\n    if x > 0:\n        return g(x, 'a')\n    return f(x + 1)\n")
    names = graph_names(program.graph)
    named = {name for family in names.values() for name, _ in family}
    assert {"call:own", "entry", "> ← 0, param", "call:g if >", "param → +, >, call:g"} <= named
    for bag in feature_bags(program):
        told = token_names(program) if bag.family is Family.TOKEN else names[bag.family]
        by_name: dict[str, set[int]] = {}
        for (name, _), feature in zip(told, bag.features.tolist(), strict=True):
            by_name.setdefault(name, set()).add(feature)
        assert all(len(features) == 1 for features in by_name.values())
        assert len(by_name) == len(set(bag.features.tolist()))


def test_what_a_variable_holds_has_no_name_when_called():
    program = parts(
        "def f(act, x):\n    inner = lambda y: y\n    return act(x) + inner(x) + g(x)\n"
    )
    words = operation_words(program.graph)
    assert "call:g" in words
    assert not {"call:act", "call:inner"} & set(words)
    assert {"call", "call:own"} <= set(words)


def test_features_are_the_same_on_every_machine():
    """The frequencies that ship are of these very numbers."""
    features, ordinals = feature_set(feature_bags(parts("f(1)\n")))
    assert ordinals.tolist() == [1] * 14
    assert [f"{feature:016x}" for feature in features.tolist()] == [
        *("09b815222ada35e6", "0c0e5e6deaec1245", "0f90eb5954bfa7f5", "1096cefbbe56dbff"),
        *("1177347b03adde42", "11be06916a8160e4", "2096cefbbe56dbff", "24e4302499319b90"),
        *("2ed7c6030c61076d", "3096cefbbe56dbff", "39f2083028513dc4", "3ebb42fd5f27e977"),
        *("4000000000000311", "4000000000000661"),
    ]
