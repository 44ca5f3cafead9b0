"""Comparing the submissions of a class: which pairs of students share unusually much."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.errors import CodekinError
from codekin.measures.kin import (
    FAMILY_WEIGHTS,
    FeatureRows,
    FeatureVector,
    feature_rows,
    program_parts,
    whole_weights,
)
from codekin.represent.graph.canonical import canonical_bags
from codekin.represent.graph.features import MAX_OCCURRENCES, Family, families_of, words_of
from codekin.scan.scanned_files import MAX_BYTES, LeftOutFile
from codekin.scan.submission_files import AttemptCode, read_attempts, read_template
from codekin.scan.submission_result import (
    Student,
    SubmissionGroup,
    SubmissionPair,
    Submissions,
)
from codekin.source import Source

__all__ = ["LEVEL", "compare_submissions"]

LEVEL = 5.0
"""The default of how unusual a suspicious pair is."""
_FEWEST = 5
"""Students from which on it is known what is unusual in a class."""
_MOST_PAIRS = 10_000
"""Pairs that a result lists, beyond the suspicious ones."""
_SEQUENCE = len(Family)
"""The number of the family of stretches of tokens, in languages without graphs."""
_LENGTH = 4
"""Tokens of a stretch."""
_WEIGHTS = np.array([*(FAMILY_WEIGHTS[family] for family in Family), 1.0])
_TO_DEVIATION, _MEAN_TO_DEVIATION = 1.4826, 1.2533
"""A normal distribution's standard deviation, by its median and its mean absolute deviation."""

Ids = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float64]
SubmissionProgress = Callable[[int, int], None]
"""Called with the number of attempts that were analysed, and of all attempts."""


@dataclass(frozen=True, eq=False)
class _FeatureCounts:
    """The features of some code by family: each once, sorted, with the number of occurrences."""

    features: dict[int, Ids]
    counts: dict[int, npt.NDArray[np.int64]]

    @classmethod
    def of(cls, sources: Sequence[tuple[str, Source]], left_out: list[LeftOutFile]) -> Self:
        """Those of all sources together; a source that cannot be analysed is left out."""
        bags: dict[int, list[Ids]] = {}
        for name, source in sources:
            try:
                mine = _bags(source)
            except (CodekinError, RecursionError, MemoryError) as error:
                left_out.append(LeftOutFile(name, "unreadable", f"cannot be analysed: {error}"))
                continue
            for family, features in mine:
                bags.setdefault(family, []).append(features)
        found = {
            family: np.unique(np.concatenate(some), return_counts=True)
            for family, some in bags.items()
        }
        return cls(
            {family: pair[0] for family, pair in found.items()},
            {family: pair[1] for family, pair in found.items()},
        )

    def without(self, other: _FeatureCounts) -> _FeatureCounts:
        """What is left if each occurrence in other code takes one away."""
        left = {}
        for family, features in self.features.items():
            counts = self.counts[family].copy()
            theirs = other.features.get(family)
            if theirs is not None:
                _, mine, place = np.intersect1d(
                    features, theirs, assume_unique=True, return_indices=True
                )
                counts[mine] -= np.minimum(counts[mine], other.counts[family][place])
            left[family] = counts
        return _FeatureCounts(self.features, left)

    def numbered(self) -> tuple[Ids, npt.NDArray[np.uint8]]:
        """The set in which the k-th occurrence of a feature is a separate feature."""
        pairs = [
            (family, np.repeat(features, np.minimum(self.counts[family], MAX_OCCURRENCES)))
            for family, features in self.features.items()
        ]
        return _native.feature_set(pairs, MAX_OCCURRENCES)


@dataclass(frozen=True)
class _Attempt:
    """What a result says about an attempt."""

    student: str
    name: str
    files: int
    lines: int
    languages: frozenset[str]

    @classmethod
    def of(cls, code: AttemptCode) -> Self:
        texts = [source for _, source in code.sources]
        lines = sum(len(source.text.splitlines()) for source in texts)
        languages = frozenset(source.language.name for source in texts)
        return cls(code.student, code.name, len(texts), lines, languages)


def _bags(source: Source) -> list[tuple[int, Ids]]:
    parts = program_parts(source)
    words = words_of(parts).ids
    bags = [(int(Family.TOKEN), words)]
    if parts.graph is not None:
        return [*((int(bag.family), bag.features) for bag in canonical_bags(parts.graph)), *bags]
    if len(words) < _LENGTH:
        return bags
    factors = np.array([3, 5, 7, 11], np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    stretches = np.lib.stride_tricks.sliding_window_view(words, _LENGTH)
    mixed = (stretches ^ (stretches >> np.uint64(29))) * factors
    return [*bags, (_SEQUENCE, mixed.sum(axis=1, dtype=np.uint64))]


def compare_submissions(
    folder: str | Path,
    *,
    template: str | Path | None = None,
    attempts: bool = False,
    level: float = LEVEL,
    max_bytes: int = MAX_BYTES,
    report: SubmissionProgress | None = None,
) -> Submissions:
    """Rank pairs of students by how unusually much code they share.

    A pair's score is the share of the lighter program's features that the other has, too: kin's
    containment, with features that mirrored comparisons, negated conditions and updates written
    differently do not change. The more students have a feature, the less it weighs. Programs in
    different languages are compared as well. A high score is not a proof: read the code.

    Parameters
    ----------
    folder : str or Path
        Has a file, a folder or a zip file per student. May be a zip file itself.
    template : str or Path, optional
        Starter code, which is not counted: a file, a folder or a zip file.
    attempts : bool
        Whether each entry of a student's folder is an attempt; then the most similar attempts of
        two students count.
    level : float
        How unusual a suspicious pair is, in robust standard deviations.
    max_bytes : int
        Longer files are left out.
    report : callable, optional
        Called with the progress.

    Returns
    -------
    Submissions

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from codekin.whole_files import whole_file
    >>> anna = "def f(a, n):\\n  i = 0\\n  while i < n:\\n    a[i] *= 3\\n    i += 1\\n"
    >>> ben = "def g(b, m):\\n  k = 0\\n  while m > k:\\n    b[k] *= 3\\n    k = k + 1\\n"
    >>> carl = "def f(a, n):\\n  return [3 * x for x in a[:n]]\\n"
    >>> texts = {"anna": anna, "ben": ben, "carl": carl}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name, text in texts.items():
    ...         with whole_file(Path(folder, f"{name}.py")) as stream:
    ...             _ = stream.write(text.encode())
    ...     found = compare_submissions(folder)
    >>> [(pair.first, pair.second, round(pair.score, 1)) for pair in found.pairs[:1]]
    [('anna', 'ben', 1.0)]
    """
    if not level > 0:
        raise CodekinError(f"submissions: level must be positive, not {level}")
    starter = _FeatureCounts({}, {})
    left_out: list[LeftOutFile] = []
    if template is not None:
        texts, left_out = read_template(template, max_bytes=max_bytes)
        starter = _FeatureCounts.of(texts, left_out)
    read, more = read_attempts(folder, attempts=attempts, max_bytes=max_bytes)
    left_out = [*left_out, *more]
    sets: list[tuple[Ids, npt.NDArray[np.uint8]]] = []
    kept: list[_Attempt] = []
    count = len(read)
    read.reverse()
    while read:
        one = read.pop()  # with its syntax trees and graphs
        counts = _FeatureCounts.of(one.sources, left_out).without(starter)
        features, ordinals = counts.numbered()
        if len(features):
            sets.append((features, ordinals))
            kept.append(_Attempt.of(one))
        else:
            what = "has nothing but the template" if template is not None else "has no code"
            name = f"{one.student}/{one.name}" if one.name else one.student
            left_out.append(LeftOutFile(name, "ignored", what))
        if report is not None:
            report(count - len(read), count)
    left_out.sort(key=lambda one: one.path)
    students = _students(kept)
    _check_class(folder, students, left_out)
    names = [one.student for one in kept]
    first = np.array([names.index(one.name) for one in students], np.int64)
    pairs, number = _ranked_pairs(feature_rows(_vectors(sets, first)), first, kept, level)
    return Submissions(
        pairs=pairs,
        groups=_groups(pairs),
        students=students,
        all_pairs=number,
        level=level,
        known_class=len(students) >= _FEWEST,
        template=template is not None,
        left_out=tuple(left_out),
    )


def _students(kept: Sequence[_Attempt]) -> tuple[Student, ...]:
    by_name: dict[str, list[_Attempt]] = {}
    for one in kept:
        by_name.setdefault(one.student, []).append(one)
    return tuple(
        Student(
            name,
            len(mine),
            sum(one.files for one in mine),
            sum(one.lines for one in mine),
            tuple(sorted({language for one in mine for language in one.languages})),
        )
        for name, mine in by_name.items()
    )


def _check_class(
    folder: str | Path, students: Sequence[Student], left_out: Sequence[LeftOutFile]
) -> None:
    if len(students) > 1:
        return
    named = "; ".join(f"{one.path} {one.reason}" for one in left_out[:3])
    skipped = f" Skipped: {named}{'; …' if len(left_out) > 3 else ''}." if named else ""
    who = f"only {students[0].name} has code" if students else "no student has code"
    raise CodekinError(
        f"{folder}: {who}, so there is nothing to compare; put one file, folder or zip file per "
        f"student into the folder.{skipped}"
    )


def _vectors(
    sets: Sequence[tuple[Ids, npt.NDArray[np.uint8]]], first: npt.NDArray[np.int64]
) -> list[FeatureVector]:
    """The features of attempts, weighted by how few students have them.

    What two students have weighs as much as what one has: a copy shall not make it common.
    """
    ends = [*first[1:].tolist(), len(sets)]
    of_students = [
        np.unique(np.concatenate([features for features, _ in sets[start:end]]))
        for start, end in zip(first.tolist(), ends, strict=True)
    ]
    known, having = np.unique(np.concatenate(of_students), return_counts=True)
    rarity = np.log((len(first) + 1 / 2) / (np.maximum(having, 2) + 1 / 8))
    vectors = []
    for features, ordinals in sets:
        exact = _WEIGHTS[families_of(features)] * rarity[np.searchsorted(known, features)]
        exact /= ordinals.astype(np.float64) ** 2
        weights = whole_weights(exact)
        vectors.append(FeatureVector(features, weights, (int(weights.sum(dtype=np.int64)),)))
    return vectors


def _ranked_pairs(
    rows: FeatureRows, first: npt.NDArray[np.int64], kept: Sequence[_Attempt], level: float
) -> tuple[tuple[SubmissionPair, ...], int]:
    shared = rows.all_shared()
    scores = shared / np.minimum(rows.totals[:, None], rows.totals[None, :])
    best = np.maximum.reduceat(np.maximum.reduceat(scores, first, axis=0), first, axis=1)
    left, right = np.triu_indices(len(first), 1)
    values = best[left, right]
    known = len(first) >= _FEWEST
    unusual = _unusual(best, left, right) if known else values
    below = np.searchsorted(np.sort(unusual), unusual, side="left") / len(unusual)
    order = np.lexsort((right, left, -values, -unusual))
    suspicious = known & (unusual[order] >= level)
    ends = np.append(first[1:], len(kept))
    pairs = []
    for place in order[: max(_MOST_PAIRS, int(suspicious.sum()))].tolist():
        i, j = int(left[place]), int(right[place])
        block = scores[first[i] : ends[i], first[j] : ends[j]]
        one, two = divmod(int(block.argmax()), block.shape[1])
        one, two = int(first[i]) + one, int(first[j]) + two
        pairs.append(
            SubmissionPair(
                first=kept[one].student,
                second=kept[two].student,
                score=float(values[place]),
                first_share=float(shared[one, two] / rows.totals[one]),
                second_share=float(shared[one, two] / rows.totals[two]),
                unusual=float(unusual[place]) if known else None,
                quantile=float(below[place]),
                suspicious=bool(known and unusual[place] >= level),
                first_attempt=kept[one].name,
                second_attempt=kept[two].name,
            )
        )
    return tuple(pairs), len(values)


def _unusual(scores: Floats, left: npt.NDArray[np.intp], right: npt.NDArray[np.intp]) -> Floats:
    """How far the score of each pair is above what is usual for these two, in deviations.

    Usual is the mean of the median scores of the two students with all others. The deviation is
    estimated from the median absolute one, or from the mean where most are zero.
    """
    others = scores.copy()
    np.fill_diagonal(others, np.nan)
    usual = np.nanmedian(others, axis=1)
    above = scores[left, right] - (usual[left] + usual[right]) / 2
    above -= np.median(above)
    deviation = _TO_DEVIATION * np.median(np.abs(above))
    if deviation < 1e-9:
        deviation = max(_MEAN_TO_DEVIATION * np.mean(np.abs(above)), 1e-9)
    return np.asarray(above / deviation)


def _groups(pairs: Sequence[SubmissionPair]) -> tuple[SubmissionGroup, ...]:
    """Students that suspicious pairs connect, the largest group first."""
    group_of: dict[str, set[str]] = {}
    for pair in pairs:
        if pair.suspicious:
            one = group_of.setdefault(pair.first, {pair.first})
            two = group_of.setdefault(pair.second, {pair.second})
            if one is not two:
                one |= two
                group_of.update(dict.fromkeys(two, one))
    groups = {tuple(sorted(members)) for members in group_of.values()}
    linked = Counter(tuple(sorted(group_of[one.first])) for one in pairs if one.suspicious)
    ranked = sorted(groups, key=lambda one: (-len(one), one))
    return tuple(
        SubmissionGroup(number, members, linked[members])
        for number, members in enumerate(ranked, 1)
    )
