"""What a report shows of a judgement by triplets, made ready for the template."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from codekin.evaluation.cost import PairCost
from codekin.evaluation.triplets import (
    LanguagePair,
    Leak,
    TripletEffect,
    TripletJudgement,
)
from codekin.report.judging.cells import (
    Forest,
    Places,
    cost_against_quality,
    described,
    estimate_cell,
    matrix,
    number_cell,
    ranged,
)
from codekin.report.plots.axes import Axis, brief, interval_of, shown, wide_axis
from codekin.report.plots.cards import overlaid
from codekin.report.plots.strips import Mark, axis_strip, mark_strip
from codekin.statistics.bootstrap import Estimate, Interval

__all__ = ["TripletSection", "triplet_section"]

_MOST_LEAKS = 20
_MOST_WRONG = 10
_DIGITS = 3
"""Effects on programs that differ by one bug are often below a tenth."""
_HEADS = (
    ("d", "Cohen's d: the difference of the means in pooled standard deviations"),
    ("AUC", "the chance that a positive pair scores above a negative one, of any triplet"),
    ("won", "the share of triplets whose positive scores above the negative; ties half"),
    ("paired d", "the mean difference within triplets, in its standard deviations"),
    ("d, lengths out", "Cohen's d after the lengths of both texts are regressed out"),
    ("d, equal lengths", "Cohen's d where positive and negative are equally long"),
    ("d, no leaks", "Cohen's d without the triplets that leak"),
    ("positive", "mean score of the positive pairs"),
    ("negative", "mean score of the negative pairs"),
    ("n", "triplets with both scores"),
    ("failed", "triplets without both scores"),
)


@dataclass(frozen=True)
class TripletSection:
    """The tables and plots of a judgement by triplets.

    Attributes
    ----------
    judgement : TripletJudgement
    forests : list of Forest
        All triplets first, then a language pair each where there are several.
    table : dict
        Cohen's d with language pairs down and measures across.
    leaks : list of dict
        The first of them.
    histograms : list of dict
        A picture a measure.
    matrices : list of dict
    cost : dict or None
        Cost against quality; None where costs were not measured.
    wrong : list of dict
        A measure each, with the triplets that it gets most wrong.
    reasons : list of (str, str)
        Measures without a value, and why.
    """

    judgement: TripletJudgement
    forests: list[Forest]
    table: dict[str, Any]
    leaks: list[dict[str, Any]]
    histograms: list[dict[str, Any]]
    matrices: list[dict[str, Any]]
    cost: dict[str, Any] | None
    wrong: list[dict[str, Any]]
    reasons: list[tuple[str, str]]


def triplet_section(
    judgement: TripletJudgement,
    places: Places | None = None,
    costs: Mapping[str, Sequence[PairCost]] | None = None,
) -> TripletSection:
    """Make the tables and plots of a judgement by triplets."""
    places = places or Places()
    overall = judgement.overall
    views = [overall, *judgement.pairs] if len(judgement.pairs) > 1 else [overall]
    order = [one.label for one in sorted(overall.measures, key=_by_effect)]
    matrices = [
        matrix(
            "Scores",
            judgement.labels,
            judgement.score_correlation,
            "Pearson correlation of the scores",
            linked=True,
        ),
        matrix(
            "Effects over problems",
            judgement.labels,
            judgement.effect_correlation,
            "Pearson correlation, over problems, of the standardised differences",
        ),
    ]
    return TripletSection(
        judgement=judgement,
        forests=[_forest(view, order, judgement.level) for view in views],
        table=_table(judgement),
        leaks=[
            {
                "triplet": one.triplet,
                "href": places.link(f"{one.triplet}/{_leaking_role(one.roles)}"),
                "problem": one.problem or "",
                "roles": _roles(one),
                "kind": one.kind,
                "similarity": f"{one.similarity:.2f}",
            }
            for one in overall.leaks[:_MOST_LEAKS]
        ],
        histograms=[_histograms(one) for one in (*overall.measures, overall.length)],
        matrices=[one for one in matrices if one],
        cost=cost_against_quality(
            [
                (one.label, one.cohens_d.value, interval_of(one.cohens_d))
                for one in (*overall.measures, overall.length)
            ],
            costs,
            "Cohen’s d",
        ),
        wrong=[_wrong(judgement, one, places) for one in overall.measures],
        reasons=_reasons(judgement),
    )


def _roles(leak: Leak) -> str:
    """The roles that are alike, with the other triplet if the first is one of its."""
    first, _, second = leak.roles.partition(" and ")
    return leak.roles if leak.elsewhere is None else f"{first} of {leak.elsewhere} and {second}"


def _leaking_role(roles: str) -> str:
    """The row that shows the leak: a row has an anchor and one of the others."""
    return "negative" if "negative" in roles else "positive"


def _by_effect(one: TripletEffect) -> tuple[bool, float]:
    """The largest effect first, what has none last."""
    value = one.cohens_d.value
    return (False, -value) if math.isfinite(value) else (True, 0.0)


def _axis(view: LanguagePair) -> Axis:
    """An axis for one language pair: those with few triplets would blur all others."""
    effects = (*view.measures, view.length)
    values = [
        estimate.value
        for one in effects
        for estimate in (one.cohens_d, one.adjusted_d, one.equal_length.cohens_d)
    ]
    return wide_axis(values, [interval_of(one.cohens_d) for one in effects])


def _forest(view: LanguagePair, order: Sequence[str], level: float) -> Forest:
    axis = _axis(view)
    rank = {label: i for i, label in enumerate(order)}
    effects = sorted(view.measures, key=lambda one: rank.get(one.label, len(rank)))
    lines = {"zero": 0.0, "reference": view.length.cohens_d.value}
    leaks = any(one.without_leaks is not None for one in (*effects, view.length))
    baseline = shown(view.length.cohens_d.value, _DIGITS)
    note = f"{view.triplets:,} triplets of {view.problems:,} problems"
    if baseline != "–":
        note += f"; a measure that sees only lengths reaches {baseline}"
    if view.leaks:
        note += f"; {len(view.leaks):,} leaks"
    return Forest(
        name=_title(view),
        head="d",
        axis=axis_strip(axis),
        rows=[_row(one, axis, lines, level) for one in effects],
        apart=[_row(view.length, axis, lines, level) | {"name": "length only"}],
        note=note + ".",
        numbers={
            "heads": [head for head in _HEADS if leaks or head[0] != "d, no leaks"],
            "rows": [
                {"name": one.label, "cells": _numbers(one, level, leaks=leaks)}
                for one in (*effects, view.length)
            ],
        },
    )


def _title(view: LanguagePair) -> str:
    return "all triplets" if view.anchor is None else view.name


def _row(
    one: TripletEffect, axis: Axis, lines: Mapping[str, float], level: float
) -> dict[str, Any]:
    marks = [
        _mark("main", f"{one.label}: d", one.cohens_d, level),
        _mark("diamond", f"{one.label}, lengths regressed out: d", one.adjusted_d, level),
        _mark(
            "square",
            f"{one.label}, {one.equal_length.triplets:,} triplets of equal lengths: d",
            one.equal_length.cohens_d,
            level,
        ),
    ]
    interval = interval_of(one.cohens_d)
    missing = not math.isfinite(one.cohens_d.value)
    return {
        "name": one.label,
        "title": one.signature,
        "distance": one.distance,
        "strip": "" if missing else mark_strip(marks, axis, lines),
        "text": shown(one.cohens_d.value, _DIGITS),
        "range": ranged(interval, _DIGITS),
        "reason": (one.reason or "no value") if missing else "",
    }


def _mark(kind: str, what: str, estimate: Estimate, level: float) -> Mark:
    interval = interval_of(estimate)
    said = f"{what} = {described(estimate.value, interval, level)}"
    return Mark(kind, estimate.value, said, () if interval is None else (interval,))


def _numbers(one: TripletEffect, level: float, *, leaks: bool) -> list[dict[str, Any]]:
    why = one.equal_length.reason or one.reason
    equal = estimate_cell(one.equal_length.cohens_d, level, why, _DIGITS)
    equal["title"] += f"; {one.equal_length.triplets:,} triplets"
    cells = [
        estimate_cell(one.cohens_d, level, one.reason, _DIGITS),
        estimate_cell(one.auc, level, one.reason, _DIGITS),
        estimate_cell(one.win_rate, level, one.reason, _DIGITS),
        estimate_cell(one.paired_d, level, one.reason, _DIGITS),
        estimate_cell(one.adjusted_d, level, one.reason, _DIGITS),
        equal,
    ]
    if leaks:
        none = "none of its triplets leak"
        cells.append(estimate_cell(one.without_leaks, level, one.reason or none, _DIGITS))
    for mean, deviation in (
        (one.positive_mean, one.positive_deviation),
        (one.negative_mean, one.negative_deviation),
    ):
        small = f"± {shown(deviation, 3)}" if math.isfinite(deviation) else ""
        title = (one.reason or "no value") if not math.isfinite(mean) else ""
        cells.append(number_cell(shown(mean, 3), title, small))
    cells.append(number_cell(f"{one.n:,}"))
    cells.append(number_cell(f"{one.failed:,}", kind="some" if one.failed else ""))
    return cells


def _table(judgement: TripletJudgement) -> dict[str, Any]:
    """Cohen's d in the manner of the CSSG paper: language pairs down, measures across."""
    labels = [one.label for one in judgement.overall.measures]
    views = list(judgement.pairs) or [judgement.overall]
    rows = [_view_row(_title(view), view, labels) for view in views]
    if len(views) > 1:
        columns = zip(*(_effects(view, labels) for view in views), strict=True)
        missing = ["a language pair has no value"] * (len(labels) + 1)
        average = _table_row("average", "", [_average(list(one)) for one in columns], missing)
        rows.append(average | {"kind": "average"})
        pooled = _view_row("all together", judgement.overall, labels)
        rows.append(pooled | {"kind": "pooled"})
    return {"labels": labels, "rows": rows}


def _view_row(name: str, view: LanguagePair, labels: Sequence[str]) -> dict[str, Any]:
    reasons = {one.label: one.reason for one in view.measures}
    told_of = [*(reasons.get(label) for label in labels), view.length.reason]
    return _table_row(
        name,
        f"{view.triplets:,}",
        _effects(view, labels),
        [reason or "no value" for reason in told_of],
    )


def _effects(view: LanguagePair, labels: Sequence[str]) -> list[float]:
    known = {one.label: one.cohens_d.value for one in view.measures}
    return [*(known.get(label, math.nan) for label in labels), view.length.cohens_d.value]


def _average(values: Sequence[float]) -> float:
    """The plain mean over language pairs; none where one of them has no value."""
    return sum(values) / len(values) if all(map(math.isfinite, values)) else math.nan


def _table_row(
    name: str, count: str, values: Sequence[float], reasons: Sequence[str]
) -> dict[str, Any]:
    """The cells of the measures, the length baseline last, which is never the best."""
    finite = [value for value in values[:-1] if math.isfinite(value)]
    best = shown(max(finite), _DIGITS) if finite else None
    most = max([abs(value) for value in values if math.isfinite(value)], default=1.0) or 1.0
    cells = []
    for i, (value, reason) in enumerate(zip(values, reasons, strict=True)):
        text = shown(value, _DIGITS)
        cells.append(
            {
                "text": text,
                "best": i < len(values) - 1 and text == best,
                "heat": f"{max(0.0, value) / most:.3f}" if math.isfinite(value) else "0",
                "title": reason if text == "–" else "",
            }
        )
    return {"name": name, "count": count, "cells": cells, "kind": ""}


def _histograms(one: TripletEffect) -> dict[str, Any]:
    drawn = one.histograms
    svg = ""
    if drawn is not None and drawn.positive:
        svg = overlaid(
            drawn.positive,
            drawn.negative,
            Interval(drawn.low, drawn.high),
            ("positive pairs", "negative pairs"),
            one.label,
        )
    return {
        "name": one.label,
        "distance": one.distance,
        "svg": svg,
        "means": f"{brief(one.positive_mean)} and {brief(one.negative_mean)}"
        if svg and math.isfinite(one.positive_mean) and math.isfinite(one.negative_mean)
        else "",
        "reason": "" if svg else one.reason or "no triplet was scored",
    }


def _wrong(judgement: TripletJudgement, one: TripletEffect, places: Places) -> dict[str, Any]:
    return {
        "name": one.label,
        "rows": [
            {
                "triplet": wrong.triplet,
                "problem": wrong.problem or "",
                "positive": shown(wrong.positive, 3),
                "negative": shown(wrong.negative, 3),
                "margin": shown(wrong.margin),
                "positive_link": places.link(f"{wrong.triplet}/positive", one.label),
                "negative_link": places.link(f"{wrong.triplet}/negative", one.label),
            }
            for wrong in judgement.wrong.get(one.label, ())[:_MOST_WRONG]
        ],
    }


def _reasons(judgement: TripletJudgement) -> list[tuple[str, str]]:
    """Every measure that lacks something, with the words for it, once each."""
    found: dict[tuple[str, str], None] = {}
    several = len(judgement.pairs) > 1
    for view in (judgement.overall, *(judgement.pairs if several else ())):
        where = f", {_title(view)}" if several and view.anchor is not None else ""
        for one in (*view.measures, view.length):
            if one.reason:
                found[f"{one.label}{where}", one.reason] = None
    return list(found)
