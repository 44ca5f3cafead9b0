"""Every place of a clone once, with the places of its copies; what reports and gates count."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codekin.scan.scan_result import CloneClass, CodeRegion, Scan

__all__ = ["ClonePlace", "clone_places", "file_and_cell"]

_CELL = re.compile(r"(?s)(.+\.ipynb)#([0-9]+)", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class ClonePlace:
    """A place of a clone, and where its copies are; equal only to itself.

    Attributes
    ----------
    region : CodeRegion
    clone_class : CloneClass
    places : tuple of CodeRegion
        All places of the class, with this one.
    occurrence : int
        1 for the first region with this fingerprint in its file, 2 for the next one.
    """

    region: CodeRegion
    clone_class: CloneClass
    places: tuple[CodeRegion, ...] = field(repr=False)
    occurrence: int

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the region with the occurrence; unique in its file."""
        return f"{self.region.fingerprint}:{self.occurrence}"

    def copies(self, most: int | None = None) -> list[CodeRegion]:
        """The other places of the class, or the first of them."""
        return list(islice((one for one in self.places if one != self.region), most))


def clone_places(scan: Scan) -> tuple[ClonePlace, ...]:
    """Every place of a clone, class by class.

    A class has its members. A weak finding may lead to a region that is a member of no class;
    it becomes a place of the class of the finding.

    Parameters
    ----------
    scan : Scan
    """
    members = _RegionIndex([one for group in scan.classes for one in group.members])
    found = []
    added: set[CodeRegion] = set()
    seen = Counter[tuple[str, str]]()
    for group in scan.classes:
        mine = _RegionIndex(group.members)
        ends = {end for one in scan.findings_of(group) for end in (one.first, one.second)}
        others = list(_apart(sorted(end for end in ends if not mine.overlaps(end))))
        new = [one for one in others if one not in added and not members.overlaps(one)]
        added.update(new)
        places = (*group.members, *others)
        for region in (*group.members, *new):
            seen[region.file, region.fingerprint] += 1
            number = seen[region.file, region.fingerprint]
            found.append(ClonePlace(region, group, places, number))
    return tuple(found)


def file_and_cell(name: str) -> tuple[str, int | None]:
    """The file of a scanned text, and the number of the cell if it is one of a notebook.

    Examples
    --------
    >>> file_and_cell("src/a.ipynb#3"), file_and_cell("src/a.py")
    (('src/a.ipynb', 3), ('src/a.py', None))
    """
    found = _CELL.fullmatch(name)
    return (found[1], int(found[2])) if found else (name, None)


class _RegionIndex:
    """Regions by file: where each starts, and how far it and all earlier ones reach."""

    def __init__(self, regions: Sequence[CodeRegion]) -> None:
        self._starts: dict[str, list[int]] = {}
        self._reach: dict[str, list[int]] = {}
        for one in sorted(regions):
            self._starts.setdefault(one.file, []).append(one.start)
            reach = self._reach.setdefault(one.file, [])
            reach.append(max(one.end, reach[-1]) if reach else one.end)

    def overlaps(self, region: CodeRegion) -> bool:
        before = bisect_right(self._starts.get(region.file, ()), region.end)
        return before > 0 and self._reach[region.file][before - 1] >= region.start


def _apart(regions: Sequence[CodeRegion]) -> Iterator[CodeRegion]:
    """The sorted regions without those that overlap an earlier one."""
    last: CodeRegion | None = None
    for one in regions:
        if last is None or last.file != one.file or last.end < one.start:
            yield one
            last = one
