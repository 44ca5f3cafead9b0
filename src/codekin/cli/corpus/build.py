"""``codekin corpus build``: the five steps of ConBigCloneBench, contests, all pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from codekin.cli.corpus.corpus_options import (
    CorpusArgument,
    CorpusOutput,
    check_output,
    pair_count,
    read,
    write,
)
from codekin.cli.options import STATISTICS, PrintOptions, SeedOption, WorkersOption, command
from codekin.cli.output import emit, tables
from codekin.errors import CodekinError, suggestion

if TYPE_CHECKING:
    from codekin.corpora.corpus import Corpus

__all__ = ["build_command"]


@command(example="codekin corpus build BigCloneBench/ --cap 500 -o con", formats=STATISTICS)
def build_command(
    corpus: CorpusArgument,
    output: CorpusOutput,
    preset: Annotated[
        str,
        typer.Option(
            "--preset",
            metavar="NAME",
            help="con: as ConBigCloneBench; contest: problems with enough solutions; yu: as "
            "AbsBigCloneBench, confirmed snippets of one functionality are clones.",
        ),
    ] = "con",
    theta: Annotated[
        float,
        typer.Option(
            "--theta", help="con: line similarity above which snippets join the examples."
        ),
    ] = 0.2,
    cap: Annotated[
        int,
        typer.Option("--cap", min=1, metavar="N", help="con: most snippets per functionality."),
    ] = 500,
    min_judges: Annotated[
        int, typer.Option("--min-judges", min=0, metavar="N", help="con: fewest judges of a tag.")
    ] = 2,
    min_confidence: Annotated[
        int,
        typer.Option(
            "--min-confidence", min=0, metavar="N", help="con: least confidence of a tag."
        ),
    ] = 2,
    expand: Annotated[
        bool,
        typer.Option(
            "--expand/--no-expand",
            help="con: whether to add the functions of its file that a snippet calls.",
        ),
    ] = True,
    negatives: Annotated[
        str,
        typer.Option(
            "--negatives", metavar="WHERE", help="con: within functionalities, or also across."
        ),
    ] = "within",
    min_solutions: Annotated[
        int,
        typer.Option(
            "--min-solutions", min=1, metavar="N", help="contest: fewest solutions of a problem."
        ),
    ] = 30,
    size: Annotated[
        str | None,
        typer.Option(
            "--size",
            metavar="N",
            help="Pairs: a number, all or none (default: all for con, otherwise none).",
        ),
    ] = None,
    workers: WorkersOption = None,
    seed: SeedOption = 0,
    *,
    printing: PrintOptions,
) -> None:
    """Keep trusted labels, expand snippets, balance and pair them.

    Prints what each step did, and the balance before and after.
    """
    from codekin.corpora.builders import (
        PRESETS,
        build_contest,
        build_corpus,
        build_yu,
        describe_build,
    )

    check_output(output)
    if preset not in PRESETS:
        known = f"(known: {', '.join(PRESETS)})"
        raise CodekinError(f"--preset: unknown {preset!r}{suggestion(preset, PRESETS)} {known}")
    chosen = pair_count(size or ("all" if preset == "con" else "none"), none=True)
    start = read(corpus)
    made: Corpus
    if preset == "contest":
        made = build_contest(start, min_solutions=min_solutions, size=chosen, seed=seed)
    elif preset == "yu":
        made = build_yu(start, size=chosen, seed=seed)
    else:
        made = build_corpus(
            start,
            min_judges=min_judges,
            min_confidence=min_confidence,
            expand=expand,
            theta=theta,
            cap=cap,
            size=chosen,
            negatives=negatives,
            seed=seed,
            workers=workers,
        )
    built = describe_build(start, made)
    write(made, output, quiet=printing.chosen != "table")
    emit(printing, tables(built), warnings=built.warnings())
