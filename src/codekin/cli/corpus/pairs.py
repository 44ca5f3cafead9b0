"""``codekin corpus pairs``: labelled pairs at a stated size and base rate."""

from __future__ import annotations

from typing import Annotated

import typer

from codekin.cli.corpus.corpus_options import (
    CorpusArgument,
    CorpusOutput,
    check_output,
    pair_count,
    read,
    write,
)
from codekin.cli.options import STATISTICS, PrintOptions, SeedOption, command
from codekin.cli.output import emit, tables
from codekin.errors import CodekinError

__all__ = ["pairs_command"]


@command(
    example="codekin corpus pairs view --size train=300000,validation=all,test=all -o pairs",
    formats=STATISTICS,
)
def pairs_command(
    corpus: CorpusArgument,
    output: CorpusOutput,
    size: Annotated[
        str,
        typer.Option(
            "--size", metavar="N", help="Pairs per side: a number, all, or side=number,..."
        ),
    ] = "all",
    rate: Annotated[
        str, typer.Option("--rate", metavar="SHARE", help="Share of clones: natural or a number.")
    ] = "natural",
    rule: Annotated[
        str | None,
        typer.Option(
            "--rule",
            metavar="NAME",
            help="What makes a clone: functionality, or roles (default where there are examples).",
        ),
    ] = None,
    negatives: Annotated[
        str,
        typer.Option(
            "--negatives", metavar="WHERE", help="With roles: within functionalities, or across."
        ),
    ] = "within",
    seed: SeedOption = 0,
    *,
    printing: PrintOptions,
) -> None:
    """Draw labelled pairs at a stated size and base rate.

    From all snippets, or on each side of a view; the size and the rate are those of a side.
    """
    from codekin.corpora.checking import check_corpus
    from codekin.corpora.sampling import sample_pairs

    check_output(output)
    found = sample_pairs(
        read(corpus),
        _size(size),
        rate=_rate(rate),
        rule=rule,
        negatives=negatives,
        seed=seed,
    )
    write(found, output, quiet=printing.chosen != "table")
    check = check_corpus(found)
    emit(printing, tables(check), warnings=check.warnings())


def _size(text: str) -> int | dict[str, int | None] | None:
    if "=" not in text:
        return pair_count(text)
    found = {}
    for piece in text.split(","):
        side, _, number = piece.partition("=")
        if side.strip() not in ("train", "validation", "test"):
            raise CodekinError(
                f"--size: there is no side {side.strip()!r} (known: train, validation, test)"
            )
        found[side.strip()] = pair_count(number)
    return found


def _rate(text: str) -> float | None:
    if text.strip().lower() == "natural":
        return None
    try:
        return float(text)
    except ValueError:
        raise CodekinError(f"--rate: cannot read {text!r}; write natural or a number") from None
