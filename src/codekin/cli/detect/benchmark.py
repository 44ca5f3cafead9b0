"""``codekin detect benchmark``: detectors over views, levels and corpora of a grid."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from codekin.cli.detect.detector_options import training_bar
from codekin.cli.options import (
    STATISTICS,
    PrintOptions,
    ReportOption,
    WorkersOption,
    command,
    folder_option,
)
from codekin.cli.output import Rendering, check_place, emit, print_tables, say, tables, write_text
from codekin.errors import CodekinError

if TYPE_CHECKING:
    from rich.console import Console

    from codekin.detectors.benchmark.benchmark_result import Benchmark

__all__ = ["benchmark_command"]


@command(example="codekin detect benchmark grid.toml -o benchmark", formats=STATISTICS)
def benchmark_command(
    grid: Annotated[
        Path,
        typer.Argument(
            metavar="GRID", help="TOML file of corpora, detectors, views, levels and seeds."
        ),
    ],
    output: Annotated[
        Path | None,
        folder_option(
            "Folder of the benchmark; what it has already is kept, so that an interrupted "
            "benchmark continues."
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="DIR",
            help="Folder that the paths of corpora start from (default: that of the grid).",
        ),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Print the corpora and cells of the grid; write nothing."),
    ] = False,
    report: ReportOption = None,
    workers: WorkersOption = None,
    *,
    printing: PrintOptions,
) -> None:
    """Run detectors over views, levels and corpora of a grid.

    Prints tables like those of the clone papers, and whether their findings hold; --format csv has
    every number.
    """
    from codekin.detectors.benchmark.grid import read_grid

    read = read_grid(grid, data)
    if dry_run:
        emit(printing, tables(read), warnings=read.warnings())
        return
    if output is None:
        raise CodekinError("no folder to write to: name one with -o, or look with --dry-run")
    if report is not None:
        check_place(report, "html")

    def line(text: str) -> None:
        say(text, err=True)

    from codekin.detectors.benchmark.running import run_benchmark

    with training_bar() as draw:
        found = run_benchmark(read, output, workers=workers, report=line, progress=draw)
    emit(printing, _rendering(found), warnings=found.warnings())
    if report is not None:
        write_text(found.to_html(), report, "html")
        say(f"Written: {report.resolve()}", err=printing.chosen != "table")


def _rendering(found: Benchmark) -> Rendering:
    """A benchmark in every format; in a terminal, findings are paragraphs."""

    def screen(to: Console) -> None:
        from codekin.report.verdict_screen import paper_findings_screen

        print_tables(to, found, grids=found.compared(), notes=[])
        to.print(paper_findings_screen(found.tested_findings))
        print_tables(to, found, grids=[])

    return Rendering(tables(found).texts, screen)
