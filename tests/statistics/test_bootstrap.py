from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from codekin import CodekinError, Source, measure
from codekin.statistics import bootstrap as module
from codekin.statistics.bootstrap import (
    bca_interval,
    bootstrap,
    corpus_of,
    leave_one_out,
    mean_of,
    percentile_interval,
)
from codekin.statistics.resampling import resampled_sums

numbers = st.lists(st.integers(0, 20).map(lambda n: n / 20), min_size=3, max_size=30)


def peer(values, replicates, method: str, level: float):
    """scipy's interval of a mean from the resamples that are given to it."""
    first = scipy.stats.bootstrap((values,), np.mean, n_resamples=2, method="percentile", rng=0)
    first.bootstrap_distribution = np.asarray(replicates)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        done = scipy.stats.bootstrap(
            (values,),
            np.mean,
            n_resamples=0,
            bootstrap_result=first,
            confidence_level=level,
            method=method,
        )
    return done.confidence_interval


@pytest.mark.parametrize("level", [0.8, 0.95])
@given(values=numbers, seed=st.integers(0, 10))
def test_intervals_are_scipys(level, values, seed) -> None:
    estimand = mean_of(values)
    replicates = estimand.judge(resampled_sums([estimand.statistics], 200, seed)[0])
    ours = percentile_interval(replicates, level)
    assert (ours.low, ours.high) == pytest.approx(
        tuple(peer(values, replicates, "percentile", level))
    )
    # scipy counts sums that differ by rounding as different.
    rounded = np.where(
        np.isclose(replicates, estimand.value, rtol=1e-12), np.mean(values), replicates
    )
    theirs = peer(values, rounded, "BCa", level)
    if not np.isfinite(theirs).all() or theirs.low > theirs.high:
        return  # scipy's formula has no answer there
    ours = bca_interval(replicates, estimand.value, leave_one_out(estimand), level)
    inside = 1 / 400 < np.mean(rounded < np.mean(values)) < 1 - 1 / 400
    if inside and not _past_the_pole(leave_one_out(estimand), rounded, estimand.value, level):
        assert (ours.low, ours.high) == pytest.approx(tuple(theirs))


def _past_the_pole(jackknife, replicates, value, level) -> bool:
    bias = scipy.stats.norm.ppf((np.mean(replicates < value) + np.mean(replicates <= value)) / 2)
    end = abs(bias) + scipy.stats.norm.ppf((1 + level) / 2)
    return abs(module._acceleration(jackknife)) * end >= 1


def test_intervals_agree_with_scipys_own_resamples() -> None:
    values = np.random.default_rng(3).exponential(size=80)
    [ours] = bootstrap([mean_of(values)], resamples=20_000, seed=1)
    for method, interval in (("percentile", ours.percentile), ("BCa", ours.bca)):
        theirs = scipy.stats.bootstrap(
            (values,), np.mean, n_resamples=20_000, method=method, rng=1
        ).confidence_interval
        assert (interval.low, interval.high) == pytest.approx(tuple(theirs), abs=0.012)


@pytest.mark.parametrize(("draw", "true"), [("normal", 0.0), ("exponential", 1.0)])
def test_95_percent_intervals_hold_the_truth_about_as_often(draw, true) -> None:
    held = {"percentile": 0, "bca": 0}
    for seed in range(400):
        values = getattr(np.random.default_rng(seed), draw)(size=60)
        [estimate] = bootstrap([mean_of(values)], resamples=500, seed=seed)
        for name in held:
            interval = getattr(estimate, name)
            held[name] += interval.low <= true <= interval.high
    assert all(360 <= number <= 392 for number in held.values()), held


def test_clustered_rows_need_clusters() -> None:
    alone = together = 0
    for seed in range(200):
        generator = np.random.default_rng(seed)
        clusters = np.repeat(np.arange(40), 5)
        values = generator.normal(size=40)[clusters] + 0.1 * generator.normal(size=200)
        [rows] = bootstrap([mean_of(values)], resamples=300, seed=seed)
        [units] = bootstrap([mean_of(values)], clusters=clusters, resamples=300, seed=seed)
        alone += rows.bca.low <= 0 <= rows.bca.high
        together += units.bca.low <= 0 <= units.bca.high
    assert together >= 180
    assert alone <= 140


def test_a_corpus_value_is_resampled_from_statistics() -> None:
    texts = [(f"f(x{i}, {i % 3}) + g(y)", f"f(x{i}, {i % 4}) - g(y, {i})") for i in range(30)]
    bleu = measure("bleu")
    pairs = [(Source(a, "python"), Source(b, "python")) for a, b in texts]
    statistics = np.array([bleu.statistics(a, [b]) for a, b in pairs], dtype=float)
    estimand = corpus_of(statistics, lambda sums: bleu.from_statistics(sums)[0])
    [estimate] = bootstrap([estimand], seed=2)
    assert estimate.value == bleu.corpus_score([a for a, _ in pairs], [[b] for _, b in pairs])
    assert estimate.bca.low < estimate.value < estimate.bca.high
    left_out = [
        bleu.corpus_score(
            [a for j, (a, _) in enumerate(pairs) if j != i],
            [[b] for j, (_, b) in enumerate(pairs) if j != i],
        )
        for i in range(30)
    ]
    np.testing.assert_allclose(leave_one_out(estimand), left_out, rtol=1e-12)


def test_the_jackknife_of_many_units_is_nearly_that_of_each(monkeypatch) -> None:
    generator = np.random.default_rng(1)
    total = generator.integers(5, 60, 900).astype(float)
    statistics = np.column_stack([generator.binomial(total.astype(int), 0.6), total])
    estimands = [
        corpus_of(statistics, lambda sums: (sums[0] / sums[1]) ** 0.5),
        mean_of(generator.exponential(size=900), generator.random(900) + 0.5),
    ]
    exact = [leave_one_out(one) for one in estimands]
    monkeypatch.setattr(module, "_EXACT_JACKKNIFE", 10)
    for one, known in zip(estimands, exact, strict=True):
        linear = leave_one_out(one)
        spread = np.ptp(known)
        np.testing.assert_allclose(linear, known, atol=0.01 * spread)
        assert module._acceleration(linear) == pytest.approx(module._acceleration(known), abs=1e-4)


def test_measures_share_resamples_and_do_not_change_each_other() -> None:
    generator = np.random.default_rng(0)
    a, b = generator.random((2, 500))
    alone = bootstrap([mean_of(a)], seed=4)[0]
    first, second, third = bootstrap([mean_of(a), mean_of(b), mean_of(1 - a)], seed=4)
    for one in ("percentile", "bca"):
        mine, its = getattr(alone, one), getattr(first, one)
        assert (mine.low, mine.high) == pytest.approx((its.low, its.high), rel=1e-12)
        mirrored = getattr(third, one)
        assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx((its.low, its.high), rel=1e-9)
    assert second != first


def test_rows_without_a_value_are_left_out() -> None:
    generator = np.random.default_rng(0)
    values = generator.random(60)
    holes = np.insert(values, [5, 30], np.nan)
    assert bootstrap([mean_of(holes)], seed=3) == bootstrap([mean_of(values)], seed=3)
    with_infinity = np.insert(values, 7, math.inf)
    assert mean_of(with_infinity).value == pytest.approx(values.mean())
    statistics = np.column_stack([holes, holes])
    assert corpus_of(statistics, lambda sums: sums[0] / sums[1]).value == 1.0


def test_weights_count_as_repeated_rows() -> None:
    assert mean_of([1.0, 5.0], [3.0, 1.0]).value == mean_of([1.0, 1.0, 1.0, 5.0]).value
    twice = corpus_of([[1.0, 2.0], [3.0, 4.0]], lambda s: s[0] / s[1], [1.0, 2.0])
    assert twice.value == 7 / 10


@pytest.mark.parametrize("weight", [-1.0, math.nan, math.inf])
def test_weights_are_numbers_from_0_up(weight) -> None:
    with pytest.raises(CodekinError, match="the weight of row 2 is"):
        mean_of([1.0, 2.0], [1.0, weight])


def test_rows_of_weight_0_are_left_out() -> None:
    values, weights = [0.2, 0.9, 0.4, 0.7], [1.0, 0.0, 1.0, 1.0]
    assert bootstrap([mean_of(values, weights)]) == bootstrap([mean_of([0.2, 0.4, 0.7])])
    ratio = corpus_of([[1.0, 2.0], [5.0, 5.0]], lambda s: s[0] / s[1], [1.0, 0.0])
    assert ratio.value == 0.5
    [nothing] = bootstrap([mean_of(values, np.zeros(4))])
    assert math.isnan(nothing.value)


def unknown(interval) -> bool:
    return math.isnan(interval.low) and math.isnan(interval.high)


def test_one_row_has_a_value_and_no_interval() -> None:
    [estimate] = bootstrap([mean_of([0.25])])
    assert estimate.value == 0.25
    assert unknown(estimate.percentile)
    assert unknown(estimate.bca)
    [clustered] = bootstrap([mean_of([0.25, 0.5])], clusters=np.array([0, 0]))
    assert clustered.value == 0.375
    assert unknown(clustered.bca)


def test_one_scored_row_among_others_has_no_interval_either() -> None:
    full, lone = bootstrap([mean_of([0.25, 0.5, 0.75]), mean_of([0.25, math.nan, math.nan])])
    assert not unknown(full.percentile)
    assert unknown(lone.percentile)


@pytest.mark.parametrize("values", [[], [math.nan, math.nan]])
def test_nothing_scored_is_nan(values) -> None:
    for clusters in (None, np.zeros(len(values), dtype=np.intp)):
        [estimate] = bootstrap([mean_of(values)], clusters=clusters)
        assert math.isnan(estimate.value)
        assert unknown(estimate.percentile)
        assert unknown(estimate.bca)


def test_no_estimands_no_estimates() -> None:
    assert bootstrap([]) == []


def test_equal_values_have_an_interval_of_no_width() -> None:
    [estimate] = bootstrap([mean_of([0.1] * 7)])
    for interval in (estimate.percentile, estimate.bca):
        assert (interval.low, interval.high) == pytest.approx((0.1, 0.1))


def test_a_lone_outlier_does_not_turn_the_interval_around() -> None:
    # The acceleration is then near a sixth of the root of n, and the formula past its pole.
    values = np.zeros(200)
    values[0] = 1.0
    for sign in (1, -1):
        [estimate] = bootstrap([mean_of(sign * values)], seed=1)
        assert estimate.bca.low <= estimate.value <= estimate.bca.high


@given(numbers, st.integers(0, 3))
def test_intervals_are_in_order_and_within_the_values(values, seed) -> None:
    [estimate] = bootstrap([mean_of(values)], resamples=100, seed=seed)
    for interval in (estimate.percentile, estimate.bca):
        assert min(values) - 1e-9 <= interval.low <= interval.high <= max(values) + 1e-9


def test_sums_without_a_value_are_left_out() -> None:
    # Resamples that draw only the second row divide by nothing.
    estimand = corpus_of([[1.0, 1.0], [0.0, 0.0], [1.0, 2.0]], lambda s: s[0] / s[1])
    [estimate] = bootstrap([estimand], seed=1)
    assert estimate.value == pytest.approx(2 / 3)
    assert 0.5 <= estimate.percentile.low <= estimate.percentile.high <= 1.0


def test_values_so_small_that_their_cubes_underflow_have_an_interval() -> None:
    values = np.array([1.0, 2.0, 4.0]) * 1e-110
    interval = bca_interval(values, 2e-110, values, 0.95)
    assert 0 < interval.low <= interval.high < 1e-109
