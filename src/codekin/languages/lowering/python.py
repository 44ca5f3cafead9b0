"""What Python's syntax does."""

from codekin.languages.lowering.rules import Effect, LoweringTable, Rule, rule

__all__ = ["PYTHON_LOWERING"]

_SKIP = rule("skip")

_EXPRESSIONS: dict[str, Rule] = {
    "identifier": rule("name"),
    "integer": rule("literal", "number"),
    "float": rule("literal", "number"),
    "string": rule("literal", "string", items="<interpolation>"),
    "concatenated_string": rule("literal", "string", items="<string>"),
    "interpolation": rule("expression"),
    "format_specifier": rule("expression"),
    "format_expression": rule("expression", value="expression"),
    "true": rule("literal", "true"),
    "false": rule("literal", "false"),
    "none": rule("literal", "null"),
    "ellipsis": rule("literal", "null"),
    "parenthesized_expression": rule("expression"),
    "binary_operator": rule("binary", left="left", operator="operator", right="right"),
    "boolean_operator": rule("binary", left="left", operator="operator", right="right"),
    "comparison_operator": rule("chain"),
    "unary_operator": rule("unary", operator="operator", value="argument"),
    "not_operator": rule("unary", label="not", value="argument"),
    "attribute": rule("member", object="object", name="attribute"),
    "subscript": rule("index", object="value", right="subscript"),
    "slice": rule("operation", label="slice"),
    "call": rule("call", function="function", arguments="arguments"),
    "argument_list": rule("sequence"),
    "keyword_argument": rule("pair", name="name", value="value"),
    "list_splat": rule("spread"),
    "dictionary_splat": rule("spread"),
    "parenthesized_list_splat": rule("spread"),
    "list_splat_pattern": rule("spread", "varargs"),
    "dictionary_splat_pattern": rule("spread", "varargs"),
    "list": rule("operation", "each", label="list"),
    "tuple": rule("operation", "each", label="tuple"),
    "expression_list": rule("operation", "each", label="tuple"),
    "pattern_list": rule("pattern", "each"),
    "tuple_pattern": rule("pattern", "each"),
    "list_pattern": rule("pattern", "each"),
    "set": rule("operation", label="set"),
    "dictionary": rule("operation", label="dict"),
    "pair": rule("expression"),
    "list_comprehension": rule("comprehension", label="list", body="body", items="*"),
    "set_comprehension": rule("comprehension", label="set", body="body", items="*"),
    "dictionary_comprehension": rule("comprehension", label="dict", body="body", items="*"),
    "generator_expression": rule("comprehension", label="list", body="body", items="*"),
    "for_in_clause": rule("for_clause", left="left", right="right"),
    "if_clause": rule("if_clause", condition="0"),
    "conditional_expression": rule("conditional", body="0", condition="1", otherwise="2"),
    "named_expression": rule("assign", left="name", right="value"),
    "lambda": rule("function", "lambda", parameters="parameters", body="body"),
    "await": rule("operation", label="await"),
    "yield": rule("operation", label="yield"),
    "type_conversion": _SKIP,
}

_STATEMENTS: dict[str, Rule] = {
    "module": rule("sequence"),
    "block": rule("sequence"),
    "expression_statement": rule("expression"),
    "assignment": rule("assign", left="left", right="right", type="type"),
    "augmented_assignment": rule("assign", left="left", operator="operator", right="right"),
    "if_statement": rule("if", condition="condition", body="consequence", otherwise="alternative"),
    "elif_clause": rule("if", "each", condition="condition", body="consequence"),
    "else_clause": rule("sequence", items="body"),
    "while_statement": rule("while", condition="condition", body="body", otherwise="alternative"),
    "for_statement": rule(
        "for_each", left="left", right="right", body="body", otherwise="alternative"
    ),
    "match_statement": rule("switch", value="subject", body="body"),
    "case_clause": rule(
        "case", "pattern", left="<case_pattern>", guard="guard", body="consequence"
    ),
    "case_pattern": rule("pattern", "expression"),
    "union_pattern": rule("pattern"),
    "dotted_name": rule("pattern", "expression value"),
    "complex_pattern": rule("literal", "number"),
    "class_pattern": rule("pattern", items="<case_pattern>"),
    "keyword_pattern": rule("pattern", items="-1"),
    "splat_pattern": rule("pattern"),
    "as_pattern": rule("pattern", value="0", left="alias"),
    "as_pattern_target": rule("pattern"),
    "dict_pattern": rule("pattern", name="key", items="*"),
    "try_statement": rule(
        "try",
        body="body",
        handlers="<except_clause> <except_group_clause>",
        otherwise="<else_clause>",
        **{"finally": "<finally_clause>"},
    ),
    "except_clause": rule("catch", "expression", type="value", body="<block>"),
    "except_group_clause": rule("catch", "expression", type="value", body="<block>"),
    "finally_clause": rule("sequence"),
    "with_statement": rule("with", items="<with_clause>", body="body"),
    "with_clause": rule("pattern"),
    "with_item": rule("with_item", value="value"),
    "return_statement": rule("return"),
    "break_statement": rule("break"),
    "continue_statement": rule("continue"),
    "raise_statement": rule("throw"),
    "assert_statement": rule("assert", condition="0", value="1"),
    "delete_statement": rule("update", label="del", value="0"),
    "pass_statement": _SKIP,
    "global_statement": rule("global"),
    "nonlocal_statement": rule("nonlocal"),
    "function_definition": rule("function", name="name", parameters="parameters", body="body"),
    "class_definition": rule("class", name="name", bases="superclasses", body="body"),
    "decorated_definition": rule("sequence", guard="<decorator>"),
    "decorator": rule("expression"),
    "default_parameter": rule("parameter", name="name", value="value"),
    "typed_parameter": rule("parameter", name="0", type="type"),
    "typed_default_parameter": rule("parameter", name="name", value="value", type="type"),
    "keyword_separator": _SKIP,
    "positional_separator": _SKIP,
    "import_statement": rule("import", "binds target", items="name"),
    "import_from_statement": rule("import", "binds", items="name"),
    "future_import_statement": rule("import"),
    "aliased_import": rule("pattern", left="alias"),
    "parameters": rule("sequence"),
    "lambda_parameters": rule("sequence"),
    "chevron": rule("expression"),
    "type": _SKIP,
    "type_alias_statement": _SKIP,
    "comment": rule("comment"),
    "line_continuation": rule("comment"),
    "print_statement": rule("operation", label="print"),
    "exec_statement": rule("operation", label="exec"),
}

# Parts of strings, imports and types: nothing of their own.
_SILENT = """
    escape_sequence escape_interpolation string_start string_content string_end import_prefix
    relative_import wildcard_import type_parameter splat_type generic_type union_type
    constrained_type member_type
"""

_OPERATORS = {
    "and": "&&",
    "or": "||",
    "not": "!",
    "is": "==",
    "is not": "!=",
    "<>": "!=",
    "unary -": "neg",
    "unary +": "pos",
    "unary not": "!",
}

_CHANGES_RECEIVER = """
    sort reverse clear remove discard popitem rotate seek write writelines close flush truncate
    read readline readlines acquire release put start join_thread seed
    intersection_update difference_update symmetric_difference_update subtract
"""
_HOLDS = "append add insert extend appendleft extendleft update __setitem__"
_TAKES = "pop popleft"
_PURE = """
    len range print int str float bool sum abs any all round divmod pow ord chr hex bin oct repr
    hash id type isinstance issubclass hasattr format input open callable vars dir bytes bytearray
    complex object super property staticmethod classmethod slice memoryview ascii locals globals
    split rsplit join strip lstrip rstrip replace find rfind index rindex count startswith endswith
    lower upper title capitalize casefold swapcase isdigit isalpha isalnum isspace islower isupper
    isnumeric isdecimal isidentifier zfill center ljust rjust encode decode translate maketrans
    removeprefix removesuffix expandtabs splitlines partition rpartition format_map
    issubset issuperset isdisjoint bit_length bit_count to_bytes from_bytes as_integer_ratio
    gcd lcm sqrt isqrt floor ceil log log2 log10 exp sin cos tan atan atan2 hypot factorial comb
    perm fabs fmod trunc radians degrees dist prod isclose
    bisect bisect_left bisect_right lru_cache cache wraps partial reduce cmp_to_key itemgetter
    attrgetter Counter randint random choice uniform randrange sample perf_counter time
    defaultdict compile match search fullmatch findall finditer sub loads dumps
"""
_JOINED = "enumerate zip reversed iter filter chain cycle islice groupby pairwise zip_longest next"
_COPIED = """
    list tuple set frozenset dict sorted map deque OrderedDict copy accumulate permutations
    combinations combinations_with_replacement product repeat union intersection difference
    symmetric_difference most_common elements min max nlargest nsmallest getattr
"""
_CHANGES_FIRST = """
    setattr delattr shuffle heapify heappush heappop heapreplace heappushpop insort insort_left
    insort_right readinto
"""

_EFFECTS: dict[str, Effect] = {
    **{name: Effect() for name in _PURE.split()},
    **{name: Effect(result="joined") for name in _JOINED.split()},
    **{name: Effect(result="copy") for name in _COPIED.split()},
    **{name: Effect(receiver=True) for name in _CHANGES_RECEIVER.split()},
    **{name: Effect(receiver=True, kept=(-1,)) for name in _HOLDS.split()},
    **{name: Effect(receiver=True, result="element") for name in _TAKES.split()},
    **{name: Effect(changed=(0,)) for name in _CHANGES_FIRST.split()},
    **dict.fromkeys(["items", "values", "keys"], Effect(result="same")),
    "setdefault": Effect(receiver=True, kept=(1,), result="element"),
    "get": Effect(result="element"),
    "next": Effect(changed=(0,), result="joined"),
    "deepcopy": Effect(),
    "exit": Effect(ends=True),
    "quit": Effect(ends=True),
    "_exit": Effect(ends=True),
    "abort": Effect(ends=True),
}

PYTHON_LOWERING = LoweringTable(
    rules=_EXPRESSIONS | _STATEMENTS | dict.fromkeys(_SILENT.split(), _SKIP),
    operators=_OPERATORS,
    effects=_EFFECTS,
    first_receiver=True,
    assignment_declares=True,
    class_scope=False,
    primitives=frozenset({"int", "float", "bool", "str", "bytes", "complex", "None"}),
    quiet=frozenset({"sys.stdin", "sys.stdout", "sys.stderr"}),
    raising=frozenset({"call", "index", "member", "/", "%", "//"}),
    constructors=frozenset({"__init__"}),
)
