"""How the nodes of a language move data: the vocabulary of the rules, and their native tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum, IntFlag

import numpy as np

from codekin import _native
from codekin.languages.language import ATOM as ATOMIC
from codekin.languages.language import ERROR_KIND, SKIP, Grammar
from codekin.languages.token_classes import TokenClass

__all__ = ["Child", "Flag", "FlowRules", "Kind", "Operation", "Rule", "native_rules"]

_NO_SUCH_FIELD = 65535


class Kind(IntFlag):
    """What a kind of node is; the same numbers stand in native/dataflow_rules.hpp."""

    ATOM = 1
    COMMENT = 2
    IDENTIFIER = 4
    LITERAL = 8
    COMMA = 16
    ELSE = 32
    BRANCH = 64
    FIRST = 128
    HEADER = 256
    BODY = 512
    INDEXED = 1024
    LIST = 2048
    SEPARATOR = 4096
    INTERPOLATION = 8192


class Operation(IntEnum):
    """What a node does; described in native/dataflow_rules.hpp."""

    DEFINE = 1
    ASSIGN = 2
    ASSIGN_LISTS = 3
    UPDATE = 4
    BRANCHES = 5
    REPEAT = 6
    REPEAT_TAIL = 7
    FOR_LISTS = 8
    FOR_EACH = 9
    FLOW = 10
    SCOPE = 11
    FOR_CLAUSES = 12
    DECLARE = 13


class Flag(IntFlag):
    """How a node does it."""

    STICKY = 1
    ALWAYS_JOIN = 2
    MAY_LACK_RIGHT = 4
    ONE_SOURCE_LIST = 8
    AUGMENTED = 16
    TWICE = 32
    COMES_FROM = 64
    BY_OPERATOR = 128


class Child(IntEnum):
    """A child by its place; fields are named by strings, kinds as ``kind:NAME``."""

    NONE = 0
    FIRST = -1
    LAST = -2
    SECOND = -3
    THIRD = -4
    SECOND_OF_TWO = -5
    AFTER_SEPARATOR = -6
    BEFORE_SEPARATOR = -7


Selector = str | Child


@dataclass(frozen=True)
class Rule:
    """What one kind of node does, and which of its children take part."""

    operation: Operation
    left: Selector = Child.NONE
    right: Selector = Child.NONE
    body: Selector = Child.NONE
    flags: Flag = Flag(0)  # noqa: RUF009


@dataclass(frozen=True)
class FlowRules:
    """The rules of a language.

    Attributes
    ----------
    rules : mapping of str to Rule
        By kind of node.
    kinds : mapping of Kind to frozenset of str
        The kinds of node that are atoms, branches and so on.
    not_variables : mapping of str to str
        Kind of node to the field below which names are no variables, such as ``o.name``.
    reproduce : bool
        Follow the codebleu package, its failures included.
    """

    rules: Mapping[str, Rule]
    kinds: Mapping[Kind, frozenset[str]]
    not_variables: Mapping[str, str] = field(default_factory=dict)
    reproduce: bool = False


def native_rules(rules: FlowRules, grammar: Grammar) -> _native.DataflowRules:
    """The tables of a grammar that the native walk reads."""
    flags = np.zeros(ERROR_KIND + 1, dtype=np.uint16)
    rule_of = np.zeros(ERROR_KIND + 1, dtype=np.uint8)
    skipped = np.zeros(ERROR_KIND + 1, dtype=np.uint16)
    fields = {name: number for number, name in enumerate(grammar.fields)}
    numbered = {kind: number for number, kind in enumerate(rules.rules, start=1)}
    for number, kind in enumerate(grammar.kinds):
        flags[number] = _kind_flags(rules, grammar, number, kind)
        rule_of[number] = numbered.get(kind, 0)
        skipped[number] = fields.get(rules.not_variables.get(kind, ""), 0)
    encoded = [
        [
            int(rule.operation),
            *(_selector(s, fields, grammar) for s in (rule.left, rule.right, rule.body)),
            int(rule.flags),
        ]
        for rule in rules.rules.values()
    ]
    return _native.DataflowRules(
        list(grammar.kinds), flags, rule_of, skipped, encoded, rules.reproduce
    )


def _kind_flags(rules: FlowRules, grammar: Grammar, number: int, kind: str) -> int:
    bits = Kind(0)
    for bit, names in rules.kinds.items():
        if kind in names:
            bits |= bit
    if ("else" in kind) if rules.reproduce else kind in ("else", "else_clause"):
        bits |= Kind.ELSE
    if rules.reproduce:
        return int(bits)
    entry = int(grammar.token_table[number])
    if entry == SKIP:
        return int(bits)
    if entry & ATOMIC:
        bits |= Kind.ATOM
    token_class = entry & 0x1F
    if token_class in (TokenClass.COMMENT, TokenClass.DOCSTRING):
        bits |= Kind.COMMENT
    elif token_class and TokenClass(token_class).is_literal and not bits & Kind.IDENTIFIER:
        bits |= Kind.LITERAL
    return int(bits)


def _selector(selector: Selector, fields: Mapping[str, int], grammar: Grammar) -> int:
    if isinstance(selector, Child):
        return int(selector)
    kind, _, name = selector.rpartition(":")
    if not kind:
        return fields.get(name, _NO_SUCH_FIELD)
    number = grammar.kinds.index(name) if name in grammar.kinds else _NO_SUCH_FIELD
    return (-1000 if kind == "kind" else -70000) - number
