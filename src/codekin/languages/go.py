"""Go, on tree-sitter-go."""

from codekin.languages.language import Fragments, Grammar, Language
from codekin.languages.lexical import Lexical, StringForm
from codekin.languages.lowering_rules import Effect, LoweringTable, Rule, rule
from codekin.languages.token_classes import TokenClass

__all__ = ["GO"]

_PRELUDE = """
    int int64 string float64 bool byte rune error fmt len append make strings strconv sort
    math Println Printf Sprintf err main
"""

_RESERVED_WORDS = """
    break case chan const continue default defer else fallthrough false for func go goto
    if import interface map nil package range return select struct switch true type var
"""

_LEXICAL = Lexical(
    reserved=frozenset(_RESERVED_WORDS.split()),
    imports=frozenset({"import", "package"}),
    line_ends=True,
    import_blocks=True,
    strings=(StringForm("`", multiline=True, escape=False), StringForm('"'), StringForm("'")),
    operators=("&^= <<= >>= ... &^ <- := ++ -- << >> <= >= == != && || += -= *= /= %= &= |= ^="),
    letters="",
)


# What the syntax does, for semantic graphs.

_SKIP = rule("skip")

_EXPRESSIONS: dict[str, Rule] = {
    "identifier": rule("name"),
    "field_identifier": rule("name"),
    "blank_identifier": _SKIP,
    "package_identifier": rule("name"),
    "label_name": _SKIP,
    "int_literal": rule("literal", "number"),
    "float_literal": rule("literal", "number"),
    "imaginary_literal": rule("literal", "number"),
    "rune_literal": rule("literal", "string"),
    "interpreted_string_literal": rule("literal", "string"),
    "raw_string_literal": rule("literal", "string"),
    "true": rule("literal", "true"),
    "false": rule("literal", "false"),
    "nil": rule("literal", "null"),
    "iota": rule("literal", "number"),
    "expression_list": rule("operation", "each expression", label="tuple"),
    "parenthesized_expression": rule("expression"),
    "binary_expression": rule("binary", left="left", operator="operator", right="right"),
    "unary_expression": rule("unary", operator="operator", value="operand"),
    "selector_expression": rule("member", object="operand", name="field"),
    "index_expression": rule("index", object="operand", right="index"),
    "slice_expression": rule("operation", label="slice", object="operand", items="*"),
    "call_expression": rule("call", function="function", arguments="arguments"),
    "argument_list": rule("sequence"),
    "variadic_argument": rule("spread"),
    "type_assertion_expression": rule("unary", label="cast", value="operand"),
    "type_conversion_expression": rule("unary", label="cast", value="operand"),
    "type_instantiation_expression": rule("expression", function="0", value="0"),
    "composite_literal": rule("operation", label="new", type="type", items="body"),
    "literal_value": rule("expression"),
    "literal_element": rule("expression"),
    "keyed_element": rule("pair", "expression", name="key", value="value"),
    "func_literal": rule(
        "function", "lambda", parameters="parameters", body="body", value="result"
    ),
}

_STATEMENTS: dict[str, Rule] = {
    "source_file": rule("sequence"),
    "block": rule("sequence", "scope"),
    "statement_list": rule("sequence"),
    "expression_statement": rule("expression"),
    "send_statement": rule("binary", label="send", left="channel", right="value"),
    "receive_statement": rule("assign", left="left", operator="<:=> <=>", right="right"),
    "inc_statement": rule("update", label="++", value="0"),
    "dec_statement": rule("update", label="--", value="0"),
    "assignment_statement": rule("assign", left="left", operator="operator", right="right"),
    "short_var_declaration": rule("assign", "declares", left="left", right="right"),
    "var_declaration": rule("sequence"),
    "var_spec_list": rule("sequence"),
    "var_spec": rule("declare", "value", left="name", value="value", type="type"),
    "const_declaration": rule("sequence"),
    "const_spec": rule("declare", "value", left="name", value="value", type="type"),
    "if_statement": rule(
        "if",
        init="initializer",
        condition="condition",
        body="consequence",
        otherwise="alternative",
    ),
    "for_statement": rule("for", items="<for_clause> <range_clause>", condition="*", body="body"),
    "for_clause": rule("for", init="initializer", condition="condition", update="update"),
    "range_clause": rule("for_each", left="left", operator="<:=>", right="right"),
    "expression_switch_statement": rule(
        "switch", "target", init="initializer", value="value", body="*"
    ),
    "type_switch_statement": rule(
        "switch", "target", init="initializer", left="alias", value="value", body="*"
    ),
    "select_statement": rule("switch", "target", label="select", body="*"),
    "expression_case": rule("case", "expression", left="value", body="<statement_list>"),
    "type_case": rule("case", left="type", body="<statement_list>"),
    "communication_case": rule("case", init="communication", body="<statement_list>"),
    "default_case": rule("case", "default", body="<statement_list>"),
    "fallthrough_statement": rule("fallthrough"),
    "labeled_statement": rule("labeled", "target", label="label", body="*"),
    "break_statement": rule("break", label="<label_name>"),
    "continue_statement": rule("continue", label="<label_name>"),
    "goto_statement": rule("goto", label="<label_name>"),
    "return_statement": rule("return"),
    "defer_statement": rule("defer", value="0"),
    "go_statement": rule("expression"),
    "empty_statement": _SKIP,
    "package_clause": _SKIP,
    "import_declaration": rule("import"),
    "import_spec": _SKIP,
    "import_spec_list": _SKIP,
    "dot": _SKIP,
    "comment": rule("comment"),
}

_DECLARATIONS: dict[str, Rule] = {
    "function_declaration": rule(
        "function", name="name", parameters="parameters", body="body", value="result"
    ),
    "method_declaration": rule(
        "function",
        receiver="receiver",
        name="name",
        parameters="parameters",
        body="body",
        value="result",
    ),
    "parameter_list": rule("sequence"),
    "parameter_declaration": rule("parameter", name="name", type="type"),
    "variadic_parameter_declaration": rule("parameter", "varargs", name="name", type="type"),
    "type_declaration": rule("sequence"),
    "type_spec": rule("class", name="name", body="type"),
    "struct_type": rule("sequence"),
    "field_declaration_list": rule("sequence"),
    "field_declaration": rule("declare", left="name", type="type"),
}

_TYPES = """
    type_alias type_identifier qualified_type generic_type pointer_type parenthesized_type
    interface_type method_elem type_elem function_type type_arguments negated_type
    type_parameter_list type_parameter_declaration type_constraint
"""
_TYPE_RULES: dict[str, Rule] = {
    **dict.fromkeys(_TYPES.split(), _SKIP),
    # A literal of such a type is named after it.
    "array_type": rule("skip", "pointer", label="list"),
    "implicit_length_array_type": rule("skip", "pointer", label="list"),
    "slice_type": rule("skip", "pointer", label="list"),
    "channel_type": rule("skip", "pointer"),
    "map_type": rule("skip", "pointer", label="dict"),
}

_OPERATORS = {
    "unary -": "neg",
    "unary +": "pos",
    "unary ^": "~",
    "unary *": "deref",
    "unary &": "address",
    "unary <-": "receive",
}

_PURE = """
    len cap make new min max complex real imag recover print println
    int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr float32 float64 string bool
    byte rune error any
    Print Println Printf Sprint Sprintf Sprintln Errorf New Is As Unwrap Error String
    Contains ContainsRune ContainsAny HasPrefix HasSuffix Index IndexByte IndexRune LastIndex Split
    SplitN Fields Join Repeat Replace ReplaceAll ToUpper ToLower Title Trim TrimSpace TrimLeft
    TrimRight TrimPrefix TrimSuffix TrimFunc Map Count EqualFold NewReplacer NewReader Compare
    Atoi Itoa ParseInt ParseFloat ParseBool FormatInt FormatFloat Quote
    Abs Sqrt Pow Floor Ceil Round Max Min Mod Log Log2 Log10 Exp Inf IsNaN IsInf Sin Cos Tan Hypot
    MaxInt MinInt IsDigit IsLetter IsSpace IsUpper IsLower IsPunct RuneCountInString
    SearchInts Search SearchStrings IntsAreSorted TypeOf ValueOf DeepEqual MustCompile Compile
    MatchString FindString FindAllString Now Since Sub Unix Format Duration Sleep
    NewScanner NewWriter Text Bytes Err Len Cap Value Background WithCancel Getenv Open ReadFile
    Equal Clone Keys Values
"""
_SORTED = "Ints Strings Float64s Slice SliceStable Sort Stable Reverse SortFunc Shuffle"

_EFFECTS: dict[str, Effect] = {
    **{name: Effect() for name in _PURE.split()},
    **{name: Effect(changed=(0,)) for name in _SORTED.split()},
    "append": Effect(kept=(-1,), after=1, result="same"),
    "copy": Effect(changed=(0,)),
    "delete": Effect(changed=(0,)),
    "clear": Effect(changed=(0,)),
    "close": Effect(changed=(0,)),
    "panic": Effect(ends=True),
    "Exit": Effect(ends=True),
    "Fatal": Effect(ends=True),
    "Fatalf": Effect(ends=True),
    "Fatalln": Effect(ends=True),
    "Goexit": Effect(ends=True),
    "Scan": Effect(receiver=True, assigned=(-1,)),
    "Scanln": Effect(assigned=(-1,)),
    "Scanf": Effect(assigned=(-1,), after=1),
    "Fscan": Effect(changed=(0,), assigned=(-1,), after=1),
    "Fscanln": Effect(changed=(0,), assigned=(-1,), after=1),
    "Fscanf": Effect(changed=(0,), assigned=(-1,), after=2),
    "Sscan": Effect(assigned=(-1,), after=1),
    "Sscanf": Effect(assigned=(-1,), after=2),
    "Unmarshal": Effect(changed=(1,)),
    "Fprint": Effect(changed=(0,)),
    "Fprintf": Effect(changed=(0,)),
    "Fprintln": Effect(changed=(0,)),
    "Swap": Effect(receiver=True),
    "Push": Effect(receiver=True, changed=(0,)),
    "Pop": Effect(receiver=True, changed=(0,)),
    "Init": Effect(receiver=True, changed=(0,)),
    "Fix": Effect(changed=(0,)),
    "send": Effect(receiver=True, kept=(0,)),
    "receive": Effect(receiver=True, result="element"),
}

_PACKAGES = """
    fmt os io bufio strings strconv math sort errors time sync rand bytes unicode utf8 log regexp
    context json http reflect slices maps cmp big bits heap list runtime atomic filepath path
"""
_PRIMITIVES = """
    int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr float32 float64 complex64
    complex128 string bool byte rune
"""

_LOWERING = LoweringTable(
    rules=_EXPRESSIONS | _STATEMENTS | _DECLARATIONS | _TYPE_RULES,
    operators=_OPERATORS,
    effects=_EFFECTS,
    class_scope=False,
    raising=frozenset(),
    primitives=frozenset(_PRIMITIVES.split()),
    quiet=frozenset(_PACKAGES.split()),
    declared_first=True,
)


GO = Language(
    name="go",
    title="Go",
    aliases=("golang",),
    suffixes=(".go",),
    prelude=frozenset(_PRELUDE.split()),
    lowering=_LOWERING,
    lexical=_LEXICAL,
    fragments=Fragments(
        functions=frozenset({"function_declaration", "method_declaration"}),
        blocks=frozenset({"block"}),
        declarations=frozenset({"type_declaration"}),
    ),
    grammars=(
        Grammar(
            distribution="tree-sitter-go",
            entry="language",
            classes={
                "label_name": TokenClass.IDENTIFIER,
                "iota": TokenClass.IDENTIFIER,
                "int_literal": TokenClass.INTEGER,
                "float_literal": TokenClass.FLOAT,
                "imaginary_literal": TokenClass.FLOAT,
                "interpreted_string_literal": TokenClass.STRING,
                "raw_string_literal": TokenClass.STRING,
                "rune_literal": TokenClass.CHARACTER,
                "true": TokenClass.BOOLEAN,
                "false": TokenClass.BOOLEAN,
                "nil": TokenClass.NULL,
                "dot": TokenClass.DELIMITER,
            },
            atoms=frozenset({"interpreted_string_literal", "raw_string_literal", "rune_literal"}),
        ),
    ),
)
