"""estimate_rates: the pass rate of each system from few tests and many scores."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from codekin.errors import CodekinError, suggestion
from codekin.evaluation.judgement import DISTANCE_NOTE, inverted_warnings
from codekin.evaluation.score_shift import UNLIKELY, ScoreShift, score_shift, unlikely
from codekin.evaluation.scored_outcomes import ScoredOutcomes, read_outcomes, scored_run
from codekin.evaluation.scored_runs import first_problem
from codekin.results import (
    EFFECT_DIGITS,
    OPTIONAL,
    Column,
    Grid,
    GridColumns,
    Level,
    Result,
    ShownAs,
    count_text,
    effect_text,
    measure_cell,
    percent_text,
    recorded,
    share_text,
)
from codekin.runs.failures import UnreadOutcomes, unread_outcomes, unread_warnings
from codekin.runs.run import MeasureScores, Run
from codekin.runs.summaries import clusters_of, unfinished
from codekin.statistics.correlation import correlation_interval
from codekin.statistics.prediction_powered import (
    FEWEST,
    MeanEstimate,
    PoweredMean,
    difference_of_means,
    powered_mean,
)
from codekin.statistics.resampling import Floats

__all__ = ["RateDifference", "RateEstimates", "SystemRate", "estimate_rates"]

ALL_ROWS = "all rows"
_FEW = 30
"""With fewer tested rows there is a warning."""
_FEW_CLUSTERS = 20
_MOST_PAIRED = 6
"""Up to this many systems, each is compared with each."""
Chosen = NDArray[np.bool_]
Codes = NDArray[np.intp]


@dataclass(frozen=True)
class SystemRate:
    """The mean outcome of a system, with the scores of one measure.

    Attributes
    ----------
    system : str or None
        The group; None for all rows.
    measure : str
    distance : bool
        Whether small scores mean similar.
    rows, failed, tested : int
        All rows of the system, those without a score, and those with an outcome.
    clusters : int or None
        The clusters of tested rows; None if rows vary one by one.
    classical, powered : MeanEstimate
        From the outcomes alone, and with the scores.
    worth : float
        How many tested rows would be worth as much without scores: at most all rows of the system,
        unless the rate is that of all rows there could be.
    correlation : float
        Pearson's r of score and outcome among the tested rows.
    tuning : float
        λ, by which differences of scores are multiplied.
    """

    system: str | None
    measure: str
    distance: bool
    rows: int
    failed: int
    tested: int
    clusters: int | None
    classical: MeanEstimate
    powered: MeanEstimate
    worth: float
    correlation: float
    tuning: float


@dataclass(frozen=True)
class RateDifference:
    """The difference of the mean outcomes of two systems, first minus second.

    Attributes
    ----------
    first, second, measure : str
    pairs : int or None
        Tasks that were tested for both, if the difference is paired; None if it is not.
    classical, powered : MeanEstimate
    """

    first: str
    second: str
    measure: str
    pairs: int | None
    classical: MeanEstimate
    powered: MeanEstimate


@dataclass(frozen=True)
class RateEstimates(Result):
    """The pass rates of systems, from outcomes alone and with the help of scores.

    Attributes
    ----------
    run : str
        Its name.
    complete : bool
        Whether every row of the input is in it.
    rows, tested : int
        All rows, and those with an outcome.
    binary : bool
        Whether every outcome is 0 or 1.
    drawn : bool
        Whether some rows were drawn with a probability of their own.
    beyond : bool
        Whether the rates are those of all rows there could be, instead of these.
    cluster, stratify : str or None
        The fields by which rows vary together, and by which their shares are known.
    level : float
        Of the intervals.
    rates : tuple of SystemRate
        By measure, all rows first.
    differences : tuple of RateDifference
    shifts : tuple of ScoreShift
        One per measure.
    uneven : str or None
        The systems of which the smallest and the largest share of rows were tested, if these
        shares differ by more than chance.
    unread_outcomes : UnreadOutcomes or None
        Rows whose outcome cannot be read, if there are any.
    """

    run: str
    complete: bool
    rows: int
    tested: int
    binary: bool
    drawn: bool
    beyond: bool
    cluster: str | None
    stratify: str | None
    level: Level
    rates: tuple[SystemRate, ...]
    differences: tuple[RateDifference, ...]
    shifts: tuple[ScoreShift, ...]
    uneven: str | None = field(metadata=OPTIONAL)
    unread_outcomes: UnreadOutcomes | None = field(default=None, metadata=OPTIONAL)

    def grids(self) -> list[Grid]:
        """The rates, and the differences if there are any."""
        grids = [self._rates()]
        if self.differences:
            grids.append(self._differences())
        return grids

    @property
    def _noun(self) -> str:
        return "pass rate" if self.binary else "mean outcome"

    def _rates(self) -> Grid:
        level = percent_text(self.level)
        columns: GridColumns = (
            Column("system", shown=any(one.system for one in self.rates)),
            "measure",
            "rows",
            Column("failed", optional=True),
            "tested",
            *recorded("clusters"),
            Column("tests alone", "classical", digits=EFFECT_DIGITS),
            Column(level, "classical_interval", digits=EFFECT_DIGITS),
            Column("with scores", "powered", digits=EFFECT_DIGITS),
            Column(level, "powered_interval", digits=EFFECT_DIGITS),
            Column("worth", digits=0),
            Column("r", "correlation", digits=EFFECT_DIGITS),
            *recorded("tuning"),
        )
        cells = tuple(
            (
                one.system or ShownAs(None, ALL_ROWS),
                measure_cell(one.measure, one.distance),
                *(one.rows, one.failed, one.tested, one.clusters),
                *(one.classical.value, one.classical.interval),
                *(one.powered.value, one.powered.interval),
                # Not rounded as a distance would be.
                ShownAs(one.worth, f"{one.worth:,.0f}"),
                *(_shown(one.correlation), one.tuning),
            )
            for one in self.rates
        )
        title = (
            f"{self.run}: {self._noun} of {count_text(self.rows, 'row')}, {self.tested:,} tested"
        )
        return Grid(title, columns, cells, keys=2)

    def _differences(self) -> Grid:
        level = percent_text(self.level)
        columns: GridColumns = (
            *("first", "second", "measure"),
            Column("pairs", optional=True),
            Column("tests alone", "classical", digits=EFFECT_DIGITS, sign=True),
            Column(level, "classical_interval", digits=EFFECT_DIGITS, sign=True),
            Column("with scores", "powered", digits=EFFECT_DIGITS, sign=True),
            Column(level, "powered_interval", digits=EFFECT_DIGITS, sign=True),
        )
        cells = tuple(
            (
                *(one.first, one.second, one.measure, one.pairs),
                *(one.classical.value, one.classical.interval),
                *(one.powered.value, one.powered.interval),
            )
            for one in self.differences
        )
        return Grid("Differences, first minus second", columns, cells, keys=3)

    def notes(self) -> list[str]:
        """What the numbers say, and how they were computed."""
        notes = [
            f"{one.measure}: {count_text(one.tested, 'tested row')} are worth {one.worth:,.0f}"
            f"{'' if self.beyond else f' of {one.rows:,}'}"
            for one in self.rates
            if one.system is None and math.isfinite(one.powered.interval.low) and one.tuning
        ]
        whole = all(one.tested == one.rows for one in self.rates)
        if whole and not self.beyond:
            notes.append(f"every row is tested, so the {self._noun} is known")
        target = (
            f"the {self._noun} is that of the population that these rows are a sample of"
            if self.beyond
            else f"the {self._noun} is that of these rows, tested and untested"
        )
        notes.append(f"{target}; intervals at {percent_text(self.level)}")
        if self.cluster is not None:
            notes.append(f"rows with the same {self.cluster} vary together")
        if self.stratify is not None:
            notes.append(f"stratified by {self.stratify}")
        if any(one.pairs is not None for one in self.differences):
            notes.append("pairs: tasks that were tested for both systems, compared task by task")
        if len({(one.first, one.second) for one in self.differences}) > 1:
            notes.append(
                f"each difference has its own interval at {percent_text(self.level)}; all of them "
                "together hold less often"
            )
        if any(one.failed for one in self.rates):
            notes.append("failed: rows without a score, which count as average")
        if any(one.distance for one in self.rates):
            notes.append(DISTANCE_NOTE)
        return notes

    def warnings(self) -> list[str]:
        """What a reader must know before any value."""
        warnings = [] if self.complete else [unfinished(self.run, self.rows)]
        warnings += unread_warnings(self.unread_outcomes)
        seen: dict[str | None, SystemRate] = {}
        for one in self.rates:
            seen.setdefault(one.system, one)
        warnings += [text for one in seen.values() for text in self._about(one)]
        warnings += inverted_warnings(
            (
                (
                    one.measure,
                    r := -one.correlation if one.distance else one.correlation,
                    correlation_interval(r, one.tested),
                )
                for one in self.rates
                if one.system is None
            ),
            binary=self.binary,
        )
        warnings += _joined_few([one for one in seen.values() if one.system is not None])
        warnings += [
            f"the rows that were tested differ from the others in their scores by {one.text}: if "
            "rows were not chosen at random, no interval here holds; test rows drawn by codekin "
            "plan, or give each row the probability with which it was drawn"
            for one in unlikely(self.shifts)
        ]
        if self.uneven is not None and self.stratify is None:
            warnings.append(
                f"systems were tested at different rates ({self.uneven}), so the line of all rows "
                "leans towards some of them; stratify by group"
            )
        return warnings

    def _about(self, one: SystemRate) -> list[str]:
        """What limits the value of a system."""
        name = "" if one.system is None else f"{one.system}: "
        if one.system is not None and one.tested < _FEW:
            return []
        if one.tested < FEWEST and one.tested < one.rows:
            return [
                f"{name}fewer than {FEWEST} rows were tested, so there is no interval; test more"
            ]
        warnings = []
        if one.tested < _FEW and one.tested < one.rows:
            warnings.append(
                f"{name}only {one.tested} rows were tested; intervals from so few hold only roughly"
            )
        if one.clusters is not None and one.clusters < _FEW_CLUSTERS:
            warnings.append(
                f"{name}the tested rows are of only {count_text(one.clusters, 'cluster')}; "
                f"intervals from fewer than {_FEW_CLUSTERS} hold only roughly"
            )
        if math.isnan(one.correlation) and one.tested >= FEWEST:
            same = (
                f"every tested row has the same outcome ({one.classical.value:g})"
                if one.classical.value in (0.0, 1.0) or not one.classical.variance
                else f"all scores by {one.measure} are equal"
            )
            warnings.append(f"{name}{same}, so scores do not help")
        return warnings


def _shown(value: float) -> ShownAs:
    """A number with three decimals, also in the row of a distance."""
    return ShownAs(value if math.isfinite(value) else None, effect_text(value))


def _joined_few(systems: Sequence[SystemRate]) -> list[str]:
    """One warning for all systems of which few rows were tested."""
    few = [one for one in systems if one.tested < min(_FEW, one.rows)]
    if not few:
        return []
    none = sum(one.tested < FEWEST for one in few)
    have = "has" if len(few) == 1 else "have"
    which = f"{len(few)} of {count_text(len(systems), 'system')} {have} fewer than"
    if none == len(few):
        return [f"{which} {FEWEST} tested rows, and therefore no interval; test more"]
    if not none:
        return [f"{which} {_FEW} tested rows; intervals from so few hold only roughly"]
    return [
        f"{which} {_FEW} tested rows: {none:,} fewer than {FEWEST}, and therefore no interval; "
        "those of the others hold only roughly"
    ]


def estimate_rates(
    rows: Any,
    measures: Any = None,
    *,
    outcomes: Any = None,
    against: str | None = None,
    cluster: str | None = None,
    stratify: str | None = None,
    task: str | None = None,
    beyond: bool = False,
    level: float = 0.95,
    output: str | Path | None = None,
    resume: bool = False,
    **job: Any,
) -> RateEstimates:
    """Estimate pass rates from few tests and many scores.

    Parameters
    ----------
    rows : rows of any kind, or a run
        Predictions or edits, some of them with an ``outcome``, and optionally with the system as
        ``group``. Tested rows that were not drawn at random have the ``probability`` with which
        they were drawn, and the number of the draw as ``batch``; see :func:`codekin.plan_tests`.
    measures : str, Measure, any object with a ``score``, or a sequence of them
        Whose scores predict the outcomes; not for a run, which has its scores.
    outcomes : rows of any kind, optional
        Outcomes that came later: rows with ``id`` and ``outcome``, and what else was written by
        :func:`codekin.plan_tests`: ``group`` and ``sample`` where several rows have one id, and the
        ``probability`` and ``batch`` of the draw.
    against : str, optional
        The system that all others are compared with; by default, up to six systems are all
        compared with each other.
    cluster : str, optional
        A field; rows with the same value vary together. By default the id, if a system has several
        rows with one; needed where all rows of a task were tested or none.
    stratify : str, optional
        A field whose values have known shares among all rows, such as ``group``.
    task : str
        The field that names the task of a row, by which systems are paired; by default the id if
        systems share ids, and otherwise rows with the same references and origin are one task.
    beyond : bool
        Whether to estimate the rates of all rows there could be, instead of these rows.
    level : float
        Of the intervals.
    output : str or Path, optional
        The folder of the run to write.
    resume : bool
        Resume the run in `output`.
    **job
        As for :func:`codekin.score`: `workers`, `executor`, `columns` and so on.

    Examples
    --------
    >>> rows = [
    ...     {"candidate": f"x = {i * i % 7 // 3}", "reference": "x = 1", "language": "python",
    ...      **({"outcome": int(i * i % 7 // 3 == 1)} if i % 3 else {})}
    ...     for i in range(90)
    ... ]
    >>> [rate] = estimate_rates(rows, "exact", workers=0).rates
    >>> rate.tested, round(rate.classical.value, 3), round(rate.powered.value, 3)
    (60, 0.3, 0.289)
    """
    if not 0 < level < 1:
        raise CodekinError(f"level must be between 0 and 1, such as 0.95, not {level:g}")
    with scored_run(rows, measures, output, resume, **job) as run:
        read = read_outcomes(run, outcomes)
        if not read.tested.any():
            raise CodekinError(
                "no row has an outcome; test some rows (codekin plan draws them) and give each a "
                "number as its 'outcome', or name the column that has it, as --columns "
                f"outcome=NAME or columns={{'outcome': NAME}}{first_problem(run)}"
            )
        if against is not None and against not in read.systems:
            hint = suggestion(against, read.systems)
            raise CodekinError(f"no row is of the system {against!r}{hint}")
        if cluster is None and _repeats(zip(read.groups, read.ids, strict=True)):
            cluster = "id"
        if task is None:
            task = "id" if _repeats(read.ids) else "reference"
        estimation = _Estimation(
            read,
            clusters=None if cluster is None else clusters_of(run.labels_of(cluster)),
            strata=None if stratify is None else _strata_of(run, stratify),
            tasks=clusters_of(run.labels_of(task)),
            how={"beyond": beyond, "level": level},
        )
        known = read.outcome[read.tested]
        return RateEstimates(
            run=run.name,
            complete=run.complete,
            rows=len(read.ids),
            tested=len(known),
            binary=bool(np.isin(known, (0.0, 1.0)).all()),
            drawn=bool(np.isfinite(read.probabilities[read.tested]).any()),
            beyond=beyond,
            cluster=cluster,
            stratify=stratify,
            level=level,
            rates=tuple(estimation.rates()),
            differences=tuple(estimation.differences(against)),
            shifts=tuple(estimation.shifts()),
            uneven=_uneven(read),
            # Outcomes that came later replace those of the run.
            unread_outcomes=unread_outcomes(run) if outcomes is None else None,
        )


def _repeats(labels: Iterable[object]) -> bool:
    """Whether a label occurs more than once."""
    every = list(labels)
    return len(set(every)) < len(every)


def _strata_of(run: Run, stratify: str) -> Codes:
    names = [name or "" for name in run.labels_of(stratify)]
    strata: Codes = np.unique(np.array(names), return_inverse=True)[1]
    return strata


class _Estimation:
    """Estimates of the rows of a run."""

    def __init__(
        self,
        read: ScoredOutcomes,
        *,
        clusters: Codes | None,
        strata: Codes | None,
        tasks: Codes,
        how: dict[str, Any],
    ) -> None:
        self._read = read
        self._clusters = clusters
        self._strata = strata
        self._tasks = tasks
        self._how = how
        groups = np.array([name or "" for name in read.groups])
        self._rows_of: dict[str | None, Chosen] = {None: np.ones(len(read.ids), bool)}
        if len(read.systems) > 1:
            self._rows_of |= {name: groups == name for name in read.systems}

    def _mean(self, chosen: Chosen, one: MeasureScores) -> PoweredMean:
        read = self._read
        return powered_mean(
            read.outcome[chosen],
            one.values[chosen],
            clusters=None if self._clusters is None else self._clusters[chosen],
            strata=None if self._strata is None else self._strata[chosen],
            probabilities=read.probabilities[chosen],
            batches=read.batches[chosen],
            weights=read.weights[chosen],
            **self._how,
        )

    def rates(self) -> list[SystemRate]:
        """The rates by every measure, all rows first and then each system."""
        found = []
        for one in self._read.scores:
            for system, chosen in self._rows_of.items():
                mean = self._mean(chosen, one)
                found.append(
                    SystemRate(
                        system=system,
                        measure=one.measure.label,
                        distance=one.measure.distance,
                        rows=mean.rows,
                        failed=int((~np.isfinite(one.values[chosen])).sum()),
                        tested=mean.labelled,
                        clusters=None if self._clusters is None else mean.units,
                        classical=mean.classical,
                        powered=mean.powered,
                        worth=mean.worth,
                        correlation=mean.correlation,
                        tuning=mean.tuning,
                    )
                )
        return found

    def differences(self, against: str | None) -> list[RateDifference]:
        """The differences between every two systems, or from one."""
        systems = self._read.systems
        if against is not None:
            pairs = [(name, against) for name in systems if name != against]
        elif len(systems) <= _MOST_PAIRED:
            pairs = list(combinations(systems, 2))
        else:
            pairs = []
        return [
            self._difference(first, second, one)
            for one in self._read.scores
            for first, second in pairs
        ]

    def _difference(self, first: str, second: str, one: MeasureScores) -> RateDifference:
        a, b = self._rows_of[first], self._rows_of[second]
        paired = self._paired(a, b, one.values)
        if paired is not None:
            outcome, score, weights = paired
            mean = powered_mean(outcome, score, weights=weights, **self._how)
            pairs, classical, powered = mean.labelled, mean.classical, mean.powered
        else:
            found = self._mean(a, one), self._mean(b, one)
            pairs = None
            classical = difference_of_means(found[0].classical, found[1].classical)
            powered = difference_of_means(found[0].powered, found[1].powered)
        return RateDifference(first, second, one.measure.label, pairs, classical, powered)

    def _paired(self, a: Chosen, b: Chosen, values: Floats) -> tuple[Floats, Floats, Floats] | None:
        """Differences of outcomes and of scores by task, and the rows of each task.

        None if the two systems do not have the same tasks, or were tested on different ones.
        """
        read = self._read
        if np.isfinite(read.probabilities[(a | b) & read.tested]).any():
            return None
        names, tasks = np.unique(self._tasks[a | b], return_inverse=True)
        number = len(names)
        code = np.full(len(a), -1)
        code[a | b] = tasks
        seen = np.isfinite(values)
        filled = np.where(seen, values, values[seen].mean() if seen.any() else 0.0)
        columns = []
        for chosen in (a, b):
            here, tested = code[chosen], chosen & read.tested
            counts = np.bincount(here, minlength=number)
            known = np.bincount(code[tested], minlength=number)
            sums = np.bincount(code[tested], read.outcome[tested], number)
            with np.errstate(divide="ignore", invalid="ignore"):
                columns.append(
                    (
                        counts,
                        known > 0,
                        sums / known,
                        np.bincount(here, filled[chosen], number) / counts,
                    )
                )
        (rows, tested_a, first, score), (others, tested_b, second, other) = columns
        if (rows != others).any() or (tested_a != tested_b).any() or not tested_a.any():
            return None
        if (read.weights[a | b] != 1).any():
            return None
        return first - second, score - other, rows.astype(np.float64)

    def shifts(self) -> list[ScoreShift]:
        """Whether the rows that were tested differ from the others in their scores.

        Rows with a probability of their own may differ, so only those drawn before are compared.
        Where rows vary together, clusters are compared by the means of their scores.
        """
        read = self._read
        alike = read.tested & ~np.isfinite(read.probabilities)
        return [
            score_shift(one.measure.label, one.values, alike, self._clusters) for one in read.scores
        ]


def _uneven(read: ScoredOutcomes) -> str | None:
    """The systems that were tested least and most, if their shares differ by more than chance."""
    from scipy.stats import chi2

    if len(read.systems) < 2 or np.isfinite(read.probabilities[read.tested]).any():
        return None
    rows = Counter(name for name in read.groups if name is not None)
    tested = Counter(
        name for name, there in zip(read.groups, read.tested, strict=True) if there and name
    )
    share = sum(tested.values()) / sum(rows.values())
    if not 0 < share < 1:
        return None
    spread = sum(
        (tested[name] - share * count) ** 2 / (share * (1 - share) * count)
        for name, count in rows.items()
    )
    if float(chi2.sf(spread, len(rows) - 1)) >= UNLIKELY:
        return None
    shares = {name: tested[name] / count for name, count in rows.items()}
    least, most = min(shares, key=shares.__getitem__), max(shares, key=shares.__getitem__)
    low, high = (share_text(shares[one], 0) for one in (least, most))
    return f"{least} {low}, {most} {high}"
