"""Two semantic graphs as one: what both have stands once, what one alone has is marked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from codekin.measures.graph_match import GraphMatch
from codekin.report.figures import count_text
from codekin.report.graph.captions import Caption, caption, pair_caption
from codekin.represent.flow.flow_ir import OperationKind
from codekin.represent.graph.semantic_graph import SemanticGraph

__all__ = ["BOTH", "CANDIDATE", "REFERENCE", "MergedGraph", "merge_graphs"]

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
