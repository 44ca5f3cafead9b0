"""run_benchmark: a grid run and read, from wherever it was interrupted."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from codekin.detectors.benchmark.benchmark_result import Benchmark, read_benchmark
from codekin.detectors.benchmark.cells import (
    FORMAT,
    PLAN,
    Cell,
    cell_line,
    read_plan,
    record_place,
    run_cells,
)
from codekin.detectors.benchmark.grid import BenchmarkGrid, GridCorpus, read_grid
from codekin.detectors.benchmark.grid_data import GridData
from codekin.detectors.detector import Progress
from codekin.errors import CodekinError
from codekin.whole_files import whole_file

__all__ = ["keep_plan", "keep_record", "known_fingerprints", "run_benchmark"]


def run_benchmark(
    grid: BenchmarkGrid | str | Path,
    folder: str | Path,
    *,
    data: str | Path | None = None,
    device: str = "auto",
    workers: int | None = None,
    report: Callable[[str], None] | None = None,
    progress: Progress | None = None,
) -> Benchmark:
    """Run detectors over the views, levels and corpora of a grid.

    Whatever is in the folder already is kept: an interrupted benchmark continues with the cell
    that it was in, and a grid can be extended. Equal cells give equal records, but for times.

    Parameters
    ----------
    grid : BenchmarkGrid, str or Path
        Or the TOML file of one.
    folder : str or Path
        Where the plan and the records of cells are written.
    data : str or Path, optional
        The folder that the paths of corpora start from; that of the file by default.
    device : str
        ``cpu``, ``cuda``, or ``auto`` for a GPU where there is one.
    workers : int, optional
        Worker processes that read snippets.
    report : callable, optional
        Called with a line per view, level and cell.
    progress : callable, optional
        Called while a detector trains.

    Returns
    -------
    Benchmark
        Of all records in the folder.

    Raises
    ------
    CodekinError
        If the grid cannot be read, a corpus has no such view, or the folder was made with a grid
        that contradicts this one.
    """
    made = grid if isinstance(grid, BenchmarkGrid) else read_grid(grid, data)
    folder = Path(folder)
    fingerprints = known_fingerprints(made, folder)
    missing = [cell for cell in made.cells if not record_place(folder, cell).exists()]
    arrays = GridData(made, missing, workers=workers, report=report)
    keep_plan(made, folder, fingerprints, arrays.fingerprints)
    done = len(made.cells) - len(missing)
    for cell, record in run_cells(missing, arrays, device=device, progress=progress):
        keep_record(folder, record)
        done += 1
        if report is not None:
            report(f"{done}/{len(made.cells)} {cell_line(cell, record)}")
    return read_benchmark(folder)


def known_fingerprints(grid: BenchmarkGrid, folder: Path) -> dict[str, str]:
    """The fingerprints of corpora in the plan of a folder; refuses a grid that contradicts it."""
    plan = read_plan(folder)
    before = plan.corpora
    changed = [
        f"pairs of {side}: {old} before, {new} now"
        for side, new in grid.pairs.drawn().items()
        if (old := plan.pairs.get(side, new)) != new
    ]
    for name, corpus in grid.corpora.items():
        now = _definition(corpus)
        changed += [
            f"{name}: {key} {before[name][key]!r} before, {now[key]!r} now"
            for key in ("build", "functionalities", "rule", "pairs")
            if before.get(name, {}).get(key, now[key]) != now[key]
        ]
    if changed:
        raise CodekinError(
            f"{folder}: was made with another grid ({'; '.join(changed[:3])}), and its records are "
            "kept; name another folder"
        )
    return {name: about["fingerprint"] for name, about in before.items() if "fingerprint" in about}


def keep_plan(
    grid: BenchmarkGrid, folder: Path, before: Mapping[str, str], now: Mapping[str, str]
) -> None:
    """Write the plan of a grid; refuses corpora that have other fingerprints than before."""
    for name, fingerprint in now.items():
        if before.get(name, fingerprint) != fingerprint:
            raise CodekinError(
                f"{name}: has changed since {folder} was made, and its records are kept; name "
                "another folder"
            )
    known = {**before, **now}
    plan = {"kind": "codekin-benchmark", "format": FORMAT, "pairs": grid.pairs.drawn()}
    plan["corpora"] = {
        name: _definition(corpus) | {"fingerprint": known.get(name)}
        for name, corpus in grid.corpora.items()
    }
    plan["cells"] = [asdict(cell) for cell in grid.cells]
    try:
        (folder / "cells").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CodekinError(f"{folder}: cannot be made ({error.strerror or error})") from None
    _write(folder / PLAN, plan)


def keep_record(folder: Path, record: Mapping[str, Any]) -> None:
    """Write the record of a cell; it appears whole, or not at all."""
    _write(record_place(folder, Cell(**record["cell"])), record)


def _definition(corpus: GridCorpus) -> dict[str, Any]:
    """What a plan has of a corpus: all but its place."""
    return {
        "build": corpus.build,
        "functionalities": list(corpus.functionalities),
        "rule": corpus.rule,
        "pairs": corpus.pairs,
        "compared_with": corpus.compared_with,
    }


def _write(place: Path, document: Mapping[str, Any]) -> None:
    try:
        with whole_file(place) as stream:
            stream.write((json.dumps(document, indent=1) + "\n").encode())
    except OSError as error:
        raise CodekinError(f"{place}: cannot be written ({error.strerror or error})") from None
