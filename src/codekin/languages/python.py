"""Python, on tree-sitter-python."""

from codekin.languages.language import Grammar, Language
from codekin.languages.token_classes import TokenClass

__all__ = ["PYTHON"]

PYTHON = Language(
    name="python",
    title="Python",
    aliases=("py", "python3"),
    suffixes=(".py", ".pyi", ".pyw"),
    layout=True,
    docstrings=True,
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
