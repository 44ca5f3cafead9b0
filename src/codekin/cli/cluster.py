"""``codekin cluster``: revisions of one file, grouped by similarity."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from codekin.cli.options import (
    GroupsOption,
    LanguageOption,
    MeasureOption,
    ResultOptions,
    WorkersOption,
    command,
    only_measure,
    threshold_option,
)
from codekin.cli.output import Rendering, Texts, emit, print_notes, widen
from codekin.errors import CodekinError

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["cluster_command"]

_ANY_WIDTH = 100_000
"""The width of a file or a pipe, unless COLUMNS is set."""


@command(
    example="codekin cluster file.py --patches patches/ -o groups.html",
    formats=("table", "json", "html"),
)
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
    measure: MeasureOption = None,
    threshold: Annotated[float | None, threshold_option("0.4")] = None,
    groups: GroupsOption = None,
    language: LanguageOption = None,
    workers: WorkersOption = None,
    *,
    result: ResultOptions,
) -> None:
    """Group revisions of one file, and show which to review first.

    The measure is es-token by default. The page shows a dendrogram, and each group with the diff
    of its medoid.
    """
    from codekin.groups.clustering import cluster_revisions
    from codekin.groups.code_files import read_revisions
    from codekin.report.render import terminal

    name = only_measure(measure, "es-token")
    revisions = read_revisions(origin, patched or [], language, patches=patches)
    if not revisions.sources:
        raise CodekinError(_nothing_left(revisions.unusable))
    clustering = cluster_revisions(
        revisions.origin,
        revisions.sources,
        measure=name,
        threshold=threshold,
        groups=groups,
        unusable=revisions.unusable,
        workers=workers,
    )
    clustering = replace(clustering, origin_name=str(origin))
    if not clustering.groups and not clustering.untouched:
        raise CodekinError(_nothing_left(dict(clustering.failures)))

    def screen(to: Console) -> None:
        widen(to, _ANY_WIDTH)
        for grid in clustering.grids():
            to.print(terminal(grid, to.width))
        print_notes(to, clustering.notes())

    texts: Texts = {"json": clustering.to_json, "html": clustering.to_html}
    emit(result, Rendering(texts, screen), beside=True)


def _nothing_left(reasons: dict[str, str]) -> str:
    name, reason = next(iter(sorted(reasons.items())))
    return f"none of {len(reasons)} revisions can be used; the first, {name}: {reason}"
