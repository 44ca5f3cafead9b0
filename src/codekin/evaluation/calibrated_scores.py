"""apply_calibration: the probability of the outcome of each row of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from codekin.errors import CodekinError
from codekin.evaluation.calibration import (
    CalibratedMeasure,
    Calibration,
    CalibrationFeature,
    CalibrationJudgement,
    judged_chances,
)
from codekin.evaluation.calibration_file import load_calibration
from codekin.evaluation.fitted_rows import row_digests
from codekin.evaluation.score_values import ScoreValues, read_score_values
from codekin.results import (
    EFFECT_DIGITS,
    LEFT_OUT,
    OPTIONAL,
    Column,
    Grid,
    GridColumns,
    Interval,
    Level,
    Result,
    ShownAs,
    as_document,
    count_text,
    finite,
    percent_text,
)
from codekin.runs.run import Run
from codekin.runs.summaries import NO_GROUP, GroupChance, as_run, clusters_of, numbered, unfinished
from codekin.statistics.logistic import logistic
from codekin.statistics.outcome_probability import (
    LogisticFit,
    distribution_distance,
    distribution_limit,
    probability_interval,
)

__all__ = [
    "CalibratedScores",
    "FeatureDrift",
    "apply_calibration",
    "feature_drifts",
    "signature_warnings",
]

Floats = npt.NDArray[np.float64]

_FLOOR = 0.15
"""Distributions that differ by less are alike for every purpose, however many rows there are."""
_FEWEST = 20
"""With fewer rows, distributions are not compared."""
_NAMED = 3


@dataclass(frozen=True)
class FeatureDrift:
    """How the rows of a run differ from those that a calibration was fitted on.

    Attributes
    ----------
    feature : str
    distance : float
        The largest difference of the cumulative distributions.
    limit : float
        Beyond which it is reported: chance, or 0.15 if that is more.
    """

    feature: str
    distance: float
    limit: float


@dataclass(frozen=True, eq=False)
class CalibratedScores(Result):
    """The probability of the outcome of each row of a run.

    Attributes
    ----------
    run, calibration : str
        Their names.
    complete : bool
        Whether every row of the input is in the run.
    rows : int
    level : float
        Of the intervals.
    beyond : bool
        Whether intervals allow for differences between datasets.
    groups : tuple of GroupChance
        All rows first.
    drifts : tuple of FeatureDrift
        Of all features, the largest excess first.
    languages : tuple of str
        Those that the calibration has not seen.
    versions : tuple of str
        What differs in the signatures of measures.
    fitted : int or None
        Rows with an outcome that the calibration was fitted on, about that many if `sampled`; None
        if that is not known.
    sampled : bool
        Whether only some of the rows that it was fitted on can be recognized.
    held_out_judgement : CalibrationJudgement
        How it was judged on rows that were held out when it was made.
    judgement : CalibrationJudgement or None
        By the outcomes of rows that the calibration was not fitted on, if both outcomes occur. If
        `fitted` is None, it may have been fitted on them, and the judgement is then too good.
    p, low, high : array
        nan for rows without a score.
    """

    run: str
    calibration: str
    complete: bool
    rows: int
    level: Level
    beyond: bool
    groups: tuple[GroupChance, ...]
    drifts: tuple[FeatureDrift, ...]
    languages: tuple[str, ...]
    versions: tuple[str, ...]
    fitted: int | None
    sampled: bool
    held_out_judgement: CalibrationJudgement = field(metadata=LEFT_OUT)
    judgement: CalibrationJudgement | None = field(metadata=OPTIONAL)
    p: Floats = field(metadata=LEFT_OUT)
    low: Floats = field(metadata=LEFT_OUT)
    high: Floats = field(metadata=LEFT_OUT)

    def grids(self) -> list[Grid]:
        """The expected rate of each group."""
        columns: GridColumns = (
            Column("group", shown=len(self.groups) > 1),
            "rows",
            Column("failed", optional=True),
            Column("mean p", "p", digits=EFFECT_DIGITS),
            Column(percent_text(self.level), "interval", digits=EFFECT_DIGITS),
        )
        cells = tuple(
            (one.group or ShownAs(None, "all rows"), one.rows, one.failed, one.p, one.interval)
            for one in self.groups
        )
        return [Grid(f"{self.run}: expected rate by {self.calibration}", columns, cells)]

    def notes(self) -> list[str]:
        """What the intervals allow for, and how probabilities compare with outcomes."""
        notes = [
            "intervals allow for differences between datasets"
            if self.beyond
            else "intervals hold for data like those of the calibration, not for other datasets"
        ]
        if self.fitted:
            notes.append(self._fitted_note(self.fitted))
        if self.judgement is not None:
            one = self.judgement
            which = "other row" if self.fitted else "row"
            notes.append(
                f"{count_text(one.rows, which)} with an outcome: rate {one.rate:.3f}, mean p "
                f"{one.predicted:.3f}, Brier {one.brier:.3f} (rate alone {one.base:.3f}), "
                f"ECE {one.error:.3f}, AUC {one.auc:.3f}"
            )
            if self.fitted is None:
                notes.append(
                    f"the rows that {self.calibration} was fitted on are not known; if these are "
                    "among them, the figures are too good"
                )
        return notes

    def _fitted_note(self, fitted: int) -> str:
        """Which rows cannot judge the calibration, and what does."""
        about = "about " if self.sampled else ""
        one = self.held_out_judgement
        return (
            f"{self.calibration} was fitted on {about}{fitted:,} of these rows, which therefore "
            f"cannot judge it; with the {one.held_out} held out, it had Brier {one.brier:.3f} "
            f"(rate alone {one.base:.3f}), ECE {one.error:.3f}, AUC {one.auc:.3f}"
        )

    @property
    def drifted(self) -> tuple[FeatureDrift, ...]:
        """The features whose distribution differs from that of the calibration."""
        return tuple(one for one in self.drifts if one.distance > one.limit)

    def warnings(self) -> list[str]:
        """Why the probabilities may not hold here."""
        warnings = [] if self.complete else [unfinished(self.run, self.rows)]
        warnings += self.versions
        if self.languages:
            warnings.append(
                f"{self.calibration} has not seen rows in {', '.join(self.languages)}; their p may "
                "be far off"
            )
        drifted = self.drifted
        if drifted:
            shown = ", ".join(f"{one.feature} by {one.distance:.2f}" for one in drifted[:_NAMED])
            more = f" and {len(drifted) - _NAMED} more" if len(drifted) > _NAMED else ""
            warnings.append(
                f"these rows are unlike those of {self.calibration} (the distributions differ: "
                f"{shown}{more}); its p may not hold: test some rows, and compare them with p or "
                "calibrate on them"
            )
        one = self.judgement
        if one is not None and not one.fits:
            warnings.append(
                f"p does not fit the {count_text(one.rows, 'row')} with an outcome: their rate is "
                f"{one.rate:.3f}, their mean p {one.predicted:.3f}, and the calibration error "
                f"{one.error:.3f} ({one.chance:.3f} by chance); calibrate on them"
            )
        return warnings


def apply_calibration(
    run: Run | str | Path,
    calibration: Calibration | str | Path,
    *,
    keep: bool = False,
    resamples: int = 2000,
) -> CalibratedScores:
    """The probability of the outcome of each row of a run, with an interval.

    Parameters
    ----------
    run : Run, str or Path
        Scored by the measures of the calibration; nothing is scored again.
    calibration : Calibration, str or Path
        Or the file of one.
    keep : bool
        Whether to write the probabilities into the folder of the run, where
        :meth:`Run.to_pandas` finds them as the columns ``p``, ``p_low`` and ``p_high``.
    resamples : int
        For the intervals of the judgement by outcomes; with 0 it has none, and takes less time.

    Examples
    --------
    >>> from codekin.evaluation.calibrating import calibrate
    >>> from codekin.runs.scoring import score
    >>> rows = [
    ...     {"candidate": "x = 1" if i % 3 else "y = 2", "reference": "x = 1", "task": i // 2}
    ...     | {"language": "python", "outcome": int(i % 3 > 0 or i % 9 == 0)}
    ...     for i in range(90)
    ... ]
    >>> run = score(rows, "nes", workers=0)
    >>> apply_calibration(run, calibrate(run, task="task")).p[:3].round(2).tolist()
    [0.35, 0.99, 0.99]
    """
    run = as_run(run)
    if not isinstance(calibration, Calibration):
        calibration = load_calibration(calibration)
    versions = signature_warnings(calibration, run)
    labels = [one.label for one in calibration.measures]
    parts = any(one.part is not None for one in calibration.features)
    scores = read_score_values(run, labels, parts=parts)
    there = scores.scored(labels)
    fit = calibration.fit()
    columns = (
        calibration.columns(scores) if len(there) else np.zeros((0, len(fit.coefficients) - 1))
    )
    log_odds = fit.log_odds(columns)
    ends = probability_interval(
        log_odds,
        fit.variances(columns),
        fit.freedom,
        shift=calibration.shift or 0.0,
        datasets=len(calibration.datasets),
        level=calibration.level,
    )
    p, low, high = (np.where(there, one, np.nan) for one in (logistic(log_odds), *ends))

    def group(name: str | None, chosen: npt.NDArray[np.bool_]) -> GroupChance:
        usable = chosen & there
        mean, interval = _mean(calibration, fit, columns[usable], p[usable])
        failed = int(chosen.sum() - usable.sum())
        return GroupChance(name, int(chosen.sum()), failed, mean, interval)

    codes, names = numbered(scores.groups)
    groups = [group(None, np.ones(len(there), bool))]
    if len(names) > 1:
        groups += [
            group(NO_GROUP if one is None else one, codes == i) for i, one in enumerate(names)
        ]
    tasks = _tasks(run, calibration.task)
    judging, fitted = _not_fitted_on(run, calibration, scores, there)
    found = CalibratedScores(
        run=run.name,
        calibration=calibration.name,
        complete=run.complete,
        rows=len(there),
        level=calibration.level,
        beyond=calibration.shift is not None,
        groups=tuple(groups),
        drifts=tuple(
            feature_drifts(
                calibration.features,
                calibration.tasks,
                {key: values[there] for key, values in scores.values.items()},
                tasks[there],
            )
        ),
        languages=_unseen(calibration, scores, there),
        versions=tuple(versions),
        fitted=fitted,
        sampled=calibration.fitted_rows is not None and calibration.fitted_rows.every > 1,
        held_out_judgement=calibration.judgements[0],
        judgement=_judgement(scores, log_odds, judging, tasks, calibration.level, resamples),
        p=p,
        low=low,
        high=high,
    )
    if keep:
        run.keep_chances(p, low, high, _note(found, calibration))
    return found


def _note(found: CalibratedScores, calibration: Calibration) -> dict[str, Any]:
    """What a run keeps about its probabilities: means, warnings, and where they come from."""
    whole = found.groups[0]
    return {
        "calibration": calibration.name,
        "level": calibration.level,
        "mean": finite(whole.p),
        "ends": as_document(whole.interval) or [None, None],
        "groups": [as_document(one) for one in found.groups],
        "warnings": found.warnings(),
        "notes": found.notes(),
        "card": {
            "codekin": calibration.version,
            "measures": [one.label for one in calibration.measures],
            "datasets": [as_document(one) for one in calibration.datasets],
            "judgements": [
                {name: each for name, each in as_document(one).items() if name != "bins"}
                for one in calibration.judgements
            ],
            "notes": calibration.notes(),
        },
    }


def _unseen(
    calibration: Calibration, scores: ScoreValues, there: npt.NDArray[np.bool_]
) -> tuple[str, ...]:
    """The languages of scored rows that the calibration has not seen."""
    languages = {scores.languages[place] or "?" for place in np.flatnonzero(there)}
    return tuple(sorted(languages - {*calibration.languages}))


def _tasks(run: Run, task: str) -> npt.NDArray[np.intp]:
    """The tasks of rows, by their references where they do not have the field."""
    try:
        return clusters_of(run.labels_of(task))
    except CodekinError:
        return clusters_of(run.labels_of("reference"))


def _not_fitted_on(
    run: Run, calibration: Calibration, scores: ScoreValues, there: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.bool_], int | None]:
    """Which scored rows may judge the calibration, and how many with an outcome may not."""
    usable = there & np.isfinite(scores.outcome)
    rows = calibration.fitted_rows
    digests = None if rows is None else row_digests(run, np.flatnonzero(usable))
    if rows is None or digests is None:
        return there, None
    known = np.zeros(len(there), bool)
    known[usable] = rows.among(digests)
    fitted = int(known.sum()) * rows.every
    # Where only some of them can be recognized, what is left has others.
    return (there & ~known if rows.every == 1 or not fitted else np.zeros_like(there)), fitted


def _judgement(
    scores: ScoreValues,
    log_odds: Floats,
    there: npt.NDArray[np.bool_],
    tasks: npt.NDArray[np.intp],
    level: float,
    resamples: int,
) -> CalibrationJudgement | None:
    usable = there & np.isin(scores.outcome, (0.0, 1.0))
    label = scores.outcome[usable] == 1
    if not label.any() or label.all():
        return None
    return judged_chances(
        "dataset", None, log_odds[usable], label, tasks[usable], level, resamples=resamples
    )


def _mean(
    calibration: Calibration, fit: LogisticFit, columns: Floats, p: Floats
) -> tuple[float, Interval]:
    """The mean probability of rows with its interval, from that of its log odds."""
    if not len(p):
        return float("nan"), Interval(float("nan"), float("nan"))
    mean = float(p.mean())
    slopes = p * (1 - p)
    spread = max(mean * (1 - mean), 1e-12)
    # The gradient of the mean's log odds by the coefficients; a shift moves all rows together.
    gradient = np.append((slopes[:, None] * columns).mean(0), slopes.mean()) / spread
    variance = max(float(gradient @ one @ gradient) for one in (fit.covariance, fit.curvature))
    # Even if every probability is right, the rate of this many rows varies by chance.
    variance += float(slopes.mean()) / len(p) / spread**2
    odds = np.array([np.log(max(mean, 1e-12) / max(1 - mean, 1e-12))])
    low, high = probability_interval(
        odds,
        np.array([variance]),
        fit.freedom,
        shift=(calibration.shift or 0.0) * float(slopes.mean()) / spread,
        datasets=len(calibration.datasets),
        level=calibration.level,
    )
    return mean, Interval(float(low[0]), float(high[0]))


def feature_drifts(
    features: Sequence[CalibrationFeature],
    fitted_tasks: int,
    columns: Mapping[tuple[str, str | None], Floats],
    tasks: npt.NDArray[np.intp],
) -> list[FeatureDrift]:
    """How the distribution of each feature differs from that of the rows it was fitted on.

    The distance is that of Kolmogorov and Smirnov, and its limit counts tasks instead of rows,
    since rows of a task are alike. Empty for fewer than 20 rows.

    Parameters
    ----------
    features : sequence of CalibrationFeature
    fitted_tasks : int
        The tasks that they were fitted on.
    columns : mapping
        The values of rows by measure and part.
    tasks : array
        The tasks of these rows.
    """
    if len(tasks) < _FEWEST:
        return []
    by_chance = distribution_limit(len(np.unique(tasks)), fitted_tasks, len(features))
    limit = max(_FLOOR, by_chance)
    found = []
    for one in features:
        values = columns.get((one.measure, one.part))
        numbers = np.empty(0) if values is None else one.of(values)
        numbers = numbers[~np.isnan(numbers)]
        if len(numbers):
            # Rounding must not move a value across a point.
            points = np.array(one.points) + 1e-9
            distance = distribution_distance(points, np.array(one.shares), numbers)
            found.append(FeatureDrift(one.name, distance, limit))
    return sorted(found, key=lambda one: -one.distance)


def signature_warnings(calibration: Calibration, run: Run) -> list[str]:
    """Warn of measures by another version; refuse other measures."""
    known = {one.label: one.signature for one in run.measures}
    gone = [one.label for one in calibration.measures if one.label not in known]
    if gone:
        every = ",".join(one.label for one in calibration.measures)
        raise CodekinError(
            f"{calibration.name} takes the scores by {', '.join(gone)}, which {run.path} does not "
            f"have (it has: {', '.join(known)}); score the rows with --measure {every}"
        )
    return _compared(calibration.name, calibration.measures, known)


def _compared(name: str, measures: Sequence[CalibratedMeasure], known: dict[str, str]) -> list[str]:
    warnings = []
    for one in measures:
        (what, _, was), (here, _, now) = (
            text.rpartition("|codekin-") for text in (one.signature, known[one.label])
        )
        if what != here:
            raise CodekinError(
                f"{name} was fitted on scores by {one.signature}, and these are by "
                f"{known[one.label]}; score the rows in the same way, or calibrate again"
            )
        if was != now:
            warnings.append(
                f"{name} was fitted on scores by codekin {was}, and {one.label} is by codekin "
                f"{now}; if its scores changed, p is off"
            )
    return warnings
