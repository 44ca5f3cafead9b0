"""``codekin build-triplets``: triplets that judge measures, from submissions with a verdict."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from codekin.cli.options import SeedOption, command
from codekin.cli.output import say
from codekin.errors import CodekinError

__all__ = ["build_triplets_command"]


class Mode(StrEnum):
    """Who wrote the positive and the negative."""

    MATCHED = "matched"
    RANDOM = "random"


@command(example="codekin build-triplets submissions.jsonl -o triplets.jsonl --pair java:python")
def build_triplets_command(
    submissions: Annotated[
        list[str],
        typer.Argument(
            metavar="SUBMISSIONS",
            help="Files or folders of rows with problem, language, code, passed; - is stdin.",
            show_default=False,
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FILE", help="A .jsonl, .jsonl.gz or .jsonl.xz file to write."
        ),
    ],
    pair: Annotated[
        list[str] | None,
        typer.Option(
            "--pair",
            metavar="LANGUAGE[:LANGUAGE]",
            help="Language of the triplets, such as python, or java:python for anchors in Java "
            "(default: each language by itself). May be repeated.",
        ),
    ] = None,
    mode: Annotated[
        Mode,
        typer.Option(
            "--mode", help="Take positive and negative from one author, or all from different ones."
        ),
    ] = Mode.MATCHED,
    seed: SeedOption = 0,
) -> None:
    """Build triplets that judge measures from submissions.

    Each triplet has an anchor, a positive and a negative, without near-duplicates among them.
    """
    from codekin.evaluation.triplet_building import build_triplets, check_name, write_triplets

    check_name(output)  # before the long part
    built = build_triplets(
        submissions,
        languages=pair,
        mode=mode.value,
        seed=seed,
    )
    if built.triplets:
        write_triplets(built, output)
    for line in built.account():
        say(line)
    if not built.triplets:
        raise CodekinError(f"no triplet could be built, and {output} was not written")
    say(f"Triplets: {output.resolve()}")
