"""shrink: a counter-example made as small as it goes while it stays one."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator
from dataclasses import replace
from itertools import combinations

from codekin.evaluation.adequacy.case import Case, SlotKind

__all__ = ["shrink"]

_PIECE = re.compile(r"\s*(?:\w+|[^\w\s])\s*?(?=\s|\S|\Z)")
_NAME = re.compile(r"[^\W\d]")
_PAIRS = (("(", ")"), ("[", "]"), ("{", "}"))
_LONGEST = 5
_DROPPED = {SlotKind.SHARED, SlotKind.EDIT}


def shrink(case: Case, broken: Callable[[Case], bool], *, steps: int = 250) -> Case:
    """Leave out slots, and then words, as long as a case stays broken.

    Parameters
    ----------
    case : Case
        A broken one.
    broken : callable
        Whether a case is one of its criterion, and breaks it.
    steps : int
        How often it may be asked.

    Returns
    -------
    Case
        Broken, and no larger.

    Examples
    --------
    >>> from codekin.evaluation.adequacy.case import Slot
    >>> slots = tuple(Slot((f"{word} ", f"{word} ")) for word in "abcd")
    >>> small = shrink(Case("6", 0, "c", "token", True, slots), lambda one: "c" in one.texts[0])
    >>> small.texts
    ('c ', 'c ')
    """
    shrinker = _Shrinker(case, broken, steps)
    while shrinker.drop_slots() | shrinker.trim_texts():
        pass
    return shrinker.case


class _Shrinker:
    """A case that gets smaller, and how often it may still be asked whether it is broken."""

    def __init__(self, case: Case, broken: Callable[[Case], bool], steps: int) -> None:
        self.case = case
        self._broken = broken
        self._left = steps

    def _take(self, smaller: Case) -> bool:
        """Go on with a smaller case, if it is one and there are steps left to see that."""
        if self._left <= 0 or not smaller.sound():
            return False
        self._left -= 1
        if self._broken(smaller):
            self.case = smaller
            return True
        return False

    def drop_slots(self) -> bool:
        """Leave slots out, many in a row at first; say whether one went."""
        before = self.case
        length = len(self._free())
        while length and self._left > 0:
            start = 0
            while gone := self._free()[start : start + length]:
                kept = [slot for i, slot in enumerate(self.case.slots) if i not in gone]
                if not self._take(replace(self.case, slots=tuple(kept))):
                    start += length
            length //= 2
        return self.case is not before

    def _free(self) -> list[int]:
        return [i for i, slot in enumerate(self.case.slots) if slot.kind in _DROPPED]

    def trim_texts(self) -> bool:
        """Leave words out, one text after the other; say whether one went."""
        if self.case.level == "block":  # half a function reads badly
            return False
        return any(self._take(smaller) for smaller in _trimmed(self.case))


def _trimmed(case: Case) -> Iterator[Case]:
    """Cases in which some words of a text are left out wherever that text stands."""
    whole = {text for slot in case.slots if slot.kind is SlotKind.WHOLE for text in slot.texts}
    standing = dict.fromkeys(text for slot in case.slots for text in slot.texts if text)
    for text in standing:
        if text in whole:
            continue
        for shorter in _shorter(text):
            if shorter not in standing:
                slots = tuple(
                    replace(s, texts=tuple(shorter if own == text else own for own in s.texts))
                    for s in case.slots
                )
                yield replace(case, slots=slots)


def _shorter(text: str) -> Iterator[str]:
    """The text without some words, the most first; a name and all pairs of brackets are left."""
    pieces = _PIECE.findall(text)
    end = text[len("".join(pieces)) :]
    front = text[: len(text) - len(text.lstrip(" "))]
    back = " " if text.endswith(" ") else ""
    for gone in _runs(len(pieces)):
        rest = "".join(piece for i, piece in enumerate(pieces) if i not in gone) + end
        if _NAME.search(rest) and all(rest.count(a) == rest.count(b) for a, b in _PAIRS):
            yield front + rest.strip(" ") + back


def _runs(length: int) -> Iterator[Container[int]]:
    """Places to leave out: in a row, the most first, and then two that may be a pair."""
    for size in sorted({length // 2, *range(1, min(length, _LONGEST))}, reverse=True):
        for start in range(length - size + 1) if size else ():
            yield range(start, start + size)
    if length <= 2 * _LONGEST:
        yield from (frozenset(pair) for pair in combinations(range(length), 2))
