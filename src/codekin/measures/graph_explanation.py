"""Why two semantic graphs are so alike: which operations were found again, and which were not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from codekin.measures.explanation import Explanation, Span
from codekin.measures.graph_match import GraphMatch
from codekin.measures.highlight import spans_of_tokens
from codekin.represent.flow_ir import OperationKind
from codekin.represent.graph_export import excerpt
from codekin.represent.semantic_graph import ROOT, EdgeKind, SemanticGraph
from codekin.source import Source

__all__ = ["edit_summary", "explain_match", "node_levels", "node_words", "token_levels"]

_MOST = 8
"""So many of each are listed; the picture has all."""
_LONGEST = 40
_I64 = npt.NDArray[np.int64]
_Levels = npt.NDArray[np.float64]


def explain_match(match: GraphMatch, candidate: Source, reference: Source) -> Explanation:
    """An edit of one semantic graph into another, in words and in the two texts.

    Parameters
    ----------
    match : GraphMatch
    candidate, reference : Source
        The texts of its graphs.
    """
    levels = node_levels(match)
    return Explanation(
        f"{edit_summary(match)} The more of an operation's edges are kept, the darker is its code.",
        _node_spans(candidate, match.candidate.graph, levels[0]),
        _node_spans(reference, match.reference.graph, levels[1]),
        candidate.text,
        reference.text,
        details=tuple(_details(match)),
    )


def edit_summary(match: GraphMatch) -> str:
    """What an edit keeps and costs, and what is proven of that."""
    counts = match.counts
    exact = match.lower == match.upper
    edit = "The cheapest edit" if exact else "The cheapest edit found"
    proven = "proven to be the fewest" if exact else f"where {match.lower:,} or more are needed"
    return (
        f"{edit} of one graph into the other keeps {counts['matched_nodes']:,} of "
        f"{counts['nodes']:,} and {counts['reference_nodes']:,} nodes and "
        f"{counts['preserved_edges']:,} of {counts['edges']:,} and "
        f"{counts['reference_edges']:,} edges, and takes {match.upper:,} insertions and "
        f"deletions, {proven}."
    )


def node_levels(match: GraphMatch) -> tuple[_Levels, _Levels]:
    """For each node of both graphs how much of it is kept: itself and its edges, as a share.

    0 for a node that is not matched, 1 for one that is with all its edges.
    """
    graphs = match.candidate.graph, match.reference.graph
    found = []
    for side, (graph, kept) in enumerate(zip(graphs, match.kept_edges, strict=True)):
        ends = np.concatenate((graph.source, graph.target))
        edges = np.bincount(ends, minlength=len(graph))
        held = np.bincount(ends, weights=np.tile(kept, 2), minlength=len(graph))
        levels = np.zeros(len(graph))
        matched = match.pairs[:, side]
        levels[matched] = (1 + held[matched]) / (1 + edges[matched])
        found.append(levels)
    return found[0], found[1]


def _node_spans(source: Source, graph: SemanticGraph, levels: _Levels) -> tuple[Span, ...]:
    """Spans of the tokens whose node is matched."""
    return spans_of_tokens(source.tokens, token_levels(source, graph, levels))


def token_levels(source: Source, graph: SemanticGraph, levels: _Levels) -> list[float]:
    """For each token the level of its operation.

    Parameters
    ----------
    source : Source
    graph : SemanticGraph
        That of the source.
    levels : array of float
        By node, as :func:`node_levels` finds them.
    """
    tokens = source.tokens
    if not len(tokens.starts):
        return []
    owner = _owners(graph, tokens.starts.astype(np.int64), tokens.ends.astype(np.int64))
    return [round(level, 3) for level in levels[owner].tolist()]


def _owners(graph: SemanticGraph, starts: _I64, ends: _I64) -> _I64:
    """For each token the innermost operation around it.

    What belongs to no operation, such as the word ``if``, goes with the next one on its line, or
    the one before; what stands alone there with the function.
    """
    owner = np.zeros(len(starts), dtype=np.int64)
    size = graph.end - graph.start
    for node in np.lexsort((np.arange(len(graph)), -size)).tolist():
        first = np.searchsorted(starts, graph.start[node])
        last = np.searchsorted(ends, graph.end[node], side="right")
        owner[first:last] = node
    is_whole = (graph.kind == ROOT) | (graph.kind == OperationKind.ENTRY)
    lines = graph.positions.lines_of(starts.astype(np.int32))
    inner = np.flatnonzero(~is_whole & (graph.kind != OperationKind.PARAMETER))
    inner = inner[np.argsort(graph.start[inner], kind="stable")]
    if not len(inner):
        return owner
    after = np.searchsorted(graph.start[inner], starts)
    for token in np.flatnonzero(is_whole[owner] & (graph.lines[owner] != lines)).tolist():
        for place in (after[token], after[token] - 1):
            if 0 <= place < len(inner) and graph.lines[inner[place]] == lines[token]:
                owner[token] = inner[place]
                break
    return owner


def node_words(graph: SemanticGraph, index: int) -> str:
    """A node in a few words: its line and its code."""
    node = graph.node(index)
    if not node.text:
        return node.label
    return f"{node.line} {excerpt(' '.join(node.text.split()), _LONGEST)}"


def _details(match: GraphMatch) -> Iterator[tuple[str, str]]:
    one, other = match.candidate.graph, match.reference.graph
    pairs = match.pairs.tolist()
    changed = [(a, b) for a, b in pairs if one.node(a).text.split() != other.node(b).text.split()]
    yield from _listed(
        "matched, written differently",
        [f"{node_words(one, a)} ↔ {node_words(other, b)}" for a, b in changed],
    )
    for side, (graph, name) in enumerate(((one, "candidate"), (other, "reference"))):
        alone = np.setdiff1d(np.arange(len(graph)), match.pairs[:, side]).tolist()
        yield from _listed(f"only in the {name}", [node_words(graph, node) for node in alone])
    for side, (graph, name) in enumerate(((one, "candidate"), (other, "reference"))):
        matched = np.zeros(len(graph), dtype=bool)
        matched[match.pairs[:, side]] = True
        lost = ~match.kept_edges[side] & matched[graph.source] & matched[graph.target]
        yield from _listed(
            f"edges of matched operations, only in the {name}",
            [_edge_words(graph, edge) for edge in np.flatnonzero(lost).tolist()],
        )


def _edge_words(graph: SemanticGraph, edge: int) -> str:
    ends = (node_words(graph, int(end[edge])) for end in (graph.source, graph.target))
    return f"{EdgeKind(int(graph.edge_kind[edge])).name.lower()} {' → '.join(ends)}"


def _listed(name: str, items: list[str]) -> Iterator[tuple[str, str]]:
    if items:
        more = f"; {len(items) - _MOST:,} more" if len(items) > _MOST else ""
        yield name, "; ".join(items[:_MOST]) + more
