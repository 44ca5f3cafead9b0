"""The graph edit distance by other ways: its definition, enumeration, HiGHS, networkx."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array
from tests.align.labelled_graphs import Case, Graph, Pair


def cost(case: Case, pairs: Iterable[Pair]) -> int:
    """Cost of a mapping, after checking that it is one."""
    listed = list(pairs)
    image = dict(listed)
    assert len(set(image.values())) == len(image) == len(listed), "a node is matched twice"
    assert set(case.fixed) <= set(image.items()), "a fixed pair is not matched"
    assert not set(case.forbidden) & set(image.items()), "a forbidden pair is matched"
    for i, j in image.items():
        assert case.graph1.labels[i] == case.graph2.labels[j]
    kinds1, kinds2 = case.graph1.kinds(), case.graph2.kinds()
    total = sum(case.node_cost(x) for i, x in enumerate(case.graph1.labels) if i not in image)
    left = set(range(len(case.graph2))) - set(image.values())
    total += sum(case.node_cost(case.graph2.labels[j]) for j in left)
    met = set()
    for (s, t), kinds in kinds1.items():
        ends = (image.get(s), image.get(t))
        other = kinds2.get(ends, frozenset())  # type: ignore[call-overload]
        if other:
            met.add(ends)
        # Where an end is deleted there is no other set, and every edge is deleted.
        total += case.change(kinds, other)
    return total + sum(case.bundle_cost(kinds) for e, kinds in kinds2.items() if e not in met)


def mappings(case: Case) -> Iterator[dict[int, int]]:
    """Every mapping that labels, fixed and forbidden pairs allow."""
    fixed, forbidden = dict(case.fixed), set(case.forbidden)

    def extend(i: int, image: dict[int, int]) -> Iterator[dict[int, int]]:
        if i == len(case.graph1):
            if fixed.items() <= image.items():
                yield image
            return
        yield from extend(i + 1, image)
        for j, label in enumerate(case.graph2.labels):
            alike = label == case.graph1.labels[i]
            if alike and j not in image.values() and (i, j) not in forbidden:
                yield from extend(i + 1, {**image, i: j})

    return extend(0, {})


def by_definition(case: Case) -> int:
    """The cheapest of all mappings."""
    return min(cost(case, image.items()) for image in mappings(case))


def allowed(case: Case) -> npt.NDArray[np.bool_]:
    """Which nodes may be matched."""
    places = {label: at for at, label in enumerate(case.graph1.labels + case.graph2.labels)}
    labels1, labels2 = (
        np.array([places[label] for label in graph.labels], dtype=np.int64)
        for graph in (case.graph1, case.graph2)
    )
    free = labels1[:, None] == labels2[None, :]
    for i, j in case.forbidden:
        free[i, j] = False
    for i, j in case.fixed:
        free[i, :] = False
        free[:, j] = False
        free[i, j] = True
    return free


@cache
def injections(n1: int, n2: int) -> npt.NDArray[np.int8]:
    """Every partial injection, a row each; n2 stands for no partner."""
    rows = np.zeros((1, 0), dtype=np.int8)
    for _ in range(n1):
        grown = [np.column_stack([rows, np.full(len(rows), n2, dtype=np.int8)])]
        for j in range(n2):
            fitting = rows[~(rows == j).any(axis=1)]
            grown.append(np.column_stack([fitting, np.full(len(fitting), j, dtype=np.int8)]))
        rows = np.concatenate(grown)
    return rows


def saving(case: Case, kinds1: frozenset[int], kinds2: frozenset[int]) -> int:
    """What it saves when the edges between two nodes meet those between their partners."""
    apart = case.bundle_cost(kinds1) + case.bundle_cost(kinds2)
    return apart - case.change(kinds1, kinds2)


def by_enumeration(case: Case) -> int:
    """The same as `by_definition`, all mappings at once."""
    n1, n2 = len(case.graph1), len(case.graph2)
    may = np.column_stack([allowed(case), np.ones(n1, dtype=bool)])
    for i, _ in case.fixed:
        may[i, n2] = False
    rows = injections(n1, n2)
    rows = rows[may[np.arange(n1), rows].all(axis=1)]
    price = np.array([case.node_cost(label) for label in case.graph1.labels], dtype=np.int64)
    saved = 2 * (rows < n2) @ price
    kinds2 = case.graph2.kinds()
    for (s, t), kinds in case.graph1.kinds().items():
        gain = np.zeros((n2 + 1, n2 + 1), dtype=np.int64)
        for ends, other in kinds2.items():
            gain[ends] = saving(case, kinds, other)
        saved += gain[rows[:, s], rows[:, t]]
    return case.size - int(saved.max())


def by_highs(case: Case, seconds: float = 60.0) -> int | None:
    """The optimum of an integer program; None where it is not proven in so many seconds.

    One variable for each pair of nodes that may meet, one for each pair of (bundles of) edges. For
    an edge and a partner of one of its ends, at most one of the edges at that partner is met, and
    only if the two nodes are matched; so from both sides.
    """
    free = allowed(case)
    node_pairs = {(int(i), int(j)): at for at, (i, j) in enumerate(np.argwhere(free))}
    edge_pairs = [
        (e, f, saving(case, kinds1, kinds2))
        for e, kinds1 in case.graph1.kinds().items()
        for f, kinds2 in case.graph2.kinds().items()
        if free[e[0], f[0]] and free[e[1], f[1]] and (e[0] == e[1]) == (f[0] == f[1])
    ]
    count = len(node_pairs) + len(edge_pairs)
    if not node_pairs:
        return case.size
    rows: dict[Any, dict[int, int]] = {}
    for (i, j), at in node_pairs.items():
        rows.setdefault(("left", i), {})[at] = 1
        rows.setdefault(("right", j), {})[at] = 1
    most = dict.fromkeys(rows, 1)
    for at, (e, f, _) in enumerate(edge_pairs, len(node_pairs)):
        for end in (0, 1):
            for key in (("out", e, end, f[end]), ("in", f, end, e[end])):
                rows.setdefault(key, {node_pairs[e[end], f[end]]: -1})[at] = 1
                most[key] = 0
    cells = [(r, c, v) for r, row in enumerate(rows.values()) for c, v in row.items()]
    r, c, v = np.array(cells).T
    matrix = coo_array((v, (r, c)), shape=(len(rows), count)).tocsr()
    low = np.zeros(count)
    for pair in case.fixed:
        low[node_pairs[pair]] = 1
    found = milp(
        [-2.0 * case.node_cost(case.graph1.labels[i]) for i, _ in node_pairs]
        + [-float(saved) for _, _, saved in edge_pairs],
        constraints=LinearConstraint(matrix, -np.inf, np.array([most[key] for key in rows])),
        bounds=Bounds(low, 1),
        integrality=np.ones(count),
        options={"time_limit": seconds, "mip_rel_gap": 0.0},
    )
    return case.size + round(found.fun) if found.status == 0 else None


def without_loops(graph: Graph) -> Graph:
    """The same graph, no edge from a node to itself."""
    return Graph(graph.labels, tuple(edge for edge in graph.edges if edge[0] != edge[1]))


def as_networkx(graph: Graph) -> Any:
    """A graph of networkx, the kinds of edges as an attribute."""
    import networkx as nx

    made = nx.DiGraph()
    for i, label in enumerate(graph.labels):
        made.add_node(i, label=label, place=i)
    for (s, t), kinds in graph.kinds().items():
        made.add_edge(s, t, kinds=kinds)
    return made


def networkx_costs(case: Case) -> dict[str, Any]:
    """Our costs in the words of networkx; what may not be matched costs more than anything."""
    free, never = allowed(case), 2 * case.size + 2

    fixed1, fixed2 = {i for i, _ in case.fixed}, {j for _, j in case.fixed}
    return {
        "node_subst_cost": lambda a, b: 0 if free[a["place"], b["place"]] else never,
        "node_del_cost": lambda a: never if a["place"] in fixed1 else case.node_cost(a["label"]),
        "node_ins_cost": lambda b: never if b["place"] in fixed2 else case.node_cost(b["label"]),
        "edge_subst_cost": lambda one, other: case.change(one["kinds"], other["kinds"]),
        "edge_del_cost": lambda edge: case.bundle_cost(edge["kinds"]),
        "edge_ins_cost": lambda edge: case.bundle_cost(edge["kinds"]),
    }


def by_networkx(case: Case) -> int:
    """The optimum as networkx finds it; for graphs of a handful of nodes without loops.

    (networkx 3.6.1 keeps a loop at one node for a loop at any other, deleted ones included.)
    """
    import networkx as nx

    graph1, graph2 = (as_networkx(g) for g in (case.graph1, case.graph2))
    return int(nx.graph_edit_distance(graph1, graph2, **networkx_costs(case)))
