"""A similarity matrix in a terminal: the most alike pairs, and the groups."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from codekin.groups.matrix import ScoredPair, SimilarityMatrix
from codekin.plain_text import plain
from codekin.report.brief_names import brief_names
from codekin.report.figures import count_text, number_text
from codekin.report.group_table import LEAST_ROOM, MOST_ROOM, elided, group_table
from codekin.report.terminal import bar, plain_table

__all__ = ["cut_text", "matrix_summary", "matrix_tables", "matrix_title"]

_COPIES, _GROUPS, _FAILURES = 5, 20, 20
"""So many of each are told in the terminal; all are on the page and in the JSON."""


def matrix_title(matrix: SimilarityMatrix) -> str:
    """What was compared, and by what."""
    files = len(matrix.names)
    pairs = count_text(files * (files - 1) // 2, "pair")
    return f"{count_text(files, 'file')}, {pairs} by {matrix.measure}"


def cut_text(matrix: SimilarityMatrix) -> str:
    """How groups were made."""
    if matrix.threshold is None:
        return f"{count_text(matrix.wanted or 0, 'group')} asked for"
    if matrix.automatic and matrix.threshold == 1:
        return "every pair is as alike as every other, so none stands out"
    at = f"joined at a mean similarity of {number_text(matrix.threshold, digits=3)} or more"
    return f"{at}, well above the mean of all pairs" if matrix.automatic else at


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
    parts: list[RenderableType] = [Text(plain(matrix_title(matrix)), "bold"), ""]
    pairs = list(matrix.pairs(top))
    if pairs:
        parts += [Text("most alike"), _pair_table(matrix, pairs, width), ""]
    shared = [group for group in matrix.groups if len(group.members) > 1]
    alone = len(matrix.groups) - len(shared)
    parts.append(Text(f"{_groups_text(len(shared), alone)}: {cut_text(matrix)}"))
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
    texts = {name: names for names in matrix.copies for name in names}
    room = max(LEAST_ROOM, min(MOST_ROOM, (width - len("0.0000 ██████████   the same text")) // 2))
    listed = list(dict.fromkeys(place for one in pairs for place in (one.first, one.second)))
    brief = brief_names([plain(matrix.names[place]) for place in listed], room)
    called = dict(zip(listed, brief, strict=True))
    table = plain_table()
    table.add_column("score", justify="right", no_wrap=True)
    for head in ("", "first", "second", ""):
        table.add_column(head, no_wrap=True)
    for one in pairs:
        copies = texts.get(matrix.names[one.first], ())
        note = (
            "the same text"
            if matrix.names[one.second] in copies
            else ""
            if one.exact
            else f"from {number_text(one.lower)} to {number_text(one.upper)}"
        )
        table.add_row(
            Text(number_text(one.value), "bold"),
            Text(bar(one.value), "cyan"),
            Text(called[one.first]),
            Text(called[one.second]),
            Text(note, "dim"),
        )
    return table


def matrix_summary(matrix: SimilarityMatrix) -> Iterator[str]:
    """Lines below the tables: directions, bounds, copies, and what could not be used."""
    if not matrix.symmetric:
        yield (
            f"{matrix.measure} depends on the direction: pairs and groups go by the mean of both, "
            "in the matrix the row is the candidate and the column the reference"
        )
    if matrix.inexact:
        pairs = count_text(matrix.inexact, "pair")
        yield f"not exact within the budget: {pairs}; the bounds are on the page and in the JSON"
    for names in matrix.copies[:_COPIES]:
        yield f"the same text: {elided([plain(one) for one in names], MOST_ROOM)}"
    if (more := len(matrix.copies) - _COPIES) > 0:
        yield f"and {count_text(more, 'text')} more that came by several names"
    if matrix.failures:
        yield f"could not be used: {count_text(len(matrix.failures), 'file')}"
    for name, reason in matrix.failures[:_FAILURES]:
        yield f"  {plain(name)}: {plain(reason)}"
    if (more := len(matrix.failures) - _FAILURES) > 0:
        yield f"  and {more:,} more"
    yield matrix.signature
