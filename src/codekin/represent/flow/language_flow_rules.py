"""How data flows in each language, by codekin's own rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from codekin.represent.flow.flow_rules import Child, Flag, FlowRules, Kind, Operation, Rule

__all__ = ["FLOW_RULES"]

_Rules = list[tuple[str, Rule]]


def _each(kinds: str, rule: Rule) -> _Rules:
    return [(kind, rule) for kind in kinds.split()]


def _flow(
    left: str | Child,
    right: str | Child = Child.NONE,
    body: str | Child = Child.NONE,
    flags: Flag = Flag(0),  # noqa: B008
) -> Rule:
    return Rule(Operation.FLOW, left, right, body, flags)


_ASSIGN = _flow("left", "right")
_ASSIGN_BY_OPERATOR = _flow("left", "right", flags=Flag.BY_OPERATOR)
_AUGMENT = _flow("left", "right", flags=Flag.AUGMENTED)
_NAMED = _flow("name", "value")
_BOUND = _flow("pattern", "value")
_LOOP = Flag.TWICE
_UPDATE = Rule(Operation.UPDATE, flags=Flag.AUGMENTED)
_IF = Rule(Operation.BRANCHES, "alternative")
_CASES = Rule(Operation.BRANCHES, flags=Flag.ALWAYS_JOIN)
_REPEAT = Rule(Operation.REPEAT)
_SCOPE = Rule(Operation.SCOPE)
_DECLARE = Rule(Operation.DECLARE, flags=Flag.COMES_FROM)


def _for(start: str = "initializer", step: str = "update") -> Rule:
    return Rule(Operation.FOR_CLAUSES, start, step)


def _language(
    rules: Iterable[tuple[str, Rule]],
    *,
    variables: str = "identifier",
    indexed: str = "",
    lists: str = "",
    branch: str = "",
    first: str = "",
    header: str = "",
    separators: str = "=",
    atoms: str = "",
    interpolation: str = "",
    not_variables: Mapping[str, str] = MappingProxyType({}),
) -> FlowRules:
    named = {
        Kind.IDENTIFIER: variables,
        Kind.INDEXED: indexed,
        Kind.LIST: lists,
        Kind.BRANCH: branch,
        Kind.FIRST: first,
        Kind.HEADER: header,
        Kind.SEPARATOR: separators,
        Kind.ATOM: atoms,
        Kind.INTERPOLATION: interpolation,
    }
    kinds = {kind: frozenset(names.split()) for kind, names in named.items()}
    return FlowRules(dict(rules), kinds, dict(not_variables))


_PYTHON = _language(
    [
        ("assignment", _ASSIGN),
        ("augmented_assignment", _AUGMENT),
        *_each("named_expression default_parameter typed_default_parameter", _NAMED),
        ("as_pattern", _flow("alias", Child.FIRST)),
        ("for_in_clause", _ASSIGN),
        ("for_statement", _flow("left", "right", "body", _LOOP)),
        ("while_statement", _REPEAT),
        ("if_statement", _IF),
        ("match_statement", _CASES),
        *_each("function_definition lambda list_comprehension set_comprehension", _SCOPE),
        *_each("dictionary_comprehension generator_expression", _SCOPE),
        *_each("parameters lambda_parameters typed_parameter", _DECLARE),
        *_each("list_splat_pattern dictionary_splat_pattern", _DECLARE),
    ],
    indexed="subscript",
    lists="pattern_list tuple_pattern list_pattern expression_list tuple list",
    branch="case_clause",
    first="for_in_clause",
    atoms="type",
    interpolation="interpolation",
    not_variables={"attribute": "attribute", "keyword_argument": "name"},
)

_C_RULES: _Rules = [
    ("init_declarator", _flow("declarator", "value")),
    ("assignment_expression", _ASSIGN_BY_OPERATOR),
    ("update_expression", _UPDATE),
    ("for_statement", _for()),
    *_each("while_statement do_statement", _REPEAT),
    ("if_statement", _IF),
    ("parameter_declaration", _flow("declarator")),
    ("function_definition", _SCOPE),
]

_C = _language(_C_RULES, indexed="subscript_expression array_declarator")

_CPP = _language(
    [
        *_C_RULES,
        ("for_range_loop", _flow("declarator", "right", "body", _LOOP)),
        ("optional_parameter_declaration", _flow("declarator", "default_value")),
        ("lambda_expression", _SCOPE),
    ],
    indexed="subscript_expression array_declarator",
    lists="structured_binding_declarator initializer_list",
)

_JAVA = _language(
    [
        ("variable_declarator", _NAMED),
        ("resource", _NAMED),
        ("assignment_expression", _ASSIGN_BY_OPERATOR),
        ("update_expression", _UPDATE),
        ("for_statement", _for("init")),
        ("enhanced_for_statement", _flow("name", "value", "body", _LOOP)),
        *_each("while_statement do_statement", _REPEAT),
        ("if_statement", _IF),
        ("switch_block", _CASES),
        *_each("formal_parameter catch_formal_parameter", _flow("name")),
        ("inferred_parameters", _DECLARE),
        *_each("method_declaration constructor_declaration lambda_expression", _SCOPE),
    ],
    indexed="array_access",
    branch="switch_block_statement_group switch_rule",
    not_variables={"field_access": "field", "method_invocation": "name"},
)

_JAVASCRIPT_RULES: _Rules = [
    ("variable_declarator", _NAMED),
    *_each("assignment_expression assignment_pattern", _ASSIGN),
    ("augmented_assignment_expression", _AUGMENT),
    ("update_expression", _UPDATE),
    ("for_statement", _for("initializer", "increment")),
    ("for_in_statement", _flow("left", "right", "body", _LOOP)),
    *_each("while_statement do_statement", _REPEAT),
    ("if_statement", _IF),
    ("switch_body", _CASES),
    ("catch_clause", _flow("parameter", body="body")),
    *_each("formal_parameters rest_pattern", _DECLARE),
    *_each("function_declaration function_expression arrow_function", _SCOPE),
    *_each("method_definition generator_function generator_function_declaration", _SCOPE),
]


def _javascript(more: _Rules, atoms: str = "") -> FlowRules:
    return _language(
        [*_JAVASCRIPT_RULES, *more],
        variables="identifier shorthand_property_identifier shorthand_property_identifier_pattern",
        indexed="subscript_expression",
        lists="array_pattern array",
        branch="switch_case switch_default",
        atoms=atoms,
        interpolation="template_substitution",
    )


_JAVASCRIPT = _javascript([])
_TYPESCRIPT = _javascript(
    _each("required_parameter optional_parameter", _flow("pattern", "value")),
    atoms="type_annotation type_arguments type_parameters",
)

_GO = _language(
    [
        ("var_spec", _NAMED),
        ("const_spec", _NAMED),
        ("short_var_declaration", _ASSIGN),
        ("assignment_statement", _ASSIGN_BY_OPERATOR),
        *_each("inc_statement dec_statement", _UPDATE),
        ("range_clause", _ASSIGN),
        ("for_statement", _for()),
        ("if_statement", _IF),
        *_each("expression_switch_statement type_switch_statement select_statement", _CASES),
        *_each("parameter_declaration variadic_parameter_declaration", _DECLARE),
        *_each("function_declaration method_declaration func_literal", _SCOPE),
    ],
    indexed="index_expression",
    lists="expression_list",
    branch="expression_case type_case communication_case default_case",
    header="for_clause",
    separators="= :=",
)

_RUST = _language(
    [
        *_each("let_declaration let_condition", _BOUND),
        ("assignment_expression", _ASSIGN),
        ("compound_assignment_expr", _AUGMENT),
        ("for_expression", _flow("pattern", "value", "body", _LOOP)),
        *_each("while_expression loop_expression", _REPEAT),
        ("if_expression", _IF),
        ("match_block", _CASES),
        ("parameter", _flow("pattern")),
        ("closure_parameters", _DECLARE),
        *_each("function_item closure_expression", _SCOPE),
    ],
    indexed="index_expression",
    lists="tuple_pattern tuple_expression",
    branch="match_arm",
    variables="identifier scoped_identifier self",
    atoms="scoped_identifier",
    not_variables={"tuple_struct_pattern": "type", "macro_invocation": "macro"},
)

_CSHARP = _language(
    [
        ("variable_declarator", _flow("name", Child.AFTER_SEPARATOR)),
        ("assignment_expression", _ASSIGN_BY_OPERATOR),
        ("postfix_unary_expression", _UPDATE),
        ("for_statement", _for()),
        ("foreach_statement", _flow("left", "right", "body", _LOOP)),
        *_each("while_statement do_statement", _REPEAT),
        ("if_statement", _IF),
        ("switch_body", _CASES),
        *_each("parameter catch_declaration", _flow("name")),
        *_each("method_declaration constructor_declaration local_function_statement", _SCOPE),
        *_each("lambda_expression anonymous_method_expression", _SCOPE),
    ],
    indexed="element_access_expression",
    lists="tuple_pattern tuple_expression",
    branch="switch_section",
    interpolation="interpolation",
    not_variables={
        "member_access_expression": "name",
        "variable_declaration": "type",
        "parameter": "type",
        "catch_declaration": "type",
        "foreach_statement": "type",
        "method_declaration": "returns",
    },
)

_PHP = _language(
    [
        ("assignment_expression", _ASSIGN),
        ("augmented_assignment_expression", _AUGMENT),
        ("update_expression", _UPDATE),
        ("for_statement", _for("initialize")),
        (
            "foreach_statement",
            _flow(Child.AFTER_SEPARATOR, Child.BEFORE_SEPARATOR, "body", _LOOP),
        ),
        *_each("while_statement do_statement", _REPEAT),
        ("if_statement", _IF),
        ("switch_block", _CASES),
        *_each("simple_parameter property_promotion_parameter", _flow("name", "default_value")),
        ("variadic_parameter", _flow("name")),
        ("catch_clause", _flow("name", body="body")),
        *_each("function_definition method_declaration", _SCOPE),
        *_each("anonymous_function arrow_function", _SCOPE),
    ],
    variables="variable_name",
    indexed="subscript_expression",
    lists="list_literal array_creation_expression",
    branch="case_statement default_statement",
    separators="= as",
    interpolation="variable_name",
)

_RUBY = _language(
    [
        ("assignment", _ASSIGN),
        ("operator_assignment", _AUGMENT),
        ("for", _flow("pattern", "value", "body", _LOOP)),
        *_each("while until while_modifier until_modifier", _REPEAT),
        *_each("if unless elsif", _IF),
        ("case", _CASES),
        ("exception_variable", _DECLARE),
        *_each("optional_parameter keyword_parameter", _NAMED),
        *_each("method_parameters block_parameters lambda_parameters", _DECLARE),
        *_each("splat_parameter hash_splat_parameter block_parameter", _DECLARE),
        *_each("method singleton_method block do_block lambda", _SCOPE),
    ],
    variables="identifier instance_variable class_variable global_variable",
    indexed="element_reference",
    lists="left_assignment_list right_assignment_list array",
    branch="when",
    interpolation="interpolation",
    not_variables={"call": "method"},
)

_KOTLIN = _language(
    [
        ("property_declaration", _flow(Child.BEFORE_SEPARATOR, Child.AFTER_SEPARATOR)),
        ("assignment", _ASSIGN_BY_OPERATOR),
        (
            "for_statement",
            _flow(Child.BEFORE_SEPARATOR, Child.AFTER_SEPARATOR, Child.LAST, _LOOP),
        ),
        *_each("while_statement do_while_statement", _REPEAT),
        ("if_expression", Rule(Operation.BRANCHES, flags=Flag.STICKY)),
        ("when_expression", _CASES),
        *_each("parameter class_parameter variable_declaration catch_block", _DECLARE),
        *_each("function_declaration lambda_literal anonymous_function", _SCOPE),
    ],
    indexed="index_expression navigation_expression",
    lists="multi_variable_declaration",
    branch="else when_entry",
    separators="= in",
    atoms="user_type",
    interpolation="interpolation",
)

FLOW_RULES: Mapping[str, FlowRules] = MappingProxyType(
    {
        "python": _PYTHON,
        "java": _JAVA,
        "c": _C,
        "cpp": _CPP,
        "javascript": _JAVASCRIPT,
        "typescript": _TYPESCRIPT,
        "go": _GO,
        "rust": _RUST,
        "csharp": _CSHARP,
        "php": _PHP,
        "ruby": _RUBY,
        "kotlin": _KOTLIN,
    }
)
"""The rules of each language, by its name."""
