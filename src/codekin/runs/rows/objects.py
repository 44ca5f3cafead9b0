"""Rows in Python objects: lists and iterators of dicts, frames, tables and datasets.

Which library an object comes from is told by the name of its module, so none is imported here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import IOBase
from typing import Any

import pyarrow as pa

from codekin.errors import CodekinError
from codekin.runs.rows.arrow import batch_stretches, check_columns
from codekin.runs.rows.pieces import JsonLines, Unreadable
from codekin.runs.rows.sharding import MOST_BYTES, MOST_ROWS, Shard, Stretch, cut_shards
from codekin.runs.rows.values import to_json

__all__ = ["ObjectRows", "object_rows"]

_HELD = 2**20
_AT_ONCE = 256

_Stretches = Callable[[int], Iterator[tuple[Stretch, float | None]]]


class ObjectRows:
    """The rows of an object.

    Parameters
    ----------
    description : dict
        What the object is.
    stretches : callable
        Gives the rows, at most so many at once, with the share of the object that was read.
    once : bool
        Whether reading uses the object up.
    """

    def __init__(
        self, description: dict[str, Any], stretches: _Stretches, *, once: bool = False
    ) -> None:
        self._description = description
        self._stretches = stretches
        self._once = once
        self._used = False

    def describe(self) -> dict[str, Any]:
        """What the object is, and how many rows it has if that is known."""
        return dict(self._description)

    def shards(self, rows: int | None = None, most_bytes: int = MOST_BYTES) -> Iterator[Shard]:
        """The rows in shards of so many rows, or fewer that have reached so many bytes."""
        if self._used:
            raise CodekinError("an iterator can be read only once; give a list to read it again")
        self._used = self._once
        return cut_shards(self._stretches(rows or MOST_ROWS), rows, most_bytes)


def object_rows(what: Any) -> ObjectRows | None:
    """The rows of an object, or None for one that holds none.

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
        return _of_pandas(what)
    if "polars.DataFrame" in kinds:
        return _of_polars(what)
    if "polars.LazyFrame" in kinds:
        return _of_polars(what.collect())
    if "datasets" in libraries:
        return _of_datasets(what, kinds)
    if libraries & {"pandas", "polars", "numpy"} or isinstance(what, dict | str | bytes | IOBase):
        return None
    if not isinstance(what, Iterable):
        return None
    if isinstance(what, Sequence):
        total = len(what)
        return ObjectRows({"kind": "rows", "rows": total}, lambda _: _of_dicts(what, total))
    once = iter(what) is what
    return ObjectRows({"kind": "rows"}, lambda _: _of_dicts(what), once=once)


def _of_dicts(
    rows: Iterable[Any], total: int | None = None
) -> Iterator[tuple[JsonLines | Unreadable, float | None]]:
    """Stretches of rows that are dicts, with the share of them that was read."""
    for stretch in _dict_stretches(rows, 1):
        yield stretch, _part(stretch.first + len(stretch) - 1, total)


def _dict_stretches(rows: Iterable[Any], first: int) -> Iterator[JsonLines | Unreadable]:
    """Stretches of rows that are dicts; each becomes a line of JSON as soon as it is read."""
    lines: list[bytes] = []
    held = 0
    for row in rows:
        reason = ""
        try:
            lines.append(to_json(row))
            held += len(lines[-1])
        except (TypeError, ValueError, RecursionError) as error:
            reason = f"cannot be written as JSON: {error}"
        if lines and (reason or held > _HELD or len(lines) == _AT_ONCE):
            yield JsonLines("", first, tuple(lines), "row")
            first += len(lines)
            lines, held = [], 0
        if reason:
            yield Unreadable("", first, reason, "row")
            first += 1
    if lines:
        yield JsonLines("", first, tuple(lines), "row")


def _part(number: int, total: int | None) -> float | None:
    return number / total if total else None


def _table(
    kind: str, names: Sequence[str], total: int | None, stretches: _Stretches, *, once: bool = False
) -> ObjectRows:
    description: dict[str, Any] = {"kind": "table", "type": kind, "columns": list(names)}
    if total is not None:
        description["rows"] = total
    return ObjectRows(description, stretches, once=once)


def _of_arrow(what: Any) -> ObjectRows | None:
    kind = f"pyarrow.{type(what).__name__}"
    if isinstance(what, pa.RecordBatch):
        what = pa.Table.from_batches([what])
    if isinstance(what, pa.Table):
        check_columns("the table", what.schema)
        total = what.num_rows
        return _table(
            kind,
            what.schema.names,
            total,
            lambda rows: _shares(batch_stretches("", what.to_batches(rows)), total),
        )
    if isinstance(what, pa.RecordBatchReader):
        check_columns("the table", what.schema)
        stretches = ((stretch, None) for stretch in batch_stretches("", what))
        return _table(kind, what.schema.names, None, lambda _: stretches, once=True)
    return None


def _shares(stretches: Iterable[Stretch], total: int) -> Iterator[tuple[Stretch, float | None]]:
    read = 0
    for stretch in stretches:
        read += len(stretch)
        yield stretch, _part(read, total)


def _of_pandas(frame: Any) -> ObjectRows:
    names = [str(name) for name in frame.columns]
    twice = sorted(name for name, times in Counter(names).items() if times > 1)
    if twice:
        raise CodekinError(f"the frame: two columns are named {twice[0]!r}; names must differ")

    def stretches(rows: int) -> Iterator[Stretch]:
        for start in range(0, len(frame), rows):
            yield from _pandas_stretches(frame.iloc[start : start + rows], start + 1)

    return _table(
        "pandas.DataFrame", names, len(frame), lambda rows: _shares(stretches(rows), len(frame))
    )


def _pandas_stretches(part: Any, first: int) -> Iterator[Stretch]:
    """Rows of a part of a frame; NaN is a missing value, as pandas means it."""
    try:
        batch = pa.RecordBatch.from_pandas(part, preserve_index=False)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):  # a column of mixed types
        whole = part.astype(object)
        rows = whole.where(whole.notna(), None).to_dict("records")
        yield from _dict_stretches(rows, first)
    else:
        yield from batch_stretches("", [batch], first)


def _of_polars(frame: Any) -> ObjectRows:
    objects = "Object" in map(str, frame.dtypes)

    def stretches(rows: int) -> Iterator[Stretch]:
        for start in range(0, frame.height, rows):
            part = frame.slice(start, rows)
            if objects:  # Arrow would hold their addresses
                yield from _dict_stretches(part.to_dicts(), start + 1)
            else:
                yield from batch_stretches("", part.to_arrow().to_batches(), start + 1)

    return _table(
        "polars.DataFrame",
        frame.columns,
        frame.height,
        lambda rows: _shares(stretches(rows), frame.height),
    )


def _of_datasets(what: Any, kinds: set[str]) -> ObjectRows | None:
    if isinstance(what, dict):
        splits = ", ".join(map(str, what))
        raise CodekinError(f"the dataset has several splits ({splits}); choose one of them")
    if "datasets.IterableDataset" in kinds:
        described = {"kind": "rows", "type": "datasets.IterableDataset"}
        return ObjectRows(described, lambda _: _of_dicts(what))
    if "datasets.Dataset" not in kinds:
        return None
    tables = what.with_format("arrow")

    def stretches(rows: int) -> Iterator[Stretch]:
        first = 1
        for table in tables.iter(batch_size=rows):
            yield from batch_stretches("", table.combine_chunks().to_batches(), first)
            first += table.num_rows

    return _table(
        "datasets.Dataset",
        what.column_names,
        len(what),
        lambda rows: _shares(stretches(rows), len(what)),
    )
