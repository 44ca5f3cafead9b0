"""A three-way alignment as a result: its scores and regions in tables and in JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Literal

from codekin.align.three_way import EditKind
from codekin.results import LEFT_OUT, Grid, Result, measure_cell, named, written_text
from codekin.revisions.alignment import (
    By,
    MeasureLine,
    RevisionAlignment,
    TextUnits,
    Unit,
    revision_scores,
)
from codekin.revisions.alignment_view import (
    ROLES,
    AlignmentView,
    RegionHead,
    region_columns,
    view_of,
)
from codekin.revisions.verdicts import RegionAgreement, RegionSummary, say

__all__ = ["AlignmentReport", "alignment_report"]


@dataclass(frozen=True)
class AlignedText:
    """One of the three texts.

    Attributes
    ----------
    path : str
        The path as given; ``<stdin>`` for ``-``.
    language : str or None
        None for texts without a language.
    size : int
        Its length in bytes.
    units : int
        Number of tokens, words or lines.
    """

    path: str
    language: str | None
    size: int = field(metadata=named("bytes"))
    units: int


@dataclass(frozen=True)
class AlignmentScore:
    """The score of a measure of edits.

    Attributes
    ----------
    measure : str
        A name that `codekin measures` lists.
    value : float or None
    distance : bool
        Whether 0 means equal.
    parts : mapping of str to float
        The components, by name.
    signature : str or None
        Everything that decides the score.
    problem : str or None
        Why there is no score.
    """

    measure: str
    value: float | None
    distance: bool
    parts: Mapping[str, float]
    signature: str | None
    problem: str | None


@dataclass(frozen=True)
class ByWhom:
    """Numbers of units by who inserted or deleted them.

    Attributes
    ----------
    alike : int
        By both; counted once.
    reference, candidate : int
        Only by this revision.
    """

    alike: int
    reference: int
    candidate: int


@dataclass(frozen=True)
class TextStretch:
    """A span of a text.

    Attributes
    ----------
    start, end : int
        Positions in characters (code points).
    line : int
        The line of its start, from 1.
    """

    start: int
    end: int
    line: int


@dataclass(frozen=True)
class RegionEdit:
    """A run of units with the same edit.

    Attributes
    ----------
    edit : {"insert", "delete"}
    by : {"both", "reference", "candidate"}
    origin, reference, candidate : TextStretch or None
        Its span in each text; None if it is empty.
    """

    edit: Literal["insert", "delete"]
    by: Literal["both", "reference", "candidate"]
    origin: TextStretch | None
    reference: TextStretch | None
    candidate: TextStretch | None


@dataclass(frozen=True)
class RegionReport:
    """A divergent region.

    Attributes
    ----------
    number : int
        From 1.
    agreement : RegionAgreement
        Whether both made the same changes, one made more, or they differ.
    verdict : str
        A sentence that describes the changes.
    inserted, deleted : ByWhom
    origin, reference, candidate : TextStretch or None
        Its span in each text; None if it is empty.
    edits : tuple of RegionEdit
        In order.
    """

    number: int
    agreement: RegionAgreement
    verdict: str
    inserted: ByWhom
    deleted: ByWhom
    origin: TextStretch | None
    reference: TextStretch | None
    candidate: TextStretch | None
    edits: tuple[RegionEdit, ...]


@dataclass(frozen=True)
class AlignmentReport(Result):
    """How a reference and a candidate changed their common origin.

    Attributes
    ----------
    origin, reference, candidate : AlignedText
    by : {"token", "line"}
    unit : {"token", "word", "line"}
        What was aligned; words if the texts are prose.
    lcs : {"pairwise", "threeway"}
        How the conserved units were found.
    summary : RegionSummary
    scores : tuple of AlignmentScore
        The scores of all measures that use the origin.
    regions : tuple of RegionReport
        The divergent regions, in order.
    aligned : RevisionAlignment
        What it reports.
    view : AlignmentView
        The lines that its page shows.
    lines : tuple of MeasureLine
        The scores as they were computed.
    """

    origin: AlignedText
    reference: AlignedText
    candidate: AlignedText
    by: By
    unit: Unit
    lcs: Literal["pairwise", "threeway"]
    summary: RegionSummary
    scores: tuple[AlignmentScore, ...]
    regions: tuple[RegionReport, ...]
    aligned: RevisionAlignment = field(repr=False, compare=False, metadata=LEFT_OUT)
    view: AlignmentView = field(repr=False, compare=False, metadata=LEFT_OUT)
    lines: tuple[MeasureLine, ...] = field(repr=False, compare=False, metadata=LEFT_OUT)

    def grids(self) -> list[Grid]:
        """The regions, and the scores."""
        counts = [f"{deed} {who}" for deed in ("inserted", "deleted") for who in _WHO]
        regions = tuple(
            (
                *(region.number, region.agreement.value, region.verdict),
                *(
                    getattr(units, who)
                    for units in (region.inserted, region.deleted)
                    for who in _WHO
                ),
            )
            for region in self.regions
        )
        scores = tuple(
            (measure_cell(score.measure, score.distance), score.value, score.problem or "")
            for score in self.scores
        )
        return [
            Grid("Regions", ("region", "agreement", "verdict", *counts), regions, keys=3),
            Grid("Scores", ("measure", "score", "problem"), scores),
        ]

    def notes(self) -> list[str]:
        """A summary of the changes over all regions."""
        return [self.summary.words(self.unit)]

    def to_html(self, path: str | Path | None = None) -> str:
        """The three texts, region by region, with the scores; also written to `path` if given."""
        names = [text.path for text in (self.origin, self.reference, self.candidate)]
        page = import_module("codekin.report.alignment_page").page
        return written_text(page(self.aligned, self.view, self.lines, names), path)


_WHO = ("alike", "reference", "candidate")


def alignment_report(
    aligned: RevisionAlignment,
    view: AlignmentView | None = None,
    scores: Sequence[MeasureLine] | None = None,
    names: Sequence[str] = ROLES,
    sizes: Sequence[int] | None = None,
) -> AlignmentReport:
    """Report a three-way alignment.

    Parameters
    ----------
    aligned : RevisionAlignment
    view : AlignmentView, optional
        Its view, with every region.
    scores : sequence of MeasureLine, optional
        The scores to report (default: those of all measures of edits).
    names, sizes : sequences, optional
        The paths of the three texts, and their lengths in bytes.
    """
    sources = (aligned.origin, aligned.reference, aligned.candidate)
    view = view_of(aligned) if view is None else view
    lines = revision_scores(aligned) if scores is None else scores
    origin, reference, candidate = (
        AlignedText(
            path=names[k],
            language=source.language.name,
            size=len(source.data) if sizes is None else sizes[k],
            units=len(aligned.units[k]),
        )
        for k, source in enumerate(sources)
    )
    return AlignmentReport(
        origin,
        reference,
        candidate,
        by=aligned.by,
        unit=aligned.unit,
        lcs=aligned.lcs,
        summary=view.summary,
        scores=tuple(map(_score, lines)),
        regions=tuple(_regions(aligned, view.heads)),
        aligned=aligned,
        view=view,
        lines=tuple(lines),
    )


def _score(line: MeasureLine) -> AlignmentScore:
    if line.score is None:
        return AlignmentScore(line.name, None, False, {}, None, line.problem or None)
    score = line.score
    return AlignmentScore(
        *(line.name, score.value, score.measure.distance, score.parts, score.signature),
        problem=line.problem or None,
    )


def _regions(aligned: RevisionAlignment, heads: Sequence[RegionHead]) -> Iterator[RegionReport]:
    columns = aligned.alignment.columns[:, [2, 0, 1]].tolist()
    kinds = aligned.alignment.verdicts
    for head, region, (start, end) in zip(
        heads, aligned.regions, region_columns(kinds), strict=True
    ):
        counts = head.counts
        spans = (region.origin, region.first, region.second)
        origin, reference, candidate = (
            _stretch(units, *span) for units, span in zip(aligned.units, spans, strict=True)
        )
        yield RegionReport(
            head.number,
            counts.agreement,
            say(head.verdict),
            ByWhom(
                counts.inserted_alike, counts.inserted_by_reference, counts.inserted_by_candidate
            ),
            ByWhom(counts.deleted_alike, counts.deleted_by_reference, counts.deleted_by_candidate),
            *(origin, reference, candidate),
            edits=tuple(_edits(aligned.units, columns[start:end], kinds[start:end])),
        )


def _stretch(units: TextUnits, start: int, end: int) -> TextStretch | None:
    """The span and the first line of units; None if there are none."""
    if start == end:
        return None
    return TextStretch(units.starts[start], units.ends[end - 1], units.first_lines[start] + 1)


_DEEDS: Mapping[
    EditKind, tuple[Literal["insert", "delete"], Literal["both", "reference", "candidate"]]
] = {
    EditKind.BOTH_INSERT: ("insert", "both"),
    EditKind.FIRST_INSERT: ("insert", "reference"),
    EditKind.SECOND_INSERT: ("insert", "candidate"),
    EditKind.BOTH_DELETE: ("delete", "both"),
    EditKind.FIRST_DELETE: ("delete", "reference"),
    EditKind.SECOND_DELETE: ("delete", "candidate"),
}


def _edits(
    units: Sequence[TextUnits], columns: Sequence[Sequence[int]], kinds: Sequence[EditKind]
) -> Iterator[RegionEdit]:
    """Runs of columns with the same edit by the same revisions."""
    start = 0
    for end in range(1, len(kinds) + 1):
        if end < len(kinds) and kinds[end] is kinds[start]:
            continue
        origin, reference, candidate = (
            _stretch(text, positions[0], positions[-1] + 1) if positions else None
            for text, positions in (
                (text, [column[k] for column in columns[start:end] if column[k] >= 0])
                for k, text in enumerate(units)
            )
        )
        yield RegionEdit(*_DEEDS[kinds[start]], origin, reference, candidate)
        start = end
