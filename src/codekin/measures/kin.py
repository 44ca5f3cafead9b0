"""kin: what two programs share of rare operations, dependences and runs of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.errors import CodekinError
from codekin.graphs import semantic_graph
from codekin.languages import Language
from codekin.measures.background import Background, BackgroundCounts, shipped_background
from codekin.measures.base import Explanation, Measure, Score, check_choice
from codekin.measures.feature_rows import FeatureRows, FeatureVector, feature_rows
from codekin.measures.kin_explanation import Side, explain_features
from codekin.represent.features import (
    Bag,
    Family,
    families_of,
    feature_set,
    graph_bags,
    token_bags,
)
from codekin.represent.semantic_graph import SemanticGraph
from codekin.source import Source, sources_of_one_language

if TYPE_CHECKING:
    import scipy.sparse

__all__ = ["FAMILY_WEIGHTS", "NORMALISATIONS", "Kin"]

NORMALISATIONS = ("symmetric", "reference")
FAMILY_WEIGHTS = dict.fromkeys(Family, 1.0)
"""How much a feature of each family counts, before its rarity."""

_FAMILY_WEIGHTS = np.array([FAMILY_WEIGHTS[family] for family in Family])

_SCALE = 1 << 16
"""Weights are kept as whole numbers of this part of 1, so that sums of them are exact."""
Ids = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float64]


def graph_of(source: Source) -> SemanticGraph | None:
    """The graph that features are of; not every language has graphs."""
    if source.language.lowering is None:
        return None
    return semantic_graph(source, labels="operator+literal")


def feature_bags(source: Source) -> list[Bag]:
    """The features of a source as they occur; where there is no graph, those of its tokens."""
    graph = graph_of(source)
    return token_bags(source.tokens) + ([] if graph is None else graph_bags(graph))


def features_of(source: Source) -> Ids:
    """The set of features of a source, kept with it."""
    return source.remember("kin features", lambda: feature_set(feature_bags(source)))


@dataclass(frozen=True, kw_only=True, repr=False)
class Kin(Measure):
    """What two programs share of their features, each weighed by how rare it is.

    A program is a bag of features: operations of its semantic graph, labelled dependences between
    them, operations with all that they depend on and lead to, and runs of up to four tokens without
    the names of variables. A feature weighs more the fewer programs of a background corpus have
    it. The score is the weight of what both have, twice, over the weight of what each has (Dice).

    Parameters
    ----------
    normalise : str
        ``symmetric``, or ``reference``: how much of the reference is there, whatever else the
        candidate has.
    background : Background, optional
        Frequencies of features; those that ship with the package where it is not given.
        :meth:`fit` makes others.

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
    summary: ClassVar[str] = (
        "shared operations, dependences and tokens, the rare ones weighing more"
    )
    normalise: str = "symmetric"
    background: Background | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.name, "normalise", self.normalise, NORMALISATIONS)
        if not isinstance(self.background, Background | None):
            raise CodekinError(
                f"kin: background must be background frequencies, not {self.background!r}; "
                "measure('kin').fit(corpus) makes them"
            )

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
        for text in corpus:
            source = sources_of_one_language([text], language)[0]
            counts.add(source.language.name, features_of(source))
        if not counts.documents:
            raise CodekinError("kin: fit() needs at least one program")
        return replace(self, background=counts.background({"corpus": dict(counts.documents)}))

    def vector(self, source: Source) -> FeatureVector:
        """A program's features with their weights, kept with it."""
        return source.remember(
            ("kin", self._background.fingerprint), lambda: self._vector(features_of(source))
        )

    def _vector(self, features: Ids) -> FeatureVector:
        families = families_of(features)
        weights = self._weights(features, families)
        totals = np.bincount(families, weights, minlength=len(_FAMILY_WEIGHTS)).astype(np.int64)
        return FeatureVector(features, weights, totals)

    def _weights(self, features: Ids, families: npt.NDArray[np.uint8]) -> npt.NDArray[np.int32]:
        rarity = -np.log(self._background.shares(features))
        weights = np.rint(_FAMILY_WEIGHTS[families] * rarity * _SCALE)
        whole: npt.NDArray[np.int32] = np.maximum(weights, 1).astype(np.int32)
        return whole

    def _pair(self, candidate: Source, reference: Source) -> Score:
        a, b = self.vector(candidate), self.vector(reference)
        shared = _native.shared_weights(a.features, b.features, a.weights)
        mine, theirs = a.total, b.total
        value = float(self._value(int(shared.sum()), mine, theirs))
        parts = {
            family.label: float(self._value(int(shared[family]), mine, theirs))
            for family in Family
            if a.totals[family] or b.totals[family]
        }
        return Score(self, value, parts, candidate, reference)

    def _value(self, shared: Any, mine: Any, theirs: Any) -> Any:
        """The score of sums of weights; of numbers or of arrays of them."""
        whole, part = (
            (theirs, shared) if self.normalise == "reference" else (mine + theirs, 2 * shared)
        )
        nothing = (np.asarray(mine) == 0) & (np.asarray(theirs) == 0)
        return np.where(nothing, 1.0, part / np.maximum(whole, 1))

    def _rows(self, sources: Sequence[Source]) -> FeatureRows:
        return feature_rows([self.vector(source) for source in sources])

    def _pairwise(self, sources: Sequence[Source], origin: Source | None) -> Floats:
        rows = self._rows(sources)
        shared = rows.all_shared()
        scores: Floats = self._value(shared, rows.totals[:, None], rows.totals[None, :])
        return scores

    def score_pairs(self, sources: Sequence[Source], pairs: npt.ArrayLike) -> Floats:
        """The scores of chosen pairs of many sources.

        Parameters
        ----------
        sources : sequence of Source
        pairs : array, pairs by two
            Places of the candidate and of the reference in `sources`.

        Examples
        --------
        >>> from codekin import Source, measure
        >>> sources = [Source(text, "python") for text in ("x = 1", "y = 1", "f(2)")]
        >>> measure("kin").score_pairs(sources, [(0, 1), (0, 2)])
        array([1.00000000e+00, 3.29914082e-05])
        """
        chosen = np.asarray(pairs)
        if chosen.size and (
            chosen.ndim != 2 or chosen.shape[1] != 2 or chosen.dtype.kind not in "iu"
        ):
            raise CodekinError("kin: pairs are rows of two places in sources, such as [(0, 1)]")
        chosen = chosen.reshape(-1, 2)
        if chosen.size and not (chosen.min() >= 0 and chosen.max() < len(sources)):
            raise CodekinError(f"kin: a pair names a place outside the {len(sources)} sources")
        left, right = (np.ascontiguousarray(side, dtype=np.int32) for side in chosen.T)
        rows = self._rows(sources)
        shared = rows.pairs_shared(left, right)
        scores: Floats = self._value(shared, rows.totals[left], rows.totals[right])
        return scores

    def vectorise(
        self, sources: Iterable[Source | str], *, language: str | Language | None = None
    ) -> scipy.sparse.csr_array:
        """Programs as rows of a sparse matrix whose products give the scores.

        With ``X = vectorise(sources)`` the product ``(X @ X.T)[i, j]`` is the weight of what two
        programs share and ``(X @ X.T)[i, i]`` that of all that one has, so that their score is
        twice the first over the sum of the two others (``normalise="reference"``: over that of the
        reference).

        Parameters
        ----------
        sources : iterable of Source or str
        language : str or Language, optional
            The language of texts given as str.

        Returns
        -------
        csr_array of float64, programs by features
            The square roots of weights. Columns are the features of these programs in the order
            of their numbers.

        Examples
        --------
        >>> from codekin import measure
        >>> X = measure("kin").vectorise(["x = 1", "y = f(1)"], language="python")
        >>> shared = X @ X.T
        >>> score = measure("kin").score("x = 1", "y = f(1)", language="python").value
        >>> bool(abs(2 * shared[0, 1] / (shared[0, 0] + shared[1, 1]) - score) < 1e-12)
        True
        """
        made = sources_of_one_language(list(sources), language)
        return self._rows(made).matrix(_SCALE)

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Which features weigh most among those shared, and among those of one side."""
        mine, theirs = (
            Side(source, feature_bags(source), graph_of(source), self.vector(source))
            for source in (candidate, reference)
        )
        return explain_features(mine, theirs, self._pair(candidate, reference).value)
