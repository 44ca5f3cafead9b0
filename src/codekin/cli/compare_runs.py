"""``codekin compare-runs``: which of two or more systems is better on the same rows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from codekin.cli.options import (
    STATISTICS,
    ClusterOption,
    DetailOption,
    MissingOption,
    ResamplesOption,
    ResamplingOptions,
    ResultOptions,
    SamplesOption,
    SystemOption,
    command,
)
from codekin.cli.output import emit, with_details

__all__ = ["compare_runs_command"]


@dataclass(frozen=True, kw_only=True)
class _TestOptions(ResamplingOptions):
    """More than elsewhere, since it is also the number of permutations."""

    resamples: ResamplesOption = 5000


@command(
    example="codekin compare-runs baseline/ new/",
    formats=STATISTICS,
    renamed={"-g": "--group", "--groups": "--group A --group B"},
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
    *,
    resampling: _TestOptions,
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
        resamples=resampling.resamples,
        seed=resampling.seed,
        level=resampling.level,
    )
    emit(result, with_details(comparison, detail), warnings=comparison.warnings())
