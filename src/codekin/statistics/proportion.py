"""A share of cases with its interval.

References
----------
.. [1] Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22(158),
   1927.
"""

from __future__ import annotations

import math
from statistics import NormalDist

from codekin.errors import CodekinError
from codekin.statistics.bootstrap import UNKNOWN, Interval

__all__ = ["wilson_interval"]


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
