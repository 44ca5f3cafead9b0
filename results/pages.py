"""Shared by the pages of results: arguments, Markdown tables, rates, and writing a page."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from codekin import Run
from codekin.evaluation.cost import pair_costs, typical_cost
from codekin.statistics.bootstrap import Estimate, Interval

__all__ = [
    "arguments",
    "arguments_parser",
    "between",
    "mean",
    "number",
    "page_parser",
    "pairs_per_second",
    "row_files",
    "table",
    "write_page",
]


def page_parser(description: str, where: str) -> argparse.ArgumentParser:
    """A parser of the path of the data, where runs are kept, and the page to write."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("data", type=Path, help=where)
    parser.add_argument("-o", "--output", type=Path, help="the page to write (default: stdout)")
    parser.add_argument(
        "--runs", type=Path, help="a folder to keep the runs in, for codekin report"
    )
    return parser


def arguments_parser(description: str, where: str) -> argparse.ArgumentParser:
    """A parser of the arguments of a page that judges measures."""
    parser = page_parser(description, where)
    parser.add_argument("-m", "--measure", action="append", help="a measure (default: all)")
    parser.add_argument("--resamples", type=int, default=2000)
    return parser


def arguments(description: str, where: str) -> argparse.Namespace:
    """The arguments of a page that judges measures."""
    return arguments_parser(description, where).parse_args()


def row_files(folder: Path) -> dict[str, Path]:
    """The files of rows in a folder, by their names."""
    found = {path.name.partition(".")[0]: path for path in sorted(folder.glob("*.jsonl*"))}
    if not found:
        sys.exit(f"{folder}: has no .jsonl files")
    return found


def number(value: float | Estimate | None, digits: int = 3) -> str:
    """A number, or a dash if there is none."""
    given = value.value if isinstance(value, Estimate) else value
    if given is None or not math.isfinite(given):
        return "–"
    return _rounded(given, digits)


def _rounded(value: float, digits: int) -> str:
    """A number rounded to `digits`; never a negative zero."""
    return f"{round(value, digits) + 0.0:.{digits}f}"


def between(interval: Interval, digits: int = 3) -> str:
    """An interval, or nothing if there is none."""
    if not math.isfinite(interval.low):
        return ""
    return f"[{_rounded(interval.low, digits)}, {_rounded(interval.high, digits)}]"


def mean(values: Iterable[float]) -> float:
    """The mean of the values that are numbers."""
    known = [value for value in values if math.isfinite(value)]
    return sum(known) / len(known) if known else math.nan


def pairs_per_second(runs: Sequence[Run]) -> dict[str, float]:
    """How many pairs per second each measure scores on one core, from texts, including parsing."""
    took: dict[str, list[float]] = {}
    for run in runs:
        for label, costs in pair_costs(run, pairs=40).items():
            took.setdefault(label, []).append(typical_cost(costs))
    return {label: 1e6 / mean(times) for label, times in took.items()}


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, keys: int = 1) -> str:
    """A table in Markdown, with its first columns to the left."""
    lines = [
        "| " + " | ".join(heads) + " |",
        "|" + "|".join(["---"] * keys + ["---:"] * (len(heads) - keys)) + "|",
    ]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def bold_best(values: Mapping[str, float], shown: Mapping[str, str]) -> dict[str, str]:
    """The texts, with that of the largest value in bold."""
    known = {label: value for label, value in values.items() if math.isfinite(value)}
    best = max(known, key=lambda label: known[label], default=None)
    return {label: f"**{text}**" if label == best else text for label, text in shown.items()}


def write_page(text: str, path: Path | None) -> None:
    """Write or print a page, without a table of contents to make room for wide tables."""
    text = f"---\nhide:\n  - toc\n---\n\n{text}"
    if path is None:
        print(text)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.rstrip() + "\n", encoding="utf-8")
