"""Pairs of places in the scanned code that are clones: how they are verified and merged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.scan.candidates import CandidatePairs
from codekin.scan.code_tokens import Trait
from codekin.scan.scanned_code import ScannedCode

__all__ = ["TYPES", "Matches", "matches_of_fragments", "matches_of_runs", "merged"]

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

TYPES = ("T1", "T2", "T3", "T4")
"""The same tokens; other names and values; other statements, too; the same operations."""

_MIN_BLIND_ALIGNED, _MIN_ALIGNED, _MIN_SAME = 0.85, 0.75, 0.5
"""The least similarity of aligned statements, whatever their names; that of aligned statements
with mostly the same names and values; the least share of these."""
_MIN_EVIDENCE, _MIN_FAST_EVIDENCE, _MIN_EVIDENCE_ALIGNED = 0.63, 0.58, 0.25
"""The least sum of aligned statements, by the share of the same names and values, and kin; that
without kin; some statements must be aligned in any case."""
_MIN_COPY, _MIN_RENAMED_COPY = 35, 40
"""The least tokens of fragments that are equal, and of statements of those that are equal but for
names and values."""
_SMALLEST, _SMALL, _LARGE, _STRICTER = 25, 30, 60, 0.3
"""The size of a fragment is that of its different statements, in tokens: repetitions count once,
tables of constants do not count. Fragments smaller than `_LARGE` need more evidence: `_STRICTER`
more at `_SMALL`."""
_SHORT_SIZE, _SHORT_LINES = 42, 8
"""If one is smaller and both have fewer lines of code, they must be equal: an accessor, a delegate
or a short test is like many others."""
_MIN_KEPT, _MIN_NAMES, _MIN_MAPPED = 0.9, 0.9, 0.3
"""A copy whose statements were changed keeps its names elsewhere: the least share of the same names
and values in aligned statements. Fewer are enough if nearly all names of both are the same, in
whatever statements, or if nearly all statements are aligned and others are consistently renamed:
the least share of those that repeat the renaming of another one."""
_MIN_OTHER_NAMES = 0.75
"""The least share of names that both have if most statements are not aligned."""
_FEW_OTHERS, _MIN_RENAMED = 0.88, 0.08
"""Small fragments with the same statements, most of whose names and values are the same: nearly all
are, or some of the others are names that are consistently renamed, unlike in a series of
assignments to other fields. Where most differ, everything was renamed."""
_BLOCKS_STRICTER, _MIN_BLOCK, _MIN_BLOCK_ALIGNED = 0.25, 40, 0.7
"""Of pairs in which one is a block, not a function: how much more evidence they need; the least
size and the least similarity of aligned statements unless they are equal."""
_MIN_T3 = 0.5
"""The least similarity of aligned statements of type T3."""

_WINDOW, _SHORTEST, _NEIGHBOURS, _GAP = 15, 25, 8, 30
_MIN_RUN_TOKENS, _MIN_RUN_SIZE, _MIN_RUN_SIMILARITY = 50, 40, 0.8
_MIN_RUN_SAME, _MIN_RUN_EXPLAINED = 0.5, 0.6
_LONG_RUN, _MIN_LONG_EXPLAINED, _MIN_COPIED_RUN = 100, 0.35, 100
_FEW_LITERALS, _MIN_SAME_LITERALS = 4, 0.7
"""Of a chain of runs: the least tokens, the least size, as above, and the least share of matched
tokens; of words, the least share of the same ones, or of the same and consistently renamed ones,
which can be lower in a long chain; the least tokens of an exact copy, whatever its size; the
least share of the same literals if there are not few of them, since calls that differ in many of
their texts and numbers are data or log messages."""

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


def matches_of_fragments(
    code: ScannedCode, pairs: CandidatePairs, *, fast: bool = False
) -> Matches:
    """The candidates that are clones, with their type.

    Statements are aligned in order; those that differ only in names, numbers and strings match. A
    pair is a clone if most of its tokens are in matching statements, or if fewer are but with the
    same names and values, and kin is high. Small fragments need more evidence, because idioms are
    alike, too.
    """
    tokens, table = code.tokens, code.fragments
    matched, words, equal, renamed = _native.statement_alignment(
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
    distinct = _native.distinct_weights(
        tokens.statement_ids, tokens.weights, table.first_statement, table.end_statement
    )
    smaller = np.minimum(distinct[pairs.left], distinct[pairs.right])
    raw = table.raw[pairs.left] == table.raw[pairs.right]
    blind = table.blind[pairs.left] == table.blind[pairs.right]
    ends = (
        table.begin[pairs.left],
        table.end[pairs.left],
        table.begin[pairs.right],
        table.end[pairs.right],
    )
    unnamed = np.array([not name for name in table.names], bool)
    block = unnamed[pairs.left] | unnamed[pairs.right]
    accepted = _accepted(aligned, same, pairs.kin, smaller, _BLOCKS_STRICTER * block, fast)
    accepted |= blind & (left >= _MIN_RENAMED_COPY)
    lines = code.code_lines(table.begin, table.end)
    more = np.maximum(lines[pairs.left], lines[pairs.right])
    accepted &= (smaller >= _SHORT_SIZE) | (more >= _SHORT_LINES)
    accepted &= ~block | ((smaller >= _MIN_BLOCK) & (aligned >= _MIN_BLOCK_ALIGNED))
    near = (aligned >= _MIN_BLIND_ALIGNED) & (renamed >= _MIN_MAPPED * (words - equal))
    names = _share_of_names(code, accepted, *ends)
    consistent = (smaller >= _LARGE) | (same >= _FEW_OTHERS)
    consistent |= (2 * equal <= words) | (renamed >= _MIN_RENAMED * (words - equal))
    accepted &= ~blind | consistent
    accepted &= blind | (same >= _MIN_KEPT) | near | (names >= _MIN_NAMES)
    accepted &= (aligned >= _MIN_T3) | (names >= _MIN_OTHER_NAMES)
    at = np.flatnonzero(accepted & block)
    accepted[at] = _with_same_literals(code, *(one[at] for one in ends))
    tokens_of = table.end - table.begin
    accepted |= raw & (tokens_of[pairs.left] >= _MIN_COPY)
    type_ = np.select([raw, blind, aligned >= _MIN_T3], [0, 1, 2], 3).astype(np.uint8)
    score = np.where(blind, 1.0, np.minimum(np.maximum(aligned, pairs.kin), 0.999))
    return Matches(*ends, type_, score).taken(np.flatnonzero(accepted))


def _accepted(
    aligned: Floats,
    same: Floats,
    kin: Floats,
    size: npt.NDArray[np.int32],
    stricter: Floats,
    fast: bool,
) -> Flags:
    alike = same >= _MIN_SAME
    by_statements = (aligned >= _MIN_BLIND_ALIGNED) & (size >= _SMALL)
    by_statements |= (aligned >= _MIN_ALIGNED) & alike
    needed = (_MIN_FAST_EVIDENCE if fast else _MIN_EVIDENCE) + stricter
    needed += _STRICTER * np.clip((_LARGE - size) / (_LARGE - _SMALL), 0, 1.5)
    by_evidence = (aligned * same + kin >= needed) & alike & (aligned >= _MIN_EVIDENCE_ALIGNED)
    found: Flags = (by_statements | by_evidence) & (size >= _SMALLEST)
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
    distinct = _native.distinct_weights(
        tokens.statement_ids,
        tokens.weights,
        np.searchsorted(tokens.statements, begin1[chosen]).astype(np.int32),
        np.searchsorted(tokens.statements, end1[chosen]).astype(np.int32),
    )
    copied = (equal == words) & (matched >= _MIN_COPIED_RUN)
    chosen = chosen[(distinct >= _MIN_RUN_SIZE) | copied[chosen]]
    ends = (begin1[chosen], end1[chosen], begin2[chosen], end2[chosen])
    chosen = chosen[_with_same_literals(code, *ends)]
    lines1 = code.code_lines(begin1[chosen], end1[chosen])
    lines2 = code.code_lines(begin2[chosen], end2[chosen])
    chosen = chosen[np.minimum(lines1, lines2) >= min_lines]
    kept = equal[chosen] >= _MIN_KEPT * words[chosen]
    found = Matches(
        begin1[chosen],
        end1[chosen],
        begin2[chosen],
        end2[chosen],
        np.full(len(chosen), 2, np.uint8),
        np.minimum(similar[chosen], 0.999),
    )
    # What was left out between two runs may be the same, too.
    for type_, ids in ((1, tokens.blind), (0, tokens.raw)):
        first = _native.sequence_ids(ids, found.begin1, found.end1)
        same = first == _native.sequence_ids(ids, found.begin2, found.end2)
        found.type[same] = type_
        found.score[same] = 1.0
    return found.taken(kept | (found.type < 2))


def _with_same_literals(
    code: ScannedCode, begin1: Ints, end1: Ints, begin2: Ints, end2: Ints
) -> Flags:
    """Which pairs of stretches have few numbers and strings, or mostly the same ones."""
    same, most = _common_words(code, Trait.LITERAL, (begin1, end1), (begin2, end2))
    found: Flags = (most < _FEW_LITERALS) | (same >= _MIN_SAME_LITERALS * most)
    return found


def _share_of_names(
    code: ScannedCode, chosen: Flags, begin1: Ints, end1: Ints, begin2: Ints, end2: Ints
) -> Floats:
    """The names that both have by those of the one that has more, of chosen pairs; else 0."""
    at = np.flatnonzero(chosen)
    sides = (begin1[at], end1[at]), (begin2[at], end2[at])
    same, most = _common_words(code, Trait.NAME, *sides, once=True)
    found = np.zeros(len(chosen))
    found[at] = same / np.maximum(most, 1)
    return found


def _common_words(
    code: ScannedCode,
    trait: Trait,
    first: tuple[Ints, Ints],
    second: tuple[Ints, Ints],
    *,
    once: bool = False,
) -> tuple[Longs, Longs]:
    """How many tokens with a trait both stretches of each pair have, and how many one has at most.

    A token that comes several times counts as often, or once.
    """
    tokens = code.tokens
    places = np.flatnonzero(tokens.traits & int(trait) != 0)
    count, sides = len(first[0]), []
    for begin, end in (first, second):
        start, stop = np.searchsorted(places, begin), np.searchsorted(places, end)
        counts = stop - start
        pair = np.repeat(np.arange(count), counts)
        inner = np.arange(len(pair)) - np.repeat(np.cumsum(counts) - counts, counts)
        ids = tokens.raw[places[np.repeat(start, counts) + inner]].astype(np.int64)
        keys, times = np.unique(pair.astype(np.int64) << 32 | ids, return_counts=True)
        if once:
            times[:] = 1
        sides.append((keys, times, np.bincount(keys >> 32, times, minlength=count)))
    (keys1, times1, all1), (keys2, times2, all2) = sides
    both, at1, at2 = np.intersect1d(keys1, keys2, assume_unique=True, return_indices=True)
    same = np.bincount(both >> 32, np.minimum(times1[at1], times2[at2]), minlength=count)
    return same.astype(np.int64), np.maximum(all1, all2).astype(np.int64)


def merged(code: ScannedCode, matches: Matches) -> Matches:
    """Matches that are not part of a larger match of the same two files, sorted by place."""
    sizes = (matches.end1 - matches.begin1).astype(np.int64) + matches.end2 - matches.begin2
    order = np.lexsort((matches.begin2, matches.begin1, matches.type, -sizes))
    files = code.file_of_tokens(matches.begin1).astype(np.int64) << 32 | code.file_of_tokens(
        matches.begin2
    )
    spans = list(zip(*(getattr(matches, name).tolist() for name in _ENDS), strict=True))
    names = files.tolist()
    kept = _KeptSpans()
    chosen = np.array(
        [place for place in order.tolist() if kept.add(names[place], spans[place])], np.int64
    )
    chosen = chosen[np.lexsort((matches.begin2[chosen], matches.begin1[chosen]))]
    return matches.taken(chosen)


_ENDS = ("begin1", "end1", "begin2", "end2")
_Span = tuple[int, int, int, int]


def _is_inside(one: _Span, other: _Span) -> bool:
    begin, end, begin2, end2 = one
    common = min(end, other[1]) - max(begin, other[0])
    if common < _INSIDE * (end - begin):
        return False
    return min(end2, other[3]) - max(begin2, other[2]) >= _INSIDE * (end2 - begin2)


class _KeptSpans:
    """Pairs of stretches by place, so that those around another one are found without a search.

    Whoever has most of a stretch has its middle. A pair is listed in the few cells of a grid that
    it touches, whose mesh is about its own size, by the middles of both stretches.
    """

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int, int, int], list[_Span]] = {}
        self._levels: set[int] = set()

    def add(self, files: int, span: _Span) -> bool:
        """Keep a pair, unless it is part of one that was kept before."""
        begin, end, begin2, end2 = span
        middle, middle2 = (begin + end) >> 1, (begin2 + end2) >> 1
        for level in self._levels:
            near = self._cells.get((files, level, middle >> level, middle2 >> level))
            if near is not None and any(_is_inside(span, other) for other in near):
                return False
        level = max(end - begin, end2 - begin2).bit_length()
        self._levels.add(level)
        for row in range(begin >> level, ((end - 1) >> level) + 1):
            for column in range(begin2 >> level, ((end2 - 1) >> level) + 1):
                self._cells.setdefault((files, level, row, column), []).append(span)
        return True
