"""Pairs drawn from a corpus at a stated size and base rate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from codekin.corpora.corpus import Corpus, Step
from codekin.corpora.labelled_pairs import Pairs
from codekin.corpora.snippets import EXAMPLE, SIDES, TAGGED_FALSE, TAGGED_TRUE, Snippet
from codekin.errors import CodekinError
from codekin.results import count_text

__all__ = ["ALL", "RULES", "sample_pairs"]

ALL = None
"""In place of a number: every pair of a side."""

RULES = ("roles", "functionality")
_MOST_PAIRS = 20_000_000
"""More pairs than this are not listed, since a table of them would not fit in memory."""

_PART = 1 << 20
"""Numbers of pairs that are looked at at once."""

Places = npt.NDArray[np.int32]


def sample_pairs(
    corpus: Corpus,
    size: int | Mapping[str, int | None] | None = ALL,
    *,
    rate: float | None = None,
    rule: str | None = None,
    negatives: str = "within",
    fewer: bool = False,
    seed: int = 0,
) -> Corpus:
    """Draw labelled pairs from a corpus, separately on each side of a view.

    Parameters
    ----------
    corpus : Corpus
    size : int, mapping or None
        Pairs per side, or for each side by its name; None for all pairs.
    rate : float, optional
        The share of clones. By default the natural one, that of all pairs of the side.
    rule : str, optional
        What makes a clone. ``functionality``: two snippets with a functionality in common are
        clones, all other pairs are not. ``roles``: as in ConBigCloneBench, an example and another
        example or a snippet tagged true are clones; an example and a snippet tagged false of the
        same functionality are not; other pairs are not used. By default ``roles`` where the corpus
        has examples.
    negatives : str
        With ``roles``: ``within`` functionalities, or also ``across`` them.
    fewer : bool
        Whether a side with fewer pairs than were asked for gives all that it has, if no rate was
        asked for; otherwise that is an error.
    seed : int

    Returns
    -------
    Corpus
        With the pairs in place of those that it had. Each pair has a side, if the corpus has any,
        and its basis. Clones are drawn from each functionality in proportion to what it has.

    Raises
    ------
    CodekinError
        If a side has no pairs of one label, or fewer than were asked for.
    """
    rule = rule or _usual_rule(corpus)
    if rule not in RULES:
        raise CodekinError(f"unknown rule {rule!r} (known: {', '.join(RULES)})")
    if negatives not in ("within", "across"):
        raise CodekinError(f"unknown negatives {negatives!r} (known: within, across)")
    if rate is not None and not 0 < rate < 1:
        raise CodekinError(f"a rate is a number between 0 and 1, or natural, not {rate}")
    parts = []
    notes: list[str] = []
    sides = dict(_sides(corpus))
    unknown = [one for one in size if one not in sides] if isinstance(size, Mapping) else []
    if unknown:
        has = ", ".join(one for one in sides if one)
        raise CodekinError(
            f"{corpus.name}: has no side {' and '.join(unknown)}, but {has}"
            if has
            else f"{corpus.name}: has no sides to draw pairs from; split it first, or name one size"
        )
    for side, places in sides.items():
        asked = size.get(side or "", ALL) if isinstance(size, Mapping) else size
        world = _World(corpus, places, rule, negatives)
        generator = np.random.default_rng([seed, *(side or "").encode()])
        parts.append(_side_pairs(world, asked, rate, generator, side, fewer=fewer))
        if world.conflicts:
            notes.append(f"{world.conflicts:,} pairs left out: clones by one functionality alone")
    pairs = _joined(parts)
    if corpus.pairs is not None and len(corpus.pairs):
        notes.append(
            f"{count_text(len(corpus.pairs), 'pair')} of the corpus replaced by drawn ones"
        )
    made = replace(corpus, pairs=pairs)
    sizes = dict(size) if isinstance(size, Mapping) else size
    parameters = {"size": "all" if size is ALL else sizes, "rate": rate or "natural"}
    parameters |= {"rule": rule, "negatives": negatives, "seed": seed}
    return made.with_step(corpus, Step("pairs", parameters, notes=tuple(dict.fromkeys(notes))))


def _usual_rule(corpus: Corpus) -> str:
    kinds = {role.kind for one in corpus.snippets for role in one.roles}
    return RULES[0] if EXAMPLE in kinds else RULES[1]


def _sides(corpus: Corpus) -> Iterator[tuple[str | None, Places]]:
    """The snippets of each side; all of them where the corpus was not split."""
    sides = [one.side for one in corpus.snippets]
    names: Sequence[str | None] = [one for one in SIDES if one in sides] or [None]
    for name in names:
        yield name, np.array([i for i, side in enumerate(sides) if side == name], np.int32)


@dataclass(frozen=True)
class _Stratum:
    """The pairs of one snippet out of either list, or of two out of one list.

    `second` is None for two out of one.
    """

    first: Places
    second: Places | None
    label: int
    basis: str

    def __len__(self) -> int:
        n = len(self.first)
        return n * (n - 1) // 2 if self.second is None else n * len(self.second)

    def pairs(self, numbers: npt.NDArray[np.int64]) -> tuple[Places, Places]:
        """The pairs of some numbers from 0 on."""
        if self.second is not None:
            width = max(1, len(self.second))
            return self.first[numbers // width], self.second[numbers % width]
        # The pair (i, j), i > j, has the number i (i - 1) / 2 + j.
        i = ((1 + np.sqrt(1 + 8 * numbers.astype(np.float64))) / 2).astype(np.int64)
        i -= i * (i - 1) // 2 > numbers
        i += (i + 1) * i // 2 <= numbers
        return self.first[numbers - i * (i - 1) // 2], self.first[i]


class _World:
    """All pairs of some snippets, in strata that can be counted without being listed."""

    def __init__(self, corpus: Corpus, places: Places, rule: str, negatives: str) -> None:
        self.places = places
        self.conflicts = 0
        self._masks = _masks(corpus.snippets)
        snippets = [corpus.snippets[i] for i in places.tolist()]
        groups: dict[tuple[str, str], list[int]] = {}
        for place, one in zip(places.tolist(), snippets, strict=True):
            for role in one.roles:
                groups.setdefault((role.functionality, role.kind or TAGGED_TRUE), []).append(place)
        names = list(dict.fromkeys(name for name, _ in groups))
        of = {key: np.array(found, np.int32) for key, found in groups.items()}
        none = np.zeros(0, np.int32)
        self.strata: list[_Stratum] = []
        self.rest = rule == "functionality" or negatives == "across"
        for name in names:
            examples = of.get((name, EXAMPLE), none)
            true = of.get((name, TAGGED_TRUE), none)
            false = of.get((name, TAGGED_FALSE), none)
            if rule == "functionality":
                self._add(np.concatenate([examples, true]), None, 1, "same functionality")
                continue
            self._add(examples, None, 1, "example x example")
            self._add(examples, true, 1, "example x tagged true")
            self._add(examples, false, 0, "example x tagged false")
        self.other_basis = "other functionality"
        self._mixed = any(len(one.roles) > 1 for one in snippets)

    def _add(self, first: Places, second: Places | None, label: int, basis: str) -> None:
        stratum = _Stratum(first, second, label, basis)
        if len(stratum):
            self.strata.append(stratum)

    @property
    def everything(self) -> _Stratum:
        """All pairs of the snippets."""
        return _Stratum(self.places, None, 0, self.other_basis)

    def clones(self, first: Places, second: Places) -> npt.NDArray[np.bool_]:
        """Which pairs have a functionality in common."""
        shared = self._masks[first] & self._masks[second]
        found: npt.NDArray[np.bool_] = np.asarray(shared.any(axis=1))
        return found

    @property
    def counted_twice(self) -> int:
        """How often a pair is in a second stratum of clones, by another functionality."""
        several = np.bitwise_count(self._masks[self.places]).sum(axis=1) > 1
        kinds, counts = np.unique(self._masks[self.places[several]], axis=0, return_counts=True)
        found = 0
        for i, (one, count) in enumerate(zip(kinds, counts.tolist(), strict=True)):
            within = int(np.bitwise_count(one).sum()) - 1
            found += within * (count * (count - 1) // 2)
            shared = np.bitwise_count(kinds[i + 1 :] & one).sum(axis=1).astype(np.int64) - 1
            found += count * int((np.maximum(shared, 0) * counts[i + 1 :]).sum())
        return found

    def resolved(self, first: Places, second: Places, label: int) -> npt.NDArray[np.bool_]:
        """Which pairs of a stratum have no other label by another functionality."""
        if not self._mixed:
            return np.ones(len(first), bool)
        same = self.clones(first, second)
        good = same if label else ~same
        self.conflicts += int(np.count_nonzero(~good))
        return good


def _masks(snippets: Sequence[Snippet]) -> npt.NDArray[np.uint64]:
    """A bit per functionality that a snippet has."""
    names: dict[str, int] = {}
    for one in snippets:
        for name in one.functionalities:
            names.setdefault(name, len(names))
    masks = np.zeros((len(snippets), max(1, -(-len(names) // 64))), np.uint64)
    for i, one in enumerate(snippets):
        for name in one.functionalities:
            word, bit = divmod(names[name], 64)
            masks[i, word] |= np.uint64(1 << bit)
    return masks


def _side_pairs(
    world: _World,
    size: int | None,
    rate: float | None,
    generator: np.random.Generator,
    side: str | None,
    *,
    fewer: bool,
) -> Pairs:
    where = f"side {side}" if side else "the corpus"
    positive = [one for one in world.strata if one.label == 1]
    negative = [one for one in world.strata if one.label == 0]
    clones = sum(map(len, positive)) - world.counted_twice
    others = sum(map(len, negative))
    if world.rest:
        others = len(world.everything) - clones
    if not clones or not others:
        missing = "clones" if not clones else "pairs other than clones"
        raise CodekinError(f"{where} has no {missing}; there is nothing to draw")
    if fewer and size is not ALL and rate is None and size > clones + others:
        size = ALL
    wanted = clones + others if size is ALL else size
    if wanted > _MOST_PAIRS:
        raise CodekinError(
            f"{where} has {clones + others:,} pairs, and {_MOST_PAIRS:,} are the most that are "
            f"listed; draw some of them, such as --size {f'{side}=' if side else ''}300000"
            if size is ALL
            else f"{wanted:,} pairs of {where} were asked for, and {_MOST_PAIRS:,} are the most "
            "that are listed"
        )
    share = clones / (clones + others) if rate is None else rate
    if size is ALL and rate is not None:
        wanted = int(min(clones / share, others / (1 - share)))
    right = clones if size is ALL and rate is None else round(wanted * share)
    left = wanted - right
    if right > clones or left > others:
        lacking = ("clones", clones, right) if right > clones else ("other pairs", others, left)
        what, there, asked = lacking
        raise CodekinError(
            f"{where} has {there:,} {what}, and {asked:,} were asked for; ask for fewer pairs or "
            "another rate"
        )
    found = [_from_strata(world, positive, right, generator)]
    if world.rest:
        found.append(_from_rest(world, left, others, generator))
    else:
        found.append(_from_strata(world, negative, left, generator))
    pairs = _joined(found)
    order = generator.permutation(len(pairs))
    mixed = pairs.take(order)
    if side is None:
        return mixed
    codes = np.full(len(mixed), SIDES.index(side), np.int8)
    return replace(mixed, side=(codes, SIDES))


def _from_strata(
    world: _World, strata: Sequence[_Stratum], count: int, generator: np.random.Generator
) -> Pairs:
    """Distinct pairs out of strata, from each in proportion to its size."""
    more = 0
    while True:
        found = _drawn_pairs(world, strata, count + more, generator)
        there = sum(map(len, strata))
        if len(found) >= count or count + more >= there:
            break
        # Some were drawn twice, or have another label by another functionality.
        more = min(2 * (count + more - len(found)), there - count)
    if len(found) <= count:
        return found
    return found.take(np.sort(generator.permutation(len(found))[:count]))


def _drawn_pairs(
    world: _World, strata: Sequence[_Stratum], count: int, generator: np.random.Generator
) -> Pairs:
    shares = _apportioned([len(one) for one in strata], count)
    parts = []
    for stratum, share in zip(strata, shares, strict=True):
        numbers = _distinct(len(stratum), share, generator)
        first, second = stratum.pairs(numbers)
        first, second = np.minimum(first, second), np.maximum(first, second)
        good = (first != second) & world.resolved(first, second, stratum.label)
        label = np.full(int(good.sum()), stratum.label, np.int8)
        basis = (np.zeros(len(label), np.int8), (stratum.basis,))
        parts.append(Pairs(first[good], second[good], label, basis=basis))
    return _unique(_joined(parts))


def _from_rest(world: _World, count: int, there: int, generator: np.random.Generator) -> Pairs:
    """Distinct pairs without a functionality in common, drawn from all pairs.

    Few are drawn until there are enough; many are chosen while all are gone through in parts.
    """
    everything = world.everything
    if count > there // 2 or len(everything) <= 4 * count:
        numbers = _chosen_others(world, _distinct(there, count, generator))
    else:
        numbers = np.zeros(0, np.int64)
        while len(numbers) < count:
            more = generator.integers(0, len(everything), size=2 * (count - len(numbers)) + 100)
            first, second = everything.pairs(more)
            more = more[~world.clones(first, second)]
            joined = np.concatenate([numbers, more])
            numbers = joined[np.sort(np.unique(joined, return_index=True)[1])][:count]
    first, second = everything.pairs(numbers)
    first, second = np.minimum(first, second), np.maximum(first, second)
    basis = (np.zeros(len(first), np.int8), (everything.basis,))
    return Pairs(first, second, np.zeros(len(first), np.int8), basis=basis)


def _chosen_others(world: _World, ranks: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The numbers of pairs without a functionality in common, by their ranks among those."""
    everything = world.everything
    found, seen, taken = [], 0, 0
    for start in range(0, len(everything), _PART):
        numbers = np.arange(start, min(start + _PART, len(everything)), dtype=np.int64)
        others = numbers[~world.clones(*everything.pairs(numbers))]
        end = int(np.searchsorted(ranks, seen + len(others)))
        found.append(others[ranks[taken:end] - seen])
        seen, taken = seen + len(others), end
    return np.concatenate(found)


def _apportioned(sizes: Sequence[int], count: int) -> list[int]:
    """A whole number for each size, in proportion and adding up to the count.

    Examples
    --------
    >>> _apportioned([6, 3, 1], 5)
    [3, 2, 0]
    """
    total = sum(sizes)
    if not total:
        return [0] * len(sizes)
    exact = [size * count / total for size in sizes]
    shares = [int(one) for one in exact]
    rest = sorted(range(len(sizes)), key=lambda i: (shares[i] - exact[i], i))
    for i in rest[: count - sum(shares)]:
        shares[i] += 1
    return shares


def _distinct(size: int, count: int, generator: np.random.Generator) -> npt.NDArray[np.int64]:
    """Distinct numbers below a size, in ascending order."""
    if 3 * count >= size:
        parts, left = [], count
        for start in range(0, size, _PART):
            here, later = min(_PART, size - start), max(0, size - start - _PART)
            share = int(generator.hypergeometric(here, later, left)) if later else left
            parts.append(start + np.sort(generator.permutation(here)[:share]))
            left -= share
        return np.concatenate([np.zeros(0, np.int64), *parts]).astype(np.int64)
    found = np.zeros(0, np.int64)
    while len(found) < count:
        more = generator.integers(0, size, size=count - len(found) + count // 8 + 8)
        joined = np.concatenate([found, more])
        found = joined[np.sort(np.unique(joined, return_index=True)[1])][:count]
    return np.sort(found)


def _joined(parts: Sequence[Pairs]) -> Pairs:
    bases = tuple(dict.fromkeys(name for one in parts if one.basis for name in one.basis[1]))
    codes = [
        np.array([bases.index(name) for name in one.basis[1]], np.int8)[one.basis[0]]
        for one in parts
        if one.basis is not None
    ]
    sides = [one.side[0] for one in parts if one.side is not None]
    return Pairs(
        np.concatenate([one.first for one in parts]),
        np.concatenate([one.second for one in parts]),
        np.concatenate([one.label for one in parts]),
        basis=(np.concatenate(codes), bases),
        side=(np.concatenate(sides), SIDES) if sides else None,
    )


def _unique(pairs: Pairs) -> Pairs:
    """The pairs, each once: snippets with two functionalities in common are drawn twice."""
    keys = pairs.first.astype(np.int64) << 32 | pairs.second
    kept = np.sort(np.unique(keys, return_index=True)[1])
    return pairs if len(kept) == len(pairs) else pairs.take(kept)
