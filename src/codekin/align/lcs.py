"""Longest common subsequences, with positions and one rule for ties."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["Hunks", "Ids", "Lines", "intern", "lcs_hunks", "longest_common_subsequence"]

Ids: TypeAlias = npt.NDArray[np.uint64]
Lines: TypeAlias = npt.NDArray[np.int32]
Hunks: TypeAlias = npt.NDArray[np.int32]
"""(k, 4): first_start, first_end, second_start, second_end of what is not matched, in order."""


def intern(*sequences: Sequence[Hashable]) -> tuple[Ids, ...]:
    """Number the tokens of sequences: equal tokens, and only those, get the same identity.

    Sequences that are all uint64 arrays stay as they are.

    Examples
    --------
    >>> intern("aba", "bc")
    (array([0, 1, 0], dtype=uint64), array([1, 2], dtype=uint64))
    """
    if all(isinstance(s, np.ndarray) and s.dtype == np.uint64 for s in sequences):
        return tuple(np.ascontiguousarray(s) for s in sequences)
    numbers: dict[Hashable, int] = {}
    return tuple(
        np.fromiter((numbers.setdefault(t, len(numbers)) for t in s), np.uint64, len(s))
        for s in sequences
    )


def lcs_hunks(first: Ids, second: Ids) -> Hunks:
    """Where two sequences differ, by their leftmost longest common subsequence."""
    n, m = len(first), len(second)
    rest = np.zeros((n + 1, m + 1), dtype=np.int32)
    for i in reversed(range(n)):
        for j in reversed(range(m)):
            same = first[i] == second[j]
            rest[i, j] = rest[i + 1, j + 1] + 1 if same else max(rest[i + 1, j], rest[i, j + 1])
    hunks, i, j, done_i, done_j = [], 0, 0, 0, 0
    while i < n:
        at = next((k for k in range(j, m) if second[k] == first[i]), m)
        if at < m and rest[i + 1, at + 1] + 1 == rest[i, j]:
            if i > done_i or at > done_j:
                hunks.append((done_i, i, done_j, at))
            j = done_j = at + 1
            done_i = i + 1
        i += 1
    if n > done_i or m > done_j:
        hunks.append((done_i, n, done_j, m))
    return np.array(hunks, dtype=np.int32).reshape(-1, 4)


def longest_common_subsequence(
    first: Sequence[Hashable], second: Sequence[Hashable]
) -> list[tuple[int, int]]:
    """Find a longest common subsequence of two sequences.

    Of all longest ones it is the leftmost: the one whose list of pairs comes first in
    lexicographic order.

    Parameters
    ----------
    first, second : sequences of hashables, or uint64 arrays
        The two sequences.

    Returns
    -------
    list of tuple
        Positions in `first` and `second` of its tokens, in order.

    Notes
    -----
    Time grows with the product of the lengths, divided by the 64 bits of a word, and less for
    nearly equal sequences. Memory grows with the sum of the lengths.

    Examples
    --------
    >>> longest_common_subsequence("ABCBDAB", "BDCABA")
    [(1, 0), (2, 2), (3, 4), (5, 5)]
    >>> longest_common_subsequence(["x", "=", "1"], ["x", "+=", "1"])
    [(0, 0), (2, 2)]
    """
    a, b = intern(first, second)
    return _pairs(lcs_hunks(a, b), len(a))


def _pairs(hunks: Hunks, length: int) -> list[tuple[int, int]]:
    """What lies between the hunks."""
    pairs: list[tuple[int, int]] = []
    i = j = 0
    for start, end, second_start, second_end in hunks.tolist():
        pairs.extend(zip(range(i, start), range(j, second_start), strict=True))
        i, j = end, second_end
    pairs.extend(zip(range(i, length), range(j, j + length - i), strict=True))
    return pairs
