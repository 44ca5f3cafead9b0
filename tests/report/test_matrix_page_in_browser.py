"""The heatmap in a real browser: that it fits, and can be used by pointer and by keyboard."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from tests.report.many_files import matrix

from codekin.report.matrix_page import matrix_page


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = matrix(3, 4, copy=True, loose=True)
    path = tmp_path_factory.mktemp("page") / "p.html"
    path.write_bytes(matrix_page(found, folder="given"))
    return path


def test_it_fits_at_every_width_and_in_both_themes(page, report) -> None:
    colours = []
    for width, scheme in ((420, "dark"), (1400, "light")):
        page.prefer(scheme)
        page.resize(width, 900)
        page.open(report)
        assert page.run("document.documentElement.scrollWidth") <= width
        assert page.run("frame.side") > 200
        colours.append(page.run("cellColour(0.2)"))
    assert colours[0] != colours[1]
    lightness = page.run("ramp.map((one) => lab(one)[0])")
    assert all(a > b for a, b in pairwise(lightness))
    page.click("#theme")
    assert page.run("cellColour(0.2)") == colours[0]


def test_groups_are_those_of_the_command_and_follow_the_slider(page, report) -> None:
    found = matrix(3, 4, copy=True, loose=True)
    page.open(report)
    shown = page.run("groups.map((one) => [names[one.medoid], one.files.map((f) => names[f])])")
    shared = [group for group in found.groups if len(group.members) > 1]
    assert [medoid for medoid, _ in shown] == [group.medoid for group in shared]
    for (_, files), group in zip(shown, shared, strict=True):
        assert sorted(files) == sorted(group.members)
    similarities = page.run("groups.map((one) => one.similarity)")
    assert similarities == pytest.approx([group.similarity for group in shared], abs=1e-6)
    page.choose("#threshold", "0.99")
    assert page.text("#cut") == "0.990: 1 group, 11 alone"
    assert len(page.texts("#group-list li")) == 1
    page.choose("#threshold", "0")
    assert "1 group" in page.text("#groups-told")


def test_a_cell_tells_its_pair_and_opens_it(page, report) -> None:
    page.open(report)
    x, y = page.run(
        "(() => { $('plot').scrollIntoView({block: 'center'}); "
        "const box = $('base').getBoundingClientRect(); "
        "return [box.left + frame.x + 1.5 * frame.cell, box.top + frame.y + .5 * frame.cell]; })()"
    )
    page.click_at(x, y)
    first, second = page.run("[names[order[0]], names[order[1]]]")
    told = page.text("#readout")
    assert first in told
    assert second in told
    assert page.run("$('pair').open")
    assert f"codekin compare -m made:loose=True --explain given/{first} given/{second}" in (
        page.text("#pair").replace("\n", " ")
    )
    assert len(page.texts("#pair .pane")) == 2


def test_all_of_it_works_by_keyboard(page, report) -> None:
    page.open(report)
    page.run("$('plot').focus()")
    page.press("ArrowDown", "ArrowDown", "End")
    assert page.run("cursor") == [1, 12]
    assert "not exact within the budget: from 0." in page.text("#readout")
    assert page.run("$('readout').getAttribute('aria-live')") == "polite"
    page.press("+")
    assert page.run("sight.span") < 13
    assert page.run("sight.column + sight.span") == 13
    page.press("Enter")
    assert page.run("$('pair').open")
    page.press("Escape")
    page.press("0")
    assert page.run("sight.span") == 13


def test_pairs_sort_and_are_searched(page, report) -> None:
    page.open(report)
    first = "#pair-table tbody tr:first-child td:nth-child(3)"
    page.click("#pair-table th:nth-child(3) button")
    assert page.text(first) == "family0-0.py"
    page.click("#pair-table th:nth-child(3) button")
    assert page.text(first).startswith("family2")
    page.run("$('find').value = 'copy'; $('find').dispatchEvent(new Event('input'))")
    assert page.text("#found") == "1 found"
    assert page.run("[...$('pair-table').tBodies[0].rows].filter((r) => !r.hidden).length") == 12
    page.run("$('find').focus()")
    page.press("Enter")
    assert "the same text" in page.text("#readout")
