"""``codekin score``: many rows by every measure, into a run that can be resumed."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from codekin.cli.options import LISTING, JobOptions, PrintOptions, RowsArgument, command
from codekin.cli.output import Rendering, emit
from codekin.cli.scoring_job import interruptible, job_arguments, resume_from, working_place
from codekin.errors import CodekinError

if TYPE_CHECKING:
    from rich.console import Console

    from codekin.runs.job import Progress

__all__ = ["score_command"]


@command(example="codekin score predictions.jsonl -o run -m bleu,tsed", formats=LISTING)
def score_command(rows: RowsArgument = None, *, job: JobOptions, printing: PrintOptions) -> None:
    """Score rows of candidates and references into a run."""
    from codekin.report.progress import MOST_SUMMARIZED, job_text, progress_bar
    from codekin.runs.failures import job_summary
    from codekin.runs.scoring import named_again, score
    from codekin.runs.summaries import summarize

    arguments = job_arguments(job, rows=rows or None)
    folder = _folder(arguments, job)
    started = time.monotonic()
    seen: list[Progress] = []
    words = ["codekin", "score", "--resume", str(folder), *named_again(arguments.get("measures"))]
    with (
        interruptible(shlex.join(words)),
        progress_bar(printing.color.value) as draw,
        working_place(job) as place,
    ):

        def report(progress: Progress) -> None:
            seen[:] = [progress]
            draw(progress)

        run = score(**arguments, **place, report=report)
    seconds = time.monotonic() - started
    summary = job_summary(run)

    def screen(to: Console) -> None:
        means = summarize(run) if 0 < run.rows <= MOST_SUMMARIZED else summary
        scored = seen[0].scored if seen else 0
        text = job_text(summary, means.table(), means.notes(), scored, seconds, to.width)
        to.print(text, soft_wrap=True)

    emit(printing, Rendering({"json": summary.to_json}, screen))
    if not run.rows:
        print("codekin: the input has no rows", file=sys.stderr)
    if run.rows and not any(tally.scored for tally in run.tallies):
        print("codekin: not one row could be scored; see the reasons above", file=sys.stderr)
        raise typer.Exit(1)
    if job.strict and run.failed:
        raise typer.Exit(1)


def _folder(arguments: dict[str, Any], job: JobOptions) -> Path:
    """Decide what is scored and where to, new or resumed."""
    if job.resume is not None:
        resume_from(arguments, job)
    elif "rows" not in arguments:
        raise CodekinError("nothing to score: name a file of rows, or - for stdin")
    elif job.output is None:
        raise CodekinError("no folder for the scores: name one with --output")
    folder = job.resume or job.output
    assert folder is not None
    arguments |= {"output": folder, "resume": job.resume is not None}
    return folder
