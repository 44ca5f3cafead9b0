"""Agreement of measures: Pearson's and Spearman's correlation of every pair."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from codekin.results import UNKNOWN, Interval

__all__ = ["correlation_interval", "correlation_matrix", "is_constant", "mean_ranks"]

Floats = NDArray[np.float64]

_SAME = 1e-12


def correlation_matrix(columns: Sequence[ArrayLike], *, ranks: bool = False) -> Floats:
    """The correlation of every column with every other.

    Each pair uses the rows in which both columns are finite; the correlation is nan where there
    are fewer than two, or where either column is constant.

    Parameters
    ----------
    columns : sequence of arrays
        All of the same length; values that are not finite are missing.
    ranks : bool
        Correlate ranks (Spearman) instead of values (Pearson).

    Examples
    --------
    >>> matrix = correlation_matrix([[1, 2, 3, 4], [1, 9, 4, float("nan")]], ranks=True)
    >>> round(matrix[0, 1].item(), 6)
    0.5
    """
    arrays = [np.asarray(column, dtype=np.float64) for column in columns]
    known = [np.isfinite(column) for column in arrays]
    # Where nothing is missing, the ranks are the same in every pair.
    whole = [
        mean_ranks(column) if ranks and present.all() else column
        for column, present in zip(arrays, known, strict=True)
    ]
    matrix = np.full((len(arrays), len(arrays)), np.nan)
    for i in range(len(arrays)):
        for j in range(i, len(arrays)):
            both = known[i] & known[j]
            if both.all():
                pair = whole[i], whole[j]
            else:
                pair = arrays[i][both], arrays[j][both]
                pair = (mean_ranks(pair[0]), mean_ranks(pair[1])) if ranks else pair
            matrix[i, j] = matrix[j, i] = _pearson(*pair)
    return matrix


def correlation_interval(r: float, number: int) -> Interval:
    """The 95 % interval of Pearson's r by Fisher's transformation; nan for under four rows.

    Examples
    --------
    >>> interval = correlation_interval(-0.5, 30)
    >>> round(interval.low, 3), round(interval.high, 3)
    (-0.729, -0.17)
    """
    if not math.isfinite(r) or number < 4:
        return UNKNOWN
    middle = math.atanh(min(max(r, _SAME - 1), 1 - _SAME))
    reach = NormalDist().inv_cdf(0.975) / math.sqrt(number - 3)
    return Interval(math.tanh(middle - reach), math.tanh(middle + reach))


def mean_ranks(values: Floats) -> Floats:
    """Ranks from 1, ties sharing their mean rank; scipy.stats would take a second to load."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    means: Floats = np.cumsum(counts) - (counts - 1) / 2
    return means[places]


def _pearson(first: Floats, second: Floats) -> float:
    if len(first) < 2 or is_constant(first) or is_constant(second):
        return float("nan")
    first, second = first - first.mean(), second - second.mean()
    spread = np.sqrt(first @ first) * np.sqrt(second @ second)
    return float(np.clip(first @ second / spread, -1.0, 1.0))


def is_constant(values: Floats) -> bool:
    """Whether all values are equal up to rounding.

    Examples
    --------
    >>> is_constant(np.array([0.3, 0.1 + 0.2])), is_constant(np.array([0.3, 0.4]))
    (True, False)
    """
    return float(np.ptp(values)) <= _SAME * float(np.abs(values).max())
