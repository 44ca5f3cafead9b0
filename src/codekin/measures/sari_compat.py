"""SARI as its authors' script, Hugging Face's evaluate and EASSE compute it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from codekin import _native
from codekin.align.edit_operations import OperationCounts
from codekin.measures.base import check_choice
from codekin.measures.sari import SariForm, f1, ratio
from codekin.measures.units import Ids, token_ids
from codekin.source import Source

__all__ = ["EasseSari", "EvaluateSari", "XuSari"]


def _blank_split_ids(source: Source, *, lowercase: bool) -> Ids:
    """What ``str.split(" ")`` gives: line ends stay in tokens, two blanks hold an empty one."""
    key = ("blank split ids", lowercase)
    kept: Ids | None = source._kept.get(key)  # inlined `remember`, as in units.token_ids
    if kept is None:
        text = source.text.lower() if lowercase else source.text
        kept = source._kept[key] = _native.blank_split_ids(text)
    return kept


@dataclass(frozen=True, kw_only=True, repr=False)
class _SharesOfDistinct(SariForm):
    """The formula of SARI.py: shares averaged over distinct n-grams, not sums."""

    empty: ClassVar[float]
    """What 0/0 is."""

    def uses_tree(self) -> bool:
        """No: these forms see plain text."""
        return False

    @abstractmethod
    def _keep_recall(self, counts: OperationCounts) -> float:
        """How much of what the references keep the candidate keeps."""

    def judge(self, counts: Sequence[OperationCounts]) -> tuple[float, dict[str, float]]:
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
class XuSari(_SharesOfDistinct):
    """SARI as its authors' SARI.py computes it (cocoxu/simplification, commit 3557046).

    Texts are lowercased and cut at every single blank; 0/0 is 0. What the references have of a
    deleted n-gram is taken from the number of its deletions, so that one of two equal tokens,
    rightly deleted, counts as wrong.

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
        return _blank_split_ids(source, lowercase=True)

    def _keep_recall(self, counts: OperationCounts) -> float:
        return ratio(counts.keep_recalls, counts.keep_reference_distinct, 0.0)


@dataclass(frozen=True, kw_only=True, repr=False)
class EvaluateSari(_SharesOfDistinct):
    """SARI as Hugging Face's evaluate 0.4.6 computes it, divided by 100.

    As SARI.py, but 0/0 is 1, and the recall of what is kept is a share of sums.

    Parameters
    ----------
    tokenizer : {'13a', 'intl', 'none'}
        As in the metric's ``normalize``; the metric itself always takes ``13a``. With ``none`` the
        text is cut at every single blank, as its ``SARIsent`` does.
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
            return _blank_split_ids(source, lowercase=self.lowercase)
        ids = token_ids(source, self.tokenizer, lowercase=self.lowercase)
        # A text without words is joined to "", which is then cut into one empty token.
        return ids if len(ids) else _native.blank_split_ids("")

    def _keep_recall(self, counts: OperationCounts) -> float:
        return ratio(counts.keep_good, counts.keep_reference, 1.0)


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
        """No: EASSE sees plain text."""
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
