"""``tbccd``: convolution over the syntax tree, with words embedded by their characters.

References
----------
Yu, Lam, Chen, Li, Xie and Wang, Neural detection of semantic code clones via tree-based
convolution, ICPC 2019.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from codekin.detectors.neural import (
    NeuralDetector,
    Ragged,
    SiameseNetwork,
    max_pool,
    word_places,
)
from codekin.detectors.pace import PACE_WIDTH, pace
from codekin.detectors.prepared import Prepared, spread

__all__ = ["Tbccd"]


class _Inputs(NamedTuple):
    """The nodes of each snippet with their words, and the children of each node."""

    nodes: Ragged
    word: Tensor
    children: Ragged
    child_word: Tensor
    left: Tensor
    right: Tensor
    table: Tensor | None


class TbccdNetwork(SiameseNetwork):
    """A convolution over each node and its children, the greatest of each column, and a layer.

    A child's weight is split between the left and the right matrix by its place among its
    siblings; the node itself has a matrix of its own.
    """

    def __init__(self, channels: int, width: int, words: tuple[str, ...], by_pace: bool) -> None:
        super().__init__()
        self.words, self.by_pace = words, by_pace
        self.embedding = None if by_pace else nn.Embedding(len(words) + 1, PACE_WIDTH)
        self.convolution = nn.Linear(3 * PACE_WIDTH, channels)
        self.layer = nn.Linear(channels, width)

    def inputs(self, prepared: Prepared, device: torch.device) -> _Inputs:
        """Words and children of all nodes."""

        def on(array: npt.NDArray[np.generic]) -> Tensor:
            return torch.from_numpy(array).to(device)

        word = prepared.word.astype(np.int64)
        if not self.by_pace:
            word = word_places(prepared, self.words)[word]
        child, counts, left = tree_windows(prepared)
        return _Inputs(
            Ragged(on(prepared.nodes)),
            on(word),
            Ragged(on(spread(counts))),
            on(word[child]),
            on(left),
            on(1 - left),
            on(pace(prepared.words)) if self.by_pace else None,
        )

    def sizes(self, prepared: Prepared) -> npt.NDArray[np.int64]:
        """The nodes of each snippet."""
        return np.diff(prepared.nodes)

    def encode(self, inputs: _Inputs, chosen: Tensor, rows: int | None = None) -> Tensor:
        """A vector per snippet."""
        table = inputs.table if self.embedding is None else self.embedding.weight
        assert table is not None
        nodes, _ = inputs.nodes.take(chosen, rows)
        edges, _ = inputs.children.take(nodes)
        counts = inputs.children.lengths(nodes)
        starts = torch.cumsum(counts, 0) - counts
        words = inputs.child_word[edges]
        sums = [
            nn.functional.embedding_bag(
                words, table, starts, mode="sum", per_sample_weights=share[edges]
            )
            for share in (inputs.left, inputs.right)
        ]
        window = torch.cat([table[inputs.word[nodes]], *sums], dim=1)
        values = torch.tanh(self.convolution(window))
        every = torch.arange(len(nodes), device=nodes.device)
        pooled = max_pool(values, every, inputs.nodes.lengths(chosen))
        found: Tensor = self.layer(pooled)
        return found


def tree_windows(
    prepared: Prepared,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float32]]:
    """The children of all nodes in order, how many each has, and the left weight of each child.

    Of n siblings, the one at place i has the left weight (n - 1 - i) / (n - 1); an only child has
    a half.
    """
    first = prepared.nodes[:-1][prepared.snippet_of_node]
    inner = np.flatnonzero(prepared.parent >= 0)
    parent = prepared.parent[inner] + first[inner]
    order = np.argsort(parent, kind="stable")
    child, parent = inner[order], parent[order]
    counts = np.bincount(parent, minlength=len(prepared.word)).astype(np.int64)
    place = np.arange(len(child)) - (np.cumsum(counts) - counts)[parent]
    siblings = counts[parent]
    left = np.where(siblings > 1, (siblings - 1 - place) / np.maximum(siblings - 1, 1), 0.5)
    return child, counts, left.astype(np.float32)


@dataclass(eq=False)
class Tbccd(NeuralDetector):
    """Tree convolution over embedded words.

    Parameters
    ----------
    channels : int
        Of the convolution; 600 in the paper.
    width : int
        Of a snippet's vector; 50 in the paper.
    pace : bool
        Whether words are embedded by their characters; otherwise each word of training has an
        embedding of its own, and unseen words share one.
    """

    name = "tbccd"
    summary = "convolution over the syntax tree, words embedded by their characters"
    siamese = True

    batch: int = 128
    channels: int = 600
    width: int = 50
    pace: bool = True

    @property
    def learns_words(self) -> bool:  # type: ignore[override]
        """Whether words have embeddings of their own."""
        return not self.pace

    def make_network(self) -> TbccdNetwork:
        """A network with fresh weights."""
        return TbccdNetwork(self.channels, self.width, self.words, self.pace)
