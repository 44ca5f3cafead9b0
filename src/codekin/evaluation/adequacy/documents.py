"""Documents to edit: generated in the syntax of a language, real programs, hand-written pairs."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache
from importlib import resources
from itertools import pairwise, zip_longest

from codekin.errors import CodekinError
from codekin.evaluation.adequacy.case import words
from codekin.languages import TokenClass, get_language, languages
from codekin.languages.rewriting import Writing
from codekin.rewrite.fresh_names import FreshNames
from codekin.source import Source

__all__ = [
    "Document",
    "SplitFunction",
    "Unit",
    "UnitKind",
    "Writer",
    "indentation",
    "made_document",
    "made_languages",
    "program_document",
    "split_functions",
    "whole_functions",
]

_STATEMENTS = ("{0} = {1}({2})", "{0}({1}, {2})", "{0} = {1} + {2}", "{0}[{1}] = {2}")


def indentation(line: str) -> str:
    """The indentation of a line."""
    return line[: len(line) - len(line.lstrip(" \t"))]


class Writer:
    r"""Writes code of one language.

    Parameters
    ----------
    language : str
        One of :func:`made_languages`.
    chance : random.Random
        Chooses forms and names.
    taken : collection of str
        Words that may not be used as fresh names.

    Examples
    --------
    >>> writer = Writer("c", random.Random(0), {"x"})
    >>> statement = writer.statement()
    >>> statement.endswith(";\n"), statement != writer.statement()
    (True, True)
    """

    def __init__(self, language: str, chance: random.Random, taken: Collection[str] = ()) -> None:
        self.forms = _forms(language)
        self._chance = chance
        self._names = FreshNames(taken, chance)

    def name(self) -> str:
        """A fresh name."""
        return self._names.take()

    def statement(self, indent: str = "") -> str:
        """A line of three fresh names."""
        return self.statement_of([self.name() for _ in range(3)], indent)

    def statement_of(self, names: list[str], indent: str = "", form: int | None = None) -> str:
        """A line of given names."""
        at = self._chance.randrange(len(_STATEMENTS)) if form is None else form % len(_STATEMENTS)
        return f"{indent}{_STATEMENTS[at].format(*names)}{self.forms.end}\n"

    def function(self, indent: str = "") -> str:
        """A function of two to four lines, followed by a blank one."""
        names = [self.name() for _ in range(4)]
        lines = self._chance.choice(self.forms.functions).format(*names).splitlines(keepends=True)
        return "".join(indent + line for line in lines) + "\n"


_SMALL = ("x1", "x2", "y1", "y2", "f1", "f2", "g1", "n1")
"""The small vocabulary, with which words recur everywhere as in real code."""

_FIRST_WORD = re.compile(r"\w+")


class UnitKind(Enum):
    """What can be done to a piece of a document."""

    FIXED = "fixed"
    NAME = "name"
    """May be replaced by another name; a term may be inserted after it."""
    TERM = "term"
    """``+ name``: may be deleted; another may be inserted after it."""
    LINE = "line"
    """A statement: may be replaced or deleted; another may be inserted after it."""
    BLOCK = "block"
    """A function with the blank line after it; another may be inserted before it."""


@dataclass(frozen=True)
class Unit:
    """A piece of a document."""

    text: str
    kind: UnitKind


@dataclass(frozen=True)
class Document:
    """A text in pieces.

    Attributes
    ----------
    language : str
    level : str
        ``line``, ``token`` or ``block``.
    made : bool
        Whether it was generated.
    units : tuple of Unit
    """

    language: str
    level: str
    made: bool
    units: tuple[Unit, ...]

    @property
    def vocabulary(self) -> frozenset[str]:
        """Every word of the text."""
        return frozenset(word for unit in self.units for word in words(unit.text))


def made_languages() -> tuple[str, ...]:
    """The languages in which documents are generated.

    Examples
    --------
    >>> made_languages()
    ('python', 'java', 'c', 'cpp', 'javascript')
    """
    return tuple(one.name for one in languages() if one.writing is not None)


def _forms(language: str) -> Writing:
    forms = get_language(language).writing
    if forms is None:
        known = ", ".join(made_languages())
        raise CodekinError(f"no documents are made in {language!r} (known: {known})")
    return forms


def made_document(language: str, level: str, size: int, chance: random.Random) -> Document:
    """A document of `size` statements or functions.

    Half of them have a small vocabulary, and half have names that occur only once.

    Examples
    --------
    >>> made = made_document("c", "line", 3, random.Random(1))
    >>> len(made.units), {unit.kind.name for unit in made.units}
    (3, {'LINE'})
    """
    writer = Writer(language, chance)
    if level == "block":
        units = [Unit(writer.function(), UnitKind.BLOCK) for _ in range(size)]
    elif level == "line":
        small = chance.random() < 0.5
        lines = _small_lines(writer, size, chance) if small else ()
        units = [Unit(line, UnitKind.LINE) for line in lines]
        units += [Unit(writer.statement(), UnitKind.LINE) for _ in range(size - len(units))]
    else:
        units = [unit for _ in range(size) for unit in _sum(writer, chance)]
    return Document(language, level, True, tuple(units))


def _small_lines(writer: Writer, size: int, chance: random.Random) -> list[str]:
    """Distinct lines with a small vocabulary."""
    drawn = (writer.statement_of(chance.sample(_SMALL, 3)) for _ in range(4 * size))
    return list(dict.fromkeys(drawn))[:size]


def _sum(writer: Writer, chance: random.Random) -> Iterator[Unit]:
    """The tokens of a statement such as ``a = b + c``."""
    yield Unit(f"{writer.name()} ", UnitKind.NAME)
    yield Unit("= ", UnitKind.FIXED)
    yield Unit(f"{writer.name()} ", UnitKind.NAME)
    for _ in range(chance.randint(1, 3)):
        yield Unit(f"+ {writer.name()} ", UnitKind.TERM)
    yield Unit(f"{writer.forms.end}\n", UnitKind.FIXED)


def program_document(code: str, language: str, level: str, chance: random.Random) -> Document:
    """A program in pieces, with a few terms added so that they can be deleted."""
    pieces = {"block": _blocks, "line": _lines}
    if level in pieces:
        return Document(language, level, False, tuple(pieces[level](code, _forms(language))))
    return Document(language, level, False, tuple(_names(code, language, chance)))


def _lines(code: str, forms: Writing) -> Iterator[Unit]:
    """The lines; some can be deleted or replaced without breaking the lines around them."""
    lines = code.splitlines(keepends=True)
    often = Counter(lines)
    for before, line in pairwise(["", *lines]):
        free = (
            often[line] == 1
            and indentation(before) == indentation(line)
            and not _is_bound(line.lstrip(), forms)
            and _is_statement(line.strip(), forms)
            and (before == "" or _is_statement(before.strip(), forms))
        )
        yield Unit(line, UnitKind.LINE if free else UnitKind.FIXED)


def _is_bound(line: str, forms: Writing) -> bool:
    first = _FIRST_WORD.match(line)
    return line.startswith(("}", "#")) or (first is not None and first[0] in forms.bound)


def _is_statement(line: str, forms: Writing) -> bool:
    if any(line.count(a) != line.count(b) for a, b in ("()", "[]", "{}")):
        return False
    if not line:
        return False
    return line.endswith(forms.end) if forms.end else line[-1] not in ":,\\"


def _names(code: str, language: str, chance: random.Random) -> Iterator[Unit]:
    """The names that occur once, and all between them; every third has a term after it."""
    done = 0
    writer = Writer(language, chance, frozenset(words(code)))
    for i, (start, end) in enumerate(_lone_names(code, language)):
        if start > done:
            yield Unit(code[done:start], UnitKind.FIXED)
        yield Unit(code[start:end], UnitKind.NAME)
        if i % 3 == 2:
            yield Unit(f" + {writer.name()}", UnitKind.TERM)
        done = end
    if done < len(code):
        yield Unit(code[done:], UnitKind.FIXED)


@lru_cache(maxsize=128)
def _lone_names(code: str, language: str) -> tuple[tuple[int, int], ...]:
    """The positions of names that occur only once."""
    often = Counter(words(code))
    return tuple(
        (token.start, token.end)
        for token in Source(code, language).tokens
        if token.cls is TokenClass.IDENTIFIER and often[token.text] == 1
    )


def _blocks(code: str, forms: Writing) -> Iterator[Unit]:
    """The functions of a program, each with the blank lines after it, and the rest."""
    chunks = re.findall(r"(?:[^\n]*\S[^\n]*\n|[^\n]*\S[^\n]*\Z)+(?:[ \t]*\n)*|\A\n+", code)
    for chunk, after in zip_longest(chunks, chunks[1:], fillvalue=""):
        # A function may continue after a blank line.
        ends = len(indentation(after)) <= len(indentation(chunk))
        whole = ends and _is_function(chunk, forms)
        yield Unit(chunk, UnitKind.BLOCK if whole else UnitKind.FIXED)


def _is_function(chunk: str, forms: Writing) -> bool:
    first, last = chunk.split("\n", 1)[0], chunk.rstrip().rsplit("\n", 1)[-1]
    if not forms.function_head.match(first.lstrip()):
        return False
    if not forms.closing:
        lines = [line for line in chunk.split("\n") if line.strip()]
        return all(len(indentation(line)) > len(indentation(first)) for line in lines[1:])
    return last == indentation(first) + forms.closing


def whole_functions(code: str, language: str) -> list[str]:
    """The functions of a program that parse on their own."""
    return [
        unit.text
        for unit in _blocks(code, _forms(language))
        if unit.kind is UnitKind.BLOCK and not indentation(unit.text)
    ]


@dataclass(frozen=True)
class SplitFunction:
    """A program in two forms that do the same, one with a part of it in another function.

    Attributes
    ----------
    name : str
    language : str
    joined : str
        Without the function that `split` has, whose code is where `split` calls it.
    split : str
        With one more function.
    check : str
        Code that prints what either of them does.
    """

    name: str
    language: str
    joined: str
    split: str
    check: str


@cache
def split_functions(language: str) -> tuple[SplitFunction, ...]:
    """The pairs of a language, small ones first; none if nobody wrote any.

    Examples
    --------
    >>> len(split_functions("python")), split_functions("lua")
    (20, ())
    """
    data = resources.files("codekin").joinpath("data/split-functions.jsonl")
    rows = map(json.loads, data.read_text("utf-8").splitlines())
    pairs = (SplitFunction(**row) for row in rows if row["language"] == language)
    return tuple(sorted(pairs, key=lambda pair: len(pair.joined) + len(pair.split)))
