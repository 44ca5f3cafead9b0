"""Which rows to test next: more often those whose outcome the score predicts badly.

A row is drawn with a probability that is proportional to how far its outcome is expected to be from
the prediction [1]_, and never less than half of what it would be if all rows were alike. The
probabilities are returned with the rows, since an estimate has to weight by them.

References
----------
.. [1] Zrnic and Candès, "Active statistical inference", ICML 2024, arXiv:2403.03208.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from codekin.errors import CodekinError
from codekin.statistics.reasons import columns_of
from codekin.statistics.resampling import Floats

__all__ = ["drawing_probabilities", "drawn_rows", "expected_errors"]

_FLOOR = 0.5
_BINS = 5
_PER_BIN = 8


def expected_errors(outcome: ArrayLike, score: ArrayLike) -> Floats:
    """How far each row's outcome is expected to be from the prediction by its score.

    The rows with an outcome are divided by their scores into up to five parts of eight rows or
    more. All rows of a part have the same expectation, moved towards that of all rows by one row.

    Parameters
    ----------
    outcome : array of length n
        nan for a row without one.
    score : array of length n
        A row without one (nan) counts as average.

    Examples
    --------
    Scores in the middle say nothing, high and low ones everything:

    >>> score = np.repeat([0.0, 0.5, 1.0], 20)
    >>> outcome = np.concatenate([np.zeros(20), np.tile([0.0, 1.0], 10), np.ones(20)])
    >>> expected_errors(outcome, score)[[0, 20, 40]].round(2)
    array([0.06, 0.49, 0.06])
    """
    known, given = columns_of(outcome=outcome, score=score)
    seen = given[np.isfinite(given)]
    given = np.where(np.isfinite(given), given, seen.mean() if len(seen) else 0.0)
    tested = np.flatnonzero(np.isfinite(known))
    parts = min(_BINS, len(tested) // _PER_BIN)
    if parts < 2 or np.ptp(given) == 0:
        return np.ones(len(known))
    x, y = given[tested], known[tested]
    slope = float(
        ((x - x.mean()) @ (y - y.mean())) / max(float(((x - x.mean()) ** 2).sum()), 1e-12)
    )
    squares = (y - y.mean() - slope * (x - x.mean())) ** 2
    edges = np.unique(np.quantile(x, np.arange(1, parts) / parts))
    places = np.searchsorted(edges, given, side="left")
    number = len(edges) + 1
    counts = np.bincount(places[tested], minlength=number)
    sums = np.bincount(places[tested], squares, number)
    overall = float(squares.mean())
    errors: Floats = np.sqrt((sums + overall) / (counts + 1))[places]
    return errors


def drawing_probabilities(errors: ArrayLike, number: int) -> Floats:
    """The probability to draw each row, for a given number of rows to draw.

    Parameters
    ----------
    errors : array of length n
        What :func:`expected_errors` gives.
    number : int
        How many rows to draw; the probabilities sum to it.

    Examples
    --------
    >>> drawing_probabilities([0.1, 0.1, 0.4, 0.4], 2)
    array([0.35, 0.35, 0.65, 0.65])
    """
    [given] = columns_of(errors=errors)
    if not 0 <= number <= len(given):
        raise CodekinError(f"cannot draw {number:,} of {len(given):,} rows; draw at most all")
    if not number:
        return np.zeros(len(given))
    mean = float(given.mean())
    wanted = np.full(len(given), 1.0) if mean <= 0 else _FLOOR + (1 - _FLOOR) * given / mean
    certain = np.zeros(len(given), bool)
    while True:
        left = number - int(certain.sum())
        scale = left / max(float(wanted[~certain].sum()), 1e-300)
        found = np.where(certain, 1.0, wanted * scale)
        over = (found > 1) & ~certain
        if not over.any():
            return np.minimum(found, 1.0)
        certain |= over


def drawn_rows(probabilities: ArrayLike, seed: int) -> NDArray[np.intp]:
    """Rows drawn with the given probabilities, as many as these sum to.

    Systematic sampling: the rows are shuffled and laid side by side, each as long as its
    probability, and a row is drawn where each whole number, plus a random start, falls.

    Examples
    --------
    >>> drawn_rows([0.5, 1.0, 0.5, 1.0], 0)
    array([1, 2, 3])
    """
    [given] = columns_of(probabilities=probabilities)
    random = np.random.default_rng(seed)
    order = random.permutation(len(given))
    ends = np.cumsum(given[order])
    number = round(float(ends[-1])) if len(ends) else 0
    if not number:
        return np.empty(0, np.intp)
    ends *= number / ends[-1]  # mere rounding
    points = np.arange(number) + random.random()
    at = np.searchsorted(ends, points, side="right")
    return np.unique(order[np.minimum(at, len(order) - 1)])
