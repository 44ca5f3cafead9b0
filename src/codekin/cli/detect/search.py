"""``codekin detect search``: the likeliest clones in a folder, by a trained detector."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from codekin.cli.detect.detector_options import SettingsOption, TrainedOption, given_settings
from codekin.cli.options import (
    STATISTICS,
    LanguageOption,
    ResultOptions,
    WorkersOption,
    command,
)
from codekin.cli.output import emit, tables

__all__ = ["search_command"]


@command(example="codekin detect search project/src --model model", formats=STATISTICS)
def search_command(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Code whose functions are compared.")
    ],
    model: TrainedOption = None,
    most: Annotated[
        int, typer.Option("--most", min=1, metavar="N", help="Most pairs to show.")
    ] = 100,
    language: LanguageOption = None,
    settings: SettingsOption = None,
    workers: WorkersOption = None,
    *,
    result: ResultOptions,
) -> None:
    """Rank the pairs of functions that a detector takes for clones."""
    from codekin.detectors.searching import search_clones

    found = search_clones(
        *(folder, model),
        most=most,
        language=language,
        settings=given_settings(settings),
        workers=workers,
    )
    emit(result, tables(found), warnings=found.warnings())
