"""What the pages of all kinds of judgement share: forests, matrices, costs, and links to rows."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any
from urllib.parse import quote

from codekin.evaluation.cost import PairCost, typical_cost
from codekin.report.brief_names import brief_names
from codekin.report.plots.axes import duration, interval_of, log_axis, shown, wide_axis
from codekin.report.plots.cards import Point, scatter
from codekin.statistics.bootstrap import Estimate, Interval
from codekin.statistics.resampling import Floats

__all__ = [
    "Forest",
    "Places",
    "breakable",
    "cost_against_quality",
    "described",
    "estimate_cell",
    "matrix",
    "matrix_heads",
    "number_cell",
    "ranged",
]

_LABEL = 18
_HEAD = 16
"""Signs of a name that stand above a column of a matrix."""


@dataclass(frozen=True)
class Places:
    """Where the rows of a run stand in the page's browser.

    Attributes
    ----------
    rows : mapping of str to int
        The number of each row by its id; empty where the id alone tells, as in a report of one
        run.
    """

    rows: Mapping[str, int] = field(default_factory=dict)

    def link(self, row: str, label: str = "") -> str:
        """The address of a row, as a measure sees it."""
        words = {"pair": row}
        if row in self.rows:
            words["row"] = str(self.rows[row] + 1)
        if label:
            words["measure"] = label
        # Lone surrogates have no bytes.
        return "#" + "&".join(
            f"{name}={quote(word, safe='', errors='replace')}" for name, word in words.items()
        )


@dataclass(frozen=True)
class Forest:
    """Rows of marks on one axis.

    Attributes
    ----------
    name : str
        Which of several it is.
    head : str
        What the numbers beside the marks are.
    axis : str
        The SVG above the marks.
    rows : list of dict
        ``name``, ``title``, ``distance``, ``strip``, ``text``, ``range`` and ``reason``.
    apart : list of dict
        Rows that are no measures of interest, such as the baseline.
    note : str
        What is to be said of this one alone.
    numbers : dict, optional
        A table of all numbers behind it: ``heads`` and ``rows``.
    """

    name: str
    head: str
    axis: str
    rows: list[dict[str, Any]]
    apart: list[dict[str, Any]]
    note: str = ""
    numbers: dict[str, Any] | None = None


def breakable(name: str) -> str:
    """A name as HTML that may go on in the next line where one part of it ends.

    Examples
    --------
    >>> breakable("bleu:order=2,<b>")
    'bleu:<wbr>order=<wbr>2,<wbr>&lt;b&gt;'
    """
    parts = re.findall(r"[^:,=/_·]*[:,=/_·]+|[^:,=/_·]+", name)
    return "<wbr>".join(map(escape, parts))


def ranged(interval: Interval | None, digits: int = 2) -> str:
    """An interval as tables have it; nothing where there is none.

    Examples
    --------
    >>> ranged(Interval(-0.1, 0.25))
    '−0.10 to 0.25'
    """
    if interval is None or not (math.isfinite(interval.low) and math.isfinite(interval.high)):
        return ""
    return f"{shown(interval.low, digits)} to {shown(interval.high, digits)}"


def described(value: float, interval: Interval | None, level: float, digits: int = 3) -> str:
    """A value with its interval in words.

    Examples
    --------
    >>> described(0.5, Interval(0.4, 0.6), 0.95)
    '0.500, 95 % interval from 0.400 to 0.600'
    """
    text = shown(value, digits)
    if interval is None or not ranged(interval):
        return f"{text}, without an interval"
    low, high = shown(interval.low, digits), shown(interval.high, digits)
    return f"{text}, {100 * level:.4g} % interval from {low} to {high}"


def number_cell(text: str, title: str = "", small: str = "", kind: str = "") -> dict[str, Any]:
    """A cell of a table of numbers."""
    return {"text": text, "title": title, "small": small, "kind": kind}


def estimate_cell(
    estimate: Estimate | None, level: float, reason: str | None, digits: int = 2
) -> dict[str, Any]:
    """An estimate above its interval, or why there is none."""
    if estimate is None or not math.isfinite(estimate.value):
        return number_cell("–", reason or "no value", kind="none")
    interval = interval_of(estimate)
    return number_cell(
        shown(estimate.value, digits),
        described(estimate.value, interval, level),
        ranged(interval, digits),
    )


def matrix(
    title: str, names: Sequence[str], values: Floats, what: str, *, linked: bool = False
) -> dict[str, Any] | None:
    """A table of correlations between measures; None where there are no two."""
    if len(names) < 2:
        return None
    rows = []
    for i, name in enumerate(names):
        cells = []
        for j, other in enumerate(names):
            cells.append(_correlation(float(values[i, j]), what, name, other, same=i == j))
            cells[-1]["href"] = (
                f"#x={quote(other, safe='', errors='replace')}"
                f"&y={quote(name, safe='', errors='replace')}"
                if linked and i != j
                else ""
            )
        rows.append({"name": name, "cells": cells})
    return {"title": title, "heads": matrix_heads(names), "rows": rows}


def matrix_heads(names: Sequence[str]) -> list[tuple[str, str]]:
    """The names of a matrix, each with how it is cut."""
    return list(zip(names, brief_names(names, _HEAD), strict=True))


def _correlation(value: float, what: str, name: str, other: str, *, same: bool) -> dict[str, Any]:
    if same:
        return {"text": "", "heat": "0", "sign": "same", "title": name}
    if not math.isfinite(value):
        title = f"{what} of {name} and {other}: none, since there are too few or one never changes"
        return {"text": "–", "heat": "0", "sign": "none", "title": title}
    return {
        "text": shown(value).replace("0.", "."),
        "heat": f"{min(1.0, abs(value)):.3f}",
        "sign": "minus" if value < 0 else "plus",
        "title": f"{what} of {name} and {other}: {shown(value, 4)}",
    }


def cost_against_quality(
    quality: Iterable[tuple[str, float, Interval | None]],
    costs: Mapping[str, Sequence[PairCost]] | None,
    what: str,
    around: float = 0.0,
) -> dict[str, Any] | None:
    """A dot a measure, by what a pair costs and by what it is worth; None without costs.

    Parameters
    ----------
    quality : iterable of (str, float, Interval or None)
        Labels with what is counted as quality.
    costs : mapping of str to sequence of PairCost
    what : str
        What the quality is.
    around : float
        What is worth nothing, which the axis holds.
    """
    timed = {label: typical_cost(own) for label, own in (costs or {}).items() if own}
    given = [one for one in quality if math.isfinite(one[1]) and one[0] in timed]
    given.sort(key=lambda one: -one[1])  # where labels are many, the best have theirs
    if not given:
        return None
    up = wide_axis([value for _, value, _ in given], [one for _, _, one in given], around)
    times = [timed[label] for label, _, _ in given]
    briefly = brief_names([label for label, _, _ in given], _LABEL)
    points = [
        Point(
            math.log10(timed[label]),
            value,
            f"{label}: {what} {shown(value, 3)}, {duration(timed[label])} a pair",
            brief,
            interval,
        )
        for (label, value, interval), brief in zip(given, briefly, strict=True)
    ]
    return {
        "svg": scatter(
            points, log_axis(min(times), max(times), time=True), up, ("time a pair", what)
        ),
        "what": what,
        "rows": [
            {"name": label, "quality": shown(value, 3), "time": duration(timed[label])}
            for label, value, _ in sorted(given, key=lambda one: timed[one[0]])
        ],
    }
