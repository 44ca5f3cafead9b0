"""Sections of results as pages show them: grids as tables, figures as SVG, and links to rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from html import escape
from itertools import groupby
from typing import Any
from urllib.parse import quote

from codekin.plain_text import plain
from codekin.report.brief_names import brief_names
from codekin.report.plots.axes import minus
from codekin.report.plots.figures import drawn_rows, forest_scale, picture
from codekin.report.plots.strips import SHAPES
from codekin.results import (
    NOTHING,
    Column,
    Estimate,
    Figure,
    Forest,
    Grid,
    Interval,
    Section,
    ShownAs,
    interval_text,
)

__all__ = [
    "SECTION_TOOLS",
    "PageCell",
    "PageTable",
    "Places",
    "breakable",
    "commands",
    "page_table",
]

_COMMAND = re.compile(r"codekin(?: [a-z]+){1,2}(?: --[a-z-]+(?: [a-z0-9]+)?)*")
_HEAD = 16
"""Characters of a name above a column of a matrix."""


@dataclass(frozen=True)
class Places:
    """Where the rows of a run are in the page's browser.

    Attributes
    ----------
    rows : mapping of str to int
        The number of each row by its id; empty where the id alone is enough, as in a report of
        one run.
    """

    rows: Mapping[str, int] = field(default_factory=dict)

    def href(self, link: Iterable[tuple[str, str]]) -> str:
        """The address of what a cell opens; see :class:`codekin.results.ShownAs`."""
        words = dict(link)
        if words.get("pair") in self.rows:
            words["row"] = str(self.rows[words["pair"]] + 1)
        # Lone surrogates have no bytes.
        return "#" + "&".join(
            f"{name}={quote(word, safe='', errors='replace')}" for name, word in words.items()
        )


@dataclass(frozen=True)
class PageCell:
    """A cell of a table; `kind` is its class, and `heat` is from 0 to 1."""

    text: str
    beneath: str = ""
    title: str = ""
    heat: str | None = None
    kind: str = ""
    href: str = ""
    strong: bool = False


@dataclass(frozen=True)
class PageTable:
    """A grid as a table of a page.

    Attributes
    ----------
    title, note : str
    kind : str
        ``matrix``, ``heat`` or ``plain``.
    above : list of (str, int)
        What is above the heads, and over how many columns; empty where nothing is.
    heads : list of (str, str)
        With what they mean.
    rows : list of lists of PageCell
    keys : int
        How many of the first cells of a row are its heads.
    right : frozenset of int
        Those of them that are aligned to the right: numbers.
    left : frozenset of int
        Those of the other cells that are aligned to the left: names.
    """

    title: str
    note: str
    kind: str
    above: list[tuple[str, int]]
    heads: list[tuple[str, str]]
    rows: list[list[PageCell]]
    keys: int
    right: frozenset[int]
    left: frozenset[int]


def commands(text: str) -> str:
    """A text as HTML, with the commands in it as code.

    Examples
    --------
    >>> commands("Cap <them> (codekin corpus build --cap 9), or not.")
    'Cap &lt;them&gt; (<code>codekin corpus build --cap 9</code>), or not.'
    """
    return _COMMAND.sub(r"<code>\g<0></code>", escape(text))


def breakable(name: str) -> str:
    """A name as HTML that may be continued on the next line where one part of it ends.

    Numbers, such as an interval, stay on one line.

    Examples
    --------
    >>> breakable("bleu:order=2,<b>")
    'bleu:<wbr>order=<wbr>2,<wbr>&lt;b&gt;'
    >>> breakable("[+0.1, +0.2]"), breakable("26/8/6")
    ('[+0.1, +0.2]', '26/8/6')
    """
    if not any(map(str.isalpha, name)):
        return escape(name)
    parts = re.findall(r"[^:,=/_·]*[:,=/_·]+|[^:,=/_·]+", name)
    return "<wbr>".join(map(escape, parts))


def page_table(grid: Grid, places: Places | None = None) -> PageTable:
    """The grid as a table; a cell has a link only where there are places to open."""
    texts, columns = grid.texts, grid.all_columns
    seen = [columns[i] for i in texts.places]
    matrix = grid.mutual and len(texts.rows) > 1
    rows: list[list[PageCell]] = []
    for number, row in enumerate(texts.rows):
        line: list[PageCell] = []
        reason = grid.reasons[number] if grid.reasons else None
        for i, (column, text) in enumerate(zip(seen, row, strict=True)):
            if column.beneath:
                line[-1] = replace(line[-1], beneath="" if text == NOTHING else minus(text))
            elif matrix and i == number + 1:
                line.append(PageCell("", kind="same"))
            else:
                cell = _cell(column, grid.cells[number][texts.places[i]], text, places)
                if text == NOTHING and not cell.title:
                    cell = replace(cell, title=reason or "")
                line.append(replace(cell, strong=(number, i) in texts.strong))
        rows.append(line)
    kept = [i for i, column in enumerate(seen) if not column.beneath]
    heads = [seen[i] for i in kept]
    if matrix:
        brief = brief_names([plain(head.head) for head in heads], _HEAD)
        names = [("", ""), *zip(brief[1:], (head.head for head in heads[1:]), strict=True)]
    else:
        names = [(head.head, head.meaning) for head in heads]
    tinted = any(cell.heat is not None for line in rows for cell in line)
    groups = [(above, len(list(some))) for above, some in groupby(head.above for head in heads)]
    return PageTable(
        texts.title,
        grid.note,
        "matrix" if matrix else "heat" if tinted else "plain",
        groups if any(above for above, _ in groups) else [],
        names,
        rows,
        texts.keys,
        frozenset(i for i in range(texts.keys) if not texts.left[i]),
        frozenset(at for at, i in enumerate(kept) if at >= texts.keys and texts.left[i]),
    )


def _cell(column: Column, cell: Any, text: str, places: Places | None) -> PageCell:
    failed = column.head == "failed" and isinstance(cell, int) and text
    kind = "none" if text == NOTHING else "some" if failed else ""
    if isinstance(cell, Estimate):
        beneath = interval_text(cell.known, column.distance, column.sign, column.digits)
        return PageCell(minus(text), "" if beneath == NOTHING else minus(beneath), kind=kind)
    if not isinstance(cell, ShownAs):
        numeric = isinstance(cell, (int, float, Interval))
        return PageCell(minus(text) if numeric else text, kind=kind)
    return PageCell(
        minus(text).replace(" %", "\N{NO-BREAK SPACE}%") if isinstance(cell.value, float) else text,
        minus(cell.beneath),
        cell.title,
        None if cell.heat is None else f"{min(1.0, abs(cell.heat)):.3f}",
        "minus" if cell.heat is not None and cell.heat < 0 else kind,
        places.href(cell.link) if places is not None and cell.link else "",
    )


def _blocks(section: Section, places: Places | None) -> Iterator[tuple[str, list[Any]]]:
    """The content in blocks: cards, plots and tables, each with its like."""
    for kind, some in groupby(section.content, _block_kind):
        content = list(some)
        if kind == "tables":
            yield kind, [page_table(one, places) for one in content if isinstance(one, Grid)]
        else:
            yield kind, content


def _block_kind(one: Grid | Figure) -> str:
    if isinstance(one, Grid):
        return "tables"
    return "forest" if isinstance(one, Forest) else "cards" if one.title else "plot"


SECTION_TOOLS: dict[str, Any] = {
    "breakable": breakable,
    "commands": commands,
    "minus": minus,
    "shapes": SHAPES,
    "blocks": _blocks,
    "drawn_rows": drawn_rows,
    "forest_scale": forest_scale,
    "picture": picture,
}
"""What the template of sections calls."""
