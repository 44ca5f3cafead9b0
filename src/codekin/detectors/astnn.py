"""``astnn``: a vector per statement, and a recurrent network over the sequence of statements.

A function is cut into statement trees in the order of the text: a loop has its head alone, the
statements of its body follow, and a block ends with an item of its own. Each tree is encoded by
sums over its subtrees, the sequence by a bidirectional GRU, and the snippet by the greatest of each
column. The absolute difference of two snippets goes through one layer and a sigmoid.

What follows paper and program
    128 dimensions for words and for statements, 100 units of GRU in each direction, the identity as
    the activation of the tree encoder, binary cross-entropy, and the end of a block as a word with
    an embedding of its own. The program keeps the 3,000 most frequent words of training, and so do
    we: all others share one embedding. (Li et al. changed their copy of the program to count words
    in all code, test included; ``preset=paper`` does the same.)
Where the program differs from the paper, or is mistaken
    Its two maxima also see zeros: statement trees are stacked over the union of their shapes, and
    sequences are padded to the longest of the batch. So a score depends on what else is in the
    batch. The paper has no such zeros, and neither do we: both maxima are over real nodes and real
    statements alone.
Where we differ from both
    They train word2vec on the code first, and then train the vectors further. We start from random
    vectors of about the same size: with hundreds of thousands of pairs every one of the 3,000 words
    is seen often enough, and a detector that needs no second training is easier to repeat. They use
    Adamax with batches of 32 (program) or 64 (paper); we use Adam with larger ones. Trees come from
    our front end, so kinds and statements are those of its grammars.

The encoder is linear: the state of a node is the sum of ``W x + b`` over its subtree. So each word
goes through ``W`` once per step, however many nodes have it, and states are sums of rows of that
table. Trees that occur several times are encoded once.

References
----------
Zhang, Wang, Zhang, Sun, Wang and Liu, A novel neural source code representation based on abstract
syntax tree, ICSE 2019.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence

from codekin.detectors.neural import (
    NeuralDetector,
    Ragged,
    SiameseNetwork,
    begins,
    max_pool,
    word_places,
)
from codekin.detectors.prepared import END, Prepared, spread

__all__ = ["Astnn"]

_DEEPEST = 128
"""A node counts in its own state and in those of this many ancestors less one.

Twice the depth of any statement in BigCloneBench (60) and OJClone (21). It keeps the work on an
expression with thousands of operators linear.
"""
_SPREAD = 0.2
"""The standard deviation of the first embeddings, about that of word2vec's."""


class _Inputs(NamedTuple):
    """The statements of each snippet as numbers of trees, and the subtrees of each tree."""

    statements: Ragged
    tree: Tensor
    nodes: Ragged
    subtree_size: Tensor
    subtrees: Ragged
    word: Tensor


class AstnnNetwork(SiameseNetwork):
    """Subtree sums, the greatest over each statement, a GRU, and the greatest over each snippet."""

    def __init__(self, words: tuple[str, ...], width: int, hidden: int) -> None:
        super().__init__()
        self.words, self.hidden = words, hidden
        # Unknown words come first, and the end of a block comes last.
        self.embedding = nn.Embedding(len(words) + 2, width)
        nn.init.normal_(self.embedding.weight, std=_SPREAD)
        self.encoder = nn.Linear(width, width)
        self.gru = nn.GRU(width, hidden, bidirectional=True)
        self.head = nn.Linear(2 * hidden, 1)

    def inputs(self, prepared: Prepared, device: torch.device) -> _Inputs:
        """The statement trees of all snippets, each different one once."""
        word = word_places(prepared, self.words)[prepared.word]
        found = statement_trees(prepared, word, len(self.words) + 1)

        def on(array: npt.NDArray[np.int64]) -> Tensor:
            return torch.from_numpy(array).to(device)

        return _Inputs(
            Ragged(on(prepared.statements)),
            on(found.tree),
            Ragged(on(found.nodes)),
            on(found.subtree_size),
            Ragged(on(spread(found.subtree_size)[found.nodes])),
            on(found.word),
        )

    def sizes(self, prepared: Prepared) -> npt.NDArray[np.int64]:
        """The nodes of each snippet."""
        return np.diff(prepared.nodes)

    def encode(self, inputs: _Inputs, chosen: Tensor) -> Tensor:
        """A vector per snippet."""
        lengths, order = torch.sort(inputs.statements.lengths(chosen), descending=True, stable=True)
        held = lengths.cpu().numpy()
        total = int(held.sum())
        if not total:
            return torch.zeros((len(chosen), 2 * self.hidden), device=chosen.device)
        # The first statements of all snippets, then the second ones, and so on: a packed sequence.
        running = torch.from_numpy(len(held) - np.cumsum(np.bincount(held))[:-1])
        counts = running.to(chosen.device)
        starts = begins(counts)
        every = torch.arange(total, device=chosen.device)
        step = torch.repeat_interleave(counts, output_size=total)
        snippet = every - starts[step]
        statement = inputs.statements.offsets[chosen[order]][snippet] + step
        trees, places = torch.unique(inputs.tree[statement], return_inverse=True)
        # Unlike that of indexing, the gradient of `embedding` is fast where one row is taken often.
        encoded = nn.functional.embedding(places, self.encode_trees(inputs, trees))
        states: Tensor = self.gru(PackedSequence(encoded, running))[0].data
        # Back to one snippet after the other.
        owner = torch.repeat_interleave(lengths, output_size=total)
        step = every - begins(lengths)[owner]
        pooled = max_pool(states, starts[step] + owner, begins(lengths))
        return pooled[torch.argsort(order)]

    def encode_trees(self, inputs: _Inputs, trees: Tensor) -> Tensor:
        """A vector per statement tree."""
        nodes, _ = inputs.nodes.take(trees)
        members, _ = inputs.subtrees.take(trees)
        sizes = inputs.subtree_size[nodes]
        states = nn.functional.embedding_bag(
            inputs.word[members],
            self.encoder(self.embedding.weight),
            begins(sizes),
            mode="sum",
        )
        every = torch.arange(len(nodes), device=nodes.device)
        return max_pool(states, every, begins(inputs.nodes.lengths(trees)))

    def compare(self, first: Tensor, second: Tensor) -> Tensor:
        """The log-odds of a clone."""
        found: Tensor = self.head((first - second).abs())
        return found.squeeze(1)

    def loss(self, scores: Tensor, label: Tensor) -> Tensor:
        """The binary cross-entropy."""
        return nn.functional.binary_cross_entropy_with_logits(scores, label)

    def probability(self, scores: Tensor) -> Tensor:
        """The sigmoid."""
        return torch.sigmoid(scores)


class StatementTrees(NamedTuple):
    """Different statement trees, with the words of every subtree.

    Attributes
    ----------
    tree : int64 array
        The tree of each statement.
    nodes : int64 array
        Where the nodes of each tree begin, and the end of the last.
    subtree_size : int64 array
        The nodes of the subtree of each node.
    word : int64 array
        The words of these subtrees, one subtree after the other.
    """

    tree: npt.NDArray[np.int64]
    nodes: npt.NDArray[np.int64]
    subtree_size: npt.NDArray[np.int64]
    word: npt.NDArray[np.int64]


def statement_trees(
    prepared: Prepared, word: npt.NDArray[np.int64], end_word: int
) -> StatementTrees:
    """The statement trees of prepared snippets.

    Parameters
    ----------
    prepared : Prepared
    word : int64 array
        The word of each node.
    end_word : int
        The word of the only node of the tree that ends a block.
    """
    snippet = prepared.snippet_of_node
    ends = np.flatnonzero(prepared.statement == END)
    owner = np.append(prepared.statements[:-1][snippet] + prepared.member, ends)
    word = np.append(word, np.full(len(ends), end_word))
    above = np.append(prepared.parent + prepared.nodes[:-1][snippet], np.zeros(len(ends), np.int64))
    inside = np.append(prepared.parent >= 0, np.zeros(len(ends), bool))
    inside &= owner[above] == owner
    # Statement by statement; parents still come before children.
    order = np.argsort(owner, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    word = word[order]
    upwards = np.where(inside, place - place[above], 0)[order]
    sizes = np.bincount(owner, minlength=len(prepared.statement))
    tree, first = _different(np.stack([word, upwards], axis=1).astype(np.int32), sizes)
    nodes = _ranges(spread(sizes)[first], sizes[first])
    return StatementTrees(tree, spread(sizes[first]), *_subtrees(word[nodes], upwards[nodes]))


def _different(
    rows: npt.NDArray[np.int32], sizes: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Number groups of rows so that equal groups have one number; the first group of each."""
    width = rows.itemsize * rows.shape[1]
    data = rows.tobytes()
    bounds = (spread(sizes) * width).tolist()
    known: dict[bytes, int] = {}
    found = np.array(
        [known.setdefault(data[start:end], len(known)) for start, end in pairwise(bounds)],
        np.int64,
    )
    return found, np.unique(found, return_index=True)[1]


def _ranges(starts: npt.NDArray[np.int64], sizes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The numbers of several ranges, one after the other."""
    shifts = np.repeat(starts - spread(sizes)[:-1], sizes)
    return np.arange(len(shifts)) + shifts


def _subtrees(
    word: npt.NDArray[np.int64], upwards: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The size of the subtree of each node, and the words of all subtrees.

    Parameters
    ----------
    word : int64 array
    upwards : int64 array
        How far before each node its parent is; 0 for a root.
    """
    node = above = np.arange(len(word))
    nodes, ancestors = [node], [above]
    for _ in range(_DEEPEST - 1):
        inner = upwards[above] > 0
        node, above = node[inner], above[inner]
        if not len(node):
            break
        above = above - upwards[above]
        nodes.append(node)
        ancestors.append(above)
    ancestor = np.concatenate(ancestors)
    sizes = np.bincount(ancestor, minlength=len(word))
    return sizes, word[np.concatenate(nodes)[np.argsort(ancestor, kind="stable")]]


@dataclass(eq=False)
class Astnn(NeuralDetector):
    """Statement trees, a bidirectional GRU over their sequence, and the absolute difference.

    Parameters
    ----------
    vocabulary : int
        Words that have an embedding of their own, the most frequent ones; 3,000 in the authors'
        program.
    width : int
        Of the vector of a word and of a statement; 128 in the paper.
    hidden : int
        Units of the GRU in each direction; 100 in the paper.
    """

    name = "astnn"
    summary = "a vector per statement tree, and a recurrent network over their sequence"
    siamese = True

    vocabulary: int = 3000
    width: int = 128
    hidden: int = 100
    rate: float = 2e-3

    def learn_words(self, prepared: Prepared, train: npt.NDArray[np.bool_]) -> tuple[str, ...]:
        """The most frequent words."""
        return super().learn_words(prepared, train)[: self.vocabulary]

    def make_network(self) -> AstnnNetwork:
        """A network with fresh weights."""
        return AstnnNetwork(self.words, self.width, self.hidden)
