"""Atomic writing of files and folders, never through a link; locks of folders."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from codekin.errors import CodekinError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

__all__ = ["is_leftover", "whole_file", "whole_folder", "working_on"]

_LEFTOVER = re.compile(r"codekin-[0-9a-f]{16}\.tmp")
_DEVICES = ("/dev/", "/proc/")


@contextlib.contextmanager
def whole_file(path: Path, *, durable: bool = False) -> Iterator[IO[bytes]]:
    """A stream whose content replaces a file once all of it is written.

    The content goes to a new file in the same folder, under an unpredictable name; if anything
    goes wrong, that file is deleted and the old one stays. A link is replaced like any other file,
    and its target is left alone. Anything but a regular file, such as a pipe, ``/dev/null`` or
    ``/dev/stdout``, is written to and never replaced.

    Parameters
    ----------
    path : Path
    durable : bool
        Whether to wait until the content has reached the disk.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    if _is_written_in_place(path):
        handle = os.open(path, os.O_WRONLY | os.O_APPEND)
        with os.fdopen(handle, "wb") as stream:
            yield stream
        return
    part = path.with_name(f"codekin-{secrets.token_hex(8)}.tmp")
    # O_EXCL fails if the name exists, even as a broken link.
    exclusive = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    handle = os.open(part, exclusive | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            if durable:
                stream.flush()
                os.fsync(stream.fileno())
        part.replace(path)
        if durable:
            _sync_folder(path.parent)
    except BaseException:  # also on Ctrl-C, so that no partial file is left
        with contextlib.suppress(OSError):
            part.unlink()
        raise


@contextlib.contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """A folder to write to, which gets its name when it is complete, or is removed.

    An empty folder at the path is replaced.

    Raises
    ------
    CodekinError
        If the folder cannot be written.
    """
    part = path.with_name(f"codekin-{secrets.token_hex(8)}.tmp")
    try:
        part.mkdir(parents=True)
        try:
            yield part
            with contextlib.suppress(OSError):
                path.rmdir()  # an empty folder
            part.rename(path)
        except BaseException:
            shutil.rmtree(part, ignore_errors=True)
            raise
    except OSError as error:
        raise CodekinError(f"{path}: cannot be written ({error.strerror or error})") from None


def is_leftover(path: Path) -> bool:
    """Whether a file is a temporary file of :func:`whole_file`, left by a killed process.

    Examples
    --------
    >>> is_leftover(Path("codekin-0123456789abcdef.tmp")), is_leftover(Path("notes.tmp"))
    (True, False)
    """
    return _LEFTOVER.fullmatch(path.name) is not None


def _is_written_in_place(path: Path) -> bool:
    if not path.exists():
        return False
    # /dev/stdout may resolve to a regular file when output is redirected.
    return not path.is_file() or f"{path.parent.resolve()}/".startswith(_DEVICES)


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # which cannot open folders
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def working_on(folder: Path) -> Iterator[None]:
    """Lock a folder; a second process that wants it at the same time is refused.

    The operating system holds the lock, so it ends with the process, however that ends.
    """
    if fcntl is None:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                yield  # a file system without locks
                return
            raise CodekinError(f"{folder}: another process is working on it") from None
        yield
    finally:
        os.close(handle)
