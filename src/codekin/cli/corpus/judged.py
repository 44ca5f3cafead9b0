"""``codekin corpus judged``: precision and agreement from the answers of judges."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from codekin.cli.options import STATISTICS, ResamplingOptions, ResultOptions, command
from codekin.cli.output import emit, tables

__all__ = ["judged_command"]


@command(example="codekin corpus judged ann.json ben.json", formats=STATISTICS)
def judged_command(
    exports: Annotated[
        list[Path],
        typer.Argument(
            metavar="EXPORT",
            help="JSON files exported from a page of codekin corpus judge, one per judge.",
            show_default=False,
        ),
    ],
    *,
    resampling: ResamplingOptions,
    result: ResultOptions,
) -> None:
    """Show precision with an interval, and how far judges agree."""
    from codekin.corpora.judgements import judged

    found = judged(
        *exports, level=resampling.level, resamples=resampling.resamples, seed=resampling.seed
    )
    emit(result, tables(found), warnings=found.warnings())
