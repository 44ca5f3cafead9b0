"""An overview of a large program: its functions, and which calls which."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass
from html import escape

import numpy as np

from codekin.plain_text import plain
from codekin.report.graph.captions import Caption, function_caption
from codekin.report.graph.drawing import Link, lay_out_links
from codekin.report.graph.svg import arrow_head
from codekin.represent.flow.flow_ir import OperationKind
from codekin.represent.graph.parts import EdgeKind
from codekin.represent.graph.semantic_graph import SemanticGraph
from codekin.results import count_text

__all__ = ["CallGraph", "call_graph", "call_graph_svg"]

MOST_FUNCTIONS = 120
"""More functions than that are not drawn, but those that call or are called most."""


@dataclass(frozen=True)
class CallGraph:
    """Functions and the calls between them.

    Attributes
    ----------
    functions : dict of int to (str, int)
        The names of the functions and the lines where they begin, by their numbers.
    calls : dict of (int, int) to int
        By the numbers of the caller and the called function: how many calls.
    """

    functions: dict[int, tuple[str, int]]
    calls: dict[tuple[int, int], int]


def call_graph(graph: SemanticGraph) -> CallGraph:
    r"""The functions of a graph and the calls between them.

    Examples
    --------
    >>> from codekin import semantic_graph
    >>> code = "def f(x):\n    return g(x) + g(1)\n\ndef g(x):\n    return x\n"
    >>> call_graph(semantic_graph(code, "python"))
    CallGraph(functions={1: ('f', 1), 2: ('g', 4)}, calls={(1, 2): 2})
    """
    entries = np.flatnonzero(graph.kind == OperationKind.ENTRY).tolist()
    functions = {
        int(graph.function[node]): (graph.functions[graph.function[node]], int(graph.lines[node]))
        for node in entries
    }
    called = graph.edge_kind == EdgeKind.CALL
    pairs = zip(
        graph.function[graph.source[called]].tolist(),
        graph.function[graph.target[called]].tolist(),
        strict=True,
    )
    return CallGraph(functions, dict(sorted(Counter(pairs).items())))


def call_graph_svg(calls: CallGraph) -> tuple[str, tuple[str, ...]]:
    """The picture of a call graph, and what it leaves out.

    Functions without calls are not drawn, nor are those with few calls if there are many.

    Parameters
    ----------
    calls : CallGraph

    Returns
    -------
    svg : str
        Every node has the number of its function.
    notes : tuple of str
    """
    near: dict[int, list[int]] = {}
    for caller, called in calls.calls:
        near.setdefault(caller, []).append(called)
        near.setdefault(called, []).append(caller)
    alone = len(calls.functions) - len(near)
    drawn = _callers_first(calls, _together(near, MOST_FUNCTIONS))
    notes = []
    if left := len(near) - len(drawn):
        notes.append(
            f"{count_text(len(drawn), 'function')} that call each other are drawn; "
            f"{left:,} others with calls are only in the list."
        )
    if alone:
        notes.append(
            f"Only in the list: {count_text(alone, 'function')} without calls to or from others."
        )
    captions = [function_caption(*calls.functions[f]) for f in drawn]
    place = {f: i for i, f in enumerate(drawn)}
    links = [
        Link(place[caller], place[called])
        for caller, called in calls.calls
        if caller in place and called in place
    ]
    laid = lay_out_links(captions, links)
    edges = "".join(
        f'<path class="edge call" data-edge="{drawn[link.source]} {drawn[link.target]}" '
        f'd="{path}" marker-{"start" if back else "end"}="url(#sg-call)"/>'
        for link, (path, back) in zip(links, laid.paths, strict=True)
    )
    nodes = "".join(
        _node(f, caption, x, y)
        for f, caption, (x, y) in zip(drawn, captions, laid.places, strict=True)
    )
    said = f"Call graph of {count_text(len(drawn), 'function')}"
    width, height = laid.width + 4, laid.height + 4
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="sg calls" width="{width:.0f}" '
        f'height="{height:.0f}" viewBox="-2 -2 {width:.0f} {height:.0f}" role="img" '
        f'aria-label="{said}"><defs>{arrow_head(EdgeKind.CALL)}</defs>{edges}{nodes}</svg>'
    )
    return svg, tuple(notes)


def _together(near: dict[int, list[int]], most: int) -> set[int]:
    """Functions that are joined by calls, from the one with the most neighbours on."""
    chosen: set[int] = set()
    for start in sorted(near, key=lambda f: (-len(near[f]), f)):
        waiting = deque([] if start in chosen else [start])
        while waiting and len(chosen) < most:
            function = waiting.popleft()
            if function not in chosen:
                chosen.add(function)
                waiting += near[function]
    # One that was added last may have lost all its neighbours.
    return {f for f in chosen if any(other in chosen for other in near[f])}


def _callers_first(calls: CallGraph, chosen: set[int]) -> list[int]:
    """Functions in an order in which callers precede what they call, apart from cycles."""
    below: dict[int, list[int]] = {f: [] for f in sorted(chosen)}
    for caller, called in calls.calls:
        if caller in chosen and called in chosen:
            below[caller].append(called)
    called_ones = {called for caller, ones in below.items() for called in ones if called != caller}
    done: dict[int, None] = {}
    entered: set[int] = set()
    for start in [*(f for f in below if f not in called_ones), *below]:
        waiting = [(start, False)]
        while waiting:
            function, left = waiting.pop()
            if left:
                done.setdefault(function)
            elif function not in entered:
                entered.add(function)
                waiting.append((function, True))
                waiting += [(other, False) for other in reversed(below[function])]
    return list(done)[::-1]


def _node(function: int, caption: Caption, x: float, y: float) -> str:
    left = x - caption.width / 2
    shown = escape(plain(caption.label))
    return (
        f'<g class="node call" data-node="{function}"><rect x="{left:.1f}" y="{y:.1f}" '
        f'width="{caption.width:.1f}" height="{caption.height:.1f}" rx="7"/>'
        f'<text class="label" x="{x:.1f}" y="{y + 16:.1f}">{shown}</text>'
        f'<text class="code" x="{x:.1f}" y="{y + 30:.1f}">{escape(caption.code)}</text></g>'
    )
