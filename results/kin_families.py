"""The families of features tried for kin, and collections of programs counted by them.

A plain version of what ``codekin.represent.graph.features`` extracts fast, and of what else was
tried: each family is a list of hashable features, one per occurrence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import scipy.sparse

from codekin import Source
from codekin.measures.kin import program_parts
from codekin.represent.graph.features import operation_words, words_of
from codekin.represent.graph.parts import EdgeKind
from codekin.represent.graph.semantic_graph import SemanticGraph

__all__ = ["FAMILIES", "MOST", "Collection", "Family", "features"]

FAMILIES = {
    "operation": "an operation's label",
    "named": "the same, with names of functions defined in the text",
    "dependence": "two labels and the kind of the edge between them",
    "inputs": "a label with the labels of all nodes it gets data from",
    "uses": "a label with the labels of all nodes it gives data to",
    "conditions": "a label with the labels of the nodes that control it",
    "neighbourhood": "inputs, uses and conditions as one (Weisfeiler-Lehman, depth 1)",
    "inputs 2": "a label with the inputs of its inputs",
    "path": "three labels along data edges",
    "depth": "a label with its number of enclosing conditions",
    "statement": "the labels of a statement",
    "token": "a token, without names of variables",
    "2 tokens": "two in a row",
    "3 tokens": "three",
    "4 tokens": "four",
    "raw token": "a token, unchanged",
}
MOST = 8
"""How many occurrences of a feature count."""
_DEEPEST = 5
_PATHS = 20_000
_LONGEST_STATEMENT = 12


def features(source: Source) -> dict[str, list[Hashable]]:
    """All families of features of a program."""
    parts = program_parts(source)
    words = words_of(parts).ids.tolist()
    found: dict[str, list[Hashable]] = {"token": words}
    for n in (2, 3, 4):
        found[f"{n} tokens"] = list(zip(*(words[i:] for i in range(n)), strict=False))
    found["raw token"] = source.tokens.ids.tolist()
    return found if parts.graph is None else found | graph_features(parts.graph)


def graph_features(graph: SemanticGraph) -> dict[str, list[Hashable]]:
    """The families of graph features."""
    words = operation_words(graph)
    nodes = range(1, len(words))
    before: list[list[int]] = [[] for _ in words]
    after: list[list[int]] = [[] for _ in words]
    above: list[list[int]] = [[] for _ in words]
    dependences: list[Hashable] = []
    edges = graph.source.tolist(), graph.target.tolist(), graph.edge_kind.tolist()
    for source, target, kind in zip(*edges, strict=True):
        if kind == EdgeKind.ROOT:
            continue
        dependences.append((words[source], kind, words[target]))
        if kind == EdgeKind.DATA:
            before[target].append(source)
            after[source].append(target)
        elif kind == EdgeKind.CONTROL:
            above[target].append(source)
    inputs = [_with(words, i, before[i]) for i in range(len(words))]
    uses = [_with(words, i, after[i]) for i in range(len(words))]
    conditions = [(words[i], *sorted({words[j] for j in above[i]})) for i in range(len(words))]
    return {
        "operation": list(words[1:]),
        "named": [graph.labels[place] for place in graph.label.tolist()[1:]],
        "dependence": dependences,
        "inputs": list(inputs[1:]),
        "uses": list(uses[1:]),
        "conditions": list(conditions[1:]),
        "neighbourhood": [(inputs[i], uses[i], conditions[i]) for i in nodes],
        "inputs 2": [(words[i], *sorted(inputs[j] for j in before[i])) for i in nodes],
        "path": _paths(words, before, after),
        "depth": [(words[i], _depth(i, above)) for i in nodes],
        "statement": _statements(graph, words),
    }


def _with(words: Sequence[str], node: int, others: Iterable[int]) -> tuple[str, ...]:
    return (words[node], *sorted(words[other] for other in others))


def _paths(
    words: Sequence[str], before: Sequence[list[int]], after: Sequence[list[int]]
) -> list[Hashable]:
    found: list[Hashable] = []
    for node in range(1, len(words)):
        for source in before[node]:
            found += [(words[source], words[node], words[target]) for target in after[node]]
        if len(found) > _PATHS:
            break
    return found


def _depth(node: int, above: Sequence[list[int]]) -> int:
    depth = 0
    while depth < _DEEPEST and above[node] and min(above[node]) < node:
        node = min(above[node])
        depth += 1
    return depth


def _statements(graph: SemanticGraph, words: Sequence[str]) -> list[Hashable]:
    together: dict[int, list[str]] = {}
    for word, statement in zip(words, graph.statement.tolist(), strict=True):
        if statement >= 0:
            together.setdefault(statement, []).append(word)
    return [tuple(sorted(one)) for one in together.values() if len(one) <= _LONGEST_STATEMENT]


@dataclass(frozen=True, eq=False)
class Family:
    """Programs by features of one family; the k-th occurrence of a feature is a separate one.

    Attributes
    ----------
    programs : csr_array, programs by features
        1 where a program has a feature.
    occurrence : int array
        Which occurrence each feature is, from 1.
    background : mapping of str to float array
        For each language, the number of background programs with each feature.
    """

    programs: scipy.sparse.csr_array
    occurrence: npt.NDArray[np.int64]
    background: dict[str, npt.NDArray[np.float64]]


@dataclass(eq=False)
class Collection:
    """Programs to compare and background programs, counted by every family."""

    languages: list[str] = field(default_factory=list)
    """The language of each background program; None for the others."""
    _numbers: dict[str, dict[Hashable, int]] = field(default_factory=dict)
    _found: dict[str, list[npt.NDArray[np.int64]]] = field(default_factory=dict)

    def add(self, source: Source, background: str = "") -> None:
        """Count a program; it belongs to the background if a language is given."""
        self.languages.append(background)
        found = features(source)
        for name in FAMILIES:
            numbers = self._numbers.setdefault(name, {})
            numbered = [
                numbers.setdefault(thing, len(numbers)) * MOST + k
                for thing, count in Counter(found.get(name, ())).items()
                for k in range(min(count, MOST))
            ]
            self._found.setdefault(name, []).append(np.array(numbered, dtype=np.int64))

    def documents(self) -> Counter[str]:
        """The number of background programs per language."""
        return Counter(language for language in self.languages if language)

    def family(self, name: str) -> Family:
        """The counts of a family."""
        rows = self._found[name]
        every, columns = np.unique(np.concatenate(rows), return_inverse=True)
        ends = np.cumsum([0, *map(len, rows)])
        matrix = scipy.sparse.csr_array(
            (np.ones(len(columns), dtype=np.float32), columns, ends), shape=(len(rows), len(every))
        )
        languages = np.array(self.languages)
        background = {
            language: np.asarray(matrix[languages == language].sum(axis=0), dtype=float).ravel()
            for language in sorted(self.documents())
        }
        return Family(matrix[languages == ""], every % MOST + 1, background)
