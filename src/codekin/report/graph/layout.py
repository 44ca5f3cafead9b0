"""A semantic graph laid out: functions in frames, their operations in layers, edges as curves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from codekin.report.graph.captions import Caption, caption, text_width
from codekin.report.graph.layers import Layered, Link, layered, ordered, placed
from codekin.represent.flow.flow_ir import OperationKind
from codekin.represent.graph.parts import Edge, EdgeKind
from codekin.represent.graph.semantic_graph import SemanticGraph

__all__ = ["Drawing", "Frame", "PlacedNode", "Route", "lay_out"]

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
    widths = [captions[node].width + _GAP for node in members]
    drawing = layered(widths, links, _LAYER_WIDTH)
    layers = ordered(drawing)
    count = sum(map(len, layers))
    sizes = [captions[node].width for node in members] + [_POINT] * (count - len(members))
    x = placed(drawing, layers, sizes, _GAP)
    heights = [captions[node].height for node in members]
    tops, bottoms = _levels(drawing, layers, heights)
    ways = _Ways(drawing, links, layers, x, tops, bottoms, sizes, heights)
    return _Part(
        function,
        max((x[v] + sizes[v] / 2 for v in range(count)), default=0.0) + ways.margin,
        bottoms[-1] if bottoms else 0.0,
        {node: (x[i], tops[ways.level[i]]) for node, i in local.items()},
        tuple(
            _Way(edge.source, edge.target, edge.kind, drawing.upwards[i], ways.pieces(i))
            for i, edge in enumerate(edges)
        ),
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
