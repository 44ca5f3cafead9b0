"""The dendrogram of revisions: rows with names, and branches as inline SVG that fits any width."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np
import numpy.typing as npt

from codekin.groups.clustering import Clustering
from codekin.plain_text import plain
from codekin.report.plots.axes import Axis, nice_range
from codekin.results import count_text, number_text
from codekin.statistics.linkage import cut, leaf_order

__all__ = ["COLOURS", "Dendrogram", "DendrogramRow", "dendrogram"]

COLOURS = 8
"""So many groups have a colour of their own; after them the colours come again."""
_MOST_ROWS = 60
_WIDTH, _STEP = 1000.0, 20.0
_STUB = 12.0
"""How far the line goes on beyond the last join."""


@dataclass(frozen=True)
class DendrogramRow:
    """What a line of the dendrogram begins with.

    Attributes
    ----------
    name : str
        The revision, or the medoid of the group that the row stands for.
    group : int
        The number of its group; where it stands for several, of the largest.
    revisions : int
        How many it stands for, copies included.
    groups : int
        How many groups they belong to.
    medoid : bool
        Whether it is the medoid of its group.
    """

    name: str
    group: int
    revisions: int
    groups: int
    medoid: bool


@dataclass(frozen=True)
class Dendrogram:
    """Rows from top to bottom, and the branches beside them.

    Attributes
    ----------
    rows : tuple of DendrogramRow
    svg : str
        The branches. Their picture is stretched to the room there is; lines keep their strength.
    ticks : tuple of (float, str)
        Where on the axis, in percent from the left, which mean similarity stands.
    collapsed : bool
        Whether rows stand for more than one text.
    """

    rows: tuple[DendrogramRow, ...]
    svg: str
    ticks: tuple[tuple[float, str], ...]
    collapsed: bool


def dendrogram(clustering: Clustering) -> Dendrogram | None:
    """Draw how revisions were joined; None where there were not two.

    Up to 60 texts have a row each. Where there are more, a group is one row, and where there are
    more than 60 groups, those that are joined first share one.
    """
    if not len(clustering.linkage):
        return None
    rows = _rows(clustering)
    low = 1 - float(clustering.linkage[-1, 2])
    axis = nice_range(min(low, 1 - 1e-6), 1.0)
    ticks = tuple(
        (round(100 * (1 - value) / (1 - axis.low), 3), text)
        for value, text in reversed(axis.ticks)
        if value <= 1 + 1e-9
    )
    order = list(dict.fromkeys(rows[leaf_order(clustering.linkage)].tolist()))
    belongs = _groups_of(clustering)
    listed = tuple(_row(clustering, belongs, np.flatnonzero(rows == one).tolist()) for one in order)
    svg = _svg(clustering, rows.tolist(), {row: i for i, row in enumerate(order)}, axis, listed)
    return Dendrogram(listed, svg, ticks, len(listed) < len(clustering.names))


def _rows(clustering: Clustering) -> npt.NDArray[np.intp]:
    """The row of each text, in no order."""
    texts = len(clustering.names)
    wanted = texts if texts <= _MOST_ROWS else min(_MOST_ROWS, len(clustering.groups))
    return cut(clustering.linkage, groups=wanted)


def _groups_of(clustering: Clustering) -> dict[int, int]:
    return {place: group.number for group in clustering.groups for place in group.places}


def _row(clustering: Clustering, belongs: dict[int, int], places: list[int]) -> DendrogramRow:
    numbers = sorted({belongs[place] for place in places})
    first = clustering.groups[numbers[0] - 1]
    alone = len(places) == 1
    name = clustering.names[places[0]] if alone else first.medoid
    copies = (clustering.copies.get(clustering.names[place], ()) for place in places)
    size = len(places) + sum(map(len, copies))
    return DendrogramRow(plain(name), numbers[0], size, len(numbers), name == first.medoid)


def _svg(
    clustering: Clustering,
    rows: list[int],
    places: dict[int, int],
    axis: Axis,
    listed: tuple[DendrogramRow, ...],
) -> str:
    height = _STEP * len(places)
    drawing = _Drawing(clustering, rows, places, axis)
    said = (
        f"Dendrogram of {count_text(len(clustering.names), 'text')} in "
        f"{count_text(len(clustering.groups), 'group')}; the rows beside it name them"
    )
    body = "".join(
        (drawing.cut_line(height), drawing.fans(listed), drawing.joins(), drawing.stub())
    )
    return (
        f'<svg viewBox="0 0 {_WIDTH + _STUB:g} {height:g}" preserveAspectRatio="none" role="img" '
        f'aria-label="{escape(said)}">{body}</svg>'
    )


class _Drawing:
    """The parts of the picture, each in its own layer."""

    def __init__(
        self, clustering: Clustering, rows: list[int], places: dict[int, int], axis: Axis
    ) -> None:
        self._clustering = clustering
        self._linkage = clustering.linkage
        self._axis = axis
        belongs = _groups_of(clustering)
        count = len(rows)
        # Of each text and each join: where it stands, its row if it has one, its group if one.
        self._row: list[int | None] = list(rows)
        self._group: list[int | None] = [belongs[place] for place in range(count)]
        self._y = [_STEP * (places[row] + 0.5) for row in rows]
        self._x = [0.0] * count
        self._places = places
        self._count = count
        self._place_joins()

    def _place_joins(self) -> None:
        for one, other, far, _ in self._linkage.tolist():
            a, b = int(one), int(other)
            self._row.append(self._row[a] if self._row[a] == self._row[b] else None)
            self._group.append(self._group[a] if self._group[a] == self._group[b] else None)
            self._y.append((self._y[a] + self._y[b]) / 2)
            self._x.append(self._across(1 - far))

    def _across(self, similarity: float) -> float:
        share = (1 - similarity) / (1 - self._axis.low)
        return round(_WIDTH * min(1.0, max(0.0, share)), 2)

    def joins(self) -> str:
        """A bracket for each join that lies in no row."""
        parts = []
        for step, (one, other, far, _) in enumerate(self._linkage.tolist()):
            node = self._count + step
            if self._row[node] is not None:
                continue
            a, b = int(one), int(other)
            kind = _colour(self._group[node])
            path = f"M{self._x[a]:g} {self._y[a]:g}H{self._x[node]:g}V{self._y[b]:g}H{self._x[b]:g}"
            title = f"joined at a mean similarity of {number_text(1 - far, digits=3)}"
            parts.append(f'<path class="join {kind}" d="{path}"><title>{title}</title></path>')
        return f'<g class="joins">{"".join(parts)}</g>'

    def fans(self, listed: tuple[DendrogramRow, ...]) -> str:
        """A fan for each row that stands for several texts, as wide as they lie apart."""
        tops = {}
        for node in range(self._count, len(self._row)):
            if self._row[node] is not None:
                tops[self._row[node]] = self._x[node]
        parts = []
        for row, place in self._places.items():
            if row not in tops:
                continue
            y = _STEP * (place + 0.5)
            row_of = listed[place]
            kind = _colour(row_of.group if row_of.groups == 1 else None)
            points = f"0,{y - 0.36 * _STEP:g} 0,{y + 0.36 * _STEP:g} {max(tops[row], 4):g},{y:g}"
            parts.append(f'<polygon class="fan {kind}" points="{points}"/>')
        return f'<g class="fans">{"".join(parts)}</g>'

    def cut_line(self, height: float) -> str:
        """Where joining stopped."""
        heights = self._linkage[:, 2]
        steps = self._count - len(self._clustering.groups)
        if self._clustering.threshold is not None:
            at = 1 - self._clustering.threshold
        else:
            before = heights[steps - 1] if steps else 0.0
            at = float(before + (heights[steps] if steps < len(heights) else before)) / 2
        if at > 1 - self._axis.low or steps == len(heights):
            return ""
        x = self._across(1 - at)
        return f'<path class="cut" d="M{x:g} 0V{height:g}"/>'

    def stub(self) -> str:
        """The line that goes on beyond the last join."""
        x, y = self._x[-1], self._y[-1]
        return f'<path class="join {_colour(self._group[-1])}" d="M{x:g} {y:g}H{x + _STUB:g}"/>'


def _colour(group: int | None) -> str:
    """The class of what belongs to a group, or to several."""
    return f"of-{(group - 1) % COLOURS}" if group else "between"
