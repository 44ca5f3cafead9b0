"""Probabilities in a report: systems, rows, warnings and the card of the calibration."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.evaluation.tested_edits import edits
from tests.report.browser import Page

from codekin import CalibratedScores, Run, apply_calibration, calibrate, score, summarize
from codekin.report import write_report
from codekin.report.probability_section import probability_section
from codekin.report.run_scores import gather


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, CalibratedScores]:
    calibration = calibrate(edits(400, tasks=100), "nes", task="task", workers=0, name="mine")
    place = tmp_path_factory.mktemp("probabilities") / "run"
    rows = edits(60, tasks=30, seed=5, harder=0.8)
    run = score(rows, ["nes", "bleu"], workers=0, output=place)
    return run, apply_calibration(run, calibration, keep=True)


def test_systems_have_their_mean_p_next_to_their_scores(made) -> None:
    run, found = made
    section, notes = probability_section(gather(run), 0)
    assert section.title == "Probabilities by the calibration mine"
    assert notes == found.notes()
    [grid] = section.content
    whole, first, second = grid.cells
    values = run.values("nes")
    assert whole[1:6] == (60, 0, found.groups[0].p, found.groups[0].interval, values.mean())
    assert [first[0], second[0]] == ["model 0", "model 1"]
    assert first[3:6] == (found.groups[1].p, found.groups[1].interval, values[::2].mean())
    warnings = [part.text for part in section.parts if part.alarming]
    assert warnings == found.warnings()
    assert "these rows are unlike those of mine" in warnings[0]
    card = section.parts[-1]
    assert card.folded
    assert [grid.title for grid in card.content] == [
        "Fitted on",
        "Judged on rows that were held out",
    ]
    assert "A logistic model of the scores by nes" in card.text
    # Judgements have their intervals.
    assert all(cell is not None for cell in card.content[1].cells[0])


def test_a_run_without_a_calibration_has_none(made, scored, tmp_path) -> None:
    row = {"language": "python", "candidate": "x", "reference": "y"}
    plain = scored([row], ["nes"], name="plain")
    assert probability_section(gather(plain), 0) is None
    assert gather(plain).chances == {}
    page = write_report(plain, tmp_path / "page.html").read_text()
    assert "Probabilities" not in page
    both = gather([made[0], plain])
    assert np.isfinite(both.chances["p"]).sum() == 60
    assert np.isnan(both.chances["p"][60:]).all()
    assert probability_section(both, 0)[0].title == "run: probabilities by the calibration mine"


@pytest.mark.parametrize(
    "note",
    [
        {"calibration": "mine", "level": 0.95, "mean": 0.5, "ends": [0.4, 0.6]},
        {"calibration": "mine", "level": 0.95, "groups": 3, "warnings": [], "notes": []},
        {
            "calibration": "mine",
            "level": None,
            "groups": [[]],
            "warnings": 1,
            "card": [],
            "notes": [],
        },
    ],
)
def test_a_note_that_is_not_as_expected_leaves_the_rows_their_p(scored, note, tmp_path) -> None:
    row = {"language": "python", "candidate": "x", "reference": "y"}
    run = scored([row], ["nes"])
    run.keep_chances(*(np.array([value]) for value in (0.5, 0.4, 0.6)), note)
    scores = gather(run)
    assert probability_section(scores, 0) is None
    assert scores.chances["p"].tolist() == [0.5]
    assert summarize(run).expected is None
    assert write_report(run, tmp_path / "page.html").exists()


def test_a_summary_has_the_expected_rates(made) -> None:
    run, found = made
    plain, by = summarize(run), summarize(run, "group")
    of_all, by_group = (
        next(grid for grid in summary.grids() if grid.title == "Expected rate by mine")
        for summary in (plain, by)
    )
    assert len(of_all.cells) == 1
    assert [row[3] for row in by_group.cells] == [group.p for group in found.groups]
    assert set(found.warnings()) <= set(plain.warnings())
    assert plain.to_json().count('"calibration"') == 1


def test_rows_show_their_p_in_the_list_and_in_detail(made, page: Page, tmp_path: Path) -> None:
    run, found = made
    page.open(write_report(run, tmp_path / "page.html", explain=3))
    assert "Probabilities by the calibration mine" in page.text("#probabilities")
    assert "these rows are unlike those of mine" in page.text("#probabilities")
    gap = page.run(
        "(() => { const box = document.querySelector('#probabilities .alarm'); "
        "const above = box.previousElementSibling.getBoundingClientRect(); "
        "return box.getBoundingClientRect().top - above.bottom; })()"
    )
    assert gap > 8, "the warning touches the table"
    first = page.texts("#items li")[0]
    assert " · p 0." in first or " · p 1." in first
    page.choose("#sort", "p")
    page.settle()
    shown = [float(text) for text in page.texts("#items .value")]
    order = np.sort(found.p)
    assert shown[0] == pytest.approx(order[-1], abs=0.001) or shown[0] == pytest.approx(
        order[0], abs=0.001
    )
    page.click("#items li:first-child")
    page.settle()
    at = int(np.argmin(np.abs(found.p - shown[0])))
    assert f"p {found.p[at]:.2f} [{found.low[at]:.2f}, {found.high[at]:.2f}]" in page.text(
        "#detail .meta"
    )
