"""The clones of a scan in a terminal: class by class, with code side by side on request."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from codekin.align.line_diff import line_diff
from codekin.errors import CodekinError
from codekin.plain_text import plain
from codekin.results import count_text

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from codekin.scan import CloneClass, ClonePlace, CodeRegion, Scan

__all__ = ["print_scan"]

_MEMBERS = 10
"""Members of a class that are listed."""
_MEANINGS = {
    "T1": "copies",
    "T2": "copies with other names or values",
    "T3": "copies with changed statements",
    "T4": "rewritten copies",
}


def print_scan(
    screen: Console,
    scan: Scan,
    *,
    top: int | None = None,
    show: bool = False,
    new: Collection[ClonePlace] | None = None,
) -> None:
    """Print the classes of a scan, those that would save most lines first.

    Parameters
    ----------
    screen : Console
    scan : Scan
    top : int, optional
        The most classes that are printed (default: all).
    show : bool
        Whether to print the code of the first two members of each class side by side.
    new : collection of ClonePlace, optional
        Only print the classes of these, and mark them.
    """
    new_regions: dict[int, list[CodeRegion]] = {}
    for place in new or ():
        new_regions.setdefault(place.clone_class.number, []).append(place.region)
    classes = [one for one in scan.classes if new is None or one.number in new_regions]
    shown = classes[:top]
    for one in shown:
        screen.print(_heading(one), soft_wrap=True)
        mine = new_regions.get(one.number, [])
        for region in mine[:_MEMBERS]:
            screen.print(_place(region, new=True), soft_wrap=True)
        known = set(one.members).difference(mine)
        for region in [region for region in one.members if region in known][:_MEMBERS]:
            screen.print(_place(region), soft_wrap=True)
        if len(known) > _MEMBERS or len(mine) > _MEMBERS:
            more = max(len(known) - _MEMBERS, 0) + max(len(mine) - _MEMBERS, 0)
            screen.print(f"  and {more:,} more", style="dim")
        if show:
            screen.print(_side_by_side(scan, one.members[:2]))
        screen.print()
    if len(shown) < len(classes):
        more = len(classes) - len(shown)
        screen.print(f"{more:,} more {'class' if more == 1 else 'classes'}; see --top", style="dim")
    if new is not None and not new:
        screen.print("No new clones", style="bold")
    screen.print(scan.title, style="bold", soft_wrap=True)
    for note in scan.notes():
        screen.print(note, style="dim", soft_wrap=True)


def _heading(one: CloneClass) -> Text:
    text = Text(f"{one.number}. ", style="bold")
    text.append(f"{one.type} ", style="bold cyan")
    text.append(f"{len(one.members)} {_MEANINGS[one.type]}", style="bold")
    saved = count_text(one.saved_lines, "line")
    score = "" if one.score >= 1 else f", score {one.score:.2f}"
    text.append(f"; {saved} could be saved{score}", style="dim")
    return text


def _place(region: CodeRegion, *, new: bool = False) -> Text:
    text = Text(f"  {plain(region.file)}:{region.start}-{region.end}")
    if new:
        text.append("  new", style="bold yellow")
    if region.name:
        text.append(f"  {plain(region.name)}", style="dim")
    return text


def _side_by_side(scan: Scan, regions: Sequence[CodeRegion]) -> RenderableType:
    try:
        left, right = (scan.code_of(region) for region in regions)
    except CodekinError as error:
        return Text(f"  {error}", style="dim")
    table = Table(box=None, padding=(0, 1), expand=True, show_header=False)
    for column in range(4):
        wide = column % 2 == 1
        table.add_column(
            ratio=1 if wide else None,
            no_wrap=True,
            overflow="ellipsis" if wide else "fold",
            justify="left" if wide else "right",
            style="" if wide else "dim",
        )
    for i, j, changed in _aligned(left, right):
        table.add_row(
            *_cells(left, i, regions[0].start, changed),
            *_cells(right, j, regions[1].start, changed),
        )
    return table


def _cells(lines: Sequence[str], at: int | None, start: int, changed: bool) -> tuple[str, Text]:
    if at is None:
        return "", Text()
    return str(start + at), Text(plain(lines[at]), style="yellow" if changed else "")


def _aligned(
    left: Sequence[str], right: Sequence[str]
) -> Iterator[tuple[int | None, int | None, bool]]:
    """Pairs of lines, None where the other side has no partner, and whether they differ."""
    i = j = 0
    ends = [f"{line}\n" for line in left], [f"{line}\n" for line in right]
    for hunk in line_diff(*ends, ignore_all_space=True):
        while i < hunk.before_start:
            yield i, j, False
            i, j = i + 1, j + 1
        while i < hunk.before_end or j < hunk.after_end:
            has_left, has_right = i < hunk.before_end, j < hunk.after_end
            yield i if has_left else None, j if has_right else None, True
            i, j = i + has_left, j + has_right
    while i < len(left):
        yield i, j, False
        i, j = i + 1, j + 1
