"""The code of students: files, folders and zip files, which are never extracted to disk."""

from __future__ import annotations

import csv
import io
import lzma
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path, PurePath

from codekin.errors import CodekinError
from codekin.groups.code_files import is_zip_file
from codekin.languages import language_of_file
from codekin.scan.scanned_files import (
    MAX_BYTES,
    NOTEBOOK,
    VENDORED,
    FileToScan,
    LeftOutFile,
    read_sources,
    sources_of_data,
)
from codekin.source import Source

__all__ = [
    "StudentCode",
    "known_date",
    "read_class",
    "read_dates",
    "read_template",
    "student_of",
]

_OTHER_ARCHIVES = (".tar", ".tgz", ".gz", ".bz2", ".xz", ".zst", ".7z", ".rar")
_MAX_ARCHIVE = 100_000_000
"""Bytes of a zip file, and of all that is read from it and from zip files in it."""
_MAX_ENTRIES = 20_000
"""Files in a zip file."""
_MAX_DEPTH = 2
"""Zip files inside of one another."""
_BROKEN = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error),
    *(ValueError, OSError, EOFError, RuntimeError, IndexError),
)
"""What damaged zip files raise; RuntimeError includes what is not implemented."""
_HIDDEN = ("__MACOSX", "__pycache__")
_EMPTY_FOLDER = "is an empty folder"
_NO_DATE = date(1980, 1, 1)
"""What archives have for files without a date."""

Parts = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class StudentCode:
    """The code that a student handed in.

    Attributes
    ----------
    student : str
    sources : tuple of (str, Source)
        The names and texts of its files.
    date : str
        When the last of its files was changed, as ISO 8601; empty if that is unknown.
    """

    student: str
    sources: tuple[tuple[str, Source], ...]
    date: str = ""


@dataclass(frozen=True)
class _ReadText:
    """A text, by the folders that lead to it."""

    parts: Parts
    name: str
    source: Source
    date: str


def read_class(
    folder: str | Path, *, max_bytes: int = MAX_BYTES
) -> tuple[list[StudentCode], list[LeftOutFile]]:
    """The code of each student in a folder or zip file, by student.

    Parameters
    ----------
    folder : str or Path
        Has a file, a folder or a zip file per student; those with the same name but for the suffix
        belong to one student.
    max_bytes : int
        Longer files are left out.

    Returns
    -------
    (list of StudentCode, list of LeftOutFile)
    """
    tree = _CodeTree(max_bytes)
    texts_of: dict[str, list[_ReadText]] = {}
    for text in tree.read(Path(folder)):
        student = _without_suffix(text.parts[0], alone=len(text.parts) == 1)
        texts_of.setdefault(student, []).append(text)
    students = [
        StudentCode(
            student,
            tuple((text.name, text.source) for text in texts),
            max(text.date for text in texts),
        )
        for student, texts in sorted(texts_of.items())
    ]
    return students, tree.left_out


def read_dates(path: str | Path) -> dict[str, list[str]]:
    """When students handed in, from a CSV file with the columns ``student`` and ``date``.

    Dates are ISO 8601, such as ``2026-05-04 16:30``; those with a time zone are converted to UTC.
    A student who handed in several times has several lines.
    """
    try:
        text = Path(path).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "is not text in UTF-8"
        raise CodekinError(f"{path}: the dates cannot be read: {reason}") from None
    try:
        dialect: type[csv.Dialect] | str = csv.Sniffer().sniff(text[:2000], ",;\t")
    except csv.Error:
        dialect = "excel"
    lines = csv.DictReader(io.StringIO(text), dialect=dialect, restkey="", restval="")
    heads = {(head or "").strip().lower(): head for head in lines.fieldnames or ()}
    if not {"student", "date"} <= set(heads):
        raise CodekinError(f"{path}: the first line must name the columns student and date")
    dates: dict[str, list[str]] = {}
    for row in lines:
        student, date = row[heads["student"]].strip(), row[heads["date"]].strip()
        if not student or not date:
            continue
        dates.setdefault(student, []).append(known_date(date, f"{path}: line {lines.line_num}"))
    return {student: sorted(mine) for student, mine in dates.items()}


def known_date(text: str, where: str) -> str:
    """A date in the form of results; an error says where it is from."""
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        raise CodekinError(
            f"{where}: {text!r} is not a date; write it as in 2026-05-04 16:30"
        ) from None
    if when.tzinfo is not None:
        when = when.astimezone(UTC).replace(tzinfo=None)
    return _date_text(when)


def _date_text(when: datetime) -> str:
    return when.isoformat(sep=" ", timespec="seconds")


def _zip_date(entry: zipfile.ZipInfo) -> str:
    """When a file in an archive was changed; empty if the archive does not say so."""
    try:
        when = datetime(*entry.date_time)
    except ValueError:
        return ""
    return "" if when.date() == _NO_DATE else _date_text(when)


def read_template(
    path: str | Path, *, max_bytes: int = MAX_BYTES
) -> tuple[list[tuple[str, Source]], list[LeftOutFile]]:
    """The texts of starter code: a file, a folder or a zip file."""
    place = Path(path)
    if place.is_file() and not is_zip_file(place):
        language = _language(place.name)
        if language is None:
            raise CodekinError(f"{path}: the template has no suffix of a known language")
        file = FileToScan(str(place), str(path), language)
        read = read_sources(file, max_bytes=max_bytes, everything=True)
        if isinstance(read, LeftOutFile):
            raise CodekinError(f"{path}: the template cannot be read: it {read.reason}")
        return read, []
    tree = _CodeTree(max_bytes)
    texts = tree.read(place)
    if not texts:
        raise CodekinError(f"{path}: the template has no code{_first_reasons(tree.left_out)}")
    return [(one.name, one.source) for one in texts], tree.left_out


def _first_reasons(left_out: list[LeftOutFile]) -> str:
    named = "; ".join(f"{one.path} {one.reason}" for one in left_out[:3])
    return f" ({named}{'; …' if len(left_out) > 3 else ''})" if named else ""


def student_of(folder: str, file: LeftOutFile) -> str:
    """The student who handed in a file that was left out; empty if it is nobody's.

    Nobody's are hidden files, and files beside those of the students that are not code.

    Parameters
    ----------
    folder : str
        The path of the folder with the students.
    file : LeftOutFile
    """
    if not file.path.startswith(f"{folder}/"):
        return ""
    top, *below = file.path.removeprefix(f"{folder}/").split("/")
    if top.startswith(".") or top in _HIDDEN or top in VENDORED:
        return ""
    alone = not below and file.reason != _EMPTY_FOLDER
    if alone and file.kind == "ignored" and _language(top) is None:
        return ""
    return _without_suffix(top, alone=alone)


def _without_suffix(part: str, *, alone: bool) -> str:
    """The name of a student: that of a folder as it is, that of a file without its suffix."""
    if alone or is_zip_file(part):
        return PurePath(part).stem or part
    return part


def _language(name: str) -> str | None:
    if name.lower().endswith(NOTEBOOK):
        return "python"
    found = language_of_file(PurePath(name))
    return None if found is None else found.name


class _CodeTree:
    """Reads the code below a folder; a zip file in it is like a folder."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._left = 0
        self.left_out: list[LeftOutFile] = []

    def read(self, root: Path) -> list[_ReadText]:
        """All texts, by name."""
        if root.is_dir():
            texts = list(self._folder(root, ()))
        elif root.is_file() and is_zip_file(root):
            texts = list(self._zip_file(root, ()))
            tops = {one.parts[0] for one in texts}
            if len(tops) == 1 and all(len(one.parts) > 1 for one in texts):
                # Everything is in one folder, as archives often are.
                texts = [replace(one, parts=one.parts[1:]) for one in texts]
        elif root.exists():
            raise CodekinError(f"{root}: is neither a folder nor a zip file")
        else:
            raise CodekinError(f"{root}: no such file or folder")
        self.left_out.sort(key=lambda one: one.path)
        return sorted(texts, key=lambda one: (one.parts, one.name))

    def _folder(self, root: Path, parts: Parts) -> Iterator[_ReadText]:
        waiting = [(root, parts)]
        while waiting:
            folder, above = waiting.pop()
            try:
                with os.scandir(folder) as found:
                    entries = sorted(found, key=lambda one: one.name)
            except OSError as error:
                self._leave(folder.as_posix(), "unreadable", error.strerror or str(error))
                continue
            if not entries and above:
                self._leave(folder.as_posix(), "ignored", _EMPTY_FOLDER)
            for entry in entries:
                mine = (*above, entry.name)
                path = Path(entry.path)
                if self._is_left_out(entry.name, path.as_posix()):
                    continue
                if entry.is_symlink():
                    self._leave(path.as_posix(), "ignored", "is a link")
                elif entry.is_dir(follow_symlinks=False):
                    waiting.append((path, mine))
                elif not entry.is_file(follow_symlinks=False):
                    self._leave(path.as_posix(), "unreadable", "is not a regular file")
                elif is_zip_file(entry.name):
                    yield from self._zip_file(path, mine)
                else:
                    yield from self._file(path, mine)

    def _file(self, path: Path, parts: Parts) -> Iterator[_ReadText]:
        name = path.as_posix()
        language = self._known(name)
        if language is not None:
            file = FileToScan(str(path), name, language)
            read = read_sources(file, max_bytes=self._max_bytes, everything=True)
            yield from self._texts(parts, read, "")

    def _zip_file(self, path: Path, parts: Parts) -> Iterator[_ReadText]:
        name = path.as_posix()
        try:
            size = path.stat().st_size
            if size > _MAX_ARCHIVE:
                self._leave(name, "unreadable", f"has {size:,} bytes, more than {_MAX_ARCHIVE:,}")
                return
            data = path.read_bytes()
        except OSError as error:
            self._leave(name, "unreadable", error.strerror or str(error))
            return
        self._left = _MAX_ARCHIVE
        yield from self._archive(data, name, parts, 1)

    def _archive(self, data: bytes, name: str, parts: Parts, depth: int) -> Iterator[_ReadText]:
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                entries = [one for one in archive.infolist() if not one.is_dir()]
                if len(entries) > _MAX_ENTRIES:
                    reason = f"has {len(entries):,} files, more than {_MAX_ENTRIES:,}"
                    self._leave(name, "unreadable", reason)
                    return
                yield from self._entries(archive, entries, name, parts, depth)
        except _BROKEN as error:
            self._leave(name, "unreadable", f"is not a readable zip file: {error}")

    def _entries(
        self,
        archive: zipfile.ZipFile,
        entries: list[zipfile.ZipInfo],
        name: str,
        parts: Parts,
        depth: int,
    ) -> Iterator[_ReadText]:
        seen: set[str] = set()
        for entry in sorted(entries, key=lambda one: one.filename):
            inner = entry.filename.replace("\\", "/")
            shown = f"{name}/{inner}"
            steps = tuple(inner.split("/"))
            if inner.startswith("/") or ".." in steps or ":" in steps[0]:
                self._leave(shown, "unreadable", "leads out of the zip file")
            elif inner in seen:
                self._leave(shown, "unreadable", "is in the zip file twice")
            elif any(self._is_left_out(step, shown) for step in steps):
                pass
            elif stat.S_ISLNK(entry.external_attr >> 16):
                self._leave(shown, "ignored", "is a link")
            elif is_zip_file(inner) and depth == _MAX_DEPTH:
                self._leave(shown, "unreadable", "is too deep inside of other zip files")
            elif is_zip_file(inner):
                data = self._content(archive, entry, shown, _MAX_ARCHIVE)
                if data:
                    yield from self._archive(data, shown, (*parts, *steps), depth + 1)
            elif (language := self._known(shown)) is not None:
                data = self._content(archive, entry, shown, self._max_bytes)
                if data:
                    file = FileToScan(shown, shown, language)
                    read = sources_of_data(file, data, everything=True)
                    yield from self._texts((*parts, *steps), read, _zip_date(entry))
            seen.add(inner)

    def _content(
        self, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, shown: str, limit: int
    ) -> bytes:
        """What a file in an archive has; nothing if it cannot be read, for which it says why."""
        if entry.flag_bits & 1:
            self._leave(shown, "unreadable", "is encrypted")
            return b""
        limit = min(limit, self._left)
        data = b""
        if entry.file_size <= limit:
            try:
                with archive.open(entry) as file:
                    data = file.read(limit + 1)  # the size that the archive states may be wrong
            except _BROKEN as error:
                self._leave(shown, "unreadable", f"cannot be decompressed: {error}")
                return b""
        self._left -= min(len(data), self._left)
        if max(entry.file_size, len(data)) > limit:
            self._leave(shown, "unreadable", f"has more than {limit:,} bytes")
            return b""
        if not data:
            self._leave(shown, "ignored", "is empty")
        return data

    def _texts(
        self, parts: Parts, read: list[tuple[str, Source]] | LeftOutFile, date: str
    ) -> Iterator[_ReadText]:
        if isinstance(read, LeftOutFile):
            self.left_out.append(read)
            return
        for name, source in read:
            if source.text.strip():
                yield _ReadText(parts, name, source, date)
            else:
                self._leave(name, "ignored", "is empty")

    def _known(self, name: str) -> str | None:
        """The language of a file; None if it is unknown, which is recorded."""
        language = _language(name)
        if language is None:
            archive = name.lower().endswith(_OTHER_ARCHIVES)
            reason = "is an archive, but not a zip file" if archive else "is not known to be code"
            self._leave(name, "unreadable" if archive else "ignored", reason)
        return language

    def _is_left_out(self, step: str, shown: str) -> bool:
        """Whether a file or folder is never read because of its name."""
        if step in VENDORED:
            self._leave(shown, "vendored", f"is in a folder named {step}")
        elif step.startswith(".") or step in _HIDDEN or not step:
            self._leave(shown, "ignored", "is hidden")
        else:
            return False
        return True

    def _leave(self, name: str, kind: str, reason: str) -> None:
        self.left_out.append(LeftOutFile(name, kind, reason))
