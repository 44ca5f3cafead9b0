"""``codekin graph``: what a program does, as a graph."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Annotated

import typer

from codekin.cli.inputs import read_inputs
from codekin.cli.options import DIAGRAM, LanguageOption, ResultOptions, command
from codekin.cli.output import Rendering, emit, say
from codekin.errors import CodekinError

__all__ = ["graph_command"]


class _Stage(StrEnum):
    IR = "ir"
    CFG = "cfg"
    PDG = "pdg"
    SEMANTIC = "semantic"


class _Granularity(StrEnum):
    OPERATION = "operation"
    STATEMENT = "statement"


class _Preset(StrEnum):
    JOERN = "joern"


@command(example="codekin graph words.py -o words.html", formats=DIAGRAM)
def graph_command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Code to read; - is stdin.")],
    stage: Annotated[
        _Stage,
        typer.Option(
            "--stage",
            help="Flow IR, control flow, dependence within functions, or the whole graph.",
        ),
    ] = _Stage.SEMANTIC,
    language: LanguageOption = None,
    granularity: Annotated[
        _Granularity, typer.Option("--granularity", help="What a node is.")
    ] = _Granularity.OPERATION,
    preset: Annotated[
        _Preset | None, typer.Option("--preset", help="Follow the conventions of another package.")
    ] = None,
    function: Annotated[
        str | None, typer.Option("--function", metavar="NAME", help="Only functions of this name.")
    ] = None,
    lines: Annotated[
        str | None, typer.Option("--lines", metavar="A-B", help="Only operations on these lines.")
    ] = None,
    slice_at: Annotated[
        str | None,
        typer.Option(
            "--slice",
            metavar="LINE[:VARIABLE]",
            help="Only what a line, or a variable on it, may depend on.",
        ),
    ] = None,
    tree: Annotated[
        bool, typer.Option("--tree", help="Show the syntax tree beside it (text, svg, html).")
    ] = False,
    *,
    result: ResultOptions,
) -> None:
    """Show what a program does: control flow, data flow and calls.

    The graph consists of the program's operations and of what each depends on.
    """
    from codekin.report.graph.stages import export_graph
    from codekin.source import unread_note

    (read,) = read_inputs([file], language)
    text = export_graph(
        read.source,
        stage=stage.value,
        form=result.chosen,
        function=function,
        lines=_range(lines),
        slice_at=_criterion(slice_at),
        tree=tree,
        name=read.name,
        granularity=granularity.value,
        preset=None if preset is None else preset.value,
    )
    if problems := read.source.problems:
        are = "it is an opaque operation" if len(problems) == 1 else "they are opaque operations"
        say(f"{read.name}: {unread_note(read.source, f'; {are}')}", err=True)
    emit(result, Rendering({result.chosen: lambda: text}))


def _range(lines: str | None) -> tuple[int, int] | None:
    """The first and the last line of ``10-40``, ``10:40`` or ``10``."""
    if lines is None:
        return None
    found = re.fullmatch(r"(\d{1,9})(?:[-:](\d{1,9}))?", lines.strip())
    if found is None:
        raise CodekinError(f"--lines {lines}: is not a range of lines, such as 10-40")
    return int(found[1]), int(found[2] or found[1])


def _criterion(place: str | None) -> tuple[int, str | None] | None:
    """The line of ``12`` or ``12:total``, and the variable."""
    if place is None:
        return None
    line, colon, variable = place.partition(":")
    if not re.fullmatch(r"\d{1,9}", line) or (colon and not variable):
        raise CodekinError(f"--slice {place}: is not a line, such as 12, or 12:total")
    return int(line), variable or None
