"""What could not be scored, and why: lines for people, and a list for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from codekin.plain_text import plain
from codekin.runs.failures import Failure

__all__ = ["MOST_REASONS", "failure_documents", "failure_lines"]

MOST_REASONS = 10
"""More are counted and not shown."""


def failure_lines(failed: Sequence[Failure]) -> list[str]:
    """A line a reason, with the first row that it holds for.

    Examples
    --------
    >>> failure_lines([Failure(None, "'candidate' is null", 2, "b/3", "line 6")])
    ["'candidate' is null (2 times, first row b/3, line 6)"]
    """
    lines = []
    for one in failed[:MOST_REASONS]:
        times = "" if one.rows == 1 else f"{one.rows:,} times, first "
        place = f", {one.where}" if one.where else ""
        what = f"{one.label}: {one.reason}" if one.label else one.reason
        lines.append(plain(f"{what} ({times}row {one.first}{place})"))
    if len(failed) > MOST_REASONS:
        lines.append(f"and {len(failed) - MOST_REASONS} other reasons, all in the run")
    return lines


def failure_documents(failed: Sequence[Failure]) -> list[dict[str, Any]]:
    """The reasons for JSON."""
    return [
        {
            "measure": one.label,
            "reason": one.reason,
            "rows": one.rows,
            "first": one.first,
            "where": one.where,
        }
        for one in failed
    ]
