"""The lines that were changed since a revision, as git knows them."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from codekin.align.line_diff import line_diff, split_lines
from codekin.errors import CodekinError
from codekin.opening import MOST_CODE_BYTES, UnreadableFileError, read_file
from codekin.results import Grid, Result, count_text, first_names
from codekin.scan.clone_places import file_and_cell
from codekin.scan.git_reading import GitReader, TrackedFile, repository_of, status_of
from codekin.scan.ignore_rules import GIT_IGNORE, IgnoreRules
from codekin.source import decode

if TYPE_CHECKING:
    from codekin.scan.scan_result import CodeRegion

__all__ = ["ChangedLines", "changed_lines"]

_SHA1 = 40
"""Digits of the shorter names of objects."""
_POINTER = re.compile(
    rb"version https://git-lfs\.github\.com/spec/v1\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\n"
)
_POINTER_BYTES = 1_024
_Span = tuple[int, int]


@dataclass(frozen=True)
class ChangedLines(Result):
    """The lines of files that were changed since a revision.

    Attributes
    ----------
    revision : str
    files : mapping of str to list of (int, int)
        The first and the last changed line of each stretch, by the real path of the file; the
        line after and the one before if lines were deleted between them. None if git does not
        know the file.
    filtered : tuple of str
        Changed files that git passes through a filter, such as one that empties notebooks. Since
        codekin runs no filters, what a filter changes counts as changed.
    """

    revision: str
    files: dict[str, list[_Span] | None] = field(repr=False)
    filtered: tuple[str, ...] = ()

    def grids(self) -> list[Grid]:
        """The changed stretches of each file; without lines if git does not know the file.

        Examples
        --------
        >>> ChangedLines("main", {"a.py": [(3, 5)], "b.py": None}).grids()[0].rows
        (('a.py', '3', '5'), ('b.py', '–', '–'))
        """
        cells = tuple(
            (file, *span)
            for file, spans in self.files.items()
            for span in ([(None, None)] if spans is None else spans)
        )
        return [Grid(f"Changed since {self.revision}", ("file", "first", "last"), cells)]

    def notes(self) -> list[str]:
        """Which files a filter of git may have changed.

        Examples
        --------
        >>> ChangedLines("main", {}, ("a.ipynb",)).notes()
        ['1 file is changed by a filter of git, which counts as a change since main: a.ipynb']
        """
        if not self.filtered:
            return []
        are = "is" if len(self.filtered) == 1 else "are"
        return [
            f"{count_text(len(self.filtered), 'file')} {are} changed by a filter of git, which "
            f"counts as a change since {self.revision}: {first_names(self.filtered)}"
        ]

    def touch(self, region: CodeRegion) -> bool:
        """Whether a region has a changed line; for the cell of a notebook, whether its file has."""
        file, cell = file_and_cell(region.file)
        path = os.path.realpath(file)
        if path not in self.files:
            return False
        spans = self.files[path]
        if spans is None or cell is not None:
            return True
        return any(start <= region.end and region.start <= end for start, end in spans)


def changed_lines(revision: str, paths: Sequence[str | Path] = (".",)) -> ChangedLines:
    """The lines that differ from a revision in the repositories of some files and folders.

    What counts is the working tree, with files that git does not know yet, against the last
    commit that the revision and the current commit have in common.

    Parameters
    ----------
    revision : str
        A commit, branch or tag.
    paths : sequence of str or Path
        Files and folders, each in a git repository.
    """
    files: dict[str, list[_Span] | None] = {}
    filtered: list[str] = []
    folders = dict.fromkeys(_folder(path) for path in paths)
    for top, folder in dict.fromkeys(repository_of(place) for place in folders):
        with GitReader.of(top, folder) as git:
            changed, more = _changes(git, _base(git, revision))
        files |= changed
        filtered += more
    return ChangedLines(revision, files, tuple(filtered))


def _folder(path: str | Path) -> str:
    place = os.path.realpath(path)
    if not os.path.lexists(place):
        raise CodekinError(f"{path}: no such file or folder")
    return place if Path(place).is_dir() else str(Path(place).parent)


def _base(git: GitReader, revision: str) -> str:
    """The commit to compare with."""
    if not revision or revision.startswith("-") or "\0" in revision:
        raise CodekinError(f"{revision!r} is not a revision; name a commit, branch or tag")
    found = git.run("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    if found.returncode:
        raise CodekinError(
            f"{git.top}: unknown revision {revision!r}; in a shallow clone, fetch it first "
            "(git fetch --unshallow)"
        )
    commit = found.stdout.decode("ascii").strip()
    common = git.run("merge-base", commit, "HEAD")
    return common.stdout.decode("ascii").strip() if common.returncode == 0 else commit


def _changes(git: GitReader, base: str) -> tuple[dict[str, list[_Span] | None], list[str]]:
    """The changed stretches of the files that git knows, and None for others.

    Also those of these files that a filter of git may have changed.
    """
    tracked = {f"{git.top}/{file.path}".replace("/", os.sep): file for file in git.tracked(base)}
    found: dict[str, list[_Span] | None] = {}
    waiting: dict[str, list[str]] = {}
    for path, file in _files_to_read(tracked):
        data = _content(path)
        if data is None:
            found[path] = None
        elif _object_name(data, len(file.staged)) == file.base:
            continue
        elif file.base is None:
            found[path] = _all_lines(data)
        else:
            waiting.setdefault(file.base, []).append(path)
    for name, before in git.blobs(list(waiting)):
        for path in waiting[name]:
            after = _content(path)
            spans = None if before is None or after is None else _changed_spans(before, after)
            if spans is None or spans:
                found[path] = spans
    filtered = git.filtered([tracked[path].path for path in found if tracked[path].base])
    return found | dict.fromkeys(_unknown_files(git, tracked)), filtered


def _files_to_read(tracked: Mapping[str, TrackedFile]) -> Iterator[tuple[str, TrackedFile]]:
    """The tracked files that may have changed.

    They are there as regular files, none of them below a link.
    """
    real: dict[str, bool] = {}
    for path, file in tracked.items():
        folder = path.rpartition(os.sep)[0]
        if folder not in real:
            real[folder] = os.path.realpath(folder) == os.path.normpath(folder)
        try:
            status = os.lstat(path)
        except OSError:
            continue
        is_known = file.staged == file.base and file.status == status_of(status)
        if not is_known and real[folder] and stat.S_ISREG(status.st_mode):
            yield path, file


def _content(path: str) -> bytes | None:
    """The content of a working file; None if it cannot be compared."""
    try:
        return read_file(path, limit=MOST_CODE_BYTES)
    except UnreadableFileError:
        return None


def _object_name(data: bytes, length: int) -> str:
    """What git calls an object with a content."""
    name = hashlib.sha1 if length == _SHA1 else hashlib.sha256
    return name(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _all_lines(data: bytes) -> list[_Span]:
    count = data.count(b"\n") + (not data.endswith(b"\n"))
    return [(1, count)] if data else []


def _changed_spans(before: bytes, after: bytes) -> list[_Span]:
    """The stretches of lines that differ, as ``git diff`` without context has them.

    git may keep a file in another form than the one in the working tree. Since no filter of the
    repository is run, this is undone here: line ends do not count, nor does an encoding other
    than UTF-8, and a file is compared with the pointer that Git LFS keeps of it.
    """
    if pointer := _POINTER.match(before[:_POINTER_BYTES]):
        same = pointer[1].decode() == hashlib.sha256(after).hexdigest()
        return [] if same or before == after else _all_lines(after)
    if (b"\0" in after) > (b"\0" in before):
        with contextlib.suppress(CodekinError):
            after = decode(after, "").encode()
    hunks = line_diff(split_lines(_text(before)), split_lines(_text(after)))
    return [(hunk.after_start + 1, hunk.after_end) for hunk in hunks]


def _text(data: bytes) -> str:
    """A text whose line ends are all alike."""
    return data.replace(b"\r\n", b"\n").decode("utf-8", "surrogateescape")


def _unknown_files(git: GitReader, tracked: Mapping[str, TrackedFile]) -> Iterator[str]:
    """The files that are neither tracked nor ignored."""
    rules = IgnoreRules()
    for path, is_mine in git.excludes():
        rules = rules.with_file(git.top, path, typed=is_mine)
    waiting = [(git.top, rules)]
    while waiting:
        folder, rules = waiting.pop()
        rules = rules.entering(folder, [GIT_IGNORE])
        try:
            with os.scandir(folder) as listing:
                entries = list(listing)
        except OSError:
            continue  # the scan says so
        for entry in entries:
            is_folder = entry.is_dir(follow_symlinks=False)
            if entry.name == ".git" or not (is_folder or entry.is_file(follow_symlinks=False)):
                continue
            if entry.path in tracked:
                continue
            if rules.ignores(entry.path, is_folder=is_folder):
                continue
            if not is_folder:
                yield entry.path
            elif not os.path.lexists(f"{entry.path}{os.sep}.git"):
                waiting.append((entry.path, rules))
