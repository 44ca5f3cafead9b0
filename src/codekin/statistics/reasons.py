"""Units to draw from, and the reasons why a value or its intervals are missing."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from codekin.errors import CodekinError
from codekin.statistics.bootstrap import UNKNOWN, Estimate, estimate_of
from codekin.statistics.resampling import Floats

__all__ = [
    "MISSING",
    "columns_of",
    "estimate_or_reason",
    "joined",
    "unit_numbers",
    "why_no_interval",
]

_MIN_ROWS = 10
"""With fewer rows, an interval would be meaningless."""

MISSING = Estimate(math.nan, UNKNOWN, UNKNOWN)

_TOO_FEW_RESAMPLES = "more than half of the resamples have no value, so that there is no interval"


def columns_of(**named: ArrayLike) -> list[Floats]:
    """Convert columns to arrays; raise if their lengths differ."""
    columns = [np.asarray(values, dtype=np.float64) for values in named.values()]
    for name, column in zip(named, columns, strict=True):
        if column.ndim != 1 or len(column) != len(columns[0]):
            raise CodekinError(
                f"{name} has the shape {column.shape} and {next(iter(named))} has "
                f"{columns[0].shape}; give one number per row in each"
            )
    return columns


def unit_numbers(
    clusters: ArrayLike | None, rows: NDArray[np.bool_]
) -> tuple[NDArray[np.intp], int]:
    """Number the units of the selected rows from 0 without gaps, and count the units.

    Clusters are numbered in the order of their labels, so that the order of rows does not matter.

    Examples
    --------
    >>> unit_numbers(["b", "a", "c", "b"], np.array([True, False, True, True]))
    (array([0, 1, 0]), 2)
    """
    if clusters is None:
        number = int(rows.sum())
        return np.arange(number), number
    labels = np.asarray(clusters)
    if labels.shape != rows.shape:
        raise CodekinError(f"{labels.shape} clusters do not fit {rows.shape} rows")
    names, numbers = np.unique(labels[rows], return_inverse=True)
    return numbers, len(names)


def why_no_interval(rows: int, units: int, what: str = "rows") -> str | None:
    """Why there are too few rows or units for an interval, or None if there are enough.

    Examples
    --------
    >>> why_no_interval(4, 4)
    'fewer than 10 rows tell little, so that there are no intervals'
    >>> why_no_interval(40, 1)
    'all rows are of one cluster, so that there are no intervals'
    """
    if rows < _MIN_ROWS:
        return f"fewer than {_MIN_ROWS} {what} tell little, so that there are no intervals"
    if units < 2:
        return f"all {what} are of one cluster, so that there are no intervals"
    return None


def estimate_or_reason(
    value: float, replicates: Floats, jackknife: Floats, level: float
) -> tuple[Estimate, str | None]:
    """A value with its intervals, or without and the reason if most resamples have no value."""
    if math.isfinite(value) and 2 * np.isfinite(replicates).sum() < len(replicates):
        return Estimate(value, UNKNOWN, UNKNOWN), _TOO_FEW_RESAMPLES
    return estimate_of(value, replicates, jackknife, level), None


def joined(reasons: Iterable[str | None]) -> str | None:
    """Join distinct reasons into one text.

    Examples
    --------
    >>> joined([None, "no rows", "no rows"])
    'no rows'
    """
    return "; ".join(dict.fromkeys(reason for reason in reasons if reason)) or None
