"""Renderers of the result model: grids and notes for terminals, Markdown, LaTeX, HTML and CSV."""

from __future__ import annotations

import csv
import io
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Any

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.text import Text

from codekin._version import __version__
from codekin.plain_text import plain, plain_line, spreadsheet_cell
from codekin.report.page_file import template_environment, with_files
from codekin.report.sections import SECTION_TOOLS
from codekin.report.terminal import bar, plain_table
from codekin.results import Grid, Names, Section, TextGrid

__all__ = [
    "csv_of",
    "html_of",
    "latex",
    "latex_of",
    "markdown",
    "markdown_of",
    "page_of",
    "terminal",
    "text_of",
]

_WRAPPED, _NAME = 30, 10
"""Texts that wrap and names have at least this much room, unless the terminal is narrower."""

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
    "Δ": r"$\Delta$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "→": r"$\rightarrow$",
    "α": r"$\alpha$",
    "ρ": r"$\rho$",
    "τ": r"$\tau$",
    "²": r"$^2$",
    "·": r"$\cdot$",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}


def terminal(grid: Grid, width: int) -> RenderableType:
    """The grid as tables, as many as it takes to fit the width; long names are folded."""
    names = [i for i in range(grid.texts.keys) if grid.texts.left[i]]
    texts = _with_lists(grid, _with_bars(grid), names, width)
    least = dict.fromkeys(names, _NAME)
    least |= {i: _WRAPPED for i, wraps in enumerate(texts.wraps) if wraps}
    widths = _widths(texts, width, least)
    parts: list[RenderableType] = [Text(plain(texts.title), "bold"), ""] if texts.title else []
    if grid.note:
        parts.append(Text(plain(grid.note)))
    for columns in _cuts(texts, widths, width):
        table = plain_table()
        for column in columns:
            table.add_column(
                plain(texts.heads[column]),
                justify="left" if texts.left[column] else "right",
                width=widths[column] if column in least else None,
                # What is wider than the whole terminal can only be folded.
                no_wrap=column not in least and _total(widths[c] for c in columns) <= width,
                overflow="fold",
            )
        for i, row in enumerate(texts.rows):
            table.add_row(*(_cell(texts, i, row, column) for column in columns))
        parts += [table, ""]
    return Group(*parts)


def _with_bars(grid: Grid) -> TextGrid:
    """The texts of a grid, with bars behind the numbers that have them."""
    texts, columns = grid.texts, grid.all_columns
    for i, place in enumerate(texts.places):
        if columns[place].bar:
            wide = max((len(row[i]) for row in texts.rows), default=0)
            head = texts.heads[i].rjust(wide) + " " * len(f" {bar(0)}")
            drawn = [
                f"{row[i]} {bar(cells[place])}"
                for row, cells in zip(texts.rows, grid.cells, strict=True)
            ]
            heads = (*texts.heads[:i], head, *texts.heads[i + 1 :])
            left = (*texts.left[:i], True, *texts.left[i + 1 :])
            texts = replace(texts, heads=heads, rows=_with_column(texts, i, drawn), left=left)
    return texts


def _with_lists(grid: Grid, texts: TextGrid, names: Sequence[int], width: int) -> TextGrid:
    """As many names of each list as there is room for; other names leave half of it."""
    for i, place in enumerate(texts.places):
        lists = [row[place] for row in grid.cells]
        if any(isinstance(cell, Names) for cell in lists):
            widths = _widths(texts, width, {})
            room = width - _total(w for k, w in enumerate(widths) if k != i and k not in names)
            room -= min(_total(widths[k] for k in names), room // 2)
            # The column is as wide as its head in any case.
            room = max(cell_len(texts.heads[i]), min(Names.widest, room - 1))
            cells = [
                cell.within(room) if isinstance(cell, Names) and len(cell.names) > 1 else row[i]
                for cell, row in zip(lists, texts.rows, strict=True)
            ]
            texts = replace(texts, rows=_with_column(texts, i, cells))
    return texts


def _with_column(grid: TextGrid, column: int, cells: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (*row[:column], cell, *row[column + 1 :])
        for row, cell in zip(grid.rows, cells, strict=True)
    )


def _widths(grid: TextGrid, width: int, least: Mapping[int, int]) -> list[int]:
    """The width that each column takes in a terminal.

    Where all are too wide together, the widest of those that may be folded are narrowed, as far as
    `least` allows, or to half of the width where that is not enough and the table must be cut.
    """
    columns = zip(grid.heads, *grid.rows, strict=True)
    widths = [max(cell_len(plain(cell)) for cell in column) for column in columns]
    least = {i: min(room, widths[i], width - 1) for i, room in least.items()}
    fixed = _total(wide for i, wide in enumerate(widths) if i not in least)
    limit = width if fixed + _total(least.values()) <= width else fixed + width // 2
    while _total(widths) > limit and (wide := [i for i in least if widths[i] > least[i]]):
        widths[max(wide, key=widths.__getitem__)] -= 1
    return widths


def _cell(grid: TextGrid, place: int, row: Sequence[str], column: int) -> Text:
    style = "bold" if (place, column) in grid.strong else "cyan" if column < grid.keys else ""
    return Text(plain(row[column]), style)


def _total(widths: Iterable[int]) -> int:
    """What columns take next to each other, a blank after each."""
    return sum(wide + 1 for wide in widths)


def _cuts(grid: TextGrid, widths: Sequence[int], width: int) -> Iterator[list[int]]:
    """Runs of columns that fit the width, each behind the key columns."""
    keys = list(range(grid.keys))
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
    grid: TextGrid, safe: Callable[[str], str], strong: Callable[[str], str]
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
    texts = grid.texts
    rule = ("|:--" if left else "|--:" for left in texts.left)
    head, *body = _written(texts, _markdown_text, lambda text: f"**{text}**")
    lines = [_markdown_line(head), "".join(rule) + "|", *map(_markdown_line, body)]
    title = [f"**{_markdown_text(grid.title)}**", ""] if grid.title else []
    note = [_markdown_text(grid.note), ""] if grid.note else []
    return "\n".join([*title, *note, *lines])


def _markdown_line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _markdown_text(text: str) -> str:
    return re.sub(r"([\\`*_<|])", r"\\\1", plain_line(text))


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
    texts = grid.texts
    shape = "".join("l" if left else "r" for left in texts.left)
    title = [f"% {plain_line(text)}" for text in (grid.title, grid.note) if text]
    head, *body = _written(texts, _latex_text, lambda text: rf"\textbf{{{text}}}")
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
    safe = "".join(_LATEX.get(character, character) for character in plain_line(text))
    return re.sub(r"(?<![\w.)}])-(?=[\d.])", "$-$", safe)


def html_table(grid: Grid) -> str:
    """The grid as a table of HTML."""
    texts = grid.texts

    # Where styles are forbidden, as on a page of codekin, this still aligns.
    sides = [f" align={'left' if left else 'right'}" for left in texts.left]
    columns = grid.all_columns
    meanings = [escape(plain_line(columns[place].meaning)) for place in texts.places]
    told = [
        f'{side} title="{one}"' if one else side for side, one in zip(sides, meanings, strict=True)
    ]

    def line(tag: str, cells: Sequence[str], attributes: Sequence[str]) -> str:
        pairs = zip(attributes, cells, strict=True)
        return f"<tr>{''.join(f'<{tag}{given}>{cell}</{tag}>' for given, cell in pairs)}</tr>"

    head, *body = _written(
        texts, lambda text: escape(plain_line(text)), lambda text: f"<b>{text}</b>"
    )
    title = f"<caption>{escape(plain_line(texts.title))}</caption>" if texts.title else ""
    rows = "".join(line("td", row, sides) for row in body)
    return f"<table>{title}{line('th', head, told)}{rows}</table>"


def markdown_of(grids: Sequence[Grid], notes: Sequence[str], conclusion: Sequence[str] = ()) -> str:
    """Grids, notes and conclusion in Markdown."""
    said = map(_markdown_text, conclusion)
    return "\n\n".join([*map(markdown, grids), *map(plain_line, notes), *said]) + "\n"


def latex_of(grids: Sequence[Grid], notes: Sequence[str], conclusion: Sequence[str] = ()) -> str:
    """Grids in LaTeX, with the notes and the conclusion as comments."""
    comments = "\n".join(f"% {plain_line(note)}" for note in (*notes, *conclusion))
    return "\n\n".join([*map(latex, grids), comments]) + "\n"


def html_of(grids: Sequence[Grid], notes: Sequence[str], conclusion: Sequence[str] = ()) -> str:
    """Conclusion, grids and notes as a fragment of HTML."""
    said = [f"<p>{escape(plain_line(one))}</p>" for one in conclusion]
    if said:
        said[0] = said[0].replace("<p>", "<p><b>", 1).replace("</p>", "</b></p>")
    lines = (f"<p><small>{escape(plain_line(note))}</small></p>" for note in notes)
    return "".join([*said, *map(html_table, grids), *lines])


def page_of(
    section: Section,
    notes: Sequence[str],
    warnings: Sequence[str] = (),
    conclusion: Sequence[str] = (),
) -> str:
    """A section with notes, warnings and conclusion as one HTML file that works offline."""
    page = with_files(
        template_environment(),
        "result.html.j2",
        ["base.css", "plots.css", "sections.css"],
        ["pieces.js", "sections.js"],
        own_scope=True,
        section=replace(section, title=plain(section.title)),
        lines=[plain(note) for note in notes],
        warnings=[plain(warning) for warning in warnings],
        conclusion=[plain(one) for one in conclusion],
        version=__version__,
        **SECTION_TOOLS,
    )
    return page.decode("utf-8")


def text_of(grids: Sequence[Grid], notes: Sequence[str], conclusion: Sequence[str] = ()) -> str:
    """Grids, notes and conclusion as plain text, as wide as the terminal."""
    screen = Console(
        file=io.StringIO(), width=shutil.get_terminal_size((100, 24)).columns, color_system=None
    )
    with screen.capture() as capture:
        for grid in grids:
            screen.print(terminal(grid, screen.width))
        for note in notes:
            screen.print(Text(plain(note)), soft_wrap=True)
        for one in ("", *conclusion) if conclusion else ():
            screen.print(Text(plain(one)))
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def csv_of(grid: Grid) -> str:
    """The records of a grid as CSV; empty where there are none.

    Examples
    --------
    >>> csv_of(Grid("", ("measure", "value"), (("bleu", None),)))
    'measure,value\\nbleu,\\n'
    """
    return _csv_text(grid.lines()) if grid.cells else ""


def _csv_text(rows: Iterable[Sequence[Any]]) -> str:
    """Rows as CSV, whose texts no spreadsheet computes; see :func:`spreadsheet_cell`.

    Examples
    --------
    >>> _csv_text([["file", "value"], ["=f()", -0.5]])
    "file,value\\n'=f(),-0.5\\n"
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for row in rows:
        writer.writerow([spreadsheet_cell(cell) for cell in row])
    return text.getvalue()
