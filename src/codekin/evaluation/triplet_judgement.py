"""TripletJudgement: how well measures tell right programs from wrong ones."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
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
    matrix_grids,
    reason_lines,
    resampling_note,
)
from codekin.plain_text import plain
from codekin.results import (
    EFFECT_DIGITS,
    LEFT_OUT,
    NOTHING,
    Column,
    Estimate,
    Finite,
    Forest,
    ForestRow,
    Grid,
    GridColumns,
    Histograms,
    Interval,
    Level,
    Mark,
    Result,
    Section,
    ShownAs,
    count_text,
    effect_text,
    interval_text,
    keyed,
    measure_cell,
    number_text,
    percent_text,
    with_interval,
)
from codekin.runs.failures import Failure, failure_warnings
from codekin.runs.summaries import unfinished
from codekin.statistics.resampling import Floats

__all__ = [
    "EqualLengths",
    "LanguagePair",
    "Leak",
    "LeakCounts",
    "RoleHistograms",
    "RoleValues",
    "TripletConfounds",
    "TripletCorrelation",
    "TripletEffect",
    "TripletJudgement",
    "WithoutLeaks",
    "WrongTriplet",
]

_NAMED = 5
"""Leaks that a warning names."""

_SHOWN = 20
"""Leaks that a table shows."""


@dataclass(frozen=True)
class RoleHistograms:
    """Histograms of the scores of both kinds of pairs, in equal bins from `low` to `high`."""

    low: Finite
    high: Finite
    positive: tuple[int, ...]
    negative: tuple[int, ...]


@dataclass(frozen=True)
class EqualLengths:
    """The effect over triplets in which length gives nothing away.

    Attributes
    ----------
    triplets : int
        Those whose positive and negative have the same number of tokens.
    cohens_d : Estimate
        Over these.
    reason : str or None
        Why there is no value.
    """

    computed: ClassVar[Mapping[str, str]] = {"reason": "why"}

    triplets: int
    cohens_d: Estimate = field(metadata=with_interval("ci"))
    reason: str | None = field(default=None, metadata=LEFT_OUT)

    @property
    def why(self) -> str | None:
        """Why values are missing; None if none is."""
        if self.reason is not None or math.isfinite(self.cohens_d.value):
            return self.reason
        return f"cannot be estimated from {count_text(self.triplets, 'triplet')}"


@dataclass(frozen=True)
class WithoutLeaks:
    """The effect over the triplets that do not leak.

    Attributes
    ----------
    cohens_d : Estimate
    reason : str or None
        Why values are missing; None if none is.
    """

    cohens_d: Estimate = field(metadata=with_interval("ci"))
    reason: str | None


@dataclass(frozen=True)
class RoleValues:
    """A statistic of the scores, for both kinds of pairs."""

    positive: float
    negative: float


@dataclass(frozen=True)
class TripletEffect:
    """The effect of a measure on the triplets of a language pair.

    The sign of a distance is flipped, except in the means and the histograms, so that higher is
    always better.

    Attributes
    ----------
    label, signature : str
        Of the measure in the run.
    distance : bool
        Whether small values mean similar.
    n, failed : int
        Triplets with both scores, and those without.
    cohens_d : Estimate
        The difference of the means of both kinds of pairs, in pooled standard deviations.
    auc : Estimate
        The chance that a positive pair scores above a negative one of any triplet; a tie is half.
    win_rate : Estimate
        The share of triplets whose positive pair scores above the negative one; a tie is half.
    paired_d : Estimate
        The mean difference within triplets, in standard deviations of that difference.
    positive_mean, negative_mean, positive_deviation, negative_deviation : float
        Of the scores.
    histograms : RoleHistograms or None
        None if no triplet was scored.
    adjusted_d : Estimate
        Cohen's d after regressing out the lengths of both texts.
    equal_length : EqualLengths
    without_leaks : Estimate or None
        Cohen's d without the triplets that leak; None if none does.
    reason : str or None
        Why values are missing.
    """

    computed: ClassVar[Mapping[str, str]] = {
        "means": "means",
        "deviations": "deviations",
        "without_leaks": "clean",
        "reason": "why",
    }

    label: str = field(metadata=LEFT_OUT)
    signature: str
    distance: bool
    n: int
    failed: int
    cohens_d: Estimate = field(metadata=with_interval("ci"))
    auc: Estimate = field(metadata=with_interval())
    win_rate: Estimate = field(metadata=with_interval())
    paired_d: Estimate = field(metadata=with_interval())
    positive_mean: float = field(metadata=LEFT_OUT)
    negative_mean: float = field(metadata=LEFT_OUT)
    positive_deviation: float = field(metadata=LEFT_OUT)
    negative_deviation: float = field(metadata=LEFT_OUT)
    histograms: RoleHistograms | None
    adjusted_d: Estimate = field(metadata=with_interval())
    equal_length: EqualLengths
    without_leaks: Estimate | None = field(default=None, metadata=LEFT_OUT)
    reason: str | None = field(default=None, metadata=LEFT_OUT)

    @property
    def means(self) -> RoleValues:
        """The means of the scores."""
        return RoleValues(self.positive_mean, self.negative_mean)

    @property
    def deviations(self) -> RoleValues:
        """The standard deviations of the scores."""
        return RoleValues(self.positive_deviation, self.negative_deviation)

    @property
    def clean(self) -> WithoutLeaks | None:
        """The effect without the triplets that leak; None if none does."""
        if self.without_leaks is None:
            return None
        known = math.isfinite(self.without_leaks.value)
        reason = None if known else "cannot be estimated from the triplets that do not leak"
        return WithoutLeaks(self.without_leaks, reason)

    @property
    def why(self) -> str | None:
        """Why values are missing; None if none is."""
        if self.reason is not None:
            return self.reason
        estimates = (self.cohens_d, self.auc, self.win_rate, self.paired_d, self.adjusted_d)
        if any(math.isinf(estimate.value) for estimate in estimates):
            return "scores do not vary within one kind of pair, so an effect is infinite"
        lows = [estimate.known.low for estimate in estimates]
        if all(map(math.isfinite, (*lows, *(estimate.value for estimate in estimates)))):
            return None
        if not self.n:
            return "no triplet has both scores"
        return f"the missing values cannot be estimated from {count_text(self.n, 'triplet')}"

    @property
    def reasons(self) -> list[str]:
        """Why values of the measure are missing; empty if none is."""
        found = [] if self.why is None else [self.why]
        if self.n and (equal := self.equal_length.why) is not None:
            found.append(f"d equal length: {equal}")
        return list(dict.fromkeys(found))


@dataclass(frozen=True)
class Leak:
    """Nearly the same text in two roles.

    Attributes
    ----------
    triplet : str
        Its id.
    problem : str or None
    roles : str
        Such as ``anchor and negative``; the second is a role of this triplet.
    similarity : float
        Of the two texts, from 0 to 1.
    kind : str
        What is alike: ``copy``, ``near copy`` or ``renamed copy``.
    elsewhere : str or None
        The id of another triplet of the same problem that has the first role; None for this one.
    """

    triplet: str
    problem: str | None
    roles: str
    similarity: float
    kind: str
    elsewhere: str | None = None


@dataclass(frozen=True)
class LeakCounts:
    """The leaks of some triplets, counted.

    Attributes
    ----------
    count : int
    triplets : int
        How many triplets they are in.
    anchor_positive, anchor_negative : int
        Leaks between these roles.
    named : tuple of Leak
    """

    count: int
    triplets: int
    anchor_positive: int
    anchor_negative: int
    named: tuple[Leak, ...]


@dataclass(frozen=True)
class TripletConfounds:
    """What might explain a result besides what the programs do.

    Attributes
    ----------
    length_only : TripletEffect
        What a measure that sees only lengths reaches.
    equal_length_triplets : int
        Triplets whose positive and negative have the same length.
    leaks : LeakCounts
    """

    length_only: TripletEffect
    equal_length_triplets: int
    leaks: LeakCounts


@dataclass(frozen=True)
class LanguagePair:
    """The triplets with certain languages of the anchor and of the other two texts.

    Attributes
    ----------
    anchor, other : str or None
        The languages; None for all triplets together.
    triplets, problems : int
    measures : tuple of TripletEffect
        In the order of the run, without the length baseline.
    length : TripletEffect
        What a measure that sees only lengths reaches.
    leaks : tuple of Leak
    """

    computed: ClassVar[Mapping[str, str]] = {"confounds": "confounds"}

    anchor: str | None
    other: str | None
    triplets: int
    problems: int
    measures: tuple[TripletEffect, ...] = field(metadata=keyed("label"))
    length: TripletEffect = field(metadata=LEFT_OUT)
    leaks: tuple[Leak, ...] = field(metadata=LEFT_OUT)

    @property
    def name(self) -> str:
        """Such as ``python``, ``(java, python)``, or ``all``."""
        if self.anchor is None:
            return "all"
        return self.anchor if self.anchor == self.other else f"({self.anchor}, {self.other})"

    @property
    def confounds(self) -> TripletConfounds:
        """What might explain the effects besides what the programs do."""
        counts = Counter(one.roles for one in self.leaks)
        leaks = LeakCounts(
            len(self.leaks),
            len({one.triplet for one in self.leaks}),
            counts["anchor and positive"],
            counts["anchor and negative"],
            self.leaks,
        )
        return TripletConfounds(self.length, self.length.equal_length.triplets, leaks)

    @property
    def effects(self) -> list[tuple[ShownAs, TripletEffect]]:
        """The measures and then the baseline, with the cells that name them."""
        cells = [(measure_cell(one.label, one.distance), one) for one in self.measures]
        return [*cells, (ShownAs(LENGTH_ONLY, LENGTH_ONLY, self.length.distance), self.length)]


@dataclass(frozen=True)
class WrongTriplet:
    """A triplet that a measure gets wrong, by `margin` standard deviations."""

    triplet: str
    problem: str | None
    positive: float
    negative: float
    margin: float


@dataclass(frozen=True, eq=False)
class TripletCorrelation(MeasureCorrelation):
    """Pearson's r between measures, of their scores and of their effects.

    Attributes
    ----------
    labels : tuple of str
        The measures, the length baseline included, in the order of rows and columns.
    scores : array
        Between their scores.
    effects : array
        Between their standardised differences, over problems.
    """

    effects: Floats


@dataclass(frozen=True, eq=False)
class TripletJudgement(Result):
    """How well each measure of a run tells positives from negatives.

    Attributes
    ----------
    run : str
        Its name.
    complete : bool
        Whether every triplet of the input is in it.
    triplets, excluded : int
        All triplets, and those that could not be used at all.
    failures : tuple of Failure
        Why rows were excluded or not scored.
    cluster : str
        The unit of resampling for the intervals: ``problem`` or ``triplet``.
    resamples, seed : int
    level : float
        Of the intervals.
    overall : LanguagePair
        All triplets together.
    pairs : tuple of LanguagePair
        By languages, in their order of appearance.
    correlation : TripletCorrelation
    wrong : mapping of str to tuple of WrongTriplet
        For each measure, the triplets that it gets most wrong, the worst first.
    """

    computed: ClassVar[Mapping[str, str]] = {
        "problems": "problems",
        "measures": "effects_by_label",
        "confounds": "confounds",
    }

    run: str
    complete: bool
    triplets: int
    excluded: int
    failures: tuple[Failure, ...]
    cluster: str
    resamples: int
    seed: int
    level: Level
    overall: LanguagePair = field(metadata=LEFT_OUT)
    pairs: tuple[LanguagePair, ...] = field(metadata=keyed("name"))
    correlation: TripletCorrelation
    wrong: Mapping[str, tuple[WrongTriplet, ...]] = field(metadata=LEFT_OUT)

    @property
    def problems(self) -> int:
        """The number of problems."""
        return self.overall.problems

    @property
    def effects_by_label(self) -> dict[str, TripletEffect]:
        """The effect of each measure on all triplets, by its label."""
        return {one.label: one for one in self.overall.measures}

    @property
    def confounds(self) -> TripletConfounds:
        """What might explain the effects besides what the programs do."""
        return self.overall.confounds

    @property
    def _views(self) -> tuple[LanguagePair, ...]:
        """All triplets, and each pair of languages where there are several."""
        return (self.overall, *self.pairs) if len(self.pairs) > 1 else (self.overall,)

    def grids(self) -> list[Grid]:
        """Effects by languages, the details of each pair of languages, correlations and leaks."""
        return [
            *self._effect_grids(),
            *(_detail_grid(view, self.level) for view in self._views),
            *self._matrix_grids(),
            *_leak_grids(self.overall.leaks),
        ]

    def section(self, costs: Costs | None = None) -> Section:
        """The grids with plots of effects and scores, and what each measure gets most wrong."""
        overall = self.overall
        order = [one.label for one in best_first(overall.measures, _d)]
        unusable = f", of which {self.excluded:,} could not be used" if self.excluded else ""
        parts = [
            *self._leak_sections(),
            Section(
                "Effect sizes",
                "The largest effect first."
                + (" Each language pair has its own axis." if len(self._views) > 1 else ""),
                key=(
                    ("main", "Cohen's d with its interval"),
                    ("diamond", "after regressing out the lengths of both texts"),
                    ("square", "where positive and negative are equally long"),
                    ("dashes", "what lengths alone reach"),
                ),
                parts=tuple(_view_section(view, order, self.level) for view in self._views),
                choice="Language pair",
            ),
            Section(
                "Cohen's d by language pair",
                "The best of each row is bold. The average counts every language pair once.",
                content=tuple(self._effect_grids()),
            ),
            Section(
                "How both kinds of pairs score",
                "Each histogram is of shares of its own pairs; where both overlap, a score tells "
                "nothing.",
                key=(("first", "positive pairs"), ("second", "negative pairs")),
                content=tuple(_histograms(one) for one in (*overall.measures, overall.length)),
            ),
            Section("Which measures agree", content=tuple(self._matrix_grids())),
            Section(
                "What each measure gets most wrong",
                "Triplets whose negative scores above the positive, and by how many standard "
                "deviations.",
                parts=tuple(self._wrong_section(one.label) for one in overall.measures),
                choice="Measure",
            ),
        ]
        if costs is not None:
            quality = [(one.label, one.cohens_d) for one in (*overall.measures, overall.length)]
            parts.append(cost_section(quality, costs, "Cohen's d"))
        return Section(
            "Which measures tell right from wrong",
            "A triplet is an anchor, a positive that does the same, and a negative that does not. "
            "Cohen's d is the distance between the scores of (anchor, positive) and (anchor, "
            "negative) in standard deviations: at 0 a measure cannot tell them apart, below 0 it "
            f"prefers the wrong one. {count_text(self.triplets, 'triplet')}{unusable}.",
            parts=tuple(parts),
        )

    def _leak_sections(self) -> list[Section]:
        if not self.overall.leaks:
            return []
        return [
            Section(
                f"{count_text(len(self.overall.leaks), 'leak')}: roles that hold the same text",
                "A near copy between roles can reverse a result. The tables of all numbers "
                "have d without these triplets.",
                content=tuple(_leak_grids(self.overall.leaks)),
                alarming=True,
            )
        ]

    def _matrix_grids(self) -> list[Grid]:
        found, baseline = self.correlation, self.overall.length.label
        return [
            *matrix_grids(
                "Pearson's r between the scores of measures",
                found.labels,
                found.scores,
                baseline,
                linked=True,
            ),
            *matrix_grids(
                "Pearson's r between the effects of measures, over problems",
                found.labels,
                found.effects,
                baseline,
                note="Of how far each measure sets positives from negatives.",
            ),
        ]

    def _wrong_section(self, label: str) -> Section:
        wrong = self.wrong.get(label, ())[:MOST_WRONG]
        if not wrong:
            return Section(label, "It scores no negative above its positive. Ties are not listed.")

        def score(triplet: str, role: str, value: float) -> ShownAs:
            link = (("pair", f"{triplet}/{role}"), ("measure", label))
            title = f"open (anchor, {role}) of {triplet}"
            return ShownAs(value, effect_text(value), title=title, link=link)

        cells = tuple(
            (
                *(one.triplet, one.problem or ""),
                score(one.triplet, "positive", one.positive),
                score(one.triplet, "negative", one.negative),
                one.margin,
            )
            for one in wrong
        )
        columns = ("triplet", "problem", "positive", "negative", Column("margin", digits=2))
        return Section(label, content=(Grid("", columns, cells, keys=2),))

    def _effect_grids(self) -> Iterator[Grid]:
        """Language pairs down and measures across, separately for one language and for two."""
        measures = self.overall.measures
        if not self.pairs:
            yield _effect_grid("Cohen's d", measures, [self.overall])
        within = [one for one in self.pairs if one.anchor == one.other]
        across = [one for one in self.pairs if one.anchor != one.other]
        if within:
            yield _effect_grid("Cohen's d, within a language", measures, within)
        if across:
            yield _effect_grid("Cohen's d, across languages", measures, across)

    def table(self) -> Grid:
        """One record per pair of languages and measure; ``all`` is all triplets."""
        columns = (
            *("languages", "measure", "n", "failed", "cohens_d", "auc", "win_rate", "paired_d"),
            *("adjusted_d", "equal_length_d", "positive_mean", "negative_mean"),
            *("equal_length_triplets", "leaks", "reason", "signature"),
        )
        cells = tuple(
            (
                *(pair.name, name, one.n, one.failed, one.cohens_d, one.auc, one.win_rate),
                *(one.paired_d, one.adjusted_d, one.equal_length.cohens_d),
                *(one.positive_mean, one.negative_mean, one.equal_length.triplets),
                *(len(pair.leaks), "; ".join(one.reasons), one.signature),
            )
            for pair in (self.overall, *self.pairs)
            for name, one in pair.effects
        )
        return Grid("", columns, cells)

    def notes(self) -> list[str]:
        """How the values were computed, and why some are missing."""
        notes = [
            resampling_note(self.resamples, self.cluster, self.seed, self.level),
            "higher is better, also for distances; chance is 0.5 in AUC and won, and 0 in d",
            LENGTH_NOTE,
        ]
        if any(one.distance for one in self.overall.measures):
            notes.append(DISTANCE_NOTE)
        if not self.overall.leaks:
            notes.append("no triplet has nearly the same text in two roles")
        if any(pair.anchor != pair.other for pair in self.pairs):
            notes.append(
                "(anchor, other): the language of the anchor, and of positive and negative"
            )
        for pair in (self.overall, *(self.pairs if len(self.pairs) > 1 else ())):
            reasons = [(name.value, one.reasons) for name, one in pair.effects]
            notes += [f"{pair.name}, {line}" for line in reason_lines(reasons)]
        return notes

    def warnings(self) -> list[str]:
        """What a reader must know before any value."""
        warnings = []
        if not self.complete:
            warnings.append(unfinished(self.run, self.triplets, "triplet"))
        if self.excluded:
            warnings.append(
                f"{self.excluded:,} of {count_text(self.triplets, 'triplet')} "
                "could not be used at all"
            )
        warnings += failure_warnings(self.failures)
        if self.overall.leaks:
            names = list(dict.fromkeys(one.triplet for one in self.overall.leaks))
            more = ", …" if len(names) > _NAMED else ""
            roles = Counter(one.roles for one in self.overall.leaks)
            counts = ", ".join(f"{role}: {count:,}" for role, count in roles.items())
            warnings.append(
                f"{count_text(len(names), 'triplet')} with nearly the same text in two roles "
                f"({counts}), which may reverse every result: "
                f"{plain(', '.join(names[:_NAMED]))}{more}"
            )
        return warnings


def _d(one: TripletEffect) -> float:
    return one.cohens_d.value


def _view_section(view: LanguagePair, order: Sequence[str], level: float) -> Section:
    """The effects of a language pair as a plot, and all its numbers."""
    baseline = effect_text(view.length.cohens_d.value)
    text = f"{count_text(view.triplets, 'triplet')} of {count_text(view.problems, 'problem')}"
    if baseline != NOTHING:
        text += f"; a measure that sees only lengths reaches {baseline}"
    if view.leaks:
        text += f"; {count_text(len(view.leaks), 'leak')}"
    rank = {label: place for place, label in enumerate(order)}
    effects = sorted(view.effects, key=lambda one: rank.get(one[1].label, len(rank)))
    forest = Forest(
        title="effect sizes",
        head="d",
        rows=tuple(
            _forest_row(name, one, level, apart=one is view.length) for name, one in effects
        ),
        reference=view.length.cohens_d.value,
    )
    return Section(
        "all triplets" if view.anchor is None else view.name,
        f"{text}.",
        content=(forest,),
        parts=(Section("All numbers", content=(_detail_grid(view, level),), folded=True),),
    )


def _forest_row(name: ShownAs, one: TripletEffect, level: float, *, apart: bool) -> ForestRow:
    equal = one.equal_length

    def mark(kind: str, what: str, estimate: Estimate) -> Mark:
        known = estimate.known
        return Mark(
            kind,
            estimate.value,
            f"{one.label}{what}: d = {in_words(estimate.value, known, level)}",
            (known,),
        )

    marks = (
        mark("main", "", one.cohens_d),
        mark("diamond", ", lengths regressed out", one.adjusted_d),
        mark("square", f", {equal.triplets:,} triplets of equal lengths", equal.cohens_d),
    )
    known = math.isfinite(one.cohens_d.value)
    return ForestRow(name, marks, one.signature, "" if known else one.why or "no value", apart)


def _histograms(one: TripletEffect) -> Histograms:
    drawn = one.histograms or RoleHistograms(0.0, 1.0, (), ())
    means = (one.positive_mean, one.negative_mean)
    known = bool(drawn.positive) and all(map(math.isfinite, means))
    return Histograms(
        title=one.label,
        tag="distance" if one.distance else "",
        caption="means {:.3g} and {:.3g}".format(*means) if known else "",
        reason="" if drawn.positive else one.reason or "no triplet was scored",
        ends=Interval(drawn.low, drawn.high),
        first=("positive pairs", drawn.positive),
        second=("negative pairs", drawn.negative),
    )


def _effect_grid(
    title: str, measures: Sequence[TripletEffect], pairs: Sequence[LanguagePair]
) -> Grid:
    lines: list[tuple[str, list[float], list[str | None]]] = []
    for pair in pairs:
        found = {one.label: one for one in pair.measures}
        effects = [*(found.get(one.label) for one in measures), pair.length]
        values = [math.nan if one is None else one.cohens_d.value for one in effects]
        lines.append((pair.name, values, [None if one is None else one.why for one in effects]))
    if len(lines) > 1:  # what is missing from a pair is missing from the average
        columns = zip(*(values for _, values, _ in lines), strict=True)
        missing: list[str | None] = ["a language pair has no value"] * (len(measures) + 1)
        lines.append(("Average", [_mean(column) for column in columns], missing))
    strong = {
        (row, 1 + place)
        for row, (_, values, _) in enumerate(lines)
        for place in best_of(values[:-1])  # the baseline does not compete
    }
    heads: GridColumns = (
        "languages",
        *(effect(one.label) for one in measures),
        effect(LENGTH_ONLY),
    )
    cells = tuple((name, *_tinted(values, reasons)) for name, values, reasons in lines)
    return Grid(title, heads, cells, strong=frozenset(strong))


def _tinted(values: Sequence[float], reasons: Sequence[str | None]) -> Iterator[ShownAs]:
    """The cells of a row, tinted by their share of its largest value; the baseline is not."""
    most = max((abs(value) for value in values if math.isfinite(value)), default=0.0) or 1.0
    for place, (value, reason) in enumerate(zip(values, reasons, strict=True)):
        known = math.isfinite(value)
        heat = max(0.0, value) / most if known and place < len(values) - 1 else None
        title = "" if known else reason or "no value"
        yield ShownAs(value, effect_text(value), title=title, heat=heat)


def _mean(values: Iterable[float]) -> float:
    known = list(values)
    return fmean(known) if all(map(math.isfinite, known)) else math.nan


def _detail_grid(pair: LanguagePair, level: float) -> Grid:
    leaking = any(one.without_leaks is not None for _, one in pair.effects)
    columns: GridColumns = (
        "measure",
        effect("d", "Cohen's d: the difference of the means in pooled standard deviations"),
        effect(percent_text(level), beneath=True),
        effect("AUC", "the chance that a positive pair scores above a negative one"),
        effect(
            "won", "the share of triplets whose positive scores above the negative; a tie is half"
        ),
        effect("paired d", "the mean difference within triplets, in its standard deviations"),
        Column("positive", meaning="mean score of the positive pairs"),
        Column("negative", meaning="mean score of the negative pairs"),
        effect("d lengths out", "Cohen's d after regressing out the lengths of both texts"),
        Column(
            "d equal length (n)",
            meaning="Cohen's d where positive and negative are equally long, and how many are",
        ),
        effect("d without leaks", "Cohen's d without the triplets that leak", shown=leaking),
        Column("n", meaning="triplets with both scores"),
        Column("failed", optional=True, meaning="triplets without both scores"),
    )
    cells = tuple(
        (
            *(name, one.cohens_d, one.cohens_d.known, one.auc, one.win_rate, one.paired_d),
            _mean_cell(one.positive_mean, one.positive_deviation, one.distance),
            _mean_cell(one.negative_mean, one.negative_deviation, one.distance),
            *(one.adjusted_d, _equal_length_cell(one.equal_length)),
            *(one.without_leaks, one.n, one.failed),
        )
        for name, one in pair.effects
    )
    title = (
        f"{pair.name}: {count_text(pair.triplets, 'triplet')} "
        f"of {count_text(pair.problems, 'problem')}"
    )
    return Grid(title, columns, cells, reasons=tuple(one.why for _, one in pair.effects))


def _mean_cell(mean: float, deviation: float, distance: bool) -> ShownAs:
    beneath = f"± {effect_text(deviation)}" if math.isfinite(deviation) else ""
    return ShownAs(mean, number_text(mean, distance), beneath=beneath)


def _equal_length_cell(one: EqualLengths) -> ShownAs:
    known = one.cohens_d.known
    return ShownAs(
        one.cohens_d.value,
        f"{effect_text(one.cohens_d.value)} ({one.triplets:,})",
        beneath="" if math.isnan(known.low) else interval_text(known, digits=EFFECT_DIGITS),
        title=one.why or "",
    )


def _leak_grids(leaks: Sequence[Leak]) -> list[Grid]:
    if not leaks:
        return []
    elsewhere = any(one.elsewhere for one in leaks[:_SHOWN])
    columns: GridColumns = (
        *("triplet", "problem", "roles", Column("first role in", shown=elsewhere), "kind"),
        effect("likeness"),
    )
    cells = tuple(
        (
            *(_leak_cell(one), one.problem or "", one.roles, one.elsewhere or "", one.kind),
            one.similarity,
        )
        for one in leaks[:_SHOWN]
    )
    some = f", the first {_SHOWN} of {len(leaks):,}" if len(leaks) > _SHOWN else ""
    return [Grid(f"Leaks{some}", columns, cells, keys=len(columns) - 1)]


def _leak_cell(leak: Leak) -> ShownAs:
    """The triplet, which opens the row that shows the leak: an anchor and one of the others."""
    role = "negative" if "negative" in leak.roles else "positive"
    return ShownAs(leak.triplet, leak.triplet, link=(("pair", f"{leak.triplet}/{role}"),))
