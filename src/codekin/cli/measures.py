"""``codekin measures``: what can be measured, and how."""

from __future__ import annotations

from codekin.cli.output import Color, ColorOption, Format, FormatOption, console, print_json
from codekin.report.listings import describe_measures, measure_listing

__all__ = ["measures_command"]


def measures_command(output: FormatOption = Format.TABLE, color: ColorOption = Color.AUTO) -> None:
    """List the measures, their parameters and the packages they can reproduce."""
    if output is Format.JSON:
        print_json(describe_measures())
    else:
        console(color).print(measure_listing(describe_measures()))
