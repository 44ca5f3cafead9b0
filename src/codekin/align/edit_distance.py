"""Edit distances between texts and between sequences of token identities."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from codekin import _native

__all__ = ["DEFAULT_STEPS", "EditBounds", "levenshtein", "levenshtein_bounds"]

Ids = npt.NDArray[np.uint64]

DEFAULT_STEPS = 10_000_000_000
"""Words of 64 cells: a few seconds, enough for any two texts of 800,000 characters."""

_WORD = 64


class EditBounds(NamedTuple):
    """Lower and upper bounds of an edit distance; equal if it is exact."""

    lower: int
    upper: int


@overload
def levenshtein(a: str, b: str) -> int: ...
@overload
def levenshtein(a: Ids, b: Ids) -> int: ...
def levenshtein(a: str | Ids, b: str | Ids) -> int:
    """Count the fewest insertions, deletions and substitutions that turn one sequence into another.

    Parameters
    ----------
    a, b : str or uint64 array
        Two texts, compared by code point, or two one-dimensional sequences of token identities.

    Returns
    -------
    int
        The Levenshtein distance.

    Raises
    ------
    TypeError
        If the two are of different or unsupported types.

    Notes
    -----
    Time grows with the product of the lengths (less so for nearly equal sequences), memory with
    their sum. The GIL is released while long sequences are compared.

    Examples
    --------
    >>> levenshtein("kitten", "sitting")
    3
    >>> import numpy as np
    >>> levenshtein(np.array([1, 2, 3], dtype=np.uint64), np.array([1, 3], dtype=np.uint64))
    1
    """
    if isinstance(a, str) and isinstance(b, str):
        return _native.levenshtein_text(a, b)
    if isinstance(a, str) or isinstance(b, str):
        raise TypeError("a text can only be compared with a text")
    return _native.levenshtein_ids(a, b)


def levenshtein_bounds(a: str | Ids, b: str | Ids, steps: int = DEFAULT_STEPS) -> EditBounds:
    """The Levenshtein distance, or bounds on it if the exact distance exceeds a budget.

    Beyond the budget, both sequences are cut into the same number of pieces, and the distances
    between the pieces add up to an upper bound. If that is small, the exact distance is within the
    budget after all. The lower bound is the surplus of elements of one sequence over the other.

    Parameters
    ----------
    a, b : str or uint64 array
        As for :func:`levenshtein`.
    steps : int
        The budget, in words of 64 cells.

    Examples
    --------
    >>> levenshtein_bounds("kitten", "sitting")
    EditBounds(lower=3, upper=3)
    >>> levenshtein_bounds("ab" * 500, "ba" * 500, steps=2000)
    EditBounds(lower=2, upper=2)
    >>> levenshtein_bounds("abcd" * 250, "dcba" * 250, steps=2000)
    EditBounds(lower=0, upper=548)
    """
    if len(a) * len(b) > steps * _WORD:
        a, b = _without_common_ends(a, b)
    longest = max(len(a), len(b))
    if len(a) * len(b) <= steps * _WORD:
        return EditBounds(*2 * (_distance(a, b),))
    pieces = -(-len(a) * len(b) // max(1, steps * _WORD // 4))
    upper = _by_pieces(a, b, min(pieces, longest))
    if longest * upper <= steps * _WORD:
        return EditBounds(*2 * (_distance(a, b),))
    return EditBounds(_surplus(a, b), upper)


def _distance(a: Any, b: Any) -> int:
    return levenshtein(a, b)


def _without_common_ends(a: Any, b: Any) -> tuple[Any, Any]:
    start = _common_start(a, b)
    a, b = a[start:], b[start:]
    end = _common_start(a[::-1], b[::-1])
    return a[: len(a) - end], b[: len(b) - end]


def _common_start(a: Any, b: Any) -> int:
    """The length of the common prefix of two sequences, by bisection."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if _same(a[low:middle], b[low:middle]):
            low = middle
        else:
            high = middle - 1
    return low


def _same(a: Any, b: Any) -> bool:
    return a == b if isinstance(a, str) else bool(np.array_equal(a, b))


def _by_pieces(a: Any, b: Any, pieces: int) -> int:
    ends = [(len(a) * i // pieces, len(b) * i // pieces) for i in range(pieces + 1)]
    return sum(_distance(a[i:k], b[j:m]) for (i, j), (k, m) in pairwise(ends))


def _surplus(a: Any, b: Any) -> int:
    """The number of elements that one sequence has and the other lacks, the larger of both."""
    in_a, in_b = (Counter(s if isinstance(s, str) else s.tolist()) for s in (a, b))
    return max((in_a - in_b).total(), (in_b - in_a).total())
