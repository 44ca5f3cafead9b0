"""Other ways to find a graph edit distance: networkx's search, and a single assignment."""

from __future__ import annotations

import signal
import time
from collections import Counter
from dataclasses import replace
from types import FrameType

import networkx as nx
import numpy as np
from scipy.optimize import linear_sum_assignment
from tests.align.graph_edit_oracles import as_networkx, cost, networkx_costs, without_loops
from tests.align.labelled_graphs import Case, Graph

from graph_edit_pairs import GraphPair


def without_self_loops(case: Case) -> Case:
    """The case without self-loops, which networkx 3.6.1 counts as kept if both graphs have one."""
    return replace(case, graph1=without_loops(case.graph1), graph2=without_loops(case.graph2))


def by_networkx(case: Case, seconds: float) -> list[tuple[float, int]]:
    """The distances that `optimize_graph_edit_distance` finds within `seconds`, and when."""

    class Late(Exception):  # noqa: N818
        """Time is up."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise Late

    graph1, graph2 = (as_networkx(graph) for graph in (case.graph1, case.graph2))
    found: list[tuple[float, int]] = []
    before = signal.signal(signal.SIGVTALRM, stop)
    start = time.thread_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        for value in nx.optimize_graph_edit_distance(graph1, graph2, **networkx_costs(case)):
            found.append((time.thread_time() - start, int(value)))
    except Late:
        pass
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return found


def by_assignment(pair: GraphPair) -> tuple[float, int]:
    """Lower and upper bound by one assignment of nodes with their branches.

    As in Riesen and Bunke (2009), using the label at the other end of an edge: an edge is kept if
    an edge of the partner in the same direction leads to the same label, and each node pays half of
    every other edge. So the assignment's value is a lower bound (Blumenthal and Gamper's BRANCH),
    and the cost of its mapping an upper bound.
    """
    case = pair.case
    n1, n2 = len(case.graph1), len(case.graph2)
    branches1, branches2 = branches(case.graph1), branches(case.graph2)
    never = 4.0 * case.size + 4.0
    price = np.zeros((n1 + n2, n1 + n2))
    price[:n1, :n2] = never
    price[:n1, n2:] = np.where(np.eye(n1, dtype=bool), 0.0, never)
    price[n1:, :n2] = np.where(np.eye(n2, dtype=bool), 0.0, never)
    for i, branch in enumerate(branches1):
        price[i, n2 + i] = 1 + branch.total() / 2
        for j, other in enumerate(branches2):
            if case.graph1.labels[i] == case.graph2.labels[j]:
                kept = (branch & other).total()
                price[i, j] = (branch.total() + other.total() - 2 * kept) / 2
    for j, other in enumerate(branches2):
        price[n1 + j, j] = 1 + other.total() / 2
    rows, columns = linear_sum_assignment(price)
    pairs = [(int(i), int(j)) for i, j in zip(rows, columns, strict=True) if i < n1 and j < n2]
    return float(price[rows, columns].sum()), cost(case, pairs)


def branches(graph: Graph) -> list[Counter[tuple[bool, object]]]:
    """The edges of each node: their direction and the label of the other end."""
    found: list[Counter[tuple[bool, object]]] = [Counter() for _ in graph.labels]
    for source, target in graph.kinds():
        found[source][True, graph.labels[target]] += 1
        found[target][False, graph.labels[source]] += 1
    return found
