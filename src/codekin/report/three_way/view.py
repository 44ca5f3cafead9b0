"""From an alignment to its view: which rows are shown, and what is marked in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from codekin.align.three_way import GAP, Columns, EditKind
from codekin.report.three_way.counts import Counts, summarise_regions
from codekin.report.three_way.model import (
    ROLES,
    Gap,
    Item,
    Line,
    Mark,
    Piece,
    RegionHead,
    Row,
    View,
)
from codekin.report.three_way.revisions import RevisionAlignment
from codekin.report.three_way.rows import Beside, beside
from codekin.report.three_way.units import Units
from codekin.report.three_way.verdicts import verdict

__all__ = ["stretches", "view_of"]

_MARKS = {
    EditKind.KEPT: (Mark.KEPT, Mark.KEPT, Mark.KEPT),
    EditKind.BOTH_INSERT: (None, Mark.INSERTED_ALIKE, Mark.INSERTED_ALIKE),
    EditKind.FIRST_INSERT: (None, Mark.INSERTED, None),
    EditKind.SECOND_INSERT: (None, None, Mark.INSERTED),
    EditKind.BOTH_DELETE: (Mark.DELETED_ALIKE, None, None),
    EditKind.FIRST_DELETE: (Mark.DELETED_BY_REFERENCE, None, Mark.KEPT),
    EditKind.SECOND_DELETE: (Mark.DELETED_BY_CANDIDATE, Mark.KEPT, None),
    EditKind.MIXED: (Mark.DELETED_ALIKE, Mark.INSERTED, Mark.INSERTED),
}
"""By who has the column: the marks in the origin, the reference and the candidate."""


def view_of(aligned: RevisionAlignment, *, context: int = 3, most_rows: int | None = None) -> View:
    """Make the view of an alignment.

    Parameters
    ----------
    aligned : RevisionAlignment
    context : int
        How many lines are shown above and below a region.
    most_rows : int, optional
        How many rows are shown at most; what comes after them is a gap that says so.
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
    # Every line begins with its indentation, which says little about where it belongs.
    bare = _without_indents(table, texts).tolist()
    rows = beside(
        bare,
        [text.units.first_lines for text in texts],
        [text.units.line_texts for text in texts],
    )
    runs = stretches(kinds)
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
    return View(aligned.unit, summary, items, any(units.indents for units in aligned.units))


def stretches(kinds: Sequence[EditKind]) -> list[tuple[int, int]]:
    """The columns of each region."""
    kept = np.fromiter((kind is EditKind.KEPT for kind in kinds), np.bool_, len(kinds))
    edges = np.flatnonzero(np.diff(kept, prepend=True, append=True)).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))


def _without_indents(table: Columns, texts: Sequence[_Text]) -> Columns:
    """The columns with gaps for what is only the indentation of a line."""
    bare = table.copy()
    for k, text in enumerate(texts):
        bare[np.isin(table[:, k], list(text.units.indents)), k] = GAP
    return bare


def _note_moved(table: Columns, texts: Sequence[_Text]) -> None:
    """Note where a line has another indentation than the line that its first unit stands in."""
    there = table != GAP
    before = np.full(table.shape, -1, dtype=np.int64)  # the indentation right before each unit
    for k, text in enumerate(texts):
        width = np.full(len(text.units) + 1, -1, dtype=np.int64)
        width[[at + 1 for at in text.units.indents]] = list(text.units.indents.values())
        before[:, k] = np.where(there[:, k], width[table[:, k]], -1)
    low = np.where(there, before, np.iinfo(np.int64).max).min(axis=1)
    differs = low < np.where(there, before, -2).max(axis=1)
    for k, text in enumerate(texts):
        text.moved.update((table[differs & (before[:, k] >= 0), k] - 1).tolist())


class _Text:
    """A text while it is looked at: its units, their marks, and the rows of its lines."""

    def __init__(self, units: Units) -> None:
        self.units = units
        self.marks = [Mark.KEPT] * len(units)
        self.rows: list[int] = []
        self.moved: set[int] = set()

    @cached_property
    def first_units(self) -> list[int]:
        """For each line the first unit that ends in it or below."""
        starts = self.units.line_starts
        found: list[int] = np.searchsorted(self.units.ends, starts, side="right").tolist()
        # A unit without characters, as no indentation is, ends where its line begins.
        return found

    def line(self, number: int) -> Line:
        start = self.units.line_starts[number]
        end = start + len(self.units.line_texts[number])
        return Line(number + 1, tuple(self._pieces(start, end, self.first_units[number])))

    def _pieces(self, start: int, end: int, unit: int) -> Iterator[Piece]:
        """A line cut where marks change; blanks between two of one mark belong to it."""
        text, starts, ends = self.units.text, self.units.starts, self.units.ends
        at, mark = start, Mark.PLAIN
        piece = ""
        while unit < len(starts) and starts[unit] < end:
            own = self._shown_mark(unit)
            between = text[at : max(at, starts[unit])]
            inside = text[max(start, starts[unit]) : min(end, ends[unit])]
            if own is mark and not between.strip():
                piece += between + inside
            else:
                if piece:
                    yield Piece(piece, mark)
                if between:
                    yield Piece(between, Mark.PLAIN)
                piece, mark = inside, own
            at = max(at, min(end, ends[unit]))
            unit += 1
        if piece:
            yield Piece(piece, mark)
        if at < end:
            yield Piece(text[at:end], Mark.PLAIN)

    def _shown_mark(self, unit: int) -> Mark:
        """The mark of a unit; that of an indentation only where a line was moved.

        Of equal indentations the alignment may take the one of another line as kept, which is
        right, and would look odd.
        """
        if unit in self.units.indents and unit not in self.moved:
            return Mark.PLAIN
        return self.marks[unit]


def _rows_of(columns: Sequence[Sequence[int]], texts: Sequence[_Text]) -> tuple[int, int]:
    """The first and the last row that a region touches."""
    first, last = [], []
    for k, text in enumerate(texts):
        there = [column[k] for column in columns if column[k] >= 0]
        seen = [at for at in there if at not in text.units.indents or at in text.moved] or there
        if there:
            first.append(text.rows[text.units.first_lines[seen[0]]])
            last.append(text.rows[text.units.last_lines[seen[-1]]])
    return min(first), max(last)


def _head(
    number: int,
    units: tuple[Units, Units, Units],
    columns: Sequence[Sequence[int]],
    bare: Sequence[Sequence[int]],
    kinds: Sequence[EditKind],
) -> RegionHead:
    for shown in (bare, columns):  # an indentation that counts as changed may be of another line
        for k, own in enumerate(units):
            there = [column[k] for column in shown if column[k] >= 0]
            if there:
                lines = own.first_lines[there[0]] + 1, own.last_lines[there[-1]] + 1
                said = verdict(units, columns, kinds)
                return RegionHead(number, said, Counts.of(kinds), ROLES[k], lines)
    raise ValueError("a region has columns")


def _items(
    rows: Beside,
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
    # From the last one up: none stands below a later one, whose lines may begin above its own.
    for head, (first, last) in zip(reversed(heads), reversed(spans), strict=True):
        touched[first : last + 1] = True
        shown[max(0, first - context) : last + 1 + context] = True
        above = min(above, first)
        begin.setdefault(above, []).insert(0, head)
    made, at = 0, 0
    while at < len(rows):
        if most_rows is not None and made >= most_rows:
            yield Gap(len(rows) - at, same=False, cut=True)
            return
        end = at
        while end < len(rows) and not shown[end]:
            end += 1
        if end - at > 1:  # a single line takes no more room than the word that it is left out
            yield Gap(end - at, all(_same(rows[i], texts) for i in range(at, end)))
            at = end
            continue
        yield from begin.get(at, ())
        yield _row(rows[at], texts, touched=bool(touched[at]))
        made += 1
        at += 1


def _same(lines: Sequence[int | None], texts: Sequence[_Text]) -> bool:
    """Whether all texts have a line in a row, and the same."""
    read = {
        None if line is None else text.units.line_texts[line]
        for line, text in zip(lines, texts, strict=True)
    }
    return len(read) == 1


def _row(lines: Sequence[int | None], texts: Sequence[_Text], *, touched: bool) -> Row:
    origin, reference, candidate = (
        None if line is None else text.line(line) for line, text in zip(lines, texts, strict=True)
    )
    return Row((origin, reference, candidate), touched)
