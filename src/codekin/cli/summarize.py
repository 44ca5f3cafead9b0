"""``codekin summarize``: what a run says of each measure and group, with intervals."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from codekin.cli.output import Color, ColorOption
from codekin.cli.statistics_options import (
    ClusterOption,
    LevelOption,
    ResamplesOption,
    SeedOption,
    TableFormat,
    TableFormatOption,
    print_statistics,
)
from codekin.report.summary_tables import (
    summary_document,
    summary_grids,
    summary_notes,
    summary_records,
    summary_warnings,
)
from codekin.runs.run import Run
from codekin.runs.summaries import summarize

__all__ = ["summarize_command"]


def summarize_command(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A folder that a job wrote.")],
    by: Annotated[
        str | None,
        typer.Option("--by", metavar="FIELD", help="A line for each value of FIELD, as group."),
    ] = None,
    cluster: ClusterOption = None,
    resamples: ResamplesOption = 2000,
    seed: SeedOption = 0,
    level: LevelOption = 0.95,
    output: TableFormatOption = TableFormat.TABLE,
    color: ColorOption = Color.AUTO,
) -> None:
    """Mean and corpus value of each measure, with bootstrap intervals."""
    summary = summarize(Run(run), by, cluster, resamples=resamples, seed=seed, level=level)
    print_statistics(
        output,
        color,
        grids=summary_grids(summary),
        notes=summary_notes(summary),
        warnings=summary_warnings(summary),
        document=summary_document(summary),
        records=summary_records(summary),
    )
