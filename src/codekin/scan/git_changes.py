"""The lines that were changed since a revision, as git knows them."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from codekin.errors import CodekinError
from codekin.plain_text import plain
from codekin.results import Grid, Result
from codekin.scan.clone_places import file_and_cell

if TYPE_CHECKING:
    from codekin.scan.scan_result import CodeRegion

__all__ = ["ChangedLines", "changed_lines"]

_HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_ESCAPED = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t"}
_ESCAPED |= {b"v": b"\v", b'"': b'"', b"\\": b"\\"}

_OUTSIDE = frozenset(
    [
        "GIT_DIR",
        "GIT_COMMON_DIR",
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_PREFIX",
        "GIT_EXTERNAL_DIFF",
        "GIT_DIFF_OPTS",
    ]
)
"""Variables that are set in hooks of git, and would name another repository or a program."""

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
    """

    revision: str
    files: dict[str, list[_Span] | None] = field(repr=False)

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
    folders = dict.fromkeys(_folder(path) for path in paths)
    for top in dict.fromkeys(_repository(one) for one in folders):
        files |= _changes(top, _base(top, revision))
    return ChangedLines(revision, files)


def _folder(path: str | Path) -> str:
    place = os.path.realpath(path)
    if not os.path.lexists(place):
        raise CodekinError(f"{path}: no such file or folder")
    return place if Path(place).is_dir() else str(Path(place).parent)


def _git(folder: str, *words: str) -> subprocess.CompletedProcess[bytes]:
    # A repository must not start programs, such as a monitor of its files.
    command = ["git", "-c", "core.fsmonitor=false", "-C", folder, *words]
    env = {name: value for name, value in os.environ.items() if name not in _OUTSIDE}
    env |= {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}
    try:
        return subprocess.run(
            command, capture_output=True, check=False, env=env, stdin=subprocess.DEVNULL
        )
    except FileNotFoundError:
        raise CodekinError(
            "git is not installed, and changes since a revision are found by git"
        ) from None


def _reason(done: subprocess.CompletedProcess[bytes]) -> str:
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return (
        plain(lines[0].removeprefix("fatal: ")) if lines else f"git exited with {done.returncode}"
    )


def _repository(folder: str) -> str:
    done = _git(folder, "rev-parse", "--show-toplevel")
    if done.returncode:
        reason = _reason(done)
        if reason.startswith("not a git repository"):
            reason = "is not in a git repository, so changes since a revision are unknown"
        raise CodekinError(f"{folder}: {reason}")
    return os.fsdecode(done.stdout.removesuffix(b"\n"))


def _base(top: str, revision: str) -> str:
    """The commit to compare with."""
    if not revision or revision.startswith("-"):
        raise CodekinError(f"{revision!r} is not a revision; name a commit, branch or tag")
    found = _git(top, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    if found.returncode:
        raise CodekinError(
            f"{top}: unknown revision {revision!r}; in a shallow clone, fetch it first "
            "(git fetch --unshallow)"
        )
    commit = found.stdout.decode("ascii").strip()
    common = _git(top, "merge-base", commit, "HEAD")
    return common.stdout.decode("ascii").strip() if common.returncode == 0 else commit


def _changes(top: str, base: str) -> dict[str, list[_Span] | None]:
    how = [
        "--text",
        "--unified=0",
        "--no-color",
        "--no-ext-diff",
        "--no-textconv",
        "--find-renames",
    ]
    how += ["--src-prefix=a/", "--dst-prefix=b/", "--no-relative", "--ignore-submodules"]
    differing = _git(top, "diff", *how, "--diff-filter=d", base, "--")
    unknown = _git(top, "ls-files", "--others", "--exclude-standard", "-z")
    for done in (differing, unknown):
        if done.returncode:
            raise CodekinError(f"{top}: {_reason(done)}")
    found: dict[str, list[_Span] | None] = {}
    for name, spans in _diffs(differing.stdout):
        found[_path(top, name)] = spans
    for name in unknown.stdout.split(b"\0")[:-1]:
        found[_path(top, name)] = None
    return found


def _path(top: str, name: bytes) -> str:
    return os.path.realpath(f"{top}{os.sep}{os.fsdecode(name)}")


def _diffs(patch: bytes) -> Iterator[tuple[bytes, list[_Span]]]:
    """The files of a patch without context, and the new lines of their hunks."""
    lines = patch.split(b"\n")
    name: bytes | None = None
    spans: list[_Span] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.startswith(b"+++ "):
            if name is not None:
                yield name, spans
            name, spans = _unquoted(line[4:]).removeprefix(b"b/"), []
        elif hunk := _HUNK.match(line):
            old, start, new = (1 if word is None else int(word) for word in hunk.groups())
            spans.append((start, start + new - 1) if new else (start + 1, start))
            seen = 0
            while seen < old + new:  # a changed line may look like a header
                seen += not lines[at].startswith(b"\\")
                at += 1
    if name is not None:
        yield name, spans


def _unquoted(name: bytes) -> bytes:
    r"""A name as git writes it: odd ones in quotes, and one with a blank before a tab.

    Examples
    --------
    >>> _unquoted(b'"b/a\\tb\\303\\274"').decode()
    'b/a\tbü'
    """
    if not name.startswith(b'"'):
        return name.removesuffix(b"\t")

    def character(found: re.Match[bytes]) -> bytes:
        word = found[1]
        return bytes([int(word, 8)]) if len(word) == 3 else _ESCAPED.get(word, word)

    return _ESCAPE.sub(character, name.rstrip(b"\t")[1:-1])
