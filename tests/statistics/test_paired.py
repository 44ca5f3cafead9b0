from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.significance import _compute_p_value

from codekin.statistics.bootstrap import corpus_of, mean_of
from codekin.statistics.paired import (
    bootstrap_p,
    cohen_dz,
    compare_pairs,
    holm,
    holm_corrected,
    permutation_p,
    rank_biserial,
    wins_ties_losses,
)

# Sixteenths add up without rounding, which a peer would take for a difference.
scores = st.integers(0, 16).map(lambda n: n / 16)
paired = st.lists(st.tuples(scores, scores), min_size=2, max_size=9).map(np.array)


def compare(a, b, **options):
    [test] = compare_pairs([(mean_of(a), mean_of(b))], **options)
    return test


@given(paired)
def test_few_pairs_are_permuted_exactly_as_scipy_does(pairs) -> None:
    a, b = pairs.T
    ours = compare(a, b, resamples=50)
    theirs = scipy.stats.permutation_test(
        (b, a),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=np.inf,
    )
    assert ours.exact
    assert ours.permutation_p == pytest.approx(theirs.pvalue)


def test_many_pairs_are_permuted_as_scipy_does() -> None:
    generator = np.random.default_rng(5)
    a = generator.random(60)
    b = a + generator.normal(0.04, 0.1, 60)
    ours = compare(a, b, resamples=20_000)
    theirs = scipy.stats.permutation_test(
        (b, a),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=20_000,
        rng=1,
    )
    assert not ours.exact
    assert 0.01 < ours.permutation_p < 0.5
    assert ours.permutation_p == pytest.approx(theirs.pvalue, abs=0.015)


def corpus(statistics):
    return corpus_of(statistics, lambda sums: (sums[0] / sums[1]) ** 0.5)


@pytest.mark.parametrize("clustered", [False, True])
def test_corpus_values_are_swapped_in_every_way(clustered) -> None:
    generator = np.random.default_rng(2)
    total = generator.integers(3, 30, (2, 10))
    a, b = (
        np.column_stack([generator.binomial(n, p), n])
        for n, p in zip(total, (0.5, 0.6), strict=True)
    )
    clusters = np.arange(10) % 6 if clustered else None
    [test] = compare_pairs([(corpus(a), corpus(b))], clusters=clusters)
    value = lambda rows: (rows[:, 0].sum() / rows[:, 1].sum()) ** 0.5  # noqa: E731
    observed = value(b) - value(a)
    units = 6 if clustered else 10
    extreme = 0
    for way in itertools.product((False, True), repeat=units):
        swapped = np.array(way)[clusters if clustered else slice(None)][:, None]
        first, second = np.where(swapped, b, a), np.where(swapped, a, b)
        extreme += abs(value(second) - value(first)) >= abs(observed) - 1e-12
    assert test.difference.value == pytest.approx(observed)
    assert test.permutation_p == extreme / 2**units
    assert test.units == units


def test_clusters_are_flipped_as_a_whole() -> None:
    a = np.zeros(12)
    b = np.repeat([1.0, 1.0, 1.0], 4)
    assert compare(a, b).permutation_p == 2 / 2**12
    assert compare(a, b, clusters=np.repeat([0, 1, 2], 4)).permutation_p == 2 / 2**3


@given(st.lists(scores, min_size=2, max_size=50), scores)
def test_the_bootstrap_p_value_is_sacrebleus(replicates, difference) -> None:
    values = np.array(replicates)
    centred = np.abs(values - values.mean())
    ours = bootstrap_p(difference, values)
    # A resample exactly as far as the difference counts here, and not there.
    ties = int(np.isclose(centred, difference, rtol=0, atol=1e-9).sum())
    theirs = _compute_p_value(np.where(centred > difference + 1e-9, centred, 0.0), difference)
    assert ours == pytest.approx(theirs + ties / (len(values) + 1))


def test_noise_is_rarely_taken_for_a_difference() -> None:
    calm = {"bootstrap_p": 0, "permutation_p": 0}
    for seed in range(300):
        generator = np.random.default_rng(seed)
        truth = generator.random(150)
        a, b = (np.clip(truth + generator.normal(0, 0.1, 150), 0, 1) for _ in "ab")
        test = compare(a, b, resamples=500, seed=seed)
        for name in calm:
            calm[name] += getattr(test, name) > 0.05
    # 285 of 300 by the meaning of p.
    assert all(273 <= number <= 295 for number in calm.values()), calm


def test_noise_in_statistics_is_rarely_taken_for_a_difference() -> None:
    calm = {"bootstrap_p": 0, "permutation_p": 0}
    for seed in range(300):
        generator = np.random.default_rng(seed)
        total = generator.integers(5, 50, 100)
        a, b = (np.column_stack([generator.binomial(total, 0.5), total]) for _ in "ab")
        [test] = compare_pairs([(corpus(a), corpus(b))], resamples=400, seed=seed)
        for name in calm:
            calm[name] += getattr(test, name) > 0.05
    assert all(273 <= number <= 295 for number in calm.values()), calm


def test_a_shifted_system_is_told_apart() -> None:
    for seed in range(20):
        generator = np.random.default_rng(seed)
        truth = generator.random(150)
        a = truth + generator.normal(0, 0.1, 150)
        b = truth + generator.normal(0.1, 0.1, 150)
        test = compare(a, b, resamples=1000, seed=seed)
        assert max(test.bootstrap_p, test.permutation_p) < 0.01
        assert test.difference.bca.low > 0
        turned = compare(b, a, resamples=1000, seed=seed)
        assert turned.permutation_p == test.permutation_p
        assert turned.difference.value == pytest.approx(-test.difference.value)


def test_the_same_system_twice_is_no_difference() -> None:
    a = np.random.default_rng(0).random(40)
    test = compare(a, a)
    assert (test.difference.value, test.bootstrap_p, test.permutation_p) == (0, 1, 1)


def test_one_pair_tells_nothing() -> None:
    test = compare([0.2], [0.6])
    assert test.permutation_p == 1
    assert math.isnan(test.bootstrap_p)
    assert math.isnan(test.difference.bca.low)


def test_no_pairs_are_nan() -> None:
    test = compare([math.nan], [math.nan])
    assert math.isnan(test.difference.value)
    assert math.isnan(test.permutation_p)
    assert math.isnan(test.bootstrap_p)
    assert compare_pairs([]) == []


def test_p_is_never_0_where_ways_are_sampled() -> None:
    a = np.zeros(100)
    test = compare(a, a + 1, resamples=99)
    assert test.permutation_p == test.bootstrap_p == 1 / 100
    assert permutation_p(1.0, np.zeros(99), exact=False) == 1 / 100


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_steps_down(p_values) -> None:
    corrected = holm(p_values)
    assert all(p <= q <= 1 for p, q in zip(p_values, corrected, strict=True))
    # Holm rejects the k smallest exactly if each passes its own step.
    for alpha in (0.01, 0.05, 0.2):
        rejected = 0
        for step, p in enumerate(sorted(p_values)):
            if p * (len(p_values) - step) > alpha:
                break
            rejected += 1
        assert sum(q <= alpha for q in corrected) == rejected


def test_holm_leaves_nan_out() -> None:
    assert holm([0.02, math.nan, 0.5])[0] == 0.04
    assert math.isnan(holm([0.02, math.nan])[1])


def test_holm_corrects_each_kind_by_itself() -> None:
    generator = np.random.default_rng(3)
    a = generator.random((3, 30))
    b = a + generator.normal(0.02, 0.1, (3, 30))
    tests = compare_pairs([(mean_of(x), mean_of(y)) for x, y in zip(a, b, strict=True)])
    corrected = holm_corrected(tests)
    assert [t.permutation_p_holm for t in corrected] == holm([t.permutation_p for t in tests])
    assert [t.bootstrap_p_holm for t in corrected] == holm([t.bootstrap_p for t in tests])


def test_cohens_dz() -> None:
    generator = np.random.default_rng(1)
    a, b = generator.random((2, 50))
    expected = scipy.stats.ttest_rel(b, a).statistic / math.sqrt(50)
    assert cohen_dz(a, b) == pytest.approx(expected)
    assert cohen_dz(a, b, np.full(50, 3.0)) == pytest.approx(expected)
    assert cohen_dz(a, a) == 0
    assert cohen_dz(a, a + 0.25) == math.inf
    assert cohen_dz(a, a - 0.25) == -math.inf
    assert math.isnan(cohen_dz([1.0], [2.0]))
    holed = np.where(np.arange(50) == 7, np.nan, a)
    rest = np.arange(50) != 7
    assert cohen_dz(holed, b, a + 1) == pytest.approx(cohen_dz(a[rest], b[rest], (a + 1)[rest]))


def test_the_rank_biserial_is_that_of_wilcoxon() -> None:
    generator = np.random.default_rng(1)
    a, b = generator.integers(0, 8, (2, 40)) / 8
    differences = (b - a)[b != a]
    ranks = scipy.stats.rankdata(np.abs(differences))
    assert scipy.stats.wilcoxon(differences, alternative="greater").statistic == pytest.approx(
        (1 + rank_biserial(a, b)) / 2 * ranks.sum()
    )
    assert rank_biserial(a, a) == 0
    assert rank_biserial(a, a + 1) == 1
    assert rank_biserial(a + 1, a) == -1
    assert math.isnan(rank_biserial([], []))


def test_wins_are_of_the_second_and_of_distances_turned() -> None:
    a, b = [0.1 + 0.2, 0.5, 0.5, math.nan, 0.9], [0.3, 0.6, 0.7, 1.0, 0.1]
    assert wins_ties_losses(a, b) == (2, 1, 1)
    assert wins_ties_losses(a, b, distance=True) == (1, 1, 2)
