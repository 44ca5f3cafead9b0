"""What a report shows of the cards of measures, made ready for the template."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from codekin.evaluation.card import Card, ChangeEffect, MeasureCard
from codekin.evaluation.cost import PairCost
from codekin.report.judging.cells import Forest, cost_against_quality, described, ranged
from codekin.report.plots.axes import Axis, duration, interval_of, log_axis, shown, wide_axis
from codekin.report.plots.cards import cost_line
from codekin.report.plots.strips import Mark, axis_strip, mark_strip

__all__ = ["CardSection", "card_section"]

_NOTHING = 0.5
"""The separation of a measure that tells nothing apart."""

_CONTRAST = 4
"""Nearly all scores of a card lie near those of equal texts, where tints must differ most."""


@dataclass(frozen=True)
class CardSection:
    """The tables and plots of the cards of measures.

    Attributes
    ----------
    judgement : Card
    forest : Forest
        The separation of each measure.
    preserving, breaking : list of str
        The changes, in the order of the columns.
    table : list of dict
        A measure each, of all languages together.
    languages : list of dict
        The same of each language where there are several.
    timed : bool
        Whether there is a cost to show.
    sizes : list of dict
        What a pair costs by size, a measure each.
    cost : dict or None
        Cost against separation.
    reasons : list of (str, str)
    """

    judgement: Card
    forest: Forest
    preserving: list[str]
    breaking: list[str]
    table: list[dict[str, Any]]
    languages: list[dict[str, Any]]
    timed: bool
    sizes: list[dict[str, Any]]
    cost: dict[str, Any] | None
    reasons: list[tuple[str, str]]


def card_section(card: Card, costs: Mapping[str, Sequence[PairCost]] | None = None) -> CardSection:
    """Make the tables and plots of the cards of measures.

    Parameters
    ----------
    card : Card
    costs : mapping of str to sequence of PairCost, optional
        What a pair costs; by default what the card says of it.
    """
    timed = {one.label: tuple((costs or {}).get(one.label, one.costs)) for one in card.measures}
    preserving, breaking = _changes(card)
    order = sorted(card.measures, key=_by_separation)
    changes = [*preserving, *breaking]
    lines = _lines(timed)
    return CardSection(
        judgement=card,
        forest=_forest(card, order),
        preserving=preserving,
        breaking=breaking,
        table=[_row(one, one.changes, changes) | lines.get(one.label, {}) for one in order],
        languages=_languages(card, order, changes),
        timed=any(timed.values()),
        sizes=[_sizes(one.label, timed[one.label]) for one in order if timed[one.label]],
        cost=cost_against_quality(
            [(one.label, one.separation.value, interval_of(one.separation)) for one in order],
            timed,
            "separation",
            _NOTHING,
        ),
        reasons=[(one.label, one.reason) for one in order if one.reason],
    )


def _by_separation(one: MeasureCard) -> tuple[bool, float]:
    value = one.separation.value
    return (False, -value) if math.isfinite(value) else (True, 0.0)


def _changes(card: Card) -> tuple[list[str], list[str]]:
    """The changes that keep the meaning and those that break it, in the order of the cards."""
    found: dict[str, bool] = {}
    for one in card.measures:
        for change in one.changes:
            found.setdefault(change.change, change.preserving)
    return [c for c, kept in found.items() if kept], [c for c, kept in found.items() if not kept]


def _forest(card: Card, order: Sequence[MeasureCard]) -> Forest:
    axis = wide_axis(
        [one.separation.value for one in order],
        [interval_of(one.separation) for one in order],
        _NOTHING,
    )
    return Forest("", "separation", axis_strip(axis), [_mark(card, one, axis) for one in order], [])


def _mark(card: Card, one: MeasureCard, axis: Axis) -> dict[str, Any]:
    interval = interval_of(one.separation)
    said = f"{one.label}: separation {described(one.separation.value, interval, card.level)}"
    mark = Mark("main", one.separation.value, said, () if interval is None else (interval,))
    missing = not math.isfinite(one.separation.value)
    return {
        "name": one.label,
        "title": one.signature,
        "distance": one.distance,
        "strip": "" if missing else mark_strip([mark], axis, {"zero": _NOTHING}),
        "text": shown(one.separation.value),
        "range": ranged(interval),
        "reason": (one.reason or "no value") if missing else "",
    }


def _row(
    one: MeasureCard, effects: Sequence[ChangeEffect], changes: Sequence[str]
) -> dict[str, Any]:
    known = {effect.change: effect for effect in effects}
    high = max([e.high for e in effects if math.isfinite(e.high)], default=1.0) or 1.0
    cells = [_cell(one, change, known.get(change), high) for change in changes]
    return {
        "name": one.label,
        "title": one.summary,
        "distance": one.distance,
        "cells": cells,
        "separation": shown(one.separation.value),
        "range": ranged(interval_of(one.separation)),
        "reason": one.reason or "",
        "line": "",
        "cost": "",
    }


def _cell(
    one: MeasureCard, change: str, effect: ChangeEffect | None, high: float
) -> dict[str, Any]:
    if effect is None or not math.isfinite(effect.mean):
        failed = 0 if effect is None else effect.failed
        why = (
            f"none of {failed:,} programs could be scored"
            if failed
            else "no program could be changed so"
        )
        return {"text": "–", "small": "", "heat": "", "title": f"{one.label}, {change}: {why}"}
    likeness = 1 - effect.mean / high if one.distance else effect.mean
    stayed = f"{100 * effect.stayed:.0f} %" if math.isfinite(effect.stayed) else ""
    title = (
        f"{one.label}, {change}: mean {effect.mean:.3f}, nine in ten from {effect.low:.3f} to "
        f"{effect.high:.3f}, {effect.n:,} programs"
    )
    if stayed:
        title += f"; {stayed} score as equal texts do"
    if effect.failed:
        title += f"; {effect.failed:,} failed"
    return {
        "text": shown(effect.mean, 1 if one.distance and high >= 10 else 3),
        "small": stayed,
        "heat": f"{min(1.0, max(0.0, likeness)) ** _CONTRAST:.3f}",
        "title": title,
    }


def _languages(
    card: Card, order: Sequence[MeasureCard], changes: Sequence[str]
) -> list[dict[str, Any]]:
    if len(card.languages) < 2:
        return []
    return [
        {
            "name": language,
            "programs": f"{programs:,}",
            "rows": [_row(one, dict(one.by_language).get(language, ()), changes) for one in order],
        }
        for language, programs in card.languages
    ]


def _lines(timed: Mapping[str, Sequence[PairCost]]) -> dict[str, dict[str, Any]]:
    """The cost by size of each measure, all on the same two axes."""
    every = [one for own in timed.values() for one in own if one.microseconds > 0]
    if not every:
        return {}
    sizes = [max(one.tokens, 1) for one in every]
    times = [one.microseconds for one in every]
    across, up = log_axis(min(sizes), max(sizes)), log_axis(min(times), max(times), time=True)
    lines = {}
    for label, own in timed.items():
        points = [
            (
                float(one.tokens),
                one.microseconds,
                f"{label}: {duration(one.microseconds)} for texts of {one.tokens:,} tokens",
            )
            for one in own
            if one.microseconds > 0
        ]
        if points:
            ends = dict.fromkeys(duration(point[1]) for point in (points[0], points[-1]))
            line = cost_line(points, across, up)
            lines[label] = {"line": line, "cost": " to ".join(ends)}
    return lines


def _sizes(label: str, costs: Sequence[PairCost]) -> dict[str, Any]:
    return {
        "name": label,
        "cells": [
            {
                "tokens": f"{one.tokens:,}",
                "time": duration(one.microseconds),
                "title": f"{label}: {one.pairs:,} pairs of about {one.tokens:,} tokens a text",
            }
            for one in costs
        ],
    }
