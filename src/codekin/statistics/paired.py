"""Tests between two systems on the same units: differences, p-values and effect sizes.

All differences are `b` minus `a`: positive where the second system has larger values.

References
----------
.. [1] Koehn, "Statistical significance tests for machine translation evaluation", EMNLP 2004.
.. [2] Riezler and Maxwell, "On some pitfalls in automatic evaluation and significance testing for
   MT", ACL workshop 2005.
.. [3] Holm, "A simple sequentially rejective multiple test procedure", Scand. J. Stat. 6(2), 1979.
.. [4] Kerby, "The simple difference formula", Comprehensive Psychology 3, 2014.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from codekin.statistics.bootstrap import (
    Estimand,
    Estimate,
    check_weights,
    contributing,
    estimate_of,
    leave_one_out,
)
from codekin.statistics.correlation import mean_ranks
from codekin.statistics.resampling import (
    EXACT_UNITS,
    Floats,
    check_resampling,
    resampled_sums,
    swapped_sums,
)

__all__ = [
    "PairedTest",
    "bootstrap_p",
    "cohen_dz",
    "compare_pairs",
    "holm",
    "holm_corrected",
    "paired_differences",
    "permutation_p",
    "rank_biserial",
    "wins_ties_losses",
]

_SAME = 1e-12


@dataclass(frozen=True)
class PairedTest:
    """Two systems on the same units, and whether their difference may be due to chance.

    Attributes
    ----------
    a, b : float
        The value of each system.
    difference : Estimate
        b minus a.
    bootstrap_p, permutation_p : float
        Two-sided, see :func:`bootstrap_p` and :func:`permutation_p`; nan if undefined.
    bootstrap_p_holm, permutation_p_holm : float
        The same after :func:`holm_corrected`.
    units : int
        Number of pairs, or clusters of pairs, that were drawn and swapped.
    exact : bool
        Whether the permutation test enumerated every way to swap.
    """

    a: float
    b: float
    difference: Estimate
    bootstrap_p: float
    permutation_p: float
    units: int
    exact: bool
    bootstrap_p_holm: float = math.nan
    permutation_p_holm: float = math.nan


def compare_pairs(
    pairs: Sequence[tuple[Estimand, Estimand]],
    *,
    clusters: NDArray[np.intp] | None = None,
    resamples: int = 5000,
    seed: int = 0,
    level: float = 0.95,
) -> list[PairedTest]:
    """Test each pair of estimands, all by the same resamples and the same swaps.

    Parameters
    ----------
    pairs : sequence of (Estimand, Estimand)
        The same quantity for both systems. All over the same rows; a row without weight for one
        system must have none for the other.
    clusters : array of shape (rows,), optional
        The number of each row's cluster, from 0 without gaps; if given, whole clusters are drawn
        and swapped.
    resamples, seed : int
        Number of resamples and swaps, and the seed of the draws.
    level : float
        Confidence level of the intervals.

    Examples
    --------
    >>> from codekin.statistics.bootstrap import mean_of
    >>> a = np.array([0.50, 0.60, 0.70, 0.40, 0.55, 0.65, 0.35, 0.45])
    >>> [test] = compare_pairs([(mean_of(a), mean_of(a + 0.1))])
    >>> round(test.difference.value, 4), test.permutation_p, test.exact
    (0.1, 0.0078125, True)
    """
    check_resampling(resamples, seed, level)
    if not pairs:
        return []
    units = contributing([estimand for pair in pairs for estimand in pair], clusters)
    systems = list(zip(units[::2], units[1::2], strict=True))
    number = len(units[0].statistics)
    exact = number <= EXACT_UNITS
    swaps = [
        b.judge(second) - a.judge(first)
        for (a, b), (first, second) in zip(
            systems,
            swapped_sums([(a.statistics, b.statistics) for a, b in systems], resamples, seed),
            strict=True,
        )
    ]
    drawn = resampled_sums([estimand.statistics for estimand in units], resamples, seed)
    tests = []
    for i, (a, b) in enumerate(systems):
        difference = b.value - a.value
        replicates = jackknife = np.empty(0)
        if a.units > 1:  # with a single unit, every resample is the same
            replicates = b.judge(drawn[2 * i + 1]) - a.judge(drawn[2 * i])
            jackknife = leave_one_out(b) - leave_one_out(a)
        tests.append(
            PairedTest(
                a=a.value,
                b=b.value,
                difference=estimate_of(difference, replicates, jackknife, level),
                bootstrap_p=bootstrap_p(difference, replicates),
                permutation_p=permutation_p(difference, swaps[i], exact=exact),
                units=a.units,
                exact=exact,
            )
        )
    return tests


def bootstrap_p(difference: float, replicates: Floats) -> float:
    """The two-sided p-value of a paired bootstrap.

    Koehn [1]_ resamples the test set and counts how often the other system wins. That is a
    statement about the interval; for a test, the differences in resamples are shifted to a mean of
    0, as they would have under the null hypothesis, and those at least as far from 0 as the
    observed difference are counted on both sides [2]_. One is added to both counts, so that p is
    never 0. sacrebleu centres the absolute differences and counts one side alone.

    Examples
    --------
    >>> bootstrap_p(3.0, np.array([1.0, 2.0, 3.0, 4.0, 5.0]))
    0.16666666666666666
    """
    known = replicates[np.isfinite(replicates)]
    if not math.isfinite(difference) or not len(known):
        return math.nan
    scale = _SAME * max(abs(difference), float(np.abs(known).max()))
    extreme = np.abs(known - known.mean()) >= abs(difference) - scale
    return float((extreme.sum() + 1) / (len(known) + 1))


def permutation_p(difference: float, swaps: Floats, *, exact: bool) -> float:
    """The two-sided p-value of a paired permutation test (for a mean, a sign-flip test).

    If the systems were equal, the results of any unit could be swapped between them. The p-value
    is the share of swaps that give a difference at least as large; if `swaps` is a sample, one is
    added to both counts for the observed data.

    Examples
    --------
    >>> permutation_p(3.0, np.array([3.0, 1.0, -1.0, -3.0]), exact=True)
    0.5
    """
    known = swaps[np.isfinite(swaps)]
    if not math.isfinite(difference) or not len(known):
        return math.nan
    scale = _SAME * max(abs(difference), float(np.abs(known).max()), 1e-300)
    extreme = int((np.abs(known) >= abs(difference) - scale).sum())
    return extreme / len(known) if exact else (extreme + 1) / (len(known) + 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for multiple testing by Holm's step-down method [3]_; nan stays nan.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected = [math.nan] * len(p_values)
    order = sorted(
        (i for i, p in enumerate(p_values) if not math.isnan(p)), key=lambda i: p_values[i]
    )
    largest = 0.0
    for rank, i in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - rank) * p_values[i]))
        corrected[i] = largest
    return corrected


def holm_corrected(tests: Sequence[PairedTest]) -> list[PairedTest]:
    """Correct the p-values of all tests, each kind separately."""
    by_bootstrap = holm([test.bootstrap_p for test in tests])
    by_permutation = holm([test.permutation_p for test in tests])
    return [
        replace(test, bootstrap_p_holm=bootstrap, permutation_p_holm=permutation)
        for test, bootstrap, permutation in zip(tests, by_bootstrap, by_permutation, strict=True)
    ]


def paired_differences(a: ArrayLike, b: ArrayLike) -> tuple[Floats, NDArray[np.bool_]]:
    """The finite differences, with rounding errors set to 0, and a mask of their rows.

    Examples
    --------
    >>> differences, scored = paired_differences([0.3, 1.0, float("nan")], [0.1 + 0.2, 3.0, 1.0])
    >>> differences.tolist(), scored.tolist()
    ([0.0, 2.0], [True, True, False])
    """
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    scored = np.isfinite(first) & np.isfinite(second)
    first, second = first[scored], second[scored]
    differences = second - first
    scale = np.maximum(np.abs(first), np.abs(second))
    return np.where(np.abs(differences) <= _SAME * scale, 0.0, differences), scored


def cohen_dz(a: ArrayLike, b: ArrayLike, weights: ArrayLike | None = None) -> float:
    """Cohen's d of paired values: the mean difference in standard deviations of the differences.

    0 if all differences are 0, infinite if they are constant but not 0, and nan if there are
    fewer than two.

    Examples
    --------
    >>> cohen_dz([1.0, 2.0, 3.0], [2.0, 4.0, 6.0])
    2.0
    """
    differences, scored = paired_differences(a, b)
    if len(differences) < 2:
        return math.nan
    if not differences.any():
        return 0.0
    weight = np.ones(len(differences)) if weights is None else check_weights(weights)[scored]
    total = weight.sum()
    mean = float((weight * differences).sum() / total)
    spread = (weight * (differences - mean) ** 2).sum() / (total - (weight**2).sum() / total)
    if spread <= (_SAME * abs(mean)) ** 2:
        return math.copysign(math.inf, mean)
    return float(mean / np.sqrt(spread))


def rank_biserial(a: ArrayLike, b: ArrayLike) -> float:
    """The rank-biserial correlation of matched pairs [4]_, from -1 to 1.

    Differences are ranked by size; the value is the share of ranks in favour of `b` minus the
    share against it. Ties count for neither. 0 if all are ties, and nan without pairs.

    Examples
    --------
    >>> rank_biserial([1.0, 1.0, 1.0], [2.0, 3.0, 0.5])
    0.6666666666666666
    """
    differences, _ = paired_differences(a, b)
    if not len(differences):
        return math.nan
    differences = differences[differences != 0]
    if not len(differences):
        return 0.0
    ranks = mean_ranks(np.abs(differences))
    return float((ranks * np.sign(differences)).sum() / ranks.sum())


def wins_ties_losses(a: ArrayLike, b: ArrayLike, *, distance: bool = False) -> tuple[int, int, int]:
    """How often `b` is better than, equal to and worse than `a`; smaller distances are better.

    Examples
    --------
    >>> wins_ties_losses([1.0, 1.0, 1.0], [2.0, 3.0, 0.5])
    (2, 0, 1)
    >>> wins_ties_losses([1.0, 1.0, 1.0], [2.0, 3.0, 0.5], distance=True)
    (1, 0, 2)
    """
    differences, _ = paired_differences(a, b)
    larger, smaller = int((differences > 0).sum()), int((differences < 0).sum())
    ties = len(differences) - larger - smaller
    return (smaller, ties, larger) if distance else (larger, ties, smaller)
