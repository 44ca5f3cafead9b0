"""A judgement by triplets: as grids for people, and as a document and records for JSON and CSV."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Any

from codekin._version import __version__
from codekin.evaluation.triplets import (
    EqualLengths,
    LanguagePair,
    Leak,
    TripletEffect,
    TripletJudgement,
)
from codekin.plain_text import plain
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
    LENGTH_NOTE,
    LENGTH_ONLY,
    best_of,
    effect_text,
    ends,
    estimated,
    failure_warnings,
    matrix_document,
    matrix_grids,
    reason_lines,
    resampling_note,
)
from codekin.report.summary_tables import unfinished
from codekin.statistics.bootstrap import Estimate

__all__ = [
    "triplet_document",
    "triplet_grids",
    "triplet_notes",
    "triplet_records",
    "triplet_warnings",
]

_NAMED = 5
"""Leaks that a warning names."""

_SHOWN = 20
"""Leaks that a table shows."""


def triplet_grids(judgement: TripletJudgement) -> list[Grid]:
    """Effects by languages, the details of each pair of languages, correlations and leaks."""
    pairs = judgement.pairs
    # Of one language pair, all triplets are those of the pair.
    details = (judgement.overall, *pairs) if len(pairs) > 1 else (judgement.overall,)
    labels = [
        LENGTH_ONLY if label == judgement.overall.length.label else label
        for label in judgement.labels
    ]
    return [
        *_effect_grids(judgement),
        *(_detail_grid(pair, judgement.level) for pair in details),
        *matrix_grids(
            "Pearson's r between the scores of measures", labels, judgement.score_correlation
        ),
        *matrix_grids(
            "Pearson's r between the effects of measures, over problems",
            labels,
            judgement.effect_correlation,
        ),
        *_leak_grids(judgement.overall.leaks),
    ]


def _effect_grids(judgement: TripletJudgement) -> Iterable[Grid]:
    """Language pairs down and measures across, those of one language and of two apart."""
    pairs, overall = judgement.pairs, judgement.overall
    if not pairs:
        yield _effect_grid("Cohen's d", overall.measures, [overall])
    kinds = (
        ("Cohen's d, within a language", [one for one in pairs if one.anchor == one.other]),
        ("Cohen's d, across languages", [one for one in pairs if one.anchor != one.other]),
    )
    for title, some in kinds:
        if some:
            yield _effect_grid(title, overall.measures, some)


def _effect_grid(
    title: str, measures: Sequence[TripletEffect], pairs: Sequence[LanguagePair]
) -> Grid:
    lines = []
    for pair in pairs:
        found = {one.label: one.cohens_d.value for one in pair.measures}
        values = [found.get(one.label, math.nan) for one in measures]
        lines.append((pair.name, [*values, pair.length.cohens_d.value]))
    if len(lines) > 1:  # what is missing from a pair is missing from the average
        columns = zip(*(values for _, values in lines), strict=True)
        lines.append(("Average", [_mean(column) for column in columns]))
    strong = {
        (row, 1 + place)
        for row, (_, values) in enumerate(lines)
        for place in best_of(values[:-1])  # the baseline is no rival
    }
    heads = ("languages", *(one.label for one in measures), LENGTH_ONLY)
    rows = tuple((name, *map(effect_text, values)) for name, values in lines)
    return Grid(title, heads, rows, strong=frozenset(strong))


def _mean(values: Iterable[float]) -> float:
    known = list(values)
    return fmean(known) if all(map(math.isfinite, known)) else math.nan


def _detail_grid(pair: LanguagePair, level: float) -> Grid:
    heads = (
        *("measure", "d", percent_text(level), "AUC", "won", "paired d"),
        *("positive", "negative", "d lengths out", "d equal length (n)"),
        *("d without leaks", "n", "failed"),
    )
    named = [(measure_text(one.label, one.distance), one) for one in pair.measures]
    effects = [*named, (LENGTH_ONLY, pair.length)]
    title = (
        f"{pair.name}: {count_text(pair.triplets, 'triplet')} "
        f"of {count_text(pair.problems, 'problem')}"
    )
    empty = [
        *([] if any(one.failed for _, one in effects) else ["failed"]),
        *([] if any(one.without_leaks for _, one in effects) else ["d without leaks"]),
    ]
    rows = tuple(_detail_line(name, one) for name, one in effects)
    return Grid(title, heads, rows).without(empty)


def _detail_line(name: str, one: TripletEffect) -> tuple[str, ...]:
    equal = one.equal_length
    without = one.without_leaks
    return (
        name,
        effect_text(one.cohens_d.value),
        interval_text(known_interval(one.cohens_d), digits=DIGITS),
        effect_text(one.auc.value),
        effect_text(one.win_rate.value),
        effect_text(one.paired_d.value),
        number_text(one.positive_mean, one.distance),
        number_text(one.negative_mean, one.distance),
        effect_text(one.adjusted_d.value),
        f"{effect_text(equal.cohens_d.value)} ({equal.triplets:,})",
        NOTHING if without is None else effect_text(without.value),
        f"{one.n:,}",
        f"{one.failed:,}" if one.failed else "",
    )


def _leak_grids(leaks: Sequence[Leak]) -> list[Grid]:
    if not leaks:
        return []
    heads = ["triplet", "problem", "roles", "kind", "likeness"]
    rows = [
        [one.triplet, one.problem or "", one.roles, one.kind, f"{one.similarity:.{DIGITS}f}"]
        for one in leaks[:_SHOWN]
    ]
    if any(one.elsewhere for one in leaks[:_SHOWN]):
        heads.insert(3, "first role in")
        for row, one in zip(rows, leaks, strict=False):
            row.insert(3, one.elsewhere or "")
    some = f", the first {_SHOWN} of {len(leaks):,}" if len(leaks) > _SHOWN else ""
    return [Grid(f"Leaks{some}", tuple(heads), tuple(map(tuple, rows)), keys=len(heads) - 1)]


def triplet_warnings(judgement: TripletJudgement) -> list[str]:
    """What a reader must know before any figure."""
    warnings = []
    if not judgement.complete:
        warnings.append(unfinished(judgement.run, judgement.triplets, "triplet"))
    if judgement.excluded:
        warnings.append(
            f"{judgement.excluded:,} of {count_text(judgement.triplets, 'triplet')} "
            "could not be used at all"
        )
    warnings += failure_warnings(judgement.failures)
    leaks = judgement.overall.leaks
    if leaks:
        names = list(dict.fromkeys(one.triplet for one in leaks))
        more = ", …" if len(names) > _NAMED else ""
        warnings.append(
            f"{count_text(len(names), 'triplet')} with nearly the same text in two roles "
            f"({_role_counts(leaks)}), which may turn every result around: "
            f"{plain(', '.join(names[:_NAMED]))}{more}"
        )
    return warnings


def _role_counts(leaks: Sequence[Leak]) -> str:
    roles = list(dict.fromkeys(one.roles for one in leaks))
    return ", ".join(f"{role}: {_with_roles(leaks, role):,}" for role in roles)


def _with_roles(leaks: Sequence[Leak], roles: str) -> int:
    return sum(one.roles == roles for one in leaks)


def triplet_notes(judgement: TripletJudgement) -> list[str]:
    """How the figures came about, and why some are missing."""
    overall = judgement.overall
    notes = [
        resampling_note(judgement.resamples, judgement.cluster, judgement.seed, judgement.level),
        "more is better, of distances as well; chance is 0.5 in AUC and won, and 0 in d",
        LENGTH_NOTE,
    ]
    if any(one.distance for one in overall.measures):
        notes.append(DISTANCE_NOTE)
    if not overall.leaks:
        notes.append("no triplet holds nearly the same text in two roles")
    if any(pair.anchor != pair.other for pair in judgement.pairs):
        notes.append("(anchor, other): the language of the anchor, and of positive and negative")
    pairs = judgement.pairs if len(judgement.pairs) > 1 else ()
    for pair in (overall, *pairs):
        effects = [*((one.label, one) for one in pair.measures), (LENGTH_ONLY, pair.length)]
        notes += [
            f"{pair.name}, {line}"
            for line in reason_lines([(name, _reasons(one)) for name, one in effects])
        ]
    return notes


def _reasons(one: TripletEffect) -> list[str]:
    """Why figures of an effect are missing; nothing where none is."""
    found = [] if (reason := _reason(one)) is None else [reason]
    if one.n and (equal := _equal_reason(one.equal_length)) is not None:
        found.append(f"d equal length: {equal}")
    return list(dict.fromkeys(found))


def _reason(one: TripletEffect) -> str | None:
    """Why a figure is missing: as the judgement says, or by what is plain from its counts."""
    if one.reason is not None:
        return one.reason
    estimates = (one.cohens_d, one.auc, one.win_rate, one.paired_d, one.adjusted_d)
    if any(math.isinf(estimate.value) for estimate in estimates):
        return "scores do not vary within a kind of pairs, so that an effect has no bound"
    lows = [known_interval(estimate).low for estimate in estimates]
    if all(map(math.isfinite, (*lows, *(estimate.value for estimate in estimates)))):
        return None
    if not one.n:
        return "no triplet has both scores"
    return f"what is missing cannot be told from {count_text(one.n, 'triplet')}"


def _equal_reason(equal: EqualLengths) -> str | None:
    if equal.reason is not None or math.isfinite(equal.cohens_d.value):
        return equal.reason
    return f"cannot be told from {count_text(equal.triplets, 'triplet')}"


def triplet_document(judgement: TripletJudgement) -> dict[str, Any]:
    """The document that ``codekin evaluate triplets --format json`` prints."""
    return {
        "codekin": __version__,
        "run": judgement.run,
        "complete": judgement.complete,
        "triplets": judgement.triplets,
        "problems": judgement.overall.problems,
        "excluded": judgement.excluded,
        "failures": failure_documents(judgement.failures),
        "cluster": judgement.cluster,
        "resamples": judgement.resamples,
        "seed": judgement.seed,
        "level": judgement.level,
        **_pair_document(judgement.overall),
        "pairs": {
            pair.name: {
                "anchor": pair.anchor,
                "other": pair.other,
                "triplets": pair.triplets,
                "problems": pair.problems,
                **_pair_document(pair),
            }
            for pair in judgement.pairs
        },
        "correlation": {
            "labels": list(judgement.labels),
            "scores": matrix_document(judgement.score_correlation),
            "effects": matrix_document(judgement.effect_correlation),
        },
    }


def _pair_document(pair: LanguagePair) -> dict[str, Any]:
    leaks = pair.leaks
    return {
        "measures": {one.label: _effect_document(one) for one in pair.measures},
        "confounds": {
            "length_only": _effect_document(pair.length),
            "equal_length_triplets": pair.length.equal_length.triplets,
            "leaks": {
                "count": len(leaks),
                "triplets": len({one.triplet for one in leaks}),
                "anchor_positive": _with_roles(leaks, "anchor and positive"),
                "anchor_negative": _with_roles(leaks, "anchor and negative"),
                "named": [
                    dataclasses.asdict(one) | {"similarity": finite(one.similarity)}
                    for one in leaks
                ],
            },
        },
    }


def _effect_document(one: TripletEffect) -> dict[str, Any]:
    equal = one.equal_length
    return {
        "signature": one.signature,
        "distance": one.distance,
        "n": one.n,
        "failed": one.failed,
        **estimated("cohens_d", one.cohens_d, "ci"),
        **estimated("auc", one.auc),
        **estimated("win_rate", one.win_rate),
        **estimated("paired_d", one.paired_d),
        "means": _both(one.positive_mean, one.negative_mean),
        "deviations": _both(one.positive_deviation, one.negative_deviation),
        "histograms": None if one.histograms is None else dataclasses.asdict(one.histograms),
        **estimated("adjusted_d", one.adjusted_d),
        "equal_length": {
            "triplets": equal.triplets,
            **estimated("cohens_d", equal.cohens_d, "ci"),
            "reason": _equal_reason(equal),
        },
        "without_leaks": None if one.without_leaks is None else _without(one.without_leaks),
        "reason": _reason(one),
    }


def _without(estimate: Estimate) -> dict[str, Any]:
    known = math.isfinite(estimate.value)
    reason = None if known else "cannot be told from the triplets that do not leak"
    return {**estimated("cohens_d", estimate, "ci"), "reason": reason}


def _both(positive: float, negative: float) -> dict[str, float | None]:
    return {"positive": finite(positive), "negative": finite(negative)}


def triplet_records(judgement: TripletJudgement) -> list[dict[str, Any]]:
    """One record a pair of languages and measure, for CSV; ``all`` is of all triplets."""
    return [
        {
            "languages": pair.name,
            "measure": LENGTH_ONLY if one is pair.length else one.label,
            "n": one.n,
            "failed": one.failed,
            **ends("cohens_d", one.cohens_d),
            **ends("auc", one.auc),
            **ends("win_rate", one.win_rate),
            **ends("paired_d", one.paired_d),
            **ends("adjusted_d", one.adjusted_d),
            **ends("equal_length_d", one.equal_length.cohens_d),
            "positive_mean": finite(one.positive_mean),
            "negative_mean": finite(one.negative_mean),
            "equal_length_triplets": one.equal_length.triplets,
            "leaks": len(pair.leaks),
            "reason": "; ".join(_reasons(one)),
            "signature": one.signature,
        }
        for pair in (judgement.overall, *judgement.pairs)
        for one in (*pair.measures, pair.length)
    ]
