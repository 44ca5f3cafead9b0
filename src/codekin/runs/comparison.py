"""compare_runs: two systems on the same rows, and whether they differ by more than chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from codekin.errors import CodekinError
from codekin.runs.pairing import Pairing, Side, groups_of, known, pair_up, side_of
from codekin.runs.run import Run, RunMeasure
from codekin.runs.scores import MeasureScores, read_scores
from codekin.runs.summaries import Codes, opened
from codekin.statistics.bootstrap import Estimand, judge_of, mean_of
from codekin.statistics.paired import (
    PairedTest,
    cohen_dz,
    compare_pairs,
    holm_corrected,
    rank_biserial,
    wins_ties_losses,
)
from codekin.statistics.resampling import Floats, check_resampling

__all__ = [
    "MeasureComparison",
    "RowDifference",
    "RunComparison",
    "SkippedMeasure",
    "System",
    "compare_runs",
]


@dataclass(frozen=True)
class System:
    """One of the two systems.

    Attributes
    ----------
    name : str
        Of the run, of the group, or of both: what tells the two systems apart.
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
        The ids of the rows, of the first ones where there are several.
    rows_a, rows_b : int
        How many rows of each system the pair holds.
    a, b, difference : float
        The scores, of several rows their mean, and b minus a.
    """

    key: str
    id_a: str
    id_b: str
    rows_a: int
    rows_b: int
    a: float
    b: float
    difference: float


@dataclass(frozen=True)
class MeasureComparison:
    """Two systems by one measure.

    Attributes
    ----------
    label, signature : str
    distance : bool
        Whether small values mean alike.
    pairs, failed : int
        The pairs that both systems have a score for, and those that were left out.
    mean : PairedTest
        Of the mean scores.
    corpus : PairedTest or None
        Of the corpus values, where the measure has one.
    wins, ties, losses : int
        Pairs in which the second system is better, as good, and worse; of a distance, smaller
        is better.
    cohen_dz, rank_biserial : float
        Effect sizes, with the sign of the difference.
    gains, drops : tuple of RowDifference
        The pairs that the second system does better by most, and worse by most.
    """

    label: str
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

    label: str
    reason: str


@dataclass(frozen=True)
class RunComparison:
    """Two systems on the same rows; all differences are of `b` minus `a`.

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
        How many pairs hold rows of different references, and may not belong together.
    other_versions : tuple of str
        What the runs were scored with in different versions, such as a grammar.
    cluster : str or None
        The field that pairs were drawn and swapped by.
    resamples, seed : int
    level : float
        Of the intervals.
    measures : tuple of MeasureComparison
    skipped : tuple of SkippedMeasure
    """

    a: System
    b: System
    on: str
    pairs: int
    unpaired: tuple[str, ...]
    other_references: int
    other_versions: tuple[str, ...]
    cluster: str | None
    resamples: int
    seed: int
    level: float
    measures: tuple[MeasureComparison, ...]
    skipped: tuple[SkippedMeasure, ...]


def compare_runs(
    a: Run | str | Path,
    b: Run | str | Path | None = None,
    *,
    groups: Sequence[str] | None = None,
    on: str | None = None,
    cluster: str | None = None,
    top: int = 3,
    resamples: int = 5000,
    seed: int = 0,
    level: float = 0.95,
) -> RunComparison:
    """Compare two systems: two runs, or two groups of one.

    Parameters
    ----------
    a : Run, str or Path
        The first system, such as a baseline: a run, or the folder that a job wrote.
    b : Run, str or Path, optional
        The second; the same run by default, of which two groups are compared then.
    groups : two of str, optional
        The group of each system. Of a single run with just two groups, those.
    on : str, optional
        The field that pairs rows: ``id`` by default, or ``reference`` where the two share no id.
        Of several rows with the same key in a system, scores are averaged and statistics summed.
    cluster : str, optional
        A field; pairs that have the same there are drawn and swapped together.
    top : int
        How many of the rows that differ most to name, each way.
    resamples, seed : int
        How many resamples and swaps, and which.
    level : float
        Of the intervals.

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
    first, second = _sides(opened(a), None if b is None else opened(b), groups)
    measures, skipped = _shared(first.run, second.run)
    pairing = pair_up(first, second, on)
    clusters = None if cluster is None else pairing.clusters(cluster, first, second)
    of_a = read_scores(first.run, measures)
    of_b = of_a if second.run is first.run else read_scores(second.run, measures)
    scores = [
        _scores(first, second, one, other, pairing) for one, other in zip(of_a, of_b, strict=True)
    ]
    corpora = [(i, one.corpus) for i, one in enumerate(scores) if one.corpus is not None]
    tests = compare_pairs(
        [(mean_of(s.a, pairing.weights), mean_of(s.b, pairing.weights)) for s in scores]
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
    ids = [_first_ids(first, pairing.of_a, pairing), _first_ids(second, pairing.of_b, pairing)]
    return RunComparison(
        a=_system(first, second, pairing.unpaired_a),
        b=_system(second, first, pairing.unpaired_b),
        on=pairing.on,
        pairs=len(pairing.keys),
        unpaired=pairing.examples,
        other_references=pairing.other_references(first, second),
        other_versions=_other_versions(first.run, second.run),
        cluster=cluster,
        resamples=resamples,
        seed=seed,
        level=level,
        measures=tuple(
            _comparison(one, s, pairing, means[i], of_corpora.get(i), ids, top)
            for i, (one, s) in enumerate(zip(measures, scores, strict=True))
        ),
        skipped=tuple(skipped),
    )


def _sides(a: Run, b: Run | None, groups: Sequence[str] | None) -> tuple[Side, Side]:
    if isinstance(groups, str):
        raise CodekinError(f"groups must be a list of two names, not the text {groups!r}")
    if b is None and groups is None:
        names = list(dict.fromkeys(groups_of(a)))
        if len(names) != 2:
            which = f" (known: {known(names)})" if len(names) > 2 else ""
            raise CodekinError(f"{a.path}: name a second run, or two groups of this one{which}")
        groups = names
    if groups is None:
        groups = ()
    elif len(groups) != 2:
        raise CodekinError(f"name two groups to compare, not {len(groups)}")
    first, second = groups or (None, None)
    if b is None or b.path.resolve() == a.path.resolve():
        b = a
    return side_of(a, first), side_of(b, second)


def _shared(a: Run, b: Run) -> tuple[list[RunMeasure], list[SkippedMeasure]]:
    """The measures that both runs have and mean the same by, and why the others are left out."""
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
        raise CodekinError(f"{a.path} and {b.path} have no measure to compare by ({why})")
    return shared, skipped


def _fingerprint(run: Run, label: str) -> object:
    """Tells parameters that are too long for a signature."""
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
    """What two systems score by one measure, a value a pair, and what they are as corpora."""

    a: Floats
    b: Floats
    corpus: tuple[Estimand, Estimand] | None


def _scores(
    a: Side, b: Side, of_a: MeasureScores, of_b: MeasureScores, pairing: Pairing
) -> _Scores:
    """The scores of the pairs that both systems have one for; nan for the others."""
    values, sums = [], []
    for side, pairs, scores in ((a, pairing.of_a, of_a), (b, pairing.of_b, of_b)):
        values.append(pairing.means(scores.values[side.rows], side.weights, pairs))
        if scores.statistics is not None:
            sums.append(pairing.sums(scores.statistics[side.rows], side.weights, pairs))
    lacking = ~(np.isfinite(values[0]) & np.isfinite(values[1]))
    values[0][lacking] = values[1][lacking] = np.nan
    corpus = None
    # A system that failed in every row has no statistics, and then there is nothing to compare.
    if of_a.value_of is not None and len(sums) == 2:
        for one in sums:
            one[lacking] = 0.0
        judge = judge_of(of_a.value_of)
        corpus = Estimand(sums[0], judge), Estimand(sums[1], judge)
    return _Scores(values[0], values[1], corpus)


def _first_ids(side: Side, pairs: Codes, pairing: Pairing) -> list[str]:
    """Of each pair, the id of a system's first row."""
    ids: list[str] = [""] * len(pairing.keys)
    for pair, label in reversed(list(zip(pairs.tolist(), side.labels("id"), strict=True))):
        if pair >= 0:
            ids[pair] = label or ""
    return ids


def _system(side: Side, other: Side, unpaired: int) -> System:
    run = side.run
    # What is alike in both names tells nothing, unless all is.
    names = [side.group] if run is other.run else [run.name, side.group]
    if run.name == other.run.name and run is not other.run:
        names[0] = str(run.path)
    name = " ".join(one for one in names if one is not None) or run.name
    return System(name, str(run.path), run.complete, len(side.rows), unpaired)


def _comparison(
    one: RunMeasure,
    scores: _Scores,
    pairing: Pairing,
    mean: PairedTest,
    corpus: PairedTest | None,
    ids: Sequence[Sequence[str]],
    top: int,
) -> MeasureComparison:
    wins, ties, losses = wins_ties_losses(scores.a, scores.b, distance=one.distance)
    scored = wins + ties + losses
    differences = scores.b - scores.a
    better = -differences if one.distance else differences

    rows = [np.bincount(of[of >= 0]) for of in (pairing.of_a, pairing.of_b)]

    def named(places: Codes) -> tuple[RowDifference, ...]:
        return tuple(
            RowDifference(
                key=pairing.keys[i],
                id_a=ids[0][i],
                id_b=ids[1][i],
                rows_a=int(rows[0][i]),
                rows_b=int(rows[1][i]),
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
        failed=len(pairing.keys) - scored,
        mean=mean,
        corpus=corpus,
        wins=wins,
        ties=ties,
        losses=losses,
        cohen_dz=cohen_dz(scores.a, scores.b, pairing.weights),
        rank_biserial=rank_biserial(scores.a, scores.b),
        gains=named(_largest(better, top)),
        drops=named(_largest(-better, top)),
    )


def _largest(values: Floats, top: int) -> Codes:
    """The places of the largest positive values, largest first and the earlier of equals."""
    places: Codes = np.flatnonzero(np.nan_to_num(values, nan=0.0) > 1e-12)
    return places[np.argsort(-values[places], kind="stable")[:top]]
