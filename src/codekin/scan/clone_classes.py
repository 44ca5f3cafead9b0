"""Findings grouped into classes of clones: all places that are copies of each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from codekin.scan.matches import Matches
from codekin.scan.scan_result import TYPES

__all__ = ["MatchGroups", "PlaceClass", "group_matches"]

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]

_SAME_PLACE = 0.7
"""Two stretches with this part of their union in common are the same place."""
_STRONG = 0.6
"""Weaker findings do not join classes, so that chains of them do not either."""
_WEAK = len(TYPES)
"""The level of places that have weak matches alone, after those of all types."""


@dataclass(frozen=True, eq=False, repr=False)
class PlaceClass:
    """Places that are copies of each other.

    Attributes
    ----------
    type : int
        The weakest type of its own matches, a place in :data:`~codekin.scan.matches.TYPES`.
    score : float
        The lowest score of its own matches.
    members : tuple of (int, int)
        The places: first token and end.
    parts : tuple of int
        A number per member, the same for those of one class inside of this one.
    around : int
        The number of the class that it is inside of; negative if there is none.
    """

    type: int
    score: float
    members: tuple[tuple[int, int], ...]
    parts: tuple[int, ...]
    around: int


@dataclass(frozen=True, eq=False, repr=False)
class MatchGroups:
    """Classes of places; copies with fewer differences are in classes inside of wider ones.

    Attributes
    ----------
    class_of : int64 array
        The class of each match, the innermost with both of its places; the outermost of its first
        place, if a weak match leads to another class.
    classes : tuple of PlaceClass
        Numbered by their first places; inner ones first.
    """

    class_of: Longs
    classes: tuple[PlaceClass, ...]


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


@dataclass(eq=False)
class _Group:
    """A class that is being made: its places by part, and the matches that belong to it alone."""

    parts: list[list[int]]
    inner: list[_Group]
    around: _Group | None = None
    matches: list[int] = field(default_factory=list)
    spans: dict[int, tuple[int, int]] = field(default_factory=dict)

    def widen(self, place: int, span: tuple[int, int]) -> None:
        """Represent a place by its longest stretch."""
        begin, end = self.spans.get(place, (0, 0))
        if (span[0] - span[1], span[0]) < (begin - end, begin):
            self.spans[place] = span


class _Nesting:
    """Places that join classes, and classes that join wider ones."""

    def __init__(self, size: int) -> None:
        self.groups: list[_Group] = []
        self._sets = _Sets(size)
        self._places = [[number] for number in range(size)]
        self._group_at: dict[int, _Group] = {}

    def join(self, pairs: Sequence[tuple[int, int]]) -> None:
        """Make a class of all that pairs of places connect, around the classes that they are in."""
        sets = self._sets
        before = dict.fromkeys(sets.root(place) for pair in pairs for place in pair)
        for pair in pairs:
            sets.join(*pair)
        joined: dict[int, list[int]] = {}
        for part in before:
            joined.setdefault(sets.root(part), []).append(part)
        for root, parts in joined.items():
            if len(parts) > 1:
                inner = [self._group_at[part] for part in parts if part in self._group_at]
                group = self._add(root, [self._places[part] for part in parts], inner)
                for narrower in inner:
                    narrower.around = group
                self._places[root] = [place for part in group.parts for place in part]

    def common(self, first: int, second: int) -> _Group | None:
        """The class with both places; None if they are not joined yet."""
        root = self._sets.root(first)
        return self.around(first) if root == self._sets.root(second) else None

    def around(self, place: int) -> _Group:
        """The outermost class of a place; one of its own if its stretches are only like itself."""
        root = self._sets.root(place)
        return self._group_at.get(root) or self._add(root, [self._places[root]], [])

    def _add(self, root: int, parts: list[list[int]], inner: list[_Group]) -> _Group:
        group = _Group(parts, inner)
        self.groups.append(group)
        self._group_at[root] = group
        return group


def group_matches(matches: Matches) -> MatchGroups:
    """Group matches whose places are the same, up to small differences at their ends.

    The matches of one type join classes of stricter types, which are inside of the new class then.
    Strong matches come first; a weak one joins only places that are in no class yet. What has only
    weak matches to a class is with it in a wider one.
    """
    count = len(matches)
    begin = np.concatenate([matches.begin1, matches.begin2])
    end = np.concatenate([matches.end1, matches.end2])
    place, size = _places(begin, end)
    first, second = place[:count].tolist(), place[count:].tolist()
    levels = _levels(matches, first, second, size)
    nesting = _Nesting(size)
    group_of: dict[int, _Group] = {}
    kinds, scores = matches.type.tolist(), matches.score.tolist()
    waiting = list(range(count))
    for level in range(_WEAK + 1):
        nesting.join(
            [(first[match], second[match]) for match in np.flatnonzero(levels == level).tolist()]
        )
        later = []
        for match in waiting:
            fits = kinds[match] <= level
            group = nesting.common(first[match], second[match]) if fits else None
            if group is None:
                later.append(match)
            else:
                group_of[match] = group
                group.matches.append(match)
        waiting = later
    group_of |= {match: nesting.around(first[match]) for match in waiting}
    spans = list(zip(begin.tolist(), end.tolist(), strict=True))
    for group in nesting.groups:  # inner ones come first
        for match in group.matches:
            group.widen(first[match], spans[match])
            group.widen(second[match], spans[count + match])
        for narrower in group.inner:
            for at, span in narrower.spans.items():
                group.widen(at, span)
    groups = sorted(nesting.groups, key=lambda group: min(group.spans))
    rank = {group: number for number, group in enumerate(groups)}
    return MatchGroups(
        np.array([rank[group_of[match]] for match in range(count)], np.int64),
        tuple(
            _place_class(group, kinds, scores, -1 if group.around is None else rank[group.around])
            for group in groups
        ),
    )


def _levels(matches: Matches, first: list[int], second: list[int], size: int) -> Longs:
    """When each match joins its places: at the level of its type, last of all, or never (-1)."""
    levels = np.full(len(matches), -1, np.int64)
    classes, weak = _Sets(size), []
    for match in np.lexsort((matches.begin2, matches.begin1, -matches.score)).tolist():
        a, b = first[match], second[match]
        alone = classes.sizes[classes.root(a)] == classes.sizes[classes.root(b)] == 1
        if matches.score[match] >= _STRONG or alone:
            classes.join(a, b)
            levels[match] = matches.type[match]
        else:
            weak.append(match)
    waiting = {number for number in range(size) if classes.sizes[classes.root(number)] == 1}
    for match in weak:
        ends = waiting.intersection((first[match], second[match]))
        if ends:
            levels[match] = _WEAK
            waiting -= ends
    return levels


def _place_class(
    group: _Group, kinds: Sequence[int], scores: Sequence[float], around: int
) -> PlaceClass:
    part_of = {place: number for number, part in enumerate(group.parts) for place in part}
    members = _apart([(*span, part_of[place]) for place, span in group.spans.items()])
    return PlaceClass(
        max(kinds[match] for match in group.matches),
        min(scores[match] for match in group.matches),
        tuple((begin, end) for begin, end, _ in members),
        tuple(part for *_, part in members),
        around,
    )


def _apart(members: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """The places without those that overlap a longer one; all, if only one would be left."""
    kept: list[tuple[int, int, int]] = []
    for member in sorted(members, key=lambda member: (member[0] - member[1], member[0])):
        begin, end, _ = member
        if all(end <= longer[0] or longer[1] <= begin for longer in kept):
            kept.append(member)
    return sorted(kept if len(kept) > 1 else members)


def _places(begin: Ints, end: Ints) -> tuple[Longs, int]:
    """A number for each stretch, the same for those at the same place; and how many there are.

    A place is what its longest stretch has most of. Stretches are taken from the longest on, so the
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
    return numbers[inverse], len(chosen)
