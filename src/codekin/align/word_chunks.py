"""Matching the words of two texts in as few runs as possible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from codekin import _native
from codekin.align.lcs import Ids

__all__ = ["DEFAULT_STEPS", "WordMatching", "match_words"]

DEFAULT_STEPS: Final = 20_000
"""Places that are looked at, each a few nanoseconds."""


@dataclass(frozen=True)
class WordMatching:
    """Which words of two texts match.

    Attributes
    ----------
    pairs : tuple of (int, int)
        The places of matched words in both texts, in the order of the first.
    chunks : int
        The number of runs of pairs that are neighbours in both texts, in the same order.
    least_chunks : int
        A number of chunks that no matching of as many words is below; equal to `chunks` if the
        matching is proven to have the fewest.
    """

    pairs: tuple[tuple[int, int], ...]
    chunks: int
    least_chunks: int


def match_words(
    candidate: tuple[Ids, Ids], reference: tuple[Ids, Ids], *, steps: int = DEFAULT_STEPS
) -> WordMatching:
    """Match as many words as possible, equal ones first, in as few chunks as possible.

    Finding the fewest chunks is NP-hard; the search stops after a number of steps and returns the
    best matching so far, with a bound.

    Parameters
    ----------
    candidate, reference : pairs of uint64 arrays
        The identities of the words of a text, and those of their stems: words with equal stems
        can match.
    steps : int
        The budget of the search.

    Examples
    --------
    >>> import numpy as np
    >>> first, second = (np.array(ids, dtype=np.uint64) for ids in ([1, 2, 3, 1, 4], [1, 4, 1, 2]))
    >>> match_words((first, first), (second, second))
    WordMatching(pairs=((0, 2), (1, 3), (3, 0), (4, 1)), chunks=2, least_chunks=2)
    """
    first, second, least = _native.fewest_chunks(*candidate, *reference, steps)
    breaks = (np.diff(first) != 1) | (np.diff(second) != 1)
    chunks = int(np.count_nonzero(breaks)) + 1 if len(first) else 0
    return WordMatching(tuple(zip(first.tolist(), second.tolist(), strict=True)), chunks, least)
