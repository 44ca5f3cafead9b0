"""``codekin compare-runs``: whether two systems differ on the same rows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from codekin.cli.options import (
    STATISTICS,
    ClusterOption,
    ResamplesOption,
    ResamplingOptions,
    ResultOptions,
    command,
)
from codekin.cli.output import emit, tables

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
    a: Annotated[Path, typer.Argument(metavar="A", help="A run, such as a baseline.")],
    b: Annotated[
        Path | None,
        typer.Argument(metavar="[B]", help="Another run (default: compare two groups of A)."),
    ] = None,
    group: Annotated[
        list[str] | None,
        typer.Option(
            "--group",
            metavar="NAME",
            help="Compare only this group; give it twice, first for A and then for B.",
        ),
    ] = None,
    on: Annotated[
        str | None,
        typer.Option(
            "--on",
            metavar="FIELD",
            help="Pair rows with the same FIELD (default: id, or reference if no id is shared).",
        ),
    ] = None,
    cluster: ClusterOption = None,
    top: Annotated[
        int,
        typer.Option(
            "--top", min=0, metavar="N", help="Show the N rows that differ most, each way."
        ),
    ] = 3,
    *,
    resampling: _TestOptions,
    result: ResultOptions,
) -> None:
    """Test whether two runs, or two groups of one, differ.

    Paired differences of every measure, with confidence intervals and permutation tests.
    """
    from codekin.runs.comparison import compare_runs
    from codekin.runs.run import Run

    comparison = compare_runs(
        Run(a),
        None if b is None else Run(b),
        groups=group or None,
        on=on,
        cluster=cluster,
        top=top,
        resamples=resampling.resamples,
        seed=resampling.seed,
        level=resampling.level,
    )
    emit(result, tables(comparison), warnings=comparison.warnings())
