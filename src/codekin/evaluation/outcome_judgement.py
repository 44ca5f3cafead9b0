"""OutcomeJudgement: how closely measures follow what tests, or any other judge, say of rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from codekin.evaluation.judgement import (
    DISTANCE_NOTE,
    LENGTH_NOTE,
    LENGTH_ONLY,
    best_of,
    effect,
    matrix_grids,
    reason_lines,
    resampling_note,
)
from codekin.results import (
    INLINED,
    LEFT_OUT,
    Column,
    Estimate,
    Grid,
    Interval,
    Level,
    Result,
    ShownAs,
    count_text,
    keyed,
    measure_cell,
    named,
    percent_text,
    with_interval,
)
from codekin.runs.failures import Failure, failure_warnings
from codekin.runs.summaries import unfinished
from codekin.statistics.reasons import MISSING
from codekin.statistics.resampling import Floats

__all__ = [
    "CorrelationDifference",
    "Correlations",
    "GroupPoint",
    "OutcomeConfounds",
    "OutcomeCorrelation",
    "OutcomeEffect",
    "OutcomeJudgement",
    "Perturbed",
    "Spread",
    "WrongRow",
]

_FEW_GROUPS = 10
"""Intervals by group from fewer than these hold the truth less often than they say."""


@dataclass(frozen=True)
class Spread:
    """A value with its intervals by what is drawn as a whole; nan where there is no telling.

    Attributes
    ----------
    value : float
    row, task, group : Interval
        Drawing single rows, all rows of a task, all rows of a group.
    """

    intervals: ClassVar[Mapping[str, str]] = {"": "row", "_task": "task", "_group": "group"}

    value: float
    row: Interval
    task: Interval
    group: Interval


@dataclass(frozen=True)
class Correlations:
    """How closely a measure follows the outcome over some rows.

    Attributes
    ----------
    n : int
        The rows, with a score and an outcome.
    pearson, spearman, kendall : Spread
        Pearson's r (point-biserial for outcomes of 0 and 1), Spearman's rho, Kendall's tau b.
    auc : Spread
        The chance that a row of outcome 1 scores above one of outcome 0; nan for other outcomes.
    reason : str or None
        Why values are missing, in words.
    within : Estimate
        Pearson's r within tasks: of scores and outcomes less the means of their task. It asks
        whether a measure ranks the candidates of one task, and nothing of how tasks differ. nan
        where tasks have one row each, or never differ within.
    """

    computed: ClassVar[Mapping[str, str]] = {"reason": "why"}

    n: int
    pearson: Spread = field(metadata=with_interval("ci"))
    spearman: Spread = field(metadata=with_interval())
    kendall: Spread = field(metadata=with_interval())
    auc: Spread = field(metadata=with_interval())
    reason: str | None = field(default=None, metadata=LEFT_OUT)
    within: Estimate = field(default=MISSING, metadata=with_interval(name="within_tasks"))

    @property
    def why(self) -> str | None:
        """Why values are missing, in words; None where none is."""
        if self.reason is not None or math.isfinite(self.pearson.value):
            return self.reason
        if not self.n:
            return "no row has a score and an outcome"
        return f"no correlation can be told from {count_text(self.n, 'row')}"


@dataclass(frozen=True)
class GroupPoint:
    """The rows of a group under one measure.

    Attributes
    ----------
    name : str
    n : int
        Rows with a score and an outcome.
    score, outcome : float
        Their means.
    pearson : float
        Over the rows of the group alone.
    reason : str or None
        Why there is none.
    """

    name: str = field(metadata=named("group"))
    n: int
    score: float
    outcome: float
    pearson: float
    reason: str | None = None


@dataclass(frozen=True)
class Perturbed:
    """What a measure loses when the texts are changed in a way that leaves the outcome alone.

    Attributes
    ----------
    name : str
        The perturbation, as ``prefix:2000-3000``.
    n : int
        Rows that could be changed and were scored in both forms.
    plain, changed : Correlations
        Over those rows as they were, and as changed.
    loss : Estimate
        Pearson's r of the plain rows less that of the changed ones, from the same resamples.
    plain_mean, changed_mean : float
        Of the scores.
    unmoved : float
        The share of rows whose score stayed the same.
    reason : str or None
        Why the loss or its interval is missing, in words.
    """

    name: str = field(metadata=LEFT_OUT)
    n: int
    plain: Correlations
    changed: Correlations
    loss: Estimate = field(metadata=with_interval())
    plain_mean: float
    changed_mean: float
    unmoved: float
    reason: str | None = None


@dataclass(frozen=True)
class OutcomeEffect:
    """A measure beside the outcome. A distance counts with its sign turned.

    Attributes
    ----------
    label, signature : str
    distance : bool
    n, failed : int
        Rows with an outcome that have a score, and that have none.
    every : Correlations
        Over all rows.
    without_unchanged, without_equal, without_both : Correlations or None
        Without rows that return the origin untouched, rows equal to a reference, or both; None
        where there are none such.
    groups_kendall : Estimate
        Kendall's tau b between the means of scores and of outcomes over groups.
    groups_reason : str or None
        Why there is none.
    groups : tuple of GroupPoint
    perturbed : tuple of Perturbed
    """

    computed: ClassVar[Mapping[str, str]] = {"n": "n", "groups_reason": "why_no_groups"}

    label: str = field(metadata=LEFT_OUT)
    signature: str
    distance: bool
    n: int = field(metadata=LEFT_OUT)
    failed: int
    every: Correlations = field(metadata=INLINED)
    without_unchanged: Correlations | None
    without_equal: Correlations | None
    without_both: Correlations | None
    groups_kendall: Estimate = field(metadata=with_interval())
    groups_reason: str | None = field(metadata=LEFT_OUT)
    groups: tuple[GroupPoint, ...]
    perturbed: tuple[Perturbed, ...] = field(default=(), metadata=keyed("name"))

    @property
    def why_no_groups(self) -> str | None:
        """Why there is no correlation between the means of groups; None where there is one."""
        if self.groups_reason is not None or math.isfinite(self.groups_kendall.value):
            return self.groups_reason
        return "it takes two groups at least that differ in outcome and in score"

    @property
    def reasons(self) -> list[str]:
        """Why values of the measure are missing; empty where none is."""
        parts = [
            ("", self.every),
            ("without unchanged: ", self.without_unchanged),
            ("without equal: ", self.without_equal),
            *((f"{found.name}: ", found.changed) for found in self.perturbed),
        ]
        found = [
            f"{part}{some.why}" for part, some in parts if some is not None and some.why is not None
        ]
        if self.groups and self.why_no_groups is not None:
            found.append(f"groups tau: {self.why_no_groups}")
        return found

    @property
    def sets(self) -> list[tuple[str, Correlations]]:
        """The correlations over each set of rows that there is."""
        sets = [
            ("all", self.every),
            ("without unchanged", self.without_unchanged),
            ("without equal", self.without_equal),
            ("without both", self.without_both),
            *((f"{found.name} plain", found.plain) for found in self.perturbed),
            *((f"{found.name} changed", found.changed) for found in self.perturbed),
        ]
        return [(kind, some) for kind, some in sets if some is not None]


@dataclass(frozen=True)
class CorrelationDifference:
    """Pearson's r of one measure less that of another, over the rows that both scored.

    Attributes
    ----------
    first, second : str
        Labels.
    n : int
    difference : Estimate
        Its intervals come from the resamples of `OutcomeJudgement.drawn`.
    p, adjusted : float
        Of the difference being nothing, two-sided, alone and after Holm among all pairs.
    reason : str or None
        Why values or intervals are missing, in words.
    """

    computed: ClassVar[Mapping[str, str]] = {"reason": "why"}

    first: str
    second: str
    n: int
    difference: Estimate = field(metadata=with_interval("ci"))
    p: float
    adjusted: float
    reason: str | None = field(default=None, metadata=LEFT_OUT)

    @property
    def why(self) -> str | None:
        """Why values are missing, in words; None where none is."""
        known = math.isfinite(self.difference.value) and math.isfinite(self.p)
        if self.reason is not None or known:
            return self.reason
        return f"cannot be told from the {count_text(self.n, 'row')} that both scored"

    def seen_from(self, label: str) -> tuple[str, Estimate] | None:
        """The other measure and what the one has over it; None for two others."""
        if self.first == label:
            return self.second, self.difference
        if self.second == label:
            return self.first, _turned(self.difference)
        return None


def _turned(estimate: Estimate) -> Estimate:
    percentile, bca = (Interval(-one.high, -one.low) for one in (estimate.percentile, estimate.bca))
    return Estimate(-estimate.value, percentile, bca)


@dataclass(frozen=True)
class WrongRow:
    """A row on which score and outcome disagree; `margin`, in standard deviations, is by how much.

    It is positive where the score is too high.
    """

    row: str
    group: str | None
    score: float
    outcome: float
    margin: float


@dataclass(frozen=True)
class OutcomeConfounds:
    """What might explain a result besides what the programs do.

    Attributes
    ----------
    length_only : OutcomeEffect
        What a measure that sees only lengths reaches.
    """

    length_only: OutcomeEffect


@dataclass(frozen=True, eq=False)
class OutcomeCorrelation:
    """Pearson's r between measures; nan where one does not vary.

    Attributes
    ----------
    labels : tuple of str
        The measures, in the order of rows and columns.
    scores : array
        Between their scores.
    """

    labels: tuple[str, ...]
    scores: Floats


@dataclass(frozen=True, eq=False)
class OutcomeJudgement(Result):
    """How closely each measure of a run follows the outcome.

    Attributes
    ----------
    run : str
    complete : bool
    rows, without_outcome : int
        Rows of the run, and how many of them have no outcome.
    binary : bool
        Whether every outcome is 0 or 1.
    unchanged, equal : int
        Rows that return the origin untouched, and rows equal to a reference.
    task : str
        The field that says which rows are of one task; ``reference`` stands for the same
        references and origin.
    tasks, groups : int
        How many there are.
    drawn : str
        What was drawn as a whole for differences and losses: ``task``, or ``row``.
    failures : tuple of Failure
    resamples, seed : int
    level : float
    measures : tuple of OutcomeEffect
        Without the length baseline.
    length : OutcomeEffect
        What a measure that sees only lengths reaches.
    differences : tuple of CorrelationDifference
        Of every two measures.
    perturbations : tuple of str
    labels : tuple of str
        Of the matrix, the length baseline included.
    score_correlation : array
        Pearson's correlation between the scores of measures.
    wrong : mapping of str to tuple of WrongRow
        Of each measure the rows that it gets most wrong, the worst first.
    """

    computed: ClassVar[Mapping[str, str]] = {
        "confounds": "confounds",
        "correlation": "correlation",
    }

    run: str
    complete: bool
    rows: int
    without_outcome: int
    binary: bool
    unchanged: int
    equal: int
    task: str
    tasks: int
    groups: int
    drawn: str
    failures: tuple[Failure, ...]
    resamples: int
    seed: int
    level: Level
    measures: tuple[OutcomeEffect, ...] = field(metadata=keyed("label"))
    length: OutcomeEffect = field(metadata=LEFT_OUT)
    differences: tuple[CorrelationDifference, ...]
    perturbations: tuple[str, ...]
    labels: tuple[str, ...] = field(metadata=LEFT_OUT)
    score_correlation: Floats = field(metadata=LEFT_OUT)
    wrong: Mapping[str, tuple[WrongRow, ...]] = field(metadata=LEFT_OUT)

    @property
    def confounds(self) -> OutcomeConfounds:
        """What might explain the correlations besides what the programs do."""
        return OutcomeConfounds(self.length)

    @property
    def correlation(self) -> OutcomeCorrelation:
        """Pearson's r between measures."""
        return OutcomeCorrelation(self.labels, self.score_correlation)

    @property
    def _effects(self) -> list[tuple[ShownAs, OutcomeEffect]]:
        """The measures and then the baseline, with the cells that name them."""
        cells = [(measure_cell(one.label, one.distance), one) for one in self.measures]
        return [*cells, (ShownAs(LENGTH_ONLY, LENGTH_ONLY, self.length.distance), self.length)]

    def _name(self, label: str) -> str:
        return LENGTH_ONLY if label == self.length.label else label

    @property
    def _unit(self) -> str:
        """By what the interval is drawn that is shown first: by task, where that is known."""
        spreads = [one.every.pearson for _, one in self._effects]
        return "task" if any(math.isfinite(spread.task.low) for spread in spreads) else "row"

    def grids(self, *, groups: bool = False) -> list[Grid]:
        """Correlations, their intervals, differences, losses, and every group if asked for."""
        labels = [self._name(label) for label in self.labels]
        return [
            self._correlation_grid(),
            self._interval_grid(),
            *self._difference_grids(),
            *(grid for word in self.perturbations for grid in self._perturbed_grids(word)),
            *matrix_grids(
                "Pearson's r between the scores of measures", labels, self.score_correlation
            ),
            *(self._group_grids() if groups else []),
        ]

    def _correlation_grid(self) -> Grid:
        effects = [one for _, one in self._effects]
        columns = (
            "measure",
            effect("pearson"),
            effect(f"{percent_text(self.level)} by {self._unit}"),
            effect("r within tasks", optional=True),
            effect("spearman"),
            effect("kendall"),
            effect("auc", shown=self.binary),
            effect("r without unchanged", shown=any(one.without_unchanged for one in effects)),
            effect("r without equal", shown=any(one.without_equal for one in effects)),
            effect("groups tau", shown=bool(self.groups)),
            "n",
            Column("failed", optional=True),
        )
        cells = tuple(
            (
                name,
                one.every.pearson.value,
                getattr(one.every.pearson, self._unit),
                one.every.within.value,
                *(one.every.spearman.value, one.every.kendall.value, one.every.auc.value),
                *(
                    None if some is None else some.pearson.value
                    for some in (one.without_unchanged, one.without_equal)
                ),
                *(one.groups_kendall, one.n, one.failed),
            )
            for name, one in self._effects
        )
        title = f"{self.run}: {count_text(self.rows - self.without_outcome, 'row')}"
        best = best_of(one.every.pearson.value for one in self.measures)
        return Grid(title, columns, cells, strong=frozenset((row, 1) for row in best))

    def _interval_grid(self) -> Grid:
        cells = tuple(
            (name, some.value, some.row, some.task, some.group)
            for name, some in ((name, one.every.pearson) for name, one in self._effects)
        )
        title = f"Pearson's r with {percent_text(self.level)} intervals by what is drawn as a whole"
        return Grid(
            title, ("measure", *map(effect, ("pearson", "by row", "by task", "by group"))), cells
        )

    def _difference_grids(self) -> list[Grid]:
        """What the best measure has over each of the others."""
        known = [one for one in self.measures if math.isfinite(one.every.pearson.value)]
        if not known:
            return []
        best = max(known, key=lambda one: one.every.pearson.value).label
        cells = tuple(
            (self._name(seen[0]), seen[1], seen[1].known, one.p, one.adjusted, one.n)
            for one in self.differences
            if (seen := one.seen_from(best)) is not None
        )
        columns = (
            "other",
            effect("r of best − other", sign=True),
            effect(f"{percent_text(self.level)} by {self.drawn}", sign=True),
            Column("p", p_values=True),
            Column("p Holm", p_values=True),
            "n",
        )
        title = f"{best}, the best by Pearson's r, against the others"
        return [Grid(title, columns, cells)] if cells else []

    def _perturbed_grids(self, word: str) -> list[Grid]:
        columns = (
            *("measure", effect("r plain"), effect("r changed"), effect("loss", sign=True)),
            effect(f"{percent_text(self.level)} by {self.drawn}", sign=True),
            *("mean plain", "mean changed", effect("unmoved"), "n"),
        )
        cells = tuple(
            (
                *(name, found.plain.pearson.value, found.changed.pearson.value),
                *(found.loss, found.loss.known, found.plain_mean, found.changed_mean),
                *(found.unmoved, found.n),
            )
            for name, one in self._effects
            for found in one.perturbed
            if found.name == word
        )
        return [Grid(f"{word}: what each measure loses", columns, cells)] if cells else []

    def _group_grids(self) -> list[Grid]:
        """Means of outcome and scores per group, and correlations within groups."""
        points = [
            (name, one.distance, {point.name: point for point in one.groups})
            for name, one in self._effects
        ]
        largest: dict[str, GroupPoint] = {}
        for *_, found in points:
            for name, point in found.items():
                if name not in largest or point.n > largest[name].n:
                    largest[name] = point
        if not largest:
            return []

        def line(name: str, attribute: str) -> list[float | None]:
            return [
                getattr(found[name], attribute) if name in found else None for *_, found in points
            ]

        means = tuple(
            (name, point.n, point.outcome, *line(name, "score")) for name, point in largest.items()
        )
        within = tuple((name, point.n, *line(name, "pearson")) for name, point in largest.items())
        scores = (Column(name.text, distance=distance) for name, distance, _ in points)
        effects = (effect(name.text) for name, *_ in points)
        return [
            Grid("Means by group", ("group", "n", "mean outcome", *scores), means),
            Grid("Pearson's r within each group", ("group", "n", *effects), within),
        ]

    def table(self) -> Grid:
        """One record per measure and set of rows."""
        kinds = ("pearson", "spearman", "kendall", "auc")
        columns = (
            *("measure", "rows", "n", "failed"),
            *(kind + drawn for kind in kinds for drawn in ("", "_row", "_task", "_group")),
            *("within_tasks", "reason", "signature"),
        )
        cells = tuple(
            (
                *(name, rows, some.n, one.failed),
                *(
                    cell
                    for spread in (some.pearson, some.spearman, some.kendall, some.auc)
                    for cell in (spread.value, spread.row, spread.task, spread.group)
                ),
                *(some.within, some.why, one.signature),
            )
            for name, one in self._effects
            for rows, some in one.sets
        )
        return Grid("", columns, cells)

    def notes(self) -> list[str]:
        """How the values were computed, and why some are missing."""
        notes = [
            resampling_note(self.resamples, self._unit, self.seed, self.level),
            f"{count_text(self.tasks, 'task')} by {self.task}, "
            f"{count_text(self.groups, 'group')}; differences and losses drawn by {self.drawn}",
            "more is better in all correlations and in AUC, of distances as well",
            LENGTH_NOTE,
            f"{count_text(self.unchanged, 'row')} unchanged (the candidate is the origin), "
            f"{count_text(self.equal, 'row')} equal to a reference, up to layout and comments",
        ]
        if any(one.distance for one in self.measures):
            notes.append(DISTANCE_NOTE)
        notes += [
            f"{word}: no row could be changed so and scored"
            for word in self.perturbations
            if not self._perturbed_grids(word)
        ]
        notes += self._left_out()
        by_group = any(math.isfinite(one.every.pearson.group.low) for _, one in self._effects)
        if 0 < self.groups < _FEW_GROUPS and by_group:
            notes.append(
                f"by group: {count_text(self.groups, 'group')} are too few to draw from, and make "
                "an interval too narrow; quote another"
            )
        return [*notes, *reason_lines([(name.value, one.reasons) for name, one in self._effects])]

    def _left_out(self) -> Iterator[str]:
        """How many rows are missing from the comparison with each perturbation."""
        rows = self.rows - self.without_outcome
        for word in self.perturbations:
            compared = [
                found.n for _, one in self._effects for found in one.perturbed if found.name == word
            ]
            if compared and max(compared) < rows:
                yield (
                    f"{word}: {rows - max(compared):,} of {count_text(rows, 'row')} could not be "
                    "changed so and scored, and are left out of both forms"
                )

    def warnings(self) -> list[str]:
        """What a reader must know before any value."""
        warnings = [] if self.complete else [unfinished(self.run, self.rows)]
        if self.without_outcome:
            warnings.append(
                f"{self.without_outcome:,} of {count_text(self.rows, 'row')} have no outcome "
                "and are left out"
            )
        return [*warnings, *failure_warnings(self.failures)]
