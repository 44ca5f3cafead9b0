"""The languages codekin reads: one file each, and the table of them all."""

from codekin.languages.language import Grammar, Language
from codekin.languages.registry import get_language, language_names, language_of_file, languages
from codekin.languages.token_classes import TokenClass

__all__ = [
    "Grammar",
    "Language",
    "TokenClass",
    "get_language",
    "language_names",
    "language_of_file",
    "languages",
]
