"""BenchmarkPlan: what a grid would run, and how long that would take."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from codekin.detectors.benchmark.cell_results import CellRecord, read_records
from codekin.detectors.benchmark.cells import Cell, cell_name, record_place
from codekin.detectors.benchmark.detector_kinds import kind_of
from codekin.detectors.benchmark.grid import BenchmarkGrid, PairSizes
from codekin.detectors.detector import parse_detector
from codekin.results import Column, Grid, GridColumns, Result, count_text

__all__ = ["BenchmarkPlan", "PlannedCell", "plan_benchmark"]

_SECONDS = {
    "linear": 0.03,
    "mlp": 0.12,
    "svm": 0.03,
    "tbccd": 7.1,
    "astnn": 14.0,
    "faast": 52.0,
    "faast:network=gmn": 90.0,
}
"""Seconds per 1,000 training pairs and epoch on one processor core; svm has no epochs.

Measured by bench/detector_times.py on 1,078 functions of BigCloneBench (functionalities 6, 7, 10
and 11) at level 0, 327 nodes each on average.
"""
_MEASURE_SECONDS = {
    "exact": 0.01,
    "ed": 0.05,
    "nes": 0.05,
    "jaccard": 0.06,
    "bleu": 0.08,
    "crystalbleu": 0.10,
    "codebleu": 0.21,
    "kin": 0.25,
    "chrf": 0.35,
    "cssg": 1.6,
    "ruby": 1.7,
    "tsed": 4.2,
}
"""Seconds per 1,000 pairs that a measure scores, measured alike; measures do not train."""


@dataclass(frozen=True)
class PlannedCell:
    """A cell of a plan.

    Attributes
    ----------
    cell : Cell
    done : bool
        Whether it has a record already.
    seconds : float
        That it took, or would take by an estimate; nan where nothing is known of the detector.
    basis : str
        What the number is: ``measured``, or estimated from ``records`` or from a ``table`` of times
        on a CPU.
    """

    cell: Cell
    done: bool
    seconds: float
    basis: str


@dataclass(frozen=True)
class BenchmarkPlan(Result):
    """The cells of a grid with the time that they take; an estimate where they were not run.

    Attributes
    ----------
    pairs : PairSizes
    cells : tuple of PlannedCell
    lacking : tuple of str
        Corpora that cannot be read, with their places.
    """

    pairs: PairSizes
    cells: tuple[PlannedCell, ...]
    lacking: tuple[str, ...] = ()

    def table(self) -> Grid:
        """A line per cell."""
        rows = tuple(
            (
                *(one.cell.detector, one.cell.corpus, one.cell.view, one.cell.level),
                *(one.cell.test_corpus, one.cell.test_level, one.cell.seed),
                *("done" if one.done else "to run", one.seconds, one.basis),
            )
            for one in self.cells
        )
        columns: GridColumns = (
            *("detector", "corpus", "view", "level"),
            *(Column("tested on", "test_corpus"), Column("at level", "test_level"), "seed"),
            *("state", Column("seconds", digits=0), Column("from", "basis")),
        )
        return Grid("Plan", columns, rows, keys=8)

    def grids(self) -> list[Grid]:
        """The cells, and the time per detector."""
        rows = []
        for word in dict.fromkeys(one.cell.detector for one in self.cells):
            mine = [one for one in self.cells if one.cell.detector == word]
            left = [one.seconds for one in mine if not one.done]
            rows.append((word, len(mine), len(mine) - len(left), _minutes(left)))
        columns: GridColumns = (
            *("detector", "cells", "done"),
            Column("minutes left", "minutes", digits=1),
        )
        return [self.table(), Grid("Time left, estimated", columns, tuple(rows))]

    def notes(self) -> list[str]:
        """What the times rest on."""
        left = [one for one in self.cells if not one.done]
        minutes = _minutes([one.seconds for one in left])
        about = "unknown time" if math.isnan(minutes) else f"about {minutes:,.1f} minutes"
        sizes = ", ".join(
            f"{'all' if size is None else f'{size:,}'} {side}"
            for side, size in vars(self.pairs).items()
        )
        notes = [
            f"{count_text(len(self.cells), 'cell')}, {len(left):,} to run: {about} by an estimate, "
            f"without staging. Pairs at most: {sizes}."
        ]
        if any(one.basis == "table" for one in left):
            notes.append(
                "Estimates from the table are of training alone, or for a measure of scoring, on "
                "one processor core and with snippets as in BigCloneBench; a GPU takes a small "
                "part of that. Records replace them as cells are run."
            )
        return notes

    def warnings(self) -> list[str]:
        """Corpora that are not there."""
        return [f"{one}, and it is needed to stage the benchmark" for one in self.lacking]


def _minutes(seconds: Sequence[float]) -> float:
    return sum(seconds) / 60


def plan_benchmark(grid: BenchmarkGrid, folder: str | Path | None = None) -> BenchmarkPlan:
    """What a grid would run, with an estimated time per cell; nothing is written.

    Parameters
    ----------
    grid : BenchmarkGrid
    folder : str or Path, optional
        Of the benchmark; cells that have a record there are done, and their times are what those
        of other cells are estimated from.
    """
    there = folder is not None and Path(folder, "cells").is_dir()
    records = read_records(folder) if there and folder is not None else []
    known = {cell_name(one.cell): one for one in records}
    cells = []
    for cell in grid.cells:
        found = known.get(cell_name(cell))
        if found is not None and folder is not None and record_place(folder, cell).exists():
            cells.append(PlannedCell(cell, True, found.seconds, "measured"))
        else:
            cells.append(PlannedCell(cell, False, *_estimate(cell, grid.pairs, records)))
    lacking = tuple(
        f"{name}: there is no {one.path}"
        for name, one in grid.corpora.items()
        if not one.path.exists()
    )
    return BenchmarkPlan(grid.pairs, tuple(cells), lacking)


def _estimate(cell: Cell, sizes: PairSizes, records: Sequence[CellRecord]) -> tuple[float, str]:
    """Seconds, and what they come from."""
    wanted = (sizes.train, sizes.test)
    for alike in (
        lambda one: (one.detector, one.corpus) == (cell.detector, cell.corpus),
        lambda one: one.detector == cell.detector,
    ):
        paces = [
            one.seconds / (one.fitted["pairs"] + one.scores["pairs"])
            for one in records
            if alike(one.cell) and one.fitted["pairs"] + one.scores["pairs"]
        ]
        if paces:
            mine = [one for one in records if alike(one.cell)]
            # As many pairs as the other cells had, where all pairs are asked for.
            train = wanted[0] or round(median(one.fitted["pairs"] for one in mine))
            test = wanted[1] or round(median(one.scores["pairs"] for one in mine))
            return median(paces) * (train + test), "records"
    if kind_of(cell.detector) == "measure":
        return _measure_estimate(cell, sizes)
    pace = _SECONDS.get(f"{kind_of(cell.detector)}:network=gmn" if "gmn" in cell.detector else "")
    pace = pace or _SECONDS.get(kind_of(cell.detector))
    if pace is None or wanted[0] is None:
        return math.nan, "unknown"
    epochs = parse_detector(cell.detector).settings().get("epochs", 1)
    return pace * epochs * wanted[0] / 1000, "table"


def _measure_estimate(cell: Cell, sizes: PairSizes) -> tuple[float, str]:
    """The time to score test pairs and a sample of validation pairs."""
    settings = parse_detector(cell.detector).settings()
    pace = _MEASURE_SECONDS.get(kind_of(settings["measure"]))
    if pace is None or sizes.test is None:
        return math.nan, "unknown"
    validation = min(settings["sample"], sizes.validation or settings["sample"])
    return pace * (sizes.test + validation) / 1000, "table"
