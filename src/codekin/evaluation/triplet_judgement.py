"""TripletJudgement: how well measures tell right programs from wrong ones, beside a right one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
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
from codekin.plain_text import plain
from codekin.results import (
    LEFT_OUT,
    Column,
    Estimate,
    Finite,
    Grid,
    GridColumns,
    Level,
    Result,
    ShownAs,
    count_text,
    effect_text,
    keyed,
    measure_cell,
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
    """How the scores of both kinds of pairs spread, in equal bins from `low` to `high`."""

    low: Finite
    high: Finite
    positive: tuple[int, ...]
    negative: tuple[int, ...]


@dataclass(frozen=True)
class EqualLengths:
    """The effect where length gives nothing away.

    Attributes
    ----------
    triplets : int
        Those whose positive and negative have the same number of tokens.
    cohens_d : Estimate
        Over these.
    reason : str or None
        Why there is no value, in words.
    """

    computed: ClassVar[Mapping[str, str]] = {"reason": "why"}

    triplets: int
    cohens_d: Estimate = field(metadata=with_interval("ci"))
    reason: str | None = field(default=None, metadata=LEFT_OUT)

    @property
    def why(self) -> str | None:
        """Why values are missing, in words; None where none is."""
        if self.reason is not None or math.isfinite(self.cohens_d.value):
            return self.reason
        return f"cannot be told from {count_text(self.triplets, 'triplet')}"


@dataclass(frozen=True)
class WithoutLeaks:
    """The effect over the triplets that do not leak.

    Attributes
    ----------
    cohens_d : Estimate
    reason : str or None
        Why values are missing, in words; None where none is.
    """

    cohens_d: Estimate = field(metadata=with_interval("ci"))
    reason: str | None


@dataclass(frozen=True)
class RoleValues:
    """A value of the scores of both kinds of pairs."""

    positive: float
    negative: float


@dataclass(frozen=True)
class TripletEffect:
    """What a measure makes of the triplets of a language pair.

    A distance counts with its sign turned in all of these but the means and the histograms, so
    that more is better everywhere.

    Attributes
    ----------
    label, signature : str
        Of the measure in the run.
    distance : bool
        Whether small values mean alike.
    n, failed : int
        Triplets with both scores, and those without.
    cohens_d : Estimate
        The difference of the means of both kinds of pairs, in pooled standard deviations.
    auc : Estimate
        The chance that a positive pair scores above a negative one, of any triplet; ties half.
    win_rate : Estimate
        The share of triplets whose own positive pair scores above the negative one; ties half.
    paired_d : Estimate
        The mean difference within triplets, in standard deviations of that difference.
    positive_mean, negative_mean, positive_deviation, negative_deviation : float
        Of the scores.
    histograms : RoleHistograms or None
        None where no triplet was scored.
    adjusted_d : Estimate
        Cohen's d after the lengths of both texts are regressed out.
    equal_length : EqualLengths
    without_leaks : Estimate or None
        Cohen's d without the triplets that leak; None where none does.
    reason : str or None
        Why values are missing, in words.
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
        """The effect without the triplets that leak; None where none does."""
        if self.without_leaks is None:
            return None
        known = math.isfinite(self.without_leaks.value)
        reason = None if known else "cannot be told from the triplets that do not leak"
        return WithoutLeaks(self.without_leaks, reason)

    @property
    def why(self) -> str | None:
        """Why values are missing, in words; None where none is."""
        if self.reason is not None:
            return self.reason
        estimates = (self.cohens_d, self.auc, self.win_rate, self.paired_d, self.adjusted_d)
        if any(math.isinf(estimate.value) for estimate in estimates):
            return "scores do not vary within a kind of pairs, so that an effect has no bound"
        lows = [estimate.known.low for estimate in estimates]
        if all(map(math.isfinite, (*lows, *(estimate.value for estimate in estimates)))):
            return None
        if not self.n:
            return "no triplet has both scores"
        return f"what is missing cannot be told from {count_text(self.n, 'triplet')}"

    @property
    def reasons(self) -> list[str]:
        """Why values of the measure are missing; empty where none is."""
        found = [] if self.why is None else [self.why]
        if self.n and (equal := self.equal_length.why) is not None:
            found.append(f"d equal length: {equal}")
        return list(dict.fromkeys(found))


@dataclass(frozen=True)
class Leak:
    """Two roles of a triplet that hold nearly the same text, or one text in two roles.

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
        The id of the triplet of the same problem in which the first role is; None for this one.
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
        Triplets whose positive and negative are of one length.
    leaks : LeakCounts
    """

    length_only: TripletEffect
    equal_length_triplets: int
    leaks: LeakCounts


@dataclass(frozen=True)
class LanguagePair:
    """The triplets whose anchor and whose other two texts are of certain languages.

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
    """A triplet that a measure gets wrong; `margin` is by how many standard deviations."""

    triplet: str
    problem: str | None
    positive: float
    negative: float
    margin: float


@dataclass(frozen=True, eq=False)
class TripletCorrelation:
    """Pearson's r between measures; nan where one does not vary.

    Attributes
    ----------
    labels : tuple of str
        The measures, in the order of rows and columns.
    scores : array
        Between their scores.
    effects : array
        Between their effects, over problems.
    """

    labels: tuple[str, ...]
    scores: Floats
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
        Triplets that were read, and how many of them could not be used at all.
    failures : tuple of Failure
        Why rows were excluded or not scored.
    cluster : str
        What was drawn as a whole for the intervals: ``problem``, or ``triplet``.
    resamples, seed : int
    level : float
        Of the intervals.
    overall : LanguagePair
        All triplets together.
    pairs : tuple of LanguagePair
        By languages, in their order of appearance.
    labels : tuple of str
        The measures of the two matrices, the length baseline included.
    score_correlation : array
        Pearson's correlation between the scores of measures.
    effect_correlation : array
        Pearson's correlation, over problems, between the standardised differences of measures.
    wrong : mapping of str to tuple of WrongTriplet
        Of each measure the triplets that it gets most wrong, the worst first.
    """

    computed: ClassVar[Mapping[str, str]] = {
        "problems": "problems",
        "measures": "effects_by_label",
        "confounds": "confounds",
        "correlation": "correlation",
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
    labels: tuple[str, ...] = field(metadata=LEFT_OUT)
    score_correlation: Floats = field(metadata=LEFT_OUT)
    effect_correlation: Floats = field(metadata=LEFT_OUT)
    wrong: Mapping[str, tuple[WrongTriplet, ...]] = field(metadata=LEFT_OUT)

    @property
    def problems(self) -> int:
        """Problems that the triplets are of."""
        return self.overall.problems

    @property
    def effects_by_label(self) -> dict[str, TripletEffect]:
        """What each measure makes of all triplets, by its label."""
        return {one.label: one for one in self.overall.measures}

    @property
    def confounds(self) -> TripletConfounds:
        """What might explain the effects besides what the programs do."""
        return self.overall.confounds

    @property
    def correlation(self) -> TripletCorrelation:
        """Pearson's r between measures."""
        return TripletCorrelation(self.labels, self.score_correlation, self.effect_correlation)

    def grids(self) -> list[Grid]:
        """Effects by languages, the details of each pair of languages, correlations and leaks."""
        # With one language pair, all triplets are those of the pair.
        details = (self.overall, *self.pairs) if len(self.pairs) > 1 else (self.overall,)
        baseline = self.overall.length.label
        labels = [LENGTH_ONLY if label == baseline else label for label in self.labels]
        return [
            *self._effect_grids(),
            *(_detail_grid(pair, self.level) for pair in details),
            *matrix_grids(
                "Pearson's r between the scores of measures", labels, self.score_correlation
            ),
            *matrix_grids(
                "Pearson's r between the effects of measures, over problems",
                labels,
                self.effect_correlation,
            ),
            *_leak_grids(self.overall.leaks),
        ]

    def _effect_grids(self) -> Iterator[Grid]:
        """Language pairs down and measures across, those of one language and of two apart."""
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
        """One record per pair of languages and measure; ``all`` is of all triplets."""
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
            "more is better, of distances as well; chance is 0.5 in AUC and won, and 0 in d",
            LENGTH_NOTE,
        ]
        if any(one.distance for one in self.overall.measures):
            notes.append(DISTANCE_NOTE)
        if not self.overall.leaks:
            notes.append("no triplet holds nearly the same text in two roles")
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
                f"({counts}), which may turn every result around: "
                f"{plain(', '.join(names[:_NAMED]))}{more}"
            )
        return warnings


def _effect_grid(
    title: str, measures: Sequence[TripletEffect], pairs: Sequence[LanguagePair]
) -> Grid:
    lines = []
    for pair in pairs:
        found = {one.label: one.cohens_d.value for one in pair.measures}
        values = [found.get(one.label, math.nan) for one in measures]
        lines.append((pair.name, [*values, pair.length.cohens_d.value]))
    if len(lines) > 1:  # what is missing from a pair is missing from the average
        columns = zip(*(values for _, values in lines), strict=True)
        lines.append(("Average", [_mean(column) for column in columns]))
    strong = {
        (row, 1 + place)
        for row, (_, values) in enumerate(lines)
        for place in best_of(values[:-1])  # the baseline is no rival
    }
    heads: GridColumns = (
        "languages",
        *(effect(one.label) for one in measures),
        effect(LENGTH_ONLY),
    )
    cells = tuple((name, *values) for name, values in lines)
    return Grid(title, heads, cells, strong=frozenset(strong))


def _mean(values: Iterable[float]) -> float:
    known = list(values)
    return fmean(known) if all(map(math.isfinite, known)) else math.nan


def _detail_grid(pair: LanguagePair, level: float) -> Grid:
    leaking = any(one.without_leaks is not None for _, one in pair.effects)
    columns: GridColumns = (
        "measure",
        *map(effect, ("d", percent_text(level), "AUC", "won", "paired d")),
        *("positive", "negative", effect("d lengths out"), "d equal length (n)"),
        *(effect("d without leaks", shown=leaking), "n", Column("failed", optional=True)),
    )
    cells = tuple(
        (
            *(name, one.cohens_d, one.cohens_d.known, one.auc, one.win_rate, one.paired_d),
            *(one.positive_mean, one.negative_mean, one.adjusted_d),
            f"{effect_text(one.equal_length.cohens_d.value)} ({one.equal_length.triplets:,})",
            *(one.without_leaks, one.n, one.failed),
        )
        for name, one in pair.effects
    )
    title = (
        f"{pair.name}: {count_text(pair.triplets, 'triplet')} "
        f"of {count_text(pair.problems, 'problem')}"
    )
    return Grid(title, columns, cells)


def _leak_grids(leaks: Sequence[Leak]) -> list[Grid]:
    if not leaks:
        return []
    elsewhere = any(one.elsewhere for one in leaks[:_SHOWN])
    columns: GridColumns = (
        *("triplet", "problem", "roles", Column("first role in", shown=elsewhere), "kind"),
        effect("likeness"),
    )
    cells = tuple(
        (one.triplet, one.problem or "", one.roles, one.elsewhere or "", one.kind, one.similarity)
        for one in leaks[:_SHOWN]
    )
    some = f", the first {_SHOWN} of {len(leaks):,}" if len(leaks) > _SHOWN else ""
    return [Grid(f"Leaks{some}", columns, cells, keys=len(columns) - 1)]
