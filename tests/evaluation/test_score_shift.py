"""Whether tested rows differ from the others: against scipy, with clusters, and in the extremes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import mannwhitneyu

from codekin.evaluation.score_shift import ScoreShift, score_shift, unlikely


def test_it_is_a_rank_sum_test_of_rows_with_a_score() -> None:
    random = np.random.default_rng(0)
    scores = random.random(200)
    tested = random.random(200) < 0.3 + 0.3 * scores
    scores[::17] = np.nan
    found = score_shift("es", scores, tested)
    known = np.isfinite(scores)
    theirs = mannwhitneyu(scores[known & tested], scores[known & ~tested], method="asymptotic")
    assert found.p == pytest.approx(theirs.pvalue)
    higher = np.mean(scores[known & tested][:, None] > scores[known & ~tested])
    assert found.chance == pytest.approx(higher)


def test_whole_clusters_are_compared_by_their_means() -> None:
    random = np.random.default_rng(1)
    clusters = np.repeat(np.arange(20), 50)
    scores = random.permutation(20)[clusters] + 0.1 * random.normal(size=1000)
    tested = clusters < 8
    apart, together = (score_shift("es", scores, tested, one) for one in (None, clusters))
    assert apart.p < 0.001  # 8 of 20 clusters, as if they were 400 of 1,000 rows
    assert together.p > 0.05


@pytest.mark.parametrize("tested", [np.zeros(9, bool), np.ones(9, bool)])
def test_nothing_to_compare(tested) -> None:
    assert score_shift("es", np.arange(9.0), tested) == ScoreShift("es", 0.5, 1.0)
    assert score_shift("es", np.ones(9), np.arange(9) < 4) == ScoreShift("es", 0.5, 1.0)


def test_measures_share_the_error() -> None:
    shifts = [ScoreShift("a", 0.6, 0.004), ScoreShift("b", 0.6, 0.006)]
    assert unlikely(shifts) == shifts[:1]
    assert unlikely(shifts[1:]) == shifts[1:]
    assert unlikely([]) == []
    assert shifts[0].text == "a (a tested row scores higher with a chance of 0.60, p = 0.004)"
