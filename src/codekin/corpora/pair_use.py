"""Labelled pairs for training and testing: those that a corpus has, or, where it has none, drawn.

Pairs that somebody labelled are never replaced by others unless that is asked for. Those with a
side stay on it; those without are split with their snippets, and a pair whose snippets come to lie
on two sides is left out, and counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from codekin.corpora.corpus import Corpus
from codekin.corpora.labelled_pairs import Pairs
from codekin.corpora.sampling import sample_pairs
from codekin.corpora.snippets import SIDES, UNKNOWN_LABEL, Snippet
from codekin.corpora.views import split_corpus
from codekin.errors import CodekinError
from codekin.results import Column, Grid, count_text, share_text

__all__ = [
    "PairUse",
    "SidePairs",
    "has_labelled_pairs",
    "labelled_pairs",
    "pairs_for_training",
    "without_sides",
]

_RATIO = (3, 1, 1)
"""Of snippets whose pairs are given: a pair needs both on one side, so small sides keep few."""
_PAIR_RATIO = (8, 1, 1)
"""Of pairs, where parts that share no snippet are small."""
_LARGE = 0.1
"""A part of the pairs that is larger is not put on one side whole."""
_HELD_OUT = 10
"""One of so many training pairs is for validation where no pair is."""


@dataclass(frozen=True)
class SidePairs:
    """The pairs of a side: how many there are, and how many are clones."""

    name: str
    pairs: int
    clones: int

    @property
    def rate(self) -> float:
        """The share of clones."""
        return self.clones / self.pairs if self.pairs else float("nan")


@dataclass(frozen=True)
class PairUse:
    """Which pairs train and test a detector.

    Attributes
    ----------
    given : int
        Labelled pairs of the corpus.
    drawn : bool
        Whether others were drawn in their place.
    view : str
        How the sides were made; ``given`` where the corpus has them.
    sides : tuple of SidePairs
        What is used.
    remarks : tuple of str
        What is not used, and why.
    """

    given: int
    drawn: bool
    view: str
    sides: tuple[SidePairs, ...]
    remarks: tuple[str, ...] = ()

    @property
    def used(self) -> int:
        """How many pairs are used."""
        return sum(side.pairs for side in self.sides)

    def line(self) -> str:
        """What is used, in one line.

        Examples
        --------
        >>> sides = (SidePairs("train", 80, 20), SidePairs("test", 20, 5))
        >>> PairUse(100, False, "given", sides).line()
        '100 labelled pairs given, all used: 80 train (25 % clones), 20 test (25 % clones)'
        """
        parts = [
            f"{side.pairs:,} {side.name} ({share_text(side.rate, 0)} clones)" for side in self.sides
        ]
        given = (
            f"{count_text(self.given, 'labelled pair')} given" if self.given else "no pairs given"
        )
        used = "all" if self.used == self.given else f"{self.used:,}"
        what = f"{self.used:,} drawn by functionality" if self.drawn else f"{used} used"
        given = given if self.given else "no labelled pairs given"
        return f"{given}, {what}: {', '.join(parts)}"

    def grid(self) -> Grid:
        """A line per side, under what is used in one line."""
        columns = ("side", "pairs", "clones", Column("base rate", "rate", digits=3))
        rows = tuple((side.name, side.pairs, side.clones, side.rate) for side in self.sides)
        return Grid(self.line(), columns, rows)


def labelled_pairs(corpus: Corpus) -> int:
    """How many pairs of a corpus have a label."""
    if corpus.pairs is None:
        return 0
    return int(np.count_nonzero(corpus.pairs.label != UNKNOWN_LABEL))


def has_labelled_pairs(corpus: Corpus) -> bool:
    """Whether a corpus has pairs of which somebody said what they are."""
    return labelled_pairs(corpus) > 0


def pairs_for_training(
    corpus: Corpus,
    view: str | None = None,
    *,
    sizes: Mapping[str, int | None],
    draw: bool = False,
    seed: int = 0,
) -> tuple[Corpus, PairUse]:
    """The corpus with pairs on the three sides: its own, or drawn where it has none.

    Parameters
    ----------
    corpus : Corpus
    view : str, optional
        How to split it, see :func:`codekin.split_corpus`. By default as it is, or at random where
        it has no sides.
    sizes : mapping
        The most pairs of sides; of those that are given, all are used where a side is not named,
        and of those that are drawn, all there are.
    draw : bool
        Whether to draw pairs by functionality in place of those that are given.
    seed : int

    Raises
    ------
    CodekinError
        If a side would have no pairs.
    """
    if draw or not has_labelled_pairs(corpus):
        return _drawn(corpus, view, sizes, seed)
    pairs = corpus.pairs
    assert pairs is not None
    known, given = pairs.label != UNKNOWN_LABEL, labelled_pairs(corpus)
    remarks: list[str] = []
    if not known.all():
        what = count_text(len(pairs) - given, "pair")
        remarks.append(f"{what} without a label left out")
    labelled = replace(corpus, pairs=pairs.take(known))
    if view is not None:
        if pairs.side is not None or any(snippet.side for snippet in corpus.snippets):
            remarks.append(f"the sides of the corpus are replaced by those of the view {view}")
        made, shown = _split(without_sides(labelled), view, seed, remarks), view
    elif pairs.side is not None:
        made, shown = _on_their_sides(labelled, seed, remarks), "given"
    elif any(snippet.side for snippet in corpus.snippets):
        made, shown = _by_snippets(labelled, remarks), "given"
    else:
        made, shown = _split(labelled, "random", seed, remarks), "random"
    made = _fewer(made, sizes, seed, remarks)
    assert made.pairs is not None
    return made, PairUse(given, False, shown, _side_pairs(made.pairs), tuple(remarks))


def _drawn(
    corpus: Corpus, view: str | None, sizes: Mapping[str, int | None], seed: int
) -> tuple[Corpus, PairUse]:
    split = any(snippet.side for snippet in corpus.snippets)
    if view is None and split:
        made, shown = replace(corpus, pairs=None), "given"
    else:
        made = split_corpus(without_sides(replace(corpus, pairs=None)), view or "random", seed=seed)
        shown = view or "random"
    try:
        made = sample_pairs(made, sizes, fewer=True, seed=seed)
    except CodekinError as error:
        raise CodekinError(
            f"{corpus.name}, view {shown}: {str(error).removeprefix(f'{corpus.name}: ')} (snippets "
            "of one functionality are clones, and those of two are not, so each side needs two)"
        ) from None
    assert made.pairs is not None
    return made, PairUse(labelled_pairs(corpus), True, shown, _side_pairs(made.pairs))


def without_sides(corpus: Corpus) -> Corpus:
    """The corpus as if it had never been split."""
    snippets = tuple(replace(snippet, side=None) for snippet in corpus.snippets)
    pairs = None if corpus.pairs is None else replace(corpus.pairs, side=None)
    return replace(corpus, snippets=snippets, pairs=pairs)


def _split(corpus: Corpus, view: str, seed: int, remarks: list[str]) -> Corpus:
    """The corpus split with its pairs, of which those between two sides are left out."""
    assert corpus.pairs is not None
    before = len(corpus.pairs)
    parts = _parts(corpus.pairs, len(corpus)) if view == "random" else None
    if parts is not None:
        return _by_parts(corpus, parts, seed)
    ratio = {"ratio": _RATIO} if view == "random" else {}
    made = split_corpus(corpus, view, seed=seed, **ratio)  # type: ignore[arg-type]
    assert made.pairs is not None
    lost = before - len(made.pairs)
    if lost:
        remarks.append(
            f"{count_text(lost, 'pair')} left out: the view {view} puts their snippets on two sides"
        )
    return made


def _parts(pairs: Pairs, snippets: int) -> npt.NDArray[np.int64] | None:
    """The part of each pair, where no two parts share a snippet; None where one part is large."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    joined = coo_array(
        (np.ones(len(pairs), bool), (pairs.first, pairs.second)), shape=(snippets, snippets)
    )
    _, marks = connected_components(joined, directed=False)
    parts: npt.NDArray[np.int64] = np.unique(marks[pairs.first], return_inverse=True)[1]
    return parts if np.bincount(parts).max() <= _LARGE * len(pairs) else None


def _by_parts(corpus: Corpus, parts: npt.NDArray[np.int64], seed: int) -> Corpus:
    """The corpus with whole parts on each side, so that no pair is lost."""
    assert corpus.pairs is not None
    order = np.random.default_rng(seed).permutation(int(parts.max()) + 1)
    ends = np.cumsum(np.bincount(parts)[order]) / len(parts)
    cuts = np.cumsum(_PAIR_RATIO)[:-1] / sum(_PAIR_RATIO)
    side_of_part = np.empty(len(order), np.int8)
    side_of_part[order] = np.searchsorted(cuts, ends - 1e-9)
    codes = side_of_part[parts]
    return _with_sides(corpus, replace(corpus.pairs, side=(codes, SIDES)))


def _on_their_sides(corpus: Corpus, seed: int, remarks: list[str]) -> Corpus:
    """The corpus with its pairs on the sides that they have; snippets take theirs from them."""
    assert corpus.pairs is not None and corpus.pairs.side is not None
    codes, names = corpus.pairs.side
    order = np.array([*(SIDES.index(name) for name in names), -1], np.int8)
    side = order[codes]
    if (side < 0).any():
        what = count_text(int(np.count_nonzero(side < 0)), "pair")
        remarks.append(f"{what} without a side left out")
    kept = side >= 0
    pairs = corpus.pairs.take(kept)
    side = side[kept]
    if (side == 0).any() and not (side == 1).any():
        training = np.flatnonzero(side == 0)
        held = np.random.default_rng(seed).permutation(training)[: len(training) // _HELD_OUT]
        side[held] = 1
        remarks.append(
            f"no pairs of the side validation: {len(held):,} of the training pairs, drawn at "
            f"random, choose the epoch and the threshold (seed {seed})"
        )
    return _with_sides(corpus, replace(pairs, side=(side, SIDES)))


def _with_sides(corpus: Corpus, pairs: Pairs) -> Corpus:
    """The corpus with these pairs; snippets without a side get the first one of their pairs."""
    assert pairs.side is not None
    first = np.full(len(corpus), len(SIDES), np.int8)
    for ends in (pairs.first, pairs.second):
        np.minimum.at(first, ends, pairs.side[0])

    def sided(snippet: Snippet, code: int) -> Snippet:
        if snippet.side is not None or code == len(SIDES):
            return snippet
        return replace(snippet, side=SIDES[code])

    snippets = tuple(map(sided, corpus.snippets, first.tolist()))
    return replace(corpus, snippets=snippets, pairs=pairs)


def _by_snippets(corpus: Corpus, remarks: list[str]) -> Corpus:
    """The corpus with those pairs whose snippets are on one side."""
    assert corpus.pairs is not None
    codes = np.array([SIDES.index(s.side) if s.side else -1 for s in corpus.snippets], np.int8)
    first, second = codes[corpus.pairs.first], codes[corpus.pairs.second]
    kept = (first == second) & (first >= 0)
    if not kept.all():
        what = count_text(int(np.count_nonzero(~kept)), "pair")
        remarks.append(f"{what} left out: their snippets are on two sides, or on none")
    return replace(corpus, pairs=replace(corpus.pairs.take(kept), side=(first[kept], SIDES)))


def _fewer(
    corpus: Corpus, sizes: Mapping[str, int | None], seed: int, remarks: list[str]
) -> Corpus:
    """The corpus with at most some number of pairs on each side."""
    pairs = corpus.pairs
    assert pairs is not None and pairs.side is not None
    kept = np.ones(len(pairs), bool)
    for code, name in enumerate(SIDES):
        mine = np.flatnonzero(pairs.side[0] == code)
        most = sizes.get(name)
        if most is not None and len(mine) > most:
            generator = np.random.default_rng([seed, code])
            kept[generator.permutation(mine)[most:]] = False
            remarks.append(
                f"{most:,} of {len(mine):,} pairs of the side {name}, drawn at random (seed {seed})"
            )
    return corpus if kept.all() else replace(corpus, pairs=pairs.take(kept))


def _side_pairs(pairs: Pairs) -> tuple[SidePairs, ...]:
    found = []
    for name in SIDES:
        mine = pairs.of_side(name)
        found.append(SidePairs(name, len(mine), mine.positives))
    return tuple(found)
