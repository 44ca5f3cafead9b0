"""A semantic graph as a page: the code on one side, the graph on the other, in one file."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from html import escape
from typing import Any

import numpy as np

from codekin._version import __version__
from codekin.plain_text import plain
from codekin.report.graph.call_graph import call_graph, call_graph_svg
from codekin.report.graph.code import code_lines
from codekin.report.graph.detail import shown
from codekin.report.graph.svg import labelled_svg, page_style
from codekin.report.graph.syntax_tree import TREE_STYLE
from codekin.report.graph.views import GraphViews, Picture, places_of
from codekin.report.page_file import template_environment, with_files
from codekin.report.page_names import page_name
from codekin.report.pages import Pages, embed, put_json
from codekin.represent.flow.flow_ir import OperationKind
from codekin.represent.graph.parts import EdgeKind
from codekin.represent.graph.semantic_graph import SemanticGraph

__all__ = ["KIND_MEANINGS", "graph_frame", "graph_page"]

KIND_MEANINGS = {
    EdgeKind.DATA: "a value that one defines and the other uses",
    EdgeKind.CONTROL: "whether the other runs",
    EdgeKind.CALL: "a call of a function in this text",
    EdgeKind.ROOT: "the program has the function",
}
"""What the kinds of edges say."""


def graph_page(
    graph: SemanticGraph,
    name: str,
    stage: str = "semantic",
    part: str = "",
    *,
    faded: bool = False,
    tree: bool = False,
) -> str:
    """The page of a graph; the same graph gives the same bytes.

    It opens with the whole graph, or with a call graph if that is too large, and draws a function
    when the reader chooses it.

    Parameters
    ----------
    graph : SemanticGraph
    name : str
        Where the code came from.
    stage : str
        What is shown first: ``"cfg"`` for control flow, anything else for the graph.
    part : str
        What the graph is a part of, in words.
    faded : bool
        Whether lines without nodes are pale.
    tree : bool
        Whether syntax trees can be seen, too.
    """
    views = GraphViews(graph, with_trees=tree)
    choice = shown(graph)
    large = len(choice.functions) < len(views.functions)
    if large:
        picture, notes = call_graph_svg(call_graph(graph))
        places: list[Any] = []
        if not graph.complete:
            notes = ("A limit left edges out.", *notes)
    else:
        picture, notes = labelled_svg(choice), choice.notes
        places = places_of(choice)
    first, last = views.lines
    lines = code_lines(graph, views.cuts())[first - 1 : last]
    if faded:
        lines = _faded(lines, first, set(graph.lines.tolist()))
    counts = np.bincount(choice.graph.edge_kind, minlength=len(EdgeKind)).tolist()
    data = io.BytesIO()
    pages = Pages(data, "views")
    for item in _view_items(views, large):
        pages.add(item, sum(len(picture["svg"]) for picture in item.values() if picture))
    pages.close()
    text = graph.data.decode("utf-8", "replace")
    put_json(
        data, "lines", {"shown": lines if large else [], "text": text.split("\n")[first - 1 : last]}
    )
    made = with_files(
        template_environment(),
        "graph.html.j2",
        ("base.css", "graph.css"),
        ("theme.js", "pieces.js", "graph.js", "graph_views.js"),
        version=__version__,
        name=plain(page_name(name)),
        part=plain(part),
        first=first,
        graph=graph,
        functions=int((graph.kind == OperationKind.ENTRY).sum()),
        notes=notes,
        kinds=[(kind.name.lower(), counts[kind], KIND_MEANINGS[kind]) for kind in EdgeKind],
        drawing_style=page_style(TREE_STYLE if tree else ""),
        picture=picture,
        lines=() if large else lines,
        large=large,
        tree=tree,
        places=json.dumps(places, separators=(",", ":")),
        views=embed(
            {
                "starts": pages.starts,
                "from": first,
                "large": large,
                "first": "flow" if stage == "cfg" else "dependence",
                "functions": [
                    [one.number, one.name, one.first, one.last] for one in views.functions
                ],
            }
        ),
        data=data.getvalue().decode("ascii"),
    )
    return made.decode("utf-8")


def _faded(lines: list[str], first: int, kept: set[int]) -> list[str]:
    return [
        line if number in kept or not line else f'<i class="out">{line}</i>'
        for number, line in enumerate(lines, first)
    ]


def _view_items(views: GraphViews, large: bool) -> Iterator[dict[str, Any]]:
    """The pictures of the whole, if it is small, and of each function."""
    whole = None if large else views.whole_control_flow
    yield {
        "dependence": {"svg": "", "places": [], "notes": ()},
        "flow": _pictured(whole),
        "tree": _pictured(None if large else views.whole_tree),
    }
    for function in views.functions:
        yield {
            "dependence": _pictured(views.dependence(function.number)),
            "flow": _pictured(views.control_flow(function.number)),
            "tree": _pictured(views.tree(function.number)),
        }


def _pictured(picture: Picture | None) -> dict[str, Any] | None:
    if picture is None:
        return None
    return {"svg": picture.svg, "places": picture.places, "notes": picture.notes}


def graph_frame(graph: SemanticGraph) -> str:
    """The page of a graph in a frame, as a notebook shows it."""
    page = escape(graph.to_html())
    return (
        f'<iframe srcdoc="{page}" title="Semantic graph" loading="lazy" '
        'style="width: 100%; height: 42rem; border: 1px solid #c9c4b8"></iframe>'
    )
