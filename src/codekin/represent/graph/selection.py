"""Parts of a semantic graph: of functions, of lines, of a slice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from codekin.errors import CodekinError, suggestion
from codekin.represent.flow.flow_ir import Access, FlowIR, OperationKind
from codekin.represent.flow.slicing import Slicer
from codekin.represent.graph.parts import ROOT, EdgeKind
from codekin.represent.graph.semantic_graph import SemanticGraph, node_of_operations

__all__ = [
    "check_lines",
    "functions_named",
    "in_lines",
    "named_functions",
    "of_functions",
    "selected",
    "sliced",
]

_Chosen = npt.NDArray[np.bool_]
_LISTED = 8


def selected(graph: SemanticGraph, chosen: _Chosen) -> SemanticGraph:
    """The graph of some nodes, the root always among them, and of all edges between them.

    Parameters
    ----------
    graph : SemanticGraph
    chosen : bool array
        For each node, whether it is kept.
    """
    kept = chosen | (graph.kind == ROOT)
    number = np.cumsum(kept) - 1
    edges = kept[graph.source] & kept[graph.target]
    return replace(
        graph,
        source=number[graph.source[edges]].astype(np.int32),
        target=number[graph.target[edges]].astype(np.int32),
        edge_kind=graph.edge_kind[edges],
        **{
            name: getattr(graph, name)[kept]
            for name in ("kind", "label", "start", "end", "function", "statement")
        },
    )


def functions_named(graph: SemanticGraph, name: str) -> list[int]:
    """The numbers of the functions of a graph with a name."""
    present = sorted(set(graph.function.tolist()) - {-1})
    return named_functions(name, {i: graph.functions[i] for i in present})


def named_functions(name: str, functions: Mapping[int, str]) -> list[int]:
    """The numbers of the functions with a name; an error suggests another if there is none.

    Examples
    --------
    >>> named_functions("f", {1: "f", 2: "g", 4: "f"})
    [1, 4]
    """
    found = [i for i, one in functions.items() if one == name]
    if found:
        return found
    named = list(dict.fromkeys(one for one in functions.values() if one and one[0] != "<"))
    if not named:
        raise CodekinError(f"there is no function {name!r}; the text has no named functions")
    more = suggestion(name, named) or (
        f"; it has {', '.join(named[:_LISTED])}{' and more' if len(named) > _LISTED else ''}"
    )
    raise CodekinError(f"there is no function {name!r} in the text{more}")


def of_functions(graph: SemanticGraph, functions: list[int]) -> SemanticGraph:
    """The graph of some functions, by their numbers."""
    return selected(graph, np.isin(graph.function, functions))


def in_lines(graph: SemanticGraph, first: int, last: int) -> SemanticGraph:
    """The graph of the operations that begin in some lines, and of the entries of their functions.

    Parameters
    ----------
    graph : SemanticGraph
    first, last : int
        Lines from 1, both included.
    """
    check_lines(first, last, _line_count(graph))
    return selected(graph, _with_entries(graph, (graph.lines >= first) & (graph.lines <= last)))


def check_lines(first: int, last: int, count: int) -> tuple[int, int]:
    """A range of lines, if a text of `count` lines has it."""
    if first > last:
        raise CodekinError(f"lines {first} to {last}: the first line must not come after the last")
    if first >= 1 and last <= count:
        return first, last
    begin, end = (first, min(last, 0)) if first < 1 else (max(first, count + 1), last)
    which = f"line {begin} is" if begin == end else f"lines {begin} to {end} are"
    raise CodekinError(f"{which} not in the text, which has lines 1 to {count}")


def _line_count(graph: SemanticGraph) -> int:
    text = graph.data
    return text.count(b"\n") + (not text.endswith(b"\n") or not text)


def _with_entries(graph: SemanticGraph, chosen: _Chosen) -> _Chosen:
    entries = graph.kind == OperationKind.ENTRY
    inside = chosen & ~entries
    whole: _Chosen = inside | (entries & np.isin(graph.function, graph.function[inside]))
    return whole


def sliced(graph: SemanticGraph, ir: FlowIR, line: int, variable: str | None) -> SemanticGraph:
    """The graph of everything on which a line, or a variable there, depends.

    Parameters
    ----------
    graph : SemanticGraph
        With operations as nodes.
    ir : FlowIR
        What it was made from.
    line : int
        From 1.
    variable : str, optional
        Of the line; everything on it by default.
    """
    count = _line_count(graph)
    if not 1 <= line <= count:
        raise CodekinError(f"line {line} is not in the text, which has lines 1 to {count}")
    whole = (graph.kind == ROOT) | ((graph.kind == OperationKind.ENTRY) & (graph.function == 0))
    here = (graph.lines == line) & ~whole
    if not here.any():
        raise CodekinError(f"line {line} does nothing that a slice could start from")
    start = np.flatnonzero(here).tolist()
    shown = np.zeros(len(graph), dtype=np.bool_)
    if variable is not None:
        start, reading = _of_variable(graph, ir, start, line, variable)
        shown[reading] = True
    shown[Slicer(graph, ir).nodes(start)] = True
    return selected(graph, _with_entries(graph, shown))


def _of_variable(
    graph: SemanticGraph, ir: FlowIR, here: list[int], line: int, variable: str
) -> tuple[list[int], list[int]]:
    """What gives a variable its value on a line, and the nodes there that read it."""
    node_of = node_of_operations(ir, graph.options)
    operation = np.repeat(np.arange(len(ir)), np.diff(ir.access_offsets))
    nodes = node_of[operation]
    names = np.array([ir.string(name) for name in ir.variable_name.tolist()] or [""], dtype=object)
    named = names[ir.access_variable] if len(operation) else np.array([], dtype=object)
    on_line = np.isin(nodes, here)
    if variable not in named[on_line]:
        known = sorted({str(name) for name in named[on_line].tolist() if name})
        tell = suggestion(variable, known) or (
            f"; its variables are {', '.join(known)}" if known else "; it has no variables"
        )
        raise CodekinError(f"there is no variable {variable!r} on line {line}{tell}")
    own = named == variable
    writes = ir.access_mode >= Access.DEFINE
    writing = set(nodes[own & writes].tolist()) - {0}
    defined = sorted(writing & set(here))
    if defined:
        return defined, []
    reading = sorted(set(nodes[own & on_line].tolist()) - {0})
    comes = (graph.edge_kind == EdgeKind.DATA) & np.isin(graph.target, reading)
    decides = (graph.edge_kind == EdgeKind.CONTROL) & np.isin(graph.target, reading)
    sources = writing.intersection(graph.source[comes].tolist())
    return sorted(sources.union(graph.source[decides].tolist())), reading
