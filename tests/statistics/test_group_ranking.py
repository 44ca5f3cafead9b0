from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from codekin import CodekinError
from codekin.statistics.association import group_agreement
from codekin.statistics.bootstrap import Interval
from codekin.statistics.resampling import count_blocks

numbers = st.integers(0, 4).map(lambda n: n / 4)
tables = st.lists(st.tuples(numbers, numbers, st.integers(0, 5)), min_size=10, max_size=40)


def without_interval(estimate) -> bool:
    ends = (*vars(estimate.percentile).values(), *vars(estimate.bca).values())
    return all(map(math.isnan, ends))


def tau(scores, outcome, groups, counts=None) -> float:
    weights = np.ones(len(groups)) if counts is None else counts
    there = [g for g in np.unique(groups) if weights[groups == g].sum()]
    means = [
        [np.average(column[groups == g], weights=weights[groups == g]) for g in there]
        for column in (scores, outcome)
    ]
    first, second = np.round(means, 9)
    if len(set(first)) < 2 or len(set(second)) < 2:
        return math.nan
    return float(scipy.stats.kendalltau(first, second).statistic)


def planted(seed: int, spread: float, clusters: int = 50, models: int = 8):
    """Models of different strength on tasks of different difficulty."""
    generator = np.random.default_rng(seed)
    model = np.tile(np.arange(models), clusters)
    task = np.repeat(np.arange(clusters), models)
    strength = spread * model + generator.normal(size=clusters)[task]
    outcome = (strength + generator.normal(size=len(task)) > spread * models / 2).astype(float)
    return strength + generator.normal(size=len(task)), outcome, model, task


@given(tables)
def test_the_value_is_that_of_scipy_on_means(rows) -> None:
    scores, outcome, groups = map(np.array, zip(*rows, strict=True))
    estimate, reason = group_agreement(scores, outcome, groups, resamples=10)
    if len(set(groups)) < 2:
        assert "a ranking needs two" in reason
        return
    truth = tau(scores, outcome, groups)
    assert estimate.value == pytest.approx(truth, abs=1e-12, nan_ok=True)
    assert reason is not None or not math.isnan(truth)


def test_means_that_differ_by_rounding_are_ties() -> None:
    scores = np.array([0.1, 0.2, 0.3, 0.3, 0.2, 0.1, 0.9, 0.9, 0.9])
    assert scores[:3].sum() != scores[3:6].sum()
    outcome = np.array([0, 0, 0, 1, 0, 0, 1, 1, 0])
    estimate, _ = group_agreement(scores, outcome, np.repeat([0, 1, 2], 3))
    truth = scipy.stats.kendalltau([1, 1, 2], [1, 2, 3]).statistic
    assert estimate.value == pytest.approx(truth)


def test_whole_clusters_are_drawn() -> None:
    scores, outcome, model, task = planted(1, 0.2, clusters=12)
    scores = np.round(scores, 2)
    estimate, reason = group_agreement(
        scores, outcome, model, clusters=task, resamples=50, seed=4, level=0.5
    )
    assert reason is None
    [(_, [(_, counts)])] = count_blocks(12, 50, 4)
    replicates = [tau(scores, outcome, model, drawn[task]) for drawn in counts]
    low, high = np.quantile(replicates, [0.25, 0.75])
    interval = estimate.percentile
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-9)


def test_groups_without_rows_in_a_resample_are_left_out_of_it() -> None:
    generator = np.random.default_rng(2)
    # Each group has tasks of its own, so that most resamples miss some.
    model = np.repeat(np.arange(6), 4)
    task = np.arange(24) // 2
    scores, outcome = np.round(generator.random((2, 24)), 2)
    estimate, reason = group_agreement(
        scores, outcome, model, clusters=task, resamples=40, level=0.5
    )
    assert reason is None
    [(_, [(_, counts)])] = count_blocks(12, 40, 0)
    replicates = [tau(scores, outcome, model, drawn[task]) for drawn in counts]
    low, high = np.nanquantile(replicates, [0.25, 0.75])
    interval = estimate.percentile
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-9)


@pytest.mark.parametrize("clustered", [False, True])
def test_clear_rankings_are_stable_and_noise_is_not(clustered) -> None:
    def width(spread: float) -> float:
        scores, outcome, model, task = planted(3, spread)
        estimate, reason = group_agreement(
            scores, outcome, model, clusters=task if clustered else None, resamples=300
        )
        assert reason is None
        assert estimate.percentile.low <= estimate.value
        return estimate.percentile.high - estimate.percentile.low

    assert width(0.5) < 0.35
    assert width(0.0) > 0.6


def test_rows_of_groups_are_drawn_apart_from_each_other() -> None:
    # Were two groups of one size drawn alike, one would always stay above the other.
    noise = np.random.default_rng(4).normal(size=40)
    scores = np.concatenate([noise, noise + 0.01])
    estimate, _ = group_agreement(scores, scores**3, np.repeat(["a", "b"], 40), resamples=200)
    assert estimate.value == 1.0
    mixed, _ = group_agreement(
        scores, np.repeat([0.0, 1.0], 40), np.repeat(["a", "b"], 40), resamples=200
    )
    assert mixed.value == 1.0
    assert mixed.percentile == Interval(-1.0, 1.0)


def test_neither_order_nor_names_matter_to_clusters_of_groups() -> None:
    scores, outcome, model, task = planted(5, 0.1)
    order = np.random.default_rng(1).permutation(len(task))
    first, _ = group_agreement(scores, outcome, model, clusters=task, resamples=100)
    names = np.array(list("abcdefgh"))[model]
    second, _ = group_agreement(
        scores[order], outcome[order], names[order], clusters=task[order], resamples=100
    )
    assert first == second


def test_same_seed_same_numbers() -> None:
    scores, outcome, model, _ = planted(6, 0.1)
    first = group_agreement(scores, outcome, model, resamples=100, seed=1)
    assert first == group_agreement(scores, outcome, model, resamples=100, seed=1)
    assert first != group_agreement(scores, outcome, model, resamples=100, seed=2)


def test_why_there_is_nothing_is_said() -> None:
    scores, outcome = np.arange(12.0), np.arange(12.0) % 5
    missing = np.full(12, math.nan)
    groups = np.arange(12) % 3
    for arguments, words in (
        ((scores, missing, groups), "no group with a score and an outcome; a ranking needs two"),
        ((scores, outcome, groups * 0), "only one group with a score and an outcome"),
        ((scores, outcome * 0, groups), "the groups do not differ"),
        ((scores, np.where(groups == 0, outcome, math.nan), groups), "only one group"),
    ):
        estimate, reason = group_agreement(*arguments)
        assert words in reason
        assert math.isnan(estimate.value)
    for options, words in (
        ({"groups": np.minimum(np.arange(12), 1)}, "group 0 has one row"),
        ({"groups": groups, "clusters": groups * 0}, "one cluster"),
    ):
        estimate, reason = group_agreement(scores, outcome, **options)
        assert words in reason
        assert math.isfinite(estimate.value)
        assert without_interval(estimate)
    _, reason = group_agreement(scores[:6], outcome[:6], groups[:6])
    assert reason.startswith("fewer than 10 rows")


def test_groups_must_fit() -> None:
    with pytest.raises(CodekinError, match="groups do not fit"):
        group_agreement([1, 2], [1, 2], ["a"])


def test_thousands_of_groups_are_ranked_in_little_time_and_memory() -> None:
    generator = np.random.default_rng(6)
    scores, outcome = generator.random(12_000), generator.integers(0, 2, 12_000)
    groups = np.repeat(np.arange(6_000), 2)
    estimate, reason = group_agreement(scores, outcome, groups)
    means = scores.reshape(-1, 2).mean(axis=1), outcome.reshape(-1, 2).mean(axis=1)
    assert estimate.value == pytest.approx(scipy.stats.kendalltau(*means).statistic, abs=1e-9)
    assert reason == "6,000 groups are too many for intervals"
