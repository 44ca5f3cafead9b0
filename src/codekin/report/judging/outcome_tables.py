"""A judgement by outcomes as grids for people; outcome_document has it for JSON and CSV."""

from __future__ import annotations

import math
from collections.abc import Iterator

from codekin.evaluation.outcomes import (
    CorrelationDifference,
    Correlations,
    GroupPoint,
    OutcomeEffect,
    OutcomeJudgement,
)
from codekin.report.figures import (
    NOTHING,
    count_text,
    interval_text,
    known_interval,
    measure_text,
    number_text,
    p_text,
    percent_text,
)
from codekin.report.grid import Grid
from codekin.report.judging.figures import (
    DIGITS,
    DISTANCE_NOTE,
    LENGTH_NOTE,
    LENGTH_ONLY,
    best_of,
    effect_text,
    failure_warnings,
    matrix_grids,
    reason_lines,
    resampling_note,
)
from codekin.report.judging.outcome_document import groups_reason, missing_reason
from codekin.report.summary_tables import unfinished
from codekin.statistics.bootstrap import Estimate, Interval

__all__ = ["outcome_grids", "outcome_notes", "outcome_warnings"]

_FEW_GROUPS = 10
"""Intervals by group from fewer than these hold the truth less often than they say."""


def outcome_grids(judgement: OutcomeJudgement, *, groups: bool = False) -> list[Grid]:
    """Correlations, their intervals, differences, losses, and groups where they are asked for."""
    labels = [_name(judgement, label) for label in judgement.labels]
    return [
        _correlation_grid(judgement),
        _interval_grid(judgement),
        *_difference_grids(judgement),
        *(grid for word in judgement.perturbations for grid in _perturbed_grids(judgement, word)),
        *matrix_grids(
            "Pearson's r between the scores of measures", labels, judgement.score_correlation
        ),
        *(_group_grids(judgement) if groups else []),
    ]


def _effects(judgement: OutcomeJudgement) -> list[tuple[str, OutcomeEffect]]:
    """The measures and then the baseline, by the names that people read."""
    named = [(measure_text(one.label, one.distance), one) for one in judgement.measures]
    return [*named, (LENGTH_ONLY, judgement.length)]


def _name(judgement: OutcomeJudgement, label: str) -> str:
    return LENGTH_ONLY if label == judgement.length.label else label


def _quoted(judgement: OutcomeJudgement) -> str:
    """By what the interval is drawn that is shown first: by task, where that is known."""
    spreads = [one.every.pearson for _, one in _effects(judgement)]
    return "task" if any(math.isfinite(spread.task.low) for spread in spreads) else "row"


def _correlation_grid(judgement: OutcomeJudgement) -> Grid:
    effects = _effects(judgement)
    unit = _quoted(judgement)
    heads = (
        *("measure", "pearson", f"{percent_text(judgement.level)} by {unit}", "r within tasks"),
        *(
            "spearman",
            "kendall",
            "auc",
            "r without unchanged",
            "r without equal",
            "groups tau",
            "n",
            "failed",
        ),
    )
    rows = tuple(
        (
            name,
            effect_text(one.every.pearson.value),
            interval_text(getattr(one.every.pearson, unit), digits=DIGITS),
            effect_text(one.every.within.value),
            effect_text(one.every.spearman.value),
            effect_text(one.every.kendall.value),
            effect_text(one.every.auc.value),
            _pearson(one.without_unchanged),
            _pearson(one.without_equal),
            effect_text(one.groups_kendall.value),
            f"{one.n:,}",
            f"{one.failed:,}" if one.failed else "",
        )
        for name, one in effects
    )
    empty = [
        *([] if any(one.failed for _, one in effects) else ["failed"]),
        *(
            []
            if any(math.isfinite(one.every.within.value) for _, one in effects)
            else ["r within tasks"]
        ),
        *([] if any(one.without_unchanged for _, one in effects) else ["r without unchanged"]),
        *([] if any(one.without_equal for _, one in effects) else ["r without equal"]),
        *([] if judgement.binary else ["auc"]),
        *([] if judgement.groups else ["groups tau"]),
    ]
    best = best_of(one.every.pearson.value for one in judgement.measures)
    title = f"{judgement.run}: {count_text(judgement.rows - judgement.without_outcome, 'row')}"
    strong = frozenset((row, 1) for row in best)
    return Grid(title, heads, rows, strong=strong).without(empty)


def _pearson(some: Correlations | None) -> str:
    return NOTHING if some is None else effect_text(some.pearson.value)


def _interval_grid(judgement: OutcomeJudgement) -> Grid:
    rows = tuple(
        (
            name,
            effect_text(one.every.pearson.value),
            *(
                interval_text(interval, digits=DIGITS)
                for interval in (
                    one.every.pearson.row,
                    one.every.pearson.task,
                    one.every.pearson.group,
                )
            ),
        )
        for name, one in _effects(judgement)
    )
    title = (
        f"Pearson's r with {percent_text(judgement.level)} intervals by what is drawn as a whole"
    )
    return Grid(title, ("measure", "pearson", "by row", "by task", "by group"), rows)


def _difference_grids(judgement: OutcomeJudgement) -> list[Grid]:
    """What the best measure has over each of the others."""
    known = [one for one in judgement.measures if math.isfinite(one.every.pearson.value)]
    if not known or not judgement.differences:
        return []
    best = max(known, key=lambda one: one.every.pearson.value).label
    rows = tuple(
        (
            _name(judgement, other),
            number_text(difference.value, sign=True, digits=DIGITS),
            interval_text(known_interval(difference), sign=True, digits=DIGITS),
            p_text(one.p),
            p_text(one.adjusted),
            f"{one.n:,}",
        )
        for one in judgement.differences
        for other, difference in _seen_from(best, one)
    )
    if not rows:
        return []
    level = percent_text(judgement.level)
    heads = ("other", "r of best − other", f"{level} by {judgement.drawn}", "p", "p Holm", "n")
    return [Grid(f"{best}, the best by Pearson's r, against the others", heads, rows)]


def _seen_from(best: str, one: CorrelationDifference) -> Iterator[tuple[str, Estimate]]:
    """The other measure of a difference, and what the best one has over it."""
    if one.first == best:
        yield one.second, one.difference
    elif one.second == best:
        yield one.first, _turned(one.difference)


def _turned(estimate: Estimate) -> Estimate:
    percentile, bca = (Interval(-one.high, -one.low) for one in (estimate.percentile, estimate.bca))
    return Estimate(-estimate.value, percentile, bca)


def _perturbed_grids(judgement: OutcomeJudgement, word: str) -> list[Grid]:
    level = percent_text(judgement.level)
    heads = (
        *("measure", "r plain", "r changed", "loss", f"{level} by {judgement.drawn}"),
        *("mean plain", "mean changed", "unmoved", "n"),
    )
    rows = tuple(
        (
            name,
            effect_text(found.plain.pearson.value),
            effect_text(found.changed.pearson.value),
            number_text(found.loss.value, sign=True, digits=DIGITS),
            interval_text(known_interval(found.loss), sign=True, digits=DIGITS),
            number_text(found.plain_mean, one.distance),
            number_text(found.changed_mean, one.distance),
            effect_text(found.unmoved),
            f"{found.n:,}",
        )
        for name, one in _effects(judgement)
        for found in one.perturbed
        if found.name == word
    )
    return [Grid(f"{word}: what each measure loses", heads, rows)] if rows else []


def _group_grids(judgement: OutcomeJudgement) -> list[Grid]:
    """Means of outcome and scores a group, and correlations within groups."""
    points = {
        label: {point.name: point for point in one.groups} for label, one in _effects(judgement)
    }
    largest: dict[str, GroupPoint] = {}
    for found in points.values():
        for name, point in found.items():
            if name not in largest or point.n > largest[name].n:
                largest[name] = point
    if not largest:
        return []
    heads = ("group", "n", "mean outcome", *points)
    distances = {label: one.distance for label, one in _effects(judgement)}
    means = tuple(
        (
            name,
            f"{point.n:,}",
            number_text(point.outcome),
            *(
                number_text(found[name].score, distances[label]) if name in found else NOTHING
                for label, found in points.items()
            ),
        )
        for name, point in largest.items()
    )
    within = tuple(
        (
            name,
            f"{point.n:,}",
            *(
                effect_text(found[name].pearson) if name in found else NOTHING
                for found in points.values()
            ),
        )
        for name, point in largest.items()
    )
    return [
        Grid("Means by group", heads, means),
        Grid("Pearson's r within each group", ("group", "n", *points), within),
    ]


def outcome_warnings(judgement: OutcomeJudgement) -> list[str]:
    """What a reader must know before any figure."""
    warnings = []
    if not judgement.complete:
        warnings.append(unfinished(judgement.run, judgement.rows))
    if judgement.without_outcome:
        warnings.append(
            f"{judgement.without_outcome:,} of {count_text(judgement.rows, 'row')} have no outcome "
            "and are left out"
        )
    return [*warnings, *failure_warnings(judgement.failures)]


def outcome_notes(judgement: OutcomeJudgement) -> list[str]:
    """How the figures came about, and why some are missing."""
    unit = _quoted(judgement)
    notes = [
        resampling_note(judgement.resamples, unit, judgement.seed, judgement.level),
        f"{count_text(judgement.tasks, 'task')} by {judgement.task}, "
        f"{count_text(judgement.groups, 'group')}; differences and losses drawn by "
        f"{judgement.drawn}",
        "more is better in all correlations and in AUC, of distances as well",
        LENGTH_NOTE,
        f"{count_text(judgement.unchanged, 'row')} unchanged (the candidate is the origin), "
        f"{count_text(judgement.equal, 'row')} equal to a reference, up to layout and comments",
    ]
    if any(one.distance for one in judgement.measures):
        notes.append(DISTANCE_NOTE)
    notes += [
        f"{word}: no row could be changed so and scored"
        for word in judgement.perturbations
        if not _perturbed_grids(judgement, word)
    ]
    notes += _left_out(judgement)
    if 0 < judgement.groups < _FEW_GROUPS and _by_group(judgement):
        notes.append(
            f"by group: {count_text(judgement.groups, 'group')} are too few to draw from, and make "
            "an interval too narrow; quote another"
        )
    effects = [*((one.label, one) for one in judgement.measures), (LENGTH_ONLY, judgement.length)]
    return [*notes, *reason_lines([(name, _reasons(one)) for name, one in effects])]


def _by_group(judgement: OutcomeJudgement) -> bool:
    """Whether any interval by group is shown."""
    return any(math.isfinite(one.every.pearson.group.low) for _, one in _effects(judgement))


def _left_out(judgement: OutcomeJudgement) -> Iterator[str]:
    """How many rows are missing from the comparison with each perturbation."""
    rows = judgement.rows - judgement.without_outcome
    for word in judgement.perturbations:
        compared = [
            found.n
            for _, one in _effects(judgement)
            for found in one.perturbed
            if found.name == word
        ]
        if compared and max(compared) < rows:
            yield (
                f"{word}: {rows - max(compared):,} of {count_text(rows, 'row')} could not be "
                "changed so and scored, and are left out of both forms"
            )


def _reasons(one: OutcomeEffect) -> list[str]:
    """Why figures of a measure are missing; nothing where none is."""
    parts = [
        ("", one.every),
        ("without unchanged: ", one.without_unchanged),
        ("without equal: ", one.without_equal),
        *((f"{found.name}: ", found.changed) for found in one.perturbed),
    ]
    found = [
        f"{part}{reason}"
        for part, some in parts
        if some is not None and (reason := missing_reason(some)) is not None
    ]
    if one.groups and (reason := groups_reason(one)) is not None:
        found.append(f"groups tau: {reason}")
    return found
