"""Algorithm 1 of AbsBigCloneBench: how alike the names of different functionalities are."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import ClassVar, NamedTuple

from codekin.corpora.corpus import Corpus
from codekin.corpora.each_snippet import each_snippet
from codekin.errors import CodekinError
from codekin.languages import NameRole
from codekin.results import Column, Grid, Result
from codekin.rewrite.identifiers import identifiers
from codekin.source import Source

__all__ = [
    "MIN_SNIPPETS",
    "NAMED",
    "FunctionalityNames",
    "NameOverlap",
    "NamePair",
    "name_overlap",
    "overlap_of",
    "snippet_names",
]

NAMED = frozenset(
    {
        NameRole.VARIABLE,
        NameRole.TYPE,
        NameRole.RECEIVER,
        NameRole.CALL,
        NameRole.FUNCTION,
        NameRole.MEMBER,
        NameRole.EXTERNAL,
    }
)
"""Identifiers whose names count: of types, variables, members, functions and calls."""
MIN_SNIPPETS = 20
"""Functionalities with fewer snippets are small by default."""


@dataclass(frozen=True)
class FunctionalityNames:
    """The most frequent names of a functionality.

    Attributes
    ----------
    functionality : str
    snippets : int
    names : tuple of (str, int)
        Names and the number of snippets that have them, most frequent first.
    """

    functionality: str
    snippets: int
    names: tuple[tuple[str, int], ...]


class NamePair(NamedTuple):
    """The Jaccard similarity of the most frequent names of two functionalities."""

    functionality: str
    other: str
    jaccard: float


@dataclass(frozen=True)
class NameOverlap(Result):
    """How alike the most frequent names of different functionalities are.

    Attributes
    ----------
    corpus : str
    top : int
        How many names of each functionality are compared.
    min_snippets : int
        Functionalities with fewer snippets are small: their names are frequent by chance.
    functionalities : tuple of FunctionalityNames
        The largest first.
    """

    computed: ClassVar = {
        "mean": "mean",
        "mean_without_small": "mean_without_small",
        "pairs": "pairs",
    }

    corpus: str
    top: int
    min_snippets: int
    functionalities: tuple[FunctionalityNames, ...]

    @property
    def large(self) -> tuple[FunctionalityNames, ...]:
        """The functionalities that are not small."""
        return tuple(one for one in self.functionalities if one.snippets >= self.min_snippets)

    @property
    def small(self) -> tuple[FunctionalityNames, ...]:
        """The functionalities that have fewer than `min_snippets` snippets."""
        return tuple(one for one in self.functionalities if one.snippets < self.min_snippets)

    @property
    def pairs(self) -> tuple[NamePair, ...]:
        """The similarity of the names of every two functionalities."""
        return tuple(_pairs(self.functionalities))

    @property
    def mean(self) -> float:
        """The mean similarity of all pairs; nan with fewer than two functionalities."""
        return _mean(self.pairs)

    @property
    def mean_without_small(self) -> float:
        """The mean similarity of the pairs without a small functionality."""
        return _mean(_pairs(self.large))

    def grids(self) -> list[Grid]:
        """The mean, the most frequent names, and the similarity of every pair."""
        parts = [("all", self.functionalities, self.mean)]
        if self.small:
            large = f"with at least {self.min_snippets} snippets"
            parts.append((large, self.large, self.mean_without_small))
        cells = tuple((name, len(of), math.comb(len(of), 2), mean) for name, of, mean in parts)
        columns = ("functionalities", "number", "pairs", Column("mean Jaccard", "mean", digits=3))
        names = tuple(
            (one.functionality, one.snippets, _listed(one.names)) for one in self.functionalities
        )
        return [
            Grid("Overlap of names", columns, cells),
            Grid("Most frequent names", ("functionality", "snippets", "names"), names),
            Grid(
                "Pairs of functionalities",
                ("functionality", "other", Column("Jaccard", "jaccard", digits=3)),
                self.pairs,
                keys=2,
            ),
        ]

    def notes(self) -> list[str]:
        """How names are counted, and which functionalities are small."""
        found = [
            f"The {self.top} names that most snippets of a functionality have; ties are broken by "
            "name. Keywords, primitive types and literals do not count."
        ]
        if self.small:
            few = ", ".join(f"{one.functionality} ({one.snippets})" for one in self.small)
            found.append(
                f"Fewer than {self.min_snippets} snippets, so that the names of a few authors "
                f"decide: {few}."
            )
        return found


def name_overlap(
    corpus: Corpus, *, top: int = 20, min_snippets: int = MIN_SNIPPETS, workers: int | None = None
) -> NameOverlap:
    r"""How alike the most frequent names of different functionalities are.

    If snippets of different functionalities have other names, a detector may tell them apart by
    names alone. Abstraction makes names more alike.

    Parameters
    ----------
    corpus : Corpus
        Snippets count for each functionality that they have; those that were judged to lack it
        do not.
    top : int
        How many names of each functionality are compared.
    min_snippets : int
        There is a second mean without functionalities that have fewer snippets.
    workers : int, optional
        Worker processes (default: one per core if there is much to do); 0 computes in this
        process.

    References
    ----------
    Yu et al., Assessing and improving an evaluation dataset for detecting semantic code clones via
    deep learning, TOSEM 31(4), 2022, algorithm 1.

    Examples
    --------
    >>> from codekin.corpora.snippets import Role, Snippet
    >>> code = {"sum": "int f(int a) { return a + b; }", "max": "int f(int a) { return g(a); }"}
    >>> snippets = [Snippet(k, "java", text, (Role(k),)) for k, text in code.items()]
    >>> name_overlap(Corpus("two", tuple(snippets))).mean
    0.5
    """
    if top < 1 or min_snippets < 1:
        raise CodekinError("top and min_snippets must be at least 1")
    named = [one for one in corpus.snippets if one.functionalities]
    if not named:
        raise CodekinError(f"{corpus.name}: no snippet has a functionality whose names to compare")
    found = each_snippet(snippet_names, named, workers=workers, where=corpus.name)
    return overlap_of(replace(corpus, snippets=tuple(named), pairs=None), found, top, min_snippets)


def overlap_of(
    corpus: Corpus, names: Iterable[Iterable[str]], top: int = 20, min_snippets: int = MIN_SNIPPETS
) -> NameOverlap:
    """:func:`name_overlap` of snippets whose names are known."""
    counts: dict[str, Counter[str]] = {}
    sizes: Counter[str] = Counter()
    for snippet, mine in zip(corpus.snippets, names, strict=True):
        for functionality in snippet.functionalities:
            sizes[functionality] += 1
            counts.setdefault(functionality, Counter()).update(mine)
    order = sorted(sizes, key=lambda one: (-sizes[one], one))
    tables = [
        FunctionalityNames(one, sizes[one], tuple(_most_frequent(counts[one], top)))
        for one in order
    ]
    return NameOverlap(corpus.name, top, min_snippets, tuple(tables))


def snippet_names(language: str, code: str, source: Source | None = None) -> list[str]:
    """The different names of a snippet, sorted; `source` is the snippet where it is parsed."""
    found = identifiers(Source(code, language) if source is None else source)
    return sorted({one.text for one in found if one.role in NAMED})


def _most_frequent(counts: Counter[str], top: int) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:top]


def _pairs(functionalities: Sequence[FunctionalityNames]) -> Iterator[NamePair]:
    sets = [{name for name, _ in one.names} for one in functionalities]
    for i, j in combinations(range(len(sets)), 2):
        union = sets[i] | sets[j]
        value = len(sets[i] & sets[j]) / len(union) if union else 1.0
        yield NamePair(functionalities[i].functionality, functionalities[j].functionality, value)


def _mean(pairs: Iterable[NamePair]) -> float:
    values = [one.jaccard for one in pairs]
    return math.fsum(values) / len(values) if values else math.nan


def _listed(names: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{name} ({count:,})" for name, count in names)
