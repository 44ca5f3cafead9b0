"""Groups of texts as a table in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from codekin.groups.grouping import TextGroup
from codekin.plain_text import plain
from codekin.report.brief_names import brief_names
from codekin.report.figures import NOTHING, number_text
from codekin.report.terminal import plain_table

__all__ = ["LEAST_ROOM", "MOST_ROOM", "elided", "group_table"]

LEAST_ROOM, MOST_ROOM = 12, 72
"""Names have so much room, however narrow or wide the terminal is."""
_HEADS = "group size similarity"


def group_table(groups: Sequence[TextGroup], width: int, *, untouched: Sequence[str] = ()) -> Table:
    """The groups with their medoids and members; as much of these as there is room for.

    Parameters
    ----------
    groups : sequence of TextGroup
    width : int
        Cells that there are.
    untouched : sequence of str
        Texts that stand apart from all groups, since nothing was changed in them.
    """
    heads = cell_len("untouched size similarity" if untouched else _HEADS)
    room = max(2 * LEAST_ROOM, width - heads - 2)
    medoids = brief_names([plain(group.medoid) for group in groups], room // 2)
    longest = max(map(cell_len, ("medoid", *medoids)))
    room = min(MOST_ROOM, room - longest)
    table = plain_table()
    for head in _HEADS.split():
        table.add_column(head, justify="right", no_wrap=True)
    table.add_column("medoid", overflow="fold")
    table.add_column("other members", overflow="fold")
    for group, name in zip(groups, medoids, strict=True):
        table.add_row(*_row(group, name, room))
    if untouched:
        _add_untouched(table, untouched, room)
    return table


def _row(group: TextGroup, medoid: str, room: int) -> list[Text]:
    others = [plain(name) for name in group.members if name != group.medoid]
    return [
        Text(str(group.number), "cyan"),
        Text(f"{len(group.members):,}"),
        Text(number_text(group.similarity, digits=3)),
        Text(medoid, "bold"),
        Text(elided(others, room), "dim"),
    ]


def _add_untouched(table: Table, names: Sequence[str], room: int) -> None:
    members = elided([plain(name) for name in names], room)
    cells = ("untouched", f"{len(names):,}", NOTHING, NOTHING, members)
    table.add_row(*(Text(cell, "dim") for cell in cells))


def elided(names: Sequence[str], room: int) -> str:
    """As many names as fit, and how many more there are.

    Examples
    --------
    >>> elided(["a.py", "b.py", "c.py"], 40), elided(["a.py", "b.py", "c.py"], 15)
    ('a.py, b.py, c.py', 'a.py and 2 more')
    >>> elided(["a.py", "b.py", "c.py"], 10), elided(["a-long-name.py"], 10)
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
