"""Words of plain text, found by fixed rules, and the lines that they are in."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.languages.token_classes import TokenClass
from codekin.represent.text.lexemes import MAX_BYTES, Lexemes
from codekin.represent.text.positions import Positions
from codekin.represent.text.tokens import Tokens, line_starts
from codekin.represent.tree.parsing import cut_between_characters

__all__ = ["word_lexemes", "word_spans", "word_tokens"]

_BLANK = "\\s\ufeff\u200b\u2060"
_IDEOGRAPHS = (
    "\u2e80-\u2fdf\u3005-\u3007\u3041-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
"""Characters of scripts without spaces that are words of their own: Han and Hiragana."""


def word_spans(text: str) -> list[tuple[int, int]]:
    """Where the words and punctuation marks of a text are, in characters.

    A word is a run of letters, digits, marks and underscores. An apostrophe between letters and a
    point or comma between digits belong to it; a hyphen does not. Each ideograph is a word. Any
    other character is on its own, except for runs of points and of hyphens.

    Examples
    --------
    >>> text = "Don't pay $1,250.50 (well-known)..."
    >>> [text[start:end] for start, end in word_spans(text)]
    ["Don't", 'pay', '$', '1,250.50', '(', 'well', '-', 'known', ')', '...']
    """
    return [match.span() for match in _pattern(_marks(text)).finditer(text)]


def _marks(text: str) -> str:
    """The characters of a text that belong to the character before them, as accents do."""
    if text.isascii():
        return ""
    found = (c for c in set(text) if unicodedata.category(c) in ("Mn", "Mc", "Me", "Cf"))
    return "".join(sorted(c for c in found if c not in "\ufeff\u200b\u2060"))


@lru_cache(maxsize=64)
def _pattern(marks: str) -> re.Pattern[str]:
    after = f"[{re.escape(marks)}]*" if marks else ""
    letter = rf"(?:[^\W{_IDEOGRAPHS}]|[{re.escape(marks)}])" if marks else rf"[^\W{_IDEOGRAPHS}]"
    joint = r"(?:(?<=[^\W\d_])['’](?=[^\W\d_])|(?<=\d)[.,](?=\d))"
    return re.compile(
        rf"[{_IDEOGRAPHS}]{after}|{letter}+(?:{joint}{letter}+)*|\.{{2,}}|-{{2,}}"
        rf"|[^{_BLANK}]{after}"
    )


def _bytes_of(text: str, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
    """The bytes in UTF-8 at which characters begin."""
    if text.isascii():
        return places.astype(np.int32)
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    widths = 1 + (codes >= 0x80).astype(np.int64) + (codes >= 0x800) + (codes >= 0x10000)
    starts = np.concatenate(([0], np.cumsum(widths)))
    return starts[places].astype(np.int32)


def word_tokens(data: bytes, positions: Positions) -> Tokens:
    """The words and punctuation marks of a text in UTF-8 as tokens.

    Words are identifiers, numbers are integers or floats, and the rest is delimiters.

    Examples
    --------
    >>> data = "Ça va?".encode()
    >>> word_tokens(data, Positions(data)).texts
    ['Ça', 'va', '?']
    """
    text = data.decode("utf-8", "surrogatepass")
    return _tokens(text, word_spans(text), data, positions)


def _tokens(
    text: str, spans: Sequence[tuple[int, int]], data: bytes, positions: Positions
) -> Tokens:
    bounds = _bytes_of(text, np.array(spans, dtype=np.int64).reshape(-1, 2))
    classes = np.array([_class_of(text[start:end]) for start, end in spans], dtype=np.uint8)
    starts, ends = (np.ascontiguousarray(side) for side in bounds.T)
    return Tokens(data, starts, ends, classes, positions)


def _class_of(word: str) -> TokenClass:
    if word.isdigit():
        return TokenClass.INTEGER
    if word[0].isdigit() and not any(c.isalpha() for c in word):
        return TokenClass.FLOAT
    return TokenClass.IDENTIFIER if word[0].isalnum() or word[0] == "_" else TokenClass.DELIMITER


def word_lexemes(data: bytes, positions: Positions) -> Lexemes:
    r"""The same words as lexemes; at most those of a million bytes.

    Examples
    --------
    >>> data = b"It rained.\nWe stayed in."
    >>> word_lexemes(data, Positions(data)).lines.tolist()
    [0, 3]
    """
    read = cut_between_characters(data, MAX_BYTES)
    text = read.decode("utf-8", "surrogatepass")
    tokens = _tokens(text, word_spans(text), data, positions)
    return Lexemes(
        data,
        tokens.starts,
        tokens.ends,
        _native.code_token_ids(data, tokens.starts, tokens.ends, tokens.classes),
        line_starts(tokens),
        np.zeros(len(tokens), dtype=np.bool_),
        positions,
        len(data) - len(read),
    )
