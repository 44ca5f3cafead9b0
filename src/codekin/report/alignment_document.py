"""A three-way alignment as JSON: for the command, and in short for the page of a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from codekin._version import __version__
from codekin.align.three_way import EditKind
from codekin.report.document import finite
from codekin.revisions.alignment import MeasureLine, RevisionAlignment, TextUnits
from codekin.revisions.alignment_view import (
    ROLES,
    AlignedRow,
    AlignmentView,
    EditMark,
    Gap,
    RegionHead,
    stretches,
)
from codekin.revisions.verdicts import say

__all__ = ["alignment_document", "brief_document", "mark_code"]

_EDITS = {
    EditKind.BOTH_INSERT: ("insert", "both"),
    EditKind.FIRST_INSERT: ("insert", "reference"),
    EditKind.SECOND_INSERT: ("insert", "candidate"),
    EditKind.BOTH_DELETE: ("delete", "both"),
    EditKind.FIRST_DELETE: ("delete", "reference"),
    EditKind.SECOND_DELETE: ("delete", "candidate"),
}


def alignment_document(
    aligned: RevisionAlignment,
    view: AlignmentView,
    scores: Sequence[MeasureLine],
    names: Sequence[str],
    sizes: Sequence[int],
) -> dict[str, Any]:
    """The document that ``codekin align --format json`` prints.

    Parameters
    ----------
    aligned : RevisionAlignment
    view : AlignmentView
        Of it, with every region.
    scores : sequence of MeasureLine
    names, sizes : sequences
        Where the three texts came from, and their bytes as they were read.
    """
    sources = (aligned.origin, aligned.reference, aligned.candidate)
    document: dict[str, Any] = {"codekin": __version__}
    for k, role in enumerate(ROLES):
        language = None if aligned.plain else sources[k].language.name
        units = len(aligned.units[k])
        document[role] = {
            "path": names[k],
            "language": language,
            "bytes": sizes[k],
            "units": units,
        }
    return document | {
        "by": aligned.by,
        "unit": aligned.unit,
        "lcs": aligned.lcs,
        "summary": {
            "regions": view.summary.regions,
            "kept": view.summary.kept,
            "alike": view.summary.alike,
            "reference": view.summary.reference,
            "candidate": view.summary.candidate,
            "differently": view.summary.differently,
        },
        "scores": [_score(line) for line in scores],
        "regions": list(_regions(aligned, view.heads)),
    }


def _score(line: MeasureLine) -> dict[str, Any]:
    score = line.score
    return {
        "measure": line.name,
        "value": None if score is None else finite(score.value),
        "distance": bool(score and score.measure.distance),
        "parts": {} if score is None else {name: finite(x) for name, x in score.parts.items()},
        "signature": None if score is None else score.signature,
        "problem": line.problem or None,
    }


def _regions(aligned: RevisionAlignment, heads: Sequence[RegionHead]) -> Iterator[dict[str, Any]]:
    columns = aligned.alignment.columns[:, [2, 0, 1]].tolist()
    kinds = aligned.alignment.verdicts
    for head, region, (start, end) in zip(heads, aligned.regions, stretches(kinds), strict=True):
        spans = (region.origin, region.first, region.second)
        counts = head.counts
        yield (
            {
                "number": head.number,
                "agreement": counts.agreement.value,
                "verdict": say(head.verdict),
                "inserted": _by_whom(
                    counts.inserted_alike,
                    counts.inserted_by_reference,
                    counts.inserted_by_candidate,
                ),
                "deleted": _by_whom(
                    counts.deleted_alike, counts.deleted_by_reference, counts.deleted_by_candidate
                ),
            }
            | {
                role: _span(units, *span)
                for role, units, span in zip(ROLES, aligned.units, spans, strict=True)
            }
            | {"edits": list(_edits(aligned.units, columns[start:end], kinds[start:end]))}
        )


def _by_whom(alike: int, reference: int, candidate: int) -> dict[str, int]:
    return {"alike": alike, "reference": reference, "candidate": candidate}


def _span(units: TextUnits, start: int, end: int) -> dict[str, int] | None:
    """The characters and the first line of units; None where there are none."""
    if start == end:
        return None
    return {
        "start": units.starts[start],
        "end": units.ends[end - 1],
        "line": units.first_lines[start] + 1,
    }


def _edits(
    units: tuple[TextUnits, TextUnits, TextUnits],
    columns: Sequence[Sequence[int]],
    kinds: Sequence[EditKind],
) -> Iterator[dict[str, Any]]:
    """Runs of columns in which the same was done by the same."""
    start = 0
    for end in range(1, len(kinds) + 1):
        if end < len(kinds) and kinds[end] is kinds[start]:
            continue
        edit, who = _EDITS[kinds[start]]
        told: dict[str, Any] = {"edit": edit, "by": who}
        for k, role in enumerate(ROLES):
            there = [column[k] for column in columns[start:end] if column[k] >= 0]
            told[role] = _span(units[k], there[0], there[-1] + 1) if there else None
        yield told
        start = end


_CODES = {
    EditMark.PLAIN: "p",
    EditMark.KEPT: "k",
    EditMark.INSERTED_ALIKE: "ia",
    EditMark.INSERTED: "io",
    EditMark.DELETED_ALIKE: "da",
    EditMark.DELETED_BY_REFERENCE: "dr",
    EditMark.DELETED_BY_CANDIDATE: "dc",
}
"""The marks as the styles and the scripts of pages call them."""


def mark_code(mark: EditMark) -> str:
    """What a page calls a mark."""
    return _CODES[mark]


def brief_document(view: AlignmentView) -> dict[str, Any]:
    """The view as the script of a report draws it.

    A row is a list of its three lines and of whether it was touched; a line is its number, then
    texts and marks in turn, or null. A gap is a text, a region an object.
    """
    return {
        "unit": view.unit,
        "summary": view.summary.words(view.unit),
        "marks": [_CODES[mark] for mark in view.marks],
        "items": [_brief(item) for item in view.items],
    }


def _brief(item: AlignedRow | Gap | RegionHead) -> object:
    if isinstance(item, Gap):
        return item.words
    if isinstance(item, RegionHead):
        return {
            "number": item.number,
            "where": item.where,
            "agreement": item.counts.agreement.value,
            "verdict": [[phrase.text, int(phrase.quoted)] for phrase in item.verdict],
            "counts": item.counts.words,
        }
    lines: list[object] = [
        None
        if line is None
        else [line.number, *(x for piece in line.pieces for x in (piece.text, _CODES[piece.mark]))]
        for line in item.lines
    ]
    return [*lines, 2 if item.same else int(item.touched)]
