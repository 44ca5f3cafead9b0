"""``codekin graph``: what a program does, as a graph."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from codekin.cli.inputs import read_inputs
from codekin.report.graph.stages import check_output, stage_text, write_output

__all__ = ["graph_command"]


class _Stage(StrEnum):
    IR = "ir"
    CFG = "cfg"
    PDG = "pdg"
    SEMANTIC = "semantic"


class _Format(StrEnum):
    TEXT = "text"
    SVG = "svg"
    HTML = "html"
    JSON = "json"
    DOT = "dot"
    GRAPHML = "graphml"


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


def graph_command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The code; - is stdin.")],
    stage: Annotated[
        _Stage,
        typer.Option(
            "--stage",
            help="The flow IR, control flow, dependence within functions, or the whole graph.",
        ),
    ] = _Stage.SEMANTIC,
    output: Annotated[
        _Format, typer.Option("--format", help="A listing, a picture, a page, or data.")
    ] = _Format.TEXT,
    language: Annotated[
        str | None,
        typer.Option("--language", "-l", help="The language; else by suffix, then by content."),
    ] = None,
    granularity: Annotated[
        _Granularity, typer.Option("--granularity", help="What a node is.")
    ] = _Granularity.OPERATION,
    labels: Annotated[
        _Labels, typer.Option("--labels", help="What is written on the nodes.")
    ] = _Labels.OPERATOR,
    literals: Annotated[bool, typer.Option("--literals", help="Constants are nodes too.")] = False,
    preset: Annotated[
        _Preset | None, typer.Option("--preset", help="The conventions of another package.")
    ] = None,
    path: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="The file to write.")
    ] = None,
) -> None:
    """Show what a program does: its operations, and why they depend on each other."""
    if path is not None:
        check_output(path, output.value)
    (read,) = read_inputs([file], language)
    text = stage_text(
        read.source,
        read.name,
        stage.value,
        output.value,
        granularity=granularity.value,
        labels=labels.value,
        literals=literals,
        preset=None if preset is None else preset.value,
    )
    if path is None:
        sys.stdout.write(text)
    else:
        write_output(text, path)
        typer.echo(f"Written: {path.resolve()}")
