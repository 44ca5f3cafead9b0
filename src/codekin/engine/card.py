"""Card: how a measure reacts to changes of a program that keep its meaning, and that break it."""

from __future__ import annotations

from dataclasses import dataclass

from codekin.engine.failures import Failure
from codekin.evaluation.bootstrap import Estimate

__all__ = ["Card", "ChangeEffect", "MeasureCard", "PairCost"]


@dataclass(frozen=True)
class ChangeEffect:
    """The scores of programs against themselves after one kind of change.

    Attributes
    ----------
    change : str
        Such as ``locals`` or ``operator``.
    preserving : bool
        Whether it keeps the meaning, so that the score should stay.
    n, failed : int
        Programs that could be changed and were scored, and that could not be scored.
    mean, low, high : float
        Of the scores, with their 5 % and 95 % quantiles.
    stayed : float
        The share of scores that are those of equal texts: 1, or 0 for a distance.
    """

    change: str
    preserving: bool
    n: int
    failed: int
    mean: float
    low: float
    high: float
    stayed: float


@dataclass(frozen=True)
class PairCost:
    """What a pair costs, of texts up to a size.

    Attributes
    ----------
    tokens : int
        The median size of a text.
    pairs : int
    microseconds : float
        The median time from two texts to their score.
    """

    tokens: int
    pairs: int
    microseconds: float


@dataclass(frozen=True)
class MeasureCard:
    """The card of one measure.

    Attributes
    ----------
    label, signature, summary : str
    distance : bool
    changes : tuple of ChangeEffect
        Of all languages together, in the order of the changes.
    by_language : tuple of (str, tuple of ChangeEffect)
    separation : Estimate
        The chance that a program after a change that keeps its meaning scores above one after a
        change that breaks it; ties half. 0.5 tells nothing apart.
    reason : str or None
        Why there is no separation.
    costs : tuple of PairCost
        By size, the smallest first.
    """

    label: str
    signature: str
    summary: str
    distance: bool
    changes: tuple[ChangeEffect, ...]
    by_language: tuple[tuple[str, tuple[ChangeEffect, ...]], ...]
    separation: Estimate
    reason: str | None
    costs: tuple[PairCost, ...]


@dataclass(frozen=True)
class Card:
    """The cards of the measures of a run.

    Attributes
    ----------
    run : str
    complete : bool
    programs : int
    languages : tuple of (str, int)
        With the number of programs of each.
    failures : tuple of Failure
    resamples, seed : int
    level : float
    measures : tuple of MeasureCard
    """

    run: str
    complete: bool
    programs: int
    languages: tuple[tuple[str, int], ...]
    failures: tuple[Failure, ...]
    resamples: int
    seed: int
    level: float
    measures: tuple[MeasureCard, ...]
