"""Patience alignment of long sequences, anchored on lines that are unique in both."""

from __future__ import annotations

from codekin import _native
from codekin.align.lcs import Hunks, Ids, Lines

__all__ = ["anchored_hunks"]


def anchored_hunks(first: Ids, first_lines: Lines, second: Ids, second_lines: Lines) -> Hunks:
    """Find where two sequences differ, by patience diff.

    Lines that occur exactly once in each sequence are matched whole: the longest chain of them
    in the same order in both, the leftmost of equally long ones. What lies between two of them is
    aligned by its leftmost longest common subsequence.

    Parameters
    ----------
    first, second : uint64 arrays
        Token identities.
    first_lines, second_lines : int32 arrays
        Where their lines begin: ascending from 0, each line with at least one token.

    Returns
    -------
    int32 array of shape (k, 4)
        As returned by :func:`codekin.align.lcs.lcs_hunks`.

    Raises
    ------
    ValueError
        If the lines do not fit the tokens.

    Notes
    -----
    A line must be unique in the whole sequence, not just between two anchors. So a new line
    inserted into both, where they are aligned already, changes nothing else.

    Examples
    --------
    Matching the ones would match three tokens, but the line 2 3 is unique in both.

    >>> import numpy as np
    >>> first = np.array([2, 3, 1, 1, 1], dtype=np.uint64)
    >>> second = np.array([1, 1, 1, 2, 3], dtype=np.uint64)
    >>> first_lines = np.array([0, 2, 3, 4], dtype=np.int32)
    >>> second_lines = np.array([0, 1, 2, 3], dtype=np.int32)
    >>> anchored_hunks(first, first_lines, second, second_lines)
    array([[0, 0, 0, 3],
           [2, 5, 5, 5]], dtype=int32)
    """
    return _native.anchored_hunks(first, first_lines, second, second_lines)
