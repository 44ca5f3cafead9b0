"""SARI as EASSE computes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from codekin.align.edit_operations import OperationCounts
from codekin.measures.base import check_choice
from codekin.measures.sari import SariForm, ratio
from codekin.measures.units import Ids, f1, token_ids
from codekin.source import Source

__all__ = ["EasseSari"]


@dataclass(frozen=True, kw_only=True, repr=False)
class EasseSari(SariForm):
    """SARI of one text as EASSE computes it (commit 6a4352e), divided by 100.

    Parameters
    ----------
    lowercase, tokenizer, legacy, use_f1_for_deletion, use_paper_version
        As in ``corpus_sari``; `tokenizer` is ``13a``, ``intl`` or ``none``.

    Examples
    --------
    >>> from codekin import measure
    >>> texts = "a x c d e", "a x c d e", "a b c d e"  # candidate, reference, origin
    >>> round(measure("sari", compat="easse").score(*texts).value, 4)
    0.9167
    """

    compat: ClassVar[str | None] = "easse"
    summary: ClassVar[str] = "SARI as EASSE computes it"
    lowercase: bool = True
    tokenizer: str = "13a"
    legacy: bool = False
    use_f1_for_deletion: bool = True
    use_paper_version: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.name, "tokenizer", self.tokenizer, ("13a", "intl", "none"))

    def uses_tree(self) -> bool:
        """False: EASSE compares plain text."""
        return False

    def _ids(self, source: Source) -> Ids:
        tokens = "split" if self.tokenizer == "none" else self.tokenizer
        return token_ids(source, tokens, lowercase=self.lowercase and not self.legacy)

    def _origin_ids(self, origin: Source) -> Ids:
        return token_ids(origin, "split") if self.legacy else self._ids(origin)

    def judge(self, counts: Sequence[OperationCounts]) -> tuple[float, dict[str, float]]:
        """The value of counted operations, and its parts."""
        parts = {}
        for name, at in (("add", 0), ("keep", 3), ("delete", 6)):
            by_f1 = name != "delete" or self.use_f1_for_deletion
            parts[name] = self._mean([c[at : at + 3] for c in counts], by_f1=by_f1)
        return sum(parts.values()) / 3, parts

    def _mean(self, sums: list[tuple[float, ...]], *, by_f1: bool) -> float:
        """One operation's score: F1 of the orders' means, as in the paper, or the mean F1."""
        precisions = [ratio(good, candidate, 0.0) for good, candidate, _ in sums]
        recalls = [ratio(good, reference, 0.0) for good, _, reference in sums]
        if not by_f1:
            return sum(precisions) / 4
        if self.use_paper_version:
            return f1(sum(precisions) / 4, sum(recalls) / 4)
        return sum(f1(p, r) for p, r in zip(precisions, recalls, strict=True)) / 4
