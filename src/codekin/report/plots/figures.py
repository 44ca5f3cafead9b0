"""Figures of the result model as inline SVG."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from codekin.report.brief_names import brief_names
from codekin.report.plots.axes import (
    Axis,
    known,
    log_axis,
    minus,
    nice_range,
    unit_axis,
    wide_axis,
)
from codekin.report.plots.cards import binned_bars, curves, overlaid, scatter
from codekin.report.plots.strips import axis_strip, bar_strip, mark_strip
from codekin.results import (
    Curves,
    Figure,
    Forest,
    ForestRow,
    Histograms,
    Scatter,
    ShareBars,
    interval_text,
    number_text,
)

__all__ = ["DrawnRow", "drawn_rows", "forest_scale", "picture"]

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
