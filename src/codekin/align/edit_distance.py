"""Levenshtein distance of texts and of sequences of identities."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Levenshtein

__all__ = ["levenshtein"]


def levenshtein(a: str | npt.NDArray[np.uint64], b: str | npt.NDArray[np.uint64]) -> int:
    """The least number of insertions, deletions and substitutions that make `b` of `a`."""
    if isinstance(a, str):
        return Levenshtein.distance(a, b)
    return Levenshtein.distance(a.tolist(), b.tolist())
