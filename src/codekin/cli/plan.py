"""``codekin plan``: how many rows to test, and which to test next."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from codekin.cli.estimate import OutcomesOption
from codekin.cli.options import (
    STATISTICS,
    ByOption,
    PredictionOptions,
    PrintOptions,
    RowsArgument,
    SeedOption,
    command,
)
from codekin.cli.output import emit, say, tables
from codekin.cli.scoring_job import job_arguments, judge, refuse_settings, take_from_run
from codekin.errors import CodekinError

__all__ = ["plan_command"]


@command(example="codekin plan run --width 0.1 --next next.jsonl", formats=STATISTICS)
def plan_command(
    rows: RowsArgument = None,
    width: Annotated[
        float,
        typer.Option("--width", metavar="W", help="Width of the interval, from end to end."),
    ] = 0.1,
    next_rows: Annotated[
        Path | None,
        typer.Option(
            "--next",
            metavar="FILE",
            help="A .jsonl file to write the rows to test next to, with their probabilities.",
        ),
    ] = None,
    rate: Annotated[
        float | None, typer.Option("--rate", metavar="P", help="Pass rate to plan for.")
    ] = None,
    correlation: Annotated[
        float | None,
        typer.Option(
            "--correlation", "-r", metavar="R", help="Correlation of score and outcome to plan for."
        ),
    ] = None,
    outcomes: OutcomesOption = None,
    by: ByOption = None,
    seed: SeedOption = 0,
    *,
    job: PredictionOptions,
    printing: PrintOptions,
) -> None:
    """Plan how many rows to test, and draw which to test next.

    ROWS may also be a run of codekin score. Without ROWS, --rate and --correlation say what to plan
    for.
    """
    from codekin.evaluation.sample_plan import plan_tests

    if next_rows is not None:
        _check_next(next_rows, rows)
    refuse_settings(rows, job)
    arguments = job_arguments(
        job,
        rows=None if not rows else rows[0] if len(rows) == 1 else rows,
        width=width,
        rate=rate,
        correlation=correlation,
        outcomes=outcomes or None,
        by=by,
        seed=seed,
    )
    take_from_run(arguments, job)
    words = ["codekin", "plan"]
    plan = judge(plan_tests, arguments, words=words, options=job)
    emit(printing, tables(plan), warnings=plan.warnings())
    if plan.nothing_left is not None:
        say(f"codekin: nothing is left to test, since {plan.nothing_left}", err=True)
    elif next_rows is not None:
        plan.write(next_rows)
        print(f"codekin: rows to test next: {next_rows.resolve()}", file=sys.stderr)
    elif plan.next:
        say("codekin: name a file with --next to write the rows to test next", err=True)


def _check_next(path: Path, rows: list[str] | None) -> None:
    """Refuse a file that cannot be written, or that would replace the input."""
    if path.suffix.lower() != ".jsonl":
        raise CodekinError(f"{path}: rows to test next are written to .jsonl")
    if not path.parent.is_dir():
        raise CodekinError(f"{path}: there is no folder {path.parent}; make it first")
    if path.exists():
        raise CodekinError(
            f"{path}: exists and may have outcomes that were filled in, so it is not replaced; "
            "name another file"
        )
    if not rows:
        raise CodekinError("--next: name the rows to draw from")
