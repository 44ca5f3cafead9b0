"""Scores beside outcomes: the outcome by tenths of the score, and the means of groups."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from codekin.evaluation.outcomes import OutcomeEffect, OutcomeJudgement
from codekin.report.brief_names import brief_names
from codekin.report.judging.cells import told
from codekin.report.judging.plots import Point, binned_bars, scatter
from codekin.report.judging.strips import brief, interval_of, shown
from codekin.report.plots import Axis, nice_range, unit_axis
from codekin.statistics.resampling import Floats

__all__ = ["group_cards", "outcome_cards", "tenths"]

_MOST_GROUPS = 300
_LABELLED = 12
"""So many groups have their names beside their dots."""

_ENDS: tuple[Literal["left", "right"], ...] = ("left", "right")


def tenths(scores: Floats) -> list[tuple[int, int]]:
    """Ends of ten equal parts of sorted scores; equal scores are never parted.

    Examples
    --------
    >>> tenths(np.array([0.1, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.8, 0.9, 1.0]))
    [(0, 1), (1, 7), (7, 8), (8, 9), (9, 10)]
    """
    count = len(scores)
    edges = {0, count}
    for i in range(1, 10):
        at = round(i * count / 10)
        if 0 < at < count:
            # To the nearer end of the scores that are equal to the one here.
            left, right = (int(np.searchsorted(scores, scores[at - 1], e)) for e in _ENDS)
            edges.add(right if right - at <= at - left else left)
    return list(pairwise(sorted(edges)))


def outcome_cards(
    judgement: OutcomeJudgement,
    effects: Sequence[OutcomeEffect],
    values: Mapping[str, Floats],
    outcome: Floats | None,
) -> list[dict[str, Any]]:
    """A picture a measure: the share that passes, or the mean outcome, by tenths of the score."""
    if outcome is None:
        return []
    axis = _outcome_axis(judgement, outcome)
    cards = []
    for one in effects:
        given = values.get(one.label)
        usable = np.zeros(0, bool) if given is None else np.isfinite(given) & np.isfinite(outcome)
        svg = ""
        if given is not None and usable.sum() >= 2:
            svg = _binned(judgement, one, given[usable], outcome[usable], axis)
        reason = "" if svg else one.every.reason or "too few rows have a score and an outcome"
        cards.append({"name": one.label, "distance": one.distance, "svg": svg, "reason": reason})
    return cards


def _outcome_axis(judgement: OutcomeJudgement, outcome: Floats) -> Axis:
    if judgement.binary:
        return unit_axis()
    known = outcome[np.isfinite(outcome)]
    return (
        nice_range(min(0.0, float(known.min())), float(known.max())) if len(known) else unit_axis()
    )


def _binned(
    judgement: OutcomeJudgement, one: OutcomeEffect, scores: Floats, outcome: Floats, axis: Axis
) -> str:
    likeness = -scores if one.distance else scores
    order = np.argsort(likeness, kind="stable")
    likeness, outcome = likeness[order], outcome[order]
    bins = []
    for start, end in tenths(likeness):
        ends = sorted(
            abs(float(likeness[i])) if one.distance else float(likeness[i])
            for i in (start, end - 1)
        )
        mean = float(outcome[start:end].mean())
        where = f"{one.label} from {brief(ends[0])} to {brief(ends[1])}"
        said = (
            f"{where}: {outcome[start:end].sum():,.0f} of {end - start:,} rows pass ({mean:.0%})"
            if judgement.binary
            else f"{where}: mean outcome {brief(mean)} of {end - start:,} rows"
        )
        bins.append(((end - start) / len(outcome), mean, said))
    names = (
        "rows, the most alike to the right",
        "share passing" if judgement.binary else "mean outcome",
    )
    return binned_bars(bins, axis, float(outcome.mean()), names)


def group_cards(
    judgement: OutcomeJudgement, effects: Sequence[OutcomeEffect]
) -> list[dict[str, Any]]:
    """A picture a measure: the means of scores and of outcomes, a dot a group."""
    if judgement.groups < 2:
        return []
    cards = []
    for one in effects:
        dots = [g for g in one.groups if math.isfinite(g.score) and math.isfinite(g.outcome)]
        dots = dots[:_MOST_GROUPS]
        tau = one.groups_kendall
        has_tau = math.isfinite(tau.value)
        cards.append(
            {
                "name": one.label,
                "distance": one.distance,
                "svg": _groups(dots, one) if dots else "",
                "tau": f"tau {told(tau.value, interval_of(tau), judgement.level, 2)}"
                if has_tau
                else "",
                "reason": "" if has_tau else one.groups_reason or "no tau",
            }
        )
    return cards


def _groups(dots: Sequence[Any], one: OutcomeEffect) -> str:
    across = nice_range(min(g.score for g in dots), max(g.score for g in dots))
    up = nice_range(min(g.outcome for g in dots), max(g.outcome for g in dots))
    names = [g.name for g in dots]
    labels = brief_names(names, 16) if len(names) <= _LABELLED else [""] * len(names)
    points = []
    for group, label in zip(dots, labels, strict=True):
        own = (
            f"within it r = {shown(group.pearson, 3)}"
            if math.isfinite(group.pearson)
            else f"within it no r ({group.reason or 'too few rows'})"
        )
        said = (
            f"{group.name}: mean score {brief(group.score)}, mean outcome {brief(group.outcome)}, "
            f"{group.n:,} rows; {own}"
        )
        points.append(Point(group.score, group.outcome, said, label))
    down = " (a distance)" if one.distance else ""
    return scatter(points, across, up, (f"mean score{down}", "mean outcome"), small=True)
