"""Means per system and measure with their intervals, and which groups look equal to a measure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from codekin.engine.summaries import MeasureSummary, summarize
from codekin.evaluation.bootstrap import Estimate
from codekin.report.scores import Scores

__all__ = ["EQUAL", "Cell", "Summary", "Value", "summarise"]

EQUAL = "equal"
"""The group whose pairs are meant to score as equal texts do; where it exists, others that score
so are blind spots."""

_SAME = 1e-12
_MOST_INTERVALS = 60


@dataclass(frozen=True)
class Value:
    """A number with its interval.

    Attributes
    ----------
    value : float
    low, high : float or None
        None where there is no telling.
    """

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Cell:
    """What a measure says of a system.

    Attributes
    ----------
    mean, corpus : Value or None
        The mean of the rows, and the value of all of them as one corpus; None where there is none.
    scored, rows : int
        How many rows have a score, out of how many.
    as_equal : int
        How many rows score as well as equal texts do.
    """

    mean: Value | None
    corpus: Value | None
    scored: int
    rows: int
    as_equal: int

    @property
    def blind(self) -> bool:
        """Whether every row scores as if its texts were equal."""
        return self.scored > 0 and self.as_equal == self.scored

    def text(self, distance: bool) -> str:
        """The mean for people; it reads 1.000 only where every row scores 1."""
        if self.mean is None:
            return "–"
        if distance:
            return f"{self.mean.value:.1f}"
        shown = f"{self.mean.value:.3f}"
        return "0.999" if shown == "1.000" and not self.blind else shown


@dataclass(frozen=True)
class Summary:
    """System by measure.

    Attributes
    ----------
    systems : mapping of str to int
        The systems in their order, with their numbers of rows.
    failed : mapping of str to int
        How many of these rows lack a score by some measure.
    measures : mapping of str to bool
        The measures, with whether they are distances.
    cells : mapping of (str, str) to Cell
        By system and measure; a system that was not scored by a measure has no cell.
    """

    systems: Mapping[str, int]
    failed: Mapping[str, int]
    measures: Mapping[str, bool]
    cells: Mapping[tuple[str, str], Cell]

    def blind_spots(self, measure: str) -> list[tuple[str, int, int]]:
        """The groups with rows that a measure scores as it scores equal texts.

        Each with the number of such rows and of all that were scored. Only where there is a group
        of equal pairs, which is left out, is a score like theirs a sign of blindness.
        """
        if EQUAL not in self.systems:
            return []
        cells = [(s, self.cells[s, measure]) for s in self.systems if (s, measure) in self.cells]
        return [
            (system, cell.as_equal, cell.scored)
            for system, cell in cells
            if cell.as_equal and system != EQUAL
        ]


def summarise(scores: Scores, *, intervals: bool = True) -> Summary:
    """Summarise the scores of each system under each measure.

    Parameters
    ----------
    scores : Scores
    intervals : bool
        Whether to estimate them. Beyond 60 systems there are none: nobody could compare them.
    """
    intervals = intervals and len(scores.systems) <= _MOST_INTERVALS
    cells = {
        (scores.systems[system].name, one.label): _cell(scores, system, one, intervals)
        for system, one in _summaries(scores, resamples=2000 if intervals else 1)
    }
    sizes = np.bincount(scores.system, minlength=len(scores.systems)).tolist()
    failed = np.bincount(scores.system[scores.failed], minlength=len(scores.systems)).tolist()
    names = [system.name for system in scores.systems]
    return Summary(
        dict(zip(names, sizes, strict=True)),
        dict(zip(names, failed, strict=True)),
        dict(scores.distances),
        cells,
    )


def _summaries(scores: Scores, resamples: int) -> Iterator[tuple[int, MeasureSummary]]:
    first = 0
    for i, run in enumerate(scores.runs):
        count = sum(system.run == i for system in scores.systems)
        if count:
            groups = summarize(run, by="group", resamples=resamples).groups
            for j, group in enumerate(groups):
                yield from ((first + j, one) for one in group.measures)
        first += count


def _cell(scores: Scores, system: int, one: MeasureSummary, intervals: bool) -> Cell:
    top = 0.0 if one.distance else 1.0
    return Cell(
        mean=_value(one.mean, intervals),
        corpus=None if one.corpus is None else _value(one.corpus, intervals),
        scored=one.rows - one.failed,
        rows=one.rows,
        as_equal=int((np.abs(scores.of(system, one.label) - top) < _SAME).sum()),
    )


def _value(estimate: Estimate, intervals: bool) -> Value | None:
    if not math.isfinite(estimate.value):
        return None
    if not intervals or not math.isfinite(estimate.bca.low):
        return Value(estimate.value, None, None)
    return Value(estimate.value, estimate.bca.low, estimate.bca.high)
