"""The change ``dead-code``: statements without effect at the start of function bodies."""

from __future__ import annotations

import random
import re

from codekin.represent.text.comments import docstring_nodes
from codekin.rewrite.facts import FACTS
from codekin.rewrite.fresh_names import FreshNames
from codekin.rewrite.python_scopes import FRAMES, INTROSPECTION
from codekin.rewrite.syntax import Edit, Syntax

__all__ = ["add_dead_code"]

_STEP = "    "
_WORD = re.compile(r"[^\W\d]\w*")
# A constant expression of C++ may not hold every statement.
_CONSTANT_FUNCTIONS = {"constexpr", "consteval"}


def add_dead_code(syntax: Syntax, chance: random.Random) -> list[Edit]:
    """Edits that put one or two statements without effect into each function."""
    facts = FACTS[syntax.source.language.name]
    if syntax.source.language.name == "python" and FRAMES & syntax.words:
        return []
    fresh = FreshNames(syntax.words, chance)
    edits = []
    for node, kind in enumerate(syntax.kinds):
        if kind not in facts.functions or not syntax.sizes[node] > 1:
            continue
        body = syntax.child(node, "body")
        if body < 0 or syntax.kinds[body] not in facts.bodies:
            continue
        lines: list[str] = []
        for _ in range(chance.randint(1, 2)):
            form = chance.choice(facts.dead)
            number = chance.randint(2, 99)
            lines += form.format(name=fresh.take(), number=number, step=_STEP).split("\n")
        put = _put_in_python if syntax.source.language.layout else _put_in_braces
        edits += put(syntax, node, body, lines)
    return edits


def _put_in_python(syntax: Syntax, node: int, body: int, lines: list[str]) -> list[Edit]:
    """Before the first statement that is no docstring, or after a lone docstring."""
    if any(
        syntax.text(i) in INTROSPECTION
        for i in syntax.inside(node)
        if syntax.kinds[i] == "identifier"
    ):
        return []
    statements = syntax.named_children(body)
    if not statements:
        return []
    later = statements[1:] if _is_docstring(syntax, statements[0]) else statements
    first = later[0] if later else statements[0]
    indentation = syntax.indentation(syntax.starts[first])
    if not indentation or syntax.is_joined(syntax.starts[first]):
        return []
    text = "".join(f"{indentation}{line}{syntax.newline}" for line in lines)
    if later:
        place = syntax.line_start(syntax.starts[first])
        return [Edit(place, place, text)]
    place = syntax.line_end(syntax.ends[first])
    return [Edit(place, place, syntax.newline + text.removesuffix(syntax.newline))]


def _is_docstring(syntax: Syntax, statement: int) -> bool:
    found = syntax.source.remember(
        ("rewrite", "docstrings"), lambda: frozenset(docstring_nodes(syntax.source.tree).tolist())
    )
    return statement + 1 in found


def _put_in_braces(syntax: Syntax, node: int, body: int, lines: list[str]) -> list[Edit]:
    """After the opening brace, and after what must come first."""
    head = syntax.slice(syntax.starts[node], syntax.starts[body])
    if _CONSTANT_FUNCTIONS & set(_WORD.findall(head)):
        return []
    opening = body + 1
    if syntax.kinds[opening] != "{" or syntax.in_directive(
        syntax.starts[opening], syntax.ends[opening]
    ):
        return []
    place = syntax.ends[opening]
    statements = syntax.named_children(body)
    for statement in statements:
        if not _must_come_first(syntax, statement):
            break
        place = syntax.ends[statement]
    if syntax.in_directive(place, place):
        return []
    step = _STEP
    for statement in statements:
        step = syntax.indentation(syntax.starts[statement]) or step
        break
    text = "".join(f"{syntax.newline}{step}{line}" for line in lines)
    # What follows on the line gets a line of its own; it may be a comment.
    rest = syntax.slice(place, syntax.line_end(place))
    if not rest.strip():
        return [Edit(place, place, text)]
    blanks = len(rest) - len(rest.lstrip(" \t"))
    return [Edit(place, place + blanks, text + syntax.newline + step)]


def _must_come_first(syntax: Syntax, statement: int) -> bool:
    """Whether a statement is a call of another constructor, or a directive such as 'use strict'."""
    kind = syntax.kinds[statement]
    if kind == "explicit_constructor_invocation":
        return True
    return kind == "expression_statement" and syntax.kinds[statement + 1] == "string"
