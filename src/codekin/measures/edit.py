"""ed and nes: Levenshtein distance, and a similarity based on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from codekin.align.edit_distance import levenshtein_bounds
from codekin.measures.base import Explanation, Measure, Score, check_choice
from codekin.measures.highlight import aligned_spans, text_spans
from codekin.measures.units import line_ids, token_ids
from codekin.source import Source

__all__ = ["EditDistance", "EditForm", "EditSimilarity"]

_UNITS = ("chars", "tokens", "lines")


@dataclass(frozen=True, kw_only=True, repr=False)
class EditForm(Measure):
    """Common base of distance and similarity: the unit that is edited."""

    symmetric: ClassVar[bool] = True
    unit: str = "chars"
    comments: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.name, "unit", self.unit, _UNITS)

    def uses_tree(self) -> bool:
        """Whether the unit is tokens, which need the grammar."""
        return self.unit == "tokens"

    def _sequence(self, source: Source) -> Any:
        if self.unit == "chars":
            return source.text
        if self.unit == "lines":
            return line_ids(source)
        return token_ids(source, comments=self.comments)

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Shade what an optimal edit keeps."""
        if self.unit == "tokens":
            mine, theirs = aligned_spans(
                candidate.tokens_with(comments=self.comments),
                reference.tokens_with(comments=self.comments),
            )
        else:
            mine, theirs = text_spans(candidate, reference)
        distance = levenshtein_bounds(self._sequence(candidate), self._sequence(reference)).upper
        return Explanation(
            f"{distance} {self.unit} must be inserted, deleted or replaced to turn the candidate "
            "into the reference; what stays is shaded.",
            mine,
            theirs,
            candidate.text,
            reference.text,
        )


@dataclass(frozen=True, kw_only=True, repr=False)
class EditDistance(EditForm):
    """Levenshtein distance: a count of edits, not a similarity.

    It is exact for texts of up to 800,000 characters, and for longer ones that are very similar;
    otherwise it is the higher of two bounds, and ``score.exact`` is False.

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
class EditSimilarity(EditForm):
    """Normalised edit similarity: 1 - Levenshtein distance / length of the longer text.

    It is exact for texts of up to 800,000 characters, and for longer ones that are very similar;
    otherwise it is the lower of two bounds, and ``score.exact`` is False.

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
