"""Resamples of units as sums of their statistics, one block at a time.

A unit is what is drawn or flipped as a whole: a row, or a cluster of rows. An estimate needs only
the sum of the statistics of a resample's units, so a resample is a vector that counts how often
each unit was drawn, and a block of resamples is one matrix product of counts and statistics. Units
are processed in slices, so that only one slice of the counts is in memory.

The draws depend only on the seed, the number of units and the number of resamples: whatever is
summed over them, the resamples are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from codekin.errors import CodekinError

__all__ = [
    "EXACT_UNITS",
    "Floats",
    "check_resampling",
    "cluster_sums",
    "count_blocks",
    "resampled_sums",
    "swap_blocks",
    "swapped_sums",
]

Floats = NDArray[np.float64]

EXACT_UNITS = 16
"""Up to this many units, every way to swap them is enumerated instead of sampled."""

# A slice of units times a block of resamples is 8 MB of counts, which fits into the cache.
_SLICE = 4096
_BLOCK = 256
_DRAWS, _SWAPS = 0, 1


def check_resampling(resamples: int, seed: int, level: float = 0.95) -> None:
    """Raise if the number of resamples, the seed or the level is out of range."""
    if resamples < 1:
        raise CodekinError(f"resamples must be at least 1, not {resamples}")
    if seed < 0:
        raise CodekinError(f"seed must be 0 or more, not {seed}")
    if not 0 < level < 1:
        raise CodekinError(f"level must be between 0 and 1, such as 0.95, not {level:g}")


def cluster_sums(statistics: NDArray[np.floating], clusters: NDArray[np.intp]) -> Floats:
    """Sum the statistics of rows over each cluster.

    Parameters
    ----------
    statistics : array of shape (rows, k)
        The statistics of each row.
    clusters : array of shape (rows,)
        The number of each row's cluster, from 0 without gaps.

    Examples
    --------
    >>> rows = np.array([[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]])
    >>> cluster_sums(rows, np.array([0, 1, 0])).tolist()
    [[4.0, 40.0], [2.0, 20.0]]
    """
    number = int(clusters.max()) + 1 if len(clusters) else 0
    sums = np.zeros((number, statistics.shape[1]))
    for column in range(statistics.shape[1]):
        sums[:, column] = np.bincount(clusters, statistics[:, column], minlength=number)
    return sums


def count_blocks(
    units: int, resamples: int, seed: int
) -> Iterator[tuple[slice, Iterator[tuple[slice, Floats]]]]:
    """Resamples with replacement, as counts of how often each unit was drawn.

    Yields slices of the units, and for each slice blocks of resamples: which ones, and their
    counts, of shape (resamples of the block, units of the slice). Over all slices, the counts of a
    resample add up to the number of units. The number of draws in each slice is drawn first, then
    the units within the slice; together, this is the same as drawing from all units at once.

    Examples
    --------
    >>> for units, blocks in count_blocks(5, 3, seed=1):
    ...     for _, counts in blocks:
    ...         print(units, counts.sum(axis=1))
    slice(0, 5, None) [5. 5. 5.]
    """
    bounds = [*range(0, units, _SLICE), units]
    sizes = np.diff(bounds)
    first, *others = np.random.SeedSequence([seed, _DRAWS]).spawn(1 + len(sizes))
    draws = np.full((resamples, 1), units)
    if len(sizes) > 1:
        draws = np.random.default_rng(first).multinomial(units, sizes / units, size=resamples)
    for i, source in enumerate(others):
        yield slice(bounds[i], bounds[i + 1]), _counts(draws[:, i], int(sizes[i]), source)


def _counts(
    draws: NDArray[np.int64], units: int, source: np.random.SeedSequence
) -> Iterator[tuple[slice, Floats]]:
    generator = np.random.default_rng(source)
    together = max(1, _SLICE // units)  # resamples of few units are counted several at a time
    for start in range(0, len(draws), _BLOCK):
        numbers = draws[start : start + _BLOCK]
        drawn = generator.integers(units, size=int(numbers.sum()), dtype=np.uint16)
        counts = np.empty((len(numbers), units))
        end = 0
        for first in range(0, len(numbers), together):
            some = numbers[first : first + together]
            begin, end = end, end + int(some.sum())
            bins = drawn[begin:end]
            if len(some) > 1:
                bins = bins + np.repeat(np.arange(len(some)) * units, some)
            counts[first : first + len(some)] = np.bincount(
                bins, minlength=len(some) * units
            ).reshape(-1, units)
        yield slice(start, start + len(numbers)), counts


def resampled_sums(
    parts: Sequence[NDArray[np.floating]], resamples: int, seed: int
) -> list[Floats]:
    """For each part, its statistics summed over each resample of the units.

    Parameters
    ----------
    parts : sequence of arrays of shape (units, k)
        What to sum; all over the same units, and so over the same resamples.
    resamples, seed : int
        Number of resamples, and the seed of the draws.

    Returns
    -------
    list of arrays of shape (resamples, k)
    """
    widths = [part.shape[1] for part in parts]
    sums = np.zeros((resamples, sum(widths)))
    for units, blocks in count_blocks(len(parts[0]), resamples, seed):
        statistics = np.hstack([part[units] for part in parts], dtype=np.float64)
        for block, counts in blocks:
            sums[block] += counts @ statistics
    return np.split(sums, np.cumsum(widths)[:-1], axis=1)


def swap_blocks(
    units: int, resamples: int, seed: int
) -> Iterator[tuple[slice, Iterator[tuple[slice, Floats]]]]:
    """Ways to swap two systems: 1 for each unit that stays, -1 for each that is swapped.

    Yields the same structure as :func:`count_blocks`. Up to `EXACT_UNITS` units, these are all the
    ways in which the first unit stays; the others are their mirror images. Beyond that, each unit
    is swapped with a probability of one half.
    """
    if units <= EXACT_UNITS:
        ways = np.arange(1 << max(0, units - 1), dtype=np.int64)
        swapped = (ways[:, None] << 1 >> np.arange(units)) & 1
        yield slice(0, units), iter([(slice(0, len(ways)), 1 - 2 * swapped.astype(np.float64))])
        return
    bounds = [*range(0, units, _SLICE), units]
    sources = np.random.SeedSequence([seed, _SWAPS]).spawn(len(bounds) - 1)
    for start, end, source in zip(bounds, bounds[1:], sources, strict=False):
        yield slice(start, end), _signs(resamples, end - start, source)


def _signs(
    resamples: int, units: int, source: np.random.SeedSequence
) -> Iterator[tuple[slice, Floats]]:
    generator = np.random.default_rng(source)
    width = -(-units // 8)
    for start in range(0, resamples, _BLOCK):
        number = min(_BLOCK, resamples - start)
        random_bytes = generator.integers(256, size=(number, width), dtype=np.uint8)
        bits = np.unpackbits(random_bytes, axis=1, count=units)
        yield slice(start, start + number), 1 - 2 * bits.astype(np.float64)


def swapped_sums(
    pairs: Sequence[tuple[NDArray[np.floating], NDArray[np.floating]]], resamples: int, seed: int
) -> list[tuple[Floats, Floats]]:
    """For each pair of systems, their summed statistics after units were swapped between them.

    Parameters
    ----------
    pairs : sequence of (array, array), each of shape (units, k)
        The statistics of both systems; all over the same units.
    resamples, seed : int
        Number of swaps, and their seed; few units are enumerated, see :func:`swap_blocks`.

    Returns
    -------
    list of (array, array), each of shape (ways, k)

    Examples
    --------
    >>> a, b = np.array([[1.0], [2.0]]), np.array([[10.0], [20.0]])
    >>> [(first, second)] = swapped_sums([(a, b)], 100, seed=1)
    >>> first.tolist(), second.tolist()
    ([[3.0], [21.0]], [[30.0], [12.0]])
    """
    units = len(pairs[0][0])
    widths = [a.shape[1] for a, _ in pairs]
    ways = 1 << max(0, units - 1) if units <= EXACT_UNITS else resamples
    moved = np.zeros((ways, sum(widths)))
    for part, blocks in swap_blocks(units, resamples, seed):
        halves = np.hstack([(a[part] - b[part]) / 2 for a, b in pairs], dtype=np.float64)
        for block, signs in blocks:
            moved[block] += signs @ halves
    middle = np.concatenate(
        [(a.sum(axis=0, dtype=np.float64) + b.sum(axis=0, dtype=np.float64)) / 2 for a, b in pairs]
    )
    first, second = middle + moved, middle - moved
    # Set rounding errors to 0, because a measure may take logarithms of the sums.
    tolerance = 1e-12 * np.abs(middle)
    for sums in (first, second):
        sums[np.abs(sums) < tolerance] = 0.0
    cuts = np.cumsum(widths)[:-1]
    return list(zip(np.split(first, cuts, axis=1), np.split(second, cuts, axis=1), strict=True))
