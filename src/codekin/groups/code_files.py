"""Finding and reading files of code: those that are named, and those in folders."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from codekin.errors import CodekinError
from codekin.languages import get_language, language_of_file
from codekin.languages.language import Language
from codekin.represent.text.detection import detect_language
from codekin.source import Source, decode, read_bytes

__all__ = ["MOST_BYTES", "CodeFiles", "names_without_shared_folder", "read_code_files"]

MOST_BYTES = 1_000_000
"""The longest file or submission that is read unless more is allowed."""

_VERSION_CONTROL = {"CVS", "_darcs"}
"""Folders of old versions that are not hidden, as .git, .hg and .svn are."""


@dataclass(frozen=True)
class CodeFiles:
    """Files of code, as far as they could be read.

    Attributes
    ----------
    sources : dict of str to Source
        By name: the path without the folder that all of them share.
    unusable : dict of str to str
        What could not be read, with the reason.
    folder : str
        The folder that all of them share; empty where they share none but the current one.
    passed_over : int
        How many files in folders have no suffix of a known language.
    """

    sources: dict[str, Source]
    unusable: dict[str, str]
    folder: str
    passed_over: int


def read_code_files(
    paths: Sequence[Path], language: str | None = None, *, max_bytes: int = MOST_BYTES
) -> CodeFiles:
    """Read files, and those in folders and their folders that have a language's suffix.

    Hidden files, hidden folders and those of version control are left out, unless they are named.
    A file that cannot be read, is binary or empty, is longer than `max_bytes` or does not tell its
    language is set apart with the reason. A path that is not there ends all, since the command
    line must be wrong.

    Parameters
    ----------
    paths : sequence of Path
        Files and folders; what comes twice counts once.
    language : str, optional
        Of all files; else their suffix tells, and then their content.
    max_bytes : int
        Longer files are data, not programs that somebody wrote.
    """
    chosen = None if language is None else get_language(language)
    found = _Found.of(paths)
    if not found.files and not found.unusable:
        raise CodekinError(_nothing(paths, found.passed_over))
    everything = [*found.files, *found.unusable]
    names = dict(zip(everything, names_without_shared_folder(everything), strict=True))
    sources: dict[str, Source] = {}
    unusable = {names[path]: reason for path, reason in found.unusable.items()}
    for path in found.files:
        try:
            sources[names[path]] = _read(path, chosen, max_bytes)
        except CodekinError as error:
            unusable[names[path]] = str(error).removeprefix(f"{path}: ")
    return CodeFiles(sources, unusable, _shared_folder(everything), found.passed_over)


def names_without_shared_folder(paths: Iterable[Path]) -> list[str]:
    """The paths without the folder that all of them share.

    Examples
    --------
    >>> names_without_shared_folder([Path("given/a.py"), Path("given/late/b.py")])
    ['a.py', 'late/b.py']
    """
    plain = [Path(os.path.normpath(path)) for path in paths]
    shared = _shared_folder(plain)
    return [str(path.relative_to(shared) if shared else path) for path in plain]


def _shared_folder(paths: Iterable[Path]) -> str:
    try:
        return os.path.commonpath([Path(os.path.normpath(path)).parent for path in paths])
    except ValueError:  # some begin at the root and others do not
        return ""


@dataclass
class _Found:
    """Files in the order in which they were found, and folders that cannot be looked into."""

    files: dict[Path, None]
    unusable: dict[Path, str]
    passed_over: int = 0

    @classmethod
    def of(cls, paths: Sequence[Path]) -> _Found:
        found = cls({}, {})
        for path in paths:
            plain = Path(os.path.normpath(path))
            if plain.is_dir():
                found._look_into(plain)
            elif plain.exists() or plain.is_symlink():
                found.files[plain] = None
            else:
                raise CodekinError(f"{path}: no such file or folder")
        return found

    def _look_into(self, folder: Path) -> None:
        for path in _files_in(folder, self.unusable):
            if language_of_file(path) is None:
                self.passed_over += 1
            elif _is_pipe(path):  # which may never end; one that is named is meant to be read
                self.unusable[path] = "is a pipe, not a file"
            else:
                self.files[path] = None


def _files_in(folder: Path, unusable: dict[Path, str]) -> Iterator[Path]:
    def cannot_look(error: OSError) -> None:
        unusable[Path(error.filename)] = f"cannot be looked into: {error.strerror or error}"

    for place, folders, files in os.walk(folder, onerror=cannot_look):
        folders[:] = sorted(one for one in folders if _is_shown(one))
        for name in sorted(files):
            if _is_shown(name):
                yield Path(place, name)


def _is_pipe(path: Path) -> bool:
    try:
        return stat.S_ISFIFO(path.stat().st_mode)
    except OSError:
        return False  # whatever it is, reading it tells


def _is_shown(name: str) -> bool:
    return not name.startswith(".") and name not in _VERSION_CONTROL


def _read(path: Path, language: Language | None, max_bytes: int) -> Source:
    try:
        about = path.stat()
    except OSError as error:
        raise CodekinError(error.strerror or str(error)) from None
    if stat.S_ISCHR(about.st_mode) or stat.S_ISBLK(about.st_mode):
        raise CodekinError("is a device, not a file")
    if about.st_size > max_bytes:
        raise CodekinError(
            f"has {about.st_size:,} bytes, more than {max_bytes:,}, which is data rather than a "
            "program; see --max-bytes"
        )
    text = decode(read_bytes(path), str(path))
    if not text.strip():
        raise CodekinError("is empty")
    return Source(text, language or language_of_file(path) or _detected(text))


def _detected(text: str) -> Language:
    try:
        return detect_language(text)
    except CodekinError:
        raise CodekinError("cannot tell which language it is written in; use --language") from None


def _nothing(paths: Sequence[Path], passed_over: int) -> str:
    if not paths:
        return "name files of code, or folders of them"
    where = ", ".join(map(str, paths[:3])) + (", …" if len(paths) > 3 else "")
    if not passed_over:
        return f"{where}: there is no file in it"
    there = "the one file has no" if passed_over == 1 else f"none of {passed_over:,} files has a"
    return (
        f"{where}: {there} suffix of a known language; name the files themselves, with --language "
        "where their content does not tell"
    )
