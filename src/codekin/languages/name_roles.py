"""What the names of a program name: variables, types, functions, calls, members and more.

A reader visits the names of a whole text in text order. The position of a name decides what it
names where syntax alone tells; the scopes of the text decide the rest, once all of it was read.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import ClassVar

from codekin.languages.syntax import Syntax

__all__ = ["Mention", "NameReader", "NameRole", "NameScope"]


class NameRole(StrEnum):
    """What a name names."""

    VARIABLE = "variable"
    """A parameter, a local or global variable, or a field: declared in the text, or free in it."""

    TYPE = "type"
    """A class, struct, enum, type alias or type parameter."""

    RECEIVER = "receiver"
    """What a static member is taken from: ``Math`` in ``Math.max``, a module of Python."""

    CALL = "call"
    """A function or method that is called or referred to."""

    FUNCTION = "function"
    """A function or method of the text: where it is declared, or used as a value."""

    MEMBER = "member"
    """A member of an object that the text does not declare, such as ``length``."""

    EXTERNAL = "external"
    """A value from outside of the text: built in, imported or from a header."""

    PACKAGE = "package"
    """A part of an import or of the name of a package."""

    NAMESPACE = "namespace"
    LABEL = "label"
    ANNOTATION = "annotation"
    MACRO = "macro"


@dataclass(eq=False, slots=True)
class NameScope:
    """A part of a text in which names are bound.

    Attributes
    ----------
    parent : NameScope or None
    node, end : int
        The node that opens it, and the first node after it.
    kind : str
        ``text``, ``function``, ``block``, ``class`` or ``comprehension``.
    bound : dict of str to NameRole
        What the names that are bound here name.
    since : dict of str to int
        The node from which a binding holds, where it does not hold everywhere in the scope.
    """

    parent: NameScope | None
    node: int
    end: int
    kind: str
    bound: dict[str, NameRole] = field(default_factory=dict)
    since: dict[str, int] = field(default_factory=dict)

    def bind(self, name: str, role: NameRole, since: int = 0) -> None:
        """Bind a name, from a node on; a function, type or import is not bound again."""
        known = self.bound.get(name)
        if known is None:
            self.bound[name] = role
            if since:
                self.since[name] = since
        elif known is NameRole.VARIABLE and role is not known:
            self.bound[name] = role
            self.since.pop(name, None)
        elif name in self.since:
            self.since[name] = min(since, self.since[name])

    def find(self, name: str, node: int) -> NameScope | None:
        """The innermost scope that binds a name at a node."""
        scope: NameScope | None = self
        while scope is not None:
            if name in scope.bound and scope.since.get(name, 0) <= node:
                return scope
            scope = scope.parent
        return None

    def role(self, name: str, node: int) -> NameRole | None:
        """What a name is bound to at a node; None where it is free."""
        scope = self.find(name, node)
        return None if scope is None else scope.bound[name]

    def enclosing(self, *kinds: str) -> NameScope:
        """The innermost scope of one of several kinds; the outermost scope if there is none."""
        scope = self
        while scope.kind not in kinds and scope.parent is not None:
            scope = scope.parent
        return scope


@dataclass(eq=False, slots=True)
class Mention:
    """A name at one place of a text.

    Attributes
    ----------
    node : int
    text : str
    role : NameRole
    scope : NameScope
    declares : bool
        Whether this place declares it.
    declared : bool
        Whether the text declares what it names.
    own : bool
        Whether it is the function that the text consists of.
    fixed : bool
        Whether it must keep its name for the program to do the same.
    """

    node: int
    text: str
    role: NameRole
    scope: NameScope
    declares: bool = False
    declared: bool = False
    own: bool = False
    fixed: bool = False


class NameReader(ABC):
    """Finds the names of a text and what they name; each language has a subclass."""

    opens: ClassVar[Mapping[str, str]] = {}
    """Kinds of nodes that open a scope, and the kind of the scope."""

    names: ClassVar[frozenset[str]] = frozenset({"identifier"})
    """Kinds of nodes that are names."""

    watched: ClassVar[frozenset[str]] = frozenset()
    """Other kinds of nodes that tell something about names."""

    heads: ClassVar[frozenset[str]] = frozenset()
    """Other kinds of nodes at the top of a text that are not part of what it defines."""

    packages: ClassVar[frozenset[str]] = frozenset()
    """Kinds of nodes at the top of a text that say which package it belongs to."""

    imports: ClassVar[frozenset[str]] = frozenset()
    """Kinds of nodes at the top of a text that import names."""

    functions: ClassVar[frozenset[str]] = frozenset()
    """Kinds of nodes that are functions, or are around one."""

    entries: ClassVar[frozenset[str]] = frozenset()
    """Functions at which programs begin, whose names the language sets."""

    def __init__(self, syntax: Syntax) -> None:
        self.syntax = syntax
        self.top = NameScope(None, 0, len(syntax), "text")
        self.mentions: list[Mention] = []
        self.types: set[str] = set()
        self.fields: set[str] = set()
        self.free: set[str] = set()
        self.fixed: set[str] = set()
        self._values: list[Mention] = []
        self._receivers: list[Mention] = []
        self._members: list[Mention] = []
        self._calls: list[Mention] = []
        self._foreign: dict[tuple[str, NameScope | None], bool] = {}

    def read(self) -> list[Mention]:
        """Every name of the text, in text order."""
        syntax, opens, names = self.syntax, self.opens, self.names
        kinds, sizes = syntax.kinds, syntax.sizes
        scope = self.top
        wanted = names | opens.keys() | self.watched
        for node in [i for i, kind in enumerate(kinds) if kind in wanted]:
            while node >= scope.end and scope.parent is not None:
                scope = scope.parent
            kind = kinds[node]
            if kind in names:
                self.meet(node, scope)
                continue
            if kind in opens and sizes[node] > 1 and self.is_scope(node):
                scope = NameScope(scope, node, node + sizes[node], opens[kind])
            self.look(node, scope)
        self.settle()
        self._mark_own()
        self._mark_fixed()
        return self.mentions

    def _mark_fixed(self) -> None:
        """Mark variables that must keep their names, and methods that have the name of a field."""
        if not self.fixed:
            return
        fields = self.fixed & self.fields
        for mention in self.mentions:
            if (mention.role is NameRole.VARIABLE and mention.text in self.fixed) or (
                mention.role in {NameRole.CALL, NameRole.FUNCTION} and mention.text in fields
            ):
                mention.fixed = True

    def is_scope(self, node: int) -> bool:
        """Whether a node of a kind in `opens` really opens a scope."""
        return True

    def look(self, node: int, scope: NameScope) -> None:
        """Record what a node in `opens` or `watched` says about names."""
        return

    @abstractmethod
    def meet(self, node: int, scope: NameScope) -> None:
        """Record a name by its position."""

    @abstractmethod
    def settle(self) -> None:
        """Decide what the names are whose position does not tell."""

    def add(
        self, node: int, role: NameRole, scope: NameScope, *, declares: bool = False
    ) -> Mention:
        """Record a name with its role."""
        mention = Mention(node, self.syntax.text(node), role, scope, declares, declares)
        self.mentions.append(mention)
        return mention

    def value(self, node: int, scope: NameScope) -> None:
        """Record a name that is used as a value."""
        self._values.append(self.add(node, NameRole.VARIABLE, scope))

    def receiver(self, node: int, scope: NameScope) -> None:
        """Record a name of which a member is used."""
        self._receivers.append(self.add(node, NameRole.RECEIVER, scope))

    def member(self, node: int, scope: NameScope) -> None:
        """Record a member of an object."""
        self._members.append(self.add(node, NameRole.MEMBER, scope))

    def call(self, node: int, scope: NameScope) -> None:
        """Record a name that is called."""
        self._calls.append(self.add(node, NameRole.CALL, scope))

    def declare(self, node: int, scope: NameScope, since: int = 0) -> None:
        """Record a variable where it is declared."""
        mention = self.add(node, NameRole.VARIABLE, scope, declares=True)
        scope.bind(mention.text, NameRole.VARIABLE, since)

    def declare_field(self, node: int, scope: NameScope) -> None:
        """Record a field where it is declared."""
        self.declare(node, scope)
        self.fields.add(self.mentions[-1].text)

    def declare_type(self, node: int, scope: NameScope) -> None:
        """Record a type where it is declared."""
        self.types.add(self.add(node, NameRole.TYPE, scope, declares=True).text)

    def top_functions(self) -> Iterator[int]:
        """The functions that a text consists of; none if it has anything else."""
        syntax = self.syntax
        if not len(syntax):
            return
        found = []
        passed = {"ERROR", *self.heads, *self.packages, *self.imports}
        for child in syntax.named_children(0):
            kind = syntax.kinds[child]
            if kind in self.functions:
                found.append(child)
            elif kind not in passed:
                return
        yield from found

    def _mark_own(self) -> None:
        """Mark the first function of a text that consists of functions, and calls of it."""
        tops = [(node, node + self.syntax.sizes[node]) for node in self.top_functions()]
        if not tops:
            return
        declared = [
            mention
            for mention in self.mentions
            if mention.role is NameRole.FUNCTION and mention.declares
        ]
        heads, at = [], 0
        for start, end in tops:
            while at < len(declared) and declared[at].node < start:
                at += 1
            if at < len(declared) and declared[at].node < end:
                heads.append(declared[at])
        if not heads or any(head.text in self.entries for head in heads):
            return
        name, tops_of = heads[0].text, {head.node for head in heads}
        for mention in self.mentions:
            if mention.text == name and (
                mention.node in tops_of
                or (mention.role is NameRole.FUNCTION and not mention.declares)
                or (mention.role is NameRole.CALL and self.calls_own(mention.node))
            ):
                mention.own = True

    @cached_property
    def declarations(self) -> dict[str, list[Mention]]:
        """The places that declare variables, by name; once all of the text was read."""
        found: dict[str, list[Mention]] = {}
        for mention in self.mentions:
            if mention.declares and mention.role is NameRole.VARIABLE:
                found.setdefault(mention.text, []).append(mention)
        return found

    def holds_foreign(self, node: int, scope: NameScope) -> bool:
        """Whether the variable at a node, as declared there, has a type of another text."""
        name = self.syntax.text(node)
        found = scope.find(name, node)
        if (name, found) not in self._foreign:
            places = self.declarations.get(name, [])
            here = [one for one in places if one.scope is found]
            self._foreign[name, found] = any(map(self.has_foreign_type, here or places))
        return self._foreign[name, found]

    def has_foreign_type(self, declaration: Mention) -> bool:
        """Whether a variable is declared with a type of another text, which may have fields."""
        return False

    def calls_own(self, node: int) -> bool:
        """Whether a call is of a function of the text, not of an object's method."""
        return True
