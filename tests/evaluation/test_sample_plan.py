"""Plans: how many rows to test, which to test next, and what comes of them."""

from __future__ import annotations

import json
from importlib import resources

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evaluation.partly_tested import made

from codekin import CodekinError, estimate_rates, plan_tests, rows_needed
from codekin.statistics.prediction_powered import rate_interval


def planned(rows, **options):
    return plan_tests(rows, "nes", workers=0, **options)


@given(st.floats(0.02, 0.4), st.floats(0.02, 0.98), st.floats(0, 0.95))
def test_as_many_rows_as_are_needed_give_the_width_and_fewer_do_not(width, rate, r) -> None:
    needed = rows_needed(width, rate, r)
    spread = rate * (1 - rate)

    def wide(number):
        share = 1 - r**2 + r**2 / (number * spread + 1)
        found = rate_interval(rate, share * spread / number, spread, number - 1)
        return found.high - found.low

    assert wide(needed) <= width
    assert needed == 10 or wide(needed - 1) > width
    assert needed <= rows_needed(width, rate)


def test_testing_every_row_is_always_enough() -> None:
    assert rows_needed(0.01, 0.5, rows=100) <= 100
    assert rows_needed(0.1, 0.5, rows=300) < rows_needed(0.1, 0.5)


def test_a_plan_without_rows_needs_a_rate_or_a_correlation() -> None:
    [one] = plan_tests(width=0.1, rate=0.3, correlation=0.87).systems
    assert (one.alone, one.needed, one.more) == (322, 93, 93)
    with pytest.raises(CodekinError, match="nothing to plan from"):
        plan_tests()


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"width": 0}, "width must be between 0 and 1"),
        ({"width": 0.1, "rate": 30}, "rate must be from 0 to 1"),
        ({"width": 0.1, "correlation": 1}, "correlation must be between -1 and 1"),
        ({"width": 0.1, "rate": 0.5, "level": 2}, "level must be between 0 and 1"),
    ],
)
def test_numbers_out_of_range_are_refused(wrong, why) -> None:
    with pytest.raises(CodekinError, match=why):
        plan_tests(**wrong)


def test_a_pilot_says_how_many_rows_are_still_to_test() -> None:
    rows = made(rows=600, systems=1, tested=60)
    plan = planned(rows, width=0.12)
    [one] = plan.systems
    assert (one.rows, one.tested) == (600, 60)
    assert 60 < one.needed < one.alone < 600
    assert one.more == one.needed - 60 == len(plan.next) == plan.drawn
    drawn = {row.id for row in plan.next}
    assert not drawn & {row["id"] for row in rows if "outcome" in row}
    assert len(drawn) == len(plan.next)
    assert {row.batch for row in plan.next} == {1}
    floor = 0.5 * len(plan.next) / 540
    assert all(floor <= row.probability <= 1 for row in plan.next)
    assert plan.next == planned(rows, width=0.12).next
    assert plan.next != planned(rows, width=0.12, seed=1).next


def test_the_first_draw_treats_all_rows_alike() -> None:
    rows = [{name: row[name] for name in row if name != "outcome"} for row in made(systems=1)]
    plan = planned(rows)
    assert len(plan.next) == 50
    assert {(row.probability, row.batch) for row in plan.next} == {(50 / 240, 0)}
    [warning] = plan.warnings()
    assert "the number needed is not known" in warning


def test_planned_rows_come_back_with_their_probabilities(tmp_path) -> None:
    rows = made(rows=600, systems=1, tested=60)
    truth = {row["id"]: row["truth"] for row in rows}
    plan = planned(rows, width=0.12)
    file = plan.write(tmp_path / "next.jsonl")
    later = [json.loads(line) for line in file.read_text().splitlines()]
    assert all(one["outcome"] is None for one in later)
    later = [{**one, "outcome": truth[one["id"]]} for one in later]
    found = estimate_rates(rows, "nes", outcomes=later, workers=0)
    [rate] = found.rates
    assert rate.tested == plan.systems[0].needed
    assert rate.powered.interval.high - rate.powered.interval.low < 1.15 * 0.12
    assert rate.powered.interval.low < np.mean(list(truth.values())) < rate.powered.interval.high
    assert found.drawn
    again = plan_tests(rows, "nes", outcomes=later, width=0.08, workers=0)
    assert {row.batch for row in again.next} == {2}


def several(own: bool):
    """Two systems with the same ids, and two samples of each task."""
    return [
        {
            "id": f"t{i // 2}",
            "group": name,
            "language": "python",
            "candidate": f"x = {name!r} * {i}",
            "reference": "x = 1",
            **({"sample": i % 2} if own else {}),
        }
        for name in ("alpha", "beta")
        for i in range(20)
    ]


@pytest.mark.parametrize(("own", "numbers"), [(False, {"1", "2"}), (True, {"0", "1"})])
def test_planned_rows_that_share_ids_come_back_to_the_same_rows(tmp_path, own, numbers) -> None:
    rows = several(own)
    plan = planned(rows, number=30)
    assert {one.sample for one in plan.next} == numbers
    file = plan.write(tmp_path / "next.jsonl")
    drawn = [json.loads(line) for line in file.read_text().splitlines()]
    assert [one["candidate"] for one in drawn] == [one.candidate for one in plan.next]
    truth = {one["candidate"]: int(one["candidate"][-1] in "0369") for one in drawn}
    later = [{**one, "outcome": truth[one["candidate"]]} for one in drawn]
    assert estimate_rates(rows, "nes", outcomes=later, workers=0).tested == len(later)
    # Without the probabilities, as if the rows had their outcomes themselves.
    keys = ("id", "group", "sample", "outcome")
    found = estimate_rates(
        rows, "nes", outcomes=[{key: one[key] for key in keys} for one in later], workers=0
    )
    there = [{**row, "outcome": truth.get(row["candidate"])} for row in rows]
    assert found.rates == estimate_rates(there, "nes", workers=0).rates


def test_nothing_is_left_to_plan_when_every_row_is_tested() -> None:
    plan = planned(made(rows=8, systems=1, tested=8))
    assert not plan.next
    assert plan.systems[0].more == 0
    assert not plan.warnings()


def test_each_system_may_have_an_interval_of_its_own() -> None:
    rows = made(rows=800, systems=2, tested=160)
    plan = planned(rows, width=0.2, by="group")
    assert [one.system for one in plan.systems] == ["model 0", "model 1"]
    for one in plan.systems:
        assert sum(row.group == one.system for row in plan.next) == one.more
    assert len(planned(rows, number=31, by="group").next) == 31


def test_stated_numbers_take_the_place_of_those_of_the_pilot() -> None:
    rows = made(rows=600, systems=1, tested=60)
    plan = planned(rows, width=0.12, rate=0.5)
    assert plan.stated
    assert plan.systems[0].needed == plan.systems[0].alone == rows_needed(0.12, 0.5, rows=600)


def test_a_plan_has_one_measure_and_outcomes_of_0_or_1() -> None:
    with pytest.raises(
        CodekinError, match=r"the scores of one measure, not of 2 .*choose one with -m"
    ):
        plan_tests(made(), ["nes", "ed"], workers=0)
    rows = made()
    next(row for row in rows if "outcome" in row)["outcome"] = 0.5
    with pytest.raises(CodekinError, match="needs outcomes that are 0 or 1"):
        planned(rows)
    with pytest.raises(CodekinError, match="by group, not by 'task'"):
        planned(made(), by="task")
    with pytest.raises(CodekinError, match="number must be at least 1"):
        planned(made(), number=0)


def test_the_document_fits_its_schema() -> None:
    schema = json.loads(resources.files("codekin").joinpath("data/plan.schema.json").read_text())
    for plan in (planned(made(), by="group"), plan_tests(rate=0.3)):
        jsonschema.validate(json.loads(plan.to_json()), schema)
        assert "needed, with scores" in str(plan)
