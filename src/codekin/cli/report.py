"""``codekin report``: runs as one HTML file to look at."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from codekin.cli.options import PageOption, SystemOption, command
from codekin.cli.output import progress, say

if TYPE_CHECKING:
    from codekin.runs.run import Run

__all__ = ["report_command", "write_page"]


@command(example="codekin report run -o report.html")
def report_command(
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN",
            help="Folders that codekin score or codekin evaluate wrote.",
            show_default=False,
        ),
    ],
    output: PageOption = Path("codekin-report.html"),
    explain: Annotated[
        int | None,
        typer.Option(
            "--explain",
            min=0,
            metavar="N",
            help="Number of pairs to explain (default: as many as take about 10 seconds, up to "
            "2,000).",
        ),
    ] = None,
    system: SystemOption = "group",
    rows: Annotated[
        list[str] | None,
        typer.Option("--rows", metavar="ID", help="Also explain the pair with this id."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            "-w",
            min=0,
            metavar="N",
            help="Worker processes (default: one per core; 0: none).",
        ),
    ] = None,
    costs: Annotated[
        bool,
        typer.Option("--costs", help="Measure what a pair costs, for runs of codekin evaluate."),
    ] = False,
) -> None:
    """Write runs as one offline HTML page with plots and every row."""
    from codekin.runs.run import Run
    from codekin.runs.summaries import unfinished

    opened = [Run(one) for one in runs]
    write_page(
        opened,
        output,
        explain=explain,
        rows=rows or (),
        workers=workers,
        costs=costs,
        by=system,
    )
    for run in opened:
        if not run.complete:
            say(f"codekin: {unfinished(run.name, run.rows)}", err=True)


def write_page(runs: Sequence[Run], output: Path, *, err: bool = False, **options: Any) -> None:
    """Write the report of runs, with a progress bar, and say where it is, if `err` on stderr."""
    from codekin.report.run_page import write_report

    with progress("Writing the report") as report:
        path = write_report(runs, output, report=report, **options)
    size = path.stat().st_size / 1e6
    say(f"Report: {path.resolve()} ({size:,.1f} MB)", err=err)
