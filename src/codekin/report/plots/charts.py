"""Histograms and intervals as inline SVG, drawn so that systems of different size compare."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
import numpy.typing as npt

from codekin.report.brief_names import brief_names
from codekin.report.plots.axes import Axis, known
from codekin.results import Estimate

__all__ = [
    "Chart",
    "ChartFrame",
    "group_histograms",
    "histogram",
    "interval_plot",
    "sparkline",
]

Floats = npt.NDArray[np.float64]

_FEW = 30
_SPARK_BINS = 20
_WIDTH, _LABEL, _WIDE_LABEL, _RIGHT = 340, 92, 152, 20
_SHORT, _LONG = 14, 22
"""Signs of a name that the label has room for, where it is narrow and where it is wide."""
_TOP, _BOTTOM = 4, 20
_FEW_ROWS = 4


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


@dataclass(frozen=True)
class Chart:
    """A row a system, one below the other on a shared axis.

    Where each row stands is said only by the element around it, so that they can be set in another
    order, and others in their place, without drawing them again.

    Attributes
    ----------
    rows : tuple of str
        What is drawn of each system, as if it stood at the top.
    drawn : int
        How many of them stand in the picture at a time.
    step : int
        How far below each other.
    frame : ChartFrame
    said : str
        What it shows, in words.
    kind : str
        The class of its element.
    """

    rows: tuple[str, ...]
    drawn: int
    step: int
    frame: ChartFrame
    said: str
    kind: str

    def svg(self) -> str:
        """The picture with the first rows."""
        height = _TOP + self.step * self.drawn + _BOTTOM
        rows = (
            f'<g class="system" data-system="{i}" transform="translate(0 {_TOP + self.step * i})">'
            f"{row}</g>"
            for i, row in enumerate(self.rows[: self.drawn])
        )
        return (
            f'<svg class="{self.kind}" viewBox="0 0 {_WIDTH} {height}" role="img" '
            f'data-top="{_TOP}" data-step="{self.step}" '
            f'data-left="{self.frame.left}" data-right="{_WIDTH - _RIGHT}" '
            f'aria-label="{escape(self.said)}">{self.frame.grid(height)}{"".join(rows)}</svg>'
        )

    @property
    def rest(self) -> list[str]:
        """The rows that are not in the picture."""
        return list(self.rows[self.drawn :])


@dataclass(frozen=True)
class ChartFrame:
    """An axis beside the names of systems."""

    axis: Axis
    labels: Mapping[str, str]

    @property
    def left(self) -> int:
        """The room that the names take."""
        longest = max(map(len, self.labels.values()), default=0)
        return _LABEL if longest <= _SHORT else _WIDE_LABEL

    def x(self, value: float) -> float:
        """Where a value lies."""
        axis = self.axis
        return self.left + (_WIDTH - self.left - _RIGHT) * (value - axis.low) / (
            axis.high - axis.low
        )

    def grid(self, height: int) -> str:
        """The ticks, with their lines."""
        foot = height - _BOTTOM
        parts = []
        for value, label in self.axis.ticks:
            x = f"{self.x(value):.1f}"
            parts.append(f'<line class="grid" x1="{x}" x2="{x}" y1="{_TOP}" y2="{foot + 3}"/>')
            parts.append(f'<text class="tick" x="{x}" y="{foot + 14}">{label}</text>')
        return "".join(parts)

    def label(self, name: str, y: float) -> str:
        """A name, cut if it is long, and whole in its title."""
        kind = "label" if self.left == _LABEL else "label long"
        return (
            f'<text class="{kind}" x="{self.left - 8}" y="{y:g}">{escape(self.labels[name])}'
            f"<title>{escape(name)}</title></text>"
        )


def _frame(names: Iterable[str], axis: Axis) -> ChartFrame:
    given = list(names)
    return ChartFrame(axis, dict(zip(given, brief_names(given, _LONG), strict=True)))


def group_histograms(
    measure: str,
    groups: Mapping[str, Floats | Sequence[float]],
    axis: Axis,
    means: Mapping[str, float],
    most: int = 20,
) -> Chart:
    """One small histogram a group.

    A bar's height is a share of its group, so that groups of different size compare; the tallest
    of all fills its row. The mark under a row is its mean. Every bar carries a title that says it
    in words.
    """
    # A handful of pairs in narrow bins would be a row of equal stubs.
    bins = 10 if max(map(len, groups.values()), default=0) < _FEW else 20
    drawn = min(len(groups), most)
    tall = _row_height(drawn)
    counts = {group: histogram(values, axis.high, bins) for group, values in groups.items()}
    tallest = max((max(c) / len(groups[g]) for g, c in counts.items() if len(groups[g])), default=1)
    frame = _frame(groups, axis)
    rows = tuple(
        _row(measure, group, counts[group], frame, (tall, tallest))
        + _mean(group, means.get(group), frame, tall - 1)
        for group in groups
    )
    said = f"Histograms of {measure} by group, from 0 to {axis.high:g}"
    return Chart(rows, drawn, tall, frame, said, "histogram")


def _row_height(rows: int) -> int:
    """A few rows have room to be tall."""
    return 24 if rows > _FEW_ROWS else 40 if rows > 1 else 90


def _row(
    measure: str, group: str, counts: Sequence[int], frame: ChartFrame, scale: tuple[int, float]
) -> str:
    tall, most = scale  # of a row, and the share that fills it
    base = tall - 2
    bins, rows, end = len(counts), sum(counts), frame.axis.high
    parts = [
        frame.label(group, base - 4),
        f'<line class="base" x1="{frame.x(0):.1f}" x2="{frame.x(end):.1f}" '
        f'y1="{base}" y2="{base}"/>',
    ]
    for i, count in enumerate(counts):
        if count:
            low, high = end * i / bins, end * (i + 1) / bins
            said = f"{group}: {count:,} of {rows:,} rows have {measure} from {low:g} to {high:g}"
            height = (tall - 7) * count / rows / most
            parts.append(_bar(frame.x(low), frame.x(high), base, height, said))
    return "".join(parts)


def _mean(group: str, mean: float | None, frame: ChartFrame, y: int) -> str:
    if mean is None:
        return ""
    return (
        f'<path class="mean" d="M{frame.x(mean):.1f} {y}l-3 4.5h6z">'
        f"<title>{escape(group)}: mean {mean:.4g}</title></path>"
    )


def interval_plot(
    measure: str, dots: Mapping[str, Estimate | None], axis: Axis, most: int = 20
) -> Chart:
    """One row a system: a dot at its mean and a line over the interval."""
    drawn = min(len(dots), most)
    step = _row_height(drawn) - 5
    frame = _frame(dots, axis)
    rows = tuple(_interval(measure, name, dot, frame, step / 2) for name, dot in dots.items())
    said = f"Means of {measure} with 95 % intervals, from {axis.low:g} to {axis.high:g}"
    return Chart(rows, drawn, step, frame, said, "histogram intervals")


def _interval(measure: str, name: str, dot: Estimate | None, frame: ChartFrame, y: float) -> str:
    label = frame.label(name, y + 4)
    if dot is None:
        return label
    said = f"{name}: mean {measure} {dot.value:.4g}"
    line = ""
    if known(dot.known):
        low, high = dot.known.low, dot.known.high
        said += f", 95 % interval from {low:.4g} to {high:.4g}"
        left, right = frame.x(low), frame.x(high)
        line = f'<line class="range" x1="{left:.1f}" x2="{right:.1f}" y1="{y:g}" y2="{y:g}"/>'
    at = frame.x(dot.value)
    # The page fits the axis to the systems that it shows, for which it must know the numbers.
    ends = " ".join(
        repr(end) for end in (dot.value, dot.known.low, dot.known.high) if math.isfinite(end)
    )
    return (
        f'{label}<g class="dot" data-at="{ends}"><title>{escape(said)}</title>{line}'
        f'<circle cx="{at:.1f}" cy="{y:g}" r="4"/></g>'
    )


def _bar(left: float, right: float, base: int, tall: float, said: str) -> str:
    tall = max(2.0, tall)
    return (
        f'<rect class="bar" x="{left + 0.5:.1f}" y="{base - tall:.1f}" '
        f'width="{right - left - 1:.1f}" height="{tall:.1f}"><title>{escape(said)}</title></rect>'
    )


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
    said = f"Distribution of {measure} over {len(values):,} rows, from 0 to {axis.high:g}"
    return (
        f'<svg class="spark" viewBox="0 0 {3 * _SPARK_BINS - 1} 14" role="img" '
        f'aria-label="{escape(said)}"><title>{escape(said)}</title>{"".join(bars)}</svg>'
    )
