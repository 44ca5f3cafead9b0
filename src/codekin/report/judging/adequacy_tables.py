"""Verdicts of adequacy: as grids for people, and as a document and records for JSON and CSV."""

from __future__ import annotations

from typing import Any

from codekin._version import __version__
from codekin.evaluation.adequacy import (
    AdequacyJudgement,
    CounterExample,
    Criterion,
    MeasureAdequacy,
    Split,
    Verdict,
)
from codekin.evaluation.adequacy.criteria import PROPERTIES
from codekin.report.document import finite
from codekin.report.figures import (
    NOTHING,
    count_text,
    interval_document,
    measure_text,
    percent_text,
)
from codekin.report.grid import Grid

__all__ = [
    "adequacy_document",
    "adequacy_grids",
    "adequacy_notes",
    "adequacy_records",
    "adequacy_warnings",
]


def adequacy_grids(judgement: AdequacyJudgement) -> list[Grid]:
    """What the criteria ask, and measures down against criteria across."""
    return [_legend(judgement), _verdicts(judgement), *_levels(judgement)]


def _legend(judgement: AdequacyJudgement) -> Grid:
    rows = tuple((one.name, PROPERTIES[one.property], one.asks) for one in judgement.criteria)
    return Grid("Criteria", ("", "property", "what it asks"), rows, keys=3)


def _verdicts(judgement: AdequacyJudgement) -> Grid:
    rows = tuple(
        (measure_text(one.label, one.distance), *(_cell(verdict) for verdict in one.verdicts))
        for one in judgement.measures
    )
    heads = ("measure", *(one.name for one in judgement.criteria))
    return Grid("Cases that break each criterion; holds: none of them", heads, rows)


def _cell(verdict: Verdict) -> str:
    if not verdict.cases:
        return NOTHING
    return str(verdict).removeprefix("fails (").removesuffix(")")


def _levels(judgement: AdequacyJudgement) -> list[Grid]:
    """Of a single measure, each verdict with its interval, and by what was edited."""
    if len(judgement.measures) > 1:
        return []
    rows = []
    for verdict in judgement.measures[0].verdicts:
        parts = ", ".join(f"{s.name} {s.broken:,} of {s.cases:,}" for s in verdict.by_level)
        low, high = verdict.interval.low, verdict.interval.high
        ends = f"{100 * low:.1f} to {100 * high:.1f} %" if verdict.cases else NOTHING
        rows.append(
            (verdict.criterion.name, str(verdict), ends, parts or verdict.reason or NOTHING)
        )
    heads = ("", "verdict", percent_text(judgement.level), "broken, by what was edited")
    return [Grid(f"Verdicts on {judgement.measures[0].label}", heads, tuple(rows), keys=2)]


def adequacy_warnings(judgement: AdequacyJudgement) -> list[str]:
    """What could not be scored, a line a measure."""
    lines = []
    for one in judgement.measures:
        failed = [verdict for verdict in one.verdicts if verdict.failed]
        if failed:
            number = sum(verdict.failed for verdict in failed)
            names = ", ".join(verdict.criterion.name for verdict in failed)
            lines.append(
                f"{one.label}: {count_text(number, 'case')} of {names} could not be scored; the "
                f"first: {failed[0].reason}"
            )
    return lines


def adequacy_notes(judgement: AdequacyJudgement) -> list[str]:
    """How the verdicts came about."""
    notes = [
        f"{count_text(judgement.cases, 'case')} of each criterion, seed {judgement.seed}, in "
        f"{', '.join(judgement.languages)}; percentages are of cases that break it",
    ]
    if any(one.name == "4" for one in judgement.criteria):
        notes.append(
            "4 as the paper's text has it (an origin farther away makes its revisions more alike); "
            "its formula says the opposite"
        )
    if any(one.distance for one in judgement.measures):
        notes.append("↓ a distance, which counts with its sign turned")
    if any(not verdict.cases for one in judgement.measures for verdict in one.verdicts):
        notes.append(f"{NOTHING}: the criterion does not apply, or no case could be scored")
    return notes


def adequacy_document(judgement: AdequacyJudgement) -> dict[str, Any]:
    """The document that ``codekin evaluate adequacy --format json`` prints."""
    return {
        "codekin": __version__,
        "cases": judgement.cases,
        "seed": judgement.seed,
        "level": judgement.level,
        "languages": list(judgement.languages),
        "criteria": {one.name: _criterion_document(one) for one in judgement.criteria},
        "measures": {one.label: _measure_document(one) for one in judgement.measures},
    }


def _criterion_document(one: Criterion) -> dict[str, Any]:
    return {"property": one.property, "title": PROPERTIES[one.property], "asks": one.asks}


def _measure_document(one: MeasureAdequacy) -> dict[str, Any]:
    return {
        "signature": one.signature,
        "summary": one.summary,
        "distance": one.distance,
        "needs_origin": one.needs_origin,
        "verdicts": {
            verdict.criterion.name: _verdict_document(verdict) for verdict in one.verdicts
        },
    }


def _verdict_document(verdict: Verdict) -> dict[str, Any]:
    return {
        "verdict": verdict.word,
        "cases": verdict.cases,
        "broken": verdict.broken,
        "failed": verdict.failed,
        "share": finite(verdict.share),
        "ci": interval_document(verdict.interval),
        "reason": verdict.reason,
        "by_level": [_split_document(one) for one in verdict.by_level],
        "by_language": [_split_document(one) for one in verdict.by_language],
        "counter_example": _example_document(verdict.criterion, verdict.counter_example),
    }


def _split_document(one: Split) -> dict[str, Any]:
    return {"name": one.name, "cases": one.cases, "broken": one.broken}


def _example_document(criterion: Criterion, one: CounterExample | None) -> dict[str, Any] | None:
    if one is None:
        return None
    return {
        "number": one.case.number,
        "language": one.case.language,
        "level": one.case.level,
        "made": one.case.made,
        "texts": dict(zip(criterion.roles, one.case.texts, strict=True)),
        "scores": dict(zip(criterion.labels, map(finite, one.values), strict=True)),
    }


def adequacy_records(judgement: AdequacyJudgement) -> list[dict[str, Any]]:
    """One record a measure and criterion, for CSV."""
    return [
        {
            "measure": one.label,
            "criterion": verdict.criterion.name,
            "property": verdict.criterion.property,
            "asks": verdict.criterion.asks,
            "verdict": verdict.word,
            "cases": verdict.cases,
            "broken": verdict.broken,
            "failed": verdict.failed,
            "share": finite(verdict.share),
            "ci_low": finite(verdict.interval.low),
            "ci_high": finite(verdict.interval.high),
            "reason": verdict.reason,
        }
        for one in judgement.measures
        for verdict in one.verdicts
    ]
