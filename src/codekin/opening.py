"""The one way to open a file that somebody else may have made.

Whatever is read, from rows to an index, is opened here: never a device, never a pipe that nobody
named, never through a link that nobody typed, and never more than a stated number of bytes.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
import sys
from collections.abc import Iterator, Sequence
from io import BufferedReader
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from codekin.errors import CodekinError

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

    import numpy as np

__all__ = [
    "MOST_ARRAY_BYTES",
    "MOST_CODE_BYTES",
    "MOST_DOCUMENT_BYTES",
    "MOST_SETTINGS_BYTES",
    "UnreadableFileError",
    "open_file",
    "parse_json",
    "read_arrays",
    "read_file",
    "read_json",
    "read_stdin",
    "read_text",
    "read_toml",
    "read_unchanged",
    "why_left_out",
]

MOST_CODE_BYTES = 64 * 2**20
"""A program that is named on the command line."""
MOST_DOCUMENT_BYTES = 64 * 2**20
"""A JSON document of codekin's own: a manifest, a calibration, a baseline."""
MOST_SETTINGS_BYTES = 1_000_000
"""A TOML file of settings."""
MOST_ARRAY_BYTES = 4 * 2**30
"""Arrays in an ``.npz`` file, unpacked."""

_MOST_DOTS = 50
_NOT_INHERITED = (
    getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOCTTY", 0)
)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)
_FOLDER = getattr(os, "O_DIRECTORY", 0)
_SHELL_PIPE = re.compile(r"/dev/fd/\d+|/proc/self/fd/\d+|/dev/stdin")
"""How a shell names the pipe of a process substitution."""
_PART = r"""(?:(?<![\w-])[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(rf"{_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{_MOST_DOTS + 1}}}")
_A_LINK = "is a link, which is followed only if it is named itself"
_KINDS = (
    (stat.S_ISDIR, "is a folder; name a file in it"),
    (stat.S_ISFIFO, "is a pipe; save it to a file"),
    (stat.S_ISSOCK, "is a socket, not a file"),
    (stat.S_ISCHR, "is a device, not a file"),
    (stat.S_ISBLK, "is a device, not a file"),
)


class UnreadableFileError(CodekinError):
    """A file that cannot be opened, or is not what a file has to be.

    Attributes
    ----------
    path : str
    reason : str
        In words, without the path.

    Examples
    --------
    >>> print(UnreadableFileError("rows.jsonl", "is a link"))
    rows.jsonl: is a link
    """

    def __init__(self, path: str | os.PathLike[str], reason: str) -> None:
        super().__init__(f"{os.fspath(path)}: {reason}")
        self.path = os.fspath(path)
        self.reason = reason

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.path, self.reason)


def open_file(
    path: str | os.PathLike[str],
    *,
    typed: bool = False,
    within: str | os.PathLike[str] | None = None,
    limit: int | None = None,
) -> BufferedReader:
    """Open a regular file to read it, without waiting and without following links.

    Parameters
    ----------
    path : path
    typed : bool
        Whether the user named exactly this file. Then links are followed, and the pipe of a
        process substitution (``/dev/fd/63``) is read.
    within : path, optional
        A folder that the user named, and that the file lies in. No folder between it and the file
        may be a link either.
    limit : int, optional
        The most bytes that it may have. What is streamed has a limit per row instead.

    Raises
    ------
    UnreadableFileError
        For anything but a regular file, a link that nobody typed, and a file over the limit.
    """
    try:
        handle = _handle(path, typed=typed, within=within)
    except FileNotFoundError:
        raise UnreadableFileError(path, "no such file") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise UnreadableFileError(path, _why_not_opened(path, error, typed=typed)) from None
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) and not _is_shell_pipe(path, status, typed=typed):
            raise UnreadableFileError(path, _kind(status.st_mode))
        if limit is not None and status.st_size > limit:
            raise UnreadableFileError(path, _too_large(status.st_size, limit))
        if _NO_WAIT:
            os.set_blocking(handle, True)
        return os.fdopen(handle, "rb")
    except BaseException:
        with contextlib.suppress(OSError):
            os.close(handle)
        raise


def read_file(
    path: str | os.PathLike[str],
    *,
    limit: int,
    typed: bool = False,
    within: str | os.PathLike[str] | None = None,
) -> bytes:
    """The content of a file; the parameters are those of :func:`open_file`."""
    with open_file(path, typed=typed, within=within, limit=limit) as stream:
        return _read(stream, path, limit)


def read_unchanged(
    path: str | os.PathLike[str], *, limit: int, typed: bool = False
) -> tuple[bytes, os.stat_result]:
    """The content of a file that nobody changed while it was read, and its status."""
    for _ in range(2):
        with open_file(path, typed=typed, limit=limit) as stream:
            before = os.fstat(stream.fileno())
            data = _read(stream, path, limit)
            after = os.fstat(stream.fileno())
        if len(data) == after.st_size and before.st_mtime_ns == after.st_mtime_ns:
            return data, after
    raise UnreadableFileError(path, "was changed while it was read")


def read_text(
    path: str | os.PathLike[str],
    *,
    limit: int,
    typed: bool = False,
    within: str | os.PathLike[str] | None = None,
) -> str:
    """The content of a UTF-8 file, without a byte order mark."""
    data = read_file(path, typed=typed, within=within, limit=limit)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        where = f"byte {error.start:,}"
        raise UnreadableFileError(path, f"is not UTF-8 ({where}); save it as UTF-8") from None


def read_stdin(limit: int) -> bytes:
    """What is on stdin."""
    if sys.stdin is None:
        raise CodekinError("stdin is closed; name a file instead")
    return _read(sys.stdin.buffer, "<stdin>", limit)


def read_json(
    path: str | os.PathLike[str],
    *,
    limit: int = MOST_DOCUMENT_BYTES,
    typed: bool = False,
    within: str | os.PathLike[str] | None = None,
) -> Any:
    """The document in a JSON file."""
    return parse_json(read_file(path, typed=typed, within=within, limit=limit), path)


def parse_json(data: bytes, path: str | os.PathLike[str]) -> Any:
    """The document that bytes of JSON are; whatever is wrong with it is one error.

    Examples
    --------
    >>> parse_json(b'{"a": 1}', "x.json")
    {'a': 1}
    >>> parse_json(b"[" * 10**6, "x.json")
    Traceback (most recent call last):
    codekin.opening.UnreadableFileError: x.json: is not JSON (it is nested too deeply)
    """
    try:
        return json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError, MemoryError) as error:
        raise UnreadableFileError(path, f"is not JSON ({_why_not_parsed(error)})") from None


def _why_not_parsed(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, MemoryError):
        return "there is too little memory"
    return str(error).partition("; use sys.")[0]  # of a number with too many digits


def read_toml(path: str | os.PathLike[str], *, typed: bool = False) -> dict[str, Any]:
    """The table in a TOML file of settings.

    The time and memory that keys take grow with the square of their parts, so a key of more than
    fifty dots is refused before anything is parsed.
    """
    import tomllib

    text = read_text(path, typed=typed, limit=MOST_SETTINGS_BYTES)
    if _LONG_KEY.search(text):
        raise UnreadableFileError(
            path, f"is not TOML that codekin reads (a key has more than {_MOST_DOTS} dots)"
        )
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError, MemoryError) as error:
        raise UnreadableFileError(path, f"is not TOML ({_why_not_parsed(error)})") from None


def why_left_out(path: str | os.PathLike[str]) -> str | None:
    """Why a file of a folder that is walked is left out; None for a regular one."""
    try:
        mode = os.lstat(path).st_mode
    except OSError as error:
        return error.strerror or str(error)
    if stat.S_ISLNK(mode):
        return _A_LINK
    return None if stat.S_ISREG(mode) else _kind(mode)


def read_arrays(
    path: str | os.PathLike[str],
    *,
    typed: bool = False,
    within: str | os.PathLike[str] | None = None,
    limit: int = MOST_ARRAY_BYTES,
) -> dict[str, np.ndarray[Any, Any]]:
    """The arrays in an ``.npz`` file, by name.

    What an array states to have is compared with what the file holds before memory is taken for
    it, and objects, which are pickles, are refused.

    Raises
    ------
    UnreadableFileError
        If it is anything but such a file, or has more than `limit` bytes unpacked.
    """
    from zipfile import ZipFile

    with open_file(path, typed=typed, within=within, limit=limit) as stream:
        try:
            with ZipFile(stream) as archive:
                members = archive.infolist()
                if sum(member.file_size for member in members) > limit:
                    raise ValueError(f"it has more than {limit:,} bytes unpacked")
                return {
                    member.filename.removesuffix(".npy"): _array(archive, member)
                    for member in members
                }
        except MemoryError:
            reason = "there is too little memory"
        except Exception as error:  # zipfile, its decompressors and numpy raise ten kinds
            reason = str(error) or type(error).__name__
    raise UnreadableFileError(path, f"is not a file of arrays ({reason})")


def _array(archive: ZipFile, member: ZipInfo) -> np.ndarray[Any, Any]:
    import math

    import numpy as np

    with archive.open(member) as stream:
        version = np.lib.format.read_magic(stream)
        if version == (1, 0):
            shape, _, dtype = np.lib.format.read_array_header_1_0(stream)
        elif version == (2, 0):
            shape, _, dtype = np.lib.format.read_array_header_2_0(stream)
        else:
            raise ValueError(f"{member.filename} has a format that is not known")
        if dtype.hasobject:
            raise ValueError(f"{member.filename} holds objects")
        if math.prod(shape) * max(1, dtype.itemsize) > member.file_size:
            raise ValueError(f"{member.filename} states more than it holds")
    with archive.open(member) as stream:
        array: np.ndarray[Any, Any] = np.lib.format.read_array(stream, allow_pickle=False)
        return array


def _handle(
    path: str | os.PathLike[str], *, typed: bool, within: str | os.PathLike[str] | None
) -> int:
    flags = os.O_RDONLY | _NOT_INHERITED
    if typed and _SHELL_PIPE.fullmatch(os.fspath(path)):
        return os.open(path, flags)
    flags |= _NO_WAIT
    if typed and within is None:
        return os.open(path, flags)
    if within is None:
        return _open_no_link(path, flags)
    return _open_within(within, Path(path).relative_to(within).parts, flags)


def _open_within(folder: str | os.PathLike[str], parts: Sequence[str], flags: int) -> int:
    """Open a file below a folder; none of the parts of its path may be a link."""
    if not parts or ".." in parts:
        raise ValueError(f"does not lie in {os.fspath(folder)}")
    if os.open not in os.supports_dir_fd:  # Windows
        place = Path(folder)
        for part in parts[:-1]:
            place /= part
            if place.is_symlink():
                raise ValueError(f"{part} is a link, and a link to a folder is not followed")
        return _open_no_link(place / parts[-1], flags)
    with contextlib.ExitStack() as stack:
        holder = os.open(folder, os.O_RDONLY | _FOLDER | _NOT_INHERITED)
        stack.callback(os.close, holder)
        for part in parts[:-1]:
            if stat.S_ISLNK(os.lstat(part, dir_fd=holder).st_mode):  # said in words
                raise ValueError(f"{part} is a link, and a link to a folder is not followed")
            holder = os.open(part, os.O_RDONLY | _FOLDER | _NO_LINK | _NOT_INHERITED, dir_fd=holder)
            stack.callback(os.close, holder)
        return os.open(parts[-1], flags | _NO_LINK, dir_fd=holder)


def _open_no_link(path: str | os.PathLike[str], flags: int) -> int:
    if not _NO_LINK and Path(path).is_symlink():  # Windows
        raise ValueError("is a link")
    return os.open(path, flags | _NO_LINK)


def _why_not_opened(
    path: str | os.PathLike[str], error: OSError | ValueError, *, typed: bool
) -> str:
    """In words; a link that was not followed is an OSError that names too many links."""
    if isinstance(error, ValueError):
        return str(error)
    with contextlib.suppress(OSError):
        mode = os.lstat(path).st_mode
        if stat.S_ISLNK(mode) and not typed:
            return _A_LINK
        if not stat.S_ISREG(mode) and not stat.S_ISLNK(mode):
            return _kind(mode)
    return error.strerror or str(error)


def _is_shell_pipe(path: str | os.PathLike[str], status: os.stat_result, *, typed: bool) -> bool:
    named = typed and _SHELL_PIPE.fullmatch(os.fspath(path)) is not None
    return named and stat.S_ISFIFO(status.st_mode)


def _kind(mode: int) -> str:
    return next((text for test, text in _KINDS if test(mode)), "is not a regular file")


def _too_large(size: int, limit: int) -> str:
    return f"has {size:,} bytes, more than the {limit:,} that are read"


def _read(stream: IO[bytes], path: str | os.PathLike[str], limit: int) -> bytes:
    """All that is in a stream; a file that grows, or a pipe, is stopped at the limit."""
    pieces, size = [], 0
    try:
        for piece in _pieces(stream, limit + 1):
            pieces.append(piece)
            size += len(piece)
    except OSError as error:
        reason = f"cannot be read any further ({error.strerror or error})"
        raise UnreadableFileError(path, reason) from None
    if size > limit:
        raise UnreadableFileError(path, f"has more than the {limit:,} bytes that are read")
    return b"".join(pieces)


def _pieces(stream: IO[bytes], most: int) -> Iterator[bytes]:
    """What is in a stream, at most some bytes of it, without taking memory for them beforehand."""
    while most > 0:
        piece = stream.read(min(most, 2**24))
        if not piece:
            return
        most -= len(piece)
        yield piece
