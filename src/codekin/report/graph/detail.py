"""How much of a graph is drawn: all of it, its statements, or the functions that come first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from codekin.represent.graph.selection import of_functions
from codekin.represent.graph.semantic_graph import SemanticGraph
from codekin.results import count_text

__all__ = ["MOST_NODES", "Shown", "shown"]

MOST_NODES = 400
"""More nodes than that are no picture any more."""


@dataclass(frozen=True)
class Shown:
    """What is drawn of a graph.

    Attributes
    ----------
    graph : SemanticGraph
        The graph itself, or its statements.
    functions : tuple of int
        The functions that are drawn.
    notes : tuple of str
        What is left out, for the reader.
    """

    graph: SemanticGraph
    functions: tuple[int, ...]
    notes: tuple[str, ...]


def shown(graph: SemanticGraph, most: int = MOST_NODES) -> Shown:
    """Choose what is drawn, so that it is no more than `most` nodes.

    The functions that fit are drawn in their order; one that is too large alone is left out.
    """
    notes = [] if graph.complete else ["A limit left edges out."]
    whole = graph
    if len(graph) > most and graph.options.granularity == "operation":
        graph = graph.by_statement()
    functions, sizes = np.unique(graph.function[graph.function >= 0], return_counts=True)
    drawn, room = [], most - 1
    for function, size in zip(functions.tolist(), sizes.tolist(), strict=True):
        if size <= room:
            drawn.append(function)
            room -= size
    if graph is not whole:
        kept = of_functions(graph, drawn)
        notes.append(
            f"{count_text(len(whole), 'node')} are too many: "
            f"{count_text(len(kept), 'statement')} with {count_text(len(kept.source), 'edge')} are "
            "drawn."
        )
    if left := len(functions) - len(drawn):
        notes.append(
            f"Left out: {left:,} of {count_text(len(functions), 'function')}; "
            "--format dot and json have every node."
        )
    return Shown(graph, tuple(drawn), tuple(notes))
