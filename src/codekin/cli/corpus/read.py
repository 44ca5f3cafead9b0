"""``codekin corpus read``: a corpus in any known form, written as codekin's own."""

from __future__ import annotations

from codekin.cli.corpus.corpus_options import (
    CorpusArgument,
    CorpusOutput,
    ReadingOptions,
    check_output,
    read,
    write,
)
from codekin.cli.options import command

__all__ = ["read_command"]


@command(example="codekin corpus read BigCloneBench/ -o bcb")
def read_command(corpus: CorpusArgument, output: CorpusOutput, *, reading: ReadingOptions) -> None:
    """Read a corpus in any known form, and write it as codekin's own.

    Known forms: codekin's rows; tables of pairs with code1, code2 and label; BigCloneBench as
    CodeXGLUE, ASTNN or its own database export has it; a clone report as BigCloneEval takes it;
    POJ-104; GPTCloneBench; Google Code Jam; any folder of code, one snippet per function.
    """
    check_output(output)
    write(read(corpus, reading), output, remarks=False)
