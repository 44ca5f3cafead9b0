"""A comparison of runs: as grids for people, and as a document and records for JSON and CSV."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable
from typing import Any

from codekin._version import __version__
from codekin.report.document import finite
from codekin.report.figures import (
    NOTHING,
    count_text,
    estimate_document,
    estimate_record,
    interval_text,
    measure_text,
    number_text,
    p_text,
    percent_text,
)
from codekin.report.grid import Grid
from codekin.runs.comparison import MeasureComparison, RowDifference, RunComparison
from codekin.statistics.paired import PairedTest

__all__ = [
    "comparison_grids",
    "comparison_notes",
    "comparison_records",
    "comparison_warnings",
    "run_comparison_document",
]


_FEW = 100
"""Below so many units the paired bootstrap finds differences where there are none."""


def comparison_grids(comparison: RunComparison) -> list[Grid]:
    """The tests a line a measure, and the rows that differ most."""
    level = percent_text(comparison.level)
    heads = (
        *("measure", "pairs", "failed", "A", "B", "B−A", f"{level} BCa", "p perm. (Holm)"),
        *("win/tie/loss", "d_z", "r_rb", "p boot. (Holm)", f"{level} percentile"),
    )
    rows = tuple(line for one in comparison.measures for line in _comparison_lines(one))
    title = f"A is {comparison.a.name}, B is {comparison.b.name}: {_pairs_text(comparison)}"
    tests = Grid(title, heads, rows)
    differing = _differing(comparison)
    return [
        tests.without(() if _failures(comparison) else ("pairs", "failed")),
        *([differing] if differing.rows else []),
    ]


def _pairs_text(comparison: RunComparison) -> str:
    """How many pairs there are, and of how many rows where a pair may have several."""
    pairs = count_text(comparison.pairs, "pair")
    a, b = (one.rows - one.unpaired for one in (comparison.a, comparison.b))
    rows = "" if a == b == comparison.pairs else f" of {a:,} and {count_text(b, 'row')}"
    return f"{pairs}{rows} by {comparison.on}"


def _differing(comparison: RunComparison) -> Grid:
    one_id = comparison.on == "id" and not _averaged(comparison)
    rows = tuple(
        (
            measure_text(one.label, one.distance),
            way,
            *((row.key,) if one_id else _ids(row)),
            number_text(row.a, one.distance),
            number_text(row.b, one.distance),
            number_text(row.difference, one.distance, sign=True),
        )
        for one in comparison.measures
        for way, found in (("B", one.gains), ("A", one.drops))
        for row in found
    )
    names = ("id",) if one_id else ("id of A", "id of B")
    heads = ("measure", "better", *names, "A", "B", "B−A")
    return Grid("Rows that differ most", heads, rows, 2 + len(names))


def _ids(row: RowDifference) -> tuple[str, ...]:
    return tuple(
        name if rows == 1 else f"{name} (+{rows - 1:,})"
        for name, rows in ((row.id_a, row.rows_a), (row.id_b, row.rows_b))
    )


def _averaged(comparison: RunComparison) -> bool:
    """Whether a pair that is shown has several rows of a system."""
    return any(
        max(row.rows_a, row.rows_b) > 1
        for one in comparison.measures
        for row in (*one.gains, *one.drops)
    )


def _failures(comparison: RunComparison) -> bool:
    return any(one.failed for one in comparison.measures)


def _comparison_lines(one: MeasureComparison) -> Iterable[tuple[str, ...]]:
    effects = (
        f"{one.wins:,}/{one.ties:,}/{one.losses:,}",
        f"{one.cohen_dz:+.2f}" if math.isfinite(one.cohen_dz) else number_text(one.cohen_dz),
        NOTHING if math.isnan(one.rank_biserial) else f"{one.rank_biserial:+.2f}",
    )
    tests = [(measure_text(one.label, one.distance), one.mean, effects)]
    if one.corpus is not None:  # which is one value, and has no rows to win
        tests.append((f"{one.label} corpus", one.corpus, ("", "", "")))
    for label, test, of_rows in tests:
        yield (
            label,
            f"{one.pairs:,}",
            f"{one.failed:,}" if one.failed else "",
            number_text(test.a, one.distance),
            number_text(test.b, one.distance),
            number_text(test.difference.value, one.distance, sign=True),
            interval_text(test.difference.bca, one.distance, sign=True),
            f"{p_text(test.permutation_p)} ({p_text(test.permutation_p_holm)})",
            *of_rows,
            f"{p_text(test.bootstrap_p)} ({p_text(test.bootstrap_p_holm)})",
            interval_text(test.difference.percentile, one.distance, sign=True),
        )


def comparison_warnings(comparison: RunComparison) -> list[str]:
    """What a reader must know before any figure: what is not there, and what was left out."""
    systems = (("A", comparison.a), ("B", comparison.b))
    warnings = []
    if (comparison.a.run, comparison.a.name) == (comparison.b.run, comparison.b.name):
        warnings.append(f"A and B are the same: {comparison.a.name} is compared with itself")
    for run in dict.fromkeys(one.run for _, one in systems if not one.complete):
        there = " and ".join(
            f"{count_text(one.rows, 'row')} of {letter}"
            for letter, one in systems
            if one.run == run
        )
        warnings.append(f"{run} is not finished; the figures are of what is there: {there}")
    lone = [
        f"{one.unpaired:,} of {count_text(one.rows, 'row')} of {letter}"
        for letter, one in systems
        if one.unpaired
    ]
    if lone:
        number = comparison.a.unpaired + comparison.b.unpaired
        more = ", …" if number > len(comparison.unpaired) else ""
        have, are = ("has", "is") if number == 1 else ("have", "are")
        warnings.append(
            f"{' and '.join(lone)} {have} no counterpart by {comparison.on} and {are} left out: "
            f"{', '.join(comparison.unpaired)}{more}"
        )
    if comparison.other_references:
        pairs = count_text(comparison.pairs, "pair")
        warnings.append(
            f"in {comparison.other_references:,} of {pairs} by {comparison.on} "
            "the references differ; if they do not belong together, pair by another field"
        )
    if comparison.other_versions:
        warnings.append(f"A and B were scored with {', '.join(comparison.other_versions)}")
    warnings += [f"{one.label} is left out: {one.reason}" for one in comparison.skipped]
    return warnings


def comparison_notes(comparison: RunComparison) -> list[str]:
    """How the figures came about."""
    units = "pairs" if comparison.cluster is None else f"clusters by {comparison.cluster}"
    notes = [
        f"{count_text(comparison.resamples, 'resample')} of {units}, seed {comparison.seed}",
        "wins are of B; p is two-sided, in brackets after Holm's correction",
    ]
    if _averaged(comparison):
        notes.append("(+2) after an id: so many more rows of the pair, of which the mean is shown")
    if any(one.mean.units < _FEW for one in comparison.measures):
        notes.append(f"with fewer than {_FEW} {units}, trust the permutation, not the bootstrap")
    if any(one.distance for one in comparison.measures):
        notes.append("↓ a distance: 0 is equal, and smaller is better")
    return notes


def run_comparison_document(comparison: RunComparison) -> dict[str, Any]:
    """The document that ``codekin compare-runs --format json`` prints."""
    return {
        "codekin": __version__,
        "a": dataclasses.asdict(comparison.a),
        "b": dataclasses.asdict(comparison.b),
        "on": comparison.on,
        "pairs": comparison.pairs,
        "unpaired_examples": list(comparison.unpaired),
        "other_references": comparison.other_references,
        "other_versions": list(comparison.other_versions),
        "cluster": comparison.cluster,
        "resamples": comparison.resamples,
        "seed": comparison.seed,
        "level": comparison.level,
        "measures": [
            {
                "measure": one.label,
                "signature": one.signature,
                "distance": one.distance,
                "pairs": one.pairs,
                "failed": one.failed,
                "mean": _test_document(one.mean),
                "corpus": None if one.corpus is None else _test_document(one.corpus),
                "wins": one.wins,
                "ties": one.ties,
                "losses": one.losses,
                "cohen_dz": finite(one.cohen_dz),
                "rank_biserial": finite(one.rank_biserial),
                "gains": [dataclasses.asdict(row) for row in one.gains],
                "drops": [dataclasses.asdict(row) for row in one.drops],
            }
            for one in comparison.measures
        ],
        "skipped": [{"measure": one.label, "reason": one.reason} for one in comparison.skipped],
    }


def _test_document(test: PairedTest) -> dict[str, Any]:
    return {
        "a": finite(test.a),
        "b": finite(test.b),
        "difference": estimate_document(test.difference),
        "permutation_p": finite(test.permutation_p),
        "permutation_p_holm": finite(test.permutation_p_holm),
        "bootstrap_p": finite(test.bootstrap_p),
        "bootstrap_p_holm": finite(test.bootstrap_p_holm),
        "units": test.units,
        "exact": test.exact,
    }


def comparison_records(comparison: RunComparison) -> list[dict[str, Any]]:
    """One record a measure and kind of value, for CSV."""
    return [
        {
            "measure": one.label,
            "value_of": kind,
            "system_a": comparison.a.name,
            "system_b": comparison.b.name,
            "pairs": one.pairs,
            "failed": one.failed,
            "a": finite(test.a),
            "b": finite(test.b),
            **estimate_record("difference", test.difference),
            "permutation_p": finite(test.permutation_p),
            "permutation_p_holm": finite(test.permutation_p_holm),
            "bootstrap_p": finite(test.bootstrap_p),
            "bootstrap_p_holm": finite(test.bootstrap_p_holm),
            # Of single rows, and so not of a corpus.
            **(_row_record(one) if kind == "mean" else dict.fromkeys(_row_record(one))),
            "signature": one.signature,
        }
        for one in comparison.measures
        for kind, test in (("mean", one.mean), ("corpus", one.corpus))
        if test is not None
    ]


def _row_record(one: MeasureComparison) -> dict[str, Any]:
    return {
        "wins": one.wins,
        "ties": one.ties,
        "losses": one.losses,
        "cohen_dz": finite(one.cohen_dz),
        "rank_biserial": finite(one.rank_biserial),
    }
