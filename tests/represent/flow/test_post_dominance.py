import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin._native import post_dominators


@st.composite
def graphs(draw):
    count = draw(st.integers(1, 12))
    node = st.integers(0, count - 1)
    edges = draw(st.lists(st.tuples(node, node), max_size=30))
    exits = draw(st.lists(node, max_size=3))
    return count, edges, exits


def found(count, edges, exits):
    pairs = np.array(edges, dtype=np.int32).reshape(-1, 2)
    source, target = np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])
    return post_dominators(count, source, target, np.array(exits, dtype=np.int32)).tolist()


@given(graphs())
def test_is_what_networkx_finds_on_the_reversed_graph(graph):
    count, edges, exits = graph
    reversed_graph = nx.DiGraph([(t, s) for s, t in edges])
    reversed_graph.add_node("root")
    reversed_graph.add_edges_from(("root", e) for e in exits)
    expected = nx.immediate_dominators(reversed_graph, "root")
    node = {v: d for v, d in expected.items() if d not in {"root", None}}
    assert found(count, edges, exits) == [node.get(v, -1) for v in range(count)]


def test_large_random_graphs_as_networkx():
    random = np.random.default_rng(7)
    for size in (50, 400, 3000):
        edges = random.integers(0, size, (size * 2, 2)).tolist()
        reversed_graph = nx.DiGraph([(t, s) for s, t in edges])
        reversed_graph.add_node(0)
        expected = nx.immediate_dominators(reversed_graph, 0)
        expected[0] = -1
        assert found(size, edges, [0]) == [expected.get(v, -1) for v in range(size)]


def test_a_long_chain():
    count = 200_000
    assert found(count, [(k, k + 1) for k in range(count - 1)], [count - 1]) == [
        *range(1, count),
        -1,
    ]


def test_no_nodes():
    assert found(0, [], []) == []


@pytest.mark.parametrize(
    ("count", "edges", "exits"),
    [(2, [(0, 2)], [1]), (2, [(-1, 0)], [1]), (2, [], [2]), (-1, [], []), (1 << 40, [], [])],
)
def test_arrays_of_no_graph(count, edges, exits):
    with pytest.raises(ValueError, match=r"^(source|target|exits)\[0\] is|^count must be from 0"):
        found(count, edges, exits)
