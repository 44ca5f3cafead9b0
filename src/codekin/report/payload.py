"""The data of an HTML report: what its script reads, as JSON that is safe inside a page."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from codekin.errors import CodekinError
from codekin.languages import TokenClass
from codekin.measures import Score, Span
from codekin.report.document import finite
from codekin.report.rows import ReportRow
from codekin.source import Source

__all__ = ["embed", "payload", "utf16_offsets"]

_INK = {
    TokenClass.COMMENT: "c",
    TokenClass.DOCSTRING: "c",
    TokenClass.KEYWORD: "k",
    TokenClass.STRING: "s",
    TokenClass.CHARACTER: "s",
    TokenClass.INTEGER: "n",
    TokenClass.FLOAT: "n",
    TokenClass.BOOLEAN: "n",
    TokenClass.NULL: "n",
}
"""How the page prints the classes that it tells apart; all others are plain."""


def embed(data: object) -> str:
    """JSON for a ``<script>`` element.

    Everything but ASCII is escaped, which covers line separators and lone surrogates, and so are
    the signs by which markup could end the element.

    Examples
    --------
    >>> embed("</script>")
    '"\\\\u003c/script\\\\u003e"'
    """
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def payload(rows: Sequence[ReportRow], axes: Mapping[str, float]) -> dict[str, Any]:
    """Everything the page's script needs: measures with the end of their axis, and rows."""
    known = {name: score.measure for row in rows for name, score in row.scores.items()}
    measures = [
        {
            "name": name,
            "high": high,
            "distance": name in known and known[name].distance,
            "summary": known[name].summary if name in known else "",
        }
        for name, high in axes.items()
    ]
    return {"measures": measures, "rows": [_row(row) for row in rows]}


def _row(row: ReportRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "group": row.group,
        "language": row.language,
        "other": row.reference_language,
        "note": row.note,
        "candidate": _text(row.candidate, row.language),
        "reference": _text(row.reference, row.reference_language),
        "scores": {name: _score(score, row) for name, score in row.scores.items()},
        "failures": dict(row.failures),
    }


def _score(score: Score, row: ReportRow) -> dict[str, Any]:
    data: dict[str, Any] = {
        "value": finite(score.value),
        "bounds": None if score.exact else [finite(bound) for bound in score.bounds],
        "parts": [[name, finite(part)] for name, part in score.parts.items()],
        "signature": score.signature,
    }
    try:
        why = score.explain()
    except (CodekinError, NotImplementedError) as error:
        return data | {"summary": f"No explanation: {error}", "details": [], "spans": [[], []]}
    data["summary"] = why.summary
    data["details"] = [list(detail) for detail in why.details]
    data["spans"] = [
        _spans(why.candidate, why.candidate_text),
        _spans(why.reference, why.reference_text),
    ]
    # A measure that expands macros speaks of another text than the one in the file.
    if why.candidate_text != row.candidate:
        data["candidate"] = _text(why.candidate_text, row.language)
    if why.reference_text != row.reference:
        data["reference"] = _text(why.reference_text, row.reference_language)
    return data


def _text(text: str, language: str) -> dict[str, Any]:
    """A text with the spans of its comments, keywords, strings and numbers."""
    ink: list[int | str] = []
    try:
        tokens = Source(text, language).tokens_with(comments=True)
    except CodekinError:  # a language that codekin does not know is shown without ink
        return {"text": text, "ink": ink}
    offset, characters = utf16_offsets(text), tokens.positions.characters
    spans = zip(tokens.starts.tolist(), tokens.ends.tolist(), tokens.classes.tolist(), strict=True)
    for start, end, cls in spans:
        if cls in _INK and start < end:
            ink += [offset(characters(start)), offset(characters(end)), _INK[cls]]
    return {"text": text, "ink": ink}


def _spans(spans: Sequence[Span], text: str) -> list[float]:
    """Start, end and level of each span, one after the other."""
    offset = utf16_offsets(text)
    flat: list[float] = []
    for span in spans:
        flat += [offset(span.start), offset(span.end), round(span.level, 3)]
    return flat


def utf16_offsets(text: str) -> Callable[[int], int]:
    """A function from an index into `text` to the index that JavaScript has for that place.

    Examples
    --------
    >>> utf16_offsets("a😀b")(2)
    3
    """
    if text.isascii():
        return lambda index: index
    wide = [i for i, character in enumerate(text) if ord(character) > 0xFFFF]
    return lambda index: index + bisect_left(wide, index)
