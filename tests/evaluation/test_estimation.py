"""Pass rates from few tests: systems, differences, clusters, later outcomes, and warnings."""

from __future__ import annotations

import json
import math

import jsonschema
import numpy as np
import pytest
from tests.evaluation.partly_tested import made

from codekin import CodekinError, estimate_rates, plan_tests, score
from codekin.statistics.prediction_powered import powered_mean


def estimated(rows, measures="nes", **options):
    return estimate_rates(rows, measures, workers=0, **options)


def test_rates_are_those_of_the_statistics():
    rows = made()
    found = estimated(rows)
    run = score(rows, "nes", workers=0)
    known = np.array([row.get("outcome", np.nan) for row in rows], float)
    expected = powered_mean(known, run.values("nes"))
    everything, first, second = found.rates
    assert everything.system is None
    assert everything.powered == expected.powered
    assert everything.classical == expected.classical
    assert (everything.rows, everything.tested) == (240, 120)
    odd = powered_mean(known[::2], run.values("nes")[::2])
    assert (first.system, first.powered) == ("model 0", odd.powered)
    assert first.rows == second.rows == 120
    truth = np.mean([row["truth"] for row in rows])
    assert everything.powered.interval.low < truth < everything.powered.interval.high
    assert 150 < everything.worth < 240
    assert not found.warnings()
    assert f"nes: 120 tested rows are worth {everything.worth:,.0f} of 240" in found.notes()


def test_what_tested_rows_are_worth_is_what_a_plan_needs_without_scores():
    from codekin import plan_tests

    rows = made()
    everything = estimated(rows).rates[0]
    interval = everything.powered.interval
    [plan] = plan_tests(rows, "nes", width=interval.high - interval.low, workers=0).systems
    assert plan.alone == pytest.approx(everything.worth, rel=0.03)
    beyond = estimated(rows, beyond=True)
    assert beyond.notes()[0].endswith(f"are worth {beyond.rates[0].worth:,.0f}")


def test_outcomes_the_wrong_way_round_are_asked_about():
    rows = [{**row, "outcome": 1 - row["outcome"]} if "outcome" in row else row for row in made()]
    [asked] = [one for one in estimated(rows).warnings() if "lower is the outcome" in one]
    assert "by nes); is 1 a failure in your data?" in asked


def test_a_run_is_estimated_without_scoring_it_again(tmp_path):
    rows = made()
    run = score(rows, "nes", workers=0, output=tmp_path / "run")
    assert estimate_rates(run).rates == estimated(rows).rates
    assert estimate_rates(str(run.path)).rates == estimated(rows).rates
    with pytest.raises(CodekinError, match="was not scored by bleu"):
        estimate_rates(run, "bleu")


def test_rows_that_are_scored_now_give_their_name(tmp_path):
    rows = made()
    assert estimated(rows).grids()[0].title.startswith("rows: pass rate of ")
    file = tmp_path / "mine.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert estimated(file).run == "mine"


def test_some_measures_of_a_run_are_enough(tmp_path):
    rows = made()
    run = score(rows, ["nes", "bleu"], workers=0, output=tmp_path / "run")
    assert estimate_rates(run, "nes").rates == estimated(rows).rates
    assert len(estimate_rates(run).rates) == 2 * len(estimated(rows).rates)
    assert plan_tests(run, "nes").systems == plan_tests(rows, "nes", workers=0).systems


def test_outcomes_may_be_words():
    rows = made()
    words = {1: "Pass", 0: "failed"}
    spelled = [{**one, "outcome": words.get(one.get("outcome"))} for one in rows]
    assert estimated(spelled).rates == estimated(rows).rates
    with pytest.raises(CodekinError, match="first problem: outcome must be a number, not 'maybe'"):
        estimated([{**one, "outcome": "maybe"} for one in rows])


def test_differences_are_independent_unless_the_same_tasks_were_tested():
    rows = made()
    found = estimated(rows, task="task")
    assert "pairs" not in found.grids()[-1].heads
    [apart] = found.differences
    assert (apart.first, apart.second, apart.pairs) == ("model 0", "model 1", None)
    for row in rows:
        row.pop("outcome", None)
        if int(row["task"][1:]) % 2:
            row["outcome"] = row["truth"]
    found = estimated(rows, task="task")
    assert "pairs" in found.grids()[-1].heads
    [paired] = found.differences
    assert paired.pairs == 60
    truth = [
        np.mean([row["truth"] for row in rows if row["group"] == f"model {i}"]) for i in (0, 1)
    ]
    assert paired.powered.interval.low < truth[0] - truth[1] < paired.powered.interval.high
    tested = [row for row in rows if "outcome" in row]
    differences = [
        one["outcome"] - other["outcome"]
        for one, other in zip(tested[::2], tested[1::2], strict=True)
    ]
    assert paired.classical.value == pytest.approx(np.mean(differences))


def test_many_systems_are_compared_with_one_that_is_named():
    rows = made(rows=280, systems=7, tested=200)
    assert not estimated(rows).differences
    found = estimated(rows, against="model 3")
    assert [one.first for one in found.differences] == [f"model {i}" for i in (0, 1, 2, 4, 5, 6)]
    with pytest.raises(CodekinError, match=r"no row is of the system 'model 9'; did you mean"):
        estimated(rows, against="model 9")


def test_clusters_and_strata_are_fields_of_the_rows():
    rows = made()
    for row in rows:
        row.pop("outcome", None)
        if int(row["task"][1:]) % 3 == 0:
            row["outcome"] = row["truth"]
    by_task = estimated(rows, cluster="task")
    assert by_task.rates[0].clusters == 40
    assert by_task.rates[0].classical.freedom == 39
    assert 2 < by_task.rates[0].powered.freedom < 39  # the score is wrong about few tasks
    assert "rows with the same task vary together" in by_task.notes()
    strata = estimated(rows, stratify="group")
    assert strata.rates[0].powered.freedom == 78
    with pytest.raises(CodekinError, match="no row has a field 'taks'; did you mean 'task'"):
        estimated(rows, cluster="taks")


def test_outcomes_that_came_later_are_joined_by_id(tmp_path):
    rows = made()
    later = [{"id": row["id"], "outcome": row.pop("outcome")} for row in rows if "outcome" in row]
    file = tmp_path / "later.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in later))
    assert estimated(rows, outcomes=str(file)).rates == estimated(made()).rates
    assert estimated(rows, outcomes=later[:50]).rates[0].tested == 50


@pytest.mark.parametrize(
    ("later", "why"),
    [
        ([{"id": "r999", "outcome": 1}], "no row has the id 'r999'; did you mean"),
        ([{"outcome": 1}], "has no 'id'"),
        ([{"id": "r1", "outcome": 1}, {"id": "r1", "outcome": 0}], "already has an outcome in"),
        ([], "the outcomes that came later have no rows"),
        (
            [{"id": "r1"}, {"id": "r2", "outcome": None}],
            "none of the 2 rows .* has an 'outcome'",
        ),
        ([{"id": "r1", "outcome": "maybe"}], "the outcome must be a number, not 'maybe'"),
        ([{"id": "r1", "outcome": 1e308}], r"the outcome must be a number up to 1e\+100, not 1e"),
        ([{"id": "r1", "outcome": 10**400}], r"must be a number up to 1e\+100, not inf"),
    ],
)
def test_outcomes_that_fit_no_row_are_refused(later, why):
    with pytest.raises(CodekinError, match=why):
        estimated(made(), outcomes=later)


@pytest.mark.parametrize(
    ("later", "why"),
    [
        ({}, "2 systems have a row with the id 'r0'; say whose outcome it is in a field 'group'"),
        ({"group": "model 2"}, "no row of the group 'model 2' has the id 'r0'; did you mean"),
        ({"group": "model 0"}, "2 rows have the id 'r0'; say which one was tested in a field 'sam"),
        ({"group": "model 0", "sample": 3}, "no row with the id 'r0' is the sample '3' .*: 1, 2"),
    ],
)
def test_outcomes_that_may_be_of_several_rows_are_refused(later, why):
    rows = made()
    rows[1]["id"] = rows[2]["id"] = "r0"
    with pytest.raises(CodekinError, match=why):
        estimated(rows, outcomes=[{"id": "r0", "outcome": 1, **later}])


def test_a_group_is_not_needed_where_rows_have_none():
    rows = [{name: row[name] for name in row if name != "group"} for row in made()]
    assert estimated(rows, outcomes=[{"id": "r0", "group": "mine", "outcome": 1}]).tested


def test_rows_without_any_outcome_are_refused():
    with pytest.raises(CodekinError, match=r"no row has an outcome; .* --columns outcome=NAME"):
        estimated([row for row in made() if "outcome" not in row])


def test_common_names_of_groups_and_outcomes_are_recognized():
    rows = made()
    names = {"group": "model", "outcome": "passed"}
    renamed = [{names.get(name, name): row[name] for name in row} for row in rows]
    assert estimated(renamed).rates == estimated(rows).rates


def test_a_measure_has_to_be_named():
    with pytest.raises(CodekinError, match="name the measure whose scores predict"):
        estimate_rates(made(), workers=0)


def test_rows_without_a_score_are_counted():
    rows = made()
    for row in rows[:12]:
        row["candidate"] = None
    found = estimated(rows)
    assert [one.failed for one in found.rates] == [12, 6, 6]
    assert "failed: rows without a score, which count as average" in found.notes()
    assert found.rates[0].rows == 240
    assert found.rates[0].tested == 120


def test_one_outcome_only_is_a_warning():
    rows = made(rates=(1.0,))
    found = estimated(rows)
    assert found.rates[0].powered == found.rates[0].classical
    assert "every tested row has the same outcome (1), so scores do not help" in found.warnings()


def test_ten_rows_tell_little():
    found = estimated(made(rows=10, systems=1, tested=6))
    assert math.isnan(found.rates[0].powered.interval.low)
    [warning] = found.warnings()
    assert warning == "fewer than 10 rows were tested, so there is no interval; test more"


def test_few_tested_rows_are_a_warning():
    warnings = estimated(made(systems=1, tested=20)).warnings()
    assert "only 20 rows were tested; intervals from so few hold only roughly" in warnings
    warnings = estimated(made(systems=2, tested=40)).warnings()
    assert (
        "2 of 2 systems have fewer than 30 tested rows; intervals from so few hold only roughly"
        in warnings
    )
    warnings = estimated(made(systems=20, tested=40)).warnings()
    assert any("fewer than 10 tested rows, and therefore no interval" in one for one in warnings)


def test_rows_chosen_by_their_scores_are_a_warning():
    rows = made()
    for row in rows:
        row.pop("outcome", None)
        if row["candidate"].endswith("= 1") and int(row["id"][1:]) % 4:
            row["outcome"] = row["truth"]
    [warning] = [one for one in estimated(rows).warnings() if "differ from the others" in one]
    assert "no interval here holds" in warning
    # Said with which probability, that is no reason for a warning.
    for row in rows:
        row["probability"] = 0.75
    assert not [one for one in estimated(rows).warnings() if "differ" in one]


def test_systems_tested_at_different_rates_are_a_warning_unless_stratified():
    rows = made()
    for row in rows:
        row.pop("outcome", None)
        if row["group"] == "model 0" or int(row["id"][1:]) % 8 == 1:
            row["outcome"] = row["truth"]
    [warning] = [one for one in estimated(rows).warnings() if "different rates" in one]
    assert "model 1 25 %, model 0 100 %" in warning
    stratified = estimated(rows, stratify="group")
    assert not [one for one in stratified.warnings() if "different rates" in one]
    truth = np.mean([row["truth"] for row in rows])
    assert abs(stratified.rates[0].classical.value - truth) < 0.1


def test_when_every_row_is_tested_the_rate_is_known():
    rows = made(tested=240)
    found = estimated(rows)
    assert found.rates[0].powered.value == pytest.approx(np.mean([row["truth"] for row in rows]))
    assert "every row is tested, so the pass rate is known" in found.notes()
    assert not found.warnings()


def test_outcomes_may_be_any_numbers():
    rows = made()
    for row in rows:
        if "outcome" in row:
            row["outcome"] = 3.5 * row["outcome"] + 1
    found = estimated(rows)
    assert not found.binary
    assert 1 < found.rates[0].powered.interval.low < found.rates[0].powered.value
    assert "mean outcome" in str(found)


def test_the_largest_outcomes_have_finite_intervals():
    rows = made()
    for row in rows:
        if "outcome" in row:
            row["outcome"] *= 1e100
    found = estimated(rows)
    assert "∞" not in str(found)
    assert 0 < found.rates[0].powered.interval.low < found.rates[0].powered.interval.high < 1e100


def test_every_format_is_made_and_the_document_fits_its_schema(tmp_path):
    from importlib import resources

    rows = made()
    found = estimated(rows, ["nes", "ed"], cluster="task")
    schema = json.loads(
        resources.files("codekin").joinpath("data/estimate.schema.json").read_text()
    )
    document = json.loads(found.to_json())
    jsonschema.validate(document, schema)
    assert document["rates"][0]["powered"]["interval"][0] > 0
    assert "ed ↓" in str(found)
    assert "0.95" in found.to_json()
    assert len(found.to_pandas()) == 6
    assert "model 1" in found.to_html()
    few = estimated(made(rows=10, systems=1, tested=6))
    jsonschema.validate(json.loads(few.to_json()), schema)


@pytest.mark.parametrize("level", [0, 1, 95])
def test_a_level_lies_between_0_and_1(level):
    with pytest.raises(CodekinError, match="level must be between 0 and 1"):
        estimated(made(), level=level)
