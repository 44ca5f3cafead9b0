"""Pairs of places in the scanned code that are clones: how they are verified and merged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.scan.candidates import CandidatePairs
from codekin.scan.scanned_code import ScannedCode

__all__ = ["TYPES", "Matches", "matches_of_fragments", "matches_of_runs", "merged"]

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

TYPES = ("T1", "T2", "T3", "T4")
"""The same tokens; other names and values; other statements, too; the same operations."""

_MIN_ALIGNED, _MIN_SAME_ALIGNED, _MIN_KIN = 0.75, 0.5, 0.35
"""The least similarity: of aligned statements whatever their names; of aligned statements with
the same names and values; of operations, by kin."""
_MIN_SAME, _MIN_KIN_SAME, _MIN_KIN_ALIGNED = 0.5, 0.5, 0.25
"""The least share of equal names and values where fragments are small, or only kin is high; then
some statements must be aligned, too."""
_SMALL, _LARGE, _STRICTER = 30, 60, 0.2
"""Fragments of fewer tokens than `_LARGE` need more: `_STRICTER` more at `_SMALL` tokens."""

_WINDOW, _SHORTEST, _NEIGHBOURS, _GAP = 15, 25, 8, 30
_MIN_RUN_TOKENS, _MIN_RUN_SIMILARITY = 50, 0.7
_MIN_RUN_SAME, _MIN_RUN_EXPLAINED = 0.5, 0.6
_LONG_RUN, _MIN_LONG_EXPLAINED = 100, 0.35
"""Of a chain of runs: the least tokens; the least share of matched tokens; of words, the least
share of the same ones, or of the same or consistently renamed ones; that of a long one."""

_INSIDE = 0.7
"""A match of which this part lies in a larger one, in both places, is part of that."""


@dataclass(frozen=True, eq=False, repr=False)
class Matches:
    """Pairs of stretches of tokens, the first before the second.

    Attributes
    ----------
    begin1, end1, begin2, end2 : int32 arrays
        Tokens, counted through all files.
    type : uint8 array
        Places in :data:`TYPES`.
    score : float64 array
        From 0 to 1.
    """

    begin1: Ints
    end1: Ints
    begin2: Ints
    end2: Ints
    type: npt.NDArray[np.uint8]
    score: Floats

    def __len__(self) -> int:
        return len(self.begin1)

    def taken(self, places: npt.ArrayLike) -> Matches:
        """Some of the matches."""
        return Matches(*(getattr(self, field.name)[places] for field in fields(self)))

    @classmethod
    def joined(cls, parts: Sequence[Matches]) -> Matches:
        """All matches of several sets."""
        return cls(
            *(np.concatenate([getattr(one, name.name) for one in parts]) for name in fields(cls))
        )


def matches_of_fragments(code: ScannedCode, pairs: CandidatePairs) -> Matches:
    """The candidates that are clones, with their type.

    Statements are aligned in order; those that differ only in names, numbers and strings match. A
    pair is a clone if most of its tokens are in matching statements, if fewer are but their names
    and values are the same, or if kin is high and the names are mostly the same. Small fragments
    need more of each, because idioms are alike, too.
    """
    tokens, table = code.tokens, code.fragments
    matched, words, equal, _ = _native.statement_alignment(
        tokens.statement_ids,
        tokens.weights,
        tokens.statements,
        tokens.raw,
        tokens.blind,
        tokens.traits,
        table.first_statement,
        table.end_statement,
        pairs.left,
        pairs.right,
    )
    sums = np.append(0, np.cumsum(tokens.weights, dtype=np.int64))
    sizes = sums[table.end_statement] - sums[table.first_statement]
    left, right = sizes[pairs.left], sizes[pairs.right]
    aligned = 2 * matched / np.maximum(left + right, 1)
    same = equal / np.maximum(words, 1)
    smaller = np.minimum(left, right)
    raw = table.raw[pairs.left] == table.raw[pairs.right]
    blind = table.blind[pairs.left] == table.blind[pairs.right]
    accepted = _accepted(aligned, same, pairs.kin, smaller)
    type_ = np.select([raw, blind, aligned >= _MIN_SAME_ALIGNED], [0, 1, 2], 3).astype(np.uint8)
    score = np.where(blind, 1.0, np.minimum(np.maximum(aligned, pairs.kin), 0.999))
    found = Matches(
        table.begin[pairs.left],
        table.end[pairs.left],
        table.begin[pairs.right],
        table.end[pairs.right],
        type_,
        score,
    )
    return found.taken(np.flatnonzero(accepted))


def _accepted(
    aligned: Floats, same: Floats, kin: Floats, size: npt.NDArray[np.int64]
) -> Flags:
    stricter = _STRICTER * np.clip((_LARGE - size) / (_LARGE - _SMALL), 0, 1.5)
    by_statements = (aligned >= _MIN_ALIGNED) & ((size >= _SMALL) | (same >= _MIN_SAME))
    by_names = aligned * same >= _MIN_SAME_ALIGNED + stricter
    by_kin = (kin >= _MIN_KIN + stricter) & (same >= _MIN_KIN_SAME) & (aligned >= _MIN_KIN_ALIGNED)
    found: Flags = by_statements | by_names | by_kin
    return found


def matches_of_runs(code: ScannedCode, min_lines: int) -> Matches:
    """Stretches of tokens that occur twice, with small gaps: whole statements of one block."""
    tokens = code.tokens
    begin1, end1, begin2, end2, matched, words, equal, renamed = _native.token_runs(
        code.files,
        tokens.raw,
        tokens.blind,
        tokens.traits,
        tokens.levels,
        _WINDOW,
        _SHORTEST,
        _NEIGHBOURS,
        _GAP,
    )
    longer = np.maximum(end1 - begin1, end2 - begin2)
    shorter = np.minimum(end1 - begin1, end2 - begin2)
    similar = matched / np.maximum(longer, 1)
    explained = (equal + renamed) / np.maximum(words, 1)
    good = (shorter >= _MIN_RUN_TOKENS) & (similar >= _MIN_RUN_SIMILARITY)
    good &= (
        (equal >= _MIN_RUN_SAME * words)
        | (explained >= _MIN_RUN_EXPLAINED)
        | ((shorter >= _LONG_RUN) & (explained >= _MIN_LONG_EXPLAINED))
    )
    chosen = np.flatnonzero(good)
    lines1 = _code_lines(code, begin1[chosen], end1[chosen])
    lines2 = _code_lines(code, begin2[chosen], end2[chosen])
    chosen = chosen[np.minimum(lines1, lines2) >= min_lines]
    whole = similar >= 1
    type_ = np.select([whole & (equal == words), whole], [0, 1], 2).astype(np.uint8)
    score = np.minimum(similar, 1.0)
    found = Matches(begin1, end1, begin2, end2, type_, score)
    return found.taken(chosen)


def _code_lines(code: ScannedCode, begin: Ints, end: Ints) -> Ints:
    """The lines of stretches that have a token."""
    fresh = np.append(0, np.cumsum(np.diff(code.tokens.lines, prepend=0) != 0))
    return (fresh[end] - fresh[begin]).astype(np.int32)


def merged(code: ScannedCode, matches: Matches) -> Matches:
    """Matches that are not part of a larger match of the same two files, sorted by place."""
    sizes = (matches.end1 - matches.begin1).astype(np.int64) + matches.end2 - matches.begin2
    order = np.lexsort((matches.begin2, matches.begin1, matches.type, -sizes))
    files = code.file_of_tokens(matches.begin1).astype(np.int64) << 32 | code.file_of_tokens(
        matches.begin2
    )
    kept: dict[int, list[int]] = {}
    for place in order.tolist():
        larger = kept.setdefault(int(files[place]), [])
        if not larger or not _is_inside(matches, place, larger):
            larger.append(place)
    chosen = np.array([place for places in kept.values() for place in places], np.int64)
    chosen = chosen[np.lexsort((matches.begin2[chosen], matches.begin1[chosen]))]
    return matches.taken(chosen)


def _is_inside(matches: Matches, place: int, larger: list[int]) -> bool:
    others = np.array(larger)
    inside = np.ones(len(larger), bool)
    for begin, end in ((matches.begin1, matches.end1), (matches.begin2, matches.end2)):
        common = np.minimum(end[place], end[others]) - np.maximum(begin[place], begin[others])
        inside &= common >= _INSIDE * (end[place] - begin[place])
    return bool(inside.any())
