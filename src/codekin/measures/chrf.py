"""chrf: F-score of character n-grams, and with word n-grams chrF++."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from codekin import _native
from codekin.errors import CodekinError
from codekin.measures.base import CorpusMeasure, Explanation, Score, check_range
from codekin.measures.highlight import text_spans
from codekin.source import Source

__all__ = ["Chrf", "f_score"]

_EPSILON = 1e-16


@dataclass(frozen=True, kw_only=True, repr=False)
class Chrf(CorpusMeasure):
    """chrF: F-score of character n-grams, in which recall weighs `beta` times as much as precision.

    White space is removed first, so layout does not count; comments and names do. ``word_order=2``
    makes it chrF++ [1]_.

    Parameters
    ----------
    char_order, word_order : int
        The longest character and word n-grams.
    beta : float
        The weight of recall against precision.
    whitespace : bool
        Keep white space.
    lowercase : bool
        Compare in lower case.
    eps_smoothing : bool
        Average the F-scores of the orders instead of precision and recall over the orders.

    References
    ----------
    .. [1] Popović, "chrF++: words helping character n-grams", WMT 2017.

    Examples
    --------
    >>> from codekin import measure
    >>> round(measure("chrf").score("total += x", "total += y").value, 4)
    0.797
    >>> measure("chrf").score("a  b", "ab").value
    1.0
    """

    name: ClassVar[str] = "chrf"
    summary: ClassVar[str] = "F-score of character n-grams (word_order=2: chrF++)"
    joins: ClassVar[str] = "best"
    char_order: int = 6
    word_order: int = 0
    beta: float = 2
    whitespace: bool = False
    lowercase: bool = False
    eps_smoothing: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_range(self.name, "char_order", self.char_order, 0, 32)
        check_range(self.name, "word_order", self.word_order, 0, 32)
        check_range(self.name, "beta", self.beta, 1e-6, 1e6)
        if self.char_order + self.word_order == 0:
            raise CodekinError("chrf: one of char_order and word_order must be above 0")

    def uses_tree(self) -> bool:
        """False: chrF compares characters."""
        return False

    def statistics(self, candidate: Source, references: Sequence[Source]) -> list[int]:
        """Candidate n-grams, reference n-grams and matches of each order, by the best reference."""
        pool = [self._statistics(candidate, reference) for reference in references]
        if len(pool) == 1:
            return pool[0]
        return max(pool, key=lambda counts: self.from_statistics(counts)[0])

    def _statistics(self, candidate: Source, reference: Source) -> list[int]:
        a, b = candidate.text, reference.text
        if self.lowercase:
            a, b = a.lower(), b.lower()
        return _native.chrf_statistics(a, b, self.char_order, self.word_order, self.whitespace)

    def from_statistics(self, statistics: Sequence[float]) -> tuple[float, dict[str, float]]:
        """The value and its parts from (summed) statistics."""
        # Skip orders in which neither side has n-grams.
        orders = zip(*[iter(statistics)] * 3, strict=True)
        statistics = [count for order in orders if any(order) for count in order]
        if not statistics:
            return 0.0, _parts(0.0, 0.0)
        return f_score(statistics, self.beta, self.eps_smoothing)

    def _score(self, candidate: Source, references: tuple[Source, ...]) -> Score:
        if not candidate.text.strip():
            # Counts cannot tell two empty texts from a single one.
            value = float(any(not r.text.strip() for r in references))
            return Score(self, value, _parts(value, value), candidate, references[0])
        return super()._score(candidate, references)

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Show the characters that an optimal edit keeps; chrF itself ignores their order."""
        mine, theirs = text_spans(candidate, reference)
        _, parts = self.from_statistics(self._statistics(candidate, reference))
        return Explanation(
            f"{100 * parts['precision']:.1f} % of the candidate's character n-grams are in the "
            f"reference and {100 * parts['recall']:.1f} % of the reference's in the candidate; "
            "what an optimal edit keeps is shaded.",
            mine,
            theirs,
            candidate.text,
            reference.text,
        )


def f_score(
    statistics: Sequence[float], beta: float, eps_smoothing: bool
) -> tuple[float, dict[str, float]]:
    """F-score over orders, and its precision and recall."""
    factor = beta**2
    orders = len(statistics) // 3
    mean_f = precision_sum = recall_sum = 0.0
    effective = 0
    for i in range(0, 3 * orders, 3):
        n_candidate, n_reference, n_match = statistics[i], statistics[i + 1], statistics[i + 2]
        precision = n_match / n_candidate if n_candidate > 0 else _EPSILON
        recall = n_match / n_reference if n_reference > 0 else _EPSILON
        weight = factor * precision + recall
        mean_f += (1 + factor) * precision * recall / weight if weight > 0 else _EPSILON
        if n_candidate > 0 and n_reference > 0:
            precision_sum += precision
            recall_sum += recall
            effective += 1
    if effective == 0:
        return (mean_f / orders if eps_smoothing else 0.0), _parts(0.0, 0.0)
    precision, recall = precision_sum / effective, recall_sum / effective
    parts = _parts(precision, recall)
    if eps_smoothing:
        return mean_f / orders, parts
    if precision + recall == 0:
        return 0.0, parts
    return (1 + factor) * precision * recall / (factor * precision + recall), parts


def _parts(precision: float, recall: float) -> dict[str, float]:
    return {"precision": precision, "recall": recall}
