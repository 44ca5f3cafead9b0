from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from codekin import CodekinError
from codekin.statistics.bootstrap import mean_of
from codekin.statistics.paired import compare_pairs
from codekin.statistics.several import range_test


def test_the_share_of_deals_is_that_of_all_deals() -> None:
    table = np.random.default_rng(5).random((4, 3))
    ranges = []
    for deal in product(permutations(range(3)), repeat=4):
        sums = sum(table[unit, list(order)] for unit, order in enumerate(deal))
        ranges.append(sums.max() - sums.min())
    sums = table.sum(axis=0)
    [found] = range_test([table], resamples=20_000)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        every = np.mean(np.array(ranges) >= abs(sums[i] - sums[j]) - 1e-12)
        assert found[i, j] == pytest.approx(every, abs=0.015)


def test_two_systems_have_the_p_of_the_permutation_test() -> None:
    random = np.random.default_rng(1)
    a = random.random(30)
    b = a + random.normal(0.05, 0.15, 30)
    [test] = compare_pairs([(mean_of(a), mean_of(b))], resamples=20_000)
    [found] = range_test([np.column_stack([a, b])], resamples=20_000)
    assert found[0, 1] == pytest.approx(test.permutation_p, abs=0.012)


def test_equal_systems_are_rarely_called_different() -> None:
    alarms = 0
    for seed in range(200):
        table = np.random.default_rng(seed).random((20, 6))
        alarms += bool((range_test([table], resamples=199, seed=seed)[0] <= 0.05).any())
    assert alarms <= 20  # 10 are expected; testing every pair alone would raise about 70


@settings(deadline=None, max_examples=40)
@given(
    arrays(np.float64, st.tuples(st.integers(1, 6), st.integers(2, 5)), elements=st.floats(0, 1)),
    st.integers(1, 50),
)
def test_p_values_are_shares_and_mutual(table, resamples) -> None:
    [found] = range_test([table], resamples=resamples)
    assert ((found > 0) & (found <= 1)).all()
    assert (found == found.T).all()
    assert (np.diag(found) == 1).all()
    largest = np.abs(table.sum(axis=0)[:, None] - table.sum(axis=0)).argmax()
    assert found.flat[largest] == found.min()


def test_a_unit_without_differences_changes_nothing() -> None:
    table = np.random.default_rng(3).random((9, 4))
    wide = np.vstack([table, np.zeros((1, 4))])
    tested = range_test([wide, wide + 1.0], resamples=300)
    assert np.allclose(*tested)


def test_tables_must_have_one_shape() -> None:
    assert range_test([]) == []
    for tables in ([np.zeros((3, 2)), np.zeros((3, 3))], [np.zeros((3, 1))], [np.zeros(3)]):
        with pytest.raises(CodekinError, match="tables of one shape"):
            range_test(tables)
