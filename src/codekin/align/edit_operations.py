"""N-grams of token identities that two revisions of one origin add, keep and delete."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from codekin import _native

__all__ = ["BREAK", "OperationCounts", "sari_statistics"]

Ids = npt.NDArray[np.uint64]

BREAK = 0
"""An identity that separates regions: no n-gram contains it."""


class OperationCounts(NamedTuple):
    """The counts of SARI among the n-grams of one order.

    Counts of the origin and the candidate are multiplied by the number of references, and those of
    the references are summed, so an n-gram weighs more if more references have it.

    Attributes
    ----------
    add_good, add_candidate, add_reference : float
        Distinct n-grams that the origin lacks: those that candidate and references share, those
        of the candidate, those of the references.
    keep_good, keep_candidate, keep_reference : float
        The same for n-grams of the origin that stay, with their counts.
    delete_good, delete_candidate, delete_reference : float
        The same for n-grams of the origin that are deleted, with their counts.
    keep_precisions, keep_candidate_distinct : float
        The sum of ``good / candidate`` over the distinct n-grams that the candidate keeps, and
        their number.
    keep_recalls, keep_reference_distinct : float
        The sum of ``good / reference`` over those that the references keep, and their number.
    delete_precisions, delete_candidate_distinct : float
        The same for what the candidate deletes, where ``good`` is the deleted count minus the
        counts of the references, as in SARI.py.
    """

    add_good: float
    add_candidate: float
    add_reference: float
    keep_good: float
    keep_candidate: float
    keep_reference: float
    delete_good: float
    delete_candidate: float
    delete_reference: float
    keep_precisions: float
    keep_candidate_distinct: float
    keep_recalls: float
    keep_reference_distinct: float
    delete_precisions: float
    delete_candidate_distinct: float


_FIELDS = len(OperationCounts._fields)


def sari_statistics(
    origin: Ids, candidate: Ids, references: Sequence[Ids], order: int
) -> list[OperationCounts]:
    """Count the n-grams of an origin that revisions keep and delete, and those that they add.

    Parameters
    ----------
    origin, candidate : uint64 array
        Token identities; :data:`BREAK` separates regions that no n-gram spans.
    references : sequence of uint64 arrays
        At least one.
    order : int
        The longest n-gram, at most 64.

    Returns
    -------
    list of OperationCounts
        One for each order from 1.

    References
    ----------
    .. [1] Xu et al., "Optimizing statistical machine translation for text simplification",
       TACL 4, 2016.

    Examples
    --------
    >>> import numpy as np
    >>> origin, candidate, reference = (
    ...     np.array(ids, dtype=np.uint64) for ids in ([1, 2, 3], [1, 4, 3], [1, 4])
    ... )
    >>> first, second = sari_statistics(origin, candidate, [reference], 2)
    >>> first[:3], first[3:6], first[6:9]  # added: 4; kept: 1, 3 and 1; deleted: 2 and 2, 3
    ((1.0, 1.0, 1.0), (1.0, 2.0, 1.0), (1.0, 1.0, 2.0))
    >>> second.add_good, second.add_candidate
    (1.0, 2.0)
    """
    counts = _native.edit_operations(origin, candidate, list(references), order)
    return [
        OperationCounts._make(counts[at : at + _FIELDS]) for at in range(0, len(counts), _FIELDS)
    ]
