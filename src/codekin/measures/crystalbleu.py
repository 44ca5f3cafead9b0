"""crystalbleu: BLEU without the n-grams that any two programs of a language share."""

from __future__ import annotations

import hashlib
import heapq
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib import resources
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.errors import CodekinError
from codekin.languages import Language
from codekin.measures.base import CorpusMeasure, Explanation, check_choice, check_range
from codekin.measures.bleu import (
    SMOOTHING,
    bleu_value,
    closest_length,
    explain_ngrams,
    nothing_to_count,
)
from codekin.measures.highlight import ngram_levels, spans_of_tokens
from codekin.measures.units import TOKENS, Ids, token_ids
from codekin.represent.text.plain_tokens import string_ids
from codekin.source import Source, sources_of_one_language

__all__ = [
    "CrystalBleu",
    "Ngram",
    "NgramCounts",
    "TrivialNgrams",
    "checked_ngrams",
    "most_frequent",
    "shipped_ngrams",
]

Ngram = tuple[str, ...]


class NgramCounts:
    """How often each n-gram of a corpus occurs, in bounded memory.

    When there are more than `limit` distinct n-grams, the least frequent ones are dropped: those
    seen once, then, if necessary, those seen twice, and so on. The most frequent n-grams of such a
    large corpus are never affected.

    Parameters
    ----------
    order : int
        The longest n-grams that are counted.
    limit : int
        The maximum number of distinct n-grams kept between two texts.

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
    """The `k` most frequent n-grams; ties go to shorter ones, then by their texts."""
    ranked = heapq.nsmallest(
        k, frequencies.items(), key=lambda item: (-item[1], len(item[0]), item[0])
    )
    return tuple(ngram for ngram, _ in ranked)


@cache
def shipped_ngrams(language: str) -> tuple[Ngram, ...]:
    """The most frequent n-grams of open code in a language, most frequent first.

    Languages from entry points have none.
    """
    file = resources.files("codekin") / "data" / "trivial_ngrams" / f"{language}.json"
    if not file.is_file():
        return ()
    table = json.loads(file.read_text(encoding="utf-8"))
    return tuple(tuple(ngram) for ngram in table["ngrams"])


Ngrams = tuple[Ngram, ...]


def checked_ngrams(ngrams: Iterable[Sequence[str]], parameter: str) -> Ngrams:
    """The n-grams as tuples; a plain str raises an error, since it would be split into letters."""
    checked = []
    for ngram in ngrams:
        if isinstance(ngram, str) or not 1 <= len(ngram) <= 8:
            raise CodekinError(
                f"crystalbleu: {parameter} takes tuples of 1 to 8 tokens, such as ('(', ')'), "
                f"not {ngram!r}"
            )
        checked.append(tuple(ngram))
    return tuple(checked)


@dataclass(frozen=True, eq=False)
class TrivialNgrams:
    """A set of n-grams that do not count, with the kernel that finds them in a text."""

    ngrams: Ngrams

    @cached_property
    def fingerprint(self) -> str:
        """Eight hexadecimal digits that identify the set in signatures."""
        lines = sorted("\x1f".join(ngram) for ngram in self.ngrams)
        return hashlib.sha256("\x1e".join(lines).encode("utf-8", "surrogatepass")).hexdigest()[:8]

    @cached_property
    def _kernel(self) -> _native.NgramSet:
        kernel = _native.NgramSet()
        for ngram in self.ngrams:
            kernel.add(token_text_ids(ngram))
        return kernel

    def mask(self, ids: Ids) -> npt.NDArray[np.uint8]:
        """For each token, bit n-1 is set if the n-gram that begins there does not count."""
        return self._kernel.mask(ids)

    def __reduce__(self) -> tuple[Any, ...]:
        return TrivialNgrams, (self.ngrams,)  # the kernel is rebuilt

    def sorted_grams(
        self, source: Source, tokens: str, comments: bool, order: int
    ) -> _native.SortedGrams:
        """The n-grams of a source without those that do not count, cached with it."""
        key = ("trivial n-grams", self.fingerprint, tokens, comments, order)
        kept = source._kept.get(key)
        if kept is None:
            ids = token_ids(source, tokens, comments=comments)
            kept = source._kept[key] = _native.SortedGrams(ids, order, self.mask(ids))
        grams: _native.SortedGrams = kept
        return grams

    def statistics(
        self,
        candidate: Source,
        references: Sequence[Source],
        tokens: str,
        comments: bool,
        order: int,
    ) -> list[int]:
        """BLEU's statistics over the n-grams that count."""
        if len(references) == 1:
            return _native.merge_matches(
                self.sorted_grams(candidate, tokens, comments, order),
                self.sorted_grams(references[0], tokens, comments, order),
            )
        ids = token_ids(candidate, tokens, comments=comments)
        pool = [token_ids(r, tokens, comments=comments) for r in references]
        mask = self.mask
        counts = _native.clipped_matches(ids, pool, order, mask(ids), [mask(r) for r in pool])
        length = len(ids)
        return [length, closest_length(length, [len(r) for r in pool]), *counts]


def token_text_ids(texts: Sequence[str]) -> list[int]:
    """Identities of token texts as users write them; ``⏎ ⇥ ⇤`` are layout."""
    layout = {"⏎": 14 << 4 | 15, "⇥": 15 << 4 | 15, "⇤": 16 << 4 | 15}
    ids: list[int] = string_ids(texts).tolist()
    return [layout.get(text, number) for text, number in zip(texts, ids, strict=True)]


@dataclass(frozen=True, kw_only=True, repr=False)
class CrystalBleu(CorpusMeasure):
    """BLEU that ignores trivially shared n-grams [1]_.

    By default the 500 most frequent n-grams (n from 1 to 4) of open code in the language of the
    reference do not count; :meth:`fit` finds them in your own corpus. Orders with no n-grams left
    in the candidate are skipped; if none is left at all, all n-grams count, so that identical texts
    score 1.

    Parameters
    ----------
    order, smoothing, smoothing_value
        As for bleu.
    trivial : tuple of tuples of str, optional
        The n-grams that do not count.
    tokens : str
        ``code``, or ``split``, ``13a``, ``intl``, ``char``.
    comments : bool
        Whether comments and docstrings count.

    References
    ----------
    .. [1] Eghbali and Pradel, "CrystalBLEU: precisely and efficiently measuring the similarity
       of code", ASE 2022.

    Examples
    --------
    >>> from codekin import measure
    >>> plain = measure("bleu").score("f(x)", "g(x)", language="python")
    >>> crystal = measure("crystalbleu").score("f(x)", "g(x)", language="python")
    >>> crystal.value <= plain.value
    True
    """

    name: ClassVar[str] = "crystalbleu"
    summary: ClassVar[str] = "BLEU without the n-grams that all programs of a language share"
    order: int = 4
    smoothing: str = "exp"
    smoothing_value: float | None = None
    trivial: Ngrams | None = field(default=None, repr=False)
    tokens: str = "code"
    comments: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.name, "smoothing", self.smoothing, SMOOTHING)
        check_range(self.name, "smoothing_value", self.smoothing_value or 0, 0, 1e6)
        check_range(self.name, "order", self.order, 1, 8)
        check_choice(self.name, "tokens", self.tokens, TOKENS)
        if self.trivial is not None:
            object.__setattr__(self, "trivial", checked_ngrams(self.trivial, "trivial"))
        elif self.tokens != "code":
            raise CodekinError(
                "crystalbleu: the shipped n-grams are for code tokens; with other tokens, fit() a "
                "corpus or give trivial=[...]"
            )

    def signature(self, *sources: Source) -> str:
        """The common line, with a fingerprint of the n-grams that do not count."""
        line = super().signature(*sources)
        name, rest = line.split("|", 1)
        prints = dict.fromkeys(self._ignored(s).fingerprint for s in sources[-1:])
        return "|".join([name, *(f"trivial:{p}" for p in prints), rest])

    def _ignored(self, reference: Source) -> TrivialNgrams:
        if self.trivial is not None:
            return self._own
        return _shipped(reference.language)

    @cached_property
    def _own(self) -> TrivialNgrams:
        return TrivialNgrams(self.trivial or ())

    def statistics(self, candidate: Source, references: Sequence[Source]) -> list[int]:
        """Candidate length, closest reference length, matches and n-grams of each order."""
        ignored = self._ignored(references[0])
        counts = ignored.statistics(candidate, references, self.tokens, self.comments, self.order)
        if any(counts[2 + self.order :]):
            return counts
        return _NONE.statistics(candidate, references, self.tokens, self.comments, self.order)

    def from_statistics(self, statistics: Sequence[float]) -> tuple[float, dict[str, float]]:
        """The value and its parts from (summed) statistics."""
        if statistics[0] == 0 or statistics[1] == 0:
            return nothing_to_count(statistics)
        value, parts = bleu_value(
            statistics, self.smoothing, self.smoothing_value, effective=True, gaps=True
        )
        parts["counted_ngrams"] = sum(statistics[2 + self.order :])
        return value, parts

    def fit(
        self,
        corpus: Iterable[Source | str],
        k: int = 500,
        *,
        language: str | Language | None = None,
    ) -> CrystalBleu:
        """The same measure, ignoring the `k` most frequent n-grams of a corpus.

        Ties go to shorter n-grams, then in the order of their texts.
        """
        counts = NgramCounts(self.order)
        for text in corpus:
            counts.add(self._texts(sources_of_one_language([text], language)[0]))
        return replace(self, trivial=most_frequent(counts.counts, k))

    def _texts(self, source: Source) -> list[str]:
        if self.tokens == "code":
            return source.tokens_with(comments=self.comments).texts
        if self.tokens == "split":
            return source.text.split()
        raise CodekinError(f"crystalbleu: fit() needs code or split tokens, not {self.tokens!r}")

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Shade each token by the longest matched n-gram that covers it."""
        explanation = explain_ngrams(self, candidate, reference, self.order, self.comments)
        ignored = self._ignored(reference)
        mine, theirs = (s.tokens_with(comments=self.comments) for s in (candidate, reference))
        shaded = [
            spans_of_tokens(a, ngram_levels(a.ids, b.ids, self.order, ignored.mask(a.ids)))
            for a, b in ((mine, theirs), (theirs, mine))
        ]
        note = ("n-grams that do not count", f"{len(ignored.ngrams)} ({ignored.fingerprint})")
        return replace(
            explanation,
            candidate=shaded[0],
            reference=shaded[1],
            details=(*explanation.details, note),
        )


_NONE = TrivialNgrams(())
_SHIPPED: dict[str, TrivialNgrams] = {}


def _shipped(language: Language) -> TrivialNgrams:
    found = _SHIPPED.get(language.name)
    if found is None:
        found = _SHIPPED[language.name] = TrivialNgrams(shipped_ngrams(language.name))
    return found
