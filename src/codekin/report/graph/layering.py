"""Layers of a drawing: every edge leads downwards, through a point in each layer that it passes."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Layered", "Link", "layered"]


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
