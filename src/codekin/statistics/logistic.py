"""Logistic regression with few columns."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from codekin.errors import CodekinError

__all__ = ["fit_logistic", "logistic"]

Floats = npt.NDArray[np.float64]

_STEPS = 100
_ENOUGH = 1e-10


def logistic(values: Floats) -> Floats:
    """1 / (1 + exp(-value)), without overflow.

    Examples
    --------
    >>> logistic(np.array([-1000.0, 0.0, 1000.0])).tolist()
    [0.0, 0.5, 1.0]
    """
    small = np.exp(-np.abs(values))
    return np.where(values >= 0, 1 / (1 + small), small / (1 + small))


def fit_logistic(
    rows: Floats, label: npt.NDArray[np.bool_], *, ridge: float = 1.0, positive: bool = False
) -> tuple[Floats, float]:
    """The weights of the columns and the intercept that make labels likeliest.

    By Newton's method with halved steps, on standardised columns, so that the result does not
    depend on their units.

    Parameters
    ----------
    rows : float64 array, rows by columns
    label : bool array
        With both labels.
    ridge : float
        Times the sum of the squared weights of standardised columns is added to the negative
        logarithm of the likelihood, twice; this keeps weights finite where a column separates the
        labels.
    positive : bool
        Whether no weight may be negative. Columns that would have negative weights are left out one
        after the other, that with the least weight first.

    Examples
    --------
    >>> rows = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> weights, intercept = fit_logistic(rows, np.array([False, True, False, True]))
    >>> bool(weights[0] > 0), round(float(logistic(rows @ weights + intercept).mean()), 6)
    (True, 0.5)
    """
    if not label.any() or label.all():
        raise CodekinError("a logistic regression needs rows of both labels")
    weights = np.zeros(rows.shape[1])
    used = np.arange(rows.shape[1])
    while True:
        weights[used], intercept = _fit(rows[:, used], label, ridge)
        scaled = weights[used] * rows[:, used].std(0)
        if not positive or not (scaled < 0).any():
            return weights, intercept
        weights[used[np.argmin(scaled)]] = 0.0
        used = np.delete(used, np.argmin(scaled))


def _fit(rows: Floats, label: npt.NDArray[np.bool_], ridge: float) -> tuple[Floats, float]:
    mean, deviation = rows.mean(0), rows.std(0)
    deviation[deviation == 0] = 1.0
    standard = np.column_stack([(rows - mean) / deviation, np.ones(len(rows))])
    penalty = np.append(np.full(rows.shape[1], ridge), 0.0)
    goal = label.astype(np.float64)
    found = np.zeros(len(penalty))
    value = _cost(standard, goal, found, penalty)
    for _ in range(_STEPS):
        chance = logistic(standard @ found)
        gradient = standard.T @ (chance - goal) + penalty * found
        curvature = standard.T @ (standard * (chance * (1 - chance))[:, None]) + np.diag(penalty)
        # A tiny constant, since the intercept's curvature vanishes where all chances are 0 or 1.
        curvature[-1, -1] += 1e-9
        step = np.linalg.solve(curvature, gradient)
        size = 1.0
        while size > 1e-6 and _cost(standard, goal, found - size * step, penalty) > value:
            size /= 2
        found = found - size * step
        before, value = value, _cost(standard, goal, found, penalty)
        if before - value <= _ENOUGH * (1 + abs(value)):
            break
    weights = found[:-1] / deviation
    return weights, float(found[-1] - mean @ weights)


def _cost(rows: Floats, goal: Floats, weights: Floats, penalty: Floats) -> float:
    """The negative logarithm of the likelihood, and the penalty."""
    values = rows @ weights
    return float(np.sum(np.logaddexp(0, values) - goal * values) + penalty @ weights**2 / 2)
