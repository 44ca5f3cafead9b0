"""The semantic graph: what a program does, as operations that depend on each other.

Control and data dependence within functions, calls between them, and a root above their entries.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from codekin.represent.flow.flow_ir import FlowIR, OperationKind
from codekin.represent.graph.labels import label_operations
from codekin.represent.graph.parts import ROOT, Edge, EdgeKind, GraphOptions, Node
from codekin.represent.text.positions import Positions
from codekin.results import Grid, Tabular, written_text

__all__ = [
    "ROOT",
    "Edge",
    "EdgeKind",
    "Node",
    "Pairs",
    "SemanticGraph",
    "assemble",
    "node_of_operations",
]

# Looking up a member of an enumeration costs as much as an array operation.
_CONSTANT, _PARAMETER, _ROOT_EDGE = (
    int(OperationKind.CONSTANT),
    int(OperationKind.PARAMETER),
    int(EdgeKind.ROOT),
)
_I32 = npt.NDArray[np.int32]
_I64 = npt.NDArray[np.int64]
_U8 = npt.NDArray[np.uint8]
Pairs = tuple[npt.NDArray[Any], npt.NDArray[Any]]
"""Two arrays of equal length: the sources and the targets of edges."""


@dataclass(frozen=True, eq=False, repr=False)
class SemanticGraph(Tabular):
    """A program as a graph of what it does, in flat arrays.

    Attributes
    ----------
    kind : uint8 array
        For each node, its :class:`~codekin.represent.flow.flow_ir.OperationKind`; node 0 is the
        root, of kind 255.
    label : int32 array
        For each node, the index of its label in `labels`.
    start, end : int32 array
        For each node, the span of its code in bytes.
    function, statement : int32 array
        For each node, the indices of its function and statement, -1 for the root.
    source, target : int32 array
        The unique edges, sorted.
    edge_kind : uint8 array
        For each edge, its :class:`EdgeKind`.
    labels, functions : tuple of str
        Every label, and the names of the functions; the first is the top-level code.
    language : str
    data : bytes
        The text in UTF-8.
    complete : bool
        False if a limit left edges out.
    options : GraphOptions
        How it was built.
    """

    kind: _U8
    label: _I32
    start: _I32
    end: _I32
    function: _I32
    statement: _I32
    source: _I32
    target: _I32
    edge_kind: _U8
    labels: tuple[str, ...]
    functions: tuple[str, ...]
    language: str
    data: bytes
    complete: bool
    options: GraphOptions

    def __post_init__(self) -> None:
        # A Source caches its graphs, so they are shared.
        for value in self.__dict__.values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    def __len__(self) -> int:
        return len(self.kind)

    def __repr__(self) -> str:
        unfinished = "" if self.complete else " incomplete"
        return (
            f"<SemanticGraph {self.language or 'unknown language'} {len(self)} nodes "
            f"{len(self.source)} edges{unfinished}>"
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SemanticGraph):
            return NotImplemented
        return all(_same(value, other.__dict__[name]) for name, value in self._fields.items())

    def __hash__(self) -> int:
        return hash((self.language, self.data, self.options))

    @property
    def _fields(self) -> dict[str, Any]:
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}

    @cached_property
    def positions(self) -> Positions:
        """Lines and columns of the text."""
        return Positions(self.data)

    @cached_property
    def lines(self) -> _I64:
        """The line on which each node's code starts, from 1; 0 for the root."""
        lines = self.positions.lines_of(self.start)
        lines[self.kind == ROOT] = 0
        return lines

    @cached_property
    def _successors(self) -> list[list[int]]:
        cuts = np.searchsorted(self.source, np.arange(1, len(self)))
        return [part.tolist() for part in np.split(self.target, cuts)]

    def node(self, index: int) -> Node:
        """The node at an index."""
        kind = int(self.kind[index])
        function, start, end = (int(a[index]) for a in (self.function, self.start, self.end))
        whole = kind in (ROOT, OperationKind.ENTRY, OperationKind.EXIT)
        return Node(
            index=index,
            kind="root" if kind == ROOT else OperationKind(kind).name.lower(),
            label=self.labels[self.label[index]],
            function=None if function < 0 else self.functions[function],
            start=start,
            end=end,
            line=int(self.lines[index]),
            text="" if whole else self.data[start:end].decode("utf-8", "replace"),
        )

    def nodes(self) -> Iterator[Node]:
        """The nodes, the root first."""
        return map(self.node, range(len(self)))

    def edges(self) -> Iterator[Edge]:
        """The edges, by source, target and kind."""
        for source, target, kind in zip(
            self.source.tolist(), self.target.tolist(), self.edge_kind.tolist(), strict=True
        ):
            yield Edge(source, target, EdgeKind(kind))

    def successors(self, index: int) -> list[int]:
        """The distinct nodes to which edges lead from a node."""
        return list(dict.fromkeys(self._successors[index]))

    def by_statement(self) -> SemanticGraph:
        """The graph with the operations of each statement merged into one node.

        Its label is that of the operation that runs last, its code the span of all of them. Edges
        within a statement are removed, and duplicates merged.
        """
        return self if self.options.granularity == "statement" else _by_statement(self)

    def within_functions(self) -> SemanticGraph:
        r"""The graph without calls and root edges: the dependence within functions.

        Examples
        --------
        >>> from codekin import semantic_graph
        >>> graph = semantic_graph("def f(x):\n    return -x\n\nf(1)\n", "python")
        >>> len(graph.source), len(graph.within_functions().source)
        (9, 6)
        """
        within = self.edge_kind <= EdgeKind.CONTROL
        return replace(
            self,
            source=self.source[within],
            target=self.target[within],
            edge_kind=self.edge_kind[within],
        )

    # Selections import this module, so they are imported lazily.
    def of_function(self, name: str) -> SemanticGraph:
        r"""The graph of the functions with a name; several if methods of classes share it.

        Examples
        --------
        >>> from codekin import semantic_graph
        >>> code = "def f(x):\n    return g(x)\n\ndef g(x):\n    return -x\n"
        >>> [node.label for node in semantic_graph(code, "python").of_function("g").nodes()]
        ['root', 'entry:g', 'param', 'neg', 'return']
        """
        from codekin.represent.graph.selection import functions_named, of_functions

        return of_functions(self, functions_named(self, name))

    def of_lines(self, first: int, last: int) -> SemanticGraph:
        r"""The graph of the operations that begin in some lines, with their functions' entries.

        Parameters
        ----------
        first, last : int
            Lines from 1, both included.

        Examples
        --------
        >>> from codekin import semantic_graph
        >>> code = "def f(x):\n    y = x + 1\n    return -y\n"
        >>> [node.label for node in semantic_graph(code, "python").of_lines(3, 3).nodes()]
        ['root', 'entry:f', 'neg', 'return']
        """
        from codekin.represent.graph.selection import in_lines

        return in_lines(self, first, last)

    def table(self) -> Grid:
        """One record per node.

        Examples
        --------
        >>> from codekin import semantic_graph
        >>> record = semantic_graph("print(1)", "python").table().records()[-1]
        >>> record["label"], record["line"], record["text"]
        ('call:print', 1, 'print(1)')
        """
        names = tuple(one.name for one in fields(Node))
        return Grid("", names, tuple(tuple(asdict(node).values()) for node in self.nodes()))

    # The exports are imported lazily, too: computing needs none of them.
    def to_json(self) -> dict[str, Any]:
        """The graph as a JSON document; it has a schema, graph.schema.json."""
        from codekin.represent.graph.export import graph_document

        return dict(graph_document(self))

    @classmethod
    def from_json(cls, document: Mapping[str, Any] | str) -> SemanticGraph:
        """Read a graph from a JSON document or its text."""
        from codekin.represent.graph.export import graph_fields

        return cls(**graph_fields(document))

    def to_dot(self) -> str:
        """The graph in the DOT language of Graphviz; functions are clusters."""
        from codekin.represent.graph.export import graph_dot

        return graph_dot(self)

    def to_graphml(self) -> str:
        """The graph as GraphML."""
        from codekin.represent.graph.export import graph_graphml

        return graph_graphml(self)

    def to_networkx(self) -> Any:
        """The graph as a ``networkx.MultiDiGraph``; the key of an edge is its kind."""
        from codekin.represent.graph.export import graph_networkx

        return graph_networkx(self)

    # Drawing belongs to the report, which depends on this package, so it is imported lazily.
    def to_svg(self, path: str | Path | None = None) -> str:
        """A picture of the graph, light or dark as its reader is; also written to `path` if given.

        Graphs of more than 400 nodes are drawn by statements, and of those with more than 400 the
        functions that come first; the picture says so.
        """
        return written_text(self._repr_svg_() + "\n", path)

    def to_html(self, path: str | Path | None = None, *, name: str | None = None) -> str:
        """The code beside the graph as a page that works offline; also written to `path` if given.

        Parameters
        ----------
        path : str or Path, optional
        name : str, optional
            What the page calls the program, such as its path (default: its language).
        """
        called = f"{self.language} code".strip() if name is None else name
        page: str = import_module("codekin.report.graph").graph_page(self, called)
        return written_text(page, path)

    def _repr_svg_(self) -> str:
        drawn: str = import_module("codekin.report.graph").graph_svg(self)
        return drawn

    def _repr_html_(self) -> str:
        drawn: str = import_module("codekin.report.graph").graph_frame(self)
        return drawn


def _same(first: Any, second: Any) -> bool:
    if isinstance(first, np.ndarray):
        return bool(np.array_equal(first, second))
    return bool(first == second)


def assemble(
    ir: FlowIR,
    control: Pairs,
    data: Pairs,
    calls: Pairs,
    options: GraphOptions | None = None,
    *,
    language: str = "",
    text: bytes = b"",
    complete: bool = True,
) -> SemanticGraph:
    """Assemble a graph from a program's operations and their dependences.

    Parameters
    ----------
    ir : FlowIR
    control : pair of arrays
        Operations that decide, and operations that depend on them.
    data : pair of arrays
        Operations that define or produce a value, and operations that use it.
    calls : pair of arrays
        Calls, and the functions that they may call.
    options : GraphOptions, optional
    language : str
        The name of the language.
    text : bytes
        The text that was lowered.
    complete : bool
        False if a limit left pairs out.
    """
    options = options or GraphOptions()
    node_of = node_of_operations(ir, options)
    chosen = np.flatnonzero(node_of)
    label, labels = label_operations(ir, chosen, options.labels, language, calls)
    entries = ir.function_first_operation
    source, target, edge_kind = _edges(
        len(chosen) + 1,
        options.self_loops,
        (
            (node_of[data[0]], node_of[data[1]]),
            (node_of[control[0]], node_of[control[1]]),
            (node_of[calls[0]], node_of[entries[calls[1]]]),
        ),
        node_of[entries],
    )
    names = ir.function_name.tolist()
    graph = SemanticGraph(
        kind=_rooted(ir.kind[chosen], ROOT, np.uint8),
        label=_rooted(label, 0),
        start=_rooted(ir.start[chosen], 0),
        end=_rooted(ir.end[chosen], len(text)),
        function=_rooted(ir.function[chosen], -1),
        statement=_rooted(ir.statement[chosen], -1),
        source=source,
        target=target,
        edge_kind=edge_kind,
        labels=labels,
        functions=tuple([ir.string(name) for name in names]),
        language=language,
        data=text,
        complete=complete,
        options=options,
    )
    return graph if options.granularity == "operation" else _by_statement(graph)


def node_of_operations(ir: FlowIR, options: GraphOptions) -> _I64:
    """The node of each operation at the granularity of operations; 0 if it has none."""
    kept = _kept(ir, options.literals)
    node_of: _I64 = np.cumsum(kept, dtype=np.int64)
    node_of[~kept] = 0
    return node_of


def _rooted(values: npt.NDArray[Any], root: int, kind: type[Any] = np.int32) -> npt.NDArray[Any]:
    """Prepend the value of the root to those of the nodes."""
    whole = np.empty(len(values) + 1, dtype=kind)
    whole[0] = root
    whole[1:] = values
    return whole


def _kept(ir: FlowIR, literals: bool) -> npt.NDArray[np.bool_]:
    """Which operations become nodes."""
    kept = np.ones(len(ir), dtype=bool) if literals else ir.kind != _CONSTANT
    first, end = int(ir.function_first_operation[0]), int(ir.function_end_operation[0])
    if end > first and not kept[first + 1 : end].any():
        kept[first] = False  # top-level code that does nothing
    return kept


def _by_statement(graph: SemanticGraph) -> SemanticGraph:
    """Merge the nodes of each statement and function, named after the last non-constant."""
    alone = (graph.kind <= _PARAMETER) | (graph.kind == ROOT) | (graph.statement < 0)
    keys = graph.statement.astype(np.int64) * len(graph.functions) + graph.function
    keys[alone] = -1 - np.flatnonzero(alone)
    order = np.argsort(keys, kind="stable")
    fresh = np.empty(len(keys), dtype=bool)
    fresh[0] = True
    np.not_equal(keys[order[1:]], keys[order[:-1]], out=fresh[1:])
    firsts = np.flatnonzero(fresh)
    # The last node of a group names it, a constant only if there is nothing else.
    rank = order - len(keys) * (graph.kind[order] == _CONSTANT)
    named = np.maximum.reduceat(rank, firsts) % len(keys)
    place = np.argsort(named)
    node_of = np.empty(len(keys), dtype=np.int64)
    node_of[order] = np.argsort(place)[np.cumsum(fresh) - 1]
    start = np.minimum.reduceat(graph.start[order], firsts)[place]
    end = np.maximum.reduceat(graph.end[order], firsts)[place]
    chosen = named[place]
    keys = (node_of[graph.source] * len(firsts) + node_of[graph.target]) * 4 + graph.edge_kind
    source, target, edge_kind = _unique_edges(keys, len(firsts), self_loops=False)
    return replace(
        graph,
        start=start,
        end=end,
        source=source,
        target=target,
        edge_kind=edge_kind,
        options=replace(graph.options, granularity="statement"),
        **{
            name: graph.__dict__[name][chosen]
            for name in ("kind", "label", "function", "statement")
        },
    )


def _edges(
    count: int, self_loops: bool, pairs: tuple[tuple[_I64, _I64], ...], entries: _I64
) -> tuple[_I32, _I32, _U8]:
    """Unique edges between nodes; edges to or from 0, operations without a node, are dropped."""
    keys = [(np.minimum(s, t) > 0) * ((s * count + t) * 4 + k) for k, (s, t) in enumerate(pairs)]
    keys.append((entries > 0) * (entries * 4 + _ROOT_EDGE))
    return _unique_edges(np.concatenate(keys), count, self_loops)


def _unique_edges(keys: _I64, count: int, self_loops: bool) -> tuple[_I32, _I32, _U8]:
    """Decode edges from keys that encode source, target and kind; the key 0 is ignored."""
    keys.sort()
    fresh = np.empty(len(keys), dtype=bool)
    fresh[:1] = True
    np.not_equal(keys[1:], keys[:-1], out=fresh[1:])
    fresh &= keys > 0
    keys = keys[fresh]
    source, target = np.divmod(keys >> 2, count)
    kind = keys & 3
    if not self_loops:
        different = source != target
        source, target, kind = source[different], target[different], kind[different]
    return source.astype(np.int32), target.astype(np.int32), kind.astype(np.uint8)
