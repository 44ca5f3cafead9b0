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

import importlib
import inspect
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
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
    word, degree : tensors
        Per node: its word, and the edges that lead to it, in both directions.
    edges : Ragged
        The edges of each kind and snippet; those of the first kind come first.
    tail, head : tensors
        Per edge: its nodes, counted from the first of the snippet.
    arrivals : Ragged
        For each snippet the edges that lead to its first node, then to its second, and so on, in
        both directions.
    kind, rank : tensors
        Per arrival: the kind of edge, where those back follow those forth, and the edge's place
        among those of that kind and snippet.
    """

    nodes: Ragged
    word: Tensor
    degree: Tensor
    edges: Ragged
    tail: Tensor
    head: Tensor
    arrivals: Ragged
    kind: Tensor
    rank: Tensor


class _Graphs(NamedTuple):
    """Some graphs as one.

    Attributes
    ----------
    word : int64 tensor
        Per node.
    lengths, begin : int64 tensors
        How many nodes each graph has, and its first.
    source, target : int64 tensors
        The nodes of each edge, by kind; first all edges forth, then in the same order back.
    bounds : list of int
        Where the edges of each kind begin, and the end of the last.
    arrivals, starts : int64 tensors
        The edges that lead to the first node, then to the second, and so on, and where those of
        each node begin.
    """

    word: Tensor
    lengths: Tensor
    begin: Tensor
    source: Tensor
    target: Tensor
    bounds: list[int]
    arrivals: Tensor
    starts: Tensor

    @property
    def departures(self) -> Tensor:
        """The edges that lead from the first node, then from the second, and so on."""
        # Where an edge arrives, the same edge back departs.
        return (self.arrivals + len(self.source) // 2) % max(1, len(self.source))


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
    rank = np.arange(len(row)) - spread(sizes)[row]
    reached = np.concatenate([head, tail])
    arrival = np.argsort(reached, kind="stable")
    degree = np.bincount(reached, minlength=len(owner))
    first = prepared.nodes[:-1][owner]

    def on(array: npt.NDArray[Any], kind: type[np.generic] = np.int64) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(array, kind)).to(device)

    return _Inputs(
        nodes=Ragged(on(prepared.nodes)),
        word=on(word_places(prepared, words)[prepared.word], np.int32),
        degree=on(degree, np.int32),
        edges=Ragged(on(spread(sizes))),
        tail=on(tail - first[tail], np.int32),
        head=on(head - first[head], np.int32),
        arrivals=Ragged(on(np.r_[0, np.cumsum(degree)][prepared.nodes])),
        kind=on(np.concatenate([kind, kind + kinds])[arrival], np.uint8),
        rank=on(np.concatenate([rank, rank])[arrival], np.int32),
    )


def take_graphs(inputs: _Inputs, chosen: Tensor) -> _Graphs:
    """Some snippets' graphs as one graph."""
    kinds, graphs = len(EDGES), len(chosen)
    count = len(inputs.nodes.offsets) - 1
    nodes, _ = inputs.nodes.take(chosen)
    lengths = inputs.nodes.lengths(chosen)
    begin = torch.cumsum(lengths, 0) - lengths
    numbers = torch.arange(kinds, device=chosen.device)
    rows = (numbers[:, None] * count + chosen).flatten()
    edges, row = inputs.edges.take(rows)
    sizes = inputs.edges.lengths(rows)
    row_begin = torch.cumsum(sizes, 0) - sizes
    shift = begin[row % max(1, graphs)]
    tail, head = inputs.tail[edges] + shift, inputs.head[edges] + shift
    arrivals, owner = inputs.arrivals.take(chosen)
    kind = inputs.kind[arrivals].long()
    place = row_begin[(kind % kinds) * graphs + owner] + inputs.rank[arrivals]
    place = torch.where(kind < kinds, place, place + len(edges))
    degree = inputs.degree[nodes].long()
    forth = [0, *torch.cumsum(sizes.view(kinds, graphs).sum(1), 0).tolist()]
    return _Graphs(
        word=inputs.word[nodes].long(),
        lengths=lengths,
        begin=begin,
        source=torch.cat([tail, head]),
        target=torch.cat([head, tail]),
        bounds=[*forth, *(len(edges) + end for end in forth[1:])],
        arrivals=place,
        starts=torch.cumsum(degree, 0) - degree,
    )


def _sums(values: Tensor, places: Tensor, starts: Tensor) -> Tensor:
    """The sums of rows by group, always in the same order; zeros for a group of none."""
    if not len(places):
        return values.new_zeros((len(starts), values.shape[1]))
    return nn.functional.embedding_bag(places, values, starts, mode="sum")


class _Messages(torch.autograd.Function):
    """For each node the sum of its neighbours, each mapped by the matrix of its kind of edge.

    States of edges are computed again for the gradient, so that nothing per edge is kept. Sums run
    in a fixed order, unlike those that a GPU does by itself.
    """

    @staticmethod
    def forward(ctx: Any, states: Tensor, weight: Tensor, graphs: _Graphs) -> Tensor:
        ctx.save_for_backward(states, weight)
        ctx.graphs = graphs
        mapped = _by_kind(states.index_select(0, graphs.source), weight, graphs.bounds)
        return _sums(mapped, graphs.arrivals, graphs.starts)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, None]:
        states, weight = ctx.saved_tensors
        graphs: _Graphs = ctx.graphs
        edge = gradient.index_select(0, graphs.target)
        source = states.index_select(0, graphs.source)
        of_weight = torch.zeros_like(weight)
        for kind, (start, end) in enumerate(pairwise(graphs.bounds)):
            if end > start:
                torch.mm(source[start:end].T, edge[start:end], out=of_weight[kind])
        mapped = _by_kind(edge, weight.transpose(1, 2), graphs.bounds)
        # Each node has as many departures as arrivals, since each edge also leads back.
        return _sums(mapped, graphs.departures, graphs.starts), of_weight, None


def _by_kind(values: Tensor, weight: Tensor, bounds: list[int]) -> Tensor:
    found = torch.empty_like(values)
    for kind, (start, end) in enumerate(pairwise(bounds)):
        if end > start:
            torch.mm(values[start:end], weight[kind], out=found[start:end])
    return found


class _GroupSums(torch.autograd.Function):
    """The sums of consecutive rows."""

    @staticmethod
    def forward(ctx: Any, values: Tensor, lengths: Tensor) -> Tensor:
        ctx.save_for_backward(lengths)
        ctx.rows = len(values)
        places = torch.arange(len(values), device=values.device)
        return _sums(values, places, torch.cumsum(lengths, 0) - lengths)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        (lengths,) = ctx.saved_tensors
        return torch.repeat_interleave(gradient, lengths, 0, output_size=ctx.rows), None


class _Placed(torch.autograd.Function):
    """Rows at places of their own among rows of zeros."""

    @staticmethod
    def forward(ctx: Any, values: Tensor, places: Tensor, count: int) -> Tensor:
        ctx.save_for_backward(places)
        return values.new_zeros((count, values.shape[1])).index_copy_(0, places, values)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None]:
        (places,) = ctx.saved_tensors
        return gradient.index_select(0, places), None, None


class _Picked(torch.autograd.Function):
    """Rows at different places."""

    @staticmethod
    def forward(ctx: Any, values: Tensor, places: Tensor) -> Tensor:
        ctx.save_for_backward(places)
        ctx.rows = len(values)
        return values.index_select(0, places)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        (places,) = ctx.saved_tensors
        found = gradient.new_zeros((ctx.rows, gradient.shape[1]))
        return found.index_copy_(0, places, gradient), None


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
        """What each node gets along its edges."""
        weight = self.edge.to(states.dtype)
        found: Tensor = _Messages.apply(states, weight, graphs)  # type: ignore[no-untyped-call]
        return found

    def pooled(self, states: Tensor, graphs: _Graphs) -> Tensor:
        """A vector per graph."""
        gated = torch.sigmoid(self.gate(states)) * self.value(states)
        sums = _GroupSums.apply(gated, graphs.lengths)  # type: ignore[no-untyped-call]
        found: Tensor = self.layer(sums)
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


class _Bucket(NamedTuple):
    """Pairs whose longer graphs are padded to one length, and whose shorter ones to another.

    Attributes
    ----------
    pairs : int
    rows : tuple of int
        Of the buffer: those of the longer graphs, and after them those of the shorter ones.
    longer, shorter : tensors
        Added to products: 0 for nodes, and minus infinity for rows that are none.
    """

    pairs: int
    rows: tuple[int, int]
    longer: Tensor
    shorter: Tensor


class _Buckets(NamedTuple):
    """The pairs of a batch by size, so that little is padded.

    Attributes
    ----------
    places : int64 tensor
        Where each node is in the buffer.
    rows : int
        Of the buffer.
    parts : list of _Bucket
    """

    places: Tensor
    rows: int
    parts: list[_Bucket]


_MOST_LAYERS = 64
_SHORT = 128
"""Graphs up to this number of nodes are padded together, then those up to twice it, and so on."""
_CELLS = 1 << 28
"""Pairs of nodes that attend to each other at a time."""


def bucket_pairs(longer: Places, shorter: Places) -> list[Places]:
    """Pairs whose graphs have similar lengths, together.

    Parameters
    ----------
    longer, shorter : int64 arrays
        The nodes of the two graphs of each pair.

    Examples
    --------
    >>> parts = bucket_pairs(np.array([10, 900, 90, 600]), np.array([9, 8, 7, 6]))
    >>> [part.tolist() for part in parts]
    [[0, 2], [3, 1]]
    """
    sizes = [np.ceil(np.log2(np.maximum(one, _SHORT) / _SHORT)) for one in (longer, shorter)]
    key = (sizes[0] * 64 + sizes[1]).astype(np.int64)
    order = np.lexsort((shorter, longer, key))
    found = []
    for part in np.split(order, np.flatnonzero(np.diff(key[order])) + 1):
        start = 0
        # The last pair has the longest of the longer graphs, but others may have shorter ones.
        cells = 2 * longer[part] * max(1, int(shorter[part].max(initial=0)))
        while start < len(part):
            fit = np.arange(1, len(part) - start + 1) * cells[start:] <= _CELLS
            end = start + max(1, int(np.count_nonzero(fit)))
            found.append(part[start:end])
            start = end
    return found


def _buckets(graphs: _Graphs, dtype: torch.dtype) -> _Buckets:
    device = graphs.lengths.device
    lengths = graphs.lengths.cpu().numpy()
    pairs = len(lengths) // 2
    swap = lengths[:pairs] < lengths[pairs:]
    order = np.arange(pairs)
    long, short = np.where(swap, order + pairs, order), np.where(swap, order, order + pairs)
    begin = np.zeros(2 * pairs, np.int64)
    parts = []
    rows = 0
    for chosen in bucket_pairs(lengths[long], lengths[short]):
        taken, masks = [], []
        for graph in (long[chosen], short[chosen]):
            # Kernels want lengths that are multiples of 8. Of no nodes, the first row counts.
            known = np.maximum(lengths[graph], 1)
            padded = -(-int(known.max()) // 8) * 8
            begin[graph] = rows + np.arange(len(graph)) * padded
            taken.append(len(graph) * padded)
            rows += taken[-1]
            hidden = torch.from_numpy(np.arange(padded) >= known[:, None]).to(device)
            mask = torch.zeros(hidden.shape, dtype=dtype, device=device)
            masks.append(mask.masked_fill_(hidden, -torch.inf)[:, None, None, :])
        parts.append(_Bucket(len(chosen), (taken[0], taken[1]), masks[0], masks[1]))
    shift = torch.from_numpy(begin).to(device) - graphs.begin
    places = torch.arange(len(graphs.word), device=device)
    places += torch.repeat_interleave(shift, graphs.lengths, output_size=len(places))
    return _Buckets(places, rows, parts)


_KERNELS = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]
"""Without that of cuDNN, which is compiled for each shape."""


def _attend(queries: Tensor, keys: Tensor, mask: Tensor) -> Tensor:
    found = nn.functional.scaled_dot_product_attention(
        queries, keys, keys, attn_mask=mask, scale=1.0
    )
    return found.reshape(-1, keys.shape[-1])


class _Packed:
    """For each node the mean of the other graph's nodes, by one kernel for pairs of any sizes.

    Only on a GPU, with half the bits.
    """

    def __init__(self, graphs: _Graphs) -> None:
        pairs = len(graphs.lengths) // 2
        lengths = graphs.lengths.tolist()
        self.longest = max(lengths, default=0)
        self.halves = [sum(lengths[:pairs]), sum(lengths[pairs:])]
        other = torch.cat([graphs.lengths[pairs:], graphs.lengths[:pairs]])
        self.ends = [
            nn.functional.pad(torch.cumsum(one, 0), (1, 0)).int() for one in (graphs.lengths, other)
        ]

    def __call__(self, states: Tensor) -> Tensor:
        """The mean for each node, weighted by the softmax of products."""
        width = states.shape[1]
        queries = nn.functional.pad(states, (0, -width % 8))[:, None]
        first, second = torch.split(queries, self.halves)
        keys = torch.cat([second, first])
        found: Tensor = _varlen_attention()(
            *(queries, keys, keys, *self.ends, self.longest, self.longest), scale=1.0
        )
        return found[:, 0, :width]


@cache
def _varlen_attention() -> Any:
    """The kernel of torch for sequences of any lengths; None where torch is too old."""
    try:
        varlen = importlib.import_module("torch.nn.attention.varlen")
    except ImportError:
        return None
    known = inspect.signature(varlen.varlen_attn).parameters
    return varlen.varlen_attn if "scale" in known else None


class _Padded:
    """For each node the mean of the other graph's nodes, with graphs of similar sizes together.

    No matrix of all products is kept, so large graphs need little memory.
    """

    def __init__(self, graphs: _Graphs, dtype: torch.dtype) -> None:
        self.buckets = _buckets(graphs, dtype)

    def __call__(self, states: Tensor) -> Tensor:
        """The mean for each node, weighted by the softmax of products."""
        buckets = self.buckets
        width = states.shape[1]
        # Kernels want widths that are multiples of 8; zeros change no product.
        states = nn.functional.pad(states, (0, -width % 8))
        padded = _Placed.apply(states, buckets.places, buckets.rows)  # type: ignore[no-untyped-call]
        sides = iter(padded.split([rows for part in buckets.parts for rows in part.rows]))
        found = []
        with sdpa_kernel(_KERNELS):
            for part, *both in zip(buckets.parts, sides, sides, strict=True):
                longer, shorter = (one.view(part.pairs, 1, -1, one.shape[1]) for one in both)
                found.append(_attend(longer, shorter, part.shorter))
                found.append(_attend(shorter, longer, part.longer))
        every = torch.cat(found)
        picked: Tensor = _Picked.apply(every, buckets.places)  # type: ignore[no-untyped-call]
        return picked[:, :width]


class GmnNetwork(_FlowNetwork):
    """Pairs of graphs whose nodes attend to each other."""

    def __init__(self, words: tuple[str, ...], width: int, layers: int) -> None:
        super().__init__(words, width, layers, received=2)

    def raw_scores(self, inputs: _Inputs, first: Tensor, second: Tensor) -> Tensor:
        """The cosine of each pair."""
        graphs = take_graphs(inputs, torch.cat([first, second]))
        with self.precision(first.device):
            dtype = self.dtype(first.device)
            packed = dtype == torch.bfloat16 and first.is_cuda and _varlen_attention() is not None
            attended = _Packed(graphs) if packed else _Padded(graphs, dtype)
            states = self.embedding(graphs.word).to(dtype)
            for _ in range(self.layers):
                other = states - attended(states)
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
