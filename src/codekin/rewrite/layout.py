"""The change ``layout``: other indentation, spacing, blank lines and places of braces."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from codekin.languages.token_classes import TokenClass
from codekin.rewrite.facts import FACTS
from codekin.rewrite.syntax import Edit, Syntax

__all__ = ["change_layout"]

_SYMBOL = re.compile(r"[-+*/%=<>!&|^@]+\Z")
_SYMBOLS = frozenset("+-*/%=<>!&|^~?:.#@\\$")
_TRIES = 6
_HEADS = {"if", "while", "for", "switch", "catch"}
_INITIALIZED = {
    "assignment",
    "assignment_expression",
    "augmented_assignment",
    "augmented_assignment_expression",
    "variable_declarator",
    "init_declarator",
}


@dataclass(frozen=True)
class Style:
    """How a text is to be laid out.

    Attributes
    ----------
    step : str
        One step of indentation.
    operator, comma, head : str
        What stands around an operator, after a comma, and between ``if`` and its bracket.
    brace : str
        Where a block's brace opens: on the ``same`` line or on the ``next``.
    blank : float
        The share of statements that get an empty line before them; below 0, all empty lines go.
    """

    step: str
    operator: str
    comma: str
    head: str
    brace: str
    blank: float


def change_layout(syntax: Syntax, chance: random.Random) -> list[Edit]:
    """Edits of the blanks between tokens, which leave the tokens what they are."""
    if any(kind.startswith("jsx") for kind in syntax.kinds):
        return []  # blanks between elements are text
    lines = _python_lines if syntax.source.language.layout else _braced_lines
    for _ in range(_TRIES):  # the style may be the one that the text has
        style = Style(
            step=chance.choice(("  ", "    ", "   ", "\t", " " * 8)),
            operator=chance.choice((" ", "")),
            comma=chance.choice((" ", "", "  ")),
            head=chance.choice((" ", "")),
            brace=chance.choice(("same", "next")),
            blank=chance.choice((-1.0, 0.25, 0.5)),
        )
        edits = {
            edit.start: edit for edit in (*_spaces(syntax, style), *lines(syntax, style, chance))
        }
        changed = [e for e in edits.values() if e.text != syntax.slice(e.start, e.end)]
        if changed:
            return changed
    return []


def _gaps(syntax: Syntax) -> Iterator[tuple[int, int, int]]:
    """Blanks between tokens that may change: the token's number, and the span before it."""
    spans = syntax.spans
    for i in range(1, len(spans)):
        start, end = spans[i - 1][1], spans[i][0]
        if syntax.data[start:end].strip(b" \t\r\n") or syntax.in_directive(start, end):
            continue
        if syntax.is_quoted(start):
            continue
        yield i, start, end


def _spaces(syntax: Syntax, style: Style) -> Iterator[Edit]:
    """Spacing around operators, after commas and after keywords, within a line."""
    operators = _operators(syntax)
    spans, data = syntax.spans, syntax.data
    for i, start, end in _gaps(syntax):
        if b"\n" in data[start:end]:
            continue
        first, second = data[slice(*spans[i - 1])], data[slice(*spans[i])]
        if first == b",":
            yield Edit(start, end, style.comma)
        elif first.decode("latin-1") in _HEADS and second == b"(":
            yield Edit(start, end, style.head)
        elif (spans[i - 1][0] in operators) != (spans[i][0] in operators):
            operand = first if spans[i][0] in operators else second
            tight = style.operator or _can_touch(first, second, operand)
            yield Edit(start, end, style.operator if tight else " ")


def _operators(syntax: Syntax) -> set[int]:
    """Where the operators that stand between two operands begin."""
    facts = FACTS[syntax.source.language.name]
    between = (facts.binary | facts.assignments | _INITIALIZED) - {"update_expression"}
    return {
        syntax.starts[node]
        for node, kind in enumerate(syntax.kinds)
        if _SYMBOL.match(kind) and syntax.kinds[syntax.parents[node]] in between
    }


def _can_touch(first: bytes, second: bytes, operand: bytes) -> bool:
    """Whether an operator and an operand stay two tokens without a blank between them."""
    if operand is first and operand[:1].isdigit():
        return False  # 0xe+1 is one token of C
    side = operand[-1:] if operand is first else operand[:1]
    return side.decode("latin-1") not in _SYMBOLS and not operand.startswith((b"//", b"/*"))


def _lines_between(
    syntax: Syntax, start: int, end: int, style: Style, chance: random.Random
) -> str:
    """The line ends of a gap, with more or fewer empty lines."""
    count = syntax.data.count(b"\n", start, end)
    if style.blank < 0:
        count = 1
    elif chance.random() < style.blank:
        count = 2
    return syntax.newline * count


def _python_lines(syntax: Syntax, style: Style, chance: random.Random) -> Iterator[Edit]:
    """New indentation for the first token of each statement's line, and for comments."""
    depths = _depths(syntax)
    for i, start, end in _gaps(syntax):
        token = syntax.spans[i][0]
        if token in depths and b"\n" in syntax.data[start:end]:
            lines = _lines_between(syntax, start, end, style, chance)
            yield Edit(start, end, lines + style.step * depths[token])


def _depths(syntax: Syntax) -> dict[int, int]:
    """Where logical lines of Python begin, and how deep each is; comments go with what follows."""
    tokens = syntax.source.tokens_with(comments=True)
    depths: dict[int, int] = {}
    depth, begins = 0, True
    comments: list[int] = []
    for start, cls in zip(tokens.starts.tolist(), tokens.classes.tolist(), strict=True):
        if cls == TokenClass.NEWLINE:
            begins = True
        elif cls == TokenClass.INDENT:
            depth += 1
        elif cls == TokenClass.DEDENT:
            depth -= 1
        elif cls == TokenClass.COMMENT:
            if begins and syntax.indentation(start) is not None:
                comments.append(start)
        elif begins:
            depths |= dict.fromkeys([*comments, start], depth)
            comments, begins = [], False
    return depths


def _braced_lines(syntax: Syntax, style: Style, chance: random.Random) -> Iterator[Edit]:
    """New indentation by the depth of brackets, and other places for opening braces."""
    braces = _braces(syntax)
    spans, data = syntax.spans, syntax.data
    levels = _levels(syntax)
    for i, start, end in _gaps(syntax):
        token = data[slice(*spans[i])]
        level = levels[i] - (token in {b"}", b")", b"]"})
        broken = b"\n" in data[start:end]
        after_comment = data[spans[i - 1][0] : spans[i - 1][0] + 2] in {b"//", b"/*"}
        if spans[i][0] in braces and not after_comment:
            if style.brace == "next":
                yield Edit(start, end, syntax.newline + style.step * level)
            else:
                yield Edit(start, end, " ")
        elif broken:
            lines = _lines_between(syntax, start, end, style, chance)
            yield Edit(start, end, lines + style.step * max(level, 0))


def _levels(syntax: Syntax) -> list[int]:
    """How many brackets are open before each token."""
    levels = []
    depth = 0
    for start, end in syntax.spans:
        levels.append(depth)
        if end - start == 1:
            depth += {b"{": 1, b"(": 1, b"[": 1, b"}": -1, b")": -1, b"]": -1}.get(
                syntax.data[start:end], 0
            )
    return levels


def _braces(syntax: Syntax) -> set[int]:
    """Where blocks open that belong to a head before them."""
    facts = FACTS[syntax.source.language.name]
    return {
        syntax.starts[node]
        for node, kind in enumerate(syntax.kinds)
        if kind in facts.braces
        and syntax.kinds[syntax.parents[node]] not in facts.blocks
        and syntax.data[syntax.starts[node] : syntax.starts[node] + 1] == b"{"
        and not syntax.kinds[syntax.parents[node]].endswith(
            ("labeled_statement", "_group", "_case", "_default", "case_statement")
        )
    }
