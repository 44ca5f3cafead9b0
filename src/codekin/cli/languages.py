"""``codekin languages``: what can be read, and by which grammars."""

from __future__ import annotations

from codekin.cli.output import Color, ColorOption, Format, FormatOption, console, print_json
from codekin.report.listings import describe_languages, language_listing

__all__ = ["languages_command"]


def languages_command(output: FormatOption = Format.TABLE, color: ColorOption = Color.AUTO) -> None:
    """List the languages, their file suffixes and their grammars."""
    if output is Format.JSON:
        print_json(describe_languages())
    else:
        console(color).print(language_listing(describe_languages()))
