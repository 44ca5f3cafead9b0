"""Tree edit distance: the cheapest way to turn one labelled ordered tree into another.

The distance of two trees is the least total cost of deleting nodes (their children move up),
inserting nodes and renaming nodes. It is exact within a budget, and a pair of bounds beyond that.

The exact computation decomposes the trees along left, right and heavy paths, whichever is cheapest
for each pair of subtrees, as APTED does. The time is at most cubic and, on syntax trees, ten to
twenty cells for each pair of nodes. The tables take one cell for each pair of nodes (two bytes with
unit costs and up to 16,383 nodes in the smaller tree), at most as many again for the rows of the
current path and as many for heavy paths, and one byte for each pair of inner nodes; a mapping takes
another cell for each pair. What two trees share at their roots and at either end is cut off first.

References
----------
.. [1] K. Zhang and D. Shasha, "Simple fast algorithms for the editing distance between trees and
   related problems", SIAM Journal on Computing 18(6), 1989.
.. [2] E. D. Demaine, S. Mozes, B. Rossman and O. Weimann, "An optimal decomposition algorithm for
   tree edit distance", ACM Transactions on Algorithms 6(1), 2009.
.. [3] M. Pawlik and N. Augsten, "Tree edit distance: robust and memory-efficient", Information
   Systems 56, 2016.
.. [4] K. Zhang, "Algorithms for the constrained editing distance between ordered labeled trees and
   related problems", Pattern Recognition 28(3), 1995.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from codekin import _native

__all__ = [
    "DEFAULT_MEMORY",
    "DEFAULT_STEPS",
    "FlatTree",
    "TreeEdit",
    "TreeMapping",
    "tree_edit_distance",
    "tree_edit_mapping",
]

DEFAULT_STEPS: Final = 5_000_000_000
"""Steps of about one table cell and one or two nanoseconds each: about ten seconds."""

DEFAULT_MEMORY: Final = 1 << 30
"""Bytes of tables."""

Integers: TypeAlias = Sequence[int] | npt.NDArray[np.integer[Any]]

FlatTree: TypeAlias = tuple[Integers, Integers]
"""Labels and parents of a tree's nodes in depth-first preorder; the root's parent is -1."""


@dataclass(frozen=True, slots=True)
class TreeEdit:
    """Tree edit distance, or bounds on it.

    Attributes
    ----------
    lower : float
        The distance is not less than this.
    upper : float
        The distance is not more than this; there is an edit mapping of this cost.
    exact : bool
        Whether both bounds are the distance.
    steps : int
        Steps taken, the same for the same trees, costs and budget. Never more than the budget,
        except for one visit to each node, which always happens.
    """

    lower: float
    upper: float
    exact: bool
    steps: int

    @property
    def distance(self) -> float:
        """The distance where it is exact, else its upper bound."""
        return self.upper


@dataclass(frozen=True, slots=True)
class TreeMapping:
    """Edit mapping between two trees.

    Attributes
    ----------
    pairs : list of tuple of int
        Preorder indices of the nodes kept or renamed, first tree and second tree, ascending. All
        other nodes are deleted or inserted.
    edit : TreeEdit
        The distance; `upper` is the cost of this mapping.
    """

    pairs: list[tuple[int, int]]
    edit: TreeEdit


def tree_edit_distance(
    tree1: FlatTree,
    tree2: FlatTree,
    *,
    delete: float = 1.0,
    insert: float = 1.0,
    rename: float = 1.0,
    steps: int = DEFAULT_STEPS,
    memory: int = DEFAULT_MEMORY,
) -> TreeEdit:
    """Measure the edit distance of two trees.

    Parameters
    ----------
    tree1, tree2 : FlatTree
        Labels and parents in preorder. Labels are any integers and only compared for equality.
        Empty sequences make the empty tree.
    delete, insert : float, optional
        Cost of deleting a node of the first tree, of inserting a node of the second tree.
    rename : float, optional
        Cost of changing a label. A rename that costs more than ``delete + insert`` is never used.
    steps : int, optional
        Budget. One step is about one table cell; the cost of the exact distance is known before it
        is computed. Beyond the budget the result is bounds: from the labels and, if a few steps
        for each pair of nodes are within the budget, from the label sequences in preorder and
        postorder and from the best constrained mapping.
    memory : int, optional
        Budget for the tables, in bytes.

    Returns
    -------
    TreeEdit
        The distance or bounds. With costs that are not multiples of a common fraction such as 0.5
        or 0.001 they are subject to rounding.

    Raises
    ------
    ValueError
        If a tree is not one rooted tree in preorder or a number is out of range.
    TypeError
        If labels or parents are not integers.

    Examples
    --------
    >>> first = [7, 8, 9, 9], [-1, 0, 1, 0]
    >>> second = [7, 9, 5], [-1, 0, 0]
    >>> edit = tree_edit_distance(first, second)
    >>> edit.distance, edit.exact
    (2.0, True)
    >>> tree_edit_distance(first, second, rename=3).distance
    3.0
    >>> tree_edit_distance(first, ([], []), delete=0.5).distance
    2.0
    """
    return TreeEdit(
        *_native.tree_edit_distance(
            *_arrays(tree1), *_arrays(tree2), delete, insert, rename, steps, memory
        )
    )


def tree_edit_mapping(
    tree1: FlatTree,
    tree2: FlatTree,
    *,
    delete: float = 1.0,
    insert: float = 1.0,
    rename: float = 1.0,
    steps: int = DEFAULT_STEPS,
    memory: int = DEFAULT_MEMORY,
) -> TreeMapping:
    """Find an edit mapping of two trees, optimal if the budget suffices.

    The parameters are those of `tree_edit_distance`. The mapping is traced back from the tables of
    the distance; this does not count as steps, and takes at most a third of the smaller tree's
    size times the steps of one table.

    Returns
    -------
    TreeMapping
        The pairs of nodes and the distance. Each node is in at most one pair, and any two pairs
        agree on which node is an ancestor of the other and which comes first.

    Examples
    --------
    >>> first = [7, 8, 9, 9], [-1, 0, 1, 0]
    >>> second = [7, 9, 5], [-1, 0, 0]
    >>> tree_edit_mapping(first, second).pairs
    [(0, 0), (2, 1), (3, 2)]
    """
    pairs, lower, upper, exact, used = _native.tree_edit_mapping(
        *_arrays(tree1), *_arrays(tree2), delete, insert, rename, steps, memory
    )
    return TreeMapping(pairs, TreeEdit(lower, upper, exact, used))


def _arrays(tree: FlatTree) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Convert both sequences to arrays; the native code checks everything else."""
    labels, parents = (np.ascontiguousarray(part) for part in tree)
    # An empty list makes an array of floats.
    return (
        labels if labels.size else labels.astype(np.int32),
        parents if parents.size else parents.astype(np.int32),
    )
