"""``tbccd``: convolution over the syntax tree, with words embedded by their characters.

References
----------
Yu, Lam, Chen, Li, Xie and Wang, Neural detection of semantic code clones via tree-based
convolution, ICPC 2019.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from codekin.detectors.neural import (
    BagNetwork,
    NeuralDetector,
    Ragged,
    begins,
    max_pool,
    word_places,
)
from codekin.detectors.pace import PACE_WIDTH, pace
from codekin.detectors.prepared import Prepared, spread

__all__ = ["Tbccd"]


_TABLE_BYTES = 1 << 31
"""Embedded windows are kept if they take at most this; otherwise each batch embeds its own."""


class _Inputs(NamedTuple):
    """The set of windows of each snippet, and the words of each window.

    A window is a node with its children. Windows with the same words are one: they have the same
    value in every channel, and a snippet's vector is made of the greatest values.
    """

    rows: Ragged
    window: Tensor
    word: Tensor
    children: Ragged
    child_word: Tensor
    left: Tensor
    right: Tensor
    words: Tensor | None
    """The embedding of every word, unless it is learned."""
    table: Tensor | None
    """The embedding of every window, where it is kept."""


class TbccdNetwork(BagNetwork):
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
        """The windows of all snippets."""

        def on(array: npt.NDArray[np.generic]) -> Tensor:
            return torch.from_numpy(array).to(device)

        found = _windows(prepared, None if self.by_pace else self.words)
        made = _Inputs(
            Ragged(on(spread(found.sizes))),
            on(found.window),
            on(found.word),
            Ragged(on(spread(found.children))),
            on(found.child_word),
            on(found.left),
            on(1 - found.left),
            on(pace(prepared.words)) if self.by_pace else None,
            None,
        )
        count = len(found.word)
        if not self.by_pace or count * 3 * PACE_WIDTH * 4 > _TABLE_BYTES:
            return made
        return made._replace(table=self._embedded(made, torch.arange(count, device=device)))

    def sizes(self, prepared: Prepared) -> npt.NDArray[np.int64]:
        """The distinct windows of each snippet."""
        return _windows(prepared, None if self.by_pace else self.words).sizes

    def _embedded(self, inputs: _Inputs, windows: Tensor) -> Tensor:
        """Nodes, and the left and right sums of their children, side by side."""
        table = inputs.words if self.embedding is None else self.embedding.weight
        assert table is not None
        edges, _ = inputs.children.take(windows)
        starts = begins(inputs.children.lengths(windows))
        words = inputs.child_word[edges]
        sums = [
            nn.functional.embedding_bag(
                words, table, starts, mode="sum", per_sample_weights=share[edges]
            )
            for share in (inputs.left, inputs.right)
        ]
        return torch.cat([table[inputs.word[windows]], *sums], dim=1)

    def encode_bags(self, inputs: _Inputs, places: Tensor, starts: Tensor) -> Tensor:
        """A vector per set of windows."""
        windows, places = torch.unique(inputs.window[places], return_inverse=True)
        kept = inputs.table
        embedded = self._embedded(inputs, windows) if kept is None else kept[windows]
        pooled = max_pool(self.convolution(embedded), places, starts)
        # tanh rises, so that the greatest of its values is that of the greatest argument.
        found: Tensor = self.layer(torch.tanh(pooled))
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


class _Windows(NamedTuple):
    """The distinct windows of some snippets."""

    sizes: npt.NDArray[np.int64]
    """How many of them each snippet has."""
    window: npt.NDArray[np.int64]
    """Those of the first snippet, then those of the second, and so on."""
    word: npt.NDArray[np.int64]
    children: npt.NDArray[np.int64]
    """How many children each window has."""
    child_word: npt.NDArray[np.int64]
    left: npt.NDArray[np.float32]


@lru_cache(1)
def _windows(prepared: Prepared, words: tuple[str, ...] | None) -> _Windows:
    """The windows of snippets, where words are places in a table or, without one, in `prepared`.

    Windows are equal if a hash of 64 bits is: of the node's word, and of each child's word with its
    place.
    """
    word = prepared.word.astype(np.int64)
    if words is not None:
        word = word_places(prepared, words)[word]
    child, counts, left = tree_windows(prepared)
    ends = np.cumsum(counts)
    place = np.arange(len(child)) - np.repeat(ends - counts, counts)
    sums = np.append(np.uint64(0), np.cumsum(_mixed(word[child] + (place << 32))))  # modulo 2^64
    key = _mixed((sums[ends] - sums[ends - counts]) ^ _mixed(word))
    _, first, window = np.unique(key, return_index=True, return_inverse=True)
    width = max(1, len(first))
    owner, sets = np.divmod(
        np.unique(prepared.snippet_of_node.astype(np.int64) * width + window), width
    )
    children = counts[first]
    edges = np.repeat(ends[first] - np.cumsum(children), children) + np.arange(children.sum())
    return _Windows(
        np.bincount(owner, minlength=len(prepared)),
        sets,
        word[first],
        children,
        word[child[edges]],
        left[edges],
    )


def _mixed(numbers: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
    """Whole numbers whose bits all depend on all bits of the given ones, as in splitmix64."""
    mixed = numbers.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return mixed ^ (mixed >> np.uint64(31))


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
