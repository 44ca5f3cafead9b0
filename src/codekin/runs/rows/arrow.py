"""Rows of Arrow tables: record batches, and Parquet files by row group."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq

from codekin.errors import CodekinError
from codekin.runs.rows.pieces import ArrowRows, Unreadable

__all__ = ["ArrowStretch", "batch_stretches", "check_columns", "parquet_stretches"]

_AT_ONCE = 256  # sizes in the file do not tell how often a text recurs
_VIEWS = {"string_view": pa.large_string(), "binary_view": pa.large_binary()}


@dataclass(frozen=True, slots=True)
class ArrowStretch:
    """A record batch that can be cut into pieces.

    Attributes
    ----------
    name : str
        The file, as the user named it; empty for rows of an object.
    first : int
        The number of the first row, from 1.
    batch : pyarrow.RecordBatch
        The rows.
    """

    name: str
    first: int
    batch: pa.RecordBatch

    def __len__(self) -> int:
        rows: int = self.batch.num_rows
        return rows

    def rows_within(self, start: int, nbytes: int) -> int:
        """How many rows from `start` on it takes to reach so many bytes, or all there are."""
        counts = range(1, len(self) - start)
        return 1 + bisect_left(counts, nbytes, key=lambda n: self.batch.slice(start, n).nbytes)

    def piece(self, start: int, stop: int) -> ArrowRows:
        """Some of the rows."""
        some = self.batch.slice(start, stop - start)
        return ArrowRows.from_batch(self.name, self.first + start, some)


def check_columns(name: str, schema: pa.Schema) -> None:
    """Raise a CodekinError for a table that has two columns of one name."""
    twice = sorted(column for column, times in Counter(schema.names).items() if times > 1)
    if twice:
        raise CodekinError(f"{name}: two columns are named {twice[0]!r}; names must differ")


def batch_stretches(
    name: str, batches: Iterable[pa.RecordBatch], first: int = 1
) -> Iterator[ArrowStretch]:
    """Rows of record batches that follow each other."""
    for batch in batches:
        if batch.num_rows:
            yield ArrowStretch(name, first, _self_contained(batch))
            first += batch.num_rows


def parquet_stretches(
    name: str, file: pq.ParquetFile, most_rows: int, most_bytes: int
) -> Iterator[ArrowStretch | Unreadable]:
    """Rows of a Parquet file; what cannot be read of a row group is one row with the reason.

    Parameters
    ----------
    name : str
        The file, as the user named it.
    file : pyarrow.parquet.ParquetFile
        The file, opened.
    most_rows, most_bytes : int
        How much to hold at once; the bytes are kept to on the average only.
    """
    first = 1
    for group in range(file.num_row_groups):
        metadata = file.metadata.row_group(group)
        rows, size = metadata.num_rows, metadata.total_byte_size
        at_once = max(1, min(most_rows, _AT_ONCE, most_bytes * rows // max(1, size)))
        read = 0
        try:
            for batch in file.iter_batches(at_once, row_groups=[group], use_threads=False):
                yield from batch_stretches(name, [batch], first + read)
                read += batch.num_rows
        except (pa.ArrowException, OSError, ValueError) as error:
            lost = f"{rows - read:,} of its {rows:,} rows are lost"
            reason = f"row group {group + 1} cannot be read ({error}); {lost}"
            yield Unreadable(name, first + read, reason, "row")
        first += rows


def _self_contained(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The batch with columns whose slices hold no more than their own values.

    A slice of a dictionary or of a view would carry the values of the whole column along.
    """
    columns = [_plain(column) for column in batch.columns]
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def _plain(column: pa.Array) -> pa.Array:
    if isinstance(column, pa.DictionaryArray):
        column = column.dictionary_decode()
    view = _VIEWS.get(str(column.type))
    return column if view is None else column.cast(view)
