"""The argument and the options of commands that read or write a corpus."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from codekin.cli.options import LanguageOption, folder_option
from codekin.cli.output import say
from codekin.cli.scoring_job import column_names
from codekin.errors import CodekinError

if TYPE_CHECKING:
    from codekin.corpora.corpus import Corpus
    from codekin.corpora.table_fields import NamedColumns

__all__ = [
    "CorpusArgument",
    "CorpusOutput",
    "ReadingOptions",
    "check_output",
    "pair_count",
    "read",
    "write",
]

CorpusArgument = Annotated[
    Path,
    typer.Argument(
        metavar="CORPUS", help="Folder of a corpus, a file of snippets, or data in a known form."
    ),
]
ColumnsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--columns",
        metavar="FIELD=NAME,...",
        help="Columns of a table that have other names, such as code=func or label=same.",
    ),
]
CorpusOutput = Annotated[Path, folder_option("Folder to write the corpus to.")]


@dataclass(frozen=True, kw_only=True)
class ReadingOptions:
    """How a corpus is read where codekin did not write it."""

    form: Annotated[
        str | None,
        typer.Option("--form", metavar="NAME", help="Form of the data (default: recognized)."),
    ] = None
    pairs: Annotated[
        Path | None,
        typer.Option("--pairs", metavar="FILE", help="File of pairs: id1, id2, label."),
    ] = None
    files: Annotated[
        Path | None,
        typer.Option(
            "--files", metavar="PATH", help="Whole files that the snippets were cut out of."
        ),
    ] = None
    language: LanguageOption = None
    columns: ColumnsOption = None


def read(
    path: Path,
    options: ReadingOptions | None = None,
    *,
    columns: NamedColumns | None = None,
    quiet: bool = False,
) -> Corpus:
    """The corpus of a path; how other data than codekin's own were read is said first.

    Parameters
    ----------
    path : Path
    options : ReadingOptions, optional
    columns : NamedColumns, optional
        In place of those of the options, where another input has some of them.
    quiet : bool
        Whether the command itself says what the steps of the corpus noted.
    """
    from codekin.corpora.corpus import is_corpus
    from codekin.corpora.reading import read_corpus

    options = options or ReadingOptions()
    given = None if options.columns is None else column_names(options.columns)
    corpus = read_corpus(
        path,
        form=options.form,
        pairs=options.pairs,
        language=options.language,
        files=options.files,
        columns=given if columns is None else columns,
    )
    now = corpus.steps if not is_corpus(path) else corpus.steps[-1:] if options.pairs else ()
    if not quiet:
        for step in now:
            for note in step.remarks():
                say(f"codekin: {note}", err=True)
    return corpus


def write(corpus: Corpus, path: Path, *, quiet: bool = False, remarks: bool = True) -> None:
    """Write a corpus, and say what it is; on stderr where stdout is for another program."""
    corpus.save(path)
    step = corpus.steps[-1]
    for note in step.remarks() if remarks else ():
        say(f"codekin: {note}", err=True)
    counts = ", ".join(f"{value:,} {name}" for name, value in step.after.items())
    say(f"Written: {path.resolve()} ({counts})", err=quiet)


def check_output(path: Path) -> None:
    """Refuse a folder that cannot be written, before anything long is computed."""
    from codekin.corpora.corpus import check_free

    check_free(path)
    folder = path.resolve().parent
    if not folder.is_dir():
        raise CodekinError(f"{path}: the folder that it would be in does not exist")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise CodekinError(f"{path}: {folder} is not writable; name another folder")


def pair_count(text: str, *, none: bool = False) -> int | None:
    """The number of pairs that an option names; None for all of them.

    Parameters
    ----------
    text : str
    none : bool
        Whether ``none`` is allowed, which means 0.
    """
    word = text.strip().lower()
    if word == "all":
        return None
    if none and word == "none":
        return 0
    try:
        number = int(word.replace("_", ""))
    except ValueError:
        number = 0
    if number < 2:
        known = "a number from 2, all or none" if none else "a number from 2, or all"
        raise CodekinError(f"--size: cannot read {text!r}; write {known}")
    return number
