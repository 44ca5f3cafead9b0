"""The change ``locals``: every local variable and parameter gets a new name."""

from __future__ import annotations

import random

from codekin.rewrite.c_scopes import CScopes
from codekin.rewrite.fresh_names import FreshNames
from codekin.rewrite.java_scopes import JavaScopes
from codekin.rewrite.javascript_scopes import JavascriptScopes
from codekin.rewrite.python_scopes import FRAMES, INTROSPECTION, PythonScopes
from codekin.rewrite.scopes import ScopeReader
from codekin.rewrite.syntax import Edit, Syntax

__all__ = ["rename_locals"]

_READERS: dict[str, type[ScopeReader]] = {
    "python": PythonScopes,
    "java": JavaScopes,
    "c": CScopes,
    "cpp": CScopes,
    "javascript": JavascriptScopes,
    "typescript": JavascriptScopes,
}
_SHORTHANDS = {"shorthand_property_identifier", "shorthand_property_identifier_pattern"}
# Code that mentions one of these may see the names of parameters.
_SIGNATURES = {"__annotations__", "get_type_hints", "inspect", "signature", *FRAMES}
_SEEING = {
    "python": INTROSPECTION,
    "javascript": frozenset({"eval"}),
    "typescript": frozenset({"eval"}),
}


def rename_locals(syntax: Syntax, chance: random.Random) -> list[Edit]:
    """Edits that rename what a function binds and nothing outside it can see.

    One old name has one new name in the whole text, so that what is shadowed stays shadowed.
    """
    if syntax.source.language.name == "python" and _SIGNATURES & syntax.words:
        return []
    reader = _READERS[syntax.source.language.name]
    seeing = _SEEING.get(syntax.source.language.name, frozenset())
    fresh = FreshNames(syntax.words, chance)
    given: dict[str, str] = {}
    edits = []
    for region in _regions(syntax, reader):
        if seeing and any(syntax.text(i) in seeing for i in _identifiers(syntax, region)):
            continue
        for name, places in reader(syntax, region).read().own_places(syntax).items():
            if name not in given:
                given[name] = fresh.take()
            for node in places:
                shorthand = syntax.kinds[node] in _SHORTHANDS
                text = f"{name}: {given[name]}" if shorthand else given[name]
                edits.append(Edit(syntax.starts[node], syntax.ends[node], text))
    return edits


def _identifiers(syntax: Syntax, region: int) -> list[int]:
    return [i for i in syntax.inside(region) if syntax.kinds[i] == "identifier"]


def _regions(syntax: Syntax, reader: type[ScopeReader]) -> list[int]:
    """The functions that stand in no other."""
    # A comprehension of Python is a scope of its own wherever it stands.
    opening = {k for k, scope in reader.opens.items() if scope in {"function", "comprehension"}}
    found: list[int] = []
    reach = -1
    for node, kind in enumerate(syntax.kinds):
        # Keywords such as `lambda` are leaves of the same name.
        if node >= reach and kind in opening and syntax.sizes[node] > 1:
            found.append(node)
            reach = node + syntax.sizes[node]
    return found
