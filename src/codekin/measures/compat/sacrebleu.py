"""BLEU and chrF as sacrebleu computes them, with sacrebleu's parameter names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from codekin.measures.base import CorpusMeasure, Explanation, Score, check_choice, check_range
from codekin.measures.bleu import SMOOTHING, bleu_statistics, bleu_value, explain_ngrams
from codekin.measures.chrf import Chrf, f_score
from codekin.measures.units import token_ids
from codekin.source import Source

__all__ = ["SacreBleu", "SacreChrf"]


@dataclass(frozen=True, kw_only=True, repr=False)
class SacreBleu(CorpusMeasure):
    """BLEU as sacrebleu 2.6 computes it, divided by 100.

    Parameters
    ----------
    lowercase, tokenize, smooth_method, smooth_value, max_ngram_order, effective_order
        As in ``sacrebleu.BLEU``; `tokenize` is ``13a``, ``intl``, ``char`` or ``none``.

    Examples
    --------
    >>> from codekin import measure
    >>> score = measure("bleu", compat="sacrebleu").score("a b", "a b")
    >>> score.value  # no effective order: two tokens have no 3-grams
    0.0
    """

    name: ClassVar[str] = "bleu"
    compat: ClassVar[str | None] = "sacrebleu"
    summary: ClassVar[str] = "BLEU as sacrebleu 2.6 computes it"
    joins: ClassVar[str] = "pooled"
    lowercase: bool = False
    tokenize: str = "13a"
    smooth_method: str = "exp"
    smooth_value: float | None = None
    max_ngram_order: int = 4
    effective_order: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.name, "smooth_method", self.smooth_method, SMOOTHING)
        check_choice(self.name, "tokenize", self.tokenize, ("13a", "intl", "char", "none"))
        check_range(self.name, "smooth_value", self.smooth_value or 0, 0, 1e6)
        check_range(self.name, "max_ngram_order", self.max_ngram_order, 1, 64)

    def uses_tree(self) -> bool:
        """False: sacrebleu compares plain text."""
        return False

    def statistics(self, candidate: Source, references: Sequence[Source]) -> list[int]:
        """Candidate length, closest reference length, matches and n-grams of each order."""
        tokens = "split" if self.tokenize == "none" else self.tokenize
        ids = token_ids(candidate, tokens, lowercase=self.lowercase)
        pool = [token_ids(r, tokens, lowercase=self.lowercase) for r in references]
        return bleu_statistics(ids, pool, self.max_ngram_order)

    def from_statistics(self, statistics: Sequence[float]) -> tuple[float, dict[str, float]]:
        """The value and its parts from (summed) statistics."""
        return bleu_value(
            statistics, self.smooth_method, self.smooth_value, effective=self.effective_order
        )

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Shade code tokens by the longest matched n-gram that covers them."""
        return explain_ngrams(self, candidate, reference, self.max_ngram_order, comments=True)


@dataclass(frozen=True, kw_only=True, repr=False)
class SacreChrf(Chrf):
    """chrF as sacrebleu 2.6 computes it, divided by 100: two empty texts score 0."""

    compat: ClassVar[str | None] = "sacrebleu"
    summary: ClassVar[str] = "chrF as sacrebleu 2.6 computes it"

    def from_statistics(self, statistics: Sequence[float]) -> tuple[float, dict[str, float]]:
        """The value and its parts, including orders without n-grams."""
        return f_score(statistics, self.beta, self.eps_smoothing)

    def _score(self, candidate: Source, references: tuple[Source, ...]) -> Score:
        return CorpusMeasure._score(self, candidate, references)
