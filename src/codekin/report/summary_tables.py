"""A summary of a run: as a grid for people, and as a document and records for JSON and CSV."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from codekin._version import __version__
from codekin.report.figures import (
    count_text,
    estimate_document,
    estimate_record,
    interval_text,
    measure_text,
    number_text,
    percent_text,
)
from codekin.report.grid import Grid
from codekin.runs.summaries import MeasureSummary, RunSummary
from codekin.statistics.bootstrap import Estimate

__all__ = [
    "summary_document",
    "summary_grids",
    "summary_notes",
    "summary_records",
    "summary_warnings",
    "unfinished",
]

_MANY_GROUPS = 100
"""More groups than anyone would want a line of."""


def summary_grids(summary: RunSummary) -> list[Grid]:
    """A line a group and measure, and one more for its corpus value."""
    level = percent_text(summary.level)
    heads = ("measure", "rows", "failed", "value", f"{level} percentile", f"{level} BCa")
    lines = [
        (group.name, line)
        for group in summary.groups
        for one in group.measures
        for line in _lines(one)
    ]
    title = f"{summary.run}: {count_text(summary.rows, 'row')}"
    grid = Grid(title, heads, tuple(line for _, line in lines))
    if summary.by is not None:
        grouped = tuple((name or "", *line) for name, line in lines)
        grid = Grid(f"{title} by {summary.by}", (summary.by, *heads), grouped, keys=2)
    failed = any(one.failed for group in summary.groups for one in group.measures)
    return [grid.without(() if failed else ("failed",))]


def _lines(one: MeasureSummary) -> Iterable[tuple[str, ...]]:
    counts = (f"{one.rows:,}", f"{one.failed:,}" if one.failed else "")
    yield (measure_text(one.label, one.distance), *counts, *_figures(one.mean, one.distance))
    if one.corpus is not None:
        yield (f"{one.label} corpus", *counts, *_figures(one.corpus, one.distance))


def _figures(estimate: Estimate, distance: bool) -> tuple[str, ...]:
    return (
        number_text(estimate.value, distance),
        interval_text(estimate.percentile, distance),
        interval_text(estimate.bca, distance),
    )


def unfinished(run: str, rows: int, noun: str = "row") -> str:
    """That a run has not all of its rows yet."""
    there = "that is there" if rows == 1 else "that are there"
    return f"{run} is not finished; the figures are of the {count_text(rows, noun)} {there}"


def summary_warnings(summary: RunSummary) -> list[str]:
    """What a reader must know before any figure."""
    warnings = []
    if not summary.complete:
        warnings.append(unfinished(summary.run, summary.rows))
    if len(summary.groups) > _MANY_GROUPS:
        warnings.append(
            f"{summary.by} divides {count_text(summary.rows, 'row')} into "
            f"{len(summary.groups):,} groups, which is probably not what was meant; "
            f"to draw such rows together, use --cluster {summary.by}"
        )
    return warnings


def summary_notes(summary: RunSummary) -> list[str]:
    """How the figures came about."""
    units = "rows" if summary.cluster is None else f"clusters by {summary.cluster}"
    notes = [f"{count_text(summary.resamples, 'resample')} of {units}, seed {summary.seed}"]
    if any(one.distance for group in summary.groups for one in group.measures):
        notes.append("↓ a distance: 0 is equal")
    return notes


def summary_document(summary: RunSummary) -> dict[str, Any]:
    """The document that ``codekin summarize --format json`` prints."""
    return {
        "codekin": __version__,
        "run": summary.run,
        "complete": summary.complete,
        "rows": summary.rows,
        "by": summary.by,
        "cluster": summary.cluster,
        "resamples": summary.resamples,
        "seed": summary.seed,
        "level": summary.level,
        "groups": [
            {
                "group": group.name,
                "rows": group.rows,
                "clusters": group.clusters,
                "measures": [
                    {
                        "measure": one.label,
                        "signature": one.signature,
                        "distance": one.distance,
                        "rows": one.rows,
                        "failed": one.failed,
                        "mean": estimate_document(one.mean),
                        "corpus": None if one.corpus is None else estimate_document(one.corpus),
                    }
                    for one in group.measures
                ],
            }
            for group in summary.groups
        ],
    }


def summary_records(summary: RunSummary) -> list[dict[str, Any]]:
    """One record a group, measure and kind of value, for CSV."""
    return [
        {
            "group": group.name,
            "measure": one.label,
            "value_of": kind,
            "rows": one.rows,
            "failed": one.failed,
            "clusters": group.clusters,
            **estimate_record("value", estimate),
            "signature": one.signature,
        }
        for group in summary.groups
        for one in group.measures
        for kind, estimate in (("mean", one.mean), ("corpus", one.corpus))
        if estimate is not None
    ]
