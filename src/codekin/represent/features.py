"""Features of a program: what its semantic graph and its tokens are made of, as 64-bit numbers.

A feature is named by texts alone (labels, kinds of edges, tokens), never by places or by the names
of variables, so it is the same in every program, on every machine and in every run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.represent.graph_parts import EdgeKind
from codekin.represent.semantic_graph import SemanticGraph
from codekin.represent.token_words import token_words
from codekin.represent.tokens import Tokens

__all__ = [
    "LONGEST_GRAM",
    "Bag",
    "Family",
    "edges_of",
    "families_of",
    "feature_set",
    "graph_bags",
    "operation_ids",
    "operation_words",
    "token_bags",
]

Ids = npt.NDArray[np.uint64]

_CALL, _ROOT_EDGE = int(EdgeKind.CALL), int(EdgeKind.ROOT)
_NAMED_ENTRY, _ENTRY, _OWN_CALL = "entry:", "entry", "call:own"
_OWN_CALL_ID = _native.string_ids([_OWN_CALL])[0]
LONGEST_GRAM = 4


class Family(IntEnum):
    """The kinds of features; a feature's upper bits say which it is of."""

    OPERATION = 0
    DEPENDENCE = 1
    NEIGHBOURHOOD = 2
    TOKEN = 3
    TOKEN_PAIR = 4
    TOKEN_TRIPLE = 5
    TOKEN_QUADRUPLE = 6

    @property
    def label(self) -> str:
        """The family as it stands in parts and explanations."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Bag:
    """The features of one family as they occur, in the order of nodes, edges or tokens."""

    family: Family
    features: Ids


def graph_bags(graph: SemanticGraph) -> list[Bag]:
    """Operations, labelled dependences, and operations with all that they touch.

    The root is left out. Functions of the text have no names here: an entry is an entry, and a
    call of one is a call of an own function.
    """
    operations, dependences, neighbourhoods = _native.graph_features(
        operation_ids(graph), *edges_of(graph), 1
    )
    return [
        Bag(Family.OPERATION, operations[1:]),
        Bag(Family.DEPENDENCE, dependences),
        Bag(Family.NEIGHBOURHOOD, neighbourhoods[1:]),
    ]


def operation_ids(graph: SemanticGraph) -> Ids:
    """An identity for each node: of its label, without the names of functions of the text."""
    labels = [_ENTRY if label.startswith(_NAMED_ENTRY) else label for label in graph.labels]
    nodes: Ids = _native.string_ids(labels)[graph.label]
    nodes[_own_calls(graph)] = _OWN_CALL_ID
    return nodes


def operation_words(graph: SemanticGraph) -> list[str]:
    """The same as words."""
    words = [graph.labels[place] for place in graph.label.tolist()]
    for node in _own_calls(graph).tolist():
        words[node] = _OWN_CALL
    return [_ENTRY if word.startswith(_NAMED_ENTRY) else word for word in words]


def _own_calls(graph: SemanticGraph) -> npt.NDArray[np.int32]:
    calls: npt.NDArray[np.int32] = graph.source[graph.edge_kind == _CALL]
    return calls


def edges_of(
    graph: SemanticGraph,
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.uint8]]:
    """The edges that are features: all but the root's."""
    inner = graph.edge_kind != _ROOT_EDGE
    return graph.source[inner], graph.target[inner], graph.edge_kind[inner]


def token_bags(tokens: Tokens) -> list[Bag]:
    """Runs of one to four tokens, the names of variables and the like taken out."""
    ids = token_words(tokens).ids
    return [
        Bag(Family(Family.TOKEN + n - 1), _native.gram_features(ids, n))
        for n in range(1, LONGEST_GRAM + 1)
    ]


def feature_set(bags: Sequence[Bag]) -> Ids:
    """Bags as one sorted set: the k-th occurrence of a feature is a feature of its own.

    What two sets share is then what two bags share, each feature counted as often as in the one
    that has less of it.
    """
    return _native.feature_set([(int(bag.family), bag.features) for bag in bags])


def families_of(features: Ids) -> npt.NDArray[np.uint8]:
    """For each feature its family."""
    return (features >> np.uint64(_native.FEATURE_FAMILY_SHIFT)).astype(np.uint8)
