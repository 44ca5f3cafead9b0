"""Scores against labels of two classes: precision, recall, F1, and the threshold that is best."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from codekin.statistics.correlation import mean_ranks

__all__ = ["Threshold", "area_under_curve", "average_precision", "best_threshold", "f1_at"]

Scores = npt.NDArray[np.float64]
Labels = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Threshold:
    """A cut point, at and above which a score means the positive class.

    Attributes
    ----------
    value : float
    precision, recall, f1 : float
        nan where they are not defined.
    """

    value: float
    precision: float
    recall: float
    f1: float


def f1_at(scores: Scores, labels: Labels, threshold: float) -> Threshold:
    """Precision, recall and F1 of calling every score from a threshold on positive.

    Examples
    --------
    >>> f1_at(np.array([0.9, 0.4, 0.6]), np.array([True, True, False]), 0.5).f1
    0.5
    """
    chosen = scores >= threshold
    right = int(np.count_nonzero(chosen & labels))
    return _threshold(threshold, right, int(chosen.sum()), int(labels.sum()))


def _threshold(value: float, right: int, chosen: int, positive: int) -> Threshold:
    precision = right / chosen if chosen else float("nan")
    recall = right / positive if positive else float("nan")
    f1 = 2 * right / (chosen + positive) if chosen + positive else float("nan")
    return Threshold(value, precision, recall, f1)


def best_threshold(scores: Scores, labels: Labels) -> Threshold:
    """The cut point with the highest F1, of all that there are; the highest of equals.

    Examples
    --------
    >>> best_threshold(np.array([0.9, 0.4, 0.6]), np.array([True, True, False])).value
    0.4
    """
    if not len(scores):
        return Threshold(float("nan"), float("nan"), float("nan"), float("nan"))
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    right = np.cumsum(labels[order])
    ends = np.append(np.flatnonzero(np.diff(ranked)), len(ranked) - 1)
    positive = int(labels.sum())
    f1 = 2 * right[ends] / (ends + 1 + positive)
    best = int(ends[int(np.argmax(f1))])
    return _threshold(float(ranked[best]), int(right[best]), best + 1, positive)


def average_precision(scores: Scores, labels: Labels) -> float:
    """The mean of the precision at each positive score; equal scores count together.

    Examples
    --------
    >>> average_precision(np.array([0.9, 0.4, 0.6]), np.array([True, True, False]))
    0.8333333333333333
    """
    positive = int(labels.sum())
    if not positive:
        return float("nan")
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    right = np.cumsum(labels[order])
    ends = np.append(np.flatnonzero(np.diff(ranked)), len(ranked) - 1)
    gained = np.diff(np.append(0, right[ends]))
    return float((gained * right[ends] / (ends + 1)).sum() / positive)


def area_under_curve(scores: Scores, labels: Labels) -> float:
    """The chance that a positive score is higher than a negative one; equal scores count half.

    Examples
    --------
    >>> area_under_curve(np.array([0.9, 0.4, 0.6]), np.array([True, True, False]))
    0.5
    """
    positive = int(labels.sum())
    negative = len(labels) - positive
    if not positive or not negative:
        return float("nan")
    return float(
        (mean_ranks(scores)[labels].sum() - positive * (positive + 1) / 2) / (positive * negative)
    )
