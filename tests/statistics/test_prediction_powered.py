from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from results.plain_ppi import plain_powered_mean

from codekin import CodekinError, Interval
from codekin.statistics.prediction_powered import (
    MeanEstimate,
    cluster_freedom,
    difference_of_means,
    powered_mean,
)
from codekin.statistics.proportion import rate_interval, wilson_interval

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "ppi_python.json").read_text())


@pytest.mark.parametrize("case", GOLDEN["cases"])
def test_the_plain_form_is_that_of_ppi_python(case) -> None:
    found = plain_powered_mean(
        case["outcome"], case["score"], case["others"], tuning=case["tuning"], level=case["level"]
    )
    assert [found.value, found.interval.low, found.interval.high] == pytest.approx(
        case["expected"], abs=1e-9
    )


def drawn_rows(random, rows: int, number: int, rate: float = 0.3, noise: float = 0.5):
    """All outcomes, scores that follow them, and the outcomes of the rows that were tested."""
    passed = (random.random(rows) < rate).astype(float)
    score = passed + noise * random.normal(size=rows)
    known = np.full(rows, np.nan)
    chosen = random.choice(rows, number, replace=False)
    known[chosen] = passed[chosen]
    return passed, score, known


def test_with_a_fixed_tuning_it_is_the_same_estimate_as_the_plain_form() -> None:
    random = np.random.default_rng(0)
    _, score, known = drawn_rows(random, 400, 100)
    there = np.isfinite(known)
    beyond = powered_mean(known, score, beyond=True)
    # Centred at all rows instead of the untested ones, λ is larger by the share of these.
    plain = plain_powered_mean(
        known[there], score[there], score[~there], tuning=beyond.tuning * 300 / 400
    )
    assert beyond.powered.value == pytest.approx(plain.value, abs=0.003)
    # One surprise more, and one degree of freedom less.
    assert plain.variance < beyond.powered.variance < 1.2 * plain.variance


def held(interval: Interval, truth: float) -> bool:
    return interval.low <= truth <= interval.high


@pytest.mark.parametrize(("rate", "noise"), [(0.3, 0.3), (0.1, 0.5), (0.6, 3.0)])
def test_intervals_contain_the_mean_of_all_rows(rate, noise) -> None:
    random = np.random.default_rng(7)
    inside, narrower = np.zeros(2), 0.0
    draws = 400
    for _ in range(draws):
        passed, score, known = drawn_rows(random, 1000, 50, rate, noise)
        found = powered_mean(known, score)
        inside += [held(one.interval, passed.mean()) for one in (found.classical, found.powered)]
        narrower += _width(found.powered) / _width(found.classical) / draws
    # Three standard errors around 95 %, and room above for the discreteness of small samples.
    assert (inside / draws > 0.918).all()
    assert (inside / draws < 0.99).all()
    assert narrower < {0.3: 0.7, 0.5: 0.95, 3.0: 1.02}[noise]


def _width(one: MeanEstimate) -> float:
    return one.interval.high - one.interval.low


def test_rare_surprises_that_were_not_seen_are_allowed_for() -> None:
    # A score that is wrong on three rows in a hundred: a fifth of all samples have no such row.
    random = np.random.default_rng(1)
    inside = plain = 0
    for _ in range(200):
        passed = (random.random(10_000) < 0.15).astype(float)
        score = np.where(random.random(10_000) < 0.03, 1 - passed, passed)
        known = np.where(np.arange(10_000) < 50, passed, np.nan)
        inside += held(powered_mean(known, score).powered.interval, passed.mean())
        naive = plain_powered_mean(passed[:50], score[:50], score[50:])
        plain += held(naive.interval, passed.mean())
    assert inside >= 0.94 * 200
    assert plain < 0.85 * 200


def test_clusters_make_intervals_of_new_rows_wide_enough() -> None:
    random = np.random.default_rng(3)
    inside = {"rows": 0, "tasks": 0}
    draws = 200
    for _ in range(draws):
        tasks = np.repeat(np.arange(120), 10)
        easy = random.beta(0.5, 0.5, 120)  # most tasks are passed always or never
        passed = (random.random(1200) < easy[tasks]).astype(float)
        score = passed + random.normal(size=1200)
        known = np.where(tasks < 40, passed, np.nan)
        for name, clusters in (("rows", None), ("tasks", tasks)):
            found = powered_mean(known, score, clusters=clusters, beyond=True)
            inside[name] += held(found.powered.interval, 0.5)
    assert inside["tasks"] >= 0.915 * draws
    assert inside["rows"] < 0.85 * draws


def dense_freedom(shares) -> float:
    """Bell and McCaffrey's degrees of freedom from the whole matrix."""
    residuals = np.diag(shares) - np.outer(shares, shares)
    whole = residuals / np.sqrt(1 - shares)[:, None]
    form = whole @ whole.T
    return float(np.trace(form) ** 2 / np.trace(form @ form))


@given(st.lists(st.floats(0.01, 1.0), min_size=2, max_size=40))
def test_degrees_of_freedom_of_clusters_are_those_of_the_matrix(sizes) -> None:
    shares = np.array(sizes) / sum(sizes)
    assert cluster_freedom(shares) == pytest.approx(dense_freedom(shares), rel=1e-6)
    assert 1 - 1e-6 <= cluster_freedom(shares) <= len(sizes) - 1 + 1e-6


@given(st.integers(0, 2**32), st.integers(12, 60), st.booleans())
def test_rows_that_are_clusters_of_their_own_are_rows(seed, number, beyond) -> None:
    _, score, known = drawn_rows(np.random.default_rng(seed), 200, number)
    apart = powered_mean(known, score, beyond=beyond)
    together = powered_mean(known, score, clusters=np.arange(200), beyond=beyond)
    # Beyond these rows, the scores of all add a little to the variance.
    near = 0.001 if beyond else 1e-9
    for one, other in ((apart.classical, together.classical), (apart.powered, together.powered)):
        assert one.interval.low == pytest.approx(other.interval.low, abs=near)
        assert one.interval.high == pytest.approx(other.interval.high, abs=near)


def cluster_draws(rate: float, alike: float, tested: int, draws: int):
    """Whole clusters tested of 60, whose own rates are spread like a beta distribution.

    The truth, what is found, and Wilson's interval with the variance of the clusters alone.
    """
    random = np.random.default_rng(5)
    total = 1 / alike - 1
    tasks = np.repeat(np.arange(60), 20)
    for _ in range(draws):
        own = random.beta(rate * total, (1 - rate) * total, 60)
        passed = (random.random(1200) < own[tasks]).astype(float)
        found = powered_mean(
            np.where(tasks < tested, passed, np.nan),
            passed + random.normal(size=1200),
            clusters=tasks,
        )
        means = passed.reshape(60, 20).mean(axis=1)[:tested]
        value, variance = means.mean(), means.var(ddof=1) / tested * (1 - tested / 60)
        plain = rate_interval(value, variance, value * (1 - value), tested - 1)
        yield passed.mean(), found, plain


@pytest.mark.parametrize(("rate", "alike", "tested"), [(0.15, 0.6, 10), (0.05, 0.3, 20)])
def test_few_whole_clusters_have_intervals_that_hold(rate, alike, tested) -> None:
    draws = 300
    inside, before = np.zeros(2), 0
    for truth, found, plain in cluster_draws(rate, alike, tested, draws):
        inside += [held(one.interval, truth) for one in (found.classical, found.powered)]
        before += held(plain, truth)
    assert (inside / draws > 0.93).all()
    assert before / draws < 0.92


def test_clusters_that_show_both_outcomes_are_as_wide_as_their_variance_says() -> None:
    for truth, found, plain in cluster_draws(0.4, 0.3, 30, 30):
        assert 0.2 < truth < 0.6
        assert _width(found.classical) == pytest.approx(plain.high - plain.low, rel=0.01)


def test_clusters_that_all_fail_are_as_many_as_there_are_clusters() -> None:
    tasks = np.repeat(np.arange(60), 50)
    known = np.where(tasks < 10, 0.0, np.nan)
    one = powered_mean(known, np.random.default_rng(0).random(3000), clusters=tasks).powered
    assert one.value == 0
    assert 0.2 < one.interval.high < 0.4
    assert powered_mean(known, None).classical.interval.high < 0.01


def test_scores_that_are_wrong_about_few_clusters_cost_degrees_of_freedom() -> None:
    random = np.random.default_rng(9)
    tasks = np.repeat(np.arange(60), 20)
    passed = (random.random(1200) < random.random(60)[tasks]).astype(float)
    noisy = passed + 0.2 * random.normal(size=1200)
    wrong = np.where(tasks == 3, 1 - noisy, noisy)
    known = np.where(tasks < 20, passed, np.nan)
    even, heavy = (powered_mean(known, score, clusters=tasks) for score in (noisy, wrong))
    assert even.classical.freedom == pytest.approx(19)
    assert heavy.powered.freedom < 4
    assert even.powered.freedom > 10


def test_strata_remove_the_variance_between_them() -> None:
    random = np.random.default_rng(5)
    inside, ratio = 0, 0.0
    draws = 200
    for _ in range(draws):
        system = np.repeat([0, 1, 2], 400)
        passed = (random.random(1200) < np.array([0.05, 0.5, 0.95])[system]).astype(float)
        known = np.full(1200, np.nan)
        chosen = random.choice(1200, 90, replace=False)
        known[chosen] = passed[chosen]
        apart = powered_mean(known, None, strata=system)
        together = powered_mean(known, None)
        inside += held(apart.classical.interval, passed.mean())
        ratio += _width(apart.classical) / _width(together.classical) / draws
    assert inside >= 0.915 * draws
    assert ratio < 0.8


def test_rows_drawn_with_unequal_probabilities_are_weighted() -> None:
    random = np.random.default_rng(11)
    inside = wrong = 0
    values = []
    draws = 300
    for _ in range(draws):
        passed, score, _ = drawn_rows(random, 1000, 10, 0.4, 0.5)
        likely = np.clip(0.02 + 0.2 * (score > 0.5), 0, 1)  # the good ones more often
        drawn = random.random(1000) < likely
        known = np.where(drawn, passed, np.nan)
        found = powered_mean(known, score, probabilities=np.where(drawn, likely, np.nan))
        values.append(found.powered.value - passed.mean())
        inside += held(found.powered.interval, passed.mean())
        wrong += held(powered_mean(known, None).classical.interval, passed.mean())
    assert abs(np.mean(values)) < 4 * np.std(values) / math.sqrt(draws) + 0.002
    assert inside >= 0.915 * draws
    assert wrong < 0.5 * draws


def test_a_pilot_and_a_second_draw_are_combined() -> None:
    random = np.random.default_rng(13)
    inside, values, alone = 0, [], []
    draws = 300
    for _ in range(draws):
        passed, score, known = drawn_rows(random, 1000, 60, 0.4, 0.5)
        rest = ~np.isfinite(known)
        likely = np.where(rest, 0.03 + 0.1 * (np.abs(score - 0.5) < 0.5), np.nan)
        drawn = rest & (random.random(1000) < likely)
        both = np.where(drawn, passed, known)
        found = powered_mean(both, score, probabilities=np.where(drawn, likely, np.nan))
        values.append(found.powered.value - passed.mean())
        alone.append(powered_mean(known, score).powered.value - passed.mean())
        inside += held(found.powered.interval, passed.mean())
    assert inside >= 0.92 * draws
    assert abs(np.mean(values)) < 4 * np.std(values) / math.sqrt(draws)
    assert np.std(values) < 0.8 * np.std(alone)


@given(st.integers(0, 2**32), st.integers(12, 60))
def test_the_tuning_of_a_row_comes_from_the_other_folds(seed, number) -> None:
    _, score, known = drawn_rows(np.random.default_rng(seed), 200, number)
    there = np.flatnonzero(np.isfinite(known))
    x, y = score[there], known[there]
    fold = np.arange(number) % 10
    tuning = np.zeros(number)
    for one in range(10):
        rest = fold != one
        centered = x[rest] - x[rest].mean()
        tuning[fold == one] = centered @ y[rest] / (centered @ centered)
    if np.ptp(y) == 0:
        tuning[:] = 0.0
    beyond = powered_mean(known, score, beyond=True)
    assert beyond.tuning == pytest.approx(tuning.mean(), abs=1e-9)
    expected = np.mean(y - tuning * (x - score.mean()))
    assert beyond.powered.value == pytest.approx(np.clip(expected, 0, 1), abs=1e-9)
    # Of these rows, the folds differ less, by the share that is tested.
    near = tuning.mean() + (1 - number / 200) * (tuning - tuning.mean())
    expected = np.mean(y - near * (x - score.mean()))
    assert powered_mean(known, score).powered.value == pytest.approx(
        np.clip(expected, 0, 1), abs=1e-9
    )


def test_whole_clusters_leave_only_the_others_in_doubt() -> None:
    random = np.random.default_rng(6)
    tasks = np.repeat(np.arange(60), 5)
    passed = (random.random(300) < random.random(60)[tasks]).astype(float)
    score = passed + random.normal(size=300)
    widths = [
        _width(powered_mean(np.where(known, passed, np.nan), score, clusters=tasks).powered)
        for known in (tasks < 30, (tasks < 30) & (np.arange(300) != 0), tasks < 60)
    ]
    # A task that is not tested completely leaves all in doubt.
    assert widths[0] < 0.85 * widths[1]
    assert widths[2] == 0


def test_equal_probabilities_are_those_of_rows_drawn_alike() -> None:
    _, score, known = drawn_rows(np.random.default_rng(2), 300, 50)
    alike = powered_mean(known, score)
    for batches in (None, np.zeros(300)):
        stated = powered_mean(known, score, probabilities=np.full(300, 50 / 300), batches=batches)
        assert stated.powered.value == pytest.approx(alike.powered.value, abs=1e-12)
        assert stated.powered.interval.low == pytest.approx(alike.powered.interval.low, abs=1e-12)


def test_the_classical_interval_is_wilsons_with_a_quantile_of_student() -> None:
    known = np.array([1.0] * 15 + [0.0] * 35)
    found = powered_mean(known, None, beyond=True).classical
    wilson = wilson_interval(15, 50)
    assert found.value == 0.3
    assert found.interval.low == pytest.approx(wilson.low, abs=0.004)
    assert _width(found) > wilson.high - wilson.low


@given(st.integers(0, 2**32), st.integers(12, 60), st.floats(0.05, 0.95))
def test_scale_and_sign_of_scores_do_not_matter(seed, number, rate) -> None:
    _, score, known = drawn_rows(np.random.default_rng(seed), 200, number, rate)
    one, other = powered_mean(known, score), powered_mean(known, 3.0 - 7.0 * score)
    assert one.powered.value == pytest.approx(other.powered.value, abs=1e-9)
    assert one.powered.interval.low == pytest.approx(other.powered.interval.low, abs=1e-9)
    assert one.worth == pytest.approx(other.worth, rel=1e-9)
    assert one.correlation == pytest.approx(-other.correlation, nan_ok=True)


@given(st.integers(0, 2**32), st.integers(0, 200), st.floats(0.0, 1.0), st.booleans())
def test_an_interval_lies_within_0_and_1_and_contains_its_value(seed, number, rate, beyond) -> None:
    _, score, known = drawn_rows(np.random.default_rng(seed), 200, number, rate)
    found = powered_mean(known, score, beyond=beyond)
    for one in (found.classical, found.powered):
        if number < 10:
            assert math.isnan(one.interval.low)
        else:
            assert 0 <= one.interval.low <= one.value <= one.interval.high <= 1


def test_when_every_row_is_tested_the_mean_is_certain() -> None:
    passed, score, _ = drawn_rows(np.random.default_rng(2), 60, 1)
    found = powered_mean(passed, score)
    assert found.powered.value == pytest.approx(passed.mean())
    assert _width(found.powered) == pytest.approx(0, abs=1e-12)
    assert _width(powered_mean(passed, score, beyond=True).powered) > 0.05


@pytest.mark.parametrize("same", [0.0, 1.0])
def test_one_outcome_only_leaves_an_interval_without_help_of_scores(same) -> None:
    score = np.random.default_rng(0).random(300)
    found = powered_mean(np.where(np.arange(300) < 40, same, np.nan), score)
    assert found.tuning == 0
    assert math.isnan(found.correlation)
    assert found.powered == found.classical
    assert found.worth == 40
    assert 0.05 < _width(found.powered) < 0.12


def test_tested_rows_are_worth_at_most_all_rows() -> None:
    random = np.random.default_rng(3)
    passed = (random.random(60) < 0.5).astype(float)
    score = passed + random.normal(size=60) / 10
    known = np.where(np.arange(60) < 33, passed, np.nan)
    found, beyond = (powered_mean(known, score, beyond=one) for one in (False, True))
    assert 33 < found.worth < 60
    # As many rows without scores have the same variance: S² (1/m - 1/n).
    single = found.classical.variance / (1 / 33 - 1 / 60)
    assert single * (1 / found.worth - 1 / 60) == pytest.approx(found.powered.variance)
    assert beyond.worth == pytest.approx(33 * beyond.gain)


def test_constant_scores_help_nothing() -> None:
    _, _, known = drawn_rows(np.random.default_rng(2), 300, 50)
    found = powered_mean(known, np.ones(300))
    assert found.powered == found.classical
    assert found.worth == 50


def test_a_row_without_a_score_counts_as_average() -> None:
    _, score, known = drawn_rows(np.random.default_rng(2), 300, 50)
    score[::7] = np.nan
    filled = np.where(np.isfinite(score), score, np.nanmean(score))
    assert powered_mean(known, score).powered == powered_mean(known, filled).powered


def test_outcomes_that_are_not_rates_have_intervals_of_student() -> None:
    random = np.random.default_rng(4)
    inside = 0
    for _ in range(200):
        truth = random.normal(10, 2, 500)
        known = np.where(np.arange(500) < 40, truth, np.nan)
        found = powered_mean(known, truth + random.normal(size=500))
        inside += held(found.powered.interval, truth.mean())
        assert _width(found.powered) < _width(found.classical)
    assert inside >= 0.91 * 200


def test_nothing_tested_has_no_mean() -> None:
    found = powered_mean(np.full(5, np.nan), np.arange(5.0))
    assert math.isnan(found.powered.value)
    assert found.labelled == 0


@pytest.mark.parametrize("wrong", [0.0, 1.5, -0.1])
def test_a_probability_is_above_0_and_at_most_1(wrong) -> None:
    with pytest.raises(CodekinError, match=r"the probability of row 2 is"):
        powered_mean([1.0, 0.0], [1.0, 2.0], probabilities=[0.5, wrong])


def test_strata_and_unequal_probabilities_do_not_go_together() -> None:
    with pytest.raises(CodekinError, match="leave out the strata"):
        powered_mean([1.0, 0.0], [1.0, 2.0], probabilities=[0.5, 0.4], strata=[0, 1])


def test_columns_have_one_length() -> None:
    with pytest.raises(CodekinError, match="one number per row"):
        powered_mean([1.0, 0.0], [1.0])


def test_a_rate_without_variance_is_certain() -> None:
    assert rate_interval(0.3, 0.0, 0.2, 10) == Interval(0.3, 0.3)


def test_a_difference_has_an_interval_only_if_both_means_have_one() -> None:
    first = MeanEstimate(0.5, Interval(0.4, 0.6), 0.0025, 99)
    second = MeanEstimate(0.2, Interval(0.13, 0.29), 0.0016, 99)
    assert difference_of_means(first, second).interval.low > 0.13
    unknown = MeanEstimate(0.2, Interval(math.nan, math.nan), 0.0016, 3)
    assert difference_of_means(first, unknown).value == pytest.approx(0.3)
    assert math.isnan(difference_of_means(first, unknown).interval.low)
