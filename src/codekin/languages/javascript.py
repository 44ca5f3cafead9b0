"""JavaScript with JSX, on tree-sitter-javascript."""

from __future__ import annotations

import re
from collections import Counter
from itertools import groupby
from typing import ClassVar

from codekin.languages.language import Fragments, Grammar, Language
from codekin.languages.lexical import Lexical, StringForm
from codekin.languages.lowering_rules import Effect, LoweringTable, Rule, rule
from codekin.languages.rewriting import (
    BRACED_SWAPS,
    Rewriting,
    Writing,
    braced_functions,
    swapped,
)
from codekin.languages.scopes import Scope, ScopeReader
from codekin.languages.syntax import Syntax
from codekin.languages.token_classes import TokenClass

__all__ = [
    "JAVASCRIPT",
    "JAVASCRIPT_ATOMS",
    "JAVASCRIPT_CLASSES",
    "JAVASCRIPT_FUNCTIONS",
    "JAVASCRIPT_LEXICAL",
    "JAVASCRIPT_LOWERING",
    "JAVASCRIPT_REWRITING",
    "JAVASCRIPT_WRAPPERS",
    "javascript_groups",
]

# Shared with TypeScript, which extends these tables.
JAVASCRIPT_CLASSES = {
    "this": TokenClass.KEYWORD,
    "super": TokenClass.KEYWORD,
    "import": TokenClass.KEYWORD,
    "shorthand_property_identifier_pattern": TokenClass.IDENTIFIER,
    "number": TokenClass.INTEGER,
    "string": TokenClass.STRING,
    "template_string": TokenClass.STRING,
    "regex": TokenClass.STRING,
    "jsx_text": TokenClass.STRING,
    "html_character_reference": TokenClass.STRING,
    "true": TokenClass.BOOLEAN,
    "false": TokenClass.BOOLEAN,
    "null": TokenClass.NULL,
    "undefined": TokenClass.NULL,
    "optional_chain": TokenClass.DELIMITER,
    "hash_bang_line": TokenClass.COMMENT,
}
JAVASCRIPT_FUNCTIONS = frozenset(
    {
        "function_declaration",
        "generator_function_declaration",
        "method_definition",
        "function_expression",
        "generator_function",
        "arrow_function",
    }
)
JAVASCRIPT_WRAPPERS = frozenset(
    {"variable_declarator", "lexical_declaration", "variable_declaration"}
)

JAVASCRIPT_ATOMS = frozenset({"string", "template_string", "regex"})

_PRELUDE = """
    console log Math Array Object String Number JSON Map Set Promise length push forEach
    prototype require module exports document window parseInt
"""

# A slash after a word is a division, but not after these.
_BEFORE_REGEX = """
    return typeof instanceof in of new delete void throw case do else yield await default extends
"""
_RESERVED_WORDS = """
    async await break case catch class const continue debugger default delete do else
    export extends false finally for function if import in instanceof let new null of
    return static super switch this throw true try typeof undefined var void while yield
"""

JAVASCRIPT_LEXICAL = Lexical(
    reserved=frozenset(_RESERVED_WORDS.split()),
    imports=frozenset({"import"}),
    line_ends=True,
    line_comments=("//", "#!/"),
    strings=(
        StringForm("`", multiline=True, hole="${"),
        StringForm('"'),
        StringForm("'"),
    ),
    operators=(
        ">>>= **= <<= >>= >>> === !== ... &&= ||= ??= ** => ++ -- << >> <= >= == != && || ?? ?. "
        "</ /> += -= *= /= %= &= |= ^="
    ),
    sigils="#",
    continuation=True,
    regex_after=frozenset(_BEFORE_REGEX.split()),
)


# What the syntax does, for semantic graphs.

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

_EFFECTS: dict[str, Effect] = {
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
    rules=_EXPRESSIONS | _PATTERNS | _STATEMENTS | _DECLARATIONS,
    operators=_OPERATORS,
    logical=frozenset({"&&", "||", "??"}),
    effects=_EFFECTS,
    receivers=frozenset({"this", "super"}),
    class_scope=False,
    raising=frozenset({"call", "member", "index", "await"}),
    wildcard="",
    constructors=frozenset({"constructor"}),
    quiet=frozenset(
        {"console", "Math", "JSON", "Object", "Array", "Number", "String", "Promise", "Reflect"}
    ),
    hoisting=frozenset({"var"}),
    call_words={"log": "print"},
)


# Which names belong to a function, for renaming.

_FUNCTIONS = (
    "function_declaration",
    "generator_function_declaration",
    "function_expression",
    "generator_function",
    "arrow_function",
    "method_definition",
)
_NESTING = {
    "object_pattern",
    "array_pattern",
    "rest_pattern",
    "pair_pattern",
    "assignment_pattern",
    "object_assignment_pattern",
}
# These print a function as [Function: f].
_PRINTS_NAMES = {"console", "inspect"}
_SPECIAL = {"eval", "_", "arguments", "__proto__"}
_FIXED_PARENTS = {
    "import_specifier",
    "import_clause",
    "namespace_import",
    "export_specifier",
    "class_declaration",
    "class",
    "enum_declaration",
    "internal_module",
    "nested_type_identifier",
    "nested_identifier",
}


class JavascriptScopes(ScopeReader):
    """Reads a function of any kind."""

    opens: ClassVar = {
        **dict.fromkeys(_FUNCTIONS, "function"),
        "class_static_block": "function",
        "statement_block": "block",
        "for_statement": "block",
        "for_in_statement": "block",
        "catch_clause": "block",
        "switch_body": "block",
    }
    names = frozenset(
        {
            "identifier",
            "shorthand_property_identifier",
            "shorthand_property_identifier_pattern",
        }
    )
    shorthands = names - {"identifier"}

    def is_scope(self, node: int) -> bool:
        """The body of a function shares its scope with the parameters."""
        syntax = self.syntax
        if syntax.kinds[node] != "statement_block":
            return True
        return syntax.kinds[syntax.parents[node]] not in _FUNCTIONS

    def meet(self, node: int, scope: Scope) -> None:
        """Classify a name by its position."""
        syntax = self.syntax
        name = syntax.text(node)
        kind, field = syntax.kinds[syntax.parents[node]], syntax.fields[node]
        if kind in _FIXED_PARENTS and field != "value":
            self.fix(node)
        if kind.startswith("jsx") or name in _SPECIAL:
            self.fix(node)
        if self._names_a_function(node):
            self.fix(node)
        if kind in _FUNCTIONS and field == "name":
            self.fix(node)
        else:
            self._meet_target(node, scope)

    def look(self, node: int, scope: Scope) -> None:
        """Fix the names in a ``with`` statement, which may be properties of its object."""
        if self.syntax.kinds[node] == "with_statement":
            for below in self.syntax.inside(self.root):
                if self.syntax.kinds[below] in self.names:
                    self.fix(below)

    def _meet_target(self, node: int, scope: Scope) -> None:
        syntax = self.syntax
        top = node
        parent = syntax.parents[top]
        while syntax.kinds[parent] in _NESTING and syntax.fields[top] not in {"right", "key"}:
            top, parent = parent, syntax.parents[parent]
        kind, field = syntax.kinds[parent], syntax.fields[top]
        if kind == "variable_declarator" and field == "name":
            hoisted = syntax.kinds[syntax.parents[parent]] == "variable_declaration"
            self._bind(node, scope.function() if hoisted else scope)
        elif kind == "for_in_statement" and field == "left":
            self._meet_loop_variable(node, parent, scope)
        elif kind in {"required_parameter", "optional_parameter"} and field == "pattern":
            self._meet_typed_parameter(node, parent, scope)
        elif (
            kind == "formal_parameters"
            or (kind == "arrow_function" and field == "parameter")
            or (kind == "catch_clause" and field == "parameter")
        ):
            self.bind(node, scope, since=0)
        else:
            self.use(node, scope)

    def _bind(self, node: int, scope: Scope) -> None:
        """Bind a variable; declarations of a body are not visible in parameter defaults."""
        syntax = self.syntax
        since = 0
        if scope.kind == "function":
            above = syntax.ancestors(node)
            owner = next(i for i in above if self.opens.get(syntax.kinds[i]) == "function")
            since = syntax.starts[syntax.child(owner, "body")]
        self.bind(node, scope, since)

    def _names_a_function(self, node: int) -> bool:
        """Whether a function gets its ``name`` from a variable, in a text that may print it."""
        syntax = self.syntax
        if syntax.fields[node] not in {"name", "left", "pattern"}:
            return False
        parent = syntax.parents[node]
        value = max(syntax.child(parent, "value"), syntax.child(parent, "right"))
        while value >= 0 and syntax.kinds[value] == "parenthesized_expression":
            value += 2  # after its bracket
        if value < 0 or syntax.kinds[value] not in {*_FUNCTIONS, "class"}:
            return False
        return b".name" in syntax.data or not _PRINTS_NAMES.isdisjoint(syntax.words)

    def _meet_loop_variable(self, node: int, loop: int, scope: Scope) -> None:
        syntax = self.syntax
        words = {syntax.kinds[i] for i in syntax.children(loop)}
        if "var" in words:
            self._bind(node, scope.function())
        elif words & {"let", "const"}:
            self.bind(node, scope, since=0)
        else:
            self.use(node, scope)

    def _meet_typed_parameter(self, node: int, parameter: int, scope: Scope) -> None:
        """Classify a parameter of TypeScript, which may declare a field or be part of a type."""
        syntax = self.syntax
        owner = syntax.parents[syntax.parents[parameter]]
        if syntax.kinds[owner] not in _FUNCTIONS:
            return
        modifiers = {syntax.kinds[i] for i in syntax.children(parameter)}
        if modifiers & {"accessibility_modifier", "readonly", "override_modifier"}:
            self.fix(node)
        self.bind(node, scope, since=0)


# Which functions may change places.

_HOISTED = {"function_declaration", "generator_function_declaration"}
# After a function without a semicolon, these would continue the expression.
_CONTINUES_EXPRESSION = {b"(", b"[", b"`", b"+", b"-", b"*", b"/", b",", b".", b"<", b"?", b"="}


def javascript_groups(syntax: Syntax, parent: int) -> list[list[int]]:
    """Hoisted functions, and runs of constant functions."""
    children = syntax.named_children(parent)
    names = Counter(_name(syntax, i) for i in children)

    def is_constant(node: int) -> bool:
        return _is_constant_function(syntax, node) and names[_name(syntax, node)] == 1

    free = [i for i in children if _is_free(syntax, parent, i) and names[_name(syntax, i)] == 1]
    runs = [list(run) for constant, run in groupby(children, is_constant) if constant]
    return [free, *(_closed(syntax, run) for run in runs)]


def _name(syntax: Syntax, definition: int) -> str:
    """The name of a definition, or an empty text."""
    if syntax.kinds[definition] == "lexical_declaration":
        definition = next(iter(syntax.named_children(definition)), definition)
    name = syntax.child(definition, "name")
    return syntax.text(name) if name >= 0 else ""


def _is_free(syntax: Syntax, parent: int, node: int) -> bool:
    """Whether a node is a hoisted function declaration or a method with a plain name."""
    if syntax.kinds[node] in _HOISTED:
        # In other blocks, the meaning of a declaration depends on strict mode.
        owner = syntax.kinds[syntax.parents[parent]] if parent else "function"
        return "function" in owner or owner == "method_definition"
    if syntax.kinds[node] != "method_definition" or syntax.kinds[parent] != "class_body":
        return False
    name = syntax.child(node, "name")
    return syntax.kinds[name] in {"property_identifier", "private_property_identifier"}


def _is_constant_function(syntax: Syntax, node: int) -> bool:
    """Whether a node is ``const f = () => ...;``, which executes nothing."""
    if syntax.kinds[node] != "lexical_declaration":
        return False
    declarators = syntax.named_children(node)
    if len(declarators) != 1:
        return False
    name, value = syntax.child(declarators[0], "name"), syntax.child(declarators[0], "value")
    functions = {"arrow_function", "function_expression", "generator_function"}
    return syntax.kinds[name] == "identifier" and value >= 0 and syntax.kinds[value] in functions


def _closed(syntax: Syntax, run: list[int]) -> list[int]:
    """A run without its last function, if what follows would continue it without a semicolon."""
    if all(syntax.text(node).endswith(";") for node in run):
        return run
    parent = syntax.parents[run[-1]]
    after = run[-1] + syntax.sizes[run[-1]]
    while after < len(syntax) and "comment" in syntax.kinds[after]:
        after += 1
    if after >= parent + syntax.sizes[parent]:
        return run
    first = syntax.data[syntax.starts[after] : syntax.starts[after] + 1]
    return run[:-1] if first in _CONTINUES_EXPRESSION else run


JAVASCRIPT_REWRITING = Rewriting(
    blocks=frozenset({"program", "statement_block", "class_body"}),
    not_statements=frozenset({"hash_bang_line"}),
    functions=frozenset(_FUNCTIONS),
    bodies=frozenset({"statement_block"}),
    scopes=JavascriptScopes,
    evaluating=frozenset({"eval"}),
    braces=frozenset({"statement_block", "class_body"}),
    spaced=frozenset({"assignment_expression", "variable_declarator"}),
    keeps_layout=frozenset({"jsx_element", "jsx_self_closing_element"}),
    dead=(
        "const {name} = {number};",
        "let {name} = [{number}];",
        "if (false) {{ let {name} = {number}; }}",
        "while (false) {{ const {name} = {number}; }}",
        "{{ const {name} = '{number}'; }}",
    ),
    leading={"expression_statement": "string"},
    movable=frozenset({*_HOISTED, "method_definition", "lexical_declaration"}),
    movable_groups=javascript_groups,
    order_seen=frozenset({"getOwnPropertyNames", "ownKeys", "getOwnPropertyDescriptors"}),
    binary=frozenset({"binary_expression"}),
    assignments=frozenset({"augmented_assignment_expression"}),
    updates=frozenset({"update_expression"}),
    swaps={**BRACED_SWAPS, **swapped("=== !=="), "**": "*"},
    conditions={
        "if_statement": "condition",
        "while_statement": "condition",
        "do_statement": "condition",
        "ternary_expression": "condition",
    },
    numbers=frozenset({"number"}),
    strings=frozenset({"string", "template_string"}),
    contents=frozenset({"string_fragment"}),
    fixed_texts=frozenset({"import_statement", "export_statement"}),
    labels=frozenset({"labeled_statement", "switch_case", "switch_default"}),
    arguments=frozenset({"arguments"}),
    fixed_arguments=frozenset({"spread_element"}),
    droppable=frozenset({"expression_statement", "continue_statement", "break_statement"}),
    needed=frozenset({"throw_statement", "return_statement"}),
    idle=frozenset({"string", "identifier"}),
)
_WRITING = Writing(
    braced_functions("function {0}({1})", "const ", "  "), re.compile(r"function \w+\(")
)


JAVASCRIPT = Language(
    name="javascript",
    title="JavaScript",
    aliases=("js", "jsx", "ecmascript", "node"),
    suffixes=(".js", ".jsx", ".mjs", ".cjs"),
    prelude=frozenset(_PRELUDE.split()),
    lowering=JAVASCRIPT_LOWERING,
    rewriting=JAVASCRIPT_REWRITING,
    writing=_WRITING,
    lexical=JAVASCRIPT_LEXICAL,
    fragments=Fragments(
        functions=JAVASCRIPT_FUNCTIONS,
        wrappers=JAVASCRIPT_WRAPPERS,
        blocks=frozenset({"statement_block"}),
        declarations=frozenset({"class_declaration", "class"}),
    ),
    grammars=(
        Grammar(
            distribution="tree-sitter-javascript",
            entry="language",
            classes=JAVASCRIPT_CLASSES,
            atoms=JAVASCRIPT_ATOMS,
            numeric=frozenset({"number"}),
            split=frozenset({"jsx_text"}),
        ),
    ),
)
