"""``codekin estimate``: pass rates of systems from few tests and many scores."""

from __future__ import annotations

from typing import Annotated

import typer

from codekin.cli.options import (
    STATISTICS,
    ClusterOption,
    PredictionOptions,
    PrintOptions,
    RowsArgument,
    command,
)
from codekin.cli.output import emit, tables
from codekin.cli.scoring_job import (
    end_judgement,
    job_arguments,
    judge,
    refuse_settings,
    rows_or_run,
    take_from_run,
)

__all__ = ["OutcomesOption", "estimate_command"]

OutcomesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--outcomes",
        metavar="FILE",
        help="Outcomes that came later: rows with id and outcome, as codekin plan writes them. May "
        "be repeated.",
    ),
]


@command(example="codekin estimate edits.jsonl -m es", formats=STATISTICS)
def estimate_command(
    rows: RowsArgument = None,
    outcomes: OutcomesOption = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="SYSTEM",
            help="Compare all systems with this group (default: up to six, each with each).",
        ),
    ] = None,
    cluster: ClusterOption = None,
    stratify: Annotated[
        str | None,
        typer.Option(
            "--stratify",
            metavar="FIELD",
            help="Weight the values of FIELD by their shares among all rows, as group.",
        ),
    ] = None,
    task: Annotated[
        str | None,
        typer.Option(
            "--task",
            metavar="FIELD",
            help="Field with the task of a row, by which systems are paired (default: the id if "
            "systems share ids, else the reference).",
        ),
    ] = None,
    beyond: Annotated[
        bool,
        typer.Option(
            "--beyond",
            help="Estimate the rates of the population that these rows are a sample of.",
        ),
    ] = False,
    *,
    job: PredictionOptions,
    printing: PrintOptions,
) -> None:
    """Estimate pass rates from few tests and many scores.

    ROWS may also be a run of codekin score. Rows without an outcome are untested.
    """
    from codekin.evaluation.estimation import estimate_rates

    refuse_settings(rows, job)
    arguments = job_arguments(
        job,
        rows=rows_or_run(rows, job, "rows with an outcome"),
        outcomes=outcomes or None,
        against=against,
        cluster=cluster,
        stratify=stratify,
        task=task,
        beyond=beyond,
    )
    take_from_run(arguments, job)
    words = ["codekin", "estimate"]
    estimates = judge(estimate_rates, arguments, words=words, options=job)
    emit(printing, tables(estimates), warnings=estimates.warnings())
    scored = any(one.failed < one.rows for one in estimates.rates)
    failed = any(one.failed for one in estimates.rates)
    end_judgement(scored=scored, failed=failed, strict=job.strict, what="row")
