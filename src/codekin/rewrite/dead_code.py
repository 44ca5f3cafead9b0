"""The change ``dead-code``: add statements without effect at the start of function bodies."""

from __future__ import annotations

import random
import re

from codekin.rewrite.fresh_names import FreshNames
from codekin.rewrite.program import Program, TextEdit

__all__ = ["add_dead_code"]

_STEP = "    "
_WORD = re.compile(r"[^\W\d]\w*")


def add_dead_code(program: Program, chance: random.Random) -> list[TextEdit]:
    """Add one or two statements without effect to each function."""
    facts = program.facts
    if not facts.dead or facts.frames & program.words:
        return []
    fresh = FreshNames(program.words, chance)
    edits = []
    for node, kind in enumerate(program.kinds):
        if kind not in facts.functions or not program.sizes[node] > 1:
            continue
        body = program.child(node, "body")
        if body < 0 or program.kinds[body] not in facts.bodies:
            continue
        lines: list[str] = []
        for _ in range(chance.randint(1, 2)):
            form = chance.choice(facts.dead)
            number = chance.randint(2, 99)
            lines += form.format(name=fresh.take(), number=number, step=_STEP).split("\n")
        if not _inspects_variables(program, node):
            if program.sizes[body] > 1 and program.kinds[body + 1] == "{":
                edits += _put_in_braces(program, node, body, lines)
            else:
                edits += _put_before_statements(program, body, lines)
    return edits


def _inspects_variables(program: Program, function: int) -> bool:
    introspection, identifiers = program.facts.introspection, program.facts.identifiers
    return bool(introspection) and any(
        program.kinds[i] in identifiers and program.text(i) in introspection
        for i in program.inside(function)
    )


def _put_before_statements(program: Program, body: int, lines: list[str]) -> list[TextEdit]:
    """Insert lines before the first statement other than a docstring, or after a lone docstring."""
    statements = program.named_children(body)
    if not statements:
        return []
    later = statements[1:] if statements[0] + 1 in program.docstrings else statements
    first = later[0] if later else statements[0]
    indentation = program.indentation(program.starts[first])
    if not indentation or program.is_joined(program.starts[first]):
        return []
    text = "".join(f"{indentation}{line}{program.newline}" for line in lines)
    if later:
        place = program.line_start(program.starts[first])
        return [TextEdit(place, place, text)]
    place = program.line_end(program.ends[first])
    return [TextEdit(place, place, program.newline + text.removesuffix(program.newline))]


def _put_in_braces(program: Program, node: int, body: int, lines: list[str]) -> list[TextEdit]:
    """Insert lines after the opening brace and after statements that must come first."""
    head = program.slice(program.starts[node], program.starts[body])
    if program.facts.constant_heads & set(_WORD.findall(head)):
        return []
    opening = body + 1
    if program.in_directive(program.starts[opening], program.ends[opening]):
        return []
    place = program.ends[opening]
    statements = program.named_children(body)
    for statement in statements:
        if not _must_come_first(program, statement):
            break
        place = program.ends[statement]
    if program.in_directive(place, place):
        return []
    step = _STEP
    for statement in statements:
        step = program.indentation(program.starts[statement]) or step
        break
    text = "".join(f"{program.newline}{step}{line}" for line in lines)
    # The rest of the line, which may be a comment, moves to its own line.
    rest = program.slice(place, program.line_end(place))
    if not rest.strip():
        return [TextEdit(place, place, text)]
    blanks = len(rest) - len(rest.lstrip(" \t"))
    return [TextEdit(place, place + blanks, text + program.newline + step)]


def _must_come_first(program: Program, statement: int) -> bool:
    """Whether a statement must come first, such as a constructor call or a directive."""
    first = program.facts.leading.get(program.kinds[statement])
    return first is not None and first in {"", program.kinds[statement + 1]}
