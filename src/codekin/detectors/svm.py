"""``svm``: a linear support vector machine on TF-IDF of words.

The AbsBigCloneBench paper joins the two texts of a pair into one, turns it into TF-IDF weights of
its words, and classifies it with a linear SVM, as in text classification (``features=joined``).
What such a model sees is the words of both texts together, not which of the two has them: only the
length of the vector says whether they share words. ``features=shared`` is the honest variant: the
product and the absolute difference of the two texts' weights, word by word. Both are symmetric, so
that the order of a pair never matters.

The paper is silent about details. We take scikit-learn's defaults: words are runs of two or more
letters, digits and underscores in lower case, the inverse document frequency is smoothed, and
vectors have length 1. Two choices are ours. A document is a snippet and not a pair, so that the
weights do not depend on how often pairs repeat a snippet. And the words and their frequencies come
from the training snippets alone, and the threshold from validation pairs; with ``preset=paper`` the
words come from all code, and a pair is a clone where the machine itself says so, at a score of 0.5.

Whether a word counts once or as often as it occurs is open too, and matters in joined texts: if it
counts once (``binary=true``), a vector has fewer words where texts share some, whatever else they
repeat.

Training needs scikit-learn. Scoring needs numpy and scipy alone.

References
----------
Yu et al., Assessing and improving an evaluation dataset for detecting semantic code clones via
deep learning, TOSEM 31(4), 2022, section 6.4.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from codekin.detectors.detector import (
    PRESETS,
    WORDS_OF_ALL,
    ArrayDetector,
    Arrays,
    Fitted,
    LabelledPlaces,
    Places,
    Progress,
    Scores,
    check_labels,
)
from codekin.detectors.prepared import Prepared
from codekin.detectors.thresholds import fit_threshold, fitted_once
from codekin.errors import CodekinError

__all__ = ["Svm"]

FEATURES = ("joined", "shared")
_PAIRS = 1 << 15
"""Pairs whose features are computed at a time."""
_MOST_VALUES = 2**31 - 1

Floats = npt.NDArray[np.float64]


@dataclass(eq=False)
class Svm(ArrayDetector):
    """TF-IDF of the words of both texts, and a linear support vector machine.

    A score is the logistic function of the decision value, which keeps the order of pairs; it is
    not a calibrated probability.

    Parameters
    ----------
    features : str
        ``joined`` for one text made of both, as in the paper, or ``shared`` for the product and
        the absolute difference of their weights.
    binary : bool
        Whether a word counts once in a text, however often it occurs.
    C : float
        The weight of errors against the margin.
    rounds : int
        Iterations of the solver at most.
    seed : int
        Of the solver.
    preset : str
        ``default``, or ``paper``: words from all code, not from training alone; a result is then
        not comparable. The threshold is the machine's own then, 0.5.
    """

    name = "svm"
    summary = "TF-IDF of the words of both texts, linear support vector machine"

    features: str = "joined"
    binary: bool = False
    C: float = 1.0
    rounds: int = 2000
    seed: int = 0
    preset: str = "default"

    words: tuple[str, ...] = field(default=(), init=False, repr=False)
    idf: Floats | None = field(default=None, init=False, repr=False)
    weights: Floats | None = field(default=None, init=False, repr=False)
    intercept: float = field(default=0.0, init=False, repr=False)

    def __post_init__(self) -> None:
        self.check_choices(features=FEATURES, preset=PRESETS)
        self.check_least(rounds=1)
        if not self.C > 0:
            raise CodekinError(f"{self.name}: C must be greater than 0")

    def fit_prepared(
        self,
        prepared: Prepared,
        train: LabelledPlaces,
        validation: LabelledPlaces,
        *,
        test: LabelledPlaces | None = None,
        progress: Progress | None = None,
    ) -> Fitted:
        """Learn from pairs of prepared snippets; see :meth:`ArrayDetector.fit_prepared`.

        Test pairs are not read, because nothing is chosen by them, and `progress` is never called,
        because the solver reports nothing.
        """
        try:
            from sklearn.exceptions import ConvergenceWarning
            from sklearn.svm import LinearSVC
        except ModuleNotFoundError as error:
            raise CodekinError(
                f"{self.name}: training needs {error.name}, which is not installed; pip install "
                "'codekin[detectors]'"
            ) from None
        for side, pairs in (("train", train), ("validation", validation)):
            check_labels(pairs, self.name, side)
        begun = time.perf_counter()
        used = self.take_languages(prepared, train)
        everything = self.preset == "paper"
        self._learn_words(prepared, np.ones(len(prepared), bool) if everything else used)
        counts = self._counts(prepared)
        rows = self._all_features(counts, train)
        machine = LinearSVC(C=self.C, dual="auto", max_iter=self.rounds, random_state=self.seed)
        notes = [WORDS_OF_ALL] if everything else []
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ConvergenceWarning)
            machine.fit(rows, train.label)
        if any(issubclass(one.category, ConvergenceWarning) for one in caught):
            notes.append(f"the solver had not converged after {self.rounds} rounds")
        self.weights = np.array(machine.coef_[0], np.float64)
        self.intercept = float(machine.intercept_[0])
        scores = self.score_prepared(prepared, validation.first, validation.second)
        value, lost = fit_threshold(self, scores, validation)
        if everything:
            self.threshold = 0.5
        self.fitted = fitted_once(len(train), len(validation), value, (*notes, *lost), begun)
        return self.fitted

    def _learn_words(self, prepared: Prepared, known: npt.NDArray[np.bool_]) -> None:
        """The words of some snippets, and how much each weighs by how few of them have it."""
        owner = _snippet_of_term(prepared)
        chosen = known[owner]
        have = np.unique(owner[chosen] * len(prepared.terms) + prepared.term[chosen])
        frequency = np.bincount(have % max(1, len(prepared.terms)), minlength=len(prepared.terms))
        places = np.flatnonzero(frequency)
        if not len(places):
            raise CodekinError(
                f"{self.name}: the training snippets have no words, which are two or more letters, "
                "digits or underscores"
            )
        self.words = tuple(prepared.terms[i] for i in places.tolist())
        total = 1 + np.count_nonzero(known)
        self.idf = np.log(total / (1 + frequency[places])) + 1

    def _counts(self, prepared: Prepared) -> sparse.csr_array:
        """How often each snippet has each known word."""
        numbers = {word: i for i, word in enumerate(self.words)}
        place = np.array([numbers.get(word, -1) for word in prepared.terms], np.int64)
        column = place[prepared.term] if len(place) else np.zeros(0, np.int64)
        known = column >= 0
        owner = _snippet_of_term(prepared)[known]
        shape = (len(prepared), len(self.words))
        ones = np.ones(len(owner))
        found = sparse.coo_array((ones, (owner, column[known])), shape=shape).tocsr()
        found.sum_duplicates()
        return found

    def _all_features(self, counts: sparse.csr_array, pairs: LabelledPlaces) -> sparse.csr_array:
        """A row per pair, with the 32-bit indices that the solver reads."""
        parts = [
            self._features(counts, pairs.first[i : i + _PAIRS], pairs.second[i : i + _PAIRS])
            for i in range(0, len(pairs), _PAIRS)
        ]
        rows = sparse.vstack(parts, format="csr")
        if rows.nnz > _MOST_VALUES:
            raise CodekinError(
                f"{self.name}: {len(pairs):,} training pairs have {rows.nnz:,} weights, and the "
                f"solver reads {_MOST_VALUES:,}; sample fewer pairs"
            )
        rows.indices, rows.indptr = rows.indices.astype(np.int32), rows.indptr.astype(np.int32)
        return rows

    def _features(
        self, counts: sparse.csr_array, first: Places, second: Places
    ) -> sparse.csr_array:
        """A row per pair."""
        if self.features == "joined":
            return self._weighted(counts[first] + counts[second])
        one, two = (self._weighted(counts[places]) for places in (first, second))
        return sparse.hstack([one * two, abs(one - two)], format="csr")

    def _weighted(self, counts: sparse.csr_array) -> sparse.csr_array:
        """Counts weighted by how rare words are, as rows of length 1."""
        assert self.idf is not None
        if self.binary:
            counts = counts.sign()
        found = counts @ sparse.diags_array(self.idf)
        found = sparse.csr_array(found)
        length = np.sqrt((found * found).sum(axis=1))
        found.data /= np.repeat(length, np.diff(found.indptr))
        return found

    def score_prepared(self, prepared: Prepared, first: Places, second: Places) -> Scores:
        """How likely each pair of prepared snippets is a clone; nan where one has no words.

        Parameters
        ----------
        prepared : Prepared
        first, second : int32 arrays
        """
        if self.weights is None:
            raise CodekinError(f"{self.name}: was not fitted; fit it, or load a trained one")
        counts = self._counts(prepared)
        found = np.empty(len(first))
        for i in range(0, len(first), _PAIRS):
            part = slice(i, i + _PAIRS)
            found[part] = self._features(counts, first[part], second[part]) @ self.weights
        # As tanh, which cannot overflow.
        found = (1 + np.tanh((found + self.intercept) / 2)) / 2
        empty = np.diff(prepared.texts) == 0
        found[empty[first] | empty[second]] = np.nan
        return found.astype(np.float32)

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """The words, their weights in texts, and the coefficients."""
        if self.weights is None or self.idf is None:
            raise CodekinError(f"{self.name}: was not fitted; fit it, or load a trained one")
        arrays = {"idf": self.idf, "weights": self.weights, "intercept": np.array([self.intercept])}
        return {"words": list(self.words)}, arrays

    def restore(self, document: Mapping[str, Any], arrays: Arrays) -> None:
        """Take over words and coefficients."""
        self.words = tuple(map(str, document["words"]))
        columns = len(self.words) * (1 if self.features == "joined" else 2)
        for name, size in (("idf", len(self.words)), ("weights", columns), ("intercept", 1)):
            if arrays[name].shape != (size,):
                raise ValueError(f"{name} has the shape {arrays[name].shape}, not ({size},)")
        self.idf = np.array(arrays["idf"], np.float64)
        self.weights = np.array(arrays["weights"], np.float64)
        self.intercept = float(arrays["intercept"][0])


def _snippet_of_term(prepared: Prepared) -> npt.NDArray[np.int64]:
    return np.repeat(np.arange(len(prepared), dtype=np.int64), np.diff(prepared.texts))
