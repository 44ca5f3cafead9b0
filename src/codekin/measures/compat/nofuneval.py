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
    r"""DiffBLEU as published with NoFunEval, on unprocessed texts.

    The published program first removes comments and blank lines with its own code. Every line of a
    diff that contains "No newline at end of file" is left out, whether it is from git or code. A
    candidate that changes nothing scores 0, even if the reference changes nothing either; so does a
    candidate that is only white space.

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
        """False: it compares plain text."""
        return False

    def _recipe(self) -> Recipe:
        return _RECIPE

    def _revision(self, candidate: Source, reference: Source, origin: Source) -> Score:
        mine, theirs = self._edit(candidate, origin), self._edit(reference, origin)
        value, parts = self._compare(mine, theirs)
        value = value if candidate.text.strip() else 0.0
        return Score(self, value, parts, candidate, reference, origin=origin)
