"""Two semantic graphs drawn together, as they were matched."""

from __future__ import annotations

from codekin.measures.graph_match import GraphMatch
from codekin.report.figures import count_text
from codekin.report.graph.detail import Shown
from codekin.report.graph.layout import lay_out
from codekin.report.graph.merged import BOTH, CANDIDATE, REFERENCE, MergedGraph, merge_graphs
from codekin.report.graph.svg import Marks, drawing_svg, page_style, picture_style
from codekin.represent.graph.parts import EdgeKind

__all__ = ["MEANINGS", "merged_svg", "pair_style", "pair_svg"]

_WORDS = {BOTH: "shared", CANDIDATE: "candidate", REFERENCE: "reference"}
_SIGNS = {"candidate": "\N{MINUS SIGN}", "reference": "+"}
MEANINGS = {
    "shared": "in both",
    "candidate": "only in the candidate",
    "reference": "only in the reference",
}
"""What the words mean that nodes and edges are marked with."""
_RULES = """\
.sg .plain { opacity: .5; }
.sg .grounds { opacity: .3; }
.sg .edge.candidate, .sg .edge.reference { stroke-width: 1.8; }
.sg .ground { fill: none; stroke-width: 8; stroke-linecap: round; }
.sg .ground.candidate { stroke: $candidate; }
.sg .ground.reference { stroke: $reference; }
.sg .node.candidate rect { fill: $candidate-ground; stroke: $candidate; stroke-width: 2; }
.sg .node.candidate rect { stroke-dasharray: 6 3; }
.sg .node.reference rect { fill: $reference-ground; stroke: $reference; stroke-width: 2.6; }
.sg .node.candidate .label, .sg .node.reference .label { fill: $ink; }
.sg .sign circle { fill: $surface; stroke-width: 1.4; }
.sg .sign text { font-size: 12px; font-weight: 700; text-anchor: middle; }
.sg .sign.candidate circle { stroke: $candidate; }
.sg .sign.candidate text { fill: $candidate; }
.sg .sign.reference circle { stroke: $reference; }
.sg .sign.reference text { fill: $reference; }
.sg .open-tip-control { fill: none; stroke: $control; stroke-width: 1.6; }
.sg .other { font-style: italic; }
"""


def pair_svg(match: GraphMatch) -> str:
    """One picture of two graphs: what both have, and what one alone has.

    Of graphs with more than 260 nodes together, what differs and stands beside it is drawn; the
    picture says so.
    """
    return merged_svg(merge_graphs(match), match, picture_style(_RULES), legend=True)


def pair_style() -> str:
    """The style of such a picture inside a page."""
    return page_style(_RULES)


def merged_svg(
    merged: MergedGraph, match: GraphMatch, style: str = "", *, legend: bool = False
) -> str:
    """The picture of a merged graph, with a style inside it and a legend, or without."""
    graph = merged.graph
    choice = Shown(graph, tuple(sorted(set(graph.function.tolist()) - {-1})), merged.notes)
    drawing = lay_out(graph, choice.functions, merged.captions, merged.edge_side)
    counts = match.counts
    marks = Marks(
        {node: _WORDS[side] for node, side in enumerate(merged.node_side)},
        {
            (edge.source, edge.target, EdgeKind(edge.kind)): _WORDS[side]
            for edge, side in zip(graph.edges(), merged.edge_side, strict=True)
        },
        _SIGNS,
        f"Two semantic graphs over each other: {count_text(counts['matched_nodes'], 'node')} and "
        f"{count_text(counts['preserved_edges'], 'edge')} in both",
        tuple((word, MEANINGS[word]) for word in _SIGNS) if legend else (),
    )
    return drawing_svg(choice, drawing, style, marks)
