"""How likely two fragments are clones: what they share, in a few numbers, weighted by a regression.

`bench/clone_evidence.py` learns the weights from pairs of functions and blocks of real code that
readers judged, and from planted clones.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.scan.candidates import CandidatePairs
from codekin.scan.code_tokens import Trait
from codekin.scan.scanned_code import ScannedCode

__all__ = [
    "ComparedFragments",
    "FragmentEvidence",
    "clone_odds",
    "common_words",
    "compare_fragments",
    "fragment_evidence",
]

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

_WEAK = 0.4
"""Pairs with a smaller sum of `kept`, `renamed` and `kin` are not looked at any further."""
_PARTNER = 0.7
"""The sum of `kept` and `kin` from which on a pair counts as one more like it."""
_TYPICAL_SIZE, _SIZES = 40, (8, 120)
_MOST_NAMES, _MUCH_KIN = 0.8, 0.5
_RARITY_SCALE, _FEW_FRAGMENTS = 3, 1000
"""Of weights by rarity, so that rounding matters little; and how many fragments there are at least,
since nothing is frequent in a few."""
_LARGE_FAMILY = 12
_PAIRS_AT_ONCE = 50_000
"""Pairs whose words are compared at a time, so that memory does not grow with them."""


@dataclass(frozen=True, eq=False, repr=False)
class ComparedFragments:
    """What candidates have in common, one value per pair.

    Attributes
    ----------
    begin1, end1, begin2, end2 : int32 arrays
        The tokens of both fragments.
    aligned : float64 array
        The share of tokens in statements that are aligned, in order; those that differ only in
        names, numbers and strings match.
    words, equal, renamed : int32 arrays
        Names and values in aligned statements; those that are the same; other names that repeat
        the renaming of another one.
    raw, blind, copy : bool arrays
        Whether all tokens are the same; the same but for names and values; whether all statements
        are aligned.
    size, body : int32 arrays
        Tokens of different statements in the smaller fragment; without declarations.
    tokens : int64 array
        Of all statements of the first fragment.
    lines : int64 array
        Lines with code of the longer fragment.
    block, one_file : bool arrays
        Whether one is a block, not a function; whether both are in one file.
    """

    begin1: Ints
    end1: Ints
    begin2: Ints
    end2: Ints
    aligned: Floats
    words: Ints
    equal: Ints
    renamed: Ints
    raw: Flags
    blind: Flags
    copy: Flags
    size: Ints
    body: Ints
    tokens: Longs
    lines: Longs
    block: Flags
    one_file: Flags

    @property
    def ends(self) -> tuple[Ints, Ints, Ints, Ints]:
        """The tokens of both fragments."""
        return self.begin1, self.end1, self.begin2, self.end2


def compare_fragments(code: ScannedCode, pairs: CandidatePairs) -> ComparedFragments:
    """Align the statements of candidates."""
    tokens, table = code.tokens, code.fragments
    left, right = pairs.left, pairs.right
    (matched, words, equal, renamed), sizes = _aligned(
        code, tokens.statement_ids, tokens.weights, left, right
    )
    distinct, bodies = (
        _native.distinct_weights(
            tokens.statement_ids, weights, table.first_statement, table.end_statement
        )
        for weights in (tokens.weights, tokens.code_weights)
    )
    lines = code.code_lines(table.begin, table.end)
    unnamed = np.array([not name for name in table.names], bool)
    blind = table.blind[left] == table.blind[right]
    return ComparedFragments(
        *(table.begin[left], table.end[left], table.begin[right], table.end[right]),
        aligned=2 * matched / np.maximum(sizes[left] + sizes[right], 1),
        words=words,
        equal=equal,
        renamed=renamed,
        raw=table.raw[left] == table.raw[right],
        blind=blind,
        # Without a parser, equal fragments may begin or end with other brackets.
        copy=blind | (matched == np.maximum(sizes[left], sizes[right])),
        size=np.minimum(distinct[left], distinct[right]),
        body=np.minimum(bodies[left], bodies[right]),
        tokens=sizes[left],
        lines=np.maximum(lines[left], lines[right]),
        block=unnamed[left] | unnamed[right],
        one_file=code.file_of_fragment[left] == code.file_of_fragment[right],
    )


def _aligned(
    code: ScannedCode,
    ids: npt.NDArray[np.uint64],
    weights: npt.NDArray[np.uint8],
    left: Ints,
    right: Ints,
) -> tuple[tuple[Ints, Ints, Ints, Ints], Longs]:
    """What `statement_alignment` finds, and the weight of every fragment."""
    tokens, table = code.tokens, code.fragments
    found = _native.statement_alignment(
        ids,
        weights,
        tokens.statements,
        tokens.raw,
        tokens.blind,
        tokens.traits,
        table.first_statement,
        table.end_statement,
        left,
        right,
    )
    sums = np.append(0, np.cumsum(weights, dtype=np.int64))
    return found, sums[table.end_statement] - sums[table.first_statement]


@dataclass(frozen=True, eq=False, repr=False)
class FragmentEvidence:
    """How strongly pairs of fragments look like clones; all are float64 arrays.

    Attributes
    ----------
    kept : array
        The share of tokens in aligned statements, by the share of the same names and values there.
    renamed : array
        The same by the share of names that are other ones, consistently.
    kin : array
        As in :class:`~codekin.scan.candidates.CandidatePairs`.
    rare : array
        The share of statements that are the same with all names and values, in order; rare ones
        weigh more.
    names : array
        From 0 to 1 as the share of common names goes from `_MOST_NAMES` to all of them, less where
        kin is low: a restructured copy has the same names and operations.
    size : array
        The logarithm of the tokens of different statements in the smaller one, without
        declarations; 0 for `_TYPICAL_SIZE`.
    family : array
        The logarithm of how many others are like each of the two, at least, up to `_LARGE_FAMILY`:
        what many functions have in common is a habit.
    file : array
        1 for fragments of one file, whose names are alike in any case.
    """

    kept: Floats
    renamed: Floats
    kin: Floats
    rare: Floats
    names: Floats
    size: Floats
    family: Floats
    file: Floats


_FULL = {
    "start": -5.581,
    "kept": 2.546,
    "renamed": 5.595,
    "kin": 5.550,
    "rare": 6.053,
    "names": 1.853,
    "size": 1.179,
    "family": -1.219,
    "file": -0.980,
}
_FAST = {
    "start": -7.612,
    "kept": 4.147,
    "renamed": 15.389,
    "kin": 0.000,
    "rare": 7.895,
    "names": 2.364,
    "size": 1.600,
    "family": -0.645,
    "file": -0.846,
}


def clone_odds(evidence: FragmentEvidence, *, fast: bool) -> Floats:
    """The logarithm of the odds that pairs are clones; 0 is where scans draw the line.

    Parameters
    ----------
    evidence : FragmentEvidence
    fast : bool
        Whether fragments have no features, so that kin is 0.
    """
    weights = _FAST if fast else _FULL
    odds = np.full(len(evidence.kept), weights["start"])
    for field in fields(evidence):
        odds += weights[field.name] * getattr(evidence, field.name)
    return odds


def fragment_evidence(
    code: ScannedCode, pairs: CandidatePairs, found: ComparedFragments, *, fast: bool
) -> tuple[Longs, FragmentEvidence]:
    """The places of pairs that may be clones, and the evidence for these."""
    words = np.maximum(found.words, 1)
    kept, renamed = found.aligned * (found.equal / words), found.aligned * (found.renamed / words)
    sums = kept + pairs.kin
    places = np.flatnonzero(sums + renamed >= _WEAK)
    left, right, kin = pairs.left[places], pairs.right[places], pairs.kin[places]
    alike = np.concatenate([pairs.left[sums >= _PARTNER], pairs.right[sums >= _PARTNER]])
    counts = np.bincount(alike, minlength=len(code.fragments))
    names = np.clip((_common_names(code, left, right) - _MOST_NAMES) / (1 - _MOST_NAMES), 0, 1)
    if not fast:
        names *= np.clip(kin / _MUCH_KIN, 0, 1)
    return places, FragmentEvidence(
        kept=kept[places],
        renamed=renamed[places],
        kin=kin,
        rare=_rare_statements(code, left, right),
        names=names,
        size=np.log(np.clip(found.body[places], *_SIZES) / _TYPICAL_SIZE),
        family=np.log1p(np.minimum(np.minimum(counts[left], counts[right]), _LARGE_FAMILY)),
        file=found.one_file[places].astype(np.float64),
    )


def _rare_statements(code: ScannedCode, left: Ints, right: Ints) -> Floats:
    """The share of equal statements in order; rare ones weigh more."""
    tokens = code.tokens
    ends = np.append(tokens.statements[1:], len(tokens)).astype(np.int32)
    exact = _native.sequence_ids(tokens.raw, tokens.statements, ends)
    weights = _weights_by_rarity(tokens.weights, exact, len(code.fragments))
    (matched, *_), sizes = _aligned(code, exact, weights, left, right)
    shares: Floats = 2 * matched / np.maximum(sizes[left] + sizes[right], 1)
    return shares


def _weights_by_rarity(
    weights: npt.NDArray[np.uint8], ids: npt.NDArray[np.uint64], fragments: int
) -> npt.NDArray[np.uint8]:
    """The weights of statements, less for those that are frequent.

    Examples
    --------
    >>> ids = np.array([7, 8, 7, 9, 7], np.uint64)
    >>> _weights_by_rarity(np.full(5, 10, np.uint8), ids, 3).tolist()
    [24, 27, 24, 27, 24]
    """
    kind, _, counts = _native.common_features(ids)
    rarity = 1 - np.log1p(counts) / np.log1p(max(fragments, _FEW_FRAGMENTS))
    scaled = _RARITY_SCALE * weights.astype(np.float64) * np.maximum(rarity, 0)[kind]
    found: npt.NDArray[np.uint8] = np.minimum(np.rint(scaled), 255).astype(np.uint8)
    return found


def _common_names(code: ScannedCode, left: Ints, right: Ints) -> Floats:
    """The different names that both have by those of the one that has more."""
    begin, end = code.fragments.begin, code.fragments.end
    sides = (begin[left], end[left]), (begin[right], end[right])
    same, most = common_words(code, Trait.NAME, *sides, once=True)
    share: Floats = same / np.maximum(most, 1)
    return share


def common_words(
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
    places = np.flatnonzero(code.tokens.traits & int(trait) != 0)
    ids = code.tokens.raw[places].astype(np.int64)
    count = len(first[0])
    same, most = np.empty(count, np.int64), np.empty(count, np.int64)
    for start in range(0, count, _PAIRS_AT_ONCE):
        some = slice(start, start + _PAIRS_AT_ONCE)
        sides = [
            _word_counts(ids, *np.searchsorted(places, [begin[some], end[some]]), once=once)
            for begin, end in (first, second)
        ]
        (keys1, times1, all1), (keys2, times2, all2) = sides
        both, at1, at2 = np.intersect1d(keys1, keys2, assume_unique=True, return_indices=True)
        less = np.minimum(times1[at1], times2[at2])
        same[some] = np.bincount(both >> 32, less, minlength=len(all1))
        most[some] = np.maximum(all1, all2)
    return same, most


def _word_counts(ids: Longs, begin: Longs, end: Longs, *, once: bool) -> tuple[Longs, Longs, Longs]:
    """The words of stretches, with the number of the stretch; how often each is; and their sums."""
    counts = end - begin
    stretch = np.repeat(np.arange(len(begin)), counts)
    inner = np.arange(len(stretch)) - np.repeat(np.cumsum(counts) - counts, counts)
    keys, times = np.unique(
        stretch << 32 | ids[np.repeat(begin, counts) + inner], return_counts=True
    )
    if once:
        times[:] = 1
    sums = np.bincount(keys >> 32, times, minlength=len(begin))
    return keys.astype(np.int64), times.astype(np.int64), sums.astype(np.int64)
