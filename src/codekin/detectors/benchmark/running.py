"""run_benchmark: a grid staged, run and read, from wherever it was interrupted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from codekin.detectors.benchmark.benchmark_result import Benchmark, read_benchmark
from codekin.detectors.benchmark.cells import run_cells
from codekin.detectors.benchmark.grid import BenchmarkGrid, read_grid
from codekin.detectors.benchmark.staging import stage_benchmark
from codekin.detectors.detector import Progress

__all__ = ["run_benchmark"]


def run_benchmark(
    grid: BenchmarkGrid | str | Path,
    folder: str | Path,
    *,
    data: str | Path | None = None,
    device: str = "auto",
    seconds: float | None = None,
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
        Where prepared snippets, views and the records of cells are written.
    data : str or Path, optional
        The folder that the paths of corpora start from; that of the file by default.
    device : str
        ``cpu``, ``cuda``, or ``auto`` for a GPU where there is one.
    seconds : float, optional
        Begin no cell after this time; the next call continues.
    workers : int, optional
        Worker processes that read snippets.
    report : callable, optional
        Called with a line per file and cell.
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
    stage_benchmark(made, folder, workers=workers, report=report)
    for _ in run_cells(
        folder, made.cells, device=device, seconds=seconds, report=report, progress=progress
    ):
        pass
    return read_benchmark(folder)
