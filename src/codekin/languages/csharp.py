"""C#, on tree-sitter-c-sharp."""

from codekin.languages.language import Fragments, Grammar, Language
from codekin.languages.lexical import Lexical, StringForm
from codekin.languages.token_classes import TokenClass

__all__ = ["CSHARP"]

_PRELUDE = """
    int long double float char bool byte string object decimal void String Console Math List
    Dictionary IEnumerable Task Linq System Length Count WriteLine ReadLine ToString Add
"""

_RESERVED_WORDS = """
    abstract as async await base break case catch checked class const continue default
    delegate do else enum event explicit extern false finally fixed for foreach goto if
    implicit in interface internal is lock namespace new null operator out override params
    private protected public readonly ref return sealed sizeof static struct switch this
    throw true try typeof unchecked unsafe using var virtual void volatile while
"""

_LEXICAL = Lexical(
    reserved=frozenset(_RESERVED_WORDS.split()),
    imports=frozenset({"using"}),
    line_comments=("//", "#!/"),
    strings=(
        StringForm('$@"', '"', multiline=True, escape=False, doubled=True, hole="{", format=True),
        StringForm('@$"', '"', multiline=True, escape=False, doubled=True, hole="{", format=True),
        StringForm('@"', '"', multiline=True, escape=False, doubled=True),
        StringForm('$"', '"', hole="{", format=True),
        StringForm('"'),
        StringForm("'"),
    ),
    operators=(
        ">>>= >>> <<= >>= ??= -> => :: ?? ++ -- .. << >> <= >= == != && || += -= *= /= %= &= |= ^="
    ),
    letters="",
    sigils="@",
    trailing_point=False,
    quote_runs=True,
)

CSHARP = Language(
    name="csharp",
    title="C#",
    aliases=("c#", "cs", "c_sharp", "c-sharp"),
    suffixes=(".cs", ".csx"),
    prelude=frozenset(_PRELUDE.split()),
    lexical=_LEXICAL,
    fragments=Fragments(
        functions=frozenset(
            {"method_declaration", "constructor_declaration", "local_function_statement"}
        ),
        blocks=frozenset({"block"}),
        declarations=frozenset(
            {
                "class_declaration",
                "interface_declaration",
                "struct_declaration",
                "record_declaration",
                "enum_declaration",
                "delegate_declaration",
            }
        ),
    ),
    grammars=(
        Grammar(
            distribution="tree-sitter-c-sharp",
            entry="language",
            classes={
                "modifier": TokenClass.KEYWORD,
                "implicit_type": TokenClass.KEYWORD,
                "implicit_parameter": TokenClass.IDENTIFIER,
                "discard": TokenClass.IDENTIFIER,
                "predefined_type": TokenClass.TYPE,
                "integer_literal": TokenClass.INTEGER,
                "real_literal": TokenClass.FLOAT,
                "string_literal": TokenClass.STRING,
                "verbatim_string_literal": TokenClass.STRING,
                "raw_string_literal": TokenClass.STRING,
                "interpolated_string_expression": TokenClass.STRING,
                "character_literal": TokenClass.CHARACTER,
                "boolean_literal": TokenClass.BOOLEAN,
                "null_literal": TokenClass.NULL,
                "preproc_arg": TokenClass.IDENTIFIER,
                "shebang_directive": TokenClass.COMMENT,
            },
            atoms=frozenset(
                {
                    "string_literal",
                    "verbatim_string_literal",
                    "raw_string_literal",
                    "interpolated_string_expression",
                    "character_literal",
                    "boolean_literal",
                }
            ),
            split=frozenset({"preproc_arg"}),
        ),
    ),
)
