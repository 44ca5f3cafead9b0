"""``codekin evaluate card``: how a measure reacts to changes whose effect is known."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from codekin.cli.evaluate.job import (
    ChangeSeedOption,
    RunOption,
    end,
    judged,
    refuse_origin,
    refuse_settings,
    take_from_run,
)
from codekin.cli.job_options import (
    ColumnsOption,
    DaskOption,
    LanguageOption,
    MaxBytesOption,
    MaxSecondsOption,
    ResumeOption,
    ShardRowsOption,
    StrictOption,
    TextsOption,
    WorkersOption,
    asked,
    refuse_two_folders,
)
from codekin.cli.measure_option import MeasuresOption
from codekin.cli.output import Color, ColorOption
from codekin.cli.statistics_options import (
    LevelOption,
    ResamplesOption,
    TableFormat,
    TableFormatOption,
    print_statistics,
)
from codekin.report.judging.card_tables import (
    card_document,
    card_grids,
    card_notes,
    card_records,
    card_warnings,
)
from codekin.runs.run import Run
from codekin.runs.scoring import measures_to_resume

__all__ = ["card_command"]


_SETTINGS = ("columns", "language", "max_bytes", "max_seconds", "texts", "shard_rows")


def card_command(
    programs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ROWS",
            help="Programs, with language and code; those that come with codekin by default.",
            show_default=False,
        ),
    ] = None,
    measures: MeasuresOption = None,
    output: RunOption = None,
    resume: ResumeOption = None,
    columns: ColumnsOption = None,
    language: LanguageOption = None,
    workers: WorkersOption = None,
    dask: DaskOption = None,
    max_bytes: MaxBytesOption = None,
    max_seconds: MaxSecondsOption = None,
    texts: TextsOption = None,
    shard_rows: ShardRowsOption = None,
    resamples: ResamplesOption = 2000,
    seed: ChangeSeedOption = 0,
    level: LevelOption = 0.95,
    strict: StrictOption = False,
    output_format: TableFormatOption = TableFormat.TABLE,
    color: ColorOption = Color.AUTO,
) -> None:
    """The card of a measure: what changes that keep or break a program's meaning do to its score.

    ROWS may also be the folder of a run that this command wrote.
    """
    refuse_settings(programs, measures, output, resume)
    given = asked(
        measures,
        columns,
        programs=programs[0] if programs and len(programs) == 1 else programs or None,
        language=language,
        max_bytes=max_bytes,
        max_seconds=max_seconds,
        texts=texts,
        shard_rows=shard_rows,
        resamples=resamples,
        seed=seed,
        level=level,
    )
    refuse_origin(given, "changed programs")
    if resume is not None:
        _take_from_run(given, resume, output)
    from codekin.evaluation.card import evaluate_card

    again = [f"--seed={seed}"] if seed else []
    card = judged(
        evaluate_card,
        given,
        words=["codekin", "evaluate", "card", *(programs or []), *again],
        output=output,
        resume=resume,
        workers=workers,
        dask=dask,
        color=color,
    )
    scored = any(effect.n for one in card.measures for effect in one.changes)
    print_statistics(
        output_format,
        color,
        grids=card_grids(card) if scored else [],
        notes=card_notes(card) if scored else [],
        warnings=card_warnings(card),
        document=card_document(card),
        records=card_records(card),
    )
    end(
        scored=scored,
        failed=bool(card.failures),
        strict=strict,
        what="changed program",
    )


def _take_from_run(given: dict[str, Any], resume: Path, output: Path | None) -> None:
    """Take what was not asked for now from the run, whose programs may be those of codekin."""
    run = Run(resume)
    if "programs" in given or run.manifest["input"]["kind"] in ("files", "stdin"):
        if "programs" in given:
            given["rows"] = given.pop("programs")
        take_from_run(given, resume, output)
        given["programs"] = given.pop("rows")
        return
    refuse_two_folders(resume, output)
    given["measures"] = measures_to_resume(run, given.get("measures"))
    for name in _SETTINGS:
        given.setdefault(name, run.manifest["asked"][name])
