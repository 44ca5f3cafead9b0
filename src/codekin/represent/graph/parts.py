"""Nodes and edges of a semantic graph, and the options of building it."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, Any, Literal

from codekin.errors import CodekinError
from codekin.results import Constraint

__all__ = ["DATA", "ENTRY", "LABELS", "ROOT", "UNKNOWN", "Edge", "EdgeKind", "GraphOptions", "Node"]

ROOT = 255
"""The kind of the root, which is not an operation."""


class EdgeKind(IntEnum):
    """Why one node leads to another."""

    DATA = 0
    CONTROL = 1
    CALL = 2
    ROOT = 3


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a semantic graph, as an object; the graph itself stores arrays.

    Attributes
    ----------
    index : int
    kind : str
        ``"root"``, or what the operation is: ``"entry"``, ``"call"``, ``"assign"``, ...
    label : str
        What it does, by the graph's label scheme.
    function : str or None
        The function it belongs to; the root belongs to none.
    start, end : int
        Its code, in bytes of the text in UTF-8.
    line : int
        The line where its code starts, from 1; 0 for the root.
    text : str
        Its code; empty for the root and for entries, whose code is the whole function.
    """

    index: int
    kind: str
    label: str
    function: str | None
    start: int
    end: int
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge of a semantic graph: `target` depends on `source`, or is called by it."""

    source: int
    target: int
    kind: EdgeKind


_GRANULARITIES = ("operation", "statement")
LABELS = ("operator", "operator+literal", "category", "type")
UNKNOWN = ("receiver", "pure", "arguments")
DATA = ("definition", "joern")
ENTRY = ("control", "data")
_CHOICES = {
    "granularity": _GRANULARITIES,
    "labels": LABELS,
    "unknown": UNKNOWN,
    "data": DATA,
    "entry": ENTRY,
}


@dataclass(frozen=True)
class GraphOptions:
    """How a semantic graph is built; invalid values raise an error that lists the valid ones.

    Attributes
    ----------
    granularity : str
        ``"operation"``: a node for each operation. ``"statement"``: the operations of a statement
        are one node.
    labels : str
        ``"operator"``, ``"operator+literal"`` (also the values of constants), ``"category"`` or
        ``"type"``.
    literals : bool
        Whether constants are nodes; with ``labels="operator+literal"`` they always are.
    self_loops : bool
        Whether an operation may depend on itself, as the test of a loop does.
    fold : bool
        Whether a test of a constant, such as ``while True``, has only one outcome.
    jumps : bool
        Whether what a jump skips depends on the jump (Ball and Horwitz).
    raising : bool
        Whether operations that may raise inside a ``try`` lead to its handlers.
    unknown : str
        What a call of an unknown function changes: its ``"receiver"``, nothing (``"pure"``), or
        its ``"arguments"`` too.
    summaries : bool
        Whether calls have the effects of the called functions of the same text.
    data : str
        What a data edge is: from a ``"definition"`` to its use, or as in ``"joern"``, where uses
        chain.
    entry : str
        Whether the entry of a function has ``"control"`` edges to what always runs, or ``"data"``
        edges to all operations of the function.
    exits : bool
        Whether each function has an exit, a node that uses all definitions that reach it.

    Examples
    --------
    >>> GraphOptions(labels="operator+literal").literals
    True
    """

    granularity: Annotated[str, Constraint(enum=_GRANULARITIES)] = "operation"
    labels: Annotated[str, Constraint(enum=LABELS)] = "operator"
    literals: bool = False
    self_loops: bool = True
    fold: bool = True
    jumps: bool = False
    raising: bool = True
    unknown: Literal["receiver", "pure", "arguments"] = "receiver"
    summaries: bool = True
    data: Literal["definition", "joern"] = "definition"
    entry: Literal["control", "data"] = "control"
    exits: bool = False

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise CodekinError(
                    f"{name}={getattr(self, name)!r} is not one of {', '.join(choices)}"
                )
        for field in dataclasses.fields(self):
            if field.name not in _CHOICES and not isinstance(getattr(self, field.name), bool):
                raise CodekinError(
                    f"{field.name}={getattr(self, field.name)!r} is neither True nor False"
                )
        if self.labels == "operator+literal":
            object.__setattr__(self, "literals", True)

    @classmethod
    def of(cls, **values: Any) -> GraphOptions:
        """Make options by name; unknown names raise an error."""
        known = [field.name for field in dataclasses.fields(cls)]
        for name in values:
            if name not in known:
                raise CodekinError(f"a graph has no option {name!r}; it has {', '.join(known)}")
        return cls(**values)
