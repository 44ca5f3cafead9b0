"""Data flow as in the codebleu package: the names from which each variable gets its value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.languages.language import ERROR_KIND, Grammar
from codekin.represent.tree.flat_tree import FlatTree

__all__ = ["PACKAGE_RULES", "FlowRule", "FlowRules", "dataflow", "native_rules"]

_I32 = npt.NDArray[np.int32]
_NO_SUCH_FIELD = 65535


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
    """A child by its position; fields are given as strings, kinds as ``kind:NAME``."""

    NONE = 0
    FIRST = -1
    LAST = -2
    SECOND = -3
    THIRD = -4
    SECOND_OF_TWO = -5


Selector = str | Child


@dataclass(frozen=True)
class FlowRule:
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
    rules : mapping of str to FlowRule
        By kind of node.
    kinds : mapping of Kind to frozenset of str
        The kinds of node that are atoms, branches and so on.
    """

    rules: Mapping[str, FlowRule]
    kinds: Mapping[Kind, frozenset[str]]


_native_of: dict[tuple[str, str, FlowRules], _native.DataflowRules] = {}


def dataflow(tree: FlatTree, data: bytes, rules: FlowRules) -> npt.NDArray[np.uint64]:
    """Find the data flow of a program's variables.

    Parameters
    ----------
    tree : FlatTree
        The tree of `data`.
    data : bytes
        The text in UTF-8.
    rules : FlowRules
        What the nodes of the language do.

    Returns
    -------
    uint64 array
        A sorted hash of each edge, with names replaced by their order of appearance; different
        edges collide with a probability of about 1e-19.

    Examples
    --------
    Names do not matter, only where each variable gets its value.

    >>> from codekin import Source
    >>> def edges(text):
    ...     source = Source(text, "python")
    ...     return dataflow(source.tree, source.data, PACKAGE_RULES["python"]).tolist()
    >>> len(edges("total = price * count"))
    3
    >>> edges("total = price * count") == edges("a = b * c") != edges("a = b")
    True
    """
    grammar = tree.grammar
    key = (grammar.distribution, grammar.entry, rules)
    kernel_rules = _native_of.get(key)
    if kernel_rules is None:
        kernel_rules = _native_of[key] = native_rules(rules, grammar)
    found = _native.dataflow(
        kernel_rules, data, tree.kind, tree.field, tree.parent, tree.size, tree.start, tree.end
    )
    return np.sort(found[0])


def native_rules(rules: FlowRules, grammar: Grammar) -> _native.DataflowRules:
    """The tables of a grammar that the kernel reads."""
    flags = np.zeros(ERROR_KIND + 1, dtype=np.uint16)
    rule_of = np.zeros(ERROR_KIND + 1, dtype=np.uint8)
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
    return _native.DataflowRules(list(grammar.kinds), flags, rule_of, encoded)


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


_ATOMS = frozenset({"string_literal", "string", "character_literal"})


def _package_rules(
    rules: Iterable[tuple[str, FlowRule]],
    *,
    branch: str,
    header: str = "",
    first: str = "",
    body: str = "",
    more_atoms: str = "",
    no_tokens: str = "",
) -> FlowRules:
    return FlowRules(
        rules=dict(rules),
        kinds=MappingProxyType(
            {
                Kind.ATOM: _ATOMS | set(more_atoms.split()),
                Kind.COMMENT: frozenset({"comment", *no_tokens.split()}),
                Kind.IDENTIFIER: frozenset({"identifier"}),
                Kind.COMMA: frozenset({","}),
                Kind.BRANCH: frozenset(branch.split()),
                Kind.HEADER: frozenset(header.split()),
                Kind.FIRST: frozenset(first.split()),
                Kind.BODY: frozenset(body.split()),
            }
        ),
    )


def _each(kinds: str, rule: FlowRule) -> list[tuple[str, FlowRule]]:
    return [(kind, rule) for kind in kinds.split()]


_DEFINE = FlowRule(Operation.DEFINE, "name", "value", flags=Flag.COMES_FROM)
_ASSIGN = FlowRule(Operation.ASSIGN, "left", "right")
_LISTS = FlowRule(Operation.ASSIGN_LISTS, "left", "right")
_UPDATE = FlowRule(Operation.UPDATE)
_IF = FlowRule(Operation.BRANCHES)
_STICKY_IF = FlowRule(Operation.BRANCHES, flags=Flag.STICKY)
_JOINED_IF = FlowRule(Operation.BRANCHES, flags=Flag.STICKY | Flag.ALWAYS_JOIN)
_WHILE = FlowRule(Operation.REPEAT)
_FOR = FlowRule(Operation.REPEAT_TAIL)

_PYTHON = _package_rules(
    [
        ("default_parameter", _DEFINE),
        *_each(
            "assignment augmented_assignment",
            FlowRule(Operation.ASSIGN_LISTS, "left", "right", flags=Flag.MAY_LACK_RIGHT),
        ),
        ("for_in_clause", FlowRule(Operation.ASSIGN_LISTS, "left", Child.LAST, "left")),
        ("if_statement", _IF),
        ("for_statement", FlowRule(Operation.FOR_LISTS, "left", "right")),
        ("while_statement", _WHILE),
    ],
    branch="elif_clause else_clause",
    first="for_in_clause",
    body="block",
)

_JAVA = _package_rules(
    [
        ("variable_declarator", _DEFINE),
        ("assignment_expression", _ASSIGN),
        ("update_expression", _UPDATE),
        ("if_statement", _STICKY_IF),
        ("for_statement", _FOR),
        ("enhanced_for_statement", FlowRule(Operation.FOR_EACH, "name", "value", "body")),
        ("while_statement", _WHILE),
    ],
    branch="if_statement else",
    header="local_variable_declaration",
)

_C_SHARP = _package_rules(
    [
        (
            "variable_declarator",
            FlowRule(Operation.DEFINE, Child.FIRST, Child.SECOND_OF_TWO, flags=Flag.COMES_FROM),
        ),
        ("assignment_expression", _ASSIGN),
        ("postfix_unary_expression", _UPDATE),
        ("if_statement", _STICKY_IF),
        ("for_statement", _FOR),
        ("for_each_statement", FlowRule(Operation.FOR_EACH, "left", "right", "body")),
        ("while_statement", _WHILE),
    ],
    branch="if_statement else",
    header="local_variable_declaration",
)

_RUBY = _package_rules(
    [
        ("keyword_parameter", _DEFINE),
        ("assignment", _LISTS),
        ("operator_assignment", FlowRule(Operation.ASSIGN_LISTS, "left", "right", Child.FIRST)),
        *_each("if elsif else unless when", _IF),
        ("for", FlowRule(Operation.FOR_EACH, "pattern", "value", "body", Flag.ONE_SOURCE_LIST)),
        *_each("while_modifier until", _WHILE),
    ],
    branch="if elsif else unless when",
)

_GO = _package_rules(
    [
        ("var_spec", _DEFINE),
        ("assignment_statement", _ASSIGN),
        ("inc_statement", _UPDATE),
        ("if_statement", _JOINED_IF),
        ("for_statement", FlowRule(Operation.REPEAT_TAIL, right="update")),
    ],
    branch="if_statement else",
    header="for_clause",
    # The package's older grammar has no nodes inside strings.
    more_atoms="raw_string_literal",
    no_tokens="interpreted_string_literal_content",
)

_PHP = _package_rules(
    [
        (
            "simple_parameter",
            FlowRule(Operation.DEFINE, "name", "default_value", flags=Flag.COMES_FROM),
        ),
        *_each("assignment_expression augmented_assignment_expression", _ASSIGN),
        ("update_expression", _UPDATE),
        *_each("if_statement else_clause", _JOINED_IF),
        ("for_statement", _FOR),
        (
            "foreach_statement",
            FlowRule(Operation.FOR_EACH, "again:variable_name", "kind:variable_name", "body"),
        ),
        ("while_statement", _WHILE),
    ],
    branch="if_statement else_clause",
    header="assignment_expression",
)

_JAVASCRIPT = _package_rules(
    [
        ("variable_declarator", _DEFINE),
        *_each("assignment_pattern augmented_assignment_expression", _ASSIGN),
        ("update_expression", _UPDATE),
        ("if_statement", _JOINED_IF),
        ("for_statement", _FOR),
        ("while_statement", _WHILE),
    ],
    branch="if_statement else",
    header="variable_declaration",
)

_RUST = _package_rules(
    [
        (
            "function_item",
            FlowRule(Operation.DEFINE, Child.SECOND, Child.THIRD, flags=Flag.COMES_FROM),
        ),
        *_each("assignment_expression compound_assignment_expr let_expression", _ASSIGN),
        *_each("if_expression if_let_expression match_expression", _STICKY_IF),
        ("for_expression", _FOR),
        ("for_each_statement", FlowRule(Operation.FOR_EACH, "left", "right", "body")),
        *_each("while_expression while_let_expression loop_expression", _WHILE),
    ],
    branch="if_expression if_let_expression match_expression else",
    header="local_variable_declaration",
)

PACKAGE_RULES = MappingProxyType(
    {
        "python": _PYTHON,
        "java": _JAVA,
        "javascript": _JAVASCRIPT,
        "go": _GO,
        "php": _PHP,
        "ruby": _RUBY,
        "rust": _RUST,
        "csharp": _C_SHARP,
        "c": _C_SHARP,
        "cpp": _C_SHARP,
    }
)
"""The package uses the rules of C# for C and C++."""
