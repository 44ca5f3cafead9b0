"""ed and nes: Levenshtein distance, and the similarity made of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rapidfuzz.distance import Indel, LCSseq, Levenshtein

from codekin.align.edit_distance import DEFAULT_STEPS, levenshtein_bounds
from codekin.errors import CodekinError
from codekin.measures.base import Explanation, Measure, Score, check_choice
from codekin.measures.highlight import aligned_spans, text_spans
from codekin.measures.units import TOKENS, line_ids, token_ids
from codekin.source import Source

__all__ = ["EditDistance", "EditSimilarity", "RapidfuzzDistance", "RapidfuzzSimilarity"]

_UNITS = ("chars", "tokens", "lines")


@dataclass(frozen=True, kw_only=True, repr=False)
class _Edit(Measure):
    """What distance and similarity share: the unit that is edited."""

    symmetric: ClassVar[bool] = True
    unit: str = "chars"
    comments: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.name, "unit", self.unit, _UNITS)

    def uses_tree(self) -> bool:
        """Only tokens need the grammar."""
        return self.unit == "tokens"

    def _sequence(self, source: Source) -> Any:
        if self.unit == "chars":
            return source.text
        if self.unit == "lines":
            return line_ids(source)
        return token_ids(source, comments=self.comments)

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Show what an optimal edit keeps."""
        if self.unit == "tokens":
            mine, theirs = aligned_spans(
                candidate.tokens_with(comments=self.comments),
                reference.tokens_with(comments=self.comments),
            )
        else:
            mine, theirs = text_spans(candidate, reference)
        distance = levenshtein_bounds(self._sequence(candidate), self._sequence(reference)).upper
        return Explanation(
            f"{distance} {self.unit} must be inserted, deleted or replaced to make the candidate "
            "the reference; shaded is what stays.",
            mine,
            theirs,
            candidate.text,
            reference.text,
        )


@dataclass(frozen=True, kw_only=True, repr=False)
class EditDistance(_Edit):
    """Levenshtein distance: a count of edits, not a similarity.

    It is exact for texts of up to 800,000 characters, and for longer ones that are much alike;
    otherwise it is the higher of two bounds, and ``score.exact`` says so.

    Parameters
    ----------
    unit : {'chars', 'tokens', 'lines'}
        What is inserted, deleted or replaced.
    comments : bool
        With tokens, whether comments and docstrings count.

    Examples
    --------
    >>> from codekin import measure
    >>> measure("ed").score("a += 1", "a -= 1").value
    1.0
    """

    name: ClassVar[str] = "ed"
    summary: ClassVar[str] = "Levenshtein distance in characters, tokens or lines (a distance)"
    distance: ClassVar[bool] = True

    def _pair(self, candidate: Source, reference: Source) -> Score:
        a, b = self._sequence(candidate), self._sequence(reference)
        low, high = levenshtein_bounds(a, b)
        parts = {"length": len(a), "reference_length": len(b)}
        bounds = (float(low), float(high))
        return Score(self, float(high), parts, candidate, reference, bounds=bounds)


@dataclass(frozen=True, kw_only=True, repr=False)
class EditSimilarity(_Edit):
    """Normalised edit similarity: 1 - Levenshtein distance / length of the longer text.

    It is exact for texts of up to 800,000 characters, and for longer ones that are much alike;
    otherwise it is the lower of two bounds, and ``score.exact`` says so.

    Parameters
    ----------
    unit : {'chars', 'tokens', 'lines'}
        What is inserted, deleted or replaced.
    comments : bool
        With tokens, whether comments and docstrings count.

    Examples
    --------
    >>> from codekin import measure
    >>> round(measure("nes").score("a += 1", "a -= 1").value, 4)
    0.8333
    """

    name: ClassVar[str] = "nes"
    summary: ClassVar[str] = "normalised edit similarity: 1 - Levenshtein / longer length"

    def _pair(self, candidate: Source, reference: Source) -> Score:
        a, b = self._sequence(candidate), self._sequence(reference)
        edits = levenshtein_bounds(a, b)
        longest = max(len(a), len(b)) or 1
        low, high = 1 - edits.upper / longest, 1 - edits.lower / longest
        parts = {"distance": edits.upper, "length": len(a), "reference_length": len(b)}
        return Score(self, low, parts, candidate, reference, bounds=(low, high))


_ALGORITHMS: dict[str, Any] = {"Levenshtein": Levenshtein, "Indel": Indel, "LCSseq": LCSseq}


@dataclass(frozen=True, kw_only=True, repr=False)
class _Rapidfuzz(_Edit):
    compat: ClassVar[str | None] = "rapidfuzz"
    algorithm: str = "Levenshtein"
    tokens: str = "split"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.name, "algorithm", self.algorithm, _ALGORITHMS)
        check_choice(self.name, "tokens", self.tokens, TOKENS)

    def uses_tree(self) -> bool:
        """Only tokens of code need the grammar."""
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
    """What rapidfuzz's ``distance`` and ``similarity`` give, for the algorithm named.

    Parameters
    ----------
    algorithm : {'Levenshtein', 'Indel', 'LCSseq'}
        The module of ``rapidfuzz.distance``.
    unit, tokens : str
        What is compared: chars, lines, or tokens of the kind named.
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
    """What rapidfuzz's ``normalized_similarity`` gives; ``ratio`` is that of Indel.

    Parameters
    ----------
    algorithm : {'Levenshtein', 'Indel', 'LCSseq'}
        The module of ``rapidfuzz.distance``.
    unit, tokens : str
        What is compared: chars, lines, or tokens of the kind named.
    """

    name: ClassVar[str] = "nes"
    summary: ClassVar[str] = "normalised edit similarity by rapidfuzz"

    def _pair(self, candidate: Source, reference: Source) -> Score:
        value = self._call("normalized_similarity", candidate, reference)
        parts = {"distance": self._call("distance", candidate, reference)}
        return Score(self, value, parts, candidate, reference)
