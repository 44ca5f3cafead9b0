"""Rank statistics over resamples: Spearman's rho, Kendall's tau b, and the area under the curve."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import repeat

import numpy as np
from numpy.typing import ArrayLike, NDArray

from codekin import _native
from codekin.errors import CodekinError
from codekin.statistics.bootstrap import jackknife_groups
from codekin.statistics.resampling import Floats, count_blocks

__all__ = [
    "RankStatistics",
    "RankedRows",
    "rank_statistics",
    "ranked_rows",
    "ranks_left_out",
    "resampled_ranks",
]

Integers = NDArray[np.int32]

_LEFT_OUT = 64
"""Units, or groups of units, to leave out at a time: each needs a count of every unit."""


@dataclass(frozen=True, eq=False)
class RankStatistics:
    """How two variables correlate in each resample; nan where one of them is constant.

    Attributes
    ----------
    spearman : array of shape (resamples,)
        Pearson's correlation of the ranks; equal values share their mean rank.
    kendall : array of shape (resamples,)
        Kendall's tau b.
    auc : array of shape (resamples,)
        The probability that a row with the higher value of the second variable has the higher
        value of the first, ties counting half; nan unless the second variable has two values.
    """

    spearman: Floats
    kendall: Floats
    auc: Floats


@dataclass(frozen=True, eq=False)
class RankedRows:
    """Rows of two variables, sorted by the first, with values replaced by integer codes.

    Attributes
    ----------
    first, second : array of shape (rows,)
        The rank of each value among the distinct values.
    units : array of shape (rows,)
        The unit that each row is drawn with.
    """

    first: Integers
    second: Integers
    units: Integers

    def under(self, counts: Integers) -> RankStatistics:
        """The statistics with units counted as often as `counts` says: (resamples, units).

        A row that counts n times is equivalent to n equal rows, which tie with each other.
        """
        return RankStatistics(*_native.rank_statistics(self.first, self.second, self.units, counts))


def ranked_rows(first: ArrayLike, second: ArrayLike, units: ArrayLike | None = None) -> RankedRows:
    """Sort rows once for all resamples; without units, each row is its own unit."""
    x, y = _codes(first, "first"), _codes(second, "second")
    unit = np.arange(len(x)) if units is None else np.asarray(units)
    if not len(x) == len(y) == len(unit):
        raise CodekinError(
            f"{len(x)} values cannot be paired with {len(y)} values and {len(unit)} units; "
            "give arrays of the same length"
        )
    order = np.argsort(x, kind="stable")
    return RankedRows(x[order], y[order], unit[order].astype(np.int32))


def _codes(values: ArrayLike, name: str) -> Integers:
    array = np.asarray(values, dtype=np.float64)
    if np.isnan(array).any():
        raise CodekinError(f"the {name} variable has nan, which has no rank; leave such rows out")
    return np.unique(array, return_inverse=True)[1].astype(np.int32)


def rank_statistics(first: ArrayLike, second: ArrayLike) -> RankStatistics:
    """The rank statistics of two variables without nan, in which each row counts once.

    Examples
    --------
    >>> scores, passed = [0.2, 0.9, 0.4, 0.4], [0, 1, 1, 0]
    >>> rank_statistics(scores, passed).auc
    array([0.875])
    """
    rows = ranked_rows(first, second)
    return rows.under(np.ones((1, len(rows.units)), dtype=np.int32))


def resampled_ranks(
    parts: Sequence[RankedRows], units: int, resamples: int, seed: int
) -> list[RankStatistics]:
    """The statistics of each part, over the same resamples as :func:`resampled_sums` draws.

    Parameters
    ----------
    parts : sequence of RankedRows
        All over the same units.
    units : int
        Number of units to draw from.
    resamples, seed : int
        Number of resamples, and the seed of the draws.
    """
    return _joined(parts, _drawn_counts(units, resamples, seed))


def ranks_left_out(parts: Sequence[RankedRows], units: int) -> list[RankStatistics]:
    """The jackknife: the statistics of each part without each unit.

    More than 1,000 units are left out in 1,000 groups, every thousandth unit together; up to
    chance, the acceleration of an interval is the same for groups as for units.
    """
    return _joined(parts, _left_out_counts(units))


def _joined(parts: Sequence[RankedRows], blocks: Iterator[Integers]) -> list[RankStatistics]:
    by_part: list[list[RankStatistics]] = [[] for _ in parts]
    # The kernel releases the GIL; each thread's result depends only on its part.
    with ThreadPoolExecutor(min(len(parts), os.cpu_count() or 1) or 1) as threads:
        for counts in blocks:
            drawn = threads.map(RankedRows.under, parts, repeat(counts))
            for statistics, block in zip(by_part, drawn, strict=True):
                statistics.append(block)
    return [
        RankStatistics(
            np.concatenate([block.spearman for block in blocks_of_part]),
            np.concatenate([block.kendall for block in blocks_of_part]),
            np.concatenate([block.auc for block in blocks_of_part]),
        )
        for blocks_of_part in by_part
    ]


def _drawn_counts(units: int, resamples: int, seed: int) -> Iterator[Integers]:
    # Ranks need all units of a resample at once, so the slices of units are put side by side. They
    # are copied one at a time, since all of them as floats would take twice the memory again.
    slices = list(count_blocks(units, resamples, seed))
    done = 0
    while done < resamples:
        whole: Integers | None = None
        for part, blocks in slices:
            drawn, counts = next(blocks)
            if whole is None:
                whole = np.empty((len(counts), units), dtype=np.int32)
                done = drawn.stop
            whole[:, part] = counts
        assert whole is not None
        yield whole


def _left_out_counts(units: int) -> Iterator[Integers]:
    groups = jackknife_groups(units)
    number = int(groups.max(initial=-1)) + 1
    for start in range(0, number, _LEFT_OUT):
        left_out = np.arange(start, min(start + _LEFT_OUT, number))
        yield (groups != left_out[:, None]).astype(np.int32)
