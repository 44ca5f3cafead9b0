"""The order within layers, so that few edges cross (barycentre method)."""

from __future__ import annotations

import itertools
from bisect import bisect_right, insort
from collections.abc import Sequence

from codekin.report.graph.layering import Layered

__all__ = ["crossings", "ordered"]

_ROUNDS = 16
_PATIENCE = 4


def ordered(drawing: Layered) -> list[list[int]]:
    """The vertices of each layer from left to right.

    Layers are sorted again and again by where their neighbours above and below stand, and the
    order with the fewest crossings is taken; of equal ones the first.
    """
    above, below = _adjacent(drawing)
    layers = [list(layer) for layer in drawing.layers]
    best, fewest, waited = [list(layer) for layer in layers], None, 0
    for turn in range(_ROUNDS):
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
