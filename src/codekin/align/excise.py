"""What is left of two revisions of one origin after excising what nobody touched, and how alike.

References
----------
.. [1] "Excision Score: evaluating edits with surgical precision", section 3.4.
"""

from __future__ import annotations

from typing import NamedTuple

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
    "pooled_agreement",
    "revision_grams",
]

ZERO = {"skip": 0, "zero": 1, "one": 2}
"""What an empty denominator counts: nothing, 0 or 1; with the kernel's number."""

KEEP = {"none": 0, "region": 1, "global": 2}
"""Where n-grams that stay are compared: nowhere, in their region, or over all regions."""


class Agreement(NamedTuple):
    """How many n-grams both revisions treat alike, how many the reference, the candidate."""

    both: int
    reference: int
    candidate: int


class RevisionGrams(NamedTuple):
    """What revisions do with the n-grams of one order.

    Attributes
    ----------
    add, delete : Agreement
        Found region by region, compared over all of them: so an insertion elsewhere is alike.
    keep : Agreement
        What both regions of a pair still have, compared in the region.
    keep_anywhere : Agreement
        The same over all regions together.
    """

    add: Agreement
    delete: Agreement
    keep: Agreement
    keep_anywhere: Agreement


class ExcisionParts(NamedTuple):
    """A score and its parts, each NaN where it is not defined."""

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
        Where they diverge; the reference is first, the candidate second.
    order : int
        The longest n-gram.
    context : bool
        Count n-grams that reach out of a region too, and take all regions as one. What they reach
        into counts by its place before or behind the region, whatever it says.

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
        What an empty denominator counts.
    keep : {'region', 'global', 'none'}
        Where n-grams that stay are compared.
    precise_deletion : bool
        Judge deletions by precision in place of F1.
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

    Of all n-grams of 1 to `order` tokens together, F1 and, by the share `overlap`, what is alike
    out of the smaller edit. Where more is deleted than added, deletions weigh less, so that
    they weigh no more than additions together: of two revisions that replace the same text by
    different ones, at most a half is alike. Equal revisions score 1, different ones less.

    Parameters
    ----------
    origin, reference, candidate, regions, order, context
        As for :func:`revision_grams`.
    overlap : float
        How much the smaller edit alone decides, in [0, 1].
    """
    return _native.pooled_score(origin, reference, candidate, regions, order, context, overlap)
