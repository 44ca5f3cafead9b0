"""What JavaScript's syntax does."""

from codekin.languages.lowering.rules import Effect, LoweringTable, Rule, rule

__all__ = ["JAVASCRIPT_EFFECTS", "JAVASCRIPT_LOWERING", "JAVASCRIPT_RULES"]

_SKIP = rule("skip")

_EXPRESSIONS: dict[str, Rule] = {
    "identifier": rule("name"),
    "property_identifier": rule("name"),
    "private_property_identifier": rule("name"),
    "shorthand_property_identifier": rule("name"),
    "shorthand_property_identifier_pattern": rule("name"),
    "this": rule("name"),
    "super": rule("name"),
    "number": rule("literal", "number"),
    "string": rule("literal", "string"),
    "regex": rule("literal", "string"),
    "true": rule("literal", "true"),
    "false": rule("literal", "false"),
    "null": rule("literal", "null"),
    "undefined": rule("literal", "null"),
    "template_string": rule("literal", "string", items="<template_substitution>"),
    "template_substitution": rule("expression"),
    "parenthesized_expression": rule("expression"),
    "binary_expression": rule("binary", left="left", operator="operator", right="right"),
    "unary_expression": rule("unary", operator="operator", value="argument"),
    "update_expression": rule("update", operator="operator", value="argument"),
    "assignment_expression": rule("assign", left="left", right="right"),
    "augmented_assignment_expression": rule(
        "assign", left="left", operator="operator", right="right"
    ),
    "ternary_expression": rule(
        "conditional", condition="condition", body="consequence", otherwise="alternative"
    ),
    "sequence_expression": rule("sequence", "value"),
    "member_expression": rule(
        "member", object="object", name="property", guard="optional_chain <?.>"
    ),
    "subscript_expression": rule(
        "index", object="object", right="index", guard="optional_chain <?.>"
    ),
    "call_expression": rule(
        "call", function="function", arguments="arguments", guard="optional_chain <?.>"
    ),
    "new_expression": rule("new", type="constructor", arguments="arguments"),
    "arguments": rule("sequence"),
    "spread_element": rule("spread"),
    "array": rule("operation", "each", label="list"),
    "object": rule("operation", label="dict"),
    "pair": rule("pair", "expression", name="key", value="value"),
    "computed_property_name": rule("expression"),
    "arrow_function": rule("function", "lambda", parameters="parameters parameter", body="body"),
    "function_expression": rule(
        "function", "lambda", name="name", parameters="parameters", body="body"
    ),
    "generator_function": rule(
        "function", "lambda", name="name", parameters="parameters", body="body"
    ),
    "class": rule("class", name="name", bases="<class_heritage>", body="body"),
    "await_expression": rule("operation", label="await"),
    "yield_expression": rule("operation", label="yield"),
    "meta_property": rule("literal", "null"),
    "import": rule("name"),
    "jsx_element": rule("operation", label="element"),
    "jsx_self_closing_element": rule("operation", label="element"),
    "jsx_opening_element": rule("expression"),
    "jsx_attribute": rule("expression", value="<jsx_expression> <string> <jsx_element>"),
    "jsx_expression": rule("expression"),
    "jsx_closing_element": _SKIP,
    "jsx_namespace_name": _SKIP,
    "jsx_text": rule("literal", "string"),
    "html_character_reference": _SKIP,
    "decorator": rule("expression"),
}

_PATTERNS: dict[str, Rule] = {
    "array_pattern": rule("pattern", "each"),
    "object_pattern": rule("pattern"),
    "pair_pattern": rule("pair", name="key", value="value"),
    "assignment_pattern": rule("assign", left="left", right="right"),
    "object_assignment_pattern": rule("assign", left="left", right="right"),
    "rest_pattern": rule("spread", "varargs"),
}

_STATEMENTS: dict[str, Rule] = {
    "program": rule("sequence"),
    "statement_block": rule("sequence", "scope"),
    "expression_statement": rule("expression"),
    "variable_declaration": rule("declaration", "hoisted", items="<variable_declarator>"),
    "lexical_declaration": rule("declaration", items="<variable_declarator>"),
    "using_declaration": rule("declaration", items="<variable_declarator>"),
    "variable_declarator": rule("declare", "value", left="name", value="value"),
    "if_statement": rule("if", condition="condition", body="consequence", otherwise="alternative"),
    "else_clause": rule("sequence"),
    "while_statement": rule("while", condition="condition", body="body"),
    "do_statement": rule("do", condition="condition", body="body"),
    "for_statement": rule(
        "for", init="initializer", condition="condition", update="increment", body="body"
    ),
    "for_in_statement": rule("for_each", left="left", right="right", body="body", operator="kind"),
    "switch_statement": rule("switch", "falls", value="value", body="body"),
    "switch_body": rule("sequence"),
    "switch_case": rule("case", "expression", left="value", body="body"),
    "switch_default": rule("case", "default", body="body"),
    "try_statement": rule("try", body="body", handlers="handler", **{"finally": "finalizer"}),
    "catch_clause": rule("catch", left="parameter", body="body"),
    "finally_clause": rule("sequence", items="body"),
    "with_statement": rule("sequence"),
    "labeled_statement": rule("labeled", label="label", body="body"),
    "return_statement": rule("return"),
    "throw_statement": rule("throw"),
    "break_statement": rule("break", label="label"),
    "continue_statement": rule("continue", label="label"),
    "debugger_statement": _SKIP,
    "empty_statement": _SKIP,
    "export_statement": rule("sequence", items="declaration value"),
    "export_clause": _SKIP,
    "namespace_export": _SKIP,
    "import_statement": rule("import"),
    "statement_identifier": _SKIP,
    "optional_chain": _SKIP,
    "comment": rule("comment"),
    "html_comment": rule("comment"),
    "hash_bang_line": rule("comment"),
}

_DECLARATIONS: dict[str, Rule] = {
    "function_declaration": rule("function", name="name", parameters="parameters", body="body"),
    "generator_function_declaration": rule(
        "function", name="name", parameters="parameters", body="body"
    ),
    "class_declaration": rule("class", name="name", bases="<class_heritage>", body="body"),
    "formal_parameters": rule("sequence", "default"),
    "class_heritage": rule("sequence"),
    "class_body": rule("sequence"),
    "method_definition": rule(
        "function", "method", name="name", parameters="parameters", body="body", guard="<static>"
    ),
    "field_definition": rule("declare", left="property", value="value"),
    "class_static_block": rule("sequence"),
}

JAVASCRIPT_RULES = _EXPRESSIONS | _PATTERNS | _STATEMENTS | _DECLARATIONS

_OPERATORS = {
    "===": "==",
    "!==": "!=",
    "unary -": "neg",
    "unary +": "pos",
    "unary delete": "del",
}

_PURE = """
    log error warn info debug table time timeEnd assert
    slice concat join indexOf lastIndexOf includes some every filter map reduce reduceRight
    forEach flatMap flat keys values entries has size charAt charCodeAt codePointAt at
    split substring substr trim trimStart trimEnd toUpperCase toLowerCase startsWith endsWith
    repeat padStart padEnd replace replaceAll match matchAll search test localeCompare normalize
    toString toFixed toPrecision valueOf toISOString getTime getFullYear getMonth getDate getDay
    getHours getMinutes getSeconds hasOwnProperty isPrototypeOf toSorted toReversed toSpliced with
    parseInt parseFloat isNaN isFinite isInteger isArray from of fromEntries freeze create
    getOwnPropertyNames getPrototypeOf stringify parse is Number String Boolean BigInt Symbol
    abs ceil floor round trunc max min pow sqrt cbrt hypot sign exp log2 log10 sin cos tan atan
    atan2 fromCharCode fromCodePoint encodeURIComponent decodeURIComponent require
    bind setTimeout setInterval clearTimeout clearInterval resolve reject all race then catch
    finally getElementById querySelector querySelectorAll call apply
    Map Set WeakMap WeakSet Date RegExp Error TypeError RangeError Promise Array Object
"""
_CHANGES_RECEIVER = "sort reverse shift clear delete setTime setFullYear setDate setMonth setHours"
_HOLDS = Effect(receiver=True, kept=(-1,))

JAVASCRIPT_EFFECTS: dict[str, Effect] = {
    **{name: Effect() for name in _PURE.split()},
    **{name: Effect(receiver=True) for name in _CHANGES_RECEIVER.split()},
    **dict.fromkeys(["push", "unshift", "splice", "fill", "add", "set", "append"], _HOLDS),
    **dict.fromkeys(["pop", "shift"], Effect(receiver=True, result="element")),
    **dict.fromkeys(["get", "at", "find", "findLast", "values"], Effect(result="element")),
    **dict.fromkeys(["slice", "filter", "concat"], Effect(result="copy")),
    "sort": Effect(receiver=True, result="same"),
    "reverse": Effect(receiver=True, result="same"),
    "copyWithin": Effect(receiver=True),
    "next": Effect(receiver=True, result="element"),
    "findIndex": Effect(),
    "findLastIndex": Effect(),
    "assign": Effect(changed=(0,)),
    "defineProperty": Effect(changed=(0,)),
    "setPrototypeOf": Effect(changed=(0,)),
    "exit": Effect(ends=True),
    "super": Effect(),
    "del": Effect(assigned=(0,)),
}

JAVASCRIPT_LOWERING = LoweringTable(
    rules=JAVASCRIPT_RULES,
    operators=_OPERATORS,
    logical=frozenset({"&&", "||", "??"}),
    effects=JAVASCRIPT_EFFECTS,
    receivers=frozenset({"this", "super"}),
    class_scope=False,
    raising=frozenset({"call", "member", "index", "await"}),
    wildcard="",
    constructors=frozenset({"constructor"}),
    quiet=frozenset(
        {"console", "Math", "JSON", "Object", "Array", "Number", "String", "Promise", "Reflect"}
    ),
    hoisting=frozenset({"var"}),
)
