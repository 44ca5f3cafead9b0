"""Features of a graph in a canonical form, which rewrites that keep the meaning hardly change.

Whether a comparison is mirrored or negated, an update is written ``i++``, ``i += 1`` or ``i = i +
1``, or a value is kept in a variable first: the features are the same. That a program and its
opposite have the same features, too, is the price.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.represent.graph.features import (
    Bag,
    Family,
    Named,
    dependence_names,
    operation_ids,
    operation_words,
)
from codekin.represent.graph.parts import EdgeKind
from codekin.represent.graph.semantic_graph import SemanticGraph

__all__ = ["CanonicalGraph", "canonical_graph"]

_UPDATED = ("+", "-", "*", "/", "//", "%", "**", "<<", ">>", ">>>", "&", "|", "^", "&&", "||", "??")
_SAME = {
    **dict.fromkeys(("<", "<=", ">", ">="), "<"),
    **{"!=": "==", "not in": "in"},
    **{f"{operator}=": operator for operator in _UPDATED},
    **{"++": "+", "--": "-"},
}
"""Labels that a mirrored or negated comparison, or an update written differently, leads to."""
_PASSED = ("=", "!")
"""Labels of nodes that only pass a value on; what gives it to them gives it to those behind."""
_COUNTED = ("+", "-")
"""Labels of nodes that do not count a constant of one, which ``++`` does not spell out."""
_STEPS = 50
"""Edges that may be followed per node and edge of a graph."""

Places = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]
Ends = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]


@dataclass(frozen=True, eq=False)
class CanonicalGraph:
    """The nodes of a semantic graph that canonical features come from, and their dependences.

    Attributes
    ----------
    graph : SemanticGraph
    nodes : int64 array
        Their places in the semantic graph.
    source, target : int32 arrays
        The ends of the edges, as places in `nodes`.
    edge_kind : uint8 array
        Each edge is one of data or of control.
    """

    graph: SemanticGraph
    nodes: npt.NDArray[np.int64]
    source: Places
    target: Places
    edge_kind: npt.NDArray[np.uint8]

    def bags(self) -> list[Bag]:
        """The features by family, each bag in the order of `nodes`."""
        ids = operation_ids(self.graph, _SAME)[self.nodes]
        families = _native.graph_features(ids, self.source, self.target, self.edge_kind)
        return [Bag(Family(i), features) for i, features in enumerate(families)]

    def names(self) -> dict[Family, list[Named]]:
        """The name and the place in `nodes` of each feature, in the order of the bags."""
        every = operation_words(self.graph)
        words = [_SAME.get(every[node], every[node]) for node in self.nodes.tolist()]
        ends = zip(self.source.tolist(), self.target.tolist(), strict=True)
        edges = zip(ends, map(EdgeKind, self.edge_kind.tolist()), strict=True)
        return dependence_names(words, ((*both, kind) for both, kind in edges))


def canonical_graph(graph: SemanticGraph) -> CanonicalGraph:
    """The part of a graph that canonical features come from.

    Parameters
    ----------
    graph : SemanticGraph
        With operators and literals as labels.

    Examples
    --------
    >>> from codekin import semantic_graph
    >>> def features(text):
    ...     graph = semantic_graph(text, language="c", labels="operator+literal")
    ...     return [sorted(bag.features.tolist()) for bag in canonical_graph(graph).bags()]
    >>> one = "int f(int n) { int i = 0; while (i < n) i++; return i; }"
    >>> features(one) == features(one.replace("i < n", "n > i").replace("i++", "i = i + 1"))
    True
    >>> graph = semantic_graph("y = x\\nif not y >= 1: f(y)", "python", labels="operator+literal")
    >>> [name for name, _ in canonical_graph(graph).names()[Family.CONTROL]]
    ['entry if nothing', '1 if entry', '< if entry', 'call:f if <']
    """
    words = [_SAME.get(label, label) for label in graph.labels]
    passed = np.array([word in _PASSED for word in words], bool)[graph.label]
    budget = _STEPS * (len(graph) + len(graph.source))
    data = graph.edge_kind == int(EdgeKind.DATA)
    control = graph.edge_kind == int(EdgeKind.CONTROL)
    data_edges, left = _past(graph.source[data], graph.target[data], passed, budget)
    # What decides is found upwards: a negated condition is decided by what it negates.
    up = np.where(passed[graph.target], data, control)
    control_edges, _ = _past(graph.target[up], graph.source[up], passed, left)
    kept = ~passed & ~_unit_steps(graph, words)
    kept[0] = False  # the root
    place = np.cumsum(kept) - 1
    source = np.concatenate([data_edges[0], control_edges[1]])
    target = np.concatenate([data_edges[1], control_edges[0]])
    kinds = np.repeat(
        np.array([EdgeKind.DATA, EdgeKind.CONTROL], np.uint8),
        [len(data_edges[0]), len(control_edges[0])],
    )
    stays = kept[source] & kept[target]
    return CanonicalGraph(
        graph,
        np.flatnonzero(kept),
        place[source[stays]].astype(np.int32),
        place[target[stays]].astype(np.int32),
        kinds[stays],
    )


def _unit_steps(graph: SemanticGraph, words: list[str]) -> npt.NDArray[np.bool_]:
    """Constants of one that are only added or subtracted."""
    ones = np.array([word == "1" for word in words], bool)[graph.label]
    counted = np.array([word in _COUNTED for word in words], bool)[graph.label]
    data = graph.edge_kind == int(EdgeKind.DATA)
    used, elsewhere = np.zeros(len(graph), bool), np.zeros(len(graph), bool)
    used[graph.source[data]] = True
    elsewhere[graph.source[data][~counted[graph.target[data]]]] = True
    return ones & used & ~elsewhere


def _past(source: Places, target: Places, passed: Flags, budget: int) -> tuple[Ends, int]:
    """The edges between nodes that are not passed, through those that are.

    Returns
    -------
    (pair of int64 arrays, int)
        The ends of the edges, each once, and what is left of the budget. Once nothing is left, only
        direct edges are found.
    """
    direct = ~passed[source] & ~passed[target]
    begins: list[int] = []
    ends: list[int] = []
    after: dict[int, list[int]] = {}
    for start, end in zip(source[~direct].tolist(), target[~direct].tolist(), strict=True):
        after.setdefault(start, []).append(end)
    skips = passed.tolist()
    for start in dict.fromkeys(source[~passed[source] & passed[target]].tolist()):
        waiting = after[start].copy()
        seen = set(waiting)
        while waiting and budget > 0:
            for node in after.get(waiting.pop(), ()):
                budget -= 1
                if node not in seen:
                    seen.add(node)
                    if skips[node]:
                        waiting.append(node)
                    else:
                        begins.append(start)
                        ends.append(node)
    count = len(passed)
    found = np.array(begins, np.int64) * count + np.array(ends, np.int64)
    keys = np.concatenate([source[direct].astype(np.int64) * count + target[direct], found])
    keys.sort()  # np.unique hashes, which takes longer
    keys = keys[np.diff(keys, prepend=-1) > 0]
    return divmod(keys, count), budget
