"""Rows in files, in folders of files and on stdin."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from codekin.errors import CodekinError
from codekin.runs.rows.arrow import check_columns, parquet_stretches
from codekin.runs.rows.compression import COMPRESSIONS, ByteStream, look_ahead
from codekin.runs.rows.csv_files import check_header, csv_stretches
from codekin.runs.rows.json_files import json_line_stretches, json_stretches
from codekin.runs.rows.pieces import Unreadable
from codekin.runs.rows.sharding import MOST_BYTES, MOST_ROWS, Shard, Stretch, cut_shards

__all__ = ["FileRows", "StdinRows", "find_files"]

_TextStretches = Callable[[str, Iterable[bytes]], Iterator[Stretch]]
_TEXTS: dict[str, _TextStretches] = {
    ".jsonl": json_line_stretches,
    ".ndjson": json_line_stretches,
    ".json": json_stretches,
    ".csv": csv_stretches,
    ".tsv": lambda name, blocks: csv_stretches(name, blocks, "\t"),
}
_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_TABLES = (".parquet", ".pq")
_BUFFER = 2**20  # without one, the columns of a whole row group are held
_KNOWN = f"{', '.join(_TEXTS)} (each also with {', '.join(COMPRESSIONS)}), {', '.join(_TABLES)}"


@dataclass(frozen=True, slots=True)
class _File:
    """A file of rows: its name as the user gave it, its format and its compression."""

    name: str
    suffix: str
    compression: str | None

    @property
    def path(self) -> Path:
        return Path(self.name)

    def open(self) -> BufferedReader:
        try:
            return self.path.open("rb")
        except OSError as error:
            raise CodekinError(f"{self.name}: {error.strerror or error}") from None

    def size(self) -> int:
        with self.open() as opened:
            return os.fstat(opened.fileno()).st_size


def find_files(paths: Sequence[str | os.PathLike[str]]) -> list[_File]:
    """The files that some paths mean, those of a folder in the order of their paths.

    Raises
    ------
    CodekinError
        For a path that is missing, cannot be read or has a suffix that says nothing, and for a
        folder without any file of rows. Hidden files and folders are passed over.
    """
    files: list[_File] = []
    for path in (os.fspath(path) for path in paths):
        if not path:
            raise CodekinError("a path is empty; name a file or a folder")
        try:
            if not Path(path).is_dir():
                files.append(_checked(path))
                continue
        except (OSError, ValueError) as error:  # ValueError: a NUL in the name
            raise CodekinError(f"{path!r}: {getattr(error, 'strerror', None) or error}") from None
        inside = [_checked(str(found)) for found in _walk(Path(path))]
        if not inside:
            raise CodekinError(f"{path}: no file of rows in this folder; looked for {_KNOWN}")
        files += inside
    return files


class FileRows:
    """The rows of some files, one file after the other.

    Parameters
    ----------
    paths : sequence of str or path
        Files, and folders of files.
    """

    def __init__(self, paths: Sequence[str | os.PathLike[str]]) -> None:
        self._files = find_files(paths)

    def describe(self) -> dict[str, Any]:
        """The files with their sizes and SHA-256, which is computed now."""
        files = []
        for file in self._files:
            with file.open() as opened:
                sha256 = hashlib.file_digest(opened, "sha256").hexdigest()
                size = os.fstat(opened.fileno()).st_size
            files.append({"path": file.name, "bytes": size, "sha256": sha256})
        return {"kind": "files", "files": files}

    def shards(self, rows: int | None = None, most_bytes: int = MOST_BYTES) -> Iterator[Shard]:
        """The rows in shards of so many rows, or fewer that have reached so many bytes."""
        return cut_shards(self._stretches(rows or MOST_ROWS, most_bytes), rows, most_bytes)

    def _stretches(self, rows: int, most_bytes: int) -> Iterator[tuple[Stretch, float]]:
        sizes = [file.size() for file in self._files]
        total, before = max(1, sum(sizes)), 0
        for file, size in zip(self._files, sizes, strict=True):
            stretches = (
                _table_stretches(file, rows, most_bytes)
                if file.suffix in _TABLES
                else _text_stretches(file, max(1, size))
            )
            for stretch, part in stretches:
                yield stretch, (before + part * size) / total
            before += size


class StdinRows:
    """JSON lines, or one array of objects, on stdin; compressed or not.

    Raises
    ------
    CodekinError
        Where stdin is closed, or holds something else, as far as its first bytes tell.
    """

    def __init__(self) -> None:
        if sys.stdin is None:
            raise CodekinError("stdin is closed; name a file instead")
        stream = ByteStream(sys.stdin.buffer)
        if stream.start.startswith(b"PAR1"):
            raise CodekinError("stdin holds Parquet, which cannot be read as it comes; name a file")
        start, blocks = look_ahead(stream.blocks(), 40)
        if start and start[:1] not in b"{[":
            shown = start.partition(b"\n")[0][:40].decode("utf-8", "replace")
            raise CodekinError(
                f"stdin must hold JSON lines, but begins with {shown!r}; save other formats to a "
                "file with a suffix that tells them"
            )
        self._blocks: Iterator[bytes] | None = blocks

    def describe(self) -> dict[str, Any]:
        """That it was stdin; nothing else is known before it is read."""
        return {"kind": "stdin"}

    def shards(self, rows: int | None = None, most_bytes: int = MOST_BYTES) -> Iterator[Shard]:
        """The rows in shards of so many rows, or fewer that have reached so many bytes."""
        if self._blocks is None:
            raise CodekinError("stdin can be read only once; save it to a file")
        blocks, self._blocks = self._blocks, None
        return cut_shards(
            ((stretch, None) for stretch in json_stretches("<stdin>", blocks, required=False)),
            rows,
            most_bytes,
        )


def _checked(name: str) -> _File:
    """A file that exists, can be opened and is known by its suffix."""
    path = Path(name)
    if not path.exists():
        raise CodekinError(f"{name}: no such file")
    if not path.is_file():
        raise CodekinError(f"{name}: not a regular file; pipe it into stdin and name it -")
    file = _by_suffix(name)
    if file is None:
        raise CodekinError(f"{name}: the suffix does not tell its format; known are {_KNOWN}")
    with file.open() as opened:
        if file.suffix in _DELIMITERS:
            blocks = ByteStream(opened, file.compression).blocks()
            check_header(name, blocks, _DELIMITERS[file.suffix])
    if file.suffix in _TABLES:
        try:
            schema = pq.read_schema(path)
        except (pa.ArrowException, OSError, ValueError):
            return file  # reading it gives a row with the reason
        if b"codekin" in (schema.metadata or {}):  # as in the folder of one without a manifest
            raise CodekinError(f"{name}: is part of a run; name the rows that it was made of")
        check_columns(name, schema)
    return file


def _by_suffix(name: str) -> _File | None:
    suffixes = [suffix.lower() for suffix in Path(name).suffixes]
    if suffixes and suffixes[-1] in _TABLES:
        return _File(name, suffixes[-1], None)
    compression = COMPRESSIONS.get(suffixes[-1]) if suffixes else None
    if compression:
        suffixes.pop()
    if suffixes and suffixes[-1] in _TEXTS:
        return _File(name, suffixes[-1], compression)
    return None


def _refuse(error: OSError) -> None:
    raise CodekinError(f"{error.filename}: {error.strerror or error}")


def _walk(folder: Path) -> list[Path]:
    """The files of rows in a folder and those below it, without hidden ones, in order.

    A run below it, which is a folder of Parquet files too, was made of such rows and is none.
    """
    found: list[Path] = []
    for where, folders, names in os.walk(folder, onerror=_refuse):
        if "manifest.json" in names and "shards" in folders:
            folders.clear()
            continue
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [Path(where, name) for name in names if not name.startswith(".")]
    return sorted((path for path in found if _by_suffix(path.name)), key=lambda path: path.parts)


def _text_stretches(file: _File, size: int) -> Iterator[tuple[Stretch, float]]:
    with file.open() as opened:
        stream = ByteStream(opened, file.compression)
        for stretch in _TEXTS[file.suffix](file.name, stream.blocks()):
            yield stretch, min(1.0, stream.position / size)


def _table_stretches(file: _File, rows: int, most_bytes: int) -> Iterator[tuple[Stretch, float]]:
    with ExitStack() as stack:
        opened = stack.enter_context(file.open())
        try:
            table = stack.enter_context(
                pq.ParquetFile(opened, pre_buffer=False, buffer_size=_BUFFER)
            )
        except (pa.ArrowException, OSError, ValueError) as error:
            yield Unreadable(file.name, 1, f"no readable Parquet file: {error}", "row"), 1.0
            return
        total = max(1, table.metadata.num_rows)
        for stretch in parquet_stretches(file.name, table, rows, most_bytes):
            yield stretch, min(1.0, (stretch.first - 1 + len(stretch)) / total)
