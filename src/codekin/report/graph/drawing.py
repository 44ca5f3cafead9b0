"""Layers of a drawing: which vertex is in which layer, in what order, and at which place."""

from __future__ import annotations

import itertools
from bisect import bisect_right, insort
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from codekin.report.graph.captions import Caption, caption, text_width
from codekin.represent.flow.flow_ir import OperationKind
from codekin.represent.graph.parts import Edge, EdgeKind
from codekin.represent.graph.semantic_graph import SemanticGraph

__all__ = [
    "Drawing",
    "Frame",
    "LaidOut",
    "Layered",
    "Link",
    "PlacedNode",
    "Route",
    "apart",
    "crossings",
    "lay_out",
    "lay_out_links",
    "layered",
    "ordered",
    "placed",
]

_SWEEPS = 16
_PATIENCE = 4


def ordered(drawing: Layered) -> list[list[int]]:
    """The vertices of each layer from left to right.

    Layers are sorted again and again by where their neighbours above and below stand, and the
    order with the fewest crossings is taken; of equal ones the first.
    """
    above, below = _adjacent(drawing)
    layers = [list(layer) for layer in drawing.layers]
    best, fewest, waited = [list(layer) for layer in layers], None, 0
    for turn in range(_SWEEPS):
        _sweep(layers, above if turn % 2 == 0 else below, upwards=turn % 2 == 1)
        count = sum(crossings(upper, lower, below) for upper, lower in itertools.pairwise(layers))
        waited += 1
        if fewest is None or count < fewest:
            best, fewest, waited = [list(layer) for layer in layers], count, 0
        if not fewest or waited > _PATIENCE:
            break
    return best


def _adjacent(drawing: Layered) -> tuple[list[list[int]], list[list[int]]]:
    count = sum(map(len, drawing.layers))
    above: list[list[int]] = [[] for _ in range(count)]
    below: list[list[int]] = [[] for _ in range(count)]
    for upper, lower in drawing.pairs():
        above[lower].append(upper)
        below[upper].append(lower)
    return above, below


def _sweep(layers: list[list[int]], beside: Sequence[Sequence[int]], upwards: bool) -> None:
    """Sort each layer by its neighbours in the one before; who has none keeps the place."""
    order = range(len(layers) - 2, -1, -1) if upwards else range(1, len(layers))
    for one in order:
        place = {v: i for i, v in enumerate(layers[one + 1 if upwards else one - 1])}
        scale = len(place) / max(1, len(layers[one]))
        keys = {}
        for i, vertex in enumerate(layers[one]):
            near = beside[vertex]
            keys[vertex] = sum(place[v] for v in near) / len(near) if near else i * scale
        layers[one].sort(key=keys.__getitem__)


def crossings(upper: Sequence[int], lower: Sequence[int], below: Sequence[Sequence[int]]) -> int:
    """How many edges between two layers cross.

    Examples
    --------
    >>> crossings([0, 1], [2, 3], [[3], [2], [], []])
    1
    """
    place = {vertex: i for i, vertex in enumerate(lower)}
    seen: list[int] = []
    count = 0
    for vertex in upper:
        ends = sorted(place[v] for v in below[vertex])
        count += sum(len(seen) - bisect_right(seen, end) for end in ends)
        for end in ends:
            insort(seen, end)
    return count


_STRAIGHTENINGS = 14
_STRAIGHT = (1.0, 2.0, 8.0)
"""What it counts that a link is upright, by how many of its ends are points of a longer way."""


def placed(
    drawing: Layered, layers: Sequence[Sequence[int]], widths: Sequence[float], gap: float
) -> list[float]:
    """The middle of each vertex, the leftmost edge being 0.

    Parameters
    ----------
    drawing : Layered
    layers : sequence of sequence of int
        The vertices of each layer from left to right.
    widths : sequence of float
        Of every vertex.
    gap : float
        The least distance between two nodes; points may come nearer.
    """
    near = _pulls(drawing, len(widths))
    steps = [
        [
            (widths[a] + widths[b]) / 2
            + (gap if a < drawing.nodes and b < drawing.nodes else gap / 2)
            for a, b in itertools.pairwise(layer)
        ]
        for layer in layers
    ]
    x = [0.0] * len(widths)
    for layer, step in zip(layers, steps, strict=True):
        at = -sum(step) / 2
        for vertex, further in zip(layer, [*step, 0.0], strict=True):
            x[vertex] = at
            at += further
    for turn in range(_STRAIGHTENINGS):
        sides = (0, 1) if turn >= _STRAIGHTENINGS - 2 else (turn % 2,)
        order = range(len(layers)) if turn % 2 == 0 else range(len(layers) - 1, -1, -1)
        for one in order:
            _settle(layers[one], steps[one], x, near, sides)
    left = min((x[v] - widths[v] / 2 for v in range(len(widths))), default=0.0)
    return [round(value - left, 2) for value in x]


Pulls = list[tuple[list[tuple[int, float]], list[tuple[int, float]]]]


def _pulls(drawing: Layered, count: int) -> Pulls:
    """For each vertex its neighbours above and below, and how much they count."""
    near: Pulls = [([], []) for _ in range(count)]
    for upper, lower in drawing.pairs():
        weight = _STRAIGHT[(upper >= drawing.nodes) + (lower >= drawing.nodes)]
        near[lower][0].append((upper, weight))
        near[upper][1].append((lower, weight))
    return near


def _settle(
    layer: Sequence[int],
    step: Sequence[float],
    x: list[float],
    near: Pulls,
    sides: tuple[int, ...],
) -> None:
    wanted, weights = [], []
    for vertex in layer:
        pulls = [pull for side in sides for pull in near[vertex][side]]
        total = sum(weight for _, weight in pulls)
        if total:
            wanted.append(sum(x[other] * weight for other, weight in pulls) / total)
            weights.append(total)
        else:
            wanted.append(x[vertex])
            weights.append(0.1)
    for vertex, value in zip(layer, apart(wanted, weights, step), strict=True):
        x[vertex] = value


def apart(wanted: Sequence[float], weights: Sequence[float], step: Sequence[float]) -> list[float]:
    """Positions nearest to the wanted ones that keep their order and distances.

    The weighted sum of squares is least; found by pooling neighbours that want too much.

    Examples
    --------
    >>> apart([0.0, 0.0, 9.0], [1.0, 1.0, 1.0], [4.0, 4.0])
    [-2.0, 2.0, 9.0]
    """
    offset, offsets = 0.0, [0.0]
    for one in step:
        offset += one
        offsets.append(offset)
    pools: list[tuple[float, float, int]] = []  # mean, weight, members
    for want, weight, shift in zip(wanted, weights, offsets, strict=False):
        mean, total, members = want - shift, weight, 1
        while pools and pools[-1][0] > mean:
            other, more, others = pools.pop()
            mean = (mean * total + other * more) / (total + more)
            total, members = total + more, members + others
        pools.append((mean, total, members))
    means = [mean for mean, _, members in pools for _ in range(members)]
    return [mean + shift for mean, shift in zip(means, offsets, strict=False)]


@dataclass(frozen=True, slots=True)
class Link:
    """An edge to draw.

    Attributes
    ----------
    source, target : int
        Nodes, numbered in the order in which the code names them.
    bundle : int
        Edges of one source and one bundle share their way as long as they can.
    weight : float
        How much it matters that the edge is short.
    """

    source: int
    target: int
    bundle: int = 0
    weight: float = 1.0


@dataclass(frozen=True)
class Layered:
    """Nodes and points in layers.

    Attributes
    ----------
    layers : tuple of tuple of int
        The vertices of each layer from the top: nodes, and after them numbered the points through
        which edges pass.
    nodes : int
        How many of the vertices are nodes.
    chains : tuple of tuple of int
        For each link its way from the upper node to the lower one; empty for a link from a node
        to itself.
    upwards : tuple of bool
        For each link whether it leads from the lower node to the upper one.
    """

    layers: tuple[tuple[int, ...], ...]
    nodes: int
    chains: tuple[tuple[int, ...], ...]
    upwards: tuple[bool, ...]

    def pairs(self) -> list[tuple[int, int]]:
        """Vertices of neighbouring layers that are joined, each pair once, upper one first."""
        found = {pair: None for chain in self.chains for pair in itertools.pairwise(chain)}
        return list(found)


def layered(widths: Sequence[float], links: Sequence[Link], limit: float) -> Layered:
    """Give every node a layer.

    What the code names first stands above, so an edge back to it leads upwards: that breaks every
    cycle, and the drawing reads as the code does.

    Parameters
    ----------
    widths : sequence of float
        Of the nodes.
    links : sequence of Link
    limit : float
        How wide the nodes of a layer may be together; one node may always stand alone.
    """
    above, below = _neighbours(len(widths), links)
    rooms = _Rooms(widths, limit)
    for node in range(len(widths)):
        rooms.put(node, 1 + max((rooms.layer[other] for other, _ in above[node]), default=-1))
    for _ in range(2):
        for node in reversed(range(len(widths))):
            pull = sum(w for _, w in below[node]) - sum(w for _, w in above[node])
            if below[node] and pull > 0:
                rooms.lower(node, min(rooms.layer[other] for other, _ in below[node]) - 1)
    return _with_points(rooms.layer, links)


def _neighbours(
    count: int, links: Sequence[Link]
) -> tuple[list[list[tuple[int, float]]], list[list[tuple[int, float]]]]:
    """For each node those above it and those below it, with the weights of the links."""
    above: list[list[tuple[int, float]]] = [[] for _ in range(count)]
    below: list[list[tuple[int, float]]] = [[] for _ in range(count)]
    for link in links:
        if link.source != link.target:
            low, high = sorted((link.source, link.target))
            above[high].append((low, link.weight))
            below[low].append((high, link.weight))
    return above, below


class _Rooms:
    """Layers that fill up."""

    def __init__(self, widths: Sequence[float], limit: float) -> None:
        self._widths, self._limit = widths, limit
        self._used: list[float] = []
        self.layer = [0] * len(widths)

    def _fits(self, node: int, layer: int) -> bool:
        while len(self._used) <= layer:
            self._used.append(0.0)
        return self._used[layer] == 0 or self._used[layer] + self._widths[node] <= self._limit

    def put(self, node: int, layer: int) -> None:
        """Into the first layer from this one on that has room."""
        while not self._fits(node, layer):
            layer += 1
        self._used[layer] += self._widths[node]
        self.layer[node] = layer

    def lower(self, node: int, lowest: int) -> None:
        """Into the lowest layer with room down to this one, or not at all."""
        for layer in range(lowest, self.layer[node], -1):
            if self._fits(node, layer):
                self._used[self.layer[node]] -= self._widths[node]
                self._used[layer] += self._widths[node]
                self.layer[node] = layer
                return


def _with_points(layer_of: Sequence[int], links: Sequence[Link]) -> Layered:
    """Points where links pass a layer; links of a source and bundle share them."""
    dense = {layer: place for place, layer in enumerate(sorted(set(layer_of)))}
    layers: list[list[int]] = [[] for _ in dense]
    for node, layer in enumerate(layer_of):
        layers[dense[layer]].append(node)
    points: dict[tuple[int, int, bool, int], int] = {}
    chains: list[tuple[int, ...]] = []
    upwards: list[bool] = []
    for link in links:
        upper, lower = sorted((link.source, link.target))
        back = link.source > link.target
        upwards.append(back)
        if upper == lower:
            chains.append(())
            continue
        # What leads upwards is shared by where it ends; what leads down, by where it begins.
        chain = [upper]
        for layer in range(dense[layer_of[upper]] + 1, dense[layer_of[lower]]):
            key = (upper, link.bundle, back, layer)
            if key not in points:
                points[key] = len(layer_of) + len(points)
                layers[layer].append(points[key])
            chain.append(points[key])
        chains.append((*chain, lower))
    return Layered(tuple(map(tuple, layers)), len(layer_of), tuple(chains), tuple(upwards))


_GAP = 16.0
_POINT = 3.0
_PAD, _HEAD = 16.0, 30.0
_BETWEEN = 26.0
_LAYER_WIDTH = 640.0
_ROW_WIDTH = 900.0
_WEIGHTS = {EdgeKind.DATA: 3.0, EdgeKind.CONTROL: 1.0}


@dataclass(frozen=True)
class PlacedNode:
    """A node with its place: the middle of its top edge."""

    index: int
    x: float
    y: float
    caption: Caption


@dataclass(frozen=True)
class Route:
    """An edge as a path of SVG; `reverse` says that the path runs against the edge."""

    source: int
    target: int
    kind: EdgeKind
    path: str
    reverse: bool = False


@dataclass(frozen=True)
class Frame:
    """A function's place in the drawing."""

    function: int
    name: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Drawing:
    """Everything to draw, with the size of the whole."""

    width: float
    height: float
    frames: tuple[Frame, ...]
    nodes: tuple[PlacedNode, ...]
    routes: tuple[Route, ...]


def lay_out(
    graph: SemanticGraph,
    functions: Sequence[int] | None = None,
    captions: Sequence[Caption] | None = None,
    strands: Sequence[int] | None = None,
) -> Drawing:
    """Lay a graph out; the same graph always looks the same.

    Parameters
    ----------
    graph : SemanticGraph
    functions : sequence of int, optional
        The functions to draw; all of them where none are named.
    captions : sequence of Caption, optional
        What is written on the nodes, where it is not their own labels and code.
    strands : sequence of int, optional
        For each edge a number; edges of different ones share no part of their ways.
    """
    captions = captions or [caption(node) for node in graph.nodes()]
    present = [f for f in sorted(set(graph.function.tolist()) - {-1}) if _wanted(f, functions)]
    edges = list(zip(graph.edges(), strands or [0] * len(graph.source), strict=True))
    parts = [_function(graph, function, captions, edges) for function in present]
    root = captions[0]
    top = root.height + 2 * _BETWEEN
    frames, right, bottom = _packed(graph, parts, top)
    nodes = [PlacedNode(0, round(right / 2, 2), 8.0, root)]
    routes: list[Route] = []
    for part, frame in zip(parts, frames, strict=True):
        dx, dy = frame.x + _PAD, frame.y + _HEAD
        nodes += [
            PlacedNode(n, round(x + dx, 2), round(y + dy, 2), captions[n])
            for n, (x, y) in part.places.items()
        ]
        routes += [way.route(dx, dy) for way in part.ways]
    at = {node.index: node for node in nodes}
    across = _across(graph, at, frames)
    return Drawing(right, bottom, tuple(frames), tuple(nodes), (*across, *routes))


def _wanted(function: int, functions: Sequence[int] | None) -> bool:
    return functions is None or function in functions


@dataclass(frozen=True)
class _Way:
    """An edge within a function: the vertical pieces of its way, from the top."""

    source: int
    target: int
    kind: EdgeKind
    reverse: bool
    pieces: tuple[tuple[float, float, float], ...]

    def route(self, dx: float, dy: float) -> Route:
        (x, _, y), *rest = self.pieces
        path = [f"M{x + dx:.1f} {y + dy:.1f}"]
        for to, upper, lower in rest:
            middle = (y + upper) / 2 + dy
            ends = f"{x + dx:.1f} {middle:.1f} {to + dx:.1f} {middle:.1f}"
            path.append(f"C{ends} {to + dx:.1f} {upper + dy:.1f}")
            if lower > upper:
                path.append(f"V{lower + dy:.1f}")
            x, y = to, lower
        return Route(self.source, self.target, self.kind, "".join(path), self.reverse)


@dataclass(frozen=True)
class _Part:
    """A function laid out by itself."""

    function: int
    width: float
    height: float
    places: dict[int, tuple[float, float]]
    ways: tuple[_Way, ...]


def _function(
    graph: SemanticGraph,
    function: int,
    captions: Sequence[Caption],
    stranded: Sequence[tuple[Edge, int]],
) -> _Part:
    members = np.flatnonzero(graph.function == function).tolist()
    local = {node: i for i, node in enumerate(members)}
    within = [
        (edge, strand)
        for edge, strand in stranded
        if edge.source in local and edge.target in local and edge.kind <= EdgeKind.CONTROL
    ]
    edges = [edge for edge, _ in within]
    links = [
        Link(
            local[edge.source],
            local[edge.target],
            int(edge.kind) + len(EdgeKind) * strand,
            0.0 if graph.kind[edge.source] == OperationKind.ENTRY else _WEIGHTS[edge.kind],
        )
        for edge, strand in within
    ]
    ways = _laid([captions[node] for node in members], links, _LAYER_WIDTH)
    return _Part(
        function,
        ways.width,
        ways.height,
        {node: ways.place(i) for node, i in local.items()},
        tuple(
            _Way(edge.source, edge.target, edge.kind, ways.upwards(i), ways.pieces(i))
            for i, edge in enumerate(edges)
        ),
    )


def _laid(captions: Sequence[Caption], links: Sequence[Link], limit: float) -> _Ways:
    """Nodes in layers no wider than a limit, and the ways of the links between them."""
    drawing = layered([one.width + _GAP for one in captions], links, limit)
    layers = ordered(drawing)
    count = sum(map(len, layers))
    sizes = [one.width for one in captions] + [_POINT] * (count - len(captions))
    x = placed(drawing, layers, sizes, _GAP)
    heights = [one.height for one in captions]
    tops, bottoms = _levels(drawing, layers, heights)
    return _Ways(drawing, links, layers, x, tops, bottoms, sizes, heights)


@dataclass(frozen=True)
class LaidOut:
    """Nodes and links with their places.

    Attributes
    ----------
    width, height : float
        Of the whole.
    places : list of (float, float)
        For each node, the middle of its top edge.
    paths : list of (str, bool)
        For each link, its path in SVG, and whether the path runs against it.
    """

    width: float
    height: float
    places: list[tuple[float, float]]
    paths: list[tuple[str, bool]]


_OVERVIEW_WIDTH = 1100.0


def lay_out_links(captions: Sequence[Caption], links: Sequence[Link]) -> LaidOut:
    """Lay out nodes that are not in frames.

    Parameters
    ----------
    captions : sequence of Caption
        Of the nodes.
    links : sequence of Link
    """
    ways = _laid(captions, links, _OVERVIEW_WIDTH)
    paths = [
        _Way(link.source, link.target, EdgeKind.CALL, ways.upwards(i), ways.pieces(i)).route(0, 0)
        for i, link in enumerate(links)
    ]
    return LaidOut(
        ways.width,
        ways.height,
        [ways.place(i) for i in range(len(captions))],
        [(route.path, route.reverse) for route in paths],
    )


def _levels(
    drawing: Layered, layers: Sequence[Sequence[int]], heights: Sequence[float]
) -> tuple[list[float], list[float]]:
    """Where each layer begins and ends; many edges between two need more room."""
    level = {vertex: i for i, layer in enumerate(layers) for vertex in layer}
    busy = [0] * len(layers)
    for upper, _ in drawing.pairs():
        busy[level[upper]] += 1
    tops, bottoms, y = [], [], 0.0
    for i, layer in enumerate(layers):
        tops.append(y)
        bottoms.append(y + max(heights[v] for v in layer if v < drawing.nodes))
        y = bottoms[-1] + min(64.0, 26.0 + 1.6 * busy[i])
    return tops, bottoms


class _Ways:
    """Where edges leave nodes, pass layers and arrive."""

    def __init__(
        self,
        drawing: Layered,
        links: Sequence[Link],
        layers: Sequence[Sequence[int]],
        x: Sequence[float],
        tops: Sequence[float],
        bottoms: Sequence[float],
        sizes: Sequence[float],
        heights: Sequence[float],
    ) -> None:
        self._drawing, self._links, self._x = drawing, links, x
        self._tops, self._bottoms = tops, bottoms
        self._sizes, self._heights = sizes, heights
        self.level = {vertex: i for i, layer in enumerate(layers) for vertex in layer}
        self._below: dict[int, dict[tuple[int, bool], list[float]]] = defaultdict(dict)
        self._above: dict[int, dict[tuple[int, int, bool], float]] = defaultdict(dict)
        for link, chain, back in zip(links, drawing.chains, drawing.upwards, strict=True):
            if chain:
                leaving = self._below[chain[0]].setdefault((link.bundle, back), [])
                leaving.append(x[chain[1]])
                self._above[chain[-1]][chain[-2], link.bundle, back] = x[chain[-2]]
        loops = [link.source for link in links if link.source == link.target]
        right = max((x[v] + sizes[v] / 2 for v in range(len(sizes))), default=0.0)
        self.margin = max((x[v] + sizes[v] / 2 + 16 - right for v in loops), default=0.0)
        self.margin = max(0.0, self.margin)
        self.width = right + self.margin
        self.height = bottoms[-1] if bottoms else 0.0

    def place(self, node: int) -> tuple[float, float]:
        """The middle of the top edge of a node."""
        return self._x[node], self._tops[self.level[node]]

    def upwards(self, number: int) -> bool:
        """Whether a link leads from the lower node to the upper one."""
        return self._drawing.upwards[number]

    def _port(self, node: int, ports: Sequence[object], key: object) -> float:
        """Where on the edge of a node a way ends, the ways being sorted."""
        step = min(13.0, (self._sizes[node] - 12) / max(1, len(ports)))
        return self._x[node] + (ports.index(key) - (len(ports) - 1) / 2) * step

    def pieces(self, number: int) -> tuple[tuple[float, float, float], ...]:
        """The vertical pieces of a link's way: x, upper and lower end."""
        link, chain = self._links[number], self._drawing.chains[number]
        if not chain:
            return self._loop(link.source)
        first, last, back = chain[0], chain[-1], self._drawing.upwards[number]
        below = self._below[first]
        leaving = sorted(below, key=lambda key: (sum(below[key]) / len(below[key]), key))
        arriving = sorted(self._above[last], key=lambda key: (self._above[last][key], key))
        start = self._port(first, leaving, (link.bundle, back))
        end = self._port(last, arriving, (chain[-2], link.bundle, back))
        bottom = self._tops[self.level[first]] + self._heights[first]
        passed = [
            (self._x[v], self._tops[self.level[v]], self._bottoms[self.level[v]])
            for v in chain[1:-1]
        ]
        top = self._tops[self.level[last]]
        return (start, bottom, bottom), *passed, (end, top, top)

    def _loop(self, node: int) -> tuple[tuple[float, float, float], ...]:
        x = self._x[node] + self._sizes[node] / 2
        y = self._tops[self.level[node]] + self._heights[node] / 2
        return (x, y - 7, y - 7), (x + 14, y, y), (x, y + 7, y + 7)


def _packed(
    graph: SemanticGraph, parts: Sequence[_Part], top: float
) -> tuple[list[Frame], float, float]:
    """Frames one after the other, each as high up as it fits, and how far they reach."""
    limit = max([_ROW_WIDTH, *(part.width + 2 * _PAD for part in parts)])
    frames: list[Frame] = []
    for part in parts:
        name = graph.functions[part.function]
        width = round(max(part.width, 7.4 * text_width(name)) + 2 * _PAD, 2)
        height = round(part.height + _HEAD + _PAD, 2)
        sides = {0.0, *(frame.x + frame.width + _BETWEEN for frame in frames)}
        y, x = min((_free(frames, x, width, top), x) for x in sides if x == 0 or x + width <= limit)
        frames.append(Frame(part.function, name, round(x, 2), round(y, 2), width, height))
    right = max([120.0, *(frame.x + frame.width for frame in frames)])
    bottom = max([top, *(frame.y + frame.height for frame in frames)])
    return frames, round(right, 2), round(bottom + 2, 2)


def _free(frames: Sequence[Frame], x: float, width: float, top: float) -> float:
    """The first height from which nothing stands in the way below."""
    beneath = (
        frame.y + frame.height + _BETWEEN
        for frame in frames
        if frame.x < x + width + _BETWEEN and x < frame.x + frame.width + _BETWEEN
    )
    return max(beneath, default=top)


def _across(
    graph: SemanticGraph, at: dict[int, PlacedNode], frames: Sequence[Frame]
) -> list[Route]:
    """Edges between functions: from the root to their frames, and from calls to entries."""
    frame_of = {frame.function: frame for frame in frames}
    within = (EdgeKind.DATA, EdgeKind.CONTROL)
    routes = []
    for edge in graph.edges():
        if edge.source not in at or edge.target not in at:
            continue
        one, other = at[edge.source], at[edge.target]
        function = int(graph.function[edge.target])
        if edge.kind is EdgeKind.ROOT:
            top = frame_of[function].y
            path = _curve(one.x, one.y + one.caption.height, other.x, top)
        elif function == graph.function[edge.source]:
            if edge.kind in within:
                continue
            path = _around(one, other, frame_of[function])
        else:
            path = _call(one, other)
        routes.append(Route(edge.source, edge.target, edge.kind, path))
    return routes


def _curve(x: float, y: float, to: float, end: float) -> str:
    middle = (y + end) / 2
    return f"M{x:.1f} {y:.1f}C{x:.1f} {middle:.1f} {to:.1f} {middle:.1f} {to:.1f} {end:.1f}"


def _around(one: PlacedNode, other: PlacedNode, frame: Frame) -> str:
    """From a call up to the entry of its own function, along the side of the frame."""
    away = 1 if one.x >= other.x else -1
    x, to = (node.x + away * node.caption.width / 2 for node in (one, other))
    y, end = (node.y + node.caption.height / 2 for node in (one, other))
    side = frame.x + 5 if away < 0 else frame.x + frame.width - 5
    turn = min(24.0, (y - end) / 2)
    return (
        f"M{x:.1f} {y:.1f}C{side:.1f} {y:.1f} {side:.1f} {y:.1f} {side:.1f} {y - turn:.1f}"
        f"V{end + turn:.1f}C{side:.1f} {end:.1f} {side:.1f} {end:.1f} {to:.1f} {end:.1f}"
    )


def _call(one: PlacedNode, other: PlacedNode) -> str:
    """From the side of a call to the nearer side of the entry it calls."""
    away = 1 if other.x > one.x else -1
    x = one.x + away * one.caption.width / 2
    to = other.x - away * other.caption.width / 2
    y, end = one.y + one.caption.height / 2, other.y + other.caption.height / 2
    if (to - x) * away < 24:  # one stands above the other: around on the same side
        to = other.x + away * other.caption.width / 2
        bend = max(x * away, to * away) * away + away * 44
        return f"M{x:.1f} {y:.1f}C{bend:.1f} {y:.1f} {bend:.1f} {end:.1f} {to:.1f} {end:.1f}"
    reach = max(40.0, abs(to - x) / 2) * away
    return f"M{x:.1f} {y:.1f}C{x + reach:.1f} {y:.1f} {to - reach:.1f} {end:.1f} {to:.1f} {end:.1f}"
