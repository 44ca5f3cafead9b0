"""``codekin detect evaluate``: a detector, predictions or a report of a clone tool, judged."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from codekin.cli.corpus.corpus_options import CorpusArgument, ReadingOptions, read
from codekin.cli.detect.detector_options import SettingsOption, given_settings
from codekin.cli.options import STATISTICS, ResultOptions, SeedOption, WorkersOption, command
from codekin.cli.output import emit, tables
from codekin.cli.scoring_job import column_names

__all__ = ["evaluate_command"]


@command(
    example="codekin detect evaluate scores.csv corpus --threshold 0.5 -o evaluation.html",
    formats=STATISTICS,
)
def evaluate_command(
    judged: Annotated[
        Path,
        typer.Argument(
            metavar="PREDICTIONS|DETECTOR",
            help="Predictions (id1, id2, score), the folder of a detector, or a clone report.",
        ),
    ],
    corpus: CorpusArgument,
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold",
            metavar="SCORE",
            help="Call pairs from SCORE on clones (default: the detector's own, or the one with "
            "the best F1 on validation).",
        ),
    ] = None,
    cover: Annotated[
        float,
        typer.Option(
            "--cover",
            metavar="SHARE",
            help="Share of the lines of both snippets that a clone of a report has to have.",
        ),
    ] = 0.7,
    settings: SettingsOption = None,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    *,
    reading: ReadingOptions,
    result: ResultOptions,
) -> None:
    """Judge a detector, predictions or a clone report by labelled pairs.

    Precision, recall, F1, average precision and AUC with intervals, next to the base rate and the
    F1 of calling every pair a clone; recall by clone type, functionality and project. Reports are
    those of BigCloneEval's form, NiCad's XML, and the CSV file of codekin scan. Pairs of the side
    test are judged, if there are any.
    """
    from codekin.corpora.table_fields import NamedColumns
    from codekin.detectors.evaluating import evaluate_detector

    columns = NamedColumns(column_names(reading.columns or []))
    found = evaluate_detector(
        judged,
        read(corpus, reading, columns=columns),
        columns=columns,
        threshold=threshold,
        cover=cover,
        settings=given_settings(settings),
        seed=seed,
        workers=workers,
    )
    emit(result, tables(found), warnings=found.warnings())
