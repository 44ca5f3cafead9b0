"""The page of a class: where suspicion starts, and the programs of pairs side by side."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from codekin._version import __version__
from codekin.plain_text import plain
from codekin.report.dendrogram import COLOURS
from codekin.report.explanations import token_ink, utf16_offsets
from codekin.report.page_data import language_title
from codekin.report.page_file import template_environment, with_files
from codekin.report.pages import embed, put_json
from codekin.report.submission_pictures import (
    StudentGraph,
    Timeline,
    UnusualHistogram,
    group_colours,
)
from codekin.results import number_text
from codekin.scan.submission_evidence import PairEvidence, ShownFile
from codekin.scan.submission_result import SubmissionPair, Submissions
from codekin.source import Source

__all__ = ["submissions_page"]

_STYLES = ("base.css", "plots.css", "browser.css", "print.css", "matrix.css", "submissions.css")
_SCRIPTS = ("pieces.js", "theme.js", "code.js", "submissions.js", "submission_pair.js")
_HERE = b"<!-- data -->"
_PAIRS, _MOST_PAIRS = 200, 1000
"""Pairs that a page lists; more if more are suspicious."""
_MOST_TEXT = 20_000_000
"""Characters of all programs together; pairs with more are listed, but their code is not shown."""
_LEFT_OUT = 200
"""Files that were not compared, by name."""


@dataclass(frozen=True)
class _Row:
    """A line of the table of pairs."""

    number: int
    first: str
    second: str
    note: str
    score: str
    share: float
    first_share: str
    second_share: str
    unusual: str
    quantile: str
    suspicious: bool
    colours: tuple[int | None, int | None]


def submissions_page(found: Submissions) -> bytes:
    """The page of a comparison of submissions; the same result gives the same bytes.

    Parameters
    ----------
    found : Submissions
        With the code of the class.
    """
    suspicious = sum(one.suspicious for one in found.pairs)
    shown = found.pairs[: min(_MOST_PAIRS, max(_PAIRS, suspicious))]
    before, _, after = _frame(found, shown).partition(_HERE)
    data = io.BytesIO()
    _put_data(data, found, shown)
    return before + data.getvalue() + after


def _frame(found: Submissions, shown: Sequence[SubmissionPair]) -> bytes:
    histogram = found.distribution and UnusualHistogram.of(found.distribution, found.level)
    languages = sorted({language for one in found.students for language in one.languages})
    reasons = [(plain(one.path), plain(one.reason)) for one in found.left_out]
    return with_files(
        template_environment(),
        "submissions.html.j2",
        _STYLES,
        _SCRIPTS,
        version=__version__,
        found=found,
        title=found.title,
        rows=list(_rows(found, shown)),
        groups=[(one, _group_pairs(one.members, shown)) for one in found.groups],
        plain=plain,
        colours=COLOURS,
        histogram=histogram,
        graph=StudentGraph.of(found, shown),
        timeline=Timeline.of(found),
        languages=[language_title(one) for one in languages],
        reasons=reasons[:_LEFT_OUT],
        more_reasons=max(0, len(reasons) - _LEFT_OUT),
        hidden=found.code is not None and found.code.hider is not None,
        notes=found.notes(),
    )


def _rows(found: Submissions, shown: Sequence[SubmissionPair]) -> Iterator[_Row]:
    colours = group_colours(found.groups)
    languages = {one.name: one.languages for one in found.students}
    for number, one in enumerate(shown):
        notes = []
        if languages[one.first] != languages[one.second]:
            sides = (languages[one.first], languages[one.second])
            notes.append(" / ".join("+".join(map(language_title, side)) for side in sides))
        if one.first_attempt or one.second_attempt:
            names = (one.first_attempt or "only attempt", one.second_attempt or "only attempt")
            notes.append(plain(f"{names[0]} / {names[1]}"))
        yield _Row(
            number,
            plain(one.first),
            plain(one.second),
            "; ".join(notes),
            number_text(one.score, digits=2),
            round(min(1.0, max(0.0, one.score)), 4),
            number_text(one.first_share, digits=2),
            number_text(one.second_share, digits=2),
            "" if one.unusual is None else number_text(one.unusual, digits=1),
            number_text(one.quantile, digits=3),
            one.suspicious,
            (colours.get(one.first), colours.get(one.second)),
        )


def _group_pairs(members: Sequence[str], shown: Sequence[SubmissionPair]) -> list[int]:
    """The suspicious pairs of a group, by number."""
    inside = set(members)
    return [i for i, one in enumerate(shown) if one.suspicious and one.first in inside]


def _put_data(stream: io.BytesIO, found: Submissions, shown: Sequence[SubmissionPair]) -> None:
    """Write the code of the shown pairs and what matches, a piece for each."""
    programs: dict[tuple[str, str], int] = {}
    sides: list[list[int] | None] = []
    room = _MOST_TEXT
    for number, pair in enumerate(shown):
        evidence = found.evidence(pair.first, pair.second) if room > 0 else None
        if evidence is None:
            sides.append(None)
            continue
        keys = (pair.first, pair.first_attempt), (pair.second, pair.second_attempt)
        both = []
        for key, files in zip(keys, (evidence.first_code, evidence.second_code), strict=True):
            if key not in programs:
                programs[key] = len(programs)
                put_json(stream, f"code-{programs[key]}", list(map(_file, files)))
                room -= sum(len(file.text) for file in files)
            both.append(programs[key])
        put_json(stream, f"pair-data-{number}", _pair(evidence))
        sides.append(both)
    about = {
        "pairs": [[plain(one.first), plain(one.second)] for one in shown],
        "attempts": [[plain(one.first_attempt), plain(one.second_attempt)] for one in shown],
        "numbers": [[one.score, one.first_share, one.second_share, one.unusual] for one in shown],
        "suspicious": [one.suspicious for one in shown],
        "programs": sides,
        "students": len(found.students),
        "level": found.level,
        "colours": COLOURS,
    }
    stream.write(b'<script type="application/json" id="about">')
    stream.write(embed(about).encode("ascii"))
    stream.write(b"</script>\n")


def _file(file: ShownFile) -> dict[str, Any]:
    return {
        "name": plain(file.name),
        "language": language_title(file.language),
        "text": file.text,
        "ink": token_ink(Source(file.text, file.language)),
    }


_KINDS = ("starter", "common", "evidence")


def _pair(evidence: PairEvidence) -> dict[str, Any]:
    return {
        "regions": [
            [
                *(one.kind, one.share, one.others, one.statements),
                *(one.first.start, one.first.end, one.second.start, one.second.end),
            ]
            for one in evidence.regions
        ],
        "marks": [
            [_marks(file) for file in files]
            for files in (evidence.first_code, evidence.second_code)
        ],
        "starter": bool(evidence.first_starter or evidence.second_starter),
        "features": [[plain(one.name), one.share, one.students] for one in evidence.features],
    }


def _marks(file: ShownFile) -> list[int]:
    """Start, end, region and kind of each mark, one after the other."""
    offset = utf16_offsets(file.text)
    flat: list[int] = []
    for one in file.marks:
        flat += [offset(one.start), offset(one.end), one.region, _KINDS.index(one.kind)]
    return flat
