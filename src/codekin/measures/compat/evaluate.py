"""SARI as Hugging Face's evaluate computes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from codekin import _native
from codekin.align.edit_operations import OperationCounts
from codekin.measures.base import check_choice
from codekin.measures.compat.xu import SharesOfDistinct, blank_split_ids
from codekin.measures.sari import ratio
from codekin.measures.units import Ids, token_ids
from codekin.source import Source

__all__ = ["EvaluateSari"]


@dataclass(frozen=True, kw_only=True, repr=False)
class EvaluateSari(SharesOfDistinct):
    """SARI as Hugging Face's evaluate 0.4.6 computes it, divided by 100.

    Like SARI.py, but 0/0 is 1, and the recall of kept n-grams is a ratio of sums.

    Parameters
    ----------
    tokenizer : {'13a', 'intl', 'none'}
        As in the metric's ``normalize``; the metric itself always uses ``13a``. With ``none`` the
        text is split at every single space, as its ``SARIsent`` does.
    lowercase : bool
        As in ``normalize``.

    Examples
    --------
    >>> from codekin import measure
    >>> texts = "a b c d e", "a x c d e", "a b c d e"  # candidate, reference, origin
    >>> round(measure("sari", compat="evaluate").score(*texts).value, 4)  # nothing was done
    0.5046
    """

    compat: ClassVar[str | None] = "evaluate"
    summary: ClassVar[str] = "SARI as Hugging Face's evaluate 0.4.6 computes it"
    empty: ClassVar[float] = 1.0
    tokenizer: str = "13a"
    lowercase: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.name, "tokenizer", self.tokenizer, ("13a", "intl", "none"))

    def _ids(self, source: Source) -> Ids:
        if self.tokenizer == "none":
            return blank_split_ids(source, lowercase=self.lowercase)
        ids = token_ids(source, self.tokenizer, lowercase=self.lowercase)
        # A text without words is joined to "", which is then split into one empty token.
        return ids if len(ids) else _native.blank_split_ids("")

    def _keep_recall(self, counts: OperationCounts) -> float:
        return ratio(counts.keep_good, counts.keep_reference, 1.0)
