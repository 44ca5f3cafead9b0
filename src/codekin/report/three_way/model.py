"""The model of a three-way view: rows of lines with marks, verdicts, and what nobody touched.

Everything that shows an alignment (terminal, HTML, the browser of a report) draws this model.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TypeAlias

from codekin.report.three_way.counts import Counts, Summary
from codekin.report.three_way.verdicts import Verdict

__all__ = ["ROLES", "Gap", "Item", "Line", "Mark", "Piece", "RegionHead", "Row", "View"]

ROLES = ("origin", "reference", "candidate")


class Mark(StrEnum):
    """What is said of a stretch of text."""

    PLAIN = "plain"
    """No unit: blanks, and comments where they do not count."""
    KEPT = "kept"
    INSERTED_ALIKE = "inserted alike"
    INSERTED = "inserted"
    """By this revision only."""
    DELETED_ALIKE = "deleted alike"
    DELETED_BY_REFERENCE = "deleted by the reference"
    DELETED_BY_CANDIDATE = "deleted by the candidate"


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a line under one mark."""

    text: str
    mark: Mark


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a text, by its number from 1."""

    number: int
    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        """The line without its marks."""
        return "".join(piece.text for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class Row:
    """Lines of the origin, the reference and the candidate beside each other."""

    lines: tuple[Line | None, Line | None, Line | None]
    touched: bool

    @property
    def same(self) -> bool:
        """Whether all three show the same text, and nothing of it is marked."""
        return not self.touched and len({line and line.text.rstrip() for line in self.lines}) == 1


@dataclass(frozen=True, slots=True)
class Gap:
    """Lines that are not shown.

    Attributes
    ----------
    lines : int
        How many rows there are.
    same : bool
        Whether the texts are the same there; else their comments or their layout differ.
    cut : bool
        Whether they are left out because there are too many, changed or not.
    """

    lines: int
    same: bool
    cut: bool = False

    @property
    def words(self) -> str:
        """What stands in their place."""
        lines = f"{self.lines:,} line" if self.lines == 1 else f"{self.lines:,} lines"
        if self.cut:
            return f"… {lines} more, which are too many to show here …"
        if self.same:
            return f"… {lines} that nobody touched …"
        return f"… {lines} in which only comments or layout differ …"


@dataclass(frozen=True, slots=True)
class RegionHead:
    """What happened in a region; it stands above the row in which the region begins.

    Attributes
    ----------
    number : int
        From 1.
    verdict : Verdict
    counts : Counts
    role : str
        The origin; the reference or the candidate where the origin has nothing of it.
    lines : (int, int)
        The first and the last line of that text, from 1.
    """

    number: int
    verdict: Verdict
    counts: Counts
    role: str
    lines: tuple[int, int]

    @property
    def where(self) -> str:
        """The lines in words."""
        first, last = self.lines
        shown = f"line {first:,}" if first == last else f"lines {first:,} to {last:,}"
        return shown if self.role == "origin" else f"{shown} of the {self.role}"


Item: TypeAlias = Row | Gap | RegionHead


@dataclass(frozen=True)
class View:
    """All there is to see of a three-way alignment.

    Attributes
    ----------
    unit : str
        What was aligned: token, word or line.
    summary : Summary
    items : tuple of Item
    indents : bool
        Whether the indentation of a line is a unit of its own.
    """

    unit: str
    summary: Summary
    items: tuple[Item, ...]
    indents: bool

    @cached_property
    def heads(self) -> tuple[RegionHead, ...]:
        """The regions that are shown."""
        return tuple(item for item in self.items if isinstance(item, RegionHead))

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """The marks that occur, in the order of a legend, less those that change nothing."""
        found = {
            piece.mark
            for item in self.items
            if isinstance(item, Row)
            for line in item.lines
            if line is not None
            for piece in line.pieces
        }
        return tuple(mark for mark in Mark if mark in found and mark not in _UNCHANGED)


_UNCHANGED = (Mark.PLAIN, Mark.KEPT)
