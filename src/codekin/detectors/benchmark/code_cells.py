"""Cells of detectors that read code: fitted and scored on the staged code of a corpus."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from codekin.corpora.corpus import Corpus, load_corpus
from codekin.corpora.labelled_pairs import Pairs
from codekin.corpora.views import SIDES
from codekin.detectors.benchmark.cell_scores import HeldOutPairs
from codekin.detectors.detector import Detector, Fitted, Progress, Scores
from codekin.errors import CodekinError

__all__ = ["fit_on_code", "score_on_code"]


def fit_on_code(
    model: Detector, folder: Path, view: dict[str, Any], progress: Progress | None
) -> Fitted:
    """Fit a detector on the code of a corpus.

    Parameters
    ----------
    model : Detector
    folder : Path
        The staged code.
    view : dict
        The pairs, by places in the corpus.
    progress : callable, optional
    """
    pairs = Pairs(
        view["first"], view["second"], view["label"].astype(np.int8), side=(view["side"], SIDES)
    )
    return model.fit(replace(_code(folder), pairs=pairs), progress=progress)


def score_on_code(model: Detector, folder: Path, side: HeldOutPairs) -> Scores:
    """The scores of test pairs, by a detector that reads the staged code of a corpus."""
    return model.score_pairs(_code(folder).snippets, side.first, side.second)


@lru_cache(2)
def _code(folder: Path) -> Corpus:
    if not folder.exists():
        raise CodekinError(
            f"{folder}: is missing, and detectors that read code need it; stage the benchmark "
            "again, with codekin detect benchmark"
        )
    return load_corpus(folder)
