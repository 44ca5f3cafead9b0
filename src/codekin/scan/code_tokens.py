"""The tokens and statements of a file that a scan compares; found without a parser."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntFlag
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.languages import Language, get_language

__all__ = [
    "CodeTokens",
    "LexicalParts",
    "LineCounts",
    "Trait",
    "family_of_language",
    "read_parts",
    "read_tokens",
]

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Ids = npt.NDArray[np.uint64]
ShortIds = npt.NDArray[np.uint32]
Bytes = npt.NDArray[np.uint8]

_CONSTANTS = "true false null nil True False None NULL nullptr undefined"
_CONDITIONS = """
    if while for switch elif elseif foreach catch unless until when match synchronized lock using
"""
_FAMILIES = {"cpp": "c", "typescript": "javascript"}
"""Languages whose code is compared with that of another one."""


class Trait(IntFlag):
    """What a scan knows about a token."""

    IMPORT = 1
    """Part of an import."""
    TABLE = 2
    """Part of a table of constants."""
    NAME = 4
    """A word that is not reserved."""
    LITERAL = 8
    """A number or a string."""
    BEGINS = 16
    """The first token of a statement."""
    CLOSES = 32
    """A closing bracket."""
    IGNORED = 64
    """Part of a function that a comment takes out of the scan; it is treated as a table."""
    DECLARATION = 128
    """Part of the head of a function, or of a class or type outside of the bodies of its functions;
    only known where code is parsed."""


_NO_TRAIT = Trait(0)


@dataclass(frozen=True, eq=False, repr=False)
class CodeTokens:
    """Tokens without comments, and the statements that they form.

    Attributes
    ----------
    starts : int32 array
        The first byte of each token.
    lines, last_lines : int32 arrays
        The lines of each token, from 1.
    raw, blind : uint32 arrays
        The identity of each token, and one in which all names are the same, all numbers, and all
        strings.
    traits : uint8 array
        Combinations of :class:`Trait`.
    levels : uint8 array
        How deep each token lies in brackets, and in indented blocks where these count.
    statements : int32 array
        The first token of each statement.
    statement_ids : uint64 array
        Equal for statements that differ only in names, numbers and strings.
    weights : uint8 array
        The tokens of each statement.
    """

    starts: Ints
    lines: Ints
    last_lines: Ints
    raw: ShortIds
    blind: ShortIds
    traits: Bytes
    levels: Bytes
    statements: Ints
    statement_ids: Ids
    weights: Bytes

    def __len__(self) -> int:
        return len(self.lines)

    def lines_with(self, trait: Trait, *, without: Trait = _NO_TRAIT) -> int:
        """How many lines have a token with a trait, and without another one."""
        chosen = (self.traits & int(trait) != 0) & (self.traits & int(without) == 0)
        lines = self.lines[chosen]
        return int(np.count_nonzero(lines[1:] != lines[:-1])) + bool(len(lines))

    def ignoring(self, spans: Sequence[tuple[int, int]]) -> CodeTokens:
        """The tokens, of which some stretches are not compared."""
        traits, weights = self.traits.copy(), self.weights.copy()
        for begin, end in spans:
            traits[begin:end] |= np.uint8(Trait.IGNORED | Trait.TABLE)
            first, last = np.searchsorted(self.statements, [begin, end])
            weights[first:last] = 0
        return replace(self, traits=traits, weights=weights)

    def declaring(self, chosen: npt.NDArray[np.bool_]) -> CodeTokens:
        """The tokens, some of which only declare something."""
        return replace(self, traits=self.traits | np.uint8(Trait.DECLARATION) * chosen)

    @property
    def code_weights(self) -> Bytes:
        """The weights of statements, without those of declarations."""
        declared = self.traits[self.statements] & int(Trait.DECLARATION) != 0
        return np.where(declared, np.uint8(0), self.weights)


class LineCounts:
    """Counts lines of code: those that a token is on.

    Blank lines, comments and docstrings have no tokens; all lines of a longer string count.

    Parameters
    ----------
    tokens : CodeTokens
    texts : integer array
        The first tokens of texts, if the tokens are those of several.

    Examples
    --------
    >>> from codekin.languages import get_language
    >>> text = b"def f():\\n    'Do it.'\\n\\n    # now\\n    return (1,\\n            2)\\n"
    >>> tokens = read_tokens(text, get_language("python"))
    >>> LineCounts(tokens).of([0], [len(tokens)]).tolist()
    [3]
    """

    def __init__(self, tokens: CodeTokens, texts: npt.ArrayLike = ()) -> None:
        before = np.append(0, tokens.last_lines[:-1])[: len(tokens)]
        before[np.asarray(texts, np.int64)] = 0
        # The lines of each token, and those of them that no earlier token is on.
        self._own = tokens.last_lines - tokens.lines + 1
        self._new = np.maximum(tokens.last_lines - np.maximum(tokens.lines - 1, before), 0)
        self._sums = np.append(0, np.cumsum(self._new, dtype=np.int64))

    def of(self, begin: npt.ArrayLike, end: npt.ArrayLike) -> Longs:
        """The lines of stretches of tokens, each in one text."""
        first, stop = np.asarray(begin, np.int64), np.asarray(end, np.int64)
        if not len(self._own):
            return np.zeros(len(first), np.int64)
        at = np.minimum(first, len(self._own) - 1)
        more = self._own[at] - self._new[at]  # an earlier token may be on its line, too
        return np.where(first < stop, self._sums[stop] - self._sums[first] + more, 0)


@dataclass(frozen=True, eq=False, repr=False)
class LexicalParts:
    """Functions and blocks that were found without a parser, outer ones first.

    Attributes
    ----------
    begin, end : int32 arrays
        Their tokens.
    names : int32 array
        The token that names a function; negative for blocks.
    """

    begin: Ints
    end: Ints
    names: Ints


def read_tokens(data: bytes, language: Language) -> CodeTokens:
    r"""The tokens of a text in UTF-8.

    A statement ends at a semicolon, at a brace, after the condition of a branch or loop, and with
    its line in languages where that ends statements. So the layout does not matter unless it
    matters to the language.

    Examples
    --------
    >>> from codekin.languages import get_language
    >>> tokens = read_tokens(b"int a = 1;\nint b = 2;", get_language("c"))
    >>> tokens.lines.tolist()
    [1, 1, 1, 1, 1, 2, 2, 2, 2, 2]
    >>> bool(tokens.statement_ids[0] == tokens.statement_ids[1])
    True
    """
    return read_parts(data, language, 0)[0]


def read_parts(data: bytes, language: Language, min_lines: int) -> tuple[CodeTokens, LexicalParts]:
    """The tokens of a text, and its functions and blocks of some lines, found without a parser.

    A statement with others inside of it, by brackets or indentation, is a function or a block;
    classes are not listed.

    Examples
    --------
    >>> from codekin.languages import get_language
    >>> text = b"int f(int a) {\\n  a++;\\n  return a;\\n}"
    >>> tokens, parts = read_parts(text, get_language("c"), 3)
    >>> parts.begin.tolist(), parts.end.tolist(), parts.names.tolist()
    ([0], [14], [1])
    """
    words = _words(language.name)
    facts = language.lexical
    arrays = _native.scanned_tokens(
        data,
        facts.rules,
        words.reserved,
        words.constants,
        words.conditions,
        words.imports,
        facts.line_ends,
        facts.import_blocks,
        words.seed,
        min_lines,
    )
    return CodeTokens(*arrays[:10]), LexicalParts(*arrays[10:])


def family_of_language(language: Language) -> str:
    """The name of the languages that a language is compared with; most are alone.

    Examples
    --------
    >>> from codekin.languages import get_language
    >>> family_of_language(get_language("c++"))
    'c'
    """
    return _FAMILIES.get(language.name, language.name)


class _Words(NamedTuple):
    reserved: Ids
    constants: Ids
    conditions: Ids
    imports: Ids
    seed: int


@lru_cache
def _words(name: str) -> _Words:
    language = get_language(name)
    facts = language.lexical
    return _Words(
        _sorted_ids(facts.reserved),
        _sorted_ids(_CONSTANTS.split()),
        _sorted_ids(_CONDITIONS.split()),
        _sorted_ids(facts.imports),
        int(_native.string_ids([family_of_language(language)])[0]),
    )


def _sorted_ids(words: frozenset[str] | list[str]) -> Ids:
    return np.sort(_native.string_ids(sorted(words)))
