"""Findings grouped into classes of clones: all places that are copies of each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from codekin.scan.matches import Matches

__all__ = ["MatchGroups", "group_matches"]

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]

_SAME_PLACE = 0.7
"""Two stretches with this part of their union in common are the same place."""
_STRONG = 0.6
"""Weaker findings do not join classes, so that chains of them do not either."""


@dataclass(frozen=True, eq=False, repr=False)
class MatchGroups:
    """Classes of places.

    Attributes
    ----------
    class_of : int64 array
        The class of each match, numbered by their first places; that of its first place if a weak
        match leads to another class, unless that place is in no class.
    inside : bool array
        Whether both places of a match are in its class.
    members : tuple of tuple of (int, int)
        The places of each class: first token and end.
    """

    class_of: Longs
    inside: npt.NDArray[np.bool_]
    members: tuple[tuple[tuple[int, int], ...], ...]


class _Sets:
    """Disjoint sets; the smallest number names a set."""

    def __init__(self, size: int) -> None:
        self._above = list(range(size))
        self.sizes = [1] * size

    def root(self, one: int) -> int:
        above = self._above
        while above[one] != one:
            above[one] = above[above[one]]
            one = above[one]
        return one

    def join(self, a: int, b: int) -> None:
        a, b = self.root(a), self.root(b)
        if a != b:
            low, high = min(a, b), max(a, b)
            self._above[high] = low
            self.sizes[low] += self.sizes[high]


def group_matches(matches: Matches) -> MatchGroups:
    """Group matches whose places are the same, up to small differences at their ends.

    Strong matches come first; a weak one joins only places that are in no class yet.
    """
    count = len(matches)
    begin = np.concatenate([matches.begin1, matches.begin2])
    end = np.concatenate([matches.end1, matches.end2])
    place, begins, ends = _places(begin, end)
    first, second = place[:count], place[count:]
    classes = _Sets(len(begins))
    order = np.lexsort((matches.begin2, matches.begin1, -matches.score))
    for match in order.tolist():
        a, b = int(first[match]), int(second[match])
        alone = classes.sizes[classes.root(a)] == classes.sizes[classes.root(b)] == 1
        if matches.score[match] >= _STRONG or alone:
            classes.join(a, b)
    roots = np.array([classes.root(one) for one in first.tolist()], np.int64)
    others = np.array([classes.root(one) for one in second.tolist()], np.int64)
    single = np.array([classes.sizes[root] == 1 for root in roots.tolist()], bool)
    inside, roots = roots == others, np.where(single, others, roots)
    used = np.unique(roots)
    number = {root: i for i, root in enumerate(used.tolist())}
    members: list[list[tuple[int, int]]] = [[] for _ in used]
    for one in range(len(begins)):
        if (root := classes.root(one)) in number:
            members[number[root]].append((int(begins[one]), int(ends[one])))
    class_of = np.array([number[root] for root in roots.tolist()], np.int64)
    return MatchGroups(class_of, inside, tuple(_apart(one) for one in members))


def _apart(members: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The places without those that overlap a longer one; all, if only one would be left."""
    kept: list[tuple[int, int]] = []
    for begin, end in sorted(members, key=lambda one: (one[0] - one[1], one[0])):
        if all(end <= other[0] or other[1] <= begin for other in kept):
            kept.append((begin, end))
    return tuple(sorted(kept if len(kept) > 1 else members))


def _places(begin: Ints, end: Ints) -> tuple[Longs, Longs, Longs]:
    """A number for each stretch, the same for those at the same place; and their stretches.

    A place is represented by its longest stretch. Stretches are taken from the longest on, so the
    result does not depend on the order of matches.
    """
    keys, inverse = np.unique(begin.astype(np.int64) << 32 | end, return_inverse=True)
    starts, stops = keys >> 32, keys & 0xFFFFFFFF
    place = np.full(len(keys), -1, np.int64)
    for one in np.lexsort((starts, starts - stops)).tolist():
        if place[one] >= 0:
            continue
        place[one] = one
        size = stops[one] - starts[one]
        # Others of the same place begin within this one, or not far before it.
        low = np.searchsorted(starts, starts[one] - size)
        high = np.searchsorted(starts, stops[one])
        near = np.arange(low, high)
        near = near[place[near] < 0]
        common = np.minimum(stops[near], stops[one]) - np.maximum(starts[near], starts[one])
        union = np.maximum(stops[near], stops[one]) - np.minimum(starts[near], starts[one])
        place[near[common >= _SAME_PLACE * union]] = one
    chosen, numbers = np.unique(place, return_inverse=True)
    return numbers[inverse], starts[chosen], stops[chosen]
