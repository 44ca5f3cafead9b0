"""Scores as tables in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from rich import box
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from codekin.measures import Explanation, Score, Span
from codekin.measures.comparing import score_text
from codekin.plain_text import plain, visible
from codekin.results import Grid

__all__ = [
    "bar",
    "code_lines",
    "explanations",
    "plain_table",
    "score_table",
    "shown_text",
    "side_by_side",
]

_NARROW = 64
_STYLES = (
    Style(),
    Style(color="#ffffff", bgcolor="#283a40"),
    Style(color="#ffffff", bgcolor="#234d57"),
    Style(color="#ffffff", bgcolor="#1e606c"),
    Style(color="#ffffff", bgcolor="#187482"),
)
"""From not found to fully found; ink and ground are both set, for light and dark terminals."""
_SHARES = "·░▒▓█"
_DIM = Style(dim=True)


def side_by_side(explanation: Explanation, width: int) -> RenderableType:
    """The two texts of an explanation, beside each other, or one below the other if narrow.

    The sign after a line number says how much of the line was found (``·░▒▓█``), for those who
    see no colours. Lines that do not fit end in an ellipsis.
    """
    stacked = width < _NARROW
    room = width if stacked else (width - 3) // 2
    left = code_lines(explanation.candidate_text, explanation.candidate, room)
    right = code_lines(explanation.reference_text, explanation.reference, room)
    heads = (_head("candidate", room), _head("reference", room))
    if stacked:
        return Group(heads[0], *left, heads[1], *right)
    return Group(*_beside([heads[0], *left], [heads[1], *right], room))


def _beside(left: Sequence[Text], right: Sequence[Text], room: int) -> Iterator[Text]:
    for first, second in zip_longest(left, right, fillvalue=Text()):
        gap = " " * (room - first.cell_len)
        yield Text.assemble(first, gap, (" │ ", _DIM), second, no_wrap=True)


def _head(role: str, room: int) -> Text:
    return Text(f"── {role} ".ljust(room, "─")[:room], style=_DIM, no_wrap=True)


def code_lines(text: str, spans: Sequence[Span], width: int) -> list[Text]:
    """The lines of a text with numbers, at most `width` cells wide, shaded by the spans."""
    if not text:
        return [Text("  (empty)", style=_DIM)]
    levels = [0.0] * len(text)
    for span in spans:
        levels[span.start : span.end] = [span.level] * (span.end - span.start)
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    digits = len(str(len(lines)))
    rows = []
    start = 0
    for number, line in enumerate(lines, 1):
        here = levels[start : start + len(line)]
        row = Text(no_wrap=True).append(f"{number:>{digits}} {_share(line, here)} ", _DIM)
        row.append_text(_cut(line, here, max(1, width - digits - 3)))
        rows.append(row)
        start += len(line) + 1
    return rows


def _share(line: str, levels: Sequence[float]) -> str:
    """The sign for how much of a line was found; blanks do not count."""
    found = [level for character, level in zip(line, levels, strict=True) if character.strip()]
    if not found:
        return " "
    return _SHARES[_step(sum(found) / len(found))]


def _step(level: float) -> int:
    """0 only for nothing, 4 only for everything."""
    return 0 if level <= 0 else 4 if level >= 1 else min(3, 1 + int(level * 3))


def _cut(line: str, levels: Sequence[float], room: int) -> Text:
    row = Text(no_wrap=True)
    used = 0
    indent = len(line) - len(line.lstrip())
    for i, (character, level) in enumerate(zip(line, levels, strict=True)):
        shown = visible(character, used)
        cells = cell_len(shown)
        if used + cells > room:
            return _with_ellipsis(row, room)
        row.append(shown, _STYLES[_step(level) if i >= indent else 0])
        used += cells
    return row


def _with_ellipsis(row: Text, room: int) -> Text:
    row.truncate(room - 1)  # which pads where a wide character would be cut in half
    row.append("…", _DIM)
    return row


def shown_text(text: str, column: int = 0) -> str:
    """A text as a terminal shows it from a column on: tabs as blanks, and nothing hidden."""
    shown = []
    for character in text:
        shown.append(visible(character, column))
        column += cell_len(shown[-1])
    return "".join(shown)


_EIGHTHS = " ▏▎▍▌▋▊▉█"


def plain_table() -> Table:
    """A table with a line under its head and nothing else drawn."""
    return Table(box=box.SIMPLE_HEAD, show_edge=False, padding=0, header_style="bold")


def score_table(scores: Grid) -> RenderableType:
    """The grid of a comparison, with a bar for each score that is not a distance."""
    table = plain_table()
    table.add_column("measure", no_wrap=True)
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    table.add_column("parts", overflow="fold")
    for (label, value, parts), (measure, score, *_) in zip(scores.rows, scores.cells, strict=True):
        mark = Text("distance", "dim") if measure.distance else Text(bar(score.value), "cyan")
        table.add_row(Text(label.removesuffix(" ↓")), Text(value, "bold"), mark, Text(parts))
    return Group("", table, "")


def bar(share: float, width: int = 10) -> str:
    """A bar of blocks, to an eighth of a cell.

    Examples
    --------
    >>> bar(0.5, 4)
    '██  '
    """
    eighths = round(min(1.0, max(0.0, share)) * width * 8)
    full, rest = divmod(eighths, 8)
    return ("█" * full + (_EIGHTHS[rest] if rest else "")).ljust(width)


def explanations(scores: Mapping[str, Score], width: int) -> RenderableType:
    """For each measure, why its score is what it is, and the two texts with what it matched."""
    parts: list[RenderableType] = []
    for label, score in scores.items():
        why = score.explain()
        parts.append(Text.assemble("\n", (label, "bold cyan"), " ", (score_text(score), "bold")))
        parts.append(Text(plain(why.summary)))
        parts.extend(Text.assemble((f"{name}: ", "dim"), plain(text)) for name, text in why.details)
        parts.append(side_by_side(why, width))
    return Group(*parts)
