"""Python, on tree-sitter-python."""

from codekin.languages.language import Grammar, Language
from codekin.languages.token_classes import TokenClass

__all__ = ["PYTHON"]

_PRELUDE = """
    self cls print len range input int str float list dict set tuple sorted enumerate zip map
    sum min max abs append join split strip sys np collections itertools __init__ __name__
"""

PYTHON = Language(
    name="python",
    title="Python",
    aliases=("py", "python3"),
    suffixes=(".py", ".pyi", ".pyw"),
    layout=True,
    docstrings=True,
    prelude=frozenset(_PRELUDE.split()),
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
