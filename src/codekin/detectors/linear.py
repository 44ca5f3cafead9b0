"""``linear``: which words occur in the tree, and nothing of their order or structure.

The Linear-Model of AbsBigCloneBench, undesirable by design: a corpus on which it is good cannot
show that another detector understands code. A word is a kind of node, an identifier, an operator, a
modifier or a primitive type, as the nodes of the authors' trees are; literals are left out. The
paper trains with SGD and batches of one pair; we use Adam with larger ones.

References
----------
Yu et al., Assessing and improving an evaluation dataset for detecting semantic code clones via
deep learning, TOSEM 31(4), 2022.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from codekin.detectors.neural import BagNetwork, NeuralDetector, Ragged, max_pool
from codekin.detectors.pace import PACE_WIDTH, pace
from codekin.detectors.prepared import NodeRole, Prepared, spread

__all__ = ["Linear"]


class _Inputs(NamedTuple):
    """The set of words of each snippet, and every word's embedding."""

    rows: Ragged
    word: Tensor
    table: Tensor


class LinearNetwork(BagNetwork):
    """One linear layer for every word of the set, and the greatest of each column."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.layer = nn.Linear(PACE_WIDTH, width)

    def inputs(self, prepared: Prepared, device: torch.device) -> _Inputs:
        """The sets of words; literals are left out."""
        owner, word = word_sets(prepared)
        offsets = spread(np.bincount(owner, minlength=len(prepared)))
        return _Inputs(
            Ragged(torch.from_numpy(offsets).to(device)),
            torch.from_numpy(word.astype(np.int64)).to(device),
            torch.from_numpy(pace(prepared.words)).to(device),
        )

    def sizes(self, prepared: Prepared) -> npt.NDArray[np.int64]:
        """The words of each set."""
        return np.bincount(word_sets(prepared)[0], minlength=len(prepared))

    def encode_bags(self, inputs: _Inputs, places: Tensor, starts: Tensor) -> Tensor:
        """A vector per set."""
        used, places = torch.unique(inputs.word[places], return_inverse=True)
        return max_pool(self.layer(inputs.table[used]), places, starts)


def word_sets(prepared: Prepared) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The snippet and the word of each node that a snippet has, once; literals are left out."""
    wanted = prepared.role != NodeRole.LITERAL
    key = prepared.snippet_of_node[wanted].astype(np.int64) * len(prepared.words)
    key = np.unique(key + prepared.word[wanted])
    return np.divmod(key, max(1, len(prepared.words)))


@dataclass(eq=False)
class Linear(NeuralDetector):
    """A set of words, one linear layer, the maximum, and the cosine.

    Parameters
    ----------
    width : int
        Of a snippet's vector; 100 in the paper.
    """

    name = "linear"
    summary = "sets of names and kinds, one linear layer; undesirable by design"
    siamese = True
    learns_words = False

    width: int = 100
    batch: int = 128
    rate: float = 1e-2

    def make_network(self) -> LinearNetwork:
        """A network with fresh weights."""
        return LinearNetwork(self.width)
