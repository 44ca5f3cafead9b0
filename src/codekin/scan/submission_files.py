"""The code of students: files, folders and zip files, which are never extracted to disk."""

from __future__ import annotations

import io
import os
import re
import stat
import tarfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path, PurePath
from typing import IO, Any, cast

from codekin.errors import CodekinError
from codekin.groups.code_files import is_zip_file
from codekin.languages import language_of_file
from codekin.opening import UnreadableFileError, open_file, read_unchanged
from codekin.results import first_names
from codekin.scan.scanned_files import (
    MAX_BYTES,
    NOTEBOOK,
    VENDORED,
    FileToScan,
    LeftOutFile,
    read_data,
    sources_of_data,
)
from codekin.scan.submission_dates import date_text, normal
from codekin.source import Source

__all__ = [
    "ReadingLimits",
    "StudentCode",
    "SubmittedClass",
    "below",
    "first_reasons",
    "read_class",
    "read_template",
    "student_of",
]

_TAR_FILES = (".tar", ".tar.gz", ".tgz")
_OTHER_ARCHIVES = (".gz", ".bz2", ".xz", ".zst", ".7z", ".rar", ".tbz2", ".txz")
_OF_THE_COURSE = (".md", ".csv", ".tsv", ".xlsx", ".json", ".yaml", ".yml", ".toml", ".ini", ".log")
"""Suffixes of files beside those of students that no student hands in."""
_NAMES_OF_THE_COURSE = ("readme", "license", "makefile", "dockerfile", "thumbs.db", "desktop.ini")
_MANY_CHILDREN, _MOST_SECTIONS, _FEW_IN_COMMON = 4, 20, 0.25
"""From so many entries on, in at most so many folders, of which at most this share have a name that
is in another folder, too, folders look like groups of students."""
_NAMES_OF_FILES = re.compile(
    r"(main|index|app|utils?|utilities|helpers?|tests?|solution|program|list|node|types|"
    r"((ex|exercise|task|problem|question|aufgabe|blatt|hw|homework|assignment|lab|part)"
    r"[ _-]?\d{1,2}[a-z]?))",
    re.IGNORECASE,
)
"""What files are called, and students are not."""
_MAX_DEPTH = 2
"""Zip files inside of one another."""
_PIECE = 4096
"""Bytes of an archive that are read at a time."""
_LEAST_CODE = 1_000
"""Bytes that a text counts as at least, since each takes some time."""
_STUDENT_ARCHIVES, _STUDENT_ENTRIES = 100_000_000, 20_000
_CLASS_ARCHIVES, _CLASS_ENTRIES = 2_000_000_000, 400_000
_CLASS_TAR = 500_000_000
"""The most bytes of zip files in zip files, and the most files in zip files, of which is read."""
_LONGEST_NAME, _LONGEST_ENTRY = 1_000, 200
"""Characters of the name of a file in an archive, and bytes of its record on average."""
_HIDDEN = ("__MACOSX", "__pycache__")
_EMPTY, _EMPTY_FOLDER, _LINK = "is empty", "is an empty folder", "is a link"
_NO_FILES = b"PK\5\6" + bytes(18)
"""An empty zip file."""
_NO_DATE = date(1980, 1, 1)
"""What archives have for files without a date."""

Parts = tuple[str, ...]


@dataclass(frozen=True)
class ReadingLimits:
    """The most bytes of code that are read.

    Attributes
    ----------
    max_bytes : int
        Of a file.
    student_bytes, class_bytes : int
        Of a student, and of all students together. A file counts as 1,000 bytes at least.
    """

    max_bytes: int = MAX_BYTES
    student_bytes: int = 10_000_000
    class_bytes: int = 200_000_000


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


@dataclass(frozen=True, eq=False)
class SubmittedClass:
    """What the students of a class handed in.

    Attributes
    ----------
    students : list of StudentCode
        By name.
    left_out : list of LeftOutFile
    refused : dict of str to str
        The students who are not compared because there is too much to read, with the reason.
    folders : tuple of str
        The paths of the folders with the students, which an archive may have in another folder.
    in_several : tuple of str
        The students who have code in more than one of the folders.
    doubts : tuple of str
        Why the folders may not be those of a class.
    """

    students: list[StudentCode]
    left_out: list[LeftOutFile]
    refused: dict[str, str]
    folders: tuple[str, ...]
    in_several: tuple[str, ...]
    doubts: tuple[str, ...]


def read_class(folders: Sequence[str | Path], limits: ReadingLimits) -> SubmittedClass:
    """The code of each student in some folders or archives, by student.

    Parameters
    ----------
    folders : sequence of str or Path
        Each has a file, a folder or an archive per student; those with the same name but for the
        suffix belong to one student.
    limits : ReadingLimits
    """
    tree = _CodeTree(limits, of_a_class=True)
    texts_of: dict[str, list[_ReadText]] = {}
    places: list[str] = []
    found: Counter[str] = Counter()
    doubts: list[str] = []
    for folder in folders:
        texts = tree.read(Path(folder))
        places.append(tree.place)
        mine: dict[str, list[_ReadText]] = {}
        for text in texts:
            student = _without_suffix(text.parts[0], alone=len(text.parts) == 1)
            mine.setdefault(student, []).append(text)
            texts_of.setdefault(student, []).append(text)
        found.update(mine.keys())
        doubts += _doubts(str(folder), mine)
    students = [
        StudentCode(
            student,
            tuple((text.name, text.source) for text in texts),
            max(text.date for text in texts),
        )
        for student, texts in sorted(texts_of.items())
        if student not in tree.refused
    ]
    several = tuple(sorted(student for student, count in found.items() if count > 1))
    return SubmittedClass(
        students, tree.left_out, tree.refused, tuple(places), several, tuple(doubts)
    )


def _doubts(folder: str, texts_of: Mapping[str, Sequence[_ReadText]]) -> Iterator[str]:
    """Why a folder may not be that of a class: it may be one above it, or one below."""
    inside = {
        student: {
            _without_suffix(text.parts[1], alone=len(text.parts) == 2)
            for text in texts
            if len(text.parts) > 1
        }
        for student, texts in texts_of.items()
    }
    counts = Counter(name for names in inside.values() for name in names)
    if len(inside) == 1 and len(counts) > 1:
        (student,) = inside
        yield f"All code is in {folder}/{student}; if that is the folder of the class, give it."
    elif 1 < len(inside) <= _MOST_SECTIONS and counts:
        middle = sorted(map(len, inside.values()))[len(inside) // 2]
        common = sum(count for count in counts.values() if count > 1)
        if middle >= _MANY_CHILDREN and common <= _FEW_IN_COMMON * counts.total():
            yield (
                f"The {len(inside)} students of {folder} have {middle} folders or files each, "
                "few with a name that others have. If those are the students, this is one folder "
                "too high: give each folder in it, by repeating --submissions."
            )
    files = [name for name in inside if not inside[name] and _NAMES_OF_FILES.fullmatch(name)]
    if len(files) > 1 and 2 * len(files) >= len(inside):
        yield (
            f"The students of {folder} are called as files are ({first_names(files)}). If that is "
            "the folder of one student or exercise, give the folder of the class."
        )


def _zip_date(entry: zipfile.ZipInfo) -> str:
    """When a file in an archive was changed; empty if the archive does not say so."""
    try:
        when = datetime(*entry.date_time)
    except ValueError:
        return ""
    return "" if when.date() == _NO_DATE else date_text(when)


def read_template(
    path: str | Path, limits: ReadingLimits
) -> tuple[list[tuple[str, Source]], list[LeftOutFile]]:
    """The texts of starter code: a file, a folder or an archive."""
    place = Path(path)
    if not place.is_dir() and not _is_archive(place.name) and place.exists():
        language = _language(place.name)
        if language is None:
            raise CodekinError(f"{path}: the template has no suffix of a known language")
        data, _ = read_unchanged(place, limit=limits.max_bytes, typed=True)
        read = sources_of_data(FileToScan(str(place), str(path), language), data, everything=True)
        if isinstance(read, LeftOutFile):
            raise CodekinError(f"{path}: the template cannot be read: it {read.reason}")
        return read, []
    tree = _CodeTree(limits, of_a_class=False)
    texts = tree.read(place)
    if tree.refused:
        raise CodekinError(f"{path}: the template is not read: {tree.refused['']}")
    if not texts:
        named = first_reasons(tree.left_out)
        raise CodekinError(f"{path}: the template has no code{f' ({named})' if named else ''}")
    return [(text.name, text.source) for text in texts], tree.left_out


def first_reasons(left_out: Sequence[LeftOutFile]) -> str:
    """The first files that were left out, with the reasons."""
    return first_names([f"{file.path} {file.reason}" for file in left_out], between="; ")


def below(folders: Sequence[str], path: str) -> tuple[str, str]:
    """The folder that a path is in, and the path below it; both are empty if it is in none.

    Examples
    --------
    >>> below(["class"], "class/anna.c"), below(["."], "anna.c"), below(["class"], "starter.c")
    (('class', 'anna.c'), ('.', 'anna.c'), ('', ''))
    """
    for folder in sorted(folders, key=len, reverse=True):
        start = f"{folder.rstrip('/')}/"
        if folder == "." and not path.startswith(("/", "../")):
            return folder, path
        if path.startswith(start):
            return folder, path.removeprefix(start)
    return "", ""


def student_of(folders: Sequence[str], file: LeftOutFile) -> str:
    """The student who handed in a file that was left out; empty if it is nobody's.

    Nobody's are hidden files, and files beside those of the students that a course has, such as a
    README.

    Parameters
    ----------
    folders : sequence of str
        The paths of the folders with the students.
    file : LeftOutFile
    """
    top, *inner = below(folders, file.path)[1].split("/")
    if not top or top.startswith(".") or top in _HIDDEN or top in VENDORED:
        return ""
    alone = not inner and file.reason != _EMPTY_FOLDER
    if alone and _is_of_the_course(top) and file.kind == "ignored":
        return ""
    return _without_suffix(top, alone=alone)


def _is_of_the_course(name: str) -> bool:
    stem = name.lower().partition(".")[0]
    return (
        name.lower().endswith(_OF_THE_COURSE)
        or {stem, name.lower()} & {*_NAMES_OF_THE_COURSE} != set()
    )


def _without_suffix(part: str, *, alone: bool) -> str:
    """The name of a student: that of a folder as it is, that of a file without its suffix."""
    if alone or _is_archive(part):
        return PurePath(part).stem.removesuffix(".tar") or part
    return part


def _is_tar_file(name: str) -> bool:
    return name.lower().endswith(_TAR_FILES)


def _is_archive(name: str) -> bool:
    return is_zip_file(name) or _is_tar_file(name)


def _language(name: str) -> str | None:
    if name.lower().endswith(NOTEBOOK):
        return "python"
    found = language_of_file(PurePath(name))
    return None if found is None else found.name


class _OverBudgetError(Exception):
    """More would be read of a student, or of the class, than may be."""


@dataclass
class _Budget:
    """What may still be read: bytes of code, bytes of zip files in zip files, and their entries."""

    code: int
    archives: int
    entries: int

    def spend(self, code: int, archives: int, entries: int) -> None:
        self.code -= code
        self.archives -= archives
        self.entries -= entries


class _CodeTree:
    """Reads the code below a folder; a zip file in it is like a folder.

    Parameters
    ----------
    limits : ReadingLimits
    of_a_class : bool
        Whether it belongs to several students, who each have a budget of their own.
    """

    def __init__(self, limits: ReadingLimits, *, of_a_class: bool) -> None:
        self._limits = limits
        self._of_a_class = of_a_class
        self._above = 0  # folders of a zip file above those of the students
        self._class = _Budget(limits.class_bytes, _CLASS_ARCHIVES, _CLASS_ENTRIES)
        self._students: dict[str, _Budget] = {}
        self._texts: dict[str, list[_ReadText]] = {}
        self.place = ""
        """The path of the folder with the students that was read last."""
        self.left_out: list[LeftOutFile] = []
        self.refused: dict[str, str] = {}
        """Why too much would have to be read of some students."""

    def read(self, root: Path) -> list[_ReadText]:
        """All texts, by name; there are none of students who are refused."""
        self._texts, self._above, self.place = {}, 0, normal(root.as_posix())
        if root.is_dir():
            self._folder(root)
        elif root.is_file() and _is_archive(root.name):
            self._archive_of_all(root)
        elif root.exists():
            raise CodekinError(f"{root}: is neither a folder nor a zip or tar file")
        else:
            raise CodekinError(f"{root}: no such file or folder")
        texts = [text for texts in self._texts.values() for text in texts]
        if not root.is_dir():
            tops = {text.parts[0] for text in texts}
            if len(tops) == 1 and all(len(text.parts) > 1 for text in texts):
                # Everything is in one folder, as archives often are.
                texts = [replace(text, parts=text.parts[1:]) for text in texts]
                self.place = f"{self.place}/{tops.pop()}"
        self.left_out.sort(key=lambda file: file.path)
        return sorted(texts, key=lambda text: (text.parts, text.name))

    def _folder(self, root: Path) -> None:
        waiting: list[tuple[Path, Parts]] = [(root, ())]
        while waiting:
            folder, above = waiting.pop()
            try:
                with os.scandir(folder) as found:
                    entries = sorted(found, key=lambda entry: entry.name)
            except OSError as error:
                self._leave(normal(folder.as_posix()), "unreadable", error.strerror or str(error))
                continue
            if not entries and above:
                self._leave(normal(folder.as_posix()), "ignored", _EMPTY_FOLDER)
            for entry in entries:
                parts = (*above, normal(entry.name))
                path = Path(entry.path)
                name = normal(path.as_posix())
                if self._is_left_out(entry.name, name):
                    continue
                if entry.is_symlink():
                    self._leave(name, "ignored", _LINK)
                elif entry.is_dir(follow_symlinks=False):
                    waiting.append((path, parts))
                elif not entry.is_file(follow_symlinks=False):
                    self._leave(name, "unreadable", "is a pipe, a socket or a device")
                elif _is_archive(name):
                    self._take(parts, name, self._archive_file(path, parts))
                else:
                    self._take(parts, name, self._file(path, parts))

    def _take(self, parts: Parts, name: str, texts: Iterator[_ReadText]) -> None:
        """Keep some texts of a student, unless there is too much to read of the student."""
        student = self._student(parts)
        if student in self.refused:
            return
        try:
            self._texts.setdefault(student, []).extend(texts)
        except _OverBudgetError as error:
            self._class.code += self._limits.student_bytes - self._students[student].code
            self._texts[student] = []
            self.refused[student] = str(error)
            self._leave(name, "unreadable", f"is not compared: {error}")

    def _student(self, parts: Parts) -> str:
        if not self._of_a_class:
            return ""
        below = parts[min(self._above, len(parts) - 1) :]
        return _without_suffix(below[0], alone=len(below) == 1)

    def _spend(self, parts: Parts, *, code: int = 0, archives: int = 0, entries: int = 0) -> None:
        limits, everyone = self._limits, self._class
        mine = self._students.setdefault(
            self._student(parts),
            _Budget(limits.student_bytes, _STUDENT_ARCHIVES, _STUDENT_ENTRIES),
        )
        for budget in (mine, everyone):
            budget.spend(code, archives, entries)
        if mine.code < 0:
            most = f"{limits.student_bytes:,} bytes of code"
            raise _OverBudgetError(f"more than {most}; see --max-student-bytes")
        if everyone.code < 0:
            most = f"{limits.class_bytes:,} bytes of code"
            raise _OverBudgetError(f"the class has more than {most}; see --max-class-bytes")
        if mine.archives < 0 or everyone.archives < 0:
            raise _OverBudgetError("too large zip files inside of zip files; unpack them")
        if mine.entries < 0 or everyone.entries < 0:
            raise _OverBudgetError("too many files in zip files; unpack them")

    def _file(self, path: Path, parts: Parts) -> Iterator[_ReadText]:
        name = normal(path.as_posix())
        language = self._known(name)
        if language is None:
            return
        file = FileToScan(str(path), name, language)
        read = read_data(file, self._limits.max_bytes)
        if isinstance(read, LeftOutFile):
            self.left_out.append(read)
            return
        self._spend(parts, code=len(read[0]))
        yield from self._texts_of(file, read[0], parts, "")

    def _archive_file(self, path: Path, parts: Parts) -> Iterator[_ReadText]:
        name = normal(path.as_posix())
        try:
            with open_file(path) as opened:
                stream: IO[bytes] = opened
                if _is_tar_file(name):
                    stream = self._zip_of_tar(
                        stream,
                        name,
                        _STUDENT_ARCHIVES,
                        lambda size: self._spend(parts, archives=size),
                    )
                for archive, entry in self._entries(stream, name, _STUDENT_ENTRIES):
                    yield from self._entry(archive, entry, name, parts, 1)
        except UnreadableFileError as error:
            self._leave(name, "unreadable", error.reason)

    def _archive_of_all(self, path: Path) -> None:
        with open_file(path, typed=True) as opened:
            stream: IO[bytes] = opened
            name = normal(path.as_posix())
            if _is_tar_file(name):
                stream = self._zip_of_tar(stream, name, _CLASS_TAR, lambda size: None)
            entries = list(self._entries(stream, name, _CLASS_ENTRIES))
            with_code = [entry for _, entry in entries if _may_have_code(entry)]
            tops = {_steps(entry)[0] for entry in with_code}
            self._above = int(len(tops) == 1 and all(len(_steps(entry)) > 1 for entry in with_code))
            for archive, entry in entries:
                texts = self._entry(archive, entry, name, (), 1)
                self._take(_steps(entry), f"{name}/{entry.filename}", texts)

    def _zip_of_tar(
        self, stream: IO[bytes], name: str, limit: int, spend: Callable[[int], None]
    ) -> IO[bytes]:
        """The files of a tar file as those of a zip file, so that one code reads both.

        Empty if it cannot be read, for which it says why.
        """
        packed = io.BytesIO()
        try:
            data = _unpacked(stream, limit)
            # Of several files with one name, the last counts, as for tar.
            members = {inner: (mode, content) for inner, mode, content in _tar_members(data)}
            with zipfile.ZipFile(packed, "w") as archive:
                for inner, (mode, content) in members.items():
                    entry = zipfile.ZipInfo(inner)  # without a date, since it would be one of UTC
                    entry.external_attr = mode << 16
                    archive.writestr(entry, content)
        except Exception as error:  # tarfile raises as many kinds as zipfile
            self._leave(name, "unreadable", f"is not a readable tar file: {_in_words(error)}")
            return io.BytesIO(_NO_FILES)
        spend(len(data))
        packed.seek(0)
        return packed

    def _entries(
        self, stream: IO[bytes], name: str, most: int
    ) -> Iterator[tuple[zipfile.ZipFile, zipfile.ZipInfo]]:
        """The entries of an archive by name, each once; none if it is broken or has too many."""
        guarded = _FewEntries(stream, most)
        try:
            archive = zipfile.ZipFile(cast(IO[bytes], guarded))
        except Exception as error:  # zipfile raises ten kinds for broken archives
            self._leave(name, "unreadable", f"is not a readable zip file: {_in_words(error)}")
            return
        guarded.is_open = True
        counts: Counter[str] = Counter()
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        for entry in sorted(entries, key=lambda entry: entry.filename):
            entry.filename = normal(entry.filename.replace("\\", "/"))
            counts[entry.filename] += 1
            if counts[entry.filename] == 1:
                yield archive, entry
        for inner, count in counts.items():
            if count > 1:
                reason = f"is in the zip file {'twice' if count == 2 else f'{count:,} times'}"
                self._leave(f"{name}/{inner}", "unreadable", reason)

    def _entry(
        self,
        archive: zipfile.ZipFile,
        entry: zipfile.ZipInfo,
        name: str,
        above: Parts,
        depth: int,
    ) -> Iterator[_ReadText]:
        """The texts of a file in an archive."""
        inner, steps = entry.filename, _steps(entry)
        shown, parts = f"{name}/{inner}", (*above, *steps)
        self._spend(parts, entries=1)
        if len(inner) > _LONGEST_NAME:
            reason = f"has a name of {len(inner):,} characters"
            self._leave(f"{name}/{inner[:100]}…", "unreadable", reason)
        elif inner.startswith("/") or ".." in steps or ":" in steps[0]:
            self._leave(shown, "unreadable", "leads out of the archive")
        elif any(self._is_left_out(step, shown) for step in steps):
            pass
        elif stat.S_ISLNK(entry.external_attr >> 16):
            self._leave(shown, "ignored", _LINK)
        elif _is_archive(inner) and depth == _MAX_DEPTH:
            self._leave(shown, "unreadable", "is too deep inside of other archives")
        elif _is_archive(inner):

            def spend(size: int) -> None:
                self._spend(parts, archives=size)

            data = self._content(archive, entry, shown, _STUDENT_ARCHIVES, spend)
            stream: IO[bytes] = io.BytesIO(data)
            if data and _is_tar_file(inner):
                stream = self._zip_of_tar(stream, shown, _STUDENT_ARCHIVES, spend)
            inside = self._entries(stream, shown, _STUDENT_ENTRIES) if data else ()
            for nested, within in inside:
                yield from self._entry(nested, within, shown, parts, depth + 1)
        elif (language := self._known(shown)) is not None:
            data = self._content(
                archive,
                entry,
                shown,
                self._limits.max_bytes,
                lambda size: self._spend(parts, code=size),
            )
            if data:
                file = FileToScan(shown, shown, language)
                yield from self._texts_of(file, data, parts, _zip_date(entry))

    def _content(
        self,
        archive: zipfile.ZipFile,
        entry: zipfile.ZipInfo,
        shown: str,
        limit: int,
        spend: Callable[[int], None],
    ) -> bytes:
        """What a file in an archive has; nothing if it cannot be read, for which it says why."""
        if entry.flag_bits & 1:
            self._leave(shown, "unreadable", "is encrypted")
            return b""
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            # zipfile unpacks others in pieces that can be ten thousand times as large.
            reason = "is compressed in an unusual way; unpack the zip file, or make one by Deflate"
            self._leave(shown, "unreadable", reason)
            return b""
        data = bytearray()
        problem = ""
        if entry.file_size <= limit:
            try:
                with archive.open(entry) as stream:
                    # In pieces, whatever the archive states.
                    while len(data) <= limit and (piece := stream.read(_PIECE)):
                        data += piece
            except Exception as error:  # zipfile and its decompressor raise ten kinds
                problem = f"cannot be decompressed: {_in_words(error)}"
        if max(entry.file_size, len(data)) > limit:
            problem = f"has more than {limit:,} bytes"
        spend(len(data))  # what is of no use took time as well
        if problem:
            self._leave(shown, "unreadable", problem)
            return b""
        if not data:
            self._leave(shown, "ignored", _EMPTY)
        return bytes(data)

    def _texts_of(
        self, file: FileToScan, data: bytes, parts: Parts, date: str
    ) -> Iterator[_ReadText]:
        read = sources_of_data(file, data, everything=True)
        if isinstance(read, LeftOutFile):
            self.left_out.append(read)
            return
        self._spend(parts, code=max(0, _LEAST_CODE * len(read) - len(data)))
        for name, source in read:
            if source.text.strip():
                yield _ReadText(parts, name, source, date)
            else:
                self._leave(name, "ignored", _EMPTY)

    def _known(self, name: str) -> str | None:
        """The language of a file; None if it is unknown, which is recorded."""
        language = _language(name)
        if language is None:
            archive = name.lower().endswith(_OTHER_ARCHIVES)
            reason = (
                "is an archive, but not a zip or tar.gz file; unpack it"
                if archive
                else "is not known to be code"
            )
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


def _steps(entry: zipfile.ZipInfo) -> Parts:
    return tuple(entry.filename.split("/"))


def _may_have_code(entry: zipfile.ZipInfo) -> bool:
    hidden = any(step.startswith(".") or step in _HIDDEN for step in _steps(entry))
    name = entry.filename
    return not hidden and (_is_archive(name) or _language(name) is not None)


def _unpacked(stream: IO[bytes], limit: int) -> bytes:
    """The data of a tar file that may be compressed by gzip."""
    data = bytearray()
    packed = stream.read(_PIECE)
    if not packed.startswith(b"\x1f\x8b"):
        while packed and len(data) <= limit:
            data += packed
            packed = stream.read(_PIECE)
    else:
        unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
        while packed and len(data) <= limit and not unpacker.eof:
            data += unpacker.decompress(packed, limit + 1 - len(data))
            packed = unpacker.unconsumed_tail or stream.read(_PIECE)
        if not unpacker.eof and len(data) <= limit:
            raise ValueError("it ends too early")
    if len(data) > limit:
        raise ValueError(f"it has more than {limit:,} bytes")
    return bytes(data)


def _tar_members(data: bytes) -> Iterator[tuple[str, int, bytes]]:
    """The name, the mode and the content of each file in a tar file; a link has no content."""
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
        for number, member in enumerate(archive):
            if number > _CLASS_ENTRIES:
                raise ValueError(f"it has more than {_CLASS_ENTRIES:,} files")
            inner = member.name.removeprefix("./")
            if member.issym() or member.islnk():
                yield inner, stat.S_IFLNK, b""
            elif member.isreg() and not member.issparse():
                content = archive.extractfile(member)
                yield inner, stat.S_IFREG, b"" if content is None else content.read()


def _in_words(error: Exception) -> str:
    return "there is too little memory" if isinstance(error, MemoryError) else str(error)


class _FewEntries:
    """A stream of a zip file that refuses to be read if the archive has too many entries."""

    def __init__(self, stream: IO[bytes], most: int) -> None:
        self._stream = stream
        self._most = most
        self.is_open = False
        """Whether the list of entries was read, which is read in one piece."""

    def read(self, size: int = -1) -> bytes:
        """Some bytes."""
        if not self.is_open and size > _LONGEST_ENTRY * self._most:
            raise zipfile.BadZipFile("its list of files is too long")
        data = self._stream.read(size)
        if not self.is_open and (count := data.count(b"PK\1\2")) > self._most:
            raise zipfile.BadZipFile(f"it has {count:,} files, more than {self._most:,}")
        return data

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
