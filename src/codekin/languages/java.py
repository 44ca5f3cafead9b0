"""Java, on tree-sitter-java."""

from codekin.languages.language import Grammar, Language
from codekin.languages.lexical import Lexical, StringForm
from codekin.languages.lowering.java import JAVA_LOWERING
from codekin.languages.token_classes import TokenClass

__all__ = ["JAVA"]

_PRELUDE = """
    int long double float char boolean byte short void String Integer Long Double Boolean
    Character Object System Math List ArrayList Map HashMap Set HashSet Arrays Collections
    Scanner BufferedReader StringBuilder Override Exception IOException java util length
    equals println
"""

_LEXICAL = Lexical(
    strings=(StringForm('"""', multiline=True), StringForm('"'), StringForm("'")),
    operators=">>>= <<= >>= >>> ... -> :: ++ -- << >> <= >= == != && || += -= *= /= %= &= |= ^=",
)

JAVA = Language(
    name="java",
    title="Java",
    suffixes=(".java",),
    prelude=frozenset(_PRELUDE.split()),
    lowering=JAVA_LOWERING,
    lexical=_LEXICAL,
    grammars=(
        Grammar(
            distribution="tree-sitter-java",
            entry="language",
            classes={
                "this": TokenClass.KEYWORD,
                "super": TokenClass.KEYWORD,
                "requires_modifier": TokenClass.KEYWORD,
                "integral_type": TokenClass.TYPE,
                "floating_point_type": TokenClass.TYPE,
                "boolean_type": TokenClass.TYPE,
                "void_type": TokenClass.TYPE,
                "underscore_pattern": TokenClass.IDENTIFIER,
                "decimal_integer_literal": TokenClass.INTEGER,
                "hex_integer_literal": TokenClass.INTEGER,
                "octal_integer_literal": TokenClass.INTEGER,
                "binary_integer_literal": TokenClass.INTEGER,
                "decimal_floating_point_literal": TokenClass.FLOAT,
                "hex_floating_point_literal": TokenClass.FLOAT,
                "string_literal": TokenClass.STRING,
                "character_literal": TokenClass.CHARACTER,
                "true": TokenClass.BOOLEAN,
                "false": TokenClass.BOOLEAN,
                "null_literal": TokenClass.NULL,
                "asterisk": TokenClass.OPERATOR,
            },
            atoms=frozenset(
                {"string_literal", "character_literal", "integral_type", "floating_point_type"}
            ),
        ),
    ),
)
