"""Exits of functions as nodes of a graph, with what reaches them: Joern's METHOD_RETURN."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from codekin.represent.flow.control_flow import ControlFlow
from codekin.represent.flow.effects import Effects
from codekin.represent.flow.flow_ir import FlowIR, OperationKind
from codekin.represent.flow.reaching_definitions import MOST_PAIRS, reaching_definitions
from codekin.represent.graph.parts import EdgeKind
from codekin.represent.graph.semantic_graph import SemanticGraph

__all__ = ["ReachingExits", "add_exits", "reaching_exits"]

_I32 = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class ReachingExits:
    """Operations that reach the end of a function, and that function.

    Attributes
    ----------
    operation, function : int32 arrays
    complete : bool
        False where there are more than the limit.
    """

    operation: _I32
    function: _I32
    complete: bool


def reaching_exits(
    ir: FlowIR, flow: ControlFlow, effects: Effects, *, limit: int = MOST_PAIRS
) -> ReachingExits:
    """Operations whose definitions reach the end of their function, and those that return."""
    count = len(ir)
    functions = len(ir.function_name)
    by = np.repeat(np.arange(count), np.diff(effects.definition_offsets))
    width = int(effects.definitions.max(initial=0)) + 1
    keys = np.unique(ir.function[by].astype(np.int64) * width + effects.definitions)
    # The exit of a function, a node after the operations, uses all that the function defines.
    used = np.bincount(keys // width, minlength=functions)
    ends = effects.use_offsets[-1] + np.cumsum(used)
    nothing = np.full(functions, effects.definition_offsets[-1], dtype=np.int32)
    extended = dataclasses.replace(
        effects,
        use_offsets=np.concatenate((effects.use_offsets, ends.astype(np.int32))),
        uses=np.concatenate((effects.uses, (keys % width).astype(np.int32))),
        definition_offsets=np.concatenate((effects.definition_offsets, nothing)),
    )
    found = reaching_definitions(flow, extended, limit=limit, top_level_first=False)
    at_exit = found.use >= count
    returns = np.flatnonzero(ir.kind == OperationKind.RETURN).astype(np.int32)
    operations = np.concatenate((found.definition[at_exit], returns))
    functions_of = np.concatenate((found.use[at_exit] - count, ir.function[returns]))
    return ReachingExits(operations, functions_of, found.complete)


def add_exits(
    graph: SemanticGraph, nodes: npt.NDArray[np.integer], functions: npt.NDArray[np.integer]
) -> SemanticGraph:
    """A graph with a node for the exit of each function that has nodes.

    Parameters
    ----------
    graph : SemanticGraph
    nodes, functions : int arrays
        Nodes from which data edges lead to the exits of functions.
    """
    present = np.unique(graph.function[graph.function >= 0])
    exit_of = np.full(len(graph.functions), -1, dtype=np.int64)
    exit_of[present] = len(graph) + np.arange(len(present))
    kept = (nodes > 0) & (exit_of[functions] >= 0)
    added = np.unique(np.stack((nodes[kept], exit_of[functions[kept]])), axis=1)
    source = np.concatenate((graph.source, added[0]))
    target = np.concatenate((graph.target, added[1]))
    kind = np.concatenate((graph.edge_kind, np.full(added.shape[1], EdgeKind.DATA)))
    order = np.lexsort((kind, target, source))
    last = np.full(len(graph.functions), np.iinfo(np.int32).min, dtype=np.int32)
    inside = graph.function >= 0
    np.maximum.at(last, graph.function[inside], graph.end[inside])
    ends = last[present]
    return dataclasses.replace(
        graph,
        kind=_with(graph.kind, np.full(len(present), OperationKind.EXIT)),
        label=_with(graph.label, np.full(len(present), len(graph.labels))),
        start=_with(graph.start, ends),
        end=_with(graph.end, ends),
        function=_with(graph.function, present),
        statement=_with(graph.statement, np.full(len(present), -1)),
        source=source[order].astype(np.int32),
        target=target[order].astype(np.int32),
        edge_kind=kind[order].astype(np.uint8),
        labels=(*graph.labels, "exit"),
    )


def _with(values: npt.NDArray[Any], more: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.concatenate((values, more.astype(values.dtype)))
