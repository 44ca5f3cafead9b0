"""``codekin abstract``: a program without the names that people chose."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from codekin.cli.inputs import read_inputs
from codekin.cli.options import LanguageOption, PrintOptions, command
from codekin.cli.output import Rendering, console, emit, say
from codekin.errors import CodekinError

if TYPE_CHECKING:
    from rich.console import Console

    from codekin.rewrite.abstraction import Vocabulary

__all__ = ["AbstractionLevel", "AbstractionOption", "DropImportsOption", "abstract_command"]


class AbstractionLevel(StrEnum):
    """The levels of abstraction."""

    ZERO = "0"
    ONE = "1"
    TWO = "2"
    THREE = "3"
    ABS = "abs"
    OVER = "over"


AbstractionOption = Annotated[
    AbstractionLevel,
    typer.Option(
        "--level",
        help="0: without comments and package line; 1: also variables and declared types; "
        "2: also other types; 3: also calls; abs: variables, types and the function's own name; "
        "over: kinds of syntax alone.",
    ),
]
DropImportsOption = Annotated[
    bool, typer.Option("--drop-imports", help="Also remove imports at the top of the text.")
]


@command(example="codekin abstract Copy.java --level 2", formats=("table", "text", "html"))
def abstract_command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Code to abstract; - is stdin.")],
    level: AbstractionOption = AbstractionLevel.ONE,
    language: LanguageOption = None,
    drop_imports: DropImportsOption = False,
    vocabulary: Annotated[
        Path | None,
        typer.Option(
            "--vocabulary",
            metavar="CORPUS",
            help="Abstracted corpus whose names are used for types and calls.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="File to write the abstracted text to, or a page if it ends in .html.",
        ),
    ] = None,
    *,
    printing: PrintOptions,
) -> None:
    """Replace the names of a program by numbered ones, and show the change.

    Without --output, the text and its abstraction are shown side by side; --format text prints
    the abstraction alone.
    """
    from codekin.report.abstraction_change import change_screen
    from codekin.rewrite.abstraction import abstract

    chosen = _format(printing, output)
    if output is not None:
        _check_output(output, file, chosen)
    (read,) = read_inputs([file], language)
    words = None if vocabulary is None else _vocabulary(vocabulary)
    done = abstract(read.source, level.value, drop_imports=drop_imports, vocabulary=words)
    if problems := read.source.problems:
        say(
            f"codekin: {read.name}: did not parse at {problems[0]}; it is abstracted as read",
            err=True,
        )

    def screen(to: Console) -> None:
        colors = to.color_system is not None and not to.no_color
        to.print(change_screen(read.source.text, done, read.name, to.width, colors=colors))

    def page() -> str:
        return done.to_html(name=read.name)

    if output is None:
        emit(printing, Rendering({"text": lambda: done.text, "html": page}, screen))
        return
    from codekin.report.page_file import replacing

    if chosen != "html":
        screen(console())
    with replacing(output) as stream:
        text = page() if chosen == "html" else done.text
        stream.write(text.encode("utf-8", "surrogatepass"))
    say(f"Written: {output.resolve()}")


def _format(printing: PrintOptions, output: Path | None) -> str:
    """The format by ``--format``, then by the suffix of the file."""
    if printing.format is not None or output is None:
        return printing.chosen
    return "html" if output.suffix.lower() in {".html", ".htm"} else "text"


def _check_output(output: Path, file: str, chosen: str) -> None:
    """Refuse a place where the text cannot be written, before anything is computed."""
    from codekin.report.page_file import check_folder, check_place

    if chosen == "html":
        check_place(output)
        return
    check_folder(output)
    if file != "-" and output.exists() and output.resolve() == Path(file).resolve():
        raise CodekinError(f"{output}: is the text to abstract, so it is not replaced")


def _vocabulary(path: Path) -> Vocabulary:
    from codekin.corpora.corpus import load_corpus
    from codekin.rewrite.abstraction import Vocabulary

    return Vocabulary.from_mapping(load_corpus(path).vocabulary)
