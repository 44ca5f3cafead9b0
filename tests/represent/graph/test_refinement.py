"""Refined nodes: equal for equal graphs, whatever the order of their nodes."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from codekin import _native
from codekin.represent.graph.normal_form import NormalForm
from codekin.represent.graph.refinement import refined_nodes


def refined(labels, edges, rounds):
    """The nodes of a graph after some rounds, as nested tuples."""
    nodes = list(labels)
    for _ in range(rounds):
        before = [sorted((nodes[s], k) for s, t, k in edges if t == i) for i in range(len(nodes))]
        after = [sorted((nodes[t], k) for s, t, k in edges if s == i) for i in range(len(nodes))]
        nodes = [repr((node, before[i], after[i])) for i, node in enumerate(nodes)]
    return sorted(nodes)


def kernel(labels, edges, rounds):
    found = np.array(edges, dtype=np.int32).reshape(-1, 3)
    source, target = (np.ascontiguousarray(found[:, i]) for i in (0, 1))
    ids = _native.string_ids(labels)
    return _native.refined_nodes(ids, source, target, found[:, 2].astype(np.uint8), rounds)


@st.composite
def graphs(draw):
    labels = draw(st.lists(st.sampled_from("xyz"), min_size=1, max_size=6))
    places = st.integers(0, len(labels) - 1)
    edges = draw(st.lists(st.tuples(places, places, st.integers(0, 2)), max_size=8))
    return labels, edges


@settings(max_examples=200, deadline=None)
@given(graphs(), graphs(), st.integers(0, 3))
def test_nodes_are_equal_where_tuples_are(one, other, rounds):
    by_tuples = refined(*one, rounds) == refined(*other, rounds)
    assert np.array_equal(kernel(*one, rounds), kernel(*other, rounds)) == by_tuples


@settings(max_examples=100, deadline=None)
@given(graphs(), st.randoms())
def test_the_order_of_nodes_and_edges_does_not_matter(graph, random):
    labels, edges = graph
    place = list(range(len(labels)))
    random.shuffle(place)
    moved = [labels[place.index(i)] for i in range(len(labels))]
    turned = [(place[s], place[t], k) for s, t, k in edges]
    random.shuffle(turned)
    assert np.array_equal(kernel(labels, edges, 3), kernel(moved, turned, 3))


def test_more_rounds_look_farther():
    def chain(first, last):
        form = NormalForm([first, "x", "x", "x", last, "y", "x", "x", "x", "z"])
        for i in range(4):
            form.use(i + 1, i, 6)
            form.use(i + 6, i + 5, 6)
        return form

    one, other = chain("a", "b"), chain("b", "a")
    other.words[5], other.words[9] = "z", "y"
    assert np.array_equal(refined_nodes(one, 1), refined_nodes(chain("a", "b"), 1))
    assert np.array_equal(refined_nodes(one, 0), refined_nodes(other, 0))
    assert not np.array_equal(refined_nodes(one), refined_nodes(other))
