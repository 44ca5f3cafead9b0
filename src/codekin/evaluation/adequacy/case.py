"""Case: the texts that a criterion compares, as a table of slots that marks the edits.

The texts of a case are the same document except in some places. A slot is one such place, or one
that all texts share, with the content of each text there. So the true alignment is known, and a
case can be shrunk in all of its texts at once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import pairwise

__all__ = ["Case", "Slot", "SlotKind", "overlap", "words"]

_WORD = re.compile(r"\w+|[^\w\s]|\n")
_INSIDE = re.compile(r"\w\w")


def words(text: str) -> list[str]:
    r"""Names, numbers, punctuation marks and line ends, without white space.

    Examples
    --------
    >>> words("x1 = f(y)\n")
    ['x1', '=', 'f', '(', 'y', ')', '\n']
    """
    return _WORD.findall(text)


def overlap(first: str, second: str) -> float:
    r"""The overlap of two texts, as the F1 of their words; 0 if they are disjoint.

    Examples
    --------
    >>> overlap("a = b", "c = d"), overlap("a b", "c d"), overlap("", "")
    (0.3333333333333333, 0.0, 0.0)
    """
    mine, theirs = Counter(words(first)), Counter(words(second))
    total = mine.total() + theirs.total()
    return 2 * (mine & theirs).total() / total if total else 0.0


class SlotKind(Enum):
    """The role of a slot in its case, which decides how the case can be shrunk."""

    SHARED = "shared"
    """The same in all texts; may be removed."""
    EDIT = "edit"
    """Differs; may be removed."""
    ESSENTIAL = "essential"
    """Differs, and the criterion needs it; words of it may be removed."""
    CONTEXT = "context"
    """Added to all three texts, to see whether it counts; essential."""
    WHOLE = "whole"
    """Essential, and never shortened: a program and a variant of it."""


@dataclass(frozen=True)
class Slot:
    """A place in a case, with the content of each text there.

    Attributes
    ----------
    texts : tuple of str
        One per text of the case; empty if it has nothing there.
    kind : SlotKind
    """

    texts: tuple[str, ...]
    kind: SlotKind = SlotKind.SHARED

    @property
    def shared(self) -> bool:
        """Whether all texts are equal here."""
        return self.kind is SlotKind.SHARED

    @property
    def pattern(self) -> tuple[int, ...]:
        """Which texts are equal here, and which are empty (-1).

        Examples
        --------
        >>> Slot(("a", "", "b", "a")).pattern
        (0, -1, 2, 0)
        """
        return tuple(self.texts.index(text) if text else -1 for text in self.texts)


@dataclass(frozen=True)
class Case:
    """The texts that a criterion is checked on.

    Attributes
    ----------
    criterion : str
        Its name, such as ``1b``.
    number : int
        Of the case, within its criterion.
    language : str
    level : str
        ``line``, ``token`` or ``block``: what was edited.
    made : bool
        Whether the document was generated; otherwise it is a real program.
    slots : tuple of Slot
    """

    criterion: str
    number: int
    language: str
    level: str
    made: bool
    slots: tuple[Slot, ...]

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The texts, in the order of the criterion's roles."""
        return tuple("".join(column) for column in zip(*(s.texts for s in self.slots), strict=True))

    @cached_property
    def size(self) -> int:
        """The number of words in all texts."""
        return sum(len(words(text)) for text in self.texts)

    def changed(self) -> Iterable[Slot]:
        """The slots in which texts differ."""
        return (slot for slot in self.slots if not slot.shared)

    def sound(self) -> bool:
        """Whether edits are separate, no two pieces merge into one word, and no text is blank.

        Context before or after everything may touch an edit.
        """
        last = len(self.slots) - 1
        touching = False
        for i, slot in enumerate(self.slots):
            at_end = slot.kind is SlotKind.CONTEXT and i in (0, last)
            if not slot.shared and not at_end and touching:
                return False
            touching = not slot.shared and not at_end
        if not self.slots or not all(text.strip() for text in self.texts):
            return False
        return not any(
            _joined(column) for column in zip(*(s.texts for s in self.slots), strict=True)
        )


def _joined(pieces: Iterable[str]) -> bool:
    """Whether a piece continues the last word of the one before."""
    filled = [piece for piece in pieces if piece]
    return any(_INSIDE.match(one[-1] + other[0]) for one, other in pairwise(filled))
