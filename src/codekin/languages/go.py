"""Go, on tree-sitter-go."""

from codekin.languages.language import Grammar, Language
from codekin.languages.lexical import Lexical, StringForm
from codekin.languages.lowering.go import GO_LOWERING
from codekin.languages.token_classes import TokenClass

__all__ = ["GO"]

_PRELUDE = """
    int int64 string float64 bool byte rune error fmt len append make strings strconv sort
    math Println Printf Sprintf err main
"""

_LEXICAL = Lexical(
    strings=(StringForm("`", multiline=True, escape=False), StringForm('"'), StringForm("'")),
    operators=("&^= <<= >>= ... &^ <- := ++ -- << >> <= >= == != && || += -= *= /= %= &= |= ^="),
    letters="",
)

GO = Language(
    name="go",
    title="Go",
    aliases=("golang",),
    suffixes=(".go",),
    prelude=frozenset(_PRELUDE.split()),
    lowering=GO_LOWERING,
    lexical=_LEXICAL,
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
