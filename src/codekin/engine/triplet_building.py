"""build_triplets: from submissions with a verdict to triplets that judge measures."""

from __future__ import annotations

import gzip
import json
import lzma
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from codekin.engine.rows import open_rows
from codekin.engine.submissions import Submission, read_submission
from codekin.engine.triplet_choice import (
    MATCHED,
    NO_ANCHOR,
    RANDOM,
    TAKEN,
    Candidates,
    choose_triplets,
    find_candidates,
)
from codekin.errors import CodekinError
from codekin.languages import get_language
from codekin.whole_files import whole_file

__all__ = ["LeftOut", "Triplet", "TripletSet", "build_triplets", "check_name", "write_triplets"]


@dataclass(frozen=True)
class Triplet:
    """An anchor that passed, and beside it a positive that passed and a negative that failed."""

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
        Where the first of them stands, or its name.
    """

    what: str
    reason: str
    count: int
    first: str


@dataclass(frozen=True)
class TripletSet:
    """Triplets, and what was left out and why.

    Attributes
    ----------
    triplets : tuple of Triplet
    mode : str
        ``matched`` or ``random``.
    rows, submissions, problems : int
        How many rows were read, how many of them could be, and to how many problems they belong.
    pairs : mapping of (str, str) to int
        How many triplets there are by the languages of the anchor and of the other two.
    left_out : tuple of LeftOut
        Rows first, then submissions, pairs and problems, of each the most frequent reason first.
    near_duplicates : mapping of str to int
        How many anchors were passed over as near-duplicates of a positive or negative, by kind.
    """

    triplets: tuple[Triplet, ...]
    mode: str
    rows: int
    submissions: int
    problems: int
    pairs: Mapping[tuple[str, str], int]
    left_out: tuple[LeftOut, ...]
    near_duplicates: Mapping[str, int]


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
    equal: bool = False,
    seed: int = 0,
) -> TripletSet:
    r"""Build triplets of submissions with a verdict.

    Parameters
    ----------
    submissions : path, sequence of paths, or object
        Rows with ``problem``, ``language``, ``code`` and ``passed`` (true or false, 1 or 0), and
        optionally ``author`` and ``id``, as files or objects; see
        :func:`codekin.engine.rows.open_rows`. A row that cannot be read is counted, no more.
    languages : sequence of str, optional
        Such as ``python`` for all three roles, or ``java:python`` for anchors in Java and the
        other two in Python. By default each language by itself.
    mode : {'matched', 'random'}
        ``matched``: positive and negative are by one author, of whose submissions the two most
        alike are taken, which most often are a faulty program and its mended form; the anchor is
        by another author. ``random``: by three authors; submissions without an author count as by
        different ones.
    per_problem : int
        At most so many triplets of a problem and a pair of languages.
    equal : bool
        Whether problems with fewer triplets than that are left out, so that all weigh the same.
    seed : int
        For everything that is drawn. The same submissions give the same triplets, whatever the
        order of the rows.

    Returns
    -------
    TripletSet

    Raises
    ------
    CodekinError
        Where the input cannot be read, or names no author in matched mode.

    Notes
    -----
    Within a problem and a pair of languages no text stands in two roles. No anchor is a
    near-duplicate of its positive or negative
    (:func:`~codekin.engine.near_duplicates.near_duplicate`), and none is by the author of one. A
    text that passed and failed is in no triplet. All this is blind to white space and comments.

    The texts of the input are held in memory, and one problem after the other is parsed. Of a
    problem with more than about 1,000 submissions in a language a random sample of that size is
    looked at (whole authors), for a pair at most 100 anchors, and for a triplet at most 20 pairs.

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
        raise CodekinError(f"per_problem must be at least 1, and is {per_problem}")
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
        reason = f"in {language}, which no pair of languages asks for"
        tally.add("submission", reason, some[0].id, len(some))
    triplets: list[Triplet] = []
    near_duplicates: Counter[str] = Counter()
    for problem in sorted({name for name, _ in problems}):
        triplets += _of_problem(
            _Problem(problem, problems, mode, seed, tally),
            pairs,
            per_problem,
            equal,
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
    """The submissions to one problem; those of a language are read when they are needed."""

    def __init__(self, name: str, problems: _Problems, mode: str, seed: int, tally: _Tally) -> None:
        self.name = name
        self.mode = mode
        self.tally = tally
        self._problems = problems
        self._seed = seed
        self._candidates: dict[str, Candidates] = {}

    def chance(self, *what: str) -> random.Random:
        """Chance that depends on nothing but the seed, the problem and what it is for."""
        return random.Random(json.dumps([self._seed, self.name, *what]))

    def has(self, language: str) -> bool:
        return (self.name, language) in self._problems

    def candidates(self, language: str) -> Candidates:
        if language not in self._candidates:
            submissions = self._problems[self.name, language]
            found = find_candidates(submissions, self.mode, self.chance(language))
            for reason, submission in found.left_out:
                self.tally.add("submission", reason, f"{self.name}, id {submission.id}")
            self._candidates[language] = found
        return self._candidates[language]


def _of_problem(
    problem: _Problem,
    pairs: Sequence[tuple[str, str]],
    most: int,
    equal: bool,
    near_duplicates: Counter[str],
) -> Iterator[Triplet]:
    for anchor, other in pairs:
        name = anchor if anchor == other else f"{anchor}-{other}"
        missing = next((one for one in (anchor, other) if not problem.has(one)), None)
        if missing is not None:
            problem.tally.add("problem", f"no submission in {missing}", f"{problem.name}, {name}")
            continue
        choice = choose_triplets(
            problem.candidates(anchor),
            problem.candidates(other),
            problem.mode,
            most,
            problem.chance(anchor, other, problem.mode),
        )
        near_duplicates.update(choice.near_duplicates)
        if choice.triplets:
            for why, count in ((NO_ANCHOR, choice.without_anchor), (TAKEN, choice.taken)):
                if count:
                    problem.tally.add("pair", why, f"{problem.name}, {name}", count)
        reason = choice.reason
        if reason is None and equal and len(choice.triplets) < most:
            reason = f"fewer than {most} triplets"
        if reason is not None:
            problem.tally.add("problem", reason, f"{problem.name}, {name}")
            continue
        for number, roles in enumerate(choice.triplets):
            yield Triplet(f"{problem.name}/{name}/{problem.mode}/{number}", problem.name, *roles)


def _read(submissions: Any, tally: _Tally) -> tuple[int, _Problems]:
    """How many rows there are, and those that can be read, by problem and language."""
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
    """Refuse a file whose name does not say how triplets are written, or that has no folder."""
    if not path.name.endswith((".jsonl", ".jsonl.gz", ".jsonl.xz")):
        raise CodekinError(f"{path}: triplets are written to .jsonl, .jsonl.gz or .jsonl.xz")
    if not path.parent.is_dir():
        raise CodekinError(f"{path}: there is no folder {path.parent}; make it first")


def write_triplets(triplets: TripletSet, path: str | Path) -> Path:
    """Write triplets as JSON lines, compressed if the name ends in ``.gz`` or ``.xz``.

    The file appears when it is whole; one of that name is replaced.
    """
    path = Path(path)
    check_name(path)
    try:
        with whole_file(path) as raw, _compressed(raw, path.suffix) as file:
            for one in triplets.triplets:
                line = json.dumps(one.row(), ensure_ascii=False, separators=(", ", ": "))
                file.write(line.encode() + b"\n")
    except OSError as error:
        raise CodekinError(f"{path}: cannot be written: {error.strerror or error}") from None
    return path


def _compressed(raw: IO[bytes], suffix: str) -> IO[bytes]:
    if suffix == ".gz":  # without name and time, so that the same triplets are the same file
        return cast(IO[bytes], gzip.GzipFile("", "wb", fileobj=raw, mtime=0))
    return cast(IO[bytes], lzma.LZMAFile(raw, "wb")) if suffix == ".xz" else raw
