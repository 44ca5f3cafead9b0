from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin import CodekinError
from codekin.statistics.active_sampling import (
    drawing_probabilities,
    drawn_rows,
    expected_errors,
)


@given(st.lists(st.floats(0, 100), min_size=1, max_size=60), st.data())
def test_probabilities_sum_to_the_number_and_have_a_floor(errors, data) -> None:
    number = data.draw(st.integers(0, len(errors)))
    found = drawing_probabilities(errors, number)
    assert found.sum() == pytest.approx(number)
    assert (found <= 1).all()
    # Rows that are drawn for certain leave fewer for the others.
    assert (found >= 0.5 * (number - (found == 1).sum()) / len(errors) - 1e-12).all()
    assert (np.diff(found[np.argsort(errors, kind="stable")]) >= -1e-12).all()


@given(st.lists(st.floats(0, 100), min_size=1, max_size=60), st.data(), st.integers(0, 9))
def test_as_many_different_rows_are_drawn_as_asked_for(errors, data, seed) -> None:
    number = data.draw(st.integers(0, len(errors)))
    drawn = drawn_rows(drawing_probabilities(errors, number), seed)
    assert len(drawn) == len(set(drawn.tolist())) == number


def test_rows_are_drawn_as_often_as_their_probabilities_say() -> None:
    wanted = drawing_probabilities(np.arange(1.0, 21.0), 6)
    counts = np.zeros(20)
    for seed in range(2000):
        counts[drawn_rows(wanted, seed)] += 1
    assert np.abs(counts / 2000 - wanted).max() < 4 * np.sqrt(0.25 / 2000)


def test_more_rows_than_there_are_cannot_be_drawn() -> None:
    with pytest.raises(CodekinError, match="cannot draw 3 of 2 rows"):
        drawing_probabilities([1.0, 2.0], 3)


def test_without_a_pilot_all_rows_are_alike() -> None:
    outcome = np.full(40, np.nan)
    outcome[:9] = 1.0
    assert set(expected_errors(outcome, np.arange(40.0))) == {1.0}


def test_scores_that_predict_badly_have_large_errors() -> None:
    random = np.random.default_rng(0)
    score = random.random(400)
    sure = np.abs(score - 0.5) > 0.25
    outcome = np.where(sure, score > 0.5, random.random(400) < 0.5).astype(float)
    errors = expected_errors(np.where(np.arange(400) < 200, outcome, np.nan), score)
    assert errors[~sure].mean() > 1.5 * errors[sure].mean()
