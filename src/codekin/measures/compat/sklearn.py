"""The cosine of TF-IDF vectors as scikit-learn computes it, with its parameter names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from codekin.errors import CodekinError
from codekin.measures.background import corpus_texts
from codekin.measures.base import Explanation, Measure, Score, check_range
from codekin.measures.highlight import spans_of_tokens
from codekin.measures.tfidf import smooth_idf
from codekin.source import Source

__all__ = ["SklearnTfIdf"]

_WORD = re.compile(r"(?u)\b\w\w+\b")


@dataclass(frozen=True, kw_only=True, repr=False)
class SklearnTfIdf(Measure):
    """The cosine of two rows of scikit-learn's TfidfVectorizer.

    Words are two or more letters, digits or underscores, in lower case by default. Without
    :meth:`fit`, the vectorizer is fitted on the two texts; with it, on a corpus, and words that no
    text of the corpus has are left out. A text without words scores 0.

    Parameters
    ----------
    lowercase : bool
        Whether words are compared in lower case.
    ngram_range : tuple of int
        The shortest and the longest n-grams.
    use_idf, smooth_idf, sublinear_tf : bool
        As in the package.
    corpus : tuple of str, optional
        The documents that the vectorizer is fitted on.

    Examples
    --------
    >>> from codekin import measure
    >>> tfidf = measure("tfidf", compat="sklearn")
    >>> round(tfidf.score("the cat sat", "the dog sat", language="text").value, 4)
    0.5031
    """

    name: ClassVar[str] = "tfidf"
    compat: ClassVar[str | None] = "sklearn"
    summary: ClassVar[str] = "the cosine of scikit-learn's TfidfVectorizer"
    symmetric: ClassVar[bool] = True
    lowercase: bool = True
    ngram_range: tuple[int, ...] = (1, 1)
    use_idf: bool = True
    smooth_idf: bool = True
    sublinear_tf: bool = False
    corpus: tuple[str, ...] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "ngram_range", tuple(self.ngram_range))
        if len(self.ngram_range) != 2 or self.ngram_range[0] > self.ngram_range[1]:
            raise CodekinError(
                f"tfidf: ngram_range must be two numbers in order, not {self.ngram_range!r}"
            )
        for n in self.ngram_range:
            check_range(self.name, "ngram_range", n, 1, 64)
        if self.corpus is not None:
            object.__setattr__(self, "corpus", corpus_texts(self.name, self.corpus))

    def uses_tree(self) -> bool:
        """False: words are found in the text."""
        return False

    def fit(self, corpus: Iterable[Source | str]) -> SklearnTfIdf:
        """The same measure, fitted on a corpus."""
        return replace(self, corpus=corpus_texts(self.name, corpus))

    def _counts(self, text: str) -> Counter[str]:
        words = _WORD.findall(text.lower() if self.lowercase else text)
        low, high = self.ngram_range
        if high == 1:
            return Counter(words)
        return Counter(
            " ".join(words[i : i + n])
            for n in range(low, high + 1)
            for i in range(len(words) - n + 1)
        )

    @cached_property
    def _fitted(self) -> tuple[int, Counter[str]] | None:
        if self.corpus is None:
            return None
        return len(self.corpus), Counter(w for text in self.corpus for w in self._counts(text))

    def _vectors(self, candidate: Source, reference: Source) -> list[dict[str, float]]:
        counts = [self._counts(source.text) for source in (candidate, reference)]
        fitted = self._fitted
        if fitted is None:
            fitted = 2, Counter(word for one in counts for word in one)
        return [self._weighted(one, *fitted) for one in counts]

    def _weighted(
        self, counts: Mapping[str, int], documents: int, having: Mapping[str, int]
    ) -> dict[str, float]:
        words = [word for word in counts if word in having]
        weights = np.array([counts[word] for word in words], dtype=np.float64)
        if self.sublinear_tf:
            weights = np.log(weights) + 1
        if self.use_idf:
            known = np.array([having[word] for word in words], dtype=np.float64)
            weights *= (
                smooth_idf(documents, known) if self.smooth_idf else np.log(documents / known) + 1
            )
        norm = float(np.sqrt(weights @ weights))
        return dict(zip(words, (weights / norm).tolist() if norm else [], strict=False))

    def _pair(self, candidate: Source, reference: Source) -> Score:
        mine, theirs = self._vectors(candidate, reference)
        shared = sorted(mine.keys() & theirs.keys())
        value = min(1.0, sum(mine[word] * theirs[word] for word in shared))
        parts = {"shared": len(shared), "distinct": len(mine), "reference_distinct": len(theirs)}
        return Score(self, value, parts, candidate, reference)

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Shade the tokens of code that are words of both texts."""
        mine, theirs = self._vectors(candidate, reference)
        shared = mine.keys() & theirs.keys()
        spans = []
        for source in (candidate, reference):
            tokens = source.tokens_with(comments=True)
            texts = [text.lower() if self.lowercase else text for text in tokens.texts]
            spans.append(spans_of_tokens(tokens, [float(text in shared) for text in texts]))
        score = self._pair(candidate, reference)
        return Explanation(
            f"{len(shared):,} distinct words are in both texts; the cosine is {score.value:.4f}.",
            spans[0],
            spans[1],
            candidate.text,
            reference.text,
        )
