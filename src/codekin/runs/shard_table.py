"""The columns of a shard: scored rows as an Arrow table, and the table as a Parquet file."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, chain
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from codekin.errors import CodekinError
from codekin.runs.columns import from_numpy, texts_from_numpy, truths_from_numpy
from codekin.runs.row import Row, whole_characters
from codekin.runs.seals import SHARD_SEAL, UNSEALED, seal_shard

__all__ = [
    "FACTS",
    "MOST_SHARD_BYTES",
    "ScoreColumns",
    "column_types",
    "file_bytes",
    "score_columns",
    "shard_note",
    "shard_table",
]

MOST_SHARD_BYTES = 2**30
"""Of a file that is read, and of its rows in memory: a thousand rows take a few megabytes."""

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
    "form": pa.string(),
    "parses": pa.bool_(),
    "reference_parses": pa.bool_(),
    "joined": pa.bool_(),
    "reference_joined": pa.bool_(),
}
"""The columns of the rows; those of the measures follow."""

_SCORES: Mapping[str, pa.DataType] = {
    "": pa.float64(),
    ".lower": pa.float64(),
    ".upper": pa.float64(),
    ".parts": pa.map_(pa.string(), pa.float64()),
    ".statistics": pa.list_(pa.float64()),
    ".problem": pa.string(),
}


_NUMBERS: Mapping[pa.DataType, type[np.generic]] = {
    pa.int64(): np.int64,
    pa.float64(): np.float64,
}
_MOST_BYTES = 2**31 - 1
"""How many bytes the texts of one array may take."""


class ScoreColumns:
    """The columns of one measure in a shard.

    Parameters
    ----------
    corpus : bool
        Whether there are sufficient statistics.
    checked : bool
        Whether to convert values to plain numbers when they are added, so that the row of a bad
        one is known: a third-party measure may return numpy scalars, or no numbers at all.
        Built-in measures do not, and checking each value would take longer than storing it.
    """

    __slots__ = (
        "_bounds",
        "_checked",
        "_corpus",
        "_parts",
        "_problems",
        "_statistics",
        "_values",
        "_width",
    )

    def __init__(self, *, corpus: bool, checked: bool = True) -> None:
        self._corpus = corpus
        self._checked = checked
        self._width: int | None = None
        self._values: list[float | None] = []
        self._parts: list[Mapping[str, float] | None] = []
        self._statistics: list[Sequence[float] | None] = []
        # By row, since few rows have any.
        self._bounds: dict[int, tuple[float, float]] = {}
        self._problems: dict[int, str | None] = {}

    def add(
        self,
        value: float,
        parts: Mapping[str, float],
        bounds: tuple[float, float] | None = None,
        statistics: Sequence[float] | None = None,
    ) -> None:
        """Append a score, with `bounds` if the value is not exact."""
        if not math.isfinite(value):
            raise CodekinError(f"the score is not a number: {value}")
        if self._checked:
            value = float(value)
            parts = {
                str(name): None if part is None else float(part) for name, part in parts.items()
            }
            bounds = None if bounds is None else (float(bounds[0]), float(bounds[1]))
            statistics = self._counts(statistics) if self._corpus else None
        if bounds is not None and not all(map(math.isfinite, bounds)):
            raise CodekinError(f"the bounds of the score are not numbers: {bounds}")
        if bounds is not None:
            self._bounds[len(self._values)] = bounds
        self._values.append(value)
        self._parts.append(parts)
        self._statistics.append(statistics)

    def _counts(self, statistics: Sequence[float] | None) -> list[float] | None:
        """Statistics as they can be added up over rows: finite, and as many as in other rows."""
        if statistics is None:
            return None
        counts = list(map(float, statistics))
        if not math.isfinite(sum(counts)):
            raise CodekinError(f"the statistics are not all numbers: {counts}")
        if self._width is None:
            self._width = len(counts)
        if len(counts) != self._width:
            raise CodekinError(
                f"it has {len(counts)} statistics, but another row has {self._width}"
            )
        return counts

    def add_failure(self, problem: str | None) -> None:
        """Append a row without a score; `problem` is None if the row itself has one."""
        self._problems[len(self._values)] = problem
        self._values.append(None)
        self._parts.append(None)
        self._statistics.append(None)

    def arrays(self, label: str) -> dict[str, pa.Array]:
        """The columns under their names."""
        rows = range(len(self._values))
        lower = [self._bounds.get(i, (None, None))[0] for i in rows] if self._bounds else None
        upper = [self._bounds.get(i, (None, None))[1] for i in rows] if self._bounds else None
        lists: dict[str, Sequence[Any] | None] = {
            "": self._values,
            ".lower": lower,
            ".upper": upper,
            ".parts": self._parts,
            ".statistics": self._statistics,
            ".problem": [self._problems.get(i) for i in rows] if self._problems else None,
        }
        return {
            label + suffix: pa.nulls(len(rows), kind) if values is None else _array(values, kind)
            for (suffix, kind), values in zip(_SCORES.items(), lists.values(), strict=True)
            if self._corpus or suffix != ".statistics"
        }


def score_columns(label: str, *, corpus: bool) -> list[str]:
    """The names of the columns that a measure has in a shard."""
    return [label + suffix for suffix in _SCORES if corpus or suffix != ".statistics"]


def column_types(labels: Iterable[str]) -> dict[str, pa.DataType]:
    """The types of all columns that a shard with these measures may have."""
    scores = {label + suffix: kind for label in labels for suffix, kind in _SCORES.items()}
    return {**FACTS, **scores}


def shard_table(
    rows: Sequence[Row], scores: Mapping[str, ScoreColumns], *, texts: bool
) -> pa.Table:
    """The table of a shard.

    Parameters
    ----------
    rows : sequence of Row
    scores : mapping of str to ScoreColumns
        By the label of the measure.
    texts : bool
        Whether candidate, references and origin are kept.
    """
    facts: dict[str, Sequence[Any]] = {"row": [row.number for row in rows]}
    for name in FACTS:
        if name != "row":
            kept = texts or name not in ("candidate", "references", "origin")
            facts[name] = [getattr(row, name) for row in rows] if kept else [None] * len(rows)
    columns = {name: _array(facts[name], kind) for name, kind in FACTS.items()}
    for label, one in scores.items():
        columns |= one.arrays(label)
    return pa.table(columns)


def _array(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """An Arrow array; lists and maps are made from flat arrays, which is many times faster."""
    if not (pa.types.is_map(kind) or pa.types.is_list(kind)):
        return _flat(values, kind)
    there = [one for one in values if one is not None]
    flat = list(chain.from_iterable(there))
    offsets = _offsets(values, all_there=len(there) == len(values))
    if pa.types.is_list(kind):
        return pa.ListArray.from_arrays(offsets, _flat(flat, kind.value_type))
    items = list(chain.from_iterable([one.values() for one in there]))
    return pa.MapArray.from_arrays(
        offsets, _flat(flat, kind.key_type), _flat(items, kind.item_type)
    )


def _offsets(values: Sequence[Any], *, all_there: bool) -> pa.Array:
    """Where each value begins in the flat array (null for a missing one), and the end."""
    ends = np.fromiter(
        accumulate((0 if one is None else len(one) for one in values), initial=0),
        np.int32,
        len(values) + 1,
    )
    missing = None if all_there else [*(one is None for one in values), False]
    return from_numpy(ends, pa.int32(), missing)


def _flat(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """An Arrow array of texts or numbers."""
    if (nulls := values.count(None)) == len(values):
        return pa.nulls(nulls, kind)
    missing = [value is None for value in values] if nulls else None
    if pa.types.is_boolean(kind):
        return truths_from_numpy(np.array([bool(value) for value in values], np.bool_), missing)
    if not pa.types.is_string(kind):
        # None becomes NaN, which is hidden by the mask.
        return from_numpy(np.array(values, _NUMBERS[kind]), kind, missing)
    texts = [b"" if value is None else _encoded(value) for value in values]
    ends = list(accumulate(map(len, texts), initial=0))
    if ends[-1] > _MOST_BYTES:  # more than one array can hold
        return pa.array([value and whole_characters(value) for value in values], kind)
    return texts_from_numpy(np.array(ends, np.int32), b"".join(texts), missing)


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:  # lone surrogates in a name or a reason
        return whole_characters(text).encode()


def file_bytes(table: pa.Table, note: Mapping[str, Any]) -> bytes:
    """A table as a Parquet file; the same table and note give the same bytes.

    Parameters
    ----------
    table : pa.Table
    note : mapping
        About the file, kept in its metadata beside the digest of the file.
    """
    metadata = {_NOTE: json.dumps(note, sort_keys=True), SHARD_SEAL: UNSEALED}
    noted = table.replace_schema_metadata(metadata)
    sink = pa.BufferOutputStream()
    pq.write_table(noted, sink, compression="zstd", write_statistics=False)
    return seal_shard(sink.getvalue().to_pybytes())


def shard_note(metadata: Mapping[bytes, bytes] | None) -> dict[str, Any]:
    """The note that :func:`file_bytes` wrote; empty for other files."""
    try:
        note = json.loads((metadata or {}).get(_NOTE, b"{}"))
    except (ValueError, RecursionError):
        return {}
    return note if isinstance(note, dict) else {}
