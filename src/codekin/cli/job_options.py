"""What the commands that score rows share: their options, Ctrl-C, and where they run."""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from codekin.cli.interrupt import EXIT_CODE, restore_interrupt
from codekin.cli.measure_option import chosen_measures
from codekin.cli.output import say
from codekin.errors import CodekinError
from codekin.runs.executors import dask_client
from codekin.runs.scoring import arguments_of

__all__ = [
    "ColumnsOption",
    "DaskOption",
    "GroupsOption",
    "LanguageOption",
    "MaxBytesOption",
    "MaxSecondsOption",
    "ResumeOption",
    "RowsArgument",
    "ShardRowsOption",
    "StrictOption",
    "TextsOption",
    "WorkersOption",
    "asked",
    "interruptible",
    "refuse_two_folders",
    "resume_from",
    "working_place",
]

RowsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="ROWS",
        help="JSON lines (also .gz, .xz, .zst), CSV, Parquet, a folder of them; - is stdin.",
        show_default=False,
    ),
]
ResumeOption = Annotated[
    Path | None,
    typer.Option("--resume", metavar="RUN", help="Go on with a run that was stopped."),
]
ColumnsOption = Annotated[
    str | None,
    typer.Option(
        "--columns",
        metavar="FIELD=NAME,...",
        help="What the fields are called in the input: candidate=pred,reference=gold.",
    ),
]
LanguageOption = Annotated[
    str | None,
    typer.Option("--language", "-l", help="The language of rows that name none."),
]
GroupsOption = Annotated[
    int | None, typer.Option("--groups", "-g", metavar="N", help="Make so many groups.")
]
WorkersOption = Annotated[
    int | None,
    typer.Option("--workers", "-w", min=1, help="Processes; one a core by default."),
]
DaskOption = Annotated[
    str | None,
    typer.Option("--dask", metavar="WHERE", help="Score on Dask: local, or tcp://host:port."),
]
MaxBytesOption = Annotated[
    int | None,
    typer.Option("--max-bytes", min=1, help="Longer rows are recorded, not scored. [1000000]"),
]
MaxSecondsOption = Annotated[
    float | None,
    typer.Option("--max-seconds", help="Processor time until a row is given up. [600]"),
]
TextsOption = Annotated[
    bool | None,
    typer.Option("--texts/--no-texts", help="Whether the run keeps the texts; it does by default."),
]
ShardRowsOption = Annotated[
    int | None,
    typer.Option("--shard-rows", min=1, help="Rows a file of the run; else 125, then up to 1000."),
]
StrictOption = Annotated[
    bool, typer.Option("--strict", help="Exit with 1 if any row could not be scored.")
]


def asked(measures: list[str] | None, columns: str | None, **others: Any) -> dict[str, Any]:
    """What was asked for, for the functions that score; what was not is left to them."""
    options = {
        "measures": chosen_measures(measures),
        "columns": None if columns is None else _columns(columns),
        **others,
    }
    return {name: value for name, value in options.items() if value is not None}


def _columns(text: str) -> dict[str, str]:
    pairs = [piece.partition("=") for piece in text.split(",")]
    if not all(field.strip() and mark and name.strip() for field, mark, name in pairs):
        raise CodekinError(
            f"--columns: cannot read {text!r}; write FIELD=NAME, such as candidate=pred"
        )
    return {field.strip(): name.strip() for field, _, name in pairs}


def resume_from(given: dict[str, Any], resume: Path, output: Path | None) -> None:
    """Take what was not asked for now from the run that is resumed."""
    refuse_two_folders(resume, output)
    found = arguments_of(resume, given.get("rows"), given.get("measures"))
    given["measures"] = found["measures"]
    for name, value in found.items():
        given.setdefault(name, value)


def refuse_two_folders(resume: Path, output: Path | None) -> None:
    """A run is either new or old."""
    if output is not None and output.resolve() != resume.resolve():
        raise CodekinError("give either --output for a new run or --resume for an old one")


@contextlib.contextmanager
def working_place(dask: str | None, workers: int | None) -> Iterator[dict[str, Any]]:
    """Where to score, as arguments of the functions that do."""
    if dask is None:
        yield {"workers": workers}
    else:
        with dask_client(dask, workers) as client:
            yield {"executor": client}


@contextlib.contextmanager
def interruptible(go_on: str | None) -> Iterator[None]:
    """Let Ctrl-C end the job in order, and say how to go on.

    Parameters
    ----------
    go_on : str or None
        The command that does; None where nothing is kept.
    """
    before = signal.getsignal(signal.SIGINT)
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        yield
        restore_interrupt(before)
    except KeyboardInterrupt:
        # A second Ctrl-C ends what is still being ended, without a word.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        if sys.stderr is not None:  # print would take stdout in its place
            how = (
                f"go on with: {go_on}"
                if go_on is not None
                else "nothing is kept, since no folder was named (--output)"
            )
            say(f"codekin: stopped; {how}", err=True)
        sys.exit(EXIT_CODE)
    except BaseException:
        restore_interrupt(before)
        raise
