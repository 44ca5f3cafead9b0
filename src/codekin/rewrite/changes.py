"""Changes by name, and the function that applies them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from codekin.errors import CodekinError, suggestion
from codekin.languages import languages
from codekin.rewrite.chance import generator
from codekin.rewrite.comments import add_comments
from codekin.rewrite.dead_code import add_dead_code
from codekin.rewrite.functions import move_functions
from codekin.rewrite.layout import change_layout
from codekin.rewrite.mutations import (
    change_constant,
    change_operator,
    drop_statement,
    negate_condition,
    swap_arguments,
)
from codekin.rewrite.names import rename_locals
from codekin.rewrite.program import Program, TextEdit, apply_edits, program_of
from codekin.source import Source

__all__ = ["BREAKING", "PRESERVING", "rewritable_languages", "rewrite"]

Change = Callable[[Program, random.Random], list[TextEdit]]

_PRESERVING: dict[str, Change] = {
    "locals": rename_locals,
    "layout": change_layout,
    "functions": move_functions,
    "comments": add_comments,
    "dead-code": add_dead_code,
}
_BREAKING: dict[str, Change] = {
    "operator": change_operator,
    "constant": change_constant,
    "condition": negate_condition,
    "statement": drop_statement,
    "argument": swap_arguments,
}
_LONE_RETURN = re.compile(r"\r(?!\n)")  # a line end to some compilers, whitespace to others
_SAME_TOKENS = {"layout", "comments"}

PRESERVING = tuple(_PRESERVING)
"""Changes after which a program does exactly the same."""

BREAKING = tuple(_BREAKING)
"""Changes after which a program most likely does something else."""


def rewrite(source: Source, change: str, seed: int = 0) -> str | None:
    r"""Change a program.

    Parameters
    ----------
    source : Source
        The program.
    change : str
        One of `PRESERVING` or `BREAKING`.
    seed : int
        The same text, language, change and seed give the same result.

    Returns
    -------
    str or None
        The changed text; None if the language is not one of `rewritable_languages`, if the text
        does not parse, or if nothing in it can be changed safely.

    Examples
    --------
    >>> source = Source("def double(x):\n    return 2 * x\n", "python")
    >>> print(rewrite(source, "operator"))
    def double(x):
        return 2 / x
    <BLANKLINE>
    >>> rewrite(source, "functions") is None
    True
    """
    make = _PRESERVING.get(change) or _BREAKING.get(change)
    if make is None:
        raise CodekinError(_unknown(change))
    language, facts = source.language, source.language.rewriting
    if facts is None or source.problems or _LONE_RETURN.search(source.text):
        return None
    edits = make(program_of(source, facts), generator(source.text, language.name, change, seed))
    if not edits:
        return None
    text = apply_edits(source.data, edits)
    if text == source.text:
        return None
    after = Source(text, language)
    if after.problems or after.grammar is not source.grammar:
        return None
    return text if _has_right_tokens(change, source.tokens.texts, after.tokens.texts) else None


def _has_right_tokens(change: str, before: list[str], after: list[str]) -> bool:
    """Whether the tokens are unchanged, only reordered or different, as the change requires."""
    if change in _SAME_TOKENS:
        return before == after
    return before != after and (change != "functions" or sorted(before) == sorted(after))


def rewritable_languages() -> tuple[str, ...]:
    """The languages whose programs can be rewritten.

    Examples
    --------
    >>> "python" in rewritable_languages()
    True
    """
    return tuple(language.name for language in languages() if language.rewriting is not None)


def _unknown(change: str) -> str:
    known = (*PRESERVING, *BREAKING)
    return f"unknown change {change!r}{suggestion(change, known)} (known: {', '.join(known)})"
