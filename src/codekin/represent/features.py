"""Features of a program: what its semantic graph and its tokens are made of, as 64-bit numbers.

A feature is named by labels and tokens alone, never by places, nor by the names of variables and
of the program's own functions, so it is the same in every program, on every machine and in every
run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.represent.flow_ir import FlowIR
from codekin.represent.graph_parts import EdgeKind
from codekin.represent.semantic_graph import SemanticGraph
from codekin.represent.token_words import TokenWords, given_names, token_words
from codekin.represent.tokens import Tokens

__all__ = [
    "MOST_OCCURRENCES",
    "Bag",
    "Family",
    "ProgramParts",
    "families_of",
    "feature_bags",
    "feature_set",
    "operation_words",
    "words_of",
]

Ids = npt.NDArray[np.uint64]

MOST_OCCURRENCES = 8
"""How often a feature counts at most."""

_CALL = int(EdgeKind.CALL)
_NAMED_ENTRY, _ENTRY, _OWN_CALL = "entry:", "entry", "call:own"
_OWN_CALL_ID = _native.string_ids([_OWN_CALL])[0]


class Family(IntEnum):
    """The kinds of features; a feature's upper bits say which it is of."""

    OPERATION = 0
    """An operation, by its label."""
    INPUTS = 1
    """An operation with all that it has its data from."""
    OUTPUTS = 2
    """An operation with all that it gives its data to."""
    CONTROL = 3
    """An operation with what decides whether it runs."""
    TOKEN = 4
    """A token."""

    @property
    def label(self) -> str:
        """The family as it stands in parts and explanations."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Bag:
    """The features of one family as they occur, in the order of nodes or of tokens."""

    family: Family
    features: Ids


@dataclass(frozen=True, slots=True)
class ProgramParts:
    """What features are taken from: tokens, and where the language has graphs, graph and IR."""

    language: str
    tokens: Tokens
    graph: SemanticGraph | None = None
    ir: FlowIR | None = None


def feature_bags(program: ProgramParts) -> list[Bag]:
    """All features of a program, family by family; where there is no graph, tokens alone."""
    bags = []
    if program.graph is not None:
        graph = program.graph
        nodes = _operation_ids(graph)
        found = _native.graph_features(nodes, graph.source, graph.target, graph.edge_kind)
        bags = [Bag(Family(i), features[1:]) for i, features in enumerate(found)]  # less the root
    bags.append(Bag(Family.TOKEN, words_of(program).ids))
    return bags


def words_of(program: ProgramParts) -> TokenWords:
    """The words of a program's tokens."""
    if program.ir is None:
        return token_words(program.tokens, program.language)
    return token_words(program.tokens, program.language, given_names(program.ir))


def _operation_ids(graph: SemanticGraph) -> Ids:
    """An identity for each node: of its label, without the names of the program's functions."""
    labels = [_ENTRY if label.startswith(_NAMED_ENTRY) else label for label in graph.labels]
    nodes: Ids = _native.string_ids(labels)[graph.label]
    nodes[graph.source[graph.edge_kind == _CALL]] = _OWN_CALL_ID
    return nodes


def operation_words(graph: SemanticGraph) -> list[str]:
    """For each node the word that its identity is of."""
    words = [graph.labels[place] for place in graph.label.tolist()]
    for node in graph.source[graph.edge_kind == _CALL].tolist():
        words[node] = _OWN_CALL
    return [_ENTRY if word.startswith(_NAMED_ENTRY) else word for word in words]


def feature_set(bags: Sequence[Bag]) -> tuple[Ids, npt.NDArray[np.uint8]]:
    """Bags as one sorted set: the k-th occurrence of a feature is a feature of its own.

    What two sets share is then what two bags share, each feature counted as often as in the one
    that has less of it, eight times at most.

    Returns
    -------
    (uint64 array, uint8 array)
        The features, ascending, and for each which occurrence it is.
    """
    pairs = [(int(bag.family), bag.features) for bag in bags]
    return _native.feature_set(pairs, MOST_OCCURRENCES)


def families_of(features: Ids) -> npt.NDArray[np.uint8]:
    """For each feature its family."""
    return (features >> np.uint64(_native.FEATURE_FAMILY_SHIFT)).astype(np.uint8)
