"""Reading the files of a scan: here, in worker processes or on a cluster, or from an index."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from codekin.errors import CodekinError
from codekin.runs.workers import Death, Marker, Work, WorkError, available_cores
from codekin.scan.file_parts import file_parts
from codekin.scan.packed_texts import (
    TextParts,
    holds_left_out,
    pack_left_out,
    pack_texts,
    unpack_texts,
)
from codekin.scan.scanned_files import (
    FileToScan,
    LeftOutFile,
    read_data,
    sources_of_content,
)
from codekin.scan.store import CodeIndex, PartSettings, content_digest, is_notebook, part_key
from codekin.source import Source

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["CodeReader", "FileJob", "ScanProgress"]

_CHUNK_BYTES = 400_000
"""Bytes of code that a worker is given at a time."""
_MUCH_BYTES = 6_000_000
"""Bytes of code above which workers are worth the half second that each takes to start."""
_HELD_BYTES = 64_000_000
"""Bytes of changed files that are kept between the two steps; others are read twice."""
_LIMIT_S = 300.0
"""Seconds that one file may take."""
_LICENCE = re.compile(rb"licen[cs]e|copyright|spdx-", re.IGNORECASE)
_HEAD = 8_000
_ANY = "utf-8", "surrogatepass"
_COMMENT_LINE = re.compile(rb"\s*(//|/\*|\*|#|--|;|<!--|\Z)")

_Made = TypeVar("_Made")
ScanProgress = Callable[[int, int], None]
"""Called with the number of bytes read and of all bytes."""


@dataclass(frozen=True)
class _Content:
    """A file and its content, as it is sent to a worker."""

    number: int
    file: FileToScan
    data: bytes
    key: bytes


class FileJob:
    """Takes parts out of files, here or in a worker; see :class:`~codekin.runs.workers.Work`."""

    def __init__(self, settings: PartSettings) -> None:
        self.settings = settings

    def parts(self, file: FileToScan, data: bytes) -> bytes | LeftOutFile:
        """The parts of a file as bytes; a LeftOutFile if it could not be analysed this time."""
        texts, again = self._analysed(file, data)
        if not isinstance(texts, LeftOutFile):
            return pack_texts(texts)
        return replace(texts, path=file.name) if again else pack_left_out(texts)

    def texts(self, file: FileToScan, data: bytes) -> list[TextParts] | LeftOutFile:
        """The texts of a file, or why it is left out, for whoever does not keep them."""
        texts, _ = self._analysed(file, data)
        return replace(texts, path=file.name) if isinstance(texts, LeftOutFile) else texts

    def _analysed(
        self, file: FileToScan, data: bytes
    ) -> tuple[list[TextParts] | LeftOutFile, bool]:
        """The texts of a file, or why it is left out; whether another try may end otherwise."""
        nameless = replace(file, name="")  # texts are kept by content, whatever the name
        try:
            sources = sources_of_content(nameless, data, everything=self.settings.everything)
            if isinstance(sources, LeftOutFile):
                return sources, False
            return [self._text(suffix, source) for suffix, source in sources], False
        except (CodekinError, RecursionError, MemoryError) as error:
            left_out = LeftOutFile("", "unreadable", f"cannot be analysed: {error}")
            return left_out, isinstance(error, MemoryError)

    def _text(self, suffix: str, source: Source) -> TextParts:
        settings = self.settings
        parts = file_parts(
            source,
            min_lines=settings.min_lines,
            fast=settings.fast,
            comments=not settings.everything,
        )
        tokens = replace(parts.tokens, starts=np.empty(0, np.int32))
        header = _licence_lines(source.data)
        return TextParts.of(suffix, source.language.name, replace(parts, tokens=tokens), header)

    def __call__(
        self, contents: Sequence[_Content], lost: Mapping[int, Death], mark: Marker
    ) -> list[bytes | LeftOutFile]:
        """Take parts out of some files in a worker."""
        results: list[bytes | LeftOutFile] = []
        for number, one in enumerate(contents):
            mark(number, _LIMIT_S)
            if number in lost:
                reason = f"a process that read it died ({lost[number].manner})"
                results.append(LeftOutFile(one.file.name, "unreadable", reason))
            else:
                results.append(self.parts(one.file, one.data))
        return results


def _licence_lines(data: bytes) -> int:
    """The lines of the comment that a file begins with, if it is about a licence."""
    head = data[:_HEAD]
    small = head.lower()
    if not any(word in small for word in (b"licen", b"copyright", b"spdx-")):
        return 0
    lines = head.split(b"\n")
    count = next((i for i, line in enumerate(lines) if not _COMMENT_LINE.match(line)), len(lines))
    return count if _LICENCE.search(b"\n".join(lines[:count])) else 0


class CodeReader:
    """Reads files once, and takes the parts of unchanged ones from an index.

    Parameters
    ----------
    settings : PartSettings
    max_bytes : int
        Longer files are left out.
    index : CodeIndex, optional
        Where parts are taken from and kept.
    workers : int, optional
        Worker processes (default: one per core if there is much to read); 0 reads here.
    executor : Executor or distributed.Client, optional
        In place of workers of this machine; contents are sent to it, so it needs no files.
    report : callable, optional
        Called with the progress.
    """

    def __init__(
        self,
        settings: PartSettings,
        *,
        max_bytes: int,
        index: CodeIndex | None = None,
        workers: int | None = None,
        executor: Executor | Client | None = None,
        report: ScanProgress | None = None,
    ) -> None:
        if executor is not None and workers is not None:
            raise CodekinError("scan: give either workers or an executor, not both")
        self._job = FileJob(settings)
        self._identity = settings.identity() if index is not None else ""
        self._max_bytes = max_bytes
        self._index = index
        self._workers = workers
        self._executor = executor
        self._report = report
        self._files: Sequence[FileToScan] = ()
        self._keys: list[bytes | None] = []
        self._left_out: dict[int, LeftOutFile] = {}
        self._failed: dict[bytes, LeftOutFile] = {}
        self._held: dict[int, _Content] = {}
        self._held_bytes = 0
        self._done = self._whole = 0
        if index is not None:
            index.use(settings)

    def look(self, files: Sequence[FileToScan]) -> bytes:
        """Find out which files have changed, and return a hash of the contents of all.

        Without an index, nothing is read, and the hash is empty.
        """
        self._files = files
        self._keys = [None] * len(files)
        self._left_out.clear()
        if self._index is None or not len(self._index):
            return b""
        for number, file in enumerate(files):
            self._look_at(number, file)
        return self.identity()

    def identity(self) -> bytes:
        """A hash of the contents of all files in their order, as they were read."""
        hasher = hashlib.blake2b(self._identity.encode(), digest_size=32)
        for number, key in enumerate(self._keys):
            reason = self._left_out[number].reason if number in self._left_out else ""
            hasher.update(f"{'-' if key is None else key.hex()}\0{reason}\n".encode(*_ANY))
        return hasher.digest()

    @property
    def is_repeatable(self) -> bool:
        """Whether every content was analysed; one that was not may be the next time."""
        return not self._failed

    def unreadable(self) -> list[LeftOutFile]:
        """The files whose content could not be read, in their order."""
        return [self._left_out[number] for number in sorted(self._left_out)]

    def _look_at(self, number: int, file: FileToScan) -> None:
        assert self._index is not None
        row, status = self._index.row(_absolute(file)), _status(file.path)
        short = status is not None and status.st_size <= self._max_bytes
        if row is not None and status is not None and short and row.language == file.language:
            unchanged = self._index.is_unchanged(row, status)
        else:
            unchanged = False
        if row is not None and unchanged:
            self._keys[number] = self._key(file, row.digest)
            return
        content = self._content(number, file)
        if content is None:
            return
        self._keys[number] = content.key
        if not self._has(content.key) and self._held_bytes < _HELD_BYTES:
            self._held[number] = content
            self._held_bytes += len(content.data)

    def _key(self, file: FileToScan, digest: bytes) -> bytes:
        return part_key(self._identity, file.language, is_notebook(file.path), digest)

    def _content(self, number: int, file: FileToScan) -> _Content | None:
        """Read a file; None if that is not possible."""
        read = read_data(file, self._max_bytes)
        if isinstance(read, LeftOutFile):
            self._left_out[number], self._keys[number] = read, None
            return None
        data, status = read
        if self._index is None:
            return _Content(number, file, data, b"")
        digest = content_digest(data)
        self._index.add_row(_absolute(file), status, digest, file.language)
        return _Content(number, file, data, self._key(file, digest))

    def read(self) -> Iterator[tuple[FileToScan, list[TextParts] | LeftOutFile]]:
        """Each file with its texts, or why it is left out, in their order."""
        sizes = [_size(one.path) for one in self._files]
        self._whole, self._done = sum(sizes), 0
        missing = [
            number
            for number, key in enumerate(self._keys)
            if number not in self._left_out and (key is None or not self._has(key))
        ]
        self._progress(self._whole - sum(sizes[number] for number in missing))
        much = sum(sizes[number] for number in missing) >= _MUCH_BYTES
        taken: Iterator[tuple[_Content, bytes | LeftOutFile | list[TextParts]]]
        here = self._reads_here(much and not self._job.settings.fast)
        if here and self._index is None:
            taken = self._taken_here(missing, self._job.texts)
        elif here:
            taken = self._taken_here(missing, self._job.parts)
        else:
            taken = self._taken_elsewhere(missing)
        if self._index is not None:
            # Files with the same content share parts, so all have to be there first.
            for content, part in taken:
                assert not isinstance(part, list)
                self._keep(content, part)
            for number, file in enumerate(self._files):
                yield file, self._result(number, file)
            return
        following = 0
        for content, part in taken:
            yield from self._unread(following, content.number)
            following = content.number + 1
            if isinstance(part, LeftOutFile | list):
                yield content.file, part
            else:
                yield content.file, unpack_texts(part, content.file.name)
        yield from self._unread(following, len(self._files))

    def _unread(self, begin: int, end: int) -> Iterator[tuple[FileToScan, LeftOutFile]]:
        for number in range(begin, end):
            yield self._files[number], self._left_out[number]

    def _result(self, number: int, file: FileToScan) -> list[TextParts] | LeftOutFile:
        """The texts of a file, from the index."""
        key = self._keys[number]
        if key is None:
            return self._left_out[number]
        if key in self._failed:
            return replace(self._failed[key], path=file.name)
        assert self._index is not None
        part = self._index.part(key)
        if part is not None:
            return unpack_texts(part, file.name)
        # What was there when the files were looked at is damaged.
        content = self._content(number, file)
        if content is None:
            return self._left_out[number]
        made = self._job.parts(file, content.data)
        if isinstance(made, LeftOutFile):
            self._failed[content.key] = made
            return made
        self._keys[number] = content.key
        self._add_part(content.key, made)
        return unpack_texts(made, file.name)

    def _has(self, key: bytes) -> bool:
        return self._index is not None and self._index.has_part(key)

    def _keep(self, content: _Content, part: bytes | LeftOutFile) -> None:
        if isinstance(part, LeftOutFile):
            self._failed[content.key] = part
        else:
            self._add_part(content.key, part)

    def _add_part(self, key: bytes, part: bytes) -> None:
        assert self._index is not None
        self._index.add_part(key, part, parsed=not holds_left_out(part))

    def _reads_here(self, much: bool) -> bool:
        """Whether files are read in this process."""
        if self._executor is not None:
            return False
        cores = available_cores() if self._workers is None else self._workers
        return cores < 2 or (self._workers is None and not much)

    def _taken_here(
        self, missing: Sequence[int], job: Callable[[FileToScan, bytes], _Made]
    ) -> Iterator[tuple[_Content, _Made]]:
        """Take parts out of the files that have none yet, in their order."""
        for content in self._contents(missing):
            yield content, job(content.file, content.data)
            self._progress(len(content.data))

    def _taken_elsewhere(
        self, missing: Sequence[int]
    ) -> Iterator[tuple[_Content, bytes | LeftOutFile]]:
        """The same in worker processes, or by an executor."""
        from codekin.runs.executors import results_in_order, work_backend

        work = Work.of(f"{FileJob.__module__}:{FileJob.__qualname__}", self._job.settings)
        chunks = _chunks(self._contents(missing))
        with work_backend(work, self._workers, self._executor) as backend:
            try:
                for chunk, parts in results_in_order(backend, chunks):
                    yield from zip(chunk, parts, strict=True)
                    self._progress(sum(len(one.data) for one in chunk))
            except WorkError as error:
                raise CodekinError(
                    f"scan: files cannot be read in worker processes: {error}; with --workers 0 "
                    "they are read in this process"
                ) from None

    def _contents(self, missing: Sequence[int]) -> Iterator[_Content]:
        """The contents to take parts out of; with an index, each only once."""
        asked: set[bytes] = set()
        for number in missing:
            content = self._held.pop(number, None) or self._content(number, self._files[number])
            if content is None:
                continue
            self._keys[number] = content.key
            if self._index is None:
                yield content
            elif content.key not in asked and not self._has(content.key):
                asked.add(content.key)
                yield content

    def _progress(self, more: int) -> None:
        self._done = min(self._done + more, self._whole)
        if self._report is not None and self._whole:
            self._report(self._done, self._whole)


def _absolute(file: FileToScan) -> str:
    return os.path.abspath(file.path)  # noqa: PTH100, one call per file


def _chunks(contents: Iterator[_Content]) -> Iterator[list[_Content]]:
    chunk: list[_Content] = []
    waiting = 0
    for one in contents:
        chunk.append(one)
        waiting += len(one.data)
        if waiting >= _CHUNK_BYTES:
            yield chunk
            chunk, waiting = [], 0
    if chunk:
        yield chunk


def _status(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)  # noqa: PTH116, one call per file
    except OSError:
        return None  # reading it will report the reason


def _size(path: str) -> int:
    status = _status(path)
    return 0 if status is None else status.st_size
