"""A program at each step to its semantic graph, in each format."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from codekin.errors import CodekinError, suggestion
from codekin.languages import Language
from codekin.plain_text import plain_line
from codekin.report.graph.detail import shown
from codekin.report.graph.graph_page import graph_page
from codekin.report.graph.svg import flow_svg, picture_style
from codekin.report.graph.syntax_tree import TREE_STYLE, SyntaxTree, beside, syntax_tree
from codekin.represent.flow.control_flow import ControlFlow, FlowKind
from codekin.represent.flow.flow_ir import Access, FlowIR, Item, OperationKind
from codekin.represent.graph.building import program_flow
from codekin.represent.graph.export import excerpt
from codekin.represent.graph.flow_graph import flow_graph, labelled_part
from codekin.represent.graph.parts import EdgeKind
from codekin.represent.graph.selection import check_lines, named_functions
from codekin.represent.graph.semantic_graph import SemanticGraph
from codekin.represent.text.positions import Positions
from codekin.results import count_text, written_text
from codekin.source import Source, program_slice, semantic_graph

__all__ = ["FORMS", "STAGES", "GraphPart", "export_graph"]

STAGES = ("ir", "cfg", "pdg", "semantic")
"""What a program is on its way to its semantic graph."""
FORMS = ("text", "svg", "html", "json", "dot", "graphml")
"""What graphs can be written as."""

_CODE = 40
_LOOKED_AT = 2_000
"""Characters of a node's code that its line in a listing is cut from."""
_OPENING = (Item.IF, Item.LOOP, Item.SWITCH, Item.TRY, Item.BLOCK)
_BETWEEN = (Item.ELSE, Item.LOOPELSE, Item.CASE, Item.CATCH, Item.TRYELSE, Item.FINALLY, Item.NEXT)
_JUMPS = (Item.RETURN, Item.THROW, Item.BREAK, Item.CONTINUE, Item.GOTO)
_ACCESSES = {
    Access.READ: "{}",
    Access.BASE: "@{}",
    Access.LOAD: "{}",
    Access.DEFINE: "{}=",
    Access.MAYBE: "{}?=",
    Access.STORE: "{}=",
}


def _ir_listing(ir: FlowIR, data: bytes, name: str, functions: Sequence[int]) -> str:
    """The operations in the order in which they run, indented as control nests them.

    An operation is ``%number``, what it does, the operations whose values it takes, and the
    variables it touches: ``x`` read, ``x=`` defined, ``x?=`` perhaps defined, ``x[]`` and ``x.f``
    something reached through it, ``@x`` the reference alone.
    """
    code = _Code(ir, data)
    operations = sum(len(_operations(ir, function)) for function in functions)
    lines = [f"flow IR of {plain_line(name)}: {_sizes(len(functions), operations)}"]
    for function in functions:
        lines += ["", _head(ir, function, code)]
        depth = 1
        for item, a, b in _items(ir, function):
            if item is Item.OP:
                lines.append(code.line(a, depth))
                continue
            if item is Item.END:
                depth = max(1, depth - 1)
            shift = -1 if item in _BETWEEN and depth > 1 else 0
            if item not in _JUMPS:
                lines.append(f"{'  ' * (depth + shift)}{_mark(ir, item, a, b)}")
            depth += item in _OPENING
    return "\n".join([*lines, ""])


def _sizes(functions: int, operations: int) -> str:
    return f"{count_text(functions, 'function')}, {count_text(operations, 'operation')}"


def _operations(ir: FlowIR, function: int) -> range:
    """The operations of a function."""
    first, end = ir.function_first_operation[function], ir.function_end_operation[function]
    return range(int(first), int(end))


def _items(ir: FlowIR, function: int) -> Iterator[tuple[Item, int, int]]:
    part = slice(int(ir.function_first_item[function]), int(ir.function_end_item[function]))
    codes, first, second = (a[part].tolist() for a in (ir.item_code, ir.item_a, ir.item_b))
    for code, a, b in zip(codes, first, second, strict=True):
        yield Item(code), a, b


def _mark(ir: FlowIR, item: Item, a: int, b: int) -> str:
    word = item.name.lower() + (f" %{a}" if a >= 0 else "")
    if item is Item.SWITCH:
        return word
    return word + (f" {plain_line(ir.strings[b])}" if 0 <= b < len(ir.strings) else "")


def _head(ir: FlowIR, function: int, code: _Code) -> str:
    name = plain_line(ir.string(int(ir.function_name[function]))) or "a function without a name"
    owner = plain_line(ir.string(int(ir.function_owner[function])))
    line = code.lines[int(ir.function_first_operation[function])]
    return f"{owner}.{name}  line {line}" if owner else f"{name}  line {line}"


class _Code:
    """What lists an operation needs, looked up once."""

    def __init__(self, ir: FlowIR, data: bytes) -> None:
        self._ir, self._data = ir, data
        self.lines = Positions(data).lines_of(ir.start).tolist()

    def excerpt(self, operation: int) -> str:
        start, end = int(self._ir.start[operation]), int(self._ir.end[operation])
        if self._ir.kind[operation] == OperationKind.ENTRY:
            end = start + len(self._data[start:end].split(b"\n")[0])
        return excerpt(plain_line(self._data[start:end].decode("utf-8", "replace")), _CODE)

    def word(self, operation: int) -> str:
        """What an operation does, in a word or two."""
        kind = OperationKind(int(self._ir.kind[operation]))
        name = excerpt(plain_line(self._ir.string(int(self._ir.name[operation]))), 24)
        if kind in (OperationKind.OPERATOR, OperationKind.ASSIGN, OperationKind.JUMP):
            return name
        return (
            kind.name.lower()
            if not name or name == kind.name.lower()
            else (f"{kind.name.lower()} {name}")
        )

    def line(self, operation: int, depth: int) -> str:
        """An operation in the listing of the IR."""
        ir = self._ir
        takes = ir.operands[ir.operand_offsets[operation] : ir.operand_offsets[operation + 1]]
        done = f"%{operation} {self.word(operation)}"
        values = " ".join(f"%{one}" for one in takes.tolist())
        touched = " ".join(self._accesses(operation))
        left = f"{'  ' * depth}{done}"
        left = f"{left:<26} {values:<10} {touched}"
        return f"{left:<62} {self.lines[operation]:>4}: {self.excerpt(operation)}".rstrip()

    def _accesses(self, operation: int) -> Iterator[str]:
        ir = self._ir
        part = slice(ir.access_offsets[operation], ir.access_offsets[operation + 1])
        for variable, field, mode in zip(
            ir.access_variable[part].tolist(),
            ir.access_field[part].tolist(),
            ir.access_mode[part].tolist(),
            strict=True,
        ):
            name = plain_line(ir.string(int(ir.variable_name[variable])))
            inside = mode in (Access.LOAD, Access.STORE)
            reached = (
                (f".{plain_line(ir.strings[field])}" if field >= 0 else "[]") if inside else ""
            )
            yield _ACCESSES[Access(mode)].format(name + reached if inside else name)


def _control_flow_listing(
    ir: FlowIR,
    flow: ControlFlow,
    data: bytes,
    name: str,
    part: GraphPart,
) -> str:
    """Every operation of a part, with those that may run right after it."""
    functions, within = _functions(ir, part), part.lines
    first_line, last_line = _checked_lines(data, within)
    code, count = _Code(ir, data), len(ir)
    listed = {
        function: [
            operation
            for operation in _operations(ir, function)
            if first_line <= code.lines[operation] <= last_line
        ]
        for function in functions
    }
    if within is not None:
        listed = {function: some for function, some in listed.items() if some}
        if not listed:
            raise part.nothing_there()
    following: dict[int, list[str]] = {}
    for source, target, kind in sorted(
        zip(flow.source.tolist(), flow.target.tolist(), flow.kind.tolist(), strict=True)
    ):
        word = "" if kind == FlowKind.NEXT else f" ({FlowKind(kind).name.lower()})"
        following.setdefault(source, []).append(_point(ir, target) + word)
    everything = within is None and len(functions) == len(ir.function_name)
    shown = [one for some in listed.values() for one in some]
    edges = len(flow.source) if everything else sum(len(following.get(one, ())) for one in shown)
    sizes = f"{_sizes(len(listed), len(shown))}, {count_text(edges, 'edge')}"
    lines = [f"control flow of {plain_line(name)}: {sizes}"]
    for function, operations in listed.items():
        lines += ["", _head(ir, function, code)]
        for operation in operations:
            after = ", ".join(following.get(operation, ["nothing"]))
            left = f"  %{operation} {code.word(operation)}"
            left = f"{left:<26} -> {after}"
            line = f"{left:<58} {code.lines[operation]:>4}: {code.excerpt(operation)}"
            lines.append(line.rstrip())
    others = [node for node in sorted(following) if node >= count + len(ir.function_name)]
    if others and everything:
        lines += ["", "points between operations"]
        lines += [f"  {_point(ir, node):<24} -> {', '.join(following[node])}" for node in others]
    return "\n".join([*lines, ""])


def _checked_lines(data: bytes, within: tuple[int, int] | None) -> tuple[int, int]:
    count = data.count(b"\n") + 1
    return check_lines(*within, count) if within is not None else (1, count)


def _point(ir: FlowIR, node: int) -> str:
    count, functions = len(ir), len(ir.function_name)
    if node < count:
        return f"%{node}"
    return "exit" if node < count + functions else f"point {node - count - functions}"


_UNFINISHED = "a limit left edges out"


def _dependence_listing(graph: SemanticGraph, name: str) -> str:
    """Which line depends on which, function by function."""
    text = graph.data.decode("utf-8", "replace").split("\n")
    kinds = (EdgeKind.DATA, EdgeKind.CONTROL)
    lines = [f"program dependence of {plain_line(name)}: {_counts(graph, kinds)}"]
    wanted = np.isin(graph.edge_kind, kinds)
    if not graph.complete:
        lines.append(_UNFINISHED)
    # The entry of the top-level code stands on no line of its own.
    top = (graph.function == 0) & (graph.kind == OperationKind.ENTRY)
    text.insert(0, graph.functions[0])
    where = np.where(top, 0, graph.lines)
    ends = (graph.function[graph.source], where[graph.source], where[graph.target])
    found = sorted({*zip(*(a[wanted].tolist() for a in (*ends, graph.edge_kind)), strict=True)})
    for function, edges in groupby(found, lambda edge: edge[0]):
        lines += ["", plain_line(graph.functions[function])]
        for _, source, target, kind in edges:
            word = EdgeKind(kind).name.lower()
            shown = [excerpt(plain_line(text[line].strip()), 30) for line in (source, target)]
            lines.append(f"  {source:>4} -> {target:<4} {word:<8} {shown[0]:<30} -> {shown[1]}")
    return "\n".join([*lines, ""])


def _counts(graph: SemanticGraph, kinds: Sequence[EdgeKind]) -> str:
    edges = [f"{int((graph.edge_kind == kind).sum()):,} {kind.name.lower()}" for kind in kinds]
    return f"{count_text(len(graph), 'node')}; edges: {', '.join(edges)}"


def _graph_listing(graph: SemanticGraph, name: str) -> str:
    """Every node with the nodes it depends on and the entry it calls."""
    lines = [f"semantic graph of {plain_line(name)}: {_counts(graph, list(EdgeKind))}"]
    if not graph.complete:
        lines.append(_UNFINISHED)
    before: dict[tuple[int, EdgeKind], list[str]] = {}
    for edge in graph.edges():
        key = (edge.source if edge.kind is EdgeKind.CALL else edge.target, edge.kind)
        end = edge.target if edge.kind is EdgeKind.CALL else edge.source
        before.setdefault(key, []).append(str(end))
    head = (
        f"{'node':>6} {'line':>4}  {'label':<18} {'code':<{_CODE}} {'data from':<14} control from"
    )
    for function, nodes in groupby(graph.nodes(), lambda node: int(graph.function[node.index])):
        lines += ["", *([plain_line(graph.functions[function])] if function >= 0 else []), head]
        for node in nodes:
            data, control, calls = (
                " ".join(before.get((node.index, kind), []))
                for kind in (EdgeKind.DATA, EdgeKind.CONTROL, EdgeKind.CALL)
            )
            code = excerpt(plain_line(node.text[:_LOOKED_AT]), _CODE)
            label = excerpt(plain_line(node.label), 18)
            called = f"  calls {calls}" if calls else ""
            lines.append(
                f"{node.index:>6} {node.line or '':>4}  {label:<18} {code:<{_CODE}} {data:<14} "
                f"{control}{called}".rstrip()
            )
    return "\n".join([*lines, ""])


_FORMATS = {"ir": ("text", "json"), "cfg": ("text", "json", "svg", "html")}
"""What the flow IR and the control flow can be written as; graphs as anything."""


@dataclass(frozen=True)
class GraphPart:
    """The part of a program that is shown; all of it by default.

    Attributes
    ----------
    function : str, optional
        The name of a function, or of several.
    lines : tuple of int, optional
        The first and the last line.
    slice_at : tuple of (int, str or None), optional
        A line and perhaps a variable on it: everything on which they may depend.
    """

    function: str | None = None
    lines: tuple[int, int] | None = None
    slice_at: tuple[int, str | None] | None = None

    @property
    def words(self) -> str:
        """What is shown, for people; empty if that is everything.

        Examples
        --------
        >>> GraphPart(slice_at=(12, "total")).words
        'what total on line 12 may depend on'
        >>> GraphPart(function="main", lines=(3, 9)).words
        'function main, lines 3 to 9'
        """
        if self.slice_at is not None:
            line, variable = self.slice_at
            return f"what {f'{variable} on ' if variable else ''}line {line} may depend on"
        named = [f"function {self.function}"] if self.function is not None else []
        lined = ["lines {} to {}".format(*self.lines)] if self.lines is not None else []
        return ", ".join([*named, *lined])

    def of(self, graph: SemanticGraph) -> SemanticGraph:
        """The part of a graph; a slice is a graph of its own."""
        if self.function is not None:
            graph = graph.of_function(self.function)
        if self.lines is None:
            return graph
        part = graph.of_lines(*self.lines)
        if len(part) == 1:  # the root, which is on no line
            raise self.nothing_there()
        return part

    def nothing_there(self) -> CodekinError:
        """The error if no operation is on the lines."""
        where = f" of function {self.function}" if self.function is not None else ""
        return CodekinError("lines {} to {} have no operation{}".format(*self.lines or (), where))


_WHOLE = GraphPart()
_WITH_TREE = ("text", "svg", "html")
_TITLES = {"cfg": "control flow", "pdg": "program dependence", "semantic": "semantic graph"}


def export_graph(
    text: str | Source,
    language: str | Language | None = None,
    *,
    stage: str = "semantic",
    form: str = "text",
    function: str | None = None,
    lines: tuple[int, int] | None = None,
    slice_at: int | tuple[int, str | None] | None = None,
    tree: bool = False,
    name: str = "code",
    path: str | Path | None = None,
    **options: Any,
) -> str:
    r"""Write a program at a stage to its semantic graph, as ``codekin graph`` does.

    Parameters
    ----------
    text : str or Source
        The code.
    language : str or Language, optional
        Name or alias; detected by default. A Source has its own.
    stage : str
        ``"ir"``: the operations of the flow IR; ``"cfg"``: control flow; ``"pdg"``: dependence
        within functions; ``"semantic"``: the semantic graph.
    form : str
        ``"text"``, a listing; ``"svg"``, a picture; ``"html"``, a page; ``"json"``, ``"dot"`` or
        ``"graphml"``. The flow IR is written as text or json, control flow also as svg or html.
    function : str, optional
        Only the functions of this name.
    lines : (int, int), optional
        Only operations on the lines from the first to the second, both included.
    slice_at : int or (int, str), optional
        A line, or a line and a variable on it: only what they depend on.
    tree : bool
        With the syntax tree: above the listing, beside the picture, or as one more view of the
        page. The other formats have graphs alone.
    name : str
        What the listing or the page calls the code, such as its path.
    path : str or Path, optional
        A file to write to.
    **options
        As :func:`codekin.semantic_graph` takes them.

    Raises
    ------
    CodekinError
        If the stage cannot be written in this form, or the text has no such part.

    Examples
    --------
    >>> print(export_graph("if a:\n    b()\n", "python", stage="pdg"), end="")
    program dependence of code: 4 nodes; edges: 0 data, 2 control
    <BLANKLINE>
    <module>
         0 -> 1    control  <module>                       -> if a:
         1 -> 2    control  if a:                          -> b()
    """
    for what, given, known in (("stage", stage, STAGES), ("form", form, FORMS)):
        if given not in known:
            raise CodekinError(
                f"unknown {what} {given!r}{suggestion(given, known)} (known: {', '.join(known)})"
            )
    forms = _FORMATS.get(stage)
    if forms is not None and form not in forms:
        raise CodekinError(
            f"stage {stage} is written as {', '.join(forms[:-1])} or {forms[-1]}; {form} is for "
            "the stages pdg and semantic"
        )
    source = text if isinstance(text, Source) else Source(text, language)
    at = (slice_at, None) if isinstance(slice_at, int) else slice_at
    part = GraphPart(function, lines, at)
    _check_part(part, stage, form, tree)
    if form == "html":
        page = _page(source, name, stage, part, tree=tree, **options)
        return written_text(page, path)
    shown_text = _stage_text(source, name, stage, form, part, **options)
    if tree:
        shown_text = _with_tree(shown_text, _tree_of(source, part), name, stage, form)
    return written_text(shown_text, path)


def _stage_text(
    source: Source, name: str, stage: str, form: str, part: GraphPart, **options: Any
) -> str:
    if stage == "ir":
        ir = source.flow_ir
        if form == "json":
            return _arrays(ir)
        return _ir_listing(ir, source.data, name, _functions(ir, part))
    if stage == "cfg":
        return _control_flow(source, name, form, part, **options)
    return _GRAPH_FORMATS[form](_graph(source, stage, part, **options), name, stage)


def _graph(source: Source, stage: str, part: GraphPart, **options: Any) -> SemanticGraph:
    """The graph of a part of a program."""
    if part.slice_at is not None:
        graph = _slice(source, part.slice_at, **options)
    else:
        graph = part.of(semantic_graph(source, **options))
    return graph.within_functions() if stage == "pdg" else graph


def _page(
    source: Source, name: str, stage: str, part: GraphPart, *, tree: bool, **options: Any
) -> str:
    graph = _graph(source, stage, part, **options)
    faded = part.slice_at is not None
    return graph_page(graph, name, stage, part.words, faded=faded, tree=tree)


def _check_part(part: GraphPart, stage: str, output: str, tree: bool) -> None:
    if part.slice_at is not None and (part.function is not None or part.lines is not None):
        raise CodekinError("a slice follows dependence anywhere; leave function and lines out")
    if tree and output not in _WITH_TREE:
        raise CodekinError(
            f"the syntax tree is shown as {', '.join(_WITH_TREE[:-1])} or {_WITH_TREE[-1]}; "
            f"{output} has the graph alone"
        )
    if tree and part.slice_at is not None:
        raise CodekinError("a slice has no syntax tree of its own; leave one of the two out")
    if part.slice_at is not None and stage in _FORMATS:
        raise CodekinError(f"a slice is for the stages pdg and semantic, not {stage}")
    if part.lines is not None and stage == "ir":
        raise CodekinError(
            "lines are for the stages cfg, pdg and semantic; for ir, name a function"
        )
    if part != _WHOLE and stage in _FORMATS and output == "json":
        raise CodekinError(
            f"json has all arrays of the stage {stage}; leave function and lines out"
        )


def _tree_of(source: Source, part: GraphPart) -> SyntaxTree:
    """The syntax tree of a part of a program."""
    spans: list[tuple[int, int]] | None = None
    if part.function is not None:
        ir = source.flow_ir
        entries = [int(ir.function_first_operation[number]) for number in _functions(ir, part)]
        spans = [(int(ir.start[entry]), int(ir.end[entry])) for entry in entries]
    if part.lines is not None:
        first, last = _checked_lines(source.data, part.lines)
        starts = [0, *(match.end() for match in re.finditer(b"\n", source.data)), len(source.data)]
        low, high = starts[first - 1], starts[last]
        spans = [(max(low, start), min(high, end)) for start, end in spans or [(low, high)]]
    return syntax_tree(source, spans)


def _with_tree(graph: str, tree: SyntaxTree, name: str, stage: str, output: str) -> str:
    """The syntax tree, and the listing or the picture of a stage."""
    if output == "text":
        return f"{tree.listing(name)}\n{graph}"
    drawn = tree.shallow()
    pictures = [("syntax tree", drawn.svg()), (_TITLES[stage], graph.rstrip("\n"))]
    return beside(pictures, picture_style(TREE_STYLE), drawn.notes) + "\n"


def _slice(source: Source, at: tuple[int, str | None], **options: Any) -> SemanticGraph:
    if options.pop("preset", None) is not None:
        raise CodekinError("a slice has conventions of its own; leave preset out")
    return program_slice(source, *at, **options)


def _functions(ir: FlowIR, part: GraphPart) -> list[int]:
    """The numbers of the functions that are shown."""
    names = [ir.string(name) for name in ir.function_name.tolist()]
    if part.function is None:
        return list(range(len(names)))
    return named_functions(part.function, dict(enumerate(names)))


def _control_flow(source: Source, name: str, output: str, part: GraphPart, **options: Any) -> str:
    if output == "svg":
        graph, words = flow_graph(source.flow_ir, language=source.language.name, text=source.data)
        kept, words = labelled_part(graph, words, part.of(graph))
        return flow_svg(shown(kept), words, picture_style()) + "\n"
    flow = program_flow(source.flow_ir, **options)
    if output == "json":
        return _arrays(flow)
    return _control_flow_listing(source.flow_ir, flow, source.data, name, part)


def _listed(graph: SemanticGraph, name: str, stage: str) -> str:
    return (_dependence_listing if stage == "pdg" else _graph_listing)(graph, name)


_GRAPH_FORMATS: dict[str, Callable[[SemanticGraph, str, str], str]] = {
    "text": _listed,
    "svg": lambda graph, name, stage: graph.to_svg(),
    "json": lambda graph, name, stage: _json(graph.to_json()),
    "dot": lambda graph, name, stage: graph.to_dot(),
    "graphml": lambda graph, name, stage: graph.to_graphml(),
}


def _arrays(value: Any) -> str:
    """A dataclass of arrays as JSON."""
    return _json({one.name: _plain(getattr(value, one.name)) for one in fields(value)})


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def _json(document: Any) -> str:
    """JSON that stays ASCII, so that no terminal or pipe can spoil it."""
    return json.dumps(document, indent=2, ensure_ascii=True, allow_nan=False) + "\n"
