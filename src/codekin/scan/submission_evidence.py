"""What two submissions share: matched regions of their code, by features that are rare in a class.

Programs are cut into statements. Statements of two programs match by the features that they share;
matched statements that are near each other in both programs form a region, so that renamed,
rewritten and reordered copies are found. What most other students have as well is not evidence.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from codekin.errors import CodekinError
from codekin.represent.tree.fragments import functions_of
from codekin.results import LEFT_OUT, Column, Finite, Grid, Result, count_text, first_names
from codekin.scan.code_tokens import read_tokens
from codekin.scan.hidden_names import NameHider
from codekin.scan.submission_features import (
    ClassCode,
    FeatureCounts,
    FeatureRarity,
    feature_names,
    placed_features,
)
from codekin.scan.submission_files import StudentCode
from codekin.scan.submission_result import (
    NOT_A_PROOF,
    SharedCode,
    SubmissionPair,
    SubmittedLines,
)
from codekin.source import Source

if TYPE_CHECKING:
    import scipy.sparse

__all__ = [
    "MOST_OF_GROUP",
    "CodeMark",
    "EvidenceReader",
    "MatchedRegion",
    "PairEvidence",
    "SharedFeature",
    "ShownFile",
    "shared_code",
]

_MIN_ALIKE = 0.45
"""The least similarity of two statements that match."""
_MIN_INSIDE = 0.6
"""The least part of a statement that is found in one whose match is near."""
_CONTEXT = 0.5
"""How much the similarity of the statements around two statements counts."""
_BASE = 0.3
"""The weight of a feature that all students have, so that common statements match, too."""
_NEAR = 3
"""Matched statements belong to one region if they are at most this far apart."""
_COMMON = 0.5
"""The share of other students beyond which something is common."""
_MIN_TOKENS = 8
"""The least tokens of a region, and of two statements in a row that are starter code."""
_RELATED = 0.1
"""The least part of a file that another one shares, or their statements are not compared."""
_MOST_CELLS, _MOST_FILE_PAIRS = 8_000_000, 2_500
"""Pairs of statements and of files up to which all of two programs are compared."""
_STRETCH, _CELLS_OF_STATEMENT = 250, 250
"""Longer programs are compared in stretches of statements: those that are most related, up to so
many pairs of statements for each statement."""
_CELLS_AT_A_TIME, _PAIRS_AT_A_TIME = 4_000_000, 100_000
_MOST_PARTNERS, _FEW_PARTNERS = 256, 16
"""Statements of a file, or of a stretch of a long program, that one is paired with."""
_MOST_STATEMENTS = 50_000
"""Statements of a program that are compared."""
_KEPT = 4_000_000
"""Characters of analysed programs that are kept for further pairs."""
MOST_OF_GROUP, _PLACES = 20, 5
"""Pairs from which is read what a group shares, and places of it that are listed."""
_FEATURES = 20
"""Shared features that are listed."""
_CLOSING = ")]}; \t"
"""What a marked stretch does not consist of alone."""

Ids = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class MatchedRegion:
    """A region of one program that matches a region of another one.

    Attributes
    ----------
    number : int
        From 1, the most evidence first.
    kind : str
        ``evidence``, or ``common`` if most other students have it as well.
    share : float
        Its part of the evidence of all regions, by the rarity of what is shared.
    others : float
        The share of the other students who have what is shared, on average.
    statements : int
        How many statements match.
    first, second : SubmittedLines
    """

    number: int
    kind: str
    share: Finite
    others: Finite
    statements: int
    first: SubmittedLines
    second: SubmittedLines


@dataclass(frozen=True)
class SharedFeature:
    """A feature that two programs share.

    Attributes
    ----------
    name : str
        ``a ← b, c``: a gets its data from b and c; ``a → b``: a gives its data to b; ``a if b``: b
        decides whether a runs; ```a```: a token.
    share : float
        Its part of the weight of all shared features.
    students : int
        How many students of the class have it.
    """

    name: str
    share: Finite
    students: int


@dataclass(frozen=True)
class CodeMark:
    """A stretch of a text that is part of a region, or starter code.

    Attributes
    ----------
    start, end : int
        In characters.
    region : int
        The number of the region; 0 for starter code.
    kind : str
        ``evidence``, ``common`` or ``starter``.
    """

    start: int
    end: int
    region: int
    kind: str


@dataclass(frozen=True)
class ShownFile:
    """A file that a student handed in, with what is marked in it.

    Attributes
    ----------
    name : str
    language : str
    text : str
    marks : tuple of CodeMark
        By place; they do not overlap, and no comment is marked.
    """

    name: str
    language: str
    text: str
    marks: tuple[CodeMark, ...]

    def marked_lines(self, *kinds: str) -> set[int]:
        """The lines, from 1, with marks of some kinds."""
        ends = np.cumsum([len(line) + 1 for line in self.text.split("\n")])
        return {
            line
            for mark in self.marks
            if mark.kind in kinds
            for line in range(
                int(np.searchsorted(ends, mark.start, "right")) + 1,
                int(np.searchsorted(ends, mark.end - 1, "right")) + 2,
            )
        }

    def without_names(self, hider: NameHider) -> ShownFile:
        """The same without the names of students; no mark begins or ends in a name."""
        marks: list[CodeMark] = []
        pieces: list[str] = []
        at = length = 0
        for mark in self.marks:
            before, inside = self.text[at : mark.start], self.text[mark.start : mark.end]
            pieces += [hider.words(before), hider.words(inside)]
            start = length + len(pieces[-2])
            at, length = mark.end, start + len(pieces[-1])
            marks.append(replace(mark, start=start, end=length))
        text = "".join([*pieces, hider.words(self.text[at:])])
        return ShownFile(hider.path(self.name), self.language, text, tuple(marks))


@dataclass(frozen=True, eq=False)
class PairEvidence(Result):
    """The regions of two students' programs that match.

    Attributes
    ----------
    pair : SubmissionPair
    regions : tuple of MatchedRegion
        The most evidence first.
    first_starter, second_starter : tuple of SubmittedLines
        Starter code, which is not compared.
    features : tuple of SharedFeature
        The heaviest that both have.
    beyond : tuple of str
        Files of very long programs that are not compared, since 50,000 statements come before them.
    first_code, second_code : tuple of ShownFile
        The programs; they are not part of the JSON document.
    """

    computed: ClassVar[Mapping[str, str]] = {"meaning": "meaning"}

    pair: SubmissionPair
    regions: tuple[MatchedRegion, ...]
    first_starter: tuple[SubmittedLines, ...]
    second_starter: tuple[SubmittedLines, ...]
    features: tuple[SharedFeature, ...]
    beyond: tuple[str, ...]
    first_code: tuple[ShownFile, ...] = field(repr=False, metadata=LEFT_OUT)
    second_code: tuple[ShownFile, ...] = field(repr=False, metadata=LEFT_OUT)

    @property
    def meaning(self) -> str:
        """What a score means, and what it does not."""
        return NOT_A_PROOF

    def without_names(self, hider: NameHider) -> PairEvidence:
        """The same without the names of students."""
        return replace(
            self,
            regions=tuple(
                replace(
                    region,
                    first=region.first.without_names(hider),
                    second=region.second.without_names(hider),
                )
                for region in self.regions
            ),
            first_starter=tuple(lines.without_names(hider) for lines in self.first_starter),
            second_starter=tuple(lines.without_names(hider) for lines in self.second_starter),
            features=tuple(
                replace(feature, name=hider.words(feature.name)) for feature in self.features
            ),
            beyond=tuple(map(hider.path, self.beyond)),
            first_code=tuple(file.without_names(hider) for file in self.first_code),
            second_code=tuple(file.without_names(hider) for file in self.second_code),
        )

    def grids(self) -> list[Grid]:
        """The regions."""
        title = (
            f"{self.pair.first} and {self.pair.second}: "
            f"{count_text(len(self.regions), 'matched region')}"
        )
        columns = (
            *("region", Column(self.pair.first, "first"), Column(self.pair.second, "second")),
            *(Column("share", digits=2), Column("others", digits=2), "statements", "kind"),
        )
        rows = tuple(
            (
                *(one.number, str(one.first), str(one.second)),
                *(one.share, one.others, one.statements, one.kind),
            )
            for one in self.regions
        )
        return [Grid(title, columns, rows, keys=3)]

    def warnings(self) -> list[str]:
        """That a score is not a proof."""
        return [NOT_A_PROOF]

    def notes(self) -> list[str]:
        """How to read the numbers."""
        notes = [
            "share: of the evidence of all regions; others: the share of other students who have "
            "the same, on average; common: most of them have."
        ]
        if self.beyond:
            files = count_text(len(self.beyond), "file")
            most = f"{_MOST_STATEMENTS:,} statements"
            which = first_names(self.beyond, 1)
            notes.append(f"Not compared, since {most} come before: {files} ({which}).")
        return notes


class EvidenceReader:
    """Finds the evidence of pairs; a program is analysed once.

    Parameters
    ----------
    code : ClassCode
    """

    def __init__(self, code: ClassCode) -> None:
        self._code = code
        self._students = {student.student: student for student in code.students}
        self._programs: dict[str, _Program] = {}
        self._starter = {
            language: _StarterCode.of(
                [one for one in code.template if one.language.name == language]
            )
            for language in {one.language.name for one in code.template}
        }

    def of(self, pair: SubmissionPair) -> PairEvidence:
        """The evidence of a pair of the class."""
        one = self._program(pair.first)
        two = self._program(pair.second)
        match = _Match.of(one, two, self._code.rarity)
        evidence = PairEvidence(
            pair=pair,
            regions=tuple(match.regions()),
            first_starter=one.starter_lines(),
            second_starter=two.starter_lines(),
            features=match.features(),
            beyond=tuple(file.name for file in (*one.beyond, *two.beyond)),
            first_code=one.shown(match.marks(0)),
            second_code=two.shown(match.marks(1)),
        )
        hider = self._code.hider
        return evidence if hider is None else evidence.without_names(hider)

    def _program(self, name: str) -> _Program:
        student = name if self._code.hider is None else self._code.hider.original(name)
        if student not in self._students:
            raise CodekinError(f"submissions: {name} has no code")
        program = self._programs.pop(student, None)
        if program is None:
            program = _Program.of(self._code, self._students[student], self._starter)
        self._programs[student] = program  # the last one that was used
        while (
            sum(kept.size for kept in self._programs.values()) > _KEPT and len(self._programs) > 2
        ):
            del self._programs[next(iter(self._programs))]
        return program


def shared_code(reader: EvidenceReader, pairs: Sequence[SubmissionPair]) -> SharedCode | None:
    """The lines that most of a group have, of the student who has most of its suspicious pairs.

    Parameters
    ----------
    reader : EvidenceReader
    pairs : sequence of SubmissionPair
        The suspicious pairs of the group, the most unusual first.
    """
    links = Counter(name for pair in pairs for name in (pair.first, pair.second))
    student = max(links, key=lambda name: links[name])  # of several, that of the first pair
    mine = [pair for pair in pairs if student in (pair.first, pair.second)][:MOST_OF_GROUP]
    having: Counter[tuple[str, int]] = Counter()
    for pair in mine:
        evidence = reader.of(pair)
        code = evidence.first_code if pair.first == student else evidence.second_code
        having.update((file.name, line) for file in code for line in file.marked_lines("evidence"))
    if not having:
        return None
    # As many lines of as many students as possible.
    sizes = {count: sum(n >= count for n in having.values()) for count in set(having.values())}
    count = max(sizes, key=lambda count: (count * sizes[count], count))
    lines = sorted(place for place, n in having.items() if n >= count)
    runs: list[SubmittedLines] = []
    for file, line in lines:
        if runs and runs[-1].file == file and line - runs[-1].end <= _NEAR:
            runs[-1] = replace(runs[-1], end=line)
        else:
            runs.append(SubmittedLines(file, line, line))
    longest = sorted(runs, key=lambda run: run.start - run.end)[:_PLACES]
    return SharedCode(student, len(lines), count + 1, tuple(longest))


@dataclass(frozen=True, eq=False)
class _StarterCode:
    """Every two statements in a row of starter code, and the heads of its functions."""

    windows: frozenset[tuple[bytes, ...]] = frozenset()
    heads: frozenset[tuple[bytes, ...]] = frozenset()

    @classmethod
    def of(cls, sources: Sequence[Source]) -> _StarterCode:
        windows: set[tuple[bytes, ...]] = set()
        heads: set[tuple[bytes, ...]] = set()
        for source in sources:
            units = _Units.of(source)
            windows.update(units.windows())
            heads.update(units.words[place] for place in units.heads(source))
        return cls(frozenset(windows), frozenset(heads))

    def has(self, units: _Units, source: Source) -> Flags:
        """Which statements of a text are starter code."""
        flags = np.zeros(len(units.words), bool)
        for place, window in enumerate(units.windows()):
            if window in self.windows and len(window) > _MIN_TOKENS:
                flags[place : place + 2] = True
        for place in units.heads(source) if self.heads else ():
            flags[place] |= units.words[place] in self.heads
        return flags


@dataclass(frozen=True, eq=False)
class _Units:
    """The statements of a text, and the stretches of it that they have on each line.

    Attributes
    ----------
    starts : int32 array
        The byte at which each begins.
    spans : list of list of (int, int)
        Characters, without comments.
    lines : list of (int, int)
        The first and the last line.
    words : list of tuple of bytes
        The tokens.
    """

    starts: npt.NDArray[np.int32]
    spans: list[list[tuple[int, int]]]
    lines: list[tuple[int, int]]
    words: list[tuple[bytes, ...]]

    @classmethod
    def of(cls, source: Source) -> _Units:
        data, tokens = source.data, source.tokens
        code = read_tokens(data, source.language)
        starts = code.starts[code.statements]
        count = max(len(starts), 1)
        owner = np.clip(np.searchsorted(starts, tokens.starts, "right") - 1, 0, count - 1)
        characters = source.positions.characters
        lines = source.positions.lines_of(np.stack([tokens.starts, tokens.ends])).tolist()
        found: list[list[tuple[int, int]]] = [[] for _ in range(count)]
        rows: list[tuple[int, int]] = [(0, 0)] * count
        words: list[list[bytes]] = [[] for _ in range(count)]
        last, last_end = -1, 0
        spans = zip(tokens.starts.tolist(), tokens.ends.tolist(), *lines, strict=True)
        for unit, (start, end, line, end_line) in zip(owner.tolist(), spans, strict=True):
            if start == end:  # layout
                continue
            span = characters(start), characters(end)
            if unit == last and not data[last_end:start].strip(b" \t"):
                found[unit][-1] = (found[unit][-1][0], span[1])
            else:
                found[unit].append(span)
            rows[unit] = (rows[unit][0] or line, max(rows[unit][1], end_line))
            words[unit].append(data[start:end])
            last, last_end = unit, end
        return cls(starts, found, rows, [tuple(one) for one in words])

    @classmethod
    def none(cls) -> _Units:
        """No statements."""
        return cls(np.empty(0, np.int32), [], [], [])

    def windows(self) -> Iterator[tuple[bytes, ...]]:
        """Every two statements in a row; all of it if there are no two."""
        if len(self.words) == 1:
            yield self.words[0]
        for one, two in zip(self.words, self.words[1:], strict=False):
            yield (*one, b"", *two)

    def heads(self, source: Source) -> list[int]:
        """The statements with which functions begin."""
        functions = functions_of(source.tree, source.data, source.language)
        found = np.searchsorted(self.starts, [one.start for one in functions], "left")
        return [place for place in found.tolist() if place < len(self.words)]


@dataclass(frozen=True, eq=False)
class _File:
    """A file of a program, and the number of its first statement."""

    name: str
    source: Source
    first: int
    units: _Units

    @cached_property
    def telling(self) -> list[list[tuple[int, int]]]:
        """The stretches of each statement that are more than closing brackets."""
        text = self.source.text
        return [
            [span for span in spans if text[slice(*span)].strip(_CLOSING)]
            for spans in self.units.spans
        ]


@dataclass(frozen=True, eq=False)
class _Program:
    """The statements of a program with their features.

    Attributes
    ----------
    files : list of _File
    starter : bool array
        Which statements are starter code.
    unit, feature : int64 and uint64 arrays
        The statements of occurrences of features.
    left : float64 array
        For each occurrence, the share of those of the feature that the starter code does not have.
    beyond : tuple of _File
        Files that are not compared, since there are too many statements before them.
    """

    files: list[_File]
    starter: Flags
    unit: Ints
    feature: Ids
    left: Floats
    beyond: tuple[_File, ...]

    @classmethod
    def of(
        cls,
        code: ClassCode,
        student: StudentCode,
        starter: Mapping[str, _StarterCode],
    ) -> _Program:
        files: list[_File] = []
        given: list[Flags] = []
        units, features, families, raw = [], [], [], []
        count = 0
        beyond: list[_File] = []
        for name, source in student.sources:
            text = source.text.replace("\r\n", "\n").replace("\r", "\n")
            one = Source(text, source.language)
            if count > _MOST_STATEMENTS:
                beyond.append(_File(code.shown(name), one, count, _Units.none()))
                continue
            try:
                placed = placed_features(one)
                mine = _Units.of(one)
            except (CodekinError, RecursionError, MemoryError):
                continue  # it did not count either
            files.append(_File(code.shown(name), one, count, mine))
            given.append(starter.get(one.language.name, _StarterCode()).has(mine, one))
            last = len(mine.spans) - 1
            for bag in placed:
                where = np.clip(np.searchsorted(mine.starts, bag.starts, "right") - 1, 0, last)
                units.append(where + count)
                features.append(bag.numbered)
                families.append(np.full(len(where), bag.family))
                raw.append(bag.features)
            count += last + 1
        unit = np.concatenate([np.empty(0, np.int64), *units])
        feature = np.concatenate([np.empty(0, np.uint64), *features])
        left = _left(
            np.concatenate([np.empty(0, np.int64), *families]),
            np.concatenate([np.empty(0, np.uint64), *raw]),
            code.starter,
        )
        flags = np.concatenate([np.empty(0, bool), *given])
        return cls(files, flags, unit, feature, left, tuple(beyond))

    @property
    def count(self) -> int:
        return len(self.starter)

    @cached_property
    def size(self) -> int:
        """The characters of its files."""
        return sum(len(file.source.text) for file in (*self.files, *self.beyond))

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """The file of each statement, and its number there."""
        return [(i, j) for i, file in enumerate(self.files) for j in range(len(file.units.spans))]

    @cached_property
    def tokens(self) -> Ints:
        """The tokens of each statement."""
        sizes = [len(words) for file in self.files for words in file.units.words]
        return np.array(sizes, np.int64)

    @cached_property
    def names(self) -> dict[int, str]:
        """The names of the features."""
        words = (words for file in self.files for words in feature_names(file.source))
        return dict(zip(self.feature.tolist(), itertools.chain.from_iterable(words), strict=True))

    def lines(self, units: Sequence[int]) -> SubmittedLines:
        """The lines of statements of one file."""
        file = self.files[self.places[units[0]][0]]
        rows = [file.units.lines[self.places[unit][1]] for unit in units]
        return SubmittedLines(file.name, min(a for a, _ in rows), max(b for _, b in rows))

    def starter_lines(self) -> tuple[SubmittedLines, ...]:
        """Runs of statements that are starter code."""
        runs: list[list[int]] = []
        for unit in np.flatnonzero(self.starter & (self.tokens > 0)).tolist():
            before = runs[-1][-1] if runs else -2
            if unit == before + 1 and self.places[unit][0] == self.places[before][0]:
                runs[-1].append(unit)
            else:
                runs.append([unit])
        return tuple(self.lines(run) for run in runs)

    def shown(self, marks: Mapping[int, tuple[int, str]]) -> tuple[ShownFile, ...]:
        """The files with the marks of some statements."""
        shown = []
        for file in (*self.files, *self.beyond):
            found = []
            for number, spans in enumerate(file.telling):
                unit = file.first + number
                mark = (0, "starter") if self.starter[unit] else marks.get(unit)
                if mark is not None:
                    found += [CodeMark(*span, *mark) for span in spans]
            text = file.source.text
            found = _joined(sorted(found, key=lambda mark: mark.start), text)
            shown.append(ShownFile(file.name, file.source.language.name, text, tuple(found)))
        return tuple(shown)


def _joined(marks: Sequence[CodeMark], text: str) -> list[CodeMark]:
    """Marks of one region with nothing but blanks between them as one."""
    joined: list[CodeMark] = []
    for one in marks:
        before = joined[-1] if joined else None
        if (
            before is not None
            and (before.region, before.kind) == (one.region, one.kind)
            and not text[before.end : one.start].strip(" \t")
        ):
            joined[-1] = CodeMark(before.start, one.end, one.region, one.kind)
        else:
            joined.append(one)
    return joined


def _left(families: Ints, features: Ids, starter: FeatureCounts) -> Floats:
    """For each occurrence of a feature, the share of occurrences that are not starter code."""
    left = np.ones(len(features))
    for family in starter.features:
        mine = families == family
        once, place, counts = np.unique(features[mine], return_inverse=True, return_counts=True)
        taken = np.minimum(counts, starter.count(family, once))
        left[mine] = ((counts - taken) / np.maximum(counts, 1))[place]
    return left


@dataclass(frozen=True, eq=False)
class _Region:
    """Matched statements of both programs, by pairs, with the evidence of each pair."""

    pairs: list[tuple[int, int]]
    weight: float
    others: float
    common: list[bool]

    @property
    def is_common(self) -> bool:
        return all(self.common)


@dataclass(frozen=True, eq=False)
class _Match:
    """How the statements of two programs match."""

    one: _Program
    two: _Program
    rarity: FeatureRarity
    found: list[_Region]

    @classmethod
    def of(cls, one: _Program, two: _Program, rarity: FeatureRarity) -> _Match:
        once, place = np.unique(np.concatenate([one.feature, two.feature]), return_inverse=True)
        split = len(one.feature)
        weights = rarity.weights(once)
        matching = rarity.family_weights(once) * _BASE + weights
        sides = (
            _incidence(one, place[:split], len(once)),
            _incidence(two, place[split:], len(once)),
        )
        tokens = one.tokens, two.tokens
        pairs, firm = _matched(sides, matching, (one, two))
        having = np.maximum(rarity.students_with(once) - 2, 0)
        others = having / max(rarity.students - 2, 1)
        regions = [found for found in _regions(pairs, one, two) if not firm.isdisjoint(found)]
        rate = _Rating(sides, weights, matching, others, firm)
        judged = map(rate.region, regions)
        return cls(one, two, rarity, [one for one in judged if cls._counts(one, tokens)])

    @staticmethod
    def _counts(region: _Region, tokens: tuple[Ints, Ints]) -> bool:
        """Whether it has more than a few tokens, on both sides."""
        sides = zip(*region.pairs, strict=True)
        return all(
            int(size[sorted(set(units))].sum()) >= _MIN_TOKENS
            for size, units in zip(tokens, sides, strict=True)
        )

    @property
    def ranked(self) -> list[_Region]:
        """The regions: evidence first, the heaviest first."""
        return sorted(self.found, key=lambda one: (one.is_common, -one.weight, one.pairs[0]))

    def regions(self) -> Iterator[MatchedRegion]:
        """The regions for people."""
        whole = sum(one.weight for one in self.found if not one.is_common)
        for number, one in enumerate(self.ranked, 1):
            first, second = ([pair[side] for pair in one.pairs] for side in (0, 1))
            yield MatchedRegion(
                number=number,
                kind="common" if one.is_common else "evidence",
                share=0.0 if one.is_common else one.weight / max(whole, 1e-12),
                others=one.others,
                statements=min(len(set(first)), len(set(second))),
                first=self.one.lines(first),
                second=self.two.lines(second),
            )

    def marks(self, side: int) -> dict[int, tuple[int, str]]:
        """The region and kind of each matched statement of one program."""
        marks: dict[int, tuple[int, str]] = {}
        for number, one in enumerate(self.ranked, 1):
            for pair, common in zip(one.pairs, one.common, strict=True):
                kind = "common" if common else "evidence"
                if marks.get(pair[side], (0, "common"))[1] == "common":
                    marks[pair[side]] = (number, kind)
        return marks

    def features(self) -> tuple[SharedFeature, ...]:
        """The heaviest features that both programs have."""
        left: dict[int, float] = {}
        for program in (self.one, self.two):
            once, first = np.unique(program.feature, return_index=True)
            mine = dict(zip(once.tolist(), program.left[first].tolist(), strict=True))
            left = {f: min(left[f], mine[f]) for f in left if f in mine} if left else mine
        ids = np.array([f for f, part in left.items() if part > 0], np.uint64)
        weights = self.rarity.weights(ids) * np.array([left[f] for f in ids.tolist()])
        names = self.one.names
        order = sorted(range(len(ids)), key=lambda i: (-weights[i], names[int(ids[i])]))
        having = self.rarity.students_with(ids)
        whole = max(float(weights.sum()), 1e-12)
        return tuple(
            SharedFeature(names[int(ids[i])], float(weights[i]) / whole, int(having[i]))
            for i in order[:_FEATURES]
        )


def _incidence(program: _Program, place: Ints, features: int) -> scipy.sparse.csr_array:
    """Statements by features; starter code has none."""
    from scipy.sparse import csr_array

    kept = (program.left > 0) & ~program.starter[program.unit]
    cells = np.unique(program.unit[kept] * features + place[kept])
    rows, columns = np.divmod(cells, features)
    shape = (program.count, features)
    return csr_array((np.ones(len(cells)), (rows, columns)), shape=shape)


def _matched(
    sides: tuple[scipy.sparse.csr_array, scipy.sparse.csr_array],
    weights: Floats,
    programs: tuple[_Program, _Program],
) -> tuple[list[tuple[int, int]], set[tuple[int, int]]]:
    """Pairs of statements that match: each with its best partner, and those with parts of them.

    Returns
    -------
    (list of (int, int), set of (int, int))
        All pairs, sorted, and those of partners.
    """
    totals = sides[0] @ weights, sides[1] @ weights
    equal = _equal_statements(sides[0]), _equal_statements(sides[1])
    found = [
        _alike(sides, weights, totals, equal, *stretches)
        for stretches in _related_stretches(sides, weights, programs)
    ]
    left, right = (np.concatenate([np.empty(0, np.int64), *(f[i] for f in found)]) for i in (0, 1))
    merit = np.concatenate([np.empty(0), *(one[2] for one in found)])
    order = np.lexsort((right, left, np.abs(left - right), -merit.round(9)))
    partners: tuple[dict[int, int], dict[int, int]] = ({}, {})
    taken = [np.zeros(side.shape[0], bool) for side in sides]
    for start in range(0, len(order), _PAIRS_AT_A_TIME):
        some = order[start : start + _PAIRS_AT_A_TIME]
        some = some[~(taken[0][left[some]] | taken[1][right[some]])]
        for i, j in zip(left[some].tolist(), right[some].tolist(), strict=True):
            if i not in partners[0] and j not in partners[1]:
                partners[0][i], partners[1][j] = j, i
        taken[0][list(partners[0])] = True
        taken[1][list(partners[1])] = True
    firm = set(partners[0].items())
    return sorted({*firm, *_parts(sides, weights, totals, partners)}), firm


def _related_stretches(
    sides: tuple[scipy.sparse.csr_array, scipy.sparse.csr_array],
    weights: Floats,
    programs: tuple[_Program, _Program],
) -> Iterator[tuple[slice, slice, int]]:
    """The statements of every two files that share more than a little.

    Also the most statements of the second that one of the first is paired with.
    Of long programs, stretches of statements are taken instead of files, and only as many pairs of
    them as is in proportion to the length, the most related first.
    """
    one, two = programs
    long = one.count * two.count > _MOST_CELLS or len(one.files) * len(two.files) > _MOST_FILE_PAIRS
    starts, more = (
        np.arange(0, program.count, _STRETCH)
        if long
        else np.array([file.first for file in program.files], np.int64)
        for program in programs
    )
    shared, least = _shared_weight(sides, weights, (starts, more))
    left, right = np.nonzero((shared > 0) & (shared >= _RELATED * least))
    if long:
        room = _CELLS_OF_STATEMENT * (one.count + two.count) // _STRETCH**2 + 1
        apart = np.abs(left - right)
        order = np.lexsort((right, left, apart, -(shared / np.maximum(least, 1e-12))[left, right]))
        left, right = left[order[:room]], right[order[:room]]
    ends, last = np.append(starts[1:], one.count), np.append(more[1:], two.count)
    for i, j in zip(left.tolist(), right.tolist(), strict=True):
        theirs = slice(int(more[j]), int(last[j]))
        step = max(_CELLS_AT_A_TIME // max(theirs.stop - theirs.start, 1), 1)
        for start in range(int(starts[i]), int(ends[i]), step):
            mine = slice(start, min(start + step, int(ends[i])))
            yield mine, theirs, (_FEW_PARTNERS if long else _MOST_PARTNERS)


def _shared_weight(
    sides: tuple[scipy.sparse.csr_array, scipy.sparse.csr_array],
    weights: Floats,
    starts: tuple[Ints, Ints],
) -> tuple[Floats, Floats]:
    """What every two stretches of statements share, and what the lighter of them has."""
    from scipy.sparse import csr_array

    rows = []
    for side, begins in zip(sides, starts, strict=True):
        stretch = np.searchsorted(begins, side.nonzero()[0], "right") - 1
        cells = np.unique(stretch * side.shape[1] + side.indices)
        shape = (len(begins), side.shape[1])
        rows.append(csr_array((np.ones(len(cells)), np.divmod(cells, side.shape[1])), shape=shape))
    totals = rows[0] @ weights, rows[1] @ weights
    shared = ((rows[0] * weights[None, :]) @ rows[1].T).toarray()
    return shared, np.minimum(totals[0][:, None], totals[1][None, :])


def _alike(
    sides: tuple[scipy.sparse.csr_array, scipy.sparse.csr_array],
    weights: Floats,
    totals: tuple[Floats, Floats],
    equal: tuple[Ints, Ints],
    mine: slice,
    theirs: slice,
    most: int,
) -> tuple[Ints, Ints, Floats]:
    """Statements of two stretches that are similar, and how well they fit with those around them.

    A statement that many others are similar to is paired with those that fit best; of equally good
    ones, with those of the nearest rank.
    """
    # Equal statements are compared once.
    rows, row = np.unique(equal[0][mine], return_inverse=True)
    columns, column = np.unique(equal[1][theirs], return_inverse=True)
    shared = ((sides[0][rows] * weights[None, :]) @ sides[1][columns].T).toarray()
    both = totals[0][rows][:, None] + totals[1][columns][None, :]
    alike = (2 * shared / np.maximum(both, 1e-12))[row][:, column]
    merit = alike + _CONTEXT * _around(alike)
    candidates = alike >= _MIN_ALIKE
    crowded = np.flatnonzero(candidates.sum(axis=1) > most)
    if len(crowded):
        rank = np.cumsum(candidates[crowded], axis=1) - np.arange(1, len(crowded) + 1)[:, None]
        fit = np.where(candidates[crowded], merit[crowded].round(9), -1) - 1e-14 * np.abs(rank)
        best = np.argpartition(-fit, most, axis=1)[:, :most]
        candidates[crowded] = False
        candidates[crowded[:, None], best] = True
    left, right = np.nonzero(candidates)
    return left + mine.start, right + theirs.start, merit[left, right]


def _equal_statements(side: scipy.sparse.csr_array) -> Ints:
    """For each statement, the first that has the same features."""
    first: dict[bytes, int] = {}
    ends = side.indptr.tolist()
    return np.array(
        [
            first.setdefault(side.indices[start:end].tobytes(), place)
            for place, (start, end) in enumerate(itertools.pairwise(ends))
        ],
        np.int64,
    )


def _parts(
    sides: tuple[scipy.sparse.csr_array, scipy.sparse.csr_array],
    weights: Floats,
    totals: tuple[Floats, Floats],
    partners: tuple[dict[int, int], dict[int, int]],
) -> Iterator[tuple[int, int]]:
    """What is one statement in a program can be several in the other."""
    for side, flip in ((0, False), (1, True)):
        mine, theirs = sides[side], sides[1 - side]
        count = theirs.shape[0]
        near = [
            (unit, other + step)
            for unit in range(mine.shape[0])
            if unit not in partners[side] and totals[side][unit] > 0
            for other in (partners[side].get(unit + step) for step in (-1, 1, -2, 2))
            if other is not None
            for step in (0, -1, 1)
            if 0 <= other + step < count
        ]
        if not near:
            continue
        units, others = (np.array([pair[i] for pair in near]) for i in (0, 1))
        shared = mine[units].multiply(theirs[others]) @ weights
        part = shared / np.maximum(totals[side][units], 1e-12)
        best: dict[int, tuple[float, int]] = {}
        for (unit, other), share in zip(near, part.tolist(), strict=True):
            if share >= _MIN_INSIDE:
                best[unit] = max(best.get(unit, (0.0, 0)), (share, -other))
        for unit, (_, other) in best.items():
            yield (-other, unit) if flip else (unit, -other)


def _around(alike: Floats) -> Floats:
    """The mean of the best similarities before and after each pair of statements."""
    both = []
    for step in (-1, 1):
        best = np.zeros_like(alike)
        for i, j in ((1, 1), (1, 2), (2, 1), (1, -1)):
            best = np.maximum(best, _moved(alike, step * i, step * j))
        both.append(best)
    return (both[0] + both[1]) / 2


def _moved(values: Floats, rows: int, columns: int) -> Floats:
    """Each cell has the value of the one some rows and columns further, or 0."""
    moved = np.zeros_like(values)
    height, width = values.shape
    to = slice(max(0, -rows), max(0, height - max(0, rows)))
    across = slice(max(0, -columns), max(0, width - max(0, columns)))
    source = values[max(0, rows) : height + min(0, rows), max(0, columns) : width + min(0, columns)]
    if source.size:
        moved[to, across] = source
    return moved


def _regions(
    pairs: Sequence[tuple[int, int]], one: _Program, two: _Program
) -> list[list[tuple[int, int]]]:
    """Pairs of statements that are near each other in both programs."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    near: list[tuple[int, int]] = []
    for place, (i, j) in enumerate(pairs):
        for further in range(place + 1, len(pairs)):
            k, m = pairs[further]
            if k - i > _NEAR:
                break
            same = one.places[i][0] == one.places[k][0] and two.places[j][0] == two.places[m][0]
            if same and abs(m - j) <= _NEAR:
                near.append((place, further))
    ends = np.array(near, np.int64).reshape(-1, 2).T
    graph = coo_array((np.ones(len(near)), (ends[0], ends[1])), shape=(len(pairs),) * 2)
    _, groups = connected_components(graph, directed=False)
    found: dict[int, list[tuple[int, int]]] = {}
    for group, pair in zip(groups.tolist(), pairs, strict=True):
        found.setdefault(group, []).append(pair)
    return list(found.values())


@dataclass(frozen=True, eq=False)
class _Rating:
    """Rates regions: their evidence, and whether most other students have the same."""

    sides: tuple[scipy.sparse.csr_array, scipy.sparse.csr_array]
    weights: Floats
    matching: Floats
    others: Floats
    firm: set[tuple[int, int]]

    def region(self, pairs: list[tuple[int, int]]) -> _Region:
        """A region; parts of statements are evidence only beside whole ones that are."""
        left, right = (np.array([pair[side] for pair in pairs]) for side in (0, 1))
        both = self.sides[0][left].multiply(self.sides[1][right])
        size = np.maximum(both @ self.matching, 1e-12)
        having = (both @ (self.matching * self.others)) / size
        common = having > _COMMON
        firm = np.array([pair in self.firm for pair in pairs])
        if not firm.all() and common[firm].all():
            return self.region([pair for pair in pairs if pair in self.firm])
        weight = both @ self.weights
        whole = float((having * size).sum() / size.sum())
        return _Region(pairs, float(weight[~common].sum()), whole, common.tolist())
