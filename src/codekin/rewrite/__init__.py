"""Changes of programs: some that keep what a program does, some that break it."""

from codekin.rewrite.changes import BREAKING, PRESERVING, rewritable_languages, rewrite
from codekin.rewrite.shared_context import shared_prefix

__all__ = ["BREAKING", "PRESERVING", "rewritable_languages", "rewrite", "shared_prefix"]
