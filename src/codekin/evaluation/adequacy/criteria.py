"""The criteria: what each requires of a measure, and whether the scores of a case meet it.

The first five properties are those of section 3.2 of the Excision Score paper [1]_, split into
parts that can be checked separately; the sixth is symmetry, which its introduction requires. Two
of them conflict: if the candidate inserts a function at another place than the reference, that is
an edit that the reference does not make (2), and a variant that may mean the same (5). Cases of 2
therefore never move what the reference inserts, and cases of 5a and 5b do nothing else.

References
----------
.. [1] "Excision Score: evaluating edits with surgical precision", sections 2, 3.2 and 3.3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from codekin.errors import CodekinError, suggestion
from codekin.evaluation.adequacy.case import Case, overlap
from codekin.results import LEFT_OUT

__all__ = ["CRITERIA", "PROPERTIES", "Criterion", "chosen_criteria"]

_SAME = 1e-9
_LINES_AND_TOKENS = ("line", "token")
_BLOCKS = ("block",)

PROPERTIES = {
    1: "rewards agreement",
    2: "penalises disagreement",
    3: "blind to shared context",
    4: "origin-variant",
    5: "tolerates equivalent variants",
    6: "symmetric",
}
"""The properties by their number; the first five are the paper's."""

Kept = Callable[[Sequence[float], Case], bool]
"""Whether scores meet a criterion; higher is more similar, and 1 means equal."""


@dataclass(frozen=True)
class Criterion:
    """Something that a measure of revisions should satisfy.

    Attributes
    ----------
    name : str
        The number of its property, and a letter.
    asks : str
        One sentence.
    roles : tuple of str
        What the texts of a case are.
    triples : tuple of (int, int, int)
        The scores it needs: candidate, reference and origin, by the position of their role.
    labels : tuple of str
        The name of each score.
    kept : callable
        Whether the scores meet it.
    bounded : bool
        Whether it requires scores from 0 to 1, so that it does not apply to a distance.
    levels : tuple of str
        What its cases edit.
    variant : str or None
        What is done to the candidate's program, for criteria about such variants: a change of
        :func:`~codekin.rewrite.rewrite`, or ``split`` or ``joined`` by hand.
    """

    computed: ClassVar[Mapping[str, str]] = {"property": "property", "title": "title"}

    name: str = field(metadata=LEFT_OUT)
    asks: str
    roles: tuple[str, ...] = field(metadata=LEFT_OUT)
    triples: tuple[tuple[int, int, int], ...] = field(metadata=LEFT_OUT)
    labels: tuple[str, ...] = field(metadata=LEFT_OUT)
    kept: Kept = field(metadata=LEFT_OUT)
    bounded: bool = field(default=False, metadata=LEFT_OUT)
    levels: tuple[str, ...] = field(default=_LINES_AND_TOKENS, metadata=LEFT_OUT)
    variant: str | None = field(default=None, metadata=LEFT_OUT)

    @property
    def title(self) -> str:
        """The name of the property."""
        return PROPERTIES[self.property]

    @property
    def property(self) -> int:
        """The number of the property, as in the paper."""
        return int(self.name[0])

    def __str__(self) -> str:
        return f"{self.name} {self.asks}"


def _equal(values: Sequence[float], _: Case) -> bool:
    return abs(values[0] - values[1]) <= _SAME


def _second_is_more(values: Sequence[float], _: Case) -> bool:
    return values[1] > values[0] + _SAME


def _first_is_more(values: Sequence[float], _: Case) -> bool:
    return values[0] > values[1] + _SAME


def _is_one(values: Sequence[float], _: Case) -> bool:
    return abs(values[0] - 1.0) <= _SAME


def _is_zero(values: Sequence[float], _: Case) -> bool:
    return abs(values[0]) <= _SAME


def _partial(values: Sequence[float], case: Case) -> bool:
    return _SAME < values[0] < 1 - _SAME and _first_is_more(values, case)


def _second_is_less(values: Sequence[float], _: Case) -> bool:
    """An extra edit may leave a score at 0, which is the least possible."""
    return values[1] < values[0] - _SAME or abs(values[1]) <= _SAME


def _not_more(values: Sequence[float], _: Case) -> bool:
    return values[0] <= values[1] + _SAME


def _at_most_half(values: Sequence[float], case: Case) -> bool:
    """One half, plus half of what the two wrong texts have in common, such as a semicolon."""
    mine = "".join(slot.texts[2] for slot in case.changed() if slot.texts[2] != slot.texts[0])
    theirs = "".join(slot.texts[1] for slot in case.changed() if slot.texts[1] != slot.texts[0])
    return values[0] <= (1 + overlap(mine, theirs)) / 2 + _SAME


_THREE = ("origin", "reference", "candidate")
_PLAIN = ((2, 1, 0),)
_VARIANT = ((2, 1, 0), (1, 1, 0))
_IN_CONTEXT = (*_THREE, "origin in context", "reference in context", "candidate in context")


def _context(name: str, where: str) -> Criterion:
    return Criterion(
        name,
        f"shared lines or tokens {where} do not change the score",
        _IN_CONTEXT,
        ((2, 1, 0), (5, 4, 3)),
        ("without", "with context"),
        _equal,
    )


def _variant(name: str, what: str, change: str) -> Criterion:
    return Criterion(
        name,
        f"{what} in inserted code do not change the score",
        _THREE,
        _VARIANT,
        ("variant", "as the reference"),
        _equal,
        levels=_BLOCKS,
        variant=change,
    )


_ALL = (
    Criterion(
        "1a",
        "a candidate equal to the reference scores like equal texts",
        ("origin", "reference"),
        ((1, 1, 0),),
        ("the reference itself",),
        _is_one,
    ),
    Criterion(
        "1b",
        "making one more of the reference's edits raises the score",
        (*_THREE, "candidate with one more"),
        ((2, 1, 0), (3, 1, 0)),
        ("candidate", "with one more"),
        _second_is_more,
    ),
    Criterion(
        "1c",
        "a correct deletion next to a wrong replacement is partly rewarded",
        (*_THREE, "candidate without the deletion"),
        ((2, 1, 0), (3, 1, 0)),
        ("with the deletion", "without it"),
        _partial,
        bounded=True,
    ),
    Criterion(
        "2a",
        "an edit that the reference does not make lowers the score",
        (*_THREE, "candidate with one more"),
        ((2, 1, 0), (3, 1, 0)),
        ("candidate", "with an extra edit"),
        _second_is_less,
    ),
    Criterion(
        "2b",
        "replacing the right text with the wrong one scores at most one half",
        _THREE,
        _PLAIN,
        ("candidate",),
        _at_most_half,
        bounded=True,
    ),
    Criterion(
        "2c",
        "a wrong edit scores at most one half, however long the document",
        _THREE,
        _PLAIN,
        ("candidate",),
        _at_most_half,
        bounded=True,
    ),
    Criterion(
        "2d",
        "deleting what the reference inserts elsewhere does not count as agreement",
        ("origin", "reference", "reference that inserts another", "candidate"),
        ((3, 1, 0), (3, 2, 0)),
        ("deleted what was inserted", "deleted another"),
        _not_more,
    ),
    _context("3a", "before the text"),
    _context("3b", "after the text"),
    _context("3c", "away from the edits"),
    Criterion(
        "3d",
        "doing nothing where the reference does something scores 0",
        ("origin", "reference"),
        ((0, 1, 0),),
        ("doing nothing",),
        _is_zero,
        bounded=True,
    ),
    Criterion(
        "3e",
        "doing nothing, as the reference does, scores like equal texts",
        ("origin",),
        ((0, 0, 0),),
        ("doing nothing",),
        _is_one,
    ),
    Criterion(
        "4",
        "an origin farther from both raises their score",
        ("origin", "origin farther away", "reference", "candidate"),
        ((3, 2, 0), (3, 2, 1)),
        ("origin", "origin farther away"),
        _second_is_more,
    ),
    Criterion(
        "5a",
        "the right insertion at another place scores more than no insertion",
        _THREE,
        ((2, 1, 0), (0, 1, 0)),
        ("at another place", "doing nothing"),
        _first_is_more,
        levels=_BLOCKS,
    ),
    Criterion(
        "5b",
        "the right insertion at another place scores the same as at the right one",
        _THREE,
        _VARIANT,
        ("at another place", "at the right place"),
        _equal,
        levels=_BLOCKS,
    ),
    _variant("5c", "comments", "comments"),
    _variant("5d", "layout changes", "layout"),
    _variant("5e", "renamed locals", "locals"),
    _variant("5f", "outlined statements", "split"),
    _variant("5g", "inlined calls", "joined"),
    Criterion(
        "6",
        "swapping candidate and reference does not change the score",
        _THREE,
        ((2, 1, 0), (1, 2, 0)),
        ("candidate, reference", "swapped"),
        _equal,
    ),
)
CRITERIA = {one.name: one for one in _ALL}
"""Every criterion by its name."""


def chosen_criteria(names: Sequence[str] | None) -> tuple[Criterion, ...]:
    """The criteria of these names; the number of a property means all of its criteria.

    Examples
    --------
    >>> [one.name for one in chosen_criteria(["4", "3"])]
    ['3a', '3b', '3c', '3d', '3e', '4']
    """
    if names is None:
        return _ALL
    wanted = set()
    for name in names:
        own = {one.name for one in _ALL if name.lower() in (one.name, one.name[0])}
        if not own:
            names = [*CRITERIA, *dict.fromkeys(one[0] for one in CRITERIA)]
            raise CodekinError(
                f"unknown criterion {name!r} (known: {', '.join(CRITERIA)}, or the number "
                f"of a property){suggestion(name, names)}"
            )
        wanted |= own
    if not wanted:
        raise CodekinError("no criterion to judge by; name one, or leave them out for all")
    return tuple(one for one in _ALL if one.name in wanted)
