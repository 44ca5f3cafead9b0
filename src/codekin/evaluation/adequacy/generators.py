"""generate_cases: the cases of a criterion, small ones first, the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import indent

from codekin.errors import CodekinError
from codekin.evaluation.adequacy.case import Case, Slot, SlotKind, overlap
from codekin.evaluation.adequacy.criteria import Criterion
from codekin.evaluation.adequacy.documents import (
    Document,
    UnitKind,
    Writer,
    indentation,
    made_document,
    made_languages,
    program_document,
    split_functions,
    whole_functions,
)
from codekin.represent.tree.fragments import functions_of
from codekin.rewrite import rewrite
from codekin.rewrite.chance import generator
from codekin.source import Source

__all__ = ["DRAFTED", "Draft", "Drafted", "Edit", "NoRoomError", "generate_cases"]

_EDITABLE = frozenset({UnitKind.NAME, UnitKind.TERM, UnitKind.LINE})
_ACTIONS = {
    UnitKind.NAME: ("replace", "replace", "insert"),
    UnitKind.TERM: ("delete", "insert"),
    UnitKind.LINE: ("replace", "delete", "insert"),
}


class NoRoomError(Exception):
    """The document is too small for the edits of a case; another one must be drawn."""


@dataclass(frozen=True)
class Edit:
    """A change at one place of a document.

    Attributes
    ----------
    at : int
        The unit that is changed, or after which something is inserted.
    action : str
        ``replace``, ``delete`` or ``insert``.
    old, new : str
        The content before and after.
    """

    at: int
    action: str
    old: str
    new: str


class Draft:
    """Several texts of one document, all equal until edits are made.

    Parameters
    ----------
    document : Document
    texts : int
        How many.
    writer : Writer
        For the same language; its names occur nowhere in the document.
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
        """A unit to edit that does not touch any taken before."""
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
        """An edit at a free place, with one of the actions if given."""
        kinds = [k for k, can in _ACTIONS.items() if not actions or set(can) & set(actions)]
        at = self.take(*kinds)
        unit = self.document.units[at]
        can = [one for one in _ACTIONS[unit.kind] if not actions or one in actions]
        action = self.chance.choice(can)
        new = "" if action == "delete" else self.fresh(at, term=action == "insert")
        return Edit(at, action, "" if action == "insert" else unit.text, new)

    def fresh(self, at: int, *, term: bool = False) -> str:
        """A text like that of a unit, with names that occur nowhere else."""
        unit = self.document.units[at]
        if unit.kind is UnitKind.LINE:
            return self.writer.statement(indentation(unit.text))
        if unit.kind is UnitKind.BLOCK:
            return self.writer.function(indentation(unit.text))
        name = self.writer.name()
        if term or unit.kind is UnitKind.TERM:
            return self.term(name)
        return f"{name} " if unit.text.endswith(" ") else name

    def term(self, name: str) -> str:
        """A term of one name, as written in this document."""
        return f"+ {name} " if self.document.made else f" + {name}"

    def another(self, edit: Edit) -> str:
        """Another text that the edit could have inserted."""
        return self.fresh(edit.at, term=edit.action == "insert")

    def put(self, edit: Edit, *texts: str, kind: SlotKind = SlotKind.EDIT) -> None:
        """Set the content of each text at the place of an edit."""
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


Drafted = Callable[[Draft, int], list[Slot]]
"""Makes the edits of a case in a draft; the number limits its size."""

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

    That edit shares no word with the edits that the candidate lacks, since it would partly agree
    with them.
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
    """2b: origin, reference, candidate; both replace a long text with a shorter one."""
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

    The candidate deletes what the first reference inserts elsewhere; the second reference inserts
    a copy of something that stays. Both are equally long and consist of capitals, so that measures
    of sets and of characters see no difference.
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
    """A line or term of names that repeat a capital, equally long for every capital."""
    if draft.document.level == "line":
        return draft.writer.statement_of([mark * 3, mark * 4, mark * 5], "", form)
    return draft.term(mark * 4)


def _revisions(draft: Draft, size: int) -> list[tuple[Edit, tuple[str, str, str]]]:
    """Some edits, each with origin, reference and candidate; the first are not agreed on."""
    found = []
    for i in range(draft.chance.randint(1, max(1, min(size, 4)))):
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
        before = draft.chance.random() < 0.5  # a step that the origin already took
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
"""All criteria except those about variants of programs, which need no draft."""

_SPLIT = ("split", "joined")
_NEAR = 4
"""Programs of about the same size, one of which is drawn."""

_ATTEMPTS = 30
_LARGEST = 8
"""Cases grow from size 1 to this; each criterion defines what a size is."""


def generate_cases(
    criterion: Criterion,
    number: int,
    *,
    seed: int = 0,
    languages: Sequence[str] | None = None,
    programs: Mapping[str, Sequence[str]] | None = None,
) -> Iterator[Case]:
    """Make the cases of a criterion.

    Languages, levels and kinds of documents take turns: two of three documents are generated, and
    one is a program if there are any.

    Parameters
    ----------
    criterion : Criterion
    number : int
        How many; fewer if documents have no room for the edits.
    seed : int
    languages : sequence of str, optional
        Some of :func:`made_languages`; all by default.
    programs : mapping of str to sequence of str, optional
        For each language, real code to edit as well.

    Examples
    --------
    >>> from codekin.evaluation.adequacy import CRITERIA
    >>> first, *_ = generate_cases(CRITERIA["1a"], 5, languages=["c"])
    >>> origin, reference = first.texts
    >>> origin != reference
    True
    """
    chosen = tuple(languages or made_languages())
    unknown = [name for name in chosen if name not in made_languages()]
    if unknown:
        raise CodekinError(
            f"no documents are made in {unknown[0]!r} (known: {', '.join(made_languages())})"
        )
    for i in range(number):
        language = chosen[i % len(chosen)]
        given = (programs or {}).get(language, ())
        # Languages change fastest, then levels, then kinds of documents.
        turn = i // len(chosen)
        level = criterion.levels[turn % len(criterion.levels)]
        real = bool(given) and (turn // len(criterion.levels)) % 3 == 2
        size = 1 + i * _LARGEST // number
        for attempt in range(_ATTEMPTS):
            chance = generator("adequacy", criterion.name, seed, i, attempt)
            code = chance.choice(given) if real else None
            try:
                slots = _slots(criterion, language, level, size + attempt // 3, code, chance)
            except NoRoomError:
                continue
            case = Case(criterion.name, i, language, level, code is None, tuple(slots))
            if case.sound():
                yield case
                break


def _slots(
    criterion: Criterion,
    language: str,
    level: str,
    size: int,
    code: str | None,
    chance: random.Random,
) -> list[Slot]:
    if code is None:
        document = made_document(language, level, size + chance.randint(0, 2), chance)
    else:
        document = program_document(code, language, level, chance)
    writer = Writer(language, chance, document.vocabulary)
    draft = Draft(document, len(criterion.roles), writer, chance)
    if criterion.variant in _SPLIT:
        return _split(draft, criterion.variant, size)
    if criterion.variant is not None:
        functions = whole_functions(code, language) if code else []
        return _variant(draft, criterion.variant, functions)
    return DRAFTED[criterion.name](draft, size)


def _variant(draft: Draft, change: str, functions: Sequence[str]) -> list[Slot]:
    """Origin, reference, candidate: the candidate inserts a changed variant of a function.

    In a program, it is one of its own functions, missing from the origin; otherwise, a new one.
    """
    document, at = draft.document, _place_of_block(draft)
    own = document.units[at].text in functions
    blanks = indentation(document.units[at].text)
    function = document.units[at].text if own else draft.writer.function()
    other = _changed(function, change, draft)
    end = "" if other.endswith("\n") else "\n"
    pair = [indent(text, blanks) for text in (function, other + end)]
    slots = draft.slots()
    slots[at : at + own] = [Slot(("", *pair), SlotKind.WHOLE)]
    return slots


def _split(draft: Draft, change: str, size: int) -> list[Slot]:
    """Origin, reference, candidate: both insert a program that was split or joined by hand."""
    language = draft.document.language
    pairs = split_functions(language)
    if not pairs:
        raise NoRoomError
    middle = (size - 1) * len(pairs) // _LARGEST
    near = pairs[min(middle, len(pairs) - 1) :][:_NEAR]
    pair = draft.chance.choice(near)
    split = Source(pair.split, language)
    functions = functions_of(split.tree, split.data, split.language)
    if {function.name for function in functions} & draft.document.vocabulary:
        raise NoRoomError
    at = _place_of_block(draft)
    blanks = indentation(draft.document.units[at].text)
    texts = (pair.joined, pair.split) if change == "split" else (pair.split, pair.joined)
    slots = draft.slots()
    both = [indent(text, blanks) + "\n" for text in texts]
    slots.insert(at, Slot(("", *both), SlotKind.WHOLE))
    return slots


def _place_of_block(draft: Draft) -> int:
    """A function of the document."""
    units = draft.document.units
    places = [i for i, unit in enumerate(units) if unit.kind is UnitKind.BLOCK]
    if not places:
        raise NoRoomError
    return draft.chance.choice(places)


def _changed(code: str, change: str, draft: Draft) -> str:
    """A function after a change."""
    seed = draft.chance.randrange(1000)
    changed = rewrite(Source(code, draft.document.language), change, seed)
    if changed is None:
        raise NoRoomError
    return changed
