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
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from codekin.detectors.neural import BagNetwork, NeuralDetector, Ragged
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
        rows, local = word_rows(inputs.table, inputs.word[places], once=not places.is_cuda)
        return layer_maxima(rows, local, starts, self.layer.weight, self.layer.bias)


def word_rows(table: Tensor, words: Tensor, *, once: bool) -> tuple[Tensor, Tensor]:
    """Rows of a table, few of them, and where among them the row of each word is.

    Parameters
    ----------
    table : tensor
        A row per word.
    words : int64 tensor
    once : bool
        Whether each word gets one row, however often it occurs. To find these makes a GPU wait.

    Examples
    --------
    >>> table = torch.tensor([[1.0], [2.0], [3.0], [4.0]])
    >>> [part.tolist() for part in word_rows(table, torch.tensor([3, 1, 3]), once=True)]
    [[[2.0], [4.0]], [1, 0, 1]]
    >>> [part.tolist() for part in word_rows(table, torch.tensor([3, 1, 3]), once=False)]
    [[[4.0], [2.0], [4.0]], [0, 1, 2]]
    """
    if once:
        found, places = torch.unique(words, return_inverse=True)
        return table[found], places
    if len(words) < len(table):
        return table[words], torch.arange(len(words), device=words.device)
    return table, words


def layer_maxima(
    rows: Tensor, places: Tensor, starts: Tensor, weight: Tensor, bias: Tensor
) -> Tensor:
    """The greatest of each column of a linear layer, over the rows of each group.

    Parameters
    ----------
    rows : tensor
        What the layer is applied to; gets no gradient.
    places : int64 tensor
        The rows of the first group, then those of the second, and so on.
    starts : int64 tensor
        Where each group begins in `places`.
    weight, bias : tensors
        Of the layer.

    Examples
    --------
    >>> rows = torch.tensor([[1.0, 5.0], [2.0, 3.0]])
    >>> unit = torch.eye(2), torch.zeros(2)
    >>> layer_maxima(rows, torch.tensor([0, 1, 1]), torch.tensor([0, 2, 2]), *unit).tolist()
    [[2.0, 5.0], [0.0, 0.0], [2.0, 3.0]]
    """
    found: Tensor = _LayerMaxima.apply(rows, places, starts, weight, bias)  # type: ignore[no-untyped-call]
    return found


class _LayerMaxima(torch.autograd.Function):
    """Each maximum has its gradient from one row, so few rows matter, and always in one order."""

    @staticmethod
    def forward(
        ctx: Any, rows: Tensor, places: Tensor, starts: Tensor, weight: Tensor, bias: Tensor
    ) -> Tensor:
        values = torch.addmm(bias, rows, weight.T)
        found, _, sizes, best = torch._embedding_bag(values, places, starts, False, _MAX)
        ctx.save_for_backward(rows, sizes, best)
        return found

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        rows, sizes, best = ctx.saved_tensors
        gradient = (gradient * (sizes > 0)[:, None]).T
        if not len(rows):
            return (
                None,
                None,
                None,
                gradient.new_zeros(len(gradient), rows.shape[1]),
                gradient.sum(1),
            )
        # Columns by groups by what the layer reads.
        chosen = nn.functional.embedding(best.T.clamp(min=0), rows)
        return None, None, None, torch.bmm(gradient[:, None], chosen)[:, 0], gradient.sum(1)


_MAX = 2
"""The number of the mode ``max`` of torch's embedding bags."""


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
