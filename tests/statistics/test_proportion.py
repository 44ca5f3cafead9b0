from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from codekin import CodekinError
from codekin.statistics.proportion import stratified_proportion, wilson_interval


@given(st.integers(1, 500), st.data(), st.sampled_from([0.8, 0.95, 0.99]))
def test_it_is_the_interval_of_statsmodels(cases, data, level) -> None:
    hits = data.draw(st.integers(0, cases))
    found = wilson_interval(hits, cases, level)
    low, high = proportion_confint(hits, cases, alpha=1 - level, method="wilson")
    assert found.low == pytest.approx(low, abs=1e-12)
    assert found.high == pytest.approx(high, abs=1e-12)
    assert 0 <= found.low <= hits / cases <= found.high <= 1


def test_no_cases_tell_nothing() -> None:
    assert math.isnan(wilson_interval(0, 0).low)


@pytest.mark.parametrize("given", [(3, 2), (-1, 2)])
def test_what_is_no_share_is_refused(given) -> None:
    with pytest.raises(CodekinError, match="is not a proportion"):
        wilson_interval(*given)


def test_a_level_lies_between_0_and_1() -> None:
    with pytest.raises(CodekinError, match="between 0 and 1, not 95"):
        wilson_interval(1, 2, 95)


STRATA = st.lists(
    st.tuples(st.integers(0, 20), st.integers(0, 20), st.integers(1, 1000)), min_size=1, max_size=5
)


@given(STRATA)
def test_a_stratified_share_lies_within_its_interval_and_between_its_strata(given_strata) -> None:
    strata = [(hits, hits + more, float(size)) for hits, more, size in given_strata]
    share, interval = stratified_proportion(strata)
    known = [(hits / cases, size) for hits, cases, size in strata if cases]
    if not known:
        assert math.isnan(share)
        return
    total = sum(size for _, size in known)
    assert share == pytest.approx(sum(one * size for one, size in known) / total)
    assert 0 <= interval.low <= share + 1e-12
    assert share - 1e-12 <= interval.high <= 1


def test_a_single_stratum_has_wilsons_interval() -> None:
    share, interval = stratified_proportion([(7, 10, 300), (0, 0, 5)])
    assert share == 0.7
    assert interval.low == pytest.approx(wilson_interval(7, 10).low)
    assert interval.high == pytest.approx(wilson_interval(7, 10).high)


def test_a_stratified_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    generator = np.random.default_rng(3)
    shares, sizes, truth = (0.95, 0.4), (900, 100), 0.895
    covered = 0
    for _ in range(400):
        drawn = generator.binomial(40, shares)
        _, interval = stratified_proportion(
            [(int(hits), 40, size) for hits, size in zip(drawn, sizes, strict=True)]
        )
        covered += interval.low <= truth <= interval.high
    assert 0.92 < covered / 400 < 0.99
