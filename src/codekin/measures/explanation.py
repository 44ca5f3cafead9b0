"""Explanation: why a score is what it is, in words and as stretches of the two texts."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

__all__ = ["Explanation", "Span"]


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of one of the two texts that a measure found again in the other.

    Attributes
    ----------
    start, end : int
        The stretch, in characters of the text.
    level : float
        How fully it was found, in [0, 1]: 1 for a match as good as the measure knows.
    """

    start: int
    end: int
    level: float = 1.0


@dataclass(frozen=True)
class Explanation:
    """Why a score is what it is.

    Attributes
    ----------
    summary : str
        One or two plain sentences.
    candidate, reference : tuple of Span
        What was found again, in each text, in order and without overlaps. What no span covers
        was not found.
    details : tuple of (str, str)
        Named facts, such as the n-grams that only one side has.
    candidate_text, reference_text : str
        The texts that the spans refer to.
    """

    summary: str
    candidate: tuple[Span, ...]
    reference: tuple[Span, ...]
    candidate_text: str = dataclasses.field(repr=False)
    reference_text: str = dataclasses.field(repr=False)
    details: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        lines = [self.summary, *(f"{name}: {text}" for name, text in self.details)]
        return "\n".join(lines)
