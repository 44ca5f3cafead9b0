"""The secret by which a user's codekin knows what it wrote into an index."""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
import tempfile
from pathlib import Path

from codekin.errors import CodekinError
from codekin.opening import UnreadableFileError, open_file

__all__ = ["KEY_VARIABLE", "index_key"]

KEY_VARIABLE = "CODEKIN_INDEX_KEY"
_REMEDY = f"set {KEY_VARIABLE} to a secret word"
_BYTES = 32
_FEWEST_CHARACTERS = 16


def index_key() -> bytes:
    """The key of this user, from `CODEKIN_INDEX_KEY` or a file in the user's cache folder.

    The file is made if there is none.

    Raises
    ------
    CodekinError
        If there can be no key, or others could know it.
    """
    if word := os.environ.get(KEY_VARIABLE, ""):
        if len(word) < _FEWEST_CHARACTERS:
            raise CodekinError(
                f"{KEY_VARIABLE} has fewer than {_FEWEST_CHARACTERS} characters; give it a longer "
                "random word"
            )
        return hashlib.blake2b(os.fsencode(word), digest_size=_BYTES).digest()
    path = _cache_folder() / "codekin" / "index.key"
    try:
        if not os.path.lexists(path):
            _make(path)
        return _read(path)
    except UnreadableFileError as error:
        raise CodekinError(f"{error}; delete it, or {_REMEDY}") from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise CodekinError(f"{path}: cannot be made ({reason}); {_REMEDY}") from None


def _cache_folder() -> Path:
    named = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(named):  # noqa: PTH117, others are ignored by the standard
        return Path(named)
    try:
        return Path.home() / ".cache"
    except RuntimeError:
        raise OSError("there is no home folder") from None


def _read(path: Path) -> bytes:
    with open_file(path) as stream:
        status = os.fstat(stream.fileno())
        if os.name == "posix":
            if status.st_uid != os.geteuid():
                raise UnreadableFileError(path, "belongs to somebody else")
            if status.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise UnreadableFileError(path, "can be read by others")
        key = stream.read(_BYTES + 1)
    if len(key) != _BYTES or status.st_nlink != 1:
        raise UnreadableFileError(path, "is not a key of codekin")
    return key


def _make(path: Path) -> None:
    """Write a new key; where two processes do so, one of them wins."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, part = tempfile.mkstemp(dir=path.parent, prefix="codekin-", suffix=".tmp")
    try:
        try:
            os.write(handle, secrets.token_bytes(_BYTES))
            os.fsync(handle)
        finally:
            os.close(handle)
        try:
            os.link(part, path)  # which, unlike a renaming, never replaces a key
        except FileExistsError:
            pass
        except OSError:  # a file system without hard links
            Path(part).rename(path)
    finally:
        Path(part).unlink(missing_ok=True)
