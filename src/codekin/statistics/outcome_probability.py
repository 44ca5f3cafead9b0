"""Probabilities of outcomes: logistic regression with intervals, and how well they hold.

The covariance of the coefficients is the cluster-robust sandwich [1]_. The expected calibration
error has bins of equal size [2]_.

References
----------
.. [1] Cameron and Miller, "A practitioner's guide to cluster-robust inference", Journal of Human
   Resources 50(2), 2015.
.. [2] Nixon et al., "Measuring calibration in deep learning", CVPR Workshops, 2019.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from codekin.errors import CodekinError
from codekin.results import UNKNOWN, Interval
from codekin.statistics.logistic import fit_logistic, logistic
from codekin.statistics.proportion import rate_interval, wilson_interval

__all__ = [
    "LogisticFit",
    "ReliabilityBin",
    "brier_score",
    "calibration_error",
    "chance_error",
    "distribution_distance",
    "distribution_limit",
    "equal_bins",
    "fit_clustered_logistic",
    "joint_freedom",
    "log_odds_offset",
    "probability_interval",
    "reliability_bins",
    "task_folds",
]

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.intp]

_BINS = 10
_STEPS = 200


@dataclass(frozen=True, eq=False)
class LogisticFit:
    """A logistic regression with the uncertainty of its coefficients.

    Attributes
    ----------
    coefficients : array of shape (columns + 1,)
        The intercept is the last.
    covariance : array
        Of the coefficients, robust to rows of a cluster that vary together.
    curvature : array
        Their covariance if all rows were independent; it does not vanish where a column separates
        the labels.
    freedom : float
        Degrees of freedom: clusters less one.
    """

    coefficients: Floats
    covariance: Floats
    curvature: Floats
    freedom: float

    def log_odds(self, rows: Floats) -> Floats:
        """The logarithm of the odds of each row."""
        values: Floats = rows @ self.coefficients[:-1] + self.coefficients[-1]
        return values

    def variances(self, rows: Floats) -> Floats:
        """The variance of the log odds of each row, by the larger of both covariances."""
        whole = np.column_stack([rows, np.ones(len(rows))])
        robust, plain = (
            np.einsum("ij,jk,ik->i", whole, one, whole) for one in (self.covariance, self.curvature)
        )
        larger: Floats = np.maximum(robust, plain)
        return larger


def fit_clustered_logistic(
    rows: Floats, label: Labels, clusters: Codes | None = None, *, ridge: float = 1.0
) -> LogisticFit:
    """Fit a logistic regression whose rows vary together in clusters.

    Parameters
    ----------
    rows : float64 array, rows by columns
        Columns should have a deviation of about 1, since the penalty treats them alike.
    label : bool array
        With both labels.
    clusters : array, optional
        The cluster of each row; by default every row is its own.
    ridge : float
        See :func:`codekin.statistics.logistic.fit_logistic`.

    Examples
    --------
    >>> rows = np.arange(8.0)[:, None]
    >>> label = np.array([0, 0, 1, 0, 1, 0, 1, 1], bool)
    >>> fit = fit_clustered_logistic(rows, label)
    >>> bool(fit.coefficients[0] > 0), fit.freedom
    (True, 7.0)
    """
    weights, intercept = fit_logistic(rows, label, ridge=ridge)
    coefficients = np.append(weights, intercept)
    whole = np.column_stack([rows, np.ones(len(rows))])
    chance = logistic(whole @ coefficients)
    # The penalty is on the weights of standardised columns.
    penalty = np.append(ridge * rows.var(0), 0.0)
    curvature = whole.T @ (whole * (chance * (1 - chance))[:, None]) + np.diag(penalty)
    # A constant column has no curvature at all.
    inverse: Floats = np.linalg.pinv(curvature, hermitian=True).astype(np.float64)
    codes = (
        np.arange(len(rows)) if clusters is None else np.unique(clusters, return_inverse=True)[1]
    )
    units = int(codes.max()) + 1
    if units < 2:
        raise CodekinError("a covariance needs rows of at least two clusters")
    errors = whole * (label - chance)[:, None]
    sums = np.column_stack([np.bincount(codes, column, units) for column in errors.T])
    small = units / (units - 1) * (len(rows) - 1) / max(len(rows) - whole.shape[1], 1)
    covariance = inverse @ (sums.T @ sums) @ inverse * small
    return LogisticFit(coefficients, covariance, inverse, float(units - 1))


def log_odds_offset(log_odds: Floats, label: Labels) -> float:
    """What must be added to the log odds so that their mean probability is the observed rate.

    A rate of 0 or 1 counts as half a row away from it.

    Examples
    --------
    >>> log_odds_offset(np.zeros(4), np.array([True, True, True, False]))
    1.0986122886681098
    """
    count = len(label)
    rate = min(max(float(label.mean()), 0.5 / count), 1 - 0.5 / count)
    low, high = -60.0 - float(np.max(log_odds)), 60.0 - float(np.min(log_odds))
    for _ in range(_STEPS):  # bisection, since steps of Newton's method may diverge
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if float(logistic(log_odds + middle).mean()) < rate:
            low = middle
        else:
            high = middle
    return high


def joint_freedom(variances: Floats, freedom: float, other: float, others: float) -> Floats:
    """Degrees of freedom of the sum of two variances, by Satterthwaite.

    Parameters
    ----------
    variances : array
    freedom : float
        Of each of them.
    other, others : float
        A variance that is added to each, and its degrees of freedom.

    Examples
    --------
    >>> joint_freedom(np.array([1.0]), 10.0, 0.0, 3.0).tolist()
    [10.0]
    """
    if other <= 0:
        return np.full(len(variances), freedom)
    joint: Floats = (variances + other) ** 2 / (variances**2 / freedom + other**2 / others)
    return joint


def probability_interval(
    log_odds: Floats,
    variances: Floats,
    freedom: float,
    *,
    shift: float = 0.0,
    datasets: int = 0,
    level: float = 0.95,
) -> tuple[Floats, Floats]:
    """The intervals of probabilities, computed for their log odds.

    Parameters
    ----------
    log_odds, variances : array
    freedom : float
        Degrees of freedom of the variances.
    shift : float
        The standard deviation of log odds between datasets; 0 if the rows are of the same one.
    datasets : int
        How many datasets the shift comes from.
    level : float

    Examples
    --------
    >>> low, high = probability_interval(np.zeros(1), np.array([0.25]), 1000.0)
    >>> round(float(low[0]), 3), round(float(high[0]), 3)
    (0.273, 0.727)
    """
    from scipy.special import stdtrit  # here, since it takes a tenth of a second to load

    total = joint_freedom(variances, freedom, shift**2, max(datasets - 1, 1))
    reach = stdtrit(total, (1 + level) / 2) * np.sqrt(variances + shift**2)
    return logistic(log_odds - reach), logistic(log_odds + reach)


def brier_score(chances: Floats, label: Labels) -> float:
    """The mean squared difference of probability and outcome.

    Examples
    --------
    >>> brier_score(np.array([0.9, 0.5]), np.array([True, False]))
    0.13
    """
    return float(np.mean((chances - label) ** 2))


def equal_bins(values: Floats, bins: int = _BINS) -> list[npt.NDArray[np.intp]]:
    """The places of values in bins of about equal size, the lowest values first.

    Equal values are in one bin, so there may be fewer bins.

    Examples
    --------
    >>> [one.tolist() for one in equal_bins(np.array([0.3, 0.1, 0.3, 0.3, 0.2, 0.9]), 3)]
    [[1, 4], [0, 2, 3], [5]]
    """
    order = np.argsort(values, kind="stable")
    ranked = values[order]
    ends = {0, len(values)}
    for i in range(1, bins):
        at = round(i * len(values) / bins)
        if 0 < at < len(values):
            left = int(np.searchsorted(ranked, ranked[at - 1], "left"))
            right = int(np.searchsorted(ranked, ranked[at - 1], "right"))
            ends.add(right if right - at <= at - left else left)
    return [order[start:end] for start, end in pairwise(sorted(ends))]


@dataclass(frozen=True)
class ReliabilityBin:
    """Rows with about the same probability, and how often their outcome was 1.

    Attributes
    ----------
    low, high : float
        The smallest and the largest probability.
    rows, tasks : int
    predicted, observed : float
        The mean probability, and the rate of outcomes.
    interval : Interval
        Of the observed rate; rows of a task vary together, so it is unknown of a single task.
    deviation : float
        The standard error of the observed rate if the probabilities were right.
    """

    low: float
    high: float
    rows: int
    tasks: int
    predicted: float
    observed: float
    interval: Interval
    deviation: float


def reliability_bins(
    chances: Floats,
    label: Labels,
    clusters: Codes | None = None,
    *,
    order: Floats | None = None,
    level: float = 0.95,
) -> tuple[ReliabilityBin, ...]:
    """Compare probabilities with outcomes, in bins of equal size.

    Parameters
    ----------
    chances : array
    label : array of bool
    clusters : array, optional
        Rows of one vary together.
    order : array, optional
        What decides the bin of a row instead of its probability. Where rows that are alike are
        predicted by the models of several folds, the one that lacks the most outcomes of 1 among
        them has the lowest probabilities, and bins by probability would take folds apart.
    level : float
        Of the intervals.

    Examples
    --------
    >>> chances = np.repeat([0.2, 0.8], 50)
    >>> label = np.tile([True, False, False, False, False], 20) ^ (chances > 0.5)
    >>> [(one.predicted, one.observed) for one in reliability_bins(chances, label)]
    [(0.2, 0.2), (0.8, 0.8)]
    """
    codes = np.arange(len(label)) if clusters is None else clusters
    found = []
    for places in equal_bins(chances if order is None else order):
        here, passed = chances[places], label[places]
        units = np.unique(codes[places], return_inverse=True)[1]
        observed = float(passed.mean())
        found.append(
            ReliabilityBin(
                low=float(here.min()),
                high=float(here.max()),
                rows=len(places),
                tasks=int(units.max()) + 1,
                predicted=round(float(here.mean()), 15),
                observed=observed,
                interval=_rate_interval(passed, units, level),
                # Outcomes that are all equal would seem to have no variance.
                deviation=math.sqrt(
                    max(
                        _variance(passed - here, units),
                        float((here * (1 - here)).mean()) / len(places),
                    )
                ),
            )
        )
    return tuple(found)


def _variance(errors: Floats, units: Codes) -> float:
    """The variance of a mean of errors that vary together in units."""
    sums = np.bincount(units, errors - errors.mean())
    count = len(sums)
    return float((sums**2).sum() / len(errors) ** 2 * count / max(count - 1, 1))


def _rate_interval(passed: Labels, units: Codes, level: float) -> Interval:
    rate, count = float(passed.mean()), int(units.max()) + 1
    spread = rate * (1 - rate)
    if count < 2:
        return UNKNOWN
    if not spread:  # as many cases as there are tasks
        return wilson_interval(count if rate else 0, count, level)
    # Never less than that of independent rows.
    variance = max(_variance(passed.astype(np.float64), units), spread / len(passed))
    return rate_interval(rate, variance, spread, count - 1, level)


def calibration_error(bins: Sequence[ReliabilityBin]) -> float:
    """The expected calibration error: by how much rates differ from probabilities, on average."""
    rows = sum(one.rows for one in bins)
    return sum(one.rows * abs(one.predicted - one.observed) for one in bins) / rows


def chance_error(bins: Sequence[ReliabilityBin]) -> float:
    """The calibration error to expect from chance alone, were all probabilities right."""
    rows = sum(one.rows for one in bins)
    return math.sqrt(2 / math.pi) * sum(one.rows * one.deviation for one in bins) / rows


def task_folds(tasks: Codes, folds: int, seed: int = 0) -> Codes:
    """A fold for each row, from 0; the rows of a task are in one fold.

    Examples
    --------
    >>> task_folds(np.array([0, 0, 1, 2, 2, 3]), 2).tolist()
    [0, 0, 0, 1, 1, 1]
    """
    names, codes = np.unique(tasks, return_inverse=True)
    places = np.random.default_rng(seed).permutation(len(names)) % folds
    of_rows: Codes = places[codes]
    return of_rows


def distribution_distance(points: Floats, shares: Floats, values: Floats) -> float:
    """The largest difference of two cumulative distributions, at given points.

    Parameters
    ----------
    points, shares : array
        The share of values up to each point in the first distribution.
    values : array
        Of the second one.

    Examples
    --------
    >>> points = np.array([0.0, 0.5, 1.0])
    >>> distribution_distance(points, np.array([0.2, 0.6, 1.0]), np.array([0.4, 0.9, 1.0, 1.0]))
    0.35
    """
    here = np.searchsorted(np.sort(values), points, "right") / len(values)
    return round(float(np.abs(here - shares).max()), 15)


def distribution_limit(units: int, others: int, tests: int = 1, error: float = 0.01) -> float:
    """The distance that two samples of one distribution exceed with a probability of `error`.

    That of Kolmogorov and Smirnov's test for large samples, which is cautious where values are
    equal; `tests` at once share the error.

    Examples
    --------
    >>> round(distribution_limit(100, 100), 3)
    0.23
    """
    return math.sqrt(-math.log(error / tests / 2) / 2 * (1 / units + 1 / others))
