"""The cost of a pair by each measure of a run, timed on pairs of the run."""

from __future__ import annotations

import gc
import math
import statistics
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from codekin.evaluation.judgement import effect
from codekin.measures import Measure
from codekin.results import (
    NOTHING,
    Estimate,
    Grid,
    Point,
    Scatter,
    Section,
    ShownAs,
    effect_text,
)
from codekin.runs.columns import from_numpy, to_numpy
from codekin.runs.run import Run, RunMeasure
from codekin.source import Source

__all__ = ["Costs", "PairCost", "cost_section", "cost_text", "pair_costs", "typical_cost"]

_COLUMNS = ("candidate", "references", "language", "reference_language", "origin", "problem")
_SIZES = 4
_REPEATS = 3


@dataclass(frozen=True)
class PairCost:
    """The cost of a pair of texts of about one size.

    Attributes
    ----------
    tokens : int
        The median size of a text.
    pairs : int
    microseconds : float
        The median time from two texts to their score.
    """

    tokens: int
    pairs: int
    microseconds: float


Costs = Mapping[str, Sequence[PairCost]]
"""What pairs cost, by the label of a measure."""


@dataclass(frozen=True)
class _Pair:
    """The texts of a row, as they were given to the measures."""

    candidate: str
    references: tuple[str, ...]
    origin: str | None
    language: str | None
    reference_language: str | None

    def score(self, measure: Measure) -> None:
        """Score from the texts alone; nothing is parsed beforehand."""
        candidate = Source(self.candidate, self.language)
        references = [Source(text, self.reference_language) for text in self.references]
        origin = None if self.origin is None else Source(self.origin, self.language)
        if len(references) == 1:
            measure.score(candidate, references[0], origin)
        else:
            measure.score(candidate, origin=origin, references=references)

    def tokens(self) -> float:
        """The mean size of the texts."""
        sizes = [len(Source(self.candidate, self.language).tokens.texts)]
        sizes += [
            len(Source(text, self.reference_language).tokens.texts) for text in self.references
        ]
        return statistics.mean(sizes)


def pair_costs(
    run: Run,
    measures: Sequence[RunMeasure] | None = None,
    *,
    pairs: int = 60,
    seconds: float = 30.0,
) -> dict[str, tuple[PairCost, ...]]:
    """Time each measure of a run from two texts to their score, on pairs of every size.

    The pairs are always the same: spread evenly over all sizes, in four classes. A time is the
    median of three, each including parsing, with garbage collection off.

    Parameters
    ----------
    run : Run
        It must have kept its texts, or nothing can be timed.
    measures : sequence of RunMeasure, optional
        Those of the run by default. One that cannot be made from its label is left out.
    pairs : int
        The most pairs to time.
    seconds : float
        The time after which no further pair is started; sizes take turns, so that each has some.

    Returns
    -------
    dict of str to tuple of PairCost
        By label, the smallest size first; measures that scored no pair are left out.

    Examples
    --------
    >>> from codekin import score
    >>> rows = [{"language": "python", "candidate": "x = 1", "reference": "x = 2"}] * 8
    >>> costs = pair_costs(score(rows, ["nes"], workers=0))
    >>> [(cost.tokens, cost.pairs, cost.microseconds > 0) for cost in costs["nes"]]
    [(4, 2, True), (4, 2, True), (4, 2, True), (4, 2, True)]
    """
    chosen = run.measures if measures is None else measures
    timed = {one.label: one.measure for one in chosen if one.measure is not None}
    sample = _sample(run, pairs) if timed else []
    classes = [part.tolist() for part in np.array_split(np.arange(len(sample)), _SIZES)]
    times: dict[str, dict[int, float]] = {label: {} for label in timed}
    end = time.monotonic() + seconds
    with _no_collection():
        for i in _in_turn(classes):
            for label, measure in timed.items():
                took = _microseconds(measure, sample[i], first=not times[label])
                if took is not None:
                    times[label][i] = took
            if time.monotonic() > end:
                break
    sizes = {i: sample[i].tokens() for label in timed for i in times[label]}
    return {
        label: tuple(
            PairCost(
                round(statistics.median(sizes[i] for i in done)),
                len(done),
                statistics.median(own[i] for i in done),
            )
            for part in classes
            if (done := [i for i in part if i in own])
        )
        for label, own in times.items()
        if own
    }


def typical_cost(costs: Sequence[PairCost]) -> float:
    """One number for all sizes: their mean, weighted by the number of pairs.

    Examples
    --------
    >>> typical_cost([PairCost(10, 3, 20.0), PairCost(100, 1, 60.0)])
    30.0
    """
    return sum(one.microseconds * one.pairs for one in costs) / sum(one.pairs for one in costs)


def cost_text(microseconds: float) -> str:
    """A time for people, in three digits.

    Examples
    --------
    >>> cost_text(4.25), cost_text(12345.0), cost_text(2_500_000.0), cost_text(math.nan)
    ('4.25 µs', '12.3 ms', '2.50 s', '–')
    """
    if not math.isfinite(microseconds):
        return NOTHING
    for unit, size in (("µs", 1.0), ("ms", 1e3), ("s", 1e6)):
        if microseconds < 999.5 * size:
            return f"{microseconds / size:#.3g}".rstrip(".") + f" {unit}"
    return f"{microseconds / 1e6:,.0f} s"


def cost_section(
    quality: Iterable[tuple[str, Estimate]], costs: Costs, what: str, around: float = 0.0
) -> Section:
    """The cost of a pair by each measure, against the quality of the measure.

    Parameters
    ----------
    quality : iterable of (str, Estimate)
        Labels of measures, with what counts as quality.
    costs : mapping of str to sequence of PairCost
    what : str
        What the quality is.
    around : float
        The quality of a measure that is worth nothing.
    """
    title = "Cost against quality"
    timed = {label: typical_cost(own) for label, own in costs.items() if own}
    given = [one for one in quality if math.isfinite(one[1].value) and one[0] in timed]
    if not given:
        return Section(title, "No measure has both a time and a value.")
    given.sort(key=lambda one: -one[1].value)  # where labels are many, the best have theirs
    points = tuple(
        Point(
            timed[label],
            one.value,
            f"{label}: {what} {effect_text(one.value)}, {cost_text(timed[label])} per pair",
            label,
            one.known,
        )
        for label, one in given
    )
    cells = tuple(
        (label, ShownAs(timed[label], cost_text(timed[label])), one)
        for label, one in sorted(given, key=lambda one: timed[one[0]])
    )
    return Section(
        title,
        "Up is better, left is cheaper: the time from two texts to their score, with all parsing, "
        "on the machine that wrote this page. Times vary, and so does this file.",
        content=(
            Scatter(
                title="", points=points, axes=("time per pair", what), around=around, times=True
            ),
            Grid("", ("measure", "per pair", effect(what)), cells),
        ),
    )


def _sample(run: Run, most: int) -> list[_Pair]:
    """Pairs of every size, the smallest first; the same ones each time."""
    sizes = np.concatenate([np.zeros(0), *map(_characters, run.shards((*_COLUMNS[:2], "problem")))])
    known = np.flatnonzero(~np.isnan(sizes))
    ordered = known[np.argsort(sizes[known], kind="stable")]
    count = min(most, len(ordered))
    if not count:
        return []
    # The middle of each of `count` equal parts.
    chosen = ordered[((np.arange(count) + 0.5) * len(ordered) / count).astype(np.intp)]
    found: dict[int, _Pair] = {}
    first = 0
    for shard in run.shards(_COLUMNS):
        here = chosen[(chosen >= first) & (chosen < first + len(shard))]
        rows = shard.take(from_numpy(here - first, pa.int64())).to_pylist()
        found |= dict(zip(here.tolist(), map(_pair, rows), strict=True))
        first += len(shard)
    return [found[i] for i in chosen.tolist()]


def _characters(shard: pa.Table) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The total length of the texts of each row; nan if it has none."""
    candidate = pc.utf8_length(shard.column("candidate").cast(pa.string()))
    references = [
        sum(map(len, texts)) if texts else math.nan
        for texts in shard.column("references").to_pylist()
    ]
    together = to_numpy(candidate) + np.array(references, np.float64)
    return np.where(to_numpy(shard.column("problem").is_null()), together, np.nan)


def _pair(row: dict[str, Any]) -> _Pair:
    return _Pair(
        row["candidate"],
        tuple(row["references"]),
        row["origin"],
        row["language"],
        row["reference_language"],
    )


def _in_turn(classes: Sequence[Sequence[int]]) -> Iterator[int]:
    """One of each class, then another of each, so that an early end leaves no class empty."""
    for place in range(max(map(len, classes), default=0)):
        yield from (one[place] for one in classes if place < len(one))


def _microseconds(measure: Measure, pair: _Pair, *, first: bool) -> float | None:
    """The median time of a pair; None if the measure cannot score it."""
    took = []
    try:
        if first:  # what a measure reads or builds once is not part of the cost
            pair.score(measure)
        for _ in range(_REPEATS):
            start = time.perf_counter_ns()
            pair.score(measure)
            took.append(time.perf_counter_ns() - start)
    except Exception:  # any measure may fail on any pair, as the run already records
        return None
    return statistics.median(took) / 1000


@contextmanager
def _no_collection() -> Iterator[None]:
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
