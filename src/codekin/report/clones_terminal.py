"""The classes of a scan in a terminal: where the copies are, and two of them side by side."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from textwrap import dedent
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from codekin.align.line_diff import Hunk, line_diff
from codekin.errors import CodekinError
from codekin.plain_text import plain
from codekin.results import count_text, part_text
from codekin.scan.scan_result import CloneClass, CodeLine, CodeRegion, Scan

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from codekin.scan.clone_places import ClonePlace

__all__ = ["ORDERS", "print_scan"]

_MEMBERS = 10
"""Members of a class that are listed."""
_MEANINGS = {
    "T1": "copies",
    "T2": "copies with other names or values",
    "T3": "copies with changed statements",
    "T4": "rewritten copies",
}
_AROUND, _FEWEST_FOLDED = 3, 3
"""Equal lines that are shown around different ones, and the fewest that are folded."""
_TAB = 4
ORDERS = {
    "saved": lambda copies: -copies.saved_lines,
    "lines": lambda copies: -max(region.code_lines for region in copies.members),
    "copies": lambda copies: -len(copies.members),
    "score": lambda copies: copies.score,
    "path": lambda copies: copies.members[0],
}
"""How classes can be sorted; their numbers stay the same."""


def print_scan(
    screen: Console,
    scan: Scan,
    *,
    top: int | None = None,
    show: int | None = 0,
    order: str = "saved",
    new: Collection[ClonePlace] | None = None,
) -> None:
    """Print the classes of a scan.

    Parameters
    ----------
    screen : Console
    scan : Scan
    top : int, optional
        The most classes that are printed (default: all).
    show : int, optional
        For how many of them to print two places side by side (None: all).
    order : str
        One of :data:`ORDERS`.
    new : collection of ClonePlace, optional
        Only print the classes of these, and mark them.
    """
    new_regions: dict[int, list[CodeRegion]] = {}
    for place in new or ():
        new_regions.setdefault(place.clone_class.number, []).append(place.region)
    classes = [one for one in scan.classes if new is None or one.number in new_regions]
    classes.sort(key=ORDERS[order])
    shown = classes[:top]
    for at, copies in enumerate(shown):
        screen.print(_heading(scan, copies), soft_wrap=True)
        fresh = new_regions.get(copies.number, [])
        for region in fresh[:_MEMBERS]:
            screen.print(_place(region, new=True), soft_wrap=True)
        known = set(copies.members).difference(fresh)
        for region in [region for region in copies.members if region in known][:_MEMBERS]:
            screen.print(_place(region), soft_wrap=True)
        if len(known) > _MEMBERS or len(fresh) > _MEMBERS:
            more = max(len(known) - _MEMBERS, 0) + max(len(fresh) - _MEMBERS, 0)
            screen.print(f"  and {more:,} more", style="dim")
        if show is None or at < show:
            screen.print(_side_by_side(scan, _pair(scan, copies, fresh)))
        screen.print()
    if len(shown) < len(classes):
        more = len(classes) - len(shown)
        screen.print(f"{more:,} more {'class' if more == 1 else 'classes'}; see --top", style="dim")
    if new is not None and not new:
        screen.print("No new clones", style="bold")
    screen.print(scan.title, style="bold", soft_wrap=True)
    for note in scan.notes():
        screen.print(note, style="dim", soft_wrap=True)


def _heading(scan: Scan, copies: CloneClass) -> Text:
    text = Text(f"{copies.number}. ", style="bold")
    text.append(f"{copies.type} ", style="bold cyan")
    text.append(f"{len(copies.members)} {_MEANINGS[copies.type]}", style="bold")
    inside = scan.inside_of(copies)
    if inside:
        what = "class" if len(inside) == 1 else "classes"
        text.append(f", among them {what} {_joined(inside)}", style="bold")
    saved = count_text(copies.saved_lines, "more line" if inside else "line")
    score = "" if copies.score >= 1 else f", score {part_text(copies.score)}"
    text.append(f"; {saved} could be saved{score}", style="dim")
    if copies.within is not None:
        text.append(f"; others like them in class {copies.within}", style="dim")
    return text


def _joined(numbers: Sequence[int]) -> str:
    words = [f"{number:,}" for number in numbers]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _place(region: CodeRegion, *, new: bool = False) -> Text:
    text = Text(f"  {_where(region)}")
    if new:
        text.append("  new", style="bold yellow")
    if region.name:
        text.append(f"  {plain(region.name)}", style="dim")
    return text


def _where(region: CodeRegion) -> str:
    return f"{plain(region.file)}:{region.start}-{region.end}"


def _pair(scan: Scan, copies: CloneClass, new: Sequence[CodeRegion]) -> Sequence[CodeRegion]:
    """The two places that are shown: what is new beside what was there, or the first finding."""
    if new:
        known = [region for region in copies.members if region != new[0] and region not in new]
        others = known or [region for region in copies.members if region != new[0]]
        return [*others[:1], new[0]]
    own = (clone for clone in scan.findings_of(copies) if clone.clone_class == copies.number)
    clone = next(own, None)
    return copies.members[:2] if clone is None else (clone.first, clone.second)


def _side_by_side(scan: Scan, regions: Sequence[CodeRegion]) -> RenderableType:
    """The lines of code of two places; lines that differ are marked, most equal ones are folded."""
    try:
        left, right = (scan.lines_of_code(region) for region in regions)
    except CodekinError as error:
        return Text(f"  {error}", style="dim")
    table = Table(box=None, padding=(0, 1), expand=True, show_header=False)
    for column in range(5):
        wide = column in (1, 4)
        table.add_column(
            ratio=1 if wide else None,
            overflow="fold",
            justify="left" if wide or column == 2 else "right",
            style="" if wide else "dim",
        )
    table.add_row("", Text(_where(regions[0]), "dim"), "", "", Text(_where(regions[1]), "dim"))
    texts = _dedented(left), _dedented(right)
    for row in _folded(list(_aligned(left, right))):
        if isinstance(row, int):
            words = Text(f"… {count_text(row, 'equal line')}", "dim italic")
            table.add_row("", words, "", "", words)
            continue
        i, j, mark = row
        table.add_row(
            *("" if i is None else str(left[i].number), _cell(texts[0], i, mark), mark),
            *("" if j is None else str(right[j].number), _cell(texts[1], j, mark)),
        )
    return table


def _dedented(lines: Sequence[CodeLine]) -> list[str]:
    return dedent("\n".join(line.text.expandtabs(_TAB) for line in lines)).split("\n")


def _cell(lines: Sequence[str], at: int | None, mark: str) -> Text:
    return Text() if at is None else Text(plain(lines[at]), style="yellow" if mark else "")


_Row = tuple[int | None, int | None, str]


def _aligned(left: Sequence[CodeLine], right: Sequence[CodeLine]) -> Iterator[_Row]:
    """Pairs of lines, None where the other side has no partner, and a mark where they differ.

    Lines that differ only in names and values are partners.
    """
    i = j = 0
    shapes = [f"{line.shape}\n" for line in left], [f"{line.shape}\n" for line in right]
    for hunk in (*line_diff(*shapes), Hunk(len(left), len(left), len(right), len(right))):
        while i < hunk.before_start:
            same = left[i].text.split() == right[j].text.split()
            yield i, j, "" if same else "|"
            i, j = i + 1, j + 1
        while i < hunk.before_end or j < hunk.after_end:
            has_left, has_right = i < hunk.before_end, j < hunk.after_end
            mark = "|" if has_left and has_right else "<" if has_left else ">"
            yield i if has_left else None, j if has_right else None, mark
            i, j = i + has_left, j + has_right


def _folded(rows: Sequence[_Row]) -> Iterator[_Row | int]:
    """The rows, with a number in place of many equal ones."""
    begin = 0
    while begin < len(rows):
        end = begin
        while end < len(rows) and not rows[end][2]:
            end += 1
        if end - begin >= 2 * _AROUND + _FEWEST_FOLDED:
            yield from rows[begin : begin + _AROUND]
            yield end - begin - 2 * _AROUND
            yield from rows[end - _AROUND : end]
        else:
            yield from rows[begin:end]
        if end < len(rows):
            yield rows[end]
        begin = end + 1
