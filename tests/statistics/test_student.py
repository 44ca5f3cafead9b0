import numpy as np
import pytest
from scipy.special import stdtrit

from codekin.statistics.student import student_quantile


@pytest.mark.parametrize("chance", [0.025, 0.6, 0.9, 0.975, 0.995, 0.9995])
def test_quantiles_are_those_of_scipy(chance):
    freedom = np.concatenate([[1.0, 1.01, 1.5, 2.0, 2.99, 3.0], np.geomspace(1, 1e9, 500)])
    expected = stdtrit(freedom, chance)
    np.testing.assert_allclose(student_quantile(freedom, chance), expected, rtol=1e-10)


def test_the_median_is_zero():
    assert np.abs(student_quantile([1.0, 2.5, 50.0, 1e7], 0.5)).max() < 1e-12


def test_a_number_is_a_distribution_too():
    assert float(student_quantile(4.0, 0.975)) == pytest.approx(2.7764451051977987, rel=1e-12)


@pytest.mark.parametrize(
    ("freedom", "chance", "problem"),
    [(0.5, 0.9, "degree of freedom"), (np.nan, 0.9, "degree"), (3.0, 1.0, "probability")],
)
def test_what_has_no_quantile_is_refused(freedom, chance, problem):
    with pytest.raises(ValueError, match=problem):
        student_quantile(freedom, chance)
