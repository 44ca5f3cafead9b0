"""Changes that break a program: one mutation at a random place."""

from __future__ import annotations

import random
import re
from bisect import bisect_left

from codekin.languages.rewriting import Rewriting
from codekin.rewrite.program import Program, TextEdit

__all__ = [
    "change_constant",
    "change_operator",
    "drop_statement",
    "negate_condition",
    "swap_arguments",
]

_DECIMAL = re.compile(r"([0-9][0-9_']*)(.*)\Z", re.DOTALL)
_JOINING = {"+", "+=", "%"}  # on strings, no other operator can replace them
_ONE_SIDED = {"-", "/", "%", "//", "**", "<", ">", "<=", ">="}
_REACH = 8  # arguments farther apart than this are not swapped
_NEVER = {"true", "false", "True", "False", "1", "0"}


def change_operator(program: Program, chance: random.Random) -> list[TextEdit]:
    """Replace an operator by another: ``+`` for ``-``, ``<=`` for ``<``."""
    facts = program.facts
    string_kinds = facts.strings | facts.raw_strings
    strings = [node for node, kind in enumerate(program.kinds) if kind in string_kinds]
    operations = facts.binary | facts.assignments | facts.updates
    places = []
    for node, kind in enumerate(program.kinds):
        parent = program.parents[node]
        above = program.kinds[parent] if parent >= 0 else ""
        if above not in operations:
            continue
        # An operator of two words, such as `not in`, is one node.
        swap = facts.swaps.get("␣".join(kind.split()))
        joins = kind in _JOINING and _contains_any(program, parent, strings)
        if swap and program.sizes[parent] > 1 and not joins:
            places.append(program.replaced(node, swap.replace("␣", " ")))
    return _choose(places, chance)


def _contains_any(program: Program, node: int, sorted_nodes: list[int]) -> bool:
    """Whether a node contains any of several sorted nodes."""
    place = bisect_left(sorted_nodes, node)
    return place < len(sorted_nodes) and sorted_nodes[place] < node + program.sizes[node]


def change_constant(program: Program, chance: random.Random) -> list[TextEdit]:
    """Change a number by one, flip a boolean, or add a character to a string."""
    facts = program.facts
    places = []
    for node, kind in enumerate(program.kinds):
        if kind in {"true", "false"}:
            flipped = {"true": "false", "false": "true", "True": "False", "False": "True"}
            new = flipped.get(program.text(node))
            if new:
                places.append(program.replaced(node, new))
        elif kind in facts.numbers:
            # Case labels must stay distinct.
            if program.kinds[program.parents[node]] not in facts.labels:
                places += _other_number(program, node, chance)
        elif kind in facts.characters:
            places += _other_character(program, node)
        elif kind in facts.strings and node not in program.docstrings:
            places += _other_text(program, node)
    return _choose(places, chance)


def _other_number(program: Program, node: int, chance: random.Random) -> list[TextEdit]:
    text = program.text(node)
    match = _DECIMAL.match(text)
    up = chance.random() < 0.5
    if not match:
        return []
    digits, rest = match.groups()
    plain = digits.replace("_", "").replace("'", "")
    if (len(plain) > 1 and plain[0] == "0") or rest[:1] in {"x", "X", "b", "B", "o", "O"}:
        return []  # another base
    value = int(plain) if len(plain) < 1000 else 0
    value += 1 if up or value == 0 else -1
    return [program.replaced(node, f"{value}{rest}")]


def _is_read(program: Program, node: int) -> bool:
    """Whether the program uses a string: not as a file name, nor as a bare statement."""
    parent = program.parents[node]
    above = (program.kinds[parent], program.kinds[program.parents[parent]])
    return program.facts.fixed_texts.isdisjoint(above) and above[0] != "expression_statement"


def _other_character(program: Program, node: int) -> list[TextEdit]:
    """Replace a character literal by the next letter or digit."""
    letter = program.text(node)[1:-1]
    plain = len(letter) == 1 and letter.isascii() and letter.isalnum()
    if not plain or not _is_read(program, node):
        return []
    new = {"z": "a", "Z": "A", "9": "0"}.get(letter, chr(ord(letter) + 1))
    place = program.starts[node] + 1
    return [TextEdit(place, place + 1, new)]


def _other_text(program: Program, node: int) -> list[TextEdit]:
    """Add a character at the end of a string."""
    if not _is_read(program, node):
        return []
    contents = [i for i in program.children(node) if program.kinds[i] in program.facts.contents]
    if not contents or program.text(contents[-1]).endswith("\\"):
        return []
    end = program.ends[contents[-1]]
    return [TextEdit(end, end, "x")]


def negate_condition(program: Program, chance: random.Random) -> list[TextEdit]:
    """Negate a condition."""
    facts = program.facts
    places = []
    for node, kind in enumerate(program.kinds):
        if kind not in facts.conditions or program.sizes[node] == 1:
            continue
        condition = _condition(program, node, facts.conditions[kind])
        if condition >= 0:
            new = facts.negation.format(program.text(condition))
            places.append(program.replaced(condition, new))
    return _choose(places, chance)


def _condition(program: Program, node: int, selector: str) -> int:
    """The condition without its brackets; -1 if it also declares something."""
    if selector.isdigit():
        parts = program.named_children(node)
        condition = parts[int(selector)] if len(parts) == 3 else -1
    else:
        condition = program.child(node, selector)
    while condition >= 0 and program.kinds[condition] in program.facts.wrappers:
        parts = program.named_children(condition)
        condition = parts[-1] if len(parts) == 1 else -1
    if condition < 0 or program.text(condition) in _NEVER:
        return -1
    for below in program.inside(condition):
        field = program.facts.binding.get(program.kinds[below])
        if field is not None and (not field or program.child(below, field) >= 0):
            return -1
    return condition


def drop_statement(program: Program, chance: random.Random) -> list[TextEdit]:
    """Delete a simple statement, preferably one that no other code needs."""
    facts = program.facts
    documents = {program.parents[i] for i in program.docstrings}
    assigned: set[str] = set()
    first: list[TextEdit] = []
    second: list[TextEdit] = []
    for node, kind in enumerate(program.kinds):
        if program.sizes[node] == 1 and program.starts[node] == program.ends[node]:
            continue
        if kind in facts.droppable and node not in documents:
            edits = _without(program, node)
            (second if _is_needed(program, node, assigned) else first).extend(edits)
        elif kind in facts.needed:
            second += _without(program, node)
    return _choose(first or second, chance)


def _is_needed(program: Program, statement: int, assigned: set[str]) -> bool:
    """Whether a statement does nothing, or is the first assignment of a name.

    Adds the names that it assigns to `assigned`.
    """
    if program.kinds[statement] != "expression_statement":
        return False
    if program.sizes[statement] == 1:
        return True
    inner = statement + 1
    facts = program.facts
    if program.kinds[inner] in facts.idle:
        return True
    if program.kinds[inner] not in facts.declaring:
        return False
    target = program.child(inner, "left")
    if program.kinds[target] in facts.members:
        return False
    inside = program.inside(target)
    names = {program.text(i) for i in inside if program.kinds[i] in facts.identifiers}
    is_first = not names <= assigned
    assigned |= names
    return is_first


def _without(program: Program, node: int) -> list[TextEdit]:
    """Delete a statement, or replace it by an empty one where a statement is required."""
    facts, parent = program.facts, program.parents[node]
    start, end = program.starts[node], program.ends[node]
    if program.in_directive(start, end) or program.kinds[parent] in facts.single:
        return []
    if program.language.layout:
        alone = program.named_counts[parent] == 1
        on_its_line = program.indentation(start) is not None
        line_end = program.line_end(end)
        if alone or not on_its_line or program.slice(end, line_end).strip():
            return [TextEdit(start, end, facts.empty)]
        after = min(line_end + len(program.newline), len(program.data))
        return [TextEdit(program.line_start(start), after, "")]
    return [TextEdit(start, end, "" if program.kinds[parent] in facts.blocks else facts.empty)]


def swap_arguments(program: Program, chance: random.Random) -> list[TextEdit]:
    """Swap two arguments of a call, or two operands if there is no such call."""
    facts = program.facts
    pairs = []
    for node, kind in enumerate(program.kinds):
        if kind in facts.arguments:
            children = program.named_children(node)
            plain = [i for i in children if program.kinds[i] not in facts.fixed_arguments]
            pairs += [
                (i, j)
                for place, i in enumerate(plain)
                for j in plain[place + 1 : place + _REACH]
                if program.text(i) != program.text(j)
            ]
    if not pairs:
        pairs = _operands(program, facts)
    if not pairs:
        return []
    return _swapped(program, *chance.choice(pairs))


def _operands(program: Program, facts: Rewriting) -> list[tuple[int, int]]:
    """Pairs of operands of operators that are not commutative."""
    pairs = []
    for node, kind in enumerate(program.kinds):
        if kind in facts.binary and program.sizes[node] > 1:
            parts = program.named_children(node)
            signs = {program.kinds[i] for i in program.children(node)} & _ONE_SIDED
            if len(parts) == 2 and signs and program.text(parts[0]) != program.text(parts[1]):
                pairs.append((parts[0], parts[1]))
    return pairs


def _swapped(program: Program, first: int, second: int) -> list[TextEdit]:
    """Swap two nodes; operations get brackets where they become operands."""
    facts = program.facts
    is_operand = program.kinds[program.parents[first]] in facts.binary
    texts = []
    for node in (second, first):
        text = program.text(node)
        texts.append(f"({text})" if is_operand and program.kinds[node] in facts.binary else text)
    return [
        program.replaced(first, texts[0]),
        program.replaced(second, texts[1]),
    ]


def _choose(places: list[TextEdit], chance: random.Random) -> list[TextEdit]:
    """Choose one of several edits at random."""
    return [chance.choice(places)] if places else []
