"""rouge: how much of the reference a candidate has, by common subsequences or n-grams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from codekin import _native
from codekin.align.lcs import lcs_pairs
from codekin.errors import CodekinError
from codekin.measures.base import Explanation, Measure, Score, check_choice
from codekin.measures.highlight import ngram_levels, paired_spans, spans_of_tokens
from codekin.measures.units import TOKENS, Ids, line_starts, stem_ids, token_ids
from codekin.source import Source

__all__ = ["KINDS", "Rouge"]

KINDS = ("L", "Lsum", *(str(n) for n in range(1, 10)))
"""The common subsequence, that of each line, or n-grams of 1 to 9 tokens."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Rouge(Measure):
    """ROUGE over code tokens: F1 of what candidate and reference have in common [1]_.

    Precision is the share of the candidate's tokens that are in common, recall that of the
    reference's. In common are the tokens of the longest common subsequence (``L``), or the n-grams
    of `kind` tokens. For ``Lsum``, they are the tokens of each line of the reference that are in
    the longest common subsequence with any line of the candidate, each at most as often as the
    candidate has it; of prose, sentences take the place of lines.

    Parameters
    ----------
    kind : {'L', 'Lsum', '1', ..., '9'}
        What is in common.
    stem : bool
        Whether words are compared by their stems, in lower case (Porter's algorithm for English).
    tokens : str
        ``code``, or ``split``, ``13a``, ``intl``, ``char``; stems and lines need ``code``.
    comments : bool
        Whether comments and docstrings count.

    References
    ----------
    .. [1] Lin, "ROUGE: a package for automatic evaluation of summaries", ACL workshop on text
       summarization, 2004.

    Examples
    --------
    >>> from codekin import measure
    >>> score = measure("rouge").score("return a + b", "return (a - b)", language="python")
    >>> round(score.value, 4)
    0.6667
    >>> round(score.parts["precision"], 4), round(score.parts["recall"], 4)
    (0.8, 0.5714)
    >>> measure("rouge", kind="2").score("return a + b", "return a", language="python").value
    0.3333333333333333
    """

    name: ClassVar[str] = "rouge"
    summary: ClassVar[str] = "F1 of the tokens in the longest common subsequence, or of n-grams"
    kind: str = "L"
    stem: bool = False
    tokens: str = "code"
    comments: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.name, "kind", self.kind, KINDS)
        check_choice(self.name, "tokens", self.tokens, TOKENS)
        if self.tokens != "code" and (self.stem or self.kind == "Lsum"):
            what = "stems" if self.stem else "lines"
            raise CodekinError(f"rouge: {self.tokens} tokens have no {what}; use tokens='code'")

    def uses_tree(self) -> bool:
        """Whether tokens are those of code, which need the grammar."""
        return self.tokens == "code"

    def _ids(self, source: Source) -> Ids:
        if self.stem:
            return stem_ids(source, comments=self.comments)
        return token_ids(source, self.tokens, comments=self.comments)

    def _pair(self, candidate: Source, reference: Source) -> Score:
        mine, theirs = self._ids(candidate), self._ids(reference)
        if self.kind == "L":
            common = len(_native.lcs_positions(mine, theirs)[0])
            sizes = len(mine), len(theirs)
        elif self.kind == "Lsum":
            common = len(self._in_common_lines(candidate, reference))
            sizes = len(mine), len(theirs)
        else:
            grams = (_native.sorted_ngrams(ids, int(self.kind), False) for ids in (mine, theirs))
            common, *counted = _native.sorted_overlap(*grams)
            sizes = counted[0], counted[1]
        if not all(sizes):  # nothing to count: they match only if all their tokens are equal
            value = float(np.array_equal(mine, theirs))
            precision = recall = value
        else:
            precision, recall = common / sizes[0], common / sizes[1]
            value = 2 * common / sum(sizes)
        parts = {"precision": precision, "recall": recall, "common": common}
        return Score(self, value, parts, candidate, reference)

    def _lines(self, source: Source) -> list[list[int]]:
        ids = self._ids(source).tolist()
        starts = line_starts(source, comments=self.comments).tolist()
        return [ids[a:b] for a, b in pairwise([*starts, len(ids)])]

    def _in_common_lines(self, candidate: Source, reference: Source) -> list[int]:
        """The tokens of the reference that are in common with a line of the candidate."""
        lines = [np.array(line, dtype=np.uint64) for line in self._lines(candidate)]
        left = Counter(self._ids(candidate).tolist())
        found = []
        for at, line in self._numbered_lines(reference):
            matched = {i for other in lines for i, _ in lcs_pairs(line, other)}
            for i in sorted(matched):
                token = int(line[i])
                if left[token] > 0:
                    left[token] -= 1
                    found.append(at + i)
        return found

    def _numbered_lines(self, source: Source) -> Iterator[tuple[int, Ids]]:
        at = 0
        for line in self._lines(source):
            yield at, np.array(line, dtype=np.uint64)
            at += len(line)

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Shade the tokens that are in common."""
        score = self._pair(candidate, reference)
        mine = candidate.tokens_with(comments=self.comments)
        theirs = reference.tokens_with(comments=self.comments)
        a, b = (self._code_ids(one) for one in (candidate, reference))
        if self.kind in ("L", "Lsum"):
            shaded = paired_spans(mine, theirs, lcs_pairs(a, b))
            what = "tokens of the longest common subsequence"
        else:
            n = int(self.kind)
            covered = [
                [float(level == 1.0) for level in ngram_levels(*ids, n)] for ids in ((a, b), (b, a))
            ]
            shaded = spans_of_tokens(mine, covered[0]), spans_of_tokens(theirs, covered[1])
            what = "tokens" if n == 1 else f"runs of {n} tokens"
        return Explanation(
            f"{score.parts['common']:,} {what if self.kind != 'Lsum' else 'tokens of lines'} are "
            f"in common: {100 * score.parts['precision']:.0f} % of the candidate and "
            f"{100 * score.parts['recall']:.0f} % of the reference. The {what} are shaded.",
            *shaded,
            candidate.text,
            reference.text,
        )

    def _code_ids(self, source: Source) -> Ids:
        if self.stem:
            return stem_ids(source, comments=self.comments)
        return token_ids(source, comments=self.comments)
