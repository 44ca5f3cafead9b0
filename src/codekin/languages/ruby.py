"""Ruby, on tree-sitter-ruby."""

from codekin.languages.language import Grammar, Language
from codekin.languages.token_classes import TokenClass

__all__ = ["RUBY"]

_PRELUDE = """
    puts print p require attr_accessor attr_reader each map select inject new nil to_s to_i
    length size initialize raise lambda
"""

RUBY = Language(
    name="ruby",
    title="Ruby",
    aliases=("rb",),
    suffixes=(".rb", ".rake", ".gemspec", ".ru"),
    prelude=frozenset(_PRELUDE.split()),
    grammars=(
        Grammar(
            distribution="tree-sitter-ruby",
            entry="language",
            classes={
                "self": TokenClass.KEYWORD,
                "super": TokenClass.KEYWORD,
                "file": TokenClass.KEYWORD,
                "line": TokenClass.KEYWORD,
                "encoding": TokenClass.KEYWORD,
                "constant": TokenClass.IDENTIFIER,
                "instance_variable": TokenClass.IDENTIFIER,
                "class_variable": TokenClass.IDENTIFIER,
                "global_variable": TokenClass.IDENTIFIER,
                "integer": TokenClass.INTEGER,
                "float": TokenClass.FLOAT,
                "rational": TokenClass.FLOAT,
                "complex": TokenClass.FLOAT,
                "string": TokenClass.STRING,
                "bare_string": TokenClass.STRING,
                "subshell": TokenClass.STRING,
                "regex": TokenClass.STRING,
                # The opening of a heredoc stands in an expression and its body lines below.
                "heredoc_beginning": TokenClass.STRING,
                "heredoc_body": TokenClass.STRING,
                "simple_symbol": TokenClass.STRING,
                "delimited_symbol": TokenClass.STRING,
                "hash_key_symbol": TokenClass.STRING,
                "bare_symbol": TokenClass.STRING,
                "character": TokenClass.CHARACTER,
                "true": TokenClass.BOOLEAN,
                "false": TokenClass.BOOLEAN,
                "nil": TokenClass.NULL,
                "operator": TokenClass.OPERATOR,
                "forward_argument": TokenClass.DELIMITER,
                "forward_parameter": TokenClass.DELIMITER,
                "uninterpreted": TokenClass.COMMENT,
            },
            atoms=frozenset(
                {
                    "string",
                    "bare_string",
                    "subshell",
                    "regex",
                    "heredoc_body",
                    "delimited_symbol",
                    "bare_symbol",
                    "operator",
                    "rational",
                    "complex",
                }
            ),
        ),
    ),
)
