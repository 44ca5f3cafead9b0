"""Longest common subsequences of three sequences."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.align.lcs import Ids, Tokens, intern
from codekin.errors import CodekinError

__all__ = ["DEFAULT_STEPS", "three_way_lcs", "three_way_lcs_ids"]

DEFAULT_STEPS: Final = 200_000_000
"""Cells of the cube, each less than a nanosecond and one bit of memory."""


def three_way_lcs(
    first: Tokens, second: Tokens, origin: Tokens, *, steps: int = DEFAULT_STEPS
) -> list[tuple[int, int, int]]:
    """Find a longest common subsequence of three sequences.

    Of all longest ones it is the leftmost: the one whose list of positions in `origin`, `first` and
    `second`, in this order, comes first in lexicographic order.

    Parameters
    ----------
    first, second, origin : sequences of hashables, or uint64 arrays
        The three sequences.
    steps : int
        The most cells that may be computed: the product of the three lengths, without the tokens
        that all share at the beginning, and without those that not all three have.

    Returns
    -------
    list of tuple
        Positions in `first`, `second` and `origin` of its tokens, in order.

    Raises
    ------
    CodekinError
        If that takes more steps.

    Examples
    --------
    >>> three_way_lcs("CGTCAA", "CGCACT", "CTGCAATT")
    [(0, 0, 0), (1, 1, 2), (3, 2, 3), (4, 3, 4)]
    """
    found = three_way_lcs_ids(*intern(first, second, origin), steps=steps)
    return [(a, b, o) for a, b, o in found.tolist()]


def three_way_lcs_ids(
    first: Ids, second: Ids, origin: Ids, *, steps: int = DEFAULT_STEPS
) -> npt.NDArray[np.int32]:
    """The same for token identities, as an array of shape (k, 3)."""
    found = _native.three_way_lcs(first, second, origin, steps)
    if found is None:
        raise CodekinError(
            f"sequences of {len(first):,}, {len(second):,} and {len(origin):,} tokens are too long "
            f"for an exact three-way common subsequence in {steps:,} steps; align them pairwise, "
            "or allow more steps"
        )
    return found
