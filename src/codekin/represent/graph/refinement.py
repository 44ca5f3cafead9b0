"""Colour refinement: what a semantic graph looks like from each of its nodes.

References
----------
.. [1] Weisfeiler and Leman, The reduction of a graph to canonical form and the algebra which
   appears therein, 1968.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.represent.graph.features import operation_ids
from codekin.represent.graph.parts import EdgeKind
from codekin.represent.graph.semantic_graph import SemanticGraph

__all__ = ["refined_nodes"]

Ids = npt.NDArray[np.uint64]
Places = npt.NDArray[np.int32]

_ROUNDS = 3
_CHAINED = ("+", "-", "*", "&&", "||", "&", "|", "^")
"""Operators that are one operation with all operands of a chain, as in ``a - b - c``."""
_FACTORS = np.array(
    [0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x27D4EB2F165667C5], np.uint64
)[:, None]


def refined_nodes(graph: SemanticGraph, rounds: int = _ROUNDS) -> Ids:
    """The nodes of a graph, each identified by its label and its surroundings, sorted.

    Equal graphs have equal results, whatever the order of their nodes. Different graphs with equal
    results are rare. Names of variables and functions do not count, nor do the order of statements
    that do not depend on each other and the order of operands, even of those that do not commute.

    Parameters
    ----------
    graph : SemanticGraph
        With operators and literals as labels.
    rounds : int
        How many edges away from a node its surroundings end.

    Examples
    --------
    >>> from codekin import semantic_graph
    >>> texts = "y = a - 1 - i", "z = b - j - 1", "y = a + 1 - i"
    >>> one, same, other = (
    ...     refined_nodes(semantic_graph(text, "python", labels="operator+literal"))
    ...     for text in texts
    ... )
    >>> np.array_equal(one, same), np.array_equal(one, other)
    (True, False)
    """
    nodes, source, target, kinds = _with_chains_joined(graph)
    for _ in range(rounds):
        families = _native.graph_features(nodes, source, target, kinds)
        around = np.array(families, dtype=np.uint64)
        mixed = (around ^ (around >> np.uint64(31))) * _FACTORS
        nodes = (mixed ^ (mixed >> np.uint64(29))).sum(axis=0, dtype=np.uint64)
    return np.sort(nodes)


def _with_chains_joined(
    graph: SemanticGraph,
) -> tuple[Ids, Places, Places, npt.NDArray[np.uint8]]:
    """The nodes and edges of a graph, with chains of one operator as one node."""
    nodes, source, target = operation_ids(graph), graph.source, graph.target
    data = graph.edge_kind == int(EdgeKind.DATA)
    chained = np.array([label in _CHAINED for label in graph.labels], bool)[graph.label]
    users = np.bincount(source[data], minlength=len(nodes))
    inner = data & chained[source] & (users[source] == 1) & (nodes[source] == nodes[target])
    last = np.arange(len(nodes))
    last[source[inner]] = target[inner]
    kept = last == np.arange(len(nodes))
    for _ in range(len(nodes).bit_length()):
        last = last[last]
    place = np.cumsum(kept) - 1
    # What controls a chain controls its last operation. A chain that feeds itself has none.
    stays = ~inner & (data | kept[target]) & kept[last[source]] & kept[last[target]]
    return (
        nodes[kept],
        place[last[source[stays]]].astype(np.int32),
        place[last[target[stays]]].astype(np.int32),
        graph.edge_kind[stays],
    )
