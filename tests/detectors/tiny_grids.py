"""Grids over corpora so small that a cell takes a moment."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.detectors.tasks import THEMES, nested

ORDER = ("for", "if", "while")


def themed(count: int = 48, themes: int = 4, projects: bool = False) -> list[dict[str, Any]]:
    """Rows of snippets whose names give their functionalities away."""
    rows = []
    for i in range(count):
        names = list(THEMES[i % themes])
        names = names[i % 3 :] + names[: i % 3]
        code = nested(ORDER[i % 2 :] + ORDER[: i % 2], names).replace("return", f"d({i}); return")
        row = {"id": f"s{i}", "language": "java", "code": code, "functionality": f"f{i % themes}"}
        rows.append(row | ({"project": f"p{i // 4}"} if projects else {}))
    return rows


def write_grid(folder: Path, rows: Sequence[Mapping[str, Any]], **changes: Any) -> Path:
    """A file of snippets, and a grid of it."""
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "snippets.jsonl").write_text(text, encoding="utf-8")
    experiment = {
        "corpora": ["tiny"],
        "detectors": ["linear:epochs=2,width=4"],
        "views": ["random"],
        "levels": ["0"],
    } | changes
    lines = ["[pairs]", "train = 300", "validation = 100", 'test = "all"']
    lines += ["[[corpora]]", 'name = "tiny"', 'path = "snippets.jsonl"', 'build = "none"']
    lines.append("[[experiments]]")
    lines += [f"{key} = {json.dumps(value)}" for key, value in experiment.items()]
    (folder / "grid.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / "grid.toml"
