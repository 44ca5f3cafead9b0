"""What TypeScript's syntax does: JavaScript's, with types that do nothing."""

from dataclasses import replace

from codekin.languages.lowering.javascript import JAVASCRIPT_LOWERING
from codekin.languages.lowering.rules import Rule, rule

__all__ = ["TYPESCRIPT_LOWERING"]

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

TYPESCRIPT_LOWERING = replace(
    JAVASCRIPT_LOWERING,
    rules={**JAVASCRIPT_LOWERING.rules, **_RULES},
    primitives=frozenset({"number", "string", "boolean", "bigint", "symbol", "null", "undefined"}),
)
