"""The scores of many revisions with one another, as a symmetric matrix."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from codekin.errors import CodekinError
from codekin.measures.base import Measure
from codekin.source import Source

__all__ = ["pairwise_scores", "score_row", "scores_one_by_one"]

Floats = npt.NDArray[np.float64]
OneByOne = Callable[[Measure, Sequence[Source], Source | None], Floats]


def scores_one_by_one(measure: Measure, sources: Sequence[Source], origin: Source | None) -> Floats:
    """Score one pair after the other."""
    scores = np.zeros((len(sources), len(sources)))
    for row in range(1, len(sources)):
        scores[row, :row] = scores[:row, row] = score_row(measure, sources, origin, row)
    return scores


def score_row(
    measure: Measure, sources: Sequence[Source], origin: Source | None, row: int
) -> Floats:
    """The scores of one source with each that comes before it."""
    one = sources[row]
    return np.array([_score(measure, one, other, origin) for other in sources[:row]])


def pairwise_scores(
    measure: Measure,
    sources: Sequence[Source],
    origin: Source | None = None,
    *,
    one_by_one: OneByOne = scores_one_by_one,
) -> Floats:
    """Score every source against every other one.

    A measure that is not symmetric is asked both ways, and the mean is taken. Equal sources are
    scored once. A measure that knows a faster way than one pair after the other (``_pairwise``)
    takes it.

    Parameters
    ----------
    measure : Measure
    sources : sequence of Source
    origin : Source, optional
        What all of them were made from; measures with `needs_origin` refuse to go without.
    one_by_one : callable, optional
        What scores the pairs of different sources where the measure knows no faster way.

    Returns
    -------
    float64 array, n by n
        Symmetric, with 1 on the diagonal (0 for a distance); not a number for a pair that could
        not be scored.

    Examples
    --------
    >>> from codekin import Source, measure
    >>> sources = [Source(text, "python") for text in ("a = 1", "a = 2", "b = 2")]
    >>> pairwise_scores(measure("nes"), sources)
    array([[1. , 0.8, 0.6],
           [0.8, 1. , 0.8],
           [0.6, 0.8, 1. ]])
    """
    if measure.needs_origin and origin is None:
        raise CodekinError(f"{measure.name} compares revisions and needs their origin")
    places: dict[Source, int] = {}
    where = [places.setdefault(source, len(places)) for source in sources]
    distinct = list(places)
    scores = measure._pairwise(distinct, origin)
    if scores is None:
        scores = one_by_one(measure, distinct, origin)
    elif scores.shape != (len(distinct), len(distinct)):
        raise CodekinError(
            f"{measure!r} gave {scores.shape} scores for {len(distinct)} texts; mend its _pairwise"
        )
    # Of a symmetric matrix this is the matrix itself; a faster way may be off by a last bit.
    found: Floats = (scores + scores.T).astype(np.float64) / 2
    np.fill_diagonal(found, 0.0 if measure.distance else 1.0)
    return found[np.ix_(where, where)]


def _score(measure: Measure, one: Source, other: Source, origin: Source | None) -> float:
    try:
        value = measure.score(other, one, origin).value
        if not measure.symmetric:
            value = (value + measure.score(one, other, origin).value) / 2
    except CodekinError:
        return math.nan
    return value if math.isfinite(value) else math.nan
