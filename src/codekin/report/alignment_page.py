"""A three-way alignment as HTML: one page that needs nothing else, or a piece for a notebook."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from importlib import resources

from codekin._version import __version__
from codekin.measures.comparing import parts_text, score_text
from codekin.plain_text import visible_html
from codekin.report.page_file import template_environment, with_files
from codekin.report.page_names import page_names
from codekin.revisions.alignment import MeasureLine, RevisionAlignment
from codekin.revisions.alignment_view import (
    ROLES,
    AlignedRow,
    AlignmentView,
    EditMark,
    Gap,
    Line,
    LinePiece,
    RegionHead,
    view_of,
)
from codekin.revisions.verdicts import RegionAgreement, Verdict

__all__ = ["AGREEMENTS", "fragment", "page"]

AGREEMENTS = {
    RegionAgreement.ALIKE: "alike",
    RegionAgreement.REFERENCE: "only the reference",
    RegionAgreement.CANDIDATE: "only the candidate",
    RegionAgreement.DIFFERENT: "differently",
}
_LEGEND = {
    EditMark.INSERTED_ALIKE: "inserted by both",
    EditMark.DELETED_ALIKE: "deleted by both",
    EditMark.DELETED_BY_REFERENCE: "deleted by the reference only",
    EditMark.DELETED_BY_CANDIDATE: "deleted by the candidate only",
}
_MOST_LINKS = 60


def fragment(aligned: RevisionAlignment) -> str:
    """The alignment with its own styles, as a notebook shows it."""
    view = view_of(aligned, most_rows=400)
    style = f"{_style('three_way.css')}\n{_style('three_way_alone.css')}"
    head = f"<p class='edits-told'>{escape(view.summary.words(view.unit))}</p>"
    return f"<style>{style}</style><div class='edits-alone'>{head}{legend(view)}{table(view)}</div>"


def page(
    aligned: RevisionAlignment,
    view: AlignmentView,
    scores: Sequence[MeasureLine],
    names: Sequence[str],
) -> str:
    """The alignment as a page of its own.

    Parameters
    ----------
    aligned : RevisionAlignment
    view : AlignmentView
        Of it.
    scores : sequence of MeasureLine
    names : sequence of str
        Where the three texts came from.
    """
    made = with_files(
        template_environment(),
        "three_way.html.j2",
        ("base.css", "three_way.css"),
        (),
        version=__version__,
        aligned=aligned,
        view=view,
        names=[visible_html(name) for name in page_names(names)],
        notes=aligned.notes,
        remarks=[
            (line.name, line.score.remark)
            for line in scores
            if line.score is not None and line.score.remark
        ],
        legend=legend(view),
        table=table(view),
        links=view.heads[:_MOST_LINKS],
        agreements=AGREEMENTS,
        scores=[
            (
                line.name,
                "–" if line.score is None else score_text(line.score),
                [line.problem] if line.score is None else parts_text(line.score).split("  "),
                "" if line.score is None else line.score.signature,
            )
            for line in scores
        ],
    )
    return made.decode("utf-8")


def _style(name: str) -> str:
    return resources.files("codekin.report").joinpath("templates", name).read_text("utf-8")


def legend(view: AlignmentView) -> str:
    """What the marks that occur mean."""
    entries = []
    for mark in view.marks:
        if mark is EditMark.INSERTED:
            entries += [
                f"<span class='of-{role}'>{_marked('x', mark)} inserted by the {role} only</span>"
                for role in ROLES[1:]
            ]
        else:
            entries.append(f"<span>{_marked('x', mark)} {_LEGEND[mark]}</span>")
    return f"<p class='edits-legend'>{' '.join(entries)}</p>" if entries else ""


def table(view: AlignmentView) -> str:
    """The rows, the verdicts and the gaps of a view."""
    if not view.items:
        return ""
    roles = "".join(f"<div role='columnheader'>{role}</div>" for role in ROLES)
    rows = "".join(_items(view))
    return (
        f"<div class='edits' role='table' aria-label='The three texts, line by line'>"
        f"<div class='edits-roles' role='row'>{roles}</div>{rows}</div>"
    )


def _items(view: AlignmentView) -> Iterator[str]:
    for item in view.items:
        if isinstance(item, Gap):
            words = escape(item.words)
            yield f"<div class='edits-gap' role='row'><div role='cell'>{words}</div></div>"
        elif isinstance(item, RegionHead):
            yield _head(item)
        else:
            yield _row(item)


def _head(head: RegionHead) -> str:
    agreement = head.counts.agreement
    return (
        f"<div class='edits-head {agreement.value}' role='row' id='region-{head.number}'>"
        f"<div role='cell'><b>{head.number}</b> <span class='tag'>{AGREEMENTS[agreement]}</span> "
        f"<span class='where'>{head.where}</span> <span class='say'>{_words(head.verdict)}</span>"
        f"<small>{escape(head.counts.words)}</small></div></div>"
    )


def _words(verdict: Verdict) -> str:
    return "".join(
        f"<code>{visible_html(phrase.text)}</code>" if phrase.quoted else escape(phrase.text)
        for phrase in verdict
    )


def _row(row: AlignedRow) -> str:
    kind = "same" if row.same else "touched" if row.touched else "other"
    cells = "".join(
        f"<div class='of-{role}' role='cell'>{_line(line)}</div>"
        if line
        else f"<div class='of-{role} none' role='cell'></div>"
        for role, line in zip(ROLES, row.lines, strict=True)
    )
    return f"<div class='edits-row {kind}' role='row'>{cells}</div>"


def _line(line: Line) -> str:
    return f"<span class='n'>{line.number}</span><code>{''.join(map(_piece, line.pieces))}</code>"


def _piece(piece: LinePiece) -> str:
    if piece.mark is EditMark.KEPT:
        return visible_html(piece.text)
    if piece.mark is EditMark.PLAIN:
        shown = visible_html(piece.text)
        return f"<span class='p'>{shown}</span>" if piece.text.strip() else shown
    return _marked(piece.text, piece.mark)


def _marked(text: str, mark: EditMark) -> str:
    tag = "ins" if mark in (EditMark.INSERTED, EditMark.INSERTED_ALIKE) else "del"
    return f"<{tag} class='{mark.code}'>{visible_html(text)}</{tag}>"
