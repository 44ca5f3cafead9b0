"""Means per system and measure with their intervals, and which groups look equal to a measure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from codekin.report.run_scores import Scores
from codekin.runs.run import Run
from codekin.runs.summaries import summarize
from codekin.statistics.bootstrap import UNKNOWN, Estimate

__all__ = ["MeasureCell", "SystemSummary", "Touchstones", "summarise"]

_EQUAL, _SAME = "equal", "same"
_WORDS = {_EQUAL: "equal texts", _SAME: "the same edit in another layout"}
"""The names of the groups, with what their rows are taken to be. That of edits counts only in a run
under a measure of edits: elsewhere a group of this name may be anything."""

_KEEPING = frozenset({"reformatted", "renamed", "reordered", "rewritten", "translated", "moved"})
"""Groups whose rows, by their name, mean what their references mean."""

_CLOSE = 1e-12

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


class Touchstones:
    """The touchstone of each run.

    Equal texts reach the top of every scale, so the rows beside them are held against the top. The
    same edit in another layout need not, so a row is held against the one with its origin and
    references.
    """

    def __init__(self, scores: Scores) -> None:
        self._scores = scores
        groups: list[set[str | None]] = [set() for _ in scores.runs]
        for system in scores.systems:
            groups[system.run].add(system.group)
        self._of_run = [_touchstone(*one) for one in zip(scores.runs, groups, strict=True)]

    def by_system(self) -> dict[str, str]:
        """By the name of a system what it is held against, in words."""
        held = ((one, self._of_run[one.run]) for one in self._scores.systems)
        return {one.name: _WORDS[group] for one, group in held if group and group != one.group}

    def as_equal(self, label: str) -> Flags:
        """Which rows score like equal texts."""
        top = 0.0 if self._scores.distances[label] else 1.0
        return np.asarray(np.abs(self._scores.values[label] - top) < _CLOSE)

    def tied(self, label: str) -> Flags:
        """Which rows score as well as the touchstone of their run, which is left out."""
        equal, same = self._held(_EQUAL), self._held(_SAME)
        tied = equal & self.as_equal(label)
        if same.any():
            tied |= same & self._as_good_as_same(label)
        return tied

    def _held(self, group: str) -> Flags:
        """Which rows are held against a group."""
        systems = self._scores.systems
        held = [self._of_run[one.run] == group != one.group for one in systems]
        return np.array(held, bool)[self._scores.system]

    def _as_good_as_same(self, label: str) -> Flags:
        scores = self._scores
        likeness = -scores.values[label] if scores.distances[label] else scores.values[label]
        there = np.array([one.group == _SAME for one in scores.systems], bool)[scores.system]
        # One more for the rows without a task, whose number is -1; fmax passes over failures.
        best: Floats = np.full(int(scores.task.max()) + 2, np.nan)
        np.fmax.at(best, scores.task[there], likeness[there])
        return np.asarray(likeness > best[scores.task] - _CLOSE)


def _touchstone(run: Run, groups: set[str | None]) -> str | None:
    if _EQUAL in groups:
        return _EQUAL
    edits = any(one.measure is not None and one.measure.needs_origin for one in run.measures)
    return _SAME if edits and _SAME in groups else None


_RESAMPLES = {60: 2000, 100: 1000}
"""Up to so many systems, so many resamples; those of 84 under nine measures take five seconds."""


@dataclass(frozen=True)
class MeasureCell:
    """What a measure says of a system.

    Attributes
    ----------
    mean, corpus : Estimate or None
        The mean of the rows, and the value of all of them as one corpus; None where there is none.
    scored, rows : int
        How many rows have a score, out of how many.
    as_equal : int
        How many rows score as well as equal texts do.
    tied : int
        How many rows score as well as the touchstone of their run; 0 where it has none, and for
        the touchstone itself.
    """

    mean: Estimate | None
    corpus: Estimate | None
    scored: int
    rows: int
    as_equal: int
    tied: int

    @property
    def top(self) -> bool:
        """Whether every row scores as if its texts were equal."""
        return self.scored > 0 and self.as_equal == self.scored

    @property
    def blind(self) -> bool:
        """Whether every row scores as well as the touchstone."""
        return self.scored > 0 and self.tied == self.scored

    def text(self, distance: bool) -> str:
        """The mean for people; it reads 1.000 only where every row scores 1."""
        if self.mean is None:
            return "–"
        if distance:
            return f"{self.mean.value:.1f}"
        shown = f"{self.mean.value:.3f}"
        return "0.999" if shown == "1.000" and not self.top else shown


@dataclass(frozen=True)
class SystemSummary:
    """System by measure.

    Attributes
    ----------
    systems : mapping of str to int
        The systems in their order, with their numbers of rows.
    failed : mapping of str to int
        How many of these rows lack a score by some measure.
    measures : mapping of str to bool
        The measures, with whether they are distances.
    cells : mapping of (str, str) to MeasureCell
        By system and measure; a system that was not scored by a measure has no cell.
    touchstones : mapping of str to str
        By system, what it is held against, in words; systems that are touchstones, or of a run
        without one, are left out.
    resamples : int
        What the intervals come of; 0 where there are none.
    keeping : frozenset of str
        The systems whose rows mean what their references mean: by the name of their group, or
        since the outcome of each is 1. To score them like equal texts is right.
    """

    systems: Mapping[str, int]
    failed: Mapping[str, int]
    measures: Mapping[str, bool]
    cells: Mapping[tuple[str, str], MeasureCell]
    touchstones: Mapping[str, str]
    resamples: int = 0
    keeping: frozenset[str] = frozenset()

    def ties(self, measure: str) -> list[tuple[str, int, int]]:
        """The groups with rows that a measure scores as well as the touchstone of their run.

        Each with the number of such rows and of all that were scored. The touchstone is left out.
        """
        cells = [(s, self.cells[s, measure]) for s in self.systems if (s, measure) in self.cells]
        return [(system, cell.tied, cell.scored) for system, cell in cells if cell.tied]

    def blind_spots(self, measure: str) -> list[tuple[str, int, int]]:
        """The ties with groups that are not known to keep the meaning."""
        return [one for one in self.ties(measure) if one[0] not in self.keeping]

    def invariances(self, measure: str) -> list[tuple[str, int, int]]:
        """The ties with groups that keep the meaning, as they should be."""
        return [one for one in self.ties(measure) if one[0] in self.keeping]


def summarise(scores: Scores, *, intervals: bool = True) -> SystemSummary:
    """Summarise the scores of each system under each measure.

    Parameters
    ----------
    scores : Scores
    intervals : bool
        Whether to estimate them, and values of corpora. Of many systems there are fewer resamples,
        and beyond 100 means only, for the estimates would take minutes.
    """
    enough = (n for most, n in _RESAMPLES.items() if len(scores.systems) <= most)
    resamples = next(enough, 0) if intervals else 0
    names = [system.name for system in scores.systems]
    sizes = np.bincount(scores.system, minlength=len(names)).tolist()
    failed = np.bincount(scores.system[scores.failed], minlength=len(names)).tolist()
    return SystemSummary(
        dict(zip(names, sizes, strict=True)),
        dict(zip(names, failed, strict=True)),
        dict(scores.distances),
        _estimated(scores, resamples) if resamples else _averaged(scores),
        Touchstones(scores).by_system(),
        resamples,
        _keeping(scores),
    )


def _keeping(scores: Scores) -> frozenset[str]:
    """The systems whose rows all mean what their references mean."""
    many = len(scores.systems)
    wrong = np.bincount(scores.system[scores.outcome != 1], minlength=many).tolist()
    return frozenset(
        one.name
        for one, others in zip(scores.systems, wrong, strict=True)
        if one.group in _KEEPING or not others
    )


def _estimated(scores: Scores, resamples: int) -> dict[tuple[str, str], MeasureCell]:
    """Means and values of corpora with their intervals."""
    cells: dict[tuple[str, str], MeasureCell] = {}
    counts = _Counts(scores)
    for i, run in enumerate(scores.runs):
        # Both number the groups of a run in the order of their first rows.
        own = [number for number, system in enumerate(scores.systems) if system.run == i]
        groups = summarize(run, by=scores.by, resamples=resamples).groups if own else ()
        for number, group in zip(own, groups, strict=True):
            for one in group.measures:
                corpus = None if one.corpus is None else _value(one.corpus)
                cells[scores.systems[number].name, one.label] = counts.cell(
                    number, one.label, _value(one.mean), corpus
                )
    return cells


def _averaged(scores: Scores) -> dict[tuple[str, str], MeasureCell]:
    """Means alone."""
    weights = np.concatenate([run.weights() for run in scores.runs])
    counts = _Counts(scores)
    cells: dict[tuple[str, str], MeasureCell] = {}
    for label, values in scores.values.items():
        weight = np.where(np.isnan(values), 0.0, weights)
        many = len(scores.systems)
        total = np.bincount(scores.system, weight, many).tolist()
        summed = np.bincount(scores.system, weight * np.nan_to_num(values), many).tolist()
        for number, system in enumerate(scores.systems):
            if scores.has_measure(system.run, label):
                mean = None
                if total[number]:
                    mean = Estimate(summed[number] / total[number], UNKNOWN, UNKNOWN)
                cells[system.name, label] = counts.cell(number, label, mean, None)
    return cells


class _Counts:
    """How many rows each system has, by measure: one pass a measure, however many systems."""

    def __init__(self, scores: Scores) -> None:
        many = len(scores.systems)
        self._rows: list[int] = np.bincount(scores.system, minlength=many).tolist()
        self._scored: dict[str, list[int]] = {}
        self._as_equal: dict[str, list[int]] = {}
        self._tied: dict[str, list[int]] = {}
        touchstones = Touchstones(scores)
        for label, values in scores.values.items():
            for found, which in (
                (self._scored, ~np.isnan(values)),
                (self._as_equal, touchstones.as_equal(label)),
                (self._tied, touchstones.tied(label)),
            ):
                found[label] = np.bincount(scores.system[which], minlength=many).tolist()

    def cell(
        self, system: int, label: str, mean: Estimate | None, corpus: Estimate | None
    ) -> MeasureCell:
        return MeasureCell(
            mean=mean,
            corpus=corpus,
            scored=self._scored[label][system],
            rows=self._rows[system],
            as_equal=self._as_equal[label][system],
            tied=self._tied[label][system],
        )


def _value(estimate: Estimate) -> Estimate | None:
    return estimate if math.isfinite(estimate.value) else None
