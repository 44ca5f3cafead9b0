"""The change ``locals``: every local variable and parameter gets a new name."""

from __future__ import annotations

import random

from codekin.languages.scopes import ScopeReader
from codekin.rewrite.fresh_names import FreshNames
from codekin.rewrite.program import Program, TextEdit

__all__ = ["rename_locals"]


def rename_locals(program: Program, chance: random.Random) -> list[TextEdit]:
    """Edits that rename what a function binds and nothing outside it can see.

    One old name has one new name in the whole text, so that what is shadowed stays shadowed.
    """
    facts, reader = program.facts, program.facts.scopes
    if reader is None or (facts.signatures | facts.frames) & program.words:
        return []
    seeing = facts.introspection | facts.evaluating
    fresh = FreshNames(program.words, chance)
    given: dict[str, str] = {}
    edits = []
    for region in _regions(program, reader):
        if seeing and any(program.text(i) in seeing for i in _identifiers(program, region)):
            continue
        for name, places in reader(program, region).read().own_places(program).items():
            if name not in given:
                given[name] = fresh.take()
            for node in places:
                shorthand = program.kinds[node] in reader.shorthands
                text = f"{name}: {given[name]}" if shorthand else given[name]
                edits.append(program.replaced(node, text))
    return edits


def _identifiers(program: Program, region: int) -> list[int]:
    return [i for i in program.inside(region) if program.kinds[i] in program.facts.identifiers]


def _regions(program: Program, reader: type[ScopeReader]) -> list[int]:
    """The functions that stand in no other."""
    # A comprehension is a scope of its own wherever it stands.
    opening = {k for k, scope in reader.opens.items() if scope in {"function", "comprehension"}}
    found: list[int] = []
    reach = -1
    for node, kind in enumerate(program.kinds):
        # Keywords such as `lambda` are leaves of the same name.
        if node >= reach and kind in opening and program.sizes[node] > 1:
            found.append(node)
            reach = node + program.sizes[node]
    return found
