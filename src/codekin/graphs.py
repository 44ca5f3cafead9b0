"""From a source to its semantic graph: every step in its order."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from codekin.errors import CodekinError
from codekin.languages import Language
from codekin.represent.calls import Calls, resolve_calls
from codekin.represent.control_dependence import control_dependence
from codekin.represent.control_flow import ControlFlow, control_flow
from codekin.represent.effects import Effects, effects
from codekin.represent.flow_ir import FlowIR, OperationKind
from codekin.represent.function_exits import add_exits, reaching_exits
from codekin.represent.graph_options import GraphOptions
from codekin.represent.joern_conventions import joern_effects
from codekin.represent.reaching_definitions import ReachingDefinitions, reaching_definitions
from codekin.represent.semantic_graph import (
    Pairs,
    SemanticGraph,
    assemble,
    node_of_operations,
)
from codekin.source import Source

__all__ = ["PRESETS", "graph_of_flow", "graph_options", "program_flow", "semantic_graph"]

PRESETS: dict[str, dict[str, Any]] = {
    "joern": {"data": "joern", "fold": False, "entry": "data", "exits": True, "raising": False}
}
"""Options by the name of the package whose graphs they follow, where it is wrong too: in Joern's a
handler hangs on the end of its ``try`` alone."""

_ALWAYS_EDGES, _EDGES_PER_OPERATION, _MOST_EDGES = 200_000, 60, 2_000_000


def semantic_graph(
    text: str | Source,
    language: str | Language | None = None,
    *,
    granularity: str = "operation",
    labels: str = "operator",
    literals: bool = False,
    preset: str | None = None,
    **options: Any,
) -> SemanticGraph:
    r"""The graph of what a program does: operations, and why they depend on each other.

    Any text has one, fragments and code with errors too. A Source remembers its graphs.

    Parameters
    ----------
    text : str or Source
        The code.
    language : str or Language, optional
        Name or alias; detected where it is not given. A Source has its own.
    granularity : str
        ``"operation"``, or ``"statement"``: the operations of a statement as one node.
    labels : str
        ``"operator"``, ``"operator+literal"``, ``"category"`` or ``"type"``.
    literals : bool
        Whether constants are nodes.
    preset : str, optional
        ``"joern"``: the conventions of Joern's graphs.
    **options
        The rest of :class:`~codekin.represent.graph_options.GraphOptions`.

    Returns
    -------
    SemanticGraph

    References
    ----------
    Ferrante, Ottenstein and Warren, The program dependence graph and its use in optimization,
    TOPLAS 9(3), 1987.

    Examples
    --------
    >>> graph = semantic_graph("def double(x):\n    return 2 * x\n", "python")
    >>> [node.label for node in graph.nodes()]
    ['root', 'entry:double', 'param', '*', 'return']
    >>> graph.successors(2)
    [3]
    """
    options |= {"granularity": granularity, "labels": labels, "literals": literals}
    chosen = graph_options(preset, **options)
    source = text if isinstance(text, Source) else Source(text, language)
    return source.remember(("semantic graph", chosen), lambda: _build(source, chosen))


def graph_options(preset: str | None = None, **options: Any) -> GraphOptions:
    """Options, those of a preset where nothing else is said."""
    if preset is None:
        return GraphOptions.of(**options)
    if preset not in PRESETS:
        raise CodekinError(f"preset={preset!r} is none of {', '.join(PRESETS)}")
    return GraphOptions.of(**(PRESETS[preset] | options))


def program_flow(source: Source, *, preset: str | None = None, **options: Any) -> ControlFlow:
    """Which operation may run right after which."""
    return _flow(source.flow_ir, graph_options(preset, **options))


def _flow(ir: FlowIR, options: GraphOptions) -> ControlFlow:
    return control_flow(ir, fold=options.fold, jumps=options.jumps, raising=options.raising)


def _build(source: Source, options: GraphOptions) -> SemanticGraph:
    return graph_of_flow(source.flow_ir, options, language=source.language.name, text=source.data)


def graph_of_flow(
    ir: FlowIR, options: GraphOptions, *, language: str = "", text: bytes = b""
) -> SemanticGraph:
    """The graph of a program that is lowered already."""
    most = _most_edges(ir)
    flow = _flow(ir, options)
    control = control_dependence(flow, limit=most)
    calls = resolve_calls(ir)
    touched = _touched(ir, options, calls, language, text)
    by_definition = options.data == "definition"
    reaching = reaching_definitions(flow, touched, limit=most, top_level_first=by_definition)
    steps = (ir, control, calls, touched, reaching)
    complete = all(step.complete for step in steps)
    decided, used = (control.controller, control.dependent), _data(ir, reaching)
    if not (options.fold or options.literals):
        decided, found_all = _past_constants(ir, decided, most)
        complete &= found_all
    if options.entry == "data":
        decided, used = _data_from_entries(ir, decided, used)
    graph = assemble(
        ir,
        decided,
        used,
        (calls.operation, calls.function),
        replace(options, granularity="operation"),
        language=language,
        text=text,
        complete=complete,
    )
    if options.exits:
        exits = reaching_exits(ir, flow, touched, limit=most)
        nodes = node_of_operations(ir, options)[exits.operation]
        graph = add_exits(graph, nodes, exits.function)
        graph = replace(graph, complete=graph.complete and exits.complete)
    return graph if options.granularity == "operation" else graph.by_statement()


def _most_edges(ir: FlowIR) -> int:
    """How many pairs of each kind are looked for: far more than programs have that people write.

    Pairs of definitions and uses, or of branches and what they decide, can be as many as the square
    of the operations.
    """
    return min(_MOST_EDGES, _ALWAYS_EDGES + _EDGES_PER_OPERATION * len(ir))


def _touched(
    ir: FlowIR, options: GraphOptions, calls: Calls, language: str, text: bytes
) -> Effects:
    """What the operations use and define, by our rules or by Joern's."""
    if options.data == "joern":
        return joern_effects(ir, text, language)
    return effects(ir, calls, unknown=options.unknown, summaries=options.summaries)


def _data(ir: FlowIR, reaching: ReachingDefinitions) -> Pairs:
    """Definitions and their uses, and operands and what takes them."""
    takers = np.repeat(np.arange(len(ir)), ir.operand_offsets[1:] - ir.operand_offsets[:-1])
    return (
        np.concatenate((reaching.definition, ir.operands)),
        np.concatenate((reaching.use, takers)),
    )


def _past_constants(ir: FlowIR, control: Pairs, limit: int) -> tuple[Pairs, bool]:
    """What a constant decides that is no node, decided by what decides about the constant.

    Also whether that is all: it takes no more than `limit` steps, and one for each pair.
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
            found = waiting.pop()
            if not is_constant[found]:
                pairs.add((found, decided))
                continue
            higher = above.get(found, set())
            limit -= 1 + len(higher)
            if limit < 0:
                break
            waiting += higher - seen
            seen |= higher
    whole = np.array(sorted(pairs), dtype=np.int32).reshape(-1, 2)
    return (whole[:, 0], whole[:, 1]), limit >= 0


def _data_from_entries(ir: FlowIR, control: Pairs, data: Pairs) -> tuple[Pairs, Pairs]:
    """Entries that decide nothing, and give something to all that their functions do."""
    is_entry = ir.kind == OperationKind.ENTRY
    decided = ~is_entry[control[0]]
    others = np.flatnonzero(~is_entry)
    entries = ir.function_first_operation[ir.function[others]]
    return (
        (control[0][decided], control[1][decided]),
        (np.concatenate((data[0], entries)), np.concatenate((data[1], others))),
    )
