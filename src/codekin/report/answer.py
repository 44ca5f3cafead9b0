"""The answer of a report: which system is better, or how alike the pairs of a single one are."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from codekin.errors import CodekinError
from codekin.report.run_scores import Scores
from codekin.report.summary import SystemSummary
from codekin.results import Estimate, Section, count_text
from codekin.runs.comparison import RunComparison, SystemRows, compare_rows, tests_of
from codekin.runs.conclusions import listed
from codekin.runs.summaries import row_weights
from codekin.runs.system_comparison import SystemComparison, rank_systems

__all__ = ["Answer", "answer_of"]

_MOST_COMPARED = 300
"""Systems that are compared with each other, as many as the tables list."""
_RESAMPLES = {20: 5000, _MOST_COMPARED: 1000}
"""Up to this many systems, this many resamples; ``codekin score`` compares 20, with as many."""
_MOST_SPELLED = 6


@dataclass(frozen=True)
class Answer:
    """What the first screen of a report says.

    Attributes
    ----------
    sentences : list of str
        The first one is the answer.
    section : Section or None
        The comparison behind it; None where there is none.
    notes : list of str
        How the comparison was made, and what it left out.
    marks : mapping of (str, str) to str
        By system and measure: ``best``, or ``near`` for one that is not distinguished from it.
    """

    sentences: list[str]
    section: Section | None = None
    notes: list[str] = field(default_factory=list)
    marks: Mapping[tuple[str, str], str] = field(default_factory=dict)


def answer_of(scores: Scores, summary: SystemSummary) -> Answer:
    """Compare the systems of a report, or summarise the only one.

    Groups that are changes of the same texts, which a touchstone among them tells, are not
    systems, and are not compared.
    """
    number = len(scores.systems)
    if not len(scores):
        return Answer([])
    if number == 1:
        return _with_tests(Answer(_alone(scores, summary)), scores)
    if summary.touchstones:
        return Answer([])
    if number > _MOST_COMPARED:
        return Answer([f"{number:,} {scores.called}s are too many to compare with each other."])
    resamples = next(times for most, times in _RESAMPLES.items() if number <= most)
    names = [one.name for one in scores.systems]
    systems = _rows_of_systems(scores)
    try:
        if number == 2:
            pair = compare_rows(*systems, resamples=resamples)
            a, b = (
                replace(one, name=name) for one, name in zip((pair.a, pair.b), names, strict=True)
            )
            pair = replace(pair, a=a, b=b)
            return _answer(pair, "Compared pair by pair", _pair_marks(pair))
        ranked = rank_systems(systems, names, resamples=resamples)
    except CodekinError as error:
        reason = f"The {scores.called}s are not compared pair by pair: {error}."
        return Answer([reason])
    return _answer(ranked, "Compared with the best", _ranking_marks(ranked))


def _answer(
    result: RunComparison | SystemComparison, title: str, marks: Mapping[tuple[str, str], str]
) -> Answer:
    section = replace(result.section(), title=title)
    return Answer(result.conclusion(), section, [*result.warnings(), *result.notes()], marks)


def _with_tests(answer: Answer, scores: Scores) -> Answer:
    """The tests of the only system before its scores, if it has any."""
    [system] = _rows_of_systems(scores)
    tests = tests_of([system], [scores.systems[0].name], 0.95)
    if tests is None:
        return answer
    section = Section("Tests", content=tuple(tests.grids()))
    notes = [*tests.warnings(), *tests.notes()]
    return Answer([*tests.conclusion(), *answer.sentences], section, notes)


def _rows_of_systems(scores: Scores) -> list[SystemRows]:
    weights = [row_weights(run) for run in scores.runs]
    read: list[dict[str, list[str | None]]] = [{} for _ in scores.runs]
    systems = []
    for number, one in enumerate(scores.systems):
        start, end = scores.starts[one.run], scores.starts[one.run + 1]
        rows = np.flatnonzero(scores.system[start:end] == number)
        run = scores.runs[one.run]
        systems.append(SystemRows(run, one.group, rows, weights[one.run][rows], read[one.run]))
    return systems


def _pair_marks(pair: RunComparison) -> dict[tuple[str, str], str]:
    marks = {}
    for one in pair.measures:
        value = one.mean.difference.value
        if not math.isfinite(value):
            continue
        # Of equals the first is the best, as among several systems.
        better, worse = pair.a.name, pair.b.name
        if value and (value > 0) != one.distance:
            better, worse = worse, better
        marks[better, one.label] = "best"
        if one.mean.permutation_p_holm > 1 - pair.level + 1e-12:
            marks[worse, one.label] = "near"
    return marks


def _ranking_marks(ranked: SystemComparison) -> dict[tuple[str, str], str]:
    return {
        (system.name, one.label): "best" if system is one.best else "near"
        for one in ranked.measures
        for system in one.systems
        if not system.differs
    }


def _alone(scores: Scores, summary: SystemSummary) -> list[str]:
    """The means of the only system, or the ends of them where there are many."""
    name = scores.systems[0].name
    means = {
        label: cell.mean
        for label, far in summary.measures.items()
        if (cell := summary.cells.get((name, label))) and cell.mean and not far
    }
    if not means:
        return []
    rows = count_text(len(scores), "row")
    if len(means) <= _MOST_SPELLED:
        said = (f"{_spelled(value)} by {label}" for label, value in means.items())
        if len(scores) == 1:
            return [f"The score of the row is {listed(said)}; 1 means equal."]
        return [f"On average of {rows}, the score is {listed(said)}; 1 means equal."]
    order = sorted(means, key=lambda label: means[label].value)
    low, high = order[0], order[-1]
    which = "The scores of the row" if len(scores) == 1 else f"The mean scores of {rows}"
    return [
        f"{which} by {len(means)} measures are from {_spelled(means[low])} by "
        f"{low} to {_spelled(means[high])} by {high}; 1 means equal."
    ]


def _spelled(value: Estimate) -> str:
    if math.isnan(value.known.low):
        return f"{value.value:.3f}"
    return f"{value.value:.3f} (95 % {value.known.low:.3f} to {value.known.high:.3f})"
