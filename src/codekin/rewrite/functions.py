"""The change ``functions``: functions change places where their order means nothing."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise

from codekin.rewrite.facts import FACTS
from codekin.rewrite.syntax import Edit, Syntax

__all__ = ["move_functions"]

_WORD = re.compile(r"[^\W\d]\w*")
# Code that mentions one of these may see the order of definitions.
_ORDER_SEEN = {
    "python": {"__dict__", "vars", "globals", "locals", "dir", "inspect", "exec", "eval"},
    "java": {"getDeclaredMethods", "getMethods"},
    "c": {"__LINE__", "__COUNTER__"},
    "cpp": {"__LINE__", "__COUNTER__"},
    "javascript": {"getOwnPropertyNames", "ownKeys", "getOwnPropertyDescriptors"},
}
_ORDER_SEEN["typescript"] = _ORDER_SEEN["javascript"]
_HOISTED = {"function_declaration", "generator_function_declaration"}
# Operators, and functions that C++ calls without naming them.
_CALLED_UNSEEN = {"operator", "begin", "end", "swap", "get", "hash", "template", "__attribute__"}
_GOES_ON = {b"(", b"[", b"`", b"+", b"-", b"*", b"/", b",", b".", b"<", b"?", b"="}
_EFFECTS = {"call", "await", "named_expression", "yield"}
_PARAMETER_NAMES = {
    "parameters",
    "typed_parameter",
    "list_splat_pattern",
    "dictionary_splat_pattern",
}


def move_functions(syntax: Syntax, chance: random.Random) -> list[Edit]:
    """Edits that put functions in the places of one another."""
    language = syntax.source.language.name
    if _ORDER_SEEN[language] & syntax.words:
        return []
    if language == "typescript" and "decorator" in syntax.kinds:
        return []  # a decorator stands beside its method, not in it
    movable = FACTS[language].movable
    edits: list[Edit] = []
    reach = -1
    for parent in sorted({syntax.parents[i] for i, k in enumerate(syntax.kinds) if k in movable}):
        if syntax.starts[parent] < reach:  # within functions that move themselves
            continue
        for group in _groups(syntax, parent):
            spans = [_span(syntax, node) for node in group]
            order = _order(syntax, group, chance)
            if order is None or any(a[1] > b[0] for a, b in pairwise(spans)):
                continue
            moved = [(span, spans[k]) for span, k in zip(spans, order, strict=True)]
            edits += [Edit(*place, syntax.slice(*unit)) for place, unit in moved if place != unit]
            reach = max(reach, spans[-1][1])
    return edits


def _groups(syntax: Syntax, parent: int) -> list[list[int]]:
    """Children of a node that may change places with one another."""
    language = syntax.source.language.name
    children = syntax.named_children(parent)
    names = Counter(_name(syntax, i) for i in children)
    if language == "java":
        return _of_two([[i for i in children if syntax.kinds[i] == "method_declaration"]])
    if language in {"javascript", "typescript"}:
        runs = _runs(syntax, children, _is_constant_function, names)
        free = [i for i in children if _is_free_javascript(syntax, parent, i)]
        return _of_two(
            [
                [i for i in free if names[_name(syntax, i)] == 1],
                *(_closed(syntax, run) for run in runs),
            ]
        )
    check = _is_free_python if language == "python" else _is_free_c
    limit = names if language == "python" else Counter()
    return _of_two(_runs(syntax, children, check, limit))


def _of_two(groups: Sequence[list[int]]) -> list[list[int]]:
    return [group for group in groups if len(group) > 1]


def _runs(
    syntax: Syntax,
    children: list[int],
    check: Callable[[Syntax, int], bool],
    names: Counter[str],
) -> list[list[int]]:
    """Children that follow one another and pass a check."""
    runs: list[list[int]] = [[]]
    for child in children:
        if check(syntax, child) and names[_name(syntax, child)] <= 1:
            runs[-1].append(child)
        else:
            runs.append([])
    if syntax.source.language.name != "python":
        return runs
    return [part for run in runs for part in _independent(syntax, run)]


def _name(syntax: Syntax, node: int) -> str:
    """The name that a definition gives, or an empty text."""
    kind = syntax.kinds[node]
    if kind == "lexical_declaration":
        node = next((i for i in syntax.named_children(node)), node)
    found = syntax.child(node, "name")
    if found >= 0:
        return syntax.text(found)
    return _declared_name(syntax, node) if kind == "function_definition" else ""


def _declared_name(syntax: Syntax, function: int) -> str:
    """The name of a function of C: the last word before its parameters."""
    declarator = syntax.child(function, "declarator")
    while declarator >= 0:
        inside = (i for i in syntax.inside(declarator) if syntax.kinds[i] == "function_declarator")
        outermost = next(inside, -1)
        if outermost < 0:
            words: list[str] = _WORD.findall(syntax.text(declarator))
            return words[-1] if words else ""
        declarator = syntax.child(outermost, "declarator")
    return ""


def _is_free_javascript(syntax: Syntax, parent: int, node: int) -> bool:
    """Function declarations, which are hoisted, and methods with plain names."""
    if syntax.kinds[node] in _HOISTED:
        # In other blocks, what a declaration means depends on the mode.
        owner = syntax.kinds[syntax.parents[parent]] if parent else "function"
        return "function" in owner or owner == "method_definition"
    if syntax.kinds[node] != "method_definition" or syntax.kinds[parent] != "class_body":
        return False
    name = syntax.child(node, "name")
    return syntax.kinds[name] in {"property_identifier", "private_property_identifier"}


def _is_constant_function(syntax: Syntax, node: int) -> bool:
    """``const f = () => ...;``, which runs nothing."""
    if syntax.kinds[node] != "lexical_declaration":
        return False
    declarators = syntax.named_children(node)
    if len(declarators) != 1:
        return False
    name, value = syntax.child(declarators[0], "name"), syntax.child(declarators[0], "value")
    functions = {"arrow_function", "function_expression", "generator_function"}
    return syntax.kinds[name] == "identifier" and value >= 0 and syntax.kinds[value] in functions


def _closed(syntax: Syntax, run: list[int]) -> list[int]:
    """A run without its last function, if what follows would go on with one without semicolon."""
    if not run or all(syntax.text(node).endswith(";") for node in run):
        return run
    parent = syntax.parents[run[-1]]
    after = run[-1] + syntax.sizes[run[-1]]
    while after < len(syntax) and "comment" in syntax.kinds[after]:
        after += 1
    if after >= parent + syntax.sizes[parent]:
        return run
    first = syntax.data[syntax.starts[after] : syntax.starts[after] + 1]
    return run[:-1] if first in _GOES_ON else run


def _is_free_c(syntax: Syntax, node: int) -> bool:
    """A plain function definition without directives or types of its own."""
    body = syntax.child(node, "body")
    if syntax.kinds[node] != "function_definition" or body < 0:
        return False
    head = range(node, body)
    if any(syntax.kinds[i] in {"field_declaration_list", "enumerator_list"} for i in head):
        return False
    words = set(_WORD.findall(syntax.slice(syntax.starts[node], syntax.starts[body])))
    name = _name(syntax, node)
    # A macro may call what its users do not name.
    is_free = not words & _CALLED_UNSEEN and name not in {"", *syntax.directive_words}
    return is_free and not syntax.in_directive(*_span(syntax, node))


def _is_free_python(syntax: Syntax, node: int) -> bool:
    """A function without a decorator, whose head calls nothing, on lines of its own."""
    if syntax.kinds[node] != "function_definition":
        return False
    body = syntax.child(node, "body")
    if any(syntax.kinds[i] in _EFFECTS for i in range(node, body)):
        return False
    rest = syntax.slice(syntax.ends[node], syntax.line_end(syntax.ends[node])).strip()
    return syntax.indentation(syntax.starts[node]) is not None and (
        not rest or rest.startswith("#")
    )


def _independent(syntax: Syntax, run: list[int]) -> list[list[int]]:
    """Cut a run of Python functions where a head mentions another function of it."""
    names = {_name(syntax, i) for i in run}
    parts: list[list[int]] = [[]]
    for node in run:
        same_column = not parts[-1] or (
            syntax.indentation(syntax.starts[node])
            == syntax.indentation(syntax.starts[parts[-1][0]])
        )
        if names & _evaluated(syntax, node) or not same_column:
            parts.append([])
        else:
            parts[-1].append(node)
    return parts


def _evaluated(syntax: Syntax, function: int) -> set[str]:
    """Names that are read when a function of Python is defined: defaults and annotations."""
    return {
        syntax.text(i)
        for i in range(syntax.child(function, "parameters"), syntax.child(function, "body"))
        if syntax.kinds[i] == "identifier"
        and syntax.fields[i] != "name"
        and syntax.kinds[syntax.parents[i]] not in _PARAMETER_NAMES
    }


def _span(syntax: Syntax, node: int) -> tuple[int, int]:
    """A function with the comments right above it and behind it on its last line."""
    parent = syntax.parents[node]
    start, end = syntax.starts[node], syntax.ends[node]
    siblings = syntax.children(parent)
    place = siblings.index(node)
    if place + 1 < len(siblings):
        after = siblings[place + 1]
        same_line = syntax.starts[after] < syntax.line_end(end)
        if "comment" in syntax.kinds[after] and same_line:
            end = syntax.ends[after]
            end -= syntax.data[end - 1 : end] == b"\r"  # a part of the comment to some grammars
    while place and "comment" in syntax.kinds[siblings[place - 1]]:
        place -= 1
        comment = siblings[place]
        floor = syntax.line_end(syntax.ends[siblings[place - 1]]) if place else 0
        starts = syntax.starts[comment]
        if place == 0 or syntax.indentation(starts) is None or starts <= floor:
            break
        start = starts
    return start, end


def _order(syntax: Syntax, group: list[int], chance: random.Random) -> list[int] | None:
    """Another order of a group; in C, what mentions another function stays behind it or before."""
    after: list[set[int]] = [set() for _ in group]
    if syntax.source.language.macros:
        named: dict[str, list[int]] = {}
        for place, node in enumerate(group):
            named.setdefault(_name(syntax, node), []).append(place)
        for place, node in enumerate(group):
            for word in named.keys() & set(_WORD.findall(syntax.text(node))):
                for other in named[word]:
                    if other != place:
                        after[min(place, other)].add(max(place, other))
    for _ in range(8):
        order = _shuffled(after, chance)
        if order != list(range(len(group))):
            return order
    return None


def _shuffled(after: list[set[int]], chance: random.Random) -> list[int]:
    """A random order in which everything keeps behind what it must come after."""
    waits = [0] * len(after)
    for later in after:
        for place in later:
            waits[place] += 1
    ready = [place for place, count in enumerate(waits) if not count]
    order = []
    while ready:
        place = ready.pop(chance.randrange(len(ready)))
        order.append(place)
        for follower in sorted(after[place]):
            waits[follower] -= 1
            if not waits[follower]:
                ready.append(follower)
    return order
