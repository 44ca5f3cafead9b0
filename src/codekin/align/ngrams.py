"""Clipped n-gram matches between sequences of token identities."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from codekin import _native

__all__ = ["clipped_matches"]

Ids = npt.NDArray[np.uint64]


def clipped_matches(
    candidate: Ids, references: Sequence[Ids], orders: int
) -> tuple[list[int], list[int]]:
    """Count the n-grams of a candidate that also occur in its references.

    Parameters
    ----------
    candidate : uint64 array
        Token identities.
    references : sequence of uint64 arrays
        At least one.
    orders : int
        The longest n-gram, at most 64.

    Returns
    -------
    matches, totals : lists of int
        For each order from 1: the matches, each n-gram counted at most as often as in the
        reference that has most of it; and all n-grams of the candidate.

    Examples
    --------
    >>> import numpy as np
    >>> a = np.array([1, 2, 3, 1, 2], dtype=np.uint64)
    >>> b = np.array([1, 2, 4], dtype=np.uint64)
    >>> clipped_matches(a, [b], 2)
    ([2, 1], [5, 4])
    """
    counts = _native.clipped_matches(candidate, list(references), orders)
    return counts[:orders], counts[orders:]
