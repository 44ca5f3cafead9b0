"""``codekin scan``: clones in files and folders of code."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

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
from codekin.errors import CodekinError
from codekin.plain_text import plain
from codekin.results import count_text, part_text

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from codekin.scan.baseline import CloneBaseline
    from codekin.scan.clone_places import ClonePlace
    from codekin.scan.git_changes import ChangedLines
    from codekin.scan.scan_config import ScanConfig
    from codekin.scan.scan_result import CloneClass, CodeRegion, Scan

__all__ = ["scan_command"]

FORMATS = ("table", "json", "csv", "html", "sarif", "gitlab")
_FORMATS_OF_SUBMISSIONS = ("table", "json", "csv", "html")
_FORMATS_OF_PAIRS = ("table", "json", "csv")
_OF_CLASSES = (
    *("--template", "--suspicious", "--pair", "--dates", "--hide-names", "--names"),
    *("--max-student-bytes", "--max-class-bytes"),
)
_TOP = 20
_ANY_WIDTH = 160
"""The width of a file or a pipe, unless COLUMNS is set."""
_MEMBERS = 10
"""Members of a class that are listed."""
_MEANINGS = {
    "T1": "copies",
    "T2": "copies with other names or values",
    "T3": "copies with changed statements",
    "T4": "rewritten copies",
}


@dataclass(frozen=True, kw_only=True)
class ClassOptions:
    """What is compared with ``--submissions``, and how."""

    submissions: Annotated[
        Path | None,
        typer.Option(
            "--submissions",
            metavar="FOLDER",
            help="Rank pairs of students by what they share: one file, folder or zip per student.",
        ),
    ] = None
    template: Annotated[
        Path | None,
        typer.Option("--template", metavar="PATH", help="Starter code, which does not count."),
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
            "--pair", metavar="STUDENT STUDENT", help="Show which lines of two students match."
        ),
    ] = None
    dates: Annotated[
        Path | None,
        typer.Option(
            "--dates",
            metavar="FILE",
            help="When students handed in: CSV with the columns student and date "
            "(default: the dates in zip files).",
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


@command(example="codekin scan src/ -o clones.csv", formats=FORMATS)
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
            "--min-lines", min=1, metavar="N", help="Fewest lines of a clone (default: 6)."
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
    show: Annotated[
        bool | None,
        typer.Option("--show/--no-show", help="Print the code of each class side by side."),
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
            help="Exit with code 1 if more lines are duplicated, such as 5%.",
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
        "languages": [one for words in languages or () for one in words.split(",") if one] or None,
        "exclude": exclude or None,
        "min-lines": min_lines,
        "fast": fast,
        "all": everything,
        "max-bytes": max_bytes,
        "top": top,
        "show": show,
        "workers": workers,
        "index": index,
        "baseline": baseline,
        "since": since,
        "max-duplication": max_duplication,
    }
    if students.submissions is not None:
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
    from codekin.scan.baseline import CloneBaseline
    from codekin.scan.gate import scan_gate
    from codekin.scan.loosening import loosenings
    from codekin.scan.store import CodeIndex

    options, found = _with_config(given, config, no_config)
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
        _print_scan(to, scan, top=most, show=options.get("show", False), new=gate.new)

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
    emit(result, Rendering(texts, screen), warnings=warnings, beside=True)
    if write_baseline is not None:
        CloneBaseline.of(scan).write(write_baseline)
        say(f"Written: {write_baseline.resolve()}", err=True)
    for failure in gate.failures:
        say(f"codekin: {failure}", err=True)
    if not gate.passed:
        raise typer.Exit(1)


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
    from codekin.scan.scanned_files import MAX_BYTES
    from codekin.scan.scanning import MIN_LINES, scan_paths

    return scan_paths(
        options.get("paths", ()),
        languages=options.get("languages", ()),
        exclude=options.get("exclude", ()),
        min_lines=options.get("min-lines", MIN_LINES),
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
    given = [word for word, one in words if getattr(students, one.name) not in (None, False)]
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
    from codekin.scan.submission_files import ReadingLimits
    from codekin.scan.submissions import LEVEL, compare_submissions

    limits = ReadingLimits()
    pair, names = students.pair, students.names
    formats = _FORMATS_OF_SUBMISSIONS if pair is None else _FORMATS_OF_PAIRS
    if result.chosen not in formats:
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
        pair = None if pair is None else (shown.get(pair[0], pair[0]), shown.get(pair[1], pair[1]))

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
        texts = {"json": evidence.to_json, "csv": evidence.to_csv}
    emit(result, Rendering(texts, rendering.screen), warnings=found.warnings(), beside=True)
    if names is not None:
        rows = tuple((label, name) for label, name in key.items())
        write_text(csv_of(Grid("", ("shown", "student"), rows)), names, "csv")
        say(f"Names: {names.resolve()}", err=True)


def _print_scan(
    screen: Console,
    scan: Scan,
    *,
    top: int | None = None,
    show: bool = False,
    new: Collection[ClonePlace] | None = None,
) -> None:
    """Print the classes of a scan, those that would save most lines first.

    Parameters
    ----------
    screen : Console
    scan : Scan
    top : int, optional
        The most classes that are printed (default: all).
    show : bool
        Whether to print the code of the first two members of each class side by side.
    new : collection of ClonePlace, optional
        Only print the classes of these, and mark them.
    """
    new_regions: dict[int, list[CodeRegion]] = {}
    for place in new or ():
        new_regions.setdefault(place.clone_class.number, []).append(place.region)
    classes = [one for one in scan.classes if new is None or one.number in new_regions]
    shown = classes[:top]
    for one in shown:
        screen.print(_heading(one), soft_wrap=True)
        mine = new_regions.get(one.number, [])
        for region in mine[:_MEMBERS]:
            screen.print(_place(region, new=True), soft_wrap=True)
        known = set(one.members).difference(mine)
        for region in [region for region in one.members if region in known][:_MEMBERS]:
            screen.print(_place(region), soft_wrap=True)
        if len(known) > _MEMBERS or len(mine) > _MEMBERS:
            more = max(len(known) - _MEMBERS, 0) + max(len(mine) - _MEMBERS, 0)
            screen.print(f"  and {more:,} more", style="dim")
        if show:
            screen.print(_side_by_side(scan, one.members[:2]))
        screen.print()
    if len(shown) < len(classes):
        more = len(classes) - len(shown)
        screen.print(f"{more:,} more {'class' if more == 1 else 'classes'}; see --top", style="dim")
    if new is not None and not new:
        screen.print("No new clones", style="bold")
    screen.print(scan.title, style="bold", soft_wrap=True)
    for note in scan.notes():
        screen.print(note, style="dim", soft_wrap=True)


def _heading(one: CloneClass) -> Text:
    text = Text(f"{one.number}. ", style="bold")
    text.append(f"{one.type} ", style="bold cyan")
    text.append(f"{len(one.members)} {_MEANINGS[one.type]}", style="bold")
    saved = count_text(one.saved_lines, "line")
    score = "" if one.score >= 1 else f", score {part_text(one.score)}"
    text.append(f"; {saved} could be saved{score}", style="dim")
    return text


def _place(region: CodeRegion, *, new: bool = False) -> Text:
    text = Text(f"  {plain(region.file)}:{region.start}-{region.end}")
    if new:
        text.append("  new", style="bold yellow")
    if region.name:
        text.append(f"  {plain(region.name)}", style="dim")
    return text


def _side_by_side(scan: Scan, regions: Sequence[CodeRegion]) -> RenderableType:
    try:
        left, right = (scan.code_of(region) for region in regions)
    except CodekinError as error:
        return Text(f"  {error}", style="dim")
    table = Table(box=None, padding=(0, 1), expand=True, show_header=False)
    for column in range(4):
        wide = column % 2 == 1
        table.add_column(
            ratio=1 if wide else None,
            no_wrap=True,
            overflow="ellipsis" if wide else "fold",
            justify="left" if wide else "right",
            style="" if wide else "dim",
        )
    for i, j, changed in _aligned(left, right):
        table.add_row(
            *_cells(left, i, regions[0].start, changed),
            *_cells(right, j, regions[1].start, changed),
        )
    return table


def _cells(lines: Sequence[str], at: int | None, start: int, changed: bool) -> tuple[str, Text]:
    if at is None:
        return "", Text()
    return str(start + at), Text(plain(lines[at]), style="yellow" if changed else "")


def _aligned(
    left: Sequence[str], right: Sequence[str]
) -> Iterator[tuple[int | None, int | None, bool]]:
    """Pairs of lines, None where the other side has no partner, and whether they differ."""
    from codekin.align.line_diff import line_diff

    i = j = 0
    ends = [f"{line}\n" for line in left], [f"{line}\n" for line in right]
    for hunk in line_diff(*ends, ignore_all_space=True):
        while i < hunk.before_start:
            yield i, j, False
            i, j = i + 1, j + 1
        while i < hunk.before_end or j < hunk.after_end:
            has_left, has_right = i < hunk.before_end, j < hunk.after_end
            yield i if has_left else None, j if has_right else None, True
            i, j = i + has_left, j + has_right
    while i < len(left):
        yield i, j, False
        i, j = i + 1, j + 1
