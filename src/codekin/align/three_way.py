"""Three-way alignment: what two revisions of one origin kept, and where they diverge.

References
----------
.. [1] "Excision Score: evaluating edits with surgical precision", Definitions 1 and 2.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from itertools import groupby
from typing import ClassVar, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from codekin.align.lcs import Hunks, Ids, Lines, Tokens, intern, lcs_pairs
from codekin.align.regions import (
    Regions,
    ThreeWayLcs,
    divergent_regions,
    merge_hunks,
    revision_hunks,
)
from codekin.errors import CodekinError
from codekin.results import LEFT_OUT, Grid, Result

__all__ = [
    "EditKind",
    "Region",
    "Regions",
    "ThreeWayAlignment",
    "ThreeWayLcs",
    "align_three",
    "divergent_regions",
    "hunk_columns",
    "merge_hunks",
]

Columns: TypeAlias = npt.NDArray[np.int32]
"""(n, 3): positions in first, second and origin, or `GAP`."""

GAP: Final = -1

_ALIGNED: Final = ("first", "second", "origin", "edit")
_KEPT_SHOWN: Final = 3
"""Conserved columns that a notebook shows on either side of an edit."""
_MOST_SHOWN: Final = 500
"""Columns that a notebook shows."""


class EditKind(Enum):
    """What happened in one column of an alignment, by which sequences have a token there."""

    KEPT = "kept"
    """All three have the same token: a conserved column."""
    BOTH_INSERT = "both insert"
    """Both revisions have the same token where the origin has none."""
    FIRST_INSERT = "first insert"
    SECOND_INSERT = "second insert"
    BOTH_DELETE = "both delete"
    """Only the origin has a token."""
    FIRST_DELETE = "first delete"
    """Only the first revision deleted the token."""
    SECOND_DELETE = "second delete"
    MIXED = "mixed"
    """Different tokens in one column; only in alignments given as tables."""


@dataclass(frozen=True, slots=True)
class Region:
    """A divergent region: half-open spans of the three sequences.

    Attributes
    ----------
    first, second, origin : tuple of int
        Start and end of the span; it is empty if both are the same.
    """

    first: tuple[int, int]
    second: tuple[int, int]
    origin: tuple[int, int]


@dataclass(frozen=True, eq=False)
class ThreeWayAlignment(Result):
    """Three sequences written below each other, with equal tokens in the same column.

    This is Definition 1 of the paper on the excision score: the first two sequences (A and B in
    the paper) are revisions of the origin (O).

    Attributes
    ----------
    first, second, origin : sequences
        The three sequences, without gaps.
    columns : int32 array of shape (n, 3)
        For each column the positions in first, second and origin; -1 is a gap.

    Raises
    ------
    CodekinError
        If the columns do not contain every position of each sequence once and in order, or if a
        column contains only gaps.

    Examples
    --------
    >>> table = ThreeWayAlignment.from_rows("CGT-CAA--", "C--GCACT-", "C-TGCAATT")
    >>> print(table)
    C G T - C A A - -
    C - - G C A C T -
    C - T G C A A T T
    >>> table.conserved.nonzero()[0]
    array([0, 4, 5])
    >>> for region in table.regions:
    ...     print(region)
    Region(first=(1, 3), second=(1, 2), origin=(1, 3))
    Region(first=(5, 6), second=(4, 6), origin=(5, 8))
    """

    computed: ClassVar[Mapping[str, str]] = {"columns": "records"}

    first: Tokens = field(repr=False, metadata=LEFT_OUT)
    second: Tokens = field(repr=False, metadata=LEFT_OUT)
    origin: Tokens = field(repr=False, metadata=LEFT_OUT)
    columns: Columns = field(metadata=LEFT_OUT)

    def __post_init__(self) -> None:
        columns = self.columns
        if columns.ndim != 2 or columns.shape[1] != 3:
            raise CodekinError(
                f"columns of a three-way alignment have the shape (n, 3), not {columns.shape}"
            )
        for k, name in enumerate(("first", "second", "origin")):
            positions = columns[:, k][columns[:, k] != GAP]
            if not np.array_equal(positions, np.arange(len(getattr(self, name)))):
                raise CodekinError(
                    f"the {name} row does not hold every position of its sequence once and in order"
                )
        empty = np.flatnonzero((columns == GAP).all(axis=1))
        if empty.size:
            raise CodekinError(f"column {empty[0] + 1} holds gaps only; leave it out")

    @classmethod
    def from_rows(
        cls,
        first: Sequence[Hashable],
        second: Sequence[Hashable],
        origin: Sequence[Hashable],
        gap: Hashable = "-",
    ) -> ThreeWayAlignment:
        """Read an alignment from its three rows.

        Parameters
        ----------
        first, second, origin : sequences
            Rows of equal length.
        gap : hashable
            The symbol of a gap.

        Raises
        ------
        CodekinError
            If the rows differ in length, or if a column contains only gaps.
        """
        rows = (first, second, origin)
        lengths = [len(row) for row in rows]
        if len(set(lengths)) > 1:
            raise CodekinError(
                "the rows of an alignment have to be equally long, but these hold "
                f"{lengths[0]}, {lengths[1]} and {lengths[2]} tokens; fill up with gaps"
            )
        columns = np.full((lengths[0], 3), GAP, dtype=np.int32)
        for k, row in enumerate(rows):
            filled = [i for i, token in enumerate(row) if token != gap]
            columns[filled, k] = np.arange(len(filled))
        a, b, o = ([token for token in row if token != gap] for row in rows)
        return cls(a, b, o, columns)

    def __len__(self) -> int:
        return len(self.columns)

    def __str__(self) -> str:
        texts = [[str(token) for token in row] for row in self.rows()]
        widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
        return "\n".join(
            " ".join(t.ljust(w) for t, w in zip(row, widths, strict=True)).rstrip() for row in texts
        )

    def grids(self) -> list[Grid]:
        """The columns as lines, without most of what was kept, and at most 500."""
        return [Grid("", _ALIGNED, tuple(self._lines[:_MOST_SHOWN]), keys=4)]

    def notes(self) -> list[str]:
        """What is not shown."""
        lines = len(self._lines)
        return [f"the first {_MOST_SHOWN:,} of {lines:,} lines"] if lines > _MOST_SHOWN else []

    @cached_property
    def _lines(self) -> list[tuple[str, ...]]:
        lines: list[tuple[str, ...]] = []
        columns = zip(*self.rows(), (kind.value for kind in self.verdicts), strict=True)
        for kept, some in groupby(columns, lambda column: column[3] == EditKind.KEPT.value):
            run = [tuple(map(str, column)) for column in some]
            if kept and len(run) > 2 * _KEPT_SHOWN:
                between = f"… {len(run) - 2 * _KEPT_SHOWN:,} more"
                run = [*run[:_KEPT_SHOWN], ("", "", "", between), *run[-_KEPT_SHOWN:]]
            lines += run
        return lines

    def table(self) -> Grid:
        """One record per column: its tokens, and what happened there.

        Examples
        --------
        >>> align_three("ab", "b", "b").table().records()[0]
        {'first': 'a', 'second': None, 'origin': None, 'edit': 'first insert'}
        """
        columns = zip(*self.rows(gap=None), self.verdicts, strict=True)
        cells = tuple(
            (*(None if token is None else str(token) for token in tokens), kind.value)
            for *tokens, kind in columns
        )
        return Grid("", _ALIGNED, cells, keys=4)

    def rows(self, gap: Hashable = "-") -> tuple[tuple[Hashable, ...], ...]:
        """The three rows, first, second and origin, with a gap where one has no token."""
        sequences = (self.first, self.second, self.origin)
        return tuple(
            tuple(gap if at == GAP else sequence[at] for at in self.columns[:, k].tolist())
            for k, sequence in enumerate(sequences)
        )

    @cached_property
    def verdicts(self) -> tuple[EditKind, ...]:
        """What happened in each column.

        Examples
        --------
        >>> table = align_three("abc", "abd", "ac")
        >>> print(table)
        a b - c
        a b d -
        a - - c
        >>> [kind.value for kind in table.verdicts]
        ['kept', 'both insert', 'second insert', 'second delete']
        """
        return tuple(
            self._verdict(first, second, origin) for first, second, origin in self.columns.tolist()
        )

    def _verdict(self, first: int, second: int, origin: int) -> EditKind:
        tokens = [
            sequence[at]
            for sequence, at in zip(
                (self.first, self.second, self.origin), (first, second, origin), strict=True
            )
            if at != GAP
        ]
        if any(token != tokens[0] for token in tokens):
            return EditKind.MIXED
        return _KINDS[first != GAP, second != GAP, origin != GAP]

    @cached_property
    def conserved(self) -> npt.NDArray[np.bool_]:
        """Whether each column holds the same token in all three rows."""
        kept = (kind is EditKind.KEPT for kind in self.verdicts)
        return np.fromiter(kept, dtype=np.bool_, count=len(self))

    @property
    def conserved_length(self) -> int:
        """The number of conserved columns."""
        return int(self.conserved.sum())

    @cached_property
    def regions(self) -> tuple[Region, ...]:
        """The divergent regions (Definition 2): maximal runs of columns that are not conserved."""
        edges = np.flatnonzero(np.diff(self.conserved, prepend=True, append=True))
        before = np.zeros((len(self) + 1, 3), dtype=np.int64)
        np.cumsum(self.columns != GAP, axis=0, out=before[1:])
        starts, ends = before[edges[::2]].tolist(), before[edges[1::2]].tolist()
        return tuple(
            Region(*((a, b) for a, b in zip(start, end, strict=True)))
            for start, end in zip(starts, ends, strict=True)
        )


_KINDS: Final = {
    (True, True, True): EditKind.KEPT,
    (True, True, False): EditKind.BOTH_INSERT,
    (True, False, False): EditKind.FIRST_INSERT,
    (False, True, False): EditKind.SECOND_INSERT,
    (False, False, True): EditKind.BOTH_DELETE,
    (False, True, True): EditKind.FIRST_DELETE,
    (True, False, True): EditKind.SECOND_DELETE,
}


def align_three(
    first: Tokens,
    second: Tokens,
    origin: Tokens,
    *,
    lcs: ThreeWayLcs = "pairwise",
    lines: tuple[Lines, Lines, Lines] | None = None,
) -> ThreeWayAlignment:
    """Align two revisions with their origin.

    The common prefix of all three, and then the common suffix, is conserved. Between them, the
    origin is aligned with each revision; the tokens that both kept are conserved too.

    Parameters
    ----------
    first, second, origin : sequences of hashables, or uint64 arrays
        The paper's A, B and O.
    lcs : {"pairwise", "threeway"}
        How the conserved tokens are found: by a longest common subsequence of the origin and each
        revision (the leftmost if there are several), or by one of all three, which is exact, but
        not available for long sequences.
    lines : three int32 arrays, optional
        Where the lines of `first`, `second` and `origin` begin: ascending positions from 0. Lines
        that are unique in the origin and in a revision then anchor the pairwise alignments, which
        makes long files fast.

    Returns
    -------
    ThreeWayAlignment
        Each token of the origin shares a column with its partners. Equal tokens that both
        revisions insert at the same place share a column.

    Raises
    ------
    CodekinError
        If `lcs` is unknown, if the lines do not fit, or if the sequences are too long for a
        three-way common subsequence.

    Examples
    --------
    >>> table = align_three(
    ...     "return a + b".split(), "return ( a + c )".split(), "return a * b".split()
    ... )
    >>> print(table)
    return - a + - - - b
    return ( a + c ) - -
    return - a - - - * b
    """
    a, b, o = intern(first, second, origin)
    try:
        hunks = revision_hunks(a, b, o, None if lines is None else _as_lines(lines), lcs)
    except ValueError as error:
        raise CodekinError(f"lines do not fit the three sequences: {error}") from error
    return ThreeWayAlignment(first, second, origin, hunk_columns(a, b, len(o), *hunks))


def _as_lines(lines: tuple[Lines, Lines, Lines]) -> tuple[Lines, Lines, Lines]:
    first, second, origin = (np.ascontiguousarray(starts, dtype=np.int32) for starts in lines)
    return first, second, origin


def hunk_columns(a: Ids, b: Ids, length: int, hunks_a: Hunks, hunks_b: Hunks) -> Columns:
    """All columns of an alignment, from the hunks of each revision.

    Parameters
    ----------
    a, b : uint64 arrays
        Token identities of the revisions.
    length : int
        Of the origin.
    hunks_a, hunks_b : int32 arrays of shape (k, 4)
        Where each differs from the origin, as returned by
        :func:`codekin.align.regions.revision_hunks`.
    """
    changes = _Changes(hunks_a, length), _Changes(hunks_b, length)
    parts: list[Columns] = []
    done = (0, 0, 0)
    for *start_end, origin_start, origin_end in merge_hunks(hunks_a, hunks_b).tolist():
        first_start, first_end, second_start, second_end = start_end
        parts.append(_run(done, origin_start))
        start = first_start, second_start, origin_start
        parts.append(np.array(list(_divergent(a, b, start, origin_end, *changes)), dtype=np.int32))
        done = first_end, second_end, origin_end
    parts.append(_run(done, length))
    return np.concatenate(parts)


def _run(start: tuple[int, int, int], end: int) -> Columns:
    """Conserved columns up to a position of the origin."""
    return np.arange(end - start[2], dtype=np.int32)[:, None] + np.array(start, dtype=np.int32)


class _Changes:
    """The changes of one revision, by position in the origin."""

    def __init__(self, hunks: Hunks, length: int) -> None:
        kept = np.ones(length, dtype=np.bool_)
        # For a position in the origin, the end of the tokens inserted before it.
        self.inserted_until: dict[int, int] = {}
        for start, end, _, own_end in hunks.tolist():
            kept[start:end] = False
            self.inserted_until[start] = own_end
        self.kept: list[bool] = kept.tolist()


def _divergent(
    a: Ids, b: Ids, start: tuple[int, int, int], end: int, first: _Changes, second: _Changes
) -> Iterator[tuple[int, int, int]]:
    """The columns of one region: insertions come before deletions at the same place."""
    i, j, origin_start = start
    for k in range(origin_start, end + 1):
        i_end, j_end = first.inserted_until.get(k, i), second.inserted_until.get(k, j)
        yield from _insertions(a, b, (i, i_end), (j, j_end))
        i, j = i_end, j_end
        if k < end:
            yield i if first.kept[k] else GAP, j if second.kept[k] else GAP, k
            i, j = i + first.kept[k], j + second.kept[k]


def _insertions(
    a: Ids, b: Ids, first: tuple[int, int], second: tuple[int, int]
) -> Iterator[tuple[int, int, int]]:
    """The columns of tokens inserted at one place, those of the first revision first."""
    (i, i_end), (j, j_end) = first, second
    shared = lcs_pairs(a[i:i_end], b[j:j_end]) if i < i_end and j < j_end else []
    for x, y in [*((i + p, j + q) for p, q in shared), (i_end, j_end)]:
        yield from ((p, GAP, GAP) for p in range(i, x))
        yield from ((GAP, q, GAP) for q in range(j, y))
        if x < i_end:
            yield x, y, GAP
        i, j = x + 1, y + 1
