"""A detector trained on a corpus and tested in one view, with a card that says what it scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from codekin.corpora.abstracting import abstract_corpus
from codekin.corpora.checking import copies_note
from codekin.corpora.copies import find_copies
from codekin.corpora.corpus import Corpus
from codekin.corpora.pair_use import PairUse, has_labelled_pairs, pairs_for_training
from codekin.corpora.views import SIDES
from codekin.detectors.benchmark.cell_scores import cell_scores
from codekin.detectors.benchmark.cells import held_out_pairs
from codekin.detectors.benchmark.grid_data import check_crossed, view_arrays
from codekin.detectors.detector import (
    ArrayDetector,
    Detector,
    Fitted,
    Progress,
    labelled,
    pairs_of_side,
    parse_detector,
)
from codekin.detectors.preparing import prepare_snippets
from codekin.errors import CodekinError
from codekin.plain_text import plain
from codekin.results import Column, Grid, GridColumns, Interval, Result, Section, count_text
from codekin.statistics.retrieval import Retrieval, retrieval

__all__ = ["Training", "train_detector"]

_PAIRS = {"train": 100_000, "validation": 50_000, "test": 250_000}


@dataclass(frozen=True)
class Training(Result):
    """What training a detector came to.

    Attributes
    ----------
    detector : str
        Its word, such as ``tbccd:epochs=4``.
    corpus : str
    pairs : PairUse
        Which pairs it was trained and tested on.
    view : str
        ``given`` where the corpus was split already.
    level : str
        Of abstraction; ``given`` where the code was taken as it is.
    threshold : float
    fitted : Fitted
    test : dict
        The numbers on the test side, and the same without pairs of copies of training snippets.
    retrieval : Retrieval or None
        Of the test snippets; None for a detector that cannot encode.
    """

    detector: str
    corpus: str
    pairs: PairUse
    view: str
    level: str
    threshold: float
    fitted: Fitted
    test: dict[str, Any]
    retrieval: Retrieval | None

    def table(self) -> Grid:
        """The numbers on the test side."""
        return self.grids()[1]

    def grids(self) -> list[Grid]:
        """The pairs that were used, the numbers on the test side, and the epochs."""
        rows = []
        for name, title in (("all", "all test pairs"), ("without_copies", "without copies")):
            one = self.test[name]
            f1, ap, auc = (one.get(f"{number}_interval") for number in ("f1", "ap", "auc"))
            rows.append(
                (
                    *(title, one["pairs"], one["rate"], one["all_positive_f1"], one["precision"]),
                    *(one["recall"], one["f1"], Interval(*f1) if f1 else None, one["mcc"]),
                    *(one["ap"], Interval(*ap) if ap else None),
                    *(one["auc"], Interval(*auc) if auc else None),
                )
            )
        columns: GridColumns = (
            Column("pairs of"),
            Column("pairs"),
            *(Column(name, digits=3) for name in ("base rate", "all-positive F1")),
            *(Column(name, digits=3) for name in ("precision", "recall", "F1")),
            Column("interval", "f1_interval", digits=3, beneath=True),
            *(Column(name, digits=3) for name in ("MCC", "AP")),
            Column("interval", "ap_interval", digits=3, beneath=True),
            Column("AUC", digits=3),
            Column("interval", "auc_interval", digits=3, beneath=True),
        )
        found = [self.pairs.grid(), Grid("Test", columns, tuple(rows))]
        if self.fitted.epochs:
            tested = self.fitted.test or (None,) * self.fitted.epochs
            steps = zip(self.fitted.losses, self.fitted.validation, tested, strict=True)
            marked = tuple(
                (i, *step, "kept" if i == self.fitted.best else "")
                for i, step in enumerate(steps, 1)
            )
            heads: GridColumns = (
                "epoch",
                Column("loss", digits=4),
                Column("validation AP", digits=3),
                Column("test AP", digits=3, optional=True),
                "",
            )
            found.append(Grid("Epochs", heads, marked))
        if self.retrieval is not None and self.retrieval.queries:
            row = (self.retrieval.queries, self.retrieval.map_at_r, self.retrieval.precision_at_r)
            heads = ("queries", Column("MAP@R", digits=3), Column("precision@R", digits=3))
            found.append(Grid("Retrieval among test snippets", heads, (row,)))
        return found

    def section(self) -> Section:
        """The grids under what was trained on what."""
        return Section(f"{self.detector} on {self.corpus}", content=tuple(self.grids()))

    def notes(self) -> list[str]:
        """What copies are worth, and how it was done."""
        pairs = self.fitted.pairs or self.fitted.validation_pairs
        kind = "pair" if self.fitted.pairs else "validation pair"
        return [
            *self.pairs.remarks,
            *self._copies(),
            f"{plain(self.detector)} on {plain(self.corpus)}, view {self.view}, level "
            f"{self.level}: fitted on {count_text(pairs, kind)} in {self.fitted.seconds:.1f} s; "
            f"a pair is a clone from {self.threshold:.3f} on. Intervals "
            "resample snippets, since a snippet is in many pairs.",
            *self.fitted.notes,
        ]

    def _copies(self) -> list[str]:
        """How many test pairs training has seen, or almost; nothing if it has seen none."""
        copied, pairs = self.test.get("copied_pairs", 0), self.test.get("pairs", 0)
        if not copied:
            return []
        note = copies_note(copied, pairs, "test pair", "code with a copy")
        if copied == pairs:
            return [f"{note}: nothing is known about code without one"]
        return [f"{note}: report every result with and without them"]

    def warnings(self) -> list[str]:
        """What makes the result worth less."""
        found = []
        if self.test["unscored"]:
            found.append(f"{count_text(self.test['unscored'], 'test pair')} could not be scored")
        rate = self.test["all"]["rate"]
        if rate in (0, 1):
            only = "clones" if rate else "pairs that are not clones"
            found.append(f"all test pairs are {only}, so that most numbers say nothing")
        return found


def train_detector(
    corpus: Corpus,
    model: str | Detector = "tbccd",
    *,
    view: str | None = None,
    level: int | str | None = None,
    pairs: int | None = None,
    draw: bool = False,
    seed: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> tuple[Detector, Training]:
    """Train a detector on a corpus, and test it.

    Labelled pairs of the corpus are used as they are: on their sides, or, where they have none,
    split with their snippets. Only where there are none, pairs are drawn by functionality.

    Parameters
    ----------
    corpus : Corpus
        With labelled pairs or without, split into sides or not.
    model : str or Detector
        A word such as ``tbccd:epochs=4``; see :func:`codekin.detector_names`.
    view : str, optional
        How the corpus is split, see :func:`codekin.split_corpus`. By default as it is, or at
        random where it has no sides.
    level : int or str, optional
        The level that code is abstracted to; by default it is taken as it is. New code is
        abstracted alike, also where the corpus was abstracted before.
    pairs : int, optional
        The most training pairs: of those that the corpus has, all by default, and of those that
        are drawn where it has none, 100,000.
    draw : bool
        Whether to draw pairs by functionality in place of those that the corpus has.
    seed : int
        Of the split and of the pairs; the detector has one of its own.
    workers : int, optional
        Worker processes that read snippets.
    progress : callable, optional

    Returns
    -------
    (Detector, Training)
        The fitted detector, whose card has the numbers, and what came of it.
    """
    made = parse_detector(model) if isinstance(model, str) else model
    name = corpus.name
    abstracted = corpus if level is None else abstract_corpus(corpus, level, workers=workers)
    if view is not None:
        check_crossed(corpus, view)
    most: dict[str, int | None] = {} if pairs is None else {"train": pairs}
    if draw or not has_labelled_pairs(corpus):
        most = {**_PAIRS, **most}
    ready, use = pairs_for_training(abstracted, view, sizes=most, draw=draw, seed=seed)
    shown = use.view
    arrays = view_arrays(ready, ready, find_copies(ready.snippets).near, workers)
    side = held_out_pairs(arrays)
    if not len(side):
        raise CodekinError(
            f"{name}: the side test has no labelled pairs; draw some with codekin corpus pairs, or "
            "split in another way with --view"
        )
    found: Retrieval | None = None
    if isinstance(made, ArrayDetector):
        train, validation = labelled(ready, "train"), labelled(ready, "validation")
        prepared = prepare_snippets(ready.snippets, workers=workers)
        test_pairs = pairs_of_side(ready, "test")
        fitted = made.fit_prepared(prepared, train, validation, test=test_pairs, progress=progress)
        scores = made.score_prepared(prepared, side.first, side.second)
        if made.siamese:
            tested = np.array([one.side == SIDES[2] for one in ready.snippets], bool)
            kinds = np.where(_positive(ready), side.functionality, -1)[tested]
            vectors = made.encode_prepared(prepared)  # type: ignore[attr-defined]
            found = retrieval(vectors[tested], kinds)
        sizes = np.diff(prepared.nodes)
    else:
        fitted = made.fit(ready, workers=workers, progress=progress)
        scores = made.score_pairs(ready.snippets, side.first, side.second, workers=workers)
        sizes = np.array([len(one.code.split()) for one in ready.snippets], np.int64)
    test = cell_scores(side, scores, made.threshold, sizes, seed=seed)
    shown_level = _level_of(abstracted)
    made.card = {
        "corpus": name,
        "fingerprint": corpus.fingerprint,
        "snippets": len(corpus),
        "view": shown,
        "level": shown_level,
        "vocabulary": dict(ready.vocabulary),
        "test": {key: value for key, value in test.items() if key != "curve"},
    }
    if found is not None:
        made.card["retrieval"] = found._asdict()
    return made, Training(
        *(made.word, name, use, shown, shown_level, made.threshold, fitted, test, found)
    )


def _level_of(corpus: Corpus) -> str:
    """The level that the code of a corpus was abstracted to last; ``given`` where it was not."""
    steps = [one for one in corpus.steps if one.name == "abstract"]
    return str(steps[-1].parameters["level"]) if steps else "given"


def _positive(corpus: Corpus) -> Any:
    return np.array([bool(one.functionalities) for one in corpus.snippets], bool)
