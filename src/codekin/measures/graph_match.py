"""The match of two semantic graphs: what an edit of one into the other keeps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from codekin.align.graph_edit import graph_edit_distance
from codekin.measures.graph_costs import UNIT, GraphCosts, graph_costs
from codekin.represent.flow.flow_ir import OperationKind
from codekin.represent.graph.parts import EdgeKind
from codekin.represent.graph.semantic_graph import SemanticGraph
from codekin.source import Source, semantic_graph

__all__ = ["ComparableGraph", "GraphMatch", "comparable_graph", "is_whole", "match_graphs"]

_I64 = npt.NDArray[np.int64]
_KINDS = len(EdgeKind)
_RECENT = 8
"""How many matches are cached: a score, its explanation and its picture need the same one."""
_ANY_ENTRY, _ANY_CALL = "entry", "call:<own>"


@dataclass(frozen=True, eq=False)
class ComparableGraph:
    """A semantic graph in an order that does not depend on the order of functions in the text.

    Attributes
    ----------
    graph : SemanticGraph
    order : int64 array
        The node of `graph` at each position, the root first.
    labels : tuple of str
        What each node must have in common to match.
    edges : int64 array
        Source, target and kind of each edge, by positions and sorted. If kinds do not count,
        there are no duplicates, and the kind is the most expensive one, or left out if all cost
        the same.
    costs : GraphCosts
        What nodes and edges cost.
    """

    graph: SemanticGraph
    order: _I64
    labels: tuple[str, ...]
    edges: _I64
    costs: GraphCosts = UNIT

    def __len__(self) -> int:
        """The number of nodes and edges."""
        return len(self.labels) + len(self.edges)

    @cached_property
    def cost(self) -> int:
        """What all nodes and edges cost together, by which distances are normalised."""
        if self.costs.is_unit:
            return len(self)
        of_kinds = np.array(self.costs.of_kinds)
        return sum(map(self.costs.of_label, self.labels)) + int(of_kinds[self.edges[:, 2]].sum())

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing but the root."""
        return len(self.labels) == 1

    @cached_property
    def rank(self) -> tuple[Any, ...]:
        """A sort key that is equal for equal graphs."""
        return len(self), self.labels, self.edges.tobytes()


def comparable_graph(
    source: Source,
    *,
    functions: str = "name",
    typed: bool = False,
    costs: str = "unit",
    **options: Any,
) -> ComparableGraph:
    """The graph of a source, ready to be matched; cached with the source.

    Parameters
    ----------
    source : Source
    functions : str
        ``"name"``, or ``"any"``: entries and calls of functions in the text have no names.
    typed : bool
        Whether the kinds of edges count.
    costs : str
        What nodes and edges cost, as in :func:`graph_costs`.
    **options
        As for :func:`codekin.semantic_graph`.
    """
    plain = ("comparable graph", functions, typed, *sorted(options.items(), key=lambda o: o[0]))
    key = plain if costs == "unit" else (*plain, costs)
    given = graph_costs(costs)
    return source.remember(key, lambda: _comparable(source, functions, typed, given, options))


def _comparable(
    source: Source, functions: str, typed: bool, costs: GraphCosts, options: dict[str, Any]
) -> ComparableGraph:
    if functions == "name":
        graph = semantic_graph(source, **options)
    else:
        graph = _nameless(semantic_graph(source, **(options | {"granularity": "operation"})))
        graph = graph.by_statement() if options.get("granularity") == "statement" else graph
    order = _by_function(graph)
    place = np.argsort(order)
    keys = place[graph.source] * len(graph) + place[graph.target]
    with_kinds = typed or not costs.is_unit
    keys = _distinct(keys * _KINDS + graph.edge_kind) if with_kinds else _distinct(keys)
    if with_kinds and not typed:
        keys = _most_expensive(keys, costs)
    ends = np.divmod(keys // _KINDS if with_kinds else keys, len(graph))
    edges = np.column_stack((*ends, keys % _KINDS) if with_kinds else ends)
    labels = tuple([graph.labels[i] for i in graph.label[order].tolist()])
    return ComparableGraph(graph, order, labels, edges, costs)


def _most_expensive(keys: _I64, costs: GraphCosts) -> _I64:
    """Of the edges between the same nodes, the one whose kind costs most."""
    price = np.array(costs.of_kinds)[keys % _KINDS]
    ordered = keys[np.lexsort((-price, keys // _KINDS))]
    ends = ordered // _KINDS
    return ordered[np.append(True, ends[1:] != ends[:-1])] if len(keys) else keys


def _nameless(graph: SemanticGraph) -> SemanticGraph:
    """The graph with one label for all entries, and one for all calls that lead to them."""
    labels = {name: i for i, name in enumerate((*graph.labels, _ANY_ENTRY, _ANY_CALL))}
    label = graph.label.copy()
    label[graph.kind == OperationKind.ENTRY] = labels[_ANY_ENTRY]
    if graph.options.labels.startswith("operator"):  # other schemes contain no names
        label[graph.source[graph.edge_kind == EdgeKind.CALL]] = labels[_ANY_CALL]
    return replace(graph, label=label, labels=tuple(labels))


def _by_function(graph: SemanticGraph) -> _I64:
    """The nodes by function, with functions ordered by their names and contents."""
    functions = np.unique(graph.function[1:]).tolist()
    members = {function: np.flatnonzero(graph.function == function) for function in functions}
    within = np.zeros(len(graph), dtype=np.int64)
    for nodes in members.values():
        within[nodes] = np.arange(len(nodes))
    edges = list(
        zip(
            *(graph.function[end].tolist() for end in (graph.source, graph.target)),
            *(within[end].tolist() for end in (graph.source, graph.target)),
            graph.edge_kind.tolist(),
            strict=True,
        )
    )
    own: dict[int, list[tuple[int, ...]]] = {function: [] for function in functions}
    for function, other, *edge in edges:
        if function == other:
            own[function].append(tuple(edge))
    names = {f: [graph.labels[i] for i in graph.label[nodes]] for f, nodes in members.items()}
    rank = _ranks({function: (names[function], own[function]) for function in functions})
    if len(set(rank.values())) < len(functions):
        rank = _refined_ranks(rank, edges)
    found = sorted(functions, key=lambda function: rank[function])
    return np.concatenate(([0], *(members[function] for function in found))).astype(np.int64)


def _ranks(keys: dict[int, Any]) -> dict[int, int]:
    places: dict[int, int] = {}
    last, rank = None, -1
    for function in sorted(keys, key=lambda function: keys[function]):
        rank += keys[function] != last
        places[function], last = rank, keys[function]
    return places


def _refined_ranks(rank: dict[int, int], edges: list[tuple[int, ...]]) -> dict[int, int]:
    """Ranks of functions that look the same on their own, by the edges to and from them.

    When a rank is split, the largest group keeps its rank and the others get new ones, so only
    their neighbours are visited again (as in Hopcroft's algorithm): a chain of thousands of
    functions that call one another takes nearly linear time.
    """
    rank = dict(rank)
    near: dict[int, list[tuple[int, ...]]] = {function: [] for function in rank}
    for function, other, start, end, kind in edges:
        if function != other and function in rank and other in rank:
            near[function].append((0, start, kind, end, other))
            near[other].append((1, end, kind, start, function))
    alike: dict[int, set[int]] = {}
    for function, place in rank.items():
        alike.setdefault(place, set()).add(function)

    def surroundings(function: int) -> tuple[tuple[int, ...], ...]:
        return tuple(sorted((*edge, rank[other]) for *edge, other in near[function]))

    changed = set(rank)
    while changed:
        parts = _parts(changed, rank, alike, surroundings)
        changed = set()
        for place, part in parts:
            new = len(alike)
            alike[place] -= part
            alike[new] = part
            rank.update(dict.fromkeys(part, new))
            changed.update(edge[-1] for function in part for edge in near[function])
    return rank


def _parts(
    changed: set[int],
    rank: dict[int, int],
    alike: dict[int, set[int]],
    surroundings: Callable[[int], tuple[tuple[int, ...], ...]],
) -> list[tuple[int, set[int]]]:
    """What leaves each rank, in an order that depends only on the graph.

    Functions whose surroundings did not change still look the same, so one represents all.
    """
    seen: dict[int, dict[tuple[tuple[int, ...], ...], set[int]]] = {}
    for function in changed:
        seen.setdefault(rank[function], {}).setdefault(surroundings(function), set()).add(function)
    leaving = []
    for place, kinds in sorted(seen.items()):
        sizes = {kind: len(part) for kind, part in kinds.items()}
        unchanged = len(alike[place]) - sum(sizes.values())
        if unchanged:
            shared = surroundings(next(one for one in alike[place] if one not in changed))
            sizes[shared] = sizes.get(shared, 0) + unchanged
        stays = min(sizes, key=lambda kind: (-sizes[kind], kind))
        if unchanged and shared != stays:
            others = alike[place].difference(*kinds.values())
            kinds[shared] = kinds.get(shared, set()) | others
        leaving += [(place, part) for kind, part in sorted(kinds.items()) if kind != stays]
    return leaving


@dataclass(frozen=True, eq=False)
class GraphMatch:
    """What an edit of the candidate's graph into the reference's keeps.

    Attributes
    ----------
    candidate, reference : ComparableGraph
    lower, upper : int
        The edit distance is at least `lower`; this edit costs `upper`.
    pairs : int64 array
        The kept nodes as two columns of indices into the two semantic graphs, in the candidate's
        order.
    typed : bool
        Whether the kinds of edges count.
    """

    candidate: ComparableGraph
    reference: ComparableGraph
    lower: int
    upper: int
    pairs: _I64
    typed: bool

    @property
    def size(self) -> int:
        """What all nodes and edges of both graphs cost, the maximum distance."""
        return self.candidate.cost + self.reference.cost

    @property
    def value(self) -> float:
        """The similarity according to the edit."""
        return self._similarity(self.upper)

    def _similarity(self, distance: int) -> float:
        return 1 - distance / self.size if self.size else 1.0

    @property
    def bounds(self) -> tuple[float, float]:
        """The bounds of the similarity.

        If a limit left edges out of a graph, nothing is known about them, unless both are graphs of
        the same text.
        """
        if not is_whole(self.candidate.graph, self.reference.graph):
            return 0.0, 1.0
        return self.value, self._similarity(self.lower)

    @cached_property
    def partner(self) -> _I64:
        """The partner of each node of the candidate's graph, or -1."""
        partner = np.full(len(self.candidate.graph), -1, dtype=np.int64)
        partner[self.pairs[:, 0]] = self.pairs[:, 1]
        return partner

    @cached_property
    def kept_edges(self) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Whether each edge of either semantic graph has an edge between its partners in the other.

        The kind must be the same, unless kinds do not count.
        """
        ours, theirs = self._edge_keys(with_kinds=self.typed)
        return np.isin(ours, theirs), np.isin(theirs, ours)

    @cached_property
    def counts(self) -> dict[str, int]:
        """Named facts of the edit, for the parts of a score."""
        ours, theirs = self._edge_keys(with_kinds=True)
        same = _common(ours, theirs)
        plain = _common(ours // _KINDS, theirs // _KINDS)
        plain = plain[plain >= 0]
        same = same[same >= 0]
        by_kind = np.bincount(same % _KINDS, minlength=_KINDS).tolist()
        changed = self._changed(ours, theirs, same, plain)
        largest = {} if self.candidate.costs.is_unit else {"largest_distance": self.size}
        return {
            "nodes": len(self.candidate.labels),
            "edges": len(self.candidate.edges),
            "reference_nodes": len(self.reference.labels),
            "reference_edges": len(self.reference.edges),
            "matched_nodes": len(self.pairs),
            "preserved_edges": len(same) if self.typed else len(plain),
            **{f"preserved_{kind.name.lower()}": by_kind[kind] for kind in EdgeKind},
            "changed_kind": changed,
            "distance": self.upper,
            "lower_bound": self.lower,
            **largest,
        }

    def _changed(self, ours: _I64, theirs: _I64, same: _I64, plain: _I64) -> int:
        """The number of edges kept with a different kind."""
        if not self.typed:
            return len(plain) - len(_distinct(same // _KINDS))
        many = [_multiplicity(keys // _KINDS, plain) for keys in (ours, theirs, same)]
        return int((np.minimum(many[0], many[1]) - many[2]).sum())

    def _edge_keys(self, *, with_kinds: bool) -> tuple[_I64, _I64]:
        """Edges of both graphs encoded by the reference's nodes; negative if an end is lost."""
        one, other = self.candidate.graph, self.reference.graph
        starts, ends = self.partner[one.source], self.partner[one.target]
        lost = (starts < 0) | (ends < 0)
        ours = starts * len(other) + ends
        theirs = other.source.astype(np.int64) * len(other) + other.target
        if with_kinds:
            ours, theirs = ours * _KINDS + one.edge_kind, theirs * _KINDS + other.edge_kind
        ours[lost] = -1 - _KINDS
        return ours, theirs


def _distinct(keys: _I64) -> _I64:
    """Sorted distinct numbers; faster than NumPy's if many are equal."""
    ordered = np.sort(keys)
    fresh = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=fresh[1:])
    return ordered[fresh]


def _common(ours: _I64, theirs: _I64) -> _I64:
    """The sorted distinct numbers that both have."""
    return np.intersect1d(_distinct(ours), _distinct(theirs), assume_unique=True)


def is_whole(candidate: SemanticGraph, reference: SemanticGraph) -> bool:
    """Whether two graphs leave out the same edges, if any."""
    same = candidate.language == reference.language and candidate.data == reference.data
    return same or (candidate.complete and reference.complete)


def _multiplicity(keys: _I64, wanted: _I64) -> _I64:
    """How often each of the sorted numbers `wanted` occurs."""
    places = np.searchsorted(wanted, keys[np.isin(keys, wanted)])
    return np.bincount(places, minlength=len(wanted)).astype(np.int64)


@lru_cache(maxsize=_RECENT)
def match_graphs(
    candidate: ComparableGraph, reference: ComparableGraph, *, typed: bool = False, steps: int
) -> GraphMatch:
    """Find the cheapest edit, or bounds on its cost.

    The order of the two does not matter: the search always begins with the one that ranks first.

    Parameters
    ----------
    candidate, reference : ComparableGraph
        Made with the same `typed` and `costs`.
    typed : bool
        Whether kinds of edges count.
    steps : int
        The budget of the search.
    """
    if candidate.rank == reference.rank:
        pairs = np.column_stack((candidate.order, reference.order))
        return GraphMatch(candidate, reference, 0, 0, _sorted(pairs), typed)
    swapped = candidate.rank > reference.rank
    first, second = (reference, candidate) if swapped else (candidate, reference)
    costs = candidate.costs
    edit = graph_edit_distance(
        first.labels,
        first.edges,
        second.labels,
        second.edges,
        fixed=((0, 0),),
        typed=typed,
        node_costs=None if costs.is_unit else costs.of_label,
        edge_costs=None if costs.is_unit else costs.of_kinds.__getitem__,
        steps=steps,
    )
    kept = np.array(edit.mapping, dtype=np.int64).reshape(-1, 2)
    kept = kept[:, ::-1] if swapped else kept
    pairs = np.column_stack((candidate.order[kept[:, 0]], reference.order[kept[:, 1]]))
    return GraphMatch(candidate, reference, edit.lower, edit.upper, _sorted(pairs), typed)


def _sorted(pairs: _I64) -> _I64:
    return pairs[np.argsort(pairs[:, 0])]
