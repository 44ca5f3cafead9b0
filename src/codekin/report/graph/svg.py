"""A semantic graph as SVG: one picture that needs nothing else, light or dark as its reader is."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from codekin.report.figures import count_text
from codekin.report.graph.choice import Shown, shown
from codekin.report.graph.layout import Drawing, Frame, PlacedNode, Route, lay_out
from codekin.report.side_by_side import visible
from codekin.represent.semantic_graph import EdgeKind, SemanticGraph

__all__ = ["COLOURS", "drawing_svg", "graph_svg", "page_style"]

COLOURS = {
    "paper": ("#fbfaf7", "#121416"),
    "surface": ("#ffffff", "#1a1d20"),
    "ink": ("#1c2024", "#e6e8ea"),
    "soft": ("#565d64", "#a3abb2"),
    "line": ("#c9c4b8", "#444b51"),
    "frame": ("#f6f4ef", "#16191b"),
    "data": ("#0f8593", "#45b3c2"),
    "control": ("#c2622f", "#e08e5e"),
    "call": ("#6a4fa3", "#a98fe0"),
    "root": ("#9aa0a6", "#7b8288"),
    "predicate": ("#fbeadf", "#3a2a20"),
    "called": ("#ece7f7", "#2b2540"),
    "entry": ("#1c2024", "#e6e8ea"),
    "on-entry": ("#ffffff", "#121416"),
}
"""The colours by their names, for light and for dark."""
_FONT = "ui-monospace, 'SF Mono', 'JetBrains Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"
_RULES = """\
.sg { font-family: FONT; }
.sg .frame rect { fill: $frame; stroke: $line; }
.sg .frame text { fill: $soft; font-size: 12px; font-weight: 600; }
.sg .node rect { fill: $surface; stroke: $line; }
.sg .node text { text-anchor: middle; }
.sg .label { fill: $ink; font-size: 12px; font-weight: 600; }
.sg .code { fill: $soft; font-size: 10.5px; }
.sg .note { fill: $ink; font-size: 12px; }
.sg .predicate rect { fill: $predicate; stroke: $control; }
.sg .call rect { fill: $called; stroke: $call; }
.sg .entry rect, .sg .root rect { fill: $entry; stroke: $entry; }
.sg .entry .label, .sg .root .label { fill: $on-entry; }
.sg .entry .code { fill: $on-entry; }
.sg .edge { fill: none; stroke-width: 1.3; }
.sg .edge.data { stroke: $data; }
.sg .edge.control { stroke: $control; }
.sg .edge.call { stroke: $call; stroke-dasharray: 6 3; }
.sg .edge.root { stroke: $root; stroke-dasharray: 2 3; }
.sg .tip-data { fill: $data; }
.sg .tip-control { fill: $control; }
.sg .tip-call { fill: $call; }
.sg .tip-root { fill: $root; }
"""


def graph_svg(graph: SemanticGraph) -> str:
    """A picture of a graph.

    Graphs of more than 400 nodes are drawn by statements, and of those with more than 400 the
    functions that come first; the picture says so.
    """
    choice = shown(graph)
    drawing = lay_out(choice.graph, choice.functions)
    light, dark = _style(0), "".join(f"  {line}\n" for line in _style(1).splitlines())
    style = f"{light}@media (prefers-color-scheme: dark) {{\n{dark}}}\n"
    return drawing_svg(choice, drawing, style)


def _style(side: int) -> str:
    colours = {name: both[side] for name, both in COLOURS.items()}
    return f".sg {{ background: {colours['paper']}; }}\n{_filled(colours)}"


def page_style() -> str:
    """The style of a picture inside a page, whose reader may switch between light and dark."""
    return _filled({name: f"light-dark({a}, {b})" for name, (a, b) in COLOURS.items()})


def _filled(colours: dict[str, str]) -> str:
    rules = _RULES.replace("FONT", _FONT)
    for name in sorted(colours, key=len, reverse=True):
        rules = rules.replace(f"${name}", colours[name])
    return rules


def drawing_svg(choice: Shown, drawing: Drawing, style: str = "") -> str:
    """The picture of a drawing, with a style inside it or without."""
    note = 22.0 * len(choice.notes)
    width, height = drawing.width + 4, drawing.height + 4 + note
    graph = choice.graph
    told = (
        f"Semantic graph with {count_text(len(graph), 'node')} and "
        f"{count_text(len(graph.source), 'edge')}"
    )
    body = "".join(
        (
            f"<defs>{''.join(map(_tip, EdgeKind))}</defs>",
            _edges(r for r in drawing.routes if r.kind is EdgeKind.ROOT),
            "".join(map(_frame, drawing.frames)),
            _edges(r for r in drawing.routes if r.kind is not EdgeKind.ROOT),
            "".join(_node(graph, node) for node in drawing.nodes),
            *(
                f'<text class="note" x="4" y="{drawing.height + 20 + 22 * i:.1f}">{one}</text>'
                for i, one in enumerate(map(escape, choice.notes))
            ),
        )
    )
    inside = f"<style>{style}</style>" if style else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="sg" width="{width:.0f}" '
        f'height="{height:.0f}" viewBox="-2 -2 {width:.0f} {height:.0f}" role="img" '
        f'aria-label="{escape(told)}">{inside}{body}</svg>'
    )


def _tip(kind: EdgeKind) -> str:
    name = kind.name.lower()
    return (
        f'<marker id="sg-{name}" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="7" '
        f'markerHeight="7" markerUnits="userSpaceOnUse" orient="auto-start-reverse">'
        f'<path class="tip-{name}" d="M0 0.8L8 4L0 7.2z"/></marker>'
    )


def _frame(frame: Frame) -> str:
    return (
        f'<g class="frame" data-function="{frame.function}"><rect x="{frame.x:.1f}" '
        f'y="{frame.y:.1f}" width="{frame.width:.1f}" height="{frame.height:.1f}" rx="10"/>'
        f'<text x="{frame.x + 14:.1f}" y="{frame.y + 20:.1f}">{_shown_text(frame.name)}</text></g>'
    )


def _edges(routes: Iterable[Route]) -> str:
    return "".join(map(_edge, routes))


def _edge(route: Route) -> str:
    kind = route.kind.name.lower()
    end = "start" if route.reverse else "end"
    return (
        f'<path class="edge {kind}" data-edge="{route.source} {route.target}" d="{route.path}" '
        f'marker-{end}="url(#sg-{kind})"/>'
    )


def _node(graph: SemanticGraph, placed: PlacedNode) -> str:
    node, caption = graph.node(placed.index), placed.caption
    x, y = placed.x - caption.width / 2, placed.y
    first = y + (16 if caption.code else 17)
    lines = f'<text class="label" x="{placed.x:.1f}" y="{first:.1f}">{escape(caption.label)}</text>'
    if caption.code:
        lines += (
            f'<text class="code" x="{placed.x:.1f}" y="{y + 30:.1f}">{escape(caption.code)}</text>'
        )
    decides = "predicate " if _decides(graph, placed.index) else ""
    return (
        f'<g class="node {decides}{node.kind}" data-node="{placed.index}"><rect x="{x:.1f}" '
        f'y="{y:.1f}" width="{caption.width:.1f}" height="{caption.height:.1f}" rx="7"/>{lines}</g>'
    )


def _decides(graph: SemanticGraph, index: int) -> bool:
    """Whether anything is control dependent on a node that is no entry."""
    if graph.node(index).kind in ("root", "entry"):
        return False
    return bool(((graph.source == index) & (graph.edge_kind == EdgeKind.CONTROL)).any())


def _shown_text(text: str) -> str:
    return escape(text if text.isprintable() else "".join(map(visible, text)))
