"""Grid: a table of texts, for a terminal, for Markdown and for LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

from rich.cells import cell_len, set_cell_size
from rich.console import Group, RenderableType
from rich.text import Text

from codekin.plain_text import plain
from codekin.report.terminal import plain_table

__all__ = ["Grid", "latex", "markdown", "one_line", "terminal"]

_SHORTEST = 10
"""A name is not elided to less."""

_MORE_ROWS = re.compile(r"(?= \(\+[\d,]+\)$)")
"""Where a name ends and a number such as (+2) follows, which is never elided."""

_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "−": "$-$",
    "–": "--",
    "↓": r"$\downarrow$",
    "∞": r"$\infty$",
    "…": r"\ldots{}",
    "µ": r"\textmu{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}


@dataclass(frozen=True)
class Grid:
    """Rows of texts under heads.

    Attributes
    ----------
    title : str
        What stands above it.
    heads : tuple of str
        One a column.
    rows : tuple of tuples of str
    keys : int
        How many of the first columns say what a row is about. They are set to the left, all
        others to the right. Where a table is too wide they are elided in the middle, and where
        that is not enough they come again with each part that it is cut into.
    strong : frozenset of (int, int)
        Cells that stand out, by row and column: the best of a row.
    """

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    keys: int = 1
    strong: frozenset[tuple[int, int]] = frozenset()

    def without(self, heads: Sequence[str]) -> Grid:
        """The grid without the columns of these heads, key columns aside."""
        kept = [i for i, head in enumerate(self.heads) if i < self.keys or head not in heads]
        rows = tuple(tuple(row[i] for i in kept) for row in self.rows)
        places = {column: place for place, column in enumerate(kept)}
        strong = {(row, places[column]) for row, column in self.strong if column in places}
        return Grid(
            self.title, tuple(self.heads[i] for i in kept), rows, self.keys, frozenset(strong)
        )

    @property
    def widths(self) -> list[int]:
        """The width that each column takes in a terminal."""
        columns = zip(self.heads, *self.rows, strict=True)
        return [max(cell_len(plain(cell)) for cell in column) for column in columns]


def terminal(grid: Grid, width: int) -> RenderableType:
    """The grid as tables, as many as it takes to fit the width."""
    grid = _elided(grid, width)
    widths = grid.widths
    parts: list[RenderableType] = [Text(plain(grid.title), "bold"), ""] if grid.title else []
    for columns in _cuts(grid, width):
        table = plain_table()
        for column in columns:
            table.add_column(
                plain(grid.heads[column]),
                justify="left" if column < grid.keys else "right",
                # What is wider than the whole terminal can only be folded.
                no_wrap=_total(widths[c] for c in columns) <= width,
                overflow="fold",
            )
        for i, row in enumerate(grid.rows):
            cells = (_cell(grid, i, row, column) for column in columns)
            table.add_row(*cells)
        parts += [table, ""]
    return Group(*parts)


def _cell(grid: Grid, place: int, row: Sequence[str], column: int) -> Text:
    style = "bold" if (place, column) in grid.strong else "cyan" if column < grid.keys else ""
    return Text(plain(row[column]), style)


def _total(widths: Iterable[int]) -> int:
    """What columns take next to each other, a blank after each."""
    return sum(wide + 1 for wide in widths)


def _elided(grid: Grid, width: int) -> Grid:
    """The grid with shorter keys, as far as that makes it fit or leaves more room to each cut."""
    widths = grid.widths
    if _total(widths) <= width:
        return grid
    keys, others = widths[: grid.keys], widths[grid.keys :]
    least = [
        max(cell_len(plain(head)), min(wide, _SHORTEST))
        for head, wide in zip(grid.heads, keys, strict=False)
    ]
    room = width - _total(others)
    if _total(least) > room:  # it must be cut; each part has a column at least
        room = min(width // 2, width - max(others, default=0) - 1)
    while _total(keys) > room and keys != least:
        widest = max(range(len(keys)), key=lambda i: (keys[i] - least[i] > 0, keys[i]))
        keys[widest] -= 1
    columns = [_elided_column([row[i] for row in grid.rows], wide) for i, wide in enumerate(keys)]
    rows = tuple(
        (*(column[i] for column in columns), *row[grid.keys :]) for i, row in enumerate(grid.rows)
    )
    return replace(grid, rows=rows)


def _elided_column(cells: Sequence[str], width: int) -> list[str]:
    """Names of at most a width, each still another one; as they are where that cannot be."""
    names = {cell: _MORE_ROWS.split(plain(cell), maxsplit=1) for cell in cells}
    stems = [stem for stem, *_ in names.values()]
    room = width - max(
        (cell_len(more) for _, *mores in names.values() for more in mores), default=0
    )
    for shorter in (*_middles_left_out(stems, room), _where_they_differ(stems, room)):
        short = {
            name: "".join((stem, *more))
            for (name, (_, *more)), stem in zip(names.items(), shorter, strict=True)
        }
        if len(set(short.values())) == len(names):
            return [short[cell] for cell in cells]
    return list(cells)


def _middles_left_out(names: Sequence[str], width: int) -> Iterator[list[str]]:
    """The names without their middles, first with as much of either end."""
    fronts = range(width // 3, width - width // 3)
    for front in sorted(fronts, key=lambda front: abs(2 * front - width + 1)):
        back = width - front - 1
        yield [
            name if cell_len(name) <= width else f"{_front(name, front)}…{_back(name, back)}"
            for name in names
        ]


def _where_they_differ(names: Sequence[str], width: int) -> list[str]:
    """Of each name what follows from the word in which it departs from the name most like it."""
    ordered = sorted(set(names))
    shared = dict.fromkeys(ordered, 0)
    for one, other in pairwise(ordered):
        alike = takewhile(lambda both: both[0] == both[1], zip(one, other, strict=False))
        common = sum(1 for _ in alike)
        shared[one], shared[other] = max(shared[one], common), max(shared[other], common)
    return [_from_word(name, shared[name], width) for name in names]


def _from_word(name: str, place: int, width: int) -> str:
    if cell_len(name) <= width:
        return name
    start = len(re.sub(r"\w+$", "", name[:place]))
    if start <= 1:
        return f"{_front(name, width - 1)}…"
    if cell_len(name[start:]) <= width - 1:
        return f"…{_back(name, width - 1)}"
    return f"…{_front(name[start:], width - 2)}…"


def _front(name: str, width: int) -> str:
    return set_cell_size(name, max(0, width))


def _back(name: str, width: int) -> str:
    return set_cell_size(name[::-1], max(0, width))[::-1]


def _cuts(grid: Grid, width: int) -> Iterator[list[int]]:
    """Runs of columns that fit the width, each behind the key columns."""
    keys = list(range(grid.keys))
    widths = grid.widths
    room = width - _total(widths[: grid.keys])
    run: list[int] = []
    left = room
    for column in range(grid.keys, len(grid.heads)):
        if run and widths[column] + 1 > left:
            yield keys + run
            run, left = [], room
        run.append(column)
        left -= widths[column] + 1
    yield keys + run


def _written(
    grid: Grid, safe: Callable[[str], str], strong: Callable[[str], str]
) -> Iterator[list[str]]:
    """The heads and the rows with each text made safe, and set off where it stands out."""
    yield [safe(head) for head in grid.heads]
    for i, row in enumerate(grid.rows):
        yield [
            strong(safe(cell)) if (i, column) in grid.strong else safe(cell)
            for column, cell in enumerate(row)
        ]


def markdown(grid: Grid) -> str:
    r"""The grid in Markdown.

    Examples
    --------
    >>> print(markdown(Grid("", ("model", "bleu"), (("a|b", "0.5"),))))
    | model | bleu |
    |:--|--:|
    | a\|b | 0.5 |
    """
    rule = ("|:--" if i < grid.keys else "|--:" for i in range(len(grid.heads)))
    head, *body = _written(grid, _markdown_text, lambda text: f"**{text}**")
    lines = [_markdown_line(head), "".join(rule) + "|", *map(_markdown_line, body)]
    title = [f"**{_markdown_text(grid.title)}**", ""] if grid.title else []
    return "\n".join([*title, *lines])


def _markdown_line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def one_line(text: str) -> str:
    """A text on one line, without anything that would move a cursor or end a comment."""
    return plain(" ".join(text.split()))


def _markdown_text(text: str) -> str:
    return re.sub(r"([\\`*_<|])", r"\\\1", one_line(text))


def latex(grid: Grid) -> str:
    r"""The grid in LaTeX, to be used with the package booktabs.

    Examples
    --------
    >>> print(latex(Grid("", ("model", "bleu"), (("a_b", "-0.5"),))))
    % needs \usepackage{booktabs}
    \begin{tabular}{lr}
    \toprule
    model & bleu \\
    \midrule
    a\_b & $-$0.5 \\
    \bottomrule
    \end{tabular}
    """
    shape = "l" * grid.keys + "r" * (len(grid.heads) - grid.keys)
    title = [f"% {one_line(grid.title)}"] if grid.title else []
    head, *body = _written(grid, _latex_text, lambda text: rf"\textbf{{{text}}}")
    return "\n".join(
        [
            *title,
            r"% needs \usepackage{booktabs}",
            rf"\begin{{tabular}}{{{shape}}}",
            r"\toprule",
            _latex_line(head),
            r"\midrule",
            *map(_latex_line, body),
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


def _latex_line(cells: Sequence[str]) -> str:
    line = " & ".join(cells)
    # After the end of a row, a bracket would be taken for an argument of it.
    return ("{}" if line.startswith(("[", "*")) else "") + line + r" \\"


def _latex_text(text: str) -> str:
    safe = "".join(_LATEX.get(character, character) for character in one_line(text))
    return re.sub(r"(?<![\w.)}])-(?=[\d.])", "$-$", safe)
