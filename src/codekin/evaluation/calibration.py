"""Calibration: the probability of an outcome given scores, and how far it can be trusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from codekin.evaluation.fitted_rows import FittedRows
from codekin.evaluation.judgement import inverted_warnings
from codekin.evaluation.score_shift import ScoreShift, unlikely
from codekin.evaluation.score_values import ScoreValues
from codekin.results import (
    EFFECT_DIGITS,
    OPTIONAL,
    Column,
    Finite,
    Grid,
    GridColumns,
    Interval,
    Level,
    Point,
    Result,
    Scatter,
    Section,
    ShownAs,
    count_text,
    interval_text,
    named,
    percent_text,
    recorded,
)
from codekin.runs.conclusions import listed
from codekin.statistics.classification import area_under_curve
from codekin.statistics.correlation import correlation_interval
from codekin.statistics.logistic import logistic
from codekin.statistics.outcome_probability import (
    LogisticFit,
    ReliabilityBin,
    brier_score,
    calibration_error,
    chance_error,
    equal_bins,
    log_odds_offset,
    reliability_bins,
)
from codekin.statistics.probability_bootstrap import probability_judgement_intervals

__all__ = [
    "CalibratedMeasure",
    "Calibration",
    "CalibrationDataset",
    "CalibrationFeature",
    "CalibrationJudgement",
    "Matrix",
    "judged_chances",
    "standardised",
]

_FEW_TASKS = 30
"""With fewer tasks there is a warning."""
_ERROR = 0.05
_TIMES_CHANCE = 3
"""A calibration error beyond both says that probabilities do not fit outcomes."""
_PER_COEFFICIENT = 10
"""With fewer rows of the rarer outcome per coefficient there is a warning."""

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.intp]


@dataclass(frozen=True)
class CalibratedMeasure:
    """A measure whose scores a calibration takes.

    Attributes
    ----------
    label, signature : str
    distance : bool
        Whether small scores mean similar.
    correlation : float or None
        Pearson's r of score and outcome over the fitted rows; None if it is not known.
    """

    label: str
    signature: str
    distance: bool
    correlation: float | None = field(default=None, metadata=OPTIONAL)


@dataclass(frozen=True)
class CalibrationFeature:
    """A number that is computed from the scores of a row.

    Attributes
    ----------
    measure : str
        Its label.
    part : str or None
        The part of the score; None for the score itself.
    form : str
        ``value``, ``log`` (the logarithm of 1 and the value), or whether the value is ``one`` or
        ``zero``.
    mean, scale : float
        Of the rows that it was fitted on; the mean takes the place of a missing part.
    points, shares : tuple of float
        The share of these rows whose number is at most each of the points.
    """

    measure: str
    part: str | None
    form: str
    mean: Finite
    scale: Finite
    points: tuple[Finite, ...]
    shares: tuple[Finite, ...]

    @property
    def name(self) -> str:
        """Its name for people."""
        whole = self.measure if self.part is None else f"{self.measure} {self.part}"
        return {"value": whole, "log": f"log {whole}", "one": f"{whole} = 1"}.get(
            self.form, f"{whole} = 0"
        )

    def of(self, values: Floats) -> Floats:
        """The numbers of values, not standardised; nan where a value is missing."""
        if self.form == "value":
            return values
        if self.form == "log":
            return np.log1p(np.maximum(values, 0.0))
        at = 1.0 if self.form == "one" else 0.0
        return np.where(np.isnan(values), np.nan, values == at)


@dataclass(frozen=True)
class CalibrationDataset:
    """Rows that a calibration was fitted on.

    Attributes
    ----------
    name : str
    rows, tasks, left_out : int
        Those it was fitted on, and rows without an outcome or a score.
    rate : float
        The share of outcomes that are 1.
    languages : tuple of str
    shifts : tuple of ScoreShift
        Whether rows with an outcome differ from the others in their scores, by measure; empty
        where all rows have an outcome.
    """

    name: str
    rows: int
    tasks: int
    left_out: int
    rate: Finite
    languages: tuple[str, ...]
    shifts: tuple[ScoreShift, ...]


@dataclass(frozen=True)
class CalibrationJudgement:
    """How well probabilities hold on rows that they were not fitted on.

    Attributes
    ----------
    held_out : str
        ``task`` if other tasks of the dataset were seen, ``dataset`` if none of its rows was.
    dataset : str or None
        None for all rows.
    rows, tasks : int
    rate, predicted : float
        The rate of outcomes, and the mean probability.
    brier, base : float
        The Brier score, and that of a constant probability, the rate.
    error, chance : float
        The expected calibration error, and what chance alone would make of it.
    auc : float
        The chance that a row with outcome 1 has the higher probability.
    offset : float
        What must be added to the log odds to meet the rate.
    brier_ci, error_ci, auc_ci : Interval
        By bootstrap over tasks.
    bins : tuple of ReliabilityBin
    """

    held_out: str
    dataset: str | None
    rows: int
    tasks: int
    rate: float
    predicted: float
    brier: float
    base: float
    error: float
    chance: float
    auc: float
    offset: float
    brier_ci: Interval
    error_ci: Interval
    auc_ci: Interval
    bins: tuple[ReliabilityBin, ...]

    @property
    def fits(self) -> bool:
        """Whether probabilities fit the outcomes, as far as chance lets one tell."""
        return not self.error > max(_ERROR, _TIMES_CHANCE * self.chance)

    @property
    def verdict(self) -> str:
        """Whether the probabilities can be trusted on such rows."""
        figures = (
            f"Brier {self.brier:.3f} against {self.base:.3f} of the rate alone, calibration error "
            f"{self.error:.3f} ({self.chance:.3f} by chance)"
        )
        where = "other tasks of these data"
        if self.held_out == "dataset":
            where = f"{self.dataset}, predicted from the other data"
        if self.brier >= self.base:
            return f"The probabilities say no more than the rate alone on {where}: {figures}."
        if not self.fits:
            return f"The probabilities are off on {where}: {figures}."
        return f"The probabilities can be trusted on {where}: {figures}."


Matrix = tuple[tuple[Finite, ...], ...]


@dataclass(frozen=True)
class Calibration(Result):
    """What scores say of outcomes: a model as plain numbers, and how it was judged.

    Attributes
    ----------
    format : int
        Of the file.
    version : str
        Of codekin.
    name : str
    measures : tuple of CalibratedMeasure
    features : tuple of CalibrationFeature
    coefficients : tuple of float
        Of the log odds, for standardised features, the intercept last.
    covariance, curvature : tuple of tuples of float
        Of the coefficients: robust to rows of a task that vary together, and of independent rows.
    freedom : float
        Degrees of freedom of the covariance.
    shift : float or None
        The standard deviation of log odds between datasets, each predicted from the others; None
        for fewer than three datasets.
    task : str
        The field that names the task of a row.
    level : float
        Of the intervals.
    datasets : tuple of CalibrationDataset
    judgements : tuple of CalibrationJudgement
    fitted_rows : FittedRows or None
        By which rows that it was fitted on are recognized; None if they are not known.
    """

    versioned = False

    format: int
    version: str = field(metadata=named("codekin"))
    name: str
    measures: tuple[CalibratedMeasure, ...]
    features: tuple[CalibrationFeature, ...]
    coefficients: tuple[Finite, ...]
    covariance: Matrix
    curvature: Matrix
    freedom: Finite
    shift: float | None
    task: str
    level: Level
    datasets: tuple[CalibrationDataset, ...]
    judgements: tuple[CalibrationJudgement, ...]
    fitted_rows: FittedRows | None = field(default=None, metadata=OPTIONAL)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of the rows that it was fitted on."""
        return tuple(dict.fromkeys(name for one in self.datasets for name in one.languages))

    @property
    def tasks(self) -> int:
        """The tasks that it was fitted on."""
        return sum(one.tasks for one in self.datasets)

    def fit(self) -> LogisticFit:
        """The logistic regression."""
        matrices = (np.array(self.covariance), np.array(self.curvature))
        return LogisticFit(np.array(self.coefficients), *matrices, self.freedom)

    def columns(self, scores: ScoreValues) -> Floats:
        """What the logistic regression takes of rows."""
        return standardised(self.features, scores)

    def grids(self) -> list[Grid]:
        """How it was judged, its probabilities beside the rates, and its features."""
        return [self._judged(), self._reliability(), self._features()]

    def _judged(self) -> Grid:
        columns: GridColumns = (
            *("held out", "dataset", "rows", "tasks"),
            Column("rate", digits=EFFECT_DIGITS),
            Column("mean p", "predicted", digits=EFFECT_DIGITS),
            Column("Brier", "brier", digits=EFFECT_DIGITS),
            Column(percent_text(self.level), "brier_ci", digits=EFFECT_DIGITS, beneath=True),
            Column("rate alone", "base", digits=EFFECT_DIGITS),
            Column("ECE", "error", digits=EFFECT_DIGITS),
            Column(percent_text(self.level), "error_ci", digits=EFFECT_DIGITS, beneath=True),
            Column("by chance", "chance", digits=EFFECT_DIGITS),
            Column("AUC", "auc", digits=EFFECT_DIGITS),
            Column(percent_text(self.level), "auc_ci", digits=EFFECT_DIGITS, beneath=True),
            *recorded("offset"),
        )
        cells = tuple(
            (
                one.held_out,
                one.dataset or ShownAs(None, "all rows"),
                *(one.rows, one.tasks, one.rate, one.predicted, one.brier, one.brier_ci, one.base),
                *(one.error, one.error_ci, one.chance, one.auc, one.auc_ci, one.offset),
            )
            for one in self.judgements
        )
        labels = ", ".join(one.label for one in self.measures)
        title = f"{self.name}: probability of the outcome by {labels} (logistic)"
        return Grid(title, columns, cells, keys=2)

    def _reliability(self) -> Grid:
        columns: GridColumns = (
            Column("p", digits=EFFECT_DIGITS),
            *("rows", "tasks"),
            Column("mean p", "predicted", digits=EFFECT_DIGITS),
            Column("rate", "observed", digits=EFFECT_DIGITS),
            Column(percent_text(self.level), "interval", digits=EFFECT_DIGITS),
        )
        cells = tuple(
            (
                Interval(one.low, one.high),
                *(one.rows, one.tasks, one.predicted, one.observed, one.interval),
            )
            for one in self.judgements[0].bins
        )
        return Grid("Probabilities of held-out tasks beside the rates", columns, cells)

    def _features(self) -> Grid:
        columns: GridColumns = (
            "feature",
            Column("mean", digits=EFFECT_DIGITS),
            Column("deviation", "scale", digits=EFFECT_DIGITS),
            Column("weight", digits=EFFECT_DIGITS, sign=True),
            *recorded("measure", "part", "form"),
        )
        cells = tuple(
            (term.name, term.mean, term.scale, weight, term.measure, term.part, term.form)
            for term, weight in zip(self.features, self.coefficients, strict=False)
        )
        return Grid("Features", columns, cells)

    def section(self) -> Section:
        """The tables, with a reliability diagram of each judgement."""
        figures = tuple(_diagram(one, self.level) for one in self.judgements)
        judged, reliability, of_features = self.grids()
        text = (
            "How often the outcome was 1 among rows with about the same probability. Dots on the "
            "dashed line are right."
        )
        return Section(
            f"What scores by {listed(one.label for one in self.measures)} say of the outcome",
            content=(judged,),
            parts=(
                Section("Reliability", text, content=(*figures, reliability)),
                Section("Features", content=(of_features,), folded=True),
            ),
        )

    def conclusion(self) -> list[str]:
        """Whether its probabilities can be trusted, on other tasks and on other data."""
        whole, *others = self.judgements
        unseen = [one for one in others if one.held_out == "dataset"]
        if not unseen:
            return [whole.verdict]
        worst = max(unseen, key=lambda one: (one.brier >= one.base, one.error))
        return [whole.verdict, worst.verdict]

    def notes(self) -> list[str]:
        """What a probability is, and what its interval allows for."""
        rows = sum(one.rows for one in self.datasets)
        notes = [
            f"fitted on {count_text(rows, 'row')} of {count_text(self.tasks, 'task')} in "
            f"{', '.join(self.languages)}, judged on rows that were held out",
        ]
        left_out = sum(one.left_out for one in self.datasets)
        if left_out:
            notes.append(f"left out: {count_text(left_out, 'row')} without an outcome or a score")
        if len(self.datasets) == 1:
            notes.append("one dataset only: how well it holds on other data is unknown")
        elif self.shift is None:
            notes.append(
                "two datasets cannot say how much datasets differ: intervals of p hold for data "
                "like these"
            )
        else:
            notes.append(
                f"the log odds of a dataset that was not seen are off by {self.shift:.2f} (root "
                "mean square); intervals of p allow for that"
            )
        notes.append(
            "probabilities beside the rates: bins of rows in the order of the fit to all rows; "
            "their p is from fits without their task, so ranges of p may overlap; rate: the share "
            "of outcome 1, with its interval, which is unknown for a single task"
        )
        notes.append(
            f"{percent_text(self.level)} intervals by bootstrap over tasks; that of the ECE allows "
            "for the part of it that is chance"
        )
        return notes

    def warnings(self) -> list[str]:
        """Why its probabilities may be worth little."""
        warnings = []
        rarer = sum(one.rows * min(one.rate, 1 - one.rate) for one in self.datasets)
        size = len(self.features)
        if rarer < _PER_COEFFICIENT * size:
            warnings.append(
                f"only {rarer:.0f} rows have the rarer outcome, for {count_text(size, 'feature')}; "
                "test more rows, or take fewer measures or no parts"
            )
        if self.tasks < _FEW_TASKS:
            warnings.append(
                f"the rows are of only {count_text(self.tasks, 'task')}; intervals from fewer than "
                f"{_FEW_TASKS} hold roughly"
            )
        warnings += inverted_warnings(
            (
                # The rows of a task count as one.
                (
                    one.label,
                    r := -known if one.distance else known,
                    correlation_interval(r, self.tasks),
                )
                for one in self.measures
                if (known := one.correlation) is not None
            ),
            binary=True,
        )
        for data in self.datasets:
            warnings += [
                f"{data.name}: the rows with an outcome differ from the others in their scores by "
                f"{one.text}: p and how it was judged hold for rows like those that were tested; "
                "test rows drawn at random (codekin plan)"
                for one in unlikely(data.shifts)
            ]
        for one in self.judgements:
            if one.brier >= one.base:
                where = one.dataset or "these rows"
                warnings.append(
                    f"{where}: with the {one.held_out} held out, the scores say no more than the "
                    f"rate (Brier {one.brier:.3f}, the rate alone {one.base:.3f})"
                )
        return warnings


def _diagram(one: CalibrationJudgement, level: float) -> Scatter:
    points = tuple(
        Point(
            each.predicted,
            each.observed,
            f"p {each.predicted:.3f}: rate {each.observed:.3f} "
            f"{interval_text(each.interval, digits=3)} of {count_text(each.rows, 'row')}",
            interval=each.interval,
        )
        for each in one.bins
    )
    return Scatter(
        title=one.dataset or "all rows",
        tag=f"{one.held_out} held out",
        caption=f"ECE {one.error:.3f}, Brier {one.brier:.3f}; intervals at {percent_text(level)}",
        points=points,
        axes=("mean p", "rate"),
        diagonal=True,
    )


def standardised(
    features: Sequence[CalibrationFeature],
    columns: ScoreValues | Mapping[tuple[str, str | None], Floats],
) -> Floats:
    """Features of rows with mean 0 and deviation 1, and 0 where a part is missing."""
    values = columns.values if isinstance(columns, ScoreValues) else columns
    some = next(iter(values.values()))
    standard = np.zeros((len(some), len(features)))
    for place, one in enumerate(features):
        given = values.get((one.measure, one.part))
        if given is not None:
            numbers = (one.of(given) - one.mean) / one.scale
            standard[:, place] = np.where(np.isnan(numbers), 0.0, numbers)
    return standard


def judged_chances(
    held_out: str,
    dataset: str | None,
    log_odds: Floats,
    label: Labels,
    tasks: Codes,
    level: float,
    order: Floats | None = None,
    seed: int = 0,
    resamples: int = 2000,
) -> CalibrationJudgement:
    """Judge the log odds of rows by their outcomes; `order` may decide the bins of rows."""
    chances = logistic(log_odds)
    rate = float(label.mean())
    bins = reliability_bins(chances, label, tasks, order=order, level=level)
    places = equal_bins(chances if order is None else order)
    sure = probability_judgement_intervals(
        chances, label, places, tasks, resamples=resamples, seed=seed, level=level
    )
    return CalibrationJudgement(
        held_out=held_out,
        dataset=dataset,
        rows=len(label),
        tasks=len(np.unique(tasks)),
        rate=rate,
        predicted=float(chances.mean()),
        brier=brier_score(chances, label),
        base=rate * (1 - rate),
        error=calibration_error(bins),
        chance=chance_error(bins),
        auc=area_under_curve(chances, label),
        offset=log_odds_offset(log_odds, label),
        brier_ci=sure.brier,
        error_ci=sure.error,
        auc_ci=sure.auc,
        bins=bins,
    )
