"""The section of a report on probabilities that a calibration gave to the rows of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from codekin.report.run_scores import Scores
from codekin.results import (
    EFFECT_DIGITS,
    Column,
    Grid,
    GridColumns,
    Interval,
    Section,
    ShownAs,
    percent_text,
)
from codekin.runs.summaries import NO_GROUP

__all__ = ["probability_section"]

_TEXT = (
    "p is the probability that the outcome of a row is 1, given its scores. The mean of p is the "
    "rate to expect of a system; its interval allows for the calibration and for chance. Rows have "
    "their p in the list of rows."
)

_MANY = 13
"""More systems than this are shown on demand, so that warnings are in view."""


def probability_section(scores: Scores, run: int) -> tuple[Section, list[str]] | None:
    """The probabilities of the systems of a run with their warnings, and notes; None without any.

    Parameters
    ----------
    scores : Scores
    run : int
        Which of the runs.
    """
    note = scores.runs[run].chance_note()
    if note is None:
        return None
    try:
        return _section(scores, run, note), [str(one) for one in note["notes"]]
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return None  # written by another version; the rows still have their p


def _section(scores: Scores, run: int, note: Mapping[str, Any]) -> Section:
    warnings = [Section("Warning", str(one), alarming=True) for one in note["warnings"]]
    title = f"Probabilities by the calibration {note['calibration']}"
    if len(scores.runs) > 1:
        title = f"{scores.runs[run].name}: {title[0].lower()}{title[1:]}"
    groups = list(note["groups"])
    many = len(groups) > _MANY
    shown = _systems(scores, run, note, groups[:1] if many else groups)
    systems = [Section("Systems", content=(_systems(scores, run, note, groups),), folded=True)]
    card = _card(note["card"], float(note["level"]))
    return Section(
        title, _TEXT, content=(shown,), parts=(*warnings, *(systems if many else []), card)
    )


def _systems(
    scores: Scores, run: int, note: Mapping[str, Any], groups: Sequence[Mapping[str, Any]]
) -> Grid:
    """The mean probability of each system, next to its mean scores."""
    labels = [str(one) for one in note["card"]["measures"] if one in scores.values]
    columns: GridColumns = (
        *("system", "rows"),
        Column("failed", optional=True),
        Column("mean p", digits=EFFECT_DIGITS),
        Column(percent_text(float(note["level"])), digits=EFFECT_DIGITS),
        *(Column(f"mean {label}", digits=EFFECT_DIGITS) for label in labels),
    )
    cells = []
    for one in groups:
        here = _rows_of(scores, run, one["group"])
        means = (_mean(scores.values[label][here]) for label in labels)
        name = ShownAs(None, "all rows") if one["group"] is None else str(one["group"])
        cells.append(
            (
                *(name, int(one["rows"]), int(one["failed"])),
                *(_number(one["p"]), _interval(one["interval"]), *means),
            )
        )
    return Grid("", columns, tuple(cells))


def _rows_of(scores: Scores, run: int, group: str | None) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """The rows of a group of a run, or all of the run."""
    place = np.arange(len(scores))
    inside = (place >= scores.starts[run]) & (place < scores.starts[run + 1])
    if group is None:
        return inside
    own = [
        i
        for i, system in enumerate(scores.systems)
        if system.run == run and (NO_GROUP if system.group is None else system.group) == group
    ]
    return inside & np.isin(scores.system, own)


def _mean(values: np.ndarray[Any, np.dtype[np.float64]]) -> float | None:
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else None


def _number(value: Any) -> float | None:
    return None if value is None else float(value)


def _interval(ends: Sequence[Any] | None) -> Interval | None:
    return None if ends is None else Interval(float(ends[0]), float(ends[1]))


def _card(card: Mapping[str, Any], level: float) -> Section:
    """What the calibration was fitted on, and how it was judged."""
    data = Grid(
        "Fitted on",
        ("dataset", "rows", "tasks", Column("rate", digits=EFFECT_DIGITS), "languages"),
        tuple(
            (
                *(str(one["name"]), int(one["rows"]), int(one["tasks"]), float(one["rate"])),
                ", ".join(str(each) for each in one["languages"]),
            )
            for one in card["datasets"]
        ),
    )
    heads: list[Column | str] = ["held out", "dataset"]
    for head in ("Brier", "ECE", "AUC"):
        heads.append(Column(head, digits=EFFECT_DIGITS))
        heads.append(Column(percent_text(level), head + "_ci", digits=EFFECT_DIGITS, beneath=True))
    judged = Grid(
        "Judged on rows that were held out",
        tuple(heads),
        tuple(
            (
                str(one["held_out"]),
                ShownAs(None, "all rows") if one["dataset"] is None else str(one["dataset"]),
                *(
                    cell
                    for name in ("brier", "error", "auc")
                    for cell in (_number(one[name]), _interval(one[f"{name}_ci"]))
                ),
            )
            for one in card["judgements"]
        ),
        keys=2,
    )
    text = (
        f"A logistic model of the scores by {', '.join(map(str, card['measures']))}, made "
        f"with codekin {card['codekin']}. {' '.join(f'{_sentence(one)}.' for one in card['notes'])}"
    )
    return Section("The calibration", text, content=(data, judged), folded=True)


def _sentence(note: Any) -> str:
    text = str(note)
    return text[:1].upper() + text[1:]
