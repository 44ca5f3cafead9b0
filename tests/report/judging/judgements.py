"""Made-up judgements of any size, with whatever may be missing in them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from codekin.evaluation.card import Card, ChangeEffect, MeasureCard
from codekin.evaluation.cost import PairCost
from codekin.evaluation.judgement import MeasureCorrelation
from codekin.evaluation.outcomes import (
    CorrelationDifference,
    Correlations,
    GroupPoint,
    OutcomeEffect,
    OutcomeJudgement,
    Perturbed,
    Spread,
    WrongRow,
)
from codekin.evaluation.triplet_judgement import TripletCorrelation
from codekin.evaluation.triplets import (
    EqualLengths,
    LanguagePair,
    Leak,
    RoleHistograms,
    TripletEffect,
    TripletJudgement,
    WrongTriplet,
)
from codekin.runs.failures import Failure
from codekin.statistics.bootstrap import UNKNOWN, Estimate, Interval

NAN = math.nan
NOTHING = Estimate(NAN, UNKNOWN, UNKNOWN)
NO_SPREAD = Spread(NAN, UNKNOWN, UNKNOWN, UNKNOWN)
CONSTANT = "every score is the same, so there is no spread to measure by"
PRESERVING = ("locals", "layout", "functions", "comments", "dead-code")
BREAKING = ("operator", "constant", "condition", "statement", "argument")
LANGUAGES = ("python", "java", "c", "cpp", "javascript")


def labels(count: int) -> list[str]:
    """Names of measures, short and long."""
    known = ["bleu", "codebleu", "tsed", "ed", "nes", "chrf", "jaccard", "crystalbleu", "exact"]
    return [*known, *(f"bleu:order={i},smooth=add-one" for i in range(30))][:count]


def estimate(value: float, width: float = 0.1) -> Estimate:
    ends = Interval(value - width, value + 0.9 * width)
    return Estimate(value, ends, ends)


def effect(label: str, number: int, shift: float = 0.0) -> TripletEffect:
    d = 1.1 - 0.15 * (number * 7 % 11) + shift
    rng = np.random.default_rng(number)
    spread = [rng.normal(mean, 0.15, 400) for mean in (0.5 + 0.15 * d, 0.5)]
    counts = [np.histogram(np.clip(one, 0, 1), 20, (0, 1))[0].tolist() for one in spread]
    return TripletEffect(
        label=label,
        signature=f"{label}|v1",
        distance=label == "ed",
        n=400,
        failed=3 if number == 2 else 0,
        cohens_d=estimate(d, 0.12),
        auc=estimate(0.5 + 0.2 * d, 0.03),
        win_rate=estimate(0.5 + 0.25 * d, 0.03),
        paired_d=estimate(0.8 * d),
        positive_mean=0.5 + 0.15 * d,
        negative_mean=0.5,
        positive_deviation=0.15,
        negative_deviation=0.15,
        histograms=RoleHistograms(0.0, 1.0, tuple(counts[0]), tuple(counts[1])),
        adjusted_d=estimate(0.7 * d - 0.05, 0.12),
        equal_length=EqualLengths(40, estimate(0.5 * d, 0.4)),
        without_leaks=None,
    )


def without_values(one: TripletEffect, reason: str = CONSTANT) -> TripletEffect:
    """An effect that has no number in it but counts."""
    return replace(
        one,
        n=0,
        failed=400,
        cohens_d=NOTHING,
        auc=NOTHING,
        win_rate=NOTHING,
        paired_d=NOTHING,
        positive_mean=NAN,
        negative_mean=NAN,
        positive_deviation=NAN,
        negative_deviation=NAN,
        histograms=None,
        adjusted_d=NOTHING,
        equal_length=EqualLengths(0, NOTHING, "no triplet has texts of equal length"),
        reason=reason,
    )


def leak(number: int, name: str = "") -> Leak:
    roles = ("anchor and negative", "anchor and positive")[number % 2]
    return Leak(name or f"t{number}", f"p{number % 7}", roles, 0.97, "near copy")


def language_pair(
    names: Sequence[str],
    anchor: str | None,
    other: str | None,
    shift: float = 0.0,
    leaks: Sequence[Leak] = (),
) -> LanguagePair:
    effects = [effect(label, i, shift) for i, label in enumerate(names)]
    length = replace(effect("length", 5, -0.1), distance=False)
    if leaks:
        effects = [
            replace(one, without_leaks=estimate(one.cohens_d.value - 0.1)) for one in effects
        ]
    return LanguagePair(anchor, other, 400, 60, tuple(effects), length, tuple(leaks))


def correlated(count: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.corrcoef(rng.normal(size=(count, 6)) + rng.normal(size=6))


def triplet_judgement(
    measures: int = 5,
    pairs: int = 4,
    leaks: int = 0,
    names: Sequence[str] | None = None,
    **more: Any,
) -> TripletJudgement:
    """Triplets under some measures, in some language pairs."""
    names = labels(measures) if names is None else list(names)
    told = [leak(i) for i in range(leaks)]
    spoken = [(a, b) for a in LANGUAGES for b in LANGUAGES]
    spoken.sort(key=lambda both: both[0] != both[1])
    every = [*names, "length"]
    judgement = TripletJudgement(
        run="run",
        complete=True,
        triplets=400 * pairs,
        excluded=0,
        failures=(),
        cluster="problem",
        resamples=2000,
        seed=0,
        level=0.95,
        overall=language_pair(names, None, None, 0.0, told),
        pairs=tuple(
            language_pair(names, *both, 0.05 * i, told if i == 0 else ())
            for i, both in enumerate(spoken[:pairs])
        ),
        correlation=TripletCorrelation(
            tuple(every), correlated(len(every), 1), correlated(len(every), 2)
        ),
        wrong={
            label: tuple(
                WrongTriplet(f"t{i}", f"p{i % 7}", 0.3 + 0.01 * i, 0.9 - 0.01 * i, 3 - 0.2 * i)
                for i in range(12)
            )
            for label in names
        },
    )
    return replace(judgement, **more)


def spread(value: float) -> Spread:
    return Spread(
        value,
        Interval(value - 0.02, value + 0.02),
        Interval(value - 0.06, value + 0.05),
        Interval(value - 0.09, value + 0.07),
    )


def correlations(value: float, n: int = 6000, *, binary: bool = True) -> Correlations:
    auc = spread(0.5 + value / 2) if binary else NO_SPREAD
    return Correlations(n, spread(value), spread(0.95 * value), spread(0.7 * value), auc)


def no_correlations(reason: str = CONSTANT) -> Correlations:
    return Correlations(0, NO_SPREAD, NO_SPREAD, NO_SPREAD, NO_SPREAD, reason)


def outcome_effect(
    label: str, number: int, groups: int, perturbations: Sequence[str], *, binary: bool
) -> OutcomeEffect:
    r = 0.62 - 0.06 * (number * 7 % 11)
    rng = np.random.default_rng(number)
    passing = np.linspace(0.2, 0.8, groups)
    return OutcomeEffect(
        label=label,
        signature=f"{label}|v1",
        distance=label == "ed",
        n=6000,
        failed=12 if number == 2 else 0,
        every=correlations(r, binary=binary),
        without_unchanged=correlations(r - 0.08, 5200, binary=binary),
        without_equal=correlations(r - 0.2, 4100, binary=binary),
        without_both=correlations(r - 0.25, 3300, binary=binary),
        groups_kendall=estimate(0.8 - 0.1 * number, 0.2),
        groups_reason=None,
        groups=tuple(
            GroupPoint(f"model-{i}", 70, 0.3 + 0.5 * p + rng.normal(0, 0.05), float(p), r, None)
            for i, p in enumerate(passing.tolist())
        ),
        perturbed=tuple(
            Perturbed(
                name,
                5000,
                correlations(r, 5000, binary=binary),
                correlations(r - 0.1 * (number % 4), 5000, binary=binary),
                estimate(0.1 * (number % 4), 0.03),
                0.71,
                0.83,
                0.4,
            )
            for name in perturbations
        ),
    )


def outcome_judgement(
    measures: int = 5,
    groups: int = 8,
    perturbations: Sequence[str] = ("prefix:2000-3000",),
    names: Sequence[str] | None = None,
    *,
    binary: bool = True,
    **more: Any,
) -> OutcomeJudgement:
    """Outcomes under some measures, with some groups and perturbations."""
    names = labels(measures) if names is None else list(names)
    made = [
        outcome_effect(label, i, groups, perturbations, binary=binary)
        for i, label in enumerate([*names, "length"])
    ]
    differences = []
    for i, first in enumerate(made[:-1]):
        for second in made[i + 1 : -1]:
            apart = first.every.pearson.value - second.every.pearson.value
            p = 0.001 if abs(apart) > 0.15 else 0.4
            differences.append(
                CorrelationDifference(first.label, second.label, 6000, estimate(apart), p, p)
            )
    every = [*names, "length"]
    judgement = OutcomeJudgement(
        run="run",
        complete=True,
        rows=6100,
        without_outcome=100,
        binary=binary,
        rarer=2000 if binary else None,
        unchanged=800,
        equal=1900,
        edited=0.07,
        rewrites=(),
        task="reference",
        tasks=83,
        groups=groups,
        drawn="task",
        failures=(Failure("tsed", "too long", 12, "row-1", "line 2"),),
        resamples=2000,
        difference_resamples=2000,
        seed=0,
        level=0.95,
        measures=tuple(made[:-1]),
        length=made[-1],
        differences=tuple(differences),
        perturbations=tuple(perturbations),
        correlation=MeasureCorrelation(tuple(every), correlated(len(every), 1)),
        wrong={
            label: tuple(
                WrongRow(f"row-{i}", f"model-{i}", 0.99, 0.0, 3 - 0.1 * i) for i in range(12)
            )
            for label in names
        },
    )
    return replace(judgement, **more)


def change_effects(number: int, far: bool) -> tuple[ChangeEffect, ...]:
    made = []
    for i, change in enumerate((*PRESERVING, *BREAKING)):
        kept = change in PRESERVING
        mean = 1 - 0.04 * (number % 5) * (i % 5) if kept else 0.95 - 0.05 * (i % 4)
        mean = 30 * (1 - mean) if far else mean
        made.append(ChangeEffect(change, kept, 120, 0, mean, mean - 0.1, mean + 0.02, 0.6 * kept))
    return tuple(made)


def card(
    measures: int = 5, languages: int = 3, names: Sequence[str] | None = None, **more: Any
) -> Card:
    """The cards of some measures over programs of some languages."""
    names = labels(measures) if names is None else list(names)
    spoken = LANGUAGES[:languages]
    made = [
        MeasureCard(
            label=label,
            signature=f"{label}|v1",
            summary=f"what {label} does",
            distance=label == "ed",
            changes=change_effects(i, label == "ed"),
            by_language=tuple((one, change_effects(i, label == "ed")) for one in spoken),
            separation=estimate(0.9 - 0.07 * (i % 7), 0.04),
            reason=None,
            costs=(),
        )
        for i, label in enumerate(names)
    ]
    judgement = Card(
        run="run",
        complete=True,
        programs=120,
        languages=tuple((one, 120 // languages) for one in spoken),
        failures=(),
        resamples=2000,
        seed=0,
        level=0.95,
        measures=tuple(made),
    )
    return replace(judgement, **more)


def costs(names: Sequence[str]) -> dict[str, tuple[PairCost, ...]]:
    """What pairs cost, from microseconds to many milliseconds."""
    return {
        label: tuple(
            PairCost(30 * 3**size, 15, 12.0 * 1.7 ** (i % 12) * 3.5**size) for size in range(4)
        )
        for i, label in enumerate(names)
    }
