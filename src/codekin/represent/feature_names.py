"""Names of features for people, and what they are made of: the slow side of extraction."""

from __future__ import annotations

from codekin.represent.features import LONGEST_GRAM, Family, edges_of, operation_words
from codekin.represent.graph_parts import EdgeKind
from codekin.represent.semantic_graph import SemanticGraph
from codekin.represent.token_words import shown_words
from codekin.represent.tokens import Tokens

__all__ = ["Named", "graph_names", "token_names"]

Named = tuple[str, tuple[int, ...]]
"""What a feature is called, and the nodes or tokens that it is of."""

_ARROWS = {
    EdgeKind.DATA: "→",
    EdgeKind.CONTROL: "⇒",
    EdgeKind.CALL: "↷",
}


def graph_names(graph: SemanticGraph) -> dict[Family, list[Named]]:
    """For each feature of a graph its name and its nodes, in the order of ``graph_bags``."""
    words = operation_words(graph)
    triples = list(zip(*(side.tolist() for side in edges_of(graph)), strict=True))
    before: list[list[str]] = [[] for _ in words]
    after: list[list[str]] = [[] for _ in words]
    dependences: list[Named] = []
    for source, target, kind in triples:
        arrow = _ARROWS[EdgeKind(kind)]
        dependences.append((f"{words[source]} {arrow} {words[target]}", (source, target)))
        before[target].append(f"{words[source]} {arrow}")
        after[source].append(f"{arrow} {words[target]}")
    nodes = range(1, len(words))
    return {
        Family.OPERATION: [(words[i], (i,)) for i in nodes],
        Family.DEPENDENCE: dependences,
        Family.NEIGHBOURHOOD: [
            (" ".join([*sorted(before[i]), f"[{words[i]}]", *sorted(after[i])]), (i,))
            for i in nodes
        ],
    }


def token_names(tokens: Tokens) -> dict[Family, list[Named]]:
    """For each run of tokens its name and its tokens, in the order of ``token_bags``."""
    places, words = shown_words(tokens)
    return {
        Family(Family.TOKEN + n - 1): [
            (" ".join(words[i : i + n]), tuple(places[i : i + n]))
            for i in range(len(words) - n + 1)
        ]
        for n in range(1, LONGEST_GRAM + 1)
    }
