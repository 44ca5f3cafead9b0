"""Rust, on tree-sitter-rust."""

from codekin.languages.language import Grammar, Language
from codekin.languages.lexical import BlockComment, Lexical, StringForm
from codekin.languages.lowering.rust import RUST_LOWERING
from codekin.languages.token_classes import TokenClass

__all__ = ["RUST"]

_PRELUDE = """
    main i32 i64 u8 u32 u64 usize isize f64 bool char str String Vec Option Some None Ok Err Result
    Self self println vec iter collect unwrap len std
"""

_LEXICAL = Lexical(
    line_comments=("//", "#!/"),
    block_comments=(BlockComment("/*", "*/", nested=True),),
    strings=(
        StringForm('"', prefixes=("", "b", "c"), multiline=True),
        StringForm("'", prefixes=("b",)),
    ),
    operators=("..= ... <<= >>= .. -> => :: << >> <= >= == != && || += -= *= /= %= &= |= ^="),
    letters="",
    sigils="$",
    leading_point=False,
    hashed_strings=True,
    lifetimes=True,
)

RUST = Language(
    name="rust",
    title="Rust",
    aliases=("rs",),
    suffixes=(".rs",),
    prelude=frozenset(_PRELUDE.split()),
    lowering=RUST_LOWERING,
    lexical=_LEXICAL,
    grammars=(
        Grammar(
            distribution="tree-sitter-rust",
            entry="language",
            classes={
                "self": TokenClass.KEYWORD,
                "super": TokenClass.KEYWORD,
                "crate": TokenClass.KEYWORD,
                "mutable_specifier": TokenClass.KEYWORD,
                "visibility_modifier": TokenClass.KEYWORD,
                "lifetime": TokenClass.IDENTIFIER,
                "label": TokenClass.IDENTIFIER,
                "metavariable": TokenClass.IDENTIFIER,
                "primitive_type": TokenClass.TYPE,
                "never_type": TokenClass.TYPE,
                "fragment_specifier": TokenClass.TYPE,
                "integer_literal": TokenClass.INTEGER,
                "float_literal": TokenClass.FLOAT,
                "string_literal": TokenClass.STRING,
                "raw_string_literal": TokenClass.STRING,
                "char_literal": TokenClass.CHARACTER,
                "boolean_literal": TokenClass.BOOLEAN,
                "remaining_field_pattern": TokenClass.OPERATOR,
                "line_comment": TokenClass.COMMENT,
                "block_comment": TokenClass.COMMENT,
                "shebang": TokenClass.COMMENT,
            },
            atoms=frozenset(
                {
                    "string_literal",
                    "raw_string_literal",
                    "char_literal",
                    "boolean_literal",
                    "lifetime",
                    "label",
                    "line_comment",
                    "block_comment",
                }
            ),
        ),
    ),
)
