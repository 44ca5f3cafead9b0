"""Where vertices of ordered layers stand: near their neighbours, and apart from each other."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from codekin.report.graph.layering import Layered

__all__ = ["apart", "placed"]

_ROUNDS = 14
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
    for turn in range(_ROUNDS):
        sides = (0, 1) if turn >= _ROUNDS - 2 else (turn % 2,)
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
