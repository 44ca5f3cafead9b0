"""``codekin score``: many rows by every measure, into a run that can be resumed."""

from __future__ import annotations

import shlex
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from codekin.cli.options import LISTING, JobOptions, PrintOptions, RowsArgument, command
from codekin.cli.output import Rendering, check_place, emit, print_tables
from codekin.cli.scoring_job import (
    executor_at,
    interruptible,
    job_arguments,
    refuse_settings,
    resume_from,
)
from codekin.errors import CodekinError

if TYPE_CHECKING:
    from rich.console import Console

    from codekin.evaluation.calibration import Calibration
    from codekin.runs.job import Progress
    from codekin.runs.pass_rates import PassRates
    from codekin.runs.run import Run

__all__ = ["score_command"]

_FOLDER = Path("codekin-run")
"""The default folder of a run."""
_MOST_SYSTEMS = 20
"""With more, the table has all rows together."""


@command(example="codekin score predictions.jsonl -o run -m bleu,tsed", formats=LISTING)
def score_command(
    rows: RowsArgument = None,
    calibration: Annotated[
        str | None,
        typer.Option(
            "--calibration",
            metavar="FILE",
            help="Also compute the probability of each row's outcome: a file of codekin calibrate. "
            "ROWS may then be a run, which is not rescored.",
        ),
    ] = None,
    references: Annotated[
        list[str] | None,
        typer.Option(
            "--references",
            "-r",
            metavar="FILE",
            help="References that are not in ROWS: joined by id or a column that both share, else "
            "by their order; text files have one per line.",
        ),
    ] = None,
    on: Annotated[
        str | None,
        typer.Option(
            "--on", metavar="COLUMN", help="Join ROWS and references by COLUMN (default: the id)."
        ),
    ] = None,
    extract_code: Annotated[
        str | None,
        typer.Option(
            "--extract-code",
            metavar="first|last|all",
            help="Take the code out of chat models' answers: the first block, the last, or all.",
        ),
    ] = None,
    missing: Annotated[
        str | None,
        typer.Option(
            "--missing",
            metavar="zero|skip",
            help="Count rows without a candidate as 0 (default), or leave them out.",
        ),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace the run in the folder, if there is one.")
    ] = False,
    report: Annotated[
        Path | None,
        typer.Option(
            "--report",
            metavar="FILE",
            help="Also write the report (default for several files: the folder's name with .html).",
        ),
    ] = None,
    *,
    job: JobOptions,
    printing: PrintOptions,
) -> None:
    """Score rows of candidates and references into a run.

    Several files of ROWS are several systems, each named like its file: they are compared, and a
    report is written.
    """
    from codekin.report.progress import MOST_SUMMARIZED, job_text
    from codekin.runs.failures import job_summary
    from codekin.runs.summaries import rate_groups, summarize
    from codekin.runs.system_comparison import compare_if_several

    applied = None if calibration is None else _load(calibration)
    if report is not None:
        check_place(report, "html")
    arguments = job_arguments(
        job,
        rows=rows or None,
        references=references or None,
        on=on,
        extract_code=extract_code,
        missing=missing,
        overwrite=overwrite or None,
    )
    started = time.monotonic()
    seen: list[Progress] = []
    run = _finished(rows, job) if applied is not None else None
    if run is None:
        run = _scored(arguments, job, seen, applied, calibration)
    warnings = [] if applied is None else _calibrated(run, applied)
    seconds = time.monotonic() - started
    summary = job_summary(run)
    page = report or (_page_of(run) if rows and len(rows) > 1 and "-" not in rows else None)

    def screen(to: Console) -> None:
        systems = len({one.group for one in summary.groups})
        by = "group" if 1 < systems <= _MOST_SYSTEMS else None
        means = summarize(run, by) if 0 < run.rows <= MOST_SUMMARIZED else summary
        scored = seen[0].scored if seen else 0
        compared = compare_if_several(run, top=0) if by and run.rows <= MOST_SUMMARIZED else None
        tests = rate_groups(run) if run.rows else None
        if tests is not None:
            _print_tests(tests, to, concluding=compared is None)
        text = job_text(
            *(summary, means.table(), means.notes(), scored, seconds, to.width), hint=page is None
        )
        to.print(text, soft_wrap=True)
        if compared is not None:
            to.print()
            untested = replace(compared, tests=None)
            print_tables(to, compared, grids=untested.grids(), notes=untested.notes())
        if by is not None and run.rows <= MOST_SUMMARIZED:
            _print_caution(sum(one.texts.answers for one in summary.groups), to)

    emit(printing, Rendering({"json": summary.to_json}, screen), warnings=warnings)
    if page is not None and run.rows:
        from codekin.cli.report import write_page

        write_page([run], page, err=printing.chosen == "json")
    if run.rows and not any(tally.scored for tally in run.tallies):
        print("codekin: not one row could be scored; see the reasons above", file=sys.stderr)
        raise typer.Exit(1)
    if job.strict and (run.failed or summary.missing_rows):
        raise typer.Exit(1)


def _print_tests(tests: PassRates, to: Console, *, concluding: bool) -> None:
    """Print what the tests say, before any measure."""
    from codekin.report.render import terminal

    for grid in tests.grids():
        to.print(terminal(grid, to.width))
    for warning in tests.warnings():
        to.print(warning, style="yellow", markup=False)
    for sentence in tests.conclusion() if concluding else ():
        to.print(sentence, style="bold", markup=False)
    to.print()


def _print_caution(answers: int, to: Console) -> None:
    """Say that what was concluded is about answers rather than their code, if there are any."""
    if answers:
        candidates = "1 candidate" if answers == 1 else f"{answers:,} candidates"
        to.print(
            f"This compares {candidates} with all that is around the code; --extract-code first "
            "compares the code alone, and may change the conclusion.",
            style="yellow",
        )


def _page_of(run: Run) -> Path:
    """The report of a run: beside its folder."""
    return run.path.with_name(f"{run.path.name}.html")


def _load(calibration: str) -> Calibration:
    from codekin.evaluation.calibration_file import load_calibration

    return load_calibration(calibration)


def _calibrated(run: Run, calibration: Calibration) -> list[str]:
    """Keep the probabilities in the run, and return what must be known about them."""
    from codekin.evaluation.calibrated_scores import apply_calibration

    if not run.rows:
        return []
    return apply_calibration(run, calibration, keep=True, resamples=0).warnings()


def _finished(rows: list[str] | None, job: JobOptions) -> Run | None:
    """The run, if rows are one: it needs a calibration, but no scores."""
    from codekin.evaluation.scored_runs import run_at

    run = run_at(rows) if rows and len(rows) == 1 else None
    if run is not None:
        refuse_settings(rows, job)
    return run


def _with_measures(arguments: dict[str, Any], calibration: Calibration) -> None:
    """Score by the measures of a calibration, or check that they are among those named.

    The file decides about built-in measures only: others are code, which must be named by a person.
    """
    from codekin.measures import given_measures, is_built_in, measure_label

    needed = [calibrated.label for calibrated in calibration.measures]
    chosen = given_measures(arguments.get("measures"))
    if chosen is None:
        others = ",".join(label for label in needed if not is_built_in(label))
        if others:
            raise CodekinError(
                f"{calibration.name} takes the scores by {others}, which is not codekin's own, and "
                "nothing is loaded because a file names it; name the measures again: --measure "
                f"{','.join(needed)}"
            )
        arguments["measures"] = needed
        return
    gone = [label for label in needed if label not in map(measure_label, chosen)]
    if gone:
        raise CodekinError(
            f"{calibration.name} takes the scores by {', '.join(gone)}; add --measure "
            f"{','.join(gone)}, or leave --measure out"
        )


def _scored(
    arguments: dict[str, Any],
    job: JobOptions,
    seen: list[Progress],
    calibration: Calibration | None,
    named: str | None,
) -> Run:
    """Score the rows; the last progress is put into `seen`."""
    from codekin.report.progress import progress_bar
    from codekin.runs.scoring import named_again, score

    folder = _folder(arguments, job)
    if calibration is not None:
        _with_measures(arguments, calibration)
    words = ["codekin", "score", "--resume", str(folder), *named_again(arguments.get("measures"))]
    words += [] if named is None else ["--calibration", named]
    with (
        interruptible(shlex.join(words)),
        progress_bar() as draw,
        executor_at(job.dask, job.workers) as place,
    ):

        def report(progress: Progress) -> None:
            seen[:] = [progress]
            draw(progress)

        return score(**arguments, **place, report=report)


def _folder(arguments: dict[str, Any], job: JobOptions) -> Path:
    """Decide what is scored and where to, new or resumed."""
    if job.resume is not None:
        resume_from(arguments, job)
    elif "rows" not in arguments:
        raise CodekinError("nothing to score: name a file of rows, or - for stdin")
    folder = job.resume or job.output or _FOLDER
    arguments |= {"output": folder, "resume": job.resume is not None}
    return folder
