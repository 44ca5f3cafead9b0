from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from codekin import CodekinError
from codekin.statistics.linkage import average_linkage, between_groups, cut, leaf_order, medoid


@st.composite
def distance_matrices(draw, distinct=True, largest=9):
    """Symmetric, 0 on the diagonal; without equal distances, or from a few values only."""
    n = draw(st.integers(1, largest))
    pairs = n * (n - 1) // 2
    if distinct:  # by whole steps, so that no two means of them are equal by rounding alone
        values = draw(st.lists(st.integers(0, 10**6), min_size=pairs, max_size=pairs, unique=True))
    else:
        values = draw(st.lists(st.integers(0, 3), min_size=pairs, max_size=pairs))
    square = np.zeros((n, n))
    square[np.triu_indices(n, 1)] = np.array(values) / (10**6 if distinct else 4)
    return square + square.T


def joined_by_hand(distances):
    """UPGMA as it is told: join the nearest two, whose distance is the mean over all pairs."""
    groups = [frozenset([i]) for i in range(len(distances))]
    steps = []
    while len(groups) > 1:
        far, one, other = min(
            (np.mean([distances[a, b] for a in g for b in h]), i, i + 1 + j)
            for i, g in enumerate(groups)
            for j, h in enumerate(groups[i + 1 :])
        )
        new = groups[one] | groups[other]
        groups = [g for i, g in enumerate(groups) if i not in (one, other)] + [new]
        steps.append((new, far))
    return steps


def members_of(linkage):
    groups = [frozenset([i]) for i in range(len(linkage) + 1)]
    for one, other in linkage[:, :2].astype(int):
        groups.append(groups[one] | groups[other])
    return groups[len(linkage) + 1 :]


@settings(deadline=None)
@given(distance_matrices())
def test_average_linkage_joins_what_a_slow_one_joins(distances):
    steps = average_linkage(distances)
    expected = joined_by_hand(distances)
    heights = [far for _, far in expected]
    if len(heights) > 1 and min(np.diff(heights)) < 1e-9:
        return  # a tie of means, which either may take first
    assert members_of(steps) == [new for new, _ in expected]
    assert steps[:, 2] == pytest.approx(heights)
    assert steps[:, 3].tolist() == [len(new) for new, _ in expected]


@settings(deadline=None)
@given(distance_matrices(distinct=False))
def test_with_equal_distances_every_step_is_one_of_the_nearest(distances):
    groups = {frozenset([i]) for i in range(len(distances))}
    steps = average_linkage(distances)
    assert (np.diff(steps[:, 2]) >= -1e-12).all()
    for new, far in zip(members_of(steps), steps[:, 2], strict=True):
        one, other = (g for g in groups if g <= new)

        def mean(g, h):
            return np.mean([distances[a, b] for a in g for b in h])

        assert far == pytest.approx(mean(one, other))
        assert far == pytest.approx(min(mean(g, h) for g in groups for h in groups if g != h))
        groups = groups - {one, other} | {new}


@settings(deadline=None)
@given(distance_matrices(distinct=False), st.data())
def test_a_cut_has_exactly_as_many_groups_as_asked(distances, data):
    steps = average_linkage(distances)
    wanted = data.draw(st.integers(1, len(distances)))
    labels = cut(steps, groups=wanted)
    assert len(labels) == len(distances)
    assert list(dict.fromkeys(labels.tolist())) == list(range(wanted))


def test_equal_distances_are_joined_in_the_order_of_the_rows():
    square = 0.5 * (1 - np.eye(6))
    steps = average_linkage(square)
    assert steps[:, :2].astype(int).tolist() == [[0, 1], [2, 6], [3, 7], [4, 8], [5, 9]]
    assert [cut(steps, groups=groups).tolist() for groups in range(6, 0, -1)] == [
        [0, 1, 2, 3, 4, 5],
        [0, 0, 1, 2, 3, 4],
        [0, 0, 0, 1, 2, 3],
        [0, 0, 0, 0, 1, 2],
        [0, 0, 0, 0, 0, 1],
        [0, 0, 0, 0, 0, 0],
    ]
    assert cut(steps, threshold=0.5).tolist() == [0] * 6
    assert leaf_order(steps) == [0, 1, 2, 3, 4, 5]  # the larger group first


@settings(deadline=None)
@given(distance_matrices(distinct=False), st.floats(0, 1))
def test_a_threshold_joins_what_lies_within_it(distances, threshold):
    steps = average_linkage(distances)
    labels = cut(steps, threshold=threshold)
    assert len(set(labels.tolist())) == len(distances) - int((steps[:, 2] <= threshold).sum())
    for new, far in zip(members_of(steps), steps[:, 2], strict=True):
        assert (len({int(labels[i]) for i in new}) == 1) == (far <= threshold)


@given(distance_matrices(distinct=False), st.data())
def test_no_member_is_nearer_to_the_others_than_the_medoid(distances, data):
    members = data.draw(
        st.lists(st.integers(0, len(distances) - 1), min_size=1, unique=True).map(sorted)
    )
    sums = {one: sum(distances[one, other] for other in members) for one in members}
    assert medoid(distances, members) == min(members, key=lambda one: (round(sums[one], 6), one))


def test_a_last_bit_chooses_no_medoid():
    # 0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 are not the same number.
    far = np.array([[0, 0.1, 0.2, 0.3], [0.1, 0, 0.3, 0.2], [0.2, 0.3, 0, 0.1], [0.3, 0.2, 0.1, 0]])
    for order in ([0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]):
        assert medoid(far, order) == order[0]


@given(distance_matrices())
def test_lines_of_a_dendrogram_do_not_cross(distances):
    steps = average_linkage(distances)
    order = leaf_order(steps)
    assert sorted(order) == list(range(len(distances)))
    for group in members_of(steps):
        places = sorted(order.index(one) for one in group)
        assert places == list(range(places[0], places[0] + len(group)))


def test_a_chain_of_many_things_is_no_deep_recursion():
    places = np.cumsum(np.arange(1500.0))
    steps = average_linkage(np.abs(places[:, None] - places[None, :]))
    assert len(leaf_order(steps)) == 1500


@given(
    arrays.arrays(np.float64, (6, 6), elements=st.floats(0, 1)),
    st.lists(st.integers(0, 2), min_size=6, max_size=6),
)
def test_means_between_groups_are_those_of_all_pairs(values, labels):
    labels = np.unique(labels, return_inverse=True)[1]
    means = between_groups(values, labels)
    for one in range(len(means)):
        for other in range(len(means)):
            block = values[np.ix_(labels == one, labels == other)]
            assert means[one, other] == pytest.approx(block.mean(), abs=1e-12)


def test_one_thing_is_a_group():
    steps = average_linkage(np.zeros((1, 1)))
    assert steps.shape == (0, 4)
    assert cut(steps, threshold=0.5).tolist() == cut(steps, groups=1).tolist() == [0]
    assert leaf_order(steps) == [0]


@pytest.mark.parametrize(
    ("distances", "said"),
    [
        ([[0, 1, 2]], "square"),
        ([[0, np.nan], [np.nan, 0]], "finite"),
        ([[0, -1], [-1, 0]], "not negative"),
        ([[0, 1], [2, 0]], "symmetric"),
        ([[1, 1], [1, 0]], "diagonal"),
    ],
)
def test_what_are_no_distances_is_refused(distances, said):
    with pytest.raises(CodekinError, match=said):
        average_linkage(np.array(distances))


def test_a_cut_needs_one_way_and_a_number_that_can_be():
    steps = average_linkage(np.array([[0, 1.0], [1.0, 0]]))
    for wrong in ({}, {"threshold": 0.5, "groups": 1}):
        with pytest.raises(CodekinError, match="either"):
            cut(steps, **wrong)
    for groups in (0, 3):
        with pytest.raises(CodekinError, match="from 1 to 2 groups"):
            cut(steps, groups=groups)
    with pytest.raises(CodekinError, match="no medoid"):
        medoid(np.zeros((1, 1)), [])
