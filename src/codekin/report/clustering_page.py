"""The page of revisions in groups: one HTML file that works offline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from codekin._version import __version__
from codekin.align.line_diff import unified_diff
from codekin.groups.clustering import Clustering
from codekin.groups.grouping import TextGroup
from codekin.plain_text import plain
from codekin.report.dendrogram import COLOURS, dendrogram
from codekin.report.page_file import template_environment, with_files
from codekin.report.page_names import page_name
from codekin.results import number_text

__all__ = ["clustering_page"]

_STYLES = ("base.css", "plots.css", "print.css", "clustering.css")
_SCRIPTS = ("theme.js", "clustering.js")
_DETAILED = 40
"""So many groups are shown with the diff of their medoid; the rest are rows of a table."""
_DIFF_LINES = 200
_FEW_MEMBERS = 12
_KINDS = {"+": "plus", "-": "minus", "@": "where", "\\": "note"}


@dataclass(frozen=True)
class Member:
    """A revision of a group, with how alike it is to the medoid."""

    name: str
    similarity: str
    share: float
    copy_of: str


@dataclass(frozen=True)
class Near:
    """Another group, with its mean similarity to this one."""

    number: int
    similarity: str


@dataclass(frozen=True)
class GroupView:
    """What the page shows of a group.

    Attributes
    ----------
    diff : tuple of (str, str)
        The lines of the medoid's diff against the origin, each with its kind.
    left_out : int
        How many lines of it are not shown.
    """

    number: int
    colour: int
    medoid: str
    size: int
    similarity: str
    diameter: str
    members: tuple[Member, ...]
    folded: bool
    nearest: tuple[Near, ...]
    diff: tuple[tuple[str, str], ...]
    left_out: int


def clustering_page(clustering: Clustering, origin: str) -> bytes:
    """The page of a clustering; the same clustering gives the same bytes.

    `origin` is what the origin is called.
    """
    groups = [
        _view(clustering, group, diff=group.number <= _DETAILED) for group in clustering.groups
    ]
    closest = clustering.closest
    return with_files(
        template_environment(),
        "clustering.html.j2",
        _STYLES,
        _SCRIPTS,
        version=__version__,
        origin=plain(page_name(origin)),
        clustering=clustering,
        tree=dendrogram(clustering),
        groups=groups[:_DETAILED],
        more=groups[_DETAILED:],
        closest=closest and (*closest[:2], number_text(closest[2], digits=3)),
        colours=COLOURS,
        untouched=[plain(name) for name in clustering.untouched],
        failures=[(plain(name), plain(reason)) for name, reason in clustering.failures],
        copies=sum(map(len, clustering.copies.values())),
    )


def _view(clustering: Clustering, group: TextGroup, *, diff: bool) -> GroupView:
    lines = list(_diff(clustering, group.medoid)) if diff else []
    return GroupView(
        number=group.number,
        colour=(group.number - 1) % COLOURS,
        medoid=plain(group.medoid),
        size=len(group.members),
        similarity=number_text(group.similarity, digits=3),
        diameter=number_text(group.diameter, digits=3),
        members=tuple(_members(clustering, group)),
        folded=len(group.members) > _FEW_MEMBERS,
        nearest=tuple(Near(number, number_text(one, digits=3)) for number, one in group.nearest),
        diff=tuple(lines[:_DIFF_LINES]),
        left_out=max(0, len(lines) - _DIFF_LINES),
    )


def _members(clustering: Clustering, group: TextGroup) -> Iterator[Member]:
    copy_of = {copy: name for name, copies in clustering.copies.items() for copy in copies}
    for name, similarity in zip(group.members, group.to_medoid, strict=True):
        share = round(min(1.0, max(0.0, similarity)), 4)
        original = plain(copy_of.get(name, ""))
        yield Member(plain(name), number_text(similarity, digits=3), share, original)


def _diff(clustering: Clustering, name: str) -> Iterator[tuple[str, str]]:
    text = unified_diff(clustering.origin.text, clustering.sources[name].text)
    for line in text.split("\n")[:-1]:
        yield _KINDS.get(line[:1], "same"), plain(line.rstrip("\r")) or " "
