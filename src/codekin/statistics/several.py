"""Tests among several systems on the same units: which pairs differ by more than chance.

References
----------
.. [1] Carterette, "Multiple testing in statistical analysis of systems-based information retrieval
   experiments", ACM TOIS 30(1), 2012.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from codekin.errors import CodekinError
from codekin.statistics.resampling import Floats, check_resampling

__all__ = ["range_test"]

_SHUFFLES = 2
_TOGETHER = 1 << 18
"""Numbers that are shuffled at a time."""
_SAME = 1e-12


def range_test(
    tables: Sequence[NDArray[np.floating]], *, resamples: int = 5000, seed: int = 0
) -> list[Floats]:
    """P-values of the differences between all pairs of systems: the randomised Tukey test [1]_.

    If the systems were equal, the results of any unit could be dealt to them in any order. They
    are dealt at random, many times, and the p-value of two systems is the share of deals in which
    the *largest* difference between any two is at least theirs. So the chance that any two equal
    systems differ "significantly" at 5 % is 5 %, however many systems there are and whichever of
    them is picked as the best. With two systems it is the paired permutation test.

    Parameters
    ----------
    tables : sequence of arrays of shape (units, systems)
        The results by some measure, whose sums over units are compared. All tables have the same
        shape and are dealt in the same way. A unit that counts for nothing has the same result
        for every system.
    resamples, seed : int
        Number of deals, and their seed.

    Returns
    -------
    list of arrays of shape (systems, systems)
        For each table, the p-value of every two systems; 1 on the diagonal.

    Examples
    --------
    >>> units = np.arange(20.0)
    >>> equal, ahead = units % 3, units % 3 + 1
    >>> [p] = range_test([np.column_stack([equal, equal, ahead])], resamples=999)
    >>> p[0].tolist()
    [1.0, 1.0, 0.001]
    """
    check_resampling(resamples, seed)
    if not tables:
        return []
    shape = tables[0].shape
    if any(table.shape != shape for table in tables) or len(shape) != 2 or shape[1] < 2:
        raise CodekinError("range_test needs tables of one shape, with a column for each system")
    units, systems = shape
    places = np.arange(systems, dtype=np.int32 if systems > 1 << 15 else np.int16)
    together = max(1, _TOGETHER // max(1, units * systems))
    generator = np.random.default_rng(np.random.SeedSequence([seed, _SHUFFLES]))
    ranges = np.zeros((len(tables), resamples))
    starts = systems * np.arange(units)[:, None]
    for start in range(0, resamples, together):
        number = min(together, resamples - start)
        deals = generator.permuted(np.broadcast_to(places, (number, units, systems)), axis=2)
        dealt = starts + deals
        for table, found in zip(tables, ranges, strict=True):
            sums = np.take(table, dealt).sum(axis=1)
            found[start : start + number] = sums.max(axis=1) - sums.min(axis=1)
    return [
        _shares(np.sort(found), table.sum(axis=0))
        for table, found in zip(tables, ranges, strict=True)
    ]


def _shares(ranges: Floats, sums: Floats) -> Floats:
    """The share of deals with a range of at least each difference, the given one included."""
    differences = np.abs(sums[:, None] - sums)
    tolerance = _SAME * max(float(np.abs(sums).max(initial=0.0)), 1e-300)
    below = np.searchsorted(ranges, differences - tolerance, side="left")
    found: Floats = (len(ranges) - below + 1) / (len(ranges) + 1)
    return found
