"""summarize: the mean and corpus value of each measure and group, with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from codekin.errors import CodekinError
from codekin.results import (
    EFFECT_DIGITS,
    OPTIONAL,
    UNKNOWN,
    Column,
    Grid,
    GridColumns,
    Interval,
    Level,
    Result,
    ShownAs,
    count_text,
    measure_text,
    named,
    percent_text,
    recorded,
)
from codekin.runs.pass_rates import PassRates, distances_of, rate_systems, tested_systems
from codekin.runs.rows import type_name
from codekin.runs.run import MeasureScores, Run, read_scores
from codekin.runs.settings import check_choice
from codekin.runs.text_counts import (
    RowForms,
    TextCounts,
    prompt_notes,
    read_forms,
    text_notes,
    text_warnings,
)
from codekin.statistics.bootstrap import (
    Estimand,
    Estimate,
    bootstrap,
    check_weights,
    judge_of,
    mean_of,
)
from codekin.statistics.resampling import Floats, check_resampling

__all__ = [
    "NO_GROUP",
    "Codes",
    "ExpectedRates",
    "GroupChance",
    "GroupSummary",
    "MeasureSummary",
    "RunSummary",
    "as_run",
    "best_rows",
    "clusters_of",
    "expected_rates",
    "leave_out",
    "numbered",
    "rate_groups",
    "row_weights",
    "skipped_rows",
    "summarize",
    "unfinished",
]

NO_GROUP = "(none)"
"""The name of the group of rows without one."""

Codes = NDArray[np.intp]

_MANY_GROUPS = 100
"""With more groups, there is a warning."""

_MOST_GROUPS = 10_000
"""A group takes a few hundredths of a second; one per row would take days."""


@dataclass(frozen=True)
class MeasureSummary:
    """A measure over the rows of a group.

    Attributes
    ----------
    label, signature : str
        Of the measure in the run.
    distance : bool
        Whether small values mean similar.
    rows, failed : int
        The rows of the group, and those among them without a score.
    mean : Estimate
        The (weighted) mean of the scores.
    corpus : Estimate or None
        The value of all rows as one corpus, if the measure has one.
    """

    label: str = field(metadata=named("measure"))
    signature: str
    distance: bool
    rows: int
    failed: int
    mean: Estimate
    corpus: Estimate | None


@dataclass(frozen=True)
class GroupSummary:
    """The rows of one group.

    Attributes
    ----------
    name : str or None
        None if the rows were not grouped.
    rows : int
    clusters : int or None
        None if single rows were resampled.
    measures : tuple of MeasureSummary
    texts : TextCounts or None
        What its texts are; None for runs that do not say.
    """

    name: str | None = field(metadata=named("group"))
    rows: int
    clusters: int | None
    measures: tuple[MeasureSummary, ...]
    texts: TextCounts | None = field(default=None, metadata=OPTIONAL)


@dataclass(frozen=True)
class GroupChance:
    """The expected rate of outcomes in a group.

    Attributes
    ----------
    group : str or None
        None for all rows.
    rows, failed : int
        Its rows, and those without a probability.
    p : float
        The mean probability.
    interval : Interval
        Of the rate of these rows, if each outcome is independent of the others.
    """

    group: str | None
    rows: int
    failed: int
    p: float
    interval: Interval


@dataclass(frozen=True)
class ExpectedRates:
    """What a calibration says of the rows of a run, as it was when it was applied.

    Attributes
    ----------
    calibration : str
        Its name.
    level : float
        Of the intervals.
    rates : tuple of GroupChance
        All rows first, then each group.
    warnings : tuple of str
        Why the probabilities may not hold here.
    """

    calibration: str
    level: Level
    rates: tuple[GroupChance, ...]
    warnings: tuple[str, ...]


def expected_rates(run: Run) -> ExpectedRates | None:
    """The probabilities that a run has, by group; None for a run without any."""
    note = run.chance_note()
    if note is None:
        return None

    def ends(given: Sequence[float] | None) -> Interval:
        return UNKNOWN if given is None else Interval(float(given[0]), float(given[1]))

    try:
        rates = tuple(
            GroupChance(
                None if one["group"] is None else str(one["group"]),
                int(one["rows"]),
                int(one["failed"]),
                float("nan") if one["p"] is None else float(one["p"]),
                ends(one["interval"]),
            )
            for one in note["groups"]
        )
        warnings = tuple(str(one) for one in note["warnings"])
        return ExpectedRates(str(note["calibration"]), float(note["level"]), rates, warnings)
    except (IndexError, KeyError, TypeError, ValueError):
        return None  # written by another version


@dataclass(frozen=True)
class RunSummary(Result):
    """Every measure of a run, by group.

    Attributes
    ----------
    run : str
        Its name.
    complete : bool
        Whether every row of the input is in it.
    rows : int
    by, cluster : str or None
        The fields by which rows were grouped and resampled.
    resamples, seed : int
    level : float
        Of the intervals.
    groups : tuple of GroupSummary
        In their order of appearance.
    samples : str or None
        How several rows with one id became one: ``best`` or ``mean``; None if they did not.
    missing : str
        ``zero`` or ``skip``: how rows without a candidate count.
    expected : ExpectedRates or None
        If a calibration was applied to the run.
    tests : PassRates or None
        If rows have outcomes: the pass rates of the groups.
    """

    run: str
    complete: bool
    rows: int
    by: str | None
    cluster: str | None
    resamples: int
    seed: int
    level: Level
    groups: tuple[GroupSummary, ...]
    samples: str | None = field(default=None, metadata=OPTIONAL)
    missing: str = "skip"
    expected: ExpectedRates | None = field(default=None, metadata=OPTIONAL)
    tests: PassRates | None = field(default=None, metadata=OPTIONAL)

    def grids(self) -> list[Grid]:
        """The tests, if there are any; the measures; and what is expected of untested rows."""
        tests = [] if self.tests is None else self.tests.grids()
        expected = [] if self.expected is None else [self._expected(self.expected)]
        return [*tests, self.table(), *expected]

    def table(self) -> Grid:
        """One line per group and measure, and another for its corpus value."""
        level = percent_text(self.level)
        columns: GridColumns = (
            Column(self.by or "", "group", shown=self.by is not None),
            "measure",
            *recorded("value_of"),
            "rows",
            Column("failed", optional=True),
            *recorded("clusters"),
            "value",
            *recorded("percentile"),
            Column(
                f"{level} interval",
                "bca",
                meaning="where the value would lie with other rows of the same kind (bootstrap, "
                "BCa)",
            ),
            Column(f"{level} percentile", "", detail=True, meaning="a simpler interval"),
            *recorded("signature"),
        )
        cells = tuple(
            (
                group.name,
                ShownAs(one.label, shown, one.distance),
                *(kind, one.rows, one.failed, group.clusters),
                *(estimate.value, estimate.percentile, estimate.bca, estimate.percentile),
                one.signature,
            )
            for group in self.groups
            for one in group.measures
            for kind, shown, estimate in (
                ("mean", measure_text(one.label, one.distance), one.mean),
                ("corpus", f"{one.label} corpus", one.corpus),
            )
            if estimate is not None
        )
        by = "" if self.by is None else f" by {self.by}"
        title = f"{self.run}: {count_text(self.rows, 'row')}{by}"
        return Grid(title, columns, cells, keys=2)

    def _expected(self, found: ExpectedRates) -> Grid:
        """The mean probability of all rows, and of each group where these are asked for."""
        columns: GridColumns = (
            Column("group", shown=self.by == "group"),
            "rows",
            Column("failed", optional=True),
            Column("mean p", "p", digits=EFFECT_DIGITS),
            Column(percent_text(found.level), "interval", digits=EFFECT_DIGITS),
        )
        rates = found.rates if self.by == "group" else found.rates[:1]
        cells = tuple(
            (one.group or ShownAs(None, "all rows"), one.rows, one.failed, one.p, one.interval)
            for one in rates
        )
        return Grid(f"Expected rate by {found.calibration}", columns, cells)

    def notes(self) -> list[str]:
        """How the values were computed."""
        units = "rows" if self.cluster is None else f"clusters by {self.cluster}"
        resamples = count_text(self.resamples, "resample")
        notes = [f"intervals: bootstrap (BCa), {resamples} of {units}, seed {self.seed}"]
        if self.samples is not None:
            how = "the best" if self.samples == "best" else "the mean"
            notes.append(f"of several rows with one id, {how} score counts")
        if any(one.distance for group in self.groups for one in group.measures):
            notes.append("↓ a distance: 0 is equal")
        tests = [] if self.tests is None else self.tests.notes()
        return tests + notes + prompt_notes(self._texts) + text_notes(self._texts)

    @property
    def _texts(self) -> list[tuple[str | None, int, TextCounts]]:
        return [(one.name, one.rows, one.texts) for one in self.groups if one.texts is not None]

    def warnings(self) -> list[str]:
        """What a reader must know before any value."""
        warnings = [] if self.complete else [unfinished(self.run, self.rows)]
        warnings += [] if self.tests is None else self.tests.warnings()
        warnings += [] if self.expected is None else self.expected.warnings
        if len(self.groups) > _MANY_GROUPS:
            warnings.append(
                f"{self.by} divides {count_text(self.rows, 'row')} into {len(self.groups):,} "
                "groups, which is probably not what was meant; to resample such rows together, use "
                f"--cluster {self.by}"
            )
        return warnings + text_warnings(
            self._texts, zero=self.missing == "zero", samples=self.samples is not None
        )


def unfinished(run: str, rows: int, noun: str = "row") -> str:
    """A warning that a run does not have all of its rows yet."""
    done = count_text(rows, noun)
    return f"{run} is not finished; the figures cover only the {done} scored so far"


def as_run(run: Run | str | Path) -> Run:
    """The run itself, or that of a folder."""
    if isinstance(run, Run):
        return run
    if not isinstance(run, str | Path):
        given = "None" if run is None else type_name(run)
        raise CodekinError(f"a run or the path of its folder is needed, not {given}")
    return Run(run)


def summarize(
    run: Run | str | Path,
    by: str | None = None,
    cluster: str | None = None,
    *,
    resamples: int = 2000,
    seed: int = 0,
    level: float = 0.95,
    missing: str | None = None,
    samples: str | None = None,
) -> RunSummary:
    """Estimate the mean, and any corpus value, of every measure of a run.

    Parameters
    ----------
    run : Run, str or Path
        The scores, or the folder that a job wrote.
    by : str, optional
        A field that divides the rows into groups, such as ``group``.
    cluster : str, optional
        A field; rows with the same value are resampled together. A row without one is its own
        cluster. By default the id, if a group has several rows with the same one.
    resamples, seed : int
        The number of resamples and their seed. All measures share them.
    level : float
        Of the intervals.
    missing : str, optional
        ``skip`` leaves out rows without a candidate, and ``zero`` counts them as 0; by default as
        the run was scored.
    samples : str, optional
        ``best`` or ``mean``: several rows with the same id in a group count as one, with that
        score; by default each counts.

    Examples
    --------
    >>> from codekin.runs.scoring import score
    >>> rows = [
    ...     {"candidate": f"f(x, {i % 3})", "reference": f"f(x, {i % 4})", "language": "python"}
    ...     for i in range(40)
    ... ]
    >>> [group] = summarize(score(rows, "nes", workers=0)).groups
    >>> mean = group.measures[0].mean
    >>> f"{mean.value:.3f} from {mean.bca.low:.3f} to {mean.bca.high:.3f}"
    '0.900 from 0.882 to 0.923'
    """
    check_resampling(resamples, seed, level)
    run = as_run(run)
    groups: list[str | None] = [None]
    of_rows = np.zeros(run.rows, dtype=np.intp)
    if by is not None:
        of_rows, names = numbered(run.labels_of(by))
        if len(names) > _MOST_GROUPS:
            raise CodekinError(
                f"{run.path}: {by} divides the rows into {len(names):,} groups, but the limit is "
                f"{_MOST_GROUPS:,}; to resample such rows together, name it as the cluster"
            )
        groups = [NO_GROUP if name is None else name for name in names]
    check_choice("samples", samples, (None, "best", "mean"))
    forms = read_forms(run)
    weights = row_weights(run)
    columns = read_scores(run)
    skipped = skipped_rows(run, missing, forms)
    for one in columns:
        leave_out(one, skipped)
    if cluster is None and samples is None and _repeats_ids(run, of_rows):
        cluster = "id"
    drawn = None if cluster is None else clusters_of(run.labels_of(cluster))
    tasks = None if samples is None else clusters_of(run.labels_of("id"))
    # One sort finds the rows of every group.
    order = np.argsort(of_rows, kind="stable")
    bounds = np.searchsorted(of_rows[order], np.arange(len(groups) + 1))
    summaries = []
    for i, name in enumerate(groups):
        rows = order[bounds[i] : bounds[i + 1]] if len(groups) > 1 else slice(None)
        units = None if drawn is None else np.unique(drawn[rows], return_inverse=True)[1]
        if tasks is None or samples is None:
            measures = _measures(columns, rows, weights[rows], units, resamples, seed, level)
        else:
            measures = _of_samples(
                columns, rows, weights, units, tasks[rows], samples, resamples, seed, level
            )
        summaries.append(
            GroupSummary(
                name=name,
                rows=int(bounds[i + 1] - bounds[i]),
                clusters=None if units is None else int(units.max(initial=-1)) + 1,
                measures=tuple(measures),
                texts=forms.counts(rows) if run.rows else None,
            )
        )
    return RunSummary(
        run=run.name,
        complete=run.complete,
        rows=run.rows,
        by=by,
        cluster=cluster,
        resamples=resamples,
        seed=seed,
        level=level,
        groups=tuple(summaries),
        samples=samples,
        missing=missing or run.manifest["asked"]["missing"],
        expected=expected_rates(run),
        tests=rate_groups(run, by or "group", level=level),
    )


def rate_groups(run: Run, by: str = "group", *, level: float = 0.95) -> PassRates | None:
    """The pass rates of the groups of a run; None if no row has an outcome.

    Parameters
    ----------
    run : Run
    by : str
        A field that divides the rows into groups.
    level : float
        Of the intervals.
    """
    of_rows, names = numbered(run.labels_of(by))
    called = (
        [NO_GROUP if name is None else name for name in names] if len(names) > 1 else [run.name]
    )
    systems = {name: np.flatnonzero(of_rows == i) for i, name in enumerate(called)}
    return rate_systems(tested_systems(run, systems), distances_of(run), level=level)


def skipped_rows(run: Run, missing: str | None, forms: RowForms) -> NDArray[np.bool_] | None:
    """The rows without a candidate, if they are to be left out; None if all rows count.

    Parameters
    ----------
    run : Run
    missing : str or None
        ``zero``, ``skip``, or None for what the run was scored with.
    forms : RowForms
        Of the run.
    """
    check_choice("missing", missing, (None, "zero", "skip"))
    scored = run.manifest["asked"]["missing"]
    if missing == "zero" and scored == "skip" and forms.missing.any():
        raise CodekinError(
            f"{run.path}: was scored without its missing candidates; score the rows with --missing "
            "zero to count them"
        )
    return forms.missing if missing == "skip" else None


def leave_out(scores: MeasureScores, rows: NDArray[np.bool_] | None) -> None:
    """Remove the scores of some rows."""
    if rows is not None:
        scores.values[rows] = np.nan
        if scores.statistics is not None:
            scores.statistics[rows] = 0.0


def _repeats_ids(run: Run, of_rows: Codes) -> bool:
    """Whether a group has several rows with the same id."""
    pairs = set(zip(of_rows.tolist(), run.labels_of("id"), strict=True))
    return len(pairs) < run.rows


def best_rows(values: Floats, tasks: Codes, *, distance: bool) -> Codes:
    """The row with the best score of each task, the first of equals; tasks without one have none.

    Examples
    --------
    >>> best_rows(np.array([0.1, 0.3, np.nan]), np.array([0, 0, 1]), distance=False).tolist()
    [1]
    """
    scored = np.flatnonzero(np.isfinite(values))
    keys = values[scored] if distance else -values[scored]
    order = scored[np.lexsort((scored, keys, tasks[scored]))]
    _, first = np.unique(tasks[order], return_index=True)
    return np.sort(order[first])


def _of_samples(
    columns: Sequence[MeasureScores],
    rows: Codes | slice,
    weights: Floats,
    units: Codes | None,
    tasks: Codes,
    samples: str,
    resamples: int,
    seed: int,
    level: float,
) -> list[MeasureSummary]:
    """The measures over tasks, each with the best or the mean score of its rows."""
    numbers = np.unique(tasks, return_inverse=True)[1].astype(np.intp)
    count = int(numbers.max(initial=-1)) + 1
    first = np.unique(numbers, return_index=True)[1]
    sizes = np.maximum(1, np.bincount(numbers, minlength=count))
    weight = np.bincount(numbers, weights[rows], minlength=count) / sizes
    merged = [_merged(one, rows, numbers, count, samples) for one in columns]
    of_tasks = None if units is None else np.unique(units[first], return_inverse=True)[1]
    everything = slice(None)
    return _measures(merged, everything, weight, of_tasks, resamples, seed, level)


def _merged(
    one: MeasureScores, rows: Codes | slice, numbers: Codes, count: int, samples: str
) -> MeasureScores:
    """The scores by one measure, one per task."""
    own = one.values[rows]
    values = np.full(count, np.nan)
    statistics = None if one.statistics is None else one.statistics[rows]
    if samples == "best":
        chosen = best_rows(own, numbers, distance=one.measure.distance)
        values[numbers[chosen]] = own[chosen]
        if statistics is not None:
            kept = np.zeros((count, statistics.shape[1]), statistics.dtype)
            kept[numbers[chosen]] = statistics[chosen]
            statistics = kept
        return replace(one, values=values, statistics=statistics)
    there = np.isfinite(own)
    total = np.bincount(numbers[there], minlength=count)
    sums = np.bincount(numbers[there], own[there], minlength=count)
    values = np.divide(sums, total, out=values, where=total > 0)
    if statistics is not None:
        summed = np.zeros((count, statistics.shape[1]))
        np.add.at(summed, numbers, statistics)
        statistics = summed
    return replace(one, values=values, statistics=statistics)


def _measures(
    columns: Sequence[MeasureScores],
    rows: Codes | slice,
    weights: Floats,
    units: Codes | None,
    resamples: int,
    seed: int,
    level: float,
) -> list[MeasureSummary]:
    estimands = [mean_of(one.values[rows], weights) for one in columns]
    places: list[int | None] = [None] * len(columns)
    for i, one in enumerate(columns):
        if one.statistics is not None and one.value_of is not None:
            places[i] = len(estimands)
            corpus = Estimand(one.statistics[rows], judge_of(one.value_of))
            estimands.append(corpus.weighted(weights))
    estimates = bootstrap(estimands, clusters=units, resamples=resamples, seed=seed, level=level)
    return [
        MeasureSummary(
            label=one.measure.label,
            signature=one.measure.signature,
            distance=one.measure.distance,
            rows=len(weights),
            failed=int(np.count_nonzero(~np.isfinite(one.values[rows]))),
            mean=mean,
            corpus=None if place is None else estimates[place],
        )
        for one, mean, place in zip(columns, estimates, places, strict=False)
    ]


def row_weights(run: Run) -> Floats:
    """The weights of a run's rows, none of them negative."""
    try:
        return check_weights(run.weights())
    except CodekinError as error:
        raise CodekinError(f"{run.path}: {error}") from None


def numbered(labels: Iterable[str | None]) -> tuple[Codes, list[str | None]]:
    """Each label as a number from 0, in their order of appearance, and the labels.

    Examples
    --------
    >>> codes, names = numbered(["b", None, "b"])
    >>> codes.tolist(), names
    ([0, 1, 0], ['b', None])
    """
    seen: dict[str | None, int] = {}
    codes = [seen.setdefault(label, len(seen)) for label in labels]
    return np.array(codes, dtype=np.intp), list(seen)


def clusters_of(labels: Iterable[str | None]) -> Codes:
    """The clusters of rows by their labels; a row without a label is its own cluster."""
    seen: dict[str | int, int] = {}
    codes = [
        seen.setdefault(i if label is None else label, len(seen)) for i, label in enumerate(labels)
    ]
    return np.array(codes, dtype=np.intp)
