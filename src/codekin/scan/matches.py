"""Pairs of places in the scanned code that are clones: how they are verified and merged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.scan.candidates import CandidatePairs
from codekin.scan.clone_evidence import (
    ComparedFragments,
    clone_odds,
    common_words,
    compare_fragments,
    fragment_evidence,
)
from codekin.scan.code_tokens import Trait
from codekin.scan.scan_result import TYPES
from codekin.scan.scanned_code import ScannedCode

__all__ = [
    "TYPES",
    "Matches",
    "matches_of_fragments",
    "matches_of_runs",
    "merged",
]

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


_MIN_COPY, _MIN_RENAMED_COPY, _MIN_RENAMED_SIZE = 35, 40, 25
"""The least tokens of fragments that are equal, and of statements of those that are equal but for
names and values; fewer are enough if they are different statements."""
_LARGE, _SHORT_SIZE, _SHORT_LINES = 60, 42, 8
"""The size of a fragment is that of its different statements, in tokens: repetitions count once,
tables of constants do not count. If one is smaller than `_SHORT_SIZE` and both have fewer lines of
code, they must be equal, or in two files: an accessor, a delegate or a short test is like many
others beside it."""
_FEW_OTHERS, _MIN_RENAMED = 0.88, 0.08
"""Small fragments with the same statements, most of whose names and values are the same: nearly all
are, or some of the others are names that are consistently renamed, unlike in a series of
assignments to other fields. Where most differ, everything was renamed."""
_DELEGATE, _MIN_DELEGATE_RENAMED = 35, 0.4
"""Fragments of one file with less code than this, without declarations, may be a series of
delegates; more of the other names must be consistently renamed."""
_MIN_ALIGNED, _MIN_MAPPED, _MIN_KIN, _MIN_SIZE = 0.85, 0.3, 0.3, 40
"""Of copies that were renamed and changed a little: the least similarity of aligned statements, the
least share of other names that are consistently renamed, the least kin where it is known, and the
least size."""
_MIN_T3 = 0.5
"""The least similarity of aligned statements of type T3."""

_WINDOW, _SHORTEST, _NEIGHBOURS, _GAP = 15, 25, 8, 30
_MIN_RUN_TOKENS, _MIN_RUN_SIZE, _MIN_RUN_SIMILARITY = 50, 40, 0.8
_MIN_RUN_SAME, _MIN_RUN_EXPLAINED = 0.5, 0.6
_LONG_RUN, _MIN_LONG_EXPLAINED, _MIN_COPIED_RUN = 100, 0.35, 100
_FEW_LITERALS, _MIN_SAME_LITERALS, _MIN_RUN_KEPT = 4, 0.7, 0.9
"""Of a chain of runs: the least tokens, the least size, as above but without declarations, and the
least share of matched tokens; of words, the least share of the same ones, or of the same and
consistently renamed ones, which can be lower in a long chain; the least tokens of an exact copy,
whatever its size; the least share of the same literals if there are not few of them, since calls
that differ in many of their texts and numbers are data or log messages; the least share of the
same words if statements differ, too."""

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

    Fragments whose statements are all aligned are clones unless they are short. Others are if what
    they share makes it likely, see :mod:`codekin.scan.clone_evidence`.
    """
    found = compare_fragments(code, pairs)
    accepted = _renamed_copies(code, found)
    accepted &= ~found.one_file | (found.size >= _SHORT_SIZE) | (found.lines >= _SHORT_LINES)
    places, evidence = fragment_evidence(code, pairs, found, fast=fast)
    changed = _nearly_renamed_copies(found, pairs.kin, fast=fast)
    changed[places[clone_odds(evidence, fast=fast) >= 0]] = True
    accepted |= changed & ~found.copy
    accepted &= found.body > 0
    accepted |= found.raw & (found.end1 - found.begin1 >= _MIN_COPY)
    kinds = [found.raw, found.blind, found.aligned >= _MIN_T3]
    type_ = np.select(kinds, [0, 1, 2], 3).astype(np.uint8)
    score = np.where(found.blind, 1.0, np.minimum(np.maximum(found.aligned, pairs.kin), 0.999))
    return Matches(*found.ends, type_, score).taken(np.flatnonzero(accepted))


def _renamed_copies(code: ScannedCode, found: ComparedFragments) -> Flags:
    """Which pairs have the same statements and are not part of a series of similar functions."""
    others = found.words - found.equal
    accepted = found.copy & (
        (found.tokens >= _MIN_RENAMED_COPY) | (found.size >= _MIN_RENAMED_SIZE)
    )
    accepted &= (
        (found.size >= _LARGE)
        | (found.equal >= _FEW_OTHERS * found.words)
        | (2 * found.equal <= found.words)
        | (found.renamed >= _MIN_RENAMED * others)
    )
    delegates = found.one_file & (found.body < _DELEGATE)
    accepted &= ~delegates | found.raw | (found.renamed >= _MIN_DELEGATE_RENAMED * others)
    blocks = np.flatnonzero(accepted & found.block)
    accepted[blocks] = _with_same_literals(code, *(one[blocks] for one in found.ends))
    return accepted


def _nearly_renamed_copies(found: ComparedFragments, kin: Floats, *, fast: bool) -> Flags:
    """Which pairs have nearly the same statements, with names that are consistently renamed."""
    others = found.words - found.equal
    mapped = (others > 0) & (found.renamed >= _MIN_MAPPED * others)
    known: Flags = kin >= (0 if fast else _MIN_KIN)
    return mapped & known & (found.aligned >= _MIN_ALIGNED) & (found.size >= _MIN_SIZE)


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
        tokens.code_weights,
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
    kept = equal[chosen] >= _MIN_RUN_KEPT * words[chosen]
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
    same, most = common_words(code, Trait.LITERAL, (begin1, end1), (begin2, end2))
    found: Flags = (most < _FEW_LITERALS) | (same >= _MIN_SAME_LITERALS * most)
    return found


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
