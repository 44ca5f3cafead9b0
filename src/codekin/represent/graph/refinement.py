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
from codekin.represent.graph.semantic_graph import SemanticGraph

__all__ = ["refined_nodes"]

Ids = npt.NDArray[np.uint64]

_ROUNDS = 3
_FACTORS = np.array(
    [0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x27D4EB2F165667C5], np.uint64
)[:, None]


def refined_nodes(graph: SemanticGraph, rounds: int = _ROUNDS) -> Ids:
    """The nodes of a graph, each identified by its label and its surroundings, sorted.

    Equal graphs have equal results, whatever the order of their nodes. Different graphs with equal
    results are rare. Names of variables and functions do not count, nor do the order of statements
    that do not depend on each other and the order of operands.

    Parameters
    ----------
    graph : SemanticGraph
        With operators and literals as labels.
    rounds : int
        How many edges away from a node its surroundings end.

    Examples
    --------
    >>> from codekin import semantic_graph
    >>> texts = "y = a * 2 + 1", "z = 1 + 2 * b", "y = a + 1 * 2"
    >>> one, same, other = (
    ...     refined_nodes(semantic_graph(text, "python", labels="operator+literal"))
    ...     for text in texts
    ... )
    >>> np.array_equal(one, same), np.array_equal(one, other)
    (True, False)
    """
    nodes = operation_ids(graph)
    for _ in range(rounds):
        families = _native.graph_features(nodes, graph.source, graph.target, graph.edge_kind)
        around = np.array(families, dtype=np.uint64)
        mixed = (around ^ (around >> np.uint64(31))) * _FACTORS
        nodes = (mixed ^ (mixed >> np.uint64(29))).sum(axis=0, dtype=np.uint64)
    return np.sort(nodes)
