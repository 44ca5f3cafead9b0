"""What the changes need to know of each language: kinds of nodes and forms of code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["FACTS", "Facts"]


@dataclass(frozen=True)
class Facts:
    """Kinds of nodes of a language, by what they are to the changes.

    Attributes
    ----------
    functions : frozenset of str
        Functions whose body may be a block.
    bodies : frozenset of str
        Kinds of such a body.
    blocks : frozenset of str
        Nodes whose children are statements or definitions.
    braces : frozenset of str
        Blocks whose opening brace may stand on a line of its own.
    dead : tuple of str
        Code without effect, in lines; ``{name}`` is a new name, ``{step}`` a step of indentation.
    movable : frozenset of str
        Definitions that may change places within one parent.
    conditions : mapping of str to str
        Nodes with a condition, and its field.
    binary, assignments : frozenset of str
        Nodes with an operator between two operands.
    arguments : frozenset of str
        Lists of arguments of calls.
    droppable : frozenset of str
        Simple statements that nothing needs.
    needed : frozenset of str
        Simple statements that other code may need; dropped where there is no other.
    numbers, strings : frozenset of str
        Literals.
    line_comment : str
        What opens a comment to the end of the line.
    swaps : mapping of str to str
        Operators, and what takes the place of each; ``␣`` stands for a blank within one.
    """

    functions: frozenset[str]
    bodies: frozenset[str]
    blocks: frozenset[str]
    braces: frozenset[str]
    dead: tuple[str, ...]
    movable: frozenset[str]
    conditions: Mapping[str, str]
    binary: frozenset[str]
    assignments: frozenset[str]
    arguments: frozenset[str]
    droppable: frozenset[str]
    needed: frozenset[str]
    numbers: frozenset[str]
    strings: frozenset[str]
    line_comment: str = "//"
    swaps: Mapping[str, str] = field(default_factory=dict)


def _both(*pairs: str) -> dict[str, str]:
    """Swaps in both directions, from pairs such as ``"+ -"``."""
    table = {}
    for pair in pairs:
        first, second = pair.split()
        table[first], table[second] = second, first
    return table


_SWAPS = {
    **_both("+ -", "* /", "< <=", "> >=", "== !=", "+= -=", "*= /=", "& |", "&= |="),
    "%": "*",
    "%=": "*=",
    "^": "&",
    "<<": ">>",
    ">>": "<<",
}
_BRACED_SWAPS = {**_SWAPS, **_both("&& ||", "++ --")}

_PYTHON = Facts(
    functions=frozenset({"function_definition"}),
    bodies=frozenset({"block"}),
    blocks=frozenset({"module", "block"}),
    braces=frozenset(),
    dead=(
        "{name} = {number}",
        "{name} = [{number}]",
        "if False:\n{step}{name} = {number}",
        "while False:\n{step}{name} = {number}",
        "for {name} in ():\n{step}pass",
    ),
    movable=frozenset({"function_definition"}),
    conditions={
        "if_statement": "condition",
        "elif_clause": "condition",
        "while_statement": "condition",
        "conditional_expression": "",
    },
    binary=frozenset({"binary_operator", "boolean_operator", "comparison_operator"}),
    assignments=frozenset({"augmented_assignment"}),
    arguments=frozenset({"argument_list"}),
    droppable=frozenset(
        {"expression_statement", "break_statement", "continue_statement", "raise_statement"}
    ),
    needed=frozenset({"return_statement", "assert_statement", "delete_statement"}),
    numbers=frozenset({"integer", "float"}),
    strings=frozenset({"string"}),
    line_comment="#",
    swaps={
        **_SWAPS,
        **_both("and or", "in not␣in", "is is␣not", "//= *="),
        "//": "*",
        "**": "*",
        "*=": "/=",
    },
)

_C_DEAD = (
    "int {name} = {number}; (void) {name};",
    "if (0) {{ int {name} = {number}; (void) {name}; }}",
    "while (0) {{ int {name} = {number}; (void) {name}; }}",
    "{{ int {name} = {number}; (void) {name}; }}",
)
_C = Facts(
    functions=frozenset({"function_definition"}),
    bodies=frozenset({"compound_statement"}),
    blocks=frozenset({"translation_unit", "compound_statement", "declaration_list"}),
    braces=frozenset({"compound_statement"}),
    dead=_C_DEAD,
    movable=frozenset({"function_definition"}),
    conditions={
        "if_statement": "condition",
        "while_statement": "condition",
        "do_statement": "condition",
        "conditional_expression": "condition",
    },
    binary=frozenset({"binary_expression"}),
    assignments=frozenset({"assignment_expression", "update_expression"}),
    arguments=frozenset({"argument_list"}),
    droppable=frozenset({"expression_statement", "continue_statement", "break_statement"}),
    needed=frozenset({"return_statement"}),
    numbers=frozenset({"number_literal"}),
    strings=frozenset({"string_literal", "char_literal"}),
    swaps=_BRACED_SWAPS,
)

_CPP = Facts(
    functions=frozenset({"function_definition"}),
    bodies=frozenset({"compound_statement"}),
    blocks=_C.blocks | {"field_declaration_list"},
    braces=_C.braces | {"field_declaration_list", "declaration_list"},
    dead=(
        *_C_DEAD,
        "if (false) {{ long {name} = {number}; (void) {name}; }}",
        "const bool {name} = false; (void) {name};",
    ),
    movable=frozenset({"function_definition"}),
    conditions=_C.conditions,
    binary=_C.binary,
    assignments=_C.assignments,
    arguments=_C.arguments,
    droppable=_C.droppable,
    needed=_C.needed | {"throw_statement"},
    numbers=_C.numbers,
    strings=_C.strings,
    # << and >> are streams more often than shifts.
    swaps={k: v for k, v in _BRACED_SWAPS.items() if k not in {"<<", ">>"}},
)

_JAVA = Facts(
    functions=frozenset({"method_declaration", "constructor_declaration"}),
    bodies=frozenset({"block", "constructor_body"}),
    blocks=frozenset({"program", "block", "constructor_body", "class_body"}),
    braces=frozenset({"block", "constructor_body", "class_body", "enum_body", "interface_body"}),
    dead=(
        "int {name} = {number};",
        'final String {name} = "{number}";',
        "if (false) {{ int {name} = {number}; }}",
        "{{ long {name} = {number}; }}",
        "for (int {name} = {number}; {name} < {number}; {name}++) {{ }}",
    ),
    movable=frozenset({"method_declaration"}),
    conditions={
        "if_statement": "condition",
        "while_statement": "condition",
        "do_statement": "condition",
        "ternary_expression": "condition",
    },
    binary=frozenset({"binary_expression"}),
    assignments=frozenset({"assignment_expression", "update_expression"}),
    arguments=frozenset({"argument_list"}),
    droppable=frozenset({"expression_statement", "continue_statement"}),
    needed=frozenset({"break_statement", "throw_statement", "return_statement"}),
    numbers=frozenset({"decimal_integer_literal", "decimal_floating_point_literal"}),
    strings=frozenset({"string_literal", "character_literal"}),
    swaps=_BRACED_SWAPS,
)

_JAVASCRIPT = Facts(
    functions=frozenset(
        {
            "function_declaration",
            "generator_function_declaration",
            "function_expression",
            "generator_function",
            "arrow_function",
            "method_definition",
        }
    ),
    bodies=frozenset({"statement_block"}),
    blocks=frozenset({"program", "statement_block", "class_body"}),
    braces=frozenset({"statement_block", "class_body"}),
    dead=(
        "const {name} = {number};",
        "let {name} = [{number}];",
        "if (false) {{ let {name} = {number}; }}",
        "while (false) {{ const {name} = {number}; }}",
        "{{ const {name} = '{number}'; }}",
    ),
    movable=frozenset(
        {
            "function_declaration",
            "generator_function_declaration",
            "method_definition",
            "lexical_declaration",
        }
    ),
    conditions=_JAVA.conditions,
    binary=frozenset({"binary_expression"}),
    assignments=frozenset({"augmented_assignment_expression", "update_expression"}),
    arguments=frozenset({"arguments"}),
    droppable=frozenset({"expression_statement", "continue_statement", "break_statement"}),
    needed=frozenset({"throw_statement", "return_statement"}),
    numbers=frozenset({"number"}),
    strings=frozenset({"string", "template_string"}),
    swaps={**_BRACED_SWAPS, **_both("=== !=="), "**": "*"},
)

FACTS: dict[str, Facts] = {
    "python": _PYTHON,
    "java": _JAVA,
    "c": _C,
    "cpp": _CPP,
    "javascript": _JAVASCRIPT,
    "typescript": _JAVASCRIPT,
}
"""The languages whose programs can be changed."""
