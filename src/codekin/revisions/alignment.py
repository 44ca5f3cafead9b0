"""Three-way alignment of texts: ``align_revisions``, and scores of the measures of edits."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from codekin.align.lcs import Hunks, Ids, intern, lcs_pairs
from codekin.align.line_diff import line_diff
from codekin.align.regions import revision_hunks
from codekin.align.sliding import Stops, slide_insertions
from codekin.align.three_way import (
    EditKind,
    Region,
    ThreeWayAlignment,
    ThreeWayLcs,
    hunk_columns,
)
from codekin.errors import CodekinError
from codekin.languages import Language, language_of_named_file
from codekin.languages.text import TEXT
from codekin.measures import Score, measure, measure_classes
from codekin.represent.text.plain_tokens import string_ids
from codekin.results import Grid, Tabular
from codekin.source import Source, sources_of_one_language

if TYPE_CHECKING:
    from codekin.revisions.alignment_report import AlignmentReport

__all__ = [
    "By",
    "MeasureLine",
    "RevisionAlignment",
    "TextUnits",
    "Unit",
    "align_revisions",
    "language_of_files",
    "line_units",
    "revision_scores",
    "token_units",
]

By: TypeAlias = Literal["token", "line"]
Unit: TypeAlias = Literal["token", "word", "line"]

_LINE = re.compile(r"[^\n]+")


@dataclass(frozen=True, eq=False)
class TextUnits:
    """A text and the units that it is split into, in order.

    Attributes
    ----------
    text : str
    name : str
        What a unit is called: token, word or line.
    starts, ends : lists of int
        Spans in characters of the text.
    ids : uint64 array
        Equal for equal units.
    lines : int32 array
        The index of the first unit of each line, as for
        :func:`codekin.align.three_way.align_three`.
    indents : dict of int to int
        For each unit that represents the indentation of a line, its width in columns.
    """

    text: str = field(repr=False)
    name: Unit
    starts: list[int] = field(repr=False)
    ends: list[int] = field(repr=False)
    ids: npt.NDArray[np.uint64] = field(repr=False)
    lines: npt.NDArray[np.int32] = field(repr=False)
    indents: dict[int, int] = field(repr=False)

    def __len__(self) -> int:
        return len(self.starts)

    @cached_property
    def line_starts(self) -> list[int]:
        """Where the lines of the text begin; text after the last line end is a line too."""
        starts = [0, *(match.end() for match in re.finditer("\n", self.text))]
        if starts[-1] == len(self.text):
            starts.pop()
        return starts

    @cached_property
    def line_texts(self) -> list[str]:
        """The text of each line, without trailing whitespace."""
        lines = self.text.split("\n")
        return [line.rstrip() for line in lines[: len(self.line_starts)]]

    @cached_property
    def first_lines(self) -> list[int]:
        """The line in which each unit begins, from 0."""
        return self._lines_of(self.starts)

    @cached_property
    def last_lines(self) -> list[int]:
        """The line in which each unit ends, from 0."""
        last = (max(s, e - 1) for s, e in zip(self.starts, self.ends, strict=True))
        return self._lines_of(list(last))

    def _lines_of(self, characters: list[int]) -> list[int]:
        numbers = np.searchsorted(self.line_starts, characters, side="right") - 1
        lines: list[int] = np.maximum(numbers, 0).tolist()
        return lines


def token_units(source: Source) -> TextUnits:
    r"""The lexemes of code, without comments and docstrings, or the words of prose.

    Examples
    --------
    >>> units = token_units(Source("x = é // why\n", "c"))
    >>> [units.text[s:e] for s, e in zip(units.starts, units.ends)]
    ['x', '=', 'é']
    """
    lexemes = source.lexemes
    characters = lexemes.positions.characters
    # The identity of a layout lexeme encodes its column above the four bits of the length.
    indents = {
        i: int(text[1:])
        for i, (text, layout) in enumerate(zip(lexemes.texts, lexemes.layout.tolist(), strict=True))
        if layout
    }
    return TextUnits(
        source.text,
        "word" if source.language.prose else "token",
        [characters(byte) for byte in lexemes.starts.tolist()],
        [characters(byte) for byte in lexemes.ends.tolist()],
        lexemes.ids,
        lexemes.lines,
        indents,
    )


def line_units(text: str) -> TextUnits:
    r"""The lines of a text that are not blank, without trailing whitespace.

    Examples
    --------
    >>> len(line_units("a\n\n  b  \n"))
    2
    """
    pairs = list(_line_spans(text))
    starts, ends = [s for s, _ in pairs], [e for _, e in pairs]
    ids = string_ids([text[s:e] for s, e in pairs])
    units = TextUnits(text, "line", starts, ends, ids, np.zeros(0, dtype=np.int32), {})
    numbers = np.array(units.first_lines, dtype=np.int64)
    lines = np.flatnonzero(np.diff(numbers, prepend=-1)).astype(np.int32)
    return TextUnits(text, "line", starts, ends, ids, lines, {})


def _line_spans(text: str) -> Iterator[tuple[int, int]]:
    for match in _LINE.finditer(text):
        content = match.group().rstrip()
        if content:
            yield match.start(), match.start() + len(content)


@dataclass(frozen=True, eq=False)
class RevisionAlignment(Tabular):
    """An origin, its two revisions (reference and candidate), and how they align.

    Attributes
    ----------
    origin, reference, candidate : Source
        The texts.
    alignment : ThreeWayAlignment
        The alignment of their units; `first` is the reference and `second` the candidate.
    units : tuple of TextUnits
        The units of the origin, the reference and the candidate.
    plain : bool
        Whether they are prose, or treated as such because no language is known.
    by : {"token", "line"}
    lcs : {"pairwise", "threeway"}
    """

    origin: Source = field(repr=False)
    reference: Source = field(repr=False)
    candidate: Source = field(repr=False)
    alignment: ThreeWayAlignment = field(repr=False)
    units: tuple[TextUnits, TextUnits, TextUnits] = field(repr=False)
    plain: bool
    by: By
    lcs: ThreeWayLcs

    @property
    def regions(self) -> tuple[Region, ...]:
        """The divergent regions, as spans of units."""
        return self.alignment.regions

    @property
    def unit(self) -> Unit:
        """What was aligned: token, word or line."""
        return self.units[0].name

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know before looking at regions.

        Examples
        --------
        >>> align_revisions("x = 1", "x = 2", origin="x = 1", language="python").notes
        ('the candidate is the origin, untouched',)
        """
        old, ours, theirs = self.origin.text, self.reference.text, self.candidate.text
        notes = []
        if self.plain and self.by == "token":
            notes.append("the texts are not code, so words are aligned")
        texts = {"origin": old, "reference": ours, "candidate": theirs}
        notes += [f"the {role} is empty" for role, text in texts.items() if not text.strip()]
        if old == ours == theirs:
            notes.append("all three texts are the same")
        elif ours == theirs:
            notes.append("the candidate is the reference")
        elif old == theirs:
            notes.append("the candidate is the origin, untouched")
        elif old == ours:
            notes.append("the reference is the origin: nothing was to be changed")
        return tuple(notes)

    def report(self, *, names: Sequence[str] | None = None, context: int = 3) -> AlignmentReport:
        """The scores and regions as a result, with `to_json`, `to_markdown` and so on.

        Parameters
        ----------
        names : sequence of str, optional
            What the origin, the reference and the candidate are called, such as their paths
            (default: by these roles).
        context : int
            Lines that a page shows above and below a region.
        """
        from codekin.revisions.alignment_report import alignment_report
        from codekin.revisions.alignment_view import ROLES, view_of

        return alignment_report(self, view_of(self, context=context), names=names or ROLES)

    def table(self) -> Grid:
        """One record per region, as in the report."""
        from codekin.revisions.alignment_report import alignment_report

        return alignment_report(self, scores=()).table()

    def to_html(self, path: str | Path | None = None) -> str:
        """The page of the report, which works offline; also written to `path` if given."""
        return self.report().to_html(path)

    def __str__(self) -> str:
        text: str = import_module("codekin.report.alignment_terminal").plain_text(self)
        return text

    def _repr_html_(self) -> str:
        html: str = import_module("codekin.report.alignment_page").fragment(self)
        return html


def align_revisions(
    candidate: Source | str,
    reference: Source | str,
    *,
    origin: Source | str,
    language: str | Language | None = None,
    by: By = "token",
    lcs: ThreeWayLcs = "pairwise",
) -> RevisionAlignment:
    r"""Align a candidate and a reference with their common origin.

    Insertions are placed as ``git diff`` shows them: if an insertion fits in several places, it
    begins and ends with whole lines, and two equal insertions are placed alike. If the revisions
    agree more when whole lines are matched before tokens, they are.

    Parameters
    ----------
    candidate, reference, origin : Source or str
        The texts.
    language : str or Language, optional
        The language of texts given as str; detected by default. ``"text"``, and texts whose
        language cannot be detected, are split into words.
    by : {"token", "line"}
        What to align: tokens, without comments and docstrings, or words of prose; or whole lines.
    lcs : {"pairwise", "threeway"}
        As for :func:`codekin.align.three_way.align_three`.

    Returns
    -------
    RevisionAlignment
        When printed, it shows every region with the lines around it; a notebook shows it in
        colours.

    Raises
    ------
    CodekinError
        If a parameter is invalid, or if the texts are too long for ``lcs="threeway"``.

    Examples
    --------
    >>> aligned = align_revisions("a > b", "a <= b", origin="a < b", language="python")
    >>> print(aligned)  # doctest: +NORMALIZE_WHITESPACE
    1 region; 3 tokens changed: 1 alike, 0 only by the reference, 0 only by the candidate,
    2 differently; 3 kept
    {+x+} inserted by this one only  [=x=] deleted by both
    <BLANKLINE>
    1 · line 1: both delete `<`; the reference puts `<=`, the candidate `>`
        added alike 0 of 2 · deleted alike 1 of 1
      origin    1 a [=<=] b
      reference 1 a {+<=+} b
      candidate 1 a {+>+} b
    >>> aligned.regions
    (Region(first=(2, 3), second=(2, 3), origin=(2, 3)),)
    """
    if by not in get_args(By):
        raise CodekinError(f"by must be 'token' or 'line', not {by!r}")
    texts = [origin, reference, candidate]
    for role, text in zip(("origin", "reference", "candidate"), texts, strict=True):
        if not isinstance(text, Source | str):
            hint = "; Source.from_file reads a file" if isinstance(text, PathLike) else ""
            raise CodekinError(
                f"the {role} must be a Source or a str, not {type(text).__name__}{hint}"
            )
    sources = sources_of_one_language(texts, language)
    if not all(map(_has_language, sources)):
        sources = [Source(source.text, TEXT) for source in sources]
    plain = all(source.language.prose for source in sources)
    units = _units(sources, by)
    return RevisionAlignment(
        *(sources[0], sources[1], sources[2], _aligned(units, by, lcs), units, plain, by, lcs)
    )


def _aligned(
    units: tuple[TextUnits, TextUnits, TextUnits], by: By, lcs: ThreeWayLcs
) -> ThreeWayAlignment:
    """The alignment of units, with insertions shown in whole lines where possible."""
    old, first, second = units
    ids = first.ids, second.ids
    # When lines are aligned, each would be its own anchor.
    lines = (first.lines, second.lines, old.lines) if by == "token" else None
    stops = _stops(first, old), _stops(second, old)

    def shown(found: tuple[Hunks, Hunks]) -> ThreeWayAlignment:
        slid = slide_insertions(ids, found, stops)
        return ThreeWayAlignment(*ids, old.ids, hunk_columns(*ids, len(old), *slid))

    aligned = shown(revision_hunks(*ids, old.ids, lines, lcs))
    if lcs == "threeway" or by == "line" or not _one_sided(aligned):
        return aligned
    # A token that is kept by chance, far from its place, may tear equal insertions apart.
    others = [
        shown((_line_by_line(old, first, last), _line_by_line(old, second, last)))
        for last in (False, True)
    ]
    return min(aligned, *others, key=_one_sided)


def _line_by_line(origin: TextUnits, revision: TextUnits, last: bool) -> Hunks:
    """Where a revision differs from its origin, if whole lines are matched before units.

    Parameters
    ----------
    origin, revision : TextUnits
    last : bool
        Whether a line, or a unit in lines that differ, is matched with the last of equal ones
        instead of the first.
    """
    bounds = [np.append(one.lines, len(one)).astype(np.int32) for one in (origin, revision)]
    lines = [
        [one.ids[start:end].tobytes() for start, end in pairwise(ends.tolist())]
        for one, ends in zip((origin, revision), bounds, strict=True)
    ]
    numbers = intern(*lines)
    rows = []
    for row in _differing(numbers[0], numbers[1], last):
        start, end, own, own_end = (int(bounds[k // 2][place]) for k, place in enumerate(row))
        inner = _differing(origin.ids[start:end], revision.ids[own:own_end], last)
        rows += [(start + a, start + b, own + c, own + d) for a, b, c, d in inner]
    return np.array(rows, dtype=np.int32).reshape(-1, 4)


def _differing(origin: Ids, revision: Ids, last: bool) -> list[tuple[int, int, int, int]]:
    """Where two sequences differ; of equal tokens the first is matched, or the last."""
    turned = slice(None, None, -1 if last else 1)
    pairs = lcs_pairs(*(np.ascontiguousarray(ids[turned]) for ids in (origin, revision)))
    sizes = len(origin), len(revision)
    if last:
        pairs = [(sizes[0] - 1 - i, sizes[1] - 1 - j) for i, j in reversed(pairs)]
    found, done = [], (0, 0)
    for i, j in [*pairs, sizes]:
        if (i, j) != done:
            found.append((done[0], i, done[1], j))
        done = i + 1, j + 1
    return found


def _one_sided(aligned: ThreeWayAlignment) -> int:
    """How many units only one of the revisions changed."""
    counts = Counter(aligned.verdicts)
    return sum(counts[kind] for kind in _ONE_SIDED)


_ONE_SIDED = (
    EditKind.FIRST_INSERT,
    EditKind.SECOND_INSERT,
    EditKind.FIRST_DELETE,
    EditKind.SECOND_DELETE,
)


def _stops(revision: TextUnits, origin: TextUnits) -> Stops:
    """Where lines begin, and where ``git diff`` shows insertions."""
    lines = line_diff(origin.line_texts, revision.line_texts)
    shown = [hunk.after_start for hunk in lines if hunk.before_start == hunk.before_end]
    preferred = np.searchsorted(revision.first_lines, shown).tolist()
    return Stops(frozenset([*revision.lines.tolist(), len(revision)]), frozenset(preferred))


def language_of_files(names: Sequence[str]) -> Language | None:
    """The language of files by their suffixes; the first if there are several, text last.

    Examples
    --------
    >>> [language_of_files(names).name for names in (["<stdin>", "new.py"], ["a.txt"])]
    ['python', 'text']
    """
    known = [found for name in names if (found := language_of_named_file(name)) is not None]
    return next((found for found in known if found is not TEXT), known[0] if known else None)


def _units(sources: list[Source], by: By) -> tuple[TextUnits, TextUnits, TextUnits]:
    old, first, second = (
        token_units(source) if by == "token" else line_units(source.text) for source in sources
    )
    return old, first, second


def _has_language(source: Source) -> bool:
    try:
        return bool(source.language)
    except CodekinError:
        return False


@dataclass(frozen=True, slots=True)
class MeasureLine:
    """A measure and its score, or the reason why there is none."""

    name: str
    score: Score | None
    problem: str = ""


def revision_scores(aligned: RevisionAlignment) -> tuple[MeasureLine, ...]:
    """Score the candidate with every measure that uses the origin.

    Examples
    --------
    >>> texts = "return a * b", "return a + b"
    >>> lines = revision_scores(align_revisions(*texts, origin="return a - b", language="python"))
    >>> [(line.name, round(line.score.value, 4)) for line in lines if line.name == "sari"]
    [('sari', 0.5)]
    """
    lines = []
    for name, forms in measure_classes().items():
        form = forms.get(None)
        if form is not None and form.needs_origin:
            lines.append(_line(name, aligned))
    return tuple(lines)


def _line(name: str, aligned: RevisionAlignment) -> MeasureLine:
    texts = aligned.candidate, aligned.reference, aligned.origin
    try:
        return MeasureLine(name, measure(name).score(*texts))
    except CodekinError as error:
        return MeasureLine(name, None, str(error))
