"""What the scores of a cell are worth: numbers with intervals, and breakdowns. Needs numpy alone.

Intervals draw snippets, since a snippet is in many pairs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from codekin.statistics.classification import (
    area_under_curve,
    average_precision,
    f1_at,
)
from codekin.statistics.pair_bootstrap import pair_intervals

__all__ = ["HeldOutPairs", "cell_scores", "curve_points"]

_DRAWS = 200
_CURVE = 101
_SIZES = (0, 50, 100, 200, 400, 1 << 60)
"""Bounds of nodes of the smaller snippet, in the breakdown by size."""

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class HeldOutPairs:
    """The test pairs of a view, with what they are broken down by.

    Attributes
    ----------
    first, second : int32 arrays
        Places of snippets.
    label : bool array
    copied : bool array
        Per snippet: whether training has a copy or a near copy of it.
    functionality : int32 array
        Per snippet, a place in `functionalities`; -1 for none.
    functionalities : tuple of str
    project : int32 array
        Per snippet, a number.
    type : int8 array
        Per pair, a place in `types`; -1 where it has none.
    types : tuple of str
    """

    first: npt.NDArray[np.int32]
    second: npt.NDArray[np.int32]
    label: Flags
    copied: Flags
    functionality: npt.NDArray[np.int32]
    functionalities: tuple[str, ...]
    project: npt.NDArray[np.int32]
    type: npt.NDArray[np.int8]
    types: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.first)


def cell_scores(
    side: HeldOutPairs,
    scores: npt.NDArray[np.float32],
    threshold: float,
    sizes: npt.NDArray[np.int64],
    *,
    seed: int = 0,
) -> dict[str, Any]:
    """Everything that is reported of a cell, as a document.

    Parameters
    ----------
    side : HeldOutPairs
    scores : float32 array
        Per pair; nan counts as not a clone, and is counted.
    threshold : float
        At and above which a pair is called a clone.
    sizes : int64 array
        Per snippet, its nodes.
    seed : int
        Of the bootstrap.
    """
    known = np.where(np.isnan(scores), -1.0, scores).astype(np.float64)
    every = np.ones(len(side), bool)
    fresh = ~(side.copied[side.first] | side.copied[side.second])
    return {
        "pairs": len(side),
        "unscored": int(np.isnan(scores).sum()),
        "threshold": threshold,
        "all": _numbers(side, known, threshold, every, seed),
        "without_copies": _numbers(side, known, threshold, fresh, seed),
        "copied_pairs": int(np.count_nonzero(~fresh)),
        "curve": curve_points(known, side.label),
        "by_type": _by_type(side, known, threshold),
        "by_functionality": _by_functionality(side, known, threshold),
        "by_size": _by_size(side, known, threshold, sizes),
        "by_project": _by_project(side, known, threshold),
    }


def _numbers(
    side: HeldOutPairs, scores: Floats, threshold: float, chosen: Flags, seed: int
) -> dict[str, Any]:
    """Precision, recall and the rest over some pairs; None where nothing is defined."""
    label, mine = side.label[chosen], scores[chosen]
    rate = float(label.mean()) if len(label) else math.nan
    at = f1_at(mine, label, threshold)
    found: dict[str, Any] = {
        "pairs": len(label),
        "clones": int(label.sum()),
        "rate": rate,
        "all_positive_f1": 2 * rate / (1 + rate) if len(label) else math.nan,
        "precision": at.precision,
        "recall": at.recall,
        "f1": at.f1,
        "mcc": _mcc(mine >= threshold, label),
        "ap": average_precision(mine, label),
        "auc": area_under_curve(mine, label),
    }
    found |= _intervals(side, mine, threshold, chosen, seed)
    return {name: _plain(value) for name, value in found.items()}


def _plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, float):
        return round(value, 6) if math.isfinite(value) else None
    return value


def _mcc(said: Flags, label: Flags) -> float:
    """Matthews' correlation coefficient; nan where it is not defined."""
    right, wrong = int((said & label).sum()), int((said & ~label).sum())
    missed, rest = int((~said & label).sum()), int((~said & ~label).sum())
    product = (right + wrong) * (right + missed) * (rest + wrong) * (rest + missed)
    return (right * rest - wrong * missed) / math.sqrt(product) if product else math.nan


def _intervals(
    side: HeldOutPairs, scores: Floats, threshold: float, chosen: Flags, seed: int
) -> dict[str, Any]:
    """Intervals over snippets, as a document has them."""
    found = pair_intervals(
        *(scores, side.label[chosen], threshold, side.first[chosen], side.second[chosen]),
        seed=seed,
        draws=_DRAWS,
    )
    return {
        f"{name}_interval": [round(interval.low, 6), round(interval.high, 6)]
        for name, interval in found.items()
    }


def curve_points(scores: Floats, label: Flags) -> list[list[float]]:
    """Recall and precision along the curve, at most 101 points."""
    if not label.any():
        return []
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    last = np.append(np.flatnonzero(np.diff(ranked)), len(ranked) - 1)
    right = np.cumsum(label[order])[last]
    recall, precision = right / int(label.sum()), right / (last + 1)
    at = np.unique(np.searchsorted(recall, np.linspace(0, 1, _CURVE)).clip(0, len(recall) - 1))
    return [[round(float(recall[i]), 4), round(float(precision[i]), 4)] for i in at]


def _part(label: Flags, scores: Floats, threshold: float, chosen: Flags) -> dict[str, Any]:
    mine = label[chosen]
    at = f1_at(scores[chosen], mine, threshold)
    found = {"pairs": len(mine), "clones": int(mine.sum()), "precision": at.precision}
    found |= {"recall": at.recall, "f1": at.f1}
    return {name: _plain(value) for name, value in found.items()}


def _by_type(side: HeldOutPairs, scores: Floats, threshold: float) -> dict[str, Any]:
    """The recall of clones of each type; other pairs have none."""
    return {
        name: _part(side.label, scores, threshold, (side.type == i) & side.label)
        for i, name in enumerate(side.types)
        if ((side.type == i) & side.label).any()
    }


def _by_functionality(side: HeldOutPairs, scores: Floats, threshold: float) -> dict[str, Any]:
    """The pairs that have a snippet of each functionality."""
    ends = side.functionality[side.first], side.functionality[side.second]
    found = {}
    for i, name in enumerate(side.functionalities):
        chosen = (ends[0] == i) | (ends[1] == i)
        if chosen.any():
            found[name] = _part(side.label, scores, threshold, chosen)
    return found


def _by_size(
    side: HeldOutPairs, scores: Floats, threshold: float, sizes: npt.NDArray[np.int64]
) -> dict[str, Any]:
    smaller = np.minimum(sizes[side.first], sizes[side.second])
    found = {}
    for low, high in pairwise(_SIZES):
        chosen = (smaller >= low) & (smaller < high)
        name = f"{low} to {high - 1} nodes" if high < _SIZES[-1] else f"{low} nodes or more"
        if chosen.any():
            found[name] = _part(side.label, scores, threshold, chosen)
    return found


def _by_project(side: HeldOutPairs, scores: Floats, threshold: float) -> dict[str, Any]:
    same = side.project[side.first] == side.project[side.second]
    parts: Mapping[str, Flags] = {"within a project": same, "between projects": ~same}
    return {
        name: _part(side.label, scores, threshold, chosen)
        for name, chosen in parts.items()
        if chosen.any()
    }
