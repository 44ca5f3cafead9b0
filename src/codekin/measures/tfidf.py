"""tfidf: the cosine of the counts of tokens, in which rare tokens weigh more."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.errors import CodekinError
from codekin.languages import Language
from codekin.measures.background import Background, corpus_background
from codekin.measures.base import Explanation, Measure, Score, check_choice, check_range
from codekin.measures.highlight import spans_of_tokens
from codekin.measures.units import TOKENS, Ids, token_ids
from codekin.source import Source, sources_of_one_language

__all__ = ["TfIdf"]

Floats = npt.NDArray[np.float64]
Weighted = tuple[Ids, Floats]
"""Distinct tokens or n-grams, ascending, and how often each occurs or what it weighs."""


def _cosine(first: Weighted, second: Weighted) -> float:
    """The cosine of two vectors of which neither is zero, at most 1."""
    norms = float(np.sqrt(first[1] @ first[1])), float(np.sqrt(second[1] @ second[1]))
    _, mine, theirs = np.intersect1d(first[0], second[0], assume_unique=True, return_indices=True)
    return min(1.0, float(first[1][mine] / norms[0] @ (second[1][theirs] / norms[1])))


@dataclass(frozen=True, kw_only=True, repr=False)
class TfIdf(Measure):
    """The cosine of the texts' vectors of token counts times their rarity (TF-IDF) [1]_.

    A token of `having` out of `documents` documents weighs ``ln((1 + documents) / (1 + having)) +
    1``. Without :meth:`fit`, the documents are the two texts, as in the usual recipe; so a token of
    only one of them weighs 1.41, and one of both weighs 1. With it, they are those of your corpus,
    and a token that none of them has weighs most.

    Parameters
    ----------
    n : int
        Compare n-grams of tokens.
    background : Background, optional
        The document frequencies that :meth:`fit` counted.
    tokens : str
        ``code``, or ``split``, ``13a``, ``intl``, ``char``.
    comments : bool
        Whether comments and docstrings count.

    References
    ----------
    .. [1] Salton and Buckley, "Term-weighting approaches in automatic text retrieval", Information
       Processing & Management 24(5), 1988.

    Examples
    --------
    >>> from codekin import measure
    >>> tfidf = measure("tfidf")
    >>> round(tfidf.score("a = b + b", "a = c", language="python").value, 4)
    0.3748
    >>> corpus = ["a = b", "a = 1", "b = c", "x = a"]
    >>> fitted = tfidf.fit(corpus, language="python")
    >>> round(fitted.score("a = b + b", "a = c", language="python").value, 4)
    0.2962
    """

    name: ClassVar[str] = "tfidf"
    summary: ClassVar[str] = "cosine of token counts; rare tokens weigh more"
    symmetric: ClassVar[bool] = True
    n: int = 1
    background: Background | None = field(default=None, repr=False)
    tokens: str = "code"
    comments: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_range(self.name, "n", self.n, 1, 64)
        check_choice(self.name, "tokens", self.tokens, TOKENS)
        if not isinstance(self.background, Background | None):
            raise CodekinError(
                f"tfidf: background must be a Background, not {self.background!r}; "
                "measure('tfidf').fit(corpus) makes one"
            )

    def signature(self, *sources: Source) -> str:
        """The common line, with a fingerprint of the corpus if there is one."""
        line = super().signature(*sources)
        if self.background is None:
            return line
        name, rest = line.split("|", 1)
        return f"{name}|background:{self.background.fingerprint}|{rest}"

    def fit(self, corpus: Iterable[str], *, language: str | Language | None = None) -> TfIdf:
        """The same measure with the document frequencies of a corpus.

        Parameters
        ----------
        corpus : iterable of str
            One document each.
        language : str or Language, optional
            Their language; detected for each by default.
        """

        def ids(text: str) -> Ids:
            return self._counts(sources_of_one_language([text], language)[0])[0]

        return replace(self, background=corpus_background(self.name, corpus, ids))

    def _counts(self, source: Source) -> Weighted:
        def count() -> Weighted:
            ids = token_ids(source, self.tokens, comments=self.comments)
            grams = _native.sorted_ngrams(ids, self.n, False)
            distinct, counts = np.unique(grams, return_counts=True)
            return distinct, counts.astype(np.float64)

        return source.remember(("n-gram counts", self.tokens, self.comments, self.n), count)

    def _rarity(self, own: Ids, other: Ids) -> Floats:
        """What each n-gram of a text weighs, given those of the text it is compared with."""
        if self.background is None:
            documents = 2
            having = np.isin(own, other, assume_unique=True).astype(np.float64) + 1
        else:
            documents = sum(self.background.documents.values())
            having = self.background.having(own)
        rarity: Floats = np.log((1 + documents) / (1 + having)) + 1
        return rarity

    def _vectors(self, candidate: Source, reference: Source) -> tuple[Weighted, Weighted]:
        (mine, counts), (theirs, others) = self._counts(candidate), self._counts(reference)
        return (
            (mine, counts * self._rarity(mine, theirs)),
            (theirs, others * self._rarity(theirs, mine)),
        )

    def _pair(self, candidate: Source, reference: Source) -> Score:
        mine, theirs = self._vectors(candidate, reference)
        shared = len(np.intersect1d(mine[0], theirs[0], assume_unique=True))
        if len(mine[0]) and len(theirs[0]):
            equal = np.array_equal(mine[0], theirs[0]) and np.array_equal(mine[1], theirs[1])
            value = 1.0 if equal else _cosine(mine, theirs)
        else:  # too short for a single n-gram: they match only if all their tokens are equal
            tokens, others = (
                token_ids(source, self.tokens, comments=self.comments)
                for source in (candidate, reference)
            )
            value = float(np.array_equal(tokens, others))
        parts = {"shared": shared, "distinct": len(mine[0]), "reference_distinct": len(theirs[0])}
        return Score(self, value, parts, candidate, reference)

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Shade the tokens that the other text has too, by how rare they are."""
        mine, theirs = (s.tokens_with(comments=self.comments) for s in (candidate, reference))
        score = self._pair(candidate, reference)
        known = set(mine.ids.tolist()) & set(theirs.ids.tolist())
        weights = replace(self, n=1, tokens="code")._weights(candidate, reference)
        heaviest = max(weights.values(), default=1.0)
        spans = [
            spans_of_tokens(
                tokens,
                [
                    weights[number] / heaviest if number in known else 0.0
                    for number in tokens.ids.tolist()
                ],
            )
            for tokens in (mine, theirs)
        ]
        names = dict(zip(mine.ids.tolist(), mine.texts, strict=True))
        most = sorted(known, key=lambda number: (-weights[number], names[number]))[:12]
        return Explanation(
            f"{score.parts['shared']:,} distinct {'tokens' if self.n == 1 else 'n-grams'} are in "
            f"both texts; the cosine is {score.value:.4f}. Tokens of both are shaded by their "
            "weight.",
            spans[0],
            spans[1],
            candidate.text,
            reference.text,
            details=(("shared, heaviest first", "  ".join(names[n] for n in most)),)
            if most
            else (),
        )

    def _weights(self, candidate: Source, reference: Source) -> dict[int, float]:
        """The rarity of each token."""
        mine, theirs = self._counts(candidate)[0], self._counts(reference)[0]
        weights = zip(mine.tolist(), self._rarity(mine, theirs).tolist(), strict=True)
        others = zip(theirs.tolist(), self._rarity(theirs, mine).tolist(), strict=True)
        return dict(weights) | dict(others)
