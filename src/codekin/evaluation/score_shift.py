"""Whether the rows that were tested differ from the others in their scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["UNLIKELY", "ScoreShift", "score_shift", "unlikely"]

UNLIKELY = 0.01
"""A p-value below says that rows were not chosen at random."""

Floats = npt.NDArray[np.float64]
Chosen = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.intp]


@dataclass(frozen=True)
class ScoreShift:
    """How the scores of tested rows differ from those of other rows.

    Attributes
    ----------
    measure : str
    chance : float
        That a tested row scores higher than another one; 0.5 if they do not differ.
    p : float
        Of a rank-sum test that they do not differ.
    """

    measure: str
    chance: float
    p: float

    @property
    def text(self) -> str:
        """The measure, and what was found."""
        return (
            f"{self.measure} (a tested row scores higher with a chance of {self.chance:.2f}, p = "
            f"{self.p:.2g})"
        )


def unlikely(shifts: Sequence[ScoreShift]) -> list[ScoreShift]:
    """The shifts that chance does not explain; measures that are tested at once share the error."""
    return [one for one in shifts if one.p < UNLIKELY / len(shifts)]


def score_shift(
    measure: str, scores: Floats, tested: Chosen, clusters: Codes | None = None
) -> ScoreShift:
    """Compare the scores of tested rows with those of the others; rows without a score are ignored.

    Parameters
    ----------
    measure : str
    scores : array
    tested : array of bool
    clusters : array, optional
        Rows that were tested together or not at all; they are compared by the means of their
        scores.
    """
    from scipy.stats import mannwhitneyu

    seen = np.isfinite(scores)
    scores, tested = scores[seen], tested[seen]
    if clusters is not None:
        units = np.unique(clusters[seen], return_inverse=True)[1]
        counts = np.bincount(units)
        scores = np.bincount(units, scores) / np.maximum(counts, 1)
        tested = np.bincount(units, tested) > 0
    first, second = scores[tested], scores[~tested]
    chance, p = 0.5, 1.0
    if len(first) and len(second) and np.ptp(scores) > 0:
        test = mannwhitneyu(first, second, method="asymptotic")
        chance, p = float(test.statistic) / len(first) / len(second), float(test.pvalue)
    return ScoreShift(measure, chance, p)
