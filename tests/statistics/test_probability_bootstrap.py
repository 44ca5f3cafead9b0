"""Intervals of Brier score, calibration error and AUC: coverage, determinism and clusters."""

from __future__ import annotations

import math

import numpy as np
import pytest

from codekin import CodekinError
from codekin.statistics.bootstrap import bootstrap, mean_of
from codekin.statistics.logistic import logistic
from codekin.statistics.outcome_probability import equal_bins
from codekin.statistics.probability_bootstrap import probability_judgement_intervals


def judged(chances, label, clusters=None, **options):
    return probability_judgement_intervals(
        chances, label, equal_bins(chances), clusters, **{"resamples": 300, **options}
    )


def drawn(random, tasks: int, shift: float):
    """Probabilities that are off by a shift of their log odds, with the right ones."""
    odds = 1.5 * random.normal(size=4 * tasks)
    right = logistic(odds)
    label = random.random(4 * tasks) < right
    return logistic(odds + shift), right, label, np.repeat(np.arange(tasks), 4)


@pytest.mark.parametrize("shift", [0.0, 0.4, 1.0])
def test_intervals_contain_what_other_rows_would_say(shift) -> None:
    random = np.random.default_rng(3)
    draws, inside = 60, np.zeros(3)
    far, right, label, _ = drawn(random, 50_000, shift)
    brier = np.mean((far - label) ** 2)
    ranks = np.argsort(np.argsort(far)) + 1.0
    passed = label.sum()
    auc = (ranks[label].sum() - passed * (passed + 1) / 2) / passed / (len(label) - passed)
    for _ in range(draws):
        chances, right, label, tasks = drawn(random, 100, shift)
        found = judged(chances, label, tasks)
        bins = equal_bins(chances)
        error = sum(abs((chances[one] - right[one]).sum()) for one in bins) / len(label)
        for place, (one, truth) in enumerate(
            ((found.brier, brier), (found.error, error), (found.auc, auc))
        ):
            inside[place] += one.low <= truth <= one.high
    assert (inside / draws > 0.86).all(), inside / draws


def test_probabilities_that_are_right_may_have_no_calibration_error() -> None:
    chances, _, label, tasks = drawn(np.random.default_rng(0), 200, 0.0)
    assert judged(chances, label, tasks).error.low == 0
    assert judged(logistic(np.log(chances / (1 - chances)) + 1), label, tasks).error.low > 0.05


def test_the_brier_score_has_the_interval_of_a_mean() -> None:
    chances, _, label, tasks = drawn(np.random.default_rng(1), 60, 0.3)
    errors = mean_of((chances - label) ** 2)
    [expected] = bootstrap([errors], clusters=tasks, resamples=300, seed=7)
    assert judged(chances, label, tasks, seed=7).brier == expected.bca


def test_rows_that_vary_together_widen_all_intervals() -> None:
    chances, _, label, _ = drawn(np.random.default_rng(1), 60, 0.3)
    apart = judged(np.repeat(chances, 9), np.repeat(label, 9))
    together = judged(np.repeat(chances, 9), np.repeat(label, 9), np.repeat(np.arange(240), 9))
    for name in ("brier", "error", "auc"):
        one, other = getattr(apart, name), getattr(together, name)
        assert other.high - other.low > 1.5 * (one.high - one.low)


def test_a_seed_repeats_everything_and_names_of_clusters_do_not_matter() -> None:
    chances, _, label, tasks = drawn(np.random.default_rng(2), 50, 0.3)
    assert judged(chances, label, tasks) == judged(chances, label, 3 * tasks + 5)
    assert judged(chances, label, tasks, seed=1) != judged(chances, label, tasks)


def test_one_cluster_or_one_outcome() -> None:
    chances = np.linspace(0.1, 0.9, 20)
    one = judged(chances, chances > 0.5, np.zeros(20, int))
    assert math.isnan(one.brier.low)
    assert math.isnan(one.error.low)
    same = judged(chances, np.ones(20, bool))
    assert math.isnan(same.auc.low)
    assert same.brier.low < same.brier.high


def test_bad_resampling_is_refused() -> None:
    with pytest.raises(CodekinError, match="resamples must be at least 1"):
        judged(np.linspace(0.1, 0.9, 20), np.arange(20) > 9, resamples=-1)


def test_without_resamples_there_are_no_intervals() -> None:
    found = judged(np.linspace(0.1, 0.9, 20), np.arange(20) > 9, resamples=0)
    assert all(math.isnan(one.low) for one in (found.brier, found.error, found.auc))
