"""What a report shows of a judgement by outcomes, made ready for the template."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from codekin.evaluation.cost import PairCost
from codekin.evaluation.outcomes import (
    Correlations,
    OutcomeEffect,
    OutcomeJudgement,
    Spread,
)
from codekin.report.brief_names import brief_names
from codekin.report.judging.cells import (
    Forest,
    Places,
    cost_against_quality,
    described,
    estimate_cell,
    matrix,
    matrix_heads,
    number_cell,
    ranged,
)
from codekin.report.plots.axes import (
    Axis,
    brief,
    interval_of,
    known,
    nice_range,
    shown,
    unit_axis,
    wide_axis,
)
from codekin.report.plots.cards import Point, binned_bars, scatter
from codekin.report.plots.strips import Mark, axis_strip, bar_strip
from codekin.statistics.bootstrap import Interval
from codekin.statistics.resampling import Floats

__all__ = ["OutcomeSection", "outcome_section", "tenths"]

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


def _outcome_cards(
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


def _group_cards(
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
                "tau": f"tau {described(tau.value, interval_of(tau), judgement.level, 2)}"
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


def _by_correlation(one: OutcomeEffect) -> tuple[bool, float]:
    """The closest to the outcome first, what has no r last."""
    value = one.every.pearson.value
    return (False, -value) if math.isfinite(value) else (True, 0.0)


def _drawn_units(judgement: OutcomeJudgement) -> str:
    """What the thin intervals draw as a whole: tasks where they tell, else rows."""
    known_task = any(known(one.every.pearson.task) for one in judgement.measures)
    return "task" if known_task and judgement.drawn == "task" else "row"


def _thin_interval(spread: Spread, drawn: str) -> Interval | None:
    """The interval by what is drawn as a whole; None where there is none."""
    interval = spread.task if drawn == "task" else spread.row
    return interval if known(interval) else None


def _numbers_table(judgement: OutcomeJudgement, effects: Sequence[OutcomeEffect]) -> dict[str, Any]:
    """All numbers: a measure a row."""
    level = judgement.level
    heads = [("n", "rows with a score and an outcome"), ("failed", "rows without a score")]
    heads += [
        (f"r by {unit}", f"Pearson’s r, drawing every {unit} as a whole")
        for unit in _units(judgement)
    ]
    within = any(math.isfinite(one.every.within.value) for one in effects)
    if within:
        words_within = "Pearson’s r of scores and outcomes less the means of their task"
        heads.append(("r within tasks", words_within))
    heads += [("rho", "Spearman’s rho"), ("tau", "Kendall’s tau b")]
    if judgement.binary:
        heads.append(("AUC", "the chance that a row of outcome 1 scores above one of outcome 0"))
    without = [
        (attribute, title)
        for attribute, title, count in (
            ("without_unchanged", "r, changed only", judgement.unchanged),
            ("without_equal", "r, unequal only", judgement.equal),
            ("without_both", "r, neither", judgement.unchanged and judgement.equal),
        )
        if count
    ]
    words = {
        "without_unchanged": "Pearson’s r without rows that return the origin untouched",
        "without_equal": "Pearson’s r without rows equal to a reference",
        "without_both": "Pearson’s r without either",
    }
    heads += [(title, words[attribute]) for attribute, title in without]
    grouped = judgement.groups > 1
    if grouped:
        heads.append(("tau, groups", "Kendall’s tau b between the means of groups"))
    rows = []
    for one in effects:
        cells = [
            number_cell(f"{one.n:,}"),
            number_cell(f"{one.failed:,}", kind="some" if one.failed else ""),
        ]
        form = one.every
        cells += [_spread_cell(form, form.pearson, unit, level) for unit in _units(judgement)]
        if within:
            cells.append(estimate_cell(form.within, level, form.reason, 3))
        unit = _drawn_units(judgement)
        kinds = [form.spearman, form.kendall, *([form.auc] if judgement.binary else [])]
        cells += [_spread_cell(form, spread, unit, level) for spread in kinds]
        for attribute, _ in without:
            other: Correlations | None = getattr(one, attribute)
            cells.append(
                number_cell("–", "it scored no such rows", kind="none")
                if other is None
                else _spread_cell(other, other.pearson, unit, level)
            )
        if grouped:
            cells.append(estimate_cell(one.groups_kendall, level, one.groups_reason, 3))
        rows.append({"name": one.label, "cells": cells})
    return {"heads": heads, "rows": rows}


def _units(judgement: OutcomeJudgement) -> list[str]:
    return [
        unit
        for unit in ("row", "task", "group")
        if any(known(getattr(one.every.pearson, unit)) for one in judgement.measures)
    ] or ["row"]


def _spread_cell(form: Correlations, spread: Spread, unit: str, level: float) -> dict[str, Any]:
    if not math.isfinite(spread.value):
        return number_cell("–", form.reason or "no value", kind="none")
    interval: Interval = getattr(spread, unit)
    return number_cell(
        shown(spread.value, 3), described(spread.value, interval, level), ranged(interval, 3)
    )


def _loss_table(
    judgement: OutcomeJudgement, name: str, effects: Sequence[OutcomeEffect]
) -> dict[str, Any]:
    """What each measure loses under one perturbation, the least first."""
    rows = []
    found = [(one, p) for one in effects for p in one.perturbed if p.name == name]
    found.sort(key=lambda pair: pair[1].loss.value if math.isfinite(pair[1].loss.value) else 9.0)
    for one, p in found:
        reason = p.changed.reason or p.plain.reason
        moved = shown(100 * p.unmoved, 0)
        rows.append(
            {
                "name": one.label,
                "cells": [
                    number_cell(shown(p.plain.pearson.value, 3), p.plain.reason or ""),
                    number_cell(shown(p.changed.pearson.value, 3), p.changed.reason or ""),
                    estimate_cell(p.loss, judgement.level, reason, 3),
                    number_cell(shown(p.plain_mean, 3)),
                    number_cell(shown(p.changed_mean, 3)),
                    number_cell("–" if moved == "–" else f"{moved} %"),
                    number_cell(f"{p.n:,}"),
                ],
            }
        )
    heads = [
        ("r before", "Pearson’s r of these rows as they were"),
        ("r after", "Pearson’s r of these rows as changed"),
        ("loss", "the first less the second, from the same resamples"),
        ("mean before", "of the scores"),
        ("mean after", "of the scores"),
        ("unmoved", "the share of rows whose score stayed the same"),
        ("n", "rows that could be changed and were scored in both forms"),
    ]
    return {"name": name, "numbers": {"heads": heads, "rows": rows}}


def _difference_matrix(judgement: OutcomeJudgement) -> dict[str, Any] | None:
    """The r of a row's measure less that of the column's; sure differences are marked."""
    if not judgement.differences:
        return None
    listed = dict.fromkeys(
        name for one in judgement.differences for name in (one.first, one.second)
    )
    order = {one.label: i for i, one in enumerate(sorted(judgement.measures, key=_by_correlation))}
    names = sorted(listed, key=lambda name: order.get(name, len(order)))
    known_of = {(one.first, one.second): (one, 1.0) for one in judgement.differences}
    known_of |= {(one.second, one.first): (one, -1.0) for one in judgement.differences}
    most = max(
        [
            abs(d.difference.value)
            for d in judgement.differences
            if math.isfinite(d.difference.value)
        ],
        default=0.0,
    )
    rows = []
    for name in names:
        cells = []
        for other in names:
            one, sign = known_of.get((name, other), (None, 1.0))
            value = math.nan if one is None else sign * one.difference.value
            if name == other:
                cells.append({"text": "", "heat": "0", "sign": "same", "title": name})
            elif one is None or not math.isfinite(value):
                title = f"{name} and {other}: no difference is known, since one of them has no r"
                cells.append({"text": "–", "heat": "0", "sign": "none", "title": title})
            else:
                sure = one.adjusted < 0.05
                title = (
                    f"r of {name} less r of {other}: {shown(value, 3, sign=True)}, "
                    f"{one.n:,} rows, adjusted p {_p(one.adjusted)}"
                )
                cells.append(
                    {
                        "text": shown(value, sign=True).replace("0.", "."),
                        "heat": f"{abs(value) / most if most else 0:.3f}",
                        "sign": ("minus" if value < 0 else "plus") + (" sure" if sure else ""),
                        "title": title,
                    }
                )
        rows.append({"name": name, "cells": [cell | {"href": ""} for cell in cells]})
    return {
        "title": "Differences",
        "heads": matrix_heads(names),
        "rows": rows,
        "sure": sum(one.adjusted < 0.05 for one in judgement.differences),
        "pairs": len(judgement.differences),
    }


def _p(value: float) -> str:
    if not math.isfinite(value):
        return "unknown"
    return "below 0.001" if value < 0.001 else f"{value:.3f}"


_MOST_WRONG = 10
_KINDS = (
    ("pearson", "Pearson’s r", "r", 0.0),
    ("spearman", "Spearman’s rho", "rho", 0.0),
    ("kendall", "Kendall’s tau", "tau", 0.0),
    ("auc", "AUC", "AUC", 0.5),
)
_COLORS = 8
"""Of the bars; the first two are of the rows as they are."""


@dataclass(frozen=True)
class OutcomeSection:
    """The tables and plots of a judgement by outcomes.

    Attributes
    ----------
    judgement : OutcomeJudgement
    key : list of (str, str)
        The classes of the bars, and what they are.
    bars : list of Forest
        One a coefficient.
    interval : str
        What is drawn as a whole for the thin line of a bar's interval.
    numbers : dict
        A table of all numbers: ``heads`` and ``rows``.
    losses : list of dict
        A table a perturbation.
    spread : list of dict
        A picture a measure of the outcome by its score.
    groups : list of dict
        A picture a measure of group means.
    differences : dict or None
        The matrix of differences between measures.
    agreement : dict or None
        The matrix of correlations between measures.
    cost : dict or None
    wrong : list of dict
    reasons : list of (str, str)
    """

    judgement: OutcomeJudgement
    key: list[tuple[str, str]]
    bars: list[Forest]
    interval: str
    numbers: dict[str, Any]
    losses: list[dict[str, Any]]
    spread: list[dict[str, Any]]
    groups: list[dict[str, Any]]
    differences: dict[str, Any] | None
    agreement: dict[str, Any] | None
    cost: dict[str, Any] | None
    wrong: list[dict[str, Any]]
    reasons: list[tuple[str, str]]


def outcome_section(
    judgement: OutcomeJudgement,
    values: Mapping[str, Floats] | None = None,
    outcome: Floats | None = None,
    places: Places | None = None,
    costs: Mapping[str, Sequence[PairCost]] | None = None,
) -> OutcomeSection:
    """Make the tables and plots of a judgement by outcomes.

    Parameters
    ----------
    judgement : OutcomeJudgement
    values : mapping of str to array, optional
        The scores of the run's rows by label; without them there is no picture of the outcome by
        score.
    outcome : array, optional
        The outcome of each row.
    places : Places, optional
    costs : mapping of str to sequence of PairCost, optional
    """
    places = places or Places()
    effects = sorted(judgement.measures, key=_by_correlation)
    every = (*effects, judgement.length)
    drawn = _drawn_units(judgement)
    return OutcomeSection(
        judgement=judgement,
        key=_key(judgement),
        bars=[
            forest
            for kind in _KINDS
            if (forest := _bars(judgement, effects, kind, drawn)) is not None
        ],
        interval=drawn,
        numbers=_numbers_table(judgement, every),
        losses=[_loss_table(judgement, name, every) for name in judgement.perturbations],
        spread=_outcome_cards(judgement, every, values or {}, outcome),
        groups=_group_cards(judgement, every),
        differences=_difference_matrix(judgement),
        agreement=matrix(
            "Scores",
            judgement.labels,
            judgement.score_correlation,
            "Pearson correlation of the scores",
            linked=True,
        ),
        cost=cost_against_quality(
            [
                (one.label, one.every.pearson.value, _thin_interval(one.every.pearson, drawn))
                for one in every
            ],
            costs,
            "Pearson’s r",
        ),
        wrong=[_wrong(judgement, one, places) for one in judgement.measures],
        reasons=_reasons(every),
    )


def _key(judgement: OutcomeJudgement) -> list[tuple[str, str]]:
    """The bars of a measure, from above to below."""
    key = [("bar-0", "all rows")]
    if judgement.unchanged:
        key.append(("bar-1", "without rows that return the origin untouched"))
    key += [
        (f"bar-{2 + i % (_COLORS - 2)}", f"after {name}")
        for i, name in enumerate(judgement.perturbations)
    ]
    return key


def _bars(
    judgement: OutcomeJudgement,
    effects: Sequence[OutcomeEffect],
    kind: tuple[str, str, str, float],
    drawn: str,
) -> Forest | None:
    field, name, head, zero = kind
    every = (*effects, judgement.length)
    spreads = [getattr(c, field) for one in every for c in _forms(one)]
    if not any(math.isfinite(spread.value) for spread in spreads):
        return None
    axis = wide_axis(
        [spread.value for spread in spreads],
        [one for spread in spreads for one in (spread.row, spread.task)],
        zero,
    )
    return Forest(
        name=name,
        head=head,
        axis=axis_strip(axis),
        rows=[_row(judgement, one, kind, axis, drawn) for one in effects],
        apart=[_row(judgement, judgement.length, kind, axis, drawn) | {"name": "length only"}],
    )


def _forms(one: OutcomeEffect) -> list[Correlations]:
    found = [one.every]
    if one.without_unchanged is not None:
        found.append(one.without_unchanged)
    return found + [form for p in one.perturbed for form in (p.plain, p.changed)]


def _row(
    judgement: OutcomeJudgement,
    one: OutcomeEffect,
    kind: tuple[str, str, str, float],
    axis: Axis,
    drawn: str,
) -> dict[str, Any]:
    field, _, head, zero = kind
    level = judgement.level

    def bar(color: str, what: str, form: Correlations, plain: Correlations | None = None) -> Mark:
        spread: Spread = getattr(form, field)
        thin = _thin_interval(spread, drawn)
        inner = spread.row if drawn == "task" else None
        said = f"{what}: {head} = {described(spread.value, thin, level)}, {form.n:,} rows"
        beside: Spread | None = None if plain is None else getattr(plain, field)
        if beside is not None and math.isfinite(beside.value):
            said += f"; the same rows as they were: {shown(beside.value, 3)}"
        intervals = tuple(i for i in (thin, inner) if i is not None)
        return Mark(color, spread.value, said, intervals, None if beside is None else beside.value)

    marks = [bar("bar-0", f"{one.label}, all rows", one.every)]
    if judgement.unchanged:
        nothing = Mark("bar-1", math.nan, "")
        form = one.without_unchanged
        what = f"{one.label}, without unchanged rows"
        marks.append(nothing if form is None else bar("bar-1", what, form))
    changed = {p.name: p for p in one.perturbed}
    for i, name in enumerate(judgement.perturbations):
        color = f"bar-{2 + i % (_COLORS - 2)}"
        p = changed.get(name)
        marks.append(
            Mark(color, math.nan, "")
            if p is None
            else bar(color, f"{one.label}, {name}", p.changed, p.plain)
        )
    spread: Spread = getattr(one.every, field)
    missing = not any(math.isfinite(mark.value) for mark in marks)
    return {
        "name": one.label,
        "title": one.signature,
        "distance": one.distance,
        "strip": "" if missing else bar_strip(marks, axis, {"zero": zero}),
        "text": shown(spread.value),
        "range": ranged(_thin_interval(spread, drawn)),
        "reason": (one.every.reason or "no value") if missing else "",
    }


def _wrong(judgement: OutcomeJudgement, one: OutcomeEffect, places: Places) -> dict[str, Any]:
    return {
        "name": one.label,
        "rows": [
            {
                "row": wrong.row,
                "group": wrong.group or "",
                "score": shown(wrong.score, 3),
                "outcome": f"{wrong.outcome:g}",
                "margin": shown(wrong.margin, sign=True),
                "href": places.link(wrong.row, one.label),
            }
            for wrong in judgement.wrong.get(one.label, ())[:_MOST_WRONG]
        ],
    }


def _reasons(effects: Sequence[OutcomeEffect]) -> list[tuple[str, str]]:
    found: dict[tuple[str, str], None] = {}
    for one in effects:
        forms = [
            ("", one.every),
            (", without unchanged rows", one.without_unchanged),
            (", without rows equal to a reference", one.without_equal),
            (", without either", one.without_both),
        ]
        forms += [(f", {p.name}", p.changed) for p in one.perturbed]
        for where, form in forms:
            if form is not None and form.reason:
                found[f"{one.label}{where}", form.reason] = None
        if one.groups_reason and one.groups:
            found[f"{one.label}, groups", one.groups_reason] = None
    return list(found)
