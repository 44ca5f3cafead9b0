"""DiffBLEU as published with NoFunEval."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from codekin.measures.base import Score
from codekin.measures.diffbleu import RECIPES, DiffForm, Recipe
from codekin.source import Source

__all__ = ["NofunevalDiffBleu"]

_RECIPE = replace(
    RECIPES["nofuneval"], name="nofuneval to the letter", without="No newline at end of file"
)


@dataclass(frozen=True, kw_only=True, repr=False)
class NofunevalDiffBleu(DiffForm):
    r"""DiffBLEU as published with NoFunEval, on texts as they are given.

    The published program takes comments and blank lines out first, by means of its own. Lines of
    a diff that contain the words "No newline at end of file" are left out, be they git's or code.
    A candidate that changes nothing scores 0, even where the reference changes nothing either; a
    candidate of nothing but white space scores 0.

    Examples
    --------
    >>> from codekin import measure
    >>> diffbleu = measure("diffbleu", compat="nofuneval")
    >>> diffbleu.score("x = 1", "x = 1", "x = 1", language="python").value
    0.0
    """

    compat: ClassVar[str | None] = "nofuneval"
    summary: ClassVar[str] = "DiffBLEU as published with NoFunEval"

    def uses_tree(self) -> bool:
        """No: it sees plain text."""
        return False

    def _recipe(self) -> Recipe:
        return _RECIPE

    def _revision(self, candidate: Source, reference: Source, origin: Source) -> Score:
        mine, theirs = self._edit(candidate, origin), self._edit(reference, origin)
        value, parts = self._compare(mine, theirs)
        value = value if candidate.text.strip() else 0.0
        return Score(self, value, parts, candidate, reference, origin=origin)
