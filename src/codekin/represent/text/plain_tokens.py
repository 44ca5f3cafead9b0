"""Tokenisers of plain text, as used by other packages."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.errors import CodekinError

__all__ = ["PLAIN_TOKENISERS", "plain_token_ids", "string_ids"]

Ids = npt.NDArray[np.uint64]


def string_ids(strings: Sequence[str]) -> Ids:
    """The 64-bit identities of strings, the same as for tokens of code."""
    return _native.string_ids(strings)


def _international(text: str) -> list[str]:
    """Tokens by the international rules of mteval-v14: punctuation and symbols are separate.

    A punctuation mark between two numbers stays with them.
    """
    text = text.rstrip()
    text = _separated(text, after=True)
    text = _separated(text, after=False)
    return "".join(f" {c} " if unicodedata.category(c).startswith("S") else c for c in text).split()


def _separated(text: str, *, after: bool) -> str:
    """Separate punctuation that follows (or precedes) anything but a number.

    Pairs are found from left to right and do not overlap.
    """
    kinds = [unicodedata.category(c)[0] for c in text]
    out = []
    i = 0
    while i < len(text):
        mark, neighbour = (i + 1, i) if after else (i, i + 1)
        if i + 1 < len(text) and kinds[mark] == "P" and kinds[neighbour] != "N":
            pair = f"{text[i]} {text[i + 1]} " if after else f" {text[i]} {text[i + 1]}"
            out.append(pair)
            i += 2
        else:
            out.append(text[i])
            i += 1
    return "".join(out)


PLAIN_TOKENISERS: dict[str, Callable[[str], Ids]] = {
    "split": _native.word_ids,
    "13a": _native.ids_13a,
    "char": lambda text: _native.character_ids(text, False),
    "intl": lambda text: string_ids(_international(text)),
}
"""``split``: at whitespace; ``13a``, ``intl``: as mteval-v13a, -v14; ``char``: characters."""


def plain_token_ids(name: str, text: str) -> Ids:
    """The identities of a text's tokens under one of the plain tokenisers.

    Examples
    --------
    >>> len(plain_token_ids("13a", "f(x, 1.5)"))
    6
    """
    try:
        tokeniser = PLAIN_TOKENISERS[name]
    except KeyError:
        known = ", ".join(PLAIN_TOKENISERS)
        raise CodekinError(f"unknown tokens {name!r} (known: code, {known})") from None
    return tokeniser(text)
