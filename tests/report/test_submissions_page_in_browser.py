"""The page of a class in a real browser: pairs open, blocks are linked, and all of it fits."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.report.classroom import classroom


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    long = {"long.c": "int pad;\n" * 120 + "int cube(int v) { return v * v * v + 4711; }\n" * 3}
    found = classroom(folder, long | {"longer.c": "// x\n" * 90 + long["long.c"]})
    found.to_html(folder / "class.html")
    return folder / "class.html"


def pair_of(page, *names: str) -> int:
    found = page.run(f"about.pairs.findIndex((one) => one.join() === '{','.join(names)}')")
    assert found >= 0
    return int(found)


def test_it_fits_at_every_width_and_in_both_themes(page, report) -> None:
    for width, scheme in ((420, "dark"), (1400, "light")):
        page.prefer(scheme)
        page.resize(width, 900)
        page.open(report)
        assert page.run("document.documentElement.scrollWidth") <= width
        page.open(report, "pair-0")
        page.until("$('pair').open")
        for name in (".codes", ".blocks", ".steps"):
            right = f"document.querySelector('#pair {name}').getBoundingClientRect().right"
            assert page.run(right) <= width


def test_a_pair_opens_and_the_next_one_follows(page, report) -> None:
    page.open(report)
    page.click("#pair-table tbody tr:first-child td:nth-child(3) a")
    page.until("opened !== null")
    first = page.text("#pair-title")
    assert first == " and ".join(page.run("about.pairs[0]"))
    assert page.texts("#pair .pane h4 b") == page.run("about.pairs[0]")
    assert not page.run("document.querySelector('#pair details').open")
    page.click("#pair .next")
    page.until("opened.number === 1")
    assert page.text("#pair-title") == " and ".join(page.run("about.pairs[1]"))
    page.press("ArrowLeft")
    page.until("opened.number === 0")
    assert page.run("document.querySelector('.previous').disabled")
    page.press("Escape")
    assert not page.run("$('pair').open")
    assert page.run("location.hash") == ""


def test_a_block_leads_to_its_other_side(page, report) -> None:
    page.open(report)
    number = pair_of(page, "dora", "zoe")
    page.open(report, f"pair-{number}")
    page.until("opened !== null")
    second = "#pair .pane:last-child"
    colours = "(side) => [...new Set([...opened.listings[side].querySelectorAll('mark.evidence')]"
    colours += ".map((one) => one.dataset.region + one.className.replace(/ now/, '')))].sort()"
    assert page.run(f"({colours})(0)") == page.run(f"({colours})(1)")
    page.click("#pair .pane:first-child mark[data-region='2']")
    assert page.run("opened.region") == 2
    assert "return q * q * q;" in "".join(page.texts(f"{second} mark.now"))
    pressed = page.texts("#pair .blocks button[aria-pressed='true']")
    assert len(pressed) == 1
    assert not page.run("[...document.querySelectorAll('#pair mark .c, #pair mark.c')].length")
    assert "int cube(int v)" not in page.texts(f"{second} mark")
    assert page.run("document.querySelectorAll('#pair mark.starter').length") > 2
    assert not page.run("document.querySelectorAll('#pair mark.starter[data-region]').length")


def test_both_programs_scroll_together(page, report) -> None:
    page.open(report)
    number = pair_of(page, "long", "longer")
    page.open(report, f"pair-{number}")
    page.until("opened !== null")
    page.run("opened.quiet.clear(), opened.listings[0].scrollTop = 0")
    page.settle()
    before = page.run("opened.listings[1].scrollTop")
    page.run("opened.quiet.clear(), opened.listings[0].scrollTop = 1500")
    page.settle()
    page.until(f"opened.listings[1].scrollTop > {before}")
    page.run("$('together').click(), opened.quiet.clear(), opened.listings[0].scrollTop = 0")
    page.settle()
    assert page.run("opened.listings[1].scrollTop") > before
    page.run("$('together').click()")


def test_pairs_are_filtered_and_the_graph_leads_to_them(page, report) -> None:
    page.open(report)
    page.run("$('find').value = 'zo'; $('find').dispatchEvent(new Event('input'))")
    assert page.run("listed().every((pair) => about.pairs[pair].includes('zoe'))")
    assert page.text("#found").endswith(f"of {page.run('rows.length')}")
    page.click("#everyone")
    assert page.run("listed().length === rows.length")
    page.click("#only-suspicious")
    assert page.run("listed().every((pair) => about.suspicious[pair])")
    page.click("#only-suspicious")
    page.run(
        "document.querySelector('.students .node[data-name=dora]')"
        ".dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    )
    assert page.run("listed().every((pair) => about.pairs[pair].includes('dora'))")
    page.click(".groups .only")
    assert page.run("listed().length") >= 1
    page.run("location.hash = document.querySelector('.students a.strong').getAttribute('href')")
    page.until("opened !== null && about.suspicious[opened.number]")
