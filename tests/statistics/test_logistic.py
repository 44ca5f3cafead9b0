"""Logistic regression against scikit-learn, and where labels are separable."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from codekin.errors import CodekinError
from codekin.statistics.logistic import fit_logistic, logistic


def test_weights_are_those_of_scikit_learn() -> None:
    chance = np.random.default_rng(0)
    rows = chance.normal(size=(300, 3)) * [1.0, 50.0, 0.01] + [0.0, 7.0, 1.0]
    label = rows[:, 0] + rows[:, 1] / 50 + chance.normal(size=300) > 0.3
    weights, intercept = fit_logistic(rows, label)
    mean, deviation = rows.mean(0), rows.std(0)
    other = LogisticRegression(C=1.0, tol=1e-10).fit((rows - mean) / deviation, label)
    np.testing.assert_allclose(weights, other.coef_[0] / deviation, rtol=1e-4)
    expected = other.predict_proba((rows - mean) / deviation)[:, 1]
    np.testing.assert_allclose(logistic(rows @ weights + intercept), expected, rtol=1e-4)


def test_separable_labels_and_constant_columns_have_finite_weights() -> None:
    rows = np.array([[0.0, 5.0], [1.0, 5.0], [10.0, 5.0], [11.0, 5.0]])
    weights, intercept = fit_logistic(rows, np.array([False, False, True, True]))
    assert np.isfinite(weights).all() and weights[1] == 0
    assert ((rows @ weights + intercept > 0) == [False, False, True, True]).all()


def test_one_label_is_refused() -> None:
    with pytest.raises(CodekinError, match="both labels"):
        fit_logistic(np.zeros((3, 1)), np.ones(3, bool))


def test_weights_that_may_not_be_negative() -> None:
    chance = np.random.default_rng(1)
    rows = chance.normal(size=(400, 3))
    label = rows @ [2.0, -1.0, 0.0] + chance.normal(size=400) > 0
    free, _ = fit_logistic(rows, label)
    weights, _ = fit_logistic(rows, label, positive=True)
    assert free[1] < -0.5
    assert weights[1] == 0 and weights[0] > 1 and weights[2] >= 0
