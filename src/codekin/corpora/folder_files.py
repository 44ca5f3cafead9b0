"""The files of a folder that somebody else may have made: those to read, and those left out."""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from codekin.errors import CodekinError
from codekin.opening import UnreadableFileError, open_file, why_left_out
from codekin.results import count_text

__all__ = ["LeftOut", "file_name", "files_below", "left_out_notes", "lines_of"]

LeftOut = dict[str, str]
"""Files that are not read, by name, with the reason."""

UNKNOWN_SUFFIX = "has no suffix of a known language"
MOST_LINE_BYTES = 64 * 2**20
ROW_BYTES = 100
"""What a row takes besides its values, at the least."""

_LEAST_LIMIT = 512 * 2**20
_TIMES = 64
_SHOWN = 3


def text_limit(size: int) -> int:
    """The most bytes that the rows of a file may have unpacked: code seldom packs 20 to 1.

    Examples
    --------
    >>> text_limit(54_000) // 2**20, text_limit(2**30) // 2**30
    (512, 64)
    """
    return max(_LEAST_LIMIT, _TIMES * size)


def too_large(path: Path, limit: int) -> UnreadableFileError:
    """The error for a file whose rows have more."""
    most = "the limit for a file of its size"
    return UnreadableFileError(path, f"has more than {limit:,} bytes unpacked, {most}")


def file_name(path: str | os.PathLike[str]) -> str:
    r"""A name that any file can hold: bytes of it that are not UTF-8 are escaped.

    Examples
    --------
    >>> file_name("a/\udc9b.py")
    'a/\\x9b.py'
    """
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def files_below(folder: Path, left_out: LeftOut, *, hidden: bool = True) -> list[Path]:
    """The regular files below a folder, in the order of their paths.

    Links are not followed. Links, other files that are not regular and folders that cannot be
    opened are left out with the reason; so are hidden files and folders unless they are wanted.
    """
    found = []

    def leave_out(path: Path, reason: str) -> None:
        left_out[file_name(path.relative_to(folder).as_posix())] = reason

    def unreadable(error: OSError) -> None:
        leave_out(Path(error.filename), f"cannot be opened: {error.strerror or error}")

    for place, folders, names in os.walk(folder, onerror=unreadable):
        for path in (Path(place, name) for name in (*folders, *names)):
            if path.name.startswith(".") and not hidden:
                leave_out(path, "is hidden")
            elif stat.S_ISDIR(os.lstat(path).st_mode):
                continue
            elif (reason := why_left_out(path)) is not None:
                leave_out(path, reason)
            else:
                found.append(path)
        folders[:] = [name for name in folders if hidden or not name.startswith(".")]
    return sorted(found)


def lines_of(
    path: Path, *, typed: bool = False, within: Path | None = None, limit: int = MOST_LINE_BYTES
) -> Iterator[str]:
    """The lines of a file with their line ends, U+FFFD in place of what is not UTF-8.

    Parameters
    ----------
    path : Path
    typed, within
        As for :func:`codekin.opening.open_file`.
    limit : int
        The most bytes that a line may have.
    """
    with open_file(path, typed=typed, within=within) as stream:
        number = 0
        while line := stream.readline(limit + 1):
            number += 1
            if len(line) > limit:
                raise CodekinError(
                    f"{path}: line {number:,} has more than the {limit:,} bytes that are read"
                )
            yield from io.StringIO(line.decode("utf-8", "replace"), newline="")


def left_out_notes(left_out: Mapping[str, str]) -> Iterator[str]:
    """A line for each reason, which names the first files.

    Examples
    --------
    >>> list(left_out_notes({"a.py": "is a link", "b.py": "is a pipe", "c.py": "is a link"}))
    ['2 files left out (is a link): a.py, c.py', '1 file left out (is a pipe): b.py']
    """
    by_reason: dict[str, list[str]] = {}
    for name, reason in left_out.items():
        by_reason.setdefault(reason, []).append(name)
    for reason, names in by_reason.items():
        yield f"{count_text(len(names), 'file')} left out ({reason}): {_first(names)}"


def _first(names: Iterable[str]) -> str:
    listed = list(names)
    return ", ".join(listed[:_SHOWN]) + (", …" if len(listed) > _SHOWN else "")
