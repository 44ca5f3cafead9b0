"""A three-way alignment in a terminal: three columns where they fit, one below the other if not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from rich.console import Console, Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from codekin.measures.comparing import parts_text, score_text
from codekin.plain_text import plain
from codekin.report.terminal import plain_table, shown_text
from codekin.revisions.alignment import MeasureLine, RevisionAlignment
from codekin.revisions.alignment_view import (
    ROLES,
    AlignedRow,
    AlignmentView,
    EditMark,
    Gap,
    Item,
    Line,
    RegionHead,
    view_of,
)
from codekin.revisions.verdicts import say

__all__ = ["legend", "plain_text", "three_columns", "whole_screen"]

_WIDE = 100
_DIM = Style(dim=True)
_BOLD = Style(bold=True)
_BAR = " │ "
_SIGNS = {
    EditMark.INSERTED_ALIKE: ("{=", "=}"),
    EditMark.INSERTED: ("{+", "+}"),
    EditMark.DELETED_ALIKE: ("[=", "=]"),
    EditMark.DELETED_BY_REFERENCE: ("[r-", "-]"),
    EditMark.DELETED_BY_CANDIDATE: ("[c-", "-]"),
}
"""What stands around a marked text where there are no colours."""
_AGREED, _REFERENCE, _CANDIDATE = "#14606b", "#3a4a9f", "#8a4b14"
_INK = "#ffffff"
_NAMES = {
    EditMark.INSERTED_ALIKE: "inserted by both",
    EditMark.INSERTED: "inserted by this one only",
    EditMark.DELETED_ALIKE: "deleted by both",
    EditMark.DELETED_BY_REFERENCE: "deleted by the reference only",
    EditMark.DELETED_BY_CANDIDATE: "deleted by the candidate only",
}


@dataclass(frozen=True, slots=True)
class _Look:
    """How marks are shown: by colours, or by signs around the text."""

    colors: bool

    def style(self, mark: EditMark, role: str) -> Style:
        if not self.colors or mark in (EditMark.PLAIN, EditMark.KEPT):
            return _DIM if mark is EditMark.PLAIN else Style()
        own = _REFERENCE if role == "reference" else _CANDIDATE
        ground = {
            EditMark.INSERTED: own,
            EditMark.DELETED_BY_REFERENCE: _REFERENCE,
            EditMark.DELETED_BY_CANDIDATE: _CANDIDATE,
        }.get(mark, _AGREED)
        strike = role == "origin"
        return Style(color=_INK, bgcolor=ground, strike=strike, bold=not strike)

    def spans(self, line: Line, role: str) -> Iterator[tuple[str, Style]]:
        for piece in line.pieces:
            before, after = ("", "") if self.colors else _SIGNS.get(piece.mark, ("", ""))
            yield before + piece.text + after, self.style(piece.mark, role)


def plain_text(aligned: RevisionAlignment, width: int = 10**6) -> str:
    """The alignment as text without colours, for ``print``; longer lines are folded."""
    view = view_of(aligned)
    lines = [Text(view.summary.words(view.unit)), *legend(view, colors=False)]
    drawn = _stacked(view.items, width, _Look(colors=False))
    return "\n".join(line.plain.rstrip() for line in [*lines, *drawn])


def whole_screen(
    view: AlignmentView,
    scores: Sequence[MeasureLine],
    names: Sequence[str],
    notes: Sequence[str],
    width: int,
    *,
    colors: bool,
) -> RenderableType:
    """All that ``codekin align`` prints: what was read, the scores, the summary, the regions."""
    read = (
        Text.assemble(f"{role:<9} ", (plain(name), _BOLD))
        for role, name in zip(ROLES, names, strict=True)
    )
    parts: list[RenderableType] = [*read, *(Text(plain(note), "yellow") for note in notes), ""]
    if scores:
        parts += [_score_table(scores), *_remarks(scores), ""]
    parts += [Text(view.summary.words(view.unit)), *legend(view, colors=colors)]
    if view.heads:
        parts += ["", three_columns(view, width, colors=colors)]
    return Group(*parts)


def _remarks(scores: Sequence[MeasureLine]) -> list[Text]:
    said = ((one.name, one.score.remark) for one in scores if one.score is not None)
    return [Text(plain(f"{name}: {remark}"), "yellow") for name, remark in said if remark]


def _score_table(scores: Sequence[MeasureLine]) -> Table:
    table = plain_table()
    table.add_column("measure", no_wrap=True)
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("parts", overflow="fold")
    for one in scores:
        if one.score is None:
            table.add_row(one.name, "–", Text(plain(one.problem), _DIM))
        else:
            value = Text(score_text(one.score), _BOLD)
            table.add_row(one.name, value, Text(parts_text(one.score)))
    return table


def three_columns(view: AlignmentView, width: int, *, colors: bool) -> RenderableType:
    """The rows of a view for a terminal of so many columns."""
    look = _Look(colors)
    wide = width >= _WIDE
    return Group(*(_beside if wide else _stacked)(view.items, width, look))


def legend(view: AlignmentView, *, colors: bool) -> list[Text]:
    """What the marks that occur mean, on one line; none where nothing is marked."""
    look = _Look(colors)
    entries: list[Text] = []
    for mark in view.marks:
        if not colors:
            entries.append(Text(f"{'x'.join(_SIGNS[mark])} {_NAMES[mark]}"))
            continue
        inserted = mark in (EditMark.INSERTED, EditMark.INSERTED_ALIKE)
        for role in (
            ROLES[1:] if mark is EditMark.INSERTED else ROLES[1:2] if inserted else ROLES[:1]
        ):
            name = _NAMES[mark].replace("this one", f"the {role}")
            entries.append(Text.assemble((" x ", look.style(mark, role)), f" {name}"))
    return [Text("  ").join(entries)] if entries else []


def _head(head: RegionHead) -> Iterator[Text]:
    yield Text()
    title = Text.assemble((f"{head.number} ", _BOLD), (f"· {head.where}: ", _DIM))
    yield title.append(plain(say(head.verdict)))
    yield Text(f"    {head.counts.words}", _DIM)


def _between(item: Gap | RegionHead) -> Iterator[Text]:
    if isinstance(item, RegionHead):
        yield from _head(item)
    else:
        yield Text(f"  {item.words}", _DIM)


def _digits(items: Sequence[Item]) -> int:
    numbers = [
        line.number for item in items if isinstance(item, AlignedRow) for line in item.lines if line
    ]
    return len(str(max(numbers, default=1)))


def _beside(items: Sequence[Item], width: int, look: _Look) -> Iterator[Text]:
    room = (width - 2 * len(_BAR)) // 3
    digits = _digits(items)
    if any(isinstance(item, AlignedRow) for item in items):
        heads = [Text(f"── {role} ".ljust(room, "─")[:room], _DIM) for role in ROLES]
        yield from _joined([[head] for head in heads], room)
    for item in items:
        if isinstance(item, AlignedRow):
            cells = [
                _folded(line, role, digits, room, look) if line else []
                for line, role in zip(item.lines, ROLES, strict=True)
            ]
            yield from _joined(cells, room)
        else:
            yield from _between(item)


def _joined(cells: Sequence[Sequence[Text]], room: int) -> Iterator[Text]:
    for parts in zip_longest(*cells, fillvalue=Text()):
        line = Text(no_wrap=True)
        for i, part in enumerate(parts):
            line.append(_BAR if i else "", _DIM).append_text(part)
            if i < len(parts) - 1:
                line.append(" " * (room - part.cell_len))
        yield line


def _stacked(items: Sequence[Item], width: int, look: _Look) -> Iterator[Text]:
    """Lines that all share once; else a run of the origin's, the reference's, the candidate's."""
    digits = _digits(items)
    waiting: list[AlignedRow] = []
    for item in items:
        if isinstance(item, AlignedRow) and not item.same:
            waiting.append(item)
            continue
        yield from _by_role(waiting, digits, width, look)
        waiting = []
        if isinstance(item, AlignedRow):
            line = item.lines[0]
            if line is not None:
                yield from _labelled(line, "", digits, width, look)
        else:
            yield from _between(item)
    yield from _by_role(waiting, digits, width, look)


def _by_role(rows: Sequence[AlignedRow], digits: int, width: int, look: _Look) -> Iterator[Text]:
    for k, role in enumerate(ROLES):
        for row in rows:
            line = row.lines[k]
            if line is not None:
                yield from _labelled(line, role, digits, width, look)


def _labelled(line: Line, role: str, digits: int, width: int, look: _Look) -> Iterator[Text]:
    for i, part in enumerate(_folded(line, role, digits, width - 12, look)):
        label = role if not i else ""
        yield Text(no_wrap=True).append(f"  {label:<9} ", _DIM).append_text(part)


def _folded(line: Line, role: str, digits: int, room: int, look: _Look) -> list[Text]:
    """A line with its number, in as many rows as it takes; nothing of it is left out."""
    whole = Text()
    for text, style in look.spans(line, role):
        whole.append(shown_text(text, whole.cell_len), style)
    room = max(8, room - digits - 1)
    rows = whole.wrap(Console(width=room), room, overflow="fold") or [whole]
    numbers = [f"{line.number:>{digits}} ", *[" " * (digits + 1)] * (len(rows) - 1)]
    return [
        Text(no_wrap=True).append(number, _DIM).append_text(row)
        for number, row in zip(numbers, rows, strict=True)
    ]
