"""Slices of random programs by their semantic graphs."""

from __future__ import annotations

from collections.abc import Callable

from codekin import Source, semantic_graph
from codekin.represent.flow.slicing import Slicer


def graph_slicer(code: str, language: str) -> Callable[[int], set[int]]:
    """Lines by backward slices of the semantic graph."""
    source = Source(code, language)
    slicer = Slicer(semantic_graph(source, jumps=True, fold=False), source.flow_ir)
    return lambda line: set(slicer.lines(line))
