"""``codekin corpus split``: training, validation and test, in four views."""

from __future__ import annotations

from typing import Annotated

import typer

from codekin.cli.corpus.corpus_options import (
    CorpusArgument,
    CorpusOutput,
    check_output,
    read,
    write,
)
from codekin.cli.options import STATISTICS, PrintOptions, SeedOption, command
from codekin.cli.output import emit, say, tables
from codekin.errors import CodekinError

__all__ = ["split_command"]


@command(example="codekin corpus split corpus --view cross-project -o view", formats=STATISTICS)
def split_command(
    corpus: CorpusArgument,
    output: CorpusOutput,
    view: Annotated[
        str,
        typer.Option(
            "--view",
            metavar="NAME",
            help="random, cross-project, cross-functionality or cross-all.",
        ),
    ] = "random",
    ratio: Annotated[
        str, typer.Option("--ratio", metavar="A:B:C", help="Training, validation and test.")
    ] = "8:1:1",
    by: Annotated[
        str,
        typer.Option("--by", metavar="WHAT", help="What the ratio counts: groups or snippets."),
    ] = "groups",
    copies: Annotated[
        str,
        typer.Option(
            "--copies",
            metavar="HOW",
            help="Copies: keep, together (on one side) or drop (all but the first).",
        ),
    ] = "keep",
    preset: Annotated[
        str | None,
        typer.Option("--preset", metavar="NAME", help="paper: as the multi-perspective paper."),
    ] = None,
    rotate: Annotated[
        bool,
        typer.Option(
            "--rotate", help="Every split of the functionalities in halves, a folder for each."
        ),
    ] = False,
    seed: SeedOption = 0,
    *,
    printing: PrintOptions,
) -> None:
    """Split a corpus into training, validation and test, in four views.

    No snippet is on two sides; cross-project keeps projects apart, cross-functionality
    functionalities, cross-all both.
    """
    from codekin.corpora.checking import check_corpus
    from codekin.corpora.corpus import save_corpora
    from codekin.corpora.views import rotate_corpus, split_corpus

    check_output(output)
    start = read(corpus)
    if rotate:
        made = list(rotate_corpus(start, view, copies=copies, seed=seed))
        digits = len(str(len(made)))
        save_corpora({f"rotation-{i:0{digits}}": one for i, one in enumerate(made, 1)}, output)
        say(f"Written: {output.resolve()} ({len(made)} rotations)")
        return
    found = split_corpus(
        start,
        view,
        ratio=_ratio(ratio),
        by=by,
        copies=copies,
        preset=preset,
        seed=seed,
    )
    write(found, output, quiet=printing.chosen != "table")
    check = check_corpus(found)
    emit(printing, tables(check), warnings=check.warnings())


def _ratio(text: str) -> list[float]:
    try:
        return [float(one) for one in text.split(":")]
    except ValueError:
        raise CodekinError(f"--ratio: cannot read {text!r}; write 8:1:1") from None
