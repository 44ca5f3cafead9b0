"""Quantiles of Student's distribution, without the time that importing scipy takes.

With t = √v tan θ, the density becomes proportional to cos^(v - 1) θ, which falls from 0 to π/2 for
v ≥ 1. Its integral is therefore concave, and Newton's method from the left reaches the quantile
without ever passing it.
"""

from __future__ import annotations

import math
from functools import cache
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from codekin.statistics.resampling import Floats

__all__ = ["student_quantile"]

_EXPANDED = 1000.0  # from here on, four terms of the expansion are as exact as the integral
_NODES = 32
_HEAVY = 2.0  # powers of the cosine below this one are integrated from their steep end
_CROWDED = 6
_STEPS = 60
_CLOSE = 1e-14


def student_quantile(freedom: npt.ArrayLike, chance: float) -> Floats:
    """The values that Student's distributions stay below with this probability.

    Parameters
    ----------
    freedom : array of float
        Degrees of freedom, each at least 1.
    chance : float
        The probability, between 0 and 1.

    Examples
    --------
    >>> student_quantile([1.0, 10.0, 1e6], 0.975).round(4).tolist()
    [12.7062, 2.2281, 1.96]
    """
    given = np.asarray(freedom, dtype=np.float64)
    if not np.all(given >= 1):
        raise ValueError("Student's quantile needs at least 1 degree of freedom")
    if not 0 < chance < 1:
        raise ValueError(f"a probability is between 0 and 1, not {chance}")
    upper = max(chance, 1 - chance)
    normal = NormalDist().inv_cdf(upper)
    found = np.ravel(_expansion(given, normal))
    few = np.ravel(given) < _EXPANDED
    if few.any():
        found[few] = _solved(np.ravel(given)[few], normal, upper - 0.5)
    return np.reshape(found if chance >= 0.5 else -found, given.shape)


def _expansion(freedom: Floats, z: float) -> Floats:
    """Cornish and Fisher's expansion of the quantile around the normal one."""
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    found = np.zeros_like(freedom)
    for term in reversed(terms):
        found = found / freedom + term
    return found


def _solved(freedom: Floats, normal: float, area: float) -> Floats:
    """The quantiles above 0, by Newton's method: the area between 0 and each is given."""
    scale = np.array([math.lgamma((v + 1) / 2) - math.lgamma(v / 2) for v in freedom.tolist()])
    scale = np.exp(scale) / math.sqrt(math.pi)
    root = np.sqrt(freedom)
    least = np.arctan(normal / root)  # Student's quantile lies beyond the normal one
    angle = np.maximum(np.arctan(_expansion(freedom, normal) / root), least)
    going = np.arange(len(freedom))
    for _ in range(_STEPS):
        here, power, factor = angle[going], freedom[going] - 1, scale[going]
        heavy = power < _HEAVY
        missed = np.empty(len(going))
        missed[heavy] = factor[heavy] * _beyond(here[heavy], power[heavy]) - (0.5 - area)
        missed[~heavy] = area - factor[~heavy] * _within(here[~heavy], power[~heavy])
        step = missed / (factor * np.cos(here) ** power)
        angle[going] = np.clip(here + step, least[going], np.nextafter(math.pi / 2, 0))
        going = going[np.abs(step) > _CLOSE * np.maximum(here, 0.1)]
        if not len(going):
            break
    return root * np.tan(angle)


def _within(angle: Floats, power: Floats) -> Floats:
    """The integral of this power of the cosine, from 0 to the angle."""
    nodes, weights = _rule()
    return np.cos(angle[:, None] * nodes) ** power[:, None] @ weights * angle


def _beyond(angle: Floats, power: Floats) -> Floats:
    """The integral from the angle to π/2, where a small power of the cosine ends steeply.

    It is that of the sine, from 0; where the nodes are crowded, the steep end becomes smooth.
    """
    nodes, weights = _rule()
    left = (math.pi / 2 - angle)[:, None]
    crowded = left * nodes**_CROWDED
    return np.sin(crowded) ** power[:, None] * _CROWDED * crowded / nodes @ weights


@cache
def _rule() -> tuple[Floats, Floats]:
    """Gauss and Legendre's rule on the interval from 0 to 1."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return (nodes + 1) / 2, weights / 2
