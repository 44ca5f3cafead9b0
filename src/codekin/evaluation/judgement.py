"""What all judgements of measures share: their baseline, notes, and matrices between measures."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from codekin.results import (
    EFFECT_DIGITS,
    Column,
    Grid,
    count_text,
    percent_text,
)
from codekin.statistics.resampling import Floats

__all__ = [
    "DISTANCE_NOTE",
    "LENGTH_NOTE",
    "LENGTH_ONLY",
    "best_of",
    "effect",
    "matrix_grids",
    "reason_lines",
    "resampling_note",
]

LENGTH_ONLY = "length only"
"""The name of the baseline that sees nothing of a text but its length."""

LENGTH_NOTE = f"{LENGTH_ONLY}: the baseline, which sees nothing of the texts but their lengths"

DISTANCE_NOTE = "↓ a distance: its means are of distances, where 0 is equal"


def effect(head: str, *, sign: bool = False, optional: bool = False, shown: bool = True) -> Column:
    """A column of effects or correlations, or of their intervals."""
    return Column(head, digits=EFFECT_DIGITS, sign=sign, optional=optional, shown=shown)


def matrix_grids(title: str, labels: Sequence[str], matrix: Floats) -> list[Grid]:
    """The grid of a matrix between measures; none where there are not two to compare."""
    if len(labels) < 2:
        return []
    cells = tuple((label, *line) for label, line in zip(labels, matrix.tolist(), strict=True))
    return [Grid(title, ("measure", *map(effect, labels)), cells)]


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
    """Why values are missing: one line per reason, with the measures that it holds for.

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
    """The places of the largest of several values, as far as people see them.

    None where there is nothing to choose between. A value of exactly 0 is that of a measure that
    never differs, and no merit where all others are below.

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
