"""The page of revisions in groups: one HTML file that works offline."""

from __future__ import annotations

from codekin._version import __version__
from codekin.align.line_diff import unified_diff
from codekin.groups.clustering import Clustering
from codekin.plain_text import plain
from codekin.report.dendrogram import COLOURS, dendrogram
from codekin.report.page_file import template_environment, with_files
from codekin.report.page_names import page_name

__all__ = ["clustering_page"]

_STYLES = ("base.css", "plots.css", "print.css", "clustering.css")
_SCRIPTS = ("theme.js", "clustering.js")
_DETAILED = 40
"""So many groups are shown with the diff of their medoid; the rest are rows of a table."""
_DIFF_LINES = 200
_FEW_MEMBERS = 12
_KINDS = {"+": "plus", "-": "minus", "@": "where", "\\": "note"}


def clustering_page(clustering: Clustering, origin: str) -> bytes:
    """The page of a clustering; the same clustering gives the same bytes.

    `origin` is what the origin is called.
    """

    def diff(name: str) -> list[tuple[str, str]]:
        """The lines of a revision's diff against the origin, each with its kind."""
        lines = unified_diff(clustering.origin.text, clustering.sources[name].text).split("\n")
        return [
            (_KINDS.get(line[:1], "same"), plain(line.rstrip("\r")) or " ") for line in lines[:-1]
        ]

    return with_files(
        template_environment(),
        "clustering.html.j2",
        _STYLES,
        _SCRIPTS,
        version=__version__,
        origin=page_name(origin),
        clustering=clustering,
        tree=dendrogram(clustering),
        groups=clustering.groups[:_DETAILED],
        more=clustering.groups[_DETAILED:],
        diff=diff,
        most_lines=_DIFF_LINES,
        few=_FEW_MEMBERS,
        colours=COLOURS,
        copies=sum(map(len, clustering.copies.values())),
    )
