"""Average linkage: groups of things by how far they are from one another.

Numbers in, numbers out. Where several pairs are equally near, the order of the rows settles which
is joined first, always in the same way; who wants the answer to depend on nothing but the things
themselves sorts them first, by name for instance.
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
"""Sums that differ by less are equal: the order of an addition must not choose a medoid."""


def average_linkage(distances: Floats) -> Floats:
    """Join the nearest two groups until one is left (UPGMA).

    The distance of two groups is the mean over all pairs of one member of each.

    Parameters
    ----------
    distances : float array, n by n
        Symmetric, finite and not negative, with 0 on the diagonal.

    Returns
    -------
    float64 array, n - 1 by 4
        One row a step, as in :mod:`scipy.cluster.hierarchy`: the two groups that are joined, their
        distance, and the size of the new group. Groups below n are single things, and step i makes
        group n + i. Distances never fall from one step to the next.

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
    found: Floats = linkage(above, method="average")
    return found


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
        As :func:`average_linkage` gives it.
    threshold : float, optional
        Join groups whose distance is at most this.
    groups : int, optional
        Join until so many groups are left; exactly so many, also where distances are equal.

    Returns
    -------
    int array
        The group of each thing, numbered from 0 in the order of their first members.

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
    parents = list(range(count + steps))
    for step, (one, other) in enumerate(linkage[:steps, :2].astype(np.intp).tolist()):
        parents[one] = parents[other] = count + step
    for group in range(len(parents) - 1, -1, -1):  # a group is made after those it is made of
        parents[group] = parents[parents[group]]
    numbers: dict[int, int] = {}
    return np.array([numbers.setdefault(top, len(numbers)) for top in parents[:count]], np.intp)


def medoid(distances: Floats, members: Sequence[int] | Ints) -> int:
    """The member that is nearest to all others of its group: the least sum of distances.

    Of equals the one that is named first.

    Parameters
    ----------
    distances : float array, n by n
    members : sequence of int
        At least one row of it.

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
    """The mean over all pairs of one member of each of two groups, for every two groups.

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
    """The things in an order in which the lines of a dendrogram do not cross.

    Of two groups that are joined, the larger one stands first; of equals the one with the lesser
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
    while waiting:  # not by recursion, for a chain is as deep as there are things
        group = waiting.pop()
        if group < count:
            order.append(group)
            continue
        both = linkage[group - count, :2].astype(int).tolist()
        waiting += sorted(both, key=lambda one: (-sizes[one], one), reverse=True)
    return order
