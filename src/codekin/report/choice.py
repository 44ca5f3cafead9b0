"""Which rows of a large report are explained: those that a reader is likeliest to open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from codekin.report.run_scores import Scores, has_texts
from codekin.runs.columns import to_numpy

__all__ = ["affordable", "choose_rows", "likeness", "most_disputed"]

Rows = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_SEED = 0

MOST_EXPLAINED = 2000
_STEPS = 4_000_000
"""What explanations may cost, in characters times measures; a second explains about 500,000."""
_SHORTEST = 300
"""Characters of a row that cost as much as none at all."""


def likeness(scores: Scores, label: str) -> Floats:
    """The scores of a measure from 0 to 1, where 1 is alike, for a distance as well."""
    values = scores.values[label]
    if not scores.distances[label]:
        return values
    return 1 - values / (scores.high(label) or 1.0)


def affordable(scores: Scores) -> int:
    """How many rows a report explains by default: as many as a budget of steps allows.

    An explanation costs about as much as scoring the row by all measures again. The budget is in
    characters times measures, so that the same scores always give the same number.
    """
    rows = characters = 0
    for run in scores.runs:
        if has_texts(run):
            for shard in run.shards(["candidate", "references", "origin"]):
                rows += len(shard)
                characters += sum(map(_characters, shard.columns))
    per_row = max(_SHORTEST, characters / max(1, rows)) * max(1, len(scores.labels))
    return int(min(MOST_EXPLAINED, _STEPS // per_row))


def _characters(column: pa.ChunkedArray) -> int:
    """The characters of a column of texts, or of lists of texts."""
    if pa.types.is_null(column.type):
        return 0
    flat = pc.list_flatten(column) if pa.types.is_list(column.type) else column
    return int(np.nansum(to_numpy(pc.utf8_length(flat)).astype(np.float64)))


def choose_rows(scores: Scores, most: int, also: Iterable[str] = ()) -> Rows:
    """The rows to explain, in order; the same for the same scores.

    All of them where there are no more than `most`. Of more: half are the extremes of each
    measure, the rows on which two measures disagree most, and rows that failed under a measure,
    in turn; the other half are drawn at random, with a fixed seed.

    Parameters
    ----------
    scores : Scores
    most : int
        How many.
    also : iterable of str
        Ids of rows that are explained besides.
    """
    wanted = set(also)
    named = [i for i, one in enumerate(scores.ids.to_pylist()) if one in wanted] if wanted else []
    if len(scores) <= most:
        return np.arange(len(scores))
    chosen = dict.fromkeys(named)
    most += len(chosen)
    order = _in_turn(_queues(scores, most))
    for row in order:
        if len(chosen) >= len(named) + (most - len(named)) // 2:
            break
        chosen[row] = None
    for row in np.random.default_rng(_SEED).permutation(len(scores)).tolist():
        if len(chosen) >= most:
            break
        chosen[row] = None
    return np.array(sorted(chosen), dtype=np.int64)


def _queues(scores: Scores, most: int) -> list[Sequence[int]]:
    """For each reason to explain a row, the rows that have it, the strongest first."""
    alike = {label: likeness(scores, label) for label in scores.labels}
    queues = []
    for values in alike.values():
        queues += [_lowest(values, most), _lowest(-values, most)]
    for first, second in combinations(alike, 2):
        queues.append(_lowest(-np.abs(alike[first] - alike[second]), most))
    partly = scores.failed & np.isfinite(np.column_stack(list(alike.values()))).any(axis=1)
    queues.append(np.flatnonzero(partly)[:most].tolist())
    return queues


def _lowest(values: Floats, most: int) -> Sequence[int]:
    """The rows with the lowest values, the first of equals first; those without are left out."""
    order = np.argsort(values, kind="stable")[:most]
    kept: list[int] = order[np.isfinite(values[order])].tolist()
    return kept


def _in_turn(queues: Sequence[Sequence[int]]) -> Iterator[int]:
    for place in range(max(map(len, queues), default=0)):
        for queue in queues:
            if place < len(queue):
                yield queue[place]


def most_disputed(scores: Scores, among: Rows) -> int:
    """The row that the measures disagree on most; one on which all agree would tell nothing.

    Measures that are always 0 or 1, and distances, have no say.

    Parameters
    ----------
    scores : Scores
    among : array of int
        The rows to choose from.
    """
    graded = [
        values[among]
        for label, values in scores.values.items()
        if not scores.distances[label] and bool((np.nan_to_num(values) % 1 != 0).any())
    ]
    if not graded or not len(among):
        return int(among[0]) if len(among) else 0
    table = np.column_stack(graded)
    known = np.isfinite(table)
    low = np.where(known, table, np.inf).min(axis=1)
    high = np.where(known, table, -np.inf).max(axis=1)
    return int(among[np.argmax(np.where(known.any(axis=1), high - low, -1.0))])
