"""Correlations of measures with the outcome, over the rows of a run and parts of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from codekin.engine.judging.outcome_rows import Chosen, Codes, NumberedScores, OutcomeRows
from codekin.engine.judging.runs import oriented
from codekin.engine.outcome_judgement import (
    CorrelationDifference,
    Correlations,
    GroupPoint,
    OutcomeEffect,
    Perturbed,
    Spread,
    WrongRow,
)
from codekin.engine.run import RunMeasure
from codekin.engine.summaries import clusters_of, numbered
from codekin.evaluation.association import (
    Association,
    associations,
    correlation_differences,
    group_agreement,
    pearson_of,
)
from codekin.evaluation.bootstrap import UNKNOWN, Estimate, Interval, bootstrap
from codekin.evaluation.correlation import correlation_matrix
from codekin.evaluation.paired import holm
from codekin.evaluation.reasons import MISSING
from codekin.evaluation.resampling import Floats

__all__ = ["OutcomeJudge", "wrong_rows"]

_WORST = 20
_FEW_TASKS = 10
"""Fewer are too few to draw from."""
_UNCHANGED = "no row could be changed and scored in both forms"


class OutcomeJudge:
    """Correlations over the rows of a run, all from the same resamples."""

    def __init__(self, read: OutcomeRows, how: Mapping[str, Any]) -> None:
        self._read = read
        self._how = dict(how)
        known = np.isfinite(read.outcome)
        self.unit = "task" if 1 < read.tasks_of(known) < int(known.sum()) else "row"
        self._groups, names = numbered(read.groups)
        self._names = [name for name in names if name is not None]
        # A row without a group is a cluster of its own.
        self._group_clusters = clusters_of(read.groups)

    def _clusters(self, chosen: Chosen) -> Codes | None:
        if self.unit == "row":
            return None
        codes: Codes = np.unique(self._read.tasks[chosen], return_inverse=True)[1]
        return codes

    def correlations(self, columns: Sequence[Floats], chosen: Chosen) -> list[Correlations]:
        """How closely each column follows the outcome over some rows."""
        outcome = self._read.outcome[chosen]
        given = [column[chosen] for column in columns]
        ways: dict[str, list[Association] | None] = {
            "row": associations(given, outcome, **self._how)
        }
        for name, codes in (("task", self._read.tasks), ("group", self._group_clusters)):
            units = np.unique(codes[chosen], return_inverse=True)[1]
            number = int(units.max(initial=-1)) + 1
            apart = 1 < number < len(outcome)
            ways[name] = (
                associations(given, outcome, clusters=units, **self._how) if apart else None
            )
        within = self._within(given, outcome, self._read.tasks[chosen])
        return [replace(_correlations(i, ways), within=within[i]) for i in range(len(columns))]

    def _within(self, columns: Sequence[Floats], outcome: Floats, tasks: Codes) -> list[Estimate]:
        """Pearson's r of each column with the outcome, both less the means of their task."""
        units = np.unique(tasks, return_inverse=True)[1]
        if len(outcome) == len(np.unique(units)):  # every row is its task's mean
            return [MISSING for _ in columns]
        estimands = []
        for column in columns:
            # The means are those of the rows that have a score, of the outcome as of the scores.
            known = np.isfinite(column)
            estimands.append(
                pearson_of(_less_means(column, units, known), _less_means(outcome, units, known))
            )
        if len(np.unique(units)) < _FEW_TASKS:
            return [Estimate(one.value, UNKNOWN, UNKNOWN) for one in estimands]
        return bootstrap(estimands, clusters=units, **self._how)

    def effects(
        self, measures: Sequence[RunMeasure], changed: Sequence[tuple[str, NumberedScores]]
    ) -> list[OutcomeEffect]:
        """Everything about each measure."""
        read = self._read
        columns = [oriented(one, read.values[one.label]) for one in measures]
        known = np.isfinite(read.outcome)
        every = self.correlations(columns, known)
        some: dict[str, list[Correlations] | None] = {}
        for name, left_out in (
            ("without_unchanged", read.unchanged),
            ("without_equal", read.equal),
            ("without_both", read.unchanged | read.equal),
        ):
            there = bool((left_out & known).any())
            some[name] = self.correlations(columns, known & ~left_out) if there else None
        if not (read.unchanged & known).any() or not (read.equal & known).any():
            some["without_both"] = None
        perturbed = [self._perturbed(word, measures, scores) for word, scores in changed]
        found = []
        for i, one in enumerate(measures):
            tau, why_not = self._agreement(columns[i], known)
            scored = np.isfinite(columns[i]) & known
            found.append(
                OutcomeEffect(
                    label=one.label,
                    signature=one.signature,
                    distance=one.distance,
                    n=int(scored.sum()),
                    failed=int((known & ~scored).sum()),
                    every=every[i],
                    **{name: None if them is None else them[i] for name, them in some.items()},
                    groups_kendall=tau,
                    groups_reason=why_not,
                    groups=tuple(self._points(one, scored)),
                    perturbed=tuple(them[i] for them in perturbed),
                )
            )
        return found

    def _agreement(self, column: Floats, known: Chosen) -> tuple[Estimate, str | None]:
        named = known & np.array([name is not None for name in self._read.groups], dtype=bool)
        if len(self._names) < 2:
            return MISSING, "the rows are of fewer than two groups"
        groups = np.unique(self._groups[named], return_inverse=True)[1]
        return group_agreement(
            column[named],
            self._read.outcome[named],
            groups,
            clusters=self._clusters(named),
            **self._how,
        )

    def _points(self, one: RunMeasure, scored: Chosen) -> Iterator[GroupPoint]:
        values, outcome = self._read.values[one.label], self._read.outcome
        codes, names = numbered(self._read.groups)
        for code, name in enumerate(names):
            here = scored & (codes == code)
            if name is None or not here.any():
                continue
            column = oriented(one, values[here])
            r = float(correlation_matrix([column, outcome[here]])[0, 1])
            reason = None
            if not math.isfinite(r):
                reason = _why_no_correlation(column, outcome[here])
            mean, passed = float(values[here].mean()), float(outcome[here].mean())
            yield GroupPoint(name, int(here.sum()), mean, passed, r, reason)

    def _perturbed(
        self, word: str, measures: Sequence[RunMeasure], scores: NumberedScores
    ) -> list[Perturbed]:
        """Each measure on the rows that could be changed, before and after."""
        read = self._read
        _, here, there = np.intersect1d(read.numbers, scores.numbers, return_indices=True)
        forms = []
        for one in measures:
            before, after = np.full((2, len(read.numbers)), np.nan)
            before[here] = read.values[one.label][here]
            after[here] = scores.values[one.label][there]
            both = np.isfinite(before) & np.isfinite(after) & np.isfinite(read.outcome)
            forms.append((np.where(both, before, np.nan), np.where(both, after, np.nan), both))
        columns = [
            oriented(one, column)
            for one, form in zip(measures, forms, strict=True)
            for column in form[:2]
        ]
        rows = np.logical_or.reduce([both for _, _, both in forms])
        found = self.correlations(columns, rows)
        losses = correlation_differences(
            [column[rows] for column in columns],
            read.outcome[rows],
            [(2 * i, 2 * i + 1) for i in range(len(measures))],
            clusters=self._clusters(rows),
            **self._how,
        )
        return [
            Perturbed(
                name=word,
                n=int(both.sum()),
                plain=found[2 * i],
                changed=found[2 * i + 1],
                loss=losses[i].difference,
                plain_mean=float(before[both].mean()) if both.any() else math.nan,
                changed_mean=float(after[both].mean()) if both.any() else math.nan,
                unmoved=float(np.mean(before[both] == after[both])) if both.any() else math.nan,
                reason=losses[i].reason if both.any() else _UNCHANGED,
            )
            for i, (before, after, both) in enumerate(forms)
        ]

    def differences(self, measures: Sequence[RunMeasure]) -> list[CorrelationDifference]:
        """Of every two measures the difference of their correlations with the outcome."""
        read = self._read
        known = np.isfinite(read.outcome)
        pairs = list(combinations(range(len(measures)), 2))
        found = correlation_differences(
            [oriented(one, read.values[one.label])[known] for one in measures],
            read.outcome[known],
            pairs,
            clusters=self._clusters(known),
            **self._how,
        )
        adjusted = holm([one.p for one in found]) if found else []
        return [
            CorrelationDifference(
                measures[i].label,
                measures[j].label,
                one.n,
                one.difference,
                one.p,
                float(after),
                one.reason,
            )
            for (i, j), one, after in zip(pairs, found, adjusted, strict=True)
        ]


def _less_means(values: Floats, units: Codes, known: Chosen) -> Floats:
    """The values less the mean of their unit; nan where they are not known."""
    counts = np.bincount(units[known], minlength=int(units.max(initial=-1)) + 1)
    sums = np.bincount(units[known], values[known], minlength=len(counts))
    left = np.full(len(values), np.nan)
    left[known] = values[known] - (sums / np.maximum(counts, 1))[units[known]]
    # What is nothing but rounding is nothing.
    left[np.abs(left) < 1e-12 * max(1.0, float(np.abs(values[known]).max(initial=0)))] = 0.0
    return left


def _why_no_correlation(column: Floats, outcome: Floats) -> str:
    if len(column) < 2:
        return "it has one row only"
    if np.ptp(outcome) == 0:
        return f"its rows have one outcome only ({outcome[0]:g})"
    return "its scores never differ"


def _correlations(place: int, ways: Mapping[str, list[Association] | None]) -> Correlations:
    """The values of a column with its intervals by each way to draw."""

    def spread(read: Callable[[Association], Estimate]) -> Spread:
        by = {name: read(found[place]) if found else None for name, found in ways.items()}
        plain = by["row"]
        assert plain is not None
        intervals = {name: UNKNOWN if one is None else _interval(one) for name, one in by.items()}
        return Spread(plain.value, **intervals)

    rows = ways["row"]
    assert rows is not None
    return Correlations(
        n=rows[place].n,
        pearson=spread(lambda one: one.pearson),
        spearman=spread(lambda one: one.spearman),
        kendall=spread(lambda one: one.kendall),
        auc=spread(lambda one: one.auc),
        reason=rows[place].reason,
    )


def _interval(one: Estimate) -> Interval:
    """The corrected interval, or the plain one where there is none."""
    return one.bca if math.isfinite(one.bca.low) else one.percentile


def wrong_rows(read: OutcomeRows, one: RunMeasure) -> tuple[WrongRow, ...]:
    """Rows on which score and outcome disagree the most, each in its own standard deviations.

    They disagree where one is above its mean and the other below.
    """
    values = oriented(one, read.values[one.label])
    both = np.isfinite(values) & np.isfinite(read.outcome)
    if not both.any() or np.ptp(values[both]) == 0 or np.ptp(read.outcome[both]) == 0:
        return ()
    margins = np.zeros(len(values))
    score, outcome = _standard(values[both]), _standard(read.outcome[both])
    margins[both] = np.where(score * outcome < 0, score - outcome, 0.0)
    worst = np.argsort(-np.abs(margins), kind="stable")[:_WORST]
    return tuple(
        WrongRow(
            read.ids[i],
            read.groups[i],
            float(read.values[one.label][i]),
            float(read.outcome[i]),
            float(margins[i]),
        )
        for i in worst
        if margins[i]
    )


def _standard(values: Floats) -> Floats:
    standard: Floats = (values - values.mean()) / values.std()
    return standard
