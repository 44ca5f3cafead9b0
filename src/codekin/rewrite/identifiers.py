"""The identifiers of a program, and what each of them names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from codekin.errors import CodekinError
from codekin.languages import NameRole, languages
from codekin.results import LEFT_OUT, Grid, ResultList, ShownAs
from codekin.rewrite.program import program_of
from codekin.source import Source

__all__ = ["Identifier", "IdentifierList", "identifiers", "named_languages"]


class Identifier(NamedTuple):
    """A name at one place of a text.

    Attributes
    ----------
    start, end : int
        Its bytes in the text, in UTF-8.
    text : str
    role : NameRole
        What it names.
    declares : bool
        Whether this place declares it.
    declared : bool
        Whether the text declares what it names.
    own : bool
        Whether it names the function that the text consists of: the first one, if the text has
        nothing but functions and none of them is where programs begin.
    fixed : bool
        Whether the program depends on the name itself, so that it cannot be replaced.
    """

    start: int
    end: int
    text: str
    role: NameRole
    declares: bool
    declared: bool
    own: bool
    fixed: bool


@dataclass(frozen=True, repr=False)
class IdentifierList(ResultList[Identifier]):
    """The identifiers of a program, in text order.

    Attributes
    ----------
    found : tuple of Identifier
    """

    computed: ClassVar[Mapping[str, str]] = {"identifiers": "records"}
    held: ClassVar[str] = "found"
    noun: ClassVar[str] = "identifier"
    row_noun: ClassVar[str] = "identifier"

    found: tuple[Identifier, ...] = field(metadata=LEFT_OUT)

    def table(self) -> Grid:
        """One record per identifier."""
        cells = tuple(
            (
                *(one.text, one.role.value, one.start, one.end),
                *(ShownAs(known, "yes" if known else "") for known in one[4:]),
            )
            for one in self.found
        )
        heads = ("identifier", "role", "start", "end", "declares", "declared", "own", "fixed")
        return Grid("", heads, cells, keys=2)


def named_languages() -> list[str]:
    """The languages whose identifiers codekin can classify.

    Examples
    --------
    >>> named_languages()
    ['python', 'java', 'c', 'cpp']
    """
    return [language.name for language in languages() if language.names is not None]


def identifiers(source: Source) -> IdentifierList:
    """Every identifier of a program with its role, decided by syntax and scope.

    Keywords, primitive types and literals are not identifiers. Any text has identifiers: a name
    that the text uses and does not declare is a variable if it can be a field of a class around
    the text, and comes from elsewhere otherwise. Where syntax leaves open what a name is, as for
    ``x`` in ``x.read()``, the scopes of the text decide: a variable in scope, a type that the text
    declares, a name that the text also uses as a value, or a static receiver.

    Parameters
    ----------
    source : Source
        In one of `named_languages`.

    Returns
    -------
    IdentifierList
        A sequence of :class:`Identifier`.

    Raises
    ------
    CodekinError
        If the language is another one.

    Examples
    --------
    >>> text = "int twice(int n) { return Math.max(n, 0) * factor; }"
    >>> for one in identifiers(Source(text, "java"))[:4]:
    ...     print(one.text, one.role)
    twice function
    n variable
    Math receiver
    max call
    """
    return source.remember("identifiers", lambda: _read(source))


def _read(source: Source) -> IdentifierList:
    language = source.language
    if language.names is None or language.rewriting is None:
        raise CodekinError(
            f"the identifiers of {language.title} cannot be classified; languages that can be "
            f"abstracted: {', '.join(named_languages())}"
        )
    program = program_of(source, language.rewriting)
    starts, ends = program.starts, program.ends
    found = (
        Identifier(
            starts[one.node],
            ends[one.node],
            one.text,
            one.role,
            one.declares,
            one.declared,
            one.own,
            one.fixed,
        )
        for one in language.names(program).read()
        if ends[one.node] > starts[one.node]
    )
    return IdentifierList(tuple(found))
