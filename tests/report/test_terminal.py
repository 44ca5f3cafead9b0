from __future__ import annotations

import io

import pytest
from rich.console import Console

from codekin import Score, Source, compare, measure
from codekin.measures.comparing import parts_text
from codekin.report.terminal import bar, score_table


def scored(parts: dict[str, float], bounds: tuple[float, float] | None = None) -> Score:
    source = Source("x", "python")
    return Score(measure("nes"), 0.5, parts, source, source, bounds=bounds)


@pytest.mark.parametrize(("share", "shown"), [(0, ""), (1, "████"), (0.5, "██"), (0.03125, "▏")])
def test_bars(share, shown) -> None:
    assert bar(share, 4) == shown.ljust(4)


def test_runs_of_parts_are_one_entry() -> None:
    parts = {"precision_1": 0.5, "precision_2": 0.25, "brevity_penalty": 1, "length": 1200}
    assert parts_text(scored(parts)) == "precision 0.5/0.25  brevity penalty 1  length 1,200"


def test_what_is_not_exact_says_so() -> None:
    assert parts_text(scored({}, (0.5, 0.75))) == "not exact: from 0.5 to 0.75"
    assert parts_text(scored({})) == ""


def test_the_table_has_bars_except_for_distances() -> None:
    comparison = compare("x = 1", "x = 2", language="python", measures="nes,ed")
    console = Console(file=io.StringIO(), width=100)
    console.print(score_table(comparison.grids()[0]))
    lines = console.file.getvalue().splitlines()
    assert [line.split()[:3] for line in lines[3:5]] == [
        ["nes", "0.8000", "████████"],
        ["ed", "1", "distance"],
    ]
