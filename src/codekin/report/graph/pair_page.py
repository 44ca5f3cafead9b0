"""Two programs as a page: their texts side by side, and their graphs drawn together."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from codekin._version import __version__
from codekin.errors import CodekinError
from codekin.measures.base import Score
from codekin.measures.cssg import (
    Cssg,
    edit_summary,
    explain_match,
    node_levels,
    token_levels,
)
from codekin.measures.graph_match import GraphMatch
from codekin.plain_text import plain
from codekin.report.graph.code import Shade, code_lines
from codekin.report.graph.graph_page import KIND_MEANINGS
from codekin.report.graph.pair import (
    MEANINGS,
    MergedGraph,
    merge_graphs,
    merged_svg,
    pair_style,
    pair_svg,
)
from codekin.report.page_file import template_environment, with_files
from codekin.report.page_names import page_names
from codekin.represent.flow.flow_ir import OperationKind
from codekin.represent.graph.parts import ROOT, EdgeKind
from codekin.represent.graph.semantic_graph import SemanticGraph
from codekin.source import Source

__all__ = ["pair_page", "pair_text"]

_Place = tuple[int, int] | None
"""Where the code of a node begins and ends in characters."""


def pair_text(score: Score, names: Sequence[str], output: str) -> str:
    """The page (``"html"``) or the picture (``"svg"``) of what cssg matched.

    Parameters
    ----------
    score : Score
        What cssg says of two programs.
    names : sequence of str
        Where the candidate and the reference came from.
    output : str
    """
    if not isinstance(score.measure, Cssg):
        raise CodekinError(f"{score.measure.name} matches no graphs that could be drawn")
    match = score.measure.match(*score.pair)
    return pair_svg(match) + "\n" if output == "svg" else pair_page(score, match, names)


def pair_page(score: Score, match: GraphMatch, names: Sequence[str]) -> str:
    """The page of two programs; the same programs give the same bytes.

    Parameters
    ----------
    score : Score
        What cssg says of them.
    match : GraphMatch
        The edit that it counts.
    names : sequence of str
        Where the candidate and the reference came from.
    """
    candidate, reference = score.pair
    names = page_names(names)
    merged = merge_graphs(match)
    places = _places(merged, match)
    levels = node_levels(match)
    panes = [
        {
            "role": role,
            "name": plain(name),
            "lines": code_lines(graph, _cuts(places, side), _shades(source, graph, levels[side])),
        }
        for side, (role, name, graph, source) in enumerate(
            (
                ("candidate", names[0], match.candidate.graph, candidate),
                ("reference", names[1], match.reference.graph, reference),
            )
        )
    ]
    why = explain_match(match, candidate, reference)
    edges = np.bincount(merged.graph.edge_kind, minlength=len(EdgeKind)).tolist()
    made = with_files(
        template_environment(),
        "pair.html.j2",
        ("base.css", "graph.css", "pair.css"),
        ("theme.js", "graph.js"),
        version=__version__,
        panes=panes,
        score=score,
        counts=match.counts,
        summary=edit_summary(match),
        details=why.details,
        notes=merged.notes,
        kinds=[(kind.name.lower(), edges[kind], KIND_MEANINGS[kind]) for kind in EdgeKind],
        sides=MEANINGS,
        drawing_style=pair_style(),
        picture=merged_svg(merged, match),
        places=json.dumps(places, separators=(",", ":")),
    )
    return made.decode("utf-8")


def _places(merged: MergedGraph, match: GraphMatch) -> list[list[_Place]]:
    """For each node that is drawn its code in the candidate and in the reference."""
    graphs = match.candidate.graph, match.reference.graph
    return [
        [_place(graph, node) for graph, node in zip(graphs, pair, strict=True)]
        for pair in merged.nodes.tolist()
    ]


def _place(graph: SemanticGraph, node: int) -> _Place:
    if node < 0 or graph.kind[node] == ROOT:
        return None
    start, end, size = int(graph.start[node]), int(graph.end[node]), len(graph.data)
    if graph.kind[node] == OperationKind.ENTRY:  # of a function its first line, not all of it
        line = graph.data.find(b"\n", start)
        end = min(end, line) if line >= 0 else end
    characters = graph.positions.characters
    return characters(min(start, size)), characters(min(end, size))


def _cuts(places: list[list[_Place]], side: int) -> set[int]:
    return {cut for pair in places if (ends := pair[side]) is not None for cut in ends}


def _shades(source: Source, graph: SemanticGraph, levels: npt.NDArray[np.float64]) -> list[Shade]:
    """Code that was not found again, and such whose edges were not all found."""
    tokens = source.tokens
    characters = tokens.positions.characters
    shades: list[Shade] = []
    for start, end, level in zip(
        tokens.starts.tolist(),
        tokens.ends.tolist(),
        token_levels(source, graph, levels),
        strict=True,
    ):
        if level == 1 or start == end:
            continue
        kind = "part" if level > 0 else "alone"
        begin, until = characters(start), characters(end)
        if shades and shades[-1][2] == kind and not source.text[shades[-1][1] : begin].strip(" "):
            begin = shades.pop()[0]
        shades.append((begin, until, kind))
    return shades
