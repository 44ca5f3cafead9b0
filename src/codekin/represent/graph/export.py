"""Export of a semantic graph: JSON (and import), DOT, GraphML, networkx."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

import numpy as np
import numpy.typing as npt

from codekin._version import __version__
from codekin.errors import CodekinError
from codekin.represent.flow.flow_ir import OperationKind
from codekin.represent.graph.parts import ROOT, EdgeKind, GraphOptions, Node
from codekin.results import Constraint

if TYPE_CHECKING:
    from codekin.represent.graph.semantic_graph import SemanticGraph

__all__ = [
    "EdgeDocument",
    "GraphDocument",
    "NodeDocument",
    "excerpt",
    "graph_document",
    "graph_dot",
    "graph_fields",
    "graph_graphml",
    "graph_networkx",
]

_EXCERPT = 32
_NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_DOT_COLOURS = {"data": "#0b6b78", "control": "#b5562a", "call": "#6a4fa3", "root": "#8a8f95"}


def excerpt(text: str, limit: int = _EXCERPT) -> str:
    r"""The beginning of a piece of code, on one line.

    Examples
    --------
    >>> excerpt("total = sum(\n    values\n)", 16)
    'total = sum( va…'
    """
    line = " ".join(text[: 8 * limit].split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


_NODE_KINDS = ["root", *(kind.name.lower() for kind in OperationKind)]
_EDGE_KINDS = [kind.name.lower() for kind in EdgeKind]
_Place = Annotated[int, Constraint(minimum=-1)]
_FromOne = Annotated[int, Constraint(minimum=1)]


class NodeDocument(TypedDict):
    """A node.

    Attributes
    ----------
    id : int
    kind : str
    label : str
    function : int
        The index of its function; -1 for the root.
    statement : int
        The same number for operations of one statement; -1 for none.
    start, end : int
        In bytes of the text in UTF-8.
    line, column : int
    """

    id: int
    kind: Annotated[str, Constraint(enum=_NODE_KINDS)]
    label: str
    function: _Place
    statement: _Place
    start: int
    end: int
    line: _FromOne
    column: _FromOne


class EdgeDocument(TypedDict):
    """An edge."""

    source: int
    target: int
    kind: Annotated[str, Constraint(enum=_EDGE_KINDS)]


class GraphDocument(TypedDict):
    """The semantic graph of a program, or with --stage pdg its dependence within functions.

    Attributes
    ----------
    codekin : str
        The version that built the graph.
    language : str
    complete : bool
        false where a limit left edges out.
    options : GraphOptions
    text : str
        The code; start and end of the nodes are bytes of it in UTF-8.
    functions : list of str
        Their names; the first is the top-level code.
    nodes : list of NodeDocument
        The root first, then function by function.
    edges : list of EdgeDocument
        Unique, sorted by source, target and kind.
    """

    codekin: str
    language: str
    complete: bool
    options: Annotated[dict[str, Any], GraphOptions]
    text: str
    functions: list[str]
    nodes: Annotated[list[NodeDocument], Constraint(minItems=1)]
    edges: list[EdgeDocument]


def graph_document(graph: SemanticGraph) -> GraphDocument:
    """The graph as a JSON document."""
    nodes: list[NodeDocument] = []
    for node in graph.nodes():
        line, column = graph.positions.line_column(node.start)
        nodes.append(
            {
                "id": node.index,
                "kind": node.kind,
                "label": node.label,
                "function": int(graph.function[node.index]),
                "statement": int(graph.statement[node.index]),
                "start": node.start,
                "end": node.end,
                "line": line,
                "column": column,
            }
        )
    return {
        "codekin": __version__,
        "language": graph.language,
        "complete": graph.complete,
        "options": dataclasses.asdict(graph.options),
        "text": graph.data.decode("utf-8", "surrogatepass"),
        "functions": list(graph.functions),
        "nodes": nodes,
        "edges": [
            {"source": edge.source, "target": edge.target, "kind": edge.kind.name.lower()}
            for edge in graph.edges()
        ],
    }


def graph_fields(document: Mapping[str, Any] | str) -> dict[str, Any]:
    """The fields of a graph from its JSON document or text; inverts :func:`graph_document`."""
    if isinstance(document, str):
        try:
            document = json.loads(document)
        except ValueError as error:
            raise CodekinError(f"the graph is not valid JSON: {error}") from None
    try:
        return _fields(document)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise CodekinError(
            f"the document is not a semantic graph ({type(error).__name__}: {error}); write it "
            "with to_json or codekin graph FILE --format json"
        ) from None


def _fields(document: Any) -> dict[str, Any]:
    nodes, edges = document["nodes"], document["edges"]
    labels = {label: place for place, label in enumerate(dict.fromkeys(_each(nodes, "label")))}
    kinds = [_kind(name) for name in _each(nodes, "kind")]
    count, functions = len(nodes), tuple(document["functions"])
    if count == 0 or kinds[0] != ROOT or list(_each(nodes, "id")) != list(range(count)):
        raise ValueError("nodes are numbered from 0, the root")
    ends = [*_each(edges, "source"), *_each(edges, "target")]
    if any(not 0 <= end < count for end in ends):
        raise ValueError("an edge ends at no node")
    if any(not -1 <= function < len(functions) for function in _each(nodes, "function")):
        raise ValueError("a node belongs to no function")
    return {
        "kind": np.array(kinds, dtype=np.uint8),
        "label": _whole(labels[label] for label in _each(nodes, "label")),
        "start": _whole(_each(nodes, "start")),
        "end": _whole(_each(nodes, "end")),
        "function": _whole(_each(nodes, "function")),
        "statement": _whole(_each(nodes, "statement")),
        "source": _whole(_each(edges, "source")),
        "target": _whole(_each(edges, "target")),
        "edge_kind": np.array(
            [EdgeKind[kind.upper()] for kind in _each(edges, "kind")], dtype=np.uint8
        ),
        "labels": tuple(labels),
        "functions": functions,
        "language": str(document["language"]),
        "data": document["text"].encode("utf-8", "surrogatepass"),
        "complete": bool(document["complete"]),
        "options": GraphOptions.of(**document["options"]),
    }


def _each(records: Sequence[Mapping[str, Any]], name: str) -> Iterator[Any]:
    return (record[name] for record in records)


def _whole(values: Iterator[int]) -> npt.NDArray[np.int32]:
    return np.array(list(values), dtype=np.int32)


def _kind(name: str) -> int:
    return ROOT if name == "root" else int(OperationKind[name.upper()])


def graph_dot(graph: SemanticGraph) -> str:
    """The graph in DOT, with a cluster per function and a colour per kind of edge."""
    lines = [
        "digraph semantic {",
        '  node [shape=box, style=rounded, fontname="Helvetica", fontsize=11, color="#8a8f95"];',
        "  edge [arrowsize=0.7];",
    ]
    for function, nodes in groupby(graph.nodes(), lambda node: int(graph.function[node.index])):
        statements = [f"n{node.index} [label={_dot_label(node)}];" for node in nodes]
        if function < 0:
            lines += [f"  {line}" for line in statements]
            continue
        lines += [
            f"  subgraph cluster_{function} {{",
            f'    label={_dot_text(graph.functions[function])}; color="#c9c4b8"; style=rounded;',
            *(f"    {line}" for line in statements),
            "  }",
        ]
    for edge in graph.edges():
        kind = edge.kind.name.lower()
        style = ", style=dashed" if kind in ("call", "root") else ""
        colour = _DOT_COLOURS[kind]
        lines.append(f'  n{edge.source} -> n{edge.target} [color="{colour}"{style}]; // {kind}')
    return "\n".join([*lines, "}", ""])


def _dot_label(node: Node) -> str:
    return _dot_text(
        f"{node.label}\n{node.line}: {excerpt(node.text)}" if node.text else node.label
    )


def _dot_text(text: str) -> str:
    clean = "".join(c if c.isprintable() or c == "\n" else "�" for c in text)
    return '"' + clean.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


_NODE_KEYS = {
    "kind": "string",
    "label": "string",
    "function": "string",
    "line": "int",
    "start": "int",
    "end": "int",
    "text": "string",
}


def graph_graphml(graph: SemanticGraph) -> str:
    """The graph as GraphML; characters that XML does not allow are replaced."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines.append('<graphml xmlns="http://graphml.graphdrawing.org/xmlns">')
    for name, kind in _NODE_KEYS.items():
        lines.append(f'  <key id="{name}" for="node" attr.name="{name}" attr.type="{kind}"/>')
    lines.append('  <key id="edge" for="edge" attr.name="kind" attr.type="string"/>')
    lines.append(f'  <graph id={_attribute(graph.language or "graph")} edgedefault="directed">')
    for node in graph.nodes():
        values = "".join(
            f'<data key="{name}">{_xml(getattr(node, name))}</data>'
            for name in _NODE_KEYS
            if getattr(node, name) is not None
        )
        lines.append(f'    <node id="n{node.index}">{values}</node>')
    for edge in graph.edges():
        lines.append(
            f'    <edge source="n{edge.source}" target="n{edge.target}">'
            f'<data key="edge">{edge.kind.name.lower()}</data></edge>'
        )
    return "\n".join([*lines, "  </graph>", "</graphml>", ""])


def _xml(value: object) -> str:
    from xml.sax.saxutils import escape  # which loads urllib.request

    return escape(_NO_XML.sub("�", str(value)))


def _attribute(value: str) -> str:
    from xml.sax.saxutils import quoteattr

    return quoteattr(_NO_XML.sub("�", value))


def graph_networkx(graph: SemanticGraph) -> Any:
    """The graph as a ``networkx.MultiDiGraph``; needs networkx."""
    try:
        networkx = import_module("networkx")
    except ImportError:
        raise CodekinError(
            "to_networkx needs networkx, which is not installed; pip install networkx"
        ) from None
    exported = networkx.MultiDiGraph(language=graph.language, complete=graph.complete)
    for node in graph.nodes():
        values = dataclasses.asdict(node)
        exported.add_node(values.pop("index"), **values)
    for edge in graph.edges():
        kind = edge.kind.name.lower()
        exported.add_edge(edge.source, edge.target, key=kind, kind=kind)
    return exported
