"""bleu: how many short runs of the candidate's tokens the reference has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from codekin import _native
from codekin.errors import CodekinError
from codekin.measures.base import CorpusMeasure, Explanation, check_choice, check_range
from codekin.measures.highlight import ngram_levels, spans_of_tokens
from codekin.measures.units import TOKENS, Ids, token_ids
from codekin.represent.text.tokens import Tokens
from codekin.source import Source

__all__ = [
    "SMOOTHING",
    "Bleu",
    "bleu_statistics",
    "bleu_value",
    "closest_length",
    "explain_ngrams",
    "nothing_to_count",
]

SMOOTHING = {"none": (0, 0.0), "floor": (1, 0.1), "add-k": (2, 1.0), "exp": (3, 0.0)}
"""Ways to smooth an n-gram precision of zero: the kernel's number and the default value."""

_PRECISIONS = tuple(f"precision_{n}" for n in range(1, 65))


@dataclass(frozen=True, kw_only=True, repr=False)
class Bleu(CorpusMeasure):
    """BLEU over code tokens.

    The geometric mean of the n-gram precisions for n from 1 to `order`, times a penalty for
    candidates shorter than their closest reference [1]_. Orders that the candidate is too short for
    are skipped (effective order), so identical two-token texts score 1.

    Parameters
    ----------
    order : int
        The longest n-gram.
    smoothing : {'exp', 'floor', 'add-k', 'none'}
        How an order without a match is smoothed.
    smoothing_value : float, optional
        The floor (0.1) or the k (1).
    effective_order : bool
        Skip orders in which the candidate has no n-grams.
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
    0.3021
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
        super().__post_init__()
        check_choice(self.name, "smoothing", self.smoothing, SMOOTHING)
        check_range(self.name, "smoothing_value", self.smoothing_value or 0, 0, 1e6)
        check_range(self.name, "order", self.order, 1, 64)
        check_choice(self.name, "tokens", self.tokens, TOKENS)
        if self.lowercase and self.tokens == "code":
            raise CodekinError("bleu: lowercase needs plain tokens; code is case-sensitive")

    def statistics(self, candidate: Source, references: Sequence[Source]) -> list[int]:
        """Candidate length, closest reference length, matches and n-grams of each order."""
        if len(references) == 1 and self.order <= 8:
            return _native.merge_matches(self._grams(candidate), self._grams(references[0]))
        return bleu_statistics(self._ids(candidate), [self._ids(r) for r in references], self.order)

    def _ids(self, source: Source) -> Ids:
        return token_ids(source, self.tokens, comments=self.comments, lowercase=self.lowercase)

    def _grams(self, source: Source) -> _native.SortedGrams:
        key = ("sorted grams", self.order, self.tokens, self.comments, self.lowercase)
        kept = source._kept.get(key)
        if kept is None:
            kept = source._kept[key] = _native.SortedGrams(self._ids(source), self.order)
        grams: _native.SortedGrams = kept
        return grams

    def from_statistics(self, statistics: Sequence[float]) -> tuple[float, dict[str, float]]:
        """The value and its parts from (summed) statistics."""
        if statistics[0] == 0 or statistics[1] == 0:
            return nothing_to_count(statistics)
        return bleu_value(
            statistics, self.smoothing, self.smoothing_value, effective=self.effective_order
        )

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Shade each token by the longest matched n-gram that covers it."""
        return explain_ngrams(self, candidate, reference, self.order, self.comments)


def bleu_statistics(ids: Ids, pool: list[Ids], order: int) -> list[int]:
    """BLEU's sufficient statistics from token identities; they add up over a corpus."""
    length = len(ids)
    closest = closest_length(length, [len(r) for r in pool])
    return [length, closest, *_native.clipped_matches(ids, pool, order)]


def closest_length(length: int, lengths: Sequence[int]) -> int:
    """The reference length closest to the candidate's; the shorter one of a tie."""
    if len(lengths) == 1:
        return lengths[0]
    return min(lengths, key=lambda other: (abs(other - length), other))


def nothing_to_count(statistics: Sequence[float]) -> tuple[float, dict[str, float]]:
    """The rule for texts without tokens: both empty 1, one empty 0."""
    both = float(statistics[0] == statistics[1])
    parts = {"brevity_penalty": both, "length": statistics[0], "reference_length": statistics[1]}
    return both, parts


def bleu_value(
    statistics: Sequence[float],
    smoothing: str,
    smoothing_value: float | None,
    *,
    effective: bool,
    gaps: bool = False,
) -> tuple[float, dict[str, float]]:
    """The penalised geometric mean of the n-gram precisions, and its parts.

    With `effective`, orders beyond the candidate's longest n-gram are skipped; with `gaps`, any
    order without n-grams in the candidate.
    """
    code, amount = SMOOTHING[smoothing]
    value, penalty, precisions = _native.bleu(
        statistics, code, amount if smoothing_value is None else smoothing_value, effective, gaps
    )
    parts = dict(zip(_PRECISIONS, precisions, strict=False))
    parts["brevity_penalty"] = penalty
    parts["length"] = statistics[0]
    parts["reference_length"] = statistics[1]
    return value, parts


def explain_ngrams(
    measure: CorpusMeasure, candidate: Source, reference: Source, order: int, comments: bool
) -> Explanation:
    """Explain an n-gram measure: tokens shaded by the longest match, and what is missing."""
    mine = candidate.tokens_with(comments=comments)
    theirs = reference.tokens_with(comments=comments)
    score = measure.score(candidate, reference)
    unit = "token" if candidate.language.prose else "token of code"
    return Explanation(
        f"Each {unit} is shaded by the longest run of up to {order} tokens, found in the "
        f"other text, that covers it. Against this reference alone, {measure.name} is "
        f"{score.value:.4f}.",
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
