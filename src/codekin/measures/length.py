"""length: a baseline that sees only the lengths of two texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from codekin.measures.base import Explanation, Measure, Score, check_choice
from codekin.source import Source

__all__ = ["Length"]

_UNITS = ("tokens", "chars", "lines")


@dataclass(frozen=True, kw_only=True, repr=False)
class Length(Measure):
    """The shorter length divided by the longer one: a baseline that ignores all content.

    A measure that tells right from wrong no better than this one may see only lengths.

    Parameters
    ----------
    unit : {'tokens', 'chars', 'lines'}
        What is counted; blank lines are not.
    comments : bool
        With tokens, whether comments and docstrings count.

    Examples
    --------
    >>> from codekin import measure
    >>> measure("length").score("x = y + 1", "f(x)", language="python").value
    0.8333333333333334
    >>> measure("length", unit="chars").score("x = 1", "y = 22222", language="python").parts
    {'length': 5, 'reference_length': 9}
    """

    name: ClassVar[str] = "length"
    summary: ClassVar[str] = "the shorter length / the longer, in tokens (a baseline)"
    symmetric: ClassVar[bool] = True
    unit: str = "tokens"
    comments: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.name, "unit", self.unit, _UNITS)

    def uses_tree(self) -> bool:
        """Whether the unit is tokens, which need the grammar."""
        return self.unit == "tokens"

    def _length(self, source: Source) -> int:
        if self.unit == "tokens":
            return len(source.tokens_with(comments=self.comments))
        if self.unit == "chars":
            return len(source.text)
        return sum(1 for line in source.text.splitlines() if line.strip())

    def _pair(self, candidate: Source, reference: Source) -> Score:
        mine, theirs = self._length(candidate), self._length(reference)
        value = min(mine, theirs) / max(mine, theirs) if mine or theirs else 1.0
        parts = {"length": mine, "reference_length": theirs}
        return Score(self, value, parts, candidate, reference)

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """State both lengths; nothing is shaded."""
        mine, theirs = self._length(candidate), self._length(reference)
        return Explanation(
            f"The candidate has {mine:,} {self.unit}, the reference {theirs:,}; their "
            "content does not count.",
            (),
            (),
            candidate.text,
            reference.text,
        )
