"""What the commands that score rows share: their arguments, Ctrl-C, and where they run."""

from __future__ import annotations

import contextlib
import shlex
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import typer

from codekin.cli.interrupt import EXIT_CODE, restore_interrupt
from codekin.cli.options import JobOptions
from codekin.cli.output import say
from codekin.errors import CodekinError

__all__ = [
    "column_names",
    "end_judgement",
    "executor_at",
    "interruptible",
    "job_arguments",
    "judge",
    "refuse_measures_of_edits",
    "refuse_settings",
    "refuse_two_folders",
    "resume_from",
    "rows_or_run",
    "take_from_run",
]

Judgement = TypeVar("Judgement")


def job_arguments(options: JobOptions, **others: Any) -> dict[str, Any]:
    """The arguments that were given, for the functions that score; they know the defaults."""
    arguments = {
        "measures": options.measures or None,
        "columns": None if options.columns is None else column_names(options.columns),
        "language": options.language,
        "texts": False if options.no_texts else None,
        **others,
    }
    return {name: value for name, value in arguments.items() if value is not None}


def column_names(texts: Sequence[str]) -> dict[str, str]:
    """What `--columns` says: the name in the input of each field."""
    names: dict[str, str] = {}
    for text in texts:
        for piece in text.split(","):
            field, mark, name = (part.strip() for part in piece.partition("="))
            if not (field and mark):
                raise CodekinError(
                    f"--columns: cannot read {text!r}; write FIELD=NAME, such as candidate=pred, "
                    "or FIELD= if there is none"
                )
            if names.setdefault(field, name) != name:
                raise CodekinError(
                    f"--columns: names two columns for {field}; if files call it differently, "
                    f"write '{field}={names[field]}|{name}'"
                )
    return names


def resume_from(arguments: dict[str, Any], options: JobOptions) -> None:
    """Add the arguments that the run to resume was made with, where none were given now."""
    from codekin.runs.scoring import arguments_of

    assert options.resume is not None
    refuse_two_folders(options)
    given = (arguments.get(name) for name in ("rows", "measures", "references"))
    found = arguments_of(options.resume, *given)
    arguments["measures"] = found["measures"]
    for name, value in found.items():
        arguments.setdefault(name, value)


def refuse_two_folders(options: JobOptions) -> None:
    """Refuse another folder for a run that is resumed."""
    assert options.resume is not None
    if options.output is not None and options.output.resolve() != options.resume.resolve():
        raise CodekinError("give either --output for a new run or --resume for an old one")


@contextlib.contextmanager
def executor_at(dask: str | None, workers: int | None) -> Iterator[dict[str, Any]]:
    """Where to work, as arguments of a function with `workers` and `executor`.

    Parameters
    ----------
    dask : str or None
        What ``--dask`` says.
    workers : int or None
        What ``--workers`` says.
    """
    if dask is None:
        yield {"workers": workers}
    else:
        from codekin.runs.executors import dask_client

        with dask_client(dask, workers) as client:
            yield {"executor": client}


@contextlib.contextmanager
def interruptible(resume_command: str | None) -> Iterator[None]:
    """Let Ctrl-C stop the job cleanly, and say how to resume it.

    Parameters
    ----------
    resume_command : str or None
        The command that resumes it; None if nothing is kept.
    """
    before = signal.getsignal(signal.SIGINT)
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        yield
        restore_interrupt(before)
    except KeyboardInterrupt:
        # A second Ctrl-C ends the cleanup at once.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        if sys.stderr is not None:  # print would take stdout in its place
            how = (
                f"resume with: {resume_command}"
                if resume_command is not None
                else "nothing is kept, since no folder was named (--output)"
            )
            say(f"codekin: stopped; {how}", err=True)
        sys.exit(EXIT_CODE)
    except BaseException:
        restore_interrupt(before)
        raise


def rows_or_run(rows: list[str] | None, options: JobOptions, what: str) -> str | list[str] | None:
    """The rows; a single path by itself, since it may be a run; None if a run is resumed."""
    if not rows and options.resume is None:
        raise CodekinError(
            f"nothing to judge by: name a file of {what}, the folder of a run, or - for stdin"
        )
    return rows[0] if rows and len(rows) == 1 else rows or None


def refuse_settings(rows: list[str] | None, options: JobOptions) -> None:
    """Refuse settings that would score a finished run again."""
    if options.resume is not None or not rows or len(rows) > 1:
        return
    if not Path(rows[0], "manifest.json").is_file():
        return
    if options.output is not None:
        raise CodekinError(
            f"{rows[0]}: is a run, and judging it writes no other one; leave out --output"
        )


def refuse_measures_of_edits(arguments: dict[str, Any], what: str) -> None:
    """Refuse measures of edits for rows that cannot have an origin."""
    from codekin.measures import given_measures, measure_label

    chosen = given_measures(arguments.get("measures")) or []
    of_edits = [measure_label(one) for one in chosen if one.needs_origin]
    if of_edits:
        raise CodekinError(
            f"{', '.join(of_edits)}: needs an origin, which {what} do not have; judge it by "
            "outcomes"
        )


def take_from_run(arguments: dict[str, Any], options: JobOptions) -> None:
    """Add the arguments of the run to resume, if there is one, where none were given now."""
    if options.resume is not None:
        resume_from(arguments, options)
        arguments.pop("view", None)  # each evaluation sets its own


def judge(
    evaluate: Callable[..., Judgement],
    arguments: dict[str, Any],
    *,
    words: Sequence[str],
    options: JobOptions,
) -> Judgement:
    """Score the rows if needed, and judge the run.

    Parameters
    ----------
    evaluate : callable
        A function of `codekin.evaluation`.
    arguments : dict
        Its arguments.
    words : sequence of str
        Of the command that resumes an interrupted job; its folder is added.
    options : JobOptions
    """
    from codekin.report.progress import progress_bar
    from codekin.runs.scoring import named_again

    folder = options.resume or options.output
    named = named_again(arguments.get("measures"))
    again = None if folder is None else shlex.join([*words, *named, "--resume", str(folder)])
    with (
        interruptible(again),
        progress_bar() as draw,
        executor_at(options.dask, options.workers) as place,
    ):
        resumed = options.resume is not None
        return evaluate(**arguments, **place, output=folder, resume=resumed, report=draw)


def end_judgement(*, scored: bool, failed: bool, strict: bool, what: str) -> None:
    """Exit with code 1 if nothing was scored, or if something failed and that matters."""
    if not scored:
        why = (
            f"not one {what} could be scored; see the reasons above"
            if failed
            else f"there is no {what}"
        )
        say(f"codekin: {why}", err=True)
    if not scored or (strict and failed):
        raise typer.Exit(1)
