"""What a scanned folder's own settings and files keep out of a check that somebody asked for."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codekin.plain_text import plain
from codekin.results import count_text
from codekin.scan.scan_config import ScanConfig
from codekin.scan.scanned_files import EXCLUDED, IGNORED, IGNORED_FILE, MAX_BYTES, files_to_scan

if TYPE_CHECKING:
    from codekin.scan.scan_result import Scan

__all__ = ["Loosening", "loosenings"]

_SHOWN = 100
"""Characters of a setting that are shown."""
_LOOSER: Mapping[str, Callable[[Any], bool]] = {
    "min-lines": lambda lines: lines > 6,
    "min-tokens": bool,
    "type": bool,
    "fast": bool,
}
"""Settings that leave out clones, and which of their values do."""


@dataclass(frozen=True)
class Loosening:
    """Something in a folder that leaves code or clones out of a check.

    Attributes
    ----------
    source : str
        The file with the setting, or what else leaves something out.
    setting : str
        As in the file; empty if it is not a setting.
    count : int
    what : str
        What is counted.
    adds : bool
        Whether it adds what otherwise would not count, which lowers the share of duplicated lines.

    Examples
    --------
    >>> print(Loosening("codekin.toml", "min-lines = 50", 1, "class of clones"))
    codekin.toml: min-lines = 50 leaves out 1 class of clones
    >>> print(Loosening("ignore files", "", 2, "files and folders"))
    ignore files leave out 2 files and folders
    """

    source: str
    setting: str
    count: int
    what: str
    adds: bool = False

    def __str__(self) -> str:
        counted = f"{self.count:,} {self.what}"
        if self.setting:
            verb = "adds" if self.adds else "leaves out"
            return f"{self.source}: {self.setting} {verb} {counted}"
        return f"{self.source} leave out {counted}"


def loosenings(
    scan: Scan,
    options: Mapping[str, Any],
    config: ScanConfig,
    scan_again: Callable[[Mapping[str, Any]], Scan],
) -> tuple[Loosening, ...]:
    """What the settings of a file that nobody named, and the files of a folder, leave out.

    Parameters
    ----------
    scan : Scan
    options : mapping of str to object
        Those of the scan.
    config : ScanConfig
        The settings among them that nobody typed.
    scan_again : callable
        Scans with other options, to count the clones that are left out.
    """
    found = list(_of_settings(scan, options, config, scan_again))
    return tuple(loosened for loosened in (*found, *_of_files(scan)) if loosened.count > 0)


def _of_settings(
    scan: Scan,
    options: Mapping[str, Any],
    config: ScanConfig,
    scan_again: Callable[[Mapping[str, Any]], Scan],
) -> Iterator[Loosening]:
    if config.path is None:
        return
    source = plain(os.path.relpath(config.path))
    mine = config.options
    for name in ("paths", "exclude", "languages"):
        if name in mine:
            default: Any = [config.path.parent] if name == "paths" else ()
            more = _files({**options, name: default}) - _files(options)
            shown = _short(", ".join(f'"{value}"' for value in mine[name]))
            yield Loosening(source, f"{name} = [{shown}]", *_counted(len(more), "file"))
    if "max-bytes" in mine:
        most = mine["max-bytes"]
        low, high = sorted((most, MAX_BYTES))
        between = sum(low < _size(path) <= high for path in _files(options))
        counted = _counted(between, "file")
        yield Loosening(source, f"max-bytes = {most}", *counted, adds=most > MAX_BYTES)
    if mine.get("all"):
        more = _files(options) - _files({**options, "all": False})
        yield Loosening(source, "all = true", *_counted(len(more), "file"), adds=True)
    looser = {name: mine[name] for name in _LOOSER if _LOOSER[name](mine.get(name, 0))}
    if looser:
        other = scan_again({name: options[name] for name in options if name not in looser})
        words = [f"{name} = {json.dumps(value)}" for name, value in looser.items()]
        classes = len(other.classes) - len(scan.classes)
        lines = other.duplicated_lines - scan.duplicated_lines
        if classes > 0:
            what = "class of clones" if classes == 1 else "classes of clones"
            yield Loosening(source, ", ".join(words), classes, what)
        else:
            yield Loosening(source, ", ".join(words), *_counted(lines, "duplicated line"))


def _of_files(scan: Scan) -> Iterator[Loosening]:
    """What ignore files, comments and names leave out, and what could not be read."""
    reasons = Counter(file.reason for file in scan.left_out)
    kinds = Counter(file.kind for file in scan.left_out)
    ignored = kinds["ignored"] - sum(
        reasons[reason] for reason in (EXCLUDED, IGNORED, IGNORED_FILE)
    )
    for source, count in (
        ("ignore files", reasons[IGNORED]),
        ("comments codekin: ignore-file", reasons[IGNORED_FILE]),
        ("links and zip files", ignored),
        ("names that are hidden", kinds["hidden"]),
        ("names of folders of vendored code", kinds["vendored"]),
        ("signs of generated code", kinds["generated"]),
        ("problems with reading", kinds["unreadable"]),
    ):
        yield Loosening(source, "", count, "file or folder" if count == 1 else "files and folders")
    yield Loosening("comments codekin: ignore", "", *_counted(scan.ignored, "line"))


def _short(text: str) -> str:
    return plain(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")


def _counted(count: int, what: str) -> tuple[int, str]:
    return count, count_text(count, what).partition(" ")[2]


def _files(options: Mapping[str, Any]) -> set[str]:
    files = files_to_scan(
        options.get("paths", ()),
        languages=options.get("languages", ()),
        exclude=options.get("exclude", ()),
        everything=options.get("all", False),
    )
    return {os.path.abspath(file.path) for file in files.files}  # noqa: PTH100, texts


def _size(path: str) -> int:
    try:
        return Path(path).lstat().st_size
    except OSError:
        return 0
