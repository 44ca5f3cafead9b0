"""Pairs of graphs for the edit distance: real programs, random graphs, huge graphs."""

from __future__ import annotations

import json
import lzma
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tests.align.labelled_graphs import Case, Graph, edited, random_graph

from codekin import semantic_graph
from codekin.align.graph_edit import LabelledGraph
from codekin.measures.graph_costs import graph_costs


@dataclass(frozen=True)
class FlatGraph:
    """A graph in flat arrays, like a semantic graph."""

    label: npt.NDArray[np.int32]
    labels: tuple[str, ...]
    source: npt.NDArray[np.int32]
    target: npt.NDArray[np.int32]
    edge_kind: npt.NDArray[np.uint8]


@dataclass(frozen=True)
class GraphPair:
    """Two graphs, also in the form that the tests' oracles need."""

    graph1: LabelledGraph
    graph2: LabelledGraph
    name: str = ""
    costs: str = "unit"

    @cached_property
    def case(self) -> Case:
        """The same two graphs as plain sequences, with their costs."""
        graphs = plain(self.graph1), plain(self.graph2)
        if self.costs == "unit":
            return Case(*graphs)
        costs = graph_costs(self.costs)
        labels = {label for graph in graphs for label in graph.labels}
        return Case(
            *graphs,
            node_costs={label: costs.of_label(label) for label in labels},
            edge_costs=dict(enumerate(costs.of_kinds)),
        )


def plain(graph: LabelledGraph) -> Graph:
    """A graph as plain sequences."""
    ends = (graph.source.tolist(), graph.target.tolist(), graph.edge_kind.tolist())
    return Graph(
        tuple(graph.labels[at] for at in graph.label.tolist()), tuple(zip(*ends, strict=True))
    )


def flat(graph: Graph) -> FlatGraph:
    """A graph in flat arrays."""
    names = sorted({str(label) for label in graph.labels})
    places = {name: at for at, name in enumerate(names)}
    edges = np.array(sorted(set(graph.edges)), dtype=np.int32).reshape(-1, 3)
    return FlatGraph(
        np.array([places[str(label)] for label in graph.labels], dtype=np.int32),
        tuple(names),
        edges[:, 0].copy(),
        edges[:, 1].copy(),
        edges[:, 2].astype(np.uint8),
    )


def flat_pair(graph1: Graph, graph2: Graph, name: str = "") -> GraphPair:
    """Two plain graphs as a pair."""
    return GraphPair(flat(graph1), flat(graph2), name)


# Real programs


def triplet_texts(data: Path, pattern: str) -> Iterator[tuple[str, dict[str, str], dict[str, str]]]:
    """Anchor and positive, anchor and negative of every triplet, with the triplet's name."""
    for file in sorted((data / "triplets").glob(pattern)):
        with lzma.open(file, "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                for role in ("positive", "negative"):
                    yield f"{file.stem.split('.')[0]} {row['id']} {role}", row["anchor"], row[role]


def sampled_pairs(data: Path, count: int, low: int, high: int, seed: int = 0) -> list[GraphPair]:
    """Pairs from all triplets whose graphs both have `low` to `high` nodes."""
    texts = list(triplet_texts(data, "*.jsonl.xz"))
    random.Random(seed).shuffle(texts)
    found: list[GraphPair] = []
    for name, one, other in texts:
        graph1 = semantic_graph(one["code"], one["language"])
        if not low <= len(graph1) <= high:
            continue
        graph2 = semantic_graph(other["code"], other["language"])
        if low <= len(graph2) <= high:
            found.append(GraphPair(graph1, graph2, name))
            if len(found) == count:
                break
    return found


def corpus_pairs(data: Path, pattern: str) -> Iterator[GraphPair]:
    """Every pair of every triplet, of any size; the graph of each text is built once."""
    made: dict[tuple[str, str], LabelledGraph] = {}
    for name, *texts in triplet_texts(data, pattern):
        keys = [(text["code"], text["language"]) for text in texts]
        for key in keys:
            if key not in made:
                made[key] = semantic_graph(*key)
        yield GraphPair(made[keys[0]], made[keys[1]], name)


# Random graphs


def random_pairs(nodes: int, labels: int, count: int, *, alike: bool) -> list[GraphPair]:
    """Graphs with two edges per node; unrelated, or with a tenth as many edits as nodes."""
    rng = random.Random(f"{nodes} {labels} {alike}")
    pairs = []
    for _ in range(count):
        graph1 = random_graph(rng, nodes, 2 * nodes, labels, kinds=1, loops=False)
        graph2 = (
            edited(rng, graph1, max(nodes // 10, 1)).shuffled(rng)
            if alike
            else random_graph(rng, nodes, 2 * nodes, labels, kinds=1, loops=False)
        )
        pairs.append(flat_pair(graph1, graph2))
    return pairs
