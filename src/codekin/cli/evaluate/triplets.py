"""``codekin evaluate triplets``: whether a measure tells right programs from wrong ones."""

from __future__ import annotations

from codekin.cli.evaluate.job import (
    RunOption,
    end,
    judged,
    only_rows,
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
    SeedOption,
    TableFormat,
    TableFormatOption,
    print_statistics,
)
from codekin.report.judging.triplet_tables import (
    triplet_document,
    triplet_grids,
    triplet_notes,
    triplet_records,
    triplet_warnings,
)

__all__ = ["triplets_command"]


def triplets_command(
    rows: RowsArgument = None,
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
    seed: SeedOption = 0,
    level: LevelOption = 0.95,
    strict: StrictOption = False,
    output_format: TableFormatOption = TableFormat.TABLE,
    color: ColorOption = Color.AUTO,
) -> None:
    """Judge measures by triplets: anchor and positive are right programs, negative is wrong.

    ROWS may also be the folder of a run that this command wrote.
    """
    refuse_settings(rows, measures, output, resume)
    given = asked(
        measures,
        columns,
        rows=only_rows(rows, resume, "triplets"),
        language=language,
        max_bytes=max_bytes,
        max_seconds=max_seconds,
        texts=texts,
        shard_rows=shard_rows,
        resamples=resamples,
        seed=seed,
        level=level,
    )
    refuse_origin(given, "triplets")
    take_from_run(given, resume, output)
    from codekin.evaluation.triplets import evaluate_triplets

    judgement = judged(
        evaluate_triplets,
        given,
        words=["codekin", "evaluate", "triplets"],
        output=output,
        resume=resume,
        workers=workers,
        dask=dask,
        color=color,
    )
    scored = any(one.n for one in judgement.overall.measures)
    print_statistics(
        output_format,
        color,
        grids=triplet_grids(judgement) if scored else [],
        notes=triplet_notes(judgement) if scored else [],
        warnings=triplet_warnings(judgement),
        document=triplet_document(judgement),
        records=triplet_records(judgement),
    )
    end(
        scored=scored,
        failed=bool(judgement.excluded or judgement.failures),
        strict=strict,
        what="triplet",
    )
