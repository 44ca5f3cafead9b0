"""``codekin corpus check``: leaks between the sides of a view, and contradictions."""

from __future__ import annotations

import typer

from codekin.cli.corpus.corpus_options import CorpusArgument, read
from codekin.cli.options import STATISTICS, ResultOptions, command
from codekin.cli.output import emit, tables

__all__ = ["check_command"]


@command(example="codekin corpus check view", formats=STATISTICS)
def check_command(
    corpus: CorpusArgument,
    *,
    result: ResultOptions,
) -> None:
    """Look for leaks between the sides of a view, and for contradictions.

    The exit code is 1 if there is something that the view forbids.
    """
    from codekin.corpora.checking import check_corpus

    found = check_corpus(read(corpus))
    emit(result, tables(found), warnings=found.warnings())
    if not found.sound:
        raise typer.Exit(1)
