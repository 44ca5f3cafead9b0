"""The interval of a share of cases, or of a rate that was estimated otherwise.

References
----------
.. [1] Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22(158),
   1927.
"""

from __future__ import annotations

import math
from functools import lru_cache

from codekin.errors import CodekinError
from codekin.results import UNKNOWN, Interval

__all__ = ["rate_interval", "student_quantile", "wilson_interval"]


def rate_interval(
    value: float, variance: float, spread: float, freedom: float, level: float = 0.95
) -> Interval:
    """Wilson's interval of a rate that was estimated with some variance.

    Parameters
    ----------
    value : float
        The rate; it is moved into the range from 0 to 1.
    variance : float
        Of the estimate.
    spread : float
        The variance of a single outcome; divided by `variance`, it says how many independent rows
        the estimate is worth.
    freedom : float
        Degrees of freedom of Student's quantile, which takes the place of the normal one.
    level : float

    Examples
    --------
    Three of fifty, each row by itself:

    >>> interval = rate_interval(0.06, 0.0564 / 50, 0.0564, 49)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.0201, 0.1657)
    """
    value = min(max(value, 0.0), 1.0)
    if variance <= 0:
        return Interval(value, value)
    worth = spread / variance
    quantile = student_quantile(freedom, level)
    weight = quantile * quantile / worth
    middle = (value + weight / 2) / (1 + weight)
    reach = quantile / (1 + weight) * math.sqrt((value * (1 - value) + weight / 4) / worth)
    low = 0.0 if value == 0 else max(0.0, middle - reach)
    high = 1.0 if value == 1 else min(1.0, middle + reach)
    return Interval(low, high)


@lru_cache(maxsize=4096)
def student_quantile(freedom: float, level: float) -> float:
    """Student's two-sided quantile."""
    from scipy.special import stdtrit  # here, since it takes a tenth of a second to load

    return float(stdtrit(freedom, (1 + level) / 2))


def wilson_interval(hits: int, cases: int, level: float = 0.95) -> Interval:
    """Wilson's interval of a proportion [1]_, which stays within 0 and 1.

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
    return rate_interval(hits / cases, 1 / cases, 1.0, math.inf, level) if cases else UNKNOWN
