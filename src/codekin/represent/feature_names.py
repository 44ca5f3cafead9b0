"""Names of features for people, and what they are made of: the slow side of extraction."""

from __future__ import annotations

from codekin.represent.features import (
    Family,
    ProgramParts,
    operation_words,
    words_of,
)
from codekin.represent.graph_parts import EdgeKind
from codekin.represent.semantic_graph import SemanticGraph
from codekin.represent.token_words import shown_words

__all__ = ["Named", "graph_names", "token_names"]

Named = tuple[str, int]
"""What a feature is called, and the node or token that it is of."""


def graph_names(graph: SemanticGraph) -> dict[Family, list[Named]]:
    """For each feature of a graph its name and its node, in the order of the bags."""
    words = operation_words(graph)
    givers: list[list[str]] = [[] for _ in words]
    takers: list[list[str]] = [[] for _ in words]
    deciders: list[set[str]] = [set() for _ in words]
    for edge in graph.edges():
        if edge.kind is EdgeKind.DATA:
            givers[edge.target].append(words[edge.source])
            takers[edge.source].append(words[edge.target])
        elif edge.kind is EdgeKind.CONTROL:
            deciders[edge.target].add(words[edge.source])
    nodes = range(1, len(words))
    return {
        Family.OPERATION: [(words[i], i) for i in nodes],
        Family.INPUTS: [(f"{words[i]} ← {_list(sorted(givers[i]))}", i) for i in nodes],
        Family.OUTPUTS: [(f"{words[i]} → {_list(sorted(takers[i]))}", i) for i in nodes],
        Family.CONTROL: [(f"{words[i]} if {_list(sorted(deciders[i]))}", i) for i in nodes],
    }


def _list(words: list[str]) -> str:
    return ", ".join(words) if words else "nothing"


def token_names(program: ProgramParts) -> list[Named]:
    """For each token that counts its name and its place, in the order of the bag."""
    words = words_of(program)
    names = [f"`{word}`" for word in shown_words(words, program.tokens)]
    return list(zip(names, words.places.tolist(), strict=True))
