"""``codekin graph``: what a program does, as a graph."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from codekin.cli.inputs import read_inputs
from codekin.cli.options import DIAGRAM, LanguageOption, ResultOptions, command
from codekin.cli.output import Rendering, emit, say

__all__ = ["graph_command"]


class _Stage(StrEnum):
    IR = "ir"
    CFG = "cfg"
    PDG = "pdg"
    SEMANTIC = "semantic"


class _Granularity(StrEnum):
    OPERATION = "operation"
    STATEMENT = "statement"


class _Labels(StrEnum):
    OPERATOR = "operator"
    LITERAL = "operator+literal"
    CATEGORY = "category"
    TYPE = "type"


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
    labels: Annotated[
        _Labels, typer.Option("--labels", help="What the label of a node says.")
    ] = _Labels.OPERATOR,
    literals: Annotated[
        bool, typer.Option("--literals", help="Make nodes of constants, too.")
    ] = False,
    preset: Annotated[
        _Preset | None, typer.Option("--preset", help="Follow the conventions of another package.")
    ] = None,
    *,
    result: ResultOptions,
) -> None:
    """Show what a program does: control flow, data flow and calls.

    The graph consists of the program's operations and of what each depends on.
    """
    from codekin.report.graph.stages import stage_text
    from codekin.represent.text.problems import unread_places

    (read,) = read_inputs([file], language)
    text = stage_text(
        read.source,
        read.name,
        stage.value,
        result.chosen,
        granularity=granularity.value,
        labels=labels.value,
        literals=literals,
        preset=None if preset is None else preset.value,
    )
    if problems := read.source.problems:
        note = f"{read.name}: {unread_places(problems)}; they are opaque operations"
        say(note, err=True)
    emit(result, Rendering({result.chosen: lambda: text}))
