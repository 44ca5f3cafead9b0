"""ROUGE as the package rouge-score computes it, with its parameter names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from codekin import _native
from codekin.align.lcs import lcs_pairs
from codekin.measures.base import Explanation, Measure, Score, check_choice
from codekin.measures.highlight import paired_spans
from codekin.measures.units import Ids, f1, stem_ids, token_ids
from codekin.represent.text.plain_tokens import string_ids
from codekin.represent.text.porter import porter_stem
from codekin.source import Source

__all__ = ["RougeScore"]

_TYPES = ("rougeL", "rougeLsum", *(f"rouge{n}" for n in range(1, 10)))
_WORD = re.compile(r"[a-z0-9]+")
_STEMMED = 4
"""The shortest words that are stemmed, in characters."""


@dataclass(frozen=True, kw_only=True, repr=False)
class RougeScore(Measure):
    """ROUGE as rouge-score 0.1.2 computes it: the F-measure of one type.

    Words are runs of ASCII letters and digits in lower case, so texts of other scripts have none
    and score 0, also if they are equal. Several references count by the best, as in its
    ``score_multi``. The sentences of ``rougeLsum`` are lines; the package's ``split_summaries``
    needs a model of nltk, and is not reproduced.

    Parameters
    ----------
    rouge_type : str
        ``rougeL``, ``rougeLsum``, or ``rouge1`` to ``rouge9``.
    use_stemmer : bool
        Whether words of more than three letters are compared by their stems.

    Examples
    --------
    >>> from codekin import measure
    >>> rouge = measure("rouge", compat="rouge-score")
    >>> rouge.score("the cat sat on it", "the cats sat", language="text").value
    0.5
    """

    name: ClassVar[str] = "rouge"
    compat: ClassVar[str | None] = "rouge-score"
    summary: ClassVar[str] = "ROUGE as the package rouge-score 0.1.2 computes it"
    rouge_type: str = "rougeL"
    use_stemmer: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.name, "rouge_type", self.rouge_type, _TYPES)

    def uses_tree(self) -> bool:
        """False: words are found in the text."""
        return False

    def _words(self, text: str) -> list[str]:
        words: list[str] = _WORD.findall(text.lower())
        if self.use_stemmer:
            return [porter_stem(word) if len(word) >= _STEMMED else word for word in words]
        return words

    def _ids(self, source: Source) -> Ids:
        key = ("rouge-score ids", self.use_stemmer)
        return source.remember(key, lambda: string_ids(self._words(source.text)))

    def _pair(self, candidate: Source, reference: Source) -> Score:
        common, mine, theirs = self._counts(candidate, reference)
        precision, recall = common / max(mine, 1), common / max(theirs, 1)
        parts = {"precision": precision, "recall": recall, "common": common}
        return Score(self, f1(precision, recall), parts, candidate, reference)

    def _counts(self, candidate: Source, reference: Source) -> tuple[int, int, int]:
        if self.rouge_type == "rougeLsum":
            return _summary_counts(self._lines(candidate.text), self._lines(reference.text))
        mine, theirs = self._ids(candidate), self._ids(reference)
        if self.rouge_type == "rougeL":
            return len(_native.lcs_positions(mine, theirs)[0]), len(mine), len(theirs)
        n = int(self.rouge_type.removeprefix("rouge"))
        grams = (_native.sorted_ngrams(ids, n, False) for ids in (mine, theirs))
        return _native.sorted_overlap(*grams)

    def _lines(self, text: str) -> list[list[str]]:
        return [self._words(line) for line in text.split("\n")]

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Shade the code tokens of the longest common subsequence."""
        tokens = [one.tokens_with(comments=True) for one in (candidate, reference)]
        ids = [
            stem_ids(one, comments=True) if self.use_stemmer else token_ids(one, comments=True)
            for one in (candidate, reference)
        ]
        score = self._pair(candidate, reference)
        return Explanation(
            f"{score.parts['common']:,} words or n-grams are in common, which makes "
            f"{self.rouge_type} {score.value:.4f}. Tokens of code in the longest common "
            "subsequence are shaded.",
            *paired_spans(tokens[0], tokens[1], lcs_pairs(ids[0], ids[1])),
            candidate.text,
            reference.text,
        )


def _summary_counts(mine: Sequence[list[str]], theirs: Sequence[list[str]]) -> tuple[int, int, int]:
    """The words in common by lines, and those of both texts."""
    left = [Counter(word for line in text for word in line) for text in (mine, theirs)]
    common = 0
    for line in theirs:
        matched = {i for other in mine for i in _last_common(line, other)}
        for i in sorted(matched):
            word = line[i]
            if left[0][word] > 0 and left[1][word] > 0:
                common += 1
                left[0][word] -= 1
                left[1][word] -= 1
    return common, sum(map(len, mine)), sum(map(len, theirs))


def _last_common(line: Sequence[str], other: Sequence[str]) -> list[int]:
    """The places in a line of the longest common subsequence that the package finds.

    From the end: equal words match; else the other line's word is left out only if that keeps a
    longer subsequence.
    """
    if not line or not other:
        return []
    table = np.zeros((len(line) + 1, len(other) + 1), dtype=np.int32)
    for i, word in enumerate(line, 1):
        equal = np.fromiter((word == one for one in other), bool, len(other))
        best = np.maximum(table[i - 1, 1:], np.where(equal, table[i - 1, :-1] + 1, 0))
        table[i, 1:] = np.maximum.accumulate(best)
    i, j, places = len(line), len(other), []
    while i and j:
        if line[i - 1] == other[j - 1]:
            places.append(i - 1)
            i, j = i - 1, j - 1
        elif table[i, j - 1] > table[i - 1, j]:
            j -= 1
        else:
            i -= 1
    return places
