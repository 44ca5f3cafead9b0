"""judge_adequacy: which criteria a measure keeps, how often not, and the smallest case of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from codekin.errors import CodekinError
from codekin.evaluation.adequacy.case import Case
from codekin.evaluation.adequacy.criteria import Criterion
from codekin.evaluation.adequacy.generators import generate_cases
from codekin.evaluation.adequacy.scorer import Scorer, Sources
from codekin.evaluation.adequacy.shrinking import shrink
from codekin.evaluation.bootstrap import UNKNOWN, Interval
from codekin.evaluation.proportion import wilson_interval
from codekin.measures import Measure, distinct, measure_label

__all__ = [
    "AdequacyJudgement",
    "CounterExample",
    "MeasureAdequacy",
    "Split",
    "Verdict",
    "judge_adequacy",
]

_CANDIDATES = 3
"""How many of the smallest broken cases are made smaller still, to keep the smallest of these."""


@dataclass(frozen=True)
class CounterExample:
    """A case that breaks a criterion, made as small as it goes.

    Attributes
    ----------
    case : Case
    values : tuple of float
        Its scores, in the order of the criterion's triples.
    """

    case: Case
    values: tuple[float, ...]


@dataclass(frozen=True)
class Split:
    """The cases of one language, or one level."""

    name: str
    cases: int
    broken: int


@dataclass(frozen=True)
class Verdict:
    """What the cases of a criterion say of a measure.

    Attributes
    ----------
    criterion : Criterion
    cases, broken, failed : int
        How many were scored, how many of these broke it, and how many could not be scored.
    share : float
        Of broken cases; nan where there are none.
    interval : Interval
        Wilson's, of the share.
    by_level, by_language : tuple of Split
    reason : str or None
        Why the criterion does not apply, or why cases could not be scored.
    counter_example : CounterExample or None
    """

    criterion: Criterion
    cases: int
    broken: int
    failed: int
    share: float
    interval: Interval
    by_level: tuple[Split, ...]
    by_language: tuple[Split, ...]
    reason: str | None
    counter_example: CounterExample | None

    @property
    def word(self) -> str:
        """The verdict: ``holds``, ``fails`` or ``does not apply``."""
        return "does not apply" if not self.cases else "fails" if self.broken else "holds"

    def __str__(self) -> str:
        return f"{self.word} ({_percent(self.share)})" if self.broken else self.word


def _percent(share: float) -> str:
    """A share in whole percents; it reads 0 or 100 only where it is."""
    whole = round(100 * share)
    return f"{whole if share in (0.0, 1.0) else min(max(whole, 1), 99)} %"


@dataclass(frozen=True)
class MeasureAdequacy:
    """The verdicts on one measure.

    Attributes
    ----------
    label, signature, summary : str
        The signature has no grammars, since cases are of several languages.
    distance, needs_origin : bool
    verdicts : tuple of Verdict
        In the order of the criteria.
    """

    label: str
    signature: str
    summary: str
    distance: bool
    needs_origin: bool
    verdicts: tuple[Verdict, ...]

    def __getitem__(self, name: str) -> Verdict:
        """The verdict by a criterion's name."""
        return next(one for one in self.verdicts if one.criterion.name == name)


@dataclass(frozen=True)
class AdequacyJudgement:
    """The verdicts on several measures by the same cases.

    Attributes
    ----------
    cases, seed : int
        How many were asked for of each criterion, and by which chance.
    level : float
        Of the intervals.
    languages : tuple of str
    criteria : tuple of Criterion
    measures : tuple of MeasureAdequacy
    """

    cases: int
    seed: int
    level: float
    languages: tuple[str, ...]
    criteria: tuple[Criterion, ...]
    measures: tuple[MeasureAdequacy, ...]


@dataclass
class _Tally:
    """What is counted of one measure while it meets the cases of one criterion."""

    by_level: dict[str, list[int]] = field(default_factory=dict)
    by_language: dict[str, list[int]] = field(default_factory=dict)
    broken: list[Case] = field(default_factory=list)
    failed: int = 0
    reason: str | None = None

    def add(self, scorer: Scorer, criterion: Criterion, case: Case) -> None:
        try:
            kept = scorer.check(criterion, case).kept
        except CodekinError as error:
            self.failed += 1
            self.reason = self.reason or f"not scored: {error}"
            return
        for counts, key in ((self.by_level, case.level), (self.by_language, case.language)):
            both = counts.setdefault(key, [0, 0])
            both[0] += 1
            both[1] += not kept
        if not kept:
            self.broken.append(case)

    def verdict(self, scorer: Scorer, criterion: Criterion, level: float) -> Verdict:
        cases = sum(own[0] for own in self.by_level.values())
        broken = len(self.broken)
        return Verdict(
            criterion,
            cases,
            broken,
            self.failed,
            broken / cases if cases else math.nan,
            wilson_interval(broken, cases, level),
            _splits(self.by_level),
            _splits(self.by_language),
            self.reason if self.reason or cases else "no such case could be made",
            _smallest(self.broken, scorer, criterion) if broken else None,
        )


def _splits(counts: Mapping[str, Sequence[int]]) -> tuple[Split, ...]:
    return tuple(Split(name, *both) for name, both in sorted(counts.items()))


def _smallest(broken: Sequence[Case], scorer: Scorer, criterion: Criterion) -> CounterExample:
    """The smallest counter-example that the smallest broken cases shrink to."""

    def stays_broken(case: Case) -> bool:
        try:
            return not scorer.check(criterion, case).kept
        except CodekinError:
            return False

    first = sorted(broken, key=lambda case: (case.size, case.number))[:_CANDIDATES]
    smallest = min((shrink(case, stays_broken) for case in first), key=lambda case: case.size)
    return CounterExample(smallest, scorer.check(criterion, smallest).values)


def judge_adequacy(
    measures: Sequence[Measure],
    criteria: Sequence[Criterion],
    *,
    cases: int = 200,
    seed: int = 0,
    level: float = 0.95,
    languages: Sequence[str],
    programs: Mapping[str, Sequence[str]],
    report: Callable[[int, int], None] | None = None,
) -> AdequacyJudgement:
    """Check measures against criteria.

    Parameters
    ----------
    measures : sequence of Measure
    criteria : sequence of Criterion
    cases : int
        How many of each criterion.
    seed : int
    level : float
        Of the intervals.
    languages : sequence of str
    programs : mapping of str to sequence of str
        Code of each language, to put edits into.
    report : callable, optional
        Called with the number of criteria that are done, and of all.
    """
    sources = Sources()
    scorers = [Scorer(one, sources) for one in measures]
    found: list[list[Verdict]] = [[] for _ in measures]
    for done, criterion in enumerate(criteria, 1):
        tallies = [_Tally() for _ in measures]
        asked = [not (criterion.bounded and one.distance) for one in measures]
        for case in generate_cases(
            criterion, cases, seed=seed, languages=languages, programs=programs
        ):
            for scorer, tally, counts in zip(scorers, tallies, asked, strict=True):
                if counts:
                    tally.add(scorer, criterion, case)
        for own, scorer, tally, counts in zip(found, scorers, tallies, asked, strict=True):
            own.append(tally.verdict(scorer, criterion, level) if counts else _not_asked(criterion))
        if report is not None:
            report(done, len(criteria))
    labels = distinct(measure_label(one) for one in measures)
    judged = tuple(
        MeasureAdequacy(
            label, one.signature(), one.summary, one.distance, one.needs_origin, tuple(own)
        )
        for label, one, own in zip(labels, measures, found, strict=True)
    )
    return AdequacyJudgement(cases, seed, level, tuple(languages), tuple(criteria), judged)


def _not_asked(criterion: Criterion) -> Verdict:
    why = "it asks for scores from 0 to 1, and this is a distance"
    return Verdict(criterion, 0, 0, 0, math.nan, UNKNOWN, (), (), why, None)
