"""C++, on tree-sitter-cpp."""

from dataclasses import replace

from codekin.languages.c import C_ATOMS, C_CLASSES, C_LEXICAL, C_RESERVED
from codekin.languages.language import Grammar, Language
from codekin.languages.lowering.cpp import CPP_LOWERING
from codekin.languages.token_classes import TokenClass

__all__ = ["CPP"]

_KEYWORDS = """
    class const_cast delete dynamic_cast explicit friend mutable namespace new noexcept operator
    private protected public reinterpret_cast static_cast template this throw try typename using
    virtual
"""
_RESERVED = {
    **dict.fromkeys(_KEYWORDS.split(), TokenClass.KEYWORD),
    "bool": TokenClass.TYPE,
    "true": TokenClass.BOOLEAN,
    "false": TokenClass.BOOLEAN,
    "nullptr": TokenClass.NULL,
}

_PRELUDE = """
    int char long float double void unsigned size_t bool string std vector map set pair queue
    stack cin cout endl printf scanf strlen strcmp memset sort push_back size begin end main
    iostream algorithm
"""

CPP = Language(
    name="cpp",
    title="C++",
    aliases=("c++", "cxx", "cc"),
    suffixes=(".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".ipp", ".tpp"),
    macros=True,
    prelude=frozenset(_PRELUDE.split()),
    lowering=CPP_LOWERING,
    lexical=replace(
        C_LEXICAL,
        operators=C_LEXICAL.operators + " <=> ->* .*",
        raw_strings=True,
        digit_separators=True,
    ),
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
            reserved=C_RESERVED | _RESERVED,
        ),
    ),
)
