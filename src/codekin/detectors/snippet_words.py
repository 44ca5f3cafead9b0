"""What two snippets can share by name: subwords, numbers, words of texts, characters; how rare."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.corpora.name_overlap import NAMED
from codekin.languages import TokenClass
from codekin.measures.kin import FeatureVector, Kin, whole_weights
from codekin.rewrite.identifiers import identifiers
from codekin.source import Source

__all__ = ["CHANNELS", "RarityTable", "SnippetWords", "count_words", "snippet_words"]

CHANNELS = ("names", "numbers", "texts", "characters")
"""What is compared by words; operations are compared by kin."""

Ids = npt.NDArray[np.uint64]

_SCRIPTS = frozenset({"python"})
"""Languages whose programs are statements."""
_SUBWORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_TEXT_WORD = re.compile(r"[A-Za-z]{2,}")
_GRAM = 3
"""Characters of a word of the channel ``characters``."""
_LEAST = {"characters": 8}
"""The fewest snippets of words that are kept; 2 in other channels."""
_COMMON = {"characters": 1.0}
"""The rarity below which words count for nothing, as nearly half of all snippets have them."""
_RAREST = 100.0
"""More than minus the logarithm of any share of snippets."""
_NUMBERS = frozenset({TokenClass.INTEGER, TokenClass.FLOAT, TokenClass.CHARACTER})
_TEXTS = frozenset({TokenClass.STRING, TokenClass.DOCSTRING})


class SnippetWords(NamedTuple):
    """What a snippet has to compare.

    Attributes
    ----------
    operations : FeatureVector
        Of kin.
    words : tuple of uint64 arrays
        The hashes of its words in each of `CHANNELS`, ascending, each once.
    is_program : bool
        Whether it has where a program begins: a function ``main`` or, in Python, statements outside
        of functions.
    """

    operations: FeatureVector
    words: tuple[Ids, ...]
    is_program: bool


@cache
def _kin() -> Kin:
    return Kin()


def snippet_words(language: str, code: str) -> SnippetWords | None:
    """What a snippet has to compare; None where it has no code.

    Examples
    --------
    >>> found = snippet_words("java", 'int maxValue(int a) { return get("some text", 10); }')
    >>> [len(one) for one in found.words], found.is_program
    ([3, 1, 2, 42], False)
    """
    source = Source(code, language)
    if not len(source.tokens):
        return None
    names, is_program = _names(source)
    numbers: set[str] = set()
    texts: set[str] = set()
    for kind, text in zip(source.tokens.classes, source.tokens.texts, strict=True):
        if kind in _NUMBERS:
            numbers.add(text)
        elif kind in _TEXTS:
            texts.update(word.lower() for word in _TEXT_WORD.findall(text))
    # Without layout and comments.
    code = "".join(source.tokens.texts).lower()
    grams = {code[i : i + _GRAM] for i in range(len(code) - _GRAM + 1)}
    words = tuple(_hashes(one) for one in (names, numbers, texts, grams))
    return SnippetWords(_kin().vector(source), words, is_program)


def _names(source: Source) -> tuple[set[str], bool]:
    """The subwords of names, of two letters at least, and whether the snippet is a program."""
    if source.language.names is None:
        tokens = source.tokens
        kinds = (TokenClass.IDENTIFIER, TokenClass.TYPE)
        names = [
            text for kind, text in zip(tokens.classes, tokens.texts, strict=True) if kind in kinds
        ]
        is_program = False
    else:
        found = identifiers(source)
        names = [one.text for one in found if one.role in NAMED]
        if source.language.name in _SCRIPTS:
            is_program = not any(one.own for one in found)
        else:
            is_program = any(one.declares and one.text == "main" for one in found)
    subwords = {word.lower() for name in names for word in _SUBWORD.findall(name)}
    return {word for word in subwords if len(word) > 1}, is_program


def _hashes(words: Iterable[str]) -> Ids:
    return np.unique(_native.string_ids(sorted(words)))


@dataclass(frozen=True, eq=False)
class RarityTable:
    """How rare the words of a channel are.

    Attributes
    ----------
    ids : uint64 array
        The hashes of words that are known, ascending.
    rarity : float32 array
        Minus the logarithm of the share of snippets that have each; 0 for words that do not count.
    unknown : float
        The rarity of any other word.
    """

    ids: Ids
    rarity: npt.NDArray[np.float32]
    unknown: float

    def check(self) -> None:
        """Refuse a table that was not counted by :func:`count_words`."""
        if self.ids.dtype != np.uint64 or self.rarity.dtype != np.float32:
            raise ValueError("a table of words has numbers of other types")
        if self.ids.ndim != 1 or self.ids.shape != self.rarity.shape:
            raise ValueError("a table of words has not a rarity for each")
        if (self.ids[1:] <= self.ids[:-1]).any():
            raise ValueError("a table of words is not ascending")
        if not all(0 <= value < _RAREST for value in (self.rarity.min(initial=0), self.unknown)):
            raise ValueError("a table of words has rarities below 0")
        if not self.rarity.max(initial=0) < _RAREST:
            raise ValueError("a table of words has rarities that are not logarithms")

    def vector(self, words: Ids) -> FeatureVector:
        """Words with their rarities as weights."""
        place = np.searchsorted(self.ids, words)
        known = place < len(self.ids)
        known[known] = self.ids[place[known]] == words[known]
        rarity = np.full(len(words), self.unknown)
        rarity[known] = self.rarity[place[known]]
        words, rarity = words[rarity > 0], rarity[rarity > 0]
        weights = whole_weights(rarity)
        return FeatureVector(words, weights, (int(weights.sum()),))

    def joined(self, other: RarityTable) -> RarityTable:
        """Each word as rare as in that table of both in which it is more common."""
        ids = np.union1d(self.ids, other.ids)
        rarity = np.full(len(ids), max(self.unknown, other.unknown), np.float32)
        for table in (self, other):
            place = np.searchsorted(ids, table.ids)
            rarity[place] = np.minimum(rarity[place], table.rarity)
        return RarityTable(ids, rarity, max(self.unknown, other.unknown))


def count_words(snippets: Sequence[SnippetWords], channel: int) -> RarityTable:
    """How rare the words of a channel are in some snippets.

    Programs and single functions are counted apart, and a word is as rare as where it is most
    common: what every program does to read its input says nothing about any of them.

    Parameters
    ----------
    snippets : sequence of SnippetWords
    channel : int
        A place in `CHANNELS`.
    """
    name = CHANNELS[channel]
    tables = []
    most = 1
    for is_program in (False, True):
        chosen = [one.words[channel] for one in snippets if one.is_program == is_program]
        most = max(most, len(chosen))
        if chosen:
            ids, counts = np.unique(np.concatenate(chosen), return_counts=True)
            tables.append((ids, counts, (counts + 1) / (len(chosen) + 1)))
    unknown = float(-np.log(1 / (most + 1)))
    if not tables:
        return RarityTable(np.zeros(0, np.uint64), np.zeros(0, np.float32), unknown)
    every = np.unique(np.concatenate([ids for ids, _, _ in tables]))
    total, share = np.zeros(len(every), np.int64), np.zeros(len(every))
    for ids, counts, shares in tables:
        place = np.searchsorted(every, ids)
        total[place] += counts
        share[place] = np.maximum(share[place], shares)
    kept = total >= _LEAST.get(name, 2)
    rarity = np.maximum(-np.log(share[kept]), 0).astype(np.float32)
    rarity[rarity < _COMMON.get(name, 0.0)] = 0.0
    return RarityTable(every[kept], rarity, unknown)
