"""Longest common subsequences, with positions and a fixed rule for ties."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import chain
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.errors import CodekinError

__all__ = [
    "DEFAULT_STEPS",
    "Hunks",
    "Ids",
    "Lines",
    "Tokens",
    "intern",
    "lcs_pairs",
    "longest_common_subsequence",
    "three_way_lcs_ids",
]

Ids: TypeAlias = npt.NDArray[np.uint64]

Lines: TypeAlias = npt.NDArray[np.int32]
"""Where the lines of a sequence begin: ascending from 0, each line with at least one token."""

Tokens: TypeAlias = Sequence[Hashable] | Ids
"""Any sequence of hashable tokens, or token identities."""

Hunks: TypeAlias = npt.NDArray[np.int32]
"""(k, 4): first_start, first_end, second_start, second_end of unmatched spans, in order."""


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


def lcs_pairs(first: Ids, second: Ids) -> list[tuple[int, int]]:
    """Positions of the leftmost longest common subsequence of token identities."""
    in_first, in_second = _native.lcs_positions(first, second)
    return list(zip(in_first.tolist(), in_second.tolist(), strict=True))


def longest_common_subsequence(first: Tokens, second: Tokens) -> list[tuple[int, int]]:
    """Find a longest common subsequence of two sequences.

    If there are several, the leftmost is returned: the one whose list of pairs comes first in
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


DEFAULT_STEPS: Final = 200_000_000
"""Cells of the cube, each less than a nanosecond and one bit of memory."""


def three_way_lcs_ids(
    first: Ids, second: Ids, origin: Ids, *, steps: int = DEFAULT_STEPS
) -> npt.NDArray[np.int32]:
    """Find a longest common subsequence of three sequences.

    If there are several, the leftmost is returned: the one whose list of positions in `origin`,
    `first` and `second`, in this order, comes first in lexicographic order.

    Parameters
    ----------
    first, second, origin : uint64 arrays
        Token identities.
    steps : int
        Maximum number of cells to compute: the product of the three lengths, without the common
        prefix and without tokens that not all three have.

    Returns
    -------
    int32 array of shape (k, 3)
        Positions in `first`, `second` and `origin` of its tokens, in order.

    Raises
    ------
    CodekinError
        If it takes more steps.

    Examples
    --------
    >>> three_way_lcs_ids(*intern("CGTCAA", "CGCACT", "CTGCAATT")).tolist()
    [[0, 0, 0], [1, 1, 2], [3, 2, 3], [4, 3, 4]]
    """
    positions = _native.three_way_lcs(first, second, origin, steps)
    if positions is None:
        raise CodekinError(
            f"sequences of {len(first):,}, {len(second):,} and {len(origin):,} tokens are too long "
            f"for an exact three-way common subsequence in {steps:,} steps; align them pairwise, "
            "or allow more steps"
        )
    return positions
