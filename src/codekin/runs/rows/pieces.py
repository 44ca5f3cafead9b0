"""Rows that are read but not yet decoded: pieces of an input, and shards of pieces.

The process that reads the input only cuts it into pieces; a worker decodes them.
"""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from codekin.errors import CodekinError
from codekin.runs.columns import to_numpy

__all__ = [
    "MOST_BYTES",
    "TYPE_MARKER",
    "ArrowRows",
    "ComposedRow",
    "ComposedRows",
    "CsvRows",
    "JsonLines",
    "Piece",
    "Record",
    "RowInput",
    "Shard",
    "Shares",
    "Unreadable",
    "check_columns",
    "cut_shards",
    "type_name",
]

_MOST_ROWS = 1000
MOST_BYTES = 8 * 2**20
"""The size at which a shard ends early."""

TYPE_MARKER = "\0type"
"""The only key of an object that replaces a value JSON cannot hold; it names the type."""

Update = Callable[[bytes | memoryview], object]
"""Takes bytes for a digest, like ``hashlib.sha256().update``."""

_NAMES = {
    bool: "true or false",
    int: "a number",
    float: "a number",
    str: "a text",
    list: "a list",
    tuple: "a list",
    bytes: "bytes",
    type(None): "null",
}
_JSON_NAMES = {
    list: "a JSON array",
    str: "a JSON string",
    bool: "a JSON boolean",
    int: "a JSON number",
    float: "a JSON number",
    type(None): "a JSON null",
}


class Record(NamedTuple):
    """A row as it was read.

    Attributes
    ----------
    where : str
        The place of the row, for people, such as ``predictions.jsonl, line 17``.
    fields : dict or None
        Its fields by name; None if the row could not be read.
    problem : str
        Why it could not be read or has no counterpart; otherwise empty.
    has_nulls : bool
        Whether the format can tell an empty text from none, unlike CSV.
    """

    where: str
    fields: dict[str, Any] | None
    problem: str = ""
    has_nulls: bool = True


@dataclass(frozen=True, slots=True)
class _PieceBase:
    """Consecutive rows of one input.

    Attributes
    ----------
    name : str
        The file, as the user named it; empty for rows of an object.
    first : int
        The number of the first line, item or row, from 1.
    """

    name: str
    first: int

    def _place(self, unit: str, number: int) -> str:
        return f"{self.name}, {unit} {number}" if self.name else f"{unit} {number}"


class _CountedRows(_PieceBase, ABC):
    """Rows whose memory is counted one by one."""

    __slots__ = ()

    @abstractmethod
    def sizes(self, start: int = 0) -> Iterator[int]:
        """About how many bytes of memory each row from `start` on takes."""

    @property
    def nbytes(self) -> int:
        """About how much memory the rows take."""
        return sum(self.sizes())

    def rows_within(self, start: int, nbytes: int) -> int:
        """How many rows from `start` on it takes to reach this many bytes, or all there are."""
        count = 0
        for size in self.sizes(start):
            count += 1
            nbytes -= size
            if nbytes <= 0:
                break
        return count


@dataclass(frozen=True, slots=True)
class JsonLines(_CountedRows):
    r"""Rows that are each one JSON text, in UTF-8.

    Attributes
    ----------
    lines : tuple of bytes
        The texts.
    unit : str
        What is numbered: ``line`` of a file, ``item`` of a JSON array, ``row`` of an object.

    Examples
    --------
    >>> good, bad = JsonLines("a.jsonl", 7, (b'{"id": 1}', b'{"id" 2}')).records()
    >>> good
    Record(where='a.jsonl, line 7', fields={'id': 1}, problem='', has_nulls=True)
    >>> bad.where, bad.problem
    ('a.jsonl, line 8', "not JSON: Expecting ':' delimiter at column 7")
    """

    lines: tuple[bytes, ...]
    unit: str = "line"

    def __len__(self) -> int:
        return len(self.lines)

    def sizes(self, start: int = 0) -> Iterator[int]:
        """The lengths of the texts."""
        return map(len, self.lines[start:])

    def piece(self, start: int, stop: int) -> JsonLines:
        """Some of the rows."""
        return JsonLines(self.name, self.first + start, self.lines[start:stop], self.unit)

    def digest(self, update: Update) -> None:
        """Feed in the texts."""
        update(b"\n".join(self.lines) + b"\n")

    def records(self) -> Iterator[Record]:
        """The rows, decoded now."""
        for number, line in enumerate(self.lines, self.first):
            value, problem = None, ""
            try:
                value = json.loads(line.decode("utf-8"))
            except UnicodeDecodeError as error:
                problem = f"not UTF-8 (byte {error.start + 1})"
            except json.JSONDecodeError as error:
                problem = f"not JSON: {error.msg.removesuffix(' at')} at column {error.pos + 1}"
            except RecursionError:
                problem = "JSON nested too deeply"
            except ValueError as error:  # a number of too many digits
                problem = f"not readable: {error}"
            else:
                if not isinstance(value, dict) or _is_marker(value):
                    problem = self._no_object(value)
            where = self._place(self.unit, number)
            yield Record(where, None, problem) if problem else Record(where, value)

    def _no_object(self, value: object) -> str:
        name = _JSON_NAMES.get(type(value)) if self.unit != "row" else None
        array = self.unit == "line" and isinstance(value, list)
        hint = "; a file that is one array is named .json" if array else ""
        return f"{name or type_name(value)}, not an object with fields{hint}"


@dataclass(frozen=True, slots=True)
class CsvRows(_CountedRows):
    """Rows of a CSV file, split into fields.

    Attributes
    ----------
    header : tuple of str
        The names of the columns.
    rows : tuple of (int, tuple of str)
        For each row, the line on which it begins and its fields, with surrogates for bytes that
        are not UTF-8.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]

    def __len__(self) -> int:
        return len(self.rows)

    def sizes(self, start: int = 0) -> Iterator[int]:
        """The characters of the fields."""
        return (sum(map(len, fields)) for _, fields in self.rows[start:])

    def piece(self, start: int, stop: int) -> CsvRows:
        """Some of the rows."""
        rows = self.rows[start:stop]
        return CsvRows(self.name, rows[0][0], self.header, rows)

    def digest(self, update: Update) -> None:
        """Feed in the header and the fields."""
        update(json.dumps([self.header, [fields for _, fields in self.rows]]).encode("ascii"))

    def records(self) -> Iterator[Record]:
        """The rows as fields by column."""
        wanted = len(self.header)
        for line, fields in self.rows:
            where = self._place("line", line)
            if len(fields) != wanted:
                found = "1 field" if len(fields) == 1 else f"{len(fields)} fields"
                yield Record(where, None, f"{found} where the header has {wanted}")
                continue
            row = dict(zip(self.header, fields, strict=True))
            broken = next((column for column, text in row.items() if not _is_utf8(text)), None)
            problem = "" if broken is None else f"not UTF-8 (in column {broken})"
            yield Record(where, None, problem) if problem else Record(where, row, has_nulls=False)


@dataclass(frozen=True, slots=True)
class ArrowRows(_PieceBase):
    """Rows of a table, as a record batch; pickled as an Arrow stream of these rows alone.

    All columns are kept, even those of bytes, so that a later check can name their types.
    """

    batch: pa.RecordBatch

    def __len__(self) -> int:
        rows: int = self.batch.num_rows
        return rows

    def __reduce__(self) -> tuple[Any, ...]:
        return _arrow_rows, (self.name, self.first, self._stream())

    def _stream(self) -> bytes:
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, self.batch.schema) as writer:
            writer.write_batch(self.batch)
        data: bytes = sink.getvalue().to_pybytes()
        return data

    @property
    def nbytes(self) -> int:
        """The length of the stream."""
        return len(self._stream())

    def rows_within(self, start: int, nbytes: int) -> int:
        """How many rows from `start` on it takes to reach this many bytes, or all there are."""
        counts = range(1, len(self) - start)
        return 1 + bisect_left(counts, nbytes, key=lambda n: self.batch.slice(start, n).nbytes)

    def piece(self, start: int, stop: int) -> ArrowRows:
        """Some of the rows."""
        return ArrowRows(self.name, self.first + start, self.batch.slice(start, stop - start))

    def digest(self, update: Update) -> None:
        """Feed in the values, but not the arbitrary bytes under nulls."""
        for name, column in zip(self.batch.schema.names, self.batch.columns, strict=True):
            update(name.encode("utf-8", "surrogatepass"))
            _digest_column(column, update)

    def records(self) -> Iterator[Record]:
        """The rows as fields by column, with Python's values for those of Arrow."""
        try:
            rows = self.batch.to_pylist()
        except (ValueError, OverflowError):  # not UTF-8, or a time that Python cannot hold
            rows = [_fields(self.batch, index) for index in range(len(self))]
        for number, row in enumerate(rows, self.first):
            where = self._place("row", number)
            yield Record(where, None, row) if isinstance(row, str) else Record(where, row)


@dataclass(frozen=True, slots=True)
class Unreadable(_CountedRows):
    """One row in place of what could not be read, such as the rest of a truncated file.

    Attributes
    ----------
    reason : str
        What is wrong.
    unit : str
        What is numbered: ``line``, ``item`` or ``row``.
    """

    reason: str
    unit: str = "line"

    def __len__(self) -> int:
        return 1

    def sizes(self, start: int = 0) -> Iterator[int]:
        """The length of the reason."""
        return iter([len(self.reason)])

    def piece(self, start: int, stop: int) -> Unreadable:
        """The one row."""
        return self

    def digest(self, update: Update) -> None:
        """Feed in the reason."""
        update(b"\0unreadable\0" + self.reason.encode("utf-8", "surrogatepass"))

    def records(self) -> Iterator[Record]:
        """One row with its problem."""
        yield Record(self._place(self.unit, self.first), None, self.reason)


class ComposedRow(NamedTuple):
    """A row that was put together from several inputs.

    Attributes
    ----------
    where : str
        The place of the row, for people.
    data : bytes
        Its fields, as a JSON object.
    problem : str
        Why it cannot be scored; otherwise empty.
    """

    where: str
    data: bytes
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ComposedRows(_CountedRows):
    """Rows that were put together from several inputs.

    Attributes
    ----------
    rows : tuple of ComposedRow
    """

    rows: tuple[ComposedRow, ...]

    def __len__(self) -> int:
        return len(self.rows)

    def sizes(self, start: int = 0) -> Iterator[int]:
        """The lengths of the rows."""
        return (len(row.data) for row in self.rows[start:])

    def piece(self, start: int, stop: int) -> ComposedRows:
        """Some of the rows."""
        return ComposedRows(self.name, self.first + start, self.rows[start:stop])

    def digest(self, update: Update) -> None:
        """Feed in the fields and the problems."""
        for row in self.rows:
            update(row.data + b"\n" + row.problem.encode("utf-8", "surrogatepass") + b"\n")

    def records(self) -> Iterator[Record]:
        """The rows, decoded now."""
        for row in self.rows:
            yield Record(row.where, json.loads(row.data), row.problem)


Piece = JsonLines | CsvRows | ArrowRows | ComposedRows | Unreadable
"""Consecutive rows of one input: small, picklable and not yet decoded.

Each has a length, ``nbytes``, ``digest`` (of the content of the rows, not of their places) and
``records``, which decodes them; a row that cannot be read is a record with its problem.
"""

Shares = Iterator[tuple[Piece, float | None]]
"""Pieces as they are read, with how much of the input has been read after each, from 0 to 1; None
if its size is unknown."""


def type_name(value: object) -> str:
    r"""The type of a value, for messages such as "must be a text, not bytes".

    Examples
    --------
    >>> type_name(1.5), type_name([]), type_name(None), type_name({"a": 1}), type_name(b"")
    ('a number', 'a list', 'null', 'an object', 'bytes')
    >>> type_name({"\0type": "datetime"})
    'a datetime'
    """
    if type(value) in _NAMES:
        return _NAMES[type(value)]
    name = type(value).__name__
    if isinstance(value, dict):
        name = value[TYPE_MARKER] if _is_marker(value) else "object"
    return name if name == "bytes" else f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def check_columns(name: str, columns: Iterable[str]) -> None:
    """Raise a CodekinError if two columns of a table have the same name."""
    twice = sorted(column for column, times in Counter(columns).items() if times > 1)
    if twice:
        raise CodekinError(f"{name}: two columns are named {twice[0]!r}; names must differ")


def _is_marker(value: dict[str, Any]) -> bool:
    return len(value) == 1 and isinstance(value.get(TYPE_MARKER), str)


def _is_utf8(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _arrow_rows(name: str, first: int, data: bytes) -> ArrowRows:
    with pa.ipc.open_stream(data) as reader:
        return ArrowRows(name, first, reader.read_next_batch())


def _fields(batch: pa.RecordBatch, index: int) -> dict[str, Any] | str:
    """A row of a batch, or what is wrong with it."""
    fields: dict[str, Any] = {}
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        try:
            fields[name] = column[index].as_py()
        except (ValueError, OverflowError) as error:
            if _is_text(column.type):
                return f"column {name} cannot be read: {error}"
            fields[name] = {TYPE_MARKER: str(column.type)}  # most likely not needed, as a date
    return fields


def _is_text(kind: pa.DataType) -> bool:
    """Whether a column holds texts or lists of them."""
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        return _is_text(kind.value_type)
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _digest_column(column: pa.Array, update: Update) -> None:
    """Feed in the values of a column, of texts and lists of them without decoding each."""
    import pyarrow.compute as pc  # here, since workers make no digests

    kind = str(column.type)
    if kind in {"string", "large_string"}:
        update(_numbers(pc.binary_length(column)))
        texts = column.drop_null().cast(pa.large_binary())  # a null may have bytes of its own
        if len(texts):
            _, offsets, data = texts.buffers()
            ends = np.frombuffer(offsets, np.int64)[texts.offset :]
            update(memoryview(data or b"")[ends[0] : ends[len(texts)]])
    elif pa.types.is_list(column.type) or pa.types.is_large_list(column.type):
        update(_numbers(pc.list_value_length(column)))
        _digest_column(column.flatten(), update)
    else:
        try:
            shown = repr(column.to_pylist())
        except (ValueError, OverflowError):  # values that Python cannot hold
            shown = str(column)
        update(shown.encode("utf-8", "surrogatepass"))


def _numbers(lengths: pa.Array) -> bytes:
    """Lengths as bytes; a null has length -1."""
    sizes = to_numpy(lengths)
    return np.where(np.isnan(sizes), -1, sizes).astype("<i8").tobytes()


class RowInput:
    """Rows that can be read in shards.

    Parameters
    ----------
    describe : callable
        Describes the input in JSON values; for files, with their SHA-256, computed now.
    read : callable
        The rows, as :data:`Shares`; takes the rows and the bytes that may be held at once.
    once : str
        Why it can be read only once, if so.
    notes : list of str, optional
        What the user should know about how it is read; it may grow while that is done.
    """

    def __init__(
        self,
        describe: Callable[[], dict[str, Any]],
        read: Callable[[int, int], Shares],
        once: str = "",
        notes: list[str] | None = None,
    ) -> None:
        self.notes: list[str] = [] if notes is None else notes
        self.describe = describe
        self._read = read
        self.once = once
        self._used = False

    def shards(self, rows: int | None = None, most_bytes: int = MOST_BYTES) -> Iterator[Shard]:
        """The rows in shards; see :func:`cut_shards`."""
        if self.once and self._used:
            raise CodekinError(self.once)
        self._used = True
        return cut_shards(self._read(rows or _MOST_ROWS, most_bytes), rows, most_bytes)


@dataclass(frozen=True, slots=True)
class Shard:
    """Consecutive rows of an input, which a job scores, saves and resumes as a unit.

    Attributes
    ----------
    index : int
        Its position among the shards, from 0.
    first_row : int
        The position of its first row in the input, from 0.
    pieces : tuple of Piece
        The rows, not yet decoded.
    share : float or None
        The share of the input read so far, from 0 to 1; None if its size is unknown.
    """

    index: int
    first_row: int
    pieces: tuple[Piece, ...]
    share: float | None = None

    def __len__(self) -> int:
        return sum(map(len, self.pieces))

    def digest(self) -> str:
        """SHA-256 of the content of the rows, wherever they come from."""
        hasher = hashlib.sha256()
        for piece in self.pieces:
            piece.digest(hasher.update)
        return hasher.hexdigest()

    def records(self) -> Iterator[Record]:
        """The rows, decoded now."""
        for piece in self.pieces:
            yield from piece.records()


def shard_rows(index: int) -> int:
    """The number of rows in a shard by default.

    Few at first, so that a short job has work for every worker, and then more, so that a long one
    does not have too many files.

    Examples
    --------
    >>> [shard_rows(index) for index in (0, 7, 8, 16, 24, 1000)]
    [125, 125, 250, 500, 1000, 1000]
    """
    return _MOST_ROWS >> max(0, 3 - index // 8)


def cut_shards(
    read: Iterable[tuple[Piece, float | None]],
    rows: int | None,
    most_bytes: int = MOST_BYTES,
) -> Iterator[Shard]:
    """Cut pieces into shards.

    Parameters
    ----------
    read : iterable of (Piece, share)
        The rows, as :data:`Shares`.
    rows, most_bytes : int
        A shard ends when it has this many rows (None: as :func:`shard_rows` says), or when its
        pieces have reached this many bytes.
    """
    index = first_row = held = size = 0
    pieces: list[Piece] = []
    before: float | None = 0.0
    for piece, after in read:
        start, total = 0, len(piece)
        while start < total:
            most = shard_rows(index) if rows is None else rows
            stop = start + min(most - held, piece.rows_within(start, most_bytes - size))
            pieces.append(piece.piece(start, stop))
            held += stop - start
            size += pieces[-1].nbytes
            start = stop
            if held >= most or size >= most_bytes:
                known = before is not None and after is not None
                share = before + (after - before) * (stop / total) if known else None  # type: ignore[operator]
                yield Shard(index, first_row, tuple(pieces), share)
                index, first_row = index + 1, first_row + held
                pieces, held, size = [], 0, 0
        before = after
    if pieces:
        yield Shard(index, first_row, tuple(pieces), before)
