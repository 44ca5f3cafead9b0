"""Average linkage clustering of items by their distances.

Ties between equally near pairs are broken by the order of the rows. Sort the items first, by name
for instance, to make the result independent of their order.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from codekin.errors import CodekinError

__all__ = ["average_linkage", "between_groups", "cut", "leaf_order", "medoid"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]

_TIE = 1e-9
"""Sums that differ by less count as equal, so that rounding does not choose a medoid."""


def average_linkage(distances: Floats) -> Floats:
    """Join the two nearest groups until one is left (UPGMA).

    The distance between two groups is the mean over all pairs with one member from each.

    Parameters
    ----------
    distances : float array, n by n
        Symmetric, finite and not negative, with 0 on the diagonal.

    Returns
    -------
    float64 array, n - 1 by 4
        One row per step, as in :mod:`scipy.cluster.hierarchy`: the two groups joined, their
        distance, and the size of the new group. Groups below n are single items, and step i makes
        group n + i. Distances never decrease from one step to the next.

    Examples
    --------
    >>> average_linkage(np.array([[0, 0.1, 0.8], [0.1, 0, 0.6], [0.8, 0.6, 0]]))
    array([[0. , 1. , 0.1, 2. ],
           [2. , 3. , 0.7, 3. ]])
    """
    square = _checked(distances)
    if len(square) < 2:
        return np.zeros((0, 4))
    from scipy.cluster.hierarchy import linkage

    above = square[np.triu_indices(len(square), 1)]
    steps: Floats = linkage(above, method="average")
    return steps


def _checked(distances: Floats) -> Floats:
    square = np.asarray(distances, dtype=np.float64)
    if square.ndim != 2 or square.shape[0] != square.shape[1]:
        raise CodekinError(f"distances must be a square, not of shape {square.shape}")
    if not np.isfinite(square).all() or (square < 0).any():
        raise CodekinError("distances must be finite and not negative; leave out what has none")
    if (square != square.T).any() or square.diagonal().any():
        raise CodekinError("distances must be symmetric, and 0 on the diagonal")
    return square


def cut(
    linkage: Floats, *, threshold: float | None = None, groups: int | None = None
) -> npt.NDArray[np.intp]:
    """The groups that are left when joining stops early.

    Parameters
    ----------
    linkage : float array
        The result of :func:`average_linkage`.
    threshold : float, optional
        Join groups whose distance is at most this.
    groups : int, optional
        Join until exactly this many groups are left, even if distances are equal.

    Returns
    -------
    int array
        The group of each item, numbered from 0 in the order of their first members.

    Examples
    --------
    >>> steps = average_linkage(np.array([[0, 0.1, 0.8], [0.1, 0, 0.6], [0.8, 0.6, 0]]))
    >>> cut(steps, threshold=0.5), cut(steps, groups=3)
    (array([0, 0, 1]), array([0, 1, 2]))
    """
    count = len(linkage) + 1
    if (threshold is None) == (groups is None):
        raise CodekinError("give either a threshold or a number of groups")
    if threshold is not None:
        steps = int(np.searchsorted(linkage[:, 2], threshold, side="right"))
    elif groups is None or not 1 <= groups <= count:
        raise CodekinError(f"{count} things make from 1 to {count} groups, not {groups}")
    else:
        steps = count - groups
    if not len(linkage):
        return np.zeros(count, np.intp)
    from scipy.cluster.hierarchy import fcluster

    # By the number of each step instead of its distance, so that equal distances can be told apart.
    numbers = np.arange(len(linkage), dtype=np.float64)
    labels = fcluster(linkage, steps - 1, criterion="monocrit", monocrit=numbers)
    _, first, group = np.unique(labels, return_index=True, return_inverse=True)
    order: npt.NDArray[np.intp] = np.argsort(np.argsort(first))
    return order[group]


def medoid(distances: Floats, members: Sequence[int] | Ints) -> int:
    """The member with the smallest sum of distances to its group; the first of equals.

    Parameters
    ----------
    distances : float array, n by n
    members : sequence of int
        Row numbers; at least one.

    Examples
    --------
    >>> medoid(np.array([[0, 0.1, 0.8], [0.1, 0, 0.6], [0.8, 0.6, 0]]), [0, 1, 2])
    1
    """
    chosen = np.asarray(members, dtype=np.intp)
    if not len(chosen):
        raise CodekinError("a group without members has no medoid")
    sums = distances[np.ix_(chosen, chosen)].sum(axis=1)
    return int(chosen[int(np.argmax(sums <= sums.min() + _TIE))])


def between_groups(values: Floats, labels: Ints) -> Floats:
    """The mean over all pairs of members, for every pair of groups.

    Parameters
    ----------
    values : float array, n by n
    labels : int array
        The group of each row, from 0.

    Examples
    --------
    >>> scores = np.array([[1, 0.9, 0.2], [0.9, 1, 0.4], [0.2, 0.4, 1]])
    >>> between_groups(scores, np.array([0, 0, 1])).round(3)
    array([[0.95, 0.3 ],
           [0.3 , 1.  ]])
    """
    count = int(labels.max(initial=-1)) + 1
    belongs = np.zeros((len(labels), count))
    belongs[np.arange(len(labels)), labels] = 1.0
    sizes = belongs.sum(axis=0)
    means: Floats = belongs.T @ values @ belongs / np.outer(sizes, sizes)
    return means


def leaf_order(linkage: Floats) -> list[int]:
    """The items in an order in which the lines of a dendrogram do not cross.

    Of two joined groups, the larger comes first; of equally large ones, the one with the smaller
    number.

    Examples
    --------
    >>> leaf_order(average_linkage(np.array([[0, 0.8, 0.7], [0.8, 0, 0.1], [0.7, 0.1, 0]])))
    [1, 2, 0]
    """
    count = len(linkage) + 1
    sizes = [1.0] * count + linkage[:, 3].tolist()
    order: list[int] = []
    waiting = [count + len(linkage) - 1]
    while waiting:  # not recursive, because a chain is as deep as there are items
        group = waiting.pop()
        if group < count:
            order.append(group)
            continue
        both = linkage[group - count, :2].astype(int).tolist()
        waiting += sorted(both, key=lambda part: (-sizes[part], part), reverse=True)
    return order
