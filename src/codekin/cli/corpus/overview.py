"""``codekin corpus info``, ``balance`` and ``compare``: what corpora consist of and look like."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from codekin.cli.corpus.corpus_options import CorpusArgument, ReadingOptions, read
from codekin.cli.options import STATISTICS, ResultOptions, WorkersOption, command
from codekin.cli.output import emit, tables

__all__ = ["balance_command", "compare_command", "info_command"]


@command(example="codekin corpus info snippets.jsonl", formats=STATISTICS)
def info_command(corpus: CorpusArgument, *, reading: ReadingOptions, result: ResultOptions) -> None:
    """Show what a corpus consists of, and how it was made."""
    from codekin.corpora.description import describe_corpus

    emit(result, tables(describe_corpus(read(corpus, reading, quiet=True))))


@command(example="codekin corpus balance snippets.jsonl built -o balance.html", formats=STATISTICS)
def balance_command(
    corpus: CorpusArgument,
    after: Annotated[
        Path | None,
        typer.Argument(metavar="AFTER", help="What was built from it, to compare the two."),
    ] = None,
    *,
    result: ResultOptions,
) -> None:
    """Show how evenly functionalities share the snippets.

    With a second corpus, both balances next to each other; a page has them as a plot.
    """
    from codekin.corpora.builders import describe_build
    from codekin.corpora.description import corpus_balance

    start = read(corpus)
    if after is None:
        emit(result, tables(corpus_balance(start)))
        return
    built = describe_build(start, read(after))
    emit(result, tables(built), warnings=built.warnings())


@command(example="codekin corpus compare snippets.jsonl project/src", formats=STATISTICS)
def compare_command(
    corpus: CorpusArgument,
    other: Annotated[
        Path, typer.Argument(metavar="OTHER", help="Another corpus, or a folder of code.")
    ],
    workers: WorkersOption = None,
    *,
    result: ResultOptions,
) -> None:
    """Compare what the snippets of two corpora look like.

    Variable names, calls and lengths: means, medians and how much the distributions overlap.
    """
    from codekin.corpora.similarity import compare_corpora

    found = compare_corpora(read(corpus), read(other), workers=workers)
    emit(result, tables(found))
