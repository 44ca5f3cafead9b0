"""What a scan found: clones of code, and classes of them."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from codekin.groups.code_files import unparsed_note
from codekin.plain_text import spreadsheet_cell
from codekin.results import (
    Column,
    Finite,
    Grid,
    Result,
    ShownAs,
    count_text,
    json_text,
    part_text,
    share_text,
    written_text,
)
from codekin.scan.clone_places import ClonePlace, clone_places
from codekin.scan.code_tokens import read_tokens
from codekin.scan.loosening import Loosening
from codekin.scan.scanned_files import (
    LeftOutFile,
    left_out_notes,
    lines_of,
    read_text,
    unreadable_note,
)

if TYPE_CHECKING:
    from codekin.scan.baseline import CloneBaseline
    from codekin.scan.git_changes import ChangedLines

__all__ = ["CloneClass", "CloneFinding", "CodeLine", "CodeRegion", "Scan"]

TYPES = ("T1", "T2", "T3", "T4")
"""Types of clones; see :class:`CloneFinding`."""
CSV_COLUMNS = (
    *("file1", "start1", "end1", "file2", "start2", "end2", "type", "score"),
    *("lines", "tokens", "class"),
)
_SHOWN = 20
"""Classes that a table shows."""


@dataclass(frozen=True, order=True)
class CodeRegion:
    """Lines of a file.

    Attributes
    ----------
    file : str
        Its path, with the number of the cell after ``#`` in a notebook.
    start, end : int
        The first and the last line, from 1.
    name : str
        The function that the region is; empty if it is another stretch of code.
    fingerprint : str
        A hash of its tokens in which all names are the same, all numbers, and all strings. It does
        not change with layout, comments or the place of the code.
    code_lines : int
        Its lines of code: those that are not blank, and have more than comments or docstrings.
    """

    file: str
    start: int
    end: int
    name: str = ""
    fingerprint: str = field(default="", compare=False)
    code_lines: int = field(default=0, compare=False)

    def __str__(self) -> str:
        return f"{self.file}:{self.start}-{self.end}"


class CodeLine(NamedTuple):
    """A line of code: its number from 1, its text, and what it is but for names and values."""

    number: int
    text: str
    shape: tuple[int, ...]


@dataclass(frozen=True)
class CloneFinding:
    """Two regions of code that are clones.

    Attributes
    ----------
    first, second : CodeRegion
    type : str
        ``T1``: the same tokens. ``T2``: other names, numbers and strings. ``T3``: other statements,
        too. ``T4``: few statements are the same, but the operations are.
    score : float
        1 for T1 and T2; otherwise the similarity of their aligned statements, or their kin if that
        is higher.
    tokens : int
        Of the smaller region.
    clone_class : int
        The number of its class, the innermost with both regions.
    """

    first: CodeRegion
    second: CodeRegion
    type: str
    score: Finite
    tokens: int
    clone_class: int


@dataclass(frozen=True)
class CloneClass:
    """Regions of code that are copies of each other.

    Attributes
    ----------
    number : int
        From 1, by the lines of code that it would save.
    type : str
        The weakest type of its findings. Copies that differ less are in classes inside of it.
    score : float
        The lowest score of its findings.
    members : tuple of CodeRegion
        All regions, those of classes inside of it, too.
    saved_lines : int
        The lines of code that removing all members but the longest would save, without those that
        the classes inside of it would save already.
    within : int, optional
        The number of the class that it is inside of, whose other members differ more.
    """

    number: int
    type: str
    score: Finite
    members: tuple[CodeRegion, ...]
    saved_lines: int
    within: int | None = None


@dataclass(frozen=True, eq=False)
class Scan(Result):
    """The clones in files of code.

    Attributes
    ----------
    findings : tuple of CloneFinding
        Pairs, by place.
    classes : tuple of CloneClass
        The one that would save most lines first.
    files : int
        The number of scanned files.
    lines : int
        Their lines.
    code_lines : int
        Their lines of code: without blank lines, comments and docstrings.
    duplicated_lines : int
        The lines of code that are part of a finding.
    imports : int
        Lines of imports, which are not compared.
    tables : int
        Lines of tables of constants, which are not compared.
    headers : int
        Lines of licence headers, which are not compared.
    ignored : int
        Lines of functions with a comment ``codekin: ignore``, which are not compared.
    left_out : tuple of LeftOutFile
        Files that were not scanned, with the reason.
    other_files : int
        Files without the suffix of a known language.
    languages : mapping of str to int
        Lines by language.
    fast : bool
        Whether only tokens were compared.
    min_lines : int
        The fewest lines of code of a clone.
    types : tuple of str
        The types of clones that were looked for.
    min_tokens : int
        The fewest tokens of a clone.
    unparsed : tuple of str
        Files with places that do not parse; empty if only tokens were compared.
    loosened : tuple of Loosening
        What the folder's own settings and files leave out of a check; only with a check.
    """

    computed: ClassVar[Mapping[str, str]] = {"duplication": "duplication"}

    findings: tuple[CloneFinding, ...] = field(repr=False)
    classes: tuple[CloneClass, ...] = field(repr=False)
    files: int
    lines: int
    code_lines: int
    duplicated_lines: int
    imports: int
    tables: int
    headers: int
    ignored: int
    left_out: tuple[LeftOutFile, ...] = field(repr=False)
    other_files: int
    languages: Mapping[str, int]
    fast: bool
    min_lines: int
    types: tuple[str, ...] = TYPES
    min_tokens: int = 0
    unparsed: tuple[str, ...] = ()
    loosened: tuple[Loosening, ...] = ()

    @property
    def duplication(self) -> float:
        """The share of lines of code that are part of a finding."""
        return self.duplicated_lines / self.code_lines if self.code_lines else 0.0

    @cached_property
    def unreadable(self) -> tuple[LeftOutFile, ...]:
        """The files that should have been scanned, but could not be read."""
        return tuple(one for one in self.left_out if one.kind == "unreadable")

    @property
    def title(self) -> str:
        """What was scanned and found, in one line."""
        scanned = f"{count_text(self.files, 'file')}, {count_text(self.code_lines, 'line')} of code"
        if not self.findings:
            return f"{scanned}: no clones{self._looked_for}"
        return (
            f"{scanned}: "
            f"{count_text(len(self.findings), 'clone pair')}{self._looked_for} in "
            f"{len(self.classes):,} {'class' if len(self.classes) == 1 else 'classes'}; "
            f"{count_text(self.duplicated_lines, 'line')} "
            f"({share_text(self.duplication)}) are duplicated"
        )

    @property
    def _looked_for(self) -> str:
        """Which clones were looked for, if not all."""
        words = [] if self.types == TYPES else [f"of {' and '.join(self.types)}"]
        words += [f"of at least {count_text(self.min_tokens, 'token')}"] if self.min_tokens else []
        return "".join(f" {word}" for word in words)

    def grids(self, top: int = _SHOWN) -> list[Grid]:
        """The `top` classes that would save most lines."""
        rows = tuple(
            (
                one.number,
                one.type,
                ShownAs(one.score, part_text(one.score)),
                len(one.members),
                one.saved_lines,
                ", ".join(map(str, one.members[:3])) + (", …" if len(one.members) > 3 else ""),
            )
            for one in self.classes[:top]
        )
        columns = ("class", "type", Column("score", digits=2), "copies", "lines saved")
        return [Grid(self.title, (*columns, Column("where", wraps=True)), rows)]

    def table(self) -> Grid:
        """One row per finding."""
        return Grid(self.title, CSV_COLUMNS, tuple(map(_row, self.findings)))

    def to_csv(self, path: str | Path | None = None) -> str:
        """The findings as CSV, one line per pair; also written to `path` where one is given."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(CSV_COLUMNS)
        for one in self.findings:
            writer.writerow([spreadsheet_cell(cell) for cell in _row(one)])
        return written_text(text.getvalue(), path)

    def to_sarif(
        self, path: str | Path | None = None, *, new: Sequence[ClonePlace] | None = None
    ) -> str:
        """The places of clones as SARIF 2.1.0, one result each; also written to `path` if given.

        The rule of a result is the type of the innermost class, and its related locations are other
        copies, and then those that differ more.
        With the places that are `new`, each result says whether it is.
        """
        from codekin.scan.sarif import sarif_document

        known = None if new is None else frozenset(new)
        return written_text(json_text(sarif_document(self, new=known)), path)

    def to_gitlab(self, path: str | Path | None = None) -> str:
        """The places of clones in GitLab's format for code quality; also written to `path`."""
        from codekin.scan.gitlab import gitlab_document

        return written_text(json_text(gitlab_document(self)), path)

    def to_html(
        self, path: str | Path | None = None, *, new: Sequence[ClonePlace] | None = None
    ) -> str:
        """The classes with their code as a page that works offline; also written to `path`.

        The code is read from the files now; the page says which of them have changed. With the
        places that are `new`, it marks these.
        """
        page: bytes = import_module("codekin.report.scan_page").scan_page(self, new=new)
        return written_text(page.decode("utf-8"), path)

    @cached_property
    def places(self) -> tuple[ClonePlace, ...]:
        """Every place of a clone, each in the innermost class that it is a member of."""
        return clone_places(self)

    def new_since(self, baseline: CloneBaseline) -> tuple[ClonePlace, ...]:
        """The places of clones that a baseline does not have.

        A further copy of a known clone is new; moved code is not, and neither is an edited copy
        that is still a clone of an unchanged one.
        """
        from codekin.scan.baseline import new_places

        return new_places(self, baseline)

    def new_in(self, changes: ChangedLines) -> tuple[ClonePlace, ...]:
        """The places of clones that have changed lines."""
        return tuple(one for one in self.places if changes.touch(one.region))

    def notes(self) -> list[str]:
        """What was left out, and what could not be read."""
        notes = [f"The check does not see everything: {loosening}." for loosening in self.loosened]
        notes += left_out_notes(self.left_out)
        lines = [
            f"{number:,} {what}"
            for number, what in (
                (self.imports, "of imports"),
                (self.tables, "of tables of constants"),
                (self.headers, "of licence headers"),
                (self.ignored, "ignored by comments"),
            )
            if number
        ]
        if lines:
            notes.append(f"Lines left out: {', '.join(lines)}.")
        return [*notes, *unparsed_note(self.unparsed), *unreadable_note(self.left_out)]

    def code_of(self, region: CodeRegion) -> list[str]:
        """The lines of a region, read from its file now.

        A file that changed since the scan may have other lines there.
        """
        return lines_of(read_text(region.file))[region.start - 1 : region.end]

    def lines_of_code(self, region: CodeRegion) -> list[CodeLine]:
        """The lines of code of a region, read from its file now.

        Blank lines, comments and docstrings are left out.
        """
        source = read_text(region.file)
        tokens = read_tokens(source.data, source.language)
        lines, shapes = lines_of(source), dict[int, list[int]]()
        columns = (tokens.lines.tolist(), tokens.last_lines.tolist(), tokens.blind.tolist())
        for first, last, blind in zip(*columns, strict=True):
            for number in range(max(first, region.start), min(last, region.end) + 1):
                shapes.setdefault(number, []).append(blind)
        return [
            CodeLine(number, lines[number - 1], tuple(shape))
            for number, shape in sorted(shapes.items())
        ]

    def findings_of(self, clone_class: CloneClass) -> Sequence[CloneFinding]:
        """The findings of a class and of those inside of it, by place."""
        inside = [one for number in self.inside_of(clone_class) for one in self._by_class[number]]
        own = self._by_class.get(clone_class.number, [])
        return own if not inside else sorted([*own, *inside], key=_place_of)

    def inside_of(self, clone_class: CloneClass) -> list[int]:
        """The numbers of the classes inside of a class."""
        numbers: list[int] = []
        for number in self._inside.get(clone_class.number, ()):
            numbers += [number, *self.inside_of(self._class_of[number])]
        return sorted(numbers)

    def around(self, clone_class: CloneClass) -> list[CloneClass]:
        """The classes that a class is inside of, the next one first."""
        if clone_class.within is None:
            return []
        wider = self._class_of[clone_class.within]
        return [wider, *self.around(wider)]

    @cached_property
    def _class_of(self) -> dict[int, CloneClass]:
        return {copies.number: copies for copies in self.classes}

    @cached_property
    def _inside(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for copies in self.classes:
            if copies.within is not None:
                found.setdefault(copies.within, []).append(copies.number)
        return found

    @cached_property
    def _by_class(self) -> dict[int, list[CloneFinding]]:
        found: dict[int, list[CloneFinding]] = {}
        for one in self.findings:
            found.setdefault(one.clone_class, []).append(one)
        return found


def _place_of(finding: CloneFinding) -> tuple[CodeRegion, CodeRegion]:
    return finding.first, finding.second


def _row(finding: CloneFinding) -> tuple[str | int | float, ...]:
    first, second = finding.first, finding.second
    return (
        *(first.file, first.start, first.end),
        *(second.file, second.start, second.end),
        *(finding.type, round(finding.score, 4)),
        min(first.code_lines, second.code_lines),
        *(finding.tokens, finding.clone_class),
    )
