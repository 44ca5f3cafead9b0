"""C, on tree-sitter-c."""

from codekin.languages.language import Grammar, Language
from codekin.languages.lexical import Lexical, StringForm
from codekin.languages.lowering.c import C_LOWERING
from codekin.languages.token_classes import TokenClass

__all__ = ["C_ATOMS", "C_CLASSES", "C_LEXICAL", "C_RESERVED", "C"]

# C++ adds to these tables, so they have names.
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
C_LEXICAL = Lexical(
    strings=(StringForm('"', prefixes=_WIDTHS), StringForm("'", prefixes=_WIDTHS)),
    operators="<<= >>= ... ## -> ++ -- << >> <= >= == != && || += -= *= /= %= &= |= ^= ::",
    preprocessor=True,
    continuation=True,
)

_PRELUDE = """
    int char long float double void unsigned size_t bool stdio stdlib string printf scanf puts
    gets getchar putchar strlen strcmp strcpy memset malloc free main abs sqrt
"""

C = Language(
    name="c",
    title="C",
    suffixes=(".c", ".h"),
    macros=True,
    prelude=frozenset(_PRELUDE.split()),
    lowering=C_LOWERING,
    lexical=C_LEXICAL,
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
