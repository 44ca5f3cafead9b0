"""``codekin detect predict``: pairs of code by a trained detector."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from codekin.cli.detect.detector_options import SettingsOption, TrainedOption, given_settings
from codekin.cli.options import (
    STATISTICS,
    LanguageOption,
    ResultOptions,
    RowsArgument,
    WorkersOption,
    command,
)
from codekin.cli.output import console, emit, print_tables, tables
from codekin.cli.scoring_job import column_names, end_judgement
from codekin.errors import CodekinError

__all__ = ["predict_command"]


@command(
    example="codekin detect predict pairs.jsonl --model model -o scores.csv", formats=STATISTICS
)
def predict_command(
    rows: RowsArgument = None,
    model: TrainedOption = None,
    corpus: Annotated[
        Path | None,
        typer.Option("--corpus", metavar="CORPUS", help="Where rows have id1 and id2 of snippets."),
    ] = None,
    columns: Annotated[
        list[str] | None,
        typer.Option(
            "--columns",
            metavar="FIELD=NAME,...",
            help="Names of the fields in the input, such as candidate=first,reference=second.",
        ),
    ] = None,
    language: LanguageOption = None,
    settings: SettingsOption = None,
    workers: WorkersOption = None,
    *,
    result: ResultOptions,
) -> None:
    """Score pairs of code with a trained detector.

    Rows have candidate and reference, or id1 and id2 of a corpus; the folder of a corpus with pairs
    works, too. Each gets a score from 0 to 1, and whether that makes it a clone; one without a
    score has the reason. Where rows have labels, the table of detect evaluate follows.
    """
    from codekin.corpora.reading import read_corpus
    from codekin.detectors.predicting import predict_pairs

    if not rows:
        raise CodekinError("no pairs to score: name a file of rows, or - for stdin")
    known = None if corpus is None else read_corpus(corpus)
    found = predict_pairs(
        *(rows, model),
        corpus=known,
        language=language,
        columns=None if columns is None else column_names(columns),
        settings=given_settings(settings),
        workers=workers,
    )
    emit(result, tables(found), warnings=found.warnings())
    if result.path is not None and found.evaluation is not None:
        print_tables(console(), found.evaluation)
    scored = [one.clone is not None for one in found.pairs]
    end_judgement(scored=any(scored), failed=not all(scored), strict=False, what="pair")
