"""TripletJudgement: how well measures tell right programs from wrong ones, beside a right one.

A triplet has an anchor, a positive (right, as the anchor is) and a negative (wrong). A measure that
sees what a program does scores (anchor, positive) above (anchor, negative).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from codekin.engine.failures import Failure
from codekin.evaluation.bootstrap import Estimate
from codekin.evaluation.resampling import Floats

__all__ = [
    "EqualLengths",
    "LanguagePair",
    "Leak",
    "RoleHistograms",
    "TripletEffect",
    "TripletJudgement",
    "WrongTriplet",
]


@dataclass(frozen=True)
class RoleHistograms:
    """How the scores of both kinds of pairs spread, in equal bins from `low` to `high`."""

    low: float
    high: float
    positive: tuple[int, ...]
    negative: tuple[int, ...]


@dataclass(frozen=True)
class EqualLengths:
    """The effect where length gives nothing away.

    Attributes
    ----------
    triplets : int
        Those whose positive and negative have the same number of tokens.
    cohens_d : Estimate
        Over these.
    reason : str or None
        Why there is no value, in words.
    """

    triplets: int
    cohens_d: Estimate
    reason: str | None = None


@dataclass(frozen=True)
class TripletEffect:
    """What a measure makes of the triplets of a language pair.

    A distance counts with its sign turned in all of these but the means and the histograms, so
    that more is better everywhere.

    Attributes
    ----------
    label, signature : str
        Of the measure in the run.
    distance : bool
        Whether small values mean alike.
    n, failed : int
        Triplets with both scores, and those without.
    cohens_d : Estimate
        The difference of the means of both kinds of pairs, in pooled standard deviations.
    auc : Estimate
        The chance that a positive pair scores above a negative one, of any triplet; ties half.
    win_rate : Estimate
        The share of triplets whose own positive pair scores above the negative one; ties half.
    paired_d : Estimate
        The mean difference within triplets, in standard deviations of that difference.
    positive_mean, negative_mean, positive_deviation, negative_deviation : float
        Of the scores.
    histograms : RoleHistograms or None
        None where no triplet was scored.
    adjusted_d : Estimate
        Cohen's d after the lengths of both texts are regressed out.
    equal_length : EqualLengths
    without_leaks : Estimate or None
        Cohen's d without the triplets that leak; None where none does.
    reason : str or None
        Why values are missing, in words.
    """

    label: str
    signature: str
    distance: bool
    n: int
    failed: int
    cohens_d: Estimate
    auc: Estimate
    win_rate: Estimate
    paired_d: Estimate
    positive_mean: float
    negative_mean: float
    positive_deviation: float
    negative_deviation: float
    histograms: RoleHistograms | None
    adjusted_d: Estimate
    equal_length: EqualLengths
    without_leaks: Estimate | None = None
    reason: str | None = None


@dataclass(frozen=True)
class Leak:
    """Two roles of a triplet that hold nearly the same text, or one text in two roles.

    Attributes
    ----------
    triplet : str
        Its id.
    problem : str or None
    roles : str
        Such as ``anchor and negative``; the second is a role of this triplet.
    similarity : float
        Of the two texts, from 0 to 1.
    kind : str
        What is alike: ``copy``, ``near copy`` or ``renamed copy``.
    elsewhere : str or None
        The id of the triplet of the same problem in which the first role is; None for this one.
    """

    triplet: str
    problem: str | None
    roles: str
    similarity: float
    kind: str
    elsewhere: str | None = None


@dataclass(frozen=True)
class LanguagePair:
    """The triplets whose anchor and whose other two texts are of certain languages.

    Attributes
    ----------
    anchor, other : str or None
        The languages; None for all triplets together.
    triplets, problems : int
    measures : tuple of TripletEffect
        In the order of the run, without the length baseline.
    length : TripletEffect
        What a measure that sees only lengths reaches.
    leaks : tuple of Leak
    """

    anchor: str | None
    other: str | None
    triplets: int
    problems: int
    measures: tuple[TripletEffect, ...]
    length: TripletEffect
    leaks: tuple[Leak, ...]

    @property
    def name(self) -> str:
        """Such as ``python``, ``(java, python)``, or ``all``."""
        if self.anchor is None:
            return "all"
        return self.anchor if self.anchor == self.other else f"({self.anchor}, {self.other})"


@dataclass(frozen=True)
class WrongTriplet:
    """A triplet that a measure gets wrong; `margin` is by how many standard deviations."""

    triplet: str
    problem: str | None
    positive: float
    negative: float
    margin: float


@dataclass(frozen=True, eq=False)
class TripletJudgement:
    """How well each measure of a run tells positives from negatives.

    Attributes
    ----------
    run : str
        Its name.
    complete : bool
        Whether every triplet of the input is in it.
    triplets, excluded : int
        Triplets that were read, and how many of them could not be used at all.
    failures : tuple of Failure
        Why rows were excluded or not scored.
    cluster : str
        What was drawn as a whole for the intervals: ``problem``, or ``triplet``.
    resamples, seed : int
    level : float
        Of the intervals.
    overall : LanguagePair
        All triplets together.
    pairs : tuple of LanguagePair
        By languages, in their order of appearance.
    labels : tuple of str
        The measures of the two matrices, the length baseline included.
    score_correlation : array
        Pearson's correlation between the scores of measures.
    effect_correlation : array
        Pearson's correlation, over problems, between the standardised differences of measures.
    wrong : mapping of str to tuple of WrongTriplet
        Of each measure the triplets that it gets most wrong, the worst first.
    """

    run: str
    complete: bool
    triplets: int
    excluded: int
    failures: tuple[Failure, ...]
    cluster: str
    resamples: int
    seed: int
    level: float
    overall: LanguagePair
    pairs: tuple[LanguagePair, ...]
    labels: tuple[str, ...]
    score_correlation: Floats
    effect_correlation: Floats
    wrong: Mapping[str, tuple[WrongTriplet, ...]]
