"""Whether scores rank groups as outcomes do, such as models by the tests that they pass."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from codekin.errors import CodekinError
from codekin.evaluation.bootstrap import UNKNOWN, Estimate, jackknife_groups
from codekin.evaluation.ranks import rank_statistics
from codekin.evaluation.reasons import (
    MISSING,
    columns_of,
    settled_estimate,
    unit_numbers,
    why_no_interval,
)
from codekin.evaluation.resampling import (
    Floats,
    check_resampling,
    cluster_sums,
    resampled_sums,
)

__all__ = ["group_agreement"]

_SAME = 1e-12
_MOST_SUMS = 10_000_000
"""Groups times resamples, or times the tasks to draw from; more sums would fill the memory."""

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
    """Kendall's tau b between the groups' mean scores and mean outcomes, or why there is none.

    The intervals say how stable the ranking of these groups is, not what other groups would do:
    every resample has all groups, with means of their own.

    Parameters
    ----------
    scores, outcome : array of shape (rows,)
        Rows in which one is not finite are left out.
    groups : array of shape (rows,)
        Labels.
    clusters : array of shape (rows,), optional
        Labels, such as tasks, of which whole ones are drawn with their rows of all groups;
        without, rows are drawn within each group.
    resamples, seed : int
        How many resamples, and which.
    level : float
        Of the intervals.

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
        return MISSING, f"{_number(len(names))} with a score and an outcome; a ranking needs two"
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
    if why is None and max(drawn_from, resamples) * len(names) > _MOST_SUMS:
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
    return settled_estimate(value, _tau_of_means(drawn), _tau_of_means(left_out), level)


def _number(groups: int) -> str:
    return "only one group" if groups else "no group"


def _sums_by(statistics: Floats, units: NDArray[np.intp], group: NDArray[np.intp]) -> Floats:
    """Rows, scores and outcomes summed, of shape (units, groups, 3)."""
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
        # Groups of one size would be drawn alike by one seed.
        own = np.random.SeedSequence([seed, _WITHIN_GROUPS, i]).generate_state(1, np.uint64)
        [drawn[:, i]] = resampled_sums([statistics[group == i]], resamples, int(own[0]))
    return drawn


def _tau_of_means(sums: Floats) -> Floats:
    """Kendall's tau b over groups, from sums of shape (m, groups, 3).

    A group without rows is left out. Means that differ by rounding are ties.
    """
    tau = np.empty(len(sums))
    for i, part in enumerate(sums):
        there = part[part[:, 0] > 0]
        scores, outcomes = there[:, 1] / there[:, 0], there[:, 2] / there[:, 0]
        [tau[i]] = rank_statistics(_levels(scores), _levels(outcomes)).kendall
    return tau


def _levels(means: Floats) -> Floats:
    """The means as whole numbers in the same order; those that differ by rounding are one."""
    order = np.argsort(means, kind="stable")
    steps = np.diff(means[order]) > _SAME * np.abs(means).max(initial=0.0)
    levels = np.zeros(len(means))
    levels[order[1:]] = np.cumsum(steps)
    return levels
