"""Small judgements made by hand, for the tests of what is printed of them."""

from __future__ import annotations

import math

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
)
from codekin.evaluation.triplet_judgement import TripletCorrelation
from codekin.evaluation.triplets import (
    EqualLengths,
    LanguagePair,
    Leak,
    RoleHistograms,
    TripletEffect,
    TripletJudgement,
)
from codekin.runs.failures import Failure
from codekin.statistics.bootstrap import UNKNOWN, Estimate, Interval

NONE = Estimate(math.nan, UNKNOWN, UNKNOWN)
FAILURE = Failure(None, "'anchor' is null", 2, "t9/positive", "rows.jsonl, line 9")


def about(value: float, width: float = 0.1) -> Estimate:
    """A value with a percentile interval and one that is a little wider."""
    return Estimate(
        value,
        Interval(value - width, value + width),
        Interval(value - 2 * width, value + 2 * width),
    )


def effect(label: str, d: float, **more) -> TripletEffect:
    fields = {
        "label": label,
        "signature": f"{label}|codekin",
        "distance": False,
        "n": 40,
        "failed": 0,
        "cohens_d": about(d),
        "auc": about(0.5 + d / 4),
        "win_rate": about(0.5 + d / 3),
        "paired_d": about(d / 2),
        "positive_mean": 0.6,
        "negative_mean": 0.5,
        "positive_deviation": 0.2,
        "negative_deviation": 0.25,
        "histograms": RoleHistograms(0.0, 1.0, (3, 37), (20, 20)),
        "adjusted_d": about(d / 3),
        "equal_length": EqualLengths(12, about(d / 4)),
    }
    return TripletEffect(**(fields | more))


def nothing(label: str, reason: str | None) -> TripletEffect:
    """A measure that scored no triplet."""
    return effect(
        label,
        0.0,
        n=0,
        failed=40,
        **dict.fromkeys(("cohens_d", "auc", "win_rate", "paired_d", "adjusted_d"), NONE),
        **dict.fromkeys(
            ("positive_mean", "negative_mean", "positive_deviation", "negative_deviation"), math.nan
        ),
        histograms=None,
        equal_length=EqualLengths(0, NONE, "no triplet of equal lengths"),
        reason=reason,
    )


def leaks(number: int) -> tuple[Leak, ...]:
    roles = ("anchor and positive", "anchor and negative")
    return tuple(
        Leak(
            f"t{i}",
            None if i == 0 else f"p{i}",
            roles[i % 2],
            0.95,
            "near copy",
            None if i < 2 else "t1",
        )
        for i in range(number)
    )


def pair(anchor, other, *measures, length=None, leaking=()) -> LanguagePair:
    length = length or effect("length", 0.02)
    return LanguagePair(anchor, other, 40, 10, measures, length, leaking)


def triplets(overall: LanguagePair, *pairs: LanguagePair, **more) -> TripletJudgement:
    labels = (*(one.label for one in overall.measures), "length")
    matrix = np.full((len(labels), len(labels)), 0.5)
    np.fill_diagonal(matrix, 1.0)
    fields = {
        "run": "run",
        "complete": True,
        "triplets": 40,
        "excluded": 0,
        "failures": (),
        "cluster": "problem",
        "resamples": 2000,
        "seed": 7,
        "level": 0.9,
        "overall": overall,
        "pairs": pairs,
        "correlation": TripletCorrelation(labels, matrix, np.full_like(matrix, np.nan)),
        "wrong": {},
    }
    return TripletJudgement(**(fields | more))


def one_language(**more) -> TripletJudgement:
    measures = (effect("bleu", 0.3), effect("ed", 0.1, distance=True, positive_mean=12.5))
    return triplets(pair(None, None, *measures), pair("python", "python", *measures), **more)


def many_languages(**more) -> TripletJudgement:
    def both(bleu: float, tsed: float) -> tuple[TripletEffect, ...]:
        return effect("bleu", bleu), effect("tsed", tsed)

    return triplets(
        pair(None, None, *both(0.1, 0.2)),
        pair("cpp", "cpp", *both(0.122, 0.179)),
        pair("python", "python", *both(0.212, 0.027)),
        pair("cpp", "python", *both(0.051, -0.097)),
        pair("python", "cpp", effect("bleu", 0.001), nothing("tsed", None)),
        **more,
    )


def broken_triplets() -> TripletJudgement:
    """Everything missing that can be, and leaks."""
    measures = (
        nothing("bleu", "no triplet could be scored"),
        nothing("c_s", None),
        effect("exact", 0.0, cohens_d=Estimate(math.inf, UNKNOWN, UNKNOWN), reason=None),
        effect("nes", 0.2, failed=3, without_leaks=about(0.15)),
        effect("chrf", 0.2, without_leaks=NONE),
    )
    return triplets(
        pair(None, None, *measures, leaking=leaks(23), length=nothing("length", None)),
        complete=False,
        excluded=2,
        failures=(FAILURE,),
    )


def spread(value: float, *, task: bool = True) -> Spread:
    by_task = Interval(value - 0.2, value + 0.2) if task else UNKNOWN
    return Spread(value, Interval(value - 0.1, value + 0.1), by_task, UNKNOWN)


def correlations(r: float, **more) -> Correlations:
    fields = {
        "n": 100,
        "pearson": spread(r),
        "spearman": spread(r - 0.01),
        "kendall": spread(r - 0.02),
        "auc": spread(0.5 + r / 2),
    }
    return Correlations(**(fields | more))


def no_correlations(reason: str | None, n: int = 0) -> Correlations:
    unknown = Spread(math.nan, UNKNOWN, UNKNOWN, UNKNOWN)
    names = ("pearson", "spearman", "kendall", "auc")
    return Correlations(n=n, **dict.fromkeys(names, unknown), reason=reason)


def perturbed(name: str, plain: float, changed: float) -> Perturbed:
    return Perturbed(
        name, 90, correlations(plain), correlations(changed), about(plain - changed), 0.7, 0.9, 0.25
    )


def outcome_effect(label: str, r: float, **more) -> OutcomeEffect:
    fields = {
        "label": label,
        "signature": f"{label}|codekin",
        "distance": False,
        "n": 100,
        "failed": 0,
        "every": correlations(r),
        "without_unchanged": correlations(r - 0.05),
        "without_equal": None,
        "without_both": None,
        "groups_kendall": about(0.5),
        "groups_reason": None,
        "groups": (
            GroupPoint("gpt_4", 60, 0.8, 0.7, r),
            GroupPoint("small", 40, 0.6, 0.4, math.nan, "every outcome is the same"),
        ),
    }
    return OutcomeEffect(**(fields | more))


def outcomes(*measures: OutcomeEffect, **more) -> OutcomeJudgement:
    labels = (*(one.label for one in measures), "length")
    fields = {
        "run": "run",
        "complete": True,
        "rows": 102,
        "without_outcome": 2,
        "binary": True,
        "rarer": 40,
        "unchanged": 5,
        "equal": 0,
        "edited": None,
        "rewrites": (),
        "task": "reference",
        "tasks": 20,
        "groups": 2,
        "drawn": "task",
        "failures": (),
        "resamples": 2000,
        "difference_resamples": 2000,
        "seed": 0,
        "level": 0.95,
        "measures": measures,
        "length": outcome_effect("length", 0.05),
        "differences": (),
        "perturbations": (),
        "correlation": MeasureCorrelation(labels, np.eye(len(labels))),
        "wrong": {},
    }
    return OutcomeJudgement(**(fields | more))


def full_outcomes() -> OutcomeJudgement:
    word = "prefix:2000-3000"
    return outcomes(
        outcome_effect("bleu", 0.2, perturbed=(perturbed(word, 0.2, 0.05),)),
        outcome_effect("ed", 0.3, distance=True, perturbed=(perturbed(word, 0.3, 0.3),)),
        outcome_effect("nes", 0.25, perturbed=(perturbed(word, 0.25, 0.1),)),
        length=outcome_effect("length", 0.05, perturbed=(perturbed(word, 0.05, 0.01),)),
        differences=(
            CorrelationDifference("bleu", "ed", 100, about(-0.1, 0.02), 0.01, 0.03),
            CorrelationDifference("bleu", "nes", 100, about(-0.05, 0.02), 0.02, 0.04),
            CorrelationDifference("ed", "nes", 99, about(0.05, 0.02), 0.5, 0.5),
            CorrelationDifference("ed", "length", 98, NONE, math.nan, math.nan),
        ),
        perturbations=(word,),
    )


def broken_outcomes() -> OutcomeJudgement:
    """Everything missing that can be."""
    return outcomes(
        outcome_effect(
            "c_s",
            0.0,
            n=0,
            failed=100,
            every=no_correlations(None),
            without_unchanged=no_correlations("every outcome is the same", 7),
            groups_kendall=NONE,
            groups=(),
        ),
        outcome_effect("const", 0.0, every=no_correlations("it says 1 of every row", 100)),
        complete=False,
        binary=False,
        groups=0,
        drawn="row",
        failures=(Failure("c_s", "broken", 100, "r1", ""),),
        length=outcome_effect(
            "length", 0.0, every=correlations(0.1, pearson=spread(0.1, task=False))
        ),
        perturbations=("layout",),
        correlation=MeasureCorrelation(("c_s", "const", "length"), np.full((3, 3), np.nan)),
    )


def change(name: str, preserving: bool, mean: float, stayed: float, n: int = 30) -> ChangeEffect:
    return ChangeEffect(name, preserving, n, 0, mean, mean - 0.1, min(1.0, mean + 0.1), stayed)


def measure_card(label: str, separation: Estimate, **more) -> MeasureCard:
    changes = (
        change("locals", True, 0.9, 0.1),
        change("layout", True, 0.9999, 0.99),
        change("comments", True, 1.0, 1.0),
        change("operator", False, 0.97, 0.0),
        ChangeEffect("argument", False, 0, 0, *[math.nan] * 4),
    )
    fields = {
        "label": label,
        "signature": f"{label}|codekin",
        "summary": "what it says",
        "distance": False,
        "changes": changes,
        "by_language": (("python", changes),),
        "separation": separation,
        "reason": None,
        "costs": (PairCost(50, 20, 12.5), PairCost(400, 20, 4321.0)),
    }
    return MeasureCard(**(fields | more))


def cards(*measures: MeasureCard, **more) -> Card:
    fields = {
        "run": "run",
        "complete": True,
        "programs": 30,
        "languages": (("python", 30),),
        "failures": (),
        "resamples": 2000,
        "seed": 0,
        "level": 0.95,
        "measures": measures,
    }
    return Card(**(fields | more))


def two_cards(**more) -> Card:
    far = (change("locals", True, 12.5, 0.2), change("operator", False, 1.0, 0.0))
    return cards(
        measure_card("bleu", about(0.4)),
        measure_card("ed", about(0.3), distance=True, changes=far, costs=(PairCost(50, 20, 2e6),)),
        **more,
    )


def broken_cards() -> Card:
    return cards(
        measure_card("c_s", NONE, changes=(), by_language=(), costs=()),
        measure_card("const", NONE, reason="it says 1 of every pair"),
        complete=False,
        failures=(FAILURE,),
    )
