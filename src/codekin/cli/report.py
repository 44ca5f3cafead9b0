"""``codekin report``: runs as one HTML file to look at."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from codekin.cli.output import Color, ColorOption, console, say
from codekin.report.run_page import write_report
from codekin.report.summary_tables import unfinished
from codekin.runs.run import Run

__all__ = ["report_command"]


def report_command(
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN",
            help="Folders that codekin score or codekin evaluate wrote.",
            show_default=False,
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The HTML file to write.")
    ] = Path("codekin-report.html"),
    title: Annotated[str | None, typer.Option("--title", help="The heading.")] = None,
    explain: Annotated[
        int, typer.Option("--explain", min=0, help="How many pairs the measures explain.")
    ] = 2000,
    rows: Annotated[
        list[str] | None,
        typer.Option("--rows", metavar="ID", help="A pair to explain besides, by its id."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", "-w", min=0, help="Processes; one a core by default."),
    ] = None,
    costs: Annotated[
        bool,
        typer.Option("--costs", help="Measure what a pair costs, for runs of codekin evaluate."),
    ] = False,
    color: ColorOption = Color.AUTO,
) -> None:
    """Write one offline HTML file: summary, plots, and a browser of every pair."""
    opened = [Run(one) for one in runs]
    screen = console(color)
    with Console(stderr=True).status("writing the report"):  # seen in a terminal only
        path = write_report(
            opened,
            output,
            title,
            explain=explain,
            rows=rows or (),
            workers=workers,
            costs=costs,
        )
    for run in opened:
        if not run.complete:
            say(f"codekin: {unfinished(run.name, run.rows)}", err=True)
    size = path.stat().st_size / 1e6
    screen.print(f"Report: {path.resolve()} ({size:,.1f} MB)", soft_wrap=True)
