"""Data flow: from which names each variable has its value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.represent.flow.flow_rules import FlowRules, native_rules
from codekin.represent.tree.flat_tree import FlatTree

__all__ = ["Dataflow", "Edge", "dataflow"]

_I32 = npt.NDArray[np.int32]
RELATIONS = ("comesFrom", "computedFrom")


@dataclass(frozen=True, slots=True)
class Edge:
    """A variable at one place, and the names from which it has its value there.

    Attributes
    ----------
    name : str
        The variable.
    relation : str
        ``comesFrom`` for a use and a copy, ``computedFrom`` for a computation.
    sources : tuple of str
        Names and constants, in the order in which the code mentions them.
    start : int
        Where the variable stands, in bytes of the UTF-8 text.
    """

    name: str
    relation: str
    sources: tuple[str, ...]
    start: int

    def __str__(self) -> str:
        return f"{self.name} {self.relation} {', '.join(self.sources) or 'nothing'}"


@dataclass(frozen=True, eq=False)
class Dataflow:
    """The data flow of a program.

    Attributes
    ----------
    items : uint64 array
        A number for each edge after its names were replaced by their order of appearance;
        different edges share one with a chance of about 1e-19.
    ordered : uint64 array
        The same, sorted.
    """

    data: bytes
    items: npt.NDArray[np.uint64]
    ordered: npt.NDArray[np.uint64]
    _spans: tuple[_I32, _I32, npt.NDArray[np.uint8], _I32, _I32, _I32]

    def __len__(self) -> int:
        return len(self.items)

    def edges(self) -> Iterator[Edge]:
        """The edges, in the order of the text."""
        starts, ends, relations, offsets, source_starts, source_ends = self._spans
        for i, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
            span = range(int(offsets[i]), int(offsets[i + 1]))
            sources = [self._text(int(source_starts[k]), int(source_ends[k])) for k in span]
            relation = RELATIONS[int(relations[i])]
            yield Edge(self._text(start, end), relation, tuple(sources), start)

    def _text(self, start: int, end: int) -> str:
        return self.data[start:end].decode("utf-8", "replace")


# The rules are kept with their table: as long as they live, no others have their id.
_native_of: dict[tuple[str, str, int], tuple[FlowRules, _native.DataflowRules]] = {}


def dataflow(tree: FlatTree, data: bytes, rules: FlowRules) -> Dataflow:
    """Follow the values of a program's variables.

    Parameters
    ----------
    tree : FlatTree
        The tree of `data`.
    data : bytes
        The text in UTF-8.
    rules : FlowRules
        What the nodes of the language do.

    Examples
    --------
    >>> from codekin import Source
    >>> from codekin.represent.flow.language_flow_rules import FLOW_RULES
    >>> source = Source("total = price * count", "python")
    >>> flow = dataflow(source.tree, source.data, FLOW_RULES["python"])
    >>> [str(edge) for edge in flow.edges()]
    ['total computedFrom price, count']
    """
    grammar = tree.grammar
    key = (grammar.distribution, grammar.entry, id(rules))
    kept = _native_of.get(key)
    if kept is None or kept[0] is not rules:
        kept = _native_of[key] = rules, native_rules(rules, grammar)
    found = _native.dataflow(
        kept[1], data, tree.kind, tree.field, tree.parent, tree.size, tree.start, tree.end
    )
    return Dataflow(data, found[0], np.sort(found[0]), found[1:])
