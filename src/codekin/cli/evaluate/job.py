"""What the commands that judge measures share: their run, how it is resumed, and how they end."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from codekin.cli.job_options import interruptible, resume_from, working_place
from codekin.cli.output import Color, say
from codekin.errors import CodekinError
from codekin.measures import measure_label
from codekin.report.progress import progress_bar
from codekin.runs.scoring import named_again

__all__ = [
    "ChangeSeedOption",
    "RunOption",
    "end",
    "judged",
    "only_rows",
    "refuse_origin",
    "refuse_settings",
    "take_from_run",
]

Judgement = TypeVar("Judgement")

RunOption = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="RUN", help="The folder to write; a temporary one by default."
    ),
]

ChangeSeedOption = Annotated[
    int, typer.Option("--seed", min=0, help="Which resamples, and which random changes.")
]


def only_rows(rows: list[str] | None, resume: Path | None, what: str) -> str | list[str] | None:
    """The rows, one as it is, since it may be the folder of a run; None where a run has them."""
    if not rows and resume is None:
        raise CodekinError(
            f"nothing to judge by: name a file of {what}, the folder of a run, or - for stdin"
        )
    return rows[0] if rows and len(rows) == 1 else rows or None


def refuse_settings(
    rows: list[str] | None,
    measures: list[str] | None,
    output: Path | None,
    resume: Path | None,
) -> None:
    """A finished run is judged as it was scored: what would score it anew is refused."""
    if resume is not None or not rows or len(rows) > 1:
        return
    if not Path(rows[0], "manifest.json").is_file():
        return
    if measures:
        raise CodekinError(
            f"{rows[0]}: is a run, and is judged under the measures that it was scored by; name "
            "the rows to score others (--measure)"
        )
    if output is not None:
        raise CodekinError(
            f"{rows[0]}: is a run, and judging it writes no other; leave --output out"
        )


def refuse_origin(given: dict[str, Any], what: str) -> None:
    """A measure of edits says nothing where nothing was edited; no column can mend that."""
    needy = [measure_label(one) for one in given.get("measures") or () if one.needs_origin]
    if needy:
        raise CodekinError(
            f"{', '.join(needy)}: needs an origin, which {what} do not have; judge it by outcomes"
        )


def take_from_run(given: dict[str, Any], resume: Path | None, output: Path | None) -> None:
    """Take what was not asked for now from the run that is resumed, if one is."""
    if resume is not None:
        resume_from(given, resume, output)
        given.pop("view", None)  # each way to judge knows what it makes of rows


def judged(
    evaluate: Callable[..., Judgement],
    given: dict[str, Any],
    *,
    words: Sequence[str],
    output: Path | None,
    resume: Path | None,
    workers: int | None,
    dask: str | None,
    color: Color,
) -> Judgement:
    """Score what there is to score, and judge it.

    Parameters
    ----------
    evaluate : callable
        Of `codekin.engine.judging`.
    given : dict
        What it is called with.
    words : sequence of str
        Of the command line, by which a job that was stopped goes on; its folder is added.
    output, resume : Path or None
        The folder of a new run, or of an old one.
    workers, dask : int or None, str or None
        Where to score.
    color : Color
        Of the bar.
    """
    folder = resume or output
    named = named_again(given.get("measures"))
    go_on = None if folder is None else shlex.join([*words, *named, "--resume", str(folder)])
    with (
        interruptible(go_on),
        progress_bar(color.value) as draw,
        working_place(dask, workers) as place,
    ):
        return evaluate(**given, **place, output=folder, resume=resume is not None, report=draw)


def end(*, scored: bool, failed: bool, strict: bool, what: str) -> None:
    """Leave with 1 where nothing was scored, or where something was not and that matters."""
    if not scored:
        why = (
            f"not one {what} could be scored; see the reasons above"
            if failed
            else f"there is no {what}"
        )
        say(f"codekin: {why}", err=True)
    if not scored or (strict and failed):
        raise typer.Exit(1)
