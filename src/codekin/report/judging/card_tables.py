"""Cards of measures: as grids for people, and as a document and records for JSON and CSV."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from codekin._version import __version__
from codekin.evaluation.card import Card, ChangeEffect, MeasureCard
from codekin.report.document import finite
from codekin.report.failure_texts import failure_documents
from codekin.report.figures import (
    NOTHING,
    count_text,
    interval_text,
    known_interval,
    measure_text,
    number_text,
    percent_text,
)
from codekin.report.grid import Grid
from codekin.report.judging.figures import (
    DIGITS,
    DISTANCE_NOTE,
    best_of,
    cost_text,
    effect_text,
    ends,
    estimated,
    failure_warnings,
    resampling_note,
)
from codekin.report.summary_tables import unfinished

__all__ = ["card_document", "card_grids", "card_notes", "card_records", "card_warnings"]

_NONE = "no program could be changed and scored"

_NO_SEPARATION = dict.fromkeys(("separation", "separation_low", "separation_high"))
"""Of a single language none is estimated."""


def card_grids(card: Card) -> list[Grid]:
    """Scores after each change, what tells the two kinds of changes apart, and costs."""
    return [
        *_change_grids(card, "Changes that keep the meaning: mean score (share that stayed)", True),
        *_change_grids(card, "Changes that break it: mean score (share that stayed)", False),
        _separation_grid(card),
        *_cost_grids(card),
    ]


def _change_grids(card: Card, title: str, preserving: bool) -> list[Grid]:
    changes = list(
        dict.fromkeys(
            effect.change
            for one in card.measures
            for effect in one.changes
            if effect.preserving == preserving
        )
    )
    if not changes:
        return []
    rows = tuple(
        (measure_text(one.label, one.distance), *_change_cells(one, changes))
        for one in card.measures
    )
    return [Grid(title, ("measure", *changes), rows)]


def _change_cells(one: MeasureCard, changes: Sequence[str]) -> Iterable[str]:
    found = {effect.change: effect for effect in one.changes}
    for change in changes:
        effect = found.get(change)
        if effect is None or not effect.n:
            yield NOTHING
        else:
            yield f"{_mean_text(effect, one.distance)} ({_share_text(effect.stayed)})"


def _mean_text(effect: ChangeEffect, distance: bool) -> str:
    """The mean for people; it reads 1 only where every score is 1."""
    if distance:
        return number_text(effect.mean, distance)
    shown = effect_text(effect.mean)
    return "0.999" if shown == "1.000" and effect.stayed < 1 else shown


def _share_text(share: float) -> str:
    """A share in whole percents; it reads 0 or 100 only where it is.

    Examples
    --------
    >>> _share_text(0.004), _share_text(0.256), _share_text(0.999), _share_text(1.0)
    ('1 %', '26 %', '99 %', '100 %')
    """
    if math.isnan(share):
        return NOTHING
    whole = round(100 * share)
    return f"{whole if share in (0.0, 1.0) else min(max(whole, 1), 99)} %"


def _separation_grid(card: Card) -> Grid:
    rows = tuple(
        (
            measure_text(one.label, one.distance),
            effect_text(one.separation.value),
            interval_text(known_interval(one.separation), digits=DIGITS),
            f"{sum(effect.n for effect in one.changes if effect.preserving):,}",
            f"{sum(effect.n for effect in one.changes if not effect.preserving):,}",
            f"{failed:,}" if (failed := sum(effect.failed for effect in one.changes)) else "",
        )
        for one in card.measures
    )
    heads = ("measure", "separation", percent_text(card.level), "kept", "broken", "failed")
    best = best_of(one.separation.value for one in card.measures)
    grid = Grid(
        "Separation: the chance that a kept meaning scores above a broken one",
        heads,
        rows,
        strong=frozenset((row, 1) for row in best),
    )
    return grid.without(() if any(row[-1] for row in rows) else ("failed",))


def _cost_grids(card: Card) -> list[Grid]:
    """What a pair costs, measures down and sizes across."""
    sizes = sorted({cost.tokens for one in card.measures for cost in one.costs})
    if not sizes:
        return []
    rows = []
    for one in card.measures:
        found = {cost.tokens: cost_text(cost.microseconds) for cost in one.costs}
        rows.append((one.label, *(found.get(size, NOTHING) for size in sizes)))
    heads = ("measure", *(count_text(size, "token") for size in sizes))
    return [Grid("Cost of a pair, by the median size of a text", heads, tuple(rows))]


def card_warnings(card: Card) -> list[str]:
    """What a reader must know before any figure."""
    warnings = []
    if not card.complete:
        warnings.append(unfinished(card.run, card.programs, "program"))
    return [*warnings, *failure_warnings(card.failures)]


def card_notes(card: Card) -> list[str]:
    """How the figures came about, and why some are missing."""
    languages = ", ".join(f"{name} {programs:,}" for name, programs in card.languages)
    of_languages = f" ({languages})" if languages else ""
    notes = [
        f"{count_text(card.programs, 'program')}{of_languages}, each scored against itself after a "
        "change",
        resampling_note(card.resamples, "program", card.seed, card.level),
        "stayed: scored as equal texts are; all should after a change that keeps the meaning, none "
        "after one that breaks it",
        "a separation of 0.5 tells nothing apart",
    ]
    if any(one.distance for one in card.measures):
        notes.append(DISTANCE_NOTE)
    for one in card.measures:
        if (reason := _reason(one)) is not None:
            notes.append(f"{one.label}, separation: {reason}")
        missing = [effect.change for effect in one.changes if not effect.n]
        if missing:
            notes.append(f"{one.label}: {_NONE} by {', '.join(missing)}")
    return notes


def _reason(one: MeasureCard) -> str | None:
    """Why there is no separation: as the card says, or by what is plain from its counts."""
    if one.reason is not None or math.isfinite(one.separation.value):
        return one.reason
    return "it takes programs after changes of both kinds"


def card_document(card: Card) -> dict[str, Any]:
    """The document that ``codekin evaluate card --format json`` prints."""
    return {
        "codekin": __version__,
        "run": card.run,
        "complete": card.complete,
        "programs": card.programs,
        "languages": dict(card.languages),
        "failures": failure_documents(card.failures),
        "resamples": card.resamples,
        "seed": card.seed,
        "level": card.level,
        "measures": {one.label: _measure_document(one) for one in card.measures},
    }


def _measure_document(one: MeasureCard) -> dict[str, Any]:
    return {
        "signature": one.signature,
        "summary": one.summary,
        "distance": one.distance,
        "changes": _changes_document(one.changes),
        **estimated("separation", one.separation, "ci"),
        "reason": _reason(one),
        "costs": [
            {
                "tokens": cost.tokens,
                "pairs": cost.pairs,
                "microseconds": finite(cost.microseconds),
            }
            for cost in one.costs
        ],
        "by_language": {
            language: _changes_document(effects) for language, effects in one.by_language
        },
    }


def _changes_document(effects: Sequence[ChangeEffect]) -> dict[str, Any]:
    return {effect.change: _change_document(effect) for effect in effects}


def _change_document(effect: ChangeEffect) -> dict[str, Any]:
    return {
        "preserving": effect.preserving,
        "n": effect.n,
        "failed": effect.failed,
        "mean": finite(effect.mean),
        "low": finite(effect.low),
        "high": finite(effect.high),
        "stayed": finite(effect.stayed),
        "reason": None if effect.n else _NONE,
    }


def card_records(card: Card) -> list[dict[str, Any]]:
    """One record a measure, language and change, for CSV; ``all`` is of all languages."""
    return [
        {
            "measure": one.label,
            "language": language,
            "change": effect.change,
            **_change_document(effect),
            **(ends("separation", one.separation) if language == "all" else _NO_SEPARATION),
            "signature": one.signature,
        }
        for one in card.measures
        for language, effects in (("all", one.changes), *one.by_language)
        for effect in effects
    ]
