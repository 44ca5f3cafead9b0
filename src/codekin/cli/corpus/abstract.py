"""``codekin corpus abstract``: a corpus without the names that people chose."""

from __future__ import annotations

from codekin.cli.abstract import AbstractionLevel, AbstractionOption, DropImportsOption
from codekin.cli.corpus.corpus_options import (
    CorpusArgument,
    CorpusOutput,
    check_output,
    read,
    write,
)
from codekin.cli.options import WorkersOption, command

__all__ = ["abstract_command"]


@command(example="codekin corpus abstract bcb --level abs -o absbcb")
def abstract_command(
    corpus: CorpusArgument,
    output: CorpusOutput,
    level: AbstractionOption = AbstractionLevel.ONE,
    drop_imports: DropImportsOption = False,
    workers: WorkersOption = None,
) -> None:
    """Replace the names in every snippet of a corpus by numbered ones.

    Types and calls have the same names in all snippets; the table is kept with the corpus.
    """
    from codekin.corpora.abstracting import abstract_corpus

    check_output(output)
    made = abstract_corpus(read(corpus), level.value, drop_imports=drop_imports, workers=workers)
    write(made, output)
