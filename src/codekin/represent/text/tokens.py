"""Tokens of code: the leaves of its tree, and everything the parser could not read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import overload

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.languages.language import Language
from codekin.languages.token_classes import TokenClass
from codekin.represent.text.comments import docstring_nodes
from codekin.represent.text.positions import Positions
from codekin.represent.tree.flat_tree import FlatTree

__all__ = ["Token", "Tokens", "line_starts", "tokenize"]

_LAYOUT_TEXT = {TokenClass.NEWLINE: "⏎", TokenClass.INDENT: "⇥", TokenClass.DEDENT: "⇤"}


@dataclass(frozen=True, slots=True)
class Token:
    """One token of code.

    Attributes
    ----------
    text : str
        As written in the code; line ends and changes of indentation are shown as ``⏎ ⇥ ⇤``.
    cls : TokenClass
        Its class.
    start, end : int
        Its place in the text, in characters.
    line, column : int
        Line and column of its start, both from 1.
    """

    text: str
    cls: TokenClass
    start: int
    end: int
    line: int
    column: int


@dataclass(frozen=True, eq=False)
class Tokens(Sequence[Token]):
    """The tokens of a text, stored in arrays; items are :class:`Token` objects.

    Attributes
    ----------
    data : bytes
        The text in UTF-8.
    starts, ends : int32 arrays
        Spans in bytes of `data`; layout tokens have width zero.
    classes : uint8 array
        Values of :class:`TokenClass`.
    """

    data: bytes = field(repr=False)
    starts: npt.NDArray[np.int32] = field(repr=False)
    ends: npt.NDArray[np.int32] = field(repr=False)
    classes: npt.NDArray[np.uint8] = field(repr=False)
    positions: Positions = field(repr=False)

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, index: int) -> Token: ...
    @overload
    def __getitem__(self, index: slice) -> list[Token]: ...
    def __getitem__(self, index: int | slice) -> Token | list[Token]:
        """The token at an index, or a list of tokens for a slice."""
        if isinstance(index, slice):
            return [self._token(i) for i in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError("token index out of range")
        return self._token(index)

    def __iter__(self) -> Iterator[Token]:
        return (self._token(i) for i in range(len(self)))

    def _token(self, i: int) -> Token:
        cls = TokenClass(int(self.classes[i]))
        start, end = int(self.starts[i]), int(self.ends[i])
        line, column = self.positions.line_column(start)
        characters = self.positions.characters
        return Token(self.texts[i], cls, characters(start), characters(end), line, column)

    @cached_property
    def texts(self) -> list[str]:
        """The text of every token."""
        spans = zip(self.starts.tolist(), self.ends.tolist(), self.classes.tolist(), strict=True)
        layout = _LAYOUT_TEXT
        return [
            layout[TokenClass(c)]
            if c >= TokenClass.NEWLINE
            else self.data[s:e].decode("utf-8", "surrogatepass")
            for s, e, c in spans
        ]

    @cached_property
    def ids(self) -> npt.NDArray[np.uint64]:
        """A 64-bit identity for each token: equal for equal texts.

        Tokens of up to seven bytes are stored as they are; longer ones are hashed to 63 bits, so
        two different long tokens of a pair of programs collide with a probability of about 1e-13.
        """
        return _native.code_token_ids(self.data, self.starts, self.ends, self.classes)


def tokenize(
    tree: FlatTree, data: bytes, language: Language, positions: Positions, *, comments: bool
) -> Tokens:
    """Split a text into tokens along its tree.

    Parameters
    ----------
    tree : FlatTree
        The tree of `data`.
    data : bytes
        The text in UTF-8.
    language : Language
        Determines whether layout counts.
    positions : Positions
        Lines of `data`.
    comments : bool
        Whether comments and docstrings are tokens.
    """
    starts, ends, classes = _native.code_tokens(
        tree.read(data),
        tree.kind,
        tree.size,
        tree.start,
        tree.end,
        tree.grammar.token_table,
        *tree.grammar.reserved_table,
        docstring_nodes(tree),
        comments,
        language.layout,
    )
    return Tokens(data, starts, ends, classes, positions)


def line_starts(tokens: Tokens) -> npt.NDArray[np.int32]:
    r"""The first token of each line in which a token begins.

    Examples
    --------
    >>> from codekin.source import Source
    >>> line_starts(Source("x = 1;\ny = 2;\n", "c").tokens).tolist()
    [0, 4]
    """
    if len(tokens) == 0:
        return np.empty(0, dtype=np.int32)
    numbers = tokens.positions.lines_of(tokens.starts)
    fresh = np.flatnonzero(np.diff(numbers)) + 1
    return np.concatenate(([0], fresh)).astype(np.int32)
