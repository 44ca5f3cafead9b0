"""Reading files of code: single files, folders of files, and revisions of a file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from codekin.align.patch import begins_as_patch, parse_patch
from codekin.errors import CodekinError
from codekin.languages import get_language, language_of_file
from codekin.languages.language import Language
from codekin.opening import MOST_CODE_BYTES, read_file, why_left_out
from codekin.represent.text.detection import detect_language
from codekin.results import count_text, first_names
from codekin.source import Source, decode, is_unicode, read_bytes

__all__ = [
    "MOST_BYTES",
    "VERSION_CONTROL",
    "ZIP_FILE",
    "CodeFiles",
    "Revisions",
    "is_zip_file",
    "read_code_files",
    "read_revisions",
    "unparsed_note",
]

MOST_BYTES = 1_000_000
"""The default limit on the size of a file or submission."""
ZIP_FILE = "is a zip file; unpack it, or use codekin scan --submissions"
"""Why a zip file is not read where it is no submission."""
VERSION_CONTROL = frozenset([".git", ".hg", ".svn", ".bzr", ".jj"])
"""Folders that hold no files of a project."""
_NOT_HIDDEN = frozenset(["CVS", "_darcs"])
"""Folders of version control that are not hidden, unlike those."""

_PATCHES = (".patch", ".diff")


def unparsed_note(names: Sequence[str]) -> list[str]:
    """A line about the files that do not parse, which names the first; none without any.

    Examples
    --------
    >>> unparsed_note(["a.py"])
    ['1 file has places that do not parse: a.py']
    """
    if not names:
        return []
    have = "has" if len(names) == 1 else "have"
    return [
        f"{count_text(len(names), 'file')} {have} places that do not parse: {first_names(names)}"
    ]


def is_zip_file(name: str | Path) -> bool:
    """Whether a file is a zip file, by its suffix."""
    return Path(name).suffix.lower() == ".zip"


@dataclass(frozen=True)
class CodeFiles:
    """Files of code, as far as they could be read.

    Attributes
    ----------
    sources : dict of str to Source
        By name: the path without the common folder.
    unusable : dict of str to str
        What could not be read, with the reason.
    hidden : dict of str to str
        What was not read since it is hidden, with the reason.
    folder : str
        The common folder; empty if there is none but the current one.
    passed_over : int
        Number of files in folders without the suffix of a known language.
    """

    sources: dict[str, Source]
    unusable: dict[str, str]
    hidden: dict[str, str]
    folder: str
    passed_over: int


def read_code_files(
    paths: Sequence[Path], language: str | None = None, *, max_bytes: int = MOST_BYTES
) -> CodeFiles:
    """Read files, and recursively the files in folders that have the suffix of a language.

    Hidden files, hidden folders and those of version control are left out unless they are named. A
    zip file, and a file that cannot be read, is binary or empty, is longer than `max_bytes`, or
    whose language is not recognized, is listed with the reason. A missing path is an error, since
    the command line must be wrong.

    Parameters
    ----------
    paths : sequence of Path
        Files and folders; duplicates count once.
    language : str, optional
        The language of all files (default: by their suffix, and then by their content).
    max_bytes : int
        Longer files are considered data, not programs.
    """
    chosen = None if language is None else get_language(language)
    found = _FoundFiles.of(paths)
    if not found.files and not found.unusable and not found.hidden:
        raise CodekinError(_nothing(paths, found.passed_over))
    everything = [*found.files, *found.unusable]
    names = dict(zip(everything, _names_without_shared_folder(everything), strict=True))
    shared = _shared_folder(everything)
    hidden = {os.path.relpath(path, shared or "."): why for path, why in found.hidden.items()}
    sources: dict[str, Source] = {}
    unusable = {names[path]: reason for path, reason in found.unusable.items()}
    for path, typed in found.files.items():
        try:
            sources[names[path]] = _read(path, chosen, max_bytes, typed=typed)
        except CodekinError as error:
            unusable[names[path]] = str(error).removeprefix(f"{path}: ")
    return CodeFiles(sources, unusable, hidden, shared, found.passed_over)


def _names_without_shared_folder(paths: Iterable[Path]) -> list[str]:
    """The paths relative to their common folder.

    Examples
    --------
    >>> _names_without_shared_folder([Path("given/a.py"), Path("given/late/b.py")])
    ['a.py', 'late/b.py']
    """
    plain = [Path(os.path.normpath(path)) for path in paths]
    shared = _shared_folder(plain)
    return [str(path.relative_to(shared) if shared else path) for path in plain]


def _shared_folder(paths: Iterable[Path]) -> str:
    try:
        return os.path.commonpath([Path(os.path.normpath(path)).parent for path in paths])
    except ValueError:  # absolute and relative paths
        return ""


@dataclass
class _FoundFiles:
    """Files in the order in which they were found, and what is left out with the reason.

    Of each file it is known whether it was named itself.
    """

    files: dict[Path, bool]
    unusable: dict[Path, str]
    hidden: dict[Path, str]
    passed_over: int = 0

    @classmethod
    def of(cls, paths: Sequence[Path]) -> _FoundFiles:
        found = cls({}, {}, {})
        for path in paths:
            plain = Path(os.path.normpath(path))
            if plain.is_dir():
                found._walk(plain)
            elif plain.exists() or plain.is_symlink():
                found.files[plain] = True
            else:
                raise CodekinError(f"{path}: no such file or folder")
        for path in paths:
            found.hidden.pop(Path(os.path.normpath(path)), None)
        return found

    def _walk(self, folder: Path) -> None:
        def record_failure(error: OSError) -> None:
            self.unusable[Path(error.filename)] = f"cannot be opened: {error.strerror or error}"

        for place, folders, files in os.walk(folder, onerror=record_failure):
            for path in (Path(place, name) for name in sorted(folders)):
                if path.name in VERSION_CONTROL:
                    folders.remove(path.name)
                elif reason := _why_hidden(path.name):
                    self.hidden[path] = reason
                    folders.remove(path.name)
                elif path.is_symlink():
                    self.unusable[path] = why_left_out(path) or ""
            folders.sort()
            for name in sorted(files):
                self._add(Path(place, name))

    def _add(self, path: Path) -> None:
        """Take a file in a folder if it is code."""
        is_code = is_zip_file(path) or language_of_file(path) is not None
        if is_code and (reason := _why_hidden(path.name)):
            self.hidden.setdefault(path, reason)
        elif is_zip_file(path):
            self.unusable[path] = ZIP_FILE
        elif is_code:
            self.files.setdefault(path, False)
        elif not path.name.startswith("."):
            self.passed_over += 1


def _why_hidden(name: str) -> str:
    """Why a file or folder is left out because of its name; empty if it is not."""
    if name in _NOT_HIDDEN:
        return "is a folder of version control"
    return "is hidden" if name.startswith(".") else ""


def _read(path: Path, language: Language | None, max_bytes: int, *, typed: bool) -> Source:
    if is_zip_file(path):
        raise CodekinError(ZIP_FILE)
    text = decode(read_file(path, typed=typed, limit=max_bytes), str(path))
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
    reason = "the one file has no" if passed_over == 1 else f"none of {passed_over:,} files has a"
    return (
        f"{where}: {reason} suffix of a known language; name the files themselves, with --language "
        "where their content does not tell"
    )


@dataclass(frozen=True)
class Revisions:
    """The revisions of a file, as far as they could be read.

    Attributes
    ----------
    origin : Source
    sources : dict of str to Source
        By name: the path without the common folder.
    unusable : dict of str to str
        What could not be read or applied, with the reason.
    """

    origin: Source
    sources: dict[str, Source]
    unusable: dict[str, str]


def _patches_in(folder: Path) -> list[Path]:
    """The files in a folder that end in .patch or .diff, by name."""
    if not os.path.lexists(folder):
        raise CodekinError(f"{folder}: no such folder")
    if not folder.is_dir():
        raise CodekinError(f"{folder}: is not a folder; name a patch without --patches")
    try:
        patches = sorted(path for path in folder.iterdir() if _is_patch(path))
    except OSError as error:
        raise CodekinError(f"{folder}: {error.strerror or error}") from None
    if not patches:
        raise CodekinError(f"{folder}: there is no file in it that ends in .patch or .diff")
    return patches


def read_revisions(
    origin: Path,
    paths: Sequence[Path],
    language: str | None = None,
    *,
    patches: Path | None = None,
) -> Revisions:
    """Read revised files, and patches, which are applied to the origin.

    A patch is a file that ends in .patch or .diff, or begins like a unified diff while the origin
    does not.

    A file that is binary or empty, or not UTF-8 although the origin is, and a patch that does not
    apply, are listed with the reason. A missing file is an error, since the command line must be
    wrong.

    Parameters
    ----------
    origin : Path
        The file that they revise.
    paths : sequence of Path
    language : str, optional
        The language of all texts (default: that of the origin, by its suffix and then by its
        content).
    patches : Path, optional
        A folder of patches, none of which may be a link.
    """
    named = frozenset(paths)
    paths = [*paths, *(_patches_in(patches) if patches is not None else [])]
    _check_paths(paths, named)
    before = Source.from_file(origin, language)
    utf8 = is_unicode(read_bytes(origin))
    sources: dict[str, Source] = {}
    unusable: dict[str, str] = {}
    for path, name in zip(paths, _names_without_shared_folder(paths), strict=True):
        try:
            text = _text(path, name, utf8=utf8, typed=path in named)
            if _is_patch(path) or (begins_as_patch(text) and not begins_as_patch(before.text)):
                text = _patched(before.text, text, origin)
            sources[name] = Source(text, before.language)
        except CodekinError as error:
            unusable[name] = str(error).removeprefix(f"{path}: ").removeprefix(f"{name}: ")
    return Revisions(before, sources, unusable)


def _is_patch(path: Path) -> bool:
    return path.suffix.lower() in _PATCHES


def _check_paths(paths: Sequence[Path], named: Set[Path]) -> None:
    if not paths:
        raise CodekinError("there are no revisions; name revised files, or patches")
    seen = set()
    for path in paths:
        if path in named and path.is_dir():
            raise CodekinError(
                f"{path}: is a folder; name the files in it, or use --patches for a folder of "
                "patches"
            )
        if path in named and not path.exists():
            raise CodekinError(f"{path}: no such file")
        place = os.path.normpath(path)
        if place in seen:
            raise CodekinError(f"{path}: is given twice; name every revision once")
        seen.add(place)


def _text(path: Path, name: str, *, utf8: bool, typed: bool) -> str:
    data = read_file(path, typed=typed, limit=MOST_CODE_BYTES)
    text = decode(data, name)
    if not text.strip():
        raise CodekinError("is empty")
    if utf8 and not is_unicode(data):
        raise CodekinError("is not in UTF-8, as the origin is; convert it first")
    return text


def _patched(origin: str, patch: str, file: Path) -> str:
    steps = [step for step in file.parts if step not in ("..", file.anchor)]
    text = parse_patch(patch, "/".join(steps)).apply(origin)
    if not text.strip():
        raise CodekinError("leaves nothing of the origin")
    return text
