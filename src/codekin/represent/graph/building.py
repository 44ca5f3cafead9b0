"""Building a semantic graph from flow IR."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

import numpy as np

from codekin.errors import CodekinError
from codekin.represent.flow.calls import Calls, resolve_calls
from codekin.represent.flow.control_flow import ControlFlow, control_flow
from codekin.represent.flow.dependence import control_dependence
from codekin.represent.flow.effects import Effects, effects
from codekin.represent.flow.flow_ir import FlowIR, OperationKind
from codekin.represent.flow.reaching_definitions import ReachingDefinitions, reaching_definitions
from codekin.represent.graph.parts import GraphOptions
from codekin.represent.graph.semantic_graph import (
    Pairs,
    SemanticGraph,
    assemble,
    node_of_operations,
)

__all__ = [
    "PRESETS",
    "Dependences",
    "find_dependences",
    "graph_of_flow",
    "graph_options",
    "program_flow",
]

PRESETS = {"joern": "codekin.measures.compat.joern"}
"""The packages whose graphs can be reproduced, and the module with the conventions of each.

A module is imported on first use, and may be missing.
"""

_ALWAYS_EDGES, _EDGES_PER_OPERATION, _MAX_EDGES = 200_000, 60, 2_000_000


def graph_options(preset: str | None = None, **options: Any) -> GraphOptions:
    """Make options by name; the defaults are those of the preset, if given."""
    if preset is None:
        return GraphOptions.of(**options)
    if preset not in PRESETS:
        raise CodekinError(f"preset={preset!r} is not one of {', '.join(PRESETS)}")
    return GraphOptions.of(**(_conventions(preset).OPTIONS | options))


def _conventions(package: str) -> Any:
    """The module with the conventions of a package."""
    try:
        return import_module(PRESETS[package])
    except ModuleNotFoundError as error:
        raise CodekinError(
            f"the graph conventions of {package} are not part of this installation "
            f"(no module {error.name!r}); leave out preset={package!r} and its options"
        ) from None


def program_flow(ir: FlowIR, *, preset: str | None = None, **options: Any) -> ControlFlow:
    """The control flow of a program."""
    return _flow(ir, graph_options(preset, **options))


def _flow(ir: FlowIR, options: GraphOptions) -> ControlFlow:
    return control_flow(ir, fold=options.fold, jumps=options.jumps, raising=options.raising)


@dataclass(frozen=True, eq=False)
class Dependences:
    """What the operations of a program depend on, and what that was found with.

    Attributes
    ----------
    flow : ControlFlow
    calls : Calls
        Calls of functions of the text.
    touched : Effects
    control : pair of arrays
        Operations that decide, and operations that depend on them.
    data : pair of arrays
        Operations that define or produce a value, and operations that use it.
    limit : int
        The maximum number of pairs of each kind.
    complete : bool
        False if a limit left something out.
    """

    flow: ControlFlow
    calls: Calls
    touched: Effects
    control: Pairs
    data: Pairs
    limit: int
    complete: bool


def find_dependences(
    ir: FlowIR, options: GraphOptions, *, language: str = "", text: bytes = b""
) -> Dependences:
    """Find what the operations of a lowered program depend on."""
    limit = _edge_limit(ir)
    flow = _flow(ir, options)
    control = control_dependence(flow, limit=limit)
    calls = resolve_calls(ir)
    touched = _touched(ir, options, calls, language, text)
    by_definition = options.data == "definition"
    reaching = reaching_definitions(flow, touched, limit=limit, top_level_first=by_definition)
    steps = (ir, control, calls, touched, reaching)
    return Dependences(
        flow,
        calls,
        touched,
        (control.controller, control.dependent),
        _data(ir, reaching),
        limit,
        all(step.complete for step in steps),
    )


def graph_of_flow(
    ir: FlowIR, options: GraphOptions, *, language: str = "", text: bytes = b""
) -> SemanticGraph:
    """Build the graph of a lowered program."""
    found = find_dependences(ir, options, language=language, text=text)
    decided, used, complete = found.control, found.data, found.complete
    if not (options.fold or options.literals):
        decided, found_all = _past_constants(ir, decided, found.limit)
        complete &= found_all
    if options.entry == "data":
        decided, used = _data_from_entries(ir, decided, used)
    graph = assemble(
        ir,
        decided,
        used,
        (found.calls.operation, found.calls.function),
        replace(options, granularity="operation"),
        language=language,
        text=text,
        complete=complete,
    )
    if options.exits:
        joern = _conventions("joern")
        exits = joern.reaching_exits(ir, found.flow, found.touched, limit=found.limit)
        nodes = node_of_operations(ir, options)[exits.operation]
        graph = joern.add_exits(graph, nodes, exits.function)
        graph = replace(graph, complete=graph.complete and exits.complete)
    return graph if options.granularity == "operation" else graph.by_statement()


def _edge_limit(ir: FlowIR) -> int:
    """The maximum number of pairs of each kind, far more than in programs that people write.

    The number of pairs of definitions and uses, or of branches and what they decide, can be
    quadratic in the number of operations.
    """
    return min(_MAX_EDGES, _ALWAYS_EDGES + _EDGES_PER_OPERATION * len(ir))


def _touched(
    ir: FlowIR, options: GraphOptions, calls: Calls, language: str, text: bytes
) -> Effects:
    """The uses and definitions of operations, by our rules or by Joern's."""
    if options.data == "joern":
        found: Effects = _conventions("joern").joern_effects(ir, text, language)
        return found
    return effects(ir, calls, unknown=options.unknown, summaries=options.summaries)


def _data(ir: FlowIR, reaching: ReachingDefinitions) -> Pairs:
    """Pairs of definitions and uses, and of operands and the operations that use them."""
    takers = np.repeat(np.arange(len(ir)), ir.operand_offsets[1:] - ir.operand_offsets[:-1])
    return (
        np.concatenate((reaching.definition, ir.operands)),
        np.concatenate((reaching.use, takers)),
    )


def _past_constants(ir: FlowIR, control: Pairs, limit: int) -> tuple[Pairs, bool]:
    """Replace constants that decide, and are not nodes, by what decides about the constants.

    Also returns whether all pairs were found within `limit` steps, plus one for each pair.
    """
    is_constant = ir.kind == OperationKind.CONSTANT
    if not is_constant[control[0]].any():
        return control, True
    above: dict[int, set[int]] = {}
    for decides, decided in zip(control[0].tolist(), control[1].tolist(), strict=True):
        if is_constant[decided]:
            above.setdefault(decided, set()).add(decides)
    pairs = set()
    for decides, decided in zip(control[0].tolist(), control[1].tolist(), strict=True):
        seen, waiting = {decides}, [decides]
        while waiting:
            operation = waiting.pop()
            if not is_constant[operation]:
                pairs.add((operation, decided))
                continue
            higher = above.get(operation, set())
            limit -= 1 + len(higher)
            if limit < 0:
                break
            waiting += higher - seen
            seen |= higher
    whole = np.array(sorted(pairs), dtype=np.int32).reshape(-1, 2)
    return (whole[:, 0], whole[:, 1]), limit >= 0


def _data_from_entries(ir: FlowIR, control: Pairs, data: Pairs) -> tuple[Pairs, Pairs]:
    """Replace control edges from entries by data edges to all operations of their functions."""
    is_entry = ir.kind == OperationKind.ENTRY
    decided = ~is_entry[control[0]]
    others = np.flatnonzero(~is_entry)
    entries = ir.function_first_operation[ir.function[others]]
    return (
        (control[0][decided], control[1][decided]),
        (np.concatenate((data[0], entries)), np.concatenate((data[1], others))),
    )
