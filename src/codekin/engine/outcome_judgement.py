"""OutcomeJudgement: how closely measures follow what tests, or any other judge, say of rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from codekin.engine.failures import Failure
from codekin.evaluation.bootstrap import Estimate, Interval
from codekin.evaluation.reasons import MISSING
from codekin.evaluation.resampling import Floats

__all__ = [
    "CorrelationDifference",
    "Correlations",
    "GroupPoint",
    "OutcomeEffect",
    "OutcomeJudgement",
    "Perturbed",
    "Spread",
    "WrongRow",
]


@dataclass(frozen=True)
class Spread:
    """A value with its intervals by what is drawn as a whole; nan where there is no telling.

    Attributes
    ----------
    value : float
    row, task, group : Interval
        Drawing single rows, all rows of a task, all rows of a group.
    """

    value: float
    row: Interval
    task: Interval
    group: Interval


@dataclass(frozen=True)
class Correlations:
    """How closely a measure follows the outcome over some rows.

    Attributes
    ----------
    n : int
        The rows, with a score and an outcome.
    pearson, spearman, kendall : Spread
        Pearson's r (point-biserial for outcomes of 0 and 1), Spearman's rho, Kendall's tau b.
    auc : Spread
        The chance that a row of outcome 1 scores above one of outcome 0; nan for other outcomes.
    reason : str or None
        Why values are missing, in words.
    within : Estimate
        Pearson's r within tasks: of scores and outcomes less the means of their task. It asks
        whether a measure ranks the candidates of one task, and nothing of how tasks differ. nan
        where tasks have one row each, or never differ within.
    """

    n: int
    pearson: Spread
    spearman: Spread
    kendall: Spread
    auc: Spread
    reason: str | None = None
    within: Estimate = MISSING


@dataclass(frozen=True)
class GroupPoint:
    """The rows of a group under one measure; its own correlation tells of its rows alone."""

    name: str
    n: int
    score: float
    outcome: float
    pearson: float
    reason: str | None = None


@dataclass(frozen=True)
class Perturbed:
    """What a measure loses when the texts are changed in a way that leaves the outcome alone.

    Attributes
    ----------
    name : str
        The perturbation, as ``prefix:2000-3000``.
    n : int
        Rows that could be changed and were scored in both forms.
    plain, changed : Correlations
        Over those rows as they were, and as changed.
    loss : Estimate
        Pearson's r of the plain rows less that of the changed ones, from the same resamples.
    plain_mean, changed_mean : float
        Of the scores.
    unmoved : float
        The share of rows whose score stayed the same.
    reason : str or None
        Why the loss or its interval is missing, in words.
    """

    name: str
    n: int
    plain: Correlations
    changed: Correlations
    loss: Estimate
    plain_mean: float
    changed_mean: float
    unmoved: float
    reason: str | None = None


@dataclass(frozen=True)
class OutcomeEffect:
    """A measure beside the outcome. A distance counts with its sign turned.

    Attributes
    ----------
    label, signature : str
    distance : bool
    n, failed : int
        Rows with an outcome that have a score, and that have none.
    every : Correlations
        Over all rows.
    without_unchanged, without_equal, without_both : Correlations or None
        Without rows that return the origin untouched, rows equal to a reference, or both; None
        where there are none such.
    groups_kendall : Estimate
        Kendall's tau b between the means of scores and of outcomes over groups.
    groups_reason : str or None
        Why there is none.
    groups : tuple of GroupPoint
    perturbed : tuple of Perturbed
    """

    label: str
    signature: str
    distance: bool
    n: int
    failed: int
    every: Correlations
    without_unchanged: Correlations | None
    without_equal: Correlations | None
    without_both: Correlations | None
    groups_kendall: Estimate
    groups_reason: str | None
    groups: tuple[GroupPoint, ...]
    perturbed: tuple[Perturbed, ...] = ()


@dataclass(frozen=True)
class CorrelationDifference:
    """Pearson's r of one measure less that of another, over the rows that both scored.

    Attributes
    ----------
    first, second : str
        Labels.
    n : int
    difference : Estimate
        Its intervals come from the resamples of `OutcomeJudgement.drawn`.
    p, adjusted : float
        Of the difference being nothing, two-sided, alone and after Holm among all pairs.
    reason : str or None
        Why values or intervals are missing, in words.
    """

    first: str
    second: str
    n: int
    difference: Estimate
    p: float
    adjusted: float
    reason: str | None = None


@dataclass(frozen=True)
class WrongRow:
    """A row on which score and outcome disagree; `margin`, in standard deviations, is by how much.

    It is positive where the score is too high.
    """

    row: str
    group: str | None
    score: float
    outcome: float
    margin: float


@dataclass(frozen=True, eq=False)
class OutcomeJudgement:
    """How closely each measure of a run follows the outcome.

    Attributes
    ----------
    run : str
    complete : bool
    rows, without_outcome : int
        Rows of the run, and how many of them have no outcome.
    binary : bool
        Whether every outcome is 0 or 1.
    unchanged, equal : int
        Rows that return the origin untouched, and rows equal to a reference.
    task : str
        The field that says which rows are of one task; ``reference`` stands for the same
        references and origin.
    tasks, groups : int
        How many there are.
    drawn : str
        What was drawn as a whole for differences and losses: ``task``, or ``row``.
    failures : tuple of Failure
    resamples, seed : int
    level : float
    measures : tuple of OutcomeEffect
        Without the length baseline.
    length : OutcomeEffect
        What a measure that sees only lengths reaches.
    differences : tuple of CorrelationDifference
        Of every two measures.
    perturbations : tuple of str
    labels : tuple of str
        Of the matrix, the length baseline included.
    score_correlation : array
        Pearson's correlation between the scores of measures.
    wrong : mapping of str to tuple of WrongRow
        Of each measure the rows that it gets most wrong, the worst first.
    """

    run: str
    complete: bool
    rows: int
    without_outcome: int
    binary: bool
    unchanged: int
    equal: int
    task: str
    tasks: int
    groups: int
    drawn: str
    failures: tuple[Failure, ...]
    resamples: int
    seed: int
    level: float
    measures: tuple[OutcomeEffect, ...]
    length: OutcomeEffect
    differences: tuple[CorrelationDifference, ...]
    perturbations: tuple[str, ...]
    labels: tuple[str, ...]
    score_correlation: Floats
    wrong: Mapping[str, tuple[WrongRow, ...]]
