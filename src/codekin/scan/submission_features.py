"""The features by which submissions are compared, with their places and their rarity in a class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Self

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.errors import CodekinError
from codekin.measures.kin import FAMILY_WEIGHTS, program_parts
from codekin.represent.graph.canonical import canonical_graph
from codekin.represent.graph.features import (
    MAX_OCCURRENCES,
    Family,
    families_of,
    shown_words,
    words_of,
)
from codekin.scan.hidden_names import NameHider
from codekin.scan.scanned_files import NOTEBOOK, LeftOutFile
from codekin.scan.submission_files import StudentCode, below
from codekin.source import Source

__all__ = [
    "ClassCode",
    "ClassFeatures",
    "FeatureCounts",
    "FeatureRarity",
    "PlacedFeatures",
    "ProgramFeatures",
    "TooManyEdgesError",
    "feature_names",
    "placed_features",
]

_SEQUENCE = len(Family)
"""The number of the family of stretches of tokens, in languages without graphs."""
_LENGTH = 4
"""Tokens of a stretch."""
_STUDENT_EDGES, _CLASS_EDGES = 20_000_000, 200_000_000
"""The most edges of graphs that are read; programs seldom have more than one per byte."""
_WEIGHTS = np.array([*(FAMILY_WEIGHTS[family] for family in Family), 1.0])

Ids = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PlacedFeatures:
    """The features of one family, in the order of a program's nodes or tokens.

    Attributes
    ----------
    family : int
    features : uint64 array
        Without their family.
    starts : int32 array
        The byte at which the code of each begins.
    """

    family: int
    features: Ids
    starts: npt.NDArray[np.int32]

    @property
    def numbered(self) -> Ids:
        """Each feature with its family, as the first occurrence in a set of features."""
        once, place = np.unique(self.features, return_inverse=True)
        return _native.numbered_features(self.family, once)[place]


def placed_features(source: Source) -> list[PlacedFeatures]:
    """The features of a source by family: of its graph and tokens, or of tokens alone."""
    parts = program_parts(source)
    words = words_of(parts)
    starts = parts.tokens.starts[words.places]
    tokens = PlacedFeatures(int(Family.TOKEN), words.ids, starts)
    if parts.graph is not None:
        canonical = canonical_graph(parts.graph)
        where = parts.graph.start[canonical.nodes]
        bags = canonical.bags()
        return [*(PlacedFeatures(int(bag.family), bag.features, where) for bag in bags), tokens]
    if len(words.ids) < _LENGTH:
        return [tokens]
    factors = np.array([3, 5, 7, 11], np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    stretches = np.lib.stride_tricks.sliding_window_view(words.ids, _LENGTH)
    mixed = (stretches ^ (stretches >> np.uint64(29))) * factors
    sums = mixed.sum(axis=1, dtype=np.uint64)
    return [tokens, PlacedFeatures(_SEQUENCE, sums, starts[: len(sums)])]


def feature_names(source: Source) -> list[list[str]]:
    """The names of what :func:`placed_features` returns, in the same order.

    Examples
    --------
    >>> *graph, tokens = feature_names(Source("y = 2 * x", "python"))
    >>> graph[1], tokens
    (['entry ← nothing', '2 ← nothing', '* ← 2'], ['`·`', '`=`', '`2`', '`*`'])
    """
    parts = program_parts(source)
    words = shown_words(words_of(parts), parts.tokens)
    tokens = [f"`{word}`" for word in words]
    if parts.graph is not None:
        names = canonical_graph(parts.graph).names().values()
        return [*([name for name, _ in found] for found in names), tokens]
    if len(words) < _LENGTH:
        return [tokens]
    count = len(words) - _LENGTH + 1
    return [tokens, [f"`{' '.join(words[i : i + _LENGTH])}`" for i in range(count)]]


@dataclass(frozen=True, eq=False)
class FeatureCounts:
    """The features of some code by family: each once, sorted, with the number of occurrences."""

    features: dict[int, Ids]
    counts: dict[int, Ints]

    @classmethod
    def of(cls, bags: Iterable[tuple[int, Ids]]) -> Self:
        """Those of bags of features, each with its family."""
        of_family: dict[int, list[Ids]] = {}
        for family, features in bags:
            of_family.setdefault(family, []).append(features)
        found = {
            family: np.unique(np.concatenate(arrays), return_counts=True)
            for family, arrays in of_family.items()
        }
        return cls(
            {family: pair[0] for family, pair in found.items()},
            {family: pair[1] for family, pair in found.items()},
        )

    def without(self, other: FeatureCounts) -> FeatureCounts:
        """What is left if each occurrence in other code takes one away."""
        left = {}
        for family, features in self.features.items():
            counts = self.counts[family]
            left[family] = counts - np.minimum(counts, other.count(family, features))
        return FeatureCounts(self.features, left)

    def count(self, family: int, features: Ids) -> Ints:
        """How often each of some features of a family occurs."""
        known = self.features.get(family)
        if known is None or not len(known):
            return np.zeros(len(features), np.int64)
        place = np.minimum(np.searchsorted(known, features), len(known) - 1)
        return np.where(known[place] == features, self.counts[family][place], 0)

    def numbered(self) -> tuple[Ids, npt.NDArray[np.uint8]]:
        """The set in which the k-th occurrence of a feature is a separate feature."""
        pairs = [
            (family, np.repeat(features, np.minimum(self.counts[family], MAX_OCCURRENCES)))
            for family, features in self.features.items()
        ]
        return _native.feature_set(pairs, MAX_OCCURRENCES)


@dataclass(frozen=True, eq=False)
class ProgramFeatures:
    """The features of a program, and of each of its files; all cells of a notebook are one file."""

    whole: FeatureCounts
    files: Mapping[str, FeatureCounts]


def _file_of(name: str) -> str:
    """The file of a text, which may be a cell of a notebook."""
    file, mark, _ = name.rpartition("#")
    return file if mark and file.lower().endswith(NOTEBOOK) else name


class TooManyEdgesError(Exception):
    """The graphs of a student, or of the class, have more edges than are read."""


@dataclass(frozen=True, eq=False)
class _AnalysedText:
    """What is kept of a text: its features, or why it has none."""

    bags: tuple[tuple[int, Ids], ...]
    edges: int
    has_problems: bool
    failure: str


class ClassFeatures:
    """Reads the features of the students of a class, those of equal texts once.

    Parameters
    ----------
    sources : iterable of Source
        All that are going to be read.
    left_out : list of LeftOutFile
        Where texts that cannot be analysed are added.
    """

    def __init__(self, sources: Iterable[Source], left_out: list[LeftOutFile]) -> None:
        counted = Counter((source.language.name, source.text) for source in sources)
        self._repeated = {key for key, count in counted.items() if count > 1}
        self._known: dict[tuple[str, str], _AnalysedText] = {}
        self._left_out = left_out
        self._edges = 0
        self.unparsed: list[str] = []
        """Texts with places that do not parse."""

    def of(self, sources: Sequence[tuple[str, Source]]) -> ProgramFeatures:
        """The features of some code; a text that cannot be analysed is left out.

        Raises
        ------
        TooManyEdgesError
            If it would take too long, as that of few programs does.
        """
        bags: dict[str, list[tuple[int, Ids]]] = {}
        edges = 0
        for name, source in sources:
            if self._edges > _CLASS_EDGES:
                most = f"{_CLASS_EDGES:,} edges"
                raise TooManyEdgesError(f"the class has graphs with more than {most}")
            text = self._analysed(source)
            edges += text.edges
            if edges > _STUDENT_EDGES:
                raise TooManyEdgesError(f"graphs with more than {_STUDENT_EDGES:,} edges")
            if text.failure:
                self._left_out.append(LeftOutFile(name, "unreadable", text.failure))
            self.unparsed += [name] if text.has_problems else []
            bags.setdefault(_file_of(name), []).extend(text.bags)
        return ProgramFeatures(
            FeatureCounts.of(bag for mine in bags.values() for bag in mine),
            {name: FeatureCounts.of(mine) for name, mine in bags.items()},
        )

    def _analysed(self, source: Source) -> _AnalysedText:
        key = (source.language.name, source.text)
        text = self._known.get(key)
        if text is None:
            text = _analysed_text(source)
            self._edges += text.edges
            if key in self._repeated:
                self._known[key] = text
        return text


def _analysed_text(source: Source) -> _AnalysedText:
    bags: tuple[tuple[int, Ids], ...] = ()
    edges, failure = 0, ""
    try:
        graph = program_parts(source).graph
        edges = 0 if graph is None else len(graph.source)
        bags = tuple((placed.family, placed.features) for placed in placed_features(source))
    except (CodekinError, RecursionError, MemoryError) as error:
        failure = f"cannot be analysed: {error}"
    return _AnalysedText(bags, edges, source.was_parsed_with_problems, failure)


@dataclass(frozen=True, eq=False)
class FeatureRarity:
    """How many students of a class have each feature.

    Attributes
    ----------
    known : uint64 array
        The features of a class, ascending.
    having : int64 array
        The number of students with each.
    students : int
    """

    known: Ids
    having: Ints
    students: int

    @classmethod
    def of(cls, features_of_students: Iterator[Ids], students: int) -> Self:
        """Count them, from the features of each student."""
        every = [np.unique(features) for features in features_of_students]
        known, having = np.unique(np.concatenate(every), return_counts=True)
        return cls(known, having, students)

    def students_with(self, features: Ids) -> Ints:
        """The number of students who have each of some features."""
        place = np.minimum(np.searchsorted(self.known, features), len(self.known) - 1)
        return np.where(self.known[place] == features, self.having[place], 0)

    def weights(self, features: Ids) -> Floats:
        """The weight of a first occurrence of each of some features.

        What two students have weighs as much as what one has: a copy shall not make it common.
        """
        having = np.maximum(self.students_with(features), 2)
        rarity = np.log((self.students + 1 / 2) / (having + 1 / 8))
        return np.asarray(self.family_weights(features) * rarity)

    @staticmethod
    def family_weights(features: Ids) -> Floats:
        """The weight of each of some features before its rarity."""
        return np.asarray(_WEIGHTS[families_of(features)])


@dataclass(frozen=True, eq=False)
class ClassCode:
    """The code of a class, from which evidence is read.

    Attributes
    ----------
    folders : tuple of str
        The paths that those of files begin with: of the class, and of old submissions.
    everyone : frozenset of str
        The names of all students, also of those without code to compare.
    students : tuple of StudentCode
    rarity : FeatureRarity
    starter : FeatureCounts
        Of the template.
    template : tuple of Source
    hider : NameHider or None
        Hides the names of students.
    """

    folders: tuple[str, ...]
    everyone: frozenset[str]
    students: tuple[StudentCode, ...]
    rarity: FeatureRarity
    starter: FeatureCounts
    template: tuple[Source, ...] = ()
    hider: NameHider | None = None

    def shown(self, path: str) -> str:
        """A path below the folder of its student; with the folder's name if there are several."""
        folder, inner = below(self.folders, path)
        if not inner:
            return path
        return f"{PurePath(folder).name}/{inner}" if len(self.folders) > 1 else inner
