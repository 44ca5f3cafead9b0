"""The names of files in the headers of a unified diff."""

from __future__ import annotations

import re

__all__ = ["file_name", "git_names"]

_QUOTED = re.compile(rb'\\([0-7]{3}|["\\abfnrtv])')
_ESCAPES = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t"}
_ESCAPES |= {b"v": b"\v", b'"': b'"', b"\\": b"\\"}
_NO_FILES = ("/dev/null", "/dev/stdin", "/dev/fd/")


def file_name(line: str) -> str:
    r"""The name in a line such as ``--- a/x.py``, with what may stand behind a tab left out.

    Examples
    --------
    >>> file_name("--- a/x.py\t2024-01-01\n"), file_name("+++ /dev/null\n")
    ('x.py', '')
    """
    written = line[4:].rstrip("\r\n")
    if written.startswith('"'):
        return _bare(_unquoted(written))
    return _bare(written.split("\t")[0].rstrip())


def git_names(line: str) -> tuple[str, str]:
    r"""The two names in a line such as ``diff --git a/x.py b/x.py``.

    Examples
    --------
    >>> git_names("diff --git a/old name.py b/new.py\n")
    ('old name.py', 'new.py')
    """
    written = line[len("diff --git ") :].rstrip("\r\n")
    quoted = written.rfind(' "') if written.endswith('"') else -1
    middle = quoted if quoted >= 0 else written.rfind(" b/")
    halves = (written[:middle], written[middle + 1 :]) if middle >= 0 else _halves(written)
    old, new = (_bare(_unquoted(half) if half.endswith('"') else half) for half in halves)
    return old, new


def _halves(written: str) -> tuple[str, str]:
    middle = len(written) // 2
    return written[:middle], written[middle + 1 :]


def _bare(name: str) -> str:
    """A name without the letter that git puts before it; none if it stands for no file."""
    if name == "-" or name.startswith(_NO_FILES):
        return ""
    return name[2:] if name.startswith(("a/", "b/")) else name.removeprefix("./")


def _unquoted(written: str) -> str:
    """A name that git wrote between quotes, with numbers for its bytes."""

    def byte(found: re.Match[bytes]) -> bytes:
        code = found[1]
        return _ESCAPES[code] if code in _ESCAPES else bytes([int(code, 8) & 0xFF])

    raw = written.strip('"').encode("utf-8", "surrogatepass")
    return _QUOTED.sub(byte, raw).decode("utf-8", "replace")
