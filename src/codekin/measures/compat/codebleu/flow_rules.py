"""The flow rules of the codebleu package 0.7.0, by its names of the languages."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from codekin.measures.compat.codebleu.dataflow import (
    Child,
    Flag,
    FlowRules,
    Kind,
    Operation,
    Rule,
)

__all__ = ["PACKAGE_RULES"]

_ATOMS = frozenset({"string_literal", "string", "character_literal"})


def _package_rules(
    rules: Iterable[tuple[str, Rule]],
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


def _each(kinds: str, rule: Rule) -> list[tuple[str, Rule]]:
    return [(kind, rule) for kind in kinds.split()]


_DEFINE = Rule(Operation.DEFINE, "name", "value", flags=Flag.COMES_FROM)
_ASSIGN = Rule(Operation.ASSIGN, "left", "right")
_LISTS = Rule(Operation.ASSIGN_LISTS, "left", "right")
_UPDATE = Rule(Operation.UPDATE)
_IF = Rule(Operation.BRANCHES)
_STICKY_IF = Rule(Operation.BRANCHES, flags=Flag.STICKY)
_JOINED_IF = Rule(Operation.BRANCHES, flags=Flag.STICKY | Flag.ALWAYS_JOIN)
_WHILE = Rule(Operation.REPEAT)
_FOR = Rule(Operation.REPEAT_TAIL)

_PYTHON = _package_rules(
    [
        ("default_parameter", _DEFINE),
        *_each(
            "assignment augmented_assignment",
            Rule(Operation.ASSIGN_LISTS, "left", "right", flags=Flag.MAY_LACK_RIGHT),
        ),
        ("for_in_clause", Rule(Operation.ASSIGN_LISTS, "left", Child.LAST, "left")),
        ("if_statement", _IF),
        ("for_statement", Rule(Operation.FOR_LISTS, "left", "right")),
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
        ("enhanced_for_statement", Rule(Operation.FOR_EACH, "name", "value", "body")),
        ("while_statement", _WHILE),
    ],
    branch="if_statement else",
    header="local_variable_declaration",
)

_C_SHARP = _package_rules(
    [
        (
            "variable_declarator",
            Rule(Operation.DEFINE, Child.FIRST, Child.SECOND_OF_TWO, flags=Flag.COMES_FROM),
        ),
        ("assignment_expression", _ASSIGN),
        ("postfix_unary_expression", _UPDATE),
        ("if_statement", _STICKY_IF),
        ("for_statement", _FOR),
        ("for_each_statement", Rule(Operation.FOR_EACH, "left", "right", "body")),
        ("while_statement", _WHILE),
    ],
    branch="if_statement else",
    header="local_variable_declaration",
)

_RUBY = _package_rules(
    [
        ("keyword_parameter", _DEFINE),
        ("assignment", _LISTS),
        ("operator_assignment", Rule(Operation.ASSIGN_LISTS, "left", "right", Child.FIRST)),
        *_each("if elsif else unless when", _IF),
        ("for", Rule(Operation.FOR_EACH, "pattern", "value", "body", Flag.ONE_SOURCE_LIST)),
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
        ("for_statement", Rule(Operation.REPEAT_TAIL, right="update")),
    ],
    branch="if_statement else",
    header="for_clause",
    # The grammar of the package's time has no nodes inside strings.
    more_atoms="raw_string_literal",
    no_tokens="interpreted_string_literal_content",
)

_PHP = _package_rules(
    [
        (
            "simple_parameter",
            Rule(Operation.DEFINE, "name", "default_value", flags=Flag.COMES_FROM),
        ),
        *_each("assignment_expression augmented_assignment_expression", _ASSIGN),
        ("update_expression", _UPDATE),
        *_each("if_statement else_clause", _JOINED_IF),
        ("for_statement", _FOR),
        (
            "foreach_statement",
            Rule(Operation.FOR_EACH, "again:variable_name", "kind:variable_name", "body"),
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
            Rule(Operation.DEFINE, Child.SECOND, Child.THIRD, flags=Flag.COMES_FROM),
        ),
        *_each("assignment_expression compound_assignment_expr let_expression", _ASSIGN),
        *_each("if_expression if_let_expression match_expression", _STICKY_IF),
        ("for_expression", _FOR),
        ("for_each_statement", Rule(Operation.FOR_EACH, "left", "right", "body")),
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
"""The package reads C and C++ by the rules of C#."""
