"""A few rows of each kind, which the real engine scores in no time."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

_SAY = {"python": "print({})", "cpp": "std::cout << {};"}


def triplet(i: int, anchor: str = "python", other: str = "python") -> dict[str, Any]:
    texts = {
        "anchor": (anchor, f"a + {i}"),
        "positive": (other, f"{i} + a" if i % 3 else f"{i} * c"),
        "negative": (other, f"{i} - b"),
    }
    programs = {
        role: {"language": language, "code": _SAY[language].format(text)}
        for role, (language, text) in texts.items()
    }
    return {"id": f"t{i}", "problem": f"p{i % 6}", **programs}


def broken_triplets() -> list[dict[str, Any]]:
    """Eighteen, of which two have no anchor, one a copy as positive and one as negative."""
    rows = [triplet(i) for i in range(18)]
    del rows[3]["anchor"], rows[9]["anchor"]
    rows[4]["positive"] = rows[4]["anchor"]
    rows[8]["negative"] = rows[8]["anchor"]
    return rows


def edit(i: int) -> dict[str, Any]:
    return {
        "id": f"r{i}",
        "group": f"model {i % 3}",
        "task": i % 4,
        "language": "python",
        "outcome": i % 2,
        "origin": "x = 0 + 0",
        "candidate": f"x = {i % 2} + {i % 5}",
        "reference": f"x = 1 + {i % 8}",
    }


def broken_edits() -> list[dict[str, Any]]:
    """Sixteen, of which one has no reference and one no outcome."""
    rows = [edit(i) for i in range(16)]
    del rows[5]["reference"], rows[6]["outcome"]
    return rows


def program(i: int) -> dict[str, Any]:
    code = f"def f(a, b):\n    c = a + {i}\n    return max(c, b * {i})\n"
    return {"id": f"p{i}", "language": "python", "code": code}


def broken_programs() -> list[dict[str, Any]]:
    """Twelve, of which one has no code."""
    rows = [program(i) for i in range(12)]
    del rows[7]["code"]
    return rows


def write(path: Path, rows: Iterable[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path
