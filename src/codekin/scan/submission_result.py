"""What a comparison of submissions found: pairs of students, and groups of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from codekin.results import Column, Finite, Grid, Result, count_text
from codekin.scan.scanned_files import LeftOutFile

__all__ = ["NOT_A_PROOF", "Student", "SubmissionGroup", "SubmissionPair", "Submissions"]

NOT_A_PROOF = (
    "A score is not a proof: programs for the same task can be similar without copying. Read both "
    "programs, and talk to the students."
)
_SHOWN = 20
"""Pairs that a table shows."""
_NAMED = 5
"""Skipped files that a note names."""


@dataclass(frozen=True)
class Student:
    """A student whose code was compared.

    Attributes
    ----------
    name : str
    attempts : int
    files : int
    lines : int
    languages : tuple of str
    """

    name: str
    attempts: int
    files: int
    lines: int
    languages: tuple[str, ...]


@dataclass(frozen=True)
class SubmissionPair:
    """Two students, by their most similar attempts.

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
    first_attempt, second_attempt : str
        The attempts; empty if all code of a student is one program.
    """

    first: str
    second: str
    score: Finite
    first_share: Finite
    second_share: Finite
    unusual: float | None
    quantile: Finite
    suspicious: bool
    first_attempt: str = ""
    second_attempt: str = ""


@dataclass(frozen=True)
class SubmissionGroup:
    """Students that suspicious pairs connect.

    Attributes
    ----------
    number : int
        From 1, the largest group first.
    members : tuple of str
    suspicious_pairs : int
    """

    number: int
    members: tuple[str, ...]
    suspicious_pairs: int


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

    @property
    def meaning(self) -> str:
        """What a score means, and what it does not."""
        return NOT_A_PROOF

    @cached_property
    def suspicious(self) -> tuple[SubmissionPair, ...]:
        """The suspicious pairs."""
        return tuple(one for one in self.pairs if one.suspicious)

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
                _named(one.first, one.first_attempt),
                _named(one.second, one.second_attempt),
                one.score,
                one.first_share,
                one.second_share,
                one.unusual,
                one.quantile,
                "suspicious" if one.suspicious else "",
            )
            for one in self.pairs[:top]
        )
        columns = (
            *("first", "second", Column("score", digits=2)),
            *(Column("of first", digits=2), Column("of second", digits=2)),
            *(Column("unusual", digits=1), Column("quantile", digits=3), ""),
        )
        found = [Grid(self.title, columns, rows)]
        if self.groups:
            lines = tuple(
                (one.number, len(one.members), one.suspicious_pairs, ", ".join(one.members))
                for one in self.groups
            )
            heads = ("group", "students", "suspicious pairs", "who")
            found.append(Grid("Groups", heads, lines))
        return found

    def table(self) -> Grid:
        """One row per pair."""
        columns = (
            *("first", "second", "score", "first_share", "second_share", "unusual", "quantile"),
            *("suspicious", "first_attempt", "second_attempt"),
        )
        rows = tuple(
            (
                *(one.first, one.second, one.score, one.first_share, one.second_share),
                *(one.unusual, one.quantile, "yes" if one.suspicious else "no"),
                *(one.first_attempt, one.second_attempt),
            )
            for one in self.pairs
        )
        return Grid(self.title, columns, rows)

    def warnings(self) -> list[str]:
        """That a score is not a proof."""
        return [NOT_A_PROOF]

    def notes(self) -> list[str]:
        """How to read the numbers, and what was left out."""
        notes = [
            "score: the share of the lighter program that the other has, too; what many students "
            "have counts little."
        ]
        if self.known_class:
            notes.append(
                "unusual: how far the score is above what is usual for these two students, in "
                "robust standard deviations of all pairs; suspicious from "
                f"{self.level:g}. quantile: the share of pairs that are less unusual."
            )
        else:
            notes.append("With fewer than five students, no pair is marked as suspicious.")
        kinds = Counter(one.kind for one in self.left_out)
        parts = [f"{kinds[kind]:,} {kind}" for kind in ("ignored", "vendored") if kinds[kind]]
        if parts:
            notes.append(f"Files and folders left out: {', '.join(parts)}.")
        unreadable = [one for one in self.left_out if one.kind == "unreadable"]
        if unreadable:
            named = [f"{one.path} ({one.reason})" for one in unreadable[:_NAMED]]
            more = len(unreadable) - len(named)
            notes.append(f"Not read: {'; '.join(named)}{f'; and {more:,} more' if more else ''}.")
        return notes


def _named(student: str, attempt: str) -> str:
    return f"{student} ({attempt})" if attempt else student
