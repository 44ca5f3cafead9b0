from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import pearsonr, spearmanr

from codekin.statistics.correlation import correlation_matrix

numbers = st.lists(st.integers(-50, 50), min_size=3, max_size=40)


@given(numbers, st.data())
def test_pairs_without_gaps_agree_with_scipy(first, data) -> None:
    second = data.draw(st.lists(st.integers(-50, 50), min_size=len(first), max_size=len(first)))
    for ranks, peer in ((False, pearsonr), (True, spearmanr)):
        matrix = correlation_matrix([first, second], ranks=ranks)
        if len(set(first)) == 1 or len(set(second)) == 1:
            assert np.isnan(matrix[0, 1])
        else:
            assert matrix[0, 1] == pytest.approx(peer(first, second).statistic, abs=1e-9)


def test_a_pair_counts_the_rows_that_both_have() -> None:
    gap = float("nan")
    first, second, third = [1, 2, 3, 4, gap], [2, 1, gap, 4, 9], [1, 2, 3, 4, 5]
    for ranks, peer in ((False, pearsonr), (True, spearmanr)):
        matrix = correlation_matrix([first, second, third], ranks=ranks)
        assert matrix[0, 1] == pytest.approx(peer([1, 2, 4], [2, 1, 4]).statistic)
        assert matrix[1, 2] == pytest.approx(peer([2, 1, 4, 9], [1, 2, 4, 5]).statistic)
        assert (matrix == matrix.T).all()
        assert matrix.diagonal() == pytest.approx(1)


@pytest.mark.parametrize("column", [[1, 1, 1], [float("nan")] * 3, [0.1 + 0.2, 0.3, 0.3]])
def test_what_never_changes_has_no_correlation(column) -> None:
    assert np.isnan(correlation_matrix([column, [1, 2, 3]])[0, 1])
