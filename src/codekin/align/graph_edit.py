"""Graph edit distance: the cheapest way to turn one labelled directed graph into another.

Nodes and edges are deleted and inserted at cost 1 each, or at costs by label and by kind. Only
nodes with equal labels match, and an edge between matched nodes that both graphs have costs
nothing. The problem is NP-hard. The result is an interval: the cost of a mapping as the upper end,
and a proof that no mapping costs less than the lower end. On graphs of programs the two usually
meet.

A first mapping pairs nodes whose surroundings agree [1]_ and is improved class by class and by
exchanges. The bound is that of a linear relaxation [2]_, found by sharing each edge's value between
its two ends and moving the shares, by pushes [3]_ and by subgradient steps [4]_; pairs that no
better mapping can contain are removed on the way. Branch and bound closes what the relaxation
leaves open. The search counts its steps and computes with integers only: every machine gives the
same interval, and a larger budget never gives a wider one.

References
----------
.. [1] N. Shervashidze et al., "Weisfeiler-Lehman graph kernels", Journal of Machine Learning
   Research 12, 2011.
.. [2] G. W. Klau, "A new graph-based method for pairwise global network alignment", BMC
   Bioinformatics 10, 2009.
.. [3] P. Hahn and T. Grant, "Lower bounds for the quadratic assignment problem based upon a dual
   formulation", Operations Research 46(6), 1998.
.. [4] B. T. Polyak, "Minimization of unsmooth functionals", USSR Computational Mathematics and
   Mathematical Physics 9(3), 1969.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.results import Grid, Result

__all__ = ["DEFAULT_STEPS", "GraphEdit", "LabelledGraph", "graph_edit_distance"]

DEFAULT_STEPS: Final = 20_000_000
"""Steps of about four nanoseconds each: a tenth of a second unless the bounds meet earlier."""

Labels: TypeAlias = Sequence[Hashable] | npt.NDArray[Any]
Edges: TypeAlias = Iterable[Sequence[int]] | npt.NDArray[Any]
NodePairs: TypeAlias = Iterable[tuple[int, int]]
CostsBy: TypeAlias = Mapping[Any, int] | Callable[[Any], int]
_I32: TypeAlias = npt.NDArray[np.int32]
_LARGEST: Final = int(np.iinfo(np.int32).max)
_MAX_STEPS: Final = 1 << 62
_MAX_COST: Final = 1_000_000
_ALL_ONE: Final[_I32] = np.zeros(0, dtype=np.int32)


class LabelledGraph(Protocol):
    """A graph in flat arrays, such as a semantic graph."""

    @property
    def label(self) -> _I32:
        """For each node, the index of its label in `labels`."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Every label."""

    @property
    def source(self) -> _I32:
        """For each edge, its source node."""

    @property
    def target(self) -> _I32:
        """For each edge, its target node."""

    @property
    def edge_kind(self) -> npt.NDArray[np.uint8]:
        """For each edge, its kind."""


@dataclass(frozen=True, slots=True)
class GraphEdit(Result):
    """Graph edit distance, or bounds on it.

    Attributes
    ----------
    lower : int
        The distance is not less than this.
    upper : int
        The distance is not more than this: the cost of `mapping`.
    mapping : tuple of (int, int)
        Pairs of matched nodes of the first and the second graph, ascending in the first. All
        others are deleted or inserted.
    steps : int
        Steps taken, never more than the budget; the same for the same graphs, pairs and budget.
    sizes : (int, int)
        The number of nodes of the first and the second graph.
    """

    lower: int
    upper: int
    mapping: tuple[tuple[int, int], ...]
    steps: int
    sizes: tuple[int, int] = field(default=(0, 0), repr=False)

    @property
    def exact(self) -> bool:
        """Whether both bounds are the distance."""
        return self.lower == self.upper

    @property
    def distance(self) -> int:
        """The distance where it is exact, else its upper bound."""
        return self.upper

    def grids(self) -> list[Grid]:
        """The distance, or its bounds, and how they were found."""
        bounds = (("distance, at least", self.lower), ("distance, at most", self.upper))
        ends = (("distance", self.distance),) if self.exact else bounds
        facts = (*ends, ("matched nodes", len(self.mapping)), ("steps", self.steps))
        return [Grid("Graph edit distance", ("", ""), facts)]

    def table(self) -> Grid:
        """One record per node: kept, deleted from the first graph or inserted into the second.

        Edges follow from the nodes: those between kept nodes that only one graph has, and all
        edges of the other nodes, are deleted or inserted.

        Examples
        --------
        >>> edit = graph_edit_distance("abc", [(0, 1), (1, 2)], "acd", [(0, 1), (1, 2)])
        >>> edit.table().rows
        (('keep', '0', '0'), ('keep', '2', '1'), ('delete', '1', '–'), ('insert', '–', '2'))
        """
        return Grid("", ("operation", "first", "second"), tuple(self._operations()), keys=3)

    def _operations(self) -> Iterator[tuple[str, int | None, int | None]]:
        kept = dict(self.mapping)
        found = set(kept.values())
        yield from (("keep", first, second) for first, second in self.mapping)
        yield from (("delete", i, None) for i in range(self.sizes[0]) if i not in kept)
        yield from (("insert", None, j) for j in range(self.sizes[1]) if j not in found)


@overload
def graph_edit_distance(
    labels1: Labels,
    edges1: Edges,
    labels2: Labels,
    edges2: Edges,
    *,
    fixed: NodePairs = (),
    forbidden: NodePairs = (),
    typed: bool = False,
    node_costs: CostsBy | None = None,
    edge_costs: CostsBy | None = None,
    steps: int = DEFAULT_STEPS,
) -> GraphEdit: ...


@overload
def graph_edit_distance(
    labels1: LabelledGraph,
    edges1: LabelledGraph,
    /,
    *,
    fixed: NodePairs = (),
    forbidden: NodePairs = (),
    typed: bool = False,
    node_costs: CostsBy | None = None,
    edge_costs: CostsBy | None = None,
    steps: int = DEFAULT_STEPS,
) -> GraphEdit: ...


def graph_edit_distance(
    labels1: Any,
    edges1: Any,
    labels2: Any = None,
    edges2: Any = None,
    *,
    fixed: NodePairs = (),
    forbidden: NodePairs = (),
    typed: bool = False,
    node_costs: CostsBy | None = None,
    edge_costs: CostsBy | None = None,
    steps: int = DEFAULT_STEPS,
) -> GraphEdit:
    """Measure the edit distance of two labelled directed graphs.

    Two graphs in flat arrays, such as semantic graphs, may be passed instead of labels and
    edges: ``graph_edit_distance(graph1, graph2)``.

    Parameters
    ----------
    labels1, labels2 : sequence of hashables
        The label of each node. Only nodes with equal labels match.
    edges1, edges2 : sequence of (source, target) or (source, target, kind)
        Edges by the indices of their nodes, or an array with two or three columns. Duplicate
        edges count once.
    fixed : sequence of (int, int), optional
        Pairs of nodes that must be matched, such as roots.
    forbidden : sequence of (int, int), optional
        Pairs of nodes that must not be matched.
    typed : bool, optional
        Whether kinds of edges count. If so, edges of different kinds between the same nodes are
        distinct, and changing a kind costs 1; otherwise they are one edge.
    node_costs : mapping or function, optional
        What deleting or inserting a node costs, by its label: a whole number from 0 to 1,000,000.
        Labels that a mapping lacks cost 1.
    edge_costs : mapping or function, optional
        What deleting or inserting an edge costs, by its kind, in the same way. With `typed`,
        changing a kind costs as much as the more expensive of the two. Otherwise an edge costs as
        much as the most expensive of its kinds, and if two matched edges cost different amounts,
        keeping them costs the difference.
    steps : int, optional
        Budget. Beyond it the result is an interval.

    Returns
    -------
    GraphEdit
        Bounds, and a mapping whose cost is the upper one.

    Raises
    ------
    ValueError
        If an edge or a pair names a missing node, fixed pairs contradict labels or one another,
        a cost is out of range, or there are more than 64 kinds of edges.
    TypeError
        If edges, pairs or costs are not integers, or a graph is of an unsupported type.

    Examples
    --------
    >>> edit = graph_edit_distance("abc", [(0, 1), (1, 2)], "abbc", [(0, 1), (0, 2), (2, 3)])
    >>> edit.distance, edit.exact
    (2, True)
    >>> edit.mapping
    ((0, 0), (1, 2), (2, 3))

    Each `b` costs 5, everything else 1:

    >>> graphs = "abc", [(0, 1), (1, 2)], "abbc", [(0, 1), (0, 2), (2, 3)]
    >>> graph_edit_distance(*graphs, node_costs={"b": 5}).distance
    6
    """
    if labels2 is None and edges2 is None:
        graphs = _flat(labels1), _flat(edges1)
    else:
        graphs = _sequences(1, labels1, edges1), _sequences(2, labels2, edges2)
    costs = _read_costs(graphs, typed, node_costs, edge_costs)
    if costs.some_edges_are_free:
        graphs = _without_free_edges(graphs[0], costs), _without_free_edges(graphs[1], costs)
    problem = _problem(graphs, _pairs("fixed", fixed), _pairs("forbidden", forbidden), costs)
    lower, upper, used, mapping = _native.graph_edit_distance(
        *problem.first,
        *problem.second,
        problem.fixed,
        problem.forbidden,
        typed,
        problem.node_costs,
        costs.edges,
        _budget(steps),
    )
    if problem.swapped:
        mapping = sorted(_swapped(mapping))
    sizes = len(graphs[0].label), len(graphs[1].label)
    return GraphEdit(lower * costs.factor, upper * costs.factor, tuple(mapping), used, sizes)


class _InputGraph(NamedTuple):
    """A graph as passed in: its labels, and everything else as numbers."""

    labels: Sequence[Hashable]
    label: npt.NDArray[Any]
    source: _I32
    target: _I32
    kind: npt.NDArray[Any]

    @property
    def size(self) -> tuple[int, int]:
        """The number of nodes and of edges."""
        return len(self.label), len(self.source)


class _Numbered(NamedTuple):
    """A graph with labels and kinds as numbers that are common to both graphs."""

    label: _I32
    source: _I32
    target: _I32
    kind: _I32


class _Costs(NamedTuple):
    """What nodes and edges cost, without common factors.

    Attributes
    ----------
    factor : int
        The greatest common divisor, by which all were divided.
    nodes : mapping or None
        By label; None if all are 1.
    kinds : array or None
        The kinds of edges, sorted; None if they do not matter.
    numbers : int32 array
        The number of each kind in the search. Numbers ascend as costs fall; kinds of equal costs
        share one unless kinds count.
    edges : int32 array
        By number; empty if all are 1.
    prices : array
        By kind.
    """

    factor: int
    nodes: Mapping[Hashable, int] | None
    kinds: npt.NDArray[Any] | None
    numbers: _I32
    edges: _I32
    prices: npt.NDArray[np.int64]

    @property
    def some_edges_are_free(self) -> bool:
        """Whether edges of a kind cost nothing."""
        return not self.prices.all()

    def are_free(self, kind: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        """Whether edges of these kinds cost nothing."""
        if self.kinds is None:
            return np.zeros(len(kind), dtype=bool)
        return np.equal(self.prices[np.searchsorted(self.kinds, kind)], 0)

    def numbered(self, kind: npt.NDArray[Any]) -> _I32:
        """The numbers of edges' kinds."""
        if self.kinds is None:
            return np.zeros(len(kind), dtype=np.int32)
        return self.numbers[np.searchsorted(self.kinds, kind)]

    def of_labels(self, labels: Iterable[Hashable]) -> _I32:
        """The costs of nodes, by the numbers of their labels; empty if all are 1."""
        if self.nodes is None:
            return _ALL_ONE
        return np.array([self.nodes.get(label, 1) for label in labels], dtype=np.int32)


def _read_costs(
    graphs: tuple[_InputGraph, _InputGraph],
    typed: bool,
    node_costs: CostsBy | None,
    edge_costs: CostsBy | None,
) -> _Costs:
    """Check the costs of what the graphs have.

    Proofs are rounded to whole numbers, so without a common factor they are found earlier.
    """
    kinds: npt.NDArray[Any] | None = None
    if typed or edge_costs is not None:
        kinds = np.unique(np.concatenate([graph.kind for graph in graphs]))
    if node_costs is None and edge_costs is None:
        same = np.arange(0 if kinds is None else len(kinds), dtype=np.int32)
        return _Costs(1, None, kinds, same, _ALL_ONE, np.ones(len(same), dtype=np.int64))
    nodes = _priced("node_costs", node_costs, _labels_in_use(graphs))
    edges = _priced("edge_costs", edge_costs, [] if kinds is None else kinds.tolist())
    some_edges = any(len(graph.source) for graph in graphs)
    ones = [1] * (some_edges and edge_costs is None)
    factor = math.gcd(*nodes.values(), *edges.values(), *ones) or 1
    nodes = {label: cost // factor for label, cost in nodes.items()}
    prices = np.array([cost // factor for cost in edges.values()], dtype=np.int64)
    if typed:
        order = np.argsort(-prices, kind="stable")
        by_number, numbers = prices[order], np.argsort(order)
    else:
        by_number, inverse = np.unique(-prices, return_inverse=True)
        by_number, numbers = -by_number, inverse
    all_one = bool((prices[prices > 0] == 1).all())
    return _Costs(
        factor,
        None if set(nodes.values()) <= {1} else nodes,
        kinds,
        numbers.astype(np.int32),
        _ALL_ONE if all_one else by_number.astype(np.int32),
        prices,
    )


def _labels_in_use(graphs: tuple[_InputGraph, _InputGraph]) -> list[Hashable]:
    return list(
        dict.fromkeys(graph.labels[at] for graph in graphs for at in np.unique(graph.label))
    )


def _priced(name: str, costs: CostsBy | None, things: Iterable[Any]) -> dict[Any, int]:
    """The cost of each label or kind."""
    if costs is None:
        return dict.fromkeys(things, 1)
    if isinstance(costs, Mapping):
        return {thing: _cost(name, thing, costs.get(thing, 1)) for thing in things}
    if callable(costs):
        return {thing: _cost(name, thing, costs(thing)) for thing in things}
    raise TypeError(f"{name} must be a mapping or a function, not {type(costs).__name__}")


def _cost(name: str, thing: object, cost: object) -> int:
    try:
        number = operator.index(cost)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(
            f"{name}: the cost of {thing!r} must be a whole number, not {cost!r}; multiply all "
            "costs by the same number"
        ) from None
    if not 0 <= number <= _MAX_COST:
        raise ValueError(
            f"{name}: the cost of {thing!r} must be from 0 to {_MAX_COST:,}, not {number:,}"
        )
    return number


def _without_free_edges(graph: _InputGraph, costs: _Costs) -> _InputGraph:
    """The graph without edges that cost nothing, kept or not."""
    kept = ~costs.are_free(graph.kind)
    return graph._replace(
        source=graph.source[kept], target=graph.target[kept], kind=graph.kind[kept]
    )


class _Problem(NamedTuple):
    """The input of the search, and whether the two graphs were swapped."""

    first: _Numbered
    second: _Numbered
    node_costs: _I32
    fixed: list[tuple[int, int]]
    forbidden: list[tuple[int, int]]
    swapped: bool

    def key(self) -> tuple[Any, ...]:
        """Equal keys are equal problems."""
        arrays = [array.tobytes() for graph in (self.first, self.second) for array in graph]
        return arrays, self.fixed, self.forbidden, self.node_costs.tobytes()


def _problem(
    graphs: tuple[_InputGraph, _InputGraph],
    fixed: list[tuple[int, int]],
    forbidden: list[tuple[int, int]],
    costs: _Costs,
) -> _Problem:
    """Put the graphs into a canonical order, so that the interval does not depend on theirs.

    The smaller graph comes first. For graphs of equal size, both problems are built, with their
    labels as numbers and their pairs, and the one with the smaller key is chosen.
    """
    sizes = graphs[0].size, graphs[1].size
    if sizes[0] < sizes[1]:
        return _numbered(graphs, fixed, forbidden, costs, swapped=False)
    if sizes[0] > sizes[1]:
        return _numbered(graphs, fixed, forbidden, costs, swapped=True)
    both = [
        _numbered(graphs, fixed, forbidden, costs, swapped=swapped) for swapped in (False, True)
    ]
    return min(both, key=_Problem.key)


def _numbered(
    graphs: tuple[_InputGraph, _InputGraph],
    fixed: list[tuple[int, int]],
    forbidden: list[tuple[int, int]],
    costs: _Costs,
    *,
    swapped: bool,
) -> _Problem:
    if swapped:
        graphs = graphs[1], graphs[0]
        fixed, forbidden = _swapped(fixed), _swapped(forbidden)
    places = _places(graphs[0].labels, graphs[1].labels)
    first, second = (
        _Numbered(
            np.array([places[label] for label in g.labels], dtype=np.int32)[g.label],
            g.source,
            g.target,
            costs.numbered(g.kind),
        )
        for g in graphs
    )
    return _Problem(
        first, second, costs.of_labels(places), sorted(fixed), sorted(set(forbidden)), swapped
    )


def _flat(graph: Any) -> _InputGraph:
    """Read a graph in flat arrays."""
    if not (hasattr(graph, "label") and hasattr(graph, "edge_kind")):
        raise TypeError(
            f"a graph is needed, not {type(graph).__name__}; make one of a program with "
            "semantic_graph(), or give labels and edges of both graphs"
        )
    return _InputGraph(
        graph.labels,
        np.asarray(graph.label),
        np.ascontiguousarray(graph.source, dtype=np.int32),
        np.ascontiguousarray(graph.target, dtype=np.int32),
        np.asarray(graph.edge_kind),
    )


def _sequences(number: int, labels: Any, edges: Any) -> _InputGraph:
    """Read a graph from labels and edges."""
    array = _edge_array(f"edges{number}", edges)
    names = list(labels)
    return _InputGraph(
        names,
        np.arange(len(names)),
        np.ascontiguousarray(array[:, 0], dtype=np.int32),
        np.ascontiguousarray(array[:, 1], dtype=np.int32),
        array[:, 2],
    )


def _places(labels1: Iterable[Hashable], labels2: Iterable[Hashable]) -> dict[Hashable, int]:
    """Number the labels in sorted order, or in order of first use if they cannot be sorted."""
    labels = dict.fromkeys((*labels1, *labels2))
    try:
        ordered: Iterable[Any] = sorted(labels)
    except TypeError:
        ordered = labels
    return {label: place for place, label in enumerate(ordered)}


def _edge_array(name: str, edges: Any) -> npt.NDArray[np.int64]:
    """Edges as three columns; the kind is 0 by default."""
    if not isinstance(edges, np.ndarray):
        edges = [(*edge, 0) if len(edge) == 2 else tuple(edge) for edge in edges]
        if any(len(edge) != 3 for edge in edges):
            raise ValueError(f"{name}: an edge is (source, target) or (source, target, kind)")
    array = np.asarray(edges)
    if array.size == 0:
        return np.zeros((0, 3), dtype=np.int64)
    if array.ndim != 2 or array.shape[1] not in (2, 3):
        raise ValueError(f"{name}: an edge is (source, target) or (source, target, kind)")
    if not np.issubdtype(array.dtype, np.integer):
        raise TypeError(f"{name}: nodes and kinds are integers, not {array.dtype}")
    if array.max() > _LARGEST or array.min() < -_LARGEST:
        raise ValueError(f"{name}: a number does not fit into 32 bits")
    if array.shape[1] == 2:
        array = np.column_stack((array, np.zeros(len(array), dtype=array.dtype)))
    return array.astype(np.int64)


def _pairs(name: str, pairs: NodePairs) -> list[tuple[int, int]]:
    try:
        checked = [(operator.index(i), operator.index(j)) for i, j in pairs]
    except (TypeError, ValueError):
        raise TypeError(f"{name}: pairs of nodes are pairs of integers") from None
    for pair in checked:
        if not all(0 <= node <= _LARGEST for node in pair):
            raise ValueError(f"{name} pair {pair} names a node that is not in its graph")
    return checked


def _budget(steps: int) -> int:
    try:
        count = operator.index(steps)
    except TypeError:
        raise TypeError(f"steps must be a whole number, not {steps!r}") from None
    if count < 0:
        raise ValueError(f"steps must not be negative: {count}")
    return min(count, _MAX_STEPS)


def _swapped(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    return [(j, i) for i, j in pairs]
