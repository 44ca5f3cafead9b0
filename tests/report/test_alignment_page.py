from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.report.browser import Browser, Page
from tests.report.nasty import NASTY
from tests.revisions.examples import CANDIDATE, ORIGIN, REFERENCE, example, python

from codekin import RevisionAlignment, score
from codekin.report import write_report
from codekin.report.alignment_page import page
from codekin.revisions.alignment import revision_scores
from codekin.revisions.alignment_view import view_of

NAMES = ("origin.py", "reference.py", "candidate.py")


def made(aligned: RevisionAlignment, names: tuple[str, ...] = NAMES) -> str:
    return page(aligned, view_of(aligned), revision_scores(aligned), names)


def test_the_page_needs_nothing_else() -> None:
    text = made(example())
    assert text.startswith("<!doctype html>")
    assert text == made(example())
    assert not re.findall(r"(?:src|href)=['\"](?!#|data:)", text)
    assert "<script" not in text and "http:" not in text and "https:" not in text


@pytest.mark.parametrize("nasty", NASTY)
def test_nothing_in_a_text_becomes_markup(nasty) -> None:
    text = made(python(f"x = 1  # {nasty}\n", f"x = '{nasty}'\n", f"{nasty}\n"), (nasty,) * 3)
    tags = set(re.findall(r"<(/?\w+)", text))
    assert tags <= {f"{end}{tag}" for end in ("", "/") for tag in _TAGS}
    assert "\u202e" not in text


_TAGS = {
    *("html", "head", "meta", "link", "title", "style", "body", "a", "header", "div", "svg"),
    *("circle", "span", "h1", "p", "dl", "dt", "dd", "main", "section", "h2", "table", "thead"),
    *("tr", "th", "tbody", "td", "nav", "footer", "ins", "del", "code", "b", "small"),
}


@pytest.fixture
def window(chromium: Browser) -> Iterator[Page]:
    """A window, in which nothing may go wrong and nothing may be asked of a network."""
    opened = chromium.page()
    yield opened
    assert opened.complaints() == []
    opened.close()


def test_it_reads_well_in_a_browser(window, tmp_path) -> None:
    path = tmp_path / "page.html"
    path.write_text(made(example()), encoding="utf-8")
    window.send("Page.navigate", url=path.as_uri())
    window.until("document.querySelector('.edits-head#region-5') !== null")
    assert window.text("h1") == "Two edits of origin.py"
    assert window.texts(".edits-head .say")[4] == "both replace > by <"
    assert window.texts(".edits ins.io") == [
        'raise ValueError("no values")',
        "return 0",
        "0",
        "abs(",
        ")",
    ]
    assert window.texts(".edits del.dr") == [","]
    style = "getComputedStyle(document.querySelector('{}')).textDecoration"
    kinds = (".edits ins.ia", ".of-reference ins.io", ".of-candidate ins.io", "del.da", "del.dr")
    assert len({window.run(style.format(kind)) for kind in kinds}) == 5  # told without colours
    window.press("Tab", "Tab")
    assert window.run("document.activeElement.getAttribute('href')") == "#region-1"


def test_it_fits_a_telephone(window, tmp_path) -> None:
    long = "x = " + " + ".join(f"name{i}" for i in range(60)) + "y" * 300
    path = tmp_path / "page.html"
    aligned = python(f"{long}\n", f"{long}  # {'z' * 300}\n", f"{long} + 1\n")
    path.write_text(made(aligned, ("a" * 80, "b" * 80, "c" * 80)), encoding="utf-8")
    window.send(
        "Emulation.setDeviceMetricsOverride",
        width=420,
        height=900,
        deviceScaleFactor=1,
        mobile=True,
    )
    window.send("Page.navigate", url=path.as_uri())
    window.until("document.querySelector('#region-1') !== null")
    assert window.run("document.documentElement.scrollWidth") <= 420


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("edits")
    texts = {"language": "python", "candidate": CANDIDATE, "reference": REFERENCE}
    rows = [
        {"id": "edited", "origin": ORIGIN} | texts,
        {"id": "no origin"} | texts,
        {"id": "nasty", "origin": "x = 1\n"}
        | texts
        | {"candidate": "".join(f"x = '{one}'\n" for one in NASTY)},
    ]
    run = score(rows, ["nes", "sari"], output=folder / "run", workers=0)
    return write_report(run, folder / "report.html")


def test_a_row_with_an_origin_shows_both_edits(window, report) -> None:
    window.open(report, "pair=edited&measure=sari")
    assert window.text(".edits-told").startswith("5 regions; 21 tokens changed: 9 alike")
    assert window.texts(".edits ins.io")[1] == "return 0"
    assert window.texts(".edits-head .say")[4] == "both replace > by <"
    assert window.texts(".against [aria-pressed=true]") == ["Both edits of the origin"]
    window.click(".against button:nth-child(1)")
    assert window.texts(".against [aria-pressed=true]") == ["Reference"]
    assert window.run("document.querySelectorAll('.pane').length") == 2


def test_other_measures_open_with_the_reference(window, report) -> None:
    window.open(report, "pair=edited&measure=nes")
    assert window.texts(".against [aria-pressed=true]") == ["Reference"]
    window.click(".against button:nth-child(3)")
    assert window.run("document.querySelectorAll('.edits-row').length") > 10
    assert "against=edits" in window.run("location.hash")
    window.open(report, "pair=no origin&measure=nes")
    assert window.texts(".against button") == []


def test_a_nasty_row_is_shown_as_text(window, report) -> None:
    window.open(report, "pair=nasty&measure=nes&against=edits")
    assert window.run("document.querySelectorAll('.edits-row').length") >= len(NASTY)
    assert window.run("document.querySelectorAll('.edits script, .edits img').length") == 0
