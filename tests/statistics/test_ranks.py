from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from codekin import CodekinError, _native
from codekin.statistics.ranks import (
    RankStatistics,
    rank_statistics,
    ranked_rows,
    ranks_left_out,
    resampled_ranks,
)
from codekin.statistics.resampling import count_blocks, resampled_sums


@st.composite
def weighted_rows(draw, levels: int = 30):
    number = draw(st.integers(1, 40))
    values = [
        st.lists(st.integers(-top, top), min_size=number, max_size=number)
        for top in (draw(st.integers(0, levels)), draw(st.integers(0, levels)))
    ]
    counts = st.lists(st.integers(0, 4), min_size=number, max_size=number)
    return (
        np.array(draw(values[0])),
        np.array(draw(values[1])),
        np.array(draw(st.lists(counts, min_size=1, max_size=19))),
    )


def counted(first, second, counts, units=None) -> RankStatistics:
    """The statistics of rows that count as often as their units do."""
    counts = np.ascontiguousarray(counts, dtype=np.int32)
    return ranked_rows(first, second, units).under(counts)


def peers(first, second) -> tuple[float, float]:
    if len(set(first)) < 2 or len(set(second)) < 2:
        return np.nan, np.nan
    return (
        scipy.stats.spearmanr(first, second).statistic,
        scipy.stats.kendalltau(first, second).statistic,
    )


def peer_auc(first, second, high) -> float:
    above, below = first[second == high], first[second != high]
    if not len(above) or not len(below):
        return np.nan
    u = scipy.stats.mannwhitneyu(above, below, method="asymptotic").statistic
    return u / (len(above) * len(below))


def same(ours, theirs) -> None:
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)


@settings(deadline=None)
@given(weighted_rows())
def test_counted_rows_are_repeated_rows_to_scipy(rows) -> None:
    first, second, counts = rows
    found = counted(first, second, counts)
    for i, weights in enumerate(counts):
        spearman, kendall = peers(np.repeat(first, weights), np.repeat(second, weights))
        same(found.spearman[i], spearman)
        same(found.kendall[i], kendall)


@settings(deadline=None)
@given(weighted_rows())
def test_auc_is_that_of_mann_and_whitney(rows) -> None:
    first, second, counts = rows
    binary = (second > np.median(second)).astype(int)
    found = counted(first, binary, counts).auc
    for i, weights in enumerate(counts):
        if len(set(binary)) == 2:
            same(found[i], peer_auc(np.repeat(first, weights), np.repeat(binary, weights), 1))
        else:
            assert np.isnan(found[i])


def test_auc_needs_two_values() -> None:
    assert np.isnan(rank_statistics([1, 2, 3], [0, 1, 2]).auc).all()
    # A third value that counts nowhere is still a value.
    assert np.isnan(counted([1, 2, 3], [0, 1, 2], [[1, 1, 0]]).auc).all()
    assert rank_statistics([1, 2, 3], [5.5, 7.25, 7.25]).auc.tolist() == [1.0]


@given(weighted_rows(), st.data())
def test_rows_count_as_often_as_their_unit(rows, data) -> None:
    first, second, counts = rows
    unit = st.integers(0, len(first) - 1)
    units = data.draw(st.lists(unit, min_size=len(first), max_size=len(first)))
    together = counted(first, second, counts, units)
    apart = counted(first, second, counts[:, units])
    for name in ("spearman", "kendall", "auc"):
        np.testing.assert_array_equal(getattr(together, name), getattr(apart, name))


@given(weighted_rows(), st.randoms(use_true_random=False))
def test_neither_order_nor_monotone_maps_matter(rows, random) -> None:
    first, second, counts = rows
    order = random.sample(range(len(first)), len(first))
    plain = counted(first, second, counts)
    moved = counted(np.exp(first / 10)[order], second[order] ** 3 - 7, counts[:, order])
    turned = counted(-first, second, counts)
    for name in ("spearman", "kendall", "auc"):
        np.testing.assert_array_equal(getattr(plain, name), getattr(moved, name))
        mirror = 1 - getattr(turned, name) if name == "auc" else -getattr(turned, name)
        same(getattr(plain, name), mirror)
        assert not (np.abs(getattr(plain, name)) > 1).any()


def test_many_rows_of_many_values_agree_with_scipy() -> None:
    generator = np.random.default_rng(1)
    first = generator.normal(size=3000)
    second = np.round(first + generator.normal(size=3000), 2)
    spearman, kendall = peers(first, second)
    found = rank_statistics(first, second)
    same(found.spearman, [spearman])
    same(found.kendall, [kendall])


def test_resamples_are_those_of_sums() -> None:
    # More units than one slice of draws holds, and more resamples than one block.
    generator = np.random.default_rng(2)
    units, resamples = 4500, 300
    first, second = generator.normal(size=(2, units))
    [found] = resampled_ranks([ranked_rows(first, second)], units, resamples, seed=5)
    counts = np.zeros((resamples, units), dtype=int)
    for part, blocks in count_blocks(units, resamples, 5):
        for block, drawn in blocks:
            counts[block, part] = drawn
    [sums] = resampled_sums([first[:, None]], resamples, 5)
    np.testing.assert_allclose(counts @ first, sums[:, 0], atol=1e-9)
    for i in (0, 255, 256, 299):
        spearman, kendall = peers(np.repeat(first, counts[i]), np.repeat(second, counts[i]))
        same(found.spearman[i], spearman)
        same(found.kendall[i], kendall)


def test_parts_may_have_rows_of_some_units_only() -> None:
    generator = np.random.default_rng(3)
    first, second = generator.normal(size=(2, 60))
    some = generator.random(60) < 0.5
    part = ranked_rows(first[some], second[some], np.flatnonzero(some))
    whole, found = resampled_ranks([ranked_rows(first, second), part], 60, 20, seed=1)
    [alone] = resampled_ranks([part], 60, 20, seed=1)
    np.testing.assert_array_equal(found.kendall, alone.kendall)
    assert (whole.kendall != found.kendall).all()


def test_each_of_few_units_is_left_out() -> None:
    generator = np.random.default_rng(4)
    first, second = generator.normal(size=(2, 300))
    [found] = ranks_left_out([ranked_rows(first, second)], 300)
    for i in range(0, 300, 37):
        spearman, kendall = peers(np.delete(first, i), np.delete(second, i))
        same(found.spearman[i], spearman)
        same(found.kendall[i], kendall)
    assert found.spearman.shape == (300,)


def test_many_units_are_left_out_in_groups() -> None:
    generator = np.random.default_rng(5)
    first, second = generator.normal(size=(2, 2500))
    [found] = ranks_left_out([ranked_rows(first, second)], 2500)
    assert found.kendall.shape == (1000,)
    left_out = [7, 1007, 2007]
    spearman, _ = peers(np.delete(first, left_out), np.delete(second, left_out))
    same(found.spearman[7], spearman)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([1.0, np.nan], [1, 2]), "first variable has nan"),
        (([1, 2], [1, 2, 3]), "give arrays of the same length"),
    ],
)
def test_what_cannot_be_ranked_is_refused(arguments, words) -> None:
    with pytest.raises(CodekinError, match=words):
        rank_statistics(*arguments)


def test_the_kernel_refuses_rows_out_of_order() -> None:
    ids = np.array([0, 1], dtype=np.int32)
    counts = np.ones((1, 2), dtype=np.int32)
    with pytest.raises(ValueError, match="first must ascend"):
        _native.rank_statistics(ids[::-1].copy(), ids, ids, counts)
    with pytest.raises(ValueError, match=r"unit\[1\] is 2; expected a number from 0 to 1"):
        _native.rank_statistics(ids, ids, ids + 1, counts)


def test_no_rows_have_no_statistics() -> None:
    found = counted([], [], np.empty((3, 0)))
    assert np.isnan([found.spearman, found.kendall, found.auc]).all()


@pytest.mark.parametrize("rows", [2, 3, 7, 50])
def test_equal_orders_are_exactly_one(rows) -> None:
    found = rank_statistics(np.arange(rows), np.arange(rows) ** 2)
    assert (found.spearman[0], found.kendall[0]) == (1.0, 1.0)
