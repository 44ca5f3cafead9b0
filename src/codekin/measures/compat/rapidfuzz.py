"""Edit distances and similarities as rapidfuzz computes them for plain text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rapidfuzz.distance import Indel, LCSseq, Levenshtein

from codekin.align.edit_distance import DEFAULT_STEPS
from codekin.errors import CodekinError
from codekin.measures.base import Score, check_choice
from codekin.measures.edit import EditForm
from codekin.measures.units import TOKENS, line_ids, token_ids
from codekin.source import Source

__all__ = ["RapidfuzzDistance", "RapidfuzzSimilarity"]

_ALGORITHMS: dict[str, Any] = {"Levenshtein": Levenshtein, "Indel": Indel, "LCSseq": LCSseq}


@dataclass(frozen=True, kw_only=True, repr=False)
class _Rapidfuzz(EditForm):
    compat: ClassVar[str | None] = "rapidfuzz"
    algorithm: str = "Levenshtein"
    tokens: str = "split"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.name, "algorithm", self.algorithm, _ALGORITHMS)
        check_choice(self.name, "tokens", self.tokens, TOKENS)

    def uses_tree(self) -> bool:
        """Whether tokens are those of code, which need the grammar."""
        return self.unit == "tokens" and self.tokens == "code"

    def _sequence(self, source: Source) -> str | Sequence[int]:
        if self.unit == "chars":
            return source.text
        ids = line_ids(source) if self.unit == "lines" else token_ids(source, self.tokens)
        items: list[int] = ids.tolist()
        return items

    def _call(self, verb: str, candidate: Source, reference: Source) -> float:
        function: Callable[[Any, Any], float] = getattr(_ALGORITHMS[self.algorithm], verb)
        a, b = self._sequence(candidate), self._sequence(reference)
        if len(a) * len(b) > DEFAULT_STEPS * 64:
            raise CodekinError(
                f"{self.name}: texts of {len(a):,} and {len(b):,} {self.unit} are too long for "
                f"rapidfuzz; {self.name} without compat gives bounds"
            )
        return function(a, b)


@dataclass(frozen=True, kw_only=True, repr=False)
class RapidfuzzDistance(_Rapidfuzz):
    """The ``distance`` or ``similarity`` of an algorithm of rapidfuzz.

    Parameters
    ----------
    algorithm : {'Levenshtein', 'Indel', 'LCSseq'}
        The module of ``rapidfuzz.distance``.
    unit, tokens : str
        What is compared: chars, lines, or tokens of the given kind.
    """

    name: ClassVar[str] = "ed"
    summary: ClassVar[str] = "edit distance by rapidfuzz (a distance)"
    distance: ClassVar[bool] = True

    def _pair(self, candidate: Source, reference: Source) -> Score:
        value = self._call("distance", candidate, reference)
        parts = {"similarity": self._call("similarity", candidate, reference)}
        return Score(self, float(value), parts, candidate, reference)


@dataclass(frozen=True, kw_only=True, repr=False)
class RapidfuzzSimilarity(_Rapidfuzz):
    """The ``normalized_similarity`` of rapidfuzz; ``ratio`` is that of Indel.

    Parameters
    ----------
    algorithm : {'Levenshtein', 'Indel', 'LCSseq'}
        The module of ``rapidfuzz.distance``.
    unit, tokens : str
        What is compared: chars, lines, or tokens of the given kind.
    """

    name: ClassVar[str] = "nes"
    summary: ClassVar[str] = "normalised edit similarity by rapidfuzz"

    def _pair(self, candidate: Source, reference: Source) -> Score:
        value = self._call("normalized_similarity", candidate, reference)
        parts = {"distance": self._call("distance", candidate, reference)}
        return Score(self, value, parts, candidate, reference)
