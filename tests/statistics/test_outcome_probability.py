"""Logistic regression with intervals, and how well probabilities hold, against scikit-learn."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss

from codekin import CodekinError
from codekin.statistics.logistic import logistic
from codekin.statistics.outcome_probability import (
    brier_score,
    calibration_error,
    chance_error,
    distribution_distance,
    distribution_limit,
    equal_bins,
    fit_clustered_logistic,
    joint_freedom,
    log_odds_offset,
    probability_interval,
    reliability_bins,
    task_folds,
)


def drawn(rows=400, columns=2, seed=0):
    random = np.random.default_rng(seed)
    values = random.normal(size=(rows, columns))
    log_odds = values @ np.linspace(1.0, -0.5, columns) + 0.3
    return values, random.random(rows) < logistic(log_odds)


def test_coefficients_are_those_of_scikit_learn():
    values, label = drawn()
    standard = (values - values.mean(0)) / values.std(0)
    fit = fit_clustered_logistic(standard, label, ridge=1.0)
    theirs = LogisticRegression(C=1.0, tol=1e-10, max_iter=1000).fit(standard, label)
    assert fit.coefficients[:-1] == pytest.approx(theirs.coef_[0], abs=1e-5)
    assert fit.coefficients[-1] == pytest.approx(theirs.intercept_[0], abs=1e-5)


def test_copies_of_rows_in_clusters_say_nothing_new():
    values, label = drawn(200)
    alone = fit_clustered_logistic(values, label, ridge=0.0)
    five = np.repeat(np.arange(200), 5)
    copied = fit_clustered_logistic(values[five], label[five], five, ridge=0.0)
    fooled = fit_clustered_logistic(values[five], label[five], ridge=0.0)
    assert copied.freedom == alone.freedom == 199
    assert copied.covariance == pytest.approx(alone.covariance, rel=0.03)
    assert fooled.covariance == pytest.approx(alone.covariance / 5, rel=0.05)


def test_intervals_contain_the_true_probability_as_often_as_they_say():
    held, clustered = [], []
    at = np.array([[0.0, 0.0], [1.0, 1.0], [-1.5, 0.5]])
    truth = logistic(at @ np.array([1.0, -0.5]) + 0.3)
    for seed in range(150):
        values, label = drawn(120, seed=seed)
        fit = fit_clustered_logistic(values, label, ridge=0.01)
        low, high = probability_interval(fit.log_odds(at), fit.variances(at), fit.freedom)
        held.append((low <= truth) & (truth <= high))
        three = np.repeat(np.arange(120), 3)
        fit = fit_clustered_logistic(values[three], label[three], three, ridge=0.01)
        low, high = probability_interval(fit.log_odds(at), fit.variances(at), fit.freedom)
        clustered.append((low <= truth) & (truth <= high))
    assert 0.92 <= np.mean(held) <= 0.99
    assert 0.92 <= np.mean(clustered) <= 0.99


def test_a_column_that_separates_the_labels_leaves_some_doubt():
    rows = np.repeat([-1.0, 1.0], 20)[:, None]
    fit = fit_clustered_logistic(rows, rows[:, 0] > 0)
    assert fit.variances(rows).min() > 0.1
    low, high = probability_interval(fit.log_odds(rows), fit.variances(rows), fit.freedom)
    assert high[0] > 0.02
    assert low[-1] < 0.98


def test_a_single_cluster_has_no_covariance():
    values, label = drawn(30)
    with pytest.raises(CodekinError, match="two clusters"):
        fit_clustered_logistic(values, label, np.zeros(30, int))


def test_a_constant_column_does_no_harm():
    values, label = drawn(100)
    constant = np.column_stack([values, np.zeros(100)])
    fit = fit_clustered_logistic(constant, label)
    assert fit.coefficients[:2] == pytest.approx(
        fit_clustered_logistic(values, label).coefficients[:2]
    )
    assert np.isfinite(fit.variances(constant)).all()


def test_differences_between_datasets_widen_intervals():
    log_odds, variances = np.zeros(1), np.array([0.04])
    narrow = probability_interval(log_odds, variances, 500.0)
    wide = probability_interval(log_odds, variances, 500.0, shift=0.5, datasets=4)
    assert wide[0] < narrow[0] < 0.5 < narrow[1] < wide[1]
    # Nearly all of the doubt is that of four datasets.
    assert 3 < joint_freedom(variances, 500.0, 0.25, 3)[0] < 4.1
    assert wide[1][0] > logistic(np.array([2.7 * math.sqrt(0.29)]))[0]


@given(st.lists(st.floats(-8, 8), min_size=4, max_size=30), st.integers(0, 2**30))
@settings(max_examples=40, deadline=None)
def test_an_offset_meets_the_rate(values, seed):
    label = np.random.default_rng(seed).random(len(values)) < 0.5
    log_odds = np.array(values)
    moved = logistic(log_odds + log_odds_offset(log_odds, label))
    rate = min(max(label.mean(), 0.5 / len(label)), 1 - 0.5 / len(label))
    assert moved.mean() == pytest.approx(rate, abs=1e-9)


def test_brier_score_and_bins_are_those_of_scikit_learn():
    random = np.random.default_rng(1)
    chances = random.random(500)
    label = random.random(500) < chances**2
    assert brier_score(chances, label) == pytest.approx(brier_score_loss(label, chances))
    bins = reliability_bins(chances, label)
    observed, predicted = calibration_curve(label, chances, n_bins=10, strategy="quantile")
    assert [one.observed for one in bins] == pytest.approx(observed, abs=0.03)
    assert [one.predicted for one in bins] == pytest.approx(predicted, abs=0.005)
    assert calibration_error(bins) > 3 * chance_error(bins)


@given(st.lists(st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0]), min_size=1, max_size=60))
@settings(max_examples=50, deadline=None)
def test_bins_divide_the_rows_and_never_equal_values(values):
    array = np.array(values)
    bins = equal_bins(array)
    assert sorted(np.concatenate(bins).tolist()) == list(range(len(values)))
    for one, other in pairwise(bins):
        assert array[one].max() < array[other].min()


def test_different_values_are_parted_into_tenths():
    assert [one.tolist() for one in equal_bins(np.arange(20.0))] == [
        [2 * i, 2 * i + 1] for i in range(10)
    ]


def test_the_error_of_right_probabilities_is_that_of_chance():
    random = np.random.default_rng(2)
    errors, expected = [], []
    for _ in range(40):
        chances = np.repeat(random.random(100), 4)
        label = np.repeat(random.random(100), 4) < chances  # a task passes or fails as a whole
        bins = reliability_bins(chances, label, np.repeat(np.arange(100), 4))
        errors.append(calibration_error(bins))
        expected.append(chance_error(bins))
    assert np.mean(errors) == pytest.approx(np.mean(expected), rel=0.15)


def test_bins_may_follow_another_order():
    # Rows that are all alike, predicted from the other half: a half with fewer outcomes of 1
    # is predicted higher, which looks like an error although there is none.
    label = np.repeat([True, False, False, True], [30, 20, 30, 20])
    chances = np.repeat([0.4, 0.6], 50)
    assert calibration_error(reliability_bins(chances, label)) == pytest.approx(0.2)
    [together] = reliability_bins(chances, label, order=np.zeros(100))
    assert calibration_error([together]) == pytest.approx(0)


def test_intervals_of_bins_allow_for_tasks():
    chances = np.full(200, 0.5)
    label = np.repeat([True, False] * 5, 20)
    [alone] = reliability_bins(chances, label)
    [together] = reliability_bins(chances, label, np.repeat(np.arange(10), 20))
    assert (together.rows, together.tasks) == (200, 10)
    assert together.interval.high - together.interval.low > 3 * (
        alone.interval.high - alone.interval.low
    )
    [certain] = reliability_bins(chances, np.ones(200, bool), np.repeat(np.arange(10), 20))
    assert certain.interval.high == 1
    assert 0.6 < certain.interval.low < 0.8  # ten tasks, not 200 rows
    for one in (label, np.ones(200, bool), np.ones(1, bool)):
        [single] = reliability_bins(chances[: len(one)], one, np.zeros(len(one), np.int64))
        assert np.isnan(single.interval.low)


def test_folds_keep_tasks_together():
    tasks = np.random.default_rng(0).integers(0, 37, 300)
    folds = task_folds(tasks, 5)
    assert all(len(set(folds[tasks == one])) == 1 for one in np.unique(tasks))
    assert set(folds) == {0, 1, 2, 3, 4}
    assert (folds == task_folds(tasks, 5)).all()


def test_samples_of_one_distribution_rarely_exceed_the_limit():
    random = np.random.default_rng(3)
    limit = distribution_limit(200, 200, error=0.05)
    over = []
    for _ in range(200):
        points = np.sort(random.normal(size=200))
        shares = np.arange(1, 201) / 200
        over.append(distribution_distance(points, shares, random.normal(size=200)) > limit)
    assert np.mean(over) < 0.1
    shifted = random.normal(0.6, size=200)
    assert distribution_distance(points, shares, shifted) > limit
