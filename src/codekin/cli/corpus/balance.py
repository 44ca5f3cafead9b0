"""``codekin corpus balance``: the spread of snippets over functionalities."""

from __future__ import annotations

from codekin.cli.corpus.shared import CorpusArgument, ReadingOptions, read
from codekin.cli.options import STATISTICS, ResultOptions, command
from codekin.cli.output import emit, tables

__all__ = ["balance_command"]


@command(example="codekin corpus balance snippets.jsonl", formats=STATISTICS)
def balance_command(
    corpus: CorpusArgument, *, reading: ReadingOptions, result: ResultOptions
) -> None:
    """Show how evenly snippets are spread over functionalities."""
    from codekin.corpora.description import corpus_balance

    emit(result, tables(corpus_balance(read(corpus, reading))))
