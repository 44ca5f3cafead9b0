"""``codekin detect properties``: whether a corpus has the properties of a sound dataset."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from codekin.cli.options import STATISTICS, ResultOptions, command
from codekin.cli.output import Rendering, emit, print_tables, tables

if TYPE_CHECKING:
    from rich.console import Console

    from codekin.detectors.benchmark.dataset_properties import DatasetProperties

__all__ = ["properties_command"]


@command(example="codekin detect properties benchmark", formats=STATISTICS)
def properties_command(
    folders: Annotated[
        list[Path],
        typer.Argument(metavar="FOLDER...", help="Folders that detect benchmark wrote."),
    ],
    level: Annotated[
        str, typer.Option("--level", metavar="LEVEL", help="Level of abstraction to judge.")
    ] = "abs",
    *,
    result: ResultOptions,
) -> None:
    """Judge whether a corpus has the properties of a sound dataset.

    Ranks of sound detectors survive abstraction; training on abstracted code keeps the result;
    names alone are not enough. The exit code is 1 if a property fails.
    """
    from codekin.detectors.benchmark.dataset_properties import dataset_properties

    found = dataset_properties(folders, level=level)
    emit(result, _rendering(found), warnings=found.warnings())
    if not found.sound:
        raise typer.Exit(1)


def _rendering(found: DatasetProperties) -> Rendering:
    """The properties in every format; in a terminal, they are paragraphs."""

    def screen(to: Console) -> None:
        from codekin.report.verdict_screen import properties_screen

        to.print(properties_screen(found.properties))
        print_tables(to, found, grids=[])

    return Rendering(tables(found).texts, screen)
