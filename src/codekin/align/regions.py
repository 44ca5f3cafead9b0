"""Divergent regions: where two revisions of one origin differ from what all three share."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.align.lcs import Hunks, Ids, Lines, lcs_pairs, three_way_lcs_ids
from codekin.errors import CodekinError

__all__ = [
    "Regions",
    "ThreeWayLcs",
    "divergent_regions",
    "line_hunks",
    "merge_hunks",
    "nested_regions",
    "pair_hunks",
    "revision_hunks",
]

ThreeWayLcs: TypeAlias = Literal["pairwise", "threeway"]

Regions: TypeAlias = npt.NDArray[np.int32]
"""(k, 6): first_start, first_end, second_start, second_end, origin_start, origin_end."""


def divergent_regions(
    first: Ids,
    second: Ids,
    origin: Ids,
    lines: tuple[Lines, Lines, Lines] | None = None,
    lcs: ThreeWayLcs = "pairwise",
) -> Regions:
    """Find the divergent regions of two revisions of an origin.

    These are the regions of :func:`codekin.align_three`, without its columns.

    Parameters
    ----------
    first, second, origin : uint64 arrays
        Token identities.
    lines, lcs
        As for :func:`codekin.align_three`.

    Returns
    -------
    int32 array of shape (k, 6)
        first_start, first_end, second_start, second_end, origin_start, origin_end.

    Examples
    --------
    >>> import numpy as np
    >>> ids = [np.array(s, dtype=np.uint64) for s in ([1, 2, 9, 3], [1, 2, 3, 4], [1, 2, 3])]
    >>> divergent_regions(*ids)
    array([[2, 3, 2, 2, 2, 2],
           [4, 4, 3, 4, 3, 3]], dtype=int32)
    """
    if lcs == "pairwise":
        return _native.divergent_regions(first, second, origin, lines)
    return _native.merge_hunks(*revision_hunks(first, second, origin, lines, lcs))


def merge_hunks(first: Hunks, second: Hunks) -> Regions:
    """Merge the hunks of two revisions of one origin into divergent regions.

    Parameters
    ----------
    first, second : int32 arrays of shape (k, 4)
        Where the origin differs from each revision: origin_start, origin_end, start, end, as
        returned by ``lcs_hunks(origin, revision)``.

    Returns
    -------
    int32 array of shape (k, 6)
        As returned by :func:`divergent_regions`.

    Examples
    --------
    >>> import numpy as np
    >>> first = np.array([[3, 5, 3, 6]], dtype=np.int32)
    >>> second = np.array([[0, 1, 0, 0], [5, 5, 4, 5]], dtype=np.int32)
    >>> merge_hunks(first, second)
    array([[0, 1, 0, 0, 0, 1],
           [3, 6, 2, 5, 3, 5]], dtype=int32)
    """
    return _native.merge_hunks(first, second)


def pair_hunks(origin: Ids, revision: Ids, lines: tuple[Lines, Lines] | None = None) -> Hunks:
    """Find where an origin and its revision differ.

    The common prefix, then the common suffix, is cut off first, whole lines before tokens if lines
    are given, so shared context at the ends does not affect what lies between. The rest is aligned
    by its leftmost longest common subsequence, between lines that are unique in both if lines are
    given.

    Parameters
    ----------
    origin, revision : uint64 arrays
        Token identities.
    lines : tuple of int32 arrays, optional
        Where the lines of each begin.

    Examples
    --------
    >>> import numpy as np
    >>> origin, revision = (np.array(ids, dtype=np.uint64) for ids in ([1, 2, 3], [1, 3, 3]))
    >>> pair_hunks(origin, revision)
    array([[1, 2, 1, 2]], dtype=int32)
    """
    return _native.pair_hunks(origin, revision, lines)


def line_hunks(origin: Ids, origin_lines: Lines, revision: Ids, revision_lines: Lines) -> Hunks:
    """Find the lines in which an origin and its revision differ; hunks count tokens.

    Parameters
    ----------
    origin, revision : uint64 arrays
        Token identities.
    origin_lines, revision_lines : int32 arrays
        Where their lines begin.
    """
    return _native.line_hunks(origin, origin_lines, revision, revision_lines)


def revision_hunks(
    first: Ids,
    second: Ids,
    origin: Ids,
    lines: tuple[Lines, Lines, Lines] | None = None,
    lcs: ThreeWayLcs = "pairwise",
) -> tuple[Hunks, Hunks]:
    """Find what each of two revisions changed in the origin.

    The parameters are those of :func:`divergent_regions`; the result is the input of
    :func:`merge_hunks`.

    Examples
    --------
    >>> import numpy as np
    >>> ids = [np.array(s, dtype=np.uint64) for s in ([1, 2, 9, 3], [1, 2, 3, 4], [1, 2, 3])]
    >>> revision_hunks(*ids)
    (array([[2, 2, 2, 3]], dtype=int32), array([[3, 3, 3, 4]], dtype=int32))
    """
    if lcs == "pairwise":
        if lines is None:
            return pair_hunks(origin, first), pair_hunks(origin, second)
        return (
            pair_hunks(origin, first, (lines[2], lines[0])),
            pair_hunks(origin, second, (lines[2], lines[1])),
        )
    if lcs == "threeway":
        return _threeway_hunks(first, second, origin)
    raise CodekinError(f"lcs must be 'pairwise' or 'threeway', not {lcs!r}")


def nested_regions(first: Ids, second: Ids, origin: Ids) -> Regions:
    """Find the regions outside ``LCS(LCS(origin, first), LCS(origin, second))``.

    This is how the paper of the excision score finds what all three share [1]_. The two inner
    subsequences consist of tokens, which may come from different places of the origin; so the
    result can be longer than what both alignments keep of the origin. If there are several
    longest ones, it is what both keep, or else the leftmost, with the positions in the origin
    taken from the alignment of the first revision.

    Parameters
    ----------
    first, second, origin : uint64 arrays
        Token identities.

    Returns
    -------
    int32 array of shape (k, 6)
        As returned by :func:`divergent_regions`.

    References
    ----------
    .. [1] "Excision Score: evaluating edits with surgical precision", section 3.4.

    Examples
    --------
    >>> import numpy as np
    >>> first, second, origin = (
    ...     np.array(ids, dtype=np.uint64) for ids in ([1], [2, 1], [1, 2, 1])
    ... )
    >>> nested_regions(first, second, origin)
    array([[0, 0, 0, 1, 0, 0],
           [1, 1, 2, 2, 1, 3]], dtype=int32)
    >>> divergent_regions(first, second, origin)
    array([[0, 1, 0, 2, 0, 3]], dtype=int32)
    """
    hunks = pair_hunks(origin, first), pair_hunks(origin, second)
    in_first, in_second = (
        _matched(side, len(origin), len(revision))
        for side, revision in zip(hunks, (first, second), strict=True)
    )
    shared = lcs_pairs(origin[in_first[:, 0]], origin[in_second[:, 0]])
    if len(np.intersect1d(in_first[:, 0], in_second[:, 0])) == len(shared):
        return merge_hunks(*hunks)
    columns = [(in_first[i, 1], in_second[j, 1], in_first[i, 0]) for i, j in shared]
    return _between(columns, (len(first), len(second), len(origin)))


def _matched(hunks: Hunks, length1: int, length2: int) -> npt.NDArray[np.int32]:
    """The pairs of matched positions outside all hunks."""
    kept = [np.ones(length, dtype=bool) for length in (length1, length2)]
    for start1, end1, start2, end2 in hunks.tolist():
        kept[0][start1:end1] = kept[1][start2:end2] = False
    return np.column_stack([np.flatnonzero(side) for side in kept]).astype(np.int32)


def _between(columns: list[tuple[int, int, int]], ends: tuple[int, int, int]) -> Regions:
    """The regions before, between and after columns of three positions each."""
    regions = []
    last = (-1, -1, -1)
    for column in [*columns, ends]:
        spans = [(start + 1, end) for start, end in zip(last, column, strict=True)]
        if any(start < end for start, end in spans):
            regions.append([place for span in spans for place in span])
        last = column
    return np.array(regions, dtype=np.int32).reshape(-1, 6)


def _threeway_hunks(a: Ids, b: Ids, o: Ids) -> tuple[Hunks, Hunks]:
    """What each revision changed, conserving exactly a three-way common subsequence."""
    head, tail = _native.shared_ends(a, b, o)
    a, b, o = (s[head : len(s) - tail] for s in (a, b, o))
    hunks: tuple[list[Hunks], list[Hunks]] = ([], [])
    ends = [-1, -1, -1]
    for conserved in [*three_way_lcs_ids(a, b, o).tolist(), [len(a), len(b), len(o)]]:
        spans = [slice(end + 1, at) for end, at in zip(ends, conserved, strict=True)]
        for side, revision in enumerate((a, b)):
            origin_span, span = spans[2], spans[side]
            shift = np.array([origin_span.start, origin_span.start, span.start, span.start])
            inner = _native.lcs_hunks(o[origin_span], revision[span])
            hunks[side].append((inner + shift + head).astype(np.int32))
        ends = conserved
    return np.concatenate(hunks[0]), np.concatenate(hunks[1])
