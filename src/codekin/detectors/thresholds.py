"""Detectors that learn nothing but a threshold, from validation pairs."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from codekin.detectors.detector import (
    Arrays,
    Detector,
    Fitted,
    LabelledPlaces,
    Progress,
    Scores,
    labelled,
)
from codekin.errors import CodekinError
from codekin.statistics.classification import average_precision, best_threshold

if TYPE_CHECKING:
    from codekin.corpora.corpus import Corpus
    from codekin.corpora.snippets import Snippet

__all__ = ["ThresholdDetector", "fit_threshold", "languages_of", "sampled_pairs"]

_OWN_THRESHOLD = 0.5


@dataclass(eq=False)
class ThresholdDetector(Detector):
    """A detector that learns nothing but a threshold, which every saved detector has."""

    def fit(
        self, corpus: Corpus, *, workers: int | None = None, progress: Progress | None = None
    ) -> Fitted:
        """Find the threshold on validation pairs; see :meth:`Detector.fit`.

        Training pairs are not read, and need not exist. `progress` is never called.
        """
        pairs = labelled(corpus, "validation")
        begun = time.perf_counter()
        used, notes = self.pairs_to_fit(pairs)
        scores = self.score_pairs(corpus.snippets, used.first, used.second, workers=workers)
        value, lost = fit_threshold(self, scores, used)
        what = "only the threshold comes from validation"
        if self.decided_by:
            self.threshold, what = _OWN_THRESHOLD, f"{self.decided_by} decided"
        self.languages = languages_of(corpus.snippets, used)
        self.fitted = Fitted(
            *(0, len(used)),
            validation=(value,),
            seconds=round(time.perf_counter() - begun, 3),
            notes=(f"training pairs are not used: {what}", *notes, *lost, *self.scoring_notes()),
        )
        return self.fitted

    @property
    def decided_by(self) -> str:
        """Who decided what a clone is in the last scores, so that 0.5 is the threshold; or ""."""
        return ""

    def pairs_to_fit(self, pairs: LabelledPlaces) -> tuple[LabelledPlaces, list[str]]:
        """The validation pairs that are read, and notes about them."""
        return pairs, []

    def scoring_notes(self) -> list[str]:
        """What must be known of the last scores."""
        return []

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """Nothing: the threshold is kept with every detector."""
        return {}, {}

    def restore(self, document: Mapping[str, Any], arrays: Arrays) -> None:
        """Nothing: the threshold is kept with every detector."""


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


def languages_of(snippets: Sequence[Snippet], pairs: LabelledPlaces) -> tuple[str, ...]:
    """The languages of the snippets of some pairs."""
    places = np.unique(np.concatenate([pairs.first, pairs.second])).tolist()
    return tuple(sorted({snippets[i].language for i in places}))
