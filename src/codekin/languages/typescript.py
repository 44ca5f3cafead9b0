"""TypeScript, on the two grammars of tree-sitter-typescript: without and with JSX."""

import re
from dataclasses import replace

from codekin.languages.javascript import (
    JAVASCRIPT_ATOMS,
    JAVASCRIPT_CLASSES,
    JAVASCRIPT_FUNCTIONS,
    JAVASCRIPT_LEXICAL,
    JAVASCRIPT_LOWERING,
    JAVASCRIPT_REWRITING,
    JAVASCRIPT_WRAPPERS,
    javascript_groups,
)
from codekin.languages.language import Fragments, Grammar, Language
from codekin.languages.lowering_rules import Rule, rule
from codekin.languages.syntax import Syntax
from codekin.languages.token_classes import TokenClass

__all__ = ["TYPESCRIPT"]

_SEARCHED = 1 << 16
_JSX_END = re.compile(r"</|/>")
_CLASSES = JAVASCRIPT_CLASSES | {
    "this_type": TokenClass.KEYWORD,
    "accessibility_modifier": TokenClass.KEYWORD,
    "override_modifier": TokenClass.KEYWORD,
    "predefined_type": TokenClass.TYPE,
    "template_literal_type": TokenClass.STRING,
    "existential_type": TokenClass.OPERATOR,
}


def _grammar(entry: str) -> Grammar:
    return Grammar(
        distribution="tree-sitter-typescript",
        entry=entry,
        classes=_CLASSES,
        atoms=JAVASCRIPT_ATOMS | {"predefined_type", "template_literal_type"},
        numeric=frozenset({"number"}),
        split=frozenset({"jsx_text"}),
        piece=1,  # the parser can loop within a few bytes of broken code
    )


def _candidates(text: str) -> tuple[int, ...]:
    """Also the JSX grammar for a text with the end of an element, if the plain one cannot read it.

    The JSX grammar reads ``<T>x`` as an element and not as a cast, and strings of HTML are common,
    so something that looks like the end of an element is not enough.
    """
    return (0, 1) if _JSX_END.search(text, 0, _SEARCHED) else (0,)


_PRELUDE = """
    string number boolean any unknown void console log Math Array Object String Number Record
    Partial Readonly Promise Map Set length push readonly
"""


# What the syntax does, for semantic graphs.

_SKIP = rule("skip")

_TYPES = """
    type_annotation asserts_annotation omitting_type_annotation adding_type_annotation
    opting_type_annotation type_predicate_annotation type_predicate asserts type_arguments
    type_parameters type_parameter predefined_type literal_type union_type intersection_type
    array_type tuple_type object_type function_type constructor_type conditional_type infer_type
    generic_type nested_type_identifier lookup_type mapped_type_clause index_type_query type_query
    readonly_type rest_type optional_type parenthesized_type template_literal_type template_type
    existential_type flow_maybe_type this_type default_type constraint type_identifier
    interface_declaration interface_body type_alias_declaration property_signature method_signature
    abstract_method_signature function_signature call_signature construct_signature index_signature
    ambient_declaration import_alias import_require_clause accessibility_modifier override_modifier
    implements_clause extends_type_clause
"""

_RULES: dict[str, Rule] = {
    **dict.fromkeys(_TYPES.split(), _SKIP),
    "required_parameter": rule(
        "parameter",
        name="pattern",
        value="value",
        type="type",
        guard="<accessibility_modifier> <readonly>",
    ),
    "optional_parameter": rule("parameter", "default", name="pattern", value="value", type="type"),
    "variable_declarator": rule("declare", "value", left="name", value="value", type="type"),
    "public_field_definition": rule("declare", left="name", value="value", type="type"),
    "abstract_class_declaration": rule("class", name="name", bases="<class_heritage>", body="body"),
    "extends_clause": rule("expression", name="value", value="value"),
    "as_expression": rule("expression", value="0"),
    "satisfies_expression": rule("expression", value="0"),
    "type_assertion": rule("expression", value="-1"),
    "non_null_expression": rule("expression"),
    "instantiation_expression": rule("expression", function="0", value="0"),
    "nested_identifier": rule("member", object="object", name="property"),
    "internal_module": rule("sequence", items="body"),
    "module": rule("sequence", items="body"),
    "enum_declaration": rule("class", name="name", body="body"),
    "enum_body": rule("sequence", items="<enum_assignment>"),
    "enum_assignment": rule("declare", left="name", value="value"),
}

_LOWERING = replace(
    JAVASCRIPT_LOWERING,
    rules={**JAVASCRIPT_LOWERING.rules, **_RULES},
    primitives=frozenset({"number", "string", "boolean", "bigint", "symbol", "null", "undefined"}),
)


def _movable_groups(syntax: Syntax, parent: int) -> list[list[int]]:
    """As in JavaScript, but without decorators, which are siblings of their method."""
    return [] if syntax.remember(_has_decorators) else javascript_groups(syntax, parent)


def _has_decorators(syntax: Syntax) -> bool:
    return "decorator" in syntax.kinds


_REWRITING = replace(JAVASCRIPT_REWRITING, movable_groups=_movable_groups)


_RESERVED_WORDS = "abstract enum implements interface private protected public readonly"

TYPESCRIPT = Language(
    name="typescript",
    title="TypeScript",
    aliases=("ts", "tsx"),
    suffixes=(".ts", ".tsx", ".mts", ".cts"),
    prelude=frozenset(_PRELUDE.split()),
    lowering=_LOWERING,
    rewriting=_REWRITING,
    lexical=replace(
        JAVASCRIPT_LEXICAL,
        reserved=JAVASCRIPT_LEXICAL.reserved | frozenset(_RESERVED_WORDS.split()),
    ),
    fragments=Fragments(
        functions=JAVASCRIPT_FUNCTIONS,
        wrappers=JAVASCRIPT_WRAPPERS,
        blocks=frozenset({"statement_block"}),
        declarations=frozenset(
            {
                "class_declaration",
                "abstract_class_declaration",
                "class",
                "interface_declaration",
                "type_alias_declaration",
                "enum_declaration",
                "function_signature",
                "ambient_declaration",
                "internal_module",
                "module",
            }
        ),
    ),
    grammars=(_grammar("language_typescript"), _grammar("language_tsx")),
    candidates=_candidates,
)
