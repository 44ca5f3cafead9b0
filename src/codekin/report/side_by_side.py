"""Two texts beside each other in a terminal, with what a measure matched shaded by its level."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.style import Style
from rich.text import Text

from codekin.measures import Explanation, Span
from codekin.plain_text import visible

__all__ = ["code_lines", "side_by_side"]

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
