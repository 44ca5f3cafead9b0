"""Texts made safe to display: no control characters, and nothing invisible."""

from __future__ import annotations

import re
from html import escape

__all__ = ["plain", "plain_html", "plain_line", "spreadsheet_cell", "visible", "visible_html"]

_TAB = 4
_NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?%?")
_FORMULA = re.compile(r"(^|[;\n])(?=[\s'\"]*[=+\-@＝＋－＠])")
"""Where a spreadsheet would begin a formula.

In locales where semicolons separate cells, a formula may also begin after a semicolon or on a new
line inside a quoted cell.
"""


def visible(character: str, column: int = 0) -> str:
    """How a terminal shows a character: tabs as blanks, invisible characters by name.

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
    """A text with control characters and invisible characters replaced by their names.

    Examples
    --------
    >>> plain("a\\x1b[2Jb\\nc")
    'a␛[2Jb␊c'
    """
    return text if text.isprintable() else "".join(map(visible, text))


def plain_line(text: str) -> str:
    """The same on one line, where blanks of every kind are one.

    Examples
    --------
    >>> plain_line(" a\\n\\tb\\x1b ")
    'a b␛'
    """
    return plain(" ".join(text.split()))


def visible_html(text: str) -> str:
    """A text for HTML in which nothing hides, blanks of all kinds included; tabs stay.

    Examples
    --------
    >>> visible_html("<\\t\\xa0>")
    '&lt;\\t&lt;U+00A0&gt;&gt;'
    """
    if text.isprintable():
        return escape(text)
    return "".join(c if c == "\t" else escape(_named(c)) for c in text)


_UNSEEN = re.compile(
    "[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""Control characters and format characters but tabs and line ends, as in pieces.js."""


def plain_html(html: str) -> str:
    r"""Markup in which control characters and invisible characters are replaced by their names.

    Tabs and line ends stay.

    Examples
    --------
    >>> plain_html("<b>a\x1b\u202e\n</b>")
    '<b>a␛&lt;U+202E&gt;\n</b>'
    """
    return _UNSEEN.sub(lambda match: escape(_named(match[0])), html)


def spreadsheet_cell(value: object) -> object:
    """The value of a CSV cell, escaped so that spreadsheets do not run it as a formula.

    Numbers stay unchanged. A quote is put before what would begin a formula, as spreadsheets do,
    and control or invisible characters are shown by name. Line ends stay.

    Examples
    --------
    >>> spreadsheet_cell("=1+1"), spreadsheet_cell("-0.5"), spreadsheet_cell("a\\tb")
    ("'=1+1", '-0.5', 'a␉b')
    """
    if not isinstance(value, str) or _NUMBER.fullmatch(value):
        return value
    text = value
    if not value.isprintable():
        text = "".join(one if one == "\n" else _named(one) for one in value)
    return _FORMULA.sub(r"\1'", text)
