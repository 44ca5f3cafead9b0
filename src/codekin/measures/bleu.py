"""bleu: how many short runs of the candidate's tokens stand in the reference."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from codekin import _native
from codekin.errors import CodekinError
from codekin.measures.base import CorpusMeasure, Explanation
from codekin.measures.highlight import ngram_levels, spans_of_tokens
from codekin.measures.units import Ids, token_ids
from codekin.represent.tokens import Tokens
from codekin.source import Source

__all__ = ["Bleu", "bleu_statistics", "bleu_value", "brevity_penalty", "closest_length"]

SMOOTHING = {"none": 0.0, "floor": 0.1, "add-k": 1.0, "exp": 0.0}
"""The ways to smooth an n-gram precision of zero, with the default of their value."""


@dataclass(frozen=True, kw_only=True)
class Bleu(CorpusMeasure):
    """BLEU over code tokens.

    The geometric mean of the n-gram precisions for n from 1 to `order`, times a penalty for
    candidates shorter than their closest reference [1]_. Orders that the candidate is too short
    for are left out (effective order), so identical two-token texts score 1.

    Parameters
    ----------
    order : int
        The longest n-gram.
    smoothing : {'exp', 'floor', 'add-k', 'none'}
        What becomes of an order without a match.
    smoothing_value : float, optional
        The floor (0.1) or the k (1).
    effective_order : bool
        Leave out orders that the candidate has no n-gram of.
    tokens : str
        ``code``, or ``split``, ``13a``, ``intl``, ``char``.
    comments : bool
        Whether comments and docstrings count.
    lowercase : bool
        Compare plain tokens in lower case.

    References
    ----------
    .. [1] Papineni et al., "BLEU: a method for automatic evaluation of machine translation",
       ACL 2002.

    Examples
    --------
    >>> from codekin import measure
    >>> score = measure("bleu").score("return a + b", "return a - b", language="python")
    >>> round(score.value, 4)
    0.3799
    >>> {name: round(part, 3) for name, part in score.parts.items()}["precision_1"]
    0.8
    """

    name: ClassVar[str] = "bleu"
    summary: ClassVar[str] = "n-gram precision of the candidate's tokens with a brevity penalty"
    joins: ClassVar[str] = "pooled"
    order: int = 4
    smoothing: str = "exp"
    smoothing_value: float | None = None
    effective_order: bool = True
    tokens: str = "code"
    comments: bool = False
    lowercase: bool = False

    def __post_init__(self) -> None:
        if self.smoothing not in SMOOTHING:
            raise CodekinError(
                f"bleu: unknown smoothing {self.smoothing!r} (known: {', '.join(SMOOTHING)})"
            )
        if not 1 <= self.order <= 64:
            raise CodekinError(f"bleu: order must be from 1 to 64, not {self.order}")
        if self.lowercase and self.tokens == "code":
            raise CodekinError("bleu: lowercase goes with plain tokens; code is case-sensitive")

    def uses_tree(self) -> bool:
        """Only tokens of code need the grammar."""
        return self.tokens == "code"

    def statistics(self, candidate: Source, references: Sequence[Source]) -> list[int]:
        """Candidate length, closest reference length, matches and n-grams of each order."""
        tokens, comments, lower = self.tokens, self.comments, self.lowercase
        ids = token_ids(candidate, tokens, comments=comments, lowercase=lower)
        pool = [token_ids(r, tokens, comments=comments, lowercase=lower) for r in references]
        return bleu_statistics(ids, pool, self.order)

    def from_statistics(self, statistics: Sequence[float]) -> tuple[float, dict[str, float]]:
        """The value and its parts from (summed) statistics."""
        length, closest = statistics[0], statistics[1]
        if length == 0 or closest == 0:
            both = float(length == closest)
            return both, {"brevity_penalty": both, "length": length, "reference_length": closest}
        precisions, effective = smoothed_precisions(
            statistics[2:], self.order, self.smoothing, self.smoothing_value
        )
        penalty = brevity_penalty(length, closest)
        value = bleu_value(precisions, effective if self.effective_order else self.order, penalty)
        parts = {f"precision_{n}": p for n, p in enumerate(precisions, 1)}
        parts["brevity_penalty"] = penalty
        parts["length"] = length
        parts["reference_length"] = closest
        return value, parts

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Shade each token by the longest matched n-gram that covers it."""
        return explain_ngrams(self, candidate, reference, self.order, self.comments)


def bleu_statistics(ids: Ids, pool: list[Ids], order: int) -> list[int]:
    """BLEU's sufficient statistics of token identities; they add up over a corpus."""
    length = len(ids)
    closest = closest_length(length, [len(r) for r in pool])
    return [length, closest, *_native.clipped_matches(ids, pool, order)]


def closest_length(length: int, lengths: Sequence[int]) -> int:
    """The reference length nearest to the candidate's, the shorter of two equally near."""
    if len(lengths) == 1:
        return lengths[0]
    return min(lengths, key=lambda other: (abs(other - length), other))


def brevity_penalty(length: float, reference_length: float) -> float:
    """BLEU's factor for candidates shorter than their reference."""
    if length >= reference_length:
        return 1.0
    return math.exp(1 - reference_length / length) if length > 0 else 0.0


def smoothed_precisions(
    counts: Sequence[float], order: int, smoothing: str, smoothing_value: float | None
) -> tuple[list[float], int]:
    """The precision of each order, and how many orders the candidate has n-grams of."""
    precisions = [0.0] * order
    if not any(counts[:order]):
        return precisions, order
    amount = SMOOTHING[smoothing] if smoothing_value is None else smoothing_value
    halving = 1.0
    effective = 0
    for n in range(order):
        correct, total = counts[n], counts[order + n]
        if smoothing == "add-k" and n > 0:
            correct, total = correct + amount, total + amount
        if total == 0:
            break
        effective = n + 1
        if correct > 0:
            precisions[n] = correct / total
        elif smoothing == "exp":
            halving *= 2
            precisions[n] = 1 / (halving * total)
        elif smoothing == "floor":
            precisions[n] = amount / total
    return precisions, effective


def bleu_value(precisions: Sequence[float], orders: int, penalty: float) -> float:
    """The penalised geometric mean of the first precisions; 0 if one of them is 0."""
    used = precisions[:orders]
    if penalty == 0 or 0.0 in used:
        return 0.0
    log = math.log
    mean = sum([log(p) for p in used]) / orders
    return min(1.0, penalty * math.exp(mean))


def explain_ngrams(
    measure: CorpusMeasure, candidate: Source, reference: Source, order: int, comments: bool
) -> Explanation:
    """What an n-gram measure found: tokens shaded by the longest match, and what is missing."""
    mine = candidate.tokens_with(comments=comments)
    theirs = reference.tokens_with(comments=comments)
    score = measure.score(candidate, reference)
    return Explanation(
        f"Each token is shaded by the longest run of up to {order} tokens, matched in the other "
        f"text, that covers it; the {measure.name} score is {score.value:.4f}.",
        spans_of_tokens(mine, ngram_levels(mine.ids, theirs.ids, order)),
        spans_of_tokens(theirs, ngram_levels(theirs.ids, mine.ids, order)),
        candidate.text,
        reference.text,
        details=tuple(_only(mine, theirs, "candidate") + _only(theirs, mine, "reference")),
    )


def _only(tokens: Tokens, others: Tokens, role: str) -> list[tuple[str, str]]:
    """The first bigrams that only one side has."""
    known = set(zip(others.texts, others.texts[1:], strict=False))
    seen = dict.fromkeys(zip(tokens.texts, tokens.texts[1:], strict=False))
    only = [" ".join(pair) for pair in seen if pair not in known]
    if not only:
        return []
    shown = "  ".join(only[:8]) + (f"  and {len(only) - 8} more" if len(only) > 8 else "")
    return [(f"bigrams only in the {role}", shown)]
