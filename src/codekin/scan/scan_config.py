"""Options of a scan that a project keeps in pyproject.toml or codekin.toml."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codekin.errors import CodekinError, suggestion
from codekin.opening import read_toml
from codekin.plain_text import plain
from codekin.scan.scanned_files import MOST_BYTES

__all__ = ["ScanConfig", "find_scan_config", "read_scan_config"]

_OWN_FILE, _PROJECT_FILE = "codekin.toml", "pyproject.toml"
_TEXTS, _PATHS, _PATH = "a list of texts", "a list of paths", "a path"
_TEXT, _FLAG = "a text", "true or false"
_SHOWN, _LARGE = 100, 10**100
"""Characters of a wrong value in a message, and numbers that are not shown."""
_RANGES = {
    "min-lines": (1, 1_000_000),
    "min-tokens": (0, 1_000_000),
    "max-bytes": (1, MOST_BYTES),
    "top": (0, 1_000_000_000),
    "workers": (0, 1_024),
}
_KINDS = {
    "paths": _PATHS,
    "languages": _TEXTS,
    "exclude": _TEXTS,
    "fast": _FLAG,
    "all": _FLAG,
    "type": _TEXTS,
    "sort": _TEXT,
    "show": "true, false or a whole number",
    "index": _PATH,
    "baseline": _PATH,
    "since": _TEXT,
    "max-duplication": _TEXT,
    **{name: f"a whole number from {low} to {high:,}" for name, (low, high) in _RANGES.items()},
}
"""What each option takes; their names are those of the command line."""
_TYPED_ONLY = {
    "show": "--show",
    "index": "--index {}",
    "baseline": "--baseline {}",
    "since": "--since {}",
}
"""What reads or writes elsewhere, runs git or prints code, and how to ask for it."""


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
    not_honoured : mapping of str to tuple of str
        What is not taken from a file that nobody named, by option: why, and what to type instead.
    """

    path: Path | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    not_honoured: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def find_scan_config(folder: str | Path = ".") -> ScanConfig:
    """The options of the nearest configuration, from a folder up to the root of its repository.

    In each folder, codekin.toml comes before pyproject.toml, which counts only if it has a table
    ``[tool.codekin.scan]``. Since nobody named the file, it chooses among harmless things only:
    what reads or writes elsewhere, runs git or prints code is not taken from it, and neither is a
    file that is a link.

    Parameters
    ----------
    folder : str or Path
    """
    start = Path(folder).resolve()
    problems: dict[str, tuple[str, ...]] = {}
    for place in (start, *start.parents):
        for name in (_OWN_FILE, _PROJECT_FILE):
            path = place / name
            if not _is_there(path, problems):
                continue
            table = _table(path, typed=False)
            if table is not None:
                return _harmless(ScanConfig(path, _options(path, table), problems))
        if (place / ".git").exists():
            break
    return ScanConfig(not_honoured=problems)


def _is_there(path: Path, problems: dict[str, tuple[str, ...]]) -> bool:
    """Whether a file that nobody named can be read; what is no file is added to the problems."""
    try:
        mode = path.lstat().st_mode
    except OSError:
        return False
    if not stat.S_ISREG(mode):
        kind = "a link" if stat.S_ISLNK(mode) else "not a regular file"
        problem = (
            f"{_shown(path)} is {kind}, so no options are read from it; type --config "
            f"{_shown(path)} to use it"
        )
        problems[str(path)] = (problem,)
    return stat.S_ISREG(mode)


def _harmless(config: ScanConfig) -> ScanConfig:
    """The options of a file that nobody named, without those that have to be typed."""
    assert config.path is not None
    options, problems = {}, dict(config.not_honoured)
    for name, value in config.options.items():
        shown = f"{_shown(config.path)}: {name}"
        if name in _TYPED_ONLY:
            if value is not False and value != 0:
                word = _TYPED_ONLY[name].format(value)
                what = f"{shown} = {_toml(value)}"
                problems[name] = (_not_taken(what, word, config.path),)
        elif name == "paths":
            inside = [path for path in value if _is_inside(path, config.path.parent)]
            outside = tuple(
                _not_taken(f"{shown}: {path} is outside its folder, so it", str(path), config.path)
                for path in value
                if path not in inside
            )
            options[name] = inside
            problems |= {name: outside} if outside else {}
        else:
            options[name] = value
    return ScanConfig(config.path, options, problems)


def _not_taken(what: str, word: str, path: Path) -> str:
    return plain(
        f"{what} counts only if it is typed; type {word}, or --config {_shown(path)} for all of "
        "the file"
    )


def _toml(value: object) -> str:
    return json.dumps(value, default=str)


def _shown(path: Path) -> str:
    """A path from the current folder, as it would be typed."""
    return plain(os.path.relpath(path))


def _is_inside(path: Path, folder: Path) -> bool:
    """Whether a path is in a folder, when links are followed."""
    return path.resolve().is_relative_to(folder.resolve())


def read_scan_config(path: str | Path) -> ScanConfig:
    """The options in a file.

    Parameters
    ----------
    path : str or Path
        A file named pyproject.toml, with a table ``[tool.codekin.scan]``, or another TOML file,
        with a table ``[scan]``.
    """
    path = Path(path)
    table = _table(path, typed=True)
    if table is None:
        raise CodekinError(f"{path}: has no table [{_table_name(path)}]")
    return ScanConfig(path, _options(path, table))


def _table_name(path: Path) -> str:
    return "tool.codekin.scan" if path.name == _PROJECT_FILE else "scan"


def _table(path: Path, *, typed: bool) -> Mapping[str, Any] | None:
    """The table with the options; None if there is none."""
    content: Any = read_toml(path, typed=typed)
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
        if not _is_kind(name, value):
            raise CodekinError(f"{where}: {name} must be {_KINDS[name]}, not {_short(value)}")
        if _KINDS[name] == _PATH:
            value = _from_here(path, value)  # noqa: PLW2901
        elif _KINDS[name] == _PATHS:
            value = [_from_here(path, one) for one in value]  # noqa: PLW2901
        found[name] = value
    return found


def _short(value: object) -> str:
    """A wrong value in a message."""
    if isinstance(value, int) and abs(value) > _LARGE:
        return "a number of many digits"  # str refuses very long ones
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _is_kind(name: str, value: object) -> bool:
    if name in _RANGES:
        low, high = _RANGES[name]
        return type(value) is int and low <= value <= high
    kind = _KINDS[name]
    if kind in {_TEXTS, _PATHS}:
        return isinstance(value, list) and all(map(_is_text, value))
    if name == "show":
        return isinstance(value, bool) or (type(value) is int and value >= 0)
    return isinstance(value, bool) if kind == _FLAG else _is_text(value)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value) and "\0" not in value


def _from_here(path: Path, name: str) -> Path:
    """A path in a file, which is relative to that file, from the current folder."""
    return Path(os.path.relpath(path.resolve().parent / name))
