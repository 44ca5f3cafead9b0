"""The scores of a run as arrays, read in one pass over its shards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from codekin.measures import CorpusMeasure
from codekin.runs.run import Run, RunMeasure
from codekin.statistics.resampling import Floats

__all__ = ["MeasureScores", "read_scores"]


@dataclass(frozen=True, eq=False)
class MeasureScores:
    """What a run holds of a measure.

    Attributes
    ----------
    measure : RunMeasure
    values : array of shape (rows,)
        nan where there is no score.
    statistics : array of shape (rows, 1 + k) or None
        1 and the sufficient statistics of each row, all 0 where there is no score. None where the
        measure has no corpus value, or no row a score. Counts are kept in half the space, as long
        as that is exact.
    value_of : callable or None
        From k sums of statistics to the value of a corpus.
    """

    measure: RunMeasure
    values: Floats
    statistics: NDArray[np.floating] | None
    value_of: Callable[[Sequence[float]], float] | None


def read_scores(run: Run, measures: Sequence[RunMeasure] | None = None) -> list[MeasureScores]:
    """The scores by some of the measures of a run, or by all.

    A file has a thousand rows and a run may have thousands of files, so that opening each of them
    once a measure would take longer than the statistics.
    """
    asked = run.measures if measures is None else measures
    judges = [_value_of(one) for one in asked]
    values = [np.full(run.rows, np.nan) for _ in asked]
    statistics: list[NDArray[np.floating] | None] = [None] * len(asked)
    columns = [one.label for one in asked]
    columns += [
        f"{one.label}.statistics" for one, judge in zip(asked, judges, strict=True) if judge
    ]
    start = 0
    for shard in run.shards(columns):
        rows = slice(start, start + len(shard))
        for i, one in enumerate(asked):
            values[i][rows] = shard.column(one.label).to_numpy()
            if judges[i] is not None:
                column = shard.column(f"{one.label}.statistics").combine_chunks()
                statistics[i] = _filled(statistics[i], rows, column, run.rows)
        start += len(shard)
    return [MeasureScores(one, values[i], statistics[i], judges[i]) for i, one in enumerate(asked)]


def _value_of(one: RunMeasure) -> Callable[[Sequence[float]], float] | None:
    measure = one.measure
    if not one.corpus or not isinstance(measure, CorpusMeasure):
        return None
    return lambda sums: measure.from_statistics(sums)[0]


def _filled(
    whole: NDArray[np.floating] | None, rows: slice, column: pa.ListArray, number: int
) -> NDArray[np.floating] | None:
    """The statistics with those of a shard put in; they are made at the first that has any."""
    here = column.is_valid().to_numpy(zero_copy_only=False)
    scored = int(here.sum())
    if not scored:
        return whole
    given = column.flatten().to_numpy().reshape(scored, -1)
    if whole is None:
        whole = np.zeros((number, 1 + given.shape[1]), dtype=np.float32)
    if whole.dtype == np.float32 and (given.astype(np.float32) != given).any():
        whole = whole.astype(np.float64)
    part = whole[rows]
    part[here, 0] = 1.0
    part[here, 1:] = given
    return whole
