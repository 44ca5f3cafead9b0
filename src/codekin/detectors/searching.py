"""The pairs of a folder of code that are most likely clones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from codekin.corpora.corpus import Corpus
from codekin.corpora.reading import corpus_formats, read_corpus
from codekin.detectors.detector import Detector
from codekin.detectors.predicting import as_trained, detector_for
from codekin.detectors.shipped import SHIPPED
from codekin.errors import CodekinError
from codekin.languages import get_language, language_of_file
from codekin.results import Column, Grid, Result, count_text, share_text

__all__ = ["CloneRanking", "RankedPair", "search_clones"]

_LEAST_LINES = 4
_ROUNDING = 1e-6
"""Scores of all pairs at once may differ from those that the threshold was chosen by, by this."""


@dataclass(frozen=True)
class RankedPair:
    """Two functions that a detector finds alike.

    Attributes
    ----------
    first, second : str
        File and lines.
    score : float
    """

    first: str
    second: str
    score: float


@dataclass(frozen=True)
class CloneRanking(Result):
    """The pairs of some code that are most likely clones.

    Attributes
    ----------
    detector : str
    threshold : float
    functions : int
        Functions that were compared, each with each.
    above : int
        Pairs that reach the threshold.
    pairs : tuple of RankedPair
        The likeliest of them, at most as many as were asked for.
    foreign : int
        Functions that were left out, in languages that the detector does not know.
    rate : float or None
        The share of clones among the pairs that the detector was tested on, if it is known.
    """

    detector: str
    threshold: float
    functions: int
    above: int
    pairs: tuple[RankedPair, ...]
    foreign: int = 0
    rate: float | None = None

    def grids(self) -> list[Grid]:
        """A line per pair, the likeliest first."""
        rows = tuple((one.score, one.first, one.second) for one in self.pairs)
        return [Grid("", (Column("score", digits=4), "first", "second"), rows)]

    def notes(self) -> list[str]:
        """What was compared."""
        of_pairs = (
            ""
            if self.rate is None
            else f" where {share_text(self.rate, 0)} of the pairs are clones"
        )
        pairs = count_text(self.functions * (self.functions - 1) // 2, "pair")
        notes = [
            f"{self.detector}: {count_text(self.functions, 'function')} and {pairs}, of which "
            f"{self.above:,} reach {self.threshold:.3f}. That threshold is for single pairs"
            f"{of_pairs}; of all pairs in a folder few are, so the order says more than the "
            "threshold."
        ]
        if len(self.pairs) < self.above:
            notes.append(
                f"{len(self.pairs):,} of {self.above:,} pairs shown; --most {self.above} shows all"
            )
        return notes

    def warnings(self) -> list[str]:
        """What was not compared."""
        if not self.foreign:
            return []
        return [
            f"{count_text(self.foreign, 'function')} left out, in languages that the detector was "
            "not trained on"
        ]


def search_clones(
    folder: str | Path | Corpus,
    model: str | Path | Detector | None = None,
    *,
    most: int = 100,
    least_lines: int = _LEAST_LINES,
    language: str | None = None,
    settings: Mapping[str, Any] | None = None,
    workers: int | None = None,
) -> CloneRanking:
    """Rank the pairs of functions in a folder that a detector takes for clones.

    Each function is encoded once, and all pairs are compared by matrix products. Those that reach
    the threshold of the detector are listed, the likeliest first.

    Parameters
    ----------
    folder : str, Path or Corpus
        Code, a folder or one file; or snippets.
    model : str, Path or Detector, optional
        A folder that a siamese detector was saved to; by default one that comes with codekin.
    most : int
        How many pairs to return at most.
    least_lines : int
        Shorter functions are left out, since they are alike by chance.
    language : str, optional
        Only compare functions in this language; also that of snippets which do not say it.
    settings : mapping, optional
        Of the detector, those that are not kept with it, such as ``{"device": "cpu"}``; see
        :func:`codekin.load_detector`.
    workers : int, optional
        Worker processes that read code.

    Raises
    ------
    CodekinError
        If there are not two functions, or if the detector cannot encode single snippets.
    """
    language = None if language is None else get_language(language).name
    corpus = folder if isinstance(folder, Corpus) else _read(Path(folder), language)
    chosen = [one for one in corpus.snippets if len(one.code.splitlines()) >= least_lines]
    found = [one for one in chosen if language is None or one.language == language]
    languages = sorted({one.language for one in found})
    if not found and model is None:
        inside = "" if language is None else f" in {get_language(language).title}"
        raise CodekinError(
            f"{corpus.name or folder}: has no function{inside} of at least "
            f"{count_text(least_lines, 'line')}, and two are the least to compare"
        )
    shipped = [one for one in languages if one in SHIPPED]
    # Of a folder with several languages, the one that a shipped detector knows is searched.
    detector = detector_for(model, shipped if model is None and shipped else languages, settings)
    before = len(found)
    if detector.languages:
        found = [one for one in found if one.language in detector.languages]
    if len(found) < 2:
        raise CodekinError(
            f"{corpus.name or folder}: has {count_text(len(found), 'function')} of at least "
            f"{least_lines} lines in a language of the detector; two are the least to compare"
        )
    if not (detector.siamese or detector.searches):
        raise CodekinError(
            f"{detector.name}: compares whole pairs, and a search needs a detector that encodes "
            "each snippet once, such as tbccd"
        )
    ready = as_trained(detector, found, workers)
    best: list[tuple[float, int, int]] = []
    above = 0
    least = max(detector.threshold - _ROUNDING, 0.0)
    for start, block in detector.compare_all(ready, workers=workers):
        # Each pair once: only columns after the row's own snippet. Unread code has no score.
        row, column = np.nonzero(
            np.arange(start, start + len(block))[:, None] < np.arange(len(ready))
        )
        scores = np.nan_to_num(block[row, column], nan=-1.0)
        above += int(np.count_nonzero(scores >= least))
        top = np.argsort(-scores, kind="stable")[:most]
        top = top[scores[top] >= least]
        places = zip((row[top] + start).tolist(), column[top].tolist(), strict=True)
        best += [(score, i, j) for score, (i, j) in zip(scores[top].tolist(), places, strict=True)]
        best = sorted(best, key=lambda one: (-one[0], one[1], one[2]))[:most]
    pairs = tuple(RankedPair(found[i].id, found[j].id, score) for score, i, j in best)
    return CloneRanking(
        *(detector.word, detector.threshold, len(found), above, pairs),
        foreign=before - len(found),
        rate=detector.card.get("test", {}).get("all", {}).get("rate"),
    )


def _read(path: Path, language: str | None) -> Corpus:
    """The functions of a folder or of one file of code, or the snippets of a corpus."""
    code = path.is_file() and language_of_file(path) is not None
    if (
        path.is_file()
        and not code
        and not any(f.recognizes(path) for f in corpus_formats().values())
    ):
        raise CodekinError(
            f"{path}: is neither code with a known suffix nor a corpus; name a folder of code"
        )
    return read_corpus(path, form="code" if code else None, language=language)
