"""Figures of the result model as inline SVG."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape

from codekin.report.brief_names import brief_names
from codekin.report.plots.axes import (
    Axis,
    brief,
    known,
    log_axis,
    minus,
    nice_range,
    unit_axis,
    wide_axis,
)
from codekin.report.plots.strips import axis_strip, bar_strip, mark_strip
from codekin.results import (
    Curve,
    Curves,
    Figure,
    Forest,
    ForestRow,
    Histograms,
    Interval,
    Point,
    Scatter,
    ShareBars,
    interval_text,
    number_text,
)

__all__ = [
    "COLORS",
    "DrawnRow",
    "binned_bars",
    "curves",
    "drawn_rows",
    "forest_scale",
    "overlaid",
    "picture",
    "scatter",
]

_LABEL = 18
_LABELLED = 12
"""Small plots with more dots have no names beside them."""


def picture(figure: Figure) -> str:
    """The SVG of a figure that is one picture; empty where it gives a reason why there is none."""
    if figure.reason:
        return ""
    match figure:
        case Histograms():
            names = (figure.first[0], figure.second[0])
            return overlaid(figure.first[1], figure.second[1], figure.ends, names, figure.title)
        case ShareBars():
            low, high = figure.height.low, figure.height.high
            axis = unit_axis() if (low, high) == (0.0, 1.0) else nice_range(low, high)
            return binned_bars(figure.bars, axis, figure.base, figure.axes)
        case Curves():
            return curves(figure.curves, figure.base, figure.axes, figure.title)
        case Scatter():
            return _scatter(figure) if figure.points else ""
    raise TypeError(f"no picture can be made of {type(figure).__name__}")


def _scatter(figure: Scatter) -> str:
    """A plot without a title has a page's width for itself; others are small, and many."""
    small = bool(figure.title)
    points = figure.points
    across = [one.x for one in points]
    up = [one.y for one in points]
    if figure.times:
        x = log_axis(min(across), max(across), time=True)
        points = tuple(replace(one, x=math.log10(one.x)) for one in points)
    else:
        x = nice_range(min(across), max(across))
    if figure.diagonal:
        return scatter(points, unit_axis(), unit_axis(), figure.axes, small=small, diagonal=True)
    y = (
        nice_range(min(up), max(up))
        if figure.around is None
        else wide_axis(up, [one.interval for one in points], figure.around)
    )
    labels = brief_names([one.label for one in points], _LABEL)
    if small and len(points) > _LABELLED:
        labels = [""] * len(points)
    named = [replace(one, label=label) for one, label in zip(points, labels, strict=True)]
    return scatter(named, x, y, figure.axes, small=small)


def _axis(forest: Forest) -> Axis:
    """An axis that holds all values; the intervals of bars, or of first marks, decide as well."""
    marks = [mark for row in forest.rows for mark in row.marks]
    leading = [mark for row in forest.rows for mark in row.marks[: None if forest.bars else 1]]
    intervals = [interval for mark in leading for interval in mark.intervals]
    return wide_axis([mark.value for mark in marks], intervals, forest.zero)


@dataclass(frozen=True)
class DrawnRow:
    """A row of a forest plot: its marks as SVG, and the first of them as numbers."""

    row: ForestRow
    strip: str
    text: str
    range: str


def drawn_rows(forest: Forest) -> list[DrawnRow]:
    """The rows of a forest plot, all on the same axis."""
    axis = _axis(forest)
    lines = {"zero": forest.zero, "reference": forest.reference}
    draw = bar_strip if forest.bars else mark_strip
    drawn = []
    for row in forest.rows:
        text = interval = ""
        if row.marks:
            text = number_text(row.marks[0].value, digits=forest.digits)
            shown = [one for one in row.marks[0].intervals if known(one)]
            interval = interval_text(shown[0], digits=forest.digits) if shown else ""
        strip = "" if row.reason else draw(row.marks, axis, lines)
        drawn.append(DrawnRow(row, strip, minus(text), minus(interval)))
    return drawn


def forest_scale(forest: Forest) -> str:
    """The numbers above the rows of a forest plot, as SVG."""
    return axis_strip(_axis(forest))


COLORS = 8
"""Colours of curves; the next ones have them again, dashed."""

_CARD, _LEFT, _RIGHT, _TOP, _BOTTOM = 280, 34, 8, 8, 32


def overlaid(
    first: Sequence[int], second: Sequence[int], ends: Interval, names: tuple[str, str], of: str
) -> str:
    """Two histograms over each other, as shares of their own rows; `of` is what they count."""
    width, height = _CARD, 116
    foot, bins = height - 22, len(first)
    sums = [max(1, sum(one)) for one in (first, second)]
    most = max(
        [n / total for one, total in zip((first, second), sums, strict=True) for n in one],
        default=1.0,
    )
    most = most or 1.0

    def x(edge: float) -> float:
        return _RIGHT + (width - 2 * _RIGHT) * edge / bins

    def outline(counts: Sequence[int], total: int) -> str:
        steps = [f"M{x(0):.1f} {foot}"]
        for i, count in enumerate(counts):
            top = foot - (foot - _TOP) * count / total / most
            steps.append(f"V{top:.1f}H{x(i + 1):.1f}")
        return "".join(steps) + f"V{foot}z"

    parts = [
        f'<path class="{kind}" d="{outline(counts, total)}"/>'
        for kind, counts, total in zip(("first", "second"), (first, second), sums, strict=True)
    ]
    step = (ends.high - ends.low) / bins
    for i in range(bins):
        low, high = ends.low + i * step, ends.low + (i + 1) * step
        said = (
            f"{of} from {brief(low)} to {brief(high)}: {first[i]:,} of {sum(first):,} {names[0]}, "
            f"{second[i]:,} of {sum(second):,} {names[1]}"
        )
        parts.append(
            f'<rect class="over" x="{x(i):.1f}" y="{_TOP}" width="{x(1) - x(0):.1f}" '
            f'height="{foot - _TOP}"><title>{escape(said)}</title></rect>'
        )
    for share in (0.0, 0.5, 1.0):
        value = ends.low + share * (ends.high - ends.low)
        anchor = {0.0: "start", 1.0: "end"}.get(share, "middle")
        parts.append(
            f'<text class="tick {anchor}" x="{x(bins * share):.1f}" '
            f'y="{foot + 15}">{brief(value)}</text>'
        )
    parts.append(f'<line class="base" x1="{x(0)}" x2="{x(bins)}" y1="{foot}" y2="{foot}"/>')
    return _picture(
        width,
        height,
        "histogram overlaid",
        f"Histograms of {of}: {names[0]} over {names[1]}",
        parts,
    )


@dataclass(frozen=True)
class _Box:
    """The inside of a picture with two axes."""

    x: Axis
    y: Axis
    width: int
    height: int
    left: int = _LEFT + 6
    right: int = _RIGHT
    inset: int = 0

    def at(self, x: float, y: float) -> tuple[float, float]:
        return self.across(x), self.up(y)

    def across(self, x: float) -> float:
        room = self.width - self.left - self.right - 2 * self.inset
        return self.left + self.inset + room * (x - self.x.low) / (self.x.high - self.x.low)

    def up(self, y: float) -> float:
        inside = min(max(y, self.y.low), self.y.high)
        room = self.height - _TOP - _BOTTOM - 2 * self.inset
        return _TOP + self.inset + room * (1 - (inside - self.y.low) / (self.y.high - self.y.low))

    def ground(self, names: tuple[str, str]) -> list[str]:
        foot = self.height - _BOTTOM
        right = self.width - self.right
        parts = []
        for value, label in self.x.ticks:
            x = f"{self.across(value):.1f}"
            parts.append(f'<line class="grid" x1="{x}" x2="{x}" y1="{_TOP}" y2="{foot}"/>')
            parts.append(f'<text class="tick" x="{x}" y="{foot + 15}">{minus(label)}</text>')
        for value, label in self.y.ticks:
            y = self.up(value)
            parts.append(
                f'<line class="grid" x1="{self.left}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>'
                f'<text class="tick up" x="{self.left - 5}" y="{y + 3.5:.1f}">'
                f"{minus(label)}</text>"
            )
        middle = (self.left + right) / 2
        parts.append(
            f'<text class="name" x="{middle:.0f}" y="{self.height - 4}">{escape(names[0])}</text>'
        )
        up = (foot + _TOP) / 2
        parts.append(
            f'<text class="name" transform="translate(9 {up:.0f}) rotate(-90)">'
            f"{escape(names[1])}</text>"
        )
        return parts


def binned_bars(
    bins: Sequence[tuple[float, float, str]], axis: Axis, base: float, names: tuple[str, str]
) -> str:
    """Bars as wide as the share of rows that they stand for, each (share, height, words)."""
    box = _Box(Axis(1.0, ((0.0, "0 %"), (0.5, "50 %"), (1.0, "100 %"))), axis, _CARD, 170)
    parts = box.ground(names)
    foot = box.up(max(axis.low, min(0.0, axis.high)))
    at = 0.0
    for share, value, said in bins:
        left, right, top = box.across(at), box.across(at + share), box.up(value)
        parts.append(
            f'<rect class="bar" x="{left + 0.4:.1f}" y="{min(top, foot):.1f}" '
            f'width="{max(right - left - 0.8, 0.6):.1f}" height="{max(abs(foot - top), 1):.1f}">'
            f"<title>{escape(said)}</title></rect>"
        )
        at += share
    y = f"{box.up(base):.1f}"
    parts.append(
        f'<line class="reference" x1="{box.left}" x2="{_CARD - _RIGHT}" y1="{y}" y2="{y}">'
        f"<title>of all rows: {base:.3g}</title></line>"
    )
    return _picture(_CARD, 170, "histogram", f"{names[1]} by {names[0]}", parts)


def curves(lines: Sequence[Curve], base: float, names: tuple[str, str], of: str) -> str:
    """Lines in the unit square, and a dashed one at the height `base`."""
    width, height = _CARD, 250
    box = _Box(unit_axis(), unit_axis(), width, height)
    parts = box.ground(names)
    if 0.0 <= base <= 1.0:
        y = f"{box.up(base):.1f}"
        parts.append(
            f'<line class="reference" x1="{box.left}" x2="{width - box.right}" y1="{y}" y2="{y}">'
            f"<title>all pairs: {base:.3g}</title></line>"
        )
    for line in lines:
        if not line.points:
            continue
        places = " ".join(f"{x:.1f} {y:.1f}" for x, y in (box.at(*one) for one in line.points))
        kind = f"curve curve-{line.color % COLORS}" + " dashed" * (line.color >= COLORS)
        parts.append(
            f'<g class="{kind}"><title>{escape(line.said)}</title><path d="M{places}"/></g>'
        )
    said = f"{of}: {names[1]} by {names[0]} of {', '.join(line.name for line in lines)}"
    return _picture(width, height, "histogram", said, parts)


def scatter(
    points: Sequence[Point],
    x: Axis,
    y: Axis,
    names: tuple[str, str],
    *,
    small: bool = False,
    diagonal: bool = False,
) -> str:
    """Dots by two numbers; labels stand where they cover nothing, and are left out elsewhere."""
    width, height = (_CARD, 190) if small else (420, 310)
    box = _Box(x, y, width, height, left=46, inset=7)
    parts = box.ground(names)
    if diagonal:
        (left, foot), (right, top) = box.at(0.0, 0.0), box.at(1.0, 1.0)
        parts.append(
            f'<line class="reference" x1="{left:.1f}" x2="{right:.1f}" '
            f'y1="{foot:.1f}" y2="{top:.1f}"/>'
        )
    places = [box.at(one.x, one.y) for one in points]
    for one, (across, up) in zip(points, places, strict=True):
        line = ""
        if one.interval is not None and known(one.interval):
            ends = (box.up(one.interval.low), box.up(one.interval.high))
            line = (
                f'<line class="range" x1="{across:.1f}" x2="{across:.1f}" '
                f'y1="{ends[0]:.1f}" y2="{ends[1]:.1f}"/>'
            )
        parts.append(
            f'<g class="mark main"><title>{escape(one.said)}</title>{line}'
            f'<circle cx="{across:.1f}" cy="{up:.1f}" r="{3.4 if small else 4.4}"/></g>'
        )
    parts += _labels(points, places, (box.left, _TOP, width - box.right, height - _BOTTOM))
    said = f"{names[1]} against {names[0]}, {len(points)} dots"
    return _picture(width, height, "histogram cloud", said, parts)


def _labels(
    points: Sequence[Point],
    places: Sequence[tuple[float, float]],
    inside: tuple[float, float, float, float],
) -> list[str]:
    """Each label at the first of eight places around its dot where it covers nothing."""
    taken = [(x - 5, y - 5, x + 5, y + 5) for x, y in places]
    parts = []
    for one, (x, y) in zip(points, places, strict=True):
        wide = 6.2 * len(one.label) + 2
        if not one.label:
            continue
        for left, base in (
            (x + 8, y + 4),
            (x - 8 - wide, y + 4),
            (x - wide / 2, y - 8),
            (x - wide / 2, y + 16),
            (x + 6, y - 6),
            (x + 6, y + 14),
            (x - 6 - wide, y - 6),
            (x - 6 - wide, y + 14),
        ):
            box = (left, base - 9, left + wide, base + 2)
            within = box[0] >= inside[0] and box[1] >= inside[1]
            within = within and box[2] <= inside[2] + _RIGHT and box[3] <= inside[3]
            if within and not any(_overlap(box, other) for other in taken):
                taken.append(box)
                parts.append(
                    f'<text class="beside" x="{left:.1f}" y="{base:.1f}">{escape(one.label)}</text>'
                )
                break
    return parts


def _overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _picture(width: int, height: int, kind: str, said: str, parts: Iterable[str]) -> str:
    return (
        f'<svg class="{kind}" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{escape(said)}">{"".join(parts)}</svg>'
    )
