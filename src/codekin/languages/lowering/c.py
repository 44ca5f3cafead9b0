"""What C's syntax does."""

from codekin.languages.lowering.rules import Effect, LoweringTable, Rule, rule

__all__ = ["C_EFFECTS", "C_LOWERING", "C_OPERATORS", "C_PRIMITIVES", "C_RULES"]

_SKIP = rule("skip")
# Code between #if and #endif may run; nobody in the text decides.
_MAYBE_COMPILED = rule(
    "if", "hoisted", name="name", guard="condition", body="*", otherwise="alternative"
)

_EXPRESSIONS: dict[str, Rule] = {
    "identifier": rule("name"),
    "field_identifier": rule("name"),
    "number_literal": rule("literal", "number"),
    "string_literal": rule("literal", "string"),
    "concatenated_string": rule("literal", "string"),
    "char_literal": rule("literal", "string"),
    "true": rule("literal", "true"),
    "false": rule("literal", "false"),
    "null": rule("literal", "null"),
    "parenthesized_expression": rule("expression"),
    "extension_expression": rule("expression"),
    "generic_expression": rule("expression"),
    "compound_literal_expression": rule("expression", value="value"),
    "comma_expression": rule("sequence", "value"),
    "binary_expression": rule("binary", left="left", operator="operator", right="right"),
    "unary_expression": rule("unary", operator="operator", value="argument"),
    "pointer_expression": rule("unary", operator="operator", value="argument"),
    "update_expression": rule("update", operator="operator", value="argument"),
    "assignment_expression": rule("assign", left="left", operator="operator", right="right"),
    "cast_expression": rule("unary", label="cast", value="value"),
    # What these look at is not evaluated.
    "sizeof_expression": rule("literal", label="sizeof"),
    "alignof_expression": rule("literal", label="alignof"),
    "offsetof_expression": rule("literal", label="offsetof"),
    "conditional_expression": rule(
        "conditional", condition="condition", body="consequence", otherwise="alternative"
    ),
    "call_expression": rule("call", function="function", arguments="arguments"),
    "argument_list": rule("sequence"),
    "field_expression": rule("member", object="argument", operator="operator", name="field"),
    "subscript_expression": rule("index", object="argument", right="index"),
    "initializer_list": rule("operation", "each", label="list"),
    "initializer_pair": rule("pair", value="value"),
    "gnu_asm_expression": rule("operation", label="asm", name="assembly_code", items="*"),
    "gnu_asm_output_operand_list": rule("expression"),
    "gnu_asm_input_operand_list": rule("expression"),
    "gnu_asm_output_operand": rule("update", label="asm", value="value"),
    "gnu_asm_input_operand": rule("expression", value="value"),
}

_DECLARATIONS: dict[str, Rule] = {
    "declaration": rule(
        "declaration", items="declarator", type="type", guard="<storage_class_specifier>"
    ),
    "init_declarator": rule("declare", left="declarator", value="value"),
    "pointer_declarator": rule("declarator", "pointer", name="declarator"),
    "array_declarator": rule("declarator", "pointer", name="declarator"),
    "function_declarator": rule(
        "declarator", "prototype", name="declarator", parameters="parameters"
    ),
    "parenthesized_declarator": rule("declarator", name="0"),
    "attributed_declarator": rule("declarator", name="0"),
    "abstract_array_declarator": rule("declarator", "pointer", name="declarator"),
    "abstract_pointer_declarator": rule("declarator", "pointer", name="declarator"),
    "abstract_parenthesized_declarator": rule("declarator", name="0"),
    "abstract_function_declarator": rule(
        "declarator", "prototype", name="declarator", parameters="parameters"
    ),
    "function_definition": rule(
        "function",
        "untyped",
        name="declarator",
        type="type",
        body="body",
        guard="<storage_class_specifier>",
    ),
    "parameter_list": rule("sequence"),
    "parameter_declaration": rule("parameter", name="declarator", type="type"),
    "variadic_parameter": rule("parameter", "varargs"),
    "primitive_type": rule("skip", "number"),
    "sized_type_specifier": rule("skip", "number"),
    "struct_specifier": rule("skip", name="name"),
    "union_specifier": rule("skip", name="name"),
    "enum_specifier": rule("skip", name="name"),
    "macro_type_specifier": rule("skip", name="name"),
}

_STATEMENTS: dict[str, Rule] = {
    "translation_unit": rule("sequence", "untyped"),
    "compound_statement": rule("sequence", "scope value"),
    "declaration_list": rule("sequence"),
    "linkage_specification": rule("sequence", items="body"),
    "attributed_statement": rule("sequence"),
    "expression_statement": rule("expression"),
    "if_statement": rule("if", condition="condition", body="consequence", otherwise="alternative"),
    "else_clause": rule("sequence"),
    "while_statement": rule("while", condition="condition", body="body"),
    "do_statement": rule("do", body="body", condition="condition"),
    "for_statement": rule(
        "for", init="initializer", condition="condition", update="update", body="body"
    ),
    "switch_statement": rule("switch", "falls", value="condition", body="body"),
    "case_statement": rule("case", "static", left="value", body="*"),
    "return_statement": rule("return"),
    "break_statement": rule("break"),
    "continue_statement": rule("continue"),
    "goto_statement": rule("goto", label="label"),
    "labeled_statement": rule("labeled", "target", label="label", body="*"),
    "seh_try_statement": rule(
        "try",
        body="body",
        handlers="<seh_except_clause>",
        **{"finally": "<seh_finally_clause>"},
    ),
    "seh_except_clause": rule("catch", body="body"),
    "seh_finally_clause": rule("sequence", items="body"),
    "preproc_if": _MAYBE_COMPILED,
    "preproc_ifdef": _MAYBE_COMPILED,
    "preproc_elif": _MAYBE_COMPILED,
    "preproc_elifdef": _MAYBE_COMPILED,
    "preproc_else": rule("sequence"),
    "preproc_include": rule("import"),
    "comment": rule("comment"),
}

_NOTHING = """
    type_definition type_identifier type_descriptor type_qualifier
    storage_class_specifier alignas_qualifier attribute attribute_specifier
    attribute_declaration bitfield_clause enumerator enumerator_list field_declaration
    field_declaration_list field_designator subscript_designator subscript_range_designator
    statement_identifier gnu_asm_clobber_list gnu_asm_goto_list gnu_asm_qualifier
    ms_based_modifier ms_call_modifier ms_declspec_modifier ms_pointer_modifier
    ms_restrict_modifier ms_signed_ptr_modifier ms_unaligned_ptr_modifier
    ms_unsigned_ptr_modifier seh_leave_statement preproc_arg preproc_call preproc_def
    preproc_defined preproc_directive preproc_function_def preproc_params system_lib_string
    character escape_sequence string_content
"""

C_RULES: dict[str, Rule] = (
    dict.fromkeys(_NOTHING.split(), _SKIP) | _EXPRESSIONS | _DECLARATIONS | _STATEMENTS
)

C_OPERATORS = {
    "unary *": "deref",
    "unary &": "address",
    "unary -": "neg",
    "unary +": "pos",
}

_NUMBERS = """
    int char short long float double bool _Bool void unsigned signed size_t ssize_t ptrdiff_t
    int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t
    wchar_t time_t clock_t ll ull ld i64 u64 i32 u32 lint LL
"""
_LONG_NAMES = """
    long long, unsigned long long, unsigned long, unsigned int, unsigned short, unsigned char,
    signed char, long int, long double, short int, unsigned short int, long long int,
    unsigned long long int, unsigned long int
"""
C_PRIMITIVES = frozenset(_NUMBERS.split()) | {
    " ".join(name.split()) for name in _LONG_NAMES.split(",")
}

_PURE = """
    printf puts putchar perror abs labs llabs fabs fabsf sqrt sqrtf cbrt pow powf exp log log2
    log10 floor ceil round trunc fmod sin cos tan asin acos atan atan2 hypot fmin fmax lround
    strlen strcmp strncmp strcasecmp strncasecmp strcoll strspn strcspn memcmp atoi atol atoll
    atof isalpha isdigit isalnum isspace isupper islower ispunct isxdigit isprint toupper tolower
    malloc calloc free strdup strndup rand srand random srandom getchar getenv system fopen freopen
    feof ferror clock difftime localtime gmtime ctime assert static_assert _Static_assert sleep
    usleep signal isnan isinf vprintf atexit va_end fileno strerror
"""
_WRITES_FIRST = """
    strcpy strncpy strcat strncat memcpy memmove memset bzero sprintf snprintf vsprintf vsnprintf
    gets fgets strtok strrev strlwr strupr realloc gets_s fgetws stpcpy stpncpy strlcpy strlcat
    mempcpy memccpy strtok_r strcpy_s strncpy_s strcat_s strncat_s memcpy_s memmove_s memset_s
    sprintf_s snprintf_s wcscpy wcsncpy wcscat wcsncat wmemcpy wmemmove wmemset swprintf vswprintf
    getcwd
"""
_FILLS_FIRST = "strftime strxfrm gethostname pipe explicit_bzero"
_FILLS_SECOND = """
    pread readlink recvfrom itoa ltoa localtime_r gmtime_r ctime_r asctime_r swab stat fstat lstat
"""
_PART_OF_FIRST = "strchr strrchr strstr strpbrk memchr index rindex"
_FILE_FIRST = "fprintf vfprintf fclose fgetc getc rewind fseek fflush setbuf fsetpos va_arg setjmp"
_FILE_SECOND = "fputc putc fputs ungetc read recv"
_ENDS = """
    exit abort _exit _Exit quick_exit longjmp __builtin_unreachable __builtin_trap err errx
    pthread_exit thrd_exit
"""

C_EFFECTS: dict[str, Effect] = {
    **dict.fromkeys(_PURE.split(), Effect()),
    **dict.fromkeys(_WRITES_FIRST.split(), Effect(changed=(0,), result="same")),
    **dict.fromkeys(_PART_OF_FIRST.split(), Effect(result="same")),
    **dict.fromkeys(_FILE_FIRST.split(), Effect(changed=(0,))),
    **dict.fromkeys(_FILE_SECOND.split(), Effect(changed=(1,))),
    **dict.fromkeys(_FILLS_FIRST.split(), Effect(changed=(0,))),
    **dict.fromkeys(_FILLS_SECOND.split(), Effect(changed=(1,))),
    **dict.fromkeys(_ENDS.split(), Effect(ends=True)),
    **dict.fromkeys(["scanf", "scanf_s", "wscanf"], Effect(assigned=(-1,), after=1)),
    **dict.fromkeys(["sscanf", "sscanf_s", "swscanf"], Effect(assigned=(-1,), after=2)),
    **dict.fromkeys(
        ["fscanf", "fscanf_s", "fwscanf"], Effect(changed=(0,), assigned=(-1,), after=2)
    ),
    "fread": Effect(changed=(0, 3)),
    "fwrite": Effect(changed=(3,)),
    "getline": Effect(assigned=(0, 1), changed=(2,)),
    "getdelim": Effect(assigned=(0, 1), changed=(3,)),
    "qsort": Effect(changed=(0,)),
    "time": Effect(assigned=(0,)),
    "gettimeofday": Effect(assigned=(0,)),
    "clock_gettime": Effect(assigned=(1,)),
    **dict.fromkeys(["strtol", "strtoll", "strtoul", "strtod"], Effect(assigned=(1,))),
    **dict.fromkeys(["modf", "frexp"], Effect(assigned=(1,))),
    "fgetpos": Effect(assigned=(1,)),
    "strsep": Effect(assigned=(0,), result="same"),
    "va_start": Effect(assigned=(0,)),
    "va_copy": Effect(assigned=(0,)),
}

C_LOWERING = LoweringTable(
    rules=C_RULES,
    operators=C_OPERATORS,
    effects=C_EFFECTS,
    primitives=C_PRIMITIVES,
    raising=frozenset(),
    wildcard="",
    pointer_arithmetic=True,
    declared_first=True,
)
