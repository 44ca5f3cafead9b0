"""Jaccard similarity as textdistance computes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from codekin import _native
from codekin.measures.base import Explanation, Measure, Score, check_choice, check_range
from codekin.measures.jaccard import Jaccard
from codekin.measures.units import Ids
from codekin.represent.text.plain_tokens import plain_token_ids
from codekin.source import Source

__all__ = ["TextdistanceJaccard"]


@dataclass(frozen=True, kw_only=True, repr=False)
class TextdistanceJaccard(Measure):
    """Jaccard similarity as textdistance 4.6 computes it, of multisets unless `as_set` is True.

    Parameters
    ----------
    qval : int
        Length of the n-grams.
    as_set : bool
        Count every n-gram once.
    unit : {'tokens', 'chars'}
        Whether texts are split at white space, or into characters including white space.
    """

    name: ClassVar[str] = "jaccard"
    compat: ClassVar[str | None] = "textdistance"
    summary: ClassVar[str] = "Jaccard similarity as textdistance 4.6 computes it"
    symmetric: ClassVar[bool] = True
    qval: int = 1
    as_set: bool = False
    unit: str = "tokens"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.name, "unit", self.unit, ("tokens", "chars"))
        check_range(self.name, "qval", self.qval, 1, 64)

    def uses_tree(self) -> bool:
        """False: textdistance compares plain text."""
        return False

    def _ids(self, source: Source) -> Ids:
        if self.unit == "chars":
            return _native.character_ids(source.text, True)
        return plain_token_ids("split", source.text)

    def _bag(self, source: Source) -> Ids:
        key = ("sorted n-grams", self.unit, self.qval, self.as_set)
        return source.remember(
            key, lambda: _native.sorted_ngrams(self._ids(source), self.qval, self.as_set)
        )

    def _pair(self, candidate: Source, reference: Source) -> Score:
        shared, size, other = _native.sorted_overlap(self._bag(candidate), self._bag(reference))
        together = size + other - shared
        equal = np.array_equal(self._ids(candidate), self._ids(reference))
        value = 1.0 if equal else shared / together if together else 0.0
        parts = {"shared": shared, "together": together}
        return Score(self, value, parts, candidate, reference)

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Shade the code tokens that the other text has too."""
        return Jaccard().explain(candidate, reference)
