"""Probabilities of the rows of a run: values, intervals, groups, drift, and other measures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.evaluation.tested_edits import edits

from codekin import CodekinError, Run, apply_calibration, calibrate, score
from codekin.statistics.logistic import logistic


@pytest.fixture(scope="module")
def calibration():
    return calibrate(edits(600, tasks=200), "nes", task="task", workers=0, name="mine")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    place = tmp_path_factory.mktemp("calibrated") / "run"
    return score(edits(300, tasks=100, seed=5), ["nes", "bleu"], workers=0, output=place)


def test_probabilities_are_those_of_the_regression(run, calibration):
    found = apply_calibration(run, calibration)
    values = run.values("nes")
    [score_itself, equal] = calibration.features
    log_odds = (
        calibration.coefficients[0] * (values - score_itself.mean) / score_itself.scale
        + calibration.coefficients[1] * ((values == 1) - equal.mean) / equal.scale
        + calibration.coefficients[2]
    )
    assert found.p == pytest.approx(logistic(log_odds))
    assert ((found.low < found.p) & (found.p < found.high)).all()
    assert found.judgement is not None
    assert found.judgement.error < 0.12
    whole, *groups = found.groups
    assert whole.p == pytest.approx(found.p.mean())
    assert [one.group for one in groups] == ["model 0", "model 1"]
    assert groups[0].p == pytest.approx(found.p[::2].mean())
    assert whole.interval.low < found.judgement.rate < whole.interval.high


def test_rows_that_are_alike_raise_no_alarm_and_others_do(run, calibration):
    same = apply_calibration(run, calibration)
    assert same.drifts
    assert not same.drifted
    assert not same.warnings()
    harder = score(edits(300, tasks=100, seed=5, harder=0.8), "nes", workers=0)
    other = apply_calibration(harder, calibration)
    assert other.drifted[0].feature == "nes"
    assert "these rows are unlike those of mine" in other.warnings()[0]


def test_the_drift_test_is_silent_on_the_same_and_fires_on_shifted_rows(calibration):
    from codekin.evaluation.calibrated_scores import feature_drifts

    random = np.random.default_rng(0)
    [one, _] = calibration.features
    draw = score(edits(600, tasks=200), "nes", workers=0).values("nes")
    for rows, wanted in ((20, 0.3), (60, 0.2), (1000, 0.15), (20_000, 0.15)):
        alarms = moved = 0
        for _ in range(50):
            values = random.choice(draw, rows)
            for shift, counted in ((0.0, False), (0.6, True)):
                lower = np.where(random.random(rows) < shift, 0.2, values)
                [drift] = feature_drifts([one], 200, {("nes", None): lower}, np.arange(rows))
                hit = drift.distance > drift.limit
                alarms, moved = alarms + (hit and not counted), moved + (hit and counted)
        assert alarms <= 1, rows
        assert moved >= 45 * (rows > 20), rows
        assert drift.limit == pytest.approx(wanted, abs=0.15)
    # Many rows make no small difference important.
    slightly = np.where(random.random(20_000) < 0.1, 0.2, random.choice(draw, 20_000))
    [drift] = feature_drifts([one], 10**6, {("nes", None): slightly}, np.arange(20_000))
    assert 0.05 < drift.distance < drift.limit


def test_outcomes_that_do_not_fit_are_reported(run, calibration):
    assert not any("does not fit" in one for one in apply_calibration(run, calibration).warnings())
    given = enumerate(edits(300, tasks=100))
    rows = [{**row, "id": f"new {i}", "outcome": int(i % 5 == 0)} for i, row in given]
    other = apply_calibration(score(rows, "nes", workers=0), calibration)
    assert not other.drifted
    [warning] = other.warnings()
    assert "p does not fit the 300 rows with an outcome: their rate is 0.200" in warning
    assert "Brier" in other.notes()[1]


def test_few_rows_are_not_compared(calibration):
    few = score(edits(10, harder=0.8), "nes", workers=0)
    assert apply_calibration(few, calibration).drifts == ()


def test_another_language_is_reported(calibration):
    other = score(edits(60, language="javascript"), "nes", workers=0)
    assert "has not seen rows in javascript" in apply_calibration(other, calibration).warnings()[0]


def test_intervals_allow_for_datasets_if_there_are_three(run, calibration):
    three = replace(calibration, shift=0.8, datasets=calibration.datasets * 3)
    wide = apply_calibration(run, three)
    narrow = apply_calibration(run, calibration)
    assert (wide.high - wide.low > narrow.high - narrow.low).all()
    assert (wide.beyond, narrow.beyond) == (True, False)
    assert wide.groups[0].interval.high > narrow.groups[0].interval.high


def test_other_measures_are_refused_and_another_version_is_reported(run, calibration):
    [measure] = calibration.measures
    other = replace(calibration, measures=(replace(measure, label="ed"),))
    with pytest.raises(CodekinError, match=r"takes the scores by ed, which .* does not have"):
        apply_calibration(run, other)
    words = replace(measure, signature="nes|level:word|codekin-0.1.0")
    with pytest.raises(CodekinError, match="score the rows in the same way"):
        apply_calibration(run, replace(calibration, measures=(words,)))
    older = replace(measure, signature="nes|codekin-0.0.1")
    warnings = apply_calibration(run, replace(calibration, measures=(older,))).warnings()
    assert any("by codekin 0.0.1" in one for one in warnings)


def test_rows_without_a_score_have_no_probability(calibration):
    rows = [*edits(60), {"id": "bad", "candidate": 7, "reference": "x", "language": "java"}]
    found = apply_calibration(score(rows, "nes", workers=0), calibration)
    assert np.isnan(found.p[-1])
    assert np.isnan(found.high[-1])
    assert found.groups[0].failed == 1
    assert np.isfinite(found.groups[0].p)
    assert found.languages == ()


def test_probabilities_are_kept_in_the_run(run, calibration, tmp_path):
    found = apply_calibration(run, calibration, keep=True)
    again = Run(run.path)
    frame = again.to_pandas()
    assert frame["p"].tolist() == found.p.tolist()
    assert frame["p_low"].tolist() == found.low.tolist()
    assert again.chance_note()["calibration"] == "mine"
    # No score has changed.
    assert frame["nes"].tolist() == run.values("nes").tolist()
    (run.path / "calibrated.parquet").write_bytes(b"PAR1")
    with pytest.raises(CodekinError, match="is damaged"):
        again.chances()
    (run.path / "calibrated.parquet").unlink()
    assert again.chances() is None
