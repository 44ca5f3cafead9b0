"""What in a run could not be scored, counted by reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from codekin.runs.run import Run

__all__ = ["Failure", "failures"]


@dataclass(frozen=True)
class Failure:
    """Rows that failed for one reason.

    Attributes
    ----------
    label : str or None
        The measure that failed; None where the whole row could not be scored.
    reason : str
    rows : int
        How many.
    first : str
        The id of the first of them.
    where : str
        Where the first one is in the input, if the run records it.
    """

    label: str | None
    reason: str
    rows: int
    first: str
    where: str


def failures(run: Run) -> list[Failure]:
    """The reasons why rows of a run have no score, the most frequent first."""
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


def _problems(shard: pa.Table, column: str) -> Iterator[tuple[str, str]]:
    """The ids and problems of the rows that have a problem in a column."""
    some = shard.select(["id", column]).filter(pc.is_valid(shard.column(column)))
    yield from zip(some.column("id").to_pylist(), some.column(column).to_pylist(), strict=True)


def _split(problem: str) -> tuple[str, str]:
    """The place in the input and the reason; a reason without a place has an empty one."""
    where, mark, reason = problem.partition(": ")
    return (where, reason) if mark else ("", problem)
