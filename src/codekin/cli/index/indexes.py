"""``codekin index add`` and ``codekin index info``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from codekin.cli.options import (
    ExcludeOption,
    LanguagesOption,
    ResultOptions,
    WorkersOption,
    command,
)
from codekin.cli.output import emit, progress, tables
from codekin.cli.scoring_job import executor_at

__all__ = ["add_command", "info_command"]

FORMATS = ("table", "json", "csv")
IndexArgument = Annotated[Path, typer.Argument(metavar="FILE", help="The file of the index.")]


@command(example="codekin index add code.index src/", formats=FORMATS)
def add_command(
    index: IndexArgument,
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="PATHS", help="Files of code, or folders.", show_default=False),
    ],
    languages: LanguagesOption = None,
    exclude: ExcludeOption = None,
    fast: Annotated[
        bool, typer.Option("--fast", help="Keep only tokens; faster, and finds less.")
    ] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="Include ignored, hidden, vendored and generated files.")
    ] = False,
    workers: WorkersOption = None,
    dask: Annotated[
        str | None,
        typer.Option(
            "--dask", metavar="WHERE", help="Parse on Dask: local, or the address tcp://host:port."
        ),
    ] = None,
    *,
    result: ResultOptions,
) -> None:
    """Add files to an index; only those that changed are parsed.

    The index is made if there is none. Files that are gone are dropped.
    """
    from codekin.scan.indexing import add_to_index

    with progress("reading") as draw, executor_at(dask, workers) as place:
        found = add_to_index(
            index,
            paths,
            languages=[one for words in languages or () for one in words.split(",") if one],
            exclude=exclude or (),
            fast=fast,
            everything=everything,
            report=draw,
            **place,
        )
    emit(result, tables(found), warnings=found.warnings())


@command(example="codekin index info code.index", formats=FORMATS)
def info_command(index: IndexArgument, *, result: ResultOptions) -> None:
    """Show what an index holds, and check that it is whole.

    The exit code is 1 if a part is damaged.
    """
    from codekin.scan.indexing import index_info

    found = index_info(index)
    emit(result, tables(found), warnings=found.warnings())
    if found.problems:
        raise typer.Exit(1)
