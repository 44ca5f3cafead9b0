"""Cells of a benchmark: one detector trained on one side of a view, and tested on another.

Everything here needs numpy and torch alone, so that a machine with a GPU and nothing else can run
cells on arrays that were prepared elsewhere; see ``results/gpu_detectors.py``.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from codekin.detectors.benchmark.cell_scores import HeldOutPairs, cell_scores
from codekin.detectors.detector import (
    ArrayDetector,
    Detector,
    LabelledPlaces,
    Progress,
    check_labels,
    detector_in_file,
)
from codekin.detectors.prepared import Prepared
from codekin.errors import CodekinError
from codekin.opening import read_json

if TYPE_CHECKING:
    from codekin.corpora.corpus import Corpus

__all__ = [
    "Cell",
    "CellData",
    "cell_line",
    "cell_name",
    "held_out_pairs",
    "read_plan",
    "record_place",
    "run_cells",
    "side_of",
]

PLAN = "plan.json"
FORMAT = 1
_MODELS = 16
"""Trained detectors that are kept, for cells that test them on something else."""


@dataclass(frozen=True)
class Cell:
    """One training and one test.

    Attributes
    ----------
    detector : str
        A word such as ``tbccd:epochs=4``.
    corpus, view, level : str
        Of training and validation.
    test_corpus, test_level : str
        Of testing; mostly those of training.
    seed : int
        Of the view, of the pairs and of the detector.
    """

    detector: str
    corpus: str
    view: str
    level: str
    test_corpus: str
    test_level: str
    seed: int


class CellData(Protocol):
    """What cells read: prepared snippets, and pairs."""

    def prepared(self, corpus: str, level: str) -> Prepared:
        """The prepared snippets of a corpus at a level."""

    def view(self, corpus: str, view: str, seed: int) -> Mapping[str, Any]:
        """The pairs of a view, by places in the corpus, and what they are broken down by."""

    def copied(self, cell: Cell) -> npt.NDArray[np.bool_]:
        """Which snippets of the tested corpus have a copy in the training side of the cell."""

    def code(self, corpus: str, level: str, view: str, seed: int) -> Corpus:
        """The code of a corpus at a level with the pairs of a view, for what reads no arrays."""


def cell_name(cell: Cell) -> str:
    """The name of a cell's record, which no other cell has."""
    word = cell.detector.replace(":", "-").replace("=", "").replace(",", "-")
    word = "".join(c if c.isalnum() or c in "-." else "_" for c in word)
    names = [word, cell.corpus, cell.view, f"level-{cell.level}"]
    if cell.test_corpus != cell.corpus:
        names.append(f"on-{cell.test_corpus}")
    if cell.test_level != cell.level:
        names.append(f"on-level-{cell.test_level}")
    return ".".join([*names, str(cell.seed)])


class Plan(NamedTuple):
    """What is in the folder of a benchmark.

    Attributes
    ----------
    cells : tuple of Cell
        In the order in which they run.
    corpora : mapping of str to mapping
        How each corpus is built, its fingerprint, and what it is compared with.
    pairs : mapping of str to int
        How many pairs are drawn from each side.
    """

    cells: tuple[Cell, ...] = ()
    corpora: Mapping[str, Mapping[str, Any]] = {}
    pairs: Mapping[str, Any] = {}


def read_plan(folder: str | Path) -> Plan:
    """The plan of a benchmark; an empty one where there is none yet."""
    place = Path(folder, PLAN)
    if not place.exists():
        return Plan()
    plan = read_json(place, within=folder)
    try:
        if plan["kind"] != "codekin-benchmark" or plan["format"] != FORMAT:
            raise ValueError("another format")
        cells = tuple(Cell(**cell) for cell in plan["cells"])
        corpora = {name: {"compared_with": "", **about} for name, about in plan["corpora"].items()}
        return Plan(cells, corpora, dict(plan["pairs"]))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise CodekinError(f"{place}: is not the plan of a benchmark ({error!r})") from None


def record_place(folder: str | Path, cell: Cell) -> Path:
    """Where the record of a cell is."""
    return Path(folder, "cells", f"{cell_name(cell)}.json")


def run_cells(
    cells: Sequence[Cell],
    data: CellData,
    *,
    device: str = "auto",
    progress: Progress | None = None,
) -> Iterator[tuple[Cell, dict[str, Any]]]:
    """Train and test, cell by cell.

    Parameters
    ----------
    cells : sequence of Cell
    data : CellData
    device : str
        As in :class:`~codekin.detectors.neural.NeuralDetector`.
    progress : callable, optional
        Called while a detector trains.

    Yields
    ------
    (Cell, dict)
        Each cell with its record.
    """
    models: dict[Cell, Detector] = {}
    for cell in cells:
        try:
            record = _run_cell(cell, data, device, progress, models)
        except CodekinError as error:
            raise CodekinError(f"cell {cell_name(cell)}: {error}") from None
        yield cell, record


def cell_line(cell: Cell, record: Mapping[str, Any]) -> str:
    """A cell and what it reached, in one line."""
    numbers = record["scores"]["all"]
    f1, ap = ("–" if numbers[name] is None else f"{numbers[name]:.3f}" for name in ("f1", "ap"))
    return f"{cell_name(cell)}: F1 {f1}, AP {ap}, {record['seconds']:.1f} s"


def _run_cell(
    cell: Cell,
    data: CellData,
    device: str,
    progress: Progress | None,
    models: dict[Cell, Detector],
) -> dict[str, Any]:
    """The record of a cell.

    `models` has the detectors of other cells, and gets that of this one: a cell that differs from
    another only in what it tests needs no training of its own.
    """
    begun = time.perf_counter()
    training = replace(cell, test_corpus=cell.corpus, test_level=cell.level)
    model = models.get(training)
    if model is None:
        model = _trained(cell, data, device, progress)
        models[training] = model
        if len(models) > _MODELS:
            del models[next(iter(models))]
    trained = time.perf_counter()
    view = data.view(cell.test_corpus, cell.view, cell.seed)
    pairs = held_out_pairs(view)
    if cell.test_corpus != cell.corpus:
        pairs = replace(pairs, copied=data.copied(cell))
    prepared = data.prepared(cell.test_corpus, cell.test_level)
    if isinstance(model, ArrayDetector):
        scores = model.score_prepared(prepared, pairs.first, pairs.second)
    else:
        code = data.code(cell.test_corpus, cell.test_level, cell.view, cell.seed)
        scores = model.score_pairs(code.snippets, pairs.first, pairs.second)
    assert model.fitted is not None
    scored = time.perf_counter()
    sizes = np.diff(prepared.nodes)
    return {
        "kind": "codekin-benchmark-cell",
        "format": FORMAT,
        "cell": asdict(cell),
        "fitted": asdict(model.fitted),
        "pairs": str(view.get("pairs", "")),
        "scores": cell_scores(pairs, scores, model.threshold, sizes, seed=cell.seed),
        "scoring_seconds": round(scored - trained, 3),
        "seconds": round(time.perf_counter() - begun, 3),
    }


def _trained(cell: Cell, data: CellData, device: str, progress: Progress | None) -> Detector:
    """The detector of a cell, trained on the sides train and validation of its view."""
    model = detector_in_file(cell.detector)
    for setting, value in (("seed", cell.seed), ("device", device)):
        if setting in model.settings():
            setattr(model, setting, value)
    if isinstance(model, ArrayDetector):
        view = data.view(cell.corpus, cell.view, cell.seed)
        train, validation = (
            check_labels(side_of(view, side), f"{cell.corpus}, {cell.view}", name)
            for side, name in enumerate(("train", "validation"))
        )
        prepared = data.prepared(cell.corpus, cell.level)
        model.fit_prepared(prepared, train, validation, test=side_of(view, 2), progress=progress)
    else:
        model.fit(data.code(cell.corpus, cell.level, cell.view, cell.seed), progress=progress)
    return model


def side_of(view: Mapping[str, Any], number: int) -> LabelledPlaces:
    """The pairs of a side of a view: 0 for training, 1 for validation, 2 for testing."""
    chosen = view["side"] == number
    return LabelledPlaces(view["first"][chosen], view["second"][chosen], view["label"][chosen] == 1)


def held_out_pairs(view: Mapping[str, Any]) -> HeldOutPairs:
    """The test pairs of a view."""
    chosen = view["side"] == 2
    return HeldOutPairs(
        first=view["first"][chosen],
        second=view["second"][chosen],
        label=view["label"][chosen] == 1,
        copied=view["copied"],
        functionality=view["functionality"],
        functionalities=tuple(view["functionalities"].tolist()),
        project=view["project"],
        type=view["type"][chosen],
        types=tuple(view["types"].tolist()),
    )
