"""Which lines of three texts stand beside each other, by the alignment of what is in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

__all__ = ["Beside", "beside"]

Beside: TypeAlias = list[list[int | None]]
"""For each row the lines, from 0, of the texts that stand in it."""


def beside(
    columns: Sequence[Sequence[int]],
    lines: Sequence[Sequence[int]],
    texts: Sequence[Sequence[str]],
) -> Beside:
    """Put the lines of texts into rows, so that aligned units stand as level as they can.

    A line comes into the row of the first unit that begins in it: below the line before it, and
    not above the lines that hold the partners of that unit. Lines in which no unit begins, such as
    comments, stand beside their like where there is one, and else right above the next line.

    Parameters
    ----------
    columns : sequence of sequences of int
        For each column of an alignment the positions in the texts, or -1.
    lines : sequence of sequences of int
        For each text the lines of its units.
    texts : sequence of sequences of str
        For each text what its lines read.

    Returns
    -------
    list of lists
        Every line of each text, once and in order.

    Examples
    --------
    >>> beside([(0, 0), (-1, 1), (1, 2)], [[0, 1], [0, 1, 2]], ["ac", "abc"])
    [[0, 0], [None, 1], [1, 2]]
    """
    made = _Rows(texts)
    for column in columns:
        there = [(k, lines[k][at]) for k, at in enumerate(column) if at >= 0]
        if any(line > made.last[k] for k, line in there):
            made.place(there)
    made.place_rest()
    return made.rows


class _Rows:
    """Rows while they are filled from the top.

    Attributes
    ----------
    rows : Beside
    last, level : lists of int
        For each text its last line that is placed, and the row of that line.
    """

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        self.rows: Beside = []
        self.last = [-1] * len(texts)
        self.level = [-1] * len(texts)
        self._texts = texts

    def place(self, there: Sequence[tuple[int, int]]) -> None:
        """Place lines that hold partners, and what stands above them, into one row if they can."""
        row = max(self.level[k] + max(0, line - self.last[k]) for k, line in there)
        fresh = [(k, line) for k, line in there if line > self.last[k]]
        # Those without room to spare come first, so that the others find their like.
        for k, line in sorted(fresh, key=lambda one: row - self.level[one[0]] - one[1]):
            self._put(k, line, row)

    def place_rest(self) -> None:
        """Place what stands below all units."""
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
            like = next((at for at in range(free, latest + 1) if self._reads(at, k, number)), None)
            places.append(like)
            free = free + 1 if like is None else like + 1
        found: list[int] = []
        below = end
        for like in reversed(places):
            below = below - 1 if like is None else like
            found.append(below)
        return found[::-1]

    def _reads(self, row: int, k: int, line: int) -> bool:
        """Whether a row holds a line that reads as this one."""
        text = self._texts[k][line]
        return any(
            other is not None and j != k and self._texts[j][other] == text
            for j, other in enumerate(self.rows[row])
        )
