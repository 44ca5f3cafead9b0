"""``codekin cluster``: revisions of one file, grouped by similarity."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from codekin.cli.job_options import GroupsOption, WorkersOption
from codekin.cli.output import Color, ColorOption, Format, FormatOption, console, print_json
from codekin.errors import CodekinError

__all__ = ["cluster_command"]

_ANY_WIDTH = 100_000
"""Of a file or a pipe, which is as wide as it need be unless COLUMNS says how wide."""


def cluster_command(
    origin: Annotated[Path, typer.Argument(metavar="ORIGIN", help="The file that was revised.")],
    patched: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="PATCHED",
            help="Revised files, or patches (unified diffs).",
            show_default=False,
        ),
    ] = None,
    patches: Annotated[
        Path | None,
        typer.Option("--patches", metavar="FOLDER", help="A folder of .patch and .diff files."),
    ] = None,
    measure: Annotated[
        str,
        typer.Option(
            "--measure", "-m", metavar="NAME", help="A similarity, with parameters if need be."
        ),
    ] = "es-token",
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold",
            "-t",
            metavar="SCORE",
            help="Join groups as long as their mean similarity is at least this; 0.4 by default.",
        ),
    ] = None,
    groups: GroupsOption = None,
    language: Annotated[
        str | None,
        typer.Option(
            "--language", "-l", help="The language of every text; else the origin's suffix tells."
        ),
    ] = None,
    workers: WorkersOption = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", "-o", metavar="FILE", help="Write a page with a dendrogram, too."),
    ] = None,
    output: FormatOption = Format.TABLE,
    color: ColorOption = Color.AUTO,
) -> None:
    """Group revisions of one file by similarity, and show which of each group to review first."""
    from codekin.groups.clustering import cluster_revisions
    from codekin.groups.revisions import patches_in, read_revisions
    from codekin.report.clustering_document import clustering_document
    from codekin.report.clustering_page import check_page, write_page
    from codekin.report.clustering_tables import clustering_summary, clustering_table

    if html is not None:
        check_page(html)
    paths = [*(patched or []), *(patches_in(patches) if patches is not None else [])]
    revisions = read_revisions(origin, paths, language)
    if not revisions.sources:
        raise CodekinError(_nothing_left(revisions.unusable))
    clustering = cluster_revisions(
        revisions.origin,
        revisions.sources,
        measure=measure,
        threshold=threshold,
        groups=groups,
        unusable=revisions.unusable,
        workers=workers,
    )
    if not clustering.groups and not clustering.untouched:
        raise CodekinError(_nothing_left(dict(clustering.failures)))
    if html is not None:
        write_page(clustering, str(origin), html)
    if output is Format.JSON:
        print_json(clustering_document(clustering, str(origin)))
        return
    screen = console(color)
    if not sys.stdout.isatty() and "COLUMNS" not in os.environ:
        screen.width = _ANY_WIDTH
    screen.print(clustering_table(clustering, str(origin), screen.width))
    for line in clustering_summary(clustering):
        screen.print(line, style="dim", markup=False, soft_wrap=True)
    if html is not None:
        screen.print(f"Page: {html.resolve()}", markup=False, soft_wrap=True)


def _nothing_left(reasons: dict[str, str]) -> str:
    name, reason = next(iter(sorted(reasons.items())))
    return f"none of {len(reasons)} revisions can be used; the first, {name}: {reason}"
