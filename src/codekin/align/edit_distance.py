"""Exact edit distances between texts and between sequences of token identities."""

from __future__ import annotations

from typing import overload

import numpy as np
import numpy.typing as npt

from codekin import _native

__all__ = ["levenshtein"]

Ids = npt.NDArray[np.uint64]


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
        If the two are not of the same kind, or of none of these kinds.

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
