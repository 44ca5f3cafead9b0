"""Two semantic graphs drawn together, as they were matched."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from codekin.measures.graph_match import GraphMatch
from codekin.report.graph.captions import Caption, caption, pair_caption
from codekin.report.graph.detail import Shown
from codekin.report.graph.drawing import lay_out
from codekin.report.graph.svg import Marks, drawing_svg, page_style, picture_style
from codekin.represent.flow.flow_ir import OperationKind
from codekin.represent.graph.parts import EdgeKind
from codekin.represent.graph.semantic_graph import SemanticGraph
from codekin.results import count_text

__all__ = [
    "BOTH",
    "CANDIDATE",
    "MEANINGS",
    "REFERENCE",
    "MergedGraph",
    "merge_graphs",
    "merged_svg",
    "pair_style",
    "pair_svg",
]

BOTH, CANDIDATE, REFERENCE = 0, 1, 2
MOST_NODES = 260
"""More nodes than that are no picture any more."""
_I64 = npt.NDArray[np.int64]
_Edge = tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class MergedGraph:
    """Two graphs as one.

    Attributes
    ----------
    graph : SemanticGraph
        Its nodes are in the order of the candidate's text, those of the reference alone where
        they stand between the others in the reference's.
    nodes : int64 array
        For each node its number in the candidate's graph and in the reference's, -1 for none.
    node_side, edge_side : list of int
        ``BOTH``, ``CANDIDATE`` or ``REFERENCE``.
    captions : tuple of Caption
        What is written on the nodes.
    notes : tuple of str
        What is left out, for the reader.
    """

    graph: SemanticGraph
    nodes: _I64
    node_side: list[int]
    edge_side: list[int]
    captions: tuple[Caption, ...]
    notes: tuple[str, ...]


def merge_graphs(match: GraphMatch, most: int = MOST_NODES) -> MergedGraph:
    """Lay two graphs over each other as they were matched.

    Of graphs with more than `most` nodes together, what differs and its neighbours are kept, as
    far as there is room.

    Parameters
    ----------
    match : GraphMatch
    most : int
    """
    nodes = _ordered(match)
    sides = np.where(nodes[:, 1] < 0, CANDIDATE, np.where(nodes[:, 0] < 0, REFERENCE, BOTH))
    edges = _edges(match, nodes)
    kept = np.arange(len(nodes))
    notes: tuple[str, ...] = () if match.candidate.graph.complete else ("A limit left edges out.",)
    if len(nodes) > most:
        kept = _differing(sides, edges, most)
        notes += (
            f"{count_text(len(nodes), 'node')} are too many: drawn are {len(kept):,} that differ "
            "or stand beside them.",
        )
    place = np.full(len(nodes), -1)
    place[kept] = np.arange(len(kept))
    drawn = sorted(
        (int(place[s]), int(place[t]), kind, side)
        for (s, t, kind), side in edges.items()
        if place[s] >= 0 and place[t] >= 0
    )
    graph = _union(match, nodes[kept], drawn)
    captions = tuple(_caption(match, one, other) for one, other in nodes[kept].tolist())
    side_of = sides[kept].tolist()
    return MergedGraph(graph, nodes[kept], side_of, [e[3] for e in drawn], captions, notes)


def _ordered(match: GraphMatch) -> _I64:
    """The nodes of both: a node of the reference alone follows the one that it follows there."""
    one, other = match.candidate.graph, match.reference.graph
    partner = match.partner
    back = np.full(len(other), -1, dtype=np.int64)
    back[match.pairs[:, 1]] = match.pairs[:, 0]
    rows = [((node, 0, 0), (node, int(partner[node]))) for node in range(len(one))]
    last: dict[int, int] = {}
    for node, function in enumerate(other.function.tolist()):
        if back[node] >= 0:
            last[function] = int(back[node])
        else:
            rows.append(((last.get(function, len(one)), 1, node), (-1, node)))
    rows.sort()
    return np.array([row for _, row in rows], dtype=np.int64)


def _edges(match: GraphMatch, nodes: _I64) -> dict[_Edge, int]:
    """Every edge of either graph, between nodes of both, and whose it is."""
    found: dict[_Edge, int] = {}
    graphs = match.candidate.graph, match.reference.graph
    for side, (graph, kept) in enumerate(zip(graphs, match.kept_edges, strict=True)):
        present = nodes[:, side] >= 0
        place = np.empty(len(graph), dtype=np.int64)
        place[nodes[present, side]] = np.flatnonzero(present)
        for source, target, kind, both in zip(
            place[graph.source].tolist(),
            place[graph.target].tolist(),
            graph.edge_kind.tolist(),
            kept.tolist(),
            strict=True,
        ):
            found.setdefault((source, target, kind), BOTH if both else side + 1)
    return found


def _differing(sides: npt.NDArray[np.int64], edges: dict[_Edge, int], most: int) -> _I64:
    """Nodes of one side, ends of edges of one side, and their neighbours, the first that fit."""
    differing = set(np.flatnonzero(sides).tolist())
    differing |= {end for (s, t, _), side in edges.items() if side for end in (s, t)}
    near = {e for (s, t, _) in edges for e in (s, t) if s in differing or t in differing}
    chosen = [0, *_first(differing - {0}, most - 1)]
    chosen += _first(near - set(chosen), most - len(chosen))
    return np.array(sorted(chosen), dtype=np.int64)


def _first(nodes: Iterable[int], most: int) -> list[int]:
    return sorted(nodes)[: max(0, most)]


def _caption(match: GraphMatch, one: int, other: int) -> Caption:
    graphs = match.candidate.graph, match.reference.graph
    if one >= 0 and other >= 0:
        return pair_caption(graphs[0].node(one), graphs[1].node(other))
    return caption(graphs[0].node(one) if one >= 0 else graphs[1].node(other))


def _union(match: GraphMatch, nodes: _I64, edges: list[tuple[int, int, int, int]]) -> SemanticGraph:
    """One graph of the nodes of both; a function that both have is one."""
    one, other = match.candidate.graph, match.reference.graph
    partner = match.partner
    same = {-1: -1}
    for node in np.flatnonzero((one.kind == OperationKind.ENTRY) & (partner >= 0)).tolist():
        same[int(other.function[partner[node]])] = int(one.function[node])
    functions = list(one.functions)
    for function in np.unique(other.function).tolist():
        if function not in same:
            same[function] = len(functions)
            functions.append(other.functions[function])
    labels = {name: i for i, name in enumerate(dict.fromkeys((*one.labels, *other.labels)))}
    is_first = nodes[:, 0] >= 0
    columns = {}
    for name in ("kind", "label", "start", "end", "function", "statement"):
        ours, theirs = getattr(one, name), getattr(other, name)
        if name == "label":
            theirs = np.array([labels[label] for label in other.labels], dtype=np.int32)[theirs]
            ours = np.array([labels[label] for label in one.labels], dtype=np.int32)[ours]
        elif name == "function":
            theirs = np.array([same[f] for f in theirs.tolist()], dtype=np.int32)
        columns[name] = np.where(is_first, ours[nodes[:, 0]], theirs[nodes[:, 1]])
    ends = np.array([edge[:3] for edge in edges], dtype=np.int32).reshape(-1, 3)
    return replace(
        one,
        **columns,
        source=ends[:, 0],
        target=ends[:, 1],
        edge_kind=ends[:, 2].astype(np.uint8),
        labels=tuple(labels),
        functions=tuple(functions),
    )


_WORDS = {BOTH: "shared", CANDIDATE: "candidate", REFERENCE: "reference"}
_SIGNS = {"candidate": "\N{MINUS SIGN}", "reference": "+"}
MEANINGS = {
    "shared": "in both",
    "candidate": "only in the candidate",
    "reference": "only in the reference",
}
"""What the words mean that nodes and edges are marked with."""
_RULES = """\
.sg .plain { opacity: .5; }
.sg .grounds { opacity: .3; }
.sg .edge.candidate, .sg .edge.reference { stroke-width: 1.8; }
.sg .ground { fill: none; stroke-width: 8; stroke-linecap: round; }
.sg .ground.candidate { stroke: $candidate; }
.sg .ground.reference { stroke: $reference; }
.sg .node.candidate rect { fill: $candidate-ground; stroke: $candidate; stroke-width: 2; }
.sg .node.candidate rect { stroke-dasharray: 6 3; }
.sg .node.reference rect { fill: $reference-ground; stroke: $reference; stroke-width: 2.6; }
.sg .node.candidate .label, .sg .node.reference .label { fill: $ink; }
.sg .sign circle { fill: $surface; stroke-width: 1.4; }
.sg .sign text { font-size: 12px; font-weight: 700; text-anchor: middle; }
.sg .sign.candidate circle { stroke: $candidate; }
.sg .sign.candidate text { fill: $candidate; }
.sg .sign.reference circle { stroke: $reference; }
.sg .sign.reference text { fill: $reference; }
.sg .open-tip-control { fill: none; stroke: $control; stroke-width: 1.6; }
.sg .other { font-style: italic; }
"""


def pair_svg(match: GraphMatch) -> str:
    """One picture of two graphs: what both have, and what one alone has.

    Of graphs with more than 260 nodes together, what differs and stands beside it is drawn; the
    picture says so.
    """
    return merged_svg(merge_graphs(match), match, picture_style(_RULES), legend=True)


def pair_style() -> str:
    """The style of such a picture inside a page."""
    return page_style(_RULES)


def merged_svg(
    merged: MergedGraph, match: GraphMatch, style: str = "", *, legend: bool = False
) -> str:
    """The picture of a merged graph, with a style inside it and a legend, or without."""
    graph = merged.graph
    choice = Shown(graph, tuple(sorted(set(graph.function.tolist()) - {-1})), merged.notes)
    drawing = lay_out(graph, choice.functions, merged.captions, merged.edge_side)
    counts = match.counts
    marks = Marks(
        {node: _WORDS[side] for node, side in enumerate(merged.node_side)},
        {
            (edge.source, edge.target, EdgeKind(edge.kind)): _WORDS[side]
            for edge, side in zip(graph.edges(), merged.edge_side, strict=True)
        },
        _SIGNS,
        f"Two semantic graphs over each other: {count_text(counts['matched_nodes'], 'node')} and "
        f"{count_text(counts['preserved_edges'], 'edge')} in both",
        tuple((word, MEANINGS[word]) for word in _SIGNS) if legend else (),
    )
    return drawing_svg(choice, drawing, style, marks)
