"""Similarity matrices and groups of revisions in a terminal, as much as there is room for."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from codekin.groups.clustering import Clustering
from codekin.groups.grouping import MOST_ROOM, TextGroup, elided
from codekin.groups.matrix import ScoredPair, SimilarityMatrix
from codekin.plain_text import plain
from codekin.report.brief_names import brief_names
from codekin.report.terminal import bar, plain_table
from codekin.results import NOTHING, count_text, number_text

__all__ = ["clustering_table", "group_table", "matrix_tables"]

_LEAST_ROOM = 12
"""Cells that a name has, however narrow the terminal is."""
_GROUPS = 20
"""Groups of a matrix that are shown."""
_HEADS = "group size similarity"


def clustering_table(clustering: Clustering, width: int) -> RenderableType:
    """The groups with their medoids and members."""
    table = group_table(clustering.groups, width, untouched=clustering.untouched)
    return Group(Text(plain(clustering.title), "bold"), "", table, "")


def matrix_tables(matrix: SimilarityMatrix, width: int, top: int) -> RenderableType:
    """The most alike pairs, and groups of more than one file.

    Parameters
    ----------
    matrix : SimilarityMatrix
    width : int
        Cells that there are.
    top : int
        How many pairs.
    """
    parts: list[RenderableType] = [Text(plain(matrix.title), "bold"), ""]
    pairs = list(matrix.pairs(top))
    if pairs:
        parts += [Text("most alike"), _pair_table(matrix, pairs, width), ""]
    shared = [group for group in matrix.groups if len(group.members) > 1]
    alone = len(matrix.groups) - len(shared)
    parts.append(Text(f"{_groups_text(len(shared), alone)}: {matrix.cut}"))
    if shared:
        parts.append(group_table(shared[:_GROUPS], width))
    if len(shared) > _GROUPS:
        parts.append(Text(f"and {count_text(len(shared) - _GROUPS, 'group')} more", "dim"))
    return Group(*parts, "")


def _groups_text(shared: int, alone: int) -> str:
    files = "1 file is" if alone == 1 else f"{alone:,} files are"
    groups = count_text(shared, "group") if shared else "no groups"
    return f"{groups}, {files} alone" if alone else groups


def _pair_table(matrix: SimilarityMatrix, pairs: list[ScoredPair], width: int) -> Table:
    room = max(_LEAST_ROOM, min(MOST_ROOM, (width - len("0.0000 ██████████   the same text")) // 2))
    listed = list(dict.fromkeys(place for one in pairs for place in (one.first, one.second)))
    brief = brief_names([plain(matrix.names[place]) for place in listed], room)
    called = dict(zip(listed, brief, strict=True))
    table = plain_table()
    table.add_column("score", justify="right", no_wrap=True)
    for head in ("", "first", "second", ""):
        table.add_column(head, no_wrap=True)
    for one in pairs:
        table.add_row(
            Text(number_text(one.value), "bold"),
            Text(bar(one.value), "cyan"),
            Text(called[one.first]),
            Text(called[one.second]),
            Text(matrix.pair_note(one), "dim"),
        )
    return table


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
    room = max(2 * _LEAST_ROOM, width - heads - 2)
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
        Text(_names(others, room), "dim"),
    ]


def _add_untouched(table: Table, names: Sequence[str], room: int) -> None:
    members = _names([plain(name) for name in names], room)
    cells = ("untouched", f"{len(names):,}", NOTHING, NOTHING, members)
    table.add_row(*(Text(cell, "dim") for cell in cells))


def _names(names: Sequence[str], room: int) -> str:
    return brief_names(names, room)[0] if len(names) == 1 else elided(names, room)
