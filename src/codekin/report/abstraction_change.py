"""What an abstraction changed, side by side: in a terminal, or as one page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import zip_longest
from typing import NamedTuple

from rich.console import Console, Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from codekin._version import __version__
from codekin.plain_text import visible_html
from codekin.report.page_file import template_environment, with_files
from codekin.report.page_names import page_name
from codekin.report.render import terminal
from codekin.report.terminal import shown_text
from codekin.rewrite.abstraction import Abstraction
from codekin.rewrite.program import TextEdit

__all__ = ["ChangedLine", "LineMark", "change_page", "change_rows", "change_screen"]

_WIDE = 60
"""Columns below which the texts are shown one below the other."""


class LineMark(StrEnum):
    """What became of a piece of a line."""

    KEPT = "kept"
    REPLACED = "replaced"
    DROPPED = "dropped"


class ChangedLine(NamedTuple):
    """A line of a text, and what became of its pieces.

    Attributes
    ----------
    number : int
        From 1.
    pieces : tuple of (str, LineMark)
    """

    number: int
    pieces: tuple[tuple[str, LineMark], ...]

    @property
    def text(self) -> str:
        """The whole line."""
        return "".join(text for text, _ in self.pieces)


Row = tuple[ChangedLine | None, ChangedLine | None]


def change_rows(original: str, done: Abstraction) -> list[Row]:
    """The lines of a text beside those of its abstraction.

    Examples
    --------
    >>> from codekin.source import Source
    >>> from codekin.rewrite.abstraction import abstract
    >>> text = "int f() { return n; } // n"
    >>> ((before, after),) = change_rows(text, abstract(Source(text, "java")))
    >>> [text for text, mark in before.pieces if mark is LineMark.REPLACED], after.text
    (['n'], 'int f() { return var1; }')
    """
    lines = _lines(original)
    new = _lines(done.text)
    if done.level == "over":
        return [
            (_whole(i, one, LineMark.KEPT), _whole(i, other, LineMark.KEPT))
            for i, (one, other) in enumerate(zip_longest(lines, new))
        ]
    dropped = set(done.dropped)
    marked = zip_longest(_lines(done.base), new, _edits_by_line(done))
    rows: list[Row] = []
    for place, line in enumerate(lines):
        found = None if place in dropped else next(marked, None)
        if found is None or found[0] is None:
            rows.append((_whole(place, line, LineMark.DROPPED), None))
            continue
        base, text, edits = found
        before, after = _pieces(base, text or "", edits or [])
        if line.startswith(base) and line != base:
            before = [*before, (line[len(base) :], LineMark.DROPPED)]
        number = sum(other is not None for _, other in rows) + 1
        rows.append((ChangedLine(place + 1, tuple(before)), ChangedLine(number, tuple(after))))
    return rows


def _lines(text: str) -> list[str]:
    """The lines of a text, without their line ends."""
    lines = [line.rstrip("\r") for line in text.split("\n")]
    return lines[:-1] if lines and not lines[-1] else lines


def _whole(place: int, line: str | None, mark: LineMark) -> ChangedLine | None:
    return None if line is None else ChangedLine(place + 1, ((line, mark),))


def _edits_by_line(done: Abstraction) -> Iterator[list[TextEdit]]:
    """The edits of each line of the text at level 0, by bytes of the line."""
    edits, at = done.edits, 0
    start = 0
    for line in done.base.encode("utf-8", "surrogatepass").split(b"\n"):
        end = start + len(line)
        found = []
        while at < len(edits) and edits[at].start <= end:
            found.append(TextEdit(edits[at].start - start, edits[at].end - start, edits[at].text))
            at += 1
        yield found
        start = end + 1


Pieces = list[tuple[str, LineMark]]


def _pieces(base: str, text: str, edits: Sequence[TextEdit]) -> tuple[Pieces, Pieces]:
    """The pieces of a line before and after."""
    data = base.encode("utf-8", "surrogatepass")
    before: Pieces = []
    after: Pieces = []
    place = 0
    for start, end, new in edits:
        kept, old = (
            data[a:b].decode("utf-8", "surrogatepass") for a, b in ((place, start), (start, end))
        )
        mark = LineMark.KEPT if old == new else LineMark.REPLACED
        before += [(kept, LineMark.KEPT), (old, mark)]
        after += [(kept, LineMark.KEPT), (new, mark)]
        place = end
    rest = data[place:].decode("utf-8", "surrogatepass")
    return [*before, (rest, LineMark.KEPT)], [*after, (rest, LineMark.KEPT)]


# In a terminal.

_STYLES = {
    LineMark.KEPT: Style(),
    LineMark.DROPPED: Style(dim=True, strike=True),
}
_OLD, _NEW = Style(color="red"), Style(color="green", bold=True)


def change_screen(
    original: str, done: Abstraction, name: str, width: int, *, colors: bool
) -> RenderableType:
    """What ``codekin abstract`` prints: the texts side by side, and the table of names."""
    rows = change_rows(original, done)
    parts: list[RenderableType] = [*map(Text, done.conclusion()), ""]
    if width < _WIDE:
        parts += [_line(after, _NEW, colors=colors) for _, after in rows if after is not None]
    else:
        table = Table.grid(padding=(0, 1), expand=False)
        digits = len(str(len(rows)))
        half = max((width - 2 * digits - 8) // 2, 10)
        for column in (digits, half, 1, digits, half):
            table.add_column(width=column, justify="right" if column == digits else "left")
        table.add_row(
            "", Text(shown_text(name), "bold"), "│", "", Text(f"level {done.level}", "bold")
        )
        wrapper = Console(width=half)
        for before, after in rows:
            sides = [
                _line(line, style, colors=colors).wrap(wrapper, half, overflow="fold")
                for line, style in ((before, _OLD), (after, _NEW))
            ]
            numbers = _number(before), _number(after)
            for old, new in zip_longest(*sides, fillvalue=Text("")):
                table.add_row(numbers[0], old, "│", numbers[1], new)
                numbers = Text(""), Text("")
        parts.append(table)
    if done.replaced:
        parts += ["", terminal(done.table(), width)]
    return Group(*parts)


def _number(line: ChangedLine | None) -> Text:
    return Text("" if line is None else str(line.number), "dim")


def _line(line: ChangedLine | None, replaced: Style, *, colors: bool) -> Text:
    if line is None:
        return Text("")
    text = Text()
    for piece, mark in line.pieces:
        if mark is LineMark.DROPPED and not colors and piece.strip():
            text.append(f"[-{shown_text(piece)}-]")
            continue
        text.append(shown_text(piece, len(text)), _STYLES.get(mark, replaced) if colors else None)
    return text


# As a page.


def change_page(original: str, done: Abstraction, name: str) -> str:
    """What an abstraction changed as a page of its own."""
    rows = change_rows(original, done)
    if done.level == "over":
        lines = "".join(_cell([row[side] for row in rows], "") for side in (0, 1))
        shown = f"<div class='edits-row' role='row'>{lines}</div>"
    else:
        shown = "".join(map(_row, rows))
    made = with_files(
        template_environment(),
        "abstraction.html.j2",
        ("base.css", "three_way.css", "abstraction.css"),
        (),
        version=__version__,
        name=visible_html(page_name(name)),
        level=done.level,
        summary=done.summary.capitalize() if done.level == "over" else done.summary,
        rows=shown,
        names=done.table().texts,
    )
    return made.decode("utf-8")


def _row(row: Row) -> str:
    before, after = row
    kept = before is not None and after is not None and before.text == after.text
    kind = "edits-row kept" if kept else "edits-row"
    return f"<div class='{kind}' role='row'>{_cell([before], 'was')}{_cell([after], 'now')}</div>"


def _cell(lines: Sequence[ChangedLine | None], side: str) -> str:
    shown = "".join(
        f"<span class='n'>{line.number}</span>"
        f"<code>{''.join(_piece(text, mark, side) for text, mark in line.pieces)}</code>"
        for line in lines
        if line is not None
    )
    return f"<div role='cell'>{shown}</div>" if shown else "<div class='none' role='cell'></div>"


def _piece(text: str, mark: LineMark, side: str) -> str:
    if mark is LineMark.KEPT or not text.strip():
        return visible_html(text)
    if mark is LineMark.DROPPED:
        code = text.lstrip()
        blanks = visible_html(text[: len(text) - len(code)])
        return f"{blanks}<span class='gone'>{visible_html(code)}</span>"
    return f"<b class='{side}'>{visible_html(text)}</b>"
