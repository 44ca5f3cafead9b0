"""``codekin evaluate card``: how a measure reacts to changes whose effect is known."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from codekin.cli.options import STATISTICS, JobOptions, PrintOptions, SeedOption, command
from codekin.cli.output import emit, tables
from codekin.cli.scoring_job import (
    end_judgement,
    job_arguments,
    judge,
    refuse_measures_of_edits,
    refuse_settings,
    refuse_two_folders,
    take_from_run,
)

__all__ = ["card_command"]

_SETTINGS = ("columns", "language", "max_bytes", "max_seconds", "texts", "shard_rows")


@command(example="codekin evaluate card -m bleu,tsed", formats=STATISTICS)
def card_command(
    programs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ROWS",
            help="Programs, with language and code (default: those bundled with codekin).",
            show_default=False,
        ),
    ] = None,
    seed: SeedOption = 0,
    *,
    job: JobOptions,
    printing: PrintOptions,
) -> None:
    """Show how measures react to changes whose effect is known.

    Some changes keep the meaning of a program, others break it. ROWS may also be a run of this
    command.
    """
    from codekin.evaluation.card import evaluate_card

    refuse_settings(programs, job)
    given = programs[0] if programs and len(programs) == 1 else programs or None
    arguments = job_arguments(job, programs=given, seed=seed)
    refuse_measures_of_edits(arguments, "changed programs")
    if job.resume is not None:
        _take_from_run(arguments, job)
    again = [f"--seed={seed}"] if seed else []
    words = ["codekin", "evaluate", "card", *(programs or []), *again]
    card = judge(evaluate_card, arguments, words=words, options=job)
    scored = any(effect.n for one in card.measures for effect in one.changes)
    rendering = tables(card, grids=None if scored else [], notes=None if scored else [])
    emit(printing, rendering, warnings=card.warnings())
    failed = bool(card.failures)
    end_judgement(scored=scored, failed=failed, strict=job.strict, what="changed program")


def _take_from_run(arguments: dict[str, Any], job: JobOptions) -> None:
    """Add the arguments of the run to resume, whose programs may be the bundled ones."""
    from codekin.runs.run import Run
    from codekin.runs.scoring import measures_to_resume

    assert job.resume is not None
    run = Run(job.resume)
    if "programs" in arguments or run.manifest["input"]["kind"] in ("files", "stdin"):
        if "programs" in arguments:
            arguments["rows"] = arguments.pop("programs")
        take_from_run(arguments, job)
        arguments["programs"] = arguments.pop("rows")
        return
    refuse_two_folders(job)
    arguments["measures"] = measures_to_resume(run, arguments.get("measures"))
    for name in _SETTINGS:
        arguments.setdefault(name, run.manifest["asked"][name])
