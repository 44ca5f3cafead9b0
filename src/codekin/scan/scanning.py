"""Scanning files for clones: reading, finding candidates, verifying, grouping."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.errors import CodekinError
from codekin.runs.workers import Death, Marker, Work, WorkerPool, WorkError, available_cores
from codekin.scan.candidates import candidate_pairs
from codekin.scan.clone_classes import MatchGroups, group_matches
from codekin.scan.code_tokens import Trait
from codekin.scan.file_parts import FileParts, file_parts
from codekin.scan.matches import TYPES, Matches, matches_of_fragments, matches_of_runs, merged
from codekin.scan.scan_result import CloneClass, CloneFinding, CodeRegion, Scan
from codekin.scan.scanned_code import ScannedCode, join_parts
from codekin.scan.scanned_files import (
    MAX_BYTES,
    FileToScan,
    LeftOutFile,
    files_to_scan,
    read_sources,
)
from codekin.source import Source

__all__ = [
    "MIN_LINES",
    "FileJob",
    "ScanProgress",
    "covered_lines",
    "extremes",
    "scan_paths",
]

MIN_LINES = 6
"""The default of the fewest lines of a clone."""

_CHUNK_BYTES = 400_000
"""Bytes of code that a worker is given at a time."""
_MUCH_BYTES = 6_000_000
"""Bytes of code above which workers are worth the half second that each takes to start."""
_LIMIT_S = 300.0
"""Seconds that one file may take."""
_LICENCE = re.compile(rb"licen[cs]e|copyright|spdx-", re.IGNORECASE)
_HEAD = 8_000
_COMMENT_LINE = re.compile(rb"\s*(//|/\*|\*|#|--|;|<!--|\Z)")

ScanProgress = Callable[[int, int], None]
"""Called with the number of bytes read and of all bytes."""


@dataclass(frozen=True, eq=False, repr=False)
class _ReadFile:
    """A text that was read, and what a scan takes out of it."""

    name: str
    language: str
    parts: FileParts
    header: int


def scan_paths(
    paths: Sequence[str | Path],
    *,
    languages: Sequence[str] = (),
    exclude: Sequence[str] = (),
    min_lines: int = MIN_LINES,
    fast: bool = False,
    everything: bool = False,
    max_bytes: int = MAX_BYTES,
    workers: int | None = None,
    report: ScanProgress | None = None,
) -> Scan:
    """Find clones in files of code.

    Functions and blocks are compared by their statements, whose names and values may differ, and
    by the features of kin; other stretches of code by their tokens. Code of different languages is
    not compared, except that of C with C++ and of JavaScript with TypeScript.

    Parameters
    ----------
    paths : sequence of str or Path
        Files and folders.
    languages : sequence of str
        Only scan files of these languages (default: all).
    exclude : sequence of str
        Patterns of files to leave out, as in a .gitignore file.
    min_lines : int
        The fewest lines of a clone.
    fast : bool
        Whether to compare only tokens, without parsing; finds fewer rewritten clones.
    everything : bool
        Whether to include ignored, vendored and generated files, and functions that a comment
        takes out.
    max_bytes : int
        Longer files are left out.
    workers : int, optional
        Worker processes (default: one per core if there is much to read); 0 reads in this process.
        The result is the same.
    report : callable, optional
        Called with the progress of reading.

    Returns
    -------
    Scan

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from codekin.whole_files import whole_file
    >>> mean = '''def mean(values):
    ...     total = 0
    ...     for value in values:
    ...         if value is not None:
    ...             total += value
    ...     result = total / len(values)
    ...     return result
    ... '''
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name, code in (("one.py", mean), ("two.py", mean.replace("total", "s"))):
    ...         with whole_file(Path(folder, name)) as file:
    ...             _ = file.write(code.encode())
    ...     found = scan_paths([folder], workers=0)
    >>> [(one.type, one.first.name, one.second.end) for one in found.findings]
    [('T2', 'mean', 7)]
    """
    if min_lines < 1:
        raise CodekinError(f"scan: min_lines must be at least 1, not {min_lines}")
    if not paths:
        raise CodekinError("scan: name files or folders of code")
    found = files_to_scan(paths, languages=languages, exclude=exclude, everything=everything)
    job = FileJob((min_lines, fast, max_bytes, everything))
    left_out = list(found.left_out)
    read: list[_ReadFile] = []
    for result in _read_files(job, found.files, workers, report):
        if isinstance(result, LeftOutFile):
            left_out.append(result)
        else:
            read += result
    files = len(found.files) + len(found.left_out) - len(left_out)
    left_out.sort(key=lambda one: one.path)
    return _scan_of(read, files, left_out, found.other, min_lines, fast)


class FileJob:
    """Reads files, here or in a worker; see :class:`~codekin.runs.workers.Work`."""

    def __init__(self, settings: tuple[int, bool, int, bool]) -> None:
        self.settings = settings
        self.min_lines, self.fast, self.max_bytes, self.everything = settings

    def read(self, file: FileToScan) -> list[_ReadFile] | LeftOutFile:
        """The parts of a file, or why it is left out."""
        sources = read_sources(file, max_bytes=self.max_bytes, everything=self.everything)
        if isinstance(sources, LeftOutFile):
            return sources
        try:
            return [self._parts(name, source) for name, source in sources]
        except (CodekinError, RecursionError, MemoryError) as error:
            return LeftOutFile(file.name, "unreadable", f"cannot be analysed: {error}")

    def _parts(self, name: str, source: Source) -> _ReadFile:
        parts = file_parts(
            source, min_lines=self.min_lines, fast=self.fast, comments=not self.everything
        )
        tokens = replace(parts.tokens, starts=np.empty(0, np.int32))
        header = _licence_lines(source.data)
        return _ReadFile(name, source.language.name, replace(parts, tokens=tokens), header)

    def __call__(
        self, files: Sequence[FileToScan], lost: Mapping[int, Death], mark: Marker
    ) -> list[list[_ReadFile] | LeftOutFile]:
        """Read some files in a worker."""
        results: list[list[_ReadFile] | LeftOutFile] = []
        for number, file in enumerate(files):
            mark(number, _LIMIT_S)
            if number in lost:
                reason = f"a process that read it died ({lost[number].manner})"
                results.append(LeftOutFile(file.name, "unreadable", reason))
            else:
                results.append(self.read(file))
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


def _read_files(
    job: FileJob,
    files: Sequence[FileToScan],
    workers: int | None,
    report: ScanProgress | None,
) -> Iterator[list[_ReadFile] | LeftOutFile]:
    """What each file has, in the order of the files."""
    sizes = [_size(one.path) for one in files]
    whole, done = sum(sizes), 0
    cores = available_cores() if workers is None else workers
    much = workers is not None or (whole >= _MUCH_BYTES and not job.fast)
    if cores < 2 or not much:
        for file, size in zip(files, sizes, strict=True):
            yield job.read(file)
            done += size
            if report is not None:
                report(done, whole)
        return
    work = Work.of(f"{FileJob.__module__}:{FileJob.__qualname__}", job.settings)
    with WorkerPool(cores) as pool:
        for chunk, future in pool.map(work, _chunks(files, sizes)):
            try:
                yield from future.result()
            except WorkError as error:
                raise CodekinError(
                    f"scan: files cannot be read in worker processes: {error}; with --workers 0 "
                    "they are read in this process"
                ) from None
            done += sum(_size(one.path) for one in chunk)
            if report is not None:
                report(min(done, whole), whole)


def _chunks(files: Sequence[FileToScan], sizes: Sequence[int]) -> Iterator[list[FileToScan]]:
    chunk: list[FileToScan] = []
    waiting = 0
    for file, size in zip(files, sizes, strict=True):
        chunk.append(file)
        waiting += size
        if waiting >= _CHUNK_BYTES:
            yield chunk
            chunk, waiting = [], 0
    if chunk:
        yield chunk


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size  # noqa: PTH116, one call per file
    except OSError:
        return 0  # reading it will report the reason


def _scan_of(
    read: list[_ReadFile],
    files: int,
    left_out: list[LeftOutFile],
    other: int,
    min_lines: int,
    fast: bool,
) -> Scan:
    findings, classes = _found_clones(read, min_lines, fast)
    by_language = Counter[str]()
    for one in read:
        by_language[one.language] += one.parts.lines
    return Scan(
        findings=findings,
        classes=classes,
        files=files,
        lines=sum(one.parts.lines for one in read),
        duplicated_lines=covered_lines(findings),
        imports=sum(one.parts.tokens.lines_with(Trait.IMPORT) for one in read),
        tables=sum(one.parts.tokens.lines_with(Trait.TABLE, without=Trait.IGNORED) for one in read),
        headers=sum(one.header for one in read),
        ignored=sum(one.parts.tokens.lines_with(Trait.IGNORED) for one in read),
        left_out=tuple(left_out),
        other_files=other,
        languages=dict(sorted(by_language.items())),
        fast=fast,
        min_lines=min_lines,
    )


def _found_clones(
    read: list[_ReadFile], min_lines: int, fast: bool
) -> tuple[tuple[CloneFinding, ...], tuple[CloneClass, ...]]:
    if not read:
        return (), ()
    code = join_parts([one.parts for one in read])
    matches = _matches(code, min_lines, fast)
    return _named_findings(code, matches, [one.name for one in read])


def _matches(code: ScannedCode, min_lines: int, fast: bool) -> Matches:
    of_fragments = matches_of_fragments(code, candidate_pairs(code, fast=fast), fast=fast)
    return merged(code, Matches.joined([of_fragments, matches_of_runs(code, min_lines)]))


class _TokenRegions:
    """Stretches of tokens as regions of files."""

    def __init__(self, code: ScannedCode, names: Sequence[str]) -> None:
        self._code = code
        self._names = names
        table = code.fragments
        spans = zip(table.begin.tolist(), table.end.tolist(), table.names, strict=True)
        self._functions = {(begin, end): name for begin, end, name in spans if name}

    def of(self, begin: npt.ArrayLike, end: npt.ArrayLike) -> list[CodeRegion]:
        first, last = np.asarray(begin, np.int64), np.asarray(end, np.int64)
        tokens = self._code.tokens
        contents = _native.sequence_ids(tokens.blind, first.astype(np.int32), last.astype(np.int32))
        columns = zip(
            self._code.file_of_tokens(first).tolist(),
            tokens.lines[first].tolist(),
            tokens.last_lines[last - 1].tolist(),
            zip(first.tolist(), last.tolist(), strict=True),
            contents.tolist(),
            strict=True,
        )
        return [
            CodeRegion(
                self._names[file], start, stop, self._functions.get(span, ""), f"{content:016x}"
            )
            for file, start, stop, span, content in columns
        ]


def _named_findings(
    code: ScannedCode, matches: Matches, names: Sequence[str]
) -> tuple[tuple[CloneFinding, ...], tuple[CloneClass, ...]]:
    if not len(matches):
        return (), ()
    regions = _TokenRegions(code, names)
    groups = group_matches(matches)
    first = regions.of(matches.begin1, matches.end1)
    second = regions.of(matches.begin2, matches.end2)
    tokens = np.minimum(matches.end1 - matches.begin1, matches.end2 - matches.begin2).tolist()
    weakest, lowest = extremes(matches, groups)
    spans = [span for members in groups.members for span in members]
    places = iter(regions.of([one[0] for one in spans], [one[1] for one in spans]))
    classes = []
    for number, members in enumerate(groups.members):
        mine = tuple(next(places) for _ in members)
        classes.append(CloneClass.of(number, TYPES[weakest[number]], float(lowest[number]), mine))
    ranked = sorted(classes, key=lambda one: (-one.saved_lines, one.number))
    new = {one.number: place for place, one in enumerate(ranked, 1)}
    columns = zip(
        first,
        second,
        matches.type.tolist(),
        matches.score.tolist(),
        tokens,
        groups.class_of.tolist(),
        strict=True,
    )
    findings = tuple(
        CloneFinding(one, other, TYPES[type_], score, size, new[group])
        for one, other, type_, score, size, group in columns
    )
    return findings, tuple(replace(one, number=new[one.number]) for one in ranked)


def extremes(matches: Matches, groups: MatchGroups) -> tuple[list[int], npt.NDArray[np.float64]]:
    """The weakest type and the lowest score of the matches inside of each class."""
    count, mine = len(groups.members), groups.class_of[groups.inside]
    weakest = np.zeros(count, np.int64)
    np.maximum.at(weakest, mine, matches.type[groups.inside].astype(np.int64))
    lowest = np.ones(count)
    np.minimum.at(lowest, mine, matches.score[groups.inside])
    return weakest.tolist(), lowest


def covered_lines(findings: Sequence[CloneFinding]) -> int:
    """The lines that are part of a finding."""
    spans: dict[str, list[tuple[int, int]]] = {}
    for one in findings:
        for region in (one.first, one.second):
            spans.setdefault(region.file, []).append((region.start, region.end))
    covered = 0
    for regions in spans.values():
        reach = 0
        for start, end in sorted(set(regions)):
            covered += max(0, end - max(start - 1, reach))
            reach = max(reach, end)
    return covered
