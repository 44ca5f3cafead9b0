"""BLEU as nltk computes it, with nltk's parameter names."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from codekin.measures.base import (
    CorpusMeasure,
    Explanation,
    check_choice,
    check_range,
)
from codekin.measures.bleu import bleu_statistics, explain_ngrams
from codekin.measures.units import TOKENS, token_ids
from codekin.source import Source

__all__ = ["NltkBleu", "NltkFormulas"]


_SMOOTHING = tuple(f"method{n}" for n in range(8))


@dataclass(frozen=True, kw_only=True, repr=False)
class NltkFormulas(CorpusMeasure):
    """The parameters of nltk's BLEU, and its value for given counts."""

    keeps_zeros: ClassVar[bool] = False
    """Whether a precision of zero makes the score zero, instead of being left out."""
    smoothing: str | None = None
    weights: tuple[float, ...] = (0.25, 0.25, 0.25, 0.25)
    auto_reweigh: bool = False
    epsilon: float = 0.1
    alpha: float = 5
    k: float = 5
    tokens: str = "split"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "weights", tuple(self.weights))
        check_range(self.name, "the number of weights", len(self.weights), 1, 8)
        for weight in self.weights:
            check_range(self.name, "each weight", weight, 0, 1)
        for parameter in ("epsilon", "alpha", "k"):
            check_range(self.name, parameter, getattr(self, parameter), 1e-6, 1e6)
        if self.smoothing is not None:
            check_choice(self.name, "smoothing", self.smoothing, _SMOOTHING)
        check_choice(self.name, "tokens", self.tokens, TOKENS)

    @property
    def _orders(self) -> int:
        return max(len(self.weights), 5)  # methods 5 and 7 look one order beyond

    def _counted(self, counts: list[int]) -> list[int]:
        """Statistics of one text with at least one n-gram of each order, as nltk counts them.

        In a corpus, where they are summed, a text too short for an order lowers its precision.
        """
        at = 2 + self._orders
        return [*counts[:at], *(max(1, total) for total in counts[at:])]

    def from_statistics(self, statistics: Sequence[float]) -> tuple[float, dict[str, float]]:
        """The value and its parts from (summed) statistics."""
        return _value(self, statistics, self._orders, drop_zeros=not self.keeps_zeros)

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Shade code tokens by the longest matched n-gram that covers them."""
        return explain_ngrams(self, candidate, reference, len(self.weights), comments=True)


@dataclass(frozen=True, kw_only=True, repr=False)
class NltkBleu(NltkFormulas):
    """BLEU as nltk 3.10 computes it (``nltk.translate.bleu_score``).

    If nltk raises an error (``method6`` without a matching trigram), the value is 0. In a corpus,
    methods 5 to 7 count the n-grams of all texts, while nltk uses its last text for the next order
    (5 and 7) and for the number of n-grams (6).

    Parameters
    ----------
    smoothing : {'method0', ..., 'method7'} or None
        The methods of ``SmoothingFunction``.
    weights : tuple of float
        The weight of each order.
    auto_reweigh : bool
        For candidates of less than four tokens, spread the weight over the orders that they have.
    epsilon, alpha, k : float
        The parameters of the smoothing methods.
    tokens : str
        ``split``, as most users of nltk do, or any other tokens, including ``code``.

    Examples
    --------
    >>> from codekin import measure
    >>> bleu = measure("bleu", compat="nltk", smoothing="method1")
    >>> round(bleu.score("a b c d", "a b c e").value, 4)
    0.3976
    """

    name: ClassVar[str] = "bleu"
    compat: ClassVar[str | None] = "nltk"
    summary: ClassVar[str] = "BLEU as nltk 3.10 computes it"
    comments: bool = False

    def statistics(self, candidate: Source, references: Sequence[Source]) -> list[int]:
        """Candidate length, closest reference length, matches and n-grams of each order."""
        ids = token_ids(candidate, self.tokens, comments=self.comments)
        pool = [token_ids(r, self.tokens, comments=self.comments) for r in references]
        return self._counted(bleu_statistics(ids, pool, self._orders))


def _value(
    measure: NltkFormulas, statistics: Sequence[float], orders: int, *, drop_zeros: bool
) -> tuple[float, dict[str, float]]:
    """BLEU by nltk's rules, with the parameters of `measure`."""
    length, closest = statistics[0], statistics[1]
    correct = statistics[2 : 2 + orders]
    totals = [max(1, t) for t in statistics[2 + orders : 2 + 2 * orders]]
    penalty = 0.0 if length == 0 else math.exp(min(0.0, 1 - closest / length))
    parts = {"brevity_penalty": penalty, "length": length, "reference_length": closest}
    if correct[0] == 0:
        return 0.0, parts
    weights = measure.weights
    if measure.auto_reweigh and length < 4 and weights == (0.25, 0.25, 0.25, 0.25):
        weights = (1 / length,) * int(length)
    precisions = _precisions(measure, correct, totals, length)
    if precisions is None:
        return 0.0, parts
    used = [(w, p) for w, p in zip(weights, precisions, strict=False) if p > 0 or not drop_zeros]
    if any(p <= 0 for _, p in used):
        return 0.0, parts
    value = penalty * math.exp(math.fsum(w * math.log(p) for w, p in used))
    parts = {f"precision_{n}": p for n, p in enumerate(precisions, 1)} | parts
    return value, parts


def _precisions(
    measure: NltkFormulas, correct: Sequence[float], totals: Sequence[float], length: float
) -> list[float] | None:
    """The smoothed precisions of each weighted order; None if nltk raises an error."""
    count = len(measure.weights)
    plain = [c / t for c, t in zip(correct, totals, strict=True)]
    matched = [c > 0 for c in correct]
    match measure.smoothing or "method0":
        case "method0":
            return [p if m else sys.float_info.min for p, m in zip(plain, matched, strict=True)][
                :count
            ]
        case "method1":
            return [
                p if m else measure.epsilon / t
                for p, m, t in zip(plain, matched, totals, strict=True)
            ][:count]
        case "method2":
            added = [(c + 1) / (t + 1) for c, t in zip(correct, totals, strict=True)]
            return [plain[0], *added[1:count]]
        case "method3":
            return _halved(plain[:count], totals, lambda n: 1 / 2**n)
        case "method4":
            return _chen_cherry(measure, plain[:count], totals, length)
        case "method5":
            return _averaged(plain[:count], plain[4])
        case "method6":
            return _interpolated(measure, plain[:count], correct, length)
        case _:  # method7
            return _averaged(_chen_cherry(measure, plain[:count], totals, length), plain[4])


def _halved(
    plain: Sequence[float], totals: Sequence[float], numerator: Callable[[int], float]
) -> list[float]:
    """Replace each precision of zero by a numerator that shrinks from one to the next."""
    empty = 0
    out = []
    for p, total in zip(plain, totals, strict=False):
        if p == 0:
            empty += 1
            out.append(numerator(empty) / total)
        else:
            out.append(p)
    return out


def _chen_cherry(
    measure: NltkFormulas, plain: Sequence[float], totals: Sequence[float], length: float
) -> list[float]:
    if length <= 1:
        return list(plain)
    return _halved(plain, totals, lambda n: math.log(length) / (2**n * measure.k))


def _averaged(plain: list[float], beyond: float) -> list[float]:
    """The mean of each precision with its neighbours, the smoothed one below it."""
    following = [*plain[1:], beyond]
    out: list[float] = []
    below = plain[0] + 1
    for p, after in zip(plain, following, strict=True):
        below = (below + p + after) / 3
        out.append(below)
    return out


def _interpolated(
    measure: NltkFormulas, plain: Sequence[float], correct: Sequence[float], length: float
) -> list[float] | None:
    """Move precisions from the third on towards what the two orders below predict."""
    if len(plain) < 3 or plain[2] == 0:
        return None
    out = list(plain)
    for i in range(2, len(out)):
        expected = 0.0 if out[i - 2] == 0 else out[i - 1] ** 2 / out[i - 2]
        ngrams = max(0, length - i)
        out[i] = (correct[i] + measure.alpha * expected) / (ngrams + measure.alpha)
    return out
