"""How unusually alike two students' programs are: as wholes, and by their most alike files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from codekin.measures.kin import FeatureRows, FeatureVector, feature_rows, whole_weights
from codekin.scan.submission_features import FeatureRarity
from codekin.scan.submission_result import SubmissionPair, UnusualPairs

if TYPE_CHECKING:
    import scipy.sparse

__all__ = [
    "FEWEST",
    "LITTLE",
    "MOST_FILES",
    "USUAL",
    "FeatureSet",
    "RankedPairs",
    "ranked_pairs",
    "weighted_rows",
]

FEWEST = 5
"""Students from which on it is known what is unusual in a class."""
MOST_FILES = 8_000
"""Files of a class that are compared one by one; every two take four bytes."""
_MOST_PAIRS = 10_000
"""Pairs that a result lists, beyond the suspicious ones."""
_MOST_BINS = 60
"""Bins of the distribution of how unusual pairs are."""
_TO_DEVIATION, _MEAN_TO_DEVIATION = 1.4826, 1.2533
"""A normal distribution's standard deviation, by its median and its mean absolute deviation."""
_HIGH, _DEVIATIONS_OF_HIGH = 0.9, 1.2816
"""A high quantile of the most alike files of pairs, and how many deviations of a normal
distribution it is above the median."""
LITTLE, USUAL = 0.1, 0.75
"""The share of the weight that programs of a class have at this quantile below which one has too
little of its own. Half of a class may hand in nothing but the starter code."""
_SMALL = 0.25
"""The weight of a file, by the median of the class, that halves how unusual it can be."""
_ROWS_AT_A_TIME = 500

FeatureSet = tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint8]]
"""The features of some code, and which occurrence each is."""
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class RankedPairs:
    """The pairs that are listed, the number of all, and how unusual all are."""

    pairs: tuple[SubmissionPair, ...]
    number: int
    distribution: UnusualPairs | None


def weighted_rows(sets: Sequence[FeatureSet], rarity: FeatureRarity) -> FeatureRows:
    """Sets of features, weighted by how few students of the class have each."""
    vectors = []
    for features, ordinals in sets:
        weights = whole_weights(rarity.weights(features) / ordinals.astype(np.float64) ** 2)
        vectors.append(FeatureVector(features, weights, (int(weights.sum(dtype=np.int64)),)))
    return feature_rows(vectors)


def ranked_pairs(
    rows: FeatureRows,
    names: Sequence[str],
    of_class: int,
    level: float,
    files: Sequence[tuple[int, str, FeatureSet]],
    rarity: FeatureRarity,
) -> RankedPairs:
    """The pairs of a class, and of its students with old submissions, the most unusual first.

    Parameters
    ----------
    rows : FeatureRows
        The program of each student; those of the class come first.
    names : sequence of str
    of_class : int
        How many are of the class; old submissions are not compared with each other, and do not say
        what is usual.
    level : float
        How unusual a suspicious pair is.
    files : sequence of (int, str, FeatureSet)
        The owner, the name and the features of each file, by owner; none if they are not compared.
    rarity : FeatureRarity
    """
    shared = rows.all_shared()
    scores = shared / np.minimum(rows.totals[:, None], rows.totals[None, :])
    left, right = np.triu_indices(len(names), 1)
    left, right = left[left < of_class], right[left < of_class]
    values = scores[left, right]
    known = of_class >= FEWEST
    unusual, by_file = values, None
    if known:
        inside = right < of_class
        unusual = _unusual(scores, left, right, of_class)
        files = _with_enough(files, of_class, rarity)
        if len(files) > len({owner for owner, _, _ in files}):
            by_file = _FilePairs.of(files, len(names), of_class, rarity)
            unusual = np.maximum(unusual, by_file.unusual(left, right, inside))
    below = np.searchsorted(np.sort(unusual), unusual, side="left") / len(unusual)
    order = np.lexsort((right, left, -values, -unusual))
    suspicious = known & (unusual[order] >= level)
    pairs = []
    for place in order[: max(_MOST_PAIRS, int(suspicious.sum()))].tolist():
        i, j = int(left[place]), int(right[place])
        first_file, second_file, alike = None, None, None
        if by_file is not None:
            first_file, second_file, alike = by_file.most_alike(i, j)
        pairs.append(
            SubmissionPair(
                first=names[i],
                second=names[j],
                score=float(values[place]),
                first_share=float(shared[i, j] / rows.totals[i]),
                second_share=float(shared[i, j] / rows.totals[j]),
                unusual=float(unusual[place]) if known else None,
                quantile=float(below[place]),
                suspicious=bool(known and unusual[place] >= level),
                first_file=first_file,
                second_file=second_file,
                file_score=alike,
            )
        )
    distribution = _distribution(unusual, level) if known else None
    return RankedPairs(tuple(pairs), len(values), distribution)


def _unusual(
    scores: Floats, left: npt.NDArray[np.intp], right: npt.NDArray[np.intp], of_class: int
) -> Floats:
    """How far the score of each pair is above what is usual for these two, in deviations.

    Usual is the mean of the median scores of the two with all others of the class. The deviation is
    that of the pairs of the class, estimated from the median absolute one, or from the mean where
    most are zero.
    """
    others = scores[:, :of_class].copy()
    np.fill_diagonal(others, np.nan)
    usual = np.nanmedian(others, axis=1)
    above = scores[left, right] - (usual[left] + usual[right]) / 2
    inside = right < of_class
    above -= np.median(above[inside])
    deviation = _TO_DEVIATION * np.median(np.abs(above[inside]))
    if deviation < 1e-9:
        deviation = max(_MEAN_TO_DEVIATION * np.mean(np.abs(above[inside])), 1e-9)
    return np.asarray(above / deviation)


def _with_enough(
    files: Sequence[tuple[int, str, FeatureSet]], of_class: int, rarity: FeatureRarity
) -> list[tuple[int, str, FeatureSet]]:
    """The files that do not consist of what the class has in common, such as starter code.

    Small files are kept if what they have is rare: what counts is their weight by rarity, as a
    share of what it would be without.
    """
    inside = np.array([owner < of_class for owner, _, _ in files], bool)
    if not inside.any():
        return []
    shares = np.empty(len(files))
    for place, (_, _, (features, ordinals)) in enumerate(files):
        parts = 1 / ordinals.astype(np.float64) ** 2
        plain = float((rarity.family_weights(features) * parts).sum())
        shares[place] = float((rarity.weights(features) * parts).sum()) / plain
    enough = shares >= LITTLE * np.quantile(shares[inside], USUAL)
    return [file for file, has_enough in zip(files, enough.tolist(), strict=True) if has_enough]


@dataclass(frozen=True, eq=False)
class _FilePairs:
    """How unusually alike every two files are, from which the best of two students counts.

    Attributes
    ----------
    names : list of str
        Of the files, by owner.
    ends : int array
        Where the files of each owner end, after a 0.
    alike : float32 array
        The weighted share of what two files have together that both have.
    above : float32 array
        How far that is above what is usual for the two files; less for small files.
    best : float64 array
        The highest of two owners.
    """

    names: list[str]
    ends: npt.NDArray[np.int64]
    alike: npt.NDArray[np.float32]
    above: npt.NDArray[np.float32]
    best: Floats

    @classmethod
    def of(
        cls,
        files: Sequence[tuple[int, str, FeatureSet]],
        owners: int,
        of_class: int,
        rarity: FeatureRarity,
    ) -> _FilePairs:
        rows = weighted_rows([features for _, _, features in files], rarity)
        owner = np.array([index for index, _, _ in files])
        ends = np.searchsorted(owner, np.arange(owners + 1))
        having = np.flatnonzero(np.diff(ends))
        alike = _alike(rows)
        usual = np.empty(len(files))
        of_others = np.flatnonzero(having < of_class)
        for start in range(0, len(files), _ROWS_AT_A_TIME):
            block = alike[start : start + _ROWS_AT_A_TIME]
            most = np.maximum.reduceat(block, ends[having], axis=1)[:, of_others].astype(float)
            most[owner[start : start + len(block), None] == having[of_others]] = np.nan
            usual[start : start + len(block)] = np.nanmedian(most, axis=1)
        totals = rows.totals.astype(np.float64)
        small = _SMALL * np.median(totals[owner < of_class])
        above = np.empty_like(alike)
        rows_best = []
        for start in range(0, len(files), _ROWS_AT_A_TIME):
            mine = slice(start, start + _ROWS_AT_A_TIME)
            lighter = np.minimum(totals[mine, None], totals[None, :])
            usually = (usual[mine, None] + usual[None, :]) / 2
            above[mine] = (alike[mine] - usually) * (lighter / (lighter + small))
            rows_best.append(np.maximum.reduceat(above[mine], ends[having], axis=1))
        among = np.maximum.reduceat(np.concatenate(rows_best), ends[having], axis=0)
        best = np.full((owners, owners), -np.inf)
        best[np.ix_(having, having)] = among
        return cls([name for _, name, _ in files], ends, alike, above, best)

    def unusual(
        self, left: npt.NDArray[np.intp], right: npt.NDArray[np.intp], inside: Flags
    ) -> Floats:
        """How unusual the most alike files of pairs are, in deviations of those of the class.

        A pair has as many chances as it has pairs of files, so that the highest are far above the
        median in any class; the deviation is that of a high quantile.
        """
        values = self.best[left, right]
        of_class = values[inside & np.isfinite(values)]
        if not len(of_class):
            return np.full(len(values), -np.inf)
        middle = float(np.median(of_class))
        deviation = (float(np.quantile(of_class, _HIGH)) - middle) / _DEVIATIONS_OF_HIGH
        if deviation < 1e-9:
            deviation = max(_MEAN_TO_DEVIATION * float(np.mean(np.abs(of_class - middle))), 1e-9)
        return np.asarray((values - middle) / deviation)

    def most_alike(self, first: int, second: int) -> tuple[str | None, str | None, float | None]:
        """The files of two owners that count, and how alike they are."""
        mine = slice(int(self.ends[first]), int(self.ends[first + 1]))
        theirs = slice(int(self.ends[second]), int(self.ends[second + 1]))
        block = self.above[mine, theirs]
        if not block.size:
            return None, None, None
        row, column = divmod(int(block.argmax()), block.shape[1])
        i, j = mine.start + row, theirs.start + column
        return self.names[i], self.names[j], float(self.alike[i, j])


def _alike(rows: FeatureRows) -> npt.NDArray[np.float32]:
    """Jaccard's index of every two rows, the lighter filled up to the heavier, as in kin."""
    whole = _matrix(rows, rows.weights.astype(np.int64))
    having = _matrix(rows, np.ones(len(rows.features), np.int64)).T.tocsr()
    count = len(rows.totals)
    alike = np.empty((count, count), np.float32)
    for start in range(0, count, _ROWS_AT_A_TIME):
        mine = slice(start, min(start + _ROWS_AT_A_TIME, count))
        shared = (whole[mine] @ having).toarray()
        heavier = np.maximum(rows.totals[mine, None], rows.totals[None, :])
        alike[mine] = shared / (2 * heavier - shared)
    return alike


def _matrix(rows: FeatureRows, values: npt.NDArray[np.int64]) -> scipy.sparse.csr_array:
    """Rows by features, with a value for each feature."""
    from scipy.sparse import csr_array

    shape = (len(rows.totals), len(rows.features))
    return csr_array((values[rows.columns], rows.columns, rows.offsets), shape=shape)


def _distribution(unusual: Floats, level: float) -> UnusualPairs:
    """How many pairs are how unusual, in bins of a round width."""
    low, high = min(float(unusual.min()), level), max(float(unusual.max()), level)
    width = 0.25
    while (high - low) / width > _MOST_BINS - 2:
        width *= 2
    below = int(np.ceil((level - low) / width))
    bins = below + int((high - level) / width) + 1
    places = np.clip(np.floor((unusual - level) / width).astype(np.int64) + below, 0, bins - 1)
    counts = np.bincount(places, minlength=bins)
    return UnusualPairs(level - below * width, width, tuple(counts.tolist()))
