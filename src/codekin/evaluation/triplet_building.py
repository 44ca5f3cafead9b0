"""build_triplets: triplets that judge measures, from submissions with a verdict."""

from __future__ import annotations

import gzip
import hashlib
import json
import lzma
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, ClassVar, NamedTuple, cast

from codekin.errors import CodekinError
from codekin.groups.code_files import MOST_BYTES
from codekin.groups.near_duplicates import (
    Fingerprint,
    compare_fingerprints,
    fingerprint,
    token_similarity,
)
from codekin.languages import get_language
from codekin.results import LEFT_OUT, Grid, Result, count_text
from codekin.runs.row import name_in, whole_characters
from codekin.runs.rows import Record, open_rows, type_name
from codekin.source import Source
from codekin.whole_files import whole_file

__all__ = [
    "MATCHED",
    "RANDOM",
    "Candidate",
    "Candidates",
    "Choice",
    "LeftOut",
    "Submission",
    "Triplet",
    "TripletCount",
    "TripletSet",
    "build_triplets",
    "check_name",
    "read_submission",
    "write_triplets",
]

_VERDICTS = {"true": True, "false": False, "1": True, "0": False}


@dataclass(frozen=True, slots=True)
class Submission:
    """A program that was submitted to a problem.

    Attributes
    ----------
    id : str
        As given, else the row's number from 1.
    problem : str
    language : str
        By codekin's name.
    code : str
    passed : bool
        The verdict.
    author : str or None
        None if unknown.
    """

    id: str
    problem: str
    language: str
    code: str
    passed: bool
    author: str | None = None

    def as_role(self) -> dict[str, str]:
        """The submission as a role in the row of a triplet."""
        role = {"language": self.language, "code": self.code, "id": self.id}
        return role if self.author is None else {**role, "author": self.author}


def read_submission(record: Record, number: int) -> Submission:
    """Check one record.

    Parameters
    ----------
    record : Record
        As the reader gave it.
    number : int
        Its position in the input, from 0.

    Raises
    ------
    CodekinError
        What is wrong with the row, but not where the row is.
    """
    given = record.fields
    if given is None:
        raise CodekinError(record.problem)
    problem = name_in(given, "problem")
    language = name_in(given, "language")
    if problem is None or language is None:
        raise CodekinError(f"no {'problem' if problem is None else 'language'}")
    return Submission(
        name_in(given, "id") or str(number + 1),
        problem,
        get_language(language).name,
        _code(given),
        _passed(given),
        name_in(given, "author"),
    )


def _code(given: Mapping[str, object]) -> str:
    code = given.get("code")
    if not isinstance(code, str):
        raise CodekinError(
            "no code" if code is None else f"code must be a text, not {type_name(code)}"
        )
    if "\0" in code:
        raise CodekinError("code holds a NUL byte; only text can be compared")
    if len(code) > MOST_BYTES:
        raise CodekinError(f"code is longer than {MOST_BYTES:,} characters")
    return whole_characters(code)


def _passed(given: Mapping[str, object]) -> bool:
    value = given.get("passed")
    if value is None or value == "":
        raise CodekinError("no verdict in 'passed'")
    verdict = None
    if isinstance(value, str):  # as all values are in CSV
        verdict = _VERDICTS.get(value.strip().lower())
    elif isinstance(value, bool | int | float) and value in (0, 1):
        verdict = bool(value)
    if verdict is None:
        shown = repr(value) if isinstance(value, str | int | float) else type_name(value)
        raise CodekinError(
            f"passed must be true or false (or 1 or 0), not {shown[:40]}; turn other verdicts into "
            "these first"
        )
    return verdict


MATCHED, RANDOM = "matched", "random"

_MOST_SUBMISSIONS = 1000
"""Submissions per problem and language that are read: of more, a random sample."""

_MOST_OF_AUTHOR = 20
"""Submissions per problem, author and verdict that are read."""

_MOST_ANCHORS = 100
"""Anchors tried for a pair; if all are near-duplicates, the next one will be, too."""

_MOST_PAIRS = 20
"""Pairs tried per requested triplet."""


class Candidate(NamedTuple):
    """A submission that may be chosen.

    Attributes
    ----------
    submission : Submission
    tokens : Fingerprint
    key : bytes
        The same for texts that differ only in white space and comments.
    """

    submission: Submission
    tokens: Fingerprint
    key: bytes

    @property
    def author(self) -> str | None:
        """Who wrote it."""
        return self.submission.author


@dataclass
class Candidates:
    """The submissions to a problem in one language that may be chosen.

    Attributes
    ----------
    passed, failed : list of Candidate
        In random order.
    left_out : list of (str, Submission)
        Submissions that may not be chosen, each with the reason.
    """

    passed: list[Candidate] = field(default_factory=list)
    failed: list[Candidate] = field(default_factory=list)
    left_out: list[tuple[str, Submission]] = field(default_factory=list)


@dataclass
class Choice:
    """The triplets of a problem.

    Attributes
    ----------
    triplets : list of (anchor, positive, negative)
    near_duplicates : Counter
        How many anchors were skipped as near-duplicates, by kind.
    without_anchor, taken : int
        Pairs of a positive and a negative without an anchor, and those with a text that was taken
        before.
    reason : str or None
        Why there are no triplets.
    """

    triplets: list[tuple[Submission, Submission, Submission]] = field(default_factory=list)
    near_duplicates: Counter[str] = field(default_factory=Counter)
    without_anchor: int = 0
    taken: int = 0
    reason: str | None = None


_Pair = tuple[Candidate, Candidate]


def _find_candidates(
    submissions: Sequence[Submission], mode: str, chance: random.Random
) -> Candidates:
    """Find the submissions that may be chosen, whatever their order.

    Programs without a token, programs that their author submitted before and contradictions (texts
    that passed and failed) are left out; in matched mode, so are those without an author.
    """
    found = Candidates()
    texts = [_lines(one.code) for one in submissions]
    verdicts: dict[str, set[bool]] = {}
    for one, text in zip(submissions, texts, strict=True):
        verdicts.setdefault(text, set()).add(one.passed)
    judged: list[Submission] = []
    contradictions: dict[str, Submission] = {}
    for one, text in zip(submissions, texts, strict=True):
        if len(verdicts[text]) == 1:
            judged.append(one)
        else:
            found.left_out.append((_CONTRADICTION, one))
            contradictions.setdefault(text, one)
    sample = _sample(judged, chance)
    if len(sample) < len(judged):
        read = set(map(id, sample))
        found.left_out += [(_NOT_READ, one) for one in judged if id(one) not in read]
    candidates = [_candidate(one) for one in sample]
    # What differs from a contradiction only in comments is one, too, whatever its verdict.
    keys = {_candidate(one).key: {True, False} for one in contradictions.values()}
    for candidate in candidates:
        keys.setdefault(candidate.key, set()).add(candidate.submission.passed)
    seen: set[tuple[str | None, bytes]] = set()
    for candidate in candidates:
        one = candidate.submission
        if not len(candidate.tokens.ids):
            found.left_out.append((_EMPTY, one))
        elif len(keys[candidate.key]) > 1:
            found.left_out.append((_CONTRADICTION, one))
        elif one.author is None and mode == MATCHED:
            found.left_out.append((_NO_AUTHOR, one))
        elif (one.author, candidate.key) in seen:
            found.left_out.append((_REPEATED, one))
        else:
            seen.add((one.author, candidate.key))
            (found.passed if one.passed else found.failed).append(candidate)
    return found


_TAKEN = "one of its texts is already in another triplet of the problem"
_NO_ANCHOR = "no anchor by another author that is not a near-duplicate"
_NO_PAIRS = {
    MATCHED: "no author has both one that passed and one that failed",
    RANDOM: "no two that passed and one that failed, by three different authors",
}
_CONTRADICTION = "the same text passed and failed"
_EMPTY = "nothing but comments and white space"
_NO_AUTHOR = "no author, which matched triplets need"
_REPEATED = "the same author, or an unknown one, already submitted this text"
_NOT_READ = (
    f"not read: the limit is about {_MOST_SUBMISSIONS:,} per problem and language, and "
    f"{_MOST_OF_AUTHOR} per author and verdict"
)


def _lines(code: str) -> str:
    """A text without white space that means nothing in any language."""
    return "\n".join(line.rstrip() for line in code.splitlines()).strip("\n")


def _sample(submissions: Iterable[Submission], chance: random.Random) -> list[Submission]:
    """Submissions in random order, author by author, until there are enough."""
    ordered = sorted(submissions, key=lambda one: (one.author or "", one.code, one.passed, one.id))
    authors: dict[object, list[Submission]] = {}
    for number, one in enumerate(ordered):
        authors.setdefault(number if one.author is None else one.author, []).append(one)
    groups = list(authors.values())
    chance.shuffle(groups)
    sample: list[Submission] = []
    for group in groups:
        if len(sample) >= _MOST_SUBMISSIONS:
            break
        chance.shuffle(group)
        for verdict in (True, False):
            sample += [one for one in group if one.passed is verdict][:_MOST_OF_AUTHOR]
    return sample


def _candidate(submission: Submission) -> Candidate:
    # The tree is not kept: a thousand of them would take too much memory.
    tokens = fingerprint(Source(submission.code, submission.language))
    return Candidate(
        submission, tokens, hashlib.blake2b(tokens.ids.tobytes(), digest_size=16).digest()
    )


def _choose_triplets(
    anchors: Candidates, others: Candidates, mode: str, most: int, chance: random.Random
) -> Choice:
    """Choose the triplets of a problem for a pair of languages.

    No text has two roles, and no anchor shares its author with another text of its triplet or is a
    near-duplicate of one. Positives and negatives occur once; an anchor occurs again only if all
    others were used as often, or are needed as positives.

    Parameters
    ----------
    anchors, others : Candidates
        In the language of the anchors, and in that of positives and negatives.
    mode : {'matched', 'random'}
    most : int
        How many triplets.
    chance : random.Random
    """
    reason = _missing(anchors, others, mode)
    if reason is not None:
        return Choice(reason=reason)
    if mode == MATCHED:
        pairs = _alike_pairs(others, chance)
    else:
        pairs = _random_pairs(others, spare=1 if anchors is others else 0)
    ordered = list(anchors.passed)
    chance.shuffle(ordered)
    choice = _with_anchors(pairs[: _MOST_PAIRS * most], ordered, most)
    if not choice.triplets:
        choice.reason = _NO_ANCHOR if pairs else _NO_PAIRS[mode]
    return choice


def _missing(anchors: Candidates, others: Candidates, mode: str) -> str | None:
    known = " and has an author" if mode == MATCHED else ""
    if not others.failed:
        return f"no submission that failed{known}"
    if not others.passed:
        return f"no submission that passed{known}"
    if not anchors.passed:
        return f"no submission that passed{known} in the anchor's language"
    return None


def _alike_pairs(candidates: Candidates, chance: random.Random) -> list[_Pair]:
    """For every author with both, the two texts that are most alike: faulty and fixed."""
    passed: dict[str | None, list[Candidate]] = {}
    for one in candidates.passed:
        passed.setdefault(one.author, []).append(one)
    failed: dict[str | None, list[Candidate]] = {}
    for one in candidates.failed:
        failed.setdefault(one.author, []).append(one)
    pairs = [
        max(
            ((positive, negative) for positive in passed[author] for negative in failed[author]),
            key=lambda pair: token_similarity(pair[0].tokens, pair[1].tokens),
        )
        for author in passed
        if author in failed
    ]
    chance.shuffle(pairs)
    return pairs


def _random_pairs(candidates: Candidates, spare: int) -> list[_Pair]:
    """Texts of two authors, each text once; `spare` that passed are left to be anchors."""
    pairs: list[_Pair] = []
    left = list(candidates.passed)
    for negative in candidates.failed:
        if len(left) <= spare:
            break
        for at, positive in enumerate(left):
            if positive.author is None or positive.author != negative.author:
                pairs.append((left.pop(at), negative))
                break
    return pairs


def _with_anchors(pairs: Sequence[_Pair], anchors: Sequence[Candidate], most: int) -> Choice:
    choice = Choice()
    roles: dict[bytes, str] = {}
    uses: Counter[bytes] = Counter()
    for number, (positive, negative) in enumerate(pairs):
        wanted = most - len(choice.triplets)
        if wanted == 0:
            break
        if positive.key in roles or negative.key in roles:
            choice.taken += 1
            continue
        # Positives of later pairs are taken last, and that of the next pair last of all.
        coming = {pair[0].key: -at for at, pair in enumerate(pairs[number + 1 :][: wanted - 1])}
        first = -len(pairs)
        ordered = sorted(anchors, key=lambda one: (coming.get(one.key, first), uses[one.key]))
        anchor = _free_anchor(ordered, (positive, negative), roles, choice.near_duplicates)
        if anchor is None:
            choice.without_anchor += 1
            continue
        uses[anchor.key] += 1
        roles |= {anchor.key: "anchor", positive.key: "positive", negative.key: "negative"}
        choice.triplets.append((anchor.submission, positive.submission, negative.submission))
    return choice


def _free_anchor(
    ordered: Iterable[Candidate],
    pair: _Pair,
    roles: dict[bytes, str],
    near_duplicates: Counter[str],
) -> Candidate | None:
    """The first without another role, by another author, that is a near-duplicate of neither."""
    tried = 0
    authors = {one.author for one in pair} - {None}
    for anchor in ordered:
        if anchor.author in authors or roles.get(anchor.key, "anchor") != "anchor":
            continue
        if anchor is pair[0]:
            continue
        found = next(
            (alike for one in pair if (alike := compare_fingerprints(anchor.tokens, one.tokens))),
            None,
        )
        if found is None:
            return anchor
        near_duplicates[found[0]] += 1
        tried += 1
        if tried == _MOST_ANCHORS:
            break
    return None


@dataclass(frozen=True)
class Triplet:
    """An anchor that passed, a positive that passed and a negative that failed."""

    id: str
    problem: str
    anchor: Submission
    positive: Submission
    negative: Submission

    def row(self) -> dict[str, Any]:
        """The triplet as a row of JSON."""
        return {
            "id": self.id,
            "problem": self.problem,
            "anchor": self.anchor.as_role(),
            "positive": self.positive.as_role(),
            "negative": self.negative.as_role(),
        }


@dataclass(frozen=True)
class LeftOut:
    """Why some of the input is in no triplet.

    Attributes
    ----------
    what : str
        ``row``, ``submission``, ``problem`` (of a pair of languages) or ``pair`` (of a positive
        and a negative).
    reason : str
    count : int
        How many.
    first : str
        The place of the first of them, or its name.
    """

    what: str
    reason: str
    count: int
    first: str


@dataclass(frozen=True)
class TripletCount:
    """The triplets of a pair of languages, counted.

    Attributes
    ----------
    anchor, other : str
        The languages of the anchor, and of the other two.
    triplets : int
    """

    anchor: str
    other: str
    triplets: int

    @property
    def name(self) -> str:
        """The languages, for people."""
        if self.anchor == self.other:
            return self.anchor
        return f"anchor in {self.anchor}, others in {self.other}"


@dataclass(frozen=True)
class TripletSet(Result):
    """Triplets, and what was left out and why.

    Attributes
    ----------
    triplets : tuple of Triplet
    mode : str
        ``matched`` or ``random``.
    rows, submissions, problems : int
        The rows, those of them that could be read, and their problems.
    pairs : mapping of (str, str) to int
        The number of triplets by the languages of the anchor and of the other two.
    left_out : tuple of LeftOut
        Rows first, then submissions, pairs and problems, each with the most frequent reason first.
    near_duplicates : mapping of str to int
        The number of anchors skipped as near-duplicates of a positive or negative, by kind.
    """

    computed: ClassVar[Mapping[str, str]] = {"triplets": "triplet_rows", "pairs": "counts"}

    triplets: tuple[Triplet, ...] = field(metadata=LEFT_OUT)
    mode: str
    rows: int
    submissions: int
    problems: int
    pairs: Mapping[tuple[str, str], int] = field(metadata=LEFT_OUT)
    left_out: tuple[LeftOut, ...]
    near_duplicates: Mapping[str, int]

    @property
    def triplet_rows(self) -> list[dict[str, Any]]:
        """The triplets as rows of JSON."""
        return [one.row() for one in self.triplets]

    @property
    def counts(self) -> tuple[TripletCount, ...]:
        """The number of triplets by languages."""
        return tuple(TripletCount(*pair, count) for pair, count in self.pairs.items())

    def grids(self) -> list[Grid]:
        """Triplets by languages, and what was left out and why."""
        counts = tuple((one.name, one.triplets) for one in self.counts)
        left_out = tuple((one.what, one.reason, one.first, one.count) for one in self.left_out)
        return [
            Grid(f"{self.mode.capitalize()} triplets", ("languages", "triplets"), counts),
            Grid("Left out", ("what", "reason", "first", "count"), left_out, keys=3),
        ]

    def table(self) -> Grid:
        """One record per triplet, with the languages and the code of its three programs."""
        roles = ("anchor", "positive", "negative")
        columns = (*(f"{role}_{part}" for role in roles for part in ("language", "code")),)
        cells = tuple(
            (
                *(one.id, one.problem),
                *(
                    part
                    for program in (one.anchor, one.positive, one.negative)
                    for part in (program.language, program.code)
                ),
            )
            for one in self.triplets
        )
        return Grid("", ("id", "problem", *columns), cells, keys=2)

    def notes(self) -> list[str]:
        """What was read and built."""
        problems = count_text(len({one.problem for one in self.triplets}), "problem")
        return [
            f"{count_text(self.rows, 'row')}: {count_text(self.submissions, 'submission')} to "
            f"{count_text(self.problems, 'problem')}",
            f"{count_text(len(self.triplets), f'{self.mode} triplet')} of {problems}",
        ]

    def account(self) -> list[str]:
        """What was read, what was built, and what was left out and why, line by line."""
        lines = [*self.notes(), *(f"  {one.name}: {one.triplets:,}" for one in self.counts)]
        if self.near_duplicates:
            kinds = ", ".join(f"{kind} {count:,}" for kind, count in self.near_duplicates.items())
            lines.append(f"anchors skipped as near-duplicates: {kinds}")
        if self.left_out:
            lines.append("left out:")
        for one in self.left_out:
            what = count_text(one.count, one.what)
            lines.append(f"  {what}: {one.reason} (first: {one.first})")
        return lines


_KINDS = ("row", "submission", "pair", "problem")


class _Tally:
    """Counts of what is left out, by reason."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], tuple[int, str]] = {}

    def add(self, what: str, reason: str, which: str, count: int = 1) -> None:
        before, first = self._found.get((what, reason), (0, which))
        self._found[what, reason] = before + count, first

    def result(self) -> tuple[LeftOut, ...]:
        found = [LeftOut(*key, *value) for key, value in self._found.items()]
        return tuple(sorted(found, key=lambda one: (_KINDS.index(one.what), -one.count)))


def build_triplets(
    submissions: Any,
    *,
    languages: Sequence[str | tuple[str, str]] | str | None = None,
    mode: str = MATCHED,
    per_problem: int = 4,
    seed: int = 0,
) -> TripletSet:
    r"""Build triplets from submissions with a verdict.

    Parameters
    ----------
    submissions : path, sequence of paths, or object
        Rows with ``problem``, ``language``, ``code`` and ``passed`` (true or false, 1 or 0), and
        optionally ``author`` and ``id``, as files or objects; see
        :func:`codekin.runs.rows.open_rows`. A row that cannot be read is only counted.
    languages : sequence of str, optional
        Such as ``python`` for all three roles, or ``java:python`` for anchors in Java and the
        other two in Python. By default, each language by itself.
    mode : {'matched', 'random'}
        ``matched``: positive and negative are the two most similar submissions of one author, most
        often a faulty program and its fix; the anchor is by another author. ``random``: by three
        authors; submissions without an author count as by different ones.
    per_problem : int
        The most triplets per problem and pair of languages.
    seed : int
        Of all random choices. The same submissions give the same triplets, whatever the order of
        the rows.

    Returns
    -------
    TripletSet

    Raises
    ------
    CodekinError
        If the input cannot be read, or has no authors in matched mode.

    Notes
    -----
    Within a problem and a pair of languages, no text has two roles. No anchor is a near-duplicate
    of its positive or negative (:func:`~codekin.groups.near_duplicates.near_duplicate`), and none
    is by the author of one. A text that passed and failed is in no triplet. White space and
    comments are ignored in all of this.

    The texts of the input are held in memory, and one problem after the other is parsed. If a
    problem has more than about 1,000 submissions in a language, a random sample of that size is
    read (whole authors). At most 100 anchors are tried per pair, and 20 pairs per triplet.

    Examples
    --------
    >>> rows = [
    ...     {"problem": "sum", "language": "python", "code": code, "passed": passed, "author": who}
    ...     for who, code, passed in [
    ...         ("ann", "print(sum(map(int, input().split())))", True),
    ...         ("bob", "a, b = input().split()\nprint(a + b)", False),
    ...         ("bob", "a, b = input().split()\nprint(int(a) + int(b))", True),
    ...     ]
    ... ]
    >>> [triplet] = build_triplets(rows).triplets
    >>> triplet.anchor.author, triplet.positive.author, triplet.negative.author
    ('ann', 'bob', 'bob')
    """
    if mode not in (MATCHED, RANDOM):
        raise CodekinError(f"unknown mode {mode!r} (known: {MATCHED}, {RANDOM})")
    if per_problem < 1:
        raise CodekinError(f"per_problem must be at least 1, not {per_problem}")
    pairs = None if languages is None else _language_pairs(languages)
    tally = _Tally()
    rows, problems = _read(submissions, tally)
    count = sum(len(group) for group in problems.values())
    found = sorted({language for _, language in problems})
    if mode == MATCHED and count and not _has_author(problems):
        raise CodekinError(
            "no row has an 'author', and matched triplets need two texts of one author; give "
            "authors, or build random triplets"
        )
    if pairs is None:
        pairs = [(one, one) for one in found]
    used = {one for pair in pairs for one in pair}
    for language in (one for one in found if one not in used):
        some = [one for key, group in problems.items() if key[1] == language for one in group]
        reason = f"in {language}, which is in no requested pair of languages"
        tally.add("submission", reason, some[0].id, len(some))
    triplets: list[Triplet] = []
    near_duplicates: Counter[str] = Counter()
    for problem in sorted({name for name, _ in problems}):
        triplets += _of_problem(
            _Problem(problem, problems, mode, seed, tally),
            pairs,
            per_problem,
            near_duplicates,
        )
    return TripletSet(
        tuple(triplets),
        mode,
        rows,
        count,
        len({name for name, _ in problems}),
        {pair: sum(_languages(one) == pair for one in triplets) for pair in pairs},
        tally.result(),
        dict(sorted(near_duplicates.items())),
    )


_Problems = dict[tuple[str, str], list[Submission]]


class _Problem:
    """The submissions to one problem; those of a language are read when needed."""

    def __init__(self, name: str, problems: _Problems, mode: str, seed: int, tally: _Tally) -> None:
        self.name = name
        self.mode = mode
        self.tally = tally
        self._problems = problems
        self._seed = seed
        self._candidates: dict[str, Candidates] = {}

    def chance(self, *what: str) -> random.Random:
        """Random numbers that depend only on the seed, the problem and their purpose."""
        return random.Random(json.dumps([self._seed, self.name, *what]))

    def has(self, language: str) -> bool:
        return (self.name, language) in self._problems

    def candidates(self, language: str) -> Candidates:
        if language not in self._candidates:
            submissions = self._problems[self.name, language]
            found = _find_candidates(submissions, self.mode, self.chance(language))
            for reason, submission in found.left_out:
                self.tally.add("submission", reason, f"{self.name}, id {submission.id}")
            self._candidates[language] = found
        return self._candidates[language]


def _of_problem(
    problem: _Problem,
    pairs: Sequence[tuple[str, str]],
    most: int,
    near_duplicates: Counter[str],
) -> Iterator[Triplet]:
    for anchor, other in pairs:
        name = anchor if anchor == other else f"{anchor}-{other}"
        missing = next((one for one in (anchor, other) if not problem.has(one)), None)
        if missing is not None:
            problem.tally.add("problem", f"no submission in {missing}", f"{problem.name}, {name}")
            continue
        choice = _choose_triplets(
            problem.candidates(anchor),
            problem.candidates(other),
            problem.mode,
            most,
            problem.chance(anchor, other, problem.mode),
        )
        near_duplicates.update(choice.near_duplicates)
        if choice.triplets:
            for why, count in ((_NO_ANCHOR, choice.without_anchor), (_TAKEN, choice.taken)):
                if count:
                    problem.tally.add("pair", why, f"{problem.name}, {name}", count)
        if choice.reason is not None:
            problem.tally.add("problem", choice.reason, f"{problem.name}, {name}")
            continue
        for number, roles in enumerate(choice.triplets):
            yield Triplet(f"{problem.name}/{name}/{problem.mode}/{number}", problem.name, *roles)


def _read(submissions: Any, tally: _Tally) -> tuple[int, _Problems]:
    """The number of rows, and those that can be read, by problem and language."""
    problems: _Problems = {}
    number = 0
    for shard in open_rows(submissions).shards():
        for record in shard.records():
            try:
                one = read_submission(record, number)
            except CodekinError as error:
                tally.add("row", str(error), record.where)
            else:
                problems.setdefault((one.problem, one.language), []).append(one)
            number += 1
    return number, problems


def _has_author(problems: _Problems) -> bool:
    return any(one.author is not None for group in problems.values() for one in group)


def _languages(triplet: Triplet) -> tuple[str, str]:
    return triplet.anchor.language, triplet.positive.language


def _language_pairs(
    languages: Sequence[str | tuple[str, str]] | str,
) -> list[tuple[str, str]]:
    pairs: dict[tuple[str, str], None] = {}
    for given in [languages] if isinstance(languages, str) else languages:
        names = given.split(":") if isinstance(given, str) else list(given)
        if not 1 <= len(names) <= 2 or not all(names):
            raise CodekinError(
                f"cannot read the languages {given!r}; write one, such as python, or two, such as "
                "java:python for anchors in Java and the others in Python"
            )
        pairs[get_language(names[0]).name, get_language(names[-1]).name] = None
    return list(pairs)


def check_name(path: Path) -> None:
    """Refuse a file with an unknown suffix, or in a folder that does not exist."""
    if not path.name.endswith((".jsonl", ".jsonl.gz", ".jsonl.xz")):
        raise CodekinError(f"{path}: triplets are written to .jsonl, .jsonl.gz or .jsonl.xz")
    if not path.parent.is_dir():
        raise CodekinError(f"{path}: there is no folder {path.parent}; make it first")


def write_triplets(triplets: TripletSet, path: str | Path) -> Path:
    """Write triplets as JSON lines, compressed if the name ends in ``.gz`` or ``.xz``.

    The file appears when it is complete, and replaces one of the same name.
    """
    path = Path(path)
    check_name(path)
    try:
        with whole_file(path) as raw, ExitStack() as stack:
            file: IO[bytes] = raw
            if path.suffix == ".gz":  # without name and time: equal triplets give equal files
                zipped = gzip.GzipFile("", "wb", fileobj=raw, mtime=0)
                file = cast(IO[bytes], stack.enter_context(zipped))
            elif path.suffix == ".xz":
                file = stack.enter_context(lzma.LZMAFile(raw, "wb"))
            for one in triplets.triplets:
                line = json.dumps(one.row(), ensure_ascii=False, separators=(", ", ": "))
                file.write(line.encode() + b"\n")
    except OSError as error:
        raise CodekinError(f"{path}: cannot be written: {error.strerror or error}") from None
    return path
