"""Brackets without a partner: which bracket to blame if code does not parse."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from codekin.represent.text.lexemes import Lexemes

__all__ = ["Bracket", "unmatched_brackets"]

_OPENING = {ord(opening): ord(closing) for opening, closing in ("()", "[]", "{}")}
_BRACKETS = np.zeros(256, dtype=np.bool_)
_BRACKETS[[*_OPENING, *_OPENING.values()]] = True
_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(if|elif|else|endif)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Bracket:
    """A bracket outside strings and comments.

    Attributes
    ----------
    text : str
    start : int
        Its byte in the text.
    line, indent : int
        Its line, from 1, and the width of the whitespace at the start of that line.
    leads : bool
        Whether it is the first lexeme of its line.
    """

    text: str
    start: int
    line: int
    indent: int
    leads: bool

    @property
    def opens(self) -> bool:
        """Whether it opens a pair."""
        return ord(self.text) in _OPENING

    @property
    def partner(self) -> str:
        """The closing bracket that belongs to an opening one."""
        return chr(_OPENING[ord(self.text)])


def unmatched_brackets(lexemes: Lexemes, *, directives: bool = False) -> tuple[Bracket, ...]:
    r"""Find the brackets that are never closed and those that close nothing, in order.

    Counting alone would blame the outermost bracket for a missing inner one. So where a line begins
    with a closing bracket and is indented like the line of an outer opening bracket, the brackets
    opened in between are blamed, unless that leaves more brackets without a partner.

    Parameters
    ----------
    lexemes : Lexemes
        Of the text, without its comments.
    directives : bool
        Whether ``#if`` and ``#else`` are directives; only their first alternatives are read.

    Examples
    --------
    >>> from codekin import Source
    >>> code = "class A {\n  void f() {\n    g(\"}\");  // }\n}\n"
    >>> [(one.line, one.text) for one in unmatched_brackets(Source(code, "java").lexemes)]
    [(2, '{')]
    """
    brackets = _brackets(lexemes, directives)
    counted = _unmatched(brackets, by_indent=False)
    if not counted:
        return ()
    indented = _unmatched(brackets, by_indent=True)
    return tuple(counted if len(indented) > len(counted) else indented)


def _unmatched(brackets: list[Bracket], *, by_indent: bool) -> list[Bracket]:
    waiting: list[Bracket] = []
    found: list[Bracket] = []
    for bracket in brackets:
        if bracket.opens:
            waiting.append(bracket)
            continue
        depth = _partner(waiting, bracket, by_indent)
        if depth is None:
            found.append(bracket)
        else:
            found += waiting[depth + 1 :]
            del waiting[depth:]
    return sorted([*found, *waiting], key=lambda bracket: bracket.start)


def _partner(waiting: list[Bracket], closing: Bracket, by_indent: bool) -> int | None:
    """The innermost waiting bracket that a closing one may close."""
    fitting = (i for i in range(len(waiting) - 1, -1, -1) if waiting[i].partner == closing.text)
    nearest = next(fitting, None)
    if nearest is None or not by_indent or not closing.leads:
        return nearest
    if waiting[nearest].indent <= closing.indent:
        return nearest
    return next((i for i in fitting if waiting[i].indent == closing.indent), nearest)


def _brackets(lexemes: Lexemes, directives: bool) -> list[Bracket]:
    data = lexemes.data
    starts = lexemes.starts
    single = lexemes.ends - starts == 1
    single &= ~lexemes.layout
    first = np.frombuffer(data, dtype=np.uint8)
    chosen = np.flatnonzero(single)
    chosen = chosen[_BRACKETS[first[starts[chosen]]]]
    places = starts[chosen]
    if directives:
        for start, end in _alternatives(data):
            places = places[(places < start) | (places >= end)]
    lines = lexemes.positions.lines_of(places).tolist()
    found = []
    for start, line in zip(places.tolist(), lines, strict=True):
        margin = data[data.rfind(b"\n", 0, start) + 1 : start]
        indent = len(margin) - len(margin.lstrip())
        found.append(Bracket(chr(data[start]), start, line, indent, leads=indent == len(margin)))
    return found


def _alternatives(data: bytes) -> list[tuple[int, int]]:
    """The stretches of a text from each ``#else`` or ``#elif`` to its ``#endif``."""
    found: list[tuple[int, int]] = []
    open_since: list[int | None] = []
    for match in _DIRECTIVE.finditer(data):
        word = match[1]
        if word == b"if":
            open_since.append(None)
        elif open_since and word == b"endif":
            start = open_since.pop()
            if start is not None:
                found.append((start, match.start()))
        elif open_since and open_since[-1] is None:
            open_since[-1] = match.start()
    return found
