"""``codekin compare-runs``: which of two or more systems is better on the same rows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from codekin.cli.options import (
    STATISTICS,
    ClusterOption,
    DetailOption,
    MissingOption,
    ResultOptions,
    SamplesOption,
    SeedOption,
    SystemOption,
    command,
)
from codekin.cli.output import emit, with_details

__all__ = ["compare_runs_command"]


@command(
    example="codekin compare-runs baseline/ new/",
    formats=STATISTICS,
)
def compare_runs_command(
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN...",
            help="Two or more runs, a baseline first; of a single run, its groups are compared.",
            show_default=False,
        ),
    ],
    group: Annotated[
        list[str] | None,
        typer.Option(
            "--group",
            metavar="NAME",
            help="Compare only this group; repeat it for each group, or once for each run.",
        ),
    ] = None,
    system: SystemOption = "group",
    on: Annotated[
        str | None,
        typer.Option(
            "--on",
            metavar="FIELD",
            help="Pair rows with the same FIELD (default: id, or reference if no id is shared).",
        ),
    ] = None,
    cluster: ClusterOption = None,
    missing: MissingOption = None,
    samples: SamplesOption = None,
    top: Annotated[
        int,
        typer.Option(
            "--top", min=0, metavar="N", help="Show the N rows that differ most, each way."
        ),
    ] = 3,
    detail: DetailOption = False,
    seed: SeedOption = 0,
    *,
    result: ResultOptions,
) -> None:
    """Say which of two or more systems is better, with tests.

    Systems are runs, or groups of one run. Paired differences of every measure, with confidence
    intervals and permutation tests, end in a conclusion.
    """
    from codekin.runs.run import Run
    from codekin.runs.system_comparison import compare_systems

    comparison = compare_systems(
        [Run(one) for one in runs],
        groups=group or None,
        by=system,
        on=on,
        cluster=cluster,
        missing=missing,
        samples=samples,
        top=top,
        seed=seed,
    )
    emit(result, with_details(comparison, detail), warnings=comparison.warnings())
