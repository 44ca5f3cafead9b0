"""rouge: how much of the reference a candidate has, in the order of the reference (ROUGE-L)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from codekin import _native
from codekin.align.lcs import lcs_pairs
from codekin.measures.base import Explanation, Measure, Score, check_choice
from codekin.measures.highlight import paired_spans
from codekin.measures.units import TOKENS, token_ids
from codekin.source import Source

__all__ = ["Rouge"]


@dataclass(frozen=True, kw_only=True, repr=False)
class Rouge(Measure):
    """ROUGE-L over code tokens: F1 of the longest common subsequence [1]_.

    Precision is the share of the candidate's tokens that are in the longest common subsequence,
    recall that of the reference's.

    Parameters
    ----------
    tokens : str
        ``code``, or ``split``, ``13a``, ``intl``, ``char``.
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
    """

    name: ClassVar[str] = "rouge"
    summary: ClassVar[str] = "F1 of the tokens in the longest common subsequence (ROUGE-L)"
    tokens: str = "code"
    comments: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.name, "tokens", self.tokens, TOKENS)

    def _pair(self, candidate: Source, reference: Source) -> Score:
        mine = token_ids(candidate, self.tokens, comments=self.comments)
        theirs = token_ids(reference, self.tokens, comments=self.comments)
        common = len(_native.lcs_positions(mine, theirs)[0])
        if len(mine) and len(theirs):
            precision, recall = common / len(mine), common / len(theirs)
            value = 2 * common / (len(mine) + len(theirs))
        else:
            value = precision = recall = float(len(mine) == len(theirs))
        parts = {"precision": precision, "recall": recall, "common": common}
        return Score(self, value, parts, candidate, reference)

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Shade the tokens that are in common."""
        score = self._pair(candidate, reference)
        mine = candidate.tokens_with(comments=self.comments)
        theirs = reference.tokens_with(comments=self.comments)
        return Explanation(
            f"{score.parts['common']:,} tokens of the longest common subsequence are in common: "
            f"{100 * score.parts['precision']:.0f} % of the candidate and "
            f"{100 * score.parts['recall']:.0f} % of the reference. The tokens of the longest "
            "common subsequence are shaded.",
            *paired_spans(mine, theirs, lcs_pairs(mine.ids, theirs.ids)),
            candidate.text,
            reference.text,
        )
