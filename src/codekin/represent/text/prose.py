"""Words and sentences of prose, found by fixed rules."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.languages.token_classes import TokenClass
from codekin.represent.text.lexemes import MAX_BYTES, Lexemes
from codekin.represent.text.positions import Positions
from codekin.represent.text.tokens import Tokens
from codekin.represent.tree.parsing import cut_between_characters

__all__ = ["prose_lexemes", "prose_tokens", "sentence_lines", "sentence_starts", "word_spans"]

_BLANK = "\\s\ufeff\u200b\u2060"
_IDEOGRAPHS = (
    "\u2e80-\u2fdf\u3005-\u3007\u3041-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
"""Characters of scripts without spaces that are words of their own: Han and Hiragana."""

_ENDS = frozenset(".!?…‼⁇⁈⁉؟۔।॥።။")
"""What ends a sentence if a space follows."""
_FULL_ENDS = frozenset("。！？｡．")
"""What ends a sentence with or without a space after it."""
_CLOSINGS = frozenset(")]}\"'”’»›」』）】》〉*_")
_OPENINGS = frozenset("([{\"'“‘„«‹「『（【《〈*_¿¡")
_ABBREVIATIONS = re.compile(
    "mrs?|ms|mx|dr|prof|st|mt|ft|messrs|mme|mlle|hon|rev|fr|gen|col|lt|sgt|capt|cmdr|maj|adm|gov"
    "|sen|rep|pres|figs?|eqs?|secs?|ch|chap|vols?|nos?|nr|pp|eds?|cf|vs|viz|approx|resp|incl|esp"
    "|ca|bzw|bspw|ggf|vgl|usw|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec",
    re.IGNORECASE,
)
"""Words before a full stop that rarely ends a sentence, even if a capital follows."""

_BLOCK = re.compile(r"[ \t]*(?:[-*+•‣]|\d{1,3}[.)]|\#{1,6}|>|\|)[ \t]")
"""The start of a line that is an item of a list, a heading, a quotation or a row of a table."""
_HEADING = re.compile(r"[ \t]*(?:\#{1,6}[ \t]|\|)")


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


def sentence_starts(text: str, spans: Sequence[tuple[int, int]]) -> list[int]:
    """The index of the first word of each sentence.

    A sentence ends with a full stop, an exclamation or question mark or an ellipsis, and any
    closing quotes and brackets right after it, if a space and no lower-case letter follow. The
    stops of Chinese and Japanese need no space. A full stop after an initial, or after a common
    abbreviation that precedes names and numbers, ends none. A blank line, an item of a list, a
    heading and a row of a table begin a new sentence; other line ends count as spaces.

    Parameters
    ----------
    text : str
    spans : sequence of (int, int)
        Its words, as from :func:`word_spans`.

    Examples
    --------
    >>> text = "Dr. Smith paid 3.50 euros. Who knew? Nobody (sic!) did."
    >>> spans = word_spans(text)
    >>> [text[spans[i][0]:spans[i][1]] for i in sentence_starts(text, spans)]
    ['Dr', 'Who', 'Nobody']
    """
    starts = [0] if spans else []
    line = 0  # where the line of the last word begins
    ended = False
    for i in range(1, len(spans)):
        (_, end), (start, _) = spans[i - 1], spans[i]
        between = text[end:start]
        last = text[end - 1]
        if not (ended and last in _CLOSINGS):
            ended = last in _FULL_ENDS or (last in _ENDS and not _abbreviated(text, spans, i - 1))
        breaks = between.count("\n")
        if breaks:
            heading = _HEADING.match(text, line)
            line = end + between.rindex("\n") + 1
            block = _BLOCK.match(text, line)
        if (
            breaks > 1
            or (breaks and (heading or block))
            or (ended and _begins(text, spans, i, spaced=bool(between)))
        ):
            starts.append(i)
            ended = False
    return starts


def sentence_lines(text: str) -> str:
    r"""The text with one sentence per line, and any other white space as one space.

    Examples
    --------
    >>> sentence_lines("It rained\nall day. We stayed in.")
    'It rained all day.\nWe stayed in.\n'
    """
    spans = word_spans(text)
    firsts = [spans[at][0] for at in sentence_starts(text, spans)]
    pieces = (text[a:b] for a, b in pairwise([*firsts, len(text)]))
    return "".join(" ".join(piece.split()) + "\n" for piece in pieces)


def _abbreviated(text: str, spans: Sequence[tuple[int, int]], at: int) -> bool:
    """Whether a full stop belongs to the word right before it."""
    start, end = spans[at]
    if at == 0 or text[start:end] != "." or spans[at - 1][1] != start:
        return False
    word = text[slice(*spans[at - 1])]
    initial = len(word) == 1 and word.isalpha() and word != "I"
    return initial or _ABBREVIATIONS.fullmatch(word) is not None


def _begins(text: str, spans: Sequence[tuple[int, int]], at: int, *, spaced: bool) -> bool:
    """Whether a word can begin a sentence after the end of another."""
    first = text[spans[at][0]]
    if first in _CLOSINGS and not spaced:
        return False
    if text[spans[at - 1][1] - 1] in _FULL_ENDS:
        return first not in _ENDS and first not in _FULL_ENDS
    if not spaced:
        # A closing quote after a full-width stop, such as 。」
        return _after_full_end(text, spans, at)
    while first in _OPENINGS and at + 1 < len(spans):
        at += 1
        first = text[spans[at][0]]
    return not first.islower()


def _after_full_end(text: str, spans: Sequence[tuple[int, int]], at: int) -> bool:
    """Whether only closing marks are between a full-width stop and a word."""
    before = at - 1
    while before >= 0 and text[spans[before][1] - 1] in _CLOSINGS:
        before -= 1
    return before >= 0 and text[spans[before][1] - 1] in _FULL_ENDS


def _bytes_of(text: str, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
    """The bytes in UTF-8 at which characters begin."""
    if text.isascii():
        return places.astype(np.int32)
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    widths = 1 + (codes >= 0x80).astype(np.int64) + (codes >= 0x800) + (codes >= 0x10000)
    starts = np.concatenate(([0], np.cumsum(widths)))
    return starts[places].astype(np.int32)


def prose_tokens(data: bytes, positions: Positions) -> Tokens:
    """The words and punctuation marks of a text in UTF-8 as tokens.

    Words are identifiers, numbers are integers or floats, and the rest is delimiters.

    Examples
    --------
    >>> data = "Ça va?".encode()
    >>> prose_tokens(data, Positions(data)).texts
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


def prose_lexemes(data: bytes, positions: Positions) -> Lexemes:
    """The same words as lexemes, whose lines are sentences; at most those of a million bytes.

    Examples
    --------
    >>> data = b"It rained. We stayed in."
    >>> prose_lexemes(data, Positions(data)).lines.tolist()
    [0, 3]
    """
    read = cut_between_characters(data, MAX_BYTES)
    text = read.decode("utf-8", "surrogatepass")
    spans = word_spans(text)
    tokens = _tokens(text, spans, data, positions)
    return Lexemes(
        data,
        tokens.starts,
        tokens.ends,
        _native.code_token_ids(data, tokens.starts, tokens.ends, tokens.classes),
        np.array(sentence_starts(text, spans), dtype=np.int32),
        np.zeros(len(spans), dtype=np.bool_),
        positions,
        len(data) - len(read),
    )
