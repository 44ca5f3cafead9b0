"""``codekin compare-runs``: two systems on the same rows, and whether they differ by chance."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from codekin.cli.output import Color, ColorOption
from codekin.cli.statistics_options import (
    ClusterOption,
    LevelOption,
    SeedOption,
    TableFormat,
    TableFormatOption,
    print_statistics,
)
from codekin.report.comparison_tables import (
    comparison_grids,
    comparison_notes,
    comparison_records,
    comparison_warnings,
    run_comparison_document,
)
from codekin.runs.comparison import compare_runs
from codekin.runs.run import Run

__all__ = ["compare_runs_command"]


def compare_runs_command(
    a: Annotated[Path, typer.Argument(metavar="A", help="A run, such as a baseline.")],
    b: Annotated[
        Path | None,
        typer.Argument(
            metavar="[B]", help="Another run; without it, two groups of A are compared."
        ),
    ] = None,
    groups: Annotated[
        list[str] | None,
        typer.Option(
            "--group",
            "-g",
            metavar="NAME",
            help="A group; give it twice, first that of A and then that of B.",
        ),
    ] = None,
    on: Annotated[
        str | None,
        typer.Option(
            "--on",
            metavar="FIELD",
            help="Pair rows with the same FIELD. By default id, or reference if no id is shared.",
        ),
    ] = None,
    cluster: ClusterOption = None,
    top: Annotated[
        int, typer.Option("--top", min=0, help="How many of the rows that differ most, each way.")
    ] = 3,
    resamples: Annotated[
        int, typer.Option("--resamples", min=1, help="How many resamples and permutations.")
    ] = 5000,
    seed: SeedOption = 0,
    level: LevelOption = 0.95,
    output: TableFormatOption = TableFormat.TABLE,
    color: ColorOption = Color.AUTO,
) -> None:
    """Paired differences of two runs, or of two groups of one, with intervals and tests."""
    comparison = compare_runs(
        Run(a),
        None if b is None else Run(b),
        groups=groups or None,
        on=on,
        cluster=cluster,
        top=top,
        resamples=resamples,
        seed=seed,
        level=level,
    )
    print_statistics(
        output,
        color,
        grids=comparison_grids(comparison),
        notes=comparison_notes(comparison),
        warnings=comparison_warnings(comparison),
        document=run_comparison_document(comparison),
        records=comparison_records(comparison),
    )
