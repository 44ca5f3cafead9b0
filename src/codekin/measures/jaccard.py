"""jaccard: the share of tokens that two texts have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from codekin import _native
from codekin.measures.base import Explanation, Measure, Score, check_choice, check_range
from codekin.measures.highlight import ngram_levels, spans_of_tokens
from codekin.measures.units import TOKENS, Ids, token_ids
from codekin.source import Source

__all__ = ["Jaccard"]


@dataclass(frozen=True, kw_only=True, repr=False)
class Jaccard(Measure):
    """Jaccard similarity of the sets of tokens.

    Parameters
    ----------
    n : int
        Compare n-grams of tokens.
    multiset : bool
        Count repeated tokens.
    tokens : str
        ``code``, or ``split``, ``13a``, ``intl``, ``char``.
    comments : bool
        Whether comments and docstrings count.

    Examples
    --------
    >>> from codekin import measure
    >>> measure("jaccard").score("a = b + b", "b = a", language="python").value
    0.8
    """

    name: ClassVar[str] = "jaccard"
    summary: ClassVar[str] = "tokens in both texts / tokens in either"
    symmetric: ClassVar[bool] = True
    n: int = 1
    multiset: bool = False
    tokens: str = "code"
    comments: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_range(self.name, "n", self.n, 1, 64)
        check_choice(self.name, "tokens", self.tokens, TOKENS)

    def _bag(self, source: Source) -> Ids:
        key = ("sorted n-grams", self.tokens, self.comments, self.n, self.multiset)
        kept = source._kept.get(key)
        if kept is None:
            ids = token_ids(source, self.tokens, comments=self.comments)
            kept = source._kept[key] = _native.sorted_ngrams(ids, self.n, not self.multiset)
        bag: Ids = kept
        return bag

    def _pair(self, candidate: Source, reference: Source) -> Score:
        shared, size, other = _native.sorted_overlap(self._bag(candidate), self._bag(reference))
        together = size + other - shared
        if together:
            value = shared / together
        else:  # too short for a single n-gram: they match only if all their tokens are equal
            value = float(
                np.array_equal(
                    token_ids(candidate, self.tokens, comments=self.comments),
                    token_ids(reference, self.tokens, comments=self.comments),
                )
            )
        parts = {"shared": shared, "together": together}
        return Score(self, value, parts, candidate, reference)

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Shade the tokens that the other text has too."""
        mine = candidate.tokens_with(comments=self.comments)
        theirs = reference.tokens_with(comments=self.comments)
        shared, size, other = _native.sorted_overlap(self._bag(candidate), self._bag(reference))
        kind = "" if self.multiset else "distinct "
        what = "tokens" if self.n == 1 else f"runs of {self.n} tokens"
        details = []
        for role, tokens, known in (
            ("candidate", mine.texts, set(theirs.texts)),
            ("reference", theirs.texts, set(mine.texts)),
        ):
            only = list(dict.fromkeys(t for t in tokens if t not in known))
            if only:
                details.append((f"tokens only in the {role}", "  ".join(only[:12])))
        return Explanation(
            f"{shared} of {size + other - shared} {kind}{what} are in both texts; the code of "
            f"{what} that the other text has too is shaded.",
            spans_of_tokens(mine, _covered(mine.ids, theirs.ids, self.n)),
            spans_of_tokens(theirs, _covered(theirs.ids, mine.ids, self.n)),
            candidate.text,
            reference.text,
            details=tuple(details),
        )


def _covered(ids: Ids, others: Ids, n: int) -> list[float]:
    """1 for each token of an n-gram that is also in `others`, else 0."""
    return [float(level == 1.0) for level in ngram_levels(ids, others, n)]
