"""Figures for people and for machines: numbers, intervals and p-values."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from codekin.plain_text import spreadsheet_cell
from codekin.report.document import finite
from codekin.statistics.bootstrap import Estimate, Interval

__all__ = [
    "NOTHING",
    "as_csv",
    "count_text",
    "csv_text",
    "estimate_document",
    "estimate_record",
    "interval_document",
    "interval_text",
    "known_interval",
    "measure_text",
    "number_text",
    "p_text",
    "percent_text",
]

NOTHING = "–"
"""What stands for a number that there is none of."""


def measure_text(label: str, distance: bool) -> str:
    """A measure's label, with an arrow where small means alike."""
    return f"{label} ↓" if distance else label


def count_text(number: int, noun: str) -> str:
    """A number of things.

    Examples
    --------
    >>> count_text(1, "row"), count_text(1234, "row"), count_text(0, "pair")
    ('1 row', '1,234 rows', '0 pairs')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def percent_text(share: float) -> str:
    """A share in percent, as exact as it was given.

    Examples
    --------
    >>> percent_text(0.95), percent_text(0.999)
    ('95 %', '99.9 %')
    """
    return f"{100 * share:.6g} %"


def number_text(
    value: float, distance: bool = False, sign: bool = False, digits: int | None = None
) -> str:
    """A number for people: four decimals, or two of a distance, which counts edits.

    Examples
    --------
    >>> number_text(0.41235), number_text(12.3, distance=True), number_text(0.1, sign=True)
    ('0.4123', '12.30', '+0.1000')
    >>> number_text(0.41235, digits=3)
    '0.412'
    """
    if math.isnan(value):
        return NOTHING
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    digits = digits or (2 if distance else 4)
    shown = f"{value:{'+' if sign else ''}.{digits}f}"
    return shown if float(shown) else shown.replace("-", "").replace("+", "")


def interval_text(
    interval: Interval, distance: bool = False, sign: bool = False, digits: int | None = None
) -> str:
    """An interval for people."""
    if math.isnan(interval.low):
        return NOTHING
    low, high = (number_text(end, distance, sign, digits) for end in (interval.low, interval.high))
    return f"[{low}, {high}]"


def p_text(value: float) -> str:
    """A p-value for people.

    Examples
    --------
    >>> p_text(0.0004), p_text(0.0321), p_text(1.0)
    ('0.0004', '0.0321', '1.0000')
    """
    if math.isnan(value):
        return NOTHING
    return f"{value:.4f}" if value >= 0.0001 else "<0.0001"


def estimate_document(estimate: Estimate) -> dict[str, Any]:
    """A value with its intervals, for JSON."""
    return {
        "value": finite(estimate.value),
        "percentile": interval_document(estimate.percentile),
        "bca": interval_document(estimate.bca),
    }


def interval_document(interval: Interval) -> list[float] | None:
    """An interval for JSON; None where it is unknown or has no end."""
    both = [interval.low, interval.high]
    return both if all(map(math.isfinite, both)) else None


def known_interval(estimate: Estimate) -> Interval:
    """The BCa interval, or the percentile one where only that is known.

    Examples
    --------
    >>> known_interval(Estimate(0.5, Interval(0.4, 0.6), Interval(math.nan, math.nan)))
    Interval(low=0.4, high=0.6)
    """
    return estimate.percentile if math.isnan(estimate.bca.low) else estimate.bca


def estimate_record(name: str, estimate: Estimate) -> dict[str, float | None]:
    """A value with its intervals as fields of a record."""
    return {
        name: finite(estimate.value),
        "percentile_low": finite(estimate.percentile.low),
        "percentile_high": finite(estimate.percentile.high),
        "bca_low": finite(estimate.bca.low),
        "bca_high": finite(estimate.bca.high),
    }


def as_csv(records: Sequence[Mapping[str, Any]]) -> str:
    """Records as CSV with a head; what is not known is empty. Nothing where there are none.

    Examples
    --------
    >>> as_csv([{"measure": "bleu", "value": None}])
    'measure,value\\nbleu,\\n'
    """
    if not records:
        return ""
    heads = list(records[0])
    return csv_text(heads, ([record[head] for head in heads] for record in records))


def csv_text(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Rows as CSV, whose texts no spreadsheet computes; see :func:`spreadsheet_cell`.

    Examples
    --------
    >>> csv_text(["file", "value"], [["=f()", -0.5]])
    "file,value\\n'=f(),-0.5\\n"
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for row in chain([heads], rows):
        writer.writerow([spreadsheet_cell(cell) for cell in row])
    return text.getvalue()
