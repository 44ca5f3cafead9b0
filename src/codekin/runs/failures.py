"""The outcome of a scoring job: the mean of each measure, and why rows failed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import pyarrow as pa
import pyarrow.compute as pc

from codekin.plain_text import plain
from codekin.results import (
    INLINED,
    LEFT_OUT,
    OPTIONAL,
    Grid,
    Interval,
    Level,
    Result,
    count_text,
    measure_cell,
    named,
)
from codekin.runs.row import OUTCOME_PROBLEM
from codekin.runs.run import Run, read_fields
from codekin.runs.text_counts import (
    TextCounts,
    group_texts,
    prompt_notes,
    text_notes,
    text_warnings,
)

__all__ = [
    "ChanceTally",
    "Failure",
    "GroupTally",
    "JobSummary",
    "MeasureTally",
    "UnreadOutcomes",
    "failure_lines",
    "failure_warnings",
    "failures",
    "job_summary",
    "unread_outcomes",
    "unread_warnings",
]

_MOST_REASONS = 10
"""Further ones are only counted."""


@dataclass(frozen=True)
class Failure:
    """Rows that failed for one reason.

    Attributes
    ----------
    label : str or None
        The measure that failed; None if the whole row could not be scored.
    reason : str
    rows : int
        How many.
    first : str
        The id of the first of them.
    where : str
        Where the first one is in the input, if the run records it.
    """

    label: str | None = field(metadata=named("measure"))
    reason: str
    rows: int
    first: str
    where: str


@dataclass(frozen=True)
class UnreadOutcomes:
    """Rows whose outcome cannot be read; they are scored, and count as not tested.

    Attributes
    ----------
    rows : int
        How many.
    first : str
        The id of the first of them.
    where, reason : str
        Where that row is in the input, and what is wrong with its outcome.
    """

    rows: int
    first: str
    where: str
    reason: str


@dataclass(frozen=True)
class MeasureTally:
    """The result of a job by one measure.

    Attributes
    ----------
    label : str
        The label of the measure, which is the name of its column in the run.
    signature : str
    distance : bool
        Whether small values mean alike.
    mean : float
        Of its scores; nan if no row has one.
    failed : int
        Rows without a score.
    """

    label: str
    signature: str
    distance: bool = field(metadata=LEFT_OUT)
    mean: float
    failed: int


@dataclass(frozen=True)
class ChanceTally:
    """The probabilities of outcomes, after a calibration was applied to a run.

    Attributes
    ----------
    calibration : str
        Its name.
    rows : int
        Those with a probability.
    mean : float
        The expected rate of outcomes.
    interval : Interval
    level : float
        Of the interval.
    """

    calibration: str
    rows: int
    mean: float
    interval: Interval
    level: Level


@dataclass(frozen=True)
class GroupTally:
    """The texts of a group.

    Attributes
    ----------
    group : str or None
    rows : int
    texts : TextCounts
    """

    group: str | None
    rows: int
    texts: TextCounts = field(metadata=INLINED)


@dataclass(frozen=True)
class JobSummary(Result):
    """What a scoring job has done.

    Attributes
    ----------
    run : str
        The folder.
    rows, failed : int
        Its rows, and those that lack a score by any measure.
    skipped : tuple of str
        Measures left out because they cannot score the rows: these have no origin, or are prose.
    measures : tuple of MeasureTally
    failures : tuple of Failure
        The most frequent first.
    calibrated : ChanceTally or None
        If a calibration was applied.
    groups : tuple of GroupTally
        The texts of each group; empty for runs that do not say.
    missing : str
        ``zero`` or ``skip``: how rows without a candidate count.
    notes_of_input : tuple of str
        How the input was understood.
    unread_outcomes : UnreadOutcomes or None
        Rows whose outcome cannot be read, if there are any.
    """

    versioned: ClassVar[bool] = False

    run: str
    rows: int
    failed: int
    skipped: tuple[str, ...]
    measures: tuple[MeasureTally, ...]
    failures: tuple[Failure, ...]
    calibrated: ChanceTally | None = field(default=None, metadata=OPTIONAL)
    groups: tuple[GroupTally, ...] = ()
    missing: str = "skip"
    notes_of_input: tuple[str, ...] = field(default=(), metadata=named("notes"))
    unread_outcomes: UnreadOutcomes | None = field(default=None, metadata=OPTIONAL)

    @property
    def _texts(self) -> list[tuple[str | None, int, TextCounts]]:
        return [(one.group, one.rows, one.texts) for one in self.groups]

    @property
    def missing_rows(self) -> int:
        """How many rows have no candidate."""
        return sum(one.texts.missing for one in self.groups)

    def text_notes(self) -> list[str]:
        """How many texts follow their prompts, and the share of texts that parse."""
        return [*prompt_notes(self._texts), *text_notes(self._texts)]

    def text_warnings(self) -> list[str]:
        """What is wrong with the candidates, and which outcomes cannot be read."""
        warnings = text_warnings(self._texts, zero=self.missing == "zero")
        return [*warnings, *unread_warnings(self.unread_outcomes)]

    def grids(self) -> list[Grid]:
        """The mean of each measure."""
        cells = (
            (measure_cell(one.label, one.distance), one.mean, one.failed) for one in self.measures
        )
        return [Grid("", ("measure", "mean", "failed"), tuple(cells))]

    def warnings(self) -> list[str]:
        """What could not be scored or read, and which candidates are not code."""
        return [*self.text_warnings(), *failure_warnings(self.failures)]


def job_summary(run: Run) -> JobSummary:
    """The summary of the job that wrote a run."""
    return JobSummary(
        run=str(run.path),
        rows=run.rows,
        failed=run.failed,
        skipped=tuple(run.manifest["skipped"]),
        measures=tuple(
            MeasureTally(one.label, one.signature, one.distance, tally.mean, tally.failed)
            for one, tally in zip(run.measures, run.tallies, strict=True)
        ),
        failures=tuple(failures(run)),
        calibrated=_chances(run),
        groups=tuple(GroupTally(*one) for one in group_texts(run)),
        missing=run.manifest["asked"]["missing"],
        notes_of_input=tuple(run.manifest["notes"]),
        unread_outcomes=unread_outcomes(run),
    )


def _chances(run: Run) -> ChanceTally | None:
    table, note = run.chances(), run.chance_note()
    if table is None or note is None:
        return None
    try:
        ends = Interval(*(float("nan") if one is None else float(one) for one in note["ends"]))
        mean = float("nan") if note["mean"] is None else float(note["mean"])
        rows = table.num_rows - table.column("p").null_count
        return ChanceTally(str(note["calibration"]), rows, mean, ends, float(note["level"]))
    except (KeyError, TypeError, ValueError):
        return None


def failures(run: Run) -> list[Failure]:
    """Why rows of a run have no score, the most frequent reason first."""
    labels = [one.label for one in run.measures]
    found: dict[tuple[str | None, str], Failure] = {}
    for shard in run.shards(["id", "problem", *(f"{label}.problem" for label in labels)]):
        for label in (None, *labels):
            for identity, problem in _problems(
                shard, "problem" if label is None else f"{label}.problem"
            ):
                where, reason = _split(problem) if label is None else ("", problem)
                was = found.get((label, reason))
                found[label, reason] = (
                    Failure(label, reason, 1, identity, where)
                    if was is None
                    else Failure(label, reason, was.rows + 1, was.first, was.where)
                )
    return sorted(found.values(), key=lambda one: -one.rows)


def unread_outcomes(run: Run) -> UnreadOutcomes | None:
    """The rows of a run whose outcome cannot be read; None if there are none."""
    rows, first = 0, None
    for shard in run.shards(["id", "outcome", "fields"]):
        marked = pc.match_substring(shard.column("fields"), f'"{OUTCOME_PROBLEM}": ')
        some = shard.filter(pc.and_(marked, pc.is_null(shard.column("outcome"))))
        rows += some.num_rows
        if first is None and some.num_rows:
            first = (some.column("id")[0].as_py(), some.column("fields")[0].as_py())
    if first is None:
        return None
    name, fields = first
    where, reason = _split(str(read_fields(fields).get(OUTCOME_PROBLEM, "")))
    return UnreadOutcomes(rows, name, where, reason)


def _problems(shard: pa.Table, column: str) -> Iterator[tuple[str, str]]:
    """The ids and problems of the rows that have a problem in a column."""
    some = shard.select(["id", column]).filter(pc.is_valid(shard.column(column)))
    yield from zip(some.column("id").to_pylist(), some.column(column).to_pylist(), strict=True)


def _split(problem: str) -> tuple[str, str]:
    """The place in the input and the reason; a reason without a place has an empty one."""
    where, mark, reason = problem.partition(": ")
    return (where, reason) if mark else ("", problem)


def failure_lines(failed: Sequence[Failure], most: int = _MOST_REASONS) -> list[str]:
    """One line per reason, with the first row that it applies to.

    Examples
    --------
    >>> failure_lines([Failure(None, "'candidate' is null", 2, "b/3", "line 6")])
    ["'candidate' is null (2 times, first row b/3, line 6)"]
    """
    lines = []
    for one in failed[:most]:
        times = "" if one.rows == 1 else f"{one.rows:,} times, first "
        place = f", {one.where}" if one.where else ""
        what = f"{one.label}: {one.reason}" if one.label else one.reason
        lines.append(plain(f"{what} ({times}row {one.first}{place})"))
    if len(failed) > most:
        others = count_text(len(failed) - most, "other reason")
        lines.append(f"and {others}, all in the run")
    return lines


def unread_warnings(unread: UnreadOutcomes | None) -> list[str]:
    """How many outcomes cannot be read, and the first of them.

    Examples
    --------
    >>> [warning] = unread_warnings(UnreadOutcomes(2, "b/3", "line 6", "must be a number"))
    >>> warning.partition(": ")[2]
    'must be a number (first row b/3, line 6)'
    """
    if unread is None:
        return []
    have, count, first = ("has", "counts", "") if unread.rows == 1 else ("have", "count", "first ")
    place = f", {unread.where}" if unread.where else ""
    return [
        plain(
            f"{count_text(unread.rows, 'row')} {have} an outcome that cannot be read and {count} "
            f"as not tested: {unread.reason} ({first}row {unread.first}{place})"
        )
    ]


def failure_warnings(failed: Sequence[Failure]) -> list[str]:
    """Why rows lack scores."""
    return [f"no score: {line}" for line in failure_lines(failed)]
