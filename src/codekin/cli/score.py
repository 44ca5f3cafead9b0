"""``codekin score``: many rows under every measure, into a run that can be resumed."""

from __future__ import annotations

import contextlib
import shlex
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from codekin.cli.measure_option import MeasuresOption, chosen_measures
from codekin.cli.output import Color, ColorOption, Format, FormatOption, console, print_json
from codekin.engine.executors import dask_client
from codekin.engine.failures import failures
from codekin.engine.job import Progress
from codekin.engine.scoring import arguments_of, score
from codekin.errors import CodekinError
from codekin.report.job import job_document, job_summary, progress_bar

__all__ = ["score_command"]


def score_command(
    rows: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ROWS",
            help="JSON lines (also .gz, .xz, .zst), CSV, Parquet, a folder of them; - is stdin.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="RUN", help="The folder to write.")
    ] = None,
    measures: MeasuresOption = None,
    resume: Annotated[
        Path | None,
        typer.Option("--resume", metavar="RUN", help="Go on with a run that was stopped."),
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(
            "--columns",
            metavar="FIELD=NAME,...",
            help="What the fields are called in the input: candidate=pred,reference=gold.",
        ),
    ] = None,
    language: Annotated[
        str | None,
        typer.Option("--language", "-l", help="The language of rows that name none."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", "-w", min=1, help="Processes; one a core by default."),
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option("--dask", metavar="WHERE", help="Score on Dask: local, or tcp://host:port."),
    ] = None,
    max_bytes: Annotated[
        int | None,
        typer.Option("--max-bytes", min=1, help="Longer rows are recorded, not scored. [1000000]"),
    ] = None,
    max_seconds: Annotated[
        float | None,
        typer.Option("--max-seconds", help="Processor time until a row is given up. [600]"),
    ] = None,
    texts: Annotated[
        bool | None,
        typer.Option(
            "--texts/--no-texts", help="Whether the run keeps the texts; it does by default."
        ),
    ] = None,
    shard_rows: Annotated[
        int | None,
        typer.Option(
            "--shard-rows", min=1, help="Rows a file of the run; else 125, then up to 1000."
        ),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 1 if any row could not be scored.")
    ] = False,
    output_format: FormatOption = Format.TABLE,
    color: ColorOption = Color.AUTO,
) -> None:
    """Score rows of candidates and references, and write the scores into a folder."""
    asked = {
        "rows": rows,
        "measures": chosen_measures(measures),
        "columns": None if columns is None else _columns(columns),
        "language": language,
        "max_bytes": max_bytes,
        "max_seconds": max_seconds,
        "texts": texts,
        "shard_rows": shard_rows,
    }
    given: dict[str, Any] = {name: value for name, value in asked.items() if value is not None}
    folder = _folder(given, output, resume)
    started = time.monotonic()
    seen: list[Progress] = []
    with _interruptible(folder), progress_bar(color.value) as draw:

        def report(progress: Progress) -> None:
            seen[:] = [progress]
            draw(progress)

        if dask is None:
            run = score(**given, workers=workers, report=report)
        else:
            with dask_client(dask, workers) as client:
                run = score(**given, executor=client, report=report)
    if output_format is Format.JSON:
        print_json(job_document(run, failures(run)))
    else:
        scored = seen[0].scored if seen else 0
        seconds = time.monotonic() - started
        screen = console(color)
        screen.print(job_summary(run, failures(run), scored, seconds, screen.width), soft_wrap=True)
    if run.rows and not any(tally.scored for tally in run.tallies):
        print("codekin: not one row could be scored; see the reasons above", file=sys.stderr)
        raise typer.Exit(1)
    if strict and run.failed:
        raise typer.Exit(1)


def _folder(given: dict[str, Any], output: Path | None, resume: Path | None) -> Path:
    """Settle what is scored and where to, new or resumed."""
    if resume is not None:
        if output is not None and output.resolve() != resume.resolve():
            raise CodekinError("give either --output for a new run or --resume for an old one")
        for name, value in arguments_of(resume, given.get("rows")).items():
            given.setdefault(name, value)
    elif "rows" not in given:
        raise CodekinError("nothing to score: name a file of rows, or - for stdin")
    elif output is None:
        raise CodekinError("no folder for the scores: name one with --output")
    folder = resume or output
    assert folder is not None
    given |= {"output": folder, "resume": resume is not None}
    return folder


def _columns(text: str) -> dict[str, str]:
    pairs = [piece.partition("=") for piece in text.split(",")]
    if not all(field.strip() and mark and name.strip() for field, mark, name in pairs):
        raise CodekinError(
            f"--columns: cannot read {text!r}; write FIELD=NAME, such as candidate=pred"
        )
    return {field.strip(): name.strip() for field, _, name in pairs}


@contextlib.contextmanager
def _interruptible(folder: Path) -> Iterator[None]:
    """Let Ctrl-C end the job in order, and say how to go on."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:
        if sys.stderr is not None:  # print would take stdout in its place
            go_on = f"codekin score --resume {shlex.quote(str(folder))}"
            print(f"codekin: stopped; go on with: {go_on}", file=sys.stderr)
        sys.exit(130)
    finally:
        signal.signal(signal.SIGINT, before)
