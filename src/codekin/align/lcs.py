"""Longest common subsequences, with positions and one rule for ties."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import chain
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from codekin import _native

__all__ = [
    "Hunks",
    "Ids",
    "Lines",
    "Tokens",
    "intern",
    "lcs_hunks",
    "lcs_pairs",
    "longest_common_subsequence",
]

Ids: TypeAlias = npt.NDArray[np.uint64]

Lines: TypeAlias = npt.NDArray[np.int32]
"""Where the lines of a sequence begin: ascending from 0, each line with a token at least."""

Tokens: TypeAlias = Sequence[Hashable] | Ids
"""Any sequence of hashable tokens, or token identities."""

Hunks: TypeAlias = npt.NDArray[np.int32]
"""(k, 4): first_start, first_end, second_start, second_end of what is not matched, in order."""


def intern(*sequences: Tokens) -> tuple[Ids, ...]:
    """Number the tokens of sequences: equal tokens, and only those, get the same identity.

    Sequences that are all uint64 arrays stay as they are.

    Examples
    --------
    >>> intern("aba", "bc")
    (array([0, 1, 0], dtype=uint64), array([1, 2], dtype=uint64))
    """
    if all(isinstance(s, np.ndarray) and s.dtype == np.uint64 for s in sequences):
        return tuple(np.ascontiguousarray(s) for s in sequences)
    different: dict[Hashable, None] = dict.fromkeys(chain.from_iterable(sequences))
    numbers = {token: number for number, token in enumerate(different)}
    return tuple(np.fromiter(map(numbers.__getitem__, s), np.uint64, len(s)) for s in sequences)


def lcs_hunks(first: Ids, second: Ids) -> Hunks:
    """Find where two sequences differ, by their leftmost longest common subsequence.

    Parameters
    ----------
    first, second : uint64 arrays
        Token identities.

    Returns
    -------
    int32 array of shape (k, 4)
        first_start, first_end, second_start, second_end of the stretches that are not matched, in
        order; between two of them there is a match.

    Examples
    --------
    >>> import numpy as np
    >>> first = np.array([1, 2, 3, 4], dtype=np.uint64)
    >>> second = np.array([1, 3, 4, 5], dtype=np.uint64)
    >>> lcs_hunks(first, second)
    array([[1, 2, 1, 1],
           [4, 4, 3, 4]], dtype=int32)
    """
    return _native.lcs_hunks(first, second)


def lcs_pairs(first: Ids, second: Ids) -> list[tuple[int, int]]:
    """Positions of the leftmost longest common subsequence of token identities."""
    in_first, in_second = _native.lcs_positions(first, second)
    return list(zip(in_first.tolist(), in_second.tolist(), strict=True))


def longest_common_subsequence(first: Tokens, second: Tokens) -> list[tuple[int, int]]:
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
    return lcs_pairs(*intern(first, second))
