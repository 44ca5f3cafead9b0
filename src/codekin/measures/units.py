"""The units that lexical measures count: tokens of code, words, characters, lines."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from codekin.represent.text.plain_tokens import PLAIN_TOKENISERS, plain_token_ids, string_ids
from codekin.represent.text.tokens import line_starts as token_line_starts
from codekin.source import Source

__all__ = ["TOKENS", "Ids", "f1", "line_ids", "line_starts", "token_ids"]

Ids = npt.NDArray[np.uint64]

TOKENS = ("code", *PLAIN_TOKENISERS)
"""The kinds of tokens of lexical measures: leaves of the syntax tree, or plain tokens."""


def token_ids(
    source: Source, tokens: str = "code", *, comments: bool = False, lowercase: bool = False
) -> Ids:
    """Identities of the tokens of a source, cached with it.

    Parameters
    ----------
    source : Source
        The text.
    tokens : str
        ``code`` for the leaves of the syntax tree, or one of the plain tokenisers.
    comments : bool
        Whether comments and docstrings count among the tokens of code.
    lowercase : bool
        Whether plain tokens are lowercased.
    """
    key = ("token ids", tokens, comments, lowercase)
    kept = source._kept.get(key)  # inlined `remember`: this is the hot path of every job
    if kept is not None:
        ids: Ids = kept
        return ids
    if tokens == "code":
        ids = source.tokens_with(comments=comments).ids
    else:
        ids = plain_token_ids(tokens, source.text.lower() if lowercase else source.text)
    source._kept[key] = ids
    return ids


def line_ids(source: Source) -> Ids:
    """Identities of the lines of a text, without line ends."""
    return source.remember("line ids", lambda: string_ids(source.text.splitlines()))


def line_starts(source: Source, *, comments: bool = False) -> npt.NDArray[np.int32]:
    """The first token of each line in which a token begins."""
    key = ("line starts", comments)
    return source.remember(key, lambda: token_line_starts(source.tokens_with(comments=comments)))


def f1(precision: float, recall: float) -> float:
    """The harmonic mean, 0 if both are 0."""
    total = precision + recall
    return 2 * precision * recall / total if total > 0 else 0.0
