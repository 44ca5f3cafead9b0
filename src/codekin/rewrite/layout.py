"""The change ``layout``: other indentation, spacing, blank lines and brace positions."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from codekin.languages.token_classes import TokenClass
from codekin.rewrite.program import Program, TextEdit

__all__ = ["change_layout"]

_SYMBOL = re.compile(r"[-+*/%=<>!&|^@]+\Z")
_SYMBOLS = frozenset("+-*/%=<>!&|^~?:.#@\\$")
_TRIES = 6
_HEADS = {"if", "while", "for", "switch", "catch"}


@dataclass(frozen=True)
class Style:
    """The layout to apply.

    Attributes
    ----------
    step : str
        One step of indentation.
    operator, comma, head : str
        The whitespace around an operator, after a comma, and between ``if`` and its bracket.
    brace : str
        Where a block's brace opens: on the ``same`` line or on the ``next``.
    blank : float
        The share of statements that get a blank line before them; below 0, all blank lines are
        removed.
    """

    step: str
    operator: str
    comma: str
    head: str
    brace: str
    blank: float


def change_layout(program: Program, chance: random.Random) -> list[TextEdit]:
    """Change the whitespace between tokens and nothing else."""
    if not program.facts.keeps_layout.isdisjoint(program.kinds):
        return []
    lines = _indented_lines if program.language.layout else _bracketed_lines
    for _ in range(_TRIES):  # a drawn style may be the one that the text has
        style = Style(
            step=chance.choice(("  ", "    ", "   ", "\t", " " * 8)),
            operator=chance.choice((" ", "")),
            comma=chance.choice((" ", "", "  ")),
            head=chance.choice((" ", "")),
            brace=chance.choice(("same", "next")),
            blank=chance.choice((-1.0, 0.25, 0.5)),
        )
        edits = {
            edit.start: edit for edit in (*_spaces(program, style), *lines(program, style, chance))
        }
        changed = [e for e in edits.values() if e.text != program.slice(e.start, e.end)]
        if changed:
            return changed
    return []


def _gaps(program: Program) -> Iterator[tuple[int, int, int]]:
    """Whitespace that may change: the number of the token after it, and its span."""
    spans = program.spans
    for i in range(1, len(spans)):
        start, end = spans[i - 1][1], spans[i][0]
        if program.data[start:end].strip(b" \t\r\n") or program.in_directive(start, end):
            continue
        if program.is_quoted(start):
            continue
        yield i, start, end


def _spaces(program: Program, style: Style) -> Iterator[TextEdit]:
    """Spacing around operators, after commas and after keywords, within a line."""
    operators = _operators(program)
    spans, data = program.spans, program.data
    for i, start, end in _gaps(program):
        if b"\n" in data[start:end]:
            continue
        first, second = data[slice(*spans[i - 1])], data[slice(*spans[i])]
        if first == b",":
            yield TextEdit(start, end, style.comma)
        elif first.decode("latin-1") in _HEADS and second == b"(":
            yield TextEdit(start, end, style.head)
        elif (spans[i - 1][0] in operators) != (spans[i][0] in operators):
            operand = first if spans[i][0] in operators else second
            tight = style.operator or _can_touch(first, operand)
            yield TextEdit(start, end, style.operator if tight else " ")


def _operators(program: Program) -> set[int]:
    """The start of each operator between two operands."""
    facts = program.facts
    between = facts.binary | facts.assignments | facts.spaced
    return {
        program.starts[node]
        for node, kind in enumerate(program.kinds)
        if _SYMBOL.match(kind) and program.kinds[program.parents[node]] in between
    }


def _can_touch(first: bytes, operand: bytes) -> bool:
    """Whether an operator and an operand stay two tokens without a space between them."""
    if operand is first and operand[:1].isdigit():
        return False  # 0xe+1 is one token of C
    side = operand[-1:] if operand is first else operand[:1]
    return side.decode("latin-1") not in _SYMBOLS and not operand.startswith((b"//", b"/*"))


def _lines_between(
    program: Program, start: int, end: int, style: Style, chance: random.Random
) -> str:
    """The line ends of a gap, with more or fewer blank lines."""
    count = program.data.count(b"\n", start, end)
    if style.blank < 0:
        count = 1
    elif chance.random() < style.blank:
        count = 2
    return program.newline * count


def _indented_lines(program: Program, style: Style, chance: random.Random) -> Iterator[TextEdit]:
    """Change the indentation of statements and comments."""
    depths = _depths(program)
    for i, start, end in _gaps(program):
        token = program.spans[i][0]
        if token in depths and b"\n" in program.data[start:end]:
            lines = _lines_between(program, start, end, style, chance)
            yield TextEdit(start, end, lines + style.step * depths[token])


def _depths(program: Program) -> dict[int, int]:
    """The indentation depth of each logical line by its start; comments get the next line's."""
    tokens = program.source.tokens_with(comments=True)
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
            if begins and program.indentation(start) is not None:
                comments.append(start)
        elif begins:
            depths |= dict.fromkeys([*comments, start], depth)
            comments, begins = [], False
    return depths


def _bracketed_lines(program: Program, style: Style, chance: random.Random) -> Iterator[TextEdit]:
    """Change the indentation by bracket depth, and the position of opening braces."""
    braces, marks = _braces(program), _comment_marks(program)
    spans, data = program.spans, program.data
    levels = _levels(program)
    for i, start, end in _gaps(program):
        level = levels[i]
        broken = b"\n" in data[start:end]
        after_comment = data.startswith(marks, spans[i - 1][0])
        if spans[i][0] in braces and not after_comment:
            if style.brace == "next":
                yield TextEdit(start, end, program.newline + style.step * level)
            else:
                yield TextEdit(start, end, " ")
        elif broken:
            lines = _lines_between(program, start, end, style, chance)
            yield TextEdit(start, end, lines + style.step * max(level, 0))


def _levels(program: Program) -> list[int]:
    """The number of open brackets around each token."""
    levels = []
    depth = 0
    opening, closing = program.facts.opening, program.facts.closing
    for start, end in program.spans:
        token = program.slice(start, end)
        depth -= token in closing
        levels.append(depth)
        depth += token in opening
    return levels


def _comment_marks(program: Program) -> tuple[bytes, ...]:
    """The marks that open a comment."""
    lexical = program.language.lexical
    blocks = (block.opening for block in lexical.block_comments)
    return tuple(mark.encode() for mark in (*lexical.line_comments, *blocks))


def _braces(program: Program) -> set[int]:
    """The start of each block that belongs to a head before it."""
    facts = program.facts
    return {
        program.starts[node]
        for node, kind in enumerate(program.kinds)
        if kind in facts.braces
        and program.kinds[program.parents[node]] not in facts.blocks
        and program.data[program.starts[node] : program.starts[node] + 1] == b"{"
        and program.kinds[program.parents[node]] not in facts.labels
    }
