"""Texts that do nothing where they are shown: no cursor moves, and nothing hides itself."""

from __future__ import annotations

import re

__all__ = ["plain", "spreadsheet_cell", "visible"]

_TAB = 4
_NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?%?")
_FORMULA = re.compile(r"(^|[;\n])(?=[\s'\"]*[=+\-@＝＋－＠])")
"""Where a spreadsheet would begin a formula.

Where semicolons part cells, as in many countries, one may begin behind a semicolon or on a line
that is inside of a cell for others.
"""


def visible(character: str, column: int = 0) -> str:
    """What a terminal shows of a character: tabs as blanks, what is invisible by its name.

    Examples
    --------
    >>> visible("\\x1b"), visible("\\u202e"), visible("\\t", 2)
    ('␛', '<U+202E>', '  ')
    """
    if character == "\t":
        return " " * (_TAB - column % _TAB)
    return _named(character)


def _named(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    return character if character.isprintable() else f"<U+{code:04X}>"


def plain(text: str) -> str:
    """A text without anything that would move the cursor or hide itself.

    Examples
    --------
    >>> plain("a\\x1b[2Jb\\nc")
    'a␛[2Jb␊c'
    """
    return text if text.isprintable() else "".join(map(visible, text))


def spreadsheet_cell(value: object) -> object:
    """What a cell of CSV holds: a number as it is, a text so that no spreadsheet computes it.

    A quote goes before what would begin a formula, as spreadsheets themselves do it, and
    characters that are invisible or control something are shown by their names. Line ends stay.

    Examples
    --------
    >>> spreadsheet_cell("=1+1"), spreadsheet_cell("-0.5"), spreadsheet_cell("a\\tb")
    ("'=1+1", '-0.5', 'a␉b')
    """
    if not isinstance(value, str) or _NUMBER.fullmatch(value):
        return value
    text = "".join(one if one == "\n" else _named(one) for one in value)
    return _FORMULA.sub(r"\1'", text)
