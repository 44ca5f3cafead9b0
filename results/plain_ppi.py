"""PPI++ as its paper has it, which codekin's estimates are compared with.

Angelopoulos, Duchi and Zrnic, "PPI++: Efficient prediction-powered inference", 2023,
arXiv:2311.01453.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from codekin import Interval, MeanEstimate
from codekin.statistics.reasons import columns_of


def plain_powered_mean(
    outcome: ArrayLike,
    score: ArrayLike,
    others: ArrayLike,
    *,
    tuning: float | None = None,
    level: float = 0.95,
) -> MeanEstimate:
    """The mean outcome with normal quantiles.

    Parameters
    ----------
    outcome, score : array of length n
        Of the rows with an outcome.
    others : array of length m
        Scores of the rows without one.
    tuning : float, optional
        λ; by default the one with the smallest variance, between 0 and 1.
    level : float

    Examples
    --------
    >>> found = plain_powered_mean([1, 0, 1, 0], [0.9, 0.2, 0.7, 0.1], [0.1, 0.4, 0.5, 0.2])
    >>> round(found.value, 4), round(found.interval.low, 4), round(found.interval.high, 4)
    (0.3365, 0.0851, 0.5879)
    """
    known, given = columns_of(outcome=outcome, score=score)
    [rest] = columns_of(others=others)
    n, m = len(known), len(rest)
    if tuning is None:
        both = np.concatenate([given, rest])
        spread = float(both.var(ddof=1))
        about = float((known - known.mean()) @ (given - given.mean())) / n
        tuning = about / ((1 + n / m) * spread) if spread > 0 else 0.0
        tuning = min(max(tuning, 0.0), 1.0)
    residual = known - tuning * given
    value = float(tuning * rest.mean() + residual.mean())
    variance = float(tuning**2 * rest.var() / m + residual.var() / n)
    reach = NormalDist().inv_cdf((1 + level) / 2) * math.sqrt(variance)
    return MeanEstimate(value, Interval(value - reach, value + reach), variance, math.inf)
