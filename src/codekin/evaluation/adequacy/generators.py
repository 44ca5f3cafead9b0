"""generate_cases: the cases of a criterion, small ones first, the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from textwrap import indent

from codekin.errors import CodekinError
from codekin.evaluation.adequacy.case import Case, Slot, SlotKind
from codekin.evaluation.adequacy.criteria import Criterion
from codekin.evaluation.adequacy.documents import (
    UnitKind,
    made_document,
    made_languages,
    program_document,
    whole_functions,
)
from codekin.evaluation.adequacy.draft import Draft, NoRoomError
from codekin.evaluation.adequacy.drafting import DRAFTED
from codekin.evaluation.adequacy.writer import Writer, indentation
from codekin.rewrite import rewrite
from codekin.rewrite.chance import generator
from codekin.source import Source

__all__ = ["generate_cases"]

_ATTEMPTS = 30
_LARGEST = 8
"""Cases grow from size 1 to this; what a size is, each criterion says."""


def generate_cases(
    criterion: Criterion,
    number: int,
    *,
    seed: int = 0,
    languages: Sequence[str] | None = None,
    programs: Mapping[str, Sequence[str]] | None = None,
) -> Iterator[Case]:
    """Make the cases of a criterion.

    Languages, levels and kinds of documents take turns: two of three documents are made up, one is
    a program where there are any.

    Parameters
    ----------
    criterion : Criterion
    number : int
        How many. Fewer come where no document has room for the edits.
    seed : int
    languages : sequence of str, optional
        Some of :func:`made_languages`; all by default.
    programs : mapping of str to sequence of str, optional
        For each language, code that edits are put into as well.

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
        # Rounds through the languages take turns at levels, and then at kinds of documents.
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
    if criterion.variant is not None:
        functions = whole_functions(code, language) if code else []
        return _variant(draft, criterion.variant, functions)
    return DRAFTED[criterion.name](draft, size)


def _variant(draft: Draft, change: str, functions: Sequence[str]) -> list[Slot]:
    """Origin, reference, candidate: the candidate inserts a function after a change.

    In a program, one of its own functions was not there yet; else it is a new one.
    """
    document, chance = draft.document, draft.chance
    places = [i for i, unit in enumerate(document.units) if unit.kind is UnitKind.BLOCK]
    if not places:
        raise NoRoomError
    at = chance.choice(places)
    own = document.units[at].text in functions
    blanks = indentation(document.units[at].text)
    function = document.units[at].text if own else draft.writer.function()
    other = rewrite(Source(function, document.language), change, chance.randrange(1000))
    if other is None:
        raise NoRoomError
    end = "" if other.endswith("\n") else "\n"
    pair = [indent(text, blanks) for text in (function, other + end)]
    slots = draft.slots()
    slots[at : at + own] = [Slot(("", *pair), SlotKind.WHOLE)]
    return slots
