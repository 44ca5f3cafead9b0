"""ReportRow: one scored pair of a report, with the reasons where a measure could not score it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources

from codekin.errors import CodekinError
from codekin.measures import Measure, Score, distinct
from codekin.source import Source

__all__ = ["ReportRow", "read_demo", "score_row"]


@dataclass(frozen=True)
class ReportRow:
    """A pair of texts with what every measure said of it.

    Attributes
    ----------
    id : str
        Names the pair; unique in a report.
    group : str
        The kind of pair, such as the model or the change that was made.
    candidate, reference : str
        The texts.
    language, reference_language : str
        The names of their languages.
    scores : mapping of str to Score
        By measure: its name, then ``name 2``, ``name 3`` for further forms of it.
    failures : mapping of str to str
        Why a measure gave no score, by measure.
    note : str
        A sentence about the pair.
    """

    id: str
    group: str
    candidate: str
    reference: str
    language: str
    reference_language: str
    scores: Mapping[str, Score] = field(default_factory=dict)
    failures: Mapping[str, str] = field(default_factory=dict)
    note: str = ""


def read_demo() -> list[dict[str, str]]:
    """The demonstration pairs that come with codekin."""
    text = resources.files("codekin").joinpath("data/demo.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line]


def score_row(row: Mapping[str, str], measures: Sequence[Measure]) -> ReportRow:
    """Score one row under every measure; what fails is recorded, and the others go on.

    Parameters
    ----------
    row : mapping
        With ``id``, ``language``, ``candidate``, ``reference``, and optionally ``group``, ``note``
        and ``reference_language``.
    measures : sequence of Measure
        What to score by; two forms of one measure are told apart by a number after the name.
    """
    language = row["language"]
    other = row.get("reference_language", language)
    candidate, reference = Source(row["candidate"], language), Source(row["reference"], other)
    scores: dict[str, Score] = {}
    failures: dict[str, str] = {}
    names = distinct(measure.name for measure in measures)
    for name, measure in zip(names, measures, strict=True):
        try:
            scores[name] = measure.score(candidate, reference)
        except CodekinError as error:
            failures[name] = str(error)
        except Exception as error:  # a bad row must not end the job; its reason is kept
            failures[name] = f"{type(error).__name__}: {error}"
    return ReportRow(
        id=row["id"],
        group=row.get("group", "all"),
        candidate=row["candidate"],
        reference=row["reference"],
        language=candidate.language.name,
        reference_language=reference.language.name,
        scores=scores,
        failures=failures,
        note=row.get("note", ""),
    )
