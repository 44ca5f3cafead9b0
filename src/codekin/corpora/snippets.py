"""Snippets of a corpus: a piece of code, and the functionalities that it has or lacks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from codekin.errors import CodekinError
from codekin.languages import get_language
from codekin.runs.row import name_in, whole_characters
from codekin.runs.rows import type_name

__all__ = [
    "EXAMPLE",
    "ROLES",
    "SIDES",
    "TAGGED_FALSE",
    "TAGGED_TRUE",
    "UNKNOWN_LABEL",
    "Problems",
    "Role",
    "Snippet",
    "contradictions",
    "label_of",
    "merged",
    "side_named",
    "snippet_of",
]

EXAMPLE, TAGGED_TRUE, TAGGED_FALSE = "example", "tagged_true", "tagged_false"
ROLES = (EXAMPLE, TAGGED_TRUE, TAGGED_FALSE)
SIDES = ("train", "validation", "test")
"""The sides of a view."""
_SIDE_NAMES = {
    **{name: name for name in SIDES},
    **dict.fromkeys(("training", "trn"), "train"),
    **dict.fromkeys(("valid", "val", "dev", "development", "eval"), "validation"),
    **dict.fromkeys(("testing", "tst"), "test"),
}
"""What data sets call the sides."""

_LABELS = {
    **dict.fromkeys(("", "nan", "none", "null"), -1),
    **dict.fromkeys(("true", "yes", "t", "y"), 1),
    **dict.fromkeys(("false", "no", "f", "n"), 0),
}
"""What labels are called instead of numbers."""
UNKNOWN_LABEL = -1
"""The label of a pair of which nobody knows whether it is a clone."""

MOST_COUNT = 1_000_000
"""The most judges, and the highest confidence."""

_LONGEST = 200
"""Characters of a case that are shown."""

_SHOWN = 3
"""How many cases of a problem an error names."""


class Role(NamedTuple):
    """What a snippet is to a functionality.

    Attributes
    ----------
    functionality : str
        What the code does: a functionality of BigCloneBench, the problem of a contest.
    kind : str or None
        ``example`` (a curated sample), ``tagged_true`` or ``tagged_false`` (a candidate that was
        judged to have the functionality or not); None where the code was written for it, as in a
        contest.
    judges, confidence : int or None
        How many people judged it at least, and how sure they were; None where nobody says.
    """

    functionality: str
    kind: str | None = None
    judges: int | None = None
    confidence: int | None = None

    @property
    def positive(self) -> bool:
        """Whether the snippet has the functionality."""
        return self.kind != TAGGED_FALSE


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of code in a corpus.

    Attributes
    ----------
    id : str
        Its name, which no other snippet of the corpus has.
    language : str
        One of :func:`codekin.language_names`.
    code : str
    roles : tuple of Role
        At most one per functionality.
    project : str or None
        Where it comes from: a project or an author. None where nobody says.
    file : str or None
        The file that it was cut out of.
    side : str or None
        The side of the view that it belongs to: train, validation or test.
    lines : (int, int) or None
        The first and the last line of it in the file, from 1; None where nobody says.
    """

    id: str
    language: str
    code: str
    roles: tuple[Role, ...] = ()
    project: str | None = None
    file: str | None = None
    side: str | None = None
    lines: tuple[int, int] | None = None

    @property
    def functionality(self) -> str | None:
        """The functionality that it has; the one that it was judged by where it has none."""
        found = next((one for one in self.roles if one.positive), None)
        return (found or self.roles[0]).functionality if self.roles else None

    @property
    def functionalities(self) -> tuple[str, ...]:
        """The functionalities that it has."""
        return tuple(one.functionality for one in self.roles if one.positive)

    @property
    def origin(self) -> str:
        """The project; if it is unknown, the file, and otherwise the snippet itself."""
        if self.project is not None:
            return self.project
        return f"file {self.file}" if self.file is not None else f"snippet {self.id}"


class Problems:
    """What is wrong with an input: each problem counted, with its first cases.

    Its notes are what is not wrong and must be said all the same, such as columns that are not
    read.

    Examples
    --------
    >>> problems = Problems("pairs.csv")
    >>> for name in ("a", "b", "c", "d"):
    ...     problems.add("a pair names a snippet that is not there", name)
    >>> problems.check()
    Traceback (most recent call last):
    codekin.errors.CodekinError: pairs.csv: a pair names a snippet that is not there (4 times, \
first a, b, c)
    """

    def __init__(self, where: str) -> None:
        self.where = where
        self._cases: dict[str, list[str]] = {}
        self._counts: dict[str, int] = {}
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        """Record something that a reader must know, once."""
        if text not in self.notes:
            self.notes.append(text)

    def add(self, problem: str, case: str) -> None:
        """Record a case of a problem."""
        self._counts[problem] = self._counts.get(problem, 0) + 1
        cases = self._cases.setdefault(problem, [])
        if len(cases) < _SHOWN:
            cases.append(case if len(case) <= _LONGEST else f"{case[:_LONGEST]}…")

    def __bool__(self) -> bool:
        return bool(self._counts)

    def lines(self) -> list[str]:
        """A line per problem, the most frequent first."""
        found = []
        for problem, count in sorted(self._counts.items(), key=lambda one: -one[1]):
            cases = ", ".join(self._cases[problem])
            found.append(f"{problem} ({cases})" if count == 1 else _several(problem, count, cases))
        return found

    def check(self) -> None:
        """Raise an error if there is any problem."""
        if self:
            raise CodekinError(f"{self.where}: {'; '.join(self.lines())}")


def _several(problem: str, count: int, cases: str) -> str:
    return f"{problem} ({count:,} times, first {cases})"


def snippet_of(given: Mapping[str, object], default_id: str) -> Snippet:
    """Make a snippet of a row.

    Parameters
    ----------
    given : mapping
        ``language`` and ``code``; optionally ``id``, ``functionality``, ``role``, ``project``,
        ``file``, ``first_line``, ``last_line`` and ``side``. With ``confirmed`` in place of a
        role, a snippet that was not confirmed is tagged false, and a confirmed one is an example
        if its ``source`` is ``sample``, and tagged true otherwise. A ``source`` is put in front of
        the file, since folders may repeat names.
    default_id : str
        Used where the row has no id.

    Raises
    ------
    CodekinError
        What is wrong with the row.
    """
    language = name_in(given, "language")
    if language is None:
        raise CodekinError("a snippet without a language")
    code = given.get("code")
    if not isinstance(code, str):
        raise CodekinError(
            "a snippet without code"
            if code is None
            else f"code must be a text, not {type_name(code)}"
        )
    file, source = name_in(given, "file"), name_in(given, "source")
    return Snippet(
        name_in(given, "id") or default_id,
        get_language(language).name,
        whole_characters(code),
        _roles(given, source),
        name_in(given, "project"),
        f"{source}/{file}" if source and file else file,
        side_named(name_in(given, "side")),
        _lines(given),
    )


def side_named(word: str | None) -> str | None:
    """The side that data sets call by a word; None for none.

    Examples
    --------
    >>> side_named("valid"), side_named("Test"), side_named("")
    ('validation', 'test', None)
    """
    if not word:
        return None
    side = _SIDE_NAMES.get(word.strip().lower())
    if side is None:
        raise CodekinError(f"unknown side {word!r} (known: {', '.join(SIDES)})")
    return side


def label_of(given: object) -> int | None:
    """What a label says of a pair: 1 for a clone, 0 for none, -1 for nothing; None if unreadable.

    Numbers above 1 are types of clones, as some data sets have them, and the number -1 is the
    other of two classes, as others have it.

    Examples
    --------
    >>> [label_of(label) for label in (1, "0", "True", "no", 1.0, "5", -1, "", "maybe")]
    [1, 0, 1, 0, 1, 1, 0, -1, None]
    """
    if isinstance(given, bool):
        return int(given)
    if given is None or (isinstance(given, float) and math.isnan(given)):
        return UNKNOWN_LABEL
    text = str(given).strip().lower()
    if text in _LABELS:
        return _LABELS[text]
    try:
        number = float(text)
    except ValueError:
        return None
    if not number.is_integer() or number < -1:
        return None
    return int(number >= 1)


def _lines(given: Mapping[str, object]) -> tuple[int, int] | None:
    """The lines of a row, as a CSV file or JSON has them."""
    found = []
    for name in ("first_line", "last_line"):
        text = name_in(given, name)
        if text is None:
            return None
        try:
            found.append(int(text.removesuffix(".0")))
        except ValueError:
            raise CodekinError(f"{name} is not a whole number: {text!r}") from None
    if not 1 <= found[0] <= found[1]:
        raise CodekinError(f"has lines {found[0]} to {found[1]}; lines count from 1")
    return found[0], found[1]


def _roles(given: Mapping[str, object], source: str | None) -> tuple[Role, ...]:
    listed = given.get("roles")
    if isinstance(listed, list):
        return tuple(_role(one) for one in listed)
    functionality, kind = name_in(given, "functionality"), name_in(given, "role")
    if functionality is None:
        return ()
    confirmed = given.get("confirmed")
    if kind is None and confirmed is not None:
        if not isinstance(confirmed, bool):
            raise CodekinError(f"confirmed must be true or false, not {type_name(confirmed)}")
        kind = TAGGED_TRUE if confirmed else TAGGED_FALSE
        kind = EXAMPLE if confirmed and source == "sample" else kind
    return (_role({"functionality": functionality, "kind": kind}),)


def _role(given: object) -> Role:
    if not isinstance(given, Mapping):
        raise CodekinError(f"a role must be an object, not {type_name(given)}")
    functionality, kind = name_in(given, "functionality"), name_in(given, "kind")
    if functionality is None:
        raise CodekinError("a role without a functionality")
    if kind is not None and kind not in ROLES:
        raise CodekinError(f"unknown role {kind!r} (known: {', '.join(ROLES)})")
    return Role(functionality, kind, _whole(given, "judges"), _whole(given, "confidence"))


def _whole(given: Mapping[str, object], field: str) -> int | None:
    value = given.get(field)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int):
        raise CodekinError(f"{field} must be a whole number, not {type_name(value)}")
    if not 0 <= value <= MOST_COUNT:
        raise CodekinError(f"{field} must be from 0 to {MOST_COUNT:,}")
    return value


def merged(snippets: Iterable[Snippet], problems: Problems) -> list[Snippet]:
    """Join snippets of the same id and code into one with all their roles.

    The first one says where it comes from; what it leaves open, the others may add. An id with
    other code is a problem. Where one functionality is given several roles, all but the first are
    kept too: :func:`contradictions` finds them.
    """
    first: dict[str, Snippet] = {}
    roles: dict[str, dict[Role, None]] = {}
    for snippet in snippets:
        known = first.setdefault(snippet.id, snippet)
        if known.code != snippet.code:
            problems.add("the same id with other code", snippet.id)
            continue
        roles.setdefault(snippet.id, {}).update(dict.fromkeys(snippet.roles))
        if known is not snippet:
            first[snippet.id] = replace(
                known,
                project=known.project or snippet.project,
                file=known.file or snippet.file,
                side=known.side or snippet.side,
                lines=known.lines or snippet.lines,
            )
    return [replace(snippet, roles=tuple(roles[name])) for name, snippet in first.items()]


def contradictions(snippets: Sequence[Snippet]) -> list[tuple[Snippet, str]]:
    """Snippets that are tagged as having a functionality and as lacking it, with which one."""
    found = []
    for one in snippets:
        lacking = {role.functionality for role in one.roles if not role.positive}
        found += [(one, name) for name in one.functionalities if name in lacking]
    return found
