"""``codekin scan``: clones in files and folders of code."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from codekin.cli.options import ResultOptions, command, complete_languages
from codekin.cli.output import Rendering, Texts, check_place, emit, progress, say, widen

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["scan_command"]

FORMATS = ("table", "json", "csv", "sarif", "gitlab")
_ANY_WIDTH = 160
"""The width of a file or a pipe, unless COLUMNS is set."""


@command(example="codekin scan src/ -o clones.csv", formats=FORMATS)
def scan_command(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATHS",
            help="Files of code, or folders, whose files with a known suffix are scanned.",
            show_default=False,
        ),
    ],
    languages: Annotated[
        list[str] | None,
        typer.Option(
            "--languages",
            "-l",
            metavar="NAME,...",
            help="Only scan files of these languages.",
            autocompletion=complete_languages,
        ),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(
            "--exclude", metavar="PATTERN", help="Leave out files, as in a .gitignore file."
        ),
    ] = None,
    min_lines: Annotated[
        int, typer.Option("--min-lines", min=1, metavar="N", help="Fewest lines of a clone.")
    ] = 6,
    fast: Annotated[
        bool,
        typer.Option("--fast", help="Compare only tokens; finds fewer rewritten clones."),
    ] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="Include ignored, vendored and generated files.")
    ] = False,
    max_bytes: Annotated[
        int | None,
        typer.Option("--max-bytes", min=1, metavar="N", help="Skip longer files, and list them."),
    ] = None,
    top: Annotated[
        int, typer.Option("--top", min=0, metavar="N", help="Print at most N classes; 0 is all.")
    ] = 20,
    show: Annotated[
        bool, typer.Option("--show", help="Print the code of each class side by side.")
    ] = False,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            "-w",
            min=0,
            metavar="N",
            help="Worker processes (default: one per core if there is much code); 0 is none.",
        ),
    ] = None,
    baseline: Annotated[
        Path | None,
        typer.Option(
            "--baseline",
            metavar="FILE",
            help="Exit with code 1 only if there are clones that this file does not have.",
        ),
    ] = None,
    write_baseline: Annotated[
        Path | None,
        typer.Option("--write-baseline", metavar="FILE", help="Write the clones for --baseline."),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(
            "--since",
            metavar="REV",
            help="Exit with code 1 only if clones have lines changed since a git revision.",
        ),
    ] = None,
    max_duplication: Annotated[
        str | None,
        typer.Option(
            "--max-duplication",
            metavar="PERCENT",
            help="Exit with code 1 if more lines are duplicated, such as 5%.",
        ),
    ] = None,
    *,
    result: ResultOptions,
) -> None:
    """Find clones in files and folders of code.

    Copies are found whether their names, values or some statements were changed. What .gitignore
    and .codekinignore files name is left out, and so is vendored and generated code. The exit code
    is 1 if a limit is exceeded or clones are new, by --baseline, --since or --max-duplication.
    """
    from codekin.report.scan_terminal import print_scan
    from codekin.scan.baseline import CloneBaseline
    from codekin.scan.gate import scan_gate, share_of_percentage
    from codekin.scan.git_changes import changed_lines
    from codekin.scan.scanned_files import MAX_BYTES
    from codekin.scan.scanning import scan_paths

    if write_baseline is not None:
        check_place(write_baseline, "json")
        if baseline is not None and baseline.resolve() == write_baseline.resolve():
            baseline = None  # it is replaced
    limit = None if max_duplication is None else share_of_percentage(max_duplication)
    known = None if baseline is None else CloneBaseline.read(baseline)
    changes = None if since is None else changed_lines(since, paths)
    with progress("reading", result.color) as draw:
        scan = scan_paths(
            paths,
            languages=[one for words in languages or () for one in words.split(",") if one],
            exclude=exclude or (),
            min_lines=min_lines,
            fast=fast,
            everything=everything,
            max_bytes=max_bytes or MAX_BYTES,
            workers=workers,
            report=draw,
        )

    gate = scan_gate(scan, max_duplication=limit, baseline=known, changes=changes)

    def screen(to: Console) -> None:
        widen(to, _ANY_WIDTH)
        print_scan(to, scan, top=top or None, show=show, new=gate.new)

    texts: Texts = {
        "json": scan.to_json,
        "csv": scan.to_csv,
        "sarif": lambda: scan.to_sarif(new=gate.new),
        "gitlab": scan.to_gitlab,
    }
    emit(result, Rendering(texts, screen), beside=True)
    if write_baseline is not None:
        CloneBaseline.of(scan).write(write_baseline)
        say(f"Written: {write_baseline.resolve()}", err=True)
    for failure in gate.failures:
        say(f"codekin: {failure}", err=True)
    if not gate.passed:
        raise typer.Exit(1)
