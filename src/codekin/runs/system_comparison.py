"""compare_systems: which of several systems is best, and which of the others differ from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import ClassVar

import numpy as np

from codekin.errors import CodekinError
from codekin.results import (
    OPTIONAL,
    Column,
    Estimate,
    Finite,
    Grid,
    GridColumns,
    Level,
    Names,
    Result,
    Section,
    ShownAs,
    count_text,
    measure_cell,
    named,
    percent_text,
    recorded,
)
from codekin.runs.comparison import (
    SMALLER_IS_BETTER,
    RunComparison,
    SkippedMeasure,
    System,
    SystemRows,
    best_scores,
    compare_rows,
    counted_scores,
    group_names,
    resampling_note,
    rows_of_groups,
    rows_of_system,
    shared_measures,
    shared_tasks,
    system_name,
    tests_of,
)
from codekin.runs.conclusions import Difference, amount_text, listed, trust
from codekin.runs.pass_rates import PassRates
from codekin.runs.run import Run, RunMeasure
from codekin.runs.settings import check_choice
from codekin.runs.summaries import Codes, as_run
from codekin.statistics.bootstrap import bootstrap, mean_of
from codekin.statistics.resampling import Floats, check_resampling, cluster_sums
from codekin.statistics.several import range_test

__all__ = [
    "MeasureRanking",
    "RankedSystem",
    "SystemComparison",
    "compare_if_several",
    "compare_systems",
    "rank_systems",
]

_MOST_SYSTEMS = 1000
"""The test deals the results of all systems thousands of times."""
_STEPS, _FEWEST = 2_000_000_000, 1000
"""Results that are dealt at most, and the fewest deals, however many results there are."""
_MOST_LISTED = 2
"""Systems that a cell of a page names; the others are shown on hovering."""
_MOST_SPELLED = 6
"""Systems that each get a sentence of their own."""


@dataclass(frozen=True)
class RankedSystem:
    """A system by one measure.

    Attributes
    ----------
    name : str
    mean : float
        Over the tasks that every system has.
    behind : Estimate
        How much worse it is than the best, from 0; in units of the measure.
    p : float
        Of that difference, corrected for all pairs of systems and for the number of measures; 1
        for the best itself.
    differs : bool
        Whether it is worse than the best by more than chance.
    """

    name: str = field(metadata=named("system"))
    mean: Finite
    behind: Estimate
    p: Finite
    differs: bool


@dataclass(frozen=True)
class MeasureRanking:
    """All systems by one measure.

    Attributes
    ----------
    label, signature : str
    distance : bool
        Whether small values mean alike.
    tasks : int
        Those with a score for every system.
    systems : tuple of RankedSystem
        The best first.
    """

    label: str = field(metadata=named("measure"))
    signature: str
    distance: bool
    tasks: int
    systems: tuple[RankedSystem, ...]

    @property
    def best(self) -> RankedSystem:
        """The system with the best mean; the first of equals."""
        return self.systems[0]

    @property
    def tied(self) -> tuple[str, ...]:
        """The other systems that are not distinguished from the best."""
        return tuple(one.name for one in self.systems[1:] if not one.differs)


@dataclass(frozen=True)
class SystemComparison(Result):
    """Three or more systems on the same tasks, each against the best by each measure.

    Attributes
    ----------
    systems : tuple of System
        As given.
    on : str
        The field by which rows belong to a task.
    tasks : int
        Those that every system has.
    cluster : str or None
        The field by which tasks were resampled and dealt.
    resamples, seed : int
    level : float
        Of the intervals.
    measures : tuple of MeasureRanking
    skipped : tuple of SkippedMeasure
    tests : PassRates or None
        If rows have outcomes: the pass rates of the systems.
    """

    computed: ClassVar[Mapping[str, str]] = {"conclusion": "sentences"}

    systems: tuple[System, ...]
    on: str
    tasks: int
    cluster: str | None
    resamples: int
    seed: int
    level: Level
    measures: tuple[MeasureRanking, ...]
    skipped: tuple[SkippedMeasure, ...]
    tests: PassRates | None = field(default=None, metadata=OPTIONAL)

    def grids(self) -> list[Grid]:
        """The tests, if there are any, and the measures."""
        return [*([] if self.tests is None else self.tests.grids()), self._by_measure()]

    def _by_measure(self) -> Grid:
        """One line per measure: the best system, and which are not distinguished from it."""
        columns: GridColumns = (
            "measure",
            Column("best", meaning="the system with the best mean"),
            Column(
                "mean", digits=3, meaning="of the best system, over the tasks that all systems have"
            ),
            Column("lead over the next", digits=3, meaning="how much worse the next system is"),
            Column(
                f"{percent_text(self.level)} interval",
                digits=3,
                meaning="of that difference (paired bootstrap over tasks, BCa)",
            ),
            Column(
                "p",
                p_values=True,
                meaning="how often the largest difference between equal systems would be this "
                "large by chance (randomised Tukey test), times the number of measures",
            ),
            Column(
                "systems worse", meaning="systems that are worse than the best by more than chance"
            ),
            Column("not distinguished from the best"),
        )
        cells = tuple(
            (
                measure_cell(one.label, one.distance),
                *(one.best.name, one.best.mean, one.systems[1].behind.value),
                *(one.systems[1].behind.known, one.systems[1].p),
                sum(other.differs for other in one.systems),
                Names(one.tied) if one.tied else "none",
            )
            for one in self.measures
        )
        tasks = f"{count_text(self.tasks, 'task')} by {self.on}"
        return Grid(f"{len(self.systems)} systems on {tasks}", columns, cells, keys=2)

    def section(self) -> Section:
        """The same on a page, with long lists of systems on hovering."""
        grid = self._by_measure()
        cells = tuple((*row[:-1], _brief(row[-1])) for row in grid.cells)
        tests = () if self.tests is None else tuple(self.tests.grids())
        return Section(grid.title, content=(*tests, replace(grid, title="", cells=cells)))

    def table(self) -> Grid:
        """One record per measure and system."""
        columns: GridColumns = (
            "measure",
            "system",
            *("rank", "mean", "behind", "percentile", "bca", Column("p", p_values=True)),
            "differs",
            *recorded("signature"),
        )
        cells = tuple(
            (
                measure_cell(one.label, one.distance),
                *(system.name, rank, system.mean, system.behind.value),
                *(system.behind.percentile, system.behind.bca, system.p),
                ShownAs(system.differs, "yes" if system.differs else "no"),
                one.signature,
            )
            for one in self.measures
            for rank, system in enumerate(one.systems, 1)
        )
        return Grid("", columns, cells, keys=2)

    def notes(self) -> list[str]:
        """How the values were computed."""
        measures = count_text(len(self.measures), "measure")
        test = "corrected for all pairs of systems (randomised Tukey test)"
        several = any(one.rows - one.unpaired > self.tasks for one in self.systems)
        return [
            *([] if self.tests is None else self.tests.notes()),
            resampling_note(self.resamples, self.seed, self.cluster or "", "tasks"),
            f"p: {test} and for {measures} (Bonferroni)",
            *(["means are of tasks: several rows of one are averaged"] if several else []),
            *([SMALLER_IS_BETTER] if any(one.distance for one in self.measures) else []),
        ]

    def warnings(self) -> list[str]:
        """What a reader must know before any value: what is missing, and what was left out."""
        warnings = [
            f"{run} is not finished; only the rows scored so far are compared"
            for run in dict.fromkeys(one.run for one in self.systems if not one.complete)
        ]
        alone = [one for one in self.systems if one.unpaired]
        if alone:
            rows = sum(one.unpaired for one in alone)
            warnings.append(
                f"{count_text(rows, 'row')} of {listed(one.name for one in alone)} "
                f"{'is' if rows == 1 else 'are'} left out: not every system has the task"
            )
        return [*warnings, *(f"{one.label} is left out: {one.reason}" for one in self.skipped)]

    def conclusion(self) -> list[str]:
        """Which system is best, which others differ from it, and how far that can be trusted."""
        if not self.measures:
            return ["The systems cannot be compared: no measure has a score by all of them."]
        labels = [one.label for one in self.measures]
        leads = Counter(one.best.name for one in self.measures)
        leader = leads.most_common(1)[0][0]
        sentences = [self._headline(leader, leads)]
        if len(leads) > 1:
            sentences.append(self._disagreement(leads))
        others = [one.name for one in self.systems if one.name != leader]
        if len(others) <= _MOST_SPELLED:
            sentences += filter(None, (self._against(leader, other) for other in others))
        if self.tests is None:
            return [*sentences, trust(labels)]
        ahead = {
            one.label: [(one.best.name, other.name) for other in one.systems if other.differs]
            for one in self.measures
        }
        return [*self.tests.conclusion(), *self.tests.about_measures(ahead), *sentences]

    def _headline(self, leader: str, leads: Mapping[str, int]) -> str:
        number = len(self.measures)
        if number == 1:
            where = f"by {self.measures[0].label}"
        else:
            every = "both" if number == 2 else f"all {number}"
            some = every if leads[leader] == number else f"{leads[leader]} of {number}"
            where = f"by {some} measures"
        led = [one for one in self.measures if one.best.name == leader]
        tied = [name for name in led[0].tied if all(name in one.tied for one in led)]
        anywhere = {name for one in led for name in one.tied}
        every = f"{len(self.systems):,} systems on {count_text(self.tasks, 'task')}"
        head = f"Of {every}, {leader} is best {where}"
        if not anywhere:
            return f"{head}, ahead of every other system by more than chance."
        if not tied:
            return (
                f"{head}; every other system is worse by more than chance on at least one of these "
                "measures."
            )
        if len(tied) == len(self.systems) - 1:
            by = "" if self.tests is None else " in its scores"
            return f"{head}, but no other system differs from it{by} by more than chance."
        others = f"{len(tied)} others are" if len(tied) > _MOST_SPELLED else listed(tied)
        verb = "" if len(tied) > _MOST_SPELLED else " is" if len(tied) == 1 else " are"
        return f"{head}; {others}{verb} not distinguished from it."

    def _disagreement(self, leads: Mapping[str, int]) -> str:
        """Whether the measures that put another system first contradict each other."""
        by = {name: [one.label for one in self.measures if one.best.name == name] for name in leads}
        worse = {
            (one.best.name, other.name)
            for one in self.measures
            for other in one.systems
            if other.differs
        }
        real = any((a, b) in worse and (b, a) in worse for a in leads for b in leads)
        firsts = "; ".join(f"{name} by {listed(labels)}" for name, labels in by.items())
        if real:
            return (
                f"The measures disagree on the best system ({firsts}). Decide which measure "
                "answers your question before you choose a system."
            )
        return f"The measures put different systems first ({firsts}), within chance."

    def _against(self, leader: str, other: str) -> str:
        """On which measures another system differs from the best of them; empty if on none."""
        ahead: dict[str, list[str]] = {leader: []}
        behind: list[str] = []
        for one in self.measures:
            ranked = {system.name: system for system in one.systems}
            if one.best.name != other and ranked[other].differs:
                ahead.setdefault(one.best.name, []).append(self._amount(one, ranked[other]))
            elif one.best.name == other and ranked[leader].differs:
                behind.append(self._amount(one, ranked[leader]))
        worse = [f"worse than {best} on {'; '.join(one)}" for best, one in ahead.items() if one]
        parts = [f"is {', and '.join(worse)}"] if worse else []
        if behind:
            than = "" if list(filter(ahead.get, ahead)) == [leader] else f" than {leader}"
            parts.append(f"is better{than} on {'; '.join(behind)}")
        return f"{other} {', and '.join(parts)}." if parts else ""

    def _amount(self, one: MeasureRanking, system: RankedSystem) -> str:
        behind = system.behind
        difference = Difference(
            one.label, one.distance, behind.value, behind.known, system.p, 1, one.tasks
        )
        return f"{one.label} by {amount_text(difference, self.level)}"


def _brief(cell: Names | str) -> Names | str | ShownAs:
    """The first few names, and all of them on hovering."""
    if isinstance(cell, str) or len(cell.names) <= _MOST_LISTED:
        return cell
    more = f"{len(cell.names) - _MOST_LISTED:,} more"
    return ShownAs(str(cell), f"{', '.join(cell.names[:_MOST_LISTED])} and {more}", title=str(cell))


def compare_systems(
    runs: Run | str | Path | Sequence[Run | str | Path],
    *,
    groups: Sequence[str] | None = None,
    by: str = "group",
    on: str | None = None,
    cluster: str | None = None,
    top: int = 3,
    resamples: int = 5000,
    seed: int = 0,
    level: float = 0.95,
    missing: str | None = None,
    samples: str | None = None,
) -> RunComparison | SystemComparison:
    """Compare two or more systems: the groups of a run, or several runs.

    Parameters
    ----------
    runs : Run, str, Path or a sequence of them
        One run, whose groups are compared, or several, each of which is a system.
    groups : sequence of str, optional
        The groups of one run to compare; all by default.
    by : str
        The field whose values are the groups, such as ``model``.
    on : str, optional
        The field that says which rows are of one task: ``id`` by default, or ``reference`` where
        the systems share no id. Several rows of a system for a task are averaged.
    cluster : str, optional
        A field; tasks with the same value are resampled and dealt together.
    top : int
        Of two systems, how many of the rows that differ most to list, each way.
    resamples, seed : int
        How many resamples, and which; of very many results, fewer are used, and the notes say so.
    level : float
        Of the intervals.
    missing, samples : str, optional
        How rows without a candidate and several rows of a task count; see
        :func:`~codekin.compare_runs`.

    Returns
    -------
    RunComparison or SystemComparison
        The first for two systems. Both have a ``conclusion()``.

    Examples
    --------
    >>> from codekin.runs.scoring import score
    >>> rows = [
    ...     {"id": f"{i} {model}", "group": model, "language": "python",
    ...      "candidate": f"f(x, {i % spread})", "reference": f"f(x, {i})"}
    ...     for model, spread in (("small", 3), ("medium", 6), ("large", 18)) for i in range(18)
    ... ]
    >>> found = compare_systems(score(rows, "nes", workers=0))
    >>> print(found.conclusion()[0])
    Of 3 systems on 18 tasks, large is best by nes, ahead of every other system by more than chance.
    """
    opened = [as_run(one) for one in ([runs] if isinstance(runs, Run | str | Path) else runs)]
    systems = _systems(opened, groups, by)
    compare = (
        partial(compare_rows, *systems, top=top)
        if len(systems) == 2
        else partial(rank_systems, systems)
    )
    return compare(
        on=on,
        cluster=cluster,
        resamples=resamples,
        seed=seed,
        level=level,
        missing=missing,
        samples=samples,
    )


def _systems(runs: Sequence[Run], groups: Sequence[str] | None, by: str) -> list[SystemRows]:
    if isinstance(groups, str):
        raise CodekinError(f"groups must be a list of names, not the text {groups!r}")
    if not runs:
        raise CodekinError("there is no run to compare; name one")
    if len(runs) == 1:
        return _groups(runs[0], groups, by)
    if groups is not None and len(groups) != len(runs):
        raise CodekinError(
            f"{count_text(len(groups), 'group')} for {len(runs)} runs: name one for each run, or "
            "none"
        )
    once: dict[Path, Run] = {}
    same = [once.setdefault(run.path.resolve(), run) for run in runs]
    chosen: Sequence[str | None] = groups or [None] * len(runs)
    return [rows_of_system(run, group, by) for run, group in zip(same, chosen, strict=True)]


def _groups(run: Run, groups: Sequence[str] | None, by: str) -> list[SystemRows]:
    if groups is None:
        systems = rows_of_groups(run, by)
        if len(systems) < 2:
            raise CodekinError(
                f"{run.path}: all rows are of one {by}; name a second run, or the field that names "
                "the systems, as --system FIELD or by=FIELD"
            )
        return systems
    if len(groups) < 2:
        raise CodekinError(f"name two groups to compare, not {len(groups)}")
    return [rows_of_system(run, group, by) for group in groups]


def compare_if_several(run: Run, *, top: int = 3) -> RunComparison | SystemComparison | None:
    """The comparison of the groups of a run, or None where nothing can be compared.

    For the end of a job, which is no failure if its rows are of one system, or of groups without
    a common task.

    Parameters
    ----------
    run : Run
    top : int
        Of two systems, how many of the rows that differ most to list, each way.
    """
    if len(group_names(run)) < 2:
        return None
    try:
        return compare_systems(run, top=top)
    except CodekinError:
        return None


def rank_systems(
    systems: Sequence[SystemRows],
    names: Sequence[str] | None = None,
    *,
    on: str | None = None,
    cluster: str | None = None,
    resamples: int = 5000,
    seed: int = 0,
    level: float = 0.95,
    missing: str | None = None,
    samples: str | None = None,
) -> SystemComparison:
    """Compare the rows of several systems; see :func:`compare_systems`.

    Parameters
    ----------
    systems : sequence of SystemRows
    names : sequence of str, optional
        What the systems are called, where not by their runs and groups.
    on, cluster, resamples, seed, level, missing, samples
        As :func:`compare_systems` takes them.
    """
    check_resampling(resamples, seed, level)
    if len(systems) > _MOST_SYSTEMS:
        raise CodekinError(
            f"{len(systems):,} systems are too many to compare (at most {_MOST_SYSTEMS:,}); name "
            "those to compare as groups"
        )
    measures, skipped = _common_measures(systems)
    tasks = shared_tasks(systems, on)
    sides = list(tasks.of(systems))
    weights = tasks.weights
    clusters = np.arange(len(tasks.keys)) if cluster is None else tasks.clusters(cluster, systems)
    check_choice("samples", samples, (None, "best", "mean"))
    runs = [one.run for one in systems]
    of_runs = {run: counted_scores(run, measures, missing) for run in dict.fromkeys(runs)}
    scored = [
        best_scores(of_runs[one.run], one, places) if samples == "best" else of_runs[one.run]
        for one, places in sides
    ]
    tables = [
        np.column_stack(
            [
                tasks.means(own[i].values[one.rows], one.weights, places)
                for own, (one, places) in zip(scored, sides, strict=True)
            ]
        )
        for i in range(len(measures))
    ]
    cells = len(systems) * (int(clusters.max()) + 1) * max(1, len(tables))
    resamples = min(resamples, max(_FEWEST, _STEPS // cells))
    called = names or [system_name(one, runs) for one in systems]
    rankings, empty = _rankings(measures, tables, called, weights, clusters, resamples, seed, level)
    return SystemComparison(
        systems=tuple(
            System(name, str(one.run.path), one.run.complete, len(one.rows), int((at < 0).sum()))
            for name, (one, at) in zip(called, sides, strict=True)
        ),
        on=tasks.on,
        tasks=len(tasks.keys),
        cluster=cluster,
        resamples=resamples,
        seed=seed,
        level=level,
        measures=tuple(rankings),
        skipped=(*skipped, *empty),
        tests=tests_of(systems, called, level),
    )


def _common_measures(
    systems: Sequence[SystemRows],
) -> tuple[list[RunMeasure], list[SkippedMeasure]]:
    """The measures that mean the same for all systems, and why others are left out."""
    runs = list(dict.fromkeys(one.run for one in systems))
    kept = list(runs[0].measures)
    skipped: dict[str, SkippedMeasure] = {}
    for other in runs[1:]:
        shared, left = shared_measures(runs[0], other)
        kept = [one for one in kept if one in shared]
        skipped |= {one.label: one for one in left}
    if not kept:
        raise CodekinError("the runs have no measure in common to compare by")
    return kept, list(skipped.values())


def _rankings(
    measures: Sequence[RunMeasure],
    tables: Sequence[Floats],
    names: Sequence[str],
    weights: Floats,
    clusters: Codes,
    resamples: int,
    seed: int,
    level: float,
) -> tuple[list[MeasureRanking], list[SkippedMeasure]]:
    """The systems by each measure, and the measures without a task that all systems solved."""
    rankings, empty, dealt, kept = [], [], [], []
    for one, table in zip(measures, tables, strict=True):
        usable = np.isfinite(table).all(axis=1) & (weights > 0)
        if not usable.any():
            empty.append(SkippedMeasure(one.label, "no task has a score by every system"))
            continue
        whole = np.where(usable, weights, 0.0)[:, None] * np.where(usable[:, None], table, 0.0)
        dealt.append(cluster_sums(whole, clusters))
        kept.append((one, table, usable))
    corrected = [
        np.minimum(1.0, p * len(kept)) for p in range_test(dealt, resamples=resamples, seed=seed)
    ]
    for (one, table, usable), p in zip(kept, corrected, strict=True):
        weight = np.where(usable, weights, 0.0)
        means = (weight @ np.where(usable[:, None], table, 0.0)) / weight.sum()
        order = np.argsort(means if one.distance else -means, kind="stable").tolist()
        best = order[0]
        sign = 1.0 if one.distance else -1.0
        behind = bootstrap(
            [
                mean_of(np.where(usable, sign * (table[:, i] - table[:, best]), np.nan), weights)
                for i in order
            ],
            clusters=clusters,
            resamples=resamples,
            seed=seed,
            level=level,
        )
        systems = tuple(
            RankedSystem(
                names[i],
                float(means[i]),
                gap,
                1.0 if i == best else float(p[best, i]),
                i != best and bool(p[best, i] <= 1 - level + 1e-12),
            )
            for i, gap in zip(order, behind, strict=True)
        )
        ranking = MeasureRanking(one.label, one.signature, one.distance, int(usable.sum()), systems)
        rankings.append(ranking)
    return rankings, empty
