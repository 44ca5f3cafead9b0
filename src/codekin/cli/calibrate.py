"""``codekin calibrate``: the probability of an outcome given scores."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from codekin.cli.options import (
    STATISTICS,
    ColumnsOption,
    MeasuresOption,
    ResultOptions,
    RowsArgument,
    SeedOption,
    WorkersOption,
    command,
)
from codekin.cli.output import emit, tables
from codekin.cli.scoring_job import column_names, interruptible
from codekin.errors import CodekinError

__all__ = ["calibrate_command"]


@command(
    example="codekin calibrate edits.jsonl -m es,sari --parts -o calibration.json",
    formats=STATISTICS,
)
def calibrate_command(
    rows: RowsArgument = None,
    measures: MeasuresOption = None,
    parts: Annotated[
        bool, typer.Option("--parts", help="Take the parts of the scores as well.")
    ] = False,
    task: Annotated[
        str | None,
        typer.Option(
            "--task",
            metavar="FIELD",
            help="Field with the task of a row (default: rows with the same reference are of one "
            "task).",
        ),
    ] = None,
    columns: ColumnsOption = None,
    language: Annotated[
        str | None,
        typer.Option("--language", "-l", metavar="NAME", help="Language of rows without one."),
    ] = None,
    workers: WorkersOption = None,
    seed: SeedOption = 0,
    *,
    result: ResultOptions,
) -> None:
    """Fit the probability of an outcome given scores.

    It is judged on rows that were held out. Each of ROWS is a dataset: a file, or a run of
    codekin score. With --output FILE.json, it is written for codekin score --calibration.
    """
    from codekin.evaluation.calibrating import calibrate
    from codekin.report.progress import progress_bar

    if not rows:
        raise CodekinError(
            "nothing to calibrate with: name files of rows with an outcome, or folders of runs"
        )
    given: dict[str, Any] = {
        "columns": None if columns is None else column_names(columns),
        "language": language,
        "workers": workers,
        "task": task,
    }
    default = "calibration" if result.output is None else result.output.name.partition(".")[0]
    with interruptible(None), progress_bar() as draw:
        found = calibrate(
            rows,
            measures or None,
            parts=parts,
            name=default,
            seed=seed,
            report=draw,
            **{word: value for word, value in given.items() if value is not None},
        )
    emit(result, tables(found), warnings=found.warnings(), beside=True)
