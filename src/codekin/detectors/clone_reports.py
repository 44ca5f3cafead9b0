"""Reports of clone tools: which pairs of a corpus's snippets they have, by the lines they cover.

A report matches a pair if it has at least a share of the lines of each of the two snippets, as
BigCloneEval's coverage matcher wants; it may reach beyond them. Of a class of clones, two different
fragments have to match.
"""

from __future__ import annotations

import csv
import html
import math
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath

import numpy as np
import numpy.typing as npt

from codekin.corpora.corpus import Corpus
from codekin.corpora.folder_files import lines_of
from codekin.detectors.line_coverage import FileLines, covers
from codekin.errors import CodekinError

__all__ = ["ReportMatches", "is_report", "match_report"]

_COLUMNS = ("file1", "start1", "end1", "file2", "start2", "end2")
"""What a scan of codekin calls the columns of its CSV file."""
_TAG = re.compile(r"<(/?)(clone|class|source)\b([^<>]*+)>")
_ATTRIBUTE = re.compile(r"""(?<!\w)(\w++)\s*+=\s*+(?:"([^"]*)"|'([^']*)')""")
_PER_CENT = 100.0
_LEAST_LIMIT, _PER_FRAGMENT = 4_000_000, 64
"""How many snippets fragments are compared with: so many in any report, and more in long ones."""


@dataclass(frozen=True)
class _Clone:
    """A pair or a class of fragments in a report."""

    fragments: tuple[FileLines, ...]
    score: float = 1.0


@dataclass(frozen=True)
class ReportMatches:
    """What a report says of the pairs of a corpus.

    Attributes
    ----------
    form : str
        Of the report.
    clones : int
        Pairs and classes in the report.
    located : bool array
        Per snippet: whether its lines in a file are known, so that a report can cover it.
    foreign : int
        Reported fragments in files that have no snippet of the corpus.
    scores : float array
        Per pair, the highest score of a clone that matches it; nan where none does.
    """

    form: str
    clones: int
    located: npt.NDArray[np.bool_]
    foreign: int
    scores: npt.NDArray[np.float64]


def is_report(path: Path) -> bool:
    """Whether a file is a report in a known form."""
    return path.is_file() and _form(path) is not None


def _form(path: Path) -> str | None:
    head = list(islice(lines_of(path, typed=True), 5))
    if any("<clones" in line for line in head):
        return "NiCad"
    try:
        first = next(csv.reader(head), [])
    except csv.Error:  # of a binary file
        return None
    if set(_COLUMNS) <= set(first):
        return "codekin scan"
    return "BigCloneEval" if _of_line(first) is not None else None


def match_report(path: Path, corpus: Corpus, cover: float) -> ReportMatches:
    """Read a report, and find the pairs that its clones match.

    Parameters
    ----------
    path : Path
        ``dir,file,start,end,dir,file,start,end`` per line, as BigCloneEval takes it; NiCad's XML,
        pairs or classes; or the CSV file of ``codekin scan``.
    corpus : Corpus
        Whose snippets have files and lines, or whole files that they are found in, or names of
        which reported files are made.
    cover : float
        The least share of the lines of either snippet.

    Raises
    ------
    CodekinError
        If a line cannot be read.
    """
    form = _form(path)
    readers = {"NiCad": _nicad, "codekin scan": _scan, "BigCloneEval": _bigcloneeval}
    assert form is not None
    places = _Places(corpus)
    wanted = _Wanted(corpus)
    clones = foreign = 0
    left = _LEAST_LIMIT
    for clone in _clones(readers[form], path):
        clones += 1
        covered = []
        for fragment in clone.fragments:
            there = places.of_file(fragment.file)
            foreign += there is None
            here = fragment if there is None else fragment._replace(file=there.file)
            near = [] if there is None else there.near(here)
            left += _PER_FRAGMENT - len(near)
            if left < 0:
                raise CodekinError(
                    f"{path}: its fragments lie over too many snippets of {corpus.name}; are the "
                    "first and last lines of the snippets right?"
                )
            found = frozenset(place for place, lines in near if covers(here, lines, cover))
            covered += [found] if found else []
        wanted.add(covered, clone.score)
    return ReportMatches(form, clones, places.located, foreign, wanted.scores())


class _Wanted:
    """The pairs of a corpus, and the highest score of a clone for each."""

    def __init__(self, corpus: Corpus) -> None:
        assert corpus.pairs is not None
        self._pairs = corpus.pairs
        self._partners: dict[int, set[int]] = {}
        for first, second in zip(
            self._pairs.first.tolist(), self._pairs.second.tolist(), strict=True
        ):
            self._partners.setdefault(first, set()).add(second)
            self._partners.setdefault(second, set()).add(first)
        self._covered: dict[tuple[frozenset[int], ...], float] = {}

    def add(self, covered: Sequence[frozenset[int]], score: float) -> None:
        """Record a clone by the snippets that each of its fragments covers."""
        if len(covered) > 1:
            key = tuple(covered)
            self._covered[key] = max(self._covered.get(key, score), score)

    def scores(self) -> npt.NDArray[np.float64]:
        """The highest score of a clone for each pair; nan for pairs that none has."""
        best: dict[tuple[int, int], float] = {}
        for covered, score in self._covered.items():
            for left, right in self._matches(covered):
                key = (left, right) if left < right else (right, left)
                best[key] = max(best.get(key, score), score)
        ends = zip(self._pairs.first.tolist(), self._pairs.second.tolist(), strict=True)
        return np.array([best.get((min(pair), max(pair)), np.nan) for pair in ends], np.float64)

    def _matches(self, covered: Sequence[frozenset[int]]) -> Iterator[tuple[int, int]]:
        """The wanted pairs of snippets that two different fragments cover."""
        fragments: dict[int, set[int]] = {}
        for number, places in enumerate(covered):
            for place in places:
                fragments.setdefault(place, set()).add(number)
        there = set(fragments)  # of two sets, the smaller one is gone through
        for place, mine in fragments.items():
            for partner in self._partners.get(place, set()) & there:
                if len(mine | fragments[partner]) > 1:
                    yield place, partner


def _clones(read: Callable[[Path], Iterator[_Clone]], path: Path) -> Iterator[_Clone]:
    """The clones of a report."""
    try:
        yield from read(path)
    except csv.Error as error:
        raise CodekinError(f"{path}: is not a readable CSV file ({error})") from None


class _FileSnippets:
    """The snippets of a corpus in a file, by their lines.

    They are in the order of their first lines, so those near a fragment are together.
    """

    def __init__(self, file: str, snippets: Iterable[tuple[int, tuple[int, int]]]) -> None:
        self.file = file
        listed = sorted(snippets, key=lambda snippet: snippet[1])
        self._snippets = [(place, FileLines(file, *lines)) for place, lines in listed]
        self._starts = [lines.start for _, lines in self._snippets]
        self._longest = max(lines.end - lines.start for _, lines in self._snippets)

    def near(self, fragment: FileLines) -> list[tuple[int, FileLines]]:
        """The snippets that may share a line with a fragment, with their lines."""
        first = bisect_left(self._starts, fragment.start - self._longest)
        last = bisect_left(self._starts, fragment.end + 1)
        return self._snippets[first:last]


class _Places:
    """Where the snippets of a corpus are, by the files of a report.

    A file of a report is that of a snippet if the path of one ends in the path of the other; of
    several, the longest path counts. Snippets of which no place is known may each have a file that
    is called by its id.
    """

    def __init__(self, corpus: Corpus) -> None:
        self.located = np.zeros(len(corpus), bool)
        self._lines: dict[str, list[tuple[int, tuple[int, int]]]] = {}
        self._by_id: dict[str, tuple[int, tuple[int, int]]] = {}
        self._named_by_id = False
        self._seen: dict[str, _FileSnippets | None] = {}
        self._of_file: dict[str, _FileSnippets] = {}
        for place, snippet in enumerate(corpus.snippets):
            lines = snippet.lines
            if lines is None and snippet.file is not None:
                lines = _lines_in(corpus.files.get(snippet.file, ""), snippet.code)
            if lines is None or snippet.file is None:
                self._by_id[snippet.id] = place, (1, len(snippet.code.splitlines()) or 1)
            else:
                self.located[place] = True
                self._lines.setdefault(snippet.file, []).append((place, lines))
        # Backwards, the paths that end alike are together.
        self._backwards = sorted((_parts(file)[::-1], file) for file in self._lines)
        self._files = dict(reversed(self._backwards))
        self._depths = sorted({len(parts) for parts in self._files}, reverse=True)

    def of_file(self, name: str) -> _FileSnippets | None:
        """The snippets in a file of a report; None where there is no such file."""
        if name not in self._seen:
            file = self._file(name)
            stem = PurePosixPath(_parts(name)[-1]).stem
            if file is not None:
                if file not in self._of_file:
                    self._of_file[file] = _FileSnippets(file, self._lines[file])
                self._seen[name] = self._of_file[file]
            elif stem in self._by_id:
                if not self._named_by_id:
                    self._named_by_id = True
                    self.located[[place for place, _ in self._by_id.values()]] = True
                self._seen[name] = _FileSnippets(name, [self._by_id[stem]])
            else:
                self._seen[name] = None
        return self._seen[name]

    def _file(self, name: str) -> str | None:
        """The file of the corpus whose path ends as a name does, the longest in common."""
        parts = _parts(name)[::-1]
        place = bisect_left(self._backwards, (parts, ""))
        if place < len(self._backwards) and self._backwards[place][0][: len(parts)] == parts:
            return self._backwards[place][1]
        depths = (depth for depth in self._depths if depth < len(parts))
        return next((self._files[end] for d in depths if (end := parts[:d]) in self._files), None)


def _parts(path: str) -> tuple[str, ...]:
    """The folders and the name of a path."""
    return tuple(part for part in path.replace("\\", "/").split("/") if part != ".") or ("",)


def _lines_in(text: str, code: str) -> tuple[int, int] | None:
    """The lines of code in a text that has it; None where it is not there, or more than once."""
    start = text.find(code) if code else -1
    if start < 0 or text.find(code, start + 1) >= 0:
        return None
    first = text.count("\n", 0, start) + 1
    return first, first + code.rstrip("\n").count("\n")


def _bigcloneeval(path: Path) -> Iterator[_Clone]:
    for number, line in enumerate(csv.reader(lines_of(path, typed=True)), 1):
        clone = _of_line(line)
        if clone is not None:
            yield clone
        elif line:
            raise CodekinError(f"{path}: line {number:,} is not dir,file,start,end twice")


def _of_line(line: Sequence[str]) -> _Clone | None:
    """The clone of a line of BigCloneEval's form."""
    fields = [cell.strip() for cell in line]
    if len(fields) != 8:
        return None
    try:
        return _Clone(
            tuple(
                FileLines(f"{fields[i]}/{fields[i + 1]}", int(fields[i + 2]), int(fields[i + 3]))
                for i in (0, 4)
            )
        )
    except ValueError:
        return None


def _scan(path: Path) -> Iterator[_Clone]:
    for number, row in enumerate(csv.DictReader(lines_of(path, typed=True)), 2):
        try:
            ends = tuple(
                FileLines(row[f"file{i}"], int(row[f"start{i}"]), int(row[f"end{i}"]))
                for i in (1, 2)
            )
            score = _finite(row.get("score") or "1")
        except (TypeError, ValueError):
            raise CodekinError(
                f"{path}: line {number:,} is not as codekin scan --format csv writes it"
            ) from None
        yield _Clone(ends, score)


def _finite(text: str) -> float:
    """The number that a text is."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("is not a number that can be compared")
    return number


def _nicad(path: Path) -> Iterator[_Clone]:
    """The pairs and classes of NiCad's report, whose tags each stand on one line."""
    fragments: list[FileLines] = []
    score = 1.0
    whole = False
    for number, line in enumerate(lines_of(path, typed=True), 1):
        whole = whole or "</clones" in line
        for closing, tag, rest in _TAG.findall(line):
            values = {name: a or b for name, a, b in _ATTRIBUTE.findall(rest)}
            try:
                if closing and tag != "source":
                    yield _Clone(tuple(fragments), score)
                    fragments = []
                elif tag == "source" and not closing:
                    file = html.unescape(values["file"])
                    lines = int(values["startline"]), int(values["endline"])
                    fragments.append(FileLines(file, *lines))
                elif not closing:
                    fragments = []
                    score = _finite(values.get("similarity", "100")) / _PER_CENT
            except (KeyError, ValueError):
                raise CodekinError(
                    f"{path}: line {number:,} has a {tag} without file, startline, endline or "
                    "similarity, as NiCad writes them"
                ) from None
    if not whole:
        raise CodekinError(f"{path}: ends before </clones>; is it whole?")
