"""Small and large labelled graphs to measure the edit distance of."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st

from codekin.align.graph_edit import GraphEdit, graph_edit_distance

Pair = tuple[int, int]
Edge = tuple[int, int, int]

ROOT, CONTROL, DATA, CALL = range(4)


@dataclass(frozen=True)
class Graph:
    """Labels of nodes, and edges with kinds; an edge may be there twice."""

    labels: tuple[Any, ...]
    edges: tuple[Edge, ...]

    def __len__(self) -> int:
        return len(self.labels)

    def kinds(self) -> dict[Pair, frozenset[int]]:
        """By source and target, the kinds of the edges between them."""
        found: dict[Pair, set[int]] = {}
        for source, target, kind in self.edges:
            found.setdefault((source, target), set()).add(kind)
        return {ends: frozenset(kinds) for ends, kinds in found.items()}

    def renumbered(self, order: list[int]) -> Graph:
        """The same graph; node i becomes order[i]."""
        labels: list[Any] = [None] * len(self)
        for i, label in enumerate(self.labels):
            labels[order[i]] = label
        return Graph(tuple(labels), tuple((order[s], order[t], k) for s, t, k in self.edges))

    def shuffled(self, rng: random.Random) -> Graph:
        """The same graph, its nodes and edges in any order."""
        order = list(range(len(self)))
        rng.shuffle(order)
        other = self.renumbered(order)
        return replace(other, edges=tuple(rng.sample(other.edges, len(other.edges))))


@dataclass(frozen=True)
class Case:
    """Two graphs and what a mapping between them must respect."""

    graph1: Graph
    graph2: Graph
    fixed: tuple[Pair, ...] = ()
    forbidden: tuple[Pair, ...] = ()
    typed: bool = False
    node_costs: Mapping[Any, int] | None = None
    edge_costs: Mapping[int, int] | None = None

    @property
    def size(self) -> int:
        """What deleting one graph and inserting the other costs."""
        return sum(
            sum(map(self.node_cost, graph.labels))
            + sum(map(self.bundle_cost, graph.kinds().values()))
            for graph in (self.graph1, self.graph2)
        )

    def node_cost(self, label: Any) -> int:
        """What deleting or inserting a node costs."""
        return (self.node_costs or {}).get(label, 1)

    def edge_cost(self, kind: int) -> int:
        """What deleting or inserting an edge costs."""
        return (self.edge_costs or {}).get(kind, 1)

    def bundle_cost(self, kinds: frozenset[int]) -> int:
        """What deleting or inserting all edges from one node to another costs."""
        costs = [self.edge_cost(kind) for kind in kinds]
        return sum(costs) if self.typed else max(costs, default=0)

    def change(self, kinds1: frozenset[int], kinds2: frozenset[int]) -> int:
        """What turning the edges from one node to another into others costs at least."""
        if not self.typed:
            return abs(self.bundle_cost(kinds1) - self.bundle_cost(kinds2))
        if not kinds1:
            return self.bundle_cost(kinds2)
        kind = min(kinds1)
        rest = kinds1 - {kind}
        prices = {
            other: 0 if kind == other else max(self.edge_cost(kind), self.edge_cost(other))
            for other in kinds2
        }
        changed = [price + self.change(rest, kinds2 - {other}) for other, price in prices.items()]
        return min([self.edge_cost(kind) + self.change(rest, kinds2), *changed])

    @property
    def swapped(self) -> Case:
        """The same seen from the other graph."""
        fixed, forbidden = (
            tuple((j, i) for i, j in pairs) for pairs in (self.fixed, self.forbidden)
        )
        return replace(
            self, graph1=self.graph2, graph2=self.graph1, fixed=fixed, forbidden=forbidden
        )

    def renumbered(self, rng: random.Random) -> Case:
        """The same with the nodes of both graphs in another order."""
        order1, order2 = (rng.sample(range(len(g)), len(g)) for g in (self.graph1, self.graph2))
        return replace(
            self,
            graph1=self.graph1.renumbered(order1),
            graph2=self.graph2.renumbered(order2),
            fixed=tuple((order1[i], order2[j]) for i, j in self.fixed),
            forbidden=tuple((order1[i], order2[j]) for i, j in self.forbidden),
        )

    def relabelled(self, names: Sequence[Any]) -> Case:
        """The same with other labels for 0, 1, 2 and so on."""
        graph1, graph2 = (
            replace(graph, labels=tuple(names[label] for label in graph.labels))
            for graph in (self.graph1, self.graph2)
        )
        costs = self.node_costs and {names[old]: cost for old, cost in self.node_costs.items()}
        return replace(self, graph1=graph1, graph2=graph2, node_costs=costs)

    def measure(self, **options: Any) -> GraphEdit:
        """The distance as the package finds it."""
        return graph_edit_distance(
            self.graph1.labels,
            self.graph1.edges,
            self.graph2.labels,
            self.graph2.edges,
            fixed=self.fixed,
            forbidden=self.forbidden,
            typed=self.typed,
            node_costs=self.node_costs,
            edge_costs=self.edge_costs,
            **options,
        )


# Random graphs


def random_graph(
    rng: random.Random, nodes: int, edges: int, labels: int, kinds: int = 3, loops: bool = True
) -> Graph:
    """Edges between any two nodes."""
    found = []
    while nodes > 1 - loops and len(found) < edges:
        source, target = rng.randrange(nodes), rng.randrange(nodes)
        if loops or source != target:
            found.append((source, target, rng.randrange(kinds)))
    return Graph(tuple(rng.randrange(labels) for _ in range(nodes)), tuple(found))


LABELS = [
    *(6 * ["="]),
    *(3 * ["index"]),
    *(2 * ["+"]),
    *("<", "call:print", "call:len", "call:read", "-", "*", "==", "return"),
]


def program_graph(rng: random.Random, nodes: int, functions: int = 2) -> Graph:
    """What graphs of programs are like: a root, functions, nested control, data that flows down."""
    labels, edges = ["root"], []
    size = max((nodes - 1) // functions, 1)
    entries = [1 + f * size for f in range(functions)]
    for f, entry in enumerate(entries):
        labels.append(f"entry:f{f}")
        edges.append((0, entry, ROOT))
        predicates = [entry]
        for node in range(entry + 1, entry + size):
            label = "param" if node <= entry + f % 3 else rng.choice(LABELS)
            labels.append(label)
            edges.append((predicates[-1], node, CONTROL))
            near = range(max(entry + 1, node - 8), node)
            used = min(len(near), rng.randrange(4))
            edges += [(rng.choice(near), node, DATA) for _ in range(used)]
            if label in ("<", "==") and len(predicates) < 5:
                predicates.append(node)
                edges += [(node, node, CONTROL)] if rng.random() < 0.3 else []  # a loop
            elif rng.random() < 0.15 and len(predicates) > 1:
                predicates.pop()
            if rng.random() < 0.05:
                edges.append((node, rng.choice(entries), CALL))
    return Graph(tuple(labels), tuple(edges))


def edited(rng: random.Random, graph: Graph, edits: int) -> Graph:
    """A graph with nodes and edges lost and put in, so many times."""
    labels, edges = list(graph.labels), list(graph.edges)
    lost: set[int] = set()
    for _ in range(edits):
        match rng.randrange(4):
            case 0 if len(labels) > 1:
                lost.add(rng.randrange(1, len(labels)))
            case 1 if edges:
                edges.pop(rng.randrange(len(edges)))
            case 2 if labels:
                edges.append((rng.randrange(len(labels)), rng.randrange(len(labels)), DATA))
            case _:
                labels.append(rng.choice(graph.labels or (0,)))
    kept = [i for i in range(len(labels)) if i not in lost]
    place = {old: new for new, old in enumerate(kept)}
    return Graph(
        tuple(labels[i] for i in kept),
        tuple((place[s], place[t], k) for s, t, k in edges if s in place and t in place),
    )


def random_case(rng: random.Random, nodes: int, typed: bool, labels: int | None = None) -> Case:
    """Two graphs of at most so many nodes, unrelated or alike, perhaps with pairs fixed."""
    labels = labels or rng.randrange(1, 5)
    density = rng.choice((0.5, 1.0, 1.5, 2.5))
    count = rng.randrange(nodes + 1)
    graph1 = random_graph(rng, count, int(density * count), labels)
    if rng.random() < 0.5:
        count = rng.randrange(nodes + 1)
        graph2 = random_graph(rng, count, int(density * count), labels)
    else:
        graph2 = edited(rng, graph1, rng.randrange(4)).shuffled(rng)
        if len(graph2) > nodes:
            graph2 = graph1
    case = Case(graph1, graph2, typed=typed)
    return constrained(rng, case) if rng.random() < 0.4 else case


def constrained(rng: random.Random, case: Case) -> Case:
    """The same with some pairs fixed and some forbidden."""
    alike = [
        (i, j)
        for i, label in enumerate(case.graph1.labels)
        for j, other in enumerate(case.graph2.labels)
        if label == other
    ]
    rng.shuffle(alike)
    fixed: list[Pair] = []
    for i, j in alike[: rng.randrange(3)]:
        if all(i != k and j != m for k, m in fixed):
            fixed.append((i, j))
    rest = [pair for pair in alike if pair not in fixed]
    return replace(case, fixed=tuple(fixed), forbidden=tuple(rest[: rng.randrange(5)]))


COSTS = ((0, 1), (1, 2), (0, 1, 2, 3), (1, 7), (2, 4, 6), (0, 1, 50, 1000))
"""Ranges that random costs are drawn from: with and without 0, with a common factor, far apart."""


def priced(rng: random.Random, case: Case) -> Case:
    """The same with random costs of labels, of kinds, or of both."""
    labels = sorted({*case.graph1.labels, *case.graph2.labels}, key=str)
    choice, which = rng.choice(COSTS), rng.randrange(3)
    node_costs = {label: rng.choice(choice) for label in labels} if which != 1 else None
    edge_costs = {kind: rng.choice(choice) for kind in range(4)} if which != 2 else None
    return replace(case, node_costs=node_costs, edge_costs=edge_costs)


# For Hypothesis


@st.composite
def graphs(draw: st.DrawFn, most: int, labels: int = 3) -> Graph:
    """Any graph: loops, edges both ways, of several kinds, twice."""
    count = draw(st.integers(0, most))
    names = draw(st.lists(st.integers(0, labels - 1), min_size=count, max_size=count))
    if not count:
        return Graph((), ())
    node = st.integers(0, count - 1)
    edges = draw(st.lists(st.tuples(node, node, st.integers(0, 2)), max_size=3 * count))
    return Graph(tuple(names), tuple(edges))


@st.composite
def cases(draw: st.DrawFn, most: int) -> Case:
    """Two graphs, the second often like the first, with pairs fixed and forbidden."""
    labels = draw(st.integers(1, 3))
    graph1 = draw(graphs(most, labels))
    rng = random.Random(draw(st.integers(0, 2**32)))
    match draw(st.integers(0, 4)):
        case 0:
            graph2 = graph1.shuffled(rng)
        case 2:
            graph2 = graph1
        case 1:
            graph2 = Graph(graph1.labels, draw(graphs(most, 1)).edges)
            nodes = range(len(graph2))
            graph2 = replace(
                graph2, edges=tuple(e for e in graph2.edges if e[0] in nodes and e[1] in nodes)
            )
        case _:
            graph2 = draw(graphs(most, labels))
    case = Case(graph1, graph2, typed=draw(st.booleans()))
    return constrained(rng, case) if draw(st.booleans()) else case


@st.composite
def priced_cases(draw: st.DrawFn, most: int) -> Case:
    """Cases with costs."""
    return priced(random.Random(draw(st.integers(0, 2**32))), draw(cases(most)))
