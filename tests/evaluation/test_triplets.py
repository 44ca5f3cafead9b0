"""Judgements of triplets: planted effects, leaks and confounds are found and named."""

import math

import numpy as np
import pytest
from scipy import stats

import codekin
from codekin import CodekinError
from codekin.evaluation.triplets import evaluate_triplets, judge_triplets


def text(code, language="python"):
    return {"language": language, "code": code}


def planted(d=0.8, triplets=240, problems=40, seed=1, words=None):
    """Triplets whose scores have a known effect, and maybe known lengths."""
    from planted import told

    rng = np.random.default_rng(seed)
    rows = []
    for i in range(triplets):
        mine, theirs = words(rng) if words else (8, 8)
        rows.append(
            {
                "id": f"t{i}",
                "problem": f"p{i % problems}",
                "anchor": text(told(0, 5, f"anchor {i}")),
                "positive": text(told(rng.normal(d, 1), mine, f"positive {i}")),
                "negative": text(told(rng.normal(0, 1), theirs, f"negative {i}")),
            }
        )
    return rows


def judged(rows, measures, **options):
    options = {"workers": 0, "resamples": 300, **options}
    return evaluate_triplets(rows, measures, **options)


def test_a_planted_effect_is_recovered_from_end_to_end():
    from planted import Told, Untold

    judgement = judged(planted(0.8), [Told(), Untold()])
    told, untold = judgement.overall.measures
    assert told.cohens_d.bca.low < 0.8 < told.cohens_d.bca.high
    assert told.auc.bca.low < stats.norm.cdf(0.8 / math.sqrt(2)) < told.auc.bca.high
    assert told.win_rate.bca.low < stats.norm.cdf(0.8 / math.sqrt(2)) < told.win_rate.bca.high
    assert (told.n, told.failed) == (240, 0)
    # A distance counts with its sign flipped, and so says the same.
    assert untold.distance
    assert untold.cohens_d.value == pytest.approx(told.cohens_d.value, abs=1e-9)
    assert untold.positive_mean == pytest.approx(10 - told.positive_mean)
    assert judgement.cluster == "problem"
    assert judgement.overall.problems == 40
    assert judgement.correlation.labels == ("Told", "Untold", "length")
    assert judgement.correlation.scores[0, 1] == pytest.approx(-1)
    assert judgement.correlation.effects[0, 1] == pytest.approx(1)


def test_the_effect_is_that_of_the_formula():
    from planted import Told

    judgement = judged(planted(0.5, 60), [Told()])
    values = judgement.overall.measures[0]
    pooled = math.sqrt((values.positive_deviation**2 + values.negative_deviation**2) / 2)
    expected = (values.positive_mean - values.negative_mean) / pooled
    assert values.cohens_d.value == pytest.approx(expected, abs=1e-12)


def test_a_length_confound_is_laid_bare():
    from planted import Lengths

    def longer(rng):
        size = int(rng.integers(10, 60))
        return size + 15, size

    judgement = judged(planted(0.0, words=longer), [Lengths()])
    seen = judgement.overall.measures[0]
    assert seen.cohens_d.bca.low > 0.5
    assert abs(seen.adjusted_d.value) < 0.5 * seen.cohens_d.value
    assert seen.equal_length.triplets == 0
    assert "no triplet has" in seen.equal_length.reason
    # The baseline sees the lengths too, and shows that they differ between the roles.
    assert abs(judgement.overall.length.cohens_d.value) > 0.3


def test_equal_lengths_are_judged_apart():
    from planted import Told

    def sometimes(rng):
        return (8, 8) if rng.random() < 0.5 else (20, 8)

    judgement = judged(planted(0.8, words=sometimes), [Told()])
    equal = judgement.overall.measures[0].equal_length
    assert 90 < equal.triplets < 150
    assert equal.cohens_d.value == pytest.approx(0.8, abs=0.4)
    assert equal.reason is None


def test_planted_leaks_are_found_and_named():
    from planted import Told

    rows = planted(0.8, 60)
    long = "total = 0\nfor value in values:\n    total += value * 2\nprint(total)  # score 1\n"
    rows[3]["anchor"] = text(long)
    rows[3]["positive"] = text(long.replace("total", "result"))
    rows[5]["anchor"] = text(long)
    rows[5]["negative"] = text(long.replace("* 2", "* 3"))
    rows[7]["negative"] = rows[7]["positive"]
    # A text that is right in one triplet and wrong in another of the same problem.
    rows[49]["negative"] = rows[9]["positive"]
    judgement = judged(rows, [Told()])
    found = {(one.triplet, one.roles, one.kind, one.elsewhere) for one in judgement.overall.leaks}
    assert found == {
        ("t3", "anchor and positive", "renamed copy", None),
        ("t5", "anchor and negative", "near copy", None),
        ("t7", "positive and negative", "copy", None),
        ("t49", "positive and negative", "copy", "t9"),
    }
    effect = judgement.overall.measures[0]
    assert effect.without_leaks is not None
    assert effect.without_leaks.value != effect.cohens_d.value
    assert judged(planted(0.8, 60), [Told()]).overall.measures[0].without_leaks is None


def test_leaks_of_another_problem_are_none():
    from planted import Told

    rows = planted(0.8, 60)
    rows[49]["negative"] = rows[10]["positive"]
    assert judged(rows, [Told()]).overall.leaks == ()


def test_language_pairs_stand_apart():
    from planted import Told

    rows = planted(0.8, 60)
    for row in rows[:25]:
        row["anchor"] = text("int main() { return 0; }", "c")
    judgement = judged(rows, [Told()])
    assert [(pair.name, pair.triplets) for pair in judgement.pairs] == [
        ("(c, python)", 25),
        ("python", 35),
    ]
    assert judgement.overall.name == "all"
    assert judgement.overall.triplets == 60


def test_bad_rows_and_failures_are_counted():
    from planted import Told

    rows = planted(0.8, 30)
    rows[0] = {"id": "broken", "anchor": text("x = 1")}
    rows[1]["negative"] = text("no number here")
    rows[2]["positive"] = text("x\0")
    judgement = judged(rows, [Told()])
    assert (judgement.triplets, judgement.excluded) == (30, 2)
    effect = judgement.overall.measures[0]
    assert (effect.n, effect.failed) == (27, 1)
    assert judgement.overall.length.n == 28
    assert any("no field" in failure.reason for failure in judgement.failures)


def test_a_constant_measure_and_too_few_triplets_have_reasons():
    from planted import Constant, Told

    judgement = judged(planted(0.8, 30), [Constant()])
    effect = judgement.overall.measures[0]
    assert effect.win_rate.value == 0.5
    assert effect.cohens_d.value == 0
    assert judgement.wrong["Constant"] == ()
    one = judged(planted(0.8, 1), [Told()]).overall.measures[0]
    assert math.isnan(one.cohens_d.value)
    assert one.reason
    nothing = judged([], [Told()])
    assert nothing.triplets == 0
    assert nothing.overall.measures[0].reason
    only_bad = judged([{"id": "x"}], [Told()])
    assert only_bad.excluded == 1


def test_one_problem_alone_is_drawn_by_triplets():
    from planted import Told

    judgement = judged(planted(0.8, 40, problems=1), [Told()])
    assert judgement.cluster == "triplet"
    assert math.isfinite(judgement.overall.measures[0].cohens_d.bca.low)
    rows = [{k: v for k, v in row.items() if k != "problem"} for row in planted(0.8, 40)]
    assert judged(rows, [Told()]).cluster == "triplet"


def test_the_worst_triplets_come_first():
    from planted import Told

    judgement = judged(planted(0.8, 60), [Told()])
    wrong = judgement.wrong["Told"]
    assert 0 < len(wrong) <= 20
    assert [one.margin for one in wrong] == sorted((one.margin for one in wrong), reverse=True)
    assert all(one.negative > one.positive for one in wrong)


def test_a_finished_run_is_judged_again_and_says_the_same(tmp_path):
    first = judged(planted(0.8, 40), ["nes"], output=tmp_path / "run")
    again = evaluate_triplets(tmp_path / "run", resamples=300)
    assert again.overall == first.overall
    other = judge_triplets(codekin.Run(tmp_path / "run"), resamples=300, seed=3)
    assert other.overall.measures[0].cohens_d.value == first.overall.measures[0].cohens_d.value
    assert other.overall.measures[0].cohens_d.bca != first.overall.measures[0].cohens_d.bca


def test_a_run_of_something_else_is_refused(tmp_path):
    rows = [{"candidate": "x", "reference": "x", "language": "python"}]
    codekin.score(rows, "nes", output=tmp_path / "run", workers=0)
    with pytest.raises(CodekinError, match="has no triplets"):
        evaluate_triplets(tmp_path / "run")


def test_fields_of_the_input_are_not_taken_for_what_codekin_notes():
    from planted import Told

    rows = [{**row, "copy": True, "key": 1, "role": "x", "triplet": 2} for row in planted(0.8)]
    judgement = judged(rows, [Told()])
    assert judgement.overall.leaks == ()
    assert judgement.overall.measures[0].n == 240


def test_long_ids_and_long_problems_tell_triplets_and_problems_apart():
    from planted import Told

    rows = [
        {**row, "id": row["id"] * 600, "problem": "A statement. " * 100 + row["problem"]}
        for row in planted(0.8)
    ]
    judgement = judged(rows, [Told()])
    assert (judgement.cluster, judgement.overall.problems) == ("problem", 40)
    short = judged(planted(0.8), [Told()]).overall.measures[0].cohens_d
    assert judgement.overall.measures[0].cohens_d.value == short.value
    assert {wrong.triplet[:2] for wrong in judgement.wrong["Told"]} <= {f"t{i}" for i in range(10)}


def test_what_a_finished_run_cannot_do_is_said(tmp_path):
    judged(planted(triplets=20), "nes", output=tmp_path / "run")
    with pytest.raises(CodekinError, match="was not scored by bleu"):
        judged(tmp_path / "run", "bleu")


def test_an_adjusted_d_that_is_missing_always_has_a_reason():
    rows = planted(triplets=2, words=lambda rng: rng.integers(3, 30, 2))
    rows[1]["anchor"] = text("anchor = [1, 2, 3, 4, 5, 6, 7, 8, 9]")
    judgement = judged(rows, "nes")
    assert math.isnan(judgement.overall.measures[0].adjusted_d.value)
    reason = judgement.overall.measures[0].reason
    assert "lengths not regressed out: fewer than 10 triplets" in reason


def test_equal_lengths_say_why_there_is_no_d():
    rows = [
        {"anchor": text(f"x = {i}"), "positive": text(f"x = {i}"), "negative": text(f"y = {i}")}
        for i in range(12)
    ]
    equal = judged(rows, "exact").overall.measures[0].equal_length
    assert equal.reason == (
        "both groups are constant and differ, so that d is undefined; all triplets differ by the "
        "same, so that paired d is undefined"
    )
