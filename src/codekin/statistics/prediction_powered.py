"""Prediction-powered means: few outcomes and many scores give one mean with an honest interval.

The mean outcome of all rows is estimated from the rows with an outcome, and corrected by how their
scores differ from the scores of all rows, times a tuning factor λ [1]_. Survey statistics knows it
as a difference estimator [2]_. λ is fitted on other rows than those it is applied to, so that the
correction is unbiased whatever the score is worth.

Intervals are Wilson's, with as many rows as the outcomes are worth and Student's quantiles, so that
they hold for small samples and for rates near 0 and 1. Before that, the variance is moved towards
that of the outcomes alone by one row: one on which the score would have been completely wrong. With
few rows such a surprise may not have been seen yet.

Where rows vary together in clusters, the variance is that of the clusters, with the degrees of
freedom that clusters of these sizes have [5]_. Few clusters may all be of one kind, so the variance
is moved towards that of clusters in which all rows have the same outcome, by the chance that as
many of those would show only one outcome. What scores leave is large in the few clusters that they
are wrong about, and such heavy tails cost degrees of freedom [6]_.

References
----------
.. [1] Angelopoulos, Duchi and Zrnic, "PPI++: Efficient prediction-powered inference", 2023,
   arXiv:2311.01453.
.. [2] Särndal, Swensson and Wretman, "Model assisted survey sampling", Springer, 1992.
.. [3] Zrnic and Candès, "Active statistical inference", ICML 2024, arXiv:2403.03208.
.. [4] Zou and Donner, "Construction of confidence limits about effect measures: a general
   approach", Statistics in Medicine 27(10), 2008.
.. [5] Bell and McCaffrey, "Bias reduction in standard errors for linear regression with multi-stage
   samples", Survey Methodology 28(2), 2002.
.. [6] O'Neill, "Some useful moment results in sampling problems", The American Statistician 68(4),
   2014.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from codekin.errors import CodekinError
from codekin.results import (
    UNKNOWN,
    Column,
    Estimate,
    Grid,
    Interval,
    Result,
    count_text,
    number_text,
)
from codekin.statistics.bootstrap import check_weights
from codekin.statistics.proportion import rate_interval, student_quantile
from codekin.statistics.reasons import columns_of
from codekin.statistics.resampling import Floats

__all__ = [
    "FEWEST",
    "MeanEstimate",
    "PoweredMean",
    "cluster_freedom",
    "difference_of_means",
    "powered_mean",
]

FEWEST = 10
"""With fewer outcomes there is no interval."""

_FOLDS = 10
_SAME = 1e-12
Codes = NDArray[np.intp]


@dataclass(frozen=True)
class MeanEstimate:
    """A mean and its interval.

    Attributes
    ----------
    value : float
        nan where no row has an outcome.
    interval : Interval
        Unknown where too few rows have an outcome.
    variance : float
        Of the value.
    freedom : float
        The degrees of freedom of the variance.
    """

    value: float
    interval: Interval
    variance: float
    freedom: float


NO_MEAN = MeanEstimate(math.nan, UNKNOWN, math.nan, 0.0)


@dataclass(frozen=True)
class PoweredMean(Result):
    """The mean outcome of all rows, from outcomes alone and with the help of scores.

    Attributes
    ----------
    rows, labelled : int
        All rows, and those with an outcome.
    units : int
        What varies independently: rows with an outcome, or their clusters.
    classical, powered : MeanEstimate
        From the outcomes alone, and with the scores.
    tuning : float
        The mean factor λ of the scores; 0 where they are not used.
    correlation : float
        Pearson's r of score and outcome; nan where either does not vary.
    worth : float
        How many rows with an outcome would be worth as much without scores: at most all rows,
        which leave no doubt, unless the mean is that of all rows there could be.
    gain : float
        By what the scores divide the variance. If outcomes could be had of any number of rows, one
        would be worth as many.
    """

    rows: int
    labelled: int
    units: int
    classical: MeanEstimate
    powered: MeanEstimate
    tuning: float
    correlation: float
    worth: float
    gain: float

    def grids(self) -> list[Grid]:
        """Both means with their intervals."""
        estimates = (("outcomes alone", self.classical), ("with scores", self.powered))
        cells = tuple((name, one.value, one.interval) for name, one in estimates)
        columns = ("mean outcome by", Column("value", digits=3), Column("interval", digits=3))
        return [Grid("", columns, cells)]

    def table(self) -> Grid:
        """One record, with both means."""
        names = ("rows", "labelled", "units", "classical", "powered")
        more = ("tuning", "correlation", "worth")
        means = (
            Estimate(one.value, one.interval, UNKNOWN) for one in (self.classical, self.powered)
        )
        cells = (self.rows, self.labelled, self.units, *means)
        return Grid("", (*names, *more), ((*cells, *(getattr(self, name) for name in more)),))

    def notes(self) -> list[str]:
        """How many rows have an outcome, and what the scores are worth."""
        return [
            f"{self.labelled:,} of {count_text(self.rows, 'row')} have an outcome, which are worth "
            f"{number_text(self.worth, digits=0)} with the scores",
            f"r of score and outcome {number_text(self.correlation, digits=3)}; "
            f"λ {number_text(self.tuning, digits=3)}",
        ]


def powered_mean(
    outcome: ArrayLike,
    score: ArrayLike | None,
    *,
    clusters: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    probabilities: ArrayLike | None = None,
    batches: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    beyond: bool = False,
    level: float = 0.95,
    folds: int = _FOLDS,
) -> PoweredMean:
    """The mean outcome of all rows, where only some have an outcome and all have a score.

    Parameters
    ----------
    outcome : array of length n
        nan for a row without one.
    score : array of length n, or None
        Any prediction of the outcome; its scale does not matter. A row without one (nan) counts as
        average. None for the outcomes alone.
    clusters : array of length n, optional
        Rows that vary together, such as those of one task.
    strata : array of length n, optional
        Parts of the rows whose sizes are known; the mean is that of their means. A stratum with
        fewer than two outcomes is joined with others of the kind.
    probabilities : array of length n, optional
        With which each row with an outcome was drawn; nan where all rows had the same.
    batches : array of length n, optional
        The number of the draw; a row drawn in a later batch was not drawn before. Rows without a
        probability are batch 0, by default, and all others batch 1.
    weights : array of length n, optional
        How much each row counts in the mean; 1 by default.
    beyond : bool
        Whether the mean is that of all rows there could be, of which these are a sample. By
        default it is that of these rows, and certain once every row has an outcome.
    level : float
        Of the intervals.
    folds : int
        λ is fitted on all but one of them and applied to that one.

    Examples
    --------
    >>> random = np.random.default_rng(0)
    >>> passed = (random.random(2000) < 0.3).astype(float)
    >>> score = passed + random.normal(size=2000) / 2
    >>> tested = np.where(np.arange(2000) < 100, passed, np.nan)
    >>> found = powered_mean(tested, score)
    >>> f"{found.powered.value:.3f} (truth {passed.mean():.3f}), worth {found.worth:.0f} rows"
    '0.266 (truth 0.302), worth 170 rows'
    """
    rows = _rows_of(outcome, score, clusters, strata, probabilities, batches, weights, level)
    return _PoweredMean(rows, beyond=beyond, level=level, folds=folds).result()


@dataclass(frozen=True, eq=False)
class _Part:
    """Rows with an outcome that were drawn alike, and what their mean stands for.

    `share` is its part of the estimate, `center` the mean score that its rows were drawn from, and
    `known` what is already known of the mean it estimates.
    """

    places: Codes  # among the rows with an outcome
    share: float
    center: float
    known: float


@dataclass(frozen=True, eq=False)
class _Rows:
    """All rows: scores without gaps, and the rows with an outcome by their places."""

    score: Floats
    weights: Floats
    tested: Codes
    outcome: Floats  # of the tested
    probabilities: Floats  # of the tested
    clusters: Codes | None
    strata: Codes  # of all rows; 0 where there are none
    batches: Codes  # of the tested

    @property
    def parts(self) -> list[_Part]:
        """What the estimate is composed of: strata, or batches."""
        return self._strata() if self.strata.any() else self._batches()

    def _strata(self) -> list[_Part]:
        total = self.weights.sum()
        number = int(self.strata.max()) + 1
        sizes = np.bincount(self.strata, self.weights, number)
        sums = np.bincount(self.strata, self.weights * self.score, number)
        of_tested = self.strata[self.tested]
        return [
            _Part(np.flatnonzero(of_tested == i), sizes[i] / total, sums[i] / sizes[i], 0.0)
            for i in range(number)
            if sizes[i] > 0
        ]

    def _batches(self) -> list[_Part]:
        parts = []
        total, left = self.weights.sum(), self.weights
        known = 0.0
        for batch in np.unique(self.batches):
            places = np.flatnonzero(self.batches == batch)
            share = len(places) / len(self.tested)
            rest = left.sum()
            center = float(left @ self.score / rest) if rest > 0 else 0.0
            parts.append(_Part(places, share * rest / total, center, share * known / total))
            chosen = self.tested[places]
            known += float(self.weights[chosen] @ self.outcome[places])
            left = left.copy()
            left[chosen] = 0.0
        return parts


def _rows_of(
    outcome: ArrayLike,
    score: ArrayLike | None,
    clusters: ArrayLike | None,
    strata: ArrayLike | None,
    probabilities: ArrayLike | None,
    batches: ArrayLike | None,
    weights: ArrayLike | None,
    level: float,
) -> _Rows:
    """Check the columns of :func:`powered_mean`."""
    if not 0 < level < 1:
        raise CodekinError(f"the level of an interval must be between 0 and 1, not {level!r}")
    known = np.asarray(outcome, np.float64)
    scores, known, weighing = columns_of(
        score=np.zeros(known.shape) if score is None else score,
        outcome=known,
        weights=np.ones(known.shape) if weights is None else check_weights(weights),
    )
    tested = np.flatnonzero(np.isfinite(known))
    drawn = np.full(len(tested), np.nan)
    if probabilities is not None:
        [given] = columns_of(probabilities=probabilities)
        drawn = given[tested]
        wrong = np.isfinite(drawn) & ~((drawn > 0) & (drawn <= 1))
        if wrong.any():
            at = int(np.argmax(wrong))
            raise CodekinError(
                f"the probability of row {int(tested[at]) + 1} is {drawn[at]:g}; probabilities of "
                "rows that were drawn are above 0 and at most 1"
            )
    alike = ~np.isfinite(drawn)
    batch = np.where(alike, 0, 1)
    if batches is not None:
        numbers = np.asarray(batches, np.float64)[tested]
        batch = np.where(np.isfinite(numbers), numbers, batch).astype(np.intp)
    if strata is not None and not alike.all():
        raise CodekinError(
            "rows drawn with unequal probabilities cannot be stratified as well; leave out the "
            "strata"
        )
    if not np.isfinite(scores).all():
        seen = scores[np.isfinite(scores)]
        scores = np.where(np.isfinite(scores), scores, seen.mean() if len(seen) else 0.0)
    parts = np.zeros(len(known), np.intp)
    if strata is not None:
        parts = _joined_strata(np.unique(np.asarray(strata), return_inverse=True)[1], tested)
    drawn = _equal_probabilities(drawn, alike, batch, parts, tested)
    return _Rows(
        score=scores,
        weights=weighing,
        tested=tested,
        outcome=known[tested],
        probabilities=drawn,
        clusters=None
        if clusters is None
        else np.unique(np.asarray(clusters), return_inverse=True)[1],
        strata=parts,
        batches=batch,
    )


def _joined_strata(strata: Codes, tested: Codes) -> Codes:
    """Strata with fewer than two outcomes as one, together with the next larger if need be."""
    counts = np.bincount(strata[tested], minlength=int(strata.max(initial=-1)) + 1)
    order = np.argsort(counts, kind="stable")
    few = int((counts < 2).sum())
    while 0 < few < len(order) and counts[order[:few]].sum() < 2:
        few += 1
    number = np.empty(len(order), np.intp)
    number[order[:few]] = 0
    number[order[few:]] = np.arange(len(order) - few) + (1 if few else 0)
    joined: Codes = number[strata]
    return joined


def _equal_probabilities(
    drawn: Floats, alike: NDArray[np.bool_], batch: Codes, strata: Codes, tested: Codes
) -> Floats:
    """The probabilities, with those of rows that were drawn alike: their share of the rows."""
    drawn = drawn.copy()
    if strata.any():
        share = np.bincount(strata[tested], minlength=int(strata.max()) + 1) / np.maximum(
            np.bincount(strata), 1
        )
        drawn[alike] = share[strata[tested]][alike]
        return drawn
    for one in np.unique(batch[alike]):
        here = batch == one
        before = int((batch < one).sum())
        drawn[here & alike] = here.sum() / (len(strata) - before)
    return drawn


@dataclass(frozen=True, eq=False)
class _Clusters:
    """Clusters of rows, and how much of the estimate each of them is.

    `shares` has all clusters and sums to 1; `number` of them were tested. `left` is the part of
    the variance that is left because others were not.
    """

    shares: Floats
    number: int
    left: float

    @property
    def room(self) -> Floats:
        """By what the square of each cluster's residual is too small, since its mean was fitted."""
        room: Floats = np.maximum(1 - self.shares, _SAME)
        return room

    @property
    def effective(self) -> float:
        """How many clusters of equal size would say as much."""
        return 1 / float(self.shares @ self.shares)

    @property
    def freedom(self) -> float:
        """Bell and McCaffrey's degrees of freedom, for clusters whose rows are all alike."""
        return min(cluster_freedom(self.shares[self.shares > 0]), self.number - 1.0)

    def cautious(self, variance: float, mean: float) -> float:
        """The variance of a rate, allowing for clusters of a kind that was not drawn."""
        rate = min(max(mean, 0.0), 1.0)
        alike = rate * (1 - rate) * float(self.shares**2 @ (1 / self.room)) * self.left
        missed: float = rate**self.effective + (1 - rate) ** self.effective
        return variance + max(0.0, alike - variance) * min(missed, 1.0)


def cluster_freedom(shares: ArrayLike) -> float:
    """Degrees of freedom of the variance of a mean of clusters whose rows are all alike [5]_.

    Parameters
    ----------
    shares : array
        The share of each cluster in the mean; they sum to 1.

    Examples
    --------
    >>> round(cluster_freedom([0.1] * 10), 6)
    9.0
    >>> round(cluster_freedom([0.55] + [0.05] * 9), 6)
    1.279152
    """
    [share] = columns_of(shares=shares)
    if len(share) < 2:
        return 0.0
    # The matrix M of the quadratic form is diagonal but for two columns; freedom = tr(M)²/tr(M²).
    room = np.maximum(1 - share, _SAME)
    diagonal = share**2 / room
    a, b = share**2 / np.sqrt(room), share / np.sqrt(room)
    square = float(share @ share)
    rest = square * b**2 - 2 * a * b
    of_a, of_b, of_both = float(a @ a), float(b @ b), float(a @ b)
    outer = 2 * (of_a * of_b + of_both**2) - 4 * square * of_both * of_b + (square * of_b) ** 2
    norm = float(diagonal @ diagonal + 2 * diagonal @ rest) + outer
    return round(float((diagonal + rest).sum()) ** 2 / norm, 9) if norm > 0 else 0.0


class _PoweredMean:
    """The computation of :func:`powered_mean`."""

    def __init__(self, rows: _Rows, *, beyond: bool, level: float, folds: int) -> None:
        self._rows = rows
        self._beyond = beyond
        self._level = level
        self._folds = folds
        self._parts = rows.parts
        self._draw = rows.weights[rows.tested] / rows.probabilities
        self._part_of = np.zeros(len(rows.tested), np.intp)
        for i, part in enumerate(self._parts):
            self._part_of[part.places] = i
        centers = np.array([part.center for part in self._parts])
        self._centered = rows.score[rows.tested] - (centers[self._part_of] if len(centers) else 0.0)
        self._clusters = None if rows.clusters is None else self._tested_clusters(rows.clusters)

    def _tested_clusters(self, clusters: Codes) -> _Clusters:
        rows = self._rows
        totals = np.bincount(self._part_of, self._draw, len(self._parts))
        parts = np.array([part.share for part in self._parts])
        shares = (parts / np.maximum(totals, _SAME))[self._part_of] * self._draw
        every = np.bincount(clusters)
        tested = np.bincount(clusters[rows.tested], minlength=len(every))
        there = tested > 0
        left = 1.0
        if not self._beyond and (every == tested)[there].all():
            left = 1 - float(there.sum()) / len(every)  # whole clusters leave only the others
        sums = np.bincount(clusters[rows.tested], shares, len(every))
        return _Clusters(sums / max(float(sums.sum()), _SAME), int(there.sum()), left)

    def result(self) -> PoweredMean:
        """Both estimates, and what the scores are worth."""
        rows = self._rows
        number = len(rows.tested)
        if not number:
            return PoweredMean(len(rows.score), 0, 0, NO_MEAN, NO_MEAN, 0.0, math.nan, 0.0, 1.0)
        units, freedom = number, float(number - len(self._parts))
        plain, variance = self._estimate(np.zeros(number))
        spread = self._spread(plain)
        if self._clusters is not None:
            units, freedom = self._clusters.number, self._clusters.freedom
            if self._binary:
                variance = self._clusters.cautious(variance, plain)
        classical = self._interval(plain, variance, spread, freedom)
        tuning = self._tuning()
        value, powered_variance = self._estimate(tuning)
        # One surprise more than was seen; without it, few rows promise too much.
        alone = float(units)
        if rows.clusters is not None and variance > 0:
            # Rows of a cluster are worth less than their number, and more than one.
            alone = min(max(alone, spread / variance), float(number))
        surprise = 1 / (alone * spread + 1) if self._binary else 4 / (alone + 4)
        powered_variance += max(0.0, variance - powered_variance) * surprise
        powered = classical
        if tuning.any():
            # Scores leave the few clusters about which they are wrong, and so heavy tails.
            freedom = self._freedom(tuning)
            powered = self._interval(value, powered_variance, spread, freedom)
        gain = variance / powered_variance if tuning.any() and powered_variance > 0 else 1.0
        return PoweredMean(
            rows=len(rows.score),
            labelled=number,
            units=units,
            classical=classical,
            powered=powered,
            tuning=float(tuning.mean()),
            correlation=_correlation(rows.score[rows.tested], rows.outcome, self._draw),
            worth=self._worth(gain),
            gain=gain,
        )

    def _worth(self, gain: float) -> float:
        """How many rows with an outcome would be worth as much without scores.

        The variance of the mean of m rows among n is proportional to 1/m - 1/n.
        """
        number, rows = len(self._rows.tested), len(self._rows.score)
        if gain == 1:
            return float(number)
        certain = 0.0 if self._beyond else 1 / rows
        return 1 / ((1 / number - certain) / gain + certain)

    @property
    def _binary(self) -> bool:
        return bool(((self._rows.outcome == 0) | (self._rows.outcome == 1)).all())

    def _spread(self, mean: float) -> float:
        """The variance of a single outcome."""
        number = len(self._rows.outcome)
        if self._binary:
            return mean * (1 - mean) * number / max(1, number - 1)
        about = self._rows.outcome - mean
        return float(self._draw @ about**2 / self._draw.sum()) * number / max(1, number - 1)

    def _interval(
        self, value: float, variance: float, spread: float, freedom: float
    ) -> MeanEstimate:
        shown = min(max(value, 0.0), 1.0) if self._binary else value
        if len(self._rows.outcome) < min(FEWEST, len(self._rows.score)) or (
            freedom < 1 and variance > 0
        ):
            return MeanEstimate(shown, UNKNOWN, variance, freedom)
        if self._binary and spread <= _SAME:
            # All alike: as many rows as there are, whatever their variance seems to be.
            number = float(len(self._rows.outcome))
            left = 1.0 if self._beyond else 1 - number / len(self._rows.score)
            if self._clusters is not None:  # and as many clusters, if those were tested
                number, left = self._clusters.effective, self._clusters.left
            interval = rate_interval(value, left / number, 1.0, freedom, self._level)
        elif self._binary:
            interval = rate_interval(value, variance, spread, freedom, self._level)
        else:
            reach = (
                student_quantile(freedom, self._level) * math.sqrt(variance)
                if variance > 0
                else 0.0
            )
            interval = Interval(value - reach, value + reach)
        return MeanEstimate(shown, interval, variance, freedom)

    def _tuning(self) -> Floats:
        """λ of each row with an outcome, from the rows of the other folds.

        It minimizes the variance of the estimate: a regression of outcome on score within the
        parts, in which rows count by how much they add to that variance.
        """
        rows = self._rows
        number = len(rows.tested)
        none = np.zeros(number)
        if np.ptp(rows.outcome) == 0 or np.ptp(self._centered) <= _SAME:
            return none
        unit = np.arange(number)
        if rows.clusters is not None:
            unit = np.unique(rows.clusters[rows.tested], return_inverse=True)[1]
        folds = min(self._folds, int(unit.max()) + 1)
        if folds < 2:
            return none
        fold, parts = unit % folds, len(self._parts)
        shares = np.array([part.share for part in self._parts])[self._part_of]
        totals = np.bincount(self._part_of, self._draw, parts)[self._part_of]
        force = (shares * self._draw / totals) ** 2
        open_ended = 1 - rows.probabilities
        if not self._beyond and open_ended.any():
            force = force * open_ended
        x, y = self._centered, rows.outcome
        cell = fold * parts + self._part_of

        def others(values: Floats) -> Floats:
            """Sums over the rows of all other folds, by fold and part."""
            sums = np.bincount(cell, values, folds * parts).reshape(folds, parts)
            left: Floats = sums.sum(axis=0) - sums
            return left

        weight, of_x, of_y = others(force), others(force * x), others(force * y)
        with np.errstate(divide="ignore", invalid="ignore"):
            means = np.where(weight > 0, of_x / weight, 0.0)
            both = (others(force * x * y) - means * of_y).sum(axis=1)
            square = (others(force * x * x) - means * of_x).sum(axis=1)
        enough = square > _SAME * others(force * x * x).sum(axis=1)
        tuning: Floats = np.where(enough, both / np.where(enough, square, 1.0), 0.0)[fold]
        if not self._beyond:
            # The more rows are tested, the less the folds differ: the mean of all rows is exact.
            mean = tuning.mean()
            tuning = mean + (1 - number / len(rows.score)) * (tuning - mean)
        return tuning

    def _estimate(self, tuning: Floats) -> tuple[float, float]:
        """The mean with these λ, and its variance."""
        rows = self._rows
        residual = rows.outcome - tuning * self._centered
        parts = len(self._parts)
        draw = np.bincount(self._part_of, self._draw, parts)
        counts = np.bincount(self._part_of, minlength=parts)
        sums = np.bincount(self._part_of, self._draw * residual, parts)
        means = np.divide(sums, draw, out=np.zeros(parts), where=draw > 0)
        shares = np.array([part.share for part in self._parts])
        value = float(shares @ means) + math.fsum(part.known for part in self._parts)
        scale = shares
        if self._clusters is None or parts > 1:  # else clusters make room for the mean themselves
            scale = np.sqrt(counts / np.maximum(counts - 1, 1)) * shares
        scale = np.divide(scale, draw, out=np.zeros(parts), where=draw > 0)
        influence = scale[self._part_of] * self._draw * (residual - means[self._part_of])
        if rows.clusters is None and not self._beyond:
            return value, float(influence**2 @ (1 - rows.probabilities))
        everywhere = np.zeros(len(rows.score))
        if self._beyond:
            everywhere = self._of_scores(float(tuning.mean()))
        everywhere[rows.tested] += influence
        if rows.clusters is None:
            return value, float(everywhere @ everywhere)
        assert self._clusters is not None
        summed = np.bincount(rows.clusters, everywhere)
        return value, float(summed @ (summed / self._clusters.room)) * self._clusters.left

    def _freedom(self, tuning: Floats) -> float:
        """Degrees of freedom of the variance with these λ."""
        clusters, rows = self._clusters, self._rows
        if clusters is None or rows.clusters is None:
            return float(len(rows.tested) - len(self._parts))
        residual = (rows.outcome - tuning * self._centered) * self._draw
        of_tested = rows.clusters[rows.tested]
        sums = np.bincount(of_tested, residual, len(clusters.shares))
        draws = np.bincount(of_tested, self._draw, len(clusters.shares))
        there = clusters.shares > 0
        # What single rows do is the business of Wilson's interval.
        rows_each = len(rows.tested) / max(clusters.number, 1)
        tails = (1 - 1 / rows_each) * max(0.0, _kurtosis(sums[there] / draws[there]))
        fewest = min(2.0, clusters.freedom)
        return max(2 / (2 / max(clusters.freedom, _SAME) + tails / clusters.number), fewest)

    def _of_scores(self, tuning: float) -> Floats:
        """What each row adds to the mean score of all."""
        rows = self._rows
        number = int(rows.strata.max(initial=0)) + 1
        sizes = np.maximum(np.bincount(rows.strata, rows.weights, number), _SAME)
        centers = np.bincount(rows.strata, rows.weights * rows.score, number) / sizes
        part: Floats = tuning * rows.weights * (rows.score - centers[rows.strata])
        part /= rows.weights.sum()
        return part


def _kurtosis(values: Floats) -> float:
    """The excess kurtosis, without the bias of small samples; 0 where it is not defined."""
    n = len(values)
    about = values - values.mean()
    spread = float(about @ about) / n
    if n < 4 or spread <= _SAME:
        return 0.0
    excess = float((about**4).mean()) / spread**2 - 3
    return (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * excess + 6)


def _correlation(score: Floats, outcome: Floats, weights: Floats) -> float:
    """Pearson's r, weighted."""
    total = weights.sum()
    x, y = score - weights @ score / total, outcome - weights @ outcome / total
    spread = math.sqrt(float(weights @ x**2) * float(weights @ y**2))
    return float(weights @ (x * y)) / spread if spread > _SAME * total else math.nan


def difference_of_means(first: MeanEstimate, second: MeanEstimate) -> MeanEstimate:
    """The difference of two independent means, first minus second.

    Its interval is made of theirs, and as asymmetric as they are [4]_.

    Examples
    --------
    >>> first = MeanEstimate(0.5, Interval(0.4, 0.6), 0.0025, 99)
    >>> second = MeanEstimate(0.2, Interval(0.13, 0.29), 0.0016, 99)
    >>> interval = difference_of_means(first, second).interval
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.165, 0.422)
    """
    value = first.value - second.value
    variance, freedom = first.variance + second.variance, first.freedom + second.freedom
    if math.isnan(first.interval.low) or math.isnan(second.interval.low):
        return MeanEstimate(value, UNKNOWN, variance, freedom)
    below = math.hypot(first.value - first.interval.low, second.interval.high - second.value)
    above = math.hypot(first.interval.high - first.value, second.value - second.interval.low)
    return MeanEstimate(value, Interval(value - below, value + above), variance, freedom)
