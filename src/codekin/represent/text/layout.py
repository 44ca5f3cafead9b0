"""Lines that are indented as the language does not allow: parsers often read over that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.languages.lexical import Lexical
from codekin.represent.text.lexemes import Lexemes

__all__ = ["Misplaced", "misplaced"]

Ids = npt.NDArray[np.uint64]

_COLON = ord(":")
_NOT_ONLY_FIRST = frozenset({"import"})
"""Words that begin a statement, but also occur inside one, as in ``from a import b``."""


def _sorted_ids(words: Iterable[str]) -> Ids:
    return np.sort(_native.string_ids(list(words)))


_BETWEEN_STATEMENTS = _sorted_ids([":", ";", "async"])
"""What a word that begins a statement may follow in its line."""


@dataclass(frozen=True, slots=True)
class Misplaced:
    """A lexeme where none may be.

    Attributes
    ----------
    start, end : int
        The place in bytes.
    message : str
        What is wrong.
    """

    start: int
    end: int
    message: str


class _Line(NamedTuple):
    """A logical line: its column, its first lexeme in bytes, and whether a block must follow."""

    column: int
    start: int
    end: int
    opens: bool


def misplaced(lexemes: Lexemes, lexical: Lexical) -> tuple[Misplaced, ...]:
    r"""Find lines with wrong indentation, and statements that begin inside another one.

    A text may be cut out of a block: its first line can have any indentation, and later lines less.

    Parameters
    ----------
    lexemes : Lexemes
        Of a text in a language whose layout counts, with its comments and docstrings.
    lexical : Lexical
        The lexical facts of that language.

    Examples
    --------
    >>> from codekin import Source
    >>> from codekin.languages import get_language
    >>> lexemes = Source("if a:\nb = 1\n  c = 2\n", "python").lexemes_with(comments=True)
    >>> [one.message for one in misplaced(lexemes, get_language("python").lexical)]
    ['an indented block is missing before this line', 'unexpected indentation']
    """
    found = [*_indentation(list(_lines(lexemes, lexical))), *_statements(lexemes, lexical)]
    return tuple(sorted(found, key=lambda one: one.start))


def _lines(lexemes: Lexemes, lexical: Lexical) -> Iterator[_Line]:
    """The logical lines of a text that have code."""
    marks = tuple(mark.encode() for mark in lexical.line_comments)
    data, starts, ends = lexemes.data, lexemes.starts.tolist(), lexemes.ends.tolist()
    places = np.flatnonzero(lexemes.layout).tolist()
    for place, following in pairwise([*places, len(starts)]):
        first, last = place + 1, following - 1
        while last > first and data.startswith(marks, starts[last]):
            last -= 1
        if first < following:
            column = int(lexemes.ids[place]) >> 4
            opens = ends[last] - starts[last] == 1 and data[starts[last]] == _COLON
            yield _Line(column, starts[first], ends[first], opens)


def _indentation(lines: Sequence[_Line]) -> Iterator[Misplaced]:
    if not lines:
        return
    outer = [lines[0].column]
    """The columns of the blocks around a line."""
    before = lines[0]
    for line in lines[1:]:
        if before.opens and line.column <= before.column:
            yield Misplaced(line.start, line.end, "an indented block is missing before this line")
        elif line.column > before.column:
            if not before.opens:
                yield Misplaced(line.start, line.end, "unexpected indentation")
            outer.append(line.column)
        while line.column < outer[-1] and len(outer) > 1:
            outer.pop()
        if line.column > outer[-1]:
            yield Misplaced(line.start, line.end, "indentation like no block around this line")
            outer.append(line.column)
        elif line.column < outer[-1]:
            outer[-1] = line.column
        before = line
    if before.opens:
        yield Misplaced(before.start, before.end, "an indented block is missing after this line")


def _statements(lexemes: Lexemes, lexical: Lexical) -> Iterator[Misplaced]:
    """Words that only begin statements, in the middle of one."""
    places = np.flatnonzero(_among(lexemes.ids, _beginning(lexical.statements)))
    places = places[places > 0]
    inside = ~lexemes.layout[places - 1] & ~_among(lexemes.ids[places - 1], _BETWEEN_STATEMENTS)
    for place in places[inside].tolist():
        start, end = int(lexemes.starts[place]), int(lexemes.ends[place])
        word = lexemes.data[start:end].decode()
        yield Misplaced(start, end, f"{word!r} begins a statement inside another one")


@cache
def _beginning(statements: frozenset[str]) -> Ids:
    """The identities of words that only begin statements."""
    return _sorted_ids(statements - _NOT_ONLY_FIRST)


def _among(ids: Ids, words: Ids) -> npt.NDArray[np.bool_]:
    """Which identities are among some sorted ones, of which there is at least one."""
    found: npt.NDArray[np.bool_] = words[np.searchsorted(words[:-1], ids)] == ids
    return found
