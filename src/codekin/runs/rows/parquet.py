"""Parquet in bounded memory: a file of some kilobytes can hold terabytes of text.

A text that recurs is stored once, in the dictionary of its column, so neither the size of a file
nor that of a row group says how much memory its rows take. The size of the dictionaries says how
much a row takes at most, but for texts that are stored by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from io import BufferedReader
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from codekin.runs.columns import to_numpy
from codekin.runs.rows.objects import batch_pieces, plain_batch
from codekin.runs.rows.pieces import ArrowRows, Unreadable

__all__ = ["open_parquet", "parquet_pieces", "read_parquet"]

_BUFFER = 2**20  # otherwise, the columns of a whole row group are held
_MOST_ROWS = 256
_ROWS_AT_ONCE = 16  # not more, since texts that are stored by themselves may all be long
_PIECE_BYTES = 2**20
_BATCH_BYTES = 128 * 2**20
"""What the texts in the dictionaries may add to a batch, unless that is less than one row."""
_LONGEST = 64 * 2**20
"""Longer rows are not read, as in other formats."""
_PAGE_HEADER = re.compile(rb"\x15([\x80-\xff]*[\0-\x7f])\x15([\x80-\xff]*[\0-\x7f])", re.DOTALL)
"""How the header of a page begins in Thrift: its kind, and its size when it is unpacked."""
_DICTIONARY = 2
_MOST_VALUES = 2**26
"""A list may not have more values in a row group, since one row may hold all of them."""


def open_parquet(stream: BufferedReader | pa.BufferReader, **settings: Any) -> pq.ParquetFile:
    """Open a Parquet file without reading its rows.

    Parameters
    ----------
    stream : stream
        What :func:`codekin.opening.open_file` has opened, or bytes.
    **settings
        Of :class:`pyarrow.parquet.ParquetFile`.
    """
    return pq.ParquetFile(stream, pre_buffer=False, buffer_size=_BUFFER, **settings)


def parquet_pieces(
    name: str, stream: BufferedReader, file: pq.ParquetFile
) -> Iterator[ArrowRows | Unreadable]:
    """Rows of a Parquet file; one that is too long, or a broken row group, is one with the reason.

    Parameters
    ----------
    name : str
        The file, as the user named it.
    stream : stream
    file : pyarrow.parquet.ParquetFile
        The file in the stream.
    """
    first = 1
    for group in range(file.num_row_groups):
        rows = file.metadata.row_group(group).num_rows
        read = 0
        try:
            at_once = _rows_at_once(stream, file, group, None)
            batches = file.iter_batches(at_once, row_groups=[group], use_threads=False)
            for batch in _gathered(batches):
                yield from _short_rows(name, batch, first + read)
                read += batch.num_rows
        except (pa.ArrowException, OSError, ValueError) as error:
            lost = f"{rows - read:,} of its {rows:,} rows are lost"
            reason = f"row group {group + 1} cannot be read ({error}); {lost}"
            yield Unreadable(name, first + read, reason, "row")
        first += rows


def read_parquet(
    stream: BufferedReader | pa.BufferReader,
    file: pq.ParquetFile,
    columns: list[str] | None,
    limit: int,
) -> pa.Table:
    """The rows of a Parquet file as a table.

    Parameters
    ----------
    stream : stream
    file : pyarrow.parquet.ParquetFile
        The file in the stream.
    columns : list of str or None
        Only these.
    limit : int
        The most bytes that they may take in memory.

    Raises
    ------
    ValueError
        If they take more, and whatever pyarrow raises for a broken file.
    """
    groups = range(file.num_row_groups)
    most = 0
    for group in groups:
        metadata = file.metadata.row_group(group)
        most += metadata.total_byte_size
        most += _row_bytes(stream, file, group, columns) * metadata.num_rows
    if most <= limit:
        return file.read(columns, use_threads=False)
    batches, taken = [], 0
    for group in groups:
        at_once = _rows_at_once(stream, file, group, columns)
        for batch in file.iter_batches(
            at_once, row_groups=[group], columns=columns, use_threads=False
        ):
            taken += batch.nbytes
            if taken > limit:
                raise ValueError(f"its rows take more than {limit:,} bytes")
            batches.append(batch)
    if not batches:
        return file.read(columns, use_threads=False)
    return pa.Table.from_batches(batches).combine_chunks()


def _gathered(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Consecutive small batches together, and a broken rest by itself."""
    held: list[pa.RecordBatch] = []
    rows = taken = 0
    try:
        for batch in map(plain_batch, batches):
            held.append(batch)
            rows += batch.num_rows
            taken += batch.nbytes
            if rows >= _MOST_ROWS or taken >= _PIECE_BYTES:
                yield _as_one(held)
                held, rows, taken = [], 0, 0
    except (pa.ArrowException, OSError, ValueError):
        if held:  # they were read
            yield _as_one(held)
        raise
    if held:
        yield _as_one(held)


def _as_one(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    if len(batches) == 1:
        return batches[0]
    whole = pa.Table.from_batches(batches).combine_chunks().to_batches()
    return whole[0] if len(whole) == 1 else batches[0]


def _short_rows(name: str, batch: pa.RecordBatch, first: int) -> Iterator[ArrowRows | Unreadable]:
    """The rows of a batch, with a reason in place of those that are too long."""
    start = 0
    if batch.nbytes > _LONGEST:
        for row in np.flatnonzero(_sizes(batch) > _LONGEST).tolist():
            yield from batch_pieces(name, [batch.slice(start, row - start)], first + start)
            yield Unreadable(name, first + row, f"a row of more than {_LONGEST:,} bytes", "row")
            start = row + 1
    yield from batch_pieces(name, [batch.slice(start)], first + start)


def _rows_at_once(
    stream: BufferedReader | pa.BufferReader,
    file: pq.ParquetFile,
    group: int,
    columns: list[str] | None,
) -> int:
    """How many rows of a row group certainly fit into memory; 1 at least.

    Raises
    ------
    ValueError
        If a list is too long even for one row.
    """
    row = _row_bytes(stream, file, group, columns)
    lists = [
        column
        for column in _leaves(file, columns)
        if file.schema.column(column).max_repetition_level
    ]
    if lists and row > _BATCH_BYTES:
        row = _row_bytes(stream, file, group, columns, lists=False)
        row += _longest_lists(stream, file, group, lists)
    return max(1, min(_ROWS_AT_ONCE, _BATCH_BYTES // max(1, row)))


def _leaves(file: pq.ParquetFile, columns: list[str] | None) -> list[int]:
    """The columns as Parquet counts them, where a list of texts is one of texts."""
    return [
        number
        for number in range(file.metadata.num_columns)
        if columns is None or file.schema.column(number).path.partition(".")[0] in columns
    ]


def _row_bytes(
    stream: BufferedReader | pa.BufferReader,
    file: pq.ParquetFile,
    group: int,
    columns: list[str] | None,
    *,
    lists: bool = True,
) -> int:
    """The most memory that one row of a row group can take, if its texts are in dictionaries."""
    metadata = file.metadata.row_group(group)
    total = 0
    for number in _leaves(file, columns):
        # One text may be the whole dictionary, and every value that text.
        column = metadata.column(number)
        size = max(8, file.schema.column(number).length or 0)
        if column.physical_type.endswith("BYTE_ARRAY"):
            size = max(size, _dictionary_bytes(stream, column))
        if not file.schema.column(number).max_repetition_level:
            total += size
        elif lists:
            total += size * column.num_values
    return total


def _dictionary_bytes(
    stream: BufferedReader | pa.BufferReader, column: pq.ColumnChunkMetaData
) -> int:
    """The size of a column's dictionary, by its own header: the metadata does not state it."""
    start = min(column.data_page_offset, column.dictionary_page_offset or column.data_page_offset)
    stream.seek(start)
    header = _PAGE_HEADER.match(stream.read(32))
    if header is None:
        return int(column.total_uncompressed_size)
    kind, size = (_number(digits) for digits in header.groups())
    return size if kind == _DICTIONARY else 0


def _number(digits: bytes) -> int:
    """A positive number as Thrift writes it: seven bits in a byte, and one for the sign."""
    return sum((digit & 0x7F) << 7 * place for place, digit in enumerate(digits)) >> 1


def _longest_lists(
    stream: BufferedReader | pa.BufferReader, file: pq.ParquetFile, group: int, columns: list[int]
) -> int:
    """The memory that the lists of one row take at most, counted without making their texts."""
    metadata = file.metadata.row_group(group)
    if any(metadata.column(number).num_values > _MOST_VALUES for number in columns):
        raise ValueError(f"its lists have more than {_MOST_VALUES:,} values")
    paths = [file.schema.column(number).path for number in columns]
    names = list(dict.fromkeys(path.partition(".")[0] for path in paths))
    with_dictionaries = open_parquet(stream, read_dictionary=paths)
    longest = 0
    for batch in with_dictionaries.iter_batches(
        _MOST_ROWS, row_groups=[group], columns=names, use_threads=False
    ):
        longest = max(longest, int(_sizes(batch).max(initial=0)))
    if longest > _LONGEST:
        raise ValueError(f"a row of more than {_LONGEST:,} bytes")
    return longest


def _sizes(batch: pa.RecordBatch) -> npt.NDArray[np.int64]:
    """How many bytes each row takes, once the texts of dictionaries are written out."""
    sizes = np.zeros(batch.num_rows, np.int64)
    for column in batch.columns:
        sizes += _value_sizes(column)
    return sizes


def _value_sizes(values: pa.Array) -> npt.NDArray[np.int64]:
    import pyarrow.compute as pc

    kind = values.type
    if pa.types.is_dictionary(kind):
        sizes = np.append(_value_sizes(values.dictionary), 0)
        places = to_numpy(values.indices)
        return sizes[np.where(np.isnan(places), -1, places).astype(np.int64)]
    if pa.types.is_struct(kind):
        sizes = np.zeros(len(values), np.int64)
        for field in values.flatten():
            sizes += _value_sizes(field)
        return sizes
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_map(kind):
        ends = to_numpy(values.offsets).astype(np.int64)
        of_values = _value_sizes(values.items if pa.types.is_map(kind) else values.values)
        if pa.types.is_map(kind):
            of_values += _value_sizes(values.keys)
        before = np.concatenate([[0], np.cumsum(of_values)])
        return np.diff(before[ends])
    try:
        lengths = pc.binary_length(values)
    except (pa.ArrowException, TypeError):  # numbers and the like
        return np.full(len(values), 8, np.int64)
    return np.asarray(np.nan_to_num(to_numpy(lengths)), np.int64)
