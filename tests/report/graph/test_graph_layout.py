from __future__ import annotations

import random
from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st
from tests.represent.hand_made import K, flow_ir, little_graph, pairs

from codekin.report.graph.drawing import Link, apart, crossings, lay_out, layered, ordered, placed
from codekin.represent.graph.semantic_graph import assemble

_places = st.integers(0, 11)
_links = st.lists(st.builds(Link, _places, _places, st.integers(0, 1)), max_size=40)


@given(_links, st.sampled_from([50.0, 200.0, 1e6]))
def test_every_link_runs_down_through_each_layer_once(links, limit):
    widths = [40.0] * 12
    drawing = layered(widths, links, limit)
    level = {vertex: i for i, layer in enumerate(drawing.layers) for vertex in layer}
    assert sorted(v for v in level if v < 12) == list(range(12))
    for link, chain, upwards in zip(links, drawing.chains, drawing.upwards, strict=True):
        if link.source == link.target:
            assert chain == ()
            continue
        ends = (link.target, link.source) if upwards else (link.source, link.target)
        assert (chain[0], chain[-1]) == ends
        assert all(level[b] == level[a] + 1 for a, b in pairwise(chain))
        assert all(vertex >= 12 for vertex in chain[1:-1])
    for layer in drawing.layers:
        nodes = [v for v in layer if v < 12]
        assert nodes
        assert len(nodes) == 1 or 40.0 * len(nodes) <= limit


@given(_links)
def test_order_keeps_the_vertices_and_placing_keeps_the_order(links):
    drawing = layered([40.0] * 12, links, 200.0)
    layers = ordered(drawing)
    assert [sorted(layer) for layer in layers] == [sorted(layer) for layer in drawing.layers]
    sizes = [40.0] * 12 + [3.0] * (sum(map(len, layers)) - 12)
    x = placed(drawing, layers, sizes, 16.0)
    for layer in layers:
        for a, b in pairwise(layer):
            assert x[b] - x[a] >= (sizes[a] + sizes[b]) / 2 + 7.9
    assert min(x[v] - sizes[v] / 2 for v in range(len(sizes))) == 0


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=25))
def test_crossings_are_those_of_every_pair(ends):
    below = [[] for _ in range(7)]
    for upper, lower in sorted(set(ends)):
        below[upper].append(lower)
    expected = sum((a - c) * (b - d) < 0 for (a, b), (c, d) in combinations(sorted(set(ends)), 2))
    assert crossings(range(7), range(7), below) == expected


def test_ordering_untangles_what_can_be_untangled():
    links = [Link(0, 5), Link(1, 4), Link(2, 3)]
    drawing = layered([40.0] * 6, links, 1000.0)
    layers = ordered(drawing)
    assert [layers[1].index(5 - i) for i in layers[0]] == [0, 1, 2]


@given(st.lists(st.tuples(st.floats(-99, 99), st.floats(0.1, 9)), min_size=1, max_size=8))
def test_apart_is_optimal(wanted):
    """No small move of a block of neighbours that keeps the distances is any better."""
    goals, weights = [one for one, _ in wanted], [one for _, one in wanted]
    found = apart(goals, weights, [5.0] * (len(wanted) - 1))
    assert all(b - a >= 5 - 1e-6 for a, b in pairwise(found))

    def cost(places):
        return sum(w * (p - g) ** 2 for p, g, w in zip(places, goals, weights, strict=True))

    for start in range(len(found)):
        for end in range(start + 1, len(found) + 1):
            for move in (-1e-3, 1e-3):
                other = [p + move if start <= i < end else p for i, p in enumerate(found)]
                if all(b - a >= 5 - 1e-9 for a, b in pairwise(other)):
                    assert cost(other) >= cost(found) - 1e-6


def _boxes(drawing):
    return [
        (n.x - n.caption.width / 2, n.y, n.x + n.caption.width / 2, n.y + n.caption.height)
        for n in drawing.nodes
    ]


def _tangle(seed: int, size: int):
    """A graph of several functions in which anything may depend on anything."""
    chance = random.Random(seed)
    functions = []
    for number in range(4):
        steps = [(K.ENTRY, f"f{number}", "", -1)]
        steps += [
            (chance.choice([K.ASSIGN, K.CALL]), "n" * chance.randrange(1, 30), "", i)
            for i in range(size // 4)
        ]
        functions.append(steps)
    count = sum(map(len, functions))
    within = [
        (
            f * (count // 4) + chance.randrange(count // 4),
            f * (count // 4) + chance.randrange(count // 4),
        )
        for f in range(4)
        for _ in range(size // 2)
    ]
    calls = [(chance.randrange(count), chance.randrange(4)) for _ in range(8)]
    return assemble(flow_ir(functions, ""), pairs(within[::2]), pairs(within[1::2]), pairs(calls))


def test_nodes_never_overlap_and_lie_within_their_frames():
    for seed in range(5):
        graph = _tangle(seed, 60)
        drawing = lay_out(graph)
        for one, other in combinations(_boxes(drawing), 2):
            apart_across = one[2] <= other[0] or other[2] <= one[0]
            assert apart_across or one[3] <= other[1] or other[3] <= one[1]
        frames = {frame.function: frame for frame in drawing.frames}
        for node, box in zip(drawing.nodes[1:], _boxes(drawing)[1:], strict=True):
            frame = frames[graph.function[node.index]]
            assert frame.x <= box[0] and box[2] <= frame.x + frame.width + 0.1
            assert frame.y <= box[1] and box[3] <= frame.y + frame.height
        assert len(drawing.routes) == len(graph.source)


def test_the_same_graph_looks_the_same():
    assert lay_out(_tangle(1, 80)) == lay_out(_tangle(1, 80))


def test_what_runs_in_a_loop_leads_back_up():
    drawing = lay_out(little_graph())
    y = {node.index: node.y for node in drawing.nodes}
    for route in drawing.routes:
        if route.kind < 2 and route.source != route.target:
            assert (y[route.source] > y[route.target]) == route.reverse
    assert any(route.reverse for route in drawing.routes)
