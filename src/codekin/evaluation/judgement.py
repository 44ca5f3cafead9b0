"""What all judgements share: the baseline, notes, and matrices between measures."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from codekin.results import (
    EFFECT_DIGITS,
    NOTHING,
    Column,
    Grid,
    Interval,
    ShownAs,
    count_text,
    effect_text,
    percent_text,
)
from codekin.statistics.resampling import Floats

__all__ = [
    "DISTANCE_NOTE",
    "LENGTH_NOTE",
    "LENGTH_ONLY",
    "MOST_WRONG",
    "MeasureCorrelation",
    "best_first",
    "best_of",
    "effect",
    "in_words",
    "inverted_warnings",
    "matrix_grids",
    "reason_lines",
    "resampling_note",
]

LENGTH_ONLY = "length only"
"""The name of the baseline, which sees only the length of a text."""

LENGTH_NOTE = f"{LENGTH_ONLY}: the baseline, which sees only the lengths of the texts"

DISTANCE_NOTE = "↓ a distance: its means are distances, and 0 means equal"


MOST_WRONG = 10
"""Rows that pages show of those that a measure gets most wrong."""

_CLEAR = 0.1
"""A correlation is clearly negative if its interval is below this number with a minus."""

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class MeasureCorrelation:
    """Pearson's r between measures; nan if one does not vary.

    Attributes
    ----------
    labels : tuple of str
        The measures, the length baseline included, in the order of rows and columns.
    scores : array
        Between their scores.
    """

    labels: tuple[str, ...]
    scores: Floats


def best_first(items: Iterable[T], value: Callable[[T], float]) -> list[T]:
    """The items by their values, the largest first; those without a value come last.

    Examples
    --------
    >>> best_first([0.1, math.nan, 0.3], float)
    [0.3, 0.1, nan]
    """
    return sorted(items, key=lambda one: -value(one) if math.isfinite(value(one)) else math.inf)


def in_words(value: float, interval: Interval, level: float) -> str:
    """A value with its interval in words.

    Examples
    --------
    >>> in_words(0.5, Interval(0.4, 0.6), 0.95)
    '0.500, 95 % interval from 0.400 to 0.600'
    """
    if not (math.isfinite(interval.low) and math.isfinite(interval.high)):
        return f"{effect_text(value)}, without an interval"
    ends = f"from {effect_text(interval.low)} to {effect_text(interval.high)}"
    return f"{effect_text(value)}, {percent_text(level)} interval {ends}"


def inverted_warnings(
    correlations: Iterable[tuple[str, float, Interval]], *, binary: bool
) -> list[str]:
    """Ask whether outcomes are the wrong way round if all that correlates with them does so.

    Parameters
    ----------
    correlations : iterable of (str, float, Interval)
        The name of each measure, and its correlation with the outcome; negative if more similar
        texts have lower outcomes.
    binary : bool
        Whether every outcome is 0 or 1.

    Examples
    --------
    >>> [asked] = inverted_warnings([("es", -0.8, Interval(-0.9, -0.7))], binary=True)
    >>> asked.partition(";")[0]
    'the more alike texts are, the lower is the outcome (r -0.800 by es)'
    >>> inverted_warnings([("es", -0.8, Interval(-0.9, 0.1))], binary=True)
    []
    """
    known = [one for one in correlations if math.isfinite(one[2].low)]
    if not known or any(interval.low > 0 for _, _, interval in known):
        return []
    name, r, interval = min(known, key=lambda one: one[1])
    if interval.high >= -_CLEAR:
        return []
    asked = "1 a failure" if binary else "a higher outcome a worse one"
    return [
        f"the more alike texts are, the lower is the outcome (r {effect_text(r)} by {name}); is "
        f"{asked} in your data? Then invert it, or name the other column as outcome"
    ]


def effect(
    head: str,
    meaning: str = "",
    *,
    sign: bool = False,
    optional: bool = False,
    shown: bool = True,
    beneath: bool = False,
) -> Column:
    """A column of effects or correlations, or of their intervals."""
    return Column(
        head,
        digits=EFFECT_DIGITS,
        sign=sign,
        optional=optional,
        shown=shown,
        beneath=beneath,
        meaning=meaning,
    )


def matrix_grids(
    title: str,
    labels: Sequence[str],
    matrix: Floats,
    baseline: str,
    *,
    note: str = "",
    linked: bool = False,
) -> list[Grid]:
    """The grid of a matrix between measures; none if there are fewer than two.

    Parameters
    ----------
    title : str
    labels : sequence of str
    matrix : array
    baseline : str
        The label of the length baseline.
    note : str
        How to read it.
    linked : bool
        Whether a cell opens the plot of its two measures.
    """
    if len(labels) < 2:
        return []
    names = [LENGTH_ONLY if label == baseline else label for label in labels]

    def cell(row: int, column: int, value: float) -> ShownAs:
        both = f"{names[row]} and {names[column]}"
        if not math.isfinite(value):
            return ShownAs(
                value, NOTHING, title=f"{both}: none, since they are too few or one is constant"
            )
        link = (("x", labels[column]), ("y", labels[row])) if linked and row != column else ()
        return ShownAs(
            value, effect_text(value), title=f"{both}: {value:.4f}", heat=value, link=link
        )

    cells = tuple(
        (names[row], *(cell(row, column, value) for column, value in enumerate(line)))
        for row, line in enumerate(matrix.tolist())
    )
    return [Grid(title, ("measure", *map(effect, names)), cells, note=note, mutual=True)]


def resampling_note(resamples: int, drawn: str, seed: int, level: float) -> str:
    """How the intervals were computed.

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
    """Why values are missing: one line per reason, with the measures that it applies to.

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


def best_of(values: Iterable[float]) -> list[int]:
    """The positions of the largest values, as rounded for display.

    Empty if there is nothing to choose from. A value of exactly 0 is that of a constant measure,
    and does not count even if all others are below.

    Examples
    --------
    >>> best_of([0.1, 0.25, math.nan, 0.2501]), best_of([0.3]), best_of([0.0, -0.1, -0.2])
    ([1, 3], [], [1])
    """
    shown = [math.nan if value == 0 else round(value, EFFECT_DIGITS) for value in values]
    known = [value for value in shown if not math.isnan(value)]
    if len(known) < 2:
        return []
    return [place for place, value in enumerate(shown) if value == max(known)]
