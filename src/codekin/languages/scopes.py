"""Scopes, bindings and uses of names, to find the names that a function owns, in any language.

A region is an outermost function. Within it, a name is *own* if every place that mentions it lies
in the scope of a binding of that name in the region, and no binding of it is fixed. All places of
an own name can be renamed together without changing any binding, even if names are shadowed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from codekin.languages.syntax import Syntax

__all__ = ["FunctionNames", "Scope", "ScopeReader"]


@dataclass(eq=False)
class Scope:
    """A part of a region in which bindings hold.

    Attributes
    ----------
    parent : Scope or None
        The scope around it.
    kind : str
        ``function``, ``block``, ``comprehension``, or ``class`` for a body whose names are members.
    since : dict of str to int
        For every name bound here, the byte from which the binding holds.
    """

    parent: Scope | None
    kind: str
    since: dict[str, int] = field(default_factory=dict)

    def function(self) -> Scope:
        """The innermost function scope that contains this one (or is this one)."""
        scope = self
        while scope.kind != "function" and scope.parent is not None:
            scope = scope.parent
        return scope

    def holds(self, name: str, byte: int) -> bool:
        """Whether a name is bound at a byte of this scope, without a class body in between."""
        scope: Scope | None = self
        while scope is not None and scope.kind != "class":
            if scope.since.get(name, byte + 1) <= byte:
                return True
            scope = scope.parent
        return False

    def is_known(self, name: str) -> bool:
        """Whether this scope or an enclosing one binds a name."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.since:
                return True
            scope = scope.parent
        return False


@dataclass(eq=False)
class FunctionNames:
    """The names of one outermost function.

    Attributes
    ----------
    uses : list of (int, Scope or None)
        Nodes that mention a name, and the scope of each; None for the bindings themselves.
    fixed : set of str
        Names that must not change.
    bound : set of str
        Names that have a binding.
    """

    uses: list[tuple[int, Scope | None]] = field(default_factory=list)
    fixed: set[str] = field(default_factory=set)
    bound: set[str] = field(default_factory=set)

    def own_places(self, syntax: Syntax) -> dict[str, list[int]]:
        """Every own name with the nodes that mention it, in text order."""
        lost = set(self.fixed)
        places: dict[str, list[int]] = {}
        for node, scope in self.uses:
            name = syntax.text(node)
            if name in self.bound and name not in lost:
                if scope is None or scope.holds(name, syntax.starts[node]):
                    places.setdefault(name, []).append(node)
                else:
                    lost.add(name)
        return {name: nodes for name, nodes in places.items() if name not in lost}


class ScopeReader(ABC):
    """Reads one region; each language has a subclass that says what its nodes mean.

    Nodes are visited in text order, so a binding is known before what follows it.
    """

    opens: ClassVar[Mapping[str, str]] = {}
    """Kinds of nodes that open a scope, and the kind of the scope."""

    names: ClassVar[frozenset[str]] = frozenset({"identifier"})
    """Kinds of nodes that can mention a variable."""

    shorthands: ClassVar[frozenset[str]] = frozenset()
    """Those that also name a field, which keeps its name: ``{x}`` becomes ``{x: new}``."""

    def __init__(self, syntax: Syntax, region: int) -> None:
        self.syntax = syntax
        self.root = region
        self.region = FunctionNames()
        self.scopes: dict[int, Scope] = {}

    def read(self) -> FunctionNames:
        """Read the region."""
        kinds, parents = self.syntax.kinds, self.syntax.parents
        outside = Scope(None, "class")
        scopes, opens, names = self.scopes, self.opens, self.names
        for node in self.syntax.inside(self.root):
            scope = scopes[parents[node]] if node != self.root else outside
            scope = self.moved(node, scope)
            kind = kinds[node]
            if kind in names:
                self.meet(node, scope)
            elif kind in opens and self.is_scope(node):
                scope = Scope(scope, opens[kind])
            scopes[node] = scope
            self.look(node, scope)
        return self.region

    def moved(self, node: int, scope: Scope) -> Scope:
        """The scope of a node; override it for nodes outside the scope of their parent."""
        return scope

    def is_scope(self, node: int) -> bool:
        """Whether a node of a kind in `opens` really opens a scope."""
        return True

    @abstractmethod
    def look(self, node: int, scope: Scope) -> None:
        """Record what a node says about names, besides being one."""

    @abstractmethod
    def meet(self, node: int, scope: Scope) -> None:
        """Record a name as a use, a binding, or neither."""

    def use(self, node: int, scope: Scope) -> None:
        """Record that a node mentions a variable."""
        self.region.uses.append((node, scope))

    def bind(self, node: int, scope: Scope, since: int | None = None) -> None:
        """Record that a node binds its name in a scope, from a byte on (default: its start)."""
        name = self.syntax.text(node)
        place = self.syntax.starts[node] if since is None else since
        scope.since[name] = min(place, scope.since.get(name, place))
        self.region.bound.add(name)
        self.region.uses.append((node, None))

    def fix(self, node: int) -> None:
        """Record that the name of a node must not change anywhere in the region."""
        self.region.fixed.add(self.syntax.text(node))
