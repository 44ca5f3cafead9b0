"""The parts of a semantic graph: its nodes and edges, one by one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

__all__ = ["ROOT", "Edge", "EdgeKind", "Node"]

ROOT = 255
"""The kind of the root, which is no operation."""


class EdgeKind(IntEnum):
    """Why one node leads to another."""

    DATA = 0
    CONTROL = 1
    CALL = 2
    ROOT = 3


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a semantic graph, for people; the graph itself holds arrays.

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
