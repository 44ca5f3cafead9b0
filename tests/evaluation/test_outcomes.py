"""Judgements by outcomes: planted correlations, groups, perturbations, and reasons."""

import json
import math

import numpy as np
import pytest
from scipy import stats

import codekin
from codekin import CodekinError
from codekin.evaluation.outcomes import evaluate_outcomes, perturbed_runs
from codekin.runs.seals import seal_manifest


def planted(rows=300, tasks=30, groups=6, shift=1.0, seed=1):
    """Rows of known outcome whose told scores follow it."""
    from planted import told

    rng = np.random.default_rng(seed)
    made = []
    for i in range(rows):
        outcome = int(rng.random() < 0.2 + 0.1 * (i % groups))
        made.append(
            {
                "id": f"r{i}",
                "language": "python",
                "group": f"model {i % groups}",
                "candidate": told(rng.normal(shift * outcome, 1), 8, f"candidate {i}"),
                "reference": told(0, 8, f"reference {i % tasks}"),
                "origin": told(0, 8, f"origin {i % tasks}"),
                "outcome": outcome,
            }
        )
    return made


def judged(rows, measures, **options):
    return evaluate_outcomes(rows, measures, **{"workers": 0, "resamples": 200, **options})


def told_scores(rows):
    from planted import Told

    return np.array([Told().score(row["candidate"], "") for row in rows])


def test_correlations_are_those_of_scipy():
    from planted import Told, Untold

    rows = planted()
    judgement = judged(rows, [Told(), Untold()])
    scores = told_scores(rows)
    outcome = np.array([row["outcome"] for row in rows])
    told, untold = judgement.measures
    every = told.every
    assert every.pearson.value == pytest.approx(stats.pointbiserialr(outcome, scores)[0], abs=1e-9)
    assert every.spearman.value == pytest.approx(stats.spearmanr(scores, outcome)[0], abs=1e-9)
    assert every.kendall.value == pytest.approx(stats.kendalltau(scores, outcome)[0], abs=1e-9)
    above = stats.mannwhitneyu(scores[outcome == 1], scores[outcome == 0])[0]
    assert every.auc.value == pytest.approx(above / (outcome == 1).sum() / (outcome == 0).sum())
    assert untold.every.pearson.value == pytest.approx(every.pearson.value, abs=1e-9)
    assert (told.n, told.failed) == (300, 0)
    assert (judgement.tasks, judgement.groups, judgement.drawn) == (30, 6, "task")
    assert judgement.binary


def test_rewrites_are_told_from_revisions():
    from planted import Told

    origin = "\n".join(f"x{i} = f{i}(a, b)" for i in range(10))
    changed = {"one": origin.replace("f3(", "g3("), "all": "print(sum(range(9)))\n"}
    rows = [
        {
            "id": f"{name} {i}",
            "origin": origin,
            "reference": text,
            "candidate": text if i % 2 else origin,
            "outcome": i % 2,
            "language": "python",
        }
        for i in range(10)
        for name, text in changed.items()
        if name == "one" or i < 3
    ]
    judgement = judged(rows, [Told()])
    assert judgement.edited == pytest.approx(1 / 90, abs=1e-6)  # lines have nine tokens
    assert judgement.rewrites == ("all 0", "all 1", "all 2")
    note = next(one for one in judgement.notes() if one.startswith("references edit"))
    assert note == (
        "references edit 1.1 % of the tokens of their origin (median); 3 rows edit at least half "
        "of it, and are rewrites rather than revisions (all 0, all 1, all 2)"
    )
    alone = judged([{**row, "origin": None} for row in rows], [Told()])
    assert (alone.edited, alone.rewrites) == (None, ())


def test_a_planted_correlation_lies_in_its_intervals():
    from planted import Told

    rows = planted(rows=600, groups=1)
    share = np.mean([row["outcome"] for row in rows])
    spread = math.sqrt(share * (1 - share))
    expected = spread / math.sqrt(1 + spread**2)
    every = judged(rows, [Told()]).measures[0].every
    for interval in (every.pearson.row, every.pearson.task):
        assert interval.low < expected < interval.high
    assert math.isnan(every.pearson.group.low)  # one group alone says nothing of others


def test_rows_untouched_or_equal_are_left_out_apart():
    from planted import Told

    rows = planted()
    for row in rows[:40]:
        row["candidate"] = row["origin"]
    for row in rows[40:60]:
        row["candidate"] = row["reference"]
    judgement = judged(rows, [Told()])
    effect = judgement.measures[0]
    assert (judgement.unchanged, judgement.equal) == (40, 20)
    assert effect.without_unchanged.n == 260
    assert effect.without_equal.n == 280
    assert effect.without_both.n == 240
    scores, outcome = told_scores(rows), np.array([row["outcome"] for row in rows])
    expected = stats.pearsonr(scores[60:], outcome[60:])[0]
    assert effect.without_both.pearson.value == pytest.approx(expected, abs=1e-9)
    clean = judged(planted(), [Told()]).measures[0]
    assert clean.without_unchanged is clean.without_equal is clean.without_both is None


def test_groups_are_ranked_by_their_means():
    from planted import Told

    rows = planted(rows=1200, shift=3.0)
    effect = judged(rows, [Told()]).measures[0]
    scores = {point.name: point.score for point in effect.groups}
    outcomes = {point.name: point.outcome for point in effect.groups}
    expected = stats.kendalltau(list(scores.values()), list(outcomes.values()))[0]
    assert effect.groups_kendall.value == pytest.approx(expected, abs=1e-9)
    assert effect.groups_kendall.value > 0.5
    assert {point.n for point in effect.groups} == {200}
    within = [point.pearson for point in effect.groups]
    assert all(0.5 < r < 1 for r in within)


def test_a_group_with_one_outcome_only_has_words():
    from planted import Told

    rows = planted()
    for row in rows:
        if row["group"] == "model 3":
            row["outcome"] = 1
    point = next(p for p in judged(rows, [Told()]).measures[0].groups if p.name == "model 3")
    assert math.isnan(point.pearson)
    assert point.reason == "all of its rows have the same outcome (1)"


def test_differences_of_many_measures_can_be_significant():
    from planted import Told, Untold

    many = [codekin.measure("bleu", order=order) for order in range(1, 15)]
    judgement = judged(planted(shift=4.0), [Told(), Untold(), *many], resamples=100)
    assert len(judgement.differences) == 120
    assert (judgement.resamples, judgement.difference_resamples) == (100, 12_000)
    apart = [one.adjusted for one in judgement.differences if one.first == "Told"]
    assert min(apart[1:]) < 0.05
    assert "p Holm: corrected for all 120 comparisons of two measures" in " ".join(
        judgement.notes()
    )


def test_differences_between_measures_are_paired():
    from planted import Constant, Told, Untold

    judgement = judged(planted(), [Told(), Untold(), Constant(), "nes"])
    found = {(one.first, one.second): one for one in judgement.differences}
    assert len(found) == 6
    same = found[("Told", "Untold")]
    assert same.difference.value == pytest.approx(0, abs=1e-9)
    apart = found[("Told", "nes")]
    assert apart.difference.bca.low > 0
    assert apart.p < 0.05
    assert apart.adjusted >= apart.p
    assert math.isnan(found[("Told", "Constant")].difference.value)


def test_perturbations_are_runs_of_their_own_and_show_what_is_lost(tmp_path):
    from planted import Told

    rows = planted(60)
    judgement = judged(
        rows, [Told(), "nes"], perturb=["prefix:200-300", "prefix:9"], output=tmp_path / "run"
    )
    assert judgement.perturbations == ("prefix:200-300", "prefix:9")
    told, nes = judgement.measures
    assert [change.name for change in told.perturbed] == ["prefix:200-300", "prefix:9"]
    prefix = told.perturbed[0]
    assert (prefix.n, prefix.unmoved) == (60, 1.0)
    assert prefix.loss.value == 0
    moved = nes.perturbed[0]
    assert moved.changed_mean > moved.plain_mean
    assert moved.unmoved < 1
    names = [word for word, _ in perturbed_runs(codekin.Run(tmp_path / "run"))]
    assert names == ["prefix:200-300", "prefix:9"]
    again = evaluate_outcomes(tmp_path / "run", resamples=200)
    assert again.measures == judgement.measures
    with pytest.raises(CodekinError, match="is a run"):
        evaluate_outcomes(tmp_path / "run", perturb="prefix:9")


def test_runs_with_perturbations_are_resumed(tmp_path):
    rows = planted(60)
    options = {"perturb": "prefix:200-300", "output": tmp_path / "run"}
    first = judged(rows, ["nes"], **options)
    for path in (tmp_path / "run").rglob("000000.parquet"):
        path.unlink()
    with pytest.raises(CodekinError, match="holds a run already"):
        judged(rows, ["nes"], **options)
    assert judged(rows, ["nes"], resume=True, **options).measures == first.measures
    more = judged(rows, ["nes"], resume=True, **{**options, "perturb": ["prefix:9"]})
    assert more.perturbations == ("prefix:200-300", "prefix:9")


def test_rows_are_read_again_for_each_perturbation():
    rows = planted(30)
    judgement = judged(iter(rows), ["nes"], perturb="prefix:20")
    assert judgement.measures[0].perturbed[0].n == 30
    with pytest.raises(CodekinError, match="name a file instead of -"):
        evaluate_outcomes("-", perturb="prefix:20")


def test_a_run_of_plain_scores_is_judged_too(tmp_path):
    rows = planted(60)
    rows[0]["candidate"] = "# nothing done\n" + rows[0]["origin"]
    codekin.score(rows, ["nes", "length"], output=tmp_path / "plain", workers=0)
    codekin.score(rows, ["nes"], output=tmp_path / "bare", workers=0)
    judgement = evaluate_outcomes(tmp_path / "plain", resamples=200)
    assert judgement.unchanged == 1
    assert judgement.measures == judged(rows, ["nes"]).measures
    bare = evaluate_outcomes(tmp_path / "bare", resamples=200)
    assert {**bare.document(), "run": "plain"} == judgement.document()
    codekin.score(rows, ["nes", "bleu"], output=tmp_path / "no texts", workers=0, texts=False)
    with pytest.raises(CodekinError, match=r"codekin evaluate outcomes ROWS -m nes,bleu$"):
        evaluate_outcomes(tmp_path / "no texts")


def test_outcomes_may_be_any_numbers():
    from planted import Told

    rows = planted(80)
    for i, row in enumerate(rows):
        row["outcome"] = float(i % 7) / 3
    judgement = judged(rows, [Told()])
    assert not judgement.binary
    every = judgement.measures[0].every
    assert math.isnan(every.auc.value)
    scores = told_scores(rows)
    outcome = [row["outcome"] for row in rows]
    assert every.kendall.value == pytest.approx(stats.kendalltau(scores, outcome)[0], abs=1e-9)


def test_missing_outcomes_and_scores_are_counted():
    from planted import Told

    rows = planted(60)
    del rows[0]["outcome"]
    rows[1]["candidate"] = "no number"
    rows[2] = {"id": "bad"}
    judgement = judged(rows, [Told()])
    assert (judgement.rows, judgement.without_outcome) == (60, 2)
    assert (judgement.measures[0].n, judgement.measures[0].failed) == (57, 1)
    with pytest.raises(CodekinError, match="no row has an outcome"):
        judged([{"candidate": "x", "reference": "y", "language": "python"}], [Told()])


def test_what_cannot_be_told_has_a_reason():
    from planted import Constant, Told

    constant = judged(planted(40), [Constant()]).measures[0].every
    assert math.isnan(constant.pearson.value)
    assert constant.reason
    rows = planted(40)
    for row in rows:
        row["outcome"] = int(row is rows[0])
        row["candidate"] = row["origin"] if row is rows[0] else row["candidate"]
    one_sided = judged(rows, [Told()]).measures[0]
    assert math.isnan(one_sided.without_unchanged.pearson.value)
    assert "outcome" in one_sided.without_unchanged.reason
    few = judged(planted(5), [Told()]).measures[0].every
    assert few.n == 5
    assert few.reason
    assert math.isnan(few.pearson.row.low)


def test_the_farthest_rows_come_first():
    from planted import Told

    judgement = judged(planted(), [Told()])
    wrong = judgement.wrong["Told"]
    assert len(wrong) == 20
    margins = [abs(one.margin) for one in wrong]
    assert margins == sorted(margins, reverse=True)
    assert all((one.margin > 0) == (one.outcome == 0) for one in wrong)


def test_the_task_may_be_a_field():
    from planted import Told

    rows = planted(60)
    for i, row in enumerate(rows):
        row["exercise"] = f"x{i % 4}"
    assert judged(rows, [Told()], task="exercise").tasks == 4
    with pytest.raises(CodekinError, match="did you mean 'exercise'"):
        judged(rows, [Told()], task="exercice")


def test_the_correlation_within_tasks_does_not_see_how_tasks_differ():
    from planted import Told, told

    rng = np.random.default_rng(5)
    rows = planted(400, tasks=40, groups=1)
    scores, outcomes, tasks = [], [], []
    for i, row in enumerate(rows):
        task = i % 40
        # Hard tasks have high scores; within a task, what passes scores higher.
        row["outcome"] = int(rng.random() < 0.05 + 0.9 * task / 40)
        value = -3 * task / 40 + 0.5 * row["outcome"] + rng.normal(0, 0.3)
        row["candidate"] = told(value, 8, f"candidate {i}")
        scores.append(value)
        outcomes.append(row["outcome"])
        tasks.append(task)
    every = judged(rows, [Told()]).measures[0].every
    assert every.pearson.value < -0.2
    assert every.within.bca.low > 0.2
    frame = [np.array(one, dtype=float) for one in (scores, outcomes)]
    codes = np.array(tasks)
    less = [one - np.array([one[codes == c].mean() for c in codes]) for one in frame]
    assert every.within.value == pytest.approx(stats.pearsonr(*less)[0], abs=1e-7)
    alone = planted(40, tasks=40)
    assert math.isnan(judged(alone, [Told()]).measures[0].every.within.value)
    few = judged(planted(60, tasks=3), [Told()]).measures[0].every.within
    assert math.isfinite(few.value)
    assert math.isnan(few.bca.low)


def test_fields_of_the_input_are_not_taken_for_what_codekin_notes():
    from planted import Told

    rows = [{**row, "unchanged": True, "equal": "yes"} for row in planted()]
    for row in rows:
        del row["origin"]
    judgement = judged(rows, [Told()])
    assert (judgement.unchanged, judgement.equal) == (0, 0)


def test_frames_are_perturbed_too():
    pandas = pytest.importorskip("pandas")
    judgement = judged(pandas.DataFrame(planted(40)), "nes", perturb=["prefix:9", "prefix:9"])
    assert judgement.perturbations == ("prefix:9",)
    assert judgement.measures[0].perturbed[0].n == 40


def test_what_a_finished_run_cannot_do_is_said(tmp_path):
    run = tmp_path / "run"
    judged(planted(40), "nes", output=run)
    assert judged(run, None).measures[0].label == "nes"
    with pytest.raises(CodekinError, match="output cannot be given"):
        judged(run, "bleu", output=tmp_path / "other")
    with pytest.raises(CodekinError, match=r"was not scored by bleu \(it was by: nes, length\)"):
        judged(run, "bleu")
    with pytest.raises(CodekinError, match="columns cannot be given"):
        judged(run, None, columns={"outcome": "passed"})


def test_a_measure_of_ones_own_is_not_taken_for_the_baseline():
    from planted import Told

    told = Told()
    told.name = "length"
    with pytest.raises(CodekinError, match="called 'length', the name of the baseline"):
        judged(planted(40), [told])


def test_rows_without_outcomes_say_what_is_wrong_with_them(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text("no JSON")
    with pytest.raises(CodekinError, match=r"rows\.jsonl, line 1: not JSON"):
        judged(str(path), "nes")


def test_a_loss_or_a_difference_that_is_missing_has_a_reason():
    rows = [{**row, "candidate": "x = 1"} for row in planted(40)]
    judgement = judged(rows, ["exact", "nes"], perturb="prefix:9")
    [found] = judgement.measures[0].perturbed
    assert found.reason == "every score is the same"
    assert [one.reason for one in judgement.differences] == ["every score is the same"]
    document = judgement.document()
    assert document["differences"][0]["reason"] == "every score is the same"
    assert document["measures"]["exact"]["perturbed"]["prefix:9"]["reason"] is not None


def test_an_unfinished_perturbation_is_said_to_be_so(tmp_path):
    run = tmp_path / "run"
    assert judged(planted(40), "nes", perturb="prefix:9", output=run, shard_rows=10).complete
    [(_, perturbed)] = perturbed_runs(codekin.Run(run))
    manifest = json.loads((perturbed.path / "manifest.json").read_text())
    manifest["state"] = "running"
    (perturbed.path / "manifest.json").write_text(json.dumps(seal_manifest(manifest)))
    assert not judged(run, None).complete


def test_a_measure_that_lengths_beat_is_warned_of():
    long = {"candidate": "z + " * 20, "outcome": 1}
    short = {"candidate": "a + " * 9, "outcome": 0}
    rows = [
        {**one, "id": i, "reference": "a + " * 20, "origin": "b", "language": "python"}
        for i, one in enumerate([long, short] * 15)
    ]
    [warning] = judged(rows, "nes").warnings()
    assert warning.startswith("no measure agrees better with the outcomes than the lengths")
    told = [{**one, "outcome": 1 - one["outcome"]} for one in rows]
    assert not any("lengths" in one for one in judged(told, "nes").warnings())


def test_outcomes_the_wrong_way_round_are_asked_about():
    from planted import Told, Untold

    turned = [{**row, "outcome": 1 - row["outcome"]} for row in planted()]
    [asked] = judged(turned, [Told(), "nes"]).warnings()
    assert asked.startswith("the more alike texts are, the lower is the outcome (r -0.4")
    assert "is 1 a failure in your data? Then invert it, or name the other column" in asked
    assert not judged(planted(), [Told(), Untold()]).warnings()
    assert not judged(turned, ["nes"]).warnings()  # which says nothing of these


@pytest.mark.parametrize("groups", [2, 3, 4])
def test_fewer_than_four_groups_have_no_tau(groups):
    from planted import Told

    [told] = judged(planted(groups=groups), [Told()]).measures
    assert math.isnan(told.groups_kendall.value) == (groups < 4)
    if groups < 4:
        assert told.reasons == [
            f"groups tau: it takes at least 4 groups, not {groups}; fewer are often in the same "
            "order by chance"
        ]


@pytest.mark.parametrize(
    ("rows", "outcome", "message"),
    [
        (40, 1, "all 40 rows have the outcome 1; a judgement by outcomes needs rows that pass"),
        (1, 0.5, "the only row has the outcome 0.5; a judgement by outcomes needs rows that pass"),
    ],
)
def test_a_single_outcome_is_refused(rows, outcome, message):
    with pytest.raises(CodekinError, match=message):
        judged([{**row, "outcome": outcome} for row in planted(rows)], "nes")
