from __future__ import annotations

import pytest

from codekin import Score, Source, measure
from codekin.report.terminal import bar, compact_parts, header
from codekin.source import NamedSource


def scored(parts: dict[str, float], bounds: tuple[float, float] | None = None) -> Score:
    source = Source("x", "python")
    return Score(measure("nes"), 0.5, parts, source, source, bounds=bounds)


@pytest.mark.parametrize(("share", "shown"), [(0, ""), (1, "████"), (0.5, "██"), (0.03125, "▏")])
def test_bars(share, shown) -> None:
    assert bar(share, 4) == shown.ljust(4)


def test_runs_of_parts_are_one_entry() -> None:
    parts = {"precision_1": 0.5, "precision_2": 0.25, "brevity_penalty": 1, "length": 1200}
    assert compact_parts(scored(parts)) == "precision 0.5/0.25  brevity penalty 1  length 1,200"


def test_what_is_not_exact_says_so() -> None:
    assert compact_parts(scored({}, (0.5, 0.75))) == "not exact: from 0.5 to 0.75"
    assert compact_parts(scored({})) == ""


def test_names_of_files_cannot_move_the_cursor() -> None:
    one = NamedSource("a\x1b[2J.py", Source("x", "python"), 1)
    assert header(one, [one]).plain.startswith("a␛[2J.py (Python, 1 bytes)")
