"""kin: the operations, dependences and tokens that two programs share, weighted by rarity."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.errors import CodekinError
from codekin.languages import Language
from codekin.measures.background import Background, BackgroundCounts, shipped_background
from codekin.measures.base import Explanation, Measure, Score, Span, check_choice
from codekin.measures.highlight import spans_of_tokens
from codekin.represent.graph.features import (
    Family,
    ProgramParts,
    families_of,
    feature_bags,
    feature_set,
    graph_names,
    token_names,
)
from codekin.represent.graph.semantic_graph import SemanticGraph
from codekin.represent.text.tokens import Tokens
from codekin.source import Source, semantic_graph, sources_of_one_language

if TYPE_CHECKING:
    import scipy.sparse

__all__ = [
    "FAMILY_WEIGHTS",
    "WEIGHT_SCALE",
    "FeatureRows",
    "FeatureVector",
    "Kin",
    "ProgramSide",
    "feature_rows",
    "features_of",
    "program_parts",
    "whole_weights",
]

Ids = npt.NDArray[np.uint64]
Sums = npt.NDArray[np.int64]
Weight = TypeVar("Weight", int, Sums)


@dataclass(frozen=True, slots=True)
class FeatureVector:
    """The features of a program with their weights.

    Attributes
    ----------
    features : uint64 array
        Its features, ascending.
    weights : int32 array
        The weight of each; a feature has the same weight in all programs.
    totals : tuple of int
        The sum of the weights of each family.
    """

    features: Ids
    weights: npt.NDArray[np.int32]
    totals: tuple[int, ...]

    @property
    def total(self) -> int:
        """The sum of all weights."""
        return sum(self.totals)


@dataclass(frozen=True, slots=True)
class FeatureRows:
    """Programs as rows of a sparse matrix with a column for each feature of any of them.

    Attributes
    ----------
    offsets : int64 array
        Where each row begins in `columns`, and the end of the last.
    columns : int32 array
        Indices into `features`.
    features : uint64 array
        The feature of each column, ascending.
    weights : int32 array
        The weight of each column.
    totals : int64 array
        The sum of the weights of each row.
    """

    offsets: Sums
    columns: npt.NDArray[np.int32]
    features: Ids
    weights: npt.NDArray[np.int32]
    totals: Sums

    def all_shared(self) -> Sums:
        """The shared weight of every two rows, as a symmetric matrix."""
        count = len(self.totals)
        triangle = _native.all_overlaps(self.offsets, self.columns, self.weights)
        shared = np.zeros((count, count), dtype=np.int64)
        shared[np.tril_indices(count)] = triangle
        upper = np.triu_indices(count, 1)
        shared[upper] = shared.T[upper]
        return shared

    def pairs_shared(self, left: npt.NDArray[np.int32], right: npt.NDArray[np.int32]) -> Sums:
        """The shared weight of each pair of rows."""
        return _native.pair_overlaps(self.offsets, self.columns, self.weights, left, right)

    def matrix(self, scale: int) -> scipy.sparse.csr_array:
        """The rows with the square roots of weights / `scale` as values.

        The product of two rows is their shared weight, that of a row with itself its total.
        """
        from scipy.sparse import csr_array

        values = np.sqrt(self.weights / scale)[self.columns]
        shape = (len(self.totals), len(self.features))
        return csr_array((values, self.columns, self.offsets), shape=shape)


def feature_rows(vectors: Sequence[FeatureVector]) -> FeatureRows:
    """Vectors of one measure as rows."""
    features = np.concatenate([v.features for v in vectors] or [np.empty(0, dtype=np.uint64)])
    weights = np.concatenate([v.weights for v in vectors] or [np.empty(0, dtype=np.int32)])
    lengths = np.array([len(v.features) for v in vectors], dtype=np.int64)
    found, first, columns = np.unique(features, return_index=True, return_inverse=True)
    return FeatureRows(
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        columns.astype(np.int32),
        found,
        weights[first],
        np.array([v.total for v in vectors], dtype=np.int64),
    )


_SHOWN = 8
"""How many features are listed; the others weigh less."""
_NOTATION = (
    "a ← b, c: a gets its data from b and c; a → b: a gives its data to b; a if b: b decides "
    "whether a runs; `a`: a token; %: of the weight of the list"
)
_SHADES = 20
"""More levels would split spans that look the same."""


@dataclass(frozen=True, slots=True)
class ProgramSide:
    """One of the two programs: its text, the parts its features come from, and their weights."""

    source: Source
    parts: ProgramParts
    vector: FeatureVector


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One occurrence of a feature: its name, tokens and weight, and whether both have it."""

    name: str
    tokens: list[int]
    weight: int
    shared: bool


def _explain_features(candidate: ProgramSide, reference: ProgramSide, value: float) -> Explanation:
    """Shade each token by the share of its features' weight that the other program has too."""
    mine, theirs = _occurrences(candidate, reference), _occurrences(reference, candidate)
    details = (
        ("shared", _listed(one for one in mine if one.shared)),
        ("only in the candidate", _listed(one for one in mine if not one.shared)),
        ("only in the reference", _listed(one for one in theirs if not one.shared)),
        ("to read them", _NOTATION if mine or theirs else ""),
    )
    shared = sum(one.shared for one in mine)
    return Explanation(
        f"The candidate has {len(mine)} features, the reference {len(theirs)}, and {shared} are "
        f"shared; weighted by rarity, that is {value:.4f}. A token is shaded by how much "
        "of its features the other text has.",
        _spans(candidate.source.tokens, mine),
        _spans(reference.source.tokens, theirs),
        candidate.source.text,
        reference.source.text,
        details=tuple((name, text) for name, text in details if text),
    )


def _occurrences(side: ProgramSide, other: ProgramSide) -> list[Occurrence]:
    """The features of a program that count: up to eight occurrences of each."""
    vector = side.vector
    weights = dict(zip(vector.features.tolist(), vector.weights.tolist(), strict=True))
    there = set(other.vector.features.tolist())
    names = _names(side.parts)
    found = []
    for bag in feature_bags(side.parts):
        numbered = _native.numbered_features(int(bag.family), bag.features).tolist()
        for feature, (name, tokens) in zip(numbered, names[bag.family], strict=True):
            if feature in weights:
                found.append(Occurrence(name, tokens, weights[feature], feature in there))
    return found


def _names(parts: ProgramParts) -> dict[Family, list[tuple[str, list[int]]]]:
    """The name of each occurrence of a feature, and its tokens."""
    names = {Family.TOKEN: [(name, [token]) for name, token in token_names(parts)]}
    if parts.graph is not None:
        tokens = _tokens_of_nodes(parts.graph, parts.tokens)
        for family, found in graph_names(parts.graph).items():
            names[family] = [(name, tokens[node]) for name, node in found]
    return names


def _tokens_of_nodes(graph: SemanticGraph, tokens: Tokens) -> list[list[int]]:
    """For each node, the tokens of its code that are in no smaller node."""
    first = np.searchsorted(tokens.starts, graph.start).tolist()
    end = np.searchsorted(tokens.starts, graph.end).tolist()
    owner = np.full(len(tokens), -1, dtype=np.int64)
    for node in np.argsort(graph.start - graph.end, kind="stable").tolist():
        owner[first[node] : end[node]] = node
    found: list[list[int]] = [[] for _ in range(len(graph))]
    for token, node in enumerate(owner.tolist()):
        if node >= 0:
            found[node].append(token)
    return found


def _heaviest(occurrences: Iterable[Occurrence]) -> list[tuple[str, float]]:
    """The names of the features with the largest total weights, with their share of all weight."""
    weight: defaultdict[str, int] = defaultdict(int)
    for one in occurrences:
        weight[one.name] += one.weight
    whole = sum(weight.values())
    ranked = sorted(weight.items(), key=lambda item: (-item[1], item[0]))[:_SHOWN]
    return [(name, number / whole) for name, number in ranked]


def _listed(occurrences: Iterable[Occurrence]) -> str:
    return ", ".join(f"{name} ({100 * share:.1f} %)" for name, share in _heaviest(occurrences))


def _spans(tokens: Tokens, occurrences: Iterable[Occurrence]) -> tuple[Span, ...]:
    shared, whole = np.zeros(len(tokens)), np.zeros(len(tokens))
    for one in occurrences:
        whole[one.tokens] += one.weight
        shared[one.tokens] += one.weight * one.shared
    levels = np.ceil(_SHADES * shared / np.maximum(whole, 1)) / _SHADES
    return spans_of_tokens(tokens, levels.tolist())


_NORMALISATIONS = ("symmetric", "reference", "containment")
FAMILY_WEIGHTS = {
    Family.OPERATION: 4.0,
    Family.INPUTS: 1.0,
    Family.OUTPUTS: 1.0,
    Family.CONTROL: 1.0,
    Family.TOKEN: 0.125,
}
"""The weight of a feature of each family, before its rarity."""

_FAMILY_WEIGHTS = np.array([FAMILY_WEIGHTS[family] for family in Family])
_FAMILY_LABELS = tuple(family.label for family in Family)
WEIGHT_SCALE = 1 << 16
"""Weights are multiples of this fraction, so their sums are exact."""
Floats = npt.NDArray[np.float64]


def whole_weights(weights: Floats) -> npt.NDArray[np.int32]:
    """Weights as multiples of 1 / `WEIGHT_SCALE`, so that their sums are exact; none is 0.

    Examples
    --------
    >>> whole_weights(np.array([0.0, 1.5])).tolist()
    [1, 98304]
    """
    return np.maximum(np.rint(weights * WEIGHT_SCALE), 1).astype(np.int32)


def program_parts(source: Source) -> ProgramParts:
    """The parts of a source that its features come from; not every language has graphs."""
    if source.language.lowering is None:
        return ProgramParts(source.language.name, source.tokens)
    graph = semantic_graph(source, labels="operator+literal")
    return ProgramParts(source.language.name, source.tokens, graph, source.flow_ir)


def _is_complete(source: Source) -> bool:
    """Whether all features of a source are known; cached with the source."""

    def look() -> bool:
        graph = program_parts(source).graph
        return graph is None or graph.complete

    return source.remember("kin complete", look)


def _is_proven(candidate: Source, reference: Source) -> bool:
    """Whether the unknown parts of two programs, if any, are the same."""
    if _is_complete(candidate) and _is_complete(reference):
        return True
    return candidate.language == reference.language and candidate.data == reference.data


def _several(verb: str, programs: Iterable[Source | str]) -> Iterable[Source | str]:
    """The programs; a single str raises an error, since it would be split into letters."""
    if isinstance(programs, str | Source):
        raise CodekinError(f"kin: {verb}() takes a list of programs; wrap a single one in a list")
    return programs


def features_of(source: Source) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint8]]:
    """The set of features of a source, and which occurrence each is; cached with the source."""
    return source.remember("kin features", lambda: feature_set(feature_bags(program_parts(source))))


@dataclass(frozen=True, kw_only=True, repr=False)
class Kin(Measure):
    """The features that two programs share, weighted by rarity.

    A program is a bag of features: the operations of its semantic graph, each operation with its
    data sources, with its data targets and with its controlling conditions, and its tokens. Names
    of variables and of the program's own functions do not count. Features that are rare in a
    background corpus weigh more, and the k-th occurrence of a feature weighs 1/k² of the first.
    With n the shared weight and m the weight of the heavier program, the score is n / (2m - n):
    Jaccard's index, with the lighter program filled up to the weight of the heavier. If a graph has
    too many edges to find all, some features are missing or wrong; then the score is not exact, and
    its bounds are 0 and 1.

    Parameters
    ----------
    normalise : str
        ``symmetric``; ``reference``: how much of the reference is found, whatever else the
        candidate has; or ``containment``: how much of the lighter program is found in the heavier,
        so that a copy inside a longer program scores high. Very small programs are contained in
        many.
    background : Background, optional
        Frequencies of features; default: those shipped with the package. :meth:`fit` makes others.

    Examples
    --------
    >>> from codekin import measure
    >>> kin = measure("kin")
    >>> kin.score("y = a + b", "total = price + tax", language="python").value
    1.0
    >>> kin.score("y = a + b", "y = a - b", language="python").value < 0.9
    True
    """

    name: ClassVar[str] = "kin"
    needs_tree: ClassVar[bool] = True
    summary: ClassVar[str] = "shared operations, dependences and tokens; rare ones weigh more"
    normalise: str = "symmetric"
    background: Background | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.name, "normalise", self.normalise, _NORMALISATIONS)
        if not isinstance(self.background, Background | None):
            raise CodekinError(
                f"kin: background must be a Background, not {self.background!r}; "
                "measure('kin').fit(corpus) makes one"
            )

    def ignores_comments(self) -> bool:
        """True: comments have no features."""
        return True

    @cached_property
    def _background(self) -> Background:
        return shipped_background() if self.background is None else self.background

    def signature(self, *sources: Source) -> str:
        """The common line, with a fingerprint of the background frequencies."""
        name, rest = super().signature(*sources).split("|", 1)
        return f"{name}|background:{self._background.fingerprint}|{rest}"

    def fit(self, corpus: Iterable[Source | str], *, language: str | Language | None = None) -> Kin:
        """The same measure with the frequencies of a corpus as its background.

        Parameters
        ----------
        corpus : iterable of Source or str
            Programs, of any languages.
        language : str or Language, optional
            The language of texts given as str.
        """
        counts = BackgroundCounts()
        for text in _several("fit", corpus):
            source = sources_of_one_language([text], language)[0]
            counts.add(source.language.name, features_of(source)[0])
        if not counts.documents:
            raise CodekinError("kin: fit() needs at least one program")
        return replace(self, background=counts.background({"corpus": dict(counts.documents)}))

    def vector(self, source: Source) -> FeatureVector:
        """A program's features with their weights, cached with it."""
        key = ("kin", self._background.fingerprint)
        return source.remember(key, lambda: self._vector(*features_of(source)))

    def _vector(
        self, features: npt.NDArray[np.uint64], ordinals: npt.NDArray[np.uint8]
    ) -> FeatureVector:
        families = families_of(features)
        rarity = -np.log(self._background.shares(features))
        exact = _FAMILY_WEIGHTS[families] * rarity / ordinals.astype(np.float64) ** 2
        weights = whole_weights(exact)
        totals = np.bincount(families, weights, minlength=len(Family)).astype(np.int64)
        return FeatureVector(features, weights, tuple(totals.tolist()))

    def _pair(self, candidate: Source, reference: Source) -> Score:
        a, b = self.vector(candidate), self.vector(reference)
        shared = _native.shared_weights(a.features, b.features, a.weights).tolist()
        whole, heavier = sum(shared), max(a.total, b.total)
        full = max(1, self._full(whole, b.total, min(a.total, b.total), heavier))
        parts = {
            label: common / full
            for label, common, mine, theirs in zip(
                _FAMILY_LABELS, shared, a.totals, b.totals, strict=False
            )
            if mine or theirs
        }
        value = whole / full if heavier else 1.0
        bounds = (value, value) if _is_proven(candidate, reference) else (0.0, 1.0)
        return Score(self, value, parts, candidate, reference, bounds=bounds)

    def _full(self, shared: Weight, theirs: Weight, lighter: Weight, heavier: Weight) -> Weight:
        """The weight that a score is a share of, of one pair or of many."""
        if self.normalise == "reference":
            return theirs
        return lighter if self.normalise == "containment" else 2 * heavier - shared

    def _values(self, shared: Sums, mine: Sums, theirs: Sums) -> Floats:
        """The scores of pairs, from their shared weights and their total weights."""
        heavier = np.maximum(mine, theirs)
        full = self._full(shared, theirs, np.minimum(mine, theirs), heavier)
        return np.where(heavier == 0, 1.0, shared / np.maximum(full, 1))

    def _rows(self, sources: Sequence[Source]) -> FeatureRows:
        return feature_rows([self.vector(source) for source in sources])

    def _pairwise(self, sources: Sequence[Source], origin: Source | None) -> Floats | None:
        if not all(
            map(_is_complete, sources)
        ):  # their scores have bounds, so they are scored one by one
            return None
        rows = self._rows(sources)
        shared = rows.all_shared()
        return self._values(shared, rows.totals[:, None], rows.totals[None, :])

    def score_pairs(self, sources: Sequence[Source], pairs: npt.ArrayLike) -> Floats:
        """The scores of selected pairs among many sources.

        Parameters
        ----------
        sources : sequence of Source
        pairs : array, pairs by two
            Indices of the candidate and the reference in `sources`.

        Examples
        --------
        >>> from codekin import Source, measure
        >>> sources = [Source(text, "python") for text in ("x = 1", "y = 1", "f(2)")]
        >>> measure("kin").score_pairs(sources, [(0, 1), (0, 2)]).round(2)
        array([1., 0.])
        """
        chosen = np.asarray(pairs)
        if chosen.size and (
            chosen.ndim != 2 or chosen.shape[1] != 2 or chosen.dtype.kind not in "iu"
        ):
            raise CodekinError("kin: pairs are rows of two indices into sources, such as [(0, 1)]")
        chosen = chosen.reshape(-1, 2)
        if chosen.size and not (chosen.min() >= 0 and chosen.max() < len(sources)):
            raise CodekinError(f"kin: a pair has an index outside the {len(sources)} sources")
        left, right = (np.ascontiguousarray(side, dtype=np.int32) for side in chosen.T)
        rows = self._rows(sources)
        shared = rows.pairs_shared(left, right)
        return self._values(shared, rows.totals[left], rows.totals[right])

    def vectorise(
        self, sources: Iterable[Source | str], *, language: str | Language | None = None
    ) -> scipy.sparse.csr_array:
        """Programs as rows of a sparse matrix whose products give the scores.

        With ``X = vectorise(sources)`` and ``P = X @ X.T``, ``P[i, j]`` is the weight that two
        programs share and ``P[i, i]`` the total weight of one, so their score is ``P[i, j] / (2 *
        max(P[i, i], P[j, j]) - P[i, j])``; with ``normalise="reference"`` it is ``P[i, j] / P[j,
        j]``, with ``normalise="containment"`` it is ``P[i, j] / min(P[i, i], P[j, j])``.

        Parameters
        ----------
        sources : iterable of Source or str
        language : str or Language, optional
            The language of texts given as str.

        Returns
        -------
        csr_array of float64, programs by features
            The square roots of weights. Columns are the features of these programs in the order of
            their hashes.

        Examples
        --------
        >>> from codekin import measure
        >>> X = measure("kin").vectorise(["x = 1", "y = f(1)"], language="python")
        >>> P = X @ X.T
        >>> score = measure("kin").score("x = 1", "y = f(1)", language="python").value
        >>> bool(abs(P[0, 1] / (2 * max(P[0, 0], P[1, 1]) - P[0, 1]) - score) < 1e-12)
        True
        """
        made = sources_of_one_language(list(_several("vectorise", sources)), language)
        return self._rows(made).matrix(WEIGHT_SCALE)

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """List the heaviest features that are shared, and those of only one side."""
        mine, theirs = self._side(candidate), self._side(reference)
        return _explain_features(mine, theirs, self._pair(candidate, reference).value)

    def shared_features(self, candidate: Source, reference: Source) -> list[tuple[str, float]]:
        """The heaviest features that both have, with their share of the weight of all of those.

        Examples
        --------
        >>> one, other = Source("x = a + b", "python"), Source("y = c + d", "python")
        >>> [name for name, _ in Kin().shared_features(one, other)][:2]
        ['+ ← nothing', '+ if entry']
        """
        mine, theirs = self._side(candidate), self._side(reference)
        return _heaviest(one for one in _occurrences(mine, theirs) if one.shared)

    def _side(self, source: Source) -> ProgramSide:
        return ProgramSide(source, program_parts(source), self.vector(source))
