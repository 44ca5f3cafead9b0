"""The bytes of a file or of stdin, decompressed and as UTF-8, block by block."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from typing import BinaryIO

import pyarrow as pa

__all__ = ["COMPRESSIONS", "BrokenInputError", "ByteStream", "look_ahead"]

COMPRESSIONS = {".gz": "gzip", ".xz": "xz", ".zst": "zstd", ".bz2": "bzip2"}
"""Suffixes of compressed files, and how they are compressed."""

_BLOCK = 2**20
_MAGIC = {
    "gzip": b"\x1f\x8b",
    "xz": b"\xfd7zXZ\0",
    "zstd": b"\x28\xb5\x2f\xfd",
    "bzip2": b"BZh",
}
_LONGEST_MAGIC = 6
_ENCODINGS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16's, which it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class BrokenInputError(Exception):
    """The rest of an input cannot be read; the message says why."""


class ByteStream:
    """Bytes of a file, whose compression is told by its first bytes.

    Parameters
    ----------
    file : binary file
        Where the bytes come from; only its ``read`` is used.
    compression : str, optional
        What the file's name says; other content is then broken.
    """

    def __init__(self, file: BinaryIO, compression: str | None = None) -> None:
        self.start = _read_fully(file, _LONGEST_MAGIC)
        """The first bytes, as they are stored."""
        self._file = _Rejoined(self.start, file)
        found = (kind for kind, magic in _MAGIC.items() if self.start.startswith(magic))
        self._compression = next(found, None)
        self._expected = compression

    @property
    def position(self) -> int:
        """How many bytes of the file have been read."""
        return self._file.position

    def blocks(self) -> Iterator[bytes]:
        """The content in blocks, without a byte order mark; UTF-16 and UTF-32 become UTF-8.

        Raises
        ------
        BrokenInputError
            Where the content cannot be read any further.
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
        for block in blocks:
            start += block
            if len(start) >= 4:
                break
        mark, encoding = next(
            (known for known in _ENCODINGS if start.startswith(known[0])), (b"", "utf-8")
        )
        start = start[len(mark) :]
        if encoding == "utf-8":
            if start:
                yield start
            yield from blocks
            return
        decoder = codecs.getincrementaldecoder(encoding)()
        yield decoder.decode(start).encode()
        for block in blocks:
            yield decoder.decode(block).encode()
        yield decoder.decode(b"", final=True).encode()

    def _decompressed(self) -> Iterator[bytes]:
        if self._expected and not self.start:
            raise BrokenInputError(f"the file is empty, and so no {self._expected} data")
        if self._expected and self._compression != self._expected:
            raise BrokenInputError(f"no {self._expected} data, though the name says so")
        read = self._reader()
        # What Arrow has decompressed before the place where data are broken is lost to us.
        size = _BLOCK // 16 if self._compression == "zstd" else _BLOCK
        while block := read(size):
            yield block

    def _reader(self) -> Callable[[int], bytes]:
        # `read1` hands over what was decompressed before the place where data are broken.
        match self._compression:
            case "gzip":
                return gzip.GzipFile(fileobj=self._file, mode="rb").read1
            case "xz":
                return _Streams(self._file, lzma.LZMADecompressor).read1
            case "bzip2":
                return _Streams(self._file, bz2.BZ2Decompressor).read1
            case "zstd":
                stream = pa.CompressedInputStream(pa.PythonFile(self._file, mode="r"), "zstd")
                read: Callable[[int], bytes] = stream.read
                return read
            case _:
                return self._file.read


def look_ahead(blocks: Iterator[bytes], least: int) -> tuple[bytes, Iterator[bytes]]:
    """What a text begins with after white space, and its blocks with what was read for that.

    The start has at least so many bytes, if there are; that an input is broken is raised only when
    the blocks are read.
    """
    start = b""
    broken: BrokenInputError | None = None
    try:
        while len(start.lstrip()) < least and len(start) < _BLOCK:
            block = next(blocks, None)
            if block is None:
                break
            start += block
    except BrokenInputError as error:
        broken = error

    def from_the_start() -> Iterator[bytes]:
        yield start
        if broken is not None:
            raise broken
        yield from blocks

    return start.lstrip(), from_the_start()


class _Streams:
    """Compressed streams one after the other, as those of xz and bzip2.

    Python's own files of these formats take what follows a stream and is no other one for nothing,
    so that the rows of a damaged second stream would be lost without a word.
    """

    def __init__(
        self,
        file: _Rejoined,
        start: Callable[[], lzma.LZMADecompressor | bz2.BZ2Decompressor],
    ) -> None:
        self._file = file
        self._start = start
        self._stream: lzma.LZMADecompressor | bz2.BZ2Decompressor = start()
        self._ahead = b""

    def read1(self, size: int) -> bytes:
        """Some of the content, as far as it is whole; nothing at its end."""
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
        """Begin with the stream after one that has ended, past zeros; whether there is one."""
        while not (ahead := self._ahead.lstrip(b"\0")):
            self._ahead = self._file.read(_BLOCK // 16)
            if not self._ahead:
                return False
        self._ahead, self._stream = ahead, self._start()
        return True


class _Rejoined(io.RawIOBase):
    """A file with the bytes put back that were read to recognise it; counts what is read."""

    def __init__(self, start: bytes, rest: BinaryIO) -> None:
        self._start = start
        self._rest = rest
        self.position = 0

    def read(self, size: int = -1) -> bytes:
        if self._start:
            if 0 <= size < len(self._start):
                data, self._start = self._start[:size], self._start[size:]
            else:
                data, self._start = self._start, b""
        else:
            data = self._rest.read(size)
        self.position += len(data)
        return data

    def readable(self) -> bool:
        return True


def _read_fully(file: BinaryIO, size: int) -> bytes:
    """The first bytes, though a pipe may hand them over one by one."""
    data = b""
    while len(data) < size and (more := file.read(size - len(data))):
        data += more
    return data
