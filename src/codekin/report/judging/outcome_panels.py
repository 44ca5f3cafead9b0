"""Tables of a judgement by outcomes: all numbers, losses under perturbation, differences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from codekin.evaluation.outcomes import (
    Correlations,
    OutcomeEffect,
    OutcomeJudgement,
    Spread,
)
from codekin.report.judging.cells import (
    estimate_cell,
    matrix_heads,
    number_cell,
    ranged,
    told,
)
from codekin.report.judging.strips import known, shown
from codekin.statistics.bootstrap import Interval

__all__ = [
    "by_correlation",
    "difference_matrix",
    "drawn_units",
    "loss_table",
    "numbers_table",
    "thin_interval",
]


def by_correlation(one: OutcomeEffect) -> tuple[bool, float]:
    """The closest to the outcome first, what has no r last."""
    value = one.every.pearson.value
    return (False, -value) if math.isfinite(value) else (True, 0.0)


def drawn_units(judgement: OutcomeJudgement) -> str:
    """What the thin intervals draw as a whole: tasks where they tell, else rows."""
    known_task = any(known(one.every.pearson.task) for one in judgement.measures)
    return "task" if known_task and judgement.drawn == "task" else "row"


def thin_interval(spread: Spread, drawn: str) -> Interval | None:
    """The interval by what is drawn as a whole; None where there is none."""
    interval = spread.task if drawn == "task" else spread.row
    return interval if known(interval) else None


def numbers_table(judgement: OutcomeJudgement, effects: Sequence[OutcomeEffect]) -> dict[str, Any]:
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
        unit = drawn_units(judgement)
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
        shown(spread.value, 3), told(spread.value, interval, level), ranged(interval, 3)
    )


def loss_table(
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


def difference_matrix(judgement: OutcomeJudgement) -> dict[str, Any] | None:
    """The r of a row's measure less that of the column's; sure differences are marked."""
    if not judgement.differences:
        return None
    listed = dict.fromkeys(
        name for one in judgement.differences for name in (one.first, one.second)
    )
    order = {one.label: i for i, one in enumerate(sorted(judgement.measures, key=by_correlation))}
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
