"""The languages codekin reads: one file each, the types that describe them, and the registry."""

from codekin.languages.language import Fragments, Grammar, Language
from codekin.languages.lexical import BlockComment, Lexical, StringForm
from codekin.languages.lowering_rules import Effect, LoweringTable, Rule, rule
from codekin.languages.name_roles import Mention, NameReader, NameRole, NameScope
from codekin.languages.registry import (
    get_language,
    language_names,
    language_of_file,
    language_of_named_file,
    languages,
)
from codekin.languages.rewriting import Rewriting, Writing, swapped
from codekin.languages.scopes import Scope, ScopeReader
from codekin.languages.syntax import Syntax
from codekin.languages.token_classes import TokenClass

__all__ = [
    "BlockComment",
    "Effect",
    "Fragments",
    "Grammar",
    "Language",
    "Lexical",
    "LoweringTable",
    "Mention",
    "NameReader",
    "NameRole",
    "NameScope",
    "Rewriting",
    "Rule",
    "Scope",
    "ScopeReader",
    "StringForm",
    "Syntax",
    "TokenClass",
    "Writing",
    "get_language",
    "language_names",
    "language_of_file",
    "language_of_named_file",
    "languages",
    "rule",
    "swapped",
]
