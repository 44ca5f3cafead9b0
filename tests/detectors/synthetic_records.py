"""Records of cells that were never run, with the numbers that a test wants."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from codekin.detectors.benchmark.cells import FORMAT, Cell, cell_name

SOUND = {"tbccd": 0.95, "astnn": 0.93, "faast": 0.96}


def cell(
    detector: str,
    corpus: str = "bcb",
    view: str = "random",
    level: str = "0",
    test_level: str | None = None,
    test_corpus: str | None = None,
    seed: int = 0,
) -> Cell:
    """A cell, tested as it was trained unless the test says otherwise."""
    return Cell(*(detector, corpus, view, level, test_corpus or corpus, test_level or level, seed))


def record(one: Cell, f1: float, half: float = 0.005, **changes: Any) -> dict[str, Any]:
    """The record of a cell with an F1 and an interval around it."""
    part = {"pairs": 50, "clones": 10, "precision": f1, "recall": f1, "f1": f1}
    numbers = {
        **{"pairs": 1000, "clones": 150, "rate": 0.15, "all_positive_f1": 0.26087},
        **{"precision": f1, "recall": f1, "f1": f1, "mcc": f1 - 0.1, "ap": f1, "auc": f1},
        **{"f1_interval": [f1 - half, f1 + half], "ap_interval": [f1 - half, f1 + half]},
    }
    scores = {
        **{"pairs": 1000, "unscored": 0, "threshold": 0.5, "copied_pairs": 200},
        "all": numbers,
        "without_copies": numbers | {"f1": round(f1 - 0.02, 6)},
        "curve": [[0.0, 1.0], [f1, f1], [1.0, 0.15]],
        "by_type": {"T1": part, "ST3": part},
        "by_functionality": {"copy": part, "sort": part},
        "by_size": {"0 to 49 nodes": part, "50 to 99 nodes": part},
        "by_project": {"within a project": part, "between projects": part},
    }
    fitted = {"pairs": 2000, "validation_pairs": 500, "epochs": 2, "notes": []}
    return {
        **{"kind": "codekin-benchmark-cell", "format": FORMAT, "cell": asdict(one)},
        **{"fitted": fitted, "scores": scores | changes, "seconds": 3.0},
    }


def write_records(
    folder: Path,
    values: Mapping[Cell, float],
    planned: Iterable[Cell] = (),
    compared: Mapping[str, str] | None = None,
    half: float = 0.005,
) -> Path:
    """A folder of a benchmark with a record per cell; `planned` cells have none."""
    (folder / "cells").mkdir(parents=True, exist_ok=True)
    for one, f1 in values.items():
        text = json.dumps(record(one, f1, half))
        (folder / "cells" / f"{cell_name(one)}.json").write_text(text, encoding="utf-8")
    plan = {"kind": "codekin-benchmark", "format": FORMAT, "pairs": {}}
    plan["corpora"] = {name: {"compared_with": other} for name, other in (compared or {}).items()}
    plan["cells"] = [asdict(one) for one in (*values, *planned)]
    (folder / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    return folder


def sound_run() -> dict[Cell, float]:
    """Cells of a corpus that has all three properties."""
    values = {}
    for word, before, after, mixed in (
        ("tbccd", 0.95, 0.94, 0.93),
        ("astnn", 0.93, 0.92, 0.91),
        ("faast", 0.97, 0.96, 0.95),
    ):
        values[cell(word, level="0")] = before
        values[cell(word, level="abs")] = after
        values[cell(word, level="abs", test_level="0")] = mixed
    values[cell("linear", level="0")] = 0.93
    values[cell("linear", level="abs")] = 0.83
    return values


BROKEN: dict[int, dict[Cell, float]] = {
    # tbccd and faast swap places, far outside their intervals.
    1: {cell("tbccd", level="abs"): 0.97, cell("faast", level="abs"): 0.93},
    2: {cell("astnn", level="abs", test_level="0"): 0.89},
    3: {cell("linear", level="abs"): 0.88},
}
"""Cells that break one property, by its number."""
