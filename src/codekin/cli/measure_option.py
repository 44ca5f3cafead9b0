"""The ``-m`` option of the commands that score."""

from __future__ import annotations

from typing import Annotated

import typer

from codekin.measures import Measure, parse_measure

__all__ = ["MeasuresOption", "chosen_measures"]

MeasuresOption = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        "-m",
        metavar="NAME",
        help="A measure, with parameters if need be: bleu:order=2,smoothing=floor or "
        "bleu:compat=sacrebleu; or one of your own, as module:attribute. All by default.",
    ),
]


def chosen_measures(words: list[str] | None) -> list[Measure] | None:
    """The measures that were asked for; None for all."""
    return [parse_measure(word) for word in words] if words else None
