"""Judgements in a real browser: what their reader sees, chooses and follows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.report.judging.judgements import card, outcome_judgement, triplet_judgement
from tests.report.nasty import NASTY

from codekin import Run, score
from codekin.report import write_report

MEASURES = ["nes", "bleu", "ed"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    rows = [
        {
            "id": f"t{i}/{role}",
            "group": role,
            "language": "python",
            "candidate": f"a = {i}\nprint(a{more})\n",
            "reference": f"a = {i}\nprint(a)\n",
            "outcome": role == "positive",
        }
        for i in range(12)
        for role, more in (("positive", ""), ("negative", " + 1"))
    ]
    folder = tmp_path_factory.mktemp("judged") / "run"
    return score(rows, MEASURES, output=folder, workers=0)


def written(judgement: Any, run: Run, path: Path, **more: Any) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("codekin.report.run_page.judgement_of", lambda run: judgement)
        return write_report(run, path, explain=0, **more)


@pytest.fixture(scope="module")
def triplets(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    judgement = triplet_judgement(names=MEASURES, pairs=4, leaks=3)
    return written(judgement, run, tmp_path_factory.mktemp("page") / "r.html", costs=True)


WIDE = {
    "triplets": lambda: triplet_judgement(measures=30, pairs=12, leaks=30),
    "outcomes": lambda: outcome_judgement(measures=30, groups=40),
    "card": lambda: card(measures=30, languages=5),
    "names": lambda: triplet_judgement(names=["x" * 90, *NASTY], pairs=2),
}


@pytest.mark.parametrize(
    ("kind", "scheme"),
    [("triplets", "light"), ("outcomes", "dark"), ("card", "light"), ("names", "dark")],
)
def test_nothing_is_wider_than_the_page(page, run, tmp_path, kind, scheme) -> None:
    report = written(WIDE[kind](), run, tmp_path / "r.html")
    page.prefer(scheme)
    for width in (420, 1280):
        page.resize(width, 900)
        page.open(report)
        page.run(
            "document.querySelectorAll('#judgement details').forEach((d) => { d.open = true; })"
        )
        assert page.run("document.documentElement.scrollWidth") <= width
        tall = "[...document.querySelectorAll('#judgement .strip')]"
        widths = page.run(f"{tall}.map((node) => node.getBoundingClientRect().width)")
        assert min(one for one in widths if one) > 100


def test_a_language_pair_is_chosen_by_keyboard(page, triplets) -> None:
    page.open(triplets)
    shown = "[...document.querySelectorAll('.choice')].filter((one) => one.offsetHeight)"
    names = f"{shown}.map((one) => one.dataset.name)"
    assert page.run(names) == ["all triplets", "nes"]
    page.run("document.querySelector('.chooser select').focus()")
    page.press("ArrowDown")
    assert page.run(names) == ["python", "nes"]
    page.choose(".chooser select", "3")
    assert page.run(names) == ["c", "nes"]


def test_a_wrong_triplet_opens_in_the_browser(page, triplets) -> None:
    page.open(triplets)
    wrong = "[...document.querySelectorAll('.choice')].find((one) => one.dataset.name === 'nes')"
    page.run(f"{wrong}.querySelectorAll('tbody tr')[2].querySelectorAll('a')[1].click()")
    page.until("document.querySelector('#detail h3').innerText === 't2/negative'")
    assert page.text("#detail [aria-selected=true]").startswith("nes")
    page.run("document.querySelector('.alarm a').click()")
    page.until("document.querySelector('#detail h3').innerText === 't0/negative'")


def test_a_cell_of_the_matrix_fills_the_scatter_plot(page, triplets) -> None:
    page.open(triplets)
    page.run("document.querySelector('#judgement .matrix td a').click()")
    page.until("document.querySelector('#x').value === 'bleu'")
    assert page.run("document.querySelector('#y').value") == "nes"


def test_leaks_cannot_be_overlooked(page, triplets) -> None:
    page.open(triplets)
    assert page.text(".alarm h3") == "3 leaks: roles that hold the same text"
    top = page.run("document.querySelector('.alarm').getBoundingClientRect().top + scrollY")
    assert top < page.run("document.querySelector('.forest').getBoundingClientRect().top + scrollY")


def test_without_a_script_everything_is_there(page, triplets) -> None:
    page.send("Emulation.setScriptExecutionDisabled", value=True)
    page.send("Page.navigate", url=triplets.as_uri())
    page.until("document.readyState === 'complete' && document.querySelector('footer') !== null")
    assert page.run("[...document.querySelectorAll('.choice')].every((one) => one.offsetHeight)")
    assert page.texts(".choice > h4")[:3] == ["all triplets", "python", "java"]
    page.send("Emulation.setScriptExecutionDisabled", value=False)


def test_pictures_stay_inside_of_their_cards(page, triplets) -> None:
    for width in (420, 1280):
        page.resize(width, 900)
        page.open(triplets)
        beyond = page.run(
            "[...document.querySelectorAll('#judgement .card svg text')].filter((text) => {"
            " const box = text.getBoundingClientRect();"
            " const card = text.closest('.card').getBoundingClientRect();"
            " return box.left < card.left || box.right > card.right; }).length"
        )
        assert beyond == 0


def test_it_prints(page, triplets, tmp_path) -> None:
    page.open(triplets)
    page.pdf(tmp_path / "r.pdf")
    assert (tmp_path / "r.pdf").read_bytes().startswith(b"%PDF")
