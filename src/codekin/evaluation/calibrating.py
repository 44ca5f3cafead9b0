"""calibrate: fit the probability of an outcome given scores, and judge it on held-out rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from codekin._version import __version__
from codekin.errors import CodekinError
from codekin.evaluation.calibration import (
    CalibratedMeasure,
    Calibration,
    CalibrationDataset,
    CalibrationFeature,
    CalibrationJudgement,
    Matrix,
    judged_chances,
    standardised,
)
from codekin.evaluation.calibration_file import FORMAT
from codekin.evaluation.fitted_rows import fitted_rows, row_digests
from codekin.evaluation.score_shift import ScoreShift, score_shift
from codekin.evaluation.score_values import ScoreValues, read_score_values
from codekin.evaluation.scored_outcomes import scored_run
from codekin.evaluation.scored_runs import first_problem, needs_kind, refuse_one_outcome, run_at
from codekin.measures import given_measures, measure_label
from codekin.results import count_text
from codekin.runs.run import Run, RunMeasure
from codekin.statistics.correlation import correlation_matrix
from codekin.statistics.outcome_probability import LogisticFit, fit_clustered_logistic, task_folds

__all__ = ["ChanceModel", "LabelledScores", "calibrate", "labelled_scores"]

_FEWEST_ROWS = 30
_FEWEST_TASKS = 10
_AT_AN_END = 10
"""Rows at the end of a scale, and away from it, that it takes to treat that end by itself."""
_SHIFTING = 3
"""Datasets that it takes to say how much datasets differ."""
_FOLDS = 10
_POINTS = 20

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class LabelledScores:
    """Rows with an outcome and a score by every measure, one per position of every array.

    Attributes
    ----------
    columns : dict
        By measure and part; see :class:`codekin.evaluation.score_values.ScoreValues`.
    label : array of bool
        Whether the outcome is 1.
    tasks, of_dataset : array of int
    """

    columns: dict[tuple[str, str | None], Floats]
    label: Labels
    tasks: Codes
    of_dataset: Codes

    def only(self, places: Any) -> LabelledScores:
        """Some of the rows."""
        return LabelledScores(
            {key: values[places] for key, values in self.columns.items()},
            *(one[places] for one in (self.label, self.tasks, self.of_dataset)),
        )


def calibrate(
    rows: Any,
    measures: Any = None,
    *,
    parts: bool = False,
    task: str = "reference",
    name: str = "calibration",
    level: float = 0.95,
    seed: int = 0,
    **job: Any,
) -> Calibration:
    """Fit the probability of an outcome given scores, and judge it on rows that were held out.

    Parameters
    ----------
    rows : rows of any kind, a run, or several of them
        Rows with an ``outcome`` of 0 or 1. Several paths or runs, or a mapping from names to rows,
        are several datasets, each of which is also predicted from the others.
    measures : str, Measure, any object with a ``score``, or a sequence of them
        Whose scores are taken; of a run, all that it has by default.
    parts : bool
        Whether to take the parts of the scores as well.
    task : str
        The field that names the task of a row; by default, rows with the same references and
        origin are one task.
    name : str
        Of the calibration.
    level : float
        Of the intervals.
    seed : int
        Of the folds and of the bootstrap.
    **job
        As for :func:`codekin.score`: `workers`, `executor`, `columns` and so on.

    Returns
    -------
    Calibration
        :meth:`Calibration.to_json` writes it to a file for :func:`load_calibration`.

    Examples
    --------
    >>> rows = [
    ...     {"candidate": f"x = {i * i % 7}", "reference": f"x = {i * i % 7 // 3 * 2}",
    ...      "language": "python", "task": i // 3, "outcome": int(i * i % 7 // 3 * 2 == i * i % 7)}
    ...     for i in range(90)
    ... ]
    >>> found = calibrate(rows, "nes", task="task", workers=0)
    >>> round(found.judgements[0].auc, 6), [one.name for one in found.features]
    (1.0, ['nes', 'nes = 1'])
    """
    if not 0 < level < 1:
        raise CodekinError(f"level must be between 0 and 1, such as 0.95, not {level:g}")
    given = _datasets(rows)
    with ExitStack() as stack:
        runs = {}
        for one, its_rows in given.items():
            runs[one] = run_at(its_rows) or stack.enter_context(
                scored_run(its_rows, measures, None, False, **job)
            )
            needs_kind(runs[one], ["outcomes", None], "rows with outcomes")
        chosen = _measures(runs, measures)
        data, datasets = labelled_scores(runs, chosen, parts, task)
        fitted = fitted_rows([_digests(run, chosen) for run in runs.values()])
    _check(data)
    fit = ChanceModel(tuple(chosen))
    judgements, shift = _judge(data, [one.name for one in datasets], fit, level, seed)
    features, found = fit.fitted(data)
    return Calibration(
        format=FORMAT,
        version=__version__,
        name=name,
        measures=tuple(_correlated(one, data) for one in chosen),
        features=features,
        coefficients=tuple(found.coefficients.tolist()),
        covariance=_plain(found.covariance),
        curvature=_plain(found.curvature),
        freedom=found.freedom,
        shift=shift,
        task=task,
        level=level,
        datasets=tuple(datasets),
        judgements=tuple(judgements),
        fitted_rows=fitted,
    )


def _correlated(one: CalibratedMeasure, data: LabelledScores) -> CalibratedMeasure:
    """The measure with the correlation of its scores and the outcomes."""
    r = correlation_matrix([data.columns[one.label, None], data.label])[0, 1]
    return replace(one, correlation=float(r) if np.isfinite(r) else None)


def _digests(run: Run, measures: Sequence[CalibratedMeasure]) -> npt.NDArray[np.uint64] | None:
    """Of the rows with an outcome and a score by every measure."""
    labels = [one.label for one in measures]
    scores = read_score_values(run, labels, parts=False)
    usable = np.isfinite(scores.outcome) & scores.scored(labels)
    return row_digests(run, np.flatnonzero(usable))


def _plain(matrix: Floats) -> Matrix:
    return tuple(map(tuple, matrix.tolist()))


def _datasets(rows: Any) -> dict[str, Any]:
    """The rows of each dataset by its name."""
    if isinstance(rows, Mapping):
        return dict(rows)
    several = isinstance(rows, list | tuple) and all(
        isinstance(one, str | Path | Run) for one in rows
    )
    given = list(rows) if several and rows else [rows]
    found: dict[str, Any] = {}
    for one in given:
        word = "rows"
        if isinstance(one, Run):
            word = one.name
        elif isinstance(one, str | Path):
            word = Path(one).resolve().name.partition(".")[0] if str(one) != "-" else "stdin"
        number, unique = 2, word
        while unique in found:
            unique, number = f"{word} {number}", number + 1
        found[unique] = one
    return found


def _measures(runs: Mapping[str, Run], measures: Any) -> list[CalibratedMeasure]:
    """The measures that are taken, which must be the same in all runs."""
    first, *others = runs.values()
    wanted = given_measures(measures)
    labels = [one.label for one in first.measures]
    if wanted is not None:
        labels = [measure_label(one) for one in wanted]
    chosen = [_named(first, label) for label in labels]
    for other in others:
        for one in chosen:
            its = _named(other, one.label)
            if its.signature != one.signature:
                raise CodekinError(
                    f"{other.path}: was scored by {its.signature}, and {first.path} by "
                    f"{one.signature}; score both in the same way"
                )
    return [CalibratedMeasure(one.label, one.signature, one.distance) for one in chosen]


def _named(run: Run, label: str) -> RunMeasure:
    for one in run.measures:
        if one.label == label:
            return one
    known = ", ".join(one.label for one in run.measures)
    raise CodekinError(f"{run.path}: was not scored by {label!r} (it has: {known})")


def labelled_scores(
    runs: Mapping[str, Run], measures: Sequence[CalibratedMeasure], parts: bool, task: str
) -> tuple[LabelledScores, list[CalibrationDataset]]:
    """The rows of datasets that have an outcome and all scores, and what is known about each.

    Parameters
    ----------
    runs : mapping of str to Run
        By the name of the dataset.
    measures : sequence of CalibratedMeasure
    parts : bool
        Whether to take the parts of the scores as well.
    task : str
        The field that names the task of a row.
    """
    labels = [one.label for one in measures]
    read, datasets, before = [], [], 0
    for number, (name, run) in enumerate(runs.items()):
        scores = read_score_values(run, labels, parts=parts)
        outcome = scores.outcome
        known = np.isfinite(outcome)
        if not np.isin(outcome[known], (0.0, 1.0)).all():
            wrong = outcome[known & ~np.isin(outcome, (0.0, 1.0))][0]
            raise CodekinError(
                f"{name}: a probability is that of an outcome of 1 instead of 0, and a row has "
                f"{wrong:g}; give each row an 'outcome' of 0 or 1"
            )
        usable = known & scores.scored(labels)
        tasks = np.unique([str(one) for one in _tasks_of(run, task)], return_inverse=True)[1]
        languages = sorted({scores.languages[place] or "" for place in np.flatnonzero(usable)})
        if not known.any():
            raise CodekinError(
                f"{name}: no row has an outcome; give rows an 'outcome' of 0 or 1, or name the "
                "column that has it, as --columns outcome=NAME or columns={'outcome': NAME}"
                f"{first_problem(run)}"
            )
        if not usable.any():
            raise CodekinError(
                f"{name}: no row with an outcome has a score by {' and '.join(labels)}"
                f"{first_problem(run)}"
            )
        datasets.append(
            CalibrationDataset(
                name=name,
                rows=int(usable.sum()),
                tasks=len(np.unique(tasks[usable])),
                left_out=int((~usable).sum()),
                rate=float(outcome[usable].mean()),
                languages=tuple(languages),
                shifts=_shifts(measures, scores, known, tasks),
            )
        )
        one = LabelledScores(
            scores.values, outcome == 1, tasks + before, np.full(len(outcome), number)
        )
        read.append(one.only(usable))
        before += len(outcome)
    keys = dict.fromkeys(key for one in read for key in one.columns)
    whole = {
        key: np.concatenate([one.columns.get(key, np.full(len(one.label), np.nan)) for one in read])
        for key in keys
    }
    rest = zip(*((one.label, one.tasks, one.of_dataset) for one in read), strict=True)
    return LabelledScores(whole, *map(np.concatenate, rest)), datasets


def _shifts(
    measures: Sequence[CalibratedMeasure], scores: ScoreValues, known: Labels, tasks: Codes
) -> tuple[ScoreShift, ...]:
    """Whether rows with an outcome differ from the others in their scores.

    Tasks are compared if most have outcomes for all of their rows or for none.
    """
    if known.all():
        return ()
    tested, every = np.bincount(tasks, known), np.bincount(tasks)
    whole = every > 1
    mixed = whole & (tested > 0) & (tested < every)
    together = tasks if 2 * mixed.sum() < whole.sum() else None
    return tuple(
        score_shift(one.label, scores.values[one.label, None], known, together) for one in measures
    )


def _tasks_of(run: Run, task: str) -> Iterator[str]:
    """The task of each row; a row without one is its own."""
    for place, one in enumerate(run.labels_of(task)):
        yield f"row {place}" if one is None else f"task {one}"


def _check(data: LabelledScores) -> None:
    """Refuse rows from which nothing can be learned."""
    rows, tasks = len(data.label), len(np.unique(data.tasks))
    refuse_one_outcome(data.label.astype(np.float64), "a calibration")
    if rows < _FEWEST_ROWS:
        raise CodekinError(
            f"{rows} rows with an outcome say too little; test at least {_FEWEST_ROWS}, and better "
            "some hundreds"
        )
    if tasks < _FEWEST_TASKS:
        raise CodekinError(
            f"the rows are of {count_text(tasks, 'task')}, and a calibration is judged on tasks "
            f"that it has not seen; give rows of at least {_FEWEST_TASKS}, or name another field "
            "that says which rows belong together (task)"
        )


@dataclass(frozen=True)
class ChanceModel:
    """How to fit probabilities to rows.

    Attributes
    ----------
    measures : tuple of CalibratedMeasure
    """

    measures: tuple[CalibratedMeasure, ...]

    def fitted(self, data: LabelledScores) -> tuple[tuple[CalibrationFeature, ...], LogisticFit]:
        """The features and the regression."""
        features = _features(self.measures, data.columns)
        standard = standardised(features, data.columns)
        return features, fit_clustered_logistic(standard, data.label, data.tasks)

    def log_odds(self, train: LabelledScores, test: LabelledScores) -> Floats:
        """The log odds of rows from a model of others."""
        _need_both(train.label)
        features, fit = self.fitted(train)
        return fit.log_odds(standardised(features, test.columns))


def _need_both(label: Labels) -> None:
    if label.all() or not label.any():
        raise CodekinError(
            f"without the rows that are held out, all rows have the outcome {int(label[0])}; give "
            "more rows with the other one"
        )


def _judge(
    data: LabelledScores, names: Sequence[str], model: ChanceModel, level: float, seed: int
) -> tuple[list[CalibrationJudgement], float | None]:
    """How the model does on held-out tasks and datasets, and how much datasets differ."""
    log_odds = np.zeros(len(data.label))
    folds = task_folds(data.tasks, min(_FOLDS, len(np.unique(data.tasks))), seed)
    for fold in np.unique(folds):
        here = folds == fold
        log_odds[here] = model.log_odds(data.only(~here), data.only(here))
    order = model.log_odds(data, data)
    found = [judged_chances("task", None, log_odds, data.label, data.tasks, level, order, seed)]
    if len(names) == 1:
        return found, None
    places = [data.of_dataset == number for number in range(len(names))]
    for name, here in zip(names, places, strict=True):
        rows = (log_odds[here], data.label[here], data.tasks[here])
        found.append(judged_chances("task", name, *rows, level, order[here], seed))
    offsets = []
    for name, here in zip(names, places, strict=True):
        test = data.only(here)
        its = model.log_odds(data.only(~here), test)
        rows = (its, test.label, test.tasks)
        found.append(judged_chances("dataset", name, *rows, level, seed=seed))
        offsets.append(found[-1].offset)
    shift = float(np.sqrt(np.mean(np.square(offsets)))) if len(names) >= _SHIFTING else None
    return found, shift


def _features(
    measures: Sequence[CalibratedMeasure], columns: Mapping[tuple[str, str | None], Floats]
) -> tuple[CalibrationFeature, ...]:
    """What is taken of each score and part, as far as it varies and most rows have it."""
    distances = {one.label: one.distance for one in measures}
    found = []
    for (label, part), values in columns.items():
        seen = values[~np.isnan(values)]
        if 2 * len(seen) <= len(values):
            continue
        count = distances[label] if part is None else bool(seen.min() >= 0 and seen.max() > 1)
        forms = ["log" if count else "value"]
        if part is None:
            forms += [
                form
                for form, at in (("one", 1.0), ("zero", 0.0))
                if (form == "zero" or not count)
                and min(np.sum(seen == at), np.sum(seen != at)) >= _AT_AN_END
            ]
        found += [one for form in forms if (one := _feature(label, part, form, values)) is not None]
    if not found:
        raise CodekinError(
            f"all scores by {', '.join(distances)} are equal, so they say nothing of the outcome"
        )
    return tuple(found)


def _feature(label: str, part: str | None, form: str, values: Floats) -> CalibrationFeature | None:
    bare = CalibrationFeature(label, part, form, 0.0, 1.0, (), ())
    numbers = bare.of(values)
    numbers = np.sort(numbers[~np.isnan(numbers)])
    scale = float(numbers.std())
    if scale < 1e-9:
        return None
    at = np.round(np.linspace(0, 1, _POINTS + 1) * (len(numbers) - 1)).astype(np.intp)
    points = np.unique(numbers[at])
    shares = np.searchsorted(numbers, points, "right") / len(numbers)
    return CalibrationFeature(
        label,
        part,
        form,
        float(numbers.mean()),
        scale,
        tuple(points.tolist()),
        tuple(shares.tolist()),
    )
