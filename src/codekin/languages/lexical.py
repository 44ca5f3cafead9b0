"""Lexical facts of a language, which split a text into lexemes without a parser."""

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
        What opens it; the longest matching opening wins.
    closing : str
        What closes it (default: the opening).
    prefixes : tuple of str
        Words that may directly precede the opening and are part of the string; includes the empty
        text if no prefix is needed.
    multiline : bool
        Whether it may span lines. If not, it ends at the line end, closed or not.
    escape : bool
        Whether a backslash escapes the next character.
    doubled : bool
        Whether a doubled closing is an escaped one.
    hole : str
        What opens an expression inside it, up to the closing brace; strings in the expression may
        contain the closing.
    format : bool
        Whether a colon in a hole begins a format, which is text again, and a doubled opening of a
        hole is an escaped one (Python, C#).
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
        The marks; without a closing, it runs to the end of the text.
    nested : bool
        Whether such comments can be nested.
    line_start : bool
        Whether the marks count only at the start of a line, and the line of the closing is part
        of the comment.
    """

    opening: str
    closing: str
    nested: bool = False
    line_start: bool = False


@dataclass(frozen=True)
class Lexical:
    """What the lexer knows about a language; the defaults are those of a language like C.

    Parameters
    ----------
    line_comments : tuple of str
        Marks of comments that end with their line. A longer operator takes precedence.
    block_comments : tuple of BlockComment
        Comments between two marks.
    strings : tuple of StringForm
        How strings and characters are written.
    operators : str
        The operators of more than one character, separated by spaces; the longest match wins.
    letters : str
        Characters besides letters, digits and ``_`` that may occur anywhere in a word.
    sigils : str
        Characters that begin a word if the rest of one follows: PHP's ``$x``, Ruby's ``@x``.
    endings : str
        Characters that a word may end with: Ruby's ``empty?``.
    number_suffixes : str
        Letters that may end a number (default: any word).
    digit_separators : bool
        Whether ``'`` may separate digits (C++).
    leading_point, trailing_point : bool
        Whether ``.5`` and ``5.`` are numbers.
    preprocessor : bool
        Whether ``#include <x>`` contains a name in angle brackets, and a backslash at the line end
        continues a line comment.
    continuation : bool
        Whether a backslash at the line end joins lines, even within a string.
    raw_strings : bool
        Whether C++'s ``R"mark(...)mark"`` is a string.
    hashed_strings : bool
        Whether Rust's ``r#"..."#`` is a string and ``r#name`` a word.
    lifetimes : bool
        Whether ``'a`` without a second quote is a word (Rust).
    quote_runs : bool
        Whether three or more quotes open a string that the same number closes (C#).
    regex_after : frozenset of str
        Words after which a slash opens a regular expression, as it does after an operator; if
        there are none, a slash never does.
    heredocs : str
        ``<<<`` if the text begins on the next line and ends at its word (PHP), ``<<`` if the rest
        of the line comes first (Ruby).
    member_arrow : bool
        Whether ``a->b`` is a member of what ``a`` points at; otherwise an arrow precedes the body
        of a lambda.
    tags : bool
        Whether code is between ``<?`` and ``?>`` (PHP).
    ruby : bool
        Whether ``:symbols``, ``%w[lists]`` and ``?c`` are literals.
    layout : bool
        Whether logical lines and their indentation are lexemes.
    docstrings : bool
        Whether a logical line that consists of strings is a comment.
    statements : frozenset of str
        Words that can only begin a statement: at the start of a line they close all brackets that
        are still open (only with `layout`).
    outer_statements : frozenset of str
        Words that do so only if their line is not indented deeper than that of the first open
        bracket.
    reserved : frozenset of str
        Words that are never names, without those of primitive types.
    imports : frozenset of str
        Words that begin a line of imports.
    import_blocks : bool
        Whether an import may list its modules in brackets (Go).
    line_ends : bool
        Whether a line end can end a statement.

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
    reserved: frozenset[str] = frozenset()
    imports: frozenset[str] = frozenset()
    import_blocks: bool = False
    line_ends: bool = False

    @cached_property
    def rules(self) -> _native.LexicalRules:
        """The same facts in the form of the native lexer."""
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
