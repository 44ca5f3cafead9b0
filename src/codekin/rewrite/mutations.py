"""The changes that break a program: one mutation, at a place that the seed chooses."""

from __future__ import annotations

import random
import re
from bisect import bisect_left

from codekin.represent.text.comments import docstring_nodes
from codekin.rewrite.facts import FACTS, Facts
from codekin.rewrite.syntax import Edit, Syntax

__all__ = [
    "change_constant",
    "change_operator",
    "drop_statement",
    "negate_condition",
    "swap_arguments",
]

_DECIMAL = re.compile(r"([0-9][0-9_']*)(.*)\Z", re.DOTALL)
_TEXTS = {
    "string_literal",
    "string",
    "template_string",
    "concatenated_string",
    "raw_string_literal",
}
_JOINING = {"+", "+=", "%"}  # they may join texts, for which no other operator stands
_ONE_SIDED = {"-", "/", "%", "//", "**", "<", ">", "<=", ">="}
_DIRECTIONS = {"import_statement", "export_statement", "linkage_specification", "preproc_include"}
_LABELS = {"switch_label", "case_statement", "switch_case"}
_REACH = 8  # arguments farther apart than this are not swapped
_NEVER = {"true", "false", "True", "False", "1", "0"}


def change_operator(syntax: Syntax, chance: random.Random) -> list[Edit]:
    """Another operator in the place of one: ``+`` for ``-``, ``<=`` for ``<``."""
    facts = _facts(syntax)
    texts = [node for node, kind in enumerate(syntax.kinds) if kind in _TEXTS]
    places = []
    for node, kind in enumerate(syntax.kinds):
        parent = syntax.parents[node]
        above = syntax.kinds[parent] if parent >= 0 else ""
        if above not in facts.binary and above not in facts.assignments:
            continue
        # In a comparison of Python, `not in` and `is not` are one node each.
        swap = facts.swaps.get("␣".join(kind.split()))
        joins = kind in _JOINING and _holds_one(syntax, parent, texts)
        if swap and syntax.sizes[parent] > 1 and not joins:
            places.append(Edit(syntax.starts[node], syntax.ends[node], swap.replace("␣", " ")))
    return _one(places, chance)


def _holds_one(syntax: Syntax, node: int, sorted_nodes: list[int]) -> bool:
    """Whether one of several nodes, in order, stands in a node."""
    place = bisect_left(sorted_nodes, node)
    return place < len(sorted_nodes) and sorted_nodes[place] < node + syntax.sizes[node]


def change_constant(syntax: Syntax, chance: random.Random) -> list[Edit]:
    """A number one higher or lower, the other boolean, or a text with one more character."""
    facts = _facts(syntax)
    documents = set(docstring_nodes(syntax.source.tree).tolist())
    places = []
    for node, kind in enumerate(syntax.kinds):
        if kind in {"true", "false"}:
            flipped = {"true": "false", "false": "true", "True": "False", "False": "True"}
            new = flipped.get(syntax.text(node))
            if new:
                places.append(Edit(syntax.starts[node], syntax.ends[node], new))
        elif kind in facts.numbers and not _is_label(syntax, node):
            places += _other_number(syntax, node, chance)
        elif kind in facts.strings and node not in documents:
            places += _other_text(syntax, node)
    return _one(places, chance)


def _is_label(syntax: Syntax, node: int) -> bool:
    """Whether a literal is the label of a case, of which there can be no two alike."""
    return syntax.kinds[syntax.parents[node]] in _LABELS


def _other_number(syntax: Syntax, node: int, chance: random.Random) -> list[Edit]:
    text = syntax.text(node)
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
    return [Edit(syntax.starts[node], syntax.ends[node], f"{value}{rest}")]


def _other_text(syntax: Syntax, node: int) -> list[Edit]:
    """One more character at the end of a text, or the next letter for a character."""
    parent = syntax.parents[node]
    if any(syntax.kinds[above] in _DIRECTIONS for above in (parent, syntax.parents[parent])):
        return []
    if syntax.kinds[parent] == "expression_statement":
        return []  # a directive, or a text that nothing reads
    text = syntax.text(node)
    if syntax.kinds[node] in {"char_literal", "character_literal"}:
        letter = text[1:-1]
        if len(letter) != 1 or not letter.isascii() or not letter.isalnum():
            return []
        new = {"z": "a", "Z": "A", "9": "0"}.get(letter, chr(ord(letter) + 1))
        place = syntax.starts[node] + 1
        return [Edit(place, place + 1, new)]
    contents = [
        i
        for i in syntax.children(node)
        if syntax.kinds[i] in {"string_content", "string_fragment", "multiline_string_fragment"}
    ]
    if not contents or syntax.text(contents[-1]).endswith("\\"):
        return []
    end = syntax.ends[contents[-1]]
    return [Edit(end, end, "x")]


def negate_condition(syntax: Syntax, chance: random.Random) -> list[Edit]:
    """The opposite of a condition."""
    facts = _facts(syntax)
    left, right = ("not (", ")") if syntax.source.language.name == "python" else ("!(", ")")
    places = []
    for node, kind in enumerate(syntax.kinds):
        if kind not in facts.conditions or syntax.sizes[node] == 1:
            continue
        condition = _condition(syntax, node, facts.conditions[kind])
        if condition >= 0:
            text = syntax.text(condition)
            new = f"{left}{text}{right}"
            places.append(Edit(syntax.starts[condition], syntax.ends[condition], new))
    return _one(places, chance)


def _condition(syntax: Syntax, node: int, field: str) -> int:
    """The expression that decides, without its brackets; -1 where it also declares something."""
    if field:
        found = syntax.child(node, field)
    else:  # the middle one of Python's `a if b else c`
        parts = syntax.named_children(node)
        found = parts[1] if len(parts) == 3 else -1
    while found >= 0 and syntax.kinds[found] in {"parenthesized_expression", "condition_clause"}:
        parts = syntax.named_children(found)
        found = parts[-1] if len(parts) == 1 else -1
    if found < 0 or syntax.text(found) in _NEVER:
        return -1
    for below in syntax.inside(found):
        kind = syntax.kinds[below]
        declares = kind == "instanceof_expression" and syntax.child(below, "name") >= 0
        if declares or kind in {"declaration", "comma_expression", "type_pattern"}:
            return -1
    return found


def drop_statement(syntax: Syntax, chance: random.Random) -> list[Edit]:
    """A simple statement less; one that other code needs only where there is no other."""
    facts = _facts(syntax)
    documents = {syntax.parents[i] for i in docstring_nodes(syntax.source.tree).tolist()}
    assigned: set[str] = set()
    first: list[Edit] = []
    second: list[Edit] = []
    for node, kind in enumerate(syntax.kinds):
        if syntax.sizes[node] == 1 and syntax.starts[node] == syntax.ends[node]:
            continue
        if kind in facts.droppable and node not in documents:
            edits = _without(syntax, node, facts)
            (second if _is_needed(syntax, node, assigned) else first).extend(edits)
        elif kind in facts.needed:
            second += _without(syntax, node, facts)
    return _one(first or second, chance)


def _is_needed(syntax: Syntax, statement: int, assigned: set[str]) -> bool:
    """Whether a statement is Python's first assignment to a name, or says nothing.

    The names that were assigned before are in `assigned`, which grows.
    """
    if syntax.kinds[statement] != "expression_statement":
        return False
    if syntax.sizes[statement] == 1:
        return True
    inner = statement + 1
    if syntax.kinds[inner] in {"string", "ellipsis", "identifier"}:
        return True
    if syntax.kinds[inner] != "assignment":
        return False
    target = syntax.child(inner, "left")
    if syntax.kinds[target] in {"attribute", "subscript"}:
        return False
    names = {syntax.text(i) for i in syntax.inside(target) if syntax.kinds[i] == "identifier"}
    is_first = not names <= assigned
    assigned |= names
    return is_first


def _without(syntax: Syntax, node: int, facts: Facts) -> list[Edit]:
    """Take a statement out; leave an empty one where one must stand."""
    parent = syntax.parents[node]
    start, end = syntax.starts[node], syntax.ends[node]
    if syntax.in_directive(start, end) or syntax.kinds[parent] == "switch_rule":
        return []
    if syntax.source.language.name == "python":
        alone = syntax.named_counts[parent] == 1
        on_its_line = syntax.indentation(start) is not None
        line_end = syntax.line_end(end)
        if alone or not on_its_line or syntax.slice(end, line_end).strip():
            return [Edit(start, end, "pass")]
        after = min(line_end + len(syntax.newline), len(syntax.data))
        return [Edit(syntax.line_start(start), after, "")]
    empty = "" if syntax.kinds[parent] in facts.blocks else ";"
    return [Edit(start, end, empty)]


def swap_arguments(syntax: Syntax, chance: random.Random) -> list[Edit]:
    """Two arguments of a call in one another's place, else two operands."""
    facts = _facts(syntax)
    pairs = []
    for node, kind in enumerate(syntax.kinds):
        if kind in facts.arguments:
            plain = [i for i in syntax.named_children(node) if _is_plain(syntax, i)]
            pairs += [
                (one, other)
                for place, one in enumerate(plain)
                for other in plain[place + 1 : place + _REACH]
                if syntax.text(one) != syntax.text(other)
            ]
    if not pairs:
        pairs = _operands(syntax, facts)
    if not pairs:
        return []
    return _swapped(syntax, *chance.choice(pairs))


def _is_plain(syntax: Syntax, argument: int) -> bool:
    kind = syntax.kinds[argument]
    return "splat" not in kind and kind not in {"keyword_argument", "spread_element"}


def _operands(syntax: Syntax, facts: Facts) -> list[tuple[int, int]]:
    """Operands of operators to which their order matters."""
    found = []
    for node, kind in enumerate(syntax.kinds):
        if kind in facts.binary and syntax.sizes[node] > 1:
            parts = syntax.named_children(node)
            signs = {syntax.kinds[i] for i in syntax.children(node)} & _ONE_SIDED
            if len(parts) == 2 and signs and syntax.text(parts[0]) != syntax.text(parts[1]):
                found.append((parts[0], parts[1]))
    return found


def _swapped(syntax: Syntax, one: int, other: int) -> list[Edit]:
    """Each in the other's place; operations get brackets where they become operands."""
    facts = _facts(syntax)
    is_operand = syntax.kinds[syntax.parents[one]] in facts.binary
    texts = []
    for node in (other, one):
        text = syntax.text(node)
        texts.append(f"({text})" if is_operand and syntax.kinds[node] in facts.binary else text)
    return [
        Edit(syntax.starts[one], syntax.ends[one], texts[0]),
        Edit(syntax.starts[other], syntax.ends[other], texts[1]),
    ]


def _facts(syntax: Syntax) -> Facts:
    return FACTS[syntax.source.language.name]


def _one(places: list[Edit], chance: random.Random) -> list[Edit]:
    """One of several edits."""
    return [chance.choice(places)] if places else []
