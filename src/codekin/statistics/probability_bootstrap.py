"""Bootstrap intervals of how well probabilities hold: Brier score, calibration error and AUC.

Whole clusters of rows are drawn. Brier score and AUC have BCa intervals. The expected calibration
error is a sum of absolute values, so it is too large by chance, and a resample makes it larger by
as much again: neither percentiles nor BCa ever reach 0. Chance adds to its square, whose bias the
resamples know. The low end is that of the squared replicates less their own bias and that of the
value, the high end, to be cautious, less their own alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from codekin.results import UNKNOWN, Interval
from codekin.statistics.bootstrap import Estimand, bootstrap, estimate_of, mean_of
from codekin.statistics.ranks import ranked_rows, ranks_left_out, resampled_ranks
from codekin.statistics.resampling import Floats, check_resampling, resampled_sums

__all__ = ["ProbabilityIntervals", "probability_judgement_intervals"]

Labels = NDArray[np.bool_]
Codes = NDArray[np.intp]


@dataclass(frozen=True)
class ProbabilityIntervals:
    """The intervals of what judges probabilities.

    Attributes
    ----------
    brier, error, auc : Interval
        Of the Brier score, the expected calibration error, and the area under the curve; unknown
        for fewer than two clusters, and without resamples.
    """

    brier: Interval
    error: Interval
    auc: Interval


def probability_judgement_intervals(
    chances: Floats,
    label: Labels,
    bins: Sequence[Codes],
    clusters: Codes | None = None,
    *,
    resamples: int = 2000,
    seed: int = 0,
    level: float = 0.95,
) -> ProbabilityIntervals:
    """How far the numbers that judge probabilities could be different for other clusters.

    The probabilities are taken as given: what another fit would say is not part of the intervals.

    Parameters
    ----------
    chances : array
    label : array of bool
    bins : sequence of arrays of int
        The places of the rows in each bin of the calibration error; see
        :func:`codekin.statistics.outcome_probability.equal_bins`.
    clusters : array, optional
        Rows of one are drawn together; by default every row is drawn by itself.
    resamples, seed : int
        Of the bootstrap; 0 resamples for no intervals, since they take the longest.
    level : float

    Examples
    --------
    >>> random = np.random.default_rng(0)
    >>> chances = np.repeat([0.2, 0.8], 150)
    >>> label = random.random(300) < chances
    >>> bins = [np.arange(150), np.arange(150, 300)]
    >>> found = probability_judgement_intervals(chances, label, bins)
    >>> [f"{one.low:.2f} to {one.high:.2f}" for one in (found.brier, found.error, found.auc)]
    ['0.14 to 0.20', '0.00 to 0.08', '0.74 to 0.83']
    """
    if not resamples:
        return ProbabilityIntervals(UNKNOWN, UNKNOWN, UNKNOWN)
    check_resampling(resamples, seed, level)
    units = (
        np.arange(len(label)) if clusters is None else np.unique(clusters, return_inverse=True)[1]
    )
    number = int(units.max(initial=-1)) + 1
    if number < 2:
        return ProbabilityIntervals(UNKNOWN, UNKNOWN, UNKNOWN)
    brier = mean_of((chances - label) ** 2)
    [of_brier] = bootstrap([brier], clusters=units, resamples=resamples, seed=seed, level=level)
    return ProbabilityIntervals(
        of_brier.known,
        _error_interval(_error_of(chances, label, bins).clustered(units), resamples, seed, level),
        _auc_interval(chances, label, units, number, resamples, seed, level),
    )


def _error_of(chances: Floats, label: Labels, bins: Sequence[Codes]) -> Estimand:
    """The expected calibration error as a function of sums."""
    statistics = np.zeros((len(label), 1 + len(bins)))
    statistics[:, 0] = 1.0
    for place, rows in enumerate(bins, start=1):
        statistics[rows, place] = chances[rows] - label[rows]
    return Estimand(statistics, lambda sums: np.abs(sums[:, 1:]).sum(axis=1) / sums[:, 0])


def _error_interval(error: Estimand, resamples: int, seed: int, level: float) -> Interval:
    [sums] = resampled_sums([error.statistics], resamples, seed)
    value, squares = error.value, error.judge(sums) ** 2
    bias = float(squares.mean()) - value**2
    least = float(np.quantile(squares, (1 - level) / 2)) - 2 * bias
    most = float(np.quantile(squares, (1 + level) / 2)) - bias
    low, high = (math.sqrt(max(0.0, one)) for one in (least, most))
    return Interval(min(low, value), max(high, value))


def _auc_interval(
    chances: Floats,
    label: Labels,
    units: Codes,
    number: int,
    resamples: int,
    seed: int,
    level: float,
) -> Interval:
    if label.all() or not label.any():
        return UNKNOWN
    rows = ranked_rows(chances, label, units)
    [value] = rows.under(np.ones((1, number), dtype=np.int32)).auc
    [drawn] = resampled_ranks([rows], number, resamples, seed)
    [left_out] = ranks_left_out([rows], number)
    return estimate_of(float(value), drawn.auc, left_out.auc, level).known
