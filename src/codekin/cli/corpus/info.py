"""``codekin corpus info``: what a corpus consists of."""

from __future__ import annotations

from codekin.cli.corpus.shared import CorpusArgument, ReadingOptions, read
from codekin.cli.options import STATISTICS, ResultOptions, command
from codekin.cli.output import emit, tables

__all__ = ["info_command"]


@command(example="codekin corpus info snippets.jsonl", formats=STATISTICS)
def info_command(corpus: CorpusArgument, *, reading: ReadingOptions, result: ResultOptions) -> None:
    """Show what a corpus consists of, and how it was made."""
    from codekin.corpora.description import describe_corpus

    emit(result, tables(describe_corpus(read(corpus, reading))))
