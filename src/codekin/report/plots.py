"""Histograms and intervals as inline SVG, drawn so that systems of different size compare."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
import numpy.typing as npt

__all__ = [
    "Axis",
    "Dot",
    "group_histograms",
    "histogram",
    "interval_plot",
    "nice_axis",
    "nice_range",
    "sparkline",
    "unit_axis",
]

Floats = npt.NDArray[np.float64]

_FEW = 30
_SPARK_BINS = 20
_WIDTH, _LABEL, _RIGHT = 340, 92, 10
_TOP, _BOTTOM = 4, 20
_FEW_ROWS = 4


@dataclass(frozen=True)
class Axis:
    """The range of a plot, with its ticks.

    Attributes
    ----------
    high : float
        The upper end.
    ticks : tuple of (float, str)
        Where the ticks stand and what they say.
    low : float
        The lower end.
    """

    high: float
    ticks: tuple[tuple[float, str], ...]
    low: float = 0.0


@dataclass(frozen=True)
class Dot:
    """A value in an interval plot; `low` and `high` are None where it has no interval."""

    value: float
    low: float | None
    high: float | None


def unit_axis() -> Axis:
    """The axis of a similarity."""
    return Axis(1.0, ((0.0, "0"), (0.25, ".25"), (0.5, ".5"), (0.75, ".75"), (1.0, "1")))


def nice_axis(largest: float) -> Axis:
    """An axis from 0 to a round number not below the largest distance.

    Examples
    --------
    >>> [label for _, label in nice_axis(731).ticks]
    ['0', '200', '400', '600', '800']
    """
    if largest <= 0:
        return Axis(1.0, ((0.0, "0"), (1.0, "1")))
    step = 10.0 ** math.floor(math.log10(largest / 4))
    step *= next(factor for factor in (1, 2, 5, 10) if step * factor * 5 >= largest)
    count = math.ceil(largest / step - 1e-9)
    return Axis(count * step, tuple((i * step, f"{i * step:g}") for i in range(count + 1)))


def nice_range(low: float, high: float) -> Axis:
    """An axis between round numbers that holds both ends.

    Examples
    --------
    >>> [label for _, label in nice_range(0.612, 0.688).ticks]
    ['0.6', '0.62', '0.64', '0.66', '0.68', '0.7']
    """
    size = max(abs(low), abs(high))
    room = high - low if high - low > 1e-6 * size else size / 10
    room = max(room, 1e-9)
    step = 10.0 ** math.floor(math.log10(room / 3))
    step *= next(factor for factor in (1, 2, 5, 10) if step * factor * 4.5 >= room)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = tuple((i * step, f"{i * step:.10g}") for i in range(first, max(last, first + 1) + 1))
    return Axis(ticks[-1][0], ticks, ticks[0][0])


def histogram(values: Sequence[float] | Floats, high: float, bins: int) -> list[int]:
    """Counts per bin of [0, high]; the upper end belongs to the last bin.

    Examples
    --------
    >>> histogram([0.0, 0.5, 1.0, 1.0], 1.0, bins=2)
    [1, 3]
    """
    # Without the rounding, 0.15 of 20 bins would fall below its own edge.
    places = np.floor(np.round(np.asarray(values, dtype=np.float64) / high * bins, 9))
    counts = np.bincount(np.clip(places, 0, bins - 1).astype(np.intp), minlength=bins)
    found: list[int] = counts.tolist()
    return found


def group_histograms(
    measure: str,
    groups: Mapping[str, Floats | Sequence[float]],
    axis: Axis,
    means: Mapping[str, float],
) -> str:
    """One small histogram a group, one above the other on a shared axis, as an SVG element.

    A bar's height is a share of its group, so that groups of different size compare; the tallest
    one fills its row. The mark under a row is its mean. Every bar carries a title that says it in
    words.
    """
    # A handful of pairs in narrow bins would be a row of equal stubs.
    bins = 10 if max(map(len, groups.values()), default=0) < _FEW else 20
    tall = _row_height(len(groups))
    height = _TOP + tall * len(groups) + _BOTTOM
    counts = {group: histogram(values, axis.high, bins) for group, values in groups.items()}
    most = max((max(c) / len(groups[g]) for g, c in counts.items() if len(groups[g])), default=1)
    rows = [
        _row(measure, group, counts[group], axis, _TOP + tall * i, (tall, most))
        + _mean(group, means.get(group), axis, _TOP + tall * (i + 1) - 1)
        for i, (group, values) in enumerate(groups.items())
    ]
    said = f"Histograms of {measure} by group, from 0 to {axis.high:g}"
    return (
        f'<svg class="histogram" viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'aria-label="{escape(said)}">{_grid(axis, height)}{"".join(rows)}</svg>'
    )


def _row_height(rows: int) -> int:
    """A few rows have room to be tall."""
    return 24 if rows > _FEW_ROWS else 40 if rows > 1 else 90


def _x(value: float, axis: Axis) -> float:
    return _LABEL + (_WIDTH - _LABEL - _RIGHT) * (value - axis.low) / (axis.high - axis.low)


def _grid(axis: Axis, height: int) -> str:
    foot = height - _BOTTOM
    parts = []
    for value, label in axis.ticks:
        x = f"{_x(value, axis):.1f}"
        parts.append(f'<line class="grid" x1="{x}" x2="{x}" y1="{_TOP}" y2="{foot + 3}"/>')
        parts.append(f'<text class="tick" x="{x}" y="{foot + 14}">{label}</text>')
    return "".join(parts)


def _label(group: str, y: float) -> str:
    return (
        f'<text class="label" x="{_LABEL - 8}" y="{y:g}">{escape(_short(group))}'
        f"<title>{escape(group)}</title></text>"
    )


def _row(
    measure: str,
    group: str,
    counts: Sequence[int],
    axis: Axis,
    top: int,
    scale: tuple[int, float],
) -> str:
    tall, most = scale  # of a row, and the share that fills it
    base = top + tall - 2
    bins, rows = len(counts), sum(counts)
    left, right = _x(0, axis), _x(axis.high, axis)
    parts = [
        _label(group, base - 4),
        f'<line class="base" x1="{left:.1f}" x2="{right:.1f}" y1="{base}" y2="{base}"/>',
    ]
    for i, count in enumerate(counts):
        if count:
            low, high = axis.high * i / bins, axis.high * (i + 1) / bins
            said = f"{group}: {count:,} of {rows:,} pairs have {measure} from {low:g} to {high:g}"
            height = (tall - 7) * count / rows / most
            parts.append(_bar(_x(low, axis), _x(high, axis), base, height, said))
    return "".join(parts)


def _mean(group: str, mean: float | None, axis: Axis, y: int) -> str:
    if mean is None:
        return ""
    return (
        f'<path class="mean" d="M{_x(mean, axis):.1f} {y}l-3 4.5h6z">'
        f"<title>{escape(group)}: mean {mean:.4g}</title></path>"
    )


def interval_plot(measure: str, dots: Mapping[str, Dot | None], axis: Axis) -> str:
    """One row a system: a dot at its mean and a line over the interval, as an SVG element."""
    step = _row_height(len(dots)) - 5
    height = _TOP + step * len(dots) + _BOTTOM
    rows = [
        _interval(measure, name, dot, axis, _TOP + step * i + step / 2)
        for i, (name, dot) in enumerate(dots.items())
    ]
    said = f"Means of {measure} with 95 % intervals, from {axis.low:g} to {axis.high:g}"
    return (
        f'<svg class="histogram intervals" viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'aria-label="{escape(said)}">{_grid(axis, height)}{"".join(rows)}</svg>'
    )


def _interval(measure: str, name: str, dot: Dot | None, axis: Axis, y: float) -> str:
    label = _label(name, y + 4)
    if dot is None:
        return label
    said = f"{name}: mean {measure} {dot.value:.4g}"
    line = ""
    if dot.low is not None and dot.high is not None:
        said += f", 95 % interval from {dot.low:.4g} to {dot.high:.4g}"
        left, right = _x(dot.low, axis), _x(dot.high, axis)
        line = f'<line class="range" x1="{left:.1f}" x2="{right:.1f}" y1="{y:g}" y2="{y:g}"/>'
    at = _x(dot.value, axis)
    return (
        f'{label}<g class="dot"><title>{escape(said)}</title>{line}'
        f'<circle cx="{at:.1f}" cy="{y:g}" r="4"/></g>'
    )


def _bar(left: float, right: float, base: int, tall: float, said: str) -> str:
    tall = max(2.0, tall)
    return (
        f'<rect class="bar" x="{left + 0.5:.1f}" y="{base - tall:.1f}" '
        f'width="{right - left - 1:.1f}" height="{tall:.1f}"><title>{escape(said)}</title></rect>'
    )


def _short(name: str, longest: int = 14) -> str:
    return name if len(name) <= longest else name[: longest - 1] + "…"


def sparkline(measure: str, values: Floats | Sequence[float], axis: Axis) -> str:
    """A histogram of all values, small enough for the head of a table's column.

    Heights follow the square root of the counts, or a peak at 1 would flatten all the rest.
    """
    counts = histogram(values, axis.high, _SPARK_BINS)
    most = max(counts) or 1
    bars = []
    for i, count in enumerate(counts):
        if count:
            tall = 14 * math.sqrt(count / most)
            bars.append(f'<rect x="{3 * i}" y="{14 - tall:.1f}" width="2" height="{tall:.1f}"/>')
    said = f"Distribution of {measure} over {len(values):,} pairs, from 0 to {axis.high:g}"
    return (
        f'<svg class="spark" viewBox="0 0 {3 * _SPARK_BINS - 1} 14" role="img" '
        f'aria-label="{escape(said)}"><title>{escape(said)}</title>{"".join(bars)}</svg>'
    )
