"""Semantic graphs for people: pictures, pages and listings."""

from codekin.report.graph.graph_page import graph_frame, graph_page
from codekin.report.graph.svg import graph_svg

__all__ = ["graph_frame", "graph_page", "graph_svg"]
