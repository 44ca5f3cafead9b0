"""How well things of a kind find each other: MAP@R and precision@R.

References
----------
Musgrave, Belongie and Lim, A metric learning reality check, ECCV 2020 (MAP@R).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Retrieval", "retrieval"]

_ROWS = 512
"""Queries that are ranked at a time."""


class Retrieval(NamedTuple):
    """Two means over queries.

    A query has R others of its kind, and its R nearest are looked at.

    Attributes
    ----------
    map_at_r : float
        The mean of the precision at each of them that is of its kind, and 0 at each that is not.
    precision_at_r : float
        The share of them that is of its kind.
    queries : int
        Things with at least one other of their kind.
    """

    map_at_r: float
    precision_at_r: float
    queries: int


def retrieval(vectors: npt.NDArray[np.float32], kinds: npt.NDArray[np.integer]) -> Retrieval:
    """Rank all others by the cosine with each vector.

    Parameters
    ----------
    vectors : float array
        One per thing.
    kinds : int array
        One per thing; negative for things without a kind, which are not used as queries.

    Returns
    -------
    Retrieval
        nan without any query. Of equal cosines, the earlier thing counts as nearer.

    Examples
    --------
    >>> retrieval(np.array([[1, 0], [1, 0.1], [0, 1]], np.float32), np.array([0, 0, 1]))
    Retrieval(map_at_r=1.0, precision_at_r=1.0, queries=2)
    """
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = vectors / np.where(length > 0, length, 1)
    sizes = np.bincount(kinds[kinds >= 0]) if (kinds >= 0).any() else np.zeros(1, int)
    others = np.where(kinds >= 0, sizes[np.maximum(kinds, 0)] - 1, 0)
    queries = np.flatnonzero(others > 0)
    total_map = total_precision = 0.0
    for start in range(0, len(queries), _ROWS):
        chosen = queries[start : start + _ROWS]
        near = unit[chosen] @ unit.T
        near[np.arange(len(chosen)), chosen] = -np.inf
        most = int(others[chosen].max())
        order = np.argsort(-near, axis=1, kind="stable")[:, :most]
        right = kinds[order] == kinds[chosen][:, None]
        wanted = np.arange(most)[None, :] < others[chosen][:, None]
        right &= wanted
        precision = np.cumsum(right, axis=1) / np.arange(1, most + 1)
        total_map += float(((precision * right).sum(axis=1) / others[chosen]).sum())
        total_precision += float((right.sum(axis=1) / others[chosen]).sum())
    if not len(queries):
        return Retrieval(float("nan"), float("nan"), 0)
    count = len(queries)
    return Retrieval(total_map / count, total_precision / count, count)
