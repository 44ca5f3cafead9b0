"""A share of cases with its interval.

References
----------
.. [1] Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22(158),
   1927.
.. [2] Zou and Donner, "Construction of confidence limits about effect measures: a general
   approach", Statistics in Medicine 27(10), 2008.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

from codekin.errors import CodekinError
from codekin.statistics.bootstrap import UNKNOWN, Interval

__all__ = ["stratified_proportion", "wilson_interval"]


def wilson_interval(hits: int, cases: int, level: float = 0.95) -> Interval:
    """Wilson's interval of a proportion, which stays within 0 and 1.

    Parameters
    ----------
    hits, cases : int
        Number of successes, and of trials.
    level : float
        Confidence level of the interval.

    Returns
    -------
    Interval
        Unknown if there are no cases.

    Examples
    --------
    >>> interval = wilson_interval(0, 200)
    >>> interval.low, round(interval.high, 4)
    (0.0, 0.0188)
    """
    if not 0 <= hits <= cases:
        raise CodekinError(f"{hits} out of {cases} is not a proportion; give 0 <= hits <= cases")
    if not 0 < level < 1:
        raise CodekinError(f"the level of an interval must be between 0 and 1, not {level!r}")
    if not cases:
        return UNKNOWN
    z = NormalDist().inv_cdf((1 + level) / 2)
    share, weight = hits / cases, z * z / cases
    middle = (share + weight / 2) / (1 + weight)
    reach = z / (1 + weight) * math.sqrt(share * (1 - share) / cases + weight / (4 * cases))
    # At either end the two terms are equal but for rounding.
    low = 0.0 if hits == 0 else max(0.0, middle - reach)
    high = 1.0 if hits == cases else min(1.0, middle + reach)
    return Interval(low, high)


def stratified_proportion(
    strata: Sequence[tuple[int, int, float]], level: float = 0.95
) -> tuple[float, Interval]:
    """The proportion of a population from samples of its strata.

    Parameters
    ----------
    strata : sequence of (int, int, float)
        Hits and cases in the sample of each stratum, and the stratum's size in the population.
        Strata without cases are left out.
    level : float
        Confidence level of the interval.

    Returns
    -------
    (float, Interval)
        The mean of the strata's proportions, weighted by their sizes, and its interval, which
        combines Wilson's intervals of the strata [2]_: it stays within 0 and 1, and of a single
        stratum it is Wilson's. Both are unknown without any cases.

    Examples
    --------
    >>> share, interval = stratified_proportion([(9, 10, 300), (5, 10, 100)])
    >>> round(share, 3), round(interval.low, 3), round(interval.high, 3)
    (0.8, 0.563, 0.89)
    """
    known = [one for one in strata if one[1]]
    total = sum(size for *_, size in known)
    if not total:
        return math.nan, UNKNOWN
    parts = [
        (size / total, hits / cases, wilson_interval(hits, cases, level))
        for hits, cases, size in known
    ]
    share = math.fsum(weight * one for weight, one, _ in parts)
    below = math.hypot(*(weight * (one - interval.low) for weight, one, interval in parts))
    above = math.hypot(*(weight * (interval.high - one) for weight, one, interval in parts))
    return share, Interval(max(0.0, share - below), min(1.0, share + above))
