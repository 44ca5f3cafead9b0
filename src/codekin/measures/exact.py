"""exact: whether two texts are the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from codekin.measures.base import Explanation, Measure, Score
from codekin.measures.highlight import text_spans
from codekin.measures.units import token_ids
from codekin.source import Source

__all__ = ["Exact"]


@dataclass(frozen=True, kw_only=True, repr=False)
class Exact(Measure):
    """1 if the texts are equal after normalising line ends and trailing white space, else 0.

    Parameters
    ----------
    tokens : bool
        Compare code tokens, so layout and comments do not count.
    comments : bool
        With `tokens`, whether comments and docstrings count.

    Examples
    --------
    >>> from codekin import measure
    >>> measure("exact").score("x = 1  \\r\\n", "x = 1", language="python").value
    1.0
    >>> measure("exact").score("f( x )", "f(x)", language="python").value
    0.0
    >>> measure("exact", tokens=True).score("f( x )", "f(x)", language="python").value
    1.0
    """

    name: ClassVar[str] = "exact"
    summary: ClassVar[str] = (
        "whether the texts are equal, except for line ends and trailing white space"
    )
    symmetric: ClassVar[bool] = True
    tokens: bool = False
    comments: bool = False

    def uses_tree(self) -> bool:
        """Whether tokens are compared, which need the grammar."""
        return self.tokens

    def _pair(self, candidate: Source, reference: Source) -> Score:
        if self.tokens:
            a = token_ids(candidate, comments=self.comments)
            b = token_ids(reference, comments=self.comments)
            equal = bool(np.array_equal(a, b))
        else:
            equal = _normalised(candidate) == _normalised(reference)
        return Score(self, float(equal), {}, candidate, reference)

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Say whether the texts are equal, and shade what an optimal edit keeps."""
        equal = self._pair(candidate, reference).value == 1.0
        what = "token streams" if self.tokens else "texts"
        mine, theirs = text_spans(candidate, reference)
        return Explanation(
            f"The {what} are {'equal' if equal else 'not equal'}.",
            mine,
            theirs,
            candidate.text,
            reference.text,
        )


def _normalised(source: Source) -> str:
    def normalise() -> str:
        unix = source.text.replace("\r\n", "\n").replace("\r", "\n")
        lines = [line.rstrip(" \t\f\v") for line in unix.split("\n")]
        return "\n".join(lines).rstrip("\n")

    return source.remember("normalised text", normalise)
