"""``codekin align``: two edits of one text, shown beside it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from codekin.cli.inputs import read_texts
from codekin.cli.options import LanguageOption, ResultOptions, command
from codekin.cli.output import Rendering, emit
from codekin.errors import CodekinError

if TYPE_CHECKING:
    from rich.console import Console

    from codekin.revisions.alignment_report import AlignmentReport

__all__ = ["align_command"]

_MORE_STEPS = "align them pairwise, or allow more steps"
"""The advice of the function for long texts; the command has no option for steps."""


_MOST_BYTES = 300_000
"""Longer texts may take minutes to align."""


class _Unit(StrEnum):
    TOKEN = "token"
    LINE = "line"


class _Lcs(StrEnum):
    PAIRWISE = "pairwise"
    THREEWAY = "threeway"


@command(
    example="codekin align candidate.py reference.py --origin before.py -o edits.html",
    formats=("table", "json", "html"),
    extra_words=True,
)
def align_command(
    context: typer.Context,
    candidate: Annotated[
        str, typer.Argument(metavar="CANDIDATE", help="The edit to judge; - is stdin.")
    ],
    reference: Annotated[
        str, typer.Argument(metavar="REFERENCE", help="The edit that was wanted.")
    ],
    origin: Annotated[
        str | None,
        typer.Option("--origin", metavar="FILE", help="What both were made from (required)."),
    ] = None,
    unit: Annotated[
        _Unit, typer.Option("--unit", help="Align tokens (or words) or lines.")
    ] = _Unit.TOKEN,
    lcs: Annotated[
        _Lcs,
        typer.Option(
            "--lcs",
            help="Find what is kept by pairs of texts, or exactly in all three (short texts).",
        ),
    ] = _Lcs.PAIRWISE,
    language: LanguageOption = None,
    *,
    result: ResultOptions,
) -> None:
    """Show what a candidate and a reference changed in their origin.

    What both did alike, what only one did, and what they did differently. The language text
    aligns words.
    """
    from codekin.report.alignment_terminal import whole_screen
    from codekin.revisions.alignment import align_revisions, language_of_files, revision_scores
    from codekin.revisions.alignment_report import alignment_report
    from codekin.revisions.alignment_view import view_of

    if context.args:
        raise CodekinError(_too_many([candidate, reference, *context.args]))
    if origin is None:
        raise CodekinError(
            "align needs what both were made from: "
            "codekin align CANDIDATE REFERENCE --origin ORIGIN"
        )
    texts = read_texts([origin, reference, candidate])
    for one in texts:
        if one.size > _MOST_BYTES:
            raise CodekinError(
                f"{one.name}: has {one.size:,} bytes; more than {_MOST_BYTES:,} may take minutes "
                "to align; codekin.align_revisions takes longer texts"
            )
    names = [one.name for one in texts]
    try:
        aligned = align_revisions(
            texts[2].text,
            texts[1].text,
            origin=texts[0].text,
            language=language or language_of_files(names),
            by=unit.value,
            lcs=lcs.value,
        )
    except CodekinError as error:
        advice = "--lcs threeway is for short texts; leave --lcs out"
        raise CodekinError(str(error).replace(_MORE_STEPS, advice)) from None
    view, scores = view_of(aligned), revision_scores(aligned)

    def report() -> AlignmentReport:
        sizes = [one.size for one in texts]
        return alignment_report(aligned, view, scores, names, sizes)

    def screen(to: Console) -> None:
        colors = to.color_system is not None and not to.no_color
        to.print(whole_screen(view, scores, names, aligned.notes, to.width, colors=colors))

    formats = {"json": lambda: report().to_json(), "html": lambda: report().to_html()}
    emit(result, Rendering(formats, screen))


def _too_many(files: list[str]) -> str:
    """What more than two files may have been meant for."""
    form = "codekin align CANDIDATE REFERENCE --origin ORIGIN"
    return f"{len(files)} files are given, but align takes two and their origin: {form}"
