"""The code beside a graph: line by line, cut wherever the code of a node begins or ends."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from codekin.languages import TokenClass
from codekin.plain_text import visible_html
from codekin.represent.graph.semantic_graph import SemanticGraph
from codekin.source import Source

__all__ = ["Shade", "code_lines"]

_INK = {
    TokenClass.COMMENT: "c",
    TokenClass.DOCSTRING: "c",
    TokenClass.KEYWORD: "k",
    TokenClass.STRING: "s",
    TokenClass.CHARACTER: "s",
}
"""How the page prints the classes that it tells apart; all others are plain."""


Shade = tuple[int, int, str]
"""A stretch of a text in characters, and how it is printed."""


def code_lines(
    graph: SemanticGraph, cuts: Iterable[int], shades: Sequence[Shade] = ()
) -> list[str]:
    """The lines of a graph's code as HTML.

    Every piece says where it stands in characters: ``data-a`` and ``data-e``.

    Parameters
    ----------
    graph : SemanticGraph
    cuts : iterable of int
        Where pieces must begin or end.
    shades : sequence of (int, int, str)
        Stretches that are printed otherwise, in order and without overlaps.
    """
    text = graph.data.decode("utf-8", "surrogatepass")
    colours = _colours(graph, text)
    ends = {end for start, (end, _) in colours.items()}
    shaded = [place for start, end, _ in shades for place in (start, end)]
    places = sorted({0, len(text), *cuts, *colours, *ends, *shaded})
    starts = [start for start, _, _ in shades]
    lines, line, colour, until = [], "", "", 0
    for start, end in pairwise(places):
        if start in colours:
            until, colour = colours[start]
        kind = colour if end <= until else ""
        if (nearest := bisect_right(starts, start) - 1) >= 0 and end <= shades[nearest][1]:
            kind = f"{kind} {shades[nearest][2]}".strip()
        for number, (place, piece) in enumerate(_pieces(text, start, end)):
            if number:
                lines.append(line)
                line = ""
            line += _span(place, piece, kind)
    return [*lines, line] if line or not lines else lines


def _colours(graph: SemanticGraph, text: str) -> dict[int, tuple[int, str]]:
    """Where what is coloured begins and ends, and as what."""
    if not graph.language:
        return {}
    tokens = Source(text, graph.language).tokens_with(comments=True)
    return {
        token.start: (token.end, _INK[token.cls])
        for token in tokens
        if token.cls in _INK and token.end > token.start
    }


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """A stretch of the text, cut at line ends, with where each piece begins."""
    for piece in text[start:end].split("\n"):
        yield start, piece.removesuffix("\r")
        start += len(piece) + 1


def _span(place: int, piece: str, kind: str) -> str:
    if not piece:
        return ""
    colour = f' class="{kind}"' if kind else ""
    return (
        f'<span{colour} data-a="{place}" data-e="{place + len(piece)}">{visible_html(piece)}</span>'
    )
