"""The change ``functions``: reorder functions where their order does not matter."""

from __future__ import annotations

import random
import re
from itertools import pairwise

from codekin.rewrite.program import Program, TextEdit

__all__ = ["move_functions"]

_WORD = re.compile(r"[^\W\d]\w*")


def move_functions(program: Program, chance: random.Random) -> list[TextEdit]:
    """Shuffle functions that can change places."""
    movable = program.facts.movable
    if program.facts.order_seen & program.words:
        return []
    edits: list[TextEdit] = []
    reach = -1
    for parent in sorted({program.parents[i] for i, k in enumerate(program.kinds) if k in movable}):
        if program.starts[parent] < reach:  # inside functions that are moved
            continue
        for group in _groups(program, parent):
            spans = [program.with_comments(node) for node in group]
            order = _order(program, group, chance)
            if order is None or any(a[1] > b[0] for a, b in pairwise(spans)):
                continue
            moved = [(span, spans[k]) for span, k in zip(spans, order, strict=True)]
            edits += [
                TextEdit(*place, program.slice(*unit)) for place, unit in moved if place != unit
            ]
            reach = max(reach, spans[-1][1])
    return edits


def _groups(program: Program, parent: int) -> list[list[int]]:
    """Groups of a node's children that may change places with each other."""
    facts = program.facts
    if facts.movable_groups is not None:
        groups = facts.movable_groups(program, parent)
    else:
        children = program.named_children(parent)
        groups = [[i for i in children if program.kinds[i] in facts.movable]]
    return [group for group in groups if len(group) > 1]


def _order(program: Program, group: list[int], chance: random.Random) -> list[int] | None:
    """Shuffle a group; if names must be declared before use, their users stay after them."""
    after: list[set[int]] = [set() for _ in group]
    name_of = program.facts.declared_name
    if name_of is not None:
        named: dict[str, list[int]] = {}
        for place, node in enumerate(group):
            named.setdefault(name_of(program, node), []).append(place)
        for place, node in enumerate(group):
            for word in named.keys() & set(_WORD.findall(program.text(node))):
                for other in named[word]:
                    if other != place:
                        after[min(place, other)].add(max(place, other))
    for _ in range(8):
        order = _shuffled(after, chance)
        if order != list(range(len(group))):
            return order
    return None


def _shuffled(after: list[set[int]], chance: random.Random) -> list[int]:
    """A random topological order."""
    blockers = [0] * len(after)
    for later in after:
        for place in later:
            blockers[place] += 1
    ready = [place for place, count in enumerate(blockers) if not count]
    order = []
    while ready:
        place = ready.pop(chance.randrange(len(ready)))
        order.append(place)
        for follower in sorted(after[place]):
            blockers[follower] -= 1
            if not blockers[follower]:
                ready.append(follower)
    return order
