"""Insertions that slide: of equally good places for an insertion, the one that reads best.

If a revision repeats tokens around an insertion, as in ``} f() {`` before ``}``, an alignment may
place the insertion at several positions of the origin; no token of the origin is kept or lost by
that. ``git diff`` chooses among them by lines and indentation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from codekin.align.lcs import Hunks, Ids, lcs_pairs

__all__ = ["Stops", "slide_insertions"]


@dataclass(frozen=True, slots=True)
class Stops:
    """Where the insertions of a revision may begin and end.

    Attributes
    ----------
    boundaries : set of int
        Positions in the revision between which whole lines lie.
    preferred : set of int
        Positions at which an insertion should begin.
    """

    boundaries: frozenset[int]
    preferred: frozenset[int] = frozenset()


@dataclass(slots=True)
class _Insertion:
    """An insertion of one revision, and the positions of the origin that it may take.

    Attributes
    ----------
    hunk : int
        Its number among the hunks.
    at, lowest, highest : int
        Its position in the origin, and the first and the last that it may have.
    start, end : int
        Its tokens in the revision, at its position.
    good, best : lists of int
        Positions at which it consists of whole lines, and those that are preferred.
    """

    hunk: int
    at: int
    lowest: int
    highest: int
    start: int
    end: int
    good: list[int]
    best: list[int]

    def tokens(self, revision: Ids, place: int) -> Ids:
        """What is inserted if it is placed at a position of the origin."""
        shift = place - self.at
        return revision[self.start + shift : self.end + shift]

    @property
    def own_choice(self) -> int:
        """The place that it takes regardless of the other revision."""
        if self.at in self.best or not self.good:
            return self.at
        return self.best[-1] if self.best else self.at if self.at in self.good else self.good[-1]


def slide_insertions(
    revisions: tuple[Ids, Ids], hunks: tuple[Hunks, Hunks], stops: tuple[Stops, Stops]
) -> tuple[Hunks, Hunks]:
    """Slide the insertions of two revisions to whole lines, and equal ones to one place.

    Parameters
    ----------
    revisions : two uint64 arrays
        Token identities of the revisions.
    hunks : two int32 arrays of shape (k, 4)
        Where each differs from the origin, as returned by
        :func:`codekin.align.regions.revision_hunks`.
    stops : two Stops
        Of the revisions.

    Returns
    -------
    tuple of int32 arrays
        Hunks that keep the same tokens of the origin. The result for exchanged revisions is
        exchanged.

    Examples
    --------
    >>> import numpy as np
    >>> revision = np.array([1, 7, 8, 7, 9], dtype=np.uint64)  # of the origin 1 7 9
    >>> hunks = np.array([[2, 2, 2, 4]], dtype=np.int32)  # 8 7 was inserted
    >>> stops = Stops(frozenset([1, 3]))  # 7 8 is a line
    >>> slide_insertions((revision, revision), (hunks, hunks), (stops, stops))[0]
    array([[1, 1, 1, 3]], dtype=int32)
    """
    joined = tuple(_joined(*side) for side in zip(revisions, hunks, strict=True))
    first, second = (_insertions(*side) for side in zip(revisions, joined, stops, strict=True))
    choices = [{one.hunk: one.own_choice for one in side} for side in (first, second)]
    taken: set[int] = set()
    near = 0  # both are in the order of the origin, and so are their first and last places
    for one in first:
        while near < len(second) and second[near].highest < one.lowest:
            near += 1
        for other in map(second.__getitem__, range(near, len(second))):
            if one.highest < other.lowest:
                break
            if other.hunk in taken:
                continue
            place = _common_place(one, other, revisions)
            if place is not None:
                choices[0][one.hunk] = choices[1][other.hunk] = place
                taken.add(other.hunk)
                break
    return _moved(joined[0], choices[0]), _moved(joined[1], choices[1])


def _joined(revision: Ids, hunks: Hunks) -> list[list[int]]:
    """The hunks, with each insertion joined to the insertion above that it can slide to."""
    rows: list[list[int]] = []
    for row in hunks.tolist():
        rows.append(row)
        while len(rows) > 1:
            (start, end, _, _), (at, own_end, own, last) = rows[-2], rows[-1]
            if start != end or at != own_end:
                break
            up = _reach_up(revision, own, last, at - end)
            if up < at - end:
                break
            rows.pop()
            rows[-1][3] = last - up  # what was between them now follows both
    return rows


def _reach_up(revision: Ids, start: int, end: int, most: int) -> int:
    """By how many tokens an insertion can move up, at most `most`."""
    up = 0
    while up < most and revision[start - 1 - up] == revision[end - 1 - up]:
        up += 1
    return up


def _reach_down(revision: Ids, start: int, end: int, most: int) -> int:
    down = 0
    while down < most and revision[start + down] == revision[end + down]:
        down += 1
    return down


def _insertions(revision: Ids, rows: Sequence[Sequence[int]], stops: Stops) -> list[_Insertion]:
    found = []
    for i, (at, at_end, start, end) in enumerate(rows):
        if at != at_end or start == end:
            continue
        # Hunks stay apart: each insertion is one of its own.
        above = at - rows[i - 1][1] - 1 if i else at
        after = rows[i + 1][0] - at - 1 if i + 1 < len(rows) else len(revision) - end
        up = _reach_up(revision, start, end, max(0, above))
        down = _reach_down(revision, start, end, max(0, after))
        shifts = range(-up, down + 1)
        good = [s for s in shifts if start + s in stops.boundaries and end + s in stops.boundaries]
        best = [s for s in good if start + s in stops.preferred]
        found.append(
            _Insertion(
                *(i, at, at - up, at + down, start, end),
                [at + s for s in good],
                [at + s for s in best],
            )
        )
    return found


def _common_place(one: _Insertion, other: _Insertion, revisions: tuple[Ids, Ids]) -> int | None:
    """A place for two insertions that have much in common; None if there is none."""
    places = set(one.good) & set(other.good)
    if not places:
        if one.good or other.good:  # whole lines do not move into the middle of others
            return None
        places = set(range(max(one.lowest, other.lowest), min(one.highest, other.highest) + 1))
    either = places & {one.own_choice, other.own_choice}
    place = max(either or places)
    tokens = one.tokens(revisions[0], place), other.tokens(revisions[1], place)
    if 2 * len(lcs_pairs(*tokens)) < min(map(len, tokens)):
        return None
    return place


def _moved(rows: Sequence[Sequence[int]], choices: dict[int, int]) -> Hunks:
    """The hunks with their insertions at the chosen places, as far as they stay apart."""
    done: list[list[int]] = []
    for i, (at, at_end, start, end) in enumerate(rows):
        shift = choices.get(i, at) - at
        if done and at + shift <= done[-1][1]:
            shift = 0
        done.append([at + shift, at_end + shift, start + shift, end + shift])
    table: npt.NDArray[np.int32] = np.array(done, dtype=np.int32).reshape(-1, 4)
    return table
