"""A judgement by outcomes as a document and as records, for JSON and CSV."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from codekin._version import __version__
from codekin.evaluation.outcomes import (
    CorrelationDifference,
    Correlations,
    OutcomeEffect,
    OutcomeJudgement,
    Perturbed,
    Spread,
)
from codekin.report.document import finite
from codekin.report.failure_texts import failure_documents
from codekin.report.figures import count_text, interval_document
from codekin.report.judging.figures import (
    LENGTH_ONLY,
    ends,
    estimated,
    matrix_document,
)

__all__ = ["groups_reason", "missing_reason", "outcome_document", "outcome_records"]


def missing_reason(some: Correlations) -> str | None:
    """Why a correlation is missing: as the judgement says, or by what is plain from its counts."""
    if some.reason is not None or math.isfinite(some.pearson.value):
        return some.reason
    if not some.n:
        return "no row has a score and an outcome"
    return f"no correlation can be told from {count_text(some.n, 'row')}"


def groups_reason(one: OutcomeEffect) -> str | None:
    """Why there is no correlation between the means of groups."""
    if one.groups_reason is not None or math.isfinite(one.groups_kendall.value):
        return one.groups_reason
    return "it takes two groups at least that differ in outcome and in score"


def outcome_document(judgement: OutcomeJudgement) -> dict[str, Any]:
    """The document that ``codekin evaluate outcomes --format json`` prints."""
    return {
        "codekin": __version__,
        "run": judgement.run,
        "complete": judgement.complete,
        "rows": judgement.rows,
        "without_outcome": judgement.without_outcome,
        "binary": judgement.binary,
        "unchanged": judgement.unchanged,
        "equal": judgement.equal,
        "task": judgement.task,
        "tasks": judgement.tasks,
        "groups": judgement.groups,
        "drawn": judgement.drawn,
        "failures": failure_documents(judgement.failures),
        "resamples": judgement.resamples,
        "seed": judgement.seed,
        "level": judgement.level,
        "perturbations": list(judgement.perturbations),
        "measures": {one.label: _effect_document(one) for one in judgement.measures},
        "confounds": {"length_only": _effect_document(judgement.length)},
        "differences": [
            {
                "first": one.first,
                "second": one.second,
                "n": one.n,
                **estimated("difference", one.difference, "ci"),
                "p": finite(one.p),
                "adjusted": finite(one.adjusted),
                "reason": _difference_reason(one),
            }
            for one in judgement.differences
        ],
        "correlation": {
            "labels": list(judgement.labels),
            "scores": matrix_document(judgement.score_correlation),
        },
    }


def _difference_reason(one: CorrelationDifference) -> str | None:
    if one.reason is not None or (math.isfinite(one.difference.value) and math.isfinite(one.p)):
        return one.reason
    return f"cannot be told from the {count_text(one.n, 'row')} that both scored"


def _effect_document(one: OutcomeEffect) -> dict[str, Any]:
    return {
        "signature": one.signature,
        "distance": one.distance,
        "failed": one.failed,
        **_correlations(one.every),
        "n": one.n,
        "without_unchanged": _optional(one.without_unchanged),
        "without_equal": _optional(one.without_equal),
        "without_both": _optional(one.without_both),
        **estimated("groups_kendall", one.groups_kendall),
        "groups_reason": groups_reason(one),
        "groups": [
            {
                "group": point.name,
                "n": point.n,
                "score": finite(point.score),
                "outcome": finite(point.outcome),
                "pearson": finite(point.pearson),
                "reason": point.reason,
            }
            for point in one.groups
        ],
        "perturbed": {found.name: _perturbed_document(found) for found in one.perturbed},
    }


def _optional(some: Correlations | None) -> dict[str, Any] | None:
    return None if some is None else _correlations(some)


def _correlations(some: Correlations) -> dict[str, Any]:
    return {
        "n": some.n,
        **_spread("pearson", some.pearson, "ci"),
        **_spread("spearman", some.spearman),
        **_spread("kendall", some.kendall),
        **_spread("auc", some.auc),
        **estimated("within_tasks", some.within),
        "reason": missing_reason(some),
    }


def _spread(name: str, spread: Spread, interval: str | None = None) -> dict[str, Any]:
    interval = interval or f"{name}_ci"
    return {
        name: finite(spread.value),
        interval: interval_document(spread.row),
        f"{interval}_task": interval_document(spread.task),
        f"{interval}_group": interval_document(spread.group),
    }


def _perturbed_document(found: Perturbed) -> dict[str, Any]:
    return {
        "n": found.n,
        "plain": _correlations(found.plain),
        "changed": _correlations(found.changed),
        **estimated("loss", found.loss),
        "plain_mean": finite(found.plain_mean),
        "changed_mean": finite(found.changed_mean),
        "unmoved": finite(found.unmoved),
        "reason": found.reason,
    }


def outcome_records(judgement: OutcomeJudgement) -> list[dict[str, Any]]:
    """One record a measure and set of rows, for CSV."""
    return [
        {
            "measure": LENGTH_ONLY if one is judgement.length else one.label,
            "rows": kind,
            "n": some.n,
            "failed": one.failed,
            **_spread_record("pearson", some.pearson),
            **_spread_record("spearman", some.spearman),
            **_spread_record("kendall", some.kendall),
            **_spread_record("auc", some.auc),
            **ends("within_tasks", some.within),
            "reason": missing_reason(some),
            "signature": one.signature,
        }
        for one in (*judgement.measures, judgement.length)
        for kind, some in _sets(one)
    ]


def _sets(one: OutcomeEffect) -> Sequence[tuple[str, Correlations]]:
    sets = [
        ("all", one.every),
        ("without unchanged", one.without_unchanged),
        ("without equal", one.without_equal),
        ("without both", one.without_both),
        *((f"{found.name} plain", found.plain) for found in one.perturbed),
        *((f"{found.name} changed", found.changed) for found in one.perturbed),
    ]
    return [(kind, some) for kind, some in sets if some is not None]


def _spread_record(name: str, spread: Spread) -> dict[str, float | None]:
    return {
        name: finite(spread.value),
        **ends(f"{name}_row", spread.row),
        **ends(f"{name}_task", spread.task),
        **ends(f"{name}_group", spread.group),
    }
