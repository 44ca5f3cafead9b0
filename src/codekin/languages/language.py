"""What codekin knows about a programming language: names, suffixes, grammars, token classes."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import tree_sitter

from codekin import _native
from codekin.languages.lexical import Lexical
from codekin.languages.lowering_rules import LoweringTable
from codekin.languages.name_roles import NameReader
from codekin.languages.rewriting import Rewriting, Writing
from codekin.languages.token_classes import TokenClass

__all__ = [
    "ATOM",
    "CLASS_MASK",
    "ERROR_KIND",
    "NUMERIC",
    "SKIP",
    "SPLIT",
    "Fragments",
    "Grammar",
    "Language",
]

ERROR_KIND = 65535
"""The kind number of tree-sitter's ERROR nodes, in every grammar."""

NUMERIC = 0x20
"""Flag in a token table: a number, INTEGER or FLOAT by how it is written."""

CLASS_MASK = 0x1F
"""The bits of an entry in a token table that hold the class; the others are flags."""

ATOM = 0x40
"""Flag in a token table: the node is one token, whatever it contains (string literals)."""

SPLIT = 0x80
"""Flag in a token table: the leaf is raw text, to be split into words (a macro's body)."""

SKIP = 0xFF
"""Entry in a token table: the leaf is layout, not a token (a line continuation)."""

_WORD = re.compile(r"[@#$]?[A-Za-z_][\w@!?]*( \w+)*\Z")
_DELIMITERS = frozenset(
    {"(", ")", "[", "]", "{", "}", "[[", "]]", "{|", "|}", "</", "/>", "#[", "%w(", "%i("}
    | {",", ";", ":", ".", "...", "::", "->", "=>", "?.", "?->", "&."}
)
# A name is one token even if the grammar has a contextual keyword inside it.
_NAMES = frozenset(
    {
        "identifier",
        "type_identifier",
        "field_identifier",
        "property_identifier",
        "shorthand_property_identifier",
        "shorthand_property_identifier_pattern",
        "statement_identifier",
        "name",
    }
)
_CONSTANTS = {
    "true": TokenClass.BOOLEAN,
    "false": TokenClass.BOOLEAN,
    "null": TokenClass.NULL,
    "nil": TokenClass.NULL,
    "_": TokenClass.IDENTIFIER,
}


@dataclass(frozen=True)
class Grammar:
    """One tree-sitter grammar of a language, and the token classes of its node kinds.

    Parameters
    ----------
    distribution : str
        The wheel that contains it, such as ``tree-sitter-python``.
    entry : str
        The function of the wheel's module that returns the grammar.
    classes : mapping of str to TokenClass
        Classes of named leaves and of atoms, by node kind. Anonymous leaves need no entry.
    atoms : frozenset of str
        Kinds that are one token although they have children, mainly string literals.
    numeric : frozenset of str
        Leaf kinds that are integers or floats, which the grammar does not distinguish.
    split : frozenset of str
        Leaf kinds of raw text: prose if their class is STRING, otherwise code.
    skip : frozenset of str
        Leaf kinds that are layout.
    reserved : mapping of str to TokenClass
        Words that are never identifiers, even if the grammar (or a macro's raw body) has them as
        such.
    piece : int
        Number of bytes that the parser gets at a time, at most 256.
    docstrings : mapping of str to frozenset of str
        Kinds of bodies whose first statement may be a docstring, and the kinds of their parents
        (any if empty).
    tail : bytes
        Whitespace added after the text, for a scanner that waits for it.
    tame : callable, optional
        Replaces a text by one of the same length, to work around a scanner that would crash.
    """

    distribution: str
    entry: str
    classes: Mapping[str, TokenClass] = field(repr=False)
    atoms: frozenset[str] = field(default=frozenset(), repr=False)
    numeric: frozenset[str] = field(default=frozenset(), repr=False)
    split: frozenset[str] = field(default=frozenset(), repr=False)
    skip: frozenset[str] = field(default=frozenset(), repr=False)
    reserved: Mapping[str, TokenClass] = field(default_factory=dict, repr=False)
    docstrings: Mapping[str, frozenset[str]] = field(default_factory=dict, repr=False)
    piece: int = field(default=256, repr=False)
    tail: bytes = field(default=b"", repr=False)
    tame: Callable[[bytes], bytes] | None = field(default=None, repr=False)

    @cached_property
    def language(self) -> tree_sitter.Language:
        """The tree-sitter language of the grammar."""
        module = importlib.import_module(self.distribution.replace("-", "_"))
        return tree_sitter.Language(getattr(module, self.entry)())

    @cached_property
    def version(self) -> str:
        """The wheel's version, part of every signature that depends on the tree."""
        from importlib import metadata  # here, since workers need no versions

        return metadata.version(self.distribution)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """Node kinds by number."""
        count = self.language.node_kind_count
        return tuple(self.language.node_kind_for_id(i) or "" for i in range(count))

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """Field names by number; number 0 means no field."""
        count = self.language.field_count
        return ("", *(self.language.field_name_for_id(i) or "" for i in range(1, count + 1)))

    @cached_property
    def named(self) -> npt.NDArray[np.bool_]:
        """For every possible kind number, whether such nodes are named."""
        table = np.zeros(ERROR_KIND + 1, dtype=np.bool_)
        for i in range(self.language.node_kind_count):
            table[i] = self.language.node_kind_is_named(i)
        table[ERROR_KIND] = True
        return table

    def kind_name(self, kind: int) -> str:
        """The name of a kind number, including ``ERROR``."""
        return "ERROR" if kind == ERROR_KIND else self.kinds[kind]

    @cached_property
    def token_table(self) -> npt.NDArray[np.uint8]:
        """For every possible kind number, the token class of such a leaf and its flags."""
        table = np.zeros(ERROR_KIND + 1, dtype=np.uint8)
        for i, kind in enumerate(self.kinds):
            named = self.language.node_kind_is_named(i)
            table[i] = self._token_entry(kind, named)
        table[ERROR_KIND] = SPLIT | TokenClass.UNKNOWN
        return table

    @cached_property
    def reserved_table(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint8]]:
        """Identities of the reserved words, sorted, and their classes."""
        ids = _native.string_ids(list(self.reserved))
        classes = np.array([int(c) for c in self.reserved.values()], dtype=np.uint8)
        order = np.argsort(ids)
        return ids[order], classes[order]

    @cached_property
    def kind_numbers(self) -> dict[str, list[int]]:
        """The kind numbers of each name; some have several because of aliases."""
        numbers: dict[str, list[int]] = {}
        for i, kind in enumerate(self.kinds):
            numbers.setdefault(kind, []).append(i)
        return numbers

    def _token_entry(self, kind: str, named: bool) -> int:
        if named and kind in self.skip:
            return SKIP
        entry = int(self._class_of_named(kind) if named else class_of_punctuation(kind))
        if named and (kind in self.atoms or kind in _NAMES):
            entry |= ATOM
        if named and kind in self.numeric:
            entry |= NUMERIC
        # Pieces of strings and the like are separate leaves only in broken code.
        if named and (kind in self.split or entry == TokenClass.UNKNOWN):
            entry |= SPLIT
        return entry

    def _class_of_named(self, kind: str) -> TokenClass:
        known = self.classes.get(kind)
        if known is not None:
            return known
        if "comment" in kind:
            return TokenClass.COMMENT
        if kind == "type_identifier":
            return TokenClass.TYPE
        if kind.endswith("identifier") or kind == "name":
            return TokenClass.IDENTIFIER
        return TokenClass.UNKNOWN


def class_of_punctuation(text: str) -> TokenClass:
    """The class of an anonymous leaf: a keyword, a delimiter or an operator."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _WORD.match(text):
        return TokenClass.KEYWORD
    return TokenClass.DELIMITER if text in _DELIMITERS else TokenClass.OPERATOR


@dataclass(frozen=True)
class Fragments:
    """What code of a language can be cut into.

    Parameters
    ----------
    functions : frozenset of str
        Nodes that are functions or methods with a body.
    wrappers : frozenset of str
        Nodes around a function that belong to it, such as its decorators.
    blocks : frozenset of str
        Nodes that are sequences of statements in brackets or indented.
    declarations : frozenset of str
        Nodes that declare types, functions without a body, or namespaces; only functions inside of
        them have code.
    """

    functions: frozenset[str] = frozenset()
    wrappers: frozenset[str] = frozenset()
    blocks: frozenset[str] = frozenset()
    declarations: frozenset[str] = frozenset()


_NO_FRAGMENTS = Fragments()


@dataclass(frozen=True)
class Language:
    """A language that codekin reads.

    Parameters
    ----------
    name : str
        The name used everywhere, in lower case.
    title : str
        The name as people write it.
    aliases, suffixes : tuple of str
        Other names, and file suffixes with their dot.
    grammars : tuple of Grammar
        Usually one; a second if fragments need another one (PHP without its opening tag); none for
        prose, which has no syntax tree.
    candidates : callable
        Where there are several grammars, the indices of those that may read a text. The first that
        finds no error in it is chosen, otherwise the last.
    fragments : Fragments
        What code can be cut into.
    prose : bool
        Whether texts are plain words and lines, without syntax.
    layout : bool
        Whether line ends and indentation are tokens.
    macros : bool
        Whether ``#define`` directives can be expanded.
    prelude : frozenset of str
        Common names of types, functions and modules: evidence if a text parses in several
        languages.
    lexical : Lexical
        Lexical facts (default: those of a language like C).
    lowering : LoweringTable
        What its syntax does, for semantic graphs; None if they are not supported.
    rewriting : Rewriting
        Facts for rewriting programs; None if it is not supported.
    names : type of NameReader
        Finds what the names of a program name; None if it is not supported.
    writing : Writing
        Templates for generated programs; None if they are not supported.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    grammars: tuple[Grammar, ...] = field(repr=False)
    aliases: tuple[str, ...] = ()
    candidates: Callable[[str], tuple[int, ...]] | None = field(default=None, repr=False)
    fragments: Fragments = field(default=_NO_FRAGMENTS, repr=False)
    prose: bool = False
    layout: bool = False
    macros: bool = False
    prelude: frozenset[str] = field(default=frozenset(), repr=False)
    lexical: Lexical = field(default=Lexical(), repr=False)
    lowering: LoweringTable | None = field(default=None, repr=False)
    rewriting: Rewriting | None = field(default=None, repr=False)
    names: type[NameReader] | None = field(default=None, repr=False)
    writing: Writing | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Any, ...]:
        from codekin.languages.registry import get_language  # which imports this module

        return get_language, (self.name,)
