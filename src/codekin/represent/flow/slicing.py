"""Backward slices: everything in a program on which some of its operations depend.

A slice follows data and control dependence backwards inside functions, descends from a call into
the results of the called function (what it returns, raises, or writes outside itself), and ascends
from a function's entry to its calls, but does not ascend again after it descended (Horwitz, Reps
and Binkley, Interprocedural slicing using dependence graphs, 1990). With a graph built with
``jumps=True`` and ``fold=False``, deleting everything outside a slice does not affect its
operations, in programs that terminate (Ball and Horwitz, Slicing programs with arbitrary control
flow, 1993); deleting a ``while True`` makes the code after it reachable, so its test must count.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
import numpy.typing as npt

from codekin.errors import CodekinError
from codekin.represent.flow.flow_ir import Access, FlowIR, OperationKind, VariableKind
from codekin.represent.graph.parts import EdgeKind
from codekin.represent.graph.semantic_graph import SemanticGraph

__all__ = ["Slicer"]

_UP, _DOWN, _CALLING = 1, 2, 4
"""How a node is reached: with its callers included, from a call of its function, or as a call that
leads to the start of the slice, whose result does not matter."""

_I64 = npt.NDArray[np.int64]
_Bools = npt.NDArray[np.bool_]


class Slicer:
    r"""Computes many slices of one graph.

    Parameters
    ----------
    graph : SemanticGraph
    ir : FlowIR, optional
        The IR that the graph was made from (``Source.flow_ir``). It says which operations of a
        called function have effects that its caller sees; without it, a call depends on all of
        them.

    Examples
    --------
    >>> from codekin import semantic_graph
    >>> code = "a = 1\nb = 2\nif b > 1:\n    a = 5\nb = 3\nprint(a)\n"
    >>> Slicer(semantic_graph(code, "python")).lines(6)
    [1, 2, 3, 4, 6]
    """

    def __init__(self, graph: SemanticGraph, ir: FlowIR | None = None) -> None:
        self.graph = graph
        self._ir = ir

    def nodes(self, nodes: Iterable[int]) -> _I64:
        """All nodes on which some nodes depend, themselves included, sorted."""
        seen = bytearray(len(self.graph))
        self._reach([(node, _UP) for node in nodes], seen, set())
        return np.flatnonzero(np.frombuffer(seen, dtype=np.uint8))

    def lines(self, line: int) -> list[int]:
        """All lines on which a line depends, itself included, sorted.

        A line depends on everything that one of its operations depends on.
        """
        seen = bytearray(len(self.graph))
        marks = np.frombuffer(seen, dtype=np.uint8)
        functions = self.graph.function
        known: set[int] = set()
        entered: set[int] = set()
        fresh = {line}
        while fresh:
            start = [node for number in sorted(fresh) for node in self._nodes_on.get(number, ())]
            # Other nodes on a line are reached in the same way as their function.
            above = set(functions[(marks & (_UP | _CALLING)) > 0].tolist())
            self._reach(
                [
                    (node, _UP if not known or int(functions[node]) in above else _DOWN)
                    for node in start
                    if not seen[node]
                ],
                seen,
                entered,
            )
            known |= fresh
            fresh = set(self._lines[marks > 0].tolist()) - known - {0}
        return sorted(known)

    def _reach(self, waiting: list[tuple[int, int]], seen: bytearray, entered: set[int]) -> None:
        """Mark everything on which the waiting nodes depend, by how it was reached.

        `entered` contains the entries of functions whose calls were visited: their results are
        waiting or marked already; 0, the root, represents the top-level code.
        """
        count = len(self.graph)
        if any(not 0 <= node < count for node, _ in waiting):
            raise CodekinError(f"a slice must start at nodes of the graph, which has {count}")
        while waiting:
            node, way = waiting.pop()
            if seen[node] & (way | _UP):
                continue
            seen[node] |= way
            direction = _DOWN if way == _DOWN else _UP
            waiting += [(source, direction) for source in self._dependences[node]]
            if way != _CALLING:
                for entry in self._called_by.get(node, ()):
                    if entry in entered:
                        continue
                    entered.add(entry)
                    results = self._results[int(self.graph.function[entry])]
                    waiting += [(result, _DOWN) for result in (entry, *results)]
            if way == _UP and node in self._callers:
                waiting += [(call, _CALLING) for call in self._callers[node]]
            elif way == _UP and node in self._uncalled and 0 not in entered:
                # It is called from outside, after the top-level code.
                entered.add(0)
                waiting += [(result, _UP) for result in self._results[0]]

    @cached_property
    def _lines(self) -> _I64:
        """The line of each node; 0 for the entry of the top-level code."""
        graph = self.graph
        whole = (graph.function == 0) & (graph.kind == OperationKind.ENTRY)
        return np.where(whole, 0, graph.lines)

    @cached_property
    def _nodes_on(self) -> dict[int, list[int]]:
        """The nodes of each line."""
        nodes: dict[int, list[int]] = {}
        for node, line in enumerate(self._lines.tolist()):
            nodes.setdefault(line, []).append(node)
        return nodes

    @cached_property
    def _dependences(self) -> list[list[int]]:
        """For each node, the nodes of its function on which it depends directly."""
        graph = self.graph
        inner = graph.edge_kind <= EdgeKind.CONTROL
        sources: list[list[int]] = [[] for _ in range(len(graph))]
        for source, target in zip(
            graph.source[inner].tolist(), graph.target[inner].tolist(), strict=True
        ):
            sources[target].append(source)
        return sources

    @cached_property
    def _called_by(self) -> dict[int, list[int]]:
        """For each call, the entries it reaches."""
        entries: dict[int, list[int]] = {}
        for call, entry in self._calls:
            entries.setdefault(call, []).append(entry)
        return entries

    @cached_property
    def _callers(self) -> dict[int, list[int]]:
        """For each entry, the calls that reach it."""
        calls: dict[int, list[int]] = {}
        for call, entry in self._calls:
            calls.setdefault(entry, []).append(call)
        return calls

    @cached_property
    def _uncalled(self) -> set[int]:
        """The entries that are not called in the text."""
        graph = self.graph
        entries = np.flatnonzero((graph.kind == OperationKind.ENTRY) & (graph.function > 0))
        return set(entries.tolist()) - self._callers.keys()

    @cached_property
    def _calls(self) -> list[tuple[int, int]]:
        """Calls and the entries they reach; a function may also be called where it is created."""
        graph = self.graph
        calling = graph.edge_kind == EdgeKind.CALL
        pairs = zip(graph.source[calling].tolist(), graph.target[calling].tolist(), strict=True)
        entries = np.flatnonzero(graph.kind == OperationKind.ENTRY).tolist()
        entry_at = {(int(graph.start[e]), int(graph.end[e])): e for e in reversed(entries)}
        created = np.flatnonzero(graph.kind == OperationKind.FUNCTION).tolist()
        spans = [(node, (int(graph.start[node]), int(graph.end[node]))) for node in created]
        return [*pairs, *((node, entry_at[span]) for node, span in spans if span in entry_at)]

    @cached_property
    def _results(self) -> list[list[int]]:
        """For each function, the nodes whose effects its callers see."""
        graph = self.graph
        leaving = self._leaving()
        functions = graph.function
        # A call of a function that writes outside itself also writes there.
        calls_of: dict[int, list[int]] = {}
        for call, entry in self._calls:
            calls_of.setdefault(int(functions[entry]), []).append(call)
        writing = set(functions[leaving].tolist())
        waiting = list(writing)
        while waiting:
            for call in calls_of.get(waiting.pop(), ()):
                leaving[call] = True
                caller = int(functions[call])
                if caller not in writing:
                    writing.add(caller)
                    waiting.append(caller)
        leaving |= graph.kind == OperationKind.RETURN
        results: list[list[int]] = [[] for _ in graph.functions]
        for node in np.flatnonzero(leaving).tolist():
            results[functions[node]].append(node)
        return results

    def _leaving(self) -> _Bools:
        """Nodes with effects that outlive their function, or that leave it by throw or yield."""
        ir, graph = self._ir, self.graph
        inside = graph.function >= 0
        if ir is None or graph.options.granularity != "operation":
            return inside
        writes = ir.access_mode >= Access.DEFINE
        operation = np.repeat(np.arange(len(ir)), np.diff(ir.access_offsets))
        variable = ir.access_variable
        outside = (ir.access_mode == Access.STORE) | (
            ir.variable_owner[variable] != ir.function[operation]
        )
        kind = ir.variable_kind[variable]
        outside |= (kind == VariableKind.GLOBAL) | (kind == VariableKind.FIELD)
        leaving = np.zeros(len(ir), dtype=bool)
        leaving[operation[writes & outside]] = True
        leaving |= _named(ir, OperationKind.JUMP, "throw")
        leaving |= _named(ir, OperationKind.OPERATOR, "yield")
        kept = np.ones(len(ir), dtype=bool)
        if not graph.options.literals:
            kept &= ir.kind != OperationKind.CONSTANT
        nodes = np.zeros(len(graph), dtype=bool)
        # The entry of top-level code that does nothing has no node; all others follow in order.
        nodes[len(graph) - int(kept.sum()) :] = leaving[kept]
        return nodes


def _named(ir: FlowIR, kind: OperationKind, name: str) -> _Bools:
    """Operations with a kind and a name."""
    if name not in ir.strings:
        return np.zeros(len(ir), dtype=bool)
    named: _Bools = (ir.kind == kind) & (ir.name == ir.strings.index(name))
    return named
