"""``codekin evaluate outcomes``: how closely a measure follows what tests say."""

from __future__ import annotations

from typing import Annotated

import typer

from codekin.cli.options import (
    STATISTICS,
    ByOption,
    JobOptions,
    PrintOptions,
    RowsArgument,
    SeedOption,
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
from codekin.errors import CodekinError

__all__ = ["outcomes_command"]


@command(
    example="codekin evaluate outcomes edits.jsonl --perturb prefix:2000-3000",
    formats=STATISTICS,
)
def outcomes_command(
    rows: RowsArgument = None,
    perturb: Annotated[
        list[str] | None,
        typer.Option(
            "--perturb",
            metavar="prefix:A-B",
            help="Also score the rows after A to B characters of shared context. May be repeated.",
        ),
    ] = None,
    task: Annotated[
        str | None,
        typer.Option(
            "--task",
            metavar="FIELD",
            help="Field with the task of a row (default: the id if rows share ids, else the "
            "reference).",
        ),
    ] = None,
    by: ByOption = None,
    detail: Annotated[
        bool,
        typer.Option("--detail", help="Also show the correlations between all measures."),
    ] = False,
    seed: SeedOption = 0,
    *,
    job: JobOptions,
    printing: PrintOptions,
) -> None:
    """Judge measures by rows with an outcome, such as tests passed.

    ROWS may also be a run of this command.
    """
    from codekin.evaluation.outcomes import evaluate_outcomes

    if by not in (None, "group"):
        raise CodekinError(
            f"--by: outcomes are shown by group, not by {by!r}; name the field that holds the "
            f"groups: --columns group={by} --by group"
        )
    refuse_settings(rows, job)
    arguments = job_arguments(
        job,
        rows=rows_or_run(rows, job, "rows with an outcome"),
        perturb=list(dict.fromkeys(perturb or ())) or None,
        task=task,
        seed=seed,
    )
    take_from_run(arguments, job)
    # The run records neither the perturbations still to be scored nor how to judge it.
    again = [
        *(f"--perturb={word}" for word in perturb or ()),
        *([] if task is None else [f"--task={task}"]),
        *([f"--seed={seed}"] if seed else []),
    ]
    words = ["codekin", "evaluate", "outcomes", *again]
    judgement = judge(evaluate_outcomes, arguments, words=words, options=job)
    scored = any(one.n for one in judgement.measures)
    rendering = tables(
        judgement,
        grids=judgement.grids(groups=by is not None, detail=detail) if scored else [],
        notes=None if scored else [],
    )
    emit(printing, rendering, warnings=judgement.warnings())
    failed = bool(judgement.failures)
    end_judgement(scored=scored, failed=failed, strict=job.strict, what="row with an outcome")
