"""Matrices for tests: files in families that are alike, by scores that are made up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from codekin import Measure, Score, SimilarityMatrix, Source, similarity_matrix


@dataclass(frozen=True, kw_only=True, repr=False)
class Made(Measure):
    """Alike are texts with the same first line; not exact if loose, asymmetric if turned."""

    name: ClassVar[str] = "made"
    summary: ClassVar[str] = "made up"
    loose: bool = False
    turned: bool = False

    def uses_tree(self) -> bool:
        return False

    def _pair(self, candidate: Source, reference: Source) -> Score:
        one, other = candidate.text.split("\n"), reference.text.split("\n")
        noise = (len(candidate.text) * len(reference.text) % 7) / 100
        value = (0.7 if one[0] == other[0] else 0.2) + noise
        if self.turned and candidate.text > reference.text:
            value -= 0.1
        bounds = (value, value + 0.1) if self.loose and one[0] != other[0] else None
        return Score(self, value, {}, candidate, reference, bounds=bounds)

    def _pairwise(self, sources: object, origin: object) -> npt.NDArray[np.float64] | None:
        return None


def matrix(families: int, size: int, *, copy: bool = False, **parameters: bool) -> SimilarityMatrix:
    """So many families of so many files each."""
    files = {
        f"family{f}-{i}.py": f"family = {f}\nmember = {'1' * (i + 1)}\n"
        for f in range(families)
        for i in range(size)
    }
    if copy:
        files["zz-copy.py"] = files["family0-0.py"]
    return similarity_matrix(
        files, Made(**parameters), language="python", unusable={"bad.py": "no"}, workers=0
    )
