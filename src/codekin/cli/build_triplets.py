"""``codekin build-triplets``: triplets that judge measures, from submissions with a verdict."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from codekin.cli.output import say
from codekin.errors import CodekinError
from codekin.evaluation.triplet_building import (
    TripletSet,
    build_triplets,
    check_name,
    write_triplets,
)

__all__ = ["build_triplets_command"]


class Mode(StrEnum):
    """Whose the positive and the negative are."""

    MATCHED = "matched"
    RANDOM = "random"


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
        typer.Option("--output", "-o", metavar="FILE", help="A .jsonl, .jsonl.gz or .jsonl.xz."),
    ],
    pair: Annotated[
        list[str] | None,
        typer.Option(
            "--pair",
            metavar="LANGUAGE[:LANGUAGE]",
            help="python; or java:python, anchors in Java. By default each language by itself.",
        ),
    ] = None,
    mode: Annotated[
        Mode,
        typer.Option("--mode", help="Positive and negative by one author, or all three by others."),
    ] = Mode.MATCHED,
    per_problem: Annotated[
        int, typer.Option("--per-problem", min=1, metavar="N", help="At most N of a problem.")
    ] = 4,
    equal: Annotated[
        bool, typer.Option("--equal", help="Leave out problems with fewer than N.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", help="Of all that is drawn.")] = 0,
) -> None:
    """Build triplets (anchor, positive, negative) without leaks from judged submissions."""
    check_name(output)  # before the long part
    built = build_triplets(
        submissions,
        languages=pair,
        mode=mode.value,
        per_problem=per_problem,
        equal=equal,
        seed=seed,
    )
    if built.triplets:
        write_triplets(built, output)
    for line in _account(built):
        say(line)
    if not built.triplets:
        raise CodekinError(f"no triplet could be built, and {output} was not written")
    say(f"Triplets: {output.resolve()}")


def _account(built: TripletSet) -> list[str]:
    """What was built, and what was left out and why."""
    problems = len({one.problem for one in built.triplets})
    lines = [
        f"{_count(built.rows, 'row')}: {_count(built.submissions, 'submission')} to "
        f"{_count(built.problems, 'problem')}",
        f"{_count(len(built.triplets), f'{built.mode} triplet')} of {_count(problems, 'problem')}",
    ]
    for (anchor, other), count in built.pairs.items():
        name = anchor if anchor == other else f"anchor in {anchor}, others in {other}"
        lines.append(f"  {name}: {count:,}")
    if built.near_duplicates:
        kinds = ", ".join(f"{kind} {count:,}" for kind, count in built.near_duplicates.items())
        lines.append(f"anchors passed over as near-duplicates: {kinds}")
    if built.left_out:
        lines.append("left out:")
    for one in built.left_out:
        what = _count(one.count, one.what)
        lines.append(f"  {what}: {one.reason} (first: {one.first})")
    return lines


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
