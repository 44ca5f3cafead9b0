"""Many sequences of lines or tokens in one array, numbered for the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from codekin import _native

__all__ = ["NumberedSequences"]

Places = npt.NDArray[np.int32]


class NumberedSequences:
    """Sequences whose items are numbered from 0, the same number for equal items.

    Attributes
    ----------
    ids : int32 array
        The numbers of all sequences, one sequence after the other.
    offsets : int64 array
        Where each sequence begins in `ids`; one more at the end.
    alphabet : int
        How many different items there are.

    Examples
    --------
    >>> found = NumberedSequences([np.array([7, 9, 7], np.uint64), np.array([9], np.uint64)])
    >>> found.ids.tolist(), found.offsets.tolist(), found.alphabet
    ([0, 1, 0, 1], [0, 3, 4], 2)
    """

    def __init__(self, sequences: Sequence[npt.NDArray[np.uint64]]) -> None:
        self.offsets = np.zeros(len(sequences) + 1, np.int64)
        np.cumsum([len(one) for one in sequences], out=self.offsets[1:])
        flat = np.concatenate(sequences) if sequences else np.zeros(0, np.uint64)
        # Hashing takes a fraction of the time and the memory of numpy.unique, which sorts.
        coded = pa.array(flat).dictionary_encode()
        self.alphabet = len(coded.dictionary)
        self.ids: Places = coded.indices.to_numpy(zero_copy_only=False).astype(np.int32)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, place: int) -> Places:
        return self.ids[self.offsets[place] : self.offsets[place + 1]]

    def take(self, places: npt.NDArray[np.intp]) -> NumberedSequences:
        """Some of the sequences, by their places in ascending order."""
        if len(places) == len(self):
            return self
        chosen = np.zeros(len(self), bool)
        chosen[places] = True
        found = copy(self)
        found.__dict__.pop("lengths", None)
        found.offsets = np.concatenate([[0], np.cumsum(self.lengths[chosen], dtype=np.int64)])
        found.ids = self.ids[np.repeat(chosen, self.lengths)]
        return found

    @cached_property
    def lengths(self) -> Places:
        """The length of each sequence."""
        return np.diff(self.offsets).astype(np.int32)

    def longer(self, first: Places, second: Places) -> Places:
        """The length of the longer sequence of each pair."""
        return np.maximum(self.lengths[first], self.lengths[second])

    def common(self, first: Places, second: Places, tenths: int) -> Places:
        """How much each pair shares in order; -1 where it is less than this part of the longer."""
        return _native.common_lengths(
            self.offsets, self.ids, self.alphabet, first, second, tenths, 10
        )

    def similarity(self, first: Places, second: Places) -> npt.NDArray[np.float64]:
        """The share of the longer sequence that both have in order; 1 if both are empty."""
        longer = self.longer(first, second)
        shared = self.common(first, second, 0)
        return np.where(longer == 0, 1.0, shared / np.maximum(longer, 1))
