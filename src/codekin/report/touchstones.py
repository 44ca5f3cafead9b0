"""The groups of a run that others are held against, and which rows score as well as they do."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from codekin.report.scores import Scores
from codekin.runs.run import Run

__all__ = ["Touchstones"]

_EQUAL, _SAME = "equal", "same"
_WORDS = {_EQUAL: "equal texts", _SAME: "the same edit in another layout"}
"""The names of the groups, with what their rows are taken to be. That of edits counts only in a run
under a measure of edits: elsewhere a group of this name may be anything."""

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
        """Which rows score as equal texts do."""
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
