"""evaluate_adequacy: which criteria measures break, how often, and the smallest case."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, ClassVar, Literal

from codekin.errors import CodekinError, UnknownNameError
from codekin.evaluation.adequacy.case import Case, SlotKind
from codekin.evaluation.adequacy.criteria import Criterion, chosen_criteria
from codekin.evaluation.adequacy.documents import made_languages
from codekin.evaluation.adequacy.generators import generate_cases
from codekin.languages import get_language
from codekin.measures import Measure, distinct, measure_label
from codekin.results import (
    LEFT_OUT,
    NOTHING,
    UNKNOWN,
    Grid,
    Interval,
    Level,
    Result,
    count_text,
    keyed,
    measure_cell,
    named,
    percent_text,
    share_text,
)
from codekin.runs.settings import chosen_measures
from codekin.runs.shard_scoring import RecentSources
from codekin.source import Source
from codekin.statistics.proportion import wilson_interval

__all__ = [
    "AdequacyJudgement",
    "Checked",
    "CounterExample",
    "MeasureAdequacy",
    "Scorer",
    "Split",
    "Verdict",
    "evaluate_adequacy",
    "judge_adequacy",
    "shrink",
]


@dataclass(frozen=True)
class Checked:
    """The scores of a case by a measure.

    Attributes
    ----------
    values : tuple of float
        The scores as the measure gave them, in the order of the criterion's triples.
    kept : bool
        Whether they meet the criterion.
    """

    values: tuple[float, ...]
    kept: bool


class Scorer:
    """A measure that scores cases.

    Parameters
    ----------
    measure : Measure
    sources : RecentSources
        Shared by the scorers of several measures.
    """

    def __init__(self, measure: Measure, sources: RecentSources) -> None:
        self.measure = measure
        self._sources = sources

    def check(self, criterion: Criterion, case: Case) -> Checked:
        """Score a case and check the criterion.

        Raises
        ------
        CodekinError
            If the measure cannot score it, whatever the reason.
        """
        texts = [self._sources.get((text, case.language)) for text in case.texts]
        known: dict[tuple[str, str, str], float] = {}
        values = []
        for triple in criterion.triples:
            candidate, reference, origin = (texts[i] for i in triple)
            key = candidate.text, reference.text, origin.text
            if key not in known:
                known[key] = self._score(candidate, reference, origin)
            values.append(known[key])
        return Checked(tuple(values), criterion.kept(self._oriented(values), case))

    def _score(self, candidate: Source, reference: Source, origin: Source) -> float:
        try:
            return float(self.measure.score(candidate, reference, origin).value)
        except CodekinError:
            raise
        except Exception as error:  # whatever a third-party measure does
            raise CodekinError(f"{type(error).__name__}: {error}") from error

    def _oriented(self, values: Sequence[float]) -> Sequence[float]:
        """Scores where 1 means equal: a distance d has no upper bound and becomes 1 / (1 + d)."""
        if not self.measure.distance:
            return values
        return [1 / (1 + max(0.0, value)) for value in values]


_PIECE = re.compile(r"\s*(?:\w+|[^\w\s])\s*?(?=\s|\S|\Z)")
_NAME = re.compile(r"[^\W\d]")
_PAIRS = (("(", ")"), ("[", "]"), ("{", "}"))
_LONGEST = 5
_DROPPED = {SlotKind.SHARED, SlotKind.EDIT}


def shrink(case: Case, broken: Callable[[Case], bool], *, steps: int = 250) -> Case:
    """Remove slots, and then words, as long as the case stays broken.

    Parameters
    ----------
    case : Case
        A broken one.
    broken : callable
        Whether a case is valid for its criterion, and breaks it.
    steps : int
        How often it may be called.

    Returns
    -------
    Case
        Broken, and no larger.

    Examples
    --------
    >>> from codekin.evaluation.adequacy.case import Slot
    >>> slots = tuple(Slot((f"{word} ", f"{word} ")) for word in "abcd")
    >>> small = shrink(Case("6", 0, "c", "token", True, slots), lambda one: "c" in one.texts[0])
    >>> small.texts
    ('c ', 'c ')
    """
    shrinker = _Shrinker(case, broken, steps)
    while shrinker.drop_slots() | shrinker.trim_texts():
        pass
    return shrinker.case


class _Shrinker:
    """A case that gets smaller, and how many checks are left."""

    def __init__(self, case: Case, broken: Callable[[Case], bool], steps: int) -> None:
        self.case = case
        self._broken = broken
        self._left = steps

    def _take(self, smaller: Case) -> bool:
        """Take a smaller case if it stays broken and there are steps left to check that."""
        if self._left <= 0 or not smaller.sound():
            return False
        self._left -= 1
        if self._broken(smaller):
            self.case = smaller
            return True
        return False

    def drop_slots(self) -> bool:
        """Remove slots, many in a row at first; return whether any was removed."""
        before = self.case
        length = len(self._free())
        while length and self._left > 0:
            start = 0
            while gone := self._free()[start : start + length]:
                kept = [slot for i, slot in enumerate(self.case.slots) if i not in gone]
                if not self._take(replace(self.case, slots=tuple(kept))):
                    start += length
            length //= 2
        return self.case is not before

    def _free(self) -> list[int]:
        return [i for i, slot in enumerate(self.case.slots) if slot.kind in _DROPPED]

    def trim_texts(self) -> bool:
        """Remove words, one text after the other; return whether any was removed."""
        if self.case.level == "block":  # half a function reads badly
            return False
        return any(self._take(smaller) for smaller in _trimmed(self.case))


def _trimmed(case: Case) -> Iterator[Case]:
    """Cases in which some words of a text are removed wherever that text occurs."""
    whole = {text for slot in case.slots if slot.kind is SlotKind.WHOLE for text in slot.texts}
    standing = dict.fromkeys(text for slot in case.slots for text in slot.texts if text)
    for text in standing:
        if text in whole:
            continue
        for shorter in _shorter(text):
            if shorter not in standing:
                slots = tuple(
                    replace(s, texts=tuple(shorter if own == text else own for own in s.texts))
                    for s in case.slots
                )
                yield replace(case, slots=slots)


def _shorter(text: str) -> Iterator[str]:
    """The text without some words, most first; a name is left, and brackets stay balanced."""
    pieces = _PIECE.findall(text)
    end = text[len("".join(pieces)) :]
    front = text[: len(text) - len(text.lstrip(" "))]
    back = " " if text.endswith(" ") else ""
    for gone in _runs(len(pieces)):
        rest = "".join(piece for i, piece in enumerate(pieces) if i not in gone) + end
        if _NAME.search(rest) and all(rest.count(a) == rest.count(b) for a, b in _PAIRS):
            yield front + rest.strip(" ") + back


def _runs(length: int) -> Iterator[Container[int]]:
    """Positions to remove: runs, the longest first, and then any two."""
    for size in sorted({length // 2, *range(1, min(length, _LONGEST))}, reverse=True):
        for start in range(length - size + 1) if size else ():
            yield range(start, start + size)
    if length <= 2 * _LONGEST:
        yield from (frozenset(pair) for pair in combinations(range(length), 2))


_CANDIDATES = 3
"""How many of the smallest broken cases to shrink, to keep the smallest result."""


@dataclass(frozen=True)
class CounterExample:
    """A case that breaks a criterion, made as small as possible.

    Attributes
    ----------
    case : Case
    values : tuple of float
        Its scores, in the order of the criterion's triples.
    """

    case: Case
    values: tuple[float, ...]


@dataclass(frozen=True)
class ExampleTexts:
    """A counter-example with its texts and scores by name.

    Attributes
    ----------
    number : int
        Of the case that it was shrunk from.
    language : str
    level : str
        What was edited.
    made : bool
        Whether the document was generated; otherwise it is a real program.
    texts : mapping of str to str
        By role.
    scores : mapping of str to float
        By name.
    """

    number: int
    language: str
    level: str
    made: bool
    texts: Mapping[str, str]
    scores: Mapping[str, float]


@dataclass(frozen=True)
class Split:
    """The cases of one language, or one level, and how many of them break a criterion."""

    name: str
    cases: int
    broken: int


@dataclass(frozen=True)
class Verdict:
    """The verdict of a criterion on a measure.

    Attributes
    ----------
    criterion : Criterion
    cases, broken, failed : int
        Cases that were scored, those of them that broke it, and those that could not be scored.
    share : float
        Of broken cases; nan if none was scored.
    interval : Interval
        Wilson's, of the share.
    by_level, by_language : tuple of Split
    reason : str or None
        Why the criterion does not apply, or why cases could not be scored.
    counter_example : CounterExample or None
    """

    computed: ClassVar[Mapping[str, str]] = {"verdict": "word", "counter_example": "example"}

    criterion: Criterion = field(metadata=LEFT_OUT)
    cases: int
    broken: int
    failed: int
    share: float
    interval: Interval = field(metadata=named("ci"))
    by_level: tuple[Split, ...]
    by_language: tuple[Split, ...]
    reason: str | None
    counter_example: CounterExample | None = field(metadata=LEFT_OUT)

    @property
    def name(self) -> str:
        """The name of the criterion."""
        return self.criterion.name

    @property
    def word(self) -> Literal["holds", "fails", "does not apply"]:
        """The verdict in words."""
        return "does not apply" if not self.cases else "fails" if self.broken else "holds"

    @property
    def example(self) -> ExampleTexts | None:
        """The smallest counter-example; None if the criterion is not broken."""
        if self.counter_example is None:
            return None
        case, values = self.counter_example.case, self.counter_example.values
        return ExampleTexts(
            *(case.number, case.language, case.level, case.made),
            texts=dict(zip(self.criterion.roles, case.texts, strict=True)),
            scores=dict(zip(self.criterion.labels, values, strict=True)),
        )

    def __str__(self) -> str:
        return f"{self.word} ({share_text(self.share, 0)})" if self.broken else self.word


@dataclass(frozen=True)
class MeasureAdequacy:
    """The verdicts on one measure.

    Attributes
    ----------
    label, signature, summary : str
        The signature has no grammars, since cases are in several languages.
    distance, needs_origin : bool
    verdicts : tuple of Verdict
        In the order of the criteria.
    """

    label: str = field(metadata=LEFT_OUT)
    signature: str
    summary: str
    distance: bool
    needs_origin: bool
    verdicts: tuple[Verdict, ...] = field(metadata=keyed("name"))

    def __getitem__(self, name: str) -> Verdict:
        """The verdict by a criterion's name."""
        for one in self.verdicts:
            if one.criterion.name == name:
                return one
        raise UnknownNameError("criterion", name, (one.criterion.name for one in self.verdicts))


@dataclass(frozen=True)
class AdequacyJudgement(Result):
    """The verdicts on several measures, from the same cases.

    Attributes
    ----------
    cases, seed : int
        Cases per criterion, and their seed.
    level : float
        Of the intervals.
    languages : tuple of str
    criteria : tuple of Criterion
    measures : tuple of MeasureAdequacy
    """

    cases: int
    seed: int
    level: Level
    languages: tuple[str, ...]
    criteria: tuple[Criterion, ...] = field(metadata=keyed("name"))
    measures: tuple[MeasureAdequacy, ...] = field(metadata=keyed("label"))

    def grids(self) -> list[Grid]:
        """What the criteria ask, and measures down against criteria across."""
        criteria = tuple((one.name, one.title, one.asks) for one in self.criteria)
        verdicts = tuple(
            (measure_cell(one.label, one.distance), *map(_short, one.verdicts))
            for one in self.measures
        )
        heads = ("measure", *(one.name for one in self.criteria))
        return [
            Grid("Criteria", ("", "property", "what it asks"), criteria, keys=3),
            Grid("Cases that break each criterion; holds: none of them", heads, verdicts),
            *(self._verdict_grid(one) for one in self.measures if len(self.measures) == 1),
        ]

    def _verdict_grid(self, one: MeasureAdequacy) -> Grid:
        """Each verdict on a measure, with its interval and by what was edited."""
        cells = []
        for verdict in one.verdicts:
            parts = ", ".join(f"{s.name} {s.broken:,} of {s.cases:,}" for s in verdict.by_level)
            low, high = verdict.interval.low, verdict.interval.high
            ends = f"{100 * low:.1f} to {100 * high:.1f} %" if verdict.cases else NOTHING
            cells.append((verdict.name, str(verdict), ends, parts or verdict.reason or NOTHING))
        heads = ("", "verdict", percent_text(self.level), "broken, by what was edited")
        return Grid(f"Verdicts on {one.label}", heads, tuple(cells), keys=2)

    def table(self) -> Grid:
        """One record per measure and criterion."""
        columns = (
            *("measure", "criterion", "property", "asks", "verdict", "cases", "broken", "failed"),
            *("share", "ci", "reason"),
        )
        cells = tuple(
            (
                *(one.label, verdict.name, verdict.criterion.property, verdict.criterion.asks),
                *(verdict.word, verdict.cases, verdict.broken, verdict.failed),
                *(verdict.share, verdict.interval, verdict.reason),
            )
            for one in self.measures
            for verdict in one.verdicts
        )
        return Grid("", columns, cells)

    def notes(self) -> list[str]:
        """How the verdicts were computed."""
        notes = [
            f"{count_text(self.cases, 'case')} of each criterion, seed {self.seed}, in "
            f"{', '.join(self.languages)}; percentages are of cases that break it",
        ]
        if any(one.name == "4" for one in self.criteria):
            notes.append(
                "4 follows the paper's text (an origin farther away makes its revisions more "
                "alike); its formula says the opposite"
            )
        if any(one.distance for one in self.measures):
            notes.append("↓ a distance, with its sign flipped")
        if any(not verdict.cases for one in self.measures for verdict in one.verdicts):
            notes.append(f"{NOTHING}: the criterion does not apply, or no case could be scored")
        return notes

    def warnings(self) -> list[str]:
        """What could not be scored, one line per measure."""
        lines = []
        for one in self.measures:
            failed = [verdict for verdict in one.verdicts if verdict.failed]
            if failed:
                number = sum(verdict.failed for verdict in failed)
                names = ", ".join(verdict.name for verdict in failed)
                lines.append(
                    f"{one.label}: {count_text(number, 'case')} of {names} could not be scored; "
                    f"the first: {failed[0].reason}"
                )
        return lines


def _short(verdict: Verdict) -> str:
    """A verdict as a cell of the table of all measures."""
    if not verdict.cases:
        return NOTHING
    return str(verdict).removeprefix("fails (").removesuffix(")")


@dataclass
class _Tally:
    """Counts for one measure and one criterion."""

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
            self.reason if self.reason or cases else "no such case could be generated",
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
        Cases per criterion.
    seed : int
    level : float
        Of the intervals.
    languages : sequence of str
    programs : mapping of str to sequence of str
        Code of each language, to be edited.
    report : callable, optional
        Called with the number of criteria done, and of all.
    """
    sources = RecentSources()
    scorers = [Scorer(one, sources) for one in measures]
    found: list[list[Verdict]] = [[] for _ in measures]
    for done, criterion in enumerate(criteria, 1):
        tallies = [_Tally() for _ in measures]
        applies = [not (criterion.bounded and one.distance) for one in measures]
        for case in generate_cases(
            criterion, cases, seed=seed, languages=languages, programs=programs
        ):
            for scorer, tally, counted in zip(scorers, tallies, applies, strict=True):
                if counted:
                    tally.add(scorer, criterion, case)
        for own, scorer, tally, counted in zip(found, scorers, tallies, applies, strict=True):
            own.append(
                tally.verdict(scorer, criterion, level) if counted else _not_applicable(criterion)
            )
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


def _not_applicable(criterion: Criterion) -> Verdict:
    why = "it requires scores from 0 to 1, and this is a distance"
    return Verdict(criterion, 0, 0, 0, math.nan, UNKNOWN, (), (), why, None)


_MOST_CASES = 100_000


def evaluate_adequacy(
    measures: Any = None,
    *,
    cases: int = 200,
    seed: int = 0,
    languages: str | Sequence[str] | None = None,
    criteria: str | Sequence[str] | None = None,
    level: float = 0.95,
    report: Callable[[int, int], None] | None = None,
) -> AdequacyJudgement:
    """Judge measures by the adequacy criteria of the Excision Score paper.

    Each criterion is checked on generated cases: an origin, and revisions of it whose edits are
    known.

    Parameters
    ----------
    measures : str, Measure, any object with a ``score``, or a sequence of them, optional
        Every measure by default.
    cases : int
        Cases per criterion.
    seed : int
        Of the generated cases.
    languages : str or sequence of str, optional
        The languages of the cases: python, java, c, cpp, javascript; all by default.
    criteria : str or sequence of str, optional
        Such as ``1b``, or ``3`` for all of the third property; all by default.
    level : float
        Of the intervals.
    report : callable, optional
        Called with the number of criteria done, and of all.

    Examples
    --------
    >>> bleu = evaluate_adequacy("bleu", criteria=["1a", "3d"], cases=20).measures[0]
    >>> [(one.criterion.name, str(one)) for one in bleu.verdicts]
    [('1a', 'holds'), ('3d', 'fails (100 %)')]
    """
    from codekin.evaluation.card import bundled_programs  # loads pyarrow

    if isinstance(cases, bool) or not isinstance(cases, int) or not 1 <= cases <= _MOST_CASES:
        raise CodekinError(f"cases must be a whole number from 1 to {_MOST_CASES:,}, not {cases!r}")
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise CodekinError(f"seed must be a whole number from 0, not {seed!r}")
    if not isinstance(level, int | float) or not 0 < level < 1:
        raise CodekinError(f"level must be between 0 and 1, not {level!r}")
    names = [criteria] if isinstance(criteria, str) else criteria
    chosen, _ = chosen_measures(measures, origin=True)
    spoken = _languages([languages] if isinstance(languages, str) else languages)
    programs: dict[str, list[str]] = {name: [] for name in spoken}
    for row in bundled_programs():
        if row["language"] in programs:
            programs[row["language"]].append(row["code"])
    return judge_adequacy(
        chosen,
        chosen_criteria(names),
        cases=cases,
        seed=seed,
        level=level,
        languages=spoken,
        programs=programs,
        report=report,
    )


def _languages(given: Sequence[str] | None) -> tuple[str, ...]:
    if given is None:
        return made_languages()
    names = tuple(dict.fromkeys(get_language(name).name for name in given))
    unknown = [name for name in names if name not in made_languages()]
    if unknown or not names:
        what = f"in {unknown[0]!r}" if unknown else "without a language"
        raise CodekinError(f"no cases are made {what}; choose among {', '.join(made_languages())}")
    return names
