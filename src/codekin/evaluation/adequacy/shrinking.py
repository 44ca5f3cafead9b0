"""shrink: a counter-example made as small as it goes while it stays one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from codekin.evaluation.adequacy.case import Case, Slot, SlotKind

__all__ = ["shrink"]

_PIECE = re.compile(r"\s*(?:\w+|[^\w\s])\s*?(?=\s|\S|\Z)")
_NAME = re.compile(r"\w")
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
    >>> slots = tuple(Slot((word, word)) for word in "a b c d".split())
    >>> small = shrink(Case("6", 0, "c", "token", True, slots), lambda one: "c" in one.texts[0])
    >>> small.texts
    ('c', 'c')
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
    standing = {text for slot in case.slots for text in slot.texts}
    for i, slot in enumerate(case.slots):
        if slot.kind is not SlotKind.WHOLE:
            for shorter in _shorter(slot, standing):
                yield replace(case, slots=(*case.slots[:i], shorter, *case.slots[i + 1 :]))


def _shorter(slot: Slot, standing: set[str]) -> Iterator[Slot]:
    """The slot with a half or a word less in one of its texts, which stays another than all."""
    for text in dict.fromkeys(filter(None, slot.texts)):
        pieces = _PIECE.findall(text)
        end = text[len("".join(pieces)) :]
        length = len(pieces) // 2
        while length:
            for start in range(0, len(pieces), length):
                rest = "".join(pieces[:start] + pieces[start + length :]) + end
                shorter = _blanks(text) + rest.strip(" ") + (" " if text[-1] == " " else "")
                if _NAME.search(rest) and shorter not in standing:
                    texts = tuple(shorter if own == text else own for own in slot.texts)
                    yield replace(slot, texts=texts)
            length //= 2


def _blanks(text: str) -> str:
    return text[: len(text) - len(text.lstrip(" "))]
