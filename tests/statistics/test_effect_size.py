from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.weightstats import CompareMeans

from codekin import CodekinError
from codekin.statistics import bootstrap
from codekin.statistics.bootstrap import Interval
from codekin.statistics.effect_size import adjusted_d, effect_sizes
from codekin.statistics.paired import cohen_dz
from codekin.statistics.resampling import count_blocks

NAMES = ("cohens_d", "auc", "win_rate", "paired_d")

# Sixteenths add up without rounding.
scores = st.integers(0, 16).map(lambda n: n / 16)
triplets = st.lists(st.tuples(scores, scores), min_size=2, max_size=30).map(np.array)

SAMPLES = 100
"""Samples that are drawn to see how often an interval holds the truth."""


def held(estimate, truth) -> bool:
    return bool(estimate.bca.low <= truth <= estimate.bca.high)


def values(sizes) -> dict[str, float]:
    return {name: getattr(sizes, name).value for name in NAMES}


def without_interval(estimate) -> bool:
    ends = (*vars(estimate.percentile).values(), *vars(estimate.bca).values())
    return all(map(math.isnan, ends))


@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_values_agree_with_peers(offset) -> None:
    generator = np.random.default_rng(1)
    positive = np.round(generator.normal(0.4, 1.5, 80), 1) + offset
    negative = np.round(generator.normal(0, 1, 80), 1) + offset
    sizes = effect_sizes(positive, negative, resamples=10)
    pooled = math.sqrt((positive.var(ddof=1) + negative.var(ddof=1)) / 2)
    by_hand = (positive.mean() - negative.mean()) / pooled
    t, _, _ = CompareMeans.from_data(positive, negative).ttest_ind(usevar="pooled")
    u = scipy.stats.mannwhitneyu(positive, negative).statistic
    paired_t = scipy.stats.ttest_rel(positive, negative).statistic
    assert sizes.cohens_d.value == pytest.approx(by_hand, abs=1e-9)
    assert sizes.cohens_d.value == pytest.approx(t * math.sqrt(2 / 80), abs=1e-9)
    assert sizes.auc.value == pytest.approx(u / 80**2, abs=1e-12)
    assert sizes.paired_d.value == pytest.approx(paired_t / math.sqrt(80), abs=1e-9)
    assert sizes.paired_d.value == cohen_dz(negative, positive)
    assert sizes.win_rate.value == np.mean(
        np.where(positive > negative, 1, np.where(positive == negative, 0.5, 0))
    )
    assert sizes.n == 80


@pytest.mark.parametrize("clustered", [False, True])
def test_resamples_are_those_of_triplets(clustered) -> None:
    generator = np.random.default_rng(2)
    positive, negative = generator.normal(size=(2, 40))
    positive += 0.5
    units = np.arange(40) // 3 if clustered else np.arange(40)
    sizes = effect_sizes(
        positive,
        negative,
        clusters=units if clustered else None,
        resamples=40,
        seed=3,
        level=0.5,
    )
    [(_, blocks)] = count_blocks(units.max() + 1, 40, 3)
    found: dict[str, list[float]] = {name: [] for name in NAMES}
    for _, block in blocks:
        for counts in block.astype(int)[:, units]:
            one, other = np.repeat(positive, counts), np.repeat(negative, counts)
            found["auc"].append(scipy.stats.mannwhitneyu(one, other).statistic / len(one) ** 2)
            found["win_rate"].append(np.mean(one > other))
            found["paired_d"].append(cohen_dz(other, one))
            pooled = math.sqrt((one.var(ddof=1) + other.var(ddof=1)) / 2)
            found["cohens_d"].append((one.mean() - other.mean()) / pooled)
    for name, replicates in found.items():
        interval = getattr(sizes, name).percentile
        assert (interval.low, interval.high) == pytest.approx(
            tuple(np.quantile(replicates, [0.25, 0.75])), abs=1e-12
        )


def test_planted_effects_are_found() -> None:
    d = 0.7
    auc = scipy.stats.norm.cdf(d / math.sqrt(2))
    truths = {"cohens_d": d, "auc": auc, "win_rate": auc, "paired_d": d / math.sqrt(2)}
    times = dict.fromkeys(NAMES, 0)
    for seed in range(SAMPLES):
        generator = np.random.default_rng(seed)
        positive, negative = generator.normal(d, 1, 120), generator.normal(0, 1, 120)
        sizes = effect_sizes(positive, negative, resamples=300, seed=seed)
        for name, truth in truths.items():
            times[name] += held(getattr(sizes, name), truth)
    assert all(0.9 * SAMPLES <= number < SAMPLES for number in times.values()), times


def test_effects_of_clusters_are_found_by_drawing_clusters() -> None:
    clusters = np.repeat(np.arange(60), 4)
    spread = 1.5
    truth = 0.6 / math.sqrt((2 + spread**2) / 2)
    together = alone = 0
    for seed in range(SAMPLES):
        generator = np.random.default_rng(seed)
        positive = 0.6 + spread * generator.normal(size=60)[clusters] + generator.normal(size=240)
        negative = generator.normal(size=240)
        options = {"resamples": 300, "seed": seed}
        together += held(
            effect_sizes(positive, negative, clusters=clusters, **options).cohens_d, truth
        )
        alone += held(effect_sizes(positive, negative, **options).cohens_d, truth)
    assert together >= 0.9 * SAMPLES
    assert alone <= 0.8 * SAMPLES


def confounded(seed: int, effect: float):
    """Longer texts score more, and positives are longer."""
    generator = np.random.default_rng(seed)
    anchors = generator.integers(30, 300, 150)
    longer = generator.integers(60, 400, 150)
    shorter = generator.integers(20, 250, 150)
    positive = 2 * np.log1p(longer) + effect + generator.normal(size=150)
    negative = 2 * np.log1p(shorter) + generator.normal(size=150)
    lengths = np.column_stack([longer, anchors]), np.column_stack([shorter, anchors])
    return positive, negative, *lengths


@pytest.mark.parametrize("effect", [0.0, 0.6])
def test_what_lengths_explain_is_regressed_out(effect) -> None:
    times, plain = 0, []
    for seed in range(SAMPLES):
        data = confounded(seed, effect)
        estimate, reason = adjusted_d(*data, resamples=300, seed=seed)
        assert reason is None
        times += held(estimate, effect)
        plain.append(effect_sizes(*data[:2], resamples=1).cohens_d.value)
    assert min(plain) > 0.3
    assert np.mean(plain) > effect + 0.3
    assert 0.9 * SAMPLES <= times < SAMPLES


@pytest.mark.parametrize("clustered", [False, True])
def test_adjusted_d_is_that_of_least_squares(clustered) -> None:
    positive, negative, longer, shorter = confounded(1, 0.4)
    clusters = np.arange(150) % 40 if clustered else None
    estimate, _ = adjusted_d(
        positive, negative, longer, shorter, clusters=clusters, resamples=30, level=0.5
    )
    units = np.arange(150) if clusters is None else clusters
    assert estimate.value == pytest.approx(least_squares(np.ones(150, int), 1), abs=1e-9)
    number = units.max() + 1
    [(_, blocks)] = count_blocks(number, 30, 0)
    [(_, counts)] = blocks
    replicates = [least_squares(drawn[units].astype(int), 1) for drawn in counts]
    assert (estimate.percentile.low, estimate.percentile.high) == pytest.approx(
        tuple(np.quantile(replicates, [0.25, 0.75])), abs=1e-9
    )


def least_squares(counts, seed) -> float:
    positive, negative, longer, shorter = confounded(seed, 0.4)
    logs = np.log1p(np.concatenate([longer, shorter]))
    table = np.column_stack(
        [np.ones(300), np.repeat([1, 0], 150), logs, np.abs(logs[:, 0] - logs[:, 1])]
    )
    twice = np.tile(counts, 2)
    scored = np.repeat(np.concatenate([positive, negative]), twice)
    fit = OLS(scored, np.repeat(table, twice, axis=0)).fit()
    return float(fit.params[1] / math.sqrt(fit.scale))


def test_lengths_that_say_nothing_new_are_left_out() -> None:
    positive, negative, longer, shorter = confounded(2, 0.4)
    d = effect_sizes(positive, negative, resamples=50).cohens_d
    constant = np.full((150, 2), 77)
    estimate, reason = adjusted_d(positive, negative, constant, constant, resamples=50)
    assert reason is None
    assert estimate.value == pytest.approx(d.value, abs=1e-12)
    assert estimate.percentile.low == pytest.approx(d.percentile.low, abs=1e-9)
    # Candidates as long as anchors: one length says all.
    one = np.column_stack([longer[:, 0], longer[:, 0]])
    other = np.column_stack([shorter[:, 0], shorter[:, 0]])
    table = np.column_stack(
        [np.ones(300), np.repeat([1, 0], 150), np.log1p(np.concatenate([one, other])[:, 0])]
    )
    fit = OLS(np.concatenate([positive, negative]), table).fit()
    estimate, _ = adjusted_d(positive, negative, one, other, resamples=50)
    assert estimate.value == pytest.approx(fit.params[1] / math.sqrt(fit.scale), abs=1e-9)


@pytest.mark.parametrize(
    ("positive", "negative", "longer", "shorter", "words"),
    [
        ([], [], np.empty((0, 2)), np.empty((0, 2)), "no triplet"),
        ([1.0], [math.nan], [[1, 2]], [[1, 2]], "no triplet"),
        ([1.0], [0.5], [[1, math.nan]], [[1, 2]], "no triplet"),
        ([1.0], [0.5], [[4, 2]], [[1, 2]], "too few triplets (1)"),
        ([1.0, 2, 4] * 5, [0.5, 3, 1] * 5, [[9, 5]] * 15, [[7, 5]] * 15, "lengths alone"),
        ([1.0] * 15, [0.5] * 15, [[9, 5]] * 15, [[9, 5]] * 15, "no residual"),
        ([1.0, 2, 4], [0.5, 3, 1], [[9, 5]] * 3, [[9, 5]] * 3, "fewer than 10 triplets"),
    ],
)
def test_why_nothing_is_adjusted_is_said(positive, negative, longer, shorter, words) -> None:
    estimate, reason = adjusted_d(positive, negative, longer, shorter)
    assert words in reason
    assert without_interval(estimate)
    assert math.isnan(estimate.value) == (not words.startswith("fewer"))


def test_lengths_that_cannot_be_are_refused() -> None:
    with pytest.raises(CodekinError, match=r"positive_lengths has the shape \(2,\)"):
        adjusted_d([1, 2], [1, 2], [1, 2], [[1, 2], [1, 2]])
    with pytest.raises(CodekinError, match="negative_lengths has a negative number"):
        adjusted_d([1, 2], [1, 2], [[1, 2], [1, 2]], [[1, 2], [1, -2]])


@given(triplets)
def test_turned_around_the_effect_turns_its_sign(pairs) -> None:
    one, other = pairs.T
    ours = values(effect_sizes(one, other, resamples=1))
    turned = values(effect_sizes(other, one, resamples=1))
    for name in ("cohens_d", "paired_d"):
        assert ours[name] == pytest.approx(-turned[name], abs=1e-9, nan_ok=True)
    for name in ("auc", "win_rate"):
        assert ours[name] == pytest.approx(1 - turned[name], abs=1e-12)
        assert 0 <= ours[name] <= 1


@given(triplets, st.integers(1, 8), st.integers(-8, 8))
def test_scale_and_offset_do_not_matter(pairs, scale, offset) -> None:
    one, other = pairs.T
    ours = values(effect_sizes(one, other, resamples=1))
    moved = values(effect_sizes(scale * one + offset, scale * other + offset, resamples=1))
    for name in NAMES:
        assert ours[name] == pytest.approx(moved[name], abs=1e-9, nan_ok=True)


@settings(deadline=None)
@given(st.lists(st.tuples(scores, scores, st.integers(0, 5)), min_size=12, max_size=30), st.data())
def test_the_order_of_triplets_and_clusters_does_not_matter(rows, data) -> None:
    one, other, clusters = map(np.array, zip(*rows, strict=True))
    assume(len(set(clusters)) > 1)
    order = np.array(data.draw(st.permutations(range(len(rows)))))
    first = effect_sizes(one, other, clusters=clusters, resamples=20)
    names = np.array(["a", "b", "c", "d", "e", "f"])[clusters]
    second = effect_sizes(one[order], other[order], clusters=names[order], resamples=20)
    assert first.reason == second.reason
    for name in NAMES:
        ours, theirs = getattr(first, name), getattr(second, name)
        for a, b in ((ours.value, theirs.value), (ours.percentile.low, theirs.percentile.low)):
            assert a == pytest.approx(b, abs=1e-9, nan_ok=True)


def test_same_seed_same_numbers() -> None:
    positive, negative, *lengths = confounded(3, 0.2)
    options = {"resamples": 100, "clusters": np.arange(150) % 30}
    first = effect_sizes(positive, negative, seed=7, **options)
    assert first == effect_sizes(positive, negative, seed=7, **options)
    assert first != effect_sizes(positive, negative, seed=8, **options)
    adjusted = adjusted_d(positive, negative, *lengths, seed=7, **options)
    assert adjusted == adjusted_d(positive, negative, *lengths, seed=7, **options)


def test_triplets_with_a_missing_score_are_left_out() -> None:
    positive, negative, longer, shorter = confounded(4, 0.2)
    holes = np.insert(positive, [3, 90], [math.nan, math.inf])
    beside = np.insert(negative, [3, 90], 0.5)
    assert effect_sizes(holes, beside) == effect_sizes(positive, negative)
    lengths = [np.insert(given, [3, 90], 5, axis=0) for given in (longer, shorter)]
    assert adjusted_d(holes, beside, *lengths) == adjusted_d(positive, negative, longer, shorter)


def test_many_triplets_have_nearly_the_intervals_of_an_exact_jackknife(monkeypatch) -> None:
    generator = np.random.default_rng(6)
    positive, negative = generator.exponential(size=(2, 900)) ** 2
    positive *= 1.3
    lengths = generator.integers(5, 90, (2, 900, 2))
    exact = effect_sizes(positive, negative), adjusted_d(positive, negative, *lengths)[0]
    monkeypatch.setattr(bootstrap, "_EXACT_JACKKNIFE", 300)
    grouped = effect_sizes(positive, negative), adjusted_d(positive, negative, *lengths)[0]
    for ours, theirs in [
        *((getattr(exact[0], name), getattr(grouped[0], name)) for name in NAMES),
        (exact[1], grouped[1]),
    ]:
        width = ours.bca.high - ours.bca.low
        assert theirs.bca.low == pytest.approx(ours.bca.low, abs=0.05 * width)
        assert theirs.bca.high == pytest.approx(ours.bca.high, abs=0.05 * width)


@pytest.mark.parametrize("positive", [[], [math.nan, 0.5]])
def test_no_triplets(positive) -> None:
    sizes = effect_sizes(positive, [math.nan] * len(positive))
    assert sizes.n == 0
    assert sizes.reason == "no triplet has both scores"
    assert all(map(math.isnan, values(sizes).values()))


def test_one_triplet() -> None:
    sizes = effect_sizes([0.75], [0.5])
    assert (sizes.n, sizes.auc.value, sizes.win_rate.value) == (1, 1.0, 1.0)
    assert math.isnan(sizes.cohens_d.value)
    assert math.isnan(sizes.paired_d.value)
    assert sizes.reason.startswith("one triplet has no spread")


def test_few_triplets_have_no_intervals() -> None:
    sizes = effect_sizes([0.75, 0.5, 1.0], [0.5, 0.25, 0.125])
    assert sizes.cohens_d.value > 0
    assert sizes.reason == "fewer than 10 triplets tell little, so that there are no intervals"
    assert all(without_interval(getattr(sizes, name)) for name in NAMES)


def test_one_cluster_has_no_intervals() -> None:
    positive, negative, *_ = confounded(4, 0.2)
    sizes = effect_sizes(positive, negative, clusters=["p"] * 150)
    assert values(sizes) == values(effect_sizes(positive, negative, resamples=1))
    assert sizes.reason == "all triplets are of one cluster, so that there are no intervals"
    assert all(without_interval(getattr(sizes, name)) for name in NAMES)


def test_groups_that_never_change() -> None:
    apart = effect_sizes([0.1 + 0.2] * 12, [0.1] * 12)
    assert math.isnan(apart.cohens_d.value)
    assert math.isnan(apart.paired_d.value)
    assert apart.auc.value == apart.win_rate.value == 1.0
    assert apart.auc.bca == apart.auc.percentile == Interval(1.0, 1.0)
    assert apart.reason == (
        "both groups are constant and differ, so that d is undefined; "
        "all triplets differ by the same, so that paired d is undefined"
    )
    alike = effect_sizes([0.3] * 12, [0.1 + 0.2] * 12)
    assert alike.cohens_d.value == alike.paired_d.value == 0.0
    assert alike.win_rate.value == 0.5
    assert alike.reason is None


def test_resamples_without_a_value_do_not_count() -> None:
    # Only those that draw the lone other triplet have a spread: about 63 of 100.
    sizes = effect_sizes([1.0] * 11 + [2.0], [0.0] * 12, resamples=500)
    assert sizes.reason is None
    assert sizes.cohens_d.percentile.low > 2


def test_columns_of_other_lengths_are_refused() -> None:
    with pytest.raises(CodekinError, match="negative has the shape"):
        effect_sizes([1, 2], [1, 2, 3])
    with pytest.raises(CodekinError, match="clusters do not fit"):
        effect_sizes([1, 2], [1, 2], clusters=[1])
