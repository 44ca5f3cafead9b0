"""Strips of marks and bars with intervals, a row of a table each, as inline SVG.

A strip is a row of a table: it is as wide as its cell, and places lie in percent of that, so that
the same picture has letters of the same size on a phone and on a desk.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

from codekin.report.plots.axes import Axis, known, minus
from codekin.results import Mark

__all__ = ["SHAPES", "axis_strip", "bar_strip", "mark_strip"]

SHAPES = {
    "main": '<circle r="4.5"/>',
    "diamond": '<path d="M0-4.6L4.6 0 0 4.6-4.6 0z"/>',
    "square": '<path d="M-3.4-3.4h6.8v6.8h-6.8z"/>',
}
_BAR, _GAP = 9, 3


def _percent(axis: Axis, value: float) -> float:
    """Where a value lies in a strip; what is beyond the axis lies at its end."""
    inside = min(max(value, axis.low), axis.high)
    return 2 + 96 * (inside - axis.low) / (axis.high - axis.low)


def axis_strip(axis: Axis) -> str:
    """The numbers above a column of strips."""
    return (
        '<svg class="strip axis" height="18" aria-hidden="true">'
        + "".join(
            f'<text class="tick" x="{_percent(axis, value):.2f}%" y="13">{minus(label)}</text>'
            for value, label in axis.ticks
        )
        + "</svg>"
    )


def _ground(axis: Axis, lines: Mapping[str, float]) -> str:
    """The ticks of a strip, and lines that stand for something, by their classes."""
    parts = []
    for kind, value in [*(("grid", value) for value, _ in axis.ticks), *lines.items()]:
        if not math.isfinite(value) or not axis.low <= value <= axis.high:
            continue
        at = f"{_percent(axis, value):.2f}%"
        parts.append(f'<line class="{kind}" x1="{at}" x2="{at}" y1="0" y2="100%"/>')
    return "".join(parts)


def _whiskers(mark: Mark, axis: Axis, y: float) -> str:
    """The intervals of a mark; an arrow says that one goes on beyond the axis."""
    parts = []
    for level, one in enumerate(filter(known, mark.intervals)):
        if one.high < axis.low or one.low > axis.high:
            continue
        left, right = (f"{_percent(axis, end):.2f}%" for end in (one.low, one.high))
        kind = "range" if level == 0 else "range inner"
        parts.append(f'<line class="{kind}" x1="{left}" x2="{right}" y1="{y:g}" y2="{y:g}"/>')
        beyond = (
            (left, "M1-3L-3 0 1 3", one.low < axis.low),
            (right, "M-1-3L3 0-1 3", one.high > axis.high),
        )
        parts += [
            f'<svg x="{at}" y="{y:g}" overflow="visible">'
            f'<path class="range beyond" d="{shape}"/></svg>'
            for at, shape, cut in beyond
            if cut and level == 0
        ]
    return "".join(parts)


def mark_strip(marks: Sequence[Mark], axis: Axis, lines: Mapping[str, float]) -> str:
    """Marks with their intervals, one below the other; each says in its title what it is."""
    height = 12 * len(marks) + 10 if len(marks) > 1 else 32
    alone = sum(math.isfinite(mark.value) for mark in marks) == 1
    parts = []
    for i, mark in enumerate(marks):
        if not math.isfinite(mark.value):
            continue
        y = height // 2 if alone else 11 + 12 * i
        at = f"{_percent(axis, mark.value):.2f}%"
        parts.append(
            f'<g class="mark {mark.kind}"><title>{escape(mark.said)}</title>'
            f"{_whiskers(mark, axis, y)}"
            f'<svg x="{at}" y="{y}" overflow="visible">{SHAPES[mark.kind]}</svg></g>'
        )
    return _strip(height, marks, _ground(axis, lines) + "".join(parts))


def bar_strip(marks: Sequence[Mark], axis: Axis, lines: Mapping[str, float]) -> str:
    """Bars from the axis' zero with their intervals, one below the other."""
    height = (_BAR + _GAP) * len(marks) + 6
    start = min(max(lines.get("zero", 0.0), axis.low), axis.high)
    parts = []
    for i, mark in enumerate(marks):
        if not math.isfinite(mark.value):
            continue
        top = 3 + (_BAR + _GAP) * i
        left, right = sorted((_percent(axis, start), _percent(axis, mark.value)))
        beside = ""
        if mark.beside is not None and math.isfinite(mark.beside):
            at = f"{_percent(axis, mark.beside):.2f}%"
            beside = (
                f'<line class="beside" x1="{at}" x2="{at}" y1="{top - 1}" y2="{top + _BAR + 1}"/>'
            )
        parts.append(
            f'<g class="mark {mark.kind}"><title>{escape(mark.said)}</title>'
            f'<rect x="{left:.2f}%" y="{top}" width="{max(right - left, 0.3):.2f}%" '
            f'height="{_BAR}"/>{_whiskers(mark, axis, top + _BAR / 2)}{beside}</g>'
        )
    return _strip(height, marks, _ground(axis, lines) + "".join(parts))


def _strip(height: int, marks: Sequence[Mark], inside: str) -> str:
    # The first stands for all; every mark has words of its own, and tables have the numbers.
    said = next((mark.said for mark in marks if math.isfinite(mark.value)), "nothing")
    words = f'role="img" aria-label="{escape(said)}"'
    return f'<svg class="strip" height="{height}" {words}>{inside}</svg>'
