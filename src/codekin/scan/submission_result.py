"""What a comparison of submissions found: pairs of students, and groups of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, ClassVar

from codekin.errors import CodekinError, suggestion
from codekin.groups.code_files import unparsed_note
from codekin.results import (
    LEFT_OUT,
    Column,
    Finite,
    Grid,
    Result,
    count_text,
    written_text,
)
from codekin.scan.hidden_names import NameHider, numbered_students, shuffled
from codekin.scan.scanned_files import LeftOutFile
from codekin.scan.submission_dates import normal
from codekin.scan.submission_features import ClassCode
from codekin.scan.submission_files import below

if TYPE_CHECKING:
    from codekin.scan.submission_evidence import EvidenceReader, PairEvidence

__all__ = [
    "NOT_A_PROOF",
    "AbsentStudent",
    "SharedCode",
    "Student",
    "SubmissionGroup",
    "SubmissionPair",
    "Submissions",
    "SubmittedLines",
    "UnusualPairs",
]

NOT_A_PROOF = (
    "A score is not a proof: programs for the same task can be similar without copying. Read both "
    "programs, and talk to the students."
)
_SHOWN = 20
"""Pairs that a table shows."""
_NAMED, _LONGEST_PATH = 20, 200
"""Students and files that a note names, and characters of a path in it."""
_DATES = {
    "zip": "when the last file of a student was changed, as zip files have it.",
    "given": "as given.",
}


@dataclass(frozen=True)
class SubmittedLines:
    """Lines of a file that a student handed in.

    Attributes
    ----------
    file : str
        Its path below the folder of submissions.
    start, end : int
        The first and the last line, from 1.
    """

    file: str
    start: int
    end: int

    def __str__(self) -> str:
        return f"{self.file}:{self.start}-{self.end}"

    def without_names(self, hider: NameHider) -> SubmittedLines:
        """The same without the names of students."""
        return replace(self, file=hider.path(self.file))


@dataclass(frozen=True)
class Student:
    """A student whose code was compared.

    Attributes
    ----------
    name : str
    files : int
    lines : int
    languages : tuple of str
    dates : tuple of str
        When the student handed in, earliest first, such as ``2026-05-04 16:30:00``; empty if that
        is unknown.
    """

    name: str
    files: int
    lines: int
    languages: tuple[str, ...]
    dates: tuple[str, ...] = ()


@dataclass(frozen=True)
class AbsentStudent:
    """A student who handed in nothing that could be compared.

    Attributes
    ----------
    name : str
    reason : str
        ``nothing but the template``, ``too little of its own to compare``, ``empty``, ``not code``,
        ``no code``, ``a link``, ``not readable``, or why there is too much to read.
    """

    name: str
    reason: str


@dataclass(frozen=True)
class SubmissionPair:
    """Two students, and how much their programs share.

    Attributes
    ----------
    first, second : str
        Their names.
    score : float
        The share of the lighter program's features that the other program has, too, by weight.
    first_share, second_share : float
        How much of each program is found in the other; the score is the higher.
    unusual : float or None
        How far the score is above what is usual for these two students, in robust standard
        deviations of all pairs of the class; None if there are fewer than five students.
    quantile : float
        The share of all pairs that are less unusual, or have a lower score if there are fewer than
        five students.
    suspicious : bool
        Whether it is more unusual than the level.
    first_file, second_file : str or None
        The two files that are most unusually alike, if students have several.
    file_score : float or None
        The share of what these files have together that both have, by weight.
    """

    first: str
    second: str
    score: Finite
    first_share: Finite
    second_share: Finite
    unusual: float | None
    quantile: Finite
    suspicious: bool
    first_file: str | None = None
    second_file: str | None = None
    file_score: float | None = None

    @property
    def files(self) -> str:
        """Its most alike files and how alike they are; empty if they are not known."""
        if self.file_score is None:
            return ""
        names = dict.fromkeys(
            PurePosixPath(name or "").name for name in (self.first_file, self.second_file)
        )
        return f"{' / '.join(names)} {self.file_score:.2f}"


@dataclass(frozen=True)
class SharedCode:
    """The code that most of a group have, by the lines of one of its students.

    Attributes
    ----------
    student : str
        Whose lines they are: who has most suspicious pairs of the group.
    lines : int
    students : int
        How many of the group have them.
    places : tuple of SubmittedLines
    """

    student: str
    lines: int
    students: int
    places: tuple[SubmittedLines, ...]

    def without_names(self, hider: NameHider, label: str) -> SharedCode:
        """The same without the names of students."""
        places = tuple(lines.without_names(hider) for lines in self.places)
        return replace(self, student=label, places=places)


@dataclass(frozen=True)
class SubmissionGroup:
    """Students that suspicious pairs connect.

    Attributes
    ----------
    number : int
        From 1, the largest group first.
    members : tuple of str
    suspicious_pairs : int
    earliest : str or None
        Who handed in first; None if a date is unknown, or two are the same.
    shared : SharedCode or None
        The code that most of them have; None if the programs before have 10,000,000 characters.
    """

    number: int
    members: tuple[str, ...]
    suspicious_pairs: int
    earliest: str | None = None
    shared: SharedCode | None = None

    @property
    def shares(self) -> str:
        """What the students share, in a few words; empty if that is not known."""
        if self.shared is None:
            return ""
        lines = count_text(self.shared.lines, "line")
        students = f"{self.shared.students} of {len(self.members)}"
        longest, *more = map(str, self.shared.places)
        others = f" and {count_text(len(more), 'more place')}" if more else ""
        return f"{lines} that few others have, in {students}: {longest}{others}"


@dataclass(frozen=True)
class UnusualPairs:
    """How many pairs of a class are how unusual.

    Attributes
    ----------
    start : float
        Where the first bin begins.
    width : float
        Of a bin; the level of suspicion is between two bins.
    counts : tuple of int
        The pairs in each bin.
    """

    start: Finite
    width: Finite
    counts: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Submissions(Result):
    """Pairs of students, the most unusual first.

    Attributes
    ----------
    pairs : tuple of SubmissionPair
        All suspicious pairs, and others up to 10,000.
    groups : tuple of SubmissionGroup
    students : tuple of Student
        By name.
    all_pairs : int
        The number of pairs that were compared.
    level : float
        How unusual a suspicious pair is.
    known_class : bool
        Whether there are enough students to know what is unusual.
    template : bool
        Whether starter code was left out.
    left_out : tuple of LeftOutFile
        Files that were not compared, with the reason.
    dates : str
        Where the dates of students come from: ``zip`` files, ``given``, or empty if there are none.
    distribution : UnusualPairs or None
        How unusual all pairs are; None if there are too few students to know.
    absent : tuple of AbsentStudent
        Students who were not compared.
    unknown_dates : tuple of str
        Names with a given date that no student has; empty names if names are hidden.
    unparsed : tuple of str
        Files with places that do not parse.
    old : tuple of Student
        Students of earlier years, with whom the class was compared.
    in_several : tuple of str
        Students with code in several of the folders; they are one student each.
    doubts : tuple of str
        Why the folders may not be those of a class, and what was not compared.
    is_case : bool
        Whether this is one pair of a class; not part of the JSON document.
    code : ClassCode or None
        The programs, for :meth:`evidence`; not part of the JSON document.
    """

    computed: ClassVar[Mapping[str, str]] = {"meaning": "meaning"}

    pairs: tuple[SubmissionPair, ...] = field(repr=False)
    groups: tuple[SubmissionGroup, ...]
    students: tuple[Student, ...] = field(repr=False)
    all_pairs: int
    level: Finite
    known_class: bool
    template: bool
    left_out: tuple[LeftOutFile, ...] = field(repr=False)
    dates: str = ""
    distribution: UnusualPairs | None = field(default=None, repr=False)
    absent: tuple[AbsentStudent, ...] = ()
    unknown_dates: tuple[str, ...] = ()
    unparsed: tuple[str, ...] = ()
    old: tuple[Student, ...] = field(default=(), repr=False)
    in_several: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    is_case: bool = field(default=False, repr=False, metadata=LEFT_OUT)
    code: ClassCode | None = field(default=None, repr=False, metadata=LEFT_OUT)

    @property
    def meaning(self) -> str:
        """What a score means, and what it does not."""
        return NOT_A_PROOF

    @cached_property
    def suspicious(self) -> tuple[SubmissionPair, ...]:
        """The suspicious pairs."""
        return tuple(one for one in self.pairs if one.suspicious)

    @cached_property
    def _reader(self) -> EvidenceReader:
        from codekin.scan.submission_evidence import EvidenceReader

        if self.code is None:
            raise CodekinError("submissions: this result has no code; compare the folder again")
        return EvidenceReader(self.code)

    @cached_property
    def _pair_of(self) -> dict[frozenset[str], SubmissionPair]:
        return {frozenset((one.first, one.second)): one for one in self.pairs}

    def evidence(self, first: str, second: str) -> PairEvidence:
        """The regions of code that two students share.

        Parameters
        ----------
        first, second : str
            The names of two students, in any order.

        Returns
        -------
        PairEvidence
        """
        return self._reader.of(self._listed_pair(first, second))

    def case(self, first: str, second: str) -> Submissions:
        """The same with nothing but two students, such as for a page that names nobody else.

        Parameters
        ----------
        first, second : str
            The names of two students, in any order.
        """
        pair = self._listed_pair(first, second)
        names = {pair.first, pair.second}
        return replace(
            self,
            pairs=(pair,),
            groups=(),
            students=tuple(one for one in self.students if one.name in names),
            old=tuple(one for one in self.old if one.name in names),
            left_out=(),
            absent=(),
            unknown_dates=(),
            unparsed=(),
            in_several=tuple(name for name in self.in_several if name in names),
            doubts=(),
            distribution=None,
            is_case=True,
        )

    def _listed_pair(self, first: str, second: str) -> SubmissionPair:
        first, second = normal(first), normal(second)
        pair = self._pair_of.get(frozenset((first, second)))
        if pair is not None:
            return pair
        known = {one.name for one in (*self.students, *self.old)}
        absent = {one.name: one.reason for one in self.absent}
        for name in (first, second):
            if name in absent:
                raise CodekinError(f"submissions: {name} was not compared: {absent[name]}")
            if name not in known:
                close = suggestion(name, known)
                raise CodekinError(f"submissions: there is no student {name!r}{close}")
        if first == second:
            raise CodekinError(f"submissions: a pair has two students, not {first!r} twice")
        raise CodekinError(f"submissions: {first!r} and {second!r} are not a pair that is listed")

    def without_names(self) -> tuple[Submissions, dict[str, str]]:
        """The same with students called Student 1, Student 2 and so on.

        Names are also replaced in paths and in the code that pages show. They are numbered by the
        ranking of pairs. Files that belong to no student are called File 1, File 2 and so on.

        Returns
        -------
        (Submissions, dict of str to str)
            The name of each student is found in the second by what the student is called now.
        """
        if self.code is None:
            raise CodekinError("submissions: this result has no code; compare the folder again")
        if self.code.hider is not None:
            raise CodekinError("submissions: the names are hidden already")
        known = self.code.everyone | {one.name for one in self.absent}
        others = {_top(self.code.folders, one.path, known) for one in self.left_out} - {""}
        ranked = [name for pair in self.pairs for name in shuffled(pair.first, pair.second)]
        old = {one.name for one in self.old}
        shown = {
            name: label.replace("Student", "Old") if name in old else label
            for name, label in numbered_students(ranked, known).items()
        }
        # Nobody knows whose files these are, but their names may be those of students.
        files = {name: f"File {number}" for number, name in enumerate(shuffled(*others), 1)}
        hider = NameHider(shown | files)

        def number(name: str) -> int:
            return _number(shown[name])

        def renamed(pair: SubmissionPair) -> SubmissionPair:
            names, shares = (pair.first, pair.second), (pair.first_share, pair.second_share)
            files = [name and hider.path(name) for name in (pair.first_file, pair.second_file)]
            turned = number(pair.first) > number(pair.second)
            return replace(
                pair,
                first=shown[names[turned]],
                second=shown[names[not turned]],
                first_share=shares[turned],
                second_share=shares[not turned],
                first_file=files[turned],
                second_file=files[not turned],
            )

        hidden = replace(
            self,
            pairs=tuple(map(renamed, self.pairs)),
            groups=tuple(
                replace(
                    one,
                    members=tuple(shown[name] for name in sorted(one.members, key=number)),
                    earliest=None if one.earliest is None else shown[one.earliest],
                    shared=one.shared
                    and one.shared.without_names(hider, shown[one.shared.student]),
                )
                for one in self.groups
            ),
            students=tuple(
                replace(one, name=shown[one.name])
                for one in sorted(self.students, key=lambda one: number(one.name))
            ),
            left_out=tuple(
                replace(one, path=hider.path(one.path), reason=hider.words(one.reason))
                for one in self.left_out
            ),
            absent=tuple(
                replace(one, name=shown[one.name])
                for one in sorted(self.absent, key=lambda one: number(one.name))
            ),
            unknown_dates=("",) * len(self.unknown_dates),
            unparsed=tuple(map(hider.path, self.unparsed)),
            old=tuple(replace(one, name=shown[one.name]) for one in self.old),
            in_several=tuple(sorted((shown[name] for name in self.in_several), key=_number)),
            doubts=tuple(map(hider.words, self.doubts)),
            code=replace(self.code, hider=hider),
        )
        return hidden, {label: name for name, label in shown.items()}

    def class_notes(self) -> list[str]:
        """Who was compared with old submissions, and who has code in several folders."""
        notes = []
        if self.old:
            notes.append(
                f"Old submissions: {len(self.old):,}; they are compared with the class, not with "
                "each other, and do not say what is usual."
            )
        if self.in_several:
            notes.append(
                f"In several of the folders, and one student each: {_some(self.in_several)}."
            )
        return notes

    def absence_notes(self) -> list[str]:
        """Which students were not compared, and why; nothing if all were."""
        named = [f"{one.name} ({one.reason})" for one in self.absent]
        return [f"Not compared: {_some(named)}."] if named else []

    def date_notes(self) -> list[str]:
        """Which dates are of no student, and which members of groups have none, if others do."""
        notes = []
        if self.unknown_dates:
            known = [one.name for one in self.students]
            named = [
                f"{name} ({close.removeprefix('; ')})"
                if (close := suggestion(name, known))
                else name
                for name in self.unknown_dates
                if name
            ]
            who = f": {_some(named)}" if named else ""
            notes.append(f"Dates of unknown students are ignored{who}.")
        undated = [one.name for one in self.students if not one.dates] if self.dates else []
        linked = {name for one in self.groups for name in one.members}
        members = [name for name in undated if name in linked]
        if members:
            more = len(undated) - len(members)
            others = f", and {count_text(more, 'student')} in no group" if more else ""
            notes.append(
                f"Without a date: {_some(members)}{others}. Who handed in first in their groups "
                "is unknown."
            )
        return notes

    def to_html(self, path: str | Path | None = None) -> str:
        """A page that works offline: what is suspicious, and the code of each pair side by side."""
        if self.code is None:
            return super().to_html(path)
        page = import_module("codekin.report.submissions_page").submissions_page(self)
        return written_text(page.decode("utf-8"), path)

    @property
    def title(self) -> str:
        """What was compared and found, in one line."""
        compared = (
            f"{count_text(len(self.students), 'student')}, {count_text(self.all_pairs, 'pair')}"
        )
        if not self.known_class:
            return f"{compared}: too few students to know what is unusual"
        if not self.suspicious:
            return f"{compared}: none is unusual"
        groups = count_text(len(self.groups), "group")
        return f"{compared}: {len(self.suspicious):,} suspicious, in {groups}"

    def grids(self, top: int | None = _SHOWN) -> list[Grid]:
        """The `top` most unusual pairs, and the groups."""
        rows = tuple(
            (
                one.first,
                one.second,
                one.score,
                one.first_share,
                one.second_share,
                one.unusual,
                f"{100 * one.quantile:.1f} %",
                *((one.files,) if self.by_file else ()),
                "suspicious" if one.suspicious else "",
            )
            for one in self.pairs[:top]
        )
        columns: tuple[str | Column, ...] = (
            *("first", "second", Column("score", digits=2)),
            *(Column("of first", digits=2), Column("of second", digits=2)),
            *(Column("unusual", digits=1), "above", ""),
        )
        if self.by_file:
            columns = (*columns[:-1], "most alike files", "")
        found = [Grid(self.title, columns, rows)]
        if self.groups:
            lines = tuple(
                (one.number, len(one.members), one.suspicious_pairs)
                + ((one.earliest or "",) if self.dates else ())
                + (one.shares, ", ".join(one.members))
                for one in self.groups
            )
            first = ("handed in first",) if self.dates else ()
            last = (Column("what they share", wraps=True), Column("who", wraps=True))
            heads = ("group", "students", "suspicious pairs", *first, *last)
            found.append(Grid("Groups", heads, lines))
        return found

    def table(self) -> Grid:
        """One row per pair."""
        columns = (
            *("first", "second", "score", "first_share", "second_share", "unusual", "quantile"),
            *("suspicious", "first_file", "second_file", "file_score"),
        )
        rows = tuple(
            (
                *(one.first, one.second, one.score, one.first_share, one.second_share),
                *(one.unusual, one.quantile, "yes" if one.suspicious else "no"),
                *(one.first_file, one.second_file, one.file_score),
            )
            for one in self.pairs
        )
        return Grid(self.title, columns, rows)

    @property
    def by_file(self) -> bool:
        """Whether students have several files, which were compared one by one, too."""
        return any(one.file_score is not None for one in self.pairs)

    def warnings(self) -> list[str]:
        """That a score is not a proof, and why the folders may not be those of a class."""
        return [NOT_A_PROOF, *self.doubts]

    def notes(self) -> list[str]:
        """How to read the numbers, and what was left out."""
        notes = [
            "score: the share of the lighter program that the other has, too; what many students "
            "have counts little."
        ]
        if self.known_class:
            notes.append(
                "unusual: how far the score is above what is usual for these two students; 1 is "
                "how far the scores of the class usually are from that. Suspicious from "
                f"{self.level:g}. above: the share of all pairs that are less unusual."
            )
        else:
            notes.append("With fewer than five students, no pair is marked as suspicious.")
        if self.by_file:
            notes.append(
                "most alike files: of all files of the two, with the share that both have; a pair "
                "is as unusual as its programs, or as these files if they are more so."
            )
        notes += self.class_notes()
        if self.dates:
            notes.append(f"dates: {_DATES[self.dates]} Who handed in first need not be the author.")
        notes += self.absence_notes() + self.date_notes()
        unreadable = [file for file in self.left_out if file.kind == "unreadable"]
        absent = {
            name
            for student in self.absent
            for name in (student.name, student.name.replace(" ", ""))
        }
        others = [
            file
            for file in self.left_out
            # A note says of absent students that nothing of theirs was compared.
            if file.kind != "unreadable"
            and absent.isdisjoint({self._below(file)[0], Path(self._below(file)[0]).stem})
        ]
        notes += self._reasons("Left out", others)
        return [*notes, *unparsed_note(self.unparsed), *self._reasons("Not read", unreadable)]

    def _below(self, file: LeftOutFile) -> Sequence[str]:
        """The steps of a path below the folder of the class."""
        folders = () if self.code is None else self.code.folders
        return (below(folders, file.path)[1] or file.path).split("/")

    def _reasons(self, what: str, files: Sequence[LeftOutFile]) -> list[str]:
        """A line with the reasons of files: first of those that a student may have handed in."""
        # What macOS adds to zip files is hidden.
        order = sorted(files, key=lambda f: (f.reason == "is hidden", len(self._below(f)) > 1))
        named = [f"{_short(file.path)} ({file.reason})" for file in order]
        return [f"{what}: {_some(named, '; ')}."] if named else []


def _number(label: str) -> int:
    return int(label.split()[1])


def _short(path: str) -> str:
    return path if len(path) <= _LONGEST_PATH else f"{path[:_LONGEST_PATH]}…"


def _some(names: Sequence[str], between: str = ", ") -> str:
    """The first names of a list, and how many more there are."""
    more = len(names) - _NAMED
    return between.join(names[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")


def _top(folders: Sequence[str], path: str, known: frozenset[str]) -> str:
    """What a path begins with beside the students in their folder; empty if it is one of them."""
    top, *more = below(folders, path)[1].split("/")
    stem = Path(top).stem
    if not top or top in known or stem in known:
        return ""
    return top if more else stem
