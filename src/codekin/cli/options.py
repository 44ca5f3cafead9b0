"""The options of the commands, each declared once, and the decorator that puts them together.

An option that several commands take is declared here, so that it has one spelling, one meaning and
one help text. Options that always occur together form a dataclass; a command takes it as one
parameter, and :func:`command` expands it into the options that typer sees.
"""

from __future__ import annotations

import inspect
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, get_args, get_type_hints

import typer

from codekin.errors import CodekinError

__all__ = [
    "DIAGRAM",
    "LISTING",
    "STATISTICS",
    "ByOption",
    "ClusterOption",
    "ColumnsOption",
    "CommandFunction",
    "DetailOption",
    "ExcludeOption",
    "FileBytesOption",
    "GroupsOption",
    "JobOptions",
    "LanguageOption",
    "LanguagesOption",
    "MeasureOption",
    "MeasuresOption",
    "MissingOption",
    "NoTextsOption",
    "PageOption",
    "PredictionOptions",
    "PrintOptions",
    "ReportOption",
    "ResultOptions",
    "RowsArgument",
    "SamplesOption",
    "SeedOption",
    "SystemOption",
    "WorkersOption",
    "command",
    "complete_languages",
    "folder_option",
    "only_measure",
    "threshold_option",
]

LISTING = ("table", "json")
STATISTICS = ("table", "json", "csv", "latex", "markdown", "html")
DIAGRAM = ("text", "svg", "html", "json", "dot", "graphml")
"""The formats of each kind of command; the first is for people, and the default."""

_SUFFIXES = {
    ".html": "html",
    ".htm": "html",
    ".json": "json",
    ".csv": "csv",
    ".sarif": "sarif",
    ".md": "markdown",
    ".tex": "latex",
    ".svg": "svg",
    ".dot": "dot",
    ".gv": "dot",
    ".graphml": "graphml",
}
_OF_FILES = (*_SUFFIXES, ".txt", ".jsonl")
"""Suffixes that no folder has."""


def _complete_measures(incomplete: str) -> list[str]:
    """Completions of the last measure in a list."""
    from codekin.measures import named_classes

    before, comma, last = incomplete.rpartition(",")
    names = [name for name in named_classes() if name.startswith(last.lower())]
    return [f"{before}{comma}{name}" for name in names]


def complete_languages(incomplete: str) -> list[str]:
    """Completions of the name of a language."""
    from codekin.languages import language_names

    return [name for name in language_names() if name.startswith(incomplete.lower())]


MeasuresOption = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        "-m",
        metavar="NAME,...",
        help="Measures, separated by commas or by repeating the option, with parameters if needed "
        "(bleu:order=2 or bleu:compat=sacrebleu), or your own as module:attribute (default: all).",
        autocompletion=_complete_measures,
        show_default=False,
    ),
]
MeasureOption = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        "-m",
        metavar="NAME",
        help="A similarity of two texts, with parameters if needed.",
        autocompletion=_complete_measures,
        show_default=False,
    ),
]
LanguageOption = Annotated[
    str | None,
    typer.Option(
        "--language",
        "-l",
        metavar="NAME",
        help="Language of every text (default: by file suffix, then by content).",
        autocompletion=complete_languages,
    ),
]
LanguagesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--languages",
        "-l",
        metavar="NAME,...",
        help="Only read files of these languages.",
        autocompletion=complete_languages,
    ),
]
ExcludeOption = Annotated[
    list[str] | None,
    typer.Option("--exclude", metavar="PATTERN", help="Leave out files, as in a .gitignore file."),
]
FileBytesOption = Annotated[
    int | None,
    typer.Option("--max-bytes", min=1, metavar="N", help="Skip longer files, and list them."),
]
WorkersOption = Annotated[
    int | None,
    typer.Option(
        "--workers", "-w", min=1, metavar="N", help="Worker processes (default: one per core)."
    ),
]
GroupsOption = Annotated[
    int | None,
    typer.Option("--groups", "-g", metavar="N", help="Number of groups, instead of a threshold."),
]


def threshold_option(default: str) -> Any:
    """The option ``--threshold`` of a command that makes groups, with its default in words."""
    return typer.Option(
        "--threshold",
        "-t",
        metavar="SCORE",
        help=f"Join two groups if their mean similarity is at least SCORE (default: {default}).",
    )


NoTextsOption = Annotated[
    bool, typer.Option("--no-texts", help="Leave the texts out of the output.")
]
SeedOption = Annotated[
    int, typer.Option("--seed", min=0, metavar="N", help="Seed of everything drawn at random.")
]
ClusterOption = Annotated[
    str | None,
    typer.Option("--cluster", metavar="FIELD", help="Take rows with the same FIELD as one unit."),
]
DetailOption = Annotated[
    bool,
    typer.Option("--detail", help="Also show other intervals, tests and effect sizes."),
]
ByOption = Annotated[
    str | None,
    typer.Option("--by", metavar="FIELD", help="Show a line for each value of FIELD, as group."),
]
SystemOption = Annotated[
    str,
    typer.Option(
        "--system", metavar="FIELD", help="The field that names the systems, such as model."
    ),
]
MissingOption = Annotated[
    str | None,
    typer.Option(
        "--missing",
        metavar="zero|skip",
        help="Count rows without a candidate as 0, or leave them out (default: as scored).",
    ),
]
SamplesOption = Annotated[
    str | None,
    typer.Option(
        "--samples",
        metavar="best|mean",
        help="Take several rows with one id as one, with their best or mean score.",
    ),
]
ColumnsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--columns",
        metavar="FIELD=NAME,...",
        help="Names of the fields in the input, such as candidate=pred,reference=gold; if they "
        "differ between files, 'candidate=pred|answer'.",
        show_default=False,
    ),
]
RowsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="ROWS",
        help="JSON lines (also .gz, .xz, .zst), CSV, Parquet, the results of a test harness, or a "
        "folder of them; - is stdin.",
        show_default=False,
    ),
]


def only_measure(words: Sequence[str] | None, default: str) -> str:
    """The measure of a command that takes a single one."""
    from codekin.measures import split_words

    names = split_words(words) if words else [default]
    if len(names) > 1:
        raise CodekinError(
            f"this command takes one measure, not {len(names)}: {', '.join(names)}; "
            "run it once for each"
        )
    return names[0]


def _page(path: Path) -> Path:
    """Refuse a file without the suffix of a page."""
    _format_of(path, ("html",))
    return path


PageOption = Annotated[
    Path,
    typer.Option("--output", "-o", metavar="FILE", help="HTML file to write.", callback=_page),
]


ReportOption = Annotated[
    Path | None,
    typer.Option(
        "--report",
        metavar="FILE",
        help="HTML page to write as well.",
        callback=lambda path: path if path is None else _page(path),
    ),
]


def _folder(path: Path | None) -> Path | None:
    """Refuse a new folder that is called like a file, which was most likely meant."""
    if path is not None and path.suffix.lower() in _OF_FILES and not path.is_dir():
        raise CodekinError(
            f"{path}: --output is a folder here, and this is the name of a file; name a folder, "
            f"such as {path.with_suffix('')}"
        )
    return path


def _run_folder(path: Path | None) -> Path | None:
    """Refuse the name of a file for a run, and say how to write the file from the run."""
    try:
        return _folder(path)
    except CodekinError as error:
        assert path is not None
        table = _SUFFIXES.get(path.suffix.lower(), "html") in set(STATISTICS) - {"html"}
        file = path if table else path.with_suffix(".html")
        words = ["codekin", "summarize" if table else "report", str(path.with_suffix(""))]
        raise CodekinError(f"{error}, and then: {shlex.join([*words, '-o', str(file)])}") from None


def folder_option(help_text: str) -> Any:
    """The option --output of a command that writes a folder.

    Parameters
    ----------
    help_text : str
        What the folder is.
    """
    return typer.Option("--output", "-o", metavar="FOLDER", help=help_text, callback=_folder)


@dataclass(frozen=True, kw_only=True)
class JobOptions:
    """How rows are scored into a run: the options of score and of most evaluate commands."""

    measures: MeasuresOption = None
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="RUN",
            help="Folder to write the run to (default: codekin-run for score; others keep none).",
            callback=_run_folder,
        ),
    ] = None
    resume: Annotated[
        Path | None,
        typer.Option("--resume", metavar="RUN", help="Resume an interrupted run."),
    ] = None
    columns: ColumnsOption = None
    language: Annotated[
        str | None,
        typer.Option(
            "--language",
            "-l",
            metavar="NAME",
            help="Language of rows without one.",
            autocompletion=complete_languages,
        ),
    ] = None
    workers: WorkersOption = None
    dask: Annotated[
        str | None,
        typer.Option(
            "--dask", metavar="WHERE", help="Score on Dask: local, or the address tcp://host:port."
        ),
    ] = None
    no_texts: NoTextsOption = False
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with code 1 if any row could not be scored.")
    ] = False


@dataclass(frozen=True, kw_only=True)
class PredictionOptions(JobOptions):
    """How rows are scored by measures that predict outcomes: the options of estimate and plan."""

    measures: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            "-m",
            metavar="NAME,...",
            help="Measures whose scores predict the outcomes, such as es for edits or kin for "
            "other code; needed for rows (default for a run: all that it was scored by).",
            autocompletion=_complete_measures,
            show_default=False,
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class PrintOptions:
    """How a result is printed; `formats` are those of the command."""

    format: Annotated[
        str | None,
        typer.Option("--format", help="Output format.", case_sensitive=False, show_default=False),
    ] = None
    formats: tuple[str, ...] = ()

    @property
    def path(self) -> Path | None:
        """The file to write; None for stdout."""
        return None

    @property
    def chosen(self) -> str:
        """The format to print or write."""
        return self.format or self.formats[0]

    def check(self) -> None:
        """Refuse an output that cannot be written, before the computation starts."""


@dataclass(frozen=True, kw_only=True)
class ResultOptions(PrintOptions):
    """Where a result goes, and in which format."""

    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="File to write; its suffix chooses the format unless --format does "
            "(default: stdout).",
        ),
    ] = None

    @property
    def path(self) -> Path | None:
        """The file to write; None for stdout."""
        return self.output

    @property
    def chosen(self) -> str:
        """The format from ``--format``, or from the suffix of the file, or the one for people."""
        if self.format is not None or self.output is None:
            return super().chosen
        return _format_of(self.output, self.formats)

    def check(self) -> None:
        """Refuse an unknown suffix, and a file that cannot or must not be written."""
        if self.output is not None:
            from codekin.cli.output import check_place

            check_place(self.output, self.chosen)


def _format_of(path: Path, formats: Sequence[str]) -> str:
    """The format of a file by its suffix, for a command with these formats."""
    if path.is_dir():
        raise CodekinError(f"{path}: is a folder; name a file")
    known = {suffix: name for suffix, name in _SUFFIXES.items() if name in formats}
    if formats[0] not in known.values():  # what is printed can be saved as text
        known[".txt"] = formats[0]
    suffix = path.suffix.lower()
    if suffix in known:
        return known[suffix]
    if suffix in _SUFFIXES:  # of other commands, so it is not misspelled
        raise CodekinError(
            f"{path}: this command does not write {_SUFFIXES[suffix]} (it writes: "
            f"{', '.join(known)})"
        )
    close = get_close_matches(suffix, known, n=1)
    hint = f"; did you mean {path.with_suffix(close[0]).name!r}?" if close else ""
    what = f"unknown suffix {path.suffix!r}" if suffix else "has no suffix to tell its format"
    more = "; --format writes to any file" if len(formats) > 1 else ""
    raise CodekinError(f"{path}: {what}{hint} (known: {', '.join(known)}{more})")


CommandFunction = Callable[..., None]


def command(
    *,
    example: str,
    formats: tuple[str, ...] = (),
    extra_words: bool = False,
    alone: Mapping[str, str] | None = None,
) -> Callable[[CommandFunction], CommandFunction]:
    """Expand the option dataclasses among a function's parameters, and describe its command.

    Parameters
    ----------
    example : str
        A command line, shown in the help.
    formats : tuple of str
        What ``--format`` takes; the first is the default.
    extra_words : bool
        Whether the command itself reports extra arguments.
    alone : mapping of str to str
        The values of options that can also be given without one.
    """

    def described(function: CommandFunction) -> CommandFunction:
        expanded = _expanded(function, formats)
        settings: dict[str, Any] = {"allow_extra_args": extra_words}
        expanded.__dict__.update(example=example, settings=settings, alone=alone or {})
        return expanded

    return described


def _expanded(function: CommandFunction, formats: tuple[str, ...]) -> CommandFunction:
    hints = get_type_hints(function, include_extras=True)
    kinds = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    parameters: dict[str, inspect.Parameter] = {}

    def declare(name: str, annotation: Any, default: Any) -> None:
        assert name not in parameters, f"{function.__name__} declares {name} twice"
        parameters[name] = inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
        )

    for parameter in inspect.signature(function).parameters.values():
        kind = kinds.get(parameter.name)
        if kind is None:
            declare(parameter.name, hints[parameter.name], parameter.default)
            continue
        for name, annotation, default in _options_of(kind, formats):
            declare(name, annotation, default)

    def run(**values: Any) -> None:
        given = {name: values.pop(name) for name in list(values) if name not in owners}
        for owner, kind in kinds.items():
            own = {name: values[name] for name in values if owners[name] == owner}
            given[owner] = _made(kind, own, formats)
        function(**given)

    owners = {
        name: owner for owner, kind in kinds.items() for name, *_ in _options_of(kind, formats)
    }
    run.__name__, run.__doc__, run.__module__ = (
        function.__name__,
        _flowing(function.__doc__ or ""),
        function.__module__,
    )
    run.__dict__["__signature__"] = inspect.Signature(list(parameters.values()))
    run.__annotations__ = {name: one.annotation for name, one in parameters.items()}
    return run


def _flowing(text: str) -> str:
    """A docstring with each paragraph on one line, which the help wraps as wide as it is.

    Examples
    --------
    >>> _flowing("Do it.\\n\\n    One\\n    line.\\n    ")
    'Do it.\\n\\nOne line.'
    """
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(" ".join(one.split("\n")) for one in paragraphs)


def _options_of(kind: Any, formats: tuple[str, ...]) -> list[tuple[str, Any, Any]]:
    """Name, annotation and default of each option in a dataclass."""
    hints = get_type_hints(kind, include_extras=True)
    found = []
    for one in fields(kind):
        annotation = hints[one.name]
        if len(get_args(annotation)) < 2 or not hasattr(annotation, "__metadata__"):
            continue  # not an option, but set by the command
        if one.name == "format":
            choice = StrEnum("Format", [(name.upper(), name) for name in formats])  # type: ignore[misc]
            annotation = Annotated[choice | None, annotation.__metadata__[0]]
        found.append((one.name, annotation, one.default))
    return found


def _made(kind: Any, values: dict[str, Any], formats: tuple[str, ...]) -> Any:
    made = kind(**values)
    if isinstance(made, PrintOptions):
        name = None if made.format is None else str(made.format)
        made = replace(made, format=name, formats=formats)
        made.check()
    return made
