"""compare_runs: whether two systems differ on the same rows by more than chance."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from codekin.errors import CodekinError, suggestion
from codekin.results import (
    NOTHING,
    OPTIONAL,
    Column,
    Finite,
    Forest,
    ForestRow,
    Grid,
    GridColumns,
    Level,
    Mark,
    Result,
    Section,
    ShownAs,
    count_text,
    measure_cell,
    measure_text,
    named,
    number_text,
    p_text,
    percent_text,
    recorded,
)
from codekin.runs.conclusions import Difference, conclude_pair
from codekin.runs.pass_rates import PassRates, distances_of, rate_systems, tested_systems
from codekin.runs.run import MeasureScores, Run, RunMeasure, read_scores
from codekin.runs.settings import check_choice
from codekin.runs.summaries import (
    NO_GROUP,
    Codes,
    as_run,
    best_rows,
    clusters_of,
    leave_out,
    numbered,
    row_weights,
    skipped_rows,
)
from codekin.runs.text_counts import read_forms
from codekin.statistics.bootstrap import Estimand, judge_of, mean_of
from codekin.statistics.paired import (
    PairedTest,
    cohen_dz,
    compare_pairs,
    holm_corrected,
    rank_biserial,
    wins_ties_losses,
)
from codekin.statistics.resampling import Floats, check_resampling, cluster_sums

__all__ = [
    "SMALLER_IS_BETTER",
    "MeasureComparison",
    "RowDifference",
    "RunComparison",
    "SkippedMeasure",
    "System",
    "SystemRows",
    "Tasks",
    "best_scores",
    "compare_rows",
    "compare_runs",
    "counted_scores",
    "group_names",
    "resampling_note",
    "rows_of_groups",
    "rows_of_system",
    "shared_measures",
    "shared_tasks",
    "system_name",
    "tests_of",
]

_EXAMPLES = 3
_MOST_KNOWN = 20


@dataclass(frozen=True)
class System:
    """One of the two systems.

    Attributes
    ----------
    name : str
        That of the run, the group, or both: whatever distinguishes the two systems.
    run : str
        The folder of its run.
    complete : bool
        Whether the run is.
    rows, unpaired : int
        Its rows, and those among them without a counterpart.
    """

    name: str
    run: str
    complete: bool
    rows: int
    unpaired: int


@dataclass(frozen=True)
class RowDifference:
    """A pair that the two systems score differently.

    Attributes
    ----------
    key : str
        What the rows were paired by.
    id_a, id_b : str
        The ids of the rows; of the first ones, if there are several.
    rows_a, rows_b : int
        The number of rows of each system in the pair.
    a, b, difference : float
        The scores (of several rows, their mean), and b minus a.
    """

    key: str
    id_a: str
    id_b: str
    rows_a: int
    rows_b: int
    a: Finite
    b: Finite
    difference: Finite


@dataclass(frozen=True)
class MeasureComparison:
    """Two systems by one measure.

    Attributes
    ----------
    label, signature : str
    distance : bool
        Whether small values mean alike.
    pairs, failed : int
        The pairs with a score by both systems, and those left out.
    mean : PairedTest
        Of the mean scores.
    corpus : PairedTest or None
        Of the corpus values, if the measure has one.
    wins, ties, losses : int
        Pairs in which the second system is better, equally good, and worse; a smaller distance is
        better.
    cohen_dz, rank_biserial : float
        Effect sizes, with the sign of the difference.
    gains, drops : tuple of RowDifference
        The pairs in which the second system is better by most, and worse by most.
    """

    label: str = field(metadata=named("measure"))
    signature: str
    distance: bool
    pairs: int
    failed: int
    mean: PairedTest
    corpus: PairedTest | None
    wins: int
    ties: int
    losses: int
    cohen_dz: float
    rank_biserial: float
    gains: tuple[RowDifference, ...]
    drops: tuple[RowDifference, ...]


@dataclass(frozen=True)
class SkippedMeasure:
    """A measure that was not compared, and why."""

    label: str = field(metadata=named("measure"))
    reason: str


@dataclass(frozen=True)
class RunComparison(Result):
    """Two systems on the same rows; all differences are `b` minus `a`.

    Attributes
    ----------
    a, b : System
    on : str
        The field that rows were paired by.
    pairs : int
        How many there are.
    unpaired : tuple of str
        The ids of some of the rows without a counterpart.
    other_references : int
        The number of pairs whose rows have different references, and may not belong together.
    other_versions : tuple of str
        What differs in version between the runs, such as a grammar.
    cluster : str or None
        The field by which pairs were resampled and swapped.
    resamples, seed : int
    level : float
        Of the intervals.
    measures : tuple of MeasureComparison
    skipped : tuple of SkippedMeasure
    tests : PassRates or None
        If rows have outcomes: the pass rates of both systems.
    """

    computed: ClassVar[Mapping[str, str]] = {"conclusion": "sentences"}

    a: System
    b: System
    on: str
    pairs: int
    unpaired: tuple[str, ...] = field(metadata=named("unpaired_examples"))
    other_references: int
    other_versions: tuple[str, ...]
    cluster: str | None
    resamples: int
    seed: int
    level: Level
    measures: tuple[MeasureComparison, ...]
    skipped: tuple[SkippedMeasure, ...]
    tests: PassRates | None = field(default=None, metadata=OPTIONAL)

    def grids(self) -> list[Grid]:
        """The tests, if there are any; the measures; and the rows that differ most."""
        tests = [] if self.tests is None else self.tests.grids()
        differing = self._differing()
        return [*tests, self.table(), *([differing] if differing.cells else [])]

    def table(self) -> Grid:
        """One line per measure and test."""
        level = percent_text(self.level)
        columns: GridColumns = (
            "measure",
            *recorded("value_of", "system_a", "system_b"),
            Column("pairs", shown=any(one.failed for one in self.measures)),
            Column("failed", optional=True, meaning="pairs in which a system has no score"),
            Column("A", "a", meaning=f"mean score of {self.a.name}"),
            Column("B", "b", meaning=f"mean score of {self.b.name}"),
            Column("B−A", "difference", sign=True, meaning="difference of the means"),
            *recorded("percentile"),
            Column(
                f"{level} interval",
                "bca",
                sign=True,
                meaning="of the difference: where it would lie with other rows of the same kind "
                "(paired bootstrap, BCa)",
            ),
            *recorded("permutation_p", "permutation_p_holm", "bootstrap_p", "bootstrap_p_holm"),
            Column(
                "p (Holm)",
                "",
                meaning="how often equal systems would differ this much by chance (paired "
                "permutation test), corrected for the number of measures",
            ),
            *recorded("wins", "ties", "losses"),
            Column("win/tie/loss", "", meaning="pairs in which B is better, equal, worse"),
            Column("p perm.", "", detail=True, meaning="permutation test, before the correction"),
            Column("d_z", "cohen_dz", detail=True, meaning="Cohen's d of the paired differences"),
            Column("r_rb", "rank_biserial", detail=True, meaning="rank-biserial correlation"),
            Column("p boot. (Holm)", "", detail=True, meaning="paired bootstrap (corrected)"),
            Column(f"{level} percentile", "", sign=True, detail=True, meaning="of the difference"),
            *recorded("signature"),
        )
        cells = tuple(
            self._line(one, kind, test)
            for one in self.measures
            for kind, test in (("mean", one.mean), ("corpus", one.corpus))
            if test is not None
        )
        title = f"A is {self.a.name}, B is {self.b.name}: {self._pairs_text()}"
        return Grid(title, columns, cells)

    def _line(self, one: MeasureComparison, kind: str, test: PairedTest) -> tuple[Any, ...]:
        shown, effects = f"{one.label} corpus", (None, None, None, *[ShownAs(None, "")] * 3)
        if kind == "mean":  # a corpus value has no wins
            shown, effects = measure_text(one.label, one.distance), _effects(one)
        difference = test.difference
        return (
            ShownAs(one.label, shown, one.distance),
            *(kind, self.a.name, self.b.name, one.pairs, one.failed, test.a, test.b),
            *(difference.value, difference.percentile, difference.bca),
            *(test.permutation_p, test.permutation_p_holm),
            *(test.bootstrap_p, test.bootstrap_p_holm),
            p_text(test.permutation_p_holm),
            *effects[:4],
            p_text(test.permutation_p),
            *effects[4:],
            f"{p_text(test.bootstrap_p)} ({p_text(test.bootstrap_p_holm)})",
            difference.percentile,
            one.signature,
        )

    def _pairs_text(self) -> str:
        """The number of pairs with scores, and of rows if a pair may have several."""
        a, b = (one.rows - one.unpaired for one in (self.a, self.b))
        rows = "" if a == b == self.pairs else f" of {a:,} and {count_text(b, 'row')}"
        scored = max((one.pairs for one in self.measures), default=self.pairs)
        some = "" if scored == self.pairs else f"{scored:,} of "
        return f"{some}{count_text(self.pairs, 'pair')}{rows} by {self.on}"

    def _together(self, number: int) -> str:
        """How to count what one of two runs lacks."""
        if self.on != "id" or self.a.run == self.b.run:
            return ""
        it = "it" if number == 1 else "them"
        return f"; to count {it} as 0, score both files in one command"

    def _differing(self) -> Grid:
        one_id = self.on == "id" and not self._averaged
        cells = tuple(
            (
                measure_cell(one.label, one.distance),
                way,
                *((row.key,) if one_id else _ids(row)),
                *(row.a, row.b, row.difference),
            )
            for one in self.measures
            for way, found in (("B", one.gains), ("A", one.drops))
            for row in found
        )
        names = ("id",) if one_id else ("id of A", "id of B")
        columns = ("measure", "better", *names, "A", "B", Column("B−A", sign=True))
        return Grid("Rows that differ most", columns, cells, 2 + len(names))

    @property
    def _averaged(self) -> bool:
        """Whether any pair shown has several rows of a system."""
        return any(
            max(row.rows_a, row.rows_b) > 1
            for one in self.measures
            for row in (*one.gains, *one.drops)
        )

    def notes(self) -> list[str]:
        """How the values were computed."""
        tests = [] if self.tests is None else self.tests.notes()
        test = "paired permutation test, two-sided, after Holm's correction for several measures"
        averaged = ["(+2) after an id: the pair has 2 more rows, and the mean is shown"]
        several = max(one.rows - one.unpaired for one in (self.a, self.b)) > self.pairs
        once = "A and B are means of pairs: several rows with one id are one pair"
        return [
            *tests,
            resampling_note(self.resamples, self.seed, self.cluster or "", "pairs"),
            f"p: {test}; wins are of B",
            *([once] if several else []),
            *(averaged if self._averaged else []),
            *([SMALLER_IS_BETTER] if any(one.distance for one in self.measures) else []),
        ]

    def conclusion(self) -> list[str]:
        """Which system is better, by how much, and how far that can be trusted."""
        differences = [
            Difference(
                one.label,
                one.distance,
                one.mean.difference.value,
                one.mean.difference.known,
                one.mean.permutation_p_holm,
                one.wins + one.losses,
                one.pairs,
                None if one.corpus is None else one.corpus.permutation_p_holm,
                one.mean.permutation_p,
            )
            for one in self.measures
        ]
        tested = self.tests is not None
        sentences = conclude_pair(self.a.name, self.b.name, differences, self.level, tested=tested)
        if self.tests is None:
            return sentences
        ahead = {
            one.measure: [
                (self.b.name, self.a.name) if one.favours_b else (self.a.name, self.b.name)
            ]
            if one.p <= 1 - self.level + 1e-12
            else []
            for one in differences
        }
        return [*self.tests.conclusion(), *self.tests.about_measures(ahead), *sentences]

    def section(self) -> Section:
        """The differences, drawn and in numbers, and the rows that differ most."""
        tests = [] if self.tests is None else self.tests.grids()
        table, *others = self.grids()[len(tests) :]
        rows = tuple(Section(grid.title, content=(grid,), folded=True) for grid in others)
        title = f"{self.b.name} against {self.a.name}"
        text = f"A is {self.a.name}, B is {self.b.name}: {self._pairs_text()}."
        plain = replace(table, title="")
        return Section(title, text, content=(*tests, *self._forest(), plain), parts=rows)

    def _forest(self) -> tuple[Forest, ...]:
        """The differences of similarities on one axis; distances have no common one."""
        drawn = [
            ForestRow(
                measure_cell(one.label, False),
                (
                    Mark(
                        "main",
                        one.mean.difference.value,
                        f"{one.label}: {number_text(one.mean.difference.value, sign=True)}",
                        (one.mean.difference.known,),
                    ),
                ),
                title=one.signature,
            )
            for one in self.measures
            if not one.distance and math.isfinite(one.mean.difference.value)
        ]
        if not drawn:
            return ()
        return (Forest(title="Differences of mean scores", head="B − A", rows=tuple(drawn)),)

    def warnings(self) -> list[str]:
        """What a reader must know before any value: what is missing, and what was left out."""
        systems = (("A", self.a), ("B", self.b))
        warnings = []
        if (self.a.run, self.a.name) == (self.b.run, self.b.name):
            warnings.append(f"A and B are the same: {self.a.name} is compared with itself")
        for run in dict.fromkeys(one.run for _, one in systems if not one.complete):
            there = " and ".join(
                f"{count_text(one.rows, 'row')} of {letter}"
                for letter, one in systems
                if one.run == run
            )
            warnings.append(
                f"{run} is not finished; only the rows scored so far are compared: {there}"
            )
        alone = [
            f"{one.unpaired:,} of {count_text(one.rows, 'row')} of {letter}"
            for letter, one in systems
            if one.unpaired
        ]
        if alone:
            number = self.a.unpaired + self.b.unpaired
            more = ", …" if number > len(self.unpaired) else ""
            have, are = ("has", "is") if number == 1 else ("have", "are")
            warnings.append(
                f"{' and '.join(alone)} {have} no counterpart by {self.on} and {are} left out: "
                f"{', '.join(self.unpaired)}{more}{self._together(number)}"
            )
        if self.other_references:
            pairs = count_text(self.pairs, "pair")
            warnings.append(
                f"in {self.other_references:,} of {pairs} by {self.on} "
                "the references differ; if they do not belong together, pair by another field"
            )
        if self.other_versions:
            warnings.append(f"A and B were scored with {', '.join(self.other_versions)}")
        return [*warnings, *(f"{one.label} is left out: {one.reason}" for one in self.skipped)]


SMALLER_IS_BETTER = "↓ a distance: 0 is equal, and smaller is better"


def resampling_note(resamples: int, seed: int, cluster: str, units: str) -> str:
    """How intervals were computed: by resamples of clusters, if any, or else of other units."""
    drawn = f"clusters by {cluster}" if cluster else units
    times = count_text(resamples, "resample")
    return f"intervals: paired bootstrap (BCa), {times} of {drawn}, seed {seed}"


def _effects(one: MeasureComparison) -> tuple[Any, ...]:
    """Wins, ties, losses and effect sizes, which are of single rows."""
    d, r = one.cohen_dz, one.rank_biserial
    return (
        *(one.wins, one.ties, one.losses),
        f"{one.wins:,}/{one.ties:,}/{one.losses:,}",
        ShownAs(d, f"{d:+.2f}" if math.isfinite(d) else number_text(d)),
        ShownAs(r, NOTHING if math.isnan(r) else f"{r:+.2f}"),
    )


def _ids(row: RowDifference) -> tuple[str, ...]:
    return tuple(
        name if rows == 1 else f"{name} (+{rows - 1:,})"
        for name, rows in ((row.id_a, row.rows_a), (row.id_b, row.rows_b))
    )


def compare_runs(
    a: Run | str | Path,
    b: Run | str | Path | None = None,
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
) -> RunComparison:
    """Compare two systems: two runs, or two groups of one.

    For more than two, see :func:`~codekin.compare_systems`.

    Parameters
    ----------
    a : Run, str or Path
        The first system, such as a baseline: a run, or the folder that a job wrote.
    b : Run, str or Path, optional
        The second; by default, two groups of the first run are compared.
    groups : two of str, optional
        The group of each system; by default the two groups of a single run, if it has just two.
    by : str
        The field whose values are the groups, such as ``model``.
    on : str, optional
        The field that pairs rows: ``id`` by default, or ``reference`` where the two share no id.
        If a system has several rows with the same key, scores are averaged and statistics summed.
    cluster : str, optional
        A field; pairs with the same value are resampled and swapped together.
    top : int
        How many of the rows that differ most to list, each way.
    resamples, seed : int
        How many resamples and swaps, and which.
    level : float
        Of the intervals.
    missing : str, optional
        ``skip`` leaves out rows without a candidate, and ``zero`` counts them as 0; by default as
        the runs were scored.
    samples : str, optional
        ``best`` takes the best of several scores with the same key instead of their ``mean``.

    Examples
    --------
    >>> from codekin.runs.scoring import score
    >>> rows = [
    ...     {"id": f"{i} {model}", "group": model, "language": "python",
    ...      "candidate": f"f(x, {i % spread})", "reference": f"f(x, {i})"}
    ...     for model, spread in (("small", 3), ("large", 9)) for i in range(12)
    ... ]
    >>> comparison = compare_runs(score(rows, "nes", workers=0))
    >>> comparison.a.name, comparison.b.name, comparison.on, comparison.pairs
    ('small', 'large', 'reference', 12)
    >>> one = comparison.measures[0]
    >>> f"{one.mean.difference.value:+.3f}, p = {one.mean.permutation_p:.3f}"
    '+0.071, p = 0.031'
    >>> one.wins, one.ties, one.losses
    (6, 6, 0)
    """
    check_resampling(resamples, seed, level)
    if top < 0:
        raise CodekinError(f"top must be 0 or more, not {top}")
    first, second = _sides(as_run(a), None if b is None else as_run(b), groups, by)
    return compare_rows(
        first,
        second,
        on=on,
        cluster=cluster,
        top=top,
        resamples=resamples,
        seed=seed,
        level=level,
        missing=missing,
        samples=samples,
    )


def compare_rows(
    first: SystemRows,
    second: SystemRows,
    *,
    on: str | None = None,
    cluster: str | None = None,
    top: int = 3,
    resamples: int = 5000,
    seed: int = 0,
    level: float = 0.95,
    missing: str | None = None,
    samples: str | None = None,
) -> RunComparison:
    """Compare the rows of two systems; see :func:`compare_runs`."""
    measures, skipped = shared_measures(first.run, second.run)
    sides = (first, second)
    tasks = shared_tasks(sides, on)
    clusters = None if cluster is None else tasks.clusters(cluster, sides)
    check_choice("samples", samples, (None, "best", "mean"))
    of_a = counted_scores(first.run, measures, missing)
    of_b = of_a if second.run is first.run else counted_scores(second.run, measures, missing)
    if samples == "best":
        of_a = best_scores(of_a, first, tasks.places[0])
        of_b = best_scores(of_b, second, tasks.places[1])
    scores = [_scores(sides, pair, tasks) for pair in zip(of_a, of_b, strict=True)]
    corpora = [(i, one.corpus) for i, one in enumerate(scores) if one.corpus is not None]
    tests = compare_pairs(
        [(mean_of(s.a, tasks.weights), mean_of(s.b, tasks.weights)) for s in scores]
        + [pair for _, pair in corpora],
        clusters=clusters,
        resamples=resamples,
        seed=seed,
        level=level,
    )
    means = holm_corrected(tests[: len(scores)])
    of_corpora = dict(
        zip((i for i, _ in corpora), holm_corrected(tests[len(scores) :]), strict=True)
    )
    shown = [_shown_rows(side, places, tasks) for side, places in tasks.of(sides)]
    return RunComparison(
        a=_system(first, second, tasks.places[0]),
        b=_system(second, first, tasks.places[1]),
        on=tasks.on,
        pairs=len(tasks.keys),
        unpaired=_without_task(sides, tasks),
        other_references=_other_references(sides, tasks),
        other_versions=_other_versions(first.run, second.run),
        cluster=cluster,
        resamples=resamples,
        seed=seed,
        level=level,
        measures=tuple(
            _comparison(one, s, tasks, means[i], of_corpora.get(i), shown, top)
            for i, (one, s) in enumerate(zip(measures, scores, strict=True))
        ),
        skipped=tuple(skipped),
        tests=tests_of(sides, [system_name(one, [first.run, second.run]) for one in sides], level),
    )


def tests_of(systems: Sequence[SystemRows], names: Sequence[str], level: float) -> PassRates | None:
    """The pass rates of systems under their names, if all of them have outcomes."""
    by_run: dict[Run, dict[str, Codes]] = {}
    for system, name in zip(systems, names, strict=True):
        by_run.setdefault(system.run, {})[name] = system.rows
    if sum(map(len, by_run.values())) < len(systems):  # a system beside itself
        return None
    tested = {one.name: one for run, named in by_run.items() for one in tested_systems(run, named)}
    if any(name not in tested or not tested[name].known.any() for name in names):
        return None
    distances = {label for run in by_run for label in distances_of(run)}
    return rate_systems([tested[name] for name in names], distances, level=level)


def counted_scores(
    run: Run, measures: Sequence[RunMeasure], missing: str | None
) -> list[MeasureScores]:
    """The scores of a run, without those of missing candidates if they are to be left out."""
    skipped = skipped_rows(run, missing, read_forms(run))
    read = read_scores(run, measures)
    for one in read:
        leave_out(one, skipped)
    return read


def best_scores(
    read: Sequence[MeasureScores], side: SystemRows, pairs: Codes
) -> list[MeasureScores]:
    """The scores without those of a system's rows that are not the best of their pair."""
    kept = []
    for one in read:
        own = np.full(len(one.values), np.nan)
        chosen = side.rows[best_rows(one.values[side.rows], pairs, distance=one.measure.distance)]
        own[chosen] = one.values[chosen]
        statistics = one.statistics
        if statistics is not None:
            statistics = np.where(np.isfinite(own)[:, None], statistics, 0.0)
        kept.append(replace(one, values=own, statistics=statistics))
    return kept


def _sides(
    a: Run, b: Run | None, groups: Sequence[str] | None, by: str
) -> tuple[SystemRows, SystemRows]:
    if isinstance(groups, str):
        raise CodekinError(f"groups must be a list of two names, not the text {groups!r}")
    if b is None and groups is None:
        names = group_names(a, by)
        if len(names) != 2:
            which = f" (known: {_listed_names(names)})" if len(names) > 2 else ""
            raise CodekinError(f"{a.path}: name a second run, or two groups of this one{which}")
        groups = names
    if groups is None:
        groups = ()
    elif len(groups) != 2:
        raise CodekinError(f"name two groups to compare, not {len(groups)}")
    first, second = groups or (None, None)
    if b is None or b.path.resolve() == a.path.resolve():
        b = a
    return rows_of_system(a, first, by), rows_of_system(b, second, by)


def shared_measures(a: Run, b: Run) -> tuple[list[RunMeasure], list[SkippedMeasure]]:
    """The measures that mean the same in both runs, and why the others are left out."""
    theirs = {one.label: one for one in b.measures}
    shared, skipped = [], []
    for one in a.measures:
        other = theirs.pop(one.label, None)
        if other is None:
            skipped.append(SkippedMeasure(one.label, f"only in {a.name}"))
        elif other.signature != one.signature:
            reason = f"not the same: {one.signature} in {a.name}, {other.signature} in {b.name}"
            skipped.append(SkippedMeasure(one.label, reason))
        elif _fingerprint(a, one.label) != _fingerprint(b, one.label):
            skipped.append(SkippedMeasure(one.label, "not the same: its parameters differ"))
        else:
            shared.append(one)
    skipped += [SkippedMeasure(label, f"only in {b.name}") for label in theirs]
    if not shared:
        why = "; ".join(f"{one.label} {one.reason}" for one in skipped)
        extracted = [run.manifest["asked"]["extract_code"] for run in (a, b)]
        if extracted[0] != extracted[1] and {one.label for one in a.measures} & {
            one.label for one in b.measures
        }:
            said = " and ".join(
                f"{one.path} {how or 'none'}" for one, how in zip((a, b), extracted, strict=True)
            )
            raise CodekinError(
                f"{a.path} and {b.path} cannot be compared: their answers were read with different "
                f"--extract-code ({said}); score both with the same --extract-code "
                "(extract_code=)"
            )
        raise CodekinError(f"{a.path} and {b.path} have no measure to compare by ({why})")
    return shared, skipped


def _fingerprint(run: Run, label: str) -> object:
    """Distinguishes parameters that are too long for a signature."""
    return next(
        one["fingerprint"] for one in run.manifest["asked"]["measures"] if one["label"] == label
    )


def _other_versions(a: Run, b: Run) -> tuple[str, ...]:
    mine, theirs = a.manifest["versions"], b.manifest["versions"]
    return tuple(
        f"{name} {mine.get(name, 'none')} and {theirs.get(name, 'none')}"
        for name in sorted(mine | theirs)
        if mine.get(name) != theirs.get(name)
    )


@dataclass(frozen=True, eq=False)
class _Scores:
    """The scores of two systems by one measure, one value per pair, and their corpus values."""

    a: Floats
    b: Floats
    corpus: tuple[Estimand, Estimand] | None


def _scores(
    sides: Sequence[SystemRows], of_sides: tuple[MeasureScores, MeasureScores], tasks: Tasks
) -> _Scores:
    """The scores of the pairs that both systems scored; nan for the others."""
    values, sums = [], []
    for (side, places), scores in zip(tasks.of(sides), of_sides, strict=True):
        values.append(tasks.means(scores.values[side.rows], side.weights, places))
        if scores.statistics is not None:
            sums.append(tasks.sums(scores.statistics[side.rows], side.weights, places))
    lacking = ~(np.isfinite(values[0]) & np.isfinite(values[1]))
    values[0][lacking] = values[1][lacking] = np.nan
    corpus = None
    value_of = of_sides[0].value_of
    # A system that failed in every row has no statistics, so there is nothing to compare.
    if value_of is not None and len(sums) == 2:
        for one in sums:
            one[lacking] = 0.0
        judge = judge_of(value_of)
        corpus = Estimand(sums[0], judge), Estimand(sums[1], judge)
    return _Scores(values[0], values[1], corpus)


def _shown_rows(side: SystemRows, places: Codes, tasks: Tasks) -> list[tuple[str, int]]:
    """The id of a system's first row in each pair, and how many it has there."""
    ids: list[str] = [""] * len(tasks.keys)
    for pair, label in reversed(list(zip(places.tolist(), side.labels("id"), strict=True))):
        if pair >= 0:
            ids[pair] = label or ""
    return list(zip(ids, np.bincount(places[places >= 0]).tolist(), strict=True))


def _system(side: SystemRows, other: SystemRows, places: Codes) -> System:
    run = side.run
    name = system_name(side, [side.run, other.run])
    return System(name, str(run.path), run.complete, len(side.rows), int((places < 0).sum()))


def _without_task(sides: Sequence[SystemRows], tasks: Tasks) -> tuple[str, ...]:
    """The ids of some of the rows without a counterpart."""
    lone = [
        label
        for side, places in tasks.of(sides)
        for label, place in zip(side.labels("id"), places.tolist(), strict=True)
        if place < 0 and label is not None
    ]
    return tuple(dict.fromkeys(lone))[:_EXAMPLES]


def _other_references(sides: Sequence[SystemRows], tasks: Tasks) -> int:
    """The number of pairs whose rows have different references."""
    if tasks.on == "reference":
        return 0
    keys: dict[int, str] = {}
    differing = set()
    for side, places in tasks.of(sides):
        for place, key in zip(places.tolist(), side.labels("reference"), strict=True):
            if place >= 0 and key is not None and keys.setdefault(place, key) != key:
                differing.add(place)
    return len(differing)


def system_name(side: SystemRows, runs: Sequence[Run]) -> str:
    """What distinguishes a system: the run, the group, or both."""
    run = side.run
    # Leave out what all names have in common, unless that is everything.
    others = [one for one in runs if one is not run]
    names = [run.name, side.group] if others else [side.group]
    if any(one.name == run.name for one in others):
        names[0] = str(run.path)
    return " ".join(one for one in names if one is not None) or run.name


def _comparison(
    one: RunMeasure,
    scores: _Scores,
    tasks: Tasks,
    mean: PairedTest,
    corpus: PairedTest | None,
    shown: Sequence[Sequence[tuple[str, int]]],
    top: int,
) -> MeasureComparison:
    wins, ties, losses = wins_ties_losses(scores.a, scores.b, distance=one.distance)
    scored = wins + ties + losses
    differences = scores.b - scores.a
    better = -differences if one.distance else differences

    def named(places: Codes) -> tuple[RowDifference, ...]:
        return tuple(
            RowDifference(
                key=tasks.keys[i],
                id_a=shown[0][i][0],
                id_b=shown[1][i][0],
                rows_a=shown[0][i][1],
                rows_b=shown[1][i][1],
                a=float(scores.a[i]),
                b=float(scores.b[i]),
                difference=float(differences[i]),
            )
            for i in places.tolist()
        )

    return MeasureComparison(
        label=one.label,
        signature=one.signature,
        distance=one.distance,
        pairs=scored,
        failed=len(tasks.keys) - scored,
        mean=mean,
        corpus=corpus,
        wins=wins,
        ties=ties,
        losses=losses,
        cohen_dz=cohen_dz(scores.a, scores.b, tasks.weights),
        rank_biserial=rank_biserial(scores.a, scores.b),
        gains=named(_largest(better, top)),
        drops=named(_largest(-better, top)),
    )


def _largest(values: Floats, top: int) -> Codes:
    """The positions of the largest positive values, largest first, and earlier ones first."""
    places: Codes = np.flatnonzero(np.nan_to_num(values, nan=0.0) > 1e-12)
    return places[np.argsort(-values[places], kind="stable")[:top]]


@dataclass(frozen=True, eq=False)
class SystemRows:
    """The rows of one system: a run, or a group of one.

    Attributes
    ----------
    run : Run
    group : str or None
    rows : array
        Their positions in the run.
    weights : array
        Their weights.
    """

    run: Run
    group: str | None
    rows: Codes
    weights: Floats
    _labels: dict[str, list[str | None]] = field(default_factory=dict, repr=False)
    """Of all rows of the run; the groups of a run share them."""

    @property
    def name(self) -> str:
        """The name of the group, or of the run if all of it is compared."""
        return self.run.name if self.group is None else self.group

    def labels(self, name: str) -> list[str | None]:
        """The values of a field in its rows; each field is read once."""
        if name not in self._labels:
            self._labels[name] = self.run.labels_of(name)
        labels = self._labels[name]
        return [labels[row] for row in self.rows.tolist()]


def _groups_of(run: Run, by: str) -> list[str]:
    """The group of each row; rows without one are a group, too."""
    return [NO_GROUP if label is None else label for label in run.labels_of(by)]


def group_names(run: Run, by: str = "group") -> list[str]:
    """The groups of a run, in the order of their first rows."""
    return list(dict.fromkeys(_groups_of(run, by)))


def _listed_names(names: Iterable[str]) -> str:
    """Names, each once; if there are many, only the first.

    Examples
    --------
    >>> _listed_names(["b", "a", "b"])
    'b, a'
    >>> _listed_names(map(str, range(1234)))
    '0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, and 1,214 more'
    """
    listed = list(dict.fromkeys(names))
    more = len(listed) - _MOST_KNOWN
    return ", ".join([*listed[:_MOST_KNOWN], *([f"and {more:,} more"] if more > 0 else [])])


def rows_of_groups(run: Run, by: str = "group") -> list[SystemRows]:
    """The rows of every group of a run, in the order of their first rows."""
    codes, names = numbered(_groups_of(run, by))
    weights = row_weights(run)
    places = (np.flatnonzero(codes == i) for i in range(len(names)))
    read: dict[str, list[str | None]] = {}
    return [
        SystemRows(run, name, rows, weights[rows], read)
        for name, rows in zip(names, places, strict=True)
    ]


def rows_of_system(run: Run, group: str | None, by: str = "group") -> SystemRows:
    """The rows of a group of a run, or all of them."""
    weights = row_weights(run)
    if group is None:
        return SystemRows(run, None, np.arange(run.rows, dtype=np.intp), weights)
    labels = _groups_of(run, by)
    rows = np.array([i for i, label in enumerate(labels) if label == group], dtype=np.intp)
    if not len(rows):
        meant = suggestion(group, dict.fromkeys(labels))
        raise CodekinError(
            f"{run.path}: no row is of the {by} {group!r}{meant} (known: {_listed_names(labels)})"
        )
    return SystemRows(run, group, rows, weights[rows])


@dataclass(frozen=True, eq=False)
class Tasks:
    """What systems have rows in common for.

    Attributes
    ----------
    on : str
        The field that the keys come from.
    keys : list of str
        Those that every system has, in their order in the first.
    places : list of array
        Of each system, the key of every row; -1 if it has none, or one that not all have.
    weights : array
        Of each key: the mean weight of its rows.
    """

    on: str
    keys: list[str]
    places: list[Codes]
    weights: Floats

    def of(self, systems: Sequence[SystemRows]) -> Iterator[tuple[SystemRows, Codes]]:
        """Each system with the places of its rows."""
        return zip(systems, self.places, strict=True)

    def means(self, values: Floats, weights: Floats, places: Codes) -> Floats:
        """The weighted mean of one system's scores for each key; nan if it has none."""
        number = len(self.keys)
        here = (places >= 0) & np.isfinite(values) & (weights > 0)
        total = np.bincount(places[here], weights[here], minlength=number)
        with np.errstate(invalid="ignore", divide="ignore"):
            means = np.bincount(places[here], (weights * values)[here], minlength=number) / total
        # The mean of one value is that value; weighting it would round.
        single = np.bincount(places[here], minlength=number) == 1
        alone = np.zeros(number)
        alone[places[here]] = values[here]
        return np.where(single, alone, means)

    def sums(
        self, statistics: NDArray[np.floating], weights: Floats, places: Codes
    ) -> NDArray[np.floating]:
        """The weighted sum of one system's statistics for each key, the number of rows first."""
        here = places >= 0
        found = cluster_sums(statistics[here] * weights[here, None], places[here])
        sums = np.zeros((len(self.keys), statistics.shape[1]))
        sums[: len(found)] = found
        return sums

    def clusters(self, field: str, systems: Sequence[SystemRows]) -> Codes:
        """The cluster of each key; all rows with the same key must be in one."""
        labels: list[str | None] = [None] * len(self.keys)
        for side, places in self.of(systems):
            for place, label in zip(places.tolist(), side.labels(field), strict=True):
                if place < 0 or label is None:
                    continue
                if labels[place] is None:
                    labels[place] = label
                elif labels[place] != label:
                    raise CodekinError(
                        f"rows paired by {self.on} {self.keys[place]!r} have {labels[place]!r} and "
                        f"{label!r} for {field}; all rows of a pair must be in one cluster"
                    )
        return clusters_of(labels)


def shared_tasks(systems: Sequence[SystemRows], on: str | None) -> Tasks:
    """Find the tasks that all systems have.

    Parameters
    ----------
    systems : sequence of SystemRows
    on : str, optional
        The field of their keys; by default ``id``, or ``reference`` where they share no id.
    """
    tried = [on] if on is not None else ["id", "reference"]
    for name in tried:
        labels = [system.labels(name) for system in systems]
        common = set.intersection(*map(set, labels))
        shared = dict.fromkeys(key for key in labels[0] if key is not None and key in common)
        keys: dict[str | None, int] = {key: i for i, key in enumerate(shared)}
        if keys:
            places = [np.array([keys.get(key, -1) for key in own], dtype=np.intp) for own in labels]
            return Tasks(name, list(shared), places, _key_weights(systems, places, len(keys)))
    names = " nor by ".join(tried)
    if len(systems) == 2:
        raise CodekinError(
            f"{systems[0].name} and {systems[1].name} have no row in common by {names}; name a "
            "field that says which rows belong together"
        )
    unnamed = sum(len(system.rows) for system in systems if system.name == NO_GROUP)
    if unnamed:
        verbs = ("names", "counts") if unnamed == 1 else ("name", "count")
        names += (
            f" ({count_text(unnamed, 'row')} {verbs[0]} no system and {verbs[1]} as {NO_GROUP})"
        )
    raise CodekinError(
        f"no task is common to all {len(systems)} systems by {names}; name a field that says which "
        "rows belong together, or compare fewer systems"
    )


def _key_weights(systems: Sequence[SystemRows], places: Sequence[Codes], number: int) -> Floats:
    """The mean weight of the rows with each key."""
    total, rows = np.zeros(number), np.zeros(number)
    for side, own in zip(systems, places, strict=True):
        here = own >= 0
        total += np.bincount(own[here], side.weights[here], minlength=number)
        rows += np.bincount(own[here], minlength=number)
    return total / rows
