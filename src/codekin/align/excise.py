"""Agreement of two revisions of one origin after excising what neither of them changed.

References
----------
.. [1] "Excision Score: evaluating edits with surgical precision", section 3.4.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from codekin import _native
from codekin.align.lcs import Ids
from codekin.align.regions import Regions

__all__ = [
    "KEEP",
    "ZERO",
    "Agreement",
    "ExcisionParts",
    "RevisionGrams",
    "excision_parts",
    "least_agreement",
    "pooled_agreement",
    "revision_grams",
]

ZERO = {"skip": 0, "zero": 1, "one": 2}
"""How an empty denominator counts (not at all, as 0 or as 1), with the kernel's code."""

KEEP = {"none": 0, "region": 1, "global": 2}
"""Where kept n-grams are compared: nowhere, within their region, or over all regions."""


class Agreement(NamedTuple):
    """N-grams changed alike by both revisions, by the reference and by the candidate."""

    both: int
    reference: int
    candidate: int


class RevisionGrams(NamedTuple):
    """How revisions change the n-grams of one order.

    Attributes
    ----------
    add, delete : Agreement
        Found per region and compared over all regions, so the same insertion elsewhere matches.
    keep : Agreement
        What both regions of a pair still have, compared within the region.
    keep_anywhere : Agreement
        The same over all regions together.
    """

    add: Agreement
    delete: Agreement
    keep: Agreement
    keep_anywhere: Agreement


class ExcisionParts(NamedTuple):
    """A score and its parts, each NaN where it is undefined."""

    value: float
    add: float
    keep: float
    delete: float


def revision_grams(
    origin: Ids,
    reference: Ids,
    candidate: Ids,
    regions: Regions,
    order: int,
    *,
    context: bool = False,
) -> list[RevisionGrams]:
    """Count the n-grams that two revisions add, delete and keep, for each order from 1.

    Parameters
    ----------
    origin, reference, candidate : uint64 arrays
        Token identities.
    regions : int32 array of shape (k, 6)
        Their divergent regions; the reference is first, the candidate second.
    order : int
        The longest n-gram.
    context : bool
        Also count n-grams that reach out of a region, and treat all regions as one. Tokens outside
        count by their position before or after the region, whatever they are.

    Examples
    --------
    >>> import numpy as np
    >>> from codekin.align.regions import divergent_regions
    >>> origin, reference, candidate = (
    ...     np.array(ids, dtype=np.uint64) for ids in ([1, 2, 3], [1, 4, 5, 3], [1, 4, 3])
    ... )
    >>> regions = divergent_regions(reference, candidate, origin)
    >>> (first,) = revision_grams(origin, reference, candidate, regions, 1)
    >>> first.add, first.delete
    (Agreement(both=1, reference=2, candidate=1), Agreement(both=1, reference=1, candidate=1))
    """
    counts = _native.revision_grams(origin, reference, candidate, regions, order, context)
    return [
        RevisionGrams(*(Agreement(*row[at : at + 3]) for at in range(0, 12, 3))) for row in counts
    ]


def excision_parts(
    origin: Ids,
    reference: Ids,
    candidate: Ids,
    regions: Regions,
    *,
    order: int = 4,
    zero: str = "skip",
    keep: str = "region",
    precise_deletion: bool = False,
) -> ExcisionParts:
    """Score two revisions by what they add, keep and delete in their divergent regions.

    Each part is the mean, over n-grams of 1 to `order` tokens, of F1 (or of the precision of
    deletions); the score is the mean of the parts. Equal revisions score 1, different ones less,
    and 0 where nothing is defined.

    Parameters
    ----------
    origin, reference, candidate, regions, order
        As for :func:`revision_grams`.
    zero : {'skip', 'zero', 'one'}
        How an empty denominator counts.
    keep : {'region', 'global', 'none'}
        Where kept n-grams are compared.
    precise_deletion : bool
        Score deletions by precision instead of F1.
    """
    return ExcisionParts(
        *_native.excision_score(
            origin,
            reference,
            candidate,
            regions,
            order,
            ZERO[zero],
            KEEP[keep],
            precise_deletion,
        )
    )


def pooled_agreement(
    origin: Ids,
    reference: Ids,
    candidate: Ids,
    regions: Regions,
    *,
    order: int = 4,
    context: bool = False,
    overlap: float = 0.0,
) -> float:
    """Score two revisions by their additions and deletions together.

    The score is F1 over all n-grams of 1 to `order` tokens, mixed by `overlap` with the share of
    the smaller edit that matches. If more is deleted than added, deletions are scaled down to the
    weight of the additions: two revisions that replace the same text by different texts score at
    most a half. Equal revisions score 1, different ones less.

    Parameters
    ----------
    origin, reference, candidate, regions, order, context
        As for :func:`revision_grams`.
    overlap : float
        The weight of the smaller edit's share, in [0, 1].
    """
    return _native.pooled_score(origin, reference, candidate, regions, order, context, overlap)


def least_agreement(
    origin: Ids, reference: Ids, candidate: Ids, regions: Regions, *, order: int = 4
) -> float:
    """How much the candidate does of what the reference does, where it does least of it.

    The lowest :func:`pooled_agreement`, with context, of a single region in which the reference
    differs from the origin. It is 1 if the candidate does all that the reference does, whatever it
    does elsewhere, and 0 if it leaves out one of the reference's edits or the reference has none.

    Parameters
    ----------
    origin, reference, candidate, regions, order
        As for :func:`revision_grams`.

    Examples
    --------
    >>> import numpy as np
    >>> from codekin.align.regions import divergent_regions
    >>> texts = [1, 2, 3, 4, 5], [1, 7, 3, 8, 5], [1, 7, 3, 4, 9]
    >>> origin, reference, candidate = (np.array(ids, dtype=np.uint64) for ids in texts)
    >>> regions = divergent_regions(reference, candidate, origin)
    >>> least_agreement(origin, reference, candidate, regions) < 0.5
    True
    """
    if len(regions) == 0:
        return 1.0
    lowest = None
    for k, (start, end, _, _, before, behind) in enumerate(regions.tolist()):
        if np.array_equal(reference[start:end], origin[before:behind]):
            continue
        one = regions[k : k + 1]
        found = pooled_agreement(origin, reference, candidate, one, order=order, context=True)
        lowest = found if lowest is None else min(lowest, found)
        if lowest == 0.0:
            break
    return lowest or 0.0
