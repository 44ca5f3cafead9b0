"""C++, on tree-sitter-cpp."""

from dataclasses import replace
from functools import cached_property
from typing import ClassVar

from codekin.languages.c import (
    C_ATOMS,
    C_CLASSES,
    C_LEXICAL,
    C_LOWERING,
    C_RESERVED,
    C_REWRITING,
    C_WRITING,
    CNames,
    CScopes,
)
from codekin.languages.language import Fragments, Grammar, Language
from codekin.languages.lowering_rules import Effect, LoweringTable, Rule, rule
from codekin.languages.name_roles import Mention, NameRole, NameScope
from codekin.languages.syntax import Syntax
from codekin.languages.token_classes import TokenClass

__all__ = ["CPP"]

_KEYWORDS = """
    class const_cast delete dynamic_cast explicit friend mutable namespace new noexcept operator
    private protected public reinterpret_cast static_cast template this throw try typename using
    virtual
"""
_RESERVED = {
    **dict.fromkeys(_KEYWORDS.split(), TokenClass.KEYWORD),
    "bool": TokenClass.TYPE,
    "true": TokenClass.BOOLEAN,
    "false": TokenClass.BOOLEAN,
    "nullptr": TokenClass.NULL,
}

_PRELUDE = """
    int char long float double void unsigned size_t bool string std vector map set pair queue
    stack cin cout endl printf scanf strlen strcmp memset sort push_back size begin end main
    iostream algorithm
"""


# What the syntax does, for semantic graphs.

_SKIP = rule("skip")
_CLASS = rule("class", name="name", bases="<base_class_clause>", body="body")

_EXPRESSIONS: dict[str, Rule] = {
    "this": rule("name"),
    "qualified_identifier": rule("name", name="name", object="scope"),
    "template_function": rule("name", name="name"),
    "template_method": rule("name", name="name"),
    "dependent_name": rule("name", name="0"),
    "raw_string_literal": rule("literal", "string"),
    "user_defined_literal": rule("literal"),
    "subscript_expression": rule("index", object="argument", right="indices"),
    "subscript_argument_list": rule("expression"),
    "new_expression": rule("new", type="type", arguments="arguments declarator"),
    "new_declarator": rule("expression"),
    "delete_expression": rule("operation", label="delete"),
    "co_await_expression": rule("operation", label="await"),
    "co_yield_statement": rule("operation", label="yield"),
    "fold_expression": rule("binary", left="left", operator="operator", right="right"),
    "parameter_pack_expansion": rule("spread", value="pattern"),
    "lambda_expression": rule(
        "function", "lambda", name="declarator", init="captures", body="body"
    ),
    "lambda_capture_specifier": rule("sequence", items="<lambda_capture_initializer>"),
    "lambda_capture_initializer": rule("assign", "declares", left="left", right="right"),
    "condition_clause": rule("sequence", "value"),
}

_DECLARATIONS: dict[str, Rule] = {
    "declaration": rule(
        "declaration",
        items="declarator",
        type="type",
        value="value default_value",
        guard="<storage_class_specifier>",
    ),
    "field_declaration": rule(
        "declaration", items="declarator", type="type", value="default_value"
    ),
    "field_declaration_list": rule("sequence"),
    "class_specifier": _CLASS,
    "struct_specifier": _CLASS,
    "union_specifier": _CLASS,
    "type_definition": rule("expression", value="type"),
    "template_type": rule("skip", name="name"),
    "auto": rule("skip", "default"),
    "placeholder_type_specifier": rule("skip", "default"),
    "decltype": rule("skip", "default"),
    "reference_declarator": rule("declarator", "reference", name="0"),
    "abstract_reference_declarator": rule("declarator", "reference", name="0"),
    "variadic_declarator": rule("declarator", name="0"),
    "structured_binding_declarator": rule("pattern"),
    "function_definition": rule(
        "function",
        name="declarator",
        type="type",
        init="<field_initializer_list>",
        body="body <try_statement>",
        guard="<storage_class_specifier>",
    ),
    "operator_cast": rule("declarator", name="type", parameters="declarator"),
    "operator_name": rule("name"),
    "destructor_name": rule("name"),
    "field_initializer_list": rule("sequence"),
    "field_initializer": rule(
        "declare", "initializer", left="0", value="<argument_list> <initializer_list>"
    ),
    "optional_parameter_declaration": rule(
        "parameter", name="declarator", value="default_value", type="type"
    ),
    "variadic_parameter_declaration": rule("parameter", "varargs", name="declarator", type="type"),
    "template_declaration": rule("sequence", parameters="parameters", items="*"),
    "friend_declaration": rule("sequence"),
    "namespace_definition": rule("sequence", items="body"),
}

_STATEMENTS: dict[str, Rule] = {
    "translation_unit": rule("sequence"),
    "init_statement": rule("sequence"),
    "for_range_loop": rule(
        "for_each",
        "declares",
        init="initializer",
        left="declarator",
        right="right",
        body="body",
        type="type",
    ),
    "try_statement": rule("try", body="body", handlers="<catch_clause>"),
    "catch_clause": rule("catch", left="parameters", body="body"),
    "throw_statement": rule("throw"),
    "co_return_statement": rule("return"),
}

_NOTHING = """
    access_specifier alias_declaration base_class_clause compound_requirement concept_definition
    constraint_conjunction constraint_disjunction default_method_clause delete_method_clause
    dependent_type explicit_function_specifier lambda_default_capture literal_suffix
    namespace_alias_definition namespace_identifier nested_namespace_specifier noexcept
    optional_type_parameter_declaration pointer_type_declarator pure_virtual_clause
    raw_string_content raw_string_delimiter ref_qualifier requirement_seq requires_clause
    requires_expression simple_requirement static_assert_declaration template_argument_list
    template_instantiation template_parameter_list template_template_parameter_declaration
    throw_specifier trailing_return_type type_parameter_declaration type_requirement
    using_declaration variadic_type_parameter_declaration virtual_specifier
"""

_OPERATORS = {
    **C_LOWERING.operators,
    "and": "&&",
    "or": "||",
    "not": "!",
    "not_eq": "!=",
    "bitand": "&",
    "bitor": "|",
    "xor": "^",
    "compl": "~",
    "and_eq": "&=",
    "or_eq": "|=",
    "xor_eq": "^=",
    "static_cast": "cast",
    "dynamic_cast": "cast",
    "const_cast": "cast",
    "reinterpret_cast": "cast",
}

# Copies of these share no state with the original.
_VALUES = """
    string vector map set multiset multimap unordered_map unordered_set unordered_multiset
    unordered_multimap deque queue stack priority_queue list pair array bitset tuple complex
    str vi vll vvi pii pll wstring
"""

_PURE = """
    size length empty count substr compare contains to_string stoi stol stoll stod stof min max
    minmax gcd lcm __gcd accumulate binary_search count_if all_of any_of none_of equal distance
    make_pair make_tuple make_unique make_shared str good fail eof is_open capacity max_size
    isdigit setprecision setw setfill sync_with_stdio precision width inner_product popcount
    __builtin_popcount __builtin_popcountll __builtin_clz __builtin_ctz test any all none to_ulong
    to_ullong is_sorted find_first_of find_last_of find_first_not_of find_last_not_of rfind
    starts_with ends_with what has_value hash less greater numeric_limits lexicographical_compare
    mismatch search use_count key_comp c_str is_permutation includes max_load_factor load_factor
"""
_SAME = """
    begin end rbegin rend cbegin cend crbegin crend lower_bound upper_bound equal_range find find_if
    find_if_not min_element max_element minmax_element next prev data get move forward ref cref
    back_inserter front_inserter inserter reverse_iterator partition_point adjacent_find
"""
_HOLDS = """
    push_back push push_front emplace emplace_back emplace_front insert append assign
    try_emplace insert_or_assign
"""
_CHANGES_RECEIVER = """
    erase clear resize reserve pop pop_back pop_front reset release flip set shrink_to_fit open
    close splice put write seekg seekp unget ignore rehash extract sort reverse unique merge remove
    remove_if replace fill swap
"""
_CHANGES_FIRST = """
    sort stable_sort reverse fill fill_n iota random_shuffle shuffle rotate next_permutation
    prev_permutation partial_sort nth_element unique remove remove_if replace replace_if generate
    generate_n inplace_merge make_heap push_heap pop_heap sort_heap partition stable_partition
    erase erase_if for_each swap_ranges
"""

_EFFECTS: dict[str, Effect] = {
    **C_LOWERING.effects,
    **dict.fromkeys(_PURE.split(), Effect()),
    **dict.fromkeys(_SAME.split(), Effect(result="same")),
    **dict.fromkeys(_CHANGES_FIRST.split(), Effect(changed=(0,), result="same")),
    **{f".{name}": Effect(receiver=True) for name in _CHANGES_RECEIVER.split()},
    **{f".{name}": Effect(receiver=True, kept=(-1,)) for name in _HOLDS.split()},
    **dict.fromkeys(["front", "back", "top", "at", "value"], Effect(result="element")),
    ".insert": Effect(receiver=True, kept=(-1,), result="same"),
    ".erase": Effect(receiver=True, result="same"),
    ".swap": Effect(receiver=True, bound=(0,)),
    ".get": Effect(receiver=True, assigned=(0,), result="same"),
    ".getline": Effect(receiver=True, changed=(0,)),
    ".read": Effect(receiver=True, changed=(0,)),
    ".tie": Effect(),
    "get": Effect(result="element"),
    "tie": Effect(result="arguments"),
    "getline": Effect(changed=(0,), assigned=(1,)),
    "swap": Effect(bound=(0, 1)),
    "iter_swap": Effect(changed=(0, 1)),
    "exchange": Effect(bound=(0,)),
    "advance": Effect(bound=(0,)),
    **dict.fromkeys(
        ["copy", "copy_if", "transform", "partial_sum", "copy_n"], Effect(changed=(2,))
    ),
    **dict.fromkeys(
        ["merge", "set_union", "set_intersection", "set_difference"], Effect(changed=(4,))
    ),
    "terminate": Effect(ends=True),
}

# Objects, and types of objects, whose << writes and whose >> reads.
_STREAMS = {
    "cin": "cin",
    "cout": "cout",
    "cerr": "cerr",
    "clog": "cerr",
    ">>": "cin",
    "<<": "cout",
    "fin": "cin",
    "fout": "cout",
    **dict.fromkeys(["istream", "ifstream", "istringstream"], "cin"),
    **dict.fromkeys(["ostream", "ofstream", "ostringstream"], "cout"),
    **dict.fromkeys(["stringstream", "fstream", "iostream"], "cout"),
}

_LOWERING = LoweringTable(
    rules={
        **C_LOWERING.rules,
        **dict.fromkeys(_NOTHING.split(), _SKIP),
        **_EXPRESSIONS,
        **_DECLARATIONS,
        **_STATEMENTS,
    },
    operators=_OPERATORS,
    effects=_EFFECTS,
    receivers=frozenset({"this"}),
    streams=_STREAMS,
    primitives=C_LOWERING.primitives,
    values=frozenset(_VALUES.split()),
    raising=frozenset({"call"}),
    wildcard="",
    pointer_arithmetic=True,
    declared_first=True,
    references=True,
    parts=frozenset({"->first", "->second"}),
)


class CppScopes(CScopes):
    """Reads a function or a lambda."""

    opens: ClassVar = {
        **CScopes.opens,
        "lambda_expression": "function",
        "for_range_loop": "block",
        "catch_clause": "block",
    }


# What names name.

_TYPE_PARAMETERS = {
    "type_parameter_declaration",
    "optional_type_parameter_declaration",
    "variadic_type_parameter_declaration",
    "template_template_parameter_declaration",
}
_CASTS = frozenset({"static_cast", "dynamic_cast", "const_cast", "reinterpret_cast", "typeid"})
"""Keywords that the grammar reads as functions."""
_API = frozenset({"std"})
"""Namespaces whose names are those of a library."""


class CppNames(CNames):
    """Reads a program, a class or functions of C++."""

    opens: ClassVar = {
        **CNames.opens,
        **CppScopes.opens,
        "template_declaration": "block",
        "namespace_definition": "block",
    }
    names = CNames.names | {"namespace_identifier"}
    heads = CNames.heads | {"namespace_alias_definition"}
    imports = CNames.imports | {"using_declaration"}
    functions = CNames.functions | {"template_declaration"}

    def __init__(self, syntax: Syntax) -> None:
        super().__init__(syntax)
        self._namespaces: set[str] = set(_API)
        self._used: set[str] = set()
        self._using: list[Mention] = []
        self._scopes: list[Mention] = []

    def meet(self, node: int, scope: NameScope) -> None:
        """Record a name by its position."""
        syntax = self.syntax
        parent = syntax.parents[node]
        kind = syntax.kinds[parent]
        if syntax.text(node) in _CASTS:
            return
        if syntax.kinds[node] == "namespace_identifier":
            self._meet_namespace(node, kind, scope)
        elif kind == "using_declaration":
            self.add(node, NameRole.NAMESPACE, scope)
            self._namespaces.add(syntax.text(node))
        elif kind == "qualified_identifier" or (
            kind in {"template_function", "template_type"}
            and syntax.kinds[syntax.parents[parent]] == "qualified_identifier"
        ):
            self._meet_qualified(node, scope)
        elif kind == "template_function" and syntax.fields[node] == "name":
            self.call(node, scope)
        elif kind == "destructor_name":
            self._types_used.append(self.add(node, NameRole.TYPE, scope))
        elif kind == "field_initializer":
            self.member(node, scope)
        elif kind == "lambda_capture_initializer" and syntax.fields[node] == "left":
            self.declare(node, scope, node)
        elif kind == "template_method":
            self.add(node, NameRole.CALL, scope)
        elif kind == "concept_definition":
            self.declare_type(node, scope)
        else:
            super().meet(node, scope)

    def _meet_type(self, node: int, kind: str, field: str, scope: NameScope) -> None:
        if (kind == "alias_declaration" and field == "name") or (
            kind in _TYPE_PARAMETERS and field in {"", "name"}
        ):
            self.declare_type(node, scope)
        else:
            super()._meet_type(node, kind, field, scope)

    def _meet_namespace(self, node: int, kind: str, scope: NameScope) -> None:
        mention = self.add(node, NameRole.NAMESPACE, scope)
        if kind == "qualified_identifier":
            mention.fixed = self._is_api(node)
            self._scopes.append(mention)
        else:
            self._namespaces.add(mention.text)
            mention.declares = mention.declared = kind == "namespace_definition"

    def _meet_qualified(self, node: int, scope: NameScope) -> None:
        """Record a name after ``::``, or the template before one."""
        syntax = self.syntax
        outer = syntax.parents[node]
        if syntax.kinds[outer] != "qualified_identifier":
            outer = syntax.parents[outer]
        is_api = self._is_api(node)
        top = outer
        while syntax.kinds[syntax.parents[top]] == "qualified_identifier":
            top = syntax.parents[top]
        above = syntax.parents[top]
        if syntax.kinds[above] == "using_declaration":
            mention = self.add(node, NameRole.EXTERNAL, scope)
            self._used.add(mention.text)
            if not is_api:
                self._using.append(mention)
        elif syntax.kinds[node] == "type_identifier":
            mention = self.add(node, NameRole.TYPE, scope)
            mention.fixed = is_api
            if not is_api:
                self._types_used.append(mention)
        elif syntax.kinds[above] == "call_expression" and syntax.fields[top] == "function":
            self._meet_named_call(node, scope, is_api=is_api)
        elif self._climbed(top)[2] and syntax.fields[self._climbed(top)[0]] == "declarator":
            self._meet_function(node, scope)
        elif is_api:
            self.add(node, NameRole.EXTERNAL, scope)
        else:
            self.member(node, scope)

    def _meet_named_call(self, node: int, scope: NameScope, *, is_api: bool) -> None:
        mention = self.add(node, NameRole.CALL, scope)
        mention.fixed = is_api

    def _is_api(self, node: int) -> bool:
        """Whether a qualified name begins with the namespace of a library."""
        syntax = self.syntax
        top = syntax.parents[node]
        if syntax.kinds[top] != "qualified_identifier":
            top = syntax.parents[top]
        while syntax.kinds[syntax.parents[top]] == "qualified_identifier":
            top = syntax.parents[top]
        first = syntax.child(top, "scope")
        return first >= 0 and syntax.text(first) in _API

    def settle(self) -> None:
        """Decide by scope which names are variables, fields, types and namespaces."""
        for mention in self._members:
            if mention.text in self.types and self._initializes(mention):
                mention.role, mention.declared = NameRole.TYPE, True
        self._members = [one for one in self._members if one.role is NameRole.MEMBER]
        super().settle()
        for mention in self._members:
            qualified = self.syntax.kinds[mention.node] == "identifier"
            if mention.role is NameRole.MEMBER and qualified and self._is_declared(mention):
                mention.role, mention.declared = NameRole.VARIABLE, True
        for mention in self._scopes:
            if mention.text in self.types:
                mention.role, mention.declared = NameRole.TYPE, True
            elif mention.text not in self._namespaces and not mention.fixed:
                mention.role = NameRole.RECEIVER
        for mention in self._using:
            self._settle_using(mention)
        for mention in self.mentions:
            is_free = mention.role is NameRole.VARIABLE and not mention.declared
            if is_free and mention.text in self._used:
                mention.role = NameRole.EXTERNAL

    def _settle_using(self, mention: Mention) -> None:
        """``using geo::Point`` names what the text declares, if it does."""
        if mention.text in self.types:
            mention.role = NameRole.TYPE
        elif mention.text in self._declared_functions:
            mention.role = NameRole.FUNCTION
        elif self._is_declared(mention):
            mention.role = NameRole.VARIABLE
        mention.declared = mention.role is not NameRole.EXTERNAL

    def _settle_called_field(self, mention: Mention) -> None:
        """A field that holds a function, or a method of another class? Both keep the name."""
        if not self._is_foreign(mention):
            self.fixed.add(mention.text)

    def _settle_free(self, mention: Mention) -> None:
        """A free value may also be a variable of a namespace of the text."""
        if mention.text in self._namespace_variables:
            mention.declared = True
        else:
            super()._settle_free(mention)

    @cached_property
    def _namespace_variables(self) -> frozenset[str]:
        """The variables that namespaces of the text declare; once all of it was read."""
        return frozenset(
            name
            for name, places in self.declarations.items()
            if any(self.syntax.kinds[one.scope.node] == "namespace_definition" for one in places)
        )

    def _is_declared(self, mention: Mention) -> bool:
        """Whether the text declares a variable of a qualified name: ``Color::RED``."""
        return mention.text in self.declarations

    def _initializes(self, mention: Mention) -> bool:
        return self.syntax.kinds[self.syntax.parents[mention.node]] == "field_initializer"


_REWRITING = replace(
    C_REWRITING,
    scopes=CppScopes,
    blocks=C_REWRITING.blocks | {"field_declaration_list"},
    braces=C_REWRITING.braces | {"field_declaration_list", "declaration_list"},
    dead=(
        *C_REWRITING.dead,
        "if (false) {{ long {name} = {number}; (void) {name}; }}",
        "const bool {name} = false; (void) {name};",
    ),
    wrappers=C_REWRITING.wrappers | {"condition_clause"},
    raw_strings=frozenset({"raw_string_literal"}),
    needed=C_REWRITING.needed | {"throw_statement"},
    # << and >> are streams more often than shifts.
    swaps={k: v for k, v in C_REWRITING.swaps.items() if k not in {"<<", ">>"}},
)


_RESERVED_WORDS = """
    catch class co_await co_return co_yield const_cast constexpr decltype delete dynamic_cast
    explicit export friend mutable namespace new noexcept operator override private protected
    public reinterpret_cast static_assert static_cast template this throw try typename using
    virtual
"""

CPP = Language(
    name="cpp",
    title="C++",
    aliases=("c++", "cxx", "cc"),
    suffixes=(".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".ipp", ".tpp"),
    macros=True,
    prelude=frozenset(_PRELUDE.split()),
    lowering=_LOWERING,
    rewriting=_REWRITING,
    names=CppNames,
    writing=C_WRITING,
    lexical=replace(
        C_LEXICAL,
        reserved=C_LEXICAL.reserved | frozenset(_RESERVED_WORDS.split()),
        imports=frozenset({"using"}),
        operators=C_LEXICAL.operators + " <=> ->* .*",
        raw_strings=True,
        digit_separators=True,
    ),
    fragments=Fragments(
        functions=frozenset({"function_definition"}),
        wrappers=frozenset({"template_declaration"}),
        blocks=frozenset({"compound_statement"}),
        declarations=frozenset(
            {
                "class_specifier",
                "struct_specifier",
                "union_specifier",
                "enum_specifier",
                "type_definition",
                "alias_declaration",
                "declaration",
            }
        ),
    ),
    grammars=(
        Grammar(
            distribution="tree-sitter-cpp",
            entry="language",
            classes=C_CLASSES
            | {
                "this": TokenClass.KEYWORD,
                "auto": TokenClass.KEYWORD,
                "access_specifier": TokenClass.KEYWORD,
                "virtual_specifier": TokenClass.KEYWORD,
                "noexcept": TokenClass.KEYWORD,
                "literal_suffix": TokenClass.IDENTIFIER,
                "raw_string_literal": TokenClass.STRING,
                "lambda_default_capture": TokenClass.OPERATOR,
                "ref_qualifier": TokenClass.OPERATOR,
            },
            atoms=C_ATOMS | {"raw_string_literal"},
            numeric=frozenset({"number_literal"}),
            split=frozenset({"preproc_arg"}),
            reserved=C_RESERVED | _RESERVED,
        ),
    ),
)
