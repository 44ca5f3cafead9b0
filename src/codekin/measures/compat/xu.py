"""SARI as its authors' script SARI.py computes it (Xu et al., 2016)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from codekin import _native
from codekin.align.edit_operations import OperationCounts
from codekin.measures.sari import SariForm, ratio
from codekin.measures.units import Ids, f1
from codekin.source import Source

__all__ = ["SharesOfDistinct", "XuSari", "blank_split_ids"]


def blank_split_ids(source: Source, *, lowercase: bool) -> Ids:
    """Tokens of ``str.split(" ")``: line ends stay in tokens, two spaces give an empty one."""
    key = ("blank split ids", lowercase)
    kept: Ids | None = source._kept.get(key)  # inlined `remember`, as in units.token_ids
    if kept is None:
        text = source.text.lower() if lowercase else source.text
        kept = source._kept[key] = _native.blank_split_ids(text)
    return kept


@dataclass(frozen=True, kw_only=True, repr=False)
class SharesOfDistinct(SariForm):
    """The formula of SARI.py: shares averaged over distinct n-grams, not sums."""

    empty: ClassVar[float]
    """What 0/0 is."""

    def uses_tree(self) -> bool:
        """False: these forms compare plain text."""
        return False

    @abstractmethod
    def _keep_recall(self, counts: OperationCounts) -> float:
        """The recall of kept n-grams."""

    def judge(self, counts: Sequence[OperationCounts]) -> tuple[float, dict[str, float]]:
        """The value of counted operations, and its parts."""
        add = keep = delete = 0.0
        empty = self.empty
        for c in counts:
            add += f1(
                ratio(c.add_good, c.add_candidate, empty), ratio(c.add_good, c.add_reference, empty)
            )
            keep += f1(
                ratio(c.keep_precisions, c.keep_candidate_distinct, empty), self._keep_recall(c)
            )
            delete += ratio(c.delete_precisions, c.delete_candidate_distinct, empty)
        parts = {"add": add / 4, "keep": keep / 4, "delete": delete / 4}
        return sum(parts.values()) / 3, parts


@dataclass(frozen=True, kw_only=True, repr=False)
class XuSari(SharesOfDistinct):
    """SARI as its authors' SARI.py computes it (cocoxu/simplification, commit 3557046).

    Texts are lowercased and split at every single space; 0/0 is 0. The references' count of a
    deleted n-gram is subtracted from its deletions, so correctly deleting one of two equal tokens
    counts as wrong.

    Examples
    --------
    >>> from codekin import measure
    >>> texts = "a x c d e", "a x c d e", "a b c d e"  # candidate, reference, origin
    >>> round(measure("sari", compat="xu").score(*texts).value, 4)
    0.9167
    """

    compat: ClassVar[str | None] = "xu"
    summary: ClassVar[str] = "SARI as its authors' SARI.py computes it"
    empty: ClassVar[float] = 0.0

    def _ids(self, source: Source) -> Ids:
        return blank_split_ids(source, lowercase=True)

    def _keep_recall(self, counts: OperationCounts) -> float:
        return ratio(counts.keep_recalls, counts.keep_reference_distinct, 0.0)
