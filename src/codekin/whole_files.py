"""Files that appear whole or not at all, and are never written through a link."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import IO

__all__ = ["is_leftover", "whole_file"]

_LEFTOVER = re.compile(r"codekin-[0-9a-f]{16}\.tmp")
_DEVICES = ("/dev/", "/proc/")


@contextlib.contextmanager
def whole_file(path: Path, *, durable: bool = False) -> Iterator[IO[bytes]]:
    """A stream whose content takes the place of a file once all of it is written.

    It is written to a new file in the same folder, under a name that nobody can know beforehand;
    if anything goes wrong, that file is deleted and the old one stays. A link is replaced like
    any other file, and what it points to is left alone. What is not a regular file, such as a
    pipe, ``/dev/null`` or ``/dev/stdout``, is written to and never replaced.

    Parameters
    ----------
    path : Path
    durable : bool
        Whether to wait until the content has reached the disk.

    Raises
    ------
    OSError
        As the system gives it.
    """
    if _is_written_in_place(path):
        handle = os.open(path, os.O_WRONLY | os.O_APPEND)
        with os.fdopen(handle, "wb") as stream:
            yield stream
        return
    part = path.with_name(f"codekin-{secrets.token_hex(8)}.tmp")
    # O_EXCL refuses whatever has the name already, a link to nowhere included.
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
    except BaseException:  # Ctrl-C too leaves no half of a file
        with contextlib.suppress(OSError):
            part.unlink()
        raise


def is_leftover(path: Path) -> bool:
    """Whether a file is what a process that was killed has left of :func:`whole_file`.

    Examples
    --------
    >>> is_leftover(Path("codekin-0123456789abcdef.tmp")), is_leftover(Path("notes.tmp"))
    (True, False)
    """
    return _LEFTOVER.fullmatch(path.name) is not None


def _is_written_in_place(path: Path) -> bool:
    if not path.exists():
        return False
    # /dev/stdout leads to a regular file where output is redirected, and is still not one itself.
    return not path.is_file() or f"{path.parent.resolve()}/".startswith(_DEVICES)


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # which cannot open folders
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
