"""``codekin graph``: what a program does, as a graph."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from codekin.cli.inputs import read_inputs
from codekin.cli.output import say
from codekin.report.graph.stages import FORMATS, check_output, stage_text, write_output
from codekin.report.terminal import unread_places

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
        _Format | None,
        typer.Option(
            "--format",
            help="A listing, a picture, a page, or data; else as the suffix of -o says.",
        ),
    ] = None,
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
    chosen = output.value if output is not None else _format_of(path)
    if path is not None:
        check_output(path, chosen)
    (read,) = read_inputs([file], language)
    text = stage_text(
        read.source,
        read.name,
        stage.value,
        chosen,
        granularity=granularity.value,
        labels=labels.value,
        literals=literals,
        preset=None if preset is None else preset.value,
    )
    if problems := read.source.problems:
        note = f"{read.name}: {unread_places(problems)}; they are opaque operations"
        say(note, err=True)
    if path is None:
        sys.stdout.write(text)
    else:
        write_output(text, path)
        say(f"Written: {path.resolve()}")


def _format_of(path: Path | None) -> str:
    """The format that a file's suffix stands for; a listing if none does."""
    suffix = "" if path is None else path.suffix[1:].lower()
    suffix = {"htm": "html", "gv": "dot"}.get(suffix, suffix)
    return suffix if suffix in FORMATS else _Format.TEXT.value
