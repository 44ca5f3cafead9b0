"""A program at each step to its semantic graph, in each format."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from codekin.errors import CodekinError
from codekin.report.graph.listing import (
    control_flow_listing,
    dependence_listing,
    graph_listing,
    ir_listing,
)
from codekin.report.graph.page import graph_page
from codekin.report.graph.svg import graph_svg
from codekin.report.page_file import check_folder, replacing
from codekin.represent.graph.building import program_flow
from codekin.represent.graph.parts import EdgeKind
from codekin.represent.graph.semantic_graph import SemanticGraph
from codekin.source import Source, semantic_graph

__all__ = ["FORMATS", "STAGES", "check_output", "stage_text", "write_output"]

STAGES = ("ir", "cfg", "pdg", "semantic")
_BEGINNINGS = {
    "text": ("flow IR of ", "control flow of ", "program dependence of ", "semantic graph of "),
    "svg": ("<svg",),
    "html": ("<!doctype html",),
    "json": ("{",),
    "dot": ("digraph",),
    "graphml": ("<?xml",),
}
"""How a file of each format begins, so that nothing else is replaced."""
FORMATS = tuple(_BEGINNINGS)
_OF_ARRAYS = ("text", "json")
"""What the flow IR and the control flow can be written as."""


def stage_text(source: Source, name: str, stage: str, output: str, **options: Any) -> str:
    """A program at a stage, in a format.

    Parameters
    ----------
    source : Source
    name : str
        Where the code came from.
    stage : str
        One of :data:`STAGES`: the flow IR, control flow, dependence within functions, or the
        semantic graph.
    output : str
        One of :data:`FORMATS`.
    **options
        As :func:`codekin.semantic_graph` takes them.
    """
    if stage in ("ir", "cfg") and output not in _OF_ARRAYS:
        raise CodekinError(
            f"--stage {stage} is written as {' or '.join(_OF_ARRAYS)}; --format {output} is for "
            "--stage pdg and semantic"
        )
    if stage == "ir":
        ir = source.flow_ir
        return _arrays(ir) if output == "json" else ir_listing(ir, source.data, name)
    if stage == "cfg":
        flow = program_flow(source.flow_ir, **options)
        if output == "json":
            return _arrays(flow)
        return control_flow_listing(source.flow_ir, flow, source.data, name)
    graph = semantic_graph(source, **options)
    if stage == "pdg":
        graph = _within_functions(graph)
    return _GRAPH_FORMATS[output](graph, name, stage)


def _within_functions(graph: SemanticGraph) -> SemanticGraph:
    """The graph without the edges between functions."""
    within = graph.edge_kind <= EdgeKind.CONTROL
    return replace(
        graph,
        source=graph.source[within],
        target=graph.target[within],
        edge_kind=graph.edge_kind[within],
    )


def _listed(graph: SemanticGraph, name: str, stage: str) -> str:
    return (dependence_listing if stage == "pdg" else graph_listing)(graph, name)


_GRAPH_FORMATS: dict[str, Callable[[SemanticGraph, str, str], str]] = {
    "text": _listed,
    "svg": lambda graph, name, stage: graph_svg(graph) + "\n",
    "html": lambda graph, name, stage: graph_page(graph, name),
    "json": lambda graph, name, stage: _json(graph.to_json()),
    "dot": lambda graph, name, stage: graph.to_dot(),
    "graphml": lambda graph, name, stage: graph.to_graphml(),
}


def _arrays(value: Any) -> str:
    """A dataclass of arrays as JSON."""
    return _json({one.name: _plain(getattr(value, one.name)) for one in fields(value)})


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def _json(document: Any) -> str:
    """JSON that stays ASCII, so that no terminal or pipe can spoil it."""
    return json.dumps(document, indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def check_output(path: Path, output: str) -> None:
    """Refuse to replace what is no earlier output, such as the code itself."""
    check_folder(path)
    if not path.exists():
        return
    beginnings = _BEGINNINGS[output]
    try:
        with path.open("rb") as stream:
            head = stream.read(max(map(len, beginnings))).decode("latin-1").lower()
    except OSError as error:
        raise CodekinError(f"{path}: {error.strerror or error}") from None
    if head and not head.startswith(tuple(one.lower() for one in beginnings)):
        raise CodekinError(
            f"{path}: is there and holds no {output} of a graph, so it is not replaced; name "
            "another file"
        )


def write_output(text: str, path: Path) -> None:
    """Write a file, all of it or nothing."""
    with replacing(path) as stream:
        stream.write(text.encode("utf-8", "backslashreplace"))
