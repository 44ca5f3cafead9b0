from __future__ import annotations

import io
import re
from typing import Any

import pytest
from rich.console import Console
from tests.revisions.examples import example, python

from codekin import RevisionAlignment
from codekin.report.alignment_terminal import legend, three_columns
from codekin.revisions.alignment_view import view_of


def drawn(aligned: RevisionAlignment, width: int, *, colors: bool = False) -> str:
    system: Any = "truecolor" if colors else None
    screen = Console(file=io.StringIO(), width=width, force_terminal=colors, color_system=system)
    screen.print(three_columns(view_of(aligned), width, colors=colors))
    return screen.file.getvalue()  # type: ignore[attr-defined, no-any-return]


@pytest.mark.parametrize("width", [100, 133, 160])
def test_columns_stand_straight(width) -> None:
    rows = [line for line in drawn(example(), width).splitlines() if " │ " in line]
    assert {(line.index(" │ "), line.index(" │ ", line.index(" │ ") + 1)) for line in rows} == {
        ((width - 6) // 3, 2 * ((width - 6) // 3) + 3)
    }


def test_long_lines_are_folded_and_nothing_is_lost() -> None:
    words = " + ".join(f"name{i}" for i in range(40))
    aligned = python(f"x = {words}\n", f"x = {words} + y\n", f"x = {words} + z\n")
    for width in (60, 120):
        told = drawn(aligned, width)
        assert all(len(line) <= width for line in told.splitlines())
        assert told.count("name17") == 3
        assert told.count("{+y+}") == told.count("{+z+}") == 1


def test_wide_characters_and_tabs_keep_the_columns() -> None:
    told = drawn(python("x = '漢字漢字'\n", "x = '漢字漢'\n", "if x:\n\ty\n"), 100)
    screen = Console(width=100)
    for line in told.splitlines():
        assert screen.measure(line).maximum <= 100


def test_control_characters_are_shown_by_name() -> None:
    told = drawn(python("x = '\x1b[31m'\n", "x = '\u202e'\n", "x = 1\n"), 120)
    assert "\x1b" not in told and "\u202e" not in told
    assert "␛" in told and "<U+202E>" in told


def test_colours_differ_by_who_did_it() -> None:
    told = drawn(python("f(a)\n", "f(b)\n", "f(c, d)\n"), 80, colors=True)
    grounds = re.findall(r"48;[\d;]+m", told)
    assert len(grounds) == len(set(grounds)) == 3  # deleted by both, and inserted by each
    assert "[=" not in told and "{+" not in told


def test_the_legend_names_what_occurs() -> None:
    view = view_of(python("a\n", "a\nb\n", "a\nb\n"))
    assert [line.plain for line in legend(view, colors=False)] == ["{=x=} inserted by both"]
    assert legend(view_of(python("a\n", "a\n", "a\n")), colors=True) == []
    both = view_of(python("a\n", "a\nb\n", "a\nc\n"))
    assert "inserted by the reference only" in legend(both, colors=True)[0].plain
    assert "inserted by this one only" in legend(both, colors=False)[0].plain
