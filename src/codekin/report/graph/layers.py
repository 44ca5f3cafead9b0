"""Layers of a drawing: which vertex is in which layer, in what order, and at which place."""

from __future__ import annotations

import itertools
from bisect import bisect_right, insort
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Layered", "Link", "apart", "crossings", "layered", "ordered", "placed"]

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
