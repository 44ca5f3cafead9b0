"""evaluate_outcomes: how closely measures follow the outcomes of rows, such as tests passed."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from codekin.errors import CodekinError
from codekin.evaluation.judgement import MeasureCorrelation
from codekin.evaluation.outcome_judgement import (
    FEWEST_GROUPS,
    CorrelationDifference,
    Correlations,
    GroupPoint,
    OutcomeEffect,
    OutcomeJudgement,
    Perturbed,
    ScoreTenth,
    Spread,
    WrongRow,
)
from codekin.evaluation.scored_runs import (
    BASELINE,
    finished_run,
    first_problem,
    kind_of,
    measures_of,
    needs_kind,
    oriented,
    refuse_one_outcome,
    run_folder,
    with_baseline,
)
from codekin.measures import measure
from codekin.rewrite import shared_prefix
from codekin.runs.columns import to_numpy
from codekin.runs.failures import failures, unread_outcomes
from codekin.runs.row import Row, known_fields, row_of
from codekin.runs.rows import Record
from codekin.runs.run import Run, RunMeasure, read_fields, read_scores
from codekin.runs.scoring import score
from codekin.runs.settings import FIELDS, RowTexts, Settings
from codekin.runs.shard_scoring import RecentSources
from codekin.runs.summaries import clusters_of, numbered
from codekin.source import Source
from codekin.statistics.association import (
    Association,
    associations,
    correlation_differences,
    group_agreement,
    pearson_of,
)
from codekin.statistics.bootstrap import UNKNOWN, Estimate, bootstrap
from codekin.statistics.correlation import correlation_matrix
from codekin.statistics.outcome_probability import equal_bins
from codekin.statistics.paired import holm
from codekin.statistics.reasons import MISSING
from codekin.statistics.resampling import Floats, check_resampling

__all__ = [
    "Chosen",
    "Codes",
    "CorrelationDifference",
    "Correlations",
    "Edits",
    "GroupPoint",
    "NumberedScores",
    "OutcomeEffect",
    "OutcomeJudge",
    "OutcomeJudgement",
    "OutcomeRows",
    "Perturbed",
    "ScoreTenth",
    "Spread",
    "WrongRow",
    "check_perturbation",
    "evaluate_outcomes",
    "judge_outcomes",
    "perturbed_runs",
    "resamples_of_differences",
    "row_seed",
    "score_tenths",
]


_PREFIX = re.compile(r"prefix:[0-9]{1,9}(-[0-9]{1,9})?")
_LONGEST = 1_000_000
_SAME = measure("exact", tokens=True)
_KEPT = measure("nes", unit="tokens")
_LENGTH = measure(BASELINE)
_REWRITTEN = 0.5
"""A reference that edits at least this share of its origin is a rewrite rather than a revision."""
_NOTES = ("unchanged", "equal", "edited")
"""The names of notes; fields of the input with these names are dropped."""


@dataclass(frozen=True)
class Edits:
    """Rows of predictions or edits, each as it is or perturbed.

    Parameters
    ----------
    perturb : str or None
        ``prefix:2000-3000`` puts the same random text of 2,000 to 3,000 characters before origin,
        references and candidate.
    seed : int
    """

    fields: ClassVar[tuple[str, ...]] = FIELDS
    most: ClassVar[int] = 1
    perturb: str | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.perturb is not None:
            check_perturbation(self.perturb)

    def describe(self) -> dict[str, Any]:
        """How the manifest records it."""
        return {"kind": "outcomes", "perturb": self.perturb, "seed": self.seed}

    def rows(
        self, record: Record, number: int, settings: Settings, detect: Callable[[Row], None]
    ) -> Iterator[Row]:
        """The row, after the prefix if there is one."""
        assert record.fields is not None
        given = known_fields(record, settings.columns)
        known = {name: value for name, value in given.items() if name not in _NOTES}
        row = row_of(known, record.where, number, settings)
        if self.perturb is None or row.problem is not None:
            yield row
            return
        assert row.candidate is not None
        seed = row_seed(self.seed, number)
        prefix = shared_prefix(*_bounds(self.perturb), seed)
        detect(row)  # before the prefix is added, which is not code
        yield replace(
            row,
            candidate=prefix + row.candidate,
            references=tuple(prefix + text for text in row.references or ()),
            origin=None if row.origin is None else prefix + row.origin,
        )

    def notes(self, texts: RowTexts) -> dict[str, Any]:
        """Whether the candidate equals the origin or a reference, and how much the latter edits.

        Layout and comments are ignored, since no test sees them. A reference edits as many tokens
        as its edit distance from the origin, as a share of the longer one; the closest one counts.
        """
        if self.perturb is not None:
            return {}
        notes: dict[str, Any] = {}
        if texts.origin is not None:
            notes["unchanged"] = _same(texts.candidate, texts.origin)
            kept = (_KEPT.score(one, texts.origin).value for one in texts.references)
            notes["edited"] = round(1 - max(kept, default=1.0), 6)
        notes["equal"] = any(_same(texts.candidate, one) for one in texts.references)
        return notes


def row_seed(seed: int, number: int) -> int:
    """A separate seed for each record of the input."""
    return seed * 1_000_003 + number


def _same(first: Source, second: Source) -> bool:
    return _SAME.score(first, second).value == 1.0


def check_perturbation(word: str) -> None:
    """Refuse anything but a perturbation, and show how one is written."""
    if _PREFIX.fullmatch(word) is None:
        raise CodekinError(
            f"unknown perturbation {word!r}; write prefix:2000-3000, with the least and the most "
            "characters"
        )
    least, most = _bounds(word)
    if not least <= most <= _LONGEST:
        raise CodekinError(
            f"perturbation {word!r}: write prefix:LEAST-MOST, of at most {_LONGEST:,} characters"
        )


def _bounds(word: str) -> tuple[int, int]:
    """The least and the most characters of a prefix."""
    least, _, most = word.removeprefix("prefix:").partition("-")
    return int(least), int(most or least)


Codes = npt.NDArray[np.intp]
Chosen = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class OutcomeRows:
    """The rows of a run, one per position of every list and array."""

    numbers: npt.NDArray[np.int64]
    ids: list[str]
    groups: list[str | None]
    outcome: Floats
    tasks: Codes
    unchanged: Chosen
    equal: Chosen
    edited: Floats
    values: Mapping[str, Floats]

    @property
    def binary(self) -> bool:
        """Whether every outcome is 0 or 1."""
        known = self.outcome[np.isfinite(self.outcome)]
        return bool(np.isin(known, (0.0, 1.0)).all())

    @property
    def rarer(self) -> int | None:
        """How many rows have the rarer outcome; None unless every outcome is 0 or 1."""
        if not self.binary:
            return None
        return int(min((self.outcome == 0).sum(), (self.outcome == 1).sum()))

    def tasks_of(self, chosen: Chosen) -> int:
        """The number of tasks of the chosen rows."""
        return len(np.unique(self.tasks[chosen]))


def _read_rows(run: Run, task: str) -> OutcomeRows:
    """The rows of a run, which must have outcomes.

    Parameters
    ----------
    run : Run
    task : str
        The field that names the task of a row.
    """
    table = run.table(["row", "id", "group", "outcome", "fields"])
    outcome = to_numpy(table.column("outcome")).astype(np.float64)
    if not np.isfinite(outcome).any():
        raise CodekinError(
            "no row has an outcome; give each row a number as its 'outcome', or name the column "
            f"that has it, as --columns outcome=NAME or columns={{'outcome': NAME}}"
            f"{first_problem(run)}"
        )
    refuse_one_outcome(outcome[np.isfinite(outcome)], "a judgement by outcomes")
    fields = [read_fields(text) for text in table.column("fields").to_pylist()]
    if run.manifest["asked"]["view"] is None:
        fields = _notes(run, fields)
    return OutcomeRows(
        numbers=to_numpy(table.column("row")),
        ids=table.column("id").to_pylist(),
        groups=table.column("group").to_pylist(),
        outcome=outcome,
        tasks=clusters_of(run.labels_of(task)),
        unchanged=np.array([bool(one.get("unchanged")) for one in fields], dtype=bool),
        equal=np.array([bool(one.get("equal")) for one in fields], dtype=bool),
        edited=np.array([one.get("edited", math.nan) for one in fields], dtype=np.float64),
        values=_with_lengths(run, _scores_of(run).values),
    )


def _notes(run: Run, fields: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The notes that a run of plain scores lacks, from its texts if it kept them."""
    noted = []
    for known, texts in zip(fields, _texts_of(run), strict=True):
        one = known
        if texts is not None:
            with suppress(CodekinError):  # what cannot be parsed equals nothing
                one = {**one, **Edits().notes(texts)}
        noted.append(one)
    return noted


def _texts_of(run: Run) -> Iterator[RowTexts | None]:
    """The texts of each row; None where a row has none or the run did not keep them."""
    columns = ["candidate", "references", "origin", "language", "reference_language", "problem"]
    recent = RecentSources()
    for row in (row for shard in run.shards(columns) for row in shard.to_pylist()):
        if row["candidate"] is None or row["problem"] is not None:
            yield None
            continue
        origin, language = row["origin"], row["language"]
        yield RowTexts(
            Source(row["candidate"], language),
            tuple(recent.get((text, row["reference_language"])) for text in row["references"]),
            None if origin is None else recent.get((origin, language)),
        )


def _with_lengths(run: Run, values: Mapping[str, Floats]) -> dict[str, Floats]:
    """Scores with those by the baseline, from the texts if a run of plain scores lacks them."""
    if BASELINE in values or kind_of(run) is not None or not run.manifest["asked"]["texts"]:
        return dict(values)
    lengths = np.full(run.rows, np.nan)
    for place, texts in enumerate(_texts_of(run)):
        if texts is not None:
            with suppress(CodekinError):  # as in a run, a text that cannot be read has no score
                lengths[place] = _LENGTH.score(texts.candidate, references=texts.references).value
    return {**values, BASELINE: lengths}


def _measures_with_baseline(run: Run) -> tuple[list[RunMeasure], RunMeasure]:
    """The measures of a run without the baseline, and the baseline, also if it lacks it."""
    if any(one.label == BASELINE for one in run.measures) or kind_of(run) is not None:
        return measures_of(run)
    if not run.manifest["asked"]["texts"]:
        labels = ",".join(one.label for one in run.measures)
        raise CodekinError(
            f"{run.path}: was not scored by {BASELINE!r}, the baseline of every result, and has no "
            "texts from which it could be computed now; score the rows again: codekin evaluate "
            f"outcomes ROWS -m {labels}"
        )
    baseline = RunMeasure(
        BASELINE, _LENGTH.signature(), _LENGTH.distance, False, _LENGTH.summary, _LENGTH
    )
    return list(run.measures), baseline


@dataclass(frozen=True)
class NumberedScores:
    """The scores of a run, with the positions of its rows in the input."""

    numbers: npt.NDArray[np.int64]
    values: Mapping[str, Floats]


def _scores_of(run: Run) -> NumberedScores:
    """The scores by every measure of a run."""
    columns = read_scores(run)
    return NumberedScores(
        to_numpy(run.table(["row"]).column("row")),
        {one.measure.label: one.values for one in columns},
    )


_WORST = 20
_FEW_TASKS = 10
"""With fewer tasks, correlations within tasks have no interval."""
_UNCHANGED = "no row could be changed and scored in both forms"
_TIMES_BELOW = 5
"""The smallest p of a difference, corrected for all comparisons, is this much below 1 - level."""
_MOST_RESAMPLES = 50_000
"""Of differences, unless more are asked for."""


def resamples_of_differences(comparisons: int, resamples: int, level: float) -> int:
    """The resamples it takes for a p-value that is small even after Holm's correction.

    Examples
    --------
    Of 21 measures, and of three:

    >>> resamples_of_differences(210, 2000, 0.95), resamples_of_differences(3, 2000, 0.95)
    (21000, 2000)
    """
    needed = math.ceil(round(comparisons * _TIMES_BELOW / (1 - level), 6))
    return max(resamples, min(needed, _MOST_RESAMPLES))


class OutcomeJudge:
    """Computes correlations over the rows of a run, all from the same resamples."""

    def __init__(self, read: OutcomeRows, how: Mapping[str, Any]) -> None:
        self._read = read
        self._how = dict(how)
        known = np.isfinite(read.outcome)
        self.unit = "task" if 1 < read.tasks_of(known) < int(known.sum()) else "row"
        self._groups, names = numbered(read.groups)
        self._names = [name for name in names if name is not None]
        # A row without a group is a cluster of its own.
        self._group_clusters = clusters_of(read.groups)

    def _clusters(self, chosen: Chosen) -> Codes | None:
        if self.unit == "row":
            return None
        codes: Codes = np.unique(self._read.tasks[chosen], return_inverse=True)[1]
        return codes

    def correlations(self, columns: Sequence[Floats], chosen: Chosen) -> list[Correlations]:
        """How closely each column follows the outcome over some rows."""
        outcome = self._read.outcome[chosen]
        given = [column[chosen] for column in columns]
        ways: dict[str, list[Association] | None] = {
            "row": associations(given, outcome, **self._how)
        }
        for name, codes in (("task", self._read.tasks), ("group", self._group_clusters)):
            units = np.unique(codes[chosen], return_inverse=True)[1]
            number = int(units.max(initial=-1)) + 1
            apart = 1 < number < len(outcome)
            ways[name] = (
                associations(given, outcome, clusters=units, **self._how) if apart else None
            )
        within = self._within(given, outcome, self._read.tasks[chosen])
        return [replace(_correlations(i, ways), within=within[i]) for i in range(len(columns))]

    def _within(self, columns: Sequence[Floats], outcome: Floats, tasks: Codes) -> list[Estimate]:
        """Pearson's r of each column with the outcome, both minus the means of their task."""
        units = np.unique(tasks, return_inverse=True)[1]
        if len(outcome) == len(np.unique(units)):  # every row is its task's mean
            return [MISSING for _ in columns]
        estimands = []
        for column in columns:
            # Means of scores and outcomes alike are over the rows that have a score.
            known = np.isfinite(column)
            estimands.append(
                pearson_of(_less_means(column, units, known), _less_means(outcome, units, known))
            )
        if len(np.unique(units)) < _FEW_TASKS:
            return [Estimate(one.value, UNKNOWN, UNKNOWN) for one in estimands]
        return bootstrap(estimands, clusters=units, **self._how)

    def effects(
        self, measures: Sequence[RunMeasure], changed: Sequence[tuple[str, NumberedScores]]
    ) -> list[OutcomeEffect]:
        """Everything about each measure."""
        read = self._read
        columns = [oriented(one, read.values[one.label]) for one in measures]
        known = np.isfinite(read.outcome)
        every = self.correlations(columns, known)
        some: dict[str, list[Correlations] | None] = {}
        for name, left_out in (
            ("without_unchanged", read.unchanged),
            ("without_equal", read.equal),
            ("without_both", read.unchanged | read.equal),
        ):
            there = bool((left_out & known).any())
            some[name] = self.correlations(columns, known & ~left_out) if there else None
        if not (read.unchanged & known).any() or not (read.equal & known).any():
            some["without_both"] = None
        perturbed = [self._perturbed(word, measures, scores) for word, scores in changed]
        found = []
        for i, one in enumerate(measures):
            tau, why_not = self._agreement(columns[i], known)
            scored = np.isfinite(columns[i]) & known
            found.append(
                OutcomeEffect(
                    label=one.label,
                    signature=one.signature,
                    distance=one.distance,
                    n=int(scored.sum()),
                    failed=int((known & ~scored).sum()),
                    every=every[i],
                    **{name: None if them is None else them[i] for name, them in some.items()},
                    groups_kendall=tau,
                    groups_reason=why_not,
                    groups=tuple(self._points(one, scored)),
                    perturbed=tuple(them[i] for them in perturbed),
                    tenths=score_tenths(
                        read.values[one.label], read.outcome, distance=one.distance
                    ),
                )
            )
        return found

    def _agreement(self, column: Floats, known: Chosen) -> tuple[Estimate, str | None]:
        named = known & np.array([name is not None for name in self._read.groups], dtype=bool)
        if len(self._names) < 2:
            return MISSING, "the rows have fewer than two groups"
        if len(self._names) < FEWEST_GROUPS:
            return MISSING, (
                f"it takes at least {FEWEST_GROUPS} groups, not {len(self._names)}; fewer are "
                "often in the same order by chance"
            )
        groups = np.unique(self._groups[named], return_inverse=True)[1]
        return group_agreement(
            column[named],
            self._read.outcome[named],
            groups,
            clusters=self._clusters(named),
            **self._how,
        )

    def _points(self, one: RunMeasure, scored: Chosen) -> Iterator[GroupPoint]:
        values, outcome = self._read.values[one.label], self._read.outcome
        codes, names = numbered(self._read.groups)
        for code, name in enumerate(names):
            here = scored & (codes == code)
            if name is None or not here.any():
                continue
            column = oriented(one, values[here])
            r = float(correlation_matrix([column, outcome[here]])[0, 1])
            reason = None
            if not math.isfinite(r):
                reason = _why_no_correlation(column, outcome[here])
            mean, passed = float(values[here].mean()), float(outcome[here].mean())
            yield GroupPoint(name, int(here.sum()), mean, passed, r, reason)

    def _perturbed(
        self, word: str, measures: Sequence[RunMeasure], scores: NumberedScores
    ) -> list[Perturbed]:
        """Each measure on the rows that could be changed, before and after."""
        read = self._read
        _, here, there = np.intersect1d(read.numbers, scores.numbers, return_indices=True)
        forms = []
        for one in measures:
            before, after = np.full((2, len(read.numbers)), np.nan)
            before[here] = read.values[one.label][here]
            after[here] = scores.values[one.label][there]
            both = np.isfinite(before) & np.isfinite(after) & np.isfinite(read.outcome)
            forms.append((np.where(both, before, np.nan), np.where(both, after, np.nan), both))
        columns = [
            oriented(one, column)
            for one, form in zip(measures, forms, strict=True)
            for column in form[:2]
        ]
        rows = np.logical_or.reduce([both for _, _, both in forms])
        found = self.correlations(columns, rows)
        losses = correlation_differences(
            [column[rows] for column in columns],
            read.outcome[rows],
            [(2 * i, 2 * i + 1) for i in range(len(measures))],
            clusters=self._clusters(rows),
            **self._how,
        )
        return [
            Perturbed(
                name=word,
                n=int(both.sum()),
                plain=found[2 * i],
                changed=found[2 * i + 1],
                loss=losses[i].difference,
                plain_mean=float(before[both].mean()) if both.any() else math.nan,
                changed_mean=float(after[both].mean()) if both.any() else math.nan,
                unmoved=float(np.mean(before[both] == after[both])) if both.any() else math.nan,
                reason=losses[i].reason if both.any() else _UNCHANGED,
            )
            for i, (before, after, both) in enumerate(forms)
        ]

    def differences(self, measures: Sequence[RunMeasure]) -> list[CorrelationDifference]:
        """The difference of correlations with the outcome, for every two measures.

        From more resamples where there are many; see :func:`resamples_of_differences`.
        """
        read = self._read
        known = np.isfinite(read.outcome)
        pairs = list(combinations(range(len(measures)), 2))
        how = self._how
        resamples = resamples_of_differences(len(pairs), how["resamples"], how["level"])
        found = correlation_differences(
            [oriented(one, read.values[one.label])[known] for one in measures],
            read.outcome[known],
            pairs,
            clusters=self._clusters(known),
            **(how | {"resamples": resamples}),
        )
        adjusted = holm([one.p for one in found]) if found else []
        return [
            CorrelationDifference(
                measures[i].label,
                measures[j].label,
                one.n,
                one.difference,
                one.p,
                float(after),
                one.reason,
            )
            for (i, j), one, after in zip(pairs, found, adjusted, strict=True)
        ]


def _less_means(values: Floats, units: Codes, known: Chosen) -> Floats:
    """The values minus the mean of their unit; nan where unknown."""
    counts = np.bincount(units[known], minlength=int(units.max(initial=-1)) + 1)
    sums = np.bincount(units[known], values[known], minlength=len(counts))
    left = np.full(len(values), np.nan)
    left[known] = values[known] - (sums / np.maximum(counts, 1))[units[known]]
    # Mere rounding errors are 0.
    left[np.abs(left) < 1e-12 * max(1.0, float(np.abs(values[known]).max(initial=0)))] = 0.0
    return left


def _why_no_correlation(column: Floats, outcome: Floats) -> str:
    if len(column) < 2:
        return "it has only one row"
    if np.ptp(outcome) == 0:
        return f"all of its rows have the same outcome ({outcome[0]:g})"
    return "all of its scores are equal"


def _correlations(place: int, ways: Mapping[str, list[Association] | None]) -> Correlations:
    """The values of a column, with intervals by each unit of resampling."""

    def spread(read: Callable[[Association], Estimate]) -> Spread:
        by = {name: read(found[place]) if found else None for name, found in ways.items()}
        plain = by["row"]
        assert plain is not None
        intervals = {name: UNKNOWN if one is None else one.known for name, one in by.items()}
        return Spread(plain.value, **intervals)

    rows = ways["row"]
    assert rows is not None
    return Correlations(
        n=rows[place].n,
        pearson=spread(lambda one: one.pearson),
        spearman=spread(lambda one: one.spearman),
        kendall=spread(lambda one: one.kendall),
        auc=spread(lambda one: one.auc),
        reason=rows[place].reason,
    )


def score_tenths(
    scores: Floats, outcome: Floats, *, distance: bool = False
) -> tuple[ScoreTenth, ...]:
    """The mean outcome by tenths of the scores, equal scores together, the least alike first.

    Empty for fewer than two rows that have both.
    """
    usable = np.isfinite(scores) & np.isfinite(outcome)
    if usable.sum() < 2:
        return ()
    scores, outcome = scores[usable], outcome[usable]
    return tuple(
        ScoreTenth(
            float(scores[rows].min()),
            float(scores[rows].max()),
            len(rows),
            float(outcome[rows].mean()),
        )
        for rows in equal_bins(-scores if distance else scores)
    )


def _wrong_rows(read: OutcomeRows, one: RunMeasure) -> tuple[WrongRow, ...]:
    """The rows on which score and outcome disagree most, each standardized.

    They disagree if one is above its mean and the other below.
    """
    values = oriented(one, read.values[one.label])
    both = np.isfinite(values) & np.isfinite(read.outcome)
    if not both.any() or np.ptp(values[both]) == 0 or np.ptp(read.outcome[both]) == 0:
        return ()
    margins = np.zeros(len(values))
    score, outcome = _standard(values[both]), _standard(read.outcome[both])
    margins[both] = np.where(score * outcome < 0, score - outcome, 0.0)
    worst = np.argsort(-np.abs(margins), kind="stable")[:_WORST]
    return tuple(
        WrongRow(
            read.ids[i],
            read.groups[i],
            float(read.values[one.label][i]),
            float(read.outcome[i]),
            float(margins[i]),
        )
        for i in worst
        if margins[i]
    )


def _standard(values: Floats) -> Floats:
    standard: Floats = (values - values.mean()) / values.std()
    return standard


def evaluate_outcomes(
    rows: Any,
    measures: Any = None,
    *,
    perturb: str | Sequence[str] = (),
    task: str | None = None,
    resamples: int = 2000,
    seed: int = 0,
    level: float = 0.95,
    output: str | Path | None = None,
    resume: bool = False,
    **job: Any,
) -> OutcomeJudgement:
    """Judge measures by the outcomes of rows, such as whether tests passed.

    Parameters
    ----------
    rows : rows of any kind, or a run
        Predictions or edits with an ``outcome``, and optionally ``group``. A run of such rows is
        judged without scoring it again.
    measures : str, Measure, any object with a ``score``, or a sequence of them, optional
        Every measure by default. The baseline that sees only lengths is added.
    perturb : str or sequence of str
        Changes that keep the outcome, each scored as well: ``prefix:2000-3000`` puts random text
        of as many characters before origin, references and candidate.
    task : str
        The field that names the task of a row; by default the id if rows share ids, and otherwise
        rows with the same references and origin are one task.
    resamples, seed : int
        Of the bootstrap; the seed is also that of perturbations.
    level : float
        Of the intervals.
    output : str or Path, optional
        The folder of the run to write. Perturbed forms are runs in its folder ``perturbed``.
    resume : bool
        Resume the runs in `output`.
    **job
        As for :func:`codekin.score`: `workers`, `executor`, `columns` and so on.

    Examples
    --------
    >>> rows = [
    ...     {"candidate": f"x = {i % 2}", "reference": "x = 1", "language": "python",
    ...      "outcome": i % 2, "group": f"model {i % 3}"}
    ...     for i in range(60)
    ... ]
    >>> judgement = evaluate_outcomes(rows, "exact", workers=0, resamples=200)
    >>> round(judgement.measures[0].every.pearson.value, 6)
    1.0
    """
    check_resampling(resamples, seed, level)
    words = list(dict.fromkeys([perturb] if isinstance(perturb, str) else perturb))
    for word in words:
        check_perturbation(word)
    how = {"task": task, "resamples": resamples, "seed": seed, "level": level}
    run = finished_run(rows, measures, output=output, **job)
    if run is not None:
        if words:
            raise CodekinError(
                f"{run.path}: is a run, which already has its perturbed rows; name the rows to "
                "score other perturbations"
            )
        return judge_outcomes(run, **how)  # type: ignore[arg-type]
    given = _readable_again(rows) if words else rows
    chosen = with_baseline(measures, origin=True)
    with run_folder(output, rows) as folder:

        def scored(place: Path, word: str | None) -> Run:
            go_on = resume and (place / "manifest.json").exists()
            view = Edits(word, seed)
            return score(given, chosen, output=place, resume=go_on, view=view, **job)

        run = scored(folder, None)
        for word in words:
            scored(_perturbed(folder, word), word)
        return judge_outcomes(run, **how)  # type: ignore[arg-type]


def _readable_again(rows: Any) -> Any:
    """Rows that can be read once per perturbation."""
    named = rows if isinstance(rows, list | tuple) else [rows]
    if any(isinstance(one, str) and one == "-" for one in named):
        raise CodekinError("perturbations read the rows more than once; name a file instead of -")
    return list(rows) if isinstance(rows, Iterator) else rows


def _perturbed(folder: Path, word: str) -> Path:
    return folder / "perturbed" / word.replace(":", "-")


def perturbed_runs(run: Run) -> list[tuple[str, Run]]:
    """The runs of the perturbed rows of a run, each with the perturbation."""
    found = []
    for manifest in sorted(run.path.glob("perturbed/*/manifest.json")):
        if manifest.parent.is_symlink() or manifest.parent.parent.is_symlink():
            raise CodekinError(f"{manifest.parent}: is a link, and no part of the run; delete it")
        one = Run(manifest.parent, [m.measure for m in run.measures if m.measure is not None])
        word = (one.manifest["asked"]["view"] or {}).get("perturb")
        if word is not None:
            found.append((str(word), one))
    return found


def judge_outcomes(
    run: Run,
    *,
    task: str | None = None,
    resamples: int = 2000,
    seed: int = 0,
    level: float = 0.95,
) -> OutcomeJudgement:
    """Judge the measures of a run by the outcomes of its rows.

    Parameters
    ----------
    run : Run
        Of :func:`evaluate_outcomes`, or any run of rows with outcomes that was also scored by
        ``length`` or keeps its texts.
    task : str
        The field that names the task of a row.
    resamples, seed : int
    level : float
    """
    needs_kind(run, ["outcomes", None], "rows with outcomes")
    check_resampling(resamples, seed, level)
    others, baseline = _measures_with_baseline(run)
    if task is None:
        ids = run.labels_of("id")
        task = "id" if len(set(ids)) < len(ids) else "reference"
    read = _read_rows(run, task)
    judge = OutcomeJudge(read, {"resamples": resamples, "seed": seed, "level": level})
    perturbed = perturbed_runs(run)
    changed = [(word, _scores_of(one)) for word, one in perturbed]
    labelled = [*(one for one in others if one is not baseline), baseline]
    known = np.isfinite(read.outcome)
    edited = read.edited[known & np.isfinite(read.edited)]
    # Together, since they share the resamples, and drawing these takes most of the time.
    effects = judge.effects(others if baseline in others else [*others, baseline], changed)
    differences = judge.differences(others)
    return OutcomeJudgement(
        run=run.name,
        complete=run.complete and all(one.complete for _, one in perturbed),
        rows=run.rows,
        without_outcome=int((~known).sum()),
        binary=read.binary,
        rarer=read.rarer,
        unchanged=int((read.unchanged & known).sum()),
        equal=int((read.equal & known).sum()),
        edited=float(np.median(edited)) if len(edited) else None,
        rewrites=tuple(read.ids[i] for i in np.flatnonzero(known & (read.edited >= _REWRITTEN))),
        task=task,
        tasks=read.tasks_of(known),
        groups=len(
            {name for name, there in zip(read.groups, known, strict=True) if there} - {None}
        ),
        drawn=judge.unit,
        failures=tuple(failures(run)),
        unread_outcomes=unread_outcomes(run),
        resamples=resamples,
        difference_resamples=resamples_of_differences(len(differences), resamples, level),
        seed=seed,
        level=level,
        measures=tuple(effects[: len(others)]),
        length=effects[-1],
        differences=tuple(differences),
        perturbations=tuple(word for word, _ in changed),
        correlation=MeasureCorrelation(
            tuple(one.label for one in labelled),
            correlation_matrix([read.values[one.label] for one in labelled]),
        ),
        wrong={one.label: _wrong_rows(read, one) for one in others},
    )
