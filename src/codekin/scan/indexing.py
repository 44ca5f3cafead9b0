"""Filling an index of code without comparing anything, and describing what it holds."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codekin.errors import CodekinError
from codekin.groups.code_files import unparsed_note
from codekin.results import Grid, Result, count_text
from codekin.scan.code_reader import CodeReader, ScanProgress
from codekin.scan.packed_texts import unpack_texts
from codekin.scan.scanned_files import (
    MAX_BYTES,
    LeftOutFile,
    files_to_scan,
    left_out_notes,
    nothing_found,
    path_list,
    shown_name,
    unreadable_note,
)
from codekin.scan.scanning import MIN_LINES, part_settings
from codekin.scan.store import CodeIndex

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["IndexInfo", "add_to_index", "index_info"]


@dataclass(frozen=True, eq=False)
class IndexInfo(Result):
    """What an index holds.

    Attributes
    ----------
    path : str
    codekin : str
        The version that wrote it last.
    files : int
        The files whose code it has.
    lines : int
        Their lines.
    languages : mapping of str to int
        Lines by language.
    bytes : int
        Its size on disk.
    results : int
        How many results of scans are kept.
    parsed : int
        The files that were parsed now; 0 if nothing was added.
    left_out : tuple of LeftOutFile
        What was left out now.
    problems : tuple of str
        What is wrong with the index, or why it could not be written.
    unparsed : tuple of str
        Files with places that do not parse; those that were added with ``fast`` are not known.
    """

    path: str
    codekin: str
    files: int
    lines: int
    languages: Mapping[str, int]
    bytes: int
    results: int
    parsed: int = 0
    left_out: tuple[LeftOutFile, ...] = field(default=(), repr=False)
    problems: tuple[str, ...] = ()
    unparsed: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The size of the index, in one line."""
        return (
            f"{self.path}: {count_text(self.files, 'file')}, {count_text(self.lines, 'line')}, "
            f"{self.bytes / 1e6:,.1f} MB"
        )

    def grids(self) -> list[Grid]:
        """Lines by language."""
        ranked = sorted(self.languages.items(), key=lambda one: (-one[1], one[0]))
        return [Grid(self.title, ("language", "lines"), tuple(ranked))]

    def notes(self) -> list[str]:
        """What was added, and what was left out."""
        notes = [f"Written by codekin {self.codekin}."]
        if self.parsed:
            notes.append(f"Parsed now: {count_text(self.parsed, 'file')}.")
        return [
            *notes,
            *left_out_notes(self.left_out),
            *unparsed_note(self.unparsed),
            *unreadable_note(self.left_out),
        ]

    def warnings(self) -> list[str]:
        """What is wrong with the index."""
        return list(self.problems)


def index_info(index: CodeIndex | str | Path, **now: Any) -> IndexInfo:
    """Describe an index; every part is read and checked.

    Parameters
    ----------
    index : CodeIndex, str or Path
        An index, or its file.
    **now
        What was done just before: `parsed` and `left_out`.

    Returns
    -------
    IndexInfo

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     index_info(CodeIndex(Path(folder, "index"), create=True)).files
    0
    """
    with contextlib.ExitStack() as stack:
        if not isinstance(index, CodeIndex):
            index = stack.enter_context(CodeIndex(index))
        by_language: Counter[str] = Counter()
        unparsed: list[str] = []
        files = 0
        for path, row in index.rows():
            part = index.found_part(path, row)
            texts = None if part is None else unpack_texts(part, path)
            if texts is None or isinstance(texts, LeftOutFile):
                continue
            files += 1
            for one in texts:
                by_language[one.language] += one.parts.lines
                if not one.parts.parses:
                    unparsed.append(f"{shown_name(path)}{one.suffix}")
        return IndexInfo(
            path=str(index.path),
            codekin=index.written_by(),
            files=files,
            lines=sum(by_language.values()),
            languages=dict(sorted(by_language.items())),
            bytes=index.size(),
            results=index.results(),
            problems=tuple(index.problems),
            unparsed=tuple(unparsed),
            **now,
        )


def add_to_index(
    index: CodeIndex | str | Path,
    paths: str | Path | Sequence[str | Path],
    *,
    languages: Sequence[str] = (),
    exclude: Sequence[str] = (),
    fast: bool = False,
    everything: bool = False,
    max_bytes: int = MAX_BYTES,
    workers: int | None = None,
    executor: Executor | Client | None = None,
    report: ScanProgress | None = None,
) -> IndexInfo:
    """Add files to an index, which is made if there is none; only changed files are parsed.

    It is an error if there is no code in the paths, unless files that the index had are gone.

    Parameters
    ----------
    index : CodeIndex, str or Path
        An index, or its file.
    paths : str, Path or a sequence of them
        Files and folders.
    languages : sequence of str
        Only add files of these languages (default: all).
    exclude : sequence of str
        Patterns of files to leave out, as in a .gitignore file.
    fast : bool
        Whether to keep only tokens, without parsing.
    everything : bool
        Whether to include ignored, vendored and generated files.
    max_bytes : int
        Longer files are left out.
    workers : int, optional
        Worker processes (default: one per core if there is much to read); 0 reads in this process.
    executor : concurrent.futures.Executor or distributed.Client, optional
        In place of worker processes.
    report : callable, optional
        Called with the progress of reading.

    Returns
    -------
    IndexInfo

    Examples
    --------
    >>> import tempfile
    >>> from codekin.whole_files import whole_file
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with whole_file(Path(folder, "one.py")) as file:
    ...         _ = file.write(b"print(1)\\n")
    ...     info = add_to_index(Path(folder, "index"), [Path(folder, "one.py")])
    >>> info.files, info.lines, info.parsed
    (1, 1, 1)
    """
    paths = path_list(paths)
    files = files_to_scan(paths, languages=languages, exclude=exclude, everything=everything)
    with contextlib.ExitStack() as stack:
        if not isinstance(index, CodeIndex):
            if not Path(index).exists() and not files.files:
                raise CodekinError(nothing_found(paths, languages, files.left_out))
            index = stack.enter_context(CodeIndex(index, create=True))
        if not index.usable:
            raise CodekinError(index.problems[-1])
        reader = CodeReader(
            part_settings(paths, MIN_LINES, fast, everything),
            max_bytes=max_bytes,
            index=index,
            workers=workers,
            executor=executor,
            report=report,
        )
        before = index.parsed
        reader.look(files.files)
        left_out = [read for _, read in reader.read() if isinstance(read, LeftOutFile)]
        named = tuple(sorted([*files.left_out, *left_out], key=lambda file: file.path))
        if not index.forget_missing(paths, files) and len(left_out) == len(files.files):
            raise CodekinError(nothing_found(paths, languages, named))
        index.commit()
        return index_info(index, parsed=index.parsed - before, left_out=named)
