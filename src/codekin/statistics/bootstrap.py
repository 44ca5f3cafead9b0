"""Estimates with bootstrap intervals: of a mean, or of a value that comes from summed statistics.

Both are a function of sums over units, so one bootstrap serves both. The percentile interval and
the bias-corrected and accelerated one (BCa) follow [1]_; the acceleration comes from the jackknife
over the same units.

References
----------
.. [1] Efron, "Better bootstrap confidence intervals", JASA 82(397), 1987.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from codekin.errors import CodekinError
from codekin.results import UNKNOWN, Estimate, Interval
from codekin.statistics.resampling import (
    Floats,
    check_resampling,
    cluster_sums,
    resampled_sums,
)

__all__ = [
    "UNKNOWN",
    "Estimand",
    "Estimate",
    "Interval",
    "bca_interval",
    "bootstrap",
    "check_weights",
    "contributing",
    "corpus_of",
    "estimate_of",
    "jackknife_groups",
    "judge_of",
    "leave_one_out",
    "mean_of",
    "percentile_interval",
]

_EXACT_JACKKNIFE = 1000
"""Up to this many units, each is left out exactly; beyond, the function of sums is taken to be
linear between two such sums, which then differ by less than a thousandth."""

_SLICE = 65_536
_SAME = 1e-12
_NORMAL = NormalDist()


@dataclass(frozen=True, eq=False)
class Estimand:
    """What is estimated: a function of the sums of statistics over units.

    Attributes
    ----------
    statistics : array of shape (units, k), of any floating type
        The first column is the unit's weight, 0 for a unit that does not count.
    judge : callable
        Maps sums of shape (m, k) to m values.
    """

    statistics: NDArray[np.floating]
    judge: Callable[[Floats], Floats]

    @property
    def total(self) -> Floats:
        """The sums over all units, of shape (1, k)."""
        total: Floats = self.statistics.sum(axis=0, dtype=np.float64, keepdims=True)
        return total

    @property
    def units(self) -> int:
        """Number of units with a positive weight."""
        return int(np.count_nonzero(self.statistics[:, 0] > 0))

    @property
    def value(self) -> float:
        """The value of all units."""
        return float(self.judge(self.total)[0])

    def clustered(self, clusters: NDArray[np.intp]) -> Estimand:
        """The same estimand with clusters, numbered from 0, as units."""
        return Estimand(cluster_sums(self.statistics, clusters), self.judge)

    def weighted(self, weights: Floats) -> Estimand:
        """The same estimand with its units weighted."""
        if bool((weights == 1).all()):
            return self
        return Estimand(self.statistics * check_weights(weights)[:, None], self.judge)

    def only(self, units: NDArray[np.bool_]) -> Estimand:
        """The same estimand over the selected units."""
        return self if bool(units.all()) else Estimand(self.statistics[units], self.judge)


def check_weights(weights: ArrayLike) -> Floats:
    """Return weights as an array; raise if one is negative or not finite."""
    checked = np.asarray(weights, dtype=np.float64)
    wrong = ~(np.isfinite(checked) & (checked >= 0))
    if wrong.any():
        at = int(np.argmax(wrong))
        raise CodekinError(
            f"the weight of row {at + 1} is {checked[at]:g}; weights must be numbers from 0 up"
        )
    return checked


def mean_of(values: ArrayLike, weights: ArrayLike | None = None) -> Estimand:
    """The (weighted) mean of values; those that are not finite are left out.

    Examples
    --------
    >>> mean_of([1.0, 2.0, float("nan"), 6.0]).value
    3.0
    >>> mean_of([1.0, 2.0], weights=[3.0, 1.0]).value
    1.25
    """
    array = np.asarray(values, dtype=np.float64)
    scored = np.isfinite(array)
    weight = np.where(scored, 1.0 if weights is None else check_weights(weights), 0.0)
    return Estimand(np.column_stack([weight, weight * np.where(scored, array, 0.0)]), _ratio)


def _ratio(sums: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(sums[:, 0] > 0, sums[:, 1] / sums[:, 0], np.nan)


def corpus_of(
    statistics: ArrayLike,
    value_of: Callable[[Sequence[float]], float],
    weights: ArrayLike | None = None,
) -> Estimand:
    """A value computed from the summed statistics of a corpus.

    Parameters
    ----------
    statistics : array of shape (rows, k)
        Sufficient statistics; rows with a value that is not finite are left out.
    value_of : callable
        Maps one vector of sums to the value.
    weights : array, optional
        How often each row counts.

    Examples
    --------
    >>> matched_and_all = [[1.0, 2.0], [3.0, 4.0]]
    >>> corpus_of(matched_and_all, lambda sums: sums[0] / sums[1]).value
    0.6666666666666666
    """
    rows = np.asarray(statistics, dtype=np.float64)
    # If every row failed, even the number of statistics is unknown.
    scored = np.logical_and.reduce(np.isfinite(rows), axis=1) & (rows.shape[1] > 0)
    sums = np.zeros((rows.shape[0], rows.shape[1] + 1))
    sums[scored, 0] = 1.0
    sums[scored, 1:] = rows[scored]
    estimand = Estimand(sums, judge_of(value_of))
    return estimand if weights is None else estimand.weighted(check_weights(weights))


def judge_of(value_of: Callable[[Sequence[float]], float]) -> Callable[[Floats], Floats]:
    """Turn a function of one vector of sums into one of many, each preceded by its weight."""

    def judge(totals: Floats) -> Floats:
        return np.array([_judged(value_of, row) for row in totals.tolist()], dtype=np.float64)

    return judge


def _judged(value_of: Callable[[Sequence[float]], float], sums: list[float]) -> float:
    """The value of a vector of sums preceded by its weight; nan where it is undefined."""
    if sums[0] <= 0:
        return math.nan
    try:
        return value_of(sums[1:])
    except (ArithmeticError, ValueError):
        return math.nan


def bootstrap(
    estimands: Sequence[Estimand],
    *,
    clusters: NDArray[np.intp] | None = None,
    resamples: int = 2000,
    seed: int = 0,
    level: float = 0.95,
) -> list[Estimate]:
    """Estimate values and their intervals, all from the same resamples.

    Units that have no weight in any of the estimands are not drawn.

    Parameters
    ----------
    estimands : sequence of Estimand
        All over the same rows.
    clusters : array of shape (rows,), optional
        The number of each row's cluster, from 0 without gaps; if given, whole clusters are drawn.
    resamples, seed : int
        Number of resamples, and the seed of the draws.
    level : float
        Confidence level of the intervals.

    Examples
    --------
    >>> values = np.random.default_rng(7).random(50)
    >>> [estimate] = bootstrap([mean_of(values)], seed=1)
    >>> round(estimate.value, 4)
    0.4947
    >>> round(estimate.bca.low, 3), round(estimate.bca.high, 3)
    (0.413, 0.574)
    """
    check_resampling(resamples, seed, level)
    if not estimands:
        return []
    units = contributing(estimands, clusters)
    sums = resampled_sums([estimand.statistics for estimand in units], resamples, seed)
    return [
        estimate_of(estimand.value, estimand.judge(drawn), leave_one_out(estimand), level)
        if estimand.units > 1
        else Estimate(estimand.value, UNKNOWN, UNKNOWN)
        for estimand, drawn in zip(units, sums, strict=True)
    ]


def contributing(
    estimands: Sequence[Estimand], clusters: NDArray[np.intp] | None = None
) -> list[Estimand]:
    """The estimands, over clusters if given, without units that have no weight in any of them."""
    if clusters is not None:
        estimands = [estimand.clustered(clusters) for estimand in estimands]
    weighted: NDArray[np.bool_] = np.logical_or.reduce(
        [estimand.statistics[:, 0] > 0 for estimand in estimands]
    )
    return [estimand.only(weighted) for estimand in estimands]


def leave_one_out(estimand: Estimand) -> Floats:
    """The jackknife: the value without each unit in turn.

    Exact for up to 1,000 units. For more, the change is taken to be linear in what the unit adds
    to the sums, with slopes from central differences as wide as an average unit.
    """
    statistics, total = estimand.statistics, estimand.total
    units = len(statistics)
    if units <= _EXACT_JACKKNIFE:
        return estimand.judge(total - statistics)
    # In slices, since a copy of millions of units would double the memory.
    slices = [slice(start, start + _SLICE) for start in range(0, units, _SLICE)]
    sizes = [np.abs(statistics[part]).sum(axis=0, dtype=np.float64) for part in slices]
    steps = np.diag(np.sum(sizes, axis=0) / units)
    with np.errstate(divide="ignore", invalid="ignore"):
        differences = estimand.judge(total + steps) - estimand.judge(total - steps)
        slopes = np.nan_to_num(differences / (2 * steps.diagonal()), posinf=0.0, neginf=0.0)
    changes = np.concatenate([statistics[part] @ slopes for part in slices])
    return estimand.value - changes


def jackknife_groups(units: int) -> NDArray[np.intp]:
    """The jackknife group of each unit, for when leaving out every unit would take too long.

    Up to 1,000 units, each is its own group; more are dealt out to 1,000 groups in turn.

    Examples
    --------
    >>> jackknife_groups(3)
    array([0, 1, 2])
    >>> jackknife_groups(2500)[[0, 999, 1000, 2001]]
    array([  0, 999,   0,   1])
    """
    return np.arange(units) % _EXACT_JACKKNIFE


def estimate_of(value: float, replicates: Floats, jackknife: Floats, level: float) -> Estimate:
    """A value with both intervals, from its bootstrap replicates and jackknife values."""
    known = replicates[np.isfinite(replicates)]
    if not math.isfinite(value) or not len(known):
        return Estimate(value, UNKNOWN, UNKNOWN)
    return Estimate(
        value,
        percentile_interval(known, level),
        bca_interval(known, value, jackknife[np.isfinite(jackknife)], level),
    )


def percentile_interval(replicates: Floats, level: float = 0.95) -> Interval:
    """The percentile interval of bootstrap replicates.

    Examples
    --------
    >>> percentile_interval(np.arange(101.0), 0.5)
    Interval(low=25.0, high=75.0)
    """
    low, high = np.quantile(replicates, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high))


def bca_interval(
    replicates: Floats, value: float, jackknife: Floats, level: float = 0.95
) -> Interval:
    """The bias-corrected and accelerated (BCa) interval of bootstrap replicates.

    Parameters
    ----------
    replicates : array
        The values in resamples.
    value : float
        The value of all units.
    jackknife : array
        The values without each unit.
    level : float

    Examples
    --------
    >>> without_bias, without_skew = np.arange(101.0), np.array([1.0, 2.0, 3.0])
    >>> interval = bca_interval(without_bias, 50.0, without_skew, 0.5)
    >>> round(interval.low, 6), round(interval.high, 6)
    (25.0, 75.0)
    """
    scale = _SAME * max(abs(value), float(np.abs(replicates).max()))
    if float(np.ptp(replicates)) <= scale:
        return percentile_interval(replicates, level)
    below = float(np.mean(replicates < value - scale))
    not_above = float(np.mean(replicates <= value + scale))
    # A value outside all resamples would be infinitely biased; count it as half a resample out.
    half = 0.5 / len(replicates)
    bias = _NORMAL.inv_cdf(min(max((below + not_above) / 2, half), 1 - half))
    skew = _acceleration(jackknife)
    tails = [
        _shifted(bias + _NORMAL.inv_cdf(tail), bias, skew)
        for tail in ((1 - level) / 2, (1 + level) / 2)
    ]
    low, high = np.quantile(replicates, tails)
    return Interval(float(low), float(high))


def _acceleration(jackknife: Floats) -> float:
    """The acceleration of BCa: a sixth of the skewness of the units' influence on the value."""
    if len(jackknife) < 2:
        return 0.0
    pull = jackknife.mean() - jackknife
    spread = float((pull**2).sum())
    if spread <= len(pull) * (_SAME * float(np.abs(jackknife).max())) ** 2:
        return 0.0
    cube = math.sqrt(spread) ** 3
    return float((pull**3).sum()) / (6 * cube) if cube else 0.0  # 0 where it underflows


def _shifted(score: float, bias: float, skew: float) -> float:
    """The share of resamples below an end of the interval, from its normal score."""
    room = 1 - skew * score
    if room <= 0:  # past the pole the formula turns back, so take the extreme resample
        return float(score > 0)
    return _NORMAL.cdf(bias + score / room)
