from __future__ import annotations

import itertools
import tracemalloc

import numpy as np
import pytest
from scipy.stats import chisquare

from codekin import CodekinError
from codekin.statistics.resampling import (
    check_resampling,
    cluster_sums,
    count_blocks,
    resampled_sums,
    swap_blocks,
    swapped_sums,
)


def counts_of(units: int, resamples: int, seed: int) -> np.ndarray:
    """All counts at once, which the code itself never holds."""
    whole = np.full((resamples, units), np.nan)
    for part, blocks in count_blocks(units, resamples, seed):
        for block, counts in blocks:
            whole[block, part] = counts
    return whole


def signs_of(units: int, resamples: int, seed: int) -> np.ndarray:
    whole = np.full((resamples, units), np.nan)
    for part, blocks in swap_blocks(units, resamples, seed):
        for block, signs in blocks:
            whole[block, part] = signs
    return whole


@pytest.mark.parametrize("units", [1, 2, 7, 4096, 4097, 10_000])
def test_every_resample_draws_as_many_as_there_are(units) -> None:
    assert (counts_of(units, 300, seed=3).sum(axis=1) == units).all()


def test_a_seed_decides_the_resamples() -> None:
    assert (counts_of(5000, 20, seed=1) == counts_of(5000, 20, seed=1)).all()
    assert (counts_of(5000, 20, seed=1) != counts_of(5000, 20, seed=2)).any()
    assert (signs_of(5000, 20, seed=1) == signs_of(5000, 20, seed=1)).all()
    assert (signs_of(5000, 20, seed=1) != signs_of(5000, 20, seed=2)).any()


@pytest.mark.parametrize("units", [50, 9000])
def test_counts_are_those_of_draws_with_replacement(units) -> None:
    counts = counts_of(units, 400, seed=5)
    # Each count is binomial(units, 1/units): variance 1 - 1/units, and across units and slices
    # the same small negative correlation.
    assert counts.var() == pytest.approx(1 - 1 / units, rel=0.02)
    halves = np.array_split(counts, 2, axis=1)
    in_first = halves[0].sum(axis=1)
    share = halves[0].shape[1] / units
    assert in_first.mean() == pytest.approx(units * share, rel=0.02)
    assert in_first.var() == pytest.approx(units * share * (1 - share), rel=0.2)
    drawn = counts.sum(axis=0)
    assert chisquare(drawn).pvalue > 0.001


def test_signs_are_tosses_of_a_fair_coin() -> None:
    signs = signs_of(5000, 400, seed=5)
    assert set(np.unique(signs)) == {-1.0, 1.0}
    assert abs(signs.mean()) < 0.003
    assert signs.sum(axis=1).var() == pytest.approx(5000, rel=0.2)


@pytest.mark.parametrize("units", [1, 2, 5])
def test_few_units_are_swapped_in_every_way(units) -> None:
    mine = {tuple(row) for row in signs_of(units, 2 ** (units - 1), seed=0)}
    mirrored = {tuple(-x for x in row) for row in mine}
    assert len(mine) == 2 ** (units - 1)
    assert mine | mirrored == set(itertools.product((1.0, -1.0), repeat=units))


@pytest.mark.parametrize("units", [3, 40, 6000])
def test_sums_are_those_of_the_resamples(units) -> None:
    generator = np.random.default_rng(0)
    first, second = generator.random((units, 3)), generator.random((units, 2))
    counts = counts_of(units, 30, seed=9)
    sums = resampled_sums([first, second], 30, seed=9)
    np.testing.assert_allclose(sums[0], counts @ first, rtol=1e-12)
    np.testing.assert_allclose(sums[1], counts @ second, rtol=1e-12)
    # What else is summed changes nothing but the last digits.
    np.testing.assert_allclose(resampled_sums([second], 30, seed=9)[0], sums[1], rtol=1e-12)


@pytest.mark.parametrize("units", [4, 40, 6000])
def test_swapped_sums_are_those_of_swapped_units(units) -> None:
    generator = np.random.default_rng(0)
    a, b = generator.integers(0, 9, (2, units, 3)).astype(float)
    ways = 2 ** (units - 1) if units <= 16 else 25
    signs = signs_of(units, ways, seed=2)
    [(first, second)] = swapped_sums([(a, b)], 25, seed=2)
    for i, way in enumerate(signs):
        stays = (way > 0)[:, None]
        np.testing.assert_allclose(first[i], np.where(stays, a, b).sum(axis=0), rtol=1e-12)
        np.testing.assert_allclose(second[i], np.where(stays, b, a).sum(axis=0), rtol=1e-12)


def test_what_was_nothing_stays_nothing_whatever_the_weights() -> None:
    generator = np.random.default_rng(1)
    a, b = generator.random((2, 12, 2)) / 3
    a[1:], b[1:] = 0.0, 0.0
    [(first, second)] = swapped_sums([(a, np.zeros_like(b))], 10, seed=0)
    assert (second[:, 0] == 0).all()
    assert (first[:, 0] > 0).all()


def test_clusters_are_sums_of_their_rows() -> None:
    generator = np.random.default_rng(4)
    rows, clusters = generator.random((30, 3)), np.arange(30) % 7
    expected = [rows[clusters == c].sum(axis=0) for c in range(7)]
    np.testing.assert_allclose(cluster_sums(rows, clusters), expected)
    assert cluster_sums(np.empty((0, 3)), np.empty(0, dtype=np.intp)).shape == (0, 3)


def test_memory_does_not_grow_with_units_times_resamples() -> None:
    statistics = np.ones((200_000, 2))
    tracemalloc.start()
    try:
        resampled_sums([statistics], 300, seed=1)
        swapped_sums([(statistics, statistics)], 300, seed=1)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 60e6  # all counts would be 480 MB


@pytest.mark.parametrize(
    ("numbers", "word"),
    [((0, 1), "resamples"), ((10, -1), "seed"), ((10, 1, 1.0), "level"), ((10, 1, 95), "level")],
)
def test_impossible_numbers_are_named(numbers, word) -> None:
    with pytest.raises(CodekinError, match=word):
        check_resampling(*numbers)
