"""Thresholds from validation pairs."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from codekin.detectors.detector import Detector, Fitted, LabelledPlaces, Scores
from codekin.errors import CodekinError
from codekin.statistics.classification import average_precision, best_threshold

if TYPE_CHECKING:
    from codekin.corpora.snippets import Snippet

__all__ = ["fit_threshold", "fitted_once", "languages_of", "sampled_pairs"]


def sampled_pairs(pairs: LabelledPlaces, count: int, seed: int) -> tuple[LabelledPlaces, list[str]]:
    """Some of the pairs if there are more than a number of them, and a note that says so.

    Both labels stay: a pair of each at least is drawn.

    Examples
    --------
    >>> places = np.arange(5, dtype=np.int32)
    >>> few, notes = sampled_pairs(LabelledPlaces(places, places, places == 3), 2, seed=0)
    >>> int(few.label.sum()), notes
    (1, ['the threshold comes from 2 of 5 validation pairs (seed 0)'])
    """
    if len(pairs) <= count:
        return pairs, []
    order = np.random.default_rng(seed).permutation(len(pairs))
    label = pairs.label[order]
    chosen = order[:count]
    for wanted in (True, False):
        if not (pairs.label[chosen] == wanted).any():
            chosen = np.append(chosen[:-1], order[label == wanted][:1])
    chosen = np.sort(chosen)
    found = LabelledPlaces(pairs.first[chosen], pairs.second[chosen], pairs.label[chosen])
    note = f"the threshold comes from {count:,} of {len(pairs):,} validation pairs (seed {seed})"
    return found, [note]


def fit_threshold(one: Detector, scores: Scores, pairs: LabelledPlaces) -> tuple[float, list[str]]:
    """Set the threshold that is best for some scores; their average precision, and notes.

    Raises
    ------
    CodekinError
        If scores are left for one label alone.
    """
    known = ~np.isnan(scores)
    values, label = scores[known].astype(np.float64), pairs.label[known]
    if not label.any() or label.all():
        raise CodekinError(
            f"{one.word}: {len(scores) - len(values):,} of {len(scores):,} validation pairs have "
            "no score, and a threshold needs scores of clones and of others"
        )
    one.threshold = best_threshold(values, label).value
    lost = len(scores) - len(values)
    notes = [f"{lost:,} of {len(scores):,} validation pairs have no score"] if lost else []
    return round(average_precision(values, label), 6), notes


def fitted_once(
    pairs: int, validation_pairs: int, precision: float, notes: Sequence[str], begun: float
) -> Fitted:
    """How a detector was fitted that makes one pass over its pairs.

    Parameters
    ----------
    pairs, validation_pairs : int
    precision : float
        The average precision on validation.
    notes : sequence of str
    begun : float
        When fitting began, by :func:`time.perf_counter`.
    """
    return Fitted(
        pairs,
        validation_pairs,
        validation=(precision,),
        seconds=round(time.perf_counter() - begun, 3),
        notes=tuple(notes),
    )


def languages_of(snippets: Sequence[Snippet], pairs: LabelledPlaces) -> tuple[str, ...]:
    """The languages of the snippets of some pairs."""
    places = np.unique(np.concatenate([pairs.first, pairs.second])).tolist()
    return tuple(sorted({snippets[i].language for i in places}))
