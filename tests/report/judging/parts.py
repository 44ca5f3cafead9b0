"""Finding one's way in a section: its parts, its figures, and the cells of its tables."""

from __future__ import annotations

from typing import TypeVar

from codekin.report.plots.figures import DrawnRow, drawn_rows
from codekin.report.sections import PageCell, Places, page_table
from codekin.results import Figure, Forest, Grid, Section

T = TypeVar("T", bound=Grid | Figure)


def part(section: Section, *titles: str) -> Section:
    """The part of a title, or a part of that part; those without a title are looked through."""
    for title in titles:
        [section] = [one for one in parts(section) if one.title == title]
    return section


def parts(section: Section) -> list[Section]:
    return [found for one in section.parts for found in ([one] if one.title else parts(one))]


def titles(section: Section) -> list[str]:
    return [one.title for one in parts(section)]


def content(section: Section, kind: type[T]) -> list[T]:
    return [one for one in section.content if isinstance(one, kind)]


def forest_rows(section: Section) -> list[DrawnRow]:
    [forest] = content(section, Forest)
    return drawn_rows(forest)


def names(rows: list[DrawnRow]) -> list[str]:
    return [one.row.name.text for one in rows if not one.row.apart]


def lines(grid: Grid, places: Places | None = None) -> list[dict[str, PageCell]]:
    """The rows of a table as pages have it, by the heads of its columns."""
    table = page_table(grid, places)
    heads = [head for head, _ in table.heads]
    return [dict(zip(heads, row, strict=True)) for row in table.rows]


def column(grid: Grid, head: str) -> list[float]:
    return [float(line[head].text.replace("−", "-")) for line in lines(grid)]
