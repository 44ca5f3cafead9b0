"""Effect sizes: how well a measure separates the positives of triplets from the negatives.

References
----------
.. [1] Cohen, "Statistical power analysis for the behavioral sciences", 2nd ed., 1988.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from codekin.errors import CodekinError
from codekin.statistics.bootstrap import (
    UNKNOWN,
    Estimand,
    Estimate,
    jackknife_groups,
    leave_one_out,
    mean_of,
)
from codekin.statistics.correlation import is_constant
from codekin.statistics.paired import cohen_dz, paired_differences
from codekin.statistics.ranks import RankedRows, ranked_rows, ranks_left_out, resampled_ranks
from codekin.statistics.reasons import (
    MISSING,
    columns_of,
    estimate_or_reason,
    joined,
    unit_numbers,
    why_no_interval,
)
from codekin.statistics.resampling import (
    Floats,
    check_resampling,
    resampled_sums,
)

__all__ = ["EffectSizes", "adjusted_d", "cohens_d_of", "effect_sizes", "paired_d_of"]

_SAME = 1e-12
_COLLINEAR = 1e-10
"""Directions with less than this share of the largest spread count as rounding errors."""


@dataclass(frozen=True)
class EffectSizes:
    """How far the scores of positives lie above those of negatives.

    Attributes
    ----------
    n : int
        Triplets with both scores.
    cohens_d : Estimate
        The difference of the means in pooled standard deviations [1]_. If both groups are
        constant, it is 0 if they are equal and undefined if not.
    auc : Estimate
        The probability that a random positive scores above a random negative; ties count half.
    win_rate : Estimate
        The share of triplets whose positive scores above their negative; ties count half.
    paired_d : Estimate
        The mean difference within triplets in standard deviations of that difference; 0 if all
        differences are 0, undefined if they are constant but not 0.
    reason : str or None
        Why values or intervals are missing, in words.
    """

    n: int
    cohens_d: Estimate
    auc: Estimate
    win_rate: Estimate
    paired_d: Estimate
    reason: str | None = None


def effect_sizes(
    positive: ArrayLike,
    negative: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    resamples: int = 2000,
    seed: int = 0,
    level: float = 0.95,
) -> EffectSizes:
    """Estimate effect sizes with bootstrap intervals, all from the same resamples.

    Parameters
    ----------
    positive, negative : array of shape (triplets,)
        The scores of each triplet; triplets with a score that is not finite are left out.
    clusters : array of shape (triplets,), optional
        Labels, such as problems; if given, whole clusters are drawn. There are no intervals for
        fewer than ten triplets or fewer than two clusters.
    resamples, seed : int
        Number of resamples, and the seed of the draws.
    level : float
        Confidence level of the intervals.

    Examples
    --------
    >>> generator = np.random.default_rng(5)
    >>> positive, negative = generator.normal(0.8, 1, 200), generator.normal(0, 1, 200)
    >>> sizes = effect_sizes(positive, negative, seed=1)
    >>> round(sizes.cohens_d.value, 3), round(sizes.auc.value, 3), sizes.win_rate.value
    (0.802, 0.707, 0.735)
    >>> effect_sizes([0.5, 0.9], [0.25, 0.5]).reason
    'fewer than 10 triplets tell little, so that there are no intervals'
    """
    check_resampling(resamples, seed, level)
    positives, negatives = columns_of(positive=positive, negative=negative)
    scored = np.isfinite(positives) & np.isfinite(negatives)
    positives, negatives = positives[scored], negatives[scored]
    units, number = unit_numbers(clusters, scored)
    n = len(positives)
    if not n:
        return EffectSizes(
            0, MISSING, MISSING, MISSING, MISSING, reason="no triplet has both scores"
        )
    estimands = _functions_of_sums(positives, negatives)
    rows = ranked_rows(
        np.append(positives, negatives), np.repeat([1, 0], n), np.append(units, units)
    )
    paired = cohen_dz(negatives, positives)
    values = [
        estimands[0].value,
        float(rows.under(np.ones((1, number), dtype=np.int32)).auc[0]),
        estimands[1].value,
        paired if math.isfinite(paired) else math.nan,
    ]
    reasons = [_why_undefined(n, values[0], paired)]
    why = why_no_interval(n, number, "triplets")
    if why:
        d, auc, wins, paired_d = (Estimate(value, UNKNOWN, UNKNOWN) for value in values)
        return EffectSizes(n, d, auc, wins, paired_d, joined([*reasons, why]))
    if clusters is not None:
        estimands = [estimand.clustered(units) for estimand in estimands]
    estimates = [
        estimate_or_reason(value, *draws, level)
        for value, draws in zip(
            values, _draws(estimands, rows, number, resamples, seed), strict=True
        )
    ]
    reasons += [reason for _, reason in estimates]
    d, auc, wins, paired_d = (estimate for estimate, _ in estimates)
    return EffectSizes(n, d, auc, wins, paired_d, joined(reasons))


def _functions_of_sums(positive: Floats, negative: Floats) -> list[Estimand]:
    """Cohen's d, the win rate, and the paired d."""
    differences, _ = paired_differences(negative, positive)
    won = (np.sign(differences) + 1) / 2
    return [cohens_d_of(positive, negative), mean_of(won), paired_d_of(differences)]


def _draws(
    estimands: Sequence[Estimand], rows: RankedRows, units: int, resamples: int, seed: int
) -> list[tuple[Floats, Floats]]:
    """Replicates and jackknife values of the estimands, with those of AUC in second place."""
    sums = resampled_sums([estimand.statistics for estimand in estimands], resamples, seed)
    [ranks] = resampled_ranks([rows], units, resamples, seed)
    [left_out] = ranks_left_out([rows], units)
    draws = [
        (estimand.judge(part), leave_one_out(estimand))
        for estimand, part in zip(estimands, sums, strict=True)
    ]
    draws.insert(1, (ranks.auc, left_out.auc))
    return draws


def _why_undefined(n: int, d: float, paired_d: float) -> str | None:
    if n == 1:
        return "one triplet has no spread, so that d and paired d are undefined"
    return joined(
        [
            "both groups are constant and differ, so that d is undefined"
            if math.isnan(d)
            else None,
            "all triplets differ by the same, so that paired d is undefined"
            if math.isinf(paired_d)
            else None,
        ]
    )


def cohens_d_of(positive: Floats, negative: Floats) -> Estimand:
    """Cohen's d with the pooled standard deviation as a function of sums; scores must be finite.

    Examples
    --------
    >>> cohens_d_of(np.array([2.0, 4.0, 6.0]), np.array([1.0, 3.0, 5.0])).value
    0.5
    """
    # Sums of squares around each group's own mean lose no digits.
    means = float(positive.mean()), float(negative.mean())
    x = np.zeros(len(positive)) if is_constant(positive) else positive - means[0]
    y = np.zeros(len(negative)) if is_constant(negative) else negative - means[1]
    gap = means[0] - means[1]
    tolerance = _SAME * float(np.abs([positive, negative]).max())

    def judge(sums: Floats) -> Floats:
        n, first, second, squares = sums.T
        with np.errstate(divide="ignore", invalid="ignore"):
            spread = squares - (first**2 + second**2) / n
            spread[spread <= _SAME * squares] = 0.0
            difference = gap + (first - second) / n
            return _in_deviations(difference, spread / (2 * n - 2), tolerance)

    return Estimand(np.column_stack([np.ones(len(x)), x, y, x**2 + y**2]), judge)


def paired_d_of(differences: Floats) -> Estimand:
    """The mean difference in standard deviations as a function of sums; all must be finite.

    Examples
    --------
    >>> paired_d_of(np.array([1.0, 2.0, 3.0])).value
    2.0
    """
    mean = float(differences.mean())
    centered = np.zeros(len(differences)) if is_constant(differences) else differences - mean
    tolerance = _SAME * float(np.abs(differences).max())

    def judge(sums: Floats) -> Floats:
        n, first, squares = sums.T
        with np.errstate(divide="ignore", invalid="ignore"):
            spread = squares - first**2 / n
            spread[spread <= _SAME * squares] = 0.0
            return _in_deviations(mean + first / n, spread / (n - 1), tolerance)

    return Estimand(np.column_stack([np.ones(len(centered)), centered, centered**2]), judge)


def _in_deviations(difference: Floats, variance: Floats, tolerance: float) -> Floats:
    """Divide by the standard deviation; without spread, 0 stays 0 and the rest is undefined."""
    constant = np.where(np.abs(difference) <= tolerance, 0.0, np.nan)
    scaled = np.where(variance > 0, difference / np.sqrt(variance), constant)
    return np.where(np.isnan(variance), np.nan, scaled)


def adjusted_d(
    positive: ArrayLike,
    negative: ArrayLike,
    positive_lengths: ArrayLike,
    negative_lengths: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    resamples: int = 2000,
    seed: int = 0,
    level: float = 0.95,
) -> tuple[Estimate, str | None]:
    """Cohen's d after lengths are regressed out, and the reason if it is undefined.

    Least squares explain the score by the role and by lengths: log(1 + length) of each text, and
    the absolute difference of the two logarithms. The value is the coefficient of being positive
    in residual standard deviations; with constant lengths it is Cohen's d. Collinear lengths
    count once.

    Parameters
    ----------
    positive, negative : array of shape (triplets,)
        The scores; triplets with a score that is not finite are left out.
    positive_lengths, negative_lengths : array of shape (triplets, 2)
        Token counts of the candidate and of the anchor in either pair.
    clusters, resamples, seed, level
        As in :func:`effect_sizes`.

    Examples
    --------
    >>> generator = np.random.default_rng(4)
    >>> lengths = generator.integers(20, 200, (2, 300, 2)) + np.array([100, 0])[:, None, None]
    >>> noise = generator.normal(size=(2, 300))
    >>> positive, negative = 3 * np.log(1 + lengths[:, :, 0]) + noise
    >>> round(effect_sizes(positive, negative).cohens_d.value, 2)
    1.25
    >>> estimate, _ = adjusted_d(positive, negative, *lengths)
    >>> round(estimate.value, 2), estimate.bca.low < 0 < estimate.bca.high
    (0.03, True)
    """
    check_resampling(resamples, seed, level)
    scores = np.stack(columns_of(positive=positive, negative=negative))
    lengths = np.stack(
        [
            _lengths("positive_lengths", positive_lengths, scores.shape[1]),
            _lengths("negative_lengths", negative_lengths, scores.shape[1]),
        ]
    )
    known: NDArray[np.bool_] = np.isfinite([*scores, *lengths[:, :, 0], *lengths[:, :, 1]])
    known = np.logical_and.reduce(known)
    scores, lengths = scores[:, known], lengths[:, known]
    units, number = unit_numbers(clusters, known)
    n = int(known.sum())
    if not n:
        return MISSING, "no triplet has both scores and all lengths"
    estimand = Estimand(_cross_products(scores, lengths), _coefficient_in_deviations)
    reason = _why_not_adjusted(n, _fit(estimand.total))
    if reason:
        return MISSING, reason
    why = why_no_interval(n, number, "triplets")
    if why:
        return Estimate(estimand.value, UNKNOWN, UNKNOWN), why
    if clusters is not None:
        estimand = estimand.clustered(units)
    [sums] = resampled_sums([estimand.statistics], resamples, seed)
    # The fit is not a smooth function of the sums, so many units are left out in groups.
    left_out = leave_one_out(estimand.clustered(jackknife_groups(number)))
    return estimate_or_reason(estimand.value, estimand.judge(sums), left_out, level)


def _lengths(name: str, values: ArrayLike, triplets: int) -> Floats:
    lengths = np.asarray(values, dtype=np.float64)
    if lengths.shape != (triplets, 2):
        raise CodekinError(
            f"{name} has the shape {lengths.shape}; give the lengths of candidate and anchor of "
            f"each of {triplets} triplets"
        )
    if (lengths < 0).any():
        raise CodekinError(f"{name} has a negative number; lengths are counts of tokens")
    return lengths


def _cross_products(scores: Floats, lengths: Floats) -> Floats:
    """The products of all regression columns with each other, summed over each triplet."""
    logs = np.log1p(lengths)
    positive = np.repeat([[0.5], [-0.5]], scores.shape[1], axis=1)
    covariates = [logs[:, :, 0], logs[:, :, 1], np.abs(logs[:, :, 0] - logs[:, :, 1])]
    columns = [np.ones_like(scores), positive, *map(_standardized, (*covariates, scores))]
    table = np.stack(columns, axis=2)  # of shape (2, triplets, columns)
    products: Floats = np.einsum("rti,rtj->tij", table, table)
    return products.reshape(len(products), -1)


def _standardized(values: Floats) -> Floats:
    if is_constant(values):
        return np.zeros_like(values)
    standardized: Floats = (values - values.mean()) / values.std()
    return standardized


@dataclass(frozen=True, eq=False)
class _Fit:
    """Least squares from sums of products, many at once."""

    coefficient: Floats
    """The coefficient of being positive; nan where lengths alone determine the role."""
    residual: Floats
    """The residual sum of squares."""
    freedom: Floats
    """Degrees of freedom: rows minus linearly independent columns."""


def _fit(sums: Floats) -> _Fit:
    width = math.isqrt(sums.shape[1])
    rows = sums[:, 0]
    products = sums.reshape(-1, width, width) / rows[:, None, None]
    gram, score = products[:, :-1, :-1], products[:, :-1, -1]
    inverse = np.linalg.pinv(gram, rcond=_COLLINEAR, hermitian=True)
    solution = np.einsum("mij,mj->mi", inverse, score)
    projection = inverse @ gram  # onto the row space of the columns
    identified = projection[:, 1, 1] > 1 - 1e-6
    left = products[:, -1, -1] - np.einsum("mi,mi->m", solution, score)
    left[left <= _SAME * products[:, -1, -1]] = 0.0
    rank = np.rint(np.trace(projection, axis1=1, axis2=2))
    return _Fit(np.where(identified, solution[:, 1], np.nan), left * rows, rows - rank)


def _coefficient_in_deviations(sums: Floats) -> Floats:
    fit = _fit(sums)
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = np.where(fit.freedom > 0, fit.residual / fit.freedom, np.nan)
        return _in_deviations(fit.coefficient, variance, _SAME)


def _why_not_adjusted(n: int, fit: _Fit) -> str | None:
    if fit.freedom[0] <= 0:
        return f"too few triplets ({n}) to regress lengths out"
    if np.isnan(fit.coefficient[0]):
        return "lengths alone say what is positive, so that d cannot be adjusted for them"
    if fit.residual[0] <= 0 and abs(fit.coefficient[0]) > _SAME:
        return "role and lengths leave no residual, so that adjusted d is undefined"
    return None
