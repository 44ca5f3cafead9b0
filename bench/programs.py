"""Real programs from a folder of codekin's row formats."""

from __future__ import annotations

import json
import lzma
import random
from collections.abc import Iterator
from pathlib import Path

SIZES = {20: (16, 24), 60: (50, 70), 200: (160, 260)}
"""Size classes in lines, with the range of each."""

LANGUAGES = ("python", "java", "c", "cpp", "javascript", "typescript", "go", "rust")
"""Languages with semantic graphs."""

_FILES = {
    "python": ("triplets/condefects-python-*.jsonl.xz",),
    "java": (
        "triplets/condefects-java-random.jsonl.xz",
        "triplets/condefects-java-matched.jsonl.xz",
    ),
    "cpp": ("clones/ojclone/*.jsonl.xz", "triplets/codeflaws-c-*.jsonl.xz"),
}

_SAMPLED_FILES = {
    "python": (
        "triplets/condefects-python-*.jsonl.xz",
        "humanevalpack/python.jsonl.xz",
        "edits/canitedit.jsonl.xz",
    ),
    "java": ("triplets/condefects-java-*.jsonl.xz", "humanevalpack/java.jsonl.xz"),
    "c": ("triplets/codeflaws-c-*.jsonl.xz",),
    "cpp": ("edits/debugbench-cpp.jsonl.xz", "humanevalpack/cpp.jsonl.xz"),
    "javascript": ("humanevalpack/js.jsonl.xz",),
    "typescript": ("humanevalpack/js.jsonl.xz",),
    "go": ("humanevalpack/go.jsonl.xz",),
    "rust": ("humanevalpack/rust.jsonl.xz",),
}


def programs(data: Path, language: str) -> Iterator[str]:
    """Distinct programs of a language, in the order of the files."""
    seen: set[str] = set()
    for pattern in _FILES[language]:
        for file in sorted(data.glob(pattern)):
            for code in _codes(file, language):
                if code not in seen:
                    seen.add(code)
                    yield code


def _codes(file: Path, language: str) -> Iterator[str]:
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if "code" in row:
                yield row["code"]
            for role in ("anchor", "positive"):
                if role in row and row[role]["language"] in (language, "c"):
                    yield row[role]["code"]


def pairs(data: Path, language: str, lines: int, count: int) -> list[tuple[str, str]]:
    """Pairs of different programs of about the same number of lines."""
    low, high = SIZES[lines]
    fitting: list[str] = []
    for code in programs(data, language):
        if low <= len(code.splitlines()) <= high:
            fitting.append(code)
        if len(fitting) == 2 * count:
            break
    return list(zip(fitting[::2], fitting[1::2], strict=False))


def sampled_programs(data: Path, language: str, count: int) -> list[str]:
    """A random sample of the distinct programs of a language, the same in every run."""
    found: dict[str, None] = {}
    for pattern in _SAMPLED_FILES[language]:
        for file in sorted(data.glob(pattern)):
            with lzma.open(file, "rt", encoding="utf-8") as lines:
                for line in lines:
                    found.update(dict.fromkeys(_codes_of_row(json.loads(line), language)))
    programs = list(found)
    random.Random(0).shuffle(programs)
    return programs[:count]


def _codes_of_row(row: dict[str, object], language: str) -> Iterator[str]:
    """The programs in a row of triplets, edits or HumanEvalPack."""
    for role in ("anchor", "positive", "negative"):
        text = row.get(role)
        if isinstance(text, dict) and text["language"] == language:
            yield text["code"]
    if "canonical_solution" in row:
        for solution in ("canonical_solution", "buggy_solution"):
            yield f"{row['declaration']}{row[solution]}"
    elif row.get("language") == language:
        for role in ("origin", "reference"):
            yield str(row[role])
