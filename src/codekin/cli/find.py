"""``codekin find``: where a snippet comes from, by an index of code."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from codekin.cli.inputs import read_texts
from codekin.cli.options import ResultOptions, command, complete_languages
from codekin.cli.output import Rendering, Texts, emit, tables
from codekin.errors import CodekinError

__all__ = ["find_command"]

FORMATS = ("table", "json", "csv")
_TOP = 20


@command(example="codekin find snippet.py --index code.index", formats=FORMATS)
def find_command(
    snippet: Annotated[
        str, typer.Argument(metavar="SNIPPET", help="File with the code to look for; - is stdin.")
    ],
    index: Annotated[
        Path | None,
        typer.Option("--index", metavar="FILE", help="The index; see codekin index add."),
    ] = None,
    language: Annotated[
        str | None,
        typer.Option(
            "--language",
            "-l",
            metavar="NAME",
            help="Language of the snippet (default: by its suffix, or detected).",
            autocompletion=complete_languages,
        ),
    ] = None,
    threshold: Annotated[
        float,
        typer.Option(
            "--threshold", metavar="X", help="Least share of the snippet that a place has."
        ),
    ] = 0.4,
    top: Annotated[
        int, typer.Option("--top", min=0, metavar="N", help="Print at most N places; 0 is all.")
    ] = _TOP,
    *,
    result: ResultOptions,
) -> None:
    """Find where a snippet comes from, in an index of code.

    Places that contain the snippet, or a part of it, are ranked by how much of it they have. Names
    and values may differ, some statements may be changed, and the snippet may be part of a longer
    function. A few loose lines are enough. The exit code is 1 if nothing is found.
    """
    from codekin.languages import language_of_file
    from codekin.scan.code_search import find_code

    if index is None:
        raise CodekinError("find: name the index with --index; make one with codekin index add")
    (text,) = read_texts([snippet])
    if language is None and snippet != "-" and (known := language_of_file(snippet)) is not None:
        language = known.name
    found = find_code(text.text, index, language=language, threshold=threshold, name=text.name)
    rendering = tables(found, grids=found.grids(top or None))
    texts: Texts = {"json": found.to_json, "csv": found.to_csv}
    emit(result, Rendering(texts, rendering.screen), warnings=found.warnings(), beside=True)
    if not found.places:
        raise typer.Exit(1)
