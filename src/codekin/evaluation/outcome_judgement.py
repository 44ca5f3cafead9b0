"""OutcomeJudgement: how closely measures follow the outcomes of rows, such as tests passed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from codekin.evaluation.cost import Costs, cost_section
from codekin.evaluation.judgement import (
    DISTANCE_NOTE,
    LENGTH_NOTE,
    LENGTH_ONLY,
    MOST_WRONG,
    MeasureCorrelation,
    best_first,
    best_of,
    effect,
    in_words,
    inverted_warnings,
    matrix_grids,
    reason_lines,
    resampling_note,
)
from codekin.plain_text import plain
from codekin.results import (
    EFFECT_DIGITS,
    INLINED,
    LEFT_OUT,
    NOTHING,
    OPTIONAL,
    Column,
    Estimate,
    Forest,
    ForestRow,
    Grid,
    GridColumns,
    Interval,
    Level,
    Mark,
    Point,
    Result,
    Scatter,
    Section,
    ShareBars,
    ShownAs,
    count_text,
    effect_text,
    keyed,
    measure_cell,
    named,
    number_text,
    p_text,
    percent_text,
    share_text,
    with_interval,
)
from codekin.runs.conclusions import listed
from codekin.runs.failures import Failure, UnreadOutcomes, failure_warnings, unread_warnings
from codekin.runs.summaries import unfinished
from codekin.statistics.reasons import MISSING

__all__ = [
    "FEWEST_GROUPS",
    "CorrelationDifference",
    "Correlations",
    "GroupPoint",
    "OutcomeConfounds",
    "OutcomeEffect",
    "OutcomeJudgement",
    "Perturbed",
    "ScoreTenth",
    "Spread",
    "WrongRow",
]

_COEFFICIENTS = (
    ("pearson", "Pearson's r", "r", 0.0),
    ("spearman", "Spearman's rho", "rho", 0.0),
    ("kendall", "Kendall's tau", "tau", 0.0),
    ("auc", "AUC", "AUC", 0.5),
)
_COLORS = 8
"""Of bars; the first two are of the rows as they are."""

_MOST_GROUPS = 300
"""Dots of a plot of groups."""

_SURE = 0.05
"""A difference is marked where its adjusted p-value is smaller."""

_FEW_ROWS = 30
_FEW_RARER = 10
"""With fewer rows with an outcome, or with the rarer outcome, there is a warning."""

FEWEST_GROUPS = 4
"""With fewer groups there is no tau between their means."""

_FEW_GROUPS = 10
"""With fewer groups, intervals by group are too narrow."""


@dataclass(frozen=True)
class Spread:
    """A value with its intervals by unit of resampling; nan if unknown.

    Attributes
    ----------
    value : float
    row, task, group : Interval
        Resampling single rows, whole tasks and whole groups.
    """

    intervals: ClassVar[Mapping[str, str]] = {"": "row", "_task": "task", "_group": "group"}

    value: float
    row: Interval
    task: Interval
    group: Interval

    def estimate(self, unit: str) -> Estimate:
        """The value with the interval of one way to draw."""
        interval: Interval = getattr(self, unit)
        return Estimate(self.value, interval, interval)


@dataclass(frozen=True)
class Correlations:
    """How closely a measure follows the outcome over some rows.

    Attributes
    ----------
    n : int
        Rows with a score and an outcome.
    pearson, spearman, kendall : Spread
        Pearson's r (point-biserial for outcomes of 0 and 1), Spearman's rho, Kendall's tau b.
    auc : Spread
        The chance that a row of outcome 1 scores above one of outcome 0; nan for other outcomes.
    reason : str or None
        Why values are missing.
    within : Estimate
        Pearson's r within tasks: of scores and outcomes minus the means of their task. It shows
        whether a measure ranks the candidates of one task, however tasks differ. nan if each task
        has one row, or no differences.
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
        """Why values are missing; None if none is."""
        if self.reason is not None or math.isfinite(self.pearson.value):
            return self.reason
        if not self.n:
            return "no row has a score and an outcome"
        return f"no correlation can be estimated from {count_text(self.n, 'row')}"


@dataclass(frozen=True)
class GroupPoint:
    """The rows of a group by one measure.

    Attributes
    ----------
    name : str
    n : int
        Rows with a score and an outcome.
    score, outcome : float
        Their means.
    pearson : float
        Over the rows of this group only.
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
class ScoreTenth:
    """About a tenth of the rows, by their scores: how many they are, and their mean outcome."""

    low: float
    high: float
    n: int
    outcome: float


@dataclass(frozen=True)
class Perturbed:
    """What a measure loses when texts are changed in a way that keeps the outcome.

    Attributes
    ----------
    name : str
        The perturbation, such as ``prefix:2000-3000``.
    n : int
        Rows that could be changed and were scored in both forms.
    plain, changed : Correlations
        Over those rows before and after the change.
    loss : Estimate
        Pearson's r of the plain rows minus that of the changed ones, from the same resamples.
    plain_mean, changed_mean : float
        Of the scores.
    unmoved : float
        The share of rows whose score stayed the same.
    reason : str or None
        Why the loss or its interval is missing.
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
    """How closely a measure follows the outcome. The sign of a distance is flipped.

    Attributes
    ----------
    label, signature : str
    distance : bool
    n, failed : int
        Rows with an outcome that have a score, and those that have none.
    every : Correlations
        Over all rows.
    without_unchanged, without_equal, without_both : Correlations or None
        Without rows that return the origin unchanged, rows equal to a reference, or both; None if
        there are no such rows.
    groups_kendall : Estimate
        Kendall's tau b between the means of scores and of outcomes over groups.
    groups_reason : str or None
        Why there is none.
    groups : tuple of GroupPoint
    perturbed : tuple of Perturbed
    tenths : tuple of ScoreTenth
        The least alike first.
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
    tenths: tuple[ScoreTenth, ...] = field(default=(), metadata=LEFT_OUT)

    @property
    def why_no_groups(self) -> str | None:
        """Why there is no correlation between the means of groups; None if there is one."""
        if self.groups_reason is not None or math.isfinite(self.groups_kendall.value):
            return self.groups_reason
        return f"it takes at least {FEWEST_GROUPS} groups that differ in outcome and in score"

    @property
    def reasons(self) -> list[str]:
        """Why values of the measure are missing; empty if none is."""
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
        """The correlations over each set of rows."""
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
    """Pearson's r of one measure minus that of another, over the rows that both scored.

    Attributes
    ----------
    first, second : str
        Labels.
    n : int
    difference : Estimate
        Its intervals come from the resamples of `OutcomeJudgement.drawn`.
    p, adjusted : float
        Two-sided p-value of no difference, and the same after Holm's correction among all pairs.
    reason : str or None
        Why values or intervals are missing.
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
        """Why values are missing; None if none is."""
        known = math.isfinite(self.difference.value) and math.isfinite(self.p)
        if self.reason is not None or known:
            return self.reason
        return f"cannot be estimated from the {count_text(self.n, 'row')} that both scored"

    def seen_from(self, label: str) -> tuple[str, Estimate] | None:
        """The other measure and the difference to it; None if neither has this label."""
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
    """A row on which score and outcome disagree, by `margin` standard deviations.

    The margin is positive if the score is too high.
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
class OutcomeJudgement(Result):
    """How closely each measure of a run follows the outcome.

    Attributes
    ----------
    run : str
    complete : bool
    rows, without_outcome : int
        Rows of the run, and those without an outcome.
    binary : bool
        Whether every outcome is 0 or 1.
    rarer : int or None
        Rows with the rarer outcome; None unless every outcome is 0 or 1.
    unchanged, equal : int
        Rows that return the origin unchanged, and rows equal to a reference.
    edited : float or None
        The share of its tokens that references change in the origin, by the median row; None
        without origins.
    rewrites : tuple of str
        The ids of rows whose reference changes at least half of the origin, a rewrite rather than a
        revision: measures of edits are not made for these.
    task : str
        The field that names the task of a row; ``reference`` means the same references and origin.
    tasks, groups : int
        How many there are.
    drawn : str
        The unit of resampling for differences and losses: ``task`` or ``row``.
    failures : tuple of Failure
    resamples, seed : int
    difference_resamples : int
        Of differences: more if there are many, so that p can be small after Holm's correction.
    level : float
    measures : tuple of OutcomeEffect
        Without the length baseline.
    length : OutcomeEffect
        What a measure that sees only lengths reaches.
    differences : tuple of CorrelationDifference
        Between every two measures.
    perturbations : tuple of str
    correlation : MeasureCorrelation
    wrong : mapping of str to tuple of WrongRow
        For each measure, the rows that it gets most wrong, the worst first.
    unread_outcomes : UnreadOutcomes or None
        Rows whose outcome cannot be read, if there are any; they count as rows without one.
    """

    computed: ClassVar[Mapping[str, str]] = {"confounds": "confounds"}

    run: str
    complete: bool
    rows: int
    without_outcome: int
    binary: bool
    rarer: int | None
    unchanged: int
    equal: int
    edited: float | None
    rewrites: tuple[str, ...]
    task: str
    tasks: int
    groups: int
    drawn: str
    failures: tuple[Failure, ...]
    resamples: int
    difference_resamples: int
    seed: int
    level: Level
    measures: tuple[OutcomeEffect, ...] = field(metadata=keyed("label"))
    length: OutcomeEffect = field(metadata=LEFT_OUT)
    differences: tuple[CorrelationDifference, ...]
    perturbations: tuple[str, ...]
    correlation: MeasureCorrelation
    wrong: Mapping[str, tuple[WrongRow, ...]] = field(metadata=LEFT_OUT)
    unread_outcomes: UnreadOutcomes | None = field(default=None, metadata=OPTIONAL)

    @property
    def confounds(self) -> OutcomeConfounds:
        """What might explain the correlations besides what the programs do."""
        return OutcomeConfounds(self.length)

    @property
    def _effects(self) -> list[tuple[ShownAs, OutcomeEffect]]:
        """The measures and then the baseline, with the cells that name them."""
        cells = [(measure_cell(one.label, one.distance), one) for one in self.measures]
        return [*cells, (ShownAs(LENGTH_ONLY, LENGTH_ONLY, self.length.distance), self.length)]

    def _name(self, label: str) -> str:
        return LENGTH_ONLY if label == self.length.label else label

    @property
    def _unit(self) -> str:
        """The unit of resampling of the interval that is shown first: the task, if known."""
        spreads = [one.every.pearson for _, one in self._effects]
        return "task" if any(math.isfinite(spread.task.low) for spread in spreads) else "row"

    def grids(self, *, groups: bool = False, detail: bool = False) -> list[Grid]:
        """Correlations, their intervals, differences and losses.

        Parameters
        ----------
        groups : bool
            Also the means of every group.
        detail : bool
            Also the correlations between the scores of all measures.
        """
        return [
            self._correlation_grid(),
            self._interval_grid(),
            *self._difference_grids(),
            *(grid for word in self.perturbations for grid in self._perturbed_grids(word)),
            *(self._matrix_grids() if detail else []),
            *(self._group_grids() if groups else []),
        ]

    def _matrix_grids(self) -> list[Grid]:
        return matrix_grids(
            "Pearson's r between the scores of measures",
            self.correlation.labels,
            self.correlation.scores,
            self.length.label,
            linked=True,
        )

    @property
    def _ranked(self) -> list[tuple[ShownAs, OutcomeEffect]]:
        """The measures, those closest to the outcome first, and then the baseline."""
        *measures, baseline = self._effects
        return [*best_first(measures, lambda one: one[1].every.pearson.value), baseline]

    def section(self, costs: Costs | None = None) -> Section:
        """The grids with plots of correlations, outcomes and groups, and the worst rows."""
        parts = [
            self._correlation_section(),
            *self._loss_sections(),
            *self._outcome_sections(),
            *self._group_sections(),
            Section(
                "Between measures",
                content=(*self._difference_matrix(), *self._matrix_grids()),
                parts=_folded(self._difference_grids()),
            ),
            Section(
                "What each measure gets most wrong",
                "Rows whose score and outcome lie farthest apart, in standard deviations: + where "
                "the score is too high, − where it is too low.",
                parts=tuple(self._wrong_section(one.label) for one in self.measures),
                choice="Measure",
            ),
        ]
        if costs is not None:
            quality = [
                (one.label, one.every.pearson.estimate(self._unit)) for _, one in self._effects
            ]
            parts.append(cost_section(quality, costs, "Pearson's r"))
        judge = "a test that passes or fails" if self.binary else "the outcome"
        without = (
            f" ({self.without_outcome:,} more have no outcome)" if self.without_outcome else ""
        )
        groups = f" and {count_text(self.groups, 'group')}" if self.groups > 1 else ""
        return Section(
            "Which measures follow the outcome",
            f"How closely scores follow {judge}, over "
            f"{count_text(self.rows - self.without_outcome, 'row')}{without} of "
            f"{count_text(self.tasks, 'task')}{groups}.",
            parts=tuple(parts),
        )

    def _correlation_section(self) -> Section:
        key = [("bar-0", "all rows")]
        if self.unchanged:
            key.append(("bar-1", "without rows that return the origin unchanged"))
        key += [(_color(place), f"after {word}") for place, word in enumerate(self.perturbations)]
        text = "The closest first; distances have their sign flipped. "
        text += (
            "The line is the interval with every task drawn as a whole, its thick part that of "
            "single rows."
            if self._unit == "task"
            else "The line is the interval."
        )
        if self.perturbations:
            text += (
                " The upright stroke in a bar of changed rows is where the same rows were before: "
                "the gap is the loss."
            )
        forests = [one for kind in _COEFFICIENTS for one in self._forests(*kind)]
        grids = (self._correlation_grid(), self._interval_grid())
        return Section(
            "Correlation with the outcome",
            text if forests else "No measure has a correlation with the outcome.",
            key=tuple(key) if forests else (),
            parts=(
                Section(
                    "",
                    parts=tuple(Section(one.title, content=(one,)) for one in forests),
                    choice="Coefficient",
                ),
                Section("All numbers", content=grids, folded=True),
            ),
        )

    def _forests(self, field: str, name: str, head: str, zero: float) -> Iterator[Forest]:
        """The plot of one coefficient, where there is one."""
        rows = tuple(
            self._forest_row(measure, one, field, head, apart=one is self.length)
            for measure, one in self._ranked
        )
        if any(math.isfinite(mark.value) for row in rows for mark in row.marks):
            yield Forest(title=name, head=head, rows=rows, zero=zero, bars=True)

    def _forest_row(
        self, measure: ShownAs, one: OutcomeEffect, field: str, head: str, *, apart: bool
    ) -> ForestRow:
        def bar(
            kind: str, what: str, form: Correlations | None, plain: Correlations | None = None
        ) -> Mark:
            if form is None:
                return Mark(kind, math.nan, "")
            spread: Spread = getattr(form, field)
            known: Interval = getattr(spread, self._unit)
            said = f"{one.label}, {what}: {head} = {in_words(spread.value, known, self.level)}"
            said += f", {count_text(form.n, 'row')}"
            before = math.nan if plain is None else getattr(plain, field).value
            if math.isfinite(before):
                said += f"; the same rows as they were: {effect_text(before)}"
            inner = (spread.row,) if self._unit == "task" else ()
            return Mark(kind, spread.value, said, (known, *inner), before)

        marks = [bar("bar-0", "all rows", one.every)]
        if self.unchanged:
            marks.append(bar("bar-1", "without unchanged rows", one.without_unchanged))
        changed = {found.name: found for found in one.perturbed}
        for place, word in enumerate(self.perturbations):
            found = changed.get(word)
            forms = (None, None) if found is None else (found.changed, found.plain)
            marks.append(bar(_color(place), word, *forms))
        known = any(math.isfinite(mark.value) for mark in marks)
        reason = "" if known else one.every.why or "no value"
        return ForestRow(measure, tuple(marks), one.signature, reason, apart)

    def _loss_sections(self) -> list[Section]:
        parts = tuple(
            Section(word, content=(replace(grid, title=word),))
            for word in self.perturbations
            for grid in self._perturbed_grids(word, least_first=True)
        )
        if not parts:
            return []
        return [
            Section(
                "What each measure loses",
                "The texts are changed in a way that keeps the outcome; a sound measure "
                "loses nothing. The least loss first.",
                parts=parts,
                choice="Change",
            )
        ]

    def _outcome_sections(self) -> list[Section]:
        """The share that passes, or the mean outcome, by tenths of each score."""
        outcomes = [tenth.outcome for _, one in self._effects for tenth in one.tenths]
        if not outcomes:
            return []
        height = Interval(0.0, 1.0) if self.binary else Interval(min(0.0, *outcomes), max(outcomes))
        what = "the share of them that pass" if self.binary else "their mean outcome"
        return [
            Section(
                "Outcome by score",
                "Rows in tenths by their score, equal scores together; a bar is as wide as its "
                f"share of the rows and as high as {what}. Under a measure that follows the "
                "outcome the bars rise.",
                key=(("dashes", "all rows"),),
                content=tuple(self._share_bars(one, height) for _, one in self._ranked),
            )
        ]

    def _share_bars(self, one: OutcomeEffect, height: Interval) -> ShareBars:
        rows = sum(tenth.n for tenth in one.tenths)
        bars = []
        for tenth in one.tenths:
            said = f"{one.label} from {tenth.low:.3g} to {tenth.high:.3g}: "
            said += (
                f"{tenth.outcome * tenth.n:,.0f} of {tenth.n:,} rows pass "
                f"({share_text(tenth.outcome, 0)})"
                if self.binary
                else f"mean outcome {tenth.outcome:.3g} of {tenth.n:,} rows"
            )
            bars.append((tenth.n / rows, tenth.outcome, said))
        too_few = one.every.reason or "too few rows have a score and an outcome"
        return ShareBars(
            title=one.label,
            tag="distance, turned" if one.distance else "",
            reason="" if bars else too_few,
            bars=tuple(bars),
            height=height,
            base=sum(share * mean for share, mean, _ in bars),
            axes=(
                "rows, the most alike to the right",
                "share passing" if self.binary else "mean outcome",
            ),
        )

    def _group_sections(self) -> list[Section]:
        """The means of scores and of outcomes, a dot per group."""
        if self.groups < 2:
            return []
        return [
            Section(
                "Groups: does a measure rank them as the outcome does?",
                "A dot is the mean score and the mean outcome of a group; tau is Kendall's, over "
                "groups.",
                content=tuple(self._group_scatter(one) for _, one in self._ranked),
                parts=tuple(
                    Section(grid.title, content=(grid,), folded=True)
                    for grid in self._group_grids()
                ),
            )
        ]

    def _group_scatter(self, one: OutcomeEffect) -> Scatter:
        points = []
        for group in one.groups[:_MOST_GROUPS]:
            within = (
                f"within it r = {effect_text(group.pearson)}"
                if math.isfinite(group.pearson)
                else f"within it no r ({group.reason or 'too few rows'})"
            )
            said = (
                f"{group.name}: mean score {group.score:.3g}, mean outcome {group.outcome:.3g}, "
                f"{count_text(group.n, 'row')}; {within}"
            )
            points.append(Point(group.score, group.outcome, said, group.name))
        tau = one.groups_kendall
        return Scatter(
            title=one.label,
            tag="distance" if one.distance else "",
            caption=f"tau {in_words(tau.value, tau.known, self.level)}"
            if math.isfinite(tau.value)
            else one.groups_reason or "no tau",
            points=tuple(points),
            axes=(f"mean score{' (a distance)' if one.distance else ''}", "mean outcome"),
        )

    def _difference_matrix(self) -> list[Grid]:
        """Pearson's r of the row's measure minus that of the column's; strong if significant."""
        known: dict[tuple[str, str], tuple[float, CorrelationDifference]] = {}
        for one in self.differences:
            known[one.first, one.second] = (one.difference.value, one)
            known[one.second, one.first] = (-one.difference.value, one)
        compared = {label for both in known for label in both}
        labels = [one.label for _, one in self._ranked if one.label in compared]
        if not labels:
            return []
        sizes = [abs(value) for value, _ in known.values() if math.isfinite(value)]
        most = max(sizes, default=0.0) or 1.0

        def cell(row: str, column: str) -> ShownAs | None:
            if row == column:
                return None
            value, one = known.get((row, column), (math.nan, None))
            if one is None or not math.isfinite(value):
                why = f"{row} and {column}: no difference is known, since one of them has no r"
                return ShownAs(value, NOTHING, title=why)
            text = number_text(value, sign=True, digits=EFFECT_DIGITS)
            title = (
                f"r of {row} minus r of {column}: {text}, {count_text(one.n, 'row')}, "
                f"adjusted p {p_text(one.adjusted)}"
            )
            return ShownAs(value, text, title=title, heat=value / most)

        cells = tuple(
            (self._name(row), *(cell(row, column) for column in labels)) for row in labels
        )
        sure = frozenset(
            (i, 1 + j)
            for i, row in enumerate(labels)
            for j, column in enumerate(labels)
            if (row, column) in known and known[row, column][1].adjusted < _SURE
        )
        note = (
            "r of the row's measure minus r of the column's. Framed: significant after Holm's "
            f"adjustment, p below {_SURE} ({len(sure) // 2} of {len(self.differences)}), every "
            f"{self.drawn} drawn as a whole."
        )
        names = (effect(self._name(label), sign=True) for label in labels)
        columns: GridColumns = ("measure", *names)
        return [Grid("Differences", columns, cells, strong=sure, note=note, mutual=True)]

    def _wrong_section(self, label: str) -> Section:
        wrong = self.wrong.get(label, ())[:MOST_WRONG]
        cells = tuple(
            (
                ShownAs(one.row, one.row, link=(("pair", one.row), ("measure", label))),
                *(one.group or "", one.score, f"{one.outcome:g}", one.margin),
            )
            for one in wrong
        )
        columns = (
            *("row", "group", effect("score"), "outcome"),
            Column("apart", digits=2, sign=True),
        )
        grids = (Grid("", columns, cells, keys=2),) if wrong else ()
        return Section(label, "" if wrong else "There is none to show.", content=grids)

    def _correlation_grid(self) -> Grid:
        effects = [one for _, one in self._effects]
        columns = (
            "measure",
            effect("pearson", "Pearson's r"),
            effect(f"{percent_text(self.level)} by {self._unit}", beneath=True),
            effect(
                "r within tasks",
                "Pearson's r of scores and outcomes minus the means of their task",
                optional=True,
            ),
            effect("spearman", "Spearman's rho"),
            effect("kendall", "Kendall's tau b"),
            effect(
                "auc",
                "the chance that a row of outcome 1 scores above one of outcome 0",
                shown=self.binary,
            ),
            effect(
                "r without unchanged",
                "Pearson's r without rows that return the origin unchanged",
                shown=any(one.without_unchanged for one in effects),
            ),
            effect(
                "r without equal",
                "Pearson's r without rows equal to a reference",
                shown=any(one.without_equal for one in effects),
            ),
            effect(
                "r without both",
                "Pearson's r without either",
                shown=any(one.without_both for one in effects),
            ),
            effect(
                "groups tau",
                "Kendall's tau b between the means of groups",
                shown=bool(self.groups),
            ),
            Column("n", meaning="rows with a score and an outcome"),
            Column("failed", optional=True, meaning="rows without a score"),
        )
        cells = tuple(
            (
                *(name, one.every.pearson.value, getattr(one.every.pearson, self._unit)),
                one.every.within,
                *(
                    some.estimate(self._unit)
                    for some in (one.every.spearman, one.every.kendall, one.every.auc)
                ),
                *(
                    None if some is None else some.pearson.estimate(self._unit)
                    for some in (one.without_unchanged, one.without_equal, one.without_both)
                ),
                *(one.groups_kendall, one.n, one.failed),
            )
            for name, one in self._effects
        )
        title = f"{self.run}: {count_text(self.rows - self.without_outcome, 'row')}"
        best = best_of(one.every.pearson.value for one in self.measures)
        reasons = tuple(one.every.why for one in effects)
        strong = frozenset((row, 1) for row in best)
        return Grid(title, columns, cells, strong=strong, reasons=reasons)

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
        """The difference between the best measure and each of the others."""
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
            effect(f"{percent_text(self.level)} by {self.drawn}", sign=True, beneath=True),
            Column("p", p_values=True),
            Column("p Holm", p_values=True, meaning="after Holm, among all pairs of measures"),
            "n",
        )
        title = f"{best}, the best by Pearson's r, against the others"
        return [Grid(title, columns, cells)] if cells else []

    def _perturbed_grids(self, word: str, *, least_first: bool = False) -> list[Grid]:
        """What each measure loses, in the order of the run or the least first."""
        columns: GridColumns = (
            "measure",
            effect("r plain", "Pearson's r of these rows as they were"),
            effect("r changed", "Pearson's r of these rows as changed"),
            effect("loss", "the first minus the second, from the same resamples", sign=True),
            effect(f"{percent_text(self.level)} by {self.drawn}", sign=True, beneath=True),
            *(Column(head, meaning="of the scores") for head in ("mean plain", "mean changed")),
            effect("unmoved", "the share of rows whose score stayed the same"),
            Column("n", meaning="rows that could be changed and were scored in both forms"),
        )
        lines = [
            (name, found)
            for name, one in self._effects
            for found in one.perturbed
            if found.name == word
        ]
        if least_first:
            lines = best_first(lines, lambda line: -line[1].loss.value)
        cells = tuple(
            (
                *(name, found.plain.pearson.value, found.changed.pearson.value),
                *(found.loss, found.loss.known, found.plain_mean, found.changed_mean),
                *(found.unmoved, found.n),
            )
            for name, found in lines
        )
        reasons = tuple(found.changed.reason or found.plain.reason for _, found in lines)
        title = f"{word}: what each measure loses"
        return [Grid(title, columns, cells, reasons=reasons)] if cells else []

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
            "higher is better in all correlations and in AUC, also for distances",
            LENGTH_NOTE,
            f"{count_text(self.unchanged, 'row')} unchanged (the candidate is the origin), "
            f"{count_text(self.equal, 'row')} equal to a reference, up to layout and comments",
        ]
        if self.edited is not None:
            notes.append(self._edited_note(self.edited))
        if any(one.distance for one in self.measures):
            notes.append(DISTANCE_NOTE)
        notes += [
            f"{word}: no row could be changed this way and scored"
            for word in self.perturbations
            if not self._perturbed_grids(word)
        ]
        notes += self._left_out()
        notes += self._p_notes()
        by_group = any(math.isfinite(one.every.pearson.group.low) for _, one in self._effects)
        if 0 < self.groups < _FEW_GROUPS and by_group:
            notes.append(
                f"by group: with only {count_text(self.groups, 'group')} the interval is too "
                "narrow; quote another one"
            )
        return [*notes, *reason_lines([(name.value, one.reasons) for name, one in self._effects])]

    def _p_notes(self) -> list[str]:
        """How differences were corrected for their number, and how small p can be."""
        known = [one.adjusted for one in self.differences if math.isfinite(one.adjusted)]
        if len(known) < 2:
            return []
        smallest = len(known) / (self.difference_resamples + 1)
        note = f"p Holm: corrected for all {len(known):,} comparisons of two measures"
        if min(known) <= smallest * (1 + 1e-9):
            note += (
                f"; it cannot be below {p_text(smallest)} with "
                f"{count_text(self.difference_resamples, 'resample')}"
            )
        return [note]

    def _edited_note(self, share: float) -> str:
        edited = share_text(share)
        note = f"references edit {edited} of the tokens of their origin (median)"
        if not self.rewrites:
            return note
        named = ", ".join(plain(one) for one in self.rewrites[:3])
        more = ", …" if len(self.rewrites) > 3 else ""
        return (
            f"{note}; {count_text(len(self.rewrites), 'row')} edit at least half of it, and are "
            f"rewrites rather than revisions ({named}{more})"
        )

    def conclusion(self) -> list[str]:
        """Which measure agrees best with the outcome, and which may be as good."""
        ranked = [one for _, one in self._ranked[:-1] if math.isfinite(one.every.pearson.value)]
        if not ranked:
            return []
        best, *others = ranked
        interval: Interval = getattr(best.every.pearson, self._unit)
        r = in_words(best.every.pearson.value, interval, self.level)
        if not interval.low > 0:
            which = f"the best is {best.label}, with" if others else f"{best.label} has"
            return [f"No measure clearly agrees with the outcome: {which} r {r}."]
        if not others:
            alone = effect_text(self.length.every.pearson.value)
            return [f"{best.label} agrees with the outcome: r {r}; lengths alone: r {alone}."]
        adjusted = {
            seen[0]: one.adjusted
            for one in self.differences
            if (seen := one.seen_from(best.label)) is not None
        }
        sure = 1 - self.level + 1e-12
        alike = [
            f"{one.label} ({effect_text(one.every.pearson.value)})"
            for one in others
            if not adjusted.get(one.label, math.nan) <= sure
        ]
        named = f"{best.label} (r {effect_text(best.every.pearson.value)})"
        if not alike:
            return [
                f"{named} agrees best with the outcome, and every other measure agrees less (p "
                f"below {1 - self.level:.2g} after Holm's correction)."
            ]
        if len(alike) == 1:
            return [
                f"{named} and {alike[0]} agree best with the outcome; they are not distinguished."
            ]
        return [
            f"{named} agrees best with the outcome; not distinguished from it: {listed(alike)}."
        ]

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
                    "changed this way and scored, and are left out of both forms"
                )

    def warnings(self) -> list[str]:
        """What a reader must know before any value."""
        warnings = [] if self.complete else [unfinished(self.run, self.rows)]
        if self.without_outcome:
            have, are = ("has", "is") if self.without_outcome == 1 else ("have", "are")
            warnings.append(
                f"{self.without_outcome:,} of {count_text(self.rows, 'row')} {have} no outcome "
                f"and {are} left out"
            )
        warnings += unread_warnings(self.unread_outcomes)
        warnings += self._few_warnings()
        warnings += self._inverted()
        alone = self.length.every.pearson.value
        others = [one for one in self.measures if one.label != self.length.label]
        known = [r for one in others if math.isfinite(r := one.every.pearson.value)]
        if known and alone > 0 and alone >= max(known):
            warnings.append(
                "no measure agrees better with the outcomes than the lengths of the texts alone "
                f"(r {effect_text(alone)}, the best measure {effect_text(max(known))}): these rows "
                "cannot show what a measure is worth"
            )
        return [*warnings, *failure_warnings(self.failures)]

    def _inverted(self) -> list[str]:
        """Whether all measures say that the outcome is the wrong way round."""
        found = [
            (one.label, spread.value, getattr(spread, self._unit))
            for one in self.measures
            if (spread := one.every.pearson) and one.label != self.length.label
        ]
        return inverted_warnings(found, binary=self.binary)

    def _few_warnings(self) -> list[str]:
        """Whether there are too few rows for any number here."""
        rows = self.rows - self.without_outcome
        few = [count_text(rows, "row") + " with an outcome"] if rows < _FEW_ROWS else []
        if self.rarer is not None and self.rarer < _FEW_RARER:
            few.append(count_text(self.rarer, "row") + " with the rarer outcome")
        if not few:
            return []
        return [
            f"there {'is' if few[0].startswith('1 ') else 'are'} only {' and '.join(few)}: "
            "correlations from so few may be far off, and their intervals too narrow; test at "
            f"least {_FEW_ROWS} rows, with {_FEW_RARER} of each outcome"
        ]


def _color(place: int) -> str:
    """The colour of the bars of a perturbation."""
    return f"bar-{2 + place % (_COLORS - 2)}"


def _folded(grids: Iterable[Grid]) -> tuple[Section, ...]:
    """Grids that are opened on demand."""
    return tuple(Section(grid.title, content=(grid,), folded=True) for grid in grids)
