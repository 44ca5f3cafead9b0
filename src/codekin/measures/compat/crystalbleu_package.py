"""CrystalBLEU as the package crystalbleu computes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from codekin.measures.compat.nltk import NltkFormulas
from codekin.measures.crystalbleu import Ngram, TrivialNgrams, checked_ngrams
from codekin.source import Source

__all__ = ["PackageCrystalBleu"]


@dataclass(frozen=True, kw_only=True, repr=False)
class PackageCrystalBleu(NltkFormulas):
    """CrystalBLEU as its package, version 0.2, computes it, on nltk's formulas.

    If the package raises an error (``log`` of zero without smoothing), the value is 0.

    Parameters
    ----------
    ignoring : tuple of tuples of str, optional
        The n-grams that do not count; none by default.
    smoothing, weights, auto_reweigh, epsilon, alpha, k
        As for ``measure("bleu", compat="nltk")``.
    tokens : str
        ``split``, or any other tokens.
    """

    name: ClassVar[str] = "crystalbleu"
    compat: ClassVar[str | None] = "crystalbleu"
    summary: ClassVar[str] = "CrystalBLEU as its package 0.2 computes it"
    keeps_zeros: ClassVar[bool] = True
    ignoring: tuple[Ngram, ...] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "ignoring", checked_ngrams(self.ignoring or (), "ignoring"))

    def signature(self, *sources: Source) -> str:
        """The common line, with a fingerprint of the n-grams that do not count."""
        line = super().signature(*sources)
        return f"{line}|ignoring:{self._ignored.fingerprint}" if self.ignoring else line

    @cached_property
    def _ignored(self) -> TrivialNgrams:
        return TrivialNgrams(self.ignoring or ())

    def statistics(self, candidate: Source, references: Sequence[Source]) -> list[int]:
        """Lengths, matches and n-grams that count; in the order after the last, all count."""
        ignored = self._ignored
        counts = ignored.statistics(candidate, references, self.tokens, False, self._orders)
        return self._counted(counts)
