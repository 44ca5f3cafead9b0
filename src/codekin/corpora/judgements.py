"""What people said of sampled pairs: precision with an interval, and the agreement of judges.

What they exported is JSON that is checked field by field; nothing of it runs.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from codekin.corpora.judging import ANSWERS, EXPORT_FORMAT, EXPORT_KIND, STRATA, JudgingStratum
from codekin.corpora.snippets import Problems
from codekin.errors import CodekinError
from codekin.plain_text import plain
from codekin.results import (
    INLINED,
    UNKNOWN,
    Column,
    Estimate,
    Grid,
    GridColumns,
    Interval,
    Level,
    Result,
    Section,
    count_text,
    percent_text,
    with_interval,
)
from codekin.runs.row import whole_characters
from codekin.runs.rows import type_name
from codekin.statistics.agreement import answer_table, kappa_of
from codekin.statistics.bootstrap import bootstrap
from codekin.statistics.proportion import stratified_proportion, wilson_interval
from codekin.statistics.resampling import check_resampling

__all__ = [
    "AnswerAgreement",
    "Disagreement",
    "JudgeAgreement",
    "JudgeResult",
    "Judged",
    "JudgedCounts",
    "JudgedStratum",
    "Judgements",
    "judged",
    "read_judgements",
]

OPEN = len(ANSWERS)
"""In place of an answer: the judge has given none."""

_LARGEST = 64_000_000
"""Bytes of an export; one of 2,000 pairs with long notes has a few millions."""
_CLONE, _OTHER, _UNDECIDED = range(len(ANSWERS))
_ALL = "all"
_MAJORITY = "majority"
_SHOWN = 30
"""Disagreements that a table for people has at most."""

_Answers = npt.NDArray[np.int64]
"""Of one judge, or of several in rows."""


@dataclass(frozen=True)
class JudgedCounts:
    """What a judge said of some pairs.

    Attributes
    ----------
    pairs : int
        In the sample.
    clones, others, undecided : int
        Judged as clones, as no clones, and left undecided.
    open : int
        Without an answer.
    share : float
        Of clones among the decided pairs; weighted by the sizes of the strata where it is of
        several.
    interval : Interval
        Of the share.
    """

    pairs: int
    clones: int
    others: int
    undecided: int
    open: int
    share: float
    interval: Interval


@dataclass(frozen=True)
class JudgedStratum:
    """What a judge said of the pairs of a stratum that are called clones.

    Attributes
    ----------
    name : str
    size : int
        Pairs called clones in the whole stratum, sampled or not.
    counts : JudgedCounts
    """

    name: str
    size: int
    counts: JudgedCounts = field(metadata=INLINED)


@dataclass(frozen=True)
class JudgeResult:
    """The answers of a judge.

    Attributes
    ----------
    judge : str
        The name, that of the file where none was given; ``majority`` for what most judges said.
    file : str or None
        The export.
    claimed : JudgedCounts
        Of the pairs called clones; its share is the precision.
    strata : tuple of JudgedStratum
        The same by stratum; empty where the sample has none.
    unclaimed : JudgedCounts or None
        Of the pairs called no clones; its share is that of missed clones. None without such pairs.
    """

    judge: str
    file: str | None
    claimed: JudgedCounts
    strata: tuple[JudgedStratum, ...]
    unclaimed: JudgedCounts | None


@dataclass(frozen=True)
class AnswerAgreement:
    """How often two judges gave the same answer.

    Attributes
    ----------
    pairs : int
    observed : float
        The share of pairs with the same answer.
    observed_ci : Interval
    kappa : Estimate
        Cohen's kappa; nan where both judges gave one and the same answer throughout.
    """

    pairs: int
    observed: float
    observed_ci: Interval
    kappa: Estimate = field(metadata=with_interval())


@dataclass(frozen=True)
class Disagreement:
    """A pair that two judges answered differently.

    Attributes
    ----------
    id1, id2 : str
    answers : (str, str)
        Of the first and the second judge.
    """

    id1: str
    id2: str
    answers: tuple[str, str]


@dataclass(frozen=True)
class JudgeAgreement:
    """The agreement of two judges.

    Attributes
    ----------
    judges : (str, str)
    decided : AnswerAgreement
        On the pairs that both called clones or no clones.
    answered : AnswerAgreement
        On all pairs that both answered, undecided being an answer like the others.
    table : tuple of (int, int, int)
        How often each answer of the first judge met each of the second, in the order clone, no
        clone, undecided.
    disagreements : tuple of Disagreement
    """

    judges: tuple[str, str]
    decided: AnswerAgreement
    answered: AnswerAgreement
    table: tuple[tuple[int, int, int], ...]
    disagreements: tuple[Disagreement, ...]


@dataclass(frozen=True)
class Judged(Result):
    """What people said of sampled pairs: precision, and how far judges agree.

    Attributes
    ----------
    corpus : str
    sample : str
        The fingerprint of the sample.
    by : str or None
        What the sample is stratified by.
    level : float
        Of the intervals.
    judges : tuple of JudgeResult
        One per export; of several judges also the majority.
    agreements : tuple of JudgeAgreement
        One per two judges.
    """

    corpus: str
    sample: str
    by: str | None
    level: Level
    judges: tuple[JudgeResult, ...]
    agreements: tuple[JudgeAgreement, ...]

    def grids(self) -> list[Grid]:
        """Precision per judge and stratum, agreement, and the pairs that judges differ on."""
        found = [self.table()]
        missed = tuple(
            (plain(one.judge), *_cells(one.unclaimed)) for one in self.judges if one.unclaimed
        )
        if missed:
            columns: GridColumns = ("judge", *_columns("share of clones"))
            found.append(Grid("Pairs that are called no clones", columns, missed))
        if self.agreements:
            found.append(self._agreement())
        for one in self.agreements:
            found += _details(one)
        return found

    def table(self) -> Grid:
        """Precision, with a line per judge and stratum."""
        cells = []
        for one in self.judges:
            total = sum(part.size for part in one.strata) or None
            cells.append((plain(one.judge), _ALL, total, *_cells(one.claimed)))
            cells += [
                (plain(one.judge), plain(part.name), part.size, *_cells(part.counts))
                for part in one.strata
            ]
        stratified = self.by is not None
        columns: GridColumns = (
            "judge",
            Column(self.by or "", "stratum", shown=stratified),
            Column("in all", "size", shown=stratified, meaning="pairs that were drawn from"),
            *_columns("precision"),
        )
        return Grid("Precision", columns, tuple(cells), keys=2)

    def section(self) -> Section:
        """The tables under the name of the corpus."""
        return Section(f"Judged pairs of {plain(self.corpus)}", content=tuple(self.grids()))

    def _agreement(self) -> Grid:
        cells: list[tuple[Any, ...]] = []
        for one in self.agreements:
            judges = (plain(one.judges[0]), plain(one.judges[1]))
            kinds = [("decided by both", one.decided), ("answered by both", one.answered)]
            for what, found in kinds[: 1 if one.decided.pairs == one.answered.pairs else 2]:
                agreement = (found.pairs, found.observed, found.observed_ci)
                kappa = (found.kappa.value, found.kappa.known)
                cells.append((*judges, what, *agreement, *kappa))
        columns = (
            *("judge", "other judge", "on pairs", "pairs"),
            Column("agreement", digits=3),
            Column(f"{percent_text(self.level)} interval", "agreement_ci", digits=3),
            Column("kappa", digits=3),
            Column(f"{percent_text(self.level)} interval", "kappa_ci", digits=3),
        )
        return Grid("Agreement of judges", columns, tuple(cells), keys=3)

    def notes(self) -> list[str]:
        """How the values were computed."""
        found = [
            "Precision is the share of clones among the decided pairs that are called clones; "
            f"{percent_text(self.level)} intervals are Wilson's."
        ]
        if self.by is not None:
            found.append(
                f"The precision of all pairs weights each {self.by} by its size; its interval "
                "combines those of the strata (Zou and Donner)."
            )
        if self.agreements:
            found.append(
                "The majority calls a pair a clone if more judges call it a clone than not; a tie "
                "is undecided. Cohen's kappa, with a bootstrap interval, is 1 where judges always "
                "agree, and 0 where they agree as often as by chance."
            )
        return found

    def warnings(self) -> list[str]:
        """Answers that are missing."""
        found = []
        for one in self.judges:
            left = one.claimed.open + (one.unclaimed.open if one.unclaimed else 0)
            if left and one.file is not None:
                found.append(f"{plain(one.judge)} has not answered {count_text(left, 'pair')}")
            unknown = [plain(p.name) for p in one.strata if p.size and math.isnan(p.counts.share)]
            if unknown:
                found.append(
                    f"{plain(one.judge)}: the precision of all pairs leaves out {self.by} "
                    f"{', '.join(unknown)}, where nothing is decided"
                )
        return found


def _columns(share: str) -> tuple[Column, ...]:
    return (
        Column("pairs"),
        Column("clones"),
        Column("no clones", "others"),
        Column("undecided", optional=True),
        Column("no answer", "open", optional=True),
        Column(share, share.replace(" ", "_"), digits=3),
        Column("interval", f"{share.replace(' ', '_')}_ci", digits=3),
    )


def _cells(counts: JudgedCounts) -> tuple[Any, ...]:
    said = (counts.clones, counts.others, counts.undecided, counts.open)
    return (counts.pairs, *said, counts.share, counts.interval)


def _details(one: JudgeAgreement) -> list[Grid]:
    """The table of answers, and the first disagreements."""
    first, second = (plain(name) for name in one.judges)
    used = [
        i
        for i in range(len(ANSWERS))
        if i != _UNDECIDED or any(one.table[i]) or any(row[i] for row in one.table)
    ]
    rows = tuple((f"{first}: {ANSWERS[i]}", *(one.table[i][j] for j in used)) for i in used)
    heads = ("", *(f"{second}: {ANSWERS[j]}" for j in used))
    found = [Grid(f"Answers of {first} and {second}", heads, rows)]
    if one.disagreements:
        cells = tuple(
            (plain(pair.id1), plain(pair.id2), *pair.answers) for pair in one.disagreements[:_SHOWN]
        )
        more = len(one.disagreements) - len(cells)
        title = f"Pairs on which {first} and {second} differ"
        title += f", the first {_SHOWN} of {len(one.disagreements):,}" if more else ""
        found.append(Grid(title, ("first", "second", first, second), cells, keys=4))
    return found


def judged(
    *exports: str | Path, level: float = 0.95, resamples: int = 2000, seed: int = 0
) -> Judged:
    """Precision and agreement from the answers that judges exported.

    Parameters
    ----------
    *exports : str or Path
        JSON files that the page of a sample exported, one per judge.
    level : float
        Confidence level of the intervals.
    resamples, seed : int
        Of the bootstrap of kappa.

    Raises
    ------
    CodekinError
        If a file is not such an export, if they are of different samples, or if two have the same
        judge.
    """
    check_resampling(resamples, seed, level)
    if not exports:
        raise CodekinError("there is nothing to read; name a file that the page exported")
    read = [read_judgements(Path(one)) for one in exports]
    sample = read[0]
    for one in read[1:]:
        _check_same(sample, one)
    names = _judge_names(read)
    answers = np.array([one.answers for one in read])
    results = [
        _result(sample, name, plain(one.path.name), said, level)
        for name, one, said in zip(names, read, answers, strict=True)
    ]
    if len(read) > 1:
        results.append(_result(sample, _MAJORITY, None, _majority(answers), level))
    agreements = [
        _agreement(sample, (names[i], names[j]), answers[[i, j]], (level, resamples, seed))
        for i, j in combinations(range(len(read)), 2)
    ]
    return Judged(
        sample.corpus, sample.fingerprint, sample.by, level, tuple(results), tuple(agreements)
    )


def _check_same(first: Judgements, other: Judgements) -> None:
    if first.fingerprint != other.fingerprint:
        raise CodekinError(
            f"{other.path}: is of another sample ({other.fingerprint}) than {first.path} "
            f"({first.fingerprint}); agreement needs exports of the same page"
        )
    facts = [(one.corpus, one.by, one.strata, one.pairs) for one in (first, other)]
    if facts[0] != facts[1]:
        raise CodekinError(
            f"{other.path}: does not list the pairs of {first.path}, although it names the same "
            "sample; one of them was changed: export it again"
        )


def _judge_names(read: Sequence[Judgements]) -> list[str]:
    names = [one.judge or one.path.stem for one in read]
    for i, name in enumerate(names):
        if name in names[:i]:
            raise CodekinError(
                f"{read[i].path}: is by {plain(name)!r}, as {read[names.index(name)].path} is; "
                "give one export per judge, and different names to judges on the page"
            )
        if name == _MAJORITY and len(names) > 1:
            raise CodekinError(f"{read[i].path}: give the judge another name than {_MAJORITY!r}")
    return names


def _majority(answers: _Answers) -> _Answers:
    """For each pair what more judges said; undecided in case of a tie."""
    clones, others = (np.count_nonzero(answers == one, axis=0) for one in (_CLONE, _OTHER))
    found = np.where(clones > others, _CLONE, np.where(others > clones, _OTHER, _UNDECIDED))
    return np.where((answers == OPEN).all(axis=0), OPEN, found)


def _result(
    sample: Judgements, judge: str, file: str | None, said: _Answers, level: float
) -> JudgeResult:
    strata = np.array([one[2] for one in sample.pairs])
    claimed = np.array([one[3] != 0 for one in sample.pairs])
    sizes = [one.claimed for one in sample.strata]
    rest = [one.pairs - one.claimed for one in sample.strata]
    parts = [
        JudgedStratum(
            one.name, sizes[i], _counts(said, claimed & (strata == i), strata, sizes, level)
        )
        for i, one in enumerate(sample.strata)
        if sizes[i] and sample.by is not None
    ]
    missed = None if bool(claimed.all()) else _counts(said, ~claimed, strata, rest, level)
    whole = _counts(said, claimed, strata, sizes, level)
    return JudgeResult(judge, file, whole, tuple(parts), missed)


def _counts(
    said: _Answers,
    chosen: npt.NDArray[np.bool_],
    strata: npt.NDArray[np.int64],
    sizes: Sequence[int],
    level: float,
) -> JudgedCounts:
    clones, others, undecided, left = np.bincount(said[chosen], minlength=4).tolist()
    shares = []
    for i, size in enumerate(sizes):
        here = np.bincount(said[chosen & (strata == i)], minlength=4).tolist()
        shares.append((here[_CLONE], here[_CLONE] + here[_OTHER], float(size)))
    share, interval = stratified_proportion(shares, level)
    pairs = int(np.count_nonzero(chosen))
    return JudgedCounts(pairs, clones, others, undecided, left, share, interval)


def _agreement(
    sample: Judgements,
    judges: tuple[str, str],
    answers: _Answers,
    settings: tuple[float, int, int],
) -> JudgeAgreement:
    answered = (answers != OPEN).all(axis=0)
    decided = (answers < _UNDECIDED).all(axis=0)
    first, second = answers[:, answered]
    counts = answer_table(first, second, len(ANSWERS)).tolist()
    differ = np.flatnonzero(answered & (answers[0] != answers[1])).tolist()
    return JudgeAgreement(
        judges,
        _agreed(answers[:, decided], 2, settings),
        _agreed(answers[:, answered], len(ANSWERS), settings),
        tuple((row[0], row[1], row[2]) for row in counts),
        tuple(
            Disagreement(
                *sample.pairs[i][:2], (ANSWERS[int(answers[0, i])], ANSWERS[int(answers[1, i])])
            )
            for i in differ
        ),
    )


def _agreed(answers: _Answers, kinds: int, settings: tuple[float, int, int]) -> AnswerAgreement:
    level, resamples, seed = settings
    first, second = answers
    pairs, same = len(first), int(np.count_nonzero(first == second))
    if not pairs:
        return AnswerAgreement(0, math.nan, UNKNOWN, Estimate(math.nan, UNKNOWN, UNKNOWN))
    estimand = kappa_of(first, second, kinds)
    [kappa] = bootstrap([estimand], resamples=resamples, seed=seed, level=level)
    return AnswerAgreement(pairs, same / pairs, wilson_interval(same, pairs, level), kappa)


@dataclass(frozen=True)
class Judgements:
    """What an export holds.

    Attributes
    ----------
    path : Path
    judge : str
        Empty where the judge gave no name.
    fingerprint : str
        Of the sample.
    corpus : str
    by : str or None
    strata : tuple of JudgingStratum
    pairs : tuple of (str, str, int, int or None)
        The ids, the stratum and the label of each pair.
    answers : tuple of int
        Places in `ANSWERS`, `OPEN` where there is none.
    """

    path: Path
    judge: str
    fingerprint: str
    corpus: str
    by: str | None
    strata: tuple[JudgingStratum, ...]
    pairs: tuple[tuple[str, str, int, int | None], ...]
    answers: tuple[int, ...]


def read_judgements(path: str | Path) -> Judgements:
    """Read a file that the page of a sample exported.

    Raises
    ------
    CodekinError
        If it is not an export, or was damaged or changed; with each problem and its first cases.
    """
    path = Path(path)
    content = _read_json(path)
    if content.get("kind") != EXPORT_KIND:
        raise CodekinError(
            f"{path}: holds no judgements; export them from the page that codekin corpus judge "
            "writes"
        )
    if content.get("format") != EXPORT_FORMAT:
        raise CodekinError(
            f"{path}: is in format {content.get('format')!r}, and this codekin reads format "
            f"{EXPORT_FORMAT}"
        )
    problems = Problems(str(path))
    whole = _Fields(content, "the file", problems)
    sample = _Fields(whole.value("sample", dict), "sample", problems)
    strata = tuple(
        _stratum(_Fields(one, f"stratum {i}", problems))
        for i, one in enumerate(sample.value("strata", list), 1)
    )
    by = sample.value("by", str, none=True)
    if by is not None and by not in STRATA:
        problems.add("an unknown kind of strata", plain(by))
    fingerprint = sample.value("fingerprint", str)
    if not re.fullmatch(r"[0-9a-f]{16}", fingerprint):
        problems.add("a fingerprint other than 16 hex digits", plain(fingerprint)[:40])
    sample.value("seed", int)
    pairs, answers = [], []
    for i, one in enumerate(whole.value("pairs", list), 1):
        fields = _Fields(one, f"pair {i}", problems)
        pair = _pair(fields, len(strata))
        if fields.sound:
            pairs.append(pair)
            answers.append(_answer(fields))
    read = Judgements(
        path,
        whole.value("judge", str).strip(),
        fingerprint,
        sample.value("corpus", str),
        by,
        strata,
        tuple(pairs),
        tuple(answers),
    )
    for fields in (whole, sample):
        fields.nothing_else(("kind", "format"))
    if not pairs and not problems:
        problems.add("no pair", "pairs is empty")
    if len({frozenset(one[:2]) for one in pairs}) < len(pairs):
        problems.add("a pair that is listed twice", "pairs")
    _check_sizes(read, problems)
    if problems:
        raise CodekinError(
            f"{path}: {'; '.join(problems.lines())}; it was changed or damaged: export it again"
        )
    return read


def _read_json(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > _LARGEST:
            raise CodekinError(f"{path}: is too large for an export of judgements")
        content = json.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise CodekinError(f"{path}: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        raise CodekinError(
            f"{path}: is not JSON, or only a part of it; export the judgements again"
        ) from None
    if not isinstance(content, dict):
        raise CodekinError(
            f"{path}: holds no judgements; export them from the page that codekin corpus judge "
            "writes"
        )
    return content


class _Fields:
    """The fields of an object in an export; what is wrong with them is gathered."""

    def __init__(self, given: object, where: str, problems: Problems) -> None:
        self._given: Mapping[str, Any] = given if isinstance(given, dict) else {}
        self._where, self._problems = where, problems
        self._used: set[str] = set()
        self.sound = True
        if not isinstance(given, dict):
            self.wrong("not an object", type_name(given))

    def wrong(self, problem: str, case: str) -> None:
        """Record what is wrong."""
        self.sound = False
        self._problems.add(problem, f"{self._where}: {case}")

    def value(self, name: str, kind: type, *, none: bool = False) -> Any:
        """A field of a type; an empty value of the type where it has none."""
        self._used.add(name)
        value: Any = self._given.get(name)
        if name not in self._given:
            self.wrong("a field that is missing", name)
        elif value is None and none:
            return None
        elif type(value) is not kind:
            self.wrong("a field of the wrong type", f"{name} is {type_name(value)}")
        elif isinstance(value, int) and value < 0:
            self.wrong("a number below 0", name)
        else:
            return whole_characters(value) if isinstance(value, str) else value
        return kind()

    def nothing_else(self, more: Sequence[str] = ()) -> None:
        """Refuse fields that nobody asked for."""
        for name in sorted(set(self._given) - self._used - set(more)):
            self.wrong("an unknown field", plain(name))


def _stratum(fields: _Fields) -> JudgingStratum:
    found = JudgingStratum(
        fields.value("name", str), fields.value("pairs", int), fields.value("claimed", int)
    )
    fields.nothing_else()
    if found.claimed > found.pairs:
        fields.wrong("more clones than pairs", found.name)
    return found


def _pair(fields: _Fields, strata: int) -> tuple[str, str, int, int | None]:
    found = (
        fields.value("id1", str),
        fields.value("id2", str),
        fields.value("stratum", int),
        fields.value("label", int, none=True),
    )
    if found[2] >= strata:
        fields.wrong("a stratum that is not there", str(found[2]))
    if found[3] not in (None, 0, 1):
        fields.wrong("a label other than 0 and 1", str(found[3]))
    answer = fields.value("answer", str, none=True)
    if answer is not None and answer not in ANSWERS:
        fields.wrong("an unknown answer", plain(answer)[:40])
    fields.value("note", str)
    fields.nothing_else()
    return found


def _answer(fields: _Fields) -> int:
    answer = fields.value("answer", str, none=True)
    return OPEN if answer is None else ANSWERS.index(answer)


def _check_sizes(read: Judgements, problems: Problems) -> None:
    """No stratum can have fewer pairs than were drawn from it."""
    for i, one in enumerate(read.strata):
        labels = [label for *_, stratum, label in read.pairs if stratum == i]
        claimed = sum(label != 0 for label in labels)
        if claimed > one.claimed or len(labels) - claimed > one.pairs - one.claimed:
            problems.add("a stratum that is smaller than the sample of it", plain(one.name))
