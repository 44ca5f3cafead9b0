"""pass_rates: how often each system passes its tests, and which measures follow them.

Several samples of a task are not independent, so every interval here resamples or counts whole
tasks. The rate of a system is the mean over tasks, as the harnesses compute pass@1; pass@k is the
unbiased estimator of Chen et al. (2021) in each task.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from codekin.errors import CodekinError
from codekin.results import (
    EFFECT_DIGITS,
    UNKNOWN,
    Column,
    Grid,
    GridColumns,
    Interval,
    Level,
    Result,
    ShownAs,
    count_text,
    measure_cell,
    named,
    number_text,
    percent_text,
)
from codekin.runs.columns import to_numpy
from codekin.runs.conclusions import listed, p_words
from codekin.runs.run import MeasureScores, Run, read_scores
from codekin.statistics.association import pearson_of
from codekin.statistics.bootstrap import bootstrap
from codekin.statistics.paired import holm
from codekin.statistics.prediction_powered import (
    MeanEstimate,
    difference_of_means,
    powered_mean,
)
from codekin.statistics.ranks import rank_statistics
from codekin.statistics.resampling import Floats

__all__ = [
    "MeasureAgreement",
    "PassAt",
    "PassDifference",
    "PassRates",
    "SystemOutcomes",
    "SystemPassRate",
    "distances_of",
    "pass_at_k",
    "rate_systems",
    "task_field",
    "tested_systems",
]

PASS_AT = (1, 5, 10)
"""k of pass@k, where tasks have as many samples."""
_MOST_COMPARED = 20
"""With more systems, only their rates are computed."""
_SHARED = 0.8
"""The share of tasks that two systems must have in common to be compared task by task."""
_RESAMPLES, _SEED = 2000, 0
_MOST_SPELLED = 4
Codes = NDArray[np.intp]


@dataclass(frozen=True)
class PassAt:
    """The chance that at least one of k samples of a task passes.

    Attributes
    ----------
    k : int
    value : float
        The mean over tasks of the unbiased estimator.
    interval : Interval
        For tasks of the same kind.
    """

    k: int
    value: float
    interval: Interval


@dataclass(frozen=True)
class SystemPassRate:
    """How a system did in its tests.

    Attributes
    ----------
    name : str
    rows, tested : int
        Its rows, and those with an outcome.
    tasks : int
        Of the tested rows.
    fewest, most : int
        Tested rows per task.
    rates : tuple of PassAt
        pass@1 first; of outcomes other than 0 and 1 the mean outcome alone, as k = 1.
    """

    name: str = field(metadata=named("system"))
    rows: int
    tested: int
    tasks: int
    fewest: int
    most: int
    rates: tuple[PassAt, ...]

    @property
    def rate(self) -> PassAt:
        """pass@1."""
        return self.rates[0]


@dataclass(frozen=True)
class PassDifference:
    """The difference of two systems in pass@1, first minus second.

    Attributes
    ----------
    first, second : str
    tasks : int or None
        By which they are paired; None if they were tested on other tasks.
    value : float
    interval : Interval
    p : float
        Two-sided.
    p_holm : float
        Corrected for all pairs of systems.
    """

    first: str
    second: str
    tasks: int | None
    value: float
    interval: Interval
    p: float
    p_holm: float


@dataclass(frozen=True)
class MeasureAgreement:
    """How far the scores of a measure follow the tests.

    Attributes
    ----------
    label : str
    distance : bool
        Whether small scores mean alike; its sign is turned.
    rows : int
        With a score and an outcome.
    correlation : float
        Pearson's r of score and outcome; nan where either does not vary.
    interval : Interval
        Of r, with tasks drawn as wholes.
    auc : float
        The probability that a row that passes scores above one that does not; nan unless outcomes
        are 0 and 1.
    """

    label: str = field(metadata=named("measure"))
    distance: bool
    rows: int
    correlation: float
    interval: Interval
    auc: float


@dataclass(frozen=True)
class PassRates(Result):
    """The tests of the systems of a run, and how far measures follow them.

    Attributes
    ----------
    binary : bool
        Whether every outcome is 0 or 1.
    task : str
        The field that says which rows are of one task.
    level : float
        Of the intervals.
    systems : tuple of SystemPassRate
        As given.
    differences : tuple of PassDifference
        Of the system with the best rate and each of the others, the nearest first.
    agreements : tuple of MeasureAgreement
        In the order of the measures.
    """

    computed: ClassVar[Mapping[str, str]] = {"conclusion": "sentences"}

    binary: bool
    task: str
    level: Level
    systems: tuple[SystemPassRate, ...]
    differences: tuple[PassDifference, ...]
    agreements: tuple[MeasureAgreement, ...]

    @property
    def rate_name(self) -> str:
        """What the rate of a system is called."""
        return "pass@1" if self.binary else "mean outcome"

    @property
    def best(self) -> SystemPassRate:
        """The system with the best rate, the first of equals."""
        return max(self.systems, key=lambda system: system.rate.value)

    def grids(self) -> list[Grid]:
        """The rates, the differences from the best, and the measures that follow them."""
        found = [self._rates()]
        if self.differences:
            found.append(self._differences())
        if self.agreements:
            found.append(self._agreements())
        return found

    def table(self) -> Grid:
        """A record per system and k."""
        columns = ("system", "rows", "tested", "tasks", "k", "value", "interval")
        cells = tuple(
            (system.name, system.rows, system.tested, system.tasks, at.k, at.value, at.interval)
            for system in self.systems
            for at in system.rates
        )
        return Grid("", columns, cells)

    def _rates(self) -> Grid:
        level = percent_text(self.level)
        number = max(len(system.rates) for system in self.systems)
        ks = next(system.rates for system in self.systems if len(system.rates) == number)
        columns: GridColumns = (
            "system",
            Column("untested", optional=True),
            "tasks",
            *(
                column
                for at in ks
                for column in (
                    Column(self.rate_name if at.k == 1 else f"pass@{at.k}", digits=EFFECT_DIGITS),
                    Column(
                        f"{level} interval" if at.k == 1 else f"{level} of pass@{at.k}",
                        digits=EFFECT_DIGITS,
                        detail=at.k > 1,
                    ),
                )
            ),
        )
        cells = tuple(
            (
                *(system.name, system.rows - system.tested, system.tasks),
                *(cell for at in system.rates for cell in (at.value, at.interval)),
                *([None] * (2 * (number - len(system.rates)))),
            )
            for system in self.systems
        )
        return Grid(f"Tests: {self._samples()}", columns, cells)

    def _samples(self) -> str:
        tasks = max(system.tasks for system in self.systems)
        fewest = min(system.fewest for system in self.systems)
        most = max(system.most for system in self.systems)
        samples = count_text(most, "sample") if fewest == most else f"{fewest} to {most} samples"
        return f"{count_text(tasks, 'task')} by {self.task}, {samples} each"

    def _differences(self) -> Grid:
        columns: GridColumns = (
            "better",
            "other",
            Column("tasks", optional=True),
            Column(f"difference in {self.rate_name}", digits=EFFECT_DIGITS, sign=True),
            Column(f"{percent_text(self.level)} interval", digits=EFFECT_DIGITS, sign=True),
            Column("p", p_values=True),
            Column("p (Holm)", p_values=True, shown=len(self.systems) > 2),
        )
        cells = tuple(
            (one.first, one.second, one.tasks, one.value, one.interval, one.p, one.p_holm)
            for one in self.differences
        )
        paired = all(one.tasks is not None for one in self.differences)
        title = "Differences by the tests" + (", paired by task" if paired else "")
        return Grid(title, columns, cells, keys=2)

    def _agreements(self) -> Grid:
        columns: GridColumns = (
            "measure",
            Column("r with the tests", digits=EFFECT_DIGITS),
            Column(f"{percent_text(self.level)} by task", digits=EFFECT_DIGITS),
            Column("AUC", digits=EFFECT_DIGITS, shown=self.binary),
            "rows",
        )
        cells = tuple(
            (
                measure_cell(one.label, one.distance),
                *(_plain(one.correlation), one.interval, _plain(one.auc), one.rows),
            )
            for one in self.agreements
        )
        return Grid("How far each measure follows the tests", columns, cells)

    def notes(self) -> list[str]:
        """How the rates were computed."""
        uneven = any(system.fewest != system.most for system in self.systems)
        return [
            f"tests: {self.rate_name} is the mean over tasks; intervals are for tasks of the same "
            "kind, and samples of a task count together",
            *(["tasks have different numbers of samples, and count alike"] if uneven else []),
        ]

    def warnings(self) -> list[str]:
        """What was not tested."""
        untested = sum(system.rows - system.tested for system in self.systems)
        if not untested:
            return []
        rows = sum(system.rows for system in self.systems)
        return [
            f"{untested:,} of {count_text(rows, 'row')} have no outcome; the rates are of the "
            "others (codekin estimate infers those of all rows)"
        ]

    def differs(self, one: PassDifference) -> bool:
        """Whether the tests show a difference."""
        return one.p_holm <= 1 - self.level + 1e-12

    def conclusion(self) -> list[str]:
        """Which system is best by the tests, in one sentence or two."""
        if len(self.systems) < 2:
            system = self.systems[0]
            interval = _interval_text(system.rate.interval, self.level)
            return [
                f"{system.name} has {self.rate_name} {number_text(system.rate.value, digits=3)}"
                f"{interval} over {count_text(system.tasks, 'task')}."
            ]
        best = self.best
        if not self.differences:
            return [
                f"By the tests, {best.name} is first of {len(self.systems):,} systems "
                f"({self.rate_name} {number_text(best.rate.value, digits=3)})."
            ]
        worse = [one for one in self.differences if self.differs(one)]
        tied = [one for one in self.differences if not self.differs(one)]
        told = []
        if worse:
            amounts = [f"{one.second} by {self._amount(one)}" for one in worse[:_MOST_SPELLED]]
            if len(worse) > _MOST_SPELLED:
                amounts.append(f"{len(worse) - _MOST_SPELLED} more")
            told.append(
                f"By the tests ({self.rate_name}), {best.name} is better than "
                f"{'; than '.join(amounts)}."
            )
        if tied:
            names, nearest = listed(one.second for one in tied), self._amount(tied[0])
            amount = f"the nearest differs by {nearest}" if len(tied) > 1 else nearest
            which = "They" if worse else "The tests"
            told.append(f"{which} do not distinguish {names} from {best.name} ({amount}).")
        return told

    def _amount(self, one: PassDifference) -> str:
        p = one.p_holm if len(self.systems) > 2 else one.p
        interval = _interval_text(one.interval, self.level)
        return f"{number_text(one.value, digits=3)}{interval}, {p_words(p)}"

    @property
    def sentences(self) -> tuple[str, ...]:
        """The conclusion, for the document."""
        return tuple(self.conclusion())

    def about_measures(self, ahead: Mapping[str, Iterable[tuple[str, str]]]) -> list[str]:
        """Whether measures say what the tests say, of the systems that tests tell apart.

        Parameters
        ----------
        ahead : mapping of str to iterable of (str, str)
            By measure, the systems of which the first scores better than the second by more than
            chance.
        """
        shown = {(one.first, one.second) for one in self.differences if self.differs(one)}
        pairs = {label: set(found) for label, found in ahead.items()}
        against = [
            (label, loser, winner)
            for label, found in pairs.items()
            for winner, loser in sorted(shown)
            if (loser, winner) in found
        ]
        silent = {
            label: [pair for pair in sorted(shown) if pair not in found]
            for label, found in pairs.items()
            if not any(label == other for other, _, _ in against)
        }
        said = [
            f"{label} puts {loser} before {winner}, against the tests: trust the tests."
            for label, loser, winner in against
        ]
        blind = [label for label, missed in silent.items() if missed]
        if shown and blind:
            verb = "does" if len(blind) == 1 else "do"
            what = "this difference" if len(shown) == 1 else "all of these differences"
            said.append(f"{listed(blind)} {verb} not show {what}: the tests decide.")
        unshown = dict.fromkeys(
            label
            for label, found in pairs.items()
            if not shown and any(pair not in shown for pair in found)
        )
        if unshown:
            verb = "tells" if len(unshown) == 1 else "tell"
            said.append(
                f"{listed(unshown)} {verb} systems apart that the tests do not: closer to the "
                "reference, but not known to pass more."
            )
        return said


def _plain(value: float) -> ShownAs | None:
    """A number with three decimals, also in the row of a distance."""
    if not math.isfinite(value):
        return None
    return ShownAs(value, number_text(value, digits=EFFECT_DIGITS))


def _interval_text(interval: Interval, level: float) -> str:
    if not math.isfinite(interval.low):
        return ""
    low, high = (number_text(end, digits=3) for end in (interval.low, interval.high))
    return f" ({percent_text(level)} {low} to {high})"


def pass_at_k(samples: int, passed: int, k: int) -> float:
    """The unbiased estimate of pass@k from some samples of a task, of which some passed.

    Examples
    --------
    >>> [round(pass_at_k(10, passed, k), 4) for passed, k in ((3, 1), (3, 5), (8, 5))]
    [0.3, 0.9167, 1.0]
    """
    if samples - passed < k:
        return 1.0
    return 1.0 - math.comb(samples - passed, k) / math.comb(samples, k)


@dataclass(frozen=True, eq=False)
class SystemOutcomes:
    """The rows of a system.

    Attributes
    ----------
    name : str
    outcome : array
        nan where a row has none.
    ids, references : list of str
        What may name the task of each row.
    weights : array
    scores : mapping of str to array
        By label of measure, larger for more alike.
    """

    name: str
    outcome: Floats
    ids: list[str | None]
    references: list[str | None]
    weights: Floats
    scores: Mapping[str, Floats]

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which rows have an outcome."""
        return np.isfinite(self.outcome)

    def labels(self, task: str) -> list[str | None]:
        """The task of each row."""
        return self.ids if task == "id" else self.references


def task_field(systems: Sequence[tuple[Sequence[str | None], Sequence[str | None]]]) -> str | None:
    """What names the task of a row, by the ids and references of systems; None if nothing does.

    It is the id where a system has several rows with one, or where systems share ids; else the
    reference, on the same condition.

    Examples
    --------
    >>> task_field([(["a", "a"], ["x", "x"])])
    'id'
    >>> task_field([(["a/1", "b/1"], ["x", "y"]), (["a/2", "b/2"], ["x", "y"])])
    'reference'
    """
    for place, name in enumerate(("id", "reference")):
        labels = [label for system in systems for label in system[place] if label is not None]
        if len(set(labels)) < len(labels):
            return name
    return None


def tested_systems(run: Run, systems: Mapping[str, Codes]) -> list[SystemOutcomes]:
    """The rows of some systems of a run for :func:`rate_systems`; none if it has no outcomes.

    Parameters
    ----------
    run : Run
    systems : mapping of str to array
        By name, the positions of the rows of each.
    """
    outcome = to_numpy(run.table(["outcome"]).column("outcome")).astype(np.float64)
    if not np.isfinite(outcome).any():
        return []
    ids, references = run.labels_of("id"), run.labels_of("reference")
    weights = run.weights()
    scores = {one.measure.label: _oriented(one) for one in read_scores(run)}
    return [
        SystemOutcomes(
            name=name,
            outcome=outcome[rows],
            ids=[ids[row] for row in rows.tolist()],
            references=[references[row] for row in rows.tolist()],
            weights=weights[rows],
            scores={label: values[rows] for label, values in scores.items()},
        )
        for name, rows in systems.items()
    ]


def distances_of(run: Run) -> set[str]:
    """The labels of the measures of a run that are distances."""
    return {one.label for one in run.measures if one.distance}


def _oriented(scores: MeasureScores) -> Floats:
    return -scores.values if scores.measure.distance else scores.values


def rate_systems(
    systems: Sequence[SystemOutcomes],
    distances: Iterable[str] = (),
    *,
    ks: Sequence[int] = PASS_AT,
    level: float = 0.95,
) -> PassRates | None:
    """The pass rates of systems, their differences, and how far measures follow them.

    Parameters
    ----------
    systems : sequence of SystemOutcomes
    distances : iterable of str
        The labels of measures that are distances.
    ks : sequence of int
        Of pass@k; those that a task has too few samples for are left out.
    level : float
        Of the intervals.

    Returns
    -------
    PassRates or None
        None if no row has an outcome.
    """
    if any(k < 1 for k in ks):
        raise CodekinError("k of pass@k must be at least 1")
    known = [system for system in systems if system.known.any()]
    if not known:
        return None
    task = task_field([(system.ids, system.references) for system in known])
    every = np.concatenate([system.outcome for system in known])
    binary = bool(np.isin(every[np.isfinite(every)], (0.0, 1.0)).all())
    tables = [_by_task(system, task) for system in known]
    rates = [
        _system_rate(system, table, ks if binary else (1,), level)
        for system, table in zip(known, tables, strict=True)
    ]
    means = [_mean(table, level) for table in tables]
    differences = _differences(known, tables, means, level) if len(known) > 1 else []
    return PassRates(
        binary=binary,
        task=task or "row",
        level=level,
        systems=tuple(rates),
        differences=tuple(differences),
        agreements=tuple(_agreements(known, task, set(distances), binary, level)),
    )


@dataclass(frozen=True, eq=False)
class _TaskTable:
    """The tested rows of a system by task: the task of each row, and what tasks have."""

    keys: dict[str | int, int]
    task_of: Codes  # of each tested row
    outcome: Floats  # of each tested row
    samples: Codes
    rate: Floats
    weights: Floats

    @property
    def passed(self) -> list[int]:
        """How many samples of each task passed."""
        sums = np.bincount(self.task_of, self.outcome, len(self.samples))
        return [round(value) for value in sums.tolist()]


def _by_task(system: SystemOutcomes, task: str | None) -> _TaskTable:
    tested = np.flatnonzero(system.known)
    labels = [None] * len(system.outcome) if task is None else system.labels(task)
    keys: dict[str | int, int] = {}
    task_of = np.array(
        [
            keys.setdefault(row if labels[row] is None else str(labels[row]), len(keys))
            for row in tested.tolist()
        ],
        dtype=np.intp,
    )
    outcome, weights = system.outcome[tested], system.weights[tested]
    samples = np.bincount(task_of, minlength=len(keys))
    sums = np.bincount(task_of, outcome, len(keys))
    heavy = np.bincount(task_of, weights, len(keys)) / samples
    return _TaskTable(keys, task_of, outcome, samples, sums / samples, heavy)


def _mean(table: _TaskTable, level: float) -> MeanEstimate:
    """The mean over tasks, with an interval for tasks of the same kind."""
    clusters = table.task_of if (table.samples > 1).any() else None
    each = (table.weights / table.samples)[table.task_of]
    even = (table.samples == table.samples[0]).all() and (table.weights == 1).all()
    return powered_mean(
        table.outcome,
        None,
        clusters=clusters,
        weights=None if even else each * len(each) / each.sum(),
        beyond=True,
        level=level,
    ).classical


def _system_rate(
    system: SystemOutcomes, table: _TaskTable, ks: Sequence[int], level: float
) -> SystemPassRate:
    fewest, most = int(table.samples.min()), int(table.samples.max())
    rates = []
    for k in dict.fromkeys((1, *ks)):
        if k > fewest:
            continue
        if k == 1:
            mean = _mean(table, level)
        else:
            values = [
                pass_at_k(samples, passed, k)
                for samples, passed in zip(table.samples.tolist(), table.passed, strict=True)
            ]
            weights = None if (table.weights == 1).all() else table.weights
            mean = powered_mean(values, None, weights=weights, beyond=True, level=level).classical
        rates.append(
            PassAt(k, mean.value, _within_range(mean.interval) if k > 1 else mean.interval)
        )
    return SystemPassRate(
        name=system.name,
        rows=len(system.outcome),
        tested=len(table.outcome),
        tasks=len(table.samples),
        fewest=fewest,
        most=most,
        rates=tuple(rates),
    )


def _within_range(interval: Interval) -> Interval:
    if not math.isfinite(interval.low):
        return interval
    return Interval(max(0.0, interval.low), min(1.0, interval.high))


def _differences(
    systems: Sequence[SystemOutcomes],
    tables: Sequence[_TaskTable],
    means: Sequence[MeanEstimate],
    level: float,
) -> list[PassDifference]:
    """The best system minus each of the others, p corrected for all pairs."""
    if len(systems) > _MOST_COMPARED:
        return []
    values = [float(np.average(table.rate, weights=table.weights)) for table in tables]
    best = int(np.argmax(values))
    pairs = list(combinations(range(len(systems)), 2))
    found = []
    for i, j in pairs:
        first, second = (j, i) if j == best else (i, j)
        tasks, mean = _difference(tables[first], tables[second], means[first], means[second], level)
        found.append((first, second, tasks, mean, _p_value(mean)))
    corrected = holm([p for *_, p in found])
    shown = [
        PassDifference(
            systems[first].name, systems[second].name, tasks, mean.value, mean.interval, p, adjusted
        )
        for (first, second, tasks, mean, p), adjusted in zip(found, corrected, strict=True)
        if first == best
    ]
    return sorted(shown, key=lambda one: one.value)


def _difference(
    first: _TaskTable, second: _TaskTable, one: MeanEstimate, other: MeanEstimate, level: float
) -> tuple[int | None, MeanEstimate]:
    """The difference of two systems task by task, or as independent means.

    Where they were tested on rather different tasks, the common ones are too few to go by.
    """
    common = [key for key in first.keys if key in second.keys and isinstance(key, str)]
    if len(common) < _SHARED * max(len(first.keys), len(second.keys)):
        return None, difference_of_means(one, other)
    places = [[table.keys[key] for key in common] for table in (first, second)]
    differences = first.rate[places[0]] - second.rate[places[1]]
    weights = (first.weights[places[0]] + second.weights[places[1]]) / 2
    even = (weights == 1).all()
    mean = powered_mean(
        differences, None, weights=None if even else weights, beyond=True, level=level
    )
    return len(common), mean.classical


def _p_value(mean: MeanEstimate) -> float:
    """Student's two-sided p of no difference."""
    from scipy.special import stdtr

    if not mean.freedom or not math.isfinite(mean.interval.low):
        return math.nan
    if mean.variance <= 0:
        return 1.0 if mean.value == 0 else 0.0
    return float(2 * stdtr(mean.freedom, -abs(mean.value) / math.sqrt(mean.variance)))


def _agreements(
    systems: Sequence[SystemOutcomes],
    task: str | None,
    distances: set[str],
    binary: bool,
    level: float,
) -> Iterator[MeasureAgreement]:
    outcome = np.concatenate([system.outcome for system in systems])
    known = np.isfinite(outcome)
    if known.sum() < 2 or np.ptp(outcome[known]) == 0:
        return
    labels = [label for label in systems[0].scores if all(label in s.scores for s in systems)]
    columns = [np.concatenate([system.scores[label] for system in systems]) for label in labels]
    clusters = None
    if task is not None:
        names = [name for system in systems for name in system.labels(task)]
        seen: dict[str | int, int] = {}
        clusters = np.array(
            [
                seen.setdefault(i if name is None else name, len(seen))
                for i, name in enumerate(names)
            ]
        )[known]
    estimates = bootstrap(
        [pearson_of(column[known], outcome[known]) for column in columns],
        clusters=clusters,
        resamples=_RESAMPLES,
        seed=_SEED,
        level=level,
    )
    for label, column, estimate in zip(labels, columns, estimates, strict=True):
        both = known & np.isfinite(column)
        auc = math.nan
        if binary and both.any() and np.ptp(outcome[both]) > 0:
            auc = float(rank_statistics(column[both], outcome[both]).auc[0])
        yield MeasureAgreement(
            label=label,
            distance=label in distances,
            rows=int(both.sum()),
            correlation=estimate.value,
            interval=estimate.known if math.isfinite(estimate.value) else UNKNOWN,
            auc=auc,
        )
