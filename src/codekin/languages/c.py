"""C, on tree-sitter-c."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cached_property
from itertools import groupby
from typing import ClassVar

from codekin.languages.language import Fragments, Grammar, Language
from codekin.languages.lexical import Lexical, StringForm
from codekin.languages.lowering_rules import Effect, LoweringTable, Rule, rule
from codekin.languages.name_roles import Mention, NameReader, NameRole, NameScope
from codekin.languages.rewriting import BRACED_SWAPS, Rewriting, Writing, braced_functions
from codekin.languages.scopes import FunctionNames, Scope, ScopeReader
from codekin.languages.syntax import Syntax, covers, touches
from codekin.languages.token_classes import TokenClass

__all__ = [
    "C_ATOMS",
    "C_CLASSES",
    "C_LEXICAL",
    "C_LOWERING",
    "C_RESERVED",
    "C_REWRITING",
    "C_WRITING",
    "C",
    "CScopes",
]

# Shared with C++, which extends these tables.
C_CLASSES = {
    "preproc_directive": TokenClass.KEYWORD,
    "ms_call_modifier": TokenClass.KEYWORD,
    "ms_pointer_modifier": TokenClass.KEYWORD,
    "ms_restrict_modifier": TokenClass.KEYWORD,
    "ms_signed_ptr_modifier": TokenClass.KEYWORD,
    "ms_unsigned_ptr_modifier": TokenClass.KEYWORD,
    "ms_unaligned_ptr_modifier": TokenClass.KEYWORD,
    "primitive_type": TokenClass.TYPE,
    "number_literal": TokenClass.INTEGER,
    "string_literal": TokenClass.STRING,
    "system_lib_string": TokenClass.STRING,
    "char_literal": TokenClass.CHARACTER,
    "true": TokenClass.BOOLEAN,
    "false": TokenClass.BOOLEAN,
    "null": TokenClass.NULL,
    "preproc_arg": TokenClass.IDENTIFIER,
}
C_ATOMS = frozenset({"string_literal", "char_literal", "null"})
_KEYWORDS = """
    auto break case const continue default do else enum extern for goto if inline long register
    restrict return short signed sizeof static struct switch typedef union unsigned volatile while
"""
C_RESERVED = {
    **dict.fromkeys(_KEYWORDS.split(), TokenClass.KEYWORD),
    **dict.fromkeys(("char", "double", "float", "int", "void"), TokenClass.TYPE),
    "NULL": TokenClass.NULL,
}

_WIDTHS = ("", "L", "u", "U", "u8")
_RESERVED_WORDS = """
    NULL auto break case const continue default do else enum extern false for goto if
    inline nullptr register restrict return sizeof static struct switch true typedef union
    void volatile while
"""

C_LEXICAL = Lexical(
    reserved=frozenset(_RESERVED_WORDS.split()),
    imports=frozenset(),
    strings=(StringForm('"', prefixes=_WIDTHS), StringForm("'", prefixes=_WIDTHS)),
    operators="<<= >>= ... ## -> ++ -- << >> <= >= == != && || += -= *= /= %= &= |= ^= ::",
    preprocessor=True,
    continuation=True,
    member_arrow=True,
)

_PRELUDE = """
    int char long float double void unsigned size_t bool stdio stdlib string printf scanf puts
    gets getchar putchar strlen strcmp strcpy memset malloc free main abs sqrt
"""


# What the syntax does, for semantic graphs.

_SKIP = rule("skip")
# Code between #if and #endif may or may not run.
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
    # Their operands are not evaluated.
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

_OPERATORS = {
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
_PRIMITIVES = frozenset(_NUMBERS.split()) | {
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

_EFFECTS: dict[str, Effect] = {
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
    operators=_OPERATORS,
    effects=_EFFECTS,
    primitives=_PRIMITIVES,
    raising=frozenset(),
    wildcard="",
    pointer_arithmetic=True,
    declared_first=True,
)


# The preprocessor: most changes must not touch its lines and macros.

_WORD = re.compile(r"[^\W\d]\w*")
_INCLUDE = re.compile(r"\s*#\s*include\b")
_COMMA_PASTE = re.compile(r",\s*##")  # ", ##__VA_ARGS__" does not build a name
_DIRECTIVE = re.compile(rb"[ \t]*#(?:[^\n\\]|\\\r?\n|\\)*")


class _Macros:
    """The preprocessor lines of a text, and the macros that it defines."""

    def __init__(self, syntax: Syntax) -> None:
        self.syntax = syntax

    @cached_property
    def directives(self) -> list[tuple[int, int]]:
        """Spans of preprocessor lines, including lines joined by a backslash."""
        syntax = self.syntax
        spans: list[tuple[int, int]] = []
        for i, kind in enumerate(syntax.kinds):
            if kind.startswith("#") or kind == "preproc_directive":
                match = _DIRECTIVE.match(syntax.data, syntax.line_start(syntax.starts[i]))
                if match and (not spans or match.start() >= spans[-1][1]):
                    spans.append(match.span())
        return spans

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word of the preprocessor lines except ``#include``."""
        lines = [self.syntax.slice(*span) for span in self.directives]
        return frozenset(
            word for line in lines if not _INCLUDE.match(line) for word in _WORD.findall(line)
        )

    @cached_property
    def texts(self) -> dict[str, str]:
        """Macros and their replacement texts, all definitions joined."""
        syntax = self.syntax
        texts: dict[str, str] = {}
        for node, kind in enumerate(syntax.kinds):
            if kind in {"preproc_def", "preproc_function_def"} and syntax.sizes[node] > 2:
                name = syntax.text(node + 2)
                texts[name] = texts.get(name, "") + syntax.text(node)[1:].partition(name)[2]
        return texts

    @cached_property
    def pasting(self) -> frozenset[str]:
        """Macros that paste names with ``##``, directly or through other macros."""
        without = {name: _COMMA_PASTE.sub("", text) for name, text in self.texts.items()}
        return self._with_users({name for name, text in without.items() if "##" in text})

    @cached_property
    def quoted(self) -> list[tuple[int, int]]:
        """Spans of the arguments of macros that use ``#``, directly or through other macros."""
        quoting = {name for name, text in self.texts.items() if "#" in text}
        return self._arguments(self._with_users(quoting))

    @cached_property
    def arguments(self) -> list[tuple[int, int]]:
        """Spans of the arguments of any macro."""
        return self._arguments(self.texts)

    def _with_users(self, macros: set[str]) -> frozenset[str]:
        """Macros, and the macros that use them, directly or indirectly."""
        users = {n: set(_WORD.findall(text)) for n, text in self.texts.items()} if macros else {}
        while more := {name for name, words in users.items() if words & macros} - macros:
            macros = macros | more
        return frozenset(macros)

    def _arguments(self, macros: Collection[str]) -> list[tuple[int, int]]:
        """Spans of the arguments of macros, sorted and disjoint."""
        spans: list[tuple[int, int]] = []
        names = {name.encode() for name in macros}
        depth = start = 0
        after_name = False
        for span in self.syntax.spans if names else ():
            token = self.syntax.data[slice(*span)]
            if depth:
                depth += {b"(": 1, b")": -1}.get(token, 0)
                if not depth:
                    spans.append((start, span[1]))
            elif after_name and token == b"(":
                depth, start = 1, span[0]
            after_name = token in names
        return spans

    @cached_property
    def members(self) -> frozenset[str]:
        """Names of fields and labels of the text, which may be passed to macros."""
        kinds, syntax = {"field_identifier", "statement_identifier"}, self.syntax
        return frozenset(syntax.text(i) for i, kind in enumerate(syntax.kinds) if kind in kinds)


def _directives(syntax: Syntax) -> list[tuple[int, int]]:
    return syntax.remember(_Macros).directives


def _quoted(syntax: Syntax) -> list[tuple[int, int]]:
    return syntax.remember(_Macros).quoted


# Which names belong to a function, for renaming.

_DECLARATORS = {
    "pointer_declarator",
    "reference_declarator",
    "array_declarator",
    "init_declarator",
    "parenthesized_declarator",
    "function_declarator",
    "structured_binding_declarator",
    "attributed_declarator",
    "variadic_declarator",
}
_PARAMETERS = {
    "parameter_declaration",
    "optional_parameter_declaration",
    "variadic_parameter_declaration",
}
_NO_DECLARATOR = {"size", "value", "default_value", "parameters", "type", "right", "length"}
_FIXED_PARENTS = {
    "enumerator",
    "lambda_capture_initializer",
    "using_declaration",
    "concept_definition",
    "template_method",
}


class CScopes(ScopeReader):
    """Reads a function of C or C++."""

    opens: ClassVar = {
        "function_definition": "function",
        "compound_statement": "block",
        "for_statement": "block",
        "if_statement": "block",
        "while_statement": "block",
        "switch_statement": "block",
        "field_declaration_list": "class",
    }
    names = frozenset({"identifier", "type_identifier"})

    def read(self) -> FunctionNames:
        """Read the region; names that macros mention are fixed, and all if one pastes names."""
        syntax, macros = self.syntax, self.syntax.remember(_Macros)
        self.region.fixed |= macros.words
        region = super().read()
        if macros.pasting and any(
            syntax.kinds[i] in self.names and syntax.text(i) in macros.pasting
            for i in syntax.inside(self.root)
        ):
            region.fixed |= region.bound
        return region

    def look(self, node: int, scope: Scope) -> None:
        """Fix names that a macro may turn into a string, a name or a field."""
        syntax = self.syntax
        if syntax.kinds[node] not in self.names:
            return
        name, start = syntax.text(node), syntax.starts[node]
        macros = syntax.remember(_Macros)
        is_member = name in macros.members and covers(macros.arguments, start)
        if is_member or covers(macros.quoted, start):
            self.fix(node)

    def meet(self, node: int, scope: Scope) -> None:
        """Classify a name by its position."""
        syntax = self.syntax
        parent = syntax.parents[node]
        kind, field = syntax.kinds[parent], syntax.fields[node]
        if syntax.text(node) == "_" or (kind in _FIXED_PARENTS and field != "value"):
            self.fix(node)
        if syntax.kinds[node] == "type_identifier":
            self._meet_type(node, scope)
        elif kind == "qualified_identifier":
            return
        elif kind == "parameter_list" or field == "symbol":
            self.fix(node)  # parameters in K&R style, and names within assembly
        else:
            self._meet_declarator(node, scope)

    def _meet_type(self, node: int, scope: Scope) -> None:
        """A node parsed as a type may be a variable: ``vector<int> v(n)``, ``f<n>(x)``."""
        syntax = self.syntax
        parent = syntax.parents[node]
        if not scope.is_known(syntax.text(node)):
            return
        if syntax.kinds[parent].endswith("_specifier") and syntax.fields[node] == "name":
            return
        if syntax.kinds[parent] == "parameter_declaration" and syntax.sizes[parent] == 2:
            self.use(node, scope)
        else:
            self.fix(node)

    def _meet_declarator(self, node: int, scope: Scope) -> None:
        syntax = self.syntax
        top = node
        parent = syntax.parents[top]
        called = False
        while syntax.kinds[parent] in _DECLARATORS and syntax.fields[top] not in _NO_DECLARATOR:
            called = called or (
                syntax.kinds[parent] == "function_declarator" and syntax.kinds[top] == "identifier"
            )
            top, parent = parent, syntax.parents[parent]
        kind, field = syntax.kinds[parent], syntax.fields[top]
        if field != "declarator":
            self.use(node, scope)
        elif kind == "declaration":
            if self._is_elsewhere(node, parent, called, scope):
                self.fix(node)
            self.bind(node, scope)
        elif kind == "for_range_loop":
            self.bind(node, scope, since=syntax.starts[syntax.child(parent, "body")])
        elif kind in _PARAMETERS:
            if self._is_parameter(parent):
                self.bind(node, scope)
            elif scope.is_known(syntax.text(node)):
                self.fix(node)  # `vector<int> v(n & m)` looks like a function with a parameter m
        elif kind == "function_definition":
            self.fix(node)
        else:
            self.use(node, scope)

    def _is_elsewhere(self, node: int, declaration: int, called: bool, scope: Scope) -> bool:
        """Whether a declaration may be external, of a function, or not a declaration at all."""
        syntax = self.syntax
        for child in syntax.children(declaration):
            kind = syntax.kinds[child]
            if kind == "storage_class_specifier" and syntax.text(child) == "extern":
                return True
            if kind == "type_identifier" and scope.is_known(syntax.text(child)):
                return True
        return called and not self._is_constructed(syntax.parents[node], scope)

    def _is_constructed(self, declarator: int, scope: Scope) -> bool:
        """Whether the parameters in ``vector<int> v(n)`` are variables, so that v is one too."""
        syntax = self.syntax
        listed = syntax.named_children(syntax.child(declarator, "parameters"))
        return any(
            syntax.sizes[i] == 2
            and syntax.kinds[i + 1] == "type_identifier"
            and scope.is_known(syntax.text(i + 1))
            for i in listed
        )

    def _is_parameter(self, parameter: int) -> bool:
        """Whether a parameter belongs to a function with a body, not to a prototype or type."""
        syntax = self.syntax
        above = syntax.parents[syntax.parents[parameter]]
        while syntax.kinds[above] in _DECLARATORS | {"abstract_function_declarator"}:
            inner = syntax.child(above, "declarator")
            if syntax.kinds[inner] in _DECLARATORS and syntax.kinds[above] == "function_declarator":
                return False  # a pointer to a function
            above = syntax.parents[above]
        return syntax.kinds[above] in {"function_definition", "lambda_expression", "catch_clause"}


# Which functions may change places.

# Operators, and functions that C++ calls implicitly.
_CALLED_UNSEEN = {"operator", "begin", "end", "swap", "get", "hash", "template", "__attribute__"}


def _movable_groups(syntax: Syntax, parent: int) -> list[list[int]]:
    """Runs of functions that follow one another."""
    children = syntax.named_children(parent)
    return [list(run) for free, run in groupby(children, lambda i: _is_free(syntax, i)) if free]


def _declared_name(syntax: Syntax, function: int) -> str:
    """The name of a function: the last word before its parameters."""
    declarator = syntax.child(function, "declarator")
    while declarator >= 0:
        inside = (i for i in syntax.inside(declarator) if syntax.kinds[i] == "function_declarator")
        outermost = next(inside, -1)
        if outermost < 0:
            words: list[str] = _WORD.findall(syntax.text(declarator))
            return words[-1] if words else ""
        declarator = syntax.child(outermost, "declarator")
    return ""


def _is_free(syntax: Syntax, node: int) -> bool:
    """Whether a node is a plain function definition without directives or types of its own."""
    body = syntax.child(node, "body")
    if syntax.kinds[node] != "function_definition" or body < 0:
        return False
    head = range(node, body)
    if any(syntax.kinds[i] in {"field_declaration_list", "enumerator_list"} for i in head):
        return False
    macros = syntax.remember(_Macros)
    words = set(_WORD.findall(syntax.slice(syntax.starts[node], syntax.starts[body])))
    name = _declared_name(syntax, node)
    # A macro may call functions that its users do not name.
    is_free = not words & _CALLED_UNSEEN and name not in {"", *macros.words}
    return is_free and not touches(macros.directives, *syntax.with_comments(node))


_DIRECTIVE_KINDS = """
    preproc_arg preproc_call preproc_def preproc_defined preproc_directive preproc_elif
    preproc_elifdef preproc_else preproc_function_def preproc_if preproc_ifdef preproc_include
    preproc_params
"""

# What names name.

_PREPROCESSOR = {
    "preproc_def",
    "preproc_function_def",
    "preproc_params",
    "preproc_ifdef",
    "preproc_elifdef",
    "preproc_defined",
    "preproc_call_expression",
}
_CONDITIONS = frozenset({"preproc_if", "preproc_ifdef"})
_SPECIFIERS = {"struct_specifier", "union_specifier", "enum_specifier", "class_specifier"}
_HAVE_PARAMETERS = {
    "function_definition",
    "lambda_expression",
    "catch_clause",
    "template_declaration",
}
_REACHES = {"subscript_expression", "pointer_expression", "parenthesized_expression"}
_ASSIGNED = {
    ("assignment_expression", "left"),
    ("update_expression", "argument"),
    ("subscript_expression", "argument"),
}
_SETS = r"\b{0}\b\s*(?:=(?!=)|\+\+|--|[-+*/%&|^]=|<<=|>>=)|(?:\+\+|--)\s*{0}\b"
_RANGES = r"[\w>]\s*[&*\s]\s*{0}\s*:(?!:)"
_CALLED = r"\b(\w+)\s*\(([^()]*)\)"


class _MacroUses:
    """What the macros of a text do with the names that they mention and are given."""

    def __init__(self, syntax: Syntax) -> None:
        self.macros = syntax.remember(_Macros)
        self.parameters: dict[str, list[str]] = {}
        self.bodies: dict[str, str] = {}
        for node, kind in enumerate(syntax.kinds):
            if kind not in {"preproc_def", "preproc_function_def"} or syntax.sizes[node] < 3:
                continue
            name, listed = syntax.text(node + 2), syntax.child(node, "parameters")
            words = [] if listed < 0 else _WORD.findall(syntax.text(listed))
            body = syntax.child(node, "value")
            self.parameters[name] = words
            self.bodies[name] = "" if body < 0 else syntax.text(body)

    @cached_property
    def words(self) -> frozenset[str]:
        """Names in preprocessor lines other than the parameters of macros."""
        inside = set(self.macros.words)
        for name, parameters in self.parameters.items():
            inside -= set(parameters)
            inside.add(name)
        for name, body in self.bodies.items():
            inside |= set(_WORD.findall(body)) - set(self.parameters[name])
        return frozenset(inside)

    @cached_property
    def assigned(self) -> dict[str, set[int]]:
        """The parameters of macros that they declare or assign, by position."""
        found: dict[str, set[int]] = {
            name: {
                place
                for place, word in enumerate(words)
                if re.search(_SETS.format(word), self.bodies[name])
                or re.search(_RANGES.format(word), self.bodies[name])
            }
            for name, words in self.parameters.items()
        }
        for _ in range(4):  # macros that hand their parameters to other macros
            for name, words in self.parameters.items():
                for called, given in re.findall(_CALLED, self.bodies[name]):
                    parts = [part.strip() for part in given.split(",")]
                    for place in found.get(called, ()):
                        if place < len(parts) and parts[place] in words:
                            found[name].add(words.index(parts[place]))
        return found


class CNames(NameReader):
    """Reads a program or functions of C."""

    opens: ClassVar = {**CScopes.opens, "enumerator_list": "class"}
    names = frozenset({"identifier", "type_identifier", "field_identifier", "statement_identifier"})
    heads = frozenset(_DIRECTIVE_KINDS.split())
    imports = frozenset({"preproc_include"})
    functions = frozenset({"function_definition"})
    entries = frozenset({"main"})

    def __init__(self, syntax: Syntax) -> None:
        super().__init__(syntax)
        self._uses = _MacroUses(syntax) if b"#" in syntax.data else None
        self._macros = frozenset() if self._uses is None else frozenset(self._uses.parameters)
        self._types_used: list[Mention] = []
        self._declared_functions: set[str] = set()
        self._assigned: set[str] = set()

    def meet(self, node: int, scope: NameScope) -> None:
        """Record a name by its position."""
        syntax = self.syntax
        parent = syntax.parents[node]
        kind, field = syntax.kinds[parent], syntax.fields[node]
        if kind in _PREPROCESSOR or syntax.text(node) in self._macros:
            declares = kind in {"preproc_def", "preproc_function_def"}
            self.add(node, NameRole.MACRO, scope, declares=declares)
        elif syntax.kinds[node] == "statement_identifier":
            self.add(node, NameRole.LABEL, scope)
        elif syntax.kinds[node] == "type_identifier":
            self._meet_type(node, kind, field, scope)
        elif "attribute" in kind:
            self.add(node, NameRole.ANNOTATION, scope)
        elif syntax.kinds[node] == "field_identifier":
            self._meet_field(node, parent, scope)
        elif kind == "enumerator" and field == "name":
            self.declare(node, scope)
            outer = scope.parent or scope
            outer.bind(syntax.text(node), NameRole.VARIABLE)
        elif kind == "call_expression" and field == "function":
            self.call(node, scope)
        else:
            self._meet_declarator(node, scope)

    def _meet_type(self, node: int, kind: str, field: str, scope: NameScope) -> None:
        syntax = self.syntax
        if kind in _SPECIFIERS and field == "name":
            specifier = syntax.parents[node]
            if syntax.child(specifier, "body") >= 0 or self._is_alone(specifier):
                self.declare_type(node, scope)
            else:
                self._types_used.append(self.add(node, NameRole.TYPE, scope))
        elif self._defines(node):
            self.declare_type(node, scope)
        elif kind == "parameter_declaration" and self._is_macro_argument(node):
            self.value(node, scope)
        else:
            self._types_used.append(self.add(node, NameRole.TYPE, scope))

    def _is_macro_argument(self, node: int) -> bool:
        """Whether a name is given to a macro in what looks like the head of a function."""
        syntax = self.syntax
        parameter = syntax.parents[node]
        listed = syntax.parents[parameter]
        head = syntax.parents[listed]
        if self._uses is None or syntax.sizes[parameter] != 2:
            return False
        name = syntax.child(head, "declarator")
        macro = syntax.text(name) if name >= 0 else ""
        if macro not in self._macros:
            return False
        self._note_argument(node, macro, listed, parameter)
        return True

    def _note_argument(self, node: int, macro: str, listed: int, argument: int) -> None:
        """Note that a macro assigns the variable that it is given."""
        places = None if self._uses is None else self._uses.assigned.get(macro)
        if not places:
            return
        first = self.syntax.named_children(listed)[: max(places) + 1]
        if argument in first and first.index(argument) in places:
            self._assigned.add(self.syntax.text(node))

    def _is_alone(self, specifier: int) -> bool:
        """Whether a specifier is a declaration of its own, such as ``struct node;``."""
        syntax = self.syntax
        parent = syntax.parents[specifier]
        return syntax.kinds[parent] in {
            "translation_unit",
            "declaration_list",
            "template_declaration",
        }

    def _defines(self, node: int) -> bool:
        """Whether a type is the declarator of a ``typedef``."""
        syntax = self.syntax
        top, parent = node, syntax.parents[node]
        while syntax.kinds[parent] in _DECLARATORS and syntax.fields[top] not in _NO_DECLARATOR:
            top, parent = parent, syntax.parents[parent]
        return syntax.kinds[parent] == "type_definition" and syntax.fields[top] == "declarator"

    def _meet_field(self, node: int, parent: int, scope: NameScope) -> None:
        syntax = self.syntax
        kind = syntax.kinds[parent]
        if kind == "field_expression":
            called = syntax.fields[parent] == "function"
            called = called and syntax.kinds[syntax.parents[parent]] == "call_expression"
            if called:
                self.add(node, NameRole.CALL, scope)
            else:
                self.member(node, scope)
        elif kind in {"field_designator", "offsetof_expression"}:
            self.member(node, scope)
        else:
            _top, above, is_function = self._climbed(node)
            if syntax.kinds[above] not in {"field_declaration", "function_definition"}:
                self.member(node, scope)
            elif is_function:
                self._declared_functions.add(
                    self.add(node, NameRole.FUNCTION, scope, declares=True).text
                )
            else:
                self.declare_field(node, scope)

    def _climbed(self, node: int) -> tuple[int, int, bool]:
        """The outermost declarator of a name, what is above it, and whether it is a function."""
        syntax = self.syntax
        top, parent = node, syntax.parents[node]
        is_function = False
        while syntax.kinds[parent] in _DECLARATORS and syntax.fields[top] not in _NO_DECLARATOR:
            is_function = is_function or (
                syntax.kinds[parent] == "function_declarator"
                and syntax.kinds[top] not in _DECLARATORS
            )
            top, parent = parent, syntax.parents[parent]
        return top, parent, is_function

    def _meet_declarator(self, node: int, scope: NameScope) -> None:
        syntax = self.syntax
        top, parent, is_function = self._climbed(node)
        kind, field = syntax.kinds[parent], syntax.fields[top]
        if kind == "parameter_list" and not field:
            self.declare(node, scope, node)  # K&R
        elif field != "declarator":
            self._meet_value(node, scope)
        elif kind in {"declaration", "field_declaration"}:
            if is_function and not self._is_constructed(syntax.parents[node], scope):
                self._meet_function(node, scope)
            else:
                self.declare(node, scope, node if scope.parent is not None else 0)
        elif kind == "for_range_loop":
            self.declare(node, scope, node)
        elif kind in _PARAMETERS:
            self._meet_parameter(node, parent, scope)
        elif kind == "function_definition":
            self._meet_function(node, scope.parent or scope)
        elif kind == "type_definition":
            self.declare_type(node, scope)
        else:
            self._meet_value(node, scope)

    def _meet_function(self, node: int, scope: NameScope) -> None:
        mention = self.add(node, NameRole.FUNCTION, scope, declares=True)
        self._declared_functions.add(mention.text)

    def _meet_value(self, node: int, scope: NameScope) -> None:
        syntax = self.syntax
        parent = syntax.parents[node]
        if (syntax.kinds[parent], syntax.fields[node]) in _ASSIGNED:
            self._assigned.add(syntax.text(node))
        elif self._uses is not None and syntax.kinds[parent] == "argument_list":
            macro = syntax.text(syntax.parents[parent] + 1)
            if macro in self._macros:
                self._note_argument(node, macro, parent, node)
        self.value(node, scope)

    def _is_constructed(self, declarator: int, scope: NameScope) -> bool:
        """Whether the parameters in ``vector<int> v(n)`` are variables, so that v is one too."""
        syntax = self.syntax
        for i in syntax.named_children(syntax.child(declarator, "parameters")):
            looks_like_type = syntax.sizes[i] == 2 and syntax.kinds[i + 1] == "type_identifier"
            if looks_like_type and scope.role(syntax.text(i + 1), i) is NameRole.VARIABLE:
                return True
        return False

    def _meet_parameter(self, node: int, parameter: int, scope: NameScope) -> None:
        """A parameter of a prototype is bound nowhere; ``vector<int> v(n & m)`` has none."""
        syntax = self.syntax
        above = syntax.parents[syntax.parents[parameter]]
        while syntax.kinds[above] in _DECLARATORS | {"abstract_function_declarator"}:
            above = syntax.parents[above]
        kind = syntax.kinds[above]
        if kind in _HAVE_PARAMETERS:
            self.declare(node, scope, node)
        elif kind == "declaration" and scope.find(syntax.text(node), node) is not None:
            self._meet_value(node, scope)
        else:
            self.add(node, NameRole.VARIABLE, scope, declares=True)

    def settle(self) -> None:
        """Decide by scope which names are variables, fields and types."""
        types = self.types
        for mention in self.mentions:
            if mention.role is NameRole.FUNCTION and mention.text in types:
                mention.role = NameRole.TYPE  # a constructor
        for mention in self._types_used:
            if mention.text in types:
                mention.declared = True
            elif self._is_variable(mention):
                mention.role, mention.declared = NameRole.VARIABLE, True
        for mention in self._calls:
            self._settle_name(mention)
        for mention in self._values:
            if not self._settle_name(mention):
                self._settle_free(mention)
        self._settle_members()
        if self._uses is not None:
            self._fix_macros(self._uses)
            self._fix_conditional()

    def _settle_name(self, mention: Mention) -> bool:
        """Decide what a name is that the text declares; whether it does."""
        if self._is_variable(mention):
            mention.role = NameRole.VARIABLE
        elif mention.text in self.types:
            mention.role = NameRole.TYPE
        elif mention.text not in self._declared_functions:
            return False
        elif mention.role is not NameRole.CALL:
            mention.role = NameRole.FUNCTION
        mention.declared = True
        return True

    def _settle_free(self, mention: Mention) -> None:
        """A free value is a variable if the text assigns it, and comes from a header if not."""
        if mention.text in self.fields:
            mention.declared = True  # in a method that is defined outside of its class
        elif mention.text in self._assigned:
            self.free.add(mention.text)
        else:
            mention.role = NameRole.EXTERNAL

    def _settle_members(self) -> None:
        """A member is a field if the text declares one of that name."""
        for mention in self._members:
            if mention.text in self.fields:
                mention.role, mention.declared = NameRole.VARIABLE, True
                if self._is_foreign(mention):
                    self.fixed.add(mention.text)
        for mention in self.mentions:
            called = mention.role is NameRole.CALL and not self.calls_own(mention.node)
            if called and mention.text in self.fields:
                self._settle_called_field(mention)

    def _settle_called_field(self, mention: Mention) -> None:
        """A field that is called holds a function."""
        mention.role, mention.declared = NameRole.VARIABLE, True
        if self._is_foreign(mention):
            self.fixed.add(mention.text)

    def _is_variable(self, mention: Mention) -> bool:
        return mention.scope.role(mention.text, mention.node) is NameRole.VARIABLE

    def _fix_conditional(self) -> None:
        """Fix variables whose only declaration an ``#if`` may leave out, if others use them.

        They are those of a header then.
        """
        syntax = self.syntax
        if _CONDITIONS.isdisjoint(syntax.kinds):
            return
        conditions: dict[str, range] = {}
        for name, places in self.declarations.items():
            above = (i for i in syntax.ancestors(places[0].node) if syntax.kinds[i] in _CONDITIONS)
            condition = next(above, -1)
            if len(places) == 1 and condition >= 0:
                conditions[name] = syntax.inside(condition)
        for mention in self.mentions:
            inside = conditions.get(mention.text)
            is_variable = mention.role is NameRole.VARIABLE
            if is_variable and inside is not None and mention.node not in inside:
                self.fixed.add(mention.text)

    def _fix_macros(self, uses: _MacroUses) -> None:
        """Fix what macros mention, paste or turn into a string."""
        words, quoted, starts = uses.words, uses.macros.quoted, self.syntax.starts
        pastes = bool(uses.macros.pasting)
        given = uses.macros.arguments if pastes else quoted
        texts = {
            one.text
            for one in self.mentions
            if one.role is not NameRole.MACRO and covers(given, starts[one.node])
        }
        for mention in self.mentions:
            if mention.text in words or mention.text in texts:
                mention.fixed = True

    def _is_foreign(self, mention: Mention) -> bool:
        """Whether a member may be one of a class that is not in the text."""
        syntax = self.syntax
        parent = syntax.parents[mention.node]
        base = syntax.child(parent, "argument")
        while base >= 0 and syntax.kinds[base] in _REACHES:
            inner = syntax.child(base, "argument")
            base = inner if inner >= 0 else next(iter(syntax.named_children(base)), -1)
        if base < 0 or syntax.kinds[base] != "identifier":
            return False
        return self.holds_foreign(base, mention.scope)

    def has_foreign_type(self, declaration: Mention) -> bool:
        """Whether a variable is declared with a type that is not in the text."""
        _, holder, _ = self._climbed(declaration.node)
        kind = self.syntax.child(holder, "type")
        return kind >= 0 and not self._may_be_own(kind)

    def _may_be_own(self, kind: int) -> bool:
        """Whether a type mentions one of the text, or leaves it to the compiler."""
        syntax = self.syntax
        words = set(_WORD.findall(syntax.text(kind)))
        return bool(words & (self.types | self._macros | {"auto", "decltype"})) or (
            syntax.kinds[kind] in _SPECIFIERS
        )

    def calls_own(self, node: int) -> bool:
        """Whether a function is called, and not a member of an object."""
        return self.syntax.kinds[node] == "identifier"


C_REWRITING = Rewriting(
    blocks=frozenset({"translation_unit", "compound_statement", "declaration_list"}),
    not_statements=frozenset(_DIRECTIVE_KINDS.split()),
    functions=frozenset({"function_definition"}),
    bodies=frozenset({"compound_statement"}),
    scopes=CScopes,
    braces=frozenset({"compound_statement"}),
    spaced=frozenset({"init_declarator"}),
    dead=(
        "int {name} = {number}; (void) {name};",
        "if (0) {{ int {name} = {number}; (void) {name}; }}",
        "while (0) {{ int {name} = {number}; (void) {name}; }}",
        "{{ int {name} = {number}; (void) {name}; }}",
    ),
    constant_heads=frozenset({"constexpr", "consteval"}),
    movable=frozenset({"function_definition"}),
    movable_groups=_movable_groups,
    order_seen=frozenset({"__LINE__", "__COUNTER__"}),
    declared_name=_declared_name,
    binary=frozenset({"binary_expression"}),
    assignments=frozenset({"assignment_expression"}),
    updates=frozenset({"update_expression"}),
    swaps=BRACED_SWAPS,
    conditions={
        "if_statement": "condition",
        "while_statement": "condition",
        "do_statement": "condition",
        "conditional_expression": "condition",
    },
    binding={"declaration": "", "comma_expression": ""},
    numbers=frozenset({"number_literal"}),
    strings=frozenset({"string_literal"}),
    characters=frozenset({"char_literal"}),
    contents=frozenset({"string_content"}),
    fixed_texts=frozenset({"preproc_include", "linkage_specification"}),
    labels=frozenset({"labeled_statement", "case_statement"}),
    arguments=frozenset({"argument_list"}),
    droppable=frozenset({"expression_statement", "continue_statement", "break_statement"}),
    needed=frozenset({"return_statement"}),
    idle=frozenset({"identifier"}),
    directives=_directives,
    quoted=_quoted,
)
C_WRITING = Writing(braced_functions("int {0}(int {1})", "int "))


C = Language(
    name="c",
    title="C",
    suffixes=(".c", ".h"),
    macros=True,
    prelude=frozenset(_PRELUDE.split()),
    lowering=C_LOWERING,
    rewriting=C_REWRITING,
    names=CNames,
    writing=C_WRITING,
    lexical=C_LEXICAL,
    fragments=Fragments(
        functions=frozenset({"function_definition"}),
        blocks=frozenset({"compound_statement"}),
        declarations=frozenset(
            {
                "struct_specifier",
                "union_specifier",
                "enum_specifier",
                "type_definition",
                "declaration",
            }
        ),
    ),
    grammars=(
        Grammar(
            distribution="tree-sitter-c",
            entry="language",
            classes=C_CLASSES | {"variadic_parameter": TokenClass.DELIMITER},
            atoms=C_ATOMS,
            numeric=frozenset({"number_literal"}),
            split=frozenset({"preproc_arg"}),
            reserved=C_RESERVED,
        ),
    ),
)
