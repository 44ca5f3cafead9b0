"""Rows of tables and other Python objects: Arrow, frames, datasets and dicts.

The library that an object comes from is recognized by its module's name, so none is imported.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import IOBase
from typing import Any

import pyarrow as pa

from codekin.errors import CodekinError
from codekin.runs.rows.pieces import (
    TYPE_MARKER,
    ArrowRows,
    JsonLines,
    Piece,
    RowInput,
    Shares,
    Unreadable,
    check_columns,
)
from codekin.runs.rows.texts import grouped

__all__ = ["batch_pieces", "object_rows", "plain_batch", "to_json"]

_VIEWS = {"string_view": pa.large_string(), "binary_view": pa.large_binary()}
_ONCE = "an iterator can be read only once; give a list to read it again"


def batch_pieces(
    name: str, batches: Iterable[pa.RecordBatch], first: int = 1
) -> Iterator[ArrowRows]:
    """Rows of consecutive record batches."""
    for batch in batches:
        if batch.num_rows:
            yield ArrowRows(name, first, plain_batch(batch))
            first += batch.num_rows


def plain_batch(batch: pa.RecordBatch) -> pa.RecordBatch:
    """A batch without dictionaries and views.

    A slice of one would carry the values of the whole column along.
    """
    columns = [_plain_column(column) for column in batch.columns]
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def _plain_column(column: pa.Array) -> pa.Array:
    if isinstance(column, pa.DictionaryArray):
        column = column.dictionary_decode()
    view = _VIEWS.get(str(column.type))
    return column if view is None else column.cast(view)


def object_rows(what: Any) -> RowInput | None:
    """The rows of an object, or None if it has none.

    Raises
    ------
    CodekinError
        For several tables at once, and for a table with two columns of one name.
    """
    # Subclasses count as what they derive from.
    kinds = {f"{one.__module__.partition('.')[0]}.{one.__name__}" for one in type(what).__mro__}
    libraries = {kind.partition(".")[0] for kind in kinds}
    if "pyarrow" in libraries:
        return _of_arrow(what)
    if "pandas.DataFrame" in kinds:
        names = [str(name) for name in what.columns]
        check_columns("the frame", names)
        return _of_table("pandas.DataFrame", names, len(what), _parts(what, _pandas_pieces))
    if "polars.LazyFrame" in kinds:
        what = what.collect()
        kinds = {"polars.DataFrame"}
    if "polars.DataFrame" in kinds:
        parts = _parts(what, _polars_pieces)
        return _of_table("polars.DataFrame", what.columns, len(what), parts)
    if "datasets" in libraries:
        return _of_datasets(what, kinds)
    if libraries & {"pandas", "polars", "numpy"} or isinstance(what, dict | str | bytes | IOBase):
        return None
    if isinstance(what, Sequence):
        return _of_dicts({"kind": "rows", "rows": len(what)}, what, len(what))
    if isinstance(what, Iterable):
        return _of_dicts({"kind": "rows"}, what, once=_ONCE if iter(what) is what else "")
    return None


_Parts = Callable[[int], Iterator[Piece]]
"""The rows of a table, at most this many at once."""


def _of_table(
    kind: str, names: Sequence[str], total: int | None, parts: _Parts, once: str = ""
) -> RowInput:
    about: dict[str, Any] = {"kind": "table", "type": kind, "columns": list(names)}
    if total is not None:
        about["rows"] = total
    return RowInput(lambda: about, lambda rows, _: _shares(parts(rows), total), once)


def _shares(pieces: Iterable[Piece], total: int | None) -> Shares:
    """Pieces with the share of the rows that was read."""
    read = 0
    for piece in pieces:
        read += len(piece)
        yield piece, read / total if total else None


def _parts(frame: Any, pieces: Callable[[Any, int], Iterator[Piece]]) -> _Parts:
    """Parts of a frame, as numbered pieces."""
    cut = frame.iloc if hasattr(frame, "iloc") else frame

    def parts(rows: int) -> Iterator[Piece]:
        for start in range(0, len(frame), rows):
            yield from pieces(cut[start : start + rows], start + 1)

    return parts


def _pandas_pieces(part: Any, first: int) -> Iterator[Piece]:
    """Rows of a part of a frame; NaN is a missing value, as pandas means it."""
    try:
        batch = pa.RecordBatch.from_pandas(part, preserve_index=False)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):  # a column of mixed types
        whole = part.astype(object)
        return _dict_pieces(whole.where(whole.notna(), None).to_dict("records"), first)
    return batch_pieces("", [batch], first)


def _polars_pieces(part: Any, first: int) -> Iterator[Piece]:
    if "Object" in map(str, part.dtypes):  # Arrow would hold their addresses
        return _dict_pieces(part.to_dicts(), first)
    return batch_pieces("", part.to_arrow().to_batches(), first)


def _arrow_pieces(part: pa.Table, first: int) -> Iterator[Piece]:
    return batch_pieces("", part.combine_chunks().to_batches(), first)


def _of_arrow(what: Any) -> RowInput | None:
    kind = f"pyarrow.{type(what).__name__}"
    if not isinstance(what, pa.RecordBatch | pa.Table | pa.RecordBatchReader):
        return None
    names = what.schema.names
    check_columns("the table", names)
    if isinstance(what, pa.RecordBatchReader):
        return _of_table(kind, names, None, lambda _: batch_pieces("", what), _ONCE)
    table = pa.Table.from_batches([what]) if isinstance(what, pa.RecordBatch) else what
    return _of_table(kind, names, len(table), lambda rows: batch_pieces("", table.to_batches(rows)))


def _of_datasets(what: Any, kinds: set[str]) -> RowInput | None:
    if isinstance(what, dict):
        splits = ", ".join(map(str, what))
        raise CodekinError(f"the dataset has several splits ({splits}); choose one of them")
    if "datasets.IterableDataset" in kinds:
        return _of_dicts({"kind": "rows", "type": "datasets.IterableDataset"}, what)
    if "datasets.Dataset" not in kinds:
        return None
    parts = _parts(what.with_format("arrow"), _arrow_pieces)
    return _of_table("datasets.Dataset", what.column_names, len(what), parts)


def _of_dicts(
    about: dict[str, Any], rows: Iterable[Any], total: int | None = None, once: str = ""
) -> RowInput:
    return RowInput(lambda: about, lambda *_: _shares(_dict_pieces(rows, 1), total), once)


def _dict_pieces(rows: Iterable[Any], first: int) -> Iterator[JsonLines | Unreadable]:
    """Rows that are dicts; each becomes a line of JSON as soon as it is read."""
    for found in grouped(_json_rows(rows, first), len):
        if isinstance(found, Unreadable):
            yield found
            first += 1
        else:
            yield JsonLines("", first, tuple(found), "row")
            first += len(found)


def _json_rows(rows: Iterable[Any], first: int) -> Iterator[bytes | Unreadable]:
    for number, row in enumerate(rows, first):
        try:
            yield to_json(row)
        except (TypeError, ValueError, RecursionError) as error:
            yield Unreadable("", number, f"cannot be written as JSON: {error}", "row")


def to_json(row: object) -> bytes:
    r"""One line of JSON for a row of Python values.

    Scalars and arrays of numpy become plain numbers and lists, missing values of pandas become
    null, and a value that JSON cannot hold becomes an object that only names its type.

    Examples
    --------
    >>> to_json({"id": 1, "candidate": b"x = 1"})
    b'{"id":1,"candidate":{"\\u0000type":"bytes"}}'
    """
    return json.dumps(row, default=_plain, separators=(",", ":")).encode("ascii")


def _plain(value: Any) -> object:
    """What to write for a value that JSON cannot hold."""
    if isinstance(value, Mapping):
        return dict(value)
    kind = type(value)
    library = kind.__module__.partition(".")[0]
    if library == "numpy" and hasattr(value, "tolist"):
        plain = value.tolist()
        if type(plain) is not kind:
            return plain
    if library == "pandas" and kind.__name__ in {"NAType", "NaTType"}:
        return None
    return {TYPE_MARKER: kind.__name__}
