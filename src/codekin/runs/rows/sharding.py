"""Cutting rows into shards, the units in which a job scores, saves and resumes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from codekin.runs.rows.pieces import Piece, Record

__all__ = ["MOST_BYTES", "MOST_ROWS", "Shard", "Stretch", "cut_shards"]

MOST_ROWS = 1000
MOST_BYTES = 8 * 2**20
"""The size at which a shard ends before it has all the rows it may have."""


@dataclass(frozen=True, slots=True)
class Shard:
    """Some consecutive rows of an input.

    Attributes
    ----------
    index : int
        Its place among the shards, from 0.
    first_row : int
        The place of its first row in the input, from 0.
    pieces : tuple of Piece
        The rows, not yet decoded.
    share : float or None
        How much of the input has been read with it, from 0 to 1; None where nobody knows.
    """

    index: int
    first_row: int
    pieces: tuple[Piece, ...]
    share: float | None = None

    def __len__(self) -> int:
        return sum(map(len, self.pieces))

    def digest(self) -> str:
        """SHA-256 of what the rows say, wherever they stand."""
        hasher = hashlib.sha256()
        for piece in self.pieces:
            piece.digest(hasher)
        return hasher.hexdigest()

    def records(self) -> Iterator[Record]:
        """The rows, decoded now."""
        for piece in self.pieces:
            yield from piece.records()


class Stretch(Protocol):
    """Rows that a reader has at hand and that can be cut into pieces."""

    def __len__(self) -> int:
        """The number of rows."""

    def rows_within(self, start: int, nbytes: int) -> int:
        """How many rows from `start` on it takes to reach so many bytes, or all there are."""

    def piece(self, start: int, stop: int) -> Piece:
        """Some of the rows."""


def shard_rows(index: int) -> int:
    """How many rows a shard has where nobody says.

    Few at first, so that a short job has work for every worker, and then more, so that a long one
    has not too many files.

    Examples
    --------
    >>> [shard_rows(index) for index in (0, 7, 8, 16, 24, 1000)]
    [125, 125, 250, 500, 1000, 1000]
    """
    return MOST_ROWS >> max(0, 3 - index // 8)


def cut_shards(
    stretches: Iterable[tuple[Stretch, float | None]],
    rows: int | None,
    most_bytes: int = MOST_BYTES,
) -> Iterator[Shard]:
    """Cut stretches of rows into shards.

    Parameters
    ----------
    stretches : iterable of (Stretch, share)
        The rows, and how much of the input has been read after each stretch.
    rows, most_bytes : int
        A shard ends when it has so many rows (None: as :func:`shard_rows` says), or when its
        pieces have reached so many bytes.
    """
    index = first_row = held = size = 0
    pieces: list[Piece] = []
    before: float | None = 0.0
    for stretch, after in stretches:
        start, total = 0, len(stretch)
        while start < total:
            most = shard_rows(index) if rows is None else rows
            stop = start + min(most - held, stretch.rows_within(start, most_bytes - size))
            piece = stretch.piece(start, stop)
            pieces.append(piece)
            held += stop - start
            size += piece.nbytes
            start = stop
            if held >= most or size >= most_bytes:
                yield Shard(index, first_row, tuple(pieces), _between(before, after, stop / total))
                index, first_row = index + 1, first_row + held
                pieces, held, size = [], 0, 0
        before = after
    if pieces:
        yield Shard(index, first_row, tuple(pieces), before)


def _between(before: float | None, after: float | None, part: float) -> float | None:
    return None if before is None or after is None else before + (after - before) * part
