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


def shrink(case: Case, broken: Callable[[Case], bool], *, steps: int = 150) -> Case:
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
    left = steps
    again = True
    while again and left > 0:
        again = False
        for smaller in _smaller(case):
            if left <= 0:
                break
            if not smaller.sound():
                continue
            left -= 1
            if broken(smaller):
                case, again = smaller, True
                break
    return case


def _smaller(case: Case) -> Iterator[Case]:
    """Cases with less in them, those first with the least."""
    free = [i for i, slot in enumerate(case.slots) if slot.kind in _DROPPED]
    length = len(free)
    while length:
        for start in range(0, len(free), length):
            gone = set(free[start : start + length])
            kept = tuple(slot for i, slot in enumerate(case.slots) if i not in gone)
            if kept:
                yield replace(case, slots=kept)
        length //= 2
    if case.level != "block":  # half a function reads badly
        yield from _trimmed(case)


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
