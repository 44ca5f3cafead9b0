from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa

from codekin import CodekinError
from codekin.statistics.agreement import answer_table, cohen_kappa, kappa_of
from codekin.statistics.bootstrap import bootstrap


def test_a_table_computed_by_hand() -> None:
    """70 of 100 agree; by chance (60 x 50 + 40 x 50) / 100 = 50 would: (70 - 50) / (100 - 50)."""
    assert cohen_kappa([[40, 20], [10, 30]]) == pytest.approx(0.4)


ANSWERS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=60)


@given(ANSWERS)
def test_it_is_the_kappa_of_statsmodels(answers) -> None:
    first, second = np.array(answers).T
    table = answer_table(first, second, 3)
    assert table.sum() == len(answers)
    assert [table[a, b] for a, b in answers] == [answers.count(one) for one in answers]
    found = cohen_kappa(table)
    assert kappa_of(first, second, 3).value == pytest.approx(found, nan_ok=True)
    if len({*first, *second}) == 1:
        assert math.isnan(found)
        return
    with np.errstate(invalid="ignore"):  # its standard error of few answers
        known = cohens_kappa(table, return_results=False)
    assert found == pytest.approx(known, abs=1e-12)
    assert cohen_kappa(table.T) == pytest.approx(found)
    assert -1 - 1e-12 <= found <= 1 + 1e-12


@given(ANSWERS)
def test_judges_who_always_agree_have_a_kappa_of_1(answers) -> None:
    said = [first for first, _ in answers]
    assume(len(set(said)) > 1)
    assert cohen_kappa(answer_table(said, said, 3)) == 1.0


def test_the_bootstrap_interval_is_near_the_analytic_one() -> None:
    generator = np.random.default_rng(5)
    first = generator.integers(2, size=300)
    second = np.where(generator.random(300) < 0.8, first, 1 - first)
    [found] = bootstrap([kappa_of(first, second, 2)], seed=1)
    known = cohens_kappa(answer_table(first, second, 2))
    assert found.value == pytest.approx(known.kappa)
    assert found.known.low == pytest.approx(known.kappa_low, abs=0.02)
    assert found.known.high == pytest.approx(known.kappa_upp, abs=0.02)


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(CodekinError, match="these judged 1 and 2"):
        answer_table([0], [0, 1], 2)
    with pytest.raises(CodekinError, match="numbers from 0 to 1"):
        answer_table([0], [2], 2)
