"""``codekin matrix``: how alike every two of many files are."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from codekin.cli.job_options import GroupsOption, MaxBytesOption, WorkersOption
from codekin.cli.output import Color, ColorOption, Format, FormatOption, console, print_json, say
from codekin.errors import CodekinError

if TYPE_CHECKING:
    from codekin.groups.matrix import SimilarityMatrix

__all__ = ["matrix_command"]

_ANY_WIDTH = 160
"""Of a file or a pipe, unless COLUMNS says how wide it is."""
_PAGE = Path("codekin-matrix.html")


def matrix_command(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILES",
            help="Files of code, and folders, of which every file with a known suffix is taken.",
            show_default=False,
        ),
    ] = None,
    measures: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            "-m",
            metavar="NAME",
            help="A similarity, with parameters if need be; kin by default.",
            show_default=False,
        ),
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold",
            "-t",
            metavar="SCORE",
            help="Join groups as long as their mean similarity is at least this; one standard "
            "deviation above the mean of all pairs by default.",
        ),
    ] = None,
    groups: GroupsOption = None,
    language: Annotated[
        str | None,
        typer.Option(
            "--language", "-l", help="The language of every file; else by suffix, then by content."
        ),
    ] = None,
    top: Annotated[
        int, typer.Option("--top", min=0, help="How many of the most alike pairs are printed.")
    ] = 10,
    output: Annotated[
        Path | None,
        typer.Option(
            "--html",
            "-o",
            metavar="FILE",
            help=f"The page to write; {_PAGE} by default, none with --format json.",
        ),
    ] = None,
    matrix_file: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the matrix as CSV, too.")
    ] = None,
    pairs_file: Annotated[
        Path | None,
        typer.Option("--pairs", metavar="FILE", help="Write every pair with its bounds as CSV."),
    ] = None,
    texts: Annotated[
        bool, typer.Option("--texts/--no-texts", help="Whether the page holds the code.")
    ] = True,
    max_bytes: MaxBytesOption = None,
    workers: WorkersOption = None,
    form: FormatOption = Format.TABLE,
    color: ColorOption = Color.AUTO,
) -> None:
    """Compare every file with every other one, and show which are alike: a heatmap, and groups."""
    from codekin.groups.code_files import MOST_BYTES, read_code_files
    from codekin.groups.matrix import DEFAULT_MEASURE, similarity_matrix
    from codekin.report.matrix_document import (
        check_csv,
        matrix_csv,
        matrix_document,
        pairs_csv,
        write_csv,
    )
    from codekin.report.matrix_page import check_page, write_page

    measure = _only(measures or [DEFAULT_MEASURE])
    page = _PAGE if output is None and form is Format.TABLE else output
    _check_apart(page, matrix_file, pairs_file)
    for path in (matrix_file, pairs_file):
        if path is not None:
            check_csv(path)
    read = read_code_files(files or [], language, max_bytes=max_bytes or MOST_BYTES)
    if page is not None:
        check_page(page, len(read.sources))
    if len(read.sources) < 2:
        raise CodekinError(_too_few(len(read.sources), read.unusable, read.passed_over))
    with _progress(color) as told:
        matrix = similarity_matrix(
            read.sources,
            measure,
            threshold=threshold,
            groups=groups,
            unusable=read.unusable,
            workers=workers,
            told=told,
        )
    if len(matrix.names) < 2:
        raise CodekinError(_too_few(len(matrix.names), dict(matrix.failures), 0))
    if page is not None:
        write_page(matrix, page, folder=read.folder, texts=texts)
    for path, text in ((matrix_file, matrix_csv), (pairs_file, pairs_csv)):
        if path is not None:
            write_csv(text(matrix), path)
    if form is Format.JSON:
        print_json(matrix_document(matrix))
    else:
        _print_tables(matrix, top, color)
        written = {"Page": page, "Matrix": matrix_file, "Pairs": pairs_file}
        for what, path in written.items():
            if path is not None:
                say(f"{what}: {path.resolve()}")


def _check_apart(*paths: Path | None) -> None:
    """Refuse to write two things to one file, the second over the first."""
    given = [path.resolve() for path in paths if path is not None]
    for path in given:
        if given.count(path) > 1 and (path.is_file() or not path.exists()):
            raise CodekinError(f"{path}: is asked for twice; give each output a file of its own")


def _only(measures: list[str]) -> str:
    """The one measure, since the last of several would silently win."""
    if len(measures) > 1:
        raise CodekinError(
            f"a matrix is by one measure, and here are {len(measures)}: {', '.join(measures)}; "
            "make a matrix by each"
        )
    return measures[0]


def _print_tables(matrix: SimilarityMatrix, top: int, color: Color) -> None:
    from codekin.report.matrix_tables import matrix_summary, matrix_tables

    screen = console(color)
    if not sys.stdout.isatty() and "COLUMNS" not in os.environ:
        screen.width = _ANY_WIDTH
    screen.print(matrix_tables(matrix, screen.width, top))
    for line in matrix_summary(matrix):
        screen.print(line, style="dim", markup=False, soft_wrap=True)


def _too_few(usable: int, reasons: dict[str, str], passed_over: int) -> str:
    one = "there is 1 file" if usable else "there is no file"
    if not reasons:
        more = f" ({passed_over:,} more have no suffix of a known language)" if passed_over else ""
        return f"{one} to compare{more}; name two or more, or a folder of them"
    name, reason = next(iter(sorted(reasons.items())))
    first = f"{len(reasons):,} could not be used, the first, {name}" if len(reasons) > 1 else name
    return f"{one} left to compare, and it takes two; {first}: {reason}"


@contextmanager
def _progress(color: Color) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on stderr that is told of pairs; nothing where stderr is no terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    screen = Console(stderr=True, no_color=True if color is Color.NEVER else None)
    with Progress(console=screen, transient=True) as bar:
        task = bar.add_task("pairs", total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)
