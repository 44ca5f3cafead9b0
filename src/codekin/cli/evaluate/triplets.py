"""``codekin evaluate triplets``: whether a measure tells right programs from wrong ones."""

from __future__ import annotations

from codekin.cli.options import (
    STATISTICS,
    JobOptions,
    PrintOptions,
    RowsArgument,
    SeedOption,
    command,
)
from codekin.cli.output import emit, tables
from codekin.cli.scoring_job import (
    end_judgement,
    job_arguments,
    judge,
    refuse_measures_of_edits,
    refuse_settings,
    rows_or_run,
    take_from_run,
)

__all__ = ["triplets_command"]


@command(example="codekin evaluate triplets triplets.jsonl -m bleu,tsed", formats=STATISTICS)
def triplets_command(
    rows: RowsArgument = None,
    seed: SeedOption = 0,
    *,
    job: JobOptions,
    printing: PrintOptions,
) -> None:
    """Judge measures by triplets of right and wrong programs.

    Anchor and positive are right, negative is wrong. ROWS may also be a run of this command.
    """
    from codekin.evaluation.triplets import evaluate_triplets

    refuse_settings(rows, job)
    arguments = job_arguments(job, rows=rows_or_run(rows, job, "triplets"), seed=seed)
    refuse_measures_of_edits(arguments, "triplets")
    take_from_run(arguments, job)
    words = ["codekin", "evaluate", "triplets"]
    judgement = judge(evaluate_triplets, arguments, words=words, options=job)
    scored = any(one.n for one in judgement.overall.measures)
    rendering = tables(judgement, grids=None if scored else [], notes=None if scored else [])
    emit(printing, rendering, warnings=judgement.warnings())
    failed = bool(judgement.excluded or judgement.failures)
    end_judgement(scored=scored, failed=failed, strict=job.strict, what="triplet")
