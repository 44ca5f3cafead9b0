"""Groups of revisions in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from codekin.engine.clustering import Clustering, RevisionGroup
from codekin.report.brief_names import brief_names
from codekin.report.figures import NOTHING, count_text, number_text
from codekin.report.terminal import plain, plain_table

__all__ = ["closest_groups", "clustering_summary", "clustering_table", "clustering_title"]

_LEAST_ROOM, _MOST_ROOM = 12, 72
"""Names have so much room, however narrow or wide the terminal is."""
_HEADS = "group size similarity"
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
    heads = cell_len("untouched size similarity" if clustering.untouched else _HEADS)
    room = max(2 * _LEAST_ROOM, width - heads - 2)
    medoids = brief_names([plain(group.medoid) for group in clustering.groups], room // 2)
    longest = max(map(cell_len, ("medoid", *medoids)))
    room = min(_MOST_ROOM, room - longest)
    table = plain_table()
    for head in _HEADS.split():
        table.add_column(head, justify="right", no_wrap=True)
    table.add_column("medoid", overflow="fold")
    table.add_column("other members", overflow="fold")
    for group, name in zip(clustering.groups, medoids, strict=True):
        table.add_row(*_row(group, name, room))
    if clustering.untouched:
        _add_untouched(table, clustering.untouched, room)
    return Group(Text(plain(clustering_title(clustering, origin)), "bold"), "", table, "")


def _row(group: RevisionGroup, medoid: str, room: int) -> list[Text]:
    others = [plain(name) for name in group.members if name != group.medoid]
    return [
        Text(str(group.number), "cyan"),
        Text(f"{len(group.members):,}"),
        Text(number_text(group.similarity, digits=3)),
        Text(medoid, "bold"),
        Text(_elided(others, room), "dim"),
    ]


def _add_untouched(table: Table, names: Sequence[str], room: int) -> None:
    members = _elided([plain(name) for name in names], room)
    cells = ("untouched", f"{len(names):,}", NOTHING, NOTHING, members)
    table.add_row(*(Text(cell, "dim") for cell in cells))


def _elided(names: Sequence[str], room: int) -> str:
    """As many names as fit, and how many more there are.

    Examples
    --------
    >>> _elided(["a.py", "b.py", "c.py"], 40), _elided(["a.py", "b.py", "c.py"], 15)
    ('a.py, b.py, c.py', 'a.py and 2 more')
    >>> _elided(["a.py", "b.py", "c.py"], 10), _elided(["a-long-name.py"], 10)
    ('3 more', 'a-…name.py')
    """
    if len(names) == 1:
        return brief_names(names, room)[0]
    whole = ", ".join(names)
    shown = len(names)
    while cell_len(whole) > room and shown:
        shown -= 1
        more = f"{len(names) - shown:,} more"
        whole = f"{', '.join(names[:shown])} and {more}" if shown else more
    return whole


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
        yield f"the same text: {_elided([plain(one) for one in (name, *others)], _MOST_ROOM)}"
    if (more := len(clustering.copies) - _COPIES) > 0:
        yield f"and {count_text(more, 'text')} more that came by several names"
    if clustering.failures:
        yield f"could not be used: {count_text(len(clustering.failures), 'revision')}"
    for name, reason in clustering.failures:
        yield f"  {plain(name)}: {plain(reason)}"
    yield clustering.signature
