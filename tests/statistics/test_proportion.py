from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from codekin import CodekinError
from codekin.statistics.proportion import wilson_interval


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
