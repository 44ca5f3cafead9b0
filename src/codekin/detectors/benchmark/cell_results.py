"""What the cells of a benchmark came to: their records, gathered over seeds and rotations."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from codekin.detectors.benchmark.cells import FORMAT, Cell
from codekin.detectors.benchmark.grid import split_view
from codekin.errors import CodekinError
from codekin.opening import read_json
from codekin.results import LEFT_OUT, UNKNOWN, Interval
from codekin.rewrite.abstraction import LEVELS

__all__ = [
    "BREAKDOWNS",
    "CellNumbers",
    "CellRecord",
    "CellResult",
    "PartNumbers",
    "cell_results",
    "read_records",
]

ROTATED = " rotated"
"""What follows the name of a view whose rotations were all run."""
BREAKDOWNS = {
    "by_type": "clone type",
    "by_functionality": "functionality",
    "by_size": "size of the smaller snippet",
    "by_project": "project",
}


@dataclass(frozen=True)
class CellRecord:
    """The record of one cell.

    Attributes
    ----------
    cell : Cell
    scores : mapping
        As :func:`~codekin.detectors.benchmark.cell_scores.cell_scores` made them.
    fitted : mapping
        How the detector was fitted.
    seconds : float
    pairs : str
        Which pairs were used, in words.
    """

    cell: Cell
    scores: Mapping[str, Any]
    fitted: Mapping[str, Any]
    seconds: float
    pairs: str = ""


@dataclass(frozen=True)
class CellNumbers:
    """Numbers of a detector on test pairs: means over the seeds.

    Attributes
    ----------
    pairs, clones : int
        Of the first seed.
    rate : float
        The share of clones.
    all_positive_f1 : float
        The F1 of calling every pair a clone.
    precision, recall, f1, mcc, ap, auc : float
        nan where they are not defined.
    f1_interval : Interval
        Covers the bootstrap over snippets and the interval over seeds.
    f1_over_snippets : Interval
        The mean over seeds of the bootstrap intervals over snippets.
    f1_over_seeds : Interval
        A t interval of the mean from three seeds on, the two values of two; otherwise unknown.
    f1_spread : float
        The standard deviation of F1 over seeds; nan with one.
    ap_interval, auc_interval : Interval
        The mean over seeds of the bootstrap intervals over snippets.
    """

    pairs: int
    clones: int
    rate: float
    all_positive_f1: float
    precision: float
    recall: float
    f1: float
    f1_interval: Interval
    f1_over_snippets: Interval
    f1_over_seeds: Interval
    f1_spread: float
    mcc: float
    ap: float
    ap_interval: Interval
    auc: float
    auc_interval: Interval = UNKNOWN

    @property
    def gain(self) -> float:
        """F1 less that of calling every pair a clone."""
        return self.f1 - self.all_positive_f1


@dataclass(frozen=True)
class PartNumbers:
    """A part of the test pairs; `pairs` and `clones` are of the first seed, the rest are means."""

    pairs: int
    clones: int
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True)
class CellResult:
    """A detector, trained and tested in one way, over all seeds.

    Attributes
    ----------
    detector : str
        Its word, such as ``tbccd:epochs=4``.
    corpus, view, level : str
        Of training. A view all of whose rotations were run ends in ``rotated``.
    test_corpus, test_level : str
    seeds : tuple of int
    runs : int
        Seeds, times rotations.
    all : CellNumbers
    without_copies : CellNumbers
        Without pairs that have a copy of a training snippet.
    copied : float
        The share of pairs with such a copy.
    unscored : int
        Test pairs that could not be scored, over all runs.
    by_type, by_functionality, by_size, by_project : mapping of str to PartNumbers
    seconds : float
        Of all runs.
    notes : tuple of str
        Of fitting.
    pairs_used : str
        Which pairs were used, in words, of the first run.
    curve : tuple of (float, float)
        Recall and precision, of the first run.
    """

    detector: str
    corpus: str
    view: str
    level: str
    test_corpus: str
    test_level: str
    seeds: tuple[int, ...]
    runs: int
    all: CellNumbers
    without_copies: CellNumbers
    copied: float
    unscored: int
    by_type: Mapping[str, PartNumbers]
    by_functionality: Mapping[str, PartNumbers]
    by_size: Mapping[str, PartNumbers]
    by_project: Mapping[str, PartNumbers]
    seconds: float
    notes: tuple[str, ...] = ()
    pairs_used: str = ""
    curve: tuple[tuple[float, float], ...] = field(default=(), repr=False, metadata=LEFT_OUT)

    @property
    def plain(self) -> bool:
        """Whether it was tested on the corpus and the level that it was trained on."""
        return self.corpus == self.test_corpus and self.level == self.test_level


def read_records(folder: str | Path) -> list[CellRecord]:
    """The records in the folder of a benchmark, in the order of their names.

    Raises
    ------
    CodekinError
        If there is no such folder, or a record is damaged.
    """
    place = Path(folder, "cells")
    if not place.is_dir():
        raise CodekinError(
            f"{folder}: is not the folder of a benchmark, since it has no cells; codekin detect "
            "benchmark writes one"
        )
    return [_record(record, Path(folder)) for record in sorted(place.glob("*.json"))]


def _record(place: Path, folder: Path) -> CellRecord:
    given = read_json(place, within=folder)
    try:
        if given["kind"] != "codekin-benchmark-cell" or given["format"] != FORMAT:
            raise ValueError("another format")
        cell = Cell(**given["cell"])
        if cell.level not in LEVELS or cell.test_level not in LEVELS:
            raise ValueError(f"unknown level {cell.level!r} or {cell.test_level!r}")
        pairs = str(given.get("pairs", ""))
        found = CellRecord(cell, given["scores"], given["fitted"], float(given["seconds"]), pairs)
        cell_results([found])  # which needs all of its numbers
        return found
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
        raise CodekinError(
            f"{place}: is not the record of a cell ({type(error).__name__}: {error}); delete it, "
            "and run the benchmark again"
        ) from None


def cell_results(records: Iterable[CellRecord]) -> tuple[CellResult, ...]:
    """The results of all records; those that differ in seed or rotation alone make one."""
    groups: dict[tuple[str, ...], list[CellRecord]] = {}
    for one in records:
        cell = one.cell
        view, rotation = split_view(cell.view)
        shown = view if rotation is None else view + ROTATED
        key = (cell.detector, cell.corpus, shown, cell.level, cell.test_corpus, cell.test_level)
        groups.setdefault(key, []).append(one)
    return tuple(
        _result(key, sorted(some, key=lambda one: (one.cell.seed, split_view(one.cell.view))))
        for key, some in groups.items()
    )


def _result(key: tuple[str, ...], records: Sequence[CellRecord]) -> CellResult:
    detector, corpus, view, level, test_corpus, test_level = key
    first = records[0].scores
    copied = fmean(one.scores["copied_pairs"] / max(1, one.scores["pairs"]) for one in records)
    parts: dict[str, Any] = {name: _parts(records, name) for name in BREAKDOWNS}
    return CellResult(
        *(detector, corpus, view, level, test_corpus, test_level),
        seeds=tuple(dict.fromkeys(one.cell.seed for one in records)),
        runs=len(records),
        all=_numbers(records, "all"),
        without_copies=_numbers(records, "without_copies"),
        copied=copied,
        unscored=sum(one.scores["unscored"] for one in records),
        **parts,
        seconds=sum(one.seconds for one in records),
        notes=tuple(dict.fromkeys(n for one in records for n in one.fitted.get("notes", ()))),
        pairs_used=records[0].pairs,
        curve=tuple((float(x), float(y)) for x, y in first["curve"]),
    )


def _numbers(records: Sequence[CellRecord], part: str) -> CellNumbers:
    given = [one.scores[part] for one in records]
    names = ("rate", "all_positive_f1", "precision", "recall", "f1", "mcc", "ap", "auc")
    means = {name: _mean(one[name] for one in given) for name in names}
    f1 = [float(one["f1"]) for one in given if one["f1"] is not None]
    over_snippets = _mean_interval(one.get("f1_interval") for one in given)
    over_seeds = _seed_interval(f1)
    return CellNumbers(
        pairs=int(given[0]["pairs"]),
        clones=int(given[0]["clones"]),
        f1_interval=_cover(over_snippets, over_seeds),
        f1_over_snippets=over_snippets,
        f1_over_seeds=over_seeds,
        f1_spread=stdev(f1) if len(f1) > 1 else math.nan,
        ap_interval=_mean_interval(one.get("ap_interval") for one in given),
        auc_interval=_mean_interval(one.get("auc_interval") for one in given),
        **means,
    )


def _mean(values: Iterable[float | None]) -> float:
    known = [float(value) for value in values if value is not None]
    return fmean(known) if known else math.nan


def _mean_interval(given: Iterable[Sequence[float] | None]) -> Interval:
    known = [one for one in given if one is not None]
    if not known:
        return UNKNOWN
    return Interval(fmean(low for low, _ in known), fmean(high for _, high in known))


def _seed_interval(values: Sequence[float]) -> Interval:
    """A 95 % interval of the mean over seeds."""
    if len(values) < 2:
        return UNKNOWN
    if len(values) == 2:  # of two, a t interval says nothing
        return Interval(min(values), max(values))
    from scipy.special import stdtrit

    half = float(stdtrit(len(values) - 1, 0.975)) * stdev(values) / math.sqrt(len(values))
    middle = fmean(values)
    return Interval(max(0.0, middle - half), min(1.0, middle + half))


def _cover(first: Interval, second: Interval) -> Interval:
    known = [one for one in (first, second) if not math.isnan(one.low)]
    if not known:
        return UNKNOWN
    return Interval(min(one.low for one in known), max(one.high for one in known))


def _parts(records: Sequence[CellRecord], name: str) -> dict[str, PartNumbers]:
    found: dict[str, list[Mapping[str, Any]]] = {}
    for one in records:
        for part, numbers in one.scores[name].items():
            found.setdefault(part, []).append(numbers)
    return {part: _part(some) for part, some in found.items()}


def _part(given: Sequence[Mapping[str, Any]]) -> PartNumbers:
    means = [_mean(one[key] for one in given) for key in ("precision", "recall", "f1")]
    return PartNumbers(int(given[0]["pairs"]), int(given[0]["clones"]), *means)
