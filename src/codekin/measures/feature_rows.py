"""Many programs as rows of features: what every two of them share, and the rows as a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from codekin import _native

if TYPE_CHECKING:
    import scipy.sparse

__all__ = ["FeatureRows", "FeatureVector", "feature_rows"]

Ids = npt.NDArray[np.uint64]
Sums = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class FeatureVector:
    """The features of a program with their weights.

    Attributes
    ----------
    features : uint64 array
        What it has, ascending.
    weights : int32 array
        What each counts; a feature has the same weight in all programs.
    totals : tuple of int
        The sum of the weights of each family.
    """

    features: Ids
    weights: npt.NDArray[np.int32]
    totals: tuple[int, ...]

    @property
    def total(self) -> int:
        """The sum of all weights."""
        return sum(self.totals)


@dataclass(frozen=True, slots=True)
class FeatureRows:
    """Programs as rows of a sparse matrix with a column for each feature that any of them has.

    Attributes
    ----------
    offsets : int64 array
        Where each row begins in `columns`, and where the last ends.
    columns : int32 array
        Places in `features`.
    features : uint64 array
        The feature of each column, ascending.
    weights : int32 array
        The weight of each column.
    totals : int64 array
        The sum of the weights of each row.
    """

    offsets: Sums
    columns: npt.NDArray[np.int32]
    features: Ids
    weights: npt.NDArray[np.int32]
    totals: Sums

    def all_shared(self) -> Sums:
        """The weight of what every two rows share, as a symmetric matrix."""
        count = len(self.totals)
        triangle = _native.all_overlaps(self.offsets, self.columns, self.weights)
        shared = np.zeros((count, count), dtype=np.int64)
        shared[np.tril_indices(count)] = triangle
        upper = np.triu_indices(count, 1)
        shared[upper] = shared.T[upper]
        return shared

    def pairs_shared(self, left: npt.NDArray[np.int32], right: npt.NDArray[np.int32]) -> Sums:
        """The weight of what the rows of each pair share."""
        return _native.pair_overlaps(self.offsets, self.columns, self.weights, left, right)

    def matrix(self, scale: int) -> scipy.sparse.csr_array:
        """The rows with the square roots of weights / `scale` as values.

        The product of two rows is what they share, that of a row with itself its total.
        """
        from scipy.sparse import csr_array

        values = np.sqrt(self.weights / scale)[self.columns]
        shape = (len(self.totals), len(self.features))
        return csr_array((values, self.columns, self.offsets), shape=shape)


def feature_rows(vectors: Sequence[FeatureVector]) -> FeatureRows:
    """Vectors of one measure as rows."""
    features = np.concatenate([v.features for v in vectors] or [np.empty(0, dtype=np.uint64)])
    weights = np.concatenate([v.weights for v in vectors] or [np.empty(0, dtype=np.int32)])
    lengths = np.array([len(v.features) for v in vectors], dtype=np.int64)
    found, first, columns = np.unique(features, return_index=True, return_inverse=True)
    return FeatureRows(
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        columns.astype(np.int32),
        found,
        weights[first],
        np.array([v.total for v in vectors], dtype=np.int64),
    )
