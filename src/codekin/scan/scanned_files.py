"""Which files a scan reads, and why it does not read the others."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from codekin.errors import CodekinError
from codekin.groups.code_files import VERSION_CONTROL, ZIP_FILE, is_zip_file
from codekin.languages import Language, get_language, language_of_file
from codekin.opening import UnreadableFileError, read_unchanged
from codekin.results import count_text, first_names
from codekin.scan.ignore_comments import ignores_file
from codekin.scan.ignore_rules import IgnoreRules
from codekin.source import Source, decode

__all__ = [
    "EXCLUDED",
    "IGNORED",
    "IGNORED_FILE",
    "INDEX_SUFFIXES",
    "MAX_BYTES",
    "MOST_BYTES",
    "NOTEBOOK",
    "VENDORED",
    "FileToScan",
    "FilesToScan",
    "LeftOutFile",
    "files_to_scan",
    "left_out_notes",
    "lines_of",
    "nothing_found",
    "path_list",
    "path_of_text",
    "read_data",
    "read_text",
    "read_texts",
    "reasons_note",
    "shown_name",
    "sources_of_content",
    "sources_of_data",
    "unreadable_note",
]

MAX_BYTES = 1_000_000
"""The default limit on the size of a file."""
MOST_BYTES = 2**30
"""The highest limit."""
NOTEBOOK = ".ipynb"

_VENDORED_NAMES = """
    node_modules bower_components vendor vendored third_party thirdparty third-party 3rdparty
    site-packages dist-packages Pods Carthage __pypackages__ CVS _darcs
"""
VENDORED = frozenset(_VENDORED_NAMES.split())
"""Names of folders of other people's code."""
_GENERATED_NAMES = re.compile(
    r"(\.min\.|[.-]bundle\.|\.pb\.|_pb2(_grpc)?\.|\.g\.cs$|\.designer\.cs$|\.generated\.|_generated\.)",
    re.IGNORECASE,
)
_GENERATED = re.compile(
    rb"""@generated\b
    | ^[\s/*\#<!;'"-]*(?=(?-i:[A-Z]))                      # the first word of a comment
      ((this|the)\ (file|code|class|source)\ (is|was|has\ been)\ |code\ |file\ )?
      (auto-?\ ?|automatically\ |machine\ )?generated[ ]
      (by|from|with|using|code|file|automatically)\b
    | \bgenerated\b.*\bdo\ not\ (edit|modify|change)\b
    | \bdo\ not\ (edit|modify|change)\b.*\bgenerated\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_COMMENT = re.compile(rb"\s*(//|/\*|\*|#|--|<!--|\"\"\"|\x27\x27\x27)")
_BEFORE_CODE = re.compile(rb"<\?php|package\b|['\"]use strict|%|@")
"""What is before the comments that a file begins with, if not nothing."""
_INCLUDE = re.compile(rb"#\s*include\b")
_HEAD = 2_000
_NAMED = 5
"""Reasons, and files with each, that a note names."""
_NUMBER = re.compile(r"[0-9][0-9,]*")
"""What may differ in the reasons of files that are counted together."""
_TOO_LARGE = " more than the "
"""What the reason of a file over the limit has, unlike other reasons."""
_KINDS = ("ignored", "hidden", "vendored", "generated")
EXCLUDED, IGNORED = "is excluded", "is named in an ignore file"
IGNORED_FILE = "says codekin: ignore-file"
"""Reasons why files are left out."""
_MEAN_LINE, _LONG_LINE, _LONG_LINES = 60, 1_000, 0.5
"""A file with half of its bytes in very long lines is minified, unless its mean line is short."""

INDEX_SUFFIXES = ("", "-wal", "-shm", "-journal")
"""What the files of an index are called beside its own name."""


@dataclass(frozen=True)
class LeftOutFile:
    """A file or folder that was not scanned.

    Attributes
    ----------
    path : str
    kind : str
        ``ignored``, ``hidden``, ``vendored``, ``generated``, or ``unreadable``, which is a problem.
    reason : str
        In words.
    """

    path: str
    kind: str
    reason: str


def left_out_notes(left_out: Sequence[LeftOutFile]) -> list[str]:
    """Lines that count the files that were left out on purpose, and name them with their reasons.

    Examples
    --------
    >>> left_out_notes([LeftOutFile("a.py", "ignored", "is a link")])
    ['Files and folders left out: 1 ignored.', 'Ignored: a.py (is a link).']
    """
    by_kind = {
        kind: [file for file in left_out if file.kind == kind and file.reason != ZIP_FILE]
        for kind in _KINDS
    }
    parts = [f"{len(files):,} {kind}" for kind, files in by_kind.items() if files]
    notes = [f"Files and folders left out: {', '.join(parts)}."] if parts else []
    for kind, files in by_kind.items():
        notes += reasons_note(kind.capitalize(), files)
    return [*notes, *_zip_note(left_out)]


def _zip_note(left_out: Sequence[LeftOutFile]) -> list[str]:
    """A line that names the zip files in folders, or the first of them; none if there are none."""
    zips = [file.path for file in left_out if file.reason == ZIP_FILE and file.kind == "ignored"]
    if not zips:
        return []
    were, them = ("was", "it") if len(zips) == 1 else ("were", "them")
    return [
        f"{count_text(len(zips), 'zip file')} {were} not read: {first_names(zips)}; codekin scan "
        f"--submissions reads {them}."
    ]


def nothing_found(
    paths: Sequence[str | Path], languages: Sequence[str], left_out: Sequence[LeftOutFile]
) -> str:
    """That there is no code in some files and folders, and what could not be read."""
    if len(left_out) == 1 and left_out[0].kind == "unreadable":
        return f"{left_out[0].path}: {left_out[0].reason}"
    where = ", ".join(map(str, paths)) or "."
    what = " or ".join(languages) or "a known language"
    text = (
        f"{where}: no file in {what} was found, or all are left out (--all reads ignored, vendored "
        "and generated files, too)"
    )
    notes = [text, *_zip_note(left_out), *unreadable_note(left_out)]
    return ". ".join(note.removesuffix(".") for note in notes)


def unreadable_note(left_out: Sequence[LeftOutFile]) -> list[str]:
    """A line that names the files that could not be read, or the first of them; none if all could.

    Examples
    --------
    >>> unreadable_note([LeftOutFile("a.py", "unreadable", "looks binary")])
    ['Not read: a.py (looks binary).']
    """
    return reasons_note("Not read", [one for one in left_out if one.kind == "unreadable"])


def reasons_note(what: str, files: Sequence[LeftOutFile]) -> list[str]:
    """A line with the reasons of files, each with the first of its files; none without files.

    Examples
    --------
    >>> reasons_note("Not read", [LeftOutFile(f"{n}.py", "unreadable", "is empty") for n in "ab"])
    ['Not read: a.py, b.py (is empty).']
    """
    by_reason: dict[str, list[LeftOutFile]] = {}
    for file in files:
        by_reason.setdefault(_NUMBER.sub("0", file.reason), []).append(file)
    groups = list(by_reason.values())
    named = []
    for group in groups[:_NAMED]:
        names = ", ".join(file.path for file in group[:_NAMED])
        more = len(group) - _NAMED
        named.append(f"{names}{f' and {more:,} more' if more > 0 else ''} ({group[0].reason})")
    more = sum(map(len, groups[_NAMED:]))
    return [f"{what}: {'; '.join(named)}{f'; and {more:,} more' if more else ''}."] if files else []


@dataclass(frozen=True)
class FileToScan:
    """A file whose suffix is that of a known language, or of a notebook.

    Attributes
    ----------
    path : str
        As it is opened.
    name : str
        As it is shown: with slashes, below the current folder without its path.
    language : str
        Python for notebooks, unless they say otherwise.
    typed : bool
        Whether somebody named exactly this file, which may be a link then.
    """

    path: str
    name: str
    language: str
    typed: bool = False


@dataclass(frozen=True)
class FilesToScan:
    """Files by name, and what was left out.

    Attributes
    ----------
    files : tuple of FileToScan
    left_out : tuple of LeftOutFile
    other : int
        Number of files without the suffix of a known language.
    """

    files: tuple[FileToScan, ...]
    left_out: tuple[LeftOutFile, ...]
    other: int


def path_list(paths: str | Path | Sequence[str | Path]) -> list[str | Path]:
    """The paths; a single one may be given by itself.

    Examples
    --------
    >>> path_list("project"), path_list(["a.py", "b.py"])
    (['project'], ['a.py', 'b.py'])
    """
    return [paths] if isinstance(paths, str | Path) else list(paths)


def files_to_scan(
    paths: Sequence[str | Path],
    *,
    languages: Sequence[str] = (),
    exclude: Sequence[str] = (),
    everything: bool = False,
    index: str | Path | None = None,
) -> FilesToScan:
    """Find the files of code in folders.

    Hidden files and folders, what ignore files name, folders of vendored code and links are left
    out; named files never are. Each is listed with its reason.

    Parameters
    ----------
    paths : sequence of str or Path
        Files and folders; a missing one is an error.
    languages : sequence of str
        Leave out files of other languages.
    exclude : sequence of str
        Patterns of files to leave out, as in a .gitignore file.
    everything : bool
        Whether to include ignored, hidden and vendored files.
    index : str or Path, optional
        The file of the index that is used; it is not scanned.
    """
    names = {get_language(name).name for name in languages}
    walk = _Walk(names, tuple(exclude), everything, index)
    for path in paths:
        walk.add(os.fspath(path))
    files = sorted(walk.files.values(), key=lambda file: file.name)
    left_out = sorted(walk.left_out.values(), key=lambda file: file.path)
    return FilesToScan(tuple(files), tuple(left_out), walk.other)


class _Walk:
    def __init__(
        self,
        languages: set[str],
        exclude: tuple[str, ...],
        everything: bool,
        index: str | Path | None,
    ) -> None:
        own = None if index is None else os.path.abspath(index)  # noqa: PTH100, keeps links
        self._own = {f"{own}{suffix}" for suffix in INDEX_SUFFIXES} if own is not None else set()
        self._languages = languages
        self._exclude = exclude
        self._everything = everything
        self._excluded = IgnoreRules()
        self._here = os.getcwd()  # noqa: PTH109, texts are compared
        self.files: dict[str, FileToScan] = {}
        self.left_out: dict[str, LeftOutFile] = {}
        self.other = 0

    def add(self, path: str) -> None:
        """Take a file, or all files in a folder."""
        if "\0" in path:
            raise CodekinError(f"{path!r}: a path has no NUL in it")
        if Path(path).is_dir():
            place = os.path.realpath(path)
            rules = IgnoreRules() if self._everything else IgnoreRules.above(place)
            self._excluded = IgnoreRules()
            if self._exclude:
                self._excluded = self._excluded.with_patterns(place, self._exclude)
            self._report(rules, self._excluded)
            self._folder(os.path.normpath(path), place, rules)
        elif os.path.lexists(path):
            self._file(os.path.normpath(path), named=True)
        else:
            raise CodekinError(f"{path}: no such file or folder")

    def _report(self, *rules: IgnoreRules) -> None:
        """List the ignore files that could not be read."""
        for path, reason in (problem for rule in rules for problem in rule.problems):
            self._leave(path, "unreadable", reason)

    def _folder(self, path: str, place: str, rules: IgnoreRules) -> None:
        """A folder and what is in it; `place` is where it really is, which patterns need."""
        waiting = [(path, place, rules)]
        while waiting:
            path, place, rules = waiting.pop()
            inner_rules = rules if self._everything else rules.entering(place)
            if inner_rules.problems != rules.problems:
                self._report(inner_rules)
            try:
                with os.scandir(path) as listing:
                    entries = sorted(listing, key=lambda entry: entry.name)
            except OSError as error:
                self._leave(path, "unreadable", f"cannot be opened: {error.strerror or error}")
                continue
            for entry in entries:
                inner = self._entry(entry, f"{place}{os.sep}{entry.name}", inner_rules)
                if inner is not None:
                    waiting.append((*inner, inner_rules))

    def _entry(
        self, entry: os.DirEntry[str], place: str, rules: IgnoreRules
    ) -> tuple[str, str] | None:
        """Take a file, or return the folder to look into."""
        path = os.path.normpath(entry.path)
        if entry.name in VERSION_CONTROL:
            return None
        try:
            is_link, is_folder = entry.is_symlink(), entry.is_dir(follow_symlinks=False)
        except OSError as error:
            self._leave(path, "unreadable", error.strerror or str(error))
            return None
        if is_link:
            # entry.is_dir would fail for a link to itself.
            if Path(path).is_dir() or self._language(path) is not None:
                self._leave(path, "ignored", "is a link")
            return None
        if not is_folder and self._language(path) is None and not is_zip_file(path):
            if not entry.name.startswith(".") and os.path.abspath(path) not in self._own:  # noqa: PTH100
                self.other += 1
            return None
        if reason := self._why_skipped(entry.name, place, rules, is_folder=is_folder):
            self._leave(path, *reason)
            return None
        if is_folder:
            return path, place
        if not entry.is_file(follow_symlinks=False):
            self._leave(path, "unreadable", "is a pipe, a socket or a device")
            return None
        self._file(path)
        return None

    def _why_skipped(
        self, name: str, place: str, rules: IgnoreRules, *, is_folder: bool
    ) -> tuple[str, str] | None:
        """The kind and the reason of what is left out on purpose."""
        if rules.ignores(place, is_folder=is_folder):
            return "ignored", IGNORED
        if self._excluded.ignores(place, is_folder=is_folder):
            return "ignored", EXCLUDED
        if self._everything:
            return None
        if name.startswith("."):
            return "hidden", "is hidden"
        if is_folder and name in VENDORED:
            return "vendored", f"is in a folder named {name}"
        return None

    def _language(self, path: str) -> Language | None:
        if path.lower().endswith(NOTEBOOK):
            return get_language("python")
        return language_of_file(path)

    def _file(self, path: str, *, named: bool = False) -> None:
        language = self._language(path)
        if is_zip_file(path):
            self._leave(path, "unreadable" if named else "ignored", ZIP_FILE)
            return
        if language is None:
            if named:
                self._leave(path, "unreadable", "has no suffix of a known language")
            return
        if self._languages and language.name not in self._languages:
            self.other += 1
            return
        if (
            not self._everything
            and not named
            and _GENERATED_NAMES.search(path, path.rfind(os.sep) + 1)
        ):
            self._leave(path, "generated", "is named like a generated file")
            return
        name = self._name(path)
        self.files.setdefault(name, FileToScan(path, name, language.name, typed=named))

    def _leave(self, path: str, kind: str, reason: str) -> None:
        name = self._name(path)
        self.left_out.setdefault(name, LeftOutFile(name, kind, reason))

    def _name(self, path: str) -> str:
        return shown_name(path, self._here)


def shown_name(path: str, here: str | None = None) -> str:
    """A path with slashes, below the current folder without its path."""
    here = os.getcwd() if here is None else here  # noqa: PTH109, texts are compared
    if path.startswith(here + os.sep):
        path = path[len(here) + 1 :]
    return path.replace(os.sep, "/")


def sources_of_content(
    file: FileToScan, data: bytes, *, everything: bool = False
) -> list[tuple[str, Source]] | LeftOutFile:
    """The text of a file with its name, or why it is left out, as a comment in it may say.

    Each code cell of a notebook is a text, named after the file and the number of the cell.
    """
    if not everything and ignores_file(data):
        return LeftOutFile(file.name, "ignored", IGNORED_FILE)
    return sources_of_data(file, data, everything=everything)


def sources_of_data(
    file: FileToScan, data: bytes, *, everything: bool = False
) -> list[tuple[str, Source]] | LeftOutFile:
    """The text of a file with its name, or why it is left out; no comment decides that."""
    if not everything and (reason := _why_generated(data)):
        return LeftOutFile(file.name, "generated", reason)
    try:
        text = decode(data, file.name)
        if file.path.lower().endswith(NOTEBOOK):
            return list(_cells(file, text))
    except CodekinError as error:
        reason = str(error).removeprefix(f"{file.name}: ").removeprefix(f"{file.path}: ")
        return LeftOutFile(file.name, "unreadable", reason)
    return [(file.name, Source(text, file.language))]


def read_text(name: str) -> Source:
    """A scanned text, by its name; an error if it is gone."""
    texts = read_texts(path_of_text(name))
    if name not in texts:
        raise CodekinError(f"{name}: there is no such cell")
    return texts[name]


def lines_of(source: Source) -> list[str]:
    """The lines of a text, as tokens count them."""
    return source.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def path_of_text(name: str) -> str:
    """The file of a scanned text, which is a cell if no file has its name."""
    return name if os.path.lexists(name) else name.rpartition("#")[0] or name


def read_texts(path: str) -> dict[str, Source]:
    """The texts in a scanned file by their names: itself, or the cells of a notebook."""
    language = language_of_file(path) or get_language("python")
    # What is scanned is named by somebody, or was no link when its folder was walked.
    file = FileToScan(path, path, language.name, typed=True)
    read = read_data(file, MOST_BYTES)
    texts = (
        read if isinstance(read, LeftOutFile) else sources_of_data(file, read[0], everything=True)
    )
    if isinstance(texts, LeftOutFile):
        raise CodekinError(f"{path}: {texts.reason}")
    return dict(texts)


def read_data(file: FileToScan, max_bytes: int) -> tuple[bytes, os.stat_result] | LeftOutFile:
    """The content of a file and its status, or why it is left out."""
    try:
        return read_unchanged(file.path, typed=file.typed, limit=max_bytes)
    except UnreadableFileError as error:
        hint = "; see --max-bytes of codekin scan" if _TOO_LARGE in error.reason else ""
        return LeftOutFile(file.name, "unreadable", f"{error.reason}{hint}")


def _before_code(head: bytes) -> Iterator[bytes]:
    """The lines before the first code; a comment further down may be about a part of the file."""
    inside = False
    for line in head.split(b"\n"):
        text = line.strip()
        opening = not text or _COMMENT.match(line) or _BEFORE_CODE.match(text)
        if not inside and (not opening or _INCLUDE.match(text)):
            return
        yield line
        if inside or text.startswith(b"/*"):
            inside = b"*/" not in text


def _why_generated(data: bytes) -> str:
    """Why a file seems to be generated or minified; empty if it does not."""
    head = data[:_HEAD]
    for line in _before_code(head) if b"generated" in head.lower() else ():
        if _COMMENT.match(line) and _GENERATED.search(line):
            return f"says so: {line.decode('utf-8', 'replace').strip()[:80]}"
    if len(data) > max(_LONG_LINE, _MEAN_LINE * data.count(b"\n")):
        long = sum(len(line) for line in data.split(b"\n") if len(line) > _LONG_LINE)
        if long > _LONG_LINES * len(data):
            return "is minified: most of it is in very long lines"
    return ""


def _cells(file: FileToScan, text: str) -> Iterator[tuple[str, Source]]:
    try:
        notebook = json.loads(text)
        cells = notebook["cells"]
        language = notebook.get("metadata", {}).get("kernelspec", {}).get("language", "python")
        found = [_cell_text(cell) for cell in cells]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise CodekinError("is not a Jupyter notebook of version 4") from None
    try:
        known = get_language(str(language))
    except CodekinError:
        raise CodekinError(f"is a notebook in {language!r}, which is not known") from None
    for number, code in enumerate(found, 1):
        if code and code.strip():
            yield f"{file.name}#{number}", Source(code, known)


def _cell_text(cell: dict[str, object]) -> str:
    """The code of a cell; magics are left out, since they are no Python."""
    if cell["cell_type"] != "code":
        return ""
    source = cell["source"]
    text = "".join(source) if isinstance(source, list) else str(source)
    if text.lstrip().startswith("%%"):
        return ""
    return "\n".join(
        "" if line.lstrip().startswith(("%", "!", "?")) else line for line in text.split("\n")
    )
