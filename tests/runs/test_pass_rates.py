from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin import (
    compare_runs,
    compare_systems,
    estimate_rates,
    evaluate_outcomes,
    score,
    summarize,
)
from codekin.runs.pass_rates import SystemOutcomes, pass_at_k, rate_systems, task_field

TASKS, SAMPLES = 40, 4


def rows(systems, *, seed=1, outcome=True):
    """Samples of tasks of different difficulty, `systems` by their ease."""
    draw = random.Random(seed)
    ease = [draw.random() for _ in range(TASKS)]
    found = []
    for system, more in systems.items():
        for task in range(TASKS):
            for _ in range(SAMPLES):
                passes = draw.random() < min(1.0, ease[task] * more)
                row = {
                    "id": f"t/{task}",
                    "group": system,
                    "language": "python",
                    "reference": f"def f{task}(x):\n    return x + {task}\n",
                    "candidate": f"def f{task}(x):\n    return x + {task + draw.randrange(3)}\n",
                }
                found.append({**row, "outcome": int(passes)} if outcome else row)
    return found


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rates") / "run"
    return score(rows({"weak": 0.5, "strong": 1.6}), ["nes", "ed"], output=folder, workers=0)


def outcomes_of(name, outcomes, scores=(), ids=None):
    outcome = np.array(outcomes, float)
    labels = [f"t{i}" for i in range(len(outcome))] if ids is None else ids
    return SystemOutcomes(
        name, outcome, list(labels), [None] * len(outcome), np.ones(len(outcome)), dict(scores)
    )


@given(st.integers(1, 8), st.data())
def test_pass_at_k_is_the_share_of_draws_with_a_pass(samples, data):
    passed = data.draw(st.integers(0, samples))
    k = data.draw(st.integers(1, samples))
    draws = list(combinations([1] * passed + [0] * (samples - passed), k))
    assert pass_at_k(samples, passed, k) == pytest.approx(sum(map(any, draws)) / len(draws))


def test_the_same_question_has_the_same_interval_in_every_command(run):
    tests = summarize(run, "group").tests
    estimated = estimate_rates(run, "nes", beyond=True)
    assert estimated.cluster == "id"
    for system in tests.systems:
        (rate,) = [one for one in estimated.rates if one.system == system.name]
        assert (system.rate.value, system.rate.interval) == (
            rate.classical.value,
            rate.classical.interval,
        )
    (shown,) = tests.differences
    (difference,) = estimated.differences
    assert (difference.first, difference.second) == ("weak", "strong")
    assert shown.value == -difference.classical.value
    assert shown.interval.low == -difference.classical.interval.high
    assert shown.tasks == difference.pairs == TASKS
    assert compare_runs(run).tests == tests == summarize(run).tests
    judged = {one.label: one for one in evaluate_outcomes(run).measures}
    for one in tests.agreements:
        pearson = judged[one.label].every.pearson
        assert one.correlation == pytest.approx(pearson.value, abs=1e-12)
        assert one.interval.low == pytest.approx(pearson.task.low, abs=1e-12)
        assert one.auc == pytest.approx(judged[one.label].every.auc.value, abs=1e-12)


def test_samples_of_a_task_are_not_independent(run):
    system = summarize(run, "group").tests.systems[0]
    alone = rate_systems(
        [
            outcomes_of(
                "weak", [row["outcome"] for row in rows({"weak": 0.5, "strong": 1.6})[: 4 * 40]]
            )
        ]
    )
    clustered = system.rate.interval.high - system.rate.interval.low
    independent = alone.systems[0].rate.interval.high - alone.systems[0].rate.interval.low
    assert system.rate.value == pytest.approx(alone.systems[0].rate.value)
    assert clustered > 1.1 * independent


def test_tests_decide(run):
    tests = summarize(run, "group").tests
    assert [at.k for at in tests.systems[0].rates] == [1]
    assert tests.best.name == "strong"
    sentences = compare_runs(run).conclusion()
    assert sentences[0].startswith("By the tests (pass@1), strong is better than weak by ")
    assert sentences[1] == "nes and ed do not show this difference: the tests decide."


def test_a_conclusion_about_several_systems_begins_with_the_tests(tmp_path):
    several = score(
        rows({"weak": 0.4, "middle": 0.45, "strong": 1.8}), "nes", output=tmp_path / "r", workers=0
    )
    compared = compare_systems(several)
    sentences = compared.conclusion()
    assert sentences[0].startswith("By the tests (pass@1), strong is better than ")
    assert not any("no other system differs from it by more" in one for one in sentences)
    assert [one.first for one in compared.tests.differences] == ["strong", "strong"]
    assert all(one.p_holm >= one.p for one in compared.tests.differences)


def test_measures_against_the_tests_are_named():
    tests = rate_systems(
        [outcomes_of("a", [0] * 30 + [1] * 5), outcomes_of("b", [1] * 30 + [0] * 5)]
    )
    assert tests.about_measures({"nes": [("a", "b")]}) == [
        "nes puts a before b, against the tests: trust the tests."
    ]
    assert tests.about_measures({"nes": [("b", "a")]}) == []
    alike = rate_systems([outcomes_of("a", [0, 1] * 20), outcomes_of("b", [1, 0] * 20)])
    assert alike.conclusion() == [
        "The tests do not distinguish b from a (0.000 (95 % -0.324 to 0.324), p = 1)."
    ]
    assert "not known to pass more" in alike.about_measures({"nes": [("b", "a")]})[0]


def test_pass_at_larger_k_where_tasks_have_as_many_samples():
    ids = [f"t{i // 10}" for i in range(200)]
    draw = random.Random(3)
    outcomes = [int(draw.random() < 0.3) for _ in ids]
    (system,) = rate_systems([outcomes_of("a", outcomes, ids=ids)]).systems
    assert [at.k for at in system.rates] == [1, 5, 10]
    values = [at.value for at in system.rates]
    assert values == sorted(values)
    passes = [any(outcomes[i : i + 10]) for i in range(0, 200, 10)]
    assert system.rates[2].value == pytest.approx(np.mean(passes))
    assert all(0 <= at.interval.low <= at.value <= at.interval.high <= 1 for at in system.rates)


def test_tasks_count_alike_however_many_samples_they_have():
    ids = ["t0"] * 30 + [f"t{i}" for i in range(1, 21)]
    tests = rate_systems([outcomes_of("a", [1] * 30 + [0] * 20, ids=ids)])
    assert tests.systems[0].rate.value == pytest.approx(1 / 21)
    assert "different numbers of samples" in " ".join(tests.notes())


def test_graded_outcomes_have_a_mean_and_no_pass_at_k():
    tests = rate_systems([outcomes_of("a", [0.5, 0.25, 1.0] * 10)])
    assert tests.rate_name == "mean outcome"
    assert tests.grids()[0].columns[3].head == "mean outcome"


def test_rows_without_an_outcome_are_said():
    tests = rate_systems([outcomes_of("a", [1, 0, float("nan")] * 10)])
    assert tests.systems[0].tested == 20
    assert tests.warnings()[0].startswith("10 of 30 rows have no outcome")
    assert rate_systems([outcomes_of("a", [float("nan")] * 5)]) is None


def test_without_outcomes_nothing_changes(tmp_path):
    plain = score(rows({"a": 1, "b": 1}, outcome=False), "nes", output=tmp_path / "r", workers=0)
    assert summarize(plain, "group").tests is None
    assert compare_runs(plain).tests is None
    assert "tests" not in summarize(plain).to_json()


@pytest.mark.parametrize(
    ("ids", "references", "field"),
    [
        (["a", "a"], ["x", "y"], "id"),
        (["a", "b"], ["x", "x"], "reference"),
        (["a", "b"], ["x", "y"], None),
    ],
)
def test_what_names_the_task(ids, references, field):
    assert task_field([(ids, references)]) == field
