"""sari: whether a candidate adds, keeps and deletes what the reference does."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar

import numpy as np

from codekin.align.edit_operations import OperationCounts, sari_statistics
from codekin.errors import CodekinError
from codekin.measures.base import Explanation, RevisionMeasure, Score, check_choice, check_range
from codekin.measures.highlight import spans_of_tokens
from codekin.measures.units import TOKENS, Ids, f1, token_ids
from codekin.source import Source

__all__ = ["Sari", "SariForm", "explain_operations", "operation_levels", "ratio"]

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
    """Shade what both revisions add or keep, and list what each of them adds and deletes."""
    before, mine, theirs = (
        s.tokens_with(comments=comments) for s in (origin, candidate, reference)
    )
    parts = ", ".join(
        f"{name} {score.parts[name]:.4f}"
        for name in ("add", "keep", "delete")
        if name in score.parts
    )
    why = f" ({parts}; each from 0 to 1)" if parts else ""
    unit = "token" if candidate.language.prose else "token of code"
    return Explanation(
        f"Each {unit} is shaded by the longest run of up to {order} tokens around it that "
        "both revisions add to the origin, or that both keep. Against this reference alone, "
        f"{score.measure.name} is {score.value:.4f}{why}.",
        spans_of_tokens(mine, operation_levels(mine.ids, theirs.ids, before.ids, order)),
        spans_of_tokens(theirs, operation_levels(theirs.ids, mine.ids, before.ids, order)),
        candidate.text,
        reference.text,
        details=tuple(_details(before.texts, mine.texts, theirs.texts)),
    )


def operation_levels(ids: Ids, others: Ids, origin: Ids, orders: int) -> list[float]:
    """The longest correctly added or kept n-gram that covers each token, as a share.

    A kept n-gram is correct as often as the origin and the other text have it, from its first
    occurrence; an added one everywhere.
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
    """The n-grams of every operation: tokens, or bigrams if no revision has such tokens."""
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


ZERO = ("zero", "one", "skip")
"""How a zero denominator can count."""


@dataclass(frozen=True, kw_only=True, repr=False)
class SariForm(RevisionMeasure):
    """Common base of all forms of SARI: count n-grams of three texts, then score the counts."""

    name: ClassVar[str] = "sari"
    joins: ClassVar[str] = "pooled"

    @abstractmethod
    def _ids(self, source: Source) -> Ids:
        """The token identities of a text."""

    def _origin_ids(self, origin: Source) -> Ids:
        return self._ids(origin)

    @abstractmethod
    def judge(self, counts: Sequence[OperationCounts]) -> tuple[float, dict[str, float]]:
        """The value of counted operations, and its parts."""

    def _revision(self, candidate: Source, reference: Source, origin: Source) -> Score:
        return self._score_revision(candidate, (reference,), origin)

    @property
    def _order(self) -> int:
        return 4

    def _counts(
        self, candidate: Source, references: tuple[Source, ...], origin: Source
    ) -> list[OperationCounts]:
        pool = [self._ids(r) for r in references]
        return sari_statistics(self._origin_ids(origin), self._ids(candidate), pool, self._order)

    def _score_revision(
        self, candidate: Source, references: tuple[Source, ...], origin: Source
    ) -> Score:
        value, parts = self.judge(self._counts(candidate, references, origin))
        return Score(self, value, parts, candidate, *references, origin=origin)

    def explain_revision(self, candidate: Source, reference: Source, origin: Source) -> Explanation:
        """Shade what both revisions add or keep, and list what they add and delete."""
        score = self._score_revision(candidate, (reference,), origin)
        return explain_operations(score, candidate, reference, origin, self._order, comments=True)


@dataclass(frozen=True, kw_only=True, repr=False)
class Sari(SariForm):
    """SARI over code tokens: add, keep and delete, each against the origin.

    The mean of three parts, each averaged over n-grams of 1 to `order` tokens [1]_: F1 of the
    n-grams that the candidate adds, F1 of those it keeps, and the precision of those it deletes. An
    added n-gram counts once; the others count as often as they occur. Several references weigh the
    same: an n-gram that half of them keep is half right. If candidate and reference are both empty
    the score is 1; if one of them is, 0.

    Parameters
    ----------
    order : int
        The longest n-gram.
    zero : {'zero', 'one', 'skip'}
        How a zero denominator counts: as 0, like the original; as 1; or not at all, so an order or
        operation that neither revision has is left out of the mean. If ``skip`` leaves nothing, the
        score is 1 if the candidate has the tokens of a reference, else 0.
    keep : bool
        Whether kept n-grams count.
    deletion : {'precision', 'f1'}
        How deletions are judged.
    tokens : str
        ``code``, or ``split``, ``13a``, ``intl``, ``char``.
    comments : bool
        Whether comments and docstrings count.
    lowercase : bool
        Compare plain tokens in lower case.

    References
    ----------
    .. [1] Xu et al., "Optimizing statistical machine translation for text simplification",
       TACL 4, 2016.

    Examples
    --------
    >>> from codekin import measure
    >>> texts = "return a * b", "return a + b", "return a - b"  # candidate, reference, origin
    >>> score = measure("sari").score(*texts, language="python")
    >>> round(score.value, 4)
    0.5
    >>> score.parts["add"], score.parts["keep"], score.parts["delete"]
    (0.0, 0.5, 1.0)
    """

    summary: ClassVar[str] = "n-grams that the candidate adds, keeps and deletes like the reference"
    order: int = 4
    zero: str = "zero"
    keep: bool = True
    deletion: str = "precision"
    tokens: str = "code"
    comments: bool = False
    lowercase: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_range(self.name, "order", self.order, 1, 64)
        check_choice(self.name, "zero", self.zero, ZERO)
        check_choice(self.name, "deletion", self.deletion, ("precision", "f1"))
        check_choice(self.name, "tokens", self.tokens, TOKENS)
        if self.lowercase and self.tokens == "code":
            raise CodekinError("sari: lowercase needs plain tokens; code is case-sensitive")

    @property
    def _order(self) -> int:
        return self.order

    def _ids(self, source: Source) -> Ids:
        return token_ids(source, self.tokens, comments=self.comments, lowercase=self.lowercase)

    def _score_revision(
        self, candidate: Source, references: tuple[Source, ...], origin: Source
    ) -> Score:
        mine, pool = self._ids(candidate), [self._ids(r) for r in references]
        value, parts = self._of_ids(mine, pool, origin)
        return Score(self, value, parts, candidate, *references, origin=origin)

    def _of_ids(self, mine: Ids, pool: list[Ids], origin: Source) -> tuple[float, dict[str, float]]:
        lengths = [len(theirs) for theirs in pool]
        if len(mine) == 0:
            return float(0 in lengths), {}
        if not any(lengths):
            return 0.0, {}
        value, parts = self.judge(sari_statistics(self._ids(origin), mine, pool, self.order))
        if not parts:  # neither revision changed or kept anything
            value = float(any(np.array_equal(mine, theirs) for theirs in pool))
        return value, parts

    def judge(self, counts: Sequence[OperationCounts]) -> tuple[float, dict[str, float]]:
        """The value and its parts; no parts if ``skip`` leaves nothing."""
        parts: dict[str, float] = {}
        values = []
        for name, at in (("add", 0), ("keep", 3), ("delete", 6)):
            if name == "keep" and not self.keep:
                continue
            judged = _mean_shares([c[at : at + 3] for c in counts], self.zero)
            if judged is None:
                continue
            precision, recall, both = judged
            by_precision = name == "delete" and self.deletion == "precision"
            parts[name] = precision if by_precision else both
            parts[f"{name}_precision"], parts[f"{name}_recall"] = precision, recall
            values.append(parts[name])
        return (sum(values) / len(values) if values else 0.0), parts

    def explain_revision(self, candidate: Source, reference: Source, origin: Source) -> Explanation:
        """Shade what both revisions add or keep, and list what they add and delete."""
        score = self._score_revision(candidate, (reference,), origin)
        return explain_operations(
            score, candidate, reference, origin, self.order, comments=self.comments
        )


def _mean_shares(sums: Sequence[tuple[float, ...]], zero: str) -> tuple[float, float, float] | None:
    """Precision, recall and F1 of an operation, averaged over orders; None if there is none.

    `sums` holds, for each order, the correct n-grams, the candidate's and the references'.
    """
    if zero == "skip":
        # What only one revision does is defined, and wrong: it counts 0.
        sums = [order for order in sums if order[1] or order[2]]
        if not sums:
            return None
    empty = 1.0 if zero == "one" else 0.0
    precisions = recalls = both = 0.0
    for good, candidate, reference in sums:
        precision = good / candidate if candidate else empty
        recall = good / reference if reference else empty
        precisions += precision
        recalls += recall
        both += f1(precision, recall)
    return precisions / len(sums), recalls / len(sums), both / len(sums)


def ratio(part: float, whole: float, empty: float) -> float:
    """A ratio, with a default for 0/0."""
    return part / whole if whole else empty
