"""What the tables of all judgements of measures share: matrices, failures and notes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from codekin.report.document import finite
from codekin.report.failure_texts import failure_lines
from codekin.report.figures import (
    count_text,
    interval_document,
    known_interval,
    number_text,
    percent_text,
)
from codekin.report.grid import Grid
from codekin.runs.failures import Failure
from codekin.statistics.bootstrap import Estimate, Interval
from codekin.statistics.resampling import Floats

__all__ = [
    "DIGITS",
    "DISTANCE_NOTE",
    "LENGTH_NOTE",
    "LENGTH_ONLY",
    "best_of",
    "cost_text",
    "effect_text",
    "ends",
    "estimated",
    "failure_warnings",
    "matrix_document",
    "matrix_grids",
    "reason_lines",
    "resampling_note",
]

LENGTH_ONLY = "length only"
"""What the baseline is called that sees nothing of a text but its length."""

LENGTH_NOTE = f"{LENGTH_ONLY}: the baseline, which sees nothing of the texts but their lengths"

DISTANCE_NOTE = "↓ a distance: its means are of distances, where 0 is equal"

DIGITS = 3
"""Decimals of an effect or a correlation, as papers print them."""


def effect_text(value: float) -> str:
    """An effect or a correlation for people."""
    return number_text(value, digits=DIGITS)


def estimated(name: str, estimate: Estimate, interval: str | None = None) -> dict[str, Any]:
    """A value and its interval as two entries of a document.

    Parameters
    ----------
    name : str
        Of the value.
    estimate : Estimate
    interval : str, optional
        The name of the interval; that of the value with ``_ci`` by default.
    """
    return {
        name: finite(estimate.value),
        interval or f"{name}_ci": interval_document(known_interval(estimate)),
    }


def ends(name: str, estimate: Estimate | Interval) -> dict[str, float | None]:
    """A value and the ends of its interval, or an interval alone, as fields of a record.

    Examples
    --------
    >>> ends("r", Estimate(0.5, Interval(0.4, 0.6), Interval(0.3, 0.7)))
    {'r': 0.5, 'r_low': 0.3, 'r_high': 0.7}
    >>> ends("r_task", Interval(0.3, math.nan))
    {'r_task_low': 0.3, 'r_task_high': None}
    """
    value = {} if isinstance(estimate, Interval) else {name: finite(estimate.value)}
    interval = estimate if isinstance(estimate, Interval) else known_interval(estimate)
    return value | {f"{name}_low": finite(interval.low), f"{name}_high": finite(interval.high)}


def matrix_grids(title: str, labels: Sequence[str], matrix: Floats) -> list[Grid]:
    """The grid of a matrix between measures; none where there are not two to compare."""
    if len(labels) < 2:
        return []
    rows = tuple(
        (label, *(effect_text(float(value)) for value in line))
        for label, line in zip(labels, matrix, strict=True)
    )
    return [Grid(title, ("measure", *labels), rows)]


def matrix_document(matrix: Floats) -> list[list[float | None]]:
    """A matrix for JSON; null where a measure does not vary."""
    return [[finite(float(value)) for value in line] for line in matrix]


def failure_warnings(failed: Sequence[Failure]) -> list[str]:
    """Why rows have no score, or not every one."""
    return [f"no score: {line}" for line in failure_lines(failed)]


def resampling_note(resamples: int, drawn: str, seed: int, level: float) -> str:
    """How the intervals came about.

    Examples
    --------
    >>> resampling_note(2000, "problem", 0, 0.95)
    '95 % intervals of 2,000 resamples of problems, seed 0'
    """
    return (
        f"{percent_text(level)} intervals of {count_text(resamples, 'resample')} of {drawn}s, "
        f"seed {seed}"
    )


def reason_lines(reasons: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
    """Why figures are missing: a line a reason, with the measures that it holds for.

    Examples
    --------
    >>> reason_lines([("bleu", ["too few rows"]), ("ed", []), ("nes", ["too few rows"])])
    ['bleu, nes: too few rows']
    >>> reason_lines([("bleu", ["too few rows"]), ("nes", ["too few rows"])])
    ['every measure: too few rows']
    """
    holds: dict[str, list[str]] = {}
    for name, some in reasons:
        for reason in some:
            holds.setdefault(reason, []).append(name)
    return [
        f"{', '.join(names) if len(names) < len(reasons) else 'every measure'}: {reason}"
        for reason, names in holds.items()
    ]


def cost_text(microseconds: float) -> str:
    """A time for people, in three digits.

    Examples
    --------
    >>> cost_text(4.25), cost_text(12345.0), cost_text(2_500_000.0), cost_text(math.nan)
    ('4.25 µs', '12.3 ms', '2.5 s', '–')
    """
    if not math.isfinite(microseconds):
        return number_text(math.nan)
    for unit, size in (("µs", 1.0), ("ms", 1e3), ("s", 1e6)):
        if microseconds < 999.5 * size:
            return f"{microseconds / size:.3g} {unit}"
    return f"{microseconds / 1e6:,.0f} s"


def best_of(values: Iterable[float]) -> list[int]:
    """The places of the largest of several values, as far as people see them.

    None where there is nothing to choose between. A value of exactly 0 is that of a measure that
    never differs, and no merit where all others are below.

    Examples
    --------
    >>> best_of([0.1, 0.25, math.nan, 0.2501]), best_of([0.3]), best_of([0.0, -0.1, -0.2])
    ([1, 3], [], [1])
    """
    shown = [math.nan if value == 0 else round(value, DIGITS) for value in values]
    known = [value for value in shown if not math.isnan(value)]
    if len(known) < 2:
        return []
    return [place for place, value in enumerate(shown) if value == max(known)]
