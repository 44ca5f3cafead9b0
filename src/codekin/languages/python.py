"""Python, on tree-sitter-python."""

from codekin.languages.language import Grammar, Language
from codekin.languages.lexical import Lexical, StringForm
from codekin.languages.lowering.python import PYTHON_LOWERING
from codekin.languages.token_classes import TokenClass

__all__ = ["PYTHON"]

_PRELUDE = """
    self cls print len range input int str float list dict set tuple sorted enumerate zip map
    sum min max abs append join split strip sys np collections itertools __init__ __name__
"""

_PLAIN = "r R b B u U br bR Br BR rb rB Rb RB"
_FORMATTED = "f F fr fR Fr FR rf rF Rf RF t T tr tR Tr TR rt rT Rt RT"
_STATEMENTS = """
    def class return import while with try except finally raise pass break continue del global
    nonlocal assert elif
"""
_LEXICAL = Lexical(
    line_comments=("#",),
    block_comments=(),
    strings=tuple(
        StringForm(
            quote, prefixes=prefixes, multiline=len(quote) == 3, hole=hole, format=bool(hole)
        )
        for quote in ('"""', "'''", '"', "'")
        for prefixes, hole in ((("", *_PLAIN.split()), ""), (tuple(_FORMATTED.split()), "{"))
    ),
    operators="**= //= >>= <<= ... ** // >> << <= >= == != <> -> := += -= *= /= %= &= |= ^= @=",
    letters="",
    number_suffixes="jJlL",
    continuation=True,
    layout=True,
    docstrings=True,
    statements=frozenset(_STATEMENTS.split()),
    outer_statements=frozenset({"from"}),
)

PYTHON = Language(
    name="python",
    title="Python",
    aliases=("py", "python3"),
    suffixes=(".py", ".pyi", ".pyw"),
    layout=True,
    docstrings=True,
    prelude=frozenset(_PRELUDE.split()),
    lowering=PYTHON_LOWERING,
    lexical=_LEXICAL,
    grammars=(
        Grammar(
            distribution="tree-sitter-python",
            entry="language",
            classes={
                "integer": TokenClass.INTEGER,
                "float": TokenClass.FLOAT,
                "string": TokenClass.STRING,
                "true": TokenClass.BOOLEAN,
                "false": TokenClass.BOOLEAN,
                "none": TokenClass.NULL,
                "ellipsis": TokenClass.DELIMITER,
                "wildcard_import": TokenClass.OPERATOR,
                "positional_separator": TokenClass.OPERATOR,
                "keyword_separator": TokenClass.OPERATOR,
                "import_prefix": TokenClass.DELIMITER,
            },
            atoms=frozenset({"string"}),
            skip=frozenset({"line_continuation"}),
        ),
    ),
)
