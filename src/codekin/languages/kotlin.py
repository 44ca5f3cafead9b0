"""Kotlin, on tree-sitter-kotlin."""

from codekin.languages.language import Fragments, Grammar, Language
from codekin.languages.lexical import BlockComment, Lexical, StringForm
from codekin.languages.token_classes import TokenClass

__all__ = ["KOTLIN"]

_PRELUDE = """
    main Int Long Double Float String Boolean Char Unit Any List MutableList Map mutableListOf
    listOf mapOf println print readLine it size map filter forEach until
"""

_RESERVED_WORDS = """
    as break by catch class companion continue do else enum false finally for fun if
    import in init inline interface internal is null object open override package private
    protected public return sealed super suspend this throw true try typealias val var
    when where while
"""

_LEXICAL = Lexical(
    reserved=frozenset(_RESERVED_WORDS.split()),
    imports=frozenset({"import", "package"}),
    line_ends=True,
    line_comments=("//", "#!/"),
    block_comments=(BlockComment("/*", "*/", nested=True),),
    strings=(
        StringForm('"""', multiline=True, escape=False, hole="${"),
        StringForm('"', hole="${"),
        StringForm("'"),
        StringForm("`", escape=False),
    ),
    operators=("=== !== ..< !in !is -> :: ?. ?: !! .. ++ -- <= >= == != && || += -= *= /= %="),
    letters="",
    endings="@",
    trailing_point=False,
)

KOTLIN = Language(
    name="kotlin",
    title="Kotlin",
    aliases=("kt",),
    suffixes=(".kt", ".kts"),
    prelude=frozenset(_PRELUDE.split()),
    lexical=_LEXICAL,
    fragments=Fragments(
        functions=frozenset({"function_declaration", "secondary_constructor"}),
        blocks=frozenset({"block"}),
        declarations=frozenset(
            {"class_declaration", "object_declaration", "companion_object", "type_alias"}
        ),
    ),
    grammars=(
        Grammar(
            distribution="tree-sitter-kotlin",
            entry="language",
            tail=b"\n",  # the scanner looks for whitespace after an annotation, even past the end
            classes={
                "this_expression": TokenClass.KEYWORD,
                "super_expression": TokenClass.KEYWORD,
                "reification_modifier": TokenClass.KEYWORD,
                "label": TokenClass.IDENTIFIER,
                "number_literal": TokenClass.INTEGER,
                "float_literal": TokenClass.FLOAT,
                "string_literal": TokenClass.STRING,
                "multiline_string_literal": TokenClass.STRING,
                "character_literal": TokenClass.CHARACTER,
                "shebang": TokenClass.COMMENT,
            },
            atoms=frozenset({"string_literal", "multiline_string_literal", "character_literal"}),
            # The grammar reads these as plain identifiers.
            reserved={
                "break": TokenClass.KEYWORD,
                "continue": TokenClass.KEYWORD,
                "break@": TokenClass.KEYWORD,
                "continue@": TokenClass.KEYWORD,
                "true": TokenClass.BOOLEAN,
                "false": TokenClass.BOOLEAN,
                "null": TokenClass.NULL,
            },
        ),
    ),
)
