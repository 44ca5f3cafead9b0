"""What the commands about runs share: resampling, formats, and printing grids."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any

import typer

from codekin.cli.output import Color, console, print_json, say
from codekin.report.figures import as_csv
from codekin.report.grid import Grid, latex, markdown, one_line, terminal

__all__ = [
    "ClusterOption",
    "LevelOption",
    "ResamplesOption",
    "SeedOption",
    "TableFormat",
    "TableFormatOption",
    "print_statistics",
]


_ANY_WIDTH = 1_000_000
"""Of a file or a pipe, which is as wide as it need be unless COLUMNS says how wide."""


class TableFormat(StrEnum):
    """How a table is printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    LATEX = "latex"
    MARKDOWN = "markdown"


TableFormatOption = Annotated[
    TableFormat,
    typer.Option("--format", help="A table for people, for a paper, or for a program."),
]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster", metavar="FIELD", help="Draw rows with the same FIELD together, as one."
    ),
]
ResamplesOption = Annotated[int, typer.Option("--resamples", min=1, help="How many resamples.")]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Which resamples.")]
LevelOption = Annotated[float, typer.Option("--level", help="The level of the intervals.")]


def print_statistics(
    wanted: TableFormat,
    color: Color,
    *,
    grids: Sequence[Grid],
    notes: Sequence[str],
    warnings: Sequence[str],
    document: dict[str, Any],
    records: Sequence[dict[str, Any]],
) -> None:
    """Print what a command found in the format asked for; warnings go to stderr in any."""
    for warning in warnings:
        say(f"codekin: {warning}", err=True)
    if wanted is TableFormat.JSON:
        print_json(document)
    elif wanted is TableFormat.CSV:
        sys.stdout.write(as_csv(records))
    elif wanted is TableFormat.LATEX:
        texts = [latex(grid) for grid in grids]
        print("\n\n".join([*texts, "\n".join(f"% {one_line(note)}" for note in notes)]))
    elif wanted is TableFormat.MARKDOWN:
        print("\n\n".join([*map(markdown, grids), *map(one_line, notes)]))
    else:
        screen = console(color)
        if not sys.stdout.isatty() and "COLUMNS" not in os.environ:
            screen.width = _ANY_WIDTH
        for grid in grids:
            screen.print(terminal(grid, screen.width))
        for note in notes:
            screen.print(note, style="dim", markup=False)
