"""Lexical facts of a language: what cuts a text into lexemes where no parser has a say."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from codekin import _native

__all__ = ["BlockComment", "Lexical", "StringForm"]

_OPERATORS = """
    <<= >>= ... -> ++ -- << >> <= >= == != && || += -= *= /= %= &= |= ^= :: => ?? ?.
"""


@dataclass(frozen=True)
class StringForm:
    """One way to write a string.

    Parameters
    ----------
    opening : str
        What opens it; the longest opening that fits is taken.
    closing : str
        What closes it; the opening itself where none is given.
    prefixes : tuple of str
        Words that may stand right before the opening, and are part of the string; the empty one
        where it may stand alone.
    multiline : bool
        Whether it may span lines. One that may not ends at the line end, closed or not.
    escape : bool
        Whether a backslash takes the meaning from the character behind it.
    doubled : bool
        Whether the closing written twice stands for itself.
    hole : str
        What opens an expression inside it, up to the brace that closes it; strings in there may
        hold the closing.
    format : bool
        Whether a colon in a hole begins a format, which is text again, and a hole's opening
        written twice stands for itself (Python, C#).
    """

    opening: str
    closing: str = ""
    prefixes: tuple[str, ...] = ("",)
    multiline: bool = False
    escape: bool = True
    doubled: bool = False
    hole: str = ""
    format: bool = False


@dataclass(frozen=True)
class BlockComment:
    """A comment between two marks.

    Parameters
    ----------
    opening, closing : str
        The marks; without a closing it runs to the end of the text.
    nested : bool
        Whether such comments stand in one another.
    line_start : bool
        Whether the marks count only at the start of a line, and the closing takes its line along.
    """

    opening: str
    closing: str
    nested: bool = False
    line_start: bool = False


@dataclass(frozen=True)
class Lexical:
    """What the lexer knows of a language; the defaults are those of a language like C.

    Parameters
    ----------
    line_comments : tuple of str
        Marks of comments that end with their line. A longer operator goes before a mark.
    block_comments : tuple of BlockComment
        Comments between two marks.
    strings : tuple of StringForm
        How strings and characters are written.
    operators : str
        The operators of more than one character, between blanks; the longest that fits is taken.
    letters : str
        Characters beside letters, digits and ``_`` that stand anywhere in a word.
    sigils : str
        Characters that begin a word if the rest of one follows: PHP's ``$x``, Ruby's ``@x``.
    endings : str
        Characters that a word may end with: Ruby's ``empty?``.
    number_suffixes : str
        Letters that may end a number; any word may, where none are given.
    digit_separators : bool
        Whether ``'`` stands between digits (C++).
    leading_point, trailing_point : bool
        Whether ``.5`` and ``5.`` are numbers.
    preprocessor : bool
        Whether ``#include <x>`` holds a name in angle brackets, and a backslash at the line end
        continues a line comment.
    continuation : bool
        Whether a backslash at the line end joins lines, also those of a string.
    raw_strings : bool
        Whether C++'s ``R"mark(...)mark"`` is a string.
    hashed_strings : bool
        Whether Rust's ``r#"..."#`` is a string and ``r#name`` a word.
    lifetimes : bool
        Whether ``'a`` without a second quote is a word (Rust).
    quote_runs : bool
        Whether three quotes or more open a string that as many close (C#).
    regex_after : frozenset of str
        Words after which a slash opens a regular expression, as it does after an operator; a
        slash never does where there are none.
    heredocs : str
        ``<<<`` where the text follows on the next line up to its word (PHP), ``<<`` where the
        rest of the line comes first (Ruby).
    member_arrow : bool
        Whether ``a->b`` is a member of what ``a`` points at; elsewhere an arrow leads to the body
        of a lambda.
    tags : bool
        Whether code stands between ``<?`` and ``?>`` (PHP).
    ruby : bool
        Whether ``:symbols``, ``%w[lists]`` and ``?c`` are literals.
    layout : bool
        Whether logical lines and their indentation are lexemes.
    docstrings : bool
        Whether a logical line of strings alone is a comment.
    statements : frozenset of str
        Words that begin a statement and nothing else: at the start of a line they close all
        brackets that are still open (only where `layout` holds).
    outer_statements : frozenset of str
        Words that do so only where their line is not indented deeper than the one in which the
        first open bracket stands.

    Examples
    --------
    >>> Lexical().line_comments
    ('//',)
    """

    line_comments: tuple[str, ...] = ("//",)
    block_comments: tuple[BlockComment, ...] = (BlockComment("/*", "*/"),)
    strings: tuple[StringForm, ...] = (StringForm('"'), StringForm("'"))
    operators: str = _OPERATORS
    letters: str = "$"
    sigils: str = ""
    endings: str = ""
    number_suffixes: str = ""
    digit_separators: bool = False
    leading_point: bool = True
    trailing_point: bool = True
    preprocessor: bool = False
    continuation: bool = False
    raw_strings: bool = False
    hashed_strings: bool = False
    lifetimes: bool = False
    quote_runs: bool = False
    regex_after: frozenset[str] = frozenset()
    heredocs: str = ""
    member_arrow: bool = False
    tags: bool = False
    ruby: bool = False
    layout: bool = False
    docstrings: bool = False
    statements: frozenset[str] = frozenset()
    outer_statements: frozenset[str] = frozenset()

    @cached_property
    def rules(self) -> _native.LexicalRules:
        """The same facts as the native lexer reads them."""
        return _native.LexicalRules(
            line_comments=list(self.line_comments),
            block_comments=[
                (c.opening, c.closing, c.nested, c.line_start) for c in self.block_comments
            ],
            strings=[_string_rule(form) for form in self.strings],
            operators=self.operators.split(),
            characters=(self.letters, self.sigils, self.endings, self.number_suffixes),
            words=(
                sorted(self.regex_after),
                sorted(self.statements),
                sorted(self.outer_statements),
            ),
            heredocs=self.heredocs,
            flags=[name for name in _FLAGS if getattr(self, name)],
        )


_FLAGS = (
    "digit_separators",
    "leading_point",
    "trailing_point",
    "preprocessor",
    "continuation",
    "raw_strings",
    "hashed_strings",
    "lifetimes",
    "quote_runs",
    "tags",
    "ruby",
    "layout",
    "docstrings",
)


def _string_rule(form: StringForm) -> tuple[str, str, list[str], list[bool], str]:
    flags = [form.multiline, form.escape, form.doubled, form.format]
    return form.opening, form.closing or form.opening, list(form.prefixes), flags, form.hole
