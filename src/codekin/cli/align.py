"""``codekin align``: two edits of one text, shown beside it."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from codekin.cli.inputs import read_texts
from codekin.cli.output import Color, ColorOption, console, print_json
from codekin.errors import CodekinError
from codekin.report.alignment_document import alignment_document
from codekin.report.alignment_page import page, write_page
from codekin.report.alignment_terminal import whole_screen
from codekin.revisions.alignment import align_revisions, language_of_files, revision_scores
from codekin.revisions.alignment_view import view_of

__all__ = ["align_command"]

_MORE_STEPS = "align them pairwise, or allow more steps"
"""What the function advises where texts are too long; the command takes no number of steps."""


class _Format(StrEnum):
    TABLE = "table"
    JSON = "json"
    HTML = "html"


class _By(StrEnum):
    TOKEN = "token"
    LINE = "line"


class _Lcs(StrEnum):
    PAIRWISE = "pairwise"
    THREEWAY = "threeway"


def align_command(
    origin: Annotated[
        str, typer.Argument(metavar="ORIGIN", help="What both were made from; - is stdin.")
    ],
    reference: Annotated[
        str, typer.Argument(metavar="REFERENCE", help="How it should have been edited.")
    ],
    candidate: Annotated[str, typer.Argument(metavar="CANDIDATE", help="How it was edited.")],
    by: Annotated[_By, typer.Option("--by", help="Align tokens, or whole lines.")] = _By.TOKEN,
    lcs: Annotated[
        _Lcs,
        typer.Option(
            "--lcs", help="Find what is kept in pairs, or exactly in all three (short texts)."
        ),
    ] = _Lcs.PAIRWISE,
    context: Annotated[
        int, typer.Option("--context", min=0, help="Lines shown above and below a region.")
    ] = 3,
    language: Annotated[
        str | None,
        typer.Option(
            "--language",
            "-l",
            help="The language of all three, or text for words; else by suffix, then by content.",
        ),
    ] = None,
    output: Annotated[
        _Format, typer.Option("--format", help="A view for people, JSON, or a page of HTML.")
    ] = _Format.TABLE,
    path: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="The HTML file to write.")
    ] = None,
    max_bytes: Annotated[
        int,
        typer.Option(
            "--max-bytes", min=1, help="Refuse longer texts, which may take minutes to align."
        ),
    ] = 300_000,
    color: ColorOption = Color.AUTO,
) -> None:
    """Show what a reference and a candidate did to their origin: alike, alone and differently."""
    if path is not None and output is not _Format.HTML:
        raise CodekinError("-o names the page of --format html; other formats go to stdout")
    texts = read_texts([origin, reference, candidate])
    for one in texts:
        if one.size > max_bytes:
            raise CodekinError(
                f"{one.name}: has {one.size:,} bytes; more than {max_bytes:,} may take minutes to "
                "align; see --max-bytes"
            )
    names = [one.name for one in texts]
    chosen = language or language_of_files(names)
    try:
        aligned = align_revisions(
            *(one.text for one in texts),
            language=chosen,
            by=by.value,
            lcs=lcs.value,
        )
    except CodekinError as error:
        advice = "--lcs threeway is for short texts; leave --lcs out"
        raise CodekinError(str(error).replace(_MORE_STEPS, advice)) from None
    view, scores = view_of(aligned, context=context), revision_scores(aligned)
    screen = console(color)
    if output is _Format.JSON:
        print_json(alignment_document(aligned, view, scores, names, [one.size for one in texts]))
    elif output is _Format.HTML and path is None:
        sys.stdout.write(page(aligned, view, scores, names))
    elif output is _Format.HTML and path is not None:
        write_page(page(aligned, view, scores, names), path)
        screen.print(f"Page: {path.resolve()}", soft_wrap=True)
    else:
        colors = screen.color_system is not None and not screen.no_color
        screen.print(whole_screen(view, scores, names, aligned.notes, screen.width, colors=colors))
