"""A comparison as a JSON document, by the schema in data/compare.schema.json."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from codekin._version import __version__
from codekin.measures import Comparison, Explanation, Score, Span
from codekin.source import Source

__all__ = ["NamedSource", "comparison_document", "finite"]


@dataclass(frozen=True)
class NamedSource:
    """A source and where it came from.

    Attributes
    ----------
    name : str
        The file, or ``<stdin>``.
    source : Source
    size : int
        Its bytes as they were read.
    """

    name: str
    source: Source
    size: int


def comparison_document(
    comparison: Comparison,
    candidate: NamedSource,
    references: Sequence[NamedSource],
    origin: NamedSource | None = None,
    *,
    explain: bool = False,
) -> dict[str, Any]:
    """The document that ``codekin compare --format json`` prints."""
    sources = [one.source for one in references]
    return {
        "codekin": __version__,
        "candidate": _input(candidate),
        "references": [_input(one) for one in references],
        **({} if origin is None else {"origin": _input(origin)}),
        "scores": [_score(score, sources, explain) for score in comparison.values()],
    }


def _input(one: NamedSource) -> dict[str, Any]:
    return {
        "path": one.name,
        "language": one.source.language.name,
        "bytes": one.size,
        "problems": [
            {"line": p.line, "column": p.column, "message": p.message} for p in one.source.problems
        ],
    }


def _score(score: Score, references: Sequence[Source], explain: bool) -> dict[str, Any]:
    document: dict[str, Any] = {
        "measure": score.measure.name,
        "value": finite(score.value),
        "distance": score.measure.distance,
        "parts": {name: finite(part) for name, part in score.parts.items()},
        "bounds": [finite(bound) for bound in score.bounds],
        "exact": score.exact,
        "signature": score.signature,
    }
    if explain:
        document["explanation"] = _explanation(score.explain(), score, references)
    return document


def _explanation(why: Explanation, score: Score, references: Sequence[Source]) -> dict[str, Any]:
    candidate, reference = score.pair
    document: dict[str, Any] = {
        "summary": why.summary,
        "details": [{"name": name, "text": text} for name, text in why.details],
        "reference": next(i for i, source in enumerate(references) if source is reference),
        "spans": {"candidate": _spans(why.candidate), "reference": _spans(why.reference)},
    }
    # Where macros were expanded, the spans are of other texts than those in the files.
    if why.candidate_text != candidate.text or why.reference_text != reference.text:
        document["texts"] = {"candidate": why.candidate_text, "reference": why.reference_text}
    return document


def _spans(spans: Sequence[Span]) -> list[dict[str, float]]:
    return [{"start": s.start, "end": s.end, "level": s.level} for s in spans]


def finite(number: float) -> float | None:
    """A number for JSON, which has no way to write infinity or not-a-number."""
    return number if math.isfinite(number) else None
