"""Groups of revisions in a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from codekin.groups.clustering import Clustering
from codekin.plain_text import plain
from codekin.report.figures import count_text, number_text
from codekin.report.group_table import MOST_ROOM, elided, group_table

__all__ = ["closest_groups", "clustering_summary", "clustering_table", "clustering_title"]

_COPIES = 5
"""Of so many texts that came more than once it is told by which names."""


def clustering_title(clustering: Clustering, origin: str) -> str:
    """What was grouped, and how."""
    rule = (
        f"{count_text(clustering.wanted, 'group')} asked for"
        if clustering.wanted is not None
        else f"joined at a mean similarity of {clustering.threshold:g} or more"
    )
    return (
        f"{count_text(clustering.revisions, 'revision')} of {origin}: "
        f"{count_text(len(clustering.groups), 'group')} by {clustering.measure}, {rule}"
    )


def clustering_table(clustering: Clustering, origin: str, width: int) -> RenderableType:
    """The groups with their medoids and members; as much of these as there is room for."""
    table = group_table(clustering.groups, width, untouched=clustering.untouched)
    return Group(Text(plain(clustering_title(clustering, origin)), "bold"), "", table, "")


def closest_groups(clustering: Clustering) -> tuple[int, int, float] | None:
    """The two groups that would be joined next, with their mean similarity."""
    if len(clustering.groups) < 2:
        return None
    one = max(clustering.groups, key=lambda group: (group.nearest[0][1], -group.number))
    other, similarity = one.nearest[0]
    return min(one.number, other), max(one.number, other), similarity


def clustering_summary(clustering: Clustering) -> Iterator[str]:
    """Lines below the table: what is close, what came twice, and what could not be used."""
    if (closest := closest_groups(clustering)) is not None:
        one, other, mean = closest
        yield f"closest: groups {one} and {other}, mean similarity {number_text(mean, digits=3)}"
    for name, others in list(clustering.copies.items())[:_COPIES]:
        yield f"the same text: {elided([plain(one) for one in (name, *others)], MOST_ROOM)}"
    if (more := len(clustering.copies) - _COPIES) > 0:
        yield f"and {count_text(more, 'text')} more that came by several names"
    if clustering.failures:
        yield f"could not be used: {count_text(len(clustering.failures), 'revision')}"
    for name, reason in clustering.failures:
        yield f"  {plain(name)}: {plain(reason)}"
    yield clustering.signature
