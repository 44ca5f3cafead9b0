"""The n-grams that programs of a language share trivially: counted, ranked, and as shipped."""

from __future__ import annotations

import heapq
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources

__all__ = ["Ngram", "NgramCounts", "most_frequent", "shipped_ngrams"]

Ngram = tuple[str, ...]


class NgramCounts:
    """How often each n-gram of a corpus occurs, in bounded memory.

    When more than `limit` distinct n-grams are held, those seen least often are forgotten: once
    seen first, then, if that is not enough, twice seen, and so on. An n-gram among the most
    frequent of a corpus that large is seen too often to be touched by that.

    Parameters
    ----------
    order : int
        The longest n-grams that are counted.
    limit : int
        How many distinct n-grams are held at most between two texts.

    Attributes
    ----------
    tokens : int
        The tokens counted so far.
    counts : Counter
        The n-grams with their number of occurrences.

    Examples
    --------
    >>> counts = NgramCounts(order=2)
    >>> counts.add(["f", "(", ")"])
    >>> counts.add(["g", "(", ")"])
    >>> most_frequent(counts.counts, 3)
    (('(',), (')',), ('(', ')'))
    """

    def __init__(self, order: int = 4, limit: int = 4_000_000) -> None:
        self.order = order
        self.limit = limit
        self.tokens = 0
        self.counts: Counter[Ngram] = Counter()

    def add(self, texts: Sequence[str]) -> None:
        """Count the n-grams of one text, given as its tokens."""
        self.tokens += len(texts)
        for n in range(1, self.order + 1):
            self.counts.update(zip(*(texts[i:] for i in range(n)), strict=False))
        rare = 0
        while len(self.counts) > self.limit:
            rare += 1
            self.counts = Counter({g: count for g, count in self.counts.items() if count > rare})


def most_frequent(frequencies: Mapping[Ngram, float], k: int) -> tuple[Ngram, ...]:
    """The `k` most frequent n-grams; equally frequent ones shorter first, then by their texts."""
    ranked = heapq.nsmallest(
        k, frequencies.items(), key=lambda item: (-item[1], len(item[0]), item[0])
    )
    return tuple(ngram for ngram, _ in ranked)


@cache
def shipped_ngrams(language: str) -> tuple[Ngram, ...]:
    """The most frequent n-grams of open code in a language, most frequent first.

    Languages without a file of their own, those of entry points, have none.
    """
    file = resources.files("codekin") / "data" / "trivial_ngrams" / f"{language}.json"
    if not file.is_file():
        return ()
    table = json.loads(file.read_text(encoding="utf-8"))
    return tuple(tuple(ngram) for ngram in table["ngrams"])
