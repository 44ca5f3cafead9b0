from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from codekin import CodekinError
from codekin.statistics import bootstrap
from codekin.statistics.association import (
    associations,
    correlation_differences,
    pearson_of,
)
from codekin.statistics.bootstrap import Interval
from codekin.statistics.resampling import count_blocks

NAMES = ("pearson", "spearman", "kendall", "auc")

numbers = st.integers(0, 16).map(lambda n: n / 16)
rows = st.lists(st.tuples(numbers, st.integers(0, 1)), min_size=10, max_size=40).map(np.array)

SAMPLES = 100
"""Samples that are drawn to see how often an interval holds the truth."""


def held(estimate, truth) -> bool:
    return bool(estimate.bca.low <= truth <= estimate.bca.high)


def without_interval(estimate) -> bool:
    ends = (*vars(estimate.percentile).values(), *vars(estimate.bca).values())
    return all(map(math.isnan, ends))


def bivariate(generator, r: float, size: int):
    first, second = generator.normal(size=(2, size))
    return first, r * first + math.sqrt(1 - r * r) * second


@pytest.mark.parametrize("offset", [0.0, 1e6, -3e7])
def test_values_agree_with_scipy(offset) -> None:
    generator = np.random.default_rng(1)
    scores, judged = bivariate(generator, 0.4, 200)
    scores, judged = np.round(scores, 1) + offset, np.round(judged, 1)
    for outcome in (judged, (judged > 0.5).astype(float)):
        [found] = associations([scores], outcome, resamples=10)
        assert found.pearson.value == pytest.approx(
            scipy.stats.pearsonr(scores, outcome).statistic, abs=1e-9
        )
        assert found.spearman.value == pytest.approx(
            scipy.stats.spearmanr(scores, outcome).statistic, abs=1e-9
        )
        assert found.kendall.value == pytest.approx(
            scipy.stats.kendalltau(scores, outcome).statistic, abs=1e-9
        )
    biserial = scipy.stats.pointbiserialr(outcome, scores).statistic
    assert found.pearson.value == pytest.approx(biserial, abs=1e-9)
    passed, failed = scores[outcome == 1], scores[outcome == 0]
    u = scipy.stats.mannwhitneyu(passed, failed).statistic
    assert found.auc.value == pytest.approx(u / (len(passed) * len(failed)), abs=1e-12)


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_resamples_agree_with_scipy(clustered, offset) -> None:
    generator = np.random.default_rng(2)
    scores, judged = bivariate(generator, 0.4, 60)
    scores, outcome = np.round(scores, 1) + offset, (judged > 0.2).astype(float)
    units = np.arange(60) % 20 if clustered else np.arange(60)
    [found] = associations(
        [scores], outcome, clusters=units if clustered else None, resamples=40, seed=3, level=0.5
    )
    [(_, [(_, counts)])] = count_blocks(units.max() + 1, 40, 3)
    replicates = []
    for drawn in counts.astype(int):
        x, y = np.repeat(scores, drawn[units]), np.repeat(outcome, drawn[units])
        u = scipy.stats.mannwhitneyu(x[y == 1], x[y == 0], method="asymptotic").statistic
        replicates.append(
            (
                scipy.stats.pearsonr(x, y).statistic,
                scipy.stats.spearmanr(x, y).statistic,
                scipy.stats.kendalltau(x, y).statistic,
                u / (y.sum() * (1 - y).sum()),
            )
        )
    low, high = np.quantile(replicates, [0.25, 0.75], axis=0)
    for i, name in enumerate(NAMES):
        interval = getattr(found, name).percentile
        assert (interval.low, interval.high) == pytest.approx((low[i], high[i]), abs=1e-9)


def test_planted_correlations_are_found() -> None:
    r, threshold = 0.5, 0.4
    share = scipy.stats.norm.sf(threshold)
    biserial = r * scipy.stats.norm.pdf(threshold) / math.sqrt(share * (1 - share))
    truths = {
        "pearson": r,
        "spearman": 6 / math.pi * math.asin(r / 2),
        "kendall": 2 / math.pi * math.asin(r),
    }
    times = dict.fromkeys([*truths, "biserial"], 0)
    for seed in range(SAMPLES):
        scores, judged = bivariate(np.random.default_rng(seed), r, 150)
        [found] = associations([scores], judged, resamples=300, seed=seed)
        for name, truth in truths.items():
            times[name] += held(getattr(found, name), truth)
        [found] = associations([scores], judged > threshold, resamples=300, seed=seed)
        times["biserial"] += held(found.pearson, biserial)
    assert all(0.9 * SAMPLES <= number < SAMPLES for number in times.values()), times


def test_planted_auc_is_found() -> None:
    shift, share = 0.9, 0.3
    auc = scipy.stats.norm.cdf(shift / math.sqrt(2))
    variance = share * (1 - share)
    biserial = shift * math.sqrt(variance) / math.sqrt(1 + shift**2 * variance)
    times = [0, 0]
    for seed in range(SAMPLES):
        generator = np.random.default_rng(seed)
        passed = generator.random(150) < share
        [found] = associations(
            [generator.normal(size=150) + shift * passed], passed, resamples=300, seed=seed
        )
        times[0] += held(found.auc, auc)
        times[1] += held(found.pearson, biserial)
    assert all(0.9 * SAMPLES <= number < SAMPLES for number in times), times


def test_correlations_of_clustered_rows_are_found_by_drawing_clusters() -> None:
    r, tasks = 0.4, np.repeat(np.arange(80), 5)
    together = dict.fromkeys(("pearson", "spearman", "kendall"), 0)
    truths = (r, 6 / math.pi * math.asin(r / 2), 2 / math.pi * math.asin(r))
    alone = 0
    for seed in range(SAMPLES):
        generator = np.random.default_rng(seed)
        shared = np.array(bivariate(generator, r, 80))[:, tasks]
        scores, judged = shared + 0.4 * np.array(bivariate(generator, r, 400))
        [found] = associations([scores], judged, clusters=tasks, resamples=300, seed=seed)
        for name, truth in zip(together, truths, strict=True):
            together[name] += held(getattr(found, name), truth)
        [by_row] = associations([scores], judged, resamples=300, seed=seed)
        alone += held(by_row.pearson, r)
    assert all(number >= 0.9 * SAMPLES for number in together.values()), together
    assert alone <= 0.75 * SAMPLES


@settings(deadline=None)
@given(rows, st.data())
def test_neither_order_nor_names_of_clusters_matter(table, data) -> None:
    scores, outcome = table.T
    label = st.integers(0, 5)
    clusters = np.array(data.draw(st.lists(label, min_size=len(table), max_size=len(table))))
    order = np.array(data.draw(st.permutations(range(len(table)))))
    [one] = associations([scores], outcome, clusters=clusters, resamples=20)
    names = np.array(["a", "b", "c", "d", "e", "f"])[clusters]
    [other] = associations([scores[order]], outcome[order], clusters=names[order], resamples=20)
    assert one.reason == other.reason
    for name in NAMES:
        ours, theirs = getattr(one, name), getattr(other, name)
        for a, b in ((ours.value, theirs.value), (ours.percentile.low, theirs.percentile.low)):
            assert a == pytest.approx(b, abs=1e-9, nan_ok=True)


@settings(deadline=None)
@given(rows)
def test_values_turn_with_the_scores_and_stay_in_bounds(table) -> None:
    scores, outcome = table.T
    assume(len(set(scores)) > 1 and len(set(outcome)) > 1)
    plain, turned, curved = associations(
        [scores, -scores, np.exp(3 * scores)], outcome, resamples=30
    )
    for name in ("pearson", "spearman", "kendall"):
        assert getattr(plain, name).value == pytest.approx(-getattr(turned, name).value, abs=1e-9)
        for interval in (getattr(plain, name).percentile, getattr(plain, name).bca):
            assert -1 <= interval.low <= interval.high <= 1 or plain.reason
    assert plain.auc.value == pytest.approx(1 - turned.auc.value)
    assert 0 <= plain.auc.percentile.low <= plain.auc.percentile.high <= 1
    for name in ("spearman", "kendall", "auc"):
        assert getattr(plain, name) == getattr(curved, name)


def test_same_seed_same_numbers_alone_or_beside_others() -> None:
    scores, outcome = bivariate(np.random.default_rng(4), 0.3, 80)
    [alone] = associations([scores], outcome, resamples=100, seed=5)
    _, beside = associations([outcome**2, scores], outcome, resamples=100, seed=5)
    for name in ("spearman", "kendall"):
        assert getattr(alone, name) == getattr(beside, name)
    assert alone.pearson.bca.low == pytest.approx(beside.pearson.bca.low, abs=1e-12)
    assert associations([scores], outcome, resamples=100, seed=5) == [alone]
    assert associations([scores], outcome, resamples=100, seed=6) != [alone]


def test_every_column_counts_over_its_own_rows() -> None:
    generator = np.random.default_rng(5)
    scores, judged = bivariate(generator, 0.5, 100)
    holes = np.where(np.arange(100) % 3 == 0, math.nan, scores)
    outcome = np.where(np.arange(100) % 10 == 1, math.inf, judged)
    whole, part, nothing = associations(
        [scores, holes, np.full(100, math.nan)], outcome, resamples=200
    )
    known = np.isfinite(holes) & np.isfinite(outcome)
    assert (whole.n, part.n, nothing.n) == (90, known.sum(), 0)
    assert part.pearson.value == pytest.approx(
        scipy.stats.pearsonr(holes[known], outcome[known]).statistic, abs=1e-9
    )
    assert part.kendall.value == pytest.approx(
        scipy.stats.kendalltau(holes[known], outcome[known]).statistic, abs=1e-9
    )
    assert held(part.kendall, part.kendall.value)
    assert nothing.reason == "no row has a score and an outcome"
    with_nothing_drawn = associations([holes[known]], outcome[known], resamples=200)
    # Rows that say nothing to any column are not drawn.
    assert associations([holes], outcome, resamples=200) == with_nothing_drawn


def test_rows_beyond_a_thousand_are_left_out_in_groups(monkeypatch) -> None:
    generator = np.random.default_rng(6)
    scores, judged = bivariate(generator, 0.6, 900)
    [exact] = associations([np.exp(scores)], judged > 1)
    monkeypatch.setattr(bootstrap, "_EXACT_JACKKNIFE", 300)
    [grouped] = associations([np.exp(scores)], judged > 1)
    for name in NAMES:
        ours, theirs = getattr(exact, name), getattr(grouped, name)
        width = ours.bca.high - ours.bca.low
        assert theirs.bca.low == pytest.approx(ours.bca.low, abs=0.05 * width)
        assert theirs.bca.high == pytest.approx(ours.bca.high, abs=0.05 * width)


@pytest.mark.parametrize(
    ("scores", "outcome", "words"),
    [
        ([], [], "no row has a score and an outcome"),
        ([0.5, 0.25], [math.nan, math.nan], "no row has an outcome"),
        ([math.nan, 0.25], [1, math.nan], "no row has a score and an outcome"),
        ([0.5, 0.25, math.nan], [1, math.nan, 1], "only 1 row has a score and an outcome"),
        ([0.5, 0.25], [1, 0], "only 2 rows have a score and an outcome; a correlation needs"),
        ([0.3, 0.1 + 0.2, 0.3], [1, 0, 1], "every score is the same"),
        ([0.5, 0.25, 0.75], [1, 1, 1], "every outcome is the same (1)"),
    ],
)
def test_why_there_is_no_value_is_said(scores, outcome, words) -> None:
    [found] = associations([scores], outcome)
    assert found.reason.startswith(words)
    for name in NAMES:
        assert math.isnan(getattr(found, name).value)
        assert without_interval(getattr(found, name))
    [difference] = correlation_differences([scores, scores], outcome, [(0, 1)])
    assert difference.reason == found.reason
    assert math.isnan(difference.difference.value)
    assert math.isnan(difference.p)


def test_few_rows_have_values_and_no_intervals() -> None:
    scores, outcome = [0.5, 0.25, 0.75, 0.5], [1, 0, 1, 0]
    [found] = associations([scores], outcome)
    assert found.reason == "fewer than 10 rows tell little, so that there are no intervals"
    assert found.auc.value == 0.875
    assert all(without_interval(getattr(found, name)) for name in NAMES)
    [pair] = correlation_differences([scores, [0.1, 0.2, 0.3, 0.5]], outcome, [(0, 1)])
    assert pair.reason == found.reason
    assert math.isfinite(pair.difference.value)
    assert math.isnan(pair.p)


def test_one_cluster_has_no_intervals() -> None:
    scores, outcome = bivariate(np.random.default_rng(4), 0.3, 30)
    [found] = associations([scores], outcome > 0, clusters=np.zeros(30))
    assert found.reason == "all rows are of one cluster, so that there are no intervals"
    assert all(without_interval(getattr(found, name)) for name in NAMES)
    assert all(math.isfinite(getattr(found, name).value) for name in NAMES)
    # The other cluster says nothing of this column.
    holes = np.where(np.arange(30) < 15, scores, math.nan)
    whole, part = associations([scores, holes], outcome, clusters=np.arange(30) // 15)
    assert "one cluster" in part.reason
    assert not without_interval(whole.kendall)


def test_outcomes_other_than_0_and_1_have_no_auc() -> None:
    scores, outcome = bivariate(np.random.default_rng(4), 0.3, 30)
    for judged in (outcome, 1 + (outcome > 0)):
        [found] = associations([scores], judged, resamples=50)
        assert math.isnan(found.auc.value)
        assert without_interval(found.auc)
        assert found.reason == "outcomes are not just 0 and 1, so that there is no AUC"
        assert not without_interval(found.kendall)


def test_resamples_without_a_value_do_not_count() -> None:
    # One row passes; a resample without it has one outcome only.
    scores = np.linspace(0, 1, 20)
    [found] = associations([scores], np.arange(20) == 19, resamples=400)
    assert found.reason is None
    assert found.auc.percentile == Interval(1.0, 1.0)
    # Scores vary in one row and outcomes in another: most resamples miss one of them.
    [found] = associations([np.arange(20) == 0], np.arange(20) == 19, resamples=400)
    assert math.isfinite(found.pearson.value)
    assert all(without_interval(getattr(found, name)) for name in NAMES if name != "auc")
    assert not without_interval(found.auc)  # which is a half where all scores are the same
    assert found.reason == (
        "more than half of the resamples have no value, so that there is no interval"
    )


def test_columns_must_fit() -> None:
    with pytest.raises(CodekinError, match=r"column 2 has the shape \(3,\)"):
        associations([[1, 2], [1, 2, 3]], [0, 1])
    with pytest.raises(CodekinError, match="clusters do not fit"):
        associations([[1, 2]], [0, 1], clusters=[1, 2, 3])
    assert associations([], [0, 1]) == []


@given(rows)
def test_sums_have_pearsons_correlation(table) -> None:
    scores, outcome = table.T
    found = pearson_of(scores, outcome).value
    if len(set(scores)) < 2 or len(set(outcome)) < 2:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(scipy.stats.pearsonr(scores, outcome).statistic, abs=1e-12)


def test_no_rows_have_no_correlation() -> None:
    assert math.isnan(pearson_of([math.nan, 1.0], [1.0, math.nan]).value)
    assert math.isnan(pearson_of([], []).value)


def test_differences_are_those_of_rows_that_both_have() -> None:
    generator = np.random.default_rng(7)
    scores, judged = bivariate(generator, 0.6, 120)
    noisy = scores + generator.normal(size=120)
    noisy[::7] = math.nan
    both = np.isfinite(noisy)
    for clusters in (None, np.arange(120) % 30):
        found = correlation_differences(
            [scores, noisy, judged**2],
            judged,
            [(0, 1), (1, 0), (0, 2), (1, 1)],
            clusters=clusters,
            resamples=300,
        )
        first, turned, third, itself = found
        assert first.n == both.sum()
        assert third.n == 120
        truth = [scipy.stats.pearsonr(x[both], judged[both]).statistic for x in (scores, noisy)]
        assert first.difference.value == pytest.approx(truth[0] - truth[1], abs=1e-9)
        assert turned.difference.value == -first.difference.value
        assert turned.difference.percentile.low == pytest.approx(-first.difference.percentile.high)
        assert turned.p == first.p
        assert (itself.difference.value, itself.p) == (0.0, 1.0)
        assert itself.difference.bca == Interval(0.0, 0.0)


@pytest.mark.parametrize("holes", [0, 8])
def test_resampled_differences_agree_with_scipy(holes) -> None:
    generator = np.random.default_rng(8)
    scores, judged = bivariate(generator, 0.5, 40)
    noisy = scores + generator.normal(size=40)
    noisy[:holes] = math.nan
    [found] = correlation_differences(
        [scores, noisy], judged, [(0, 1)], resamples=30, seed=2, level=0.5
    )
    [(_, [(_, counts)])] = count_blocks(40, 30, 2)
    replicates = []
    for drawn in counts.astype(int):
        x, y, z = (np.repeat(column[holes:], drawn[holes:]) for column in (scores, noisy, judged))
        replicates.append(
            scipy.stats.pearsonr(x, z).statistic - scipy.stats.pearsonr(y, z).statistic
        )
    low, high = np.quantile(replicates, [0.25, 0.75])
    interval = found.difference.percentile
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-9)
    extreme = np.abs(replicates - np.mean(replicates)) >= abs(found.difference.value)
    assert found.p == pytest.approx((extreme.sum() + 1) / 31)


def test_p_is_small_where_there_is_a_difference_and_seldom_elsewhere() -> None:
    rejected = {"same": 0, "other": 0}
    inside = 0
    for seed in range(SAMPLES):
        generator = np.random.default_rng(seed)
        judged, first, second, third = generator.normal(size=(4, 150))
        columns = [judged + first, judged + second, judged + 3 * third]
        same, other = correlation_differences(
            columns, judged, [(0, 1), (0, 2)], resamples=300, seed=seed
        )
        rejected["same"] += same.p < 0.05
        rejected["other"] += other.p < 0.05
        inside += held(other.difference, math.sqrt(1 / 2) - math.sqrt(1 / 10))
    assert 1 <= rejected["same"] <= 0.1 * SAMPLES
    assert rejected["other"] >= 0.95 * SAMPLES
    assert 0.9 * SAMPLES <= inside < SAMPLES


def test_no_pairs_no_differences() -> None:
    assert correlation_differences([[1, 2, 3]], [1, 2, 3], []) == []


def test_pairs_share_draws_whatever_else_is_compared() -> None:
    generator = np.random.default_rng(9)
    judged = generator.normal(size=60)
    columns = [judged + generator.normal(size=60) for _ in range(4)]
    pairs = list(itertools.combinations(range(4), 2))
    together = correlation_differences(columns, judged, pairs, resamples=100)
    for pair, found in zip(pairs, together, strict=True):
        [alone] = correlation_differences(columns, judged, [pair], resamples=100)
        assert alone.p == found.p
        assert alone.difference.bca.low == pytest.approx(found.difference.bca.low, abs=1e-12)
