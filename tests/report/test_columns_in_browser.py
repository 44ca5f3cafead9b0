"""The table of means under many measures, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.report.browser import Page

from codekin import measure_names, score
from codekin.report import write_report

WIDE, NARROW = 1400, 420


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("columns")
    rows = [
        {
            "id": f"{name}-{i}",
            "group": name,
            "language": "python",
            "origin": f"a = {i}\n",
            "candidate": f"a = {i + step}\nb = {step}\n",
            "reference": f"a = {i + 1}\nb = 1\n",
        }
        for step, name in enumerate(("organisation/model-7b-instruct-lora", "a-second-model-13b"))
        for i in range(6)
    ]
    run = score(rows, measure_names(), output=folder / "run", workers=0)
    assert len(run.measures) >= 19
    return write_report(run, folder / "r.html", explain=0)


def width(page: Page, wide: int) -> None:
    page.send(
        "Emulation.setDeviceMetricsOverride",
        width=wide,
        height=900,
        deviceScaleFactor=1,
        mobile=False,
    )


def visible(page: Page) -> list[str]:
    found: list[str] = page.run(
        "[...document.querySelectorAll('#means thead [data-column]')]"
        ".filter((head) => !head.hidden).map((head) => head.dataset.column)"
    )
    return found


def test_nineteen_measures_fit_a_screen(page, report) -> None:
    width(page, WIDE)
    page.open(report)
    table = "document.querySelector('#means')"
    assert page.run(f"{table}.getBoundingClientRect().width") <= page.run(
        f"{table}.parentElement.clientWidth + 6"
    )
    assert len(visible(page)) >= 19


def test_a_small_screen_scrolls_the_table_and_not_the_page(page, report) -> None:
    width(page, NARROW)
    page.open(report)
    assert page.run("document.documentElement.scrollWidth") <= NARROW
    assert page.run("document.querySelector('#means').parentElement.clientWidth") <= NARROW


def test_the_reader_chooses_the_columns(page, report) -> None:
    page.open(report)
    every = visible(page)
    page.run("document.querySelector('#columns summary').focus()")
    page.press("Enter")
    assert page.run("document.querySelector('#columns').open")
    page.run("document.querySelector('#columns-none').click()")
    assert visible(page) == []
    page.run("document.querySelector('#columns input[value=\"es\"]').focus()")
    page.run("document.activeElement.click()")
    assert visible(page) == ["es"]
    assert page.text("#columns-told") == f"(1 of {len(every)})"
    cells = page.run(
        "[...document.querySelectorAll('#means tbody tr')].map((row) =>"
        "[...row.querySelectorAll('[data-value]')].filter((cell) => !cell.hidden).length)"
    )
    assert cells == [1, 1]
    assert "column=es" in page.run("location.hash")
    page.run("document.querySelector('#columns-all').click()")
    assert visible(page) == every
    assert "column" not in page.run("location.hash")


def test_the_address_holds_the_columns(page, report) -> None:
    page.open(report, "column=es&column=bleu")
    assert visible(page) == ["bleu", "es"]
    page.run("document.querySelector('[data-rank=\"bleu\"] button').click()")
    assert visible(page) == ["bleu", "es"]
