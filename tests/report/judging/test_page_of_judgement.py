from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.report.judging.judgements import (
    CONSTANT,
    card,
    no_correlations,
    outcome_judgement,
    triplet_judgement,
    without_values,
)
from tests.report.judging.parts import content, part
from tests.report.nasty import NASTY
from tests.report.reading import Report

from codekin import CodekinError, Run, score
from codekin.evaluation.card import evaluate_card
from codekin.evaluation.outcomes import evaluate_outcomes
from codekin.evaluation.triplets import evaluate_triplets
from codekin.report import write_report
from codekin.report.run_page import judgement_of, sections_of
from codekin.report.run_scores import gather
from codekin.results import Grid

KINDS = {"triplets": triplet_judgement, "outcomes": outcome_judgement, "card": card}


@contextmanager
def judged(*judgements: Any) -> Iterator[None]:
    """Runs are judged so, in their order, whatever is in them."""
    coming = list(judgements)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("codekin.report.run_page.judgement_of", lambda run: coming.pop(0))
        yield


def page_of(judgement: Any, run: Run, path: Path, **more: Any) -> Report:
    with judged(judgement):
        return Report(write_report(run, path, explain=0, **more))


@pytest.fixture(scope="module")
def reports(demo_run: Run, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Report]:
    """A report of each kind of judgement."""
    folder = tmp_path_factory.mktemp("judged")
    return {kind: page_of(make(), demo_run, folder / kind) for kind, make in KINDS.items()}


def section_of(report: Report) -> str:
    found = re.search(r'<section id="judgement".*?</section>', report.page, re.DOTALL)
    assert found
    return found.group()


@pytest.mark.parametrize("view", [None, "absent"])
def test_a_plain_run_has_no_judgement(view, demo_run) -> None:
    run = Run(demo_run.path)
    if view is None:
        run.manifest["asked"]["view"] = None
    assert judgement_of(run) is None
    assert sections_of(gather(run)) == []


def test_a_run_of_another_kind_is_an_error(demo_run) -> None:
    run = Run(demo_run.path)
    run.manifest["asked"]["view"] = {"kind": "prophecy"}
    with pytest.raises(CodekinError, match="was made for 'prophecy'"):
        judgement_of(run)


def test_a_plain_report_has_nothing_of_judgements(demo_run, tmp_path) -> None:
    page = write_report(demo_run, tmp_path / "r.html").read_text(encoding="utf-8")
    assert "judgement" not in page
    assert ".forest" not in page


@pytest.mark.parametrize("kind", KINDS)
def test_a_judgement_stands_above_the_overview(kind, reports) -> None:
    report = reports[kind]
    sections = [a["id"] for tag, a in report.tags if tag == "section"]
    assert sections[:2] == ["judgement", "overview"]
    assert '<a href="#judgement">Judgement</a>' in report.page
    assert "codekin report --costs" in report.page
    assert "twice the same" not in report.page


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_judgement_gives_the_same_bytes(kind, reports, demo_run, tmp_path) -> None:
    again = page_of(KINDS[kind](), demo_run, tmp_path / "again.html")
    assert again.page == reports[kind].page


@pytest.mark.parametrize("kind", KINDS)
def test_tables_have_headers_pictures_words_and_ids_are_unique(kind, reports) -> None:
    report = reports[kind]
    assert all("scope" in a for tag, a in report.tags if tag == "th")
    pictures = [a for tag, a in report.tags if tag == "svg" and a.get("role") == "img"]
    assert len(pictures) > 5
    assert all(a.get("aria-label") for a in pictures)
    ids = [a["id"] for _, a in report.tags if a.get("id")]
    assert len(ids) == len(set(ids))
    known = set(ids)
    for _, attributes in report.tags:
        if attributes.get("aria-labelledby"):
            assert attributes["aria-labelledby"] in known


def test_marks_have_titles(reports) -> None:
    for report in reports.values():
        page = section_of(report)
        marks = re.findall(r'<g class="mark (?:main|diamond|square|bar-\d)"><(\w+)', page)
        keys = page.count('class="shape"')
        assert marks.count("title") >= len(marks) - keys


@pytest.mark.parametrize("kind", KINDS)
def test_costs_are_measured_when_asked_for(kind, demo_run, tmp_path) -> None:
    names = [one.label for one in demo_run.measures]
    report = page_of(KINDS[kind](names=names), demo_run, tmp_path / "r.html", costs=True)
    assert "Cost against quality" in report.page
    assert "time per pair" in report.page
    assert "codekin report --costs" not in report.page


def test_several_runs_have_a_section_each(tmp_path) -> None:
    rows = [{"id": f"t{i}/negative", "candidate": "a", "reference": "b"} for i in range(3)]
    runs = [score(rows, ["nes"], output=tmp_path / n, workers=0) for n in ("a", "<b>", "c")]
    with judged(triplet_judgement(names=["nes"]), None, outcome_judgement(names=["nes"])):
        report = Report(write_report(runs, tmp_path / "r.html", explain=0))
    sections = [a["id"] for tag, a in report.tags if tag == "section"]
    assert sections[:3] == ["judgement", "judgement-2", "overview"]
    assert "a: Which measures tell right from wrong" in report.page
    assert "c: Which measures follow the outcome" in report.page
    assert 'href="#pair=t1%2Fnegative&amp;measure=nes&amp;row=2"' in report.page


def missing(kind: str) -> Any:
    """A judgement without a single value in it."""
    if kind == "triplets":
        made = triplet_judgement(measures=2, pairs=2)

        def gone(view):
            effects = tuple(map(without_values, view.measures))
            return replace(view, measures=effects, length=without_values(view.length))

        nothing = np.full((3, 3), np.nan)
        return replace(
            made,
            overall=gone(made.overall),
            pairs=tuple(map(gone, made.pairs)),
            correlation=replace(made.correlation, scores=nothing, effects=nothing),
            wrong={},
        )
    if kind == "outcomes":
        made = outcome_judgement(measures=2)
        effects = [
            replace(one, every=no_correlations(), without_unchanged=None, perturbed=())
            for one in (*made.measures, made.length)
        ]
        return replace(made, measures=tuple(effects[:2]), length=effects[2], wrong={})
    made = card(measures=2)
    bare = [replace(one, changes=(), by_language=(), reason=CONSTANT) for one in made.measures]
    return replace(made, measures=tuple(bare))


@pytest.mark.parametrize("kind", KINDS)
def test_no_page_says_nan(kind, demo_run, tmp_path) -> None:
    page = section_of(page_of(missing(kind), demo_run, tmp_path / "r.html"))
    assert CONSTANT in page
    assert not re.search(r"\b(?:nan|inf|None)\b", page)


@pytest.mark.parametrize("kind", KINDS)
def test_thirty_measures_are_all_there(kind, demo_run, tmp_path) -> None:
    more = {"pairs": 12} if kind == "triplets" else {}
    report = page_of(KINDS[kind](measures=30, **more), demo_run, tmp_path / "r.html")
    assert report.page.count("smooth=<wbr>add-one") >= 21
    assert len(report.page) < 3_000_000


@pytest.mark.parametrize("kind", KINDS)
def test_names_stay_text(kind, demo_run, tmp_path) -> None:
    plain = page_of(KINDS[kind](names=["a"] * len(NASTY)), demo_run, tmp_path / "plain.html")
    nasty = page_of(KINDS[kind](names=NASTY), demo_run, tmp_path / "nasty.html")
    tags = [[tag for tag, _ in one.tags if tag in ("script", "img", "b")] for one in (plain, nasty)]
    assert tags[0].count("script") == tags[1].count("script")
    assert "img" not in tags[1]
    assert "{{ 1 + 1 }}" in nasty.page


def test_measured_costs_are_of_this_run(demo_run, tmp_path) -> None:
    with judged(triplet_judgement(names=["nes", "bleu"])):
        [section] = sections_of(gather(demo_run), costs=True)
    [grid] = content(part(section.section, "Cost against quality"), Grid)
    assert {row[0] for row in grid.rows} == {"nes", "bleu"}


CODE = (
    "def f(x):\n    total = {}\n    for i in range(x):\n        total += i * {}\n    return total\n"
)


def triplets() -> list[dict[str, Any]]:
    def text(start: int, factor: int) -> dict[str, str]:
        return {"language": "python", "code": CODE.format(start, factor)}

    return [
        {
            "id": f"t{i}",
            "problem": f"p{i % 4}",
            "anchor": text(0, i + 2),
            "positive": text(0, i + 3),
            "negative": text(i + 1, 9 - i % 3),
        }
        for i in range(12)
    ]


def test_a_run_of_triplets_is_shown_with_its_judgement(tmp_path) -> None:
    evaluate_triplets(triplets(), ["nes", "bleu"], output=tmp_path / "run", workers=0, resamples=50)
    first = write_report(tmp_path / "run", tmp_path / "a.html", explain=0).read_bytes()
    assert b"Which measures tell right from wrong" in first
    assert b'href="#pair=t0%2F' in first
    assert write_report(tmp_path / "run", tmp_path / "b.html", explain=0).read_bytes() == first


def test_a_run_of_outcomes_is_shown_with_its_judgement(tmp_path) -> None:
    rows = [
        {
            "id": str(i),
            "group": f"g{i % 3}",
            "language": "python",
            "origin": CODE.format(7, 7),
            "reference": CODE.format(0, i // 4),
            "candidate": CODE.format(0, i // 4 + i % 2 * 11),
            "outcome": 1 - i % 2,
        }
        for i in range(24)
    ]
    evaluate_outcomes(
        rows,
        ["nes", "exact"],
        perturb="prefix:50-60",
        output=tmp_path / "run",
        workers=0,
        resamples=50,
    )
    page = write_report(tmp_path / "run", tmp_path / "r.html", explain=0).read_text("utf-8")
    assert "Which measures follow the outcome" in page
    assert "after prefix:50-60" in page
    assert "rows pass (" in page
    plain = score(rows, ["nes"], output=tmp_path / "plain", workers=0)
    assert judgement_of(plain) is None  # outcomes alone ask for no judgement


def test_a_run_of_a_card_is_shown_with_its_judgement(tmp_path) -> None:
    programs = [{"id": str(i), "language": "python", "code": CODE.format(i, 2)} for i in range(6)]
    evaluate_card(programs, ["nes", "exact"], output=tmp_path / "run", workers=0, resamples=50)
    first = write_report(tmp_path / "run", tmp_path / "a.html", explain=0).read_bytes()
    assert b"How each measure reacts to changes" in first
    assert b"Cost of a pair, by the median size" not in first
    assert write_report(tmp_path / "run", tmp_path / "b.html", explain=0).read_bytes() == first
    timed = write_report(tmp_path / "run", tmp_path / "c.html", explain=0, costs=True)
    assert b"Cost of a pair, by the median size" in timed.read_bytes()
