"""Data flow as the codebleu package follows it: from which names each variable has its value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum, IntFlag

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.languages.language import ERROR_KIND, Grammar
from codekin.represent.tree.flat_tree import FlatTree

__all__ = ["Child", "Dataflow", "Flag", "FlowRules", "Kind", "Operation", "Rule", "dataflow"]

_I32 = npt.NDArray[np.int32]
_NO_SUCH_FIELD = 65535
_RELATIONS = ("comesFrom", "computedFrom")
_REPRODUCE = True
"""The kernel's mode that follows the package, its failures included."""


class Kind(IntFlag):
    """What a kind of node is; the numbers are those of the kernel."""

    ATOM = 1
    COMMENT = 2
    IDENTIFIER = 4
    COMMA = 16
    ELSE = 32
    BRANCH = 64
    FIRST = 128
    HEADER = 256
    BODY = 512


class Operation(IntEnum):
    """What a node does; the kernel describes each."""

    DEFINE = 1
    ASSIGN = 2
    ASSIGN_LISTS = 3
    UPDATE = 4
    BRANCHES = 5
    REPEAT = 6
    REPEAT_TAIL = 7
    FOR_LISTS = 8
    FOR_EACH = 9


class Flag(IntFlag):
    """How a node does it."""

    STICKY = 1
    ALWAYS_JOIN = 2
    MAY_LACK_RIGHT = 4
    ONE_SOURCE_LIST = 8
    COMES_FROM = 64


class Child(IntEnum):
    """A child by its place; fields are named by strings, kinds as ``kind:NAME``."""

    NONE = 0
    FIRST = -1
    LAST = -2
    SECOND = -3
    THIRD = -4
    SECOND_OF_TWO = -5


Selector = str | Child


@dataclass(frozen=True)
class Rule:
    """What one kind of node does, and which of its children take part."""

    operation: Operation
    left: Selector = Child.NONE
    right: Selector = Child.NONE
    body: Selector = Child.NONE
    flags: Flag = Flag(0)  # noqa: RUF009


@dataclass(frozen=True, eq=False)
class FlowRules:
    """The rules of a language.

    Attributes
    ----------
    rules : mapping of str to Rule
        By kind of node.
    kinds : mapping of Kind to frozenset of str
        The kinds of node that are atoms, branches and so on.
    """

    rules: Mapping[str, Rule]
    kinds: Mapping[Kind, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Edge:
    """A variable at one place, and the names from which it has its value there.

    Attributes
    ----------
    name : str
        The variable.
    relation : str
        ``comesFrom`` for a use and a copy, ``computedFrom`` for a computation.
    sources : tuple of str
        Names and constants, in the order in which the code mentions them.
    start : int
        Where the variable is, in bytes of the UTF-8 text.
    """

    name: str
    relation: str
    sources: tuple[str, ...]
    start: int

    def __str__(self) -> str:
        return f"{self.name} {self.relation} {', '.join(self.sources) or 'nothing'}"


@dataclass(frozen=True, eq=False)
class Dataflow:
    """The data flow of a program.

    Attributes
    ----------
    items : uint64 array
        A number for each edge after its names were replaced by their order of appearance;
        different edges share one with a chance of about 1e-19.
    ordered : uint64 array
        The same, sorted.
    """

    data: bytes
    items: npt.NDArray[np.uint64]
    ordered: npt.NDArray[np.uint64]
    _spans: tuple[_I32, _I32, npt.NDArray[np.uint8], _I32, _I32, _I32]

    def __len__(self) -> int:
        return len(self.items)

    def edges(self) -> Iterator[Edge]:
        """The edges, in the order of the text."""
        starts, ends, relations, offsets, source_starts, source_ends = self._spans
        for i, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
            span = range(int(offsets[i]), int(offsets[i + 1]))
            sources = [self._text(int(source_starts[k]), int(source_ends[k])) for k in span]
            relation = _RELATIONS[int(relations[i])]
            yield Edge(self._text(start, end), relation, tuple(sources), start)

    def _text(self, start: int, end: int) -> str:
        return self.data[start:end].decode("utf-8", "replace")


_native_of: dict[tuple[str, str, FlowRules], _native.DataflowRules] = {}


def dataflow(tree: FlatTree, data: bytes, rules: FlowRules) -> Dataflow:
    """Follow the values of a program's variables.

    Parameters
    ----------
    tree : FlatTree
        The tree of `data`.
    data : bytes
        The text in UTF-8.
    rules : FlowRules
        What the nodes of the language do.

    Examples
    --------
    >>> from codekin import Source
    >>> from codekin.measures.compat.codebleu.flow_rules import PACKAGE_RULES
    >>> source = Source("total = price * count", "python")
    >>> flow = dataflow(source.tree, source.data, PACKAGE_RULES["python"])
    >>> [str(edge) for edge in flow.edges()]
    ['total computedFrom price, count', 'price comesFrom nothing', 'count comesFrom nothing']
    """
    grammar = tree.grammar
    key = (grammar.distribution, grammar.entry, rules)
    kernel_rules = _native_of.get(key)
    if kernel_rules is None:
        kernel_rules = _native_of[key] = native_rules(rules, grammar)
    found = _native.dataflow(
        kernel_rules, data, tree.kind, tree.field, tree.parent, tree.size, tree.start, tree.end
    )
    return Dataflow(data, found[0], np.sort(found[0]), found[1:])


def native_rules(rules: FlowRules, grammar: Grammar) -> _native.DataflowRules:
    """The tables of a grammar that the kernel reads."""
    flags = np.zeros(ERROR_KIND + 1, dtype=np.uint16)
    rule_of = np.zeros(ERROR_KIND + 1, dtype=np.uint8)
    skipped = np.zeros(ERROR_KIND + 1, dtype=np.uint16)
    fields = {name: number for number, name in enumerate(grammar.fields)}
    numbered = {kind: number for number, kind in enumerate(rules.rules, start=1)}
    for number, kind in enumerate(grammar.kinds):
        flags[number] = _kind_flags(rules, kind)
        rule_of[number] = numbered.get(kind, 0)
    encoded = [
        [
            int(rule.operation),
            *(_selector(s, fields, grammar) for s in (rule.left, rule.right, rule.body)),
            int(rule.flags),
        ]
        for rule in rules.rules.values()
    ]
    return _native.DataflowRules(list(grammar.kinds), flags, rule_of, skipped, encoded, _REPRODUCE)


def _kind_flags(rules: FlowRules, kind: str) -> int:
    bits = Kind.ELSE if "else" in kind else Kind(0)
    for bit, names in rules.kinds.items():
        if kind in names:
            bits |= bit
    return int(bits)


def _selector(selector: Selector, fields: Mapping[str, int], grammar: Grammar) -> int:
    if isinstance(selector, Child):
        return int(selector)
    kind, _, name = selector.rpartition(":")
    if not kind:
        return fields.get(name, _NO_SUCH_FIELD)
    number = grammar.kinds.index(name) if name in grammar.kinds else _NO_SUCH_FIELD
    return (-1000 if kind == "kind" else -70000) - number
