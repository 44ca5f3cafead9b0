"""Boosted trees as plain numbers: grown by scikit-learn, applied without it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module

import numpy as np
import numpy.typing as npt

from codekin.errors import CodekinError

__all__ = ["DecisionTree", "fit_boosted_trees", "summed_trees"]

Floats = npt.NDArray[np.float64]

_TREES = 60
_DEPTH = 3
_RATE = 0.1


@dataclass(frozen=True)
class DecisionTree:
    """A tree of tests; node 0 is its root, and each list has one item per node.

    Attributes
    ----------
    columns : tuple of int
        The column that a node tests; that of a leaf is not used.
    limits : tuple of float
        Rows whose value is at most this one go left.
    left, right : tuple of int
        The next nodes; 0 at a leaf.
    values : tuple of float
        What a leaf adds to the log odds.
    """

    columns: tuple[int, ...]
    limits: tuple[float, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    values: tuple[float, ...]


def fit_boosted_trees(
    rows: Floats, label: npt.NDArray[np.bool_], seed: int = 0
) -> tuple[DecisionTree, ...]:
    """Grow trees whose sum separates the labels.

    Parameters
    ----------
    rows : float64 array, rows by columns
    label : bool array
        With both labels.
    seed : int
    """
    try:
        ensemble = import_module("sklearn.ensemble")
    except ImportError:
        raise CodekinError(
            "trees are grown by scikit-learn, which is not installed: "
            "pip install 'codekin[calibrate]'; or use the model 'logistic'"
        ) from None
    grown = ensemble.GradientBoostingClassifier(
        n_estimators=_TREES, max_depth=_DEPTH, learning_rate=_RATE, random_state=seed
    ).fit(rows, label)
    return tuple(_plain(one.tree_) for one in grown.estimators_[:, 0])


def _plain(tree: object) -> DecisionTree:
    def listed(name: str) -> list[float]:
        return np.asarray(getattr(tree, name)).ravel().tolist()

    left = listed("children_left")
    leaf = [one < 0 for one in left]
    return DecisionTree(
        columns=tuple(
            0 if end else int(one) for one, end in zip(listed("feature"), leaf, strict=True)
        ),
        limits=tuple(
            0.0 if end else one for one, end in zip(listed("threshold"), leaf, strict=True)
        ),
        left=tuple(max(int(one), 0) for one in left),
        right=tuple(max(int(one), 0) for one in listed("children_right")),
        values=tuple(
            _RATE * one if end else 0.0 for one, end in zip(listed("value"), leaf, strict=True)
        ),
    )


def summed_trees(trees: Sequence[DecisionTree], rows: Floats) -> Floats:
    """The sum of the values of the leaves that rows end in.

    Examples
    --------
    >>> tree = DecisionTree((0, 0, 0), (0.5, 0.0, 0.0), (1, 0, 0), (2, 0, 0), (0.0, -1.0, 1.0))
    >>> summed_trees([tree, tree], np.array([[0.2], [0.9]])).tolist()
    [-2.0, 2.0]
    """
    # As scikit-learn compares them.
    single = rows.astype(np.float32)
    total = np.zeros(len(rows))
    every = np.arange(len(rows))
    for tree in trees:
        columns, limits = np.array(tree.columns), np.array(tree.limits)
        left, right = np.array(tree.left), np.array(tree.right)
        at = np.zeros(len(rows), np.intp)
        for _ in range(len(columns)):
            inner = left[at] > 0
            if not inner.any():
                break
            goes_left = single[every, columns[at]] <= limits[at]
            at = np.where(inner, np.where(goes_left, left[at], right[at]), at)
        total += np.array(tree.values)[at]
    return total
