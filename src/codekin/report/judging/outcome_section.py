"""What a report shows of a judgement by outcomes, made ready for the template."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from codekin.evaluation.cost import PairCost
from codekin.evaluation.outcomes import (
    Correlations,
    OutcomeEffect,
    OutcomeJudgement,
    Spread,
)
from codekin.report.judging.cells import (
    Forest,
    Places,
    cost_against_quality,
    matrix,
    ranged,
    told,
)
from codekin.report.judging.outcome_panels import (
    by_correlation,
    difference_matrix,
    drawn_units,
    loss_table,
    numbers_table,
    thin_interval,
)
from codekin.report.judging.outcome_plots import group_cards, outcome_cards
from codekin.report.judging.strips import (
    Mark,
    axis_strip,
    bar_strip,
    shown,
    wide_axis,
)
from codekin.report.plots import Axis
from codekin.statistics.resampling import Floats

__all__ = ["OutcomeSection", "outcome_section"]

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
    effects = sorted(judgement.measures, key=by_correlation)
    every = (*effects, judgement.length)
    drawn = drawn_units(judgement)
    return OutcomeSection(
        judgement=judgement,
        key=_key(judgement),
        bars=[
            forest
            for kind in _KINDS
            if (forest := _bars(judgement, effects, kind, drawn)) is not None
        ],
        interval=drawn,
        numbers=numbers_table(judgement, every),
        losses=[loss_table(judgement, name, every) for name in judgement.perturbations],
        spread=outcome_cards(judgement, every, values or {}, outcome),
        groups=group_cards(judgement, every),
        differences=difference_matrix(judgement),
        agreement=matrix(
            "Scores",
            judgement.labels,
            judgement.score_correlation,
            "Pearson correlation of the scores",
            linked=True,
        ),
        cost=cost_against_quality(
            [
                (one.label, one.every.pearson.value, thin_interval(one.every.pearson, drawn))
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
        thin = thin_interval(spread, drawn)
        inner = spread.row if drawn == "task" else None
        said = f"{what}: {head} = {told(spread.value, thin, level)}, {form.n:,} rows"
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
        "range": ranged(thin_interval(spread, drawn)),
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
