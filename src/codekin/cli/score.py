"""``codekin score``: many rows under every measure, into a run that can be resumed."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from codekin.cli.job_options import (
    ColumnsOption,
    DaskOption,
    LanguageOption,
    MaxBytesOption,
    MaxSecondsOption,
    ResumeOption,
    RowsArgument,
    ShardRowsOption,
    StrictOption,
    TextsOption,
    WorkersOption,
    asked,
    interruptible,
    resume_from,
    working_place,
)
from codekin.cli.measure_option import MeasuresOption
from codekin.cli.output import Color, ColorOption, Format, FormatOption, console, print_json
from codekin.errors import CodekinError
from codekin.report.progress import job_document, job_summary, progress_bar
from codekin.runs.failures import failures
from codekin.runs.job import Progress
from codekin.runs.scoring import named_again, score

__all__ = ["score_command"]


def score_command(
    rows: RowsArgument = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="RUN", help="The folder to write.")
    ] = None,
    measures: MeasuresOption = None,
    resume: ResumeOption = None,
    columns: ColumnsOption = None,
    language: LanguageOption = None,
    workers: WorkersOption = None,
    dask: DaskOption = None,
    max_bytes: MaxBytesOption = None,
    max_seconds: MaxSecondsOption = None,
    texts: TextsOption = None,
    shard_rows: ShardRowsOption = None,
    strict: StrictOption = False,
    output_format: FormatOption = Format.TABLE,
    color: ColorOption = Color.AUTO,
) -> None:
    """Score rows of candidates and references, and write the scores into a folder."""
    given = asked(
        measures,
        columns,
        rows=rows,
        language=language,
        max_bytes=max_bytes,
        max_seconds=max_seconds,
        texts=texts,
        shard_rows=shard_rows,
    )
    folder = _folder(given, output, resume)
    started = time.monotonic()
    seen: list[Progress] = []
    words = ["codekin", "score", "--resume", str(folder), *named_again(given.get("measures"))]
    with (
        interruptible(shlex.join(words)),
        progress_bar(color.value) as draw,
        working_place(dask, workers) as place,
    ):

        def report(progress: Progress) -> None:
            seen[:] = [progress]
            draw(progress)

        run = score(**given, **place, report=report)
    if output_format is Format.JSON:
        print_json(job_document(run, failures(run)))
    else:
        scored = seen[0].scored if seen else 0
        seconds = time.monotonic() - started
        screen = console(color)
        screen.print(job_summary(run, failures(run), scored, seconds, screen.width), soft_wrap=True)
    if not run.rows:
        print("codekin: the input has no rows", file=sys.stderr)
    if run.rows and not any(tally.scored for tally in run.tallies):
        print("codekin: not one row could be scored; see the reasons above", file=sys.stderr)
        raise typer.Exit(1)
    if strict and run.failed:
        raise typer.Exit(1)


def _folder(given: dict[str, Any], output: Path | None, resume: Path | None) -> Path:
    """Settle what is scored and where to, new or resumed."""
    if resume is not None:
        resume_from(given, resume, output)
    elif "rows" not in given:
        raise CodekinError("nothing to score: name a file of rows, or - for stdin")
    elif output is None:
        raise CodekinError("no folder for the scores: name one with --output")
    folder = resume or output
    assert folder is not None
    given |= {"output": folder, "resume": resume is not None}
    return folder
