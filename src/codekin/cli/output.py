"""What the commands share: the choice of a format and of colours, and writing JSON."""

from __future__ import annotations

import json
import os
import sys
from enum import StrEnum
from typing import Annotated, Any, Literal

import typer
from rich.console import Console

__all__ = ["Color", "ColorOption", "Format", "FormatOption", "console", "print_json"]


class Format(StrEnum):
    """How results are printed."""

    TABLE = "table"
    JSON = "json"


class Color(StrEnum):
    """When to use colours."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


FormatOption = Annotated[Format, typer.Option("--format", help="A table for people, or JSON.")]
ColorOption = Annotated[
    Color, typer.Option("--color", help="Colours: auto leaves them out of files and pipes.")
]


def console(color: Color = Color.AUTO) -> Console:
    """A console on stdout; NO_COLOR counts unless colours are asked for."""
    if color is Color.ALWAYS:
        rich_colors = os.environ.get("COLORTERM") in ("truecolor", "24bit")
        system: Literal["truecolor", "256"] = "truecolor" if rich_colors else "256"
        return Console(force_terminal=True, color_system=system, no_color=False, highlight=False)
    return Console(no_color=True if color is Color.NEVER else None, highlight=False)


def print_json(document: Any) -> None:
    """Print a JSON document, which stays ASCII so that no terminal or pipe can spoil it."""
    json.dump(document, sys.stdout, indent=2, ensure_ascii=True, allow_nan=False)
    sys.stdout.write("\n")
