"""``codekin summarize``: the value of each measure and group of a run, with intervals."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from codekin.cli.options import (
    STATISTICS,
    ByOption,
    ClusterOption,
    DetailOption,
    MissingOption,
    ResultOptions,
    SamplesOption,
    SeedOption,
    command,
)
from codekin.cli.output import emit, with_details

__all__ = ["summarize_command"]


@command(example="codekin summarize run --by group -o summary.csv", formats=STATISTICS)
def summarize_command(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a run.")],
    by: ByOption = None,
    cluster: ClusterOption = None,
    detail: DetailOption = False,
    missing: MissingOption = None,
    samples: SamplesOption = None,
    seed: SeedOption = 0,
    *,
    result: ResultOptions,
) -> None:
    """Summarize a run: each measure with confidence intervals.

    The mean and the corpus value of each measure, with bootstrap intervals.
    """
    from codekin.runs.comparison import group_names
    from codekin.runs.run import Run
    from codekin.runs.summaries import summarize

    scored = Run(run)
    summary = summarize(
        scored,
        by,
        cluster,
        seed=seed,
        missing=missing,
        samples=samples,
    )
    warnings = summary.warnings()
    groups = len(group_names(scored)) if by is None else 1
    if groups > 1:
        warnings.append(f"these are the rows of {groups} groups together; --by group shows each")
    emit(result, with_details(summary, detail), warnings=warnings)
