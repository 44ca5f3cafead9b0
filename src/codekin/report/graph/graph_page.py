"""A semantic graph as a page: the code on one side, the graph on the other, in one file."""

from __future__ import annotations

import json
from html import escape

import numpy as np

from codekin._version import __version__
from codekin.plain_text import visible
from codekin.report.graph.code import code_lines
from codekin.report.graph.detail import Shown, shown
from codekin.report.graph.drawing import lay_out
from codekin.report.graph.svg import drawing_svg, page_style
from codekin.report.page_file import template_environment, with_files
from codekin.represent.flow.flow_ir import OperationKind
from codekin.represent.graph.parts import ROOT, EdgeKind
from codekin.represent.graph.semantic_graph import SemanticGraph

__all__ = ["KIND_MEANINGS", "graph_frame", "graph_page"]

KIND_MEANINGS = {
    EdgeKind.DATA: "a value that one defines and the other uses",
    EdgeKind.CONTROL: "whether the other runs",
    EdgeKind.CALL: "a call of a function in this text",
    EdgeKind.ROOT: "the program has the function",
}
"""What the kinds of edges say."""


def graph_page(graph: SemanticGraph, name: str) -> str:
    """The page of a graph; the same graph gives the same bytes.

    Parameters
    ----------
    graph : SemanticGraph
    name : str
        Where the code came from.
    """
    choice = shown(graph)
    places = _places(choice)
    counts = np.bincount(graph.edge_kind, minlength=len(EdgeKind)).tolist()
    made = with_files(
        template_environment(),
        "graph.html.j2",
        ("base.css", "graph.css"),
        ("theme.js", "graph.js"),
        version=__version__,
        name="".join(map(visible, name)),
        graph=graph,
        functions=int((graph.kind == OperationKind.ENTRY).sum()),
        notes=choice.notes,
        kinds=[(kind.name.lower(), counts[kind], KIND_MEANINGS[kind]) for kind in EdgeKind],
        drawing_style=page_style(),
        picture=drawing_svg(choice, lay_out(choice.graph, choice.functions)),
        lines=code_lines(
            choice.graph, (cut for [ends] in places if ends is not None for cut in ends)
        ),
        places=json.dumps(places, separators=(",", ":")),
    )
    return made.decode("utf-8")


def graph_frame(graph: SemanticGraph) -> str:
    """The page of a graph in a frame, as a notebook shows it."""
    page = escape(graph_page(graph, f"{graph.language} code".strip()))
    return (
        f'<iframe srcdoc="{page}" title="Semantic graph" loading="lazy" '
        'style="width: 100%; height: 42rem; border: 1px solid #c9c4b8"></iframe>'
    )


def _places(choice: Shown) -> list[list[tuple[int, int] | None]]:
    """For each node that is drawn where its code begins and ends in characters."""
    graph = choice.graph
    characters = graph.positions.characters
    size = len(graph.data)
    return [
        [(characters(min(start, size)), characters(min(end, size)))]
        if kind != ROOT and function in choice.functions
        else [None]
        for kind, function, start, end in zip(
            graph.kind.tolist(),
            graph.function.tolist(),
            graph.start.tolist(),
            graph.end.tolist(),
            strict=True,
        )
    ]
