"""``codekin matrix``: how similar every two of many files are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from codekin.cli.options import (
    GroupsOption,
    LanguageOption,
    MeasureOption,
    NoTextsOption,
    ResultOptions,
    WorkersOption,
    command,
    only_measure,
    threshold_option,
)
from codekin.cli.output import (
    Rendering,
    Texts,
    check_place,
    emit,
    print_notes,
    progress,
    say,
    widen,
    write_text,
)
from codekin.errors import CodekinError

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["matrix_command"]

_ANY_WIDTH = 160
"""The width of a file or a pipe, unless COLUMNS is set."""
_PAGE = Path("codekin-matrix.html")


@command(
    example="codekin matrix submissions/ -o matrix.html",
    formats=("table", "json", "csv", "html"),
)
def matrix_command(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILES",
            help="Files of code, or folders, whose files with a known suffix are included.",
            show_default=False,
        ),
    ] = None,
    measure: MeasureOption = None,
    threshold: Annotated[
        float | None,
        threshold_option("well above the mean of all pairs"),
    ] = None,
    groups: GroupsOption = None,
    language: LanguageOption = None,
    top: Annotated[
        int, typer.Option("--top", min=0, metavar="N", help="Print the N most similar pairs.")
    ] = 10,
    matrix_file: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Also write the matrix as CSV.")
    ] = None,
    pairs_file: Annotated[
        Path | None,
        typer.Option("--pairs", metavar="FILE", help="Also write every pair with bounds as CSV."),
    ] = None,
    no_texts: NoTextsOption = False,
    workers: WorkersOption = None,
    *,
    result: ResultOptions,
) -> None:
    """Compare every file with every other one: a heatmap, and groups.

    The measure is kin by default. Unless --format or --output says otherwise, the page
    codekin-matrix.html is written beside the table. To look for copies among the submissions of a
    class, use codekin scan --submissions.
    """
    from codekin.groups.code_files import read_code_files
    from codekin.groups.similarity_matrix import DEFAULT_MEASURE, similarity_matrix
    from codekin.report.matrix_page import check_size
    from codekin.report.render import csv_of, terminal

    name = only_measure(measure, DEFAULT_MEASURE)
    if result.output is None and result.format is None:
        result = replace(result, output=_PAGE)
        result.check()
    _check_apart(result.output, matrix_file, pairs_file)
    for path in (matrix_file, pairs_file):
        if path is not None:
            check_place(path, "csv")
    read = read_code_files(files or [], language)
    if result.chosen == "html":
        check_size(len(read.sources))
    unusable = read.unusable | read.hidden
    if len(read.sources) < 2:
        raise CodekinError(_too_few(len(read.sources), unusable, read.passed_over))
    with progress("pairs") as draw:
        matrix = similarity_matrix(
            read.sources,
            name,
            threshold=threshold,
            groups=groups,
            unusable=unusable,
            workers=workers,
            report=draw,
        )
    if len(matrix.names) < 2:
        raise CodekinError(_too_few(len(matrix.names), dict(matrix.failures), 0))

    def screen(to: Console) -> None:
        widen(to, _ANY_WIDTH)
        for grid in matrix.grids(top):
            to.print(terminal(grid, to.width))
        print_notes(to, matrix.notes())

    formats: Texts = {
        "json": matrix.to_json,
        "csv": matrix.to_csv,
        "html": lambda: matrix.to_html(folder=read.folder, texts=not no_texts),
    }
    emit(result, Rendering(formats, screen), beside=True)
    more = (("Matrix", matrix_file, matrix.table), ("Pairs", pairs_file, matrix.pairs_table))
    for what, path, table in more:
        if path is not None:
            write_text(csv_of(table()), path, "csv")
            if result.output is not None:  # otherwise the result itself is on stdout
                say(f"{what}: {path.resolve()}")


def _check_apart(*paths: Path | None) -> None:
    """Refuse to write two outputs to one file."""
    given = [path.resolve() for path in paths if path is not None]
    for path in given:
        if given.count(path) > 1 and (path.is_file() or not path.exists()):
            raise CodekinError(f"{path}: is given twice; give each output its own file")


def _too_few(usable: int, reasons: dict[str, str], passed_over: int) -> str:
    one = "there is 1 file" if usable else "there is no file"
    if not reasons:
        more = f" ({passed_over:,} more have no suffix of a known language)" if passed_over else ""
        return f"{one} to compare{more}; name two or more, or a folder of them"
    name, reason = next(iter(sorted(reasons.items())))
    first = f"{len(reasons):,} could not be used, the first, {name}" if len(reasons) > 1 else name
    return f"{one} left to compare, but it takes two; {first}: {reason}"
