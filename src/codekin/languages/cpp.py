"""C++, on tree-sitter-cpp."""

from codekin.languages.c import C_ATOMS, C_CLASSES
from codekin.languages.language import Grammar, Language
from codekin.languages.token_classes import TokenClass

__all__ = ["CPP"]

CPP = Language(
    name="cpp",
    title="C++",
    aliases=("c++", "cxx", "cc"),
    suffixes=(".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".ipp", ".tpp"),
    macros=True,
    grammars=(
        Grammar(
            distribution="tree-sitter-cpp",
            entry="language",
            classes=C_CLASSES
            | {
                "this": TokenClass.KEYWORD,
                "auto": TokenClass.KEYWORD,
                "access_specifier": TokenClass.KEYWORD,
                "virtual_specifier": TokenClass.KEYWORD,
                "noexcept": TokenClass.KEYWORD,
                "literal_suffix": TokenClass.IDENTIFIER,
                "raw_string_literal": TokenClass.STRING,
                "lambda_default_capture": TokenClass.OPERATOR,
                "ref_qualifier": TokenClass.OPERATOR,
            },
            atoms=C_ATOMS | {"raw_string_literal"},
            numeric=frozenset({"number_literal"}),
            split=frozenset({"preproc_arg"}),
        ),
    ),
)
