"""``codekin corpus type``: the types of the clones of a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from codekin.cli.corpus.corpus_options import (
    CorpusArgument,
    check_output,
    read,
    write,
)
from codekin.cli.options import STATISTICS, PrintOptions, WorkersOption, command, folder_option
from codekin.cli.output import emit, tables
from codekin.errors import CodekinError

__all__ = ["type_command"]


@command(example="codekin corpus type bcb --check pairs_true_typed.csv.xz", formats=STATISTICS)
def type_command(
    corpus: CorpusArgument,
    check: Annotated[
        Path | None,
        typer.Option(
            "--check",
            metavar="FILE",
            help="Compare with the types and similarities of a file: id1, id2, type, sim_line, "
            "sim_token.",
        ),
    ] = None,
    table: Annotated[
        bool,
        typer.Option(
            "--table",
            help="Count the types of all pairs with a functionality in common, not of the corpus's "
            "own pairs (default if it has none).",
        ),
    ] = False,
    output: Annotated[
        Path | None, folder_option("Folder to write the corpus to, with types.")
    ] = None,
    workers: WorkersOption = None,
    *,
    printing: PrintOptions,
) -> None:
    """Give the clones of a corpus their types, from T1 to WT3/T4.

    T1 are equal up to layout and comments, T2 also up to names and literals. The others are
    divided by the share of lines and tokens that they have in common: VST3 from 0.9, ST3 from 0.7,
    MT3 from 0.5, and WT3/T4 below.
    """
    from codekin.corpora.clone_types import check_types, type_pairs, type_table

    if check is not None and table:
        raise CodekinError("--check and --table are two tables; run the command once for each")
    if output is not None:
        check_output(output)
    found = read(corpus)
    if output is not None:
        write(type_pairs(found, workers=workers), output, quiet=printing.chosen != "table")
    if check is not None:
        emit(printing, tables(check_types(found, check, workers=workers)))
    elif table:
        emit(printing, tables(type_table(found, workers=workers)))
    elif output is None:
        emit(printing, tables(type_table(found, found.pairs, workers=workers)))
