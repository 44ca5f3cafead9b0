"""The change ``locals``: rename every local variable and parameter."""

from __future__ import annotations

import random

from codekin.languages.scopes import ScopeReader
from codekin.rewrite.fresh_names import FreshNames
from codekin.rewrite.program import Program, TextEdit

__all__ = ["rename_locals"]


def rename_locals(program: Program, chance: random.Random) -> list[TextEdit]:
    """Rename the names that a function binds and that are not visible outside it.

    An old name gets the same new name in the whole text, so that shadowing is preserved.
    """
    facts, reader = program.facts, program.facts.scopes
    if reader is None or (facts.signatures | facts.frames) & program.words:
        return []
    introspecting = facts.introspection | facts.evaluating
    fresh = FreshNames(program.words, chance)
    new_names: dict[str, str] = {}
    edits = []
    for region in _regions(program, reader):
        if introspecting and any(
            program.text(i) in introspecting for i in _identifiers(program, region)
        ):
            continue
        for name, places in reader(program, region).read().own_places(program).items():
            if name not in new_names:
                new_names[name] = fresh.take()
            for node in places:
                shorthand = program.kinds[node] in reader.shorthands
                text = f"{name}: {new_names[name]}" if shorthand else new_names[name]
                edits.append(program.replaced(node, text))
    return edits


def _identifiers(program: Program, region: int) -> list[int]:
    return [i for i in program.inside(region) if program.kinds[i] in program.facts.identifiers]


def _regions(program: Program, reader: type[ScopeReader]) -> list[int]:
    """The outermost functions."""
    # A comprehension is a scope of its own everywhere.
    opening = {k for k, scope in reader.opens.items() if scope in {"function", "comprehension"}}
    regions: list[int] = []
    reach = -1
    for node, kind in enumerate(program.kinds):
        # Keywords such as `lambda` are leaves of the same name.
        if node >= reach and kind in opening and program.sizes[node] > 1:
            regions.append(node)
            reach = node + program.sizes[node]
    return regions
