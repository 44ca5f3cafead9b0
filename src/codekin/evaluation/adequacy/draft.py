"""Draft: a document while edits are put into it."""

from __future__ import annotations

import random
from dataclasses import dataclass

from codekin.evaluation.adequacy.case import Slot, SlotKind
from codekin.evaluation.adequacy.documents import Document, UnitKind
from codekin.evaluation.adequacy.writer import Writer, indentation

__all__ = ["Draft", "Edit", "NoRoomError"]

_EDITABLE = frozenset({UnitKind.NAME, UnitKind.TERM, UnitKind.LINE})
_ACTIONS = {
    UnitKind.NAME: ("replace", "replace", "insert"),
    UnitKind.TERM: ("delete", "insert"),
    UnitKind.LINE: ("replace", "delete", "insert"),
}


class NoRoomError(Exception):
    """The document is too small for the edits of a case; another one is to be drawn."""


@dataclass(frozen=True)
class Edit:
    """A change at one place of a document.

    Attributes
    ----------
    at : int
        The unit that is changed, or after which something is put.
    action : str
        ``replace``, ``delete`` or ``insert``.
    old, new : str
        What stood there, and what then does.
    """

    at: int
    action: str
    old: str
    new: str


class Draft:
    """A document of several texts, all the same until edits are put in.

    Parameters
    ----------
    document : Document
    texts : int
        How many.
    writer : Writer
        Of the same language, whose names stand nowhere in the document.
    chance : random.Random
    """

    def __init__(
        self, document: Document, texts: int, writer: Writer, chance: random.Random
    ) -> None:
        self.document = document
        self.writer = writer
        self.chance = chance
        self._texts = texts
        self._used: set[int] = set()
        self._instead: dict[int, Slot] = {}
        self._after: dict[int, Slot] = {}

    def take(self, *kinds: UnitKind) -> int:
        """A unit to edit, which is apart from all that were taken before."""
        wanted = kinds or tuple(_EDITABLE)
        free = [
            i
            for i, unit in enumerate(self.document.units)
            if unit.kind in wanted and not self._used & {i - 1, i, i + 1}
        ]
        if not free:
            raise NoRoomError
        chosen = self.chance.choice(free)
        self._used.add(chosen)
        return chosen

    def edit(self, *actions: str) -> Edit:
        """An edit at a place of its own; one of the actions, where they are given."""
        kinds = [k for k, can in _ACTIONS.items() if not actions or set(can) & set(actions)]
        at = self.take(*kinds)
        unit = self.document.units[at]
        can = [one for one in _ACTIONS[unit.kind] if not actions or one in actions]
        action = self.chance.choice(can)
        new = "" if action == "delete" else self.fresh(at, term=action == "insert")
        return Edit(at, action, "" if action == "insert" else unit.text, new)

    def fresh(self, at: int, *, term: bool = False, form: int | None = None) -> str:
        """A text like that of a unit, of names that stand nowhere else."""
        unit = self.document.units[at]
        if unit.kind is UnitKind.LINE:
            return self.writer.statement(indentation(unit.text), form)
        if unit.kind is UnitKind.BLOCK:
            return self.writer.function(indentation(unit.text))
        name = self.writer.name()
        if term or unit.kind is UnitKind.TERM:
            return self.term(name)
        return f"{name} " if unit.text.endswith(" ") else name

    def term(self, name: str) -> str:
        """A term of a name, as they are written in this document."""
        return f"+ {name} " if self.document.made else f" + {name}"

    def another(self, edit: Edit) -> str:
        """What an edit could have put in place of what it puts."""
        return self.fresh(edit.at, term=edit.action == "insert")

    def put(self, edit: Edit, *texts: str, kind: SlotKind = SlotKind.EDIT) -> None:
        """Say what each text has at the place of an edit."""
        slots = self._after if edit.action == "insert" else self._instead
        slots[edit.at] = Slot(texts, kind)

    def slots(self) -> list[Slot]:
        """The whole document."""
        found = []
        for i, unit in enumerate(self.document.units):
            found.append(self._instead.get(i) or Slot((unit.text,) * self._texts))
            if i in self._after:
                found.append(self._after[i])
        return found
