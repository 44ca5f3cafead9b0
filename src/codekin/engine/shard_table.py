"""The columns of a shard: scored rows as an Arrow table, and a table as the bytes of a file."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from codekin.engine.row import Row, whole_characters
from codekin.errors import CodekinError

__all__ = ["FACTS", "ScoreColumns", "file_bytes", "score_columns", "shard_note", "shard_table"]

_NOTE = b"codekin"

FACTS: Mapping[str, pa.DataType] = {
    "row": pa.int64(),
    "id": pa.string(),
    "group": pa.string(),
    "language": pa.string(),
    "reference_language": pa.string(),
    "weight": pa.float64(),
    "outcome": pa.float64(),
    "reference_key": pa.string(),
    "fields": pa.string(),
    "candidate": pa.string(),
    "references": pa.list_(pa.string()),
    "origin": pa.string(),
    "problem": pa.string(),
}
"""What a shard says of each row itself; the columns of the measures follow."""

_SCORES: Mapping[str, pa.DataType] = {
    "": pa.float64(),
    ".lower": pa.float64(),
    ".upper": pa.float64(),
    ".parts": pa.map_(pa.string(), pa.float64()),
    ".statistics": pa.list_(pa.float64()),
    ".problem": pa.string(),
}


class ScoreColumns:
    """What one measure says of the rows of a shard, column by column."""

    __slots__ = ("corpus", "lower", "parts", "problems", "statistics", "upper", "values")

    def __init__(self, *, corpus: bool) -> None:
        self.corpus = corpus
        self.values: list[float | None] = []
        self.lower: list[float | None] = []
        self.upper: list[float | None] = []
        self.parts: list[list[tuple[str, float]] | None] = []
        self.statistics: list[Sequence[float] | None] = []
        self.problems: list[str | None] = []

    def add(
        self,
        value: float,
        parts: Mapping[str, float],
        bounds: tuple[float, float] | None,
        statistics: Sequence[float] | None,
    ) -> None:
        """Append a score; `bounds` is None where the value is exact."""
        if not math.isfinite(value):
            raise CodekinError(f"the score is no number but {value}")
        self.values.append(value)
        self.lower.append(bounds and bounds[0])
        self.upper.append(bounds and bounds[1])
        self.parts.append(list(parts.items()))
        self.statistics.append(statistics)
        self.problems.append(None)

    def add_failure(self, problem: str | None) -> None:
        """Append a row without a score; `problem` is None where the row's own problem says it."""
        self.values.append(None)
        self.lower.append(None)
        self.upper.append(None)
        self.parts.append(None)
        self.statistics.append(None)
        self.problems.append(problem)

    def arrays(self, label: str) -> dict[str, pa.Array]:
        """The columns under their names."""
        lists: dict[str, Sequence[Any]] = {
            "": self.values,
            ".lower": self.lower,
            ".upper": self.upper,
            ".parts": self.parts,
            ".statistics": self.statistics,
            ".problem": self.problems,
        }
        return {
            label + suffix: _array(lists[suffix], kind)
            for suffix, kind in _SCORES.items()
            if self.corpus or suffix != ".statistics"
        }


def score_columns(label: str, *, corpus: bool) -> list[str]:
    """The names of the columns that a measure has in a shard."""
    return [label + suffix for suffix in _SCORES if corpus or suffix != ".statistics"]


def shard_table(
    first: int, rows: Sequence[Row], scores: Mapping[str, ScoreColumns], *, texts: bool
) -> pa.Table:
    """The table of a shard.

    Parameters
    ----------
    first : int
        The position of its first row in the input.
    rows : sequence of Row
    scores : mapping of str to ScoreColumns
        By the label of the measure.
    texts : bool
        Whether candidate, references and origin are kept.
    """
    facts: dict[str, Sequence[Any]] = {"row": range(first, first + len(rows))}
    for name in FACTS:
        if name != "row":
            kept = texts or name not in ("candidate", "references", "origin")
            facts[name] = [getattr(row, name) for row in rows] if kept else [None] * len(rows)
    columns = {name: _array(facts[name], kind) for name, kind in FACTS.items()}
    for label, one in scores.items():
        columns |= one.arrays(label)
    return pa.table(columns)


def _array(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    try:
        return pa.array(values, kind)
    except UnicodeEncodeError:  # halves of characters in a name or a reason
        return pa.array([value and whole_characters(value) for value in values], kind)


def file_bytes(table: pa.Table, note: Mapping[str, Any]) -> bytes:
    """A table as a Parquet file; the same table and note give the same bytes.

    Parameters
    ----------
    table : pa.Table
    note : mapping
        What the file says of itself, kept in its metadata.
    """
    noted = table.replace_schema_metadata({_NOTE: json.dumps(note, sort_keys=True)})
    sink = pa.BufferOutputStream()
    pq.write_table(noted, sink, compression="zstd", write_statistics=False)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def shard_note(metadata: Mapping[bytes, bytes] | None) -> dict[str, Any]:
    """What :func:`file_bytes` wrote of a file; empty for a file of another making."""
    note: dict[str, Any] = json.loads((metadata or {}).get(_NOTE, b"{}"))
    return note
