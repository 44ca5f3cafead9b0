"""Probabilities of outcomes: features, held-out tasks and datasets, models, and bad input."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from tests.evaluation.tested_edits import edits

from codekin import CodekinError, calibrate, score
from codekin.evaluation.calibrating import ChanceModel, labelled_scores


def calibrated(rows, measures="nes", **options):
    return calibrate(rows, measures, **{"task": "task", "workers": 0, **options})


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    place = tmp_path_factory.mktemp("calibrating") / "first"
    return score(edits(), ["nes", "bleu", "ed"], workers=0, output=place)


@pytest.fixture(scope="module")
def others(tmp_path_factory):
    place = tmp_path_factory.mktemp("others")
    return [
        score(edits(seed=seed, harder=harder), ["nes", "bleu"], workers=0, output=place / name)
        for seed, harder, name in ((1, 0.0, "second"), (2, 0.5, "third"))
    ]


def test_a_score_and_its_end_are_features(run):
    found = calibrated(run, "nes")
    assert [one.name for one in found.features] == ["nes", "nes = 1"]
    values = run.values("nes")
    [value, equal] = found.features
    assert (value.mean, value.scale) == (pytest.approx(values.mean()), pytest.approx(values.std()))
    assert equal.mean == pytest.approx((values == 1).mean())
    label = np.array([row["outcome"] for row in edits()]) == 1
    columns = np.column_stack([(values - value.mean) / value.scale, (values == 1) - equal.mean])
    columns[:, 1] /= equal.scale
    theirs = LogisticRegression(C=1.0, tol=1e-10, max_iter=1000).fit(columns, label)
    assert found.coefficients[:-1] == pytest.approx(theirs.coef_[0], abs=1e-4)
    [whole] = found.judgements
    assert (whole.held_out, whole.rows, whole.tasks) == ("task", 240, 60)
    assert whole.rate == pytest.approx(label.mean())
    assert whole.brier < 0.8 * whole.base
    assert 0.7 < whole.auc < 1
    assert whole.error < 0.1
    assert sum(one.rows for one in whole.bins) == 240
    assert not found.warnings()
    assert found.shift is None
    assert "one dataset only" in found.notes()[1]


def test_parts_are_features_and_counts_are_logarithms(run):
    names = [one.name for one in calibrated(run, "bleu", parts=True).features]
    assert "bleu precision_1" in names
    assert "log bleu length" not in names  # constant: every candidate has as many words
    distance = calibrated(run, "ed")
    assert [one.name for one in distance.features] == ["log ed", "ed = 0"]
    assert distance.judgements[0].auc > 0.7
    assert distance.coefficients[0] < 0


def test_probabilities_of_held_out_tasks_do_not_depend_on_their_outcomes(run):
    measures = calibrated(run, "nes").measures
    data, _ = labelled_scores({"one": run}, measures, False, "task")
    model = ChanceModel(measures)
    here = data.tasks < 10
    flipped = data.only(here)
    flipped.label[:] = ~flipped.label
    log_odds = model.log_odds(data.only(~here), flipped)
    assert (log_odds == model.log_odds(data.only(~here), data.only(here))).all()


def test_each_dataset_is_predicted_from_the_others(run, others):
    found = calibrated([run, *others], "nes")
    assert [(one.held_out, one.dataset) for one in found.judgements] == [
        ("task", None),
        *(("task", name) for name in ("first", "second", "third")),
        *(("dataset", name) for name in ("first", "second", "third")),
    ]
    assert [one.name for one in found.datasets] == ["first", "second", "third"]
    assert found.tasks == 180  # the same names in another dataset are other tasks
    harder = found.judgements[-1]
    assert harder.predicted > harder.rate + 0.05
    assert harder.error > harder.chance
    assert harder.offset < -0.3
    offsets = [one.offset for one in found.judgements[-3:]]
    assert found.shift == pytest.approx(np.sqrt(np.mean(np.square(offsets))))
    alone = calibrated(others, "nes")
    assert alone.shift is None
    assert "two datasets cannot say" in alone.notes()[1]
    # What a dataset is predicted from is what a calibration of the others says.
    assert len(alone.judgements) == 5


def test_names_of_datasets(run, others):
    found = calibrated({"a": run, "b": others[0]}, "nes")
    assert [one.name for one in found.datasets] == ["a", "b"]
    again = calibrated([run, run], "nes")
    assert [one.name for one in again.datasets] == ["first", "first 2"]


def test_rows_without_an_outcome_are_left_out():
    rows = edits()
    for row in rows[::4]:
        del row["outcome"]
    found = calibrated(rows)
    assert (found.datasets[0].rows, found.datasets[0].left_out) == (180, 60)
    assert "left out: 60 rows without an outcome or a score" in found.notes()


def test_numbers_that_judge_have_intervals_by_task(run, others):
    found = calibrated([run, *others], "nes")
    for one in found.judgements:
        for value, interval in (
            (one.brier, one.brier_ci),
            (one.error, one.error_ci),
            (one.auc, one.auc_ci),
        ):
            assert 0 <= interval.low <= value <= interval.high <= 1
    whole, first = found.judgements[0], found.judgements[1]
    assert wide(whole.brier_ci) < wide(first.brier_ci)  # three times as many tasks
    assert wide(calibrated(run, "nes", level=0.5).judgements[0].auc_ci) < 0.6 * wide(
        calibrated(run, "nes").judgements[0].auc_ci
    )
    assert calibrated(run, "nes", seed=1).judgements[0].auc_ci != first.auc_ci
    [judged, *_] = found.grids()
    shown = [getattr(one, "head", one) for one in judged.columns]
    assert shown.count("95 %") == 3
    assert "unknown for a single task" in found.notes()[-2]
    assert "95 % intervals by bootstrap over tasks" in found.notes()[-1]


def wide(interval):
    return interval.high - interval.low


@pytest.mark.parametrize("by", ["row", "task"])
def test_outcomes_of_rows_chosen_by_their_scores_are_noticed(by):
    rows = edits()
    values = score(rows, "nes", workers=0).values("nes")
    if by == "task":
        tasks = np.array([row["task"] for row in rows])
        values = np.array([values[tasks == task].mean() for task in tasks])
    chosen = values > np.median(values)
    random = np.random.default_rng(0)
    if by == "task":
        names = np.unique(tasks)
        at_random = np.isin(tasks, random.choice(names, len(names) // 2, replace=False))
    else:
        at_random = random.random(len(rows)) < 0.5
    for tested, warned in ((chosen, True), (at_random, False)):
        some = [
            row if here else {name: row[name] for name in row if name != "outcome"}
            for row, here in zip(rows, tested, strict=True)
        ]
        found = calibrated(some)
        [shift] = found.datasets[0].shifts
        assert (shift.p < 0.01) == warned
        told = [one for one in found.warnings() if "differ from the others in their scores" in one]
        assert len(told) == warned
    assert calibrated(rows).datasets[0].shifts == ()


def test_the_order_of_rows_does_not_matter_much_and_a_seed_repeats_everything(run):
    assert calibrated(run, "nes") == calibrated(run, "nes")
    assert calibrated(run, "nes", seed=1).coefficients == calibrated(run, "nes").coefficients


def test_what_cannot_be_calibrated(run, others):
    passed = [{**row, "outcome": 1} for row in edits(60)]
    with pytest.raises(CodekinError, match="all 60 rows have the outcome 1"):
        calibrated(passed)
    with pytest.raises(CodekinError, match="10 rows with an outcome say too little"):
        calibrated(edits(10, tasks=10))
    with pytest.raises(CodekinError, match="of 3 tasks"):
        calibrated(edits(60, tasks=3))
    with pytest.raises(CodekinError, match=r"a row has 0\.5"):
        calibrated([{**row, "outcome": 0.5} for row in edits(60)])
    with pytest.raises(CodekinError, match="no row has an outcome"):
        calibrated([{**row, "outcome": None} for row in edits(60)])
    same = [{**row, "candidate": row["reference"]} for row in edits(60)]
    with pytest.raises(CodekinError, match="all scores by nes are equal"):
        calibrated(same)
    with pytest.raises(CodekinError, match="was not scored by 'ed'"):
        calibrated([run, *others], "ed")
    with pytest.raises(CodekinError, match="level must be"):
        calibrated(run, level=2)
    with pytest.raises(CodekinError, match="name the measure"):
        calibrated(edits(60), None)


def test_other_parameters_in_another_run_are_refused(run, tmp_path):
    from codekin.evaluation.calibrating import _measures

    other = score(edits(60), ["nes", "bleu", "ed"], workers=0, output=tmp_path / "other")
    other.manifest["asked"]["measures"][0]["signature"] = "nes|words|codekin-0.1.0"
    with pytest.raises(CodekinError, match="score both in the same way"):
        _measures({"a": run, "b": other}, "nes")


def test_warnings_of_few_rows_and_useless_scores():
    few = calibrated(edits(40, tasks=20))
    assert any("only 20 tasks" in one for one in few.warnings())
    assert any("rarer outcome" in one for one in few.warnings())
    random = np.random.default_rng(0)
    noise = [{**row, "outcome": int(random.random() < 0.5)} for row in edits()]
    assert any("say no more than the rate" in one for one in calibrated(noise).warnings())


@pytest.mark.parametrize(
    ("changed", "options", "message"),
    [
        ({"outcome": None}, {}, "rows: no row has an outcome; give rows an 'outcome' of 0 or 1"),
        ({"outcome": "maybe"}, {}, "first problem: outcome must be a number, not 'maybe'"),
        ({"candidate": 3}, {}, "candidate must be a text, not a number; not one of the first rows"),
        ({}, {"task": "taks"}, "^the rows: no row has a field 'taks'; did you mean 'task'"),
    ],
)
def test_rows_that_nothing_can_be_learned_from_are_refused(changed, options, message):
    with pytest.raises(CodekinError, match=message):
        calibrated([row | changed for row in edits()], **options)


def test_outcomes_the_wrong_way_round_are_asked_about():
    turned = [{**row, "outcome": 1 - row["outcome"]} for row in edits()]
    found, inverted = (calibrate(rows, "nes", task="task", workers=0) for rows in (edits(), turned))
    assert found.measures[0].correlation == pytest.approx(-(inverted.measures[0].correlation or 0))
    assert not any("lower is the outcome" in one for one in found.warnings())
    [asked] = [one for one in inverted.warnings() if "lower is the outcome" in one]
    assert "by nes); is 1 a failure in your data?" in asked


def test_the_conclusion_says_whether_probabilities_can_be_trusted():
    found = calibrate(edits(), "nes", task="task", workers=0)
    [verdict] = found.conclusion()
    one = found.judgements[0]
    assert verdict == (
        f"The probabilities can be trusted on other tasks of these data: Brier {one.brier:.3f} "
        f"against {one.base:.3f} of the rate alone, calibration error {one.error:.3f} "
        f"({one.chance:.3f} by chance)."
    )
    assert found.section().title == "What scores by nes say of the outcome"
    useless = replace(one, brier=0.3, base=0.25)
    [verdict] = replace(found, judgements=(useless,)).conclusion()
    assert verdict.startswith("The probabilities say no more than the rate alone on other tasks")
    wrong = replace(one, held_out="dataset", dataset="b", error=0.2, chance=0.02)
    [_, worst] = replace(found, judgements=(one, wrong)).conclusion()
    assert worst.startswith("The probabilities are off on b, predicted from the other data: Brier")
