"""How likely two fragments are clones: what they share, in a few numbers, weighted by a regression.

`bench/clone_evidence.py` learns the weights from pairs of functions and blocks of real code that
readers judged, and from planted clones.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.languages import get_language, languages
from codekin.scan.candidates import CandidatePairs
from codekin.scan.code_tokens import CodeTokens, Trait, family_of_language, read_tokens
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
ShortIds = npt.NDArray[np.uint32]

_WEAK = 0.4
"""Pairs with a smaller sum of `kept`, `renamed` and `kin` are not looked at any further."""
_PARTNER = 0.7
"""The sum of `kept` and `kin` from which on a pair counts as one more like it."""
_TYPICAL_SIZE, _SIZES = 40, (8, 80)
_MOST_NAMES, _MUCH_KIN = 0.8, 0.5
_RARITY_SCALE, _FEW_FRAGMENTS = 3, 1000
"""Of weights by rarity, so that rounding matters little; and how many fragments there are at least,
since nothing is frequent in a few."""
_LARGE_FAMILY = 12
_BEFORE_MEMBERS, _AFTER_CALLED = (".", "->", "::", "?."), ("(",)
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
    calls : array
        The share of statements of the smaller one that are the same, in order, but for names that a
        function chooses for itself; rare ones weigh more. So they call the same functions, and have
        the same members, types and values: a copy keeps these when its variables are renamed.
    length : array
        The lines of the shorter one by those of the longer one.
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
    calls: Floats
    length: Floats
    names: Floats
    size: Floats
    family: Floats
    file: Floats


_FULL = {
    "start": -5.696,
    "kept": 2.236,
    "renamed": 8.166,
    "kin": 5.700,
    "rare": 2.922,
    "calls": 2.963,
    "length": 0.822,
    "names": 1.544,
    "size": 1.084,
    "family": -1.363,
    "file": -0.897,
}
_FAST = {
    "start": -8.130,
    "kept": 4.817,
    "renamed": 18.624,
    "kin": 0.000,
    "rare": 3.853,
    "calls": 3.242,
    "length": 1.668,
    "names": 1.705,
    "size": 1.706,
    "family": -1.196,
    "file": -1.005,
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
    lines = code.code_lines(code.fragments.begin, code.fragments.end)
    shorter, longer = (pick(lines[left], lines[right]) for pick in (np.minimum, np.maximum))
    (rare, _), (_, calls) = (
        _equal_statements(code, ids, left, right)
        for ids in (code.tokens.raw, _without_own_names(code.tokens))
    )
    names = np.clip((_common_names(code, left, right) - _MOST_NAMES) / (1 - _MOST_NAMES), 0, 1)
    if not fast:
        names *= np.clip(kin / _MUCH_KIN, 0, 1)
    return places, FragmentEvidence(
        kept=kept[places],
        renamed=renamed[places],
        kin=kin,
        rare=rare,
        calls=calls,
        length=shorter / np.maximum(longer, 1),
        names=names,
        size=np.log(np.clip(found.body[places], *_SIZES) / _TYPICAL_SIZE),
        family=np.log1p(np.minimum(np.minimum(counts[left], counts[right]), _LARGE_FAMILY)),
        file=found.one_file[places].astype(np.float64),
    )


def _equal_statements(
    code: ScannedCode, ids: ShortIds, left: Ints, right: Ints
) -> tuple[Floats, Floats]:
    """The share of statements whose tokens have the same `ids`, in order; rare ones weigh more.

    That of both fragments of each pair, and that of the smaller one.
    """
    tokens = code.tokens
    ends = np.append(tokens.statements[1:], len(tokens)).astype(np.int32)
    statements = _native.sequence_ids(ids, tokens.statements, ends)
    weights = _weights_by_rarity(tokens.weights, statements, len(code.fragments))
    (matched, *_), sizes = _aligned(code, statements, weights, left, right)
    one, two = sizes[left], sizes[right]
    return 2 * matched / np.maximum(one + two, 1), matched / np.maximum(np.minimum(one, two), 1)


def _without_own_names(tokens: CodeTokens) -> ShortIds:
    """The identities of tokens, in which the names that a function chooses are the same.

    Others are told by their neighbours: what is called, members, and types before a name.
    """
    named = tokens.traits & int(Trait.NAME) != 0
    names = np.flatnonzero(named)
    before = tokens.blind[np.maximum(names - 1, 0)]
    after = np.minimum(names + 1, len(tokens) - 1)
    members, called = _punctuation()
    foreign = np.isin(before, members) | np.isin(tokens.blind[after], called) | named[after]
    own = names[~foreign | (tokens.traits[names] & int(Trait.DECLARATION) != 0)]
    ids = tokens.raw.copy()
    ids[own] = tokens.blind[own]
    return ids


@lru_cache
def _punctuation() -> tuple[ShortIds, ShortIds]:
    """The identities, in all languages, of what is before a member and after what is called."""
    families = sorted({family_of_language(language) for language in languages()})
    members, called = (
        [
            read.blind[1]
            for family in families
            for text in texts
            if len(read := read_tokens(f"a {text} b".encode(), get_language(family))) == 3
        ]
        for texts in (_BEFORE_MEMBERS, _AFTER_CALLED)
    )
    return np.array(members, np.uint32), np.array(called, np.uint32)


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
