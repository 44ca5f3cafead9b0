"""How far a detector gets that looks at one trivial thing: the size of snippets, or their names."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from codekin.corpora.copies import snippet_lexemes
from codekin.corpora.corpus import Corpus
from codekin.corpora.description import all_positive_f1
from codekin.corpora.labelled_pairs import UNKNOWN_LABEL, Pairs
from codekin.corpora.sampling import sample_pairs
from codekin.errors import CodekinError
from codekin.results import Column, Grid, Result
from codekin.statistics.classification import (
    area_under_curve,
    average_precision,
    best_threshold,
    f1_at,
)

__all__ = ["TrivialDetector", "TrivialDetectors", "trivial_detectors"]

_ROUNDS = 3
"""Splits in halves, each of which is trained on once and tested on once."""
_PAIRS = 20_000
"""Pairs that are drawn from a half at most."""

Similarity = Callable[[Pairs], npt.NDArray[np.float64]]


@dataclass(frozen=True)
class TrivialDetector:
    """A detector that looks at one thing alone.

    Attributes
    ----------
    name : str
    f1, precision, recall : float
        At the threshold with the best F1 in training; means over all halves.
    average_precision, auc : float
    gain : float
        Its F1 above that of calling every pair a clone.
    """

    name: str
    f1: float
    precision: float
    recall: float
    average_precision: float
    auc: float
    gain: float


@dataclass(frozen=True)
class TrivialDetectors(Result):
    """How far trivial detectors get, on snippets that they were not trained on.

    Attributes
    ----------
    corpus : str
    rate : float
        The share of clones among the pairs that they were tested on.
    all_positive_f1 : float
        Of calling every one of these pairs a clone.
    detectors : tuple of TrivialDetector
    """

    corpus: str
    rate: float
    all_positive_f1: float
    detectors: tuple[TrivialDetector, ...]

    def grids(self) -> list[Grid]:
        """A line per detector, and one for calling every pair a clone."""
        every = ("every pair is a clone", self.all_positive_f1, self.rate, 1.0, self.rate, 0.5, 0.0)
        rows = tuple(
            (
                *(one.name, one.f1, one.precision, one.recall),
                *(one.average_precision, one.auc, one.gain),
            )
            for one in self.detectors
        )
        names = ("F1", "precision", "recall", "average precision", "AUC")
        numbers = tuple(Column(name, digits=3) for name in names)
        last = Column("F1 gained", digits=3, sign=True)
        return [Grid("", ("detector", *numbers, last), (every, *rows))]

    def notes(self) -> list[str]:
        """How they were tested."""
        return [
            "Each detector has one number per pair and a threshold, chosen on one half of the "
            "snippets and tested on the other; means over three such splits, both ways."
        ]


def trivial_detectors(
    corpus: Corpus, *, names: Sequence[frozenset[str]] | None = None, seed: int = 0
) -> TrivialDetectors:
    """How far detectors get that look at size alone, or at shared names alone.

    What they reach needs no understanding of code. A corpus on which they get far cannot show that
    another detector has any.

    Parameters
    ----------
    corpus : Corpus
        Its labelled pairs are used where it has any; otherwise pairs are drawn at their natural
        rate.
    names : sequence of frozenset of str, optional
        The names in each snippet, to be compared by their Jaccard similarity.
    seed : int

    Raises
    ------
    CodekinError
        If there are too few pairs of either label.
    """
    lengths = snippet_lexemes(corpus.snippets).lengths.astype(float)
    similarities: dict[str, Callable[[Pairs], npt.NDArray[np.float64]]] = {
        "size": lambda pairs: _ratios(lengths, pairs)
    }
    if names is not None:
        similarities["shared names"] = lambda pairs: _jaccards(names, pairs)
    found: dict[str, list[list[float]]] = {name: [] for name in similarities}
    rates = []
    for number in range(_ROUNDS):
        for train, test in _halves(corpus, seed, number):
            truth = train.label == 1, test.label == 1
            rates.append(float(truth[1].mean()))
            for name, similarity in similarities.items():
                cut = best_threshold(similarity(train), truth[0]).value
                scores = similarity(test)
                at = f1_at(scores, truth[1], cut)
                found[name].append(
                    [
                        *(at.f1, at.precision, at.recall),
                        *(average_precision(scores, truth[1]), area_under_curve(scores, truth[1])),
                    ]
                )
    rate = float(np.mean(rates))
    floor = float(np.mean([all_positive_f1(one) for one in rates]))
    detectors = []
    for name, values in found.items():
        f1, precision, recall, ap, auc = np.nanmean(np.array(values), axis=0).tolist()
        detectors.append(TrivialDetector(name, f1, precision, recall, ap, auc, f1 - floor))
    return TrivialDetectors(corpus.name, rate, floor, tuple(detectors))


def _halves(corpus: Corpus, seed: int, number: int) -> list[tuple[Pairs, Pairs]]:
    """Pairs of two halves of the snippets, each once for training and once for testing."""
    order = list(range(len(corpus)))
    random.Random(f"{seed}/{number}").shuffle(order)
    middle = len(order) // 2
    halves = [_pairs(corpus, half, seed + number) for half in (order[:middle], order[middle:])]
    return [(halves[0], halves[1]), (halves[1], halves[0])]


def _pairs(corpus: Corpus, places: Sequence[int], seed: int) -> Pairs:
    """Labelled pairs of some snippets, by their positions in the whole corpus."""
    part = corpus.keep(places)
    known = None if part.pairs is None else part.pairs.take(part.pairs.label != UNKNOWN_LABEL)
    if known is not None and len(known):
        chosen = np.random.default_rng(seed).permutation(len(known))[:_PAIRS]
        pairs = known.take(np.sort(chosen))
    else:
        try:
            pairs = _sampled(part, seed)
        except CodekinError as error:
            raise CodekinError(
                f"{corpus.name}: half of it is too small to test on: {error}"
            ) from None
    if not 0 < pairs.positives < len(pairs):
        raise CodekinError(
            f"{corpus.name}: half of its snippets have no pairs of both labels; trivial detectors "
            "need more labelled pairs"
        )
    ends = np.array(places, np.int32)
    return Pairs(ends[pairs.first], ends[pairs.second], pairs.label)


def _sampled(part: Corpus, seed: int) -> Pairs:
    """Pairs at their natural rate; all of them where there are few."""
    few = len(part) * (len(part) - 1) // 2 <= _PAIRS
    made = sample_pairs(part, None if few else _PAIRS, rule="functionality", seed=seed)
    assert made.pairs is not None
    return made.pairs


def _ratios(lengths: npt.NDArray[np.float64], pairs: Pairs) -> npt.NDArray[np.float64]:
    first, second = lengths[pairs.first], lengths[pairs.second]
    return np.minimum(first, second) / np.maximum(np.maximum(first, second), 1.0)


def _jaccards(names: Sequence[frozenset[str]], pairs: Pairs) -> npt.NDArray[np.float64]:
    found = np.empty(len(pairs))
    for i, (a, b) in enumerate(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)):
        union = len(names[a] | names[b])
        found[i] = len(names[a] & names[b]) / union if union else 0.0
    return found
