"""Why SARI is what it is: what two revisions add to an origin, keep of it and delete from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeVar

from codekin.measures.base import Explanation, Score
from codekin.measures.highlight import spans_of_tokens
from codekin.measures.units import Ids
from codekin.source import Source

__all__ = ["explain_operations", "operation_levels"]

_T = TypeVar("_T")
_SHOWN = 8
Gram = tuple[str, ...]


def explain_operations(
    score: Score,
    candidate: Source,
    reference: Source,
    origin: Source,
    order: int,
    *,
    comments: bool,
) -> Explanation:
    """What both revisions add or keep, shaded, and what each of them adds and deletes, named."""
    before, mine, theirs = (
        s.tokens_with(comments=comments) for s in (origin, candidate, reference)
    )
    parts = ", ".join(
        f"{name} {score.parts[name]:.4f}"
        for name in ("add", "keep", "delete")
        if name in score.parts
    )
    why = f" ({parts}; each from 0 to 1)" if parts else ""
    return Explanation(
        f"Each token of code is shaded by the longest run of up to {order} tokens over it that "
        "both revisions add to the origin, or that both keep. Against this reference alone, "
        f"{score.measure.name} is {score.value:.4f}{why}.",
        spans_of_tokens(mine, operation_levels(mine.ids, theirs.ids, before.ids, order)),
        spans_of_tokens(theirs, operation_levels(theirs.ids, mine.ids, before.ids, order)),
        candidate.text,
        reference.text,
        details=tuple(_details(before.texts, mine.texts, theirs.texts)),
    )


def operation_levels(ids: Ids, others: Ids, origin: Ids, orders: int) -> list[float]:
    """For each token, the longest n-gram over it that is rightly added or kept, as a share.

    A kept n-gram is right as often as the origin and the other text have it, from the first on; an
    added one everywhere.
    """
    mine, theirs, before = ids.tolist(), others.tolist(), origin.tolist()
    longest = [0] * len(mine)
    for n in range(1, orders + 1):
        old, left = Counter(_grams(before, n)), Counter(_grams(theirs, n))
        for gram, count in old.items():
            if gram in left:
                left[gram] = min(left[gram], count)
        for i, gram in enumerate(_grams(mine, n)):
            if left[gram] > 0:
                left[gram] -= gram in old
                longest[i : i + n] = [n] * n
    return [n / orders for n in longest]


def _grams(tokens: Sequence[_T], n: int) -> Iterator[tuple[_T, ...]]:
    return (tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def _details(origin: list[str], mine: list[str], theirs: list[str]) -> Iterator[tuple[str, str]]:
    """Named n-grams of every operation: tokens, or bigrams where no revision has such tokens."""
    for operation, does in (("added", _added), ("deleted", _deleted)):
        for n, unit in ((1, "tokens"), (2, "bigrams")):
            ours, others = does(origin, mine, n), does(origin, theirs, n)
            if not ours and not others:
                continue
            for who, grams in (
                ("by both", [g for g in ours if g in others]),
                ("only by the candidate", [g for g in ours if g not in others]),
                ("only by the reference", [g for g in others if g not in ours]),
            ):
                if grams:
                    yield f"{unit} {operation} {who}", _listed(grams)
            break


def _added(origin: list[str], revision: list[str], n: int) -> list[Gram]:
    old = set(_grams(origin, n))
    return [gram for gram in dict.fromkeys(_grams(revision, n)) if gram not in old]


def _deleted(origin: list[str], revision: list[str], n: int) -> list[Gram]:
    return list(Counter(_grams(origin, n)) - Counter(_grams(revision, n)))


def _listed(grams: list[Gram]) -> str:
    more = f"  and {len(grams) - _SHOWN} more" if len(grams) > _SHOWN else ""
    return "  ".join(" ".join(gram) for gram in grams[:_SHOWN]) + more
