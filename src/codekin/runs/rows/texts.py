"""Rows of text files: decompressed, decoded, and cut into JSON lines, items or CSV rows.

Written by hand, since the readers of pyarrow give up a whole block for one bad row and do not say
on which line it is, while here a bad row is recorded and the others are read.
"""

from __future__ import annotations

import bz2
import codecs
import csv
import gzip
import io
import json
import lzma
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import BinaryIO, TypeVar

import pyarrow as pa

from codekin.errors import CodekinError
from codekin.runs.rows.pieces import CsvRows, JsonLines, Unreadable, check_columns

__all__ = [
    "COMPRESSIONS",
    "BrokenInputError",
    "ByteStream",
    "check_header",
    "csv_pieces",
    "cut_lines",
    "grouped",
    "json_array_pieces",
    "json_line_pieces",
    "json_pieces",
    "look_ahead",
    "looks_binary",
    "text_line_pieces",
]

COMPRESSIONS = {".gz": "gzip", ".xz": "xz", ".zst": "zstd", ".bz2": "bzip2"}
"""Suffixes of compressed files, and how they are compressed."""

_BLOCK = 2**20
_LONGEST = 64 * 2**20
"""Longer rows are not held in memory: such a file is in the wrong format."""
_LONGEST_DOCUMENT = 512 * 2**20
"""A file that is one object has all results of a harness."""
_MAGIC = {b"\x1f\x8b": "gzip", b"\xfd7zXZ\0": "xz", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bzip2"}
_ENCODINGS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",  # before UTF-16's, which it begins with
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_HOPELESS = 2**30
"""After a line of this length nothing more is read: a few kilobytes can hold terabytes of one."""
_MOST_COLUMNS = 1_000_000
_GROUP = 256
_ANY_SIZE = 2**31 - 1  # what a C long holds everywhere
_Row = TypeVar("_Row")


class BrokenInputError(Exception):
    """The rest of an input cannot be read; the message says why."""


class ByteStream(io.RawIOBase):
    """The bytes of a file, whose first bytes show its compression.

    Parameters
    ----------
    file : binary file
        Where the bytes come from; only its ``read`` is used.
    compression : str, optional
        As the name of the file says; other content is then an error.
    """

    def __init__(self, file: BinaryIO, compression: str | None = None) -> None:
        self.start = b""
        """The first bytes, as they are stored."""
        while len(self.start) < 6 and (more := file.read(6 - len(self.start))):
            self.start += more  # a pipe may deliver them one by one
        self.position = 0
        """How many bytes of the file have been read."""
        self._ahead, self._file = self.start, file
        self._expected = compression
        found = (kind for magic, kind in _MAGIC.items() if self.start.startswith(magic))
        self._compression = next(found, None)

    def readable(self) -> bool:
        """True, as decompressors ask."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Bytes as they are stored, for decompressors."""
        if self._ahead:
            size = len(self._ahead) if size < 0 else size
            data, self._ahead = self._ahead[:size], self._ahead[size:]
        else:
            data = self._file.read(size)
        self.position += len(data)
        return data

    def blocks(self) -> Iterator[bytes]:
        """The content in blocks, without a byte order mark; UTF-16 and UTF-32 become UTF-8.

        Raises
        ------
        BrokenInputError
            If the content cannot be read any further.
        """
        try:
            yield from self._decoded()
        except UnicodeDecodeError as error:
            raise BrokenInputError(f"not {error.encoding.upper()}: {error.reason}") from None
        except EOFError:
            raise BrokenInputError(f"the {self._compression} data end too early") from None
        except (OSError, zlib.error, lzma.LZMAError, pa.ArrowException) as error:
            kind = f"{self._compression} data" if self._compression else "the file"
            raise BrokenInputError(f"{kind} cannot be read any further: {error}") from None

    def _decoded(self) -> Iterator[bytes]:
        blocks = self._decompressed()
        start = b""
        while len(start) < 4 and (block := next(blocks, b"")):
            start += block
        mark = next((mark for mark in _ENCODINGS if start.startswith(mark)), b"")
        encoding = _ENCODINGS.get(mark, "utf-8")
        content = chain([start[len(mark) :]], blocks)
        if encoding == "utf-8":
            yield from content
        else:
            yield from (text.encode() for text in codecs.iterdecode(content, encoding))

    def _decompressed(self) -> Iterator[bytes]:
        if self._expected and not self.start:
            raise BrokenInputError(f"the file is empty, so it is not {self._expected} data")
        if self._expected and self._compression != self._expected:
            raise BrokenInputError(f"no {self._expected} data, though the name says so")
        read: Callable[[int], bytes] = self.read
        size = _BLOCK
        # `read1` returns what was decompressed before the broken place.
        match self._compression:
            case "gzip":
                read = gzip.GzipFile(fileobj=self, mode="rb").read1  # of what was opened before
            case "xz":
                read = _Streams(self, lzma.LZMADecompressor).read1
            case "bzip2":
                read = _Streams(self, bz2.BZ2Decompressor).read1
            case "zstd":
                read = pa.CompressedInputStream(pa.PythonFile(self, mode="r"), "zstd").read
                size = _BLOCK // 16  # Arrow loses what it has decompressed of a broken block
        return iter(lambda: read(size), b"")


class _Streams:
    """Concatenated compressed streams, as in xz and bzip2.

    Python's own readers ignore whatever follows a stream and is not another one, so the rows of a
    damaged second stream would be lost silently.
    """

    def __init__(
        self,
        file: ByteStream,
        start: Callable[[], lzma.LZMADecompressor | bz2.BZ2Decompressor],
    ) -> None:
        self._file = file
        self._start = start
        self._stream: lzma.LZMADecompressor | bz2.BZ2Decompressor = start()
        self._ahead = b""

    def read1(self, size: int) -> bytes:
        """Some of the content, as far as it is intact; nothing at its end."""
        while True:
            if self._stream.eof and not self._next_stream():
                return b""
            if not self._ahead and self._stream.needs_input:
                self._ahead = self._file.read(_BLOCK // 16)
                if not self._ahead:
                    raise EOFError
            data, self._ahead = self._ahead, b""
            content: bytes = self._stream.decompress(data, size)
            if self._stream.eof:
                self._ahead = self._stream.unused_data
            if content:
                return content

    def _next_stream(self) -> bool:
        """Begin the next stream, after any zeros; whether there is one."""
        while not (ahead := self._ahead.lstrip(b"\0")):
            self._ahead = self._file.read(_BLOCK // 16)
            if not self._ahead:
                return False
        self._ahead, self._stream = ahead, self._start()
        return True


def look_ahead(blocks: Iterator[bytes], least: int) -> tuple[bytes, Iterator[bytes]]:
    """The start of a text after white space, of at least `least` bytes, and all its blocks.

    Broken input raises an error only when the blocks are read.
    """
    start = b""
    broken: list[BrokenInputError] = []
    try:
        while len(start.lstrip()) < least and len(start) < _BLOCK:
            if (more := next(blocks, None)) is None:
                break
            start += more
    except BrokenInputError as error:
        broken.append(error)

    def from_the_start() -> Iterator[bytes]:
        yield start
        for error in broken:
            raise error
        yield from blocks

    return start.lstrip(), from_the_start()


def cut_lines(
    blocks: Iterable[bytes], longest: int = _LONGEST
) -> Iterator[tuple[int, list[bytes] | None]]:
    r"""Consecutive lines, with the number of the first of them, from 1.

    Lines end with a newline, which is not part of them; a carriage return before it is. A line
    longer than `longest` is given as None by itself, and never held in memory.

    Raises
    ------
    BrokenInputError
        For a line of a gigabyte: to pass over what a bomb holds could take hours.

    Examples
    --------
    >>> list(cut_lines([b"one\ntw", b"o\nthr", b"ee"]))
    [(1, [b'one']), (2, [b'two']), (3, [b'three'])]
    """
    number = 1
    parts: list[bytes] = []
    held = 0
    for block in blocks:
        lines = block.split(b"\n")
        held += len(lines[0])
        if held <= longest:
            parts.append(lines[0])
        else:
            parts.clear()
        if held > _HOPELESS:
            raise BrokenInputError(
                f"a line of more than {_HOPELESS:,} bytes; nothing after it is read"
            )
        if len(lines) == 1:
            continue
        rest = lines.pop()
        if held > longest:
            yield number, None
            number += 1
            del lines[0]
        else:
            lines[0] = b"".join(parts)
        if lines:
            yield number, lines
            number += len(lines)
        parts, held = [rest], len(rest)
    if held > longest:
        yield number, None
    elif held:
        yield number, [b"".join(parts)]


def grouped(
    rows: Iterable[_Row | Unreadable], size: Callable[[_Row], int]
) -> Iterator[list[_Row] | Unreadable]:
    """Consecutive rows together, if few and small; unreadable ones by themselves."""
    held: list[_Row] = []
    total = 0
    for row in rows:
        if not isinstance(row, Unreadable):
            held.append(row)
            total += size(row)
            if len(held) < _GROUP and total <= _BLOCK:
                continue
        if held:
            yield held
            held, total = [], 0
        if isinstance(row, Unreadable):
            yield row
    if held:
        yield held


def json_pieces(
    name: str, blocks: Iterable[bytes], longest: int | None = None, *, required: bool = True
) -> Iterator[JsonLines | Unreadable]:
    """Rows of one array of objects if the text begins with a bracket, else of JSON lines.

    One object over several lines is one record. An empty text is not JSON, and unreadable where
    something is `required`.
    """
    start, blocks = look_ahead(iter(blocks), 3)
    if not start and required:
        reason = "the file is empty, so it is not JSON"
        try:
            for _ in blocks:
                pass
        except BrokenInputError as error:
            reason = str(error)
        yield Unreadable(name, 1, reason)
    elif start.startswith(b"["):
        yield from json_array_pieces(name, blocks, longest or _LONGEST)
    elif start.startswith((b"{\n", b"{\r\n")):
        yield _one_object(name, blocks)
    else:
        yield from json_line_pieces(name, blocks, longest or _LONGEST_DOCUMENT)


def _one_object(name: str, blocks: Iterable[bytes]) -> JsonLines | Unreadable:
    """A text that is one object over several lines, as harnesses write their results."""
    data = bytearray()
    try:
        for block in blocks:
            data += block
            if len(data) > _LONGEST_DOCUMENT:
                raise BrokenInputError(f"one JSON object of more than {_LONGEST_DOCUMENT:,} bytes")
        if not data.rstrip().endswith(b"}"):
            raise BrokenInputError("not JSON: the object has no end")
    except BrokenInputError as error:
        return Unreadable(name, 1, str(error))
    return JsonLines(name, 1, (bytes(data),), "item")


def json_line_pieces(
    name: str, blocks: Iterable[bytes], longest: int = _LONGEST
) -> Iterator[JsonLines | Unreadable]:
    """Rows of JSON lines, without blank lines."""
    number = 1
    try:
        for first, lines in cut_lines(blocks, longest):
            number = first + (1 if lines is None else len(lines))
            if lines is None:
                yield Unreadable(name, first, f"a line of more than {longest:,} bytes")
                continue
            start = 0
            blanks = [i for i, line in enumerate(lines) if not line or line.isspace()]
            for blank in [*blanks, len(lines)]:
                if blank > start:
                    yield JsonLines(name, first + start, tuple(lines[start:blank]))
                start = blank + 1
    except BrokenInputError as error:
        yield Unreadable(name, number, str(error))


def text_line_pieces(
    name: str, blocks: Iterable[bytes], field: str, longest: int = _LONGEST
) -> Iterator[JsonLines | Unreadable]:
    """Rows with one field each: the lines of a text, blank ones included."""

    def rows() -> Iterator[bytes | Unreadable]:
        number = 1
        try:
            for first, lines in cut_lines(blocks, longest):
                number = first + (1 if lines is None else len(lines))
                if lines is None:
                    yield Unreadable(name, first, f"a line of more than {longest:,} bytes")
                for place, line in enumerate(lines or (), first):
                    try:
                        text = line.removesuffix(b"\r").decode("utf-8")
                    except UnicodeDecodeError as error:
                        yield Unreadable(name, place, f"not UTF-8 (byte {error.start + 1})")
                    else:
                        yield json.dumps({field: text}).encode("ascii")
        except BrokenInputError as error:
            yield Unreadable(name, number, str(error))

    number = 1
    for found in grouped(rows(), len):
        if isinstance(found, Unreadable):
            yield found
            number += 1
        else:
            yield JsonLines(name, number, tuple(found))
            number += len(found)


def json_array_pieces(
    name: str, blocks: Iterable[bytes], longest: int = _LONGEST
) -> Iterator[JsonLines | Unreadable]:
    """Rows of one array of objects, in bounded memory; an item that is not JSON hides the rest.

    Only parsing tells where an item ends, so this is slower than JSON lines.
    """
    number = 1
    for found in grouped(_items(name, _Ahead(blocks), longest), len):
        if isinstance(found, Unreadable):
            yield found
        else:
            yield JsonLines(name, number, tuple(found), "item")
            number += len(found)


class _Ahead:
    """The text after the current position; earlier text is dropped."""

    def __init__(self, blocks: Iterable[bytes]) -> None:
        self._texts = codecs.iterdecode(blocks, "utf-8")
        self.text = ""
        self.at = 0
        self.ended = False

    def more(self, least: int) -> None:
        """Read at least `least` more characters, if there are any."""
        parts = [self.text[self.at :]]
        while least > 0 and not self.ended:
            try:
                part = next(self._texts, None)
            except UnicodeDecodeError:
                raise BrokenInputError("not UTF-8 from here on") from None
            self.ended = part is None
            parts.append(part or "")
            least -= len(parts[-1])
        self.text, self.at = "".join(parts), 0

    def next_visible(self) -> str:
        """The next character that is not white space, not yet passed; empty at the end."""
        while not (found := _VISIBLE.search(self.text, self.at)) and not self.ended:
            self.at = len(self.text)
            self.more(1)
        self.at = found.start() if found else len(self.text)
        return self.text[self.at : self.at + 1]

    def take(self) -> str:
        """The next character that is not white space, passed."""
        mark = self.next_visible()
        self.at += 1
        return mark

    def item(self, longest: int) -> bytes:
        """The next item of an array; reads on, twice as far each time, until it is complete."""
        self.next_visible()
        while True:
            try:
                _, end = _DECODER.raw_decode(self.text, self.at)
            except json.JSONDecodeError as error:
                if self.ended:
                    raise BrokenInputError(f"not JSON: {error.msg}") from None
            except RecursionError:
                raise BrokenInputError("JSON nested too deeply") from None
            else:
                # A number may continue after anything else.
                if self.ended or self.text[end : end + 1] in {*" \t\r\n,]"}:
                    item, self.at = self.text[self.at : end], end
                    return item.encode("utf-8")
            if len(self.text) - self.at > longest:
                raise BrokenInputError(f"not JSON, or an item of more than {longest:,} characters")
            self.more(len(self.text) - self.at + 1)


_VISIBLE = re.compile(r"[^ \t\r\n]")
# Numbers are not converted, since only the ends of items are needed.
_DECODER = json.JSONDecoder(parse_int=len, parse_float=len)


def _items(name: str, ahead: _Ahead, longest: int) -> Iterator[bytes | Unreadable]:
    """The items of an array, as they are written."""
    number = 1
    try:
        ahead.take()  # the bracket
        mark = "" if ahead.next_visible() != "]" else ahead.take()
        while mark != "]":
            yield ahead.item(longest)
            number += 1
            mark = ahead.take()
            if not mark:
                raise BrokenInputError("not JSON: the array has no end")
            if mark not in ",]":
                raise BrokenInputError("not JSON: a comma or the end of the array should follow")
        if ahead.next_visible():
            raise BrokenInputError("not JSON: something follows the end of the array")
    except BrokenInputError as error:
        yield Unreadable(name, number, str(error), "item")


def csv_pieces(
    name: str, blocks: Iterable[bytes], delimiter: str = ",", longest: int = _LONGEST
) -> Iterator[CsvRows | Unreadable]:
    """Rows of a CSV file, whose first row names the columns, without blank lines.

    Quoting is that of RFC 4180 and taken strictly, so that a stray quote cannot silently change a
    text: a row with one is unreadable, and reading goes on with the next line.

    Raises
    ------
    CodekinError
        If the header has a column without a name, or two with the same name.
    """
    rows = _csv_rows(name, blocks, delimiter, longest)
    empty = Unreadable(name, 1, "the file is empty; its first line must name the columns")
    first = next(rows, empty)
    if isinstance(first, Unreadable):
        yield first
        return
    _, header = first
    _check_names(name, header)
    for found in grouped(rows, lambda row: sum(map(len, row[1]))):
        if isinstance(found, Unreadable):
            yield found
        else:
            yield CsvRows(name, found[0][0], header, tuple(found))


def check_header(name: str, blocks: Iterable[bytes], delimiter: str) -> None:
    """Raise a CodekinError for a header that does not name every column once."""
    first = next(_csv_rows(name, blocks, delimiter, _LONGEST), None)
    if isinstance(first, tuple):
        _, header = first
        if looks_binary("".join(header)):
            raise CodekinError(f"{name}: looks binary, and not like a header of CSV")
        _check_names(name, header)
        other = next((one for one in ";\t,|" if one != delimiter and one in header[0]), None)
        if len(header) == 1 and other is not None:
            wanted = "a tab" if delimiter == "\t" else repr(delimiter)
            found = "tabs (name it .tsv)" if other == "\t" else repr(other)
            raise CodekinError(
                f"{name}: has one column, {header[0][:60]!r}; its fields seem to be separated by "
                f"{found}, and {wanted} is expected"
            )


def looks_binary(text: str) -> bool:
    r"""Whether a text has characters that no text file has.

    Examples
    --------
    >>> looks_binary("id,code\t"), looks_binary("id\0code")
    (False, True)
    """
    return re.search(r"[\0-\x08\x0e-\x1a\x1c-\x1f]", text) is not None


def _check_names(name: str, header: tuple[str, ...]) -> None:
    if len(header) > _MOST_COLUMNS:
        raise CodekinError(
            f"{name}: has {len(header):,} columns, and at most {_MOST_COLUMNS:,} are read; is its "
            "first line the header?"
        )
    for place, column in enumerate(header, 1):
        if not column.strip():
            raise CodekinError(
                f"{name}: column {place} has no name; the first line must name each column "
                "(pandas leaves its index without one: write with index=False)"
            )
    check_columns(name, header)


def _csv_rows(
    name: str, blocks: Iterable[bytes], delimiter: str, longest: int
) -> Iterator[tuple[int, tuple[str, ...]] | Unreadable]:
    """Rows with the line on which they begin, as far as they can be read."""
    held = 0  # bytes since the last complete row

    def texts() -> Iterator[io.StringIO]:
        """Lines for the csv module, in texts that it can iterate over quickly."""
        nonlocal held
        for _, lines in cut_lines(blocks, longest):
            if held > longest or lines is None:
                raise BrokenInputError(
                    f"a row of more than {longest:,} bytes; is a quote never closed?"
                )
            text = b"\n".join([*lines, b""])
            held += len(text)
            yield io.StringIO(text.decode("utf-8", "surrogateescape"), newline="\n")

    reader = csv.reader(chain.from_iterable(texts()), delimiter=delimiter, strict=True)
    while True:
        start, held = reader.line_num + 1, 0
        limit = csv.field_size_limit(_ANY_SIZE)  # shared with all that read CSV in this process
        try:
            row = next(reader, None)
        except csv.Error as error:
            reason, *_ = str(error).partition(" - ")  # what follows is advice to programmers
            yield Unreadable(name, start, f"broken CSV: {reason}")
            continue
        except BrokenInputError as error:
            yield Unreadable(name, start, str(error))
            return
        finally:
            csv.field_size_limit(limit)
        if row is None:
            return
        if row:
            yield start, tuple(row)
