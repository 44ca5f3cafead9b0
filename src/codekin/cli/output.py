"""Printing and writing: every command hands its result to :func:`emit`."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from codekin.cli.options import PrintOptions
from codekin.errors import CodekinError
from codekin.opening import open_file
from codekin.plain_text import plain

if TYPE_CHECKING:
    from codekin.results import Grid, Result

__all__ = [
    "Rendering",
    "Texts",
    "check_place",
    "console",
    "emit",
    "plain_lines",
    "print_notes",
    "print_tables",
    "progress",
    "say",
    "tables",
    "widen",
    "with_details",
    "write_text",
]

_ANY_WIDTH = 1_000_000
"""The width of a file or a pipe, where tables take what they need unless COLUMNS is set."""

_BEGINNINGS = {
    "text": ("flow IR of ", "control flow of ", "program dependence of ", "semantic graph of "),
    "svg": ("<svg",),
    "json": ("{", "["),
    "sarif": ("{",),
    "gitlab": ("[",),
    "dot": ("digraph",),
    "graphml": ("<?xml",),
}
"""How files of these formats begin; other files are not replaced."""
_OWN_SUFFIX = {"table": ".txt", "csv": ".csv", "markdown": ".md", "latex": ".tex"}
"""For formats without such a beginning, the suffix of files that may be replaced."""


class _PlainConsole(Console):
    """A console on which texts cannot move the cursor or set colours."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterator[Segment]:
        """The pieces to print, with control characters replaced."""
        for piece in super().render(renderable, options):
            if piece.control or piece.text.isprintable():
                yield piece
            else:
                yield Segment(plain_lines(piece.text), piece.style)


def plain_lines(text: str) -> str:
    """Lines with control characters replaced by their names."""
    return "\n".join(map(plain, text.split("\n")))


def console(file: io.StringIO | None = None) -> Console:
    """A console on stdout, where rich respects NO_COLOR and FORCE_COLOR, or on a text.

    Texts are printed literally: brackets are not markup, and control characters are replaced by
    their names.
    """
    texts_only: dict[str, Any] = {"highlight": False, "markup": False, "emoji": False}
    if file is not None:
        return _PlainConsole(file=file, force_terminal=False, no_color=True, **texts_only)
    return _PlainConsole(**texts_only)


def widen(screen: Console, width: int) -> None:
    """Make a file or a pipe this wide, unless COLUMNS is set."""
    if not screen.file.isatty() and "COLUMNS" not in os.environ:
        screen.width = width


def print_notes(screen: Console, notes: Iterable[str]) -> None:
    """Print lines about a table below it."""
    for note in notes:
        screen.print(note, style="dim", markup=False, soft_wrap=True)


def say(text: str, *, err: bool = False) -> None:
    """Print one or more lines, with control characters replaced by their names.

    Parameters
    ----------
    text : str
    err : bool
        Whether to print it on stderr.
    """
    typer.echo(plain_lines(text), err=err)


Texts = Mapping[str, Callable[[], str | bytes]]
"""A function per format that makes its text."""


@dataclass(frozen=True)
class Rendering:
    """A result in every format of its command, each made when needed.

    Attributes
    ----------
    texts : mapping
        A function for each format.
    screen : callable or None
        Prints the first format, which is for people; None if it is one of the texts.
    """

    texts: Texts
    screen: Callable[[Console], None] | None = None

    def text(self, name: str) -> str:
        """The result in a format, without colours."""
        if name in self.texts:
            made = self.texts[name]()
            return made.decode("utf-8") if isinstance(made, bytes) else made
        assert self.screen is not None
        lines = io.StringIO()
        self.screen(console(file=lines))
        return lines.getvalue()


def emit(
    options: PrintOptions,
    rendering: Rendering,
    *,
    warnings: Sequence[str] = (),
    beside: bool = False,
) -> None:
    """Print a result, or write it to a file, in the chosen format.

    Parameters
    ----------
    options : PrintOptions
    rendering : Rendering
    warnings : sequence of str
        They go to stderr, whatever the format.
    beside : bool
        Whether to print the form for people even if another one is written to a file.
    """
    for warning in warnings:
        say(f"codekin: {warning}", err=True)
    name, path = options.chosen, options.path
    if path is not None:
        write_text(rendering.text(name), path, name)  # first: whoever reads the rest may stop
        if beside and rendering.screen is not None and name != options.formats[0]:
            rendering.screen(console())
        say(f"Written: {path.resolve()}")
    elif name in rendering.texts or rendering.screen is None:
        sys.stdout.write(rendering.text(name))
    else:
        rendering.screen(console())


def print_tables(
    to: Console,
    result: Result,
    *,
    grids: Sequence[Grid] | None = None,
    notes: Sequence[str] | None = None,
) -> None:
    """Print the tables and notes of a result, or others, to a terminal, and its conclusion last."""
    from codekin.report.render import terminal

    widen(to, _ANY_WIDTH)
    for grid in result.grids() if grids is None else grids:
        to.print(terminal(grid, to.width))
    for note in result.notes() if notes is None else notes:
        to.print(note, style="dim", markup=False)
    conclusion = result.conclusion()
    for i, sentence in enumerate(("", *conclusion) if conclusion else ()):
        to.print(sentence, style="bold" if i == 1 else "", markup=False)


def tables(
    result: Result, *, grids: Sequence[Grid] | None = None, notes: Sequence[str] | None = None
) -> Rendering:
    """The rendering of a result that consists of tables with notes.

    Parameters
    ----------
    result : Result
    grids, notes : sequences, optional
        Shown instead of those of the result; a page shows the whole result.
    """
    grids = result.grids() if grids is None else grids
    notes = result.notes() if notes is None else notes

    def screen(to: Console) -> None:
        print_tables(to, result, grids=grids, notes=notes)

    def latex() -> str:
        from codekin.report.render import latex_of

        return latex_of(grids, notes, result.conclusion())

    def markdown() -> str:
        from codekin.report.render import markdown_of

        return markdown_of(grids, notes, result.conclusion())

    texts = {
        "json": result.to_json,
        "csv": result.to_csv,
        "latex": latex,
        "markdown": markdown,
        "html": result.to_html,
    }
    return Rendering(texts, screen)


def with_details(result: Result, detail: bool) -> Rendering:
    """The rendering of a result, with the columns for those who ask for details or without."""
    grids = [grid.detailed() for grid in result.grids()] if detail else None
    return tables(result, grids=grids)


def check_place(path: Path, name: str) -> None:
    """Refuse to write to a folder, or to replace a file of another format."""
    from codekin.report import page_file

    if name == "html":
        page_file.check_place(path)
        return
    page_file.check_folder(path)
    if not path.is_file():
        return
    if name in _OWN_SUFFIX:
        if path.suffix.lower() != _OWN_SUFFIX[name]:
            raise CodekinError(
                f"{path}: exists and is not a {_OWN_SUFFIX[name]} file, so it is not replaced"
            )
        return
    beginnings = _BEGINNINGS[name]
    with open_file(path, typed=True) as stream:
        head = stream.read(max(map(len, beginnings))).decode("latin-1").lower()
    if head and not head.startswith(tuple(one.lower() for one in beginnings)):
        raise CodekinError(
            f"{path}: exists and was not written by codekin as {name}, so it is not replaced; name "
            "another file"
        )


def write_text(text: str, path: Path, name: str) -> None:
    """Write a file in a format, completely or not at all."""
    from codekin.report.page_file import replacing

    check_place(path, name)
    with replacing(path) as stream:
        stream.write(text.encode("utf-8", "backslashreplace"))


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on stderr, called with the number done and the total.

    Nothing is shown if stderr is not a terminal.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda done, of: None
        return
    from rich.progress import Progress

    screen = Console(stderr=True)
    with Progress(console=screen, transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)
