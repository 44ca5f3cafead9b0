"""How a case of each criterion is made: which edits its texts have, and which they share."""

from __future__ import annotations

from collections.abc import Callable

from codekin.evaluation.adequacy.case import Slot, SlotKind, overlap
from codekin.evaluation.adequacy.documents import UnitKind
from codekin.evaluation.adequacy.draft import Draft, Edit, NoRoomError

__all__ = ["DRAFTED", "Drafted"]

Drafted = Callable[[Draft, int], list[Slot]]
"""Puts a case's edits into a draft; the number says how large it may be."""

_NEEDED = SlotKind.ESSENTIAL


def _identity(draft: Draft, size: int) -> list[Slot]:
    """1a and 3d: origin, reference."""
    for i in range(draft.chance.randint(1, min(size, 4))):
        edit = draft.edit()
        draft.put(edit, edit.old, edit.new, kind=_NEEDED if i == 0 else SlotKind.EDIT)
    return draft.slots()


def _one_more(draft: Draft, size: int) -> list[Slot]:
    """1b: origin, reference, candidate, the candidate with one more edit of the reference."""
    more = draft.edit()
    draft.put(more, more.old, more.new, more.old, more.new, kind=_NEEDED)
    for _ in range(draft.chance.randint(0, min(size, 4))):
        edit = draft.edit()
        own = draft.chance.choice((edit.old, edit.new))
        draft.put(edit, edit.old, edit.new, own, own)
    return draft.slots()


def _agreed_deletion(draft: Draft, _: int) -> list[Slot]:
    """1c: origin, reference, a candidate that deletes the same, one that does not."""
    gone, other = draft.edit("delete"), draft.edit("replace")
    wrong = draft.another(other)
    draft.put(gone, gone.old, "", "", gone.old, kind=_NEEDED)
    draft.put(other, other.old, other.new, wrong, wrong, kind=_NEEDED)
    return draft.slots()


def _extra_edit(draft: Draft, size: int) -> list[Slot]:
    """2a: origin, reference, candidate, the candidate with an edit that the reference lacks.

    That edit has no word in common with edits that the candidate lacks, for it would agree with
    these in part.
    """
    extra, agreed = draft.edit(), draft.edit()
    draft.put(extra, extra.old, extra.old, extra.old, extra.new, kind=_NEEDED)
    draft.put(agreed, agreed.old, agreed.new, agreed.new, agreed.new, kind=_NEEDED)
    for _ in range(draft.chance.randint(0, min(size, 3))):
        edit = draft.edit()
        alike = overlap(extra.old + extra.new, edit.old + edit.new)
        own = edit.new if alike else draft.chance.choice((edit.old, edit.new))
        draft.put(edit, edit.old, edit.new, own, own)
    return draft.slots()


def _left_hand_side(draft: Draft, size: int) -> list[Slot]:
    """2b: origin, reference, candidate; what both replace is longer than what either puts there."""
    edit = draft.edit("replace")
    longer = [draft.another(edit) for _ in range(draft.chance.randint(0, min(size, 5)))]
    if draft.document.level == "line":
        old = "".join([edit.old, *longer])
    else:
        end = " " if edit.old.endswith(" ") else ""
        old = " + ".join(text.strip() for text in (edit.old, *longer)) + end
    draft.put(edit, old, edit.new, draft.another(edit), kind=_NEEDED)
    return draft.slots()


def _wrong_edit(draft: Draft, size: int) -> list[Slot]:
    """2c: origin, reference, candidate; one wrong edit, in the right place or elsewhere."""
    right = draft.edit("replace")
    if draft.chance.random() < 0.5:
        draft.put(right, right.old, right.new, draft.another(right), kind=_NEEDED)
    else:
        wrong = draft.edit("replace")
        draft.put(right, right.old, right.new, right.old, kind=_NEEDED)
        draft.put(wrong, wrong.old, wrong.old, wrong.new, kind=_NEEDED)
    lines = draft.chance.randint(2, 4 + 8 * size)
    before = [Slot((draft.writer.statement(),) * 3) for _ in range(lines)]
    return [*before, *draft.slots()]


def _inserted_and_deleted(draft: Draft, _: int) -> list[Slot]:
    """2d: origin, reference, a reference that inserts something else, candidate.

    The candidate deletes what the first reference inserts elsewhere; the second inserts what
    stands elsewhere as well, and stays. Both are as long, of capitals alone, so that measures of
    sets and of characters find the same in either.
    """
    kind = UnitKind.LINE if draft.document.level == "line" else UnitKind.TERM
    gone, left, place = draft.take(kind), draft.take(kind), draft.take()
    form = draft.chance.randrange(4)
    marks = draft.chance.sample("BCDFGHJKLMPQRST", 2)
    same, other = (_capitals(draft, form, mark) for mark in marks)
    draft.put(Edit(gone, "replace", same, same), same, same, same, "", kind=SlotKind.WHOLE)
    draft.put(Edit(left, "replace", other, other), *[other] * 4, kind=SlotKind.WHOLE)
    draft.put(Edit(place, "insert", "", same), "", same, other, "", kind=SlotKind.WHOLE)
    return draft.slots()


def _capitals(draft: Draft, form: int, mark: str) -> str:
    """A line or term of names of one capital, as long as another of another capital."""
    if draft.document.level == "line":
        return draft.writer.statement_of([mark * 3, mark * 4, mark * 5], "", form)
    return draft.term(mark * 4)


def _revisions(draft: Draft, size: int, least: int = 1) -> list[tuple[Edit, tuple[str, str, str]]]:
    """Some edits, each with origin, reference and candidate; the first are not agreed on."""
    found = []
    for i in range(draft.chance.randint(least, max(least, min(size, 4)))):
        edit = draft.edit()
        wrong = draft.another(edit) if edit.new else edit.old
        ways = [
            (edit.old, edit.new, edit.old),
            (edit.old, edit.old, edit.new),
            (edit.old, edit.new, wrong),
            (edit.old, edit.new, edit.new),
        ]
        found.append((edit, draft.chance.choice(ways[:-1] if i == 0 else ways)))
    return found


def _context(draft: Draft, size: int, where: str) -> list[Slot]:
    """3a to 3c: origin, reference and candidate, and the three with shared context."""
    if where == "inside":
        at = draft.take()
        line = draft.document.level == "line"
        lines = [draft.fresh(at, term=True) for _ in range(draft.chance.randint(1, 2 * size))]
        within = "".join(lines if line else lines[:4])
        put = ("", "", "", within, within, within)
        draft.put(Edit(at, "insert", "", within), *put, kind=SlotKind.CONTEXT)
    for i, (edit, three) in enumerate(_revisions(draft, size)):
        draft.put(edit, *three, *three, kind=_NEEDED if i == 0 else SlotKind.EDIT)
    if where == "inside":
        return draft.slots()
    text = "".join(draft.writer.statement() for _ in range(draft.chance.randint(1, 4 * size)))
    slot = Slot(("", "", "", text, text, text), SlotKind.CONTEXT)
    return [slot, *draft.slots()] if where == "before" else [*draft.slots(), slot]


def _nothing(draft: Draft, _: int) -> list[Slot]:
    """3e: a document."""
    return draft.slots()


def _moving_origin(draft: Draft, size: int) -> list[Slot]:
    """4: origin, an origin farther away, reference, candidate.

    Both revisions stay equally far from the origin: they replace the same places.
    """
    moved = draft.edit("replace")
    draft.put(moved, moved.old, moved.new, moved.old, moved.old, kind=_NEEDED)
    apart = draft.edit("replace")
    wrong = draft.another(apart)
    draft.put(apart, apart.old, apart.old, apart.new, wrong, kind=_NEEDED)
    for _ in range(draft.chance.randint(0, min(size, 3))):
        edit = draft.edit("replace")
        before = draft.chance.random() < 0.5  # a step that the origin took before
        new = edit.old if before else edit.new
        old = edit.new if before else edit.old
        draft.put(edit, old, old, new, new)
    return draft.slots()


def _moved_insertion(draft: Draft, _: int) -> list[Slot]:
    """5a and 5b: origin, reference, candidate; both insert a function, at different places."""
    places = [i for i, unit in enumerate(draft.document.units) if i and unit.kind is UnitKind.BLOCK]
    ends = [len(draft.document.units)] if draft.document.made else []
    if len(places + ends) < 2:
        raise NoRoomError
    here, there = draft.chance.sample([*places, *ends], 2)
    function = draft.fresh(places[0])
    slots = draft.slots()
    put = {
        here: Slot(("", function, ""), SlotKind.WHOLE),
        there: Slot(("", "", function), SlotKind.WHOLE),
    }
    for at in sorted(put, reverse=True):
        slots.insert(at, put[at])
    return slots


def _mixed(draft: Draft, size: int) -> list[Slot]:
    """6: origin, reference, candidate."""
    for i, (edit, three) in enumerate(_revisions(draft, size)):
        draft.put(edit, *three, kind=_NEEDED if i == 0 else SlotKind.EDIT)
    return draft.slots()


DRAFTED: dict[str, Drafted] = {
    "1a": _identity,
    "1b": _one_more,
    "1c": _agreed_deletion,
    "2a": _extra_edit,
    "2b": _left_hand_side,
    "2c": _wrong_edit,
    "2d": _inserted_and_deleted,
    "3a": lambda draft, size: _context(draft, size, "before"),
    "3b": lambda draft, size: _context(draft, size, "after"),
    "3c": lambda draft, size: _context(draft, size, "inside"),
    "3d": _identity,
    "3e": _nothing,
    "4": _moving_origin,
    "5a": _moved_insertion,
    "5b": _moved_insertion,
    "6": _mixed,
}
"""All criteria but those about variants of programs, whose cases no draft makes."""
