"""Options of a scan that a project keeps in pyproject.toml or codekin.toml."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codekin.errors import CodekinError, suggestion

__all__ = ["ScanConfig", "find_scan_config", "read_scan_config"]

_OWN_FILE, _PROJECT_FILE = "codekin.toml", "pyproject.toml"
_TEXTS, _PATHS, _PATH = "a list of texts", "a list of paths", "a path"
_TEXT, _FLAG = "a text", "true or false"
_FROM_0, _FROM_1 = "a whole number from 0", "a whole number from 1"
_KINDS = {
    "paths": _PATHS,
    "languages": _TEXTS,
    "exclude": _TEXTS,
    "min-lines": _FROM_1,
    "fast": _FLAG,
    "all": _FLAG,
    "max-bytes": _FROM_1,
    "top": _FROM_0,
    "show": _FLAG,
    "workers": _FROM_0,
    "index": _PATH,
    "baseline": _PATH,
    "since": _TEXT,
    "max-duplication": _TEXT,
}
"""What each option takes; their names are those of the command line."""


@dataclass(frozen=True)
class ScanConfig:
    """Options of a scan.

    Attributes
    ----------
    path : Path, optional
        The file that they are from; None if there is none.
    options : mapping of str to object
        By their names on the command line, without dashes at the start; paths are relative to the
        current folder.
    """

    path: Path | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


def find_scan_config(folder: str | Path = ".") -> ScanConfig:
    """The options of the nearest configuration, from a folder up to the root of its repository.

    In each folder, codekin.toml comes before pyproject.toml, which counts only if it has a table
    ``[tool.codekin.scan]``.

    Parameters
    ----------
    folder : str or Path
    """
    start = Path(folder).resolve()
    for place in (start, *start.parents):
        for name in (_OWN_FILE, _PROJECT_FILE):
            if (place / name).is_file():
                table = _table(place / name)
                if table is not None:
                    return ScanConfig(place / name, _options(place / name, table))
        if (place / ".git").exists():
            break
    return ScanConfig()


def read_scan_config(path: str | Path) -> ScanConfig:
    """The options in a file.

    Parameters
    ----------
    path : str or Path
        A file named pyproject.toml, with a table ``[tool.codekin.scan]``, or another TOML file,
        with a table ``[scan]``.
    """
    path = Path(path)
    table = _table(path)
    if table is None:
        raise CodekinError(f"{path}: has no table [{_table_name(path)}]")
    return ScanConfig(path, _options(path, table))


def _table_name(path: Path) -> str:
    return "tool.codekin.scan" if path.name == _PROJECT_FILE else "scan"


def _table(path: Path) -> Mapping[str, Any] | None:
    """The table with the options; None if there is none."""
    try:
        content: Any = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise CodekinError(f"{path}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CodekinError(f"{path}: is not TOML ({error})") from None
    *outer, last = _table_name(path).split(".")
    for name in outer:
        content = content.get(name) if isinstance(content, dict) else None
    if content is None:
        return None
    where = f"[{'.'.join(outer)}]" if outer else "the file"
    if not isinstance(content, dict):
        raise CodekinError(f"{path}: {where} is not a table")
    for name in content:
        if name != last:
            raise CodekinError(
                f"{path}: unknown name {name!r} in {where}{suggestion(name, [last])} "
                f"(known: {last})"
            )
    table = content.get(last)
    if table is not None and not isinstance(table, dict):
        raise CodekinError(f"{path}: {_table_name(path)} is not a table")
    return table


def _options(path: Path, table: Mapping[str, Any]) -> dict[str, Any]:
    where = f"{path}: [{_table_name(path)}]"
    found = {}
    for name, value in table.items():
        if name not in _KINDS:
            raise CodekinError(
                f"{where}: unknown option {name!r}{suggestion(name, _KINDS)} "
                f"(known: {', '.join(_KINDS)})"
            )
        if not _is_kind(value, _KINDS[name]):
            raise CodekinError(f"{where}: {name} must be {_KINDS[name]}, not {value!r}")
        if _KINDS[name] == _PATH:
            value = _from_here(path, value)  # noqa: PLW2901
        elif _KINDS[name] == _PATHS:
            value = [_from_here(path, one) for one in value]  # noqa: PLW2901
        found[name] = value
    return found


def _is_kind(value: object, kind: str) -> bool:
    if kind in {_TEXTS, _PATHS}:
        return isinstance(value, list) and all(isinstance(one, str) and one for one in value)
    if kind in {_TEXT, _PATH}:
        return isinstance(value, str) and bool(value)
    if kind == _FLAG:
        return isinstance(value, bool)
    return type(value) is int and value >= (1 if kind == _FROM_1 else 0)


def _from_here(path: Path, name: str) -> Path:
    """A path in a file, which is relative to that file, from the current folder."""
    return Path(os.path.relpath(path.resolve().parent / name))
