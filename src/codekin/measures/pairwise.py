"""The scores of many sources with each other, as a matrix."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from codekin.errors import CodekinError
from codekin.measures.base import Measure
from codekin.source import Source

__all__ = ["PairScores", "directed_scores", "score_row", "scores_one_by_one"]

Floats = npt.NDArray[np.float64]
OneByOne = Callable[[Measure, Sequence[Source], Source | None], "PairScores"]

_NO_SCORE = (math.nan, math.nan, math.nan)


@dataclass(frozen=True, eq=False)
class PairScores:
    """The scores of all pairs of some sources, each with its bounds.

    Attributes
    ----------
    values : float64 array, n by n
        The row's source is the candidate, the column's the reference; NaN if a pair could not be
        scored.
    lower, upper : float64 array, n by n
        The bounds of each score; its value if it is exact.
    """

    values: Floats = field(repr=False)
    lower: Floats = field(repr=False)
    upper: Floats = field(repr=False)

    @classmethod
    def of(cls, values: Floats) -> PairScores:
        """Scores that are exact."""
        return cls(values, values, values)

    @classmethod
    def of_rows(cls, rows: Sequence[Floats]) -> PairScores:
        """Assemble the results of :func:`score_row` for the rows 1, 2, ...; the diagonal is 0."""
        found = np.zeros((3, len(rows) + 1, len(rows) + 1))
        for place, row in enumerate(rows, start=1):
            found[:, place, :place] = row[:3]
            found[:, :place, place] = row[3:]
        return cls(*found)

    def taken(self, places: npt.NDArray[np.intp] | Sequence[int]) -> PairScores:
        """The scores of some of the sources."""
        chosen = np.asarray(places, dtype=np.intp)
        square = np.ix_(chosen, chosen)
        if self.lower is self.values is self.upper:
            return PairScores.of(self.values[square])
        return PairScores(*(one[square] for one in self._arrays))

    def both_ways(self) -> PairScores:
        """The mean of both directions, which is symmetric."""
        if self.lower is self.values is self.upper:
            return PairScores.of((self.values + self.values.T) / 2)
        return PairScores(*((one + one.T) / 2 for one in self._arrays))

    def with_diagonal(self, value: float) -> PairScores:
        """The same with another value on the diagonal."""
        made = self.taken(range(len(self.values)))
        for one in made._arrays:
            np.fill_diagonal(one, value)
        return made

    @property
    def _arrays(self) -> tuple[Floats, Floats, Floats]:
        return self.values, self.lower, self.upper


def scores_one_by_one(
    measure: Measure, sources: Sequence[Source], origin: Source | None
) -> PairScores:
    """Score pair by pair."""
    rows = [score_row(measure, sources, origin, row) for row in range(1, len(sources))]
    return PairScores.of_rows(rows)


def score_row(
    measure: Measure, sources: Sequence[Source], origin: Source | None, row: int
) -> Floats:
    """The scores of one source with each of the earlier ones.

    Returns
    -------
    float64 array, 6 by `row`
        Value, lower and upper bound with the source as candidate, and the same with it as
        reference.
    """
    one = sources[row]
    found = np.empty((6, row))
    for place, other in enumerate(sources[:row]):
        there = _score(measure, one, other, origin)
        found[:3, place] = there
        found[3:, place] = there if measure.symmetric else _score(measure, other, one, origin)
    return found


def directed_scores(
    measure: Measure,
    sources: Sequence[Source],
    origin: Source | None = None,
    *,
    one_by_one: OneByOne = scores_one_by_one,
) -> PairScores:
    """Score every source against every other, both as candidate and as reference.

    Equal sources are scored once, and symmetric measures once for both directions. A measure with a
    faster method than pair by pair (``_pairwise``) uses it.

    Parameters
    ----------
    measure : Measure
    sources : sequence of Source
    origin : Source, optional
        The text that all were made from; measures with `needs_origin` require it.
    one_by_one : callable, optional
        Scores pairs of different sources if the measure has no faster method.

    Returns
    -------
    PairScores
        With 1 on the diagonal (0 for a distance).

    Examples
    --------
    >>> from codekin import Source, measure
    >>> sources = [Source(text, "python") for text in ("a = 1", "a = 1; b = 2")]
    >>> directed_scores(measure("bleu"), sources).values.round(3)
    array([[1.   , 0.235],
           [0.221, 1.   ]])
    """
    if measure.needs_origin and origin is None:
        raise CodekinError(f"{measure.name} compares revisions and needs their origin")
    places: dict[Source, int] = {}
    where = [places.setdefault(source, len(places)) for source in sources]
    distinct = list(places)
    at_once = measure._pairwise(distinct, origin)
    if at_once is None:
        found = one_by_one(measure, distinct, origin)
    elif at_once.shape != (len(distinct), len(distinct)):
        raise CodekinError(
            f"{measure!r} gave {at_once.shape} scores for {len(distinct)} texts; fix its _pairwise"
        )
    else:
        found = PairScores.of(at_once.astype(np.float64))
        if measure.symmetric:  # a faster method of a symmetric measure may differ in the last bit
            found = found.both_ways()
        found = _with_cut_texts(measure, distinct, found)
    return found.with_diagonal(0.0 if measure.distance else 1.0).taken(where)


def _with_cut_texts(measure: Measure, sources: Sequence[Source], scores: PairScores) -> PairScores:
    """The scores, with nothing proven about texts that were not parsed to their end."""
    cut = np.array([measure.reads_only_part_of(one) for one in sources], dtype=np.bool_)
    if not cut.any():
        return scores
    unproven = cut[:, None] | cut[None, :]
    low, high = measure.widest
    return PairScores(
        scores.values,
        np.where(unproven, low, scores.lower),
        np.where(unproven, high, scores.upper),
    )


def _score(
    measure: Measure, candidate: Source, reference: Source, origin: Source | None
) -> tuple[float, float, float]:
    try:
        score = measure.score(candidate, reference, origin)
    except CodekinError:
        return _NO_SCORE
    return (score.value, *score.bounds) if math.isfinite(score.value) else _NO_SCORE
