from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.report.synthetic import synthetic_run

from codekin import score
from codekin.report.choice import affordable, choose_rows, likeness, most_disputed
from codekin.report.run_scores import Scores, gather


@pytest.fixture(scope="module")
def scores(tmp_path_factory) -> Scores:
    folder = tmp_path_factory.mktemp("choice") / "run"
    return gather(synthetic_run(folder, 3000, ("ed", "nes", "tsed")))


def test_few_rows_are_all_chosen(scores) -> None:
    assert choose_rows(scores, 3000).tolist() == list(range(3000))


def test_the_choice_is_the_same_each_time_and_in_order(scores) -> None:
    chosen = choose_rows(scores, 200)
    assert len(chosen) == 200
    assert chosen.tolist() == sorted(set(chosen.tolist())) == choose_rows(scores, 200).tolist()


def test_extremes_and_disagreements_are_chosen(scores) -> None:
    chosen = set(choose_rows(scores, 100).tolist())
    for label in scores.labels:
        values = likeness(scores, label)
        assert {int(np.argmin(values)), int(np.argmax(values))} <= chosen
    apart = np.abs(likeness(scores, "nes") - likeness(scores, "tsed"))
    assert set(np.argsort(-apart)[:3].tolist()) <= chosen


def test_half_of_the_choice_is_a_sample(scores) -> None:
    spread = np.histogram(choose_rows(scores, 600), bins=3, range=(0, 3000))[0]
    assert spread.min() > 100


def test_rows_asked_for_are_chosen_besides(scores) -> None:
    ids = ["row-17", "row-1234"]
    chosen = choose_rows(scores, 50, ids)
    assert len(chosen) == 52
    assert {17, 1234} <= set(chosen.tolist())
    assert choose_rows(scores, 0, ids).tolist() == [17, 1234]


def test_rows_that_failed_under_some_measure_are_chosen(scores) -> None:
    values = {label: column.copy() for label, column in scores.values.items()}
    values["nes"][2222] = np.nan
    holed = dataclasses.replace(scores, values=values)
    chosen = set(choose_rows(holed, 60).tolist())
    assert 2222 in chosen


def test_the_page_opens_with_a_row_in_dispute(scores) -> None:
    among = np.arange(0, 3000, 2)
    row = most_disputed(scores, among)
    apart = np.abs(scores.values["nes"] - scores.values["tsed"])[among]
    assert row == among[np.argmax(apart)]


def test_distances_count_by_how_near_they_are(scores) -> None:
    values = likeness(scores, "ed")
    assert values.min() == 0
    assert values[np.argmin(scores.values["ed"])] == values.max()


def test_a_budget_of_steps_limits_what_is_explained(scored) -> None:
    def row(i: int, length: int) -> dict[str, object]:
        text = f"x = {i}\n" * length
        return {"id": str(i), "candidate": text, "reference": text, "language": "python"}

    short = scored([row(i, 1) for i in range(20)], ["exact"], "short")
    assert affordable(gather(short)) == 2000
    long = scored([row(i, 4000) for i in range(20)], ["exact"], "long")
    both = scored([row(i, 4000) for i in range(20)], ["exact", "ed"], "both")
    one, two = affordable(gather(long)), affordable(gather(both))
    assert 20 < one < 2000
    assert two == pytest.approx(one / 2, abs=1)
    bare = score([row(0, 1)], ["exact"], output=long.path.parent / "bare", workers=0, texts=False)
    assert affordable(gather(bare)) == 2000  # nothing to explain, and nothing to read
