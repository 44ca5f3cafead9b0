"""Lexemes: tokens found without a parser, so that they do not depend on their context."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.languages.lexical import Lexical
from codekin.represent.text.positions import Positions
from codekin.represent.tree.parsing import cut_between_characters

__all__ = ["MAX_BYTES", "Lexemes", "lex"]

MAX_BYTES = 1_000_000
"""Limit on the bytes that are split into lexemes; aligning takes quadratic time."""


@dataclass(frozen=True, eq=False)
class Lexemes:
    r"""The lexemes of a text.

    Attributes
    ----------
    data : bytes
        The text in UTF-8.
    starts, ends : int32 arrays
        Spans in bytes of `data`, in ascending order.
    ids : uint64 array
        An identity for each lexeme, never 0: equal for equal texts, and equal to that of a token
        with the same text (see :attr:`codekin.represent.text.tokens.Tokens.ids`). Layout lexemes
        have identities that no text has, one for each column.
    lines : int32 array
        The index of the first lexeme of each line: of each logical line if layout counts,
        otherwise of each physical line in which a lexeme begins.
    layout : bool array
        Whether a lexeme is layout. It precedes a logical line and represents its indentation in
        columns (tabs to the next multiple of 8); its span covers the whitespace, and may be empty.
    unread : int
        Number of bytes at the end of a very long text that are not split into lexemes.

    Examples
    --------
    >>> from codekin.source import Source
    >>> Source("def double(x):\n    return 2 * x\n", "python").lexemes.texts
    ['⏎0', 'def', 'double', '(', 'x', ')', ':', '⏎4', 'return', '2', '*', 'x']
    """

    data: bytes = field(repr=False)
    starts: npt.NDArray[np.int32] = field(repr=False)
    ends: npt.NDArray[np.int32] = field(repr=False)
    ids: npt.NDArray[np.uint64] = field(repr=False)
    lines: npt.NDArray[np.int32] = field(repr=False)
    layout: npt.NDArray[np.bool_] = field(repr=False)
    positions: Positions = field(repr=False)
    unread: int = 0

    def __len__(self) -> int:
        return len(self.starts)

    @cached_property
    def texts(self) -> list[str]:
        """The text of every lexeme; layout is shown as ``⏎`` and the column."""
        spans = zip(
            self.starts.tolist(),
            self.ends.tolist(),
            self.ids.tolist(),
            self.layout.tolist(),
            strict=True,
        )
        # The identity of a layout lexeme encodes its column above the four bits of the length.
        return [
            f"⏎{identity >> 4}" if layout else self.data[s:e].decode("utf-8", "surrogatepass")
            for s, e, identity, layout in spans
        ]


def lex(data: bytes, lexical: Lexical, positions: Positions, *, comments: bool) -> Lexemes:
    """Split a text, or its first million bytes if it is longer, into lexemes.

    Parameters
    ----------
    data : bytes
        The text in UTF-8.
    lexical : Lexical
        The lexical facts of its language.
    positions : Positions
        Lines of `data`.
    comments : bool
        Whether comments and docstrings are lexemes.

    Examples
    --------
    >>> data = b"x->y // z"
    >>> lex(data, Lexical(), Positions(data), comments=True).texts
    ['x', '->', 'y', '// z']
    """
    read = cut_between_characters(data, MAX_BYTES)
    starts, ends, ids, lines, layout = _native.lexemes(read, lexical.rules, comments)
    unread = len(data) - len(read)
    return Lexemes(data, starts, ends, ids, lines, layout.view(np.bool_), positions, unread)
