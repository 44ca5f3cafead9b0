"""Rust, on tree-sitter-rust."""

from codekin.languages.language import Fragments, Grammar, Language
from codekin.languages.lexical import BlockComment, Lexical, StringForm
from codekin.languages.lowering_rules import Effect, LoweringTable, Rule, rule
from codekin.languages.token_classes import TokenClass

__all__ = ["RUST"]

_PRELUDE = """
    main i32 i64 u8 u32 u64 usize isize f64 bool char str String Vec Option Some None Ok Err Result
    Self self println vec iter collect unwrap len std
"""

_RESERVED_WORDS = """
    Self as async await break const continue crate dyn else enum extern false fn for if
    impl in let loop match mod move mut pub ref return self static struct super trait true
    type unsafe use where while
"""

_LEXICAL = Lexical(
    reserved=frozenset(_RESERVED_WORDS.split()),
    imports=frozenset({"use"}),
    line_comments=("//", "#!/"),
    block_comments=(BlockComment("/*", "*/", nested=True),),
    strings=(
        StringForm('"', prefixes=("", "b", "c"), multiline=True),
        StringForm("'", prefixes=("b",)),
    ),
    operators=("..= ... <<= >>= .. -> => :: << >> <= >= == != && || += -= *= /= %= &= |= ^="),
    letters="",
    sigils="$",
    leading_point=False,
    hashed_strings=True,
    lifetimes=True,
)


# What the syntax does, for semantic graphs.

_SKIP = rule("skip")

_EXPRESSIONS: dict[str, Rule] = {
    "identifier": rule("name"),
    "shorthand_field_identifier": rule("name"),
    "field_identifier": rule("name"),
    "self": rule("name"),
    "super": _SKIP,
    "crate": _SKIP,
    "metavariable": rule("name"),
    "scoped_identifier": rule("name", object="path", name="name"),
    "integer_literal": rule("literal", "number"),
    "float_literal": rule("literal", "number"),
    "negative_literal": rule("literal", "number"),
    "char_literal": rule("literal", "string"),
    "string_literal": rule("literal", "string"),
    "raw_string_literal": rule("literal", "string"),
    "boolean_literal": rule("literal", "true false"),
    "unit_expression": rule("literal", "null"),
    "parenthesized_expression": rule("expression"),
    "binary_expression": rule("binary", left="left", operator="operator", right="right"),
    "unary_expression": rule("unary", operator="<-> <*> <!>", value="0"),
    "reference_expression": rule("address", operator="<mutable_specifier>", value="value"),
    "assignment_expression": rule("assign", left="left", right="right"),
    "compound_assignment_expr": rule("assign", left="left", operator="operator", right="right"),
    "type_cast_expression": rule("unary", label="cast", value="value"),
    "try_expression": rule("propagate", value="0"),
    "await_expression": rule("operation", label="await"),
    "yield_expression": rule("operation", label="yield"),
    "field_expression": rule("member", object="value", name="field"),
    "index_expression": rule("index", object="0", right="1"),
    "range_expression": rule("operation", label="range"),
    "call_expression": rule("call", function="function", arguments="arguments"),
    "generic_function": rule("expression", function="function", value="function"),
    "arguments": rule("sequence"),
    "tuple_expression": rule("operation", "each", label="tuple"),
    "array_expression": rule("operation", "each", label="list"),
    "struct_expression": rule("operation", label="new", type="name", items="body"),
    "field_initializer_list": rule("expression"),
    "shorthand_field_initializer": rule("expression", value="<identifier>"),
    "field_initializer": rule("pair", name="field", value="value"),
    "base_field_initializer": rule("spread"),
    "closure_expression": rule("function", "lambda value", parameters="parameters", body="body"),
    "macro_invocation": rule("macro", name="macro", arguments="<token_tree>"),
    "token_tree": _SKIP,
    "let_condition": rule("let", left="pattern", value="value"),
    "let_chain": rule("chain", label="&&"),
    "if_expression": rule(
        "if", "value", condition="condition", body="consequence", otherwise="alternative"
    ),
    "else_clause": rule("sequence", "value"),
    "match_expression": rule("switch", "value", value="value", body="body"),
    "match_block": rule("sequence"),
    "match_arm": rule("case", "pattern", left="pattern", body="value"),
    "match_pattern": rule("case", "pattern", left="0", guard="condition"),
    "while_expression": rule("while", label="<label>", condition="condition", body="body"),
    "loop_expression": rule("loop", label="<label>", body="body"),
    "for_expression": rule(
        "for_each", "declares", label="<label>", left="pattern", right="value", body="body"
    ),
    "block": rule("sequence", "scope value", label="<label>", items="*"),
    "unsafe_block": rule("expression", value="<block>"),
    "const_block": rule("expression", value="body"),
    "try_block": rule("function", "lambda value", body="<block>"),
    "async_block": rule("function", "lambda value", body="<block>"),
    "gen_block": rule("function", "lambda value", body="<block>"),
    "return_expression": rule("return"),
    "break_expression": rule("break", label="<label>", value="*"),
    "continue_expression": rule("continue", label="<label>"),
    "label": _SKIP,
    "lifetime": _SKIP,
}

_PATTERNS: dict[str, Rule] = {
    "tuple_pattern": rule("pattern", "each"),
    "slice_pattern": rule("pattern"),
    "tuple_struct_pattern": rule("pattern", type="type", items="*"),
    "struct_pattern": rule("pattern", type="type", items="*"),
    "field_pattern": rule("pattern", items="pattern name"),
    "captured_pattern": rule("pattern"),
    "or_pattern": rule("pattern"),
    "ref_pattern": rule("pattern"),
    "mut_pattern": rule("pattern"),
    "reference_pattern": rule("pattern"),
    "range_pattern": rule("pattern"),
    "generic_pattern": rule("pattern"),
    "remaining_field_pattern": _SKIP,
    "mutable_specifier": _SKIP,
}

_STATEMENTS: dict[str, Rule] = {
    "source_file": rule("sequence"),
    "expression_statement": rule("expression", otherwise="<;>"),
    "let_declaration": rule(
        "declare", left="pattern", value="value", type="type", otherwise="alternative"
    ),
    "const_item": rule("declare", left="name", value="value", type="type"),
    "static_item": rule("declare", left="name", value="value", type="type"),
    "empty_statement": _SKIP,
    "use_declaration": rule("import"),
    "extern_crate_declaration": rule("import"),
    "mod_item": rule("sequence", items="body"),
    "foreign_mod_item": _SKIP,
    "declaration_list": rule("sequence"),
    "function_item": rule(
        "function",
        "value static",
        name="name",
        parameters="parameters",
        body="body",
        type="return_type",
    ),
    "function_signature_item": _SKIP,
    "parameters": rule("sequence"),
    "parameter": rule("parameter", name="pattern", type="type"),
    "self_parameter": rule("parameter", "receiver", name="<self>"),
    "variadic_parameter": rule("parameter", "varargs", name="pattern"),
    "closure_parameters": rule("sequence"),
    "struct_item": rule("class", name="name", body="body"),
    "union_item": rule("class", name="name", body="body"),
    "enum_item": rule("class", name="name"),
    "field_declaration_list": rule("sequence"),
    "field_declaration": rule("declare", left="name", type="type"),
    "impl_item": rule("class", name="type", bases="trait", body="body"),
    "trait_item": rule("class", name="name", body="body"),
    "macro_definition": _SKIP,
    "line_comment": rule("comment"),
    "block_comment": rule("comment"),
    "shebang": rule("comment"),
    "attribute_item": rule("comment"),
    "inner_attribute_item": rule("comment"),
}

_TYPES = """
    type_identifier scoped_type_identifier primitive_type unit_type never_type tuple_type
    function_type abstract_type bounded_type type_arguments type_parameters type_parameter
    lifetime_parameter const_parameter type_binding trait_bounds where_clause where_predicate
    higher_ranked_trait_bound removed_trait_bound use_bounds for_lifetimes bracketed_type
    qualified_type generic_type_with_turbofish type_item associated_type visibility_modifier
    function_modifiers extern_modifier ordered_field_declaration_list enum_variant_list enum_variant
    fragment_specifier attribute use_list use_as_clause use_wildcard scoped_use_list
    macro_rule token_tree_pattern token_binding_pattern token_repetition_pattern token_repetition
"""
_TYPE_RULES: dict[str, Rule] = {
    **dict.fromkeys(_TYPES.split(), _SKIP),
    "reference_type": rule("skip", name="type"),
    "pointer_type": rule("skip", name="type"),
    "generic_type": rule("skip", name="type"),
    "array_type": rule("skip", name="element"),
    "dynamic_type": rule("skip", name="trait"),
    "scoped_type_identifier": rule("skip", name="name"),
}

_OPERATORS = {
    "unary -": "neg",
    "unary *": "deref",
    "vec!": "list",
    "format!": "format",
}

_PURE = """
    len is_empty contains contains_key starts_with ends_with first last iter chars bytes
    char_indices lines split split_whitespace splitn rsplit trim trim_start trim_end trim_matches
    to_string to_owned to_vec to_lowercase to_uppercase to_ascii_lowercase to_ascii_uppercase
    clone cloned copied collect map filter filter_map flat_map flatten fold sum product min max
    min_by max_by min_by_key max_by_key count rev enumerate zip take skip step_by chain windows
    chunks any all find position take_while skip_while scan peekable cycle dedup_by inspect
    for_each partition unzip reduce cmp partial_cmp eq ne lt gt le ge is_some is_none is_ok is_err
    and_then or_else map_err ok err ok_or ok_or_else unwrap_or unwrap_or_else unwrap_or_default
    map_or map_or_else parse abs pow powi powf sqrt floor ceil round signum rem_euclid
    checked_add checked_sub checked_mul checked_div wrapping_add wrapping_sub wrapping_mul
    saturating_sub saturating_add saturating_mul overflowing_add leading_zeros trailing_zeros
    count_ones is_alphabetic is_numeric is_alphanumeric is_whitespace is_digit is_ascii_digit
    is_uppercase is_lowercase is_ascii_punctuation is_ascii_alphabetic to_digit to_i32 as_str
    as_bytes as_ref as_slice as_ptr new with_capacity from from_str from_utf8 from_utf8_lossy
    default into try_into try_from as_deref concat join repeat replace capacity keys values
    binary_search partition_point get_or_insert hash eprintln println print eprint write writeln
    assert assert_eq assert_ne debug_assert debug_assert_eq dbg matches Some Ok Err None Box Rc Arc
    stdin stdout args spawn from_digit from_u32 then then_some clamp exp ln log10 log2 sin cos
    total_cmp abs_diff isqrt read_to_string elapsed now union intersection difference is_subset
    symmetric_difference sort_unstable_by_cached max_value min_value drop from_iter repeat_n once
    rposition nth_back format_args include_str env load downcast_ref is_sorted
    split_ascii_whitespace is_ascii_lowercase is_ascii_uppercase
"""
_CHANGES_RECEIVER = """
    sort sort_by sort_by_key sort_unstable sort_unstable_by sort_unstable_by_key reverse clear
    truncate retain dedup dedup_by_key rotate_left rotate_right fill shuffle swap shrink_to_fit
    resize reserve push_str insert_str make_ascii_lowercase make_ascii_uppercase write_all flush
    split_off copy_from_slice clone_from store fetch_add fetch_sub
"""
_HOLDING = "push push_back push_front insert extend set send"
_TAKING = """
    pop pop_front pop_back remove swap_remove drain next next_back nth pop_first pop_last recv
"""
_PASSING = """
    iter into_iter unwrap expect as_ref as_mut borrow borrow_mut lock read entry and_modify by_ref
    as_mut_slice deref_mut get_or_insert_with zip rev enumerate skip take_while step_by chain
    peekable filter
"""
_PLACES = """
    iter_mut get_mut last_mut first_mut values_mut chunks_mut or_insert or_insert_with or_default
    front_mut back_mut split_at_mut peek_mut
"""
_ELEMENTS = "get first last front back peek values"
_HOLDS = Effect(receiver=True, kept=(-1,))
_TAKEN = Effect(receiver=True, result="element")
_SAME = Effect(result="same")
_PLACE = Effect(result="place")

_EFFECTS: dict[str, Effect] = {
    **{name: Effect() for name in _PURE.split()},
    **{name: Effect(receiver=True) for name in _CHANGES_RECEIVER.split()},
    **dict.fromkeys(_HOLDING.split(), _HOLDS),
    **dict.fromkeys(_TAKING.split(), _TAKEN),
    **dict.fromkeys(_PASSING.split(), _SAME),
    **dict.fromkeys(_PLACES.split(), _PLACE),
    **dict.fromkeys(_ELEMENTS.split(), Effect(result="element")),
    ".take/1": _SAME,
    ".replace/2": Effect(),
    ".chain/1": _SAME,
    ".skip/1": _SAME,
    ".swap": Effect(receiver=True),
    "swap": Effect(changed=(0, 1)),
    "replace": Effect(changed=(0,)),
    ".replace": _TAKEN,
    "take": Effect(changed=(0,)),
    ".take": _TAKEN,
    "append": Effect(receiver=True, changed=(0,)),
    "read_line": Effect(changed=(0,)),
    "read_to_string": Effect(changed=(0,)),
    "panic": Effect(ends=True),
    "unreachable": Effect(ends=True),
    "unimplemented": Effect(ends=True),
    "todo": Effect(ends=True),
    "exit": Effect(ends=True),
    "abort": Effect(ends=True),
}

_PATHS = """
    std core alloc mem cmp process iter fmt io env fs thread time collections rc cell sync char str
    string i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 ptr slice ops rand
"""

_LOWERING = LoweringTable(
    rules=_EXPRESSIONS | _PATTERNS | _STATEMENTS | _TYPE_RULES,
    operators=_OPERATORS,
    effects=_EFFECTS,
    receivers=frozenset({"self"}),
    class_scope=False,
    raising=frozenset(),
    quiet=frozenset(_PATHS.split()),
    declared_first=True,
    shadowing=True,
    capital_constants=True,
)


RUST = Language(
    name="rust",
    title="Rust",
    aliases=("rs",),
    suffixes=(".rs",),
    prelude=frozenset(_PRELUDE.split()),
    lowering=_LOWERING,
    lexical=_LEXICAL,
    fragments=Fragments(
        functions=frozenset({"function_item"}),
        blocks=frozenset({"block"}),
        declarations=frozenset(
            {
                "struct_item",
                "enum_item",
                "union_item",
                "trait_item",
                "impl_item",
                "function_signature_item",
            }
        ),
    ),
    grammars=(
        Grammar(
            distribution="tree-sitter-rust",
            entry="language",
            classes={
                "self": TokenClass.KEYWORD,
                "super": TokenClass.KEYWORD,
                "crate": TokenClass.KEYWORD,
                "mutable_specifier": TokenClass.KEYWORD,
                "visibility_modifier": TokenClass.KEYWORD,
                "lifetime": TokenClass.IDENTIFIER,
                "label": TokenClass.IDENTIFIER,
                "metavariable": TokenClass.IDENTIFIER,
                "primitive_type": TokenClass.TYPE,
                "never_type": TokenClass.TYPE,
                "fragment_specifier": TokenClass.TYPE,
                "integer_literal": TokenClass.INTEGER,
                "float_literal": TokenClass.FLOAT,
                "string_literal": TokenClass.STRING,
                "raw_string_literal": TokenClass.STRING,
                "char_literal": TokenClass.CHARACTER,
                "boolean_literal": TokenClass.BOOLEAN,
                "remaining_field_pattern": TokenClass.OPERATOR,
                "line_comment": TokenClass.COMMENT,
                "block_comment": TokenClass.COMMENT,
                "shebang": TokenClass.COMMENT,
            },
            atoms=frozenset(
                {
                    "string_literal",
                    "raw_string_literal",
                    "char_literal",
                    "boolean_literal",
                    "lifetime",
                    "label",
                    "line_comment",
                    "block_comment",
                }
            ),
        ),
    ),
)
