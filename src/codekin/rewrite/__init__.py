"""Rewrites of programs: some preserve their behaviour, some break it."""

from codekin.rewrite.abstraction import Abstraction, Vocabulary, abstract
from codekin.rewrite.changes import BREAKING, PRESERVING, rewritable_languages, rewrite
from codekin.rewrite.identifiers import Identifier, identifiers
from codekin.rewrite.shared_context import shared_prefix

__all__ = [
    "BREAKING",
    "PRESERVING",
    "Abstraction",
    "Identifier",
    "Vocabulary",
    "abstract",
    "identifiers",
    "rewritable_languages",
    "rewrite",
    "shared_prefix",
]
