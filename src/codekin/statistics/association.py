"""Whether scores rank groups as outcomes do, such as models by the tests that they pass."""

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
)
from codekin.statistics.correlation import is_constant
from codekin.statistics.paired import bootstrap_p
from codekin.statistics.ranks import (
    RankedRows,
    RankStatistics,
    rank_statistics,
    ranked_rows,
    ranks_left_out,
    resampled_ranks,
)
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
    cluster_sums,
    resampled_sums,
)

__all__ = [
    "Association",
    "PairDifference",
    "associations",
    "correlation_differences",
    "group_agreement",
    "pearson_of",
]

_SAME = 1e-12
_MAX_SUMS = 10_000_000
"""Limit on groups times resamples (or times clusters), so that the sums fit into memory."""

_WITHIN_GROUPS = 2


def group_agreement(
    scores: ArrayLike,
    outcome: ArrayLike,
    groups: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    resamples: int = 2000,
    seed: int = 0,
    level: float = 0.95,
) -> tuple[Estimate, str | None]:
    """Kendall's tau b between the groups' mean scores and mean outcomes, or why it is undefined.

    The intervals say how stable the ranking of these groups is, not what other groups would do:
    every resample has all groups, with means of their own.

    Parameters
    ----------
    scores, outcome : array of shape (rows,)
        Rows in which one is not finite are left out.
    groups : array of shape (rows,)
        Labels.
    clusters : array of shape (rows,), optional
        Labels, such as tasks; whole clusters are drawn with their rows of all groups. Without
        clusters, rows are drawn within each group.
    resamples, seed : int
        Number of resamples, and the seed of the draws.
    level : float
        Confidence level of the intervals.

    Examples
    --------
    >>> passed = np.array([0, 0, 1, 0, 0, 1, 0, 1, 1, 1, 1, 1])
    >>> group_agreement(passed + 0.1, passed, np.repeat(["a", "b", "c"], 4))[0].value
    1.0
    """
    check_resampling(resamples, seed, level)
    score, judged = columns_of(scores=scores, outcome=outcome)
    labels = np.asarray(groups)
    if labels.shape != score.shape:
        raise CodekinError(f"{labels.shape} groups do not fit {score.shape} rows")
    known = np.isfinite(score) & np.isfinite(judged)
    names, group = np.unique(labels[known], return_inverse=True)
    statistics = np.column_stack([np.ones(len(group)), score[known], judged[known]])
    if len(names) < 2:
        return (
            MISSING,
            f"{_number_of_groups(len(names))} with a score and an outcome; a ranking needs two",
        )
    units, number = unit_numbers(clusters, known)
    total = _sums_by(statistics, np.zeros(len(group), dtype=np.intp), group)
    value = float(_tau_of_means(total)[0])
    if np.isnan(value):
        return MISSING, "the groups do not differ in their mean scores, or in their mean outcomes"
    sizes = np.bincount(group)
    why = why_no_interval(len(group), number)
    if why is None and clusters is None and sizes.min() < 2:
        why = f"group {names[sizes.argmin()]} has one row, so that there are no intervals"
    drawn_from = 0 if clusters is None else number
    if why is None and max(drawn_from, resamples) * len(names) > _MAX_SUMS:
        why = f"{len(names):,} groups are too many for intervals"
    if why:
        return Estimate(value, UNKNOWN, UNKNOWN), why
    if clusters is None:
        drawn = _drawn_within_groups(statistics, group, resamples, seed)
    else:
        by_unit = _sums_by(statistics, units, group)
        [flat] = resampled_sums([by_unit.reshape(number, -1)], resamples, seed)
        drawn = flat.reshape(resamples, *by_unit.shape[1:])
    left_out = total - _sums_by(statistics, jackknife_groups(number)[units], group)
    return estimate_or_reason(value, _tau_of_means(drawn), _tau_of_means(left_out), level)


def _number_of_groups(groups: int) -> str:
    return "only one group" if groups else "no group"


def _sums_by(statistics: Floats, units: NDArray[np.intp], group: NDArray[np.intp]) -> Floats:
    """Sum rows, scores and outcomes into an array of shape (units, groups, 3)."""
    width = int(group.max()) + 1
    number = int(units.max()) + 1
    cells = cluster_sums(statistics, units * width + group)
    whole = np.zeros((number * width, statistics.shape[1]))
    whole[: len(cells)] = cells
    return whole.reshape(number, width, -1)


def _drawn_within_groups(
    statistics: Floats, group: NDArray[np.intp], resamples: int, seed: int
) -> Floats:
    drawn = np.empty((resamples, int(group.max()) + 1, statistics.shape[1]))
    for i in range(drawn.shape[1]):
        # With a common seed, groups of equal size would get the same draws.
        own = np.random.SeedSequence([seed, _WITHIN_GROUPS, i]).generate_state(1, np.uint64)
        [drawn[:, i]] = resampled_sums([statistics[group == i]], resamples, int(own[0]))
    return drawn


def _tau_of_means(sums: Floats) -> Floats:
    """Kendall's tau b over groups, from sums of shape (m, groups, 3).

    A group without rows is left out. Means that differ by rounding are ties.
    """
    tau = np.empty(len(sums))
    for i, part in enumerate(sums):
        filled = part[part[:, 0] > 0]
        scores, outcomes = filled[:, 1] / filled[:, 0], filled[:, 2] / filled[:, 0]
        [tau[i]] = rank_statistics(_levels(scores), _levels(outcomes)).kendall
    return tau


def _levels(means: Floats) -> Floats:
    """Replace means by integers in the same order; means equal up to rounding share a level."""
    order = np.argsort(means, kind="stable")
    steps = np.diff(means[order]) > _SAME * np.abs(means).max(initial=0.0)
    levels = np.zeros(len(means))
    levels[order[1:]] = np.cumsum(steps)
    return levels


_NOT_BINARY = "outcomes are not just 0 and 1, so that there is no AUC"


@dataclass(frozen=True)
class Association:
    """How closely one column of scores follows the outcome.

    Attributes
    ----------
    n : int
        Rows with a score and an outcome.
    pearson : Estimate
        Pearson's r; of outcomes that are 0 or 1, the point-biserial correlation.
    spearman, kendall : Estimate
        Spearman's rho and Kendall's tau b.
    auc : Estimate
        The probability that a row with outcome 1 scores above a row with outcome 0, ties
        counting half; nan for outcomes other than 0 and 1.
    reason : str or None
        Why values or intervals are missing, in words.
    """

    n: int
    pearson: Estimate
    spearman: Estimate
    kendall: Estimate
    auc: Estimate
    reason: str | None = None


@dataclass(frozen=True)
class PairDifference:
    """The difference between Pearson's r of two columns.

    Attributes
    ----------
    n : int
        Rows with both scores and an outcome.
    difference : Estimate
    p : float
        Two-sided bootstrap p-value of a zero difference; nan where there is no interval.
    reason : str or None
        Why values or intervals are missing, in words.
    """

    n: int
    difference: Estimate
    p: float
    reason: str | None = None


@dataclass(frozen=True, eq=False)
class _Rows:
    """Rows with an outcome and at least one score, and the units that are resampled."""

    columns: list[Floats]
    outcome: Floats
    units: NDArray[np.intp]
    number: int
    clustered: bool
    any_outcome: bool

    def drawn(self, estimand: Estimand) -> Estimand:
        return estimand.clustered(self.units) if self.clustered else estimand

    def units_of(self, rows: NDArray[np.bool_]) -> int:
        return len(np.unique(self.units[rows]))


def _rows(columns: Sequence[ArrayLike], outcome: ArrayLike, clusters: ArrayLike | None) -> _Rows:
    named = {f"column {i + 1}": column for i, column in enumerate(columns)}
    judged, *scores = columns_of(outcome=outcome, **named)
    scored = np.isfinite(scores).any(axis=0) if scores else np.zeros(len(judged), dtype=bool)
    kept = scored & np.isfinite(judged)
    units, number = unit_numbers(clusters, kept)
    return _Rows(
        [column[kept] for column in scores],
        judged[kept],
        units,
        number,
        clusters is not None,
        not len(judged) or bool(np.isfinite(judged).any()),
    )


def associations(
    columns: Sequence[ArrayLike],
    outcome: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    resamples: int = 2000,
    seed: int = 0,
    level: float = 0.95,
) -> list[Association]:
    """Estimate how closely each column follows the outcome, all from the same resamples.

    Resamples in which a column or the outcome is constant have no value and do not count; if
    more than half are like that, there is no interval. The acceleration of BCa intervals comes
    from the jackknife; for rank statistics of more than 1,000 units, units are left out in 1,000
    groups of equal size.

    Parameters
    ----------
    columns : sequence of arrays of shape (rows,)
        Scores; each column counts over the rows in which it and the outcome are finite.
    outcome : array of shape (rows,)
        What the scores should follow.
    clusters : array of shape (rows,), optional
        Labels, such as tasks; if given, whole clusters are drawn. There are no intervals for
        fewer than ten rows or fewer than two clusters.
    resamples, seed : int
        Number of resamples, and the seed of the draws.
    level : float
        Confidence level of the intervals.

    Examples
    --------
    >>> generator = np.random.default_rng(3)
    >>> passed = generator.integers(0, 2, 100)
    >>> [result] = associations([passed + generator.normal(size=100)], passed, resamples=500)
    >>> round(result.pearson.value, 3), round(result.auc.value, 3)
    (0.433, 0.729)
    >>> associations([[0.5, 0.5, 0.5]], [0, 1, 1])[0].reason
    'every score is the same'
    """
    check_resampling(resamples, seed, level)
    rows = _rows(columns, outcome, clusters)
    plain = [_plain(rows, scores) for scores in rows.columns]
    drawn = [i for i, value in enumerate(plain) if _has_intervals(rows, rows.columns[i], value)]
    if not drawn:
        return plain
    pearsons = [rows.drawn(pearson_of(rows.columns[i], rows.outcome)) for i in drawn]
    ranked = [_ranked(rows, rows.columns[i]) for i in drawn]
    sums = resampled_sums([pearson.statistics for pearson in pearsons], resamples, seed)
    ranks = resampled_ranks(ranked, rows.number, resamples, seed)
    left_out = ranks_left_out(ranked, rows.number)
    for k, i in enumerate(drawn):
        replicates = pearsons[k].judge(sums[k]), ranks[k]
        jackknife = leave_one_out(pearsons[k]), left_out[k]
        plain[i] = _with_intervals(plain[i], replicates, jackknife, level)
    return plain


def _plain(rows: _Rows, scores: Floats) -> Association:
    """The values without intervals, and the reason for what is missing."""
    known = np.isfinite(scores)
    n = int(known.sum())
    reason = _why_undefined(rows, [scores], known)
    if reason:
        return Association(n, MISSING, MISSING, MISSING, MISSING, reason)
    outcome = rows.outcome[known]
    ranks = rank_statistics(scores[known], outcome)
    binary = bool(np.isin(outcome, (0, 1)).all())
    why = why_no_interval(n, rows.units_of(known))
    return Association(
        n,
        pearson=_alone(pearson_of(scores, rows.outcome).value),
        spearman=_alone(ranks.spearman[0]),
        kendall=_alone(ranks.kendall[0]),
        auc=_alone(ranks.auc[0]) if binary else MISSING,
        reason=joined([why, None if binary else _NOT_BINARY]),
    )


def _alone(value: float) -> Estimate:
    return Estimate(float(value), UNKNOWN, UNKNOWN)


def _has_intervals(rows: _Rows, scores: Floats, plain: Association) -> bool:
    units = rows.units_of(np.isfinite(scores))
    return math.isfinite(plain.pearson.value) and why_no_interval(plain.n, units) is None


def _why_undefined(rows: _Rows, columns: Sequence[Floats], known: NDArray[np.bool_]) -> str | None:
    """Why the known rows have no correlation, or None if they have one."""
    n = int(known.sum())
    if not rows.any_outcome:
        return "no row has an outcome"
    if n < 3:
        rest = "; a correlation needs three" if n else ""
        return f"{_number(n)} a score and an outcome{rest}"
    if is_constant(rows.outcome[known]):
        return f"every outcome is the same ({rows.outcome[known][0]:g})"
    if any(is_constant(scores[known]) for scores in columns):
        return "every score is the same"
    return None


def _number(rows: int) -> str:
    return {0: "no row has", 1: "only 1 row has"}.get(rows, f"only {rows} rows have")


def _ranked(rows: _Rows, scores: Floats) -> RankedRows:
    known = np.isfinite(scores)
    return ranked_rows(scores[known], rows.outcome[known], rows.units[known])


def _with_intervals(
    plain: Association,
    replicates: tuple[Floats, RankStatistics],
    jackknife: tuple[Floats, RankStatistics],
    level: float,
) -> Association:
    """Add intervals to an association."""
    (pearson, ranks), (pearson_left_out, left_out) = replicates, jackknife
    (r, *why_r), (rho, *why_rho), (tau, *why_tau), (auc, *why_auc) = (
        estimate_or_reason(plain.pearson.value, pearson, pearson_left_out, level),
        estimate_or_reason(plain.spearman.value, ranks.spearman, left_out.spearman, level),
        estimate_or_reason(plain.kendall.value, ranks.kendall, left_out.kendall, level),
        estimate_or_reason(plain.auc.value, ranks.auc, left_out.auc, level),
    )
    reasons = [plain.reason, *why_r, *why_rho, *why_tau, *why_auc]
    return Association(plain.n, r, rho, tau, auc, joined(reasons))


def pearson_of(first: ArrayLike, second: ArrayLike) -> Estimand:
    """Pearson's r as a function of sums; rows with a value that is not finite are ignored.

    Examples
    --------
    >>> pearson_of([1, 2, 3, 4, float("nan")], [1, 3, 2, 4, 5]).value
    0.8
    """
    x, y = columns_of(first=first, second=second)
    known = np.isfinite(x) & np.isfinite(y)
    weight = known.astype(np.float64)
    x, y = _standardized(x, known), _standardized(y, known)
    return Estimand(np.column_stack([weight, x, y, x * x, y * y, x * y]), _pearson_of_sums)


def _standardized(values: Floats, known: NDArray[np.bool_]) -> Floats:
    """Subtract the mean and divide by the deviation, so that sums of squares lose no digits."""
    standardized = np.zeros(len(values))
    if known.any() and not is_constant(values[known]):
        moved = values[known] - values[known].mean()
        standardized[known] = moved / moved.std()
    return standardized


def _pearson_of_sums(sums: Floats) -> Floats:
    n, x, y, xx, yy, xy = sums.T
    with np.errstate(divide="ignore", invalid="ignore"):
        x_spread, y_spread = xx - x**2 / n, yy - y**2 / n
        varies = (x_spread > _SAME * xx) & (y_spread > _SAME * yy)
        r = (xy - x * y / n) / np.sqrt(x_spread) / np.sqrt(y_spread)
        return np.where(varies, np.clip(r, -1.0, 1.0), np.nan)


def correlation_differences(
    columns: Sequence[ArrayLike],
    outcome: ArrayLike,
    pairs: Sequence[tuple[int, int]],
    *,
    clusters: ArrayLike | None = None,
    resamples: int = 2000,
    seed: int = 0,
    level: float = 0.95,
) -> list[PairDifference]:
    """Compare Pearson's r of columns, each pair over the rows that both have.

    Parameters
    ----------
    columns, outcome, clusters, resamples, seed, level
        As in :func:`associations`; the resamples are the same for every pair.
    pairs : sequence of (int, int)
        Column indices: r of the first minus r of the second.

    Examples
    --------
    >>> generator = np.random.default_rng(3)
    >>> passed = generator.integers(0, 2, 100)
    >>> scores = [passed + generator.normal(size=100), generator.normal(size=100)]
    >>> [result] = correlation_differences(scores, passed, [(0, 1)])
    >>> round(result.difference.value, 3), result.p < 0.01
    (0.303, True)
    """
    check_resampling(resamples, seed, level)
    rows = _rows(columns, outcome, clusters)
    differences = [_plain_difference(rows, *pair) for pair in pairs]
    drawn = [k for k, difference in enumerate(differences) if difference.reason is None]
    if not drawn:
        return differences
    # Pairs whose columns miss the same rows share their sums.
    keys = {k: _keys(rows, *pairs[k]) for k in drawn}
    estimands = {
        key: rows.drawn(pearson_of(_known_to(rows, *key), rows.outcome))
        for both in keys.values()
        for key in both
    }
    sums = resampled_sums([each.statistics for each in estimands.values()], resamples, seed)
    replicates = {
        key: each.judge(part) for (key, each), part in zip(estimands.items(), sums, strict=True)
    }
    left_out = {key: leave_one_out(each) for key, each in estimands.items()}
    for k, (i, j) in keys.items():
        differences[k] = _with_interval(
            differences[k], replicates[i] - replicates[j], left_out[i] - left_out[j], level
        )
    return differences


def _both(rows: _Rows, i: int, j: int) -> NDArray[np.bool_]:
    return np.isfinite(rows.columns[i]) & np.isfinite(rows.columns[j])


def _keys(rows: _Rows, i: int, j: int) -> tuple[tuple[int, bytes], tuple[int, bytes]]:
    both = _both(rows, i, j).tobytes()
    return (i, both), (j, both)


def _known_to(rows: _Rows, i: int, both: bytes) -> Floats:
    return np.where(np.frombuffer(both, dtype=np.bool_), rows.columns[i], np.nan)


def _plain_difference(rows: _Rows, i: int, j: int) -> PairDifference:
    """The difference without its interval, and the reason for what is missing."""
    known = _both(rows, i, j)
    n = int(known.sum())
    reason = _why_undefined(rows, [rows.columns[i], rows.columns[j]], known)
    if reason:
        return PairDifference(n, MISSING, math.nan, reason)
    first, second = (pearson_of(rows.columns[k][known], rows.outcome[known]).value for k in (i, j))
    why = why_no_interval(n, rows.units_of(known))
    return PairDifference(n, _alone(first - second), math.nan, why)


def _with_interval(
    plain: PairDifference, replicates: Floats, jackknife: Floats, level: float
) -> PairDifference:
    """Add intervals and a p-value to a difference."""
    value = plain.difference.value
    estimate, reason = estimate_or_reason(value, replicates, jackknife, level)
    p = math.nan if reason else bootstrap_p(value, replicates)
    return PairDifference(plain.n, estimate, p, reason)
