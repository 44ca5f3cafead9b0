"""The syntax tree of a program, as a listing and as a picture beside its graph."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape

import numpy as np

from codekin.plain_text import plain_line
from codekin.report.graph.captions import Caption, syntax_caption
from codekin.report.graph.detail import MOST_NODES
from codekin.report.graph.svg import caption_texts
from codekin.represent.graph.export import excerpt
from codekin.represent.text.comments import comment_nodes
from codekin.represent.tree.named_tree import named_tree
from codekin.results import count_text
from codekin.source import Source

__all__ = ["TREE_STYLE", "SyntaxTree", "beside", "syntax_tree"]

TREE_STYLE = ".sg .edge.syntax { stroke: $soft; }\n"
"""What a picture with a tree needs beside the style of graphs."""

_GAP, _LEVEL = 14.0, 66.0
"""Between neighbours, and from one level to the next."""
_HEAD, _APART = 30.0, 40.0
"""Above the two pictures, and between them."""
_CODE = 50


@dataclass(frozen=True, eq=False)
class SyntaxTree:
    """The named nodes of a syntax tree, or of a part of it, in depth-first order.

    Attributes
    ----------
    source : Source
    nodes : tuple of int
        Their places in the flat tree of the source.
    parents : tuple of int
        The index of each node's parent, or -1.
    hidden : tuple of int
        How many nodes below each are left out of a picture.
    notes : tuple of str
        What is left out, for the reader.
    """

    source: Source
    nodes: tuple[int, ...]
    parents: tuple[int, ...]
    hidden: tuple[int, ...]
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.nodes)

    @cached_property
    def depths(self) -> list[int]:
        """The level of each node, from 0."""
        depths: list[int] = []
        for parent in self.parents:
            depths.append(depths[parent] + 1 if parent >= 0 else 0)
        return depths

    @cached_property
    def _inner(self) -> set[int]:
        return set(self.parents)

    def _text(self, index: int) -> str:
        """The code of a leaf; empty for other nodes."""
        if index in self._inner or self.hidden[index]:
            return ""
        tree, node = self.source.tree, self.nodes[index]
        code = self.source.data[int(tree.start[node]) : int(tree.end[node])]
        return plain_line(code.decode("utf-8", "replace"))

    def _line(self, index: int) -> int:
        tree = self.source.tree
        return self.source.positions.line_column(int(tree.start[self.nodes[index]]))[0]

    def shallow(self, most: int = MOST_NODES) -> SyntaxTree:
        """The upper levels of the tree, as many as have no more than `most` nodes."""
        if len(self) <= most:
            return self
        per_level = np.cumsum(np.bincount(self.depths))
        levels = max(1, int(np.searchsorted(per_level, most, side="right")))
        new = {-1: -1}
        hidden: list[int] = []
        for index, depth in enumerate(self.depths):
            if depth < levels:
                new[index] = len(hidden)
                hidden.append(0)
            else:
                new[index] = new[self.parents[index]]
                hidden[new[index]] += 1
        kept = [index for index, depth in enumerate(self.depths) if depth < levels]
        note = (
            f"The syntax tree has {count_text(len(self), 'node')}, too many to draw: the first "
            f"{count_text(levels, 'level')} with {count_text(len(kept), 'node')} are drawn."
        )
        return SyntaxTree(
            self.source,
            tuple(self.nodes[index] for index in kept),
            tuple(new[self.parents[index]] for index in kept),
            tuple(hidden),
            (*self.notes, note),
        )

    def listing(self, name: str) -> str:
        """A line per node: its line, its kind, and the code of a leaf."""
        lines = [f"syntax tree of {plain_line(name)}: {count_text(len(self), 'named node')}", ""]
        tree = self.source.tree
        for index, depth in enumerate(self.depths):
            kind = f"{'  ' * depth}{tree.kind_name(self.nodes[index])}"
            text = excerpt(self._text(index), _CODE)
            lines.append(f"{self._line(index):>5}  {kind:<40} {text}".rstrip())
        return "\n".join([*lines, ""])

    def places(self) -> list[tuple[int, int]]:
        """For each node, where its code begins and ends in characters."""
        tree, characters = self.source.tree, self.source.positions.characters
        spans = ((int(tree.start[node]), int(tree.end[node])) for node in self.nodes)
        return [(characters(start), characters(end)) for start, end in spans]

    def svg(self, style: str = "") -> str:
        """The picture of the tree, parents centred above their children."""
        captions = [
            syntax_caption(
                self.source.tree.kind_name(self.nodes[index]), self._text(index), self.hidden[index]
            )
            for index in range(len(self))
        ]
        middles = _tidy(self.parents, [caption.width for caption in captions])
        edges = "".join(
            _edge(middles[parent], depth - 1, captions[parent], middles[index], depth)
            for index, (parent, depth) in enumerate(zip(self.parents, self.depths, strict=True))
            if parent >= 0
        )
        nodes = "".join(
            _node(index, middle, depth, caption)
            for index, (middle, depth, caption) in enumerate(
                zip(middles, self.depths, captions, strict=True)
            )
        )
        ends = [
            middle + caption.width / 2 for middle, caption in zip(middles, captions, strict=True)
        ]
        width, height = max(ends, default=0) + 4, _LEVEL * (max(self.depths, default=0) + 1)
        inside = f"<style>{style}</style>" if style else ""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="sg" width="{width:.0f}" '
            f'height="{height:.0f}" viewBox="-2 -2 {width:.0f} {height:.0f}" role="img" '
            f'aria-label="Syntax tree with {count_text(len(self), "node")}">'
            f"{inside}{edges}{nodes}</svg>"
        )


def syntax_tree(source: Source, spans: Sequence[tuple[int, int]] | None = None) -> SyntaxTree:
    """The named nodes of a text, without comments.

    Parameters
    ----------
    source : Source
    spans : sequence of (int, int), optional
        Only nodes between two bytes of the text: those of some functions, or of some lines.

    Examples
    --------
    >>> print(syntax_tree(Source("x = 1", "python")).listing("x.py"), end="")
    syntax tree of x.py: 5 named nodes
    <BLANKLINE>
        1  module
        1    expression_statement
        1      assignment
        1        identifier                         x
        1        integer                            1
    """
    tree = source.tree
    named = named_tree(tree, without=comment_nodes(tree))
    nodes, above = named.nodes.tolist(), named.parents.tolist()
    kept = list(range(len(nodes)))
    if spans is not None:
        start, end = tree.start[named.nodes], tree.end[named.nodes]
        inside = np.zeros(len(nodes), dtype=bool)
        for first, last in spans:
            inside |= (first <= start) & (end <= last)
        kept = np.flatnonzero(inside).tolist()
    new = {-1: -1} | {index: place for place, index in enumerate(kept)}
    parents = tuple(new.get(above[index], -1) for index in kept)
    return SyntaxTree(source, tuple(nodes[index] for index in kept), parents, (0,) * len(parents))


def _tidy(parents: Sequence[int], widths: Sequence[float]) -> list[float]:
    """The middle of each node: parents above their children, subtrees as close as they fit."""
    children: dict[int, list[int]] = {}
    for index, parent in enumerate(parents):
        children.setdefault(parent, []).append(index)
    shifts = [0.0] * len(parents)
    outlines: dict[int, tuple[list[float], list[float]]] = {}
    for index in range(len(parents) - 1, -1, -1):
        left, right = _placed(children.get(index, []), outlines, shifts)
        half = widths[index] / 2
        outlines[index] = [-half, *left], [half, *right]
    left, _ = _placed(children.get(-1, []), outlines, shifts)
    from_edge = -min(left, default=0.0)
    middles: list[float] = []
    for index, parent in enumerate(parents):
        middles.append(shifts[index] + (middles[parent] if parent >= 0 else from_edge))
    return middles


def _placed(
    siblings: Sequence[int],
    outlines: dict[int, tuple[list[float], list[float]]],
    shifts: list[float],
) -> tuple[list[float], list[float]]:
    """Place siblings beside each other around 0; the outlines of what is below their parent."""
    left: list[float] = []
    right: list[float] = []
    for sibling in siblings:
        own_left, own_right = outlines.pop(sibling)
        shift = max(
            (there - here + _GAP for there, here in zip(right, own_left, strict=False)), default=0.0
        )
        shifts[sibling] = shift
        left += [edge + shift for edge in own_left[len(left) :]]
        right[: len(own_right)] = [edge + shift for edge in own_right]
    centre = (shifts[siblings[0]] + shifts[siblings[-1]]) / 2 if siblings else 0.0
    for sibling in siblings:
        shifts[sibling] -= centre
    return [edge - centre for edge in left], [edge - centre for edge in right]


def _edge(x: float, level: int, caption: Caption, to: float, below: int) -> str:
    top, end = level * _LEVEL + caption.height, below * _LEVEL
    bend = (top + end) / 2
    return (
        f'<path class="edge syntax" d="M{x:.1f} {top:.1f}C{x:.1f} {bend:.1f} {to:.1f} {bend:.1f} '
        f'{to:.1f} {end:.1f}"/>'
    )


def _node(index: int, middle: float, level: int, caption: Caption) -> str:
    x, y = middle - caption.width / 2, level * _LEVEL
    return (
        f'<g class="node" data-node="{index}"><rect x="{x:.1f}" y="{y:.1f}" '
        f'width="{caption.width:.1f}" height="{caption.height:.1f}" rx="7"/>'
        f"{caption_texts(caption, middle, y)}</g>"
    )


def beside(pictures: Sequence[tuple[str, str]], style: str, notes: Sequence[str] = ()) -> str:
    """One picture of several, each below its title, from left to right, with notes below."""
    x, height, parts = 0.0, _HEAD, []
    for title, svg in pictures:
        wide, high = _size(svg)
        parts.append(f'<text class="note" x="{x + 4:.0f}" y="18">{escape(title)}</text>')
        parts.append(svg.replace("<svg ", f'<svg x="{x:.0f}" y="{_HEAD:.0f}" ', 1))
        x, height = x + max(wide, 8.0 * len(title)) + _APART, max(height, high + _HEAD)
    for note in notes:
        parts.append(f'<text class="note" x="4" y="{height + 18:.0f}">{escape(note)}</text>')
        height += 22
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="sg" width="{x - _APART:.0f}" '
        f'height="{height:.0f}" role="img" '
        f'aria-label="{escape(" and ".join(title for title, _ in pictures))}">'
        f"<style>{style}</style>{''.join(parts)}</svg>"
    )


def _size(svg: str) -> tuple[float, float]:
    wide, high = re.findall(r' (?:width|height)="([\d.]+)"', svg)[:2]
    return float(wide), float(high)
