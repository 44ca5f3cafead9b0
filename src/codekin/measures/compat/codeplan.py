"""DiffBLEU as published with CodePlan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from codekin.errors import CodekinError
from codekin.measures.base import Score
from codekin.measures.diffbleu import RECIPES, DiffForm, Recipe
from codekin.source import Source

__all__ = ["CodeplanDiffBleu"]


@dataclass(frozen=True, kw_only=True, repr=False)
class CodeplanDiffBleu(DiffForm):
    r"""DiffBLEU as published with CodePlan.

    There is no value if the candidate or the reference changes nothing: the recipe skips such
    pairs, and scoring one raises CodekinError.

    Examples
    --------
    >>> from codekin import measure
    >>> diffbleu = measure("diffbleu", compat="codeplan")
    >>> score = diffbleu.score("x = 1\n", "x = 2\n", "x = 0\n", language="python")
    >>> round(score.value, 4)
    0.9193
    """

    compat: ClassVar[str | None] = "codeplan"
    summary: ClassVar[str] = "DiffBLEU as published with CodePlan"

    def uses_tree(self) -> bool:
        """False: it compares plain text."""
        return False

    def _recipe(self) -> Recipe:
        return RECIPES["codeplan"]

    def _revision(self, candidate: Source, reference: Source, origin: Source) -> Score:
        mine, theirs = self._edit(candidate, origin), self._edit(reference, origin)
        for role, edit in (("candidate", mine), ("reference", theirs)):
            if not edit.diff:
                raise CodekinError(
                    f"diffbleu, compat='codeplan', has no value where the {role} leaves the origin "
                    "as it is (the recipe skips such pairs); the default form has one"
                )
        value, parts = self._compare(mine, theirs)
        return Score(self, value, parts, candidate, reference, origin=origin)
