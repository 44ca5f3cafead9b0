"""Words of tokens: what languages share, without the names that a programmer gave to values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.languages.token_classes import TokenClass
from codekin.represent.flow_ir import OperationFlag
from codekin.represent.graph_labels import SAME_CALLS, constant_word
from codekin.represent.tokens import Tokens

__all__ = ["NAME", "TokenWords", "shown_words", "token_words"]

Ids = npt.NDArray[np.uint64]

NAME = "·"
"""The word for any name that is neither called nor a member."""

SAME_TOKENS = {
    **{"and": "&&", "or": "||", "not": "!", "elif": "if"},
    **{"True": "true", "False": "false", "None": "null", "NULL": "null", "nullptr": "null"},
}
"""Tokens that mean the same in other languages."""


def _table(words: dict[str, str]) -> tuple[Ids, Ids]:
    """Identities of texts, sorted, and of the words for them."""
    texts = _native.string_ids(list(words))
    order = np.argsort(texts)
    return texts[order], _native.string_ids(list(words.values()))[order]


_CALL_TABLE = _table({name: word for word, names in SAME_CALLS.items() for name in names})
_TOKEN_TABLE = _table(SAME_TOKENS)
_NAME_ID, _OPEN, _SEMICOLON = _native.string_ids([NAME, "(", ";"])
_BEFORE_MEMBERS = _native.string_ids([".", "->", "::", "?."])
_IDENTIFIER, _COMMENT = int(TokenClass.IDENTIFIER), int(TokenClass.COMMENT)
_LITERALS = {
    int(TokenClass.INTEGER): int(OperationFlag.NUMBER),
    int(TokenClass.FLOAT): int(OperationFlag.NUMBER),
    int(TokenClass.STRING): int(OperationFlag.STRING),
    int(TokenClass.CHARACTER): int(OperationFlag.STRING),
}


@dataclass(frozen=True, slots=True)
class TokenWords:
    """The tokens that count, and an identity of the word for each.

    Attributes
    ----------
    places : intp array
        Which tokens they are.
    ids : uint64 array
        Their words.
    """

    places: npt.NDArray[np.intp]
    ids: Ids


def token_words(tokens: Tokens) -> TokenWords:
    """The tokens without layout and semicolons, each as a word.

    A name that is called, or a member of something, stands for itself, library calls that mean the
    same as one; any other name is just a name. Constants are as in semantic graphs.
    """
    places = np.flatnonzero((tokens.classes < _COMMENT) & (tokens.ids != _SEMICOLON))
    ids, classes = tokens.ids[places], tokens.classes[places]
    named = classes == _IDENTIFIER
    called, member = named.copy(), named.copy()
    called[-1:] = False
    called[:-1] &= ids[1:] == _OPEN
    member[:1] = False
    member[1:] &= np.isin(ids[:-1], _BEFORE_MEMBERS)
    words = np.where(named, ids, _same(ids, _TOKEN_TABLE))
    words[named & ~member] = _NAME_ID
    words[called] = _same(ids[called], _CALL_TABLE)
    _put_literals(tokens, places, classes, words)
    return TokenWords(places, words)


def shown_words(tokens: Tokens) -> tuple[list[int], list[str]]:
    """The places of the tokens that count, and how their words are shown: names are taken out."""
    words = token_words(tokens)
    shown = [
        NAME if identity == _NAME_ID else tokens.texts[place]
        for place, identity in zip(words.places.tolist(), words.ids, strict=True)
    ]
    return words.places.tolist(), shown


def _same(ids: Ids, table: tuple[Ids, Ids]) -> Ids:
    """The words of a table for the identities that it has."""
    known, words = table
    at = np.minimum(np.searchsorted(known, ids), len(known) - 1)
    return np.where(known[at] == ids, words[at], ids)


def _put_literals(
    tokens: Tokens, places: npt.NDArray[np.intp], classes: npt.NDArray[np.uint8], words: Ids
) -> None:
    data, starts, ends = tokens.data, tokens.starts, tokens.ends
    for i in np.flatnonzero((classes >= TokenClass.INTEGER) & (classes <= TokenClass.CHARACTER)):
        place = places[i]
        words[i] = _literal(data[starts[place] : ends[place]], _LITERALS[int(classes[i])])


@lru_cache(maxsize=1 << 14)
def _literal(text: bytes, flags: int) -> np.uint64:
    word = constant_word(text.decode("utf-8", "surrogatepass"), flags)
    identity: np.uint64 = _native.string_ids([word])[0]
    return identity
