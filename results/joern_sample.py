"""Real programs on which Joern's graphs and ours are compared, drawn by a fixed seed."""

from __future__ import annotations

import json
import lzma
import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

__all__ = ["COUNTS", "SUFFIXES", "write_sample"]

SUFFIXES = {"py": ".py", "java": ".java", "c": ".c", "cpp": ".cpp"}
"""Folders of the sample, with the suffix of their programs."""

COUNTS = {"py": 260, "java": 260, "c": 260, "cpp": 400}
"""How many programs are drawn; a third of the C++ programs has syntax errors."""

_TRIPLETS = {"py": "condefects-python", "java": "condefects-java", "c": "codeflaws-c"}


def write_sample(data: Path, out: Path) -> None:
    """Write distinct programs of each language into folders of `out`: py, java, c, cpp."""
    for folder, suffix in SUFFIXES.items():
        codes = sorted(set(_codes(data, folder)))
        random.Random(6).shuffle(codes)
        place = out / folder
        place.mkdir(parents=True, exist_ok=True)
        drawn = codes[: COUNTS[folder]]
        for number, code in enumerate(drawn):
            (place / f"{folder}{number:04}{suffix}").write_bytes(code.encode())
        print(f"{len(drawn)} of {len(codes)} programs in {place}")


def _codes(data: Path, folder: str) -> Iterator[str]:
    if folder == "cpp":
        for row in _rows(data / "edits" / "debugbench-cpp.jsonl.xz"):
            yield from (row[role] for role in ("origin", "reference") if row.get(role))
        return
    for drawn in ("matched", "random"):
        for row in _rows(data / "triplets" / f"{_TRIPLETS[folder]}-{drawn}.jsonl.xz"):
            yield from (row[role]["code"] for role in ("anchor", "positive", "negative"))


def _rows(path: Path) -> Iterator[Mapping[str, Any]]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)
