"""Whether a scan passes: limits on duplication, and no new clones."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from codekin.errors import CodekinError
from codekin.results import LEFT_OUT, Grid, Result, count_text
from codekin.scan.clone_places import ClonePlace

if TYPE_CHECKING:
    from codekin.scan.baseline import CloneBaseline
    from codekin.scan.git_changes import ChangedLines
    from codekin.scan.scan_result import Scan

__all__ = ["ScanGate", "scan_gate", "share_of_percentage"]

_PERCENTAGE = re.compile(r"([0-9]+(?:\.[0-9]+)?) ?%")


@dataclass(frozen=True)
class ScanGate(Result):
    """Whether a scan passes.

    Attributes
    ----------
    new : tuple of ClonePlace, optional
        The new places; None if all clones count.
    failures : tuple of str
        Why it does not pass, in words.
    """

    computed: ClassVar[Mapping[str, str]] = {"passed": "passed", "new?": "new_records"}

    new: tuple[ClonePlace, ...] | None = field(repr=False, metadata=LEFT_OUT)
    failures: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return not self.failures

    def grids(self) -> list[Grid]:
        """The new places, if there are any."""
        return [self.table()] if self.new else []

    def table(self) -> Grid:
        """One record per new place."""
        cells = tuple(
            (
                *(one.clone_class.number, one.clone_class.type),
                *(one.region.file, one.region.start, one.region.end, one.region.name),
            )
            for one in self.new or ()
        )
        heads = ("class", "type", "file", "start", "end", "name")
        return Grid("New places of clones", heads, cells, keys=len(heads))

    def conclusion(self) -> list[str]:
        """Whether the scan passes, or why not."""
        return ["The scan passes."] if self.passed else list(self.failures)

    @property
    def new_records(self) -> list[dict[str, Any]] | None:
        """The new places, for the document; None if all clones count."""
        return None if self.new is None else self.table().records()


def scan_gate(
    scan: Scan,
    *,
    max_duplication: float | None = None,
    baseline: CloneBaseline | None = None,
    changes: ChangedLines | None = None,
) -> ScanGate:
    """Check a scan against limits; without any, it passes.

    Parameters
    ----------
    scan : Scan
    max_duplication : float, optional
        The highest share of lines of code that may be part of a clone, from 0 to 1.
    baseline : CloneBaseline, optional
        Fails if there are places of clones that it does not have.
    changes : ChangedLines, optional
        Fails if there are places of clones with changed lines; with a baseline, a place must be
        new in both ways.
    """
    new: tuple[ClonePlace, ...] | None = None
    since = []
    if baseline is not None:
        new = scan.new_since(baseline)
        since.append("the baseline")
    if changes is not None:
        unknown = frozenset(scan.places if new is None else new)
        new = tuple(one for one in scan.new_in(changes) if one in unknown)
        since.append(changes.revision)
    failures = []
    if new:
        classes = len({one.clone_class.number for one in new})
        failures.append(
            f"{count_text(len(new), 'place')} of clones in {classes:,} "
            f"{'class' if classes == 1 else 'classes'} {'is' if len(new) == 1 else 'are'} new "
            f"since {' and '.join(since)}"
        )
    if max_duplication is not None and scan.duplication > max_duplication:
        failures.append(
            f"{100 * scan.duplication:.2f} % of the lines of code are duplicated, more than "
            f"{100 * max_duplication:.2f} %"
        )
    return ScanGate(new, tuple(failures))


def share_of_percentage(text: str) -> float:
    """A percentage as a share.

    Examples
    --------
    >>> share_of_percentage("5%")
    0.05
    """
    found = _PERCENTAGE.fullmatch(text.strip())
    share = float(found[1]) / 100 if found else -1.0
    if not 0 <= share <= 1:
        raise CodekinError(f"max-duplication: {text!r} is not a percentage, such as 5% or 2.5%")
    return share
