"""Scanning files for clones: reading, finding candidates, verifying, grouping."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.errors import CodekinError
from codekin.scan.candidates import candidate_pairs
from codekin.scan.clone_classes import group_matches
from codekin.scan.code_reader import CodeReader, ScanProgress
from codekin.scan.matches import Matches, matches_of_fragments, matches_of_runs, merged
from codekin.scan.scan_result import TYPES, CloneClass, CloneFinding, CodeRegion, Scan
from codekin.scan.scanned_code import PartsJoiner, ScannedCode
from codekin.scan.scanned_files import (
    MAX_BYTES,
    FilesToScan,
    LeftOutFile,
    files_to_scan,
    path_list,
)
from codekin.scan.store import CodeIndex, PartSettings

if TYPE_CHECKING:
    from distributed import Client

__all__ = [
    "MIN_LINES",
    "FoundClones",
    "ScanProgress",
    "part_settings",
    "scan_paths",
]


@dataclass(frozen=True, eq=False, repr=False)
class FoundClones:
    """The part of a :class:`~codekin.scan.scan_result.Scan` that depends on contents.

    Attributes
    ----------
    findings : tuple of CloneFinding
    classes : tuple of CloneClass
    left_out : tuple of LeftOutFile
        Files whose content could not be read, or is generated or ignored.
    languages : mapping of str to int
        Lines by language.
    lines, code_lines, duplicated_lines, imports, tables, headers, ignored : int
    unparsed : tuple of str
        Texts with places that do not parse.
    """

    findings: tuple[CloneFinding, ...]
    classes: tuple[CloneClass, ...]
    left_out: tuple[LeftOutFile, ...]
    languages: Mapping[str, int]
    lines: int
    code_lines: int
    duplicated_lines: int
    imports: int
    tables: int
    headers: int
    ignored: int
    unparsed: tuple[str, ...]


class _KeptClones(msgspec.Struct, array_like=True, frozen=True):
    """The clones that an index keeps; files and regions are numbers, so none can be named."""

    texts: list[tuple[int, str]]
    regions: list[tuple[int, int, int, str, str, int]]
    findings: list[tuple[int, int, str, float, int, int]]
    classes: list[tuple[int, str, float, list[int], int, int | None]]
    left_out: list[tuple[int, str, str]]
    languages: dict[str, int]
    counts: tuple[int, int, int, int, int, int, int]
    unparsed: list[int]


def _packed(found: FoundClones, texts: Sequence[tuple[int, str]], files: FilesToScan) -> bytes:
    """The clones in texts of files, which are numbers of files with a suffix, as bytes."""
    names = {f"{files.files[number].name}{suffix}": n for n, (number, suffix) in enumerate(texts)}
    file_of = {file.name: number for number, file in enumerate(files.files)}
    # Regions of the same lines are equal, even if not all of their tokens are.
    regions: dict[tuple[CodeRegion, str], int] = {}

    def place(region: CodeRegion) -> int:
        return regions.setdefault((region, region.fingerprint), len(regions))

    kept = _KeptClones(
        list(texts),
        [],
        [
            (
                place(clone.first),
                place(clone.second),
                clone.type,
                clone.score,
                clone.tokens,
                clone.clone_class,
            )
            for clone in found.findings
        ],
        [
            (
                copies.number,
                copies.type,
                copies.score,
                [place(member) for member in copies.members],
                copies.saved_lines,
                copies.within,
            )
            for copies in found.classes
        ],
        [(file_of[file.path], file.kind, file.reason) for file in found.left_out],
        dict(found.languages),
        (
            *(found.lines, found.code_lines, found.duplicated_lines),
            *(found.imports, found.tables, found.headers, found.ignored),
        ),
        [names[name] for name in found.unparsed],
    )
    kept.regions.extend(
        (
            *(names[region.file], region.start, region.end, region.name),
            *(fingerprint, region.code_lines),
        )
        for region, fingerprint in regions
    )
    return msgspec.msgpack.encode(kept)


def _unpacked(data: bytes, files: FilesToScan) -> FoundClones:
    """What was packed, with the names of these files."""
    kept = msgspec.msgpack.decode(data, type=_KeptClones)
    names = [f"{files.files[number].name}{suffix}" for number, suffix in kept.texts]
    regions = [
        CodeRegion(names[text], start, end, name, fingerprint, lines)
        for text, start, end, name, fingerprint, lines in kept.regions
    ]
    return FoundClones(
        tuple(
            CloneFinding(regions[first], regions[second], type_, score, tokens, number)
            for first, second, type_, score, tokens, number in kept.findings
        ),
        tuple(
            CloneClass(
                number, type_, score, tuple(regions[member] for member in members), saved, within
            )
            for number, type_, score, members, saved, within in kept.classes
        ),
        tuple(
            LeftOutFile(files.files[number].name, kind, reason)
            for number, kind, reason in kept.left_out
        ),
        kept.languages,
        *kept.counts,
        tuple(names[text] for text in kept.unparsed),
    )


_COUNTS = (
    *("lines", "code_lines", "duplicated_lines"),
    *("imports", "tables", "headers", "ignored"),
)
_MOST_LINES = 1_000_000
MIN_LINES = 6
"""The default of the fewest lines of code of a clone."""


def scan_paths(
    paths: str | Path | Sequence[str | Path],
    *,
    languages: Sequence[str] = (),
    exclude: Sequence[str] = (),
    min_lines: int = MIN_LINES,
    min_tokens: int = 0,
    types: Sequence[str] = TYPES,
    fast: bool = False,
    everything: bool = False,
    max_bytes: int = MAX_BYTES,
    workers: int | None = None,
    executor: Executor | Client | None = None,
    index: CodeIndex | str | Path | None = None,
    report: ScanProgress | None = None,
) -> Scan:
    """Find clones in files of code.

    Functions and blocks are compared by their statements, whose names and values may differ, and
    by the features of kin; other stretches of code by their tokens. Code of different languages is
    not compared, except that of C with C++ and of JavaScript with TypeScript.

    Parameters
    ----------
    paths : str, Path or a sequence of them
        Files and folders.
    languages : sequence of str
        Only scan files of these languages (default: all).
    exclude : sequence of str
        Patterns of files to leave out, as in a .gitignore file.
    min_lines : int
        The fewest lines of code of a clone: blank lines, comments and docstrings do not count.
    min_tokens : int
        The fewest tokens of a clone.
    types : sequence of str
        Only find clones of these types, such as ``("T1", "T2")``; those that would be a part of a
        larger clone of another type count then.
    fast : bool
        Whether to compare only tokens, without parsing; finds fewer rewritten clones.
    everything : bool
        Whether to include ignored, hidden, vendored and generated files, and functions that a
        comment takes out.
    max_bytes : int
        Longer files are left out.
    workers : int, optional
        Worker processes (default: one per core if there is much to read); 0 reads in this process.
        The result is the same.
    executor : concurrent.futures.Executor or distributed.Client, optional
        Reads in place of worker processes; it is sent the contents of files.
    index : CodeIndex, str or Path, optional
        An index, or the file of one, which is made if there is none. Only files that changed
        since are parsed, and if none did, the last result is taken. The result is the same. What
        is wrong with an index, and why it is not used, is listed in its `problems`.
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
    ...         if value is None:
    ...             continue
    ...         total += value
    ...     result = total / len(values)
    ...     return result
    ... '''
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name, code in (("one.py", mean), ("two.py", mean.replace("total", "s"))):
    ...         with whole_file(Path(folder, name)) as file:
    ...             _ = file.write(code.encode())
    ...     found = scan_paths([folder], workers=0)
    >>> [(one.type, one.first.name, one.second.end) for one in found.findings]
    [('T2', 'mean', 8)]
    """
    paths = path_list(paths)
    settings = part_settings(paths, min_lines, fast, everything)
    chosen = _ChosenClones.of(types, min_tokens)
    if isinstance(index, str | Path):
        with CodeIndex(index, create=True) as kept:
            return scan_paths(
                paths,
                languages=languages,
                exclude=exclude,
                min_lines=min_lines,
                min_tokens=min_tokens,
                types=types,
                fast=fast,
                everything=everything,
                max_bytes=max_bytes,
                workers=workers,
                executor=executor,
                index=kept,
                report=report,
            )
    if index is not None and not index.usable:
        index = None
    reader = CodeReader(
        settings,
        max_bytes=max_bytes,
        index=index,
        workers=workers,
        executor=executor,
        report=report,
    )
    files = files_to_scan(
        paths,
        languages=languages,
        exclude=exclude,
        everything=everything,
        index=None if index is None else index.path,
    )
    found = _found_in(reader, files, index, settings, chosen)
    if index is not None:
        index.forget_missing(paths, files)
        index.commit()
    left_out = sorted([*files.left_out, *found.left_out], key=lambda one: one.path)
    return Scan(
        findings=found.findings,
        classes=found.classes,
        files=len(files.files) - len(found.left_out),
        lines=found.lines,
        code_lines=found.code_lines,
        duplicated_lines=found.duplicated_lines,
        imports=found.imports,
        tables=found.tables,
        headers=found.headers,
        ignored=found.ignored,
        left_out=tuple(left_out),
        other_files=files.other,
        languages=found.languages,
        fast=fast,
        min_lines=min_lines,
        types=chosen.types,
        min_tokens=min_tokens,
        unparsed=found.unparsed,
    )


def part_settings(
    paths: Sequence[str | Path], min_lines: int, fast: bool, everything: bool
) -> PartSettings:
    """The settings of reading, checked."""
    if min_lines < 1:
        raise CodekinError(f"scan: min_lines must be at least 1, not {min_lines}")
    if min_lines > _MOST_LINES:
        raise CodekinError(f"scan: min_lines must be at most {_MOST_LINES:,}, not {min_lines:,}")
    if not paths:
        raise CodekinError("scan: name files or folders of code")
    return PartSettings(min_lines, fast, everything)


@dataclass(frozen=True)
class _ChosenClones:
    """Which clones are looked for."""

    types: tuple[str, ...]
    min_tokens: int

    @classmethod
    def of(cls, types: Sequence[str], min_tokens: int) -> _ChosenClones:
        names = {name.upper() for name in types}
        if unknown := sorted(names.difference(TYPES)):
            raise CodekinError(
                f"scan: {unknown[0]!r} is not a type of clones; the types are {', '.join(TYPES)}"
            )
        if not types:
            raise CodekinError(f"scan: name at least one type of clones: {', '.join(TYPES)}")
        if not 0 <= min_tokens <= _MOST_LINES:
            raise CodekinError(
                f"scan: min_tokens must be from 0 to {_MOST_LINES:,}, not {min_tokens:,}"
            )
        return cls(tuple(name for name in TYPES if name in names), min_tokens)

    def among(self, matches: Matches) -> Matches:
        """Those of some matches that are looked for."""
        sizes = np.minimum(matches.end1 - matches.begin1, matches.end2 - matches.begin2)
        of_types = np.isin(matches.type, [TYPES.index(name) for name in self.types])
        return matches.taken(np.flatnonzero(of_types & (sizes >= self.min_tokens)))

    def key(self, identity: bytes) -> bytes:
        """What the result of a scan of some contents is found by."""
        words = f"{' '.join(self.types)} {self.min_tokens} ".encode()
        return hashlib.blake2b(words + identity, digest_size=len(identity)).digest()


def _found_in(
    reader: CodeReader,
    files: FilesToScan,
    index: CodeIndex | None,
    settings: PartSettings,
    chosen: _ChosenClones,
) -> FoundClones:
    """The clones in files; those that an index keeps if nothing has changed."""
    known = reader.look(files.files)
    if index is not None and known and (kept := index.result(chosen.key(known))) is not None:
        return _unpacked(kept, files)
    names: list[str] = []
    texts: list[tuple[int, str]] = []
    left_out: list[LeftOutFile] = []
    unparsed: list[str] = []
    joiner, counts, by_language = PartsJoiner(), Counter[str](), Counter[str]()
    for number, (file, read) in enumerate(reader.read()):
        if isinstance(read, LeftOutFile):
            left_out.append(read)
            continue
        for one in read:
            names.append(f"{file.name}{one.suffix}")
            texts.append((number, one.suffix))
            unparsed += [] if one.parts.parses else names[-1:]
            joiner.add(one.parts)
            by_language[one.language] += one.parts.lines
            counts["lines"] += one.parts.lines
            counts["imports"] += one.imports
            counts["tables"] += one.tables
            counts["headers"] += one.header
            counts["ignored"] += one.ignored
    findings: tuple[CloneFinding, ...] = ()
    classes: tuple[CloneClass, ...] = ()
    if names:
        code = joiner.code()
        matches = merged(code, chosen.among(_matches(code, settings.min_lines, settings.fast)))
        findings, classes = _named_findings(code, matches, names)
        counts["code_lines"] = int(code.code_lines(code.files[:-1], code.files[1:]).sum())
        counts["duplicated_lines"] = _covered_lines(code, matches)
    found = FoundClones(
        findings,
        classes,
        tuple(left_out),
        dict(sorted(by_language.items())),
        **{name: counts[name] for name in _COUNTS},
        unparsed=tuple(unparsed),
    )
    if index is not None and reader.is_repeatable:
        index.add_result(chosen.key(reader.identity()), _packed(found, texts, files))
    return found


def _matches(code: ScannedCode, min_lines: int, fast: bool) -> Matches:
    of_fragments = matches_of_fragments(code, candidate_pairs(code, fast=fast), fast=fast)
    return Matches.joined([of_fragments, matches_of_runs(code, min_lines)])


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
            self._code.code_lines(first, last).tolist(),
            strict=True,
        )
        return [
            CodeRegion(
                *(self._names[file], start, stop, self._functions.get(span, "")),
                *(f"{content:016x}", lines),
            )
            for file, start, stop, span, content, lines in columns
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
    spans = [span for group in groups.classes for span in group.members]
    places = iter(regions.of([begin for begin, _ in spans], [end for _, end in spans]))
    classes = []
    for number, group in enumerate(groups.classes):
        mine = tuple(next(places) for _ in group.members)
        saved = _saved_lines(mine, group.parts)
        around = group.around if group.around >= 0 else None
        classes.append(CloneClass(number, TYPES[group.type], group.score, mine, saved, around))
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
    return findings, tuple(
        replace(
            copies,
            number=new[copies.number],
            within=None if copies.within is None else new[copies.within],
        )
        for copies in ranked
    )


def _saved_lines(members: Sequence[CodeRegion], parts: Sequence[int]) -> int:
    """The lines of code of all parts of a class but the longest, each by its longest member."""
    longest: dict[int, int] = {}
    for region, part in zip(members, parts, strict=True):
        longest[part] = max(longest.get(part, 0), region.code_lines)
    return sum(longest.values()) - max(longest.values())


def _covered_lines(code: ScannedCode, matches: Matches) -> int:
    """The lines of code that are part of a match."""
    depth = np.zeros(len(code.tokens) + 1, np.int32)
    for begin, end in ((matches.begin1, matches.end1), (matches.begin2, matches.end2)):
        np.add.at(depth, begin, 1)
        np.add.at(depth, end, -1)
    inside = np.flatnonzero(np.cumsum(depth[:-1]) > 0)
    if not len(inside):
        return 0
    lines, last = code.tokens.lines[inside], code.tokens.last_lines[inside]
    files = code.file_of_tokens(inside)
    reach = np.where(np.diff(files, prepend=-1) == 0, np.append(0, last[:-1]), 0)
    return int(np.maximum(last - np.maximum(lines - 1, reach), 0).sum())
