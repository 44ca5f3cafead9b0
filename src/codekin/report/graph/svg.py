"""A semantic graph as SVG: one picture that needs nothing else, light or dark as its reader is."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import escape

from codekin.errors import CodekinError
from codekin.plain_text import plain
from codekin.report.graph.captions import Caption
from codekin.report.graph.detail import Shown, shown
from codekin.report.graph.drawing import Drawing, Frame, PlacedNode, Route, lay_out
from codekin.represent.flow.flow_ir import OperationKind
from codekin.represent.graph.flow_graph import EdgeLabels, branch_labels
from codekin.represent.graph.parts import ROOT, EdgeKind
from codekin.represent.graph.semantic_graph import SemanticGraph
from codekin.results import count_text
from codekin.source import Source

__all__ = [
    "COLOURS",
    "Marks",
    "arrow_head",
    "caption_texts",
    "drawing_svg",
    "flow_svg",
    "graph_svg",
    "labelled_svg",
    "page_style",
    "picture_style",
]

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
    "candidate": ("#b03a6b", "#f08fb8"),
    "candidate-ground": ("#fbe6ef", "#4a2035"),
    "reference": ("#3d7a31", "#8fd07f"),
    "reference-ground": ("#e4f3df", "#1f3d1a"),
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
.sg .branch { fill: $control; font-size: 10px; font-weight: 600; }
.sg .branch { paint-order: stroke; stroke: $frame; stroke-width: 3px; }
.sg .tip-data { fill: $data; }
.sg .tip-control { fill: $control; }
.sg .tip-call { fill: $call; }
.sg .tip-root { fill: $root; }
"""


@dataclass(frozen=True)
class Marks:
    """Words that nodes and edges of a picture carry, for its style; drawn beside them is a sign.

    Attributes
    ----------
    nodes : mapping of int to str
        By the node's number.
    edges : mapping of (int, int, EdgeKind) to str
    signs : mapping of str to str
        For words that have one.
    description : str
        What the picture is, for those who do not see it.
    legend : tuple of (str, str)
        Words with signs and what they mean, written below the picture.
    branches : mapping of (int, int) to str
        What is written where control edges leave their nodes: the outcome of a test.
    deciding : set of int, optional
        The nodes that decide what runs; by default those on which others are control dependent.
    """

    nodes: Mapping[int, str] = field(default_factory=dict)
    edges: Mapping[tuple[int, int, EdgeKind], str] = field(default_factory=dict)
    signs: Mapping[str, str] = field(default_factory=dict)
    description: str = ""
    legend: tuple[tuple[str, str], ...] = ()
    branches: EdgeLabels = field(default_factory=dict)
    deciding: frozenset[int] | None = None


_NO_MARKS = Marks()


def graph_svg(graph: SemanticGraph) -> str:
    """A picture of a graph.

    Graphs of more than 400 nodes are drawn by statements, and of those with more than 400 the
    functions that come first; the picture says so.
    """
    return labelled_svg(shown(graph), picture_style())


def labelled_svg(choice: Shown, style: str = "", branches: EdgeLabels | None = None) -> str:
    """The picture of what is shown of a graph, with the outcomes of tests at its edges.

    Parameters
    ----------
    choice : Shown
    style : str
        As for :func:`drawing_svg`.
    branches : dict, optional
        The outcomes; found in the code of the graph by default.
    """
    graph = choice.graph
    found = graph_branches(graph) if branches is None else branches
    return _labelled(choice, style, Marks(branches=found))


def flow_svg(choice: Shown, branches: EdgeLabels, style: str = "") -> str:
    """The picture of what is shown of a control-flow graph.

    Parameters
    ----------
    choice : Shown
        Of a graph that :func:`~codekin.represent.graph.flow_graph.flow_graph` made.
    branches : dict
        What it made with it.
    style : str
        As for :func:`drawing_svg`.
    """
    graph = choice.graph
    edges = count_text(int((graph.edge_kind == EdgeKind.CONTROL).sum()), "edge")
    said = f"Control flow with {count_text(len(graph), 'node')} and {edges}"
    deciding = frozenset(source for source, _ in branches)
    return _labelled(choice, style, Marks(branches=branches, deciding=deciding, description=said))


def _labelled(choice: Shown, style: str, marks: Marks) -> str:
    graph, found = choice.graph, marks.branches
    words = sorted(set(found.values()))
    edges = zip(graph.source.tolist(), graph.target.tolist(), strict=True)
    # Edges of different outcomes leave a test apart from each other.
    strands = [words.index(found[edge]) + 1 if edge in found else 0 for edge in edges]
    drawing = lay_out(graph, choice.functions, strands=strands)
    return drawing_svg(choice, drawing, style, marks)


def graph_branches(graph: SemanticGraph) -> EdgeLabels:
    """The outcomes of tests by the control edges of a graph; none if its code is not known."""
    if not graph.language:
        return {}
    text = graph.data.decode("utf-8", "surrogatepass")
    try:
        return branch_labels(graph, Source(text, graph.language).flow_ir)
    except CodekinError:  # a graph that was read may name any language
        return {}


def picture_style(more: str = "") -> str:
    """The style of a picture that stands alone: light or dark as its reader is.

    Parameters
    ----------
    more : str
        Further rules; names of :data:`COLOURS` after a ``$`` are filled in.
    """
    light, dark = _style(0, more), "".join(f"  {line}\n" for line in _style(1, more).splitlines())
    return f"{light}@media (prefers-color-scheme: dark) {{\n{dark}}}\n"


def _style(side: int, more: str) -> str:
    colours = {name: both[side] for name, both in COLOURS.items()}
    return f".sg {{ background: {colours['paper']}; }}\n{_filled(colours, more)}"


def page_style(more: str = "") -> str:
    """The style of a picture inside a page, whose reader may switch between light and dark."""
    return _filled({name: f"light-dark({a}, {b})" for name, (a, b) in COLOURS.items()}, more)


def _filled(colours: dict[str, str], more: str) -> str:
    rules = _RULES.replace("FONT", _FONT) + more
    for name in sorted(colours, key=len, reverse=True):
        rules = rules.replace(f"${name}", colours[name])
    return rules


def drawing_svg(choice: Shown, drawing: Drawing, style: str = "", marks: Marks = _NO_MARKS) -> str:
    """The picture of a drawing, with a style inside it or without."""
    graph, bottom = choice.graph, drawing.height
    deciding = _deciding(graph) if marks.deciding is None else marks.deciding
    legend = _legend(marks, bottom + 10) if marks.legend else ""
    wide, high = _LEGEND_SIZE if legend else (0.0, 0.0)
    bottom += (high + _LINE * len(marks.legend)) if legend else 0
    left, right = _reach(drawing, marks)
    width = max(right, wide) - left + 4
    height = bottom + 4 + _LINE * len(choice.notes)
    description = marks.description or (
        f"Semantic graph with {count_text(len(graph), 'node')} and "
        f"{count_text(len(graph.source), 'edge')}"
    )
    body = "".join(
        (
            f"<defs>{''.join(arrow_head(kind, marks) for kind in EdgeKind)}</defs>",
            _edges((r for r in drawing.routes if r.kind is EdgeKind.ROOT), marks),
            "".join(map(_frame, drawing.frames)),
            _edges((r for r in drawing.routes if r.kind is not EdgeKind.ROOT), marks),
            "".join(_node(graph, node, marks, deciding) for node in drawing.nodes),
            _branches(drawing.routes, marks.branches),
            legend,
            *(
                f'<text class="note" x="4" y="{bottom + 20 + _LINE * i:.1f}">{one}</text>'
                for i, one in enumerate(map(escape, choice.notes))
            ),
        )
    )
    inside = f"<style>{style}</style>" if style else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="sg" width="{width:.0f}" '
        f'height="{height:.0f}" viewBox="{left - 2:.0f} -2 {width:.0f} {height:.0f}" role="img" '
        f'aria-label="{escape(description)}">{inside}{body}</svg>'
    )


def _reach(drawing: Drawing, marks: Marks) -> tuple[float, float]:
    """From where to where a picture reaches: curves may bend beyond the nodes, with their signs."""
    left, right = 0.0, drawing.width
    for route in drawing.routes:
        sign = marks.edges.get((route.source, route.target, route.kind), "") in marks.signs
        room = 8 if sign else 2
        x, _ = _middle(route.path)
        left, right = min(left, math.floor(x - room + 2)), max(right, math.ceil(x + room - 2))
    return left, right


_LINE = 22.0
_LEGEND_SIZE = 218.0, 30.0
_KINDS_SHOWN = ((EdgeKind.DATA, 0), (EdgeKind.CONTROL, 66), (EdgeKind.CALL, 152))


def _legend(marks: Marks, top: float) -> str:
    """What the kinds of edges and the signs mean."""
    lines = [
        f'<path class="edge {kind.name.lower()}" d="M{x + 4} {top + 4:.1f}h20" '
        f'marker-end="url(#sg-{kind.name.lower()})"/>'
        f'<text class="note" x="{x + 29}" y="{top + 8:.1f}">{kind.name.lower()}</text>'
        for kind, x in _KINDS_SHOWN
    ]
    for i, (word, meaning) in enumerate(marks.legend, 1):
        y = top + 4 + _LINE * i
        lines.append(_sign(14, y, word, marks.signs[word]))
        lines.append(f'<text class="note" x="29" y="{y + 4:.1f}">{escape(meaning)}</text>')
    return "".join(lines)


def arrow_head(kind: EdgeKind, marks: Marks = _NO_MARKS) -> str:
    """The head of an arrow; where colours say something else too, that of control is open."""
    name = kind.name.lower()
    is_open = bool(marks.signs) and kind is EdgeKind.CONTROL
    shape = ("open-", "M0.8 0.8L7.2 4L0.8 7.2") if is_open else ("", "M0 0.8L8 4L0 7.2z")
    return (
        f'<marker id="sg-{name}" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="7" '
        f'markerHeight="7" markerUnits="userSpaceOnUse" orient="auto-start-reverse">'
        f'<path class="{shape[0]}tip-{name}" d="{shape[1]}"/></marker>'
    )


def _frame(frame: Frame) -> str:
    return (
        f'<g class="frame" data-function="{frame.function}"><rect x="{frame.x:.1f}" '
        f'y="{frame.y:.1f}" width="{frame.width:.1f}" height="{frame.height:.1f}" rx="10"/>'
        f'<text x="{frame.x + 14:.1f}" y="{frame.y + 20:.1f}">'
        f"{escape(plain(frame.name))}</text></g>"
    )


def _edges(routes: Iterable[Route], marks: Marks) -> str:
    """Edges; those whose mark has a sign lie above the others, on a ground of their own."""
    drawn = [(marks.edges.get((r.source, r.target, r.kind), ""), r) for r in routes]
    unmarked = "".join(_edge(route, mark) for mark, route in drawn if mark not in marks.signs)
    marked = [(mark, route) for mark, route in drawn if mark in marks.signs]
    if not marks.signs:
        return unmarked
    grounds = [
        "".join(_path("ground", route, word) for mark, route in marked if mark == word)
        for word in marks.signs
    ]
    return "".join(
        (
            f'<g class="plain">{unmarked}</g>',
            *(f'<g class="grounds">{ground}</g>' for ground in grounds if ground),
            *(_edge(route, mark) for mark, route in marked),
            *(_edge_sign(route, mark, marks.signs[mark]) for mark, route in marked),
        )
    )


def _path(what: str, route: Route, mark: str, more: str = "") -> str:
    words = " ".join(filter(None, (what, route.kind.name.lower(), mark)))
    ends = f"{route.source} {route.target}"
    return f'<path class="{words}" data-edge="{ends}" d="{route.path}"{more}/>'


def _edge(route: Route, mark: str) -> str:
    end = "start" if route.reverse else "end"
    return _path("edge", route, mark, f' marker-{end}="url(#sg-{route.kind.name.lower()})"')


def _edge_sign(route: Route, mark: str, sign: str) -> str:
    about = f' data-edge="{route.source} {route.target}"'
    return _sign(*_middle(route.path), f"{route.kind.name.lower()} {mark}", sign, about)


def _sign(x: float, y: float, words: str, sign: str, more: str = "") -> str:
    return (
        f'<g class="sign {words}"{more}><circle cx="{x:.1f}" cy="{y:.1f}" r="6.5"/>'
        f'<text x="{x:.1f}" y="{y + 4:.1f}">{escape(sign)}</text></g>'
    )


def _branches(routes: Iterable[Route], words: EdgeLabels) -> str:
    """The outcomes of tests, where their edges leave; once where edges leave together."""
    leaving: dict[int, dict[tuple[float, float], str]] = {}
    for route in routes if words else ():
        word = words.get((route.source, route.target), "")
        if route.kind is EdgeKind.CONTROL and route.source != route.target:
            points = _POINTS.findall(route.path)
            x, y = map(float, points[-1 if route.reverse else 0].split()[-2:])
            at = (x, y - 5) if route.reverse else (x, y + 11)
            near = leaving.setdefault(route.source, {})
            near[at] = near.get(at, "") or word
    written = []
    for places in leaving.values():
        # The leftmost is written to the left of its edge, so that words stay apart.
        for i, ((x, y), word) in enumerate(sorted(places.items())):
            if not word:
                continue
            left = i == 0 and len(places) > 1
            anchor, away = ("end", -4) if left else ("start", 4)
            written.append(
                f'<text class="branch" text-anchor="{anchor}" x="{x + away:.1f}" '
                f'y="{y:.1f}">{escape(word)}</text>'
            )
    return "".join(written)


_POINTS = re.compile(r"[MC]([-\d. ]+)")
_PIECE = re.compile(r"([MCV])([-\d. ]+)")


def _middle(path: str) -> tuple[float, float]:
    """The middle of the longest piece of a path that the layout made."""
    x = y = 0.0
    longest, found = -1.0, (x, y)
    for command, given in _PIECE.findall(path):
        numbers = [float(one) for one in given.split()]
        if command == "M":
            x, y = found = numbers[0], numbers[1]
            continue
        *bends, to, end = numbers if command == "C" else (x, numbers[0])
        middle = (x + to) / 2, (y + end) / 2
        if bends:  # of a cubic curve
            middle = (
                (x + 3 * (bends[0] + bends[2]) + to) / 8,
                (y + 3 * (bends[1] + bends[3]) + end) / 8,
            )
        if math.hypot(to - x, end - y) > longest:
            longest, found = math.hypot(to - x, end - y), middle
        x, y = to, end
    return found


def _node(graph: SemanticGraph, placed: PlacedNode, marks: Marks, deciding: frozenset[int]) -> str:
    node, caption = graph.node(placed.index), placed.caption
    x, y = placed.x - caption.width / 2, placed.y
    written = caption_texts(caption, placed.x, y)
    mark = marks.nodes.get(placed.index, "")
    words = " ".join(
        filter(None, ("predicate" if placed.index in deciding else "", node.kind, mark))
    )
    sign = _sign(x + 3, y + 3, mark, marks.signs[mark]) if mark in marks.signs else ""
    return (
        f'<g class="node {words}" data-node="{placed.index}"><rect x="{x:.1f}" '
        f'y="{y:.1f}" width="{caption.width:.1f}" height="{caption.height:.1f}" rx="7"/>'
        f"{written}{sign}</g>"
    )


def caption_texts(caption: Caption, middle: float, top: float) -> str:
    """The lines on a node."""
    lines = [("label", caption.label, top + (16 if caption.code else 17))]
    lines += [("code", caption.code, top + 30)] if caption.code else []
    lines += [("code other", caption.other, top + 43)] if caption.other else []
    return "".join(
        f'<text class="{kind}" x="{middle:.1f}" y="{at:.1f}">{escape(text)}</text>'
        for kind, text, at in lines
    )


def _deciding(graph: SemanticGraph) -> frozenset[int]:
    """The nodes, without the root and entries, on which others are control dependent."""
    sources = graph.source[graph.edge_kind == EdgeKind.CONTROL]
    kinds = graph.kind[sources]
    return frozenset(sources[(kinds != ROOT) & (kinds != OperationKind.ENTRY)].tolist())
