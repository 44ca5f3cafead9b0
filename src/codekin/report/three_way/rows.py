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
    counts: Sequence[int],
) -> Beside:
    """Put the lines of texts into rows, so that aligned units stand as level as they can.

    A line comes into the row of the first unit that begins in it: below the line before it, and
    not above the lines that hold the partners of that unit. Lines in which no unit begins, such as
    comments, stand right above the next that has one.

    Parameters
    ----------
    columns : sequence of sequences of int
        For each column of an alignment the positions in the texts, or -1.
    lines : sequence of sequences of int
        For each text the lines of its units.
    counts : sequence of int
        How many lines each text has.

    Returns
    -------
    list of lists
        Every line of each text, once and in order.

    Examples
    --------
    >>> beside([(0, 0), (-1, 1), (1, 2)], [[0, 1], [0, 1, 2]], [2, 3])
    [[0, 0], [None, 1], [1, 2]]
    """
    texts = range(len(counts))
    rows: Beside = []
    last, level = [-1] * len(counts), [-1] * len(counts)

    def place(text: int, line: int, row: int) -> None:
        while len(rows) <= row:
            rows.append([None] * len(counts))
        for up in range(line - last[text]):
            rows[row - up][text] = line - up
        last[text], level[text] = line, row

    for column in columns:
        there = [(text, lines[text][column[text]]) for text in texts if column[text] >= 0]
        fresh = [(text, line) for text, line in there if line > last[text]]
        if fresh:
            row = max(
                level[text] + max(0, line - last[text]) for text, line in there
            )
            for text, line in fresh:
                place(text, line, row)
    end = max([*level, -1]) + 1
    for text in texts:
        left = counts[text] - 1 - last[text]
        if left:
            place(text, counts[text] - 1, end + left - 1)
    return rows
