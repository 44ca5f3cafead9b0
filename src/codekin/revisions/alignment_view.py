"""A view of a three-way alignment: rows of marked lines, regions with verdicts, and gaps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from codekin.align.three_way import GAP, Columns, EditKind
from codekin.revisions.alignment import RevisionAlignment, TextUnits
from codekin.revisions.verdicts import Counts, RegionSummary, Verdict, summarise_regions, verdict

__all__ = [
    "ROLES",
    "AlignedRow",
    "AlignmentView",
    "EditMark",
    "Gap",
    "Item",
    "Line",
    "LinePiece",
    "LineRows",
    "RegionHead",
    "line_rows",
    "region_columns",
    "view_of",
]

ROLES = ("origin", "reference", "candidate")


class EditMark(StrEnum):
    """What happened to a piece of text."""

    PLAIN = "plain"
    """Not a unit: whitespace, and comments where they do not count."""
    KEPT = "kept"
    INSERTED_ALIKE = "inserted alike"
    INSERTED = "inserted"
    """By this revision only."""
    DELETED_ALIKE = "deleted alike"
    DELETED_BY_REFERENCE = "deleted by the reference"
    DELETED_BY_CANDIDATE = "deleted by the candidate"

    @property
    def code(self) -> str:
        """What the styles and scripts of pages call it."""
        return _CODES[self]


_CODES = {
    EditMark.PLAIN: "p",
    EditMark.KEPT: "k",
    EditMark.INSERTED_ALIKE: "ia",
    EditMark.INSERTED: "io",
    EditMark.DELETED_ALIKE: "da",
    EditMark.DELETED_BY_REFERENCE: "dr",
    EditMark.DELETED_BY_CANDIDATE: "dc",
}


@dataclass(frozen=True, slots=True)
class LinePiece:
    """A piece of a line with one mark."""

    text: str
    mark: EditMark


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a text, numbered from 1."""

    number: int
    pieces: tuple[LinePiece, ...]

    @property
    def text(self) -> str:
        """The line without its marks."""
        return "".join(piece.text for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class AlignedRow:
    """Lines of the origin, the reference and the candidate side by side."""

    lines: tuple[Line | None, Line | None, Line | None]
    touched: bool

    @property
    def same(self) -> bool:
        """Whether all three show the same text without any marks."""
        return not self.touched and len({line and line.text.rstrip() for line in self.lines}) == 1


@dataclass(frozen=True, slots=True)
class Gap:
    """Lines that are not shown.

    Attributes
    ----------
    lines : int
        Number of rows.
    same : bool
        Whether the texts are the same there; if not, their comments or their layout differ.
    cut : bool
        Whether the view was truncated here, changed rows or not.
    """

    lines: int
    same: bool
    cut: bool = False

    @property
    def words(self) -> str:
        """The text shown instead of the lines."""
        noun = "line" if self.lines == 1 else "lines"
        lines = f"{self.lines:,} {noun}"
        if self.cut:
            return f"… {lines} more, which are too many to show here …"
        if self.same:
            return f"… {self.lines:,} unchanged {noun} …"
        return f"… {lines} in which only comments or layout differ …"


@dataclass(frozen=True, slots=True)
class RegionHead:
    """The heading of a region, shown above its first row.

    Attributes
    ----------
    number : int
        From 1.
    verdict : Verdict
    counts : Counts
    role : str
        The text that `lines` counts in: the origin, or a revision if the origin has no unit here.
    lines : (int, int)
        The first and the last line in that text, from 1.
    under : int or None
        The region whose heading is right above the same row, if there are several; the code of
        this one is below that heading.
    """

    number: int
    verdict: Verdict
    counts: Counts
    role: str
    lines: tuple[int, int]
    under: int | None = None

    @property
    def where(self) -> str:
        """The lines as text."""
        first, last = self.lines
        shown = f"line {first:,}" if first == last else f"lines {first:,} to {last:,}"
        shown = shown if self.role == "origin" else f"{shown} of the {self.role}"
        return shown if self.under is None else f"{shown}, shown under region {self.under:,}"


Item: TypeAlias = AlignedRow | Gap | RegionHead


@dataclass(frozen=True)
class AlignmentView:
    """The content of a three-way view.

    Attributes
    ----------
    unit : str
        What was aligned: token, word or line.
    summary : RegionSummary
    items : tuple of Item
    indents : bool
        Whether the indentation of a line is a unit of its own.
    """

    unit: str
    summary: RegionSummary
    items: tuple[Item, ...]
    indents: bool

    @cached_property
    def heads(self) -> tuple[RegionHead, ...]:
        """The regions that are shown."""
        return tuple(item for item in self.items if isinstance(item, RegionHead))

    @cached_property
    def marks(self) -> tuple[EditMark, ...]:
        """The marks of changes that occur, in the order of a legend."""
        present = {
            piece.mark
            for item in self.items
            if isinstance(item, AlignedRow)
            for line in item.lines
            if line is not None
            for piece in line.pieces
        }
        return tuple(mark for mark in EditMark if mark in present and mark not in _UNCHANGED)

    def brief(self) -> dict[str, Any]:
        """The view as the script of a report draws it.

        A row is a list of its three lines and of whether it was touched; a line is its number,
        then texts and marks in turn, or null. A gap is a text, a region an object.
        """
        return {
            "unit": self.unit,
            "summary": self.summary.words(self.unit),
            "marks": [mark.code for mark in self.marks],
            "items": [_brief(item) for item in self.items],
        }


_UNCHANGED = (EditMark.PLAIN, EditMark.KEPT)


def _brief(item: Item) -> object:
    if isinstance(item, Gap):
        return item.words
    if isinstance(item, RegionHead):
        return {
            "number": item.number,
            "where": item.where,
            "agreement": item.counts.agreement.value,
            "verdict": [[phrase.text, int(phrase.quoted)] for phrase in item.verdict],
            "counts": item.counts.words,
        }
    lines: list[object] = [
        None
        if line is None
        else [line.number, *(x for piece in line.pieces for x in (piece.text, piece.mark.code))]
        for line in item.lines
    ]
    return [*lines, 2 if item.same else int(item.touched)]


LineRows: TypeAlias = list[list[int | None]]
"""For each row, the line of each text, from 0, or None."""


def line_rows(
    columns: Sequence[Sequence[int]],
    lines: Sequence[Sequence[int]],
    texts: Sequence[Sequence[str]],
) -> LineRows:
    """Put the lines of texts into rows, so that aligned units share a row where possible.

    A line is placed by the first unit that begins in it: below the previous line, and not above
    the lines that contain the partners of that unit. Lines in which no unit begins, such as
    comments, are placed next to an equal line if there is one, or right above the next line.

    Parameters
    ----------
    columns : sequence of sequences of int
        For each column of an alignment, the positions in the texts, or -1.
    lines : sequence of sequences of int
        For each text, the line of each unit.
    texts : sequence of sequences of str
        For each text, its lines.

    Returns
    -------
    list of lists
        Every line of each text, once and in order.

    Examples
    --------
    >>> line_rows([(0, 0), (-1, 1), (1, 2)], [[0, 1], [0, 1, 2]], ["ac", "abc"])
    [[0, 0], [None, 1], [1, 2]]
    """
    builder = _RowBuilder(texts)
    for column in columns:
        partners = [(k, lines[k][at]) for k, at in enumerate(column) if at >= 0]
        if any(line > builder.last[k] for k, line in partners):
            builder.place(partners)
    builder.place_rest()
    return builder.rows


class _RowBuilder:
    """Fills rows from the top.

    Attributes
    ----------
    rows : LineRows
    last, level : lists of int
        For each text, the last line placed, and its row.
    """

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        self.rows: LineRows = []
        self.last = [-1] * len(texts)
        self.level = [-1] * len(texts)
        self._texts = texts

    def place(self, partners: Sequence[tuple[int, int]]) -> None:
        """Place lines with partners into one row if possible, and the lines above them."""
        row = max(self.level[k] + max(0, line - self.last[k]) for k, line in partners)
        fresh = [(k, line) for k, line in partners if line > self.last[k]]
        # Texts without free rows come first, so that the others find equal lines.
        for k, line in sorted(fresh, key=lambda entry: row - self.level[entry[0]] - entry[1]):
            self._put(k, line, row)

    def place_rest(self) -> None:
        """Place the lines below all units."""
        end = max([*self.level, -1]) + 1
        for k, text in enumerate(self._texts):
            if left := len(text) - 1 - self.last[k]:
                self._put(k, len(text) - 1, end + left - 1, first=end)

    def _put(self, k: int, line: int, row: int, first: int | None = None) -> None:
        while len(self.rows) <= row:
            self.rows.append([None] * len(self._texts))
        start = self.level[k] + 1 if first is None else first
        above = range(self.last[k] + 1, line)
        for number, at in zip(above, self._places(k, above, start, row), strict=True):
            self.rows[at][k] = number
        self.rows[row][k] = line
        self.last[k], self.level[k] = line, row

    def _places(self, k: int, above: range, start: int, end: int) -> list[int]:
        """Rows from `start` to before `end` for lines above a placed one."""
        if len(above) == end - start:
            return list(range(start, end))
        places: list[int | None] = []
        free = start
        for i, number in enumerate(above):
            latest = end - (len(above) - i)
            equal = next(
                (at for at in range(free, latest + 1) if self._has_equal(at, k, number)), None
            )
            places.append(equal)
            free = free + 1 if equal is None else equal + 1
        rows: list[int] = []
        below = end
        for equal in reversed(places):
            below = below - 1 if equal is None else equal
            rows.append(below)
        return rows[::-1]

    def _has_equal(self, row: int, k: int, line: int) -> bool:
        """Whether a row contains an equal line of another text."""
        text = self._texts[k][line]
        return any(
            other is not None and j != k and self._texts[j][other] == text
            for j, other in enumerate(self.rows[row])
        )


_MARKS = {
    EditKind.KEPT: (EditMark.KEPT, EditMark.KEPT, EditMark.KEPT),
    EditKind.BOTH_INSERT: (None, EditMark.INSERTED_ALIKE, EditMark.INSERTED_ALIKE),
    EditKind.FIRST_INSERT: (None, EditMark.INSERTED, None),
    EditKind.SECOND_INSERT: (None, None, EditMark.INSERTED),
    EditKind.BOTH_DELETE: (EditMark.DELETED_ALIKE, None, None),
    EditKind.FIRST_DELETE: (EditMark.DELETED_BY_REFERENCE, None, EditMark.KEPT),
    EditKind.SECOND_DELETE: (EditMark.DELETED_BY_CANDIDATE, EditMark.KEPT, None),
    EditKind.MIXED: (EditMark.DELETED_ALIKE, EditMark.INSERTED, EditMark.INSERTED),
}
"""For each kind of column, the marks in the origin, the reference and the candidate."""


def view_of(
    aligned: RevisionAlignment, *, context: int = 3, most_rows: int | None = None
) -> AlignmentView:
    """Make the view of an alignment.

    Parameters
    ----------
    aligned : RevisionAlignment
    context : int
        Number of lines to show above and below a region.
    most_rows : int, optional
        Maximum number of rows to show; the rest becomes a gap that says so.
    """
    table = aligned.alignment.columns[:, [2, 0, 1]]
    columns = table.tolist()
    kinds = aligned.alignment.verdicts
    texts = [_Text(units) for units in aligned.units]
    for column, kind in zip(columns, kinds, strict=True):
        for text, at, mark in zip(texts, column, _MARKS[kind], strict=True):
            if at >= 0 and mark is not None:
                text.marks[at] = mark
    _note_moved(table, texts)
    # Indentation says little about which lines belong together.
    bare = _without_indents(table, texts).tolist()
    rows = line_rows(
        bare,
        [text.units.first_lines for text in texts],
        [text.units.line_texts for text in texts],
    )
    runs = region_columns(kinds)
    for k, text in enumerate(texts):
        text.rows = [i for i, lines in enumerate(rows) if lines[k] is not None]
    spans = [_rows_of(columns[a:b], texts) for a, b in runs]
    heads = [
        _head(i, aligned.units, columns[a:b], bare[a:b], kinds[a:b])
        for i, (a, b) in enumerate(runs, 1)
    ]
    summary = summarise_regions(
        sum(kind is EditKind.KEPT for kind in kinds), [head.counts for head in heads]
    )
    items = tuple(_items(rows, texts, heads, spans, context, most_rows))
    return AlignmentView(
        aligned.unit, summary, items, any(units.indents for units in aligned.units)
    )


def region_columns(kinds: Sequence[EditKind]) -> list[tuple[int, int]]:
    """The range of columns of each region."""
    kept = np.fromiter((kind is EditKind.KEPT for kind in kinds), np.bool_, len(kinds))
    edges = np.flatnonzero(np.diff(kept, prepend=True, append=True)).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))


def _without_indents(table: Columns, texts: Sequence[_Text]) -> Columns:
    """The columns with gaps in place of indentation."""
    bare = table.copy()
    for k, text in enumerate(texts):
        bare[np.isin(table[:, k], list(text.units.indents)), k] = GAP
    return bare


def _note_moved(table: Columns, texts: Sequence[_Text]) -> None:
    """Note where a line is indented differently from the lines of its first unit's partners."""
    present = table != GAP
    before = np.full(table.shape, -1, dtype=np.int64)  # the indentation right before each unit
    for k, text in enumerate(texts):
        width = np.full(len(text.units) + 1, -1, dtype=np.int64)
        width[[at + 1 for at in text.units.indents]] = list(text.units.indents.values())
        before[:, k] = np.where(present[:, k], width[table[:, k]], -1)
    low = np.where(present, before, np.iinfo(np.int64).max).min(axis=1)
    differs = low < np.where(present, before, -2).max(axis=1)
    for k, text in enumerate(texts):
        text.moved.update((table[differs & (before[:, k] >= 0), k] - 1).tolist())


class _Text:
    """A text of the view: its units, their marks, and the rows of its lines."""

    def __init__(self, units: TextUnits) -> None:
        self.units = units
        self.marks = [EditMark.KEPT] * len(units)
        self.rows: list[int] = []
        self.moved: set[int] = set()

    @cached_property
    def first_units(self) -> list[int]:
        """For each line, the first unit that ends in it or below."""
        starts = self.units.line_starts
        # A unit without characters, such as an empty indentation, ends where its line begins.
        units: list[int] = np.searchsorted(self.units.ends, starts, side="right").tolist()
        return units

    def line(self, number: int) -> Line:
        start = self.units.line_starts[number]
        end = start + len(self.units.line_texts[number])
        return Line(number + 1, tuple(self._pieces(start, end, self.first_units[number])))

    def _pieces(self, start: int, end: int, unit: int) -> Iterator[LinePiece]:
        """Split a line where marks change; whitespace between two equal marks gets the mark."""
        text, starts, ends = self.units.text, self.units.starts, self.units.ends
        at, mark = start, EditMark.PLAIN
        piece = ""
        while unit < len(starts) and starts[unit] < end:
            own = self._shown_mark(unit)
            between = text[at : max(at, starts[unit])]
            inside = text[max(start, starts[unit]) : min(end, ends[unit])]
            if own is mark and not between.strip():
                piece += between + inside
            else:
                if piece:
                    yield LinePiece(piece, mark)
                if between:
                    yield LinePiece(between, EditMark.PLAIN)
                piece, mark = inside, own
            at = max(at, min(end, ends[unit]))
            unit += 1
        if piece:
            yield LinePiece(piece, mark)
        if at < end:
            yield LinePiece(text[at:end], EditMark.PLAIN)

    def _shown_mark(self, unit: int) -> EditMark:
        """The mark of a unit; indentation is marked only if the line was indented differently.

        Among equal indentations, the alignment may keep that of another line, which is correct
        but would look odd.
        """
        if unit in self.units.indents and unit not in self.moved:
            return EditMark.PLAIN
        return self.marks[unit]


def _rows_of(columns: Sequence[Sequence[int]], texts: Sequence[_Text]) -> tuple[int, int]:
    """The first and the last row that a region touches."""
    first, last = [], []
    for k, text in enumerate(texts):
        units = [column[k] for column in columns if column[k] >= 0]
        seen = [at for at in units if at not in text.units.indents or at in text.moved] or units
        if units:
            first.append(text.rows[text.units.first_lines[seen[0]]])
            last.append(text.rows[text.units.last_lines[seen[-1]]])
    return min(first), max(last)


def _head(
    number: int,
    units: tuple[TextUnits, TextUnits, TextUnits],
    columns: Sequence[Sequence[int]],
    bare: Sequence[Sequence[int]],
    kinds: Sequence[EditKind],
) -> RegionHead:
    for shown in (bare, columns):  # a changed indentation may belong to another line
        for k, text in enumerate(units):
            places = [column[k] for column in shown if column[k] >= 0]
            if places:
                lines = text.first_lines[places[0]] + 1, text.last_lines[places[-1]] + 1
                words = verdict(units, columns, kinds)
                return RegionHead(number, words, Counts.of(kinds), ROLES[k], lines)
    raise ValueError("a region has columns")


def _items(
    rows: LineRows,
    texts: Sequence[_Text],
    heads: Sequence[RegionHead],
    spans: Sequence[tuple[int, int]],
    context: int,
    most_rows: int | None,
) -> Iterator[Item]:
    touched = np.zeros(len(rows), dtype=np.bool_)
    shown = np.zeros(len(rows), dtype=np.bool_)
    begin: dict[int, list[RegionHead]] = {}
    above = len(rows)
    # Backwards, so that a head is never below a later one, whose lines may begin above its own.
    for head, (first, last) in zip(reversed(heads), reversed(spans), strict=True):
        touched[first : last + 1] = True
        shown[max(0, first - context) : last + 1 + context] = True
        above = min(above, first)
        begin.setdefault(above, []).insert(0, head)
    shown_rows, at = 0, 0
    while at < len(rows):
        if most_rows is not None and shown_rows >= most_rows:
            yield Gap(len(rows) - at, same=False, cut=True)
            return
        end = at
        while end < len(rows) and not shown[end]:
            end += 1
        if end - at > 1:  # a gap takes as much room as a single line
            yield Gap(end - at, all(_same(rows[i], texts) for i in range(at, end)))
            at = end
            continue
        together = begin.get(at, [])
        yield from (replace(head, under=together[-1].number) for head in together[:-1])
        yield from together[-1:]
        yield _row(rows[at], texts, touched=bool(touched[at]))
        shown_rows += 1
        at += 1


def _same(lines: Sequence[int | None], texts: Sequence[_Text]) -> bool:
    """Whether all texts have the same line in a row."""
    distinct = {
        None if line is None else text.units.line_texts[line]
        for line, text in zip(lines, texts, strict=True)
    }
    return len(distinct) == 1


def _row(lines: Sequence[int | None], texts: Sequence[_Text], *, touched: bool) -> AlignedRow:
    origin, reference, candidate = (
        None if line is None else text.line(line) for line, text in zip(lines, texts, strict=True)
    )
    return AlignedRow((origin, reference, candidate), touched)
