"""What Python's syntax does."""

from codekin.languages.lowering.rules import Effect, LoweringTable, Rule, rule

__all__ = ["PYTHON_LOWERING"]

_SKIP = rule("skip")

_EXPRESSIONS: dict[str, Rule] = {
    "identifier": rule("name"),
    "integer": rule("literal", "number"),
    "float": rule("literal", "number"),
    "string": rule("literal", "string", items="<interpolation>"),
    "concatenated_string": rule("literal", "string"),
    "interpolation": rule("expression", value="expression"),
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
    "list_splat_pattern": rule("spread"),
    "dictionary_splat_pattern": rule("spread"),
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
    "format_specifier": _SKIP,
}

_STATEMENTS: dict[str, Rule] = {
    "module": rule("sequence"),
    "block": rule("sequence"),
    "expression_statement": rule("expression"),
    "assignment": rule("assign", left="left", right="right"),
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
    "dotted_name": rule("name", name="-1"),
    "class_pattern": rule("pattern", items="<case_pattern>"),
    "keyword_pattern": rule("pattern", items="-1"),
    "splat_pattern": rule("pattern"),
    "as_pattern": rule("pattern"),
    "as_pattern_target": rule("pattern"),
    "dict_pattern": rule("pattern", items="value"),
    "try_statement": rule(
        "try",
        body="body",
        handlers="<except_clause> <except_group_clause>",
        otherwise="<else_clause>",
        **{"finally": "<finally_clause>"},
    ),
    "except_clause": rule("catch", type="value", left="alias", body="<block>"),
    "except_group_clause": rule("catch", type="value", left="alias", body="<block>"),
    "finally_clause": rule("sequence"),
    "with_statement": rule("with", items="<with_clause>", body="body"),
    "with_clause": rule("pattern"),
    "with_item": rule("with_item", value="value"),
    "return_statement": rule("return"),
    "break_statement": rule("break"),
    "continue_statement": rule("continue"),
    "raise_statement": rule("throw"),
    "assert_statement": rule("assert", condition="0", value="1"),
    "delete_statement": rule("operation", label="del"),
    "pass_statement": _SKIP,
    "global_statement": rule("global"),
    "nonlocal_statement": rule("nonlocal"),
    "function_definition": rule("function", name="name", parameters="parameters", body="body"),
    "class_definition": rule("class", name="name", bases="superclasses", body="body"),
    "decorated_definition": rule("sequence"),
    "decorator": rule("expression"),
    "default_parameter": rule("parameter", name="name", value="value"),
    "typed_parameter": rule("parameter", name="0", type="type"),
    "typed_default_parameter": rule("parameter", name="name", value="value", type="type"),
    "keyword_separator": _SKIP,
    "positional_separator": _SKIP,
    "import_statement": rule("import"),
    "import_from_statement": rule("import"),
    "future_import_statement": rule("import"),
    "type": _SKIP,
    "type_alias_statement": _SKIP,
    "comment": rule("comment"),
    "line_continuation": rule("comment"),
    "print_statement": rule("operation", label="print"),
    "exec_statement": rule("operation", label="exec"),
}

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
    sort reverse clear remove discard update popitem appendleft extendleft insert extend
    popleft rotate seek write writelines close
"""
_HOLDS = Effect(receiver=True, kept=(-1,))
_PURE = """
    len range print int str float bool list tuple set dict frozenset sorted reversed enumerate zip
    map filter min max sum abs any all round divmod pow ord chr hex bin oct repr hash id type
    isinstance issubclass hasattr getattr format input iter open callable vars dir
    split rsplit join strip lstrip rstrip replace find rfind index rindex count startswith endswith
    lower upper title capitalize isdigit isalpha isalnum isspace islower isupper zfill encode decode
    copy deepcopy items keys values issubset issuperset union intersection difference
    bit_length most_common format_map splitlines partition
    gcd lcm sqrt floor ceil log exp sin cos bisect bisect_left bisect_right
    accumulate permutations combinations product chain repeat cycle islice groupby reduce lru_cache
"""

_EFFECTS: dict[str, Effect] = {
    **{name: Effect() for name in _PURE.split()},
    **{name: Effect(receiver=True) for name in _CHANGES_RECEIVER.split()},
    **dict.fromkeys(["append", "add", "insert", "extend", "appendleft"], _HOLDS),
    "pop": Effect(receiver=True, result="element"),
    "popleft": Effect(receiver=True, result="element"),
    "setdefault": Effect(receiver=True, kept=(1,), result="element"),
    "get": Effect(result="element"),
    "next": Effect(changed=(0,)),
    "setattr": Effect(changed=(0,)),
    "shuffle": Effect(changed=(0,)),
    "heapify": Effect(changed=(0,)),
    "heappush": Effect(changed=(0,)),
    "heappop": Effect(changed=(0,)),
    "heapreplace": Effect(changed=(0,)),
    "heappushpop": Effect(changed=(0,)),
    "insort": Effect(changed=(0,)),
    "exit": Effect(ends=True),
    "quit": Effect(ends=True),
    "_exit": Effect(ends=True),
}

PYTHON_LOWERING = LoweringTable(
    rules=_EXPRESSIONS | _STATEMENTS,
    operators=_OPERATORS,
    effects=_EFFECTS,
    first_receiver=True,
    assignment_declares=True,
    class_scope=False,
    raising=frozenset({"call", "index", "member", "/", "%", "//"}),
    constructors=frozenset({"__init__"}),
)
