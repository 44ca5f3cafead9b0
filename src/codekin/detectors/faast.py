"""``faast``: graph neural networks over the syntax tree with flow.

A graph has the nodes of the tree. Its edges lead from parent to child, from each node to its next
sibling, from each token to the next one, and along the flow of `FLOWS`: the next statement of a
block, from a condition to what it decides, around loops, and to the next use of a variable. Each
kind of edge also leads back, as a kind of its own.

`ggnn` is a gated graph network: in each layer, a node gets the sum of its neighbours' states, each
mapped by the matrix of its kind of edge, and a GRU updates its state. A gated sum of all nodes is
the snippet's vector. `gmn` also lets each node attend to all nodes of the other snippet in each
layer, and gives the GRU the difference between the node's state and what it attends to. Both
compare vectors by their cosine, and learn it by the squared error to 1 and -1.

From the paper: the edges, 100 numbers per node, 4 layers with shared weights, attention by dot
product, the gated sum, the cosine, its squared error, and Adam with rate 0.001. The authors'
programs differ, and we follow the paper:

- Their ``gmn`` maps all edges by one matrix, with an embedding of the kind and a ReLU; their
  ``ggnn`` ignores kinds. Here each kind has a matrix, as in the networks that the paper builds on.
- Their pool is a mean, weighted by the softmax of a gate per node; the paper's is a sum with gates.
- Their next uses connect reads of a variable only, not its declaration, and a name is a variable
  whatever its scope. Their loops are ``while`` and ``for``; here ``do`` loops count too.
- Their scripts switch all flow off by default, step after 32 pairs in a fixed order, and take their
  words from all code, test included, as ``preset=paper`` does here.

References
----------
Wang, Li, Ma, Xia and Jin, Detecting code clones with graph neural network and flow-augmented
abstract syntax tree, SANER 2020.
Li, Tarlow, Brockschmidt and Zemel, Gated graph sequence neural networks, ICLR 2016.
Li, Gu, Dullien, Vinyals and Kohli, Graph matching networks for learning the similarity of graph
structured objects, ICML 2019.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn.attention import SDPBackend, sdpa_kernel

from codekin.detectors.neural import (
    Network,
    NeuralDetector,
    Ragged,
    SiameseNetwork,
    begins,
    cosine,
    word_places,
)
from codekin.detectors.prepared import FLOWS, Prepared, spread
from codekin.errors import CodekinError

__all__ = ["Faast"]

NETWORKS = ("ggnn", "gmn")
_TREE_EDGES = ("child", "next sibling", "next token")
EDGES = (*_TREE_EDGES, *FLOWS)
"""The kinds of edges; each also leads back."""

Places = npt.NDArray[np.int64]


class _Inputs(NamedTuple):
    """The graphs of all snippets.

    Attributes
    ----------
    nodes : Ragged
        The nodes of each snippet.
    word : tensor
        The word of each node.
    edges : Ragged
        The edges of each kind and snippet; those of the first kind come first.
    tail, head : tensors
        Per edge: its nodes, counted from the first of the snippet.
    """

    nodes: Ragged
    word: Tensor
    edges: Ragged
    tail: Tensor
    head: Tensor


class _Graphs(NamedTuple):
    """Some graphs as one.

    Attributes
    ----------
    word : int64 tensor
        Per node.
    lengths : int64 tensor
        How many nodes each graph has.
    source, target : int64 tensors
        The nodes of each edge, by kind; first all edges forth, then in the same order back.
    sizes : list of int
        How many edges there are of each kind.
    arrivals, starts : int64 tensors
        The edges that lead to the first node, then to the second, and so on, and where those of
        each node begin.
    """

    word: Tensor
    lengths: Tensor
    source: Tensor
    target: Tensor
    sizes: list[int]
    arrivals: Tensor
    starts: Tensor


def graph_edges(prepared: Prepared) -> list[tuple[Places, Places]]:
    """The edges of each kind of `EDGES`, as places among all nodes."""
    first = prepared.nodes[:-1][prepared.snippet_of_node]
    child = np.flatnonzero(prepared.parent >= 0)
    parent = prepared.parent[child] + first[child]
    found = [(parent, child)]
    order = np.argsort(parent, kind="stable")
    siblings, above = child[order], parent[order]
    same = above[1:] == above[:-1]
    found.append((siblings[:-1][same], siblings[1:][same]))
    is_token = np.ones(len(prepared.word), bool)
    is_token[parent] = False
    tokens = np.flatnonzero(is_token)
    same = first[tokens[1:]] == first[tokens[:-1]]
    found.append((tokens[:-1][same], tokens[1:][same]))
    start = np.repeat(prepared.nodes[:-1], np.diff(prepared.flows))
    tail, head = prepared.flow_from + start, prepared.flow_to + start
    for kind in range(len(FLOWS)):
        chosen = prepared.flow_kind == kind
        found.append((tail[chosen], head[chosen]))
    return found


def graph_inputs(prepared: Prepared, words: tuple[str, ...], device: torch.device) -> _Inputs:
    """The graphs of all snippets, on a device."""
    count, kinds = len(prepared), len(EDGES)
    edges = graph_edges(prepared)
    tail, head = (np.concatenate([one[end] for one in edges]) for end in (0, 1))
    kind = np.repeat(np.arange(kinds), [len(one[0]) for one in edges])
    owner = prepared.snippet_of_node.astype(np.int64)
    row = kind * count + owner[tail]
    order = np.argsort(row, kind="stable")
    tail, head, kind, row = tail[order], head[order], kind[order], row[order]
    sizes = np.bincount(row, minlength=kinds * count)
    first = prepared.nodes[:-1][owner]

    def on(array: npt.NDArray[Any], kind: type[np.generic] = np.int64) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(array, kind)).to(device)

    return _Inputs(
        nodes=Ragged(on(prepared.nodes)),
        word=on(word_places(prepared, words)[prepared.word], np.int32),
        edges=Ragged(on(spread(sizes))),
        tail=on(tail - first[tail], np.int32),
        head=on(head - first[head], np.int32),
    )


def take_graphs(inputs: _Inputs, chosen: Tensor) -> _Graphs:
    """Some snippets' graphs as one graph."""
    kinds, graphs = len(EDGES), len(chosen)
    count = len(inputs.nodes.offsets) - 1
    nodes, _ = inputs.nodes.take(chosen)
    lengths = inputs.nodes.lengths(chosen)
    numbers = torch.arange(kinds, device=chosen.device)
    rows = (numbers[:, None] * count + chosen).flatten()
    edges, row = inputs.edges.take(rows)
    shift = begins(lengths)[row % max(1, graphs)]
    tail, head = inputs.tail[edges] + shift, inputs.head[edges] + shift
    target = torch.cat([head, tail])
    degree = torch.bincount(target, minlength=len(nodes))
    return _Graphs(
        word=inputs.word[nodes].long(),
        lengths=lengths,
        source=torch.cat([tail, head]),
        target=target,
        sizes=2 * inputs.edges.lengths(rows).view(kinds, graphs).sum(1).tolist(),
        arrivals=torch.argsort(target, stable=True),
        starts=begins(degree),
    )


def _sums(values: Tensor, places: Tensor, starts: Tensor) -> Tensor:
    """The sums of rows by group, always in the same order; zeros for a group of none."""
    if not len(places):
        return values.new_zeros((len(starts), values.shape[1]))
    return nn.functional.embedding_bag(places, values, starts, mode="sum")


class _FlowNetwork(Network):
    """What both networks have: embedded words, messages along edges, and the gated sum."""

    def __init__(self, words: tuple[str, ...], width: int, layers: int, received: int) -> None:
        super().__init__()
        self.words, self.width, self.layers = words, width, layers
        self.embedding = nn.Embedding(len(words) + 1, width)
        # Nothing in training has an unknown word, so that its embedding stays as it is here.
        nn.init.zeros_(self.embedding.weight[0].detach())
        self.edge = nn.Parameter(torch.empty(2 * len(EDGES), width, width))
        for one in self.edge:
            nn.init.xavier_uniform_(one.detach())
        self.update = nn.GRUCell(received * width, width)
        self.gate = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.layer = nn.Linear(width, width)

    def inputs(self, prepared: Prepared, device: torch.device) -> _Inputs:
        """The graphs of all snippets."""
        return graph_inputs(prepared, self.words, device)

    def sizes(self, prepared: Prepared) -> npt.NDArray[np.int64]:
        """The nodes of each snippet."""
        return np.diff(prepared.nodes)

    def precision(self, device: torch.device) -> torch.autocast:
        """Half the bits while training on a GPU; scores are always computed in full precision."""
        use = self.training and device.type == "cuda"
        return torch.autocast(device.type, torch.bfloat16, enabled=use)

    def dtype(self, device: torch.device) -> torch.dtype:
        """Of the nodes' states, within `precision`."""
        use = torch.is_autocast_enabled(device.type)
        return torch.get_autocast_dtype(device.type) if use else self.edge.dtype

    def messages(self, states: Tensor, graphs: _Graphs) -> Tensor:
        """For each node the sum of its neighbours, each mapped by the matrix of its kind of edge.

        Sums run in a fixed order, and so do their gradients, unlike those of indexing on a GPU.
        """
        neighbours = torch.split(nn.functional.embedding(graphs.source, states), graphs.sizes)
        mapped = [part @ matrix for part, matrix in zip(neighbours, self.edge, strict=True)]
        return _sums(torch.cat(mapped), graphs.arrivals, graphs.starts)

    def pooled(self, states: Tensor, graphs: _Graphs) -> Tensor:
        """A vector per graph."""
        gated = torch.sigmoid(self.gate(states)) * self.value(states)
        places = torch.arange(len(gated), device=gated.device)
        found: Tensor = self.layer(_sums(gated, places, begins(graphs.lengths)))
        return found.float()


class GgnnNetwork(_FlowNetwork, SiameseNetwork):
    """Each graph by itself."""

    def __init__(self, words: tuple[str, ...], width: int, layers: int) -> None:
        super().__init__(words, width, layers, received=1)

    def encode(self, inputs: _Inputs, chosen: Tensor) -> Tensor:
        """A vector per snippet."""
        graphs = take_graphs(inputs, chosen)
        with self.precision(chosen.device):
            states = self.embedding(graphs.word).to(self.dtype(chosen.device))
            for _ in range(self.layers):
                states = self.update(self.messages(states, graphs), states)
            return self.pooled(states, graphs)


_MOST_LAYERS = 64
_KERNELS = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]
"""Without that of cuDNN, which is compiled for each shape."""


def attended(states: Tensor, lengths: Tensor) -> Tensor:
    """For each node the mean of the other graph's nodes, weighted by the softmax of products.

    No matrix of all products is kept, so large graphs need little memory.

    Parameters
    ----------
    states : tensor
        Of the nodes.
    lengths : int64 tensor
        The nodes of each graph; the first half are the first graphs of the pairs.
    """
    graphs = torch.split(states, lengths.tolist())
    half = len(graphs) // 2
    with sdpa_kernel(_KERNELS):
        return torch.cat(list(map(_attend, graphs, graphs[half:] + graphs[:half])))


def _attend(queries: Tensor, keys: Tensor) -> Tensor:
    if not len(keys):
        return torch.zeros_like(queries)
    queries, keys = queries[None, None], keys[None, None]
    return nn.functional.scaled_dot_product_attention(queries, keys, keys, scale=1.0)[0, 0]


class GmnNetwork(_FlowNetwork):
    """Pairs of graphs whose nodes attend to each other."""

    def __init__(self, words: tuple[str, ...], width: int, layers: int) -> None:
        super().__init__(words, width, layers, received=2)

    def raw_scores(self, inputs: _Inputs, first: Tensor, second: Tensor) -> Tensor:
        """The cosine of each pair."""
        graphs = take_graphs(inputs, torch.cat([first, second]))
        with self.precision(first.device):
            states = self.embedding(graphs.word).to(self.dtype(first.device))
            for _ in range(self.layers):
                other = states - attended(states, graphs.lengths)
                received = torch.cat([self.messages(states, graphs), other], 1)
                states = self.update(received, states)
            vectors = self.pooled(states, graphs)
        return cosine(vectors[: len(first)], vectors[len(first) :])


@dataclass(eq=False)
class Faast(NeuralDetector):
    """A graph network over the flow-augmented syntax tree.

    Parameters
    ----------
    network : str
        ``ggnn``, which encodes each snippet by itself, or ``gmn``, in which the nodes of both
        snippets of a pair attend to each other, so that it cannot encode one.
    width : int
        Of a node's state, and of a snippet's vector; 100 in the paper.
    layers : int
        How often messages are passed; 4 in the paper.
    """

    name = "faast"
    summary = "graph networks over the syntax tree with control and data flow"

    network: str = "ggnn"
    width: int = 100
    layers: int = 4

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_choices(network=NETWORKS)
        if self.layers > _MOST_LAYERS:
            raise CodekinError(f"{self.name}: layers must be at most {_MOST_LAYERS}")

    @property
    def siamese(self) -> bool:  # type: ignore[override]
        """Whether it encodes each snippet by itself."""
        return self.network == "ggnn"

    def make_network(self) -> Network:
        """A network with fresh weights."""
        made = GgnnNetwork if self.network == "ggnn" else GmnNetwork
        return made(self.words, self.width, self.layers)
