"""Pairs of fragments that may be clones: those that share rare features or rare statements.

No step looks at all pairs. Fragments with the same blind tokens are grouped by a hash, and only one
of each group goes on; two joins by prefixes then find the pairs that share enough weight.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.represent.graph.features import Family, families_of
from codekin.scan.scanned_code import ScannedCode

__all__ = [
    "KIN_BOUND",
    "STATEMENT_BOUND",
    "CandidatePairs",
    "candidate_pairs",
    "feature_weights",
    "shared_bound",
]

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Ids = npt.NDArray[np.uint64]

KIN_BOUND = 0.25
"""The least kin of a candidate."""
STATEMENT_BOUND = 0.45
"""The least similarity of statements of a candidate: shared weight by the mean of both."""

_BACKGROUND_DOCUMENTS = 1000
"""How many scanned fragments count as much as the background when the rarity is estimated."""
_MAX_POSTINGS = 2000
"""Features of more fragments are not looked up; whoever shares nothing rarer shares an idiom."""
_MAX_PARTNERS = 32
"""Partners of each fragment that go on: where there are more, those that share most."""
_MAX_GROUP = 24
"""In larger groups of equal fragments, each is only paired with its neighbours and the first."""
_SCALE = 1 << 12
_SEQUENCE_WEIGHT = 1.0
"""Of features of the family :data:`~codekin.scan.file_parts.SEQUENCE`, the last one."""


@dataclass(frozen=True, eq=False, repr=False)
class CandidatePairs:
    """Pairs of fragments; `left` is before `right`, and no pair comes twice.

    Attributes
    ----------
    left, right : int32 arrays
    kin : float64 array
        The weight that both share by that of the heavier, as kin counts it; 1 for equal fragments.
    """

    left: Ints
    right: Ints
    kin: Floats

    def __len__(self) -> int:
        return len(self.left)


def shared_bound(score: float) -> float:
    """The part of the heavier side's weight that a pair with this kin shares at least.

    Examples
    --------
    >>> round(shared_bound(0.3), 3)
    0.462
    """
    return 2 * score / (1 + score)


def candidate_pairs(code: ScannedCode, *, fast: bool = False) -> CandidatePairs:
    """The pairs of fragments that are worth an alignment.

    Parameters
    ----------
    code : ScannedCode
    fast : bool
        Whether fragments have no features; then kin is 0.
    """
    groups = _Groups(code)
    chosen = groups.representatives
    rows = None if fast else _feature_rows(code)
    found = [_statement_pairs(code, chosen)]
    if rows is not None:
        found.append(rows.taken(chosen).similar(code, chosen, shared_bound(KIN_BOUND)))
    spread = groups.spread(*(np.concatenate(sides) for sides in zip(*found, strict=True)))
    pairs = _unique_pairs(code, np.concatenate([spread, groups.within()]))
    left, right = (np.ascontiguousarray(side) for side in pairs.T)
    return CandidatePairs(
        left, right, np.zeros(len(left)) if rows is None else rows.kin(left, right)
    )


def _unique_pairs(code: ScannedCode, pairs: Ints) -> Ints:
    """Sorted, and without pairs of fragments that overlap."""
    fragments = code.fragments
    a, b = pairs.min(axis=1), pairs.max(axis=1)
    apart = (fragments.end[a] <= fragments.begin[b]) | (fragments.end[b] <= fragments.begin[a])
    keys = np.unique(a[apart].astype(np.int64) << 32 | b[apart])
    return np.stack([keys >> 32, keys & 0xFFFFFFFF], axis=1).astype(np.int32)


class _Groups:
    """Fragments with the same blind tokens."""

    def __init__(self, code: ScannedCode) -> None:
        ids = code.fragments.blind
        _, first, self.group = np.unique(ids, return_index=True, return_inverse=True)
        self.representatives = np.sort(first).astype(np.int32)
        order = np.argsort(self.group, kind="stable").astype(np.int32)
        self.offsets = np.append(0, np.cumsum(np.bincount(self.group, minlength=len(first))))
        self.members = order

    def within(self) -> Ints:
        """Pairs of members of one group."""
        sizes = np.diff(self.offsets)
        found = [
            _pairs_in(self.members[self.offsets[group] : self.offsets[group + 1]])
            for group in np.flatnonzero(sizes > 1).tolist()
        ]
        return _stacked(found)

    def spread(self, left: Ints, right: Ints) -> Ints:
        """Pairs of groups as pairs of their members, of the first ones in large groups."""
        if not len(left):
            return np.empty((0, 2), np.int32)
        a, b = self.group[left], self.group[right]
        sizes = np.minimum(np.diff(self.offsets), _MAX_GROUP)
        counts = sizes[a] * sizes[b]
        pair = np.repeat(np.arange(len(left)), counts)
        place = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        mine, theirs = np.divmod(place, sizes[b][pair])
        return np.stack(
            [
                self.members[self.offsets[a][pair] + mine],
                self.members[self.offsets[b][pair] + theirs],
            ],
            axis=1,
        )


def _pairs_in(members: Ints) -> Ints:
    count = len(members)
    if count <= _MAX_GROUP:
        a, b = np.triu_indices(count, 1)
        return np.stack([members[a], members[b]], axis=1)
    neighbours = np.stack([members[:-1], members[1:]], axis=1)
    return np.concatenate([neighbours, np.stack([np.full(count - 2, members[0]), members[2:]], 1)])


def _stacked(pairs: Iterable[Ints]) -> Ints:
    found = [one.astype(np.int32) for one in pairs if len(one)]
    return np.concatenate(found) if found else np.empty((0, 2), np.int32)


@dataclass(frozen=True, eq=False, repr=False)
class _WeightedRows:
    """Sets of weighted elements, numbered from the rarest on."""

    offsets: Longs
    columns: Ints
    weights: Ints
    totals: Longs

    def taken(self, rows: Ints) -> _WeightedRows:
        lengths = np.diff(self.offsets)[rows]
        offsets = np.append(0, np.cumsum(lengths)).astype(np.int64)
        places = np.repeat(self.offsets[rows] - offsets[:-1], lengths) + np.arange(offsets[-1])
        return _WeightedRows(offsets, self.columns[places], self.weights, self.totals[rows])

    def similar(self, code: ScannedCode, fragments: Ints, least: float) -> tuple[Ints, Ints]:
        """The pairs of fragments, one per row, that share at least a part of the heavier one."""
        left, right, _ = _native.similar_rows(
            self.offsets,
            self.columns,
            self.weights,
            self.totals,
            np.full(len(fragments), least),
            code.file_of_fragment[fragments],
            code.fragments.begin[fragments],
            code.fragments.end[fragments],
            _MAX_POSTINGS,
            _MAX_PARTNERS,
        )
        return fragments[left], fragments[right]

    def kin(self, left: Ints, right: Ints) -> Floats:
        shared = _native.pair_overlaps(self.offsets, self.columns, self.weights, left, right)
        heavier = np.maximum(self.totals[left], self.totals[right])
        score: Floats = shared / np.maximum(2 * heavier - shared, 1)
        return score


def _sorted_rows(
    offsets: Longs, columns: Ints, weights: Ints, counts: Ints, totals: Longs
) -> _WeightedRows:
    """Rows without the elements that only one row has."""
    alone = int(np.searchsorted(counts, 1, side="right"))
    kept, ranked = _native.ranked_rows(offsets, columns, alone)
    return _WeightedRows(kept, ranked, weights[alone:], totals)


def feature_weights(
    features: Ids, occurrences: npt.NDArray[np.uint8], counts: Ints | Longs, fragments: int
) -> Floats:
    """The weights of features by their families, and by their rarity in the background and here.

    Parameters
    ----------
    features : uint64 array
    occurrences : uint8 array
        Which occurrence each is in its fragment.
    counts : array
        How many fragments have each.
    fragments : int
        How many there are.
    """
    # Not needed if only tokens are compared, and slow to load.
    from codekin.measures.background import shipped_background
    from codekin.measures.kin import FAMILY_WEIGHTS

    by_family = np.array([*(FAMILY_WEIGHTS[family] for family in Family), _SEQUENCE_WEIGHT])
    shares = shipped_background().shares(features)
    rarity = -np.log(
        (_BACKGROUND_DOCUMENTS * shares + counts) / (_BACKGROUND_DOCUMENTS + fragments + 1)
    )
    exact: Floats = by_family[families_of(features)] * rarity / occurrences.astype(np.float64) ** 2
    return exact


def _feature_rows(code: ScannedCode) -> _WeightedRows:
    """The features of fragments, weighted by rarity in the background and in the scanned code."""
    table = code.fragments
    columns, first, counts = _native.common_features(table.features)
    exact = feature_weights(table.features[first], table.occurrences[first], counts, len(table))
    weights = np.maximum(np.rint(exact * _SCALE), 1).astype(np.int32)
    totals = _sums(weights[columns], table.offsets)
    return _sorted_rows(table.offsets, columns, weights, counts, totals)


def _sums(values: Ints | npt.NDArray[np.uint8], offsets: Longs) -> Longs:
    """The sums of stretches of an array."""
    sums = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=sums[1:])
    return np.diff(sums[offsets])


def _statement_pairs(code: ScannedCode, chosen: Ints) -> tuple[Ints, Ints]:
    """Pairs that share enough statements in any order, ignoring names and values."""
    table, tokens = code.fragments, code.tokens
    first, end = table.first_statement[chosen], table.end_statement[chosen]
    offsets, ids, weights = _native.statement_sets(tokens.statement_ids, tokens.weights, first, end)
    columns, place, counts = _native.common_features(ids)
    totals = _sums(weights, offsets)
    rows = _sorted_rows(offsets, columns, weights[place].astype(np.int32), counts, totals)
    # With n shared of a and b, 2 n / (a + b) >= s and n <= min(a, b) give n >= s / (2 - s) max.
    least = STATEMENT_BOUND / (2 - STATEMENT_BOUND)
    return rows.similar(code, chosen, least)
