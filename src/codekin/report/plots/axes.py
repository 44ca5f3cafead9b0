"""Axes with round ticks, and numbers as plots and tables of a page show them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median_low

from codekin.results import Interval

__all__ = [
    "Axis",
    "brief",
    "duration",
    "known",
    "log_axis",
    "minus",
    "nice_axis",
    "nice_range",
    "unit_axis",
    "wide_axis",
]


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


def brief(value: float) -> str:
    """A number with three digits that matter, or all before the point.

    Examples
    --------
    >>> brief(0.12345), brief(-12.0), brief(12345.6)
    ('0.123', '−12', '12,346')
    """
    return minus(f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}")


def known(interval: Interval) -> bool:
    """Whether there is one."""
    return math.isfinite(interval.low) and math.isfinite(interval.high)


def duration(microseconds: float) -> str:
    """A time as people say it.

    Examples
    --------
    >>> [duration(time) for time in (0.31, 42.4, 1234.0, 2_500_000.0)]
    ['0.31 µs', '42 µs', '1.2 ms', '2.5 s']
    """
    for size, unit in ((1e6, "s"), (1e3, "ms"), (1.0, "µs")):
        if microseconds >= 0.9995 * size or size == 1.0:
            amount = microseconds / size
            return f"{amount:.2g} {unit}" if amount < 99.5 else f"{amount:,.0f} {unit}"
    raise AssertionError("unreachable")


def wide_axis(
    values: Iterable[float], intervals: Iterable[Interval | None] = (), around: float = 0.0
) -> Axis:
    """An axis that holds all values, `around` and the intervals, except for very wide ones.

    One interval from a handful of rows would else press everything else into a corner.
    """
    held = [around, *(value for value in values if math.isfinite(value))]
    low, high = min(held), max(held)
    drawn = [one for one in intervals if one and known(one)]
    usual = median_low([one.high - one.low for one in drawn]) if drawn else 0.0
    room = max(high - low, 0.05, 3 * usual)
    ends = [end for one in drawn for end in (one.low, one.high)]
    return nice_range(
        min([low, *(max(end, low - room) for end in ends)]),
        max([high, *(min(end, high + room) for end in ends)]),
    )


def log_axis(low: float, high: float, *, time: bool = False) -> Axis:
    """An axis of logarithms to base 10, with ticks at round numbers, or at microseconds if `time`.

    Examples
    --------
    >>> [label for _, label in log_axis(3.0, 4000.0, time=True).ticks]
    ['1 µs', '10 µs', '100 µs', '1 ms', '10 ms']
    >>> [label for _, label in log_axis(30.0, 60.0).ticks]
    ['20', '50', '100']
    """
    first, last = math.log10(low), math.log10(high)
    steps = (1.0,) if last - first > 1.5 else (1.0, 2.0, 5.0)
    every = [
        math.log10(step) + power
        for power in range(math.floor(first) - 1, math.ceil(last) + 2)
        for step in steps
    ]
    start = max(one for one in every if one <= first + 1e-9)
    end = min(one for one in every if one >= last - 1e-9)
    if start == end:
        end = min(one for one in every if one > start)
    ticks = [one for one in every if start <= one <= end]
    if len(ticks) > 6:
        ticks = ticks[:: math.ceil(len(ticks) / 6)]
    say = duration if time else lambda amount: f"{amount:,.10g}"
    return Axis(end, tuple((one, say(round(10**one, 9))) for one in ticks), start)


def minus(text: str) -> str:
    """A text whose numbers have a sign as long as their digits.

    Examples
    --------
    >>> minus("[-0.5, gpt-4]")
    '[−0.5, gpt-4]'
    """
    return re.sub(r"(?<![\w.)])-(?=[\d.∞])", "−", text)
