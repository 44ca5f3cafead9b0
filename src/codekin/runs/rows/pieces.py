"""Pieces: stretches of consecutive rows of one input, small, picklable and not yet decoded.

The process that reads the input only cuts it into pieces; a worker decodes them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import Any, NamedTuple, Protocol

import numpy as np
import pyarrow as pa

from codekin.runs.rows.values import TYPE_MARKER, is_marker, type_name

__all__ = ["ArrowRows", "CsvRows", "JsonLines", "Piece", "Record", "Unreadable", "first_reaching"]

_JSON_NAMES = {
    list: "a JSON array",
    str: "a JSON string",
    bool: "a JSON boolean",
    int: "a JSON number",
    float: "a JSON number",
    type(None): "a JSON null",
}


class Hasher(Protocol):
    """What a digest is fed into, such as ``hashlib.sha256()``."""

    def update(self, data: bytes | memoryview, /) -> None:
        """Take in more bytes."""


class Record(NamedTuple):
    """A row as it was read.

    Attributes
    ----------
    where : str
        The place of the row, for people, such as ``predictions.jsonl, line 17``.
    fields : dict or None
        Its fields by name; None where the row could not be read.
    problem : str
        Why it could not be read, else empty.
    """

    where: str
    fields: dict[str, Any] | None
    problem: str = ""


class Piece(Protocol):
    """Consecutive rows of one input."""

    def __len__(self) -> int:
        """The number of rows."""

    @property
    def nbytes(self) -> int:
        """About how much memory the rows take."""

    def digest(self, hasher: Hasher) -> None:
        """Feed in what the rows say, but not where they stand."""

    def records(self) -> Iterator[Record]:
        """The rows, decoded now; what is wrong with one is said in its record."""


@dataclass(frozen=True, slots=True)
class JsonLines:
    r"""Rows that each are one text of JSON, in UTF-8.

    Attributes
    ----------
    name : str
        The file, as the user named it; empty for rows of an object.
    first : int
        The number of the first line, from 1.
    lines : tuple of bytes
        The texts.
    unit : str
        What is numbered: ``line`` of a file, ``item`` of a JSON array, ``row`` of an object.

    Examples
    --------
    >>> good, bad = JsonLines("a.jsonl", 7, (b'{"id": 1}', b'{"id" 2}')).records()
    >>> good
    Record(where='a.jsonl, line 7', fields={'id': 1}, problem='')
    >>> bad.where, bad.problem
    ('a.jsonl, line 8', "not JSON: Expecting ':' delimiter at column 7")
    """

    name: str
    first: int
    lines: tuple[bytes, ...]
    unit: str = "line"

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def nbytes(self) -> int:
        """The length of the texts."""
        return sum(map(len, self.lines))

    def rows_within(self, start: int, nbytes: int) -> int:
        """How many rows from `start` on it takes to reach so many bytes, or all there are."""
        return first_reaching(accumulate(map(len, islice(self.lines, start, None))), nbytes)

    def piece(self, start: int, stop: int) -> JsonLines:
        """Some of the rows."""
        if start == 0 and stop == len(self.lines):
            return self
        return JsonLines(self.name, self.first + start, self.lines[start:stop], self.unit)

    def digest(self, hasher: Hasher) -> None:
        """Feed in the texts."""
        hasher.update(b"\n".join(self.lines) + b"\n")

    def records(self) -> Iterator[Record]:
        """The rows, decoded now."""
        names = type_name if self.unit == "row" else _json_name
        for number, line in enumerate(self.lines, self.first):
            where = place(self.name, self.unit, number)
            try:
                value = json.loads(line.decode("utf-8"))
            except UnicodeDecodeError as error:
                yield Record(where, None, f"not UTF-8 (byte {error.start + 1})")
            except json.JSONDecodeError as error:
                yield Record(where, None, f"not JSON: {error.msg} at column {error.pos + 1}")
            except RecursionError:
                yield Record(where, None, "JSON nested too deeply")
            except ValueError as error:  # a number of too many digits
                yield Record(where, None, f"not readable: {error}")
            else:
                if isinstance(value, dict) and not is_marker(value):
                    yield Record(where, value)
                else:
                    array = self.unit == "line" and isinstance(value, list)
                    hint = "; a file that is one array is named .json" if array else ""
                    yield Record(where, None, f"{names(value)}, not an object with fields{hint}")


@dataclass(frozen=True, slots=True)
class CsvRows:
    """Rows of a CSV file, split into fields.

    Attributes
    ----------
    name : str
        The file, as the user named it.
    starts : tuple of int
        The line on which each row begins, from 1.
    header : tuple of str
        The names of the columns.
    rows : tuple of tuple of str
        The fields; bytes that are no UTF-8 stand in them as surrogates.
    """

    name: str
    starts: tuple[int, ...]
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def nbytes(self) -> int:
        """The characters of the fields."""
        return sum(map(_characters, self.rows))

    def rows_within(self, start: int, nbytes: int) -> int:
        """How many rows from `start` on it takes to reach so many bytes, or all there are."""
        return first_reaching(accumulate(map(_characters, islice(self.rows, start, None))), nbytes)

    def piece(self, start: int, stop: int) -> CsvRows:
        """Some of the rows."""
        return CsvRows(self.name, self.starts[start:stop], self.header, self.rows[start:stop])

    def digest(self, hasher: Hasher) -> None:
        """Feed in the header and the fields."""
        hasher.update(json.dumps([self.header, self.rows]).encode("ascii"))

    def records(self) -> Iterator[Record]:
        """The rows as fields by column."""
        wanted = len(self.header)
        for start, row in zip(self.starts, self.rows, strict=True):
            where = place(self.name, "line", start)
            if len(row) != wanted:
                yield Record(where, None, f"{_fields(len(row))} where the header has {wanted}")
            elif (column := self._not_utf8(row)) is not None:
                yield Record(where, None, f"not UTF-8 (in column {column})")
            else:
                yield Record(where, dict(zip(self.header, row, strict=True)))

    def _not_utf8(self, row: Sequence[str]) -> str | None:
        for column, value in zip(self.header, row, strict=True):
            try:
                value.encode("utf-8")
            except UnicodeEncodeError:
                return column
        return None


@dataclass(frozen=True, slots=True)
class ArrowRows:
    """Rows of a table, as an Arrow stream of one record batch.

    All columns are kept, those of bytes too, so that a later check can name what a column holds.

    Attributes
    ----------
    name : str
        The file, as the user named it; empty for rows of an object.
    first : int
        The number of the first row, from 1.
    data : bytes
        The stream, with its schema.
    rows : int
        The number of rows.
    """

    name: str
    first: int
    data: bytes
    rows: int

    @classmethod
    def from_batch(cls, name: str, first: int, batch: pa.RecordBatch) -> ArrowRows:
        """Write a record batch into a stream."""
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, batch.schema) as writer:
            writer.write_batch(batch)
        return cls(name, first, sink.getvalue().to_pybytes(), batch.num_rows)

    def __len__(self) -> int:
        return self.rows

    @property
    def nbytes(self) -> int:
        """The length of the stream."""
        return len(self.data)

    def digest(self, hasher: Hasher) -> None:
        """Feed in the values; the stream itself has bytes under nulls that say nothing."""
        batch = self._batch()
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            hasher.update(name.encode("utf-8", "surrogatepass"))
            _digest_column(column, hasher)

    def records(self) -> Iterator[Record]:
        """The rows as fields by column, with Python's values for those of Arrow."""
        batch = self._batch()
        try:
            rows = batch.to_pylist()
        except (ValueError, OverflowError):  # no UTF-8, or a time that Python cannot hold
            yield from self._one_by_one(batch)
            return
        for number, row in enumerate(rows, self.first):
            yield Record(place(self.name, "row", number), row)

    def _batch(self) -> pa.RecordBatch:
        with pa.ipc.open_stream(self.data) as reader:
            return reader.read_next_batch()

    def _one_by_one(self, batch: pa.RecordBatch) -> Iterator[Record]:
        for index in range(batch.num_rows):
            where = place(self.name, "row", self.first + index)
            fields: dict[str, Any] = {}
            problem = ""
            for name, column in zip(batch.schema.names, batch.columns, strict=True):
                try:
                    fields[name] = column[index].as_py()
                except (ValueError, OverflowError) as error:
                    if not is_text(column.type):  # most likely of no use here, as a date
                        fields[name] = {TYPE_MARKER: str(column.type)}
                        continue
                    problem = f"column {name} cannot be read: {error}"
                    break
            yield Record(where, None, problem) if problem else Record(where, fields)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """One row in the place of what could not be read, such as the rest of a truncated file.

    Attributes
    ----------
    name : str
        The file, as the user named it; empty for rows of an object.
    first : int
        The number of the line, item or row.
    reason : str
        What was wrong with it.
    unit : str
        What is numbered: ``line``, ``item`` or ``row``.
    """

    name: str
    first: int
    reason: str
    unit: str = "line"

    def __len__(self) -> int:
        return 1

    @property
    def nbytes(self) -> int:
        """The length of the reason."""
        return len(self.reason)

    def rows_within(self, start: int, nbytes: int) -> int:
        """One, since there is one row."""
        return 1

    def piece(self, start: int, stop: int) -> Unreadable:
        """The one row."""
        return self

    def digest(self, hasher: Hasher) -> None:
        """Feed in the reason."""
        hasher.update(b"\0unreadable\0" + self.reason.encode("utf-8", "surrogatepass"))

    def records(self) -> Iterator[Record]:
        """One row with its problem."""
        yield Record(place(self.name, self.unit, self.first), None, self.reason)


def is_text(kind: pa.DataType) -> bool:
    """Whether a column holds texts or lists of them."""
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        return is_text(kind.value_type)
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def place(name: str, unit: str, number: int) -> str:
    """Where a row stands, for people."""
    return f"{name}, {unit} {number}" if name else f"{unit} {number}"


def first_reaching(totals: Iterator[int], wanted: int) -> int:
    """How many of some growing totals it takes to reach a number, or all of them.

    Examples
    --------
    >>> first_reaching(iter([10, 20, 30]), 15), first_reaching(iter([10, 20, 30]), 99)
    (2, 3)
    """
    count = 0
    for total in totals:
        count += 1
        if total >= wanted:
            break
    return count


def _digest_column(column: pa.Array, hasher: Hasher) -> None:
    """Feed in the values of a column, texts and lists of them without making Python's of them."""
    import pyarrow.compute as pc  # here, for a process that scores digests nothing

    kind = str(column.type)
    if kind in {"string", "large_string"}:
        hasher.update(_numbers(pc.binary_length(column)))
        if len(column):
            texts = column.cast(pa.large_binary()).fill_null(b"")
            _, offsets, data = texts.buffers()
            ends = np.frombuffer(offsets, np.int64)[texts.offset :]
            hasher.update(memoryview(data or b"")[ends[0] : ends[len(texts)]])
    elif pa.types.is_list(column.type) or pa.types.is_large_list(column.type):
        hasher.update(_numbers(pc.list_value_length(column)))
        _digest_column(column.flatten(), hasher)
    else:
        try:
            said = repr(column.to_pylist())
        except (ValueError, OverflowError):  # values that Python cannot hold
            said = str(column)
        hasher.update(said.encode("utf-8", "surrogatepass"))


def _numbers(lengths: pa.Array) -> bytes:
    """Lengths as bytes; a null has length -1."""
    data: bytes = lengths.fill_null(-1).to_numpy(zero_copy_only=False).astype("<i8").tobytes()
    return data


def _json_name(value: object) -> str:
    return _JSON_NAMES.get(type(value)) or type_name(value)


def _characters(row: tuple[str, ...]) -> int:
    return sum(map(len, row))


def _fields(count: int) -> str:
    return "1 field" if count == 1 else f"{count} fields"
