"""``codekin evaluate outcomes``: how closely a measure follows what tests say."""

from __future__ import annotations

from typing import Annotated

import typer

from codekin.cli.evaluate.job import (
    ChangeSeedOption,
    RunOption,
    end,
    judged,
    only_rows,
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
    RowsArgument,
    ShardRowsOption,
    StrictOption,
    TextsOption,
    WorkersOption,
    asked,
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
from codekin.report.judging.outcome_document import outcome_document, outcome_records
from codekin.report.judging.outcome_tables import outcome_grids, outcome_notes, outcome_warnings

__all__ = ["outcomes_command"]


def outcomes_command(
    rows: RowsArgument = None,
    measures: MeasuresOption = None,
    output: RunOption = None,
    resume: ResumeOption = None,
    perturb: Annotated[
        list[str] | None,
        typer.Option(
            "--perturb",
            metavar="WORD",
            help="Also score the rows changed: prefix:2000-3000, locals, layout, functions, "
            "comments or dead-code. May be repeated.",
        ),
    ] = None,
    task: Annotated[
        str | None,
        typer.Option(
            "--task",
            metavar="FIELD",
            help="The field that says which rows are of one task; the same reference by default.",
        ),
    ] = None,
    groups: Annotated[bool, typer.Option("--groups", help="Also show every group.")] = False,
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
    """Judge measures by rows with an outcome, such as whether the candidate passed its tests.

    ROWS may also be the folder of a run that this command wrote.
    """
    refuse_settings(rows, measures, output, resume)
    given = asked(
        measures,
        columns,
        rows=only_rows(rows, resume, "rows with an outcome"),
        perturb=list(dict.fromkeys(perturb or ())) or None,
        task=task,
        language=language,
        max_bytes=max_bytes,
        max_seconds=max_seconds,
        texts=texts,
        shard_rows=shard_rows,
        resamples=resamples,
        seed=seed,
        level=level,
    )
    take_from_run(given, resume, output)
    from codekin.evaluation.outcomes import evaluate_outcomes

    # The run does not tell which changes are still to come, nor how it is to be judged.
    again = [
        *(f"--perturb={word}" for word in perturb or ()),
        *([] if task is None else [f"--task={task}"]),
        *([f"--seed={seed}"] if seed else []),
    ]
    judgement = judged(
        evaluate_outcomes,
        given,
        words=["codekin", "evaluate", "outcomes", *again],
        output=output,
        resume=resume,
        workers=workers,
        dask=dask,
        color=color,
    )
    scored = any(one.n for one in judgement.measures)
    print_statistics(
        output_format,
        color,
        grids=outcome_grids(judgement, groups=groups) if scored else [],
        notes=outcome_notes(judgement) if scored else [],
        warnings=outcome_warnings(judgement),
        document=outcome_document(judgement),
        records=outcome_records(judgement),
    )
    end(
        scored=scored,
        failed=bool(judgement.failures),
        strict=strict,
        what="row with an outcome",
    )
