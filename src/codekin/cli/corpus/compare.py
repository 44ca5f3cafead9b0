"""``codekin corpus compare``: whether two corpora look alike."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from codekin.cli.corpus.shared import CorpusArgument, ReadingOptions, read
from codekin.cli.options import STATISTICS, ResultOptions, WorkersOption, command
from codekin.cli.output import emit, tables

__all__ = ["compare_command"]


@command(example="codekin corpus compare snippets.jsonl project/src", formats=STATISTICS)
def compare_command(
    corpus: CorpusArgument,
    other: Annotated[
        Path, typer.Argument(metavar="OTHER", help="Another corpus, or a folder of code.")
    ],
    workers: WorkersOption = None,
    *,
    reading: ReadingOptions,
    result: ResultOptions,
) -> None:
    """Compare what the snippets of two corpora look like.

    Variable names, calls and lengths: means, medians and how much the distributions overlap.
    """
    from codekin.corpora.similarity import compare_corpora

    found = compare_corpora(read(corpus, reading), read(other), workers=workers)
    emit(result, tables(found))
