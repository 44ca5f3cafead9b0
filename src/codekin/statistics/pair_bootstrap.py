"""Intervals of what scores of labelled pairs are worth, where a thing is in many pairs.

Pairs are not independent, so things are drawn, or the clusters that they belong to: each of them
some number of times, and a pair of two different ones counts as often as the product of the two
numbers (the pigeonhole bootstrap). A pair inside of one cluster counts as often as the cluster.

References
----------
Owen, The pigeonhole bootstrap, The Annals of Applied Statistics 1(2), 2007.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from codekin.results import Interval

__all__ = ["pair_intervals", "share_interval"]

_NAMES = ("precision", "recall", "f1", "ap", "auc")
_WORK = 50_000_000
"""Pairs that are weighed in all draws together."""
_LEAST_DRAWS, _MOST_DRAWS = 200, 1000


def pair_intervals(
    scores: npt.NDArray[np.float64],
    labels: npt.NDArray[np.bool_],
    threshold: float,
    first: npt.NDArray[np.integer],
    second: npt.NDArray[np.integer],
    *,
    seed: int = 0,
    level: float = 0.95,
    draws: int | None = None,
) -> dict[str, Interval]:
    """Intervals of precision, recall, F1, average precision and AUC; those that are defined.

    Parameters
    ----------
    scores : float array
        Per pair, without nan.
    labels : bool array
    threshold : float
        From which on a score means the positive class.
    first, second : int arrays
        The units of both ends of each pair: what is drawn.
    seed : int
    level : float
    draws : int, optional
        By default from 200 to 1,000, fewer where there are many pairs.

    Examples
    --------
    >>> scores, labels = np.array([0.9, 0.4, 0.6]), np.array([True, True, False])
    >>> found = pair_intervals(scores, labels, 0.5, np.array([0, 1, 2]), np.array([1, 2, 3]))
    >>> found["recall"]
    Interval(low=0.0, high=1.0)
    """
    if not len(scores) or not labels.any():
        return {}
    order = np.argsort(-scores, kind="stable")
    ranked, truth = scores[order], labels[order]
    starts = np.append(0, np.flatnonzero(np.diff(ranked)) + 1)
    called = int(np.count_nonzero(ranked[starts] >= threshold))
    rows = []
    for weight in _weights(first[order], second[order], seed, draws):
        clones = np.add.reduceat(weight * truth, starts)
        others = np.add.reduceat(weight, starts) - clones
        rows.append(_numbers(clones, others, called))
    columns = zip(_NAMES, np.array(rows).T, strict=True)
    return {
        name: interval
        for name, values in columns
        if (interval := _interval(values, level)) is not None
    }


def share_interval(
    chosen: npt.NDArray[np.bool_],
    first: npt.NDArray[np.integer],
    second: npt.NDArray[np.integer],
    *,
    seed: int = 0,
    level: float = 0.95,
) -> Interval | None:
    """The interval of the share of pairs that were chosen, such as a recall; see `pair_intervals`.

    Examples
    --------
    >>> places = np.arange(4)
    >>> share_interval(np.array([True, True, False, True]), places, places)
    Interval(low=0.25, high=1.0)
    """
    if not len(chosen):
        return None
    shares = [
        float(weight[chosen].sum() / total) if (total := weight.sum()) else float("nan")
        for weight in _weights(first, second, seed, None)
    ]
    return _interval(np.array(shares), level)


def _weights(
    first: npt.NDArray[np.integer],
    second: npt.NDArray[np.integer],
    seed: int,
    draws: int | None,
) -> Iterator[npt.NDArray[np.float64]]:
    """How often each pair counts, in each draw of the units."""
    units, places = np.unique(np.concatenate([first, second]), return_inverse=True)
    ends = places.reshape(2, -1)
    apart = np.flatnonzero(ends[0] != ends[1])
    generator = np.random.default_rng(seed)
    number = draws or int(np.clip(_WORK // len(first), _LEAST_DRAWS, _MOST_DRAWS))
    for _ in range(number):
        drawn = generator.integers(0, len(units), len(units))
        times = np.bincount(drawn, minlength=len(units)).astype(np.float64)
        weight = times[ends[0]]
        weight[apart] *= times[ends[1][apart]]
        yield weight


def _interval(values: npt.NDArray[np.float64], level: float) -> Interval | None:
    """The interval of the draws in which a number is defined."""
    good = values[np.isfinite(values)]
    if not len(good):
        return None
    tail = 100 * (1 - level) / 2
    low, high = np.percentile(good, [tail, 100 - tail])
    return Interval(float(low), float(high))


def _numbers(
    clones: npt.NDArray[np.float64], others: npt.NDArray[np.float64], called: int
) -> tuple[float, ...]:
    """The five numbers by the weights of both classes at each score, the highest score first."""
    hits, false = np.cumsum(clones), np.cumsum(others)
    positive, negative = hits[-1], false[-1]
    if not positive:
        return (float("nan"),) * len(_NAMES)
    right = hits[called - 1] if called else 0.0
    said = right + (false[called - 1] if called else 0.0)
    total = hits + false
    precisions = np.divide(hits, total, out=np.zeros_like(hits), where=total > 0)
    below = negative - false + others / 2
    return (
        right / said if said else float("nan"),
        right / positive,
        2 * right / (said + positive),
        float((clones * precisions).sum() / positive),
        float((clones * below).sum() / (positive * negative)) if negative else float("nan"),
    )
