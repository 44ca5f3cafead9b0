"""Every place of a clone once, with the places of its copies; what reports and gates count."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codekin.scan.scan_result import CloneClass, CodeRegion, Scan

__all__ = ["ClonePlace", "RegionIndex", "clone_places", "file_and_cell"]

_CELL = re.compile(r"(?s)(.+\.ipynb)#([0-9]+)", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class ClonePlace:
    """A place of a clone, and where its copies are; equal only to itself.

    Attributes
    ----------
    region : CodeRegion
    clone_class : CloneClass
        The innermost class that it is in, whose members differ least.
    wider : tuple of CloneClass
        The classes around that one, the next one first.
    changed : tuple of (str, CodeRegion)
        The places in these alone, with the type of the first class that they are in.
    occurrence : int
        1 for the first region with this fingerprint in its file, 2 for the next one.
    """

    region: CodeRegion
    clone_class: CloneClass
    wider: tuple[CloneClass, ...] = field(repr=False)
    changed: tuple[tuple[str, CodeRegion], ...] = field(repr=False)
    occurrence: int

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the region with the occurrence; unique in its file."""
        return f"{self.region.fingerprint}:{self.occurrence}"

    @property
    def family(self) -> int:
        """The number of the outermost class that it is in."""
        return (self.clone_class, *self.wider)[-1].number

    def copies(self, most: int | None = None) -> list[CodeRegion]:
        """The other places of the class, or the first of them."""
        members = self.clone_class.members
        return list(islice((region for region in members if region != self.region), most))


def clone_places(scan: Scan) -> tuple[ClonePlace, ...]:
    """Every place of a clone, class by class; a place is in the innermost of its classes."""
    places = []
    seen = Counter[tuple[str, str]]()
    members = {copies.number: copies.members for copies in scan.classes}
    for copies in scan.classes:
        inner = RegionIndex([one for number in scan.inside_of(copies) for one in members[number]])
        wider = tuple(scan.around(copies))
        changed: list[tuple[str, CodeRegion]] = []
        nearer = copies.members
        for around in wider:
            index = RegionIndex(nearer)
            more = [region for region in around.members if not index.overlaps(region)]
            changed += [(around.type, region) for region in more]
            nearer = (*nearer, *more)
        for region in copies.members:
            if inner.overlaps(region):
                continue
            seen[region.file, region.fingerprint] += 1
            number = seen[region.file, region.fingerprint]
            places.append(ClonePlace(region, copies, wider, tuple(changed), number))
    return tuple(places)


def file_and_cell(name: str) -> tuple[str, int | None]:
    """The file of a scanned text, and the number of the cell if it is one of a notebook.

    Examples
    --------
    >>> file_and_cell("src/a.ipynb#3"), file_and_cell("src/a.py")
    (('src/a.ipynb', 3), ('src/a.py', None))
    """
    found = _CELL.fullmatch(name)
    return (found[1], int(found[2])) if found else (name, None)


class RegionIndex:
    """Regions by file: where each starts, and how far it and all earlier ones reach."""

    def __init__(self, regions: Sequence[CodeRegion]) -> None:
        self._starts: dict[str, list[int]] = {}
        self._reach: dict[str, list[int]] = {}
        for one in sorted(regions):
            self._starts.setdefault(one.file, []).append(one.start)
            reach = self._reach.setdefault(one.file, [])
            reach.append(max(one.end, reach[-1]) if reach else one.end)

    def overlaps(self, region: CodeRegion) -> bool:
        """Whether one of them has a line of a region."""
        before = bisect_right(self._starts.get(region.file, ()), region.end)
        return before > 0 and self._reach[region.file][before - 1] >= region.start
