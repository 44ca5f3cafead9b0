"""Control flow as a graph of statements, which is drawn as a semantic graph is."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from codekin.represent.flow.branches import branches
from codekin.represent.flow.control_flow import ControlFlow, FlowKind, control_flow
from codekin.represent.flow.flow_ir import FlowIR, OperationKind
from codekin.represent.graph.labels import label_operations
from codekin.represent.graph.parts import ROOT, EdgeKind, GraphOptions
from codekin.represent.graph.semantic_graph import SemanticGraph

__all__ = ["EdgeLabels", "branch_labels", "flow_graph", "labelled_part"]

EdgeLabels = dict[tuple[int, int], str]
"""What is written on edges, by their sources and targets: the outcome of a test."""

_WORDS = {
    FlowKind.TRUE: "true",
    FlowKind.FALSE: "false",
    FlowKind.RAISED: "raised",
}


def flow_graph(ir: FlowIR, *, language: str, text: bytes) -> tuple[SemanticGraph, EdgeLabels]:
    """The control-flow graphs of all functions: statements, and which may run right after which.

    Parameters
    ----------
    ir : FlowIR
        The program.
    language : str
        The name of its language.
    text : bytes
        The text that was lowered.

    Returns
    -------
    graph : SemanticGraph
        All its edges within functions are of kind CONTROL. Every function has an exit.
    labels : dict
        For edges that one outcome of a test takes, that outcome.

    Examples
    --------
    >>> from codekin import Source
    >>> source = Source("if a < b: f()", "python")
    >>> graph, labels = flow_graph(source.flow_ir, language="python", text=source.data)
    >>> [(node.index, node.label) for node in graph.nodes()]
    [(0, 'root'), (1, 'entry:<module>'), (2, '<'), (3, 'call:f'), (4, 'exit')]
    >>> labels
    {(2, 3): 'true', (2, 4): 'false'}
    """
    flow = control_flow(ir)
    count, functions = len(ir), len(ir.function_name)
    used = _used(ir)
    node_of, chosen = _statements(ir, used)
    exits = [f for f in range(functions) if used[f]]
    exit_of = {f: 1 + len(chosen) + i for i, f in enumerate(exits)}
    edges: dict[tuple[int, int], set[str]] = {}
    for source, target, word in _steps(flow, count):
        one = int(node_of[source])
        other = int(node_of[target]) if target < count else exit_of.get(target - count, 0)
        if one > 0 and other > 0 and (one != other or word):
            edges.setdefault((one, other), set()).add(word)
    roots = {(0, int(node_of[ir.function_first_operation[f]])): {""} for f in exits}
    every = sorted({**edges, **roots})
    label, names = label_operations(
        ir, chosen, "operator", language, (np.empty(0, np.int32), np.empty(0, np.int32))
    )
    spans = _spans(ir, node_of, len(chosen))
    ends = ir.function_end[exits] if exits else np.empty(0, np.int32)
    graph = SemanticGraph(
        kind=np.array([ROOT, *ir.kind[chosen], *[OperationKind.EXIT] * len(exits)], np.uint8),
        label=np.array([0, *label, *[len(names)] * len(exits)], np.int32),
        start=np.array([0, *spans[0], *ends], np.int32),
        end=np.array([len(text), *spans[1], *ends], np.int32),
        function=np.array([-1, *ir.function[chosen], *exits], np.int32),
        statement=np.array([-1, *ir.statement[chosen], *[-1] * len(exits)], np.int32),
        source=np.array([s for s, _ in every], np.int32),
        target=np.array([t for _, t in every], np.int32),
        edge_kind=np.array([EdgeKind.CONTROL if s else EdgeKind.ROOT for s, _ in every], np.uint8),
        labels=(*names, "exit"),
        functions=tuple(ir.string(name) for name in ir.function_name.tolist()),
        language=language,
        data=text,
        complete=ir.complete,
        options=GraphOptions(granularity="statement"),
    )
    labels = {edge: words.pop() for edge, words in edges.items() if len(words) == 1}
    return graph, {edge: word for edge, word in sorted(labels.items()) if word}


def _used(ir: FlowIR) -> list[bool]:
    """Which functions do anything; top-level code may not."""
    sizes = (ir.function_end_operation - ir.function_first_operation).tolist()
    return [size > (1 if f == 0 else 0) for f, size in enumerate(sizes)]


def _statements(
    ir: FlowIR, used: list[bool]
) -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """The node of each operation, and the operation that names each node, both in order."""
    keys: dict[tuple[int, int, int], list[int]] = {}
    for i, (kind, statement, function) in enumerate(
        zip(ir.kind.tolist(), ir.statement.tolist(), ir.function.tolist(), strict=True)
    ):
        if used[function]:
            alone = kind <= OperationKind.PARAMETER or statement < 0
            keys.setdefault((function, statement, i if alone else -1), []).append(i)
    groups = []
    for members in keys.values():
        told = [i for i in members if ir.kind[i] != OperationKind.CONSTANT] or members
        groups.append((told[-1], members))
    groups.sort()
    node_of = np.zeros(len(ir), dtype=np.int64)
    for number, (_, members) in enumerate(groups, 1):
        node_of[members] = number
    return node_of, np.array([told for told, _ in groups], dtype=np.int64)


def _spans(
    ir: FlowIR, node_of: np.ndarray[tuple[int], np.dtype[np.int64]], count: int
) -> list[list[int]]:
    """Where the code of each node begins and ends."""
    starts, ends = [2**31 - 1] * count, [0] * count
    for node, start, end in zip(node_of.tolist(), ir.start.tolist(), ir.end.tolist(), strict=True):
        if node:
            starts[node - 1] = min(starts[node - 1], start)
            ends[node - 1] = max(ends[node - 1], end)
    return [starts, ends]


def _steps(flow: ControlFlow, count: int) -> Iterator[tuple[int, int, str]]:
    """Operations that may follow each other, skipping points without an operation."""
    limit = count + flow.functions
    after: dict[int, list[tuple[int, int]]] = {}
    never = set(flow.closing.tolist())
    rows = zip(flow.source.tolist(), flow.target.tolist(), flow.kind.tolist(), strict=True)
    for i, (source, target, kind) in enumerate(rows):
        if i not in never and kind != FlowKind.FALL_THROUGH:
            after.setdefault(source, []).append((target, kind))
    for source in range(count):
        waiting = [(target, _WORDS.get(FlowKind(k), "")) for target, k in after.get(source, ())]
        seen = set(waiting)
        while waiting:
            target, word = waiting.pop()
            if target < limit:
                yield source, target, word
                continue
            for further, kind in after.get(target, ()):
                step = further, word or _WORDS.get(FlowKind(kind), "")
                if step not in seen:
                    seen.add(step)
                    waiting.append(step)


def branch_labels(graph: SemanticGraph, ir: FlowIR) -> EdgeLabels:
    """For the control edges of a graph, the outcome of the test for which the target runs.

    Parameters
    ----------
    graph : SemanticGraph
        The graph of a program, or a part of it, of operations or of statements.
    ir : FlowIR
        Of the program.

    Examples
    --------
    >>> from codekin import Source, semantic_graph
    >>> source = Source("if a < b: f()", "python")
    >>> branch_labels(semantic_graph(source), source.flow_ir)
    {(2, 3): 'true'}
    """
    flow = control_flow(
        ir, fold=graph.options.fold, jumps=graph.options.jumps, raising=graph.options.raising
    )
    nodes = _nodes_of_operations(graph, ir)
    found: dict[tuple[int, int], set[str]] = {}
    for (test, run), kind in branches(flow).items():
        for edge in ((one, other) for one in nodes[test] for other in nodes[run]):
            found.setdefault(edge, set()).add(_WORDS[kind])
    control = graph.edge_kind == EdgeKind.CONTROL
    drawn = zip(graph.source[control].tolist(), graph.target[control].tolist(), strict=True)
    return {edge: next(iter(found[edge])) for edge in drawn if len(found.get(edge, ())) == 1}


def labelled_part(
    graph: SemanticGraph, labels: EdgeLabels, part: SemanticGraph
) -> tuple[SemanticGraph, EdgeLabels]:
    """A part of a graph, with what is written on the edges of the whole.

    Parameters
    ----------
    graph : SemanticGraph
    labels : dict
        Of its edges.
    part : SemanticGraph
        Some nodes of the graph, in the same order.
    """
    columns = ("kind", "label", "start", "end", "function", "statement")
    rows = [
        list(zip(*(getattr(one, name).tolist() for name in columns), strict=True))
        for one in (graph, part)
    ]
    number: dict[int, int] = {}
    place = 0
    for node, row in enumerate(rows[0]):
        if place < len(rows[1]) and rows[1][place] == row:
            number[node] = place
            place += 1
    return part, {
        (number[source], number[target]): word
        for (source, target), word in labels.items()
        if source in number and target in number
    }


def _nodes_of_operations(graph: SemanticGraph, ir: FlowIR) -> list[list[int]]:
    """For each operation its node in a graph, if it has one that no other could be."""
    merged = graph.options.granularity == "statement"

    def key(kind: int, function: int, statement: int, start: int, end: int) -> tuple[int, ...]:
        if merged and kind > OperationKind.PARAMETER and statement >= 0:
            return function, statement
        return kind, function, start, end

    columns = ("kind", "function", "statement", "start", "end")
    nodes: dict[tuple[int, ...], list[int]] = {}
    rows = zip(*(getattr(graph, name).tolist() for name in columns), strict=True)
    for node, row in enumerate(rows):
        nodes.setdefault(key(*row), []).append(node)
    operations = [
        key(*row) for row in zip(*(getattr(ir, n).tolist() for n in columns), strict=True)
    ]
    return [found if len(found := nodes.get(one, [])) == 1 else [] for one in operations]
