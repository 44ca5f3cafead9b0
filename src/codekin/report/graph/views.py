"""The views of a graph's page: each function by itself, its dependence and its control flow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from codekin.errors import CodekinError
from codekin.plain_text import plain
from codekin.report.graph.detail import MOST_NODES, Shown, shown
from codekin.report.graph.svg import flow_svg, graph_branches, labelled_svg
from codekin.report.graph.syntax_tree import syntax_tree
from codekin.represent.flow.flow_ir import OperationKind
from codekin.represent.graph.flow_graph import EdgeLabels, flow_graph
from codekin.represent.graph.parts import ROOT
from codekin.represent.graph.selection import of_functions
from codekin.represent.graph.semantic_graph import SemanticGraph
from codekin.source import Source

__all__ = ["FunctionEntry", "GraphViews", "Picture", "places_of"]

_MOST_OPERATIONS = 4000
"""If all functions have more operations than that, their views show statements."""

_Place = list[tuple[int, int] | None]


@dataclass(frozen=True)
class Picture:
    """A picture of a view.

    Attributes
    ----------
    svg : str
    places : list
        For each node, where its code begins and ends in characters.
    notes : tuple of str
        What is left out.
    """

    svg: str
    places: list[_Place]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class FunctionEntry:
    """A function in the list of a page.

    Attributes
    ----------
    number : int
        Its number in the graph.
    name : str
    first, last : int
        Its lines, from 1.
    """

    number: int
    name: str
    first: int
    last: int


class GraphViews:
    """Pictures of the functions of a graph, made one after the other.

    Parameters
    ----------
    graph : SemanticGraph
    with_trees : bool
        Whether there are pictures of syntax trees, too.
    """

    def __init__(self, graph: SemanticGraph, *, with_trees: bool = False) -> None:
        self.graph = graph
        self._with_trees = with_trees
        many = len(graph) > _MOST_OPERATIONS
        self._drawn = graph.by_statement() if many else graph
        self._notes = ("Statements are drawn, not operations.",) if many else ()

    @cached_property
    def functions(self) -> list[FunctionEntry]:
        """The functions in the order of their lines."""
        graph = self.graph
        found = []
        for node in np.flatnonzero(graph.kind == OperationKind.ENTRY).tolist():
            number = int(graph.function[node])
            start, end = int(graph.start[node]), max(int(graph.start[node]), int(graph.end[node]))
            first, _ = graph.positions.line_column(start)
            last, _ = graph.positions.line_column(max(start, end - 1))
            name = plain(graph.functions[number]) or "a function without a name"
            found.append(FunctionEntry(number, name, first, last))
        return found

    @property
    def lines(self) -> tuple[int, int]:
        """The first and the last line of the code that is shown: that of all functions."""
        whole = set(range(len(self.graph.functions))) <= set(self.graph.function.tolist())
        if whole or not self.functions or any(one.number == 0 for one in self.functions):
            return 1, self.graph.data.count(b"\n") + 1
        return min(one.first for one in self.functions), max(one.last for one in self.functions)

    @cached_property
    def _source(self) -> Source | None:
        """The code; none if its language is not known."""
        try:
            text = self.graph.data.decode("utf-8", "surrogatepass")
            return Source(text, self.graph.language) if self.graph.language else None
        except CodekinError:  # a graph that was read may name any language
            return None

    @cached_property
    def _flow(self) -> _Labelled | None:
        """The control flow of the code; none if its language is not known."""
        source = self._source
        if source is None:
            return None
        try:
            flow = flow_graph(source.flow_ir, language=source.language.name, text=source.data)
        except CodekinError:
            return None
        return _Labelled(*flow) if flow[0].functions == self.graph.functions else None

    @cached_property
    def _dependence(self) -> _Labelled:
        return _Labelled(self._drawn, graph_branches(self._drawn))

    def dependence(self, function: int) -> Picture:
        """What the operations of a function depend on."""
        part, words = self._dependence.part([function])
        choice = shown(part)
        svg = labelled_svg(choice, branches=words if choice.graph is part else None)
        return Picture(svg, places_of(choice), (*self._notes, *choice.notes))

    def control_flow(self, function: int) -> Picture | None:
        """In which order the statements of a function may run; none if that is not known."""
        return None if self._flow is None else _drawn_flow(*self._flow.part([function]))

    @cached_property
    def whole_control_flow(self) -> Picture | None:
        """The control flow of all functions, if it is small enough to be drawn."""
        if self._flow is None or len(self._flow.graph) > MOST_NODES:
            return None
        return _drawn_flow(*self._flow.part([one.number for one in self.functions]))

    def tree(self, function: int) -> Picture | None:
        """The syntax tree of a function; none if none was asked for."""
        entry = np.flatnonzero(
            (self.graph.function == function) & (self.graph.kind == OperationKind.ENTRY)
        )[0]
        return self._drawn_tree([(int(self.graph.start[entry]), int(self.graph.end[entry]))])

    @property
    def whole_tree(self) -> Picture | None:
        """The syntax tree of all the code."""
        return self._drawn_tree(None)

    def _drawn_tree(self, spans: list[tuple[int, int]] | None) -> Picture | None:
        if not self._with_trees or self._source is None:
            return None
        drawn = syntax_tree(self._source, spans).shallow()
        return Picture(drawn.svg(), [[place] for place in drawn.places()], drawn.notes)

    def cuts(self) -> Iterator[int]:
        """Where code must be cut for any of the pictures, in characters."""
        graphs = [self.graph, self._drawn, *([self._flow.graph] if self._flow else [])]
        for graph in graphs:
            characters, size = graph.positions.characters, len(graph.data)
            for places in (graph.start, graph.end):
                yield from (characters(min(at, size)) for at in set(places[1:].tolist()))
        if self._with_trees and self._source is not None:
            for span in syntax_tree(self._source).places():
                yield from span


def _drawn_flow(part: SemanticGraph, words: EdgeLabels) -> Picture:
    choice = shown(part)
    return Picture(flow_svg(choice, words), places_of(choice), choice.notes)


class _Labelled:
    """A graph with what is written on its edges, for looking up its functions."""

    def __init__(self, graph: SemanticGraph, labels: EdgeLabels) -> None:
        self.graph = graph
        self._labels: dict[int, list[tuple[int, int, str]]] = {}
        for (source, target), word in labels.items():
            own = self._labels.setdefault(int(graph.function[source]), [])
            own.append((source, target, word))

    def part(self, functions: list[int]) -> tuple[SemanticGraph, EdgeLabels]:
        """The graph of some functions, with its labels."""
        graph = self.graph
        kept = np.isin(graph.function, functions) | (graph.kind == ROOT)
        number = np.cumsum(kept) - 1
        words = {
            (int(number[source]), int(number[target])): word
            for function in functions
            for source, target, word in self._labels.get(function, ())
            if kept[target]
        }
        return of_functions(graph, functions), words


def places_of(choice: Shown) -> list[_Place]:
    """For each node that is drawn where its code begins and ends in characters."""
    graph = choice.graph
    characters = graph.positions.characters
    size = len(graph.data)
    return [
        [(characters(min(start, size)), characters(min(end, size)))]
        if kind != ROOT and function in choice.functions
        else [None]
        for kind, function, start, end in zip(
            graph.kind.tolist(),
            graph.function.tolist(),
            graph.start.tolist(),
            graph.end.tolist(),
            strict=True,
        )
    ]
