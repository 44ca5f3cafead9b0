"""What the commands share: the choice of a format and of colours, and writing JSON."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Any, Literal

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from codekin.plain_text import plain

__all__ = ["Color", "ColorOption", "Format", "FormatOption", "console", "print_json", "say"]


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


class _PlainConsole(Console):
    """A console on which texts only show: what they hold moves no cursor and sets no colour."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterator[Segment]:
        """The pieces that are printed, each without control characters of its own."""
        for piece in super().render(renderable, options):
            if piece.control or piece.text.isprintable():
                yield piece
            else:
                yield Segment(_plain_lines(piece.text), piece.style)


def _plain_lines(text: str) -> str:
    return "\n".join(map(plain, text.split("\n")))


def console(color: Color = Color.AUTO) -> Console:
    """A console on stdout; NO_COLOR counts unless colours are asked for.

    Texts are printed as they are: brackets are not markup, and control characters are shown by
    their names.
    """
    texts_only: dict[str, Any] = {"highlight": False, "markup": False, "emoji": False}
    if color is Color.ALWAYS:
        rich_colors = os.environ.get("COLORTERM") in ("truecolor", "24bit")
        system: Literal["truecolor", "256"] = "truecolor" if rich_colors else "256"
        return _PlainConsole(force_terminal=True, color_system=system, no_color=False, **texts_only)
    return _PlainConsole(no_color=True if color is Color.NEVER else None, **texts_only)


def say(text: str, *, err: bool = False) -> None:
    """Print a line or several, whose control characters are shown by their names.

    Parameters
    ----------
    text : str
    err : bool
        Whether to print it on stderr.
    """
    typer.echo(_plain_lines(text), err=err)


def print_json(document: Any) -> None:
    """Print a JSON document, which stays ASCII so that no terminal or pipe can spoil it."""
    json.dump(document, sys.stdout, indent=2, ensure_ascii=True, allow_nan=False)
    sys.stdout.write("\n")
