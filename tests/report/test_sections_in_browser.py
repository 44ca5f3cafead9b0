"""Sections of results in a real browser, on a desk and on a phone."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.report.browser import Page

from codekin.report.render import page_of
from codekin.results import Column, Forest, ForestRow, Grid, Interval, Mark, Section, ShownAs

INTERVAL = Interval(-0.0026, 0.1866)


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    """A page with a forest plot above a table of numbers."""
    rows = [
        ForestRow(ShownAs(name, name), (Mark("main", value, "", (INTERVAL,)),))
        for name, value in (("codebleu", 0.1), ("cross-functionality", 0.15))
    ]
    forest = Forest(title="f", label="functionality", head="share of snippets", rows=tuple(rows))
    columns = ("functionality", "wins", "value", Column("95 % interval", sign=True), "p")
    cells = tuple((row.name.text, "26/8/6", 0.1, INTERVAL, 0.01) for row in rows)
    path = tmp_path_factory.mktemp("page") / "r.html"
    path.write_text(page_of(Section("A result", content=(forest, Grid("", columns, cells))), []))
    return path


def opened(page: Page, path: Path, width: int) -> None:
    page.resize(width, 900)
    page.send("Page.navigate", url=path.as_uri())
    page.until("location.protocol === 'file:' && document.readyState === 'complete'")


@pytest.mark.parametrize("width", [1400, 420])
def test_the_numbers_of_an_axis_are_above_its_lines(page, result, width) -> None:
    opened(page, result, width)
    ticks, lines = (
        page.run(
            f"[...document.querySelectorAll('{which}')].map((node) => {{ "
            "const box = node.getBoundingClientRect(); return (box.left + box.right) / 2; })"
        )
        for which in (".strip.axis .tick", "tbody tr:first-child .strip .grid")
    )
    assert len(ticks) == len(lines) > 2
    assert ticks == pytest.approx(lines, abs=1)


def test_a_phone_shows_words_and_numbers_whole(page, result) -> None:
    opened(page, result, 420)
    assert page.run("document.documentElement.scrollWidth <= innerWidth")
    lines = page.run(
        "[...document.querySelectorAll('.numbers td > span, .numbers thead span')].map((node) => "
        "node.getClientRects().length)"
    )
    assert set(lines) == {1}
