"""``codekin scan``: clones in files and folders of code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from codekin.cli.options import (
    ExcludeOption,
    FileBytesOption,
    LanguagesOption,
    ResultOptions,
    command,
)
from codekin.cli.output import (
    Rendering,
    Texts,
    check_place,
    emit,
    progress,
    say,
    tables,
    widen,
    write_text,
)
from codekin.errors import CodekinError, suggestion

if TYPE_CHECKING:
    from rich.console import Console

    from codekin.scan.baseline import CloneBaseline
    from codekin.scan.git_changes import ChangedLines
    from codekin.scan.scan_config import ScanConfig
    from codekin.scan.scan_result import Scan

__all__ = ["scan_command"]

FORMATS = ("table", "json", "csv", "html", "sarif", "gitlab")
_FORMATS_OF_STUDENTS = ("table", "json", "csv", "html")
_OF_CLASSES = (
    *("--template", "--old", "--suspicious", "--pair", "--dates", "--hide-names", "--names"),
    *("--max-student-bytes", "--max-class-bytes"),
)
_TOP = 20
_ANY_WIDTH = 160
"""The width of a file or a pipe, unless COLUMNS is set."""
_ALL = "all"
"""The value of --show without one."""


@dataclass(frozen=True, kw_only=True)
class ClassOptions:
    """What is compared with ``--submissions``, and how."""

    submissions: Annotated[
        list[Path] | None,
        typer.Option(
            "--submissions",
            metavar="FOLDER",
            help="Rank pairs of students by what they share: one file, folder or archive per "
            "student; can be repeated.",
        ),
    ] = None
    template: Annotated[
        list[Path] | None,
        typer.Option(
            "--template",
            metavar="PATH",
            help="Starter code, which does not count; can be repeated.",
        ),
    ] = None
    old: Annotated[
        list[Path] | None,
        typer.Option(
            "--old",
            metavar="FOLDER",
            help="Submissions of earlier years, which the class is compared with; can be repeated.",
        ),
    ] = None
    level: Annotated[
        float | None,
        typer.Option(
            "--suspicious", metavar="X", help="How unusual a suspicious pair is (default: 5)."
        ),
    ] = None
    pair: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--pair",
            metavar="STUDENT STUDENT",
            help="Show what two students share, and nobody else.",
        ),
    ] = None
    dates: Annotated[
        list[Path] | None,
        typer.Option(
            "--dates",
            metavar="FILE",
            help="When students handed in: CSV with the columns student and date (default: the "
            "dates in zip files); can be repeated.",
        ),
    ] = None
    hide_names: Annotated[
        bool, typer.Option("--hide-names", help="Call students Student 1, Student 2 and so on.")
    ] = False
    names: Annotated[
        Path | None,
        typer.Option("--names", metavar="FILE", help="With --hide-names, write who is who as CSV."),
    ] = None
    student_bytes: Annotated[
        int | None,
        typer.Option(
            "--max-student-bytes",
            min=1,
            metavar="N",
            help="Leave out students with more code, and name them (default: 10,000,000).",
        ),
    ] = None
    class_bytes: Annotated[
        int | None,
        typer.Option(
            "--max-class-bytes",
            min=1,
            metavar="N",
            help="Leave out students beyond this much code of all (default: 200,000,000).",
        ),
    ] = None


@command(example="codekin scan src/ -o clones.csv", formats=FORMATS, alone={"--show": _ALL})
def scan_command(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="PATHS",
            help="Files of code, or folders, whose files with a known suffix are scanned.",
            show_default=False,
        ),
    ] = None,
    languages: LanguagesOption = None,
    exclude: ExcludeOption = None,
    min_lines: Annotated[
        int | None,
        typer.Option(
            "--min-lines", min=1, metavar="N", help="Fewest lines of code of a clone (default: 6)."
        ),
    ] = None,
    min_tokens: Annotated[
        int | None,
        typer.Option("--min-tokens", min=0, metavar="N", help="Fewest tokens of a clone."),
    ] = None,
    types: Annotated[
        list[str] | None,
        typer.Option(
            "--type",
            metavar="T1,...",
            help="Only find clones of these types, such as T1,T2 for exact and renamed copies.",
        ),
    ] = None,
    fast: Annotated[
        bool | None,
        typer.Option("--fast/--no-fast", help="Compare only tokens; finds fewer rewritten clones."),
    ] = None,
    everything: Annotated[
        bool | None,
        typer.Option(
            "--all/--no-all", help="Include ignored, hidden, vendored and generated files."
        ),
    ] = None,
    max_bytes: FileBytesOption = None,
    top: Annotated[
        int | None,
        typer.Option(
            "--top",
            min=0,
            metavar="N",
            help="Print at most N classes or pairs (default: 20); 0 is all.",
        ),
    ] = None,
    sort: Annotated[
        str | None,
        typer.Option(
            "--sort",
            metavar="saved|lines|copies|score|path",
            help="Order of the classes that are printed (default: the lines that they would save).",
        ),
    ] = None,
    show: Annotated[
        str | None,
        typer.Option(
            "--show",
            metavar="[N]",
            help="Print code side by side: for all classes that are printed, or the first N.",
        ),
    ] = None,
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
    index: Annotated[
        Path | None,
        typer.Option(
            "--index",
            metavar="FILE",
            help="Keep what was parsed in this file; only changed code is parsed again.",
        ),
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(
            "--dask", metavar="WHERE", help="Parse on Dask: local, or the address tcp://host:port."
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
            help="Exit with code 1 if more lines of code are duplicated, such as 5%.",
        ),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(
            "--config",
            metavar="FILE",
            help="Options from this file (default: harmless ones of the nearest codekin.toml or "
            "pyproject.toml).",
        ),
    ] = None,
    no_config: Annotated[
        bool, typer.Option("--no-config", help="Do not read options from a file.")
    ] = False,
    *,
    students: ClassOptions,
    result: ResultOptions,
) -> None:
    """Find clones in folders of code, or copies among submissions.

    Copies are found whether their names, values or some statements were changed. What .gitignore
    and .codekinignore files name is left out, and so is vendored and generated code. The exit code
    is 1 if a limit is exceeded or clones are new, by --baseline, --since or --max-duplication.
    Options can be kept in the table tool.codekin.scan of pyproject.toml, or scan of codekin.toml;
    the command line wins. Without --config, only harmless ones count.
    With --submissions, pairs of students are ranked by how unusually much code they share; no
    file of options is read.
    """
    given = {
        "paths": paths or None,
        "languages": _listed(languages),
        "exclude": exclude or None,
        "min-lines": min_lines,
        "min-tokens": min_tokens,
        "type": _listed(types),
        "fast": fast,
        "all": everything,
        "max-bytes": max_bytes,
        "top": top,
        "sort": sort,
        "show": show,
        "workers": workers,
        "index": index,
        "baseline": baseline,
        "since": since,
        "max-duplication": max_duplication,
    }
    if students.submissions:
        more = {"dask": dask, "write-baseline": write_baseline, "config": config}
        of_a_scan = {**given, **more, "no-config": no_config or None}
        wrong = [
            "PATHS" if name == "paths" else f"--{name}"
            for name, value in of_a_scan.items()
            if value is not None and name not in ("max-bytes", "top")
        ]
        if wrong:
            raise CodekinError(
                f"scan: {', '.join(wrong)} cannot be given with --submissions; see codekin scan -h"
            )
        _compare_submissions(students, max_bytes, top, result)
        return
    _refuse(students)
    from codekin.cli.scoring_job import executor_at
    from codekin.report.clones_terminal import print_scan
    from codekin.scan.baseline import CloneBaseline
    from codekin.scan.gate import scan_gate
    from codekin.scan.loosening import loosenings
    from codekin.scan.store import CodeIndex

    options, found = _with_config(given, config, no_config)
    order, shown = _order(options), _count_of(options.get("show", 0))
    limit, known, changes = _gates(options, write_baseline)
    where = options.get("paths", ())
    kept = None if "index" not in options else CodeIndex(options["index"], create=True)
    count = workers if dask is not None else options.get("workers")
    typed = limit is not None and "max-duplication" not in found.options
    with progress("reading") as draw, executor_at(dask, count) as place:
        scan = _scan_with(options, index=kept, report=draw, **place)
        if typed or (known, changes) != (None, None):
            again = partial(_scan_with, report=draw, **place)
            scan = replace(scan, loosened=loosenings(scan, options, found, again))
    gated = (limit, known, changes) != (None, None, None)
    nothing = _nothing_found(scan, where, options.get("languages", ()), gated=gated)
    gate = scan_gate(scan, max_duplication=limit, baseline=known, changes=changes)

    def screen(to: Console) -> None:
        widen(to, _ANY_WIDTH)
        most = options.get("top", _TOP) or None
        print_scan(to, scan, top=most, show=shown, order=order, new=gate.new)

    texts: Texts = {
        "json": scan.to_json,
        "csv": scan.to_csv,
        "html": lambda: scan.to_html(new=gate.new),
        "sarif": lambda: scan.to_sarif(new=gate.new),
        "gitlab": scan.to_gitlab,
    }
    warnings = [line for lines in found.not_honoured.values() for line in lines]
    warnings += [*(() if kept is None else kept.problems), *nothing]
    warnings += [] if changes is None else changes.notes()
    if result.path is None and result.chosen != "table":  # which has them among its notes
        warnings += map(str, scan.loosened)
    if write_baseline is not None:
        CloneBaseline.of(scan).write(write_baseline)
        say(f"Written: {write_baseline.resolve()}", err=True)
    emit(result, Rendering(texts, screen), warnings=warnings, beside=True)
    for failure in gate.failures:
        say(f"codekin: {failure}", err=True)
    if not gate.passed:
        raise typer.Exit(1)


def _listed(words: Sequence[str] | None) -> list[str] | None:
    """What was given by a repeated option, or separated by commas; None if nothing was."""
    return [name for word in words or () for name in word.split(",") if name] or None


def _order(options: Mapping[str, Any]) -> str:
    from codekin.report.clones_terminal import ORDERS

    order: str = options.get("sort", "saved")
    if order not in ORDERS:
        raise CodekinError(
            f"--sort {order}: classes are not sorted by that{suggestion(order, ORDERS)}; choose "
            f"from {', '.join(ORDERS)}"
        )
    return order


def _count_of(show: str | int | bool) -> int | None:
    """For how many classes to print code; None for all that are printed."""
    if show is True or show == _ALL:
        return None
    if isinstance(show, str) and not show.isdecimal():
        raise CodekinError(f"--show {show}: is not a number of classes")
    return int(show)


def _gates(
    options: Mapping[str, Any], write_baseline: Path | None
) -> tuple[float | None, CloneBaseline | None, ChangedLines | None]:
    """The highest share of duplicated lines, the known clones, and the changed lines."""
    from codekin.scan.baseline import CloneBaseline
    from codekin.scan.gate import share_of_percentage
    from codekin.scan.git_changes import changed_lines

    known_at = options.get("baseline")
    if write_baseline is not None:
        check_place(write_baseline, "json")
        if known_at is not None and known_at.resolve() == write_baseline.resolve():
            known_at = None  # it is replaced
    limit, revision = options.get("max-duplication"), options.get("since")
    return (
        None if limit is None else share_of_percentage(limit),
        None if known_at is None else CloneBaseline.read(known_at),
        None if revision is None else changed_lines(revision, options.get("paths", ())),
    )


def _scan_with(options: Mapping[str, Any], **how: Any) -> Scan:
    from codekin.scan.scan_result import TYPES
    from codekin.scan.scanned_files import MAX_BYTES
    from codekin.scan.scanning import MIN_LINES, scan_paths

    return scan_paths(
        options.get("paths", ()),
        languages=options.get("languages", ()),
        exclude=options.get("exclude", ()),
        min_lines=options.get("min-lines", MIN_LINES),
        min_tokens=options.get("min-tokens", 0),
        types=options.get("type", TYPES),
        fast=options.get("fast", False),
        everything=options.get("all", False),
        max_bytes=options.get("max-bytes", MAX_BYTES),
        **how,
    )


def _nothing_found(
    scan: Scan, paths: Sequence[Path], languages: Sequence[str], *, gated: bool
) -> list[str]:
    """A warning if there is no code; without a gate, to which that does no harm, an error."""
    from codekin.scan.scanned_files import nothing_found

    if scan.files:
        return []
    told = nothing_found(paths, languages, scan.left_out)
    if gated:
        return [told]
    raise CodekinError(told)


def _refuse(students: ClassOptions) -> None:
    """Options of classes are errors without ``--submissions``."""
    words = zip(_OF_CLASSES, fields(ClassOptions)[1:], strict=True)
    given = [word for word, one in words if getattr(students, one.name) not in (None, False, [])]
    if given:
        only = "only works" if len(given) == 1 else "only work"
        raise CodekinError(f"scan: {', '.join(given)} {only} with --submissions FOLDER")


def _with_config(
    given: dict[str, Any], config: Path | None, no_config: bool
) -> tuple[dict[str, Any], ScanConfig]:
    """The options that were given, and those of a file for the others.

    Of a file that nobody named, also the part that counts, and what is not honoured in it.
    """
    from codekin.scan.scan_config import ScanConfig, find_scan_config, read_scan_config

    if config is not None and no_config:
        raise CodekinError("--config and --no-config exclude each other")
    typed = {name: value for name, value in given.items() if value is not None}
    if no_config:
        return typed, ScanConfig()
    if config is not None:
        return {**read_scan_config(config).options, **typed}, ScanConfig()
    found = find_scan_config()
    return {**found.options, **typed}, ScanConfig(
        found.path,
        {name: value for name, value in found.options.items() if name not in typed},
        {name: lines for name, lines in found.not_honoured.items() if name not in typed},
    )


def _compare_submissions(
    students: ClassOptions, max_bytes: int | None, top: int | None, result: ResultOptions
) -> None:
    from codekin.report.render import csv_of
    from codekin.results import Grid
    from codekin.scan.submission_dates import normal
    from codekin.scan.submission_files import ReadingLimits
    from codekin.scan.submissions import LEVEL, compare_submissions

    limits = ReadingLimits()
    pair, names = students.pair, students.names
    if result.chosen not in _FORMATS_OF_STUDENTS:
        what = "--submissions" if pair is None else "--pair"
        raise CodekinError(f"scan: {result.chosen} is not a format of {what}")
    if names is not None:
        if not students.hide_names:
            raise CodekinError("scan: --names needs --hide-names")
        check_place(names, "csv")
        if result.output is not None and names.resolve() == result.output.resolve():
            raise CodekinError(f"{names}: is given twice; give each output its own file")
    with progress("comparing") as draw:
        found = compare_submissions(
            students.submissions or "",
            template=students.template,
            old=students.old,
            level=LEVEL if students.level is None else students.level,
            max_bytes=max_bytes or limits.max_bytes,
            max_student_bytes=students.student_bytes or limits.student_bytes,
            max_class_bytes=students.class_bytes or limits.class_bytes,
            dates=students.dates,
            report=draw,
        )
    if students.hide_names:
        found, key = found.without_names()
        shown = {name: label for label, name in key.items()}
        if pair is not None:
            first, second = map(normal, pair)
            pair = shown.get(first, first), shown.get(second, second)

    if pair is None:
        most = (_TOP if top is None else top) or len(found.pairs)
        notes, pairs = found.notes(), len(found.pairs)
        if most < pairs:
            notes = [f"{most:,} of {pairs:,} pairs shown; --top {pairs} shows all.", *notes]
        rendering = tables(found, grids=found.grids(most), notes=notes)
        texts: Texts = {"json": found.to_json, "csv": found.to_csv, "html": found.to_html}
    else:
        evidence = found.evidence(*pair)
        rendering = tables(evidence)
        case = found.case(*pair)
        texts = {"json": evidence.to_json, "csv": evidence.to_csv, "html": case.to_html}
    emit(result, Rendering(texts, rendering.screen), warnings=found.warnings(), beside=True)
    if names is not None:
        rows = tuple((label, name) for label, name in key.items())
        write_text(csv_of(Grid("", ("shown", "student"), rows)), names, "csv")
        say(f"Names: {names.resolve()}", err=True)
