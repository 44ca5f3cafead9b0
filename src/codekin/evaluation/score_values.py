"""The scores of a run and their parts, one array each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from codekin.runs.columns import to_numpy
from codekin.runs.run import Run

__all__ = ["ScoreValues", "part_columns", "read_score_values"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ScoreValues:
    """The rows of a run, one per position of every list and array.

    Attributes
    ----------
    values : dict
        By measure and part, with None for the score itself; nan where there is none.
    outcome : array
        nan where a row has none.
    groups, languages : list of str
        None where a row has none.
    """

    values: dict[tuple[str, str | None], Floats]
    outcome: Floats
    groups: list[str | None]
    languages: list[str | None]

    def scored(self, labels: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Which rows have a score by all of some measures."""
        there = np.ones(len(self.outcome), bool)
        for label in labels:
            there &= np.isfinite(self.values[label, None])
        return there


def read_score_values(run: Run, labels: Sequence[str], *, parts: bool) -> ScoreValues:
    """The scores of a run by some of its measures.

    Parameters
    ----------
    run : Run
    labels : sequence of str
        Of the measures.
    parts : bool
        Whether to read the parts of the scores.
    """
    of_parts = [f"{label}.parts" for label in labels] if parts else []
    table = run.table(["outcome", "group", "language", *labels, *of_parts])
    values: dict[tuple[str, str | None], Floats] = {}
    for label in labels:
        values[label, None] = to_numpy(table.column(label)).astype(np.float64)
        if parts:
            found = part_columns(table.column(f"{label}.parts"))
            values |= {(label, name): found[name] for name in sorted(found)}
    return ScoreValues(
        values,
        to_numpy(table.column("outcome")).astype(np.float64),
        table.column("group").to_pylist(),
        table.column("language").to_pylist(),
    )


def part_columns(column: pa.ChunkedArray) -> dict[str, Floats]:
    """An array per part, in the order in which they appear; nan where a row does not have it."""
    found: dict[str, Floats] = {}
    start = 0
    for chunk in column.chunks:
        if pa.types.is_map(chunk.type):
            offsets = to_numpy(chunk.offsets)
            inside = slice(int(offsets[0]), int(offsets[-1]))
            rows = start + np.repeat(np.arange(len(chunk)), np.diff(offsets))
            encoded = chunk.keys[inside].dictionary_encode()
            codes = to_numpy(encoded.indices)
            items = to_numpy(chunk.items).astype(np.float64)[inside]
            for code, name in enumerate(encoded.dictionary.to_pylist()):
                here = codes == code
                part = found.setdefault(name, np.full(len(column), np.nan))
                part[rows[here]] = items[here]
        start += len(chunk)
    return found
